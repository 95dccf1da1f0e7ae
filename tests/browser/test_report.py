"""A report is opened from disk without a network: its threshold moves, and it fits and prints."""

from __future__ import annotations

import pytest

import rocviz

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def opened(page, tmp_path_factory):
    """The page of a report on two models, with few recorded states."""
    drawn = rocviz.binormal_scores(200, prevalence=0.2, random_state=1)
    scores = {"forest": drawn.y_prob, "a model with a rather long name": drawn.y_prob**2}
    report = rocviz.evaluation_report(drawn.y_true, scores, cost_fn=5)
    path = tmp_path_factory.mktemp("pages") / "report.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rocviz.report.page.RECORDED_STATES", {"threshold": 7, "cost_fn": [1.0, 5.0]})
        report.to_html(path)
    assert path.stat().st_size < 6e6
    context = page.context.browser.new_context(
        offline=True, viewport={"width": 1280, "height": 800}, reduced_motion="reduce"
    )
    faults = []
    tab = context.new_page()
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.goto(path.as_uri())
    tab.frame_locator("iframe").locator("body[data-ready=yes]").wait_for()
    yield tab, faults
    context.close()


def test_the_threshold_and_the_costs_move(opened):
    tab, faults = opened
    inside = tab.frame_locator("iframe")
    sentence = inside.locator(".rocviz-sentence")
    seen = {sentence.inner_text()}
    inside.get_by_role("slider", name="threshold", exact=True).focus()
    for _ in range(2):
        tab.keyboard.press("ArrowRight")
        tab.frames[-1].evaluate("async () => { while (rocviz.busy) await rocviz.busy; }")
        seen.add(sentence.inner_text())
    assert len(seen) == 3
    assert inside.locator(".unrecorded-words").inner_text() == ""
    assert faults == []


def test_the_report_fits_a_telephone(opened):
    tab, _ = opened
    tab.set_viewport_size({"width": 390, "height": 844})
    widths = tab.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]
    for picture in tab.locator("figure img").all():
        assert picture.bounding_box()["width"] > 300
    tab.set_viewport_size({"width": 1280, "height": 800})


def test_printing_leaves_out_the_explorer(opened):
    tab, _ = opened
    tab.emulate_media(media="print")
    assert tab.locator(".live").is_hidden()
    assert tab.locator("figure").count() == tab.locator("figure img[alt]").count() > 4
    tab.emulate_media(media="screen")
