"""How matches are opened, as the engine reads it."""

from __future__ import annotations

import gzip
import io
import json
import os
import zlib
from typing import Any, Iterable, Iterator, Union

from ._checks import refusal, seed as known_seed

#: The largest file that is read, unpacked: what is larger is not one of ours.
_LIMIT = 256 << 20

#: Endings of texts that are handed to a game: content, levels, scenarios, positions.
_TEXTS = (".toml", ".txt", ".json", ".fen")


#: A file or directory, or a text that was read already, with its name.
Place = Union[str, "os.PathLike[str]", tuple[str, str]]


def sources(content: Place | Iterable[Place]) -> list[tuple[str, str]]:
    """The texts of content directories and files, in the order of their names, as the program reads them."""
    found: list[tuple[str, str]] = []
    for place in _listed("content", content):
        if isinstance(place, tuple):
            found.append(place)
            continue
        path = os.fspath(place)
        found += [(path, read(path)) for path in (_walk(path, ()) if os.path.isdir(path) else [path])]
    return found


def _listed(name: str, given: Any) -> list[Any]:
    """Places that were given, one or several, or ``BAD_OPTION``."""
    one = isinstance(given, (str, os.PathLike))
    listed = [given] if one else list(given) if isinstance(given, Iterable) else [None]
    for place in listed:
        text = isinstance(place, tuple) and len(place) == 2 and all(isinstance(half, str) for half in place)
        if not text and not isinstance(place, (str, os.PathLike)):
            raise refusal("BAD_OPTION", f"{name} are paths, or texts with their names, not {given!r}")
    return listed


def _walk(folder: str, above: tuple[str, ...]) -> Iterator[str]:
    """The texts below a directory. Links are followed, but never round in a circle."""
    real = os.path.realpath(folder)
    if real in above:
        return
    try:
        listed = sorted(os.listdir(folder))
    except OSError as error:
        raise refusal("UNREADABLE_FILE", f"cannot read {folder}: {error.strerror}") from None
    for name in listed:
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            yield from _walk(path, (*above, real))
        elif name.removesuffix(".gz").endswith(_TEXTS):
            yield path


def read(path: str) -> str:
    """The text of a file, unpacked if it is packed; read and refused as the program does it."""
    try:
        with open(path, "rb") as file:
            data = _up_to_limit(file, path)
        if data[:2] == b"\x1f\x8b":
            data = _up_to_limit(gzip.GzipFile(fileobj=io.BytesIO(data)), path)
        return data.decode("utf-8")
    except FileNotFoundError:
        raise refusal("NO_SUCH_FILE", f"there is no file {path}") from None
    except UnicodeDecodeError as error:
        text = f"{path}: this is no UTF-8 text (byte {error.object[error.start]:#04x}); save the file as UTF-8"
        raise refusal("UNREADABLE_FILE", text) from None
    except (OSError, EOFError, zlib.error) as error:
        raise refusal("UNREADABLE_FILE", f"cannot read {path}: {error}") from None


def _up_to_limit(file: Any, path: str) -> bytes:
    data: bytes = file.read(_LIMIT + 1)
    if len(data) > _LIMIT:
        raise refusal("TOO_LARGE", f"{path} is larger than {_LIMIT >> 20} MiB, unpacked")
    return data


def _word(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def names_a_file(text: str) -> bool:
    """Whether this is the path of a file, and not what would stand in it."""
    return "\n" not in text and len(text) < 1_000 and os.path.isfile(text)


def named(values: Iterable[Any], files: Iterable[str | tuple[str, str]] = ()) -> list[tuple[str, str]]:
    """The texts of the files that set-ups, wishes and ``files`` name, each with its name. What was read already, perhaps
    on another machine, is not looked for again."""
    files = _listed("files", files)
    found = dict(file for file in files if isinstance(file, tuple))
    for value in (*values, *files):
        name = os.fspath(value) if isinstance(value, (str, os.PathLike)) else ""
        if name not in found and names_a_file(name):
            found[name] = read(name)
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
        raise refusal("BAD_OPTION", f"a set-up is a text, not {setup!r}")
    setup = None if setup is None else os.fspath(setup)
    return json.dumps(
        {
            "setup": setup,
            "ruleset": ruleset,
            "seed": seed if isinstance(seed, str) else known_seed(seed),
            "wishes": [(name, _word(value)) for name, value in wishes.items()],
            "content": sources(content),
            "files": named((setup, *wishes.values()), files),
        }
    )
