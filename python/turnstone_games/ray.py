"""Rollouts, self-play, tournaments and the arena over as many machines as Ray has, or over this one alone where Ray is
not installed.

An episode is a function of (what was wanted, its seed, the policy): a worker that dies loses nothing but the episodes it
was playing, which are played again elsewhere and come out the same.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator

import numpy as np

from . import _native
from ._checks import fixed, refusal, seed as known_seed, whole
from ._opening import opening, read
from .vector import Lanes, packed, pick

#: ``policy(observation, info, lots) -> actions`` on whole arrays. It must choose for a world by what is seen of that
#: world and by its own row of :meth:`Lots.random`, or episodes depend on which others are played beside them.
Policy = Callable[[Any, dict[str, Any], "Lots"], Any]


class Lots:
    """Chance for policies: every world has its own, which follows from its seed alone.

    >>> from turnstone_games.ray import Lots
    >>> bool((Lots([7, 8]).random((2, 3))[1] == Lots([8]).random((1, 3))[0]).all())
    True
    """

    def __init__(self, seeds: Iterable[int]) -> None:
        self._seeds = np.array([int(seed) % 2**64 for seed in seeds], np.uint64)
        self._drawn = 0

    def random(self, shape: tuple[int, ...], dtype: Any = np.float64) -> np.ndarray:
        """Numbers from 0 to 1; the first direction of the shape is that of the worlds."""
        each = int(np.prod(shape[1:], dtype=int))
        numbers = np.arange(self._drawn + 1, self._drawn + each + 1, dtype=np.uint64)
        self._drawn += each
        bits = self._seeds[:, None] ^ (numbers * np.uint64(0x9E3779B97F4A7C15))[None]
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            bits = (bits ^ (bits >> np.uint64(shift))) * np.uint64(factor)
        bits ^= bits >> np.uint64(31)
        return ((bits >> np.uint64(40)) * 2.0**-24).astype(dtype).reshape(shape)


@dataclass
class Episode:
    """An episode that was played to its end. ``tally`` is what a report says of it; it comes with the match file."""

    seed: int
    ending: str
    steps: int
    total: float
    tally: dict[str, Any] = field(default_factory=dict)
    match_file: str = ""


@dataclass
class Match:
    """A match between bots: who sat in each seat, and which seat won, if one did."""

    bots: tuple[str, ...]
    seed: int
    winner: int | None
    inputs: int
    match_file: str = ""


class NotEnded(_native.TurnstoneError):
    """Episodes that did not end within ``limit`` steps: ``seeds`` are theirs, and ``episodes`` those beside them that
    did end.

    >>> from turnstone_games.ray import NotEnded, play
    >>> try:
    ...     played = play("grid", [1, 2], setup="four_rooms", limit=5)
    ... except NotEnded as told:
    ...     print(told.code, told.seeds, len(told.episodes))
    NOT_ENDED [1, 2] 0
    """

    def __init__(self, seeds: list[int], episodes: list[Episode], limit: int) -> None:
        which = ", ".join(map(str, seeds))
        text = f"after {limit} steps the episodes of these seeds have not ended: {which}; the other {len(episodes)} are in `episodes`"
        super().__init__("NOT_ENDED", f"[NOT_ENDED] {text}")
        self.seeds, self.episodes, self.limit = seeds, episodes, limit

    def __reduce__(self) -> Any:
        return NotEnded, (self.seeds, self.episodes, self.limit)


def random_policy(observation: Any, info: dict[str, Any], lots: Lots) -> np.ndarray:
    """Anything that is allowed.

    >>> import turnstone_games as ts
    >>> env = ts.vector("chess", 2)
    >>> obs, info = env.reset()
    >>> actions = ts.ray.random_policy(obs, info, ts.ray.Lots([1, 2]))
    >>> bool(info["action_mask"][[0, 1], actions].all())
    True
    """
    mask = info["action_mask"]
    return pick(mask, lots.random((len(mask),)))


class Player:
    """Plays episodes here and now, as many side by side as there are seeds; its worlds are made once.

    >>> from turnstone_games.ray import Player, random_policy
    >>> player = Player(random_policy, "grid", setup="four_rooms", time_limit=5)
    >>> [(episode.seed, episode.ending) for episode in player.play([1, 2])]
    [(1, 'out_of_time'), (2, 'out_of_time')]
    """

    def __init__(self, policy: Policy, game: str, *, match_files: bool = True, limit: int = 1_000_000, **wanted: Any) -> None:
        self.policy, self.game, self.match_files, self.limit = policy, game, match_files, whole("limit", limit, 1)
        self.wanted = fixed(wanted, autoreset="disabled", record=True)
        self._env: Lanes | None = None

    def play(self, seeds: Iterable[int], policy: Policy | None = None) -> list[Episode]:
        """One episode for each seed; ``policy`` takes the place of the one before. :class:`NotEnded` after ``limit``
        steps.

        >>> from turnstone_games.ray import Player, random_policy
        >>> player = Player(random_policy, "grid", setup="four_rooms", time_limit=5, match_files=False)
        >>> [episode.steps for episode in player.play([1, 2, 3])]
        [5, 5, 5]
        """
        seeds, self.policy = [known_seed(seed) for seed in seeds], policy or self.policy
        if self._env is None or self._env.num_envs != len(seeds):
            self._env = Lanes(self.game, len(seeds), **self.wanted)
        env = self._env
        observation, info = env.reset(seed=seeds)
        lots = Lots(seeds)
        over, totals = info["offered"] == 0, np.zeros(len(seeds))
        for _ in range(self.limit):
            if over.all():
                break
            observation, rewards, terminated, truncated, info = env.step(self.policy(observation, info, lots))
            totals += np.where(over, 0.0, rewards)
            over |= terminated | truncated
        played = [self._episode(env, lane, seed, float(totals[lane])) for lane, seed in enumerate(seeds) if over[lane]]
        if len(played) < len(seeds):
            raise NotEnded([seed for seed, ended in zip(seeds, over) if not ended], played, self.limit)
        return played

    def _episode(self, env: Lanes, lane: int, seed: int, total: float) -> Episode:
        found = json.loads(env._native.last(lane))
        # The engine has counted the game's own rewards, of which ours is a function.
        total = total if env._reward is not None else found["total"]
        episode = Episode(seed, found["ending"], found["steps"], total)
        if self.match_files:  # It is played once more, with everything recorded: the dear part.
            episode.match_file = env.match_file(lane, ended=True)
            episode.tally = env.table(lane, ended=True).tally()
        return episode


def play(game: str, seeds: Iterable[int], policy: Policy = random_policy, **wanted: Any) -> list[Episode]:
    """Plays one episode for each seed, here and now, all of them side by side.

    >>> from turnstone_games.ray import play
    >>> [episode.ending for episode in play("grid", [1], setup="four_rooms", time_limit=5)]
    ['out_of_time']
    """
    return Player(policy, game, **wanted).play(seeds)


def _play(policy: Policy, game: str, wanted: dict[str, Any], seeds: list[int]) -> list[Episode]:
    return Player(policy, game, **wanted).play(seeds)


def _ray(workers: int | None) -> Any:
    """Ray, connected; ``None`` where it is not installed."""
    try:
        import ray
    except ImportError:
        return None
    if not ray.is_initialized():
        ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    return ray


def _spread(ray: Any, work: Callable[..., Any], calls: Iterator[tuple[Any, ...]], retries: int = 4) -> Iterator[Any]:
    """What the calls come to, as they come. No more of them wait than keep all machines at work, so that what comes
    back does not pile up before whoever takes it, and a search that ends early leaves little behind."""
    task = ray.remote(max_retries=retries, num_cpus=1)(work)
    waiting: list[Any] = []
    try:
        while True:
            wanted = 2 * max(1, int(ray.cluster_resources().get("CPU", 1))) - len(waiting)
            waiting += [task.remote(*call) for call in islice(calls, max(0, wanted))]
            if not waiting:
                return
            done, waiting = ray.wait(waiting, num_returns=1)
            for reference in done:
                yield _got(ray, reference)
    finally:
        for reference in waiting:
            ray.cancel(reference)


def _got(ray: Any, reference: Any) -> Any:
    """What a call has come to; a refusal as it was raised there, with its code, which Ray wraps up."""
    try:
        return ray.get(reference)
    except _native.TurnstoneError as told:
        raise getattr(told, "cause", None) or told


def _parts(seeds: Iterable[int], size: int) -> list[list[int]]:
    seeds, size = [known_seed(seed) for seed in seeds], whole("chunk", size, 1)
    return [seeds[first : first + size] for first in range(0, len(seeds), size)]


def rollouts(
    policy: Policy,
    game: str,
    seeds: Iterable[int],
    *,
    workers: int | None = None,
    chunk: int = 32,
    retries: int = 4,
    **wanted: Any,
) -> Iterator[Episode]:
    """Plays one episode for each seed, as Ray tasks of ``chunk`` episodes; gives them as they come. ``workers`` says how
    many cores a Ray that is started here may use; one that runs already, of however many machines, is used as it is.

    >>> from turnstone_games.ray import random_policy, rollouts
    >>> sorted(e.seed for e in rollouts(random_policy, "grid", range(3), chunk=2, setup="four_rooms", time_limit=5))
    [0, 1, 2]
    """
    ray, wanted = _ray(workers), packed(wanted)
    if ray is None:
        for part in _parts(seeds, chunk):
            yield from _play(policy, game, wanted, part)
        return
    kept = ray.put(policy)
    calls = ((kept, game, wanted, part) for part in _parts(seeds, chunk))
    for episodes in _spread(ray, _play, calls, retries):
        yield from episodes


class Actors:
    """Players that stay: Ray actors that keep their worlds from one call to the next, for loops that learn. One that
    dies is made anew, and what it was playing is played again.

    >>> from turnstone_games.ray import Actors, random_policy
    >>> actors = Actors(random_policy, "grid", setup="four_rooms", time_limit=5)
    >>> len(list(actors.play(range(4)))), len(list(actors.play(range(4, 8))))
    (4, 4)
    """

    def __init__(self, policy: Policy, game: str, *, workers: int = 2, chunk: int = 32, **wanted: Any) -> None:
        self.chunk = chunk
        self._ray, wanted = _ray(workers), packed(wanted)
        self._keep(policy)
        if self._ray is None:
            self._players: list[Any] = [Player(policy, game, **wanted)]
            return
        # A core is wanted where a player begins and none while it is there: when a machine goes away, its players find
        # room on one that is left, whose cores others would hold for good.
        kind = self._ray.remote(max_restarts=-1, max_task_retries=-1, scheduling_strategy="SPREAD")(Player)
        self._players = [kind.remote(self._policy, game, **wanted) for _ in range(workers)]

    def _keep(self, policy: Policy) -> None:
        """It is kept here and goes along with every call: a player remembers what it was last given, which is an older
        one where a call had no work for it, and the first one where it was made anew."""
        self._policy: Any = policy if self._ray is None else self._ray.put(policy)

    def play(self, seeds: Iterable[int], policy: Policy | None = None) -> Iterator[Episode]:
        """One episode for each seed, as they come; ``policy`` takes the place of the one before, for all players and
        for good.

        >>> from turnstone_games.ray import Actors, random_policy
        >>> actors = Actors(random_policy, "grid", setup="four_rooms", time_limit=5)
        >>> sorted(episode.seed for episode in actors.play([7, 8], random_policy))
        [7, 8]
        """
        if policy is not None:
            self._keep(policy)
        return self._episodes(_parts(seeds, self.chunk), self._policy)

    def _episodes(self, parts: list[list[int]], policy: Any) -> Iterator[Episode]:
        if self._ray is None:
            for part in parts:
                yield from self._players[0].play(part, policy)
            return
        free = list(self._players)
        waiting: dict[Any, Any] = {}
        while parts or waiting:
            while parts and free:
                player = free.pop()
                waiting[player.play.remote(parts.pop(0), policy)] = player
            done, _ = self._ray.wait(list(waiting), num_returns=1)
            for reference in done:
                free.append(waiting.pop(reference))
                yield from _got(self._ray, reference)


def self_play(policy: Policy, game: str, seeds: Iterable[int], **wanted: Any) -> Iterator[Episode]:
    """The policy in every seat, against itself.

    >>> from turnstone_games.ray import random_policy, self_play
    >>> [episode.steps for episode in self_play(random_policy, "chess", [1], time_limit=10)]
    [10]
    """
    return rollouts(policy, game, seeds, **fixed(wanted, seat=None))


def tournament(
    bots: Iterable[str],
    game: str,
    seeds: Iterable[int],
    *,
    workers: int | None = None,
    match_files: bool = True,
    **wanted: Any,
) -> Iterator[Match]:
    """Every bot against every other in both seats, on the same seeds; gives the matches as they come. For games of two
    seats: :func:`arena` compares bots that play alone, too, and fills more seats.

    >>> from turnstone_games.ray import tournament
    >>> sorted(match.bots for match in tournament(["random", "easy"], "skirmish", [1]))
    [('easy', 'random'), ('random', 'easy')]
    """
    bots, seeds = list(bots), [known_seed(seed) for seed in seeds]
    pairs = [(one, two, seed) for seed in seeds for one in bots for two in bots if one != two]
    wanted = packed(wanted)
    for seed in seeds[:1]:
        _for_two(game, seed, wanted)
    ray = _ray(workers)
    calls = ((game, (one, two), seed, match_files, wanted) for one, two, seed in pairs)
    return (_match(*call) for call in calls) if ray is None else _spread(ray, _match, calls)


def _for_two(game: str, seed: int, wanted: dict[str, Any]) -> Any:
    """A match that two can play, or ``BAD_OPTION``: alone nobody beats anybody, and of three one would sit nowhere."""
    from .table import open

    table = open(game, seed=seed, **wanted)
    if len(table.seats) != 2:
        seats = ", ".join(table.seats)
        text = f"a tournament seats two bots, and here there are {len(table.seats)} seats ({seats}): turnstone_games.ray.arena fills them"
        raise refusal("BAD_OPTION", text)
    return table


def _match(game: str, pair: tuple[str, str], seed: int, match_files: bool, wanted: dict[str, Any]) -> Match:
    table = _for_two(game, seed, wanted)
    for seat, bot in enumerate(pair):
        table.seat_bot(seat, bot, seed)
    inputs = table.play_bots()
    return Match(pair, seed, table.winner, inputs, table.save() if match_files else "")


def arena(
    file: str | os.PathLike[str],
    *,
    results: str | os.PathLike[str] | None = None,
    report: str | os.PathLike[str] | None = None,
    content: Any = (),
    workers: int | None = None,
    chunk: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Plays a tournament file as ``turnstone arena`` does, as Ray tasks of ``chunk`` units, and gives its report.

    The results file (by default beside the tournament file, with the ending ``.jsonl``) and the report (``report``
    names a directory for it) have the same bytes as those of the program, wherever and in whatever order units are
    played; what the file holds already is not played again, so that either can take up what the other began. Programs
    that play must be installed on every machine. ``progress(done, of)`` is called as units come.

    >>> import pathlib, tempfile
    >>> from turnstone_games.ray import arena
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "small.toml"
    >>> written = file.write_text('''
    ... game = "skirmish"
    ... seeds = { count = 2 }
    ... [bot.random]
    ... name = "random"
    ... [bot.easy]
    ... name = "easy"
    ... ''')
    >>> [bot["name"] for bot in arena(file)["bots"]]
    ['easy', 'random']
    """
    file = Path(file)
    plan = read(os.fspath(file))
    opened = opening(content=content, files=_native.Arena.named(plan))
    here = _arena(plan, opened)
    done, over = here.begin(os.fspath(results or file.with_suffix(".jsonl")))
    calls = ((plan, opened, here.mark(), part) for part in _parts(range(done, here.units()), chunk))
    for lines in () if over else _anywhere(_ray(workers), _units, calls, workers):
        for line in lines:
            done, over = here.hear(line)
        if progress is not None:
            progress(done, here.units())
        if over:
            break
    files = dict(here.close())
    if report is not None:
        os.makedirs(report, exist_ok=True)
        for name, text in files.items():
            Path(report, name).write_text(text, encoding="utf-8", newline="")
    return dict(json.loads(files["report.json"]))


def _anywhere(
    ray: Any, work: Callable[..., Any], calls: Iterator[tuple[Any, ...]], workers: int | None
) -> Iterator[Any]:
    """What the calls come to, as they come: as Ray tasks, or in threads of this process."""
    if ray is not None:
        yield from _spread(ray, work, calls)
        return
    cores = workers or os.cpu_count() or 1
    with ThreadPoolExecutor(cores) as pool:
        waiting: set[Future[Any]] = set()
        while True:
            waiting |= {pool.submit(work, *call) for call in islice(calls, cores - len(waiting))}
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for one in done:
                yield one.result()


@lru_cache(maxsize=4)
def _arena(plan: str, opened: str) -> _native.Arena:
    """A tournament is opened once in every process."""
    # Built-in bots that are held to limits play in processes of their own.
    return _native.Arena(plan, opened, [sys.executable, "-m", "turnstone_games", "play-apart"])


def _units(plan: str, opened: str, mark: str, numbers: list[int]) -> list[str]:
    there = _arena(plan, opened)
    if there.mark() != mark:
        text = f"[OTHER_TOURNAMENT] another version of the engine plays on this machine: {there.mark()}, not {mark}"
        raise _native.TurnstoneError("OTHER_TOURNAMENT", text)
    return [there.play(number) for number in numbers]


def report(played: Iterable[Episode | Match]) -> dict[str, Any]:
    """What episodes or matches came to: counts, means with their standard errors, the score of every bot. Bots that win
    or lose together are equals, as in a draw: it tells nothing about who is the stronger.

    >>> from turnstone_games.ray import Match, report
    >>> report([Match(("a", "b"), 1, 0, 9), Match(("b", "a"), 1, None, 9)])["scores"]
    {'a': 0.75, 'b': 0.25}
    """
    played = list(played)
    matches = [match for match in played if isinstance(match, Match)]
    if matches:
        points: dict[str, float] = {}
        games: Counter[str] = Counter()
        for match in matches:
            for seat, bot in enumerate(match.bots):
                points[bot] = points.get(bot, 0.0) + (0.5 if match.winner is None else float(match.winner == seat))
                games[bot] += 1
        return {"matches": len(matches), "scores": {bot: points[bot] / games[bot] for bot in games}}
    episodes = [episode for episode in played if isinstance(episode, Episode)]
    totals = np.array([episode.total for episode in episodes], np.float64)
    spread = totals.std(ddof=1) / len(totals) ** 0.5 if len(totals) > 1 else float("nan")
    return {
        "episodes": len(episodes),
        "endings": dict(Counter(episode.ending for episode in episodes)),
        "total": float(totals.mean()) if len(totals) else float("nan"),
        "standard_error": float(spread),
        "steps": sum(episode.steps for episode in episodes),
    }
