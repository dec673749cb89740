"""Stable-Baselines3: what its wrappers ask for, without it; with it, ``python/test --sb3``."""

import importlib
import sys
import types

import numpy as np
import pytest

import turnstone_games as ts

pytest.importorskip("gymnasium")


@pytest.fixture
def vec_env(monkeypatch):
    """Our class, over the real base class or, where torch is missing, over one of the same shape."""
    try:
        import stable_baselines3  # noqa: F401
    except ImportError:
        base = types.ModuleType("stable_baselines3.common.vec_env")

        class VecEnv:
            def __init__(self, num_envs, observation_space, action_space):
                self.num_envs, self.observation_space, self.action_space = num_envs, observation_space, action_space
                self._reset_seeds()

            def seed(self, seed=None):
                self._seeds = [seed + number for number in range(self.num_envs)]

            def _reset_seeds(self):
                self._seeds = [None] * self.num_envs

            def _get_indices(self, indices):
                return range(self.num_envs) if indices is None else [indices] if isinstance(indices, int) else indices

            def step(self, actions):
                self.step_async(actions)
                return self.step_wait()

        base.VecEnv = VecEnv
        for name in ("stable_baselines3", "stable_baselines3.common"):
            monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
        monkeypatch.setitem(sys.modules, base.__name__, base)
        monkeypatch.delitem(sys.modules, "turnstone_games.sb3", raising=False)
    return importlib.import_module("turnstone_games.sb3").VecEnv


def test_masks_and_ends_are_as_sb3_wants_them(vec_env):
    env = vec_env("spire", 8, setup="fight:cultist", time_limit=40, seed=1)
    env.seed(3)
    obs = env.reset()
    assert env.has_attr("action_masks") and env.has_attr("render_mode")
    ended = 0
    for step in range(120):
        masks = np.stack(env.env_method("action_masks"))
        assert masks.shape == (8, env.action_space.n) and masks.any(1).all()
        assert (masks[2] == env.get_attr("action_masks", [2])[0]()).all()
        before = {name: part.copy() for name, part in obs.items()}
        obs, rewards, dones, infos = env.step(masks.argmax(1))
        for lane in np.flatnonzero(dones):
            ended += 1
            last = infos[lane]["terminal_observation"]
            assert {name: part.shape for name, part in last.items()} == {name: part.shape[1:] for name, part in obs.items()} and infos[lane]["episode"]["l"] > 0
            assert any((last[name] != before[name][lane]).any() for name in last)
            assert infos[lane]["TimeLimit.truncated"] in (True, False)
    assert ended > 3
    assert env.env_is_wrapped(object) == [False] * 8
    env.close()


def test_attributes_that_there_are_not_are_refused_and_none_is_set(vec_env):
    env = vec_env("grid", 2, setup="four_rooms")
    assert env.get_attr("game") == ["grid", "grid"]
    for ask, code in [
        (lambda: env.get_attr("gaem"), "UNKNOWN_ATTRIBUTE"),
        (lambda: env.set_attr("gaem", 1), "UNKNOWN_ATTRIBUTE"),
        (lambda: env.set_attr("num_envs", 7), "FIXED_ATTRIBUTE"),
        (lambda: env.env_method("gaem"), "UNKNOWN_METHOD"),
    ]:
        with pytest.raises(ts.TurnstoneError) as told:
            ask()
        assert told.value.code == code and str(told.value).startswith(f"[{code}] "), told.value
        assert isinstance(told.value, AttributeError), "Stable-Baselines3 asks so what there is"
    assert env.lanes.num_envs == 2 and not hasattr(env.lanes, "gaem")
    with pytest.raises(AttributeError, match="there are: action_masks, .*num_actions"):
        env.get_attr("gaem")


@pytest.mark.sb3
@pytest.mark.filterwarnings("ignore")
def test_maskable_ppo_learns():
    pytest.importorskip("sb3_contrib")
    from examples.maskable_ppo import learn

    before, after = learn(8_000)
    assert after > before
