"""MaskablePPO of sb3-contrib on a fight of the spire. Needs torch.

    pip install './python[sb3]' && python python/examples/maskable_ppo.py 20000    in the repository
"""

from __future__ import annotations

import sys

import numpy as np

import turnstone_games as ts


def mean(env, model, count=64):
    """The mean total of so many episodes."""
    obs, totals = env.reset(), []
    while len(totals) < count:
        masks = np.stack(env.env_method("action_masks"))
        obs, _, _, infos = env.step(model.predict(obs, action_masks=masks)[0])
        totals += [info["episode"]["r"] for info in infos if "episode" in info]
    return float(np.mean(totals))


def learn(steps):
    """The mean total of an episode before and after so many steps."""
    from sb3_contrib import MaskablePPO

    env = ts.sb3.VecEnv("spire", 32, setup="fight:jaw_worm", reward="health", time_limit=300, seed=1)
    model = MaskablePPO("MultiInputPolicy", env, n_steps=64, batch_size=256, seed=1, verbose=0)
    before = mean(env, model)
    model.learn(steps)
    return before, mean(env, model)


if __name__ == "__main__":
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    before, after = learn(steps)
    print(f"{before:.2f} before, {after:.2f} after {steps} steps")
