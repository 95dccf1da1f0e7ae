"""The page of ``rocviz app``: stories and explorers in Voila, dark where the browser is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from lab import Page
from pictures import drawn, measure

import rocviz
from rocviz.stories.gallery import EXPLORER_CARDS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: Place of the open card among the elements of rocviz on the page, the menu included.
PLACE_SCRIPT = (
    "[...document.querySelectorAll('.rocviz')].findIndex(e => e.querySelector('.rocviz-stage'))"
)
ERRORS_OF_VOILA = ("shared module", "shareKey")


def test_the_gallery_in_voila(lab, page):
    notebook = Path(rocviz.__file__).parent / "stories" / "gallery.ipynb"
    shutil.copy(notebook, lab.folder / notebook.name)
    context = page.context.browser.new_context(
        color_scheme="dark", reduced_motion="reduce", viewport={"width": 1280, "height": 720}
    )
    tab = context.new_page()
    new_page = Page(tab)
    tab.goto(f"{lab.url}/voila/render/{notebook.name}")
    tab.locator(".card").first.wait_for()
    new_page.complaints.clear()  # of what comes before the gallery

    def in_sight():
        for width, height in ((1920, 1080), (1280, 720)):
            tab.set_viewport_size({"width": width, "height": height})
            new_page.frames()
            assert tab.evaluate("() => document.documentElement.scrollHeight <= innerHeight")

    in_sight()
    tab.get_by_role("button", name="Start here").click()
    title = tab.locator(".rocviz-story-bar .title")
    tab.locator(".question", has_text="Who should be treated?").wait_for()
    tab.keyboard.press("PageDown")
    title.filter(has_text="A score is not yet").wait_for()
    tab.keyboard.press("PageDown")
    title.filter(has_text="Two classes").wait_for()
    paper = tab.locator(".rocviz-stage").evaluate(
        "e => getComputedStyle(e.closest('.rocviz')).backgroundColor"
    )
    assert paper == "rgb(17, 20, 24)"
    tab.keyboard.press("PageDown")
    tab.locator(".question", has_text="Everyone whose score is at least one half").wait_for()
    tab.keyboard.press("PageDown")
    title.filter(has_text="A threshold makes").wait_for()
    # a question waits, and the picture with it; its title would answer it
    words = tab.locator(".rocviz-sentence")
    value = tab.locator("input.value").first
    before = value.input_value()
    tab.keyboard.press("PageDown")
    tab.locator(".question", has_text="The threshold goes down").wait_for()
    assert value.input_value() == before
    assert not title.is_visible()
    tab.get_by_role("button", name="More of both").click()
    title.filter(has_text="A lower threshold").wait_for()
    tab.wait_for_function(
        "() => document.querySelector('.rocviz-story input.value').value === '0.200'"
    )
    in_sight()
    # for a hall: the bar and the explorer below it
    type_size = "e => getComputedStyle(e).fontSize"
    small = title.evaluate(type_size), words.evaluate(type_size)
    size = tab.get_by_role("button", name="large type")
    size.click()
    tab.wait_for_function("document.querySelectorAll('.rocviz-lecture').length >= 3")
    large = title.evaluate(type_size), words.evaluate(type_size)
    assert all(float(b[:-2]) > 1.2 * float(a[:-2]) for a, b in zip(small, large, strict=True))
    in_sight()
    size.click()
    for explorer, (card, _) in EXPLORER_CARDS.items():
        tab.get_by_role("button", name="all stories").click()
        tab.locator(".rocviz-stage").wait_for(state="detached")  # of what was open before
        tab.get_by_role("button", name=card).last.click()  # those before are stories
        tab.locator(".rocviz-rail-view").wait_for()
        place = tab.evaluate(PLACE_SCRIPT)
        drawn(new_page, place)
        assert measure(new_page, place)["complaints"] == [], explorer
        in_sight()
    context.close()
    assert [
        c for c in new_page.complaints if not any(known in c for known in ERRORS_OF_VOILA)
    ] == []
