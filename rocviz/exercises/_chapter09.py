"""Exercises of notebook 09, probabilities that are made from rankings."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from rocviz.core.calibration.calibration import calibration_map
from rocviz.core.ranking_loss.bound import isotonic_loss, ranking_bound
from rocviz.core.ranking_loss.ranking_loss import pairwise_loss
from rocviz.core.roc.segments import RankedSegments
from rocviz.exercises._base import Choice, Exercise, Quantity, Vector

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
    mistakes=lambda: {
        "That is the sum. The question asks for the mean over pairs.": 4 * _hinge(),
        "That is the mean without the squares.": (float(np.maximum(1 - _differences(), 0).mean())),
        "That is the share of pairs in the wrong order, what AUC lacks to be perfect. The hinge "
        "asks by how much.": float(np.mean(_differences() < 0)),
        "Pairs that are right by more than enough cost nothing.": (
            float(((1 - _differences()) ** 2).mean())
        ),
        "You charged only the pair in the wrong order. Is every other one far enough apart?": float(
            (np.maximum(1 - _differences(), 0) ** 2 * (_differences() < 0)).mean()
        ),
        "That is the logistic loss. The question asks for the squared hinge.": pairwise_loss(
            _LABELS, _SCORES
        )[0],
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
    mistakes=lambda: {
        "Look at the block that comes after yours. Is its mean higher?": (np.mean(_IN_ORDER[1:4])),
        "The positive before those two has a higher probability now than its block. "
        "Go on.": np.mean(_IN_ORDER[2:4]),
        "That is the share of positives. Not all need be pooled.": np.mean(_IN_ORDER),
        "That is its label. Positives come before it.": _IN_ORDER[_PLACE],
        "The block is right. Leave out the correction: plain isotonic regression takes means.": (
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
    mistakes=lambda: {
        "It counts pairs in the right order. Does exp change the order of any two?": _AUC,
        "Pooling compares neighbours in the ranking. "
        "Does exp give any sample other neighbours?": _TRAINING,
    },
)


# ---------------------------------------------------------------------- the top step

_POS, _NEG = (1, 8, 0), (0, 2, 9)


def _top() -> float:
    segments = RankedSegments(*(np.array(v, dtype=float) for v in ((3, 2, 1), _POS, _NEG)))
    return float(calibration_map(segments, method="isotonic", m=2)([4.0])[0])


TOP_PULLED = Exercise(
    name="top_pulled",
    question=(
        "Steps of an isotonic fit, highest first: one positive; 8 positives and 2 negatives; 9 "
        "negatives. With laplace-hull each step gets one more positive and one more negative, and "
        "steps are pooled until they are in order. What does it say above the highest score?"
    ),
    solve=_top,
    hint=(
        "Correct the two upper steps first. Are they still in order? If not, add up their counts, "
        "with all that was added to them."
    ),
    why=(
        "One sample is pulled further than ten, below its neighbour, so both become one step: no "
        "certainty from one sample, and no ranking upside down."
    ),
    mistakes=lambda: {
        "With this the top step is lower than the next one. Pool them.": (
            (_POS[0] + 1) / (_POS[0] + _NEG[0] + 2)
        ),
        "That is plain isotonic regression, without the correction.": 1.0,
        "That is the second step, corrected. What about the sample above it?": (
            (_POS[1] + 1) / (_POS[1] + _NEG[1] + 2)
        ),
        "Both steps pooled, but nothing added. Each brings one more of each class.": (
            sum(_POS[:2]) / (sum(_POS[:2]) + sum(_NEG[:2]))
        ),
        "Two steps were pooled, and each had brought its own samples along.": (
            (sum(_POS[:2]) + 1) / (sum(_POS[:2]) + sum(_NEG[:2]) + 2)
        ),
    },
)


# ---------------------------------------------------------------------- against the printed bound

_MOST = 8


def _refutes(labels: Any) -> bool:
    return _error_message(np.asarray(labels)) is None


def _error_message(labels: np.ndarray) -> str | None:
    """Name why labels, in increasing order of score, do not refute the printed bound."""
    if not np.isin(labels, (0, 1)).all():
        return "Give labels: zeros and ones only."
    if labels.size > _MOST:
        return "Eight samples at most. A small example is the better argument."
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
        return "So near: its loss is exactly the printed bound. It has to be larger."
    return (
        "Its loss is less than the printed bound. Put errors into several places, rather than "
        "all of them into one block."
    )


class _Refutation(Vector):
    """A question with any ranking for an answer that refutes the printed bound."""

    def same(self, given: Any, expected: Any) -> bool:
        """Whether both are right, or both are one ranking."""
        return bool(np.array_equal(given, expected)) or (_refutes(given) and _refutes(expected))

    def remark(self, given: Any, expected: Any) -> str | None:
        """Say what keeps a ranking from refuting the bound."""
        return _error_message(given)


def _some_refutation() -> tuple[int, ...]:
    return next(
        labels
        for n in range(2, _MOST + 1)
        for labels in product((0, 1), repeat=n)
        if _refutes(labels)
    )


REFUTED = _Refutation(
    name="refuted",
    question=(
        "Refute the printed bound by a ranking of your own, of at most eight samples and with an "
        "AUC of at least one half. Give the labels, zeros and ones, in increasing order of score."
    ),
    parts="a list of zeros and ones",
    solve=_some_refutation,
    hint=(
        'Compute the AUC, isotonic_loss and ranking_bound(..., method="printed") of a few '
        "rankings, small ones first. In which are the errors spread out?"
    ),
    why=(
        "One counterexample is enough. The proof had taken it that errors come in one block; "
        "yours do not."
    ),
    mistakes=lambda: {
        "That one is in the text, and worse than a coin. Find one with more pairs in order.": (
            1,
            0,
            1,
            0,
        ),
        "So near: here loss and printed bound are equal. What happens with one sample more?": (
            0,
            1,
            0,
            1,
        ),
        "All errors are in one block: one negative above both positives. Spread them.": (
            (
                0,
                1,
                1,
                0,
            )
        ),
    },
)


# ---------------------------------------------------------------------- known to be unlabelled

_LABELLED, _SHARE = 0.2, 0.25


UNLABELLED = Exercise(
    name="unlabelled_case",
    question=(
        "A quarter of the positives have a label, c = 0.25. A classifier says that a case is "
        "labelled with probability g = 0.2. Now we learn that it is not. With which probability is "
        "it positive?"
    ),
    solve=lambda: (1 - _SHARE) / _SHARE * _LABELLED / (1 - _LABELLED),
    hint=(
        "Think of a hundred such cases. How many have a label? How many are positive? How many of "
        "those without a label are?"
    ),
    why="A missing label is some evidence against a positive, and g / c does not use it.",
    mistakes=lambda: {
        "That is right for a case of which nothing is known. Of this one we know that it has no "
        "label.": _LABELLED / _SHARE,
        "That is the probability of a label. Few positives have one.": _LABELLED,
        "The labelled are a part of the positives: do not multiply.": _LABELLED * _SHARE,
        "Those are the unlabelled positives, as a share of all. "
        "You need it among the unlabelled.": (1 - _SHARE) * _LABELLED / _SHARE,
        "You divided by the unlabelled, "
        "but counted labelled positives above the line too.": _LABELLED / _SHARE / (1 - _LABELLED),
        "For each labelled positive, how many have no label? It is more than a share of one.": (
            (1 - _SHARE) * _LABELLED
        ),
        "Those are the odds of a label.": _LABELLED / (1 - _LABELLED),
    },
)

#: In the order of the notebook.
EXERCISES = (
    BY_PAIRS,
    POOLED,
    STRETCHED,
    TOP_PULLED,
    REFUTED,
    UNLABELLED,
)
