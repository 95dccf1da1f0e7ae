"""The lexicographic explorer's state: rules, results, words and code, without any widget."""

from __future__ import annotations

import asyncio
import re
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
import traitlets
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

from rocviz import LexProb, LexRank, RankedSegments, calibration_map, lex_order
from rocviz.core.lexicographic import lexicographic_tree
from rocviz.datasets import load_flach_matsubara
from rocviz.widgets.lexicographic.data import N_PREVIEW_SAMPLES, BitData, OwnTable, preset_data
from rocviz.widgets.lexicographic.state import MAX_KINDS_WITHOUT_PREVIEW, LexicographicState
from rocviz.widgets.lexicographic.words import rankers_heading, ratio_kind

FM_X, FM_Y = load_flach_matsubara(return_X_y=True)
RNG = np.random.default_rng(3)
FRAME = pd.DataFrame(
    {
        "colour": RNG.choice(["red", "green", "blue"], size=80),
        "size": RNG.normal(size=80).round(2),
        "wet": RNG.integers(0, 2, size=80),
    }
)
IS_RED = np.where(FRAME["colour"] == "red", 1.0, 0.0)
LABELS = np.where(FRAME["size"] + IS_RED + RNG.normal(size=80) > 0.4, "yes", "no")


# ---------------------------------------------------------------------- the example


def test_the_explorer_opens_on_flights():
    state = LexicographicState()
    assert [state.condition(j) for j in state.order] == ["cheap", "direct", "arrives by six"]
    assert state.condition(0, 0) == "not cheap"
    assert state.sentence.startswith("First cheap, then direct, then arrives by six: ")
    assert not state.result.segments.is_convex
    assert len(state.result.hull) < len(state.result.segments) == 8


def test_leaves_from_the_top_are_predicted_positive():
    state = LexicographicState(preset="twenty instances")
    tree = state.result.tree
    for k in range(5):
        state.leaves = k
        assert state.result.top == (tree.pos[:k].sum(), tree.neg[:k].sum())
    assert "hold 10 of 10 positives and 10 of 10 negatives." in state.sentence
    state.leaves = 2
    assert "The top 2 of 4 leaves hold 6 of 10 positives and 4 of 10 negatives." in state.sentence
    state.leaves = 0
    assert state.sentence.endswith("No leaf is predicted positive.")
    with pytest.raises(traitlets.TraitError, match="leaves must be at most 4, as many as the tree"):
        state.leaves = 5
    state.leaves = 4
    state.drop("A1")  # two leaves are left
    assert state.leaves == 2


def test_data_with_few_leaves_open_with_a_border_between_them():
    attribute = np.array([[1], [1], [0], [0]], dtype=bool)
    state = LexicographicState(OwnTable(attribute, [1, 1, 1, 0]))
    assert len(state.result.tree.pos) == 2
    assert state.leaves == 1


def test_the_example_of_the_paper():
    state = LexicographicState(preset="twenty instances")
    result = state.result
    assert (state.order, state.preferred, state.smoothing) == ((1, 0), (1, 0), 0.0)
    assert result.order.odds_ratio.tolist() == [2.25, 1.5]
    assert result.segments.auc == pytest.approx(0.62)
    assert result.decision_tree.auc == pytest.approx(0.79)
    assert result.is_bayes
    assert result.tree.pos.tolist() == [2, 4, 3, 1]
    assert result.tree.hull_segment.tolist() == [0, 0, 0, 1]
    assert result.probability.tolist() == [10 / 16, 2 / 8]


def test_all_eight_rankers_are_listed_and_none_is_convex():
    state = LexicographicState(preset="twenty instances")
    expected = {}
    for order, values in product(permutations(range(2)), product((0, 1), repeat=2)):
        by_column = np.array(values)[np.argsort(order)]
        ranker = lex_order(FM_X, FM_Y, order=order, preferred=by_column)
        expected[order, values] = ranker.segments(FM_X, FM_Y).auc
    rankers = state.result.rankers
    actual = {(ranker.order, ranker.preferred): ranker.auc for ranker in rankers}
    assert actual == pytest.approx(expected)
    assert len(actual) == 8
    assert not any(ranker.is_convex for ranker in rankers)


def test_the_summary_of_all_eight_follows_the_eighth():
    state = LexicographicState(preset="twenty instances")
    result = state.result
    others = [
        ranker for ranker in result.rankers if (ranker.order, ranker.preferred) not in result.tried
    ]
    assert len(others) == 7
    for n_tried, ranker in enumerate(others, start=1):
        text = state.sentences[1].text
        assert f"{n_tried} of 8 rankers tried, none convex so far." in text
        assert "eight" not in text
        state.select_ranker(ranker)
        assert state.result.segments.auc == ranker.auc
    text = state.sentences[1].text
    assert "None of the eight lexicographic rankers is convex" in text
    assert "from 0.380 to 0.620" in text


def test_the_picture_names_its_kind_of_odds_ratios():
    state = LexicographicState(preset="twenty instances")
    assert (state.smoothing, ratio_kind(state.result)) == (0, "raw odds ratio")
    state.smoothing = 1.0
    assert ratio_kind(state.result) == "smoothed odds ratio"


def test_presets_match_their_names():
    state = LexicographicState(preset="same as naive Bayes")
    assert len(state.order) == 3
    assert state.result.is_bayes
    assert "naive Bayes ranks in the same way" in state.sentences[1].text
    state.preset = "naive Bayes is better"
    assert state.result.naive_bayes.auc > state.result.segments.auc + 0.01
    for order, values in product(permutations(range(3)), product((0, 1), repeat=3)):
        segments = state.data.segments(state.data.order(order, values, 1.0))
        assert state.result.naive_bayes.auc > segments.auc
    state.preset = "breast cancer"
    assert state.data.n_attributes == 30
    assert state.result.tree.n_levels == 5
    assert state.condition(state.order[0]).startswith("worst ")


# ---------------------------------------------------------------------- acts and rules


def test_moving_flipping_and_leaving_out():
    state = LexicographicState(preset="naive Bayes is better")
    state.move("A3", 0)
    assert state.order == (2, 0, 1)
    state.move(2, 99)
    assert state.order == (0, 1, 2)
    state.flip("A2 = 1")
    assert state.preferred == (1, 0, 1)
    assert state.result.order.odds_ratio[1] < 1
    state.drop("A1")
    assert state.order == (1, 2)
    assert state.result.order.dropped.tolist() == [0]
    assert state.to_frame()["in"].tolist() == [True, True, False]
    state.move("A1", 1)
    assert state.order == (1, 0, 2)
    state.restore()
    assert state.result.is_own
    with pytest.raises(ValueError, match="attribute must be one of 'A1 = 1', 'A2 = 1'"):
        state.move("A9", 0)


def test_an_empty_order_ties_all():
    state = LexicographicState(preset="twenty instances", order=())
    assert state.result.segments.auc == 0.5
    assert state.sentence == "No attribute is in the order, so all samples tie: AUC 0.500."


def test_smoothing_changes_the_learned_order_only():
    X = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0], [0, 1], [0, 0]], [3, 2, 20, 10, 9, 21], axis=0)
    y = np.repeat([1, 1, 1, 1, 0, 0], [3, 2, 20, 10, 9, 21])
    state = LexicographicState(OwnTable(X, y), smoothing=0.0)
    assert state.order == (0, 1)
    state.smoothing = 20.0
    assert state.order == (1, 0)
    state.order = (0, 1)
    state.smoothing = 1.0
    assert state.order == (0, 1)


# ---------------------------------------------------------------------- own data


def test_own_columns_of_any_kind():
    state = LexicographicState(OwnTable(FRAME, LABELS, pos_label="yes"))
    model = LexRank(pos_label="yes").fit(FRAME, LABELS)
    assert list(state.data.labels) == model.get_attribute_names()
    assert state.order == tuple(model.order_.order.tolist())
    assert state.result.segments.auc == pytest.approx(model.segments_.auc)
    order = lex_order(
        model.binarize(FRAME), LABELS, order=state.order, preferred=state.preferred, pos_label="yes"
    )
    for name in ("likelihood_ratio", "odds_ratio", "tpr", "fpr"):
        assert getattr(state.result.order, name).tolist() == getattr(order, name).tolist()


def test_a_fitted_model_brings_its_order():
    model = LexProb(m=0.0, smoothing=3.0, pos_label="yes").fit(FRAME[:40], LABELS[:40])
    state = LexicographicState(OwnTable(FRAME[40:], LABELS[40:], model=model))
    assert state.order == tuple(model.order_.order.tolist())
    assert (state.m, state.smoothing) == (0.0, 3.0)
    place = model.decision_function(FRAME[40:])
    expected = RankedSegments.from_scores(LABELS[40:], place, pos_label="yes").auc
    assert state.result.segments.auc == pytest.approx(expected)
    state.restore()
    assert state.result.is_own


def test_columns_whose_names_are_numbers_keep_them():
    frame = pd.DataFrame(FM_X, columns=[7, 3])
    state = LexicographicState(OwnTable(frame, FM_Y))
    assert [a.name for a in state.data.attributes] == ["7", "3"]
    assert state.sentence.startswith("First 3 = 0, then 7 = 1")
    assert state.column("7") == 0
    assert state.to_frame()["attribute"].tolist() == ["3", "7"]


def test_a_constant_column_makes_no_list_of_eight():
    X = np.column_stack((FM_X[:, 1], np.ones(len(FM_Y), dtype=int)))
    state = LexicographicState(OwnTable(X, FM_Y))
    assert state.order == (0,)
    assert state.result.rankers == ()
    assert rankers_heading(state).startswith("1 of 2 rankers tried; the best has AUC 0.6")
    assert "convex so far" not in " ".join(sentence.text for sentence in state.sentences)
    state.order = (0, 1)
    assert rankers_heading(state).startswith("2 rankers tried;")


def test_with_an_attribute_left_out_none_of_the_eight_is_selected():
    state = LexicographicState(preset="twenty instances", order=(0,))
    assert "None of the 8 rankers of both attributes has been tried." in state.sentences[1].text
    assert rankers_heading(state) == "0 of 8 tried."
    assert state.groups["rankers tried"](state) == "0 of 8"


def test_naive_bayes_is_scikit_learns():
    for smoothing in (0.0, 1.0, 7.5):
        data = LexicographicState(OwnTable(FRAME, LABELS, pos_label="yes")).data
        model = BernoulliNB(alpha=max(smoothing, 1e-10))
        model.fit(data.X, data.positive, sample_weight=data.weight)
        log_p = model.predict_joint_log_proba(data.X)
        expected = RankedSegments.from_scores(
            data.positive, np.round(log_p[:, 1] - log_p[:, 0], 9), sample_weight=data.weight
        )
        actual = data.naive_bayes(smoothing)
        assert actual.pos.tolist() == expected.pos.tolist()
        assert actual.neg.tolist() == expected.neg.tolist()


def test_a_preview_ranks_few_samples_and_tries_nothing():
    many = RNG.integers(0, 2, size=(2 * MAX_KINDS_WITHOUT_PREVIEW, 30))
    labels = (many @ RNG.normal(size=30) + RNG.normal(size=len(many)) > 0).astype(int)
    state = LexicographicState(OwnTable(many, labels))

    async def drag():
        with state.by_hand():
            state.flip(state.order[0])
            previewed = state.result.segments
            assert "preview from 5,000 samples" in state.sentence
            assert len(previewed) <= N_PREVIEW_SAMPLES
            state.m = 3.0  # does not wait for the exact ranking either
            assert state.is_preview
        tree = state.result.tree
        assert len(state.result.tried) == 1
        state.finish()
        assert state.result.segments.auc == pytest.approx(previewed.auc, abs=0.03)
        assert state.result.tree is tree  # is exact at once
        assert len(state.result.tried) == 2

    asyncio.run(drag())


def test_a_preview_keeps_both_classes_and_the_weight():
    X = RNG.integers(0, 2, size=(30_000, 25)).astype(np.uint8)
    few = np.arange(30_000) < 2
    plain = preset_data("same as naive Bayes").attributes
    assert BitData.of(X, few, None, plain).preview.positive.any()
    data = BitData.of(X, X[:, 0] == 1, None, plain)
    assert data.preview.weight.sum() == pytest.approx(30_000)
    assert len(data.preview.X) <= 5000


def test_bad_data_is_refused():
    fitted = LexRank(pos_label="yes").fit(FRAME, LABELS)
    for y, options, match in (
        (LABELS[:-1], {"pos_label": "no"}, "inconsistent numbers of samples"),
        (LABELS, {}, "y holds the labels 'no' and 'yes'"),
        (LABELS, {"model": LexRank()}, "model, or estimator, must be a fitted LexRank or LexProb"),
        (LABELS, {"model": fitted, "pos_label": "no"}, "is 'yes'"),
    ):
        with pytest.raises(ValueError, match=match):
            OwnTable(FRAME, y, **options)


def test_weights_count_as_repetition():
    weight = RNG.integers(0, 4, size=80)
    times = np.repeat(np.arange(80), weight)
    table = OwnTable(FRAME, LABELS, sample_weight=weight, pos_label="yes")
    weighted = LexicographicState(table).result
    table = OwnTable(FRAME.iloc[times], LABELS[times], pos_label="yes")
    repeated = LexicographicState(table).result
    assert weighted.segments.pos.tolist() == repeated.segments.pos.tolist()
    assert weighted.order.odds_ratio.tolist() == repeated.order.odds_ratio.tolist()


@pytest.mark.parametrize("size", [9, 52, 53, 70])
def test_counting_patterns_changes_no_ranking(size):
    X = RNG.integers(0, 2, size=(300, size)).astype(np.uint8)
    X[150:] = X[:150]
    y = RNG.integers(0, 2, size=300) == 1
    data = BitData.of(X, y, None, preset_data("same as naive Bayes").attributes)
    assert len(data.X) < 300
    order = RNG.permutation(size)
    preferred = RNG.integers(0, 2, size=size)
    expected = lex_order(X, y, order=order, preferred=preferred)
    actual = data.order(order, preferred, 1.0)
    assert actual.odds_ratio.tolist() == expected.odds_ratio.tolist()
    assert data.segments(actual).pos.tolist() == expected.segments(X, y).pos.tolist()
    assert data.segments(actual).neg.tolist() == expected.segments(X, y).neg.tolist()


# ---------------------------------------------------------------------- words and code


def check_code(state, run_code):
    names, output = run_code(state.code())
    result = state.result
    assert names["segments"].auc == pytest.approx(result.segments.auc)
    np.testing.assert_allclose(names["order"].odds_ratio, result.order.odds_ratio, rtol=1e-12)
    assert names["tree"].pos.tolist() == result.tree.pos.tolist()
    probability = calibration_map(names["segments"], m=state.m).probability
    assert probability.tolist() == pytest.approx(result.probability.tolist())
    is_number = re.compile(r"[01]\.\d*").fullmatch
    printed = [float(line) for line in output.splitlines() if is_number(line)]
    assert printed[-2:] == pytest.approx([result.naive_bayes.auc, result.decision_tree.auc])
    return output


@pytest.mark.parametrize("preset", LexicographicState.presets)
def test_code_gives_the_numbers_on_screen(preset, run_code):
    state = LexicographicState(preset=preset)
    state.flip(0)
    state.move(0, 0)
    check_code(state, run_code)


@pytest.mark.parametrize("kind", ["frame", "lists", "model", "weights", "label"])
def test_code_of_own_data_gives_the_numbers(kind, run_code):
    options = {
        "model": {"model": LexProb(pos_label="yes").fit(FRAME, LABELS)},
        "weights": {"sample_weight": np.linspace(1, 3, 80), "pos_label": "yes"},
        "label": {"pos_label": "no"},
        "frame": {"pos_label": "yes"},
        "lists": {},
    }
    X = FRAME
    y = LABELS
    if kind == "lists":
        X = FM_X
        y = FM_Y
    state = LexicographicState(OwnTable(X, y, **options[kind]))
    state.flip(0)
    output = check_code(state, run_code)
    assert ("data_of" in state.code()) == (kind != "lists")
    if kind == "lists":
        assert len(output.splitlines()) > 8


def test_the_tree_is_the_cores():
    state = LexicographicState(preset="breast cancer", order=(3, 1, 7))
    data = state.data
    result = state.result
    expected = lexicographic_tree(data.X, data.positive, result.order, sample_weight=data.weight)
    assert result.tree.pos.tolist() == expected.pos.tolist()
    assert result.tree.n_levels == 3


@pytest.mark.parametrize("n_attributes", [1, 3, 5, 6])
def test_the_decision_tree_is_scikit_learn_s(n_attributes):
    rng = np.random.default_rng(n_attributes)
    X = rng.integers(0, 2, (300, n_attributes))
    y = rng.random(300) < 0.2 + 0.5 * (X.sum(axis=1) % 2)
    weight = rng.integers(0, 3, 300).astype(float)
    data = OwnTable(X, y, sample_weight=weight).data
    model = DecisionTreeClassifier(max_depth=5, random_state=0).fit(
        data.X, data.positive, sample_weight=data.weight
    )
    prob = model.predict_proba(data.X)[:, 1].round(9)
    expected = RankedSegments.from_scores(data.positive, prob, sample_weight=data.weight)
    np.testing.assert_array_equal(data.decision_tree.pos, expected.pos)
    np.testing.assert_array_equal(data.decision_tree.neg, expected.neg)
