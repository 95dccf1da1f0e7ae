"""What the drawer below the pictures writes: code, and tables."""

import re

import pandas as pd
import pytest

from rocviz.widgets.base.code import script
from rocviz.widgets.base.stage import tables_html


@pytest.mark.parametrize("number", ["3", "0.25", "1e-05", "-2.5", "inf"])
def test_code_imports_the_same_names_whatever_its_numbers(number):
    lines = [f"segments = RankedSegments.from_scores([0, 1], [{number}, x1e5])", "segments.auc"]
    assert script(lines).startswith("from rocviz import RankedSegments\n\nsegments = ")
    assert f"[{number}, x1e5]" in script(lines)


class Shown:
    """An explorer with one table."""

    def __init__(self, frame, **names):
        self.frame = frame
        self.table_names = names

    def tables(self):
        return {"rates": self.frame}


def test_a_table_is_written_by_its_content():
    frame = pd.DataFrame({"value": [0.25, 0.5]}, index=pd.Index(["tpr", "fpr"], name="rate"))
    html = tables_html(Shown(frame), 3, 200)
    assert html == tables_html(Shown(frame.copy()), 3, 200)
    assert html.startswith("<p>rates</p><table")
    assert ">0.250<" in html
    frame.loc["tpr", "value"] = 0.75
    assert ">0.750<" in tables_html(Shown(frame), 3, 200)
    assert ">fpr<" not in tables_html(Shown(frame), 3, 1)


def test_what_the_data_call_things_stands_above_the_tables():
    frame = pd.DataFrame({"value": [0.25]})
    html = tables_html(Shown(frame, positive="<ill>", negative="healthy", score="CA 125"), 3, 200)
    assert html.startswith("<p>positive: &lt;ill&gt; · negative: healthy · score: CA 125</p><p>")


def test_counts_are_written_without_decimals_beside_rates():
    frame = pd.DataFrame(
        {
            "value": [1.0, 0.0, 1.0],
            "count": [1151.0, 0.0, float("nan")],
            "weight": [2.5, 3.0, float("inf")],
            "name": ["a", "b", "c"],
        }
    )
    html = tables_html(Shown(frame), 3, 200)
    cells = re.findall("<td>(.*?)</td>", html)[1:]
    assert [cells[i : i + 4] for i in (0, 4, 8)] == [
        ["1.000", "1,151", "2.500", "a"],
        ["0.000", "0", "3.000", "b"],
        ["1.000", "–", "∞", "c"],
    ]
