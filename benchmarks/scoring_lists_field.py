"""Scoring lists beside the field: ``python benchmarks/scoring_lists_field.py``.

On each split of each data set: lists of five questions by rocviz, by scikit-psl and by FasterRisk,
trees of depth 3 and 5, and logistic regression on everything. Writes the table of
docs/scoring_lists.md. scikit-psl and FasterRisk need an older NumPy, so they run in an environment
of their own (``--environment``), made on first use; they are left out where that cannot be made.
FasterRisk takes yes-or-no columns: every number is asked about at its training deciles.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from real_data import HERE, Split, error, measure, options, paired, quality, with_error, write
from scoring_lists_peer import CannotInstall, peer_python
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from rocviz import ProbabilisticScoringList

NAMES = (
    *("pima", "saheart", "haberman", "bupa", "australian", "mammographic", "ionosphere"),
    *("breast_cancer", "SPECTF", "vehicle1"),
)
QUESTIONS = 5
# With more columns scikit-psl looks for minutes.
MOST_COLUMNS = {"scikit_psl": 10}
PEERS = ("numpy<2", "scikit-psl==0.7.2", "pandas", "requests")
# It pins what it does not need; its code runs with the versions above.
WITHOUT_PINS = ("fasterrisk==0.1.10",)

# What runs in the other environment; it must not import anything of ours.
DRIVER = """
import contextlib, io, json, sys, time, warnings
import numpy as np
warnings.simplefilter("ignore")
from fasterrisk.fasterrisk import RiskScoreClassifier, RiskScoreOptimizer
from skpsl import ProbabilisticScoringList


class Enough(Exception):
    pass


class Short(ProbabilisticScoringList):
    def _fit_and_store_clf_at_k(self, *args, **how):
        loss = super()._fit_and_store_clf_at_k(*args, **how)
        self.stored = getattr(self, "stored", -1) + 1
        if self.stored == most:
            raise Enough
        return loss


def scikit_psl(X, y, X_test):
    model = Short({-3, -2, -1, 1, 2, 3}, method="bisect")
    with contextlib.suppress(Enough):
        model.fit(X, y)
    return lambda: model.predict_proba(X_test, k=min(most, model.stored))[:, 1], most


def fasterrisk(X, y, X_test):
    cuts = [np.unique(np.quantile(column, np.arange(1, 10) / 10)) for column in X.T]
    cuts = [values[values < column.max()] for values, column in zip(cuts, X.T)]
    yes = lambda Z: np.column_stack([z[:, None] > t for z, t in zip(Z.T, cuts)]).astype(float)
    found = RiskScoreOptimizer(yes(X), np.where(y, 1, -1), k=most)
    found.optimize()
    multiplier, intercept, points = found.get_models(model_index=0)
    model = RiskScoreClassifier(multiplier, intercept, points)
    return lambda: model.predict_prob(yes(X_test)), np.count_nonzero(points)


for line in sys.stdin:
    task = json.loads(line)
    data, most = np.load(task["file"]), task["questions"]
    start = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        predict, asked = globals()[task["peer"]](data["X"], data["y"], data["X_test"])
        seconds = time.process_time() - start
        prob = predict()
    print(json.dumps({"prob": list(map(float, prob)), "seconds": seconds, "asked": int(asked)}))
    sys.stdout.flush()
"""


class Peers:
    """The other environment, kept running, or nothing where it cannot be made."""

    names = ("scikit_psl", "fasterrisk")

    def __init__(self, folder: Path) -> None:
        try:
            python = peer_python(folder, sys.executable, PEERS, WITHOUT_PINS)
        except CannotInstall as reason:
            print(f"scikit-psl and FasterRisk cannot be installed and are left out: {reason}")
            self.names = ()
            return
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._process: Any = subprocess.Popen([python, "-c", DRIVER], **pipes)

    def ask(self, peer: str, X, y, X_test) -> tuple[np.ndarray, float, float]:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "data.npz"
            np.savez(file, X=X, y=y, X_test=X_test)
            task = {"file": str(file), "peer": peer, "questions": QUESTIONS}
            print(json.dumps(task), file=self._process.stdin, flush=True)
            said = json.loads(self._process.stdout.readline())
        return np.array(said["prob"]), said["seconds"], said["asked"]

    def close(self) -> None:
        if self.names:
            self._process.stdin.close()
            self._process.wait()


def ours(X, y, X_test, **how: Any) -> tuple[np.ndarray, float, float]:
    model = ProbabilisticScoringList(max_stages=QUESTIONS, **how)
    start = time.process_time()
    model.fit(X, y)
    seconds = time.process_time() - start
    return model.predict_proba(X_test)[:, 1], seconds, len(model.features_)


def logistic(X, y, X_test) -> tuple[np.ndarray, float, float]:
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    start = time.process_time()
    model.fit(X, y)
    return model.predict_proba(X_test)[:, 1], time.process_time() - start, X.shape[1]


def tree(X, y, X_test, *, depth: int) -> tuple[np.ndarray, float, float]:
    model = DecisionTreeClassifier(max_depth=depth, min_samples_leaf=5, random_state=0)
    start = time.process_time()
    model.fit(X, y)
    seconds = time.process_time() - start
    asked = model.decision_path(X_test).sum(axis=1).mean() - 1
    return model.predict_proba(X_test)[:, 1], seconds, asked


METHODS: dict[str, Callable[..., tuple[np.ndarray, float, float]]] = {
    "rocviz": ours,
    "rocviz, beta calibration": partial(ours, calibration="beta"),
    "tree of depth 3": partial(tree, depth=3),
    "tree of depth 5": partial(tree, depth=5),
    "logistic regression": logistic,
}


def measure_split(peers: Peers, _name: str, _i: int, split: Split) -> Iterator[dict[str, Any]]:
    X, y, X_test, y_test = split
    asked_peers = [p for p in peers.names if X.shape[1] <= MOST_COLUMNS.get(p, X.shape[1])]
    for name in (*METHODS, *asked_peers):
        run = METHODS.get(name) or partial(peers.ask, name)
        prob, seconds, asked = run(X, y.astype(int), X_test)
        yield {"method": name, **quality(y_test, prob), "seconds": seconds, "asked": asked}


def main() -> None:
    chosen = options(__doc__.splitlines()[0], NAMES, 3)
    peers = Peers(HERE.parent / ".venv-scoring-lists")
    found = measure(
        chosen.kept / "scoring_lists_field.csv",
        chosen.data,
        chosen.splits,
        partial(measure_split, peers),
    )
    peers.close()
    called = {"scikit_psl": "scikit-psl", "fasterrisk": "FasterRisk"}
    lines = []
    for method in found.method.unique():
        of_data = found[found.method == method].groupby("data", sort=False)
        cells = [called.get(method, method), len(of_data)]
        for value in ("auc", "brier"):
            gap = paired(found, value, "method", method, "rocviz").loc["all"]
            mean = f"{of_data[value].mean().mean():.3f}"
            cells += [mean, "—" if method == "rocviz" else with_error(*gap, sign=True)]
        wins = paired(found, "brier", "method", method, "rocviz")[:-1]["mean"]
        cells.append("—" if method == "rocviz" else f"{(wins < 0).sum()} of {len(wins)}")
        asked, seconds = of_data.asked.mean().mean(), of_data.seconds.mean().mean()
        lines.append([*cells, f"{asked:.1f}", f"{seconds:.3g} s"])
    header = ("learner", "data sets", "AUC", "to rocviz", "Brier", "to rocviz", "lower Brier on")
    header += ("questions", "time of a fit")
    write(chosen.tables / "scoring_lists_field.csv", header, lines)
    lines = []
    for name, part in found.groupby("data", sort=False):
        cells = [name]
        for method in found.method.unique():
            values = part[part.method == method].brier
            cells.append(with_error(values.mean(), error(values)) if len(values) else "—")
        lines.append(cells)
    names = [called.get(method, method) for method in found.method.unique()]
    write(chosen.tables / "scoring_lists_field_data.csv", ("Brier score", *names), lines)


if __name__ == "__main__":
    main()
