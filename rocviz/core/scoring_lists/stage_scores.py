"""How good a scoring list is, stage by stage, on its own data or on others.

Knows stages and counts; nothing of features or rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import (
    Floats,
    check_choice,
    check_number,
    check_sequence,
    describe,
)
from rocviz.core.calibration.binarize import binary_entropy
from rocviz.core.scoring_lists.stage import ScoringStage, calls_positive, check_stage
from rocviz.core.scoring_lists.stage_band import IntervalOptions
from rocviz.core.scoring_lists.stage_probability import check_counts


@dataclass(frozen=True, eq=False)
class StageScores(Frozen):
    """Losses and AUC of every stage of a list, all of shape (K + 1,).

    Parameters
    ----------
    entropy : ndarray of float
        Expected entropy of the probabilities, in bits.
    brier : ndarray of float
        Mean squared difference of probability and class.
    auc : ndarray of float
        AUC of ranking by probability; NaN where only one class occurs.
    expected_loss : ndarray of float
        Mean of ``min(1 - q, M q)``: what the probabilities expect.
    loss : ndarray of float
        What happens: misses times M plus false alarms, per sample.
    cost_fn : float
        M.
    """

    entropy: Floats
    brier: Floats
    auc: Floats
    expected_loss: Floats
    loss: Floats
    cost_fn: float

    def to_frame(self) -> DataFrame:
        """Return one row per stage: columns ``stage, entropy, brier, auc, expected_loss, loss``."""
        names = ("entropy", "brier", "auc", "expected_loss", "loss")
        columns = {name: getattr(self, name) for name in names}
        return to_frame({"stage": np.arange(self.brier.size), **columns})


def stage_scores(
    stages: Sequence[ScoringStage],
    counts: Sequence[tuple[Floats, Floats]],
    *,
    cost_fn: float = 1.0,
    use: str = "point",
    confidence: float = 0.5,
    method: str = "clopper-pearson",
    correction: str | None = "bonferroni",
) -> StageScores:
    """Return the scores of stages on counts, which may be of other data than the stages' own.

    Parameters
    ----------
    stages : sequence of ScoringStage
    counts : sequence of (pos, neg)
        For each stage, both classes' weights at its totals.
    cost_fn : float, default=1
        Cost M of a miss, in false alarms.
    use : {"point", "upper"}, default="point"
        Whether decisions go by the probability, or by the upper end of its interval
        (risk-averse).
    confidence, method, correction
        Of that interval, as for :func:`rocviz.core.scoring_lists.stage_band.stage_band`.

    Raises
    ------
    ValueError
        If ``use`` is neither "point" nor "upper", or stages and counts do not go together.
    """
    check_choice(use, "use", ("point", "upper"))
    miss = check_number(cost_fn, "cost_fn", above=0.0)
    stages = [check_stage(one, "stages") for one in check_sequence(stages, "stages", "stages")]
    pairs = [
        check_sequence(pair, "counts", "(pos, neg) of each stage")
        for pair in check_sequence(counts, "counts", "(pos, neg) of each stage")
    ]
    if not stages or len(pairs) != len(stages) or any(len(pair) != 2 for pair in pairs):
        raise ValueError(
            f"counts must be (pos, neg) of each of the stages, of which there are {len(stages)} "
            f"and must be one or more; got {describe(counts)}."
        )
    sides = []
    for stage, (pos, neg) in zip(stages, pairs, strict=True):
        own = pos is stage.pos and neg is stage.neg  # which were checked
        sides.append((pos, neg) if own else check_counts(stage.totals, pos, neg))
    # all stages end to end; ``first`` is where each begins
    pos, neg = (np.concatenate(side) for side in zip(*sides, strict=True))
    p = np.concatenate([stage.probability for stage in stages])
    first = np.cumsum([0, *(len(stage) for stage in stages[:-1])])
    basis = p
    if use == "upper":
        how: IntervalOptions = {"method": method, "correction": correction}
        basis = np.concatenate([stage.band(confidence, **how).upper for stage in stages])
    positive = calls_positive(basis, miss)
    auc = _areas(p, pos, neg, first)
    # multiplied by powers of two, which rounds nothing, so that products of weights are floats
    exponent = -np.frexp(np.add.reduceat(pos + neg, first))[1]
    unit = np.repeat(exponent, np.diff(first, append=p.size))
    # exponents apart, as M times a weight need not be one
    (share, size), (cost, scale) = np.frexp(pos), np.frexp(miss)
    missed = np.ldexp(share * cost, size + scale + unit)
    pos, neg = np.ldexp(pos, unit), np.ldexp(neg, unit)
    n = pos + neg
    total = np.add.reduceat(n, first)

    def mean(sums: Floats) -> Floats:
        return np.asarray(np.add.reduceat(sums, first) / total)

    return StageScores(
        entropy=mean(n * binary_entropy(p)),
        brier=mean(pos * (1 - p) ** 2 + neg * p**2),
        auc=auc,
        expected_loss=mean(n * np.minimum(1 - p, miss * p)),
        loss=mean(np.where(positive, neg, missed)),
        cost_fn=miss,
    )


def _areas(p: Floats, pos: Floats, neg: Floats, first: NDArray[np.intp]) -> Floats:
    """Return the area under each stage's ROC curve; ties count one half, one class gives NaN."""
    stage = np.repeat(np.arange(first.size), np.diff(first, append=p.size))
    # probabilities never rise along the totals, so what is tied stands together
    begins = np.diff(p, prepend=2.0) != 0
    begins[first] = True
    tied = np.flatnonzero(begins)
    groups = np.searchsorted(tied, first)
    sides, totals = [], []
    for side in (pos, neg):
        # multiplied by powers of two, which rounds nothing, so that products of weights are floats
        mild = np.ldexp(side, -np.frexp(np.maximum.reduceat(side, first))[1][stage])
        sides.append(np.add.reduceat(mild, tied))
        totals.append(np.add.reduceat(mild, first))
    up, on = sides
    before = np.cumsum(up) - up
    above = before - before[groups][stage[tied]]
    both = np.logical_and(*(total > 0 for total in totals))
    area = np.full(first.size, np.nan)
    np.divide(np.add.reduceat(on * (above + up / 2), groups), totals[0], out=area, where=both)
    np.divide(area, totals[1], out=area, where=both)
    return np.asarray(np.minimum(area, 1.0))  # weights add up to their total up to rounding only
