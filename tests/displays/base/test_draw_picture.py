"""Pictures drawn with matplotlib: artists and axes."""

import pytest
from matplotlib import colors as mcolors
from matplotlib import pyplot as plt

from rocviz.displays.base.draw_picture import draw_picture, drawn_on
from rocviz.pictures import Areas, Axis, Band, Dots, Handle, Line, Picture, place_words, words
from rocviz.theme import Theme

MARKS = (
    Line("curve", "ranking", [0, 1], [0, 1], own={"color": "C1", "label": "mine"}),
    Line("many", "reference", [0, 1], [[0, 1], [1, 0]]),
    Band("band", "hull", [0, 1], ([0, 0], [1, 1])),
    Dots("dots", "hull", [0.2, 0.4], [0.3, 0.5]),
    Areas("areas", "selected", [[0, 1, 1]] * 2, [[0, 0, 1], [1, 1, 0]], opacities=(0.5, 1.0)),
    words("words", [(0.5, 0.5, "$said$", "text"), (0.5, 0.4, "again", "muted")]),
    Handle("handle", "selected", [0.5], [0.5], letter="A"),
)


def test_each_mark_has_its_artist_which_stays_while_the_mark_does():
    _, ax = plt.subplots()
    picture = Picture(Axis("x"), Axis("y"), MARKS)
    artists = draw_picture(picture, ax, Theme(), scene="scene")
    assert set(artists) == {mark.name for mark in MARKS}
    (curve,), (many,), (band,), (dots,) = (artists[mark.name] for mark in MARKS[:4])
    assert curve.get_label() == "mine"
    assert band.get_label() == "_band"
    (areas,) = artists["areas"]
    assert [len(path.vertices) for path in areas.get_paths()] == [4, 4]
    assert areas.get_facecolor()[:, 3].tolist() == [0.5, 1.0]
    assert mcolors.same_color(curve.get_color(), "C1")
    assert [text.get_text() for text in artists["words"]] == ["$said$", "again"]
    curve.set_linewidth(7)
    moved = picture.with_marks(Dots("dots", "hull", [0.2], [0.3]), words("words", []))
    again = draw_picture(moved, ax, Theme(), joins=True)
    assert all(again[name] is artists[name] for name in ("curve", "many", "band", "handle"))
    assert again["words"] == []
    assert curve.get_linewidth() == 7
    assert dots.axes is None
    assert len(ax.texts) == 1  # the letter
    assert draw_picture(moved, ax, Theme(dark=True), joins=True)["many"] != [many]


@pytest.mark.parametrize("dark", [False, True])
def test_a_role_is_a_colour_of_the_theme(dark):
    _, ax = plt.subplots()
    look = Theme(dark=dark)
    artists = draw_picture(Picture(Axis(), Axis(), MARKS), ax, look)
    drawn = {
        "reference": artists["many"][0].get_colors()[0],
        "hull": artists["dots"][0].get_facecolor()[0],
        "selected": artists["areas"][0].get_facecolor()[1],
        "text": artists["words"][0].get_color(),
        "muted": artists["words"][1].get_color(),
    }
    for role, colour in drawn.items():
        assert mcolors.same_color(colour, look.colour(role)), role


def test_cleared_axes_start_again():
    _, ax = plt.subplots()
    assert drawn_on(ax) is None
    draw_picture(Picture(Axis(), Axis(), MARKS), ax, Theme(), scene=3)
    assert drawn_on(ax).scene == 3
    ax.clear()
    assert drawn_on(ax) is None
    draw_picture(Picture(Axis(), Axis(), MARKS), ax, Theme())
    assert len(ax.texts) == 3


def test_pale_lines_are_outlined_unless_coloured_by_the_user():
    lines = (
        Line("pale", "third", [0, 1], [0, 1], dash="dashed", own={"label": "mine"}),
        Line("dots", "third", [0, 1], [0, 1], dash="none"),
        Line("red", "third", [0, 1], [0, 1], own={"color": "red"}),
        Line("dark", "hull", [0, 1], [0, 1]),
    )
    placed = place_words(Picture(Axis(), Axis(), lines))
    under = {mark.name: (mark.role, mark.dash) for mark in placed.marks if mark not in lines}
    assert under == {"under pale": ("text", "solid"), "under dots": ("text", "none")}
    assert placed["under pale"].width > placed["pale"].width


def test_words_have_a_rim_of_the_papers_colour_unless_it_is_their_own():
    _, ax = plt.subplots()
    mark = words("words", [(0.5, 0.6, "on paper", "text"), (0.5, 0.4, "on a full colour", "paper")])
    on_paper, on_colour = draw_picture(Picture(Axis(), Axis(), (mark,)), ax, Theme())["words"]
    assert on_paper.get_path_effects()
    assert not on_colour.get_path_effects()
