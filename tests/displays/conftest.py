"""Rankings of every kind a picture has to cope with, and no figure left behind."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from rocviz import set_theme
from rocviz.core.roc.binormal import binormal_scores


@pytest.fixture(autouse=True)
def _clean():
    """Start without figures in the plain theme; nothing may change matplotlib's settings."""
    plt.close("all")
    set_theme(lecture=False)
    before = dict(plt.rcParams)
    yield
    assert dict(plt.rcParams) == before
    plt.close("all")
    set_theme(lecture=False)


@pytest.fixture
def data():
    """Labels and probabilities of 300 samples, ties included."""
    made = binormal_scores(300, separation=1.4, decimals=2, random_state=3)
    return np.asarray(made.y_true).astype(int), np.asarray(made.y_prob)


@pytest.fixture
def models(data):
    """Three models' probabilities for the same samples."""
    rng = np.random.default_rng(0)
    y, p = data
    return {"first": p, "second": np.clip(p + rng.normal(0, 0.3, y.size), 0, 1), "third": p**3}


@pytest.fixture
def words():
    """Return a function that returns what is written on axes, as one string."""

    def read(ax):
        return "\n".join(text.get_text() for text in ax.texts)

    return read


def _simulated(n, **how):
    made = binormal_scores(n, random_state=1, **how)
    return made.y_true, made.y_prob


_SITUATIONS = {
    "worked example": lambda: (
        [1] * 4 + [0] + [1] + [0] * 5 + [1] * 2 + [0] * 3 + [1] * 3 + [0],
        [0.8] * 5 + [1 / 6] * 6 + [0.4] * 5 + [0.75] * 4,
    ),
    "perfect": lambda: ([0] * 30 + [1] * 20, np.linspace(0, 1, 50)),
    "random": lambda: (np.tile([0, 1, 1, 0], 75), np.random.default_rng(0).random(300)),
    "upside down": lambda: _simulated(400, separation=-1),
    "ties": lambda: _simulated(600, separation=1.3, decimals=1),
    "concavity": lambda: _simulated(500, separation=1.2, spread_ratio=0.3),
    "imbalanced": lambda: _simulated(3000, prevalence=0.01),
    "one score": lambda: ([0, 1, 1, 0], [0.5] * 4),
    "two samples": lambda: ([0, 1], [0.2, 0.9]),
}


@pytest.fixture(params=_SITUATIONS)
def situation(request):
    """Labels and probabilities of one kind of ranking."""
    return _SITUATIONS[request.param]()
