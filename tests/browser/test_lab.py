"""The browser fixtures work: a page opens, is read, and is driven."""

from __future__ import annotations

import asyncio

import nbformat
import pytest
from pictures import centre, drawn, handle, into_sight, laid_out, plot_area

MAX_PRESSES = 12  # of which one is acknowledged


@pytest.fixture(scope="module")
def book(open_explorer):
    """A dark explorer beside the file browser, in the mode for lectures."""
    return open_explorer(
        "FermiDiracExplorer(n_samples=100)", width=1440, file_browser=True, lecture=True, dark=True
    )


def test_the_page_has_the_requested_settings(book):
    files = book.page.locator(".jp-FileBrowser").first.bounding_box()
    explorer = book.page.locator(".rocviz").bounding_box()
    assert files["x"] + files["width"] < explorer["x"]
    assert book.page.evaluate("[innerWidth, innerHeight]") == [1440, 1000]
    assert book.page.locator('body[data-jp-theme-light="false"]').count() == 1
    assert book.value("ex.n_samples") == 100
    # bqplot and d3 still have what the pictures are drawn at once with
    assert book.page.locator('.rocviz .rocviz-figure[data-at-once="true"]').count() == 4


def test_a_step_draws_each_mark_once(book):
    book.page.evaluate("""() => {
        const drawn = window.drawn = new Map(), seen = '.line, .dot, .label, .domain';
        window.counting = new MutationObserver(records => {
            for (const { target } of records.filter(r => r.target.matches(seen)))
                drawn.set(target, (drawn.get(target) || 0) + 1);
        });
        window.counting.observe(
            document.querySelector('.rocviz .rocviz-pictures'),
            { subtree: true, attributeFilter: ['d', 'dominant-baseline'] });
    }""")
    book.do("ex.update(auc=0.7, prevalence=0.4)")
    often = book.page.evaluate("() => { counting.disconnect(); return [...drawn.values()]; }")
    assert len(often) > 5
    assert set(often) == {1}
    book.do("ex.reset()")


def test_a_step_acknowledges_its_first_message(book):
    book.python("""heard = []
def hear(_stage, content, _buffers):
    heard.append(sorted(content))
ex.on_msg(hear)""")
    track = book.page.locator('[data-control="temperature"] input.track')
    heard = []

    def is_acknowledged():
        """Press a key, and look for an acknowledgement behind the message of a step."""
        track.press("ArrowLeft")
        book.settle()
        heard[:] = book.value("heard")
        # a page far from its kernel numbers its requests as well
        steps = [i for i, names in enumerate(heard) if {"control", "position"} <= set(names)]
        return any(["ping"] in heard[i:] for i in steps)

    # what is tested is the message behind a step, and not that each press is one
    assert any(is_acknowledged() for _ in range(MAX_PRESSES)), heard
    book.do("ex.on_msg(hear, remove=True); ex.reset()")


def test_several_explorers_open_and_close_in_one_cell(open_explorer):
    book = open_explorer("DecisionExplorer()")
    book.show(
        "ex.close()\n"
        "kept = [rocviz.DecisionExplorer(n_samples=8) for _ in range(3)]\n"
        "for ex in kept[1:]: ex.close()\n"
        "ex = kept[0]\nex"
    )
    drawn(book)
    book.page.locator('.rocviz [data-control="k"] input.track').press("ArrowLeft")
    book.wait_for_value("ex.k != ex.result.n_predicted_positive")
    assert book.page.locator(".rocviz").count() == 1
    assert book.complaints == []


def test_a_click_on_a_key_or_a_curve_puts_that_model_in_front(open_explorer):
    scores = "{'one': [1, 2, 4, 3, 5, 6], 'other': [1, 5, 6, 4, 2, 3]}"
    book = open_explorer(f"ROCExplorer([0, 0, 0, 1, 1, 1], {scores}, panels=['roc'])")
    into_sight(book)
    laid_out(book)
    assert book.value("ex.model") == "one"

    def click(x, y):
        low, high = book.value("page.limits('roc').tolist()")
        across = (x - low[0]) / (high[0] - low[0])
        up = (y - low[1]) / (high[1] - low[1])
        left, top, width, height = plot_area(book)
        book.page.mouse.click(left + across * width, top + (1 - up) * height)

    keys = "page.marks('roc')['keys']"
    click(*book.value(f"[float({keys}.x[1]), float({keys}.y[1])]"))
    book.wait_for_value("ex.model == 'other'")
    laid_out(book)
    click(1 / 6, 2 / 3)  # on a level step of its curve
    book.wait_for_value("ex.model == 'one'")
    assert book.complaints == []


def test_a_stopped_kernel_is_reported_on_an_intact_stage(book):
    into_sight(book)
    laid_out(book)
    places = """() => [...document.querySelectorAll('.rocviz .rocviz-panel')]
        .map(e => { const r = e.getBoundingClientRect(); return [r.left, r.width, r.height]; })"""
    before = book.page.evaluate(places)
    book.page.evaluate(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
    )
    book.page.locator(".rocviz.jupyter-widgets-disconnected").wait_for()
    message = book.page.evaluate(
        "() => getComputedStyle(document.querySelector('.rocviz'), '::before').content"
    )
    assert message == '"The kernel has stopped: run this cell again."'
    laid_out(book)
    assert book.page.evaluate(places) == before


def test_a_kernel_that_is_shut_down_disables_what_needs_it(open_notebook):
    def message():
        script = "() => getComputedStyle(document.querySelector('.rocviz'), '::before').content"
        return book.page.evaluate(script)

    book = open_notebook("import rocviz\nex = rocviz.ROCExplorer()\nex")
    book.run_all()
    drawn(book)
    laid_out(book)
    kernel = "window.jupyterapp.shell.currentWidget.sessionContext.session.kernel"
    slider = book.page.locator(".rocviz input.track").first
    place = slider.input_value()
    # a connection that is lost for a while: what was moved before is put back to what is shown
    slider.evaluate("e => { e.value = e.max; }")
    book.page.evaluate(f"() => {kernel}._updateConnectionStatus('connecting')")
    book.page.locator(".rocviz.is-lost").wait_for()
    assert "connection to the kernel is lost" in message()
    assert slider.evaluate("e => Boolean(e.closest('[inert]'))")
    assert slider.input_value() == place
    book.page.evaluate(f"() => {kernel}._updateConnectionStatus('connected')")
    book.page.locator(".rocviz:not(.jupyter-widgets-disconnected)").wait_for()
    assert not slider.evaluate("e => Boolean(e.closest('[inert]'))")
    # a kernel that is shut down during a drag
    x, y = centre(handle(book))
    book.page.mouse.move(x, y)
    book.page.mouse.down()
    book.page.mouse.move(x + 30, y, steps=3)
    book.page.evaluate(f"() => {kernel}.shutdown()")
    book.page.locator(".rocviz.jupyter-widgets-disconnected:not(.is-lost)").wait_for()
    book.page.mouse.move(x + 60, y, steps=3)
    book.page.mouse.up()
    assert message() == '"The kernel has stopped: run this cell again."'
    assert slider.evaluate("e => Boolean(e.closest('[inert]'))")
    # the cell, run by a new kernel
    context = "window.jupyterapp.shell.currentWidget.sessionContext"
    book.page.evaluate(f"() => {context}.startKernel()")
    book.run_all()
    book.page.locator(".rocviz:not(.jupyter-widgets-disconnected)").wait_for()
    laid_out(book)
    assert not slider.evaluate("e => Boolean(e.closest('[inert]'))")
    assert [one for one in book.complaints if "Cannot send" in one] == []


def test_a_new_notebook_shows_hidden_answers_once_run(lab, open_notebook):
    name = lab.write("covered.ipynb", "print('42')\nx = 'ex' in dir()")
    written = nbformat.read(lab.folder / name, as_version=4)
    (cell,) = written.cells
    cell.metadata["jupyter"] = {"outputs_hidden": True}
    cell.outputs = [nbformat.v4.new_output("stream", text="Predict first.\n42\n")]
    nbformat.write(written, lab.folder / name)
    book = open_notebook(name=name, width=1000)
    shown = book.page.locator(".jp-Cell-outputWrapper")
    assert "42" not in shown.inner_text()
    book.run_all()
    shown.get_by_text("42").wait_for()
    assert "Predict" not in shown.inner_text()
    assert book.value("x") is False


def test_playwright_s_loop_stays_in_the_browser_tests(book):
    assert asyncio.get_running_loop().is_running()
