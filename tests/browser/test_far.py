"""Far from its kernel an explorer follows a hand at once; the kernel's answer comes when it can."""

from __future__ import annotations

import time

import pytest
from lab import PATIENCE, Page
from pictures import centre, drawn, handle, into_sight, laid_out
from slow_line import SlowLine

pytestmark = pytest.mark.browser

CELL = """
import rocviz
ex = rocviz.ROCExplorer(panels=["roc", "scores"])
def note(change):
    with open("far.txt", "a", encoding="utf-8") as file: file.write(ex.sentence + "\\n")
ex.observe(note, names=["result"])
ex
"""

# The words of the sentence, and where all that is seen on the large picture stands.
SEEN = """() => document.querySelector('.rocviz-sentence').textContent + [
    ...document.querySelectorAll('.rocviz-panel.is-large .object_grp')].map(e =>
        /fill: transparent/.test(e.innerHTML) ? '' : e.getAttribute('transform')).join()"""


@pytest.fixture
def far(lab, page):
    """Return an explorer in Voila behind a line of 75 ms in each direction, and the line."""
    lab.write("far.ipynb", CELL)
    line = SlowLine(lab.port)
    tab = page.context.new_page()
    tab.set_viewport_size({"width": 1280, "height": 720})
    made = Page(tab)
    tab.bring_to_front()  # a page behind another paints nothing
    tab.goto(f"{line.url}/voila/render/far.ipynb")
    tab.locator(".rocviz .rocviz-rail-view").wait_for()
    drawn(made)
    into_sight(made)
    laid_out(made)
    made.complaints.clear()  # of what comes before the explorer
    line.delay = 0.075
    yield made, line
    tab.close()
    line.close()


def test_a_drag_is_followed_before_the_kernel_answers_and_corrected_when_it_does(far, lab):
    book, line = far
    tab, noted = book.page, lab.folder / "far.txt"

    def moved(act):
        before = tab.evaluate(SEEN)
        act()
        tab.wait_for_function(f"before => ({SEEN})() !== before", arg=before)

    slider = tab.locator('.rocviz [data-control="threshold"] input.track')
    slider.hover()
    tab.locator('.rocviz-rail-view[data-ahead="threshold"]').wait_for()
    assert not noted.exists()  # nobody was told of states that were only recorded

    # From here on nothing comes from the kernel: what moves is what it has sent ahead.
    line.hold()
    moved(lambda: slider.press("ArrowRight"))
    x, y = centre(handle(book, -1))
    tab.mouse.move(x, y)
    tab.mouse.down()
    moved(lambda: tab.mouse.move(x + 40, y - 40, steps=4))
    moved(lambda: tab.mouse.move(x + 90, y - 60, steps=4))
    tab.mouse.up()
    line.release()

    # What Python holds is what is shown in the end.
    def both():
        told = noted.read_text("utf-8").split("\n")[-2:-1] if noted.exists() else [""]
        shown = tab.evaluate("() => document.querySelector('.rocviz-sentence').innerText")
        return ["".join(text.split()) for text in (*told, shown)]

    def agreed():
        end = time.monotonic() + PATIENCE
        while len({*(said := both())}) > 1:
            assert time.monotonic() < end, said
            book.frames()

    agreed()

    # Where a button leads is sent before it is pressed.
    tab.locator("button.fold", has_text="other data").click()
    button = tab.get_by_role("button", name="draw anew")
    button.hover()
    tab.locator('.rocviz-rail-view[data-ahead="draw_anew"]').wait_for()
    line.hold()
    moved(button.click)
    line.release()
    agreed()
    assert book.complaints == []
