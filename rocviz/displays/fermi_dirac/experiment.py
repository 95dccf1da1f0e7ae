"""FermiDiracExperimentDisplay: what the law says of simulated data against what the data say.

Holds and draws an experiment that was run.
"""

from __future__ import annotations

from typing import Any, Self, Unpack

import numpy as np
from matplotlib.axes import Axes

from rocviz.core.fermi_dirac.experiment import FermiDiracExperiment
from rocviz.displays.base.data import check_kind
from rocviz.displays.base.display import Display, Theming
from rocviz.displays.base.figure import pair_of_panels
from rocviz.displays.base.labels import Row, legend
from rocviz.displays.base.pen import Pen
from rocviz.displays.base.style import resolve_theme
from rocviz.theme import Theme
from rocviz.words import number

_FEW = 0.25  # prevalences nearer than this to 0 or 1 are drawn hollow


class _Look(Theming, total=False):
    ax: tuple[Axes, Axes] | None


class FermiDiracExperimentDisplay(Display):
    """Two scatters over simulated settings: ranks to cut at, and standard deviations of the AUC.

    The left picture has the law's rank r* against the cut with the best balanced accuracy, as
    shares of the samples; the right one has the standard deviation of the AUC by the law against
    DeLong's. A dot is the mean of a setting, with two standard errors either way; hollow ones have
    a prevalence below 0.25 or above 0.75. After Kim et al. (2021), figure 3.

    Parameters
    ----------
    experiment : FermiDiracExperiment
        What is drawn.

    Attributes
    ----------
    axes_ : list of matplotlib Axes
        Axes of the ranks and of the standard deviations.
    figure_ : matplotlib Figure
    points_ : list of list of Line2D
        On each axes: settings of middle prevalence, and the others.

    Raises
    ------
    ValueError
        If ``experiment`` is something else.

    See Also
    --------
    rocviz.core.fermi_dirac.fermi_dirac_experiment : The numbers.

    Examples
    --------
    >>> from rocviz import FermiDiracExperimentDisplay
    >>> from rocviz.core.fermi_dirac import fermi_dirac_experiment
    >>> done = fermi_dirac_experiment(100, auc=[0.7, 0.9], n_repeats=5, random_state=0)
    >>> display = FermiDiracExperimentDisplay.from_experiment(done)
    >>> display.axes_[0].get_ylabel()
    'r* of the law, share of the samples'
    """

    def __init__(self, experiment: FermiDiracExperiment) -> None:
        kind, maker = FermiDiracExperiment, "fermi_dirac_experiment"
        self.experiment: FermiDiracExperiment = check_kind(experiment, "experiment", kind, maker)

    @classmethod
    def from_experiment(cls, experiment: FermiDiracExperiment, **looks: Unpack[_Look]) -> Self:
        """Draw an experiment.

        Parameters
        ----------
        experiment : FermiDiracExperiment
        ax : pair of matplotlib Axes, optional
            For the ranks and the standard deviations; by default those of a new figure.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        FermiDiracExperimentDisplay

        Raises
        ------
        ValueError
            If data are bad. No figure has been made then.
        """
        cls._check_keywords("from_experiment", looks)
        return cls(experiment).plot(**looks)

    def plot(
        self, ax: tuple[Axes, Axes] | None = None, *, theme: Theme | str | None = None
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : pair of matplotlib Axes, optional
            For the ranks and the standard deviations; by default those of a new figure.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        FermiDiracExperimentDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is not as said above. No figure has been made then.
        """
        look, done = resolve_theme(theme), self.experiment
        self.axes_ = pair_of_panels(ax, look, height=5.6, wspace=0.26)
        self.figure_ = self.axes_[0].figure
        ranks, deviations = (Pen(one, look) for one in self.axes_)
        both: list[Any] = [
            (ranks, "best_rank", "threshold_rank", done.rank_correlation),
            (deviations, "delong_deviation", "law_deviation", done.deviation_correlation),
        ]
        self.points_ = [_draw(pen, done, *what) for pen, *what in both]
        ranks.title("Where to cut")
        ranks.ax.set_xlabel("best balanced accuracy, share of the samples")
        ranks.ax.set_ylabel("r* of the law, share of the samples")
        deviations.title("How sure the AUC is")
        deviations.ax.set_xlabel("standard deviation by DeLong")
        deviations.ax.set_ylabel("standard deviation by the law")
        return self


def _draw(
    pen: Pen, done: FermiDiracExperiment, across: str, up: str, correlation: float
) -> list[Any]:
    """Draw one measure against another, the same scale on both axes, over the diagonal."""
    pen.frame()
    x, y = getattr(done, across), getattr(done, up)
    wide, high = 2 * getattr(done, f"{across}_error"), 2 * getattr(done, f"{up}_error")
    low = min((x - wide).min(), (y - high).min())
    top = max((x + wide).max(), (y + high).max())
    room = 0.04 * ((top - low) or 1.0)
    low, top = low - room, top + room
    pen.ax.set(xlim=(low, top), ylim=(low, top), aspect="equal")
    pen.line([low, top], [low, top], "reference", 0.7, (0, (1, 3)), zorder=1.5)
    looks: dict[str, Any] = {"color": pen.colour("muted"), "linewidth": pen.stroke(0.5)}
    pen.ax.hlines(y, x - wide, x + wide, **looks)
    pen.ax.vlines(x, y - high, y + high, **looks)
    middle = np.abs(done.prevalence - 0.5) <= 0.5 - _FEW
    made = [
        pen.dots(x[some], y[some], face, 0.42, "ranking", 0.8, zorder=3)
        for some, face in ((middle, "ranking"), (~middle, "paper"))
    ]
    rows = [] if np.isnan(correlation) else [Row(f"correlation {number(correlation)}")]
    words = ("dotted: equal", "○ prevalence < .25 or > .75")
    rows += [Row(each, thing="muted", bold=False) for each in words]
    legend(pen, rows, (0.25, 0.85))
    return made
