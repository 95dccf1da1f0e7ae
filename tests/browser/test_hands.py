"""Every explorer is driven by mouse, keyboard, touch and screen reader, and its traits follow."""

from __future__ import annotations

from functools import partial

import pytest
from pictures import centre, drawn, faults, handle, into_sight, laid_out, plot_area

pytestmark = pytest.mark.browser

# explorer, and the trait of a slider in its rail
SLIDER_NAMES = {
    "ROCExplorer": "threshold",
    "FermiDiracExplorer": "temperature",
    "EnsembleExplorer": "item",
    "ScoringListExplorer": "upper",
    "DecisionExplorer": "k",
    "LexicographicExplorer": "smoothing",
    "RankingLossExplorer": "a",
    "GroupsExplorer": "predicted_positive_rates",
    "MulticlassExplorer": "point",
}

# every handle: the picture it is in, which of those in it (the last is drawn above all others),
# where to drag it, and the trait it moves, which the control named after it moves too
HANDLES = {
    "ROCExplorer": [
        ("people", -1, (0.3, 0.9), "threshold", "threshold"),
        ("roc", -1, (0.6, 0.95), "threshold", "threshold"),
        ("scores", -1, (0.7, 0.9), "threshold", "threshold"),
        ("space", -1, (0.3, 0.9), "threshold", "threshold"),
        ("pairs", -1, (0.3, 0.9), "threshold", "threshold"),
    ],
    "FermiDiracExplorer": [
        ("levels", 0, (0.2, 0.3), "temperature", "temperature"),
        ("levels", -1, (0.6, 0.55), "chemical_potential", "chemical_potential"),
        ("coldness", -1, (0.3, 0.5), "auc", "auc"),
    ],
    "EnsembleExplorer": [("samples", -1, (0.6, 0.3), "correlation", "correlation")],
    "LexicographicExplorer": [
        ("tree", -1, (0.3, 0.65), "leaves", "leaves"),
        ("roc", -1, (0.6, 0.9), "leaves", "leaves"),
    ],
    "ScoringListExplorer": [
        ("list", -1, (0.6, 0.4), "answers", "case"),
        ("stage", 0, (0.5, 0.3), "lower", "lower"),
        ("stage", -1, (0.5, 0.7), "upper", "upper"),
        ("curves", -1, (0.5, 0.5), "stage", "stage"),
    ],
    "DecisionExplorer": [
        ("probabilities", -1, (0.8, 0.5), "k", "k"),
        ("probabilities", 0, (0.5, 0.3), "probabilities", "sample_probability"),
        ("utilities", -1, (0.8, 0.5), "k", "k"),
        ("people", -1, (0.1, 0.9), "k", "k"),
    ],
    "RankingLossExplorer": [
        ("links", 0, (0.3, 0.4), "a", "a"),
        ("links", -1, (0.8, 0.4), "wipe", "wipe"),
        ("errors", -1, (0.3, 0.8), "a", "a"),
    ],
    "GroupsExplorer": [
        ("people", 0, (0.2, 0.8), "predicted_positive_rates", "predicted_positive_rates"),
        ("people", 1, (0.3, 0.3), "predicted_positive_rates", "predicted_positive_rates"),
        ("roc", 0, (0.5, 0.8), "predicted_positive_rates", "predicted_positive_rates"),
        ("roc", 1, (0.6, 0.7), "predicted_positive_rates", "predicted_positive_rates"),
        ("scores", 0, (0.3, 0.8), "predicted_positive_rates", "predicted_positive_rates"),
        ("scores", 1, (0.6, 0.3), "predicted_positive_rates", "predicted_positive_rates"),
        ("price", -1, (0.4, 0.5), "predicted_positive_rates", "predicted_positive_rates"),
    ],
    "MulticlassExplorer": [("triangle", -1, (0.4, 0.3), "point", "point")],
}


@pytest.fixture
def draw_only(book):
    """Draw only these pictures until the test ends, since controls and handles need no others."""

    def draw(*names):
        book.python(
            "for name, panel in ex._panels.items():\n"
            "    vars(panel).pop('shown', None)\n"
            f"    if name not in {names!r}: panel.shown = lambda *_: {{}}"
        )

    yield draw
    draw(*book.value("list(ex.pictures)"))
    book.do("ex.reset(); ex._render()")


def slider_of(book, name):
    """Open the fold a slider is in and return its track."""
    box = book.page.locator(f'.rocviz [data-control="{name}"]')
    inside = book.page.locator(f'[data-control="{name}"]')
    fold = book.page.locator(".rocviz .fold-box", has=inside)
    if fold.count() and "is-open" not in fold.get_attribute("class"):
        fold.locator("button.fold").click()
    return box.locator("input.track")


def test_typed_values_are_accepted_or_refused_with_a_message(book):
    name = SLIDER_NAMES[book.explorer]
    slider_of(book, name)
    field = book.page.locator(f'.rocviz [data-control="{name}"] input.value')
    inputs = book.value("ex.inputs()['preset'] and repr(ex.inputs())")
    shown = book.value(f"page.control({name!r})['text']")
    problem = book.page.locator(f'.rocviz [data-control="{name}"] .problem')
    book.python("heard = []; ex.on_msg(lambda _, content, __: heard.append(content))")
    for times in (1, 2):  # the second refusal changes nothing that the kernel would tell
        field.fill("0,3")
        field.press("Enter")
        # the word of the first is still on the screen while the second is on its way
        book.wait_for_value(f"sum(c.get('control') == {name!r} for c in heard) == {times}")
        book.do("None")  # and the page has heard the answer
        problem.get_by_text("Write decimals with a point").wait_for()
        book.page.wait_for_function(
            "([e, text]) => e.value === text", arg=[field.element_handle(), shown]
        )
    assert book.value("repr(ex.inputs())") == inputs
    book.python(f"page.move({name!r}, position=page.control({name!r})['position'])")
    problem.wait_for(state="hidden")


def test_number_keys_and_titles_choose_the_large_picture(book):
    names = book.value("list(ex.panels)")
    book.page.locator(".rocviz").focus()
    book.page.keyboard.press("2")
    book.wait_for_value(f"ex.focus == {names[1]!r}")
    into_sight(book)
    # the kernel is ahead of the page: the title of the picture that grows is still among the small
    large = book.page.locator(".rocviz-panel.is-large")
    large.get_by_text(book.value(f"ex.title({names[1]!r})"), exact=True).wait_for()
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


def test_every_handle_is_dragged_by_mouse_and_finger(book, draw_only):
    handles = HANDLES.get(book.explorer, [])
    # whoever adds a handle adds it here, and a control that does the same
    book.python("ex.panels = list(ex.pictures); ex.reset()")
    # of those with a number, one for each group, the groups that there are
    count = book.value(
        "sum(h.is_shown or ':' not in h.name for p in ex._panels.values() for h in p.handles)"
    )
    assert len(handles) == count
    assert book.value(
        f"{[h[4] for h in handles]!r} == [n for n in {[h[4] for h in handles]!r}"
        " if n in ex.controls()]"
    )
    walks = [(*handle[:4], "precision_recall") for handle in handles]
    # on axes that are no rates, a point is dragged from within and to the border
    walks += [("space", -1, (0.01, 0.8), "threshold", "det") for row in handles if "space" in row]
    for picture, i, place, trait, space in walks:
        draw_only(picture)
        book.python("ex.reset()")
        if picture == "space":  # beside ROC space, where only a click in the rail shows it
            book.python(f"ex.update(space={space!r}, panels=['roc', 'space', 'scores'])")
        elif not book.value(f"{picture!r} in ex.panels"):
            book.python(f"ex.panels = [{picture!r}, *ex.panels[1:]]")
        book.do(f"ex.focus = {picture!r}")
        drawn(book)
        into_sight(book)
        laid_out(book)
        assert handle(book, i).evaluate("e => getComputedStyle(e).cursor") in ("grab", "grabbing")
        left, top, width, height = plot_area(book)
        start = centre(handle(book, i))
        end = left + place[0] * width, top + (1 - place[1]) * height
        # there by mouse, and back by finger
        for drag, to in ((book.drag, end), (partial(finger, book), start)):
            before = book.value(f"ex.{trait}")
            drag(centre(handle(book, i)), to)
            book.wait_for_value(f"ex.{trait} != {before!r}")
            book.settle()
    assert book.complaints == []


def test_the_hint_at_a_handle_disappears_after_use(book):
    if book.explorer not in HANDLES:
        pytest.skip("nothing is dragged in this explorer")
    # all handles were dragged by now
    hint = book.page.locator(".rocviz-panel.is-large").get_by_text("drag", exact=True)
    assert not hint.filter(visible=True).count()
    assert not book.value(
        "[n for n, p in ex._panels.items() for h in p.handles if h.hint and h.name not in p.known]"
    )


# Where the first thing to press has been pressed already as it opens.
FIRST = {"ScoringListExplorer": "ex.clear_case()"}
# What brings controls into sight, or makes them usable, that are not as an explorer opens.
LATER = {
    "ROCExplorer": [
        "ex.preset = 'many ties'",
        "ex.preset = 'many ties'; ex.joined = (1,)",
        "ex.metric = 'f'",
        "ex.metric = 'net_benefit'",
        "ex.update(refer=True, lower_threshold=0.05, upper_threshold=0.95)",
        "ex.draw = True; ex.drawn_positives = (*ex.drawn_positives, 0.9)",
    ],
    "ScoringListExplorer": ["ex.set_points(0, 3)"],
    "DecisionExplorer": [
        "ex.metric = 'cost'",
        "ex.metric = 'net_benefit'",
        "ex.metric = 'formula'",
        "ex.k = 1",
    ],
    "LexicographicExplorer": ["ex.order = ex.order[::-1]", "ex.preset = 'twenty instances'"],
    "GroupsExplorer": ["ex.set_share(0.9)"],
    "MulticlassExplorer": ["ex.select_best()", "ex.preset = 'digits'"],
}
# Those that only data of a user's own bring, beside the button of a result that takes long.
CONTROLS_OF_OWN_DATA = {
    "ROCExplorer": {"model", "hull_over"},
    "EnsembleExplorer": {"strategy"},
    "LexicographicExplorer": {"front"},
}

IN_FOCUS_SCRIPT = """() => {
    const e = document.activeElement, box = e.closest('.rocviz [data-control]');
    if (!e.closest('.rocviz')) return null;
    const style = getComputedStyle(e);
    return {
        control: box && box.dataset.control,
        kind: e.matches('.number') ? 'number' : e.type || e.tagName.toLowerCase(),
        main: !e.matches('.rocviz-slider input.value, button.grip'),
        fold: e.matches('button.fold:not([aria-expanded=true])'),
        tool: e.matches('.rocviz-tool') && e.textContent,
        title: e.matches('.rocviz-title'),
        ring: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
    };
}"""


def test_everything_can_be_reached_and_changed_by_keyboard(book, draw_only):
    """Walk through the stage by Tab, and press the matching key at each control."""
    draw_only()
    book.python(
        "from unittest.mock import Mock\n"
        "for task in ex._tasks: task.start = Mock(wraps=lambda: None)\n"
        "said = lambda: repr((ex.inputs(), [t.start.called for t in ex._tasks]))\n"
        "usable = lambda: [n for n, c in ex.controls().items()"
        " if c.is_shown(ex) and c.is_enabled(ex)"
        " and len(page.control(n).get('options', '12')) > 1"
        " and page.control(n).get('rows', 1)]"
    )
    done = set()
    first = FIRST.get(book.explorer, "pass")
    for situation in (first, *LATER.get(book.explorer, ())):
        book.do(f"ex.reset(); {situation}")
        expected = set(book.value("usable()")) - done
        assert expected, f"{situation} brings no control that was not there before"
        assert walk(book, expected, situation, to_end=situation == first) == expected
        done |= expected
    unfolded = book.page.locator(".rocviz button.fold[aria-expanded=true]")
    for _ in range(unfolded.count()):  # as the next test expects them
        unfolded.first.click()
    assert done == set(book.value("list(ex.controls())")) - {"exact"} - CONTROLS_OF_OWN_DATA.get(
        book.explorer, set()
    )
    assert book.complaints == []


def walk(book, expected, situation, *, to_end):
    """Press a key at each chosen control on the way through the stage; return their places.

    The way is gone ``to_end``, or to the last of them.
    """
    page = book.page
    done = set()
    others = set()
    page.locator(".rocviz").focus()
    page.keyboard.press("Tab")
    while (now := page.evaluate(IN_FOCUS_SCRIPT)) is not None:
        name = now["control"]
        assert now["ring"], f"nothing shows that {name or now} is in focus"
        if now["tool"]:
            others.add(now["tool"])
        elif now["title"]:
            others.add("title")
        if now["fold"]:
            page.keyboard.press("Enter")
        elif name in expected - done and now["main"]:
            done.add(name)
            before = book.value("said()")
            press(book, name, now["kind"])
            book.wait_for_value(f"({name!r}, said())[1] != {before!r}")
            if now["kind"] == "range":
                assert_announced(book, name)
            book.do(f"ex.reset(); {situation}")
            if done == expected and not to_end:
                return done
        page.keyboard.press("Tab")
    assert others >= {"title", "notes", "code", "table", "save", "reset"}
    return done


def assert_announced(book, name):
    """Assert that a slider has a name, and tells its present value to a screen reader."""
    text = book.value(f"page.control({name!r})['text']")
    book.page.wait_for_function(
        "([name, text]) => document.querySelector(`.rocviz [data-control='${name}'] input.track`)"
        ".getAttribute('aria-valuetext') === text",
        arg=[name, text],
    )
    assert book.page.locator(f'[data-control="{name}"] input.track').get_attribute("aria-label")


def press(book, name, kind):
    """Change the control that is in focus by the keys of its kind."""
    page = book.page
    if kind == "range":
        at_end = "page.control({0!r})['position'] == page.control({0!r})['steps']"
        page.keyboard.press("ArrowLeft" if book.value(at_end.format(name)) else "ArrowRight")
    elif kind == "select-one":
        last = book.value(f"page.control({name!r})['index'] > 0")
        page.keyboard.press("ArrowUp" if last else "ArrowDown")
    elif kind == "number":
        page.keyboard.press("ArrowUp")
    elif kind in ("checkbox", "button", "submit"):
        page.keyboard.press("Space")
    else:
        page.keyboard.press("End")
        page.keyboard.type("+0")
        page.keyboard.press("Enter")


def test_the_accessibility_checker_finds_no_fault(book):
    assert faults(book) == []
