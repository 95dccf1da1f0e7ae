"""Held-out and out-of-fold data for the probabilities of a list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedShuffleSplit

from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import Bools, Floats
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.estimators.base.cross_fitting import folds_of
from rocviz.estimators.base.repeats import run_fits

Rows = NDArray[np.intp]


def held_out(positive: Bools, share: float, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """Split off a stratified share of all rows for the probabilities."""
    fewest = int(min(positive.sum(), (~positive).sum()))
    if fewest < 2:
        raise ValueError(
            "calibration_data: holding samples out needs two of each class; the smaller class has "
            f"{fewest}."
        )
    splitter = StratifiedShuffleSplit(1, test_size=share, random_state=int(rng.integers(2**31)))
    with prefix_error_with("calibration_data"):
        return next(splitter.split(positive, positive))


def out_of_fold(
    fitted: ScoringList,
    X: Floats,
    positive: Bools,
    weight: Floats | None,
    learn: Callable[[Rows], ScoringList],
    *,
    cv: Any,
    rng: np.random.Generator,
    method: str,
    m: float,
) -> ScoringList:
    """Fit the probabilities of a list to counts from lists learned without the samples.

    Lists of different folds have different totals. Each sample's total is therefore scaled
    from the range that its own list can reach to the range of ``fitted``, and counted at the
    nearest total there. A list with fewer stages stays at its last. The folds go through joblib.
    """
    counts = [np.zeros((2, len(stage))) for stage in fitted.stages]
    kind = np.where(positive, "positive", "negative")
    folds = folds_of(cv, positive, kind, weight, {}, "calibration_data", rng)
    inputs = ((learn, fitted.stages, X[test], train) for train, test in folds)
    places_of_folds = run_fits(
        _places_of_fold, inputs, range(len(folds)), None, None, "cross-validation"
    )
    for (_, test), places in zip(folds, places_of_folds, strict=True):
        share = np.ones(test.size) if weight is None else weight[test]
        for count, nearest in zip(counts, places, strict=True):
            np.add.at(count, (positive[test].astype(np.intp), nearest), share)
    stages = tuple(
        ScoringStage.fit(stage.totals, pos, neg, method=method, m=m)
        for stage, (neg, pos) in zip(fitted.stages, counts, strict=True)
    )
    return replace(fitted, stages=stages)


def _places_of_fold(
    learn: Callable[[Rows], ScoringList], stages: tuple[ScoringStage, ...], X: Floats, train: Rows
) -> list[Rows]:
    """Find for each stage the total nearest to each sample's total in another list."""
    without = learn(train)
    out = []
    for k, stage in enumerate(stages):
        there = min(k, len(without))
        place = _place(without.total_scores(X, there), without.stages[there])
        out.append(_nearest(place, stage))
    return out


def _place(totals: NDArray[np.int64], stage: ScoringStage) -> Floats:
    """Scale totals to [0, 1] between the lowest and the highest that can be reached."""
    low, high = int(stage.totals[-1]), int(stage.totals[0])
    return np.full(totals.size, 0.5) if low == high else (totals - low) / (high - low)


def _nearest(place: Floats, stage: ScoringStage) -> Rows:
    """Find the total nearest to each place; of two, the higher one."""
    low, high = int(stage.totals[-1]), int(stage.totals[0])
    wanted = low + place * (high - low)
    rising = stage.totals[::-1]
    middles = (rising[:-1] + rising[1:]) / 2
    return rising.size - 1 - np.searchsorted(middles, wanted, side="right")
