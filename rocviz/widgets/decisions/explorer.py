"""The decision explorer: its state and its pictures put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.decisions.formula import parse_formula
from rocviz.core.roc.segments import RankedSegments
from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.own_data import FromPredictions, nothing_beside_segments
from rocviz.widgets.base.panel import Panel
from rocviz.widgets.base.preview import ONE_AT_A_TIME
from rocviz.widgets.decisions.data import OwnBatch
from rocviz.widgets.decisions.inputs import DecisionInputs
from rocviz.widgets.decisions.outcomes import OutcomesPanel
from rocviz.widgets.decisions.state import DecisionState
from rocviz.widgets.decisions.thresholds import ThresholdPanel
from rocviz.widgets.decisions.utilities import UtilityPanel
from rocviz.widgets.decisions.view import ProbabilityPanel

MOST_BENT = 1000  # samples up to which any formula is summed within a second
MOST_CUTS = 300_000  # samples up to which all metrics that are shown take about a second


class DecisionExplorer(DecisionState, FromPredictions, Explorer):
    """See which samples to call positive for a metric, and what every other choice is worth.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments, optional
        Labels of exactly two classes: what each cut really gave, and the best cut on them, are
        shown too. Decisions need no labels. Segments come alone; their scores are the
        probabilities, of up to a million samples.
    y_prob : array-like of float, shape (n_samples,), optional
        Probability of the positive class, taken for the truth; ``sharpen`` and ``shift`` show
        what follows if decisions are made by other ones. Without data: a sandbox.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    **inputs

    Attributes
    ----------
    result : DecisionResult
        What is on screen: ``result.decision`` is the
        :class:`rocviz.core.decisions.Decision` for the metric.

    See Also
    --------
    rocviz.optimal_decision : The numbers.
    rocviz.DecisionDisplay : The picture in matplotlib.

    References
    ----------
    Natarajan et al. (2015), Theorem 6 and section 4.

    Examples
    --------
    >>> explorer = DecisionExplorer(y_prob=[1.0, 0.3, 0.3, 0.3, 0.3, 0.3])
    >>> explorer.k, round(explorer.result.decision.utility, 4)
    (1, 0.6256)
    >>> explorer.formula = "u / (p + v - u)"
    >>> explorer.metric, explorer.k
    ('formula', 1)
    >>> explorer.close()
    """

    opened = "probabilities"

    def __init__(
        self,
        y_true: ArrayLike | RankedSegments | None = None,
        y_prob: ArrayLike | None = None,
        *,
        pos_label: Any = None,
        **inputs: Unpack[DecisionInputs],
    ) -> None:
        data = None
        if isinstance(y_true, RankedSegments):
            nothing_beside_segments(y_prob, pos_label)
            data = OwnBatch.from_segments(y_true)
        elif y_prob is not None:
            data = OwnBatch(y_true, y_prob, pos_label)
        elif y_true is not None:
            raise ValueError(
                "y_prob must be given: y_true holds labels only. Probabilities without labels are "
                "given by name, DecisionExplorer(y_prob=...)."
            )
        super().__init__(data, **inputs)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike | None = None,
        *,
        pos_label: Any = None,
        **inputs: Unpack[DecisionInputs],
    ) -> DecisionExplorer:
        """Open on the probabilities of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
            With ``predict_proba``.
        y : array-like, shape (n_samples,), optional
            Labels of the samples.
        """
        from rocviz.displays.base.data import response_values

        prob, pos_label = response_values(
            estimator, X, response_method="predict_proba", pos_label=pos_label
        )
        return cls(y, prob, pos_label=pos_label, **inputs)

    # ------------------------------------------------------------------ pictures

    def _make_panels(self) -> dict[str, Callable[[], Panel]]:
        self.exact = self._task("the exact picture", self._exact_job, lambda _none: self.finish())
        return {
            "probabilities": lambda: ProbabilityPanel(self._drag_k, self._drag_item),
            "utilities": lambda: UtilityPanel(self._drag_k),
            "thresholds": ThresholdPanel,
            "outcomes": OutcomesPanel,
        }

    # ------------------------------------------------------------------ what a hand does

    def _drag_k(self, x: float) -> None:
        with self.by_hand():
            self.k = round(float(np.clip(x, 0, self.size)))

    def _drag_item(self, item: int, probability: float) -> None:
        if item <= self.size:
            p = round(float(np.clip(probability, 0.0, 1.0)), 2)
            self._try(lambda: self.give(item, p))

    # ------------------------------------------------------------------ previews

    def takes_long(self, changed: set[str]) -> bool:
        """Whether a formula with a bend is summed count by count, or the cuts are very many."""
        wanted = {self.metric, *self.compared} | ({"formula"} & changed)
        return self.size > MOST_CUTS or (
            "formula" in wanted and self.size > MOST_BENT and parse_formula(self.formula).has_bends
        )

    def _rest(self) -> None:
        """Compute in a thread what a preview stood in for; the next step stops that."""
        self.exact.start()

    def _forget_preview(self) -> None:
        super()._forget_preview()
        if self._panels:
            self.exact.stop()

    def _exact_job(self, progress: Any, should_stop: Any) -> None:
        with ONE_AT_A_TIME:
            steps = self.exact_steps(progress=progress, should_stop=should_stop)
        for _part in steps:
            if should_stop():
                return
