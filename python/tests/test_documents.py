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
    told = set(re.findall(r"`([A-Z]+(?:_[A-Z]+)*)`", (ROOT / "docs/python.md").read_text()))
    assert raised <= told, sorted(raised - told)
