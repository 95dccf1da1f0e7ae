"""One JupyterLab and one Chromium for all browser tests; a fresh page and kernel per module."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from lab import FLAGS, Lab, Notebook

WIDE, NARROW = 1920, 900


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """A running JupyterLab."""
    server = Lab(tmp_path_factory.mktemp("lab"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser(chromium):
    """A running Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium, args=FLAGS)


@pytest.fixture(scope="module")
def open_notebook(lab, browser):
    """Open a notebook (cells, or a file's name) at a width; pages go away with the module."""
    contexts, count = [], iter(range(100))

    def open_(*cells: str, name: str | None = None, width: int = 1280, height: int = 1000):
        context = browser.new_context(viewport={"width": width, "height": height})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        if name is None:
            name = lab.write(f"test{id(context)}-{next(count)}.ipynb", *cells)
        return Notebook(page, lab, name)

    yield open_
    for context in contexts:
        context.close()
