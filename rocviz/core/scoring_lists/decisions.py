"""Early stopping in a scoring list: the stage at which each row stops, and the cost of asking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import (
    Bools,
    Floats,
    check_choice,
    check_fraction,
    check_prices,
    describe,
)
from rocviz.core.scoring_lists.questions import Ints, ListQuestions
from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.core.scoring_lists.stage_band import StageBand


class StopOptions(TypedDict, total=False):
    """Options of early stopping, see :meth:`rocviz.ScoringList.decide`."""

    lower: float | None
    upper: float | None
    use: str
    confidence: float
    method: str
    correction: str | None


@dataclass(frozen=True, eq=False)
class Decisions(Frozen):
    """Stage and decision at which each row stops, as arrays of shape (n_samples,).

    Parameters
    ----------
    positive : ndarray of bool
        The class decided on.
    probability : ndarray of float
        Probability of the positive class at the stage where the row stopped.
    lower, upper : ndarray of float
        Interval of that probability; NaN for a list written by hand.
    stage : ndarray of int
        How many questions of the list were gone through.
    n_asked : ndarray of int
        How many features had to be known for it: a column that comes twice counts once, a
        question whose answer is always the same does not count.
    cost : ndarray of float
        Cost of asking for them.
    is_confident : ndarray of bool
        Whether a limit was reached, rather than the end of the list.
    n_stages : int
        Questions in the list.
    """

    positive: Bools
    probability: Floats
    lower: Floats
    upper: Floats
    stage: Ints
    n_asked: Ints
    cost: Floats
    is_confident: Bools
    n_stages: int

    def __len__(self) -> int:
        return int(self.stage.size)

    def stage_distribution(self) -> Floats:
        """Compute the share of rows that stopped at each stage, shape (n_stages + 1,)."""
        return np.bincount(self.stage, minlength=self.n_stages + 1) / max(len(self), 1)

    def to_frame(self) -> DataFrame:
        """Tabulate the samples, one row each.

        Columns ``positive, probability, lower, upper, stage, n_asked, cost, is_confident``.
        """
        names = ("positive", "probability", "lower", "upper", "stage", "n_asked", "cost")
        columns = {name: getattr(self, name) for name in (*names, "is_confident")}
        return to_frame(columns)


def stops(
    stage: ScoringStage,
    band: StageBand | None = None,
    *,
    lower: float | None = None,
    upper: float | None = None,
    use: str = "point",
) -> tuple[Bools, Bools]:
    """Mark the totals of a stage that are ruled out and ruled in.

    Parameters
    ----------
    stage : ScoringStage
    band : StageBand, optional
        Band of the stage; needed for ``use="interval"``.
    lower, upper : float, optional
        Limits within [0, 1]; without one, that side never stops.
    use : {"point", "interval"}, default="point"
        Beyond the limit has to be the probability, or the whole interval.

    Returns
    -------
    negative, positive : ndarray of bool, shape (n_totals,)
        Never both: a probability that is at both limits is negative.

    Raises
    ------
    ValueError
        If an argument is invalid, or the band is missing.

    Examples
    --------
    >>> from rocviz.datasets import load_scoring_list_example
    >>> stage = load_scoring_list_example().stages[3]
    >>> negative, positive = stops(stage, lower=0.1, upper=0.7)
    >>> stage.totals[positive], stage.totals[negative]
    (array([2, 1]), array([-2]))
    """
    check_limits(lower, upper, use)
    if not isinstance(stage, ScoringStage):
        raise ValueError(f"stage must be ScoringStage; got {type(stage).__name__}.")
    low = high = stage.probability
    if use == "interval":
        if not isinstance(band, StageBand):
            raise ValueError(
                f"use='interval' needs the band of the stage; got {type(band).__name__}."
            )
        low = band.lower
        high = band.upper
    nowhere = np.zeros(len(stage), dtype=np.bool_)
    negative = nowhere if lower is None else high <= lower
    positive = nowhere if upper is None else low >= upper
    return negative, positive & ~negative


def check_limits(lower: float | None, upper: float | None, use: str = "point") -> None:
    """Raise unless limits are probabilities in order, and ``use`` is known."""
    low = 0.0 if lower is None else check_fraction(lower, "lower", ends=True)
    high = 1.0 if upper is None else check_fraction(upper, "upper", ends=True)
    if low > high:
        raise ValueError(
            f"lower must not be above upper; got {describe(lower)} and {describe(upper)}."
        )
    check_choice(use, "use", ("point", "interval"))


def cumulative_costs(
    questions: ListQuestions, feature_costs: ArrayLike | None, n_columns: int
) -> tuple[Ints, Floats]:
    """Count the features known by each stage, and add up their costs."""
    column_costs = np.ones(n_columns)
    if feature_costs is not None:
        column_costs = check_prices(feature_costs, "feature_costs", n_columns)
    known: set[int] = set()
    n_new = np.zeros(len(questions) + 1, dtype=np.int64)
    added_cost = np.zeros(len(questions) + 1)
    for k, (column, threshold) in enumerate(
        zip(questions.features.tolist(), questions.thresholds.tolist(), strict=True), 1
    ):
        is_needed = not np.isinf(threshold) or questions.missing != "error"
        if is_needed and column not in known:
            known.add(column)
            n_new[k] = 1
            added_cost[k] = column_costs[column]
    return np.cumsum(n_new), np.cumsum(added_cost)
