"""What a report concludes: only what intervals and tests of its numbers support."""

import numpy as np
import pandas as pd
import pytest

from rocviz import evaluation_report
from rocviz.report.section import Table, difference_table


def words_of(report, title):
    """Join the paragraphs of a section."""
    (section,) = [section for section in report.sections if section.title == title]
    return " ".join(section.text)


def logistic(values):
    return 1 / (1 + np.exp(-values))


@pytest.fixture(scope="module")
def rng_samples():
    """Labels of 300 samples, and a score that ranks them well."""
    rng = np.random.default_rng(3)
    y = rng.random(300) < 0.3
    return y, logistic(rng.normal(2.0 * y - 1.5))


def test_groups_that_are_not_tested_are_not_explained_by_chance():
    y = np.array([0, 0, 0, 1, 1, 1] * 3)
    score = np.linspace(0, 1, 18)
    report = evaluation_report(y, score, groups=np.repeat(["a", "b"], 9))
    text = words_of(report, "Groups")
    assert report.to_frame("group_differences")["p_holm"].isna().all()
    assert "Chance alone" not in text
    assert "too few to test any difference" in text


@pytest.mark.parametrize(
    ("p_values", "expected", "refused"),
    [
        ([np.nan], "too few to test any", "Chance alone can"),
        ([0.4, np.nan], "that could be tested", "does not explain"),
        ([0.01, np.nan, np.nan], "2 differences could not be tested", "Chance alone can"),
        ([0.4], "Chance alone can explain", "could not be tested"),
    ],
)
def test_pairs_without_a_p_value_count_as_untested(p_values, expected, refused):
    pairs = pd.DataFrame({"model_a": "a", "model_b": "b", "difference": 0.1, "p_holm": p_values})
    pairs = pairs.assign(lower=0.0, upper=0.2, p_value=p_values)
    (text,), _ = difference_table(pairs, "AUC")
    assert expected in text
    assert refused not in text


def test_counts_are_written_without_decimals(rng_samples):
    y, score = rng_samples
    groups = np.where(np.cumsum(y) <= 8, "few", "many")
    (section,) = [
        part
        for part in evaluation_report(y, score, groups=groups).sections
        if part.title == "Groups"
    ]
    head, *rows = section.tables[0].rows()
    few = dict(zip(head, rows[0], strict=True))
    assert few["positives"] == "8"
    weights = Table("a", "A", pd.DataFrame({"n": [8.0, 7.5]}), {"n": "n"}, counts=("n",))
    assert weights.rows() == [["n"], ["8"], ["7.5"]]


def test_equal_costs_are_not_once_as_much(rng_samples):
    text = words_of(evaluation_report(*rng_samples, cost_fp=2, cost_fn=2), "The decision")
    assert "1 times" not in text
    assert "A miss costs as much as a false alarm" in text
