"""Servers of other hosts than Jupyter's, and an explorer in one of their pages.

What is on a page may stand in a shadow root, as in marimo, so it is found by Playwright's locators,
which look into these, and not by scripts that ask the document.
"""

from __future__ import annotations

import os
from pathlib import Path

from lab import Page
from pictures import POLLING_MILLISECONDS, centre, handle
from server import PATIENCE_SECONDS, Server, free_port

STARTERS = Path(__file__).resolve().parents[2] / "docs" / "starters"

#: Whether all pictures of an explorer that have a size have their axes and marks.
DRAWN_SCRIPT = """explorer => {
    const seen = [...explorer.querySelectorAll('.rocviz-figure')]
        .filter(e => e.getBoundingClientRect().width > 0);
    return seen.length > 0 && seen.every(e => e.querySelectorAll('.axis .tick').length > 1
        && e.querySelector('.element')
        && e.querySelector('.plotarea_events').getBoundingClientRect().width > 20); }"""


def wait_drawn(page, explorer) -> None:
    """Wait until the pictures of an explorer are drawn, wherever on the page it is."""
    # in a story only the controls that a step needs are shown
    explorer.locator(".rocviz-rail-view").first.wait_for(state="attached")
    page.wait_for_function(
        DRAWN_SCRIPT, arg=explorer.element_handle(), polling=POLLING_MILLISECONDS
    )


class MarimoServer(Server):
    """marimo with one notebook, to be edited or run as an app; a page that opens runs its cells.

    Parameters
    ----------
    folder : Path
        Of the notebook; settings are kept there as well.
    mode : {'edit', 'run'}
        What is done with it.
    name : str
        Of the notebook.
    """

    def __init__(self, folder: Path, mode: str, name: str) -> None:
        port = free_port()
        home = folder / "home"
        settings = home / "marimo" / "marimo.toml"
        settings.parent.mkdir(parents=True)
        text = "[display]\ntheme = 'system'\n[runtime]\nauto_instantiate = true\n"
        settings.write_text(text, encoding="utf-8")
        super().__init__(
            folder,
            [
                *("-m", "marimo", "--yes", mode, name, "--headless", "--no-token"),
                *("--host", "127.0.0.1", "--port", str(port)),
                *(["--skip-update-check"] if mode == "edit" else []),
            ],
            port,
            {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home)},
        )


class ShinyServer(Server):
    """Shiny with one app."""

    def __init__(self, folder: Path, name: str) -> None:
        port = free_port()
        super().__init__(
            folder,
            ["-m", "shiny", "run", "--host", "127.0.0.1", "--port", str(port), name],
            port,
            os.environ,
        )


class ExplorerPage(Page):
    """A page in which one explorer is shown.

    Parameters
    ----------
    context : playwright.sync_api.BrowserContext
        The page is opened in it.
    url : str
        Where it is.
    """

    def __init__(self, context, url: str) -> None:
        super().__init__(context.new_page())
        self.page.goto(url)

    @property
    def explorer(self):
        """The explorer."""
        return self.page.locator(".rocviz").first

    def drawn(self) -> None:
        """Wait until the pictures are drawn."""
        wait_drawn(self.page, self.explorer)

    def drag(self, across: float, up: float) -> None:
        """Drag the handle of the large picture by some pixels."""
        handle(self).scroll_into_view_if_needed()
        x, y = centre(handle(self))
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + across, y - up, steps=6)
        self.page.mouse.up()

    def spoken(self) -> str:
        """The sentence, with plain spaces."""
        return " ".join(self.explorer.locator(".rocviz-sentence").inner_text().split())

    def threshold(self) -> str:
        """The threshold in the rail."""
        return self.explorer.locator('[data-control="threshold"] input.value').input_value()

    def wait(self, holds) -> None:
        """Let the page paint until a function of no arguments returns something true."""
        for _ in range(PATIENCE_SECONDS * 10):
            if holds():
                return
            self.frames(6)
        raise AssertionError(f"it did not come true: {holds}")
