"""Phrases of the sections of a report on two classes."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from rocviz.core.roc.segments import RankedSegments
from rocviz.report.data import Evaluation, Samples
from rocviz.report.section import join
from rocviz.words import (
    amount,
    number,
)

MAX_FIGURES = 6  # most models with a figure of their own
#: Said where a cluster has rows of several groups, or of several folds.
SHARED_GROUPS = (
    "Some clusters have rows of several groups, which are then not independent: there are no "
    "intervals and tests of differences between groups."
)
SHARED_FOLDS = (
    "Some clusters have rows in several folds, so that models were tested on clusters of which "
    "they had seen other rows: all numbers here may be too good. Folds of whole clusters avoid "
    "that."
)
MEASURE_NAMES = {
    "observed_expected": "observed / expected",
    "in_the_large": "intercept",
    "slope": "slope",
    "ici": "ICI",
    "e50": "E50",
    "e90": "E90",
}


def are_labels(ranking: RankedSegments) -> bool:
    """Whether all scores are 0 or 1."""
    return bool(np.isin(ranking.score, (0.0, 1.0)).all())


def row_of(rows: list[dict[str, Any]], model: str) -> dict[str, Any]:
    """Find the row of a model."""
    return next(row for row in rows if row["model"] == model)


def model_text(data: Evaluation, name: str) -> str:
    """Name a model in a sentence."""
    return name if len(data.rankings) > 1 else "the model"


def at_start(model: str) -> str:
    """Write a model at the start of a sentence; names stay as they are."""
    return "The model" if model == "the model" else model


def by_model(data: Evaluation, name: str) -> str:
    """Write the start of a sentence about a model's scores."""
    return f"By {name}," if len(data.rankings) > 1 else "By the model's scores,"


def ends_text(row: dict[str, Any]) -> str:
    """Write both ends of an interval."""
    return f"{number(row['lower'])} to {number(row['upper'])}"


def two_digits(value: float) -> str:
    """Write a ratio or a slope, which may be near 1 without being a share."""
    return f"{value:.2f}".replace("-", "−") if isfinite(value) else number(value)


def whole_amount(value: float) -> str:
    """Write a number of samples or a cost whole."""
    return amount(round(value))


def wilson_text(samples: Samples | None) -> str:
    """Name the intervals of rates."""
    if samples is not None and samples.clusters is not None:
        return "Wilson's, for as many samples as the clusters are worth"
    return "Wilson's"


def obuchowski_text(samples: Samples) -> str:
    """Name the interval of an area that is by clusters."""
    return f"of {samples.n_clusters:,} clusters of rows by Obuchowski's variance"


def reversed_text(data: Evaluation) -> list[str]:
    """Warn of scores that rank worse than chance."""
    reversed_ = [name for name, interval in data.auc_intervals.items() if interval.upper < 0.5]
    if not reversed_:
        return []
    whose = join(reversed_) if len(data.rankings) > 1 else "the model"
    return [
        f"Scores of {whose} rank worse than chance: samples that are {data.positive} have the "
        "lower ones. Perhaps they are scores of the other class, or another label is the "
        "positive one; what follows would then be wrong too."
    ]
