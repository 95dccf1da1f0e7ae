"""A scoring list in words and as a table: thresholds to read, points of what is missing."""

import re

import pytest

from rocviz.core.scoring_lists.scoring_list import ScoringList


@pytest.mark.parametrize(
    ("threshold", "printed"),
    [
        (96.5, "96.5"),
        (0.645860123, "0.6459"),
        (-1234.5, "−1234.5"),
        (75_684.5, "75684.5"),
        (1_586_672_314.0, "1586672314"),
        (1234.56, "1234.6"),
    ],
)
def test_large_thresholds_are_printed_to_the_half(threshold, printed):
    asked = ScoringList._asked([0], [1], [threshold])
    assert asked.questions() == (f"x0 > {printed}",)


def test_points_of_what_is_missing_are_in_the_table():
    X, y = [[0, 1], [1, 0], [float("nan"), 1], [1, 1]], [0, 1, 0, 1]
    made = {
        missing: ScoringList.from_counts(
            [0, 1], [2, 1], X, y, missing=missing, missing_scores=points
        )._repr_html_()
        for missing, points in (("zero", [0, 0]), ("score", [-1, 0]))
    }
    assert "not known" not in made["zero"]
    rows = [re.findall(r"<t[hd][^>]*>([^<]*)</t", row) for row in made["score"].split("<tr>")]
    assert rows[1][:3] == ["after", "score", "if not known"]
    assert rows[2][:3] == ["(prior)", "", ""]
    assert rows[3][:3] == ["x0", "+2", "−1"]
    assert rows[4][:3] == ["x1", "+1", "0"]
    assert len({len(row) for row in rows[1:]}) == 1
