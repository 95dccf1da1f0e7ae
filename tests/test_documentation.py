"""The documentation's code runs, and its numbers are the ones that rocviz gives."""

import re
from fractions import Fraction
from inspect import ismodule
from itertools import permutations, product
from pathlib import Path
from pkgutil import resolve_name

import ipywidgets
import matplotlib.pyplot as plt
import pytest

import rocviz
from rocviz import (
    LinearFractional,
    RankedSegments,
    brier_of_segments,
    expected_utility,
    optimal_decision,
    prefix_utilities,
)

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
CODE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXAMPLES = [
    pytest.param(code, id=f"{page.name}-{number}")
    for page in PAGES
    for number, code in enumerate(CODE.findall(page.read_text("utf-8")), start=1)
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_example_runs(code, tmp_path, monkeypatch):
    from rocviz import get_theme, set_theme

    monkeypatch.chdir(tmp_path)
    before = get_theme()
    namespace = {}
    try:
        exec(code, namespace)
    finally:
        set_theme(lecture=before.lecture, dark=before.dark)
        plt.close("all")
        for value in namespace.values():
            if isinstance(value, ipywidgets.Widget):
                value.close()


def test_there_are_examples_on_each_kind_of_user_s_page():
    pages = {example.id.rpartition("-")[0] for example in EXAMPLES}
    assert {"README.md", "students.md", "lecturers.md", "researchers.md"} <= pages


def test_local_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:\s]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_api_page_names_what_there_is_and_all_of_it():
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    named = re.findall(r"^   ([A-Za-z]\w*(?:\.\w+)*)$", page, re.MULTILINE)
    for name in named:
        resolve_name(f"rocviz.{name}")
    public = {n for n in rocviz.__all__ if not ismodule(getattr(rocviz, n))} - {"__version__"}
    assert {*public, *(f"datasets.{n}" for n in rocviz.datasets.__all__)} <= set(named)


CELLS = {(0, 0): (4, 1), (0, 1): (1, 5), (1, 0): (2, 3), (1, 1): (3, 1)}


def ranking(order):
    """Return the segments of the example's cells in the order given."""
    pos, neg = zip(*(CELLS[cell] for cell in order), strict=True)
    return RankedSegments(score=[0.9, 0.7, 0.5, 0.3], pos=pos, neg=neg)


TREE = ranking([(0, 0), (1, 1), (1, 0), (0, 1)])
LEXICOGRAPHIC = ranking([(1, 0), (0, 0), (1, 1), (0, 1)])


def test_auc_as_printed_is_that_of_the_reversed_ranking():
    printed = sum(
        n * (p / 2 + TREE.pos[i + 1 :].sum())
        for i, (p, n) in enumerate(zip(TREE.pos, TREE.neg, strict=True))
    ) / (TREE.n_pos * TREE.n_neg)
    assert TREE.auc == pytest.approx(79 / 100)
    assert printed == pytest.approx(21 / 100)


def test_refinement_loss_does_not_see_the_order_but_the_hull_does():
    for segments in (TREE, LEXICOGRAPHIC):
        assert brier_of_segments(segments).refinement_loss == pytest.approx(43 / 240)
    assert LEXICOGRAPHIC.auc == pytest.approx(62 / 100)
    assert brier_of_segments(TREE.hull()).refinement_loss == pytest.approx(43 / 240)
    hull = LEXICOGRAPHIC.hull()
    assert (hull.pos.tolist(), hull.neg.tolist()) == ([9, 1], [5, 5])
    assert brier_of_segments(hull).refinement_loss == pytest.approx(17 / 84)


def test_none_of_eight_is_convex():
    rankers = [
        ranking(sorted(CELLS, key=lambda cell: [cell[a] != liked[a] for a in order]))
        for order in permutations((0, 1))
        for liked in product((0, 1), repeat=2)
    ]
    assert len(rankers) == 8
    assert not any(ranker.is_convex for ranker in rankers)
    areas = [ranker.auc for ranker in rankers]
    assert min(areas) == pytest.approx(38 / 100)
    assert max(areas) == pytest.approx(62 / 100)


@pytest.mark.parametrize("prevalence", [Fraction(1, 10), Fraction(1, 2), Fraction(4, 5)])
def test_tying_everything_costs_the_variance_of_the_label(prevalence):
    pos = int(100 * prevalence)
    tied = RankedSegments.from_scores([1] * pos + [0] * (100 - pos), [0.5] * 100)
    assert brier_of_segments(tied).refinement_loss == pytest.approx(
        float(prevalence * (1 - prevalence))
    )


def test_unique_scores_leave_nothing_to_refine():
    segments = RankedSegments.from_scores([0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.5])
    assert brier_of_segments(segments).refinement_loss == 0
    assert brier_of_segments(segments.hull()).refinement_loss > 0


def test_more_weight_on_true_positives_is_not_enough():
    ratio = LinearFractional(c=(1.9, 2, 1.5, 0), d=(0.8, 1.3, -0.7, -0.7))
    y_prob = [0.923, 0.815, 0.257]
    assert round(expected_utility([0, 0, 1], y_prob, ratio), 2) == 17.04
    assert round(prefix_utilities(y_prob, ratio).max(), 2) == 10.11


def test_nothing_positive_may_be_best():
    assert optimal_decision([0.2, 0.1, 0.3], "accuracy").k_star == 0


@pytest.mark.parametrize(("f1", "jaccard"), [(0.8571, 0.7500), (0.9578, 0.919)])
def test_an_f1_has_its_jaccard_index(f1, jaccard):
    assert f1 / (2 - f1) == pytest.approx(jaccard, abs=6e-4)
    tp, fp, fn = 30, 7, 3
    of_counts = 2 * tp / (2 * tp + fp + fn)
    assert of_counts / (2 - of_counts) == pytest.approx(tp / (tp + fp + fn))


@pytest.mark.parametrize("prob", [1e-9, 0.3, 1.0])
def test_alone_everything_is_positive(prob):
    assert optimal_decision([prob], "f1").k_star == 1


def test_expected_f1_may_have_two_hills():
    utilities = prefix_utilities([1, 0.3, 0.3, 0.3, 0.3, 0.3], "f1")
    printed = [0, 0.62558, 0.58736, 0.57415, 0.56932, 0.56788, 0.56794]
    assert utilities.tolist() == pytest.approx(printed, abs=5e-6)
    assert utilities[6] - utilities[5] == pytest.approx(6e-5, abs=5e-6)
