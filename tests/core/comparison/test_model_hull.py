"""The hull over models: the best threshold at every cost, and its model."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.comparison.model_hull import hull_over_models
from rocviz.core.roc.segments import RankedSegments

SHARES = st.sampled_from([0.0, 1.0]) | st.floats(1e-9, 1 - 1e-9)


@st.composite
def rankings(draw):
    models = {}
    for name in "abc"[: draw(st.integers(1, 3))]:
        counts = draw(
            st.lists(
                st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(any), min_size=1, max_size=6
            )
        )
        pos = np.array([row[0] for row in counts], dtype=float)
        neg = np.array([row[1] for row in counts], dtype=float)
        pos[draw(st.integers(0, pos.size - 1))] += 1
        neg[draw(st.integers(0, neg.size - 1))] += 1
        models[name] = RankedSegments(np.arange(pos.size, 0, -1.0), pos, neg)
    return models


@given(rankings(), SHARES, st.integers(0, 3), st.integers(1, 3))
def test_no_model_has_a_better_threshold(models, prevalence, cost_fp, cost_fn):
    hull = hull_over_models(models)

    def cost(table):
        return (1 - prevalence) * cost_fp * table.fpr + prevalence * cost_fn * (1 - table.tpr)

    costs = []
    for segments in models.values():
        costs.append(cost(segments.optimal_point(cost_fp, cost_fn, prevalence)))
    name, table = hull.optimal_point(cost_fp, cost_fn, prevalence=prevalence)
    assert cost(table) == pytest.approx(min(costs), abs=1e-12)
    assert name in models
    assert hull.auc >= max(segments.hull().auc for segments in models.values()) - 1e-12
    assert (np.diff(hull.slope) < 0).all()
    assert (hull.fpr[0], hull.tpr[0], hull.fpr[-1], hull.tpr[-1]) == (0, 0, 1, 1)


@given(rankings())
def test_every_vertex_is_a_point_of_its_model(models):
    hull = hull_over_models(models)
    for fpr, tpr, name, t in zip(hull.fpr, hull.tpr, hull.model, hull.threshold, strict=True):
        table = models[name].at_threshold(t)
        assert (table.fpr, table.tpr) == (pytest.approx(fpr), pytest.approx(tpr))


def test_stretches_of_the_hull_name_their_models():
    early = RankedSegments([2, 1], [5, 5], [0, 10])
    late = RankedSegments([2, 1], [10, 0], [5, 5])
    table = hull_over_models({"early": early, "late": late}).to_frame()
    assert table["model"].tolist() == ["early", "late"]
    assert table["slope_from"].tolist() == [np.inf, 1]
    assert table["slope_to"].tolist() == [1, 0]
    assert table["fpr_to"].tolist() == [0, 1]


def test_the_hull_is_a_ranking_of_its_own():
    models = {
        "early": RankedSegments(score=[2, 1], pos=[5, 5], neg=[0, 10]),
        "late": RankedSegments(score=[2, 1], pos=[10, 0], neg=[5, 5]),
    }
    hull = hull_over_models(models)
    alone = hull.segments(0.2)
    np.testing.assert_allclose(alone.fpr, hull.fpr)
    np.testing.assert_allclose(alone.tpr, hull.tpr)
    assert alone.prevalence == pytest.approx(0.2)
    assert alone.auc == pytest.approx(hull.auc)


def test_a_hull_keeps_corners_of_one_in_a_thousand_million():
    # the triangle that such a corner adds is smaller than what rounds a rate
    segments = RankedSegments([4, 3, 2, 1], [1, 9, 1e9, 1e9], [0, 1, 1e8, 1e12])
    assert len(hull_over_models({"model": segments}).fpr) == len(segments.hull()) + 1


def test_edges_near_the_end_have_all_their_digits():
    many = 10**9
    segments = RankedSegments([2, 1], pos=[many - 1, 1], neg=[1, many - 1])
    hull = hull_over_models({"model": segments})
    assert hull.slope == pytest.approx([many - 1, 1 / (many - 1)], rel=1e-12, abs=0)
    assert hull.segments(0.5).pos == pytest.approx([0.5 - 5e-10, 5e-10], rel=1e-12, abs=0)
    # of two models: from 1 - 1e-9 of the positives and half of the negatives to all but 1e-12
    nearly = RankedSegments([2, 1], pos=[10**12 - 1, 1], neg=[3, 1])
    both = hull_over_models({"one": RankedSegments([2, 1], [many - 1, 1], [1, 1]), "more": nearly})
    assert both.slope[1] == pytest.approx(0.999e-9 / 0.25, rel=1e-12, abs=0)


def test_labels_and_scores_make_the_rankings():
    y = [0, 1, 0, 1, 1]
    scores = {"a": [1, 2, 3, 4, 5], "b": [2, 1, 4, 3, 5]}
    weight = [1, 2, 3, 1, 2]
    hull = hull_over_models(y, scores, sample_weight=weight, pos_label=1)
    ranked = {}
    for name, score in scores.items():
        ranked[name] = RankedSegments.from_scores(y, score, sample_weight=weight)
    assert hull.to_frame().equals(hull_over_models(ranked).to_frame())
