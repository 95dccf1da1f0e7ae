"""The site in a browser: its bar has one row, it fits a telephone, and axe-core finds no fault."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

#: A page with an explorer, one of words, one with a picture drawn at build, and their sections.
PAGES = ("index", "glossary", "howto/own_scores", "learn", "use", "howto/index", "explore", "about")
SHOWN_PAGES = PAGES[:3]


@pytest.fixture(scope="module")
def site(root, tmp_path_factory):
    """A few pages, built as the whole site is."""
    out = tmp_path_factory.mktemp("site")
    settings = {"include_patterns": ",".join(f"{page}.md" for page in PAGES)}
    settings |= {"autosummary_generate": "0"}
    subprocess.run(
        [sys.executable, "-m", "sphinx", "-Q", "-b", "html"]
        + [f"-D{name}={value}" for name, value in settings.items()]
        + [str(root / "docs"), str(out)],
        check=True,
    )
    return out


@pytest.fixture(scope="module")
def tab(page):
    """A page beside that of JupyterLab, which is slow to load and is used again."""
    new_page = page.context.new_page()
    yield new_page
    new_page.close()
    page.bring_to_front()


@pytest.mark.parametrize("name", SHOWN_PAGES)
def test_a_page_is_accessible_and_fits_a_telephone(tab, site, name):
    from axe_playwright_python.sync_playwright import Axe

    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.goto((site / f"{name}.html").as_uri())
    entries = tab.locator(".bd-header .navbar-nav .nav-item").all()
    # of the six (tests/site/test_site.py), those whose pages are built here
    words = [entry.inner_text().strip() for entry in entries]
    assert words == ["Learn", "Explore", "Use", "About"]
    assert len({entry.bounding_box()["y"] for entry in entries}) == 1
    assert tab.locator(".bd-header .dropdown-toggle", has_text="More").count() == 0
    for look in ("light", "dark"):
        tab.evaluate("look => { document.documentElement.dataset.theme = look; }", look)
        faults = [
            (fault["id"], fault["nodes"][0]["html"][:160])
            for fault in Axe().run(tab).response["violations"]
            if fault["impact"] in ("serious", "critical")
        ]
        assert faults == []
    tab.set_viewport_size({"width": 400, "height": 800})
    width = tab.evaluate("document.documentElement.scrollWidth")
    assert width == 400
    seen = [image for image in tab.locator(".bd-article img").all() if image.is_visible()]
    for image in seen:
        assert image.get_attribute("alt")
        assert image.bounding_box()["width"] > 300
    # the front page has pictures that move, in a frame of its own, in place of one that does not
    moving = tab.locator(".bd-article iframe").count()
    assert bool(seen or moving) == (name != "glossary")
