"""Every explorer fits its screen, with nothing cut: laptop, projector, half a screen, dark."""

from __future__ import annotations

import pytest
from pictures import LAPTOP_SIZE, faults, lecture_mode, measure, measure_scrolled

pytestmark = pytest.mark.browser


def assert_visible(book, most, *, sized=True):
    """Assert that everything is visible and uncut, and return the height."""
    measured = measure(book, sized=sized)
    assert measured["complaints"] == []
    assert measured["height"] <= most
    return measured["height"]


@pytest.fixture
def resized(book):
    """Show the page at another size, without the file browser unless asked; undone at the end."""

    def resize(width, height, *, file_browser=False):
        book.file_browser(file_browser)
        book.page.set_viewport_size({"width": width, "height": height})

    yield resize
    resize(**LAPTOP_SIZE, file_browser=True)


def test_every_preset_fits_a_laptop(book):
    heights = {assert_visible(book, 640)}
    for preset in book.value("list(ex.presets)"):
        book.do(f"ex.preset = {preset!r}")
        heights.add(assert_visible(book, 640, sized=False))
    assert len(heights) == 1  # nothing that is said or shown moves what stands below
    book.python("ex.reset()")
    spaces = book.value("list(ex.controls()['space'].options) if 'space' in ex.controls() else []")
    for i, space in enumerate(spaces):
        book.do(f"ex.update(space={space!r}, focus='roc', metric='f')")
        assert_visible(book, 640, sized=i == 0)
    book.python("ex.reset()")
    # titles beside more pictures than five are shortened
    for some in ("list(ex.pictures)[:2]", "list(ex.pictures)[:5]"):
        book.do(f"ex.panels = {some}")
        assert_visible(book, 640)
    book.do("ex.reset()")
    assert book.complaints == []


def test_explorers_fit_small_screens_and_half_of_a_large_one(book, resized):
    for width, height, browser in ((1280, 720, True), (960, 1040, False)):
        resized(width, height, file_browser=browser)
        assert_visible(book, 640)
    # half of a screen leaves every picture least room
    for picture in book.value("list(ex.panels)[1:]"):
        book.do(f"ex.focus = {picture!r}")
        assert_visible(book, 640)
    book.do("ex.reset()")


@pytest.mark.slow
def test_explorers_fit_a_dark_lecture_hall(book, resized):
    resized(1920, 1080)
    book.theme(True)
    try:
        assert assert_visible(book, 900)
        assert measure(book, sized=False)["ground"] == "rgb(17, 20, 24)"
        assert faults(book, "color-contrast") == []  # the rest is the same in light
        lecture_mode(book, True)
        for i, preset in enumerate(book.value("list(ex.presets)")):
            book.do(f"ex.preset = {preset!r}")
            assert_visible(book, 900, sized=i == 0)  # lecture mode has changed its size
    finally:
        book.do("ex.reset(); rocviz.set_theme(lecture=False)")
        book.theme(False)


#: Rooms that show one picture at a time in large type, and how high an explorer is there.
MEDIUM_ROOMS = {(1440, 900): 740, (1366, 768): 632, (1280, 720): 592}
#: What comes to stand in the rail while one uses it.
FULL_RAIL = {"ScoringListExplorer": "ex.answers = (1, 0, 1, 1, None)"}
#: Parts of the rail that would have to be scrolled.
SCROLLED = """() => [...document.querySelectorAll('.rocviz-rail, .rocviz-rail > .rocviz-rows')]
    .filter(e => e.scrollHeight > e.clientHeight + 1).map(e => e.className)"""


@pytest.mark.slow
def test_one_picture_at_a_time_fits_rooms_of_medium_size_in_large_type(book, resized):
    resized(1440, 900)
    lecture_mode(book, True)
    try:
        for (width, height), most in MEDIUM_ROOMS.items():
            resized(width, height)
            for picture in book.value("list(ex.panels)"):
                book.do(f"ex.focus = {picture!r}")
                assert_visible(book, most)
                assert book.page.locator(".rocviz .rocviz-body:visible").count() == 1
            for preset in book.value("list(ex.presets)"):
                book.do(f"ex.preset = {preset!r}")
                assert_visible(book, most)
            book.do("ex.reset()")
            assert book.page.evaluate(SCROLLED) == []
            if book.explorer in FULL_RAIL:
                book.do(FULL_RAIL[book.explorer])
                assert book.page.evaluate(SCROLLED) == []
                book.do("ex.reset()")
        # no fold opens by itself over the controls
        assert book.page.locator(".rocviz .fold-box > .inside:visible").count() == 0
        fold = book.page.locator(".rocviz button.fold").last
        fold.click()
        left, top, right, bottom = book.page.locator(".fold-box.is-open > .inside").evaluate(
            "e => { const i = e.getBoundingClientRect(), r = e.closest('.rocviz-rail')"
            ".getBoundingClientRect(); return [i.left - r.left, i.top - r.top,"
            " r.right - i.right, r.bottom - i.bottom]; }"
        )
        assert min(left, top, right, bottom) >= 0  # it opens within the rail, above the tabs
        fold.click()
    finally:
        book.do("ex.reset(); rocviz.set_theme(lecture=False)")


def test_nothing_is_lost_at_twice_the_size(book, resized):
    """At 200 % the page of a laptop is half as wide, and the rail lies above the large picture."""
    resized(683, 384)
    measured = measure_scrolled(book)
    assert measured["complaints"] == []
    assert measured["width"] <= 683


def test_reduced_motion_is_respected(book):
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
