"""A policy gradient with nothing but numpy, on a grid level and on a fight of the spire.

    python policy_gradient.py grid            about a minute
    python policy_gradient.py spire           the same; sees nothing but the words of what is offered
    python policy_gradient.py both --seeds 5  and draws curves.png

The policy is one layer: a weight for every number of the observation and every action (grid), or one weight for every
number that describes an offer (spire). It is moved towards what came out better than the average of its episodes.
"""

from __future__ import annotations

import argparse
import struct
import zlib

import numpy as np

import turnstone_games as ts

ROOM = "name: room\nobjective: exit\n\n@.....\n..##..\n......\n.##...\n.....E\n"


def softmax(logits, mask):
    logits = np.where(mask, logits, -1e9)
    logits = np.exp(logits - logits.max(1, keepdims=True))
    return logits / logits.sum(1, keepdims=True)


class Grid:
    """Where the agent is chooses what it does: weights for (cell, action)."""

    title, lanes, rounds, rate = "grid: steps to the exit", 64, 60, 2.0
    wanted = dict(setup=ROOM, time_limit=60, parts="cells")

    def __init__(self, env):
        self.weights = np.zeros((int(np.prod(env.parts[0]["shape"][:2])), env.num_actions))

    def features(self, obs):
        return obs[..., 27].reshape(len(obs), -1).astype(float)  # plane 27: the agent is here

    def logits(self, features):
        return features @ self.weights

    def gradient(self, features, chosen, weight):
        return features.T @ (chosen * weight[:, None])


class Spire:
    """What an offer says chooses how likely it is: one weight for every number that describes an offer."""

    title, lanes, rounds, rate = "spire: hit points left after a fight", 64, 40, 0.1
    wanted = dict(setup="fight:jaw_worm", actions="offered", offers=24, parts="offers", reward="health", time_limit=300)

    def __init__(self, env):
        self.weights = np.zeros(env.parts[-1]["shape"][-1])

    def features(self, obs):
        return np.clip(obs, -3, 3).astype(float)

    def logits(self, features):
        return features @ self.weights

    def gradient(self, features, chosen, weight):
        return np.einsum("nkf,nk,n->f", features, chosen, weight)


def episodes(env, policy, rng, learn):
    """One episode in every world: totals, and how the weights should move."""
    obs, info = env.reset(seed=int(rng.integers(2**31)))
    over, totals, steps = np.zeros(env.num_envs, bool), np.zeros(env.num_envs), []
    while not over.all():
        features, mask = policy.features(obs), info["action_mask"].copy()
        chances = softmax(policy.logits(features), mask)
        actions = (chances.cumsum(1) > rng.random((len(chances), 1))).argmax(1)
        chosen = -chances
        chosen[np.arange(len(actions)), actions] += 1
        steps.append((features, chosen, ~over, totals.copy()))
        obs, reward, terminated, truncated, info = env.step(actions)
        totals += np.where(over, 0, reward)
        over |= terminated | truncated
    if not learn:
        return totals, None
    move = np.zeros_like(policy.weights)
    for features, chosen, alive, before in steps:
        to_come = (totals - before) * alive
        weight = np.where(alive, to_come - to_come[alive].mean(), 0) / (totals.std() + 1e-6)
        move += policy.gradient(features, chosen, weight)
    return totals, move / len(steps) ** 0.5 / env.num_envs


def learn(kind, game, seed, rounds):
    """The mean total of every round, before and while learning."""
    env = ts.vector(game, kind.lanes, seed=seed, autoreset="disabled", **kind.wanted)
    rng, policy, curve = np.random.default_rng(seed), kind(env), []
    for _ in range(rounds or kind.rounds):
        totals, move = episodes(env, policy, rng, True)
        policy.weights += kind.rate * move
        curve.append(totals.mean())
    return curve, episodes(env, policy, rng, False)[0].mean(), policy


def report(kind, game, seeds, rounds):
    """Learns from several seeds and compares with playing at random."""
    learned, begun, curves = [], [], []
    for seed in range(seeds):
        curve, after, policy = learn(kind, game, seed, rounds)
        learned.append(after)
        begun.append(curve[0])  # all weights were 0: that was play at random
        curves.append(curve)
        print(f"{game}, seed {seed}: {curve[0]:.2f} at random, {after:.2f} learned", flush=True)
    gain = np.array(learned) - np.array(begun)
    error = gain.std(ddof=1) / len(gain) ** 0.5 if len(gain) > 1 else float("nan")
    print(f"{game}: {np.mean(begun):.2f} → {np.mean(learned):.2f}, gain {gain.mean():.2f} ± {error:.2f} (standard error): {gain.mean() / error:.1f} of them")
    return np.array(curves), gain.mean(), error


def draw(curves, title):
    """Learning curves as a picture: one thin line for each seed, a thick one for their mean."""
    height, width = 240, 480
    image = np.full((height, width, 3), 250, np.uint8)
    low, high = curves.min(), curves.max() + 1e-9
    line = lambda curve: (height - 20 - (curve - low) / (high - low) * (height - 40)).astype(int)
    xs = np.linspace(10, width - 10, 4 * width)
    for curve, ink, thick in [(c, (170, 190, 220), 1) for c in curves] + [(curves.mean(0), (30, 80, 160), 3)]:
        ys = line(np.interp(np.linspace(0, len(curve) - 1, len(xs)), np.arange(len(curve)), curve))
        for x, y in zip(xs.astype(int), ys):
            image[max(0, y - thick // 2) : y + thick // 2 + 1, x] = ink
    ts.render._write(image, 10, 4, f"{title}  {low:.2f} to {high:.2f}", (60, 60, 60))
    return image


def save_png(path, image):
    """A picture as a file, without any library."""
    rows = b"".join(b"\0" + row.tobytes() for row in image)
    chunk = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    head = struct.pack(">IIBBBBB", image.shape[1], image.shape[0], 8, 2, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["grid", "spire", "both"], nargs="?", default="both")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--picture", default="curves.png")
    wanted = parser.parse_args()
    pictures = []
    for kind, game in [(Grid, "grid"), (Spire, "spire")]:
        if wanted.what in (game, "both"):
            curves, gain, error = report(kind, game, wanted.seeds, wanted.rounds)
            pictures.append(draw(curves, kind.title))
    save_png(wanted.picture, np.concatenate(pictures))
    print(f"learning curves: {wanted.picture}")
