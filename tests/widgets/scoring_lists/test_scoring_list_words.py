"""Sentences and code of the scoring list explorer."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from rocviz import ProbabilisticScoringList, ScoringList
from rocviz.datasets import load_scoring_list_example
from rocviz.widgets.scoring_lists.data import OwnList
from rocviz.widgets.scoring_lists.state import ScoringListState
from rocviz.widgets.scoring_lists.words import verdict

RNG = np.random.default_rng(8)
X = RNG.normal(size=(150, 4)).round(1)
Y = np.where(X[:, 0] - X[:, 2] + RNG.normal(size=150) > 0, "ill", "healthy")
MODEL = ProbabilisticScoringList(max_stages=3, score_set=(-2, -1, 1, 2), pos_label="ill").fit(
    X[:100], Y[:100]
)


def check(state, run_code):
    """Check that the code gives what is on screen."""
    names, output = run_code(state.code())
    result = state.result
    assert names["scoring_list"].to_frame().equals(result.scoring_list.to_frame())
    assert str(result.walk.probability[-1:]) in output
    for scores in (result.evaluated.train, result.evaluated.test):
        if scores is not None:
            assert str(scores.to_frame()) in output
    stops = result.stops
    if stops is not None:
        decisions = names["decisions"]
        weight = None
        if stops.sample_kind != "ways to answer":
            weight = names.get("sample_weight")
        assert np.average(decisions.n_asked, weights=weight) == pytest.approx(stops.n_asked)
        assert np.average(decisions.cost, weights=weight) == pytest.approx(stops.cost)
    stage = result.scoring_list.stages[state.stage]
    assert names["stage"].to_frame().equals(stage.to_frame())


@pytest.mark.parametrize(
    "inputs",
    [
        {},
        {"answers": (1, 0, 1)},
        {
            "preset": "synthetic chest pain",
            "answers": (1, 0, 1),
            "risk_averse": True,
            "cost_fn": 3.0,
        },
        {"preset": "synthetic chest pain, quick questions", "by_interval": True, "stage": 2},
        {"preset": "synthetic chest pain", "guarantee": 0.8, "lower": 0.1, "upper": 0.3},
        {
            "preset": "synthetic chest pain, 120 patients",
            "calibration": "beta",
            "simultaneous": False,
        },
        {
            "preset": "heart score, synthetic data",
            "scores": (2, 1, 1, 1, 1),
            "confidence": 0.5,
        },
        {"preset": "breast cancer", "answers": (1, 1), "feature_costs": (2, 1, 1, 1, 1, 3, 1)},
    ],
)
def test_the_code_of_a_preset_gives_its_numbers(inputs, run_code):
    check(ScoringListState(**inputs), run_code)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((MODEL.scoring_list_,), {}),
        ((MODEL, X[:100], Y[:100]), {"X_test": X[100:], "y_test": Y[100:]}),
        ((MODEL, X[100:], Y[100:]), {}),
        ((MODEL, X[:20], Y[:20]), {"sample_weight": RNG.random(20)}),
        ((load_scoring_list_example(), X > 0, Y), {"pos_label": "ill"}),
    ],
)
def test_the_code_of_an_own_list_gives_its_numbers(arguments, options, run_code):
    data = OwnList(*arguments, **options)
    state = ScoringListState(data, answers=(1, 0))
    assert f"data_of({data.number}, 'list')" in state.code()
    check(state, run_code)
    if "sigmoid" in state.data.calibrations:
        state.calibration = "sigmoid"
        check(state, run_code)
    if state.data.fit is not None:
        state.set_points(0, 3)
        assert "with_scores" in state.code()
        check(state, run_code)


def test_names_cannot_end_their_comment(run_code):
    scoring_list = ScoringList.from_counts(
        [0], [1], X > 0, Y, pos_label="ill", feature_names=["a\nwrong()"]
    )
    _, output = run_code(ScoringListState(OwnList(scoring_list), answers=(1,)).code())
    assert output


def test_names_of_the_session_are_used(monkeypatch):
    main = sys.modules["__main__"]
    table = X[:100]
    labels = Y[:100]
    for name, value in (("my_model", MODEL), ("table", table), ("labels", labels)):
        monkeypatch.setattr(main, name, value, raising=False)
    code = ScoringListState(OwnList(MODEL, table, labels)).code()
    assert "scoring_list = my_model.scoring_list_" in code
    assert "X = np.asarray(table)" in code
    assert "data_of" not in code


def test_sentences_describe_the_state_of_the_case():
    state = ScoringListState(preset="worked example", upper=0.8, lower=0.0)
    state.answers = (1, 1)
    for part in ("2 of 4 questions", "total −1", "20 %", "f2 next"):
        assert part in state.sentence
    assert verdict(state) == "between the limits: ask further"
    state.update(answers=(1, 1, 0, 0), cost_fn=10.0)
    for part in ("all 4 questions", "total −1", "10 %", "10 false alarms"):
        assert part in state.sentence
    assert verdict(state) == "no limit reached: predict positive"
    state.update(lower=0.35)
    for part in ("0 of 4 features", "30 %", "35 %"):
        assert part in state.sentence
    assert verdict(state) == "sure before any question: rule out"


def test_sentences_give_intervals_costs_and_losses():
    state = ScoringListState(preset="synthetic chest pain", answers=(1,))
    way = state.result.walk
    interval = f"({100 * way.lower[-1]:.0f} to {100 * way.upper[-1]:.0f} %, 95 % interval)"
    assert interval in state.sentence
    rest = " ".join(sentence.text for sentence in state.sentences[1:])
    stage = state.result.scoring_list.stages[1]
    n = int(stage.n[stage.totals.tolist().index(1)])
    assert rest.startswith("Synthetic data. Of the samples behind its probabilities, ")
    assert f"behind its probabilities, {n} have the total that the case has now: " in rest
    train = state.result.evaluated.train
    test = state.result.evaluated.test
    assert f"After 1 of 10 questions the entropy is {train.entropy[1]:.3f} bits" in rest
    assert f"; {test.entropy[1]:.3f}, {test.brier[1]:.3f} and {test.auc[1]:.3f} on held" in rest
    assert f"on average {state.result.stops.n_asked:.1f} of 10 features are asked" in rest
    assert f" asked (cost {state.result.stops.cost:.1f} of 14)." in rest
    state.update(by_interval=True, upper=float(way.lower[-1]))
    assert "the whole interval is beyond" in state.sentence
    assert ", cost 0.5" in state.sentence


def test_a_stop_based_on_few_samples_is_reported():
    state = ScoringListState(preset="breast cancer", answers=(1, 0, 1, 1))
    way = state.result.walk
    assert way.is_confident
    assert way.lower[-1] < state.upper < way.probability[-1]
    assert state.sentence.endswith("though the 95 % interval crosses the limit, 95 %.")
    stage = state.result.scoring_list.stages[4]
    n = int(stage.n[stage.totals.tolist().index(way.totals[-1])])
    assert f"behind its probabilities, {n} have the total" in state.sentences[1].text
    state.by_interval = True
    assert not state.result.walk.is_confident


def test_a_guarantee_says_what_is_promised_and_what_keeps_it():
    state = ScoringListState(preset="synthetic chest pain", lower=0.1, upper=0.3)
    assert not any("With a probability" in sentence.text for sentence in state.sentences)
    state.guarantee = 0.8
    lower, upper = state.result.limits
    (told,) = [s.text for s in state.sentences if s.text.startswith("With a probability of 80 %")]
    assert f"up to {100 * lower:.3g} %" in told
    assert f"from {100 * upper:.3g} %" in told
    state.update(lower=0.001, guarantee=0.95)
    assert state.result.limits[0] is None
    assert any("nobody is ruled out before the end" in s.text for s in state.sentences)
    state.update(upper=0.99)
    assert state.result.limits == (None, None)
    assert any("No limit keeps either promise" in s.text for s in state.sentences)
    state.answers = (1,) * len(state.questions)
    assert not state.result.walk.is_confident
    state.update(answers=(), lower=0.1, upper=0.12, guarantee=0.8)
    state.answers = tuple(int(points > 0) for points in state.scores)
    assert state.result.walk.is_confident
    assert "with the guarantee the limit is" in state.sentence
