"""Pictures use the names of both classes where labels have some."""

import numpy as np
import pytest
from matplotlib.axes import Axes

from rocviz import (
    CalibrationMapDisplay,
    FermiDiracDisplay,
    LexicographicDisplay,
    LexRank,
    ProbabilisticScoringList,
    ReliabilityDisplay,
    ROCHullDisplay,
    StageDisplay,
)
from rocviz.displays.roc import PairsDisplay

RNG = np.random.default_rng(0)
Y = (np.arange(40) % 4 == 0).astype(int)
KIND = np.where(Y == 1, "malignant", "benign")
SCORE = np.clip(0.3 + 0.3 * Y + RNG.normal(0, 0.15, Y.size), 0, 1).round(2)
BITS = np.column_stack((SCORE > 0.5, np.arange(40) % 2)).astype(float)

DRAWN = {
    "calibration map": lambda y, **label: CalibrationMapDisplay.from_predictions(y, SCORE, **label),
    "Fermi-Dirac": lambda y, **label: FermiDiracDisplay.from_predictions(y, SCORE, **label),
    "lexicographic": lambda y, **label: LexicographicDisplay.from_estimator(
        LexRank(categorical_features=[0, 1], **label).fit(BITS, y), BITS, y
    ),
    "pairs": lambda y, **label: PairsDisplay.from_predictions(y, SCORE, **label),
    "reliability": lambda y, **label: ReliabilityDisplay.from_predictions(y, SCORE, **label),
    "ROC": lambda y, **label: ROCHullDisplay.from_predictions(y, SCORE, **label),
    "stage": lambda y, **label: StageDisplay.from_estimator(
        ProbabilisticScoringList(**label).fit(BITS, y)
    ),
}


@pytest.mark.parametrize("name", DRAWN)
def test_both_classes_are_named(name, words):
    named = DRAWN[name](KIND, pos_label="malignant")
    texts = " | ".join(
        words(ax) + ax.get_xlabel() + ax.get_ylabel() for ax in named.figure_.findobj(Axes)
    )
    assert "malignant" in texts
    assert "benign" in texts or name == "Fermi-Dirac"
    assert "positives" not in texts
    plain = DRAWN[name](Y)
    texts = " | ".join(words(ax) for ax in plain.figure_.findobj(Axes))
    assert "malignant" not in texts
