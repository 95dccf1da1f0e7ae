"""Where the ensemble explorer puts circles, labels and ticks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.widgets.base.panel import spread
from rocviz.widgets.ensembles.layout import aside, temperature_ticks
from rocviz.widgets.ensembles.result import law


def test_circles_keep_apart():
    law = (np.linspace(0.4, 0.8, 5), np.linspace(-2, 4, 5))
    x = np.array([0.60, 0.601, 0.602, 0.7, 0.6])
    y = 15 * (x - 0.4) - 2
    moved = np.column_stack(aside(x, y, law)) / [0.4, 6]
    gaps = np.linalg.norm(moved[:, None] - moved, axis=2) + np.eye(5)
    assert gaps.min() > 0.07
    assert moved[3].tolist() == pytest.approx([0.7 / 0.4, 2.5 / 6])


@given(st.lists(st.floats(0.5, 0.9), min_size=5, max_size=5))
def test_labels_keep_apart_inside_and_in_order(at):
    at = np.array(at)
    places = spread(at, 0.05, 0.4, 1.0)
    order = np.argsort(at, kind="stable")
    assert (np.diff(places[order]) >= 0.05 - 1e-9).all()
    assert places.min() >= 0.4 + 0.025 - 1e-9
    assert places.max() <= 1 - 0.025 + 1e-9


def test_temperatures_are_named_on_both_sides_of_infinity():
    at, names = temperature_ticks(-4.5, 4.5)
    assert dict(zip(at, names, strict=True)) == {
        -4: "−.25", -2: "−.5", -1: "−1", 0: "∞", 1: "1", 2: ".5", 4: ".25",
    }  # fmt: skip


@pytest.mark.parametrize(
    "aucs",
    [(0.55, 0.75), (0.9, 0.97), (0.02, 0.2), (0.0, 1.0), (0.8, 0.8), (0.97, 0.97), (1.0, 1.0)],
)
def test_axes_hold_every_classifier(aucs):
    auc, coldness = law(np.array(aucs), 0.3)
    assert auc[0] <= min(aucs) <= max(aucs) <= auc[-1]
    assert 0 <= auc[0] < auc[-1] <= 1
    assert (np.diff(coldness) >= 0).all()  # level where the law runs off to infinity
    at, _ = temperature_ticks(coldness[0], coldness[-1])
    assert len(at) >= 2
    assert coldness[0] <= min(at) < max(at) <= coldness[-1]
