"""The ensemble explorer: its state, its pictures and its controls put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets

from rocviz.widgets.base.background import Background
from rocviz.widgets.base.explorer import Explorer, Panel
from rocviz.widgets.base.parts import control
from rocviz.widgets.ensembles.data import ODD_ONES, OwnEstimators, OwnScores
from rocviz.widgets.ensembles.state import MOST, EnsembleState
from rocviz.widgets.ensembles.view import (
    ClassifiersPanel,
    CorrelationPanel,
    EvidencePanel,
    SizePanel,
)
from rocviz.widgets.ensembles.words import METHOD_NAMES

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from rocviz.theme import Theme
    from rocviz.widgets.ensembles.result import EnsembleResult

__all__ = ["EnsembleExplorer"]

ODD_WORDS = ("as the others", "an expert", "reversed")
PER_CENT = range(30, 99)
SIZES = (20, 40, 100, 200, 500, 1000, 2000, 10_000)


class EnsembleExplorer(EnsembleState, Explorer):
    """See when a crowd of classifiers ranks better than the best of them, and who says what.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), optional
        Labels of exactly two classes. Without data: a sandbox of simulated classifiers.
    scores : array-like of float, shape (n_samples, n_classifiers), table, or mapping, optional
        One column per classifier, higher means more positive, of samples that no classifier was
        trained on; or ``{name: scores}``. One half of the samples measures the classifiers, the
        crowd is judged on the other.
    pos_label : label, optional
        The positive class; by default the larger label in sorted order.
    **inputs
        Initial values of any input, such as ``correlation=0.4`` or ``members=[0, 2]``; every
        input is a trait that can be read, set and observed afterwards.

    Attributes
    ----------
    result : EnsembleResult
        What is on screen: ``result.ensemble`` is the :class:`rocviz.RankEnsemble` of all
        classifiers, ``result.crowd`` of those that are in.

    Raises
    ------
    ValueError
        If the data is not as said above; nothing is drawn then.
    TypeError
        If an input is unknown; the message lists the ones there are.

    See Also
    --------
    rocviz.EnsembleDisplay : The same pictures in matplotlib.
    rocviz.FiDELClassifier : The crowd as an estimator.

    References
    ----------
    Kim et al. (2021), "The Fermi-Dirac distribution provides a calibrated probabilistic output
    for binary classifiers", PNAS 118(34).

    Examples
    --------
    >>> explorer = EnsembleExplorer(correlation=0.2, seed=1)
    >>> explorer.members = [0, 3, 6]
    >>> explorer.members
    ('classifier 1', 'classifier 4', 'classifier 7')
    >>> explorer.result.item.contributions.shape
    (1, 3)
    >>> explorer.close()
    """

    def __init__(
        self,
        y_true: ArrayLike | None = None,
        scores: Any = None,
        *,
        pos_label: Any = None,
        **inputs: Any,
    ) -> None:
        data = None
        if isinstance(scores, OwnScores):
            data = scores
        elif y_true is not None or scores is not None:
            if y_true is None or scores is None:
                raise ValueError("y_true and scores go together; give both or neither.")
            data = OwnScores(y_true, scores, pos_label=pos_label)
        super().__init__(data, **inputs)

    @classmethod
    def from_predictions(cls, y_true: ArrayLike, scores: Any, **kwargs: Any) -> EnsembleExplorer:
        """Open on labels and scores; the same as calling the class.

        Parameters
        ----------
        y_true, scores, **kwargs
            See :class:`EnsembleExplorer`.

        Returns
        -------
        EnsembleExplorer
        """
        return cls(y_true, scores, **kwargs)

    @classmethod
    def from_estimators(
        cls, estimators: Any, X: Any, y: ArrayLike, *, strategy: str = "disjoint", **kwargs: Any
    ) -> EnsembleExplorer:
        """Train classifiers on one half of the samples and open on their scores of the other.

        Parameters
        ----------
        estimators : mapping of str to classifier, or list of (str, classifier)
            Not fitted; ones that are wrapped in a ``FrozenEstimator`` are used as they are.
        X : array-like, shape (n_samples, n_features)
            Samples.
        y : array-like, shape (n_samples,)
            Their labels, of exactly two classes.
        strategy : {"disjoint", "shared"}, default="disjoint"
            Every classifier learns from its own share of the training half, or all from all of
            it. It can be changed on screen; each is trained when it is first looked at.
        **kwargs
            Initial values of inputs, see :class:`EnsembleExplorer`.

        Returns
        -------
        EnsembleExplorer

        Raises
        ------
        ValueError
            If :class:`rocviz.FiDELClassifier` cannot be trained on the data.
        """
        return cls(None, OwnEstimators(estimators, X, y), strategy=strategy, **kwargs)

    # ------------------------------------------------------------------ pictures

    def _make_panels(self) -> list[Panel]:
        self._comparison = Background(
            "compare", self._experiment, self._take_experiment, self._note
        )
        self._comparison.button.tooltip = "AUCs of smaller crowds, over resamples of these data"
        self._parts.append(self._comparison)
        self.observe(self._stop_if_stale, names=list(self.input_names()))
        self._classifiers = ClassifiersPanel(lambda k: self._try(lambda: self.toggle(k)))
        self._sizes = SizePanel(self._comparison.box)
        return [self._classifiers, CorrelationPanel(), self._sizes, EvidencePanel()]

    def _stop_if_stale(self, change: Any) -> None:
        if change["name"] not in ("method", "item"):
            self._comparison.stop()

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
        from rocviz.widgets.ensembles.still import draw

        return draw(self, theme_)

    # ------------------------------------------------------------------ controls

    def _controls(self) -> list[ipywidgets.Widget]:
        self._place = control(
            ipywidgets.IntSlider(
                value=self.result.place,
                min=1,
                max=self.result.order.size,
                description="item, in the crowd's order",
            ),
            "knob-held",
        )
        self._place.observe(self._hear_place, names=["value"])
        self._odd = self._menu(
            "the last one", "odd_one", list(zip(ODD_WORDS, ODD_ONES, strict=True))
        )
        self._anew = self._button(
            "draw anew", "Other samples", lambda: self.update(seed=self.seed + 1)
        )
        chips = [self._odd, self._menu("show", "preset", list(self.preset_names)), self._anew]
        if self._own is not None and self._own.strategies:
            self._training = self._menu(
                "trained on",
                "strategy",
                [("shares of their own", "disjoint"), ("the same samples", "shared")],
            )
            chips.insert(0, self._training)
        row = control(ipywidgets.Box(chips), "rocviz-chips")
        self._only_simulated = [*self._sandbox_controls(), self._odd, self._anew]
        many = max(MOST, len(self.result.ensemble.names))
        self._boxes = [ipywidgets.Checkbox(indent=False) for _ in range(many)]
        for k, box in enumerate(self._boxes):
            box.observe(lambda change, k=k: self._hear_box(k, change["new"]), names=["value"])
        combine = self._menu("combined by", "method", [(METHOD_NAMES[m], m) for m in METHOD_NAMES])
        legend = ipywidgets.HTML("<span>in the crowd</span>")
        checks = control(ipywidgets.Box([legend, *self._boxes, combine]), "rocviz-checks")
        return [*self._only_simulated[:5], self._place, row, checks]

    def _sandbox_controls(self) -> list[ipywidgets.Widget]:
        slider = ipywidgets.FloatSlider
        correlation = self._link(
            slider(
                min=0, max=1, step=0.05, description="correlation of errors", readout_format=".2f"
            ),
            "correlation",
        )
        count = self._link(
            ipywidgets.IntSlider(min=1, max=MOST, description="classifiers"), "n_classifiers"
        )
        self._spread = ipywidgets.SelectionRangeSlider(
            options=[(f"{v / 100:.2f}", v / 100) for v in PER_CENT],
            index=(0, 1),
            description="true AUCs from, to",
        )
        control(self._spread, "rocviz-range")
        self._spread.observe(self._hear_spread, names=["index"])
        share = self._link(
            slider(min=0.02, max=0.98, step=0.02, description="prevalence", readout_format=".0%"),
            "prevalence",
        )
        self._size = ipywidgets.SelectionSlider(
            options=[(f"{n:,}", n) for n in SIZES], value=500, description="samples"
        )
        self._size.observe(self._hear_size, names=["value"])
        return [correlation, count, self._spread, self._size, share]

    def _hear_place(self, change: Any) -> None:
        if not self._shows:
            self.hold_place(change["new"])

    def _hear_box(self, k: int, inside: bool) -> None:
        if not self._shows and inside != (k in self.result.members):
            self._try(lambda: self.toggle(k))
            self._boxes[k].value = k in self.result.members

    def _hear_spread(self, change: Any) -> None:
        if not self._shows:
            low, high = (PER_CENT[i] / 100 for i in change["new"])
            self._try(lambda: self.update(auc_low=low, auc_high=high))

    def _hear_size(self, change: Any) -> None:
        if not self._shows:
            self._try(lambda: self.update(n_samples=change["new"]))

    def _follow(self, result: EnsembleResult) -> None:
        """Let controls that hang on the data follow it."""
        if self._place.max != result.order.size:
            self._place.max = result.order.size
        self._place.value = result.place
        self._spread.index = tuple(
            PER_CENT.index(round(100 * auc)) for auc in (self.auc_low, self.auc_high)
        )
        if self.n_samples in SIZES:
            self._size.value = self.n_samples
        names = result.ensemble.names
        for k, box in enumerate(self._boxes):
            there = k < len(names)
            display = "" if there else "none"
            if box.layout.display != display:
                box.layout.display = display
            if there:
                text = f"{k + 1}" if self.is_sandbox else f"{k + 1} {names[k]}"
                if box.description != text:
                    box.description = text
                box.value = k in result.members
        shown = "" if self.is_sandbox else "none"
        for widget in self._only_simulated:
            if widget.layout.display != shown:
                widget.layout.display = shown
        if hasattr(self, "_training"):
            self._training.layout.display = "none" if self.is_sandbox else ""
