"""Scoring lists that are known beforehand: another program's, those of pairs; and bad input."""

from functools import partial
from itertools import product

import numpy as np
import pytest

from rocviz.core.scoring_lists.search.search import learn_scoring_list


def items_of(learned):
    return list(
        zip(
            learned.features.tolist(),
            learned.scores.tolist(),
            learned.thresholds.tolist(),
            learned.missing_scores.tolist(),
            strict=True,
        )
    )


def assert_same(learned, items, losses):
    np.testing.assert_allclose(learned.stage_losses, losses, atol=1e-12)
    np.testing.assert_array_equal(np.array(items_of(learned)), np.array(items, dtype=float))


# ---------------------------------------------------------------------- reference lists


def synthetic():
    """Ten thousand samples of twenty binary features, as scikit-psl was timed on."""
    rng = np.random.default_rng(0)
    p = rng.uniform(0.2, 0.8, 20)
    X = rng.random((10_000, 20)) < p
    z = X @ (rng.choice([-3, -2, -1, 0, 1, 2, 3], 20) * 0.5)
    return X, rng.random(10_000) < 1 / (1 + np.exp(np.median(z) - z))


def test_the_same_list_as_scikit_psl_on_binary_data():
    learned = learn_scoring_list(*synthetic())
    assert learned.features.tolist() == [
        *(8, 6, 4, 17, 12, 10, 3, 9, 18, 0, 19, 14, 16, 2, 11, 13, 1, 7, 15, 5)
    ]
    assert learned.scores.tolist() == [
        *(3, -2, -3, 2, -3, -3, 3, 3, 3, -3, -3, 3, 3, -3, -1, 1, -1, -1, -1, -1)
    ]
    np.testing.assert_allclose(
        learned.stage_losses[[0, 1, 2, 3, 4, 10, 20]],
        [
            0.9999249497025692,
            0.9660977832156493,
            0.9342848733670218,
            0.9014707334943396,
            0.8678068772326069,
            0.70381939540649,
            0.6455999630781327,
        ],
        rtol=1e-12,
    )


# expected entropies of scikit-psl 0.7.2 by stage, breast cancer data, thresholds halved
PSL_BREAST_CANCER = [
    *(0.9526351224018599, 0.39064823727530884, 0.24970791349865762, 0.1986410779421767),
    *(0.16652400826570896, 0.14250904309328769, 0.12985931345770846, 0.11956134515661704),
    *(0.10746984492554024, 0.0988679243633108, 0.08951798594571381, 0.08234515860605045),
]


def test_the_same_list_as_scikit_psl_with_thresholds_halved():
    data = pytest.importorskip("sklearn.datasets").load_breast_cancer()
    learned = learn_scoring_list(data.data, data.target, thresholds="bisect", max_stages=11)
    assert learned.features.tolist() == [22, 27, 1, 7, 17, 24, 9, 12, 21, 14, 28]
    assert learned.scores.tolist() == [-3, -3, -2, -2, 1, -3, 2, -2, -2, 1, -1]
    np.testing.assert_allclose(learned.stage_losses, PSL_BREAST_CANCER, rtol=1e-12)
    np.testing.assert_allclose(
        learned.thresholds[:5], [105.95, 0.15075, 18.04, 0.04923, 0.0099225], rtol=1e-3
    )


def test_no_stage_loses_more_with_every_threshold():
    data = pytest.importorskip("sklearn.datasets").load_breast_cancer()
    learned = learn_scoring_list(data.data, data.target, thresholds="brute", max_stages=11)
    # what scikit-psl finds with method="brute" in its first ten minutes
    assert learned.features[:6].tolist() == [22, 27, 21, 7, 23, 1]
    assert learned.scores[:6].tolist() == [-3, -3, -2, -2, -3, -3]
    np.testing.assert_allclose(
        learned.stage_losses[3:7], [0.198326, 0.162874, 0.135160, 0.115059], atol=1e-6
    )
    np.testing.assert_allclose(learned.stage_losses[:3], PSL_BREAST_CANCER[:3], rtol=1e-12)
    assert (learned.stage_losses[3:] < PSL_BREAST_CANCER[3:]).all()


# ---------------------------------------------------------------------- pairs


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("missing", ["zero", "score"])
@pytest.mark.parametrize("how", [None, "brute", "bisect"])
def test_pairs_made_from_labels_are_the_raw_rank_loss(how, missing, seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2 if how is None else 5, (14, 3)).astype(float)
    X[rng.random(X.shape) < 0.15] = np.nan
    y, w = rng.random(14) < 0.5, None
    y[:2] = [False, True]
    pairs = np.array(list(product(np.flatnonzero(y), np.flatnonzero(~y))))
    if seed % 2:
        w = rng.integers(0, 3, 14)
        w[:2] = 1
    options = {"score_set": (-1, 2, 4), "missing": missing}
    from_pairs = learn_scoring_list(
        X,
        pairs=pairs,
        loss="rank",
        thresholds=how,
        sample_weight=None if w is None else w[pairs].prod(axis=1),
        **options,
    )
    from_labels = learn_scoring_list(
        X, y, loss="raw_rank", thresholds=how and "brute", sample_weight=w, **options
    )
    assert_same(from_pairs, items_of(from_labels), from_labels.stage_losses)


def test_pairs_need_no_labels():
    # stones, scissors, paper: nobody can be above everybody
    X = np.eye(3)
    learned = learn_scoring_list(X, pairs=[[0, 1], [1, 2], [2, 0]], loss="rank")
    assert learned.stage_losses[0] == 0.5
    assert learned.stage_losses.min() == pytest.approx(1 / 3)


def test_samples_in_no_pair_are_not_looked_at():
    X = np.array([[1.0], [5.0], [np.nan], [2.0]])
    learned = learn_scoring_list(
        X, pairs=[[1, 0], [2, 3]], loss="rank", thresholds="brute", sample_weight=[1, 0]
    )
    assert items_of(learned) == [(0, 3, 3.0, 0)]


@pytest.mark.parametrize(
    ("pairs", "options", "message"),
    [
        ([[0, 1, 2]], {}, "pairs must be row numbers"),
        (np.empty((0, 2), dtype=int), {}, "at least one pair"),
        ([[0.0, 1.0]], {}, "row numbers of X"),
        ([[0, 3]], {}, "from 0 to 2; found 0 to 3"),
        ([[1, 1]], {}, "two different samples"),
        ([[0, 1]], {"sample_weight": [1, 1]}, "sample_weight must have one entry"),
        ([[0, 1]], {"sample_weight": [0]}, "zero for every sample"),
        ([[0, 1]], {"loss": "entropy"}, "loss must be 'rank' or 'raw_rank' to learn from pairs"),
        ([[0, 1]], {"y": [0, 1, 1]}, "give y or pairs, one of them"),
        (None, {}, "give y or pairs, one of them"),
    ],
)
def test_bad_pairs(pairs, options, message):
    with pytest.raises(ValueError, match=message):
        learn_scoring_list(np.eye(3), pairs=pairs, **{"loss": "rank", **options})


# ---------------------------------------------------------------------- bad input

X2, Y2 = np.array([[1, 0], [0, 1], [1, 1], [0, 0]]), [1, 0, 1, 0]
learn = partial(learn_scoring_list, X2, Y2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"score_set": ()}, "score_set must be integers other than 0"),
        ({"score_set": (0, 1)}, "score_set must be integers other than 0"),
        ({"score_set": "12"}, "score_set must be integers"),
        ({"score_set": 3}, "score_set must be integers"),
        ({"score_set": (1.5,)}, "score_set must be an integer"),
        ({"score_set": (2000,)}, "at most 1000"),
        ({"allowed_scores": {2: (1,)}}, "allowed_scores: feature must be an integer"),
        ({"allowed_scores": {1: ()}}, r"allowed_scores\[1\] must be integers"),
        ({"allowed_scores": [1]}, "allowed_scores must map features"),
        ({"loss": "gini"}, "loss must be one of"),
        ({"cost_fn": -1, "loss": "cost"}, "cost_fn must be at least 0"),
        ({"thresholds": "best"}, "thresholds must be one of brute, bisect"),
        ({"search": "random"}, "search must be one of"),
        ({"objective": "sum"}, "objective must be one of mean, last"),
        ({"missing": "skip"}, "missing must be one of"),
        ({"lookahead": 0}, "lookahead must be an integer"),
        ({"lookahead": 2, "search": "beam"}, "lookahead=2 is for search='greedy'"),
        ({"beam_width": 0}, "beam_width must be an integer"),
        ({"max_states": 0}, "max_states must be an integer"),
        ({"max_stages": -1}, "max_stages must be an integer"),
        ({"tol": -0.1}, "tol must be at least 0"),
        ({"loss_cutoff": "low"}, "loss_cutoff must be a finite number"),
        ({"budget": 3}, "budget needs feature_costs"),
        ({"feature_costs": [1]}, "feature_costs must be positive, one per feature; got 1"),
        ({"feature_costs": [1, 0]}, "feature_costs must be positive"),
        ({"feature_costs": []}, "feature_costs must be positive"),
        ({"feature_costs": [1e-7, 1e7]}, "feature_costs must have positive values within"),
        ({"sample_weight": [1e-7, 1, 1, 1e7]}, "sample_weight must have positive values within"),
        ({"feature_costs": [1, 1], "budget": -1}, "budget must be at least 0"),
        ({"feature_costs": [1, 2], "lookahead": 2}, "feature_costs without a budget"),
        ({"feature_costs": [1, 2], "search": "beam"}, "feature_costs without a budget"),
        ({"prefix": ["a"]}, "prefix must be a list of"),
        ({"prefix": [()]}, "prefix must be a list of"),
        ({"prefix": [3]}, "prefix must be a list of"),
        ({"prefix": [(2, 1)]}, "prefix: feature must be an integer"),
        ({"prefix": [(0, 1), (0, 2)]}, "must not name a feature twice; 0"),
        ({"prefix": [(0, 0)]}, "prefix: score must be integers other than 0"),
        ({"prefix": [(0, 1, 0.5)]}, "must not have thresholds"),
        ({"prefix": [(0, 1, "x")], "thresholds": "brute"}, "prefix: threshold must be a number"),
        ({"prefix": [(0, 1, None, 0.5)]}, "prefix: missing score must be an integer"),
        ({"prefix": [(0, 1)], "max_stages": 0}, "max_stages must allow for the prefix"),
        ({"sample_weight": [1, 0, 1, 0]}, "leaves one class without weight"),
        ({"sample_weight": [1, 1]}, "sample_weight must have one entry"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        learn(**options)


def test_bad_data():
    with pytest.raises(ValueError, match=r"X must be 0 or 1.*column 1 holds 1 other values, 2"):
        learn_scoring_list([[1, 0], [0, 2]], [0, 1])
    with pytest.raises(ValueError, match="column 0 holds infinite values"):
        learn_scoring_list([[1.0], [np.inf]], [0, 1], thresholds="brute")
    with pytest.raises(ValueError, match="X must have one entry per sample"):
        learn_scoring_list([[1], [0]], [0, 1, 1])
    with pytest.raises(ValueError, match="table of numbers"):
        learn_scoring_list([["a"], ["b"]], [0, 1])
    with pytest.raises(ValueError, match="exactly two classes"):
        learn_scoring_list([[1], [0]], [0, 0])


@pytest.mark.parametrize("thresholds", [None, "brute"])
@pytest.mark.parametrize("unit", [1.0, 1 / 3])
def test_light_samples_are_not_lost_beside_heavy_ones(unit, thresholds):
    X, y, weight = np.array([[1], [0], [0]]), [1, 1, 0], np.array([1e6, 1.0, 1.0]) * unit
    learned = learn_scoring_list(X, y, sample_weight=weight, loss="brier", thresholds=thresholds)
    assert learned.stage_losses[1] == pytest.approx(0.5 / (1e6 + 2), rel=1e-9, abs=0)
