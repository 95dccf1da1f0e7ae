"""The Fermi-Dirac law as a function of rank: probabilities, rates, area, variance, draws.

The base of ``FermiDirac``, which adds how to find it. Knows parameters only; nothing of drawing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf, isinf, log

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import expit

from rocviz.core.base.frozen import DataFrame, Frozen, read_only, to_frame
from rocviz.core.base.logistic_levels import (
    class_shares,
    either,
    filled_share,
    log_odds,
    no_underflow,
    rescaled_threshold,
    scaled,
    step_quadrature,
)
from rocviz.core.base.validation import (
    Floats,
    Seed,
    check_numbers,
    check_random_state,
    check_vector,
)
from rocviz.core.fermi_dirac._draw import draw_labels
from rocviz.core.roc.auc_variance import placement_variances, variance_of_placements


@dataclass(frozen=True, repr=False)
class FermiDiracCurve(Frozen):
    """Inverse temperature and threshold of a ranking, with its AUC and class counts."""

    beta: float
    threshold_rank: float
    prevalence: float
    auc: float
    one_minus_auc: float
    n_pos: float | None = None
    n_neg: float | None = None

    # ------------------------------------------------------------------ parameters

    @property
    def is_rescaled(self) -> bool:
        """Whether ranks are numbers from 0 to 1, and there are no counts."""
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
        if self.n_pos is None or self.n_neg is None:
            return log(self.prevalence) - log(1 - self.prevalence)
        return log(self.n_pos) - log(self.n_neg)

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
            return inf if prior > 0 else -inf
        return self.threshold_rank + prior / self.beta

    @cached_property
    def ranks(self) -> Floats:
        """Every rank from 1 to ``n_samples``; when rescaled, from 0 to 1 and dense at the step."""
        n = self.n_samples
        if n is not None:
            return read_only(np.arange(1.0, n + 1))
        step = np.linspace(-40.0, 40.0, 401) / max(abs(self.beta), 1.0)
        centre = min(max(self.chemical_potential, 0.0), 1.0)
        return read_only(np.unique(np.clip(np.append(np.linspace(0, 1, 401), centre + step), 0, 1)))

    # ------------------------------------------------------------------ at a rank

    def log_likelihood_ratio(self, rank: ArrayLike | None = None) -> Floats:
        """Return ln P(r | 1) / P(r | 0), which is ``beta * (threshold_rank - rank)``.

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
        """Return P(1 | r), the probability that the item at a rank is positive.

        Takes and returns arrays as :meth:`log_likelihood_ratio` does.
        """
        return np.asarray(expit(self._log_odds(self._ranks(rank))))[()]

    def class_given_rank(self, rank: ArrayLike | None = None) -> tuple[Floats, Floats]:
        """Return P(r | 1) and P(r | 0): where a random item of either class stands.

        Takes ranks as :meth:`log_likelihood_ratio` does.

        Returns
        -------
        positive, negative : ndarray of float, shape of ``rank``
            Probabilities that sum to 1 over all ranks; densities when rescaled.
        """
        return class_shares(self._log_odds(self._ranks(rank)), *self._sizes())

    def _log_odds(self, rank: Floats) -> Floats:
        return log_odds(self.beta, self.threshold_rank, self.prior_log_odds, rank)

    def _sizes(self) -> tuple[float, float]:
        """Return the number of positives and of negatives, or their shares when rescaled."""
        if self.n_pos is None or self.n_neg is None:
            return self.prevalence, 1 - self.prevalence
        return self.n_pos, self.n_neg

    def _ranks(self, rank: ArrayLike | None) -> Floats:
        if rank is None:
            return self.ranks
        array = check_numbers(rank, "rank")
        return check_vector(array.ravel(), "rank").reshape(array.shape)

    # ------------------------------------------------------------------ above a rank

    def tpr(self, rank: ArrayLike | None = None) -> Floats:
        """Return the expected true positive rate of calling positive what is down to a rank.

        Parameters
        ----------
        rank : array-like of float, optional
            From 0 to ``n_samples``, or from 0 to 1 when rescaled; between whole ranks a part
            of the next item is called positive. By default all :attr:`ranks`.

        Returns
        -------
        ndarray of float, shape of ``rank``
        """
        return self._share(rank, 0)

    def fpr(self, rank: ArrayLike | None = None) -> Floats:
        """Return the expected false positive rate of calling positive what is down to a rank.

        Takes and returns arrays as :meth:`tpr` does.
        """
        return self._share(rank, 1)

    def precision(self, rank: ArrayLike | None = None) -> Floats:
        """Return the expected share of positives among the items down to a rank.

        Takes and returns arrays as :meth:`tpr` does. At 0 it is the limit from above.
        """
        at = self._ranks(rank)
        out = np.full(at.shape, float(self.probability(0.0 if self.is_rescaled else 1.0)))
        some = np.abs(scaled(self.beta, at)) > 1e-17  # else it has not changed yet
        with no_underflow():
            np.divide(self.tpr(at) * self._sizes()[0], at, where=some, out=out)
        return out[()]

    def balanced_accuracy(self, rank: ArrayLike | None = None) -> Floats:
        """Return the mean of expected sensitivity and specificity, cutting below a rank.

        Highest at :attr:`threshold_rank` (to within one rank). Its mean over all ranks from 1
        to ``n_samples`` is ``AUC / 2 + 1/4``, exactly. Takes and returns arrays as :meth:`tpr`
        does.
        """
        return (self.tpr(rank) + 1 - self.fpr(rank)) / 2

    @cached_property
    def _cumulative(self) -> tuple[Floats, Floats]:
        """Shares of either class down to each rank, from 0 to 1, shape (n_samples + 1,)."""
        z = self._log_odds(self.ranks)
        made = []
        for f in either(z):
            total = np.concatenate(([0.0], np.cumsum(f)))
            with no_underflow():
                made.append(read_only(total / total[-1]))
        return made[0], made[1]

    def _share(self, rank: ArrayLike | None, negative: int) -> Floats:
        at = self._ranks(rank)
        n = self.n_samples
        if at.size and (at.min() < 0 or at.max() > (n or 1)):
            raise ValueError(
                f"rank must be from 0 to {n or 1}; found {at.min():.6g} to {at.max():.6g}."
            )
        if n is not None:
            return np.asarray(np.interp(at, np.arange(n + 1), self._cumulative[negative]))[()]
        sign = 1 - 2 * negative
        if self.beta == 0:
            share = at
        elif isinf(self.beta):
            from_step = at if (self.beta > 0) != bool(negative) else at - self.threshold_rank
            share = np.clip(from_step / self._sizes()[negative], 0.0, 1.0)
        else:
            odds, ends = self._log_odds(at), self._log_odds(np.array([0.0, 1.0]))
            share = filled_share(at, sign * self.beta, sign * odds, sign * ends)
        return share[()]

    def roc_curve(self) -> tuple[Floats, Floats]:
        """Return the ROC curve that the law implies.

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
        """Return the area under the expected precision-recall curve (average precision).

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
        with no_underflow():
            if not self.is_rescaled:
                found = np.diff(self._cumulative[0])
                return min(float(np.sum(found * self.precision(self.ranks))), 1.0)
            law = self._best_first()
            at, weight = step_quadrature(law.chemical_potential, law.beta)
            found = weight * law.class_given_rank(at)[0]
            share, x = (law.tpr(at), at) if law is self else (law._under(at), 1 - at)
            return min(self.prevalence * float(np.sum(found * (share / x))), 1.0)

    def _best_first(self) -> FermiDiracCurve:
        """Return the law, or its reverse: near 0 floats tell more ranks apart than near 1."""
        if self.beta >= 0 or isinf(self.beta):
            return self
        levels = -self.beta, rescaled_threshold(-self.beta, *self._sizes())
        return FermiDiracCurve(*levels, self.prevalence, self.one_minus_auc, self.auc)

    def _under(self, at: Floats) -> Floats:
        """Return the share of positives under ranks of a rescaled law, be it ever so small."""
        if self.beta == 0 or isinf(self.beta):
            return 1 - self.tpr(at)
        odds, ends = self._log_odds(at), self._log_odds(np.array([1.0, 0.0]))
        return filled_share(1 - at, -self.beta, odds, ends)

    def pair_probabilities(self) -> tuple[float, float]:
        """Return the probabilities of two-against-one that the variance of the AUC needs.

        A pair at one and the same rank counts one half, which makes the model's AUC exact.

        Returns
        -------
        p_xxy : float
            That two random positives are both above a random negative.
        p_xyy : float
            That a random positive is above two random negatives.
        """
        of_negatives, of_positives = self.placement_variances()
        return self.auc**2 + of_negatives, self.auc**2 + of_positives

    def auc_variance(self) -> float:
        """Return the variance of the AUC of data with these counts, were the law true.

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
        both, spread = self.auc * self.one_minus_auc, self.placement_variances()
        return float(variance_of_placements(both, *spread, self.n_pos, self.n_neg))

    def placement_variances(self) -> tuple[float, float]:
        """Return both less ``auc**2``, not rounded. Takes what :meth:`pair_probabilities` does."""
        with no_underflow():
            if not self.is_rescaled:
                shares = self.class_given_rank()
                return placement_variances(*shares, self.auc, self.one_minus_auc)
            law = self._best_first()
            x, weight = step_quadrature(law.chemical_potential, law.beta)
            pos, neg = (weight * density for density in law.class_given_rank(x))
            misplaced = law._under(x), law.fpr(x)
            return placement_variances(pos, neg, law.auc, law.one_minus_auc, misplaced)

    # ------------------------------------------------------------------ draws

    def sample(self, random_state: Seed = None) -> NDArray[np.int64]:
        """Draw the labels of one data set, most positive rank first.

        Labels are independent with odds ``exp(-beta * rank)``, on condition that there are
        exactly ``n_pos`` positives. The condition moves the probability at a rank away from
        :meth:`probability`, and the mean AUC from :attr:`auc`, by little that falls as
        1 / ``n_samples``. Exact, and linear in the number of samples.

        Parameters
        ----------
        random_state : int, numpy.random.Generator or None, default=None

        Returns
        -------
        ndarray of int, shape (n_samples,)
            1 for a positive.

        Raises
        ------
        ValueError
            If the law is rescaled or its number of positives is not whole.

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
        return draw_labels(self.beta, round(self.n_pos), n, check_random_state(random_state))

    def to_frame(self) -> DataFrame:
        """Return one row per rank.

        Columns ``rank, probability, log_likelihood_ratio, tpr, fpr, precision, balanced_accuracy``;
        the rates are those of the cut below the rank.
        """
        names = ("probability", "log_likelihood_ratio", "tpr", "fpr", "precision")
        columns = {name: getattr(self, name)() for name in (*names, "balanced_accuracy")}
        return to_frame({"rank": self.ranks, **columns})

    def __repr__(self) -> str:
        size = (
            f"prevalence {self.prevalence:.6g}"
            if self.is_rescaled
            else f"{self.n_pos:.10g} positives, {self.n_neg:.10g} negatives"
        )
        return (
            f"<{type(self).__name__}: {size}, AUC {self.auc:.4f}, beta {self.beta:.6g}, "
            f"threshold rank {self.threshold_rank:.6g}>"
        )
