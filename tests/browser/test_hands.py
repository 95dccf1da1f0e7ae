"""Mouse, keys, fingers and ears: every explorer answers, and Python knows."""

from __future__ import annotations

from functools import partial

import pytest
from pictures import centre, drawn, handle, into_sight, laid_out, plot_area

pytestmark = pytest.mark.browser

# explorer, a slider in the rail and its trait
EXPLORERS = {
    "ROCExplorer": "threshold",
    "FermiDiracExplorer": "temperature",
    "EnsembleExplorer": "item",
    "ScoringListExplorer": "upper",
    "DecisionExplorer": "k",
    "LexicographicExplorer": "smoothing",
    "RankingLossExplorer": "a",
}

# every handle: the picture it is in, which of those in it (the last is drawn above all others),
# where to drag it, and the trait it moves, which the control named after it moves too
HANDLES = {
    "ROCExplorer": [
        ("roc", -1, (0.6, 0.95), "threshold", "threshold"),
        ("scores", -1, (0.7, 0.9), "threshold", "threshold"),
        ("space", -1, (0.3, 0.9), "threshold", "threshold"),
    ],
    "FermiDiracExplorer": [
        ("levels", -1, (0.6, 0.55), "chemical_potential", "chemical_potential"),
        ("coldness", -1, (0.3, 0.5), "auc", "auc"),
    ],
    "ScoringListExplorer": [
        ("stage", 0, (0.5, 0.3), "lower", "lower"),
        ("stage", -1, (0.5, 0.7), "upper", "upper"),
        ("curves", -1, (0.5, 0.5), "stage", "stage"),
    ],
    "DecisionExplorer": [
        ("probabilities", -1, (0.8, 0.5), "k", "k"),
        ("probabilities", 0, (0.5, 0.3), "probabilities", "item_probability"),
        ("utilities", -1, (0.8, 0.5), "k", "k"),
    ],
    "RankingLossExplorer": [
        ("links", -1, (0.3, 0.4), "a", "a"),
        ("errors", -1, (0.3, 0.8), "a", "a"),
    ],
}


@pytest.fixture(scope="module", params=EXPLORERS)
def book(request, open_explorer):
    made = open_explorer(f"{request.param}()", width=1366, height=768, file_browser=True)
    made.explorer = request.param
    return made


def slider_of(book, name):
    """Open the fold a slider is in and return its track."""
    box = book.page.locator(f'.rocviz [data-control="{name}"]')
    inside = book.page.locator(f'[data-control="{name}"]')
    fold = book.page.locator(".rocviz .fold-box", has=inside)
    if fold.count() and "is-open" not in fold.get_attribute("class"):
        fold.locator("button.fold").click()
    return box.locator("input.track")


def test_an_arrow_key_moves_the_trait_and_is_spoken(book):
    name = EXPLORERS[book.explorer]
    track = slider_of(book, name)
    track.scroll_into_view_if_needed()
    before = book.value(f"ex._rail.values[{name!r}]['position']")
    last = book.value(f"ex._rail.values[{name!r}]['steps']")
    track.focus()
    track.press("ArrowLeft" if before == last else "ArrowRight")
    book.wait_for_value(f"ex._rail.values[{name!r}]['position'] != {before}")
    text = book.value(f"ex._rail.values[{name!r}]['text']")
    book.page.wait_for_function(
        "([name, text]) => document.querySelector(`.rocviz [data-control='${name}'] input.track`)"
        ".getAttribute('aria-valuetext') === text",
        arg=[name, text],
    )
    assert track.get_attribute("aria-label")
    book.python("ex.reset()")


def test_what_is_typed_is_taken_or_refused_with_a_word(book):
    name = EXPLORERS[book.explorer]
    slider_of(book, name)
    field = book.page.locator(f'.rocviz [data-control="{name}"] input.value')
    held = book.value("ex.inputs()['preset'] and repr(ex.inputs())")
    field.fill("0,3")
    field.press("Enter")
    problem = book.page.locator(f'.rocviz [data-control="{name}"] .problem')
    problem.get_by_text("Write decimals with a point").wait_for()
    assert book.value("repr(ex.inputs())") == held
    book.python("ex._rail._problems = {}; ex._rail.refresh()")
    problem.wait_for(state="hidden")


def test_number_keys_and_titles_choose_the_large_picture(book):
    names = book.value("list(ex.panels)")
    book.page.locator(".rocviz").focus()
    book.page.keyboard.press("2")
    book.wait_for_value(f"ex.focus == {names[1]!r}")
    into_sight(book)
    book.page.locator(".rocviz-panel.is-small .rocviz-title").first.click()
    book.wait_for_value(f"ex.focus != {names[1]!r}")
    book.python("ex.reset()")
    book.wait_for_value(f"ex.focus == {names[0]!r}")


def finger(book, start, end):
    """Drag a finger from a point of the page to another."""
    touch = book.page.context.new_cdp_session(book.page)

    def send(kind, *points):
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    send("touchStart", start)
    for i in range(1, 6):
        send("touchMove", [a + (b - a) * i / 5 for a, b in zip(start, end, strict=True)])
    send("touchEnd")
    touch.detach()


@pytest.mark.parametrize("drag", ["mouse", "finger"])
def test_every_handle_is_dragged(book, drag):
    handles = HANDLES.get(book.explorer, [])
    # whoever adds a handle adds it here, and a control that does the same
    count = book.value("sum(len(panel.handles) for panel in ex._panels.values())")
    assert len(handles) == count
    assert book.value(
        f"{[h[4] for h in handles]!r} == [n for n in {[h[4] for h in handles]!r}"
        " if n in ex.controls()]"
    )
    for picture, i, place, trait, _ in handles:
        if picture == "space":  # beside ROC space, where only a click in the rail shows it
            book.python("ex.update(space='precision_recall', panels=['roc', 'space', 'scores'])")
        book.python(f"ex.focus = {picture!r}")
        drawn(book)
        into_sight(book)
        laid_out(book)
        before = book.value(f"ex.{trait}")
        assert handle(book, i).evaluate("e => getComputedStyle(e).cursor") in ("grab", "grabbing")
        left, top, width, height = plot_area(book)
        end = left + place[0] * width, top + (1 - place[1]) * height
        (book.drag if drag == "mouse" else partial(finger, book))(centre(handle(book, i)), end)
        book.wait_for_value(f"ex.{trait} != {before!r}")
        book.settle()
        book.python("ex.reset()")
    assert book.complaints == []


def test_the_word_at_a_handle_goes_once_it_is_known(book):
    if book.explorer not in HANDLES:
        pytest.skip("nothing is dragged in this explorer")
    # all handles were dragged by now
    said = book.page.locator(".rocviz-panel.is-large").get_by_text("drag", exact=True)
    assert not said.filter(visible=True).count()
    assert not book.value("[n for n, p in ex._panels.items() for h in p.handles if h.wants_hint]")


IN_FOCUS = """() => {
    const e = document.activeElement, box = e.closest('.rocviz [data-control]');
    if (!e.closest('.rocviz-rail')) return null;
    const style = getComputedStyle(e);
    return {
        control: box && box.dataset.control, kind: e.type || e.tagName.toLowerCase(),
        main: !e.matches('.rocviz-slider input.value'),
        fold: e.matches('button.fold:not([aria-expanded=true])'),
        ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
    };
}"""


def test_the_keyboard_alone_reaches_and_changes_everything(book):
    """By Tab through the whole rail, and at each control the key that a hand would be."""
    page = book.page
    book.python(
        "from unittest.mock import Mock\n"
        "for task in ex._tasks: task.start = Mock(wraps=lambda: None)\n"
        "said = lambda: repr((ex.inputs(), [t.start.called for t in ex._tasks]))"
    )
    wanted = set(
        book.value(
            "[n for n, c in ex.controls().items() if c.shown(ex) and c.enabled(ex)"
            " and len(ex._rail.values[n].get('options', '12')) > 1"
            " and ex._rail.values[n].get('rows', 1)]"
        )
    )
    page.locator(".rocviz").focus()
    page.keyboard.press("Tab")
    done = set()
    while (now := page.evaluate(IN_FOCUS)) is not None:
        name = now["control"]
        assert now["ring"], f"nothing shows that {name or 'a fold'} is in focus"
        if now["fold"]:
            page.keyboard.press("Enter")
        elif name and now["main"] and name not in done:
            done.add(name)
            before = book.value("said()")
            press(book, name, now["kind"])
            book.wait_for_value(f"({name!r}, said())[1] != {before!r}")
            book.python("ex.reset()")
            book.settle()
        page.keyboard.press("Tab")
    assert done == wanted
    assert book.complaints == []


def press(book, name, kind):
    """Change the control that is in focus by the keys of its kind."""
    page = book.page
    if kind == "range":
        at_end = "ex._rail.values[{0!r}]['position'] == ex._rail.values[{0!r}]['steps']"
        page.keyboard.press("ArrowLeft" if book.value(at_end.format(name)) else "ArrowRight")
    elif kind == "select-one":
        last = book.value(f"ex._rail.values[{name!r}]['index'] > 0")
        page.keyboard.press("ArrowUp" if last else "ArrowDown")
    elif kind == "number":
        page.keyboard.press("ArrowUp")
    elif kind in ("checkbox", "button", "submit"):
        page.keyboard.press("Space")
    else:
        page.keyboard.press("End")
        page.keyboard.type(" ")
        page.keyboard.press("Enter")


def test_home_and_end_are_the_ends_of_a_slider(book):
    name = EXPLORERS[book.explorer]
    track = slider_of(book, name)
    track.focus()
    for key, end in (("End", f"ex._rail.values[{name!r}]['steps']"), ("Home", "0")):
        track.press(key)
        book.wait_for_value(f"ex._rail.values[{name!r}]['position'] == {end}")
    book.python("ex.reset()")


def test_screen_readers_find_no_fault(book):
    from axe_playwright_python.sync_playwright import Axe

    for dark in (False, True):
        book.theme(dark)
        laid_out(book)
        found = Axe().run(book.page, context=".rocviz")
        faults = [
            (violation["id"], node["html"][:160])
            for violation in found.response["violations"]
            for node in violation["nodes"]
        ]
        assert faults == []
    book.theme(False)


def test_a_stopped_kernel_leaves_the_stage_whole_and_says_so(book):
    """The last test of an explorer: its kernel is gone afterwards."""
    into_sight(book)
    laid_out(book)
    places = """() => [...document.querySelectorAll('.rocviz .rocviz-panel')]
        .map(e => { const r = e.getBoundingClientRect(); return [r.left, r.width, r.height]; })"""
    before = book.page.evaluate(places)
    book.page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
    )
    book.page.locator(".rocviz.jupyter-widgets-disconnected").wait_for()
    said = book.page.evaluate(
        "() => getComputedStyle(document.querySelector('.rocviz'), '::before').content"
    )
    assert said == '"The kernel has stopped: run this cell again."'
    laid_out(book)
    assert book.page.evaluate(places) == before
