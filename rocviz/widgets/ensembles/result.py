"""What the ensemble explorer shows, and how a crowd is judged; the core computes every number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from rocviz.core.ensembles.rank_ensemble import METHODS, tidy_ties
from rocviz.core.ensembles.score_matrix import auc_of_columns
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.roc.auc_test import auc_test

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rocviz.core.ensembles.experiment import EnsembleExperiment
    from rocviz.core.ensembles.rank_ensemble import EnsembleScores, RankEnsemble
    from rocviz.core.roc.auc_test import AUCTest
    from rocviz.widgets.ensembles.data import Measured

__all__ = ["EnsembleResult", "Judged", "judge", "law"]


@dataclass(frozen=True, eq=False)
class EnsembleResult:
    """Everything the ensemble explorer shows at one setting.

    Parameters
    ----------
    ensemble : RankEnsemble
        All classifiers, as the validation samples show them.
    crowd : RankEnsemble
        Those that are in.
    members : tuple of int
        Places of these among all, counted from 0.
    base_auc : ndarray, shape (M,)
        Of all classifiers, on the samples that are judged by.
    auc : dict of str to float
        ``{"best", "mean base", "woc", "fidel", "correlation-aware"}``, on these samples.
    best : int
        Place of the member with the highest AUC on the validation samples.
    test : AUCTest or None
        Paired test of the crowd against the best single classifier; none where a class has
        fewer than two samples.
    held_out : bool
        Whether the samples judged by are others than the validation samples.
    evidence : ndarray, shape (n_items,)
        Of the crowd for each sample judged by.
    order : ndarray of int
        These samples, the one the crowd ranks first coming first.
    rows : ndarray of int
        What they are called.
    place : int
        Where the crowd ranks the chosen one, from 1.
    item : EnsembleScores
        What the crowd says of the chosen one.
    item_is_positive : bool
        What it is.
    temperature : ndarray, shape (M,)
        Of each classifier, in units of the number of validation samples.
    law : tuple of ndarray
        (AUC, inverse temperature) of every possible classifier at this prevalence.
    experiment : EnsembleExperiment or None
        AUCs against the number of classifiers, once they were computed.
    """

    ensemble: RankEnsemble
    crowd: RankEnsemble
    members: tuple[int, ...]
    base_auc: NDArray[np.float64]
    auc: dict[str, float]
    best: int
    test: AUCTest | None
    held_out: bool
    evidence: NDArray[np.float64]
    order: NDArray[np.intp]
    rows: NDArray[np.intp]
    place: int
    item: EnsembleScores
    item_is_positive: bool
    temperature: NDArray[np.float64]
    law: tuple[NDArray[np.float64], NDArray[np.float64]]
    experiment: EnsembleExperiment | None

    @property
    def coldness(self) -> NDArray[np.float64]:
        """Inverse temperature of each classifier, times the number of validation samples."""
        return np.asarray(self.ensemble.beta * self.ensemble.n_samples)


@dataclass(frozen=True, eq=False)
class Judged:
    """The part of a result that stays while items are looked at."""

    crowd: RankEnsemble
    auc: dict[str, float]
    best: int
    test: AUCTest | None
    evidence: NDArray[np.float64]
    order: NDArray[np.intp]


def _total(crowd: RankEnsemble, ranks: NDArray[np.float64], method: str) -> NDArray[np.float64]:
    """Return the crowd's evidence on each item; what is tied stays tied."""
    weight, neutral = crowd.weights(method)
    return tidy_ties((weight * (neutral - ranks)).sum(axis=1), weight, crowd.n_samples)


def judge(data: Measured, members: tuple[str, ...], method: str) -> Judged:
    """Return how the crowd does on the samples that are judged by."""
    crowd = data.ensemble.select(members)
    places = [data.ensemble.names.index(name) for name in members]
    ranks = data.ranks[:, places]
    totals = {m: _total(crowd, ranks, m) for m in METHODS}
    totals["woc"] = -ranks.mean(axis=1)
    areas = auc_of_columns(data.positive, np.column_stack(list(totals.values())))
    best = places[int(crowd.auc.argmax())]
    score = totals[method]
    enough = min(data.positive.sum(), (~data.positive).sum()) >= 2
    return Judged(
        crowd=crowd,
        auc={
            "best": float(data.auc[best]),
            "mean base": float(data.auc[places].mean()),
            **{m: float(area) for m, area in zip(totals, areas, strict=True)},
        },
        best=best,
        test=auc_test(data.positive, score, data.scores[:, best], pos_label=True)
        if enough
        else None,
        evidence=score,
        order=np.argsort(-score, kind="stable"),
    )


def _round_limits(auc: NDArray[np.float64]) -> tuple[float, float]:
    """Return round limits that hold the AUCs, with some room, and one half if it is near."""
    low, high = float(auc.min()), float(auc.max())
    near = low < 0.65
    steps = 20 if near else 50
    low, high = (min(low, 0.5), max(high, 0.6)) if near else (low, high)
    room = 0.015 if near else max(0.01 + 0.1 * (high - low), 0.06 - (high - low) / 2)
    return (
        max(0.0, low / 2, float(np.floor(steps * (low - room))) / steps),
        # at AUC 1 the law runs off to infinity; a circle at the edge must not flatten the others
        min(1.0, (1 + high) / 2, float(np.ceil(steps * (high + room))) / steps),
    )


def law(
    auc: NDArray[np.float64], prevalence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return AUCs around the given ones and their inverse temperatures (times N)."""
    return _law(*_round_limits(auc), prevalence)


@lru_cache(maxsize=64)
def _law(
    low: float, high: float, prevalence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return AUCs and inverse temperatures (times N) along the law."""
    auc = np.linspace(low, high, 41)
    inner = np.clip(auc, 0.004, 0.996)
    beta = [FermiDirac.rescaled(float(a), prevalence=prevalence).beta for a in inner]
    return auc, np.array(beta)
