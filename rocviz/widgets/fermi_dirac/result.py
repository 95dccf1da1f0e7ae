"""A ranking as levels, and the result that the Fermi-Dirac explorer shows at one setting."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rocviz.core.base.frozen import Frozen, read_only
from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.fermi_dirac.rank_levels import RankFrequencies, rank_labels
from rocviz.core.roc.auc_intervals import AUCInterval, AUCSpread, auc_spread
from rocviz.core.roc.geometry import ThinnedCurve
from rocviz.core.roc.segments import RankedSegments
from rocviz.widgets.base.background import each
from rocviz.widgets.roc.data import UNNAMED, Scored
from rocviz.words import ClassNames

#: Largest number of samples in segments that the explorer opens on; each has a rank of its own.
MAX_COUNTED_SAMPLES = 10_000_000


@dataclass(frozen=True, eq=False)
class Ranked(Frozen):
    """Labels in the order of a ranking, the most positive first."""

    segments: RankedSegments  # the tie groups
    # (n_samples,): whether the item at each rank is positive; spread evenly over a tie
    label: NDArray[np.bool_]
    source: Scored | None = None  # the data as they were given, so that code can name them
    _spreads: dict[str, AUCSpread] = field(default_factory=dict, repr=False)

    @classmethod
    def from_scores(
        cls, y_true: Any, y_score: Any, pos_label: Any = None, labels: Any = None
    ) -> Ranked:
        """Rank samples by score."""
        return cls._of(Scored(y_true, {UNNAMED: y_score}, pos_label=pos_label, labels=labels))

    @classmethod
    def from_segments(cls, segments: RankedSegments, labels: Any = None) -> Ranked:
        """Take counts in place of samples: of data in pieces, say."""
        if segments.n_samples > MAX_COUNTED_SAMPLES:
            raise ValueError(
                f"y_true may have up to {MAX_COUNTED_SAMPLES:,} samples; it has "
                f"{segments.n_samples:,.0f}, and the law has a level for each of them."
            )
        return cls._of(Scored.from_segments(segments, labels))

    @classmethod
    def _of(cls, source: Scored) -> Ranked:
        segments = source.curve(UNNAMED, ()).segments
        return cls(segments, read_only(rank_labels(segments)), source)

    @classmethod
    def from_labels(cls, label: NDArray[np.int64]) -> Ranked:
        """Take labels that stand in rank order already."""
        positive = read_only(label == 1)
        score = -np.arange(label.size, dtype=np.float64)
        return cls(RankedSegments.from_scores(positive, score, pos_label=True), positive)

    @property
    def class_names(self) -> ClassNames:
        """Names of the two classes."""
        return ClassNames() if self.source is None else self.source.class_names

    def best_threshold_rank(self) -> float:
        """Find the rank after which balanced accuracy is highest, the middle of several."""
        segments = self.segments
        informedness = segments.tpr - segments.fpr
        best = np.flatnonzero(informedness >= informedness.max() - 1e-12)
        n_before = (segments.cumulative_pos + segments.cumulative_neg)[best]
        return float((n_before[0] + n_before[-1]) / 2 + 0.5)

    @cached_property
    def thinned(self) -> ThinnedCurve:
        """The ROC curve, as few vertices as draw the same picture."""
        return self.segments.thin(600)

    def has_spread(self, method: str) -> bool:
        """Whether the spread by a method has been computed already."""
        return method in self._spreads

    def interval(self, method: str, confidence: float) -> AUCInterval:
        """Compute a confidence interval of the AUC, from a spread that is computed once."""
        if method not in self._spreads:
            bootstrap: dict[str, Any] = {}
            if method == "bootstrap":
                progress = partial(each, text="resampling")
                bootstrap = {"n_resamples": 500, "random_state": 0, "progress": progress}
            self._spreads[method] = auc_spread(
                self.segments.pos, self.segments.neg, method=method, **bootstrap
            )
        return self._spreads[method].interval(confidence)


@dataclass(frozen=True, eq=False)
class FermiDiracResult(Frozen):
    """Everything the Fermi-Dirac explorer shows at one setting.

    Parameters
    ----------
    law : FermiDirac
        The distribution of the selected AUC and prevalence.
    ranked : Ranked
        The data: the user's, or a draw from the law.
    slices : RankFrequencies
        Positives in equal slices of the ranking.
    roc : tuple of ndarray
        (fpr, tpr) of the law.
    best_rank : float
        Empirical rank of the best balanced accuracy, to compare with ``law.threshold_rank``.
    intervals : tuple of AUCInterval
        One per method, of the data; a preview has none by bootstrap.
    """

    law: FermiDirac
    ranked: Ranked
    slices: RankFrequencies
    roc: tuple[NDArray[np.float64], NDArray[np.float64]]
    best_rank: float
    intervals: tuple[AUCInterval, ...]
