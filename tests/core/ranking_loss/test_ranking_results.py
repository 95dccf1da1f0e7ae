"""Tables of methods: their rows are in the order of their arrays."""

import numpy as np
import pytest

from rocviz.core.ranking_loss.results import RankingComparison, RankingExperiment


def test_an_experiment_has_a_row_for_each_floor_and_method():
    error = np.array([[0.1, 0.2], [0.3, 0.4]])
    made = RankingExperiment(np.array([0.25, 0.5]), ("one", "two"), error, error / 10, 100, 5)
    table = made.to_frame()
    assert table["a"].tolist() == [0.25, 0.25, 0.5, 0.5]
    assert table["method"].tolist() == ["one", "two", "one", "two"]
    assert table["error"].tolist() == [0.1, 0.2, 0.3, 0.4]
    assert table["standard_error"].to_numpy() == pytest.approx(error.ravel() / 10)
    with pytest.raises(ValueError, match="read-only"):
        made.error[0, 0] = 1.0


def test_a_comparison_has_a_row_for_each_method():
    values = [np.array([k, k + 0.5]) for k in range(5)]
    table = RankingComparison("plain", ("one", "two"), *values, 0.3, 20).to_frame()
    assert table["method"].tolist() == ["one", "two"]
    assert table["setting"].tolist() == ["plain", "plain"]
    assert table.loc[1, "mse"] == 0.5
    assert table.loc[0, "label_frequency"] == 4
