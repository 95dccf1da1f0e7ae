"""A real Chromium clicks classifiers in and out and compares crowds; Python must see it."""

from __future__ import annotations

import pytest
from pictures import LAYOUT, drawn, resize

SETTING = "n_samples=200, n_resamples=20"


@pytest.fixture(scope="module")
def opened(open_notebook):
    """One explorer on screen for the whole module."""
    book = open_notebook(
        f"import rocviz\nex = rocviz.EnsembleExplorer({SETTING})\nex",
    )
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


def press(book, control, key, times):
    """Press a key on a slider's first handle."""
    book.page.locator(".widget-slider", has_text=control).locator(".noUi-handle").first.focus()
    for _ in range(times):
        book.page.keyboard.press(key)


@pytest.mark.parametrize(
    ("control", "name"),
    [
        ("correlation of errors", "correlation"),
        ("classifiers", "n_classifiers"),
        ("true AUCs from, to", "auc_low"),
        ("samples", "n_samples"),
        ("prevalence", "prevalence"),
        ("item, in the crowd's order", "result.place"),
    ],
)
def test_arrow_keys_move_the_sliders(book, control, name):
    before = book.value(f"ex.{name}")
    press(book, control, "ArrowRight", 2)
    book.wait_for_value(f"ex.{name} > {before}")
    book.settle()
    assert book.value("ex.sentence") in book.page.locator(".rocviz-sentence").inner_text()
    assert book.complaints == []


def test_the_item_is_dragged_along_the_ranking(book):
    track = book.page.locator(".widget-slider", has_text="item, in").locator(".noUi-target")
    box = track.bounding_box()
    held = track.locator(".noUi-handle").bounding_box()
    y = held["y"] + held["height"] / 2
    book.drag((held["x"] + held["width"] / 2, y), (box["x"] + 0.98 * box["width"], y))
    book.wait_for_value("ex.result.place > 190")
    book.settle()
    item, evidence = book.value("[ex.item, float(ex.result.item.log_likelihood_ratio[0])]")
    assert evidence < 0
    text = book.page.locator(".rocviz-panel").last.inner_text()
    assert f"item {item}" in text
    assert f"{evidence:+.2f}".replace("-", "−") in text
    assert book.complaints == []


def test_a_click_takes_a_classifier_out_and_in_again(book):
    dots = book.page.locator(".rocviz svg.svg-figure").first.locator("path.dot")
    third = dots.nth(dots.count() - 7 + 2)  # the felt ones come last
    third.click()
    book.wait_for_value("'classifier 3' not in ex.members")
    box = book.page.locator(".rocviz-checks input[type=checkbox]").nth(2)
    book.page.wait_for_function(
        "() => !document.querySelectorAll('.rocviz-checks input[type=checkbox]')[2].checked"
    )
    assert "crowd of 6" in book.page.locator(".rocviz-sentence").inner_text()
    third.click()
    book.wait_for_value("'classifier 3' in ex.members")
    book.page.wait_for_function(
        "() => document.querySelectorAll('.rocviz-checks input[type=checkbox]')[2].checked"
    )
    box.focus()
    book.page.keyboard.press("Space")
    book.wait_for_value("'classifier 3' not in ex.members")
    assert book.complaints == []


def test_the_last_one_cannot_be_taken_out(book):
    book.python("ex.members = [0]")
    book.settle()
    box = book.page.locator(".rocviz-checks input[type=checkbox]").first
    box.click()
    book.page.get_by_text("at least one classifier must be in").wait_for()
    book.page.wait_for_function(
        "() => document.querySelector('.rocviz-checks input[type=checkbox]').checked"
    )
    assert book.value("list(ex.members)") == ["classifier 1"]
    book.python("ex._toggle(ex._open)")


def test_menus_set_traits(book):
    for label, choice, want in (
        ("combined by", "correlation-aware", "ex.method == 'correlation-aware'"),
        ("the last one", "reversed", "ex.odd_one == 'reversed'"),
        ("show", "equal AUCs", "ex.auc_low == ex.auc_high"),
    ):
        menu = book.page.locator(".widget-dropdown", has_text=label).locator("select")
        menu.select_option(choice)
        book.wait_for_value(want)
    assert book.complaints == []


def test_resamples_run_beside_the_picture_and_are_cancelled(book):
    book.python("ex.n_resamples = 5000")
    page = book.page
    page.get_by_role("button", name="compare", exact=True).click()
    book.wait_for_value("ex._comparison.bar.value > 0")
    page.locator(".rocviz-progress").wait_for()
    # the kernel answers while it runs
    press(book, "item, in the crowd's order", "ArrowRight", 1)
    assert book.value("ex._comparison.is_running")
    page.get_by_role("button", name="stop", exact=True).click()
    book.wait_for_value("not ex._comparison.is_running")
    page.locator(".rocviz-progress").wait_for(state="hidden")
    assert book.value("ex.result.experiment is None")
    book.python("ex.n_resamples = 20")
    page.get_by_role("button", name="compare", exact=True).click()
    book.wait_for_value("ex.result.experiment is not None")
    page.get_by_text("20 resamples", exact=False).first.wait_for()
    curves = """() => [...document.querySelectorAll('.rocviz svg.svg-figure')[1]
        .querySelectorAll('path.line')].filter(e => e.getBoundingClientRect().height > 5).length"""
    page.wait_for_function(f"() => ({curves})() > 20")  # a bar for every size and method
    press(book, "correlation of errors", "ArrowRight", 1)
    book.wait_for_value("ex.result.experiment is None")
    assert book.complaints == []


def test_many_steps_in_a_row_end_where_python_left_them(book):
    book.python("for k in range(1, 20): ex.update(correlation=k / 20, auc_low=.3 + k / 50, seed=k)")
    book.settle()
    book.page.wait_for_function(
        "() => document.querySelector('.rocviz-controls').innerText.includes('0.95')"
    )
    book.settle()
    assert book.value("[ex.correlation, ex.auc_low, ex.seed]") == [0.95, 0.68, 19]


@pytest.mark.parametrize(("width", "columns"), [(900, 1), (1280, 2), (1920, 4)])
@pytest.mark.parametrize("preset", ["one reversed", "many weak"])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_overlaps_or_is_cut(book, width, columns, preset, dark):
    book.python(f"ex.preset = {preset!r}; ex.compare()")
    book.theme(dark)
    resize(book, width)
    whole(book, columns)
    assert book.complaints == []


def test_lecture_mode_keeps_everything_in_its_place(book):
    book.python("rocviz.set_theme(lecture=True); ex.preset = 'many weak'; ex.compare()")
    book.page.wait_for_function(
        "() => parseFloat(getComputedStyle(document.querySelector('.rocviz')).fontSize) === 21"
    )
    whole(book, 2)


def whole(book, columns):
    """Check that panels stand beside one another and no words are cut or cover others."""
    book.page.wait_for_function(f"() => ({LAYOUT})().cut.length === 0")
    boxes = book.page.evaluate(LAYOUT)["boxes"]
    assert len({round(box[0]) for box in boxes}) == columns
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
    book.page.wait_for_function(f"() => ({COVERED})().length === 0")
    assert book.page.evaluate(WIDE) == []


# words of the pictures that cover one another
COVERED = """() => [...document.querySelectorAll('.rocviz .bqplot')].flatMap(f => {
    const texts = [...f.querySelectorAll('text.label')].filter(
        t => t.textContent && t.getBoundingClientRect().width
            && getComputedStyle(t).visibility !== 'hidden');
    const boxes = texts.map(t => t.getBoundingClientRect());
    return texts.flatMap((t, i) => texts.slice(i + 1).filter((u, j) => {
        const a = boxes[i], b = boxes[i + 1 + j];
        return a.left < b.right - 1 && b.left < a.right - 1
            && a.top < b.bottom - 4 && b.top < a.bottom - 4; })
        .map(u => t.textContent + ' / ' + u.textContent)); })"""

# cells of the tables whose words are wider than they are
WIDE = """() => [...document.querySelectorAll('.rocviz-matrix td, .rocviz-evidence td')]
    .filter(c => c.scrollWidth > c.clientWidth + 1).map(c => c.textContent)"""
