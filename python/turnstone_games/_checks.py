"""What callers give, and what is wrong with it: refusals with codes, before the engine is asked."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from . import _native

_MOST = 2**63 - 1
_I64 = np.dtype(np.int64)


def refusal(code: str, text: str) -> _native.TurnstoneError:
    """A refusal as the engine would give it."""
    return _native.TurnstoneError(code, f"[{code}] {text}")


def whole(name: str, value: Any, least: int = 0, most: int = _MOST) -> int:
    """A whole number that was given, or ``BAD_OPTION``."""
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if isinstance(value, (bool, np.bool_)) or not least <= number <= most:
        bounds = f"from {least} on" if most == _MOST else f"from {least} to {most}"
        raise refusal("BAD_OPTION", f"{name} is a whole number {bounds}, not {value!r}")
    return number


def seed(value: Any) -> int:
    """A seed, or ``BAD_OPTION``."""
    return whole("seed", value, 0, 2**64 - 1)


def seat(value: Any, seats: list[str]) -> int:
    """One of the seats there are, or ``UNKNOWN_SEAT``."""
    number = whole("seat", value)
    if number >= len(seats):
        raise refusal("UNKNOWN_SEAT", f"there is no seat {number}: there are {len(seats)} ({', '.join(seats)})")
    return number


def each(name: str, given: Any, lanes: int) -> Any:
    """What was given for every world, or ``WRONG_LENGTH``."""
    if len(given) != lanes:
        raise refusal("WRONG_LENGTH", f"{name} has {len(given)} entries, and there are {lanes} worlds")
    return given


def numbers(given: Any) -> np.ndarray:
    """Whole numbers as the engine takes them, or ``WRONG_LENGTH`` if they are no list."""
    if type(given) is np.ndarray and given.dtype is _I64 and given.ndim == 1 and given.flags.c_contiguous:
        return given  # What :meth:`Lanes.sample` gives, and most learners.
    array = np.asarray(given)
    if array.dtype != np.int64:
        if array.dtype.kind not in "iub" and array.size:
            raise TypeError(f"whole numbers are wanted, not {array.dtype}")
        array = array.astype(np.int64)
    if array.ndim > 1:
        raise refusal("WRONG_LENGTH", f"one number for each world is wanted, not an array of shape {array.shape}")
    return np.ascontiguousarray(array).reshape(-1)


def word(name: str, value: Any) -> str:
    """A word that was given, or ``BAD_OPTION``."""
    if not isinstance(value, str):
        raise refusal("BAD_OPTION", f"{name} is a word, not {value!r}")
    return value


def fixed(wanted: dict[str, Any], **own: Any) -> dict[str, Any]:
    """What was wanted with what nobody can choose here, or ``BAD_OPTION`` if somebody chose otherwise."""
    for name in own.keys() & wanted.keys():
        if wanted[name] != own[name]:
            raise refusal("BAD_OPTION", f"{name} is {own[name]!r} here, and cannot be {wanted[name]!r}")
    return {**wanted, **own}


def names(name: str, given: Any) -> list[str]:
    """Names that were given, one or several, or ``BAD_OPTION``."""
    listed = [given] if isinstance(given, str) else list(given or ())
    if not all(isinstance(one, str) for one in listed):
        raise refusal("BAD_OPTION", f"{name} are names, not {given!r}")
    return listed
