"""Weights, scores and counts of any size a float has: right to 1e-12, or a clear error."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocviz import (
    ConfusionTable,
    RankedSegments,
    auc_interval,
    hull_map,
    pairwise_loss,
    roc_band,
    space_curve,
)
from rocviz.core.calibration import (
    beta_map,
    brier_of_segments,
    entropy_threshold,
    isotonic_map,
    sigmoid_map,
)
from rocviz.core.decisions.empirical_utility import best_threshold_of_segments
from rocviz.core.ranking_loss import isotonic_loss
from rocviz.core.roc import auc_interval_of_segments, auc_test, binomial_interval

EXPONENTS = (-300, -170, -160, -20, 0, 20, 155, 300)
Y, SCORE, WEIGHT = [1, 0, 1, 0, 0], [5.0, 4.0, 3.0, 2.0, 2.0], [1.0, 2.0, 3.0, 2.0, 1.0]


def segments(scale=1.0):
    return RankedSegments.from_scores(Y, SCORE, sample_weight=np.multiply(WEIGHT, scale))


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_a_unit_of_weight_says_nothing(exponent):
    plain, scaled = segments(), segments(10.0**exponent)
    for name in ("auc", "prevalence", "prior_odds", "is_convex"):
        assert getattr(scaled, name) == pytest.approx(getattr(plain, name), rel=1e-12), name
    for name in ("fpr", "tpr", "slope", "empirical_probability", "hull_vertices"):
        np.testing.assert_allclose(getattr(scaled, name), getattr(plain, name), rtol=1e-12)
    assert scaled.hull().auc == pytest.approx(plain.hull().auc, rel=1e-12)
    assert isotonic_loss(scaled) == pytest.approx(isotonic_loss(plain), rel=1e-12)
    assert scaled.optimal_point(2, 1).tpr == pytest.approx(plain.optimal_point(2, 1).tpr)


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_brier_terms_in_any_unit(exponent):
    plain, scaled = (segments(c).with_scores([0.9, 0.6, 0.5, 0.2]) for c in (1.0, 10.0**exponent))
    for name, value in vars(brier_of_segments(plain)).items():
        found = getattr(brier_of_segments(scaled), name)
        assert found == pytest.approx(value, rel=1e-12, abs=1e-15), name


def exact(segments):
    """Return AUC, AUC of the hull and refinement loss of the hull, by fractions."""

    def area(edges):
        high, total = Fraction(0), Fraction(0)
        for pos, neg in edges:
            total += neg * (high + pos / 2)
            high += pos
        return total / high / sum(neg for _, neg in edges)

    edges = [(Fraction(p), Fraction(n)) for p, n in zip(segments.pos, segments.neg, strict=True)]
    hull: list[tuple[Fraction, Fraction]] = []
    for pos, neg in edges:
        while hull and hull[-1][0] * neg <= pos * hull[-1][1]:
            last = hull.pop()
            pos, neg = pos + last[0], neg + last[1]
        hull.append((pos, neg))
    total = sum(pos + neg for pos, neg in edges)
    loss = sum(pos * neg / (pos + neg) for pos, neg in hull) / total
    return [float(x) for x in (area(edges), area(hull), loss)]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 12), st.floats(-300, 300)), min_size=2, max_size=40
    )
)
def test_weights_far_apart(samples):
    y, score, exponent = zip(*[(True, 1, 0.0), (False, 2, 0.0), *samples], strict=True)
    ranking = RankedSegments.from_scores(
        y, np.array(score, float), sample_weight=10.0 ** np.array(exponent)
    )
    found = ranking.auc, ranking.hull().auc, isotonic_loss(ranking)
    np.testing.assert_allclose(found, exact(ranking), rtol=0, atol=1e-12)


def test_small_edges_beside_great_weights_keep_the_corner():
    # the third edge has no length in sums that hold the first
    ranking = RankedSegments(
        score=[4, 3, 2, 1], pos=[1e20, 1e-6, 0, 1e14], neg=[1e8, 0, 1e17, 1e18]
    )
    assert ranking.hull().auc == pytest.approx(exact(ranking)[1], abs=1e-12)


def test_probabilities_that_floats_do_not_tell_from_one():
    # in units of each class the second edge has one as well
    ranking = RankedSegments(score=[3, 2, 1], pos=[1e-130, 1e48, 1e-85], neg=[0, 1e39, 1e114])
    share = hull_map(ranking)(ranking.score)
    np.testing.assert_allclose(share, [1.0, 1 / (1 + 1e-9), 0.0], rtol=0, atol=1e-15)


def test_slopes_beyond_floats():
    ranking = RankedSegments(score=[3, 2, 1], pos=[1e-300, 1.0, 1e300], neg=[1e300, 1e-300, 1e-300])
    assert ranking.slope.tolist() == [0.0, pytest.approx(1e300, rel=1e-12), np.inf]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 9), st.floats(-120, 120)), min_size=2, max_size=25
    ),
    st.integers(-150, 150),
)
def test_weights_far_apart_of_every_sample_and_cut(samples, unit):
    """Also what is said of samples that weigh next to nothing beside the others."""
    y, score, exponent = zip(*[(True, 1, 0.0), (False, 2, 0.0), *samples], strict=True)
    ranking = RankedSegments.from_scores(
        y, np.array(score) / 9, sample_weight=10.0 ** (np.array(exponent) + unit)
    )
    edges = [(Fraction(p), Fraction(n)) for p, n in zip(ranking.pos, ranking.neg, strict=True)]
    hull: list[list[Fraction]] = []
    for pos, neg in edges:
        hull.append([pos, neg, 1])
        while len(hull) > 1 and hull[-2][0] * hull[-1][1] <= hull[-1][0] * hull[-2][1]:
            last = hull.pop()
            hull[-1] = [a + b for a, b in zip(hull[-1], last, strict=True)]
    share = [float(pos / (pos + neg)) for pos, neg, many in hull for _ in range(many)]
    np.testing.assert_allclose(hull_map(ranking)(ranking.score), share, rtol=0, atol=1e-12)

    n_pos, n_neg = (sum(side) for side in zip(*edges, strict=True))
    tp = fp = Fraction(0)
    tables = [(tp, fp)]
    for pos, neg in edges:
        tp, fp = tp + pos, fp + neg
        tables.append((tp, fp))
        found = ranking.at_threshold(float(ranking.score[len(tables) - 2]))
        wanted = tp, fp, n_pos - tp, n_neg - fp
        for name, count in zip(("tp", "fp", "fn", "tn"), wanted, strict=True):
            assert getattr(found, name) == pytest.approx(float(count), rel=1e-12), name
    metrics = {
        "am": lambda tp, fp: (tp / n_pos + 1 - fp / n_neg) / 2,
        "g_mean": lambda tp, fp: np.sqrt(float(tp / n_pos * (1 - fp / n_neg))),
        "g_tp_pr": lambda tp, fp: np.sqrt(float(tp * tp / n_pos / (tp + fp))) if tp + fp else 0.0,
    }
    for name, measure in metrics.items():
        best = best_threshold_of_segments(ranking, name)
        wanted = [float(measure(*table)) for table in tables]
        np.testing.assert_allclose(best.utilities, wanted, rtol=0, atol=1e-12, err_msg=name)
    inner = [(tp, fp, n_pos - tp, n_neg - fp) for tp, fp in tables[1:-1]]
    wanted = [0.0, *(ConfusionTable(*map(float, table)).mcc for table in inner), 0.0]
    best = best_threshold_of_segments(ranking, "mcc")
    np.testing.assert_allclose(best.utilities, wanted, rtol=0, atol=1e-12)
    if 1e-150 < ranking.prevalence < 1:
        assert np.isfinite(space_curve(ranking, "precision_recall").area)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert 0 <= space_curve(ranking, "cost").area <= 0.5
    assert np.isfinite(sigmoid_map(ranking)(ranking.score)).all()
    weights = np.concatenate((ranking.pos, ranking.neg))
    if weights.max() > 1e31 * weights[weights > 0].min():
        with pytest.raises(ValueError, match="too far apart for a beta map"):
            beta_map(ranking)
    else:
        assert np.isfinite(beta_map(ranking)(ranking.score)).all()


def test_what_weighs_nothing_beside_the_rest_is_refused():
    ranking = RankedSegments(score=[3, 2, 1], pos=[1e-300, 1.0, 0], neg=[0, 1e5, 1e5])
    for call in (hull_map, best_threshold_of_segments):
        with pytest.raises(ValueError, match=r"^segments must not have weights .* farther apart"):
            call(ranking)
    lone = RankedSegments(score=[0.9, 0.1], pos=[1e-300, 0], neg=[0, 1e5])
    with pytest.raises(ValueError, match=r"^segments.pos and segments.neg are too far apart"):
        beta_map(lone)
    tied = RankedSegments(score=[1], pos=[1e300], neg=[1])
    with pytest.raises(ValueError, match="one class has a share of"):
        sigmoid_map(tied)


def test_rare_positives_are_told_apart_by_a_sigmoid():
    rare = RankedSegments(score=[2, 1, 0], pos=[5e3, 2e3, 1e3], neg=[1e12, 2e12, 3e12])
    turned = RankedSegments(score=[0, -1, -2], pos=rare.neg[::-1], neg=rare.pos[::-1])
    found, other = sigmoid_map(rare), sigmoid_map(turned)
    # where the gradient of the likelihood of Platt's targets vanishes
    n_pos, n_neg = rare.n_pos, rare.n_neg
    target = rare.pos * (n_pos + 1) / (n_pos + 2) + rare.neg / (n_neg + 2)
    rest = rare.n * found(rare.score) - target
    assert [rest.sum() / n_pos, rest @ rare.score / n_pos] == pytest.approx([0, 0], abs=1e-11)
    assert other.slope == pytest.approx(found.slope, rel=1e-9)
    assert other.intercept == pytest.approx(-found.intercept, rel=1e-9)


def test_weights_that_add_up_to_too_much():
    with pytest.raises(ValueError, match=r"^sample_weight must add up to at most 1e\+305; got inf"):
        RankedSegments.from_scores(Y, SCORE, sample_weight=np.full(5, 1e308))
    with pytest.raises(ValueError, match=r"^pos and neg must add up to at most 1e\+305"):
        RankedSegments(score=[2, 1], pos=[1e306, 0], neg=[0, 1])
    with pytest.raises(ValueError, match=r"^tp, fp, fn and tn must add up to at most"):
        ConfusionTable(tp=1e308, fp=1e308, fn=0, tn=0)


# ---------------------------------------------------------------------- counts


@pytest.mark.parametrize("c", [1e-308, 1e-82, 1.0, 1e78, 1e300])
def test_counts_of_any_size(c):
    table, plain = (ConfusionTable(3 * k, 1 * k, 2 * k, 5 * k) for k in (c, 1.0))
    for name in ("mcc", "f1", "jaccard", "odds_ratio", "lr_positive", "youden_j"):
        assert getattr(table, name) == pytest.approx(getattr(plain, name), rel=1e-12), name
    assert table.f_beta(1e200) == pytest.approx(table.tpr, rel=1e-12)


def test_counts_far_apart():
    assert ConfusionTable(tp=1e-300, fp=0, fn=0, tn=1e300).mcc == 1.0
    assert ConfusionTable(tp=0, fp=1e-300, fn=1e-300, tn=1e300).mcc == 0.0  # -1e-600
    found = ConfusionTable(tp=1e-200, fp=1.0, fn=1e200, tn=1e200)
    assert found.mcc == pytest.approx(-np.sqrt(0.5) * 1e-100, rel=1e-12)
    assert ConfusionTable(tp=1e300, fp=1e-300, fn=1e-300, tn=1e300).odds_ratio == np.inf
    assert np.isnan(ConfusionTable(tp=1, fp=1, fn=0, tn=0).mcc)


# ---------------------------------------------------------------------- scores


@pytest.mark.parametrize("unit", [5e-324, 1e-300, 1.0, 1e300, 4e307])
def test_scores_of_any_size(unit):
    y, score = [0, 1, 0, 1, 1], np.array([-4.0, 2.0, 1.0, 1.0, 4.0]) * unit
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = RankedSegments.from_scores(y, score)
        assert found.auc == 5.5 / 6
        assert auc_test(y, score, -score).auc_a == found.auc
        np.testing.assert_array_equal(
            isotonic_map(found)(score), isotonic_map(found.with_scores([4, 2, 1, -4]))(score / unit)
        )
        assert entropy_threshold(score, y) == pytest.approx(1.5 * unit, rel=1e-12, abs=5e-324)


def test_isotonic_maps_between_scores_of_any_size():
    ends = RankedSegments(score=[1.7e308, -1.7e308], pos=[3, 1], neg=[1, 3])
    np.testing.assert_allclose(
        isotonic_map(ends)([-1.7e308, 0.0, 0.85e308, 1.7e308, -1.79e308]),
        [0.25, 0.5, 0.625, 0.75, 0.25],
        rtol=1e-12,
    )
    tiny = RankedSegments(score=[4e-323, 0.0], pos=[3, 1], neg=[1, 3])
    assert isotonic_map(tiny)([2e-323]).tolist() == [0.5]


@pytest.mark.parametrize("unit", [2.0**-960, 2.0**-500, 1.0, 2.0**950])
@pytest.mark.parametrize("offset", [0.0, 2.0**40])
def test_sigmoids_of_scores_of_any_size(unit, offset):
    at = np.arange(1.0, 6.0)
    y = [0, 1, 0, 1, 1]
    fitted = sigmoid_map(RankedSegments.from_scores(y, (at + offset) * unit))
    plain = sigmoid_map(RankedSegments.from_scores(y, at))
    np.testing.assert_allclose(fitted((at + offset) * unit), plain(at), rtol=1e-12)


def test_sigmoids_of_scores_too_close():
    with pytest.raises(ValueError, match=r"^segments.score must differ by more than 1e-300"):
        sigmoid_map(RankedSegments.from_scores([0, 1], [1e-310, 2e-310]))
    alone = sigmoid_map(RankedSegments(score=[1e16], pos=[3], neg=[1]))
    assert alone([0.0, 1e16]) == pytest.approx([0.7, 0.7], abs=0.02)


def hinge(y, score):
    """Return the mean squared hinge over all pairs and its gradient, by fractions."""
    pos = [i for i, label in enumerate(y) if label]
    neg = [i for i, label in enumerate(y) if not label]
    value, gradient = Fraction(0), [Fraction(0)] * len(y)
    for i in pos:
        for j in neg:
            gap = max(1 + Fraction(score[j]) - Fraction(score[i]), Fraction(0))
            value += gap**2
            gradient[i] -= 2 * gap
            gradient[j] += 2 * gap
    pairs = len(pos) * len(neg)
    return float(value / pairs), [float(g / pairs) for g in gradient]


@settings(deadline=None, max_examples=80)
@given(
    st.lists(
        st.tuples(
            st.booleans(),
            st.sampled_from([0.0, 1e8, -1e15, 2.0**53, 1e16, -1e16, 1.7e18]),
            st.floats(-600, 600),
        ),
        max_size=12,
    )
)
def test_hinges_of_scores_with_offsets(samples):
    samples = [(True, 0.0, 0.5), (False, 0.0, 0.0), *samples]
    y = [label for label, _, _ in samples]
    score = [offset + rest for _, offset, rest in samples]
    value, gradient = pairwise_loss(y, score, loss="squared_hinge")
    expected, slopes = hinge(y, score)
    assert value == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(gradient, slopes, rtol=1e-11, atol=1e-12 * max(map(abs, slopes)))


@pytest.mark.parametrize("offset", [0.0, 1e16, -1e16, 1.7e18])
@pytest.mark.parametrize("n", [4, 200])
def test_logistic_losses_of_scores_with_offsets(n, offset):
    y = np.arange(n) % 2
    score = offset + 512.0 * np.arange(n) * (-1.0) ** y
    gap = score[y == 0] - score[y == 1][:, None]
    value, gradient = pairwise_loss(y, score)
    assert value == pytest.approx(np.logaddexp(0, gap).mean(), rel=1e-12)
    assert gradient.sum() == pytest.approx(0, abs=1e-12)


def test_ties_far_from_nothing():
    assert pairwise_loss([0, 1, 0, 1], [1e16] * 4, loss="squared_hinge")[0] == 1.0
    assert pairwise_loss([0, 1], [1e16] * 2)[0] == pytest.approx(np.log(2), rel=1e-12)
    with pytest.raises(ValueError, match=r"^y_score must span at most 1e\+150"):
        pairwise_loss([0, 1], [1e308, -1e308])


# ---------------------------------------------------------------------- whole numbers


def test_whole_numbers_that_floats_do_not_tell_apart():
    for score in (np.array([2**53, 2**53 + 1]), [2**64, 2**64 + 1], [2**63 - 1, 0]):
        with pytest.raises(ValueError, match=r"^y_score .*floats"):
            RankedSegments.from_scores([0, 1], score)
    exactly = np.array([2**60, 2**60 + 2**9], dtype=np.uint64)
    assert RankedSegments.from_scores([0, 1], exactly).auc == 1.0
    assert RankedSegments.from_scores([0, 1], [2**64, 2**65]).auc == 1.0


# ---------------------------------------------------------------------- intervals


def test_intervals_of_nearly_all():
    lower, upper = binomial_interval(3, 9, confidence=1 - 1e-16)
    assert (lower, upper) == pytest.approx((0.013567, 0.947854), abs=1e-5)
    for method in ("clopper-pearson", "jeffreys"):
        with pytest.raises(ValueError, match=rf"^trials must be at most 2\*\*53 for .*{method}"):
            binomial_interval(5e299, 1e300, method=method)
    assert binomial_interval(5e299, 1e300) == pytest.approx((0.5, 0.5), rel=1e-12)
    y, score = [0, 1, 0, 1], [1, 2, 3, 4]
    for found in (auc_interval(y, score, confidence=1 - 1e-16), auc_test(y, score, [4, 3, 2, 1])):
        assert np.isfinite([found.lower, found.upper]).all()


def test_weights_that_are_no_number_of_samples():
    for method in ("logit-delong", "bootstrap", "fermi-dirac"):
        with pytest.raises(ValueError, match=r"^sample_weight must"):
            auc_interval_of_segments(segments(1e300), method=method)
    with pytest.raises(ValueError, match=r"^sample_weight must sum to at least 1"):
        auc_interval_of_segments(segments(1e-300))
    for scale in (1e-300, 1e15):
        for method in ("bootstrap", "kolmogorov-smirnov"):
            band = roc_band(segments(scale), method=method)
            assert np.isfinite(band.lower).all()
            assert np.isfinite(band.upper).all()
    with pytest.raises(ValueError, match=r"^segments must hold at most 2\*\*53 samples"):
        roc_band(segments(1e300))
