"""What models are worth in each of several sites, on average, and in a new one."""

from __future__ import annotations

from math import isfinite, nan
from typing import Any

import pandas as pd

from rocviz.core.practice.sites import RandomEffects, SiteComparison
from rocviz.displays.practice.sites import SitesDisplay
from rocviz.report.data import Evaluation
from rocviz.report.folds import pool_folds
from rocviz.report.phrases import model_text
from rocviz.report.section import Measure, Picture, Section, Table, drawing, join
from rocviz.words import number

MAX_SIZE = 100  # of ratios and slopes, beyond which they say nothing
#: The numbers of a site, with their headings, digits and values for a perfect model.
MEASURES = {
    "auc": Measure("AUC", 3),
    "observed_expected": Measure("observed / expected", 2, ideal=1.0),
    "slope": Measure("calibration slope", 2, ideal=1.0),
}


def sites_section(data: Evaluation) -> Section | None:
    """Compare sites, and say what to expect of a new one."""
    if not data.site_comparisons:
        return None
    comparison = data.site_comparisons[data.primary_model]
    text = []
    for name, combined in comparison.measures.items():
        text.append(_measure_text(data, name, combined))
    text += _pooled_text(data)
    if comparison.auc is not None and not isfinite(comparison.auc.lower):
        text.append(comparison.auc.reason)
    text += _one_class_text(comparison)
    tables = [_means_table(data), _sites_table(data, comparison)]
    return Section(
        "Sites",
        text,
        tables,
        _pictures(data, comparison),
        _notes(data),
        details=[reason for reason in comparison.reasons if _is_of_few_sites(reason)],
    )


def _measure_text(data: Evaluation, name: str, combined: RandomEffects) -> str:
    """Say what a number is within sites on average, and between what it lies in a new site."""
    value, lower, upper = combined.average
    digits = MEASURES[name].digits
    if name == "auc":
        start = f"The AUC of {model_text(data, data.primary_model)} within sites is"
    elif name == "observed_expected":
        start = f"Observed over expected {data.classes.positives} are"
    else:
        start = "The calibration slope is"
    sentence = f"{start} {_written(value, digits)} on average"
    if not isfinite(lower):
        return f"{sentence}."
    new_lower, new_upper = combined.prediction
    return (
        f"{sentence} (95 % interval {_written(lower, digits)} to {_written(upper, digits)}; "
        f"prediction interval for a new site {_written(new_lower, digits)} to "
        f"{_written(new_upper, digits)})."
    )


def _written(value: float, digits: int) -> str:
    """Write a number of a site; intervals of few sites can be wider than anybody reads."""
    if value > MAX_SIZE:
        return f"> {MAX_SIZE}"
    return f"< −{MAX_SIZE}" if value < -MAX_SIZE else number(value, digits)


def _pooled_text(data: Evaluation) -> list[str]:
    """Put the AUC of all samples in one ranking beside the mean of the sites."""
    samples = data.samples
    assert samples is not None
    assert samples.sites is not None
    name = data.primary_model
    pooled = pool_folds(
        samples.positive, samples.scores[name], samples.sites.labels, samples.weight
    )
    if not isfinite(pooled.mean):
        return []
    both = (
        f"The AUC of all sites in one ranking is {number(pooled.pooled)}, the plain mean of the "
        f"sites {number(pooled.mean)}"
    )
    if not pooled.differ:
        return [f"{both}; chance alone can explain that they differ."]
    if pooled.pooled < pooled.mean:
        why = (
            "scores of different sites are not on one scale, so that a threshold which is right "
            "for one site is wrong for another"
        )
    else:
        why = (
            f"scores also tell sites with many {data.classes.positives} from sites with few, which "
            "helps nobody within a site"
        )
    return [f"{both}, which chance alone does not explain: {why}."]


def _one_class_text(comparison: SiteComparison) -> list[str]:
    """Name the sites of one class."""
    names = []
    for site, n_pos, n_neg in zip(
        comparison.sites, comparison.n_pos, comparison.n_neg, strict=True
    ):
        if not (n_pos > 0 and n_neg > 0):
            names.append(str(site))
    if not names:
        return []
    what = "AUC" if comparison.observed_expected is None else "AUC and no slope"
    return [f"Of one class only, so that there is no {what}: {join(names)}."]


def _is_of_few_sites(reason: str) -> bool:
    """Whether a sentence is about a site of both classes, which the text does not say."""
    return reason.startswith("Site ") and "has one class only" not in reason


def _means_table(data: Evaluation) -> Table:
    """Tabulate means and intervals for a new site, of all models."""
    rows: list[dict[str, Any]] = []
    on_page = []
    for model, comparison in data.site_comparisons.items():
        for name, row in comparison.means_to_frame().iterrows():
            digits = MEASURES[str(name)].digits
            values: dict[str, Any] = {"model": model, "measure": name, **row}
            values["n_sites"] = int(row["n_sites"])
            is_auc = name == "auc"
            values["pooled"] = comparison.pooled_auc if is_auc else nan
            values["mean_within"] = comparison.mean_within_auc if is_auc else nan
            rows.append(values)
            new_site = "–"
            mean = _written(row["mean"], digits)
            if isfinite(row["lower"]):
                mean += f" ({_written(row['lower'], digits)} to {_written(row['upper'], digits)})"
                low, high = row["prediction_lower"], row["prediction_upper"]
                new_site = f"{_written(low, digits)} to {_written(high, digits)}"
            shown = {"model": model, "what": MEASURES[str(name)].heading}
            shown |= {"n_sites": values["n_sites"], "mean": mean, "new_site": new_site}
            on_page.append(shown)
    headings = {
        "model": "model",
        "what": "of what",
        "n_sites": "sites",
        "mean": "mean (95 % CI)",
        "new_site": "in a new site",
    }
    if len(data.site_comparisons) == 1:
        del headings["model"]
    words = "Means over sites, and what to expect of a new one"
    frame = pd.DataFrame(rows)
    return Table("site_means", words, frame, headings, is_words=True, on_page=pd.DataFrame(on_page))


def _sites_table(data: Evaluation, comparison: SiteComparison) -> Table:
    """Tabulate the sites by the primary model."""
    frame = comparison.to_frame().reset_index()
    frame["site"] = frame["site"].map(str)
    classes = data.classes.shortened()
    return Table(
        "sites",
        f"Each site by {model_text(data, data.primary_model)}",
        frame,
        {"site": "site", "n_pos": classes.positives, "n_neg": classes.negatives},
        counts=("n_pos", "n_neg"),
        measures={name: MEASURES[name] for name in comparison.measures},
        is_appendix=True,
    )


def _pictures(data: Evaluation, comparison: SiteComparison) -> list[Picture]:
    """Draw a forest plot of each number."""
    pictures = []
    for name in comparison.measures:
        what = MEASURES[name].heading
        words = (
            f"{what[0].upper()}{what[1:]} of {model_text(data, data.primary_model)} in each site, "
            "the mean of sites and what to expect of a new one."
        )
        pictures.append(
            Picture(
                f"sites_{name}",
                words,
                drawing(SitesDisplay, comparison, classes=data.classes, kind=name),
                is_appendix=name != "auc",
            )
        )
    return pictures


def _notes(data: Evaluation) -> list[str]:
    """Name the methods."""
    notes = [
        "Means are of a random-effects model, on the scale of log odds (AUC), logarithms (observed "
        "/ expected) or as they are (slope): variance between sites by Paule and Mandel, intervals "
        "by Hartung and Knapp, those for a new site by Higgins, Thompson and Spiegelhalter (2009). "
        "A wide interval for a new site says that sites differ, or are few."
    ]
    if data.is_clustered:
        notes.append(
            "Intervals are of clusters, and a cluster with rows in two sites counts as two; the "
            "comparison of both AUCs takes rows for independent."
        )
    return notes
