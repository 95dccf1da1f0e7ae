"""The convex hull of several ROC curves, and the best model for each cost ratio."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import trapezoid

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.naming import name_texts
from rocviz.core.base.validation import Floats, Weights, check_costs, check_prevalence, describe
from rocviz.core.comparison.comparison import check_models
from rocviz.core.roc.geometry import cost_optimal_index, upper_hull
from rocviz.core.roc.metrics import ConfusionTable
from rocviz.core.roc.segments import RankedSegments


@dataclass(frozen=True, eq=False)
class ModelHull(Frozen):
    """Upper hull of the ROC curves of several models of the same task.

    Parameters
    ----------
    fpr, tpr : ndarray of float, shape (n_vertices,)
        From (0, 0) to (1, 1).
    tnr, fnr : ndarray of float, shape (n_vertices,)
        ``1 - fpr`` and ``1 - tpr``, but for their rounding.
    threshold : ndarray of float, shape (n_vertices,)
        Threshold of the model that has the vertex; infinite at (0, 0).
    model : tuple of str, length n_vertices
        Whose curve has each vertex; of several, the first that was given. The two ends are points
        of every model, and belong to the model of the vertex beside them.
    models : dict of str to RankedSegments
        The models below the hull.
    """

    fpr: Floats
    tpr: Floats
    tnr: Floats
    fnr: Floats
    threshold: Floats
    model: tuple[str, ...]
    models: dict[str, RankedSegments]

    @cached_property
    def _edges(self) -> tuple[Floats, Floats]:
        """Widths and heights of the edges."""
        return _steps(self.fpr, self.tnr), _steps(self.tpr, self.fnr)

    @property
    def auc(self) -> float:
        """Area under the hull; no model's own hull has a greater one."""
        return float(trapezoid(self.tpr, self.fpr))

    @property
    def slope(self) -> Floats:
        """Slope of each edge, shape (n_vertices - 1,), decreasing; infinite where upright."""
        width, height = self._edges
        slope = np.full(width.size, np.inf)
        return np.asarray(np.divide(height, width, out=slope, where=width > 0))

    def segments(self, prevalence: float = 0.5) -> RankedSegments:
        """Convert the hull to a ranking, which can be drawn like any other.

        Parameters
        ----------
        prevalence : float, default=0.5
            Share of positives in its weight of 1, from 1e-9 to 1 - 1e-9.

        Returns
        -------
        RankedSegments
            One segment for each edge; its scores say the order only.

        Raises
        ------
        ValueError
            If ``prevalence`` is not from 1e-9 to 1 - 1e-9.

        Examples
        --------
        >>> segments = RankedSegments(score=[3, 2, 1], pos=[5, 2, 3], neg=[0, 6, 4])
        >>> hull = hull_over_models({"model": segments})
        >>> hull.segments().hull().auc == segments.hull().auc
        True
        """
        pi = check_prevalence(prevalence)
        width, height = self._edges
        score = -np.arange(1.0, self.fpr.size)
        return RankedSegments(score, pi * height, (1 - pi) * width)

    def optimal_point(
        self, cost_fp: float = 1.0, cost_fn: float = 1.0, *, prevalence: float
    ) -> tuple[str, ConfusionTable]:
        """Find the model to use at given costs and prevalence, and its best threshold.

        Parameters
        ----------
        cost_fp, cost_fn : float, default=1.0
            Costs of a false alarm and of a miss; not negative, not both zero.
        prevalence : float
            Prevalence where the model is used, from 0 to 1.

        Returns
        -------
        name : str
        table : ConfusionTable
            Table of that model's data at its threshold.

        Raises
        ------
        ValueError
            If an argument is invalid.
        """
        pi = check_prevalence(prevalence, ends=True)
        cost_fp, cost_fn = check_costs(cost_fp, cost_fn)
        index = cost_optimal_index(self.fpr, self.fnr, cost_fp * (1 - pi), cost_fn * pi)
        name = self.model[index]
        return name, self.models[name].at_threshold(float(self.threshold[index]))

    def to_frame(self) -> DataFrame:
        """Tabulate the best model of each stretch of the hull, one row per stretch.

        Returns
        -------
        pandas.DataFrame
            Columns ``model, fpr_from, fpr_to, slope_from, slope_to``: between two slopes of the
            costs' isometric ``(1 - π) cost_fp / (π cost_fn)`` a vertex of this model is best.
        """
        return self._stretches.copy()

    @cached_property
    def _stretches(self) -> DataFrame:
        slope = np.concatenate(([np.inf], self.slope, [0.0]))
        edges = [0]
        edges += [i for i in range(1, len(self.model)) if self.model[i] != self.model[i - 1]]
        last = [*edges[1:], len(self.model)]
        return to_frame(
            model=[self.model[i] for i in edges],
            fpr_from=[self.fpr[i] for i in edges],
            fpr_to=[self.fpr[i - 1] for i in last],
            slope_from=[slope[i] for i in edges],
            slope_to=[slope[i] for i in last],
        )


def hull_over_models(
    y_true: ArrayLike | Mapping[str, RankedSegments],
    scores: Any = None,
    *,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> ModelHull:
    """Compute the convex hull over the ROC curves of several models.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or mapping of str to RankedSegments
        Labels of exactly two classes. Segments by the name of the model stand for labels, scores
        and weights; they may be of other samples of the same task.
    scores, sample_weight, pos_label
        As for :func:`rocviz.compare_classifiers`.

    Raises
    ------
    ValueError
        If there is no model, or an argument is invalid.

    References
    ----------
    Provost and Fawcett (2001).

    Examples
    --------
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> hull = hull_over_models(y, {"early": [1, 2, 4, 3, 5, 6], "late": [1, 2, 4, 5, 3, 4]})
    >>> hull.model
    ('early', 'early', 'early', 'early')
    >>> early = RankedSegments(score=[2, 1], pos=[5, 5], neg=[0, 10])
    >>> late = RankedSegments(score=[2, 1], pos=[10, 0], neg=[5, 5])
    >>> hull = hull_over_models({"early": early, "late": late})
    >>> hull.model, hull.auc
    (('early', 'early', 'late', 'late'), 0.875)
    >>> hull.optimal_point(cost_fn=3, prevalence=0.5)[0]
    'late'
    """
    models = _models(y_true, scores, sample_weight, pos_label)
    owner = np.repeat(
        np.arange(len(models)), [segments.hull_vertices.size for segments in models.values()]
    )
    fpr = _at_vertices(models, "fpr")
    tpr = _at_vertices(models, "tpr")
    tnr = _at_vertices(models, "tnr")
    fnr = _at_vertices(models, "fnr")
    order = np.lexsort((owner, tpr, fpr))
    # a point that is not above all before it is below the hull, but for the last
    highest = np.maximum.accumulate(tpr[order])
    is_above = np.append(True, highest[1:] > highest[:-1])
    is_above[-1] |= fpr[order[is_above][-1]] < 1
    order = order[is_above]
    steps = _steps(tpr[order], fnr[order]), _steps(fpr[order], tnr[order])
    vertices = order[upper_hull(*steps)]
    names = tuple(models)
    model = [names[index] for index in owner[vertices]]
    # the end points are points of every model; take that of the neighbour
    model[0] = model[min(1, vertices.size - 2)]
    model[-1] = model[max(vertices.size - 2, 0)]
    threshold = _at_vertices(models, "thresholds")[vertices]
    threshold[-1] = models[model[-1]].score[-1]
    return ModelHull(
        fpr=fpr[vertices],
        tpr=tpr[vertices],
        tnr=tnr[vertices],
        fnr=fnr[vertices],
        threshold=threshold,
        model=tuple(model),
        models=models,
    )


def _at_vertices(models: Mapping[str, RankedSegments], name: str) -> Floats:
    """Join a quantity at the vertices of each model's own hull."""
    return np.concatenate(
        [getattr(segments, name)[segments.hull_vertices] for segments in models.values()]
    )


def _models(
    y_true: ArrayLike | Mapping[str, RankedSegments],
    scores: Any,
    sample_weight: Weights,
    pos_label: Any,
) -> dict[str, RankedSegments]:
    """Rank the samples by each model, or check rankings by name."""
    if isinstance(y_true, Mapping):
        if not y_true or not (scores is None and sample_weight is None and pos_label is None):
            raise ValueError(
                "y_true must be labels, or a mapping of at least one name to RankedSegments, "
                "which contain scores, sample_weight and pos_label already."
            )
        for name, segments in y_true.items():
            if not isinstance(segments, RankedSegments):
                raise ValueError(
                    f"y_true[{describe(name)}] must be RankedSegments; got "
                    f"{type(segments).__name__}."
                )
        return dict(zip(name_texts(y_true, "y_true"), y_true.values(), strict=True))
    if scores is None:
        raise ValueError("scores must be given when y_true holds labels.")
    samples, named = check_models(y_true, scores, sample_weight, pos_label)
    models = {}
    for name, score in named.items():
        models[name] = RankedSegments.from_scores(
            samples.positive, score, sample_weight=samples.weight
        )
    return models


def _steps(rate: Floats, rest: Floats) -> Floats:
    """Subtract neighbouring rates; ``rest`` is ``1 - rate``, which keeps digits near 1."""
    return np.where(rate[1:] <= 0.5, np.diff(rate), -np.diff(rest))
