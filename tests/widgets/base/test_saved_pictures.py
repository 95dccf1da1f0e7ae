"""Pictures in files: no text is cut at a border of the figure, and no two texts overlap."""

from __future__ import annotations

import base64
import io
from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from matplotlib.image import imread
from matplotlib.text import Text

import rocviz
from rocviz import ROCExplorer, Step, Story
from rocviz.displays.base.lines import fit_text, text_width
from rocviz.theme import Theme

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


def test_the_line_below_a_still_picture_covers_nothing(monkeypatch):
    explorer = ROCExplorer(panels=["scores", "roc"])
    drawn = []
    figure = explorer.static_figure()
    monkeypatch.setattr(explorer, "static_figure", lambda: figure)
    explorer._picture._draw(explorer, lambda bundle, **_: drawn.append(bundle["image/png"]))
    (line,) = figure.texts
    assert cut_and_covered(figure) == [line.get_text()]  # it stands below the figure,
    picture = imread(io.BytesIO(base64.b64decode(drawn[0])))
    rows = (picture[:, :, :3].min(axis=2) < 0.5).any(axis=1)
    below = round(64 * figure.get_figheight())
    assert rows[below:].any()  # but within the file, with room around it
    assert not rows[-1]
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
