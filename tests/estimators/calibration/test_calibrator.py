"""HullCalibrator: the example, isotonic regression, columns by themselves, pipelines."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.isotonic import IsotonicRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rocviz import HullCalibratedClassifier, HullCalibrator, calibration_map


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.4
    X = np.column_stack((y + rng.normal(size=300), rng.normal(size=300).round(1), -3.0 * y))
    return X, y


def test_worked_example():
    score = np.repeat([4.0, 3.0, 2.0, 1.0], [5, 5, 4, 6])[:, None]
    y = [1] * 2 + [0] * 3 + [1] * 4 + [0] + [1] * 3 + [0] + [1] + [0] * 5
    made = HullCalibrator().fit(score, y)
    assert made.transform([[9], [4], [2], [1.5], [0]]).ravel().tolist() == [0.625] * 3 + [0.25] * 2
    assert made.segments_[0].hull().pos.tolist() == [9, 1]


def test_columns_are_calibrated_by_themselves(data):
    X, y = data
    both = HullCalibrator(m=5, prior=0.2).fit(X, y)
    for j, one in enumerate(both.calibration_maps_):
        np.testing.assert_array_equal(
            both.transform(X)[:, [j]], HullCalibrator(m=5, prior=0.2).fit_transform(X[:, [j]], y)
        )
        wanted = calibration_map(y, X[:, j], m=5, prior=0.2)
        np.testing.assert_array_equal(one.probability, wanted.probability)
    # the last column ranks upside down: its hull is the diagonal
    assert len(np.unique(both.transform(X)[:, 2])) == 1


def test_without_correction_it_is_isotonic_regression(data):
    X, y = data
    made = HullCalibrator(m=0, interpolation="linear").fit(X, y)
    new = np.linspace(-4, 4, 500)
    peer = IsotonicRegression(out_of_bounds="clip").fit(X[:, 0], y)
    got = made.transform(np.column_stack((new, new, new)))[:, 0]
    np.testing.assert_allclose(got, peer.predict(new), atol=1e-12)


def test_weights_labels_and_names(data):
    X, y = data
    weight = np.arange(300) % 3
    names = np.where(y, "yes", "no")
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    weighted = HullCalibrator(pos_label="yes").fit(frame, names, sample_weight=weight)
    repeated = HullCalibrator().fit(np.repeat(X, weight, 0), np.repeat(y, weight))
    np.testing.assert_array_equal(weighted.transform(frame), repeated.transform(X))
    assert weighted.classes_.tolist() == ["no", "yes"]
    assert weighted.get_feature_names_out().tolist() == ["a", "b", "c"]
    shown = HullCalibrator(pos_label="yes").set_output(transform="pandas")
    shown = shown.fit_transform(frame, names)
    assert list(shown) == ["a", "b", "c"]


def test_in_a_pipeline(data):
    X, y = data
    piped = make_pipeline(StandardScaler(), HullCalibrator()).fit(X, y)
    np.testing.assert_allclose(piped.transform(X), HullCalibrator().fit_transform(X, y))


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"m": -1}, "m must be at least 0"),
        ({"prior": 1.5}, "prior must be from 0 to 1"),
        ({"interpolation": "cubic"}, "interpolation"),
    ],
)
def test_bad_parameters(how, message, data):
    with pytest.raises(ValueError, match=message):
        HullCalibrator(**how).fit(*data)


def test_bad_data(data):
    X, y = data
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        HullCalibrator().fit(X, np.arange(300) % 3)
    with pytest.raises(ValueError, match="one class only"):
        HullCalibrator().fit(X, np.ones(300))
    with pytest.raises(ValueError, match="NaN"):
        HullCalibrator().fit([[np.nan], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="inconsistent numbers"):
        HullCalibrator().fit(X, y[:-1])
    with pytest.raises(ValueError, match="expecting 3 features"):
        HullCalibrator().fit(X, y).transform(X[:, :1])
    with pytest.raises(NotFittedError):
        HullCalibrator().transform(X)


@pytest.mark.parametrize("estimator", [HullCalibrator(), HullCalibratedClassifier()])
def test_copies_predict_alike_and_the_input_stays(estimator, data):
    X, y = data
    before = X.copy(), y.copy()
    output = "transform" if hasattr(estimator, "transform") else "predict_proba"
    expected = getattr(estimator.fit(X, y), output)(X)
    copies = pickle.loads(pickle.dumps(estimator)), clone(estimator).fit(X, y)
    for copy in copies:
        np.testing.assert_array_equal(getattr(copy, output)(X), expected)
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(y, before[1])
