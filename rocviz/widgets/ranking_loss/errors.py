"""The ranking loss explorer's pictures of errors against the floor, and of the bound."""

from __future__ import annotations

from functools import lru_cache
from textwrap import wrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.ranking_loss.bound import ranking_bound, simple_bound_reach
from rocviz.core.ranking_loss.methods import FLOORS
from rocviz.displays.ranking_loss.draw_experiment import fraction
from rocviz.pictures.marks import Dots, Handle, Line, Mark, words
from rocviz.pictures.picture import Axis, Picture
from rocviz.pictures.room import ROW
from rocviz.widgets.ranking_loss.result import RankingLossResult
from rocviz.widgets.ranking_loss.state import RankingLossState
from rocviz.widgets.ranking_loss.view import LOOKS, PLAIN, block, method_lines
from rocviz.widgets.ranking_loss.words import bound_rows, error_rows

SHAPES = {
    "circle": "●",
    "diamond": "◆",
    "square": "■",
    "triangle-up": "▲",
    "triangle-down": "▼",
    "plus": "✚",
}
BELOW = -0.1  # of the height lies below zero, where the handle is
PLACES = [float(np.log2(floor)) for floor in FLOORS]
LEFT, RIGHT = PLACES[0] - 0.4, PLACES[-1] + 0.4
UNKNOWN = "The true probabilities of your samples are not known, so there is no error to show."
#: Below it, where there is room.
MORE = (
    "To measure the squared error on the labels of held-out samples, use compare_ranking_methods "
    "of rocviz.estimators.ranking_loss."
)
#: Evenly spaced in the root of 1 - AUC, with which two of the bounds go.
ROOT = np.linspace(1, 0, 101)


def error_picture(state: RankingLossState, result: RankingLossResult, is_large: bool) -> Picture:
    """Draw the error to the true probability against the floor; the floor held and its errors."""
    if result.samples.truth is None:
        lines = [*wrap(UNKNOWN, 34), "", *wrap(MORE, 34)] if is_large else wrap(UNKNOWN, 22)
        step = ROW if is_large else 2 * ROW
        said = [(0.0, 0.9 - step * k, line, "muted") for k, line in enumerate(lines)]
        hidden = Axis(ticks=(), is_shown=False)
        text = words("words", said, bold=False)
        return Picture(hidden, hidden, (text,), is_square=False, is_large=is_large)
    place = float(np.clip(np.log2(max(state.a, 1e-9)), PLACES[0], PLACES[-1]))
    highest = max(result.errors.values())
    curves = _curves(result)
    tops = [float((error + spread).max()) for _, error, spread in curves.values()]
    top = 1.06 * _nice(max([highest, *tops]))
    rows = [("run the", "muted"), ("experiment", "muted")] * (result.experiment is None)
    if is_large:
        rows = [
            (f"{SHAPES[LOOKS[name][2]]} {text}" if name else text, role)
            for name, text, role in error_rows(result, state.a)
        ]
    ticks = {at: fraction(floor) for at, floor in zip(PLACES, FLOORS, strict=True)}
    marks = _error_marks(result, curves, place)

    def drawn(top: float) -> Picture:
        low = BELOW * top if is_large else -0.04 * top
        held = Line("held", "held", (place, place), (low, highest), width=1.8)
        grip: Any = ([place], [BELOW / 2 * top]) if is_large else ((), ())
        return Picture(
            Axis("floor a of the true probability", LEFT, RIGHT, ticks, pad=0.0),
            Axis("squared error to the truth", low, top, _ticks(top), pad=0.0),
            (held, *marks, Handle("floor", "held", *grip, along="x")),
            is_square=False,
            is_large=is_large,
        )

    picture = drawn(top)
    if is_large and rows and not picture.block(rows, letter=PLAIN, always=False):
        picture = drawn(top / (1 - ROW * (len(rows) + 1)))  # no room but above everything
    return picture.with_marks(block(picture, rows))


def _curves(result: RankingLossResult) -> dict[str, tuple[Any, Any, Any]]:
    """Collect each method's places, errors and two standard errors from the experiment."""
    done = result.experiment
    if done is None:
        return {}
    columns = {name: done.methods.index(name) for name in LOOKS if name in result.methods}
    return {
        name: (np.log2(done.a), done.error[:, k], 2 * done.standard_error[:, k])
        for name, k in columns.items()
    }


def _error_marks(result: RankingLossResult, curves: dict[str, Any], place: float) -> list[Mark]:
    bars, means, here = [], [], []
    for name, (role, _dash, marker, _words) in LOOKS.items():
        x, error, spread = curves.get(name, (np.empty(0),) * 3)
        ends = np.column_stack((error - spread, error + spread))
        pairs = np.column_stack((x, x))
        bars.append(Line(f"{name} bars", role, pairs, ends, width=2.0))
        rim = "text" if role == "third" else "paper"
        means.append(
            Dots(f"{name} means", role, x, error, rim=rim, marker=marker, size=62, width=1.2)
        )
        at = ([place], [result.errors[name]]) if name in result.errors else ((), ())
        here.append(Dots(f"{name} here", role, *at, rim="held", marker=marker, size=150, width=2.2))
    return [*bars, *method_lines({name: at[:2] for name, at in curves.items()}), *means, *here]


def _ticks(high: float) -> np.ndarray:
    """Choose ticks at round numbers from 0 up."""
    power = 10.0 ** np.floor(np.log10(high / 4))
    step = power * next(k for k in (1, 2, 5, 10) if k * power >= high / 5)  # for about five
    return np.arange(0, high + step / 100, step).round(6)


def _nice(top: float) -> float:
    """Round up to a round number, so that the picture's scale seldom changes."""
    top = max(top, 0.002)
    power = 10.0 ** np.floor(np.log10(top))
    steps = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
    return float(power * next(k for k in steps if k * power >= 1.02 * top or k == 10))


@lru_cache(maxsize=4)
def _sharp(prevalence: float) -> NDArray[np.float64]:
    """Compute the sharp bound along the AUCs drawn."""
    return np.array([ranking_bound(auc, prevalence) for auc in (1 - ROOT**2).tolist()])


def bound_picture(_state: RankingLossState, result: RankingLossResult, is_large: bool) -> Picture:
    """Draw how much squared loss an AUC allows: the most, simply, and as printed; and rankings."""
    mine, *against = result.examples
    pi, auc = mine.prevalence, 1 - ROOT**2
    most, reach = ranking_bound(0.0, pi, method="simple"), simple_bound_reach(pi)
    x, y, printed = (
        np.array([getattr(one, name) for one in against])
        for name in ("auc", "loss", "printed_bound")
    )
    top = 1.08 * most
    picture = Picture(
        Axis("AUC of the ranking", pad=0.03),
        Axis("squared loss after isotonic regression", 0.0, top, _ticks(top), pad=0.03),
        (
            Line("simple", "reference", auc, most * ROOT, dash="dotted", width=2.0, yields=True),
            Line(
                "printed",
                "second",
                auc,
                ranking_bound(0.0, pi, method="printed") * ROOT,
                dash="dashed",
            ),
            Line("sharp", "ranking", auc, _sharp(pi)),
            Dots(
                "turn",
                "paper",
                [reach],
                [ranking_bound(reach, pi)],
                rim="ranking",
                size=60,
                width=2.0,
            ),
            Line(
                "excess", "hull", np.column_stack((x, x)), np.column_stack((y, printed)), width=2.0
            ),
            Dots("against", "hull", x, y, rim="paper", marker="diamond", size=150, width=1.4),
            Dots("mine", "ranking", [mine.auc], [mine.loss], rim="paper", size=210, width=2.0),
        ),
        is_square=False,
        is_large=is_large,
    )
    if not is_large:
        return picture.with_marks(words("words", []), words("names", []))
    # the shortest lowest, where curves are near
    listed = sorted(bound_rows(result), key=lambda row: -len(row[1]))
    rows = [
        (0.995, top * (0.97 - 0.054 * k), f"{mark} {text}", role)
        for k, (mark, text, role) in enumerate(listed)
    ]
    picture = picture.with_marks(words("words", rows, "end"))
    room, names = picture.room(), []
    for one in against:
        name = one.name.removeprefix("labels ")
        if place := room.place(name, one.auc, one.loss, far=0.5):
            names.append((*place, name, "hull-text"))
    return picture.with_marks(words("names", names, "middle"))
