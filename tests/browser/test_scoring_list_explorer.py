"""A real Chromium walks a case to its stop, drags limits and changes points; Python must see it."""

from __future__ import annotations

import pytest
from pictures import LAYOUT, centre, drawn, plot_area, resize


@pytest.fixture(scope="module")
def opened(open_notebook):
    """One explorer on screen for the whole module."""
    book = open_notebook("import rocviz\nex = rocviz.ScoringListExplorer()\nex")
    book.run_all()
    drawn(book)
    return book


@pytest.fixture
def book(opened):
    """The open explorer as it was at first."""
    resize(opened, 1280)
    opened.theme(False)
    opened.python("rocviz.set_theme(lecture=False); ex.reset()")
    opened.settle()
    opened.complaints.clear()
    return opened


def row(book, k):
    """The row of the k-th question."""
    return book.page.locator(".rocviz-row").nth(k)


def felt(book, figure, from_end):
    """A handle that the mouse feels, counted from the last one drawn on a figure."""
    dots = book.page.locator(".rocviz svg.svg-figure").nth(figure).locator("path.dot")
    return dots.nth(dots.count() - from_end)


def said(book):
    return book.page.locator(".rocviz-sentence").inner_text().replace("\n", " ")


def test_a_case_is_walked_to_its_stop_with_the_keyboard(book):
    keyboard = book.page.keyboard
    row(book, 0).get_by_role("button", name="yes").focus()
    keyboard.press("Enter")
    book.wait_for_value("ex.answers[0] == 1")
    # yes, no, unknown of the first question; yes of the second one, its no
    for _ in range(4):
        keyboard.press("Tab")
    keyboard.press("Space")
    book.wait_for_value("ex.answers[1] == 0")
    for _ in range(2):
        keyboard.press("Tab")
    keyboard.press("Enter")
    book.wait_for_value("ex.result.walk.is_sure")
    book.settle()
    assert book.value("[ex.stage, ex.result.walk.n_asked]") == [3, 3]
    book.page.get_by_text("Stop here, 3 of 4 features asked: at total 2").wait_for()
    assert book.value("ex.sentence") in said(book)
    assert row(book, 3).inner_text().count("not needed") == 1
    assert book.page.locator("td.now").inner_text() == "90"
    assert book.page.locator("td.path").count() == 3
    book.page.get_by_role("button", name="another case").press("Enter")
    book.wait_for_value("ex.answers == (None,) * 4")
    book.page.get_by_text("Ask f3 first.").first.wait_for()
    assert book.complaints == []


def test_a_limit_is_dragged_and_the_case_stops_earlier(book):
    book.python("ex.answers = (1, 0)")
    book.settle()
    assert book.value("ex.result.walk.is_sure") is False
    left, top, width, height = plot_area(book, 0)
    x, y = centre(felt(book, 0, 1))
    assert abs(y - (top + 0.1 * height)) < 3
    book.drag((x, y), (left + 0.5 * width, top + 0.45 * height))
    book.wait_for_value("abs(ex.upper - 0.55) < 0.015")
    book.wait_for_value("ex.result.walk.is_sure")
    book.settle()
    # the sentence has grown longer; the picture has not moved
    assert plot_area(book, 0) == [left, top, width, height]
    # let go beside the line: the handle is at the edge, at the height that Python holds
    want = top + (1 - book.value("ex.upper")) * height
    book.page.wait_for_function(
        """([x, y]) => {
            const dots = [...document.querySelectorAll('.rocviz svg.svg-figure')[0]
                .querySelectorAll('path.dot')].slice(-2);
            return dots.every(d => {
                const r = d.getBoundingClientRect();
                return Math.hypot(r.x + r.width / 2 - x, r.y + r.height / 2 - y) < 2;
            });
        }""",
        arg=[left + width, want],
    )
    slider = book.page.locator(".widget-slider", has_text="stop as positive at")
    assert slider.locator(".widget-readout").inner_text() == f"{book.value('ex.upper'):.0%}"
    # the lower one cannot pass it
    book.drag(centre(felt(book, 0, 3)), (left + width, top + 0.2 * height))
    book.wait_for_value("ex.lower == ex.upper")
    assert book.complaints == []


def test_the_stage_is_dragged_along_the_questions(book):
    left, _top, width, _height = plot_area(book, 1)
    x, y = centre(felt(book, 1, 1))
    book.drag((x, y), (left + 0.28 * width, y - 30))
    book.wait_for_value("ex.stage == 1")
    book.page.locator("h3", has_text="After 1 of 4 questions").wait_for()
    assert book.complaints == []


@pytest.mark.parametrize(
    ("control", "name", "key"),
    [
        ("stop as negative at", "lower", "ArrowRight"),
        ("stop as positive at", "upper", "ArrowLeft"),
        ("cost of a miss : false alarm", "cost_fn", "ArrowRight"),
        ("confidence", "confidence", "ArrowLeft"),
        ("stage", "stage", "ArrowLeft"),
    ],
)
def test_arrow_keys_move_the_sliders(book, control, name, key):
    book.python("ex.preset = 'Marburg Heart Score, synthetic data'")
    before = book.value(f"ex.{name}")
    slider = book.page.locator(".widget-slider:visible", has_text=control)
    slider.locator(".noUi-handle").focus()
    for _ in range(2):
        book.page.keyboard.press(key)
    sign = ">" if key == "ArrowRight" else "<"
    book.wait_for_value(f"ex.{name} {sign} {before}")
    book.settle()
    assert book.value("ex.sentence") in said(book)
    assert book.complaints == []


def test_points_are_changed_by_hand_and_taken_back(book):
    book.python("ex.preset = 'Marburg Heart Score, synthetic data'; ex.answers = (1, 1)")
    book.page.get_by_role("button", name="change points and costs").press("Space")
    book.wait_for_value("ex.editing")
    field = book.page.get_by_label("points of vascular disease")
    field.wait_for()
    field.fill("3")
    field.press("Enter")
    book.wait_for_value("ex.scores[1] == 3")
    book.wait_for_value("bool(ex.result.walk.totals[-1] == 4)")
    book.page.get_by_text("Points were changed by hand").wait_for()
    book.page.locator(".rocviz svg text.label", has_text="as learned").first.wait_for()
    cost = book.page.get_by_label("cost of age and sex")
    cost.fill("20")
    cost.press("Enter")
    book.wait_for_value("ex.feature_costs[0] == 20")
    book.page.get_by_role("button", name="points as learned").click()
    book.wait_for_value("not ex.result.is_edited")
    assert field.input_value() == "1"
    assert book.complaints == []


def test_menus_and_chips_set_traits(book):
    page = book.page
    for label, choice, want in (
        ("list", "Marburg Heart Score, synthetic data", "len(ex.questions) == 5"),
        ("calibration", "beta", "ex.calibration == 'beta'"),
        ("interval", "Wilson", "ex.interval_method == 'wilson'"),
        ("show", "AUC", "ex.quantity == 'auc'"),
    ):
        menu = page.locator(".widget-dropdown").filter(
            has=page.locator("label").get_by_text(label, exact=True)
        )
        menu.locator("select").select_option(choice)
        book.wait_for_value(want)
    for chip, want in (
        ("risk-averse", "ex.risk_averse"),
        ("stop by interval", "ex.by_interval"),
        ("all totals together", "not ex.simultaneous"),
    ):
        page.get_by_role("button", name=chip).click()
        book.wait_for_value(want)
    assert book.complaints == []


def test_lists_of_other_lengths_come_and_go(book):
    """What a control says late, of a list that is gone, must change nothing."""
    for name, size in (("synthetic chest pain", 10), ("worked example", 4), ("breast cancer", 7)):
        book.python(f"ex.preset = {name!r}; ex.answers = (1, 0, 1)")
        book.settle()
        rows = "() => [...document.querySelectorAll('.rocviz-row')].filter(e => e.offsetHeight)"
        book.page.wait_for_function(f"n => ({rows})().length === n", arg=size)
        book.settle()
        assert book.value("[ex.stage, list(ex.answers[:3])]") == [
            book.value("ex.result.walk.stage"),
            [1, 0, 1],
        ]
    assert book.complaints == []


@pytest.mark.parametrize(("width", "columns"), [(900, 1), (1280, 2), (1920, 4)])
@pytest.mark.parametrize(
    ("preset", "dark"),
    [("worked example", False), ("synthetic chest pain", True), ("breast cancer", False)],
)
def test_nothing_overlaps_or_is_cut(book, width, columns, preset, dark):
    book.python(f"ex.preset = {preset!r}; ex.answers = (1, 0)")
    book.theme(dark)
    resize(book, width)
    whole(book, columns)
    assert book.complaints == []


def test_lecture_mode_keeps_everything_in_its_place(book):
    book.python(
        "rocviz.set_theme(lecture=True); ex.preset = 'synthetic chest pain'; ex.answers = (1, 0)"
    )
    book.page.wait_for_function(
        "() => parseFloat(getComputedStyle(document.querySelector('.rocviz')).fontSize) === 21"
    )
    whole(book, 2)
    book.python("ex.editing = True")
    book.page.get_by_label("points of age and sex").wait_for()
    whole(book, 2)


def whole(book, columns):
    """Check that panels stand beside one another and no words are cut or cover others."""
    book.page.wait_for_function(f"() => ({LAYOUT})().cut.length === 0")
    boxes = book.page.evaluate(LAYOUT)["boxes"]
    assert len({round(box[0]) for box in boxes}) == columns
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    assert book.page.evaluate(CUT) == []


# numbers wider than their cells, and rows or tables wider than their panels
CUT = """() => [
    ...[...document.querySelectorAll('.rocviz-list td')].filter(
        c => parseFloat(getComputedStyle(c).fontSize) && c.scrollWidth > c.clientWidth + 1),
    ...[...document.querySelectorAll('.rocviz-row, .rocviz-scroll, .rocviz-case')].filter(
        c => c.scrollWidth > c.clientWidth + 1),
].map(c => c.className + ': ' + c.textContent)"""
