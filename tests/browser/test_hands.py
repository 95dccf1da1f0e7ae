"""Mouse, keys, fingers and ears: every explorer answers, and Python knows."""

from __future__ import annotations

import pytest
from pictures import centre, drag_handle, drawn, handle, into_sight, laid_out, plot_area

pytestmark = pytest.mark.browser

# explorer, a slider in the rail and its trait, where to drag the large picture's handle, its trait
EXPLORERS = {
    "ROCExplorer": ("threshold", (0.6, 0.95), "threshold"),
    "FermiDiracExplorer": ("temperature", (0.6, 0.55), "chemical_potential"),
    "EnsembleExplorer": ("item", None, None),
    "ScoringListExplorer": ("upper", None, None),
    "DecisionExplorer": ("k", (0.8, 0.5), "k"),
    "LexicographicExplorer": ("smoothing", None, None),
    "RankingLossExplorer": ("a", None, None),
}


@pytest.fixture(scope="module", params=EXPLORERS)
def book(request, open_explorer):
    made = open_explorer(f"{request.param}()", width=1366, height=768, file_browser=True)
    made.explorer = request.param
    return made


def slider_of(book, name):
    """Open the fold a slider is in and return its track."""
    box = book.page.locator(f'.rocviz [data-control="{name}"]')
    inside = book.page.locator(f'[data-control="{name}"]')
    fold = book.page.locator(".rocviz .fold-box", has=inside)
    if fold.count() and "is-open" not in fold.get_attribute("class"):
        fold.locator("button.fold").click()
    return box.locator("input.track")


def test_an_arrow_key_moves_the_trait_and_is_spoken(book):
    name = EXPLORERS[book.explorer][0]
    track = slider_of(book, name)
    track.scroll_into_view_if_needed()
    before = book.value(f"ex._rail.values[{name!r}]['position']")
    last = book.value(f"ex._rail.values[{name!r}]['steps']")
    track.focus()
    track.press("ArrowLeft" if before == last else "ArrowRight")
    book.wait_for_value(f"ex._rail.values[{name!r}]['position'] != {before}")
    text = book.value(f"ex._rail.values[{name!r}]['text']")
    book.page.wait_for_function(
        "([name, text]) => document.querySelector(`.rocviz [data-control='${name}'] input.track`)"
        ".getAttribute('aria-valuetext') === text",
        arg=[name, text],
    )
    assert track.get_attribute("aria-label")
    book.python("ex.reset()")


def test_what_is_typed_is_taken_or_refused_with_a_word(book):
    name = EXPLORERS[book.explorer][0]
    slider_of(book, name)
    field = book.page.locator(f'.rocviz [data-control="{name}"] input.value')
    held = book.value("ex.inputs()['preset'] and repr(ex.inputs())")
    field.fill("0,3")
    field.press("Enter")
    problem = book.page.locator(f'.rocviz [data-control="{name}"] .problem')
    problem.get_by_text("Write decimals with a point").wait_for()
    assert book.value("repr(ex.inputs())") == held
    book.python("ex._rail._problems = {}; ex._rail.refresh()")
    problem.wait_for(state="hidden")


def test_number_keys_and_titles_choose_the_large_picture(book):
    names = book.value("list(ex.panels)")
    book.page.locator(".rocviz").focus()
    book.page.keyboard.press("2")
    book.wait_for_value(f"ex.focus == {names[1]!r}")
    into_sight(book)
    book.page.locator(".rocviz-panel.is-small .rocviz-title").first.click()
    book.wait_for_value(f"ex.focus != {names[1]!r}")
    book.python("ex.reset()")
    book.wait_for_value(f"ex.focus == {names[0]!r}")


def test_a_handle_is_dragged_and_lands_where_its_value_is(book):
    _, place, trait = EXPLORERS[book.explorer]
    if place is None:
        pytest.skip("nothing is dragged in this large picture")
    drawn(book)
    before = book.value(f"ex.{trait}")
    assert book.page.get_by_text("drag", exact=True).first.is_visible()
    cursor = handle(book).evaluate("e => getComputedStyle(e).cursor")
    assert cursor in ("grab", "grabbing")
    drag_handle(book, *place)
    book.wait_for_value(f"ex.{trait} != {before}")
    book.settle()
    if book.value("len(ex._panels[ex.focus].handles)") == 1:
        hint = book.page.locator(".rocviz-panel.is-large").get_by_text("drag", exact=True)
        assert not hint.filter(visible=True).count()
    book.python("ex.reset()")
    assert book.complaints == []


def test_a_finger_drags_as_a_mouse_does(book):
    _, place, trait = EXPLORERS[book.explorer]
    if place is None:
        pytest.skip("nothing is dragged in this large picture")
    if book.value("len(ex._panels[ex.focus].handles)") > 1:
        pytest.skip("a finger is tried where one handle is alone")
    into_sight(book)
    laid_out(book)
    before = book.value(f"ex.{trait}")
    left, top, width, height = plot_area(book)
    x, y = centre(handle(book))
    end = left + place[0] * width, top + (1 - place[1]) * height
    touch = book.page.context.new_cdp_session(book.page)

    def send(kind, *points):
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]},
        )

    send("touchStart", (x, y))
    for i in range(1, 6):
        send("touchMove", (x + (end[0] - x) * i / 5, y + (end[1] - y) * i / 5))
    send("touchEnd")
    book.wait_for_value(f"ex.{trait} != {before}")
    touch.detach()
    book.python("ex.reset()")


def test_screen_readers_find_no_fault(book):
    from axe_playwright_python.sync_playwright import Axe

    for dark in (False, True):
        book.theme(dark)
        laid_out(book)
        found = Axe().run(book.page, context=".rocviz")
        faults = [
            (violation["id"], node["html"][:160])
            for violation in found.response["violations"]
            for node in violation["nodes"]
        ]
        assert faults == []
    book.theme(False)


def test_a_stopped_kernel_leaves_the_stage_whole_and_says_so(book):
    """The last test of an explorer: its kernel is gone afterwards."""
    into_sight(book)
    laid_out(book)
    places = """() => [...document.querySelectorAll('.rocviz .rocviz-panel')]
        .map(e => { const r = e.getBoundingClientRect(); return [r.left, r.width, r.height]; })"""
    before = book.page.evaluate(places)
    book.page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
    )
    book.page.locator(".rocviz.jupyter-widgets-disconnected").wait_for()
    said = book.page.evaluate(
        "() => getComputedStyle(document.querySelector('.rocviz'), '::before').content"
    )
    assert said == '"The kernel has stopped: run this cell again."'
    laid_out(book)
    assert book.page.evaluate(places) == before
