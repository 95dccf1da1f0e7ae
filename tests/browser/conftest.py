"""One JupyterLab and one page for all browser tests of a process; a fresh kernel per module."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from lab import FLAGS, Lab, Notebook
from pictures import drawn, lecture_mode

WIDE, NARROW = 1920, 900


@pytest.fixture(scope="session")
def lab(tmp_path_factory):
    """A running JupyterLab."""
    server = Lab(tmp_path_factory.mktemp("lab"))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def page(chromium):
    """A page in a running Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser.new_context().new_page()
        # The last test of the session may not be ours; see pytest_runtest_protocol in tests/.
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="module")
def open_notebook(lab, page):
    """Open a notebook (cells, or a file's name) at a size; the one before is closed."""
    books, count = [], iter(range(1000))

    def open_(*cells: str, name: str | None = None, width: int = 1280, height: int = 1000):
        close()
        page.set_viewport_size({"width": width, "height": height})
        if name is None:
            name = lab.write(f"test{id(books)}-{next(count)}.ipynb", *cells)
        books.append(Notebook(page, lab, name))
        return books[-1]

    def close():
        while books:
            books.pop().close()

    yield open_
    close()


@pytest.fixture(scope="module")
def open_explorer(open_notebook):
    """Open a notebook that shows one explorer, which Python calls ``ex``, and wait for its picture.

    ``open_explorer("ROCExplorer(threshold=0.4)", width=1920, file_browser=True, lecture=True)``
    """

    def open_(
        made_by: str,
        *,
        width: int = 1280,
        height: int = 1000,
        file_browser: bool = False,
        lecture: bool = False,
        dark: bool = False,
    ):
        book = open_notebook(
            f"import rocviz\nex = rocviz.{made_by}\nex", width=width, height=height
        )
        book.file_browser(file_browser)
        book.theme(dark)
        book.run_all()
        drawn(book)
        if lecture:
            lecture_mode(book, True)
        return book

    return open_
