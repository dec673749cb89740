"""Rollouts over many machines: ``python/test --ray``."""

import os
import sys
import threading
import time

import pytest

import turnstone_games as ts

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(autouse=True)
def alone():
    """Workers cannot import this file: its functions are sent whole, as those of a script are. Machines that an
    earlier test has started by calling for rollouts go home first."""
    ray = pytest.importorskip("ray")
    from ray import cloudpickle

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    ray.shutdown()


@pytest.fixture
def nodes():
    """A head and two machines with a core each, all of them on this one."""
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    machines = [cluster.add_node(num_cpus=1) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster, machines
    ray.shutdown()
    cluster.shutdown()


def key(episode):
    return episode.seed


def first_allowed(observation, info, lots):
    return info["action_mask"].argmax(1)


def slow_policy(observation, info, lots):
    time.sleep(0.002)
    return ts.ray.random_policy(observation, info, lots)


def test_what_comes_back_is_what_is_played_here(nodes):
    wanted = dict(setup="fight:cultist", chunk=4)
    there = sorted(ts.ray.rollouts(ts.ray.random_policy, "spire", range(12), **wanted), key=key)
    assert there == ts.ray.play("spire", range(12), setup="fight:cultist")
    assert all(ts.verify(episode.match_file)["inputs"] > 0 for episode in there)
    actors = ts.ray.Actors(ts.ray.random_policy, "spire", workers=2, **wanted)
    for _ in range(2):
        assert sorted(actors.play(range(12)), key=key) == there


def test_a_tournament_file_gives_the_same_bytes_though_a_machine_goes_away(nodes, tmp_path):
    from test_others import TOURNAMENT, arena_of_tasks, arena_of_the_program

    cluster, machines = nodes
    theirs = arena_of_the_program(tmp_path / "program", TOURNAMENT)

    def progress(done, of):
        if done >= 3 and machines:
            cluster.remove_node(machines.pop(), allow_graceful=False)
            machines.clear()

    assert arena_of_tasks(tmp_path / "tasks", TOURNAMENT, progress=progress) == theirs
    assert not machines


def test_a_machine_that_goes_away_loses_nothing_but_its_running_episodes(nodes):
    cluster, machines = nodes
    wanted = dict(setup="fight:cultist", chunk=4, match_files=False)
    played = []
    for episode in ts.ray.rollouts(slow_policy, "spire", range(48), **wanted):
        played.append(episode)
        if len(played) == 4:
            cluster.remove_node(machines[0], allow_graceful=False)
    assert [episode.seed for episode in sorted(played, key=key)] == list(range(48))
    assert sorted(played, key=key) == ts.ray.play("spire", range(48), setup="fight:cultist", match_files=False)


def test_players_that_stay_lose_nothing_when_their_machine_goes_away(nodes):
    """The one that was to be made anew once waited for ever for a core that the other one held."""
    cluster, machines = nodes
    wanted = dict(setup="fight:cultist", chunk=4, match_files=False)
    actors = ts.ray.Actors(slow_policy, "spire", workers=2, **wanted)
    played = list(actors.play(range(8)))  # Until both are there.

    def play():
        for episode in actors.play(range(8, 48)):
            played.append(episode)
            if len(played) == 12:
                cluster.remove_node(machines[0], allow_graceful=False)

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    thread.join(180)
    assert not thread.is_alive(), "it waits for ever"
    assert sorted(played, key=key) == ts.ray.play("spire", range(48), setup="fight:cultist", match_files=False)


def test_a_policy_reaches_players_that_had_no_work_when_it_came(nodes):
    wanted = dict(setup="fight:cultist", match_files=False)
    actors = ts.ray.Actors(ts.ray.random_policy, "spire", workers=2, chunk=4, **wanted)
    assert len(list(actors.play(range(8)))) == 8
    assert len(list(actors.play(range(4), first_allowed))) == 4
    assert sorted(actors.play(range(8)), key=key) == ts.ray.play("spire", range(8), first_allowed, **wanted)


def test_more_players_than_cores_play(nodes):
    wanted = dict(setup="four_rooms", time_limit=5, chunk=2)
    actors = ts.ray.Actors(ts.ray.random_policy, "grid", workers=5, **wanted)
    assert [episode.seed for episode in sorted(actors.play(range(20)), key=key)] == list(range(20))


def test_content_is_there_where_its_files_are_not(nodes, tmp_path):
    level = tmp_path / "alone.txt"
    level.write_text("name: Alone\nobjective: exit\n\n@...E\n")
    actors = ts.ray.Actors(ts.ray.random_policy, "grid", setup=str(level), time_limit=5)
    level.unlink()
    assert len(list(actors.play(range(3)))) == 3


def killing_policy(observation, info, lots):
    """Kills its process the first time."""
    try:
        os.close(os.open(os.environ["TURNSTONE_KILLED"], os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return ts.ray.random_policy(observation, info, lots)
    os.kill(os.getpid(), 9)


def test_a_worker_that_is_killed_is_replaced(tmp_path, monkeypatch):
    ray = pytest.importorskip("ray")
    for kind in ("tasks", "actors"):
        monkeypatch.setenv("TURNSTONE_KILLED", str(tmp_path / kind))
        ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
        try:
            wanted = dict(setup="fight:cultist", chunk=4, match_files=False)
            if kind == "tasks":
                played = list(ts.ray.rollouts(killing_policy, "spire", range(12), **wanted))
            else:
                played = list(ts.ray.Actors(killing_policy, "spire", **wanted).play(range(12)))
        finally:
            ray.shutdown()
        assert (tmp_path / kind).exists(), "one was killed"
        assert sorted(played, key=key) == ts.ray.play("spire", range(12), setup="fight:cultist", match_files=False)
