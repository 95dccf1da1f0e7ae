"""Optimal labels beside the paper's algorithms and xcolumns.

``python benchmarks/decisions_peer.py``. xcolumns 0.0.2 searches for labels by coordinate ascent
on the metric of the expected confusion table; it runs in an environment of its own, made on
first use (``--environment``). One table per batch size: seconds of processor time (so that
other work on the machine does not count), the ratio to each peer, how far apart utilities
are, and by how much the expected utility of xcolumns' labels falls short. The exit code
is 1 where a promised time is exceeded, utilities differ, or xcolumns' labels are better.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from peer_environment import CannotInstall, peer_python
from speed import peak

from rocviz.core.decisions.decision import optimal_decision
from rocviz.core.decisions.label_utility import expected_utility
from rocviz.core.decisions.reference import algorithm_1, algorithm_2

PEER_REQUIREMENT = "xcolumns==0.0.2"
METRICS = ("f1", "jaccard", "am", "g_tp_pr", "g_mean", "h_mean", "q_mean")
SAMPLE_SIZES = (300, 1_000, 10_000, 100_000, 1_000_000)
# promised seconds by size and metric
PROMISES = {
    10_000: dict.fromkeys(METRICS, 0.5),
    100_000: {"f1": 0.1, "jaccard": 0.1, "g_mean": 5.0, "h_mean": 5.0},
    1_000_000: {"f1": 1.5, "jaccard": 1.5},
}
MAX_SAMPLES = {"Algorithm 1": 300, "Algorithm 2": 10_000, "xcolumns": 10_000}
MAX_WINDOWED_SAMPLES = 100_000  # beyond, G- and H-Mean take minutes

# What runs in the other environment: it must not import anything of ours.
DRIVER_SOURCE = """
import json, sys, time
import numpy as np
from xcolumns import metrics
from xcolumns.block_coordinate import predict_using_bc_with_0approx

NAMES = {"f1": "f1_score", "jaccard": "jaccard_score", "am": "balanced_accuracy",
         "g_mean": "gmean", "h_mean": "hmean"}
metric = getattr(metrics, f"binary_{NAMES[sys.argv[2]]}_on_conf_matrix")
prob = np.load(sys.argv[1])[:, None]
predict_using_bc_with_0approx(prob[:50], metric, 0, seed=0)
start = time.process_time()
labels = predict_using_bc_with_0approx(prob, metric, 0, seed=0)
seconds = time.process_time() - start
print(json.dumps({"seconds": seconds, "labels": np.flatnonzero(labels[:, 0]).tolist()}))
"""
PEER_METRICS = ("f1", "jaccard", "am", "g_mean", "h_mean")


def run_peer(python: Path, prob: np.ndarray, metric: str) -> tuple[float, np.ndarray]:
    """Measure the seconds that xcolumns takes, and get its labels."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "prob.npy"
        np.save(file, prob)
        process = subprocess.run(
            [str(python), "-c", DRIVER_SOURCE, str(file), metric],
            capture_output=True,
            text=True,
            check=True,
        )
    answer = json.loads(process.stdout.splitlines()[-1])
    labels = np.zeros(prob.size, dtype=int)
    labels[answer["labels"]] = 1
    return answer["seconds"], labels


def best_of(repeat: int, function: Callable[[], Any]) -> tuple[float, Any]:
    """Measure the least time of several runs, and get the result of the last."""
    seconds = float("inf")
    result = None
    for _ in range(repeat):
        start = time.process_time()
        result = function()
        seconds = min(seconds, time.process_time() - start)
    return seconds, result


def report(prob: np.ndarray, metric: str, repeat: int, python: Path | None) -> bool:
    """Print a row; return whether the promises are kept."""
    n = prob.size
    seconds, decision = best_of(repeat, lambda: optimal_decision(prob, metric))
    promise = PROMISES.get(n, {}).get(metric)
    kept = promise is None or seconds <= promise
    row = [f"{metric:8}", f"{seconds:9.4f}"]
    row.append(" " * 13 if promise is None else f"<= {promise:<4g} {'ok' if kept else 'MISSED':>5}")
    row.append(f"{peak(lambda: optimal_decision(prob, metric)):7.1f}")
    for name, algorithm in (("Algorithm 1", algorithm_1), ("Algorithm 2", algorithm_2)):
        fits = name == "Algorithm 1" or metric in ("f1", "jaccard")
        if n > MAX_SAMPLES[name] or not fits:
            row.append(f"{'':>31}")
            continue
        theirs, utilities = best_of(1, lambda run=algorithm: run(prob, metric))
        difference = np.abs(utilities - decision.utilities).max()
        row.append(f"{theirs:9.3f} {theirs / seconds:9.0f}x {difference:10.1e}")
        kept &= bool(difference < 1e-12)
    if python is not None and n <= MAX_SAMPLES["xcolumns"] and metric in PEER_METRICS:
        theirs, labels = run_peer(python, prob, metric)
        short = decision.utility - expected_utility(labels, prob, metric)
        row.append(f"{theirs:9.3f} {theirs / seconds:9.0f}x {short:10.1e}")
        kept &= short > -1e-12
    print("  ".join(row).rstrip(), flush=True)
    return kept


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", nargs="*", type=int, default=SAMPLE_SIZES, help="of batches")
    parser.add_argument("--repeat", type=int, default=3, help="runs of ours (default: 3)")
    parser.add_argument(
        "--environment",
        type=Path,
        default=Path(__file__).resolve().parents[1] / ".venv-xcolumns",
        help="folder of the peer's environment (default: %(default)s)",
    )
    parser.add_argument(
        "--python", default=sys.executable, help="what the environment is made with"
    )
    options = parser.parse_args(arguments)
    python = None
    try:
        python = peer_python(
            options.environment,
            options.python,
            (PEER_REQUIREMENT,),
            "xcolumns.block_coordinate",
        )
    except CannotInstall as error:
        print(f"xcolumns is left out: {error}", file=sys.stderr)
    kept = True
    for n in options.sizes:
        prob = np.random.default_rng(0).random(n)
        print(f"\n{n:,} samples")
        peers = (
            "  Algorithm 1: s, ratio, apart",
            "  Algorithm 2: s, ratio, apart",
            "   xcolumns: s, ratio, short by",
        )
        print("metric    rocviz, s  promised          MiB  " + "  ".join(f"{p:31}" for p in peers))
        for metric in METRICS:
            if n <= MAX_WINDOWED_SAMPLES or metric not in ("g_mean", "h_mean"):
                kept &= report(prob, metric, options.repeat, python)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
