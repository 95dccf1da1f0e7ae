"""The Fermi-Dirac explorer: its state, its pictures and its controls put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets
import numpy as np

from rocviz.core.roc.coverage import CoverageResult, simulate_coverage
from rocviz.displays.base.data import response_values
from rocviz.widgets.base.background import Background
from rocviz.widgets.base.explorer import Explorer, Panel
from rocviz.widgets.base.parts import control, on_grid
from rocviz.widgets.fermi_dirac.state import FermiDiracState, Ranked
from rocviz.widgets.fermi_dirac.view import IntervalPanel, LevelsPanel, ROCPanel, TemperaturePanel
from rocviz.widgets.fermi_dirac.words import rank_text, temperature_text

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from rocviz.theme import Theme
    from rocviz.widgets.fermi_dirac.state import FermiDiracResult

__all__ = ["FermiDiracExplorer"]

# from perfect through random to worse than random, in units of the number of samples
WARM = np.round(np.geomspace(0.01, 10.0, 46), 4)
# 0.0 is the perfect ranking, -0.0 the reversed one: the two ends of the same scale
TEMPERATURES = (0.0, *WARM.tolist(), float("inf"), *(-WARM[::-1]).tolist(), -0.0)


def coldness(temperature: float, auc: float) -> float:
    """Return the inverse temperature, finite at both ends and 0 in the middle."""
    if temperature == 0:
        return 1000.0 if auc >= 0.5 else -1000.0
    return float(np.clip(1 / temperature, -1000.0, 1000.0))


COLD = np.array([coldness(t, 1.0 if not np.signbit(t) else 0.0) for t in TEMPERATURES])


class FermiDiracExplorer(FermiDiracState, Explorer):
    """See a ranking as levels that positives fill, with a temperature, and heat it.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), optional
        Labels of exactly two classes. Without data: rankings drawn from the law itself.
    y_score : array-like of float, shape (n_samples,), optional
        Scores, higher means more positive.
    pos_label : label, optional
        The positive class; by default the larger label in sorted order.
    **inputs
        Initial values of any input, such as ``auc=0.9`` or ``temperature=0.2`` (in units of
        the number of samples); each is a trait that can be read, set and observed.

    Attributes
    ----------
    result : FermiDiracResult
        What is on screen: ``result.law`` is the :class:`rocviz.FermiDirac` distribution.

    Raises
    ------
    ValueError
        If the data is not as said above; nothing is drawn then.
    TypeError
        If an input is unknown; the message lists the ones there are.

    References
    ----------
    Kim et al. (2021), on Fermi-Dirac statistics of classifiers.

    Examples
    --------
    >>> explorer = FermiDiracExplorer(auc=0.9, prevalence=0.5, n_samples=100)
    >>> round(explorer.chemical_potential, 3)
    50.5
    >>> explorer.temperature = float("inf")
    >>> explorer.auc
    0.5
    >>> explorer.close()
    """

    def __init__(
        self,
        y_true: ArrayLike | None = None,
        y_score: ArrayLike | None = None,
        *,
        pos_label: Any = None,
        **inputs: Any,
    ) -> None:
        data = None
        if y_true is not None or y_score is not None:
            if y_true is None or y_score is None:
                raise ValueError("y_true and y_score go together; give both or neither.")
            data = Ranked.from_scores(y_true, y_score, pos_label)
        super().__init__(data, **inputs)

    @classmethod
    def from_predictions(
        cls, y_true: ArrayLike, y_score: ArrayLike, **kwargs: Any
    ) -> FermiDiracExplorer:
        """Open on labels and scores; the same as calling the class.

        Parameters
        ----------
        y_true, y_score, **kwargs
            See :class:`FermiDiracExplorer`.

        Returns
        -------
        FermiDiracExplorer
        """
        return cls(y_true, y_score, **kwargs)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, *, pos_label: Any = None, **kwargs: Any
    ) -> FermiDiracExplorer:
        """Open on the scores of a fitted classifier.

        Parameters
        ----------
        estimator : fitted classifier
            With ``predict_proba`` or ``decision_function``.
        X : array-like, shape (n_samples, n_features)
            Samples to score.
        y : array-like, shape (n_samples,)
            Their labels.
        pos_label : label, optional
            The positive class; by default ``classes_[1]``.
        **kwargs
            See :class:`FermiDiracExplorer`.

        Returns
        -------
        FermiDiracExplorer
        """
        score, pos_label = response_values(estimator, X, pos_label=pos_label)
        return cls(y, score, pos_label=pos_label, **kwargs)

    # ------------------------------------------------------------------ pictures

    def _make_panels(self) -> list[Panel]:
        self._levels = LevelsPanel(self._drag_potential)
        self._temperature = TemperaturePanel(self._drag_auc)
        self._simulation = Background(
            "simulate coverage", self._simulate, self._take_coverage, self._note
        )
        self._parts.append(self._simulation)
        return [self._levels, ROCPanel(), self._temperature, IntervalPanel(self._simulation.box)]

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
        from rocviz.widgets.fermi_dirac.still import draw

        return draw(self, theme_)

    # ------------------------------------------------------------------ controls

    def _controls(self) -> list[ipywidgets.Widget]:
        self._heat = control(
            ipywidgets.SelectionSlider(
                options=[(f"{temperature_text(t)} N", i) for i, t in enumerate(TEMPERATURES)],
                description="temperature",
                readout=False,
            ),
            "knob-held",
        )
        self._heat.observe(self._set_heat, names=["value"])
        self._play = ipywidgets.Play(
            min=0, max=len(TEMPERATURES) - 1, interval=90, description="heat", show_repeat=False
        )
        self._play.observe(self._set_heat, names=["value"])
        n = self.n_samples
        # its steps are positives: the potentials that whole numbers of them have
        self._potential = control(
            ipywidgets.IntSlider(value=self.n_pos, min=1, max=n - 1, readout=False), "knob-held"
        )
        self._potential.observe(self._hear_positives, names=["value"])
        auc = self._link(
            ipywidgets.FloatSlider(
                min=0, max=1, step=0.005, description="AUC", readout_format=".3f"
            ),
            "auc",
        )
        self._share = self._link(
            ipywidgets.FloatSlider(
                min=1 / n, max=1 - 1 / n, step=1 / n, description="prevalence", readout_format=".0%"
            ),
            "prevalence",
        )
        size = ipywidgets.SelectionSlider(
            options=[20, 50, 100, 200, 400, 1000, 5000, 20_000], description="samples"
        )
        self._size = size
        size.observe(lambda change: self._hear_size(change["new"]), names=["value"])
        self._draw_anew = self._button("draw anew", "Another data set from the law", self.draw)
        chips = [
            self._menu("show", "preset", list(self.preset_names)),
            self._draw_anew,
            self._button("fit to the data", "Take the AUC of the data on screen", self.fit),
        ]
        row = control(ipywidgets.Box(chips), "rocviz-chips")
        heat = control(ipywidgets.Box([self._play, self._heat]), "rocviz-play")
        return [heat, self._potential, auc, self._share, size, row]

    def _set_heat(self, change: Any) -> None:
        if self._shows:
            return
        temperature = TEMPERATURES[change["new"]]
        if temperature == 0:  # two ends that compare equal
            self.auc = 0.0 if np.signbit(temperature) else 1.0
        else:
            self.temperature = temperature

    def _hear_positives(self, change: Any) -> None:
        if not self._shows:
            self.fill(change["new"])

    def _hear_size(self, size: int) -> None:
        if not self._shows:
            self._try(lambda: self.update(n_samples=size))

    def _follow(self, result: FermiDiracResult) -> None:
        """Let each pair of sliders follow the other."""
        nearest = int(np.argmin(np.abs(COLD - coldness(self.temperature, self.auc))))
        for widget in (self._heat, self._play):
            if widget.value != nearest:
                widget.value = nearest
        self._heat.description = f"temperature {temperature_text(self.temperature)} N"
        n = self.n_samples
        potential = f"chemical potential μ = {rank_text(self.chemical_potential)}"
        self._potential.description = potential
        with self._potential.hold_sync():
            self._potential.max = n - 1
            self._potential.value = self.n_pos
        if self._share.step != 1 / n:
            with self._share.hold_sync():
                self._share.min, self._share.max, self._share.step = 1 / n, 1 - 1 / n, 1 / n
                self._share.value = on_grid(self._share, self.prevalence)
        if n in self._size.options:
            self._size.value = n
        own = self.preset == self.own
        self._size.layout.display = self._draw_anew.layout.display = "none" if own else ""

    # ------------------------------------------------------------------ acts

    def _drag_potential(self, rank: float) -> None:
        self._try(
            lambda: setattr(self, "chemical_potential", float(np.clip(rank, 0, self.n_samples + 1)))
        )

    def _drag_auc(self, auc: float) -> None:
        self.auc = float(np.clip(auc, 0.0, 1.0))

    def _simulate(self, progress: Any, should_stop: Any) -> CoverageResult:
        if not 0 < self.auc < 1:
            raise ValueError("An AUC of exactly 0 or 1 has no data sets that miss it: warm it up.")
        return simulate_coverage(
            min(self.n_samples, 2000),
            self.prevalence,
            self.auc,
            confidence=self.confidence,
            random_state=0,
            progress=progress,
            should_stop=should_stop,
        )

    def _take_coverage(self, coverage: CoverageResult) -> None:
        self.coverage = coverage
        self._show()
