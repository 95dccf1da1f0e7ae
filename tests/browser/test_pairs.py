"""The ROC explorer in Chromium: a pair is read out, its threshold dragged, and people drawn."""

from __future__ import annotations

import pytest
from pictures import LAPTOP_SIZE, centre, drawn, handle, into_sight, laid_out, measure, plot_area

pytestmark = pytest.mark.browser

MADE_BY = (
    "ROCExplorer([1] * 4 + [0] * 5, [0.9, 0.7, 0.6, 0.3, 0.8, 0.6, 0.4, 0.2, 0.1], "
    "panels=['pairs', 'scores', 'roc'], show_hull=False)"
)
#: Fill colours of the points that are lit in the picture of scores, from left to right.
LIT_SCRIPT = """() => [...document.querySelectorAll('.rocviz .is-small path.dot')]
    .filter(e => e.getBoundingClientRect().width && /rocviz-text/.test(e.style.stroke))
    .map(e => [e.getBoundingClientRect().x, e.style.fill])
    .sort((a, b) => a[0] - b[0]).map(([, fill]) => fill)"""
#: Whether the hull, once it is there, is drawn at places that change.
SNAP_SCRIPT = """() => { window.places = new Set();
    const look = () => {
        for (const e of document.querySelectorAll('.rocviz .is-large path.line'))
            if (/rocviz-hull/.test(e.style.stroke) && e.getBoundingClientRect().width)
                window.places.add(e.getAttribute('d'));
        requestAnimationFrame(look); };
    look(); }"""


def test_a_cell_is_read_out_and_the_threshold_dragged(open_explorer):
    book = open_explorer(MADE_BY, **LAPTOP_SIZE, file_browser=True)
    page = book.page
    laid_out(book)
    assert measure(book)["complaints"] == []
    left, top, width, height = plot_area(book)
    pad = 0.025 / 1.05

    def at(column, row):
        """Find the middle of a cell, counted from the highest scores on."""
        across = pad + (column + 0.5) / 5 * (1 - 2 * pad)
        up = pad + (row + 0.5) / 4 * (1 - 2 * pad)
        return left + across * width, top + (1 - up) * height

    reading = page.locator(".rocviz .is-large .rocviz-reading")
    for cell, words in (
        ((2, 0), "positive 0.9, negative 0.4: in order"),
        ((1, 2), "positive 0.6, negative 0.6: a tie, which counts half"),
        ((0, 3), "positive 0.3, negative 0.8: out of order"),
    ):
        page.mouse.move(*at(*cell))
        reading.get_by_text(words, exact=True).wait_for()
    assert page.evaluate(LIT_SCRIPT) == ["var(--rocviz-positive)", "var(--rocviz-negative)"]
    page.mouse.move(left + width / 2, top - 30)
    reading.wait_for(state="hidden")
    assert page.evaluate(LIT_SCRIPT) == []
    # the operating point is on the border, and stays there
    book.drag(centre(handle(book)), at(3, 3))
    book.wait_for_value("ex.threshold < 0.5")
    book.settle()
    table = book.value("[ex.result.table.fp, ex.result.table.tp]")
    drawn(book)
    into_sight(book)
    x, y = centre(handle(book))
    assert abs((x - left) / width - (pad + table[0] / 5 * (1 - 2 * pad))) < 0.02
    assert abs(1 - (y - top) / height - (pad + table[1] / 4 * (1 - 2 * pad))) < 0.02
    # the hull comes as a rubber band, and at once where no motion is wanted
    for focus, motion in (
        ("roc", "no-preference"),
        ("pairs", "no-preference"),
        ("pairs", "reduce"),
    ):
        is_moving = motion == "no-preference"
        book.do(f"ex.focus = {focus!r}")
        laid_out(book)
        page.emulate_media(reduced_motion=motion)
        page.evaluate(SNAP_SCRIPT)
        book.do("ex.show_hull = True")
        page.wait_for_function("window.places.size > 0")
        if is_moving:
            page.wait_for_function("window.places.size > 5")
        book.do("ex.show_hull = False")
        if not is_moving:
            assert page.evaluate("window.places.size") == 1
    page.emulate_media(reduced_motion="no-preference")
    assert book.complaints == []


def finger(page, places):
    """Put a finger down, move it from place to place, and lift it."""
    touch = page.context.new_cdp_session(page)
    for kind, place in (("touchStart", places[0]), *(("touchMove", at) for at in places[1:])):
        point = {"x": place[0], "y": place[1]}
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    touch.detach()


def test_people_are_drawn_moved_and_removed(open_explorer):
    book = open_explorer("ROCExplorer(n_samples=50)", **LAPTOP_SIZE, file_browser=True)
    page = book.page
    switch = page.locator('.rocviz [data-control="draw"]')
    if not switch.is_visible():
        page.locator(".rocviz button.fold", has_text="other data").click()
    switch.click()
    book.wait_for_value("ex.draw")
    book.settle()
    into_sight(book)
    laid_out(book)
    assert book.value("ex.focus") == "people"
    assert measure(book)["complaints"] == []
    left, top, width, height = plot_area(book)
    low, high = book.value("ex._panels['people'].picture.x.limits")
    ground = book.value("float(ex._panels['people'].picture['ground'].y[0])")

    def at(score, up):
        """Find the place of a score, and of a height above the line."""
        return left + (score - low) / (high - low) * width, top + (1 - ground - up) * height

    def dot_of(name, score):
        """Find the dot of the one sample with this score."""
        picture = "ex._panels['people'].picture"
        rank = f"sorted(ex.drawn_{name}s, reverse=True).index({score})"
        mark = f"{picture}['{name} people']"
        x, y = book.value(f"(lambda i: [float({mark}.x[i]), float({mark}.y[i])])({rank})")
        return left + (x - low) / (high - low) * width, top + (1 - y) * height

    page.mouse.click(*at(0.92, 0.2))
    book.wait_for_value("len(ex.drawn_positives) == 4")
    book.settle()
    added = book.value("ex.drawn_positives[-1]")
    assert abs(added - 0.92) < 0.02
    book.drag(at(0.1, -0.25), at(0.25, -0.3), steps=8)
    book.wait_for_value("len(ex.drawn_negatives) > 5")
    book.settle()
    n_pairs = book.value("len(ex.drawn_positives) * len(ex.drawn_negatives)")
    page.locator(".rocviz-title", has_text=f"{n_pairs} pairs").wait_for()
    # a drag moves one, and out of the picture removes it
    book.drag(dot_of("positive", added), at(0.03, 0.2), steps=4)
    book.wait_for_value("min(ex.drawn_positives) < 0.1")
    book.settle()
    moved = book.value("min(ex.drawn_positives)")
    book.drag(dot_of("positive", moved), at(1.2, 0.2), steps=4)
    book.wait_for_value("len(ex.drawn_positives) == 3")
    # the handle above the people is no place to draw on
    book.settle()
    drawn_before = book.value("[*ex.drawn_positives, *ex.drawn_negatives]")
    x, y = centre(handle(book))
    book.drag((x, y), (at(0.9, 0)[0], y))
    book.wait_for_value("ex.threshold > 0.8")
    assert book.value("[*ex.drawn_positives, *ex.drawn_negatives]") == drawn_before
    # on a telephone a finger adds one, and flicks it out
    book.file_browser(False)
    page.set_viewport_size({"width": 390, "height": 844})
    laid_out(book)
    page.locator(".rocviz .is-large .plotarea_events").first.scroll_into_view_if_needed()
    laid_out(book)
    left, top, width, height = plot_area(book)
    start = at(0.5, 0.2)  # far from the handle
    finger(page, [start])
    book.wait_for_value("len(ex.drawn_positives) == 4")
    book.settle()
    start = dot_of("positive", book.value("ex.drawn_positives[-1]"))
    finger(page, [start, (start[0], start[1] - 10), (start[0], top - 30)])
    book.wait_for_value("len(ex.drawn_positives) == 3")
    book.do("ex.reset()")
    assert book.value("[ex.draw, ex.result.segments.n_samples]") == [False, 50]
    assert book.complaints == []
