"""Fixtures of the tests of all explorers."""

import gc
from contextlib import contextmanager

import numpy as np
import pandas as pd
import pytest
from ipywidgets.widgets.widget import _instances

import rocviz

HOSTILE = "'\"><img src=x onerror=alert(1)><script>alert(1)</script> {{1}} $\\frac{1}{$ a\0b"
LABELS = np.array([0, 1] * 4)
SCORES = np.array([0.1, 0.3, 0.6, 0.5, 0.2, 0.9, 0.7, 0.8])
BITS = pd.DataFrame({HOSTILE: LABELS, "b": LABELS[::-1]})
WORDS = np.where(LABELS == 1, HOSTILE, "no")
OWN = {
    "ROCExplorer": lambda kind: kind(LABELS, {HOSTILE: SCORES, "b": SCORES[::-1]}),
    "FermiDiracExplorer": lambda kind: kind(WORDS, SCORES, pos_label=HOSTILE),
    "EnsembleExplorer": lambda kind: kind(LABELS, {HOSTILE: SCORES, "b": SCORES[::-1]}),
    "ScoringListExplorer": lambda kind: kind(
        rocviz.ScoringList.from_counts([0, 1], [1, 2], BITS, WORDS, feature_names=list(BITS),
            pos_label=HOSTILE), BITS, WORDS, pos_label=HOSTILE,
    ),
    "DecisionExplorer": lambda kind: kind(WORDS, SCORES, pos_label=HOSTILE),
    "GroupsExplorer": lambda kind: kind(
        WORDS, SCORES, np.where(np.arange(len(SCORES)) < 4, HOSTILE, "b"), pos_label=HOSTILE
    ),
    "MulticlassExplorer": lambda kind: kind(
        [HOSTILE, "b", "c", HOSTILE, "b", "c"], np.tile([[0.5, 0.3, 0.2], [0.2, 0.3, 0.5]], (3, 1)),
        classes=[HOSTILE, "b", "c"],
    ),
    "LexicographicExplorer": lambda kind: kind(BITS, WORDS, pos_label=HOSTILE),
    "RankingLossExplorer": lambda kind: kind(
        pd.DataFrame({HOSTILE: SCORES, "b": SCORES**2}), WORDS, pos_label=HOSTILE
    ),
}  # fmt: skip


@pytest.fixture
def on_own_data():
    """Make a function that opens an explorer on data whose names look like markup and code."""
    return lambda name: OWN[name](getattr(rocviz, name))


@pytest.fixture
def no_model_left():
    """Make a context at whose end no widget may be left that was opened inside.

    What was there before is frozen, so that a collection looks at what is new alone: the many
    thousand objects of everything imported would take it a second or two.
    """

    @contextmanager
    def watched():
        before = set(_instances)
        gc.freeze()
        yield
        gc.collect()
        assert set(_instances) <= before

    return watched


@pytest.fixture
def run_code(capsys):
    """Make a function that runs code and returns its variables and what it printed."""

    def run(code, **names):
        capsys.readouterr()
        exec(compile(code, "shown code", "exec"), names)
        return names, capsys.readouterr().out

    return run
