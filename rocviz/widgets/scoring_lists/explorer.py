"""The scoring list explorer: its state, its pictures and its controls put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets
import numpy as np

from rocviz.widgets.base.explorer import Explorer, Panel
from rocviz.widgets.base.parts import control
from rocviz.widgets.scoring_lists.case import CasePanel
from rocviz.widgets.scoring_lists.curves import CurvesPanel
from rocviz.widgets.scoring_lists.data import OwnList
from rocviz.widgets.scoring_lists.state import QUANTITIES, ScoringListState
from rocviz.widgets.scoring_lists.table import TablePanel
from rocviz.widgets.scoring_lists.view import StagePanel
from rocviz.widgets.scoring_lists.words import METHOD_NAMES, QUANTITY_NAMES

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from rocviz.theme import Theme
    from rocviz.widgets.scoring_lists.result import ScoringListResult

__all__ = ["ScoringListExplorer"]


class ScoringListExplorer(ScoringListState, Explorer):
    """Walk down a scoring list question by question, and stop when sure.

    Parameters
    ----------
    scoring_list : ScoringList or fitted ProbabilisticScoringList, optional
        The list. Without it: the paper's worked example, and lists learned from real and from
        synthetic data.
    X : array-like, shape (n_samples, n_columns), optional
        Samples the list was learned from: points that are changed by hand get their
        probabilities counted on them. Where the list's own counts are of other samples, and there
        is no ``X_test``, the list is judged by these.
    y : array-like, shape (n_samples,), optional
        Their labels, of two classes.
    X_test, y_test : array-like, optional
        Held-out samples to judge by.
    sample_weight : array-like of float, shape (n_samples,), optional
        Weights of ``X``.
    pos_label : label, optional
        The positive class; by default that of the fitted classifier, or the larger label.
    **inputs
        Initial values of any input, such as ``answers=(1, 0)`` or ``upper=0.8``; every input is
        a trait that can be read, set and observed afterwards.

    Attributes
    ----------
    result : ScoringListResult
        What is on screen: ``result.scoring_list`` is the :class:`rocviz.ScoringList` shown,
        ``result.walk`` the case's way down it.

    Raises
    ------
    ValueError
        If the list or the data is not as said above; nothing is drawn then.
    TypeError
        If an input is unknown; the message lists the ones there are.

    See Also
    --------
    rocviz.ProbabilisticScoringList : Learns such a list.

    Notes
    -----
    There is no ``from_predictions``: a list is walked by answers, and predictions have none.

    References
    ----------
    Hanselle, Heid, Fürnkranz and Hüllermeier (2024), "Probabilistic scoring lists for
    interpretable machine learning".

    Examples
    --------
    >>> explorer = ScoringListExplorer(upper=0.9)
    >>> explorer.answers = (1, 0, 1)
    >>> explorer.sentence
    'Stop here, 3 of 4 features asked: at total 2 the probability of a positive is 90 %; ...'
    >>> explorer.close()
    """

    def __init__(
        self,
        scoring_list: Any = None,
        X: Any = None,
        y: ArrayLike | None = None,
        *,
        X_test: Any = None,
        y_test: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        **inputs: Any,
    ) -> None:
        data = None
        samples = {"X": X, "y": y, "X_test": X_test, "y_test": y_test}
        if scoring_list is not None:
            data = OwnList(
                scoring_list, **samples, sample_weight=sample_weight, pos_label=pos_label
            )
        elif any(value is not None for value in samples.values()):
            raise ValueError(
                "scoring_list is missing: samples are asked its questions. Learn one with "
                "ProbabilisticScoringList().fit(X, y)."
            )
        super().__init__(data, **inputs)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any = None, y: ArrayLike | None = None, **kwargs: Any
    ) -> ScoringListExplorer:
        """Open on a fitted classifier; the same as calling the class.

        Parameters
        ----------
        estimator : fitted ProbabilisticScoringList
            Its ``feature_costs`` are taken over.
        X, y, **kwargs
            See :class:`ScoringListExplorer`.

        Returns
        -------
        ScoringListExplorer
        """
        return cls(estimator, X, y, **kwargs)

    # ------------------------------------------------------------------ pictures

    def _make_panels(self) -> list[Panel]:
        self._stage_panel = StagePanel(
            lambda p: self._drag("lower", p), lambda p: self._drag("upper", p)
        )
        quantity = self._menu("show", "quantity", [(QUANTITY_NAMES[q], q) for q in QUANTITIES])
        self._stages: dict[int, ipywidgets.IntSlider] = {}
        self._stage_box = control(ipywidgets.Box(), "rocviz-control")
        self._curves = CurvesPanel(self._drag_stage, quantity, self._stage_box)
        tools = [
            self._button("another case", "Take all answers back", self._clear),
            self._chip("change points and costs", "editing", "Open points and costs"),
        ]
        self._back = self._button("points as learned", "Take every change back", self._restore)
        self._case = CasePanel(
            {
                "answer": lambda k, value: self._hear(self.answer, k, value),
                "points": lambda k, value: self._hear(self.give_points, k, value),
                "cost": lambda k, value: self._hear(self._give_cost, k, value),
            },
            [*tools, self._back],
        )
        self._parts += self._stage_panel.handles.values()
        self._quantity = quantity
        return [TablePanel(), self._stage_panel, self._curves, self._case]

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
        from rocviz.widgets.scoring_lists.still import draw

        return draw(self, theme_)

    # ------------------------------------------------------------------ controls

    def _controls(self) -> list[ipywidgets.Widget]:
        slider = ipywidgets.FloatSlider
        limits = []
        for name, text in (("lower", "stop as negative at"), ("upper", "stop as positive at")):
            limit = slider(min=0, max=1, step=0.01, description=text, readout_format=".0%")
            limits.append(control(self._link(limit, name), "knob-held"))
        cost = ipywidgets.FloatLogSlider(
            value=self.cost_fn,
            base=10,
            min=-1,
            max=2,
            step=0.1,
            description="cost of a miss : false alarm",
            readout_format=".3g",
        )
        control(self._link(cost, "cost_fn"), "knob-optimum")
        sure = slider(min=0.5, max=0.99, step=0.01, description="confidence", readout_format=".0%")
        self._link(sure, "confidence", clip=lambda value: float(np.clip(value, 0.5, 0.99)))
        control(sure, "knob-reference")
        self._ways = ipywidgets.Dropdown(options=[self.calibration], description="calibration")
        self._ways.observe(self._hear_calibration, names=["value"])
        self._of_counts = [
            sure,
            self._menu(
                "interval", "interval_method", [(text, m) for m, text in METHOD_NAMES.items()]
            ),
            self._chip("all totals together", "simultaneous", "Bonferroni's correction"),
            self._chip("stop by interval", "by_interval", "The whole interval beyond a limit"),
            self._chip("risk-averse", "risk_averse", "The upper end of the interval decides"),
        ]
        chips = [
            *self._of_counts[1:],
            self._ways,
            self._menu("list", "preset", list(self.preset_names)),
        ]
        row = control(ipywidgets.Box(chips), "rocviz-chips")
        return [*limits, cost, sure, row]

    def _hear(self, act: Any, *arguments: Any) -> None:
        """Do what a row of the case was asked for; show what is held if that cannot be."""
        if not self._shows:
            self._try(lambda: act(*arguments))
            with self._showing():
                self._case.follow(self, self.result)

    def _hear_stage(self, change: Any) -> None:
        if not self._shows:
            self._try(lambda: setattr(self, "stage", change["new"]))

    def _stage_slider(self, size: int) -> ipywidgets.IntSlider:
        """Return the slider for a list of this length, and show no other.

        A slider that is given another range sends its old value back, late, as if a hand had
        moved it; so each length has its own.
        """
        if size not in self._stages:
            made = ipywidgets.IntSlider(value=self.stage, min=0, max=size, description="stage")
            made.observe(self._hear_stage, names=["value"])
            self._stages[size] = control(made, "knob-held")
            self._stage_box.children = tuple(self._stages.values())
        for length, slider in self._stages.items():
            display = "" if length == size else "none"
            if slider.layout.display != display:
                slider.layout.display = display
        return self._stages[size]

    def _hear_calibration(self, change: Any) -> None:
        if not self._shows:
            self._try(lambda: setattr(self, "calibration", change["new"]))

    def _follow(self, result: ScoringListResult) -> None:
        """Let controls that hang on the list follow it."""
        self._stage_slider(len(result.scoring_list)).value = self.stage
        ways = self.data.calibrations
        if self._ways.options != ways:
            self._ways.options = ways
        self._ways.value = self.calibration
        off = result.bands is None
        for widget, disabled in (
            *((widget, off) for widget in self._of_counts),
            (self._ways, len(ways) == 1),
            (self._quantity, not self.data.has_scores),
        ):
            if widget.disabled != disabled:
                widget.disabled = disabled
        display = "" if result.is_edited else "none"
        if self._back.layout.display != display:
            self._back.layout.display = display
        self._case.follow(self, result)

    # ------------------------------------------------------------------ acts

    def _drag(self, limit: str, level: float) -> None:
        """Let a dragged limit stop at the other one, and at whole per cents."""
        level = round(float(np.clip(level, 0.0, 1.0)), 2)
        level = min(level, self.upper) if limit == "lower" else max(level, self.lower)
        self._try(lambda: setattr(self, limit, level))

    def _drag_stage(self, x: float) -> None:
        self.stage = round(float(np.clip(x, 0, len(self.questions))))

    def _clear(self) -> None:
        self.answers = ()

    def _restore(self) -> None:
        self.scores = ()

    def _give_cost(self, k: int, cost: float) -> None:
        self.feature_costs = (*self.feature_costs[:k], cost, *self.feature_costs[k + 1 :])
