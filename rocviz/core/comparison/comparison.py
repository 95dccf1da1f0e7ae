"""A table of several classifiers on the same samples: ranking, probabilities, costs, tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import xlog1py, xlogy

from rocviz.core.base.classes import (
    ClassSamples,
    check_class_samples,
    class_clusters,
    in_one_order,
    positive_column,
    positive_columns,
)
from rocviz.core.base.frozen import DataFrame, Frozen, frame_html, to_frame
from rocviz.core.base.naming import by_name, entry_names, name_texts
from rocviz.core.base.samples import Samples, check_scored
from rocviz.core.base.validation import (
    Floats,
    Seed,
    Weights,
    as_array,
    check_aligned,
    check_bootstrap,
    check_costs,
    check_prevalence,
    check_same_length,
    check_vector,
    clipped_probabilities,
    describe,
    distinct_labels,
    label_column,
)
from rocviz.core.calibration.brier import brier_decomposition, refinement
from rocviz.core.comparison.auc_covariance import AUCCovariance, auc_covariance
from rocviz.core.comparison.calibration_error import (
    CalibrationError,
    TestedModel,
    check_resamples,
    errors_of_models,
)
from rocviz.core.comparison.hand_till import area_covariance, widened_ends
from rocviz.core.roc.auc_intervals import AUCSpread, auc_spread
from rocviz.core.roc.segments import RankedSegments


@dataclass(frozen=True, eq=False)
class ClassifierComparison(Frozen):
    """Results of several classifiers on the same samples; arrays have one entry per classifier.

    Made by :func:`compare_classifiers`.

    Parameters
    ----------
    names : tuple of str
        In the order they were given.
    auc, auc_low, auc_high : ndarray of float, shape (n_models,)
        Area under the ROC curve with its interval (logit scale).
    brier, refinement, miscalibration, discrimination : ndarray of float, shape (n_models,)
        Brier score, and its parts by the hull: ``brier = miscalibration - discrimination +
        uncertainty``; refinement is ``uncertainty - discrimination``. ``nan`` where scores are no
        probabilities, as the next three.
    log_loss : ndarray of float, shape (n_models,)
        Mean negative log-likelihood in nats; infinite where a label had probability 0.
    calibration_error, calibration_low, calibration_high : ndarray of float, shape (n_models,)
        Root of the miscalibration, with the interval of :func:`calibration_error`.
    calibration_p : ndarray of float, shape (n_models,)
        How often data drawn from the probabilities themselves are miscalibrated as much: a test of
        calibration by consistency resampling.
    cost : ndarray of float, shape (n_models,)
        Least expected cost of a sample at the given costs and prevalence.
    rank : ndarray of int, shape (n_models,)
        1 for the greatest AUC; equal ones share the best rank.
    areas : AUCCovariance
        All AUCs together, for tests of their differences.
    prevalence : float
        Prevalence at which the cost is expected; ``nan`` for several classes, as the costs.
    cost_fp, cost_fn : float
    confidence : float
        Confidence level of every interval.
    uncertainty : float
        Brier score of always saying the prevalence of the data.
    classes : tuple of label, optional
        Of several classes, in the order of the columns.
    """

    names: tuple[str, ...]
    auc: Floats
    auc_low: Floats
    auc_high: Floats
    brier: Floats
    refinement: Floats
    miscalibration: Floats
    discrimination: Floats
    log_loss: Floats
    calibration_error: Floats
    calibration_low: Floats
    calibration_high: Floats
    calibration_p: Floats
    cost: Floats
    rank: Floats
    areas: AUCCovariance
    prevalence: float
    cost_fp: float
    cost_fn: float
    confidence: float
    uncertainty: float
    classes: tuple[Any, ...] | None = None

    def to_frame(self) -> DataFrame:
        """Make a table of one row per classifier, best AUC first.

        Returns
        -------
        pandas.DataFrame
            Indexed by ``model``; the columns are the arrays above.
        """
        arrays = {name: getattr(self, name) for name in ("rank", "auc", *_COLUMNS_OF_ROWS)}
        table = to_frame(model=self.names, **arrays)
        return table.set_index("model").sort_values("rank", kind="stable")

    def pairs(self, *, method: str = "delong-mover") -> DataFrame:
        """Test every pair of AUCs, with Holm's correction for their number.

        Parameters
        ----------
        method : {"delong-mover", "delong"}, default="delong-mover"
            As for :func:`rocviz.core.roc.auc_test`.

        Returns
        -------
        pandas.DataFrame
            As :meth:`AUCCovariance.pairs`.

        Raises
        ------
        ValueError
            If the method is unknown.
        """
        return self.areas.pairs(method=method, confidence=self.confidence)

    def to_latex(self) -> str:
        """Write the table as LaTeX (booktabs), with intervals in brackets after the estimates."""
        head = r"Model & AUC & Brier & Log loss & Calibration error & Cost \\"
        rows = []
        for i in np.argsort(self.rank, kind="stable"):
            calibration = _cell(self.calibration_error[i])
            if np.isfinite(self.calibration_error[i]):
                calibration += f" [{self.calibration_low[i]:.3f}, {self.calibration_high[i]:.3f}]"
            cells = [
                self.names[i].translate(_LATEX_ESCAPES),
                f"{self.auc[i]:.3f} [{self.auc_low[i]:.3f}, {self.auc_high[i]:.3f}]",
                _cell(self.brier[i]),
                _cell(self.log_loss[i]),
                calibration,
                _cell(self.cost[i]),
            ]
            rows.append(" & ".join(cells) + r" \\")
        body = "\n".join(rows)
        return (
            f"\\begin{{tabular}}{{lccccc}}\n\\toprule\n{head}\n\\midrule\n{body}\n"
            f"\\bottomrule\n\\end{{tabular}}\n"
        )

    def to_html(self) -> str:
        """Write the table as HTML for notebooks, best AUC first."""
        shown = self.to_frame().round(4)
        html: str = shown.to_html(na_rep="–", escape=True)
        return html

    def _repr_html_(self) -> str:
        return frame_html(self.to_frame().round(4), "models", na_rep="–")


#: Fields of a comparison that each model's row may have: those with a number for each model.
_COLUMNS_OF_ROWS = tuple(
    column.name
    for column in fields(ClassifierComparison)
    if column.type == "Floats" and column.name not in ("auc", "rank")
)

#: Characters that LaTeX would read as commands.
_LATEX_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: "\\" + sign for sign in "&%$#_{}"},
    }
)


def _cell(value: float) -> str:
    if np.isnan(value):
        return "--"
    return f"{value:.3f}" if np.isfinite(value) else r"$\infty$"


def check_scores(
    scores: Any, n_samples: int, name: str = "scores", *, y_true: Any = None, pos_label: Any = None
) -> dict[str, Floats]:
    """Check scores and name them, from a mapping, a data frame, or a table of one column per model.

    Their rows, where they have names, must be in the order of those of ``y_true``. With labels, a
    matrix of the probabilities of two classes gives the scores of one model.

    The columns of a plain table are named ``model 1``, ``model 2``, ... It raises ``ValueError``
    if there is no model, two have the same name, or a column is not one number per sample.
    """
    checked = {}
    if y_true is not None:
        scores = positive_column(scores, y_true, pos_label, name)
    for key, value in _named_scores(scores, name).items():
        argument = f"{name}[{describe(key)}]"
        check_aligned(**{"y_true": y_true, argument: value})
        if y_true is not None:
            value = positive_column(value, y_true, pos_label, argument)
        checked[key] = check_vector(value, argument)
        check_same_length(n_samples, **{argument: checked[key]})
    return checked


def check_models(
    y_true: ArrayLike,
    scores: Any,
    sample_weight: Weights,
    pos_label: Any,
    clusters: ArrayLike | None = None,
    check: Callable[[ArrayLike, str], Floats] = check_vector,
) -> tuple[Samples, dict[str, Floats]]:
    """Check samples with the scores of several named models; drop samples of weight 0."""
    named = _named_scores(positive_column(scores, y_true, pos_label, "scores"), "scores")
    columns: Any = dict(zip(entry_names("scores", named), named.values(), strict=True))
    samples = check_scored(y_true, sample_weight, pos_label, clusters, check=check, **columns)
    return samples, dict(zip(named, samples.scores, strict=True))


def _named_scores(scores: Any, name: str) -> dict[str, Any]:
    """Name the columns of scores."""
    scores = by_name(scores)
    if isinstance(scores, Mapping):
        named = dict(zip(name_texts(scores, name), scores.values(), strict=True))
        n_models = len(scores)
    else:
        table = as_array(scores, name, "a table of numbers")
        if table.ndim == 1:
            table = table[:, None]
        if table.ndim != 2:
            raise ValueError(
                f"{name} must be a mapping, a data frame or a table of one column per model; "
                f"got shape {table.shape}."
            )
        named = {f"model {i + 1}": table[:, i] for i in range(table.shape[1])}
        n_models = len(named)
    if not named:
        raise ValueError(f"{name} is empty; at least one model is needed.")
    if len(named) < n_models:
        raise ValueError(f"{name} has two models of the same name.")
    return named


def compare_classifiers(
    y_true: ArrayLike,
    scores: Any,
    *,
    sample_weight: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    classes: Sequence[Any] | None = None,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    prevalence: float | None = None,
    confidence: float = 0.95,
    n_resamples: int = 500,
    random_state: Seed = 0,
) -> ClassifierComparison:
    """Compare several classifiers on the same samples.

    The AUC has the default interval of :func:`auc_interval`, and so it has with clusters.
    Calibration errors, their intervals and tests are those of :func:`calibration_error`.

    Of several classes the AUC is Hand and Till's M, see :func:`rocviz.hand_till_auc`; Brier scores
    and their parts are sums over the classes, each against the rest, and the calibration error is
    the root of their miscalibration. The cost is ``nan``: :func:`rocviz.best_simplex_point` takes
    costs of several classes.

    Parameters
    ----------
    y_true, pos_label, confidence, random_state
        As for :func:`calibration_error`.
    scores : mapping of str to array-like, data frame, or array-like of shape (n_samples, n_models)
        Higher means more positive. Columns about probabilities are ``nan`` for a model with a
        score outside of [0, 1]. Of several classes, a mapping of str to array-like of shape
        (n_samples, n_classes): probabilities whose rows sum to 1.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated; samples of weight zero are left out.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) belong together: standard errors and tests of
        AUCs take that into account, as do intervals of calibration errors.
    classes : sequence of label, optional
        Of several classes, the labels in the order of the columns; needed unless columns of data
        frames are named after them or labels are 0, 1, 2, ...
    cost_fp, cost_fn : float, default=1.0
        Costs of a false alarm and of a miss; not negative, not both zero. Only of two classes.
    prevalence : float, optional
        Prevalence at which the cost is expected; by default that of the data. Only of two classes.
    n_resamples : int, default=500
        Number of times that labels are drawn by chance, for tests of calibration; at least 50, or 0
        to leave the p-values ``nan``.

    Raises
    ------
    ValueError
        If an argument is invalid, the models' names are not distinct, or the comparison
        would take more than a day or too much memory.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988). Obuchowski (1997). Holm (1979). Dimitriadis, Gneiting
    and Jordan (2021). Hand and Till (2001).

    Examples
    --------
    >>> y = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> scores = {"clinic": [0.1, 0.2, 0.4, 0.6, 0.3, 0.7, 0.8, 0.9], "coin": [0.5] * 8}
    >>> comparison = compare_classifiers(y, scores, n_resamples=50)
    >>> comparison.to_frame()["auc"].to_dict()
    {'clinic': 0.875, 'coin': 0.5}
    """
    check_aligned(y_true=y_true, sample_weight=sample_weight, clusters=clusters)
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state, optional=True)
    if classes is None and not _has_several_classes(y_true):
        scores = positive_columns(scores, y_true, pos_label, "scores")
    if classes is not None or _has_tables(scores):
        is_given = {
            "pos_label": pos_label is not None,
            "prevalence": prevalence is not None,
            "cost_fp": cost_fp != 1,
            "cost_fn": cost_fn != 1,
        }
        for name in is_given:
            if is_given[name]:
                raise ValueError(
                    f"{name} is for two classes; scores hold a table of several classes."
                )
        models = _check_tables(y_true, scores, classes, sample_weight)
        unit = class_clusters(clusters, len(label_column(y_true, "y_true")), sample_weight)
        return _compare_classes(models, unit, level, draws, rng)
    samples, named = check_models(y_true, scores, sample_weight, pos_label, clusters)
    positive, _, weight, unit = samples
    c_fp, c_fn = check_costs(cost_fp, cost_fn)
    if prevalence is not None:
        prevalence = check_prevalence(prevalence, ends=True)

    probabilistic = {}
    for name, score in named.items():
        prob = clipped_probabilities(score)
        if prob is not None:
            probabilistic[name] = prob
    check_resamples(draws, positive.size, len(probabilistic))
    areas = auc_covariance(positive, named, weight, unit)
    tested = [TestedModel.of(prob, positive, weight) for prob in probabilistic.values()]
    calibration_errors = errors_of_models(tested, unit, level, draws, rng)
    errors = dict(zip(probabilistic, calibration_errors, strict=True))
    rows = []
    for name, score in named.items():
        segments = RankedSegments.from_scores(positive, score, sample_weight=weight)
        optimal_point = segments.optimal_point(c_fp, c_fn, prevalence)
        row = {"cost": optimal_point.expected_cost(c_fp, c_fn, prevalence)}
        interval = _auc_spread(segments, areas, name, is_clustered=unit is not None).interval(level)
        row |= {"auc_low": interval.lower, "auc_high": interval.upper}
        if name in errors:
            judged = segments
            if probabilistic[name] is not score:
                judged = RankedSegments.from_scores(
                    positive, probabilistic[name], sample_weight=weight
                )
            row |= _brier_terms([judged]) | _error_columns(errors[name])
            row["log_loss"] = _log_loss(judged)
        rows.append(row)
    return _comparison(
        areas,
        rows,
        confidence=level,
        prevalence=segments.prevalence if prevalence is None else prevalence,
        cost_fp=c_fp,
        cost_fn=c_fn,
        uncertainty=segments.prevalence * (segments.n_neg / segments.n_samples),
    )


def _comparison(
    areas: AUCCovariance, rows: list[dict[str, float]], **rest: Any
) -> ClassifierComparison:
    """Collect the rows of the models, of which each has some of the columns."""
    columns: dict[str, Any] = {}
    for name in _COLUMNS_OF_ROWS:
        columns[name] = np.array([row.get(name, np.nan) for row in rows])
    rank = 1 + (areas.difference < 0).sum(axis=1)
    return ClassifierComparison(
        names=areas.names, auc=areas.auc, rank=rank, areas=areas, **columns, **rest
    )


def _has_several_classes(y_true: Any) -> bool:
    """Whether labels are of more than two classes."""
    return len(distinct_labels(label_column(y_true, "y_true"), "y_true")) > 2


def _has_tables(scores: Any) -> bool:
    """Whether any model's scores have one column per class."""
    if not isinstance(scores, Mapping):
        return False
    shapes = [getattr(score, "shape", None) or np.shape(score) for score in scores.values()]
    return any(len(shape) == 2 and shape[1] > 1 for shape in shapes)


def _check_tables(
    y_true: Any, scores: Any, classes: Sequence[Any] | None, sample_weight: Weights
) -> dict[str, ClassSamples]:
    """Check the probabilities of several classes of each model, and name them."""
    if not isinstance(scores, Mapping) or not scores:
        raise ValueError(
            "scores must map names of models to tables of probabilities where classes are given; "
            f"got {describe(scores)}."
        )
    models = {}
    for name, table in zip(name_texts(scores, "scores"), scores.values(), strict=True):
        models[name] = check_class_samples(
            y_true, table, classes, sample_weight, name=f"scores[{describe(name)}]"
        )
    if len(models) < len(scores):
        raise ValueError("scores has two models of the same name.")
    return in_one_order(models)


def _compare_classes(
    models: dict[str, ClassSamples], unit: Any, level: float, draws: int, rng: np.random.Generator
) -> ClassifierComparison:
    """Compare models of several classes, of checked samples."""
    samples = next(iter(models.values()))
    check_resamples(draws, samples.code.size, len(models), samples.n_classes)
    areas, areas_of_models = area_covariance(models, clusters=unit)
    tested = [TestedModel.of_classes(model) for model in models.values()]
    errors = errors_of_models(tested, unit, level, draws, rng)
    rows = []
    for i, (model, error) in enumerate(zip(models.values(), errors, strict=True)):
        low, high, _, _ = widened_ends(
            areas_of_models[i],
            model,
            float(areas.covariance[i, i]),
            float(areas.degrees[i]),
            level,
            clusters=unit,
        )
        row = {"auc_low": low, "auc_high": high, "log_loss": model.log_loss}
        rows.append(row | _brier_terms(_rank_classes(model)) | _error_columns(error))
    return _comparison(
        areas,
        rows,
        confidence=level,
        prevalence=np.nan,
        cost_fp=np.nan,
        cost_fn=np.nan,
        uncertainty=float((samples.prior * (1 - samples.prior)).sum()),
        classes=samples.classes,
    )


def _rank_classes(samples: ClassSamples) -> list[RankedSegments]:
    """Rank the samples by the probability of each class, against the rest."""
    rankings = []
    for k in range(samples.n_classes):
        rankings.append(
            RankedSegments.from_scores(
                samples.is_class(k), samples.prob[:, k], sample_weight=samples.weight
            )
        )
    return rankings


def _auc_spread(
    segments: RankedSegments, areas: AUCCovariance, name: str, *, is_clustered: bool
) -> AUCSpread:
    """Select the spread of a model's AUC, from the covariance if there are clusters."""
    if not is_clustered:
        return auc_spread(segments.pos, segments.neg)
    i = areas.names.index(name)
    return AUCSpread(
        float(areas.auc[i]),
        float(areas.wrong[i]),
        float(areas.covariance[i, i]),
        segments.n_pos,
        segments.n_neg,
        np.empty(0),
        "widened-delong",
        float(areas.degrees[i]),
        int(areas.smaller),
    )


def _brier_terms(by_class: list[RankedSegments]) -> dict[str, float]:
    """Sum Brier scores and their terms over the classes, or take those of two classes."""
    parts = [brier_decomposition(segments) for segments in by_class]
    return {
        "brier": sum(part.brier for part in parts),
        "miscalibration": sum(part.miscalibration for part in parts),
        "discrimination": sum(part.discrimination for part in parts),
        "refinement": sum(refinement(segments.hull()) for segments in by_class),
    }


def _error_columns(error: CalibrationError) -> dict[str, float]:
    return {
        "calibration_error": error.error,
        "calibration_low": error.lower,
        "calibration_high": error.upper,
        "calibration_p": error.p_value,
    }


def _log_loss(segments: RankedSegments) -> float:
    terms = xlogy(segments.pos, segments.score) + xlog1py(segments.neg, -segments.score)
    return -float(terms.sum()) / segments.n_samples
