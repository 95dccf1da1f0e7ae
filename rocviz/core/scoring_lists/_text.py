"""Conversions of a scoring list: plain values for JSON, table rows, HTML."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats, describe
from rocviz.core.scoring_lists.stage import ScoringStage

_KIND, _VERSION = "scoring list", 1
_WORDS = {np.inf: "never", -np.inf: "always"}
_FIELDS = ("features", "scores", "thresholds", "missing_scores", "feature_names", "missing")


def as_dict(scoring_list: Any) -> dict[str, Any]:
    """Convert a list to plain values."""
    stages = []
    for stage in scoring_list.stages:
        row = {"totals": stage.totals.tolist(), "probability": stage.probability.tolist()}
        if stage.has_counts:
            row["pos"], row["neg"] = (side.tolist() for side in stage.counts)
        stages.append(row)
    return {
        "kind": _KIND,
        "version": _VERSION,
        "features": scoring_list.features.tolist(),
        "feature_names": list(scoring_list.feature_names),
        "scores": scoring_list.scores.tolist(),
        "thresholds": [
            None if np.isnan(t) else _WORDS.get(t, t) for t in scoring_list.thresholds.tolist()
        ],
        "missing": scoring_list.missing,
        "missing_scores": scoring_list.missing_scores.tolist(),
        "stages": stages,
    }


def from_dict(source: Mapping[str, Any]) -> dict[str, Any]:
    """Read a list's fields from the result of :func:`as_dict`; the list checks them."""
    if not isinstance(source, Mapping) or source.get("kind") != _KIND:
        raise ValueError(f"source must be a result of ScoringList.to_dict(), of kind {_KIND!r}.")
    if source.get("version") != _VERSION:
        raise ValueError(
            f"source must be of version {_VERSION}; got version {source.get('version')!r}."
        )
    missing = [name for name in (*_FIELDS, "stages") if name not in source]
    if missing:
        raise ValueError(f"source lacks {', '.join(missing)}.")
    fields = {name: source[name] for name in _FIELDS}
    for name in (*_FIELDS[:-1], "stages"):
        if not isinstance(source[name], list | tuple):
            raise ValueError(f"{name} must be a list; got {describe(source[name])}.")
    numbers = {word: number for number, word in _WORDS.items()}
    fields["thresholds"] = [
        np.nan if t is None else numbers[t] if isinstance(t, str) and t in numbers else t
        for t in source["thresholds"]
    ]
    if any(not isinstance(name, str) for name in source["feature_names"]):
        raise ValueError(f"feature_names must be strings; got {describe(source['feature_names'])}.")
    return {**fields, "stages": tuple(map(_stage, range(len(source["stages"])), source["stages"]))}


def _stage(k: int, row: object) -> ScoringStage:
    """Read the k-th stage from its plain values."""
    if not isinstance(row, Mapping):
        raise ValueError(f"source, stage {k} must be a table by name; got {describe(row)}.")
    try:
        return ScoringStage(**row)
    except (TypeError, ValueError) as error:
        raise ValueError(f"source, stage {k}: {error}") from error


def table_rows(scoring_list: Any) -> tuple[list[int], Floats]:
    """List all totals in increasing order, and a row of probabilities per stage."""
    totals = sorted({t for stage in scoring_list.stages for t in stage.totals.tolist()})
    rows = np.full((len(scoring_list.stages), len(totals)), np.nan)
    for row, stage in zip(rows, scoring_list.stages, strict=True):
        row[np.searchsorted(totals, stage.totals)] = stage.probability
    return totals, rows


def as_html(scoring_list: Any) -> str:
    """Write a list's table as HTML in the page's own text colour, for light and dark themes."""
    totals, rows = table_rows(scoring_list)
    names = ["(prior)", *(escape(question) for question in scoring_list.questions())]
    columns = {"score": scoring_list.scores}
    if scoring_list.missing == "score":
        columns["if not known"] = scoring_list.missing_scores
    points = [
        "".join(f"<td>{f'{score:+d}' if score else 0}</td>".replace("-", "−") for score in row)
        for row in zip(*(values.tolist() for values in columns.values()), strict=True)
    ]
    points.insert(0, "<td></td>" * len(columns))
    over = "".join(f"<th>{name}</th>" for name in columns)
    head = "".join(f"<th>{total}</th>".replace("-", "−") for total in totals)
    body = "".join(
        f"<tr><th style='text-align:left'>{name}</th>{score}"
        + "".join(map(_cell, row.tolist()))
        + "</tr>"
        for name, score, row in zip(names, points, rows, strict=True)
    )
    return (
        "<div style='overflow-x:auto'><table><thead><tr><th style='text-align:left'>after</th>"
        f"{over}{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cell(probability: float) -> str:
    if np.isnan(probability):
        return "<td></td>"
    # translucent, so that a cell tints both dark and light pages
    shade = f"background:rgba(213,94,0,{0.45 * probability:.2f})"
    return f"<td style='{shade}'>{probability:.2f}</td>"
