"""What a scoring list says of rows at each stage, and what one decides from it.

The base of ``ScoringList``, which adds how one is made, judged and printed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import Bools, Floats
from rocviz.core.scoring_lists.decisions import Decisions, StopOptions, decide
from rocviz.core.scoring_lists.questions import ListQuestions, shown
from rocviz.core.scoring_lists.stage import ScoringStage, calls_positive
from rocviz.core.scoring_lists.stage_band import IntervalOptions


@dataclass(frozen=True, eq=False, repr=False)
class ScoringModel(ListQuestions):
    """Questions, and a stage with probabilities after each of them."""

    stages: tuple[ScoringStage, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "stages", tuple(self.stages))
        if len(self.stages) != len(self) + 1:
            raise ValueError(
                f"stages must have one entry more than scores; got {len(self.stages)} for "
                f"{len(self)} scores."
            )
        for k, (stage, totals) in enumerate(zip(self.stages, self._totals(), strict=True)):
            if not np.array_equal(stage.totals, totals):
                raise ValueError(
                    f"stage {k} must have the totals that its scores reach, "
                    f"{shown(totals.tolist())}; got {shown(stage.totals.tolist())}."
                )

    # ------------------------------------------------------------------ probabilities

    def predict_proba(self, X: ArrayLike, stage: int = -1) -> Floats:
        """Return the probability of the positive class at a stage.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_columns)
        stage : int, default=-1
            From 0 to K; negative numbers count from the end.

        Returns
        -------
        ndarray of float, shape (n_samples,)
        """
        k = self.stage_number(stage)
        return self.stages[k].probability_at(self.total_scores(X, k))

    def interval(
        self,
        X: ArrayLike,
        stage: int = -1,
        confidence: float = 0.95,
        **how: Unpack[IntervalOptions],
    ) -> tuple[Floats, Floats]:
        """Return an interval of each row's probability at a stage.

        It is a property of the list: a row gets the same interval alone and among others.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_columns)
        stage : int, default=-1
            From 0 to K; negative numbers count from the end.
        confidence, method, correction
            As for :func:`rocviz.core.scoring_lists.stage_band.stage_band`.

        Returns
        -------
        lower, upper : ndarray of float, shape (n_samples,)

        Raises
        ------
        ValueError
            If the list was written by hand, or an argument is not as said above.
        """
        k = self.stage_number(stage)
        band = self.stages[k].band(confidence, **how)
        return band.at(self.total_scores(X, k))

    def band_widths(self, confidence: float = 0.95, **how: Unpack[IntervalOptions]) -> Floats:
        """Return how wide the intervals of each stage are, on the mean over the list's cases.

        Takes what :func:`rocviz.core.scoring_lists.stage_band.stage_band` takes.

        Returns
        -------
        ndarray of float, shape (K + 1,)
            It grows with most questions, since each splits the data.

        Raises
        ------
        ValueError
            If the list was written by hand, or an argument is not as said above.
        """
        bands = [stage.band(confidence, **how) for stage in self.stages]
        return np.array(
            [
                np.average(band.upper - band.lower, weights=stage.n)
                for band, stage in zip(bands, self.stages, strict=True)
            ]
        )

    # ------------------------------------------------------------------ decisions

    def predict(self, X: ArrayLike, stage: int = -1, cost_fn: float = 1.0) -> Bools:
        """Return which rows are called positive at a stage, to the lowest expected loss.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_columns)
        stage : int, default=-1
        cost_fn : float, default=1
            Cost M of a miss, in false alarms.

        Returns
        -------
        ndarray of bool, shape (n_samples,)
            False where ``1 - p >= M p``.
        """
        return calls_positive(self.predict_proba(X, stage), cost_fn)

    def risk_averse(
        self,
        X: ArrayLike,
        stage: int = -1,
        cost_fn: float = 10.0,
        confidence: float = 0.5,
        **how: Unpack[IntervalOptions],
    ) -> Bools:
        """Return which rows are called positive when the upper bound is taken for the truth.

        Parameters
        ----------
        X, stage, cost_fn
            As for :meth:`predict`.
        confidence, method, correction
            As for :func:`rocviz.core.scoring_lists.stage_band.stage_band`.

        Returns
        -------
        ndarray of bool, shape (n_samples,)
            False where ``1 - u >= M u``, with u the upper end of the interval.
        """
        _, upper = self.interval(X, stage, confidence, **how)
        return calls_positive(upper, cost_fn)

    def decide(
        self,
        X: ArrayLike,
        *,
        cost_fn: float = 1.0,
        feature_costs: ArrayLike | None = None,
        **stop: Unpack[StopOptions],
    ) -> Decisions:
        """Walk down the list row by row, and stop when sure.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_columns)
            Values that a row's walk never gets to are not looked at, and may be missing.
        lower, upper : float, default=None
            Limits within [0, 1]. A row stops as negative when its probability is at most
            ``lower``, as positive when it is at least ``upper``; without a limit that side
            never stops.
        use : {"point", "interval"}, default="point"
            What has to be beyond the limit: the probability, or the whole interval.
        confidence, method, correction : default=0.95, "clopper-pearson", "bonferroni"
            Of the intervals, as for :func:`rocviz.core.scoring_lists.stage_band.stage_band`.
        cost_fn : float, default=1
            Cost M of a miss, in false alarms: rows that never reach a limit are called negative
            at the end of the list only if ``1 - p >= M p``.
        feature_costs : array-like of float, shape (n_columns,), optional
            What it costs to ask for each column of X; not negative. By default 1 each.

        Raises
        ------
        ValueError
            If an argument is not as said above, or intervals are asked of a list that was
            written by hand.

        Examples
        --------
        >>> from rocviz import ScoringList
        >>> table = [{0: 0.3}, {0: 0.2, 1: 0.9}, {0: 0.1, 1: 0.5, 2: 0.9}]
        >>> scoring_list = ScoringList.from_table([1, 1], table)
        >>> scoring_list.decide([[1, 0], [0, 0]], upper=0.9).n_asked
        array([1, 2])
        """
        return decide(self, self.stages, X, cost_fn=cost_fn, feature_costs=feature_costs, **stop)
