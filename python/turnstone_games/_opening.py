"""How matches are opened, as the engine reads it."""

from __future__ import annotations

import gzip
import json
import os
from typing import Any, Iterable, Iterator, Union


#: Endings of texts that are handed to a game: content, levels, scenarios, positions.
_TEXTS = (".toml", ".txt", ".json", ".fen")


#: A file or directory, or a text that was read already, with its name.
Place = Union[str, "os.PathLike[str]", tuple[str, str]]


def sources(content: Place | Iterable[Place]) -> list[tuple[str, str]]:
    """The texts of content directories and files, in the order of their names, as the program reads them."""
    places: Iterable[Any] = [content] if isinstance(content, (str, os.PathLike)) else content
    found: list[tuple[str, str]] = []
    for place in places:
        if isinstance(place, tuple):
            found.append(place)
            continue
        path = os.fspath(place)
        found += [(path, _read(path)) for path in (_walk(path, ()) if os.path.isdir(path) else [path])]
    return found


def _walk(folder: str, above: tuple[str, ...]) -> Iterator[str]:
    """The texts below a directory. Links are followed, but never round in a circle."""
    real = os.path.realpath(folder)
    if real in above:
        return
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            yield from _walk(path, (*above, real))
        elif name.removesuffix(".gz").endswith(_TEXTS):
            yield path


def _read(path: str) -> str:
    with open(path, "rb") as file:
        data = file.read()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8")


def _word(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def names_a_file(text: str) -> bool:
    """Whether this is the path of a file, and not what would stand in it."""
    return "\n" not in text and len(text) < 1_000 and os.path.isfile(text)


def named(values: Iterable[Any], files: Iterable[str | tuple[str, str]] = ()) -> list[tuple[str, str]]:
    """The texts of the files that set-ups, wishes and ``files`` name, each with its name. What was read already, perhaps
    on another machine, is not looked for again."""
    files = list(files)
    found = dict(file for file in files if isinstance(file, tuple))
    for value in (*values, *files):
        name = os.fspath(value) if isinstance(value, (str, os.PathLike)) else ""
        if name not in found and names_a_file(name):
            found[name] = _read(name)
    return list(found.items())


def opening(
    setup: str | None = None,
    ruleset: Any = None,
    seed: int | str = 0,
    content: Any = (),
    files: Iterable[str | tuple[str, str]] = (),
    **wishes: Any,
) -> str:
    """An opening as JSON. A set-up and a wish may be the path of a file; ``files`` are others that are named
    somewhere, or texts that were read already, with their names."""
    if setup is not None and not isinstance(setup, (str, os.PathLike)):
        raise TypeError(f"a set-up is a text, not {setup!r}")
    setup = None if setup is None else os.fspath(setup)
    return json.dumps(
        {
            "setup": setup,
            "ruleset": ruleset,
            "seed": int(seed) if not isinstance(seed, str) else seed,
            "wishes": [(name, _word(value)) for name, value in wishes.items()],
            "content": sources(content),
            "files": named((setup, *wishes.values()), files),
        }
    )
