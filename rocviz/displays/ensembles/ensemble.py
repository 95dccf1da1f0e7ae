"""EnsembleDisplay: each classifier's evidence, correlated errors, and AUC by ensemble size.

Its pictures are those of :class:`rocviz.EnsembleExplorer`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    check_choice,
    check_integer,
    check_number,
    describe,
    labels_of_classes,
    list_labels,
)
from rocviz.core.ensembles.experiment import EnsembleExperiment
from rocviz.core.ensembles.fidel import fidel_combine
from rocviz.core.ensembles.rank_ensemble import EnsembleScores, RankEnsemble
from rocviz.displays.base.data import check_kind, class_names_of
from rocviz.displays.base.display import Display
from rocviz.displays.base.style import named_styles
from rocviz.displays.ensembles.pictures import (
    METHODS,
    correlation_picture,
    evidence_picture,
    size_picture,
)
from rocviz.theme import Theme
from rocviz.words import ClassNames, number, short_names

_KINDS_OF_SCORES = ("contributions", "correlation")


class EnsembleDisplay(Display):
    """An ensemble of classifiers in one of three pictures.

    ``"contributions"``: for one item, how much evidence each classifier gives for or against
    the positive class, and the sum. ``"correlation"``: how alike the classifiers rank within a
    class; the more alike, the less is gained by combining them. ``"auc"``: the AUC of the best
    single classifier, of all on average, and of three ways to combine, against how many there are.

    Use a ``from_`` method to make one from data; the constructor takes results.

    Parameters
    ----------
    results : EnsembleScores or EnsembleExperiment
        What is drawn.
    labels : pair of str, or mapping of label to str, optional
        Names of the negative and of the positive class, or of 0 and 1.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes, matplotlib Figure
        Where it was drawn last.
    picture_ : rocviz.pictures.Picture
        What was drawn, as a value.
    artists_ : dict of str to list of Artist
        Those of each mark: "bars" of contributions, "cells" of correlations, and, for each method,
        its "line fidel" and "bars fidel".

    Raises
    ------
    ValueError
        If ``results`` are neither EnsembleScores nor an EnsembleExperiment.

    See Also
    --------
    rocviz.fidel_combine : Contributions and probabilities.
    rocviz.core.ensembles.ensemble_experiment : AUC against the number of classifiers.

    References
    ----------
    Kim et al. (2021), section on ensemble classification and Figure 4.

    Examples
    --------
    >>> from rocviz import EnsembleDisplay, simulate_classifiers
    >>> y_true, scores = simulate_classifiers(200, [0.6, 0.7, 0.8], random_state=0)
    >>> display = EnsembleDisplay.from_predictions(y_true, scores, item=3)
    >>> "bars" in display.artists_
    True
    >>> display.plot(kind="correlation").ax_.get_title(loc="left")
    'Mean correlation 0.01'
    """

    def __init__(self, results: EnsembleScores | EnsembleExperiment, *, labels: Any = None) -> None:
        if not isinstance(results, (EnsembleScores, EnsembleExperiment)):
            raise ValueError(
                "results must be EnsembleScores (see fidel_combine) or an EnsembleExperiment (see "
                f"ensemble_experiment); got {type(results).__name__}."
            )
        self.results = results
        self._name_classes(labels)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        kind: str | None = None,
        item: int = 0,
        correlation: float | None = None,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the evidence of a fitted ensemble on samples.

        Parameters
        ----------
        estimator : fitted FiDELClassifier
        X : array-like, shape (n_samples, n_features)
        labels
            As for :meth:`from_predictions`.
        curve_kwargs, kind, item, correlation, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        EnsembleDisplay

        Raises
        ------
        ValueError
            If ``estimator`` or the data are invalid. Then no figure is made.
        """
        if not hasattr(estimator, "ensemble_scores"):
            raise ValueError(
                f"estimator must be a fitted FiDELClassifier; got {type(estimator).__name__}."
            )
        class_names = class_names_of(estimator, labels=labels)
        return cls(estimator.ensemble_scores(X), labels=class_names).plot(
            ax=ax,
            kind=kind,
            item=item,
            correlation=correlation,
            curve_kwargs=curve_kwargs,
            theme=theme,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        scores: Any,
        new_scores: Any = None,
        *,
        pos_label: Any = None,
        method: str = "fidel",
        rank_context: str = "validation",
        shrinkage: float | str = "auto",
        calibration: str | None = "sigmoid",
        names: Any = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        kind: str | None = None,
        item: int = 0,
        correlation: float | None = None,
        labels: Any = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the evidence of classifiers on items, from their scores.

        Parameters
        ----------
        y_true, scores, new_scores, method, rank_context, shrinkage, calibration
            As in :func:`rocviz.fidel_combine`.
        names, pos_label
            As in :func:`rocviz.fidel_combine`.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes: by label, or of the negative and of the positive class. By default
            the labels themselves, unless they are 0 and 1, -1 and 1, or booleans.
        curve_kwargs, kind, item, correlation, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        EnsembleDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.
        """
        combined = fidel_combine(
            y_true,
            scores,
            new_scores,
            method=method,
            rank_context=rank_context,
            shrinkage=shrinkage,
            calibration=calibration,
            names=names,
            pos_label=pos_label,
        )
        classes = labels_of_classes(y_true, pos_label)
        return cls(combined, labels=ClassNames.of(*classes, labels)).plot(
            ax=ax,
            kind=kind,
            item=item,
            correlation=correlation,
            curve_kwargs=curve_kwargs,
            theme=theme,
        )

    @classmethod
    def from_experiment(
        cls,
        experiment: EnsembleExperiment,
        *,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        kind: str | None = None,
        item: int = 0,
        correlation: float | None = None,
        ax: Axes | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw mean AUCs against the number of classifiers.

        Parameters
        ----------
        experiment : EnsembleExperiment
        curve_kwargs, kind, item, correlation, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        EnsembleDisplay

        Raises
        ------
        ValueError
            If data are bad. Then no figure is made.
        """
        if kind is None:
            kind = "auc"
        check_kind(experiment, "experiment", EnsembleExperiment, "ensemble_experiment")
        return cls(experiment).plot(
            ax=ax,
            kind=kind,
            item=item,
            correlation=correlation,
            curve_kwargs=curve_kwargs,
            theme=theme,
        )

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: str | None = None,
        item: int = 0,
        correlation: float | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default on those of a new figure.
        kind : {"contributions", "correlation", "auc"}, optional
            By default "auc" for an experiment and "contributions" for scores.
        item : int, default=0
            For "contributions": which item, counted from 0.
        correlation : float, optional
            For "auc": which of the experiment's correlations; by default its first.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
            list gives those of each.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        EnsembleDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        if isinstance(self.results, EnsembleExperiment):
            check_choice("auc" if kind is None else kind, "kind", ("auc",))
            own = named_styles([f"line {method}" for method in METHODS], curve_kwargs)
            return self._plot_auc(self.results, correlation, ax, theme, own)
        named_styles([], curve_kwargs)  # neither picture has curves
        kind = "contributions" if kind is None else kind
        check_choice(kind, "kind", _KINDS_OF_SCORES)
        if kind == "correlation":
            ensemble = self.results.ensemble
            heading = f"Mean correlation {number(ensemble.mean_correlation, 2)}"
            names = [f"{k} {name}" for k, name in enumerate(_short(ensemble), 1)]
            draw = partial(correlation_picture, ensemble.correlation, names=names)
            self.artists_ = self._show(draw, ax, theme, heading=heading, width=6.0, height=6.0)
            return self
        return self._plot_contributions(self.results, item, ax, theme)

    def _plot_auc(
        self,
        experiment: EnsembleExperiment,
        correlation: float | None,
        ax: Any,
        theme: Any,
        own: Any,
    ) -> Self:
        known = np.unique(experiment.correlation)
        if correlation is None:
            correlation = float(experiment.correlation[0])
        elif check_number(correlation, "correlation") not in known:
            raise ValueError(
                f"correlation must be one of the experiment's, {list_labels(known)}; "
                f"got {describe(correlation)}."
            )
        heading = f"Correlation within the classes {number(correlation, 2)}"
        draw = partial(size_picture, experiment, correlation=correlation)
        style: dict[str, Any] = {"heading": heading, "own": own, "width": 6.4, "height": 4.9}
        self.artists_ = self._show(draw, ax, theme, **style)
        return self

    def _plot_contributions(self, scores: EnsembleScores, item: int, ax: Any, theme: Any) -> Self:
        n_items = len(scores.score)
        if not n_items:
            raise ValueError("results hold no item to draw.")
        item = check_integer(item, "item", minimum=0, maximum=n_items - 1)
        ensemble = scores.ensemble
        ranks = scores.ranks[item]
        names = []
        for name, rank in zip(_short(ensemble), ranks, strict=True):
            rank_text = f"{rank:.1f}".removesuffix(".0")
            names.append(f"{name}, rank {rank_text} of {ensemble.n_samples}")
        draw = partial(
            evidence_picture,
            scores.contributions[item],
            float(scores.log_likelihood_ratio[item]),
            [*names, f"sum, probability {number(float(scores.probability[item]))}"],
            is_beside=True,
            classes=self._classes,
        )
        size: dict[str, Any] = {"width": 7.2, "lines": 1.7 * (len(ranks) + 2.7) + 5.5}
        self.artists_ = self._show(draw, ax, theme, heading=f"Item {item}", **size)
        return self


def _short(ensemble: RankEnsemble) -> list[str]:
    """Shorten names to leave room for the picture."""
    short = short_names(ensemble.names, 24)
    return [short[name] for name in ensemble.names]
