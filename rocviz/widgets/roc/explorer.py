"""The ROC explorer: its constructor, its pictures and the actions on them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from numpy.typing import ArrayLike

from rocviz.core.base.classes import positive_column
from rocviz.core.base.frozen import DataFrame
from rocviz.core.base.naming import by_name, score_name
from rocviz.core.roc.segments import RankedSegments
from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.own_data import FromEstimator, both_given, refuse_beside_segments
from rocviz.widgets.base.stage import Panel
from rocviz.widgets.roc.data import UNNAMED, Scored
from rocviz.widgets.roc.pencil import Pencil
from rocviz.widgets.roc.result import ROCResult
from rocviz.widgets.roc.state import MAX_CLICKABLE_SEGMENTS, ROCState
from rocviz.widgets.roc.view import (
    brier_picture,
    confusion_caption,
    confusion_note,
    curve_picture,
    pairs_picture,
    people_picture,
    reliability_picture,
    scores_picture,
)
from rocviz.words import short_score

if TYPE_CHECKING:
    from rocviz.widgets.roc.inputs import ROCInputs


class ROCExplorer(ROCState, FromEstimator, Explorer):
    """See a ranking's ROC curve, its convex hull and its Brier score, and move them.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments, optional
        Labels of exactly two classes; or, alone, the segments of data that were counted before
        (:meth:`RankedSegments.from_partitions`). Without data: a sandbox of simulated scores.
    y_score : array-like of float, shape (n_samples,), or mapping of str to such, optional
        Scores, higher means more positive; or several named models' scores of the same samples, as
        a mapping or a data frame.
    sample_weight : array-like of float, shape (n_samples,), optional
        Weights.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) vary together: all intervals and tests are of
        clusters. Only with labels, and with the band by bootstrap.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    labels : mapping of label to str, or pair of str, optional
        Names of the classes in sentences and pictures: by label, or of the negative and of the
        positive class. By default the labels themselves, unless they are 0 and 1, -1 and 1, or
        booleans, which name nothing.
    threshold : float, optional
        Samples that score at least this are predicted positive.
    random_part : float, optional
        Share of the samples tied exactly at the threshold that is predicted positive. From 0 to 1.
    lower_threshold : float, optional
        Samples that score less are ruled out, if the rest is referred. Referring puts both
        thresholds where they cost least, unless they are given with it.
    upper_threshold : float, optional
        Samples that score at least this are ruled in, if the rest is referred.
    space : str, optional
        Space in which the curve is drawn; with ``'space'`` among the panels, beside ROC space. One
        of 'roc', 'precision_recall', 'pr_gain', 'gain', 'lift', 'det', 'cost', 'brier', 'decision'.
    model : str, optional
        Name of the model in front, if there are several.
    cost_fn : float, optional
        Cost of a missed positive, if a false alarm costs 1. From 0.01 to 100.
    deployment_prevalence : float, optional
        Share of positives where the classifier is to be used. From 0.001 to 0.999.
    refer : bool, optional
        Give three answers: rule out below a lower threshold, rule in from an upper one on, and
        refer the samples between.
    cost_referral : float, optional
        Cost of a referral, if a false alarm costs 1. From 0 to 100.
    metric : str, optional
        Metric whose isometric runs through the operating point, by any of its names; ``'none'``
        draws none. One of 'accuracy', 'cost', 'net_benefit', 'f', 'jaccard', 'balanced_accuracy',
        'g_tp_pr', 'g_mean', 'h_mean', 'q_mean', 'mcc', 'macro_f1', 'kappa', 'sec', 'tpr', 'fpr',
        'tnr', 'fnr', 'precision', 'npv', 'false_discovery_rate', 'false_omission_rate',
        'error_rate', 'predicted_positive_rate', 'informedness', 'odds_ratio', 'likelihood_ratio',
        'lr_negative', 'none'.
    threshold_probability : float, optional
        Of the net benefit: the probability from which on acting is worth it; its odds are the true
        positives that one false positive costs. From 0.001 to 0.999.
    beta : float, optional
        Of the F measure: how many times recall counts as much as precision. From 0.01 to 100.
    show_hull : bool, optional
        Draw the convex hull of the curve.
    show_best : bool, optional
        Mark the point with the lowest expected cost, and say how much it saves.
    hull_over : {'all', 'model'}, optional
        Whether the hull and the cost-optimal point are those of all models or of the model in
        front.
    show_band : bool, optional
        Draw a band that contains the whole true curve with the stated confidence.
    band_method : {'bootstrap', 'kolmogorov-smirnov'}, optional
        Method of the confidence band.
    confidence : float, optional
        Confidence of the band and of the intervals. From 0.5 to 0.999.
    calibration : str, optional
        Map from scores to probabilities. One of 'raw', 'hull', 'hull + Laplace', 'isotonic',
        'beta', 'sigmoid'.
    held_out : bool, optional
        Fit the calibration on one half of the samples and judge it on the other.
    reliability_by : {'hull', 'score'}, optional
        Whether a circle of the reliability diagram is a segment of the hull or a score.
    joined : tuple, optional
        Boundaries (between original segments i - 1 and i) that were removed by joining.
    separation : float, optional
        Distance of the classes' means, in standard deviations. From -3 to 8.
    spread_ratio : float, optional
        Standard deviation of the positives' scores. From 0.2 to 5.
    prevalence : float, optional
        Share of positives drawn. From 0.01 to 0.99.
    n_samples : int, optional
        Number of samples drawn. From 20 to 1,000,000.
    over_confidence : float, optional
        Factor of the log odds of the scores; above 1 they are overconfident. From 0.19 to 20.
    decimals : int, optional
        Decimals to which scores are rounded. From 1 to 6.
    draw : bool, optional
        Show the scores drawn by hand in place of simulated ones.
    drawn_positives : tuple, optional
        Scores of the positives drawn by hand.
    drawn_negatives : tuple, optional
        Scores of the negatives drawn by hand.
    seed : int, optional
        Seed of the sample drawn.
    preset : str, optional
        Name of a teaching situation: it sets its own inputs and resets all others.
    panels : tuple, optional
        Names of the pictures that are shown, in their order.
    focus : str, optional
        Name of the large picture. Unless it is set, or a title clicked, the first of the panels is
        large; ``None`` goes back to that.
    unfolded : tuple, optional
        Names of the controls outside the folds; by default the explorer's own choice.

    Attributes
    ----------
    result : ROCResult
        What is on screen, as the core's objects: ``result.table``, ``result.segments``, ...
    data : iterable
        Labels and scores on screen, also those drawn by hand, which ``ROCExplorer(*explorer.data)``
        takes again; ``data.to_frame()`` is a table of the samples.

    Raises
    ------
    ValueError
        If the data are invalid; nothing is drawn in that case.
    TypeError
        If an input is unknown; the message lists the ones there are.

    See Also
    --------
    rocviz.ROCHullDisplay : The same picture in matplotlib.

    Examples
    --------
    >>> explorer = ROCExplorer([0, 1, 0, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9])
    >>> explorer.threshold = 0.4
    >>> explorer.result.table.tpr, explorer.result.table.fpr
    (1.0, 0.0)
    >>> explorer.close()
    """

    _clicked: int | None = None  # the segment clicked last

    def __init__(
        self,
        y_true: ArrayLike | RankedSegments | None = None,
        y_score: ArrayLike | Mapping[str, ArrayLike] | DataFrame | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        pos_label: Any = None,
        labels: Any = None,
        **inputs: Unpack[ROCInputs],
    ) -> None:
        data = None
        beside = {
            "sample_weight": sample_weight,
            "clusters": clusters,
            "pos_label": pos_label,
            "labels": labels,
        }
        if isinstance(y_true, RankedSegments):
            refuse_beside_segments(y_score, sample_weight, clusters, pos_label)
            data = Scored.from_segments(y_true, labels)
        elif both_given(beside, y_true=y_true, y_score=y_score) and y_true is not None:
            y_score = positive_column(y_score, y_true, pos_label, "y_score")
            named: Any = by_name(y_score)
            column = score_name(y_score)
            scores: Any = named if isinstance(named, Mapping) else {column or UNNAMED: y_score}
            if named is not y_score and len(named) == 1:  # a frame of one column
                (column,) = named
            data = Scored(
                y_true,
                scores,
                sample_weight=sample_weight,
                clusters=clusters,
                pos_label=pos_label,
                labels=labels,
                axis_name=column or "score",
            )
        super().__init__(data, **inputs)

    @classmethod
    def scores_of(cls, estimator: Any, X: Any, options: dict[str, Any]) -> Any:
        """Compute the scores of one classifier, or of each classifier in a mapping."""
        scores_of_one = super().scores_of
        if not isinstance(estimator, Mapping):
            from rocviz.displays.base.data import model_name

            return {model_name(estimator): scores_of_one(estimator, X, options)}
        return {name: scores_of_one(model, X, options) for name, model in estimator.items()}

    def tables(self) -> dict[str, DataFrame]:
        """Make a table of the rates at the threshold, below all models if there are several."""
        rates = super().tables()[""]
        if len(self.data.scores) == 1:
            return {"": rates}
        if self.refer:
            return {"every model at its best threshold": self.result.to_frame(), self.model: rates}
        selected = f"{self.model} at the threshold {short_score(self.threshold)}"
        return {"every model at its best threshold": self.result.to_frame(), selected: rates}

    # ------------------------------------------------------------------ pictures

    def _make_panels(self) -> dict[str, Panel]:
        self._pencil = Pencil(self)
        thresholds = {
            "threshold": ("threshold", self._drag_threshold),
            "lower": ("lower_threshold", lambda x, _y: self.move_end("lower", float(x))),
            "upper": ("upper_threshold", lambda x, _y: self.move_end("upper", float(x))),
        }
        return {
            "people": Panel(
                people_picture,
                drags=thresholds,
                on_press=self._draw_people,
                is_drawn_on=lambda: self.is_drawn_by_hand and self._panels["people"].is_large,
            ),
            "roc": self._make_curves("roc"),
            "scores": Panel(scores_picture, drags=thresholds),
            "reliability": Panel(
                reliability_picture,
                on_click={"circles": self._click_segment},
                note=confusion_note,
                caption=lambda result: confusion_caption(result, self.class_names),
                parts=("reliability", "calibrated"),
            ),
            "brier": Panel(brier_picture, parts=("calibrated",)),
            "pairs": Panel(
                pairs_picture,
                drags={
                    "point": ("threshold", lambda x, y: self.move_to(*self._rates(x, y))),
                    "lower": ("lower_threshold", partial(self._drag_end_of_pairs, "lower")),
                    "upper": ("upper_threshold", partial(self._drag_end_of_pairs, "upper")),
                },
            ),
            "space": self._make_curves("space"),
        }

    def _make_curves(self, name: str) -> Panel:
        return Panel(
            partial(curve_picture, name),
            drags={
                "point": ("threshold", lambda x, y: self.move_to(x, y, self.space_of(name))),
                "lower": ("lower_threshold", partial(self._drag_end, name, "lower")),
                "upper": ("upper_threshold", partial(self._drag_end, name, "upper")),
            },
            on_click={
                "corners": self.coarsen,
                "model": partial(setattr, self, "model"),
                "keys": partial(setattr, self, "model"),
            },
        )

    # ------------------------------------------------------------------ actions of the user

    def _drag_threshold(self, x: float, _y: float) -> None:
        low, high = self.bounds
        self.update(threshold=float(min(max(x, low), high)), random_part=1.0)

    def _drag_end(self, picture: str, end: str, x: float, y: float) -> None:
        self.move_end_to(end, x, y, self.space_of(picture))

    def _drag_end_of_pairs(self, end: str, x: float, y: float) -> None:
        self.move_end_to(end, *self._rates(x, y))

    def _rates(self, x: float, y: float) -> tuple[float, float]:
        """Turn counts of false and of true positives into rates."""
        segments = self.result.segments
        return x / segments.n_neg, y / segments.n_pos

    def _click_segment(self, clicked: int) -> None:
        """Join two neighbouring segments that are clicked one after the other."""
        result = self.result
        n = len(self.result.segments)
        are_segments = not self.held_out and len(result.reliability.n) == n
        if self.reliability_by != "score" or n > MAX_CLICKABLE_SEGMENTS or not are_segments:
            return  # the circles are not the segments of the ranking
        before = self._clicked
        self._clicked = clicked
        if before is not None and abs(before - clicked) == 1:
            self._clicked = None
            self.coarsen(min(before, clicked))

    def _draw_people(self, event: str, x: float, y: float) -> None:
        picture = self._panels["people"].picture
        assert picture is not None
        self._pencil.on_press(picture, event, x, y)

    # ------------------------------------------------------------------ previews

    def _complete(self, result: ROCResult) -> None:
        result.thin()
