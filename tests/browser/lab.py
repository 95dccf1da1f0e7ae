"""A JupyterLab server and a page in it, for tests that drive real explorers.

``Notebook`` runs cells, reads Python values back from the kernel, and keeps what the browser's
console said. It waits for conditions and never for time to pass; how long it may take before a test
gives up only guards against waiting for ever, so it is the same generous number everywhere.
"""

from __future__ import annotations

import itertools
import json
import os
import socket
import time
from collections.abc import Sequence
from pathlib import Path

import nbformat
from pictures import POLLING_MILLISECONDS
from server import PATIENCE_SECONDS, Server, free_port

CHROMIUM_FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--touch-events=enabled",
]

#: JupyterLab whose kernels, and those of Voila and Notebook, are forked; see forked.py.
FORKING_SOURCE = """
from forked import fork_kernels
from jupyterlab.labapp import main
fork_kernels()
main()
"""
TESTS = str(Path(__file__).resolve().parents[1])  # for page.py
KERNELS_FOLDER = str(Path(__file__).resolve().parents[1] / "notebooks")

#: Parts of JupyterLab that look for news, ask the kernel for what no explorer has to do with, or
#: paint anew at each message that the kernel is busy, and idle again: the first of these fetches an
#: icon of the page from the server each time.
DISABLED_EXTENSIONS = (
    "application-extension:faviconbusy",
    "apputils-extension:announcements",
    "apputils-extension:kernel-status",
    "console-extension:kernel-status",
    "debugger-extension",
    "extensionmanager-extension",
    "fileeditor-extension:language-server",
    "lsp-extension",
    "notebook-extension:execution-indicator",
    "notebook-extension:kernel-status",
    "notebook-extension:language-server",
    "terminal-extension",
)

# Messages of other packages in the console; any other message fails the test.
ERRORS_OF_OTHERS = (
    "negative value is not valid",  # bqplot: a figure that is drawn before it has a size
    # bqplot: axes drawn anew while a figure is resized
    "The node to be removed is not a child of this node",
    # ipywidgets: a widget is told of a size that its page had before the widget was removed
    "reading 'processLuminoMessage'",
    "favicon",
    "ERR_NAME_NOT_RESOLVED",  # JupyterLab looks for news on the network; there is none here
    "ERR_INTERNET_DISCONNECTED",
    "ERR_CONNECTION_",
    "Could not restore the debugger state",  # JupyterLab: a notebook is closed soon after it opened
    # JupyterLab: the kernel of the notebook that was open before ends while it is being greeted
    "Canceled future for create_subshell_request",
    # anywidget: an explorer is closed before the page has loaded what its rail is made by; one that
    # should be there and is not is waited for in vain
    "[anywidget] Failed to initialize model",
)

#: Begins what an explorer says in the console of an error that nobody expected.
OUR_ERROR_PREFIX = "rocviz: "

#: End the kernels of all open notebooks and close these without asking whether to save.
CLOSE_ALL_SCRIPT = """async () => {
    for (const widget of [...window.jupyterapp.shell.widgets('main')]) {
        if (widget.sessionContext) await widget.sessionContext.shutdown();
        if (widget.context) widget.context.model.dirty = false;
        widget.dispose();
    }
}"""

OPEN_SCRIPT = "path => { window.jupyterapp.commands.execute('docmanager:open', {path}); }"

#: Run code in the kernel as a page does, and return what it printed.
EXECUTE_SCRIPT = """async code => {
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    const future = kernel.requestExecute({code, silent: true, store_history: false});
    let text = '';
    future.onIOPub = m => { if (m.header.msg_type === 'stream') text += m.content.text; };
    const {content} = await future.done;
    if (content.status !== 'ok') throw new Error(content.traceback.join('\\n'));
    return text;
}"""

#: A door of the kernel's own for code from the tests, and its number. What goes through it is no
#: cell: JupyterLab does not paint its page anew because the kernel is busy, and idle again, which
#: costs fifty times as much as the answer, and no explorer draws its still picture anew. After the
#: code the page is sent its number, behind all that the code has sent it.
DOOR_SOURCE = """
async def _open_door():
    import asyncio, contextlib, io, json, traceback
    kernel = get_ipython().kernel
    async def answer(reader, writer):
        while line := await reader.readline():
            code, number = json.loads(line)
            said, failed = io.StringIO(), ""
            try:
                with contextlib.redirect_stdout(said):
                    exec(code, get_ipython().user_ns)
            except BaseException:
                failed = traceback.format_exc()
            done = {"comm_id": "door", "data": number}
            if number:
                kernel.session.send(kernel.iopub_socket, "comm_msg", done)
            writer.write(json.dumps([said.getvalue(), failed]).encode() + b"\\n")
            await writer.drain()
    server = await asyncio.start_server(answer, "127.0.0.1", 0, limit=2**20)
    print(server.sockets[0].getsockname()[1])
    return server
_door = await _open_door()
"""

#: Listen to the numbers of what went through the door.
LISTEN_SCRIPT = """() => {
    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    window.heard = 0;
    kernel.iopubMessage.connect((_, {content}) => {
        if (content.comm_id === 'door') { window.heard = content.data; window.hear?.(); }
    });
}"""
HEAR_SCRIPT = """async number => {
    while (window.heard < number) await new Promise(heard => { window.hear = heard; });
}"""

RUN_ALL_SCRIPT = "() => window.jupyterapp.commands.execute('notebook:run-all-cells')"

READY_SCRIPT = """path => {
    const now = window.jupyterapp && window.jupyterapp.shell.currentWidget;
    const session = now && now.sessionContext && now.sessionContext.session;
    return !!session && now.context.path === path && now.context.isReady
        && session.kernel && session.kernel.status === 'idle'
        && document.querySelectorAll('.jp-Notebook .jp-Cell').length > 0;
}"""


class Lab(Server):
    """A JupyterLab server in a folder of its own.

    Parameters
    ----------
    folder : Path
        Of its notebooks.
    disabled : sequence of str, default=()
        Names of further extensions that it does not load.
    """

    def __init__(self, folder: Path, *, disabled: Sequence[str] = ()) -> None:
        port = free_port()
        home = folder / "home"
        home.mkdir()
        kept = {
            name: str(home / name.lower())
            for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")
        }
        settings = {
            "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        }
        path = [KERNELS_FOLDER, TESTS, *filter(None, [os.environ.get("PYTHONPATH")])]
        overrides = Path(kept["JUPYTER_CONFIG_DIR"]) / "labconfig"
        overrides.mkdir(parents=True)
        names = [*(f"@jupyterlab/{part}" for part in DISABLED_EXTENSIONS), *disabled]
        (overrides / "page_config.json").write_text(
            json.dumps({"disabledExtensions": dict.fromkeys(names, True), "buildCheck": False})
        )
        super().__init__(
            folder,
            [
                "-c",
                FORKING_SOURCE,
                "--no-browser",
                "--allow-root",
                f"--port={port}",
                "--ServerApp.ip=127.0.0.1",
                "--IdentityProvider.token=",
                "--ServerApp.password=",
                "--LabApp.expose_app_in_browser=True",
                "--JupyterNotebookApp.expose_app_in_browser=True",
                "--LabApp.news_url=",
                "--ServerApp.port_retries=0",
                f"--ServerApp.root_dir={folder}",
            ],
            port,
            {**os.environ, **kept, **settings, "PYTHONPATH": os.pathsep.join(path)},
            "/api",
        )

    def write(self, name: str, *cells: str) -> str:
        """Write a notebook of code cells and return its name."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
        notebook.metadata["kernelspec"] = {
            "name": "python3",
            "display_name": "Python 3",
            "language": "python",
        }
        nbformat.write(notebook, self.folder / name)
        return name


class Page:
    """A page of the server that shows explorers, with the messages of its console."""

    def __init__(self, page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.set_default_timeout(1000 * PATIENCE_SECONDS)
        page.on("console", self._listen)
        page.on("pageerror", self._listen_to_errors)

    def _listen(self, message) -> None:
        if message.type == "error":
            self._complain(f"{message.text} {message.location.get('url', '')}")

    def _listen_to_errors(self, error) -> None:
        self._complain(str(error))

    def check(self) -> None:
        """Fail at once if an explorer has shown an error that nobody expected."""
        errors = [text for text in self.complaints if text.startswith(OUR_ERROR_PREFIX)]
        assert not errors, errors

    def _complain(self, text: str) -> None:
        if not any(known in text for known in ERRORS_OF_OTHERS):
            self.complaints.append(text)

    def frames(self, count: int = 5) -> None:
        """Let the page paint some frames; bqplot needs three to move a mark to its new place."""
        self.check()
        self.page.evaluate(
            """async count => {
                for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame);
            }""",
            count,
        )


class Notebook(Page):
    """A notebook open in a page, alone and with a kernel of its own.

    A page that shows JupyterLab already is used again, because loading JupyterLab costs five times
    as much processor time as opening a notebook in it. What was open there before is closed.
    """

    def __init__(self, page, lab: Lab, name: str) -> None:
        super().__init__(page)
        self.lab = lab
        self.is_closed = False
        self._door: socket.socket | None = None
        self._numbers = itertools.count(1)
        if not page.url.startswith(lab.url):
            page.goto(f"{lab.url}/lab?reset")
            page.wait_for_function("() => window.jupyterapp", polling=POLLING_MILLISECONDS)
            page.evaluate("() => window.jupyterapp.restored")
        page.evaluate(CLOSE_ALL_SCRIPT)
        page.evaluate(OPEN_SCRIPT, name)
        page.wait_for_function(READY_SCRIPT, arg=name, polling=POLLING_MILLISECONDS)
        self.file_browser(False)
        self.theme(False)

    def hang_up(self) -> None:
        """Close the connection to the kernel."""
        if self._door is not None:
            self._door.close()

    def close(self) -> None:
        """End the kernel and close the notebook and every other page."""
        self.is_closed = True
        self.hang_up()
        self.page.remove_listener("console", self._listen)
        self.page.remove_listener("pageerror", self._listen_to_errors)
        self.page.evaluate(CLOSE_ALL_SCRIPT)
        for page in self.page.context.pages:
            if page is not self.page:
                page.close()

    def theme(self, dark: bool) -> None:
        """Put JupyterLab into its dark or light theme."""
        name = "JupyterLab Dark" if dark else "JupyterLab Light"
        self.page.evaluate(
            "name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})",
            name,
        )
        light = "false" if dark else "true"
        self.page.wait_for_selector(f'body[data-jp-theme-light="{light}"]', state="attached")

    def file_browser(self, shown: bool) -> None:
        """Show or hide the file browser at the left, which makes the notebook narrower."""
        self.page.evaluate(
            """shown => {
                const shell = window.jupyterapp.shell;
                if (shown) { shell.expandLeft(); shell.activateById('filebrowser'); }
                else shell.collapseLeft();
            }""",
            shown,
        )
        state = "visible" if shown else "hidden"
        self.page.locator(".jp-FileBrowser").first.wait_for(state=state)

    def run_all(self) -> None:
        """Run every cell and wait until the kernel has done them."""
        self.page.evaluate(RUN_ALL_SCRIPT)
        self.frames()

    def show(self, code: str) -> None:
        """Replace the code of the first cell, and run all cells."""
        self.page.evaluate(
            """code => window.jupyterapp.shell.currentWidget.content.model.cells.get(0)
                .sharedModel.setSource(code)""",
            code,
        )
        self.run_all()

    def settle(self) -> None:
        """Wait until the kernel has handled all messages and the page is painted.

        A widget holds changes back while the kernel has not answered the one before, so what
        was held back when we asked first is done when we ask again.
        """
        for _ in range(2):
            self.page.evaluate(EXECUTE_SCRIPT, "pass")
        self.frames()

    def do(self, code: str) -> None:
        """Run code in the notebook's kernel and wait until its changes are painted."""
        number = next(self._numbers)
        self._pass(code, number)
        self.page.evaluate(HEAR_SCRIPT, number)
        self.frames()

    def python(self, code: str) -> str:
        """Run code in the notebook's kernel and return what it printed."""
        return self._pass(code, 0)

    def _pass(self, code: str, number: int) -> str:
        """Run code outside the cells, and send its number to the page when it is done."""
        if self._door is None:
            port = int(self.page.evaluate(EXECUTE_SCRIPT, DOOR_SOURCE))
            self.page.evaluate(LISTEN_SCRIPT)
            self._door = socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)
        with self._door.makefile("rw", encoding="utf-8") as door:
            door.write(json.dumps([code, number]) + "\n")
            door.flush()
            printed, failed = json.loads(door.readline())
        assert not failed, failed
        return printed

    def value(self, expression: str):
        """Get a Python value from the kernel as JSON."""
        return json.loads(self.python(f"import json; print(json.dumps({expression}))"))

    def wait_for_value(self, expression: str, timeout: float = PATIENCE_SECONDS):
        """Wait until a Python expression in the kernel is true; return its value."""
        end = time.monotonic() + timeout
        while not (value := self.value(expression)):
            self.check()
            assert time.monotonic() < end, f"{expression} did not come true: {value!r}"
            # Requests would slow the kernel down, which works on the awaited result.
            self.page.wait_for_timeout(30)
        return value

    def drag(self, start: tuple[float, float], *path: tuple[float, float], steps: int = 5) -> None:
        """Press the mouse at a point, move it along a path, and release it."""
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        try:
            for x, y in path:
                mouse.move(x, y, steps=steps)
        finally:
            mouse.up()
