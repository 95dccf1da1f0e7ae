"""A real Chromium drags cuts and probabilities, chooses and types metrics; Python must see it."""

from __future__ import annotations

import pytest
from pictures import LAYOUT, centre, drawn, handle, plot_area, resize


@pytest.fixture(scope="module")
def opened(open_notebook):
    """One explorer on screen for the whole module."""
    book = open_notebook("import rocviz\nex = rocviz.DecisionExplorer()\nex")
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


def said(book):
    return book.page.locator(".rocviz-sentence").inner_text().replace("\n", " ")


def slider(book, text):
    found = book.page.locator(".widget-slider:visible", has_text=text)
    return found.locator(".noUi-handle").first


@pytest.mark.parametrize("figure", [0, 1])
def test_the_cut_is_dragged(book, figure):
    left, top, width, height = plot_area(book, figure)
    x, y = centre(handle(book, figure))
    book.drag((x, y), (left + (9 + 0.2 * figure) / 12 * width, y - 5))
    book.wait_for_value("ex.k == 9")
    book.settle()
    # the picture has not moved under the hand, and the sentence and the slider have followed
    assert plot_area(book, figure) == [left, top, width, height]
    assert book.value("ex.sentence") in said(book)
    book.page.get_by_text("the top 9").first.wait_for()
    assert book.page.locator(".widget-readout:visible").first.inner_text() == "9"
    assert book.complaints == []


def test_one_probability_is_dragged_past_others(book):
    left, top, width, height = plot_area(book, 0)
    low = book.value("[ex._probabilities.figure.scale_y.min, ex._probabilities.figure.scale_y.max]")
    last = book.value("float(ex.y_prob[11])")

    def level(p):
        return top + (low[1] - p) / (low[1] - low[0]) * height

    x = left + 11.5 / 12 * width
    book.drag((x, level(last)), (x, level(0.6)))
    book.wait_for_value("bool(abs(ex.y_prob[11] - 0.6) < 0.015)")
    book.settle()
    assert book.value("[ex.item, int(ex.result.truth.order[3])]") == [12, 11]
    assert book.page.get_by_label("sample", exact=True).input_value() == "12"
    # the dots that are felt lie under those that are seen again
    assert book.value("bool((ex._probabilities.items.felt.y == ex.result.truth.prob).all())")
    assert book.complaints == []


@pytest.mark.parametrize(
    ("control", "name", "key"),
    [
        ("called positive, k", "k", "ArrowRight"),
        ("its probability", "probabilities", "ArrowLeft"),
        ("samples", "n_samples", "ArrowLeft"),
        ("prevalence, about", "prevalence", "ArrowRight"),
        ("sharpen log-odds", "sharpen", "ArrowRight"),
        ("shift log-odds", "shift", "ArrowLeft"),
        ("weight of recall", "beta", "ArrowRight"),
    ],
)
def test_arrow_keys_move_the_sliders(book, control, name, key):
    before = book.value(f"ex.{name}")
    slider(book, control).focus()
    for _ in range(2):
        book.page.keyboard.press(key)
    book.wait_for_value(f"ex.{name} != {before!r}")
    book.settle()
    assert book.value("ex.sentence") in said(book)
    assert book.complaints == []


def test_the_metric_is_chosen_and_others_are_compared(book):
    page = book.page
    page.get_by_label("metric", exact=True).select_option("G-TP/PR")
    book.wait_for_value("ex.metric == 'g_tp_pr'")
    page.get_by_text("the expected G-TP/PR is").first.wait_for()
    for name in ("Jaccard", "G-Mean"):
        page.get_by_label(name, exact=True).check()
    book.wait_for_value("ex.compared == ('jaccard', 'g_mean')")
    page.locator(".rocviz svg text.label", has_text="G-Mean").first.wait_for()
    assert book.complaints == []


def test_a_formula_is_typed(book):
    field = book.page.get_by_label("or a formula in u, v, p")
    field.fill("u / (p + v - u)")
    field.press("Enter")
    book.wait_for_value("ex.metric == 'formula'")
    book.page.get_by_text("TP monotonic: more true positives never lower it").wait_for()
    assert book.page.get_by_label("metric", exact=True).input_value() == "your formula"
    field.fill("v - 2*u")
    field.press("Enter")
    book.page.get_by_text("Not TP monotonic").wait_for()
    book.page.get_by_text("the best is not a prefix").wait_for()
    assert book.complaints == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("__import__('os').system('true')", "is not allowed"),
        ("u.__class__", "is an attribute"),
        ("9**9**9**9", "power"),
        ("<img src=x onerror=alert(1)>", "is not allowed"),
    ],
)
def test_a_hostile_formula_is_refused_and_the_picture_stays(book, text, why):
    before = book.value("[ex.metric, ex.formula, ex.k, ex.sentence]")
    field = book.page.get_by_label("or a formula in u, v, p")
    field.fill(text)
    field.press("Enter")
    book.page.locator(".rocviz-refusal", has_text="Refused.").filter(has_text=why).wait_for()
    assert book.value("[ex.metric, ex.formula, ex.k, ex.sentence]") == before
    assert book.page.locator(".rocviz-refusal img").count() == 0
    assert field.input_value() == text
    assert book.complaints == []


def test_situations_come_whole(book):
    """What a control says late, of the situation before, must change nothing."""
    for name, size, want in (
        ("no prefix: a ratio that falls", "all 3", [0.923, 0.815, 0.257]),
        ("very large", "of 100,000", None),
        ("two peaks: F1 is not unimodal", "of 6", [1.0, 0.3, 0.3, 0.3, 0.3, 0.3]),
        ("rare positives", "of 30", None),
    ):
        book.page.get_by_label("show", exact=True).select_option(name)
        # on the page, for it is drawn last; the kernel answers while it still works that out
        book.page.wait_for_function(
            "text => document.querySelector('.rocviz-sentence').innerText.includes(text)",
            arg=f"{size} called positive",
        )
        book.settle()
        assert book.value("ex.sentence") in said(book)
        assert book.value("ex.probabilities") == (want or [])
        assert book.value("ex.k == ex.result.k_star")
    assert book.complaints == []


@pytest.mark.parametrize(("width", "columns"), [(900, 1), (1280, 2), (1920, 4)])
@pytest.mark.parametrize("preset", ["overconfident", "no prefix: a ratio that falls"])
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_overlaps_or_is_cut(book, width, columns, preset, dark):
    book.python(f"ex.preset = {preset!r}; ex.compared = ('am', 'g_mean')")
    book.theme(dark)
    resize(book, width)
    whole(book, columns)
    assert book.complaints == []


def test_lecture_mode_keeps_everything_in_its_place(book):
    book.python("rocviz.set_theme(lecture=True); ex.preset = 'two peaks: F1 is not unimodal'")
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
    wide = "[...document.querySelectorAll('.rocviz-panel')].map(e => e.scrollWidth - e.clientWidth)"
    assert max(book.page.evaluate(wide)) <= 1
