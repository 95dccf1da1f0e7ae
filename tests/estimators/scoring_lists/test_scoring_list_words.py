"""What scoring lists say of input that cannot be used, and after an interruption."""

import numpy as np
import pytest

from rocviz import ProbabilisticScoringList, ScoringListRanker
from rocviz.core.scoring_lists.search.search import learn_scoring_list


def yes_and_no(n=60, d=4):
    rng = np.random.default_rng(0)
    X = (rng.random((n, d)) < 0.5).astype(float)
    return X, (rng.random(n) < 0.2 + 0.5 * X[:, 0]).astype(int)


@pytest.mark.parametrize("make", [ProbabilisticScoringList, ScoringListRanker])
def test_missing_values_are_refused_with_what_to_do(make):
    X, y = yes_and_no()
    gap = X.copy()
    gap[3, 1] = np.nan
    wanted = "NaN: 1 missing values.*missing='zero'.*missing='score'"
    with pytest.raises(ValueError, match=wanted):
        make().fit(gap, y)
    with pytest.raises(ValueError, match=wanted):
        make().fit(X, y).predict(gap)


@pytest.mark.parametrize("bad", [3, "age", 0.5])
def test_a_prefix_that_is_no_sequence(bad):
    X, y = yes_and_no()
    with pytest.raises(ValueError, match="prefix must be a list of"):
        ProbabilisticScoringList(prefix=bad).fit(X, y)
    with pytest.raises(ValueError, match="prefix must be a list of"):
        learn_scoring_list(X, y, prefix=bad)


def test_costs_that_cannot_be_learned_by():
    X, y = yes_and_no()
    with pytest.raises(ValueError, match="feature_costs of 2 must be a finite number; got 'dear'"):
        ProbabilisticScoringList(feature_costs={2: "dear"}).fit(X, y)
    with pytest.raises(ValueError, match="feature_costs must be greater than 0"):
        ProbabilisticScoringList(feature_costs={2: 0}).fit(X, y)
    free = ProbabilisticScoringList().fit(X, y).decide(X, feature_costs={2: 0})
    assert (free.cost == 3).all()


@pytest.mark.parametrize("returned", [np.nan, np.inf, "much", [1, 2], None])
def test_a_loss_that_returns_no_number(returned):
    X, y = yes_and_no()
    with pytest.raises(ValueError, match="loss must return a finite number; it returned"):
        ProbabilisticScoringList(loss=lambda segments: returned).fit(X, y)


def test_folds_of_an_interrupted_list_are_no_longer_than_it(monkeypatch):
    X, y = yes_and_no(200, 6)
    lengths = []
    original = ProbabilisticScoringList._learn

    def learn(*args, **options):
        found = original(*args, **options)
        lengths.append(len(found[0].features))
        return found

    calls = []

    def loss(segments):
        calls.append(1)
        if len(calls) == 60:  # in the second stage of the first list
            raise KeyboardInterrupt
        return 1 - segments.auc

    monkeypatch.setattr(ProbabilisticScoringList, "_learn", learn)
    with pytest.warns(UserWarning, match="interrupted"):
        model = ProbabilisticScoringList(loss=loss, calibration_data=3, random_state=0).fit(X, y)
    assert model.stop_reason_ == "stopped"
    assert lengths == [1, 1, 1, 1]
    assert model.stage(1).n_samples == 200


def test_a_list_shows_the_points_of_what_is_missing():
    X, y = yes_and_no(200)
    X[y == 1, 0] = np.where(np.arange((y == 1).sum()) % 2, np.nan, X[y == 1, 0])
    model = ProbabilisticScoringList(missing="score").fit(X, y)
    shown = model.inspect()
    assert model.missing_scores_.tolist() == model.scoring_list_.missing_scores.tolist()
    assert model.missing_scores_.any()
    assert shown.columns[:4].tolist() == ["threshold", "score", "missing score", "loss"]
    assert shown["missing score"].iloc[1:].tolist() == model.missing_scores_.tolist()
    assert "missing score" not in ProbabilisticScoringList().fit(X[:, 1:], y).inspect()
