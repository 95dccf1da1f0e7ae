"""One JupyterLab, one page and one kernel for all browser tests of a process.

Starting a kernel and opening a notebook cost more than showing an explorer, so the explorers take
turns in one notebook: each is closed before the next is made.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from lab import CHROMIUM_FLAGS, Lab, Notebook, Page
from pictures import EXPLORERS, LAPTOP_SIZE, drawn, lecture_mode


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
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield browser.new_context().new_page()
        # The last test of the session may not be ours; see pytest_runtest_protocol in tests/.
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="module")
def offline(page):
    """A page of its own that reaches no network."""
    context = page.context.browser.new_context(
        offline=True, viewport={"width": 1280, "height": 720}, reduced_motion="reduce"
    )
    yield Page(context.new_page())
    context.close()


@pytest.fixture(scope="session")
def open_notebook(lab, page):
    """Open a notebook (cells, or a file's name) at a size; the one before is closed."""
    books = []
    count = iter(range(1000))

    def open_(*cells: str, name: str | None = None, width: int = 1280, height: int = 1000):
        close()
        page.set_viewport_size({"width": width, "height": height})
        if name is None:
            name = lab.write(f"test{next(count)}.ipynb", *cells)
        books.append(Notebook(page, lab, name))
        return books[-1]

    def close():
        while books:
            books.pop().close()

    yield open_
    # The page and the server end what is open; the last test, after which this is, may not be ours.
    for book in books:
        book.hang_up()


@pytest.fixture(scope="session")
def open_explorer(open_notebook):
    """Show one explorer, which Python calls ``ex``, in a notebook and wait for its picture.

    ``open_explorer("ROCExplorer(threshold=0.4)", width=1920, file_browser=True, lecture=True)``
    """
    book = None

    def open_(
        made_by: str,
        *,
        width: int = 1280,
        height: int = 1000,
        file_browser: bool = False,
        lecture: bool = False,
        dark: bool = False,
    ):
        nonlocal book
        if book is None or book.is_closed:
            book = open_notebook("", width=width, height=height)
        book.page.set_viewport_size({"width": width, "height": height})
        book.page.emulate_media(reduced_motion="reduce")  # what is measured stands still
        book.file_browser(file_browser)
        book.theme(dark)
        book.show(
            "import rocviz\n"
            "if 'ex' in globals(): ex.close()\n"
            f"rocviz.set_theme(lecture=False)\nex = rocviz.{made_by}\nex"
        )
        drawn(book)
        book.python("from page import Page\npage = Page(ex)")
        book.complaints.clear()
        if lecture:
            lecture_mode(book, True)
        return book

    return open_


@pytest.fixture(scope="session", params=EXPLORERS)
def book(request, open_explorer):
    """Each explorer as it opens on a laptop with the file browser open, one after the other."""
    explorer = open_explorer(f"{request.param}()", **LAPTOP_SIZE, file_browser=True)
    explorer.explorer = request.param
    return explorer
