"""Isotonic regression and beta calibration in one picture."""

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from rocviz import CalibrationMapDisplay, ProbabilisticScoringList, RankedSegments
from rocviz.core.calibration.calibration import calibration_map
from rocviz.datasets import load_scoring_list_example


def test_both_maps_are_those_of_the_scores(data, legible, words):
    y, p = data
    display = CalibrationMapDisplay.from_predictions(y, p)
    isotonic = IsotonicRegression(out_of_bounds="clip").fit(p, y)
    line = display.lines_["isotonic"]
    np.testing.assert_allclose(line.get_ydata(), isotonic.predict(line.get_xdata()), atol=1e-12)
    beta = calibration_map(y, p, method="beta")
    line = display.lines_["beta"]
    np.testing.assert_allclose(line.get_ydata(), beta(line.get_xdata()))
    assert f"{y.sum()} positives" in words(display.ax_)
    legible(display.figure_, display.ax_)


def test_a_stage_is_calibrated_as_its_list_does():
    rng = np.random.default_rng(0)
    X = rng.random((300, 3)) < 0.5
    y = rng.random(300) < (1 + X.sum(axis=1)) / 5
    fitted = {
        name: ProbabilisticScoringList(calibration=name).fit(X, y).scoring_list_.stages[2]
        for name in ("isotonic", "beta")
    }
    for stage in fitted.values():
        display = CalibrationMapDisplay.from_stage(stage, theme="dark")
        for name, other in fitted.items():
            if np.array_equal(other.totals, stage.totals):
                np.testing.assert_allclose(
                    display.probability(stage.totals)[name], other.probability, atol=1e-9
                )
        assert display.ax_.get_xlabel() == "total score"


def test_scores_of_an_estimator_beyond_0_and_1(data):
    y, p = data
    model = LogisticRegression().fit(p[:, None], y)
    display = CalibrationMapDisplay.from_estimator(
        model, p[:, None], y, response_method="decision_function", name="log odds"
    )
    assert (display.low, display.high) == (
        display.segments.score.min(),
        display.segments.score.max(),
    )
    assert display.ax_.get_xlabel() == "log odds"


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: CalibrationMapDisplay.from_predictions([0, 1], [3, 3]), "must differ"),
        (
            lambda: CalibrationMapDisplay(RankedSegments([1, 0], [1, 0], [0, 1]), low=0.5),
            "all scores between",
        ),
        (lambda: CalibrationMapDisplay.from_stage(load_scoring_list_example().stages[1]), "counts"),
        (lambda: CalibrationMapDisplay.from_predictions([0, 1], {"a": [1, 2]}), "one model"),
        (lambda: CalibrationMapDisplay.from_estimator({}, [[1]], [1]), "one classifier"),
    ],
)
def test_bad_input_makes_no_figure(make, match):
    with pytest.raises(ValueError, match=match):
        make()
