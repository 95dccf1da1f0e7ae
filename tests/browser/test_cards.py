"""Cards with yes and no and the token that walks down a list: dragged and pressed in Chromium."""

from __future__ import annotations

import pytest
from pictures import LAPTOP_SIZE, drawn, into_sight, laid_out, plot_area

pytestmark = pytest.mark.browser


def test_a_case_walks_down_the_list_by_cards_and_by_its_token(open_explorer):
    book = open_explorer("ScoringListExplorer()", **LAPTOP_SIZE, file_browser=True)
    drawn(book)
    into_sight(book)
    laid_out(book)
    card = book.page.locator("[data-control=case] .row").first
    card.get_by_role("button", name="yes").click()
    book.wait_for_value("ex.answers[0] == 1")
    left, top, width, height = plot_area(book)
    picture = 'ex._panels["list"].picture'

    def cell(k):
        x, y = book.value(
            f'[float(v.mean()) for v in ({picture}["cells"].x[{k}], {picture}["cells"].y[{k}])]'
        )
        return left + x / 100 * width, top + (1 - y / 100) * height

    # a press on a cell of the second question sends the token there, a drag to one of the third
    book.page.mouse.click(*cell(4))
    book.wait_for_value("ex.answers == (1, 0, None, None, None)")
    book.settle()
    book.drag(cell(4), cell(8))
    book.wait_for_value("ex.result.walk.totals.tolist() == [0, 1, 1, 1]")
    book.page.keyboard.press("Control+z")
    book.wait_for_value("ex.answers == (1, 0, None, None, None)")
    assert book.complaints == []
