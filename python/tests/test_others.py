"""What other people's checkers say, where they are installed."""

import warnings

import numpy as np
import pytest

import turnstone_games as ts

gymnasium = pytest.importorskip("gymnasium")
pettingzoo = pytest.importorskip("pettingzoo")


@pytest.mark.parametrize("name", sorted(ts.envs.IDS))
def test_gymnasium_finds_nothing_to_complain_about(name):
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(name, disable_env_checker=True)
        check_env(env.unwrapped, skip_render_check=True)
        drawn = gymnasium.make(name, render_mode="rgb_array", disable_env_checker=True)
        drawn.reset(seed=1)
        assert drawn.render().shape == (480, 640, 3)
        many = gymnasium.make_vec(name, 3)
        obs, info = many.reset(seed=1)
        assert many.observation_space.contains(
            {name: np.array(part) for name, part in obs.items()} if isinstance(obs, dict) else np.array(obs)
        )
        many.step(many.unwrapped.sample())


ZOO = [("chess", {}), ("skirmish", {}), ("spire", {"setup": "watcher"}), ("grid", {"setup": "the-race", "order": "rotation"})]


@pytest.mark.parametrize("game,wanted", ZOO, ids=[game for game, _ in ZOO])
def test_pettingzoo_finds_nothing_to_complain_about(game, wanted):
    from pettingzoo.test import api_test, seed_test

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
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(ts.zoo.parallel("grid"), num_cycles=300)
        parallel_seed_test(lambda: ts.zoo.parallel("grid"), num_cycles=50)


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


def first_allowed(observation, info, lots):
    return info["action_mask"].argmax(1)
