from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import roc_auc_score

from rocviz import ScoringListRanker
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import make_chest_pain


def numbers(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, (X @ [1, -0.7, 0] + rng.normal(size=n) > 0).astype(int)


def every_pair(y):
    return np.array(list(product(np.flatnonzero(y == 1), np.flatnonzero(y == 0))))


@pytest.mark.parametrize("binary", [True, False])
def test_pairs_from_labels_have_the_loss_of_labels(binary):
    X, y = numbers()
    if binary:
        X = (X > 0).astype(float)
    labels = ScoringListRanker(loss="raw_rank").fit(X, y)
    # pairs cannot be calibrated, whatever the name of the loss
    for loss in ("rank", "raw_rank"):
        pairs = ScoringListRanker(loss=loss).fit(X, pairs=every_pair(y))
        assert_array_equal(pairs.total_scores(X), labels.total_scores(X))
    assert_allclose(pairs.stage_losses_, labels.stage_losses_)
    assert_array_equal(pairs.features_, labels.features_)
    for k, loss in enumerate(labels.stage_losses_):
        auc = roc_auc_score(y, labels.decision_function(X, k))
        assert loss == pytest.approx(1 - auc)
        assert labels.score(X, y, stage=k) == pytest.approx(auc)
        assert labels.score(X, pairs=every_pair(y), stage=k) == pytest.approx(auc)


def test_labels_are_calibrated_before_they_are_compared():
    X, y = numbers()
    ranker = ScoringListRanker().fit(X, y)
    assert ranker.stage_losses_[0] == 0.5
    for k, loss in enumerate(ranker.stage_losses_):
        stage = RankedSegments.from_scores(y, ranker.decision_function(X, k))
        assert loss == pytest.approx(1 - stage.hull().auc)


def test_ranks_start_at_one_and_ties_share_the_best():
    X = [[1, 1], [1, 1], [0, 0], [1, 0]]
    ranker = ScoringListRanker().fit(X, pairs=[(0, 2), (3, 2), (1, 3)])
    assert ranker.rank(X).tolist() == [1, 1, 4, 3]
    assert_array_equal(ranker.predict(X), ranker.total_scores(X))


def test_scores_take_weights():
    X, y = numbers()
    pairs = every_pair(y)[::5]
    weight = np.random.default_rng(3).integers(1, 4, len(pairs))
    ranker = ScoringListRanker().fit(X, pairs=pairs, sample_weight=weight)
    score = ranker.score(X, sample_weight=weight, pairs=pairs)
    assert score == pytest.approx(1 - ranker.stage_losses_[-1])
    repeated = roc_auc_score(y, ranker.predict(X), sample_weight=1 + y)
    assert ranker.score(X, y, 1 + y) == pytest.approx(repeated)


@pytest.mark.parametrize("target", ["labels", "pairs"])
def test_thresholds_before_the_search(target):
    X, y = numbers()
    samples = {"y": y} if target == "labels" else {"pairs": every_pair(y)}
    before = ScoringListRanker(binarize="preprocess").fit(X, **samples)
    assert np.isfinite(before.thresholds_).all()
    within = ScoringListRanker().fit(X, **samples)
    assert within.stage_losses_[1] <= before.stage_losses_[1] + 1e-12


def test_names_and_missing_values():
    X, y = make_chest_pain(300, return_X_y=True, as_frame=True)
    X = X.astype(float)
    X.iloc[::4, 2] = np.nan
    ranker = ScoringListRanker(missing="zero", prefix=[("cough", -1)], max_stages=4).fit(X, y)
    assert X.columns[ranker.features_[0]] == "cough"
    assert ranker.total_scores(X.iloc[:1] * np.nan).tolist() == [0]
    with pytest.raises(ValueError, match="NaN"):
        ScoringListRanker().fit(X, y)


def test_bad_parameters():
    X, y = numbers()
    with pytest.raises(ValueError, match="loss must be 'rank' or 'raw_rank' to learn from pairs"):
        ScoringListRanker(loss="entropy").fit(X, pairs=every_pair(y))
    ranker = ScoringListRanker().fit(X, y)
    with pytest.raises(ValueError, match="give either y or pairs"):
        ranker.score(X)
