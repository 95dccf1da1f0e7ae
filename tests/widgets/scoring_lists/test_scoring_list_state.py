"""The scoring list explorer's state: walks, rules, results and words, without a browser."""

from __future__ import annotations

import asyncio
import itertools

import numpy as np
import pandas as pd
import pytest
import traitlets
from hypothesis import given, settings
from hypothesis import strategies as st

from rocviz import ProbabilisticScoringList, ScoringList, ScoringListRanker
from rocviz.datasets import load_scoring_list_example
from rocviz.widgets.scoring_lists import state as list_state
from rocviz.widgets.scoring_lists.data import OwnList, Samples
from rocviz.widgets.scoring_lists.state import ScoringListState
from rocviz.words import percent

RNG = np.random.default_rng(3)
X = RNG.integers(0, 2, size=(240, 5))
Y = (RNG.random(240) < 1 / (1 + np.exp(1 - X @ [2.0, -1.0, 1.0, 0.5, 0.0]))).astype(int)
FIT = slice(0, 160)
TEST = slice(160, 240)
MODEL = ProbabilisticScoringList(score_set=(-2, -1, 1, 2)).fit(X[FIT], Y[FIT])
LIST = MODEL.scoring_list_


@pytest.fixture
def state():
    return ScoringListState(preset="worked example")


def own(**inputs):
    return ScoringListState(
        OwnList(MODEL, X[FIT], Y[FIT], X_test=X[TEST], y_test=Y[TEST]), **inputs
    )


def notes(state):
    """List all sentences but the first."""
    return " ".join(sentence.text for sentence in state.sentences[1:])


def row_of(scoring_list, answers):
    """Make a row of X that gives these answers."""
    row = np.full((1, int(scoring_list.features.max()) + 1), np.nan)
    row[0, scoring_list.features[: len(answers)]] = answers
    return row


# ---------------------------------------------------------------------- the walk


@pytest.mark.parametrize("preset", ["heart score, synthetic data", "worked example"])
def test_every_cell_is_reached_by_the_fewest_changes(preset):
    state = ScoringListState(preset=preset, lower=0.0, upper=1.0)
    state.answers = (1, 0, 1, 0)
    before = state.answers
    for k, stage in enumerate(state.result.scoring_list.stages):
        for total in stage.totals.tolist():
            fewest = k
            for way in itertools.product((0, 1), repeat=k):
                if np.dot(state.scores[:k], way) == total:
                    fewest = min(fewest, sum(a != b for a, b in zip(way, before, strict=False)))
            state.answers = before
            state.go_to(k, total)
            given = state.answers[:k]
            assert state.answers[k:] == (None,) * (len(before) - k)
            assert np.dot(state.scores[:k], given) == total
            assert sum(a != b for a, b in zip(given, before, strict=False)) == fewest


def test_a_way_around_a_stop_is_taken_where_there_is_one(state):
    # 90 % stops after the first two questions at total 1, which (1, 0) reaches and (0, 1) does not
    state.update(lower=0.0, upper=0.5)
    state.go_to(3, 0)
    assert state.result.walk.stage == 3
    assert state.result.walk.totals[-1] == 0


def test_no_answers_lead_to_other_totals(state):
    with pytest.raises(ValueError, match="total must be one that yes and no lead to"):
        state.go_to(1, 7)


def test_the_explorer_opens_on_questions_about_chest_pain():
    state = ScoringListState()
    assert all(question.endswith("?") for question in state.questions)
    # a case on its way, about which the next question is asked
    on_its_way = (1, 0, None, None, None)
    assert (state.stage, state.answers, state.scores) == (2, on_its_way, (1,) * 5)
    assert "After 2 of 5 questions, at total 1, the probability of heart" in state.sentence
    assert f"Ask “{state.questions[2]}” next." in state.sentence
    state.clear_case()
    assert (state.stage, state.answers) == (0, (None,) * 5)
    assert "the probability of heart disease is 11 %" in state.sentence
    assert f"Ask “{state.questions[0]}” first." in state.sentence
    assert state.questions[0] not in state.code()
    state.reset()
    assert (state.stage, state.answers) == (2, on_its_way)
    state.preset = "worked example"
    assert state.answers == (None,) * 4
    state.preset = state.preset_names[0]
    assert state.answers == on_its_way


def test_a_list_of_the_user_opens_unanswered(state):
    own = ScoringListState(OwnList(state.data.scoring_list))
    assert (own.stage, own.answers) == (0, (None,) * 4)


def test_the_example_of_the_paper(state):
    assert state.result.scoring_list.feature_names == ("f3", "f1", "f2", "f4")
    assert (state.stage, state.answers, state.scores) == (0, (None,) * 4, (1, -2, 1, 2))
    assert state.sentence == (
        "Before any question the probability of a positive is 30 %. Ask f3 first."
    )
    assert "written by hand" in notes(state)
    assert state.about == "worked example · written by hand"


def test_the_papers_case_stops_after_three(state):
    state.answers = (1, 0, 1)
    way = state.result.walk
    assert way.totals.tolist() == [0, 1, 1, 2]
    assert way.probability.tolist() == [0.3, 0.4, 0.6, 0.9]
    assert (way.is_confident, way.positive, way.n_asked, state.stage) == (True, True, 3, 3)
    assert state.sentence == (
        "Stop here, 3 of 4 features asked: at total 2 the probability of a positive is 90 %; "
        "the limit is 90 %, so rule the case in."
    )
    state.answers = (1, 0, 1, 1)  # what is answered after the stop changes nothing
    assert state.result.walk.totals.tolist() == [0, 1, 1, 2]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from([0, 1]), min_size=5, max_size=5),
    st.floats(0, 0.5),
    st.floats(0.5, 1),
    st.booleans(),
    st.sampled_from(["clopper-pearson", "wilson", "jeffreys"]),
    st.tuples(*[st.sampled_from([0.0, 0.5, 1.0, 7.25])] * 5),
    st.sampled_from([1.0, 8.0]),
)
def test_walks_are_the_cores_decisions(answers, lower, upper, by, method, costs, cost_fn):
    state = own(lower=lower, upper=upper, by_interval=by, interval_method=method, cost_fn=cost_fn)
    state.update(answers=tuple(answers), feature_costs=costs, confidence=0.8)
    price = np.ones(5)
    price[LIST.features] = costs
    decision = LIST.decide(
        row_of(LIST, answers),
        lower=lower,
        upper=upper,
        use="interval" if by else "point",
        confidence=0.8,
        method=method,
        feature_costs=price,
        cost_fn=cost_fn,
    )
    way = state.result.walk
    assert (way.stage, way.positive) == (decision.stage[0], decision.positive[0])
    assert way.probability[-1] == decision.probability[0]
    assert (way.lower[-1], way.upper[-1]) == (decision.lower[0], decision.upper[0])
    assert (way.is_confident, way.n_asked) == (decision.is_confident[0], decision.n_asked[0])
    assert way.cost == pytest.approx(decision.cost[0])


def test_a_list_that_takes_missing_values_goes_on_past_them():
    table = X[FIT].astype(float)
    table[::7, 1] = np.nan
    model = ProbabilisticScoringList(missing="score", score_set=(-1, 1)).fit(table, Y[FIT])
    scoring_list = model.scoring_list_
    state = ScoringListState(OwnList(model, table, Y[FIT]), lower=0.0, upper=1.0)
    missing = scoring_list.features.tolist().index(1)
    state.answers = tuple(None if k == missing else 1 for k in range(5))
    row = row_of(scoring_list, [np.nan if k == missing else 1 for k in range(5)])
    assert state.result.walk.totals[-1] == scoring_list.total_scores(row)[0]
    state.answers = (1,)
    assert state.result.walk.stage == 1


def test_a_question_with_one_answer_only_is_not_asked():
    scoring_list = ScoringList.from_counts(
        [0, 1, 2], [1, 2, 1], X, Y, thresholds=[0.5, -np.inf, np.inf], feature_names=list("abc")
    )
    state = ScoringListState(OwnList(scoring_list, X, Y), lower=0.0, upper=1.0, answers=(1,))
    way = state.result.walk
    assert (way.stage, way.totals[-1], way.n_asked) == (3, 3, 1)
    assert way.next_question is None
    decision = scoring_list.decide(row_of(scoring_list, [1, 0, 0]), lower=0.0, upper=1.0)
    assert (decision.n_asked[0], decision.probability[0]) == (1, way.probability[-1])


def test_a_column_that_is_asked_twice_counts_once():
    scoring_list = ScoringList.from_counts([0, 0, 1], [1, 1, 1], X, Y, thresholds=[0.3, 0.6, 0.5])
    state = ScoringListState(OwnList(scoring_list, X, Y), lower=0.0, upper=1.0, answers=(1, 1, 0))
    assert (state.result.walk.n_asked, state.result.walk.cost) == (2, 2.0)
    state.feature_costs = (5, 9, 2)
    assert state.result.walk.cost == 7


def test_risk_averse_decisions_go_by_the_upper_end():
    state = own(lower=0.0, upper=1.0, confidence=0.9, cost_fn=2.0)
    differ = []
    for answers in itertools.product((0, 1), repeat=5):
        for averse in (False, True):
            state.update(answers=answers, risk_averse=averse)
            row = row_of(LIST, answers)
            if averse:
                predicted = LIST.risk_averse(row, cost_fn=2.0, confidence=0.9)
            else:
                predicted = LIST.predict(row, cost_fn=2.0)
            way = state.result.walk
            if not way.is_confident:
                assert way.positive == predicted[0]
                assert ("judged by the upper end" in state.sentence) == averse
                differ.append(way.positive)
    assert differ[::2] != differ[1::2]


# ---------------------------------------------------------------------- results


def test_the_numbers_are_those_of_the_core():
    state = own(cost_fn=4.0, risk_averse=True, confidence=0.6, lower=0.2, upper=0.7)
    options = {"cost_fn": 4.0, "use": "upper", "confidence": 0.6}
    expected = {
        "train": LIST.stage_scores(**options),
        "test": LIST.evaluate(X[TEST], Y[TEST], **options),
    }
    for side, scores in expected.items():
        for name in ("entropy", "brier", "auc", "expected_loss", "loss"):
            actual = state.result.evaluated.curve(side, name)
            assert np.allclose(actual, getattr(scores, name), atol=1e-12)
    decisions = LIST.decide(X[TEST], lower=0.2, upper=0.7)
    assert np.allclose(state.result.stops.share, decisions.stage_distribution())
    assert state.result.stops.n_asked == pytest.approx(decisions.n_asked.mean())
    for band, stage in zip(state.result.bands, LIST.stages, strict=True):
        assert np.array_equal(band.upper, stage.band(confidence=0.6).upper)


@pytest.mark.parametrize("calibration", ["isotonic", "beta", "sigmoid", "m-estimate"])
def test_changed_points_are_counted_again(calibration):
    state = own(calibration=calibration)
    state.set_points(1, 2)
    state.set_points(LIST.feature_names[3], -1)
    assert state.scores[1] == 2
    assert state.scores[3] == -1
    edited = LIST.with_scores(state.scores, X[FIT], Y[FIT], calibration=calibration)
    result = state.result
    assert result.is_edited
    assert result.scoring_list.to_frame().equals(edited.to_frame())
    assert np.allclose(result.evaluated.test.brier, edited.evaluate(X[TEST], Y[TEST]).brier)
    as_learned = LIST.with_calibration(calibration)
    assert np.allclose(result.evaluated_original.train.brier, as_learned.stage_scores().brier)
    assert "changed by hand" in notes(state)
    state.scores = ()
    assert not state.result.is_edited


@pytest.mark.parametrize("by_interval", [False, True])
def test_sure_cases_and_exhausted_lists_are_distinguished(by_interval):
    state = own(lower=0.05, upper=0.9, by_interval=by_interval, confidence=0.5)
    use = "interval" if by_interval else "point"
    decisions = LIST.decide(X[TEST], lower=0.05, upper=0.9, use=use, confidence=0.5)
    stops = state.result.stops
    assert stops.sample_kind == "held-out samples"
    for k in range(len(LIST) + 1):
        stops_here = decisions.is_confident & (decisions.stage == k)
        assert stops.negative[k] == pytest.approx(np.mean(stops_here & ~decisions.positive))
        assert stops.positive[k] == pytest.approx(np.mean(stops_here & decisions.positive))
        has_stopped = decisions.is_confident & (decisions.stage <= k)
        assert sum(stops.stopped_share_by(k)) == pytest.approx(has_stopped.mean())
    assert stops.stopped_share == pytest.approx(decisions.is_confident.mean())
    assert stops.share[-1] > stops.negative[-1] + stops.positive[-1]
    assert stops.open_share == pytest.approx(1 - decisions.is_confident.mean())
    out, into = stops.stopped_share_by(len(LIST))
    text = (
        f"of the held-out samples {percent(out)} are ruled out, {percent(into)} are ruled in, and "
        f"{percent(1 - out - into)} reach no limit; on average"
    )
    assert text in notes(state)


def test_where_all_reach_a_limit_none_are_left_open():
    stops = own(lower=0.5, upper=0.5).result.stops
    assert stops.share[0] == pytest.approx(1)
    assert stops.open_share == 0
    assert "0 % reach no limit" in notes(own(lower=0.5, upper=0.5))


def test_weighted_samples_with_missing_values_stop_where_the_core_stops_them():
    table = X.astype(float)
    table[::7, 1] = np.nan
    weight = RNG.random(len(X))
    model = ProbabilisticScoringList(missing="score", score_set=(-1, 1)).fit(
        table, Y, sample_weight=weight
    )
    data = OwnList(model, table, Y, sample_weight=weight)
    state = ScoringListState(data, lower=0.2, upper=0.7, feature_costs=(3, 1, 4, 1, 5))
    price = np.ones(5)
    price[model.scoring_list_.features] = state.feature_costs
    decisions = model.scoring_list_.decide(table, lower=0.2, upper=0.7, feature_costs=price)
    stops = state.result.stops
    assert stops.n_asked == pytest.approx(np.average(decisions.n_asked, weights=weight))
    assert stops.cost == pytest.approx(np.average(decisions.cost, weights=weight))
    share = np.bincount(decisions.stage, weights=weight, minlength=6) / weight.sum()
    assert np.allclose(stops.share, share)


def test_without_samples_every_way_to_answer_counts_alike(state):
    scoring_list = load_scoring_list_example()
    rows = np.zeros((16, 4))
    rows[:, scoring_list.features] = list(itertools.product((0, 1), repeat=4))
    decisions = scoring_list.decide(rows, lower=0.1, upper=0.9)
    stops = state.result.stops
    assert stops.sample_kind == "ways to answer"
    assert np.allclose(stops.share, decisions.stage_distribution())
    assert stops.n_asked == decisions.n_asked.mean()
    assert stops.stopped_share == decisions.is_confident.mean()
    twice = ScoringList.from_counts([0, 0, 1], [1, 1, 1], X, Y, thresholds=[0.3, 0.6, 0.5])
    assert ScoringListState(OwnList(twice)).result.stops is None
    forced = ScoringList.from_counts([0, 1], [1, 2], X, Y, thresholds=[0.5, -np.inf])
    end = ScoringListState(OwnList(forced), lower=0.0, upper=1.0).result.stops
    assert end.share.tolist() == [0, 0, 1]
    assert end.n_asked == 1


def test_samples_that_answer_alike_count_together():
    weight = RNG.random(len(X))
    samples = Samples.of(LIST, X, Y, sample_weight=weight)
    assert len(samples.X) <= 2 ** (len(LIST) + 1)
    assert samples.n_samples == pytest.approx(weight.sum())
    direct = LIST.count(X, Y, sample_weight=weight)
    kinds = LIST.count(samples.X, samples.positive, sample_weight=samples.weight)
    for counts_of_samples, counts_of_kinds in zip(direct, kinds, strict=True):
        assert np.allclose(counts_of_samples, counts_of_kinds)
    assert Samples.of(LIST, X[FIT], Y[FIT]).are_counted_in(LIST)
    assert not Samples.of(LIST, X[TEST], Y[TEST]).are_counted_in(LIST)


def test_a_preview_has_the_weight_of_all_samples(monkeypatch):
    monkeypatch.setattr(list_state, "MAX_ANSWERS_WITHOUT_PREVIEW", 1)
    monkeypatch.setattr(list_state, "N_PREVIEW_KINDS", 10)
    state = own()

    async def drag():
        with state.by_hand():
            state.set_points(0, 5)
            assert state.about.startswith("preview from 10 samples · own data · ")
            assert state.result.stops.share.sum() == pytest.approx(1)
            assert state.result.scoring_list.stages[0].n_samples == pytest.approx(FIT.stop)
            state.answers = (1,)  # nor must the case wait
            assert state.is_preview
        state.finish()

    asyncio.run(drag())


def test_the_table_has_a_row_for_each_stage(state):
    state.answers = (1, 0)
    frame = state.to_frame()
    assert frame["after"].tolist() == ["", "f3", "f1", "f2", "f4"]
    assert frame["probability"].iloc[:3].tolist() == [0.3, 0.4, 0.6]
    assert frame["probability"].iloc[3:].isna().all()
    wide = own().to_frame()
    assert np.allclose(wide["auc, train"], LIST.stage_scores().auc)
    assert wide["stop here"].sum() == pytest.approx(1)
    confident = wide["ruled out"].sum() + wide["ruled in"].sum()
    assert 0 < confident < 1


# ---------------------------------------------------------------------- rules


def test_unknown_inputs_and_questions_are_named(state):
    with pytest.raises(TypeError, match="no input 'uper'"):
        ScoringListState(uper=0.3)
    with pytest.raises(ValueError, match="question must be one of 'f3', 'f1', 'f2', 'f4'"):
        state.answer("f9", 1)
    with pytest.raises(ValueError, match="from 0 to 3"):
        state.answer(4, 1)
    state.answer("f1", 0)
    state.answer(0, 1)
    assert state.answers == (1, 0, None, None)


def test_a_limit_pushes_the_other_one(state):
    state.lower = 0.95
    assert state.upper == 0.95
    state.upper = 0.4
    assert state.lower == 0.4


def test_the_stage_follows_the_case_until_it_is_set():
    state = ScoringListState(preset="synthetic chest pain", answers=(1, 0, 1))
    assert (state.stage, state.result.walk.stage) == (3, 3)
    assert state.title("stage") == "After 3 of 10 questions"
    state.upper = 0.2  # the case stops earlier, and so does the picture
    assert (state.stage, state.result.walk.stage) == (1, 1)
    state.upper = 0.4
    assert state.stage == 3
    state.stage = 7
    state.upper = 0.2
    assert (state.stage, state.result.walk.stage) == (7, 1)
    state.answer(0, 0)
    assert state.stage == state.result.walk.stage != 7
    state.clear_case()
    assert (state.stage, state.title("stage")) == (0, "Before any question")
    opened = ScoringListState(answers=(1,), stage=4)
    assert (opened.stage, opened.result.walk.stage) == (4, 1)


@pytest.mark.parametrize("name", list(ScoringListState.presets))
def test_costs_and_limits_of_a_preset_go_together(name):
    """A case that would be ruled in is predicted positive at the end as well, and vice versa."""
    state = ScoringListState(preset=name)
    assert state.lower <= 1 / (1 + state.cost_fn) <= state.upper
    assert "contradict each other" not in notes(state)
    state.update(cost_fn=1.0, lower=0.02, upper=0.4)
    assert "beyond the limit of 40 %: a case that is ruled in early" in notes(state)
    state.update(cost_fn=99.0)
    assert "beyond the limit of 2 %: a case that is ruled out early" in notes(state)


@pytest.mark.parametrize("name", list(ScoringListState.presets))
def test_a_case_can_be_answered_in_every_preset(name):
    state = ScoringListState(preset=name)
    size = len(state.questions)
    state.answers = tuple(1 for _ in state.questions)
    assert state.result.walk.stage >= 1
    assert state.stage == state.result.walk.stage
    assert (state.result.bands is None) == (name == "worked example")
    if name != "worked example":
        assert 5 <= size <= 10
        train = state.result.evaluated.train.entropy
        assert train[-1] < train[0]
        stages = state.result.scoring_list.stages
        assert len(np.unique(np.concatenate([stage.totals for stage in stages]))) <= 11


def test_a_preset_resets_the_inputs_of_the_previous_list():
    state = ScoringListState(preset="synthetic chest pain")
    state.update(risk_averse=True, answers=(1, 1), calibration="beta")
    state.set_points(0, 3)
    state.preset = "worked example"
    assert not state.risk_averse
    assert state.scores == (1, -2, 1, 2)
    assert (state.calibration, state.quantity) == ("as given", "probability")
    assert state.answers == (None,) * 4


# ---------------------------------------------------------------------- one's own


def test_own_lists_open_with_the_available_results():
    bare = ScoringListState(OwnList(load_scoring_list_example()))
    assert bare.preset == "own data"
    assert (bare.quantity, bare.result.bands) == ("probability", None)
    counted = ScoringListState(OwnList(LIST))
    assert counted.quantity == "entropy"
    assert counted.result.evaluated.test is None
    assert counted.result.stops.sample_kind == "ways to answer"
    counted.calibration = "sigmoid"
    with pytest.raises(traitlets.TraitError, match="To change the points"):
        counted.set_points(0, 1)
    assert counted.calibration == "sigmoid"


def test_samples_that_a_list_was_not_counted_on_judge_it():
    state = ScoringListState(OwnList(MODEL, X[TEST], Y[TEST]))
    assert state.data.fit is None
    assert np.allclose(state.result.evaluated.test.brier, LIST.evaluate(X[TEST], Y[TEST]).brier)
    with pytest.raises(traitlets.TraitError, match="To change the points"):
        state.set_points(0, 1)


def test_a_list_written_by_hand_can_be_counted_on_samples():
    scoring_list = load_scoring_list_example()
    state = ScoringListState(OwnList(scoring_list, X[:, :4], Y))
    assert state.result.bands is None
    assert np.allclose(state.result.evaluated.train.brier, scoring_list.evaluate(X[:, :4], Y).brier)
    assert notes(state).startswith("Its probabilities are as they were written.")
    state.calibration = "isotonic"
    assert state.result.bands is not None
    state.by_interval = True
    with pytest.raises(traitlets.TraitError, match="risk_averse: Its probabilities are as"):
        state.update(calibration="as given", by_interval=True, risk_averse=True)
    state.calibration = "as given"
    assert not state.by_interval
    state.set_points(0, 2)  # written probabilities do not fit other points
    assert state.calibration == "isotonic"


def test_an_estimator_brings_its_labels_and_costs():
    labels = np.where(Y == 1, "ill", "healthy")
    names = ["a", "b", "c", "d", "e"]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, columns=names)
    model = ProbabilisticScoringList(feature_costs={"b": 3.0}, pos_label="ill").fit(
        frame[FIT], labels[FIT]
    )
    state = ScoringListState(
        OwnList(model, frame[FIT], labels[FIT], X_test=frame[TEST], y_test=labels[TEST])
    )
    assert model.classes_.tolist() == ["healthy", "ill"]
    brier = np.mean((Y[TEST] - Y[FIT].mean()) ** 2)
    assert state.result.evaluated.test.brier[0] == pytest.approx(brier)
    expected = tuple(3.0 if question == "b" else 1.0 for question in state.questions)
    assert state.feature_costs == expected


@pytest.mark.parametrize(
    ("arguments", "options", "match"),
    [
        ((LIST, X), {}, "X and y go together"),
        ((LIST,), {"X_test": X}, "X_test and y_test go together"),
        ((LIST,), {"sample_weight": Y}, "^sample_weight must come with X and y"),
        ((LIST, X[:, :2], Y), {}, "X must have at least"),
        ((LIST, X, Y[:-1]), {}, "X and y must have the same length"),
        ((LIST, X + 2, Y), {}, "no threshold, so X must hold 0 or 1"),
        ((3,), {}, "scoring_list must be a ScoringList, or a fitted"),
        ((ScoringListRanker().fit(X, Y),), {}, "scoring_list must be a ScoringList"),
        ((ProbabilisticScoringList(),), {}, "scoring_list must be a ScoringList"),
        (
            (MODEL,),
            {"pos_label": 0},
            "pos_label of this fitted ProbabilisticScoringList is 1; got 0",
        ),
        ((ScoringList.from_table([], [{0: 0.5}]),), {}, "scoring_list has no questions"),
    ],
)
def test_bad_data_are_refused_by_name(arguments, options, match):
    with pytest.raises(ValueError, match=match):
        OwnList(*arguments, **options)


def test_a_list_of_categories_reads_the_table_it_was_learned_from():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"colour": rng.choice(["red", "green", "blue"], 90), "age": rng.normal(50, 10, 90)}
    )
    probability = np.where(frame["colour"] == "red", 0.7, 0.2)
    y = (rng.random(90) < probability).astype(int)
    model = ProbabilisticScoringList(feature_costs={"colour": 2.0}, max_stages=3).fit(frame, y)
    own = OwnList(model, frame, y)
    np.testing.assert_array_equal(own.given["X"], model.encode(frame))
    costs = dict(zip(model.scoring_list_.feature_names, own.data.costs, strict=True))
    assert costs == {name: 2.0 if name.startswith("colour = ") else 1.0 for name in costs}


# ---------------------------------------------------------------------- a guarantee


def test_guaranteed_limits_are_the_cores_on_the_held_out_samples():
    state = ScoringListState(preset="synthetic chest pain", lower=0.1, upper=0.3)
    test = state.data.test
    assert state.result.limits == (0.1, 0.3)
    state.guarantee = 0.8
    expected = state.result.scoring_list.guaranteed_limits(
        np.repeat(test.X, test.weight.astype(int), axis=0),
        np.repeat(test.positive, test.weight.astype(int)),
        npv=0.9,
        ppv=0.3,
        guarantee=0.8,
        max_lower=0.1,
        min_upper=0.3,
    )
    assert state.result.limits == expected
    assert None not in expected
    decisions = state.result.scoring_list.decide(
        test.X, lower=expected[0], upper=expected[1]
    ).is_confident
    stopped = np.average(decisions, weights=test.weight)
    assert state.result.stops.stopped_share == pytest.approx(stopped)
    # a promise of no error at all is none that a limit keeps
    state.update(lower=0.0, upper=1.0)
    assert state.result.limits == (None, None)


def test_a_guarantee_and_whole_intervals_exclude_each_other():
    state = ScoringListState(preset="synthetic chest pain", by_interval=True)
    state.guarantee = 0.9
    assert not state.by_interval
    state.by_interval = True
    assert not state.guarantee
    with pytest.raises(traitlets.TraitError, match="cannot be combined with by_interval"):
        ScoringListState(preset="synthetic chest pain", by_interval=True, guarantee=0.9)
    state.guarantee = 0.9
    state.preset = "worked example"
    assert not state.guarantee


def test_a_guarantee_needs_held_out_samples_that_are_counted(state):
    with pytest.raises(traitlets.TraitError, match="guarantee needs held-out samples"):
        state.guarantee = 0.9
    assert not state.guarantee
    assert not state.controls()["guarantee"].is_enabled(state)
