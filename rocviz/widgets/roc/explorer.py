"""The ROC explorer: its state and its pictures put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, Unpack

from numpy.typing import ArrayLike

from rocviz.core.base.frozen import DataFrame
from rocviz.core.base.naming import by_name
from rocviz.core.roc.segments import RankedSegments
from rocviz.widgets.base.background import stepping
from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.own_data import (
    FromEstimator,
    both_given,
    estimator_scores,
    nothing_beside_segments,
)
from rocviz.widgets.base.panel import Panel
from rocviz.widgets.base.preview import ONE_AT_A_TIME
from rocviz.widgets.roc.curve_view import CurvePanel
from rocviz.widgets.roc.data import Scored
from rocviz.widgets.roc.inputs import FEW, ROCInputs
from rocviz.widgets.roc.result import result_of
from rocviz.widgets.roc.state import AT_ONCE, ROCState
from rocviz.widgets.roc.view import BrierPanel, ReliabilityPanel, ScoresPanel
from rocviz.words import short_score

STEPS = 8  # of the bar, about; the last ones may be many or none


class ROCExplorer(ROCState, FromEstimator, Explorer):
    """See a ranking's ROC curve, its convex hull and its Brier score, and move them.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments, optional
        Labels of exactly two classes; or, alone, the segments of data that were counted before
        (:meth:`RankedSegments.from_partitions`). Without data: a sandbox of simulated scores.
    y_score : array-like of float, shape (n_samples,), or mapping of str to such, optional
        Scores, higher means more positive; or several named models' scores of the same samples, as
        a mapping or a data frame.
    sample_weight : array-like of float, shape (n_samples,), optional
        Weights.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    **inputs

    Attributes
    ----------
    result : ROCResult
        What is on screen, as the core's objects: ``result.table``, ``result.segments``, ...

    See Also
    --------
    rocviz.ROCHullDisplay : The same picture in matplotlib.

    Examples
    --------
    >>> explorer = ROCExplorer([0, 1, 0, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9])
    >>> explorer.threshold = 0.4
    >>> explorer.result.table.tpr, explorer.result.table.fpr
    (1.0, 0.0)
    >>> explorer.close()
    """

    _clicked: int | None = None  # the segment that is joined with the next one clicked

    def __init__(
        self,
        y_true: ArrayLike | RankedSegments | None = None,
        y_score: ArrayLike | Mapping[str, ArrayLike] | DataFrame | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        **inputs: Unpack[ROCInputs],
    ) -> None:
        data = None
        if isinstance(y_true, RankedSegments):
            nothing_beside_segments(y_score, sample_weight, pos_label)
            data = Scored.from_segments(y_true)
        elif both_given(y_true=y_true, y_score=y_score) and y_true is not None:
            named: Any = by_name(y_score)
            scores: Any = named if isinstance(named, Mapping) else {"model": y_score}
            data = Scored(y_true, scores, sample_weight=sample_weight, pos_label=pos_label)
        super().__init__(data, **inputs)

    @classmethod
    def scores_of(cls, estimator: Any, X: Any, pos_label: Any) -> tuple[Any, Any]:
        """Return scores of one classifier, or of each of a mapping, and the positive class."""
        return estimator_scores(estimator, X, pos_label)

    def tables(self) -> dict[str, DataFrame]:
        """Return the rates at the threshold held, below all models where there are several."""
        rates = super().tables()[""]
        if len(self.data.scores) == 1:
            return {"": rates}
        held = f"{self.model} at the threshold {short_score(self.threshold)}"
        return {"every model at its best cut": self.result.to_frame(), held: rates}

    # ------------------------------------------------------------------ pictures

    def _make_panels(self) -> dict[str, Callable[[], Panel]]:
        self.exact = self._task("the exact picture", self._prepare_exact, self._on_exact)
        self.observe(lambda _change: self.exact.stop(), names=["result"])
        curve = (self.hold_point, self.coarsen, self._click_model)
        return {
            "roc": lambda: CurvePanel("roc", *curve),
            "scores": lambda: ScoresPanel(self._drag_threshold),
            "reliability": lambda: ReliabilityPanel(self._click_segment),
            "brier": BrierPanel,
            "space": lambda: CurvePanel("space", *curve),
        }

    # ------------------------------------------------------------------ what a hand does

    def _drag_threshold(self, x: float) -> None:
        low, high = self.bounds
        self.update(threshold=float(min(max(x, low), high)), random_part=1.0)

    def _click_model(self, name: str) -> None:
        self._try(lambda: self.update(model=name))

    def _click_segment(self, index: int) -> None:
        """Join two neighbours that are clicked one after the other."""
        result, n = self.result, len(self.result.segments)
        one_each = not self.held_out and len(result.reliability.n) == n
        if self.reliability_by != "score" or n > FEW or not one_each:
            return  # the circles are not the segments of the ranking
        panel: Any = self._panels["reliability"]
        clicked = int(panel.order[index])
        before, self._clicked = self._clicked, clicked
        if before is not None and abs(before - clicked) == 1:
            self._clicked = None
            self.coarsen(min(before, clicked))

    # ------------------------------------------------------------------ previews

    def _rest(self) -> None:
        """Make it exact; of many samples beside the kernel, which the next step of a hand ends."""
        if (self.n_samples if self.is_sandbox else self._own.positive.size) <= AT_ONCE:
            self.finish()
        else:
            self.exact.start()

    def _prepare_exact(self, progress: Any, should_stop: Any) -> dict[bool, Any]:
        with ONE_AT_A_TIME:
            given, drawn = self.inputs(), {**self._sandbox}
            data = (
                self._own if not self.is_sandbox else drawn[False][1] if self._is_drawn() else None
            )
        with stepping(STEPS, progress, should_stop):
            if data is None:
                settings = {name: given[name] for name in self.sandbox_names()}
                data = self.drawn(settings)
                drawn[False] = tuple(settings.values()), data
            result_of(SimpleNamespace(**given), data).thin()
        return drawn

    def _on_exact(self, drawn: dict[bool, Any]) -> None:
        self._sandbox = drawn
        self.finish()
