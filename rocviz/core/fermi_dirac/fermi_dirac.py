"""The Fermi-Dirac law of a ranking: the probability of a positive by rank, given the AUC.

Ranks are energy levels, positives are fermions. The equations are solved in
``core.base.logistic_levels``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import copysign, inf, isinf, log
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from rocviz.core.base.frozen import Frozen, read_only
from rocviz.core.base.logistic_levels import (
    check_levels,
    class_probabilities,
    filled_share,
    levels_of_auc,
    log_odds,
    rescaled_levels_of_auc,
    scaled,
    step_quadrature,
    threshold_of_beta,
    threshold_of_potential,
)
from rocviz.core.base.validation import (
    MAX_WEIGHT_RATIO,
    MIN_SHARE,
    Floats,
    Seed,
    check_integer,
    check_number,
    check_numbers,
    check_prevalence,
    check_random_state,
    check_share,
    check_vector,
    describe,
)
from rocviz.core.fermi_dirac.rank_levels import check_counts
from rocviz.core.roc.auc_variance import pair_shares, placement_variances, variance_of_placements
from rocviz.core.roc.segments import RankedSegments


@dataclass(frozen=True)
class FermiDirac(Frozen):
    """The law of highest entropy for labels along a ranking with a given AUC and class counts.

    Of all ways to give each rank a probability of holding a positive, it is the one of highest
    entropy: P(1 | r) = 1 / (1 + exp(beta (r - mu))). Make it with :meth:`from_auc` (exact for
    so many samples), :meth:`rescaled` (the limit of many samples, ranks from 0 to 1),
    :meth:`from_scores` (data), :meth:`from_parameters` or :meth:`from_temperature`.

    Parameters
    ----------
    beta : float
        Inverse temperature per rank: 0 for a random ranking, infinite for a perfect one,
        negative for one that is worse than random.
    threshold_rank : float
        The rank r* above which a sample is more likely to be positive than its prior says.
        The log-likelihood ratio is ``beta * (threshold_rank - rank)``. Always finite.
    prevalence : float
        Fraction of positives, strictly between 0 and 1.
    auc, one_minus_auc : float
        The area under the ROC curve and 1 less that area, each to full precision.
    n_pos, n_neg : int or float, optional
        Expected counts of the classes; ``None`` when rescaled.

    Notes
    -----
    A perfect ranking is a step at temperature 0. Its chemical potential could be anywhere
    between the last positive and the first negative; here it is half-way, ``n_pos + 1/2``,
    to which it tends as the AUC goes to 1 (``prevalence`` when rescaled).

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

    beta: float
    threshold_rank: float
    prevalence: float
    auc: float
    one_minus_auc: float
    n_pos: float | None = None
    n_neg: float | None = None

    # ------------------------------------------------------------------ making

    @classmethod
    def from_auc(cls, auc: float, n_pos: int, n_neg: int) -> FermiDirac:
        """Solve exactly for given numbers of positives and negatives.

        Parameters
        ----------
        auc : float
            From 1e-9 to 1 - 1e-9, or exactly 0 or 1.
        n_pos, n_neg : int
            Number of positives and of negatives, at least 1 each.

        Raises
        ------
        ValueError
            If a count or the AUC is out of range.

        Notes
        -----
        Time and memory grow as the number of samples. The same as logistic regression of the
        class on the rank, without penalty.

        Examples
        --------
        >>> FermiDirac.from_auc(0.5, 10, 30).probability([1, 7, 40])
        array([0.25, 0.25, 0.25])
        """
        n_pos = check_integer(n_pos, "n_pos", minimum=1)
        n_neg = check_integer(n_neg, "n_neg", minimum=1)
        auc = check_share(auc, "auc", ends=True)
        return cls._of_pairs(auc, 1 - auc, n_pos, n_neg)

    @classmethod
    def _of_pairs(cls, right: float, wrong: float, n_pos: int, n_neg: int) -> FermiDirac:
        """Solve for the shares of correctly and wrongly ranked pairs."""
        beta, threshold = levels_of_auc(right, wrong, n_pos, n_neg)
        return cls(beta, threshold, n_pos / (n_pos + n_neg), right, wrong, n_pos, n_neg)

    @classmethod
    def rescaled(cls, auc: float, *, prevalence: float) -> FermiDirac:
        """Solve in the limit of many samples, where ranks become numbers x from 0 to 1.

        Parameters
        ----------
        auc : float
            As for :meth:`from_auc`.
        prevalence : float
            Fraction of positives, from 1e-9 to 1 - 1e-9.

        Returns
        -------
        FermiDirac
            For n samples, ``beta / n`` and ``n * chemical_potential + 1/2`` are close to those
            of :meth:`from_auc`.

        Raises
        ------
        ValueError
            If an argument is out of range.

        Examples
        --------
        >>> law = FermiDirac.rescaled(0.9, prevalence=0.5)
        >>> round(law.beta, 6), round(law.chemical_potential, 6)
        (7.560362, 0.5)
        """
        prevalence = check_prevalence(prevalence)
        auc = check_share(auc, "auc", ends=True)
        return cls(*rescaled_levels_of_auc(auc, prevalence), prevalence, auc, 1 - auc)

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
        counts = check_counts(segments)
        return cls._of_pairs(*pair_shares(segments.pos, segments.neg), *counts)

    @classmethod
    def from_parameters(cls, beta: float, chemical_potential: float, n_samples: int) -> FermiDirac:
        """Make the law of given parameters, with the implied prevalence and AUC.

        Parameters
        ----------
        beta : float
            Inverse temperature; infinite, or from 1e-12 to 1e12 in size (see Notes).
        chemical_potential : float
            Rank at which the probability is 1/2.
        n_samples : int
            Number of ranks, at least 2.

        Returns
        -------
        FermiDirac
            ``n_pos`` is the expected number of positives, a whole number only by chance.

        Raises
        ------
        ValueError
            If an argument is invalid, or practically all ranks are of one class.

        Notes
        -----
        At ``beta=0`` the chemical potential is infinite and does not determine the prevalence: use
        :meth:`from_auc` with an AUC of 1/2.

        Examples
        --------
        >>> law = FermiDirac.from_parameters(0.0756127095504492, 50.5, n_samples=100)
        >>> round(law.auc, 12), law.n_pos
        (0.9, 50)
        """
        beta = _check_size(beta, "beta")
        if beta == 0:
            raise ValueError(
                "beta must not be 0, where the chemical potential does not determine the "
                "prevalence. Use from_auc with an AUC of 1/2."
            )
        potential = check_number(chemical_potential, "chemical_potential")
        n = check_integer(n_samples, "n_samples", minimum=2)
        check_levels(n)
        pos, neg = class_probabilities(scaled(beta, potential - np.arange(1.0, n + 1)))
        n_pos = _nearly_whole(float(pos.sum()), n)
        n_neg = _nearly_whole(float(neg.sum()), n)
        _check_both_classes(n_pos / n)
        threshold = threshold_of_potential(beta, potential, n_pos, n_neg)
        return cls(beta, threshold, n_pos / n, *_areas(pos, neg), n_pos, n_neg)

    @classmethod
    def from_temperature(cls, temperature: float, n_pos: int, n_neg: int) -> FermiDirac:
        """Make the law of given numbers of positives and negatives at a temperature.

        Parameters
        ----------
        temperature : float
            In ranks. 0 is a perfect ranking (-0.0 a reversed one), infinite a random one;
            negative temperatures are worse than random. Any other is from 1e-12 to 1e12 in size.
        n_pos, n_neg : int
            Number of positives and of negatives, at least 1 each.

        Returns
        -------
        FermiDirac
            With the AUC that this temperature implies.

        Raises
        ------
        ValueError
            If ``temperature`` is out of range, or a class has no samples.

        Examples
        --------
        >>> law = FermiDirac.from_temperature(13.2253, n_pos=50, n_neg=50)
        >>> round(law.auc, 5)
        0.9
        """
        temperature = _check_size(temperature, "temperature")
        n_pos = check_integer(n_pos, "n_pos", minimum=1)
        n_neg = check_integer(n_neg, "n_neg", minimum=1)
        if isinf(temperature):
            return cls.from_auc(0.5, n_pos, n_neg)
        if temperature == 0:
            return cls.from_auc(0.5 + copysign(0.5, temperature), n_pos, n_neg)
        n = n_pos + n_neg
        if temperature < 0:
            mirrored = cls.from_temperature(-temperature, n_pos, n_neg)
            return replace(
                mirrored,
                beta=-mirrored.beta,
                threshold_rank=n + 1 - mirrored.threshold_rank,
                auc=mirrored.one_minus_auc,
                one_minus_auc=mirrored.auc,
            )
        beta = 1 / temperature
        check_levels(n)
        threshold = threshold_of_beta(beta, n_pos, n_neg)
        z = log_odds(beta, threshold, log(n_pos / n_neg), np.arange(1.0, n + 1))
        return cls(beta, threshold, n_pos / n, *_areas(*class_probabilities(z)), n_pos, n_neg)

    # ------------------------------------------------------------------ parameters

    @property
    def is_rescaled(self) -> bool:
        """Whether ranks are numbers from 0 to 1 without counts."""
        return self.n_pos is None

    @property
    def n_samples(self) -> int | None:
        """Number of ranks; ``None`` when rescaled."""
        if self.n_pos is None or self.n_neg is None:
            return None
        return round(self.n_pos + self.n_neg)

    @property
    def temperature(self) -> float:
        """1 / beta: 0 for a perfect ranking, infinite for a random one."""
        return 1 / self.beta if self.beta else inf

    @property
    def prior_log_odds(self) -> float:
        """Logarithm of the odds of a positive among all samples."""
        pos, neg = self._sizes
        return log(pos / neg)

    @property
    def _sizes(self) -> tuple[float, float]:
        """Number of positives and of negatives, or their shares when rescaled."""
        if self.n_pos is None or self.n_neg is None:
            return self.prevalence, 1 - self.prevalence
        return self.n_pos, self.n_neg

    @property
    def chemical_potential(self) -> float:
        """Rank at which the probability is 1/2; may lie outside the ranking.

        At ``beta=0`` it is the limit of ``beta`` falling to 0: infinite unless the classes are
        of equal size, and of the sign of ``prevalence - 1/2``.
        """
        prior = self.prior_log_odds
        if prior == 0 or isinf(self.beta):
            return self.threshold_rank
        if self.beta == 0:
            return copysign(inf, prior)
        return self.threshold_rank + prior / self.beta

    @cached_property
    def ranks(self) -> Floats:
        """Every rank from 1 to ``n_samples``; when rescaled, from 0 to 1 and dense at the step."""
        n = self.n_samples
        if n is not None:
            return read_only(np.arange(1.0, n + 1))
        centre = min(max(self.chemical_potential, 0.0), 1.0)
        at_step = centre + np.linspace(-40.0, 40.0, 401) / max(abs(self.beta), 1.0)
        ranks = np.append(np.linspace(0, 1, 401), at_step)
        return read_only(np.unique(np.clip(ranks, 0, 1)))

    # ------------------------------------------------------------------ at a rank

    def log_likelihood_ratio(self, rank: ArrayLike | None = None) -> Floats:
        """Compute ln P(r | 1) / P(r | 0), which is ``beta * (threshold_rank - rank)``.

        Parameters
        ----------
        rank : array-like of float, optional
            Any real numbers; by default all :attr:`ranks`.

        Returns
        -------
        ndarray of float, shape of ``rank``
        """
        return scaled(self.beta, self.threshold_rank - self._ranks(rank))

    def probability(self, rank: ArrayLike | None = None) -> Floats:
        """Compute P(1 | r), the probability that the sample at a rank is positive.

        Takes and returns arrays as :meth:`log_likelihood_ratio` does.
        """
        return np.asarray(expit(self._log_odds(self._ranks(rank))))[()]

    def class_given_rank(self, rank: ArrayLike | None = None) -> tuple[Floats, Floats]:
        """Compute P(r | 1) and P(r | 0), the distributions of the ranks of both classes.

        Takes ranks as :meth:`log_likelihood_ratio` does.

        Returns
        -------
        positive, negative : ndarray of float, shape of ``rank``
            Probabilities that sum to 1 over all ranks; densities when rescaled.
        """
        pos, neg = self._sizes
        z = self._log_odds(self._ranks(rank))
        return expit(z) / pos, expit(-z) / neg

    def _log_odds(self, rank: Floats) -> Floats:
        return log_odds(self.beta, self.threshold_rank, self.prior_log_odds, rank)

    def _ranks(self, rank: ArrayLike | None) -> Floats:
        if rank is None:
            return self.ranks
        array = check_numbers(rank, "rank")
        return check_vector(array.ravel(), "rank").reshape(array.shape)

    # ------------------------------------------------------------------ above a rank

    def tpr(self, rank: ArrayLike | None = None) -> Floats:
        """Compute the expected TPR if samples down to a rank are predicted positive.

        Parameters
        ----------
        rank : array-like of float, optional
            From 0 to ``n_samples``, or from 0 to 1 when rescaled; between whole ranks a part
            of the next sample is predicted positive. By default all :attr:`ranks`.

        Returns
        -------
        ndarray of float, shape of ``rank``

        Raises
        ------
        ValueError
            If a rank is no number, or outside of the ranking.
        """
        return self._rate(self._check_down_to(rank), 0)

    def fpr(self, rank: ArrayLike | None = None) -> Floats:
        """Compute the expected FPR if samples down to a rank are predicted positive.

        Takes and returns arrays as :meth:`tpr` does, and raises what it raises.
        """
        return self._rate(self._check_down_to(rank), 1)

    def precision(self, rank: ArrayLike | None = None) -> Floats:
        """Compute the expected share of positives among the samples down to a rank.

        Takes and returns arrays as :meth:`tpr` does, and raises what it raises. At 0 it is the
        limit from above.
        """
        last = self._check_down_to(rank)
        out = np.full(last.shape, float(self.probability(0.0 if self.is_rescaled else 1.0)))
        n_pos, _ = self._sizes
        np.divide(self._rate(last, 0) * n_pos, last, where=last > 0, out=out)
        return out[()]

    def balanced_accuracy(self, rank: ArrayLike | None = None) -> Floats:
        """Compute the expected balanced accuracy if samples down to a rank are predicted positive.

        Highest at :attr:`threshold_rank` (to within one rank). Its mean over all ranks from 1
        to ``n_samples`` is ``AUC / 2 + 1/4``, exactly. Takes and returns arrays as :meth:`tpr`
        does, and raises what it raises.
        """
        return (self.tpr(rank) + 1 - self.fpr(rank)) / 2

    def _check_down_to(self, rank: ArrayLike | None) -> Floats:
        """Check ranks down to which samples are predicted positive."""
        last = self._ranks(rank)
        lowest = self.n_samples or 1
        if last.size and (last.min() < 0 or last.max() > lowest):
            raise ValueError(
                f"rank must be from 0 to {lowest}; found {last.min():.6g} to {last.max():.6g}."
            )
        return last

    @cached_property
    def _cumulative(self) -> tuple[Floats, Floats]:
        """Shares of either class down to each rank, from 0 to 1, shape (n_samples + 1,)."""
        pos, neg = class_probabilities(self._log_odds(self.ranks))
        return _cumulative_share(pos), _cumulative_share(neg)

    def _rate(self, last: Floats, negative: int) -> Floats:
        """Compute the share of a class down to each rank; ``negative`` is 0 or 1."""
        n = self.n_samples
        if n is not None:
            return np.asarray(np.interp(last, np.arange(n + 1), self._cumulative[negative]))[()]
        return self._share_from_end(last, 0.0, negative)[()]

    def _share_from_end(self, distance: Floats, end: float, negative: int) -> Floats:
        """Compute the share of a class within a distance of an end of the rescaled law.

        Counted from the end that is near, small shares keep their digits.
        """
        class_sign = -1 if negative else 1
        beta = self.beta * class_sign * (1 - 2 * end)
        if beta == 0:
            return distance
        if isinf(beta):
            size = self._sizes[negative]
            inside = distance if beta > 0 else distance - (1 - size)
            return np.clip(inside / size, 0.0, 1.0)
        return filled_share(distance, beta, class_sign * float(self._log_odds(np.asarray(end))))

    def roc_curve(self) -> tuple[Floats, Floats]:
        """Compute the ROC curve that the law implies.

        Its area is :attr:`auc`, exactly for counts, and to the density of :attr:`ranks` when
        rescaled.

        Returns
        -------
        fpr, tpr : ndarray of float, shape (n_samples + 1,)
            From (0, 0) to (1, 1); when rescaled, one point per :attr:`ranks`.
        """
        if self.is_rescaled:
            return self.fpr(), self.tpr()
        tpr, fpr = self._cumulative
        return fpr, tpr

    # ------------------------------------------------------------------ numbers

    def auprc(self) -> float:
        """Compute the area under the expected precision-recall curve (average precision).

        Returns
        -------
        float
            For many samples it is ``(prevalence + mean(precision**2) / prevalence) / 2``. The
            average precision of a small data set is higher on average than that of the
            expected curve.

        Examples
        --------
        >>> from rocviz import FermiDirac
        >>> round(FermiDirac.from_auc(0.9, 50, 50).auprc(), 4)
        0.8938
        """
        rank = self.ranks
        weight = np.ones(1)
        if self.is_rescaled:
            rank, weight = step_quadrature(self.chemical_potential, self.beta)
        positive, _ = self.class_given_rank(rank)
        return min(float(np.sum(weight * positive * self.precision(rank))), 1.0)

    def auc_variance(self) -> float:
        """Compute the variance of the AUC under the law, for data with its counts.

        Returns
        -------
        float
            Not negative.

        Raises
        ------
        ValueError
            If the law is rescaled: without counts there is no variance.

        Notes
        -----
        The law fixes the labels' probabilities by rank, and with it a ROC curve that changes
        with the prevalence; a real one does not. For classes of very different size the
        variance is therefore too small.

        Examples
        --------
        >>> from rocviz import FermiDirac
        >>> round(FermiDirac.from_auc(0.9, 50, 50).auc_variance() ** 0.5, 4)
        0.0308
        """
        if self.n_pos is None or self.n_neg is None:
            raise ValueError("auc_variance needs counts; a rescaled law has none. Use from_auc.")
        bernoulli_variance = self.auc * self.one_minus_auc
        variances = self.placement_variances()
        return float(variance_of_placements(bernoulli_variance, *variances, self.n_pos, self.n_neg))

    def placement_variances(self) -> tuple[float, float]:
        """Compute the variances of the placements of negatives and of positives.

        Returns
        -------
        of_negatives, of_positives : float
            The probabilities that two random positives are above a random negative, and that a
            random positive is above two random negatives, both less ``auc**2``.
        """
        if not self.is_rescaled:
            return placement_variances(*self.class_given_rank(), self.auc, self.one_minus_auc)
        x, weight = step_quadrature(self.chemical_potential, self.beta)
        # the smaller of the shares above and below, whose mean is the smaller of AUC and 1 - AUC
        if self.auc < 0.5:
            mean = self.auc
            pos_share = self._share_from_end(x, 0.0, 0)
            neg_share = self._share_from_end(1 - x, 1.0, 1)
        else:
            mean = self.one_minus_auc
            pos_share = self._share_from_end(1 - x, 1.0, 0)
            neg_share = self._share_from_end(x, 0.0, 1)
        pos, neg = self.class_given_rank(x)
        return (
            float(np.sum(weight * neg * (pos_share - mean) ** 2)),
            float(np.sum(weight * pos * (neg_share - mean) ** 2)),
        )

    # ------------------------------------------------------------------ draws

    def sample(self, random_state: Seed = None) -> NDArray[np.int64]:
        """Draw the labels of one data set, most positive rank first.

        Labels are independent with odds ``exp(-beta * rank)``, on condition that there are
        exactly ``n_pos`` positives. The condition moves the probability at a rank away from
        :meth:`probability`, and the mean AUC from :attr:`auc`, by little that falls as
        1 / ``n_samples``. Exact, and linear in the number of samples.

        Parameters
        ----------
        random_state : int, RandomState, Generator or None, default=None

        Returns
        -------
        ndarray of int, shape (n_samples,)
            1 for a positive.

        Raises
        ------
        ValueError
            If the law is rescaled or its number of positives is not whole.

        Notes
        -----
        Of m ranks left with k positives to place, the first is positive with probability
        (1 - exp(-beta k)) / (1 - exp(-beta m)): the sums over all ways to place them are Gaussian
        binomial coefficients, of which neighbours have that ratio.

        Examples
        --------
        >>> from rocviz import FermiDirac
        >>> labels = FermiDirac.from_auc(0.9, 50, 50).sample(random_state=0)
        >>> int(labels.sum())
        50
        """
        n = self.n_samples
        if n is None or self.n_pos is None:
            raise ValueError("sample needs counts; a rescaled law has none. Use from_auc.")
        if self.n_pos != round(self.n_pos):
            raise ValueError(
                f"sample needs a whole number of positives; this law expects {self.n_pos:.10g}."
            )
        rng = check_random_state(random_state)
        counts = np.arange(float(n + 1))
        terms = -np.expm1(-scaled(abs(self.beta), counts)) if self.beta else counts
        # plain numbers in a list: the loop is many times faster than over an array
        term = terms.tolist()
        pos_left = round(self.n_pos)
        labels = []
        for ranks_left, u in zip(range(n, 0, -1), rng.random(n).tolist(), strict=True):
            positive = u * term[ranks_left] < term[pos_left]
            labels.append(positive)
            pos_left -= positive
        if self.beta < 0:
            labels.reverse()
        return np.array(labels, dtype=np.int64)


def _check_size(value: float, name: str) -> float:
    """Check a temperature or its inverse, which may also be 0 or infinite."""
    number = check_number(value, name, finite=False)
    if number and not isinf(number) and not 1 / MAX_WEIGHT_RATIO <= abs(number) <= MAX_WEIGHT_RATIO:
        raise ValueError(
            f"{name} must be 0, infinite, or from {1 / MAX_WEIGHT_RATIO:g} to "
            f"{MAX_WEIGHT_RATIO:g} in size; got {describe(value)}."
        )
    return number


def _areas(pos: Floats, neg: Floats) -> tuple[float, float]:
    """Compute AUC and 1 - AUC of expected counts at each rank."""
    negatives_above = np.cumsum(neg) - neg / 2
    negatives_below = np.cumsum(neg[::-1])[::-1] - neg / 2
    right = float(np.sum(pos * negatives_below))
    wrong = float(np.sum(pos * negatives_above))
    # both share the rounding of long sums with their total
    return right / (right + wrong), wrong / (right + wrong)


def _cumulative_share(weight: Floats) -> Floats:
    """Share out what lies down to each rank, from 0 to 1."""
    total = np.append(0.0, np.cumsum(weight))
    return read_only(total / total[-1])


def _nearly_whole(count: float, n_samples: int) -> float:
    """Round a count that is whole up to the rounding of a sum over all ranks."""
    whole = round(count)
    return whole if abs(count - whole) <= 1e-11 * n_samples else count


def _check_both_classes(prevalence: float) -> None:
    """Raise if a prevalence leaves practically one class only."""
    if not MIN_SHARE <= prevalence <= 1 - MIN_SHARE:
        raise ValueError(
            "chemical_potential leaves practically one class only: it lies too far outside the "
            f"ranking (prevalence {prevalence:.6g})."
        )
