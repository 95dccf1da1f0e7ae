"""The rows of a score card: neighbouring totals with the same probability."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from rocviz.core.base.validation import Bools
from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.core.scoring_lists.stage_band import StageBand
from rocviz.words import amount, percent


@dataclass(frozen=True)
class CardRow:
    """Neighbouring totals with the same probability."""

    # lowest and highest total
    low: int
    high: int
    # lowest and highest probability
    least: float
    most: float
    # union of the intervals; NaN without intervals
    lower: float
    upper: float
    # positives and all cases; NaN for a hand-written list
    pos: float
    n: float
    zone: int  # -1 beyond the lower limit, 1 beyond the upper one, 0 between

    def joined(self, below: CardRow) -> CardRow:
        """Merge this row with the one below it."""
        return CardRow(
            low=below.low,
            high=self.high,
            least=below.least,
            most=self.most,
            lower=min(self.lower, below.lower),
            upper=max(self.upper, below.upper),
            pos=self.pos + below.pos,
            n=self.n + below.n,
            zone=self.zone,
        )


def card_rows(
    stage: ScoringStage, band: StageBand | None, negative: Bools, positive: Bools, room: int
) -> list[CardRow]:
    """Make the rows of a card, the highest totals first.

    Totals of equal probability share a row. If there are more rows than there is room for, those
    that are nearest to each other are joined, never across a limit.
    """
    nothing = np.full(len(stage), np.nan)
    lower, upper = (nothing, nothing) if band is None else (band.lower, band.upper)
    pos, neg = stage.counts if stage.has_counts else (nothing, nothing)
    rows: list[CardRow] = []
    for i, total in enumerate(stage.totals.tolist()):
        q = float(stage.probability[i])
        row = CardRow(
            *(total, total, q, q, float(lower[i]), float(upper[i])),
            *(float(pos[i]), float(pos[i] + neg[i]), int(positive[i]) - int(negative[i])),
        )
        if rows and rows[-1].zone == row.zone and rows[-1].least == q:
            rows[-1] = rows[-1].joined(row)
        else:
            rows.append(row)
    while len(rows) > room:
        near = [
            (one.most - two.least if one.zone == two.zone else np.inf, i)
            for i, (one, two) in enumerate(pairwise(rows))
        ]
        gap, i = min(near)
        if gap == np.inf:
            break
        rows[i : i + 2] = [rows[i].joined(rows[i + 1])]
    return rows


def stop_at(totals: np.ndarray, where: Bools, *, above: bool) -> str:
    """Write the total at which a case stops; "–" if it never does."""
    beyond = totals[where]
    if not beyond.size:
        return "–"
    text = f"{beyond.min()} or more" if above else f"{beyond.max()} or less"
    return text.replace("-", "−")


def totals(one: CardRow) -> str:
    """Write the totals of a row."""
    text = f"{one.low}" if one.low == one.high else f"{one.low} to {one.high}"
    return text.replace("-", "−")


def points(score: int) -> str:
    """Write points with their sign; 0 without one."""
    return f"{score:+d}".replace("-", "−") if score else "0"


def chance(one: CardRow) -> str:
    """Write the probability of a row, or its range.

    Cases that were counted never make it exactly 0 or 1: none of 14 does not mean never.
    """
    low, high = _near_ends(one.least), _near_ends(one.most)
    if not np.isnan(one.n) and one.least == 0:
        return f"< {high.removeprefix('< ') if one.most else percent(0.01)}"
    if not np.isnan(one.n) and one.most == 1:
        return f"> {low.removeprefix('> ') if one.least < 1 else percent(0.99)}"
    return low if low == high else f"{low} – {high}".replace(" % –", " –")


def _near_ends(value: float) -> str:
    """Write whole per cent, with one decimal near 0 and 1, where limits lie."""
    if 0.0995 <= value <= 0.9005 or value in (0, 1):
        return percent(value)
    return percent(value, 1)


def happened(one: CardRow) -> str:
    """Write the number of positive cases."""
    if np.isnan(one.n):
        return ""
    return f"{amount(one.pos)} of {amount(one.n)}" if one.n else "none"


def interval(one: CardRow) -> str:
    """Write an interval in whole per cent, rounded outwards."""
    if np.isnan(one.lower):
        return ""
    low = min(np.floor(100 * one.lower + 1e-9), 100 if one.lower == 1 else 99)
    high = max(np.ceil(100 * one.upper - 1e-9), 0 if one.upper == 0 else 1)
    return f"{low:.0f} – {high:.0f} %"
