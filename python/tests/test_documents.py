"""What the documents show is true: their code runs, as a reader would paste it: every piece alone, and all in order."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ["docs/python.md", "python/README.md", "README.md"]


def blocks(path):
    """The pieces of code of a document, each with the line where it begins."""
    text = (ROOT / path).read_text()
    found = re.finditer(r"```python\n(.*?)```", text, re.S)
    return [(text.count("\n", 0, block.start()) + 2, block.group(1)) for block in found]


def run(path, line, block, names):
    if "sb3" in block:
        pytest.importorskip("sb3_contrib")
    # Mistakes are told with the lines of the document.
    exec(compile("\n" * (line - 1) + block, path, "exec"), names)


@pytest.mark.parametrize("path,line,block", [(path, *found) for path in DOCUMENTS for found in blocks(path)])
def test_every_piece_runs_alone(path, line, block, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    run(path, line, block, {"__name__": "__main__"})


@pytest.mark.parametrize("path", DOCUMENTS)
def test_all_pieces_run_in_order(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    found = [(line, block) for line, block in blocks(path) if "sb3" not in block]
    assert found
    names = {"__name__": "__main__"}
    for line, block in found:
        run(path, line, block, names)


def test_every_code_is_documented():
    """What the numbers of games, the native half and the package can raise stands in the table."""
    rust = [ROOT / "crates/gym/src", ROOT / "python/src", *ROOT.glob("games/*/src/**/gym.rs")]
    files = [file for place in rust for file in ([place] if place.is_file() else place.glob("*.rs"))]
    files += (ROOT / "python/turnstone_games").glob("*.py")
    code = re.compile(r'(?:new|refusal|_refused|new_err|TurnstoneError)\(+\s*"([A-Z]+(?:_[A-Z]+)*)"|=> \("([A-Z]+_[A-Z]+)",')
    raised = {name for file in files for found in code.findall(file.read_text()) for name in found if name}
    assert len(raised) > 25, raised
    assert raised <= documented(), sorted(raised - documented())


def documented():
    """The codes that the document names; ``FEN_`` of a family of them."""
    return set(re.findall(r"`([A-Z]+(?:_[A-Z]+)*_?)…?`", (ROOT / "docs/python.md").read_text()))


#: Where games and bots refuse to be opened; chess gives places and reasons with codes in families, such as `fen.turn`.
OPENINGS = [
    "crates/bots/src/names.rs", "games/*/src/host.rs", "games/*/src/setup.rs", "games/*/src/ruleset.rs",
    "games/spire/src/run/host.rs", "games/spire/src/run/plan.rs", "games/spire/src/run/facts.rs",
    "games/spire/src/run/rulebook.rs", "games/spire/src/run/validate.rs", "games/spire/src/run/game.rs",
    "games/spire/src/situation.rs", "games/spire/src/seeds/tables.rs",
    "games/grid/src/view.rs", "games/grid/src/cast.rs", "games/grid/src/document.rs",
    "games/grid/src/catalog/**/*.rs", "games/grid/src/generate/*.rs", "games/skirmish/src/formats/chapter.rs",
]
FAMILIES = [
    "games/chess/src/host.rs", "games/chess/src/setup.rs", "games/chess/src/game.rs", "games/chess/src/state.rs",
    "games/chess/src/catalog/**/*.rs", "games/chess/src/notation/fen.rs", "games/chess/src/run/mod.rs",
]
#: Refusals at the table that stand in these files.
AT_THE_TABLE = {"GAME_MASTER_ONLY", "NO_RUN"}


def found_in(places, code):
    """What stands in files before their tests."""
    files = [file for place in places for file in ROOT.glob(place)]
    assert files and all(any(ROOT.glob(place)) for place in places)
    texts = [file.read_text().split("#[cfg(test)]")[0] for file in files]
    return {name for text in texts for found in re.findall(code, text) for name in ([found] if isinstance(found, str) else found) if name}


def test_every_code_of_openings_is_documented():
    raised = found_in(OPENINGS, r'(?:new|fault|explain|error|push)\(+\s*"([A-Z]+(?:_[A-Z]+)*)",|=> "([A-Z]+_[A-Z]+)",')
    assert len(raised) > 40 and {"BAD_BOT", "CONTENT", "BAD_LEVEL", "UNKNOWN_SETUP"} <= raised, raised
    families = {f"{name.upper()}_" for name in found_in(FAMILIES, r'"([a-z]+)\.[a-z-]+"')} - {"MINE_"}
    assert {"FEN_", "BOARD_", "RULESET_"} <= families, families
    missing = (raised | families) - AT_THE_TABLE - documented()
    assert not missing, sorted(missing)
