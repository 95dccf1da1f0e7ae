"""A ranking for each group, with its prevalence and its share of the population."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    Floats,
    Weights,
    as_array,
    check_aligned,
    check_number,
    check_prevalence,
    check_same_length,
    check_samples,
    check_vector,
    describe,
    distinct_labels,
)
from rocviz.core.roc.segments import RankedSegments

Rankings = dict[Hashable, RankedSegments]


def rank_groups(
    y_true: ArrayLike | Mapping[Any, RankedSegments],
    y_score: ArrayLike | None,
    groups: ArrayLike | None,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> Rankings:
    """Rank the samples of each group, or check rankings by group.

    Groups are sorted; those of a mapping stay in its order.
    """
    if isinstance(y_true, Mapping):
        if not all(one is None for one in (y_score, groups, sample_weight, pos_label)):
            raise ValueError(
                "y_score, groups, sample_weight and pos_label go with labels; segments by group "
                "have all of them."
            )
        return check_rankings(y_true, "y_true")
    if y_score is None or groups is None:
        raise ValueError(
            "y_score and groups are needed with labels; alone, y_true must be a mapping of groups "
            f"to RankedSegments, not {describe(y_true)}."
        )
    check_aligned(y_true=y_true, y_score=y_score, groups=groups, sample_weight=sample_weight)
    score = check_vector(y_score, "y_score")
    positive, weight = check_samples(y_true, sample_weight, pos_label, y_score=score)
    names, code = group_codes(groups, positive.size)
    rankings: Rankings = {}
    for i, name in enumerate(names):
        at = np.flatnonzero(code == i)
        w = None if weight is None else weight[at]
        kinds = positive[at] if w is None else positive[at][w > 0]
        if kinds.all() or not kinds.any():
            kind = "samples of weight" if not kinds.size else "positive samples"
            kind = "negative samples" if kinds.size and kinds.all() else kind
            raise ValueError(f"Group {name!r} of groups has no {kind}; both classes are needed.")
        rankings[name] = RankedSegments.from_scores(positive[at], score[at], sample_weight=w)
    return rankings


def check_rankings(rankings: Mapping[Any, RankedSegments], name: str = "rankings") -> Rankings:
    """Check that there are segments of each group, and copy them in order."""
    if not isinstance(rankings, Mapping) or not rankings:
        raise ValueError(
            f"{name} must map at least one group to its RankedSegments; got {describe(rankings)}."
        )
    for group, one in rankings.items():
        if not isinstance(one, RankedSegments):
            raise ValueError(f"{name}[{group!r}] must be RankedSegments; got {type(one).__name__}.")
    return dict(rankings)


def group_codes(groups: ArrayLike, n_samples: int) -> tuple[list[Any], np.ndarray[Any, Any]]:
    """List the groups in order, and number the group of each sample."""
    labels = as_array(groups, "groups", "one-dimensional, one group per sample")
    if labels.ndim != 1:
        raise ValueError(f"groups must be one-dimensional; got shape {labels.shape}.")
    check_same_length(n_samples, groups=labels)
    names = distinct_labels(labels, "groups")
    number = {name: i for i, name in enumerate(names)}
    return names, np.fromiter(map(number.__getitem__, labels.tolist()), np.intp, labels.size)


@dataclass(frozen=True, eq=False)
class Side:
    """A group's hull, with the cost of its errors per person of the whole population."""

    name: Any
    segments: RankedSegments
    share: float
    prevalence: float
    miss: float  # cost per unit of fnr, times share and prevalence
    alarm: float  # cost per unit of fpr, times share and 1 - prevalence
    fpr: Floats
    tpr: Floats
    fnr: Floats
    threshold: Floats

    @property
    def cost(self) -> Floats:
        """Cost at each vertex of the hull."""
        return self.miss * self.fnr + self.alarm * self.fpr

    def height(self, fpr: ArrayLike) -> Floats:
        """Greatest true positive rate on the hull."""
        start = 1 if self.fpr[1] == self.fpr[0] else 0
        return np.asarray(
            np.interp(np.asarray(fpr, dtype=np.float64), self.fpr[start:], self.tpr[start:])
        )


def make_sides(
    rankings: Rankings,
    cost_fp: float,
    cost_fn: float,
    population: Mapping[Any, float] | None,
    prevalence: Mapping[Any, float] | None,
) -> list[Side]:
    """Weigh the errors of each group by its share of the population and its prevalence."""
    for argument, values in (("population", population), ("prevalence", prevalence)):
        if values is not None and not isinstance(values, Mapping):
            raise ValueError(
                f"{argument} must be a mapping of groups to numbers; got {describe(values)}."
            )
        unknown = [] if values is None else [name for name in values if name not in rankings]
        if unknown:
            raise ValueError(
                f"{argument} names the group {unknown[0]!r}, which is not in the data."
            )
    share = {name: one.n_samples for name, one in rankings.items()}
    if population is not None:
        missing = [name for name in rankings if name not in population]
        if missing:
            raise ValueError(f"population must give the share of group {missing[0]!r} too.")
        share = {
            name: check_number(population[name], f"population[{name!r}]", above=0.0)
            for name in rankings
        }
    total = sum(share.values())
    sides = []
    for name, one in rankings.items():
        pi = one.prevalence
        rest = one.n_neg / one.n_samples
        if prevalence is not None and name in prevalence:
            pi = check_prevalence(prevalence[name])
            rest = 1 - pi
        at = one.hull_vertices
        part = share[name] / total
        costs = part * pi * cost_fn, part * rest * cost_fp
        rates = one.fpr[at], one.tpr[at], one.fnr[at], one.thresholds[at]
        sides.append(Side(name, one, part, pi, *costs, *rates))
    return sides
