"""The data of a report: each model's ranking, and the samples if they are in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, isfinite, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.classes import positive_column
from rocviz.core.base.effort import MAX_SECONDS_OF_PICTURE, check_effort
from rocviz.core.base.naming import name_texts, prefix_error_with
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Weights,
    check_aligned,
    check_choice,
    check_clusters,
    check_costs,
    check_labels_of_classes,
    check_number,
    check_prevalence,
    check_same_length,
    check_weights,
    clipped_probabilities,
    describe,
    distinct_labels,
    in_category_order,
    label_column,
    refuse_blank_labels,
)
from rocviz.core.calibration.summary import CalibrationSummary, calibration_summary
from rocviz.core.comparison.comparison import (
    ClassifierComparison,
    check_scores,
    compare_classifiers,
)
from rocviz.core.comparison.fold_differences import FoldComparison, compare_folds
from rocviz.core.curve_spaces.average_precision import AveragePrecision, average_precision
from rocviz.core.decisions.threshold_interval import (
    CorrectedRate,
    ThresholdInterval,
    threshold_interval,
)
from rocviz.core.practice.referral import ReferralPolicy, referral_policy
from rocviz.core.practice.sites import SiteComparison, compare_sites
from rocviz.core.practice.update import ModelUpdate, update_model
from rocviz.core.roc.auc_intervals import AUCInterval, auc_interval
from rocviz.core.roc.clustered_rates import effective_trials
from rocviz.core.roc.metrics import ConfusionTable, binomial_interval
from rocviz.core.roc.segments import RankedSegments, probability_segments
from rocviz.report.folds import PooledFolds, pool_folds
from rocviz.report.options import (
    FixedAt,
    check_fixed_rates,
    check_participants,
    described_rows,
)
from rocviz.words import UNNAMED, ClassNames

CONFIDENCE = 0.95
N_RESAMPLES = 1000  # of the threshold of the primary model
N_RESAMPLES_OF_OTHERS = 200
N_RESAMPLES_OF_REFERRAL = 200  # of two thresholds of the primary model
#: Most groups that a report compares, each with each other.
MAX_GROUPS = 20
#: Most sites that a report compares, as many as its figure shows.
MAX_SITES = 40
#: Threshold probabilities between which a net benefit is computed.
OPEN_SHARES = (1e-6, 1 - 1e-6)
SECONDS_PER_PAIR = 0.006  # of groups or models, of a few thousand samples
_SECONDS_PER_MODEL = 0.4


class LabelColumn(NamedTuple):
    """A label for each sample, such as its group or fold, and the distinct ones in order."""

    labels: NDArray[Any]
    distinct: list[Any]

    def rows(self, chosen: Bools) -> LabelColumn:
        """Keep the chosen samples, and the labels that they have."""
        labels = self.labels[chosen]
        left = set(labels.tolist())
        return LabelColumn(labels, [label for label in self.distinct if label in left])


@dataclass(frozen=True, eq=False)
class Samples:
    """Labels, scores, weights, groups, folds, clusters and sites of samples in memory."""

    positive: Bools
    scores: dict[str, Floats]
    weight: Floats | None = None
    groups: LabelColumn | None = None
    folds: LabelColumn | None = None
    clusters: LabelColumn | None = None
    sites: LabelColumn | None = None

    @property
    def cluster_labels(self) -> NDArray[Any] | None:
        """The cluster of each sample, if there are clusters."""
        return None if self.clusters is None else self.clusters.labels

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return 0 if self.clusters is None else len(self.clusters.distinct)

    @property
    def n_positive_clusters(self) -> int:
        """Number of clusters with a positive sample."""
        return _count_clusters(self.clusters, self.positive)

    @property
    def n_negative_clusters(self) -> int:
        """Number of clusters with a negative sample."""
        return _count_clusters(self.clusters, ~self.positive)

    def rows(self, chosen: Bools) -> Samples:
        """Keep the chosen samples."""
        columns = {}
        for name in ("groups", "folds", "clusters", "sites"):
            column: LabelColumn | None = getattr(self, name)
            columns[name] = None if column is None else column.rows(chosen)
        scores = {name: score[chosen] for name, score in self.scores.items()}
        weight = None if self.weight is None else self.weight[chosen]
        return Samples(self.positive[chosen], scores, weight, **columns)

    def has_shared_clusters(self, parts: LabelColumn) -> bool:
        """Whether a cluster has rows of several parts, such as groups or folds."""
        if self.clusters is None:
            return False
        pairs = pd.DataFrame({"cluster": self.clusters.labels, "part": parts.labels})
        return bool((pairs.drop_duplicates().groupby("cluster").size() > 1).any())

    def design_effect(self, is_member: Bools, is_right: Bools) -> float:
        """Compute by how much clusters raise the variance of a rate among some samples."""
        if self.clusters is None or not is_member.any():
            return 1.0
        weight = np.ones(is_member.size) if self.weight is None else self.weight
        trials = np.where(is_member, weight, 0.0)
        unit = np.unique(self.clusters.labels, return_inverse=True)[1]
        return float(trials.sum()) / effective_trials(trials * is_right, trials, unit)


def _count_clusters(clusters: LabelColumn | None, is_member: Bools) -> int:
    """Count the clusters of some samples."""
    return 0 if clusters is None else len(set(clusters.labels[is_member].tolist()))


def check_clusters_of_classes(clusters: LabelColumn | None, classes: Iterable[Bools]) -> None:
    """Check that the samples of each class are in two clusters or more."""
    if clusters is None:
        return
    n_fewest = min(_count_clusters(clusters, is_member) for is_member in classes)
    if n_fewest < 2:
        raise ValueError(
            "clusters must hold at least two clusters with samples of each class; got "
            f"{n_fewest} of one class."
        )


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Checked data of a report, with the results that its sections share.

    Parameters
    ----------
    rankings : dict of str to RankedSegments
        The ranking by each model.
    samples : Samples or None
        ``None`` if only counts by score are known; then models cannot be compared by a test.
    classes : ClassNames
        Names of the two classes.
    cost_fp, cost_fn : float
        Costs of a false alarm and of a miss.
    prevalence : float or None
        Prevalence in the intended population; ``None`` for that of the data.
    costs_given : bool
        Whether the user stated costs.
    named_model : str or None
        The primary model, if the user named one.
    given_threshold : float or None
        A threshold that the user gave, of the primary model's scores.
    fixed_rates : tuple of FixedAt
        Rates at which the other one is to be reported.
    participants : DataFrame or None
        Columns that describe the samples.
    is_new_site : bool
        Whether the samples are of another place than the models were made at.
    cost_referral : float or None
        Cost of a referral, if referrals are reported.
    """

    rankings: dict[str, RankedSegments]
    samples: Samples | None
    classes: ClassNames
    cost_fp: float
    cost_fn: float
    prevalence: float | None
    costs_given: bool
    named_model: str | None = None
    given_threshold: float | None = None
    fixed_rates: tuple[FixedAt, ...] = ()
    participants: pd.DataFrame | None = None
    is_new_site: bool = False
    cost_referral: float | None = None

    @property
    def positive(self) -> str:
        """What samples of the positive class are, in a sentence."""
        return self.classes.are_positive

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the models."""
        return tuple(self.rankings)

    def with_primary_first(self) -> Evaluation:
        """Put the primary model before the others, so that it has one colour in all figures."""
        names = [self.primary_model]
        names += [name for name in self.rankings if name != self.primary_model]
        samples = self.samples
        if samples is not None:
            samples = replace(samples, scores={name: samples.scores[name] for name in names})
        rankings = {name: self.rankings[name] for name in names}
        return replace(self, rankings=rankings, samples=samples)

    @property
    def n_samples(self) -> float:
        """Weight of all samples."""
        return self.first.n_samples

    @property
    def is_clustered(self) -> bool:
        """Whether samples belong to clusters."""
        return self.samples is not None and self.samples.clusters is not None

    @property
    def first(self) -> RankedSegments:
        """The ranking of the first model; all have the same samples."""
        return next(iter(self.rankings.values()))

    @property
    def target_prevalence(self) -> float:
        """The prevalence in the intended population."""
        return self.first.prevalence if self.prevalence is None else self.prevalence

    @property
    def threshold_probability(self) -> float:
        """The probability from which on a positive prediction is worth its costs."""
        return self.cost_fp / (self.cost_fp + self.cost_fn)

    @property
    def benefit_threshold(self) -> float:
        """The threshold probability of net benefits: one that was given, or that of the costs."""
        given = self.given_threshold
        is_probability = given is not None and 0 < given < 1
        if is_probability and self.primary_model in self.probabilistic:
            assert given is not None
            return given
        return self.threshold_probability

    @property
    def calibrated_threshold(self) -> float:
        """The best threshold of probabilities that are calibrated at the prevalence of the data."""
        share = self.target_prevalence
        cost_of_alarms = self.cost_fp * (1 - share) * self.first.prevalence
        cost_of_misses = self.cost_fn * share * (1 - self.first.prevalence)
        return cost_of_alarms / (cost_of_alarms + cost_of_misses)

    @cached_property
    def primary_model(self) -> str:
        """The model of which every section speaks: the named one, or else the best by AUC."""
        if self.named_model is not None:
            return self.named_model
        return max(self.rankings, key=lambda name: self.rankings[name].auc)

    @cached_property
    def comparison(self) -> ClassifierComparison:
        """All models on the samples in memory."""
        assert self.samples is not None
        samples = self.samples
        return compare_classifiers(
            samples.positive,
            samples.scores,
            sample_weight=samples.weight,
            clusters=samples.cluster_labels,
            cost_fp=self.cost_fp,
            cost_fn=self.cost_fn,
            prevalence=self.prevalence,
            n_resamples=0,  # tests of calibration are those of calibration_summary
        )

    @cached_property
    def fold_comparison(self) -> FoldComparison | None:
        """All models fold by fold; ``None`` if fewer than two folds can be compared."""
        samples = self.samples
        if samples is None or samples.folds is None:
            return None
        try:
            return compare_folds(
                samples.positive,
                samples.scores,
                samples.folds.labels,
                sample_weight=samples.weight,
            )
        except ValueError:  # all input is checked: there are too few folds with both classes
            return None

    @cached_property
    def pairs(self) -> pd.DataFrame:
        """Differences of the AUC between all pairs of models, of folds where they are compared."""
        if self.fold_comparison is not None:
            return self.fold_comparison.pairs()
        return self.comparison.pairs().reset_index(drop=True)

    @cached_property
    def pooled_folds(self) -> dict[str, PooledFolds]:
        """The AUC of all folds in one ranking beside their mean, of each model."""
        pooled: dict[str, PooledFolds] = {}
        if self.samples is None or self.samples.folds is None:
            return pooled
        for name, score in self.samples.scores.items():
            pooled[name] = pool_folds(
                self.samples.positive, score, self.samples.folds.labels, self.samples.weight
            )
        return pooled

    @cached_property
    def referral(self) -> ReferralPolicy | None:
        """The primary model's two thresholds, if referrals have a cost.

        Where samples are known, numbers are corrected for the choice by resamples, which are of
        clusters if there are some.
        """
        if self.cost_referral is None:
            return None
        options: dict[str, Any] = {"cost_fp": self.cost_fp, "cost_fn": self.cost_fn}
        options |= {"cost_referral": self.cost_referral, "prevalence": self.prevalence}
        samples = self.samples
        if samples is None:
            return referral_policy(self.rankings[self.primary_model], **options)
        return referral_policy(
            samples.positive,
            samples.scores[self.primary_model],
            sample_weight=samples.weight,
            clusters=samples.cluster_labels,
            n_resamples=N_RESAMPLES_OF_REFERRAL,
            random_state=0,
            **options,
        )

    @cached_property
    def site_comparisons(self) -> dict[str, SiteComparison]:
        """The sites compared by each model; empty without sites."""
        comparisons: dict[str, SiteComparison] = {}
        samples = self.samples
        if samples is None or samples.sites is None:
            return comparisons
        # categories keep the order of the sites
        sites = pd.Categorical(samples.sites.labels, samples.sites.distinct, ordered=True)
        for name, score in samples.scores.items():
            comparisons[name] = compare_sites(
                samples.positive,
                score,
                sites,
                sample_weight=samples.weight,
                clusters=samples.cluster_labels,
            )
        return comparisons

    @cached_property
    def updates(self) -> dict[str, ModelUpdate]:
        """The update of each model with probabilities, if the samples are of a new site."""
        updates: dict[str, ModelUpdate] = {}
        samples = self.samples
        if samples is None or not self.is_new_site:
            return updates
        for name, prob in self.probabilities.items():
            updates[name] = update_model(
                samples.positive,
                prob,
                threshold_probability=float(np.clip(self.threshold_probability, *OPEN_SHARES)),
                sample_weight=samples.weight,
                clusters=samples.cluster_labels,
            )
        return updates

    @cached_property
    def auc_intervals(self) -> dict[str, AUCInterval]:
        """Interval of the AUC of each model whose ranking is exact, by clusters if there are."""
        intervals = {}
        for name, ranking in self.rankings.items():
            if self.samples is not None and self.samples.clusters is not None:
                intervals[name] = auc_interval(
                    self.samples.positive,
                    self.samples.scores[name],
                    sample_weight=self.samples.weight,
                    clusters=self.samples.cluster_labels,
                )
            elif ranking.is_exact:
                intervals[name] = auc_interval(ranking)
        return intervals

    @cached_property
    def average_precisions(self) -> dict[str, AveragePrecision]:
        """Average precision of each model whose ranking is exact, by clusters if there are."""
        values = {}
        for name, ranking in self.rankings.items():
            if self.samples is not None and self.samples.clusters is not None:
                values[name] = average_precision(
                    self.samples.positive,
                    self.samples.scores[name],
                    sample_weight=self.samples.weight,
                    clusters=self.samples.cluster_labels,
                )
            elif ranking.is_exact:
                values[name] = average_precision(ranking)
        return values

    @cached_property
    def with_given_threshold(self) -> tuple[str, ...]:
        """Models that the given threshold is for: the primary one, and those on its scale.

        Probabilities are on one scale; of other scores nobody knows.
        """
        if self.given_threshold is None:
            return ()
        if self.primary_model in self.probabilistic:
            return tuple(self.probabilistic)
        return (self.primary_model,)

    @cached_property
    def operating_points(self) -> dict[str, ConfusionTable]:
        """The operating point of each model: the given one, or that with the lowest cost."""
        points = {}
        for name, ranking in self.rankings.items():
            if name in self.with_given_threshold:
                assert self.given_threshold is not None
                points[name] = ranking.at_threshold(self.given_threshold)
            else:
                points[name] = ranking.optimal_point(self.cost_fp, self.cost_fn, self.prevalence)
        return points

    def cost(self, name: str) -> float:
        """Compute the expected cost of a model at its operating point."""
        return self.operating_points[name].expected_cost(
            self.cost_fp, self.cost_fn, self.prevalence
        )

    def cost_interval(self, name: str) -> tuple[float, float]:
        """Compute the interval of the cost at a threshold that was given, by clusters if any.

        Both rates of errors vary as inside of Wilson's intervals; the prevalence counts as known.
        """
        point = self.operating_points[name]
        n_pos, n_neg = point.n_pos, point.n_neg
        if self.samples is not None:
            predicted = self.samples.scores[name] >= point.threshold
            n_pos /= self.samples.design_effect(self.samples.positive, predicted)
            n_neg /= self.samples.design_effect(~self.samples.positive, predicted)
        share = self.target_prevalence
        variance = (share * self.cost_fn) ** 2 * _wilson_variance(point.fnr, n_pos)
        variance += ((1 - share) * self.cost_fp) ** 2 * _wilson_variance(point.fpr, n_neg)
        half = normal_quantile(CONFIDENCE) * sqrt(variance)
        cost = self.cost(name)
        return max(cost - half, 0.0), cost + half

    @cached_property
    def thresholds(self) -> dict[str, ThresholdInterval]:
        """Each model's threshold with its interval, and rates corrected for its choice.

        A threshold that was given has neither.
        """
        samples = self.samples
        intervals: dict[str, ThresholdInterval] = {}
        if samples is None:
            return intervals
        for name, score in samples.scores.items():
            if name in self.with_given_threshold:
                continue
            is_primary = name == self.primary_model
            intervals[name] = threshold_interval(
                samples.positive,
                score,
                sample_weight=samples.weight,
                clusters=samples.cluster_labels,
                prevalence=self.prevalence,
                n_resamples=N_RESAMPLES if is_primary else N_RESAMPLES_OF_OTHERS,
                cost_fp=self.cost_fp,
                cost_fn=self.cost_fn,
            )
        return intervals

    def chosen_threshold(self, name: str) -> ThresholdInterval | None:
        """Find a model's threshold with its corrections, if it is finite and samples are known."""
        point = self.operating_points[name]
        threshold = self.thresholds.get(name)
        if threshold is None or not isfinite(point.threshold):
            return None
        return threshold if threshold.gap[1] == point.threshold else None

    def corrected_rate(self, name: str, rate: str) -> CorrectedRate:
        """Compute a rate of a model at its threshold, corrected for the choice of it.

        NaN is the correction where samples are not known, or the threshold was given.
        """
        threshold = self.chosen_threshold(name)
        if threshold is not None:
            if rate == "tpr":
                return threshold.sensitivity
            if rate == "tnr":
                return threshold.specificity
            if rate == "fpr":
                specificity = threshold.specificity
                return CorrectedRate(
                    1 - specificity.apparent,
                    1 - specificity.corrected,
                    1 - specificity.upper,
                    1 - specificity.lower,
                )
        lower, upper = self.rate_interval(name, rate)
        return CorrectedRate(self.operating_points[name].metric(rate), nan, lower, upper)

    def rate_interval(self, name: str, rate: str) -> tuple[float, float]:
        """Compute Wilson's interval of a rate at a model's operating point, by clusters.

        NaN where nobody is predicted positive, whose rates are certain.
        """
        point = self.operating_points[name]
        if point.threshold == inf:
            return nan, nan
        samples = self.samples
        if samples is None or samples.clusters is None:
            return point.interval(rate)
        predicted = samples.scores[name] >= point.threshold
        is_member = samples.positive if rate in ("tpr", "fnr") else ~samples.positive
        n_right, n = point.proportion(rate)
        effect = samples.design_effect(is_member, predicted)
        lower, upper = binomial_interval(n_right / effect, n / effect)
        return float(lower), float(upper)

    @cached_property
    def probabilistic(self) -> dict[str, RankedSegments]:
        """The models whose scores can be probabilities."""
        rankings = {}
        for name, ranking in self.rankings.items():
            segments = probability_segments(ranking)
            if segments is not None:
                rankings[name] = segments
        return rankings

    @cached_property
    def probabilities(self) -> dict[str, Floats]:
        """Each sample's probability by the models whose scores can be probabilities."""
        probabilities = {}
        if self.samples is not None:
            for name in self.probabilistic:
                prob = clipped_probabilities(self.samples.scores[name])
                assert prob is not None
                probabilities[name] = prob
        return probabilities

    @cached_property
    def calibration(self) -> dict[str, CalibrationSummary]:
        """Calibration of the models with probabilities."""
        summaries = {}
        for name, ranking in self.probabilistic.items():
            if self.samples is not None and self.samples.clusters is not None:
                summaries[name] = calibration_summary(
                    self.samples.positive,
                    self.probabilities[name],
                    sample_weight=self.samples.weight,
                    clusters=self.samples.cluster_labels,
                )
            else:
                summaries[name] = calibration_summary(ranking)
        return summaries


def _wilson_variance(rate: float, size: float) -> float:
    """Compute the variance of a rate inside of Wilson's interval."""
    z = normal_quantile(CONFIDENCE)
    return (rate * (1 - rate) + z**2 / (4 * size)) / size


def check_evaluation(
    y_true: ArrayLike | Mapping[Any, RankedSegments],
    y_score: Any,
    *,
    groups: ArrayLike | None,
    sample_weight: Weights,
    cost_fp: float | None,
    cost_fn: float | None,
    prevalence: float | None,
    folds: ArrayLike | None,
    clusters: ArrayLike | None,
    primary: str | None,
    pos_label: Any,
    labels: Any = None,
    threshold: float | None = None,
    at: Mapping[str, Any] | None = None,
    participants: Any = None,
    sites: ArrayLike | None = None,
    new_site: bool = False,
    cost_referral: float | None = None,
) -> Evaluation:
    """Check the input of a report before any work."""
    costs = check_costs(1.0 if cost_fp is None else cost_fp, 1.0 if cost_fn is None else cost_fn)
    if prevalence is not None:
        prevalence = check_prevalence(prevalence)
    settings: dict[str, Any] = {"cost_fp": costs[0], "cost_fn": costs[1], "prevalence": prevalence}
    settings["costs_given"] = cost_fp is not None or cost_fn is not None
    settings["classes"] = UNNAMED
    if labels is not None and isinstance(y_true, Mapping):
        settings["classes"] = ClassNames.of(0, 1, labels)
    elif isinstance(pos_label, str) and pos_label != UNNAMED.positive:
        settings["classes"] = ClassNames.of(f"not {pos_label}", pos_label)
    if threshold is not None:
        settings["given_threshold"] = check_number(threshold, "threshold")
    settings["fixed_rates"] = check_fixed_rates(at)
    settings["is_new_site"] = new_site
    if cost_referral is not None:
        settings["cost_referral"] = check_number(cost_referral, "cost_referral", minimum=0.0)
    if isinstance(y_true, Mapping):
        rankings = _check_rankings(
            y_true,
            y_score=y_score,
            groups=groups,
            folds=folds,
            clusters=clusters,
            sites=sites,
            describe=participants,
        )
        if new_site:
            raise ValueError(
                "new_site needs samples, as updates are judged on samples that they were not "
                "fitted to; ranked segments are only counts by score."
            )
        settings["named_model"] = check_primary(primary, rankings)
        data = Evaluation(rankings, None, **settings).with_primary_first()
        _check_threshold_of_probabilities(data)
        return data
    rows = {} if isinstance(y_score, Mapping) else {"y_score": y_score}
    check_aligned(
        y_true=y_true,
        sample_weight=sample_weight,
        groups=groups,
        folds=folds,
        clusters=clusters,
        sites=sites,
        **rows,
    )
    if new_site and folds is not None:
        raise ValueError(
            "new_site and folds must not be given together: models are either from another place, "
            "or were cross-validated on these samples."
        )
    if y_score is None:
        raise ValueError("y_score must be given.")
    positive, neg_label, own_pos_label = check_labels_of_classes(y_true, pos_label)
    settings["classes"] = ClassNames.of(neg_label, own_pos_label, labels)
    y_score = positive_column(y_score, y_true, pos_label, "y_score")
    scores = check_scores(y_score, positive.size, "y_score", y_true=y_true, pos_label=pos_label)
    if not isinstance(y_score, Mapping) and np.ndim(y_score) == 1:
        scores = {"score": next(iter(scores.values()))}
    settings["named_model"] = check_primary(primary, scores)
    check_number_of_models(len(scores))
    weight = check_weights(sample_weight, positive.size)
    described = check_participants(participants, positive.size, y_true)
    _check_class_sizes(positive, sample_weight)
    check_clusters(clusters, positive.size)
    columns = {
        "groups": check_column(groups, "groups", positive.size),
        "folds": check_column(folds, "folds", positive.size),
        "clusters": check_column(clusters, "clusters", positive.size),
        "sites": check_column(sites, "sites", positive.size),
    }
    if columns["groups"] is not None:
        check_number_of_groups(len(columns["groups"].distinct), "groups", "clusters")
    if columns["sites"] is not None:
        check_number_of_sites(len(columns["sites"].distinct), "sites", "clusters")
    if weight is not None:
        has_weight = weight > 0
        positive = positive[has_weight]
        weight = weight[has_weight]
        scores = {name: score[has_weight] for name, score in scores.items()}
        described = described_rows(described, has_weight)
        for name, column in columns.items():
            if column is not None:
                columns[name] = column.rows(has_weight)
    check_clusters_of_classes(columns["clusters"], (positive, ~positive))
    rankings = {}
    for name, score in scores.items():
        rankings[name] = RankedSegments.from_scores(positive, score, sample_weight=weight)
    settings["participants"] = described
    samples = Samples(positive, scores, weight, **columns)
    data = Evaluation(rankings, samples, **settings).with_primary_first()
    _check_threshold_of_probabilities(data)
    if new_site and data.primary_model not in data.probabilistic:
        raise ValueError(
            "new_site needs probabilities, from 0 to 1, of which log odds can be updated; those of "
            f"the primary model {describe(data.primary_model)} are none."
        )
    _check_parts_are_large_enough(data)
    return data


def _check_parts_are_large_enough(data: Evaluation) -> None:
    """Raise if the weights of sites, or samples for an update, are too few.

    That is known when they are compared, which is quick, so it is done before other work.
    """
    with prefix_error_with("new_site"):
        _ = data.updates
    _ = data.site_comparisons


def _check_threshold_of_probabilities(data: Evaluation) -> None:
    """Raise if the given threshold is none of the primary model's probabilities."""
    threshold = data.given_threshold
    if threshold is None or data.primary_model not in data.probabilistic:
        return
    if not 0 <= threshold <= 1:
        raise ValueError(
            f"threshold must be from 0 to 1, as the scores of {describe(data.primary_model)} are; "
            f"got {threshold:g}."
        )


def check_primary(primary: Any, names: Iterable[str]) -> str | None:
    """Check that the primary model is one of the models, whose names are texts."""
    return None if primary is None else check_choice(str(primary), "primary", tuple(names))


def _check_class_sizes(positive: Bools, sample_weight: Weights) -> None:
    """Raise if a class has a single sample, for which there are no intervals."""
    n_positive = int(positive.sum())
    n_negative = positive.size - n_positive
    if sample_weight is None and min(n_positive, n_negative) == 1:
        raise ValueError(
            f"y_true has {n_positive} positive and {n_negative} negative samples; intervals need "
            "at least 2 of each class."
        )


def check_number_of_models(n_models: int) -> None:
    """Raise before a report of so many models that nobody would read it."""
    n_pairs = n_models * (n_models - 1) // 2
    check_effort(
        seconds=_SECONDS_PER_MODEL * n_models + SECONDS_PER_PAIR * n_pairs,
        max_seconds=MAX_SECONDS_OF_PICTURE,
        advice="report fewer of them",
        y_score=f"{n_models} models",
    )


def check_number_of_groups(n_groups: int, name: str, clusters: str) -> None:
    """Raise if there are more groups than can be compared with each other.

    ``clusters`` is the argument or option for rows that belong together.
    """
    if n_groups > MAX_GROUPS:
        n_pairs = n_groups * (n_groups - 1) // 2
        minutes = max(n_pairs * SECONDS_PER_PAIR / 60, 0.1)
        raise ValueError(
            f"{name} has {n_groups:,} different values, and comparing all {n_pairs:,} pairs of "
            f"groups would take about {minutes:,.1f} minutes and a table of as many rows. If rows "
            f"with one value belong together, such as those of a patient, give it as {clusters}; "
            f"otherwise join the values into at most {MAX_GROUPS} groups."
        )


def check_number_of_sites(n_sites: int, name: str, clusters: str) -> None:
    """Raise if there are more sites than a figure shows, as if they were identifiers.

    ``clusters`` is the argument or option for rows that belong together.
    """
    if n_sites > MAX_SITES:
        raise ValueError(
            f"{name} has {n_sites:,} different values; at most {MAX_SITES} sites are reported. If "
            "rows with one value belong together, such as those of a patient, give it as "
            f"{clusters}; otherwise join small sites."
        )


def _check_rankings(rankings: Mapping[Any, Any], **others: Any) -> dict[str, RankedSegments]:
    if any(other is not None for other in others.values()):
        *most, last = others
        raise ValueError(f"{', '.join(most)} and {last} must not be given beside ranked segments.")
    names = name_texts(rankings, "y_true")
    for name, ranking in zip(names, rankings.values(), strict=True):
        if not isinstance(ranking, RankedSegments):
            raise ValueError(
                f"y_true[{describe(name)}] must be RankedSegments; got {describe(ranking)}."
            )
    if not names:
        raise ValueError("y_true is an empty mapping; at least one model is needed.")
    return dict(zip(names, rankings.values(), strict=True))


def check_column(values: ArrayLike | None, name: str, n_samples: int) -> LabelColumn | None:
    """Check that a column has a label for each sample, and none is missing."""
    if values is None:
        return None
    column = label_column(values, name)
    check_same_length(n_samples, **{name: column})
    distinct = in_category_order(distinct_labels(column, name), values)
    refuse_blank_labels(column, distinct, name)
    if len(distinct) < 2:
        raise ValueError(f"{name} must have at least two different values; got one.")
    return LabelColumn(column, distinct)
