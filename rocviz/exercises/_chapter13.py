"""Exercises of notebook 13, on what practice asks, and the final exam of the course."""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.special import expit, logit
from scipy.stats import norm

from rocviz.core.calibration.brier import brier_decomposition
from rocviz.core.fermi_dirac.sample_size import auc_sample_size
from rocviz.core.groups.policy import fpr_of_precision
from rocviz.core.roc.binomial_interval import binomial_interval
from rocviz.core.roc.segments import RankedSegments
from rocviz.exercises._base import Choice, Exercise, Quantity


def _groups(*cells: tuple[float, float]) -> RankedSegments:
    """Rank groups of (positives, negatives), the best first."""
    pos, neg = np.array(cells, dtype=float).T
    return RankedSegments(np.arange(float(len(cells)))[::-1], pos, neg)


def _precision(prevalence: float, tpr: float, fpr: float) -> float:
    return prevalence * tpr / (prevalence * tpr + (1 - prevalence) * fpr)


# ---------------------------------------------------------------------- rare positives

_RARE, _TPR, _FPR = 0.005, 0.9, 0.03

RARE_PRECISION = Exercise(
    name="rare_precision",
    question=(
        "One person in 200 has a disease. A test finds 90 % of the ill and raises a false alarm "
        "for 3 % of the healthy. What share of the people with an alarm is ill?"
    ),
    solve=lambda: _precision(_RARE, _TPR, _FPR),
    hint="Think of 20,000 people. How many of the ill have an alarm, and how many of the healthy?",
    why="A rare class has so many negatives that even a small share of them outnumbers it.",
    mistakes=lambda: {
        "That is the share of the ill who have an alarm. Asked is the other way round.": _TPR,
        "That is for as many healthy as ill people. Here 199 are healthy for each one who is "
        "ill.": _precision(0.5, _TPR, _FPR),
        "That is the share of all people who are ill and have an alarm.": _RARE * _TPR,
        "That is the share of the alarms that are false.": 1 - _precision(_RARE, _TPR, _FPR),
        "That is the ratio of right to false alarms. Asked is the share of all alarms.": (
            _RARE * _TPR / ((1 - _RARE) * _FPR)
        ),
    },
)


# ---------------------------------------------------------------------- before the split

WHAT_MAY_COME_FIRST = Choice(
    name="what_may_come_first",
    question=(
        'Which of these steps may be done on all data before they are split: "choosing the best '
        'features", "filling in missing values with the mean of the column", "computing a body '
        'mass index from height and weight" or "calibrating"?'
    ),
    choices=(
        "choosing the best features",
        "filling in missing values with the mean of the column",
        "computing a body mass index from height and weight",
        "calibrating",
    ),
    solve=lambda: "computing a body mass index from height and weight",
    hint="For which of them is the result for one patient the same, whoever else is in the data?",
    why="A step that looks at one row at a time carries nothing from the test data to the others.",
    mistakes=lambda: {
        "This looks at the labels of the test data, and is the leak of this section.": (
            "choosing the best features"
        ),
        "The mean comes from all rows, those of the test data among them. Often this does little "
        "harm, but it belongs in the pipeline.": (
            "filling in missing values with the mean of the column"
        ),
        "Calibration is fitted to labels, so it must not see those it is judged by.": (
            "calibrating"
        ),
    },
)


# ---------------------------------------------------------------------- the best of many

_MODELS, _SPREAD = 20, 0.05


def _best_of_many() -> float:
    """Compute the mean of the largest of so many normal AUCs around one half."""
    z = np.linspace(-9, 9, 20_001)
    largest = norm.cdf(z) ** _MODELS
    return 0.5 + _SPREAD * float(np.sum((z[1:] + z[:-1]) / 2 * np.diff(largest)))


BEST_OF_TWENTY = Quantity(
    name="best_of_twenty",
    question=(
        "Twenty settings are all worth nothing: each has an AUC of 0.5 on new data. Their AUCs on "
        "the validation data vary independently and normally around 0.5, with a standard deviation "
        "of 0.05. How high is the best of the twenty on average? Simulate it; two decimals will do."
    ),
    solve=_best_of_many,
    hint="Draw twenty normal numbers, keep the largest, and take the mean over many repetitions.",
    why="The best of many is chosen for its luck as well. So judge it on data that did not choose.",
    mistakes=lambda: {
        "That is the mean of all twenty. Which one would you report?": 0.5,
        "That is one standard deviation above one half; of twenty the best lies further out.": 0.55,
        "That is the end of a 95 % interval, which one in forty exceeds. Here there are twenty.": (
            0.5 + 1.96 * _SPREAD
        ),
        "Three standard deviations are rarely reached by twenty.": 0.65,
    },
    tolerance=0.0036,
)


# ---------------------------------------------------------------------- how many patients


def _patients() -> float:
    return float(auc_sample_size(0.8, 0.05, width=0.1).n_samples)


ENOUGH_PATIENTS = Quantity(
    name="enough_patients",
    question=(
        "You expect an AUC of 0.8 among patients of whom 5 % are ill, and want its 95 % interval "
        "to be 0.1 wide from end to end. How many patients does auc_sample_size ask for?"
    ),
    solve=_patients,
    hint="The function wants the AUC, the prevalence and the width. What does it return?",
    why="Most of these patients are healthy; it is the number of the ill that decides.",
    mistakes=lambda: {
        "That many of them are ill. Asked is the number of all patients.": float(
            auc_sample_size(0.8, 0.05, width=0.1).n_pos
        ),
        "That is for half of the patients being ill.": float(
            auc_sample_size(0.8, 0.5, width=0.1).n_samples
        ),
        "That is for a standard error of 0.1, not for a width.": float(
            auc_sample_size(0.8, 0.05, standard_error=0.1).n_samples
        ),
        "That is for an interval of 0.1 on either side. Its width is from end to end.": float(
            auc_sample_size(0.8, 0.05, width=0.2).n_samples
        ),
    },
    tolerance=0.5,
)


# ---------------------------------------------------------------------- another prevalence


def _moved(p: float, old: float, new: float) -> float:
    return float(expit(logit(p) + logit(new) - logit(old)))


MOVED_PRIOR = Exercise(
    name="moved_prior",
    question=(
        "A model was calibrated where 40 % are ill. It gives a patient 50 %. In your practice 10 % "
        "are ill, and otherwise its patients are alike. Which probability is right there?"
    ),
    solve=lambda: _moved(0.5, 0.4, 0.1),
    hint="Odds before, times a likelihood ratio, are odds after. What did the model know before?",
    why="The evidence of the patient stays; only what was known before is another.",
    mistakes=lambda: {
        "That is still the probability where 40 % are ill.": 0.5,
        "Multiply odds, not probabilities.": 0.5 * 0.1 / 0.4,
        "That is what was known before the patient was seen. The model has added evidence.": 0.1,
        "You took the model's 50 % for its evidence. But it had 40 % to begin with.": _moved(
            0.5, 0.5, 0.1
        ),
        "You moved it the wrong way: positives are rarer in your practice.": _moved(0.5, 0.1, 0.4),
    },
)


# ---------------------------------------------------------------------- the paragraph

WHAT_IS_MISSING = Choice(
    name="what_is_missing",
    question=(
        'A paper says: "We trained 30 models on 400 patients, 38 of them ill. The best had an AUC '
        'of 0.91 in five-fold cross-validation." What does it lack most: "the AUC of the other '
        'models", "how the best was judged after it was chosen", "the version of the software" or '
        '"the accuracy"?'
    ),
    choices=(
        "the AUC of the other models",
        "how the best was judged after it was chosen",
        "the version of the software",
        "the accuracy",
    ),
    solve=lambda: "how the best was judged after it was chosen",
    hint="What does section 3 say of the best of many, judged on the data that chose it?",
    why="Without it nobody knows how much of the 0.91 is luck, and no interval around it does.",
    mistakes=lambda: {
        "It helps, but 0.91 would be too high with it as well.": "the AUC of the other models",
        "It belongs in a supplement and changes no number.": "the version of the software",
        "With 38 of 400 ill, calling nobody ill has an accuracy of 0.905.": "the accuracy",
    },
)


# ---------------------------------------------------------------------- the final exam

_CELLS = (5, 1), (3, 3), (2, 6)


def _rank_points(tie: float) -> float:
    """Count pairs in the right order, and tied ones so much."""
    n_pos, n_neg = (sum(side) for side in zip(*_CELLS, strict=True))
    points = sum(
        tie * pos * neg + sum(before for before, _ in _CELLS[:i]) * neg
        for i, (pos, neg) in enumerate(_CELLS)
    )
    return points / (n_pos * n_neg)


EXAM_AUC = Exercise(
    name="exam_auc",
    question=(
        "A ranking has three groups, the best first: 5 positives and 1 negative, 3 and 3, 2 and 6. "
        "What is its AUC?"
    ),
    solve=lambda: _groups(*_CELLS).auc,
    hint="How many pairs are there, and what does each group of negatives earn?",
    why="Pairs in the right order count one, tied pairs one half (chapter 1).",
    mistakes=lambda: {
        "You gave tied pairs nothing.": _rank_points(0.0),
        "You counted tied pairs as right.": _rank_points(1.0),
        "That is the AUC of the reversed ranking.": 1 - _rank_points(0.5),
        "That is the share of positives in the best group.": 5 / 6,
    },
)

_DENT = (3, 3), (5, 1), (1, 7)

EXAM_HULL = Exercise(
    name="exam_hull",
    question=(
        "The groups of another ranking hold, the best first, 3 positives and 3 negatives, 5 and 1, "
        "1 and 7. Which probability does the first group get from the hull, with Laplace's "
        "correction?"
    ),
    solve=lambda: float((_groups(*_DENT).hull().pos[0] + 1) / (_groups(*_DENT).hull().n[0] + 2)),
    hint="Which groups does the hull tie, and how many positives and negatives are in them?",
    why="The first two are in the wrong order, so they share their cases (chapters 1 and 2).",
    mistakes=lambda: {
        "You left out Laplace's correction.": 8 / 12,
        "That is the share of the first group alone, which the hull does not leave alone.": 3 / 6,
        "Right for the second group alone. The hull ties it with the first.": (5 + 1) / (6 + 2),
        "Add one positive and one negative: the size grows by two.": (8 + 1) / (12 + 1),
    },
)


def _said() -> tuple[np.ndarray, np.ndarray]:
    return np.repeat([1, 0, 1, 0], [6, 4, 2, 8]), np.repeat([0.8, 0.3], 10)


EXAM_CALIBRATION = Exercise(
    name="exam_calibration",
    question=(
        "A model gives 80 % to ten patients, of whom 6 are ill, and 30 % to ten others, of whom 2 "
        "are ill. What is its calibration loss?"
    ),
    solve=lambda: brier_decomposition(*_said()).calibration_loss,
    hint="How far is what is said from what happens, in each group? Square, weight, add up.",
    why="It is the part of the Brier score that better probabilities would save (chapter 2).",
    mistakes=lambda: {
        "That is the refinement loss.": brier_decomposition(*_said()).refinement_loss,
        "That is the whole Brier score.": brier_decomposition(*_said()).brier,
        "You forgot to square.": (0.2 + 0.1) / 2,
        "You added the groups up. Take the mean over patients.": 0.2**2 + 0.1**2,
    },
)

EXAM_INTERVAL = Choice(
    name="exam_interval",
    question=(
        "An AUC is 0.95 on 2000 patients, 15 of whom are ill. Which interval breaks its promise "
        'most: "Hanley and McNeil", "logit-DeLong" or "Fermi-Dirac"?'
    ),
    choices=("Hanley and McNeil", "logit-DeLong", "Fermi-Dirac"),
    solve=lambda: "Fermi-Dirac",
    hint="Chapter 3 counted how often each of them holds where positives are rare.",
    why="It spreads rare positives too evenly over the ranks, and finds too little variance.",
    mistakes=lambda: {
        "It is wider than necessary there, and so keeps its promise.": "Hanley and McNeil",
        "It misses too often there, but one of the others misses more often.": "logit-DeLong",
    },
)

_EVIDENCE = (1.0, 0.5)

EXAM_CROWD = Exercise(
    name="exam_crowd",
    question=(
        "Of all items, 20 % are positive. Two classifiers that err independently give an item "
        "log-likelihood ratios of 1.0 and 0.5. With which probability is it positive?"
    ),
    solve=lambda: float(expit(logit(0.2) + sum(_EVIDENCE))),
    hint="Independent evidence adds up, in logarithms. What was known before?",
    why="Evidence of both, and the prior (chapter 4).",
    mistakes=lambda: {
        "You left the prior out.": float(expit(sum(_EVIDENCE))),
        "Independent evidence adds up; you took the mean.": float(
            expit(logit(0.2) + sum(_EVIDENCE) / 2)
        ),
        "You used the first classifier only.": float(expit(logit(0.2) + _EVIDENCE[0])),
        "You added the logarithm of the prior. Its log-odds are needed.": float(
            expit(np.log(0.2) + sum(_EVIDENCE))
        ),
    },
)


def _upper_end(n: int, confidence: float = 0.95) -> float:
    method = "clopper-pearson"
    return float(binomial_interval([0], [n], confidence=confidence, method=method)[1][0])


EXAM_NONE_ILL = Exercise(
    name="exam_none_ill",
    question=(
        "At one total of a scoring list there were 30 patients, none of them ill. What is the "
        "upper end of the 95 % interval of Clopper and Pearson for this total alone?"
    ),
    solve=lambda: _upper_end(30),
    hint="At which probability would 30 healthy patients have a probability of 2.5 %?",
    why="That nobody was ill does not mean that nobody can be (chapter 5).",
    mistakes=lambda: {
        "That is the share among the patients. How large could it be?": 0.0,
        "You gave all 5 % to one side; each has half of it.": _upper_end(30, 0.9),
        "That is the rule of three, for one side and many patients.": 3 / 30,
        "That is Laplace's estimate, not the end of an interval.": 1 / 32,
    },
)

EXAM_F1 = Exercise(
    name="exam_f1",
    question=(
        "In a very large batch the best F1 that can be reached is 0.46. Which threshold on the "
        "probability reaches it?"
    ),
    solve=lambda: 0.46 / 2,
    hint="When does one more sample that is called positive raise a ratio?",
    why="For F1 in a large batch the threshold is half of the best F1 (chapter 7).",
    mistakes=lambda: {
        "One half is right for accuracy.": 0.5,
        "That is the F1 itself.": 0.46,
        "The threshold is never above one half.": 1 - 0.46 / 2,
    },
)


def _order_ranks_alike(weights: tuple[float, ...]) -> bool:
    """Whether an order ranks all patterns as naive Bayes does with these log odds ratios."""
    patterns = list(product((1, 0), repeat=len(weights)))
    points = np.array(patterns) @ np.array(weights)
    return bool((np.diff(points) < 0).all())


EXAM_ORDER = Choice(
    name="exam_order",
    question=(
        "For which log odds ratios of three attributes does naive Bayes rank like a dictionary: "
        '"5, 2, 1", "4, 3, 2" or "3, 2, 1"?'
    ),
    choices=("5, 2, 1", "4, 3, 2", "3, 2, 1"),
    solve=lambda: next(
        text
        for text in ("5, 2, 1", "4, 3, 2", "3, 2, 1")
        if _order_ranks_alike(tuple(map(float, text.split(", "))))
    ),
    hint="Each has to be larger than all later ones together.",
    why="No number of later attributes may outvote an earlier one (chapter 8).",
    mistakes=lambda: {
        "Together, 3 and 2 outvote 4.": "4, 3, 2",
        "Together, 2 and 1 are a tie with 3.": "3, 2, 1",
    },
)

EXAM_FAIR = Exercise(
    name="exam_fair",
    question=(
        "In two towns 70 % of the ill are found, and 60 % of the people invited are ill. In one "
        "town 20 % are ill. Which share of its healthy people is invited?"
    ),
    solve=lambda: float(fpr_of_precision(0.6, 0.7, 0.2)),
    hint="Take 1000 people of that town. How many are invited, and how many of them are healthy?",
    why="Where the other town has another prevalence, this share is another (chapter 11).",
    mistakes=lambda: {
        "That is the share of the invited who are healthy.": 0.4,
        "Divide by the healthy people, not by everybody.": 0.2 * 0.7 * 0.4 / 0.6,
        "That is the share of all people who are invited.": 0.2 * 0.7 / 0.6,
        "That is for a town where half of the people are ill.": float(
            fpr_of_precision(0.6, 0.7, 0.5)
        ),
    },
)


def _threshold_as_said() -> float:
    """Find which probability of a model for 50 % stands for 1 / 5 where 10 % are positive."""
    return _moved(1 / 5, 0.1, 0.5)


EXAM_THRESHOLD = Exercise(
    name="exam_threshold",
    question=(
        "A miss costs as much as four false alarms. A model is calibrated where 50 % are ill, and "
        "is used where 10 % are ill and patients are otherwise alike. Nobody corrects its "
        "probabilities. Above which of them should one raise the alarm?"
    ),
    solve=_threshold_as_said,
    hint="Which corrected probability is the threshold? Which one does the model say there?",
    why="Costs set the threshold, prevalence says what the model's numbers mean (chapters 2, 13).",
    mistakes=lambda: {
        "That is right for corrected probabilities. Which one does the model say there?": 1 / 5,
        "You moved it the wrong way.": _moved(1 / 5, 0.5, 0.1),
        "One half is right for equal costs and the model's own prevalence.": 0.5,
        "A miss costs four false alarms, so the threshold is below one half, 1 / (1 + 4).": _moved(
            4 / 5, 0.1, 0.5
        ),
        "With costs alone it would be 1 / (1 + 4), not 1 / 4.": _moved(1 / 4, 0.1, 0.5),
    },
)

#: In the order of the notebook.
EXAM = (
    EXAM_AUC,
    EXAM_HULL,
    EXAM_CALIBRATION,
    EXAM_INTERVAL,
    EXAM_CROWD,
    EXAM_NONE_ILL,
    EXAM_F1,
    EXAM_ORDER,
    EXAM_FAIR,
    EXAM_THRESHOLD,
)
EXERCISES = (
    RARE_PRECISION,
    WHAT_MAY_COME_FIRST,
    BEST_OF_TWENTY,
    ENOUGH_PATIENTS,
    MOVED_PRIOR,
    WHAT_IS_MISSING,
    *EXAM,
)
