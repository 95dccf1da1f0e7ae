"""Refusals of tables that are not numeric."""

import numpy as np
import pandas as pd
import pytest

from rocviz import (
    CombinedRegressionRanking,
    EnsembleExplorer,
    HullCalibrator,
    LexProb,
    RankingLossExplorer,
    RankIsotonicClassifier,
)


@pytest.mark.parametrize(
    "kind", [CombinedRegressionRanking, HullCalibrator, RankIsotonicClassifier]
)
@pytest.mark.parametrize(
    ("value", "message"), [("m", "the word 'm'"), (10**400, "the range of floats")]
)
def test_values_that_are_no_numbers_are_refused(kind, value, message):
    X = np.array([[0.1, value], [0.2, 0.0], [0.3, 1.0], [0.4, 0.0]], dtype=object)
    with pytest.raises(ValueError, match=f"^X must .*{message}"):
        kind().fit(X, [0, 1, 0, 1])


def test_columns_of_the_same_name_are_refused():
    X = pd.DataFrame(np.eye(4)[:, :2], columns=["a", "a"])
    y = [0, 1, 0, 1]
    for read in (
        LexProb().fit,
        RankIsotonicClassifier().fit,
        RankingLossExplorer,
        lambda X, y: EnsembleExplorer(y, X),
    ):
        with pytest.raises(ValueError, match=r"^two columns of (X|scores) have the same name, 'a'"):
            read(X, y)
