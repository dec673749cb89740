"""Tables: one match at a time, with everything the engine knows about it."""

from __future__ import annotations

import json
from typing import Any

from . import _native
from ._checks import refusal, seat as known_seat, seed as known_seed, whole, word
from ._opening import opening, sources


class Table:
    """A match in progress.

    >>> import turnstone_games as ts
    >>> table = ts.open("grid", setup="four_rooms", seed=3)
    >>> table.seats
    ['You']
    >>> len(table.inputs())
    7
    >>> moment = table.choose(6)
    >>> table.undo(), table.here
    (True, 0)
    """

    def __init__(self, inner: _native.Table, content: list[tuple[str, str]] | None = None) -> None:
        self._inner = inner
        #: The texts that overlay what is built in: they travel with the match, wherever their files are.
        self._content = content or []

    # What it is.

    @property
    def game(self) -> str:
        """The game's name.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> table.game
        'chess'
        """
        return self._inner.game()

    @property
    def seed(self) -> int:
        """The seed of the dice.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> table.seed
        1
        """
        return self._inner.seed()

    @property
    def ruleset(self) -> Any:
        """Which rules are on.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> ts.open("chess", ruleset="atomic").ruleset == table.ruleset
        False
        """
        return json.loads(self._inner.ruleset())

    @property
    def seats(self) -> list[str]:
        """One name for each seat.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> table.seats
        ['white', 'black']
        """
        return self._inner.seats()

    @property
    def actor(self) -> int | None:
        """Who must send something now; ``None`` when the match is over or anybody may act.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> table.actor
        0
        """
        return self._inner.actor()

    @property
    def outcome(self) -> Any:
        """How the match ended, or ``None``: ``{"Won": seat}``, ``"WonByAll"``, ``"Drawn"`` or ``"Lost"``.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> for move in ["f2f3", "e7e5", "g2g4", "d8h4"]:
        ...     moment = table.act(move)
        >>> table.outcome
        {'Won': 1}
        """
        return json.loads(self._inner.outcome())

    @property
    def winner(self) -> int | None:
        """The seat that won, if one did.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> for move in ["f2f3", "e7e5", "g2g4", "d8h4"]:
        ...     moment = table.act(move)
        >>> table.winner
        1
        """
        outcome = self.outcome
        return outcome["Won"] if isinstance(outcome, dict) else None

    @property
    def here(self) -> int:
        """The present moment.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> moment = table.act("e2e4")
        >>> table.here
        1
        """
        return self._inner.here()

    @property
    def moments(self) -> int:
        """How many moments there are on all branches, the start included.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> moment = table.act("e2e4")
        >>> table.undo(), table.act("d2d4"), table.moments
        (True, 2, 3)
        """
        return self._inner.moments()

    # Playing.

    def inputs(self, seat: int | None = None) -> list[Any]:
        """Everything that may be sent now: actions, or answers while a question waits. For a seat, what it may
        send, which is nothing unless it is to act.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> len(table.inputs()), len(table.inputs(0)), len(table.inputs(1))
        (20, 20, 0)
        """
        return list(json.loads(self._inner.inputs(self._viewer(seat))))

    def labels(self, seat: int | None = None) -> list[str]:
        """The same in words.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> table.labels()[:3]
        ['Na3', 'Nc3', 'Nf3']
        """
        return [option["label"] for option in self.scene(seat)["options"]]

    def act(self, input: Any, seat: int | None = None) -> int:
        """Carries out an input, or a text in the game's own notation; gives the new moment.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess")
        >>> table.act("e2e4")
        1
        >>> table.act("e2e4")
        Traceback (most recent call last):
            ...
        turnstone_games.TurnstoneError: [EMPTY_SQUARE] nobody stands on e2
        """
        text = self._text(input)
        return self._inner.act(text) if seat is None else self._inner.act_from(known_seat(seat, self.seats), text)

    def _text(self, input: Any) -> str:
        if not isinstance(input, str):
            return json.dumps(input)
        parsed = self._inner.parse(input)
        if parsed is None:
            raise refusal("MALFORMED", f'"{input}" is not in the notation of {self.game}')
        return parsed

    def choose(self, number: int, seat: int | None = None) -> int:
        """Carries out the input with that number in :meth:`inputs`; gives the new moment.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> table.choose(0), table.labels()[0]
        (1, 'Na6')
        """
        number = whole("number", number)
        return self._inner.choose(number) if seat is None else self._inner.choose_from(known_seat(seat, self.seats), number)

    def seat_bot(self, seat: int, name: str, seed: int = 0) -> None:
        """Seats a bot.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> table.seat_bot(1, "gentle")
        >>> moment = table.act("e2e4")
        >>> table.play_bots()
        1
        """
        self._inner.seat_bot(known_seat(seat, self.seats), name, known_seed(seed))

    def play_bots(self, limit: int = 1_000_000) -> int:
        """Lets bots act as long as one is to act; gives how many inputs they sent.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> for seat in (0, 1):
        ...     table.seat_bot(seat, "random", seed=seat)
        >>> table.play_bots(limit=10), table.here
        (10, 10)
        """
        limit = whole("limit", limit)
        for count in range(limit):
            choice = self._inner.bot_choice()
            if choice is None:
                return count
            self._inner.choose(choice)
        return limit

    # Looking.

    def _viewer(self, seat: int | None) -> int | None:
        """Who looks: nobody in particular, a spectator (-1), or a seat that there is."""
        return seat if seat is None or seat == -1 else known_seat(seat, self.seats)

    def question(self, seat: int | None = None) -> Any:
        """The question that waits, as far as that seat may know.

        >>> import turnstone_games as ts
        >>> table = ts.open("spire", setup="ironclad", seed=1)
        >>> moment = table.choose(0)
        >>> table.question() is None
        True
        """
        return json.loads(self._inner.question(self._viewer(seat)))

    def view(self, seat: int | None = None) -> Any:
        """The state as a seat may see it; without a seat, all of it; -1 is a spectator.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> table.view(0)["player"]
        'White'
        """
        return json.loads(self._inner.view(self._viewer(seat)))

    def scene(self, seat: int | None = None) -> Any:
        """What is shown: a board, panels, what can be done.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> board = table.scene(0)["board"]
        >>> board["width"], board["height"], len(board["cells"])
        (8, 8, 64)
        """
        return json.loads(self._inner.scene(self._viewer(seat)))

    def render(self, mode: str = "ansi", seat: int | None = None) -> Any:
        """The scene as text (``ansi``) or as a picture (``rgb_array``).

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> print(table.render().splitlines()[1])
        ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜
        >>> table.render("rgb_array").shape
        (480, 640, 3)
        """
        from . import render

        return render.draw(self.scene(seat), mode)

    def log(self, seat: int | None = None) -> list[Any]:
        """Everything that happened, as that seat may see it.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> moment = table.act("e2e4")
        >>> len(table.log()) > 0
        True
        """
        return list(json.loads(self._inner.log(self._viewer(seat))))

    def explain(self, moment: int | None = None, seat: int | None = None) -> str:
        """Why it happened: the tree of causes of a moment.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> moment = table.act("e2e4")
        >>> print(table.explain().rstrip())
        e4
          #0 Turn 1: White begins
          #1 White's pawn moves from e2 to e4
          #2 Turn 1: White is done
          #3 Turn 2 is Black's
        """
        return self._inner.explain(None if moment is None else whole("moment", moment, 0, 2**32 - 1), self._viewer(seat))

    def tally(self) -> dict[str, Any]:
        """What a report would say about this match.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> for move in ["f2f3", "e7e5", "g2g4", "d8h4"]:
        ...     moment = table.act(move)
        >>> table.tally()
        {'plies': 4, 'end': 'checkmate'}
        """
        return dict(json.loads(self._inner.tally()))

    # Time.

    def undo(self) -> bool:
        """Takes back the last input; false at the start.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> moment = table.act("e2e4")
        >>> table.undo(), table.undo(), table.here
        (True, False, 0)
        """
        return self._inner.undo()

    def redo(self) -> bool:
        """Takes back an undo.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> moment = table.act("e2e4")
        >>> table.undo(), table.redo(), table.redo(), table.here
        (True, True, False, 1)
        """
        return self._inner.redo()

    def jump(self, moment: int) -> None:
        """Goes to any moment of any branch.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> moment = table.act("e2e4"), table.undo(), table.act("d2d4")
        >>> table.jump(1)
        >>> table.here
        1
        """
        self._inner.jump(whole("moment", moment, 0, 2**32 - 1))

    def branches(self, seat: int | None = None) -> list[Any]:
        """The ends of all lines of play, oldest first.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> moment = table.act("e2e4"), table.undo(), table.act("d2d4")
        >>> len(table.branches())
        2
        """
        return list(json.loads(self._inner.branches(self._viewer(seat))))

    def fork(self) -> "Table":
        """An independent copy, with no bots seated.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> other = table.fork()
        >>> moment = other.act("e2e4")
        >>> table.here, other.here
        (0, 1)
        """
        return Table(self._inner.fork(), self._content)

    # Files.

    def save(self) -> str:
        """The whole timeline as a match file.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> moment = table.act("e2e4")
        >>> ts.load(table.save()).here
        1
        """
        return self._inner.save()

    def digest(self) -> str:
        """A digest of the position, the same on every machine.

        >>> import turnstone_games as ts
        >>> table = ts.open("chess", seed=1)
        >>> before = table.digest()
        >>> moment = table.act("e2e4")
        >>> table.digest() == before, table.undo(), table.digest() == before
        (False, True, True)
        """
        return self._inner.digest()

    def __reduce__(self) -> Any:
        return _again, (self.save(), self._content)

    def __repr__(self) -> str:
        return f"<Table {self.game}, moment {self.here} of {self.moments}>"


def open(game: str, *, setup: str | None = None, ruleset: Any = None, seed: int | str = 0, content: Any = (), **wishes: Any) -> Table:
    """Starts a match. ``describe(game)`` tells which set-ups, rulesets and wishes there are.

    >>> import turnstone_games as ts
    >>> ts.open("spire", setup="silent", seed=7, ascension=5).game
    'spire'
    >>> ts.open("ludo")
    Traceback (most recent call last):
        ...
    turnstone_games.TurnstoneError: [UNKNOWN_GAME] there is no game "ludo"; there are: skirmish, chess, grid, spire
    """
    texts = sources(content)
    return Table(_native.Table.open(word("game", game), opening(setup, ruleset, seed, texts, **wishes)), texts)


def load(file: str, *, content: Any = ()) -> Table:
    """Sits down where a match file left off; ``file`` is its text.

    >>> import turnstone_games as ts
    >>> table = ts.open("grid", setup="four_rooms", seed=3)
    >>> moment = table.choose(6)
    >>> ts.load(table.save()).here
    1
    """
    return _again(file, sources(content))


def _again(file: str, content: list[tuple[str, str]]) -> Table:
    """A match with the texts of its content."""
    return Table(_native.Table.load(file, opening(content=content)), content)


def verify(file: str, *, content: Any = ()) -> dict[str, Any]:
    """Folds and reruns a match file and compares everything; gives what it held.

    >>> import turnstone_games as ts
    >>> table = ts.open("chess")
    >>> moment = table.act("d2d4")
    >>> ts.verify(table.save())["inputs"]
    1
    """
    return dict(json.loads(_native.verify(file, opening(content=content))))
