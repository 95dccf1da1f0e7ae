"""People are dragged over a threshold on a recorded page: they fill, and fly to their cells."""

import numpy as np
import pytest
from pictures import centre, sentence

import rocviz

pytestmark = pytest.mark.browser

THRESHOLDS = list(np.linspace(0.1, 0.9, 17).round(2))

# Of each group of people: how many are filled, and where all are, in the page's order.
PEOPLE_SCRIPT = """() => [...document.querySelectorAll('.is-large .rocviz-people')].map(group =>
    [...group.children].map(one => [
        getComputedStyle(one).fill !== 'none',
        +one.getAttribute('cx'), +one.getAttribute('cy')]))"""


@pytest.fixture(scope="module")
def explorer():
    drawn = rocviz.binormal_scores(120, separation=1.5, random_state=2)
    y_true = np.array(["healthy", "ill"])[drawn.y_true.astype(int)]
    opened = rocviz.ROCExplorer(
        y_true, drawn.y_prob, pos_label="ill", panels=["people", "roc", "brier"], show_band=False
    )
    yield opened
    opened.close()


def have_landed(groups, marks):
    """Check whether all people are where the picture has them."""
    for group, mark in zip(groups, marks, strict=True):
        assert len(group) == mark.x.size
        for places, of_mark in ((1, mark.x), (2, mark.y)):
            seen = [one[places] for one in group]
            if abs(np.corrcoef(of_mark, seen)[0, 1]) < 1 - 1e-6:
                return False
    return True


def take_to_the_left(page):
    """Drag the threshold to low scores, and do not let it go."""
    handle = page.locator('.is-large path.dot[style*="fill: var(--rocviz-selected)"]').last
    x, y = centre(handle)
    ends = page.locator(".is-large .plotarea_events").bounding_box()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(ends["x"] + 0.15 * ends["width"], y, steps=5)


def test_who_is_dragged_over_fills_and_flies_to_another_cell(explorer, offline, tmp_path):
    path = tmp_path / "people.html"
    explorer.to_html(path, live={"threshold": THRESHOLDS})
    page = offline.page
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready=yes]")
    page.wait_for_selector(".is-large .rocviz-people circle")
    before = sentence(page)
    take_to_the_left(page)
    page.mouse.up()
    assert sentence(page) != before
    shown = float(page.get_by_role("textbox", name="threshold: type a value").input_value())
    assert shown in THRESHOLDS
    assert shown < 0.5
    explorer.threshold = shown
    table = explorer.result.table
    expected = [table.tp, table.fp, table.tp, table.fp]
    picture = explorer._panels["people"].picture
    marks = [
        picture[f"{role} {part}"]
        for part in ("cells", "people")
        for role in ("positive", "negative")
    ]
    groups = page.evaluate(PEOPLE_SCRIPT)
    for _ in range(400):  # those who fly arrive in their cells
        if have_landed(groups, marks):
            break
        page.wait_for_timeout(50)
        groups = page.evaluate(PEOPLE_SCRIPT)
    assert have_landed(groups, marks)
    assert [sum(filled for filled, *_ in group) for group in groups] == expected
    # on a low screen, in a page with margins, the picture has all of the width
    before = page.viewport_size
    page.evaluate("document.body.style.padding = '0 30px'")
    page.set_viewport_size({"width": 722, "height": 390})
    explorer_box, picture_box = (
        page.locator(f".rocviz{part}").first.bounding_box() for part in ("", " .is-large")
    )
    page.set_viewport_size(before)
    assert explorer_box["width"] < 700
    assert picture_box["width"] > 0.9 * explorer_box["width"]
    assert offline.complaints == []


#: Count how often people get another place.
COUNT_SCRIPT = """() => {
    window.moves = 0;
    const observer = new MutationObserver((changes) => { window.moves += changes.length; });
    for (const group of document.querySelectorAll('.is-large .rocviz-people'))
        observer.observe(group, { attributes: true, attributeFilter: ['cx'], subtree: true }); }"""


def test_people_fly_once_the_handle_is_let_go(explorer, offline, tmp_path):
    explorer.threshold = 0.5
    path = tmp_path / "flight.html"
    explorer.to_html(path, live={"threshold": THRESHOLDS})
    page = offline.page
    page.emulate_media(reduced_motion="no-preference")
    try:
        page.goto(path.as_uri())
        page.wait_for_selector("body[data-ready=yes]")
        page.wait_for_selector(".is-large .rocviz-people circle")
        take_to_the_left(page)
        page.wait_for_timeout(400)  # longer than a flight takes
        page.evaluate(COUNT_SCRIPT)
        page.wait_for_timeout(100)
        assert page.evaluate("window.moves") == 0
        page.mouse.up()
        page.wait_for_function("window.moves > 0")
        # so it is with the slider
        box = page.locator('[data-control="threshold"] input.track').bounding_box()
        middle = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + 0.15 * box["width"], middle)
        page.mouse.down()
        page.mouse.move(box["x"] + 0.6 * box["width"], middle, steps=5)
        page.wait_for_timeout(400)
        page.evaluate("window.moves = 0")
        page.wait_for_timeout(100)
        assert page.evaluate("window.moves") == 0
        page.mouse.up()
        page.wait_for_function("window.moves > 0")
    finally:
        page.emulate_media(reduced_motion="reduce")


#: The middle of a dot on the screen, by its class and its number in the page's order.
DOT_SCRIPT = """([group, i]) => {
    const dots = document.querySelectorAll('.is-large .rocviz-people')[group].children;
    const { left, top, width, height } = dots[i].getBoundingClientRect();
    return [left + width / 2, top + height / 2]; }"""


def test_a_long_press_and_a_pointer_read_out_a_person(explorer, offline, tmp_path):
    explorer.threshold = 0.5
    path = tmp_path / "read.html"
    explorer.to_html(path, live={"threshold": THRESHOLDS})
    page = offline.page
    page.goto(path.as_uri())
    page.wait_for_selector("body[data-ready=yes]")
    page.wait_for_selector(".is-large .rocviz-people circle")
    reading = page.locator(".is-large .rocviz-reading")
    opening = sentence(page)
    picture = explorer._panels["people"].picture
    marks = [
        picture[f"{role} {part}"]
        for part in ("cells", "people")
        for role in ("positive", "negative")
    ]
    for group, mark in enumerate(marks):
        x, y = page.evaluate(DOT_SCRIPT, [group, 0])
        page.mouse.move(x, y)
        expected = mark.readings[0 if mark.n_filled else -1].replace("{x}", f"{mark.x[0]:#.2g}")
        reading.get_by_text(expected, exact=True).wait_for()
    assert expected.startswith("healthy, predicted ")
    # a finger that stays reads out, also once it is lifted, and moves no handle
    page.mouse.move(2, 2)
    reading.wait_for(state="hidden")
    last = marks[2]
    x, y = page.evaluate(DOT_SCRIPT, [2, last.x.size - 1])
    touch = page.context.new_cdp_session(page)

    def send(kind, *points):
        points = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    send("touchStart", (x, y))
    reading.get_by_text("ill, predicted healthy, score about").wait_for()
    send("touchEnd")
    assert reading.is_visible()
    assert sentence(page) == opening
    # a tap moves the threshold, and what was read out is gone
    send("touchStart", (x, y))
    reading.wait_for(state="hidden")
    send("touchEnd")
    page.wait_for_function(
        "opening => document.querySelector('.rocviz-sentence').innerText.trim() !== opening",
        arg=opening,
    )
    touch.detach()
    assert offline.complaints == []
