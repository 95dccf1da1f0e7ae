"""Cards, the token of a case and the border of leaves: dragged and pressed in Chromium."""

from __future__ import annotations

import pytest
from pictures import LAPTOP_SIZE, centre, drawn, into_sight, laid_out, plot_area

pytestmark = pytest.mark.browser


def test_a_case_walks_down_the_list_by_cards_and_by_its_token(open_explorer):
    book = open_explorer("ScoringListExplorer()", **LAPTOP_SIZE, file_browser=True)
    drawn(book)
    into_sight(book)
    laid_out(book)
    card = book.page.locator("[data-control=case] .row").first
    card.get_by_role("button", name=": no", exact=False).click()
    book.wait_for_value("ex.answers[0] == 0")
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


def test_cards_are_dragged_into_an_order_and_the_border_of_leaves_moves(open_explorer):
    book = open_explorer("LexicographicExplorer()", **LAPTOP_SIZE, file_browser=True)
    drawn(book)
    into_sight(book)
    laid_out(book)
    cards = book.page.locator("[data-control=attributes] .row")
    grips = cards.locator("button.grip")
    x, y = centre(grips.nth(2))
    # the hand is over both neighbours and lets go before the kernel has answered
    book.drag((x, y), (x, centre(cards.nth(0))[1] - 4), steps=1)
    book.wait_for_value("ex.order == (2, 0, 1)")
    book.settle()
    book.page.keyboard.press("Control+z")  # both places at once, for it was one drag
    book.wait_for_value("ex.order == (0, 1, 2)")
    book.settle()
    book.page.keyboard.press("Shift+Control+z")
    book.wait_for_value("ex.order == (2, 0, 1)")
    book.settle()
    grips.nth(0).focus()
    book.page.keyboard.press("ArrowDown")
    book.wait_for_value("ex.order == (0, 2, 1)")
    book.settle()
    book.page.keyboard.press("ArrowDown")  # the focus has moved with the card
    book.wait_for_value("ex.order == (0, 1, 2)")
    cards.nth(1).get_by_role("button", name="prefer not direct").click()
    book.wait_for_value("ex.preferred == (1, 0, 1)")
    book.settle()
    goal = book.value("ex.leaves") + 2
    book.do(f"ex.leaves = {goal}")
    into_sight(book)
    left, top, width, height = plot_area(book)
    border = book.value('float(ex._panels["tree"].picture["leaves"].y[0])')
    book.do("ex.leaves = 1")
    book.page.mouse.click(left + 0.6 * width, top + (1 - border) * height)
    book.wait_for_value(f"ex.leaves == {goal}")
    assert book.complaints == []
