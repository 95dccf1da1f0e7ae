"""A real Chromium drags the ROC explorer in a real JupyterLab; Python must see it."""

from __future__ import annotations

import pytest

CELL = """
import sys; sys.path[:0]=['/tmp']; import fakebands
from rocviz import ROCExplorer
ex = ROCExplorer(preset="good", n_samples=400)
ex
"""


def show(open_notebook, *cells, **kwargs):
    """Open and run cells; return the notebook once the explorer is drawn."""
    book = open_notebook(*(cells or (CELL,)), **kwargs)
    book.run_all()
    book.page.locator(".rocviz svg.svg-figure").nth(2).wait_for()
    book.page.wait_for_function(
        "() => [...document.querySelectorAll('.rocviz .bqplot')].every(f =>"
        "f.querySelectorAll('.axis .tick').length > 4 && f.querySelector('.element')"
        " && f.querySelector('.plotarea_events').getBoundingClientRect().width > 100)"
    )
    return book


def centre(locator):
    """Middle of an element on the page."""
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def plot_area(book, i):
    """Left, top, width, height of the square inside the axes of the i-th figure."""
    return book.page.evaluate(
        """i => {
            const r = document.querySelectorAll('.rocviz .plotarea_events')[i]
                .getBoundingClientRect();
            return [r.x, r.y, r.width, r.height];
        }""",
        i,
    )


def handle(book, i):
    """The handle of the i-th figure that the mouse feels."""
    return book.page.locator(".rocviz svg.svg-figure").nth(i).locator("path.dot").last


def test_the_threshold_is_dragged(open_notebook):
    book = show(open_notebook)
    book.page.locator(".rocviz").scroll_into_view_if_needed()
    left, _top, width, _height = plot_area(book, 0)
    x, y = centre(handle(book, 0))
    book.drag((x, y), (left + 0.8 * width, y + 5))
    book.wait_for_value("abs(ex.threshold - 0.8) < 0.01")
    assert f"{book.value('ex.threshold'):.3f}" in book.page.locator(".rocviz-sentence").inner_text()
    assert book.complaints == []


def test_the_operating_point_is_dragged_and_snaps(open_notebook):
    book = show(open_notebook)
    book.page.locator(".rocviz").scroll_into_view_if_needed()
    left, top, width, height = plot_area(book, 1)
    start = centre(handle(book, 1))
    before = book.value("ex.threshold")
    book.drag(start, (left + 0.35 * width, top + 0.3 * height))
    book.wait_for_value(f"ex.threshold < {before} - 0.1")
    book.settle()
    # let go anywhere: what is seen and what is felt both stand on the curve, where Python is
    fpr, tpr = book.value("list(ex.result.operating_point)")
    want = left + fpr * width, top + (1 - tpr) * height
    book.page.wait_for_function(
        """([x, y]) => {
            const dots = [...document.querySelectorAll('.rocviz svg.svg-figure')[1]
                .querySelectorAll('path.dot')].slice(-2);
            return dots.every(d => {
                const r = d.getBoundingClientRect();
                return Math.hypot(r.x + r.width / 2 - x, r.y + r.height / 2 - y) < 2;
            });
        }""",
        arg=list(want),
    )
    # and it can be taken up again from there
    book.drag(want, (left + 0.05 * width, top + 0.5 * height))
    book.wait_for_value("ex.result.operating_point[0] < 0.12")
    assert book.complaints == []
