"""RankingExperimentDisplay: the error of each method's probabilities.

Its picture shares its marks with :class:`rocviz.RankingLossExplorer`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Self

from matplotlib.axes import Axes

from rocviz.core.base.validation import check_choice, check_sequence, describe
from rocviz.core.ranking_loss.results import RankingExperiment
from rocviz.displays.base.data import check_kind
from rocviz.displays.base.display import Display
from rocviz.displays.base.style import named_styles
from rocviz.displays.ranking_loss.pictures import experiment_picture
from rocviz.theme import Theme
from rocviz.words import amount


class RankingExperimentDisplay(Display):
    """Squared error of probabilities against the lowest true probability.

    One line a method, with two standard errors either way, as in figure 1 of Menon et al. (2012).
    Anything but such an experiment raises a ``ValueError``.

    Parameters
    ----------
    experiment : RankingExperiment
        Errors of each method at each floor of the probability.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes, matplotlib Figure
        Where it was drawn last.
    lines_ : dict of str to Line2D
        By method.

    See Also
    --------
    rocviz.estimators.ranking_loss.synthetic_ranking_experiment : The numbers.

    Examples
    --------
    >>> from rocviz import RankingExperimentDisplay
    >>> from rocviz.estimators.ranking_loss import synthetic_ranking_experiment
    >>> done = synthetic_ranking_experiment(
    ...     n_samples=100, n_repeats=2, methods=["logistic", "rank + isotonic"], random_state=0
    ... )
    >>> sorted(RankingExperimentDisplay(done).plot().lines_)
    ['logistic', 'rank + isotonic']
    """

    def __init__(self, experiment: RankingExperiment) -> None:
        kind = RankingExperiment
        maker = "synthetic_ranking_experiment"
        self.experiment: RankingExperiment = check_kind(experiment, "experiment", kind, maker)

    @classmethod
    def from_experiment(
        cls,
        experiment: RankingExperiment,
        *,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        methods: Sequence[str] | None = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw an experiment.

        The keyword ``methods`` chooses the lines.

        Parameters
        ----------
        experiment : RankingExperiment
        curve_kwargs, methods, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        RankingExperimentDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.
        """
        return cls(experiment).plot(ax=ax, methods=methods, curve_kwargs=curve_kwargs, theme=theme)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        methods: Sequence[str] | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default on those of a new figure.
        methods : sequence of str, optional
            Which of the experiment's methods; by default all.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
            list gives those of each.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        RankingExperimentDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        shown = self.experiment.methods
        if methods is not None:
            shown = tuple(check_sequence(methods, "methods", "a sequence of names of methods"))
        if not shown:
            raise ValueError(
                f"methods must be a sequence of names of methods; got {describe(methods)}."
            )
        for method in shown:
            check_choice(method, "methods", self.experiment.methods)
        style: dict[str, Any] = {"own": named_styles(shown, curve_kwargs)}
        style["heading"] = f"Probabilities learned from {amount(self.experiment.n_samples)} samples"
        draw = partial(experiment_picture, self.experiment, shown)
        drawn = self._show(draw, ax, theme, width=7.6, height=5.2, **style)
        self.lines_ = {method: drawn[method][0] for method in shown}
        return self
