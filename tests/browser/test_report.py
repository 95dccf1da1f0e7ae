"""A report is opened from disk without a network: its threshold moves, and it fits and prints."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rocviz

pytestmark = pytest.mark.browser

FRAME_IS_AS_HIGH_AS_ITS_CONTENT = """() => {
  const frame = document.querySelector("iframe");
  const needed = frame.contentDocument.getElementById("explorer").scrollHeight;
  return Math.abs(frame.clientHeight - needed) <= 1;
}"""


@pytest.fixture(scope="module")
def opened(page, tmp_path_factory):
    """The page of a report on two models, with few recorded states."""
    drawn = rocviz.binormal_scores(200, prevalence=0.2, random_state=1)
    scores = {"forest": drawn.y_prob, "a model with a rather long name": drawn.y_prob**2}
    report = rocviz.evaluation_report(drawn.y_true, scores, cost_fn=5)
    path = tmp_path_factory.mktemp("pages") / "report.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rocviz.report.page.RECORDED_THRESHOLDS", 7)
        patch.setattr("rocviz.report.page.RECORDED_COST_FACTORS", (0.2, 1.0))
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
    tab.evaluate("document.querySelector('.appendix').open = true")
    widths = tab.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]
    for picture in tab.locator("figure:not(.on-paper) img").all():
        assert picture.bounding_box()["width"] > 250
    assert cut_elements(tab) == []
    tab.evaluate("document.querySelector('.appendix').open = false")
    # the drawer is shut until a tool opens it, and the frame is as high as what is in it
    drawer = tab.frame_locator("iframe").locator(".rocviz-drawer")
    assert drawer.is_hidden()
    table = tab.frame_locator("iframe").get_by_role("button", name="table", exact=True)
    heights = []
    for drawer_is in ("hidden", "visible", "hidden"):
        if heights:
            table.click()
        drawer.wait_for(state=drawer_is)
        tab.wait_for_function(FRAME_IS_AS_HIGH_AS_ITS_CONTENT)
        heights.append(tab.locator("iframe").bounding_box()["height"])
    assert heights[1] > heights[0] + 50
    assert heights[2] == heights[0]
    tab.set_viewport_size({"width": 1280, "height": 800})


def cut_elements(tab):
    """List what lies outside of the page and in nothing that scrolls."""
    return tab.evaluate(
        """() => [...document.querySelectorAll(".rocviz-report *")].filter((it) => {
          const box = it.getBoundingClientRect();
          return box.width > 0 && !it.closest(".scroll > *") &&
            (box.left < 0 || box.right > innerWidth + 1 ||
             (it.scrollWidth > it.clientWidth + 1 && !it.matches(".scroll") && it.clientWidth > 0));
        }).map((it) => `${it.tagName} ${it.className} ${it.textContent.slice(0, 40)}`)"""
    )


def test_tables_scroll_on_a_telephone_with_their_names(opened):
    tab, _ = opened
    tab.set_viewport_size({"width": 390, "height": 844})
    scroll = tab.locator(".summary .scroll")
    cell = tab.locator(".summary tbody tr").first.locator("td").first
    before = cell.bounding_box()["x"]
    assert scroll.evaluate("it => it.scrollWidth > it.clientWidth + 100")
    scroll.evaluate("it => { it.scrollLeft = 200; }")
    assert cell.bounding_box()["x"] == pytest.approx(before, abs=2)
    tab.set_viewport_size({"width": 1280, "height": 800})


def test_the_explorer_takes_the_place_of_its_figure_on_a_screen(opened):
    tab, _ = opened
    on_paper = tab.locator("figure.on-paper")
    assert on_paper.count() == 1
    assert on_paper.is_hidden()
    assert tab.locator(".appendix table").first.is_hidden()
    tab.emulate_media(media="print")
    assert tab.locator(".live").is_hidden()
    assert on_paper.is_visible()
    assert tab.locator(".appendix table").first.bounding_box()["height"] > 20
    tab.emulate_media(media="screen")


def test_words_are_read_on_a_dark_screen(opened):
    tab, _ = opened
    tab.emulate_media(color_scheme="dark")
    for name in ("p.verdict", ".card > span", ".note", "td small", "h2"):
        brightness = tab.locator(name).first.evaluate(
            "it => getComputedStyle(it).color.match(/\\d+/g).map(Number)[1]"
        )
        assert brightness > 150, name
    background = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == "rgb(17, 20, 24)"
    tab.emulate_media(color_scheme="light")


@pytest.fixture(scope="module")
def three_models(page, tmp_path_factory):
    """The page of a report on three models in folds and groups, in which nothing moves."""
    rng = np.random.default_rng(0)
    y = rng.random(600) < 0.3
    scores = {}
    for name, separation in (("logistic", 1.6), ("forest", 1.4), ("bayes", 1.0)):
        scores[name] = 1 / (1 + np.exp(-rng.normal(separation * y - 1.2)))
    report = rocviz.evaluation_report(
        y,
        scores,
        cost_fn=5,
        prevalence=0.1,
        folds=np.arange(600) % 10,
        groups=np.array(["women", "men", "unknown"])[rng.choice(3, 600, p=[0.5, 0.48, 0.02])],
    )
    path = tmp_path_factory.mktemp("pages") / "three.html"
    report.to_html(path, live=False)
    context = page.context.browser.new_context(
        offline=True, viewport={"width": 1280, "height": 800}
    )
    tab = context.new_page()
    tab.goto(path.as_uri())
    yield tab, report
    context.close()


def test_three_models_print_on_four_pages(three_models):
    tab, _ = three_models
    printed = tab.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= 4
    sizes = re.findall(rb"/MediaBox\s*\[([^\]]*)\]", printed)
    width, height = (float(number) for number in sizes[0].split()[2:])
    assert (width, height) == pytest.approx((595.3, 841.9), abs=1)


def test_each_figure_is_printed_once(three_models):
    tab, report = three_models
    tab.emulate_media(media="print")
    sources = [picture.get_attribute("src") for picture in tab.locator("figure img").all()]
    assert len(set(sources)) == len(sources) == len(report.figures)
    for picture in tab.locator("figure img").all():
        assert picture.bounding_box()["width"] > 100
    tab.emulate_media(media="screen")
