"""Several classes beside other libraries: ``python benchmarks/multiclass_peer.py``.

Hand and Till's M and the one-vs-rest mean, with intervals, beside scikit-learn's ``roc_auc_score``
without one; M's interval beside the bootstrap of confidenceinterval; Dirichlet calibration beside
dirichletcal, which needs an old JAX and names that NumPy, SciPy and scikit-learn have dropped: it
runs in an environment of its own, where they are put back. Processor time, the median of runs that
take turns. Writes the table of docs/multiclass.md; the exit code is 1 where M with its interval
takes more than three times as long as M alone does there, or our calibration loses more.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from peer_environment import CannotInstall, peer_python
from sklearn.metrics import roc_auc_score
from speed import format_seconds, in_turns, processor_seconds

from rocviz.core.multiclass import hand_till_auc, simplex_map

SAMPLE_SIZES = (1_000, 10_000, 100_000, 1_000_000)
CLASS_COUNTS = (3, 10)
TABLE_HEADER = ("what", "peer", "classes", "samples", "rocviz", "peer's", "ratio", "differ by")
PROMISED_RATIO = 3.0  # times as long as M alone, at most
ROOT = Path(__file__).resolve().parents[1]
OUTPUT = ROOT / "docs" / "measured" / "multiclass_peer.csv"
PENALTY = 1e-3
N_RESAMPLES = 1000
PEER_REQUIREMENTS = (
    "numpy<2",
    "scipy<1.13",
    "scikit-learn<1.5",
    "jax==0.4.20",
    "jaxlib==0.4.20",
    "autograd",
)
DIRICHLETCAL_REQUIREMENTS = ("dirichletcal==0.1.dev1",)

# What runs in the other environment: it must not import anything of ours.
DRIVER_SOURCE = """
import json, sys, time
import numpy as np
import scipy.linalg
import sklearn.preprocessing

np.float = float
scipy.linalg.pinv2 = scipy.linalg.pinv
import dirichletcal.calib.multinomial as inside
from dirichletcal.calib.fulldirichlet import FullDirichletCalibrator

binarize = sklearn.preprocessing.label_binarize
inside.label_binarize = lambda y, classes: binarize(y, classes=classes)
data, penalty = np.load(sys.argv[1]), float(sys.argv[2])
options = {"reg_lambda_list": [penalty], "reg_mu_list": [penalty], "reg_norm": True}
FullDirichletCalibrator(**options).fit(data["prob"], data["y"])  # JAX compiles for these shapes
start = time.process_time()
model = FullDirichletCalibrator(**options).fit(data["prob"], data["y"])
seconds = time.process_time() - start
made = model.predict_proba(data["prob"])
loss = -np.log(made[np.arange(len(made)), data["y"]]).mean()
print(json.dumps({"seconds": seconds, "loss": float(loss)}))
"""

Row = tuple[str, str, int, int, float, float, float]


def draw(n: int, n_classes: int) -> tuple[Any, Any]:
    """Draw probabilities, and labels for which they are too cautious."""
    rng = np.random.default_rng(n + n_classes)
    prob = rng.dirichlet(np.ones(n_classes), n)
    truth = prob**1.5 + 0.05
    truth /= truth.sum(axis=1, keepdims=True)
    y = (rng.random(n)[:, None] > truth.cumsum(axis=1)).sum(axis=1).clip(0, n_classes - 1)
    y[:n_classes] = np.arange(n_classes)
    return y, prob


def areas(max_samples: int, repeat: int) -> Iterator[Row]:
    """Compare areas with their intervals to areas alone."""
    for what, average, multi_class in (
        ("M and its interval", "hand-till", "ovo"),
        ("one-vs-rest mean and its interval", "ovr-macro", "ovr"),
    ):
        for k in CLASS_COUNTS:
            for n in (size for size in SAMPLE_SIZES if size <= max_samples):
                y, prob = draw(n, k)

                def ours(y=y, prob=prob, average=average):
                    return hand_till_auc(y, prob, average=average).auc

                def theirs(y=y, prob=prob, multi_class=multi_class):
                    return roc_auc_score(y, prob, multi_class=multi_class)

                difference = abs(ours() - theirs())
                seconds, peers_seconds = in_turns(repeat, ours, theirs)
                peer = f"roc_auc_score, {multi_class}, alone"
                yield what, peer, k, n, seconds, peers_seconds, difference


def intervals(max_samples: int) -> Iterator[Row]:
    """Compare the interval of M to that of a bootstrap."""
    try:
        from confidenceinterval.bootstrap import bootstrap_ci
    except ImportError as error:
        print(f"  confidenceinterval left out: {error}", file=sys.stderr)
        return
    for n in (size for size in SAMPLE_SIZES[:2] if size <= max_samples):
        y, prob = draw(n, 3)
        interval: dict[str, Any] = {}

        def theirs(y=y, prob=prob, interval=interval):
            interval["ends"] = bootstrap_ci(
                y,
                prob,
                metric=lambda y, prob: roc_auc_score(y, prob, multi_class="ovo"),
                n_resamples=N_RESAMPLES,
                method="bootstrap_percentile",
                random_state=np.random.RandomState(0),
            )[1]

        ours = hand_till_auc(y, prob)
        mine = in_turns(5, lambda y=y, prob=prob: hand_till_auc(y, prob))[0]
        seconds = processor_seconds(theirs)
        difference = max(np.abs(np.subtract(interval["ends"], (ours.lower, ours.upper))))
        name = f"confidenceinterval, {N_RESAMPLES:,} resamples"
        yield "interval of M", name, 3, n, mine, seconds, float(difference)


def calibration(max_samples: int, repeat: int, environment: Path | None) -> Iterator[Row]:
    """Compare Dirichlet calibration: seconds, and the difference in log loss."""
    if environment is None:
        return
    try:
        python = peer_python(
            environment,
            sys.executable,
            PEER_REQUIREMENTS,
            "dirichletcal",
            DIRICHLETCAL_REQUIREMENTS,
        )
    except CannotInstall as error:
        print(f"  dirichletcal left out: {error}", file=sys.stderr)
        return
    for k in CLASS_COUNTS:
        for n in (size for size in SAMPLE_SIZES[:3] if size <= max_samples):
            y, prob = draw(n, k)
            mapped = simplex_map(y, prob, penalty=PENALTY)(prob)
            (mine,) = in_turns(repeat, lambda y=y, prob=prob: simplex_map(y, prob, penalty=PENALTY))
            loss = -np.log(mapped[np.arange(n), y]).mean()
            with TemporaryDirectory() as folder:
                file = Path(folder) / "data.npz"
                np.savez(file, y=y, prob=prob)
                command = [str(python), "-c", DRIVER_SOURCE, str(file), str(PENALTY)]
                process = subprocess.run(command, capture_output=True, text=True, check=True)
            peer = json.loads(process.stdout.splitlines()[-1])
            less = peer["loss"] - float(loss)
            yield "Dirichlet calibration", "dirichletcal", k, n, mine, peer["seconds"], less


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--samples", type=int, default=SAMPLE_SIZES[-1], help="the most; default: 1e6"
    )
    parser.add_argument("--repeat", type=int, default=5, help="runs per side (default: 5)")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="file that is written")
    parser.add_argument("--environment", type=Path, default=ROOT / ".venv-dirichletcal")
    parser.add_argument("--without-dirichletcal", action="store_true")
    options = parser.parse_args(arguments)
    environment = None if options.without_dirichletcal else options.environment
    lines = []
    missed = []
    for rows in (
        areas(options.samples, options.repeat),
        intervals(options.samples),
        calibration(options.samples, options.repeat, environment),
    ):
        for what, peer, k, n, mine, theirs, difference in rows:
            ratio = mine / theirs
            if what == "M and its interval" and ratio > PROMISED_RATIO:
                missed.append(f"{what} of {n:,} samples of {k} classes takes {ratio:.2g} times")
            if what == "Dirichlet calibration" and difference < -1e-6:
                missed.append(f"{what} of {n:,} samples loses {-difference:.1e} more")
            cells = (
                format_seconds(mine),
                format_seconds(theirs),
                f"{ratio:.2g}",
                f"{difference:.0e}" if difference else "0",
            )
            lines.append((what, peer, str(k), f"{n:,}", *cells))
            print(" | ".join(lines[-1]), flush=True)
    with options.output.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([TABLE_HEADER, *lines])
    for promise in missed:
        print(f"MISSED: {promise}", file=sys.stderr)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
