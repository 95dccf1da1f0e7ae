"""A JupyterLab of our own and a page in it, for tests that drive real explorers.

``Notebook`` runs cells, reads Python values back from the kernel, and keeps what the browser's
console said. It waits for conditions and never for time to pass.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat

FLAGS = [
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
    "--force-prefers-reduced-motion",
]

# What other people's code says in the console; everything else is ours and fails the test.
NOT_OURS = (
    "negative value is not valid",  # bqplot: a figure that is drawn before it has a size
    # bqplot: axes drawn anew while a figure is resized (rocviz ships no JavaScript of its own)
    "The node to be removed is not a child of this node",
    "favicon",
    "ERR_NAME_NOT_RESOLVED",  # JupyterLab looks for news on the network; there is none here
    "ERR_INTERNET_DISCONNECTED",
    "ERR_CONNECTION_",
)


class Lab:
    """A JupyterLab server in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        home = folder / "home"
        home.mkdir()
        self.log = folder / "lab.log"
        kept = {
            name: str(home / name.lower())
            for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")
        }
        settings = {
            "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        }
        overrides = Path(kept["JUPYTER_CONFIG_DIR"]) / "labconfig"
        overrides.mkdir(parents=True)
        (overrides / "page_config.json").write_text(
            json.dumps(
                {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
            )
        )
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "jupyterlab",
                    "--no-browser",
                    "--allow-root",
                    f"--port={self.port}",
                    "--ServerApp.ip=127.0.0.1",
                    "--IdentityProvider.token=",
                    "--ServerApp.password=",
                    "--LabApp.expose_app_in_browser=True",
                    "--LabApp.news_url=",
                    "--ServerApp.port_retries=0",
                    f"--ServerApp.root_dir={folder}",
                ],
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env={**os.environ, **kept, **settings},
            )
        self.url = f"http://127.0.0.1:{self.port}"
        self._wait()

    def _wait(self) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"JupyterLab did not start:\n{self.log.read_text()}")
            try:
                urllib.request.urlopen(f"{self.url}/api", timeout=2).read()
                return
            except OSError:
                self._pause()
        raise RuntimeError(f"JupyterLab was not ready in a minute:\n{self.log.read_text()}")

    def _pause(self) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.1)

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

    def stop(self) -> None:
        """End the server and its kernels."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Notebook:
    """A notebook open in a page."""

    def __init__(self, page, lab: Lab, name: str) -> None:
        self.page, self.lab = page, lab
        self.complaints: list[str] = []
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self._hear(str(error)))
        page.goto(f"{lab.url}/lab/tree/{name}?reset")
        page.wait_for_function(
            """() => {
                const app = window.jupyterapp, now = app && app.shell.currentWidget;
                const session = now && now.sessionContext && now.sessionContext.session;
                return !!session && session.kernel && session.kernel.status === 'idle'
                    && document.querySelectorAll('.jp-Notebook .jp-Cell').length > 0;
            }""",
            timeout=60_000,
        )
        page.evaluate("window.jupyterapp.shell.collapseLeft()")

    def _listen(self, message) -> None:
        if message.type == "error":
            self._hear(f"{message.text} {message.location.get('url', '')}")

    def _hear(self, text: str) -> None:
        if not any(known in text for known in NOT_OURS):
            self.complaints.append(text)

    def theme(self, dark: bool) -> None:
        """Put JupyterLab into its dark or light theme."""
        name = "JupyterLab Dark" if dark else "JupyterLab Light"
        self.page.evaluate(
            "name => window.jupyterapp.commands.execute('apputils:change-theme', {theme: name})",
            name,
        )
        light = "false" if dark else "true"
        self.page.wait_for_selector(f'body[data-jp-theme-light="{light}"]', state="attached")

    def run_all(self) -> None:
        """Run every cell and wait until the kernel is idle again."""
        self.page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
        self.settle()

    def settle(self) -> None:
        """Wait until the kernel has done all it was asked for so far."""
        self.python("pass")

    def python(self, code: str) -> str:
        """Run code in the notebook's kernel and return what it printed."""
        return self.page.evaluate(
            """async code => {
                const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                const future = kernel.requestExecute({code, store_history: false});
                let text = '';
                future.onIOPub = m => {
                    if (m.header.msg_type === 'stream') text += m.content.text;
                    if (m.header.msg_type === 'error') text += m.content.traceback.join('\\n');
                };
                await future.done;
                return text;
            }""",
            code,
        )

    def value(self, expression: str):
        """Return a Python value from the kernel, by way of JSON."""
        text = self.python(f"import json; print(json.dumps({expression}))")
        try:
            return json.loads(text)
        except json.JSONDecodeError:
            raise AssertionError(text) from None

    def wait_for_value(self, expression: str, timeout: float = 10.0):
        """Wait until a Python expression in the kernel is true; return its value."""
        end = time.monotonic() + timeout
        while True:
            value = self.value(expression)
            if value or time.monotonic() > end:
                assert value, f"{expression} did not come true: {value!r}"
                return value

    def drag(self, start: tuple[float, float], *path: tuple[float, float], steps: int = 12) -> None:
        """Press the mouse at a point, move along a path, let go."""
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        for x, y in path:
            mouse.move(x, y, steps=steps)
        mouse.up()
