"""Choose the method that computes the expected utilities of all cuts of a ranking."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.blocks import running_totals, totals_below
from rocviz.core.base.progress import Progress, ShouldStop
from rocviz.core.base.validation import Floats
from rocviz.core.decisions._expected_rates import am_utilities, g_tp_pr_utilities, q_mean_utilities
from rocviz.core.decisions._expected_ratio import ratio_utilities
from rocviz.core.decisions._windowed_utility import windowed_utilities
from rocviz.core.decisions.formula import Formula
from rocviz.core.decisions.poisson_binomial import prefix_laws
from rocviz.core.decisions.utility import Metric

#: Most samples for which every outcome is counted, where other methods gain nothing.
SMALL = 40
_TOL = 1e-13  # largest difference of sums over few counts, in units of the metric's greatest size

_INTEGRALS: dict[str, Callable[[Floats, float], Floats]] = {
    "balanced_accuracy": am_utilities,
    "informedness": lambda prob, zero_division: 2 * am_utilities(prob, (1 + zero_division) / 2) - 1,
    "g_tp_pr": g_tp_pr_utilities,
    "q_mean": q_mean_utilities,
    "sec": lambda prob, _spare: count_utilities(prob),
}


def utilities_of_prefixes(
    probability: Floats,
    measure: Metric,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> tuple[Floats, float]:
    """Compute the expected utility of each prefix, shape (n + 1,), and a bound on the error.

    That is but for rounding, and 0 where nothing is left out. Probabilities decrease, and there is
    one; the rest is as in :func:`rocviz.core.decisions._windowed_utility.windowed_utilities`.
    """
    if probability.size <= SMALL:
        return direct_utilities(probability, measure), 0.0
    if measure.name in _INTEGRALS:
        return _INTEGRALS[measure.name](probability, measure.zero_division), 0.0
    ratio = measure.linear_fractional
    if ratio is not None and measure.function is None and not any(ratio.d[1:]):
        return measure.at_cells(*expected_cells(probability)), 0.0  # linear in the cells
    value = None if ratio is None else ratio_utilities(probability, ratio, measure.zero_division)
    if value is None:
        return windowed_utilities(
            probability, measure, _TOL, progress, should_stop, has_bends=_has_bends(measure)
        )
    return value, 0.0


def _has_bends(measure: Metric) -> bool:
    """Test whether a metric may have bends or jumps, as any user-defined function may."""
    if isinstance(measure.function, Formula):
        return measure.function.has_bends
    return measure.name == "custom"


def expected_cells(probability: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Compute expected true and false positives, false and true negatives of each prefix.

    Each is a sum in which nothing cancels. Probabilities decrease.
    """
    sides = probability, 1 - probability
    (tp, fp), (fn, tn) = (map(add, sides) for add in (running_totals, totals_below))
    return tp, fp, fn, tn


def count_utilities(probability: Floats) -> Floats:
    """Compute minus the mean squared error of counts of each prefix, shape (n + 1,).

    It is the squared distance to the expected number of positives, and that number's variance.
    """
    n, mean = probability.size, float(probability.sum())
    variance = float((probability * (1 - probability)).sum())
    return -((np.arange(n + 1.0) - mean) ** 2 + variance) / n**2


@lru_cache(maxsize=SMALL)
def _tables(n: int) -> tuple[NDArray[np.intp], ...]:
    """List predicted positives, true positives and false negatives of every table of n."""
    predicted, tp, fn = np.indices((n + 1,) * 3)
    some = (tp <= predicted) & (fn <= n - predicted)
    return predicted[some], tp[some], fn[some]


def direct_utilities(probability: Floats, measure: Metric) -> Floats:
    """Compute the expected utility of each prefix from all pairs of counts, in O(n^3)."""
    n = probability.size
    predicted, tp, fn = _tables(n)
    chance = prefix_laws(probability)[predicted, tp]
    chance *= prefix_laws(probability[::-1])[n - predicted, fn]
    value = measure.at_counts(tp, predicted, tp + fn, float(n))
    return np.asarray(np.bincount(predicted, chance * value), dtype=np.float64)
