"""Steps per second, ours and those of whichever peers are installed, in one process and on one thread.

    python bench.py            every game for a second each
    python bench.py --seconds 3 --json
    python bench.py --threads  one thread against two, by the clock: only on an idle machine
    python bench.py --ray      one worker against two, by the clock

Rates are per second of this process's own time. The random choice of allowed actions is part of it, for ours and for
theirs alike. What is compared is told as a ratio in the end, beside what it is meant to be. "The Rust batch" is twice
there: the same worlds stepped by the same actions without an array of Python's, and the row of `turnstone bench`, which
writes into one set of buffers, has no masks to read and draws its actions in Rust.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time

import numpy as np

import turnstone_games as ts
from turnstone_games.vector import pick


ROUNDS = 5


def measure(step, seconds):
    """Units per second of this process's own time."""
    if isinstance(step, Program):
        return step.measure(seconds)
    units, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        units += step()
    return units / spent


def measure_all(steps, seconds):
    """The best of some rounds for each, in turn: what else the machine does befalls all of them alike, so that ratios
    mean something on a busy machine, too."""
    best = dict.fromkeys(steps, 0.0)
    for step in steps.values():
        if not isinstance(step, Program):
            step()
    for _ in range(ROUNDS):
        for name, step in steps.items():
            best[name] = max(best[name], measure(step, seconds / ROUNDS))
    return best


class Program:
    """A row of ``turnstone bench``, which measures itself."""

    def __init__(self, row):
        self.row = row

    def measure(self, seconds):
        words = [sys.executable, "-m", "turnstone_games", "bench", self.row, "--seconds", str(seconds), "--json"]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        [told] = json.loads(done.stdout)
        return told["best"]


def ours(game, lanes, **wanted):
    env = ts.vector(game, lanes, seed=1, **wanted)
    env.reset()

    def step():
        env.step(env.sample())
        return lanes

    return step


def rust(game, lanes, steps, **wanted):
    """The same worlds stepped in Rust alone, through no array of Python's."""
    env = ts.vector(game, lanes, seed=1, **wanted)

    def step():
        env.rehearse(steps, blind=True)
        return lanes * steps

    return step


def premade(game, lanes, steps, **wanted):
    """Worlds stepped by actions that were made before, as :func:`rust` does it."""
    env = ts.vector(game, lanes, seed=1, **wanted)
    made = [(np.arange(lanes) * 7_919 + step * 104_729) % env.num_actions for step in range(steps)]

    def step():
        env.reset(seed=1)
        for actions in made:
            env.step(actions)
        return lanes * steps

    return step


def threads():
    """Two threads against one, by the clock, in turn; the best of each."""
    for game, lanes, wanted in [("grid", 1_024, dict(setup=FLOOR)), ("chess", 256, dict(seat=None)), ("spire", 256, dict(setup="ironclad")), ("skirmish", 256, dict(seat=None))]:
        envs = [ts.vector(game, lanes, seed=1, threads=count, **wanted) for count in (1, 2)]
        best = [0.0, 0.0]
        for env in envs:
            env.reset()
        for _ in range(12):
            for which, env in enumerate(envs):
                units, begun = 0, time.perf_counter()
                while (spent := time.perf_counter() - begun) < 0.25:
                    env.step(env.sample())
                    units += lanes
                best[which] = max(best[which], units / spent)
        print(f"{game}, {lanes}: {best[0]:,.0f} on one thread, {best[1]:,.0f} on two: {best[1] / best[0]:.2f} times")


def workers():
    """Two Ray workers against one, by the clock, in turn; the best of each."""
    import ray

    from turnstone_games.ray import random_policy, rollouts

    best = {1: 0.0, 2: 0.0}
    wanted = dict(setup="ironclad", chunk=16, match_files=True)
    for count in (1, 2) * 3:
        ray.init("local", num_cpus=count, include_dashboard=False, log_to_driver=False)
        list(rollouts(random_policy, "spire", range(32), **wanted))  # Until every worker is there.
        begun = time.perf_counter()
        inputs = sum(episode.steps for episode in rollouts(random_policy, "spire", range(1_000), **wanted))
        best[count] = max(best[count], inputs / (time.perf_counter() - begun))
        ray.shutdown()
    print(f"ray, spire runs with match files: {best[1]:,.0f} inputs/s by one worker, {best[2]:,.0f} by two: {best[2] / best[1]:.2f} times")


def single(name):
    import gymnasium

    env = gymnasium.make(name, disable_env_checker=True).unwrapped
    env.reset(seed=1)
    actions = np.random.default_rng(1).integers(0, 7, 4_096).tolist()

    def step():
        for action in actions[:512]:
            *_, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        return 512

    return step


def zoo():
    env = ts.zoo.aec("chess")
    env.reset(seed=1)

    def step():
        for _ in range(256):
            *_, terminated, truncated, info = env.last()
            if terminated or truncated:
                env.reset()
            else:
                env.step(int(env.lanes.sample()[0]))
        return 256

    return step


def copies(game, lanes, **wanted):
    """Half of the worlds become copies of the other half, in any order, as in a search; all have gone ways of their
    own before."""
    env = ts.vector(game, lanes, seed=1, **wanted)
    env.reset()
    for _ in range(20):
        env.step(env.sample())
    rng, half = np.random.default_rng(1), lanes // 2
    orders = [rng.permutation(lanes) for _ in range(16)]
    turn = iter(range(10**12))

    def step():
        order = orders[next(turn) % len(orders)]
        env.copy_lanes(order[:half], order[half : 2 * half])
        return half

    return step


def minigrid(name):
    import gymnasium
    import minigrid  # noqa: F401

    env = gymnasium.make(name)
    env.reset(seed=1)

    def step():
        for action in np.random.randint(0, 7, 64):
            *_, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
        return 64

    return step


def envpool(name, lanes, actions):
    import envpool as pool

    env = pool.make_gymnasium(name, num_envs=lanes, num_threads=1)
    state = {"info": env.reset()[1]}
    rng = np.random.default_rng(1)

    def step():
        mask = state["info"].get("legal_action_mask") if isinstance(state["info"], dict) else None
        chosen = rng.integers(0, actions, lanes) if mask is None else pick(np.asarray(mask, bool), rng.random(lanes))
        state["info"] = env.step(chosen)[4]
        return lanes

    return step


def spiel(name):
    import pyspiel

    game = pyspiel.load_game(name)
    state = [game.new_initial_state()]
    rng = np.random.default_rng(1)

    def step():
        for _ in range(32):
            if state[0].is_terminal():
                state[0] = game.new_initial_state()
            if state[0].is_chance_node():
                state[0].apply_action(state[0].chance_outcomes()[0][0])
                continue
            np.asarray(state[0].observation_tensor(), np.float32), state[0].legal_actions_mask()
            legal = state[0].legal_actions()
            state[0].apply_action(legal[rng.integers(len(legal))])
        return 32

    return step


ROWS = [
    ("grid 9x9 floor, 1,024 worlds, full observation", "steps", lambda: ours("grid", 1_024, setup=FLOOR)),
    ("grid 9x9 floor, 1,024 worlds, all cells alone", "steps", lambda: ours("grid", 1_024, setup=FLOOR, parts="cells")),
    ("grid 9x9 floor, 1,024 worlds, how it stands alone", "steps", lambda: ours("grid", 1_024, setup=FLOOR, parts="status")),
    ("grid 9x9 floor, 1,024 worlds, actions made before", "steps", lambda: premade("grid", 1_024, 2_000, setup=FLOOR)),
    ("grid 9x9 floor, 1,024 worlds, the same in Rust alone", "steps", lambda: rust("grid", 1_024, 2_000, setup=FLOOR)),
    ("grid 9x9 floor, 1,024 worlds, turnstone bench", "steps", lambda: Program("grid/empty-9x9/batch-1024")),
    ("grid four rooms, 1,024 worlds, full observation", "steps", lambda: ours("grid", 1_024, setup="four_rooms", time_limit=400)),
    ("grid single Env.step", "steps", lambda: single("turnstone/Grid-v0")),
    ("chess, 256 games, planes and mask, both sides", "plies", lambda: ours("chess", 256, seat=None)),
    ("spire whole runs, 256, observation and mask", "inputs", lambda: ours("spire", 256, setup="ironclad")),
    ("spire jaw worm fights, 256, observation and mask", "inputs", lambda: ours("spire", 256, setup="fight:jaw_worm")),
    ("spire jaw worm fights, 256, offered with features", "inputs", lambda: ours("spire", 256, setup="fight:jaw_worm", actions="offered")),
    ("skirmish, 256, observation and mask, both sides", "inputs", lambda: ours("skirmish", 256, seat=None)),
    ("chess AEC of PettingZoo", "plies", zoo),
    ("copy_lanes, grid", "lanes", lambda: copies("grid", 1_024, setup=FLOOR)),
    ("copy_lanes, chess", "lanes", lambda: copies("chess", 1_024)),
    ("copy_lanes, spire fights", "lanes", lambda: copies("spire", 1_024, setup="fight:jaw_worm")),
    ("peer: MiniGrid Empty-8x8", "steps", lambda: minigrid("MiniGrid-Empty-8x8-v0")),
    ("peer: MiniGrid FourRooms", "steps", lambda: minigrid("MiniGrid-FourRooms-v0")),
    ("peer: EnvPool MiniGrid Empty-8x8, 1,024", "steps", lambda: envpool("MiniGrid-Empty-8x8-v0", 1_024, 7)),
    ("peer: EnvPool Chess-v1, 64", "plies", lambda: envpool("Chess-v1", 64, 4_672)),
    ("peer: OpenSpiel chess, tensor and mask", "plies", lambda: spiel("chess")),
    ("peer: OpenSpiel gin_rummy, tensor and mask", "inputs", lambda: spiel("gin_rummy")),
]

#: Which rows are compared, and how many times as fast the first is meant to be.
RATIOS = [
    ("grid 9x9 floor, 1,024 worlds, full observation", "grid 9x9 floor, 1,024 worlds, turnstone bench", 0.9),
    ("grid 9x9 floor, 1,024 worlds, actions made before", "grid 9x9 floor, 1,024 worlds, the same in Rust alone", 0.9),
    ("grid 9x9 floor, 1,024 worlds, full observation", "peer: EnvPool MiniGrid Empty-8x8, 1,024", 20),
    ("grid 9x9 floor, 1,024 worlds, all cells alone", "peer: EnvPool MiniGrid Empty-8x8, 1,024", 20),
    ("grid 9x9 floor, 1,024 worlds, full observation", "peer: MiniGrid Empty-8x8", 300),
    ("chess, 256 games, planes and mask, both sides", "peer: OpenSpiel chess, tensor and mask", 30),
    ("chess, 256 games, planes and mask, both sides", "peer: EnvPool Chess-v1, 64", 100),
]

#: What rows are meant to reach by themselves, on one core of a machine of today.
AIMS = {
    "chess, 256 games, planes and mask, both sides": 300_000,
    "spire whole runs, 256, observation and mask": 300_000,
    "skirmish, 256, observation and mask, both sides": 120_000,
    "grid single Env.step": 100_000,
    "copy_lanes, grid": 1_000_000,
    "copy_lanes, chess": 1_000_000,
    "copy_lanes, spire fights": 1_000_000,
}

FLOOR = "name: floor\nobjective: exit\n\n" + "\n".join(
    "".join("@" if (x, y) == (4, 4) else "E" if (x, y) == (8, 8) else "." for x in range(9)) for y in range(9)
) + "\n"


def tell(wanted, text):
    if not wanted.json:
        print(text, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--ray", action="store_true")
    parser.add_argument("--only", default="", help="rows whose names contain this")
    wanted = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    if wanted.threads:
        return threads()
    if wanted.ray:
        return workers()
    steps, units = {}, {}
    for name, unit, prepare in ROWS:
        if wanted.only not in name:
            continue
        try:
            steps[name], units[name] = prepare(), unit
        except ImportError as error:
            tell(wanted, f"{name:55} not installed ({error.name})")
        except Exception as error:  # A peer that does not run here is no reason to stop.
            if not name.startswith("peer"):
                raise
            tell(wanted, f"{name:55} does not run here: {type(error).__name__}: {error}")
    tell(wanted, f"{len(steps)} rows in turn, {wanted.seconds:g} s each")
    rates = measure_all(steps, wanted.seconds)
    for name, rate in rates.items():
        aim = f" (aim: {AIMS[name]:,})" if name in AIMS else ""
        tell(wanted, f"{name:55} {rate:14,.0f} {units[name]}/s{aim}")
    for ours, theirs, aim in RATIOS:
        if ours in rates and theirs in rates:
            tell(wanted, f"{ours} / {theirs.removeprefix('peer: ')}: {rates[ours] / rates[theirs]:.3g} times (aim: {aim})")
    if wanted.json:
        print(json.dumps(rates, indent=1))


if __name__ == "__main__":
    main()
