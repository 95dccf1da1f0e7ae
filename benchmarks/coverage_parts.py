"""What ``reviewers_coverage.py`` simulates: every interval and test of the package, part by part.

A part is given a setting and returns a function that draws one data set and says of each interval
whether it holds the true value. A test holds where it does not reject, at a level of 5 %, what is
true. None is said where there is no interval, and for several points at once it is their share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from coverage_data import (
    CORRELATION,
    CORRELATION_OF_ROWS,
    ROWS_PER_PATIENT,
    SAMPLE_SIZES,
    SCORES,
    Cell,
    Predictions,
    grid,
)
from scipy.optimize import brentq, isotonic_regression
from scipy.special import expit, logit, ndtr, ndtri

from rocviz import auc_interval, compare_classifiers, hand_till_auc, roc_band
from rocviz.core.base.samples import Samples
from rocviz.core.calibration import (
    calibration_sample_size,
    calibration_summary,
    flexible_calibration,
)
from rocviz.core.comparison import (
    bootstrap_interval,
    calibration_error,
    compare_folds,
    compare_net_benefit,
    fold_average,
)
from rocviz.core.curve_spaces import (
    average_precision,
    net_benefit_band,
    net_benefit_sample_size,
    partial_auc,
)
from rocviz.core.decisions import threshold_interval
from rocviz.core.fermi_dirac import auc_sample_size
from rocviz.core.groups import abroca, group_summary
from rocviz.core.multiclass import (
    classwise_calibration_error,
    confusion_matrix,
    hand_till_covariance,
    ordered_volume,
)
from rocviz.core.practice import compare_sites, referral_policy, update_model
from rocviz.core.practice.referral import MEASURES, ReferralPolicy
from rocviz.core.roc import (
    ConfusionTable,
    auc_test,
    binomial_interval,
    predictive_values,
    sensitivity_at_specificity,
    specificity_at_sensitivity,
)
from rocviz.core.roc.auc_intervals import METHODS
from rocviz.core.roc.clustered_rates import cells_of_samples, clustered_rate_interval
from rocviz.core.scoring_lists import ScoringStage

Outcome = bool | float | None
Outcomes = dict[str, Outcome]
DrawOne = Callable[[np.random.Generator], Outcomes]

LEVEL = 0.05
RESAMPLES = 100


def holds(lower: float, upper: float, true: float) -> Outcome:
    """Say whether an interval holds the true value; None if there is no interval."""
    if np.isnan(lower) or np.isnan(upper):
        return None
    return bool(lower <= true + 1e-12 and true <= upper + 1e-12)


def holds_all(lower: np.ndarray, upper: np.ndarray, true: np.ndarray) -> Outcome:
    """Say whether a band holds a whole curve."""
    if np.isnan(lower).any() or np.isnan(upper).any():
        return None
    return bool(((lower <= true + 1e-9) & (true <= upper + 1e-9)).all())


def share_held(lower: np.ndarray, upper: np.ndarray, true: np.ndarray) -> Outcome:
    """Compute the share of the points of a curve that a band holds."""
    if np.isnan(lower).any() or np.isnan(upper).any():
        return None
    return float(((lower <= true + 1e-12) & (true <= upper + 1e-12)).mean())


def accepts(p_value: float) -> Outcome:
    """Say whether a test does not reject; None if there is no test."""
    return None if np.isnan(p_value) else bool(p_value > LEVEL)


# ---------------------------------------------------------------------- ranking


def auc(cell: Cell) -> DrawOne:
    def draw_one(rng: np.random.Generator) -> Outcomes:
        y, score = cell.draw(rng)
        outcomes: Outcomes = {}
        for method in METHODS:
            interval = auc_interval(
                y, score, method=method, n_resamples=2 * RESAMPLES, random_state=rng
            )
            outcomes[f"auc_interval, {method}"] = holds(interval.lower, interval.upper, cell.auc)
        return outcomes

    return draw_one


def two_models(cell: Cell) -> DrawOne:
    """Two models of one AUC, a model and a good one, and three models of one AUC."""
    good = Cell("good", cell.prevalence, cell.n)

    def draw_one(rng: np.random.Generator) -> Outcomes:
        outcomes: Outcomes = {}
        y, score, other = cell.draw_two(rng, cell)
        for method in ("delong-mover", "delong"):
            test = auc_test(y, score, other, method=method)
            outcomes[f"auc_test, {method}, equal AUCs"] = holds(test.lower, test.upper, 0.0)
            outcomes[f"auc_test, {method}, p-value"] = accepts(test.p_value)
        third = rng.normal(cell.separation * y)
        compared = compare_classifiers(y, {"a": score, "b": other, "c": third}, n_resamples=0)
        outcomes["compare_classifiers, AUC"] = holds(
            float(compared.auc_low[0]), float(compared.auc_high[0]), cell.auc
        )
        pairs = compared.pairs()
        outcomes["compare_classifiers, p-values of three pairs (Holm)"] = accepts(
            float(pairs["p_holm"].min())
        )
        y, score, other = cell.draw_two(rng, good)
        test = auc_test(y, score, other)
        outcomes["auc_test, delong-mover, second model good"] = holds(
            test.lower, test.upper, cell.auc - good.auc
        )
        return outcomes

    return draw_one


def resampled(cell: Cell) -> DrawOne:
    """Percentiles: of the AUC, and of a part of it."""
    high = 0.2
    z = (np.arange(4000) + 0.5) / 4000 * high
    part = high * float(ndtr(cell.separation + ndtri(z)).mean())

    def draw_one(rng: np.random.Generator) -> Outcomes:
        y, score = cell.draw(rng)
        whole = bootstrap_interval(y, score, n_resamples=RESAMPLES, random_state=rng)
        partial = partial_auc(y, score, high=high, n_resamples=RESAMPLES, random_state=rng)
        return {
            "bootstrap_interval, AUC": holds(whole.lower, whole.upper, cell.auc),
            "partial_auc, up to .2": holds(partial.lower, partial.upper, part),
        }

    return draw_one


def band_of_curve(cell: Cell) -> DrawOne:
    def draw_one(rng: np.random.Generator) -> Outcomes:
        y, score = cell.draw(rng)
        outcomes: Outcomes = {}
        for method in ("bootstrap", "kolmogorov-smirnov"):
            band = roc_band(y, score, method=method, n_resamples=RESAMPLES, random_state=rng)
            true = ndtr(cell.separation + ndtri(band.fpr))
            outcomes[f"roc_band, {method}, whole curve"] = holds_all(band.lower, band.upper, true)
        return outcomes

    return draw_one


def rates(cell: Cell) -> DrawOne:
    """Rates where the other one is fixed, and where the threshold is."""
    q = 0.9
    true = float(ndtr(cell.separation - ndtri(q)))
    middle = cell.separation / 2
    rate = float(ndtr(middle))
    pi = cell.prevalence
    ppv = pi * rate / (pi * rate + (1 - pi) * (1 - rate))
    npv = (1 - pi) * rate / ((1 - pi) * rate + pi * (1 - rate))

    def draw_one(rng: np.random.Generator) -> Outcomes:
        y, score = cell.draw(rng)
        outcomes: Outcomes = {}
        for function, name in (
            (sensitivity_at_specificity, "specificity"),
            (specificity_at_sensitivity, "sensitivity"),
        ):
            fixed = function(y, score, **{name: q})
            kind = f"{function.__name__}, .9"
            if fixed.is_doubtful and not np.isnan(fixed.rate):
                kind += ", marked as doubtful"
            outcomes[kind] = holds(fixed.lower, fixed.upper, true)
        called = score >= middle
        table = ConfusionTable(
            tp=int((called & y).sum()),
            fp=int((called & ~y).sum()),
            fn=int((~called & y).sum()),
            tn=int((~called & ~y).sum()),
        )
        for method in ("wilson", "clopper-pearson", "jeffreys"):
            for name, value in (("tpr", rate), ("fpr", 1 - rate)):
                ends = table.interval(name, method=method)
                outcomes[f"ConfusionTable.interval, {method}, {name}"] = holds(*ends, value)
        values = predictive_values(table, prevalence=pi)
        outcomes["predictive_values, PPV"] = holds(values.ppv_lower, values.ppv_upper, ppv)
        outcomes["predictive_values, NPV"] = holds(values.npv_lower, values.npv_upper, npv)
        return outcomes

    return draw_one


def proportions(cell: Cell) -> DrawOne:
    """A proportion of n samples: the AUC of the setting stands for nothing here."""

    def draw_one(rng: np.random.Generator) -> Outcomes:
        successes = rng.binomial(cell.n, cell.prevalence)
        outcomes: Outcomes = {}
        for method in ("wilson", "clopper-pearson", "jeffreys"):
            lower, upper = binomial_interval(successes, cell.n, method=method)
            outcomes[f"binomial_interval, {method}"] = holds(
                float(lower), float(upper), cell.prevalence
            )
        return outcomes

    return draw_one


def precision(cell: Cell) -> DrawOne:
    pi = cell.prevalence
    z = ndtri((np.arange(20_000) + 0.5) / 20_000) + cell.separation
    true = float((pi * ndtr(cell.separation - z) / (
        pi * ndtr(cell.separation - z) + (1 - pi) * ndtr(-z)
    )).mean())  # fmt: skip

    def draw_one(rng: np.random.Generator) -> Outcomes:
        found = average_precision(*cell.draw(rng, least=1))
        return {"average_precision": holds(found.lower, found.upper, true)}

    return draw_one


# ---------------------------------------------------------------------- groups of people


def groups(cell: Cell) -> DrawOne:
    """Two groups of n people each that are alike; for ABROCA the second scores half a unit higher.

    Rates are at the middle of both classes' means.
    """
    shift = 0.5
    quantities = ("auc", "tpr", "fpr", "precision", "predicted_positive_rate")

    def draw_one(rng: np.random.Generator) -> Outcomes:
        (y, score), (other_y, other) = cell.draw(rng), cell.draw(rng)
        labels = np.concatenate((y, other_y))
        of_whom = np.repeat(["a", "b"], cell.n)
        middle = cell.separation / 2
        summary = group_summary(labels, np.concatenate((score, other)), of_whom, threshold=middle)
        table = summary.differences().set_index("quantity")
        outcomes: Outcomes = {}
        for name in quantities:
            row = table.loc[name]
            outcomes[f"group_summary, difference of {name}"] = holds(
                row["lower"], row["upper"], 0.0
            )
            outcomes[f"group_summary, p-value of {name}"] = accepts(float(row["p_value"]))
        shifted = np.concatenate((score, other + shift))
        test = abroca(labels, shifted, of_whom, n_permutations=100, random_state=rng)
        outcomes["abroca, p-value, shifted scores"] = accepts(float(test.p_value[0]))
        return outcomes

    return draw_one


# ---------------------------------------------------------------------- calibration


def calibration(cell: Cell, steepness: float = 1.0) -> DrawOne:
    model = Predictions(cell, steepness)
    true = {**model.recalibration, **model.distances}
    fields = {
        "observed / expected": "observed_expected",
        "in the large": "in_the_large",
        "intercept": "intercept",
        "slope": "slope",
        "ICI": "ici",
        "E50": "e50",
        "E90": "e90",
    }
    where = np.linspace(-1.5, 1.5, 7)  # in standard deviations of the scores
    points = expit(model.log_odds(model.spread * cell.prevalence + where))

    def draw_one(rng: np.random.Generator) -> Outcomes:
        y, prob = model.draw(rng)
        summary = calibration_summary(y, prob, n_resamples=2 * RESAMPLES, random_state=rng)
        outcomes: Outcomes = {}
        for name, field in fields.items():
            estimate = getattr(summary, field)
            outcomes[f"calibration_summary, {name}"] = holds(
                estimate.lower, estimate.upper, true[name]
            )
        curve = summary.curve
        inside = points[(points >= curve.predicted[0]) & (points <= curve.predicted[-1])]
        kind = f"flexible_calibration, {curve.method}"
        if inside.size and curve.method == "spline":
            ends = (np.interp(inside, curve.predicted, side) for side in (curve.lower, curve.upper))
            outcomes[f"{kind}, band at points"] = share_held(*ends, model.truth(logit(inside)))
        whole = flexible_calibration(y, prob, simultaneous=True, n_resamples=0)
        outcomes[f"{kind}, whole band"] = holds_all(
            whole.lower, whole.upper, model.truth(logit(whole.predicted))
        )
        error = calibration_error(y, prob, n_resamples=99, random_state=rng)
        outcomes["calibration_error"] = holds(error.lower, error.upper, true["calibration error"])
        if steepness == 1 and not model.is_useless:
            outcomes["calibration_error, p-value"] = accepts(error.p_value)
        if steepness != 1:
            return {f"{name}, twice too steep": held for name, held in outcomes.items()}
        return outcomes

    return draw_one


def steep_calibration(cell: Cell) -> DrawOne:
    """Predictions whose log-odds are twice too far from the prevalence's."""
    return calibration(cell, 2.0)


# ---------------------------------------------------------------------- decisions


def net_benefit(cell: Cell) -> DrawOne:
    model = Predictions(cell)
    few = expit(logit(cell.prevalence) + np.array([-2.0, -1.0, 0.0, 1.0, 2.0]))
    many = np.linspace(0.01, 0.99, 99)
    true_few = model.net_benefit(few)
    true_many = model.net_benefit(many)
    all_positive = cell.prevalence - (1 - cell.prevalence) * few / (1 - few)

    def draw_one(rng: np.random.Generator) -> Outcomes:
        outcomes: Outcomes = {}
        y, prob = model.draw(rng)
        for known in (None, cell.prevalence):
            kind = "net_benefit_band"
            if known is not None:
                kind += ", known prevalence"
            band = net_benefit_band(y, prob, thresholds=few, prevalence=known)
            outcomes[f"{kind}, at points"] = share_held(band.lower, band.upper, true_few)
            for t, true in ((few, true_few), (many, true_many)):
                whole = net_benefit_band(
                    y,
                    prob,
                    thresholds=t,
                    prevalence=known,
                    simultaneous=True,
                    n_resamples=2 * RESAMPLES,
                    random_state=rng,
                )
                outcomes[f"{kind}, whole, {t.size} thresholds"] = holds_all(
                    whole.lower, whole.upper, true
                )
        if model.is_useless:
            other = rng.permutation(prob)
        else:
            y, score, second = cell.draw_two(rng, cell, least=1)
            prob, other = expit(model.log_odds(score)), expit(model.log_odds(second))
        compared = compare_net_benefit(y, {"a": prob, "b": other}, few).pairs()
        pairs = compared.set_index(["model_a", "model_b"]).sort_index()
        for pair, true in ((("a", "b"), 0.0), (("a", "treat all"), true_few - all_positive)):
            rows = pairs.loc[pair]
            outcomes[f"compare_net_benefit, {' and '.join(pair)}"] = share_held(
                rows["lower"].to_numpy(), rows["upper"].to_numpy(), true
            )
        return outcomes

    return draw_one


def threshold(cell: Cell) -> DrawOne:
    """Costs in inverse proportion to the classes, so that the best threshold is the middle."""
    pi = cell.prevalence
    cost_fn = (1 - pi) / pi
    best = cell.separation / 2

    def draw_one(rng: np.random.Generator) -> Outcomes:
        y, score = cell.draw(rng)
        found = threshold_interval(
            y,
            score,
            cost_fn=cost_fn,
            prevalence=pi,
            n_resamples=RESAMPLES,
            random_state=rng,
        )
        of_pos = float(ndtr(cell.separation - found.threshold))
        of_neg = float(ndtr(-found.threshold))
        cost = (1 - pi) * (1 - of_pos + of_neg)
        least = (1 - pi) * 2 * float(ndtr(-best))
        outcomes: Outcomes = {
            "threshold_interval, bound on the regret": bool(
                cost - least <= found.regret_upper + 1e-12
            ),
            "threshold_interval, sensitivity": holds(
                found.sensitivity.lower, found.sensitivity.upper, of_pos
            ),
            "threshold_interval, specificity": holds(
                found.specificity.lower, found.specificity.upper, 1 - of_neg
            ),
            "threshold_interval, cost": holds(found.corrected_lower, found.corrected_upper, cost),
        }
        if cell.separation > 0:  # otherwise all thresholds cost the same
            outcomes["threshold_interval, threshold"] = holds(found.lower, found.upper, best)
        return outcomes

    return draw_one


# ---------------------------------------------------------------------- folds


_N_FOLDS = 10
_N_FEATURES = 5


def _learned(cell: Cell, rng: np.random.Generator) -> tuple | None:
    """Cross-validate two learners on features of their own; None where folds lack a class.

    Returns labels, folds, both learners' scores, and the separation of each model that was fitted.
    """
    y = cell.labels(rng)
    if min(y.sum(), (~y).sum()) < _N_FOLDS:
        return None
    shift = cell.separation / np.sqrt(_N_FEATURES)
    fold = np.empty(cell.n, dtype=int)
    for of_class in (y, ~y):
        fold[of_class] = rng.permutation(np.arange(of_class.sum()) % _N_FOLDS)
    scores = np.empty((2, cell.n))
    separations = np.empty((2, _N_FOLDS))
    for learner in range(2):
        features = rng.normal(size=(cell.n, _N_FEATURES)) + shift * y[:, None]
        for k in range(_N_FOLDS):
            rest = fold != k
            direction = features[rest & y].mean(axis=0) - features[rest & ~y].mean(axis=0)
            direction /= np.linalg.norm(direction)
            scores[learner, fold == k] = features[fold == k] @ direction
            separations[learner, k] = shift * direction.sum()
    return y, fold, scores, separations


def folds(cell: Cell) -> DrawOne:
    """Ten folds of two learners that are equally good in truth."""
    rng = np.random.default_rng(0)
    separations = [one[3] for one in (_learned(cell, rng) for _ in range(200)) if one is not None]
    mean_auc = 0.5
    if separations:
        mean_auc = float(ndtr(np.array(separations) / np.sqrt(2)).mean())

    def draw_one(rng: np.random.Generator) -> Outcomes:
        names = (
            "fold_average, mean AUC",
            "compare_folds, difference of AUCs",
            "compare_folds, p-value",
        )
        learned = _learned(cell, rng)
        if learned is None:
            return dict.fromkeys(names)
        y, fold, scores, _ = learned
        _, low, high = fold_average(y, scores[0], fold).auc_band("interval")
        pair = compare_folds(y, {"a": scores[0], "b": scores[1]}, fold).pairs().iloc[0]
        held = holds(low, high, mean_auc), holds(pair["lower"], pair["upper"], 0.0)
        return dict(zip(names, (*held, accepts(float(pair["p_value"]))), strict=True))

    return draw_one


# ---------------------------------------------------------------------- several classes


_TRUE_CLASS_SAMPLES = 100_000


@dataclass(frozen=True)
class ThreeClasses:
    """Three classes, of which the last is the smallest; equal ones at a prevalence of one half."""

    cell: Cell

    @property
    def shares(self) -> np.ndarray:
        if self.cell.prevalence == 0.5:
            return np.full(3, 1 / 3)
        return np.array([0.95 - 3 * self.cell.prevalence, 3 * self.cell.prevalence, 0.05])

    def labels(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """Draw labels until each class has at least two samples."""
        while True:
            y = rng.choice(3, size=n, p=self.shares)
            if np.bincount(y, minlength=3).min() >= 2:
                return y

    def draw(
        self, rng: np.random.Generator, n: int, models: int = 1
    ) -> tuple[np.ndarray, list[np.ndarray]]:
        """Draw labels and each model's probabilities, which are true; a useless one's are noise."""
        y = self.labels(rng, n)
        common = rng.normal(size=(n, 3))
        return y, [self._probabilities(y, common, CORRELATION, rng) for _ in range(models)]

    def draw_patients(
        self, rng: np.random.Generator, n: int, models: int = 1
    ) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
        """Draw rows of n patients: labels, patients, and each model's probabilities.

        All rows of a patient have one label.
        """
        patient = np.repeat(np.arange(n), ROWS_PER_PATIENT)
        y = self.labels(rng, n)[patient]
        tables = []
        for _ in range(models):
            common = rng.normal(size=(n, 3))[patient]
            tables.append(self._probabilities(y, common, CORRELATION_OF_ROWS, rng))
        return y, patient, tables

    def _probabilities(
        self, y: np.ndarray, common: np.ndarray, correlation: float, rng: np.random.Generator
    ) -> np.ndarray:
        """Predict from features that share a part of their noise with others."""
        far = self.cell.separation
        scale = far / np.sqrt(2) if far > 0 else 1.0
        own = rng.normal(size=common.shape)
        x = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own
        if far > 0:
            x = x + scale * np.eye(3)[y]
        odds = np.log(self.shares) + scale * x
        prob = np.exp(odds - odds.max(axis=1, keepdims=True))
        return prob / prob.sum(axis=1, keepdims=True)


def several_classes(cell: Cell) -> DrawOne:
    source = ThreeClasses(cell)
    averages = ("hand-till", "ovr-macro")
    true = dict.fromkeys(averages, 0.5)
    if cell.separation > 0:
        y, (prob,) = source.draw(np.random.default_rng(0), _TRUE_CLASS_SAMPLES)
        true = {average: hand_till_auc(y, prob, average=average).auc for average in averages}
    z = ndtri((np.arange(20_000) + 0.5) / 20_000)
    volume = float((ndtr(z + cell.separation) * ndtr(cell.separation - z)).mean())
    if cell.separation == 0:
        volume = 1 / 6

    def draw_one(rng: np.random.Generator) -> Outcomes:
        outcomes: Outcomes = {}
        y, (prob, other) = source.draw(rng, cell.n, 2)
        for average in averages:
            found = hand_till_auc(y, prob, average=average)
            outcomes[f"hand_till_auc, {average}"] = holds(found.lower, found.upper, true[average])
        pair = hand_till_covariance(y, {"a": prob, "b": other}).pairs().iloc[0]
        outcomes["hand_till_covariance, difference"] = holds(pair["lower"], pair["upper"], 0.0)
        outcomes["hand_till_covariance, p-value"] = accepts(float(pair["p_value"]))
        ordered = ordered_volume(y, rng.normal(cell.separation * y), [0, 1, 2])
        outcomes["ordered_volume"] = holds(ordered.lower, ordered.upper, volume)
        if cell.separation > 0:
            error = classwise_calibration_error(y, prob, n_resamples=99, random_state=rng)
            outcomes["classwise_calibration_error"] = holds(error.lower, error.upper, 0.0)
            outcomes["classwise_calibration_error, p-value"] = accepts(error.p_value)
        return outcomes

    return draw_one


def confused_classes(cell: Cell) -> DrawOne:
    """Predict the most probable of three classes, and judge the shares of each class's row."""
    source = ThreeClasses(cell)
    y, (prob,) = source.draw(np.random.default_rng(0), 10 * _TRUE_CLASS_SAMPLES)
    true = confusion_matrix(y, prob.argmax(axis=1), classes=[0, 1, 2]).shares

    def draw_one(rng: np.random.Generator) -> Outcomes:
        y, (prob,) = source.draw(rng, cell.n)
        matrix = confusion_matrix(y, prob.argmax(axis=1), classes=[0, 1, 2])
        outcomes: Outcomes = {}
        for method in ("wilson", "clopper-pearson", "jeffreys"):
            lower, upper = matrix.interval(method=method)
            outcomes[f"ConfusionMatrix.interval, {method}, each share"] = share_held(
                lower, upper, true
            )
        return outcomes

    return draw_one


def patients_of_classes(cell: Cell) -> DrawOne:
    """Four rows for each of n patients, who have one of three classes each."""
    source = ThreeClasses(cell)
    averages = ("hand-till", "ovr-macro")
    true = dict.fromkeys(averages, 0.5)
    if cell.separation > 0:
        y, (prob,) = source.draw(np.random.default_rng(0), _TRUE_CLASS_SAMPLES)
        true = {average: hand_till_auc(y, prob, average=average).auc for average in averages}
    z = ndtri((np.arange(20_000) + 0.5) / 20_000)
    volume = float((ndtr(z + cell.separation) * ndtr(cell.separation - z)).mean())
    if cell.separation == 0:
        volume = 1 / 6

    def draw_one(rng: np.random.Generator) -> Outcomes:
        y, patient, (prob, other) = source.draw_patients(rng, cell.n, 2)
        outcomes: Outcomes = {}
        for average in averages:
            found = hand_till_auc(y, prob, average=average, clusters=patient)
            outcomes[f"hand_till_auc, {average}, clusters"] = holds(
                found.lower, found.upper, true[average]
            )
        compared = hand_till_covariance(y, {"a": prob, "b": other}, clusters=patient)
        pair = compared.pairs().iloc[0]
        outcomes["hand_till_covariance, difference, clusters"] = holds(
            pair["lower"], pair["upper"], 0.0
        )
        outcomes["hand_till_covariance, p-value, clusters"] = accepts(float(pair["p_value"]))
        shared = np.sqrt(CORRELATION_OF_ROWS) * rng.normal(size=cell.n)
        own = np.sqrt(1 - CORRELATION_OF_ROWS) * rng.normal(size=y.size)
        score = cell.separation * y + shared[patient] + own
        ordered = ordered_volume(y, score, [0, 1, 2], clusters=patient)
        outcomes["ordered_volume, clusters"] = holds(ordered.lower, ordered.upper, volume)
        if cell.separation > 0:
            error = classwise_calibration_error(
                y, prob, clusters=patient, n_resamples=99, random_state=rng
            )
            outcomes["classwise_calibration_error, clusters"] = holds(error.lower, error.upper, 0.0)
            outcomes["classwise_calibration_error, p-value, clusters"] = accepts(error.p_value)
        return outcomes

    return draw_one


# ---------------------------------------------------------------------- scoring lists


def scoring_list(cell: Cell) -> DrawOne:
    """Six totals whose log-odds rise by even steps, the farther the better the score is."""
    totals = np.arange(5, -1, -1)
    share = np.array([1, 5, 10, 10, 5, 1]) / 32
    step = cell.separation
    height = brentq(
        lambda a: float(share @ expit(a + step * (totals - 2.5))) - cell.prevalence, -40, 40
    )
    true = expit(height + step * (totals - 2.5))

    def draw_one(rng: np.random.Generator) -> Outcomes:
        counts = rng.multinomial(cell.n, share)
        pos = rng.binomial(counts, true)
        fitted = isotonic_regression(
            (pos + cell.prevalence) / (counts + 1), weights=counts + 1.0, increasing=False
        ).x
        stage = ScoringStage(totals, fitted, pos, counts - pos)
        together = stage.band()
        outcomes: Outcomes = {
            "ScoringStage.band, all totals": holds_all(together.lower, together.upper, true)
        }
        for method in ("clopper-pearson", "wilson"):
            apart = stage.band(method=method, correction=None)
            outcomes[f"ScoringStage.band, {method}, each total"] = share_held(
                apart.lower, apart.upper, true
            )
        return outcomes

    return draw_one


# ---------------------------------------------------------------------- clusters


def patients(cell: Cell) -> DrawOne:
    """Four rows for each of n patients, who have one outcome each."""
    model = Predictions(cell)
    few = expit(logit(cell.prevalence) + np.array([-1.0, 0.0, 1.0]))
    benefit = model.net_benefit(few)
    pi = cell.prevalence
    z = ndtri((np.arange(20_000) + 0.5) / 20_000) + cell.separation
    above = pi * ndtr(cell.separation - z)
    true_precision = float((above / (above + (1 - pi) * ndtr(-z))).mean())

    def draw_one(rng: np.random.Generator) -> Outcomes:
        y, patient, (score, other) = cell.draw_patients(rng, 2)
        interval = auc_interval(y, score, clusters=patient)
        test = auc_test(y, score, other, clusters=patient)
        precise = average_precision(y, score, clusters=patient)
        outcomes: Outcomes = {
            "auc_interval, clusters": holds(interval.lower, interval.upper, cell.auc),
            "auc_test, clusters": holds(test.lower, test.upper, 0.0),
            "average_precision, clusters": holds(precise.lower, precise.upper, true_precision),
        }
        if not model.is_useless:
            prob = expit(model.log_odds(score))
            summary = calibration_summary(y, prob, clusters=patient, n_resamples=0)
            for name in ("observed_expected", "in_the_large", "slope"):
                estimate = getattr(summary, name)
                ideal = 0.0 if name == "in_the_large" else 1.0
                outcomes[f"calibration_summary, {name}, clusters"] = holds(
                    estimate.lower, estimate.upper, ideal
                )
            band = net_benefit_band(y, prob, thresholds=few, clusters=patient)
            outcomes["net_benefit_band, at points, clusters"] = share_held(
                band.lower, band.upper, benefit
            )
            error = calibration_error(y, prob, clusters=patient, n_resamples=99)
            outcomes["calibration_error, clusters"] = holds(error.lower, error.upper, 0.0)
            outcomes["calibration_error, p-value, clusters"] = accepts(error.p_value)
        return outcomes

    return draw_one


def resampled_patients(cell: Cell) -> DrawOne:
    """The same, where whole patients are drawn."""
    model = Predictions(cell)
    few = expit(logit(cell.prevalence) + np.array([-1.0, 0.0, 1.0]))
    benefit = model.net_benefit(few)
    pi = cell.prevalence

    def draw_one(rng: np.random.Generator) -> Outcomes:
        y, patient, (score,) = cell.draw_patients(rng)
        options = {"clusters": patient, "n_resamples": RESAMPLES, "random_state": rng}
        band = roc_band(y, score, **options)
        percentiles = bootstrap_interval(y, score, **options)
        found = threshold_interval(y, score, cost_fn=(1 - pi) / pi, prevalence=pi, **options)
        of_pos = float(ndtr(cell.separation - found.threshold))
        specificity = float(ndtr(found.threshold))
        outcomes: Outcomes = {
            "roc_band, clusters": holds_all(
                band.lower, band.upper, ndtr(cell.separation + ndtri(band.fpr))
            ),
            "bootstrap_interval, AUC, clusters": holds(
                percentiles.lower, percentiles.upper, cell.auc
            ),
            "threshold_interval, sensitivity, clusters": holds(
                found.sensitivity.lower, found.sensitivity.upper, of_pos
            ),
            "threshold_interval, specificity, clusters": holds(
                found.specificity.lower, found.specificity.upper, specificity
            ),
        }
        if cell.separation > 0:
            outcomes["threshold_interval, threshold, clusters"] = holds(
                found.lower, found.upper, cell.separation / 2
            )
        if not model.is_useless:
            whole = net_benefit_band(
                y, expit(model.log_odds(score)), thresholds=few, simultaneous=True, **options
            )
            outcomes["net_benefit_band, whole, clusters"] = holds_all(
                whole.lower, whole.upper, benefit
            )
        return outcomes

    return draw_one


def rates_of_patients(cell: Cell) -> DrawOne:
    """Rates of patients' rows, at the middle threshold and where the other rate is fixed."""
    q = 0.9
    true = float(ndtr(cell.separation - ndtri(q)))
    middle = cell.separation / 2
    rate = float(ndtr(middle))

    def draw_one(rng: np.random.Generator) -> Outcomes:
        y, patient, (score,) = cell.draw_patients(rng)
        outcomes: Outcomes = {}
        for function, name in (
            (sensitivity_at_specificity, "specificity"),
            (specificity_at_sensitivity, "sensitivity"),
        ):
            fixed = function(
                y,
                score,
                **{name: q},
                clusters=patient,
                n_resamples=RESAMPLES,
                random_state=rng,
            )
            kind = f"{function.__name__}, .9, clusters"
            if fixed.is_doubtful and not np.isnan(fixed.rate):
                kind += ", marked as doubtful"
            outcomes[kind] = holds(fixed.lower, fixed.upper, true)
        weight = np.ones(y.size)
        samples = Samples(y, (score,), weight, patient)
        cells = cells_of_samples(samples, (score >= middle).astype(float))
        for name, value in (("tpr", rate), ("fpr", 1 - rate)):
            ends = clustered_rate_interval(cells, patient, name, 1 - LEVEL)
            outcomes[f"rate at a threshold, wilson, clusters, {name}"] = holds(*ends, value)
        return outcomes

    return draw_one


# ---------------------------------------------------------------------- practice


def _measures_of_policy(cell: Cell, policy: ReferralPolicy) -> dict[str, float]:
    """Compute what the thresholds of a policy do to new samples."""
    pi = cell.prevalence
    lower, upper = policy.lower_threshold, policy.upper_threshold
    pos = np.diff(ndtr(np.array([-np.inf, lower, upper, np.inf]) - cell.separation))
    neg = np.diff(ndtr(np.array([-np.inf, lower, upper, np.inf])))
    people = pi * pos + (1 - pi) * neg
    price = policy.cost_referral or 0.0
    cost = pi * policy.cost_fn * pos[0] + (1 - pi) * policy.cost_fp * neg[2] + price * people[1]
    alone = policy.threshold_without
    missed = float(ndtr(alone - cell.separation))
    without = pi * policy.cost_fn * missed + (1 - pi) * policy.cost_fp * float(ndtr(-alone))
    return {
        "share_referred": people[1],
        "sensitivity": 1 - pos[0],
        "specificity": 1 - neg[2],
        "npv": (1 - pi) * neg[0] / people[0] if people[0] > 0 else np.nan,
        "ppv": pi * pos[2] / people[2] if people[2] > 0 else np.nan,
        "cost": cost,
        "cost_without": without,
        "saving": without - cost,
    }


def referral(cell: Cell) -> DrawOne:
    """Two thresholds by cost, and by promises of predictive values."""
    pi = cell.prevalence
    cost_fn = (1 - pi) / pi
    price = 0.5 * (1 - pi)  # half of the one up to which it pays
    npv = 1 - pi / 2
    ppv = (1 + pi) / 2
    ways = {
        "by cost": {"cost_referral": price},
        "by promise": {"npv": npv, "ppv": ppv, "cost_referral": price},
    }

    def draw_one(rng: np.random.Generator) -> Outcomes:
        y, score = cell.draw(rng)
        outcomes: Outcomes = {}
        for way, wanted in ways.items():
            policy = referral_policy(
                y, score, **wanted, cost_fn=cost_fn, n_resamples=RESAMPLES // 2, random_state=rng
            )
            true = _measures_of_policy(cell, policy)
            for name in MEASURES:
                ends = policy.intervals.get(name, (np.nan, np.nan))
                outcomes[f"referral_policy, {way}, {name}"] = holds(*ends, true[name])
        return outcomes

    return draw_one


_N_SITES = 8
_SPREAD_OF_AUC = 0.3  # between sites, on the scale of log odds
_SPREAD_OF_RATIO = 0.2  # on that of logarithms


def several_sites(cell: Cell) -> DrawOne:
    """Eight sites of n samples each, whose AUCs, or numbers of positives, differ in truth.

    A new site is drawn for the prediction interval.
    """
    mean = float(logit(cell.auc))
    model = Predictions(cell)
    x, weight, _ = model.nodes
    log_odds = model.log_odds(x)
    shifts = np.linspace(-12.0, 12.0, 241)  # of the log-odds, for ratios about as far apart
    expected = [float(weight @ expit(log_odds + shift)) for shift in shifts]
    log_ratios = np.log(np.array(expected) / float(weight @ expit(log_odds)))

    def draw_one(rng: np.random.Generator) -> Outcomes:
        site = np.repeat(np.arange(_N_SITES), cell.n)
        aucs = expit(mean + _SPREAD_OF_AUC * rng.normal(size=_N_SITES + 1))
        labels, scores, outcome, probs = [], [], [], []
        for k in range(_N_SITES):
            y = cell.labels(rng)
            labels.append(y)
            scores.append(rng.normal(np.sqrt(2) * ndtri(aucs[k]) * y))
            shift = np.interp(_SPREAD_OF_RATIO * rng.normal(), log_ratios, shifts)
            behind = rng.random(cell.n) < cell.prevalence
            of_site = model.log_odds(rng.normal(model.spread * behind))
            true = expit(of_site + shift)
            if model.is_useless:
                ratio = float(np.exp(np.interp(shift, shifts, log_ratios)))
                true = np.full(cell.n, cell.prevalence * ratio)
            happened = rng.random(cell.n) < true
            outcome.append(happened)
            probs.append(expit(of_site))
        of_auc = compare_sites(np.concatenate(labels), np.concatenate(scores), site).auc
        calibrated = compare_sites(np.concatenate(outcome), np.concatenate(probs), site)
        new_ratio = float(np.exp(_SPREAD_OF_RATIO * rng.normal()))
        slope = 0.0 if model.is_useless else 1.0
        outcomes: Outcomes = {}
        for name, combined, true_mean, new_site in (
            ("AUC", of_auc, cell.auc, float(aucs[-1])),
            ("observed / expected", calibrated.observed_expected, 1.0, new_ratio),
            ("slope", calibrated.slope, slope, slope),
        ):
            found = (np.nan, np.nan), (np.nan, np.nan)
            if combined is not None:
                found = combined.average[1:], combined.prediction
            outcomes[f"compare_sites, {name}, mean"] = holds(*found[0], true_mean)
            outcomes[f"compare_sites, {name}, new site"] = holds(*found[1], new_site)
        return outcomes

    return draw_one


def updates(cell: Cell) -> DrawOne:
    """Update predictions that are twice too steep, and judge them as the update applies them."""
    model = Predictions(cell, 2.0)
    x, weight, _ = model.nodes
    prob = expit(model.log_odds(x))

    def draw_one(rng: np.random.Generator) -> Outcomes:
        y, predicted = model.draw(rng, least=0)
        outcomes: Outcomes = {}
        methods = ("intercept", "slope", "closed_test")
        if min(y.sum(), (~y).sum()) < 2:  # which is refused
            kinds = product(methods, ("observed_expected", "slope"))
            return {f"update_model, {name} after, {method}": None for method, name in kinds}
        for method in methods:
            update = update_model(y, predicted, method=method, random_state=rng)
            expected = float(weight @ update.apply(prob))
            true = {
                "observed_expected": cell.prevalence / expected,
                "slope": model.recalibration["slope"] / update.coefficient,
            }
            for name, value in true.items():
                estimate = getattr(update.after, name)
                outcomes[f"update_model, {name} after, {method}"] = holds(
                    estimate.lower, estimate.upper, value
                )
        return outcomes

    return draw_one


# ---------------------------------------------------------------------- sample sizes


def sample_sizes(cell: Cell) -> DrawOne:
    """With the samples asked for, an estimate lies within half the width from the truth."""
    width = 0.2
    about = {"prevalence": cell.prevalence, "auc": cell.auc, "width": width}
    t = cell.prevalence
    for_auc = Cell(cell.score, cell.prevalence, auc_sample_size(**about).n_samples)
    measures = {"slope": "slope", "in_the_large": "in the large"}
    by_measure = {}
    for measure, name in measures.items():
        n = calibration_sample_size(measure, **(about | {"width": 2 * width})).n_samples
        by_measure[name] = Predictions(Cell(cell.score, cell.prevalence, n))
    n = net_benefit_sample_size(t, **about).n_samples
    for_benefit = Predictions(Cell(cell.score, cell.prevalence, n))
    true_benefit = float(for_benefit.net_benefit(np.array([t]))[0]) / t

    def draw_one(rng: np.random.Generator) -> Outcomes:
        estimate = auc_interval(*for_auc.draw(rng)).auc
        outcomes: Outcomes = {"auc_sample_size": bool(abs(estimate - cell.auc) <= width / 2)}
        for measure, name in measures.items():
            model = by_measure[name]
            summary = calibration_summary(*model.draw(rng), n_resamples=0)
            off = abs(getattr(summary, measure).value - model.recalibration[name])
            outcomes[f"calibration_sample_size, {name}"] = bool(off <= width)
        band = net_benefit_band(*for_benefit.draw(rng), thresholds=[t])
        value = float(band.standardised[0])
        outcomes["net_benefit_sample_size"] = bool(abs(value - true_benefit) <= width / 2)
        return outcomes

    return draw_one


# ---------------------------------------------------------------------- the list


@dataclass(frozen=True)
class Part:
    """One simulation, with its number of data sets for each setting; half of it for n = 1,000."""

    simulate: Callable[[Cell], DrawOne]
    sets: int = 400
    cells: tuple[Cell, ...] = tuple(grid())
    is_costly: bool = True

    def sets_of(self, cell: Cell, sets: int | None = None) -> int:
        """Compute the number of data sets of a setting."""
        chosen = sets or self.sets
        return chosen // 2 if self.is_costly and cell.n == max(SAMPLE_SIZES) else chosen


def _only(cells: Iterable[Cell], score: str) -> Iterator[Cell]:
    return (cell for cell in cells if cell.score == score)


_ALL = tuple(grid())
_USEFUL_MEDIUM = tuple(cell for cell in _ALL if SCORES[cell.score] > 0.5 and cell.n == 200)
_GOOD = tuple(_only(_ALL, "good"))
_SMALLEST = tuple(cell for cell in _ALL if cell.n == min(SAMPLE_SIZES))

PARTS = {
    "auc": Part(auc, is_costly=False),
    "two_models": Part(two_models, 200),
    "resampled": Part(resampled, 200),
    "band_of_curve": Part(band_of_curve, 200),
    "rates": Part(rates, is_costly=False),
    "proportions": Part(proportions, 2000, _GOOD, is_costly=False),
    "precision": Part(precision, is_costly=False),
    "groups": Part(groups, 200),
    "calibration": Part(calibration, 200),
    "steep_calibration": Part(steep_calibration, 200, _USEFUL_MEDIUM),
    "net_benefit": Part(net_benefit, 200),
    "threshold": Part(threshold, 200),
    "folds": Part(folds, 200),
    "several_classes": Part(several_classes, 200),
    "confused_classes": Part(confused_classes, is_costly=False),
    "scoring_list": Part(scoring_list, is_costly=False),
    "patients": Part(patients, 200),
    "resampled_patients": Part(resampled_patients, 100, _SMALLEST),
    "rates_of_patients": Part(rates_of_patients, 200),
    "patients_of_classes": Part(patients_of_classes, 200),
    "referral": Part(referral, 200),
    "several_sites": Part(several_sites, 200),
    "updates": Part(updates, 200, tuple(c for c in _ALL if SCORES[c.score] > 0.5)),
    # the sample sizes are those asked for
    "sample_sizes": Part(sample_sizes, 200, tuple(c for c in _GOOD if c in _SMALLEST)),
}
