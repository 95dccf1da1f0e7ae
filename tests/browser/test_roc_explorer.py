"""A real Chromium drags the ROC explorer in a real JupyterLab; Python must see it."""

from __future__ import annotations

import shutil

import pytest
from pictures import LAYOUT, centre, drawn, handle, plot_area, resize


@pytest.fixture(scope="module")
def opened(open_notebook, lab, root):
    """The course's first page, run as a student would, for the whole module."""
    name = "00_start_here.ipynb"
    shutil.copy(root / "notebooks" / name, lab.folder / name)
    book = open_notebook(name=name)
    book.run_all()
    drawn(book)
    book.python("ex = explorer")
    return book


@pytest.fixture
def book(opened):
    """The open explorer as it was at first: light, 1280 wide, nothing changed."""
    resize(opened, 1280)
    opened.theme(False)
    opened.python("import rocviz; rocviz.set_theme(lecture=False); ex.reset()")
    if opened.value("ex._open is not None"):
        opened.python("ex._toggle(ex._open)")
    opened.settle()
    opened.page.locator(".rocviz").scroll_into_view_if_needed()
    opened.complaints.clear()
    return opened


def test_the_threshold_is_dragged(book):
    left, _top, width, _height = plot_area(book, 0)
    x, y = centre(handle(book, 0))
    book.drag((x, y), (left + 0.8 * width, y + 5))
    book.wait_for_value("abs(ex.threshold - 0.8) < 0.01")
    assert f"{book.value('ex.threshold'):.3f}" in book.page.locator(".rocviz-sentence").inner_text()
    assert book.complaints == []


def test_the_operating_point_is_dragged_and_snaps(book):
    left, top, width, height = plot_area(book, 1)
    start = centre(handle(book, 1))
    before = book.value("ex.threshold")
    book.drag(start, (left + 0.35 * width, top + 0.3 * height))
    book.wait_for_value(f"ex.threshold < {before} - 0.1")
    book.settle()
    # let go anywhere: what is seen and what is felt both stand on the curve, where Python is
    fpr, tpr = book.value("list(ex.result.operating_point)")
    want = left + fpr * width, top + (1 - tpr) * height
    book.page.wait_for_function(
        """([x, y]) => {
            const dots = [...document.querySelectorAll('.rocviz svg.svg-figure')[1]
                .querySelectorAll('path.dot')].slice(-2);
            return dots.every(d => {
                const r = d.getBoundingClientRect();
                return Math.hypot(r.x + r.width / 2 - x, r.y + r.height / 2 - y) < 2;
            });
        }""",
        arg=list(want),
    )
    # and it can be taken up again from there
    book.drag(want, (left + 0.05 * width, top + 0.5 * height))
    book.wait_for_value("ex.result.operating_point[0] < 0.12")
    assert book.complaints == []


@pytest.mark.parametrize(
    ("control", "name"),
    [
        ("threshold", "threshold"),
        ("cost of a miss : false alarm", "cost_ratio"),
        ("deployment prevalence", "deployment_prevalence"),
    ],
)
def test_arrow_keys_move_the_sliders(book, control, name):
    before, sentences = book.value(f"ex.{name}"), book.page.locator(".rocviz-sentence")
    said = sentences.inner_text()
    slider = book.page.locator(".widget-slider", has_text=control).locator(".noUi-handle")
    slider.focus()
    for _ in range(8):
        book.page.keyboard.press("ArrowRight")
    after = book.wait_for_value(f"ex.{name} if ex.{name} > {before} else 0")
    assert after > before
    if name == "threshold":
        book.page.wait_for_function(
            "said => document.querySelector('.rocviz-sentence').innerText !== said", arg=said
        )
        book.settle()
        assert book.value("ex.sentence") in sentences.inner_text()
    assert book.complaints == []


def test_python_moves_the_picture(book):
    left, top, width, height = plot_area(book, 1)
    book.python("ex.threshold = 0.25; ex.cost_ratio = 10")
    fpr, tpr = book.value("list(ex.result.operating_point)")
    book.page.wait_for_function(
        """([x, y]) => {
            const dots = document.querySelectorAll('.rocviz svg.svg-figure')[1]
                .querySelectorAll('path.dot');
            const r = dots[dots.length - 1].getBoundingClientRect();
            return Math.hypot(r.x + r.width / 2 - x, r.y + r.height / 2 - y) < 2;
        }""",
        arg=[left + fpr * width, top + (1 - tpr) * height],
    )
    assert book.value("ex.sentence") in book.page.locator(".rocviz-sentence").inner_text()
    readout = book.page.locator(".widget-slider", has_text="threshold").locator(".widget-readout")
    assert readout.inner_text().strip() == "0.250"


def test_a_corner_is_clicked_away(book):
    book.python("ex.preset = 'many ties'")
    book.settle()
    before = book.value("len(ex.result.segments)")
    corners = book.page.locator(".rocviz svg.svg-figure").nth(1).locator("path.dot")
    # the third corner: marks before it hold the hull's vertices
    count = book.value("len(ex._roc.vertices.x) if ex._roc.vertices.visible else 0")
    corners.nth(count + 2).click()
    book.wait_for_value(f"len(ex.result.segments) == {before} - 1")
    assert book.value("ex.joined") == [3]
    assert book.complaints == []


def test_neighbouring_circles_are_clicked_together(book):
    book.python("ex.preset = 'many ties'")
    book.settle()
    circles = book.page.locator(".rocviz svg.svg-figure").nth(2).locator("path.dot")
    before = book.value("len(ex.result.segments)")
    places = book.value("[int(list(ex._reliability.order).index(i)) for i in (4, 5)]")
    circles.nth(places[0]).click()
    book.settle()
    assert book.value("len(ex.result.segments)") == before
    circles.nth(places[1]).click()
    book.wait_for_value(f"len(ex.result.segments) == {before} - 1")


def test_buttons_show_code_table_and_reset(book):
    page = book.page
    page.get_by_role("button", name="show code").click()
    page.locator(".rocviz-drawer pre").wait_for()
    assert (
        page.locator(".rocviz-drawer pre").inner_text().strip() == book.value("ex.code()").strip()
    )
    page.get_by_role("button", name="table").click()
    page.locator(".rocviz-drawer table").wait_for()
    assert "precision" in page.locator(".rocviz-drawer table").inner_text()
    page.get_by_role("button", name="table").click()
    page.locator(".rocviz-drawer").wait_for(state="hidden")
    book.python("ex.threshold = 0.9")
    page.get_by_role("button", name="reset").click()
    book.wait_for_value("ex.threshold == 0.5")


def test_hull_and_band_go_and_come(book):
    for name, trait in (("hull", "show_hull"), ("band", "show_band")):
        button = book.page.get_by_role("button", name=name, exact=True)
        button.click()
        book.wait_for_value(f"not ex.{trait}")
        button.click()
        book.wait_for_value(f"ex.{trait}")
    assert book.complaints == []


@pytest.mark.parametrize(("width", "columns"), [(800, 1), (900, 1), (1280, 2), (1920, 4)])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_overlaps_or_is_cut(book, width, columns, dark):
    book.theme(dark)
    resize(book, width)
    seen = book.page.evaluate(LAYOUT)
    boxes = seen["boxes"]
    assert len({round(box[0]) for box in boxes}) == columns
    left, right = seen["root"]
    for i, a in enumerate(boxes):
        assert left - 1 <= a[0] < a[2] <= right + 1
        for b in boxes[i + 1 :]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    for across, down in seen["squares"]:
        assert across == pytest.approx(down, rel=0.12)
        assert across > 200
    assert seen["cut"] == []
    ground = [int(v) for v in seen["ground"][4:-1].split(",")]
    assert (max(ground) < 60) if dark else (min(ground) > 240)
    assert book.complaints == []


def test_the_theme_changes_under_an_open_explorer(book):
    light = book.page.evaluate(LAYOUT)["ink"]
    book.theme(True)
    book.page.wait_for_function(
        "ink => getComputedStyle(document.querySelector('.rocviz')).color !== ink", arg=light
    )


def test_lecture_mode_enlarges_what_is_on_screen(book):
    resize(book, 1920)
    size = "() => parseFloat(getComputedStyle(document.querySelector('.rocviz')).fontSize)"
    assert book.page.evaluate(size) == 14
    book.python("import rocviz; rocviz.set_theme(lecture=True)")
    book.page.wait_for_function(
        "() => parseFloat(getComputedStyle(document.querySelector('.rocviz')).fontSize) === 21"
    )
    book.page.wait_for_function(
        "() => [...document.querySelectorAll('.rocviz svg.svg-figure')][0]"
        ".querySelectorAll('path.dot')[0].getBoundingClientRect().width > 29"
    )
    book.page.wait_for_function(f"() => ({LAYOUT})().cut.length === 0")


def test_the_page_and_the_notebook_keep_a_picture(book, lab):
    book.python("ex.threshold = 0.77; ex.to_html('page.html')")
    book.page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
    page = book.page.context.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((lab.folder / "page.html").as_uri())
    assert "threshold 0.770" in page.locator("h1").inner_text()
    assert page.evaluate("document.images[0].naturalWidth") > 300
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
