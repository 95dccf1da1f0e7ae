"""The Fermi-Dirac law of a ranking: how likely a positive is at each rank, given only the AUC.

Ranks are energy levels, positives are fermions. Knows labels, scores and counts; nothing of
drawing. The equations are solved in ``core.base.logistic_levels``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import copysign, isinf, log
from numbers import Rational, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.logistic_levels import (
    check_levels,
    either,
    filled_parts,
    levels_of_auc,
    log_odds,
    rescaled_auc,
    rescaled_levels_of_auc,
    rescaled_threshold,
    scaled,
    threshold_of_potential,
    threshold_of_temperature,
)
from rocviz.core.base.validation import (
    Floats,
    check_fraction,
    check_integer,
    check_number,
    describe,
)
from rocviz.core.fermi_dirac._curve import FermiDiracCurve
from rocviz.core.fermi_dirac.rank_levels import check_counts
from rocviz.core.roc.segments import RankedSegments

_HALF = Fraction(1, 2)
_COLDEST = 1e4  # inverse temperature per rank beyond which a law is a step
_LEAST = 1e-290  # share of positives in the rescaled law, and size of an inverse temperature


@dataclass(frozen=True, repr=False)
class FermiDirac(FermiDiracCurve):
    """The law of highest entropy for labels along a ranking with a given AUC and class counts.

    Of all ways to give each rank a probability of holding a positive, it is the one of highest
    entropy: P(1 | r) = 1 / (1 + exp(beta (r - mu))). Make it with :meth:`from_auc` (exact for
    so many samples), :meth:`rescaled` (the limit of many samples, ranks from 0 to 1),
    :meth:`from_scores` (data) or :meth:`from_parameters`.

    Parameters
    ----------
    beta : float
        Inverse temperature per rank: 0 for a random ranking, infinite for a perfect one,
        negative for one that is worse than random.
    threshold_rank : float
        The rank r* above which an item is more likely to be positive than its prior says.
        The log-likelihood ratio is ``beta * (threshold_rank - rank)``. Always finite.
    prevalence : float
        Fraction of positives, strictly between 0 and 1.
    auc, one_minus_auc : float
        The area under the ROC curve and what it lacks of 1, each to full precision.
    n_pos, n_neg : int or float, optional
        Expected counts of the classes; ``None`` when rescaled.

    Notes
    -----
    A perfect ranking is a step at temperature 0. Its chemical potential could be anywhere
    between the last positive and the first negative; here it is half-way, ``n_pos + 1/2``,
    to which it tends as the AUC goes to 1 (``prevalence`` when rescaled). An AUC closer than
    1e-300 to 0, 1/2 or 1 is taken for that limit.

    References
    ----------
    Kim et al. (2021), sections on the Fermi-Dirac distribution, the temperature and thresholds.

    Examples
    --------
    >>> law = FermiDirac.from_auc(0.9, n_pos=50, n_neg=50)
    >>> round(law.beta, 7), round(law.chemical_potential, 6)
    (0.0756127, 50.5)
    >>> law.probability([1, 50, 100]).round(4)
    array([0.9769, 0.5095, 0.0231])
    """

    # ------------------------------------------------------------------ making

    @classmethod
    def from_auc(
        cls,
        auc: Real | float | None = None,
        n_pos: int | None = None,
        n_neg: int | None = None,
        *,
        one_minus_auc: Real | float | None = None,
    ) -> FermiDirac:
        """Solve for so many positives and negatives, exactly.

        Parameters
        ----------
        auc : float or fractions.Fraction
            From 0 to 1. A fraction is used as it is, without rounding.
        n_pos, n_neg : int
            Number of positives and of negatives, at least 1 each.
        one_minus_auc : float or fractions.Fraction, optional
            Given instead of ``auc`` where that is so near 1 that a float holds too few digits of
            it.

        Raises
        ------
        ValueError
            If a count or the AUC is out of range, or not exactly one of ``auc`` and
            ``one_minus_auc`` is given.

        Notes
        -----
        Time and memory grow as the number of samples. The same as logistic regression of the
        class on the rank, without penalty.

        Examples
        --------
        >>> FermiDirac.from_auc(n_pos=5, n_neg=5, one_minus_auc=1e-12).auc
        0.999999999999
        >>> FermiDirac.from_auc(0.5, 10, 30).probability([1, 7, 40])
        array([0.25, 0.25, 0.25])
        """
        if n_pos is None or n_neg is None:
            raise ValueError("n_pos and n_neg must both be given.")
        positives = check_integer(n_pos, "n_pos", minimum=1)
        negatives = check_integer(n_neg, "n_neg", minimum=1)
        exact = _exact_auc(auc, one_minus_auc)
        n = positives + negatives
        beta, threshold = levels_of_auc(exact, positives, negatives)
        return cls(
            beta, threshold, positives / n, float(exact), float(1 - exact), positives, negatives
        )

    @classmethod
    def rescaled(
        cls,
        auc: Real | float | None = None,
        *,
        prevalence: float,
        one_minus_auc: Real | float | None = None,
    ) -> FermiDirac:
        """Solve for ever more samples: ranks become numbers x from 0 to 1.

        Parameters
        ----------
        auc, one_minus_auc : float or fractions.Fraction
            One of both, as for :meth:`from_auc`.
        prevalence : float
            Fraction of positives, strictly between 0 and 1.

        Returns
        -------
        FermiDirac
            For n samples, ``beta / n`` and ``n * chemical_potential + 1/2`` are close to those
            of :meth:`from_auc`.

        Raises
        ------
        ValueError
            If an argument is out of range, or not exactly one of ``auc`` and
            ``one_minus_auc`` is given.

        Examples
        --------
        >>> law = FermiDirac.rescaled(0.9, prevalence=0.5)
        >>> round(law.beta, 6), round(law.chemical_potential, 6)
        (7.560362, 0.5)
        """
        prevalence = check_fraction(prevalence, "prevalence")
        if prevalence < _LEAST:
            raise ValueError(
                f"prevalence must be at least {_LEAST:g}, what floats can tell from 0; "
                f"got {prevalence}."
            )
        exact = _exact_auc(auc, one_minus_auc)
        beta, threshold = rescaled_levels_of_auc(exact, prevalence)
        return cls(beta, threshold, prevalence, float(exact), float(1 - exact))

    @classmethod
    def from_scores(
        cls, y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None
    ) -> FermiDirac:
        """Solve for the AUC and the class counts of data.

        Parameters
        ----------
        y_true, y_score, pos_label
            As for :meth:`RankedSegments.from_scores`. Tied samples share the mean of their
            ranks, and the AUC counts a tied pair one half.

        Examples
        --------
        >>> law = FermiDirac.from_scores([0, 1, 0, 1], [0.1, 0.4, 0.4, 0.8])
        >>> law.auc, law.n_pos
        (0.875, 2)
        """
        return cls.from_segments(RankedSegments.from_scores(y_true, y_score, pos_label=pos_label))

    @classmethod
    def from_segments(cls, segments: RankedSegments) -> FermiDirac:
        """Solve for the AUC and the class counts of a ranking.

        Parameters
        ----------
        segments : RankedSegments
            With whole weights.

        Raises
        ------
        ValueError
            If the segments hold weights instead of counts.
        """
        n_pos, n_neg = check_counts(segments)
        # halves, so that their sum is exact
        below = segments.cumulative_neg[-1] - segments.cumulative_neg[1:] + segments.neg / 2
        pairs = Fraction(float(np.sum(segments.pos * below)))
        return cls.from_auc(pairs / (n_pos * n_neg), n_pos, n_neg)

    @classmethod
    def from_parameters(
        cls, beta: float, chemical_potential: float, n_samples: int | None = None
    ) -> FermiDirac:
        """Return the law of given parameters, with the prevalence and AUC it implies.

        Parameters
        ----------
        beta : float
            Inverse temperature, not 0 (see Notes), 1e-290 at least in size; may be infinite.
        chemical_potential : float
            Rank at which the probability is 1/2.
        n_samples : int, optional
            At least 2; ranks run from 1 to that. By default the law is rescaled.

        Returns
        -------
        FermiDirac
            ``n_pos`` is the expected number of positives, a whole number only by chance.

        Raises
        ------
        ValueError
            If an argument is not as said above, or practically all ranks are of one class.

        Notes
        -----
        At ``beta=0`` the chemical potential is infinite and does not tell the prevalence: use
        :meth:`from_auc` or :meth:`rescaled` with an AUC of 1/2.

        Examples
        --------
        >>> law = FermiDirac.from_parameters(0.0756127095504492, 50.5, n_samples=100)
        >>> round(law.auc, 12), law.n_pos
        (0.9, 50)
        """
        beta = check_number(beta, "beta", finite=False)
        chemical_potential = check_number(chemical_potential, "chemical_potential", finite=False)
        if abs(beta) < _LEAST:
            raise ValueError(
                f"beta must not be 0 (nor less than {_LEAST:g} in size): there the chemical "
                "potential does not tell the prevalence. Use from_auc or rescaled with an AUC of "
                "1/2."
            )
        if isinf(chemical_potential):
            raise ValueError(
                f"chemical_potential must be finite; got {describe(chemical_potential)}."
            )
        if n_samples is None:
            return cls._rescaled_parameters(beta, chemical_potential)
        n = check_integer(n_samples, "n_samples", minimum=2)
        check_levels(n)
        z = scaled(beta, chemical_potential - np.arange(1.0, n + 1))
        pos, neg = either(z)
        n_pos, n_neg = _nearly_whole(float(pos.sum()), n), _nearly_whole(float(neg.sum()), n)
        _check_both(n_pos, n_neg)
        threshold = threshold_of_potential(beta, chemical_potential, n_pos, n_neg)
        return cls(beta, threshold, n_pos / n, *_areas(pos, neg), n_pos, n_neg)

    @classmethod
    def from_temperature(cls, temperature: float, n_pos: int, n_neg: int) -> FermiDirac:
        """Return the law of so many positives and negatives at a temperature.

        Parameters
        ----------
        temperature : float
            In ranks. 0 is a perfect ranking (-0.0 a reversed one), infinite a random one;
            negative temperatures are worse than random.
        n_pos, n_neg : int
            Number of positives and of negatives, at least 1 each.

        Returns
        -------
        FermiDirac
            With the AUC that this temperature implies.

        Raises
        ------
        ValueError
            If ``temperature`` is NaN, or a class has no samples.

        Examples
        --------
        >>> law = FermiDirac.from_temperature(13.2253, n_pos=50, n_neg=50)
        >>> round(law.auc, 5)
        0.9
        """
        temperature = check_number(temperature, "temperature", finite=False)
        pos, neg = (
            check_integer(n_pos, "n_pos", minimum=1),
            check_integer(n_neg, "n_neg", minimum=1),
        )
        check_levels(pos + neg)
        if isinf(temperature):
            return cls.from_auc(_HALF, pos, neg)
        if abs(temperature) < 1 / _COLDEST:
            return cls.from_auc(int(copysign(1.0, temperature) > 0), pos, neg)
        if temperature < 0:
            return cls.from_temperature(-temperature, pos, neg)._reversed()
        share, ranks = pos / (pos + neg), np.arange(1.0, pos + neg + 1)
        threshold = threshold_of_temperature(temperature, pos, neg)
        beta = 1 / temperature
        z = log_odds(beta, threshold, log(pos / neg), ranks)
        return cls(beta, threshold, share, *_areas(*either(z)), pos, neg)

    def _reversed(self) -> FermiDirac:
        """Return the law of the ranking read from its other end."""
        n = (self.n_pos or 0) + (self.n_neg or 0)
        return replace(
            self,
            beta=-self.beta,
            threshold_rank=n + 1 - self.threshold_rank,
            auc=self.one_minus_auc,
            one_minus_auc=self.auc,
        )

    @classmethod
    def _rescaled_parameters(cls, beta: float, chemical_potential: float) -> FermiDirac:
        if isinf(beta):
            prevalence = chemical_potential if beta > 0 else 1 - chemical_potential
            _check_both(prevalence, 1 - prevalence)
            return cls.rescaled(1.0 if beta > 0 else 0.0, prevalence=prevalence)
        prevalence, rest = filled_parts(beta, chemical_potential)
        _check_both(prevalence, rest)
        above, below = rescaled_auc(abs(beta), prevalence, rest)
        auc, one_minus = (0.5 + above, below) if beta > 0 else (below, 0.5 + above)
        return cls(beta, rescaled_threshold(beta, prevalence, rest), prevalence, auc, one_minus)


def _areas(pos: Floats, neg: Floats) -> tuple[float, float]:
    """Return AUC and 1 - AUC of expected counts at each rank."""
    above = np.cumsum(neg) - neg / 2
    under = np.cumsum(neg[::-1])[::-1] - neg / 2
    right, wrong = (float(np.sum(pos * side)) for side in (under, above))
    # both have the same rounding of long sums, and so has what they add up to
    return right / (right + wrong), wrong / (right + wrong)


def _exact_auc(auc: Any, one_minus_auc: Any) -> Fraction:
    """Return the AUC without rounding, from whichever of both is given."""
    if (auc is None) == (one_minus_auc is None):
        raise ValueError(
            f"one of auc and one_minus_auc must be given; got {describe(auc)} and "
            f"{describe(one_minus_auc)}."
        )
    name, value = ("auc", auc) if one_minus_auc is None else ("one_minus_auc", one_minus_auc)
    try:
        check_fraction(value, name, ends=True)
    except ValueError:
        raise ValueError(f"{name} must be a number from 0 to 1; got {describe(value)}.") from None
    exact = Fraction(value if isinstance(value, Rational) else float(value))
    return exact if one_minus_auc is None else 1 - exact


def _nearly_whole(count: float, n_samples: int) -> float:
    """Return a count without what rounding in a sum over all ranks has left on it."""
    whole = round(count)
    return whole if abs(count - whole) <= 1e-11 * n_samples else count


def _check_both(pos: float, neg: float) -> None:
    """Raise unless both classes are there, so far as floats can tell."""
    if min(pos, neg) <= max(pos, neg) * np.finfo(float).eps:
        raise ValueError(
            "chemical_potential leaves practically one class only: it is too far from the "
            f"ranking (positives {pos:.6g}, negatives {neg:.6g})."
        )
