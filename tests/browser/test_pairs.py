"""The picture of pairs in Chromium: a cell read out, its people lit, the threshold dragged."""

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
