"""Two thresholds in the ROC explorer: dragged in Chromium, and on every screen."""

from __future__ import annotations

import pytest
from pictures import (
    LAPTOP_SIZE,
    centre,
    drawn,
    faults,
    into_sight,
    laid_out,
    large,
    lecture_mode,
    measure,
    plot_area,
)

pytestmark = pytest.mark.browser

ENDS = "[ex.lower_threshold, ex.upper_threshold]"


def handles(book):
    """Find the hit areas of the handles of the large picture; hidden ones stay in the page."""
    areas = 'path.dot[style*="fill: transparent"][style*="stroke: transparent"]'
    return large(book).locator(areas).filter(visible=True)


def place(book, i):
    """Find the place of a handle of the large picture."""
    return centre(handles(book).nth(i))


@pytest.mark.parametrize("picture", ["people", "roc"])
def test_each_handle_moves_its_threshold_alone_and_stops_at_the_other(open_explorer, picture):
    book = open_explorer("ROCExplorer()", **LAPTOP_SIZE, file_browser=True)
    book.do(f"ex.focus = {picture!r}")
    drawn(book)
    assert handles(book).count() == 1
    book.do("ex.refer = True")
    into_sight(book)
    laid_out(book)
    assert handles(book).count() == 2
    left, top, width, height = plot_area(book)

    def at(x, y):
        return left + x * width, top + (1 - y) * height

    towards_lower = {"people": (0.22, 0.6), "roc": (0.2, 0.85)}[picture]
    towards_upper = {"people": (0.34, 0.7), "roc": (0.12, 0.8)}[picture]
    before = book.value(ENDS)
    book.drag(place(book, 0), at(*towards_lower))
    book.wait_for_value(f"ex.lower_threshold > {before[0]}")
    book.settle()
    lower, upper = book.value(ENDS)
    assert before[0] < lower < upper == before[1]
    book.drag(place(book, 1), at(*towards_upper))
    book.wait_for_value(f"ex.upper_threshold < {upper}")
    book.settle()
    assert book.value("ex.lower_threshold") == lower
    assert lower < book.value("ex.upper_threshold") < upper
    # beyond the lower one it stops
    book.drag(place(book, 1), at(*{"people": (0.02, 0.7), "roc": (0.98, 0.98)}[picture]))
    book.wait_for_value("ex.upper_threshold == ex.lower_threshold")
    book.settle()
    assert book.value(ENDS) == [lower, lower]
    assert book.value("ex.sentence").startswith("Below ")
    book.do("ex.refer = False")
    laid_out(book)
    assert handles(book).count() == 1
    book.drag(place(book, 0), at(0.3, 0.5))
    book.wait_for_value("ex.threshold != 0.5")
    assert book.complaints == []


def test_both_thresholds_are_moved_by_the_keys(open_explorer):
    book = open_explorer("ROCExplorer(refer=True)", **LAPTOP_SIZE, file_browser=True)
    for name in ("lower_threshold", "upper_threshold"):
        before = book.value(f"ex.{name}")
        track = book.page.locator(f'.rocviz [data-control="{name}"] input.track')
        track.press("ArrowRight")
        book.wait_for_value(f"ex.{name} > {before}")
    book.settle()
    before = book.value(ENDS)
    button = book.page.locator('.rocviz button[data-control="use_best_thresholds"]')
    if not button.is_visible():
        book.page.locator(".rocviz button.fold", has_text="costs").click()
    button.press("Enter")
    book.wait_for_value(f"{ENDS} != {before}")
    referral = "ex.result.referral"  # exact once the preview is over
    book.wait_for_value(f"abs({referral}.policy.cost - {referral}.best.cost) < 1e-9")
    assert book.complaints == []


SPACES = ("precision_recall", "lift", "det", "cost")  # measured where there is room for their words
SITUATIONS = (
    "ex.update(space='roc', cost_fn=5.0, cost_referral=0.3)",
    "ex.update(cost_referral=0.9, lower_threshold=0.3, upper_threshold=0.35)",
    "ex.update(preset='worse than random')",
    "ex.update(preset='perfect')",
    "ex.update(preset='imbalanced', cost_fn=20.0)",
    "ex.update(preset='good', n_samples=10_000)",
)


@pytest.mark.parametrize(
    ("size", "most", "dark"),
    [
        pytest.param((1366, 768), 640, False, id="laptop, light", marks=pytest.mark.slow),
        pytest.param((1366, 768), 640, True, id="laptop, dark", marks=pytest.mark.slow),
        pytest.param((1280, 720), 640, False, id="small screen, light", marks=pytest.mark.slow),
        pytest.param((1280, 720), 640, True, id="small screen, dark", marks=pytest.mark.slow),
        pytest.param((1920, 1080), 900, False, id="hall, light", marks=pytest.mark.slow),
        pytest.param((1920, 1080), 900, True, id="hall, dark", marks=pytest.mark.slow),
    ],
)
def test_two_thresholds_fit_every_screen(open_explorer, size, most, dark):
    is_hall = size == (1920, 1080)
    width, height = size
    book = open_explorer(
        "ROCExplorer(refer=True, panels=['people', 'roc', 'scores', 'brier'])",
        width=width,
        height=height,
        file_browser=not is_hall,
        lecture=is_hall,
        dark=dark,
    )
    situations = list(SITUATIONS)
    if size != (1280, 720):
        situations = [*(f"ex.update(space={space!r})" for space in SPACES), *situations]
    try:
        laid_out(book)
        for focus in ("people", "roc", "scores"):
            book.do(f"ex.reset(); ex.update(refer=True, focus={focus!r})")
            for i, situation in enumerate(situations):
                book.do(situation)
                measured = measure(book, sized=i == 0)
                assert measured["complaints"] == [], (focus, situation)
                assert measured["height"] <= most
        assert faults(book, "color-contrast") == []
        assert book.complaints == []
    finally:
        lecture_mode(book, False)
        book.theme(False)
