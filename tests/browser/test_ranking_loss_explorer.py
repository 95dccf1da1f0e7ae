"""A real Chromium moves the floor, toggles methods and runs the experiment; Python must see it."""

from __future__ import annotations

import pytest
from pictures import LAYOUT, centre, drawn, handle, plot_area, resize


@pytest.fixture(scope="module")
def opened(open_notebook):
    """One explorer on screen for the whole module."""
    book = open_notebook("from rocviz import RankingLossExplorer\nex = RankingLossExplorer()\nex")
    book.run_all()
    drawn(book)
    return book


@pytest.fixture
def book(opened):
    """The open explorer as it was at first."""
    resize(opened, 1280)
    opened.theme(False)
    opened.python("ex._work.stop(); ex._found.clear(); ex.reset(); ex.n_repeats = 20")
    opened.settle()
    opened.complaints.clear()
    return opened


def test_arrow_keys_move_the_floor(book):
    slider = book.page.locator(".widget-slider", has_text="floor a")
    slider.locator(".noUi-handle").first.focus()
    for _ in range(4):
        book.page.keyboard.press("ArrowLeft")
    book.wait_for_value("ex.a == 2 ** -5")
    book.settle()
    said = book.page.locator(".rocviz-sentence").inner_text()
    assert "a = 1/32" in said
    assert book.value("ex.sentence") in said
    assert book.complaints == []


def test_the_floor_is_dragged(book):
    left, _top, width, _height = plot_area(book, 2)
    x, y = centre(handle(book, 2))
    book.drag((x, y), (left + 0.05 * width, y))
    book.wait_for_value("ex.a == 2 ** -9")
    assert book.complaints == []


def test_a_method_is_shown_and_taken_away(book):
    box = book.page.locator(".rocviz-checks .widget-checkbox", has_text="combined").locator("input")
    box.focus()
    book.page.keyboard.press("Space")
    book.wait_for_value("'combined' in ex.methods")
    book.page.get_by_text("▲ combined").first.wait_for()
    book.page.keyboard.press("Space")
    book.wait_for_value("'combined' not in ex.methods")
    assert book.complaints == []


def test_loss_and_calibration_are_chosen(book):
    book.page.get_by_label("isotonic", exact=True).select_option("steps pulled to one half")
    book.wait_for_value("ex.calibration == 'laplace-hull'")
    book.page.get_by_label("pairs lose by").select_option("squared hinge")
    book.wait_for_value("ex.loss == 'squared_hinge'")
    assert book.complaints == []


def test_the_experiment_is_run_and_stopped_and_what_is_done_stays(book):
    book.page.get_by_role("button", name="run the experiment").click()
    book.wait_for_value("ex.result.experiment is not None")
    book.page.get_by_role("button", name="stop", exact=True).click()
    book.wait_for_value("not ex._work.is_running")
    assert 1 <= book.value("ex.result.experiment.a.size") < 5
    book.page.get_by_text("floors done").wait_for()
    book.python("ex.n_repeats = 2")
    book.page.get_by_role("button", name="run the experiment").click()
    book.wait_for_value("ex.result.experiment is not None and ex.result.experiment.a.size == 5")
    book.page.get_by_text("mean of 2 repetitions").wait_for()
    assert book.complaints == []


@pytest.mark.parametrize(("width", "columns"), [(900, 1), (1280, 2), (1920, 4)])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_overlaps_or_is_cut(book, width, columns, dark):
    book.theme(dark)
    resize(book, width)
    book.page.wait_for_function(f"() => ({LAYOUT})().cut.length === 0")
    boxes = book.page.evaluate(LAYOUT)["boxes"]
    assert len({round(box[0]) for box in boxes}) == columns
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    assert book.complaints == []
