"""The ensemble explorer's pictures: the crowd's AUC, its classifiers, who errs alike, the item."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import bqplot
import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.ensembles.experiment import EnsembleExperiment
from rocviz.theme import Theme
from rocviz.widgets.base.panel import FigurePanel, HTMLPanel, round_ticks, spread
from rocviz.widgets.base.parts import colour, dots, label, line, on_click, update_mark
from rocviz.widgets.ensembles.result import EnsembleResult, round_limits
from rocviz.widgets.ensembles.state import EnsembleState
from rocviz.widgets.ensembles.words import (
    crowd_rows,
    item_words,
    numbered,
    rank_text,
    temperature_words,
)
from rocviz.words import short_names, signed

INK = "#1B1F24"  # on the classifiers' own colour, in the light and in the dark

NUMBERED = 16  # circles that can be told apart in a large picture
NUMBER = (0.085, 0.16)  # how far others are off a number in a small one, as shares of it

# what each method is drawn in and called: role of the colour table, dash, few letters; the
# first lies on top
LOOKS = {
    "fidel": ("ranking", "solid", "FiDEL"),
    "correlation-aware": ("optimum", "dashed", "corr.-aware"),
    "woc": ("third", "dash_dotted", "WoC"),
    "best": ("second", "dashed", "best single"),
    "mean base": ("reference", "dotted", "mean"),
}

# of the width of a small picture, in units of what its axis shows: names before, numbers behind
NAMES, VALUES = 1.6, 1.0

DISTINGUISHABLE = 14  # classifiers whose correlations can be written into a large picture
IN_SMALL = 8  # and into a small one

# round ones with round reciprocals
TEMPERATURES = (
    *(1.0, 0.5, 0.25, 0.2, 0.16, 0.125, 0.1, 0.08, 0.0625, 0.05, 0.04, 0.032, 0.025, 0.02, 0.016),
    *(0.0125, 0.01, 0.008, 0.005, 0.004, 0.0025, 0.002, 0.001),
)
ROOM = 0.085  # distance of two circles, in units of the square they are in


class CrowdPanel(FigurePanel):
    """AUCs of single classifiers and of the crowd: now, or against the size of the crowd."""

    def __init__(self) -> None:
        super().__init__("AUC", "", square=False, pad=0.02)
        fig = self.figure
        self.tracks = line(fig, "grid", stroke_width=2.0)
        self.best = line(fig, "second")
        self.singles = dots(fig, "text", fill="second", stroke_width=0.8, default_size=60)
        self.gains = line(fig, "muted", stroke_width=2.5)
        self.now = dots(fig, "text", stroke_width=1.2, default_size=150)
        self.words = {
            (what, strong): label(
                fig, "text", text=[""], align=align, font_weight="bold" if strong else "normal"
            )
            for what, align in (("name", "start"), ("value", "end"))
            for strong in (False, True)
        }
        rows = [self.tracks, self.best, self.singles, self.gains, self.now, *self.words.values()]
        self.rows: list[bqplot.Mark] = rows
        self.rims, self.lines, self.bars = {}, {}, {}
        self.curves: list[bqplot.Mark] = []
        for method, (role, dash, _name) in reversed(LOOKS.items()):
            if role == "third":
                self.rims[method] = line(fig, "text", stroke_width=4.5, visible=False)
                self.curves.append(self.rims[method])
            self.bars[method] = line(fig, role, stroke_width=2.0, visible=False)
            self.lines[method] = line(fig, role, line_style=dash, visible=False)
            self.curves += [self.bars[method], self.lines[method]]
        self.leaders = line(fig, "reference", stroke_width=1.0, visible=False)
        self.ends = label(fig, "text", text=[""], visible=False)
        self.curves += [self.leaders, self.ends]
        fig.marks = [*self.rows, *self.curves]

    def draw(self, state: EnsembleState, result: EnsembleResult) -> None:
        """Show a result."""
        found = result.experiment
        if found is None:
            self._rows(state, result)
        else:
            self._by_size(found)
        for marks, shown in ((self.rows, found is None), (self.curves, found is not None)):
            for mark in marks:
                if mark.visible != shown:
                    mark.visible = shown
        upright, margin = self.figure.axes[1], self.figure.fig_margin
        if upright.visible != (found is not None):
            upright.visible = found is not None
        left = self._left if upright.visible else margin["right"]
        if margin["left"] != left:
            self.figure.fig_margin = {**margin, "left": left}

    def fit(self, theme: Theme) -> None:
        """Take the sizes that a theme asks for; rows need no room at the left for numbers."""
        super().fit(theme)
        self._left = self.figure.fig_margin["left"]

    # ------------------------------------------------------------------ the crowd as it is

    def _rows(self, state: EnsembleState, result: EnsembleResult) -> None:
        """Show one row for each way to rank: its name, its AUC, the interval of its gain."""
        listed = crowd_rows(state, brief=not self.is_large)
        best = result.auc["best"]
        gains = [
            (-i, *result.intervals[method])
            for i, (method, _, _) in enumerate(listed)
            if method in result.intervals
        ]
        singles = result.base_auc[list(result.members)]
        values = np.array([result.auc[method] for method, _, _ in listed])
        left, right = result.auc_limits
        span, large = right - left, self.is_large
        low, high = (left, right) if large else (left - NAMES * span, right + VALUES * span)
        self.set_range(0, low, high)
        self.set_range(1, -4.55, 0.55)
        ticks = round_ticks(left, right)
        self.set_ticks(0, ticks if large else ticks[[0, -1]])
        self._name("AUC; bars: 95 % interval of the gain", "")
        at = -np.arange(5.0)
        track, text = (at - 0.2, at + 0.2) if large else (at, at)
        update_mark(self.tracks, x=np.array([[left, right]] * 5), y=np.column_stack((track, track)))
        update_mark(
            self.best, x=np.full((5, 2), best), y=np.column_stack((track - 0.22, track + 0.22))
        )
        update_mark(self.singles, x=singles, y=np.full(singles.size, track[0]))
        off = track[0] - at[0]
        update_mark(
            self.gains,
            x=np.array([ends for _, *ends in gains] or [[best, best]]),
            y=np.array([[y + off] * 2 for y, _, _ in gains] or [[track[1]] * 2]),
        )
        colours = [colour(LOOKS[method][0]) for method, _, _ in listed]
        update_mark(self.now, x=values, y=track, colors=colours)
        chosen = np.array([method == state.method for method, _, _ in listed])
        for (what, strong), mark in self.words.items():
            mine = np.flatnonzero(chosen == strong)
            words = [listed[i][1 if what == "name" else 2] for i in mine]
            x = low if what == "name" else high
            update_mark(mark, x=np.full(mine.size, x), y=text[mine], text=np.array(words))

    def _name(self, across: str, up: str) -> None:
        if self._labels != (across, up):
            self.set_label(0, across)
            self.set_label(1, up)

    # ------------------------------------------------------------------ crowds of every size

    def _by_size(self, found: EnsembleExperiment) -> None:
        columns = [found.methods.index(method) for method in LOOKS]
        auc, error = found.auc[:, columns].T, 2 * found.standard_error[:, columns].T
        sizes, m = found.n_classifiers, int(found.n_classifiers[-1])
        share = 0.53  # of the width, the rest is for the words
        left, right = 0.4, 0.4 + (m - 0.1) / share
        low, high = round_limits(np.concatenate(((auc - error).ravel(), (auc + error).ravel())))
        self.set_range(0, left, right)
        self.set_range(1, low, high)
        every = 1 if m <= 8 else 2 if m <= 16 else -(-m // 8)
        self.set_ticks(0, np.arange(1, m + 1)[::-1][::every][::-1])
        self.set_ticks(1, round_ticks(low, high))
        self._name("crowd size; bars: ± 2 standard errors", "AUC")
        shift = 0.05 * (np.arange(5) - 2.0)
        for k, method in enumerate(LOOKS):
            x = sizes + shift[k]
            update_mark(self.lines[method], x=x, y=auc[k])
            if method in self.rims:
                update_mark(self.rims[method], x=x, y=auc[k])
            update_mark(
                self.bars[method],
                x=np.column_stack((x, x)),
                y=np.column_stack((auc[k] - error[k], auc[k] + error[k])),
            )
        ends, reach = auc[:, -1], right - left
        places = spread(ends, (0.066 if self.is_large else 0.16) * (high - low), low, high)
        update_mark(
            self.leaders,
            x=np.array([[m + 0.035 * reach, m + 0.07 * reach]] * 5),
            y=np.column_stack((ends, places)),
        )
        names = [look[2] for look in LOOKS.values()]
        update_mark(self.ends, x=np.full(5, m + 0.08 * reach), y=places, text=np.array(names))


class ClassifiersPanel(FigurePanel):
    """Each classifier's AUC and temperature; a click takes it in or out."""

    def __init__(self, on_point: Callable[[int], None]) -> None:
        super().__init__("AUC when measured", "temperature T / N", square=False, pad=0.05)
        fig = self.figure
        fig.add_class("rocviz-click")
        self.law = line(fig, "reference", line_style="dotted", stroke_width=1.5)
        self.words = {
            align: label(fig, "muted", text=[""], align=align, font_weight="normal")
            for align in ("start", "end")
        }
        self.leaders = line(fig, "muted", stroke_width=1.0)
        self.dots = dots(fig, "text", default_size=25)
        self.ring = dots(
            fig, "text", fill="transparent", sized=True, stroke_width=2.0, default_size=570
        )
        self.points = dots(
            fig, "text", fill="second", sized=True, stroke_width=1.2, default_size=330
        )
        on_click(self.points, on_point)
        self.numbers = label(fig, "text", text=["1"], align="middle", apply_clip=False)
        self.add_marks()
        self.yielding = (self.law,)

    def fit(self, theme: Theme) -> None:
        """Take the sizes that a theme asks for, in the room there is."""
        super().fit(theme)
        if not self.is_large:  # room for a sign before the numbers at the left
            self.figure.fig_margin = {**self.figure.fig_margin, "left": round(2.2 * theme.font)}
        size = round(theme.font * (0.9 if self.is_large else 0.75), 1)
        if self.numbers.default_size != size:
            self.numbers.default_size = size

    def draw(self, state: EnsembleState, result: EnsembleResult) -> None:
        """Show a result."""
        auc, coldness = result.law
        left, right, low, high = result.law_limits
        self.set_range(0, left, right)
        self.set_range(1, low, high)
        self.set_ticks(0, round_ticks(left, right))
        ticks = zip(*temperature_ticks(low, high), strict=True)
        longest = 5 if self.is_large else 3
        self.set_ticks(1, {at: text for at, text in ticks if len(text) <= longest})
        update_mark(self.law, x=auc, y=coldness)
        x, y = result.ensemble.auc, np.clip(result.coldness, low, high)
        update_mark(self.dots, x=x, y=y)
        inside = np.isin(np.arange(x.size), result.members)
        many = x.size > NUMBERED  # so many are dots where they are, which may lie on each other
        beside = (x, y) if many else aside(x, y, result.law)
        update_mark(
            self.leaders,
            x=np.column_stack((x, beside[0])),
            y=np.column_stack((y, beside[1])),
        )
        x, y = beside
        inks, share = [colour("second" if i else "paper") for i in inside], 0.25 if many else 1.0
        update_mark(self.points, x=x, y=y, colors=inks, size=np.full(x.size, share))
        update_mark(self.ring, x=x[[result.best]], y=y[[result.best]], size=[share])
        texts = np.arange(1, x.size + 1).astype(str)
        if not self.is_large:  # of numbers on each other the last, which lies on top
            shares = x / (right - left) / NUMBER[0], y / (high - low) / NUMBER[1]
            apart = np.maximum(*(abs(np.subtract.outer(v, v)) for v in shares))
            texts[(np.triu(apart < 1, 1)).any(axis=1)] = ""
        update_mark(
            self.numbers,
            x=x,
            y=y,
            text=texts,
            colors=[INK if i else colour("text") for i in inside],
        )
        readable = x.size <= (NUMBERED if self.is_large else 8)
        if self.numbers.visible != readable:
            self.numbers.visible = readable
        rows = temperature_words(result, brief=not self.is_large)
        step = (0.065 if self.is_large else 0.15) * (high - low)
        for align, edge, at, down in (("start", high, left, -step), ("end", low, right, step)):
            free = np.abs(y - edge) > 2.5 * step
            free |= np.abs(x - at) > 0.6 * (right - left)
            listed = rows[align] if free.all() else [""]
            update_mark(
                self.words[align],
                x=np.full(len(listed), at),
                y=edge + down * (0.4 + np.arange(len(listed))),
                text=np.array(listed),
            )


def temperature_ticks(low: float, high: float) -> tuple[list[float], list[str]]:
    """Return where round temperatures lie on an axis that is even in 1 / T, and their names."""
    ticks = [(0.0, "∞")] if low <= 0 <= high else []
    for side, sign in ((1, ""), (-1, "−")):
        last = 0.0
        for t in TEMPERATURES:
            if low <= side / t <= high and 1 / t - last >= 0.11 * (high - low):
                last = 1 / t
                ticks.append((side * last, sign + f"{t:g}".lstrip("0")))
    ticks.sort()
    return [at for at, _ in ticks], [text for _, text in ticks]


def aside(x: Floats, y: Floats, law: tuple[Floats, ...]) -> tuple[Floats, Floats]:
    """Return where circles go so that none covers another: off the curve where it is crowded."""
    (left, right), (low, high) = (law[0][0], law[0][-1]), (law[1][0], law[1][-1])
    at = np.column_stack(((x - left) / (right - left), (y - low) / (high - low)))
    across = np.array([0.7, -0.7])
    placed: list[Floats] = []
    for k in np.argsort(x, kind="stable"):
        for step in sorted(range(-10, 11), key=lambda n: (abs(n), n)):
            spot = at[k] + step * ROOM * 0.5 * across
            if all(np.hypot(*(spot - other)) >= ROOM for other in placed) and (
                step == 0 or ((spot > 0.04).all() and (spot < 0.96).all())
            ):
                break
        else:
            spot = at[k]
        placed.append(spot)
        at[k] = spot
    return left + at[:, 0] * (right - left), low + at[:, 1] * (high - low)


class CorrelationPanel(HTMLPanel):
    """How alike the classifiers rank within a class, as a square of shaded numbers."""

    def html(self, state: EnsembleState, result: EnsembleResult) -> str:
        """Return the body."""
        c, names = result.ensemble.correlation, result.ensemble.names
        many = len(names)
        written = many <= (DISTINGUISHABLE if self.is_large else IN_SMALL)
        most, heads = (20, 10) if self.is_large else (8, 6)
        every = 1 if many <= most else -(-many // heads)

        def head(k: int) -> str:
            out = "" if k in result.members else " is-out"
            text = k + 1 if k % every == 0 else ""
            return f'<span class="head{out}" title="{escape(names[k])}">{text}</span>'

        cells = ["<span></span>", *(head(k) for k in range(many))]
        for i in range(many):
            cells.append(head(i))
            for j in range(many):
                out = "" if i in result.members and j in result.members else ' class="is-out"'
                if i == j:
                    cells.append(f"<span{out}></span>")
                    continue
                text = signed(c[i, j]).replace("0.", ".", 1).replace("+", "")
                role = "text" if c[i, j] >= 0 else "second"
                shade = 45 * abs(c[i, j])
                back = f"color-mix(in srgb,{colour(role)} {shade:.0f}%,{colour('grid')})"
                cells.append(
                    f'<span{out} style="background:{back}" title="{i + 1}, {j + 1}: {text}">'
                    f"{text if written else ''}</span>"
                )
        mean = signed(result.crowd.mean_correlation)
        what = "correlation within a class, mean" if self.is_large else "mean correlation"
        return (
            f'<div class="rocviz-fill"><div class="muted">{what} {mean}</div>'
            f'<div class="rocviz-matrix" style="--n:{many + 1};--rest:{many}">'
            f"{''.join(cells)}</div></div>"
        )


class EvidencePanel(HTMLPanel):
    """What each classifier says of one item: bars to either side of zero, and their sum."""

    def html(self, state: EnsembleState, result: EnsembleResult) -> str:
        """Return the body."""
        item, total = result.item, float(result.item.log_likelihood_ratio[0])
        full = _round_up(max(float(np.abs(item.contributions).max()), abs(total), 1.0))
        where = {place: k for k, place in enumerate(result.members)}
        large, rows = self.is_large, []
        # per cent of the track that the longest bar takes: its number has room beside the names
        reach = 24.0 if not large else 30.0 if state.is_sandbox else 18.0
        short = short_names(result.ensemble.names, 16)
        for place, name in enumerate(result.ensemble.names):
            k = where.get(place)
            whole = numbered(name, place)
            plain = state.is_sandbox or not large
            text = str(place + 1) if plain else escape(numbered(short[name], place))
            head = f'<span class="name" title="{escape(whole)}">{text}</span>'
            if k is None:
                cell = '<span class="rank">not in</span>' * large
                rows.append(f'<div class="row is-out">{head}{cell}{_track()}</div>')
                continue
            rank = rank_text(float(item.ranks[0, k]))
            cell = f'<span class="rank">rank {rank}</span>' * large
            bar = _track(float(item.contributions[0, k]), full, reach=reach)
            rows.append(f'<div class="row">{head}{cell}{bar}</div>')
        kind = "positive" if result.item_is_positive else "negative"
        words = escape(item_words(state, brief=not large)).replace(
            kind, f'<b class="is-{kind}">{kind}</b>', 1
        )
        first = f"<div>{words}</div>"
        ends = ""
        if large:
            ends = (
                '<div class="row"><span class="name"></span><span class="rank muted">of '
                f'{result.ensemble.n_samples:,}</span><span class="track ends">'
                '<span class="is-negative">← negative</span>'
                '<span class="is-positive">positive →</span></span></div>'
            )
        last = '<span class="rank"></span>' * large
        look = " wide" * (large and not state.is_sandbox)
        count = len(rows) + 1 + large
        return (
            f'<div class="rocviz-fill">{first}'
            f'<div class="rocviz-evidence{look}" style="--rows:{count}">'
            f"{ends}{''.join(rows)}"
            f'<div class="row sum"><span class="name">sum</span>{last}'
            f"{_track(total, full, 'ranking', reach=reach)}</div></div></div>"
        )


def _round_up(value: float) -> float:
    """Return the next round number, so that the scale seldom changes."""
    base = 10.0 ** np.floor(np.log10(value))
    return float(
        next(base * k for k in (1, 1.5, 2, 3, 4, 6, 8, 10) if base * k >= value * (1 - 1e-9))
    )


def _track(
    value: float | None = None,
    full: float = 1.0,
    role: str | None = None,
    *,
    reach: float = 33.0,
) -> str:
    """Return the track of a bar, with its number behind its end."""
    if value is None:
        return '<span class="track"><i></i></span>'
    share = reach * min(abs(value) / full, 1.0)
    role = role or ("positive" if value > 0 else "negative")
    start = 50.0 if value >= 0 else 50 - share
    side = f"left:{50 + share:.2f}%" if value >= 0 else f"right:{50 + share:.2f}%"
    return (
        '<span class="track"><i></i>'
        f'<span style="left:{start:.2f}%;width:{share:.2f}%;background:{colour(role)}"></span>'
        f'<b style="{side}">{signed(value)}</b></span>'
    )
