"""The ensemble explorer's state: rules, results, words and code, without a browser."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
import traitlets

from rocviz import RankedSegments, fidel_combine, simulate_classifiers
from rocviz.core.ensembles import RankEnsemble, ensemble_subsets
from rocviz.core.ensembles.experiment import COMPARED_METHODS
from rocviz.core.roc import auc_test
from rocviz.widgets.ensembles.data import OwnEstimators, OwnScores
from rocviz.widgets.ensembles.state import EnsembleState

Y, S = simulate_classifiers(120, [0.6, 0.7, 0.8], correlation=0.2, random_state=5)


@pytest.fixture
def state():
    return EnsembleState()


@pytest.fixture
def own():
    return EnsembleState(OwnScores(Y, {"low": S[:, 0], "mid": S[:, 1], "high": S[:, 2]}))


def compare(state):
    """Compare crowds of every size, and show it."""
    comparison = state.compare_crowds()
    state.show_comparison(comparison)
    _, experiment = comparison
    return experiment


def test_the_numbers_are_those_of_the_core(state):
    state.update(correlation=0.2, members=(0, 3, 6), seed=4, item=17)
    aucs = np.linspace(0.55, 0.75, 7).round(4)
    options = {"correlation": 0.2, "prevalence": 0.4}
    first = simulate_classifiers(500, aucs, **options, random_state=8)
    second = simulate_classifiers(500, aucs, **options, random_state=9)
    members = [0, 3, 6]
    result = state.result
    for method in ("fidel", "woc", "correlation-aware"):
        combined = fidel_combine(
            first.y_true, first.scores[:, members], second.scores[:, members], method=method
        )
        expected = RankedSegments.from_scores(second.y_true, combined.score).auc
        assert result.auc[method] == pytest.approx(expected, abs=1e-12)
        if method == "fidel":
            assert result.item.contributions[0].tolist() == combined.contributions[17].tolist()
            assert np.allclose(result.evidence, combined.log_likelihood_ratio, atol=1e-9)
            better = (combined.score > combined.score[17]).sum()
            assert result.place == better + 1
            test = auc_test(second.y_true, combined.score, second.scores[:, result.best])
            assert result.test.p_value == pytest.approx(test.p_value, abs=1e-9)
    areas = [RankedSegments.from_scores(second.y_true, score).auc for score in second.scores.T]
    assert np.allclose(result.base_auc, areas)
    assert result.auc["mean base"] == pytest.approx(np.mean([areas[k] for k in members]))
    measured = RankEnsemble.from_scores(*first)
    assert result.best == members[int(measured.auc[members].argmax())]
    assert np.allclose(result.temperature, 1 / (measured.beta * 500))
    assert np.array_equal(result.ensemble.correlation, measured.correlation)


def test_classifiers_join_and_leave_the_crowd(state):
    state.toggle(2)
    assert "classifier 3" not in state.members
    assert result_places(state) == [0, 1, 3, 4, 5, 6]
    state.n_classifiers = 9
    assert result_places(state) == [0, 1, 3, 4, 5, 6, 7, 8]
    state.toggle(2)
    assert result_places(state) == list(range(9))
    state.members = ("classifier 9", 0, 0)
    assert state.members == ("classifier 1", "classifier 9")
    state.n_classifiers = 4
    assert state.members == ("classifier 1",)
    state.preset = "correlated"
    assert result_places(state) == list(range(7))
    state.members = ("classifier 7",)
    state.n_classifiers = 3
    assert result_places(state) == [0, 1, 2]


def result_places(state):
    return list(state.result.members)


def test_the_ends_of_the_range_of_aucs_push_each_other(state):
    state.auc_low = 0.8
    assert state.auc_high == 0.8
    state.auc_high = 0.6
    assert state.auc_low == 0.6


def test_places_lead_to_items(state):
    for place in (1, 250, 500):
        state.select_item(place)
        assert state.result.place == place
    assert state.result.evidence[state.item] == state.result.evidence.min()
    for place in (0, 501):
        with pytest.raises(ValueError, match="place must be a whole number from 1 to 500"):
            state.select_item(place)
    state.n_samples = 40
    assert 0 <= state.item < 40
    state.update(preset="few samples", n_samples=20)
    state.preset = "independent"
    assert state.item == 0


@pytest.mark.parametrize(
    ("last_classifier", "auc"), [("regular", 0.8), ("expert", 0.9), ("reversed", 0.2)]
)
@pytest.mark.parametrize("n_classifiers", [1, 2, 7])
def test_aucs_of_the_sandbox(n_classifiers, last_classifier, auc):
    state = EnsembleState(
        n_classifiers=n_classifiers, auc_low=0.6, auc_high=0.8, last_classifier=last_classifier
    )
    aucs = state.sandbox_aucs
    assert len(aucs) == n_classifiers
    assert aucs[-1] == auc
    assert n_classifiers == 1 or aucs[0] == 0.6


@pytest.mark.parametrize("n", [1, 9, 10])
def test_tiny_data_are_reported_as_too_small(n):
    rng = np.random.default_rng(n)
    y = np.repeat([0, 1], 2 * n)  # half of them measure, or all of one pair
    state = EnsembleState(OwnScores(y, np.column_stack((y + 0.1, rng.normal(size=y.size)))))
    tiny = state.sentence.startswith(f"With only {n} ")
    assert tiny == (n < 10)
    assert ("gains" in state.sentence or "no difference" in state.sentence) == (not tiny)
    notes = " ".join(sentence.text for sentence in state.sentences[1:])
    assert ("This may be chance" in notes) == tiny
    assert ("a single pair" in notes) == ("no evidence at all" in notes) == (n == 1)


@pytest.mark.parametrize("method", ["fidel", "woc", "correlation-aware"])
def test_sentences_stay_short_for_long_names_and_many_classifiers(method):
    rng = np.random.default_rng(0)
    names = [f"a name that is much too long for a sentence, {k}" for k in range(40)]
    y = rng.integers(0, 2, 300)
    state = EnsembleState(
        OwnScores(y, {name: rng.normal(size=300) - 0.3 * y for name in names}), method=method
    )
    assert len(state.sentence) <= 175
    assert (state.result.ensemble.auc < 0.5).sum() > 20
    assert state.sentences[1].text.count("a name that") <= 3
    assert " more " in state.sentences[1].text


@pytest.mark.parametrize("preset", EnsembleState.presets)
def test_the_sentences_of_every_preset_hold(preset):
    state = EnsembleState(preset=preset)
    result = state.result
    assert f"{result.auc['fidel']:.3f}" in state.sentence
    assert f"{result.auc['best']:.3f}" in state.sentence
    gains = result.test.difference > 0 and result.test.p_value < 0.05
    loses = result.test.difference < 0 and result.test.p_value < 0.05
    assert ("gains" in state.sentence) == gains
    assert ("loses" in state.sentence) == loses
    assert ("no difference" in state.sentence) == (not gains and not loses)
    more = state.sentences[1].text
    assert ("with the opposite sign" in more) == bool((result.crowd.auc < 0.5).any())


def test_presets_match_their_names():
    area = {name: EnsembleState(preset=name).result.auc for name in EnsembleState.presets}
    weakly = area["slightly alike"]
    assert area["independent"]["fidel"] > weakly["fidel"] > weakly["best"] + 0.03
    assert area["independent"]["fidel"] > area["independent"]["best"] + 0.1
    assert area["nearly the same"]["fidel"] < area["nearly the same"]["best"]
    assert area["correlated"]["correlation-aware"] > area["correlated"]["fidel"] + 0.02
    assert area["one reversed"]["fidel"] > area["one reversed"]["woc"] + 0.05
    assert abs(area["equal AUCs"]["fidel"] - area["equal AUCs"]["woc"]) < 0.01


def test_a_single_classifier_is_no_crowd(run_code):
    state = EnsembleState(preset="one reversed", members=("classifier 7",))
    assert state.sentence.startswith("One classifier, classifier 7, ranks new samples")
    assert state.result.crowd.mean_correlation == 0
    assert state.result.auc["best"] < 0.5
    assert is_printed(run_code(state.code())[1], state.result.auc["best"])
    assert compare(state).n_classifiers.tolist() == [1]


@pytest.mark.parametrize("method", ["woc", "correlation-aware"])
def test_other_methods_have_evidence_of_their_own(state, method):
    state.update(preset="one reversed", method=method, item=3)
    result = state.result
    assert result.item.method == method
    assert result.item.log_likelihood_ratio[0] == pytest.approx(result.item.contributions.sum())
    assert f"{result.auc[method]:.3f}" in state.sentence
    assert ("wrong way" in state.sentences[1].text) == (method == "woc")


# ---------------------------------------------------------------------- comparison


def test_the_comparison_is_that_of_the_core_until_data_change(state):
    state.update(n_resamples=5, n_samples=100, members=(0, 2, 5), correlation=0.0)
    experiment = compare(state)
    assert state.result.experiment is experiment
    first = simulate_classifiers(100, state.sandbox_aucs, prevalence=0.4, random_state=0)
    second = simulate_classifiers(100, state.sandbox_aucs, prevalence=0.4, random_state=1)
    expected = ensemble_subsets(
        np.concatenate((first.y_true, second.y_true)),
        np.concatenate((first.scores, second.scores))[:, [0, 2, 5]],
        n_repeats=5,
        random_state=0,
    )
    assert np.array_equal(experiment.auc, expected.auc)
    state.update(item=4, method="woc")
    assert state.result.experiment is experiment
    assert "Over 5 resamples" in state.sentences[2].text
    state.toggle(1)
    assert state.result.experiment is None
    assert len(state.sentences) == 2
    state.toggle(1)
    assert state.result.experiment is experiment


@pytest.mark.parametrize(
    ("gains", "text"),
    [
        ([0.5, 0.5], "nowhere above or below the best single classifier's"),
        ([0.4, 0.6, 0.7], "above the best single classifier's for M = 2 to 3 and below the best"),
    ],
)
def test_sentences_claim_only_clear_differences(state, gains, text):
    m = len(gains)
    auc = np.full((m, 5), 0.5)
    auc[:, COMPARED_METHODS.index("fidel")] = gains
    experiment = replace(
        compare(state),
        n_classifiers=np.arange(1, m + 1),
        auc=auc,
        standard_error=np.full((m, 5), 0.03),
    )
    state.set_trait("result", replace(state.result, experiment=experiment))
    assert text in state.sentences[-1].text


# ---------------------------------------------------------------------- one's own data


def test_own_scores_are_measured_on_one_half_and_judged_on_the_other(own):
    result = own.result
    assert result.held_out
    assert result.ensemble.names == ("low", "mid", "high")
    assert result.ensemble.n_samples == result.rows.size == 60
    assert own.preset == "own data"
    assert "ranks new samples" in own.sentence
    assert own.strategies == ()
    own.item = int(result.rows[10])
    assert own.result.item_is_positive == bool(Y[result.rows[10]])
    with pytest.raises(traitlets.TraitError, match="item must be one of the 60 evaluation rows"):
        own.item = next(i for i in range(120) if i not in result.rows)
    own.preset = "correlated"
    assert own.is_sandbox
    assert own.result.ensemble.names[0] == "classifier 1"
    own.reset()
    assert own.result.ensemble.names == ("low", "mid", "high")


def test_few_samples_are_not_split(run_code):
    state = EnsembleState(OwnScores([0, 0, 0, 1], [[1, 2], [3, 1], [2, 2], [4, 3]]))
    assert not state.result.held_out
    assert state.result.test is None
    assert state.sentence.startswith("With only 1 positive to measure on")
    assert "judged by the same" in state.about
    with pytest.raises(ValueError, match="at least two samples of each class"):
        compare(state)
    run_code(state.code())


def test_estimators_are_trained_on_own_or_common_samples(run_code):
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = np.where(X @ [1, 1, 0.5, 0] + rng.normal(size=200) > 0, "yes", "no")
    models = {"nb": GaussianNB(), "lr": LogisticRegression(), "tree": DecisionTreeClassifier()}
    models["tree"].set_params(max_depth=2, random_state=0)
    state = EnsembleState(OwnEstimators(models, X, y, pos_label="yes"), strategy="shared")
    assert state.strategies == ("disjoint", "shared")
    together = state.result
    assert together.ensemble.names == ("nb", "lr", "tree")
    assert set(together.rows) < set(range(200))
    state.strategy = "disjoint"
    apart = state.result
    assert np.array_equal(apart.rows, together.rows)
    assert not np.array_equal(apart.base_auc, together.base_auc)
    assert apart.crowd.mean_correlation < together.crowd.mean_correlation
    assert apart.item_is_positive == (y[state.item] == "yes")
    assert is_printed(run_code(state.code())[1], apart.auc["fidel"])
    state.preset = "correlated"
    assert state.strategies == ()


# ---------------------------------------------------------------------- code and tables


def is_printed(printed, value):
    """Whether a number is among those that were printed."""
    words = re.findall(r"-?[0-9.]*[0-9][0-9.]*(?:e-?[0-9]+)?", printed)
    numbers = np.array([float(word) for word in words])
    return abs(numbers - value).min() < 1e-11


@pytest.mark.parametrize(
    "inputs",
    [
        {},
        {"preset": "correlated", "method": "correlation-aware", "members": (1, 2, 6), "item": 3},
        {"preset": "few samples", "method": "woc", "seed": 3},
    ],
)
def test_the_code_gives_the_numbers_on_screen(inputs, run_code):
    state = EnsembleState(n_resamples=3, **inputs)
    printed = run_code(state.code())[1]
    assert is_printed(printed, state.result.auc[state.method])
    total = float(state.result.item.log_likelihood_ratio[0])
    assert float(printed.split()[-1]) == pytest.approx(total, rel=1e-9)
    compare(state)
    with_experiment = run_code(state.code())[1]
    assert with_experiment.startswith(printed)
    assert f"{state.result.experiment.auc[0, 0]:.6f}" in with_experiment


def test_the_code_finds_own_data_by_name_or_in_the_open_explorer(monkeypatch, run_code):
    labels = Y.copy()
    for scores in ({"a": S[:, 0], "b": S[:, 2]}, S.copy(), S.tolist()):
        state = EnsembleState(OwnScores(labels, scores))
        auc = state.result.auc["fidel"]
        assert "data_of(" in state.code()
        assert is_printed(run_code(state.code())[1], auc)
        with monkeypatch.context() as session:
            session.setattr("__main__.my_labels", labels, raising=False)
            session.setattr("__main__.my_scores", scores, raising=False)
            code = state.code()
        assert "data_of(" not in code
        assert is_printed(run_code(code, my_labels=labels, my_scores=scores)[1], auc)


def test_the_table_has_a_row_per_classifier(own):
    own.members = ("low", "high")
    frame = own.to_frame().set_index("classifier")
    assert frame.index.tolist() == ["low", "mid", "high"]
    assert frame["is in"].tolist() == [True, False, True]
    assert np.isnan(frame.loc["mid", "contribution"])
    total = own.result.item.log_likelihood_ratio[0]
    assert frame["contribution"].sum() == pytest.approx(total)
    assert np.allclose(frame["auc, validation"], own.result.ensemble.auc)


def test_a_random_classifier_has_infinite_temperature():
    scores = np.column_stack((S[:, 2], np.zeros(120)))
    state = EnsembleState(OwnScores(Y, scores))
    assert state.result.temperature[1] == np.inf
    assert state.result.coldness[1] == 0
    assert state.result.item.contributions[0, 1] == 0
    perfect = EnsembleState(OwnScores(Y, np.column_stack((Y, -Y, S[:, 1]))))
    temperature = perfect.result.temperature
    assert 0 < temperature[0] < 0.01
    assert temperature[1] == pytest.approx(-temperature[0])
    assert np.isfinite(perfect.result.law[1]).all()
