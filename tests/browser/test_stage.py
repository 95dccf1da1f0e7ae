"""Every explorer fits its screen, with nothing cut: laptop, projector, half a screen, dark."""

from __future__ import annotations

import pytest
from pictures import lecture_mode, measure

pytestmark = pytest.mark.browser

EXPLORERS = (
    *("ROCExplorer", "FermiDiracExplorer", "EnsembleExplorer", "ScoringListExplorer"),
    *("DecisionExplorer", "LexicographicExplorer", "RankingLossExplorer"),
)


@pytest.fixture(scope="module", params=EXPLORERS)
def book(request, open_explorer):
    return open_explorer(f"{request.param}()", width=1366, height=768, file_browser=True)


def seen(book, most):
    """Assert that all is in sight and whole, and return the height."""
    found = measure(book)
    assert found["complaints"] == []
    assert found["height"] <= most
    return found["height"]


def test_a_laptop_shows_all_of_every_situation(book):
    heights = {seen(book, 640)}
    for preset in book.value("list(ex.presets)"):
        book.python(f"ex.preset = {preset!r}")
        book.settle()
        heights.add(seen(book, 640))
    assert len(heights) == 1  # nothing that is said or shown moves what stands below
    book.python("ex.reset()")
    for picture in book.value("list(ex.panels)"):
        book.python(f"ex.focus = {picture!r}")
        book.settle()
        seen(book, 640)
    for space in book.value(
        "list(ex.controls()['space'].options) if 'space' in ex.controls() else []"
    ):
        book.python(f"ex.update(space={space!r}, focus='roc', metric='f')")
        book.settle()
        seen(book, 640)
    book.python("ex.reset()")
    book.python("ex.panels = list(ex.pictures)[:2]")
    book.settle()
    seen(book, 640)
    book.python("ex.reset()")
    assert book.complaints == []


def test_a_small_screen_and_half_of_a_large_one(book):
    for width, height, browser in ((1280, 720, True), (960, 1040, False)):
        book.file_browser(browser)
        book.page.set_viewport_size({"width": width, "height": height})
        seen(book, 640)
    book.file_browser(True)
    book.page.set_viewport_size({"width": 1366, "height": 768})


def test_a_hall_shows_all_of_it_in_the_dark(book):
    book.file_browser(False)
    book.page.set_viewport_size({"width": 1920, "height": 1080})
    book.theme(True)
    seen(book, 900)
    assert measure(book)["ground"] == "rgb(17, 20, 24)"
    lecture_mode(book, True)
    try:
        # what needs most room in large type; that every situation fits is measured on a laptop
        book.python(
            "state, said = type(ex).__bases__[0](), {}\n"
            "for state.preset in state.presets: said[state.preset] = len(state.sentence)"
        )
        book.python("ex.preset = max(said, key=said.get)")
        book.settle()
        seen(book, 900)
    finally:
        lecture_mode(book, False)
        book.theme(False)
        book.file_browser(True)
        book.page.set_viewport_size({"width": 1366, "height": 768})
        book.python("ex.reset()")


def test_at_twice_the_size_nothing_is_lost(book):
    """At 200 % a laptop's page is half as wide: the rail lies above the large picture."""
    book.file_browser(False)
    book.page.set_viewport_size({"width": 683, "height": 384})
    found = measure(book)
    assert [c for c in found["complaints"] if "out of sight" not in c] == []
    assert found["width"] <= 683
    book.file_browser(True)
    book.page.set_viewport_size({"width": 1366, "height": 768})


def test_who_asked_for_less_motion_sees_none(book):
    book.page.emulate_media(reduced_motion="reduce")
    try:
        moving = book.page.evaluate(
            """() => [...document.querySelectorAll('.rocviz *')].filter(e => {
                const style = getComputedStyle(e);
                return style.animationName !== 'none' || parseFloat(style.transitionDuration) > 0;
            }).map(e => e.outerHTML.slice(0, 100))"""
        )
    finally:
        book.page.emulate_media(reduced_motion="null")
    assert moving == []
