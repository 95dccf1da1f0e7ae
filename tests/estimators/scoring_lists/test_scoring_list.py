import json
from itertools import product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.model_selection import StratifiedKFold

from rocviz import ProbabilisticScoringList, ScoringListRanker
from rocviz.core.scoring_lists.search.stage_loss import stage_loss
from rocviz.datasets import load_scoring_list_example, make_chest_pain

NAMES = ["fever", "cough", "age", "pulse"]


def mixed(n=120, seed=0):
    """Two yes/no columns, two of numbers."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.random((n, 2)) < 0.4, rng.normal(50, 15, n), rng.normal(80, 9, n)])
    chance = 1 / (1 + np.exp(-(1.5 * X[:, 0] - X[:, 1] + 0.06 * (X[:, 2] - 50))))
    return X.astype(float), (rng.random(n) < chance).astype(int)


@pytest.fixture(scope="module")
def cohort():
    return make_chest_pain(600, random_state=1, return_X_y=True, as_frame=True)


# ---------------------------------------------------------------------- learning


@pytest.mark.parametrize("binarize", ["in-search", "preprocess"])
def test_booleans_stay_and_numbers_get_thresholds(binarize):
    X, y = mixed()
    model = ProbabilisticScoringList(binarize=binarize).fit(X, y)
    assert sorted(model.features_) == [0, 1, 2, 3]
    for feature, threshold in zip(model.features_, model.thresholds_, strict=True):
        if feature < 2:
            assert np.isnan(threshold) or np.isinf(threshold)
        else:
            assert not np.isnan(threshold)


@pytest.mark.parametrize("binarize", ["in-search", "preprocess"])
@pytest.mark.parametrize("loss", ["entropy", "brier", "rank", "raw_rank", "cost"])
def test_stage_losses_are_those_of_the_fitted_stages(binarize, loss):
    X, y = mixed()
    model = ProbabilisticScoringList(binarize=binarize, loss=loss, cost_fn=3).fit(X, y)
    losses = [stage_loss(stage.pos, stage.neg, loss, 3) for stage in model.scoring_list_.stages]
    assert_allclose(losses, model.stage_losses_, atol=1e-12)


def test_names_stand_for_columns(cohort):
    X, y = cohort
    model = ProbabilisticScoringList(
        prefix=[("cough", -1), (4, 2)], allowed_scores={"diabetes": [1], "heart failure": [1, 2]}
    ).fit(X, y)
    assert model.features_[:2].tolist() == [X.columns.get_loc("cough"), 4]
    assert model.scores_[:2].tolist() == [-1, 2]
    by_name = dict(zip(model.scoring_list_.feature_names, model.scores_.tolist(), strict=True))
    assert by_name["diabetes"] == 1
    assert by_name["heart failure"] in (1, 2)
    assert model.scoring_list_.feature_names[1] == "worse with exercise"


@pytest.mark.parametrize("binarize", ["in-search", "preprocess"])
def test_a_forced_threshold_is_kept(binarize):
    X, y = mixed()
    model = ProbabilisticScoringList(binarize=binarize, prefix=[(2, 1, 44.5)]).fit(X, y)
    assert (model.features_[0], model.scores_[0], model.thresholds_[0]) == (2, 1, 44.5)
    answers = X[:, 2] > 44.5
    assert_array_equal(model.total_scores(X, 1), answers)


def test_costs_and_budget(cohort):
    X, y = cohort
    model = ProbabilisticScoringList(feature_costs={"age and sex": 1e6}, max_stages=3).fit(X, y)
    assert "age and sex" not in model.scoring_list_.feature_names
    poor = ProbabilisticScoringList(feature_costs=dict.fromkeys(X, 2.0), budget=7).fit(X, y)
    assert len(poor.features_) == 3
    assert poor.stop_reason_ == "budget"


def test_an_interrupted_search_keeps_its_list():
    X, y = mixed()
    calls = []

    def impatient(segments):
        calls.append(1)
        if len(calls) > 1500:
            raise KeyboardInterrupt
        return 1 - segments.auc

    with pytest.warns(UserWarning, match="interrupted: the list has the"):
        model = ProbabilisticScoringList(loss=impatient).fit(X, y)
    assert len(model.features_) < 4
    assert model.predict_proba(X).shape == (len(X), 2)


def test_a_bar_is_shown_on_request(capsys):
    X, y = mixed()
    ProbabilisticScoringList(verbose=True).fit(X, y)
    assert "%" in capsys.readouterr().err
    ProbabilisticScoringList().fit(X, y)
    assert capsys.readouterr().err == ""


# ---------------------------------------------------------------------- probabilities


@pytest.mark.parametrize("calibration", ["isotonic", "beta", "sigmoid", "m-estimate"])
def test_probabilities_are_calibrated_as_asked(calibration, cohort):
    X, y = cohort
    model = ProbabilisticScoringList(calibration=calibration, m=5).fit(X, y)
    expected = model.scoring_list_.with_calibration(calibration, m=5)
    for stage, expected_stage in zip(model.scoring_list_.stages, expected.stages, strict=True):
        assert_allclose(stage.probability, expected_stage.probability)


def test_held_out_samples_give_the_probabilities(cohort):
    X, y = cohort
    model = ProbabilisticScoringList(calibration_data=0.25, random_state=2).fit(X, y)
    assert all(stage.n_samples == 150 for stage in model.scoring_list_.stages)
    again = ProbabilisticScoringList(calibration_data=0.25, random_state=2).fit(X, y)
    assert_array_equal(model.predict_proba(X), again.predict_proba(X))
    other = ProbabilisticScoringList(calibration_data=0.25, random_state=3).fit(X, y)
    assert not np.array_equal(model.predict_proba(X), other.predict_proba(X))


def test_cross_fitted_probabilities_come_from_lists_that_did_not_see_the_sample():
    rng = np.random.default_rng(2)
    X = (rng.random((200, 12)) < 0.5).astype(float)
    y = rng.integers(0, 2, 200)
    train = ProbabilisticScoringList().fit(X, y)
    folds = ProbabilisticScoringList(calibration_data=5, random_state=0).fit(X, y)
    assert_array_equal(folds.features_, train.features_)
    assert_array_equal(folds.stage_losses_, train.stage_losses_)
    assert all(stage.n_samples == 200 for stage in folds.scoring_list_.stages)
    # labels are noise: the list believes in itself, other lists do not
    assert train.stage(-1).segments.auc > 0.57
    assert folds.stage(-1).segments.auc < 0.52
    assert folds.stage(-1).entropy > train.stage(-1).entropy + 0.02


def test_a_list_that_needs_no_learning_is_calibrated_alike_in_folds():
    # with everything forced, lists of folds are the final one, and nothing is scaled
    X, y = mixed()
    line = [(0, 2, None), (1, -1, None)]
    arguments = {"prefix": line, "max_stages": 2}
    train = ProbabilisticScoringList(**arguments).fit(X[:, :2], y)
    folds = ProbabilisticScoringList(calibration_data=StratifiedKFold(4), **arguments).fit(
        X[:, :2], y
    )
    assert_allclose(folds.predict_proba(X[:, :2]), train.predict_proba(X[:, :2]))
    assert_array_equal(folds.stage(2).pos, train.stage(2).pos)


def test_folds_respect_weights():
    X, y = mixed()
    weight = np.random.default_rng(0).uniform(0.5, 2, len(y))
    model = ProbabilisticScoringList(calibration_data=3, random_state=0, binarize="preprocess")
    model.fit(X, y, sample_weight=weight)
    assert model.stage(-1).n_samples == pytest.approx(weight.sum())
    assert model.stage(2).pos.sum() == pytest.approx(weight @ y)


@pytest.mark.parametrize("binarize", ["in-search", "preprocess"])
@pytest.mark.parametrize("share", [2, 0.5])
def test_a_value_that_is_rare_is_a_number_in_every_part(binarize, share):
    # without the one 2, the rest of the column is 0 and 1
    X = np.array([0, 0, 1, 1, 2, 0, 1, 0])[:, None]
    y = [0, 0, 1, 1, 1, 0, 1, 0]
    model = ProbabilisticScoringList(binarize=binarize, calibration_data=share, random_state=0)
    assert model.fit(X, y).thresholds_.tolist() == [0.5]
    assert model.predict(X).tolist() == y


# ---------------------------------------------------------------------- missing values


def test_missing_values_are_refused_by_default():
    X, y = mixed()
    X[3, 2] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        ProbabilisticScoringList().fit(X, y)
    model = ProbabilisticScoringList().fit(*mixed())
    with pytest.raises(ValueError, match="NaN"):
        model.predict_proba(X)


@pytest.mark.parametrize("binarize", ["in-search", "preprocess"])
def test_a_missing_value_adds_nothing(binarize):
    X, y = mixed()
    X[::7, 2] = np.nan
    X[::5, 0] = np.nan
    model = ProbabilisticScoringList(missing="zero", binarize=binarize).fit(X, y)
    gone = np.full((1, 4), np.nan)
    assert model.total_scores(gone).tolist() == [0]
    is_binary = model.features_ < 2
    assert np.isnan(model.thresholds_[is_binary]).all()


@pytest.mark.parametrize("binarize", ["in-search", "preprocess"])
def test_a_missing_value_gets_a_score_of_its_own(binarize):
    X, y = mixed(400)
    # who is ill is rarely asked
    X[(y == 1) & (np.random.default_rng(0).random(400) < 0.7), 3] = np.nan
    model = ProbabilisticScoringList(missing="score", binarize=binarize).fit(X, y)
    place = model.features_.tolist().index(3)
    assert place == 0
    assert model.scoring_list_.missing_scores[0] > 0
    assert model.total_scores([[0, 0, 0, np.nan]], 1) == model.scoring_list_.missing_scores[0]


# ---------------------------------------------------------------------- using it


def test_predictions_weigh_costs(cohort):
    X, y = cohort
    model = ProbabilisticScoringList(max_stages=4).fit(X, y)
    p = model.predict_proba(X, 2)[:, 1]
    assert_array_equal(model.predict(X, 2), p > 0.5)
    wary = ProbabilisticScoringList(max_stages=4, cost_fn=10).fit(X, y)
    assert_array_equal(wary.predict(X, 2), 1 - p < 10 * p)
    assert wary.predict(X).sum() > model.predict(X).sum()


def test_decisions_stop_when_sure_and_count_costs(cohort):
    X, y = cohort
    model = ProbabilisticScoringList().fit(X, y)
    known = np.array(X, dtype=float)
    stop = model.decide(X, lower=0.03, upper=0.6, feature_costs=dict.fromkeys(X, 2.0))
    assert_allclose(stop.cost, 2 * stop.n_asked)
    assert 0 < stop.stage.min() <= stop.stage.max() == 10
    free = model.decide(X, lower=0.03, upper=0.6, feature_costs=dict.fromkeys(X, 0.0))
    assert not free.cost.any()
    # what was not asked need not be known
    for row, stage in enumerate(stop.stage):
        known[row, model.features_[stage:]] = np.nan
    unknown = pd.DataFrame(known, columns=X.columns)
    again = model.decide(unknown, lower=0.03, upper=0.6)
    assert_array_equal(again.stage, stop.stage)
    assert_array_equal(again.probability, stop.probability)


def test_evaluation_and_score(cohort):
    X, y = cohort
    model = ProbabilisticScoringList().fit(X, y)
    table = model.evaluate(X, y).to_frame()
    assert_allclose(table["entropy"], model.stage_losses_)
    for k in (0, 4, -1):
        p = model.predict_proba(X, k)[:, 1]
        assert model.score(X, y, stage=k) == pytest.approx(-np.mean((p - y) ** 2))
    weight = np.arange(len(y))
    p = model.predict_proba(X)[:, 1]
    expected = -np.average((p - y) ** 2, weights=weight)
    assert model.score(X, y, weight) == pytest.approx(expected)
    with pytest.raises(ValueError, match="y holds 7; the classes of the list are"):
        model.score(X, np.full(len(X), 7))


def test_the_table(cohort):
    X, y = cohort
    model = ProbabilisticScoringList(max_stages=2).fit(X, y)
    table = model.inspect()
    assert list(table.index) == ["prior", *X.columns[model.features_]]
    assert table["score"].tolist()[1:] == model.scores_.tolist()
    assert_allclose(table["loss"], model.stage_losses_)
    totals = model.stage(2).totals
    assert_allclose(table.iloc[2][totals].astype(float), model.stage(2).probability)
    assert model.stage(2).segments.n_pos == y.sum()


# ---------------------------------------------------------------------- made by hand, saved


def test_a_list_by_hand_is_a_fitted_classifier():
    example = load_scoring_list_example()
    table = []
    for stage in example.stages:
        table.append(dict(zip(stage.totals.tolist(), stage.probability.tolist(), strict=True)))
    model = ProbabilisticScoringList.from_table(
        example.scores,
        table,
        features=example.features,
        feature_names=example.feature_names,
        classes=["no", "yes"],
    )
    assert model.n_features_in_ == 4
    assert model.predict_proba([[1, 1, 1, 1]])[0, 1] == 0.7
    assert model.predict([[1, 1, 1, 1], [1, 0, 0, 0]]).tolist() == ["yes", "no"]
    assert model.decide([[0, 1, 1, 0]], upper=0.9).stage.tolist() == [3]
    assert np.isnan(model.stage_losses_).all()
    with pytest.raises(ValueError, match="by hand"):
        model.interval([[1, 1, 1, 1]])
    with pytest.raises(ValueError, match="classes must be two different labels"):
        ProbabilisticScoringList.from_table([1], [{0: 0.5}, {0: 0.4, 1: 0.6}], classes=["a", "a"])
    with pytest.raises(ValueError, match="n_features"):
        ProbabilisticScoringList.from_table([1], [{0: 0.5}, {0: 0.4, 1: 0.6}], n_features=0)


def test_a_fitted_list_is_written_as_json():
    X, y = mixed()
    X = pd.DataFrame(X, columns=NAMES)
    X.loc[3, "age"] = np.nan
    words = np.where(y, "ill", "well")
    model = ProbabilisticScoringList(
        missing="score", feature_costs={"age": 3.0}, cost_fn=4, budget=6, pos_label="ill"
    ).fit(X, words)
    assert model.classes_.tolist() == ["ill", "well"]
    text = json.dumps(model.to_dict(), allow_nan=False)
    again = ProbabilisticScoringList.from_dict(json.loads(text))
    assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert_array_equal(again.predict(X), model.predict(X))
    assert_array_equal(again.decide(X, lower=0.2).cost, model.decide(X, lower=0.2).cost)
    assert_array_equal(again.interval(X), model.interval(X))
    assert_array_equal(again.stage_losses_, model.stage_losses_)
    assert list(again.feature_names_in_) == NAMES
    with pytest.raises(ValueError, match="feature names"):
        again.predict(X.rename(columns={"age": "years"}))


def test_a_broken_dictionary_is_refused():
    whole = ProbabilisticScoringList(max_stages=1).fit(*mixed()).to_dict()
    for key in whole:
        with pytest.raises(ValueError, match="to_dict"):
            ProbabilisticScoringList.from_dict({k: v for k, v in whole.items() if k != key})


# ---------------------------------------------------------------------- bad input


def test_too_few_samples_to_hold_out():
    X, y = mixed(30)
    y = np.zeros(30, dtype=int)
    y[3] = 1
    with pytest.raises(ValueError, match="two of each class; the smaller class has 1"):
        ProbabilisticScoringList(calibration_data=0.5).fit(X, y)
    y[[4, 5]] = 1
    halves = [(np.arange(3, 6), np.arange(6, 30))]
    with pytest.raises(
        ValueError, match="calibration_data leaves no sample of the class 'negative'"
    ):
        ProbabilisticScoringList(calibration_data=halves).fit(X, y)


def yes_and_no(n=60, d=4):
    rng = np.random.default_rng(0)
    X = (rng.random((n, d)) < 0.5).astype(float)
    return X, (rng.random(n) < 0.2 + 0.5 * X[:, 0]).astype(int)


def test_folds_of_an_interrupted_list_are_no_longer_than_it():
    X, y = yes_and_no(200, 6)
    n_losses = 0

    def loss(segments):
        nonlocal n_losses
        n_losses += 1
        if n_losses == 60:  # in the second stage of the first list
            raise KeyboardInterrupt
        return 1 - segments.auc

    with pytest.warns(UserWarning, match="interrupted"):
        model = ProbabilisticScoringList(loss=loss, calibration_data=3, random_state=0).fit(X, y)
    assert model.stop_reason_ == "stopped"
    # each of three folds: the prior, and six features with six scores in a single stage
    assert n_losses == 60 + 3 * (1 + 6 * 6)
    assert len(model.features_) == 1
    assert model.stage(1).n_samples == 200


def test_a_list_shows_the_points_of_missing_values():
    X, y = yes_and_no(200)
    positives = np.flatnonzero(y)
    X[positives[1::2], 0] = np.nan
    model = ProbabilisticScoringList(missing="score").fit(X, y)
    shown = model.inspect()
    assert model.missing_scores_.tolist() == model.scoring_list_.missing_scores.tolist()
    assert model.missing_scores_.any()
    assert shown.columns[:4].tolist() == ["threshold", "score", "missing score", "loss"]
    assert shown["missing score"].iloc[1:].tolist() == model.missing_scores_.tolist()
    assert "missing score" not in ProbabilisticScoringList().fit(X[:, 1:], y).inspect()


# ---------------------------------------------------------------------- columns of categories


@pytest.fixture(scope="module")
def patients():
    rng = np.random.default_rng(3)
    n = 200
    frame = pd.DataFrame(
        {
            "colour": rng.choice(["red", "green", "blue"], n),
            "sex": pd.Categorical(rng.choice(["f", "m"], n)),
            "age": rng.normal(50, 10, n),
        }
    )
    chance = 0.1 + 0.6 * (frame["colour"] == "red") + 0.2 * (frame["sex"] == "m")
    return frame, (rng.random(n) < chance).astype(int)


def test_a_category_is_a_question(patients):
    frame, y = patients
    model = ProbabilisticScoringList(max_stages=3).fit(frame, y)
    by_hand = pd.DataFrame(
        {
            **{f"colour = {c}": (frame["colour"] == c).astype(float) for c in CATEGORIES},
            "sex = m": (frame["sex"] == "m").astype(float),
            "age": frame["age"],
        }
    )
    plain = ProbabilisticScoringList(max_stages=3).fit(by_hand, y)
    assert model.scoring_list_.questions() == plain.scoring_list_.questions()
    assert model.scoring_list_.questions()[0] == "colour = red"
    assert_allclose(model.predict_proba(frame), plain.predict_proba(by_hand))
    assert_allclose(model.encode(frame), by_hand)
    assert model.n_features_in_ == 3


CATEGORIES = ("blue", "green", "red")


def test_settings_of_a_column_hold_for_all_its_questions(patients):
    frame, y = patients
    model = ProbabilisticScoringList(
        prefix=[("sex", 2), ("colour = red", 1), ("colour = blue",)],
        allowed_scores={"colour": [-1, 1]},
        feature_costs={"colour": 3.0},
        max_stages=3,
    ).fit(frame, y)
    assert list(model.scoring_list_.feature_names) == ["sex = m", "colour = red", "colour = blue"]
    assert set(np.abs(model.scores_[1:])) == {1}
    assert (model.decide(frame).cost == 7).all()
    assert (model.decide(frame, feature_costs=[3.0, 1.0, 1.0]).cost == 7).all()
    with pytest.raises(ValueError, match="name features by name, such as 'colour = blue'; got 2"):
        ProbabilisticScoringList(prefix=[(2, 1)]).fit(frame, y)
    with pytest.raises(ValueError, match="there is no feature 'colour'"):
        ProbabilisticScoringList(prefix=[("colour", 1)]).fit(frame, y)


def test_missing_and_new_categories_are_distinguished(patients):
    frame, y = patients
    gap = frame.copy()
    gap.loc[0, ["colour", "age"]] = None
    with pytest.raises(ValueError, match="contains NaN"):
        ProbabilisticScoringList().fit(gap, y)
    model = ProbabilisticScoringList(missing="zero", max_stages=2).fit(gap, y)
    assert np.isnan(model.encode(gap)[0]).tolist() == [True, True, True, False, True]
    new = model.encode(frame.assign(colour="violet", sex="other"))
    assert (new[:, :4] == 0).all()
    with (
        pytest.warns(UserWarning, match="feature names"),
        pytest.raises(ValueError, match="X must be a data frame"),
    ):
        model.predict(np.zeros((2, 3)))


def test_a_list_of_categories_is_written_down(patients):
    frame, y = patients
    model = ProbabilisticScoringList(max_stages=2).fit(frame, y)
    again = ProbabilisticScoringList.from_dict(json.loads(json.dumps(model.to_dict())))
    assert_allclose(again.predict_proba(frame), model.predict_proba(frame))
    for wrong in ([[3, "red"]], [["colour", "red"]], [0]):
        with pytest.raises(ValueError, match="categories must be pairs of a column from 0 to 2"):
            ProbabilisticScoringList.from_dict(model.to_dict() | {"categories": wrong})


def test_pairs_of_rows_with_categories(patients):
    frame, y = patients
    pairs = list(product(np.flatnonzero(y)[:9], np.flatnonzero(y == 0)[:9]))
    ranker = ScoringListRanker(max_stages=1).fit(frame, pairs=pairs)
    assert len(ranker.rank(frame)) == len(frame)


def test_a_guaranteed_limit_is_that_of_the_list():
    rng = np.random.default_rng(0)
    X = (rng.random((1200, 3)) < 0.5).astype(float)
    y = np.where(rng.random(1200) < 0.05 + 0.6 * X[:, 0] * X[:, 1], "ill", "well")
    model = ProbabilisticScoringList(pos_label="ill").fit(X[:600], y[:600])
    lower = model.guaranteed_limit(X[600:], y[600:], npv=0.85, guarantee=0.9)
    expected = model.scoring_list_.guaranteed_limit(
        X[600:], y[600:] == "ill", npv=0.85, guarantee=0.9
    )
    assert lower == expected
    assert 0 < lower < 0.5
    assert model.decide(X, lower=lower).is_confident.any()
    with pytest.raises(ValueError, match="exactly one of npv and ppv"):
        model.guaranteed_limit(X, y)


def test_guaranteed_limits_are_those_of_the_list():
    rng = np.random.default_rng(0)
    X = (rng.random((1200, 3)) < 0.5).astype(float)
    y = np.where(rng.random(1200) < 0.05 + 0.9 * X[:, 0] * X[:, 1], "ill", "well")
    model = ProbabilisticScoringList(pos_label="ill").fit(X[:600], y[:600])
    limits = model.guaranteed_limits(X[600:], y[600:], npv=0.85, ppv=0.85, max_lower=0.2)
    expected = model.scoring_list_.guaranteed_limits(
        X[600:], y[600:] == "ill", npv=0.85, ppv=0.85, max_lower=0.2
    )
    assert limits == expected
    assert 0 < limits[0] <= 0.2
    assert limits[1] > 0.85
    with pytest.raises(ValueError, match="npv must be"):
        model.guaranteed_limits(X, y, npv=2, ppv=0.9)
