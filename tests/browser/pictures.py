"""Where things are on a page that shows an explorer; used by the tests that drive one."""

from __future__ import annotations

LAYOUT = """() => {
    const root = document.querySelector('.rocviz').getBoundingClientRect();
    const boxes = [...document.querySelectorAll('.rocviz-panel')].map(e => {
        const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; });
    const squares = [...document.querySelectorAll('.rocviz .plotarea_events')].map(e => {
        const r = e.getBoundingClientRect(); return [r.width, r.height]; });
    const cut = [...document.querySelectorAll('.rocviz .bqplot')].flatMap(f => {
        const a = f.getBoundingClientRect();
        return [...f.querySelectorAll('text')].filter(t => {
            const r = t.getBoundingClientRect();
            return r.width && (r.left < a.left - 2 || r.right > a.right + 2
                || r.top < a.top - 2 || r.bottom > a.bottom + 2);
        }).map(t => t.textContent); });
    return {root: [root.left, root.right], boxes, squares, cut,
            ground: getComputedStyle(document.querySelector('.rocviz')).backgroundColor,
            ink: getComputedStyle(document.querySelector('.rocviz')).color}; }"""


def resize(book, width):
    """Give the page another width and wait until the pictures have followed.

    The page is tall: bqplot lays out again only what can be seen.
    """
    size = {"width": width, "height": 3200}
    if book.page.viewport_size == size:
        return drawn(book)
    book.page.set_viewport_size(size)
    laid_out(book)
    drawn(book)
    book.page.wait_for_function(
        """width => {
            const root = document.querySelector('.rocviz').getBoundingClientRect();
            return root.right < width && root.width > 0.78 * width - 120
                && [...document.querySelectorAll('.rocviz .bqplot')].every(f => {
                    const a = f.getBoundingClientRect().width;
                    const b = f.querySelector('.plotarea_events').getBoundingClientRect().width;
                    return a - b > 40 && a - b < 150; }); }""",
        arg=width,
    )


def drawn(book):
    """Wait until every figure of the explorer has axes, marks and a size."""
    book.page.locator(".rocviz svg.svg-figure").nth(1).wait_for()
    book.page.wait_for_function(
        "() => [...document.querySelectorAll('.rocviz .bqplot')].every(f =>"
        "f.querySelectorAll('.axis .tick').length > 4 && f.querySelector('.element')"
        " && f.querySelector('.plotarea_events').getBoundingClientRect().width > 100)"
    )


def laid_out(book):
    """Wait until the figures fill the room they have now.

    bqplot lays a figure out 300 ms after its size changed or it was scrolled into sight. A timer of
    the same page that is set later and runs longer goes off after bqplot's on any machine.
    """
    book.frames()
    book.page.evaluate("() => new Promise(done => setTimeout(done, 320))")
    book.frames()


def centre(locator):
    """Middle of an element on the page, once it rests."""
    locator.element_handle().wait_for_element_state("stable")
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def plot_area(book, i):
    """Left, top, width, height of the square inside the axes of the i-th figure."""
    return book.page.evaluate(
        """i => {
            const r = document.querySelectorAll('.rocviz .plotarea_events')[i]
                .getBoundingClientRect();
            return [r.x, r.y, r.width, r.height];
        }""",
        i,
    )


def handle(book, i):
    """The handle of the i-th figure that the mouse feels."""
    return book.page.locator(".rocviz svg.svg-figure").nth(i).locator("path.dot").last


def drag_handle(book, i, across, up):
    """Drag the handle of the i-th figure to a place in its axes, given in shares of their size."""
    handle(book, i).scroll_into_view_if_needed()
    laid_out(book)
    left, top, width, height = plot_area(book, i)
    book.drag(centre(handle(book, i)), (left + across * width, top + (1 - up) * height))


def lecture_mode(book, on):
    """Set the mode for lectures from Python and wait until the letters have their size."""
    size = "parseFloat(getComputedStyle(document.querySelector('.rocviz')).fontSize)"
    book.python(f"import rocviz; rocviz.set_theme(lecture={on})")
    book.page.wait_for_function(f"on => ({size} > 18) === on", arg=on)
    book.settle()
    laid_out(book)


def screenshot(book, path):
    """Save the explorer as it is on screen, as a PNG."""
    book.page.locator(".rocviz").screenshot(path=path, animations="disabled")
