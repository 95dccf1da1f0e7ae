"""The decision explorer: its state, its pictures and its controls put together."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets
import numpy as np
import traitlets

from rocviz.displays.base.data import response_values
from rocviz.widgets.base.explorer import Explorer, Panel
from rocviz.widgets.base.parts import control, on_grid
from rocviz.widgets.decisions.data import OwnBatch
from rocviz.widgets.decisions.outcomes import OutcomesPanel
from rocviz.widgets.decisions.state import BY_HAND, CHOICES, DecisionState
from rocviz.widgets.decisions.table import ThresholdPanel
from rocviz.widgets.decisions.view import ProbabilityPanel, UtilityPanel
from rocviz.widgets.decisions.words import METRIC_NAMES, verdict

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from rocviz.theme import Theme
    from rocviz.widgets.decisions.result import DecisionResult

__all__ = ["DecisionExplorer"]

SIZES = (3, 6, 8, 10, 12, 20, 30, 100, 300, 1000, 10_000, 100_000)
SHARES = (
    *(0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45),
    *(0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98),
)
WARPED = (
    *(0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0),
    *(1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0),
)
RATIOS = (*(0.1, 0.2, 0.25, 0.5, 0.75, 1.0), *(1.5, 2.0, 3.0, 4.0, 5.0, 10.0, 20.0, 50.0, 100.0))
BETAS = (0.1, 0.2, 0.25, 0.33, 0.5, 0.67, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0)


class DecisionExplorer(DecisionState, Explorer):
    """See which samples to call positive for a metric, and what every other choice is worth.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), optional
        Labels of exactly two classes: what each cut really gave, and the best cut on them, are
        shown too. Decisions need none of them.
    y_prob : array-like of float, shape (n_samples,), optional
        Probability of the positive class, taken for the truth; ``sharpen`` and ``shift`` show
        what follows if decisions are made by other ones. Without data: a sandbox.
    pos_label : label, optional
        The positive class; by default the larger label in sorted order.
    **inputs
        Initial values of any input, such as ``metric="jaccard"`` or ``k=5``; every input is a
        trait that can be read, set and observed afterwards.

    Attributes
    ----------
    result : DecisionResult
        What is on screen: ``result.decision`` is the :class:`rocviz.Decision` for the metric.

    Raises
    ------
    ValueError
        If the data is not as said above; nothing is drawn then.
    TypeError
        If an input is unknown; the message lists the ones there are.

    See Also
    --------
    rocviz.optimal_decision : The numbers.
    rocviz.DecisionDisplay : The picture in matplotlib.

    References
    ----------
    Natarajan et al. (2014), "Optimal decision-theoretic classification using non-decomposable
    performance metrics".

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

    def __init__(
        self,
        y_true: ArrayLike | None = None,
        y_prob: ArrayLike | None = None,
        *,
        pos_label: Any = None,
        **inputs: Any,
    ) -> None:
        data = None
        if y_prob is not None:
            data = OwnBatch(y_true, y_prob, pos_label)
        elif y_true is not None:
            raise ValueError(
                "y_prob is missing: y_true alone says nothing of probabilities. Probabilities "
                "without labels are given by name, DecisionExplorer(y_prob=...)."
            )
        super().__init__(data, **inputs)

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike | None, y_prob: ArrayLike, **kwargs: Any
    ) -> DecisionExplorer:
        """Open on probabilities; the same as calling the class.

        Parameters
        ----------
        y_true : array-like or None
            See :class:`DecisionExplorer`.
        y_prob, **kwargs
            See :class:`DecisionExplorer`.

        Returns
        -------
        DecisionExplorer
        """
        return cls(y_true, y_prob, **kwargs)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike | None = None, *, pos_label: Any = None, **kw: Any
    ) -> DecisionExplorer:
        """Open on the probabilities of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
            With ``predict_proba``.
        X : array-like, shape (n_samples, n_features)
            The batch.
        y : array-like, shape (n_samples,), optional
            Its labels.
        pos_label : label, optional
            The positive class; by default ``classes_[1]``.
        **kw
            See :class:`DecisionExplorer`.

        Returns
        -------
        DecisionExplorer
        """
        prob, pos_label = response_values(
            estimator, X, response_method="predict_proba", pos_label=pos_label
        )
        return cls(y, prob, pos_label=pos_label, **kw)

    # ------------------------------------------------------------------ pictures

    def _make_panels(self) -> list[Panel]:
        self._beside = {
            name: ipywidgets.Checkbox(description=METRIC_NAMES[name].split(",")[0], indent=False)
            for name in CHOICES
            if name != "formula"
        }
        for name, box in self._beside.items():
            box.observe(lambda change, name=name: self._hear_beside(name, change["new"]), "value")
        self._item = ipywidgets.Dropdown(options=[("1", 1)], description="sample")
        self._item.observe(self._hear_item, names=["value"])
        self._value = control(
            ipywidgets.FloatSlider(
                min=0, max=1, step=0.01, description="its probability", readout_format=".2f"
            ),
            "knob-held",
        )
        self._value.observe(self._hear_value, names=["value"])
        self._probabilities = ProbabilityPanel(
            self._drag_k, self._drag_item, self._item, self._value
        )
        self._utilities = UtilityPanel(self._drag_k, *self._beside.values())
        self._parts += [self._probabilities.items]
        return [self._probabilities, self._utilities, ThresholdPanel(), OutcomesPanel()]

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
        from rocviz.widgets.decisions.still import draw

        return draw(self, theme_)

    # ------------------------------------------------------------------ controls

    def _controls(self) -> list[ipywidgets.Widget]:
        self._cuts: dict[int, ipywidgets.IntSlider] = {}
        self._cut_box = control(ipywidgets.Box(), "rocviz-control")
        self._sharpen = self._stepped("sharpen log-odds", "sharpen", WARPED, "× {:g}")
        shift = ipywidgets.FloatSlider(
            min=-3, max=3, step=0.25, description="shift log-odds", readout_format="+.2f"
        )
        self._link(shift, "shift", clip=lambda value: float(np.clip(value, -3, 3)))
        self._beta = self._stepped("β: weight of recall", "beta", BETAS, "{:g}")
        self._cost = self._stepped("cost of a miss : false alarm", "cost_fn", RATIOS, "{:g}")
        self._size_slider = self._stepped("samples", "n_samples", SIZES, "{:,}")
        self._share = self._stepped("prevalence, about", "prevalence", SHARES, "{:.0%}")
        self._metric = self._menu(
            "metric", "metric", [(text, name) for name, text in METRIC_NAMES.items()]
        )
        self._formula = control(
            ipywidgets.Text(
                value=self.formula, description="or a formula in u, v, p", continuous_update=False
            ),
            "rocviz-formula",
        )
        self._formula.observe(self._hear_formula, names=["value"])
        self._told = ("", "")
        self._says_formula = control(ipywidgets.HTML(), "rocviz-refusal")
        self._anew = self._button("draw anew", "Another batch of the same kind", self.draw)
        chips = [
            self._metric,
            self._formula,
            self._menu("show", "preset", list(self.preset_names)),
            self._button("to the best cut", "Call as many positive as is best", self._to_best),
            self._anew,
        ]
        row = control(ipywidgets.Box(chips), "rocviz-chips")
        return [
            self._cut_box,
            self._beta,
            self._cost,
            self._size_slider,
            self._share,
            self._sharpen,
            shift,
            row,
            self._says_formula,
        ]

    def _stepped(
        self, text: str, name: str, steps: tuple[float, ...], form: str
    ) -> ipywidgets.SelectionSlider:
        """Return a slider along given values; what lies between shows the nearest."""
        slider = ipywidgets.SelectionSlider(
            options=[(form.format(step), step) for step in steps], description=text
        )
        ladder = np.log(np.array(steps))

        def nearest(value: float) -> Any:
            return steps[int(np.argmin(np.abs(ladder - np.log(value))))]

        return self._link(slider, name, clip=nearest)

    def _cut_slider(self, n: int) -> ipywidgets.IntSlider:
        """Return the slider of cuts for so many samples, and show no other.

        A slider that is given another range sends its old value back, late, as if a hand had
        moved it; so each size has its own.
        """
        if n not in self._cuts:
            made = ipywidgets.IntSlider(
                value=self.k, min=0, max=n, description="called positive, k", readout_format="d"
            )
            made.observe(lambda change: self._hear_k(n, change["new"]), names=["value"])
            self._cuts[n] = control(made, "knob-held")
            self._cut_box.children = tuple(self._cuts.values())
        for size, slider in self._cuts.items():
            display = "" if size == n else "none"
            if slider.layout.display != display:
                slider.layout.display = display
        return self._cuts[n]

    def _follow(self, result: DecisionResult) -> None:
        """Let controls that hang on the batch and on the metric follow them."""
        n = result.truth.n_samples
        self._cut_slider(n).value = result.k
        for widget, shown in (
            (self._beta, self.metric == "f" or "f" in self.compared),
            (self._cost, self.metric == "cost" or "cost" in self.compared),
            (self._size_slider, not self.is_own),
            (self._share, not self.is_own and self.source == "beta"),
            (self._anew, not self.is_own),
            (self._item, self.can_edit),
            (self._value, self.can_edit),
        ):
            display = "" if shown else "none"
            if widget.layout.display != display:
                widget.layout.display = display
        for name, box in self._beside.items():
            box.value = name in self.compared
        if n <= BY_HAND:
            options = tuple((str(i), i) for i in range(1, n + 1))
            if self._item.options != options:
                self._item.options = options
            self._item.value = self.item
            self._value.value = on_grid(self._value, float(self.y_prob[self.item - 1]))
        if self._told != (self.metric, self.formula):
            self._show_formula(result)

    def _show_formula(self, result: DecisionResult) -> None:
        """Show the formula that is held; what was typed and refused stays until then."""
        self._told = (self.metric, self.formula)
        self._formula.value = self.formula
        self._say_formula(verdict(result) if self.metric == "formula" else "")

    def reset(self) -> None:
        """Go back to how the explorer opened."""
        super().reset()
        with self._showing():
            self._show_formula(self.result)

    # ------------------------------------------------------------------ what a hand does

    def _hear_k(self, n: int, k: int) -> None:
        if not self._shows and n == self.size:
            self._try(lambda: setattr(self, "k", k))

    def _drag_k(self, x: float) -> None:
        self.k = round(float(np.clip(x, 0, self.size)))

    def _drag_item(self, item: int, probability: float) -> None:
        if item <= self.size:
            p = round(float(np.clip(probability, 0.0, 1.0)), 2)
            self._try(lambda: self.give(item, p))

    def _hear_item(self, change: Any) -> None:
        if not self._shows and change["new"] is not None:
            self._try(lambda: setattr(self, "item", change["new"]))

    def _hear_value(self, change: Any) -> None:
        held = on_grid(self._value, float(self.y_prob[self.item - 1]))
        said = round(change["new"], 7)  # the browser's steps carry rounding
        if not self._shows and said != held:
            self._try(lambda: self.give(self.item, said))

    def _hear_beside(self, name: str, wanted: bool) -> None:
        if not self._shows and wanted != (name in self.compared):
            rest = tuple(other for other in self.compared if other != name)
            self._try(lambda: setattr(self, "compared", (*rest, name) if wanted else rest))

    def _hear_formula(self, _change: Any) -> None:
        if not self._shows:
            self._take_formula()

    def _take_formula(self) -> None:
        """Choose the formula that was typed; if it cannot be, say why and change nothing else."""
        typed = self._formula.value
        try:
            self.update(formula=typed, metric="formula")
        except (ValueError, traitlets.TraitError) as error:
            self._say_formula(str(error), refused=True)

    def _say_formula(self, text: str, *, refused: bool = False) -> None:
        what = "<b>Refused.</b> " if refused else ""
        said = f'<p role="status">{what}{escape(text)}</p>' if text else ""
        if self._says_formula.value != said:
            self._says_formula.value = said

    def _to_best(self) -> None:
        self.k = self.result.k_star
