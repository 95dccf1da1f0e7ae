"""Answers to the exercises of notebook 09, probabilities that are made from rankings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from rocviz.core.calibration.calibration import calibration_map
from rocviz.core.ranking_loss.bound import isotonic_loss, ranking_bound
from rocviz.core.ranking_loss.ranking_loss import pairwise_loss
from rocviz.core.roc.segments import RankedSegments
from rocviz.exercises._base import Solution, Vector
from rocviz.exercises._chapter01 import ranked


def hinge_by_pairs() -> Solution:
    """Compute the squared hinge loss of two positives and two negatives."""
    labels = [1, 1, 0, 0]
    scores = [2.0, 0.5, 1.5, -1.0]
    answer = pairwise_loss(labels, scores, loss="squared_hinge")[0]
    difference = np.subtract.outer(scores[:2], scores[2:])
    hinge = np.maximum(1 - difference, 0)
    is_wrong = difference < 0
    return answer, {
        "sum": 4 * answer,
        "not_squared": hinge.mean(),
        "wrong_pairs": is_wrong.mean(),
        "square": ((1 - difference) ** 2).mean(),
        "wrong_pairs_only": (hinge**2 * is_wrong).mean(),
        "logistic": pairwise_loss(labels, scores)[0],
    }


_IN_ORDER = np.array([0, 1, 1, 0, 1, 0, 1, 1])
_PLACES = np.arange(8.0)


def pooled_by_hand() -> Solution:
    """Compute the isotonic probability of the fourth of eight samples."""
    fit = calibration_map(_IN_ORDER, _PLACES, method="isotonic")(_PLACES)
    return float(fit[3]), {
        "first_block": _IN_ORDER[1:4].mean(),
        "first_pair": _IN_ORDER[2:4].mean(),
        "all": _IN_ORDER.mean(),
        "label": _IN_ORDER[3],
        "corrected": (_IN_ORDER[1:6].sum() + 1) / 7,
    }


def stretched() -> str:
    """Find the quantity that changes if scores are replaced by their exponentials."""
    new = _PLACES[:-1] + 0.5

    def results(stretch: Any) -> dict[str, Any]:
        segments = RankedSegments.from_scores(_IN_ORDER, stretch(_PLACES))
        link = calibration_map(segments, method="isotonic")
        return {
            "AUC": segments.auc,
            "probabilities of training samples": link(stretch(_PLACES)),
            "probabilities of new samples": link(stretch(new)),
        }

    plain = results(np.positive)
    exponential = results(np.exp)
    return next(name for name in plain if not np.allclose(plain[name], exponential[name]))


def top_pulled() -> Solution:
    """Compute the probability of the top step, corrected and pooled."""
    pos = np.array([1, 8, 0])
    neg = np.array([0, 2, 9])
    n = pos + neg
    segments = ranked(pos.tolist(), neg.tolist())
    return float(calibration_map(segments, method="isotonic", m=2)([4.0])[0]), {
        "not_pooled": (pos[0] + 1) / (n[0] + 2),
        "not_corrected": 1.0,
        "second_alone": (pos[1] + 1) / (n[1] + 2),
        "pooled_not_corrected": pos[:2].sum() / n[:2].sum(),
        "corrected_once": (pos[:2].sum() + 1) / (n[:2].sum() + 2),
    }


_MAX_SAMPLES = 8


def _refutes(labels: Any) -> bool:
    return _error_message(np.asarray(labels)) is None


def _error_message(labels: np.ndarray) -> str | None:
    """Explain why labels, in increasing order of score, do not refute the printed bound."""
    if not np.isin(labels, (0, 1)).all():
        return "Give labels: zeros and ones only."
    if labels.size > _MAX_SAMPLES:
        return "Give eight samples at most. A small example is the better argument."
    if np.unique(labels).size < 2:
        return "Both classes are needed: without pairs there is no AUC."
    segments = RankedSegments.from_scores(labels.astype(int), np.arange(labels.size))
    if segments.auc < 0.5:
        return "Its AUC is below one half. The ranking should not be worse than a coin."
    loss = isotonic_loss(segments)
    printed = ranking_bound(segments.auc, segments.prevalence, method="printed")
    if loss > printed + 1e-12:
        return None
    if not loss:
        return "All positives come after all negatives, so nothing is lost at all."
    if loss > printed - 1e-12:
        return "Very close: its loss is exactly the printed bound. It has to be larger."
    return (
        "Its loss is less than the printed bound. Put errors into several places, rather than "
        "all of them into one block."
    )


class Refutation(Vector):
    """A question with any ranking for an answer that refutes the printed bound."""

    def same(self, answer: Any, expected: Any) -> bool:
        """Whether both are right, or both are one ranking."""
        return bool(np.array_equal(answer, expected)) or (_refutes(answer) and _refutes(expected))

    def remark(self, answer: Any, expected: Any) -> str | None:
        """Explain why a ranking does not refute the bound."""
        return _error_message(answer)


def _rankings() -> Iterator[tuple[int, ...]]:
    """Yield labels in order of score, the shortest rankings first."""
    for n in range(2, _MAX_SAMPLES + 1):
        yield from product((0, 1), repeat=n)


def refuted() -> Solution:
    """Find a ranking that refutes the printed bound."""
    return next(filter(_refutes, _rankings())), {
        "of_text": (1, 0, 1, 0),
        "equal": (0, 1, 0, 1),
        "one_block": (0, 1, 1, 0),
    }


def unlabelled_case() -> Solution:
    """Compute the probability that a case without a label is positive."""
    g = 0.2
    c = 0.25
    return (1 - c) / c * g / (1 - g), {
        "nothing_known": g / c,
        "of_label": g,
        "multiplied": g * c,
        "share_of_all": (1 - c) * g / c,
        "labelled_too": g / c / (1 - g),
        "no_ratio": (1 - c) * g,
        "odds_of_label": g / (1 - g),
    }
