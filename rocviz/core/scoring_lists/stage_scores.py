"""How good a scoring list is, stage by stage, on its own data or on others.

Knows stages and counts; nothing of features or rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.base.validation import Floats, check_choice
from rocviz.core.scoring_lists.stage import ScoringStage, calls_positive


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
        If ``use`` is neither "point" nor "upper".
    """
    check_choice(use, "use", ("point", "upper"))
    rows = []
    for stage, (pos, neg) in zip(stages, counts, strict=True):
        own = pos is stage.pos and neg is stage.neg  # what is known of them is known
        judged = stage if own else stage.with_counts(pos, neg)
        basis = (
            stage.probability
            if use == "point"
            else stage.band(confidence, method=method, correction=correction).upper
        )
        positive = calls_positive(basis, cost_fn)
        loss = (cost_fn * pos[~positive].sum() + neg[positive].sum()) / judged.n_samples
        area = judged.auc if pos.any() and neg.any() else np.nan
        rows.append((judged.entropy, judged.brier, area, judged.expected_loss(cost_fn), loss))
    entropy, brier, auc, expected_loss, loss = np.array(rows).T
    return StageScores(entropy, brier, auc, expected_loss, loss, cost_fn=float(cost_fn))
