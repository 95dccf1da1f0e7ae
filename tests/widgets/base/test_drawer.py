"""What the drawer below the pictures writes: code, and tables."""

import pandas as pd
import pytest

from rocviz.widgets.base.code import script
from rocviz.widgets.base.stage import tables_html


@pytest.mark.parametrize("number", ["3", "0.25", "1e-05", "-2.5", "inf"])
def test_code_imports_the_same_names_whatever_its_numbers(number):
    lines = [f"segments = RankedSegments.from_scores([0, 1], [{number}, x1e5])", "segments.auc"]
    assert script(lines).startswith("from rocviz import RankedSegments\n\nsegments = ")
    assert f"[{number}, x1e5]" in script(lines)


def test_a_table_is_written_by_its_content():
    class Shown:
        def __init__(self, frame):
            self.frame = frame

        def tables(self):
            return {"rates": self.frame}

    frame = pd.DataFrame({"value": [0.25, 0.5]}, index=pd.Index(["tpr", "fpr"], name="rate"))
    html = tables_html(Shown(frame), 3, 200)
    assert html == tables_html(Shown(frame.copy()), 3, 200)
    assert html.startswith("<p>rates</p><table")
    assert ">0.250<" in html
    frame.loc["tpr", "value"] = 0.75
    assert ">0.750<" in tables_html(Shown(frame), 3, 200)
    assert ">fpr<" not in tables_html(Shown(frame), 3, 1)
