"""Refusals of tables that are not numeric."""

import numpy as np
import pandas as pd
import pytest

from rocviz import (
    CombinedRegressionRanking,
    EnsembleExplorer,
    HullCalibrator,
    LexProb,
    LexRank,
    ProbabilisticScoringList,
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


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "columns", [[1, 0], [2019, 2020], pd.MultiIndex.from_tuples([("a", 1), ("b", 2)])]
)
def test_names_that_are_no_text_are_written_as_text(columns):
    # a list of columns 1 and 0 was printed with x0 for the one called 1
    rng = np.random.default_rng(0)
    X = pd.DataFrame((rng.random((200, 2)) > 0.5).astype(int), columns=columns)
    y = rng.random(200) < 0.2 + 0.5 * X.iloc[:, 0]
    texts = [str(column) for column in X.columns]
    for model in (ProbabilisticScoringList(random_state=0), LexRank()):
        model.fit(X, y).predict(X)
        assert model.feature_names_in_.tolist() == texts
        with pytest.raises(ValueError, match="same order"):
            model.predict(X.iloc[:, ::-1])
    model = ProbabilisticScoringList(random_state=0).fit(X, y)
    assert f"{texts[0]}: +" in repr(model.scoring_list_)


@pytest.mark.filterwarnings("error")
def test_columns_that_count_from_0_have_no_names():
    rng = np.random.default_rng(0)
    X = pd.DataFrame((rng.random((200, 2)) > 0.5).astype(int))
    model = ProbabilisticScoringList(random_state=0).fit(X, rng.random(200) < 0.5)
    assert not hasattr(model, "feature_names_in_")
    model.predict(X.to_numpy())
