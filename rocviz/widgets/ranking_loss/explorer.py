"""The ranking loss explorer: its state, its pictures and its controls put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets
import numpy as np

from rocviz.core.ranking_loss.methods import METHODS
from rocviz.widgets.base.background import Background
from rocviz.widgets.base.explorer import Explorer, Panel
from rocviz.widgets.base.parts import control
from rocviz.widgets.ranking_loss.data import OwnSamples
from rocviz.widgets.ranking_loss.errors import BoundPanel, ErrorPanel
from rocviz.widgets.ranking_loss.state import RankingLossState
from rocviz.widgets.ranking_loss.view import LinkPanel, SamplesPanel

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from rocviz.theme import Theme
    from rocviz.widgets.ranking_loss.result import RankingLossResult

__all__ = ["RankingLossExplorer"]

SIZES = (20, 60, 100, 200, 500, 1000, 2000, 5000, 20_000, 100_000)
FAST = 5000  # samples up to which training keeps up with a hand


class Growing(Background):
    """Long work whose finished parts are shown at once, and kept when it is stopped."""

    def __init__(self, text: str, job: Any, done: Any, fail: Any, grow: Callable[[], None]) -> None:
        super().__init__(text, job, done, fail)
        self._grow = grow

    def _show(self, share: float) -> None:
        super()._show(share)
        self._grow()


class RankingLossExplorer(RankingLossState, Explorer):
    """See what ranking first does for probabilities, and where a sigmoid cannot follow.

    Parameters
    ----------
    X : array-like, shape (n_samples, n_features), optional
        Samples of one's own, at least two columns. Without them: points in the plane whose true
        probability is known.
    y : array-like, shape (n_samples,), optional
        Their labels, of exactly two classes.
    pos_label : label, optional
        The positive class; by default the larger label in sorted order.
    **inputs
        Initial values of any input, such as ``a=1/32`` or ``loss="squared_hinge"``; every input
        is a trait that can be read, set and observed afterwards.

    Attributes
    ----------
    result : RankingLossResult
        What is on screen: ``result.errors`` by method, ``result.experiment`` the
        :class:`rocviz.RankingExperiment` as far as it has been run.

    Raises
    ------
    ValueError
        If the data is not as said above; nothing is drawn then.
    TypeError
        If an input is unknown; the message lists the ones there are.

    See Also
    --------
    rocviz.RankIsotonicClassifier : Ranks first.
    rocviz.synthetic_ranking_experiment : The experiment in one call.

    Notes
    -----
    There is no ``from_estimator`` and no ``from_predictions``: what is shown are the methods'
    own trainings on the samples, and neither a trained model nor its scores tell of those.

    References
    ----------
    Menon, Jiang, Vembu, Elkan and Ohno-Machado (2012), "Predicting accurate probabilities with a
    ranking loss", ICML.

    Examples
    --------
    >>> explorer = RankingLossExplorer(a=1 / 32)
    >>> errors = explorer.result.errors
    >>> errors["logistic"] > 3 * errors["rank + isotonic"]
    True
    >>> explorer.close()
    """

    def __init__(
        self, X: Any = None, y: ArrayLike | None = None, *, pos_label: Any = None, **inputs: Any
    ) -> None:
        data = None
        if X is not None or y is not None:
            if X is None or y is None:
                raise ValueError("X and y go together; give both or neither.")
            data = OwnSamples(X, y, pos_label=pos_label)
        super().__init__(data, **inputs)

    # ------------------------------------------------------------------ pictures

    def _make_panels(self) -> list[Panel]:
        self._work = Growing(
            "run the experiment",
            self._run,
            lambda _done: self._show_found(),
            self._note,
            self._show_found,
        )
        self._parts.append(self._work)
        self._errors = ErrorPanel(self._drag_floor, control(self._work.box, "rocviz-under"))
        return [SamplesPanel(), LinkPanel(), self._errors, BoundPanel()]

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
        from rocviz.widgets.ranking_loss.still import draw

        return draw(self, theme_)

    # ------------------------------------------------------------------ controls

    def _controls(self) -> list[ipywidgets.Widget]:
        floor = ipywidgets.FloatLogSlider(
            value=0.125,
            base=2,
            min=-9,
            max=-1,
            step=0.5,
            description="floor a of the truth",
            readout_format=".3g",
        )
        self._link(floor, "a", clip=lambda a: float(np.clip(a, 2.0**-9, 0.5)))
        control(floor, "knob-held")
        border = ipywidgets.FloatSlider(
            min=-2, max=2, step=0.1, description="border: fewer positives", readout_format=".1f"
        )
        self._link(border, "border", clip=lambda value: float(np.clip(value, -2, 2)))
        control(border, "knob-held")
        self._size = ipywidgets.SelectionSlider(
            options=[(f"{n:,}", n) for n in SIZES], value=1000, description="samples"
        )
        control(self._size, "rocviz-range")
        self._size.observe(self._hear_size, names=["value"])
        penalty = ipywidgets.FloatLogSlider(
            value=1e-4,
            base=10,
            min=-6,
            max=0,
            step=0.5,
            description="penalty alpha",
            readout_format=".0e",
        )
        self._link(penalty, "alpha", clip=lambda value: float(np.clip(value, 1e-6, 1)))
        self._refitting = (floor, border, penalty)
        truth = self._menu("truth", "link", [("a step", "step"), ("a sigmoid", "sigmoid")])
        anew = self._button("draw anew", "Other samples", self.draw)
        chips = [
            truth,
            self._menu(
                "pairs lose by",
                "loss",
                [("logistic loss", "logistic"), ("squared hinge", "squared_hinge")],
            ),
            self._menu(
                "isotonic",
                "calibration",
                [("as it is", "isotonic"), ("steps pulled to one half", "laplace-hull")],
            ),
            self._menu("show", "preset", list(self.preset_names)),
            anew,
        ]
        row = control(ipywidgets.Box(chips), "rocviz-chips")
        self._boxes = {
            name: ipywidgets.Checkbox(description=name, indent=False) for name in METHODS
        }
        for name, box in self._boxes.items():
            box.observe(lambda c, name=name: self._hear_box(name, c["new"]), names=["value"])
        legend = ipywidgets.HTML("<span>methods shown</span>")
        checks = control(ipywidgets.Box([legend, *self._boxes.values()]), "rocviz-checks")
        self._only_simulated = [floor, border, self._size, truth, anew]
        return [floor, border, self._size, penalty, row, checks]

    def _hear_size(self, change: Any) -> None:
        if not self._shows:
            self._try(lambda: self.update(n_samples=change["new"]))
            with self._showing():
                self._follow(self.result)

    def _hear_box(self, name: str, shown: bool) -> None:
        if not self._shows and shown != (name in self.methods):
            self._try(lambda: self.toggle(name))
            with self._showing():
                self._boxes[name].value = name in self.methods

    def _follow(self, result: RankingLossResult) -> None:
        """Let controls that hang on the data follow it."""
        self._size.value = min(SIZES, key=lambda n: abs(n - self.n_samples))
        for name, box in self._boxes.items():
            box.value = name in self.methods
        # many samples are trained on when the slider is let go
        live = result.samples.positive.size <= FAST
        for slider in (*self._refitting, self._size):
            if slider.continuous_update != live:
                slider.continuous_update = live
        display = "" if self.is_sandbox else "none"
        for widget in self._only_simulated:
            if widget.layout.display != display:
                widget.layout.display = display

    # ------------------------------------------------------------------ acts

    def _drag_floor(self, a: float) -> None:
        """Hold the floor a mouse is at, in whole steps of the slider beside it."""
        place = round(2 * np.clip(np.log2(a), -9, -1)) / 2
        self._try(lambda: setattr(self, "a", float(2.0**place)))

    def _run(self, progress: Any, should_stop: Any) -> None:
        for piece in self._experiment(progress, should_stop):
            self._keep(piece)
