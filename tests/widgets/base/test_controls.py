"""Grids, typed values, and the rail of controls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.widgets.base.controls import (
    Linear,
    Log,
    Rail,
    Slider,
    Values,
    read_number,
)
from rocviz.widgets.decisions.state import DecisionState


@given(st.floats(-5, 5), st.integers(1, 1000))
def test_every_value_of_a_linear_grid_is_nearest_to_itself(low, steps):
    grid = Linear(low, low + steps * 0.01, 0.01)
    assert [grid.position(grid.value(i)) for i in range(grid.steps + 1)] == list(
        range(grid.steps + 1)
    )
    assert grid.value(grid.steps) == grid.high


def test_a_linear_grid_has_no_rounding_and_keeps_whole_numbers_whole():
    grid = Linear(0.0, 1.0, 0.05)
    assert grid.value(7) == 0.35
    assert grid.position(0.3499) == 7
    assert Linear(1, 6, 1).value(3) == 4
    assert isinstance(Linear(1, 6, 1).value(3), int)
    assert Linear(2, 2, 1).steps == 0


def test_a_log_grid_is_even_in_ratio():
    grid = Log(0.01, 100.0, per_decade=10)
    assert (grid.steps, grid.value(0), grid.value(20), grid.value(40)) == (40, 0.01, 1.0, 100.0)
    assert [grid.position(grid.value(i)) for i in range(41)] == list(range(41))
    assert grid.position(1e9) == 40
    assert grid.position(0) == 0


def test_given_values_take_the_nearest_by_ratio():
    grid = Values((20, 50, 100, 1000))
    assert [grid.position(v) for v in (20, 30, 33, 500, 1e6)] == [0, 0, 1, 3, 3]
    assert Values((-1.0, 0.0, 1.0)).position(0.4) == 1


SLIDER = Slider(label="threshold", grid=Linear(0.0, 1.0, 0.1), text=".0%")


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("0.3", 0.3),
        ("30 %", 0.3),
        ("30\u202f%", 0.3),
        ("−2", -2),
        ("1,000", 1000),
        ("1e-3", 0.001),
        ("1/8", 0.125),
    ],
)
def test_numbers_are_read_as_people_write_them(typed, value):
    assert read_number(SLIDER.label, typed) == pytest.approx(value)


@pytest.mark.parametrize("typed", ["0,3", "abc", "", "nan", "inf", "1,00", "0,300", "1/", "1/0"])
def test_texts_that_are_no_numbers_are_refused_with_a_message(typed):
    with pytest.raises(ValueError, match="threshold: “") as error:
        read_number(SLIDER.label, typed)
    assert ("with a point" in str(error.value)) == ("," in typed)


def test_a_refusal_stands_at_its_control_and_changes_nothing():
    state = DecisionState(metric="formula")
    rail = Rail(state)
    before = state.inputs()
    for name, typed, problem in (
        ("prevalence", "0,3", "Write decimals with a point"),
        ("prevalence", "7", "is at most 99\u202f%."),
        ("prevalence", "-7", "is at least 1\u202f%."),
        ("formula", "u / (u - u)", "“2*u / (p + v)” is still in use."),
    ):
        rail.apply(name, {"typed": typed})
        rail.shown()
        assert problem in rail.values[name]["problem"]
        assert state.inputs() == before
    assert rail.values["prevalence"]["problem"] == ""
