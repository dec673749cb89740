"""How matches are opened, as the engine reads it."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable


def sources(content: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[tuple[str, str]]:
    """The texts of content directories and files, in order."""
    if isinstance(content, (str, os.PathLike)):
        content = [content]
    found: list[tuple[str, str]] = []
    for place in content:
        place = os.fspath(place)
        if not os.path.isdir(place):
            found.append((place, _read(place)))
            continue
        for folder, folders, names in os.walk(place):
            folders.sort()
            found += [(os.path.join(folder, name), _read(os.path.join(folder, name))) for name in sorted(names)]
    return found


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def opening(
    setup: str | None = None,
    ruleset: Any = None,
    seed: int | str = 0,
    content: Any = (),
    **wishes: Any,
) -> str:
    """An opening as JSON. A set-up may be the path of a file."""
    files = []
    if setup is not None and "\n" not in setup and len(setup) < 1_000 and os.path.isfile(setup):
        files.append((setup, _read(setup)))
    word = lambda value: {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)
    return json.dumps(
        {
            "setup": setup,
            "ruleset": ruleset,
            "seed": int(seed) if not isinstance(seed, str) else seed,
            "wishes": [(name, word(value)) for name, value in wishes.items()],
            "content": sources(content),
            "files": files,
        }
    )
