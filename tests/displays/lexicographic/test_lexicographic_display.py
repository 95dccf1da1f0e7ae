"""LexicographicDisplay: numbers on the artists, words apart, bad input before any figure."""

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import same_color
from sklearn.linear_model import LogisticRegression

from rocviz import LexicographicDisplay, LexProb, LexRank, RankedSegments, get_theme, lex_order
from rocviz.core.lexicographic import lexicographic_tree
from rocviz.core.roc import metric_value
from rocviz.datasets import load_flach_matsubara

X20, Y20 = load_flach_matsubara(return_X_y=True)


@pytest.fixture(scope="module")
def example():
    X, y = load_flach_matsubara(return_X_y=True, as_frame=True)
    return LexProb().fit(X, y), X, y


def of_table(X, y, *, names=None, name=None, max_levels=5, ax=None, **how):
    """Draw what an order learned from a table of zeros and ones gives."""
    order = lex_order(X, y, **how)
    data = {key: how[key] for key in ("sample_weight", "pos_label") if key in how}
    words = names and [
        (names[j], f"= {value}", f"= {1 - value}")
        for j, value in zip(order.order, order.preferred, strict=True)
    ]
    tree = lexicographic_tree(X, y, order, max_levels=max_levels, **data)
    about = {"words": words, "name": name, "pos_label": data.get("pos_label")}
    return LexicographicDisplay(order, tree, order.segments(X, y, **data), **about).plot(ax)


def mixed(n=600, n_numbers=3):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "a name that is far too long for a picture": rng.random(n) < 0.4,
            "colour": rng.choice(["red", "green", "a colour with a long name"], n),
            "sex": rng.choice(["f", "m"], n),
            **{f"number {i}": rng.normal(size=n) for i in range(n_numbers)},
        }
    )
    logit = 2 * (frame["colour"] == "red") - 1.5 * (frame["sex"] == "m") + frame["number 0"]
    return frame, np.where(rng.random(n) < 1 / (1 + np.exp(-logit)), "sick", "well")


def test_numbers_are_those_of_the_core(example):
    display = LexicographicDisplay.from_estimator(*example)
    model, X, y = example
    tree = lexicographic_tree(X20, Y20, model.order_)
    np.testing.assert_array_equal(display.tree.pos, tree.pos)
    # bars in proportion to the counts, to the right and to the left, from the first leaf down
    picture = display.pictures_["tree"]
    right = np.diff(picture["positive"].x)[:, 0]
    left = np.diff(picture["negative"].x)[:, 0]
    np.testing.assert_allclose(right / right[1] * 4, [2, 4, 3, 1])
    np.testing.assert_allclose(left / right[1] * 4, [-3, -1, -1, -5])
    heights = picture["positive"].y.mean(axis=1)
    assert (np.diff(heights) < 0).all()
    # brackets reach from the first to the last leaf of a hull segment, in one piece for each leaf
    brackets = picture["hull segments"]
    tops = brackets.y[:, 0]
    bottoms = brackets.y[:, -1]
    inside = (heights[:, None] < tops) & (heights[:, None] > bottoms)
    assert inside.tolist() == np.eye(4, dtype=bool).tolist()
    spine = brackets.x.max()
    assert (brackets.x[:, 0] < spine).tolist() == [True, False, False, True]
    assert (brackets.x[:, -1] < spine).tolist() == [False, False, True, True]
    assert (bottoms[:-1] < tops[1:]).tolist() == [True, True, False]
    np.testing.assert_allclose(display.roc_line_.get_xdata(), model.segments_.fpr)
    np.testing.assert_allclose(display.hull_line_.get_ydata(), model.hull_.tpr)
    points = display.pictures_["attributes"]
    np.testing.assert_allclose(points["named"].x, model.order_.fpr)
    assert len(points["isometrics"].x) == 2
    curves = zip(points["isometrics"].rows, model.order_.odds_ratio, strict=True)
    for curve, ratio in curves:
        fpr, tpr = curve[1:-1:20].T
        np.testing.assert_allclose(metric_value("odds_ratio", fpr, tpr), ratio, rtol=0.02)
    assert len(picture["branches"].x) + len(picture["other branches"].x) == 6
    assert LexicographicDisplay.from_estimator(model, X, y, name="mine").name == "mine"


def test_words(example, words):
    display = LexicographicDisplay.from_estimator(*example)
    texts = words(display.ax_).splitlines()
    assert {"1. A2 = 0 up", "2. A1 = 1 up", "0.625", "0.250", "9 of 14", "1 of 6"} <= set(texts)
    assert texts.count("A1 = 1") == 2  # at both nodes
    assert "LexProb, AUC 0.620" in words(display.roc_ax_)
    listed = words(display.attributes_ax_).splitlines()
    assert {"1", "2", "1. A2 = 0: 1.96", "2. A1 = 1: 1.40"} <= set(listed)


def test_branches_to_preferred_values_are_dark_and_lead_upwards(example):
    display = LexicographicDisplay.from_estimator(*example, theme="light")
    for name, role, way in (("branches", "ranking", 1), ("other branches", "reference", -1)):
        (lines,) = display.artists_["tree"][name]
        assert same_color(lines.get_colors()[0], get_theme().colour(role))
        assert all(way * (ends[-1][1] - ends[0][1]) > 0 for ends in lines.get_segments())


def test_probabilities_are_the_models(words):
    X, y = mixed()
    frame = X[["colour", "sex"]]
    model = LexProb(m=0, pos_label="well").fit(frame, y)
    display = LexicographicDisplay.from_estimator(model, frame, y)
    assert display.m == 0
    shares = np.unique(model.predict_proba(frame)[:, 1])
    np.testing.assert_allclose(np.unique(display.tree.probability(0)), shares)
    assert "well" in words(display.roc_ax_)


def test_more_attributes_than_the_tree_has_room_for(words):
    X, y = mixed(n_numbers=20)
    model = LexRank(pos_label="sick").fit(X, y)
    display = LexicographicDisplay.from_estimator(model, X, y)
    assert display.tree.n_levels == 5
    assert f"First 5 of {len(model.order_)} attributes" in words(display.ax_)
    # the curve and the points are of all of them
    assert display.segments.auc == model.segments_.auc
    points = display.pictures_["attributes"]
    assert points["named"].x.size + points["points"].x.size == len(model.order_)
    few = LexicographicDisplay.from_estimator(model, X, y, max_levels=2)
    assert few.tree.pos.size == 4
    assert f"First 2 of {len(model.order_)} attributes" in words(few.ax_)


def test_new_data_are_counted_in_the_order_that_was_learned():
    X, y = mixed()
    model = LexProb(pos_label="well").fit(X[:300], y[:300])
    display = LexicographicDisplay.from_estimator(model, X[300:], y[300:])
    assert display.segments.n_samples == 300
    assert display.order is model.order_
    assert display.tree.pos.sum() == (y[300:] == "well").sum()


def test_orders_by_hand(words):
    display = of_table(
        X20, Y20, names=["A1", "A2"], order=[0, 1], preferred=[0, 1], name="backwards"
    )
    assert "backwards, AUC 0.390" in words(display.roc_ax_)
    assert display.tree.pos.tolist() == [1, 4, 3, 2]
    assert {"1. A1 = 0 up", "2. A2 = 1 up"} <= set(words(display.ax_).splitlines())
    plain = of_table(X20, Y20, smoothing=0)
    assert "1. x1 = 0: 2.25" in words(plain.attributes_ax_)
    weighted = of_table(X20, Y20, sample_weight=np.full(20, 2.5))
    assert "22.5 of 35" in words(weighted.ax_)
    named = np.where(Y20 == 1, "ill", "well")
    other = of_table(X20, named, pos_label="ill", max_levels=1)
    assert "10 ill + 10 other" in words(other.roc_ax_)
    assert other.tree.n_levels == 1


def test_from_results(words):
    order = lex_order(X20, Y20)
    display = LexicographicDisplay(
        order, lexicographic_tree(X20, Y20, order), order.segments(X20, Y20)
    ).plot()
    assert "1. x1 = 0 up" in words(display.ax_)
    assert "lexicographic, AUC" in words(display.roc_ax_)
    assert display.plot(name="other") is display
    assert "other, AUC" in words(display.roc_ax_)


def test_axes_of_the_user(example):
    _, axes = plt.subplots(1, 3, figsize=(15, 5))
    display = LexicographicDisplay.from_estimator(*example, ax=axes)
    assert [display.ax_, display.roc_ax_, display.attributes_ax_] == list(axes)
    _, alone = plt.subplots()
    display = LexicographicDisplay.from_estimator(*example, ax=alone)
    assert display.ax_ is alone
    assert display.roc_ax_ is display.roc_line_ is display.attributes_ax_ is None
    assert list(display.axes_) == ["tree"]
    two = LexicographicDisplay.from_estimator(*example, ax=axes[:2])
    assert two.roc_ax_ is axes[1]
    assert two.attributes_ax_ is None
    assert len(plt.get_fignums()) == 2
    with pytest.raises(ValueError, match="ax must be 1 or 2 or 3 Axes; got 4"):
        LexicographicDisplay.from_estimator(*example, ax=[alone] * 4)


def test_small_axes_get_fewer_words(words):
    X, y, _ = SITUATIONS["thousands"]()
    _, ax = plt.subplots(figsize=(3.4, 3))
    display = of_table(X, y, ax=ax)
    texts = words(ax).splitlines()
    assert not {f"{count:g}" for count in display.tree.pos} & set(texts)
    assert {"1", "5", "hull"} <= set(texts)


def test_infinite_ratios_and_empty_orders(words):
    X = [[1, 1], [1, 0], [0, 1], [0, 0]]
    sure = of_table(X, [1, 1, 0, 0], smoothing=0)
    assert "1. x0 = 1: ∞" in words(sure.attributes_ax_)
    assert len(sure.pictures_["attributes"]["isometrics"].rows) == 1
    empty = of_table([[1], [1], [1]], [1, 0, 1])
    assert empty.tree.pos.tolist() == [2]
    assert "0.600" in words(empty.ax_)
    assert not empty.pictures_["attributes"]["isometrics"].is_shown


SITUATIONS = {
    "example": lambda: (X20, Y20, {}),
    "one": lambda: (X20[:, :1], Y20, {}),
    "three": lambda: (np.random.default_rng(0).integers(0, 2, (70, 3)), np.arange(70) % 2, {}),
    "many": lambda: (*mixed(n_numbers=20), {}),
    "thousands": lambda: (
        np.random.default_rng(0).integers(0, 2, (30_000, 5)),
        np.random.default_rng(1).random(30_000) < 0.3,
        {},
    ),
    "weights": lambda: (X20, Y20, {"sample_weight": np.linspace(0.1, 3.7, 20)}),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_words_touch_no_words_and_nothing_is_cut_off(situation, legible):
    X, y, weights = SITUATIONS[situation]()
    model = LexProb().fit(X, y, **weights)
    # larger type where most is written
    for theme in ("light", "lecture") if situation == "many" else ("light",):
        display = LexicographicDisplay.from_estimator(model, X, y, theme=theme, **weights)
        axes = (display.ax_, display.roc_ax_, display.attributes_ax_)
        legible(display.figure_, *axes)
        assert all(text.get_fontsize() >= 5 for ax in axes for text in ax.texts)


def test_bad_input_makes_no_figure(example):
    _, X, y = example
    make = LexicographicDisplay.from_estimator
    with pytest.raises(ValueError, match="estimator must be a fitted LexRank or LexProb; got Logi"):
        make(LogisticRegression().fit(X20, Y20), X, y)
    with pytest.raises(ValueError, match="not fitted"):
        make(LexProb(), X, y)
    assert plt.get_fignums() == []


def test_bad_results_make_no_display():
    order = lex_order(X20, Y20)
    tree = lexicographic_tree(X20, Y20, order)
    segments = order.segments(X20, Y20)
    with pytest.raises(ValueError, match="tree must have the first attributes of order"):
        LexicographicDisplay(lex_order(X20, Y20, order=[0, 1]), tree, segments)
    wide = np.random.default_rng(0).integers(0, 2, (50, 7))
    labels = np.arange(50) % 2
    deep = lex_order(wide, labels, order=range(7))
    with pytest.raises(ValueError, match="levels of the tree"):
        LexicographicDisplay(
            deep,
            lexicographic_tree(wide, labels, deep, max_levels=6),
            RankedSegments([1.0], [1], [1]),
        )
