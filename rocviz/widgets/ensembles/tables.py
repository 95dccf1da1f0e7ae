"""The ensemble explorer's pictures that are made of HTML: who errs alike, who says what.

Draws; computes nothing.
"""

from __future__ import annotations

from html import escape

import numpy as np

from rocviz.widgets.base.panel import HTMLPanel
from rocviz.widgets.base.parts import colour
from rocviz.widgets.ensembles.result import EnsembleResult
from rocviz.widgets.ensembles.state import EnsembleState
from rocviz.widgets.ensembles.words import item_words, numbered, rank_text
from rocviz.words import short_names, signed

DISTINGUISHABLE = 14  # classifiers whose correlations can be written into a large picture
IN_SMALL = 8  # and into a small one


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
                thing = "text" if c[i, j] >= 0 else "second"
                shade = 45 * abs(c[i, j])
                back = f"color-mix(in srgb,{colour(thing)} {shade:.0f}%,{colour('grid')})"
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
    thing: str | None = None,
    *,
    reach: float = 33.0,
) -> str:
    """Return the track of a bar, with its number behind its end."""
    if value is None:
        return '<span class="track"><i></i></span>'
    share = reach * min(abs(value) / full, 1.0)
    thing = thing or ("positive" if value > 0 else "negative")
    start = 50.0 if value >= 0 else 50 - share
    side = f"left:{50 + share:.2f}%" if value >= 0 else f"right:{50 + share:.2f}%"
    return (
        '<span class="track"><i></i>'
        f'<span style="left:{start:.2f}%;width:{share:.2f}%;background:{colour(thing)}"></span>'
        f'<b style="{side}">{signed(value)}</b></span>'
    )
