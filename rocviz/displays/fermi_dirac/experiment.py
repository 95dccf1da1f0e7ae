"""FermiDiracExperimentDisplay: predictions of the Fermi-Dirac law against simulated data.

The experiment is run by :func:`rocviz.core.fermi_dirac.experiment.fermi_dirac_experiment`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes

from rocviz.core.fermi_dirac.experiment import FermiDiracExperiment
from rocviz.displays.base.data import check_kind
from rocviz.displays.base.display import Display
from rocviz.displays.base.draw_picture import show_picture
from rocviz.displays.base.figure import pair_of_panels
from rocviz.displays.base.style import Pen, resolve_theme
from rocviz.pictures import Axis, Dots, Entry, Legend, Line, Picture, ticks_around, uprights
from rocviz.theme import Theme
from rocviz.words import number

_EXTREME_PREVALENCE = 0.25  # prevalences nearer than this to 0 or 1 are drawn hollow


class FermiDiracExperimentDisplay(Display):
    """Scatter plots over simulated settings: optimal ranks, and standard deviations of the AUC.

    The left picture has the law's rank r* against the threshold with the best balanced accuracy, as
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
    pictures_ : list of rocviz.pictures.Picture
        What was drawn, as values.
    points_ : list of list of PathCollection
        On each axes: settings of middle prevalence, and the others, if there are any.

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
        kind = FermiDiracExperiment
        maker = "fermi_dirac_experiment"
        self.experiment: FermiDiracExperiment = check_kind(experiment, "experiment", kind, maker)

    @classmethod
    def from_experiment(
        cls,
        experiment: FermiDiracExperiment,
        *,
        ax: tuple[Axes, Axes] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw an experiment.

        Parameters
        ----------
        experiment : FermiDiracExperiment
        ax, theme
            As for :meth:`plot`.

        Returns
        -------
        FermiDiracExperimentDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.
        """
        return cls(experiment).plot(ax=ax, theme=theme)

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
            If an argument is invalid. Then no figure is made.
        """
        resolved_theme = resolve_theme(theme)
        experiment = self.experiment
        self.axes_ = pair_of_panels(ax, resolved_theme, height=5.6, wspace=0.26)
        self.figure_ = self.axes_[0].figure
        ranks = ("best_rank", "threshold_rank", experiment.rank_correlation)
        deviations = ("delong_deviation", "law_deviation", experiment.deviation_correlation)
        labels = (
            (
                "Where to put the threshold",
                "best balanced accuracy, share of the samples",
                "r* of the law, share of the samples",
            ),
            (
                "How sure the AUC is",
                "standard deviation by DeLong",
                "standard deviation by the law",
            ),
        )
        self.pictures_ = []
        self.points_ = []
        for ax_of_pair, (title, *axis_labels), measures in zip(
            self.axes_, labels, (ranks, deviations), strict=True
        ):
            pen = Pen(ax_of_pair, resolved_theme)
            pen.title(title)
            draw = partial(agreement_picture, experiment, measures, axis_labels)
            picture, artists = show_picture(draw, pen)
            self.pictures_.append(picture)
            self.points_.append([*artists["middle"], *artists["far"]])
        return self


def agreement_picture(
    experiment: FermiDiracExperiment,
    measures: tuple[str, str, float],
    labels: Sequence[str],
    is_large: bool,
) -> Picture:
    """Draw one measure against another on equal scales, with the diagonal."""
    x_name, y_name, correlation = measures
    x = getattr(experiment, x_name)
    y = getattr(experiment, y_name)
    x_error = 2 * getattr(experiment, f"{x_name}_error")
    y_error = 2 * getattr(experiment, f"{y_name}_error")
    lowest = min((x - x_error).min(), (y - y_error).min())
    highest = max((x + x_error).max(), (y + y_error).max())
    ticks = ticks_around(lowest, highest if highest > lowest else lowest + 0.01)
    low = float(ticks[0])
    top = float(ticks[-1])
    is_middle = np.abs(experiment.prevalence - 0.5) <= 0.5 - _EXTREME_PREVALENCE
    is_far = ~is_middle
    dots: dict[str, Any] = {"rim": "ranking", "size": 70, "width": 2.0}
    rows = [] if np.isnan(correlation) else [Entry(f"correlation {number(correlation)}")]
    for text in ("dotted: equal", "○ prevalence < .25 or > .75"):
        rows.append(Entry(text, "muted", bold=False))
    return Picture(
        Axis(labels[0], low, top, ticks),
        Axis(labels[1], low, top, ticks),
        (
            Line("equal", "reference", (low, top), (low, top), dash="dotted", may_be_covered=True),
            Line("x errors", "muted", *uprights(y, x - x_error, x + x_error)[::-1], width=1.2),
            Line("y errors", "muted", *uprights(x, y - y_error, y + y_error), width=1.2),
            Dots("middle", "ranking", x[is_middle], y[is_middle], **dots),
            Dots("far", "paper", x[is_far], y[is_far], **dots),
            Legend("words", "text", choices=[rows], corner=(0.0, 1.0)),
        ),
        is_large=is_large,
    )
