"""Data, curves and calibrations of the ROC explorer, each computed once.

While the threshold moves, a hundred thousand scores must not be sorted again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.classes import positive_column
from rocviz.core.base.frozen import DataFrame, Frozen, read_only, to_frame
from rocviz.core.base.naming import name_texts
from rocviz.core.base.samples import Samples
from rocviz.core.base.validation import (
    check_aligned,
    check_clusters,
    check_labels_of_classes,
    check_same_length,
    check_vector,
    check_weights,
    clipped_probabilities,
    describe,
    list_labels,
)
from rocviz.core.calibration.brier import BrierDecomposition, brier_decomposition
from rocviz.core.calibration.calibration import CalibrationMap, IdentityMap, calibration_map
from rocviz.core.comparison.model_hull import ModelHull, hull_over_models
from rocviz.core.curve_spaces.space_curve import space_curve
from rocviz.core.curve_spaces.spaces import SPACES, SpaceCurve
from rocviz.core.practice.referral import ReferralPolicy, referral_policy
from rocviz.core.roc.auc_intervals import AUCInterval, auc_interval
from rocviz.core.roc.bands import BandResamples, ROCBand, resample_band, roc_band
from rocviz.core.roc.clustered_rates import cells_of_samples, clustered_rate_interval
from rocviz.core.roc.delong_test import AUCTest, auc_test
from rocviz.core.roc.geometry import ThinnedCurve
from rocviz.core.roc.metrics import ConfusionTable
from rocviz.core.roc.pairs import RankedPairs, rank_pairs
from rocviz.core.roc.placements import PlacementSpread
from rocviz.core.roc.segments import (
    RankedSegments,
    ReliabilityPoints,
    ScoreHistogram,
    reliability_points,
    samples_in_clusters,
    score_histogram,
)
from rocviz.displays.base.data import ranking_arguments
from rocviz.displays.roc.crowd import Queue
from rocviz.displays.roc.pairs_picture import can_have_cells
from rocviz.widgets.base.background import step
from rocviz.widgets.base.own_data import ClearsCaches, OwnData, check_span, remembered
from rocviz.words import ClassNames, amount

#: Ways to turn scores into probabilities, as arguments of ``calibration_map``.
CALIBRATIONS: dict[str, dict[str, Any]] = {
    "raw": {"method": "identity"},
    "hull": {},
    "hull + Laplace": {"m": 2},
    "isotonic": {"method": "isotonic"},
    "beta": {"method": "beta"},
    "sigmoid": {"method": "sigmoid"},
}


Floats = NDArray[np.float64]
Line = tuple[Floats, Floats]


class SpaceCurves(ClearsCaches):
    """The curves of one ranking in all spaces, each made once."""

    def __init__(self, segments: RankedSegments, hull: RankedSegments | None = None) -> None:
        self.segments = segments
        self._hull = hull

    @remembered(24)
    def curve(self, space: str, prevalence: float | None = None, hull: bool = False) -> SpaceCurve:
        """Compute the curve in a space, or its hull, at the prevalence where it is used."""
        if hull and self._hull is not None and SPACES[space].has_points:
            return space_curve(self._hull, space=space, prevalence=prevalence)
        return space_curve(self.segments, space=space, prevalence=prevalence, hull=hull)


class ModelHullCurves:
    """The hull over all models as a curve, and which model each of its vertices belongs to."""

    def __init__(self, hull: ModelHull, prevalence: float) -> None:
        self.curves = SpaceCurves(hull.segments(prevalence))
        order = list(hull.models)
        self.owner = np.array([order.index(name) for name in hull.model], dtype=np.intp)

    def curve(self, space: str, prevalence: float | None) -> SpaceCurve:
        """Compute the hull in a space."""
        return self.curves.curve(space, prevalence, hull=SPACES[space].needs_probabilities)

    def stretches(self, curve: SpaceCurve) -> tuple[tuple[int, Line], ...]:
        """List the model and the line of each stretch where a single model is best."""
        owner = self.owner
        space = SPACES[curve.space]
        if space.needs_probabilities:  # thresholds are those of the hull of the hull
            owner = owner[self.curves.segments.hull_vertices]
        first = owner[np.floor(curve.threshold_index[:-1]).astype(np.intp)]
        last = owner[np.ceil(curve.threshold_index[1:]).astype(np.intp)]
        if space.needs_probabilities:
            is_single = curve.threshold_index[:-1] == curve.threshold_index[1:]
        elif space.is_lower_envelope:
            is_single = np.ones(first.size, dtype=np.bool_)
        else:
            is_single = first == last
        best_model = np.where(is_single, first, -1)
        ends = np.flatnonzero(np.diff(best_model, prepend=-2, append=-2))
        stretches = []
        for start, end in pairwise(ends):
            x = curve.x[start : end + 1]
            y = curve.y[start : end + 1]
            has_length = (x != x[0]).any() or (y != y[0]).any()
            if best_model[start] >= 0 and has_length:
                stretches.append((int(best_model[start]), (x, y)))
        return tuple(stretches)


@dataclass(frozen=True, eq=False)
class Calibrated(Frozen):
    """Probabilities of one calibration, judged on its evaluation data."""

    calibration: CalibrationMap
    segments: RankedSegments
    before: BrierDecomposition | None
    after: BrierDecomposition
    held_out: bool

    @cached_property
    def spaces(self) -> SpaceCurves:
        """Its curve in all spaces."""
        return SpaceCurves(self.segments)

    @cached_property
    def by_hull(self) -> ReliabilityPoints:
        """One point per segment of the hull of the calibrated probabilities."""
        return reliability_points(self.segments, by="hull")

    @cached_property
    def by_score(self) -> ReliabilityPoints:
        """One point per distinct probability."""
        return reliability_points(self.segments, by="score")


class Curve(ClearsCaches):
    """Segments, with their hull, band and reliability."""

    segments: RankedSegments
    hull: RankedSegments

    def __init__(
        self, segments: RankedSegments, n_resamples: int = 500, samples: Samples | None = None
    ) -> None:
        self.segments = segments
        #: Samples that come in clusters, for intervals.
        self.samples = samples
        self._n_resamples = n_resamples
        self.hull = segments.hull()
        self.spaces = SpaceCurves(segments, self.hull)

    @cached_property
    def thinned(self) -> ThinnedCurve:
        """The curve with as few vertices as give the same picture."""
        return self.segments.thin(600)

    @cached_property
    def hull_thinned(self) -> ThinnedCurve:
        """The hull with as few vertices as give the same picture."""
        return self.hull.thin(200)

    @cached_property
    def histogram(self) -> ScoreHistogram:
        """Scores by class."""
        return score_histogram(self.segments, bins=25)

    @cached_property
    def queue(self) -> Queue:
        """The samples in columns, a dot for one of them or several."""
        return Queue.of(self.segments)

    @remembered(16)
    def auc_interval(self, confidence: float) -> AUCInterval | None:
        """Compute the interval of the AUC; None if weights are in other units than samples."""
        try:
            ranking, more = ranking_arguments(self.segments, self.samples)
            return auc_interval(*ranking, **more, confidence=confidence)
        except ValueError:
            return None

    @remembered(32)
    def optimal_point(
        self, cost_fp: float, cost_fn: float, prevalence: float
    ) -> tuple[ConfusionTable, float]:
        """Find the operating point with the lowest expected cost, and that cost."""
        costs: Any = {"cost_fp": cost_fp, "cost_fn": cost_fn, "prevalence": prevalence}
        table = self.segments.optimal_point(**costs)
        return table, table.expected_cost(**costs)

    @remembered(32)
    def best_referral(self, **costs: float) -> ReferralPolicy:
        """Find the two thresholds with the lowest expected cost."""
        given: Any = costs
        return referral_policy(self.segments, **given)

    @remembered(16)
    def models_frame(
        self,
        models: tuple[tuple[str, Curve, AUCTest | None], ...],
        confidence: float,
        **costs: float,
    ) -> DataFrame:
        """Make a table with a row for each model, of which this curve's is in front."""
        rows = []
        for name, curve, test in models:
            table, cost = curve.optimal_point(**costs)
            # weights in other units than samples do not tell how certain an AUC is
            interval = curve.auc_interval(confidence)
            rows.append(
                {
                    "model": name,
                    "auc": curve.segments.auc,
                    "auc_low": np.nan if interval is None else interval.lower,
                    "auc_high": np.nan if interval is None else interval.upper,
                    "hull": curve.hull.auc,
                    "above_front": curve.segments.auc - self.segments.auc,
                    "p_value": np.nan if test is None else test.p_value,
                    "best_threshold": table.threshold,
                    "tpr": table.tpr,
                    "fpr": table.fpr,
                    "cost": cost,
                }
            )
        columns = {key: [row[key] for row in rows] for key in rows[0]}
        return to_frame(columns).set_index("model")

    @remembered(16)
    def band(self, method: str, confidence: float) -> ROCBand:
        """Compute the simultaneous confidence band."""
        step("the band")
        if method == "bootstrap":
            return self._resamples.band(confidence)
        return roc_band(self.segments, method=method, confidence=confidence)

    @cached_property
    def _resamples(self) -> BandResamples:
        return resample_band(self.segments, n_resamples=self._n_resamples, samples=self.samples)

    def rate_interval(
        self, table: ConfusionTable, rate: str, confidence: float, random_part: float
    ) -> tuple[float, float]:
        """Compute the interval of a rate of a table of this curve."""
        if self.samples is None:
            return table.interval(rate, confidence=confidence)
        cells = self._cells(table.threshold, random_part)
        unit = cast("NDArray[np.intp]", self.samples.unit)
        return clustered_rate_interval(cells, unit, rate, confidence)

    @remembered(4)
    def _cells(self, threshold: float, random_part: float) -> Floats:
        """Count each sample's share of the confusion table; only of samples in clusters."""
        samples = cast("Samples", self.samples)
        score = samples.scores[0]
        predicted = np.where(score == threshold, random_part, (score > threshold).astype(float))
        return cells_of_samples(samples, predicted)


UNNAMED = "model"  # the name of a model that has none
N_PREVIEW_SAMPLES = 10_000  # samples of a preview of the user's data
MIN_PREVIEW_SAMPLES_PER_CLASS = 100  # of a class among them, if there are so many
N_PREVIEW_RESAMPLES = 60  # of a preview's band


class Scored(OwnData):
    """Labels and one or more named scores of the same samples, with bands by the bootstrap."""

    @property
    def steps_to_open(self) -> int:
        """Of the bar while an explorer opens: curves, tests, band, calibration, picture."""
        return 2 * len(self.scores) + 2

    def __init__(
        self,
        y_true: ArrayLike,
        scores: Mapping[str, ArrayLike],
        *,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        pos_label: Any = None,
        labels: Any = None,
        axis_name: str = "score",
        n_resamples: int = 500,
    ) -> None:
        #: Name of the scores at an axis.
        self.axis_name = axis_name
        self._n_resamples = n_resamples
        named = dict(zip(name_texts(scores, "y_score"), scores.values(), strict=True))
        if len(named) < len(scores):
            raise ValueError(f"Two models have the same name; got {list_labels(scores)}.")
        check_aligned(y_true=y_true, sample_weight=sample_weight, clusters=clusters)
        positive, neg_label, own_pos_label = check_labels_of_classes(y_true, pos_label)
        self.class_names = ClassNames.of(neg_label, own_pos_label, labels)
        self.positive = read_only(positive)
        if not scores:
            raise ValueError("scores is empty; at least one model's scores are needed.")
        self.scores = {}
        for name, values in scores.items():
            argument = "y_score" if len(scores) == 1 else f"y_score[{describe(name)}]"
            check_aligned(**{"y_true": y_true, argument: values})
            column = positive_column(values, y_true, pos_label, argument)
            named[str(name)] = column
            score = check_vector(column, argument)
            check_same_length(positive.size, **{argument: score})
            check_span(score, argument)
            prob = clipped_probabilities(score)
            self.scores[str(name)] = read_only((score if prob is None else prob).copy())
        self.weight = check_weights(sample_weight, positive.size)
        self.unit = check_clusters(clusters, positive.size)
        #: Number of clusters, if samples come in clusters.
        self.n_clusters: int | None = None
        if self.unit is not None:
            samples = samples_in_clusters(
                positive, np.zeros(positive.size), self.unit, self.weight, pos_label=True
            )
            spread = PlacementSpread.of(samples.positive, samples.w, samples.unit)
            spread.check()
            self.n_clusters = spread.n_clusters
        #: Settings of the last exact results, which need no preview.
        self.exact_settings: deque[tuple[Any, ...]] = deque(maxlen=12)
        #: Models and spaces that have been drawn exactly.
        self.drawn_names: set[str] = set()
        if self.weight is not None:  # which may leave a class without samples
            for name in self.scores:
                self.curve(name, ())
        super().__init__(
            pos_label, y_true=y_true, y_score=named, sample_weight=sample_weight, clusters=clusters
        )

    def __iter__(self) -> Iterator[Any]:
        """Yield labels and scores, as :class:`.ROCExplorer` takes them."""
        yield self.given["y_true"]
        named = self.given["y_score"]
        yield next(iter(named.values())) if len(named) == 1 else named

    def __repr__(self) -> str:
        """Say what there is, and how to see it."""
        if self.counted is not None:
            return f"counts of {amount(self.counted.n_samples)} samples by score"
        n_pos = int(np.count_nonzero(self.positive))
        counts = (
            f"{amount(n_pos)} {self.class_names.positives}, "
            f"{amount(self.positive.size - n_pos)} {self.class_names.negatives}"
        )
        return f"labels and scores of {counts}: see to_frame()"

    def to_frame(self) -> DataFrame:
        """Make a table of the samples.

        Returns
        -------
        pandas.DataFrame
            Labels ``y_true``, the scores ``y_score`` or, of several models, a column of each, and
            ``sample_weight`` and ``clusters`` if there are.
        """
        named = self.given["y_score"]
        columns = {"y_true": self.given["y_true"], **named}
        if len(named) == 1:
            columns = {"y_true": self.given["y_true"], "y_score": next(iter(named.values()))}
        for name in ("sample_weight", "clusters"):
            if self.given[name] is not None:
                columns[name] = self.given[name]
        return to_frame({name: np.asarray(column) for name, column in columns.items()})

    @property
    def is_single_named(self) -> bool:
        """Whether there is one model alone, and it has a name."""
        return len(self.scores) == 1 and UNNAMED not in self.scores

    @cached_property
    def sketch(self) -> Scored:
        """The samples of a preview: few, always the same, or coarser counts."""
        if self.counted is not None:
            return self._sketch_of_segments(self.counted)
        rng = np.random.default_rng(0)
        of_classes = []
        for label in (True, False):
            of_class = np.flatnonzero(self.positive == label)
            share = round(N_PREVIEW_SAMPLES * of_class.size / self.positive.size)
            n_rows = min(max(share, MIN_PREVIEW_SAMPLES_PER_CLASS), of_class.size)
            of_classes.append(rng.choice(of_class, n_rows, replace=False))
        rows = np.sort(np.concatenate(of_classes))
        return Scored(
            self.positive[rows],
            {name: score[rows] for name, score in self.scores.items()},
            sample_weight=None if self.weight is None else self.weight[rows],
            clusters=None if self.unit is None else self.unit[rows],
            pos_label=True,
            axis_name=self.axis_name,
            n_resamples=N_PREVIEW_RESAMPLES,
        )

    @staticmethod
    def _sketch_of_segments(segments: RankedSegments) -> Scored:
        """Join neighbouring segments into as many as a preview has samples."""
        steps = np.linspace(0, len(segments), N_PREVIEW_SAMPLES)
        edges = np.unique(steps.round().astype(np.intp))
        pos = np.add.reduceat(segments.pos, edges[:-1])
        neg = np.add.reduceat(segments.neg, edges[:-1])
        return Scored.from_segments(RankedSegments(segments.score[edges[1:] - 1], pos, neg))

    @remembered(32)
    def bounds(self, name: str) -> tuple[float, float]:
        """Compute the range of thresholds: [0, 1] for probabilities, else the data's."""
        low = float(self.scores[name].min())
        high = float(self.scores[name].max())
        return (0.0, 1.0) if low >= 0 and high <= 1 else (low, high)

    @remembered(32)
    def are_probabilities(self, name: str) -> bool:
        """Whether every score lies in [0, 1]."""
        return self.bounds(name) == (0.0, 1.0)

    def joins(self, name: str, joined: tuple[int, ...]) -> list[tuple[float, float, float]]:
        """Compute the effect of joins on scores: lowest and highest joined, and their mean."""
        if not joined:
            return []
        segments = self.curve(name, ()).segments
        score = segments.score
        starts = np.delete(np.arange(len(segments)), np.asarray(joined, dtype=np.intp))
        ends = np.append(starts[1:], len(segments))
        joins = []
        for start, end in zip(starts, ends, strict=True):
            if end - start > 1:
                mean = float(np.average(score[start:end], weights=segments.n[start:end]))
                joins.append((float(score[end - 1]), float(score[start]), mean))
        return joins

    def _join(self, name: str, joined: tuple[int, ...], score: Floats) -> Floats:
        """Replace the scores of joined neighbours by their weighted mean."""
        for low, high, mean in self.joins(name, joined):
            score = np.where((low <= score) & (score <= high), mean, score)
        return score

    def _segments(self, score: Floats, part: Any = slice(None)) -> RankedSegments:
        weight = None if self.weight is None else self.weight[part]
        return RankedSegments.from_scores(
            self.positive[part], score[part], sample_weight=weight, pos_label=True
        )

    @remembered(32)
    def curve(self, name: str, joined: tuple[int, ...]) -> Curve:
        """Compute the curve of a model, with some of its segments joined."""
        step(f"curve of {name}")
        samples = None
        if self.unit is not None:
            score = self._join(name, joined, self.scores[name])
            samples = samples_in_clusters(
                self.positive, score, self.unit, self.weight, pos_label=True
            )
        if not joined:
            return Curve(self._segments(self.scores[name]), self._n_resamples, samples)
        segments = self.curve(name, ()).segments
        score = self._join(name, joined, segments.score)
        return Curve(segments.with_scores(score), self._n_resamples, samples)

    @remembered(8)
    def pairs(self, name: str, joined: tuple[int, ...]) -> RankedPairs | None:
        """Pair the samples by a model's scores; None if there are too many for cells."""
        n_pos = int(self.positive.sum())
        if not can_have_cells(n_pos, self.positive.size - n_pos):
            return None
        score = self._join(name, joined, self.scores[name])
        return rank_pairs(self.positive, score, sample_weight=self.weight, pos_label=True)

    @classmethod
    def from_segments(cls, segments: RankedSegments, labels: Any = None) -> Self:
        """Open on counts instead of samples, such as those of data in partitions."""
        y_true, y_score, weight = segments.to_samples()
        scored = cls(
            y_true, {UNNAMED: y_score}, sample_weight=weight, pos_label=True, labels=labels
        )
        scored.counted = segments
        return scored

    def split_lines(self) -> list[str]:
        """Write Python that makes the halves."""
        if self.unit is not None:
            return [
                "folds = StratifiedGroupKFold(2, shuffle=True, random_state=0)",
                "fit, judge = next(folds.split(y_true, y_true, clusters))",
            ]
        return [
            "fit, judge = train_test_split(",
            "    np.arange(len(y_true)), test_size=0.5, stratify=y_true, random_state=0",
            ")",
        ]

    @cached_property
    def halves(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Indices for fitting and for judging: stratified halves, always the same.

        Clusters stay whole.
        """
        from sklearn.model_selection import StratifiedGroupKFold, train_test_split  # takes long

        y_true = np.asarray(self.given["y_true"]).ravel()
        if self.unit is not None:
            clusters = np.asarray(self.given["clusters"]).ravel()
            folds = StratifiedGroupKFold(2, shuffle=True, random_state=0)
            fit, judge = next(folds.split(y_true, y_true, clusters))
            return fit, judge
        fit, judge = train_test_split(
            np.arange(y_true.size), test_size=0.5, stratify=y_true, random_state=0
        )
        return fit, judge

    def can_hold_out(self) -> bool:
        """Whether both halves have samples with positive weight of both classes."""
        smaller_class = min(self.positive.sum(), (~self.positive).sum())
        if self.counted is not None or smaller_class < 2:
            return False
        if self.unit is None and (self.weight is None or self.weight.all()):
            return True
        all_weights = np.ones(self.positive.size) if self.weight is None else self.weight
        for half in self.halves:
            positive = self.positive[half]
            weight = all_weights[half]
            if not weight[positive].any() or not weight[~positive].any():
                return False
        return True

    def arguments(self, name: str = "") -> Mapping[str, Any]:
        """Get labels, one model's scores and the weights, or the segments."""
        arguments = super().arguments()
        if self.counted is not None:
            return arguments
        return {**arguments, "y_score": arguments["y_score"][name]}

    @remembered(32)
    def calibrated(
        self, name: str, joined: tuple[int, ...], how: str, held_out: bool
    ) -> Calibrated:
        """Calibrate a model's scores, and compute their Brier score."""
        step("calibration")
        if held_out:
            score = self._join(name, joined, self.scores[name])
            fit_rows, judge_rows = self.halves
            fit = self._segments(score, fit_rows)
            judge = self._segments(score, judge_rows)
        else:
            fit = judge = self.curve(name, joined).segments
        calibration = IdentityMap() if how == "raw" else calibration_map(fit, **CALIBRATIONS[how])
        segments = judge.with_scores(np.clip(calibration(judge.score), 0.0, 1.0))
        before = brier_decomposition(judge) if self.are_probabilities(name) else None
        return Calibrated(calibration, segments, before, brier_decomposition(segments), held_out)

    @remembered(8)
    def model_hull_curves(self, hull: ModelHull, prevalence: float) -> ModelHullCurves:
        """Prepare the hull over all models for spaces other than ROC."""
        return ModelHullCurves(hull, prevalence)

    @remembered(8)
    def hull_over(self, name: str, joined: tuple[int, ...]) -> ModelHull:
        """Compute the hull over all models, with some segments of one of them joined."""
        segments = {}
        for other in self.scores:
            joined_here = joined if other == name else ()
            segments[other] = self.curve(other, joined_here).segments
        return hull_over_models(segments)

    @remembered(32)
    def test(self, name: str, other: str) -> AUCTest | None:
        """Test whether two models have the same AUC; None if there are too few samples."""
        step(f"test of {name} and {other}")
        weight = np.ones(self.positive.size) if self.weight is None else self.weight
        for of_class in (weight[self.positive], weight[~self.positive]):
            if of_class.size < 2 or of_class.sum() <= 1:
                return None
        return auc_test(
            self.positive,
            self.scores[name],
            self.scores[other],
            sample_weight=self.weight,
            clusters=self.unit,
            pos_label=True,
        )
