"""Grids, typed values, and the rail of controls."""

from __future__ import annotations

import pytest
import traitlets
from hypothesis import given
from hypothesis import strategies as st

from rocviz.widgets.base.controls import (
    Action,
    Choice,
    Entry,
    Linear,
    Log,
    Rail,
    Row,
    Rows,
    Slider,
    Switch,
    Values,
    read_number,
)
from rocviz.widgets.base.state import ExplorerState


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
        *(("0.3", 0.3), ("30 %", 0.3), ("30\u202f%", 0.3), ("−2", -2), ("1,000", 1000)),
        *(("1e-3", 0.001), ("1/8", 0.125)),
    ],
)
def test_numbers_are_read_as_people_write_them(typed, value):
    assert read_number(SLIDER.label, typed) == pytest.approx(value)


@pytest.mark.parametrize("typed", ["0,3", "abc", "", "nan", "inf", "1,00", "0,300", "1/", "1/0"])
def test_texts_that_are_no_numbers_are_refused_with_a_message(typed):
    with pytest.raises(ValueError, match="threshold: “") as error:
        read_number(SLIDER.label, typed)
    assert ("with a point" in str(error.value)) == ("," in typed)


class Small(ExplorerState):
    """A state with one control of each kind."""

    pictures = {"one": "One"}
    groups = {"fold": lambda state: "on" if state.on else "off"}
    presets = {"first": {"level": 0.2}, "second": {"on": True}}

    level = traitlets.Float(0.5, min=0, max=1).tag(input=True, control=SLIDER)
    count = traitlets.Int(3).tag(input=True, control=Slider(label="count", grid=Linear(1, 9, 1)))
    on = traitlets.Bool(False).tag(input=True, control=Switch(label="on", group="fold"))
    kind = traitlets.Enum(("a", "b"), "a").tag(
        input=True, control=Choice(label="kind", options={"a": "the first", "b": "the second"})
    )
    text = traitlets.Unicode("x").tag(
        input=True, control=Entry(label="text", note=lambda state: f"it is {state.text}")
    )
    chosen = traitlets.Tuple().tag(input=True)

    @traitlets.validate("text")
    def _no_question(self, proposal):
        if "?" in proposal["value"]:
            raise traitlets.TraitError("no questions.")
        return proposal["value"]

    extra_controls = {
        "clear": Action(label="clear", act="clear", shown=lambda state: bool(state.chosen)),
        "things": Rows(
            label="things",
            rows=lambda state: [
                Row(key=k, label=f"role {k}", value=k in state.chosen) for k in range(3)
            ],
            choose=lambda state, key, value: state.choose(key, value),
            choices=((True, "in", "taken"),),
        ),
    }

    def choose(self, key, value):
        if key == 2:
            raise ValueError("role 2 cannot be taken.")
        self.chosen = tuple(sorted({*self.chosen, key} if value else {*self.chosen} - {key}))

    def clear(self):
        self.chosen = ()

    def compute(self):
        return (self.level, self.count, self.on, self.kind, self.text, self.chosen)

    @property
    def sentences(self):
        return (f"level {self.level}",)


@pytest.fixture
def rail():
    return Rail(Small())


def move(rail, name, **content):
    """Move a control as a user does, and return the values shown."""
    rail.apply(name, content)
    rail.shown()


def test_the_rail_has_the_controls_declared_with_the_traits(rail):
    rail.shown()
    names = {group["name"]: [c["name"] for c in group["controls"]] for group in rail.groups}
    assert names[""] == ["level", "count", "kind", "text", "clear", "things", "exact"]
    assert names["fold"] == ["on"]
    assert rail.values["level"]["text"] == "20\u202f%"
    assert rail.values["kind"] == {
        "options": ["the first", "the second"],
        "index": 0,
        "disabled": False,
        "problem": "",
    }
    assert rail.values["text"]["note"] == "it is x"
    assert rail.values["clear"] == {"hidden": True}


def test_a_refusal_stands_at_its_control_and_changes_nothing(rail):
    before = rail._state.inputs()
    move(rail, "level", typed="0,3")
    assert "point" in rail.values["level"]["problem"]
    move(rail, "level", typed="7")
    assert rail.values["level"]["problem"] == "threshold is at most 100\u202f%."
    move(rail, "level", typed="-7")
    assert rail.values["level"]["problem"] == "threshold is at least 0\u202f%."
    move(rail, "text", typed="?")
    assert rail.values["text"]["problem"] == "no questions. “x” is still in use."
    move(rail, "things", key=2, value=True)
    assert rail.values["things"]["problem"] == "role 2 cannot be taken."
    assert rail.values["level"]["problem"] == ""
    assert rail._state.inputs() == before
