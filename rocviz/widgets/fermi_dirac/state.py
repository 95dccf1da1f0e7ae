"""The state of the Fermi-Dirac explorer: one ranking seen as levels, fermions and a temperature.

AUC and prevalence on one side, temperature and chemical potential on the other describe the
same thing; whichever is set moves the other. Works without a browser.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets

from rocviz.core.base.frozen import read_only
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.fermi_dirac.rank_levels import rank_frequencies, rank_labels
from rocviz.core.roc.auc_intervals import auc_interval
from rocviz.core.roc.segments import RankedSegments
from rocviz.widgets.base.state import ExplorerState, Sentence
from rocviz.widgets.fermi_dirac.words import code, sentences
from rocviz.widgets.roc.data import Scored

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from numpy.typing import ArrayLike, NDArray

    from rocviz.core.roc.auc_intervals import AUCInterval
    from rocviz.core.roc.coverage import CoverageResult

__all__ = ["FermiDiracResult", "FermiDiracState", "Ranked"]

METHODS = ("logit-delong", "delong", "hanley-mcneil", "fermi-dirac", "bootstrap")
MOST = 100_000  # samples drawn in the sandbox
COLDEST = 1e-4  # temperature in units of N below which a ranking is drawn as perfect


@dataclass(frozen=True, eq=False)
class Ranked:
    """Labels in the order of a ranking, the most positive first.

    Parameters
    ----------
    segments : RankedSegments
        The tie groups.
    label : ndarray of bool, shape (n_samples,)
        Whether the item at each rank is positive; spread evenly over a tie.
    y_true, y_score : ndarray
        The samples, for the interval methods that need them.
    source : Scored or None
        What the samples were given as, so that code can name them again.
    """

    segments: RankedSegments
    label: NDArray[np.bool_]
    y_true: NDArray[np.bool_]
    y_score: NDArray[np.float64]
    source: Scored | None = None

    @classmethod
    def from_scores(cls, y_true: ArrayLike, y_score: ArrayLike, pos_label: Any = None) -> Ranked:
        """Rank samples by score."""
        source = Scored(y_true, {"model": y_score}, pos_label=pos_label)
        positive, score = source.positive, source.scores["model"]
        segments = source.curve("model", ()).segments
        return cls(segments, read_only(rank_labels(segments)), positive, score, source)

    @classmethod
    def from_labels(cls, label: NDArray[np.int64]) -> Ranked:
        """Take labels that stand in rank order already."""
        positive = read_only(label == 1)
        score = read_only(-np.arange(label.size, dtype=np.float64))
        segments = RankedSegments.from_scores(positive, score, pos_label=True)
        return cls(segments, positive, positive, score)

    def best_threshold_rank(self) -> float:
        """Return the rank after which balanced accuracy is highest, the middle of several."""
        s = self.segments
        gain = s.tpr - s.fpr
        best = np.flatnonzero(gain >= gain.max() - 1e-12)
        taken = (s.cumulative_pos + s.cumulative_neg)[best]
        return float((taken[0] + taken[-1]) / 2 + 0.5)


@dataclass(frozen=True, eq=False)
class FermiDiracResult:
    """Everything the Fermi-Dirac explorer shows at one setting.

    Parameters
    ----------
    law : FermiDirac
        The distribution for the AUC and prevalence held.
    ranked : Ranked
        The data: one's own, or a draw from the law.
    rank : ndarray
        Ranks at which the curve is drawn.
    probability : ndarray
        P(1 | rank) there.
    bin_rank, bin_frequency, bin_size : ndarray
        Middle rank, share of positives and size of equal slices of the ranking.
    roc : tuple of ndarray
        (fpr, tpr) of the law.
    best_rank : float
        Empirical rank of the best balanced accuracy, to compare with ``law.threshold_rank``.
    intervals : tuple of AUCInterval
        One per method, of the data.
    """

    law: FermiDirac
    ranked: Ranked
    rank: NDArray[np.float64]
    probability: NDArray[np.float64]
    bin_rank: NDArray[np.float64]
    bin_frequency: NDArray[np.float64]
    bin_size: NDArray[np.float64]
    roc: tuple[NDArray[np.float64], NDArray[np.float64]]
    best_rank: float
    intervals: tuple[AUCInterval, ...]


@lru_cache(maxsize=64)
def _coldness_curve(prevalence: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    coldness = np.linspace(0.5, 40.0, 40)
    auc = np.array([FermiDirac.from_parameters(b, _potential(b, prevalence)).auc for b in coldness])
    return (
        np.concatenate((1 - auc[::-1], [0.5], auc)),
        np.concatenate((-coldness[::-1], [0.0], coldness)),
    )


def _potential(coldness: float, prevalence: float) -> float:
    """Return the rescaled chemical potential that gives a prevalence at a coldness."""
    b, rho = coldness, prevalence
    return 0.5 + float(np.log(np.sinh(b * rho / 2) / np.sinh(b * (1 - rho) / 2))) / b


class FermiDiracState(ExplorerState):
    """State of the Fermi-Dirac explorer.

    Parameters
    ----------
    data : Ranked, optional
        One's own ranking; without it, rankings drawn from the law itself.
    **inputs
        Initial values of the traits below.
    """

    #: Area under the ROC curve.
    auc = traitlets.Float(0.8, min=0.0, max=1.0).tag(input=True, sandbox=True)
    #: Share of positives; there are whole ones, so it is a multiple of 1 / n_samples.
    prevalence = traitlets.Float(0.4, min=0.0, max=1.0).tag(input=True, sandbox=True)
    #: Temperature in units of the number of items: 0 is perfect, infinite random, below 0 worse.
    temperature = traitlets.Float(0.1).tag(input=True)
    #: Rank at which an item is as likely positive as negative.
    chemical_potential = traitlets.Float(40.0).tag(input=True)
    #: Items that are ranked.
    n_samples = traitlets.Int(100, min=2).tag(input=True, sandbox=True)
    #: Which data set is drawn from the law.
    seed = traitlets.Int(0, min=0).tag(input=True, sandbox=True)
    #: Confidence of the intervals.
    confidence = traitlets.Float(0.95, min=0.5, max=0.999).tag(input=True)

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "warm": {},
        "cold: nearly perfect": {"auc": 0.98},
        "frozen: perfect": {"auc": 1.0},
        "hot: random": {"auc": 0.5},
        "below zero: worse than random": {"auc": 0.25},
        "few positives": {"auc": 0.9, "prevalence": 0.05, "n_samples": 400},
        "many positives": {"auc": 0.8, "prevalence": 0.9},
        "large": {"auc": 0.85, "n_samples": 5000},
    }

    def __init__(self, data: Ranked | None = None, **inputs: Any) -> None:
        self._own = data
        self.coverage: CoverageResult | None = None
        self._check_names(inputs)
        super().__init__(**inputs)

    @property
    def has_own_data(self) -> bool:
        """Whether it was opened on a ranking of one's own."""
        return self._own is not None

    @property
    def n_pos(self) -> int:
        """Positives among the items."""
        return round(self.prevalence * self.n_samples)

    # ------------------------------------------------------------------ rules

    @traitlets.validate("temperature", "chemical_potential")
    def _no_nan(self, proposal: Any) -> float:
        if np.isnan(proposal["value"]):
            raise traitlets.TraitError(f"{proposal['trait'].name} must be a number; got NaN.")
        return float(proposal["value"])

    def adjust(self, changed: set[str]) -> None:
        """Let one description of the ranking follow the other."""
        super().adjust(changed)
        if "preset" in changed and self.preset == self.own and self._own is not None:
            segments = self._own.segments
            self.n_samples = int(segments.n_samples)
            for name, value in (("auc", segments.auc), ("prevalence", segments.prevalence)):
                if name not in changed:
                    setattr(self, name, value)
        elif self.preset == self.own and "n_samples" in changed and self._own is not None:
            n = int(self._own.segments.n_samples)
            if self.n_samples != n:
                raise traitlets.TraitError(
                    f"n_samples is that of your data, {n}; got {self.n_samples}."
                )
        if self.preset != self.own and not 4 <= self.n_samples <= MOST:
            raise traitlets.TraitError(
                f"n_samples must be from 4 to {MOST:,} in the sandbox; got {self.n_samples}."
            )
        by_warmth = "temperature" in changed and not changed & {"auc", "preset"}
        if "chemical_potential" in changed and not changed & {"prevalence", "preset"}:
            self.prevalence = self._n_pos_at(self.chemical_potential) / self.n_samples
            by_warmth = by_warmth or "auc" not in changed
        n_pos = min(max(self.n_pos, 1), self.n_samples - 1)
        self.prevalence = n_pos / self.n_samples
        if by_warmth:
            self.auc = self._auc_at(self.temperature, n_pos)
        law = self.law()
        warmth = law.temperature / self.n_samples
        if not np.isclose(warmth, self.temperature, rtol=1e-9, atol=0.0):
            self.temperature = warmth
        self.chemical_potential = law.chemical_potential

    def _n_pos_at(self, potential: float) -> int:
        """Return how many are positive at a chemical potential, the temperature kept.

        There are whole ones only, so a small step of the potential is rounded up to one more
        or one less.
        """
        before = self._settled["prevalence"] * self._settled["n_samples"]
        warmth = self.temperature * self.n_samples
        # beyond these, one class is all there is
        far = 20 * min(abs(warmth), 1e6 * self.n_samples)
        potential = float(np.clip(potential, 1 - far, self.n_samples + far))
        if not self.temperature:
            n_pos = round(potential - 0.5 if self.auc else self.n_samples + 0.5 - potential)
        elif np.isinf(warmth):
            n_pos = round(before)
        else:
            law = FermiDirac.from_parameters(1 / warmth, potential, self.n_samples)
            n_pos = round(law.prevalence * self.n_samples)
        if n_pos == round(before):
            rise = potential - self._settled["chemical_potential"]
            n_pos += int(np.sign(rise) * (1 if self.auc >= 0.5 else -1))
        return min(max(n_pos, 1), self.n_samples - 1)

    def _auc_at(self, temperature: float, n_pos: int) -> float:
        """Return the AUC of so many positives at a temperature (in units of N)."""
        if abs(temperature) < COLDEST:
            return 0.0 if temperature < 0 or np.signbit(temperature) else 1.0
        if np.isinf(temperature):
            return 0.5
        n = self.n_samples
        return FermiDirac.from_temperature(temperature * n, n_pos, n - n_pos).auc

    def law(self) -> FermiDirac:
        """Return the distribution of the AUC and prevalence held."""
        return FermiDirac.from_auc(self.auc, self.n_pos, self.n_samples - self.n_pos)

    def coldness_curve(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return AUCs and inverse temperatures (times N) of this prevalence, for drawing."""
        return _coldness_curve(self.prevalence)

    def coverage_of(self, method: str) -> str:
        """Return the simulated coverage of a method as text; nothing before it was simulated."""
        found = self.coverage
        if found is None or method not in found.methods:
            return ""
        i = found.methods.index(method)
        return f"{100 * found.coverage[i]:.1f} %"

    # ------------------------------------------------------------------ acts

    def draw(self) -> None:
        """Draw another data set from the law."""
        self.seed += 1

    def fill(self, n_pos: int) -> None:
        """Let so many samples be positive at the temperature held.

        Parameters
        ----------
        n_pos : int
            From 1 to ``n_samples - 1``.

        Raises
        ------
        ValueError
            If it is not.
        """
        if not 1 <= n_pos < self.n_samples:
            raise ValueError(f"n_pos must be from 1 to {self.n_samples - 1}; got {n_pos!r}.")
        auc = self._auc_at(self.temperature, n_pos) if self.temperature else self.auc
        self.update(prevalence=n_pos / self.n_samples, auc=auc)

    def fit(self) -> None:
        """Take the AUC of the data on screen."""
        self.auc = self.result.ranked.segments.auc

    # ------------------------------------------------------------------ result

    def compute(self) -> FermiDiracResult:
        """Return everything the explorer shows, for the inputs as they stand."""
        law = self.law()
        own = self.preset == self.own and self._own is not None
        ranked = self._own if own else Ranked.from_labels(law.sample(random_state=self.seed))
        assert ranked is not None
        n = self.n_samples
        rank = np.unique(np.linspace(1, n, min(n, 400)).round())
        slices = rank_frequencies(ranked.segments, min(20, max(min(n, 4), n // 10)))
        fpr, tpr = law.roc_curve()
        keep = np.unique(np.linspace(0, len(fpr) - 1, min(len(fpr), 400)).round().astype(int))
        return FermiDiracResult(
            law=law,
            ranked=ranked,
            rank=rank,
            probability=law.probability(rank),
            bin_rank=slices.rank,
            bin_frequency=slices.pos / slices.n,
            bin_size=slices.n,
            roc=(fpr[keep], tpr[keep]),
            best_rank=ranked.best_threshold_rank(),
            intervals=self._intervals(ranked),
        )

    def _intervals(self, ranked: Ranked) -> tuple[AUCInterval, ...]:
        return tuple(
            auc_interval(
                ranked.y_true,
                ranked.y_score,
                method=method,
                confidence=self.confidence,
                pos_label=True,
                **({"n_resamples": 500, "random_state": 0} if method == "bootstrap" else {}),
            )
            for method in METHODS
        )

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What the picture shows at this setting, in words."""
        return sentences(self)

    def code(self) -> str:
        """Return the lines of Python that reproduce the numbers on screen."""
        return code(self)

    def to_frame(self) -> pd.DataFrame:
        """Return the AUC intervals of the data on screen, one row per method."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "method": i.method,
                    "auc": i.auc,
                    "lower": i.lower,
                    "upper": i.upper,
                    "standard_error": i.standard_error,
                }
                for i in self.result.intervals
            ]
        ).set_index("method")
