"""Signatures of estimators: every parameter is typed and documented."""

import inspect
import pickle

import pytest
from sklearn.base import BaseEstimator, clone

import rocviz
from rocviz.estimators import practice

PUBLIC = [getattr(rocviz, name) for name in rocviz.__all__]
PUBLIC += [getattr(practice, name) for name in practice.__all__]
ESTIMATORS = [kind for kind in PUBLIC if inspect.isclass(kind) and issubclass(kind, BaseEstimator)]


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_every_parameter_is_typed_and_documented(kind):
    explained = inspect.getdoc(kind).split("Attributes\n---")[0].split("Parameters\n---")[1]
    for name, parameter in inspect.signature(kind).parameters.items():
        assert parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        assert parameter.annotation is not parameter.empty
        assert name in explained


@pytest.mark.parametrize("kind", ESTIMATORS)
def test_at_most_two_parameters_are_positional(kind):
    parameters = inspect.signature(kind).parameters.values()
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    assert len(positional) <= 2
    assert not positional or positional[0] in (
        "estimator",
        "estimators",
        "loss",
        "mix",
        "score_set",
    )


def test_equal_parameters_leave_estimators_distinct():
    model = rocviz.LexRank(smoothing=2.0)
    again = pickle.loads(pickle.dumps(clone(model)))
    assert again.get_params() == model.get_params()
    assert again != model
    assert repr(model) == "LexRank(smoothing=2.0)"
