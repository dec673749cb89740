"""Tables: one match at a time."""

import ast
import doctest
import gzip
import importlib
import inspect
import json
import os
import pickle
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import turnstone_games as ts
from turnstone_games import _opening


def test_examples_in_the_documentation():
    names = ["table", "vector", "ray"]
    try:
        import pettingzoo  # noqa: F401

        names += ["envs", "zoo"]
    except ImportError:
        pass
    for module in [ts] + [importlib.import_module(f"turnstone_games.{name}") for name in names]:
        done = doctest.testmod(module)
        assert done.failed == 0 and done.attempted > 0, module


PACKAGE = Path(ts.__file__).parent

#: Of these the text says everything, or the example of what they belong to.
NO_EXAMPLE = {"envs.Env.close", "vector.Lanes.close_extras", "ray.Episode", "ray.Match", "ray.Lots.random"}


def public():
    """Every public class, function and method of the package: its name and what it says."""
    for file in sorted(PACKAGE.glob("*.py")):
        if not file.name.startswith("_"):
            for node in ast.parse(file.read_text()).body:
                for one in [node, *(node.body if isinstance(node, ast.ClassDef) else [])]:
                    if isinstance(one, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_") and not one.name.startswith("_"):
                        name = one.name if one is node else f"{node.name}.{one.name}"
                        yield f"{file.stem}.{name}", ast.get_docstring(one) or ""


def test_everything_public_is_documented():
    told = dict(public())
    assert len(told) > 90 and [name for name, text in told.items() if not text] == []
    asked = ("table.", "vector.Lanes.", "envs.Env.", "ray.")
    without = [name for name, text in told.items() if name.startswith(asked) and ">>>" not in text]
    assert sorted(set(without) - NO_EXAMPLE) == []


def test_a_match_is_played_undone_forked_saved_and_verified():
    table = ts.open("chess", seed=1)
    assert table.seats == ["white", "black"]
    assert table.act("e2e4") == 1
    other = table.fork()
    assert table.act("e7e5") == 2
    assert table.undo() and table.act("c7c5") == 3
    assert len(table.branches()) == 2 and len(other.branches()) == 1
    assert "e4" in table.explain(1)
    again = ts.load(table.save())
    assert again.digest() == table.digest() and again.moments == 4
    assert pickle.loads(pickle.dumps(table)).digest() == table.digest()
    assert ts.verify(table.save())["inputs"] == 3
    table.jump(2)
    assert table.view(0)["player"] == table.view()["player"]


def test_a_table_travels_with_its_content(tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "hall.txt").write_text("name: Hall\nobjective: exit\n\n@..E\n")
    table = ts.open("grid", setup="hall", content=folder)
    table.act("right")
    packed, forked = pickle.dumps(table), pickle.dumps(table.fork())
    (folder / "hall.txt").unlink()
    for again in (pickle.loads(packed), pickle.loads(forked), pickle.loads(pickle.dumps(pickle.loads(packed)))):
        assert again.digest() == table.digest()


def test_refusals_have_codes_and_leave_no_trace():
    table = ts.open("grid", setup="four_rooms")
    before = table.digest()
    for wrong, code in [({"act": 5}, "MALFORMED"), (["x"], "MALFORMED")]:
        with pytest.raises(ts.TurnstoneError) as told:
            table.act(wrong)
        assert told.value.code == code, told.value.message
    with pytest.raises(ts.TurnstoneError):
        table.choose(99)
    assert table.digest() == before
    with pytest.raises(ts.TurnstoneError) as told:
        ts.verify("not a match file")
    assert told.value.code and "line" in str(told.value)
    with pytest.raises(ts.TurnstoneError):
        table.explain(77)
    with pytest.raises(ts.TurnstoneError) as told:
        table.render("oils")
    assert told.value.code == "BAD_OPTION"


def test_bots_play_every_game_to_its_end():
    for game in ts.games():
        table = ts.open(game, seed=5)
        for seat in range(len(table.seats)):
            table.seat_bot(seat, "random", seed=seat)
        table.play_bots(3_000)
        assert ts.verify(table.save())["inputs"] > 0
        assert isinstance(table.tally(), dict)
        assert table.render("ansi") and table.render("rgb_array").shape == (480, 640, 3)


def test_pictures_show_what_stands_on_the_board():
    table = ts.open("chess")
    full = table.render("rgb_array", 0)
    for _ in range(2):
        table.act(table.inputs()[0])
    assert (full != table.render("rgb_array", 0)).any()
    empty = ts.open("chess", setup="8/8/8/4k3/8/8/8/4K3 w - - 0 1").render("rgb_array", 0)
    squares = lambda image: (image[28:408, 8:388] > 100).any(2).sum()
    assert squares(full) > 5 * squares(empty) > 0, "thirty-two men are more than two"


def test_content_of_ones_own(tmp_path):
    card = '[card.zap_zap]\ntype = "attack"\ncost = 1\ndo = [{ attack = [4, 6], times = 2 }]\n'
    (tmp_path / "mine.toml").write_text(card)
    situation = "situation:hand: zap_zap; enemy: jaw_worm 40/44"
    table = ts.open("spire", setup=situation, content=tmp_path)
    assert any("Zap" in label for label in table.labels(0))
    with pytest.raises(ts.TurnstoneError):
        ts.open("spire", setup=situation)


def test_a_seed_is_taken_as_it_is_or_not_at_all():
    """1.9 once played the match of 1."""
    for wrong in (1.9, -1, 2**64, True, None, [1]):
        with pytest.raises(ts.TurnstoneError) as told:
            ts.open("chess", seed=wrong)
        assert told.value.code == "BAD_OPTION", wrong
    with pytest.raises(ts.TurnstoneError) as told:
        ts.open("chess", seed="no seed!")
    assert told.value.code == "MALFORMED"
    assert ts.open("chess", seed="17").seed == ts.open("chess", seed=np.int64(17)).seed == 17
    with pytest.raises(ts.TurnstoneError) as told:
        ts.ray.play("grid", [1.9], setup="four_rooms", time_limit=1)
    assert told.value.code == "BAD_OPTION"


def test_what_cannot_be_read_is_told_as_the_program_tells_it(tmp_path, monkeypatch):
    """A path that is not there was once a bare FileNotFoundError, and a small file could unpack to any size."""
    (tmp_path / "latin.toml").write_bytes(b"name = \"\xe9\"")
    (tmp_path / "torn.toml.gz").write_bytes(gzip.compress(b"name = 1" * 99)[:20])
    (tmp_path / "bomb.toml.gz").write_bytes(gzip.compress(b"#" * 10_000))
    (tmp_path / "long.toml").write_bytes(b"#" * 10_000)
    (tmp_path / "fits.toml.gz").write_bytes(gzip.compress(b"#" * 9_000))
    monkeypatch.setattr(_opening, "_LIMIT", 9_000)
    wrong = {
        "nowhere.toml": "NO_SUCH_FILE",
        "latin.toml": "UNREADABLE_FILE",
        "torn.toml.gz": "UNREADABLE_FILE",
        "bomb.toml.gz": "TOO_LARGE",
        "long.toml": "TOO_LARGE",
    }
    for name, code in wrong.items():
        for call in (ts.open, ts.vector, lambda game, content: ts.load(ts.open(game).save(), content=content)):
            with pytest.raises(ts.TurnstoneError, match=name) as told:
                call("spire", content=tmp_path / name)
            assert told.value.code == code and told.value.message.startswith(f"[{code}]")
    assert len(_opening.read(str(tmp_path / "fits.toml.gz"))) == 9_000
    with pytest.raises(ts.TurnstoneError) as told:
        ts.ray.arena(tmp_path / "nowhere.toml")
    assert told.value.code == "NO_SUCH_FILE"


def test_what_is_no_content_in_a_content_directory_is_left_alone(tmp_path):
    (tmp_path / "b").mkdir()
    for name in ["c.toml", "b/a.txt", "notes.md", "a.toml"]:
        (tmp_path / name).write_text(name)
    (tmp_path / "d.toml.gz").write_bytes(gzip.compress(b"packed"))
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    os.symlink(tmp_path, tmp_path / "b" / "round")
    found = _opening.sources(tmp_path)
    assert [text for _, text in found] == ["a.toml", "b/a.txt", "c.toml", "packed"], "as the program reads it"


ALONE = """
import sys

for name in ("gymnasium", "pettingzoo", "pygame", "ray", "stable_baselines3", "torch", "moviepy"):
    sys.modules[name] = None  # Whoever imports it is told that it is not there.
import turnstone_games as ts
from turnstone_games.ray import Actors, play, random_policy, report, tournament

env = ts.vector("spire", 3, setup="fight:jaw_worm", actions="offered", record=True, autoreset="same_step", reward=lambda *seen: seen[1])
env.reset()
for _ in range(20):
    obs, reward, *_ = env.step(env.sample())
assert obs["offers"].shape == (3, 256, 64) and reward.shape == (3,)
assert ts.verify(env.match_file(0))["inputs"] > 0 and env.picture(0, mode="rgb_array").shape == (480, 640, 3)
env.restore(env.save())
assert report(play("grid", [1, 2], setup="four_rooms", time_limit=5))["episodes"] == 2
assert len(list(Actors(random_policy, "grid", setup="four_rooms", time_limit=5).play([1]))) == 1
assert len(list(tournament(["random", "easy"], "skirmish", [1]))) == 2
for name in ("zoo", "sb3", "envs"):
    try:
        getattr(ts, name)
        raise SystemExit(f"{name} is there")
    except ImportError:
        pass
print("alone")
"""


def test_numpy_is_all_it_needs():
    done = subprocess.run([sys.executable, "-W", "error", "-c", ALONE], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stdout == "alone\n", done.stderr


def native_names():
    """The names of the native half as its stubs have them, with those of its classes."""
    tree = ast.parse((PACKAGE / "_native.pyi").read_text())
    for node in tree.body:
        if isinstance(node, ast.AnnAssign):
            yield node.target.id
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            yield node.name
            for method in getattr(node, "body", []) if isinstance(node, ast.ClassDef) else []:
                if isinstance(method, ast.FunctionDef):
                    yield f"{node.name}.{method.name}"


def test_stubs_name_what_there_is_and_nothing_else():
    native, given = ts._native, set()
    for name in dir(native):
        if name == "__version__" or not name.startswith("_"):
            given.add(name)
            own = vars(getattr(native, name)) if isinstance(getattr(native, name), type) else {}
            given |= {f"{name}.{one}" for one in own if not one.startswith("_")}
    stubs = {name for name in native_names() if not name.endswith(".__init__")}
    assert stubs == given
    # And their arguments are called alike.
    for node in ast.parse((PACKAGE / "_native.pyi").read_text()).body:
        for method in node.body if isinstance(node, ast.ClassDef) else []:
            if isinstance(method, ast.FunctionDef) and not method.decorator_list and method.name != "__init__":
                told = list(inspect.signature(getattr(getattr(native, node.name), method.name)).parameters)
                assert told == [argument.arg for argument in method.args.args], (node.name, method.name)


def test_the_program_is_there():
    def run(*words):
        return subprocess.run([sys.executable, "-m", "turnstone_games", *words], capture_output=True, text=True)

    assert "spire" in run("games").stdout
    wrong = run("frobnicate")
    assert wrong.returncode == 2 and wrong.stderr


def test_it_serves_and_bears_load():
    words = [sys.executable, "-m", "turnstone_games"]
    serve = [*words, "serve", "--port", "0", "--store", "memory"]
    with subprocess.Popen(serve, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        place = server.stdout.readline().split()[-1]
        with urllib.request.urlopen(place, timeout=60) as answer:
            assert answer.status == 200 and b"<html" in answer.read()
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=60) == 0
    stress = [*words, "stress", "--matches", "4", "--spectators", "2", "--seconds", "1", "--json"]
    told = subprocess.run(stress, capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["lost"] == 0
