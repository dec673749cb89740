"""Turnstone from Python: four turn-based games as tables and as environments for learners.

>>> import turnstone_games as ts
>>> ts.games()
['skirmish', 'chess', 'grid', 'spire']
>>> table = ts.open("chess")
>>> table.act("e2e4")
1
>>> env = ts.vector("chess", 2, seed=1)
>>> obs, info = env.reset()
>>> obs.shape
(2, 18, 8, 8)
"""

from __future__ import annotations

import json as _json
from typing import TYPE_CHECKING, Any

from . import _native
from ._native import TurnstoneError, __version__

# The engine hands over a code and a sentence.
setattr(TurnstoneError, "code", property(lambda self: self.args[0]))
setattr(TurnstoneError, "message", property(lambda self: self.args[1]))
setattr(TurnstoneError, "__str__", lambda self: self.args[1] if len(self.args) > 1 else Exception.__str__(self))

from .table import Table, load, open, verify  # noqa: E402
from .vector import Lanes, parts, vector, vocabulary  # noqa: E402


def games() -> list[str]:
    """The names of the games."""
    return list(_native.games())


def describe(game: str) -> dict[str, Any]:
    """What a game offers: rulesets, set-ups, settings and bots.

    >>> [bot["id"] for bot in describe("chess")["bots"]][0]
    'random'
    """
    return dict(_json.loads(_native.describe_game(game)))


if TYPE_CHECKING:
    from . import envs, ray, render, sb3, zoo


def __getattr__(name: str) -> Any:
    # What needs other packages is imported when it is asked for.
    if name in ("envs", "zoo", "sb3", "ray", "render"):
        import importlib

        return importlib.import_module("." + name, __name__)
    raise AttributeError(name)


try:  # `gymnasium.make("turnstone/Grid-v0")` after `import turnstone_games`.
    from .envs import register as _register

    _register()
except ImportError:
    pass

__all__ = [
    "Lanes",
    "Table",
    "TurnstoneError",
    "describe",
    "games",
    "load",
    "open",
    "parts",
    "vector",
    "verify",
    "vocabulary",
    "__version__",
]
