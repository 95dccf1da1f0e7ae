"""Weights, costs and prevalences of any size in spaces, comparisons and lexicographic orders."""

import warnings

import numpy as np
import pytest

from rocviz import RankedSegments, compare_classifiers, lex_order, space_curve
from rocviz.core.calibration import entropy_threshold
from rocviz.core.comparison import fold_average, hull_over_models
from rocviz.core.curve_spaces import at_prevalence, map_from_roc, partial_auc
from rocviz.core.curve_spaces.space_curve import SPACES
from rocviz.core.lexicographic import odds_ratios
from rocviz.core.roc.isometrics import isometric_through
from rocviz.core.scoring_lists import learn_scoring_list
from rocviz.core.scoring_lists.questions import check_positive

EXPONENTS = (-300, -160, -20, 20, 155, 300, 303)
Y = np.array([1, 0, 1, 0, 1, 0, 0, 0])
PROB = np.array([0.9, 0.8, 0.7, 0.6, 0.6, 0.3, 0.2, 0.2])
WEIGHT = np.array([1.0, 2, 3, 2, 1, 1, 2, 3])
TWO = {
    "early": RankedSegments(score=[3, 2, 1], pos=[5, 2, 3], neg=[0, 6, 4]),
    "late": RankedSegments(score=[3, 2, 1], pos=[4, 6, 0], neg=[1, 3, 6]),
}


def segments(scale=1.0):
    return RankedSegments.from_scores(Y, PROB, sample_weight=scale * WEIGHT)


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_a_unit_of_weight_says_nothing_in_any_space(exponent):
    plain, scaled = segments(), segments(10.0**exponent)
    for space in SPACES:
        for how in ({}, {"hull": True}, {"prevalence": 1e-10}, {"prevalence": 1e-150}):
            wanted, found = (space_curve(each, space, **how).area for each in (plain, scaled))
            assert found == pytest.approx(wanted, rel=1e-12, abs=1e-15), (space, how)
    both = (fold_average([each, TWO["late"]]).auc_band("interval") for each in (plain, scaled))
    np.testing.assert_allclose(*both, rtol=1e-12)
    both = (hull_over_models({"a": each, "b": TWO["late"]}).auc for each in (plain, scaled))
    np.testing.assert_allclose(*both, rtol=1e-12)


def test_prevalences_far_from_the_data():
    far = RankedSegments(score=[2, 1], pos=[1e300, 1.0], neg=[1e-300, 1e-300])
    assert at_prevalence(far, 1e-150).prevalence == pytest.approx(1e-150, rel=1e-12)
    assert at_prevalence(far, 0.25).prevalence == pytest.approx(0.25, rel=1e-12)
    assert map_from_roc("precision_recall", [0.0], [1e-300], prevalence=1e-150)[1].tolist() == [1.0]
    assert map_from_roc("lift", [0.0], [0.5], prevalence=1e-150)[1] == pytest.approx(1e150)
    for call in (at_prevalence, lambda s, pi: space_curve(s, "gain", prevalence=pi)):
        with pytest.raises(ValueError, match=r"^prevalence must be at least 1e-150; got 1e-300"):
            call(far, 1e-300)
    with pytest.raises(ValueError, match=r"^fpr and tpr must have one length; got 1 and 2"):
        map_from_roc("lift", [0.5], [0.1, 0.2], prevalence=0.5)
    with pytest.raises(ValueError, match=r"^tpr must be probabilities"):
        map_from_roc("lift", [0.5], [1e308], prevalence=0.5)


@pytest.mark.parametrize("unit", [5e-324, 1e-300, 1e300, 1e307])
def test_a_unit_of_cost_says_nothing(unit):
    hull = hull_over_models(TWO)
    for ratio in (1, 3, 10):
        costs, plain = (unit, ratio * unit), (1, ratio)
        best = segments().optimal_point(*costs).threshold
        assert best == segments().optimal_point(*plain).threshold
        found, wanted = (hull.best_cut(*each, prevalence=0.4) for each in (costs, plain))
        assert (found[0], found[1].tpr) == (wanted[0], wanted[1].tpr)
        lines = (
            isometric_through("cost", 0.2, 0.6, cost_fp=c_fp, cost_fn=c_fn)
            for c_fp, c_fn in (costs, plain)
        )
        np.testing.assert_allclose(*lines, rtol=1e-12)


def test_costs_and_rates_that_make_up_for_each_other():
    # of the positives 1e-305 is below the first cut: worth an alarm if it costs 1e308 times as much
    some = RankedSegments([3, 2, 1], [1.0, 1e-305, 0], [3.0, 1.5, 4.0])
    hull = hull_over_models({"some": some})
    for cost_fn, threshold in ((1.0, 3.0), (1e8, 2.0)):
        assert some.optimal_point(1e-300, cost_fn).threshold == threshold
        assert hull.best_cut(1e-300, cost_fn, prevalence=0.5)[1].threshold == threshold


def test_masked_scores_of_a_table_are_refused():
    table = np.ma.array(np.column_stack((PROB, PROB)), mask=False)
    table[2, 1] = np.ma.masked
    with pytest.raises(ValueError, match=r"^scores has masked values"):
        compare_classifiers(Y, table)
    with pytest.raises(ValueError, match=r"^y has masked values"):
        check_positive(np.ma.array([0, 1, 1], mask=[0, 0, 1]))
    with pytest.raises(ValueError, match=r"^cost_fp and cost_fn are both zero"):
        compare_classifiers(Y, PROB, cost_fp=0, cost_fn=0)


def test_a_normal_interval_needs_more_than_one_sample():
    for small in (1e-300, 0.1):
        with pytest.raises(ValueError, match=r"^segments must hold more than one sample of each"):
            partial_auc(segments(small), method="delong")
    with pytest.raises(ValueError, match=r"^segments must hold at most 2\*\*53 samples"):
        partial_auc(segments(1e20))


X = np.array([[1, 0], [0, 0], [1, 1], [0, 1], [1, 0], [0, 0], [0, 1], [1, 0]])


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_a_unit_of_weight_says_nothing_of_an_order(exponent):
    plain = lex_order(X, Y, smoothing=0, sample_weight=WEIGHT)
    scaled = lex_order(X, Y, smoothing=0, sample_weight=10.0**exponent * WEIGHT)
    for name in ("order", "odds_ratio", "likelihood_ratio", "tpr", "fpr"):
        np.testing.assert_allclose(getattr(scaled, name), getattr(plain, name), rtol=1e-11)


def test_odds_beyond_floats():
    weight = np.where(X[:, 0] == Y, 1e300, 1e-300)
    found = lex_order(X, Y, smoothing=0, sample_weight=weight)
    assert found.order[0] == 0
    assert found.odds_ratio[0] == np.inf
    assert odds_ratios(X, Y, smoothing=1e300).tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match=r"^smoothing must be at most 1e\+305; got 1e\+308"):
        lex_order(X, Y, smoothing=1e308)


def test_weights_far_apart_where_lists_and_thresholds_are_learned():
    x, y = np.arange(6.0), [0, 0, 1, 0, 1, 1]
    weight = [1.0, 1e250, 1e-100, 1e249, 1.0, 1e-30]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # what differs is next to nothing beside the great weights, and decides all the same
        assert entropy_threshold(x, y, sample_weight=weight) == 3.5
        assert entropy_threshold(x, y, sample_weight=weight[::-1]) == 1.5
    message = r"^sample_weight must not leave one class next to nothing beside the other"
    with pytest.raises(ValueError, match=message):
        learn_scoring_list([[1], [0], [1]], [1, 0, 0], sample_weight=[1e-150, 1e150, 1e150])


def test_spaces_of_classes_and_edges_far_apart():
    rare = RankedSegments(score=[0.9, 0.4], pos=[1.0, 3.0], neg=[1.0, 1e200])
    many = RankedSegments(score=[0.9, 0.4], pos=[1e20, 3e20], neg=[1.0, 1.0])
    for one in (rare, many):
        assert space_curve(one, "roc").area == one.auc
        for space in ("precision_recall", "gain", "lift", "pr_gain"):
            with pytest.raises(ValueError, match=r"^segments must not have classes so far apart"):
                space_curve(one, space)
    # edges of which neither the rise nor the run is a float beside the whole
    tiny = RankedSegments([0.9, 0.6, 0.3], [1e-200, 1e200, 1.0], [1e-250, 1.0, 1e200])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert space_curve(tiny, "cost").area < 1e-15
        steep = RankedSegments([0.9, 0.7, 0.6], [1e3, 1.0, 2.0], [1e-320, 0.0, 1e3])
        part = partial_auc(steep, 0.3, 0.5, method="delong")
    np.testing.assert_allclose(part.area, 0.2 * (1001 + 0.4 * 2) / 1003, rtol=1e-12)
