"""Measure the layout of an explorer on a page."""

from __future__ import annotations

EXPLORERS = (
    "ROCExplorer",
    "FermiDiracExplorer",
    "EnsembleExplorer",
    "ScoringListExplorer",
    "DecisionExplorer",
    "LexicographicExplorer",
    "RankingLossExplorer",
    "GroupsExplorer",
    "MulticlassExplorer",
)
LAPTOP_SIZE = {"width": 1366, "height": 768}
#: Milliseconds. Playwright asks at each frame if nothing is said, while the page is at work.
POLLING_MILLISECONDS = 50

# What a page shows of the pane that an explorer is in, and whether a picture can be seen there:
# bqplot lays out what can be seen, and the rest may still fill the room that it had before.
SIGHT = """
    const root = document.querySelectorAll('.rocviz')[i];
    const pane = root.closest('.jp-WindowedPanel-outer, body').getBoundingClientRect();
    const top = Math.max(pane.top, 0), bottom = Math.min(pane.bottom, innerHeight);
    const isInSight = e => {
        const r = e.getBoundingClientRect();
        return r.width > 0 && r.bottom >= top && r.top <= bottom; };
"""

# Complaints about cut or invisible elements, and the height of the explorer.
MEASURE_SCRIPT = (
    "i => {"
    + SIGHT
    + """const box = root.getBoundingClientRect();
    const complaints = [], shown = e => {
        const style = getComputedStyle(e), r = e.getBoundingClientRect();
        return style.visibility !== 'hidden' && style.display !== 'none' && r.width > 0; };
    const name = e => `${e.tagName.toLowerCase()}.${String(e.getAttribute('class') || '')}`;
    const words = e => (e.textContent || '').trim().slice(0, 40);
    // HTML that does not fit its box; what scrolls on purpose, or ends in dots and is whole in its
    // tooltip, is left out
    const boxes = '.rocviz-sentence, .rocviz-body .rocviz-html, .rocviz-body td, .rocviz-body th,'
        + '.rocviz-rail :is(label, .line, .label, .name, .summary), .rocviz-title, .problem,'
        + '.rocviz-tools, .rocviz-about, .rocviz-body .cut > *';
    for (const e of root.querySelectorAll(boxes)) {
        const scrolls = /auto|scroll/.test(getComputedStyle(e).overflow)
            || e.closest('.rocviz-scroll') || (e.title && getComputedStyle(e).webkitLineClamp > 0);
        if (!shown(e) || scrolls) continue;
        if (e.scrollWidth > e.clientWidth + 1 && e.clientWidth)
            complaints.push(
                `${name(e)} is ${e.scrollWidth - e.clientWidth} px too wide: ${words(e)}`);
        if (e.scrollHeight > e.clientHeight + 2 && e.clientHeight)
            complaints.push(
                `${name(e)} is ${e.scrollHeight - e.clientHeight} px too high: ${words(e)}`);
    }
    const figures = [...root.querySelectorAll('.bqplot')].filter(e => shown(e) && isInSight(e));
    // text and circles of pictures
    for (const figure of figures) {
        const f = figure.getBoundingClientRect();
        for (const e of figure.querySelectorAll('text, path.dot')) {
            const r = e.getBoundingClientRect();
            const unseen = e.tagName === 'path' && /transparent/.test(e.getAttribute('style') || '')
                && /stroke: *transparent/.test(e.getAttribute('style') || '');
            if (!r.width || unseen || !shown(e)) continue;
            if (r.left < f.left - 2 || r.right > f.right + 2 || r.top < f.top - 2
                    || r.bottom > f.bottom + 2)
                complaints.push(`${e.tagName} leaves its picture: ${words(e)}`);
        }
    }
    // words lie on no data and not on each other, and no dot on a tick's number; what is marked by
    // a number or a letter has it inside, and a straight line from end to end may pass behind words
    for (const figure of figures) {
        const texts = [...figure.querySelectorAll('text')].filter(e => words(e) && shown(e)
            && !/^(drag|[◀▶▲▼\u2002\u2005]+|[0-9]+)$/.test(words(e))
            && !/rocviz-paper/.test(e.style.fill)
            || e.closest('.tick') && shown(e));
        const boxes = texts.map(e => {
            const box = e.getBBox(), to = e.getScreenCTM();  // letters are .6 of it high
            const back = to.inverse(), r = e.getBoundingClientRect();
            return {e, has: (x, y) => {
                if (x < r.left || x > r.right || y < r.top || y > r.bottom) return false;
                const at = new DOMPoint(x, y).matrixTransform(back);
                return at.x > box.x + 1 && at.x < box.x + box.width - 1
                    && at.y > box.y + .2 * box.height && at.y < box.y + .8 * box.height; },
                points: [0, .25, .5, .75, 1].flatMap(u => [.25, .5, .75].map(v => {
                    const at = new DOMPoint(box.x + u * box.width, box.y + v * box.height);
                    const on = at.matrixTransform(to); return [on.x, on.y]; }))}; });
        const dots = [...figure.querySelectorAll('path.dot')].filter(e => shown(e)
            && !/fill: transparent/.test(e.getAttribute('style') || '')).map(e => {
            const r = e.getBoundingClientRect();
            return [(r.left + r.right) / 2, (r.top + r.bottom) / 2, r.width / 2 - 2]; });
        const isDotted = e => /^2(px)?, 10/.test(getComputedStyle(e).strokeDasharray);
        const drawn = [...figure.querySelectorAll('path.line')].filter(e => shown(e) && !isDotted(e)
            && (e.getAttribute('d') || '').split('L').length > 2
            && !/none|transparent/.test(getComputedStyle(e).stroke)
            && !/rocviz-paper/.test(e.style.stroke)  // gaps between cells
            && parseFloat(getComputedStyle(e).strokeWidth) > 0
            && parseFloat(getComputedStyle(e).opacity) > .1).flatMap(e => {
            const to = e.getScreenCTM(), length = e.getTotalLength();
            return Array.from({length: Math.ceil(length / 3)}, (_, i) => {
                const at = e.getPointAtLength(3 * i).matrixTransform(to);
                return [at.x, at.y]; }); });
        boxes.forEach((a, i) => {
            for (const b of boxes.slice(i + 1))
                if (a.points.some(at => b.has(...at)) || b.points.some(at => a.has(...at)))
                    complaints.push(`words lie on each other: ${words(a.e)}, ${words(b.e)}`);
            if (dots.some(([x, y, r]) => a.points.some(([u, v]) => Math.hypot(u - x, v - y) < r)))
                complaints.push(`words lie on a dot: ${words(a.e)}`);
            if (a.e.closest('.tick')) return;
            if (drawn.filter(([x, y]) => a.has(x, y)).length > 1)
                complaints.push(`words lie on a line: ${words(a.e)}`); });
    }
    // everything together in sight
    for (const e of root.querySelectorAll('.rocviz-sentence, .rocviz-rail, .rocviz-panel')) {
        const r = e.getBoundingClientRect();
        if (!shown(e)) continue;
        if (r.top < top - 1 || r.bottom > bottom + 1)
            complaints.push(`${name(e)} is out of sight (${r.top | 0} to ${r.bottom | 0})`);
        if (r.right > box.right + 1) complaints.push(`${name(e)} is too far right`);
    }
    // panels do not lie on each other
    const panels = [...root.querySelectorAll('.rocviz-panel')].filter(shown)
        .map(e => e.getBoundingClientRect());
    panels.forEach((a, i) => panels.slice(i + 1).forEach(b => {
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1
                && b.top < a.bottom - 1) complaints.push('two pictures lie on each other'); }));
    return {height: box.height, width: box.width, complaints,
            ground: getComputedStyle(root).backgroundColor}; }"""
)


def into_sight(book, i=0):
    """Scroll the i-th explorer to the top of the page."""
    book.page.evaluate(
        "i => document.querySelectorAll('.rocviz')[i].scrollIntoView({block: 'start'})", i
    )


#: Whether every picture that is in sight fills the room that it has now, but for its margins.
FILLED = (
    "i => {"
    + SIGHT
    + """return [...root.querySelectorAll('.rocviz-figure')].filter(isInSight).every(e => {
        const room = e.getBoundingClientRect(), inner = e.querySelector('.plotarea_background');
        const box = inner && inner.getBoundingClientRect();
        return box && box.width > 0 && box.right <= room.right + 1 && box.right > room.right - 60
            && box.bottom <= room.bottom + 1 && box.bottom > room.bottom - 90; }); }"""
)


def measure(book, i=0, *, sized=True):
    """List the faults in the layout of the i-th explorer, once it rests.

    Where its size and place can have changed since it was last measured (``sized``), its pictures
    have to fill their room. If there are complaints, it is measured once more: bqplot draws some
    words a little late.
    """
    if sized:
        into_sight(book, i)
        filled(book, i)
    layout = book.page.evaluate(MEASURE_SCRIPT, i)
    if layout["complaints"]:
        into_sight(book, i)
        laid_out(book)
        layout = book.page.evaluate(MEASURE_SCRIPT, i)
    return layout


def measure_scrolled(book):
    """List the faults in the layout of a page on which one scrolls from picture to picture."""
    places = [book.page.locator(".rocviz").first, *book.page.locator(".rocviz-panel:visible").all()]
    complaints = []
    for place in places:
        place.evaluate("place => place.scrollIntoView({block: 'start'})")
        filled(book)
        measured = book.page.evaluate(MEASURE_SCRIPT, 0)
        if faults_of_scrolled(measured):
            laid_out(book)
            measured = book.page.evaluate(MEASURE_SCRIPT, 0)
        complaints += faults_of_scrolled(measured)
    return {**measured, "complaints": complaints}


def faults_of_scrolled(measured):
    """List the complaints, without those about what one has to scroll to."""
    return [each for each in measured["complaints"] if "is out of sight" not in each]


def drawn(book, i=0):
    """Wait until every picture of the i-th explorer that is shown has its marks and a size."""
    explorer = book.page.locator(".rocviz").nth(i)
    explorer.locator(".rocviz-stage").wait_for()
    explorer.locator(".rocviz-rail-view").wait_for()
    book.page.wait_for_function(
        "i => [...document.querySelectorAll('.rocviz')[i].querySelectorAll('.bqplot')]"
        ".filter(f => f.getBoundingClientRect().width > 0).every(f =>"
        "f.querySelectorAll('.axis .tick').length > 1 && f.querySelector('.element')"
        " && f.querySelector('.plotarea_events').getBoundingClientRect().width > 20)",
        arg=i,
        polling=POLLING_MILLISECONDS,
    )


def filled(book, i=0):
    """Wait until the pictures in sight fill their room."""
    book.frames()
    book.page.wait_for_function(FILLED, arg=i, polling=POLLING_MILLISECONDS)


def laid_out(book):
    """Wait until the figures fill their present room.

    bqplot lays a figure out 300 ms after its size changed or it was scrolled into sight. A timer of
    the same page that is set later and runs longer goes off after bqplot's on any machine.
    """
    book.frames()
    book.page.evaluate("() => new Promise(done => setTimeout(done, 320))")
    book.frames()


def centre(locator):
    """Find the middle of an element on the page, once it rests."""
    locator.element_handle().wait_for_element_state("stable")
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def large(book):
    """Find the large picture."""
    return book.page.locator(".rocviz-panel.is-large").first


def handle(book, i=0):
    """Find the hit area of the i-th handle of the large picture."""
    return (
        large(book)
        .locator('path.dot[style*="fill: transparent"][style*="stroke: transparent"]')
        .nth(i)
    )


def plot_area(book):
    """Compute left, top, width, height of the axes of the large picture."""
    box = large(book).locator(".plotarea_events").first.bounding_box()
    return box["x"], box["y"], box["width"], box["height"]


def drag_handle(book, across, up, i=0):
    """Drag a handle of the large picture to a place given in shares of its axes."""
    into_sight(book)
    laid_out(book)
    left, top, width, height = plot_area(book)
    book.drag(centre(handle(book, i)), (left + across * width, top + (1 - up) * height))


def lecture_mode(book, on):
    """Set lecture mode from Python and wait until the type has its size."""
    size = "parseFloat(getComputedStyle(document.querySelector('.rocviz')).fontSize)"
    book.do(f"import rocviz; rocviz.set_theme(lecture={on})")
    book.page.wait_for_function(f"on => ({size} > 18) === on", arg=on)
    laid_out(book)


def screenshot(book, path):
    """Save the explorer as it is on screen, as a PNG."""
    book.page.locator(".rocviz").screenshot(path=path, animations="disabled")


def faults(book, *rules):
    """List the findings of axe-core in the explorer as (rule, element), by some or all rules."""
    from axe_playwright_python.sync_playwright import Axe

    options = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = {"type": "rule", "values": list(rules)}
    report = Axe().run(book.page, context=".rocviz", options=options)
    return [
        (violation["id"], node["html"][:160])
        for violation in report.response["violations"]
        for node in violation["nodes"]
    ]


def sentence(page):
    """Read the sentence once it no longer changes."""
    page.evaluate("async () => { while (rocviz.busy) await rocviz.busy; }")
    return page.locator(".rocviz-sentence").inner_text().strip().replace("\u00a0", " ")
