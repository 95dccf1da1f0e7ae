"""The sections of a report on models of two classes, one function each."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.comparison.fold_average import fold_average
from rocviz.core.curve_spaces.space_curve import space_curve
from rocviz.core.groups.summary import group_summary
from rocviz.core.roc.auc_intervals import auc_interval
from rocviz.core.roc.confusion import ConfusionTable
from rocviz.core.roc.segments import RankedSegments
from rocviz.report.data import Evaluation
from rocviz.report.section import Picture, Section, Table, join
from rocviz.words import INTERVAL_NAMES, amount, area_text, number, p_value, percent, score_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rocviz.theme import Theme

MOST = 6  # models that have a figure of their own
RARE = 0.2  # prevalence below which precision and recall say more than the ROC curve
_QUANTITIES = {
    "auc": "AUC",
    "tpr": "true positive rate",
    "fpr": "false positive rate",
    "precision": "precision",
    "predicted_positive_rate": "share called positive",
}
SURE = 0.05  # corrected p values below this are called differences


def data_section(data: Evaluation) -> Section:
    """Describe the samples and the scores."""
    first = data.first
    n, n_pos = first.n_samples, first.n_pos
    many = f"{len(data.rankings)} models" if len(data.rankings) > 1 else "one model"
    text = [
        f"The data hold {amount(n)} samples, of which {amount(n_pos)} are {data.positive} "
        f"({percent(first.prevalence, 1)}). They have the scores of {many}."
    ]
    given = data.samples
    if given is None:
        text.append(
            "The data were counted by score, piece by piece; the samples themselves were not kept. "
            "Tests between models, calibration intervals, groups and folds need them and are left "
            "out."
        )
    elif given.weight is not None:
        text.append(
            f"Samples are weighted: {given.positive.size:,} rows stand for {amount(n)} samples. "
            "Intervals treat a weight as the number of times that a sample occurred."
        )
    if data.prevalence is not None:
        text.append(
            f"Costs and counts are given for a prevalence of {percent(data.prevalence, 1)}, where "
            "the models are to be used."
        )
    rows = {
        name: {
            "model": name,
            "lowest": float(one.score[-1]),
            "highest": float(one.score[0]),
            "distinct": len(one),
            "probability": bool(name in data.probable),
        }
        for name, one in data.rankings.items()
    }
    headings = {
        "model": "model",
        "lowest": "lowest score",
        "highest": "highest score",
        "distinct": "distinct scores",
        "probability": "within 0 and 1",
    }
    return Section("The data", text, [_table("scores", "Scores", rows.values(), headings)])


def ranking_section(data: Evaluation) -> Section:
    """Say how well the models rank: ROC curves and areas with intervals."""
    rows, methods = [], set()
    for name, one in data.rankings.items():
        low, high = np.nan, np.nan
        if one.is_exact:
            interval = auc_interval(one)
            low, high = interval.lower, interval.upper
            methods.add(INTERVAL_NAMES.get(interval.method, interval.method))
        rows.append(
            {
                "model": name,
                "auc": one.auc,
                "auc_lower": low,
                "auc_upper": high,
                "auc_text": area_text(one, lambda each: each.auc),
                "average_precision": space_curve(one, "precision_recall").area,
            }
        )
    best = max(rows, key=lambda row: row["auc"])
    text = [
        f"{_by(data, best['model'])} a randomly chosen sample that is {data.positive} scores higher "
        f"than a randomly chosen other one with probability {best['auc_text']} (AUC"
        + (
            f"; 95 % interval {number(best['auc_lower'])} to {number(best['auc_upper'])})."
            if isfinite(best["auc_lower"])
            else ")."
        )
    ]
    headings = {"model": "model", "auc_text": "AUC"}
    if methods:
        headings |= {"auc_lower": "95 % from", "auc_upper": "to"}
    headings |= {"average_precision": "average precision"}
    pictures = [
        Picture(
            "roc",
            "ROC curves: the share of the positives that is found, against the share of the "
            "negatives that raise a false alarm, for each threshold.",
            _display("ROCHullDisplay", data.rankings, thresholds=len(data.rankings) == 1),
        )
    ]
    if data.used_at < RARE:
        pictures.append(
            Picture(
                "precision_recall",
                f"Precision against recall. With {percent(data.first.prevalence, 1)} positives, most "
                "alarms can be false although few negatives raise one; this curve shows it.",
                _display("CurveSpaceDisplay", data.rankings, space="precision_recall"),
            )
        )
    notes = (
        [
            f"Intervals of the AUC: {join(sorted(methods))}, 95 %. Ties count one half. "
            "Average precision is the area under the precision-recall curve, interpolated as the "
            "ranking's ties require."
        ]
        if methods
        else [
            "Scores that share a cell were counted together, so an AUC is given by bounds that hold for "
            "every order within the cells."
        ]
    )
    return Section(
        "Ranking", text, [_table("ranking", "How well each model ranks", rows, headings)],
        pictures, notes,
    )  # fmt: skip


def comparison_section(data: Evaluation) -> Section | None:
    """Say which differences between models chance explains."""
    if data.samples is None or len(data.rankings) < 2:
        return None
    found = data.comparison.pairs()
    sure = found[found["p_holm"] < SURE]
    pairs = len(found)
    text = []
    if sure.empty:
        text.append(
            f"Chance alone can explain the difference in AUC of "
            f"{'both models' if pairs == 1 else f'each of the {pairs} pairs of models'}: no p value "
            f"is below {SURE:g} after Holm's correction."
        )
    else:
        named = [
            f"{one.model_a if one.difference > 0 else one.model_b} ranks better than "
            f"{one.model_b if one.difference > 0 else one.model_a} by {number(abs(one.difference))} "
            f"({p_value(one.p_holm)})"
            for one in sure.head(5).itertuples()
        ]
        text.append(
            f"Chance alone does not explain {len(sure)} of {pairs} differences in AUC: {join(named)}"
            + (", and others in the table." if len(sure) > len(named) else ".")
        )
    headings = {
        "model_a": "model",
        "model_b": "compared with",
        "difference": "difference",
        "lower": "95 % from",
        "upper": "to",
        "p_value": "p",
        "p_holm": "p, corrected",
    }
    return Section(
        "Differences between models",
        text,
        [Table("differences", "Differences in AUC", found.reset_index(drop=True), headings)],
        [
            Picture(
                "differences",
                "The difference in AUC of each pair of models with its 95 % interval; where the "
                "interval holds 0, chance alone can explain it.",
                _display("ModelComparisonDisplay", data.comparison, kind="differences"),
            )
        ]
        if len(data.rankings) <= MOST
        else [],
        [
            "DeLong's test on the same samples; p values are corrected for the number of pairs by "
            "Holm's method."
        ],
    )


def calibration_section(data: Evaluation) -> Section | None:
    """Say whether scores within 0 and 1 can be taken at their word."""
    if not data.probable:
        return Section(
            "Calibration",
            [
                "No model has scores within 0 and 1, so none can be taken for a probability. "
                "HullCalibratedClassifier or calibration_map makes probabilities of such scores."
            ],
        )
    rows = []
    for name, one in data.probable.items():
        parts = brier_decomposition(one)
        row = {
            "model": name,
            "brier": parts.brier,
            "miscalibration": parts.miscalibration,
            "refinement": parts.uncertainty - parts.discrimination,
        }
        if data.samples is not None:
            i = data.comparison.names.index(name)
            row |= {
                "error": float(data.comparison.calibration_error[i]),
                "lower": float(data.comparison.calibration_low[i]),
                "upper": float(data.comparison.calibration_high[i]),
                "p_value": float(data.comparison.calibration_p[i]),
                "log_loss": float(data.comparison.log_loss[i]),
            }
        rows.append(row)
    best = min(rows, key=lambda row: row["brier"])
    name = best["model"]
    share = best["miscalibration"] / best["brier"] if best["brier"] else 0.0
    text = [
        f"The Brier score of {_model(data, name)} is {number(best['brier'])}, of which calibration "
        f"could repair at most {number(best['miscalibration'])} ({percent(share)}); the rest can "
        f"only fall with a better ranking. Always predicting the prevalence scores "
        f"{number(data.first.prevalence * (1 - data.first.prevalence))}."
    ]
    if "p_value" in best:
        verdict = (
            "chance alone does not explain"
            if best["p_value"] < SURE
            else "chance alone can explain"
        )
        text.append(
            f"Predicted and observed frequencies differ by {number(best['error'])} (root mean "
            f"square), which {verdict} ({p_value(best['p_value'])})."
        )
    headings = {
        "model": "model",
        "brier": "Brier score",
        "miscalibration": "repairable",
        "refinement": "rest",
    }
    if "p_value" in best:
        headings |= {
            "error": "calibration error",
            "lower": "95 % from",
            "upper": "to",
            "p_value": "p",
            "log_loss": "log loss",
        }
    pictures = [
        Picture(
            f"reliability_{i}",
            f"Predicted probability of {_model(data, name)} against the observed frequency; on the "
            "diagonal they agree.",
            _display("ReliabilityDisplay", one, name=name),
        )
        for i, (name, one) in enumerate(list(data.probable.items())[:MOST])
    ]
    return Section(
        "Calibration",
        text,
        [_table("calibration", "Errors of the probabilities", rows, headings)],
        pictures,
        [
            "Calibration is measured against the convex hull, which needs no bins. The p value is how "
            "often outcomes drawn from the probabilities themselves are miscalibrated as much."
        ],
    )


def groups_section(data: Evaluation) -> Section | None:
    """Compare groups at the chosen threshold."""
    given = data.samples
    if given is None or given.groups is None:
        return None
    score = given.scores[data.front]
    inside, left_out = _with_both_classes(given.groups, given.positive)
    if len(inside) < 2:
        return Section("Groups", ["Fewer than two groups hold samples of both classes."])
    rankings = {
        str(name): RankedSegments.from_scores(
            given.positive[here],
            score[here],
            sample_weight=None if given.weight is None else given.weight[here],
        )
        for name, here in inside.items()
    }
    cut = data.cuts[data.front]
    summary = group_summary(rankings, threshold=cut.threshold)
    frame, differences = summary.to_frame(), summary.differences()
    sure = differences[differences["p_holm"] < SURE]
    low, high = frame.loc[frame["auc"].idxmin()], frame.loc[frame["auc"].idxmax()]
    text = [
        f"{_by(data, data.front)} the AUC lies between {number(low['auc'])} ({low['group']}) and "
        f"{number(high['auc'])} ({high['group']}). At the threshold {score_text(cut.threshold)} "
        f"the true positive rate lies between {percent(frame['tpr'].min())} and "
        f"{percent(frame['tpr'].max())}, the false positive rate between "
        f"{percent(frame['fpr'].min())} and {percent(frame['fpr'].max())}."
    ]
    if sure.empty:
        text.append("Chance alone can explain every difference between two groups.")
    else:
        named = [
            f"{_QUANTITIES[one.quantity]} of {one.group_a} and {one.group_b} "
            f"({number(one.a)} and {number(one.b)}, {p_value(one.p_holm)})"
            for one in sure.head(5).itertuples()
        ]
        text.append(f"Chance alone does not explain the difference in {join(named)}.")
    if left_out:
        text.append(f"Groups with samples of one class only are left out: {join(left_out)}.")
    untested = frame.loc[~frame["tested"], "group"].tolist()
    if untested:
        text.append(
            f"Groups with fewer than ten samples of a class are shown, not tested: {join(untested)}."
        )
    differences["quantity"] = differences["quantity"].map(_QUANTITIES)
    headings = {
        "group": "group",
        "n_pos": "positives",
        "n_neg": "negatives",
        "auc": "AUC",
        "auc_lower": "95 % from",
        "auc_upper": "to",
        "tpr": "TPR",
        "fpr": "FPR",
        "precision": "precision",
    }
    of_pairs = {
        "group_a": "group",
        "group_b": "compared with",
        "quantity": "of what",
        "difference": "difference",
        "lower": "95 % from",
        "upper": "to",
        "p_holm": "p, corrected",
    }
    return Section(
        "Groups",
        text,
        [
            Table("groups", f"Each group at the threshold of {data.front}", frame, headings),
            Table("group_differences", "Differences between groups", differences, of_pairs),
        ],
        [
            Picture(
                "groups",
                "The ROC curve of each group.",
                _display("ROCHullDisplay", rankings, hull=False),
            )
        ]
        if len(rankings) <= MOST
        else [],
        [
            "Rates have Wilson's intervals, their differences Newcombe's; AUCs of different groups "
            "are independent. Holm's correction is over all pairs of the same quantity. Whether a "
            "difference is unfair is not a question of statistics."
        ],
    )


def folds_section(data: Evaluation) -> Section | None:
    """Say how much the models' AUCs vary between folds."""
    given = data.samples
    if given is None or given.folds is None:
        return None
    inside, left_out = _with_both_classes(given.folds, given.positive)
    if len(inside) < 2:
        return Section("Stability", ["Fewer than two folds hold samples of both classes."])
    rows, averages = [], {}
    for name, score in given.scores.items():
        folds = [
            RankedSegments.from_scores(
                given.positive[here],
                score[here],
                sample_weight=None if given.weight is None else given.weight[here],
            )
            for here in inside.values()
        ]
        average = averages[name] = fold_average(folds)
        mean, lower, upper = average.auc_band("interval")
        rows.append(
            {
                "model": name,
                "mean_auc": mean,
                "lower": lower,
                "upper": upper,
                "least": float(average.auc.min()),
                "greatest": float(average.auc.max()),
                "pooled": average.pooled.auc,
            }
        )
    best = max(rows, key=lambda row: row["mean_auc"])
    text = [
        f"In {len(inside)} folds the AUC of {_model(data, best['model'])} is {number(best['least'])} "
        f"to {number(best['greatest'])}, in the mean {number(best['mean_auc'])} (95 % interval "
        f"{number(best['lower'])} to {number(best['upper'])})."
    ]
    if left_out:
        text.append(f"Folds with samples of one class only are left out: {join(left_out)}.")
    headings = {
        "model": "model",
        "mean_auc": "mean AUC",
        "lower": "95 % from",
        "upper": "to",
        "least": "least",
        "greatest": "greatest",
        "pooled": "all folds in one ranking",
    }
    return Section(
        "Stability over folds",
        text,
        [_table("folds", "AUC by fold", rows, headings)],
        [
            Picture(
                "folds",
                "The average of the folds' ROC curves, and one standard deviation either way.",
                _display("CrossValidationDisplay", averages),
            )
        ]
        if len(averages) <= MOST
        else [],
        [
            "The interval allows for training sets that overlap (Nadeau and Bengio, 2003); it takes "
            "the folds for those of a cross-validation."
        ],
    )


def decision_section(data: Evaluation) -> Section:
    """Give the best cut at the stated costs, and what it does to a thousand samples."""
    rows = [_cut_row(data, name, cut) for name, cut in data.cuts.items()]
    cut, front = data.cuts[data.front], data.front
    per = cut.at_prevalence(data.used_at)
    if not data.costs_given:
        costs = "No costs were stated, so a miss is taken to cost as much as a false alarm."
    elif data.cost_fp and data.cost_fn:
        costs = (
            f"A miss costs {number(data.cost_fn / data.cost_fp, 2).rstrip('0').rstrip('.')} times "
            "as much as a false alarm."
        )
    else:
        costs = f"A false alarm costs {data.cost_fp:g} and a miss {data.cost_fn:g}."
    where = f"At these costs and a prevalence of {percent(data.used_at, 1)}"
    if not isfinite(cut.threshold):
        did = (
            f"{where} it is cheapest to call nobody positive, whatever {_model(data, front)} says."
        )
    else:
        did = (
            f"{where} the best cut of {_model(data, front)} is {score_text(cut.threshold)}: "
            f"samples that score at least this are called positive. Of 1,000 samples it finds "
            f"{amount(round(per.tp))} of {amount(round(per.n_pos))} positives and raises "
            f"{amount(round(per.fp))} false alarms, at an expected cost of "
            f"{amount(1000 * data.cost(front))} per 1,000 samples; calling all positive costs "
            f"{amount(1000 * data.cost_fp * (1 - data.used_at))}, calling none "
            f"{amount(1000 * data.cost_fn * data.used_at)}."
        )
    text = [costs, did]
    if len(rows) > 1:
        text.append(f"Of all models, {front} costs least.")
    headings = {
        "model": "model",
        "threshold": "threshold",
        "tpr": "TPR",
        "tpr_lower": "from",
        "tpr_upper": "to",
        "fpr": "FPR",
        "fpr_lower": "from ",
        "fpr_upper": "to ",
        "precision": "precision",
        "cost_per_1000": "cost per 1,000",
    }
    return Section(
        "The decision",
        text,
        [_table("decision", "The cheapest cut of each model", rows, headings)],
        [
            Picture(
                "decision",
                f"The ROC curve of {_model(data, front)} with the cut that costs least (ringed) and "
                "the line of cuts that cost the same.",
                _display(
                    "ROCHullDisplay",
                    data.rankings[front],
                    name=front,
                    cost_fp=data.cost_fp,
                    cost_fn=data.cost_fn,
                    prevalence=data.prevalence,
                ),
            )
        ],
        [
            "Intervals of rates are Wilson's, 95 %. The threshold was chosen on the same samples on "
            "which its cost is measured, so new samples will cost a little more."
        ],
        is_live=True,
    )


def _cut_row(data: Evaluation, name: str, cut: ConfusionTable) -> dict[str, Any]:
    per = cut.at_prevalence(data.used_at)
    row: dict[str, Any] = {"model": name, "threshold": cut.threshold}
    for rate in ("tpr", "fpr"):
        low, high = cut.interval(rate)
        row |= {rate: getattr(cut, rate), f"{rate}_lower": low, f"{rate}_upper": high}
    row |= {"precision": per.precision, "npv": per.npv, "cost_per_1000": 1000 * data.cost(name)}
    return row


def benefit_section(data: Evaluation) -> Section | None:
    """Show net benefit over the probability from which one acts."""
    if not data.probable:
        return None
    odds = data.cost_fp / (data.cost_fp + data.cost_fn)
    text = [
        "Net benefit counts found positives, less false alarms at the rate at which they are worth "
        "accepting. A model is useful where its curve lies above both simple policies: to treat "
        "everybody, and to treat nobody."
    ]
    if 0 < odds < 1:
        text.append(
            f"The stated costs correspond to acting from a probability of {percent(odds, 1)} on."
        )
    return Section(
        "Net benefit",
        text,
        (),
        [
            Picture(
                "net_benefit",
                "Net benefit of acting on each model's probabilities, against the probability from "
                "which one acts.",
                _display("CurveSpaceDisplay", data.probable, space="decision"),
            )
        ],
        [
            "Vickers and Elkin (2006). The curves use the probabilities as they stand, so wrong "
            "probabilities cost net benefit."
        ],
    )


def _model(data: Evaluation, name: str) -> str:
    """Name a model in a sentence."""
    return name if len(data.rankings) > 1 else "the model"


def _with_both_classes(labels: Any, positive: Any) -> tuple[dict[Any, Any], list[str]]:
    """Mark the samples of each part that holds both classes, and name the other parts."""
    masks = {label: labels == label for label in np.unique(labels).tolist()}
    inside = {label: here for label, here in masks.items() if 0 < positive[here].sum() < here.sum()}
    return inside, [str(label) for label in masks if label not in inside]


def _by(data: Evaluation, name: str) -> str:
    """Begin a sentence on the scores of a model."""
    return f"By {name}," if len(data.rankings) > 1 else "By the model's scores,"


def _table(name: str, words: str, rows: Any, headings: dict[str, str], **how: bool) -> Table:
    from rocviz.core.base.frozen import to_frame

    return Table(name, words, to_frame(list(rows)), headings, **how)


def _display(kind_: str, results: Any, /, **looks: Any) -> Callable[[Theme], Figure]:
    """Draw a display of results, and give back its figure."""

    def draw(theme: Theme) -> Figure:
        import rocviz

        own = {"name": looks.pop("name")} if "name" in looks else {}
        display = getattr(rocviz, kind_)(results, **own)
        figure: Figure = display.plot(theme=theme, **looks).figure_
        return figure

    return draw


def paper_section(data: Evaluation) -> Section:
    """Write the paragraph for a paper, and say which items of TRIPOD+AI the report answers."""
    name, ranking = data.front, data.rankings[data.front]
    cut = data.cuts[name]
    whose = f"of {name} " if len(data.rankings) > 1 else ""
    words = [
        f"The evaluation included {amount(ranking.n_samples)} samples, of which "
        f"{amount(ranking.n_pos)} ({percent(ranking.prevalence, 1)}) were {data.positive}."
    ]
    if ranking.is_exact:
        found = auc_interval(ranking)
        method = INTERVAL_NAMES.get(found.method, found.method)
        words.append(
            f"The area under the ROC curve {whose}was {number(found.auc)} (95 % confidence interval "
            f"{number(found.lower)} to {number(found.upper)}, {method})."
        )
    if name in data.probable:
        parts = brier_decomposition(ranking)
        words.append(
            f"The Brier score was {number(parts.brier)}, of which {number(parts.miscalibration)} "
            "was miscalibration (convex hull decomposition)."
        )
    if isfinite(cut.threshold):
        rates = []
        for rate, called in (("tpr", "sensitivity"), ("tnr", "specificity")):
            low, high = cut.interval(rate)
            rates.append(
                f"{called} was {percent(getattr(cut, rate), 1)} ({percent(low, 1)} to "
                f"{percent(high, 1)})"
            )
        words.append(
            f"With costs of {data.cost_fp:g} for a false positive and {data.cost_fn:g} for a false "
            f"negative and a prevalence of {percent(data.used_at, 1)}, the threshold with the lowest "
            f"expected cost was {score_text(cut.threshold)}, where {join(rates)}."
        )
    from rocviz import __version__

    words.append(f"All computations were made with rocviz {__version__}.")
    given = data.samples
    items = [
        ("12e", "measures of performance, and how models are compared", "Ranking, Calibration, "
         "Net benefit" + (", Differences between models" if len(data.rankings) > 1 else "")),
        ("15", "the output, and how the threshold was chosen", "The decision"),
        ("20b, 21", "numbers of samples and of events", "The data"),
        ("23a", "performance with confidence intervals", "Ranking, Calibration, The decision"),
    ]  # fmt: skip
    if given is not None and given.groups is not None:
        items.append(("14, 23a", "performance in subgroups, and fairness", "Groups"))
    frame = [{"item": item, "asks": asks, "where": place} for item, asks, place in items]
    return Section(
        "For the paper",
        [
            " ".join(words),
            "The table names the items of the checklist TRIPOD+AI (Collins et al., 2024) that these "
            "numbers answer. All others are about the study: where the samples come from, how the "
            "outcome was found, what was done about missing values, what the results mean.",
        ],
        [
            _table(
                "tripod_ai",
                "Items of TRIPOD+AI",
                frame,
                {"item": "item", "asks": "asks for", "where": "answered in"},
                is_words=True,
            )
        ],
    )


SECTIONS: tuple[Callable[[Evaluation], Section | None], ...] = (
    data_section,
    ranking_section,
    comparison_section,
    calibration_section,
    decision_section,
    benefit_section,
    groups_section,
    folds_section,
    paper_section,
)
