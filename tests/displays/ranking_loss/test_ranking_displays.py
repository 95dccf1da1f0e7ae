"""Pictures of the ranking-loss experiment and of the bound."""

import numpy as np
import pytest
from matplotlib import pyplot as plt

from rocviz import RankedSegments, RankingBoundDisplay, RankingExperimentDisplay
from rocviz.core.ranking_loss import (
    RankingBoundExample,
    RankingExperiment,
    ranking_bound,
    worst_ranking,
)
from rocviz.core.ranking_loss.methods import METHODS


def experiment(a=(2**-9, 2**-7, 2**-5, 2**-3, 2**-1), methods=METHODS, seed=0):
    rng = np.random.default_rng(seed)
    size = (len(a), len(methods))
    return RankingExperiment(
        a=np.array(a),
        methods=tuple(methods),
        error=rng.random(size) * 0.03,
        standard_error=rng.random(size) * 0.002,
        n_samples=1000,
        n_repeats=20,
    )


def own_scores():
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.2
    return y, {"good": rng.normal(size=300) + 2 * y, "fair": rng.normal(size=300) + 0.6 * y}


def pictures():
    for n in (1, 3, 6):
        result = experiment(methods=METHODS[-n:])
        yield pytest.param(RankingExperimentDisplay(result), id=f"{n} methods")
    yield pytest.param(RankingExperimentDisplay(experiment((0, 0.1))), id="two floors")
    yield pytest.param(RankingBoundDisplay(), id="counterexamples")
    example = RankingBoundExample("the worst", worst_ranking(0.997, 0.02))
    yield pytest.param(RankingBoundDisplay([example]), id="worst")
    y, scores = own_scores()
    yield pytest.param(
        RankingBoundDisplay(
            [RankingBoundExample(k, RankedSegments.from_scores(y, s)) for k, s in scores.items()]
        ),
        id="own",
    )


@pytest.mark.parametrize("display", list(pictures()))
def test_nothing_is_cut_off_and_no_texts_overlap(display, legible):
    drawn = display.plot()
    legible(drawn.figure_, drawn.ax_)


def test_lectures_have_room_for_larger_type(legible):
    for display in (RankingExperimentDisplay(experiment()), RankingBoundDisplay()):
        drawn = display.plot(theme="lecture")
        legible(drawn.figure_, drawn.ax_)


def test_lines_are_the_experiment():
    done = experiment((0.5, 2**-3, 2**-5))
    display = RankingExperimentDisplay.from_experiment(done)
    assert set(display.lines_) == set(METHODS)
    for method, line in display.lines_.items():
        np.testing.assert_allclose(line.get_xdata(), [-5, -3, -1])
        column = done.methods.index(method)
        np.testing.assert_array_equal(line.get_ydata(), done.error[::-1, column])
    bars = display.picture_["linear bars"].y
    lowest = done.standard_error[::-1, METHODS.index("linear")]
    np.testing.assert_allclose(np.ptp(bars, axis=1), 4 * lowest)
    assert [label.get_text() for label in display.ax_.get_xticklabels()] == ["1/32", "1/8", "1/2"]
    assert {text.get_text() for text in display.ax_.texts} == set(METHODS)
    assert len({display.picture_[f"{method} means"].marker for method in METHODS}) == 6
    assert "1,000 samples" in display.ax_.get_title(loc="left")


def test_some_methods_and_a_floor_of_zero():
    display = RankingExperimentDisplay(experiment((0, 0.25, 0.3)))
    shown = display.plot(methods=["logistic", "rank + isotonic"]).lines_
    assert set(shown) == {"rank + isotonic", "logistic"}
    np.testing.assert_allclose(shown["logistic"].get_xdata(), [-4, -2, np.log2(0.3)])
    labels = [label.get_text() for label in display.ax_.get_xticklabels()]
    assert labels == ["0", "1/4", "0.3"]
    only = RankingExperimentDisplay(experiment((0,))).plot().lines_["logistic"]
    assert only.get_xdata().size == 1


def test_curves_are_the_bounds():
    display = RankingBoundDisplay().plot()
    for name in ("sharp", "simple", "printed"):
        x, y = display.lines_[name].get_data()
        np.testing.assert_allclose(y, [ranking_bound(auc, 0.5, method=name) for auc in x])
    np.testing.assert_allclose(display.lines_["turn"].get_offsets(), [[5 / 6, 1 / 6]])
    places = display.dots_.get_offsets()
    np.testing.assert_allclose(places, [(1 / 4, 1 / 4), (5 / 6, 1 / 6)], atol=1e-6)
    for auc, loss in places:
        assert ranking_bound(auc, 0.5, method="printed") < loss <= ranking_bound(auc, 0.5)


def test_counterexamples_have_labels(words):
    text = words(RankingBoundDisplay().plot().ax_)
    assert ": 0.250 > 0.217" in text
    assert ": 0.167 > 0.102" in text
    block = RankedSegments.from_scores([1, 0, 0], [1, 2, 3])
    text = words(RankingBoundDisplay([RankingBoundExample("a block", block)]).plot().ax_)
    assert "a block: 0.222 ≤ 0.236" in text


def test_own_scores_and_models(words):
    y, scores = own_scores()
    display = RankingBoundDisplay.from_predictions(y, scores)
    assert [example.name for example in display.examples] == ["good", "fair"]
    assert display.examples[0].auc == RankedSegments.from_scores(y, scores["good"]).auc
    assert (
        display.ax_.get_title(loc="left") == f"What an AUC allows, {100 * y.mean():.0f} % positive"
    )
    assert "this ranking" in words(RankingBoundDisplay.from_predictions(y, scores["good"]).ax_)


def test_bad_input_makes_no_figure():
    display = RankingExperimentDisplay(experiment(methods=METHODS[:2]))
    for how, message in (
        ({"methods": ["combined"]}, "methods must be one of linear, linear"),
        ({"methods": "linear"}, "methods must be a sequence"),
    ):
        with pytest.raises(ValueError, match=message):
            display.plot(**how)
    two = [RankingBoundExample("x", worst_ranking(0.99, pi)) for pi in (0.2, 0.3)]
    with pytest.raises(ValueError, match="same prevalence"):
        RankingBoundDisplay(two)
    assert plt.get_fignums() == []


def test_a_long_name_leaves_room_for_the_picture():
    y, scores = own_scores()
    display = RankingBoundDisplay.from_predictions(
        y, {5000 * "n" + k: s for k, s in scores.items()}
    )
    display.figure_.canvas.draw()
    first = [text.get_text() for text in display.ax_.texts]
    assert sum("n…good" in text or "n…fair" in text for text in first) == 2
    assert max(map(len, first)) < 60
