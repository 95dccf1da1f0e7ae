"""Probabilities on the scale of log-odds."""

import numpy as np
import pytest
from scipy.special import expit, logit

from rocviz.core.base.log_odds import miscalibrated


def test_odds_are_raised_and_multiplied():
    prob = np.array([0.2, 0.5, 0.9])
    odds = (prob / (1 - prob)) ** 2 * np.e
    assert miscalibrated(prob, 2.0, 1.0) == pytest.approx(odds / (1 + odds), rel=1e-14)
    assert miscalibrated(prob, 1.0, 0.0) == pytest.approx(expit(logit(prob)), rel=1e-15)
    assert miscalibrated(np.array([0.0, 1.0]), 0.5, 3.0).tolist() == [0.0, 1.0]
