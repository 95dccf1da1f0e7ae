"""The pictures of several classes: places, regions, cells and curves, with the core's numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from rocviz import MulticlassDisplay, best_simplex_point, hand_till_auc
from rocviz.core.multiclass import confusion_matrix, label_at_point, point_of_costs
from rocviz.displays.multiclass.pictures import (
    MAX_DOTS,
    MIN_SHARE,
    among,
    from_plane,
    to_plane,
)
from rocviz.pictures import Words

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 90)
P = RNG.dirichlet([1, 1, 1], 90) + 0.5 * np.eye(3)[Y]
P /= P.sum(axis=1, keepdims=True)
NAMES = np.array(["Barolo", "Grignolino", "Barbera"])
LABELS = NAMES[Y]
COST = np.array([[0, 1, 4], [2, 0, 1], [3, 3, 0.0]])


def draw(**options):
    options = {"classes": NAMES, **options}
    return MulticlassDisplay.from_predictions(LABELS, P, **options)


@given(st.lists(st.floats(0.01, 1), min_size=3, max_size=3))
def test_places_of_the_triangle_are_probabilities(parts):
    prob = np.array(parts) / sum(parts)
    x, y = to_plane(prob)
    places = from_plane(x, y, least=0.0)
    np.testing.assert_allclose(places, prob, atol=1e-12)


@given(st.floats(-2, 3), st.floats(-2, 3))
def test_places_outside_are_moved_to_the_nearest_point_inside(x, y):
    point = from_plane(x, y)
    assert point.sum() == pytest.approx(1)
    assert point.min() >= MIN_SHARE * (1 - 1e-9)
    grid = np.stack(np.meshgrid(*[np.linspace(0, 1, 41)] * 2), axis=-1).reshape(-1, 2)
    inside = grid[grid.sum(axis=1) <= 1]
    places = to_plane(np.column_stack((inside, 1 - inside.sum(axis=1))))
    nearest = np.hypot(*(places - [x, y]).T).min()
    exact = to_plane(from_plane(x, y, least=0.0))
    assert np.hypot(*(exact - [x, y])) <= nearest + 1e-9


def test_the_triangle_has_samples_regions_and_points():
    point = [0.2, 0.5, 0.3]
    display = draw(point=point, cost_matrix=(1 - np.eye(3)) * [[1], [2], [2]])
    picture = display.picture_
    for k in range(3):
        np.testing.assert_allclose(
            np.column_stack((picture[f"class:{k}"].x, picture[f"class:{k}"].y)), to_plane(P[k == Y])
        )
    assert len({picture[f"class:{k}"].marker for k in range(3)}) == 3
    for k in range(3):
        first = P[k == Y][0]
        shares = ", ".join(f"{n} {p:.2f}" for n, p in zip(NAMES, first, strict=True))
        assert picture[f"class:{k}"].readings[0] == f"{NAMES[k]}: probabilities {shares}"
    predicted = (P / point).argmax(axis=1)
    wrong = to_plane(P[predicted != Y])
    assert 0 < len(wrong) < len(Y)
    errors = np.column_stack((picture["errors"].x, picture["errors"].y))
    assert sorted(map(tuple, errors.round(9))) == sorted(map(tuple, wrong.round(9)))
    assert picture["regions"].x.shape == picture["regions"].y.shape == (3, 4)
    assert [*picture["point"].x, *picture["point"].y] == pytest.approx(list(to_plane(point)))
    best = best_simplex_point(LABELS, P, classes=NAMES, cost_matrix=display.cost_matrix)
    np.testing.assert_allclose(display.best_.point, best.point)
    assert [*picture["best"].x, *picture["best"].y] == pytest.approx(list(to_plane(best.point)))
    costs = to_plane(point_of_costs([1, 2, 2]))
    assert [*picture["costs"].x, *picture["costs"].y] == pytest.approx(list(costs))
    assert not picture["cost borders"].is_shown
    texts = []
    for mark in picture.marks:
        if isinstance(mark, Words):
            texts.extend(mark.text)
    assert {f"surely {name}" for name in NAMES} <= set(texts)


def test_costs_that_no_point_fits_are_outlined():
    picture = draw(cost_matrix=COST).picture_
    assert not picture["costs"].is_shown
    assert picture["cost borders"].is_shown
    # none of its borders runs along a side of the triangle
    for row in picture["cost borders"].rows:
        ends = np.array([from_plane(*point, least=0.0) for point in row])
        assert not (ends < 1e-9).all(axis=0).any()
    never = draw(cost_matrix=[[0, 1, 1], [1, 0, 1], [1, 1, 1]]).picture_
    assert len(never["cost borders"].rows) == 1


def test_a_fixed_part_of_many_samples_is_drawn():
    y = np.tile(Y, 30)
    prob = np.tile(P, (30, 1))
    first, second = (MulticlassDisplay.from_predictions(y, prob).picture_ for _ in range(2))
    assert sum(len(first[f"class:{k}"].x) for k in range(3)) == MAX_DOTS
    assert first == second


def test_the_matrix_has_counts_and_shares():
    display = draw(kind="matrix", point=[0.2, 0.5, 0.3])
    predictions = label_at_point(P, [0.2, 0.5, 0.3], classes=NAMES)
    expected = confusion_matrix(LABELS, predictions, classes=NAMES)
    np.testing.assert_array_equal(display.matrix_.counts, expected.counts)
    assert list(display.picture_["counts"].text) == [f"{n:.0f}" for n in expected.counts.ravel()]
    cells = display.picture_["cells"]
    assert cells.x.shape == (9, 4)
    assert list(display.picture_["columns"].text) == list(NAMES)
    assert list(display.picture_["rows"].text) == list(NAMES)
    diagonal = [cells.part_roles[4 * k] for k in range(3)]
    assert len(set(diagonal)) == 3
    assert cells.part_roles[1] == "reference"


def test_curves_have_the_predicted_points_and_the_interval():
    display = draw(kind="curves")
    table = display.matrix_.table("Grignolino")
    selected = display.picture_["selected:1"]
    assert [*selected.x, *selected.y] == pytest.approx([table.fpr, table.tpr])
    expected = hand_till_auc(LABELS, P, classes=NAMES)
    assert display.auc_.lower == expected.lower
    assert f"M {expected.auc:.3f}" in display.picture_["legend"].text[0]


def test_reliability_has_the_means_of_each_segment_of_the_hull():
    display = draw(kind="reliability")
    for k in range(3):
        line = display.picture_[f"line:{k}"]
        assert (np.diff(line.x) > 0).all()
        assert (np.diff(line.y) > 0).all()
        weight = display.picture_[f"dots:{k}"]
        assert len(weight.x) == len(line.x)
    # every sample is in one of them
    shown = display._scene("reliability").shown
    predicted, observed, n = shown.of_class[0].reliability
    assert n.sum() == Y.size
    assert predicted @ n == pytest.approx(P[:, 0].sum())
    assert observed @ n == pytest.approx((Y == 0).sum())


@pytest.mark.parametrize("kind", ["triangle", "matrix", "curves", "reliability"])
def test_many_classes_and_those_in_the_corners(kind):
    rng = np.random.default_rng(1)
    y = np.arange(200) % 10
    prob = rng.dirichlet(np.ones(10), 200)
    display = MulticlassDisplay.from_predictions(y, prob, shown=[9, 3, 5], kind=kind)
    shown = display._scene(kind).shown
    assert shown.classes == (9, 3, 5)
    styles = [shown.styles[k] for k in range(10)]
    assert styles[9] != styles[3] != styles[5]
    assert len(set(styles)) == 4  # three in the corners, and all others
    if kind == "triangle":
        of_nine = among(prob[y == 9], [9, 3, 5])
        np.testing.assert_allclose(
            np.column_stack((display.picture_["class:9"].x, display.picture_["class:9"].y)),
            to_plane(of_nine),
        )
    if kind == "matrix":
        assert len(display.picture_["counts"].text) == 100
        assert not display.picture_["shares"].is_shown


def test_some_of_very_many_classes_are_named():
    y = np.resize(np.arange(50), 100)
    display = MulticlassDisplay.from_predictions(y, np.full((100, 50), 0.02), kind="matrix")
    for side in ("rows", "columns"):
        assert list(display.picture_[side].text) == list(map(str, range(0, 50, 5)))
    assert not any(mark.name == "counts" for mark in display.picture_.marks)


def test_columns_with_equal_short_names_have_none():
    names = [f"very long name {k}" for k in range(8)]
    y = np.array(names)[np.resize(np.arange(8), 80)]
    prob = np.full((80, 8), 1 / 8)
    picture = MulticlassDisplay.from_predictions(y, prob, classes=names, kind="matrix").picture_
    assert len(set(picture["rows"].text)) == 8
    assert not picture["columns"].text


def test_samples_of_other_classes_lie_in_the_middle():
    np.testing.assert_allclose(among(np.array([0.0, 0.0, 0.0, 1.0]), [0, 1, 2]), [1 / 3] * 3)


def test_two_classes_have_all_pictures_but_the_triangle():
    y = (Y > 0).astype(int)
    prob = np.column_stack((P[:, 0], P[:, 1:].sum(axis=1)))
    for kind in ("matrix", "curves", "reliability"):
        MulticlassDisplay.from_predictions(y, prob, kind=kind)
    with pytest.raises(ValueError, match="kind='triangle' needs three classes"):
        MulticlassDisplay.from_predictions(y, prob)


def test_a_classifier_and_its_classes():
    X = RNG.normal(size=(90, 2)) + Y[:, None]
    model = LogisticRegression().fit(X, LABELS)
    display = MulticlassDisplay.from_estimator(model, X, LABELS, kind="matrix")
    assert display.classes == tuple(model.classes_)
    np.testing.assert_array_equal(
        display.matrix_.counts, confusion_matrix(LABELS, model.predict(X)).counts
    )


BAD = {
    "both": (lambda: draw(metric="mcc", cost_matrix=COST), "give either metric or cost_matrix"),
    "order": (lambda: draw(classes=None), "write classes="),
    "models": (lambda: MulticlassDisplay.from_estimator({"a": 1}, [[1]], [1]), "one classifier"),
    "no probabilities": (
        lambda: MulticlassDisplay.from_estimator(LinearSVC().fit(P, Y), P, Y),
        "estimator must have predict_proba; LinearSVC does not",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_makes_no_figure(case):
    act, words = BAD[case]
    with pytest.raises(ValueError, match=words):
        act()
    assert plt.get_fignums() == []


@pytest.mark.parametrize("kind", ["triangle", "matrix", "curves", "reliability"])
@pytest.mark.parametrize("labels", [tuple(NAMES), dict(enumerate(NAMES))])
def test_classes_without_names_of_their_own_get_some(kind, labels, words):
    display = MulticlassDisplay.from_predictions(Y, P, kind=kind, labels=labels)
    shown = words(display.ax_)
    assert all(name[:4] in shown for name in NAMES)


def test_wrong_names_of_classes_are_refused_before_anything_is_drawn():
    plt.close("all")
    for labels, said in (
        (NAMES[:2], "labels must name 3 classes"),
        (("a", "b", "a"), "labels gives two classes the same name, 'a'"),
        ({5: "a"}, "labels names 5, which is not one of the labels 0, 1, 2"),
    ):
        with pytest.raises(ValueError, match=said):
            MulticlassDisplay.from_predictions(Y, P, labels=labels)
    assert not plt.get_fignums()
