"""Differences between the primary model of a report and the others, with paired intervals."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pandas as pd

from rocviz.core.base.normal import normal_quantile, student_quantile
from rocviz.core.base.validation import Floats
from rocviz.core.comparison.net_benefit import compare_net_benefit
from rocviz.report.data import CONFIDENCE, Evaluation, Samples
from rocviz.report.section import INTERVAL_HEADINGS, Table, join
from rocviz.words import amount, number

#: Columns of differences: of another model, less that of the primary one.
COLUMNS = ("model", "difference", "lower", "upper")


def brier_differences(data: Evaluation) -> pd.DataFrame | None:
    """Compute how much higher the Brier scores of other models are, sample by sample.

    ``None`` where the primary model has no probabilities, no other one has, or samples are not in
    memory.
    """
    primary = data.primary_model
    if data.samples is None or primary not in data.probabilities or len(data.probabilities) < 2:
        return None
    squares = {}
    for name, prob in data.probabilities.items():
        squares[name] = (prob - data.samples.positive) ** 2
    rows = []
    for name, square in squares.items():
        if name != primary:
            mean, lower, upper = mean_interval(square - squares[primary], data.samples)
            rows.append({"model": name, "difference": mean, "lower": lower, "upper": upper})
    return pd.DataFrame(rows, columns=list(COLUMNS))


def mean_interval(value: Floats, samples: Samples) -> tuple[float, float, float]:
    """Compute a weighted mean with its interval; of clusters, with the variance of their sums.

    The interval is NaN where the values do not vary and are not zero, as they then do not show how
    much others would differ.
    """
    weight = np.ones(value.size) if samples.weight is None else samples.weight
    total = float(weight.sum())
    mean = float(weight @ value) / total
    away = weight * (value - mean)
    if samples.clusters is None:
        squares = float(away @ (value - mean))
        n_units = total
    else:
        unit = np.unique(samples.clusters.labels, return_inverse=True)[1]
        squares = float((np.bincount(unit, away) ** 2).sum())
        n_units = float(unit.max() + 1)
    if not value.any():
        return 0.0, 0.0, 0.0
    if squares <= 0 or n_units <= 1:
        return mean, float("nan"), float("nan")
    error = sqrt(squares * n_units / (n_units - 1)) / total
    half = float(student_quantile(CONFIDENCE, n_units - 1)) * error
    return mean, mean - half, mean + half


def cost_differences(data: Evaluation) -> pd.DataFrame | None:
    """Compute how much more other models cost per 1,000 samples, each at its own threshold.

    The expected cost is linear in the net benefit of the predictions, at the threshold probability
    that belongs to the costs. ``None`` with one model, without samples in memory, or if an error is
    free, as every model then costs nothing.
    """
    if data.samples is None or len(data.rankings) < 2 or not (data.cost_fp and data.cost_fn):
        return None
    predictions = {}
    for name, score in data.samples.scores.items():
        predictions[name] = (score >= data.operating_points[name].threshold).astype(np.float64)
    threshold = data.threshold_probability
    return _benefit_differences(data, predictions, threshold, -1000 * data.cost_fn)


def benefit_differences(data: Evaluation) -> pd.DataFrame | None:
    """Compute how much greater the net benefits of other models are, at one threshold probability.

    ``None`` where the primary model has no probabilities, no other one has, or samples are not in
    memory.
    """
    primary = data.primary_model
    if primary not in data.probabilities or len(data.probabilities) < 2:
        return None
    return _benefit_differences(data, data.probabilities, data.benefit_threshold, 1.0)


def _benefit_differences(
    data: Evaluation, probabilities: dict[str, Floats], threshold: float, factor: float
) -> pd.DataFrame:
    """Multiply differences of net benefit, of each other model less the primary one."""
    samples = data.samples
    assert samples is not None
    names = list(probabilities)
    numbered = {str(i): prob for i, prob in enumerate(probabilities.values())}
    comparison = compare_net_benefit(
        samples.positive,
        numbered,
        [threshold],
        sample_weight=samples.weight,
        clusters=samples.cluster_labels,
        prevalence=data.prevalence,
        confidence=CONFIDENCE,
    )
    primary = names.index(data.primary_model)
    rows = []
    for i, name in enumerate(names):
        if i != primary:
            difference = factor * (
                comparison.net_benefit[i, 0] - comparison.net_benefit[primary, 0]
            )
            difference += 0.0  # no -0
            half = normal_quantile(CONFIDENCE) * abs(factor)
            half *= comparison.difference_error[i, primary, 0]
            rows.append(
                {
                    "model": name,
                    "difference": difference,
                    "lower": difference - half,
                    "upper": difference + half,
                }
            )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def differences_table(
    frame: pd.DataFrame, name: str, quantity: str, primary: str, counts: tuple[str, ...] = ()
) -> Table:
    """Tabulate differences from the primary model."""
    headings = {"model": "model", "difference": "difference", **INTERVAL_HEADINGS}
    words = f"{quantity} less that of {primary}"
    return Table(name, words, frame, headings, counts=counts, is_appendix=True)


def differences_text(
    frame: pd.DataFrame,
    primary: str,
    quantity: str,
    superlative: str,
    *,
    is_loss: bool,
    caveat: str = "",
) -> str:
    """Say which models differ from the primary one by more than chance explains.

    Parameters
    ----------
    frame : pandas.DataFrame
        Columns :data:`COLUMNS`.
    primary : str
    quantity : str
        What differs, such as ``"expected cost per 1,000 samples"``.
    superlative : str
        What is true of the primary model if every other one is worse beyond chance.
    is_loss : bool
        Whether less is better.
    caveat : str
        What the intervals take for granted.
    """
    write = amount if frame["difference"].abs().max() >= 10 else number
    better = []
    worse = []
    open_ = []
    equal = []
    for row in frame.itertuples():
        if row.lower == row.upper == 0:
            equal.append(row.model)
            continue
        if not (row.lower > 0 or row.upper < 0):
            open_.append(row.model)
            continue
        direction = "higher" if row.difference > 0 else "lower"
        ends = sorted((abs(row.lower), abs(row.upper)))
        words = (
            f"that of {row.model} is {direction} by {write(abs(row.difference))} "
            f"({write(ends[0])} to {write(ends[1])})"
        )
        if (row.difference > 0) == is_loss:
            worse.append(words)
        else:
            better.append(words)
    sentences = []
    if not (better or open_ or equal):
        models = "the two models" if len(frame) == 1 else "all models"
        sentences.append(f"Of {models}, {primary} {superlative}.")
    if better or worse:
        sentences.append(
            f"Compared with the {quantity} of {primary}, {join([*better, *worse])}; 95 % intervals "
            f"are of differences on the same samples{caveat}."
        )
    if open_:
        sentences.append(
            f"Chance alone can explain how the {quantity} of {primary} differs from that of "
            f"{join(open_)}."
        )
    if equal:
        sentences.append(f"The {quantity} of {primary} is the same as that of {join(equal)}.")
    return " ".join(sentences)
