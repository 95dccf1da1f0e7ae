"""Names of classes, of scores and of models fit a laptop, however long they are."""

from __future__ import annotations

import pytest
from pictures import LAPTOP_SIZE, measure

pytestmark = [pytest.mark.browser, pytest.mark.slow]

#: Labels of 60 samples, scores, groups and bits, in the kernel.
DATA = """
import numpy as np, pandas as pd, rocviz
y = (np.arange(60) % 3 == 0).astype(int)
rng = np.random.default_rng(0)
s = np.clip(.3 + .3 * y + rng.normal(0, .15, 60), 0, 1)
s = pd.Series(s, name="the share of cells (per mm2)")
g = np.where(np.arange(60) % 2 == 0, "A", "B")
bits = np.column_stack((s > .5, np.arange(60) % 2)).astype(float)
listed = rocviz.ScoringList.from_counts([0, 1], [2, 1], bits, y)
"""
NAMES = {
    "short": "('well', 'ill')",
    "long": "('tissue in which nothing was found by two pathologists in turn', "
    "'a tumour that has spread to several of the neighbouring organs')",
}
OPENED = {
    "ROCExplorer": "y, s",
    "GroupsExplorer": "y, s, g",
    "DecisionExplorer": "y, s",
    "FermiDiracExplorer": "y, s",
    "EnsembleExplorer": "y, {'a': s, 'b': s ** 2 - s}",
    "LexicographicExplorer": "bits, y, categorical_features=[0, 1]",
    "ScoringListExplorer": "listed, bits, y",
}


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("explorer", OPENED)
def test_names_of_classes_fit_a_laptop(open_explorer, explorer, names):
    open_explorer("ROCExplorer(panels=['roc'])").python(DATA)
    made = f"{explorer}({OPENED[explorer]}, labels={NAMES[names]})"
    book = open_explorer(made, **LAPTOP_SIZE, file_browser=True)
    for picture in book.value("list(ex.panels)"):
        book.do(f"ex.focus = {picture!r}")
        measured = measure(book)
        assert measured["complaints"] == []
        assert measured["height"] <= 640
