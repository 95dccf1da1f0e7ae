"""FermiDiracDisplay: numbers on the artists, words apart, bad input before any figure."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from scipy.integrate import trapezoid

from rocviz import FermiDirac, FermiDiracDisplay, RankedSegments
from rocviz.core.fermi_dirac.rank_levels import rank_frequencies, rank_labels
from rocviz.core.roc import binomial_interval

make = FermiDiracDisplay.from_predictions


def ranking(auc, n_pos, n_neg):
    labels = FermiDirac.from_auc(auc, n_pos, n_neg).sample(random_state=0)
    return labels, -np.arange(labels.size)


def dots(display):
    """Find the ranks of the positives and of the negatives among the levels."""
    return [display.picture_[name].x for name in ("filled", "empty")]


def test_numbers_are_those_of_the_core(data):
    display = make(*data, n_slices=12, confidence=0.9)
    law = FermiDirac.from_scores(*data)
    assert display.law == law
    x, p = display.line_.get_data()
    assert (x[0], x[-1]) == (0.5, 300.5)
    assert x.size < 1000
    np.testing.assert_array_equal(p, law.probability(x))
    slices = rank_frequencies(display.segments, 12)
    np.testing.assert_allclose(
        display.points_.get_offsets(), np.column_stack((slices.rank, slices.frequency))
    )
    lower, upper = binomial_interval(slices.pos, slices.n, confidence=0.9, method="wilson")
    ends = np.array(display.intervals_.get_segments())
    np.testing.assert_array_equal(ends[:, 0, 0], slices.rank)
    np.testing.assert_allclose(ends[:, :, 1], np.column_stack((lower, upper)))
    fpr, tpr = display.roc_law_line_.get_data()
    assert trapezoid(tpr, fpr) == pytest.approx(law.auc, abs=1e-5)
    thinned = display.segments.thin(2000)
    np.testing.assert_array_equal(display.roc_line_.get_ydata(), thinned.tpr)


@pytest.mark.parametrize("auc", [0.3, 0.85])
def test_marks_lie_on_the_law(auc):
    display = make(*ranking(auc, 60, 90))
    law = display.law
    for line, rank, height in (
        (display.threshold_line_, law.threshold_rank, law.prevalence),
        (display.potential_line_, law.chemical_potential, 0.5),
    ):
        np.testing.assert_allclose(line.get_xdata(), [rank, rank])
        assert law.probability(rank) == pytest.approx(height)


def test_a_potential_beyond_the_ranks_is_labelled(words):
    display = make(*ranking(0.75, 60, 240))
    assert display.law.chemical_potential < 0
    assert display.potential_line_ is None
    text = words(display.ax_)
    assert f"← μ = −{-display.law.chemical_potential:.1f}" in text
    assert f"r* = {display.law.threshold_rank:.1f}" in text
    assert "prevalence 0.200" in text
    after = make(*ranking(0.75, 240, 60))
    assert " →" in words(after.ax_)
    assert "← μ = −∞" in words(make([0, 0, 1], [1, 1, 1]).ax_)
    assert "μ = ∞ →" in words(make([0, 1, 1], [1, 1, 1]).ax_)


def test_rare_positives_get_the_height_of_the_axes(words):
    display = make(*ranking(0.9, 30, 2970))
    assert max(display.picture_.y.ticks) == 0.2
    assert "μ = " in words(display.ax_)
    assert max(make(*ranking(0.9, 50, 50)).picture_.y.ticks) == 1
    common = make(*ranking(0.5, 5, 20_000))
    assert max(common.picture_.y.ticks) == 0.02


def test_small_axes_get_fewer_words(data, words):
    _, small = plt.subplots(figsize=(3, 3))
    display = make(*data, ax=small)
    text = words(small)
    assert f"T = {display.law.temperature:.3g} ranks" in text
    assert "Wilson" not in text
    assert "Wilson" in words(make(*data).ax_)


@pytest.mark.parametrize("n", [30, 160])
def test_every_level_is_a_dot(n):
    labels, score = ranking(0.8, n // 3, n - n // 3)
    positives, negatives = dots(make(labels, score))
    np.testing.assert_array_equal(positives, np.flatnonzero(labels) + 1)
    np.testing.assert_array_equal(negatives, np.flatnonzero(labels == 0) + 1)


def test_very_many_levels_are_thinned():
    labels, score = ranking(0.8, 4000, 16_000)
    display = make(labels, score)
    positives, negatives = dots(display)
    assert display.ax_.get_xlabel() == "rank; a dot for every 125 ranks"
    np.testing.assert_array_equal(np.union1d(positives, negatives), np.arange(62, 20_000, 125) + 1)
    assert len(positives) == labels[62::125].sum()
    assert display.line_.get_xdata().size < 2000


def test_axes_of_the_user(data, words):
    _, (left, right) = plt.subplots(1, 2, figsize=(11, 5))
    both = make(*data, ax=(left, right), name="model")
    assert (both.ax_, both.roc_ax_) == (left, right)
    assert "model, AUC" in words(right)
    assert "model" not in words(left)
    assert both.ax_.get_xlabel() == "rank; a dot for every 2 ranks"
    _, alone = plt.subplots()
    single = make(*data, ax=alone, name="model")
    assert single.roc_ax_ is single.roc_line_ is single.roc_law_line_ is None
    assert f"model, AUC {single.law.auc:.3f}" in words(alone)
    assert f"n = {data[0].sum()} positive + " in words(alone)
    assert plt.get_fignums() == [1, 2]
    with pytest.raises(ValueError, match=r"^ax must be 1 or 2 Axes; got 3"):
        make(*data, ax=[left, right, alone])


def test_words_touch_no_words_and_nothing_is_cut_off(situation, legible):
    display = make(*situation)
    legible(display.figure_, display.ax_, display.roc_ax_)


def test_lectures_have_room_for_larger_type(data, legible):
    for y, score in (data, ranking(0.75, 60, 240), ([0, 1], [0.2, 0.9])):
        display = make(y, score, theme="lecture")
        legible(display.figure_, display.ax_, display.roc_ax_)


def test_ties_are_spread_evenly():
    display = make([1, 0, 1, 0, 0, 0], [2, 1, 1, 1, 1, 0])
    np.testing.assert_array_equal(rank_labels(display.segments), [1, 0, 0, 0, 1, 0])
    positives, _ = dots(display)
    np.testing.assert_array_equal(positives, [1, 5])


def test_bad_results_make_no_display():
    with pytest.raises(ValueError, match="y_score must be the scores of one model"):
        make([0, 1, 1], {"a": [1, 2, 3]})
    with pytest.raises(ValueError, match="whole weights"):
        FermiDiracDisplay(RankedSegments([2, 1], [1.5, 0], [0, 1]))
    with pytest.raises(ValueError, match="estimator must be one classifier"):
        FermiDiracDisplay.from_estimator({"a": None}, [[1]], [1])
