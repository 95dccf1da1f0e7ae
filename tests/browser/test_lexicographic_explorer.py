"""A real Chromium rearranges attributes by keyboard and flips them; Python must see it."""

from __future__ import annotations

import pytest
from pictures import LAYOUT, drawn, resize


@pytest.fixture(scope="module")
def opened(open_notebook):
    """One explorer on screen for the whole module."""
    book = open_notebook("import rocviz\nex = rocviz.LexicographicExplorer()\nex")
    book.run_all()
    drawn(book)
    return book


@pytest.fixture
def book(opened):
    """The open explorer as it was at first."""
    resize(opened, 1280)
    opened.theme(False)
    opened.python("rocviz.set_theme(lecture=False); ex.reset()")
    opened.settle()
    opened.complaints.clear()
    return opened


def focused(book, name):
    """Wait until the keyboard is on the button of this name."""
    book.page.wait_for_function(
        "name => document.activeElement.tagName === 'BUTTON'"
        " && document.activeElement.textContent === name",
        arg=name,
    )


def rows(book):
    """What the rows say, from top to bottom."""
    return book.page.evaluate(
        "() => [...document.querySelectorAll('.rocviz-place')].filter(e => e.offsetHeight)"
        ".map(e => e.querySelector('.rocviz-flip').textContent)"
    )


def wait_for_rows(book, *want):
    book.page.wait_for_function(
        "want => [...document.querySelectorAll('.rocviz-place')].filter(e => e.offsetHeight)"
        ".slice(0, want.length)"
        ".every((e, k) => e.querySelector('.rocviz-flip').textContent === want[k])",
        arg=list(want),
    )


def test_attributes_are_reordered_with_the_keyboard(book):
    keyboard = book.page.keyboard
    book.page.get_by_role("button", name="move A2 up").focus()
    keyboard.press("Tab")
    focused(book, "move A2 down")
    keyboard.press("Enter")
    book.wait_for_value("ex.order == (0, 1)")
    wait_for_rows(book, "A1 = 1", "A2 = 0")
    # the focus has gone with the attribute, so one can go on
    focused(book, "move A2 down")
    keyboard.press("Shift+Tab")
    focused(book, "move A2 up")
    keyboard.press("Space")
    book.wait_for_value("ex.order == (1, 0)")
    focused(book, "move A2 up")
    keyboard.press("Space")  # is the first already
    book.settle()
    assert book.value("ex.order") == [1, 0]
    keyboard.press("Tab")
    keyboard.press("Tab")
    focused(book, "A2 = 0")
    keyboard.press("Enter")
    book.wait_for_value("ex.preferred == (1, 1)")
    wait_for_rows(book, "A2 = 1", "A1 = 1")
    book.page.get_by_text("this order ranks with AUC 0.420").wait_for()
    book.page.locator("svg.rocviz-tree text", has_text="0.444").wait_for()
    assert book.complaints == []


def test_an_attribute_climbs_by_repeated_presses(book):
    book.python("ex.preset = 'breast cancer'")
    book.settle()
    name = book.value("ex.data.attributes[ex.order[3]].name")
    column = book.value("ex.order[3]")
    button = book.page.get_by_role("button", name=f"move {name} up", exact=True)
    button.focus()
    for place in (2, 1, 0):
        book.page.keyboard.press("Enter")
        book.wait_for_value(f"ex.order.index({column}) == {place}")
        focused(book, f"move {name} up")
    assert book.complaints == []


def test_leaving_out_taking_in_and_back_to_lexranks_order(book):
    book.python("ex.preset = 'naive Bayes is better'")
    wait_for_rows(book, "A1 = 1", "A2 = 1", "A3 = 1")
    book.page.get_by_role("button", name="leave out A1").press("Enter")
    book.wait_for_value("ex.order == (1, 2)")
    wait_for_rows(book, "A2 = 1", "A3 = 1", "A1 = 1")
    book.page.get_by_role("button", name="take in A1").press("Enter")
    book.wait_for_value("ex.order == (1, 2, 0)")
    book.page.get_by_role("button", name="LexRank's order").press("Enter")
    book.wait_for_value("ex.order == (0, 1, 2)")
    wait_for_rows(book, "A1 = 1", "A2 = 1", "A3 = 1")
    assert book.complaints == []


def test_all_eight_rankers_are_tried(book):
    chips = book.page.locator(".rocviz-rankers button")
    assert chips.count() == 8
    for k in range(8):
        chips.nth(k).click()
        book.wait_for_value(
            f"bool((ex.result.rankers[{k}].order, ex.result.rankers[{k}].chosen)"
            " == (ex.order, tuple(ex.result.order.preferred.tolist())))"
        )
    book.page.get_by_text("8 of 8 rankers tried, none convex; the best has AUC 0.620").wait_for()
    assert not [text for text in chips.all_inner_texts() if "?" in text]
    book.page.get_by_text("None of the eight lexicographic rankers is convex").wait_for()
    assert book.complaints == []


def test_traits_move_the_picture_and_a_menu_reaches_further(book):
    book.python("ex.order = (0, 1); ex.flip('A1')")
    wait_for_rows(book, "A1 = 0", "A2 = 0")
    book.python("ex.preset = 'breast cancer'")
    book.page.wait_for_function(
        "() => [...document.querySelectorAll('.rocviz-place')].filter(e => e.offsetHeight)"
        ".length === 20"
    )
    last = book.value("ex.condition(ex.order[-1])")
    column = book.value("ex.order[-1]")
    menu = book.page.locator(".widget-dropdown").filter(
        has=book.page.locator("label").get_by_text("bring to the front", exact=True)
    )
    menu.locator("select").select_option(last)
    book.wait_for_value(f"ex.order[0] == {column}")
    wait_for_rows(book, last)
    menu = book.page.locator(".widget-dropdown").filter(
        has=book.page.locator("label").get_by_text("data", exact=True)
    )
    menu.locator("select").select_option("same as naive Bayes")
    book.wait_for_value("len(ex.order) == 3")
    assert book.complaints == []


@pytest.mark.parametrize(("width", "columns"), [(900, 1), (1280, 2), (1920, 4)])
def test_nothing_overlaps_or_is_cut(book, width, columns):
    book.theme(width == 1280)
    for preset in ("twenty instances", "naive Bayes is better", "breast cancer"):
        book.python(f"ex.preset = {preset!r}")
        resize(book, width)
        whole(book, columns)


def test_lecture_mode_keeps_everything_in_its_place(book):
    for preset in ("twenty instances", "breast cancer"):
        book.python(f"rocviz.set_theme(lecture=True); ex.preset = {preset!r}")
        book.page.wait_for_function(
            "() => parseFloat(getComputedStyle(document.querySelector('.rocviz')).fontSize) === 21"
        )
        book.settle()
        whole(book, 2)


def whole(book, columns):
    """Check that panels stand beside one another and no words are cut or cover others."""
    book.page.wait_for_function(f"() => ({LAYOUT})().cut.length === 0")
    boxes = book.page.evaluate(LAYOUT)["boxes"]
    assert len({round(box[0]) for box in boxes}) == columns
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    assert book.page.evaluate(CUT) == []
    assert book.complaints == []


# buttons narrower than their words, and words of the tree that cover one another
CUT = """() => {
    const bad = [...document.querySelectorAll('.rocviz-flip, .rocviz-rankers button')].filter(
        e => e.offsetHeight && e.scrollWidth > e.clientWidth + 1).map(e => e.textContent);
    const words = [...document.querySelectorAll('.rocviz-tree text')].map(
        e => [e.getBoundingClientRect(), e.textContent]);
    words.forEach(([a, s], i) => words.slice(i + 1).forEach(([b, t]) => {
        const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (x > 1 && y > 5) bad.push(s + ' / ' + t);
    }));
    return bad; }"""
