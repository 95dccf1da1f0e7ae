"""The lexicographic explorer's life, controls and pictures, without a browser."""

from __future__ import annotations

import gc

import numpy as np
import pandas as pd
import pytest
from ipywidgets.widgets.widget import _instances

import rocviz
from rocviz import LexicographicExplorer, LexRank
from rocviz.theme import Theme, _listeners
from rocviz.widgets.lexicographic.list import SHOWN
from rocviz.widgets.lexicographic.view import numbers_at

RNG = np.random.default_rng(5)
X = RNG.integers(0, 2, size=(60, 4))
Y = (X[:, 0] + X[:, 1] - X[:, 2] + RNG.normal(size=60) > 0.5).astype(int)


@pytest.fixture
def explorer():
    made = LexicographicExplorer()
    yield made
    made.close()


@pytest.fixture
def own():
    made = LexicographicExplorer.from_estimator(LexRank().fit(X, Y), X, Y)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _theme():
    yield
    rocviz.set_theme(lecture=False)


def test_fifteen_explorers_leave_nothing_behind():
    gc.collect()
    before, listeners = set(_instances), len(_listeners)
    for i in range(15):
        explorer = LexicographicExplorer(smoothing=i / 2)
        explorer.flip(i % 2)
        if i == 7:
            explorer.preset = "breast cancer"
        explorer.close()
    assert set(_instances) == before
    assert len(_listeners) == listeners


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ((X, None), "X and y go together"),
        ((X, [1] * 60), "exactly two classes"),
        (([[np.nan]] * 60, Y), "NaN"),
    ],
)
def test_bad_data_makes_no_widget(arguments, match):
    gc.collect()
    before = set(_instances)
    with pytest.raises(ValueError, match=match):
        LexicographicExplorer(*arguments)
    with pytest.raises(TypeError, match="no input 'ordre'"):
        LexicographicExplorer(X, Y, ordre=(0,))
    gc.collect()
    assert set(_instances) == before


# ---------------------------------------------------------------------- controls


def texts(explorer):
    return [row.flip.description for row in explorer._list.rows if row.box.layout.display != "none"]


def test_rows_move_and_flip(explorer):
    rows = explorer._list.rows
    assert texts(explorer) == ["A2 = 0", "A1 = 1"]
    assert rows[0].down.description == "move A2 down"
    rows[0].down.click()
    assert explorer.order == (0, 1)
    assert texts(explorer) == ["A1 = 1", "A2 = 0"]
    rows[0].up.click()  # is the first already
    assert explorer.order == (0, 1)
    rows[1].up.click()
    rows[0].flip.click()
    assert explorer.preferred == (1, 1)
    assert texts(explorer) == ["A2 = 1", "A1 = 1"]
    assert "prefer A2 = 0" in rows[0].flip.tooltip
    assert "0.44" in rows[0].ratio.value
    assert not explorer._back.disabled
    explorer._back.click()
    assert explorer.result.is_own
    assert explorer._back.disabled


def test_the_focus_follows_the_attribute_that_moved(own):
    sent = []
    for k, row in enumerate(own._list.rows):
        for act in ("up", "down"):
            getattr(row, act).focus = lambda k=k, act=act: sent.append((k, act))
    own._list.rows[2].up.click()
    own._list.rows[1].up.click()
    own._list.rows[0].up.click()
    own._list.rows[0].down.click()
    assert sent == [(1, "up"), (0, "up"), (1, "down")]


def test_what_is_left_out_is_grey_at_the_end_and_comes_back_last(own):
    first = own.order[0]
    rows = own._list.rows
    rows[0].drop.click()
    assert first not in own.order
    last = rows[len(own.order)]
    assert "is-dropped" in last.box._dom_classes
    assert last.up.disabled
    assert last.drop.description.startswith("take in")
    assert "left out" in last.ratio.value
    last.drop.click()
    assert own.order[-1] == first
    assert "is-dropped" not in last.box._dom_classes


def test_chips_lead_to_all_eight_rankers(explorer):
    chips = explorer._list.rankers
    assert len(chips) == 8
    assert sum(chip.description.endswith("?") for chip in chips) == 7
    for chip in chips:
        chip.click()
        assert "mod-active" in chip._dom_classes
    assert not any(chip.description.endswith("?") for chip in chips)
    assert "8 of 8 rankers tried, none convex" in explorer._list.tried.value
    explorer.preset = "breast cancer"
    assert explorer._list.chips.layout.display == "none"


def test_of_hundreds_of_attributes_the_first_have_rows():
    wide = RNG.integers(0, 2, size=(80, 150))
    explorer = LexicographicExplorer(wide, np.arange(80) % 2)
    assert len(texts(explorer)) == SHOWN
    assert explorer._list.rest.layout.display == ""
    assert explorer.result.tree.n_levels == 5
    hidden = explorer._list.listing[SHOWN + 3]
    explorer._list.rest.value = hidden
    assert explorer.order[0] == hidden
    assert explorer._list.rest.value is None
    explorer.preset = "twenty instances"
    assert explorer._list.rest.layout.display == "none"
    assert texts(explorer) == ["A2 = 0", "A1 = 1"]
    explorer.close()


def test_controls_and_traits_move_each_other(explorer):
    slider, menu = explorer.children[2].children[0], explorer.children[2].children[1].children[1]
    slider.value = 4.0
    assert explorer.smoothing == 4.0
    explorer.smoothing = 100.0
    assert slider.value == 20.0
    menu.value = "naive Bayes is better"
    assert explorer.preset == "naive Bayes is better"
    assert slider.value == explorer.smoothing == 1.0


# ---------------------------------------------------------------------- pictures


def test_the_tree_shows_counts_hull_and_names(explorer):
    svg = explorer._panels[1].picture.value
    for text in (">0.625<", ">0.250<", "1  A2", "2  A1", "9\u2009+\u20095", "2 + 3, 4 + 1, 3 + 1"):
        assert text in svg
    explorer.m = 0.0
    assert ">0.643<" in explorer._panels[1].picture.value
    explorer.order = ()
    assert "10 + 10" in explorer._panels[1].picture.value


def test_words_of_the_data_cannot_break_the_page():
    frame = pd.DataFrame({"<b>": np.arange(8) % 2, "<i>&": [0, 0, 1, 1, 0, 1, 0, 1]})
    explorer = LexicographicExplorer(frame, [0, 1, 0, 1, 0, 1, 1, 0])
    html = explorer._panels[1].picture.value + explorer._says.value
    assert "<b>" not in html.replace('<b class="rocviz', "")
    assert "<i>" not in html
    explorer.close()


def test_curves_and_points_are_the_results(own):
    curves, points = own._panels[2], own._panels[3]
    result = own.result
    assert curves.curve.x.tolist() == result.segments.thin(400).fpr.tolist()
    assert curves.bayes.y.tolist() == result.naive_bayes.thin(400).tpr.tolist()
    assert points.named.x.tolist() == result.order.fpr.tolist()
    assert points.isometrics.x.shape == (len(own.order), 41)
    own.order = ()
    assert not points.named.visible
    assert points.numbers.text.tolist() == [""]


def test_numbers_cover_neither_points_nor_one_another():
    fpr, tpr = RNG.uniform(0, 0.1, size=(2, 30))
    at = numbers_at(fpr, 0.85 + tpr, 5, 0.055)
    apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1)) + np.eye(5)
    assert apart.min() >= 0.04
    assert at.shape == (5, 2)
    assert numbers_at(fpr[:0], tpr[:0], 0, 0.055).shape == (0, 2)


@pytest.mark.parametrize(
    ("preset", "theme"),
    [("twenty instances", Theme(lecture=True, dark=True)), ("breast cancer", Theme())],
)
def test_the_static_picture_shows_the_same(explorer, preset, theme):
    explorer.preset = preset
    explorer.drop(0)
    figure = explorer.static_figure(theme)
    words = [text.get_text() for ax in figure.axes for text in ax.texts]
    for text in (
        f"this order, AUC {explorer.result.segments.auc:.3f}",
        "convex hull",
        "naive Bayes",
    ):
        assert any(text in each for each in words)


def test_files_stand_alone(explorer, tmp_path):
    explorer.save(tmp_path / "a.svg")
    page = explorer.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert "First " in page
    assert "lex_order" in page


def test_themes_reach_the_tree(explorer):
    tree = explorer._panels[1].picture
    assert 'stroke-width="2.5"' in tree.value
    rocviz.set_theme(lecture=True)
    assert 'stroke-width="4"' in tree.value
