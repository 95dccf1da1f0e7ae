"""A real Chromium heats, cools and drags the Fermi-Dirac explorer; Python must see it."""

from __future__ import annotations

import pytest
from pictures import LAYOUT, centre, drawn, handle, plot_area, resize


@pytest.fixture(scope="module")
def opened(open_notebook):
    """One explorer on screen for the whole module."""
    book = open_notebook("from rocviz import FermiDiracExplorer\nex = FermiDiracExplorer()\nex")
    book.run_all()
    drawn(book)
    return book


@pytest.fixture
def book(opened):
    """The open explorer as it was at first."""
    resize(opened, 1280)
    opened.theme(False)
    opened.python("ex.reset()")
    opened.settle()
    opened.complaints.clear()
    return opened


@pytest.mark.parametrize(
    ("control", "name", "other"),
    [
        ("AUC", "auc", "temperature"),
        ("prevalence", "prevalence", "chemical_potential"),
        ("temperature", "temperature", "auc"),
        ("chemical potential", "chemical_potential", "prevalence"),
    ],
)
def test_arrow_keys_move_one_description_and_the_other_follows(book, control, name, other):
    before, followed = book.value(f"ex.{name}"), book.value(f"ex.{other}")
    book.page.locator(".widget-slider", has_text=control).locator(".noUi-handle").first.focus()
    for _ in range(6):
        book.page.keyboard.press("ArrowRight")
    book.wait_for_value(f"ex.{name} != {before}")
    book.settle()
    assert book.value(f"ex.{other}") != followed
    assert book.value("ex.sentence") in book.page.locator(".rocviz-sentence").inner_text()
    assert book.complaints == []


def test_the_point_on_the_curve_is_dragged(book):
    left, _top, width, _height = plot_area(book, 2)
    x, y = centre(handle(book, 2))
    book.drag((x, y), (left + 0.3 * width, y))
    book.wait_for_value("abs(ex.auc - 0.3) < 0.02")
    assert book.value("ex.temperature") < 0
    assert book.complaints == []


def test_the_chemical_potential_is_dragged(book):
    left, _top, width, _height = plot_area(book, 0)
    x, y = centre(handle(book, 0))
    book.drag((x, y), (left + 0.7 * width, y))
    book.wait_for_value("ex.prevalence > 0.6")
    assert book.complaints == []


def test_heating_runs_smoothly_and_stops_at_once(book):
    # so slow that even on a busy machine the pause is heard long before the last temperature
    book.python("ex._play.interval = 500; ex._heat.value = 0")
    book.python("seen = []; ex.observe(lambda c: seen.append(c.new), 'auc')")
    play = book.page.locator(".widget-play button")
    play.first.click()
    book.wait_for_value("ex._play.value > 2")
    play.first.click()  # the same button pauses
    book.wait_for_value("not ex._play.playing")
    book.settle()
    stopped = book.value("ex.auc")
    assert 0.5 <= stopped < 1
    # frames came in order, and none arrives after the stop
    seen = book.value("seen")
    assert seen == sorted(seen, reverse=True)
    book.settle()
    assert book.value("ex.auc") == stopped
    assert book.complaints == []


def test_coverage_runs_beside_the_picture_and_is_cancelled(book):
    button = book.page.get_by_role("button", name="simulate coverage")
    book.python("ex.n_samples = 1000; ex.coverage = None")
    button.click()
    stop = book.page.get_by_role("button", name="stop", exact=True)
    stop.click()
    book.wait_for_value("not ex._simulation.is_running")
    assert book.value("ex.coverage is None")
    book.python("ex.n_samples = 50")
    book.page.get_by_role("button", name="simulate coverage").click()
    book.wait_for_value("ex.coverage is not None")
    book.page.wait_for_function(
        "() => document.querySelector('.rocviz-intervals').innerText.includes('%')"
    )
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
