"""RankingExperimentDisplay: how far each method's probabilities are from the truth.

Holds results; drawing is :mod:`rocviz.displays.ranking_loss.draw_experiment`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self, Unpack

from rocviz.core.base.validation import check_choice
from rocviz.core.ranking_loss.results import RankingExperiment
from rocviz.displays.base.display import Display, Look
from rocviz.displays.ranking_loss.draw_experiment import draw_ranking_experiment
from rocviz.words import amount

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rocviz.theme import Theme


class _Look(Look, total=False):
    methods: Sequence[str] | None


class RankingExperimentDisplay(Display):
    """Squared error to the true probability against the floor of that probability.

    One line a method, with two standard errors either way.

    Parameters
    ----------
    experiment : RankingExperiment
        What is drawn.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn last.
    figure_ : matplotlib Figure
    lines_ : dict of str to Line2D
        By method.

    Raises
    ------
    ValueError
        If ``experiment`` is of another type.

    See Also
    --------
    rocviz.synthetic_ranking_experiment : The numbers.

    References
    ----------
    Menon et al. (2012), Figure 1.

    Examples
    --------
    >>> from rocviz import RankingExperimentDisplay, synthetic_ranking_experiment
    >>> done = synthetic_ranking_experiment(
    ...     n_samples=100, n_repeats=2, methods=["logistic", "rank + isotonic"], random_state=0
    ... )
    >>> sorted(RankingExperimentDisplay(done).plot().lines_)
    ['logistic', 'rank + isotonic']
    """

    def __init__(self, experiment: RankingExperiment) -> None:
        if not isinstance(experiment, RankingExperiment):
            raise ValueError(
                "experiment must be a RankingExperiment (see synthetic_ranking_experiment); got "
                f"{type(experiment).__name__}."
            )
        self.experiment = experiment

    @classmethod
    def from_experiment(cls, experiment: RankingExperiment, **looks: Unpack[_Look]) -> Self:
        """Draw an experiment.

        Parameters
        ----------
        experiment : RankingExperiment
        """
        return cls(experiment).plot(**looks)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        methods: Sequence[str] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw.

        Parameters
        ----------
        methods : sequence of str, optional
            Which of the experiment's methods; by default all.
        """
        shown = self.experiment.methods if methods is None else tuple(methods)
        if isinstance(methods, str) or not shown:
            raise ValueError(f"methods must be a sequence of names of methods; got {methods!r}.")
        for method in shown:
            check_choice(method, "methods", self.experiment.methods)
        heading = f"Probabilities learned from {amount(self.experiment.n_samples)} samples"
        pen = self._pen(ax, theme, heading=heading, width=7.6, height=5.2)
        self.lines_ = draw_ranking_experiment(pen, self.experiment, methods=shown)
        return self
