"""What the documents show is true: their code runs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def blocks(path):
    text = (ROOT / path).read_text()
    return re.findall(r"```python\n(.*?)```", text, re.S)


@pytest.mark.parametrize("path", ["docs/python.md", "python/README.md", "README.md"])
def test_code_in_documents_runs(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    found = blocks(path)
    assert found
    names = {}
    for block in found:
        if "sb3" in block:
            pytest.importorskip("gymnasium")
            try:
                import sb3_contrib  # noqa: F401
            except ImportError:
                continue
        exec(compile(block, path, "exec"), names)
