"""A ranking for each group, with its prevalence and its share of the population."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.classes import positive_column
from rocviz.core.base.samples import Samples
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    check_aligned,
    check_clusters,
    check_number,
    check_prevalence,
    check_samples,
    check_vector,
    describe,
    number_categories,
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

    Groups are sorted; ordered categories and those of a mapping stay in their order.
    """
    return rank_clustered_groups(y_true, y_score, groups, None, sample_weight, pos_label)[0]


def rank_clustered_groups(
    y_true: ArrayLike | Mapping[Any, RankedSegments],
    y_score: ArrayLike | None,
    groups: ArrayLike | None,
    clusters: ArrayLike | None,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> tuple[Rankings, dict[Any, Samples] | None]:
    """Rank the samples of each group as :func:`rank_groups` does.

    Where they come in clusters, give the samples of each group too, with clusters numbered over all
    groups.
    """
    if isinstance(y_true, Mapping):
        if any(value is not None for value in (y_score, groups, sample_weight, pos_label)):
            raise ValueError(
                "y_score, groups, sample_weight and pos_label go with labels; segments by group "
                "have all of them."
            )
        if clusters is not None:
            raise ValueError("clusters can only be given with labels; segments know no samples.")
        return check_rankings(y_true, "y_true"), None
    if y_score is None or groups is None:
        raise ValueError(
            "y_score and groups are needed with labels; alone, y_true must be a mapping of groups "
            f"to RankedSegments, not {describe(y_true)}."
        )
    check_aligned(
        y_true=y_true,
        y_score=y_score,
        groups=groups,
        sample_weight=sample_weight,
        clusters=clusters,
    )
    score = check_vector(positive_column(y_score, y_true, pos_label, "y_score"), "y_score")
    positive, weight = check_samples(y_true, sample_weight, pos_label, y_score=score)
    unit = check_clusters(clusters, positive.size)
    names, code = number_categories(groups, positive.size, "groups")
    rankings: Rankings = {}
    samples: dict[Any, Samples] = {}
    for i, name in enumerate(names):
        members = np.flatnonzero(code == i)
        member_weight = None if weight is None else weight[members]
        _check_both_classes(positive[members], member_weight, name)
        rankings[name] = RankedSegments.from_scores(
            positive[members], score[members], sample_weight=member_weight
        )
        if unit is not None:
            rows = members if member_weight is None else members[member_weight > 0]
            weights = None if weight is None else weight[rows]
            samples[name] = Samples(positive[rows], (score[rows],), weights, unit[rows])
    return rankings, samples if samples else None


def _check_both_classes(positive: Bools, weight: Floats | None, name: Any) -> None:
    """Raise if a group has no weight in a class."""
    if weight is not None:
        positive = positive[weight > 0]
    if not positive.size:
        missing = "samples of weight"
    elif not positive.any():
        missing = "positive samples"
    elif positive.all():
        missing = "negative samples"
    else:
        return
    raise ValueError(f"Group {describe(name)} of groups has no {missing}; both classes are needed.")


def check_rankings(rankings: Mapping[Any, RankedSegments], name: str = "rankings") -> Rankings:
    """Check that there are segments of each group, and copy them in order."""
    if not isinstance(rankings, Mapping) or not rankings:
        raise ValueError(
            f"{name} must map at least one group to its RankedSegments; got {describe(rankings)}."
        )
    for group, segments in rankings.items():
        if not isinstance(segments, RankedSegments):
            raise ValueError(
                f"{name}[{describe(group)}] must be RankedSegments; got {type(segments).__name__}."
            )
    return dict(rankings)


@dataclass(frozen=True, eq=False)
class GroupHull:
    """A group's hull, with the cost of its errors per person of the whole population."""

    name: Any
    segments: RankedSegments
    share: float
    prevalence: float
    miss_cost: float  # cost per unit of fnr, times share and prevalence
    false_alarm_cost: float  # cost per unit of fpr, times share and 1 - prevalence
    fpr: Floats
    tpr: Floats
    fnr: Floats
    threshold: Floats

    @property
    def cost(self) -> Floats:
        """Cost at each vertex of the hull."""
        return self.miss_cost * self.fnr + self.false_alarm_cost * self.fpr

    def height(self, fpr: ArrayLike) -> Floats:
        """Greatest true positive rate on the hull."""
        start = 1 if self.fpr[1] == self.fpr[0] else 0
        return np.asarray(
            np.interp(np.asarray(fpr, dtype=np.float64), self.fpr[start:], self.tpr[start:])
        )


def weighted_hulls(
    rankings: Rankings,
    cost_fp: float,
    cost_fn: float,
    population: Mapping[Any, float] | None,
    prevalence: Mapping[Any, float] | None,
) -> list[GroupHull]:
    """Weigh the errors of each group by its share of the population and its prevalence."""
    for argument, values in (("population", population), ("prevalence", prevalence)):
        if values is not None and not isinstance(values, Mapping):
            raise ValueError(
                f"{argument} must be a mapping of groups to numbers; got {describe(values)}."
            )
        unknown = [] if values is None else [name for name in values if name not in rankings]
        if unknown:
            raise ValueError(
                f"{argument} names the group {describe(unknown[0])}, which is not in the data."
            )
    sizes = {}
    for name, segments in rankings.items():
        if population is None:
            sizes[name] = segments.n_samples
        elif name in population:
            sizes[name] = check_number(population[name], f"population[{describe(name)}]", above=0.0)
        else:
            raise ValueError(f"population must give the share of group {describe(name)} too.")
    total = sum(sizes.values())
    hulls = []
    for name, segments in rankings.items():
        share = sizes[name] / total
        pos_share = segments.prevalence
        neg_share = segments.n_neg / segments.n_samples
        if prevalence is not None and name in prevalence:
            pos_share = check_prevalence(prevalence[name])
            neg_share = 1 - pos_share
        vertices = segments.hull_vertices
        hulls.append(
            GroupHull(
                name=name,
                segments=segments,
                share=share,
                prevalence=pos_share,
                miss_cost=share * pos_share * cost_fn,
                false_alarm_cost=share * neg_share * cost_fp,
                fpr=segments.fpr[vertices],
                tpr=segments.tpr[vertices],
                fnr=segments.fnr[vertices],
                threshold=segments.thresholds[vertices],
            )
        )
    return hulls
