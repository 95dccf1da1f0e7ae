"""LexRank and LexProb: the example, columns of every kind, thresholds, new and long patterns."""

from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.exceptions import NotFittedError

from rocviz import HullCalibratedClassifier, HullCalibrator, LexProb, LexRank
from rocviz.core.calibration.binarize import entropy_thresholds
from rocviz.core.lexicographic.lexicographic import lexicographic_rank
from rocviz.datasets import load_flach_matsubara

CELLS = np.array([[1, 0], [0, 0], [1, 1], [0, 1]])  # in LexRank's order


@pytest.fixture(scope="module")
def example():
    return load_flach_matsubara(return_X_y=True)


@pytest.fixture(scope="module")
def mixed():
    """Binary, numeric, nominal, ordered and missing values, and labels of names."""
    rng = np.random.default_rng(0)
    n = 400
    frame = pd.DataFrame(
        {
            "smoker": rng.random(n) < 0.4,
            "age": rng.normal(50, 12, n).round(1),
            "colour": rng.choice(["red", "green", "blue"], n),
            "sex": rng.choice(["f", "m"], n),
            "grade": pd.Categorical(rng.choice(["low", "mid", "high"], n)),
            "note": np.where(rng.random(n) < 0.3, None, rng.choice(["x", "y"], n)),
            "level": rng.integers(0, 4, n),
        }
    )
    logit = 2 * (frame["colour"] == "red") + (frame["age"] > 55) - 1.5 * (frame["sex"] == "m") - 0.5
    y = np.where(rng.random(n) < 1 / (1 + np.exp(-logit)), "sick", "healthy")
    y = np.where(y == "sick", "sick", "healthy")
    return frame, y


# ---------------------------------------------------------------------- the worked example


def test_lexrank_on_the_example(example):
    model = LexRank().fit(*example)
    assert model.rank(CELLS).tolist() == [1, 2, 3, 4]
    assert model.segments_.pos.tolist() == [2, 4, 3, 1]
    assert model.segments_.neg.tolist() == [3, 1, 1, 5]
    assert model.segments_.auc == pytest.approx(0.62, abs=1e-15)
    # the first three cells have 9 of 14 positives: the best threshold, with 14 of 20 right
    assert model.predict(CELLS).tolist() == [1, 1, 1, 0]
    assert model.score(*example) == 0.7
    assert model.decision_function(CELLS).tolist() == [2.5, 1.5, 0.5, -0.5]


def test_lexprob_on_the_example(example):
    model = LexProb().fit(*example)
    assert (model.hull_.pos.tolist(), model.hull_.neg.tolist()) == ([9, 1], [5, 5])
    assert model.predict_proba(CELLS)[:, 1].tolist() == [10 / 16] * 3 + [2 / 8]
    assert LexProb(m=0).fit(*example).predict_proba(CELLS)[:, 1].tolist() == [9 / 14] * 3 + [1 / 6]
    assert model.predict(CELLS).tolist() == [1, 1, 1, 0]


def test_steps_two_to_five_for_any_ranker(example):
    X, y = example
    model = LexProb().fit(X, y)
    scores = LexRank().fit(X, y).decision_function(X)[:, None]
    np.testing.assert_array_equal(
        HullCalibrator().fit_transform(scores, y)[:, 0], model.predict_proba(X)[:, 1]
    )
    prefit = HullCalibratedClassifier(LexRank().fit(X, y), cv="prefit").fit(X, y)
    np.testing.assert_array_equal(prefit.predict_proba(X), model.predict_proba(X))
    crossed = HullCalibratedClassifier(LexRank()).fit(X, y)
    assert crossed.predict_proba(X).shape == (20, 2)


def test_inspect_and_tree(example):
    X, y = load_flach_matsubara(return_X_y=True, as_frame=True)
    model = LexRank(smoothing=0).fit(X, y)
    frame = model.inspect()
    assert frame["attribute"].tolist() == ["A2", "A1"]
    assert frame["preferred"].tolist() == ["= 0", "= 1"]
    assert frame["odds_ratio"].tolist() == [2.25, 1.5]
    assert frame["likelihood_ratio"].tolist() == [1.5, 1.25]
    assert model.get_attribute_names() == ["A1 = 1", "A2 = 1"]
    assert model.tree_text().splitlines()[1] == "|   A1 = 1: 2 positive, 3 negative"
    np.testing.assert_array_equal(model.binarize(X), example[0])


# ---------------------------------------------------------------------- columns of every kind


def test_attributes_have_names(mixed):
    model = LexRank(pos_label="sick").fit(*mixed)
    sick = mixed[1] == "sick"
    threshold = entropy_thresholds(mixed[0]["age"], sick)[0]
    assert model.get_attribute_names() == [
        "smoker = 1",
        f"age > {threshold:.6g}",
        f"level > {entropy_thresholds(mixed[0]['level'], sick)[0]:.6g}",
        "colour = blue",
        "colour = green",
        "colour = red",
        "sex = m",
        "grade = high",
        "grade = low",
        "grade = mid",
        "note = x",
        "note = y",
        "note = missing",
    ]
    table = model.inspect()
    assert list(table.columns[:2]) == ["attribute", "preferred"]
    words = (table["attribute"] + " " + table["preferred"]).tolist()
    assert words[0] == "colour = red"
    assert {"sex = f", f"age > {threshold:.6g}"} <= set(words[:5])
    assert (np.diff(table["odds_ratio"]) <= 0).all()


def test_bits_follow_their_names(mixed):
    frame, y = mixed
    model = LexRank(pos_label="sick").fit(frame, y)
    bits = dict(zip(model.get_attribute_names(), model.binarize(frame).T, strict=True))
    np.testing.assert_array_equal(bits["smoker = 1"], frame["smoker"])
    np.testing.assert_array_equal(bits["colour = red"], frame["colour"] == "red")
    np.testing.assert_array_equal(bits["sex = m"], frame["sex"] == "m")
    np.testing.assert_array_equal(bits["grade = mid"], frame["grade"] == "mid")
    np.testing.assert_array_equal(bits["note = missing"], frame["note"].isna())
    np.testing.assert_array_equal(bits["note = x"], frame["note"] == "x")
    order = model.order_
    np.testing.assert_array_equal(
        model.rank(frame), lexicographic_rank(model.binarize(frame), order.order, order.preferred)
    )


def test_frames_of_every_make_and_arrays_of_objects_agree(mixed):
    frame, y = mixed
    plain = LexProb(pos_label="sick").fit(frame, y)
    expected = plain.predict_proba(frame)
    polars = pl.from_pandas(frame, nan_to_null=True)
    text = pl.DataFrame(
        {n: pl.Series(frame[n].tolist(), dtype=pl.Categorical) for n in ("colour", "sex", "grade")}
    )
    nullable = frame.astype({"colour": "string", "level": "Int64", "smoker": "boolean"})
    objects = np.array([frame[name].tolist() for name in frame], dtype=object).T
    for table in (polars, polars.with_columns(text), nullable, objects, objects.tolist()):
        model = LexProb(pos_label="sick").fit(table, y)
        assert [n.split(" ", 1)[1] for n in model.get_attribute_names()] == [
            n.split(" ", 1)[1] for n in plain.get_attribute_names()
        ]
        np.testing.assert_array_equal(model.predict_proba(table), expected)


def test_missing_booleans_are_refused_like_missing_numbers():
    values = [True, None, False, True]
    y = [1, 0, 0, 1]
    whole = LexRank().fit(pd.DataFrame({"b": pd.array([True, False, False, True], "boolean")}), y)
    for table in (pd.DataFrame({"b": pd.array(values, "boolean")}), pl.DataFrame({"b": values})):
        for what in (LexRank().fit, lambda X, _: whole.predict(X)):
            # older versions of scikit-learn do not know the names of every kind of table
            with pytest.raises(ValueError, match=r"NaN or infinity: 1 of 4 .* '(b|x0)'"):
                what(table, y)


def test_lists_that_mix_words_and_numbers():
    rows = [["a", 1.5], ["b", 2.5], ["a", 3.5], ["b", 4.5]]
    model = LexRank().fit(rows, [0, 0, 1, 1])
    assert model.get_attribute_names() == ["x1 > 3", "x0 = b"]
    words = LexRank().fit(np.array([["a"], ["b"], ["a"]]), [1, 0, 1])
    assert words.get_attribute_names() == ["x0 = b"]


@pytest.mark.parametrize("how", [[2], [False, False, True], ["colour"], np.array([2])])
def test_categorical_features_by_hand(how):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.integers(0, 3, (60, 3)), columns=["a", "b", "colour"])
    y = (frame["colour"] == 1) ^ (rng.random(60) < 0.03)
    model = LexRank(categorical_features=how).fit(frame, y)
    assert model.get_attribute_names()[2:] == ["colour = 0", "colour = 1", "colour = 2"]
    first = model.inspect().iloc[0]
    assert (first["attribute"], first["preferred"]) == ("colour", "= 1")
    none = LexRank(categorical_features=[]).fit(frame, y)
    assert len(none.get_attribute_names()) == 3
    if not isinstance(how[0], str):
        array = LexRank(categorical_features=how).fit(frame.to_numpy(), y)
        np.testing.assert_array_equal(array.rank(frame.to_numpy()), model.rank(frame))


def test_new_categories():
    colour = ["red"] * 6 + ["green"] * 6 + ["blue"] * 6
    sex = ["f", "m"] * 9
    y = [1] * 5 + [0] + [1, 0] * 3 + [0] * 5 + [1]
    y = np.array(y) | (np.array(sex) == "f")
    model = LexRank().fit(pd.DataFrame({"colour": colour, "sex": sex}), y)
    new = pd.DataFrame({"colour": ["red", "red", "red"], "sex": ["f", "x", "m"]})
    assert model.rank(new).tolist() == [1, 2, 2]  # of two values, the one that is not preferred
    mirrored = LexRank().fit(pd.DataFrame({"colour": colour, "sex": sex}), 1 - y)
    assert mirrored.rank(new).tolist() == [2, 2, 1]
    new = pd.DataFrame({"colour": ["pink", None], "sex": ["f", "f"]})
    names = model.get_attribute_names()
    columns = [names.index(f"colour = {c}") for c in ("red", "green", "blue")]
    assert not model.binarize(new)[:, columns].any()


def test_missing_values():
    frame = pd.DataFrame({"age": [1.0, 2.0, np.nan], "colour": ["a", "b", None]})
    with pytest.raises(
        ValueError, match=r"contains NaN or infinity: 1 of 3 values of column 'age'"
    ):
        LexRank().fit(frame, [0, 1, 1])
    model = LexRank().fit(frame.fillna({"age": 2.5}), [0, 1, 1])
    with pytest.raises(ValueError, match="'age'"):
        model.predict(frame)
    with pytest.raises(ValueError, match="contains NaN"):
        LexRank().fit([[np.nan], [1.0]], [0, 1])


def test_columns_of_another_kind_or_without_variation():
    frame = pd.DataFrame({"age": [1.0, 2.0, 3.0], "same": ["a"] * 3, "one": [7, 7, 7]})
    model = LexRank().fit(frame, [0, 1, 1])
    assert model.inspect()["attribute"].tolist() == ["age"]
    with pytest.raises(ValueError, match="column 'age' must hold numbers, as in fit"):
        model.predict(frame.assign(age=["old", "young", "old"]))
    when = pd.DataFrame({"when": pd.to_datetime(["2020-01-01", "2021-01-01", "2022-01-01"])})
    with pytest.raises(ValueError, match="column 'when' holds datetime64"):
        LexRank().fit(when, [0, 1, 1])
    with pytest.raises(ValueError, match="X must have samples and features"):
        LexRank().fit(frame.iloc[:0], [])


# ---------------------------------------------------------------------- thresholds, new patterns


def test_models_without_informative_attributes_predict_the_prior():
    model = LexProb().fit([[1], [1], [1]], [0, 1, 1])
    assert len(model.order_) == 0
    assert model.predict([[1], [0]]).tolist() == [1, 1]
    assert model.predict_proba([[1], [0]])[:, 1].tolist() == [3 / 5] * 2
    assert model.tree_text() == "all: 2 positive, 1 negative"
    few = LexProb().fit([[1], [1], [1]], [0, 1, 0])
    assert few.predict([[1], [0]]).tolist() == [0, 0]
    half = LexProb().fit([[1], [1]], [0, 1])
    assert half.predict([[1]]).tolist() == [0]


@pytest.mark.parametrize("k", [6, 60])
@pytest.mark.parametrize("prevalence", [0.03, 0.3, 0.5, 0.97])
def test_the_threshold_is_the_best_of_all(k, prevalence):
    rng = np.random.default_rng(k)
    X = rng.integers(0, 2, (80, k))
    y = rng.random(80) < prevalence
    y[:2] = True, False
    model = LexRank().fit(X, y)
    rank = model.rank(X)
    candidates = [rank <= lowest for lowest in range(rank.max() + 1)]
    accuracies = [(candidate == y).mean() for candidate in candidates]
    best = max(accuracies)
    assert model.score(X, y) == pytest.approx(best)
    # of equally good thresholds, the one that predicts fewest positive
    predicted = model.predict(X)
    for candidate, accuracy in zip(candidates, accuracies, strict=True):
        assert accuracy < best - 1e-12 or candidate.sum() >= predicted.sum()
    # decision values rank as the ranks do and change sign at the threshold
    value = model.decision_function(X)
    np.testing.assert_array_equal(lexdense(value), rank)
    np.testing.assert_array_equal(value > 0, predicted)
    new = rng.integers(0, 2, (200, k))
    proba = LexProb().fit(X, y)
    np.testing.assert_array_equal(proba.predict(new), proba.predict_proba(new)[:, 1] > 0.5)
    np.testing.assert_array_equal(proba.predict(new), model.predict(new))


def lexdense(value):
    """Dense ranks of numbers, 1 for the highest."""
    return np.unique(-value, return_inverse=True)[1] + 1


@pytest.mark.parametrize("k", [4, 75])
def test_unseen_patterns_fall_in_the_hull_segment_of_their_interval(k):
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (60, k))
    X[:, : k - 4] = X[:, :1]  # few patterns, so that most are new
    y = rng.random(60) < 0.2 + 0.3 * X[:, -1] + 0.3 * X[:, -2]
    model = LexProb(smoothing=0).fit(X, y)
    new = rng.integers(0, 2, (150, k))
    if k == 4:
        new = np.array(list(product((0, 1), repeat=4)))
    order = model.order_

    def pattern(row):
        return tuple((row[order.order] == order.preferred).astype(int).tolist())

    train = [pattern(row) for row in X]
    score_of = dict(zip(train, model.decision_function(X) + model.threshold_, strict=True))
    assert len(model.segments_.score) == len(score_of)
    # the lowest pattern of each hull segment
    lowest = {}
    for known, score in score_of.items():
        segment = int(np.searchsorted(-model.hull_.score, -score))
        lowest[segment] = min(known, lowest.get(segment, known))
    probability = (model.hull_.pos + 1) / (model.hull_.n + 2)
    for row, predicted in zip(new, model.predict_proba(new)[:, 1], strict=True):
        # the first hull segment from the top whose lowest pattern is not above it
        not_above = [i for i in range(len(lowest)) if pattern(row) >= lowest[i]]
        expected = not_above[0] if not_above else len(lowest) - 1
        assert predicted == pytest.approx(probability[expected], abs=1e-15)


# ---------------------------------------------------------------------- among scikit-learn


@pytest.mark.parametrize("kind", [LexRank, LexProb])
def test_bad_arguments(kind, example):
    X, y = example
    for bad in ("all", [2], [True], [0.5], ["A1"], [[0]], None):
        with pytest.raises(ValueError, match="categorical_features must be 'from_dtype'"):
            kind(categorical_features=bad).fit(X, y)
    for method in ("inspect", "tree_text", "get_attribute_names"):
        with pytest.raises(NotFittedError):
            getattr(kind(), method)()
