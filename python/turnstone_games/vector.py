"""Many worlds that step together."""

from __future__ import annotations

import json
import math
import operator
import random
from inspect import signature
from typing import TYPE_CHECKING, Any, Callable, Iterable

import numpy as np

from . import _native
from ._checks import each, names, numbers, refusal, seat as known_seat, seed as known_seed, whole, word
from ._opening import named, opening, sources

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    _MODES = {
        "next_step": AutoresetMode.NEXT_STEP,
        "same_step": AutoresetMode.SAME_STEP,
        "disabled": AutoresetMode.DISABLED,
    }
    HAS_GYMNASIUM = True
except ImportError:  # numpy is enough.
    HAS_GYMNASIUM = False

if TYPE_CHECKING or HAS_GYMNASIUM:
    _Base = VectorEnv[Any, Any, Any]
else:
    _Base = object

_SORTS: dict[str, type[np.uint8] | type[np.int16]] = {"u8": np.uint8, "i16": np.int16}

#: A line of the processor's memory: what begins at one is fetched with as few of them as can be.
_LINE = 64

#: Refusals of a step before which no world was stepped. Of any other (a world that cannot begin again) all others were.
_UNTOUCHED = ("ILLEGAL_ACTION", "WRONG_LENGTH", "IN_USE", "NO_THREADS")


def _locked(array: np.ndarray) -> np.ndarray:
    view = array.view()
    view.flags.writeable = False
    return view


def _length(part: dict[str, Any]) -> int:
    return int(np.prod(part["shape"], dtype=int))


def _real(name: str, value: Any) -> float:
    """A number that was given, or ``BAD_OPTION``."""
    try:
        number = math.nan if isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise refusal("BAD_OPTION", f"{name} is a number, not {value!r}")
    return number


def _first(observation: Any) -> Any:
    """What is seen of the first world, as a copy."""
    if isinstance(observation, dict):
        return {name: array[0].copy() for name, array in observation.items()}
    return observation[0].copy()


def _only(info: dict[str, Any]) -> dict[str, Any]:
    """What is known besides about the first world."""
    return {
        "action_mask": info["action_mask"][0].astype(np.int8),
        "offered": int(info["offered"][0]),
        "seat": int(info["seat"][0]),
        "illegal": bool(info["illegal"][0]),
    }


class _Set:
    """One set of arrays and the views that are handed out."""

    mask: np.ndarray
    offered: np.ndarray
    seats: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    illegal: np.ndarray

    def __init__(self, arrays: dict[str, np.ndarray], split: Callable[..., Any], number: int) -> None:
        self.number = number
        self.observation = split(arrays["bytes"], arrays["words"])
        self.final = split(arrays["final_bytes"], arrays["final_words"])
        for name in ("mask", "offered", "seats", "rewards", "terminated", "truncated", "illegal"):
            setattr(self, name, _locked(arrays[name]))
        #: The mask of the first world as Gymnasium's spaces want it.
        self.mask_of_one = self.mask[0].view(np.int8)


def _arrays(spec: dict[str, Any], sets: int) -> list[dict[str, np.ndarray]]:
    """Sets of arrays for worlds, in the order in which the engine takes them. All of them lie in one piece of memory,
    each from a line of its own on: so observations of many worlds are held in few large pages."""
    lanes, small, large = spec["lanes"], spec["bytes"], spec["words"]
    kinds: dict[str, tuple[type, tuple[int, ...]]] = {
        "bytes": (np.uint8, (lanes, small)),
        "words": (np.int16, (lanes, large)),
        "mask": (np.bool_, (lanes, spec["numbers"])),
        "offered": (np.uint32, (lanes,)),
        "seats": (np.uint8, (lanes,)),
        "rewards": (np.float32, (lanes,)),
        **{name: (np.bool_, (lanes,)) for name in ("terminated", "truncated", "illegal")},
        "final_bytes": (np.uint8, (lanes, small)),
        "final_words": (np.int16, (lanes, large)),
    }
    lengths = {name: math.prod(shape) * np.dtype(sort).itemsize for name, (sort, shape) in kinds.items()}
    room = np.zeros(sets * sum(length + _LINE for length in lengths.values()) + _LINE, np.uint8)
    place = -room.ctypes.data % _LINE
    made: list[dict[str, np.ndarray]] = [{} for _ in range(sets)]
    for one in made:
        for name, (sort, shape) in kinds.items():
            # What holds nothing lies nowhere, or it would seem to lie where another one begins.
            own: np.ndarray = room[place : place + lengths[name]].view(sort) if lengths[name] else np.zeros(0, sort)
            one[name] = own.reshape(shape)
            place += lengths[name] + -lengths[name] % _LINE
    return made


class Lanes(_Base):
    """Worlds of one game that step together, as a ``gymnasium.vector.VectorEnv``.

    Two sets of arrays are made once and filled in turn, so what a step gives stays valid during the next one, and is
    written over by the one after that: copy what you keep, or ask for ``copy=True``. Arrays are read-only.

    ``info`` holds ``action_mask`` (N, A), ``offered`` (how many inputs there are), ``seat`` (whose turn it is),
    ``illegal``, and with ``autoreset="same_step"`` ``final_obs`` where ``_final_obs`` is true.

    >>> import turnstone_games as ts
    >>> env = ts.vector("grid", 3, setup="four_rooms", seed=1)
    >>> obs, info = env.reset()
    >>> obs, reward, terminated, truncated, info = env.step([6, 6, 6])
    >>> reward.tolist()
    [-1.0, -1.0, -1.0]
    >>> env.describe(0, 0)
    'up'
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 5}

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seed: int = 0,
        threads: int = 1,
        seat: int | None = 0,
        opponents: str = "random",
        observe: str = "",
        parts: str | Iterable[str] = (),
        actions: str = "fixed",
        offers: int = 256,
        autoreset: str = "next_step",
        illegal: str = "penalty",
        illegal_reward: float = 0.0,
        time_limit: int = 0,
        reward: str | Callable[..., np.ndarray] = "",
        history: int = 1,
        record: bool | int = False,
        copy: bool = False,
        render_mode: str | None = None,
        setup: str | None = None,
        ruleset: Any = None,
        content: Any = (),
        files: Iterable[str | tuple[str, str]] = (),
        **wishes: Any,
    ) -> None:
        word("game", game)
        # Texts travel with the worlds, wherever their files are.
        content, files = sources(content), named((setup, *wishes.values()), files)
        self._make = dict(locals())
        for name in ("self", "wishes", "__class__"):
            self._make.pop(name, None)
        parts = self._make["parts"] = names("parts", parts)
        self._make.update(wishes)
        self._reward = reward if callable(reward) else None
        plan = {
            "lanes": whole("num_envs", num_envs, 1),
            "threads": whole("threads", threads, 1),
            "seed": known_seed(seed),
            "seat": None if seat is None else whole("seat", seat, 0, 255),
            "opponent": word("opponents", opponents),
            "actions": word("actions", actions),
            "offers": whole("offers", offers, 1),
            "autoreset": word("autoreset", autoreset),
            "illegal": word("illegal", illegal),
            "illegal_reward": _real("illegal_reward", illegal_reward),
            "time_limit": whole("time_limit", time_limit, 0),
            "observe": word("observe", observe),
            "parts": names("parts", parts),
            "reward": "" if callable(reward) else word("reward", reward),
            "history": whole("history", history, 1),
            "record": whole("record", int(record) if isinstance(record, bool) else record, 0),
        }
        if render_mode not in (None, *type(self).metadata["render_modes"]):
            known = ", ".join(type(self).metadata["render_modes"])
            raise refusal("BAD_OPTION", f"there is no render mode {render_mode!r}; there are: {known}")
        self.game, self.num_envs, self.render_mode = game, int(num_envs), render_mode
        self._opening = opening(setup, ruleset, 0, content, files, **wishes)
        self._content = content
        self._plan = json.dumps(plan)
        self._native = _native.Lanes(game, self._opening, self._plan)
        spec = json.loads(self._native.spec())
        self.parts: list[dict[str, Any]] = [{**part, "dtype": _SORTS[part["sort"]].__name__} for part in spec["parts"]]
        self.seats: list[str] = spec["seats"]
        self.num_actions: int = spec["numbers"]
        self._copy, self._same_step = copy, autoreset == "same_step"
        self.history: int = spec["history"]
        made = _arrays(spec, 2)
        for arrays in made:
            self._native.lend(*arrays.values())
        self._sets = [_Set(arrays, self._split, number) for number, arrays in enumerate(made)]
        self._turn = 0
        self._rng = random.Random(seed)
        self._fresh = False
        if HAS_GYMNASIUM:
            self.single_observation_space = observation_space(self.parts, self.history)
            self.single_action_space = gymnasium.spaces.Discrete(self.num_actions)
            self.observation_space = batch_space(self.single_observation_space, self.num_envs)
            self.action_space = batch_space(self.single_action_space, self.num_envs)
            self.metadata = {**type(self).metadata, "autoreset_mode": _MODES[autoreset]}

    def _split(self, small: np.ndarray, large: np.ndarray) -> Any:
        """Worlds' numbers of both sorts as the parts of an observation, by their names; views, no copies. Older sheets
        stand behind the present one, and the features of offers behind all sheets."""
        lengths = {sort: sum(_length(part) for part in self.parts if part["sort"] == sort and part["name"] != "offers") for sort in _SORTS}
        sheets = {}
        for sort, numbers in (("u8", small), ("i16", large)):
            own = numbers[:, : self.history * lengths[sort]]
            sheets[sort] = own.reshape(len(own), self.history, lengths[sort])
        place, found = {"u8": 0, "i16": 0}, {}
        for part in self.parts:
            sort, shape = part["sort"], part["shape"]
            if part["name"] == "offers":
                piece = large[:, large.shape[1] - _length(part) :]
            else:
                piece = sheets[sort][:, :, place[sort] : place[sort] + _length(part)]
                place[sort] += _length(part)
                shape = shape if self.history == 1 else [self.history, *shape]
            found[part["name"]] = _locked(piece.reshape(len(piece), *shape))
        return found if len(found) > 1 else next(iter(found.values()))

    # Stepping.

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins every world anew; with ``options={"reset_mask": mask}`` only those that are marked, as their next
        episodes.

        >>> import turnstone_games as ts
        >>> env = ts.vector("grid", 3, setup="four_rooms", seed=1)
        >>> obs, info = env.reset()
        >>> obs["cells"].shape, info["offered"].tolist()
        ((3, 13, 13, 32), [7, 7, 7])
        >>> obs, info = env.reset(seed=[5, 5, 6])             # worlds of one seed are alike
        >>> bool((obs["cells"][0] == obs["cells"][1]).all()), bool((obs["cells"][0] == obs["cells"][2]).all())
        (True, False)
        """
        mask = None if options is None else options.get("reset_mask")
        if mask is not None:
            for marked in np.flatnonzero(each("reset_mask", mask, self.num_envs)):
                self._native.begin_again(int(marked))
        elif isinstance(seed, (list, tuple, np.ndarray)):
            own_seeds = [None if own is None else known_seed(own) for own in each("seed", seed, self.num_envs)]
            for lane, own in enumerate(own_seeds):
                self._native.begin_again(lane, own)
        else:
            if seed is not None:
                self._rng = random.Random(known_seed(seed))
            elif self._fresh:
                seed = self._rng.getrandbits(63)
            else:
                seed = self._make["seed"]
            self._native.reset(int(seed))
        self._fresh = True
        return self._look()

    def _look(self) -> tuple[Any, dict[str, Any]]:
        here = self._sets[1 - self._turn]
        self._native.observe(here.number)
        self._turn = here.number
        return self._out(here.observation), self._info(here)

    def _refused(self, error: _native.TurnstoneError, here: _Set) -> None:
        """After a step that was refused what was seen last is still what is seen, unless worlds were stepped all the
        same."""
        if error.code not in _UNTOUCHED:
            self._turn = here.number

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Steps every world by one action each. What is refused changes nothing: the observation, the masks and the
        worlds are those of before.

        >>> import turnstone_games as ts
        >>> env = ts.vector("grid", 3, setup="four_rooms", seed=1)
        >>> obs, info = env.reset()
        >>> obs, reward, terminated, truncated, info = env.step([0, 6, 99])
        >>> info["illegal"].tolist()
        [False, False, True]
        """
        here = self._sets[1 - self._turn]
        try:
            self._native.step(numbers(actions), here.number)
        except _native.TurnstoneError as error:
            self._refused(error, here)
            raise
        self._turn = here.number
        observation, info = self._out(here.observation), self._info(here)
        rewards, terminated, truncated = here.rewards, here.terminated, here.truncated
        if self._same_step:
            info["final_obs"] = self._out(here.final)
            info["_final_obs"] = terminated | truncated
        if self._copy:
            rewards, terminated, truncated = rewards.copy(), terminated.copy(), truncated.copy()
        if self._reward is not None:
            rewards = np.asarray(self._reward(observation, rewards, terminated, truncated, info), np.float32)
            if rewards.shape != (self.num_envs,):
                text = f"reward: one for each of {self.num_envs} worlds is wanted, not an array of shape {rewards.shape}"
                raise refusal("WRONG_LENGTH", text)
        return observation, rewards, terminated, truncated, info

    def _step_one(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Steps the only world there is, with as little of Python as can be; everything is copied."""
        if self._reward is not None:
            observation, rewards, ended, cut, known = self.step([action])
            return _first(observation), float(rewards[0]), bool(ended[0]), bool(cut[0]), _only(known)
        here = self._sets[1 - self._turn]
        try:
            done = self._native.step_one(operator.index(action), here.number)
        except OverflowError:
            raise refusal("BAD_OPTION", f"an action has 64 bits, not {action!r}") from None
        except _native.TurnstoneError as error:
            self._refused(error, here)
            raise
        self._turn = here.number
        reward, terminated, truncated, illegal, offered, seat = done
        info = {"action_mask": here.mask_of_one.copy(), "offered": offered, "seat": seat, "illegal": illegal}
        return _first(here.observation), reward, terminated, truncated, info

    def _info(self, here: _Set) -> dict[str, Any]:
        info = {"action_mask": here.mask, "offered": here.offered, "seat": here.seats, "illegal": here.illegal}
        return {name: array.copy() for name, array in info.items()} if self._copy else info

    def _out(self, observation: Any) -> Any:
        if not self._copy:
            return observation
        if isinstance(observation, dict):
            return {name: array.copy() for name, array in observation.items()}
        return observation.copy()

    def masks(self) -> np.ndarray:
        """Which actions are allowed now, (N, A).

        >>> import turnstone_games as ts
        >>> env = ts.vector("grid", 3, setup="four_rooms", seed=1)
        >>> obs, info = env.reset()
        >>> env.masks().shape, bool(env.masks().all())
        ((3, 7), True)
        """
        return self._sets[self._turn].mask

    def sample(self) -> np.ndarray:
        """An allowed action for every world, by lot.

        >>> import turnstone_games as ts
        >>> env = ts.vector("grid", 3, setup="four_rooms", seed=1)
        >>> obs, info = env.reset()
        >>> actions = env.sample()
        >>> actions.shape, bool(env.masks()[range(3), actions].all())
        ((3,), True)
        """
        return self._native.sample(self._rng.getrandbits(63))

    # Worlds.

    def save(self) -> bytes:
        """All worlds as bytes.

        >>> import turnstone_games as ts
        >>> env = ts.vector("grid", 3, setup="four_rooms", seed=1)
        >>> obs, info = env.reset()
        >>> saved, digest = env.save(), env.digest()
        >>> step = env.step([6, 6, 6])
        >>> obs, info = env.restore(saved)
        >>> env.digest() == digest
        True
        """
        return bytes(self._native.save())

    def restore(self, saved: bytes) -> tuple[Any, dict[str, Any]]:
        """Brings back what was saved; gives what is seen then.

        >>> import turnstone_games as ts
        >>> env = ts.vector("grid", 3, setup="four_rooms", seed=1)
        >>> obs, info = env.reset()
        >>> saved = env.save()
        >>> step = env.step([6, 6, 6])
        >>> again, info = env.restore(saved)
        >>> again["status"].shape
        (3, 22)
        """
        self._native.restore(saved)
        self._fresh = True
        return self._look()

    def copy_lanes(self, source: Any, target: Any) -> None:
        """World ``target[i]`` becomes a copy of world ``source[i]``. What is seen of it comes with the next step. It is
        an episode of its own, with a number of its own; the episodes that ended there before are kept as ever.

        >>> import turnstone_games as ts
        >>> env = ts.vector("grid", 3, setup="four_rooms", seed=1)
        >>> obs, info = env.reset()
        >>> env.copy_lanes([0, 0], [1, 2])
        >>> obs, info = env.observe()
        >>> bool((obs["cells"] == obs["cells"][:1]).all())
        True
        """
        self._native.copy_lanes(numbers(source), numbers(target))

    def observe(self) -> tuple[Any, dict[str, Any]]:
        """What is seen of all worlds now, as :meth:`reset` gives it.

        >>> import turnstone_games as ts
        >>> env = ts.vector("grid", 3, setup="four_rooms", seed=1)
        >>> obs, info = env.reset()
        >>> env.begin_again(0, seed=7)
        >>> obs, info = env.observe()
        >>> info["illegal"].tolist()
        [False, False, False]
        """
        return self._look()

    def begin_again(self, lane: int, seed: int | None = None) -> None:
        """Begins one world anew, as its next episode or as the first of a seed.

        >>> import turnstone_games as ts
        >>> env = ts.vector("grid", 3, setup="four_rooms", seed=1)
        >>> obs, info = env.reset()
        >>> env.begin_again(0, seed=7)
        >>> env.begin_again(1, seed=7)
        >>> obs, info = env.observe()
        >>> bool((obs["cells"][0] == obs["cells"][1]).all())
        True
        """
        self._native.begin_again(whole("lane", lane), None if seed is None else known_seed(seed))

    def match_file(self, lane: int, ended: bool = False, episode: int | None = None) -> str:
        """The present episode of a world as a match file, the one that ended last, or the one with a number.

        Needs ``record=True``; of more than the last episode that ended ``record=N`` keeps N.

        >>> import turnstone_games as ts
        >>> env = ts.vector("grid", 1, setup="maze", time_limit=3, autoreset="same_step", record=5)
        >>> _ = env.reset()
        >>> for _ in range(10):
        ...     *_, info = env.step(env.sample())
        >>> [ts.verify(env.match_file(0, episode=number))["inputs"] for number in range(4)]
        [3, 3, 3, 1]
        """
        number = None if episode is None else whole("episode", episode)
        return self._native.match_file(whole("lane", lane), bool(ended), number)

    def table(self, lane: int, ended: bool = False, episode: int | None = None) -> Any:
        """The same as a table to play on.

        >>> import turnstone_games as ts
        >>> env = ts.vector("chess", 2, seat=None, record=True)
        >>> obs, info = env.reset()
        >>> step = env.step([12 * 64 + 28, 8 * 64 + 16])
        >>> env.table(1).labels()[0], env.table(0).here
        ('Na6', 1)
        """
        from .table import load

        return load(self.match_file(lane, ended, episode), content=self._content)

    def describe(self, lane: int, action: int) -> str:
        """What an action stands for in a world now, in words; if it is not allowed there, what it means in general, and
        that it is not.

        >>> import turnstone_games as ts
        >>> env = ts.vector("chess", 1)
        >>> env.describe(0, 12 * 64 + 28), env.describe(0, 12 * 64 + 36)
        ('e4', 'move from e2 to e5 (not allowed now)')
        """
        lane, action = whole("lane", lane), whole("action", action)
        told = self._native.describe(lane, action)
        return f"{self._native.meaning(action)} (not allowed now)" if told is None else told

    def meaning(self, action: int) -> str:
        """What an action means in general, in words, in every world and at any time. ``UNKNOWN_ACTION`` for what is none.

        >>> import turnstone_games as ts
        >>> ts.vector("spire", 1).meaning(17)
        'play card 2 of the hand at enemy 5'
        """
        return self._native.meaning(whole("action", action))

    def part(self, name: str) -> dict[str, Any]:
        """What a part of the observation holds: ``name``, ``about``, ``shape``, ``dtype``, ``columns`` (the names of the
        numbers along ``axis``), ``meanings`` of columns whose names do not tell all, and ``codes``.

        >>> import turnstone_games as ts
        >>> part = ts.vector("spire", 1).part("hand")
        >>> part["dtype"], part["columns"][0], len(part["columns"]) == part["shape"][part["axis"]]
        ('int16', 'card', True)
        """
        found = next((part for part in self.parts if part["name"] == name), None)
        if found is None:
            known = ", ".join(part["name"] for part in self.parts)
            raise refusal("UNKNOWN_PART", f"an observation has no part {name!r}; there are: {known}")
        return found

    def vocabulary(self, part: str) -> dict[str, list[str]]:
        """What codes of a part mean: for every column that holds codes the names of all codes, from 0.

        >>> import turnstone_games as ts
        >>> env = ts.vector("spire", 1, setup="situation:hand: bash; enemy: jaw_worm 40/44")
        >>> obs, info = env.reset()
        >>> env.vocabulary("hand")["card"][obs["hand"][0, 0, 0]]
        'bash'
        """
        return {column: list(names) for column, names in self.part(part)["codes"].items()}

    def finished(self, lane: int) -> dict[str, Any] | None:
        """The episode of a world that ended in the latest step: seed, number, ending, steps, total.

        >>> import turnstone_games as ts
        >>> env = ts.vector("grid", 1, setup="four_rooms", time_limit=2)
        >>> obs, info = env.reset(seed=4)
        >>> for _ in range(2):
        ...     obs, reward, terminated, truncated, info = env.step([6])
        >>> env.finished(0)["ending"], env.finished(0)["total"]
        ('out_of_time', -2.0)
        """
        text = self._native.finished(whole("lane", lane))
        return None if text is None else json.loads(text)

    def standing(self, lane: int, seat: int) -> float:
        """How a seat stands in a world: the sum of its rewards, up to where it began.

        >>> import turnstone_games as ts
        >>> env = ts.vector("grid", 1, setup="four_rooms")
        >>> obs, info = env.reset()
        >>> before = env.standing(0, 0)
        >>> step = env.step([6])
        >>> env.standing(0, 0) - before
        -1.0
        """
        return self._native.standing(whole("lane", lane), known_seat(seat, self.seats))

    def rehearse(self, steps: int, blind: bool = False) -> tuple[str, float]:
        """Plays the same worlds in Rust alone, from their beginning; gives the digest they come to and the seconds it
        took. In every step world ``i`` takes number ``(7919 i + 104729 step) mod n`` of its ``n`` allowed actions; if
        ``blind``, of all actions there are.

        >>> import turnstone_games as ts
        >>> digest, seconds = ts.vector("grid", 2, setup="four_rooms").rehearse(10)
        >>> len(digest) > 0 and seconds > 0
        True
        """
        return _native.rehearse(self.game, self._opening, self._plan, whole("steps", steps), bool(blind))

    def digest(self) -> str:
        """A digest of all worlds, the same on every machine.

        >>> import turnstone_games as ts
        >>> env = ts.vector("grid", 3, setup="four_rooms", seed=1)
        >>> obs, info = env.reset()
        >>> other = ts.vector("grid", 3, setup="four_rooms", seed=1, threads=2)
        >>> env.digest() == other.digest()
        True
        """
        return self._native.digest()

    def scene(self, lane: int, seat: int | None = None) -> dict[str, Any]:
        """What is shown of a world as it is now: a board, panels, what can be done. For a seat, what it may know; -1 is
        a spectator. What was done before is not looked at, however long ago it began.

        >>> import turnstone_games as ts
        >>> env = ts.vector("chess", 2)
        >>> board = env.scene(1)["board"]
        >>> board["width"], board["height"], len(env.scene(1, seat=0)["options"])
        (8, 8, 20)
        """
        viewer = seat if seat is None or seat == -1 else known_seat(seat, self.seats)
        return dict(json.loads(self._native.scene(whole("lane", lane), viewer)))

    def render(self) -> Any:
        """Every world as text or as a picture.

        >>> import turnstone_games as ts
        >>> env = ts.vector("chess", 2, render_mode="ansi")
        >>> obs, info = env.reset()
        >>> print(env.render()[1].splitlines()[1])
        ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜
        """
        return tuple(self.picture(lane) for lane in range(self.num_envs))

    def picture(self, lane: int, seat: int | None = None, mode: str | None = None) -> Any:
        """One world as text (``ansi``) or as a picture (``rgb_array``); by default as ``render_mode`` says.

        >>> import turnstone_games as ts
        >>> ts.vector("chess", 2).picture(1, seat=0, mode="rgb_array").shape
        (480, 640, 3)
        """
        from .render import draw

        return draw(self.scene(lane, seat), mode or self.render_mode or "ansi")

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing needs closing."""

    def __getstate__(self) -> dict[str, Any]:
        return {"make": self._make, "saved": self.save(), "rng": self._rng, "fresh": self._fresh}

    def __setstate__(self, state: dict[str, Any]) -> None:
        make = dict(state["make"])
        Lanes.__init__(self, make.pop("game"), make.pop("num_envs"), **make)
        self._native.restore(state["saved"])
        self._rng, self._fresh = state["rng"], state["fresh"]
        self._look()


def packed(wanted: dict[str, Any]) -> dict[str, Any]:
    """What is wanted of worlds or of a match with the texts of all files that it names, so that it means the same on any
    machine."""
    own = signature(Lanes.__init__).parameters.keys() - {"setup"}
    values = [value for name, value in wanted.items() if name not in own]
    return {**wanted, "content": sources(wanted.get("content", ())), "files": named(values, wanted.get("files", ()))}


def pick(mask: np.ndarray, lots: np.ndarray) -> np.ndarray:
    """For every row of a mask (N, A) one of what it allows, chosen by a number from 0 to 1 each.

    >>> import numpy as np
    >>> from turnstone_games.vector import pick
    >>> pick(np.array([[False, True, True], [True, False, False]]), np.array([0.9, 0.9])).tolist()
    [2, 0]
    """
    allowed = np.flatnonzero(mask)
    ends = np.searchsorted(allowed, np.arange(1, len(mask) + 1) * mask.shape[1])
    counts = np.diff(ends, prepend=0)
    chosen: np.ndarray = allowed[ends - counts + (lots * counts).astype(np.int64)] % mask.shape[1]
    return chosen


def observation_space(parts: list[dict[str, Any]], history: int = 1) -> Any:
    """The space of observations with these parts."""
    boxes: dict[str, gymnasium.spaces.Space[Any]] = {}
    for part in parts:
        sort = _SORTS[part["sort"]]
        bounds: Any = np.iinfo(sort)
        shape = tuple(part["shape"])
        if history > 1 and part["name"] != "offers":
            shape = (history, *shape)
        boxes[part["name"]] = gymnasium.spaces.Box(bounds.min, bounds.max, shape, sort)
    return gymnasium.spaces.Dict(boxes) if len(boxes) > 1 else next(iter(boxes.values()))


def vector(game: str, num_envs: int = 1, **wanted: Any) -> Lanes:
    """Worlds of one game that step together; see :class:`Lanes` for what can be wanted.

    >>> import turnstone_games as ts
    >>> env = ts.vector("spire", 4, setup="defect", seed=1, actions="offered")
    >>> obs, info = env.reset()
    >>> obs["offers"].shape
    (4, 256, 64)
    """
    return Lanes(game, num_envs, **wanted)


def parts(game: str, **wanted: Any) -> list[dict[str, Any]]:
    """What observations of a game are made of: of every part its name, what it says, shape, dtype, and what its columns
    and codes mean. Set-up, content and everything else that decides it are given as to :func:`vector`.

    >>> import turnstone_games as ts
    >>> [(part["name"], part["shape"]) for part in ts.parts("skirmish", setup="arena")][2:]
    [('status', [14]), ('abilities', [8, 8])]
    """
    return Lanes(game, 1, **wanted).parts


def vocabulary(game: str, part: str, **wanted: Any) -> dict[str, list[str]]:
    """What codes of a part mean: for every column that holds codes the names of all codes, from 0.

    >>> import turnstone_games as ts
    >>> ts.vocabulary("spire", "screen")["screen"][:3]
    ['nothing', 'neow', 'event']
    """
    return Lanes(game, 1, **wanted).vocabulary(part)
