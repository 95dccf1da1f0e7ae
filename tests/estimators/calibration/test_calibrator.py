"""HullCalibrator: the example, isotonic regression, columns by themselves, pipelines."""

import numpy as np
import pytest

from rocviz import HullCalibrator, calibration_map


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.4
    X = np.column_stack((y + rng.normal(size=300), rng.normal(size=300).round(1), -3.0 * y))
    return X, y


def test_worked_example():
    score = np.repeat([4.0, 3.0, 2.0, 1.0], [5, 5, 4, 6])[:, None]
    y = [1] * 2 + [0] * 3 + [1] * 4 + [0] + [1] * 3 + [0] + [1] + [0] * 5
    model = HullCalibrator().fit(score, y)
    assert model.transform([[9], [4], [2], [1.5], [0]]).ravel().tolist() == [0.625] * 3 + [0.25] * 2
    assert model.segments_[0].hull().pos.tolist() == [9, 1]


def test_columns_are_calibrated_by_themselves(data):
    X, y = data
    both = HullCalibrator(m=5, prior=0.2).fit(X, y)
    for j, own_map in enumerate(both.calibration_maps_):
        np.testing.assert_array_equal(
            both.transform(X)[:, [j]], HullCalibrator(m=5, prior=0.2).fit_transform(X[:, [j]], y)
        )
        expected = calibration_map(y, X[:, j], m=5, prior=0.2)
        np.testing.assert_array_equal(own_map.probability, expected.probability)
    # the last column ranks upside down: its hull is the diagonal
    assert len(np.unique(both.transform(X)[:, 2])) == 1
