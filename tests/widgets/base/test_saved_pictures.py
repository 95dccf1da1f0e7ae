"""Pictures in files: no text is cut at a border of the figure, and no two texts overlap."""

from __future__ import annotations

import io
import sys
from itertools import combinations, pairwise
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest
from matplotlib.image import imread
from matplotlib.text import Text

import rocviz
from rocviz import ROCExplorer, Step, Story
from rocviz.displays.base.lines import fit_text, text_width
from rocviz.theme import Theme
from rocviz.widgets.base import widget
from rocviz.widgets.base.still import STILL_DPI, still_picture

NAMES = (
    "gradient boosting with 500 trees and early stopping",
    "logistic regression on standardised measurements of a biopsy",
    "random forest, calibrated with isotonic regression",
)
RNG = np.random.default_rng(0)
ILL = RNG.random(300) < 0.4
PLACE = RNG.integers(0, 3, 300)
SCORES = {name: 1 / (1 + np.exp(-RNG.normal(loc=k * ILL))) for k, name in enumerate(NAMES, 1)}
WORDS = np.where(ILL, NAMES[0], "no")
BITS = pd.DataFrame({name: (score > 0.6).astype(int) for name, score in SCORES.items()})
P_CLASSES = 0.4 * RNG.dirichlet([1, 1, 1], 300) + 0.6 * np.eye(3)[PLACE]
OWN = {
    "ROCExplorer": lambda kind: kind(ILL, SCORES),
    "FermiDiracExplorer": lambda kind: kind(WORDS, SCORES[NAMES[0]], pos_label=NAMES[0]),
    "EnsembleExplorer": lambda kind: kind(ILL, SCORES),
    "ScoringListExplorer": lambda kind: kind(
        rocviz.ScoringList.from_counts([0, 1, 2], [1, 2, -1], BITS, ILL, feature_names=list(BITS)),
        BITS,
        ILL,
    ),
    "DecisionExplorer": lambda kind: kind(WORDS, SCORES[NAMES[0]], pos_label=NAMES[0]),
    "LexicographicExplorer": lambda kind: kind(BITS, WORDS, pos_label=NAMES[0]),
    "RankingLossExplorer": lambda kind: kind(pd.DataFrame(SCORES), WORDS, pos_label=NAMES[0]),
    "GroupsExplorer": lambda kind: kind(
        WORDS, SCORES[NAMES[2]], np.array(NAMES)[PLACE], pos_label=NAMES[0]
    ),
    "MulticlassExplorer": lambda kind: kind(np.array(NAMES)[PLACE], P_CLASSES, classes=list(NAMES)),
}
THEMES = {"desk": Theme(), "lecture": Theme(lecture=True)}


def texts_of(artist):
    """Find the texts of a figure that are drawn."""
    if not artist.get_visible():
        return
    if isinstance(artist, Text) and artist.get_text().strip():
        yield artist
    for child in artist.get_children():
        yield from texts_of(child)


def cut_and_covered(figure):
    """Find the texts that reach beyond a figure, and pairs of texts of which one covers another."""
    figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    (wide, high) = figure.bbox.size
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts_of(figure)]
    covered = [
        text
        for text, first_box in boxes
        if min(first_box.x0, first_box.y0) < 0 or first_box.x1 > wide or first_box.y1 > high
    ]
    for (first, first_box), (other_text, other_box) in combinations(boxes, 2):
        across = min(first_box.x1, other_box.x1) - max(first_box.x0, other_box.x0)
        up = min(first_box.y1, other_box.y1) - max(first_box.y0, other_box.y0)
        # points that coincide have handles that do, with their letters
        if across > 1 and up > 1 and max(len(first), len(other_text)) > 1:
            covered.append((first, other_text))
    return covered


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
@pytest.mark.parametrize("name", OWN)
def test_no_text_of_a_saved_picture_is_cut_or_covered(name, theme):
    kind = getattr(rocviz, name)
    opened = kind()
    own = OWN[name](kind)
    every = tuple(opened.pictures)
    for explorer, panels in ((opened, opened.panels), (own, every[::-1]), (own, every[1:3])):
        explorer.panels = panels
        assert cut_and_covered(explorer.static_figure(theme)) == [], panels
    opened.close()
    own.close()


@pytest.mark.filterwarnings("ignore:Step 1")  # that the text is too long for a hall
@pytest.mark.parametrize("lecture", [False, True])
def test_a_long_text_makes_a_figure_higher(lecture):
    rocviz.set_theme(lecture=lecture)
    heights = []
    for text in ("Few words.", " ".join(NAMES) + ". " + 30 * "Many words. " + 200 * "w"):
        step = Step("A step", text, panels=["roc", "reliability", "brier"])
        story = Story(ROCExplorer(), [step])
        figure = story.static_figure()
        assert cut_and_covered(figure) == []
        heights.append(figure.axes[0].get_position().height * figure.get_figheight())
        story.close()
    assert heights[1] == pytest.approx(heights[0], rel=0.1)


def still_pixels(explorer):
    """Pixels of the still picture, of which some rows at the bottom are the line below it."""
    *_, png = still_picture(explorer)
    return np.rint(255 * imread(io.BytesIO(png))).astype(int)


@pytest.mark.parametrize("name", OWN)
def test_a_still_picture_is_the_figure_and_a_line_below(name):
    explorer = getattr(rocviz, name)()
    figure = explorer.static_figure()
    figure.set_dpi(STILL_DPI)
    figure.canvas.draw()
    whole = np.asarray(figure.canvas.buffer_rgba()).astype(int)
    pixels = still_pixels(explorer)
    assert np.array_equal(pixels[: len(whole)], whole)
    below = (pixels[len(whole) :, :, :3].min(axis=2) < 128).any(axis=1)
    assert below.any()  # with room around it
    assert not below[-1]
    explorer.close()


class Hand:
    """A loop of events whose timers run out one by one, and what it has put on the page."""

    def __init__(self, monkeypatch):
        self.waiting = []
        self.put = []
        monkeypatch.setattr(widget.asyncio, "get_running_loop", lambda: self)
        monkeypatch.setattr(widget, "display", lambda *_, **__: None)
        monkeypatch.setattr(widget, "update_display", lambda *_, **about: self.put.append(about))

    def call_later(self, seconds, act):
        """Do something later, unless it is cancelled."""
        timer = Mock(seconds=seconds, act=act)
        timer.cancel.side_effect = lambda: self.drop(timer)
        self.waiting.append(timer)
        return timer

    def drop(self, timer):
        """Forget a timer, if it is waiting."""
        self.waiting = [other for other in self.waiting if other is not timer]

    def wait(self):
        """Let the next timer run out, and say how long it took."""
        timer = self.waiting[0]
        self.drop(timer)
        timer.act()
        return timer.seconds


def test_a_hand_that_goes_on_is_answered_between_parts_of_the_picture(monkeypatch):
    explorer = ROCExplorer()
    hand = Hand(monkeypatch)
    explorer._picture.show()
    explorer.threshold = 0.31
    assert hand.wait() == widget.STILL_SECONDS
    for _ in range(5):
        assert hand.wait() == widget.PART_SECONDS
    explorer.threshold = 0.42
    assert len(hand.waiting) == 1  # what was drawn is dropped
    assert hand.put == []
    assert hand.wait() == widget.STILL_SECONDS
    parts = 0
    while hand.waiting:
        assert hand.wait() == widget.PART_SECONDS
        parts += 1
    assert parts > 10
    (about,) = hand.put
    assert about["metadata"]["image/png"]["alt"] == explorer.sentence
    assert "0.42" in explorer.sentence
    explorer.threshold = 0.5
    hand.wait()
    explorer.close()
    assert hand.waiting == []


def test_a_component_of_solara_shows_no_still_picture(monkeypatch):
    shown = []
    monkeypatch.setattr(widget, "publish_display_data", shown.append)
    monkeypatch.setattr(widget, "display", lambda bundle, **_: shown.append(bundle))
    contexts = [None, object()]
    core = Mock(get_render_context=lambda required: contexts[-1])
    monkeypatch.setitem(sys.modules, "reacton.core", core)
    explorer = ROCExplorer()
    explorer._picture.show()
    (view,) = shown
    assert view[widget.WIDGET_MIME_TYPE]["model_id"] == explorer.model_id
    contexts.pop()  # a cell of a notebook
    explorer._picture.show()
    assert [sorted(bundle)[0] for bundle in shown[1:]] == [widget.WIDGET_MIME_TYPE, "image/png"]
    explorer.close()


def test_lines_are_as_wide_as_they_may_be():
    for size in (9.0, 16.0):
        text = "a word, another word, and a very" + 40 * "y" + " long one"
        lines = fit_text(text, 12 * size, size, is_bold=True).split("\n")
        widths = [text_width(line, size, is_bold=True) for line in lines]
        assert max(widths) <= 12 * size
        assert "".join("".join(lines).split()) == "".join(text.split())
        for line, after in pairwise(lines):
            more = line + " " + after.split()[0]
            assert text_width(more, size, is_bold=True) > 12 * size
    assert fit_text("one\ntwo", 1000.0, 9.0) == "one\ntwo"
    assert fit_text("", 1000.0, 9.0) == ""
