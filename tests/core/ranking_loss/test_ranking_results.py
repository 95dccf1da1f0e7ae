"""Tables of methods: their rows are in the order of their arrays."""

import numpy as np
import pytest

from rocviz.core.ranking_loss.results import RankingComparison, RankingExperiment


def test_an_experiment_has_a_row_for_each_floor_and_method():
    error = np.array([[0.1, 0.2], [0.3, 0.4]])
    experiment = RankingExperiment(np.array([0.25, 0.5]), ("one", "two"), error, error / 10, 100, 5)
    table = experiment.to_frame()
    assert table["a"].tolist() == [0.25, 0.25, 0.5, 0.5]
    assert table["method"].tolist() == ["one", "two", "one", "two"]
    assert table["error"].tolist() == [0.1, 0.2, 0.3, 0.4]
    assert table["standard_error"].to_numpy() == pytest.approx(error.ravel() / 10)


def comparison():
    errors = np.array([[0.10, 0.12], [0.20, 0.21], [0.15, 0.19]])
    return RankingComparison(
        "plain", ("logistic", "other"), errors, 1 - errors, np.array([1.0, 0.5]), 0.3, 80, 20
    )


def test_a_comparison_has_a_row_for_each_method():
    table = comparison().to_frame()
    assert table["method"].tolist() == ["logistic", "other"]
    assert table["setting"].tolist() == ["plain", "plain"]
    assert table["mse"].tolist() == pytest.approx([0.15, 0.52 / 3])
    assert table["auc"].tolist() == pytest.approx([0.85, 1 - 0.52 / 3])
    assert table.loc[1, "label_frequency"] == 0.5


def test_errors_allow_for_shared_samples_and_differences_are_paired():
    methods = comparison()
    assert methods.n_repeats == 3
    factor = np.sqrt(1 / 3 + 20 / 80)
    assert methods.mse_error == pytest.approx(factor * np.std(methods.errors, axis=0, ddof=1))
    assert methods.auc_error == pytest.approx(methods.mse_error)
    difference, error = methods.difference("other")
    assert difference == pytest.approx(0.07 / 3)
    assert error == pytest.approx(factor * np.std([0.02, 0.01, 0.04], ddof=1))
    assert error < methods.mse_error.min()
    assert methods.difference("other", measure="auc") == pytest.approx((-difference, error))
    assert methods.difference("logistic", "other") == pytest.approx((-difference, error))
    with pytest.raises(ValueError, match="other must be one of logistic, other"):
        methods.difference("other", "third")
    with pytest.raises(ValueError, match="measure must be one of mse, auc"):
        methods.difference("other", measure="brier")
