"""The Fermi-Dirac explorer: its constructor, its pictures and the actions on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.roc.coverage import CoverageResult, simulate_coverage
from rocviz.core.roc.segments import RankedSegments
from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.own_data import FromEstimator, both_given, refuse_beside_segments
from rocviz.widgets.base.stage import Panel
from rocviz.widgets.fermi_dirac.result import Ranked
from rocviz.widgets.fermi_dirac.state import FermiDiracState
from rocviz.widgets.fermi_dirac.view import (
    coldness_picture,
    interval_picture,
    levels_picture,
    roc_picture,
)

if TYPE_CHECKING:
    from rocviz.widgets.fermi_dirac.inputs import FermiDiracInputs

MAX_SAMPLES_OF_QUICK_BOOTSTRAP = 50_000  # samples whose bootstrap takes about a second


class FermiDiracExplorer(FermiDiracState, FromEstimator, Explorer):
    """See a ranking as levels that positives fill, with a temperature, and heat it.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments, optional
        Labels of exactly two classes; or, alone, the segments of up to ten million samples
        that were counted before. Without data: rankings drawn from the law itself.
    y_score : array-like of float, shape (n_samples,), optional
        Scores, higher means more positive.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    labels : mapping of label to str, or pair of str, optional
        Names of the classes in sentences and pictures: by label, or of the negative and of the
        positive class. By default the labels themselves, unless they are 0 and 1, -1 and 1, or
        booleans, which name nothing.
    temperature : float, optional
        Temperature in units of the number of samples; 0 is perfect, infinite is random, below 0 is
        worse than random.
    chemical_potential : float, optional
        Chemical potential: the rank at which a sample is as likely positive as negative.
    auc : float, optional
        Area under the ROC curve. From 0 to 1.
    prevalence : float, optional
        Share of positives, rounded to a whole number of positives. From 0 to 1.
    n_samples : int, optional
        Number of samples that are ranked.
    confidence : float, optional
        Confidence of the intervals. From 0.5 to 0.999.
    show_best : bool, optional
        Mark the rank before which a positive is more likely than in the whole ranking.
    seed : int, optional
        Seed of the sample drawn.
    preset : str, optional
        Name of a teaching situation: it sets its own inputs and resets all others.
    panels : tuple, optional
        Names of the pictures that are shown, in their order.
    focus : str, optional
        Name of the large picture. Unless it is set, or a title clicked, the first of the panels is
        large; ``None`` goes back to that.
    unfolded : tuple, optional
        Names of the controls outside the folds; by default the explorer's own choice.

    Attributes
    ----------
    result : FermiDiracResult
        Everything on screen: ``result.law`` is the :class:`rocviz.FermiDirac` distribution.

    Raises
    ------
    ValueError
        If the data are invalid; nothing is drawn in that case.
    TypeError
        If an input is unknown; the message lists the ones there are.

    References
    ----------
    Kim et al. (2021), sections on the Fermi-Dirac distribution, the temperature and thresholds.

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
        y_true: ArrayLike | RankedSegments | None = None,
        y_score: ArrayLike | None = None,
        *,
        pos_label: Any = None,
        labels: Any = None,
        **inputs: Unpack[FermiDiracInputs],
    ) -> None:
        data = None
        if isinstance(y_true, RankedSegments):
            refuse_beside_segments(y_score, pos_label)
            data = Ranked.from_segments(y_true, labels)
        elif both_given({"pos_label": pos_label, "labels": labels}, y_true=y_true, y_score=y_score):
            data = Ranked.from_scores(y_true, y_score, pos_label, labels)
        super().__init__(data, **inputs)

    # ------------------------------------------------------------------ pictures

    copied_attributes = ("coverage",)
    #: Simulates the coverage of the intervals in a thread.
    simulation: Any = None

    def _make_panels(self) -> dict[str, Panel]:
        self.simulation = self._task("simulate coverage", self._simulate, self._on_coverage)
        return {
            "levels": Panel(
                levels_picture,
                drags={
                    "heat": ("temperature", self._drag_heat),
                    "potential": ("chemical_potential", self._drag_potential),
                },
            ),
            "roc": Panel(roc_picture),
            "intervals": Panel(interval_picture),
            "coldness": Panel(coldness_picture, drags={"point": ("temperature", self._drag_auc)}),
        }

    # ------------------------------------------------------------------ actions of the user

    def _drag_heat(self, _rank: float, probability: float) -> None:
        self.set_grip(float(np.clip(probability, 0.0, 1.0)))

    def _drag_potential(self, rank: float, _y: float) -> None:
        self.chemical_potential = float(np.clip(rank, 0, self.n_samples + 1))

    def _drag_auc(self, auc: float, _y: float) -> None:
        self.auc = min(max(auc, 0.0), 1.0)

    def _simulate(self, progress: Any, should_stop: Any) -> CoverageResult:
        if not 0 < self.auc < 1:
            raise ValueError(
                "With an AUC of exactly 0 or 1 every interval contains it: raise the temperature."
            )
        return simulate_coverage(
            min(self.n_samples, 2000),
            self.prevalence,
            self.auc,
            confidence=self.confidence,
            random_state=0,
            progress=progress,
            should_stop=should_stop,
        )

    def _on_coverage(self, coverage: CoverageResult) -> None:
        self.coverage = coverage
        self._redraw()

    # ------------------------------------------------------------------ previews

    def takes_long(self, changed: set[str]) -> bool:
        """Whether resampling this many samples takes a while."""
        if not self.is_sandbox:
            return self._own.label.size > MAX_SAMPLES_OF_QUICK_BOOTSTRAP and not self.is_resampled()
        is_new = bool(changed - {"confidence"}) or not self.is_resampled()
        return self.n_samples > MAX_SAMPLES_OF_QUICK_BOOTSTRAP and is_new
