"""Confidence intervals of an AUC from labels and scores."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from rocviz.core.base.validation import Seed, Weights, check_choice
from rocviz.core.roc.auc_spread import METHODS as METHODS
from rocviz.core.roc.auc_spread import AUCInterval as AUCInterval
from rocviz.core.roc.segments import RankedSegments


def auc_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    method: str = "logit-delong",
    confidence: float = 0.95,
    sample_weight: Weights = None,
    pos_label: Any = None,
    n_resamples: int = 2000,
    random_state: Seed = None,
) -> AUCInterval:
    """Compute a confidence interval of the AUC.

    Parameters
    ----------
    y_true, y_score, pos_label
        As for :meth:`RankedSegments.from_scores`.
    method : str, default="logit-delong"
        - ``"logit-delong"``: DeLong's variance, a symmetric interval on the scale of
          ``log(AUC / (1 - AUC))``. Never leaves [0, 1]; covers better near 1.
        - ``"delong"``: the same variance, symmetric around the AUC, cut at 0 and 1.
        - ``"hanley-mcneil"``: the variance that the AUC would have if scores were exponential
          in both classes. It needs the AUC and the two counts only.
        - ``"fermi-dirac"``: the variance under Fermi-Dirac statistics of the ranking with this
          AUC. Too narrow where one class is rare.
        - ``"bootstrap"``: percentiles of the AUCs of resamples, drawn from each class apart.
    confidence : float, default=0.95
        Strictly between 0 and 1.
    sample_weight : array-like of float, shape (n_samples,), optional
        How often each sample is repeated. Fractions are allowed for the first three methods.
        Weights in other units, such as shares that sum to 1, would claim another number of
        samples than there is; scale them first.
    n_resamples : int, default=2000
        Number of resamples of the bootstrap; at least 50.
    random_state : int, RandomState, Generator or None, default=None
        Source of the random numbers of the bootstrap.

    Raises
    ------
    ValueError
        If the input is not as said above; if weights are not whole numbers and the method
        needs them to be; if the weights of a class sum to less than 1.

    Notes
    -----
    Some data do not show how much their AUC varies: an AUC of 0 or 1, scores that are all tied, or
    (for DeLong's variance and the bootstrap only) a class of one sample or a weight of 1.001 or
    less. An interval of no width would claim certainty, so Clopper and Pearson's takes its place,
    for ``AUC * m`` successes in ``m`` trials, ``m`` the size of the smaller class: that many pairs
    can be formed that share no sample, and no ranking's AUC varies more than the mean of as many
    independent pairs. With AUC 1 this bound holds exactly and is ``(alpha / 2) ** (1 / m)``, about
    ``1 - 3.7 / m`` at 95 %.

    References
    ----------
    DeLong, DeLong and Clarke-Pearson (1988). Pepe (2003), section 5.2 (logit scale). Hanley and
    McNeil (1982). Kim et al. (2021), section on the variance of AUC estimates. Birnbaum and
    Klose (1957) (the largest variance).

    Examples
    --------
    >>> y, score = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7, 8]
    >>> interval = auc_interval(y, score)
    >>> print(f"{interval.auc:.3f}, {interval.lower:.2f} to {interval.upper:.2f}")
    0.938, 0.44 to 1.00
    >>> perfect = auc_interval([0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6])
    >>> print(f"{perfect.lower:.2f} to {perfect.upper:.2f}")
    0.29 to 1.00
    """
    check_choice(method, "method", METHODS)
    segments = RankedSegments.from_scores(
        y_true, y_score, sample_weight=sample_weight, pos_label=pos_label
    )
    return segments.auc_interval(
        method=method, confidence=confidence, n_resamples=n_resamples, random_state=random_state
    )
