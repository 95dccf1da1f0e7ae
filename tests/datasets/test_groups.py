"""Simulated groups have the requested sizes, prevalences and calibration."""

from __future__ import annotations

import numpy as np
import pytest

from rocviz import brier_decomposition
from rocviz.datasets import make_groups


def test_groups_have_their_sizes_prevalences_and_calibration():
    data = make_groups(
        (40_000, 20_000, 100),
        prevalence=(0.5, 0.2, 0.3),
        separation=(1.5, 1, 0),
        shift=(0, 1.0, 0),
        random_state=0,
    )
    frame = data.to_frame()
    assert frame["group"].value_counts().to_dict() == {"A": 40_000, "B": 20_000, "C": 100}
    means = frame.groupby("group").mean()
    assert means["y_true"].tolist() == pytest.approx([0.5, 0.2, 0.3])
    assert means.loc["A", "y_score"] == pytest.approx(0.5, abs=0.01)
    assert means.loc["B", "y_score"] > 0.3
    by_group = frame.groupby("group")
    a = by_group.get_group("A")
    b = by_group.get_group("B")
    assert brier_decomposition(a["y_true"], a["y_score"]).miscalibration < 0.001
    assert brier_decomposition(b["y_true"], b["y_score"]).miscalibration > 0.01
    assert np.array_equal(data.groups, np.repeat(["A", "B", "C"], [40_000, 20_000, 100]))


def test_a_number_stands_for_all_groups():
    lists = make_groups((9, 9, 9), prevalence=[0.4] * 3, separation=[1.0] * 3, random_state=0)
    numbers = make_groups((9, 9, 9), prevalence=0.4, separation=1, random_state=0)
    assert numbers.to_frame().equals(lists.to_frame())
