"""Rankings of every kind that pictures have to handle; no test leaves a figure open."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from rocviz.core.roc.binormal import binormal_scores


@pytest.fixture(autouse=True)
def _clean():
    """Nothing may change matplotlib's settings."""
    before = dict(plt.rcParams)
    yield
    assert dict(plt.rcParams) == before


@pytest.fixture
def data():
    """Labels and probabilities of 300 samples, ties included."""
    samples = binormal_scores(300, separation=1.4, decimals=2, random_state=3)
    return np.asarray(samples.y_true).astype(int), np.asarray(samples.y_prob)


@pytest.fixture
def models(data):
    """Three models' probabilities for the same samples."""
    rng = np.random.default_rng(0)
    y, p = data
    return {"first": p, "second": np.clip(p + rng.normal(0, 0.3, y.size), 0, 1), "third": p**3}


def _texts(ax):
    """List the texts on axes, those of the legend before others."""
    legend = ax.get_legend()
    return [*(legend.get_texts() if legend else ()), *ax.texts]


@pytest.fixture
def words():
    """Make a function that returns the texts on axes as one string."""

    return lambda ax: "\n".join(text.get_text() for text in _texts(ax))


def _simulated(n, **how):
    samples = binormal_scores(n, random_state=1, **how)
    return samples.y_true, samples.y_prob


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


@pytest.fixture
def legible():
    """Make a function that checks that texts are within their figure and apart."""

    def check(figure, *axes, apart=True):
        figure.draw_without_rendering()
        whole = figure.bbox
        for ax in axes:
            every = [*_texts(ax), ax._left_title]
            for axis, ends in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())):
                if ax.axison:
                    shown = [
                        t for t in axis.get_major_ticks() if min(ends) <= t.get_loc() <= max(ends)
                    ]
                    every += [axis.label, *(t.label1 for t in shown), *(t.label2 for t in shown)]
            texts = [text for text in every if text.get_visible() and text.get_text()]
            boxes = [text.get_window_extent() for text in texts]
            for text, box in zip(texts, boxes, strict=True):
                assert whole.x0 <= box.x0, text
                assert box.x1 <= whole.x1, text
                assert whole.y0 <= box.y0, text
                assert box.y1 <= whole.y1, text
            for i, first in enumerate(boxes if apart else ()):
                for j, other in enumerate(boxes[:i]):
                    assert not first.padded(-2, -4).overlaps(other), (texts[i], texts[j])

    return check
