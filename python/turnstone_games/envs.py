"""Single environments for Gymnasium, registered by id: ``gymnasium.make("turnstone/Grid-v0")``."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from ._checks import fixed, refusal
from .vector import Lanes, _first, _only, observation_space

#: The ids, each with the game and what is asked of it unless somebody asks for something else.
IDS: dict[str, dict[str, Any]] = {
    "turnstone/Grid-v0": {"game": "grid", "setup": "four_rooms", "time_limit": 400},
    "turnstone/GridMaze-v0": {"game": "grid", "setup": "maze", "time_limit": 800},
    "turnstone/Chess-v0": {"game": "chess", "time_limit": 1_000},
    "turnstone/ChessRun-v0": {"game": "chess", "setup": "run", "time_limit": 4_000},
    "turnstone/Spire-v0": {"game": "spire", "setup": "ironclad", "time_limit": 20_000},
    "turnstone/SpireFight-v0": {"game": "spire", "setup": "fight:jaw_worm", "time_limit": 2_000},
    "turnstone/Skirmish-v0": {"game": "skirmish", "opponents": "easy", "time_limit": 2_000},
}


class Env(gymnasium.Env):
    """One world. ``info["action_mask"]`` and :meth:`action_masks` tell what is allowed; an action that is not changes
    nothing and is told in ``info["illegal"]``.

    >>> import gymnasium, turnstone_games
    >>> env = gymnasium.make("turnstone/Grid-v0")
    >>> obs, info = env.reset(seed=1)
    >>> obs, reward, terminated, truncated, info = env.step(6)
    >>> reward
    -1.0
    """

    metadata = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 5}

    def __init__(self, game: str, render_mode: str | None = None, autoreset: str = "disabled", **wanted: Any) -> None:
        drawn = "rgb_array" if render_mode == "human" else render_mode
        if autoreset == "same_step":
            text = "one world begins again when it is told to, or with autoreset=\"next_step\"; what same_step tells besides, the last observation, only vectors give"
            raise refusal("BAD_OPTION", text)
        wanted = fixed(wanted, num_envs=1, copy=True)
        self.lanes = Lanes(game, autoreset=autoreset, render_mode=drawn, **wanted)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.lanes.parts, self.lanes.history)
        self.action_space = gymnasium.spaces.Discrete(self.lanes.num_actions)
        self._begun = False
        self._window: Any = None
        self._clock: Any = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode: of this seed, or of one that follows from those before.

        >>> import gymnasium, turnstone_games
        >>> env = gymnasium.make("turnstone/Grid-v0").unwrapped
        >>> obs, info = env.reset(seed=1)
        >>> obs["cells"].shape, sorted(info)
        ((13, 13, 32), ['action_mask', 'illegal', 'offered', 'seat'])
        """
        super().reset(seed=seed)
        if seed is None and self._begun:
            seed = int(self.np_random.integers(2**63))
        self._begun = True
        observation, info = self.lanes.reset(seed=seed)
        if self.render_mode == "human":
            self.render()
        return _first(observation), _only(info)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Takes one action. What is refused changes nothing.

        >>> import gymnasium, turnstone_games
        >>> env = gymnasium.make("turnstone/Grid-v0").unwrapped
        >>> obs, info = env.reset(seed=1)
        >>> obs, reward, terminated, truncated, info = env.step(6)
        >>> reward, terminated, truncated, info["illegal"]
        (-1.0, False, False, False)
        """
        observation, reward, terminated, truncated, info = self.lanes._step_one(action)
        if self.render_mode == "human":
            self.render()
        return observation, reward, terminated, truncated, info

    def action_masks(self) -> np.ndarray:
        """Which actions are allowed now, as sb3-contrib asks for it.

        >>> import gymnasium, turnstone_games
        >>> env = gymnasium.make("turnstone/Grid-v0").unwrapped
        >>> obs, info = env.reset(seed=1)
        >>> env.action_masks().tolist()
        [True, True, True, True, True, True, True]
        """
        return np.array(self.lanes.masks()[0])

    def describe(self, action: int) -> str:
        """What an action stands for now, in words; what it means in general, if it is not allowed.

        >>> import gymnasium, turnstone_games
        >>> env = gymnasium.make("turnstone/Grid-v0").unwrapped
        >>> obs, info = env.reset(seed=1)
        >>> env.describe(3)
        'right'
        """
        return self.lanes.describe(0, action)

    def meaning(self, action: int) -> str:
        """What an action means in general, in words.

        >>> import gymnasium, turnstone_games
        >>> env = gymnasium.make("turnstone/Grid-v0").unwrapped
        >>> obs, info = env.reset(seed=1)
        >>> env.meaning(4)
        'use key'
        """
        return self.lanes.meaning(action)

    def vocabulary(self, part: str) -> dict[str, list[str]]:
        """What codes of a part of the observation mean; see :meth:`Lanes.vocabulary`.

        >>> import gymnasium, turnstone_games
        >>> env = gymnasium.make("turnstone/SpireFight-v0").unwrapped
        >>> "jaw_worm" in env.vocabulary("enemies")["enemy"]
        True
        """
        return self.lanes.vocabulary(part)

    def table(self, ended: bool = False) -> Any:
        """The episode as a table; needs ``record=True``.

        >>> import gymnasium, turnstone_games
        >>> env = gymnasium.make("turnstone/Grid-v0", record=True).unwrapped
        >>> obs, info = env.reset(seed=1)
        >>> step = env.step(6)
        >>> env.table().here
        1
        """
        return self.lanes.table(0, ended)

    def save(self) -> bytes:
        """The world as bytes.

        >>> import gymnasium, turnstone_games
        >>> env = gymnasium.make("turnstone/Grid-v0").unwrapped
        >>> obs, info = env.reset(seed=1)
        >>> saved = env.save()
        >>> step = env.step(0)
        >>> again, info = env.restore(saved)
        >>> bool((again["cells"] == obs["cells"]).all())
        True
        """
        return self.lanes.save()

    def restore(self, saved: bytes) -> tuple[Any, dict[str, Any]]:
        """Brings back what was saved.

        >>> import gymnasium, turnstone_games
        >>> env = gymnasium.make("turnstone/Grid-v0").unwrapped
        >>> obs, info = env.reset(seed=1)
        >>> again, info = env.restore(env.save())
        >>> bool((again["status"] == obs["status"]).all())
        True
        """
        observation, info = self.lanes.restore(saved)
        return _first(observation), _only(info)

    def render(self) -> Any:
        """The world as ``render_mode`` says: a text, a picture, or nothing but a window.

        >>> import gymnasium, turnstone_games
        >>> env = gymnasium.make("turnstone/Chess-v0", render_mode="rgb_array").unwrapped
        >>> obs, info = env.reset(seed=1)
        >>> env.render().shape
        (480, 640, 3)
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode; give one to gymnasium.make")
            return None
        drawn = self.lanes.picture(0, self.lanes._make["seat"])
        return self._show(drawn) if self.render_mode == "human" else drawn

    def _show(self, image: np.ndarray) -> None:
        import pygame

        if self._window is None:
            pygame.display.init()
            self._window = pygame.display.set_mode(image.shape[1::-1])
            pygame.display.set_caption("Turnstone")
            self._clock = pygame.time.Clock()
        pygame.event.pump()
        self._window.blit(pygame.surfarray.make_surface(image.swapaxes(0, 1)), (0, 0))
        pygame.display.flip()
        self._clock.tick(self.metadata["render_fps"])

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._window is not None:
            import pygame

            pygame.display.quit()
            self._window = self._clock = None

    def __getstate__(self) -> dict[str, Any]:
        # A window stays where it is; one of its own opens when the copy is shown.
        return {**self.__dict__, "_window": None, "_clock": None}


def _lanes(num_envs: int = 1, game: str = "", **wanted: Any) -> Lanes:
    return Lanes(game, num_envs, **wanted)


def register() -> None:
    """Tells Gymnasium of the ids."""
    for name, wanted in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="turnstone_games.envs:Env",
                vector_entry_point="turnstone_games.envs:_lanes",
                kwargs=dict(wanted),
            )
