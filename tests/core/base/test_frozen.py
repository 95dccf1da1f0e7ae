"""Results as values, and as the text that a session shows of them."""

import pickle
from dataclasses import dataclass, make_dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest

from rocviz.core.base.frozen import Frozen, frame_html, value_text


@dataclass(frozen=True, eq=False)
class Curve(Frozen):
    x: np.ndarray
    name: str = "a"
    area: float = 1 / 3


@dataclass(frozen=True, eq=False)
class Several(Frozen):
    curve: Curve
    best: float
    note: Any = None


def test_plain_values_come_first():
    assert (
        repr(Curve(np.linspace(0, 1, 5))) == "Curve(name='a', area=0.333333, x=<5 numbers, 0 to 1>)"
    )


def test_a_result_within_a_result_is_a_phrase():
    short = Several(Curve(np.array([0.25])), 0.5)
    assert repr(short) == (
        "Several(best=0.5, note=None, curve=Curve(name='a', area=0.333333, x=[0.25]))"
    )
    long = Several(Curve(np.arange(300.0), name="a long name"), 0.5)
    assert repr(long) == (
        "Several(best=0.5, note=None, curve=Curve(name='a long name', area=0.333333, ...))"
    )
    nothing_plain = make_dataclass("Arrays", [("x", Any), ("y", Any)], bases=(Frozen,), frozen=True)
    arrays = nothing_plain(np.arange(300.0), np.arange(300.0))
    assert value_text(arrays) == "<Arrays>"


def test_an_own_repr_is_kept_and_inherited():
    class Named(Curve):
        def __repr__(self):
            return "named " * 20

    class Child(Named):
        pass

    assert repr(Child(np.zeros(1))) == "named " * 20
    assert value_text(Child(np.zeros(1))) == "<Child>"


def test_many_fields_end_in_dots():
    names = [f"a_field_of_some_length_{i}" for i in range(60)]
    kind = make_dataclass("Wide", [(name, Any) for name in names], bases=(Frozen,), frozen=True)
    values = [Curve(np.arange(300.0)), *np.random.default_rng(0).random((59, 3, 3))]
    lines = repr(kind(*values)).splitlines()
    assert lines[0].startswith("Wide(a_field_of_some_length_0=<Curve>, ")
    assert len(lines) == 8
    assert lines[-1] == "    ..."
    assert max(map(len, lines)) <= 88


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e6, "1000000.0"),
        (1 / 3, "0.333333"),
        (np.float64(0.5), "0.5"),
        (np.int64(3), "3"),
        (None, "None"),
        (np.array([1, 2]), "[1, 2]"),
        (np.array([]), "[]"),
        (np.zeros((3, 0)), "<3 x 0 numbers>"),
        (np.zeros((1, 1)), "<1 x 1 numbers, 0 to 0>"),
        (np.array([0.5, np.nan, 0.75, np.inf, 0.25]), "<5 numbers, 0.25 to inf, 1 nan>"),
        (np.full(5, np.nan), "<5 numbers, all nan>"),
        (np.arange(6) < 2, "<6 booleans, 2 true>"),
        (np.array(list("abcdef")), "<6 strings>"),
        (np.array(["a long name of a class"] * 4), "<4 strings>"),
        (np.array([None] * 5), "<5 objects>"),
        ((), "()"),
        (("a",), "('a',)"),
        ([1, 0.25], "[1, 0.25]"),
        (tuple(range(50)), "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...)"),
        ({"a": 0.5}, "{'a': 0.5}"),
        ({i: Curve(np.arange(300.0), "long" * 9) for i in range(3)}, "<dict of 3 Curve>"),
        ((Curve(np.arange(300.0), "long" * 9), *range(30)), "<tuple of 31 entries>"),
        (pd.DataFrame({"a": [1, 2]}), "<table, 2 x 1>"),
        ("x" * 300, f"'{'x' * 55}...'"),
        (object(), "<object>"),
        (test_plain_values_come_first, "<function>"),
    ],
)
def test_values_in_a_few_words(value, text):
    assert value_text(value) == text


def test_a_table_of_the_fields_in_a_notebook():
    html = Curve(np.arange(300.0), name="<b>")._repr_html_()
    assert "<caption style='text-align:left'>Curve</caption>" in html
    assert html.count("<tr>") == 3
    assert "&#x27;&lt;b&gt;&#x27;" in html
    assert "&lt;300 numbers, 0 to 299&gt;" in html


def test_long_tables_end_after_twenty_rows():
    frame = pd.DataFrame({"a": range(25)})
    assert frame_html(frame, "models").count("<tr") == 21
    assert "first 20 of 25 models" in frame_html(frame, "models")
    assert "first" not in frame_html(frame.head(20), "models")


def test_arrays_are_copied_and_stay_read_only():
    mine = np.arange(3.0)
    result = Curve(mine)
    mine[0] = 7
    assert result.x.tolist() == [0, 1, 2]
    assert not pickle.loads(pickle.dumps(result)).x.flags.writeable
    assert Curve(result.x).x is result.x
