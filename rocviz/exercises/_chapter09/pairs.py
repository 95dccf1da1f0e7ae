"""Exercises on the loss of pairs, and on the fit that looks at nothing but order."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocviz.core.calibration.calibration import calibration_map
from rocviz.core.ranking_loss.ranking_loss import pairwise_loss
from rocviz.core.roc.segments import RankedSegments
from rocviz.exercises._base import Choice, Exercise, Quantity

# ---------------------------------------------------------------------- four pairs

_LABELS, _SCORES = (1, 1, 0, 0), (2.0, 0.5, 1.5, -1.0)


def _differences() -> np.ndarray:
    return np.subtract.outer(np.array(_SCORES[:2]), np.array(_SCORES[2:])).ravel()


def _hinge() -> float:
    return pairwise_loss(_LABELS, _SCORES, loss="squared_hinge")[0]


BY_PAIRS = Quantity(
    name="hinge_by_pairs",
    question=(
        "Two positives have the scores 2.0 and 0.5, two negatives 1.5 and -1.0. What is their "
        "squared hinge loss, the mean over all pairs?"
    ),
    solve=_hinge,
    hint=(
        "There are four pairs. For each take the positive's score minus the negative's. Where "
        "that falls short of one, square by how much."
    ),
    why=(
        "The one pair in the wrong order costs nearly all of it, but a pair that is barely right "
        "costs something too."
    ),
    mistakes={
        "That is the sum. The question asks for the mean over pairs.": lambda: 4 * _hinge(),
        "That is the mean without the squares.": lambda: float(
            np.maximum(1 - _differences(), 0).mean()
        ),
        "That is the share of pairs in the wrong order, what AUC lacks to be perfect. The hinge "
        "asks by how much.": lambda: float(np.mean(_differences() < 0)),
        "Pairs that are right by more than enough cost nothing.": lambda: float(
            ((1 - _differences()) ** 2).mean()
        ),
        "You charged only the pair in the wrong order. Is every other one far enough apart?": (
            lambda: float((np.maximum(1 - _differences(), 0) ** 2 * (_differences() < 0)).mean())
        ),
        "That is the logistic loss. The question asks for the squared hinge.": lambda: (
            pairwise_loss(_LABELS, _SCORES)[0]
        ),
    },
)

# ---------------------------------------------------------------------- pooled by hand

_IN_ORDER = (0, 1, 1, 0, 1, 0, 1, 1)
_PLACE = 3  # counted from 0


def _fit() -> np.ndarray:
    place = np.arange(len(_IN_ORDER), dtype=float)
    return calibration_map(_IN_ORDER, place, method="isotonic")(place)


POOLED = Exercise(
    name="pooled_by_hand",
    question=(
        "Eight samples in increasing order of score: negative, positive, positive, negative, "
        "positive, negative, positive, positive. Which probability does isotonic regression give "
        "to the fourth of them?"
    ),
    solve=lambda: float(_fit()[_PLACE]),
    hint=(
        "Where a positive stands before a negative, pool them and take their mean. Compare blocks "
        "again after each pooling, until means rise."
    ),
    why="A block that was pooled may come to stand above its neighbour, and be pooled again.",
    mistakes={
        "Look at the block that comes after yours. Is its mean higher?": lambda: np.mean(
            _IN_ORDER[1:4]
        ),
        "The positive before those two has a higher probability now than its block. "
        "Go on.": lambda: np.mean(_IN_ORDER[2:4]),
        "That is the share of positives. Not all need be pooled.": lambda: np.mean(_IN_ORDER),
        "That is its label. Positives come before it.": lambda: _IN_ORDER[_PLACE],
        "The block is right. "
        "Leave out the correction: plain isotonic regression takes means.": lambda: (
            (sum(_IN_ORDER[1:6]) + 1) / 7
        ),
    },
)

# ---------------------------------------------------------------------- stretched scores

_AUC = "AUC"
_TRAINING = "probabilities of training samples"
_NEW = "probabilities of new samples"


def _what_changes() -> str:
    place = np.arange(len(_IN_ORDER), dtype=float)
    new = place[:-1] + 0.5
    found: dict[str, tuple[Any, ...]] = {}
    for name, stretch in (("plain", lambda s: s), ("stretched", np.exp)):
        segments = RankedSegments.from_scores(_IN_ORDER, stretch(place))
        link = calibration_map(segments, method="isotonic")
        found[name] = (segments.auc, link(stretch(place)), link(stretch(new)))
    same = [np.allclose(a, b) for a, b in zip(found["plain"], found["stretched"], strict=True)]
    (changed,) = (
        what for what, kept in zip((_AUC, _TRAINING, _NEW), same, strict=True) if not kept
    )
    return changed


STRETCHED = Choice(
    name="stretched",
    question=(
        "All scores s, of training and of new samples, are replaced by exp(s). Isotonic "
        "regression is fitted again, linear between training scores. What may change?"
    ),
    choices=(_AUC, _TRAINING, _NEW),
    solve=_what_changes,
    hint="The fit uses nothing but the order. Which of the three depends on more than the order?",
    why=(
        "The fit itself sees only the order. How far a score lies between two others is not "
        "order, and the straight line between them asks for it."
    ),
    mistakes={
        "It counts pairs in the right order. Does exp change the order of any two?": lambda: _AUC,
        "Pooling compares neighbours in the ranking. "
        "Does exp give anybody other neighbours?": lambda: _TRAINING,
    },
)
