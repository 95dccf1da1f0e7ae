"""Weights farther apart than floats have digits, against fractions: nothing is rounded away."""

from fractions import Fraction

import numpy as np
import pytest

from rocviz.core.calibration.calibration import beta_map
from rocviz.core.roc.auc_intervals import auc_interval_of_segments
from rocviz.core.roc.auc_test import auc_test
from rocviz.core.roc.confusion import ConfusionTable
from rocviz.core.roc.segments import RankedSegments

CLOSE = Fraction(1, 10**12)


def fractions(side):
    return [Fraction(float(weight)) for weight in side]


def exact_auc(pos, neg):
    """The share of pairs in the right order, ties counted by halves."""
    pos, neg = fractions(pos), fractions(neg)
    above, right = Fraction(0), Fraction(0)
    for p, q in zip(pos, neg, strict=True):
        right += q * (above + p / 2)
        above += p
    return right / sum(pos) / sum(neg)


def exact_variance(pos, neg):
    """DeLong's, by its definition."""
    sides = fractions(pos), fractions(neg)
    variance = Fraction(0)
    for own, other in (sides, sides[::-1]):
        n = sum(own)
        place = [(sum(other[:i]) + other[i] / 2) / sum(other) for i in range(len(own))]
        mean = sum(w * x for w, x in zip(own, place, strict=True)) / n
        variance += sum(w * (x - mean) ** 2 for w, x in zip(own, place, strict=True)) / (n - 1) / n
    return variance


@pytest.mark.parametrize(
    ("pos", "neg"),
    [
        ([1e14, 1, 0], [0, 1, 3]),  # relative to it, the variance is 3e-30
        ([3, 1e14, 2, 1], [1e14, 2, 5, 0.1]),
        ([1e-9, 2.0, 1e-5], [1.0, 1e-300, 1e15]),
        ([0.5, 0.6, 1e-14], [1e-9, 1.1, 0.0]),
    ],
)
def test_delong_has_all_digits_at_weights_far_apart(pos, neg):
    found = auc_interval_of_segments(RankedSegments(range(len(pos), 0, -1), pos, neg))
    assert abs(Fraction(found.standard_error) ** 2 / exact_variance(pos, neg) - 1) < CLOSE


def test_a_weight_that_is_hardly_more_than_one_sample_says_nothing_of_the_variance():
    rest = 8e-9  # of which sums of weights near 1 keep seven digits
    found = auc_interval_of_segments(RankedSegments([3, 2, 1], [1, 2, 2], [rest, 1, 0]))
    assert found.is_fallback


@pytest.mark.parametrize(
    ("pos", "neg"),
    [
        ([1e-9, 3.0, 3e-9, 3e300], [0, 0, 0, 3e300]),
        ([1e-9, 3.0, 3e300], [0, 3e300, 1.0]),
        ([1e-300, 1e9], [0.0, 1e-20]),
    ],
)
def test_an_auc_next_to_nothing_has_all_its_digits(pos, neg):
    segments = RankedSegments(range(len(pos), 0, -1), pos, neg)
    assert abs(Fraction(segments.auc) / exact_auc(pos, neg) - 1) < CLOSE


def test_an_interval_of_an_auc_next_to_nothing_has_its_digits():
    pos, neg = [1e-300, 2.0], [0.0, 3e15]
    found = auc_interval_of_segments(RankedSegments([2, 1], pos, neg), method="hanley-mcneil")
    assert abs(Fraction(found.auc) / exact_auc(pos, neg) - 1) < CLOSE
    worst = auc_interval_of_segments(
        RankedSegments([2, 1], [0.0, 2e15], [1.0, 1e-300]), method="hanley-mcneil"
    )
    assert abs(Fraction(worst.auc) / exact_auc([0.0, 2e15], [1.0, 1e-300]) - 1) < CLOSE


def test_slopes_beyond_floats_are_told_apart():
    segments = RankedSegments([4, 3, 2, 1], [1e300, 3e300, 2e-9, 0], [1e-20, 1e-20, 1e300, 1e300])
    assert segments.hull_vertices.tolist() == [0, 2, 3, 4]
    np.testing.assert_array_equal(segments.is_convex, False)


def test_too_many_trials_are_refused_by_the_name_of_the_tables_counts():
    table = ConfusionTable(tp=1e16, fp=1.0, fn=1.0, tn=1.0)
    with pytest.raises(ValueError, match=r"counts of the table \(tp, fp, fn, tn\) must be at most"):
        table.interval("tpr", method="jeffreys")


def test_two_rankings_are_compared_without_losing_small_weights():
    y, a, b = [1, 1, 0, 0], [3.0, 1.0, 1.0, 0.0], [0.0, 3.0, 3.0, 4.0]
    found = auc_test(y, a, b, sample_weight=[1e14, 1.0, 1.0, 3.0])
    # the heavy sample wins all pairs or none: what is left of 1 is the other's
    assert found.standard_error**2 == pytest.approx(1.249999999999975e-29, rel=1e-12, abs=0)
    same = auc_test(y, a, a, sample_weight=[1e14, 1.0, 1.0, 3.0])
    assert (same.difference, same.standard_error, same.p_value) == (0.0, 0.0, 1.0)


def test_errors_are_told_when_their_squares_are_less_than_floats():
    y, a, b = [1, 1, 0, 0], [3.0, 1.0, 2.0, 0.0], [3.0, 0.0, 2.0, 1.0]
    found = auc_test(y, a, b, sample_weight=[1e200, 1.0, 2.0, 2.0])
    # among positives 1/4 and among negatives 1/12 of the square of 1e-200
    assert found.standard_error == pytest.approx(3**-0.5 * 1e-200, rel=1e-12, abs=0)
    with pytest.raises(ValueError, match="sample_weight must not have weights so far apart"):
        auc_test(y, a, b, sample_weight=[1e300, 1e-300, 2.0, 2.0])


def test_a_class_of_hardly_more_than_a_sample_is_added_up_exactly():
    y, a, b = [1, 1, 0, 0], [3.0, 1.0, 2.0, 0.0], [3.0, 0.0, 2.0, 1.0]
    found = auc_test(y, a, b, sample_weight=[0.5, 0.5 + 2**-40, 2.0, 2.0])
    w, rest = Fraction(0.5 + 2**-40), Fraction(2) ** -40
    n = 1 + rest
    of_pos = w / 4 * (1 - w / n) / rest / n
    of_neg = (w / n) ** 2 / 12
    assert abs(Fraction(found.standard_error) ** 2 / (of_pos + of_neg) - 1) < CLOSE

    ulp = 2.0**-53  # sums of floats are rounded up to more than 1
    weight = [2.0, 2.0, 1 - 4 * ulp, *[0.51 * ulp] * 4, 1.02 * ulp]
    with pytest.raises(ValueError, match="sample_weight must give each class a weight of more"):
        auc_test([1, 1, *[0] * 6], np.arange(8.0), np.arange(8.0), sample_weight=weight)


def test_beta_calibration_refuses_classes_too_far_apart_by_name():
    with pytest.raises(ValueError, match="too far apart for a beta map: weights from 1e-300"):
        beta_map(RankedSegments([0.9, 0.1], [1e-300, 0], [1.0, 3e15]))
