"""Weighted logistic regression on a few columns, by Newton's method made safe.

Knows numbers only; nothing of scores, classes or calibration.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from functools import partial

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, log_expit, logsumexp

from rocviz.core.base.exactness import least_positive
from rocviz.core.base.logistic_levels import either
from rocviz.core.base.validation import Floats

_LEAST = 1e-290  # share of a class that has any say
_BALANCED = 1e-11  # of logarithms of sums that should be equal
# Weights less than this part of the greatest are lost where all are added up; of so many samples
# targets are so near 0 and 1 that it is looked whether the fit is good.
_FAR, _MANY = 1e-9, 1e7
# Newton's last steps; how far off log odds may be, up to where floats tell probabilities from 0; of
# how many places, times the square of the digits, are polished: some seconds.
_LAST_STEPS, _LOST, _OF_FLOATS, _MOST_WORK = 8, 1e-12, 745.0, 3e8
# Brent's method may have to halve ranges from one end of floats to the other.
root = partial(brentq, xtol=1e-15, maxiter=5000)
_EPS = float(np.finfo(np.float64).eps)
# Digits that are left where what is polished cancels, how many steps at most, and what the last
# one may still change.
_DIGITS, _MOST_POLISHING, _POLISHED = 60, 20, Decimal("1e-20")
_NO_LINE = (
    "segments.pos and segments.neg are too far apart for a map: no line is found that is best."
)
_MOST_STEPS = 1000  # of log odds that may be in the hundreds, by one each
_FARTHEST = 1e31  # weights of a line with two slopes
_STRONGEST = 1e100  # a ridge that leaves nothing of a slope


def fit_logistic(
    x: Floats, target: Floats, rest: Floats, weight: Floats, ridge: float
) -> tuple[Floats, float, float]:
    """Return slopes, intercept and mean loss of a weighted logistic regression.

    ``x`` has one column per slope, ``target`` is in [0, 1] and ``rest`` what is left of 1, which
    may be too little for a subtraction; ``ridge`` acts on the slopes against a sum over samples.
    Centred and scaled columns keep the Hessian tame.
    """
    total = weight.sum()
    with np.errstate(over="ignore"):  # which NumPy 1.26 reports of denormal totals
        w = weight / total
    share, others = float(w @ target), float(w @ rest)
    if share > others:  # the rarer class is the one whose probabilities floats tell apart
        slope, intercept, loss = fit_logistic(x, rest, target, weight, ridge)
        return -slope, -intercept, loss
    start = log_odds_of(share, others)
    # one place that says more than all others has no say in the slopes: its rounding is not there
    says = w * target * rest
    first = int(np.argmax(says))
    centre = x[first] if says[first] > 0.5 * says.sum() else w @ x
    del says
    scale = np.abs(x - centre).max(axis=0)
    scale[scale == 0] = 1.0
    design = np.column_stack(((x - centre) / scale, np.ones(len(x))))
    # one step at a time: neither the weights nor the columns need have a square that is a float
    with np.errstate(over="ignore"):
        penalty = np.append(np.minimum(ridge / total / scale, _STRONGEST) / scale, 0.0)
    np.minimum(penalty, _STRONGEST, out=penalty)

    def descend(at: Floats) -> tuple[Floats, Floats, Floats]:
        log_odds = design @ at
        yes, no = either(log_odds)
        spread = yes * no
        spread *= w
        # what is too much of one class and of the other, each to its last digits
        yes *= rest
        no *= target
        yes -= no
        yes *= w
        return log_odds, spread, design.T @ yes + penalty * at

    coef = np.append(np.zeros(x.shape[1]), start)
    log_odds, spread, gradient = descend(coef)
    for _ in range(_MOST_STEPS):
        hessian = (design.T * spread) @ design + np.diag(penalty)
        # slopes that only small weights depend on count as much as the others
        size = np.sqrt(np.diag(hessian))
        size[size == 0] = 1.0
        step = (
            np.linalg.lstsq(hessian / np.outer(size, size), gradient / size, rcond=None)[0] / size
        )
        # where predicted saturates the Hessian vanishes and Newton's method would stay for ever
        change = float((np.abs(design @ step) / (5 + np.abs(log_odds))).max())
        step /= max(1.0, change)
        if change < 1e-9:
            coef -= step  # the last one: what it misses is less than rounding
            break
        log_odds, spread, new = descend(coef - step)
        # a step that leads past the valley, and up the other side as steeply, is halved
        while -(new @ step) > 0.9 * (gradient @ step) and np.abs(step).max() > 1e-9:
            step /= 2
            log_odds, spread, new = descend(coef - step)
        coef, gradient = coef - step, new
    else:
        raise ValueError(_NO_LINE)
    missed = target * log_expit(log_odds) + rest * log_expit(-log_odds)
    loss = float(penalty @ coef**2 / 2 - w @ missed)
    slope = coef[:-1] / scale
    return slope, float(coef[-1] - slope @ centre), loss


def fit_sigmoid(x: Floats, pos: Floats, neg: Floats) -> tuple[float, float, int | None]:
    """Return Platt's line through classes of these weights: slope, log odds, and where these are.

    That is at 0, or at one of the places ``x``. The slope is 0 where it would be negative.
    """
    weight, n_pos, n_neg = pos + neg, float(pos.sum()), float(neg.sum())
    of_pos, of_neg = pos / weight, neg / weight
    target = of_pos * ((n_pos + 1) / (n_pos + 2)) + of_neg * (1 / (n_neg + 2))
    # what is left of 1, which a subtraction might lose
    rest = of_pos * (1 / (n_pos + 2)) + of_neg * ((n_neg + 1) / (n_neg + 2))
    least = min(map(least_positive, (pos, neg)))
    far = x.size > 1 and least < _FAR * max(float(pos.max()), float(neg.max()))
    slope, intercept = 0.0, 0.0
    if not far:
        (of_unit,), intercept, _ = fit_logistic(x[:, None], target, rest, weight, 0.0)
        slope = float(of_unit)
    if x.size == 1 or slope < 0:
        shares = (float(np.average(part, weights=weight)) for part in (target, rest))
        return 0.0, log_odds_of(*shares), None
    if slope > 0 and n_pos + n_neg < _MANY:
        line, found = settled(x, target, rest, weight, (slope, slope * float(x[0]) + intercept, 0))
        if found:
            return line[0], line[1] - line[0] * float(x[line[2]]), None
    line = fit_line(x, target, rest, weight, (slope, intercept))
    if line[0] == 0:
        return line
    better, found = settled(x, target, rest, weight, line)
    if found:
        return better
    return polished(x, pos, neg, line)


def settled(
    x: Floats, target: Floats, rest: Floats, weight: Floats, line: tuple[float, float, int]
) -> tuple[tuple[float, float, int], bool]:
    """Return a line near the best one after Newton's last steps, and whether it has all its digits.

    Deviations from the centre of what the slope depends on do not cancel. Where great weights lie
    close together, their rounding may still be more than what the small ones say.
    """
    slope, level, first = line
    log_odds = level + slope * (x - x[first])
    w = weight / weight.max()
    # from the place that says most, distances to those close by have all their digits
    at = int(np.argmax(w * expit(log_odds) * expit(-log_odds)))
    level, away = float(log_odds[at]), x - x[at]
    reach = float(np.abs(away).max())
    for _ in range(_LAST_STEPS):
        log_odds = level + slope * away
        predicted, others = either(log_odds)
        bend = w * predicted * others
        miss = w * (predicted * rest - others * target)
        centre = float(bend @ away / bend.sum())
        off = away - centre
        spread = float(bend @ off**2)
        if spread < _LEAST:
            return line, False
        turn = float(miss @ off) / spread
        shift = float(miss.sum() / bend.sum()) - turn * centre
        slope, level = slope - turn, level - shift
        moved = abs(shift) + abs(turn) * reach
        if slope <= 0 or not 1e-8 < moved < 1:  # what is left is the square of it
            break
    noise = float(bend @ (np.abs(off) * (1 + np.abs(log_odds))) + np.abs(miss) @ np.abs(away))
    rounding = _EPS * noise / spread
    found = slope > 0 and moved < 1e-8 and rounding * min(reach, _OF_FLOATS / slope) < _LOST
    return (slope, level, at), found


def fit_line(
    x: Floats,
    target: Floats,
    rest: Floats,
    weight: Floats,
    start: tuple[float, float],
) -> tuple[float, float, int]:
    """Return slope and log odds at one of the places, and which, of weights however far apart.

    The arguments are those of :func:`fit_logistic`, for one column and no ridge. The slope is 0
    where it would be negative. A ``start``, slope and intercept, is kept if it is good. What pulls
    the line up and what pulls it down are sums of positive terms, whose logarithms are balanced:
    small weights count beside great ones, where Newton's method adds them up. The line is held at
    the place that weighs most and turned about it, so that this place has no say in the slope.
    """
    log_weight = np.log(weight)
    down, up = log_weight + np.log(rest), log_weight + np.log(target)
    at = int(np.argmax(down + np.log(target)))
    away = x - x[at]
    with np.errstate(divide="ignore"):
        arm = np.log(np.abs(away))
    wanted = np.log(target) - np.log(rest)

    def pull(log_odds: Floats, turning: bool) -> float:
        """Return by how much the line is too high, or too steep, in logarithms."""
        high, low = down + log_expit(log_odds), up + log_expit(-log_odds)
        if turning:
            high, low = (
                np.where(away > 0, one, other) + arm for one, other in ((high, low), (low, high))
            )
        return float(logsumexp(high) - logsumexp(low))

    def balanced(slope: float) -> float:
        """Return the log odds where the line of this slope is neither too high nor too low."""
        needed = wanted - slope * away
        low, high = float(needed.min()), float(needed.max())
        # at the ends all pull one way, up to rounding
        slack = 1e-9 * max(abs(low), abs(high), 1.0)
        return float(root(lambda z: pull(z + slope * away, False), low - slack, high + slack))

    def steepness(log_slope: float) -> float:
        slope = float(np.exp(log_slope))
        return pull(balanced(slope) + slope * away, True)

    if start[0] > 0:
        line = start[0] * x + start[1]
        if max(abs(pull(line, turning)) for turning in (False, True)) < _BALANCED:
            return start[0], float(line[at]), at
    level = balanced(0.0)
    if pull(np.full(x.size, level), True) >= 0:
        return 0.0, level, at
    low = high = 0.0
    while steepness(low) >= 0:
        low -= 4.0
    while steepness(high) < 0:
        high += 4.0
    slope = float(np.exp(root(steepness, low, high)))
    return slope, balanced(slope), at


def polished(
    x: Floats, pos: Floats, neg: Floats, line: tuple[float, float, int]
) -> tuple[float, float, int]:
    """Return Platt's line, near ``line``, to its last digit: Newton's method with many digits.

    Great weights whose scores lie close together may leave their rounding to the small ones that
    the slope depends on; so even targets are not rounded.
    """
    slope, level, at = Decimal(line[0]), Decimal(line[1]), line[2]
    sizes = [side[side > 0] for side in (pos, neg)]
    most, least = (extreme(*map(extreme, sizes)) for extreme in (max, min))
    # targets are as far from 0 and 1 as weights are from each other
    digits = _DIGITS + 2 * int(np.log10(max(most, 1.0)) - np.log10(min(least, 1.0)))
    if x.size * digits**2 > _MOST_WORK:
        raise ValueError(
            f"segments.pos and segments.neg are too far apart for a map of {x.size:,} scores; "
            f"at most {int(_MOST_WORK // digits**2):,} would do."
        )
    with localcontext(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN):
        away = [Decimal(place) - Decimal(float(x[at])) for place in x.tolist()]
        ups, downs = ([Decimal(w) for w in side.tolist()] for side in (pos, neg))
        high = sum(ups, Decimal(1)) / sum(ups, Decimal(2))
        low = 1 / sum(downs, Decimal(2))
        for _ in range(_MOST_POLISHING):
            g = gx = h = hx = hxx = Decimal(0)
            for place, up, down in zip(away, ups, downs, strict=True):
                log_odds = level + slope * place
                odds = (-abs(log_odds)).exp()  # of the rarer class
                share = (1 if log_odds > 0 else odds) / (1 + odds)
                miss = (up + down) * share - up * high - down * low
                bend = (up + down) * odds / (1 + odds) ** 2
                g, gx = g + miss, gx + miss * place
                h, hx, hxx = h + bend, hx + bend * place, hxx + bend * place * place
            room = h * hxx - hx * hx
            if room == 0:
                break
            steps = (h * gx - hx * g) / room, (hxx * g - hx * gx) / room
            slope, level = slope - steps[0], level - steps[1]
            if abs(steps[0]) < _POLISHED * abs(slope):
                return float(slope), float(level), at
    raise ValueError(_NO_LINE)


def check_apart(pos: Floats, neg: Floats) -> None:
    """Raise if weights are so far apart that two slopes would lose digits to rounding."""
    most, least = max(pos.max(), neg.max()), min(map(least_positive, (pos, neg)))
    if least < most / _FARTHEST:
        raise ValueError(
            "segments.pos and segments.neg are too far apart for a beta map: weights from "
            f"{least:.3g} to {most:.3g} are more than {_FARTHEST:g} apart."
        )


def log_odds_of(share: float, others: float) -> float:
    """Return the log odds of two shares that add up to one."""
    if min(share, others) < _LEAST:
        raise ValueError(
            "segments.pos and segments.neg are too far apart for a map: one class has a share of "
            f"{min(share, others):.3g} of all weight."
        )
    return float(np.log(share) - np.log(others))
