"""Scoring lists beside scikit-psl: ``python benchmarks/scoring_lists_peer.py``.

scikit-psl 0.7.2 needs NumPy 1, so it runs in an environment of its own, made on first use
(``--environment``), and reports its stages as it fits them. After ``--seconds`` a case is
stopped, and rocviz is timed up to the same stage, both in processor time. Prints the ratio and
the entropies of every stage; the exit code is 1 where rocviz is less than 100 times as fast, or
loses more at a stage with every threshold looked at, its default. With halving both go by the
same rule, but may take different ones of thresholds that are equally good, and then go different
ways.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from peer_environment import CannotInstall, peer_python

PEER_REQUIREMENTS = ("numpy<2", "scikit-psl==0.7.2")
SCORE_SET = (-3, -2, -1, 1, 2, 3)
CASE_SHAPES = {
    "1000x10": (1_000, 10),
    "10000x20": (10_000, 20),
    "100000x20": (100_000, 20),
    "bisect": "bisect",
    "brute": "brute",
}
PROMISED_RATIO = 100.0

# What runs in the other environment: it must not import anything of ours.
DRIVER_SOURCE = """
import json, sys, time
import numpy as np
from skpsl import ProbabilisticScoringList

data = np.load(sys.argv[1])

class Telling(ProbabilisticScoringList):
    def _fit_and_store_clf_at_k(self, X, y, sample_weight=None, f=None, s=None, t=None):
        loss = super()._fit_and_store_clf_at_k(X, y, sample_weight, f, s, t)
        stage = {"seconds": time.process_time() - start, "loss": float(loss)}
        stage["items"] = [[int(a), int(b)] for a, b in zip(f or [], s or [])]
        print(json.dumps(stage), flush=True)
        return loss

model = Telling(json.loads(sys.argv[2]), method=sys.argv[3])
start = time.process_time()
model.fit(data["X"], data["y"])
"""


@dataclass(frozen=True)
class Stage:
    """One stage of the peer: seconds since the start, loss, features and scores so far."""

    seconds: float
    loss: float
    items: list[list[int]]


def run_peer(python: Path, X, y, method: str, seconds: float) -> list[Stage]:
    """List the stages that scikit-psl fits within a number of seconds."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "data.npz"
        np.savez(file, X=X, y=y)
        command = [python, "-c", DRIVER_SOURCE, file, json.dumps(SCORE_SET), method]
        one_core = {**os.environ, "OMP_NUM_THREADS": "1"}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=one_core) as process:
            timer = threading.Timer(seconds, process.kill)
            timer.start()
            stages = [Stage(**json.loads(line)) for line in process.stdout]
            timer.cancel()
    return stages


def data_of(case: str):
    """Find X and y of a case."""
    if isinstance(CASE_SHAPES[case], tuple):
        from bench_scoring_lists import yes_or_no

        X, y = yes_or_no(*CASE_SHAPES[case])
        return X.astype(float), y.astype(int)
    from sklearn.datasets import load_breast_cancer

    return load_breast_cancer(return_X_y=True)


def run_ours(X, y, method: str, max_stages: int | None):
    """Fit an estimator; return it with the best time of three, or of a second of them."""
    from rocviz import ProbabilisticScoringList

    times: list[float] = []
    while len(times) < 3 or sum(times) < 1:
        model = ProbabilisticScoringList(
            score_set=SCORE_SET, thresholds=method, max_stages=max_stages
        )
        start = time.process_time()
        model.fit(X, y)
        times.append(time.process_time() - start)
    return model, min(times)


def report(case: str, ours, seconds: float, stages: list[Stage], every) -> bool:
    """Print a case; return whether the promises are kept for the losses of ``every``."""
    shape = (
        "breast cancer 569x30, thresholds in the search, " if case in ("bisect", "brute") else ""
    )
    print(f"\n{shape}{case}: rocviz {seconds:.3f} s for {len(ours.features_)} stages", end="")
    losses = ours.stage_losses_
    if not stages:
        print("; entropies " + " ".join(f"{loss:.4f}" for loss in losses))
        return False
    theirs = np.array([stage.loss for stage in stages])
    ratio = stages[-1].seconds / seconds
    print(f", scikit-psl {stages[-1].seconds:.1f} s: {ratio:.0f} times as fast")
    own = list(zip(ours.features_.tolist(), ours.scores_.tolist(), strict=True))
    other = [tuple(item) for item in stages[-1].items]
    print("stage     rocviz  scikit-psl  difference  every threshold  item")
    default = every.stage_losses_
    for k, (mine, peer, best) in enumerate(zip(losses, theirs, default, strict=True)):
        item = "" if k == 0 else f"{own[k - 1]}"
        if k and own[k - 1] != other[k - 1]:
            item += f" / {other[k - 1]}"
        row = f"{k:5d}  {mine:9.6f}  {peer:10.6f}  {mine - peer:10.6f}  {best:15.6f}  {item}"
        print(row.rstrip())
    worse = np.flatnonzero(default > theirs + 1e-9)
    if worse.size:
        print(f"rocviz loses more at the stages {worse.tolist()}")
    return ratio >= PROMISED_RATIO and not worse.size


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="case", help=f"of {', '.join(CASE_SHAPES)}")
    parser.add_argument(
        "--environment",
        type=Path,
        default=Path(__file__).resolve().parents[1] / ".venv-scikit-psl",
        help="folder of the peer's environment (default: %(default)s)",
    )
    parser.add_argument(
        "--python", default=sys.executable, help="what the environment is made with"
    )
    parser.add_argument(
        "--seconds", type=float, default=600.0, help="the most per case for scikit-psl"
    )
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.cases) - set(CASE_SHAPES))
    if unknown:
        parser.error(f"unknown case {', '.join(unknown)}; there are {', '.join(CASE_SHAPES)}")

    kept = True
    python = None
    try:
        python = peer_python(options.environment, options.python, PEER_REQUIREMENTS, "skpsl")
    except CannotInstall as error:
        print(f"scikit-psl cannot be installed, so rocviz stands alone here: {error}")
        kept = False
    for case in options.cases or CASE_SHAPES:
        X, y = data_of(case)
        method = case if case in ("bisect", "brute") else "brute"
        stages = []
        if python is not None:
            print(f"  scikit-psl: {case} ...", file=sys.stderr)
            stages = run_peer(python, X, y, method, options.seconds)
        length = len(stages) - 1 if stages else None
        ours, seconds = run_ours(X, y, method, length)
        every = ours if method == "brute" else run_ours(X, y, "brute", length)[0]
        kept &= report(case, ours, seconds, stages, every)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
