"""The comparisons of docs/speed.md: for each idea of rocviz the nearest peer.

The measurement is in ``speed.py``.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import product
from pathlib import Path

import numpy as np
from bench_auc import confidenceinterval_auc, mlstatkit_test, pauc_auc, peer_runs
from bench_imports import ARRAYS_SOURCE, EXPLORER_ARGUMENTS, LIBRARY_IMPORTS
from bench_practice import COSTS, cost_of_all_pairs, estimates, has_statsmodels, statsmodels_mean
from bench_ranking_loss import ALPHA
from bench_ranking_loss import data as regression_data
from bench_report import EXPLORER_SOURCE, PROMISED_RATIOS, report_source
from bench_scoring_lists import yes_or_no
from joblib import parallel_config
from peer_environment import CannotInstall, peer_python
from scipy.optimize import root
from scipy.special import expit
from scoring_lists_peer import PEER_REQUIREMENTS, run_ours, run_peer
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    brier_score_loss,
    precision_recall_curve,
    roc_auc_score,
    roc_curve,
)
from sklearn.naive_bayes import BernoulliNB
from speed import Measured, Row, peak, slope

from rocviz import CombinedRegressionRanking, LexRank, RankIsotonicClassifier
from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.calibration.calibration import calibration_map
from rocviz.core.curve_spaces.space_curve import space_curve
from rocviz.core.decisions.decision import plug_in_utilities, prefix_utilities
from rocviz.core.decisions.reference import algorithm_1, algorithm_2
from rocviz.core.ensembles.fidel import fidel_combine
from rocviz.core.practice import random_effects, referral_policy
from rocviz.core.roc.auc_intervals import auc_interval
from rocviz.core.roc.binormal import binormal_scores
from rocviz.core.roc.delong_test import auc_test
from rocviz.core.roc.metrics import METRICS
from rocviz.core.roc.segments import RankedSegments

_N_PIECES = 20
_N_QUESTIONS = 6
_SAMPLE_SIZES_OF_LISTS = (1_000, 10_000, 100_000)
_FIRST_PICTURE_SOURCE = """
from rocviz import ROCHullDisplay
ROCHullDisplay.from_predictions(y, X[:, 0]).figure_.canvas.draw()
"""
_PEERS_PICTURE_SOURCE = """
from sklearn.metrics import RocCurveDisplay
RocCurveDisplay.from_predictions(y, X[:, 0]).figure_.canvas.draw()
"""


def scores(n: int) -> tuple[np.ndarray, np.ndarray]:
    data = binormal_scores(n, prevalence=0.3, random_state=0)
    return data.y_true, data.y_prob


def largest(ours, theirs) -> float:
    """Compute the largest difference of the numbers of two results."""
    return float(np.max(np.abs(np.asarray(ours, float) - np.asarray(theirs, float))))


def rows() -> Iterator[Row]:
    yield from _of_curves()
    yield from _of_intervals()
    yield from _of_calibration()
    yield from _of_decisions()
    yield from _of_practice()
    yield from _of_models()


def _of_curves() -> Iterator[Row]:
    def curve(n):
        y, prob = scores(n)
        return lambda: RankedSegments.from_scores(y, prob), lambda: roc_curve(
            y, prob, drop_intermediate=False
        )

    def whole(n):
        y, prob = scores(n)

        def ours():
            segments = RankedSegments.from_scores(y, prob)
            return segments.auc, brier_decomposition(segments).brier, segments.hull().auc

        def theirs():
            calibrated = IsotonicRegression(out_of_bounds="clip").fit(prob, y).predict(prob)
            area = roc_auc_score(y, prob), brier_score_loss(y, prob)
            return *area, roc_auc_score(y, calibrated)

        return ours, theirs

    def pieces(n):
        y, prob = scores(n)

        def parts():
            return zip(np.array_split(y, _N_PIECES), np.array_split(prob, _N_PIECES), strict=True)

        return (
            lambda: RankedSegments.from_partitions(parts()),
            lambda: RankedSegments.from_scores(y, prob),
        )

    def apart(ours, theirs):
        return max(largest(ours.tpr, theirs[1]), largest(ours.fpr, theirs[0]))

    yield Row("ROC curve", "roc_curve", curve, apart, is_light=True)
    yield Row(
        "ROC with AUC, hull and Brier score",
        "roc_auc_score twice, IsotonicRegression, brier_score_loss",
        whole,
        largest,
        is_light=True,
    )

    def precision_recall(n):
        y, prob = scores(n)
        return (
            lambda: space_curve(RankedSegments.from_scores(y, prob), space="precision_recall"),
            lambda: precision_recall_curve(y, prob),
        )

    yield Row(
        "precision and recall, with area",
        "precision_recall_curve, no area",
        precision_recall,
        lambda ours, theirs: largest(ours.threshold_y[1:], theirs[0][-2::-1]),
        is_light=True,
    )
    yield Row(
        f"from_partitions, {_N_PIECES} pieces",
        "from_scores",
        pieces,
        lambda ours, theirs: max(largest(ours.tpr, theirs.tpr), largest(ours.fpr, theirs.fpr)),
        is_light=True,
    )


def _of_intervals() -> Iterator[Row]:
    def against(peer):
        def make(n):
            y, prob = scores(n)
            return lambda: auc_interval(y, prob, method="delong"), lambda: peer(y, prob)

        return make

    def paired(n):
        y, prob = scores(n)
        other = prob + 0.1 * np.random.default_rng(1).random(n)
        return (
            lambda: auc_test(y, prob, other, method="delong"),
            lambda: mlstatkit_test(y, prob, other),
        )

    yield Row(
        "AUC with DeLong interval",
        "roc_auc_score, no interval",
        against(roc_auc_score),
        lambda ours, theirs: abs(ours.auc - theirs),
        is_light=True,
    )
    few = scores(300)
    if peer_runs("confidenceinterval", lambda: confidenceinterval_auc(*few)):
        yield Row(
            "DeLong interval",
            "confidenceinterval",
            against(confidenceinterval_auc),
            lambda ours, theirs: largest((ours.lower, ours.upper), theirs),
        )
    if peer_runs("pauc", lambda: pauc_auc(*few)):
        yield Row("DeLong interval", "pauc", against(pauc_auc), _from_pauc)
    if peer_runs("MLstatkit", lambda: mlstatkit_test(*few, few[1][::-1])):
        yield Row(
            "paired test of two AUCs",
            "MLstatkit",
            paired,
            lambda ours, theirs: abs(ours.p_value - theirs[1]),
        )


def _from_pauc(ours, theirs) -> float:
    low, *_, high = np.ravel(theirs)
    return largest((ours.lower, ours.upper), (low, high))


def _of_calibration() -> Iterator[Row]:
    def isotonic(n):
        y, prob = scores(n)
        return (
            lambda: calibration_map(y, prob, method="isotonic")(prob),
            lambda: IsotonicRegression(out_of_bounds="clip").fit(prob, y).predict(prob),
        )

    def beta(n):
        from betacal import BetaCalibration

        y, prob = scores(n)
        return (
            lambda: calibration_map(y, prob, method="beta")(prob),
            lambda: BetaCalibration("abm").fit(prob, y).predict(prob),
        )

    yield Row("isotonic calibration", "IsotonicRegression", isotonic, largest)
    if peer_runs("betacal", lambda: beta(300)[1]()):
        yield Row("beta calibration", "betacal", beta, largest)


def _of_decisions() -> Iterator[Row]:
    few = np.random.default_rng(0).random(100)
    for metric in (name for name, row in METRICS.items() if row.is_objective):

        def make(n, metric=metric):
            prob = np.random.default_rng(0).random(n)
            return (
                lambda: prefix_utilities(prob, metric),
                lambda: plug_in_utilities(prob, metric),
            )

        def apart(ours, theirs, metric=metric):
            return largest(prefix_utilities(few, metric), algorithm_1(few, metric))

        yield Row(f"labels for {metric}", "plug-in, not exact", make, apart)

    # both peers are exact, and ours as well, so that this compares like with like
    for metric, name, algorithm, most in (
        ("f", "Algorithm 2", algorithm_2, 10_000),
        ("g_mean", "Algorithm 1", algorithm_1, 1_000),
    ):

        def both(n, metric=metric, algorithm=algorithm):
            prob = np.random.default_rng(0).random(n)
            return lambda: prefix_utilities(prob, metric), lambda: algorithm(prob, metric)

        yield Row(f"labels for {metric}", f"the paper's {name}, exact", both, largest, most)


def _of_practice() -> Iterator[Row]:
    def beside(peer):
        def make(n):
            y, prob = scores(n)
            return lambda: referral_policy(y, prob, **COSTS), lambda: peer(y, prob)

        return make

    def of_sites(n):
        sites = estimates(n)
        return lambda: random_effects(*sites), lambda: statsmodels_mean(*sites)

    idea = "two thresholds by cost"
    yield Row(idea, "from_scores, the curve alone", beside(RankedSegments.from_scores))
    yield Row(
        idea,
        "all pairs of thresholds",
        beside(cost_of_all_pairs),
        lambda ours, theirs: abs(ours.cost - theirs),
        largest=1_000,
    )
    if has_statsmodels():
        yield Row(
            "mean of several sites",
            "statsmodels",
            of_sites,
            lambda ours, theirs: largest((ours.mean, ours.lower, ours.upper), theirs),
            largest=1_000,
        )


def _of_models() -> Iterator[Row]:
    for name, model in (
        ("rank, squared hinge", RankIsotonicClassifier("squared_hinge", ALPHA, random_state=0)),
        ("rank, logistic", RankIsotonicClassifier(alpha=ALPHA, random_state=0)),
        ("rank and regression", CombinedRegressionRanking(alpha=ALPHA, random_state=0)),
    ):

        def make(n, model=model):
            X, y = regression_data(n)
            return (
                lambda: model.fit(X, y),
                lambda: LogisticRegression(C=1 / (n * ALPHA)).fit(X, y),
            )

        yield Row(f"ranking loss: {name}", "LogisticRegression", make)

    def lexicographic(n):
        rng = np.random.default_rng(0)
        X = rng.random((n, 20)) < np.linspace(0.05, 0.95, 20)
        y = rng.random(n) < 0.2 + 0.3 * X[:, 4] + 0.2 * X[:, 10]
        return lambda: LexRank().fit(X, y), lambda: BernoulliNB().fit(X, y)

    yield Row("lexicographic ranker, 20 attributes", "BernoulliNB", lexicographic)

    def ensemble(n):
        rng = np.random.default_rng(0)
        y = rng.random(n) < 0.3
        X = rng.normal(size=(n, 5)) + y[:, None] * np.linspace(0.3, 1.0, 5)
        return lambda: fidel_combine(y, X, calibration=None).score, lambda: plain_fidel(y, X)

    yield Row(
        "FiDEL, 5 classifiers", "the paper's conditions, by scipy.optimize.root", ensemble, largest
    )


def plain_fidel(y: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Compute FiDEL's evidence for scores without ties: SciPy's root of its two conditions."""
    n = len(y)
    n_pos = int(y.sum())
    ranks = np.arange(1, n + 1)
    total = np.zeros(n)
    for column in X.T:
        rank = np.empty(n)
        rank[np.argsort(-column)] = ranks
        place = rank[y].mean()

        def conditions(levels, place=place):
            share = expit(levels[0] * (levels[1] - ranks / n))
            return share.sum() / n_pos - 1, (share @ ranks) / n_pos / place - 1

        beta, potential = root(conditions, (2.0, n_pos / n), tol=1e-13).x
        neutral = potential - np.log(n_pos / (n - n_pos)) / beta
        total += beta * (neutral - rank / n)
    return total


def scoring_list_peer(
    sizes: tuple[int, ...], seconds: float
) -> list[tuple[str, Callable[[], Measured | None]]]:
    """Make a row of scikit-psl for each of its sizes; it needs an environment of its own.

    It is stopped after twelve times the seconds; then the stages that it had fitted are compared.
    """
    folder = Path(__file__).resolve().parents[1] / ".venv-scikit-psl"
    done: list[tuple[int, float, float]] = []

    def run(n: int) -> Measured | None:
        try:
            python = peer_python(folder, sys.executable, PEER_REQUIREMENTS, "skpsl")
        except CannotInstall as error:
            print(f"  scoring lists: scikit-psl left out, {error}", file=sys.stderr)
            return None
        X, y = yes_or_no(n, _N_QUESTIONS)
        X = X.astype(float)
        y = y.astype(int)
        stages = run_peer(python, X, y, "brute", 12 * seconds)
        if len(stages) < 2:
            print(f"  scoring lists: scikit-psl fits no stage of {n:,} in time", file=sys.stderr)
            return None
        model, ours = run_ours(X, y, "brute", len(stages) - 1)
        done.append((n, ours, stages[-1].seconds))
        beyond = ""
        if len(stages) <= _N_QUESTIONS:
            beyond = f"peer stopped after {len(stages) - 1} of {_N_QUESTIONS} stages"
        growth = None
        if len(done) > 1:
            many, mine, theirs = map(list, zip(*done, strict=True))
            growth = slope(many, mine), slope(many, theirs)
        return Measured(
            f"scoring list, {_N_QUESTIONS} features",
            "scikit-psl",
            n,
            ours,
            stages[-1].seconds,
            largest(model.stage_losses_, [stage.loss for stage in stages]),
            growth,
            (peak(lambda: model.fit(X, y)), float("nan")),
            beyond,
        )

    return [("scoring list", lambda n=n: run(n)) for n in sizes if n in _SAMPLE_SIZES_OF_LISTS]


def two_workers() -> list[tuple[str, Callable[[], Measured]]]:
    """Make the row on joblib, by the clock, since the processor time stays the same."""
    n = 100_000
    y, prob = scores(n)

    def clock(workers: int) -> float:
        with parallel_config(n_jobs=workers):
            start = time.perf_counter()
            auc_interval(y, prob, method="bootstrap", n_resamples=1000, random_state=0)
            return time.perf_counter() - start

    def run() -> Measured:
        clock(2)  # the workers start
        seconds = [(clock(2), clock(1)) for _ in range(3)]
        on_two, on_one = np.median(seconds, axis=0)
        return Measured("bootstrap on two workers (clock)", "the same on one", n, on_two, on_one)

    return [("bootstrap on two workers", run)]


# The kernel's own record: what getrusage says of a child begins with its parent's memory.
_COST_SOURCE = """
import time
from pathlib import Path
status = Path("/proc/self/status")
lines = status.read_text().splitlines() if status.exists() else []
print(time.process_time(), *(line.split()[1] for line in lines if line.startswith("VmHWM")))
"""


def in_a_fresh_interpreter(code: str) -> tuple[float, float]:
    """Compute the processor time and the most MiB (or NaN) of a new process that runs the code."""
    command = [sys.executable, "-W", "ignore", "-c", f"{code}\n{_COST_SOURCE}"]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    *_, cost = process.stdout.splitlines()
    seconds, *kibibytes = map(float, cost.split())
    return seconds, kibibytes[0] / 1024 if kibibytes else float("nan")


def fresh_interpreters(repeat: int) -> list[tuple[str, Callable[[], Measured]]]:
    """List the rows on the cost of the first use, with the memory of the whole process."""

    def run(idea: str, peer: str, *codes: str) -> Measured:
        # what several rows compare with is measured once
        measured = [once(code, i) for i, code in product(range(repeat), codes)]
        seconds, memory = np.median(np.reshape(measured, (repeat, len(codes), 2)), axis=0).T
        return Measured(idea, peer, None, *seconds, mebibytes=tuple(memory))

    libraries = LIBRARY_IMPORTS.removeprefix("import ")
    once = cache(lambda code, _repetition: in_a_fresh_interpreter(code))
    cases = [("import rocviz", "import numpy", "import rocviz", "import numpy")]
    for name, data in EXPLORER_ARGUMENTS.items():
        code = f"{ARRAYS_SOURCE}\nfrom rocviz import {name}\n{name}({data})"
        cases.append((f"first {name}", f"import {libraries}", code, LIBRARY_IMPORTS))
    first_picture = ARRAYS_SOURCE + _FIRST_PICTURE_SOURCE
    peers_picture = ARRAYS_SOURCE + _PEERS_PICTURE_SOURCE
    cases.append(("first ROCHullDisplay", "first RocCurveDisplay", first_picture, peers_picture))
    for size in PROMISED_RATIOS:
        idea = f"rocviz report, {size:,} rows, 3 models"
        cases.append((idea, "first ROCExplorer", report_source(size), EXPLORER_SOURCE))
    return [(case[0], partial(run, *case)) for case in cases]
