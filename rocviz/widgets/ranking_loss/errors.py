"""The ranking loss explorer's pictures of errors against the floor, and of the bound."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import numpy as np

from rocviz.core.ranking_loss.methods import FLOORS
from rocviz.displays.ranking_loss import pictures
from rocviz.displays.ranking_loss.pictures import STYLES, fraction, mean_marks
from rocviz.pictures import (
    NOWHERE,
    ROW,
    Axis,
    Dots,
    Entry,
    Handle,
    Legend,
    Line,
    Mark,
    Picture,
    has_room,
    round_ticks,
    sheet,
    words,
)
from rocviz.widgets.ranking_loss.result import RankingLossResult
from rocviz.widgets.ranking_loss.state import RankingLossState
from rocviz.widgets.ranking_loss.words import error_rows

BELOW = -0.1  # of the height lies below zero, where the handle is
PLACES = [float(np.log2(floor)) for floor in FLOORS]
LEFT = PLACES[0] - 0.4
RIGHT = PLACES[-1] + 0.4
UNKNOWN = "The true probabilities of your samples are not known, so there is no error to show."
#: Below it, where there is room.
MORE = (
    "To measure the squared error on the labels of held-out samples, use compare_ranking_methods "
    "of rocviz.estimators.ranking_loss."
)


def error_picture(state: RankingLossState, result: RankingLossResult, is_large: bool) -> Picture:
    """Draw the error to the true probability against the floor; mark the current floor."""
    if result.samples.truth is None:
        lines = [*wrap(UNKNOWN, 34), "", *wrap(MORE, 34)] if is_large else wrap(UNKNOWN, 22)
        step = ROW if is_large else 2 * ROW
        written = [(0.0, 0.9 - step * k, line, "muted") for k, line in enumerate(lines)]
        return sheet([words("words", written, bold=False)], 1.0, 1.0, is_large=is_large)
    place = float(np.clip(np.log2(max(state.a, 1e-9)), PLACES[0], PLACES[-1]))
    highest = max(result.errors.values())
    curves = _curves(result)
    tops = [float((error + spread).max()) for _, error, spread in curves.values()]
    top = 1.06 * _nice(max([highest, *tops]))
    rows = [Entry(text, "muted", bold=False) for text in ("run the", "experiment")]
    rows = error_rows(result, state.a) if is_large else rows * (result.experiment is None)
    legend = Legend("words", "text", choices=[rows], corner=(float(is_large), 1.0), is_small=True)
    ticks = {at: fraction(floor) for at, floor in zip(PLACES, FLOORS, strict=True)}
    marks: list[Mark] = mean_marks(curves)
    for name, (role, _, marker) in STYLES.items():
        at: Any = ([place], [result.errors[name]]) if name in result.errors else NOWHERE
        style: dict[str, Any] = {"rim": "selected", "marker": marker, "size": 150, "width": 2.2}
        marks.append(Dots(f"{name} here", role, *at, **style))

    def drawn(top: float) -> Picture:
        low = BELOW * top if is_large else -0.04 * top
        held = Line("selected", "selected", (place, place), (low, highest), width=1.8)
        grip: Any = ([place], [BELOW / 2 * top]) if is_large else ((), ())
        return Picture(
            Axis("floor a of the true probability", LEFT, RIGHT, ticks, pad=0.0),
            Axis("squared error to the truth", low, top, round_ticks(0.0, top), pad=0.0),
            (held, *marks, Handle("floor", "selected", *grip, along="x"), legend),
            is_square=False,
            is_large=is_large,
        )

    picture = drawn(top)
    if is_large and not has_room(picture, legend):
        return drawn(top / (1 - ROW * (len(rows) + 1)))  # above everything
    return picture


def _curves(result: RankingLossResult) -> dict[str, tuple[Any, Any, Any]]:
    """Collect each method's places, errors and two standard errors from the experiment."""
    experiment = result.experiment
    if experiment is None:
        return {}
    columns = {name: experiment.methods.index(name) for name in STYLES if name in result.methods}
    return {
        name: (np.log2(experiment.a), experiment.error[:, k], 2 * experiment.standard_error[:, k])
        for name, k in columns.items()
    }


def _nice(top: float) -> float:
    """Round up to a round number, so that the picture's scale seldom changes."""
    top = max(top, 0.002)
    power = 10.0 ** np.floor(np.log10(top))
    steps = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
    return float(power * next(k for k in steps if k * power >= 1.02 * top or k == 10))


def bound_picture(_state: RankingLossState, result: RankingLossResult, is_large: bool) -> Picture:
    """Draw how much squared loss an AUC allows: the most, simply, and as printed; and rankings."""
    mine, *against = result.examples
    return pictures.bound_picture(mine.prevalence, against, is_large, mine=mine)
