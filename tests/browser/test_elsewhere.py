"""Voila and Notebook 7 show all of an explorer too; both come from the server of JupyterLab.

What an explorer says and does is the same there; the page around it is another. Two are enough to
see whether it leaves room: one with curves in all pictures, one with tables. All of them are looked
at in JupyterLab (test_stage.py), and in Voila in the gallery (test_gallery.py).
"""

from __future__ import annotations

import pytest
from lab import READY, RUN_ALL, Page
from pictures import drawn, into_sight, measure

pytestmark = pytest.mark.browser

EXPLORERS = ("ROCExplorer", "ScoringListExplorer")
# What Voila says of extensions of JupyterLab that it has no use for.
OF_VOILA = ("shared module", "shareKey")


@pytest.fixture(scope="module", params=["voila/render", "notebooks"])
def place(request, lab, page):
    """A page with explorers one below the other: one kernel, loaded once."""
    name = "two.ipynb"
    if not (lab.folder / name).exists():
        lab.write(name, "import rocviz", *(f"rocviz.{explorer}()" for explorer in EXPLORERS))
    tab = page.context.new_page()
    tab.set_viewport_size({"width": 1280, "height": 720})
    made = Page(tab)
    tab.goto(f"{lab.url}/{request.param}/{name}")
    if request.param == "notebooks":
        tab.wait_for_function(READY, arg=name)
        tab.evaluate(RUN_ALL)
    made.complaints.clear()  # of what comes before the explorers
    for i in range(len(EXPLORERS)):
        tab.locator(".rocviz .rocviz-rail-view").nth(i).wait_for(state="attached")
    tab.bring_to_front()  # a page behind another paints nothing
    yield made
    tab.close()


def seen(place, i):
    into_sight(place, i)
    drawn(place, i)
    found = measure(place, i)
    assert found["complaints"] == []
    assert found["height"] <= 640


@pytest.mark.parametrize("i", range(len(EXPLORERS)), ids=EXPLORERS)
def test_all_is_in_sight_at_once(place, i):
    seen(place, i)


def test_a_hand_moves_it_and_nothing_is_complained_of(place):
    explorer = place.page.locator(".rocviz").first
    box = explorer.locator('[data-control="preset"]')
    inside = place.page.locator('[data-control="preset"]')
    fold = explorer.locator(".fold-box:not(.is-open)", has=inside)
    if fold.count():
        fold.locator("button.fold").click()
    about = explorer.locator(".rocviz-about")
    before = about.inner_text()
    box.locator("select").select_option(index=1)
    about.filter(has_not_text=before).wait_for()
    seen(place, 0)
    assert [c for c in place.complaints if not any(known in c for known in OF_VOILA)] == []
