"""Pages without a kernel fit every room: halls in large type, telephones upright and lying."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from pictures import EXPLORERS, measure, measure_scrolled

import rocviz

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HALLS = ((1280, 720), (1366, 768), (1440, 900), (1920, 1080))
ON_A_TICK = re.compile(r"words lie on a dot: [.\d]+$")
TELEPHONES = ((390, 844), (844, 390), (932, 430))

RNG = np.random.default_rng(0)
Y = (np.arange(60) % 3 == 0).astype(int)
SCORES = pd.Series(np.clip(0.3 + 0.3 * Y + RNG.normal(0, 0.15, 60), 0, 1), name="cells per mm2")
GROUPS = np.arange(60) % 2
BITS = np.column_stack((SCORES > 0.5, np.arange(60) % 2)).astype(float)

#: Names of two classes, of two models, and of two groups.
NAMES = {
    "short": (("well", "ill"), ("a", "b"), ("A", "B")),
    "long": (
        ("no tumour found", "a tumour that has spread"),
        ("logistic regression", "gradient boosting"),
        ("under 65 years of age", "65 years and over"),
    ),
    "very long": (
        (
            "tissue in which nothing was found by two pathologists in turn",
            "a tumour that has spread to several of the neighbouring organs",
        ),
        (
            "a logistic regression on everything that the laboratory measures",
            "gradient boosting of trees on the same, with early stopping",
        ),
        (
            "people who live at most half an hour from the nearest hospital",
            "people who live more than half an hour from the nearest hospital",
        ),
    ),
}


def opened(kind, names):
    """Open an explorer on data whose classes, models and groups have these names."""
    labels, models, groups = NAMES[names]
    matrix = np.column_stack((1 - SCORES, SCORES / 2, SCORES / 2))
    data = {
        "ROCExplorer": (Y, dict(zip(models, (SCORES, SCORES**2), strict=True))),
        "GroupsExplorer": (Y, SCORES, np.array(groups)[GROUPS]),
        "DecisionExplorer": (Y, SCORES),
        "FermiDiracExplorer": (Y, SCORES),
        "EnsembleExplorer": (Y, dict(zip(models, (SCORES, SCORES**2 - SCORES), strict=True))),
        "LexicographicExplorer": (BITS, Y),
        "ScoringListExplorer": (
            rocviz.ScoringList.from_counts([0, 1], [2, 1], BITS, Y),
            BITS,
            Y,
        ),
        "MulticlassExplorer": (np.arange(60) % 3, matrix),
    }
    if kind not in data:
        return getattr(rocviz, kind)()
    options = {"labels": labels}
    if kind == "LexicographicExplorer":
        options["categorical_features"] = [0, 1]
    if kind == "MulticlassExplorer":
        options = {"labels": [*labels, "neither"]}
    return getattr(rocviz, kind)(*data[kind], **options)


def complaints_at(page, sizes):
    """Measure the page at each size.

    On an upright telephone one scrolls from picture to picture. On any, a ring at the border of a
    picture may touch the number of a tick.
    """
    complaints = []
    for width, height in sizes:
        page.page.set_viewport_size({"width": width, "height": height})
        measured = measure_scrolled(page) if width < 700 else measure(page)
        for complaint in measured["complaints"]:
            if not (min(width, height) < 480 and ON_A_TICK.match(complaint)):
                complaints.append((width, height, complaint))
        if page.page.evaluate("document.documentElement.scrollWidth") > width:
            complaints.append((width, height, "the page is wider than the screen"))
    return complaints


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("kind", EXPLORERS)
def test_pages_fit_halls_and_telephones(kind, names, offline, tmp_path):
    # who opens a page of a hall on a telephone can read it, too
    for is_large, sizes in ((True, (*HALLS, TELEPHONES[0])), (False, TELEPHONES)):
        rocviz.set_theme(lecture=is_large)
        try:
            explorer = opened(kind, names)
            explorer.to_html(tmp_path / "page.html")
        finally:
            rocviz.set_theme(lecture=False)
        explorer.close()
        offline.page.goto((tmp_path / "page.html").as_uri())
        offline.page.wait_for_selector("body[data-ready=yes]")
        complaints = complaints_at(offline, sizes)
        assert complaints == []
