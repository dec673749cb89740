"""Many worlds at once."""

import multiprocessing
import os
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest

import turnstone_games as ts

GAMES = [
    ("grid", {"setup": "four_rooms"}),
    ("chess", {}),
    ("chess", {"setup": "run"}),
    ("spire", {"setup": "silent"}),
    ("spire", {"setup": "fight:jaw_worm", "actions": "offered"}),
    ("skirmish", {}),
    ("chess", {"actions": "offered"}),
    ("skirmish", {"actions": "offered", "setup": "dungeon", "fog": "on"}),
]
IDS = [f"{game}-{'-'.join(map(str, wanted.values()))}" for game, wanted in GAMES]


def choose(mask, step):
    """An allowed action for every world, from its number and the step alone, as ``Lanes.rehearse`` chooses."""
    counts = mask.sum(1)
    wanted = (np.arange(len(mask)) * 7_919 + step * 104_729) % counts
    lanes, numbers = np.nonzero(mask)
    return numbers[np.concatenate([[0], counts.cumsum()[:-1]]) + wanted]


def parts(obs):
    return list(obs.values()) if isinstance(obs, dict) else [obs]


def run(game, wanted, lanes, threads, steps):
    """What the first world does, and a digest of everything; the digest of the same in Rust alone."""
    env = ts.vector(game, lanes, seed=11, threads=threads, **wanted)
    obs, info = env.reset()
    first = []
    for step in range(steps):
        obs, reward, terminated, truncated, info = env.step(choose(info["action_mask"], step))
        seen = b"".join(part[0].tobytes() for part in parts(obs))
        first.append((seen, float(reward[0]), bool(terminated[0]), bool(truncated[0])))
    return first, env.digest(), env.rehearse(steps)[0]


@pytest.mark.parametrize("lanes,steps", [(1, 120), (7, 120), (1_024, 8)])
@pytest.mark.parametrize("game,wanted", GAMES, ids=IDS)
def test_digests_are_those_of_rust_for_any_number_of_worlds_and_threads(game, wanted, lanes, steps):
    alone = run(game, wanted, 1, 1, steps)[0]
    told = set()
    for threads in (1, 2, 3):
        first, here, rust = run(game, wanted, lanes, threads, steps)
        assert first == alone, threads
        told |= {here, rust}
    assert len(told) == 1


def match_files(game, wanted, lanes):
    env = ts.vector(game, lanes, seed=3, record=True, time_limit=50, **wanted)
    obs, info = env.reset()
    for step in range(70):
        obs, *_, info = env.step(choose(info["action_mask"], step))
    for lane in range(lanes):
        # Every second one is the episode that ended before; one that has just begun has no inputs yet.
        ended = lane % 2 == 1
        assert ts.verify(env.match_file(lane, ended))["inputs"] >= ended
    return env


@pytest.mark.parametrize("game,wanted", GAMES, ids=IDS)
def test_episodes_become_match_files(game, wanted):
    env = match_files(game, wanted, 20)
    table = env.table(1, ended=True)
    assert table.game == game and table.moments > 1 and table.explain()
    with pytest.raises(ts.TurnstoneError) as told:
        ts.vector(game, 1, **wanted).match_file(0)
    assert told.value.code == "NOT_RECORDED"


@pytest.mark.long
@pytest.mark.parametrize("game,wanted", GAMES, ids=IDS)
def test_a_hundred_episodes_become_match_files(game, wanted):
    match_files(game, wanted, 100)


@pytest.mark.parametrize("game,wanted", GAMES, ids=IDS)
def test_worlds_are_saved_copied_and_pickled(game, wanted):
    def steps(env, info, count):
        out = []
        for step in range(count):
            obs, reward, *_, info = env.step(choose(info["action_mask"], step))
            out.append(float(reward.sum()))
        return out, env.digest()

    env = ts.vector(game, 4, seed=2, **wanted)
    _, info = env.reset()
    for step in range(25):
        *_, info = env.step(choose(info["action_mask"], step))
    saved, other = env.save(), pickle.loads(pickle.dumps(env))
    there = steps(env, info, 20)
    _, info = env.restore(saved)
    assert steps(env, info, 20) == there
    _, info = other.observe()
    assert steps(other, info, 20) == there
    env.copy_lanes([0, 0, 0], [1, 2, 3])
    obs, info = env.observe()
    for part in parts(obs):
        assert (part == part[:1]).all()


def resident():
    """Kilobytes of memory that this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1_024


def assail(game, wanted, steps):
    """Sends whatever there is, half of it illegal; every answer must be the documented one."""
    env = ts.vector(game, 64, seed=4, illegal_reward=-2.0, **wanted)
    _, info = env.reset()
    rng, held = np.random.default_rng(1), 0
    for step in range(steps // 64):
        actions = np.where(rng.random(64) < 0.5, env.sample(), rng.integers(-5, env.num_actions + 5, 64))
        actions[0] = [-(2**63), 2**63 - 1, 10**6][step % 3]
        known = (0 <= actions) & (actions < env.num_actions)
        allowed = known & info["action_mask"][np.arange(64), np.where(known, actions, 0)]
        over = info["offered"] == 0
        _, reward, *_, info = env.step(actions)
        assert ((~allowed & ~over) == info["illegal"]).all()
        assert (reward[info["illegal"]] == -2.0).all()
        if step == steps // 192:
            held = resident()
    if Path("/proc/self/statm").exists():
        assert resident() - held < 24_000, "memory stays flat"
    return env


@pytest.mark.parametrize("game,wanted", GAMES, ids=IDS)
def test_whatever_is_sent_nothing_breaks(game, wanted):
    env = assail(game, wanted, 20_000)
    with pytest.raises(ts.TurnstoneError) as told:
        strict = ts.vector(game, 2, illegal="raise", **wanted)
        strict.reset()
        strict.step([10**6, 10**6])
    assert told.value.code == "ILLEGAL_ACTION"
    with pytest.raises(ts.TurnstoneError) as told:
        env.step([0])
    assert told.value.code == "WRONG_LENGTH"
    for wrong in ([0.5] * 64, ["x"] * 64, None):
        with pytest.raises((TypeError, ValueError)):
            env.step(wrong)
    lucky = ts.vector(game, 2, illegal="random", **wanted)
    _, before = lucky.reset()
    lucky.step([10**6, -1])
    assert lucky._native.progress(0)[2] == 1


@pytest.mark.long
@pytest.mark.parametrize("game,wanted", GAMES, ids=IDS)
def test_a_million_steps_break_nothing(game, wanted):
    assail(game, wanted, 1_000_000)


@pytest.mark.long
def test_the_examples_learn():
    from examples.policy_gradient import Grid, Spire, report

    for kind, game in [(Grid, "grid"), (Spire, "spire")]:
        _, gain, error = report(kind, game, seeds=5, rounds=0)
        assert gain > 3 * error, "better than at random by three standard errors"


def test_arrays_are_handed_out_without_copies_and_stay_valid_for_one_step():
    env = ts.vector("grid", 8, setup="four_rooms", seed=1, parts="cells")
    first, _ = env.reset()
    kept = first.copy()
    second, *_ = env.step(env.sample())
    assert (first == kept).all() and first.base is not None
    third, *_ = env.step(env.sample())
    assert third.ctypes.data == first.ctypes.data
    with pytest.raises(ValueError):
        first[0] = 1
    careful = ts.vector("grid", 8, setup="four_rooms", seed=1, copy=True, parts=["cells"])
    first, _ = careful.reset()
    first[:] = 0


@pytest.mark.parametrize("game,wanted", GAMES, ids=IDS)
def test_parts_are_views_and_the_past_stands_behind_the_present(game, wanted):
    env = ts.vector(game, 3, seed=1, history=4, **wanted)
    obs, info = env.reset()
    plain = ts.vector(game, 3, seed=1, **wanted)
    seen = [plain.reset()[0]]
    for step in range(3):
        actions = choose(info["action_mask"], step)
        assert not any(part.flags.writeable or part.flags.owndata for part in parts(obs))
        obs, *_, terminated, truncated, info = env.step(actions)
        assert not (terminated | truncated).any()
        before = plain.step(actions)[0]
        seen.append({name: part.copy() for name, part in before.items()} if isinstance(before, dict) else before.copy())
    names = [part["name"] for part in env.parts if part["name"] != "offers"]
    for name in names:
        of = lambda observation: observation[name] if isinstance(observation, dict) else observation
        for age in range(3):
            assert (of(obs)[:, age] == of(seen[-1 - age])).all(), (name, age)
    begun, _ = env.reset()
    assert not any(begun[name][:, 1:].any() if isinstance(begun, dict) else begun[:, 1:].any() for name in names)


def test_worlds_begin_again_as_they_were_asked_to():
    for autoreset in ("next_step", "same_step", "disabled"):
        env = ts.vector("grid", 4, setup="four_rooms", seed=1, autoreset=autoreset, time_limit=5)
        env.reset()
        for _ in range(5):
            obs, reward, terminated, truncated, info = env.step([6] * 4)
        assert truncated.all() and not terminated.any()
        episode = env.finished(0)
        assert (episode["ending"], episode["steps"], episode["total"]) == ("out_of_time", 5, -5.0)
        if autoreset == "same_step":
            assert info["_final_obs"].all() and info["final_obs"]["cells"].any()
        obs, reward, terminated, truncated, info = env.step([6] * 4)
        assert truncated.all() == (autoreset == "disabled")
        assert reward.tolist() == [-1.0 if autoreset == "same_step" else 0.0] * 4
    env.reset(options={"reset_mask": np.array([True, False, False, False])})
    assert env._native.progress(0)[0] == 1 and env._native.progress(1)[0] == 0


@pytest.mark.parametrize("game,wanted", GAMES, ids=IDS)
def test_worlds_are_shown_as_they_are(game, wanted):
    """As their matches would be shown, but without playing these once more, for any number of steps."""
    env = ts.vector(game, 2, seed=5, record=True, render_mode="ansi", **wanted)
    bare = ts.vector(game, 2, seed=5, render_mode="ansi", **wanted)
    _, info = env.reset()
    bare.reset()
    for step in range(12):
        actions = choose(info["action_mask"], step)
        *_, info = env.step(actions)
        bare.step(actions)
        for seat in (None, 0, -1):
            table = env.table(1).scene(seat)
            shown = env.scene(1, seat)
            for scene in (table, shown):
                for cell in (scene["board"] or {"cells": []})["cells"]:
                    cell["recent"] = False  # A table marks what was done last.
            assert shown == table, (step, seat)
    assert bare.render() == env.render() and len(bare.render()) == 2
    for lane, seat, code in [(2, None, "UNKNOWN_LANE"), (0, 9, "UNKNOWN_SEAT"), ("x", None, "BAD_OPTION")]:
        with pytest.raises(ts.TurnstoneError) as told:
            env.scene(lane, seat)
        assert told.value.code == code


def test_rewards_of_ones_own():
    def bonus(obs, reward, terminated, truncated, info):
        return reward * 0 + info["seat"] + 2

    env = ts.vector("grid", 3, setup="four_rooms", reward=bonus)
    env.reset()
    assert env.step([6, 6, 6])[1].tolist() == [2.0] * 3
    assert ts.vector("spire", 1, reward="progress").num_actions > 0
    with pytest.raises(ts.TurnstoneError) as told:
        ts.vector("spire", 1, reward="fame")
    assert told.value.code == "UNKNOWN_REWARD"


def test_actions_are_told_in_words():
    env = ts.vector("spire", 1, setup="fight:jaw_worm", seed=1, actions="offered")
    obs, info = env.reset()
    told = [env.describe(0, number) for number in range(int(info["offered"][0]))]
    assert all(told) and env.describe(0, 200) == "number 200 of what is offered, counted from 0 (not allowed now)"
    assert obs["offers"][0, : len(told)].any(1).all() and not obs["offers"][0, len(told) :].any()


@pytest.mark.parametrize("game,wanted", GAMES, ids=IDS)
def test_what_is_refused_leaves_masks_and_observation_as_they_were(game, wanted):
    env = ts.vector(game, 2, seed=1, illegal="raise", **wanted)
    env.reset()
    obs, *_, info = env.step(env.sample())
    kept, mask = [part.copy() for part in parts(obs)], env.masks().copy()
    other = env._sets[1 - env._turn].number
    for wrong in ([10**6, 0], [0], [0.5, 0.5], None):
        with pytest.raises((ts.TurnstoneError, TypeError, ValueError)):
            env.step(wrong)
        assert env.masks() is info["action_mask"] and (env.masks() == mask).all(), wrong
    env.step(env.sample())
    assert env._turn == other, "the retry goes where the refused step was to go"
    assert all((part == before).all() for part, before in zip(parts(obs), kept)), "what was seen last stays valid"


def test_a_single_world_that_refuses_shows_what_it_showed():
    env = ts.vector("chess", 1, illegal="raise")
    env.reset()
    env._step_one(12 * 64 + 28)
    seen, mask = env._sets[env._turn].observation.copy(), env.masks().copy()
    for wrong in (10**6, 2**70, 0.5, "x"):
        with pytest.raises((ts.TurnstoneError, TypeError)):
            env._step_one(wrong)
        assert (env.masks() == mask).all() and (env._sets[env._turn].observation == seen).all(), wrong


def test_what_was_stepped_though_something_went_wrong_is_shown():
    """A world that cannot begin again is told when all others were stepped and written."""

    class Failing:
        def __init__(self, native):
            self.native = native

        def step(self, actions, number):
            self.native.step(actions, number)
            raise ts.TurnstoneError("BAD_SETUP", "[BAD_SETUP] a world cannot begin again")

        def step_one(self, action, number):
            self.step(np.array([action]), number)

    for act in (lambda env: env.step([12 * 64 + 28]), lambda env: env._step_one(12 * 64 + 28)):
        env = ts.vector("chess", 1, seat=None)
        env.reset()
        before, env._native = env.masks().copy(), Failing(env._native)
        with pytest.raises(ts.TurnstoneError):
            act(env)
        assert (env.masks() != before).any(), "Black is to move"


def test_two_threads_never_wait_for_each_other_for_ever():
    """One held the arrays without Python while the other held Python and waited for the arrays."""
    env = ts.vector("spire", 256, setup="ironclad", seed=1)
    env.reset()
    told = []

    def step(set):
        actions = np.zeros(256, np.int64)
        for _ in range(60):
            try:
                env._native.step(actions, set)
            except ts.TurnstoneError as error:
                told.append(error.code)

    threads = [threading.Thread(target=step, args=(number % 2,), daemon=True) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive(), "it waits for ever"
    assert set(told) <= {"IN_USE"}
    env.step([0] * 256)


def _child(queue):
    env = ts.vector("grid", 64, setup="four_rooms", threads=2)
    env.reset()
    queue.put(float(env.step([6] * 64)[1].sum()))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_steps():
    env = ts.vector("grid", 64, setup="four_rooms", threads=2)
    env.reset()
    env.step([6] * 64)
    child = os.fork()
    if child == 0:
        ok = env.step([6] * 64)[1].sum() == -64.0
        os._exit(0 if ok else 1)
    import time

    for _ in range(200):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.1)
    else:
        os.kill(child, 9)
        pytest.fail("the child hangs")
    assert os.waitstatus_to_exitcode(status) == 0
    for method in ("fork", "spawn"):
        context = multiprocessing.get_context(method)
        queue = context.Queue()
        process = context.Process(target=_child, args=(queue,))
        process.start()
        assert queue.get(timeout=60) == -64.0
        process.join(20)


@pytest.mark.parametrize(
    "wanted,code",
    [
        (dict(seat="black"), "BAD_OPTION"),
        (dict(seat=1.0), "BAD_OPTION"),
        (dict(seat=True), "BAD_OPTION"),
        (dict(seat=-1), "BAD_OPTION"),
        (dict(seat=7), "UNKNOWN_SEAT"),
        (dict(seed=-1), "BAD_OPTION"),
        (dict(seed=2**64), "BAD_OPTION"),
        (dict(history=0), "BAD_OPTION"),
        (dict(time_limit=-1), "BAD_OPTION"),
        (dict(threads=0), "BAD_OPTION"),
        (dict(illegal_reward=float("nan")), "BAD_OPTION"),
        (dict(illegal_reward="2"), "BAD_OPTION"),
        (dict(reward=5), "BAD_OPTION"),
        (dict(reward=None), "BAD_OPTION"),
        (dict(observe=5), "BAD_OPTION"),
        (dict(observe=object()), "BAD_OPTION"),
        (dict(opponents=1), "BAD_OPTION"),
        (dict(actions=0), "BAD_OPTION"),
        (dict(autoreset=True), "BAD_OPTION"),
        (dict(illegal=None), "BAD_OPTION"),
        (dict(content=5), "BAD_OPTION"),
        (dict(files=[("level.txt", 5)]), "BAD_OPTION"),
        (dict(opponents="ismcts:0"), "BAD_BOT"),
        (dict(render_mode="zz"), "BAD_OPTION"),
        (dict(num_envs=10**9), "TOO_MANY"),
        (dict(actions="offered", offers=10**9), "TOO_MANY"),
    ],
)
def test_what_cannot_be_meant_is_refused(wanted, code):
    with pytest.raises(ts.TurnstoneError) as told:
        ts.vector("chess", wanted.pop("num_envs", 2), **wanted)
    assert told.value.code == code and told.value.message.startswith(f"[{code}]")


def test_every_world_wants_its_own():
    env = ts.vector("chess", 4)
    env.reset()
    for wrong in [
        lambda: env.reset(seed=[1, 2]),
        lambda: env.reset(options={"reset_mask": [True]}),
        lambda: env.step(np.zeros((2, 2), int)),
        lambda: env.step([0]),
        lambda: odd.step([0, 0]),
    ]:
        odd = ts.vector("grid", 2, reward=lambda *seen: 0.0)
        odd.reset()
        with pytest.raises(ts.TurnstoneError) as told:
            wrong()
        assert told.value.code == "WRONG_LENGTH"
    with pytest.raises(ts.TurnstoneError) as told:
        ts.vector("spire", 1, setup=5)
    assert told.value.code == "BAD_OPTION"


def test_episodes_before_the_last_can_be_kept():
    env = ts.vector("grid", 2, setup="maze", time_limit=4, autoreset="same_step", record=3)
    env.reset()
    for _ in range(18):
        env.step([6, 6])  # Waiting: nobody comes to an end before his time.
    assert [ts.verify(env.match_file(0, episode=number))["inputs"] for number in (1, 2, 3, 4)] == [4, 4, 4, 2]
    with pytest.raises(ts.TurnstoneError) as told:
        env.match_file(0, episode=0)
    assert told.value.code == "NOT_KEPT"


def codes(part):
    """Every coded column of a part: its place along the axis, or None if all numbers are codes, and the names."""
    for column, names in part["codes"].items():
        yield (part["columns"].index(column) if column in part["columns"] else None), names


@pytest.mark.parametrize("game,wanted", GAMES, ids=IDS)
def test_every_number_is_explained(game, wanted):
    env = ts.vector(game, 4, seed=6, **wanted)
    obs, _ = env.reset()
    for step in range(60):
        for part in env.parts:
            seen = obs[part["name"]] if isinstance(obs, dict) else obs
            assert seen.dtype == part["dtype"] and list(seen.shape[1:]) == part["shape"] and part["about"]
            assert not part["columns"] or len(part["columns"]) == part["shape"][part["axis"]]
            for place, names in codes(part):
                held = seen if place is None else np.take(seen, place, part["axis"] + 1)
                assert 0 <= held.min() and held.max() < len(names), part["name"]
        obs, *_ = env.step(env.sample())
    meanings = {env.meaning(action) for action in range(env.num_actions)}
    assert len(meanings) == env.num_actions
    sure = int(np.flatnonzero(env.masks()[0])[0])
    assert not env.describe(0, sure).endswith("(not allowed now)")


def test_words_for_actions_and_codes():
    env = ts.vector("chess", 1)
    env.reset()
    assert env.describe(0, 12 * 64 + 28) == "e4"
    assert env.describe(0, 17) == "move from a1 to b3 (not allowed now)" and env.meaning(17) == "move from a1 to b3"
    fight = ts.vector("spire", 1, setup="situation:hand: bash+; enemy: jaw_worm 40/44")
    obs, _ = fight.reset()
    assert fight.vocabulary("hand")["card"][obs["hand"][0, 0, 0]] == "bash"
    assert fight.vocabulary("enemies")["enemy"][obs["enemies"][0, 0, 0]] == "jaw_worm"
    assert ts.vocabulary("spire", "screen")["screen"][obs["screen"][0, 0]] == "fight"
    assert [part["name"] for part in ts.parts("grid")] == ["cells", "status"]
    with pytest.raises(ts.TurnstoneError) as told:
        env.vocabulary("hand")
    assert told.value.code == "UNKNOWN_PART"


def test_a_packs_cards_have_names(tmp_path):
    card = '[card.zap_zap]\ntype = "attack"\ncost = 1\ndo = [{ attack = [4, 6], times = 2 }]\n'
    (tmp_path / "mine.toml").write_text(card)
    wanted = dict(setup="situation:hand: zap_zap; enemy: jaw_worm 40/44", content=tmp_path)
    env = ts.vector("spire", 1, **wanted)
    obs, _ = env.reset()
    assert env.vocabulary("hand")["card"][obs["hand"][0, 0, 0]] == "zap_zap"
    assert "zap_zap" in ts.vocabulary("spire", "hand", **wanted)["card"]
    assert "zap_zap" not in ts.vocabulary("spire", "hand")["card"]


def level(folder, two=False):
    """A content directory with a level, for two if that is said, a level beside it, and what removes both."""
    mine, alone = folder / "mine", folder / "alone.txt"
    mine.mkdir(exist_ok=True)
    first, rest = ("company: rivals\n\n@a", "\na = agent\n") if two else ("\n@", "")
    (mine / "hall.txt").write_text(f"name: Hall\nobjective: exit\n{first}..E\n{rest}")
    alone.write_text(f"name: Alone\nobjective: exit\n{first}...E\n{rest}")
    return mine, alone, lambda: [path.unlink(missing_ok=True) for path in (mine / "hall.txt", alone)]


def test_worlds_travel_with_their_content(tmp_path):
    mine, alone, remove = level(tmp_path)
    made = [ts.vector("grid", 2, setup=setup, content=mine, record=True) for setup in ("hall", str(alone), alone)]
    for env in made:
        env.reset()
        env.step([3, 6])
    packets = [pickle.dumps(env) for env in made]
    remove()
    for env, packet in zip(made, packets):
        there = pickle.loads(pickle.dumps(pickle.loads(packet)))
        assert there.digest() == env.digest() and there.rehearse(3)[0] == env.rehearse(3)[0]
        assert there.table(0).moments == env.table(0).moments == 2


@pytest.mark.parametrize("kind", ["rollouts", "actors", "tournament"])
def test_what_is_sent_to_other_machines_holds_its_content(tmp_path, kind, monkeypatch):
    """Before the first episode is played the files go away, as on a machine that never had them."""
    from turnstone_games import ray

    monkeypatch.setattr(ray, "_ray", lambda workers: None)
    for work in ("_play", "_match"):
        there = getattr(ray, work)
        monkeypatch.setattr(ray, work, lambda *call, there=there: (remove(), there(*call))[1])
    for name in ("hall", "alone.txt"):
        mine, alone, remove = level(tmp_path, two=kind == "tournament")
        wanted = dict(setup=name if name == "hall" else str(alone), content=mine)
        if kind == "rollouts":
            played = ray.rollouts(ray.random_policy, "grid", [1], time_limit=5, **wanted)
        elif kind == "actors":
            actors = ray.Actors(ray.random_policy, "grid", time_limit=5, **wanted)
            remove()
            played = actors.play([1])
        else:
            played = ray.tournament(["random", "solver"], "grid", [1], **wanted)
        assert all(one.match_file for one in played) and not alone.exists()


@pytest.mark.parametrize("game,wanted", GAMES, ids=IDS)
def test_parts_that_are_wanted_are_as_among_all(game, wanted):
    whole = ts.vector(game, 3, seed=8, **wanted)
    names = [part["name"] for part in whole.parts]
    some = names[:: max(1, len(names) // 2)]
    few = ts.vector(game, 3, seed=8, parts=some, **wanted)
    here, there = whole.reset()[0], few.reset()[0]
    for _ in range(40):
        for name in some:
            one = here[name] if isinstance(here, dict) else here
            other = there[name] if isinstance(there, dict) else there
            assert (one == other).all(), name
        actions = whole.sample()
        here, there = whole.step(actions)[0], few.step(actions)[0]
    with pytest.raises(ts.TurnstoneError) as told:
        ts.vector(game, 1, parts=["nonsense"], **wanted)
    assert told.value.code == "UNKNOWN_PART"


WRONG = [-1, 10**6, 2**63, 2**64, 2**70, -(2**63), 1.5, "x", None, True, [0], b"0", float("nan")]


def test_wrong_arguments_are_refused_and_nothing_else(tmp_path):
    """Whatever is given to whichever method: an exception that the documents name, never another, never a panic."""
    env = ts.vector("grid", 2, setup="23-the-race", record=True, seat=None)
    env.reset()
    table = ts.open("chess")
    calls = {
        "finished": lambda x: env.finished(x),
        "standing lane": lambda x: env.standing(x, 0),
        "standing seat": lambda x: env.standing(0, x),
        "describe lane": lambda x: env.describe(x, 0),
        "describe action": lambda x: env.describe(0, x),
        "meaning": lambda x: env.meaning(x),
        "begin_again": lambda x: env.begin_again(x),
        "match_file": lambda x: env.match_file(x),
        "table": lambda x: env.table(x),
        "copy from": lambda x: env.copy_lanes([x], [0]),
        "copy to": lambda x: env.copy_lanes([0], [x]),
        "part": lambda x: env.part(x),
        "vocabulary": lambda x: env.vocabulary(x),
        "restore": lambda x: env.restore(x),
        "choose": lambda x: table.choose(x),
        "choose seat": lambda x: table.choose(0, x) if x is not None else table.choose(99),
        "seat_bot": lambda x: table.seat_bot(x, "random"),
        "jump": lambda x: table.jump(x),
        "parts": lambda x: ts.vector("grid", 1, parts=[x]),
        "num_envs": lambda x: ts.vector("grid", x if x != 10**6 else 0),
        "observe": lambda x: ts.vector("grid", 1, observe=str(x) + "?"),
    }
    for name, call in calls.items():
        for wrong in WRONG:
            if name.startswith("copy") and wrong is True:
                continue  # numpy counts it as 1.
            with pytest.raises((ts.TurnstoneError, TypeError)) as told:
                call(wrong)
                pytest.fail(f"{name} takes {wrong!r}")
            assert not isinstance(told.value, OverflowError)
    for seat in (2, 9, 300, -2, "white", 1.0):
        for look in (table.view, table.scene, table.log, table.inputs, table.question, table.branches):
            with pytest.raises(ts.TurnstoneError) as told:
                look(seat)
            assert told.value.code in ("UNKNOWN_SEAT", "BAD_OPTION")
    assert table.view(-1) and table.moments == 1
