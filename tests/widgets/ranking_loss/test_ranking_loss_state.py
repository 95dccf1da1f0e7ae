"""The ranking loss explorer's state: samples, methods, errors, experiment, without a browser."""

from __future__ import annotations

import asyncio

import numpy as np
import pandas as pd
import pytest
import traitlets

from rocviz import CombinedRegressionRanking, RankIsotonicClassifier
from rocviz.core.base import SimulationStopped
from rocviz.core.ranking_loss import ranking_bound, simulate_capped_link
from rocviz.core.ranking_loss.methods import METHODS, check_training, predict_by_methods
from rocviz.estimators.ranking_loss import synthetic_ranking_experiment
from rocviz.widgets.base.background import Stopped
from rocviz.widgets.ranking_loss.data import N_NEW_SAMPLES, N_PREVIEW_SAMPLES, OwnSamples, new_seed
from rocviz.widgets.ranking_loss.state import RankingLossState
from rocviz.widgets.ranking_loss.words import error_text

RNG = np.random.default_rng(5)
X = RNG.normal(size=(90, 4)) * [1, 10, 0.1, 1] + 3
Y = np.where(X[:, 0] - 3 + (X[:, 1] - 3) / 10 + RNG.normal(size=90) > 0, "yes", "no")


@pytest.fixture
def state():
    return RankingLossState(n_samples=200)


def run_experiment(state):
    """Run the experiment, and show it."""
    state.run_experiment()
    state.show_experiment()
    return state.result.experiment


def test_errors_are_those_of_the_estimators(state):
    state.update(methods=METHODS, calibration="laplace-hull", alpha=1e-3, loss="squared_hinge")
    known = simulate_capped_link(200, 0.125, random_state=0)
    new = simulate_capped_link(N_NEW_SAMPLES, 0.125, random_state=new_seed(0))
    training = check_training(1e-3, "squared_hinge", 0.5, "laplace-hull")
    _, prob = predict_by_methods(METHODS, known.X, known.y_true == 1, new.X, **training)
    errors = ((prob - new.true_prob) ** 2).mean(axis=1)
    np.testing.assert_allclose(list(state.result.errors.values()), errors, rtol=1e-9)


def test_links_are_drawn_along_the_true_direction(state):
    result = state.result
    known = simulate_capped_link(200, 0.125, random_state=0)
    line = np.outer(result.position, known.direction)
    for name, model in (
        ("logistic", CombinedRegressionRanking(1.0, 1e-4)),
        ("rank + isotonic", RankIsotonicClassifier(calibration="isotonic")),
    ):
        expected = model.fit(known.X, known.y_true).predict_proba(line)[:, 1]
        np.testing.assert_allclose(result.methods[name].link, expected, atol=1e-9)
    np.testing.assert_array_equal(result.truth, np.where(result.position >= 0, 0.875, 0.125))


def test_inputs_without_effect_on_training_train_nothing(state):
    ranker = state.result.ranker
    logistic = state.result.logistic
    state.update(calibration="laplace-hull", methods=("logistic",))
    state.methods = ("rank + isotonic",)
    assert (state.result.ranker, state.result.logistic) == (ranker, logistic)
    state.loss = "squared_hinge"
    assert state.result.ranker is not ranker  # the one that trains on pairs
    assert state.result.logistic is logistic


def test_the_gap_and_its_repair(state):
    state.preset = "the gap at the top"
    top = state.result.top
    assert (top.n, top.probability) == (1, 1.0)
    assert top.truth < 0.9
    assert "rests on 1 sample and predicts 100 %" in state.sentences[-1].text
    gap = state.result.errors["rank + isotonic"]
    state.preset = "the gap, repaired"
    assert state.result.top.probability < 0.8
    assert state.result.errors["rank + isotonic"] < gap / 2


def test_where_the_truth_is_a_sigmoid_logistic_regression_is_nearest(state):
    state.preset = "a sigmoid: logistic regression is right"
    assert min(state.result.errors, key=state.result.errors.get) == "logistic"
    state.preset = "strong penalty: rank first"
    assert min(state.result.errors, key=state.result.errors.get) == "rank + isotonic"


def test_the_counterexamples_break_the_printed_bound_at_every_prevalence(state):
    for border in (-1.5, 0.0, 0.4, 1.5):
        state.border = border
        mine, *counterexamples = state.result.examples
        assert mine.loss <= state.result.bound + 1e-12
        assert counterexamples
        for example in counterexamples:
            assert example.prevalence == pytest.approx(mine.prevalence)
            printed = ranking_bound(example.auc, example.prevalence, method="printed")
            assert printed < example.loss <= example.bound + 1e-9


def test_the_experiment_is_that_of_one_call(state):
    state.n_repeats = 2
    experiment = run_experiment(state)
    one_call = synthetic_ranking_experiment(n_samples=200, n_repeats=2, random_state=0)
    np.testing.assert_allclose(experiment.error, one_call.error, rtol=1e-9)
    np.testing.assert_allclose(experiment.standard_error, one_call.standard_error, rtol=1e-9)
    assert state.result.experiment.a.tolist() == one_call.a.tolist()
    state.a = 0.03  # another floor is the same experiment, another penalty is not
    assert state.result.experiment is not None
    state.alpha = 1e-2
    assert state.result.experiment is None
    state.alpha = 1e-4
    assert state.result.experiment.a.size == 5


def test_a_stopped_experiment_keeps_the_floors_that_are_done(state):
    state.n_repeats = 2

    def stop_after_two_floors():
        state.show_experiment()
        experiment = state.result.experiment
        return experiment is not None and experiment.a.size == 2

    with pytest.raises((SimulationStopped, Stopped)):
        state.run_experiment(should_stop=stop_after_two_floors)
    stopped = state.result.experiment
    assert stopped.a.tolist() == [2.0**-5, 2.0**-3]  # nearest to 1/8 first
    experiment = run_experiment(state)
    assert experiment.a.size == 5
    np.testing.assert_array_equal(experiment.error[[2, 3]], stopped.error)


def test_the_bar_of_the_experiment_rises_to_its_end(state):
    state.n_repeats = 2
    shares = []

    def progress(steps):
        for i, step in enumerate(steps):
            shares.append(i / len(steps))
            yield step

    state.run_experiment(progress)
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert shares[-1] >= 0.9


def test_own_samples_have_no_truth():
    state = RankingLossState(OwnSamples(pd.DataFrame(X, columns=list("abcd")), Y, pos_label="yes"))
    result = state.result
    assert result.errors == {}
    assert result.truth is None
    assert "On your 90 samples" in state.sentence
    assert "not known" in state.sentences[1].text
    assert state.to_frame()["error to the truth"].isna().all()
    model = RankIsotonicClassifier(pos_label="yes").fit(X, Y)
    np.testing.assert_allclose(result.ranker.coef, model.coef_[0], rtol=1e-6)
    # the line is where the ranker's score is what the axis says
    plane = result.plane
    score = X @ result.ranker.coef
    assert plane.points[:, 0] == pytest.approx((score - score.mean()) / score.std())
    angle = np.corrcoef(score, X @ result.logistic.coef)[0, 1]
    assert plane.directions["logistic"] @ plane.directions["rank"] == pytest.approx(angle)
    with pytest.raises(ValueError, match="true probabilities of your samples are not known"):
        run_experiment(state)
    state.preset = "few positives"
    assert state.is_sandbox
    assert state.result.errors


def test_two_own_columns_are_drawn_as_they_are():
    state = RankingLossState(OwnSamples(X[:, :2], Y, pos_label="no"))
    assert state.result.plane.labels == ("x1, standardised", "x2, standardised")
    assert (state.result.ranker.coef < 0).all()


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ((X[:, :1], Y), "X must have at least two columns"),
        ((X[:, 0], Y), "Expected 2D array"),
        ((X, Y[:-1] == "yes"), "y must have one entry per sample"),
        ((np.where(X > 4, np.nan, X), Y), "NaN"),
    ],
)
def test_bad_samples_are_refused(arguments, match):
    with pytest.raises(ValueError, match=match):
        OwnSamples(*arguments)


def test_every_preset_has_sentences_and_code_with_its_numbers(state, run_code):
    for preset in state.presets:
        state.preset = preset
        lines = run_code(state.code())[1].splitlines()
        for line, (name, error) in zip(lines, state.result.errors.items(), strict=False):
            assert line.startswith(name)
            assert float(line.removeprefix(name)) == pytest.approx(error, rel=1e-9)
        mine = state.result.examples[0]
        texts = [float(word) for word in lines[-1].split()]
        assert texts == pytest.approx([mine.auc, mine.loss, state.result.bound, mine.printed_bound])
        top = state.result.top
        (line,) = [line for line in lines if line.startswith("top step")]
        assert [float(word) for word in line.split()[2:]] == pytest.approx([top.n, top.probability])
        for name, scorer in (("rank", state.result.ranker), ("logistic", state.result.logistic)):
            (line,) = [line for line in lines if line.startswith(f"{name} degrees off")]
            assert float(line.split()[-1]) == pytest.approx(state.result.angle(scorer), abs=1e-6)


def test_code_of_own_samples_and_of_the_experiment(state, run_code):
    own = RankingLossState(OwnSamples(X, Y, pos_label="no"), methods=METHODS)
    assert f"{own.result.examples[0].auc}" in run_code(own.code())[1]
    state.n_repeats = 2
    run_experiment(state)
    assert f"{state.result.experiment.error[0, 0]:.6f}" in run_code(state.code())[1]


def test_toggling_keeps_the_order_and_never_leaves_none(state):
    state.show_method("linear", True)
    assert state.methods == ("linear", "logistic", "rank + isotonic")
    for name in state.methods[:-1]:
        state.show_method(name, False)
    with pytest.raises(traitlets.TraitError, match="one or more"):
        state.show_method("rank + isotonic", False)
    assert state.methods == ("rank + isotonic",)
    state.show_method("rank + isotonic", True)  # it is
    assert state.methods == ("rank + isotonic",)
    state.preset = "certain labels"
    assert state.methods == ("logistic", "rank + isotonic")
    state.new_sample()
    assert state.seed == 1


def test_the_loss_of_isotonic_steps_to_a_true_sigmoid_is_stated():
    state = RankingLossState(preset="the gap at the top")
    errors = state.result.errors
    free = min(error for name, error in errors.items() if name.endswith("isotonic"))
    assert errors["logistic"] < free
    assert f" has {error_text(free)}, as its free steps follow chance." in state.sentence


def test_a_single_draw_names_no_winner_without_errors(state):
    assert state.sentence.startswith("On these 200 samples (a = 1/8) ")
    state.update(n_repeats=3, methods=("logistic", "logistic + isotonic", "rank + isotonic"))
    experiment = run_experiment(state)
    row = experiment.a.tolist().index(0.125)
    mean = {}
    spread = {}
    for name in state.methods:
        column = experiment.methods.index(name)
        mean[name] = experiment.error[row, column]
        spread[name] = experiment.standard_error[row, column]
    best, second, _last = sorted(mean, key=mean.get)
    assert state.sentence.startswith(f"Over 3 repetitions (a = 1/8) {best} ")
    assert f"{mean[best]:.4f} ± {spread[best]:.4f}" in state.sentence
    alike = mean[second] - mean[best] < 2 * np.hypot(spread[best], spread[second])
    assert ("without a clear difference" in state.sentence) == alike
    assert alike
    state.methods = ("logistic", best)
    assert f"{best} is closer" in state.sentence
    state.methods = (best,)
    assert "squared error from the truth" in state.sentence
    state.a = 0.03  # no floor of the experiment: these samples again, the nearest floor in a note
    assert state.sentence.startswith("On these 200 samples")
    assert "at a = 1/32" in state.sentences[2].text


def test_text_columns_are_refused_with_our_message():
    with pytest.raises(ValueError, match="X must be numbers only; give every category"):
        OwnSamples(pd.DataFrame({"sex": ["m", "f"] * 45, "age": range(90)}), Y)


def by_hand(state, **inputs):
    """Change inputs as a drag does; return the result, the sentence and the samples."""

    async def move():
        with state.by_hand():
            state.update(**inputs)
        shown = state.result, state.sentence, state.about, state.is_preview
        state.finish()
        return shown

    return asyncio.run(move())


@pytest.mark.parametrize("own", [False, True])
def test_dragging_shows_a_preview_from_few_samples(own):
    large = RNG.normal(size=(6000, 3))
    if own:
        state = RankingLossState(OwnSamples(large, large[:, 0] + RNG.normal(size=6000) > 2.2))
    else:
        state = RankingLossState(n_samples=6000)
    result, _, about, is_preview = by_hand(state, alpha=1e-2)
    assert is_preview
    assert result.samples.positive.size <= N_PREVIEW_SAMPLES + 10
    assert about.startswith(f"preview from {result.samples.positive.size:,} samples")
    share = state.result.samples.positive.mean()
    assert result.samples.positive.mean() == pytest.approx(share, abs=0.05)
    # the exact one is the estimator's
    assert not state.is_preview
    assert "preview" not in state.about
    model = RankIsotonicClassifier(alpha=1e-2).fit(
        state.result.samples.X, state.result.samples.positive
    )
    np.testing.assert_allclose(state.result.ranker.coef, model.coef_[0], rtol=1e-6)
    # what is trained already needs none
    assert not by_hand(state, methods=("logistic",))[3]
    assert by_hand(state, methods=("combined",))[3]


def test_the_sentence_of_a_preview_is_about_its_samples():
    state = RankingLossState(n_samples=5000)
    _, sentence, _, _ = by_hand(state, a=0.25)
    assert sentence.startswith("On these 500 samples (a = 1/4)")
    assert state.sentence.startswith("On these 5,000 samples (a = 1/4)")
    # few of one class: no preview could be drawn, so it is exact at once
    rare = RankingLossState(n_samples=20_000, a=0.0005, border=3.0)
    for seed in range(1, 9):
        by_hand(rare, seed=seed)
    assert not rare.is_preview
