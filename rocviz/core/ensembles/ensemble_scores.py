"""What an ensemble says of items: the evidence, and who contributed how much of it.

Knows numbers per item and classifier; nothing of how they come about.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import Floats

if TYPE_CHECKING:
    import pandas as pd

    from rocviz.core.ensembles.rank_ensemble import RankEnsemble

__all__ = ["EnsembleScores"]


@dataclass(frozen=True, eq=False)
class EnsembleScores(Frozen):
    """What an ensemble says of each of some items, and why.

    Parameters
    ----------
    method, rank_context : str
        How the scores were combined and the items ranked, see :func:`fidel_combine`.
    score : ndarray, shape (n_items,)
        What ranks the items; higher means more positive. The log-likelihood ratio, but for
        "woc" how far the mean rank is above the middle.
    log_likelihood_ratio : ndarray, shape (n_items,)
        Evidence for the positive class; above 0 an item is more likely positive than the
        prevalence says. The sum of ``contributions`` along the classifiers.
    probability : ndarray, shape (n_items,)
        Of the positive class: the evidence with the prevalence of the validation data.
    contributions : ndarray, shape (n_items, M)
        Each classifier's part, ``weight * (neutral_rank - ranks)``.
    ranks : ndarray, shape (n_items, M)
        On the scale of the N validation samples; small means positive.
    weight, neutral_rank : ndarray, shape (M,)
        Evidence per rank, and the rank that speaks for neither class.
    ensemble : RankEnsemble
        The classifiers.
    """

    method: str
    rank_context: str
    score: Floats
    log_likelihood_ratio: Floats
    probability: Floats
    contributions: Floats
    ranks: Floats
    weight: Floats
    neutral_rank: Floats
    ensemble: RankEnsemble

    def to_frame(self) -> pd.DataFrame:
        """Return one row per item.

        Returns
        -------
        pandas.DataFrame
            Columns ``score, log_likelihood_ratio, probability``, then ``contribution_`` and the
            name of each classifier.
        """
        import pandas as pd

        columns = {
            "score": self.score,
            "log_likelihood_ratio": self.log_likelihood_ratio,
            "probability": self.probability,
        }
        for name, part in zip(self.ensemble.names, self.contributions.T, strict=True):
            columns[f"contribution_{name}"] = part
        return pd.DataFrame(columns)
