"""Environments for several agents, as PettingZoo has them."""

from __future__ import annotations

import math
import operator
import re
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv, ParallelEnv

from . import _native
from ._checks import fixed, refusal
from .vector import Lanes, observation_space


def aec(game: str, **wanted: Any) -> "TurnEnv":
    """The seats of a game taking turns.

    >>> import turnstone_games as ts
    >>> env = ts.zoo.aec("chess")
    >>> env.reset(seed=1)
    >>> env.agents, env.agent_selection
    (['white_0', 'black_1'], 'white_0')
    >>> observation, reward, terminated, truncated, info = env.last()
    >>> observation.shape, int(info["action_mask"].sum())
    ((18, 8, 8), 20)
    """
    return TurnEnv(game, **wanted)


def parallel(game: str = "grid", **wanted: Any) -> "TogetherEnv":
    """The agents of a grid level acting at the same time.

    >>> import turnstone_games as ts
    >>> env = ts.zoo.parallel("grid", setup="the-race")
    >>> observations, infos = env.reset(seed=1)
    >>> step = env.step({agent: 6 for agent in env.agents})
    >>> sorted(step[1]) == sorted(env.possible_agents)
    True
    """
    return TogetherEnv(game, **wanted)


def _names(seats: list[str]) -> list[str]:
    """The seats as PettingZoo names agents: ``white_0``."""
    words = ["".join(re.findall("[a-z]+", name.lower())) or "seat" for name in seats]
    return [f"{word}_{number}" for number, word in enumerate(words)]


def _by_name(wanted: dict[str, Any]) -> dict[str, Any]:
    """What was wanted, or ``BAD_OPTION`` if it is a function: rewards are those of every seat, by the game's words."""
    if callable(wanted.get("reward")):
        text = "reward is one of the game's words here, which every seat earns for itself, and no function of arrays"
        raise refusal("BAD_OPTION", text)
    return wanted


class _Eyes:
    """What a seat sees of the only world there is, as one array: a single part as it is, several one behind the other."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes
        self.space = observation_space(lanes.parts, lanes.history)
        if isinstance(self.space, gymnasium.spaces.Dict):
            length = sum(math.prod(box.shape or ()) for box in self.space.values())
            bounds = np.iinfo(np.int16)
            self.space = gymnasium.spaces.Box(bounds.min, bounds.max, (length,), np.int16)

    def __call__(self, seat: int) -> np.ndarray:
        small, large = self.lanes._native.see(0, seat)
        seen = self.lanes._split(small[None], large[None])
        if not isinstance(seen, dict):
            return np.array(seen[0])
        return np.concatenate([part[0].ravel().astype(np.int16) for part in seen.values()])


class TurnEnv(AECEnv):
    """The seats of a game taking turns. An observation is one array; what is allowed stands in
    ``info["action_mask"]``, or, with ``mask_in="observation"``, observations are ``{"observation", "action_mask"}``, as
    some libraries want them. Everybody can be asked at any time what he sees, and sees what he may know.

    What stands for nothing changes nothing, earns ``illegal_reward`` and is told in ``infos[agent]["illegal"]`` of who
    sent it, unless ``illegal="raise"`` or ``"random"`` is asked for."""

    metadata = {"render_modes": ["ansi", "rgb_array"], "name": "turnstone_v0", "is_parallelizable": False, "render_fps": 5}

    def __init__(self, game: str, render_mode: str | None = None, mask_in: str = "info", **wanted: Any) -> None:
        super().__init__()
        if mask_in not in ("info", "observation"):
            raise refusal("BAD_OPTION", f'mask_in is "info" or "observation", not {mask_in!r}')
        wanted = fixed(_by_name(wanted), num_envs=1, seat=None, autoreset="disabled")
        self.lanes = Lanes(game, render_mode=render_mode, **wanted)
        self.render_mode, self.mask_in = render_mode, mask_in
        self.metadata = {**self.metadata, "name": f"turnstone_{game}_v0"}
        self.possible_agents = _names(self.lanes.seats)
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._see = _Eyes(self.lanes)
        space = self._see.space
        if mask_in == "observation":
            mask = gymnasium.spaces.Box(0, 1, (self.lanes.num_actions,), np.int8)
            space = gymnasium.spaces.Dict({"observation": space, "action_mask": mask})
        self.observation_spaces = {agent: space for agent in self.possible_agents}
        actions = self.lanes.num_actions
        self.action_spaces = {agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """What an agent sees is an array of this shape and sort; the same for all of them."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What an agent may do is one of these numbers; the same for all of them."""
        return self.action_spaces[agent]

    def __str__(self) -> str:
        """The name that PettingZoo knows it by."""
        return str(self.metadata["name"])

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a match: of this seed, or of one that follows from those before.

        >>> import turnstone_games as ts
        >>> env = ts.zoo.aec("chess")
        >>> env.reset(seed=1)
        >>> env.agent_selection, env.rewards
        ('white_0', {'white_0': 0.0, 'black_1': 0.0})
        """
        _, info = self.lanes.reset(seed=seed)
        self.agents = list(self.possible_agents)
        self._standing = [self.lanes.standing(0, seat) for seat in range(len(self.agents))]
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self._turn_to(info)

    def _turn_to(self, info: dict[str, Any]) -> None:
        self.agent_selection = self.possible_agents[int(info["seat"][0])]
        self._mask = info["action_mask"][0].astype(np.int8)
        self.infos: dict[str, dict[str, Any]] = {agent: {"illegal": False} for agent in self.agents}
        if self.mask_in == "info":
            self.infos[self.agent_selection]["action_mask"] = self._mask

    def observe(self, agent: str) -> Any:
        """What an agent sees now, whoever is to act.

        >>> import turnstone_games as ts
        >>> env = ts.zoo.aec("chess")
        >>> env.reset(seed=1)
        >>> env.observe("black_1").shape
        (18, 8, 8)
        """
        seen = self._see(self._seats[agent])
        if self.mask_in == "info":
            return seen
        own = agent == self.agent_selection and not (self.terminations.get(agent) or self.truncations.get(agent))
        return {"observation": seen, "action_mask": self._mask if own else np.zeros_like(self._mask)}

    def step(self, action: Any) -> None:
        """Takes one action for whoever is to act. What is refused changes nothing.

        >>> import turnstone_games as ts
        >>> env = ts.zoo.aec("chess")
        >>> env.reset(seed=1)
        >>> env.step(12 * 64 + 28)
        >>> env.agent_selection
        'black_1'
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        _, earned, terminated, truncated, info = self.lanes.step([action])
        self._cumulative_rewards[agent] = 0.0
        for other, seat in self._seats.items():
            standing = self.lanes.standing(0, seat)
            self.rewards[other] = standing - self._standing[seat]
            self._standing[seat] = standing
        illegal = bool(info["illegal"][0])
        if illegal:  # It has changed no standing, unless something was taken by lot, and earns what was said.
            self.rewards[agent] = float(earned[0])
        self._turn_to(info)
        self.infos[agent]["illegal"] = illegal
        if terminated[0] or truncated[0]:
            self.terminations = {other: bool(terminated[0]) for other in self.agents}
            self.truncations = {other: bool(truncated[0]) for other in self.agents}
        self._accumulate_rewards()

    def render(self) -> Any:
        """The match as ``render_mode`` says, as a text or as a picture."""
        return None if self.render_mode is None else self.lanes.picture(0)

    def close(self) -> None:
        """Nothing needs closing."""


class TogetherEnv(ParallelEnv):
    """The agents of a grid level acting at the same time: seven deeds each, all of them always allowed. Who dies or leaves
    while others play on is terminated, and is asked no more."""

    metadata = {"render_modes": ["ansi", "rgb_array"], "name": "turnstone_together_v0", "render_fps": 5}
    DEEDS = 7
    WAIT = 6

    def __init__(self, game: str = "grid", render_mode: str | None = None, **wanted: Any) -> None:
        if game != "grid" and game in _native.games():
            text = f'agents act at the same time in "grid" alone; the seats of "{game}" take turns: turnstone_games.zoo.aec'
            raise refusal("BAD_OPTION", text)
        wanted = {"time_limit": 200, "setup": "three-of-us", **_by_name(wanted)}
        wanted = fixed(wanted, num_envs=1, seat=None, autoreset="disabled", order="together")
        self.lanes = Lanes(game, render_mode=render_mode, **wanted)
        self.render_mode = render_mode
        self.possible_agents = _names(self.lanes.seats)
        self.agents = list(self.possible_agents)
        self._see = _Eyes(self.lanes)
        self.observation_spaces = {agent: self._see.space for agent in self.possible_agents}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(self.DEEDS) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """What an agent sees is an array of this shape and sort; the same for all of them."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What an agent may do is one of these numbers; the same for all of them."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins a match: of this seed, or of one that follows from those before.

        >>> import turnstone_games as ts
        >>> env = ts.zoo.parallel("grid", setup="the-race")
        >>> observations, infos = env.reset(seed=1)
        >>> sorted(observations) == env.agents
        True
        """
        self.lanes.reset(seed=seed)
        self.agents = list(self.possible_agents)
        self._standing = [self.lanes.standing(0, seat) for seat in range(len(self.agents))]
        return self._all(), {agent: {"illegal": False} for agent in self.agents}

    def _all(self) -> dict[str, Any]:
        return {agent: self._see(seat) for seat, agent in enumerate(self.possible_agents)}

    def step(self, actions: dict[str, int]) -> tuple[Any, Any, Any, Any, Any]:
        """Takes an action for each agent. What is refused changes nothing.

        >>> import turnstone_games as ts
        >>> env = ts.zoo.parallel("grid", setup="the-race")
        >>> observations, infos = env.reset(seed=1)
        >>> observations, rewards, ended, cut, infos = env.step({agent: 6 for agent in env.agents})
        >>> set(ended.values()) | set(cut.values())
        {False}
        """
        deeds = [self._deed(agent, actions) if agent in self.agents else self.WAIT for agent in self.possible_agents]
        number = sum(deed * self.DEEDS**place for place, deed in enumerate(deeds))
        _, _, terminated, truncated, info = self.lanes.step([number])
        rewards = {}
        for seat, agent in enumerate(self.possible_agents):
            standing = self.lanes.standing(0, seat)
            rewards[agent], self._standing[seat] = standing - self._standing[seat], standing
        over = bool(terminated[0] or truncated[0])
        acting = [] if over else self._acting(info["action_mask"][0])
        asked, self.agents = self.agents, [agent for agent in self.agents if agent in acting]
        cuts = {agent: bool(truncated[0]) for agent in asked}
        ends = {agent: agent not in acting and not cuts[agent] for agent in asked}
        illegal = bool(info["illegal"][0])
        infos: dict[str, dict[str, Any]] = {agent: {"illegal": illegal} for agent in asked}
        seen = self._all()
        return {agent: seen[agent] for agent in asked}, {agent: rewards[agent] for agent in asked}, ends, cuts, infos

    def _deed(self, agent: str, actions: dict[str, int]) -> int:
        """What an agent does; of several deeds one number is made, in which none may run over into another's."""
        if agent not in actions:
            raise refusal("WRONG_LENGTH", f"{agent} is to act, too, and has no action: {', '.join(self.agents)} are asked")
        deed = operator.index(actions[agent])
        if not 0 <= deed < self.DEEDS:
            raise refusal("UNKNOWN_ACTION", f"there is no action {deed} for {agent}: they are counted from 0 to {self.DEEDS - 1}")
        return deed

    def _acting(self, mask: np.ndarray) -> list[str]:
        """Who may do more than wait: the deeds of all are the digits of a number to the base seven, the first agent's
        last."""
        allowed = np.flatnonzero(mask[: self.DEEDS**4])
        digits = [allowed // self.DEEDS**place % self.DEEDS for place in range(len(self.possible_agents))]
        return [agent for agent, own in zip(self.possible_agents, digits) if (own != self.WAIT).any()]

    def render(self) -> Any:
        """The match as ``render_mode`` says, as a text or as a picture."""
        return None if self.render_mode is None else self.lanes.picture(0)

    def close(self) -> None:
        """Nothing needs closing."""
