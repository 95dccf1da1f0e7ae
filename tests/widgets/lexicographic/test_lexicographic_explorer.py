"""The lexicographic explorer's rail and pictures, without a browser."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from rocviz import LexicographicExplorer, LexRank
from rocviz.pictures import Words
from rocviz.widgets.lexicographic.state import SHOWN

RNG = np.random.default_rng(5)
X = RNG.integers(0, 2, size=(60, 4))
Y = (X[:, 0] + X[:, 1] - X[:, 2] + RNG.normal(size=60) > 0.5).astype(int)


def written(panel):
    """List all words on a picture."""
    marks = [mark for mark in panel.picture.marks if isinstance(mark, Words)]
    return [str(text) for mark in marks for text in mark.text]


def note(panel):
    """Join the note below a tree in one line."""
    return " ".join(panel.picture["note"].text).replace("\u00a0", " ")


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


# ---------------------------------------------------------------------- the rail


def rows(explorer, name="attributes"):
    return explorer._rail.values[name]["rows"]


def press(explorer, key, act):
    explorer._rail.move("attributes", key=key, value=act)


def test_rows_move_and_flip(explorer):
    assert [row["label"] for row in rows(explorer)] == ["1. A2 = 0", "2. A1 = 1"]
    assert explorer._rail.values["restore"]["disabled"]
    press(explorer, 1, "down")
    assert explorer.order == (0, 1)
    assert [row["label"] for row in rows(explorer)] == ["1. A1 = 1", "2. A2 = 0"]
    assert [row["key"] for row in rows(explorer)] == [0, 1]  # the focus follows the key
    press(explorer, 0, "up")  # is the first already
    assert explorer.order == (0, 1)
    press(explorer, 1, "up")
    press(explorer, 1, "flip")
    assert explorer.preferred == (1, 1)
    assert rows(explorer)[0]["label"] == "1. A2 = 1"
    assert rows(explorer)[0]["text"] == "odds ratio 0.44"
    explorer._rail.move("restore")
    assert explorer.result.is_own
    assert explorer._rail.values["restore"]["disabled"]


def test_omitted_attributes_are_grey_and_return_at_the_end(own):
    first = own.order[0]
    press(own, first, False)
    assert first not in own.order
    last = rows(own)[-1]
    assert (last["key"], last["value"], last["muted"], last["text"]) == (
        first,
        False,
        True,
        "left out",
    )
    press(own, first, "down")
    assert first not in own.order
    press(own, first, True)
    assert own.order[-1] == first
    assert rows(own)[-1]["value"]
    press(own, first, True)
    assert own.order[-1] == first


def test_rows_lead_to_all_eight_rankers(explorer):
    assert [row["text"] for row in rows(explorer, "rankers")].count("?") == 7
    assert explorer.groups["rankers tried"](explorer) == "1 of 8"
    for k in range(8):
        explorer._rail.move("rankers", key=k, value="try")
        assert [row["marked"] for row in rows(explorer, "rankers")].index(True) == k
    assert "?" not in [row["text"] for row in rows(explorer, "rankers")]
    assert explorer._rail.values["rankers"]["note"] == "8 of 8 tried, none convex."
    explorer.preset = "breast cancer"
    assert rows(explorer, "rankers") == []
    assert explorer._rail.values["rankers"]["note"].startswith("1 ranker tried; the best has AUC")


def test_only_the_first_of_hundreds_of_attributes_have_rows():
    wide = RNG.integers(0, 2, size=(80, 150))
    explorer = LexicographicExplorer(wide, np.arange(80) % 2)
    assert len(rows(explorer)) == SHOWN
    assert explorer.result.tree.n_levels == 5
    hidden = explorer.listing[SHOWN + 3]
    assert len(explorer._rail.values["front"]["options"]) == 150 - SHOWN + 1
    explorer._rail.move("front", index=4)
    assert explorer.order[0] == hidden
    assert explorer._rail.values["front"]["index"] == 0
    explorer._rail.move("front", index=0)
    assert explorer.order[0] == hidden
    explorer.preset = "twenty instances"
    assert explorer._rail.values["front"] == {"hidden": True}
    explorer.close()


def test_long_names_are_short_in_the_rail_and_the_sentence_and_whole_on_hover():
    name = "history of myocardial infarction in the family " * 3
    frame = pd.DataFrame(RNG.integers(0, 2, size=(60, 3)), columns=[f"{name}{j}" for j in "abc"])
    explorer = LexicographicExplorer(frame, Y)
    row = rows(explorer)[0]
    assert len(row["label"]) <= 44
    assert row["full"].startswith(f"1. {name}")
    assert len(explorer.sentence) <= 175
    explorer.close()


# ---------------------------------------------------------------------- pictures


def test_the_note_of_the_tree_explains_its_probability(explorer):
    panel = explorer._panels["tree"]
    assert "LexProb says (9 + 1) / (14 + 2) = 0.625." in note(panel)
    explorer.m = 0.0
    assert "9 / 14 = 0.643." in note(panel)
    explorer.order = ()
    assert {"10"} == {*panel.picture["positive counts"].text}


def test_a_tree_of_five_levels_names_all_of_them(explorer):
    explorer.preset = "breast cancer"
    panel = explorer._panels["tree"]
    heads = panel.picture["heads"].text
    for k, j in enumerate(explorer.order[:5], start=1):
        attribute = explorer.data.attributes[j]
        side = attribute.one_text if explorer.preferred[j] else attribute.zero_text
        assert heads[k - 1].startswith(f"{k}. {attribute.name[:8]}")
        assert heads[k - 1].endswith(f" {side} up")
    tree = explorer.result.tree
    assert f"{((tree.pos + tree.neg) == 0).sum()} of 32 leaves are empty." in note(panel)
    explorer.focus = "roc"
    small = written(panel)
    assert {"1", "2", "3", "4", "5", "hull"} <= {*small}
    assert not note(panel)


def test_branches_without_samples_are_left_out():
    explorer = LexicographicExplorer([[0, 0], [1, 1]] * 4, [0, 1] * 4)
    panel = explorer._panels["tree"]
    assert "2 of 4 leaves are empty." in note(panel)
    assert written(panel).count("4") == 2
    explorer.close()


def test_each_name_stands_beside_a_piece_of_its_curve(explorer):
    curves = explorer._panels["roc"]
    assert not curves.picture["words"].text  # which have no room in a small picture
    assert "key:curve" not in [mark.name for mark in curves.picture.marks]
    explorer.focus = "roc"
    result = explorer.result
    assert list(curves.picture["words"].text) == [
        f"this order, {result.segments.auc:.3f}",
        f"its hull, {result.hull.auc:.3f}",
        f"naive Bayes, {result.naive_bayes.auc:.3f}",
        f"decision tree, AUC {result.decision_tree.auc:.3f}",
    ]
    heights = curves.picture["words"].y.tolist()
    for k, name in enumerate(("curve", "hull", "bayes", "tree")):
        drawn, piece = curves.picture[name], curves.picture[f"key:{name}"]
        assert (piece.role, piece.dash) == (drawn.role, drawn.dash)
        assert piece.y.tolist() == [heights[k]] * 2
    for j in explorer.order:
        explorer.flip(j)
    assert explorer.result.segments.auc < 0.5  # its curve needs the lower corner
    assert curves.picture["words"].align == "start"
    assert curves.picture["words"].text[0] == f"this order, {explorer.result.segments.auc:.3f}"
