import os
from pathlib import Path
import pytest
from pictures import drawn, laid_out, lecture_mode
pytestmark = pytest.mark.browser
OUT = Path(os.environ.get("SHOTS", "/tmp/shots48"))
SIZES = [tuple(map(int, s.split("x"))) for s in os.environ.get("SIZES", "1366x768").split(",")]
NAMES = os.environ.get("STORIES", "start").split(",")
LECTURE = bool(os.environ.get("LECTURE"))
@pytest.fixture
def book(open_notebook):
    return open_notebook("", width=1366, height=768)
def test_shots(book):
    OUT.mkdir(exist_ok=True)
    for name in NAMES:
        for w, h in SIZES:
            book.page.set_viewport_size({"width": w, "height": h})
            book.page.emulate_media(reduced_motion="reduce")
            book.show(f"import rocviz\nrocviz.set_theme(lecture={LECTURE})\nfrom rocviz.stories import open_story\nif 'st' in globals(): st.close()\nst = open_story('{name}')\nst")
            book.page.locator(".rocviz-story .tools .next").wait_for()
            n = book.value("len(st.steps)")
            for i in range(n):
                if book.value(f"st.steps[{i}].kind") == "words": continue
                book.do(f"st.show({i})")
                book.page.wait_for_timeout(350)
                book.page.evaluate("() => document.querySelector('.rocviz-story').scrollIntoView()")
                book.frames(4)
                book.page.screenshot(path=OUT / f"{name}-{w}-{i+1:02d}.png")
