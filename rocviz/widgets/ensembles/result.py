"""The result that the ensemble explorer shows, and how a crowd is judged."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.frozen import DataFrame, Frozen, to_frame
from rocviz.core.ensembles.experiment import EnsembleExperiment
from rocviz.core.ensembles.rank_ensemble import (
    METHODS,
    EnsembleScores,
    RankEnsemble,
    round_evidence,
)
from rocviz.core.ensembles.score_matrix import auc_of_columns
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.roc.delong_test import AUCTest, compare_placements
from rocviz.core.roc.placements import PlacementSpread, placements
from rocviz.pictures import round_limits
from rocviz.widgets.base.background import step
from rocviz.widgets.ensembles.data import Measured

MAX_SHOWN_SAMPLES = 32  # samples on which all votes are drawn


@dataclass(frozen=True, eq=False)
class EvaluatedEnsemble(Frozen):
    """The part of a result that stays while items are looked at."""

    crowd: RankEnsemble
    auc: dict[str, float]
    best: int
    tests: dict[str, AUCTest]
    evidence: NDArray[np.float64]
    order: NDArray[np.intp]
    shown_votes: NDArray[np.float64] = field(repr=False)
    shown_is_wrong: NDArray[np.bool_] = field(repr=False)
    shown_is_positive: NDArray[np.bool_] = field(repr=False)
    n_wrong: int
    n_wrong_of_best: int


@dataclass(frozen=True, eq=False)
class EnsembleResult(EvaluatedEnsemble):
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
        AUC of all classifiers, on the samples that are judged by.
    auc : dict of str to float
        ``{"best", "mean base", "woc", "fidel", "correlation-aware"}``, on these samples.
    best : int
        Place of the member with the highest AUC on the validation samples.
    tests : dict of str to AUCTest
        Paired tests of each way to combine the crowd against the best single classifier; empty
        where a class has fewer than two samples.
    held_out : bool
        Whether the samples judged by are others than the validation samples.
    evidence : ndarray, shape (n_items,)
        Evidence of the crowd for each sample judged by.
    order : ndarray of int
        These samples, the one the crowd ranks first coming first.
    shown_votes : ndarray, shape (n_shown, n_members)
        Evidence of each member for some of these samples. The crowd, and its best member, err on
        the same share of them as of all, to half a sample.
    shown_is_wrong : ndarray of bool, shape (n_shown,)
        Whether the crowd errs on them; those on which it does come first.
    shown_is_positive : ndarray of bool, shape (n_shown,)
        Whether they are positive.
    n_wrong : int
        On how many of these samples the crowd's evidence is for the wrong class.
    n_wrong_of_best : int
        On how many the evidence of the best member alone is.
    rows : ndarray of int
        Their rows in the data.
    place : int
        Where the crowd ranks the chosen one, from 1.
    item : EnsembleScores
        What the crowd says of the chosen one.
    item_is_positive : bool
        What it is.
    temperature : ndarray, shape (M,)
        Temperature of each classifier, in units of the number of validation samples.
    law : tuple of ndarray
        (AUC, inverse temperature) of every possible classifier at this prevalence.
    experiment : EnsembleExperiment or None
        AUCs against the number of classifiers, once they were computed.
    n_items : int
        How many samples are judged by.
    preview : int or None
        The number of samples of a quick preview, while the user is dragging; the exact
        result follows when it rests.
    """

    ensemble: RankEnsemble
    members: tuple[int, ...]
    base_auc: NDArray[np.float64]
    held_out: bool
    rows: NDArray[np.intp]
    place: int
    item: EnsembleScores
    item_is_positive: bool
    temperature: NDArray[np.float64]
    law: tuple[NDArray[np.float64], NDArray[np.float64]]
    experiment: EnsembleExperiment | None
    n_items: int
    preview: int | None = None

    @property
    def test(self) -> AUCTest | None:
        """Paired test of the crowd as it is combined against the best single classifier."""
        return self.tests.get(self.item.method)

    @property
    def auc_limits(self) -> tuple[float, float]:
        """Round limits around the AUCs of single classifiers and crowds, and their intervals."""
        ends = np.array(list(self.intervals.values())).ravel()
        known = np.array([*self.base_auc[list(self.members)], *self.auc.values(), *ends])
        return round_limits(known)

    @property
    def law_limits(self) -> tuple[float, float, float, float]:
        """Limits of AUC and coldness around the law, and around what has no evidence at all."""
        auc, coldness = self.law
        low = float(coldness[0])
        if self.coldness.min() < low:
            low = min(low, 0.0)
        return float(auc[0]), float(auc[-1]), low, float(coldness[-1])

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """Interval of each crowd's gain over the best single one, added to the AUC of that one."""
        best = self.auc["best"]
        intervals = {}
        for method, test in self.tests.items():
            if test.standard_error > 0:
                intervals[method] = max(best + test.lower, 0.0), min(best + test.upper, 1.0)
        return intervals

    @property
    def coldness(self) -> NDArray[np.float64]:
        """Inverse temperature of each classifier, times the number of validation samples."""
        return np.asarray(self.ensemble.beta * self.ensemble.n_samples)

    def to_frame(self) -> DataFrame:
        """Tabulate one row per classifier: its measures, and its evidence about the item."""
        ensemble = self.ensemble
        inside = list(self.members)
        contribution = np.full(len(ensemble.names), np.nan)
        contribution[inside] = self.item.contributions[0]
        rank = np.full(len(ensemble.names), np.nan)
        rank[inside] = self.item.ranks[0]
        return to_frame(
            {
                "classifier": ensemble.names,
                "is in": np.isin(np.arange(len(ensemble.names)), inside),
                "auc, validation": ensemble.auc,
                "auc, judged": self.base_auc,
                "temperature / N": self.temperature,
                "threshold rank": ensemble.threshold_rank,
                "rank of item": rank,
                "contribution": contribution,
            }
        )


def _total(crowd: RankEnsemble, ranks: NDArray[np.float64], method: str) -> NDArray[np.float64]:
    """Compute the crowd's evidence on each item; ties stay ties."""
    weight, neutral = crowd.weights(method)
    return round_evidence((weight * (neutral - ranks)).sum(axis=1), weight, crowd.n_samples)


def _can_test(data: Measured) -> bool:
    """Whether there are two samples of each class, or two clusters that hold it."""
    for of_class in (data.positive, ~data.positive):
        n = of_class.sum() if data.unit is None else np.unique(data.unit[of_class]).size
        if n < 2:
            return False
    return True


def shown_places(n_samples: int) -> NDArray[np.intp]:
    """Choose the places of samples whose votes are drawn, each in the middle of those it is for."""
    n_shown = min(n_samples, MAX_SHOWN_SAMPLES)
    return ((2 * np.arange(n_shown) + 1) * n_samples // (2 * n_shown)).astype(np.intp)


def samples_to_show(
    crowd_is_wrong: NDArray[np.bool_],
    best_is_wrong: NDArray[np.bool_],
    support: NDArray[np.float64],
) -> NDArray[np.intp]:
    """Choose few samples that stand for all: those on which the crowd errs, then the others.

    Exact to half a sample are the shares of them on which the crowd errs, and on which its best
    member does. From each of the four groups that they make, samples are taken at even distances
    in the order of ``support``, the share of the evidence that is for the truth, so that the votes
    of the others are about as often wrong as on all samples.
    """
    n_shown = min(support.size, MAX_SHOWN_SAMPLES)
    share = n_shown / support.size
    n_crowd = round(share * int(crowd_is_wrong.sum()))
    n_best = round(share * int(best_is_wrong.sum()))
    both = np.flatnonzero(crowd_is_wrong & best_is_wrong)
    crowd_alone = np.flatnonzero(crowd_is_wrong & ~best_is_wrong)
    best_alone = np.flatnonzero(~crowd_is_wrong & best_is_wrong)
    neither = np.flatnonzero(~crowd_is_wrong & ~best_is_wrong)
    # no group can give more samples than it has, nor fewer than none
    n_others = n_shown - n_crowd - n_best  # once those of both are added
    fewest = max(0, -n_others, n_crowd - crowd_alone.size, n_best - best_alone.size)
    most = min(both.size, n_crowd, n_best, neither.size - n_others)
    n_both = min(max(round(share * both.size), fewest), most)
    chosen = []
    for group, n in (
        (both, n_both),
        (crowd_alone, n_crowd - n_both),
        (best_alone, n_best - n_both),
        (neither, n_others + n_both),
    ):
        ordered = group[np.argsort(support[group], kind="stable")]
        chosen.append(ordered[_middles(group.size, n)])
    shown = np.concatenate(chosen)
    return shown[np.lexsort((support[shown], ~crowd_is_wrong[shown]))]


def _middles(n: int, n_parts: int) -> NDArray[np.intp]:
    """Compute the places in the middles of so many equal parts of ``n`` places."""
    return ((2 * np.arange(n_parts) + 1) * n // max(2 * n_parts, 1)).astype(np.intp)


def evaluate(
    data: Measured, members: tuple[str, ...], method: str, weight: float = 1.0
) -> EvaluatedEnsemble:
    """Judge the crowd on the samples that are set aside for it.

    Where each of few stands for many, ``weight`` says for how many; intervals are then as wide
    as those of the many will be.
    """
    step("judging the crowd")
    places = [data.ensemble.names.index(name) for name in members]
    crowd = data.ensemble.select(places)
    ranks = data.ranks[:, places]
    totals = {m: _total(crowd, ranks, m) for m in METHODS}
    weight_of_rank, neutral = crowd.weights(method)
    votes = weight_of_rank * (neutral - ranks)
    is_wrong = (totals[method] > 0) != data.positive
    size = np.abs(votes).sum(axis=1)
    support = np.where(data.positive, totals[method], -totals[method])
    support = np.divide(support, size, out=np.zeros_like(support), where=size > 0)
    best = places[int(crowd.auc.argmax())]
    best_is_wrong = (votes[:, places.index(best)] > 0) != data.positive
    shown = samples_to_show(is_wrong, best_is_wrong, support)
    totals["woc"] = -ranks.mean(axis=1)
    areas = auc_of_columns(data.positive, np.column_stack(list(totals.values())))
    score = totals[method]
    tests = {}
    if _can_test(data):
        weights = np.full(data.positive.size, weight)
        spread = PlacementSpread.of(data.positive, weights, data.unit)
        of_best = placements(data.positive, data.scores[:, best], weights)
        for name, total in totals.items():
            step(f"testing {name}")
            of_crowd = placements(data.positive, total, weights)
            tests[name] = compare_placements(of_crowd, of_best, spread)
    return EvaluatedEnsemble(
        crowd=crowd,
        auc={
            "best": float(data.auc[best]),
            "mean base": float(data.auc[places].mean()),
            **{m: float(area) for m, area in zip(totals, areas, strict=True)},
        },
        best=best,
        tests=tests,
        evidence=score,
        order=np.argsort(-score, kind="stable"),
        shown_votes=votes[shown],
        shown_is_wrong=is_wrong[shown],
        shown_is_positive=data.positive[shown],
        n_wrong=int(is_wrong.sum()),
        n_wrong_of_best=int(best_is_wrong.sum()),
    )


def law_around(
    auc: NDArray[np.float64], prevalence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute AUCs around the given ones, and around 1/2 if it is near, and their coldness."""
    low = float(auc.min())
    high = float(auc.max())
    included = (0.5, 0.6) if low < 0.65 else (high - 0.06, low + 0.06)
    left, right = round_limits(np.array([low, high, *included]))
    # at AUC 1 the law runs off to infinity; a circle at the edge must not flatten the others
    return _law(max(left, low / 2), min(right, (1 + high) / 2), prevalence)


@lru_cache(maxsize=64)
def _law(
    low: float, high: float, prevalence: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Compute AUCs and inverse temperatures (times N) along the law."""
    auc = np.linspace(low, high, 25)
    inner = np.clip(auc, 0.004, 0.996)
    beta = [FermiDirac.rescaled(float(a), prevalence=prevalence).beta for a in inner]
    return auc, np.array(beta)
