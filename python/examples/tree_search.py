"""A tree search through copy_lanes: every offer of a position is tried at once by random playouts in other worlds.

    python tree_search.py            a fight of the spire, searched and at random
    python tree_search.py 2 32       two fights, by 31 playouts at a time
"""

from __future__ import annotations

import sys

import numpy as np

import turnstone_games as ts

DEPTH = 40


def value_of_offers(env, rng, offered):
    """The mean outcome of each offer of world 0, by playouts in all other worlds."""
    lanes = np.arange(1, env.num_envs)
    env.copy_lanes(np.zeros(len(lanes), int), lanes)
    tried = np.concatenate([[0], (lanes - 1) % offered])
    _, info = env.observe()
    values, over = np.zeros(env.num_envs), np.zeros(env.num_envs, bool)
    for step in range(DEPTH):
        actions = tried if step == 0 else env.sample()
        _, reward, terminated, truncated, _ = env.step(actions)
        values += np.where(over, 0, reward)
        over |= terminated | truncated
    return np.array([values[1:][tried[1:] == offer].mean() for offer in range(offered)])


def play(search, seed, width=128):
    """One fight; the share of hit points left, and -1 for a defeat."""
    wanted = dict(setup="fight:jaw_worm", reward="health", actions="offered", offers=32, autoreset="disabled")
    env = ts.vector("spire", width if search else 1, seed=seed, **wanted)
    rng, total = np.random.default_rng(seed), 0.0
    _, info = env.reset()
    for _ in range(300):
        offered = int(info["offered"][0])
        if search and offered > 1:
            saved = env.save()
            best = int(value_of_offers(env, rng, offered).argmax())
            env.restore(saved)
        else:
            best = int(rng.integers(offered))
        _, reward, terminated, truncated, info = env.step([best] * env.num_envs)
        total += float(reward[0])
        if terminated[0] or truncated[0]:
            break
    return total


if __name__ == "__main__":
    fights = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    width = int(sys.argv[2]) if len(sys.argv) > 2 else 128
    for name, search in [("at random", False), ("searched", True)]:
        totals = [play(search, seed, width) for seed in range(fights)]
        print(f"{name}: {np.mean(totals):.2f} (worst {min(totals):.2f}) over {fights} fights", flush=True)
