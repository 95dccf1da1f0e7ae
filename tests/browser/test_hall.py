"""Every step of every story fills a hall's screen with its picture, and shows all of its words."""

from __future__ import annotations

import json
import re

import pytest
from lab import PATIENCE_SECONDS
from pictures import (
    MEASURE_SCRIPT,
    POLLING_MILLISECONDS,
    centre,
    drawn,
    handle,
    laid_out,
    plot_area,
)

import rocviz

pytestmark = pytest.mark.browser

HALL_SIZES = ((1280, 720), (1366, 768), (1440, 900), (1920, 1080))
TELEPHONE_SIZES = ((390, 844), (844, 390))
#: Of the screen, in the large picture, between its axes.
MIN_PICTURE_SHARE = 0.35

#: Whether every picture fills the room that it has now, but for its margins.
LAID_OUT_SCRIPT = """count => {
    const panels = [...document.querySelectorAll('.rocviz-panel:not(.is-away)')]
        .filter(panel => !panel.parentElement.closest('.is-away'));
    return panels.length === count && panels.every(panel => {
    if (!panel.getClientRects().length) return true;
    if (panel.querySelector('.rocviz-body > .rocviz-html:only-child')) return true;
    const e = panel.querySelector('.rocviz-figure');
    if (!e) return false;
    const room = e.getBoundingClientRect(), inner = e.querySelector('.plotarea_background');
    const box = inner && inner.getBoundingClientRect();
    return box && box.width > 0 && box.right <= room.right + 1 && box.right > room.right - 60
        && box.bottom <= room.bottom + 1 && box.bottom > room.bottom - 90
        && e.querySelector('.element'); }); }"""

#: The share of the screen of each picture that is shown, the large one first; what is wrong.
FAULTS_SCRIPT = """() => {
    const shown = e => e.getClientRects().length && getComputedStyle(e).visibility !== 'hidden';
    const all = names => [...document.querySelectorAll(names)].filter(shown);
    const wrong = [], words = e => `${e.className || e.tagName} "${e.textContent.slice(0, 40)}"`;
    const plots = all('.rocviz-panel').map(panel => {
        const inner = panel.querySelector('.plotarea_background');
        const box = (inner || panel.querySelector('.rocviz-body')).getBoundingClientRect();
        const isLarge = panel.classList.contains('is-large');
        const seen = Math.max(0, Math.min(box.bottom, innerHeight) - Math.max(box.top, 0));
        return {isLarge, width: box.width, height: box.height,
            seen: seen / box.height, share: box.width * seen / innerWidth / innerHeight}; });
    for (const rect of document.querySelectorAll('rect')) for (const side of ['width', 'height'])
        if (shown(rect.closest('.rocviz-panel') || document.body)
            && parseFloat(rect.getAttribute(side)) < 0)
            wrong.push(`a rectangle of ${side} ${rect.getAttribute(side)}`);
    // words and buttons of the story are in the window, and in the box that they stand in
    const said = '.rocviz-sentence p, .verdict p, .question p, li';
    for (const e of all(`.rocviz-story :is(h2, ${said}), .rocviz-story-bar :is(button, select)`)) {
        if (!e.textContent.trim()) continue;
        const box = e.getBoundingClientRect();
        let frame = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
        for (let up = e.parentElement; up; up = up.parentElement) {
            if (up.contains(document.fullscreenElement) && up !== document.fullscreenElement) break;
            if (!up.clientWidth || getComputedStyle(up).overflow === 'visible') continue;
            const one = up.getBoundingClientRect();
            frame = {left: Math.max(frame.left, one.left), top: Math.max(frame.top, one.top),
                right: Math.min(frame.right, one.right),
                bottom: Math.min(frame.bottom, one.bottom)};
        }
        if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1
                || box.bottom > frame.bottom + 1) wrong.push(`cut off: ${words(e)}`);
        if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth && e.tagName !== 'SELECT')
            wrong.push(`too wide: ${words(e)}`);
    }
    // the story's words do not lie on its pictures, nor on each other
    const parts = all('.rocviz-story :is(.title, .rocviz-sentence, .question, .verdict, '
        + '.choices, .tools, .rocviz-panel, .rocviz-rail)').filter(e => e.textContent.trim()
        && getComputedStyle(e).position !== 'sticky');
    const boxes = parts.map(e => e.getBoundingClientRect());
    parts.forEach((a, i) => parts.slice(i + 1).forEach((b, j) => {
        const [p, q] = [boxes[i], boxes[i + 1 + j]];
        if (p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1
                && q.top < p.bottom - 1 && p.width && q.width)
            wrong.push(`${words(a)} lies on ${words(b)}`); }));
    // a single control is whole; words beside one picture stand in the middle of their half, just
    // above what moves it
    const box = e => e.getBoundingClientRect(), rails = all('.rocviz-story .rocviz-rail');
    for (const e of all('.rocviz-story .rocviz-rail [data-control]:not(.rocviz-rows)'))
        if (box(e).bottom > box(e.closest('.rocviz-rail')).bottom + 1)
            wrong.push(`cut off: ${words(e)}`);
    const [title] = all('.rocviz-story :is(h2.title, .question)'), [rail] = rails;
    const above = all('.rocviz-story :is(.rocviz-sentence, .verdict, .choices)');
    const isHalf = plots.length === 1 && innerWidth > 640 && innerHeight > 480;
    if (isHalf && title && above.length && rail && !all('.rocviz-rail .rocviz-rows').length) {
        const story = box(title.closest('.rocviz-story'));
        const middle = ((box(title).top + box(rail).bottom) / 2 - story.top) / story.height;
        if (middle < .3 || middle > .7) wrong.push(`words at ${middle} of the height`);
        const end = Math.max(...above.map(e => box(e).bottom));
        const gap = (box(rail).top - end) / story.height;
        if (gap > .1) wrong.push(`${gap} of the height between words and controls`);
    }
    const large = '.rocviz-sentence :is(p:not(.moved), li), .question p, .choices button';
    const smallest = Math.min(...all(`.rocviz-story :is(${large})`).map(
        e => parseFloat(getComputedStyle(e).fontSize)));
    return {plots: plots.sort((a, b) => b.isLarge - a.isLarge), wrong, smallest,
        scrolls: document.documentElement.scrollHeight > innerHeight + 1}; }"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder of pages that share their scripts."""
    return tmp_path_factory.mktemp("hall")


#: Which of the explorers is shown.
EXPLORER_SCRIPT = (
    "[...document.querySelectorAll('.rocviz')].findIndex(e => e.querySelector('.rocviz-stage'))"
)

#: Go through a story as a lecturer does, by its keys. At each step, and each question before it,
#: list what is wrong and what is said, once everything stands where it will. To measure it needs no
#: paint.
WALK_SCRIPT = """async ({places, isLarge, share, patience, scripts}) => {
    const [isLaidOut, look, measure, explorer] = scripts.map(eval);
    const frame = () => new Promise(requestAnimationFrame);
    const settled = async ({name, count}) => {
        const end = performance.now() + patience;
        while (rocviz.busy) await rocviz.busy;
        do {
            await frame();
            if (performance.now() > end) throw new Error(`never laid out: ${name}`);
        } while (!isLaidOut(count)); };
    const judge = () => {
        const {plots, wrong, smallest, scrolls} = look(), [first] = plots;
        const bar = document.querySelector('.rocviz-story .tools');
        if (isLarge && smallest < 20) wrong.push(`words of ${smallest} pixels`);
        if (!first) return wrong;  // words alone
        if (isLarge && first.share < share) wrong.push(`the picture has ${first.share}`);
        const side = ({width, height}) => Math.min(width, height);
        if (!isLarge && side(first) < 0.4 * side({width: innerWidth, height: innerHeight}))
            wrong.push(`${first.width | 0} x ${first.height | 0} pixels`);
        if (first.seen < 0.75) wrong.push(`${first.seen} of the picture is in sight`);
        let {complaints} = measure(explorer());
        if (isLarge && scrolls) wrong.push('one has to scroll');
        if (!isLarge) {
            // one scrolls to a second picture, and through a list; a ring may touch a tick
            const hasList = document.querySelector('.rocviz-story.has-list');
            const allowed = [/is-small is out of sight/, /words lie on a dot: [.0-9]+$/];
            if (hasList) allowed.push(/rocviz-rail-view is out of sight/);
            complaints = complaints.filter(one => !allowed.some(words => words.test(one)));
            const foot = bar.getBoundingClientRect().top;
            const tracks = [...document.querySelectorAll('.rocviz-story input.track')];
            for (const track of hasList ? [] : tracks)
                if (track.getBoundingClientRect().bottom > foot + 1)
                    wrong.push(`the buttons hide the slider of ${track.ariaLabel}`);
        }
        return [...wrong, ...complaints]; };
    const words = name => [...document.querySelectorAll(`.rocviz-story ${name}`)]
        .filter(e => e.getClientRects().length && getComputedStyle(e).visibility !== 'hidden')
        .map(e => e.innerText).join('');
    const found = [], said = [];
    document.documentElement.style.opacity = 0;
    for (const place of places) {
        (document.activeElement || document.body).dispatchEvent(
            new KeyboardEvent('keydown', {key: place.key, bubbles: true, cancelable: true}));
        await settled(place);
        let wrong = judge();
        // bqplot may not have drawn a picture of nearly this size yet, on a busy machine for long
        for (let turn = 0; wrong.length && turn < 6; turn += 1) {
            await new Promise(done => setTimeout(done, 320));
            await settled(place);
            wrong = judge();
        }
        found.push(...wrong.map(one => `${innerWidth} x ${innerHeight}, ${place.name}: ${one}`));
        said.push(['.question', 'h2.title', '.rocviz-sentence'].map(words));
    }
    document.documentElement.style.opacity = 1;
    return [found, said]; }"""


def places(story):
    """List the places of a story in order: each step, and each question before it."""
    shown = []

    def show(name, key, index):
        count = len(story._scenes[index].values["panels"])
        shown.append({"name": name, "key": key, "count": count})

    for place, step in enumerate(story.steps):
        key = "PageDown" if place else "Home"
        if step.ask:
            show(f"step {place + 1} asks", key, max(place - 1, 0))
            key = str((step.ask.answer + 1) % len(step.ask.choices) + 1)
        show(f"step {place + 1} says", key, place)
    return shown


def plain(text):
    """Remove line breaks and list markers from a text."""
    return " ".join(re.sub(r"^- ", "", text, flags=re.MULTILINE).split())


def words_of(story):
    """List the visible question, title and sentence at each place."""
    for index, step in enumerate(story.steps):
        if step.ask:
            story.go(index)
            # neither the title nor what is said answers before one has chosen
            yield [plain(story.text), "", ""]
        story.show(index)
        yield ["", step.title, plain(story.text)]


def walk(page, story, sizes, *, is_large):
    """Walk through a story on screens of these sizes; return the faults and the texts."""
    options = {
        "places": places(story),
        "isLarge": is_large,
        "share": MIN_PICTURE_SHARE,
        "patience": 1000 * PATIENCE_SECONDS,
        "scripts": [LAID_OUT_SCRIPT, FAULTS_SCRIPT, MEASURE_SCRIPT, f"() => {EXPLORER_SCRIPT}"],
    }
    wrong = []
    texts = []
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        faults, words = page.evaluate(WALK_SCRIPT, options)
        wrong += faults
        texts.append([[plain(text) for text in place] for place in words])
    return wrong, texts


@pytest.fixture
def large_type():
    """Choose whether stories are told in large type."""
    yield lambda is_large: rocviz.set_theme(lecture=is_large)
    rocviz.set_theme(lecture=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*rocviz.stories.NAMES, "lecture"])
def test_a_story_fills_every_screen_without_cutting_words(name, large_type, folder, offline):
    assert_story_fits(name, large_type, folder, offline, HALL_SIZES, TELEPHONE_SIZES)


def test_the_first_story_fills_a_hall_and_a_telephone(large_type, folder, offline):
    name = rocviz.stories.NAMES[0]
    assert_story_fits(name, large_type, folder, offline, HALL_SIZES[:1], TELEPHONE_SIZES[:1])


def assert_story_fits(name, large_type, folder, offline, halls, telephones):
    """Assert that each step of a story fills screens of these sizes, and cuts no words."""
    is_lecture = name == "lecture"
    story = rocviz.stories.open_lecture() if is_lecture else rocviz.stories.open_story(name)
    page = offline.page
    faults = []
    for is_large, sizes in ((True, halls), (False, telephones)):
        if is_large or not is_lecture:  # its page, in large type, is opened on telephones as well
            large_type(is_large)
            path = story.to_html(folder / f"{name}-{is_large}.html", most=2, scripts="js")
        page.set_viewport_size({"width": 1280, "height": 720})
        page.goto("about:blank")
        page.goto(path.as_uri())
        page.wait_for_selector("body[data-ready=yes]")
        wrong, texts = walk(page, story, sizes, is_large=is_large)
        faults += wrong
        assert texts == [list(words_of(story))] * len(sizes)
    story.close()
    assert not faults, "\n".join(faults)
    assert offline.complaints == []


@pytest.fixture(scope="module")
def story_page(offline, tmp_path_factory):
    """A story of two explorers and its page: words alone, a picture alone, and a formula."""
    rocviz.set_theme(lecture=True)
    roc = rocviz.ROCExplorer(panels=["roc", "scores"], n_samples=200, show_band=False)
    decisions = rocviz.DecisionExplorer(panels=["utilities"])
    ask = rocviz.Question("Where?", ["left", "right"], 1, ["It is *not* there.", ""])
    steps = [
        rocviz.Step("Hook", "An **answer**, $x^2$.", panels=[], ask=ask, notes="Say *hello*."),
        rocviz.Step("One", "At {state.threshold:.2f}.", {"threshold": 0.5}, move=["threshold"]),
        rocviz.Step("Two", "At {state.threshold:.2f}.", {"threshold": 0.3}, ask=ask),
        rocviz.Step("Threshold", "Threshold at {result.k:n}.", explorer="decisions", move=["k"]),
        rocviz.Step("Alone", "", panels=["utilities"]),
    ]
    story = rocviz.Story({"roc": roc, "decisions": decisions}, steps)
    path = tmp_path_factory.mktemp("told") / "told.html"
    story.to_html(path, most=5, url="https://example.org/told.html")
    rocviz.set_theme(lecture=False)
    yield story, path
    story.close()


def shown(page):
    """Get the visible parts of a story and their texts."""
    return {
        name: page.locator(f".rocviz-story {place}").first.inner_text()
        for name, place in (
            ("title", "h2.title"),
            ("question", ".question"),
            ("verdict", ".verdict"),
            ("says", ".rocviz:not(.is-away) .rocviz-sentence"),
        )
        if page.locator(f".rocviz-story {place}").first.is_visible()
    }


def opened(page, path, hash_=""):
    """Open a page of a story at 1280 x 720."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto("about:blank")
    page.goto(path.as_uri() + hash_)
    page.wait_for_selector("body[data-ready=yes]")
    return page


def test_one_explorer_of_a_story_is_visible_at_a_time(story_page, offline):
    story, path = story_page
    page = opened(offline.page, path)
    wrong, _ = walk(page, story, HALL_SIZES, is_large=True)
    assert not wrong, "\n".join(wrong)
    for width, height in TELEPHONE_SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.keyboard.press("End")
        page.evaluate("async () => { while (rocviz.busy) await rocviz.busy; }")
        page.wait_for_function(LAID_OUT_SCRIPT, arg=1, polling=POLLING_MILLISECONDS)
        look = page.evaluate(FAULTS_SCRIPT)
        (plot,) = look["plots"]
        assert min(plot["width"], plot["height"]) > 0.4 * min(width, height)
        assert look["wrong"] == []


def test_a_story_follows_the_keys(story_page, offline):
    page = opened(offline.page, story_page[1])
    press = page.keyboard.press
    assert shown(page) == {"question": "Where?"}
    assert page.locator(".rocviz-panel:visible").count() == 0
    # a wrong choice says why
    press("1")
    words = shown(page)
    assert words["verdict"] == "Not left, but right. It is not there."
    assert words["title"] == "Hook"
    assert page.locator(".rocviz-sentence strong").first.inner_text() == "answer"
    assert page.locator(".rocviz-sentence svg").first.bounding_box()["height"] > 10
    press("PageDown")
    assert shown(page) == {"title": "One", "says": "At 0.50."}
    # next after a detour asks over the step's own picture
    page.locator("input.track:enabled >> visible=true").first.focus()
    press("Home")
    assert "Moved: threshold" in shown(page)["says"]
    page.get_by_role("button", name="this step again").click()
    assert shown(page) == {"title": "One", "says": "At 0.50."}
    page.locator("input.track:enabled >> visible=true").first.focus()
    press("Home")
    press("PageDown")
    assert shown(page) == {"question": "Where?"}
    assert "Two" not in page.locator("select.place").inner_text()
    assert page.locator("input.value >> visible=true").first.input_value() == "0.500"
    press("2")
    assert shown(page)["verdict"] == "Yes: right."
    assert shown(page)["says"] == "At 0.30."
    # a black screen, and any key back
    for key in ("b", "."):
        press(key)
        assert page.locator(".black").is_visible()
        press("PageDown")
        assert not page.locator(".black").is_visible()
        assert shown(page)["title"] == "Two"
    press("End")
    assert shown(page) == {"title": "Alone"}
    assert page.locator(".rocviz-panel:visible").count() == 1
    press("Home")
    assert shown(page) == {"question": "Where?"}
    # a jump asks, and leaves the keys to the story
    page.locator("select.place").select_option(index=2)
    assert shown(page) == {"question": "Where?"}
    press("ArrowRight")
    assert shown(page)["title"] == "Two"
    press(" ")
    assert shown(page) == {"title": "Threshold", "says": "Threshold at 5."}
    # all controls, in place of the words
    press("c")
    assert page.locator(".rocviz-tools >> visible=true").count() == 1
    assert page.locator("button.fold >> visible=true").count() > 0
    press("c")
    assert page.locator("button.fold >> visible=true").count() == 0
    press("f")
    page.wait_for_function("() => document.fullscreenElement?.matches('.rocviz-story')")
    press("f")
    page.wait_for_function("() => !document.fullscreenElement")
    assert offline.complaints == []


def test_a_lecture_says_when_it_ends_and_can_be_shortened(offline, tmp_path):
    steps = [
        rocviz.Step("Begin", "", part="First", minutes=20),
        rocviz.Step("Aside", "", is_optional=True),
        rocviz.Step("Middle", "", part="Second", minutes=10),
        rocviz.Step("Detail", "", is_optional=True),
        rocviz.Step("After", "", ask=rocviz.Question("What then?", ["this", "that"], 0)),
        rocviz.Step("End", "", part="Third", minutes=10),
    ]
    story = rocviz.Story(rocviz.ROCExplorer(panels=["scores"], n_samples=50), steps)
    story.to_html(tmp_path / "lecture.html", most=2)
    story.close()
    page = opened(offline.page, tmp_path / "lecture.html")
    plan = page.locator(".plan")

    def says():
        return " ".join(plan.inner_text().split())

    assert "Part 1 of 3 0 of 40 min · ends at 40" in says()
    page.keyboard.press("PageDown")
    assert shown(page)["title"] == "Aside"
    # half an hour later it is late; without asides, by less
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 1.8e6; }")
    page.keyboard.press("PageUp")
    assert "30 of 40 min · ends at 70, 30 min late" in says()
    page.get_by_role("button", name="shorten").click()
    assert "ends at 57, 17 min late" in says()
    page.keyboard.press("PageDown")
    assert shown(page)["title"] == "Middle"
    # a question is not asked over the picture of a step that was left out
    page.keyboard.press("PageDown")
    assert shown(page) == {"question": "What then?"}
    assert page.locator(".rocviz-panel:visible").count() == 0
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    assert shown(page)["title"] == "Begin"
    page.keyboard.press("n")
    assert "Part 2 of 3" in says()
    page.get_by_role("button", name="skip part").click()
    assert shown(page)["title"] == "End"
    assert page.get_by_role("button", name="skip part").is_disabled()
    # the clock is started again
    page.locator(".clock").click()
    assert "0 of 40 min · ends at 10" in says()
    assert offline.complaints == []


def test_an_address_restores_a_step_and_its_inputs(story_page, offline):
    page = opened(offline.page, story_page[1], "#step=2&threshold=0.05")
    assert shown(page)["title"] == "One"
    assert "Moved: threshold" in shown(page)["says"]
    for hash_ in ("#step=3", "#step=3", "#step=4"):
        page.keyboard.press("PageDown")
        page.wait_for_function("hash => location.hash === hash", arg=hash_)
    assert shown(page)["title"] == "Threshold"
    # back is the step before; one with a question asks it
    page.go_back()
    page.locator(".question", has_text="Where?").wait_for()
    page.evaluate("location.hash = '#step=5'")
    page.locator("h2.title", has_text="Alone").wait_for()
    for nonsense in ("#step=99", "#step=-1", "#<b>", "#step=2&threshold=%00"):
        page.evaluate("hash => { location.hash = hash; }", nonsense)
    page.locator("h2.title", has_text="One").wait_for()
    page.locator("input.track:enabled >> visible=true").first.focus()
    page.keyboard.press("End")
    page.wait_for_function("() => /^#step=2&threshold=/.test(location.hash)")
    page.get_by_role("button", name="link").first.click()
    link = page.locator(".share input").nth(0).input_value()
    embed = page.locator(".share input").nth(1).input_value()
    assert link == page.url
    assert embed.startswith("<iframe ")
    assert link.replace("&", "&amp;") in embed
    page.get_by_role("button", name="close").click()
    page.locator(".share").wait_for(state="detached")
    assert offline.complaints == []


def test_a_page_has_the_metadata_of_link_previews(story_page, offline):
    page = opened(offline.page, story_page[1])
    tags = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('meta[property]')]"
        ".map(e => [e.getAttribute('property'), e.content]))"
    )
    assert tags == {
        "og:type": "website",
        "og:title": "One",
        "og:description": "Where?",
        "og:url": "https://example.org/told.html",
        "og:image": "https://example.org/told.png",
    }
    assert story_page[1].with_suffix(".png").read_bytes()[:4] == b"\x89PNG"


def test_notes_open_in_a_separate_window(story_page, offline):
    page = opened(offline.page, story_page[1])
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    desk = popup.value
    desk.locator("h1", has_text="Hook").wait_for()
    assert "Answer: right" in desk.locator("body").inner_text()
    page.keyboard.press("2")
    desk.locator("em", has_text="hello").wait_for()
    # the keys lead from there as well
    desk.keyboard.press("PageDown")
    desk.locator("h1", has_text="One").wait_for()
    assert shown(page)["title"] == "One"
    assert "Next: a question." in desk.locator("body").inner_text()
    desk.close()
    page.keyboard.press("PageDown")
    assert shown(page) == {"question": "Where?"}


@pytest.mark.parametrize(
    ("words", "size", "scrolls"),
    [(20, "", False), (180, r"shown at (60|65|70|75)% of its size", False), (700, "at 55%", True)],
)
def test_a_long_text_shrinks_and_then_scrolls(words, size, scrolls, large_type, offline, tmp_path):
    large_type(True)
    text = " ".join(["words"] * words) + " **end**"
    explorer = rocviz.ROCExplorer(panels=["roc"], n_samples=100, show_band=False)
    story = rocviz.Story(explorer, [rocviz.Step("Long", text)])
    offline.page.set_viewport_size({"width": 1280, "height": 720})
    page = opened(offline.page, story.to_html(tmp_path / "long.html", most=2))
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    desk = popup.value
    desk.locator("h1", has_text="Long").wait_for()
    notes = desk.locator("body").inner_text()
    assert re.search(size, notes)
    assert ("too long for a hall" in notes) == bool(size)
    desk.close()
    sentence = page.locator(".rocviz-story .rocviz-sentence")
    assert sentence.evaluate("e => e.scrollHeight > e.clientHeight + 1") == scrolls
    end = sentence.locator("strong")
    end.evaluate("e => e.scrollIntoView({block: 'nearest'})")
    seen = end.bounding_box()
    bar = page.locator(".tools").bounding_box()
    assert 0 <= seen["y"] < seen["y"] + seen["height"] <= bar["y"]
    assert bar["y"] + bar["height"] <= 720
    story.close()
    assert offline.complaints == []


def test_a_story_is_made_and_shown_in_a_notebook(open_notebook):
    book = open_notebook(
        "import rocviz\nfrom rocviz.stories import StoryMaker\n"
        "maker = StoryMaker(rocviz.ROCExplorer(panels=['roc'], show_band=False))\nmaker",
        width=1280,
        height=720,
    )
    page = book.page
    maker = book.page.locator(".rocviz-maker-bar")
    book.run_all()
    keep = maker.get_by_role("button", name="keep as a step")
    keep.wait_for()
    drawn(book, page.evaluate(EXPLORER_SCRIPT))
    laid_out(book)

    def write(title, text):
        # keys that are typed are not JupyterLab's, and not the explorer's
        maker.get_by_label("title").click()
        page.keyboard.type(title)
        maker.get_by_label("what the step says").fill(text)
        keep.click()
        maker.locator("li", has_text=title).wait_for()

    write("dd", "At {state.threshold:.2f}.")
    left, top, width, height = plot_area(book)
    book.drag(centre(handle(book)), (left + 0.6 * width, top + 0.05 * height))
    book.wait_for_value("maker.explorer.threshold < 0.4")
    book.settle()
    write("Lower", "**At** {state.threshold:.2f}.")
    shown = book.value("maker.explorer.threshold")
    assert book.value("[s.inputs for s in maker.steps]") == [{}, {"threshold": shown}]
    maker.get_by_role("button", name="dd").click()
    book.wait_for_value("maker.explorer.threshold == 0.5")
    book.show("story = maker.to_story()\nstory")
    sentence = page.locator(".rocviz-story .rocviz-sentence")
    sentence.filter(has_text="At 0.50.").wait_for()
    page.locator(".rocviz-story h2.title").click()
    page.keyboard.press("PageDown")
    sentence.filter(has_text=f"At {shown:.2f}.").wait_for()
    assert book.value("story.index") == 1
    # all of it has room in the notebook's pane
    page.wait_for_function(
        "() => document.querySelector('.rocviz-story').offsetHeight"
        " < document.querySelector('.jp-WindowedPanel-outer').clientHeight"
    )
    # the whole screen, in a notebook, too
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement?.matches('.rocviz-story')")
    page.wait_for_function(LAID_OUT_SCRIPT, arg=1, polling=POLLING_MILLISECONDS)
    look = page.evaluate(FAULTS_SCRIPT)
    assert look["wrong"] == []
    assert look["plots"][0]["share"] > MIN_PICTURE_SHARE
    page.keyboard.press("f")
    page.wait_for_function("() => !document.fullscreenElement")
    assert book.complaints == []


#: Attacks that an untrusted story may try in its texts.
HOSTILE_TEXT = (
    "<img src=x onerror='rocviz.hurt=1'> <script>rocviz.hurt=1</script> </script><!--<script>"
    " [a](javascript:rocviz.hurt=1) ![b](https://example.org/c.png) **<b onclick='x'>** `<i>`"
)


def test_an_untrusted_story_runs_and_fetches_nothing(offline, tmp_path):
    named = json.dumps(HOSTILE_TEXT)
    text = "\n".join(f"{entry} = {named}" for entry in ("title", "text", "moved", "notes"))
    ask = f"text = {named}\nchoices = [{named}, {named}]\nanswer = 0\nwhy = [{named}, {named}]"
    path = tmp_path / "stranger.toml"
    path.write_text(
        f'[[step]]\n{text}\n[[step]]\n{text}\nmove = ["threshold"]\n[step.ask]\n{ask}\n'
    )
    story = rocviz.Story(rocviz.ROCExplorer(panels=["roc"], n_samples=100), path)
    page = offline.page
    addresses = []
    written = story.to_html(tmp_path / "stranger.html", most=3)
    page.on("request", lambda request: addresses.append(request.url))
    opened(page, written, "#step=1&threshold=<img src=x onerror=rocviz.hurt=1>&large=<b>")
    with page.expect_popup() as popup:
        page.keyboard.press("s")
    for key in ("PageDown", "2"):
        page.keyboard.press(key)
        assert shown(page)
    page.locator("input.track:enabled >> visible=true").first.focus()
    page.keyboard.press("Home")
    assert "Moved" in shown(page)["says"]
    popup.value.locator("h1", has_text="onerror").wait_for()
    for seen in (page, popup.value):
        assert seen.locator("img, i:not(.fa), b[onclick], body :not(body) > script").count() == 0
        links = seen.evaluate("() => [...document.querySelectorAll('a')].map(e => e.href)")
        assert set(links) <= {"https://example.org/c.png"}
    assert page.evaluate("() => rocviz.hurt") is None
    assert {url.partition(":")[0] for url in addresses} <= {"file", "about"}
    popup.value.close()
    story.close()
