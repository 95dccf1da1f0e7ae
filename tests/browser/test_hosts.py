"""Other hosts than Jupyter's, and a JupyterLab without bqplot, show and move an explorer.

In each, a drag in the page arrives in Python: what is compared is read from the trait, by something
that the host itself shows. JupyterLab, Notebook 7 and Voila have their tests in other files.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import nbformat
import pytest
from hosts import STARTERS, ExplorerPage, MarimoServer, ShinyServer, wait_drawn
from lab import Lab, Notebook
from pictures import drag_handle
from server import PATIENCE_SECONDS

from rocviz.widgets.base.recording.recording import installed_script
from rocviz.widgets.base.widget import style_sheet
from rocviz.words import score_text

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def context(page):
    """A window of its own, wide enough for a rail at the left."""
    context = page.context.browser.new_context(
        viewport={"width": 1440, "height": 1100}, reduced_motion="reduce"
    )
    yield context
    context.close()


@contextmanager
def opened(context, server):
    """An explorer in the page of a server; both are closed at the end."""
    with server:
        host = ExplorerPage(context, server.url)
        try:
            yield host
        finally:
            host.page.close()


#: Messages of hosts: bqplot is not found, as is meant here; and shinywidgets replaces a widget
#: before the page has made its view.
ERRORS_OF_HOSTS = re.compile("bqplot|bqscales|Unexpected error while closing model")


def complaints_of(host):
    """Collect the messages of its console, except the host's."""
    return [text for text in host.complaints if not ERRORS_OF_HOSTS.search(text)]


#: The second step of the stories in these hosts glides there, and its explorer can be dragged.
STORY_SOURCE = """
import rocviz

STEPS = [
    rocviz.Step("A curve", "The area under it is {result.segments.auc:.2f}."),
    rocviz.Step("Far left", "{result.table.fp:n} alarms.", {"threshold": 0.7}, glide="threshold"),
]


def tell():
    return rocviz.Story(rocviz.ROCExplorer(panels=["roc"]), STEPS)
"""


def assert_the_story_is_told(host):
    """Go on a step, which glides, then drag, and go back to it; Python has what the page shows."""
    host.drawn()
    seen = host.page.locator(".seen, #seen")
    host.wait(lambda: seen.inner_text() == "step 0, threshold 0.500")
    host.page.emulate_media(reduced_motion="no-preference")
    host.page.locator("button.next").click()
    host.wait(lambda: seen.inner_text() == "step 1, threshold 0.700")
    assert host.threshold() == "0.700"
    host.page.emulate_media(reduced_motion="reduce")
    host.drag(60, 40)
    host.wait(lambda: host.threshold() != "0.700")
    host.wait(lambda: seen.inner_text() == f"step 1, threshold {host.threshold()}")
    host.page.locator("button.again").click()
    host.wait(lambda: seen.inner_text() == "step 1, threshold 0.700")
    assert complaints_of(host) == []


# ---------------------------------------------------------------------- marimo

#: A notebook with an explorer, a cell that depends on it, and one that waits to be let go.
MARIMO_SOURCE = """
import marimo

app = marimo.App(width="full")


@app.cell
def _():
    import marimo as mo
    import rocviz

    return mo, rocviz


@app.cell
def _(mo, rocviz):
    explorer = mo.ui.anywidget(rocviz.ROCExplorer())
    explorer
    return (explorer,)


@app.cell
def _(explorer, mo):
    mo.Html(f"<p class='seen'>{explorer.threshold!r}, {explorer.result.table.tp:.0f}</p>")
    return


@app.cell
def _(mo):
    with open("gate") as gate:
        passed = gate.read()
    mo.Html(f"<p class='passed'>{passed}</p>")
    return


if __name__ == "__main__":
    app.run()
"""


def test_marimo_edits_a_notebook_with_an_explorer(context, tmp_path):
    (tmp_path / "one.py").write_text(MARIMO_SOURCE, encoding="utf-8")
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    with opened(context, MarimoServer(tmp_path, "edit", "one.py")) as host:
        # the last cell runs all the while, and nothing waits for it
        host.drawn()
        assert host.page.locator(".passed").count() == 0
        gate.write_text("through", encoding="utf-8")
        host.page.locator(".passed", has_text="through").wait_for()
        # a dark page is recognised, though no theme was set in Python
        assert "rocviz-dark" not in host.explorer.get_attribute("class")
        host.page.emulate_media(color_scheme="dark")
        host.wait(lambda: "rocviz-dark" in host.explorer.get_attribute("class"))
        host.page.emulate_media(color_scheme="light")
        host.wait(lambda: "rocviz-dark" not in host.explorer.get_attribute("class"))
        seen = host.page.locator(".seen")
        before = seen.inner_text()
        host.drag(60, 40)
        host.wait(lambda: seen.inner_text() != before)

        def agrees():
            threshold, found = seen.inner_text().split(", ")
            return score_text(float(threshold), 3) == host.threshold() and found in host.spoken()

        host.wait(agrees)
        assert complaints_of(host) == []


def test_marimo_runs_the_starter(context, tmp_path):
    shutil.copy(STARTERS / "two_models.py", tmp_path)
    with opened(context, MarimoServer(tmp_path, "run", "two_models.py")) as host:
        host.drawn()
        # the table below the explorer has its threshold, and the model in front
        cells = host.page.locator("td")
        host.wait(lambda: "as chosen above" in cells.all_inner_texts())
        host.drag(60, 40)
        host.wait(lambda: host.threshold() in cells.all_inner_texts())
        assert complaints_of(host) == []


MARIMO_STORY_SOURCE = """
import marimo

app = marimo.App(width="full")


@app.cell
def _():
    import marimo as mo
    from story import tell

    story = mo.ui.anywidget(tell())
    story
    return mo, story


@app.cell
def _(mo, story):
    mo.Html(f"<p class='seen'>step {story.index}, threshold {story.explorer.threshold:.3f}</p>")
    return


if __name__ == "__main__":
    app.run()
"""


@pytest.mark.parametrize("mode", ["edit", "run"])
def test_marimo_tells_a_story(context, tmp_path, mode):
    (tmp_path / "story.py").write_text(STORY_SOURCE, encoding="utf-8")
    (tmp_path / "told.py").write_text(MARIMO_STORY_SOURCE, encoding="utf-8")
    with opened(context, MarimoServer(tmp_path, mode, "told.py")) as host:
        assert_the_story_is_told(host)


# ---------------------------------------------------------------------- Shiny


def counts(text):
    """The numbers of positives found and of all positives in a sentence, and the threshold."""
    plain = re.sub(r"(?<=\d)[ ,\u202f\u00a0](?=\d{3})", "", text)
    found, positives = re.search(r"(\d+) of (\d+) positives", plain).groups()
    return int(found), int(positives), re.search(r"threshold (\d\.\d+)", plain)[1]


SHINY_STORY_SOURCE = """
from shiny import App, render, ui
from shinywidgets import output_widget, reactive_read, render_widget
from story import tell

app_ui = ui.page_fluid(output_widget("story", height="auto"), ui.output_text("seen"))


def server(input, output, session):
    @render_widget
    def story():
        return tell()

    @render.text
    def seen():
        index = reactive_read(story.widget, "index")
        threshold = reactive_read(story.widget.explorer, "threshold")
        return f"step {index}, threshold {threshold:.3f}"


app = App(app_ui, server)
"""


def test_shiny_tells_a_story(context, tmp_path):
    (tmp_path / "story.py").write_text(STORY_SOURCE, encoding="utf-8")
    (tmp_path / "told.py").write_text(SHINY_STORY_SOURCE, encoding="utf-8")
    with opened(context, ShinyServer(tmp_path, "told.py")) as host:
        assert_the_story_is_told(host)


def test_shiny_shows_an_explorer(context, tmp_path):
    shutil.copy(STARTERS / "small_app.py", tmp_path)
    with opened(context, ShinyServer(tmp_path, "small_app.py")) as host:
        host.drawn()
        found = host.page.locator("#found")

        def agree():
            return counts(found.inner_text()) == counts(host.spoken())

        host.wait(agree)
        exact = counts(host.spoken())
        host.drag(60, 40)
        host.wait(lambda: counts(found.inner_text())[2] not in (exact[2], ""))
        host.wait(lambda: agree() and counts(host.spoken())[2] == host.threshold())
        # a control of the data is previewed from fewer samples; the exact result comes by itself
        host.explorer.locator("button.fold", has_text="other data").click()
        slider = host.explorer.locator('[data-control="separation"] input.track')
        words = host.spoken()
        slider.press("ArrowRight")
        host.wait(lambda: host.spoken() != words)
        host.wait(lambda: counts(host.spoken())[1] == exact[1] and agree())
        # it is as high as in a notebook: no picture is cut
        outer = host.page.locator("#explorer").bounding_box()
        inner = host.explorer.bounding_box()
        assert inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1
        assert complaints_of(host) == []


def test_shiny_runs_the_starter(context, tmp_path):
    shutil.copy(STARTERS / "threshold_app.py", tmp_path)
    lines = [f"{case},{0.1 * (case % 7) + 0.3 * (case % 3)}" for case in range(60)]
    rows = [f"{line},{'ill' if case % 3 else 'well'}" for case, line in enumerate(lines)]
    file = tmp_path / "ours.csv"
    file.write_text("\n".join(["case,risk,diagnosis", *rows]) + "\n", encoding="utf-8")
    with opened(context, ShinyServer(tmp_path, "threshold_app.py")) as host:
        host.drawn()
        host.page.locator("#file").set_input_files(file)
        advice = host.page.locator("#advice")
        advice.filter(has_text="40 negatives").wait_for()
        host.page.locator("#score_column").select_option("risk")
        host.page.locator("#positive_label").select_option("ill")
        advice.filter(has_text="of 40 positives").wait_for()
        host.drawn()
        host.page.get_by_role("button", name="costs least").click()
        host.wait(lambda: f"from {host.threshold()} up" in advice.inner_text())
        host.drag(0, 60)
        host.wait(lambda: f"from {host.threshold()} up" in advice.inner_text())
        with host.page.expect_download() as download:
            host.page.locator("#decisions").click()
        decided = download.value.path().read_text("utf-8").splitlines()
        assert decided[0] == "case,risk,diagnosis,predicted_positive"
        found = [line for line in decided if line.endswith(",ill,True")]
        assert f"finds {len(found)} of 40 positives" in advice.inner_text()
        assert complaints_of(host) == []


# ---------------------------------------------------------------------- without extensions


def test_jupyterlab_without_bqplot(context, tmp_path):
    """The scripts of the kernel's packages draw, where the server has none of them."""
    with Lab(tmp_path, disabled=("@bqplot/bqplot", "@bqplot/bqscales")) as server:
        page = context.new_page()
        book = Notebook(page, server, server.write("bare.ipynb", ""))
        plugins = page.evaluate("() => window.jupyterapp.listPlugins()")
        assert [name for name in plugins if "bqplot" in name] == []
        book.show("import rocviz\nex = rocviz.ROCExplorer()\nex")
        wait_drawn(page, page.locator(".rocviz").first)
        drag_handle(book, 0.3, 0.9)
        value = book.page.locator('[data-control="threshold"] input.value')
        book.wait_for_value("ex.threshold != 0.5")
        book.settle()
        assert value.input_value() == score_text(book.value("ex.threshold"), 3)
        assert complaints_of(book) == []
        book.hang_up()
        page.close()


def test_inputs_follow_widgets_of_others(open_notebook):
    """A slider that is linked in the page, and one of ``interactive_output``, in JupyterLab."""
    book = open_notebook(
        "import ipywidgets, rocviz\n"
        "ex = rocviz.ROCExplorer()\n"
        "linked = ipywidgets.FloatSlider(0.5, min=0, max=1, step=0.01)\n"
        "ipywidgets.jslink((ex, 'threshold'), (linked, 'value'))\n"
        "cost = ipywidgets.IntSlider(1, min=1, max=9)\n"
        "def set_cost(cost):\n"
        "    ex.cost_fn = cost\n"
        "    print('a miss costs', ex.cost_fn)\n"
        "out = ipywidgets.interactive_output(set_cost, {'cost': cost})\n"
        "ipywidgets.VBox([linked, cost, ex, out])"
    )
    book.run_all()
    wait_drawn(book.page, book.page.locator(".rocviz").first)
    handles = book.page.locator(".jupyter-widgets .noUi-handle")
    value = book.page.locator('[data-control="threshold"] input.value')
    before = book.value("ex.threshold")
    handles.nth(0).press("ArrowRight")
    book.wait_for_value(f"ex.threshold != {before} and ex.threshold == linked.value")
    book.settle()
    assert value.input_value() == score_text(book.value("ex.threshold"), 3)
    drag_handle(book, 0.3, 0.9)
    book.settle()
    moved = book.value("ex.threshold")
    book.wait_for_value("abs(linked.value - ex.threshold) <= 0.01")
    assert moved != before
    handles.nth(1).press("ArrowRight")
    book.wait_for_value("ex.cost_fn == cost.value == 2")
    book.page.locator(".jp-OutputArea", has_text="a miss costs 2").first.wait_for()
    assert complaints_of(book) == []


@pytest.fixture(scope="module")
def kept_page(tmp_path_factory):
    """A page of a notebook with an explorer, and with the state of its widgets."""
    folder = tmp_path_factory.mktemp("kept")
    cell = nbformat.v4.new_code_cell("import rocviz\nrocviz.ROCExplorer()")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), folder / "kept.ipynb")
    command = ["jupyter", "nbconvert", "--to", "html", "--execute", "kept.ipynb"]
    subprocess.run([sys.executable, "-m", *command], check=True, capture_output=True, cwd=folder)
    return (folder / "kept.html").as_uri()


def assert_the_picture_alone_is_seen(tab):
    picture = tab.locator("img")
    picture.wait_for()
    assert picture.count() == 1
    assert picture.evaluate("e => e.complete && e.naturalWidth > 400")
    assert [shell for shell in tab.locator(".rocviz").all() if shell.is_visible()] == []


def test_a_page_with_widget_state_shows_its_picture_without_a_network(offline, kept_page):
    offline.page.goto(kept_page)
    offline.page.wait_for_load_state("networkidle")
    assert_the_picture_alone_is_seen(offline.page)


#: Outputs as VS Code's notebook arranges them: each stands in a container of its own.
OUTPUTS_OF_VSCODE = """<style>{style}</style><body data-vscode-theme-kind="vscode-dark">
<div class="cell_container">
  <div class="output_container"><div class="output"><p class="rocviz has-pictures">-</p></div></div>
  <div class="output_container"><div class="output" id="still"><img {pixel}></div></div>
  <div class="output_container"><div class="output" id="plot"><img {pixel}></div></div>
</div>
<div class="cell_container">
  <div class="output_container"><div class="output" id="other"><img {pixel}></div></div>
</div>"""
PIXEL = "width=40 height=40 src='data:image/gif;base64,R0lGODlhAQABAAAAACw='"


def test_vscode_hides_the_still_picture_below_a_live_explorer(offline):
    """Its page is imitated, as far as the style sheet is concerned with it."""
    tab = offline.page
    tab.set_content(OUTPUTS_OF_VSCODE.format(style=style_sheet(), pixel=PIXEL))

    def seen():
        return [e.evaluate("e => e.parentNode.id") for e in tab.locator("img:visible").all()]

    assert seen() == ["plot", "other"]
    assert tab.locator("#still").evaluate("e => e.offsetHeight") == 0  # so no room is kept for it
    tab.evaluate("() => document.querySelector('.rocviz').classList.remove('has-pictures')")
    assert seen() == ["still", "plot", "other"]


def package_file(package, path):
    """Find a file of an installed package without importing it."""
    return Path(find_spec(package).submodule_search_locations[0]) / path


#: Ends the manager's script as its other form does, which begins by itself.
BEGIN_SCRIPT = """
;require(['@jupyter-widgets/html-manager/dist/libembed-amd'], manager => manager.renderWidgets());
"""


def test_a_page_with_widget_state_shows_its_picture_without_bqplot(context, kept_page):
    """On the network there is a manager, and anywidget, but not bqplot's front end."""
    tab = context.new_page()
    tab.set_default_timeout(1000 * PATIENCE_SECONDS)
    asked = []

    def answer(route):
        url = route.request.url
        asked.append(url)
        if url.startswith("file:"):
            route.continue_()
        elif "require.min" in url:
            route.fulfill(path=package_file("shiny", "www/shared/requirejs/require.min.js"))
        elif "embed-amd" in url:
            manager = package_file("shinywidgets", "static/libembed-amd.js").read_text("utf-8")
            route.fulfill(body=manager + BEGIN_SCRIPT, content_type="text/javascript")
        elif "anywidget" in url:
            route.fulfill(body=installed_script("anywidget"), content_type="text/javascript")
        else:
            route.fulfill(status=404)

    tab.route("**/*", answer)
    missing = re.compile("bqscales|bqplot")
    with tab.expect_response(lambda response: missing.search(response.url)) as asked_in_vain:
        tab.goto(kept_page)
    assert asked_in_vain.value.status == 404
    tab.wait_for_load_state("networkidle")
    assert_the_picture_alone_is_seen(tab)
    assert any("anywidget" in url for url in asked)
    tab.close()
