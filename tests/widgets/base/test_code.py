"""Import lines of the Python that explorers show."""

from __future__ import annotations

from rocviz.widgets.base.code import options, script


def test_imports_are_those_of_the_names_used():
    lines = [
        "my_segments = data_of(1)['segments']",
        "decisions = optimal_decision(np.array([0.1]), 'accuracy')",
        "print(decisions.utility, 'RankedSegments', product)",
    ]
    head, _, body = script(lines).rpartition("\n\n")
    assert body.splitlines() == lines
    assert head.splitlines() == [
        "import numpy as np",
        "",
        "from rocviz import optimal_decision",
        "from rocviz.widgets import data_of",
    ]
    assert script(["x = 1"]) == "x = 1\n"


def test_options_omit_none():
    assert options(pos_label=None, seed=0) == ", seed=0"
