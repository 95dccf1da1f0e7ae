"""What ``make fuzz`` found in the core, refused by name."""

import numpy as np
import pandas as pd
import pytest

from rocviz import (
    ConfusionTable,
    RankedSegments,
    ScoringList,
    auc_interval,
    binormal_scores,
    simulate_coverage,
    space_curve,
)
from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import check_flag
from rocviz.core.comparison import fold_average
from rocviz.core.ensembles import RankEnsemble, ensemble_experiment
from rocviz.core.ranking_loss.linear_scorer import fit_linear_scorer
from rocviz.core.roc.partitions import ScoreCounts, count_partitions
from rocviz.core.scoring_lists import learn_scoring_list

CURVE = space_curve(RankedSegments(score=[2, 1], pos=[1, 1], neg=[0, 2]), "roc")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: RankedSegments.from_scores([0, 1], [1, 2], pos_label=pd.NA), "pos_label"),
        (lambda: simulate_coverage(50, 0.5, 0.8, n_repeats=2, progress=3), "progress must be a"),
        (lambda: check_flag("yes", "verbose"), "verbose must be True or False"),
        (lambda: count_partitions(5), "partitions must be pieces of data"),
        (
            lambda: ScoreCounts.from_scores([0, 1], [1, 2], pos_label=[0, 1]),
            "pos_label must be one label",
        ),
        (lambda: ScoringList.from_table([1], [3]), "table must have rows that are mappings"),
        (lambda: fold_average(1 + 2j), "folds must be two or more RankedSegments"),
        (
            lambda: binormal_scores(spread_ratio=1e308),
            "spread_ratio must have positive",
        ),
        (lambda: binormal_scores(separation=-1e200), r"separation must be at most 1e\+100"),
        (lambda: CURVE.nearest_cut(0, 0, units=()), "units must be two numbers; got 0"),
        (
            lambda: RankEnsemble.from_scores([0, 1], np.eye(2), names=[[1, 2], [3, 4]]),
            "names must be a sequence of words",
        ),
        (lambda: CURVE.nearest_cut(0, 1e308), r"x and y must be within 1e\+50 units"),
    ],
)
def test_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_what_other_libraries_refuse_names_the_argument():
    with pytest.raises(ValueError, match=r"^X or y: too short$"), prefix_error_with("X", "y"):
        raise ValueError("too short")
    for error in (TypeError("X is short"), UnicodeError("short"), KeyError("short")):
        with pytest.raises(type(error)) as caught, prefix_error_with("X", "y"):
            raise error
        assert caught.value is error
    with pytest.raises(ValueError, match=r"^X: too large$"), prefix_error_with("X"):
        raise OverflowError("too large")
    with pytest.raises(TypeError, match=r"^X: Xs are short$"), prefix_error_with("X"):
        raise TypeError("Xs are short")


def test_members_are_names_or_places():
    fitted = RankEnsemble.from_scores([0, 1, 0, 1, 1, 0], np.random.default_rng(0).random((6, 2)))
    with pytest.raises(ValueError, match="members must be names or places"):
        fitted.select([None])


def test_segments_give_their_samples_back():
    segments = RankedSegments(score=[2, 1], pos=[3, 1], neg=[0, 4])
    y_true, y_score, weight = segments.to_samples()
    again = RankedSegments.from_scores(y_true, y_score, sample_weight=weight)
    for name in ("score", "pos", "neg"):
        np.testing.assert_array_equal(getattr(again, name), getattr(segments, name))


def test_beams_of_few_and_of_many_lists():
    X, y = np.array([[0, 1], [1, 0], [1, 1], [0, 0]]), [0, 1, 1, 0]
    assert learn_scoring_list(X, y, search="beam", beam_width=10**6).features.size
    wide = np.random.default_rng(0).integers(0, 2, (12, 60))
    found = learn_scoring_list(wide, [0, 1] * 6, search="beam", beam_width=2, max_stages=16)
    assert found.features.size <= 16


@pytest.mark.parametrize(("factor", "message"), [(1e200, "squares"), (1e-14, "vary by")])
def test_the_descent_asks_for_scaled_attributes(factor, message):
    X = np.random.default_rng(0).normal(size=(20, 2)) * factor
    positive = X[:, 0] > 0
    with pytest.raises(ValueError, match=rf"X must be scaled first.*{message}"):
        fit_linear_scorer(X, positive, mix=0.5, regression_loss="logistic")


def test_small_numbers_of_numpy_are_the_numbers_they_equal():
    # sums and products of NumPy's small integers would overflow, those of its short floats round
    counts = 100, 90, 80, 70
    table = ConfusionTable(*counts)
    for kind in (np.uint8, np.int8):
        assert ConfusionTable(*map(kind, counts)) == table
    rough = ConfusionTable(*map(np.float16, counts))
    assert (rough.n_samples, rough.mcc) == (340, table.mcc)
    y, score = [0, 0, 1, 1, 0, 1], [1, 3, 2, 4, 2, 5]
    for confidence in (np.float16(0.75), np.float32(0.75)):
        assert auc_interval(y, score, confidence=confidence) == auc_interval(
            y, score, confidence=0.75
        )
    sizes = {"n_validation": 100, "n_test": 100, "n_repeats": 2}
    small = {name: np.int8(size) for name, size in sizes.items()}
    wanted = ensemble_experiment((2,), (0.0,), **sizes, random_state=0)
    found = ensemble_experiment((2,), (0.0,), **small, random_state=0)
    np.testing.assert_array_equal(found.auc, wanted.auc)
