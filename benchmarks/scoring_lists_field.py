"""Scoring lists beside the field: ``python benchmarks/scoring_lists_field.py``.

On each split of each data set: lists of five questions by rocviz, by scikit-psl and by FasterRisk,
trees of depth 3 and 5, and logistic regression on everything. Then what may make FasterRisk rank
better, one thing at a time. Writes the tables of docs/scoring_lists.md. scikit-psl and FasterRisk
need an older NumPy, so they run in an environment of their own (``.venv-scoring-lists``), made on
first use; they are left out where that cannot be made. FasterRisk takes yes-or-no columns: every
number is asked about at its training deciles.
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
from peer_environment import CannotInstall, peer_python
from real_data import HERE, Split, error, measure, options, paired, quality, with_error, write
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from rocviz import ProbabilisticScoringList

DATA_NAMES = (
    "pima",
    "saheart",
    "haberman",
    "bupa",
    "australian",
    "mammographic",
    "ionosphere",
    "breast_cancer",
    "SPECTF",
    "vehicle1",
)
N_QUESTIONS = 5
# With 30 columns scikit-psl looks for up to a minute, so it gets the first splits only.
MIN_WIDE_COLUMNS = 30
N_SPLITS_OF_WIDE = 3
MORE_SCORES = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)
PEER_NAMES = {"scikit_psl": "scikit-psl", "fasterrisk": "FasterRisk"}
PEER_REQUIREMENTS = ("numpy<2", "scikit-psl==0.7.2", "pandas", "requests")
# It pins what it does not need; its code runs with the versions above.
UNPINNED_REQUIREMENTS = ("fasterrisk==0.1.10",)

# What runs in the other environment; it must not import anything of ours.
DRIVER_SOURCE = """
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
    return lambda: model.predict_proba(X_test, k=min(most, model.stored))[:, 1], most, ()


def fasterrisk(X, y, X_test, points=5):
    found = RiskScoreOptimizer(X, np.where(y, 1, -1), k=most, lb=-points, ub=points)
    found.optimize()
    multiplier, intercept, points = found.get_models(model_index=0)
    model = RiskScoreClassifier(multiplier, intercept, points)
    return lambda: model.predict_prob(X_test), np.count_nonzero(points), points


for line in sys.stdin:
    task = json.loads(line)
    data, most = np.load(task["file"]), task["questions"]
    start = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        fit = globals()[task["peer"]]
        predict, asked, points = fit(data["X"], data["y"], data["X_test"], **task["options"])
        seconds = time.process_time() - start
        prob = predict()
    said = {"prob": list(map(float, prob)), "seconds": seconds, "asked": int(asked)}
    print(json.dumps({**said, "points": list(map(int, points))}))
    sys.stdout.flush()
"""


class Peers:
    """The other environment, kept running, or ``None`` if it cannot be created."""

    names = tuple(PEER_NAMES)

    def __init__(self, folder: Path) -> None:
        try:
            python = peer_python(
                folder, sys.executable, PEER_REQUIREMENTS, "skpsl", UNPINNED_REQUIREMENTS
            )
        except CannotInstall as reason:
            print(f"scikit-psl and FasterRisk cannot be installed and are left out: {reason}")
            self.names = ()
            return
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._process: Any = subprocess.Popen([python, "-c", DRIVER_SOURCE], **pipes)

    def ask(self, peer: str, X, y, X_test, **options: Any) -> dict[str, Any]:
        with TemporaryDirectory() as folder:
            file = Path(folder) / "data.npz"
            np.savez(file, X=X, y=y, X_test=X_test)
            task = {"file": str(file), "peer": peer, "questions": N_QUESTIONS, "options": options}
            print(json.dumps(task), file=self._process.stdin, flush=True)
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        if self.names:
            self._process.stdin.close()
            self._process.wait()


#: Probabilities of new samples, seconds of the fit, and how many questions are asked.
Prediction = tuple[np.ndarray, float, float]


def ours(X, y, X_test, **how: Any) -> Prediction:
    model = ProbabilisticScoringList(**{"max_stages": N_QUESTIONS, **how})
    start = time.process_time()
    model.fit(X, y)
    seconds = time.process_time() - start
    return model.predict_proba(X_test)[:, 1], seconds, len(model.features_)


def logistic(X, y, X_test) -> Prediction:
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    start = time.process_time()
    model.fit(X, y)
    return model.predict_proba(X_test)[:, 1], time.process_time() - start, X.shape[1]


def tree(X, y, X_test, *, depth: int) -> Prediction:
    model = DecisionTreeClassifier(max_depth=depth, min_samples_leaf=5, random_state=0)
    start = time.process_time()
    model.fit(X, y)
    seconds = time.process_time() - start
    n_questions = model.decision_path(X_test).sum(axis=1).mean() - 1
    return model.predict_proba(X_test)[:, 1], seconds, n_questions


def at_deciles(X, X_test) -> tuple[np.ndarray, np.ndarray]:
    """Make yes-or-no columns: is a number above a decile of its training samples?"""
    answers = []
    answers_test = []
    for column, column_test in zip(X.T, X_test.T, strict=True):
        deciles = np.unique(np.quantile(column, np.arange(1, 10) / 10))
        thresholds = deciles[deciles < column.max()]
        answers.append(column[:, None] > thresholds)
        answers_test.append(column_test[:, None] > thresholds)
    return np.hstack(answers).astype(float), np.hstack(answers_test).astype(float)


METHODS: dict[str, Callable[..., Prediction]] = {
    "rocviz": ours,
    "rocviz, beta calibration": partial(ours, calibration="beta"),
    "tree of depth 3": partial(tree, depth=3),
    "tree of depth 5": partial(tree, depth=5),
    "logistic regression": logistic,
}
MORE_OPTIONS: dict[str, Any] = {"score_set": MORE_SCORES}
BEAM_OPTIONS: dict[str, Any] = {"search": "beam", "objective": "last", "beam_width": 30}
AUC_OPTIONS: dict[str, Any] = {"loss": "raw_rank"}
# Settings that bring our list closer to FasterRisk; True where it gets FasterRisk's questions.
STEPS: dict[str, tuple[bool, dict[str, Any]]] = {
    "points from −5 to 5": (False, MORE_OPTIONS),
    "a beam of 30, judged after the last question": (False, BEAM_OPTIONS),
    "learned by the AUC": (False, AUC_OPTIONS),
    "questions at deciles, several of one column": (True, {}),
    "questions at deciles, learned by the AUC": (True, AUC_OPTIONS),
    "questions at deciles, points, beam": (True, {**MORE_OPTIONS, **BEAM_OPTIONS}),
    "all four": (True, {**MORE_OPTIONS, **BEAM_OPTIONS, **AUC_OPTIONS}),
}


def steps(peers: Peers, X, y, X_test) -> Iterator[tuple[str, Prediction]]:
    """Yield lists on the way from ours to FasterRisk's, and on the way back."""
    yes, yes_test = at_deciles(X, X_test)
    for name, (binary, how) in STEPS.items():
        if binary:
            yield name, ours(yes, y, yes_test, **how)
        else:
            yield name, ours(X, y, X_test, **how)
    if not peers.names:
        return
    for name, points in (("fasterrisk", 5), ("FasterRisk, points from −3 to 3", 3)):
        answer = peers.ask("fasterrisk", yes, y, yes_test, points=points)
        yield name, (np.array(answer["prob"]), answer["seconds"], answer["asked"])
        if name == "fasterrisk":
            columns = np.flatnonzero(answer["points"])
            lines = [(int(i), answer["points"][i]) for i in columns]
            how = {"prefix": lines, "score_set": MORE_SCORES, "max_stages": len(lines)}
            yield "FasterRisk's points, our probabilities", ours(yes, y, yes_test, **how)
            again = logistic(yes[:, columns], y, yes_test[:, columns])
            yield "logistic regression on FasterRisk's questions", again


def measure_split(peers: Peers, _name: str, i: int, split: Split) -> Iterator[dict[str, Any]]:
    X, y, X_new, y_test = split
    y = y.astype(int)
    X_test = np.concatenate((X_new, X))  # the losses on its own samples are kept, too
    predictions = {name: run(X, y, X_test) for name, run in METHODS.items()}
    if peers.names and (X.shape[1] < MIN_WIDE_COLUMNS or i < N_SPLITS_OF_WIDE):
        answer = peers.ask("scikit_psl", X, y, X_test)
        predictions["scikit_psl"] = np.array(answer["prob"]), answer["seconds"], answer["asked"]
    predictions |= steps(peers, X, y, X_test)
    for name, (prob, seconds, n_questions) in predictions.items():
        new = prob[: len(y_test)]
        own = prob[len(y_test) :]
        row = {"method": name, **quality(y_test, new), "seconds": seconds, "asked": n_questions}
        yield {**row, "own_auc": roc_auc_score(y, own), "levels": np.unique(new.round(9)).size}


def main() -> None:
    chosen = options(__doc__.splitlines()[0], DATA_NAMES, 10)
    peers = Peers(HERE.parent / ".venv-scoring-lists")
    measured = measure(
        chosen.kept / "scoring_lists_field.csv",
        chosen.data,
        chosen.splits,
        partial(measure_split, peers),
    )
    peers.close()
    field = [name for name in measured.method.unique() if name in (*METHODS, *PEER_NAMES)]
    lines = []
    for method in field:
        of_data = measured[measured.method == method].groupby("data", sort=False)
        cells = [PEER_NAMES.get(method, method), len(of_data)]
        for value in ("auc", "brier"):
            gap = paired(measured, value, "method", method, "rocviz").loc["all"]
            mean = f"{of_data[value].mean().mean():.3f}"
            cells += [mean, "—" if method == "rocviz" else with_error(*gap, sign=True)]
        wins = paired(measured, "brier", "method", method, "rocviz")[:-1]["mean"]
        cells.append("—" if method == "rocviz" else f"{(wins < 0).sum()} of {len(wins)}")
        n_questions = of_data.asked.mean().mean()
        seconds = of_data.seconds.mean().mean()
        lines.append([*cells, f"{n_questions:.1f}", f"{seconds:.3g} s"])
    header = ("learner", "data sets", "AUC", "to rocviz", "Brier", "to rocviz", "lower Brier on")
    header += ("questions", "time of a fit")
    write(chosen.tables / "scoring_lists_field.csv", header, lines)

    lines = []
    for name, part in measured.groupby("data", sort=False):
        cells = [name]
        for method in field:
            values = part[part.method == method].brier
            cells.append(with_error(values.mean(), error(values)) if len(values) else "—")
        lines.append(cells)
    names = [PEER_NAMES.get(method, method) for method in field]
    write(chosen.tables / "scoring_lists_field_data.csv", ("Brier score", *names), lines)

    lines = []
    ends = [name for name in measured.method.unique() if name in ("rocviz", "fasterrisk")]
    between = [name for name in measured.method.unique() if name not in field]
    for method in ends + between:
        of_data = measured[measured.method == method].groupby("data", sort=False)
        cells = [PEER_NAMES.get(method, f"rocviz, {method}" if method in STEPS else method)]
        for value in ("auc", "brier"):
            gap = paired(measured, value, "method", method, "rocviz").loc["all"]
            mean = f"{of_data[value].mean().mean():.3f}"
            cells += [mean, "—" if method == "rocviz" else with_error(*gap, sign=True)]
        own = f"{of_data.own_auc.mean().mean():.3f}"
        cells.insert(3, own)
        lines.append([*cells, f"{of_data.levels.mean().mean():.0f}"])
    header = ("list", "AUC", "to rocviz", "on its own samples", "Brier", "to rocviz")
    header += ("distinct probabilities",)
    write(chosen.tables / "scoring_lists_why.csv", header, lines)


if __name__ == "__main__":
    main()
