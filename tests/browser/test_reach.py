"""What a hand reaches: presses anywhere, points that are read out, undo and redo."""

from __future__ import annotations

import numpy as np
import pytest
from pictures import LAPTOP_SIZE, centre, drawn, handle, laid_out, plot_area, sentence

import rocviz

pytestmark = pytest.mark.browser

#: Puts the explorer into a box of some style; returns the share of the window that it is wide.
WRAP_SCRIPT = """style => {
    const explorer = document.querySelector('.rocviz'), box = document.createElement('div');
    box.style = style;
    explorer.replaceWith(box);
    box.append(explorer);
    const share = explorer.getBoundingClientRect().width / innerWidth;
    box.replaceWith(explorer);
    return share;
}"""
STYLE_SCRIPT = """() => {
    document.documentElement.dir = 'rtl';
    const explorer = document.querySelector('.rocviz');
    const paper = getComputedStyle(explorer).getPropertyValue('--rocviz-paper');
    const probe = document.createElement('div');
    probe.style = `background: ${paper}; forced-color-adjust: none`;
    explorer.append(probe);
    const { direction, backgroundColor } = getComputedStyle(explorer);
    return { direction, paper: backgroundColor, before: getComputedStyle(probe).backgroundColor };
}"""
MADE_BY = "ROCExplorer(panels=['scores', 'roc', 'brier'], focus='scores', threshold=0.5)"


def test_a_hand_reaches_everything_on_a_picture(open_explorer):
    book = open_explorer(MADE_BY, **LAPTOP_SIZE, file_browser=True)
    page = book.page
    laid_out(book)
    left, top, width, height = plot_area(book)

    def at(across, up):
        return left + across * width, top + (1 - up) * height

    # a press far from the handle moves it there, and it follows on
    page.mouse.move(*at(0.25, 0.6))
    page.mouse.down()
    book.wait_for_value("0.1 < ex.threshold < 0.4")
    page.mouse.move(*at(0.8, 0.5), steps=5)
    book.wait_for_value("0.6 < ex.threshold < 0.95")
    page.mouse.up()
    book.settle()
    dragged = book.value("ex.threshold")
    # all of it is one step, back and forward
    page.keyboard.press("Control+z")
    book.wait_for_value("ex.threshold == 0.5")
    page.keyboard.press("Shift+Control+Z")
    book.wait_for_value(f"ex.threshold == {dragged}")
    # a press on the body of a small picture enlarges it
    box = page.locator(".rocviz .is-small .rocviz-figure").first.bounding_box()
    page.mouse.click(box["x"] + 0.85 * box["width"], box["y"] + 0.7 * box["height"])
    book.wait_for_value("ex.focus == 'roc'")
    drawn(book)
    # the nearest point is read out to the mouse, and each to the arrow keys
    left, top, width, height = plot_area(book)
    reading = page.locator(".rocviz .is-large .rocviz-reading")
    x, y = centre(handle(book))
    page.mouse.move(x + 12, y + 12)
    reading.get_by_text("false positive rate").wait_for()
    page.mouse.move(left + width / 2, top - 40)
    reading.wait_for(state="hidden")
    page.locator(".rocviz .is-large .rocviz-figure").focus()
    page.keyboard.press("ArrowRight")
    reading.get_by_text("false positive rate 0.00").wait_for()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Escape")
    reading.wait_for(state="hidden")
    page.get_by_role("button", name="undo", exact=True).click()
    book.wait_for_value("ex.threshold == 0.5")
    page.get_by_role("button", name="undo", exact=True).click()
    page.get_by_text("There is nothing to undo.").wait_for()
    assert book.complaints == []


def test_a_hand_reaches_everything_without_a_kernel(offline, tmp_path):
    samples = rocviz.binormal_scores(60, random_state=1)
    explorer = rocviz.ROCExplorer(samples.y_true, samples.y_prob, panels=["roc"], threshold=0.5)
    path = tmp_path / "roc.html"
    explorer.to_html(path, live={"threshold": list(np.linspace(0.1, 0.9, 9).round(1))})
    page = offline.page
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready=yes]")
    opening = sentence(page)
    page.locator('.is-large path.dot[style*="fill: var(--rocviz-selected)"]').last.wait_for()
    box = page.locator(".rocviz-panel .plotarea_events").bounding_box()
    page.mouse.click(box["x"] + 0.97 * box["width"], box["y"] + 0.03 * box["height"])
    explorer.threshold = 0.1
    assert sentence(page) == explorer.sentence
    page.keyboard.press("Control+z")
    assert sentence(page) == opening
    page.keyboard.press("Control+y")
    assert sentence(page) == explorer.sentence
    explorer.close()
    # on a telephone the picture comes first, and what was not recorded is not there
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator(".rocviz-rail [data-control]:visible").count() == 1
    assert page.locator(".rocviz-rail .fold-box:visible, .rocviz-rail .note:visible").count() == 0
    assert page.locator(".rocviz-panel:visible").bounding_box()["y"] < 844 / 4
    page.set_viewport_size({"width": 1280, "height": 720})
    # the page of others: rows and columns, from right to left, with colours of the system
    for style, least in (
        ("display: flex", 0.9),
        ("display: flex; flex-direction: column", 0.9),
        ("display: inline-flex", 0.6),
        ("width: max-content", 0.6),
        ("display: grid; grid-template-columns: 1fr 1fr", 0.4),
    ):
        assert least <= page.evaluate(WRAP_SCRIPT, style) <= 1.01, style
    page.emulate_media(forced_colors="active")
    styles = page.evaluate(STYLE_SCRIPT)
    page.emulate_media(forced_colors="none")
    assert styles["direction"] == "ltr"
    assert styles["paper"] == styles["before"]


def test_a_recorded_triangle_follows_in_both_of_its_ways(offline, tmp_path):
    explorer = rocviz.MulticlassExplorer(n_samples=90, panels=["triangle", "matrix"])
    path = tmp_path / "triangle.html"
    explorer.to_html(path, live={"point": 28})
    explorer.close()
    page = offline.page
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready=yes]")
    grip = page.locator('.is-large path.dot[style*="fill: var(--rocviz-selected)"]').last
    grip.wait_for()

    def centre_of_grip():
        box = grip.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    box = page.locator(".is-large .plotarea_events").first.bounding_box()
    start = centre_of_grip()
    for across, up in ((-0.16, 0.0), (0.16, 0.02), (0.0, 0.3), (-0.1, -0.12)):
        end = start[0] + across * box["width"], start[1] - up * box["height"]
        page.mouse.move(*centre_of_grip())
        page.mouse.down()
        page.mouse.move(*end, steps=4)
        page.mouse.up()
        reached = centre_of_grip()
        assert reached == pytest.approx(end, abs=0.07 * box["width"]), (across, up)
    assert offline.complaints == []
