"""Limits of the inverse temperature of a ranking: formulas for AUCs near 1/2 and near 1."""

from __future__ import annotations

from math import inf, pi, sqrt

from rocviz.core.base.validation import check_prevalence, check_share


def weak_limit(auc: float) -> float:
    r"""Compute the inverse temperature of a nearly random ranking, :math:`12(A - \tfrac12)`.

    Parameters
    ----------
    auc : float
        From 1e-9 to 1 - 1e-9, or exactly 0 or 1; the formula is for AUCs near 1/2.

    Returns
    -------
    float
        Per whole ranking, as :meth:`rocviz.FermiDirac.rescaled` has it; divide by the number of
        samples for the inverse temperature per rank. It does not depend on the prevalence.

    Raises
    ------
    ValueError
        If ``auc`` is out of range.

    References
    ----------
    Kim et al. (2021), section on the temperature.

    Examples
    --------
    >>> from rocviz import FermiDirac
    >>> round(weak_limit(0.52), 3), round(FermiDirac.rescaled(0.52, prevalence=0.3).beta, 3)
    (0.24, 0.24)
    """
    return 12 * (check_share(auc, "auc", ends=True) - 0.5)


def strong_limit(auc: float, prevalence: float) -> float:
    r"""Compute the inverse temperature of a nearly perfect ranking.

    .. math:: \frac{\pi}{\sqrt{6\,\rho(1-\rho)(1-A)}}

    Parameters
    ----------
    auc : float
        As for :func:`weak_limit`; the formula is for AUCs near 1.
    prevalence : float
        From 1e-9 to 1 - 1e-9; the formula needs it to be many times 1 over the result.

    Returns
    -------
    float
        As of :func:`weak_limit`; infinite for a perfect ranking.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    See Also
    --------
    rare_limit : For positives so rare that all of them are at the top.

    Notes
    -----
    The code published with the paper has a formula that is smaller by the factor 2 / pi, and
    uses it as a starting value only.

    References
    ----------
    Kim et al. (2021), section on the temperature.

    Examples
    --------
    >>> from rocviz import FermiDirac
    >>> law = FermiDirac.rescaled(0.9999, prevalence=0.3)
    >>> round(strong_limit(0.9999, 0.3), 6), round(law.beta, 6)
    (279.875318, 279.875318)
    """
    one_minus_auc = 1 - check_share(auc, "auc", ends=True)
    share = check_prevalence(prevalence)
    return pi / sqrt(6 * share * (1 - share) * one_minus_auc) if one_minus_auc else inf


def rare_limit(auc: float) -> float:
    r"""Compute the inverse temperature of a ranking whose positives are few, :math:`1/(1 - A)`.

    Takes, returns and raises what :func:`strong_limit` does, but for the prevalence: the formula is
    for one that is many times less than ``1 - auc``, which is small itself.

    Examples
    --------
    >>> from rocviz import FermiDirac
    >>> law = FermiDirac.rescaled(0.99, prevalence=1e-7)
    >>> round(rare_limit(0.99), 2), round(law.beta, 2)
    (100.0, 100.0)
    """
    one_minus_auc = 1 - check_share(auc, "auc", ends=True)
    return 1 / one_minus_auc if one_minus_auc else inf
