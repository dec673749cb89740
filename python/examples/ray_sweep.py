"""A thousand runs of the spire as Ray tasks, or on this machine alone where Ray is not installed.

    python ray_sweep.py 1000
    python ray_sweep.py 20 1         with one worker
"""

from __future__ import annotations

import collections
import sys
import time

from turnstone_games.ray import random_policy, rollouts

if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    begun, floors, endings, inputs = time.time(), collections.Counter(), collections.Counter(), 0
    # The reward "progress" is one for every floor, and one more or less for the end.
    wanted = dict(setup="ironclad", reward="progress", match_files=False)
    if len(sys.argv) > 2:
        wanted["workers"] = int(sys.argv[2])
    for episode in rollouts(random_policy, "spire", range(count), **wanted):
        floors[int(episode.total) + {"won": -1, "lost": 1}.get(episode.ending, 0)] += 1
        endings[episode.ending] += 1
        inputs += episode.steps
    spent = time.time() - begun
    print(f"{count} runs, {inputs} inputs in {spent:.1f} s: {dict(endings)}")
    print("floors reached:", dict(sorted(floors.items())))
