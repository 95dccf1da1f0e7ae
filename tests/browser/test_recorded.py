"""A recorded page is dragged from disk, without a kernel or a network."""

from __future__ import annotations

import re

import numpy as np
import pytest
from pictures import sentence

import rocviz

pytestmark = pytest.mark.browser

HOSTILE_TEXT = "<b id='hurt'></script><!--<script>document.title='hurt'</script>\u2028\u2029]]>\\"
THRESHOLDS = np.linspace(0.05, 0.95, 19).round(2)


@pytest.fixture(scope="module")
def explorer():
    """An explorer whose data have a name that would end a script."""
    drawn = rocviz.binormal_scores(300, random_state=1)
    scores = {HOSTILE_TEXT: drawn.y_prob, "other": 1 - drawn.y_prob}
    opened = rocviz.ROCExplorer(drawn.y_true, scores, panels=["roc", "scores", "brier"])
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def path(explorer, tmp_path_factory):
    """The page of a recording of the threshold, in one file."""
    written = tmp_path_factory.mktemp("pages") / "roc.html"
    return explorer.to_html(written, live={"threshold": list(THRESHOLDS), "cost_fn": [1.0, 4.0]})


@pytest.fixture(scope="module")
def recorded(path, offline):
    """The page, opened."""
    offline.page.goto(path.as_uri())
    offline.page.wait_for_selector("body[data-ready=yes]")
    return offline.page


def expected(explorer, **inputs):
    explorer.update(**inputs)
    return explorer.sentence


def test_a_recorded_page_moves_without_a_kernel(recorded, explorer, offline):
    page = recorded
    words = []
    track = page.get_by_role("slider", name="threshold")
    assert sentence(page) == expected(explorer, threshold=0.5)
    # the keyboard goes from one recorded value to the next
    track.focus()
    page.keyboard.press("ArrowRight")
    assert sentence(page) == expected(explorer, threshold=0.55)
    assert page.locator(".unrecorded-words").inner_text() == ""
    # a value that is typed finds the nearest
    typed = page.get_by_role("textbox", name="threshold: type a value")
    typed.fill("71%")
    typed.press("Enter")
    assert sentence(page) == expected(explorer, threshold=0.7)
    assert typed.input_value() == "0.700"
    # the handle on the curve is dragged to a corner: the highest threshold
    box = page.locator(".rocviz-panel.is-large .plotarea_events").bounding_box()
    selected = explorer.result.operating_point
    places = [
        (box["x"] + box["width"] * (0.04 + x) / 1.08, box["y"] + box["height"] * (1.04 - y) / 1.08)
        for x, y in (selected, (0.0, 0.0))
    ]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=6)
    words.append(sentence(page))
    page.mouse.up()
    words.append(sentence(page))
    assert words == [expected(explorer, threshold=0.95)] * 2
    # what the mouse finds has been put back to where the handle is seen
    selected = page.locator(
        '.is-large path.dot[style*="fill: var(--rocviz-selected)"]'
    ).last.bounding_box()
    area = page.locator('.is-large path.dot[style*="fill: transparent"]').last.bounding_box()
    for start, size in (("x", "width"), ("y", "height")):
        middles = [box[start] + box[size] / 2 for box in (selected, area)]
        assert middles[0] == pytest.approx(middles[1], abs=0.5)
    # a fold, another control, the tools
    page.locator("button.fold", has_text="costs").click()
    costs = page.get_by_role("slider", name="cost of a miss (in false alarms)")
    costs.focus()
    page.keyboard.press("End")
    assert sentence(page) == expected(explorer, cost_fn=4.0)
    prevalence = page.get_by_role("slider", name="prevalence in use")
    assert prevalence.is_disabled()
    assert page.get_by_text("Grey controls are not recorded").is_visible()
    table = explorer.result.table
    for tool, shown in (
        ("table", f"{table.tp:.0f} {table.tp + table.fn:.0f}"),
        ("code", "at_threshold(0.95"),
    ):
        page.get_by_role("button", name=tool, exact=True).click()
        sentence(page)
        drawer = page.locator(".rocviz-drawer").inner_text()
        assert re.sub(r"\s", "", shown) in re.sub(r"\s", "", drawer)
    page.keyboard.press("3")
    sentence(page)
    assert page.locator(".rocviz-panel.is-large .rocviz-title").inner_text() == "Brier score"
    page.get_by_role("button", name="reset").click()
    assert sentence(page) == expected(explorer, threshold=0.5, cost_fn=1.0)
    # what came in as a name is a name
    assert page.title() == "ROCExplorer"
    assert page.locator("#hurt").count() == 0
    assert offline.complaints == []


def test_a_press_on_the_large_picture_moves_its_handle(offline, tmp_path):
    explorer = rocviz.LexicographicExplorer(panels=["tree"])
    live = explorer.controls_of_page() | {"order": 2}
    explorer.to_html(tmp_path / "page.html", live=live)
    page = offline.page
    page.goto((tmp_path / "page.html").as_uri())
    page.wait_for_selector("body[data-ready=yes]")
    assert sentence(page) == expected(explorer)
    box = page.locator(".rocviz-panel.is-large .plotarea_events").bounding_box()
    for leaves in (6, 1):
        explorer.leaves = leaves
        (border,) = explorer._panels["tree"].picture["leaves"].y
        page.mouse.click(box["x"] + 0.6 * box["width"], box["y"] + box["height"] * (1 - border))
        assert sentence(page) == expected(explorer)
    explorer.close()
    assert offline.complaints == []


#: What pages say of their colours: the attribute, of which element, its value, whether it is dark.
DECLARATIONS = (
    ("documentElement", "theme", "dark", True),  # pydata-sphinx-theme
    ("documentElement", "theme", "light", False),
    ("body", "theme", "dark", True),  # furo
    ("body", "theme", "auto", False),  # furo, which paints what the browser prefers
    ("documentElement", "bsTheme", "dark", True),  # Bootstrap, as in Shiny and Quarto
)


def test_a_page_in_a_frame_draws_and_is_as_dark_as_what_is_around_it(path, offline):
    """The text of the page is in the frame, as in Streamlit; one frame is a sandbox."""
    tab = offline.page
    tab.set_content("<body style='background: white'><iframe></iframe><iframe></iframe></body>")
    tab.evaluate(
        """text => document.querySelectorAll('iframe').forEach((frame, i) => {
            frame.style = 'width: 900px; height: 320px';
            if (i) frame.sandbox = 'allow-scripts';
            frame.srcdoc = text; })""",
        path.read_text("utf-8"),
    )
    framed, boxed = (
        tab.frame_locator("iframe").nth(i).locator("body[data-ready=yes]") for i in range(2)
    )
    for inner in (framed, boxed):
        inner.locator(".is-large .axis .tick").first.wait_for()
    for element, name, value, is_dark in DECLARATIONS:
        tab.evaluate(
            """([element, name, value]) => {
                delete document.body.dataset.theme; delete document.documentElement.dataset.theme;
                document[element].dataset[name] = value; }""",
            [element, name, value],
        )
        said = framed.get_attribute("data-jp-theme-light")
        assert said == ("false" if is_dark else "true"), (element, name, value)
    assert offline.complaints == []
