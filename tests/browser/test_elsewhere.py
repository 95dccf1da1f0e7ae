"""Voila and Notebook 7 show all of an explorer too; both come from the server of JupyterLab.

What an explorer says and does is the same there; the page around it is another. Two are enough to
see whether it leaves room: one with curves in all pictures, one with tables. All of them are looked
at in JupyterLab (test_stage.py), and in Voila in the gallery (test_gallery.py).

Voila stands behind a line that can be slow: far from its kernel an explorer follows a hand at once,
and the kernel's answer comes when it can.
"""

from __future__ import annotations

import time

import pytest
from lab import PATIENCE_SECONDS, READY_SCRIPT, RUN_ALL_SCRIPT, Page
from pictures import POLLING_MILLISECONDS, centre, drawn, handle, into_sight, laid_out, measure
from slow_line import SlowLine

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EXPLORERS = ("ROCExplorer", "ScoringListExplorer")
# Messages of Voila about extensions of JupyterLab that it does not use.
ERRORS_OF_VOILA = ("shared module", "shareKey")

# The first explorer records the value in Python.
CELL_SOURCES = (
    """
import rocviz
ex = rocviz.ROCExplorer()
def note(change):
    with open("told.txt", "a", encoding="utf-8") as file: file.write(ex.sentence + "\\n")
ex.observe(note, names=["result"])
ex""",
    "rocviz.ScoringListExplorer()",
)

# The sentence, and the places of all visible elements of the large picture.
SEEN_SCRIPT = """() => document.querySelector('.rocviz-sentence').textContent + [
    ...document.querySelectorAll('.rocviz-panel.is-large .object_grp')].map(e =>
        /fill: transparent/.test(e.innerHTML) ? '' : e.getAttribute('transform')).join()"""


@pytest.fixture(scope="module", params=["voila/render", "notebooks"])
def place(request, lab, page):
    """A page with explorers one below the other: one kernel, loaded once."""
    name = lab.write("two.ipynb", *CELL_SOURCES)
    tab = page.context.new_page()
    tab.set_viewport_size({"width": 1280, "height": 720})
    new_page = Page(tab)
    line = new_page.line = SlowLine(lab.port)
    is_notebook = request.param == "notebooks"
    tab.goto(f"{lab.url if is_notebook else line.url}/{request.param}/{name}")
    if is_notebook:
        tab.wait_for_function(READY_SCRIPT, arg=name, polling=POLLING_MILLISECONDS)
        tab.evaluate(RUN_ALL_SCRIPT)
    new_page.complaints.clear()  # of what comes before the explorers
    for i in range(len(EXPLORERS)):
        tab.locator(".rocviz .rocviz-rail-view").nth(i).wait_for(state="attached")
    tab.bring_to_front()  # a page behind another paints nothing
    yield new_page
    tab.close()
    line.close()


def complaints_of(place):
    """Collect the messages of its console, except Voila's."""
    return [c for c in place.complaints if not any(known in c for known in ERRORS_OF_VOILA)]


def assert_visible(place, i):
    into_sight(place, i)
    drawn(place, i)
    measured = measure(place, i)
    assert measured["complaints"] == []
    assert measured["height"] <= 640


@pytest.mark.parametrize("i", range(len(EXPLORERS)), ids=EXPLORERS)
def test_the_whole_explorer_is_visible(place, i):
    assert_visible(place, i)


@pytest.fixture
def far(place):
    """The same page behind a delay of 75 ms in each direction."""
    into_sight(place)
    laid_out(place)
    place.line.delay = 0.075
    yield place
    place.line.delay = 0.0


def until(place, holds):
    """Let the page paint until something holds."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < end
        place.frames()


def agreed(place, told_in):
    """Wait until the page shows the sentence that Python has."""

    def agree():
        lines = told_in.read_text("utf-8").split("\n")[-2:-1] if told_in.exists() else [""]
        shown = place.page.evaluate("() => document.querySelector('.rocviz-sentence').innerText")
        return ["".join(text.split()) for text in lines] == ["".join(shown.split())]

    until(place, agree)


@pytest.mark.parametrize("place", ["voila/render"], indirect=True)
def test_a_drag_is_followed_before_the_kernel_answers(far, lab):
    line = far.line
    tab = far.page
    told_in = lab.folder / "told.txt"

    def moved(act):
        before = tab.evaluate(SEEN_SCRIPT)
        act()
        tab.wait_for_function(f"before => ({SEEN_SCRIPT})() !== before", arg=before)

    slider = tab.locator('.rocviz [data-control="threshold"] input.track')
    slider.hover()
    tab.locator('.rocviz-rail-view[data-ahead="threshold"]').wait_for()
    assert not told_in.exists()  # observers do not see states that were only recorded

    # From here on the kernel sends nothing: the page shows states sent ahead.
    line.hold()
    grip = handle(far, -1)
    before = centre(grip)
    moved(lambda: slider.press("ArrowRight"))
    until(far, lambda: centre(grip) != before)  # words may change before the picture does
    x, y = centre(grip)
    tab.mouse.move(x, y)
    tab.mouse.down()
    moved(lambda: tab.mouse.move(x + 40, y - 40, steps=4))
    moved(lambda: tab.mouse.move(x + 90, y - 60, steps=4))
    tab.mouse.up()
    line.release()

    # In the end the page shows the value in Python.
    agreed(far, told_in)

    # Where a button leads is sent before it is pressed.
    explorer = tab.locator(".rocviz").first
    explorer.locator("button.fold", has_text="other data").click()
    button = explorer.get_by_role("button", name="new sample")
    button.hover()
    tab.locator('.rocviz-rail-view[data-ahead="new_sample"]').wait_for()
    line.hold()
    moved(button.click)
    line.release()
    agreed(far, told_in)

    # What was sent ahead of one control does not stand in the way of another. In another situation
    # there are marks that the explorer has never shown.
    explorer.locator('[data-control="preset"] select').hover()
    tab.locator('.rocviz-rail-view[data-ahead="preset"]').wait_for()
    message = told_in.read_text("utf-8")
    slider.press("ArrowRight")
    until(far, lambda: told_in.read_text("utf-8") != message)
    agreed(far, told_in)
    assert complaints_of(far) == []


def test_dragging_works_without_console_errors(place, lab):
    told_in = lab.folder / "told.txt"
    into_sight(place)
    laid_out(place)
    shown = place.page.evaluate(SEEN_SCRIPT)
    x, y = centre(handle(place, -1))
    place.page.mouse.move(x, y)
    place.page.mouse.down()
    place.page.mouse.move(x + 60, y - 40, steps=6)
    place.page.mouse.up()
    until(place, lambda: place.page.evaluate(SEEN_SCRIPT) != shown)
    agreed(place, told_in)
    explorer = place.page.locator(".rocviz").first
    box = explorer.locator('[data-control="preset"]')
    inside = place.page.locator('[data-control="preset"]')
    fold = explorer.locator(".fold-box:not(.is-open)", has=inside)
    if fold.count():
        fold.locator("button.fold").click()
    about = explorer.locator(".rocviz-about")
    before = about.inner_text()
    box.locator("select").select_option(index=1)
    about.filter(has_not_text=before).wait_for()
    assert_visible(place, 0)
    assert complaints_of(place) == []
