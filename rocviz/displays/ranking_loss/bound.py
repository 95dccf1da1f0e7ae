"""RankingBoundDisplay: bounds on the squared loss after isotonic regression, by AUC.

Its picture is that of :class:`rocviz.RankingLossExplorer`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Self

from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.validation import check_sequence
from rocviz.core.ranking_loss.bound import RankingBoundExample, ranking_bound_examples
from rocviz.displays.base.display import Display
from rocviz.displays.ranking_loss.pictures import bound_picture
from rocviz.theme import Theme
from rocviz.words import percent


class RankingBoundDisplay(Display):
    """Squared loss after isotonic regression against AUC: the largest loss and the printed bound.

    Dots are rankings. One above the printed curve refutes it; none is above the solid one, and
    for every AUC there is one on it. The dotted curve is a bound in one formula; from the ring on
    to the right it is the solid curve.

    Parameters
    ----------
    examples : sequence of RankingBoundExample, optional
        Rankings to show, all of one prevalence; by default the two counterexamples.
    labels : pair of str, or mapping of label to str, optional
        Names of the negative and of the positive class, or of 0 and 1.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Where it was drawn last.
    figure_ : matplotlib Figure
    picture_ : rocviz.pictures.Picture
        What was drawn, as a value.
    lines_ : dict of str to Line2D
        ``"sharp"`` (the largest loss), ``"simple"``, ``"printed"``, and ``"turn"``, the ring.
    dots_ : PathCollection
        Of the examples.

    Raises
    ------
    ValueError
        If there are no examples, or their prevalences differ.

    See Also
    --------
    rocviz.core.ranking_loss.ranking_bound : The bounds.

    References
    ----------
    Corrects Menon et al. (2012), Proposition 2.

    Examples
    --------
    >>> from rocviz import RankingBoundDisplay
    >>> display = RankingBoundDisplay().plot()
    >>> len(display.dots_.get_offsets())
    2
    """

    def __init__(
        self, examples: Sequence[RankingBoundExample] | None = None, *, labels: Any = None
    ) -> None:
        rankings = ranking_bound_examples()
        if examples is not None:
            rankings = tuple(
                check_sequence(examples, "examples", "one or more RankingBoundExample")
            )
        if not rankings or not all(
            isinstance(ranking, RankingBoundExample) for ranking in rankings
        ):
            raise ValueError(
                "examples must be one or more RankingBoundExample (see ranking_bound_examples)."
            )
        prevalence = rankings[0].prevalence
        if any(abs(ranking.prevalence - prevalence) > 1e-6 for ranking in rankings):
            raise ValueError("examples must all have the same prevalence: the bounds depend on it.")
        self.examples = rankings
        self._name_classes(labels)

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
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw a fitted classifier's ranking beside the bounds.

        Parameters
        ----------
        estimator : fitted classifier, or mapping of str to fitted classifier
            Of two classes.
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,)
            True labels.
        response_method : {"auto", "predict_proba", "decision_function"}, default="auto"
            ``"auto"`` takes probabilities where the classifier has them.
        pos_label : label, optional
            By default the estimator's own ``pos_label_``; needed where it has none and its classes
            are not 0 and 1, -1 and 1, or booleans.
        name : str, optional
            By default the name of the estimator's class.
        labels
            As for :meth:`from_predictions`.
        sample_weight, ax, theme
            As for :meth:`from_predictions`.

        Returns
        -------
        RankingBoundDisplay

        Raises
        ------
        ValueError
            If ``estimator`` or the data are invalid. Then no figure is made.
        """
        return cls._from_classifier(
            estimator,
            X,
            y,
            sample_weight=sample_weight,
            response_method=response_method,
            pos_label=pos_label,
            name=name,
            labels=labels,
            ax=ax,
            theme=theme,
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
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw rankings by scores beside the bounds.

        Parameters
        ----------
        y_true : array-like, shape (n_samples,)
            Labels of exactly two classes.
        y_score : array-like of float, shape (n_samples,), or mapping of str to array-like
            Scores, higher means more positive; a mapping gives those of several models.
        sample_weight : array-like of float, shape (n_samples,), optional
        pos_label : label, optional
            The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
        name : str, optional
            Name of the model.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes: by label, or of the negative and of the positive class. By default
            the labels themselves, unless they are 0 and 1, -1 and 1, or booleans.
        ax, theme
            As for :meth:`plot`.

        Returns
        -------
        RankingBoundDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.
        """
        samples = cls._samples(
            y_true,
            y_score,
            sample_weight=sample_weight,
            pos_label=pos_label,
            name=name,
            labels=labels,
        )
        examples = []
        for key, segments in samples.models.items():
            name = "this ranking" if key is None else key
            examples.append(RankingBoundExample(name, segments))
        return cls(examples, labels=samples.class_names).plot(ax=ax, theme=theme)

    def plot(self, ax: Axes | None = None, *, theme: Theme | str | None = None) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default on those of a new figure.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        RankingBoundDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        prevalence = self.examples[0].prevalence
        heading = f"What an AUC allows, {percent(prevalence)} {self._classes.are_positive}"
        draw = partial(bound_picture, prevalence, self.examples)
        drawn = self._show(draw, ax, theme, heading=heading, width=7.2, height=5.4)
        names = ("sharp", "simple", "printed", "turn")
        self.lines_ = {name: drawn[name][0] for name in names}
        (self.dots_,) = drawn["against"]
        return self
