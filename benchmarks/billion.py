"""Count a billion simulated rows piece by piece: time, memory, and how wide the bounds are.

Not part of ``make bench``, because it takes minutes: ``python benchmarks/billion.py [rows]``.
"""

import resource
import sys
import time
from dataclasses import asdict

import numpy as np
from scipy.special import expit, ndtr
from tqdm import tqdm

from rocviz import RankedSegments
from rocviz.core.calibration import brier_bounds

SAMPLES_PER_PIECE = 2_000_000
SEPARATION = 1.5
PREVALENCE = 0.2


class Pieces:
    """Labels and true probabilities of two normal classes, with the time of the simulation."""

    def __init__(self, n_rows):
        self.n_rows = n_rows
        self.seconds = 0.0

    def __iter__(self):
        log_odds = np.log(PREVALENCE / (1 - PREVALENCE))
        for i, start in enumerate(tqdm(range(0, self.n_rows, SAMPLES_PER_PIECE), unit="piece")):
            began = time.process_time()
            rng = np.random.default_rng([0, i])
            y = rng.random(min(SAMPLES_PER_PIECE, self.n_rows - start)) < PREVALENCE
            x = rng.standard_normal(y.size) + SEPARATION * y
            prob = expit(log_odds + SEPARATION * (x - SEPARATION / 2))
            self.seconds += time.process_time() - began
            yield y, prob


def main():
    """Count, then print results, time and memory."""
    pieces = Pieces(int(float(sys.argv[1])) if len(sys.argv) > 1 else 1_000_000_000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    wall = time.perf_counter()
    processor = time.process_time()
    segments = RankedSegments.from_partitions(pieces)
    wall = time.perf_counter() - wall
    processor = time.process_time() - processor
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{pieces.n_rows:,} rows in pieces of {SAMPLES_PER_PIECE:,}: {segments!r}")
    print(
        f"processor time: simulating {pieces.seconds:.0f} s, counting "
        f"{processor - pieces.seconds:.0f} s; {wall:.0f} s passed"
    )
    print(f"most memory: {peak:.0f} MiB, of which {before:.0f} before the first piece")
    low, high = segments.auc_bounds
    print(f"AUC from {low:.8f} to {high:.8f}; of the distributions {ndtr(SEPARATION / 2**0.5):.8f}")
    hulls = segments.hull().auc, segments.best_order().hull().auc
    print(f"AUC of the hull from {hulls[0]:.8f} to {hulls[1]:.8f}")
    lows, highs = map(asdict, brier_bounds(segments))
    for term in lows:
        print(f"{term}: from {lows[term]:.8f} to {highs[term]:.8f}")


if __name__ == "__main__":
    main()
