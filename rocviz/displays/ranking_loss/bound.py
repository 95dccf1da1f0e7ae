"""RankingBoundDisplay: how much squared loss an AUC allows after isotonic regression.

Holds rankings; drawing is :mod:`rocviz.displays.ranking_loss.draw_bound`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rocviz.core.ranking_loss.bound import RankingBoundExample, ranking_bound_examples
from rocviz.displays.base.data import estimator_scores, named_segments
from rocviz.displays.base.figure import headed_axes
from rocviz.displays.base.style import resolve_theme
from rocviz.displays.ranking_loss.draw_bound import draw_ranking_bound
from rocviz.words import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from rocviz.theme import Theme


class RankingBoundDisplay:
    """Squared loss after isotonic regression against AUC: the sharp bound and the printed one.

    Dots are rankings. One above the printed curve refutes it; none is above the sharp one.

    Parameters
    ----------
    examples : sequence of RankingBoundExample, optional
        Rankings to show, all of one prevalence; by default the two counterexamples.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn last.
    figure_ : matplotlib Figure
    lines_ : dict of str to Line2D
        ``"sharp"``, ``"printed"``, and ``"prevalence"``, which no isotonic fit exceeds.
    dots_ : list of Line2D
        One per example.

    See Also
    --------
    rocviz.ranking_bound : The sharp bound.
    rocviz.printed_ranking_bound : As printed.

    References
    ----------
    Corrects Menon et al. (2012), "Predicting accurate probabilities with a ranking loss",
    proposition 2.

    Examples
    --------
    >>> from rocviz import RankingBoundDisplay
    >>> display = RankingBoundDisplay().plot()
    >>> len(display.dots_)
    2
    """

    def __init__(self, examples: Sequence[RankingBoundExample] | None = None) -> None:
        given = ranking_bound_examples() if examples is None else tuple(examples)
        if not given or not all(isinstance(one, RankingBoundExample) for one in given):
            raise ValueError(
                "examples must be one or more RankingBoundExample (see ranking_bound_examples)."
            )
        if max(abs(one.prevalence - given[0].prevalence) for one in given) > 1e-6:
            raise ValueError("examples must all have the same prevalence: the bounds depend on it.")
        self.examples = given

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        response_method: str = "auto",
        pos_label: Any = None,
        name: str | None = None,
        **looks: Any,
    ) -> RankingBoundDisplay:
        """Draw where a fitted classifier's ranking lies.

        Parameters
        ----------
        estimator : fitted classifier, or mapping of str to fitted classifier
            Of two classes.
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            True labels.
        sample_weight : array-like of float, shape (n_samples,), optional
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
        pos_label : label, optional
            The positive class; by default ``estimator.classes_[1]``.
        name : str, optional
            By default the name of the estimator's class.
        **looks
            As in :meth:`plot`.

        Returns
        -------
        RankingBoundDisplay

        Raises
        ------
        ValueError
            If ``estimator`` is no fitted classifier of two classes, or data are bad. No figure
            has been made then.
        """
        scores, pos_label, name = estimator_scores(
            estimator, X, response_method=response_method, pos_label=pos_label, name=name
        )
        return cls.from_predictions(
            y, scores, sample_weight=sample_weight, pos_label=pos_label, name=name, **looks
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: Any,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        name: str | None = None,
        **looks: Any,
    ) -> RankingBoundDisplay:
        """Draw where rankings by scores lie.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of exactly two classes.
        y_score : array-like of float, shape (n_samples,), or mapping of str to array-like
            Higher means more positive; a mapping gives the scores of several models.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; by default the larger label in sorted order.
        name : str, optional
            Of the one model.
        **looks
            As in :meth:`plot`.

        Returns
        -------
        RankingBoundDisplay

        Raises
        ------
        ValueError
            If data are bad. No figure has been made then.
        """
        models = named_segments(
            y_true, y_score, sample_weight=sample_weight, pos_label=pos_label, name=name
        )
        return cls(
            [
                RankingBoundExample("this ranking" if key is None else key, segments)
                for key, segments in models.items()
            ]
        ).plot(**looks)

    def plot(
        self, ax: Axes | None = None, *, theme: Theme | str | None = None
    ) -> RankingBoundDisplay:
        """Draw.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default those of a new figure.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        RankingBoundDisplay
            Itself.

        Raises
        ------
        ValueError
            If ``theme`` is unknown. No figure has been made then.
        """
        look = resolve_theme(theme)
        heading = f"What an AUC allows, {percent(self.examples[0].prevalence)} positive"
        ax = headed_axes(ax, look, heading, width=7.2, height=5.4)
        self.lines_, self.dots_ = draw_ranking_bound(ax, self.examples, theme=look)
        self.ax_, self.figure_ = ax, ax.figure
        return self
