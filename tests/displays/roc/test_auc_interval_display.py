"""AUCIntervalDisplay: the numbers on the artists, room for the words, bad input before a figure."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from rocviz import AUCIntervalDisplay, auc_interval, simulate_coverage
from rocviz.core.roc.auc_intervals import METHODS

ALL = ["widened DeLong", "logit DeLong", "DeLong", "Hanley-McNeil", "Fermi-Dirac", "bootstrap"]


@pytest.fixture(scope="module")
def coverage():
    return simulate_coverage(200, 0.1, 0.95, n_repeats=200, random_state=0)


def rows(display):
    return [label.get_text() for label in display.ax_.get_yticklabels()]


def test_one_row_per_method(data, words):
    display = AUCIntervalDisplay.from_predictions(*data)
    assert rows(display) == ALL
    assert len(display.lines_) == 6
    for method, line in zip(METHODS, display.lines_, strict=True):
        interval = auc_interval(*data, method=method, random_state=0)
        np.testing.assert_allclose(line.get_xdata(), [interval.lower, interval.upper])
        assert f"{interval.lower:.3f}" in words(display.ax_)
        assert line.get_linestyle() == "-"
    assert display.coverage_ax_ is None
    assert display.ax_.get_title(loc="left") == f"AUC {interval.auc:.3f}, 95 % intervals"
    named = AUCIntervalDisplay.from_predictions(*data, name="model", confidence=0.9)
    assert named.ax_.get_title(loc="left") == f"model: AUC {interval.auc:.3f}, 90 % intervals"
    again = named.plot(name="other").ax_.get_title(loc="left")
    assert again.startswith("other: ")


def test_several_models(data, models, words):
    display = AUCIntervalDisplay.from_predictions(data[0], models)
    assert rows(display) == ALL * 3
    assert [len(lines) for lines in display.lines_] == [6, 6, 6]
    for name, p in models.items():
        assert f"{name}: {auc_interval(data[0], p).auc:.3f}" in words(display.ax_)
    colours = [lines[0].get_color() for lines in display.lines_]
    assert len(set(colours)) == 3
    assert display.ax_.get_title(loc="left") == "AUC with 95 % intervals"


def test_a_fallback_is_dashed_and_labelled(words):
    y = np.arange(30) > 14
    display = AUCIntervalDisplay.from_predictions(y, y * 1.0)
    assert all(line.get_linestyle() != "-" for line in display.lines_)
    assert words(display.ax_).count("no variance: Clopper–Pearson") == 6
    assert max(display.ax_.get_xticks()) <= 1 + 1e-9


def test_methods_that_count_samples_are_omitted_for_weights(data):
    weight = np.linspace(0.5, 2, 300)
    display = AUCIntervalDisplay.from_predictions(*data, sample_weight=weight)
    assert rows(display) == ALL[:4]
    whole = AUCIntervalDisplay.from_predictions(*data, sample_weight=np.arange(300) % 3)
    assert rows(whole) == ALL
    with pytest.raises(ValueError, match="must be whole numbers"):
        AUCIntervalDisplay.from_predictions(*data, sample_weight=weight, methods=["bootstrap"])


def test_coverage_stands_beside(data, coverage, words):
    display = AUCIntervalDisplay.from_predictions(*data, coverage=coverage)
    beside = display.coverage_ax_
    for share in coverage.coverage:
        assert f"{100 * share:.1f} %" in words(beside)
    (dots,) = [
        collection for collection in beside.collections if collection.get_label() == "_values"
    ]
    np.testing.assert_allclose(dots.get_offsets()[:, 0], coverage.coverage)
    np.testing.assert_allclose(dots.get_offsets()[:, 1], display.ax_.get_yticks()[:5])
    assert [tick.get_text() for tick in beside.get_xticklabels()] == ["95 % meant"]
    assert "20 + 180 samples" in beside.get_xlabel()
    display.figure_.draw_without_rendering()
    assert beside.get_window_extent().x0 > display.ax_.get_window_extent().x1
    assert beside.get_ylim() == display.ax_.get_ylim()
    interval = auc_interval(*data, method="bootstrap", n_resamples=50, random_state=0)
    empty = AUCIntervalDisplay(interval, coverage=coverage).plot()
    assert [tick.get_text() for tick in empty.coverage_ax_.get_xticklabels()] == ["95 % meant"]


def test_results_can_be_given(data):
    interval = auc_interval(*data)
    display = AUCIntervalDisplay(interval, name="only").plot()
    assert rows(display) == ["widened DeLong"]
    _, ax = plt.subplots(figsize=(7, 3))
    assert AUCIntervalDisplay([interval, interval]).plot(ax).ax_ is ax
    three = AUCIntervalDisplay({"a": [interval], "b": [interval]}).plot()
    assert len(three.lines_) == 2


def test_nothing_is_cut_off_or_overlaps(situation, coverage, legible):
    display = AUCIntervalDisplay.from_predictions(*situation, n_resamples=50, name="a model")
    legible(display.figure_, display.ax_)
    display.coverage = coverage
    for theme in ("light", "lecture"):
        display.plot(theme=theme)
        legible(display.figure_, display.ax_, display.coverage_ax_)


def test_bad_results_make_no_figure(data, models, coverage):
    interval = auc_interval(*data)
    other = auc_interval(*data, confidence=0.9)
    for intervals, more, message in (
        ([0.3], {}, "intervals must be AUCInterval"),
        ({"a": [interval]}, {"name": "b"}, "name must not be given"),
        ([interval, other], {}, "the same confidence"),
        ([other], {"coverage": coverage}, "intervals of the same confidence; got 0.95 for 0.9"),
        ({"a": [interval], "b": [interval]}, {"coverage": coverage}, "cannot be drawn for several"),
    ):
        with pytest.raises(ValueError, match=message):
            AUCIntervalDisplay(intervals, **more)
    several = AUCIntervalDisplay({"a": [interval], "b": [interval]})
    with pytest.raises(ValueError, match="name must not be given"):
        several.plot(name="x")
    with pytest.raises(ValueError, match="model 'bad'"):
        AUCIntervalDisplay.from_predictions(data[0], {"good": data[1], "bad": data[1][:5]})
    assert plt.get_fignums() == []
