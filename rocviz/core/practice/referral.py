"""Two thresholds: rule out below the lower one, rule in from the upper one on, refer the rest.

The two ends do not depend on each other: each is where an isometric of its own slope touches the
convex hull.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from math import sqrt
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.naming import threshold_text
from rocviz.core.base.normal import normal_quantile
from rocviz.core.base.samples import Samples, check_scored
from rocviz.core.base.validation import (
    Bools,
    Floats,
    Seed,
    Weights,
    check_bootstrap,
    check_costs,
    check_fraction,
    check_number,
    check_numbers,
    check_prevalence,
    check_random_state,
    check_vector,
    describe,
)
from rocviz.core.comparison.bootstrap import resampled_statistics
from rocviz.core.roc.auc_intervals import has_whole_weights
from rocviz.core.roc.clustered_rates import effective_trials
from rocviz.core.roc.fixed_sequence import fixed_sequence, highest_bound, walk_starts
from rocviz.core.roc.geometry import cost_optimal_index
from rocviz.core.roc.metrics import binomial_interval, find_metric
from rocviz.core.roc.predictive_values import ratio_ends
from rocviz.core.roc.segments import RankedSegments, ranked

#: The zones, from low scores to high ones.
ZONES = ("rule_out", "refer", "rule_in")

#: What a zone may promise; the first two are about the zone that is ruled out.
PROMISES = ("npv", "sensitivity", "ppv", "specificity")
_OF_RULE_OUT = PROMISES[:2]

#: The numbers of a policy, see :meth:`ReferralPolicy.measures`.
MEASURES = (
    "share_referred",
    "sensitivity",
    "specificity",
    "npv",
    "ppv",
    "cost",
    "cost_without",
    "saving",
)
_COSTS = MEASURES[-3:]
# They depend on the single threshold, which is always chosen.
_OF_CHOSEN_ALONE = ("cost_without", "saving")

# Relative difference of equal costs, which are sums of two rounded products.
_COST_TOLERANCE = 16 * np.finfo(np.float64).eps
_SHARE_TOLERANCE = 1e-12  # of shares that are equal but for rounding


# ---------------------------------------------------------------------- results


@dataclass(frozen=True)
class ReferralDraw(Frozen):
    """Scores of which a share is referred, drawn at random.

    A share of all people that may be referred is in general met only between two vertices of the
    hull.

    Parameters
    ----------
    lower, upper : float
        Scores from ``lower`` up to below ``upper`` are drawn.
    share : float
        Share of these that is referred, strictly between 0 and 1.
    otherwise : str
        Zone of the others, ``"rule_out"`` or ``"rule_in"``.
    """

    lower: float
    upper: float
    share: float
    otherwise: str


@dataclass(frozen=True, eq=False)
class ReferralPolicy(Frozen):
    """Two thresholds, the three zones between them, and what they cost.

    Made by :func:`referral_policy`.

    Parameters
    ----------
    lower_threshold, upper_threshold : float
        Scores below the lower one are ruled out, those from the upper one on ruled in, those
        between referred. Equal if nobody is referred; minus infinity if nobody is ruled out,
        infinity if nobody is ruled in.
    draw : ReferralDraw or None
        The part of the zone between that is referred by a draw.
    n_pos, n_neg : ndarray of float, shape (3,)
        Weight of positives and negatives that are ruled out, referred and ruled in; expected ones,
        if there is a draw.
    prevalence : float
        For which shares, predictive values and costs are computed.
    cost_fp, cost_fn : float
        Costs of a false alarm and of a miss.
    cost_referral : float or None
        Cost of a referral, if one was given.
    price : float
        Price of a referral at which these thresholds are cost-optimal: the cost of one, or with
        ``max_referred`` what one more referral would save. ``nan`` for promises and for given
        thresholds.
    break_even_price : float
        Price up to which referring can pay, ``cost_fp * cost_fn / (cost_fp + cost_fn)``.
    threshold_without : float
        The cost-optimal threshold if nobody is referred.
    cost, cost_without : float
        Expected cost per person of this policy, and of that threshold. Referrals count with
        ``cost_referral``, or nothing if that is not given.
    promises : dict of str to float
        What the zones promise.
    max_referred, guarantee : float or None
        As given.
    corrected : dict of str to float
        :meth:`measures` less what the choice of the thresholds on the same data adds to them, if
        resamples were drawn.
    intervals : dict of str to (float, float)
        Their intervals, which include both numbers.
    confidence : float
        Confidence level of these.
    reasons : tuple of str
        Sentences on what limits the policy.
    """

    lower_threshold: float
    upper_threshold: float
    draw: ReferralDraw | None
    n_pos: Floats
    n_neg: Floats
    prevalence: float
    cost_fp: float
    cost_fn: float
    cost_referral: float | None
    price: float
    break_even_price: float
    threshold_without: float
    cost: float
    cost_without: float
    promises: dict[str, float]
    max_referred: float | None
    guarantee: float | None
    corrected: dict[str, float] = field(default_factory=dict)
    intervals: dict[str, tuple[float, float]] = field(default_factory=dict)
    confidence: float = 0.95
    reasons: tuple[str, ...] = ()

    @property
    def shares(self) -> Floats:
        """Shares of all people that are ruled out, referred and ruled in, shape (3,)."""
        return self._pos_shares + self._neg_shares

    @property
    def _pos_shares(self) -> Floats:
        """Shares of all people that are positive and in each zone."""
        return np.asarray(self.prevalence * self.n_pos / self.n_pos.sum())

    @property
    def _neg_shares(self) -> Floats:
        """Shares of all people that are negative and in each zone."""
        return np.asarray((1 - self.prevalence) * self.n_neg / self.n_neg.sum())

    @property
    def is_referring(self) -> bool:
        """Whether anybody is referred."""
        return bool(self.shares[1] > 0)

    @property
    def share_referred(self) -> float:
        """Share of all people that is referred."""
        return float(self.shares[1])

    @property
    def sensitivity(self) -> float:
        """Share of the positives that is not ruled out."""
        return 1 - float(self.n_pos[0] / self.n_pos.sum())

    @property
    def specificity(self) -> float:
        """Share of the negatives that is not ruled in."""
        return 1 - float(self.n_neg[2] / self.n_neg.sum())

    @property
    def npv(self) -> float:
        """Share of negatives among those ruled out; ``nan`` if nobody is."""
        return _ratio(float(self._neg_shares[0]), float(self.shares[0]))

    @property
    def ppv(self) -> float:
        """Share of positives among those ruled in; ``nan`` if nobody is."""
        return _ratio(float(self._pos_shares[2]), float(self.shares[2]))

    @property
    def saving(self) -> float:
        """Cost per person that is saved by referring."""
        return self.cost_without - self.cost

    def measures(self) -> dict[str, float]:
        """Give the numbers of the policy.

        Returns
        -------
        dict of str to float
            ``share_referred, sensitivity, specificity, npv, ppv, cost, cost_without`` and
            ``saving``.
        """
        return {name: float(getattr(self, name)) for name in MEASURES}

    def zone(self, y_score: ArrayLike, random_state: Seed = None) -> NDArray[np.str_]:
        """Answer for each score: ``"rule_out"``, ``"refer"`` or ``"rule_in"``.

        Parameters
        ----------
        y_score : array-like of float, shape (n_samples,)
            Finite.
        random_state : int, RandomState, Generator or None, default=None
            Source of the draws, if there is a ``draw``.

        Returns
        -------
        ndarray of str, shape (n_samples,)

        Raises
        ------
        ValueError
            If the scores are invalid.

        Examples
        --------
        >>> segments = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
        >>> policy = referral_policy(segments, cost_referral=0.2)
        >>> policy.zone([0.5, 2.5, 3.5]).tolist()
        ['rule_out', 'refer', 'rule_in']
        """
        score = check_vector(y_score, "y_score")
        rng = check_random_state(random_state)
        code = (score >= self.lower_threshold).astype(np.intp)
        code[score >= self.upper_threshold] = 2
        if self.draw is not None:
            is_drawn = (score >= self.draw.lower) & (score < self.draw.upper)
            is_left = is_drawn & (rng.random(score.size) >= self.draw.share)
            code[is_left] = ZONES.index(self.draw.otherwise)
        return np.array(ZONES)[code]

    def to_frame(self) -> DataFrame:
        """Tabulate one row per zone.

        Returns
        -------
        pandas.DataFrame
            Columns ``zone, from_score, below_score, n, n_pos, share, share_pos, share_neg,
            error_rate``: counts of the data, shares of all people, of the positives and of the
            negatives, and the share of wrong answers in the zone (``nan`` for those referred).
        """
        ends = (-np.inf, self.lower_threshold, self.upper_threshold, np.inf)
        wrong = (1 - self.npv, np.nan, 1 - self.ppv)
        return to_frame(
            zone=list(ZONES),
            from_score=list(ends[:3]),
            below_score=list(ends[1:]),
            n=self.n_pos + self.n_neg,
            n_pos=self.n_pos,
            share=self.shares,
            share_pos=self.n_pos / self.n_pos.sum(),
            share_neg=self.n_neg / self.n_neg.sum(),
            error_rate=list(wrong),
        )

    def measures_to_frame(self) -> DataFrame:
        """Tabulate :meth:`measures` with their intervals.

        Returns
        -------
        pandas.DataFrame
            Indexed by ``measure``, with columns ``value, corrected, lower, upper``; ``nan`` without
            interval.
        """
        rows = []
        for name, value in self.measures().items():
            lower, upper = self.intervals.get(name, (np.nan, np.nan))
            row = {"measure": name, "value": value, "corrected": self.corrected.get(name, np.nan)}
            rows.append({**row, "lower": lower, "upper": upper})
        return to_frame(rows).set_index("measure")

    def __repr__(self) -> str:
        shares = ", ".join(f"{100 * share:.3g} %" for share in self.shares)
        if not self.is_referring:
            where = f"one threshold, {threshold_text(self.upper_threshold)}"
        else:
            lower = threshold_text(self.lower_threshold)
            where = f"refer from {lower} to below {threshold_text(self.upper_threshold)}"
        return f"<ReferralPolicy: {where};\n    ruled out, referred, ruled in: {shares}>"

    def _repr_html_(self) -> str:
        zones = self.to_frame().round(4).to_html(na_rep="–", index=False)
        numbers = []
        for name, value in self.measures().items():
            text = f"{name} {value:.4g}"
            if name in self.intervals:
                lower, upper = self.intervals[name]
                text += f" ({lower:.4g} to {upper:.4g})"
            numbers.append(text)
        sentences = [", ".join(numbers), *self.reasons]
        return "".join([zones, *(f"<p>{escape(sentence)}</p>" for sentence in sentences)])


def _ratio(part: float, whole: float) -> float:
    """Divide a share by another; ``nan`` for 0 / 0."""
    return part / whole if whole > 0 else float("nan")


# ---------------------------------------------------------------------- finding a policy


class Wanted(NamedTuple):
    """Checked arguments of :func:`referral_policy`."""

    cost_fp: float
    cost_fn: float
    cost_referral: float | None
    promises: dict[str, float]
    max_referred: float | None
    guarantee: float | None
    prevalence: float | None
    thresholds: tuple[float, float] | None = None

    @property
    def break_even_price(self) -> float:
        """Price at which referring costs as much as guessing where classes are in balance."""
        low, high = sorted((self.cost_fp, self.cost_fn))
        return low / (1 + low / high)


class _Ends(NamedTuple):
    """Vertices of the curve where positives end and where negatives begin."""

    upper: int
    lower: int
    price: float
    draw: tuple[int, int, float, str] | None = None  # vertices, share referred, other zone
    reasons: tuple[str, ...] = ()


def referral_policy(
    y_true: ArrayLike | RankedSegments,
    y_score: ArrayLike | None = None,
    *,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    cost_referral: float | None = None,
    npv: float | None = None,
    sensitivity: float | None = None,
    ppv: float | None = None,
    specificity: float | None = None,
    max_referred: float | None = None,
    thresholds: tuple[float, float] | None = None,
    guarantee: float | None = None,
    prevalence: float | None = None,
    sample_weight: Weights = None,
    clusters: ArrayLike | None = None,
    pos_label: Any = None,
    confidence: float = 0.95,
    n_resamples: int = 0,
    random_state: Seed = 0,
) -> ReferralPolicy:
    """Find two thresholds: whom to rule out, whom to rule in, and whom to refer.

    There are three ways to say what is wanted: by cost (``cost_referral``), by promise (any of
    ``npv``, ``sensitivity``, ``ppv``, ``specificity``), or by capacity (``max_referred``). Given
    ``thresholds`` are not chosen, but judged: their zones, errors and cost.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or RankedSegments
        Labels of exactly two classes. Segments stand for labels, scores and weights.
    y_score, sample_weight, pos_label
        As for :meth:`RankedSegments.from_scores`.
    cost_fp, cost_fn : float, default=1.0
        Costs of a false alarm and of a miss; not negative and not both zero.
    cost_referral : float, optional
        Cost of a referral (a second reader, another test), at least 0. Above the price up to which
        it pays, one threshold is best, and ``reasons`` says so.
    npv, ppv : float, optional
        The largest zone is ruled out in which at least this share is negative, and the largest is
        ruled in in which at least this share is positive; strictly between 0 and 1. Without a
        promise about a zone the zone is empty. Where the two zones would overlap, thresholds that
        keep all promises and refer the fewest.
    sensitivity, specificity : float, optional
        The largest zones such that at least this share of the positives is not ruled out, and at
        least this share of the negatives not ruled in; strictly between 0 and 1.
    max_referred : float, optional
        At most this share of all people is referred, from 0 to 1, at the lowest cost of mistakes
        (and of referrals, if ``cost_referral`` is given). In general some are drawn, see ``draw``.
    thresholds : tuple of (float, float), optional
        A lower and an upper threshold to judge, the lower one first; they may be equal. Minus
        infinity rules out nobody, infinity rules in nobody.
    guarantee : float, optional
        Probability, strictly between 0 and 1, with which each promise is kept on new data too; by
        default promises are kept on these data only. Weights must be whole numbers; there must be
        no ``clusters`` and, for predictive values, no ``prevalence``.
    prevalence : float, optional
        Prevalence where the score is used, from 1e-9 to 1 - 1e-9; by default that of the data.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) belong together: resamples draw clusters.
    confidence : float, default=0.95
        Of the intervals; strictly between 0 and 1.
    n_resamples : int, default=0
        Resamples for the intervals, in each of which the thresholds are chosen again; 0 for none,
        else at least 50. Only with labels.
    random_state : int, RandomState, Generator or None, default=0
        Source of the random numbers of the resamples.

    Raises
    ------
    ValueError
        If an argument is invalid, ways that exclude each other or none are asked for, or a
        guarantee cannot be given.

    See Also
    --------
    RankedSegments.optimal_point : One threshold.
    rocviz.displays.practice.ReferralDisplay : Curve, zones and price.
    rocviz.estimators.practice.ReferralClassifier : The same as an estimator.

    Notes
    -----
    *By cost*, with prevalence ``pi`` the two ends are the points where isometrics of slopes
    ``(1 - pi) * c_R / (pi * (c_FN - c_R))`` and ``(1 - pi) * (c_FP - c_R) / (pi * c_R)`` touch the
    convex hull. They do not depend on each other, and are in the right order as long as
    ``c_R <= c_FP * c_FN / (c_FP + c_FN)``. For calibrated probabilities the thresholds are
    ``c_R / c_FN`` and ``1 - c_R / c_FP`` (Chow, 1970). Of policies that cost the same, the one that
    refers fewest.

    *By capacity*, segments of the hull are referred in the order of what a referral saves there,
    the last by a draw (Pietraszek, 2005); ``price`` is what one more referral would save.

    *With a guarantee*, thresholds are walked through from small zones to large ones, which is an
    order that classes have no part in, as long as Clopper and Pearson's one-sided bound keeps the
    promise (fixed-sequence testing: Angelopoulos et al., 2021, Learn then Test). For predictive
    values five walks begin at zones of growing size and share the error, since the smallest zones
    are too small to show anything. It is exact where predictive values fall as a zone grows. Each
    promise holds with this probability; two of them together with ``2 * guarantee - 1`` at least.
    In simulations (1,000 data sets of 400 samples) promises with a guarantee of 90 % were broken in
    1 % (predictive values) and 6 to 7 % (sensitivity, specificity) of them, and those without a
    guarantee in 46 to 54 %.

    *Intervals* are for the thresholds that were chosen, on new data. On the data that chose them
    their rates and costs are too good. Resamples show by how much: thresholds are chosen again in
    each of them, and are then judged on the data. The mean difference corrects the numbers; those
    at given ``thresholds`` are not corrected. An interval goes from the lower end around the
    smaller of both numbers to the upper end around the larger. Rates have Wilson's ends, with
    clusters for as many samples as say as much; predictive values at a stated prevalence have those
    of :func:`rocviz.core.roc.predictive_values`, and costs are put together from the shares of
    misses, false alarms and referrals. The saving alone has the standard error of the resamples.

    In simulations (40 to 80 data sets each; normal scores with AUCs of .5, .85 and .995,
    prevalences of .5 and .05, 50 to 1,000 samples; thresholds by cost and by promises of predictive
    values) 95 % intervals of rates, predictive values and costs cover 89 to 100 %, those of the
    saving 81 to 100 %. A useless score rules in hardly anybody at a prevalence of .05: in the 5 to
    10 % of the data sets in which it does so, all of those few are positive by chance, and
    intervals of PPV do not hold.

    References
    ----------
    Chow (1970). Tortorella (2000). Pietraszek (2005). Angelopoulos et al. (2021). Efron and
    Tibshirani (1993), chapter 17 (the correction). Donner and Zou (2012), Zou and Donner (2008) and
    Rao and Scott (1992) (the ends).

    Examples
    --------
    >>> segments = RankedSegments(score=[3, 2, 1], pos=[6, 3, 1], neg=[1, 2, 7])
    >>> policy = referral_policy(segments, cost_referral=0.2)
    >>> policy.lower_threshold, policy.upper_threshold
    (2.0, 3.0)
    >>> round(policy.cost, 4), round(policy.cost_without, 4), policy.break_even_price
    (0.15, 0.2, 0.5)
    >>> referral_policy(segments, npv=0.85).to_frame()["n"].tolist()
    [8.0, 12.0, 0.0]
    >>> round(referral_policy(segments, max_referred=0.1).draw.share, 3)
    0.4
    >>> policy = referral_policy(segments, thresholds=(1.5, 3), cost_referral=0.2)
    >>> round(policy.cost, 4), round(policy.npv, 4)
    (0.15, 0.875)
    >>> referral_policy(segments, cost_referral=0.6).reasons[0]
    'A referral costs 0.6, more than the 0.5 up to which it can pay: one threshold is best.'
    """
    segments = ranked(y_true, y_score, sample_weight, pos_label)
    wanted = check_wanted(
        cost_fp=cost_fp,
        cost_fn=cost_fn,
        cost_referral=cost_referral,
        npv=npv,
        sensitivity=sensitivity,
        ppv=ppv,
        specificity=specificity,
        max_referred=max_referred,
        thresholds=thresholds,
        guarantee=guarantee,
        prevalence=prevalence,
    )
    if wanted.guarantee is not None:
        _check_guarantee(segments, wanted, clusters)
    level, draws, rng = check_bootstrap(confidence, n_resamples, random_state, optional=True)
    samples = _samples(y_true, y_score, sample_weight, clusters, pos_label, draws)
    policy = _find(segments, wanted)
    if samples is None or not draws:
        return policy
    corrected, intervals = _intervals(policy, segments, samples, wanted, level, draws, rng)
    return replace(policy, corrected=corrected, intervals=intervals, confidence=level)


def check_wanted(
    *,
    cost_fp: float,
    cost_fn: float,
    cost_referral: float | None = None,
    npv: float | None = None,
    sensitivity: float | None = None,
    ppv: float | None = None,
    specificity: float | None = None,
    max_referred: float | None = None,
    thresholds: tuple[float, float] | None = None,
    guarantee: float | None = None,
    prevalence: float | None = None,
) -> Wanted:
    """Check what a policy is asked for, which does not depend on data."""
    costs = check_costs(cost_fp, cost_fn)
    if cost_referral is not None:
        cost_referral = check_number(cost_referral, "cost_referral", minimum=0.0)
    given = dict(zip(PROMISES, (npv, sensitivity, ppv, specificity), strict=True))
    promises = {}
    for name, share in given.items():
        if share is not None:
            promises[name] = check_fraction(share, name)
    if max_referred is not None:
        max_referred = check_fraction(max_referred, "max_referred", ends=True)
        if promises:
            raise ValueError(
                f"max_referred cannot be combined with {' and '.join(promises)}: thresholds either "
                "keep promises or refer a share at the lowest cost."
            )
    if thresholds is not None:
        thresholds = _check_thresholds(thresholds)
        others = list(promises)
        if max_referred is not None:
            others.append("max_referred")
        if others:
            raise ValueError(
                f"thresholds cannot be combined with {' and '.join(others)}, which choose them."
            )
    elif max_referred is None and cost_referral is None and not promises:
        raise ValueError(
            "One of cost_referral, max_referred, npv, sensitivity, ppv and specificity is needed "
            "to find two thresholds, or thresholds to judge; got none."
        )
    if guarantee is not None:
        guarantee = check_fraction(guarantee, "guarantee")
        if not promises:
            raise ValueError(f"guarantee needs a promise to keep, one of {', '.join(PROMISES)}.")
    if prevalence is not None:
        prevalence = check_prevalence(prevalence)
    return Wanted(*costs, cost_referral, promises, max_referred, guarantee, prevalence, thresholds)


def _check_thresholds(thresholds: Any) -> tuple[float, float]:
    """Check a lower and an upper threshold, which may be infinite."""
    pair = check_numbers(thresholds, "thresholds")
    if pair.shape != (2,) or np.isnan(pair).any() or pair[0] > pair[1]:
        raise ValueError(
            f"thresholds must be two numbers, the lower one first; got {describe(thresholds)}."
        )
    return float(pair[0]), float(pair[1])


def _check_guarantee(segments: RankedSegments, wanted: Wanted, clusters: ArrayLike | None) -> None:
    """Raise where counts are not binomial, so that no guarantee can be given."""
    if not has_whole_weights(segments.pos, segments.neg):
        raise ValueError("guarantee needs sample_weight to be whole numbers: counts of samples.")
    if clusters is not None:
        raise ValueError(
            "guarantee cannot be given for samples that come in clusters: their number of errors "
            "is not binomial. Take one sample of each cluster."
        )
    if wanted.prevalence is not None and ("npv" in wanted.promises or "ppv" in wanted.promises):
        raise ValueError(
            "guarantee of npv or ppv cannot be given for another prevalence than that of the data; "
            "sensitivity and specificity do not depend on it."
        )


def _samples(
    y_true: Any,
    y_score: Any,
    sample_weight: Weights,
    clusters: ArrayLike | None,
    pos_label: Any,
    draws: int,
) -> Samples | None:
    """Check the samples that resamples are drawn from, if there are any."""
    if not draws and clusters is None:
        return None
    if isinstance(y_true, RankedSegments):
        name = "n_resamples" if clusters is None else "clusters"
        raise ValueError(f"{name} can only be given with labels; segments do not know samples.")
    return check_scored(y_true, sample_weight, pos_label, clusters, y_score=y_score)


def _find(segments: RankedSegments, wanted: Wanted) -> ReferralPolicy:
    """Find the policy of segments."""
    pi = segments.prevalence if wanted.prevalence is None else wanted.prevalence
    vertices = segments.hull_vertices
    best = cost_optimal_index(
        segments.fpr[vertices],
        segments.fnr[vertices],
        wanted.cost_fp * (1 - pi),
        wanted.cost_fn * pi,
    )
    if wanted.thresholds is None:
        find_ends = _by_promise if wanted.promises else _by_cost
        return _policy(segments, wanted, find_ends(segments, wanted, pi), int(vertices[best]))
    lower, upper = wanted.thresholds
    ends = _Ends(_vertex(segments, upper), _vertex(segments, lower), np.nan)
    policy = _policy(segments, wanted, ends, int(vertices[best]))
    # as given, not the score that comes next
    return replace(policy, lower_threshold=lower, upper_threshold=upper)


def _policy(segments: RankedSegments, wanted: Wanted, ends: _Ends, best: int) -> ReferralPolicy:
    """Compute what two thresholds, and the ``best`` single one, do to the data."""
    pi = segments.prevalence if wanted.prevalence is None else wanted.prevalence
    n_pos = _zone_totals(segments.pos, ends)
    n_neg = _zone_totals(segments.neg, ends)
    draw = None
    if ends.draw is not None:
        first, last, share, otherwise = ends.draw
        lower = _threshold(segments, last)
        draw = ReferralDraw(lower, _threshold(segments, first), share, otherwise)
    of_neg = wanted.cost_fp * (1 - pi)
    of_pos = wanted.cost_fn * pi
    referred = pi * n_pos[1] / segments.n_pos + (1 - pi) * n_neg[1] / segments.n_neg
    errors = of_pos * n_pos[0] / segments.n_pos + of_neg * n_neg[2] / segments.n_neg
    return ReferralPolicy(
        lower_threshold=_threshold(segments, ends.lower),
        upper_threshold=_threshold(segments, ends.upper),
        draw=draw,
        n_pos=n_pos,
        n_neg=n_neg,
        prevalence=pi,
        cost_fp=wanted.cost_fp,
        cost_fn=wanted.cost_fn,
        cost_referral=wanted.cost_referral,
        price=ends.price,
        break_even_price=wanted.break_even_price,
        threshold_without=_threshold(segments, best),
        cost=float(errors + (wanted.cost_referral or 0.0) * referred),
        cost_without=float(of_pos * segments.fnr[best] + of_neg * segments.fpr[best]),
        promises=wanted.promises,
        max_referred=wanted.max_referred,
        guarantee=wanted.guarantee,
        reasons=ends.reasons,
    )


def _threshold(segments: RankedSegments, vertex: int) -> float:
    """Give the score from which on those before a vertex are; all, for the last one."""
    return -np.inf if vertex == len(segments) else float(segments.thresholds[vertex])


def _zone_totals(side: Floats, ends: _Ends) -> Floats:
    """Sum the weights of a class in each zone, expected ones if there is a draw."""
    negative = side[ends.lower :].sum()
    between = side[ends.upper : ends.lower].sum()
    totals = [negative, between, side[: ends.upper].sum()]
    if ends.draw is not None:
        first, last, share, otherwise = ends.draw
        left = (1 - share) * side[first:last].sum()
        totals[1] -= left
        totals[ZONES.index(otherwise)] += left
    return np.maximum(totals, 0.0)


def _intervals(
    policy: ReferralPolicy,
    segments: RankedSegments,
    samples: Samples,
    wanted: Wanted,
    level: float,
    draws: int,
    rng: np.random.Generator,
) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """Correct the measures for the choice of the thresholds, and compute their intervals.

    An interval goes from the lower end around the smaller of a measure and its corrected value to
    the upper end around the larger.
    """
    table = resampled_statistics(samples, partial(_excess, wanted, segments), draws, rng)
    ends = _sampling_ends(policy, samples, wanted, level)
    corrected = {}
    intervals = {}
    for (name, value), column in zip(policy.measures().items(), table.T, strict=True):
        known = column[~np.isnan(column)]
        if np.isnan(value) or not known.size:
            continue
        is_chosen = wanted.thresholds is None or name in _OF_CHOSEN_ALONE
        optimism = float(known.mean()) if is_chosen else 0.0
        if name == "saving":
            half = normal_quantile(level) * float(known.std())
            if half == 0:
                continue  # equal resamples show no spread
            lower, upper = value - half, value + half
        else:
            lower, upper = ends[name]
        most = np.inf if name in _COSTS else 1.0
        least = -np.inf if name == "saving" else 0.0
        lower = max(lower - max(optimism, 0.0), least)
        upper = min(upper - min(optimism, 0.0), most)
        intervals[name] = (float(lower), float(upper))
        corrected[name] = float(np.clip(value - optimism, least, most))
    return corrected, intervals


class _Proportion(NamedTuple):
    """A share of samples, with Wilson's interval."""

    value: float
    lower: float
    upper: float


@dataclass(frozen=True)
class _Judged:
    """Samples, and the probability of each to be in each zone, shape (3, n_samples)."""

    w_pos: Floats
    w_neg: Floats
    unit: NDArray[np.intp] | None
    zones: Floats
    prevalence: float | None  # if it is stated
    level: float

    def proportion(self, successes: Floats, trials: Floats) -> _Proportion:
        """Compute a share; the design effect of clusters divides the number of trials."""
        n = float(trials.sum())
        share = min(float(successes.sum()) / n, 1.0)
        if self.unit is not None:
            n = effective_trials(successes, trials, self.unit)
        lower, upper = binomial_interval(share * n, n, confidence=self.level)
        return _Proportion(share, float(lower), float(upper))

    def predictive_value(self, zone: int, right: Floats, wrong: Floats) -> tuple[float, float]:
        """Compute the interval of the share of the right class in a zone."""
        inside = self.zones[zone]
        if self.prevalence is None:
            return self.proportion(right * inside, (right + wrong) * inside)[1:]
        odds = self.prevalence / (1 - self.prevalence)
        if right is self.w_neg:
            odds = 1 / odds
        of_right = self.proportion(right * inside, right)
        of_wrong = self.proportion(wrong * inside, wrong)
        low, high = ratio_ends(of_right.value, of_right[1:], of_wrong.value, of_wrong[1:])
        lower = odds * low / (1 + odds * low)
        return lower, odds * high / (1 + odds * high) if np.isfinite(high) else 1.0

    def cost(self, cost_fp: float, cost_fn: float, cost_referral: float) -> tuple[float, float]:
        """Compute the interval of what errors and referrals cost per person.

        The intervals of their shares are put together as those of independent numbers (MOVER).
        """
        missed, referred, false_alarms = self.w_pos, self.w_pos + self.w_neg, self.w_neg
        parts = [(cost_fn, missed, 0), (cost_fp, false_alarms, 2), (cost_referral, referred, 1)]
        terms = []
        for price, weight, zone in parts:
            inside = self.zones[zone]
            if self.prevalence is None:
                terms.append((price, self.proportion(weight * inside, self.w_pos + self.w_neg)))
                continue
            for share, of_class in (
                (self.prevalence, self.w_pos),
                (1 - self.prevalence, self.w_neg),
            ):
                of_part = np.minimum(weight, of_class)
                terms.append((price * share, self.proportion(of_part * inside, of_class)))
        total = sum(price * part.value for price, part in terms)
        below = sum((price * (part.value - part.lower)) ** 2 for price, part in terms)
        above = sum((price * (part.upper - part.value)) ** 2 for price, part in terms)
        return max(total - sqrt(below), 0.0), total + sqrt(above)


def _sampling_ends(
    policy: ReferralPolicy, samples: Samples, wanted: Wanted, level: float
) -> dict[str, tuple[float, float]]:
    """Compute intervals of rates and costs as if the thresholds had been given.

    References
    ----------
    Zou and Donner (2008). Donner and Zou (2012). Rao and Scott (1992).
    """
    score = samples.scores[0]
    zones = _zone_probabilities(policy, score)
    w_pos = np.where(samples.positive, samples.w, 0.0)
    w_neg = np.where(samples.positive, 0.0, samples.w)
    judged = _Judged(w_pos, w_neg, samples.unit, zones, wanted.prevalence, level)
    ends = {
        "share_referred": judged.cost(0.0, 0.0, 1.0),
        "sensitivity": judged.proportion(w_pos * (1 - zones[0]), w_pos)[1:],
        "specificity": judged.proportion(w_neg * (1 - zones[2]), w_neg)[1:],
        "cost": judged.cost(wanted.cost_fp, wanted.cost_fn, wanted.cost_referral or 0.0),
    }
    if policy.shares[0] > 0:
        ends["npv"] = judged.predictive_value(0, w_neg, w_pos)
    if policy.shares[2] > 0:
        ends["ppv"] = judged.predictive_value(2, w_pos, w_neg)
    is_positive = score >= policy.threshold_without
    alone = np.stack((~is_positive, np.zeros_like(is_positive), is_positive)).astype(np.float64)
    single = replace(judged, zones=alone)
    ends["cost_without"] = single.cost(wanted.cost_fp, wanted.cost_fn, 0.0)
    return ends


def _zone_probabilities(policy: ReferralPolicy, score: Floats) -> Floats:
    """Compute the probability of each zone for each score, shape (3, n_samples)."""
    is_low = score < policy.lower_threshold
    is_high = score >= policy.upper_threshold
    zones: Floats = np.stack((is_low, ~(is_low | is_high), is_high)).astype(np.float64)
    if policy.draw is not None:
        is_drawn = (score >= policy.draw.lower) & (score < policy.draw.upper)
        zones[1, is_drawn] = policy.draw.share
        zones[ZONES.index(policy.draw.otherwise), is_drawn] = 1 - policy.draw.share
    return zones


def _excess(wanted: Wanted, segments: RankedSegments, resample: RankedSegments) -> Floats:
    """Compute by how much measures are better where their thresholds were chosen than on the data.

    The thresholds are those of the resample.
    """
    chosen = _find(resample, wanted)
    draw = None
    if chosen.draw is not None:
        first = _vertex(segments, chosen.draw.upper)
        last = _vertex(segments, chosen.draw.lower)
        draw = (first, last, chosen.draw.share, chosen.draw.otherwise)
    upper = _vertex(segments, chosen.upper_threshold)
    ends = _Ends(upper, _vertex(segments, chosen.lower_threshold), np.nan, draw)
    here = _policy(segments, wanted, ends, _vertex(segments, chosen.threshold_without))
    return np.subtract(list(chosen.measures().values()), list(here.measures().values()))


def _vertex(segments: RankedSegments, threshold: float) -> int:
    """Find the vertex at which scores of at least a threshold end."""
    return len(segments) - int(np.searchsorted(segments.score[::-1], threshold, side="left"))


# ---------------------------------------------------------------------- by cost and by capacity


class _HullCosts(NamedTuple):
    """What each segment of the hull costs by each answer, per person of all people."""

    vertices: NDArray[np.intp]
    weight: Floats  # share of all people
    if_negative: Floats
    if_positive: Floats

    @classmethod
    def of(cls, segments: RankedSegments, wanted: Wanted, pi: float) -> _HullCosts:
        vertices = segments.hull_vertices
        start = vertices[:-1]
        pos = pi * np.add.reduceat(segments.pos, start) / segments.n_pos
        neg = (1 - pi) * np.add.reduceat(segments.neg, start) / segments.n_neg
        return cls(vertices, pos + neg, wanted.cost_fn * pos, wanted.cost_fp * neg)

    @property
    def of_answer(self) -> Floats:
        """Cost of the better answer."""
        return np.minimum(self.if_negative, self.if_positive)

    @property
    def is_positive(self) -> Bools:
        """Whether positive is the better answer; of equally good ones it is negative."""
        return self.if_positive < self.if_negative * (1 - _COST_TOLERANCE)

    def pays(self, price: float) -> Bools:
        """Whether referring costs less than the better answer."""
        return price * self.weight < self.of_answer * (1 - _COST_TOLERANCE)


def _by_cost(segments: RankedSegments, wanted: Wanted, pi: float) -> _Ends:
    """Refer the segments of the hull in which that pays, the best ones first if not all may be."""
    hull = _HullCosts.of(segments, wanted, pi)
    price = wanted.cost_referral or 0.0
    is_referred = hull.pays(price)
    could_pay = bool(is_referred.any())
    drawn = None
    share = 1.0
    if wanted.max_referred is not None:
        rate = hull.of_answer / hull.weight
        order = np.argsort(-rate, kind="stable")
        order = order[is_referred[order]]
        total = np.cumsum(hull.weight[order])
        full = int(np.count_nonzero(total <= wanted.max_referred + _SHARE_TOLERANCE))
        is_referred[order[full:]] = False
        if full < order.size:
            drawn = int(order[full])
            price = float(rate[drawn])
            before = float(total[full - 1]) if full else 0.0
            share = (wanted.max_referred - before) / float(hull.weight[drawn])
            if share > _SHARE_TOLERANCE:
                is_referred[drawn] = True
            else:
                drawn = None
    # along the hull probabilities fall: positive answers come first, negative ones last
    upper = int(np.count_nonzero(hull.is_positive & ~is_referred))
    lower = upper + int(np.count_nonzero(is_referred))
    draw = None
    if drawn is not None:
        otherwise = "rule_in" if hull.is_positive[drawn] else "rule_out"
        first, last = hull.vertices[drawn : drawn + 2]
        draw = (int(first), int(last), share, otherwise)
    reasons = _reasons_of_cost(wanted, could_pay, draw)
    return _Ends(int(hull.vertices[upper]), int(hull.vertices[lower]), price, draw, reasons)


def _reasons_of_cost(
    wanted: Wanted, could_pay: bool, draw: tuple[int, int, float, str] | None
) -> tuple[str, ...]:
    """Say why nobody is referred, or that some are drawn."""
    if draw is not None:
        return (
            f"To refer no more than {100 * (wanted.max_referred or 0.0):.3g} % some of those "
            "between are drawn at random.",
        )
    if could_pay:
        return ()
    price = wanted.cost_referral or 0.0
    limit = wanted.break_even_price
    if price > limit:
        return (
            f"A referral costs {price:.4g}, more than the {limit:.4g} up to which it can pay: one "
            "threshold is best.",
        )
    return (
        f"A referral can pay up to {limit:.4g}, but no scores here are uncertain enough at a price "
        f"of {price:.4g}: one threshold is best.",
    )


# ---------------------------------------------------------------------- by promise


def _by_promise(segments: RankedSegments, wanted: Wanted, pi: float) -> _Ends:
    """Find the largest zones that keep their promises, or those that leave fewest between."""
    kept = {}
    reasons = []
    for name, share in wanted.promises.items():
        if wanted.guarantee is None:
            kept[name], reason = _kept_here(segments, name, share, pi)
        else:
            kept[name], reason = _kept_with_guarantee(segments, name, share, wanted.guarantee)
        reasons += reason
    size = len(segments) + 1
    lower = np.zeros(size, dtype=np.bool_)
    upper = np.zeros(size, dtype=np.bool_)
    lower[-1] = upper[0] = True  # empty zones promise nothing
    for mask, names in ((lower, _OF_RULE_OUT), (upper, PROMISES[2:])):
        promised = [kept[name] for name in names if name in kept]
        if promised:
            mask |= np.logical_and.reduce(promised)
    first_lower = int(lower.argmax())
    last_upper = size - 1 - int(upper[::-1].argmax())
    if last_upper <= first_lower:
        return _Ends(last_upper, first_lower, np.nan, None, tuple(reasons))
    lowers = np.flatnonzero(lower)
    uppers = np.flatnonzero(upper)
    # the largest zones overlap: of all that keep the promises, those with the fewest between
    nearest = uppers[np.searchsorted(uppers, lowers, side="right") - 1]
    above = pi * segments.tpr + (1 - pi) * segments.fpr
    between = above[lowers] - above[nearest]
    cost = wanted.cost_fn * pi * segments.fnr[lowers]
    cost = cost + wanted.cost_fp * (1 - pi) * segments.fpr[nearest]
    is_least = between <= between.min() + _SHARE_TOLERANCE
    best = int(np.argmin(np.where(is_least, cost, np.inf)))
    reasons.append(
        "The largest zones that keep the promises overlap; of all thresholds that keep them, these "
        "refer fewest."
    )
    return _Ends(int(nearest[best]), int(lowers[best]), np.nan, None, tuple(reasons))


def _kept_here(
    segments: RankedSegments, name: str, share: float, pi: float
) -> tuple[Bools, list[str]]:
    """Mark the vertices at which a promise is kept on the data, and say if none is but the end."""
    right_cell, wrong_cell = _cells_of_promise(name)
    rates = (segments.tpr, segments.fpr, segments.fnr, segments.tnr)
    size = (pi, 1 - pi, pi, 1 - pi)
    right = rates[right_cell]
    wrong = rates[wrong_cell]
    odds = size[wrong_cell] / size[right_cell]
    # right / (right + odds * wrong) >= least, of all at once
    least = share * (1 - _SHARE_TOLERANCE)
    empty = len(segments) if name in _OF_RULE_OUT else 0
    is_kept = right * ((1 - least) / least / odds) >= wrong
    is_kept[empty] = False
    if is_kept.any():
        return is_kept, []
    of = right + odds * wrong
    value = np.divide(right, of, out=np.full(of.size, np.nan), where=of > 0)
    value[empty] = np.nan
    best = int(np.nanargmax(value))
    where = f"below {threshold_text(float(segments.thresholds[best]))}"
    if name not in _OF_RULE_OUT:
        where = f"from {threshold_text(float(segments.thresholds[best]))} on"
    return is_kept, [
        f"No threshold keeps {name}={share:g}: the best zone, {where}, has "
        f"{float(value[best]):.4g}; {_nobody(name)}."
    ]


def _cells_of_promise(name: str) -> tuple[int, int]:
    """Find the cells whose samples keep a promise, and break it: places in TP, FP, FN, TN."""
    metric, _ = find_metric(name)
    kept, promised = cast("tuple[Floats, Floats]", metric.fixed_coefficients)
    return int(kept.argmax()), int((promised - kept).argmax())


def _nobody(name: str) -> str:
    """Say what becomes of a zone whose promise cannot be kept."""
    return "nobody is ruled out" if name in _OF_RULE_OUT else "nobody is ruled in"


def _kept_with_guarantee(
    segments: RankedSegments, name: str, share: float, guarantee: float
) -> tuple[Bools, list[str]]:
    """Mark the vertices at which a promise is kept on new data too, by fixed-sequence testing."""
    tp = segments.cumulative_pos
    fp = segments.cumulative_neg
    cells = (tp, fp, segments.n_pos - tp, segments.n_neg - fp)
    right_cell, wrong_cell = _cells_of_promise(name)
    right = cells[right_cell]
    of = right + cells[wrong_cell]
    if name in _OF_RULE_OUT:  # from the end of the curve on, where nobody is ruled out
        right, of = right[::-1], of[::-1]
    starts = np.array([0])
    if name in ("npv", "ppv"):
        starts = walk_starts(of, share, guarantee)
    is_kept = fixed_sequence(right, of, share, guarantee, starts)
    reason = []
    if not is_kept.any():
        bound = highest_bound(right, of, guarantee)
        reason.append(
            f"No threshold keeps {name}={share:g} with a guarantee of {100 * guarantee:g} %: the "
            f"highest bound of a zone by itself is {bound:.4g}; {_nobody(name)}."
        )
    return (is_kept[::-1] if name in _OF_RULE_OUT else is_kept), reason
