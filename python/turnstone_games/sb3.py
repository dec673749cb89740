"""Worlds for Stable-Baselines3, with masks for sb3-contrib's MaskablePPO."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np
from stable_baselines3.common.vec_env import VecEnv as Base

from . import _native
from ._checks import fixed
from .vector import Lanes, observation_space


class AttributeRefused(_native.TurnstoneError, AttributeError):
    """A refusal with a code that is an ``AttributeError``, too: by those Stable-Baselines3 finds out what there is."""


def _refused(code: str, text: str) -> AttributeRefused:
    return AttributeRefused(code, f"[{code}] {text}")


class VecEnv(Base):
    """Worlds that step together as a ``VecEnv``: begins again in the step that ends an episode, with the last
    observation in ``infos[i]["terminal_observation"]`` and whether time ran out in ``TimeLimit.truncated``.

    ``env_method("action_masks")`` gives the rows of one array, so MaskablePPO pays nothing per world::

        MaskablePPO("MultiInputPolicy", ts.sb3.VecEnv("spire", 64, setup="fight:jaw_worm"))

    Planes are no pictures, for which SB3 would take them: parts of three directions and more are laid out in one,
    unless ``images=True``.
    """

    def __init__(self, game: str, num_envs: int = 1, *, images: bool = False, **wanted: Any) -> None:
        self.lanes = Lanes(game, num_envs, **fixed(wanted, autoreset="same_step"))
        self._images = images
        self._totals = np.zeros(num_envs)
        self._lengths = np.zeros(num_envs, np.int64)
        self.render_mode = self.lanes.render_mode
        from gymnasium.spaces import Box, Dict, Discrete

        space = observation_space(self.lanes.parts, self.lanes.history)

        def laid(box: Any) -> Any:
            return box if self._stays(box.shape) else Box(box.low.ravel(), box.high.ravel(), dtype=box.dtype)

        space = Dict({name: laid(box) for name, box in space.items()}) if isinstance(space, Dict) else laid(space)
        super().__init__(num_envs, space, Discrete(self.lanes.num_actions))

    def _stays(self, shape: tuple[int, ...]) -> bool:
        return self._images or len(shape) < 3

    def reset(self) -> Any:
        """Begins all worlds anew, by the seed that :meth:`seed` was given, if it was; gives what is seen of them."""
        seed = self._seeds[0] if self._seeds and self._seeds[0] is not None else None
        observation, _ = self.lanes.reset(seed=seed)
        self._totals[:], self._lengths[:] = 0, 0
        self._reset_seeds()
        return self._kept(observation)

    def _kept(self, observation: Any, lane: int | None = None) -> Any:
        """A copy of what is seen of all worlds, or of one."""
        if isinstance(observation, dict):
            return {name: self._copied(array, lane) for name, array in observation.items()}
        return self._copied(observation, lane)

    def _copied(self, array: np.ndarray, lane: int | None) -> np.ndarray:
        shape = array.shape if self._stays(array.shape[1:]) else (len(array), -1)
        array = array.reshape(shape)
        return array.copy() if lane is None else array[lane].copy()

    def step_async(self, actions: np.ndarray) -> None:
        """Keeps the actions that :meth:`step_wait` is to take."""
        self._actions = actions

    def step_wait(self) -> Any:
        """Steps all worlds: what is seen, rewards, which episodes have ended, and what is told of those."""
        observation, rewards, terminated, truncated, info = self.lanes.step(self._actions)
        self._totals += rewards
        self._lengths += 1
        done = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for lane in np.flatnonzero(done).tolist():
            infos[lane] = {
                "terminal_observation": self._kept(info["final_obs"], lane),
                "TimeLimit.truncated": bool(truncated[lane] and not terminated[lane]),
                "episode": {"r": float(self._totals[lane]), "l": int(self._lengths[lane]), "t": 0.0},
            }
            self._totals[lane], self._lengths[lane] = 0, 0
        return self._kept(observation), rewards.copy(), done, infos

    def close(self) -> None:
        """Nothing needs closing."""

    def _some(self, indices: Any) -> Sequence[int]:
        return list(self._get_indices(indices))

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """``action_masks`` or ``describe`` of all worlds, or of some; ``UNKNOWN_METHOD`` for any other."""
        if method_name == "action_masks":
            return list(self.lanes.masks()[self._some(indices)])
        if method_name == "describe":
            return [self.lanes.describe(lane, *args) for lane in self._some(indices)]
        raise _refused("UNKNOWN_METHOD", f'these worlds have no method "{method_name}"; there are: action_masks, describe')

    def has_attr(self, attr_name: str) -> bool:
        """Whether :meth:`get_attr` gives it."""
        return attr_name in ("action_masks", "render_mode") or hasattr(self.lanes, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of all worlds, or of some, which is the same for each; ``UNKNOWN_ATTRIBUTE`` if there is none."""
        if attr_name == "action_masks":
            return [lambda lane=lane: self.lanes.masks()[lane] for lane in self._some(indices)]
        if not self.has_attr(attr_name):
            raise self._unknown(attr_name)
        return [getattr(self.lanes, attr_name) for _ in self._some(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Always refused: worlds that step together are made once, with everything that they have."""
        if not self.has_attr(attr_name):
            raise self._unknown(attr_name)
        text = f'"{attr_name}" of these worlds is read and not set: what they are like is said where they are made'
        raise _refused("FIXED_ATTRIBUTE", text)

    def _unknown(self, name: str) -> AttributeRefused:
        known = sorted({"action_masks", *(one for one in vars(self.lanes) if not one.startswith("_"))})
        return _refused("UNKNOWN_ATTRIBUTE", f'these worlds have no attribute "{name}"; there are: {", ".join(known)}')

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Never: worlds that step together are wrapped all at once."""
        return [False for _ in self._some(indices)]

    def get_images(self) -> Any:
        """A picture of every world."""
        return [self.lanes.picture(lane, mode="rgb_array") for lane in range(self.num_envs)]
