"""Cost-optimal policies for groups beside fairlearn: ``python benchmarks/groups_peer.py``.

The same simulated data, and a false alarm and a miss cost the same, since that is what fairlearn's
``ThresholdOptimizer`` minimises (on a grid of 1000 values). Processor time, the median of runs that
take turns. Writes the table of docs/groups.md; the exit code is 1 where our policy is dearer.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path

import numpy as np
from fairlearn.postprocessing import ThresholdOptimizer
from sklearn.base import BaseEstimator, ClassifierMixin
from speed import format_seconds, in_turns

from rocviz.core.groups.policy import cost_optimal_policy
from rocviz.datasets import make_groups

SAMPLE_SIZES = (1_000, 10_000, 100_000, 1_000_000)
CONSTRAINTS = {
    "demographic_parity": "demographic_parity",
    "equal_opportunity": "true_positive_rate_parity",
    "predictive_equality": "false_positive_rate_parity",
    "equalized_odds": "equalized_odds",
}
TABLE_HEADER = (
    "promise",
    "samples",
    "cost",
    "fairlearn's cost",
    "dearer by",
    "time",
    "fairlearn's time",
    "ratio",
)
_ROUNDING_TOLERANCE = 1e-12
OUTPUT = Path(__file__).resolve().parents[1] / "docs" / "measured" / "groups_peer.csv"


class Scores(ClassifierMixin, BaseEstimator):
    """A fitted model whose prediction is the only feature."""

    classes_ = np.array([0, 1])

    def fit(self, X, y=None):
        return self

    def __sklearn_is_fitted__(self):
        return True

    def predict(self, X):
        return X[:, 0]


def theirs(data, criterion: str) -> ThresholdOptimizer:
    peer = ThresholdOptimizer(
        estimator=Scores(),
        constraints=CONSTRAINTS[criterion],
        objective="accuracy_score",
        prefit=True,
        predict_method="predict",
    )
    return peer.fit(data.y_score[:, None], data.y_true, sensitive_features=data.groups)


def cost_of(peer: ThresholdOptimizer, data) -> float:
    """Compute the expected cost per sample of the peer's policy."""
    predictions = peer._pmf_predict(data.y_score[:, None], sensitive_features=data.groups)[:, 1]
    return float(np.where(data.y_true == 1, 1 - predictions, predictions).mean())


def compare(n: int, criterion: str, repeat: int) -> tuple[float, float, float, float]:
    """Measure costs and seconds of rocviz and of the peer."""
    sizes = (n * 7 // 10, n * 3 // 10)
    data = make_groups(sizes, prevalence=(0.5, 0.3), separation=(2.0, 1.2), random_state=0)

    def ours():
        return cost_optimal_policy(data.y_true, data.y_score, data.groups, criterion=criterion)

    cost = ours().cost
    peers_cost = cost_of(theirs(data, criterion), data)
    seconds, peers_seconds = in_turns(repeat, ours, lambda: theirs(data, criterion))
    return cost, peers_cost, seconds, peers_seconds


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--samples", type=int, default=SAMPLE_SIZES[-1], help="the most; default: 1e6"
    )
    parser.add_argument("--repeat", type=int, default=5, help="runs per side (default: 5)")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="file that is written")
    options = parser.parse_args(arguments)
    rows = []
    is_dearer = False
    for criterion in CONSTRAINTS:
        for n in (size for size in SAMPLE_SIZES if size <= options.samples):
            ours, peers, mine, others = compare(n, criterion, options.repeat)
            is_dearer |= ours > peers + _ROUNDING_TOLERANCE
            costs = (f"{ours:.6f}", f"{peers:.6f}", f"{max(peers - ours, 0):.1e}")
            times = (format_seconds(mine), format_seconds(others), f"{mine / others:.2g}")
            rows.append((criterion.replace("_", " "), f"{n:,}", *costs, *times))
            print(" | ".join(rows[-1]), flush=True)
    with options.output.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([TABLE_HEADER, *rows])
    if is_dearer:
        print("MISSED: a policy of ours is dearer than fairlearn's", file=sys.stderr)
    return int(is_dearer)


if __name__ == "__main__":
    sys.exit(main())
