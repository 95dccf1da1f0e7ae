"""Pictures of three answers as values: the curve with two isometrics, the zones, the price."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.practice.referral import ReferralPolicy, referral_policy
from rocviz.core.roc.isometrics import isometric_through
from rocviz.core.roc.segments import RankedSegments, score_histogram
from rocviz.pictures import (
    NO_POINTS,
    Areas,
    Axis,
    Band,
    Dots,
    Entry,
    Legend,
    Line,
    Mark,
    Picture,
    boxes,
    diagonal,
    round_ticks,
)
from rocviz.words import number, percent

_N_BINS = 30
_N_PRICES = 61
# to the right of the price up to which referring pays, as a share of it
_BEYOND = 0.3

#: Colours of the zones, and of words about them.
_ZONE_ROLES = ("negative", "selected", "positive")
_ZONE_WORDS = ("ruled out", "referred", "ruled in")
_WRONG = ("positive", "", "negative")  # those in a zone whose answer is wrong


@dataclass(frozen=True, eq=False)
class ReferralScene:
    """The contents of pictures of three answers."""

    segments: RankedSegments
    policy: ReferralPolicy

    @property
    def points(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """False and true positive rate at the upper threshold, and at the lower one."""
        policy = self.policy
        fpr = policy.n_neg / policy.n_neg.sum()
        tpr = policy.n_pos / policy.n_pos.sum()
        upper = (float(fpr[2]), float(tpr[2]))
        return upper, (float(1 - fpr[0]), float(1 - tpr[0]))


def curve_picture(scene: ReferralScene, is_large: bool) -> Picture:
    """Draw the curve, both points with their isometrics, and what lies between."""
    segments = scene.segments
    curve = segments.thin(600)
    hull = segments.hull().thin(200)
    upper, lower = scene.points
    is_referring = scene.policy.is_referring
    x, y = np.transpose([upper, lower])
    marks: list[Mark] = [
        diagonal(),
        *_isometrics(scene),
        Line("curve", "ranking", curve.fpr, curve.tpr),
        Line("hull", "hull", hull.fpr, hull.tpr, dash="dashed", width=2.0),
        Line("between", "selected", *((x, y) if is_referring else NO_POINTS), width=5.0),
        Dots("lower", "negative", x[1:], y[1:], rim="paper", size=140.0),
        Dots("upper", "positive", x[:1], y[:1], rim="paper", size=140.0),
    ]
    picture = Picture(
        Axis("false positive rate"), Axis("true positive rate"), tuple(marks), is_large=is_large
    )
    rows = [Entry("ROC curve", "text", "curve"), Entry("hull", "hull-text", "hull")]
    if is_referring:
        rows.append(Entry("rule in up to here", "positive-text", "upper"))
        rows.append(Entry("referred", "selected-text", "between"))
        rows.append(Entry("rule out from here on", "negative-text", "lower"))
    else:
        rows.append(Entry("one threshold, nobody is referred", "positive-text", "upper"))
    return picture.with_marks(Legend("words", "text", choices=[rows, ()], corner=(1.0, 0.0)))


def _isometrics(scene: ReferralScene) -> list[Mark]:
    """Draw the lines that touch the hull; a promise has none."""
    policy = scene.policy
    upper, lower = scene.points
    style: dict[str, Any] = {"dash": "dashed", "width": 1.8, "may_be_covered": True}
    if np.isnan(policy.price):
        return []
    if not policy.is_referring:
        costs = (policy.cost_fp, policy.cost_fn)
        return [Line("isometric", "optimum", *_isometric(scene, upper, *costs), **style)]
    price = policy.price
    of_upper = _isometric(scene, upper, policy.cost_fp - price, price)
    of_lower = _isometric(scene, lower, price, policy.cost_fn - price)
    return [
        Line("isometric:upper", "positive", *of_upper, **style),
        Line("isometric:lower", "negative", *of_lower, **style),
    ]


def _isometric(
    scene: ReferralScene, point: tuple[float, float], cost_fp: float, cost_fn: float
) -> tuple[Floats, Floats]:
    """Trace the points of ROC space that cost as much as one of them."""
    prevalence = scene.policy.prevalence
    # a price just below a cost may be above it by rounding
    return isometric_through(
        "cost",
        *point,
        prevalence=prevalence,
        cost_fp=max(cost_fp, 0.0),
        cost_fn=max(cost_fn, 0.0),
    )


def scores_picture(scene: ReferralScene, is_large: bool) -> Picture:
    """Draw the scores of both classes in three zones."""
    policy = scene.policy
    histogram = score_histogram(scene.segments, bins=_N_BINS)
    low = float(histogram.edges[0])
    high = float(histogram.edges[-1])
    highest = float(max(histogram.pos.max(), histogram.neg.max()))
    ends = np.clip([low, policy.lower_threshold, policy.upper_threshold, high], low, high)
    marks: list[Mark] = []
    for k, role in enumerate(_ZONE_ROLES):
        corners = boxes(ends[k], ends[k + 1], 0.0, 1.0)
        marks.append(Areas(f"zone:{k}", role, *corners, opacities=(0.14,)))
    x = np.repeat(histogram.edges, 2)[1:-1]
    for role, heights in (("negative", histogram.neg), ("positive", histogram.pos)):
        top = 0.66 * np.repeat(heights, 2) / highest
        marks.append(Band(role, role, x, (np.zeros(x.size), top), opacity=0.55))
    for name, threshold in (("lower", ends[1]), ("upper", ends[2])):
        line = ((threshold, threshold), (0.0, 1.0))
        marks.append(Line(f"{name} threshold", "selected", *line, width=2.0, may_be_covered=True))
    picture = Picture(
        Axis("score", low, high, pad=0.02),
        Axis("", 0.0, 1.0, (), pad=0.0, is_shown=False),
        tuple(marks),
        is_large=is_large,
    )
    rows = []
    frame = policy.to_frame()
    for k, role in enumerate(_ZONE_ROLES):
        text = f"{_ZONE_WORDS[k]}: {percent(frame['share'][k])}"
        wrong = frame["error_rate"][k]
        if is_large and wrong == wrong:  # not of those referred, nor of an empty zone
            text += f", {percent(wrong)} of these {_WRONG[k]}"
        rows.append(Entry(text, f"{role}-text", f"zone:{k}"))
    return picture.with_marks(Legend("words", "text", choices=[rows, ()], corner=(0.5, 1.0)))


def price_picture(scene: ReferralScene, is_large: bool) -> Picture:
    """Draw the cost per person against the price of a referral."""
    policy = scene.policy
    limit = policy.break_even_price
    known = [price for price in (policy.price, policy.cost_referral) if price and price == price]
    highest = max([(1 + _BEYOND) * limit, *known])
    if highest == 0:  # nobody would pay for a referral
        highest = max(policy.cost_fp, policy.cost_fn)
    prices = np.unique([*np.linspace(0.0, highest, _N_PRICES), *known, min(limit, highest)])
    costs = np.array([_cost_at(scene, float(price)) for price in prices])
    mistakes = policy.cost - (policy.cost_referral or 0.0) * policy.share_referred
    own = mistakes + prices * policy.share_referred
    top = 1.25 * max(policy.cost_without, float(costs.max()))
    if top == 0:  # a perfect ranking, or mistakes of one kind that cost nothing
        top = max(policy.cost_fp, policy.cost_fn)
    is_inside = own <= top
    marks: list[Mark] = [
        Line(
            "limit",
            "reference",
            (limit, limit),
            (0.0, top),
            dash="dotted",
            width=2.0,
            may_be_covered=True,
        ),
        Line("without", "optimum", (0.0, highest), [policy.cost_without] * 2, width=2.0),
        Line("policy", "selected", prices[is_inside], own[is_inside], dash="dashed", width=2.0),
        Line("cost", "ranking", prices, costs),
    ]
    if policy.cost_referral is not None:
        marks.append(Dots("point", "selected", [policy.cost_referral], [policy.cost], rim="paper"))
    picture = Picture(
        Axis("price of a referral", 0.0, highest),
        Axis("cost per person", 0.0, top, round_ticks(0.0, top, 4 if is_large else 2), pad=0.02),
        tuple(marks),
        is_large=is_large,
    )
    rows = [
        Entry("best two thresholds at each price", "text", "cost"),
        Entry("these two thresholds", "selected-text", "policy"),
        Entry("one threshold", "optimum-text", "without"),
        Entry(f"referring can pay up to {number(limit)}", "muted", "limit"),
    ]
    short = [
        Entry("best two thresholds", "text", "cost"),
        Entry("these two", "selected-text", "policy"),
        Entry("one", "optimum-text", "without"),
    ]
    return picture.with_marks(Legend("words", "text", choices=[rows, short, ()], corner=(1.0, 0.0)))


def _cost_at(scene: ReferralScene, price: float) -> float:
    """Compute the lowest cost per person at a price."""
    policy = scene.policy
    best = referral_policy(
        scene.segments,
        cost_fp=policy.cost_fp,
        cost_fn=policy.cost_fn,
        cost_referral=price,
        prevalence=policy.prevalence,
    )
    return best.cost
