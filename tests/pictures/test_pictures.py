"""Labels on pictures cover no data, whatever the names."""

import json

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.offsetbox import TextArea
from page import Page

from rocviz import LexicographicExplorer, ROCExplorer
from rocviz.displays.base.draw_picture import show_picture
from rocviz.displays.base.style import Pen
from rocviz.pictures import (
    LETTER_WIDTH,
    ROW_HEIGHT,
    Axis,
    Column,
    Dots,
    Entry,
    Handle,
    Labels,
    Legend,
    Line,
    Picture,
    PlacementCache,
    PointLabel,
    Room,
    Runs,
    Words,
    diagonal,
    has_room,
    place_hints,
    place_words,
    words,
)
from rocviz.theme import Theme
from rocviz.widgets.base.stage import in_json
from rocviz.words import letters

NAMES = {
    "short": lambda i: chr(97 + i),
    "long": lambda i: f"gradient_boosting_with_early_stopping_{i:02d}" * 4,
    "html": lambda i: f'<b>A&B</b> "{i}"',
    "chinese": lambda i: f"模型的名字很长很长很长很长 {i}",
}


def boxes_of(marks, corners):
    """List the boxes of words in units of the axes, whose lower and upper corner are given."""
    (left, low), (right, high) = corners
    letter = LETTER_WIDTH * (right - left)
    half = 0.5 * ROW_HEIGHT * (high - low)
    boxes = []
    for mark in marks:
        if not isinstance(mark, Words) or mark.angle:
            continue
        for x, y, text in zip(mark.x, mark.y, mark.text, strict=True):
            wide = letter * letters(text.strip())
            first = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[mark.align] * wide
            boxes += [(first, first + wide, y - half, y + half)] if wide else []
    return np.reshape(boxes, (-1, 4))


def points_in(boxes, mark):
    """Count how many of a mark's points, and of many between them, lie in any of the boxes."""
    count = 0
    for x, y in zip(*map(np.atleast_2d, (mark.x, mark.y)), strict=True):
        steps = np.linspace(0, len(x) - 1, 40 * len(x))
        across = np.interp(steps, np.arange(len(x)), x)[:, None]
        up = np.interp(steps, np.arange(len(x)), y)[:, None]
        inside = (across > boxes[:, 0]) & (across < boxes[:, 1])
        count += (inside & (up > boxes[:, 2]) & (up < boxes[:, 3])).sum()
    return count


def test_words_are_as_wide_as_their_letters():
    room = Room((0.0, 1.0), (0.0, 1.0))
    room.take_dots([0.45], [0.1], 0.01)
    assert not room.covers(["abcdefgh"], 0.1, np.array([0.1]), "start")
    assert room.covers(["模型模型模型模型"], 0.1, np.array([0.1]), "start")
    assert room.covers(["abcdefgh"], 0.5, np.array([0.1]), "middle")
    assert not room.covers(["abcdefgh"], 0.43, np.array([0.1]), "end")


@pytest.mark.parametrize("kind", NAMES)
def test_long_names_of_models_and_attributes_cover_no_data(kind):
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    name = NAMES[kind]
    scores = {name(i): rng.normal(size=200) + (0.8 + 0.1 * i) * y for i in range(8)}
    roc = ROCExplorer(y, scores, panels=["roc"])
    page = Page(roc)
    marks = page.marks("roc")
    boxes = boxes_of(marks.values(), page.limits("roc"))
    for name_of_line, line in marks.items():
        if name_of_line in ("curve", "hull") or name_of_line.startswith("model:"):
            assert not points_in(boxes, line)
    assert "AUC" in marks["words"].text[0]
    named = [text.split(",")[0] for text in marks["words"].text]
    assert len(set(named)) == len(named)
    X = pd.DataFrame({name(i): rng.random(200) < 0.3 + 0.06 * i * y for i in range(8)})
    lexicographic = LexicographicExplorer(X, y, panels=["attributes"])
    page = Page(lexicographic)
    marks = page.marks("attributes")
    boxes = boxes_of(marks.values(), page.limits("attributes"))
    rows = boxes[np.ptp(boxes[:, :2], axis=1) > 2 * LETTER_WIDTH]  # numbers stand beside their dots
    assert len(rows) >= 2
    for mark in (marks["named"], marks["points"]):
        inside = (mark.x[:, None] > rows[:, 0]) & (mark.x[:, None] < rows[:, 1])
        inside &= (mark.y[:, None] > rows[:, 2]) & (mark.y[:, None] < rows[:, 3])
        assert not inside.any()
    for explorer in (roc, lexicographic):
        explorer.close()


def test_a_saved_sentence_has_its_numbers_in_the_colours_of_the_screen():
    explorer = ROCExplorer(panels=["brier"])
    dark = Theme(dark=True)
    written = explorer.static_figure(dark).findobj(TextArea)
    texts = [(area._text.get_text(), area._text.get_color()) for area in written]
    assert "".join(explorer.sentence.split()) == "".join("".join(text.split()) for text, _ in texts)
    assert ("151 of 200", dark.colour("positive-text")) in texts
    assert len({ink for _, ink in texts}) > 3
    explorer.close()


@pytest.mark.parametrize("rises", [True, False])
def test_a_legend_takes_the_best_free_place(rises):
    x = np.linspace(0, 1, 200)
    rows = [Entry("a few words"), Entry("and more", "muted")]
    legend, axes = (
        Legend("words", "text", choices=[rows], corner=(0.0, 1.0)),
        (Axis("x"), Axis("y")),
    )

    def placed(*marks):
        picture = Picture(*axes, (*marks, legend))
        return has_room(picture, legend), place_words(picture)["words"]

    fits, text = placed(Line("curve", "hull", x, x if rises else 1 - x))
    assert fits
    assert list(text.text) == ["a few words", "and more"]
    assert (text.x[0] < 0.1 and text.y[1] > 0.8) == rises
    everywhere = np.random.default_rng(0).random((2, 4000))
    empty = (np.abs(everywhere[0] - 0.6) < 0.3) & (np.abs(everywhere[1] - 0.5) < 0.25)
    fits, text = placed(Dots("dots", "hull", *everywhere[:, ~empty], size=10))
    assert fits
    assert 0.3 <= text.x[0] <= 0.7
    assert 0.4 <= text.y[0] <= 0.76
    fits, text = placed(Dots("dots", "hull", *everywhere, size=10))
    assert not fits
    assert len(text.text) == 2


def test_words_take_the_nearest_free_box_of_the_whole_picture():
    rng = np.random.default_rng(0)
    n_placed = 0
    for _ in range(60):
        room = Room((0.0, 2.0), (-1.0, 1.0))
        room.take(*rng.uniform([[0.0], [-1.0]], [[2.0], [1.0]], (2, 12)))
        taken = room._taken.copy()
        points = rng.uniform([-0.2, -1.2], [2.2, 1.2], (2, 2))
        far = float(rng.choice([0.03, 0.1, 0.5, 2.0]))
        width, height = room._size("drag", 1)
        nearest = np.inf
        for i in range(64 - width + 1):
            for j in range(64 - height + 1):
                if not taken[i : i + width, j : j + height].any():
                    centre = (np.array([i + width / 2, j + height / 2])) / 64
                    away = np.hypot(*(centre - (points - [0, -1]) / 2).T).min()
                    nearest = min(nearest, float(away))
        place = room.place("drag", *points.T, far=far)
        assert (place is not None) == (nearest <= far)
        if place is not None:
            n_placed += 1
            away = np.hypot(*((np.array(place) - points) / 2).T).min()
            assert away == pytest.approx(nearest)
    assert 10 < n_placed < 60


def test_labels_are_placed_in_order_and_dropped_without_room():
    grid = np.linspace(0, 1, 50)
    point_labels = [
        PointLabel(("a name of very many letters", "a name"), "hull-text", 0.5, 0.6),
        PointLabel(["second"], "text", 0.5, 0.6),
        PointLabel(["nowhere"], "text", 0.5, 3.0),
    ]
    marks = (
        Line("curve", "hull", grid, 0 * grid + 0.5),
        Labels("names", "text", point_labels=point_labels),
    )
    picture = Picture(Axis("x", high=1.1), Axis("y"), marks)
    names = place_words(picture)["names"]
    assert names.text == ("a name of very many letters", "second")
    assert names.align == "middle"
    assert abs(names.y[0] - names.y[1]) > ROW_HEIGHT
    narrow = picture.with_marks(Dots("dots", "text", grid.repeat(50), np.tile(grid, 50)))
    assert place_words(narrow)["names"].text == ()
    small = place_words(Picture(Axis("x"), Axis("y"), marks, is_large=False))["names"]
    assert small.text[0] == "a name"


def test_labels_and_leaders_do_not_overlap():
    crowd = np.array([[0.03, 0.83], [0.025, 0.82], [0.035, 0.84], [0.08, 0.91], [0.085, 0.905]])
    point_labels = [
        PointLabel([str(k)], "selected-text", *point, far=0.5) for k, point in enumerate(crowd)
    ]
    marks = (
        Dots("named", "selected", *crowd.T),
        Labels("n", "text", point_labels=point_labels, leaders=True),
    )
    picture = place_words(Picture(Axis("x"), Axis("y"), marks))
    numbers = picture["n"]
    lines = picture["n leaders"]
    assert list(numbers.text) == ["0", "1", "2", "3", "4"]
    places = np.column_stack((numbers.x, numbers.y))
    apart = np.hypot(*(places[:, None] - np.vstack((places, crowd))).transpose(2, 0, 1))
    np.fill_diagonal(apart, 1.0)
    assert apart.min() > 0.04
    assert np.allclose(np.array(lines.rows)[:, 0], crowd)
    boxes = boxes_of(picture.marks, np.transpose([picture.x.limits, picture.y.limits]))
    for k, row in enumerate(lines.rows):
        assert not points_in(np.delete(boxes, k, 0), Line("leader", "muted", *row.T))


def test_words_fit_into_the_axes():
    rows = [[Entry("words in a corner")]]

    def draw(is_large):
        seen.append(is_large)
        marks = Line("curve", "hull", [0, 1], [0, 1]), Legend("words", "text", choices=rows)
        return Picture(Axis("across"), Axis("up"), marks, is_square=False, is_large=is_large)

    seen = []
    for width in (2, 5, 12):
        _, ax = plt.subplots(figsize=(width, 5))
        _, artists = show_picture(draw, Pen(ax, Theme()))
        assert ax.get_xlabel() == "across"  # nothing else says so
        (line,) = artists["curve"]
        (text,) = artists["words"]
        np.testing.assert_array_equal(line.get_xydata(), [[0, 0], [1, 1]])
        box = text.get_window_extent().transformed(ax.transAxes.inverted())
        assert 0 < box.x0 < box.x1 < 1
        plt.close()
    assert seen == [False, True, True]


def test_pictures_are_values():
    def drawn(y):
        marks = Line("line", "hull", [0, 1], y), words("words", [(0.1, 0.2, "said", "text")])
        return Picture(Axis("x", ticks={0.5: "half"}), Axis("y"), marks)

    assert drawn([0, 1]) == drawn([0, 1]) != drawn([0, 2])
    assert drawn([0, float("nan")]) == drawn([0, float("nan")])
    plain = json.loads(json.dumps(in_json(drawn([0, 1])["line"])))
    assert (plain["kind"], plain["role"], plain["y"]["shape"]) == ("Line", "hull", [2])
    assert drawn([0, 1]).with_marks(Line("line", "hull"))["line"].is_shown is False

    def wish(x):
        return Labels(
            "words", "text", point_labels=[PointLabel(["here"], "text", np.array(x), 0.5, 0.1)]
        )

    assert wish([0.1, 0.2]) == wish([0.1, 0.2]) != wish([0.1, 0.3])


def test_a_legend_stands_in_empty_space_with_its_keys():
    x = np.linspace(0, 1, 50)
    curve = Line("curve", "second", x, x**0.3, dash="dashed", own={"label": "a", "alpha": 0.4})
    dot = Dots("dot", "hull", [0.5], [0.9])
    short = [Entry("the curve", of="curve"), Entry("a dot", "hull-text", "dot", bold=False)]
    long = [Entry("n" * 60, of="curve")]

    def placed(*choices, **style):
        legend = Legend("words", "text", choices=choices)
        return place_words(Picture(Axis("x"), Axis("y"), (diagonal(), curve, dot, legend), **style))

    shown = placed(short)
    assert (
        points_in(boxes_of(shown.marks, np.transpose([shown.x.limits, shown.y.limits])), curve) == 0
    )
    assert shown["words"].align == "end"
    assert 1 > shown["words"].x[0] > 0.8 > 0.3 > shown["words"].y[0] > shown["words notes"].y[0]
    key = shown["key:curve"]
    assert (key.role, key.dash, key.own) == ("second", "dashed", {"alpha": 0.4})
    assert key.x.min() > shown["words"].x[0]
    assert shown["key:dot"].y[0] == shown["words notes"].y[0]
    # the first choice for which there is room; else right of the axes, where words may stand there
    assert placed(long, short)["words"] == shown["words"]
    assert placed(long).overflow == 0
    beside = placed(long, short, beside=2)
    assert beside["key:curve"].x.min() > 1.04
    assert beside.overflow > 1
    assert placed(long, short, beside=1)["words"] == shown["words"]
    assert placed(long, beside=1)["words"] == beside["words"]


def test_a_column_of_words_makes_the_axis_longer():
    rows = [(0.0, 0.2, "a few words", "text"), (0.0, 0.8, "some more", "text")]
    marks = Line("line", "hull", [0, 1], [0, 1]), Column("column", "text", rows=rows)
    placed = place_words(Picture(Axis(pad=0.0), Axis(), marks))
    low, high = placed.x.limits
    assert low == 0
    assert (placed["column"].x > 1).all()
    assert high > 1.4


def test_words_in_several_colours_follow_each_other():
    pieces = [("a heading", "text"), ("red", "positive-text"), ("blue", "negative-text")]
    rows = [(0.0, 0.5, pieces, "start"), (1.0, 0.2, [("at the end", "muted")], "end")]
    for times in (1, 4):
        row = (0.0, 0.7, pieces * times, "start")
        runs = Runs("words", "text", rows=[*rows, row], height=0.2)
        placed = place_words(Picture(Axis(), Axis(), (runs,)))
        plain = placed["words start"]
        bold = placed["words start bold"]
        assert plain.text[0] == "a heading"
        assert set(bold.text) == {"red", "blue"}
        assert placed["words end"].x[0] == 1
        x = np.sort(np.append(plain.x, bold.x)[np.append(plain.y, bold.y) == 0.7])
        assert (np.diff(x) > 0).all()
        assert x[-1] + bold.size * 4 * LETTER_WIDTH < 1.04
        assert (bold.size == 1) == (times == 1)


@pytest.mark.parametrize("seed", range(5))
def test_cached_places_equal_new_ones(seed):
    rng = np.random.default_rng(seed)
    cache = PlacementCache()
    before = None
    legend = Legend(
        "words",
        "text",
        choices=[[Entry("what does not move", "hull-text", "still"), Entry("more", "text")]],
        left_out=("dot",),
    )
    corner = rng.random(2)
    for step in range(8):
        if step in (3, 4):  # something else moves too, for a while
            corner = rng.random(2)
        marks = (
            Line("still", "hull", [0, corner[0], 1], [0, corner[1], 1]),
            Dots("dot", "selected", rng.random(3), rng.random(3)),
            legend,
            Handle("point", "selected", rng.random(1), rng.random(1)),
        )
        drawn = Picture(Axis("x"), Axis("y"), marks).reuse_marks(before)
        before = drawn
        sides = {"point": "right"}
        fresh = {"point": "right"}
        again = place_hints(place_words(Picture(Axis("x"), Axis("y"), marks)), fresh)
        assert place_hints(place_words(drawn, cache), sides, cache) == again
        assert sides == fresh
