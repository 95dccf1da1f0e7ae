"""The convex hull of several ROC curves: which model to use where.

Knows ranked segments; nothing of labels or drawing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import trapezoid

from rocviz.core.base.costs import cheapest
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.naming import name_texts, prefix_error_with
from rocviz.core.base.validation import Floats, check_costs, check_fraction, check_prevalence
from rocviz.core.roc.confusion import ConfusionTable
from rocviz.core.roc.segments import RankedSegments

# Rates are known to so many units of their last digits.
_TIE = 4 * np.finfo(np.float64).eps


@dataclass(frozen=True, eq=False)
class ModelHull(Frozen):
    """Upper hull of the ROC curves of several models of the same task.

    Parameters
    ----------
    fpr, tpr : ndarray of float, shape (n_vertices,)
        From (0, 0) to (1, 1).
    threshold : ndarray of float, shape (n_vertices,)
        Threshold of the model that has the vertex; infinite at (0, 0).
    model : tuple of str, length n_vertices
        Whose curve has each vertex; of several, the first that was given. The two ends are cuts
        of every model, and belong to the model of the vertex beside them.
    models : dict of str to RankedSegments
        What the hull is over.
    """

    fpr: Floats
    tpr: Floats
    threshold: Floats
    model: tuple[str, ...]
    models: dict[str, RankedSegments]

    @cached_property
    def _cuts(self) -> NDArray[np.intp]:
        """Which cut of its model each vertex is."""
        cut = np.empty(self.fpr.size, dtype=np.intp)
        owner = np.array(self.model)
        for name, one in self.models.items():
            here = owner == name
            cut[here] = np.searchsorted(-one.thresholds, -self.threshold[here])
        return cut

    @cached_property
    def _missed(self) -> Floats:
        """Miss rate at each vertex, where ``1 - tpr`` rounds."""
        pairs = zip(self.model, self._cuts, strict=True)
        return np.array([self.models[name].fnr[cut] for name, cut in pairs])

    @cached_property
    def _edges(self) -> tuple[Floats, Floats]:
        """How far each edge goes on and up, where differences of rates round."""
        steps: list[tuple[float, ...]] = []
        for k, (i, j) in enumerate(pairwise(self._cuts)):
            one, other = (self.models[name] for name in self.model[k : k + 2])
            if one is other:
                on, up = float(one.neg[i:j].sum()), float(one.pos[i:j].sum())
                steps.append((on / one.n_neg, up / one.n_pos))
            else:
                sides = (one.neg, other.neg), (one.pos, other.pos)
                rises = (_share(after, j) - _share(before, i) for before, after in sides)
                steps.append(tuple(float(max(rise, Fraction(0))) for rise in rises))
        on, up = np.array(steps).T
        return on, up

    @property
    def auc(self) -> float:
        """Area under the hull; no model's own hull has a greater one."""
        return float(trapezoid(self.tpr, self.fpr))

    @property
    def slope(self) -> Floats:
        """Slope of each edge, shape (n_vertices - 1,), decreasing; infinite where upright."""
        on, up = self._edges
        slope = np.full(on.size, np.inf)
        with np.errstate(over="ignore"):
            np.divide(up, on, out=slope, where=on > 0)
        return slope

    def segments(self, prevalence: float = 0.5) -> RankedSegments:
        """Return the hull as a ranking of its own, to be drawn as any other.

        Parameters
        ----------
        prevalence : float, default=0.5
            Share of positives in its weight of 1, strictly between 0 and 1.

        Returns
        -------
        RankedSegments
            One segment for each edge; its scores say the order only.

        Raises
        ------
        ValueError
            If ``prevalence`` is not between 0 and 1.

        Examples
        --------
        >>> one = RankedSegments(score=[3, 2, 1], pos=[5, 2, 3], neg=[0, 6, 4])
        >>> hull_over_models({"one": one}).segments().hull().auc == one.hull().auc
        True
        """
        pi = check_fraction(prevalence, "prevalence")
        on, up = self._edges
        with prefix_error_with("prevalence"):
            return RankedSegments(-np.arange(1.0, self.fpr.size), pi * up, (1 - pi) * on)

    def best_cut(
        self, cost_fp: float = 1.0, cost_fn: float = 1.0, *, prevalence: float
    ) -> tuple[str, ConfusionTable]:
        """Return the model to use at given costs and prevalence, and its best cut.

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
            If an argument is not as said above.
        """
        pi = check_prevalence(prevalence, ends=True)
        cost_fp, cost_fn = check_costs(cost_fp, cost_fn)
        best = cheapest(self.fpr, self._missed, cost_fp * (1 - pi), cost_fn * pi)
        name = self.model[best]
        return name, self.models[name].at_threshold(float(self.threshold[best]))

    def to_frame(self) -> DataFrame:
        """Return where each model is the one to use, one row per stretch of the hull.

        Returns
        -------
        pandas.DataFrame
            Columns ``model, fpr_from, fpr_to, slope_from, slope_to``: between two slopes of the
            costs' isometric ``(1 - π) cost_fp / (π cost_fn)`` a vertex of this model is best.
        """
        slope = np.concatenate(([np.inf], self.slope, [0.0]))
        edges = [0]
        edges += [i for i in range(1, len(self.model)) if self.model[i] != self.model[i - 1]]
        last = [*edges[1:], len(self.model)]
        return to_frame(
            {
                "model": [self.model[i] for i in edges],
                "fpr_from": [self.fpr[i] for i in edges],
                "fpr_to": [self.fpr[i - 1] for i in last],
                "slope_from": [slope[i] for i in edges],
                "slope_to": [slope[i] for i in last],
            }
        )


def hull_over_models(models: Mapping[str, RankedSegments]) -> ModelHull:
    """Return the convex hull over the ROC curves of several models.

    Parameters
    ----------
    models : mapping of str to RankedSegments
        Of the same samples, or of samples of the same task.

    Raises
    ------
    ValueError
        If there is no model, or something else than segments.

    References
    ----------
    Provost and Fawcett (2001).

    Examples
    --------
    >>> early = RankedSegments(score=[2, 1], pos=[5, 5], neg=[0, 10])
    >>> late = RankedSegments(score=[2, 1], pos=[10, 0], neg=[5, 5])
    >>> hull = hull_over_models({"early": early, "late": late})
    >>> hull.model, hull.auc
    (('early', 'early', 'late', 'late'), 0.875)
    >>> hull.best_cut(cost_fn=3, prevalence=0.5)[0]
    'late'
    """
    if not isinstance(models, Mapping) or not models:
        raise ValueError("models must be a mapping of names to RankedSegments; at least one.")
    for name, one in models.items():
        if not isinstance(one, RankedSegments):
            raise ValueError(f"models[{name!r}] must be RankedSegments; got {type(one).__name__}.")
    named = dict(zip(name_texts(models, "models"), models.values(), strict=True))
    parts = [(i, one, one.hull_vertices) for i, one in enumerate(named.values())]
    owner = np.concatenate([np.full(at.size, i) for i, _, at in parts])
    fpr = np.concatenate([one.fpr[at] for _, one, at in parts])
    tpr = np.concatenate([one.tpr[at] for _, one, at in parts])
    tnr = np.concatenate([one.tnr[at] for _, one, at in parts])
    fnr = np.concatenate([one.fnr[at] for _, one, at in parts])
    threshold = np.concatenate([one.thresholds[at] for _, one, at in parts])
    kept: list[int] = []
    for k in np.lexsort((owner, tpr, fpr)).tolist():
        if kept and (fpr[k], tpr[k]) == (fpr[kept[-1]], tpr[kept[-1]]):
            continue
        while len(kept) > 1 and not _falls((fpr, tnr), (tpr, fnr), kept[-2], kept[-1], k):
            kept.pop()
        kept.append(k)
    names = tuple(named)
    model = [names[owner[k]] for k in kept]
    cut = threshold[kept]
    # nothing and everything called positive are cuts of every model: of the neighbour's here
    model[0], model[-1] = model[min(1, len(kept) - 2)], model[max(len(kept) - 2, 0)]
    cut[-1] = named[model[-1]].score[-1]
    return ModelHull(fpr[kept], tpr[kept], cut, tuple(model), named)


def _share(side: Floats, cut: int) -> Fraction:
    """Return which share of a class is above a cut, however little is on either side of it."""
    above, below = (Fraction(float(part.sum())) for part in (side[:cut], side[cut:]))
    return above / (above + below)


def _falls(on: tuple[Floats, Floats], up: tuple[Floats, Floats], a: int, b: int, c: int) -> bool:
    """Return whether the slope falls at the second of three points, by more than by rounding.

    Each coordinate is given with what it lacks of 1, of which differences near 1 are taken.
    """
    (x, of_x), (further, of_further) = _step(*on, a, b), _step(*on, b, c)
    (y, of_y), (higher, of_higher) = _step(*up, a, b), _step(*up, b, c)
    noise = x * of_higher + higher * of_x + further * of_y + y * of_further
    return bool(x * higher - further * y < -_TIE * noise)


def _step(rate: Floats, rest: Floats, start: int, end: int) -> tuple[float, float]:
    """Return by how much a rate rises, and the size of what it is the difference of."""
    if rate[end] <= 0.5:
        return float(rate[end] - rate[start]), float(rate[end])
    return float(rest[start] - rest[end]), float(rest[start])
