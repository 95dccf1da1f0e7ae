"""The ROC explorer: its state, its pictures and its controls put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import ipywidgets

from rocviz.displays.base.data import estimator_scores
from rocviz.widgets.base.explorer import Explorer, Panel
from rocviz.widgets.base.parts import control, on_grid
from rocviz.widgets.roc.data import CALIBRATIONS, Scored
from rocviz.widgets.roc.state import ROCState
from rocviz.widgets.roc.view import BrierPanel, ReliabilityPanel, ROCPanel, ScoresPanel
from rocviz.widgets.roc.words import METRIC_NAMES

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from rocviz.theme import Theme
    from rocviz.widgets.roc.state import ROCResult

__all__ = ["ROCExplorer"]


class ROCExplorer(ROCState, Explorer):
    """See a ranking's ROC curve, its convex hull and its Brier score, and move them.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), optional
        Labels of exactly two classes. Without data: a sandbox of simulated scores.
    y_score : array-like of float, shape (n_samples,), or mapping of str to such, optional
        Scores, higher means more positive; or several named models' scores of the same samples.
    sample_weight : array-like of float, shape (n_samples,), optional
        Weights.
    pos_label : label, optional
        The positive class; by default the larger label in sorted order.
    **inputs
        Initial values of any input, such as ``threshold=0.3`` or ``calibration="hull"``;
        every input is a trait that can be read, set and observed afterwards.

    Attributes
    ----------
    result : ROCResult
        What is on screen, as the core's objects: ``result.table``, ``result.segments``, ...

    Raises
    ------
    ValueError
        If the data is not as said above; nothing is drawn then.
    TypeError
        If an input is unknown; the message lists the ones there are.

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

    def __init__(
        self,
        y_true: ArrayLike | None = None,
        y_score: ArrayLike | Mapping[str, ArrayLike] | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        **inputs: Any,
    ) -> None:
        data = None
        if y_true is not None or y_score is not None:
            if y_true is None or y_score is None:
                raise ValueError("y_true and y_score go together; give both or neither.")
            scores = y_score if isinstance(y_score, Mapping) else {"model": y_score}
            data = Scored(y_true, scores, sample_weight=sample_weight, pos_label=pos_label)
        self._clicked: int | None = None
        super().__init__(data, **inputs)

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, y_score: ArrayLike | Mapping[str, ArrayLike], **kwargs: Any
    ) -> ROCExplorer:
        """Open on labels and scores; the same as calling the class.

        Parameters
        ----------
        y_true, y_score, **kwargs
            See :class:`ROCExplorer`.

        Returns
        -------
        ROCExplorer
        """
        return cls(y_true, y_score, **kwargs)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, *, pos_label: Any = None, **kwargs: Any
    ) -> ROCExplorer:
        """Open on the scores of fitted classifiers.

        Parameters
        ----------
        estimator : fitted classifier, or mapping of str to such
            With ``predict_proba`` or ``decision_function``.
        X : array-like, shape (n_samples, n_features)
            Samples to score.
        y : array-like, shape (n_samples,)
            Their labels.
        pos_label : label, optional
            The positive class; by default ``classes_[1]``.
        **kwargs
            See :class:`ROCExplorer`.

        Returns
        -------
        ROCExplorer
        """
        many = estimator
        if not isinstance(many, Mapping):
            many = {type(estimator).__name__: estimator}
        scores, pos_label, _ = estimator_scores(
            many, X, response_method="auto", pos_label=pos_label, name=None
        )
        return cls(y, scores, pos_label=pos_label, **kwargs)

    # ------------------------------------------------------------------ pictures

    def _make_panels(self) -> list[Panel]:
        self._scores = ScoresPanel(self._drag_threshold)
        self._roc = ROCPanel(self.hold_point, self.coarsen)
        self._reliability = ReliabilityPanel(self._click_segment)
        return [self._scores, self._roc, self._reliability, BrierPanel()]

    def static_figure(self, theme_: Theme | None = None) -> Any:
        """Return the picture as a matplotlib figure.

        Parameters
        ----------
        theme_ : Theme, optional
            By default the one in force.

        Returns
        -------
        matplotlib.figure.Figure
        """
        from rocviz.widgets.roc.still import draw

        return draw(self, theme_)

    # ------------------------------------------------------------------ controls

    def _controls(self) -> list[ipywidgets.Widget]:
        low, high = self.bounds
        slider = ipywidgets.FloatSlider
        self._threshold_slider = control(
            slider(
                value=self.threshold,
                min=low,
                max=high,
                step=(high - low) / 1000 or 0.001,
                description="threshold",
                readout_format=".3f",
            ),
            "knob-held",
        )
        self._part_slider = control(
            slider(
                min=0, max=1, step=0.01, description="random part of the tie", readout_format=".0%"
            ),
            "knob-held",
        )
        cost = control(
            ipywidgets.FloatLogSlider(
                value=self.cost_ratio,
                base=10,
                min=-2,
                max=2,
                step=0.1,
                description="cost of a miss : false alarm",
                readout_format=".2g",
            ),
            "knob-optimum",
        )
        deployed = control(
            slider(
                min=0.001,
                max=0.999,
                step=0.001,
                description="deployment prevalence",
                readout_format=".1%",
            ),
            "knob-reference",
        )
        for widget, name in (
            (self._threshold_slider, "threshold"),
            (self._part_slider, "random_part"),
            (cost, "cost_ratio"),
            (deployed, "deployment_prevalence"),
        ):
            self._link(widget, name)
        chips = self._chips = [
            self._chip("hull", "show_hull", "The convex hull of the curve"),
            self._chip("band", "show_band", "A band that holds the whole true curve"),
            self._menu("isometric", "metric", [(t, n) for n, t in METRIC_NAMES.items()]),
            self._menu("calibrate", "calibration", list(CALIBRATIONS)),
            self._chip("on held-out half", "held_out", "Fit on one half, judge on the other"),
            self._menu(
                "points", "reliability_by", [("hull segments", "hull"), ("scores", "score")]
            ),
        ]
        if len(self.data.scores) > 1:
            chips.append(self._menu("model", "model", list(self.data.scores)))
        chips.append(self._menu("show", "preset", list(self.preset_names)))
        self._join = self._button(
            "join next", "Tie the held segment with the next", self._join_next
        )
        self._split = self._button("undo joins", "Take every join back", self._undo_joins)
        row = control(ipywidgets.Box([*chips, self._join, self._split]), "rocviz-chips")
        self._sandbox_row = control(ipywidgets.Box(self._sandbox_controls()), "rocviz-controls")
        return [self._threshold_slider, self._part_slider, cost, deployed, row, self._sandbox_row]

    def _sandbox_controls(self) -> list[ipywidgets.Widget]:
        made = []
        for name, text, step in (
            ("separation", "separation", 0.1),
            ("spread_ratio", "spread of positives", 0.1),
            ("prevalence", "prevalence", 0.01),
        ):
            trait: Any = self.traits()[name]
            widget = ipywidgets.FloatSlider(
                min=trait.min, max=trait.max, step=step, description=text, readout_format=".2f"
            )
            made.append(self._link(widget, name))
        confident = ipywidgets.FloatLogSlider(
            min=-0.7,
            max=1.3,
            step=0.05,
            description="over-confidence",
            readout_format=".2g",
        )
        made.append(self._link(confident, "over_confidence"))
        sizes = [20, 50, 100, 200, 500, 1000, 2000, 10_000, 100_000]
        made.append(
            self._link(ipywidgets.IntSlider(min=1, max=6, description="decimals kept"), "decimals")
        )
        size = ipywidgets.SelectionSlider(options=sizes, value=500, description="samples")
        size.observe(lambda change: self.update(n_samples=change["new"]), "value")
        self._size = size
        made.append(size)
        made.append(
            self._button("draw anew", "Another sample", lambda: self.update(seed=self.seed + 1))
        )
        return made

    def _follow(self, result: ROCResult) -> None:
        """Let controls that hang on the data follow it."""
        low, high = self.bounds
        slider = self._threshold_slider
        if (slider.min, slider.max) != (low, high):
            with slider.hold_sync(), slider.hold_trait_notifications():
                slider.min, slider.max = min(low, slider.min), max(high, slider.max)
                slider.min, slider.max, slider.step = low, high, (high - low) / 1000
            slider.value = on_grid(slider, self.threshold)
        segments = result.segments
        at = (segments.score == self.threshold).nonzero()[0]
        tied = bool(at.size and segments.n[at[0]] > 1 and len(segments) < 1000)
        few = len(segments) <= 250
        for widget, shown in (
            (self._part_slider, tied),
            (self._join, few),
            (self._split, bool(self.joined)),
            (self._sandbox_row, self.preset != self.own),
        ):
            display = "" if shown else "none"
            if widget.layout.display != display:
                widget.layout.display = display
        if self._size.value != self.n_samples and self.n_samples in self._size.options:
            self._size.value = self.n_samples

    # ------------------------------------------------------------------ acts

    def _drag_threshold(self, x: float) -> None:
        low, high = self.bounds
        self.update(threshold=float(min(max(x, low), high)), random_part=1.0)

    def _join_next(self) -> None:
        segments = self.result.segments
        held = int((segments.score >= self.threshold).sum()) - 1
        if len(segments) > 1:
            self.coarsen(min(max(held, 0), len(segments) - 2))

    def _undo_joins(self) -> None:
        self.joined = ()

    def _click_segment(self, index: int) -> None:
        """Join two neighbours that are clicked one after the other."""
        result, n = self.result, len(self.result.segments)
        one_each = not self.held_out and len(result.reliability.n) == n
        if self.reliability_by != "score" or n > 250 or not one_each:
            return  # the circles are not the segments of the ranking
        clicked = int(self._reliability.order[index])
        before, self._clicked = self._clicked, clicked
        if before is not None and abs(before - clicked) == 1:
            self._clicked = None
            self.coarsen(min(before, clicked))
