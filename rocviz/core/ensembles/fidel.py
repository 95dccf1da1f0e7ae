"""FiDEL and its alternatives: combine the scores of several classifiers."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.classes import positive_columns
from rocviz.core.ensembles.rank_ensemble import EnsembleScores, RankEnsemble

# The warning is for evidence that is overstated by a quarter and by three standard errors.
_MIN_DESIGN_EFFECT = 1.25
_MIN_STANDARD_ERRORS = 3.0


class DependentErrorsWarning(UserWarning):
    """FiDEL adds up evidence of classifiers whose errors are dependent given the class.

    Raised by :func:`rocviz.fidel_combine` and ``FiDELClassifier.fit`` with ``method="fidel"`` if
    :attr:`RankEnsemble.design_effect` is above 1.25, and by more than chance would have it in
    so many validation samples. The message says how strongly ranks are correlated within the
    classes, and how many times too large the summed evidence is for that.
    """


def warn_of_dependence(classifiers: RankEnsemble, calibration: str | None) -> None:
    """Warn the caller's caller if errors correlate significantly."""
    effect = classifiers.design_effect
    if effect <= _MIN_DESIGN_EFFECT:
        return
    deviation = np.abs(classifiers.beta) * np.sqrt(np.diag(classifiers.scatter))
    variance = float((deviation**2).sum())
    # under independence each covariance has the variance of a product over N
    standard_error = np.sqrt(
        2 * (variance**2 - float((deviation**4).sum())) / classifiers.n_samples
    )
    if (effect - 1) * variance <= _MIN_STANDARD_ERRORS * standard_error:
        return
    correlation = np.triu(classifiers.correlation, 1)
    i, j = np.unravel_index(np.abs(correlation).argmax(), correlation.shape)
    names = classifiers.names
    mean_text = f"{classifiers.mean_correlation:.2f}"
    if len(names) > 2:
        mean_text += f" on average (most: {names[i]} and {names[j]}, {correlation[i, j]:.2f})"
    if calibration:
        consequence = "Probabilities are calibrated for it"
    else:
        consequence = "So probabilities are too near 0 and 1; calibration='sigmoid' corrects them"
    warnings.warn(
        "FiDEL adds up evidence as if the classifiers' errors were independent given the class. "
        f"On these {classifiers.n_samples} validation samples they are not: within the classes "
        f"their ranks correlate by {mean_text}, so the sum varies {effect:.1f} times as much as "
        "independent evidence would, and log_likelihood_ratio and contributions are too large "
        f"by about this factor. {consequence}.",
        DependentErrorsWarning,
        stacklevel=3,
    )


def fidel_combine(
    y_true: ArrayLike,
    scores: Any,
    new_scores: Any = None,
    *,
    method: str = "fidel",
    rank_context: str = "validation",
    shrinkage: float | str = "auto",
    calibration: str | None = "sigmoid",
    names: Sequence[str] | None = None,
    pos_label: Any = None,
) -> EnsembleScores:
    """Combine the scores of several classifiers, weighted by validation data.

    Parameters
    ----------
    y_true : array-like, shape (N,)
        Labels of validation samples, which no classifier was trained on.
    scores : array-like of float, shape (N, M), or table, or mapping of str to array-like
        The classifiers' scores of the validation samples, one column each; higher means more
        positive. Only the order within a column matters.
    new_scores : array-like of float, shape (n_items, M), or table, or mapping, optional
        Scores of the items to combine; by default the validation samples themselves.
    method : {"fidel", "woc", "correlation-aware"}, default="fidel"
        - ``"fidel"``: every classifier contributes ``beta * (threshold_rank - rank)``, from the
          Fermi-Dirac distribution with its AUC. The sum is the log-likelihood ratio if the
          classifiers err independently given the class; where they do not, evidence counts
          more than once, and there is a :class:`DependentErrorsWarning`.
        - ``"woc"``, wisdom of crowds: the mean rank, in which all classifiers count alike.
        - ``"correlation-aware"``: weights in proportion to ``C^-1 (AUC - 1/2)``, with C the
          class-conditioned rank correlation.

        For the last two the log-likelihood ratio is that of normal densities with the class
        means and the common variance that the weighted ranks have in the validation data
        (linear discriminant analysis), so it is a sum of contributions too.
    rank_context : {"validation", "batch"}, default="validation"
        - ``"validation"``: an item's rank is its place among the validation scores, ties
          counting one half. Each item is ranked by itself, whatever comes along with it.
        - ``"batch"``: its rank among the items of ``new_scores``, scaled to N. It helps where
          scores have drifted since validation, and needs a batch with about the same prevalence.
    shrinkage : float or "auto", default="auto"
        Shrinkage of C towards the identity for "correlation-aware", from 0 (none) to 1 (as if
        uncorrelated): ``(1 - shrinkage) C + shrinkage I``. "auto" weighs the correlations
        against their sampling error, see :attr:`RankEnsemble.shrinkage`.
    calibration : {"sigmoid"} or None, default="sigmoid"
        Map from evidence to probabilities. ``"sigmoid"``: log odds are ``slope * evidence +
        intercept``, fitted to the validation samples as by
        :func:`rocviz.calibration_map` with ``method="sigmoid"``, the slope being about one over
        :attr:`RankEnsemble.design_effect` where errors correlate. ``None``: the evidence as it is,
        with the log odds of the validation data's classes, as in the paper. Ranking, evidence and
        contributions are the same for both.
    names : sequence of str, optional
        Names of the classifiers; by default the names of the columns.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.

    Warns
    -----
    DependentErrorsWarning
        If errors correlate and ``method`` is "fidel", which takes them for independent.

    Notes
    -----
    A classifier whose AUC is below 1/2 counts reversed, one whose AUC is 1/2 not at all. With
    "woc" no classifier is reversed: ``score`` is the mean rank as it is. But a crowd that is wrong
    more often than right on the validation data has a log-likelihood ratio that falls with its
    score.

    The calibration has two numbers to learn from samples that no classifier was trained on, and
    the weights one for each classifier. Fitting the weights again without the samples that the
    slope is fitted to made probabilities no better (``benchmarks/ensemble_calibration.py``).

    References
    ----------
    Kim et al. (2021), section on ensemble classification. The last method and the shrinkage are
    not in it; the latter follows Schäfer and Strimmer (2005), with the large-sample variance of
    a correlation.

    Examples
    --------
    >>> y = [1, 1, 1, 0, 0, 0]
    >>> scores = [[6, 4], [5, 6], [3, 5], [4, 1], [2, 3], [1, 2]]
    >>> item = fidel_combine(y, scores, [[4.5, 2.5]])
    >>> item.ranks.tolist()
    [[2.5, 4.5]]
    >>> bool(abs(item.log_likelihood_ratio[0] - item.contributions[0].sum()) < 1e-9)
    True
    """
    scores = positive_columns(scores, y_true, pos_label, "scores")
    if new_scores is None:
        new_scores = scores
    ensemble = RankEnsemble.from_scores(y_true, scores, names=names, pos_label=pos_label)
    combined = ensemble.combine(
        new_scores,
        method=method,
        rank_context=rank_context,
        shrinkage=shrinkage,
        calibration=calibration,
    )
    if method == "fidel":
        warn_of_dependence(ensemble, calibration)
    return combined
