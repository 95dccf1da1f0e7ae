"""Scores in single precision give what the same numbers in double precision give, everywhere."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass

import callables
import numpy as np
import pytest
from matplotlib import pyplot as plt

import rocviz

pytestmark = pytest.mark.slow

EVERY = callables.public_callables()
NUMBERS = ("y_score", "y_prob", "score", "scores", "y_score_a", "y_score_b", "new_scores", "X")
#: Classifiers of scikit-learn inside compute in the precision that they are given.
RELATIVE_TOLERANCE = 1e-4


def numbers(found, depth=0):
    """List all numbers that a result holds, in one row."""
    if isinstance(found, np.ndarray):
        return [found.astype(float).ravel()] if found.dtype.kind in "biuf" else []
    if isinstance(found, bool | int | float | np.generic):
        return [np.atleast_1d(float(found))] if not isinstance(found, np.str_) else []
    if isinstance(found, Mapping):
        found = list(found.values())
    elif is_dataclass(found):
        found = [getattr(found, field.name) for field in fields(found)]
    elif hasattr(found, "to_numpy"):
        found = [found.to_numpy()]
    elif isinstance(found, rocviz.RankedSegments):
        found = [found.score, found.pos, found.neg]
    elif hasattr(found, "result") and hasattr(found, "close"):  # an explorer
        kept = numbers(found.result, depth + 1)
        found.close()
        return kept
    elif type(found).__module__.startswith("rocviz") and depth < 3:
        found = [
            value
            for name, value in getattr(found, "__dict__", {}).items()
            if not name.endswith("_")
        ]
    elif not isinstance(found, list | tuple):
        return []
    return [row for one in found for row in numbers(one, depth + 1)]


def single(name):
    """List the arguments of a callable that are numbers with digits, in single precision."""
    results = {}
    for argument, make in EVERY[name].right.items():
        value = make() if argument in NUMBERS else None
        if isinstance(value, np.ndarray) and value.dtype == np.float64:
            results[argument] = value.astype(np.float32)
    return results


TAKES = [name for name in EVERY if single(name)]


def test_most_public_callables_take_scores():
    assert len(TAKES) > 60


@pytest.mark.parametrize("name", TAKES)
def test_single_precision_gives_what_double_gives(name):
    one, given = EVERY[name], single(name)
    results = []
    fixed = {key: one.right[key]() for key in one.right if key == "estimator"}
    for kind in (np.float32, np.float64):
        arrays = {key: lambda v=v, kind=kind: v.astype(kind) for key, v in given.items()}
        arrays |= {key: lambda v=v: v for key, v in fixed.items()}
        results.append(numbers(one.function(**one.arguments(**arrays))))
        plt.close("all")
    wide = "estimator" in one.right or "estimators" in one.right or "compare_" in name
    assert len(results[0]) == len(results[1])
    for few, many in zip(*results, strict=True):
        tolerance = RELATIVE_TOLERANCE if wide and not name.startswith("FiDEL") else 1e-12
        np.testing.assert_allclose(few, many, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(
    "kind",
    [
        getattr(rocviz, name)
        for name in rocviz.__all__
        if hasattr(getattr(rocviz, name), "get_params")
    ],
)
def test_estimators_learn_the_same(kind):
    rng = np.random.default_rng(0)
    y = rng.random(200) < 0.4
    X = (rng.normal(size=(200, 3)) + y[:, None] * [1.0, 0.5, 0.0]).astype(np.float32)
    inside, tolerance = {}, 1e-12
    if kind is rocviz.FiDELClassifier:
        inside = {"estimators": callables.members(), "random_state": 0}
    elif "Classifier" in kind.__name__ and "Rank" not in kind.__name__:
        inside, tolerance = {"estimator": callables.LogisticRegression()}, RELATIVE_TOLERANCE
    single, double = kind(**inside).fit(X, y), kind(**inside).fit(X.astype(np.float64), y)
    for method in ("predict_proba", "decision_function", "transform"):
        if hasattr(single, method):
            np.testing.assert_allclose(
                getattr(single, method)(X),
                getattr(double, method)(X.astype(np.float64)),
                rtol=tolerance,
                atol=tolerance,
            )
