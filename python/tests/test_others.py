"""What other people's checkers say, where they are installed."""

import json
import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import turnstone_games as ts

gymnasium = pytest.importorskip("gymnasium")
pettingzoo = pytest.importorskip("pettingzoo")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # It warns of what it imports itself.
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test


@pytest.mark.parametrize("name", sorted(ts.envs.IDS))
def test_gymnasium_finds_nothing_to_complain_about(name):
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(name, disable_env_checker=True)
        check_env(env.unwrapped)
        drawn = gymnasium.make(name, render_mode="rgb_array", disable_env_checker=True)
        drawn.reset(seed=1)
        assert drawn.render().shape == (480, 640, 3)
        many = gymnasium.make_vec(name, 3)
        obs, info = many.reset(seed=1)
        assert many.observation_space.contains(
            {name: np.array(part) for name, part in obs.items()} if isinstance(obs, dict) else np.array(obs)
        )
        many.step(many.unwrapped.sample())


@pytest.mark.parametrize("name", sorted(ts.envs.IDS))
def test_worlds_are_shown_as_text(name):
    env = gymnasium.make(name, render_mode="ansi", disable_env_checker=True)
    env.reset(seed=1)
    first = env.render()
    assert isinstance(first, str) and first.endswith("\n") and len(first.splitlines()) > 3
    env.step(int(env.unwrapped.action_masks().argmax()))
    assert isinstance(env.render(), str)
    env.close()


@pytest.mark.parametrize("name", ["turnstone/Chess-v0", "turnstone/SpireFight-v0", "turnstone/Grid-v0"])
def test_worlds_are_shown_to_people(name, monkeypatch):
    """As many pictures a second as was said, or nobody sees anything: there was once no clock."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    pygame = pytest.importorskip("pygame")
    paces = []
    monkeypatch.setattr(pygame.time, "Clock", lambda: SimpleNamespace(tick=paces.append))
    env = gymnasium.make(name, render_mode="human", disable_env_checker=True)
    env.reset(seed=1)
    for _ in range(2):
        env.step(int(env.unwrapped.action_masks().argmax()))
    shown = pygame.surfarray.array3d(pygame.display.get_surface())
    assert shown.shape == (640, 480, 3) and shown.any()
    assert paces == 3 * [env.metadata["render_fps"]]
    again = pickle.loads(pickle.dumps(env.unwrapped))
    assert again._window is None and again.lanes.digest() == env.unwrapped.lanes.digest()
    env.close()
    assert env.unwrapped._window is None and not pygame.display.get_init()


def same(one, other):
    """Whether two observations are equal, whatever they are made of."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(part, other[name]) for name, part in one.items())
    return bool((np.asarray(one) == np.asarray(other)).all())


@pytest.mark.parametrize("name", sorted(ts.envs.IDS))
def test_single_worlds_can_be_pickled(name):
    env = gymnasium.make(name, disable_env_checker=True).unwrapped
    _, info = env.reset(seed=1)
    for _ in range(3):
        *_, info = env.step(int(info["action_mask"].argmax()))
    other = pickle.loads(pickle.dumps(env))
    assert (other.action_masks() == env.action_masks()).all() and other.spec == env.spec
    for _ in range(3):
        action = int(env.action_masks().argmax())
        one, two = env.step(action), other.step(action)
        assert same(one[0], two[0]) and one[1:4] == two[1:4] and same(one[4], two[4])
    # Episodes that follow are those that would have followed.
    assert same(env.reset()[0], other.reset()[0]) and env.lanes.digest() == other.lanes.digest()


def test_agents_can_be_pickled():
    env = ts.zoo.aec("chess", mask_in="observation")
    env.reset(seed=1)
    env.step(12 * 64 + 28)
    other = pickle.loads(pickle.dumps(env))
    action = int(env.last()[0]["action_mask"].argmax())
    for one in (env, other):
        one.step(action)
    assert env.agent_selection == other.agent_selection and env.rewards == other.rewards
    assert all(same(env.observe(agent), other.observe(agent)) for agent in env.possible_agents)
    together = ts.zoo.parallel("grid")
    together.reset(seed=1)
    others = pickle.loads(pickle.dumps(together))
    deeds = {agent: place for place, agent in enumerate(together.agents)}
    for _ in range(3):
        one, two = together.step(deeds), others.step(deeds)
        assert same(one[0], two[0]) and one[1:] == two[1:]


def test_one_world_gives_what_one_world_can():
    """More than one, and views instead of copies, were once asked for in vain, and the last observation was lost."""
    for wanted in ({"num_envs": 2}, {"copy": False}, {"autoreset": "same_step"}):
        with pytest.raises(ts.TurnstoneError, match=next(iter(wanted))) as told:
            gymnasium.make("turnstone/Grid-v0", **wanted)
        assert told.value.code == "BAD_OPTION"
    for call in (
        lambda: ts.zoo.aec("chess", seat=0),
        lambda: ts.zoo.aec("chess", num_envs=2),
        lambda: ts.zoo.parallel("grid", order="rotation"),
        lambda: ts.ray.play("grid", [1], setup="four_rooms", record=False),
    ):
        with pytest.raises(ts.TurnstoneError) as told:
            call()
        assert told.value.code == "BAD_OPTION"
    env = gymnasium.make("turnstone/Grid-v0", autoreset="next_step", time_limit=2, disable_env_checker=True).unwrapped
    env.reset(seed=1)
    assert [env.step(6)[3] for _ in range(3)] == [False, True, False], "the third begins again"


def test_episodes_that_ended_are_not_lost_with_those_that_did_not():
    alone = ts.ray.play("spire", range(12), setup="fight:cultist")
    limit = sorted(episode.steps for episode in alone)[6]
    ended = [episode for episode in alone if episode.steps <= limit]
    assert 0 < len(ended) < 12
    with pytest.raises(ts.ray.NotEnded) as told:
        ts.ray.play("spire", range(12), setup="fight:cultist", limit=limit)
    assert told.value.code == "NOT_ENDED" and told.value.episodes == ended
    assert told.value.seeds == [episode.seed for episode in alone if episode.steps > limit]
    again = pickle.loads(pickle.dumps(told.value))
    assert (again.code, again.message, again.episodes) == (told.value.code, told.value.message, ended)


@pytest.mark.video
@pytest.mark.filterwarnings("ignore")
def test_videos_are_recorded(tmp_path):
    from gymnasium.wrappers import RecordVideo

    env = gymnasium.make("turnstone/Grid-v0", render_mode="rgb_array", disable_env_checker=True)
    env = RecordVideo(env, str(tmp_path), episode_trigger=lambda episode: True, disable_logger=True)
    env.reset(seed=1)
    for _ in range(4):
        env.step(6)
    env.close()
    assert [path.stat().st_size > 0 for path in tmp_path.glob("*.mp4")] == [True]


EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.mark.parametrize("words,told", [(["tree_search.py", "1", "16"], "searched:"), (["ray_sweep.py", "3", "1"], "floors reached:")])
def test_examples_run(words, told):
    script, *rest = words
    done = subprocess.run([sys.executable, str(EXAMPLES / script), *rest], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert told in done.stdout, done.stdout


ZOO = [("chess", {}), ("skirmish", {}), ("spire", {"setup": "watcher"}), ("grid", {"setup": "the-race", "order": "rotation"})]


@pytest.mark.parametrize("game,wanted", ZOO, ids=[game for game, _ in ZOO])
def test_pettingzoo_finds_nothing_to_complain_about(game, wanted):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        api_test(ts.zoo.aec(game, time_limit=300, **wanted), num_cycles=200, verbose_progress=False)
        seed_test(lambda: ts.zoo.aec(game, time_limit=300, **wanted), num_cycles=50)


def test_masks_stand_in_observations_where_that_is_wanted():
    env = ts.zoo.aec("chess", mask_in="observation")
    env.reset(seed=1)
    observation, *_ = env.last()
    assert env.observation_space("white_0").contains(observation) and observation["action_mask"].sum() == 20
    assert env.observe("black_1")["action_mask"].sum() == 0
    env.step(int(observation["action_mask"].argmax()))
    assert env.agent_selection == "black_1" and env.last()[0]["observation"].any()


def test_pettingzoo_in_parallel():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(ts.zoo.parallel("grid"), num_cycles=300)
        parallel_seed_test(lambda: ts.zoo.parallel("grid"), num_cycles=50)


RIVALS = "floor: 0\nobjective: exit\ncompany: rivals\n\n@~a.b..E\n\na = agent\nb = agent\n"


def test_who_dies_among_those_who_act_together_is_asked_no_more():
    """Once nothing at all happened after that: the others' deeds had other numbers."""
    env = ts.zoo.parallel("grid", setup=RIVALS, reward="outcome")
    env.reset(seed=1)
    first, second, third = env.possible_agents
    *_, ended, cut, _ = env.step({first: 3, second: 6, third: 6})
    assert ended == {first: True, second: False, third: False} and not any(cut.values())
    assert env.agents == [second, third]
    for step in range(3):
        seen, rewards, ended, cut, _ = env.step({second: 6, third: 3})
        assert sorted(seen) == sorted(rewards) == [second, third]
    assert ended == {second: True, third: True} and env.agents == []
    assert rewards == {second: -1.0, third: 1.0}


@pytest.mark.parametrize("wrong", [7, 49, -1])
def test_a_wrong_deed_is_nobody_elses(wrong):
    """49 was the second agent's deed, 7 the first one's waiting and the second one's step to the left."""
    env = ts.zoo.parallel("grid", setup=RIVALS, reward="outcome")
    env.reset(seed=1)
    before = env.lanes.digest()
    with pytest.raises(ts.TurnstoneError) as told:
        env.step({agent: wrong if agent == env.agents[0] else 6 for agent in env.agents})
    assert told.value.code == "UNKNOWN_ACTION" and env.lanes.digest() == before
    with pytest.raises(TypeError):
        env.step({agent: 1.5 for agent in env.agents})
    with pytest.raises(ts.TurnstoneError) as told:
        env.step({env.agents[0]: 6})
    assert told.value.code == "WRONG_LENGTH" and env.lanes.digest() == before


def test_what_stands_for_nothing_is_told_to_agents_too():
    env = ts.zoo.aec("chess", illegal_reward=-2.0)
    env.reset(seed=1)
    assert env.infos["white_0"]["illegal"] is False
    env.step(0)  # From a1 to a1.
    assert env.agent_selection == "white_0" and env.infos["white_0"]["illegal"] is True
    assert env.rewards == {"white_0": -2.0, "black_1": 0.0} and env.last()[1] == -2.0
    env.step(12 * 64 + 28)
    assert env.infos["white_0"]["illegal"] is False and env.infos["black_1"]["illegal"] is False
    assert env.rewards == {"white_0": 0.0, "black_1": 0.0}
    together = ts.zoo.parallel("grid")
    assert together.reset(seed=1)[1] == {agent: {"illegal": False} for agent in together.agents}
    assert together.step({agent: 6 for agent in together.agents})[4] == {agent: {"illegal": False} for agent in together.agents}


def test_what_agents_cannot_be_given_is_refused():
    def mine(*seen):
        return 0.0

    wrong = {
        "reward": [lambda: ts.zoo.aec("chess", reward=mine), lambda: ts.zoo.parallel("grid", reward=mine)],
        "mask_in": [lambda: ts.zoo.aec("chess", mask_in="pocket")],
        "zoo.aec": [lambda: ts.zoo.parallel("chess")],
    }
    for named, calls in wrong.items():
        for call in calls:
            with pytest.raises(ts.TurnstoneError, match=named) as told:
                call()
            assert told.value.code == "BAD_OPTION"
    with pytest.raises(ts.TurnstoneError) as told:
        ts.zoo.parallel("ludo")
    assert told.value.code == "UNKNOWN_GAME"


def test_rollouts_count_rewards_of_ones_own():
    def steps(obs, reward, terminated, truncated, info):
        return reward * 0 + 2

    wanted = dict(setup="four_rooms", time_limit=5)
    assert [episode.total for episode in ts.ray.play("grid", [1, 2], reward=steps, **wanted)] == [10.0, 10.0]
    assert [episode.total for episode in ts.ray.play("grid", [1, 2], **wanted)] == [-5.0, -5.0]


def test_episodes_are_played_side_by_side():
    from turnstone_games.ray import play, random_policy, report, self_play, tournament

    played = play("spire", range(6), setup="fight:cultist")
    assert len(played) == 6 and {episode.ending for episode in played} <= {"won", "lost"}
    for episode in played:
        assert ts.verify(episode.match_file)["inputs"] > 0
    again = play("spire", [3], policy=first_allowed, setup="fight:cultist")
    beside = play("spire", [9, 3, 4], policy=first_allowed, setup="fight:cultist")
    assert again[0] == beside[1], "an episode depends on its seed, not on its neighbours"
    again = play("spire", [3], setup="fight:cultist")
    assert again[0] == played[3], "nor does chance"
    told = report(played)
    assert told["episodes"] == 6 and sum(told["endings"].values()) == 6
    matches = list(tournament(["random", "easy"], "skirmish", [1]))
    assert sorted(match.bots for match in matches) == [("easy", "random"), ("random", "easy")]
    assert all(ts.verify(match.match_file)["inputs"] == match.inputs for match in matches)
    assert sum(report(matches)["scores"].values()) == 1
    both = list(self_play(random_policy, "chess", [1, 2], time_limit=30))
    assert [episode.steps for episode in both] == [30, 30]


def test_a_tournament_is_for_two():
    """Alone the first bot once played and both were credited; of three seats the third was nobody's."""
    for game, wanted in [("spire", {"setup": "fight:cultist"}), ("grid", {"setup": "three-of-us"})]:
        with pytest.raises(ts.TurnstoneError, match="arena") as told:
            ts.ray.tournament(["random", "gentle"], game, [1], **wanted)
        assert told.value.code == "BAD_OPTION", game
    with pytest.raises(ts.TurnstoneError) as told:
        list(ts.ray.tournament(["random", "nobody"], "skirmish", [1]))
    assert told.value.code == "UNKNOWN_BOT"
    # Who win or lose together are equals.
    together = list(ts.ray.tournament(["random", "gentle"], "grid", [1], setup="counterweight"))
    assert [match.winner for match in together] == [None, None]
    assert set(ts.ray.report(together)["scores"].values()) == {0.5}


class Kept:
    """What stands for something that lies elsewhere."""

    def __init__(self, value):
        self.value = value


class Elsewhere:
    """As much of Ray as players that stay need, in this process; a player that dies begins as it began."""

    def __init__(self):
        self.players = []

    def remote(self, **terms):
        return lambda kind: SimpleNamespace(remote=lambda *given, **wanted: self.begin(kind, given, wanted))

    def begin(self, kind, given, wanted):
        def play(*asked):
            return Kept(player.there.play(*map(self.get, asked)))

        player = SimpleNamespace(play=SimpleNamespace(remote=play))
        player.begin_again = lambda: setattr(player, "there", kind(*map(self.get, given), **wanted))
        player.begin_again()
        self.players.append(player)
        return player

    def put(self, value):
        return Kept(value)

    def get(self, given):
        return given.value if isinstance(given, Kept) else given

    def wait(self, waiting, num_returns):
        return waiting[:num_returns], waiting[num_returns:]


def waiting(observation, info, lots):
    return np.full(len(info["seat"]), 6)


def going(observation, info, lots):
    return np.zeros(len(info["seat"]), int)


@pytest.mark.parametrize("elsewhere", [None, Elsewhere()], ids=["here", "elsewhere"])
def test_every_player_plays_by_the_policy_that_was_given_last(elsewhere, monkeypatch):
    """One that had no work in the call that brought a policy once played on by an older one, and one that was made anew
    by the first."""
    monkeypatch.setattr(ts.ray, "_ray", lambda workers: elsewhere)
    wanted = dict(setup="four_rooms", time_limit=5)
    alone = {policy: ts.ray.play("grid", range(8), policy=policy, **wanted) for policy in (waiting, going)}
    assert alone[waiting] != alone[going]
    actors = ts.ray.Actors(waiting, "grid", workers=2, chunk=4, **wanted)

    def play(seeds, *policy):
        return sorted(actors.play(seeds, *policy), key=lambda episode: episode.seed)

    assert play(range(8)) == alone[waiting]
    assert play(range(4), going) == alone[going][:4], "work for one of them"
    assert play(range(8)) == alone[going]
    for player in elsewhere.players if elsewhere else []:
        player.begin_again()
    assert play(range(8)) == alone[going], "as they were told before they died"
    assert play([], waiting) == [] and play(range(8)) == alone[waiting], "told to nobody yet"


TOURNAMENT = '''
game = "skirmish"
seeds = { count = 6 }
[bot.random]
name = "random"
[bot.easy]
name = "easy"
[bot.program]
kind = "protocol"
command = "exit 1"
'''


def arena_of_the_program(folder, text):
    """What ``turnstone arena`` writes."""
    folder.mkdir()
    (folder / "cup.toml").write_text(text)
    words = ["arena", str(folder / "cup.toml"), "--report", str(folder / "report"), "--json"]
    done = subprocess.run([sys.executable, "-m", "turnstone_games", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), written(folder)


def written(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def arena_of_tasks(folder, text, **wanted):
    """What :func:`turnstone_games.ray.arena` writes."""
    folder.mkdir()
    (folder / "cup.toml").write_text(text)
    return ts.ray.arena(folder / "cup.toml", report=folder / "report", **wanted), written(folder)


def test_a_tournament_file_gives_the_bytes_that_the_program_gives(tmp_path, monkeypatch):
    monkeypatch.setattr(ts.ray, "_ray", lambda workers: None)
    theirs = arena_of_the_program(tmp_path / "program", TOURNAMENT)
    assert len(theirs[1]) == 7 and theirs[0]["games"] == 36
    told = []
    ours = arena_of_tasks(tmp_path / "here", TOURNAMENT, workers=3, chunk=2, progress=lambda *so_far: told.append(so_far))
    assert ours == theirs and told[-1] == (18, 18)
    # Cut off in the middle of a line, it is taken up again; and nothing is left to play then.
    results = tmp_path / "here" / "cup.jsonl"
    results.write_bytes(theirs[1]["cup.jsonl"][:1_000])
    for _ in range(2):
        ts.ray.arena(tmp_path / "here" / "cup.toml")
        assert results.read_bytes() == theirs[1]["cup.jsonl"]
    # A test that ends before all is played ends at the same unit.
    early = TOURNAMENT.replace("count = 6", "count = 60") + '[sprt]\na = "easy"\nb = "program"\nelo1 = 300\nstep = 2\n'
    theirs = arena_of_the_program(tmp_path / "early", early)
    assert arena_of_tasks(tmp_path / "early-here", early, workers=2) == theirs and theirs[0]["games"] < 60


def test_a_tournament_file_that_is_wrong_is_told(tmp_path):
    for text, code in [("game = 5", "BAD_PLAN"), (TOURNAMENT.replace("skirmish", "ludo"), "UNKNOWN_GAME")]:
        (tmp_path / "cup.toml").write_text(text)
        with pytest.raises(ts.TurnstoneError) as told:
            ts.ray.arena(tmp_path / "cup.toml")
        assert told.value.code == code
    (tmp_path / "cup.toml").write_text(TOURNAMENT)
    with pytest.raises(ts.TurnstoneError) as told:
        ts.ray._units(TOURNAMENT, "{}", "another engine", [0])
    assert told.value.code == "OTHER_TOURNAMENT"


def first_allowed(observation, info, lots):
    return info["action_mask"].argmax(1)
