"""The lexicographic explorer's rail and pictures, without a browser."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from page import Page

from rocviz import LexicographicExplorer, LexRank
from rocviz.pictures import Words
from rocviz.widgets.lexicographic.state import MAX_ROWS

RNG = np.random.default_rng(5)
X = RNG.integers(0, 2, size=(60, 4))
Y = (X[:, 0] + X[:, 1] - X[:, 2] + RNG.normal(size=60) > 0.5).astype(int)


def written(page):
    """List all words on the tree."""
    texts = []
    for mark in page.marks("tree").values():
        if isinstance(mark, Words):
            texts += map(str, mark.text)
    return texts


def note(page):
    """Join the note below the tree in one line."""
    return " ".join(page.marks("tree")["note"].text).replace("\u00a0", " ")


@pytest.fixture
def explorer():
    explorer = LexicographicExplorer(preset="twenty instances")
    yield explorer
    explorer.close()


@pytest.fixture
def page(explorer):
    return Page(explorer)


@pytest.fixture
def own():
    explorer = LexicographicExplorer.from_estimator(LexRank().fit(X, Y), X, Y)
    yield explorer
    explorer.close()


# ---------------------------------------------------------------------- the rail


def rows(page, name="attributes"):
    return page.control(name)["rows"]


def press(page, key, action):
    page.move("attributes", key=key, value=action)


def test_rows_move_and_flip(explorer, page):
    assert [row["label"] for row in rows(page)] == ["1. A2", "2. A1"]
    assert page.control("restore")["disabled"]
    press(page, 1, "down")
    assert explorer.order == (0, 1)
    assert [row["label"] for row in rows(page)] == ["1. A1", "2. A2"]
    assert [row["key"] for row in rows(page)] == [0, 1]  # the focus follows the key
    press(page, 0, "up")  # is the first already
    assert explorer.order == (0, 1)
    press(page, 1, "up")
    assert rows(page)[0]["value"] == 0
    assert [text for _, text, _ in rows(page)[0]["choices"]] == ["= 1", "= 0"]
    press(page, 1, 1)
    assert explorer.preferred == (1, 1)
    assert rows(page)[0]["value"] == 1
    assert rows(page)[0]["text"] == "0.44"
    page.move("restore")
    assert explorer.result.is_own
    assert page.control("restore")["disabled"]


def test_omitted_attributes_are_grey_and_return_at_the_end(own):
    page = Page(own)
    first = own.order[0]
    press(page, first, False)
    assert first not in own.order
    last = rows(page)[-1]
    assert (last["key"], last["ticked"], last["muted"]) == (first, False, True)
    assert last["text"] == "left out"
    press(page, first, "down")
    assert first not in own.order
    press(page, first, True)
    assert own.order[-1] == first
    assert rows(page)[-1]["ticked"]
    press(page, first, True)
    assert own.order[-1] == first


def test_rows_lead_to_all_eight_rankers(explorer, page):
    assert [row["text"] for row in rows(page, "rankers")].count("?") == 7
    assert page.summaries["rankers tried"] == "1 of 8"
    for k in range(8):
        page.move("rankers", key=k, value="try")
        assert [row["marked"] for row in rows(page, "rankers")].index(True) == k
    assert "?" not in [row["text"] for row in rows(page, "rankers")]
    assert page.control("rankers")["note"] == "8 of 8 tried, none convex."
    explorer.preset = "breast cancer"
    assert page.control("rankers") == {"hidden": True}


def test_only_the_first_of_hundreds_of_attributes_have_rows():
    wide = RNG.integers(0, 2, size=(80, 150))
    explorer = LexicographicExplorer(wide, np.arange(80) % 2)
    page = Page(explorer)
    assert len(rows(page)) == MAX_ROWS
    assert explorer.result.tree.n_levels == 5
    hidden = explorer.listing[MAX_ROWS + 3]
    assert len(page.control("front")["options"]) == 150 - MAX_ROWS + 1
    page.move("front", index=4)
    assert explorer.order[0] == hidden
    assert page.control("front")["index"] == 0
    page.move("front", index=0)
    assert explorer.order[0] == hidden
    explorer.preset = "twenty instances"
    assert page.control("front") == {"hidden": True}
    explorer.close()


def test_long_names_are_short_in_the_rail_and_the_sentence_and_whole_on_hover():
    name = "history of myocardial infarction in the family " * 3
    frame = pd.DataFrame(RNG.integers(0, 2, size=(60, 3)), columns=[f"{name}{j}" for j in "abc"])
    explorer = LexicographicExplorer(frame, Y)
    row = rows(Page(explorer))[0]
    assert len(row["label"]) <= 44
    assert row["full"].startswith(f"1. {name}")
    assert len(explorer.sentence) <= 175
    explorer.close()


# ---------------------------------------------------------------------- pictures


def test_the_note_of_the_tree_explains_its_probability(explorer, page):
    assert "LexProb predicts (9 + 1) / (14 + 2) = 0.625." in note(page)
    explorer.m = 0.0
    assert "9 / 14 = 0.643." in note(page)
    explorer.order = ()
    samples = page.marks("tree")["samples"]
    assert set(samples.y.tolist()) == {samples.y[0]}


def test_a_tree_of_five_levels_names_all_of_them(explorer, page):
    explorer.preset = "breast cancer"
    heads = page.marks("tree")["heads"].text
    for k, j in enumerate(explorer.order[:5], start=1):
        attribute = explorer.data.attributes[j]
        side = attribute.one_text if explorer.preferred[j] else attribute.zero_text
        assert heads[k - 1].startswith(f"{k}. {attribute.name[:8]}")
        assert heads[k - 1].endswith(f" {side} up")
    tree = explorer.result.tree
    n_empty = ((tree.pos + tree.neg) == 0).sum()
    assert f"{n_empty} of 32 leaves are empty." in note(page)
    explorer.focus = "roc"
    assert {"1", "2", "3", "4", "5", "hull"} <= set(written(page))
    assert "note" not in page.marks("tree")


def test_branches_without_samples_are_left_out():
    explorer = LexicographicExplorer([[0, 0], [1, 1]] * 4, [0, 1] * 4)
    page = Page(explorer)
    assert "2 of 4 leaves are empty." in note(page)
    assert len(set(page.marks("tree")["samples"].y.tolist())) == 2
    explorer.close()


@pytest.mark.parametrize("leaves", [0, 3, 8])
def test_the_border_parts_two_bands_and_the_branches_above_it_are_dark(leaves):
    explorer = LexicographicExplorer(leaves=leaves)
    marks = Page(explorer).marks("tree")
    border = marks["leaves"].y[0]
    rows = np.unique(marks["samples"].y)[::-1]
    for name, among in (("positive", rows[:leaves]), ("negative", rows[leaves:])):
        if not among.size:
            assert f"predicted {name}" not in marks
            continue
        band = marks[f"predicted {name}"]
        assert band.role == name
        assert ((band.y.min() < among) & (among < band.y.max())).all()
        assert border in (band.y.min(), band.y.max())
    # the ends of the last branches are at the leaves
    dark = set()
    for name in ("branches", "other branches"):
        branches = marks[name]
        for role, way in zip(branches.part_roles, branches.y, strict=True):
            if role == "ranking":
                dark.add(round(float(way[-1]), 9))
    assert dark & set(rows.round(9)) == set(rows[:leaves].round(9))
    assert bool(dark) == bool(leaves)
    explorer.close()


def test_each_name_stands_beside_a_piece_of_its_curve(explorer, page):
    marks = page.marks("roc")
    assert "words" not in marks  # which have no room in a small picture
    assert "key:curve" not in marks
    explorer.focus = "roc"
    marks = page.marks("roc")
    result = explorer.result
    assert list(marks["words"].text) == [
        f"this order, {result.segments.auc:.3f}",
        f"its hull, {result.hull.auc:.3f}",
        f"naive Bayes, {result.naive_bayes.auc:.3f}",
        f"decision tree, AUC {result.decision_tree.auc:.3f}",
    ]
    for name, height in zip(("curve", "hull", "bayes", "tree"), marks["words"].y, strict=True):
        curve = marks[name]
        piece = marks[f"key:{name}"]
        assert (piece.role, piece.dash) == (curve.role, curve.dash)
        assert piece.y.tolist() == [height] * 2
    for column in explorer.order:
        explorer.flip(column)
    assert explorer.result.segments.auc < 0.5  # its curve needs the lower corner
    legend = page.marks("roc")["words"]
    assert legend.align == "start"
    assert legend.text[0] == f"this order, {explorer.result.segments.auc:.3f}"


# ---------------------------------------------------------------------- leaves


def test_samples_keep_their_dots_when_leaves_change_places():
    explorer = LexicographicExplorer()
    page = Page(explorer)
    tree = explorer.result.tree

    def counted():
        dots = page.marks("tree")["samples"]
        assert dots.flies
        heights = sorted(set(dots.y.tolist()), reverse=True)
        classes = np.array(dots.part_roles)
        for height, pos, neg in zip(heights, tree.pos, tree.neg, strict=True):
            of_leaf = classes[dots.y == height].tolist()
            assert (of_leaf.count("positive"), of_leaf.count("negative")) == (pos, neg)
        top = dots.y > heights[explorer.leaves] + 1e-9
        assert np.array_equal(dots.fills == 1, top)
        return dots

    before = counted()
    explorer.move("arrives by six", 0)
    tree = explorer.result.tree
    after = counted()
    assert before.part_roles == after.part_roles  # each dot is the same flight as before
    assert before.y.tolist() != after.y.tolist()
    explorer.join = True
    joined = counted()
    gaps = [-np.diff(sorted(set(dots.y.tolist()), reverse=True)) for dots in (after, joined)]
    assert np.allclose(gaps[0], gaps[0][0])
    is_inside = np.diff(tree.hull_segment) == 0
    assert gaps[1][is_inside].max() < gaps[0][0] < gaps[1][~is_inside].max()
    explorer.close()


@pytest.mark.parametrize("join", [False, True])
def test_the_border_is_dragged_in_the_tree_and_on_the_curve(join):
    explorer = LexicographicExplorer(join=join)
    page = Page(explorer)
    heights = []
    for k in range(9):
        explorer.leaves = k
        heights.append(page.marks("tree")["leaves"].y[0])
    assert heights == sorted(heights, reverse=True)
    for k in (0, 5, 8, 2):
        page.drag("tree", "leaves", 30.0, heights[k] + 0.01)
        assert explorer.leaves == k
        grown = page.marks("roc")["grown"]
        n_pos, n_neg = explorer.result.top
        assert (grown.x[-1], grown.y[-1]) == pytest.approx((n_neg / 26, n_pos / 24))
        assert len(grown.x) == k + 1
    page.drag("roc", "leaves", 1.0, 1.0)
    assert explorer.leaves == 8
    explorer.close()


def test_many_samples_are_bars():
    explorer = LexicographicExplorer(preset="naive Bayes is better")
    marks = Page(explorer).marks("tree")
    assert "samples" not in marks
    assert len(marks["positive"].x) == 8
    explorer.close()


@pytest.mark.parametrize("is_joined", [False, True])
def test_the_word_beside_the_border_stands_on_no_sample(is_joined):
    explorer = LexicographicExplorer(join=is_joined)
    page = Page(explorer)
    assert page.marks("tree")["leaves"].hint is not None
    for leaves in range(9):
        explorer.leaves = leaves
        marks = page.marks("tree")
        if not marks["leaves"].is_hinted:
            continue
        x, y = marks["leaves"].hint
        samples = marks["samples"]
        row = np.abs(samples.y - y) < samples.pitch[1] / 2
        assert not (row & (np.abs(samples.x - x) < samples.pitch[0])).any()
    explorer.close()
