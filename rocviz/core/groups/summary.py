"""Summary of a score by group, and differences between groups with standard errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.validation import Floats, Weights, check_fraction, check_number
from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.comparison.auc_covariance import holm
from rocviz.core.groups.policy import GroupPolicy, GroupRule
from rocviz.core.groups.ranking import Rankings, rank_groups
from rocviz.core.roc.auc_intervals import auc_interval
from rocviz.core.roc.auc_variance import delong_variance, pair_shares
from rocviz.core.roc.metrics import ConfusionTable, table_of_sums
from rocviz.core.roc.segments import RankedSegments

FEWEST = 10  # least samples of each class for which a group is tested

#: Rates of a group, as in :data:`rocviz.core.roc.metrics.METRICS`.
RATES = ("tpr", "fpr", "precision", "predicted_positive_rate")


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
    """

    rankings: dict[Any, RankedSegments]
    tables: dict[Any, ConfusionTable]
    confidence: float

    def to_frame(self) -> DataFrame:
        """Tabulate one row per group.

        Returns
        -------
        pandas.DataFrame
            Columns ``group, n_pos, n_neg, prevalence, tested``; ``auc, auc_lower, auc_upper,
            hull_auc``; for scores in [0, 1] ``brier, miscalibration, discrimination, uncertainty``
            and ``calibration_error``, the root of the miscalibration; and each rate (``tpr, fpr,
            precision, predicted_positive_rate``) with ``_lower`` and ``_upper`` (Wilson). A group
            is not ``tested`` with fewer than ten samples of a class.
        """
        rows = []
        for name, one in self.rankings.items():
            auc = auc_interval(one, confidence=self.confidence)
            row = {
                "group": name,
                "n_pos": one.n_pos,
                "n_neg": one.n_neg,
                "prevalence": one.prevalence,
                "tested": _is_tested(one),
                "auc": auc.auc,
                "auc_lower": auc.lower,
                "auc_upper": auc.upper,
                "hull_auc": one.hull().auc,
            }
            if one.score[0] <= 1 and one.score[-1] >= 0:
                brier = brier_decomposition(one)
                terms = ("brier", "miscalibration", "discrimination", "uncertainty")
                row |= {term: getattr(brier, term) for term in terms}
                row["calibration_error"] = sqrt(brier.miscalibration)
            for rate in RATES:
                lower, upper = self.tables[name].interval(rate, confidence=self.confidence)
                value = getattr(self.tables[name], rate)
                row |= {rate: value, f"{rate}_lower": lower, f"{rate}_upper": upper}
            rows.append(row)
        return to_frame(rows)

    def differences(self) -> DataFrame:
        """Compare every pair of groups.

        Returns
        -------
        pandas.DataFrame
            A row for each pair and quantity: ``group_a, group_b, quantity, a, b, difference, lower,
            upper, ratio, p_value, p_holm, tested``. AUCs of independent samples: their variances
            (DeLong) add. Rates: Newcombe's hybrid score interval, and the test of equal
            proportions. ``p_holm`` is Holm's correction over all pairs of the same quantity.
            Pairs with a group that is not tested have no p-values. A ratio of the shares called
            below 0.8 breaks the rule of four fifths.

        References
        ----------
        Newcombe (1998), method 10. Holm (1979).
        """
        rows = []
        for a, b in combinations(self.rankings, 2):
            tested = _is_tested(self.rankings[a]) and _is_tested(self.rankings[b])
            compared = {"auc": self._auc_difference(a, b)}
            compared |= {rate: self._rate_difference(rate, a, b) for rate in RATES}
            for quantity, (one, other, lower, upper, p) in compared.items():
                rows.append(
                    {
                        "group_a": a,
                        "group_b": b,
                        "quantity": quantity,
                        "a": one,
                        "b": other,
                        "difference": one - other,
                        "lower": lower,
                        "upper": upper,
                        "ratio": one / other if other else np.nan,
                        "p_value": p if tested else np.nan,
                        "p_holm": np.nan,
                        "tested": tested,
                    }
                )
        frame = to_frame(rows)
        for _, part in frame.groupby("quantity") if rows else ():
            known = part.index[part["p_value"].notna()]
            if known.size:
                frame.loc[known, "p_holm"] = holm(part.loc[known, "p_value"])
        return frame

    def _auc_difference(self, a: Any, b: Any) -> tuple[float, float, float, float, float]:
        one = self.rankings[a]
        other = self.rankings[b]
        variance = sum(delong_variance(side.pos, side.neg) for side in (one, other))
        difference = one.auc - other.auc
        error = sqrt(variance)
        reach = normal_quantile(self.confidence) * error
        p = 2 * float(ndtr(-abs(difference) / error)) if error > 0 else np.nan
        return one.auc, other.auc, difference - reach, difference + reach, p

    def _rate_difference(
        self, rate: str, a: Any, b: Any
    ) -> tuple[float, float, float, float, float]:
        tables = self.tables[a], self.tables[b]
        (x, n), (y, m) = (table.proportion(rate) for table in tables)
        (l1, u1), (l2, u2) = (t.interval(rate, confidence=self.confidence) for t in tables)
        if not (n and m):
            return x / n if n else np.nan, y / m if m else np.nan, np.nan, np.nan, np.nan
        p1 = x / n
        p2 = y / m
        difference = p1 - p2
        pooled = (x + y) / (n + m)
        lower = difference - sqrt((p1 - l1) ** 2 + (u2 - p2) ** 2)
        upper = difference + sqrt((u1 - p1) ** 2 + (p2 - l2) ** 2)
        error = sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
        p = 2 * float(ndtr(-abs(difference) / error)) if error > 0 else 1.0
        return p1, p2, lower, upper, p


def _is_tested(one: RankedSegments) -> bool:
    return min(one.n_pos, one.n_neg) >= FEWEST


def group_summary(
    y_true: ArrayLike | Mapping[Any, RankedSegments],
    y_score: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    threshold: float | Mapping[Any, float] | GroupPolicy = 0.5,
    confidence: float = 0.95,
    sample_weight: Weights = None,
    pos_label: Any = None,
) -> GroupSummary:
    """Summarise a score by group: ranking, calibration, and rates with intervals.

    Parameters
    ----------
    y_true, y_score, groups, sample_weight, pos_label
        As for :func:`cost_optimal_policy`. Weights are repetitions; a class of a group must weigh
        at least 1.
    threshold : float, mapping of label to float, or GroupPolicy, default=0.5
        All who score at least this are called positive: one for all groups, one for each, or a
        policy with its draws.
    confidence : float, default=0.95
        Strictly between 0 and 1.

    Raises
    ------
    ValueError
        If an argument is invalid, or a threshold of a group is missing.

    References
    ----------
    Kallus and Zhou (2019). Newcombe (1998). Holm (1979).

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
    rankings = rank_groups(y_true, y_score, groups, sample_weight, pos_label)
    level = check_fraction(confidence, "confidence")
    rules = _rules(threshold, rankings)
    tables = {}
    for name, one in rankings.items():
        chance = rules[name].probability(one.score)
        tp = float(chance @ one.pos)
        fp = float(chance @ one.neg)
        fn = float((1 - chance) @ one.pos)
        tn = float((1 - chance) @ one.neg)
        tables[name] = table_of_sums(tp, fp, fn, tn)
    return GroupSummary(rankings, tables, level)


def _rules(threshold: Any, rankings: Rankings) -> Mapping[Any, GroupRule]:
    if isinstance(threshold, GroupPolicy):
        cuts: Mapping[Any, Any] = threshold.rules
    elif isinstance(threshold, Mapping):
        cuts = threshold
    else:
        cuts = dict.fromkeys(rankings, check_number(threshold, "threshold", finite=False))
    missing = [name for name in rankings if name not in cuts]
    if missing:
        raise ValueError(f"threshold must have a threshold for group {missing[0]!r} too.")
    rules = {}
    for name in rankings:
        cut = cuts[name]
        if not isinstance(cut, GroupRule):
            cut = check_number(cut, f"threshold[{name!r}]", finite=False)
            cut = GroupRule(cut, cut)
        rules[name] = cut
    return rules


@dataclass(frozen=True, eq=False)
class CrossAUC(Frozen):
    """Probabilities that a positive of one group scores above a negative of another.

    Parameters
    ----------
    groups : tuple of label
    auc, standard_error : ndarray of float, shape (n_groups, n_groups)
        Rows are the groups of the positives, columns those of the negatives; ties count one half.
        On the diagonal are the groups' own AUCs.
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
    pos_label: Any = None,
) -> CrossAUC:
    """Compute the AUC of the positives of each group against the negatives of each.

    A score may rank well within groups and still put the negatives of one above the positives of
    another.

    Parameters
    ----------
    y_true, y_score, groups, sample_weight, pos_label
        As for :func:`cost_optimal_policy`. Weights are repetitions.

    Raises
    ------
    ValueError
        If an argument is invalid.

    References
    ----------
    Kallus and Zhou (2019), section 3. Borkan et al. (2019). DeLong, DeLong and Clarke-Pearson
    (1988).

    Examples
    --------
    >>> y, score = [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.5, 0.3, 0.2]
    >>> cross_auc(y, score, list("aaabbb")).to_frame()
         a    b
    a  1.0  1.0
    b  0.0  1.0
    """
    rankings = rank_groups(y_true, y_score, groups, sample_weight, pos_label)
    names = tuple(rankings)
    auc = np.empty((len(names), len(names)))
    error = np.empty_like(auc)
    for i, a in enumerate(rankings.values()):
        for j, b in enumerate(rankings.values()):
            pos, neg = _merged(a, b)
            auc[i, j] = pair_shares(pos, neg)[0]
            error[i, j] = sqrt(delong_variance(pos, neg))
    return CrossAUC(names, auc, error)


def _merged(a: RankedSegments, b: RankedSegments) -> tuple[Floats, Floats]:
    """Rank the positives of one group with the negatives of another."""
    score = np.union1d(a.score, b.score)
    pos = np.zeros(score.size)
    neg = np.zeros(score.size)
    pos[np.searchsorted(score, a.score)] = a.pos
    neg[np.searchsorted(score, b.score)] = b.neg
    return pos[::-1], neg[::-1]
