"""Summary of a score by group, and differences between groups with standard errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from rocviz.core.base.effort import MAX_SECONDS_OF_CATEGORIES, check_effort
from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.samples import Samples
from rocviz.core.base.validation import (
    Floats,
    Weights,
    check_fraction,
    check_number,
    describe,
    is_same,
    list_labels,
)
from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.comparison.auc_covariance import holm
from rocviz.core.groups.policy import GroupPolicy, GroupRule
from rocviz.core.groups.ranking import rank_clustered_groups
from rocviz.core.roc.auc_differences import AUCSide, compare_aucs
from rocviz.core.roc.auc_intervals import AUCSpread, auc_interval, clustered_spread
from rocviz.core.roc.auc_variance import delong_variance, delong_variances, pair_shares
from rocviz.core.roc.clustered_rates import cells_of_samples, clustered_trials
from rocviz.core.roc.metrics import METRICS, ConfusionTable, binomial_interval, table_of_sums
from rocviz.core.roc.placements import satterthwaite_degrees
from rocviz.core.roc.segments import RankedSegments, probability_segments

# of all rates of two groups, and of the AUC of one's positives and the other's negatives
_SECONDS_PER_COMPARISON = 6e-3
_SECONDS_PER_PAIR = 2e-4
_SECONDS_PER_SEGMENT = 3e-7

MIN_SAMPLES_PER_CLASS = 10  # for which a group is tested

#: Rates of a group: the metrics that groups are compared by.
RATES = tuple(name for name, row in METRICS.items() if row.in_groups)


@dataclass(frozen=True, eq=False)
class ClusteredGroup(Frozen):
    """What clusters of samples tell of a group.

    Parameters
    ----------
    spread : AUCSpread
        The AUC with its variance.
    trials : dict of str to float
        How many independent samples would say as much of each rate.
    units : ndarray of int, shape (n_clusters,)
        Numbers of the clusters, over all groups.
    """

    spread: AUCSpread
    trials: dict[str, float]
    units: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class GroupSummary(Frozen):
    """A score by group, at a threshold or a policy.

    Parameters
    ----------
    rankings : dict of label to RankedSegments
    tables : dict of label to ConfusionTable
        Counts at the threshold; expected ones where a policy draws.
    confidence : float
        Confidence level of all intervals.
    clusters : dict of label to ClusteredGroup, optional
        What clusters of samples tell of each group, where samples come in clusters.
    """

    rankings: dict[Any, RankedSegments]
    tables: dict[Any, ConfusionTable]
    confidence: float
    clusters: dict[Any, ClusteredGroup] | None = None

    def to_frame(self) -> DataFrame:
        """Tabulate one row per group.

        Returns
        -------
        pandas.DataFrame
            Columns ``group, n_pos, n_neg, prevalence, tested``; ``auc, auc_lower, auc_upper,
            hull_auc``; for scores in [0, 1] ``brier, miscalibration, discrimination, uncertainty``
            and ``calibration_error``, the root of the miscalibration; and each rate of
            :data:`RATES` with ``_lower`` and ``_upper`` (Wilson). A group
            is not ``tested`` with fewer than ten samples of a class, or clusters that hold it.
        """
        rows = []
        for name, segments in self.rankings.items():
            if self.clusters is None:
                auc = auc_interval(segments, confidence=self.confidence)
            else:
                auc = self.clusters[name].spread.interval(self.confidence)
            row = {
                "group": name,
                "n_pos": segments.n_pos,
                "n_neg": segments.n_neg,
                "prevalence": segments.prevalence,
                "tested": self._is_tested(name),
                "auc": auc.auc,
                "auc_lower": auc.lower,
                "auc_upper": auc.upper,
                "hull_auc": segments.hull().auc,
            }
            probabilistic = probability_segments(segments)
            if probabilistic is not None:
                brier = brier_decomposition(probabilistic)
                for term in ("brier", "miscalibration", "discrimination", "uncertainty"):
                    row[term] = getattr(brier, term)
                row["calibration_error"] = sqrt(brier.miscalibration)
            table = self.tables[name]
            for rate in RATES:
                lower, upper = self.interval(name, rate)
                row[rate] = getattr(table, rate)
                row[f"{rate}_lower"] = lower
                row[f"{rate}_upper"] = upper
            rows.append(row)
        return to_frame(rows)

    def differences(self) -> DataFrame:
        """Compare every pair of groups.

        Returns
        -------
        pandas.DataFrame
            A row for each pair and quantity: ``group_a, group_b, quantity, a, b, difference, lower,
            upper, ratio, p_value, p_holm, tested``. AUCs of independent samples, by the method of
            :func:`rocviz.core.roc.auc_test` without correlation: in simulations of 10 + 10 to 100 +
            100 samples, and of 10 + 190 against 50 + 950, with AUCs from .8 to .99, 95 % intervals
            hold the true difference in 95 to 100 % of the data sets. Rates: Newcombe's hybrid score
            interval, and the test of equal proportions; in simulations of two groups of 50 to
            1,000, with prevalences of .5 and .05, they hold in about 95 %. ``p_holm`` is Holm's
            correction over all pairs of the same quantity. Pairs with a group that is not tested
            have no p-values. A ratio of predicted positive rates below 0.8 breaks the rule of four
            fifths.

            With clusters, the intervals of each group allow for them: rates are those of as many
            independent samples as would say as much, and the AUC has one degree of freedom less
            than there are clusters with the class that fewer of them hold. Such rates of 50 to
            1,000 patients of four rows covered 86 to 100 % in simulations.

        Raises
        ------
        ValueError
            If a cluster has samples of several groups, which are not independent then, or there are
            so many groups that all pairs would take too long.

        References
        ----------
        Newcombe (1998), method 10. Zou and Donner (2008). Satterthwaite (1946). Holm (1979).
        Obuchowski (1997), Rao and Scott (1992) (clusters).
        """
        self._check_independence()
        rows = []
        n_groups = len(self.rankings)
        check_effort(
            seconds=_SECONDS_PER_COMPARISON * n_groups**2 / 2,
            max_seconds=MAX_SECONDS_OF_CATEGORIES,
            advice="join them into fewer groups",
            rankings=f"{n_groups} groups",
        )
        for a, b in combinations(self.rankings, 2):
            tested = self._is_tested(a) and self._is_tested(b)
            compared = {"auc": self._auc_difference(a, b)}
            for rate in RATES:
                compared[rate] = self._rate_difference(rate, a, b)
            for quantity, difference in compared.items():
                rows.append(
                    {
                        "group_a": a,
                        "group_b": b,
                        "quantity": quantity,
                        "a": difference.a,
                        "b": difference.b,
                        "difference": difference.a - difference.b,
                        "lower": difference.lower,
                        "upper": difference.upper,
                        "ratio": difference.a / difference.b if difference.b else np.nan,
                        "p_value": difference.p_value if tested else np.nan,
                        "p_holm": np.nan,
                        "tested": tested,
                    }
                )
        frame = to_frame(rows)
        if rows:
            for _, part in frame.groupby("quantity"):
                known = part.index[part["p_value"].notna()]
                if known.size:
                    frame.loc[known, "p_holm"] = holm(part.loc[known, "p_value"])
        return frame

    def _auc_difference(self, a: Any, b: Any) -> _Difference:
        """Compare the AUCs of two groups, which are independent."""
        side_a, variances_a, sizes_a = self._auc_side(a)
        side_b, variances_b, sizes_b = self._auc_side(b)
        variances = np.concatenate((variances_a, variances_b))
        compared = compare_aucs(
            side_a,
            side_b,
            side_a.auc - side_b.auc,
            np.sqrt(np.nan_to_num(variances).sum(axis=0)),
            satterthwaite_degrees(np.nan_to_num(variances), np.concatenate((sizes_a, sizes_b))),
            np.zeros(1),
            np.zeros(1, dtype=np.bool_),
            self.confidence,
        )
        return _Difference(
            float(side_a.auc[0]),
            float(side_b.auc[0]),
            float(compared.lower[0]),
            float(compared.upper[0]),
            float(compared.p_value[0]),
        )

    def _rate_difference(self, rate: str, a: Any, b: Any) -> _Difference:
        """Compare a rate of two groups."""
        x, n = self.tables[a].proportion(rate)
        y, m = self.tables[b].proportion(rate)
        rate_a = x / n if n else np.nan
        rate_b = y / m if m else np.nan
        if not (n and m):
            return _Difference(rate_a, rate_b, np.nan, np.nan, np.nan)
        lower_a, upper_a = self.interval(a, rate)
        lower_b, upper_b = self.interval(b, rate)
        difference = rate_a - rate_b
        if self.clusters is not None:
            n = self.clusters[a].trials[rate]
            m = self.clusters[b].trials[rate]
            x, y = rate_a * n, rate_b * m
        pooled = (x + y) / (n + m)
        error = sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
        return _Difference(
            rate_a,
            rate_b,
            difference - sqrt((rate_a - lower_a) ** 2 + (upper_b - rate_b) ** 2),
            difference + sqrt((upper_a - rate_a) ** 2 + (rate_b - lower_b) ** 2),
            two_sided_p_value(difference, error),
        )

    def interval(self, group: Any, rate: str) -> tuple[float, float]:
        """Compute Wilson's interval of a rate of a group.

        Parameters
        ----------
        group : label
        rate : str
            One of :data:`RATES`.

        Returns
        -------
        lower, upper : float

        Raises
        ------
        ValueError
            If there is no such group or rate.

        Examples
        --------
        >>> a = RankedSegments(score=[0.8, 0.5, 0.2], pos=[60, 30, 10], neg=[10, 20, 70])
        >>> low, high = group_summary({"a": a}).interval("a", "tpr")
        >>> print(f"{low:.2f} to {high:.2f}")
        0.83 to 0.94
        """
        if not (isinstance(rate, str) and rate in RATES):
            raise ValueError(f"rate must be one of {', '.join(RATES)}; got {describe(rate)}.")
        if not any(is_same(group, name) for name in self.tables):
            raise ValueError(
                f"group must be one of {list_labels(self.tables)}; got {describe(group)}."
            )
        table = self.tables[group]
        if self.clusters is None:
            return table.interval(rate, confidence=self.confidence)
        x, n = table.proportion(rate)
        trials = self.clusters[group].trials[rate]
        share = x / n if n else 0.0
        lower, upper = binomial_interval(share * trials, trials, confidence=self.confidence)
        return float(lower), float(upper)

    def _is_tested(self, name: Any) -> bool:
        """Test whether a group has enough samples of both classes for a test."""
        segments = self.rankings[name]
        smaller = min(segments.n_pos, segments.n_neg)
        if self.clusters is not None:
            smaller = self.clusters[name].spread.n_clusters or 0
        return smaller >= MIN_SAMPLES_PER_CLASS

    def _check_independence(self) -> None:
        """Raise if a cluster has samples of several groups."""
        if self.clusters is None:
            return
        seen = np.concatenate([group.units for group in self.clusters.values()])
        n_shared = seen.size - np.unique(seen).size
        if n_shared:
            raise ValueError(
                "clusters must not have samples of several groups, which are not independent "
                "then: there is no interval of their differences."
            )

    def _auc_side(self, name: Any) -> tuple[AUCSide, Floats, Floats]:
        """Compute the AUC of a group, with variances and the sizes that they have behind them."""
        if self.clusters is None:
            return _auc_side(self.rankings[name])
        spread = self.clusters[name].spread
        variances = np.array([[spread.variance]])
        sizes = np.array([[float(spread.n_clusters or 0)]])
        side = AUCSide(
            np.array([spread.auc]),
            np.array([spread.wrong]),
            variances[0],
            np.array([max(spread.degrees, 1.0)]),
            sizes[0],
        )
        return side, variances, sizes


def _auc_side(segments: RankedSegments) -> tuple[AUCSide, Floats, Floats]:
    """Compute the AUC of a group, with the variances of both classes' placements and their sizes.

    Variances are NaN where a class has a single sample.
    """
    auc, wrong = pair_shares(segments.pos, segments.neg)
    variances = np.array(delong_variances(segments.pos, segments.neg))[:, None]
    sizes = np.array((segments.n_pos, segments.n_neg))[:, None]
    side = AUCSide(
        np.array([auc]),
        np.array([wrong]),
        variances.sum(axis=0),
        satterthwaite_degrees(np.nan_to_num(variances), sizes),
        sizes.min(axis=0),
    )
    return side, variances, sizes


class _Difference(NamedTuple):
    """Values of two groups, with the interval of their difference and its p-value."""

    a: float
    b: float
    lower: float
    upper: float
    p_value: float


def two_sided_p_value(difference: float, error: float) -> float:
    """Compute the p-value of a normal difference, 1 for one without an error."""
    return 1.0 if error <= 0 else 2 * float(ndtr(-abs(difference) / error))


def group_summary(
    y_true: ArrayLike | Mapping[Any, RankedSegments],
    y_score: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    threshold: float | Mapping[Any, float] | GroupPolicy = 0.5,
    confidence: float = 0.95,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
) -> GroupSummary:
    """Summarise a score by group: ranking, calibration, and rates with intervals.

    Parameters
    ----------
    y_true, y_score, groups, sample_weight, pos_label
        As for :func:`cost_optimal_policy`. Weights are repetitions; a class of a group must weigh
        at least 1.
    threshold : float, mapping of label to float, or GroupPolicy, default=0.5
        All who score at least this are predicted positive: one for all groups, one for each, or a
        policy with its draws.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) vary together: all intervals are of clusters.
        Only with labels. Differences between groups need clusters within groups.

    Raises
    ------
    ValueError
        If an argument is invalid, or a threshold of a group is missing.

    References
    ----------
    Kallus and Zhou (2019). Newcombe (1998). Holm (1979). Obuchowski (1997), Rao and Scott (1992)
    (clusters).

    Examples
    --------
    >>> a = RankedSegments(score=[0.8, 0.5, 0.2], pos=[60, 30, 10], neg=[10, 20, 70])
    >>> b = RankedSegments(score=[0.8, 0.5, 0.2], pos=[30, 10, 10], neg=[10, 40, 100])
    >>> summary = group_summary({"a": a, "b": b}, threshold=0.5)
    >>> summary.to_frame()[["group", "tpr", "fpr"]].round(3).values.tolist()
    [['a', 0.9, 0.3], ['b', 0.8, 0.333]]
    >>> table = summary.differences().set_index("quantity")
    >>> table.loc["tpr", ["difference", "lower", "upper"]].astype(float).round(3).tolist()
    [0.1, -0.015, 0.238]
    """
    rankings, samples = rank_clustered_groups(
        y_true, y_score, groups, clusters, sample_weight, pos_label
    )
    level = check_fraction(confidence, "confidence")
    return summary_of(rankings, samples, threshold, level)


def summary_of(
    rankings: Mapping[Any, RankedSegments],
    samples: Mapping[Any, Samples] | None,
    threshold: float | Mapping[Any, float] | GroupPolicy,
    confidence: float = 0.95,
) -> GroupSummary:
    """Summarise rankings as :func:`group_summary` does; ``samples`` come in clusters."""
    rules = _rules(threshold, rankings)
    tables = {}
    for name, segments in rankings.items():
        positive = rules[name].probability(segments.score)
        negative = 1 - positive
        tables[name] = table_of_sums(
            float(positive @ segments.pos),
            float(positive @ segments.neg),
            float(negative @ segments.pos),
            float(negative @ segments.neg),
        )
    clustered = None
    if samples is not None:
        clustered = {name: _clustered(samples[name], rules[name]) for name in rankings}
    return GroupSummary(dict(rankings), tables, confidence, clustered)


def _clustered(samples: Samples, rule: GroupRule) -> ClusteredGroup:
    """Compute what clusters tell of a group whose samples are predicted positive by a rule."""
    unit = cast("NDArray[np.intp]", samples.unit)
    units, number = np.unique(unit, return_inverse=True)
    cells = cells_of_samples(samples, rule.probability(samples.scores[0]))
    trials = {rate: clustered_trials(cells, number, rate) for rate in RATES}
    spread = clustered_spread(samples.positive, samples.scores[0], samples.w, number)
    return ClusteredGroup(spread, trials, units)


def _rules(threshold: Any, rankings: Mapping[Any, RankedSegments]) -> dict[Any, GroupRule]:
    """Make the rule of each group from a policy, thresholds or one threshold."""
    if isinstance(threshold, GroupPolicy):
        by_group: Mapping[Any, Any] = threshold.rules
    elif isinstance(threshold, Mapping):
        by_group = threshold
    else:
        by_group = dict.fromkeys(rankings, check_number(threshold, "threshold", finite=False))
    rules = {}
    for name in rankings:
        if name not in by_group:
            raise ValueError(f"threshold must have a threshold for group {describe(name)} too.")
        rule = by_group[name]
        if not isinstance(rule, GroupRule):
            number = check_number(rule, f"threshold[{describe(name)}]", finite=False)
            rule = GroupRule(number, number)
        rules[name] = rule
    return rules


@dataclass(frozen=True, eq=False)
class CrossAUC(Frozen):
    """Probabilities that a positive of one group scores above a negative of another.

    Parameters
    ----------
    groups : tuple of label
    auc, standard_error : ndarray of float, shape (n_groups, n_groups)
        Rows are the groups of the positives, columns those of the negatives; ties count one half.
        On the diagonal are the groups' own AUCs. The error is NaN where data do not show how much
        others would differ: of a single positive or negative, or one cluster with any, or of a
        perfect ranking.
    """

    groups: tuple[Any, ...]
    auc: Floats
    standard_error: Floats

    def to_frame(self) -> DataFrame:
        """Tabulate the AUCs: a row for each group of positives, a column for each of negatives."""
        columns = {name: self.auc[:, i] for i, name in enumerate(self.groups)}
        frame = to_frame(columns)
        frame.index = list(self.groups)
        return frame


def cross_auc(
    y_true: ArrayLike | Mapping[Any, RankedSegments],
    y_score: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
) -> CrossAUC:
    """Compute the AUC of the positives of each group against the negatives of each.

    A score may rank well within groups and still put the negatives of one above the positives of
    another.

    Parameters
    ----------
    y_true, y_score, groups, sample_weight, pos_label
        As for :func:`cost_optimal_policy`. Weights are repetitions.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) vary together: the errors are Obuchowski's. Only
        with labels.

    Raises
    ------
    ValueError
        If an argument is invalid, or all pairs of so many groups would take too long.

    References
    ----------
    Kallus and Zhou (2019), section 3. Borkan et al. (2019). DeLong, DeLong and Clarke-Pearson
    (1988). Obuchowski (1997) (clusters).

    Examples
    --------
    >>> y, score = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.5, 0.3, 0.2]
    >>> cross_auc(y, score, list("aaabbb")).to_frame()
         a    b
    a  1.0  1.0
    b  0.0  1.0
    """
    rankings, samples = rank_clustered_groups(
        y_true, y_score, groups, clusters, sample_weight, pos_label
    )
    names = tuple(rankings)
    n_groups = len(names)
    n_segments = sum(segments.score.size for segments in rankings.values())
    check_effort(
        seconds=_SECONDS_PER_PAIR * n_groups**2 + 2 * _SECONDS_PER_SEGMENT * n_groups * n_segments,
        numbers=2 * n_groups**2,
        max_seconds=MAX_SECONDS_OF_CATEGORIES,
        advice="join them into fewer groups",
        groups=f"{n_groups} values",
    )
    auc = np.empty((n_groups, n_groups))
    error = np.empty_like(auc)
    for i, a in enumerate(names):
        for j, b in enumerate(names):
            pos, neg = _merged(rankings[a], rankings[b])
            auc[i, j] = pair_shares(pos, neg)[0]
            if samples is None:
                variance = delong_variance(pos, neg)
            else:
                variance = _clustered_variance(samples[a], samples[b])
            error[i, j] = sqrt(variance) if variance > 0 else np.nan
    return CrossAUC(names, auc, error)


def _clustered_variance(a: Samples, b: Samples) -> float:
    """Compute Obuchowski's variance of the AUC of one group's positives against others' negatives.

    NaN if fewer than two clusters hold either.
    """
    pos, neg = a.positive, ~b.positive
    unit = np.concatenate(
        (cast("NDArray[np.intp]", a.unit)[pos], cast("NDArray[np.intp]", b.unit)[neg])
    )
    spread = clustered_spread(
        np.arange(unit.size) < np.count_nonzero(pos),
        np.concatenate((a.scores[0][pos], b.scores[0][neg])),
        np.concatenate((a.w[pos], b.w[neg])),
        np.unique(unit, return_inverse=True)[1],
    )
    return spread.variance


def _merged(a: RankedSegments, b: RankedSegments) -> tuple[Floats, Floats]:
    """Rank the positives of one group with the negatives of another."""
    score = np.union1d(a.score, b.score)
    pos = np.zeros(score.size)
    neg = np.zeros(score.size)
    pos[np.searchsorted(score, a.score)] = a.pos
    neg[np.searchsorted(score, b.score)] = b.neg
    return pos[::-1], neg[::-1]
