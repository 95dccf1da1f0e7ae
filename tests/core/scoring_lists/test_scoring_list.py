"""Scoring lists: the worked example, counting against brute force, missing values, round trips."""

import json
import pickle
import re
from itertools import product

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from IPython.core.formatters import HTMLFormatter
from sklearn.metrics import brier_score_loss, roc_auc_score

from rocviz.core.scoring_lists.questions import make_questions
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.stage import ScoringStage, predicts_positive
from rocviz.datasets import load_scoring_list_example

INF = np.inf


@pytest.fixture
def example():
    return load_scoring_list_example()


def cohort(n=400, d=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = rng.random(n) < 1 / (1 + np.exp(-X[:, 0] + 0.7 * X[:, 1] - 0.4 * X[:, 2]))
    return X, y


def learned(**options):
    X, y = cohort()
    scoring_list = ScoringList.from_counts(
        [0, 1, 3, 2], [3, -2, 1, 1], X, y, thresholds=[0.1, -0.4, 0, 0.3], **options
    )
    return scoring_list, X, y


# ---------------------------------------------------------------- the worked example


def test_the_table_of_the_paper(example):
    # rows of X are f1, f2, f3, f4; the list asks f3, f1, f2, f4
    X = np.array(list(product([0, 1], repeat=4)))
    score = np.array([-2, 1, 1, 2])
    order = [2, 0, 1, 3]
    table = [
        {0: 0.3},
        {0: 0.2, 1: 0.4},
        {-2: 0.1, -1: 0.2, 0: 0.5, 1: 0.6},
        {-2: 0.1, -1: 0.2, 0: 0.6, 1: 0.7, 2: 0.9},
        {-2: 0.1, -1: 0.1, 0: 0.2, 1: 0.6, 2: 0.7, 3: 0.9, 4: 0.9},
    ]
    for stage, row in enumerate(table):
        columns = order[:stage]
        total = X[:, columns] @ score[columns]
        np.testing.assert_array_equal(example.total_scores(X, stage), total)
        np.testing.assert_array_equal(example.predict_proba(X, stage), [row[t] for t in total])
    frame = example.to_frame()
    assert frame.index.tolist() == ["prior", "f3", "f1", "f2", "f4"]
    assert frame.columns.tolist() == [-2, -1, 0, 1, 2, 3, 4]
    for (_, shown), row in zip(frame.iterrows(), table, strict=True):
        assert shown.dropna().to_dict() == row


def test_example_by_hand_has_no_bands(example):
    with pytest.raises(ValueError, match="written by hand"):
        example.interval([[1, 1, 1, 1]])
    with pytest.raises(ValueError, match="written by hand"):
        example.stage_scores()
    # but data can be counted on it, and evaluated
    scores = example.evaluate([[1, 1, 1, 1], [0, 0, 0, 0]], [1, 0])
    np.testing.assert_allclose(scores.brier[[0, 4]], [(0.49 + 0.09) / 2, (0.09 + 0.04) / 2])


# ---------------------------------------------------------------- counting

QUESTIONS = st.lists(
    st.tuples(
        st.integers(0, 3),  # column
        st.integers(-3, 3),  # score
        st.sampled_from([-0.5, 0.0, 0.5, 1.0, INF, -INF]),  # threshold
        st.integers(-2, 2),  # points of a missing value
    ),
    min_size=0,
    max_size=4,
)


@given(QUESTIONS, st.sampled_from(["error", "zero", "score"]), st.integers(0, 100))
def test_counts_are_those_of_every_row_by_itself(questions, missing, seed):
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 0.0, 0.25, 1.0, 2.0], size=(30, 4))
    if missing != "error":
        is_missing = rng.random(X.shape) < 0.2
        X[is_missing] = np.nan
    y = rng.random(30) < 0.4
    weight = rng.choice([0.5, 1.0, 2.0], 30)
    features, scores, thresholds, unknown = zip(*questions, strict=True) if questions else [()] * 4
    if missing != "score":
        unknown = [0] * len(scores)
    scoring_list = ScoringList.from_counts(
        features,
        scores,
        X,
        y,
        thresholds=thresholds,
        missing_scores=unknown,
        missing=missing,
        sample_weight=weight,
    )

    def points(x, k):
        value = x[features[k]]
        if np.isnan(value):
            return unknown[k]
        return scores[k] if value > thresholds[k] else 0

    def total_score(x, k):
        return sum(points(x, i) for i in range(k))

    for k, stage in enumerate(scoring_list.stages):
        total = np.array([total_score(x, k) for x in X])
        np.testing.assert_array_equal(scoring_list.total_scores(X, k), total)
        assert set(total) <= set(stage.totals.tolist())
        for t, pos, neg in zip(stage.totals, stage.pos, stage.neg, strict=True):
            assert pos == weight[y & (total == t)].sum()
            assert neg == weight[~y & (total == t)].sum()
        # each row gets the same alone
        np.testing.assert_array_equal(
            scoring_list.predict_proba(X, k), [scoring_list.predict_proba(x[None], k)[0] for x in X]
        )


def test_reachable_totals_are_all_subset_sums():
    X = np.zeros((2, 3))
    y = [0, 1]
    scoring_list = ScoringList.from_counts([0, 1, 2], [3, -1, 3], X, y)
    assert [s.totals.tolist() for s in scoring_list.stages] == [
        [0],
        [3, 0],
        [3, 2, 0, -1],
        [6, 5, 3, 2, 0, -1],
    ]
    # a question that is always answered yes, or never, has one outcome
    scoring_list = ScoringList.from_counts([0, 1, 2], [3, -1, 3], X, y, thresholds=[-INF, INF, 0])
    assert [s.totals.tolist() for s in scoring_list.stages] == [[0], [3], [3], [6, 3]]
    # a missing value has its own points
    scoring_list = ScoringList.from_counts([0], [3], X, y, missing="score", missing_scores=[1])
    assert scoring_list.stages[1].totals.tolist() == [3, 1, 0]


def test_answers():
    questions = make_questions([1, 2], thresholds=[0.5, np.nan], missing="zero")
    assert questions.binarize([[0.7, np.nan], [0.2, 1]]).tolist() == [[1, -1], [0, 1]]


def test_stages_use_only_the_questions_asked_so_far(example):
    assert example.predict_proba([[np.nan, 7, 1, np.inf]], stage=1).tolist() == [0.4]
    with pytest.raises(ValueError, match="X has 1 missing values of f1"):
        example.predict_proba([[np.nan, 7, 1, np.inf]], stage=2)


@pytest.mark.parametrize("kind", [list, np.asarray, pd.DataFrame, lambda X: X.astype(object)])
def test_tables_of_all_kinds(example, kind):
    X = np.array([[0, 1, 1, 0], [1, 0, 0, 1]])
    np.testing.assert_array_equal(example.predict_proba(kind(X)), [0.7, 0.2])
    np.testing.assert_array_equal(X, [[0, 1, 1, 0], [1, 0, 0, 1]])


def test_labels_of_all_kinds():
    for y, label in (([0, 1, 1], None), (["well", "ill", "ill"], "ill"), ([2, 5, 5], 5)):
        scoring_list = ScoringList.from_counts([0], [1], [[0], [1], [1]], y, pos_label=label)
        np.testing.assert_array_equal(scoring_list.stages[1].pos, [2, 0])
        np.testing.assert_array_equal(scoring_list.stages[1].neg, [0, 1])


def test_a_calibration_part_of_one_class_works():
    scoring_list = ScoringList.from_counts([0], [1], [[0], [1]], [1, 1])
    np.testing.assert_array_equal(scoring_list.predict_proba([[0], [1]]), 1)
    assert np.isnan(scoring_list.stage_scores().auc).all()


def test_a_list_without_features():
    scoring_list = ScoringList.from_counts([], [], [[1], [2], [3]], [0, 1, 1])
    np.testing.assert_allclose(scoring_list.predict_proba([[5.0]]), 2 / 3)
    assert len(scoring_list) == 0
    assert repr(scoring_list) == "<ScoringList: no features>"


# ---------------------------------------------------------------- changes by hand


def test_other_scores_on_the_same_questions():
    scoring_list, X, y = learned(calibration="beta", feature_names=list("abcd"))
    same = scoring_list.with_scores(scoring_list.scores, X, y, calibration="beta")
    assert same.to_dict() == scoring_list.to_dict()
    turned = scoring_list.with_scores([-3, 2, 0, 1], X, y)
    assert turned.feature_names == ("a", "b", "c", "d")
    np.testing.assert_array_equal(turned.thresholds, scoring_list.thresholds)
    assert turned.stage_scores().auc[1] == 0.5


def test_other_calibration_of_the_same_counts():
    scoring_list, X, y = learned()
    for method in ("isotonic", "beta", "sigmoid", "m-estimate"):
        again = scoring_list.with_calibration(method, m=3, prior=0.2)
        direct = learned(calibration=method, m=3, prior=0.2)[0]
        assert again.to_dict() == direct.to_dict()
    assert scoring_list.with_calibration("beta").predict_proba(X).std() > 0.05
    assert scoring_list.count(X, y)[2][0].tolist() == scoring_list.stages[2].pos.tolist()


# ---------------------------------------------------------------- how good it is


@pytest.mark.parametrize("use", ["point", "upper"])
def test_scores_of_stages_are_those_of_rows(use):
    scoring_list, *_ = learned()
    X, y = cohort(seed=7)
    scores = scoring_list.evaluate(X, y, cost_fn=4, use=use)
    for k in range(5):
        p = scoring_list.predict_proba(X, k)
        assert scores.brier[k] == pytest.approx(brier_score_loss(y, p))
        assert scores.auc[k] == pytest.approx(roc_auc_score(y, p))
        assert scores.expected_loss[k] == pytest.approx(np.minimum(1 - p, 4 * p).mean())
        positive = (
            scoring_list.predict(X, k, 4) if use == "point" else scoring_list.risk_averse(X, k, 4)
        )
        assert scores.loss[k] == pytest.approx(np.mean(4 * (y & ~positive) + (~y & positive)))
    assert list(scores.to_frame()) == ["stage", "entropy", "brier", "auc", "expected_loss", "loss"]


# ---------------------------------------------------------------- decisions at a stage


def test_risk_averse_takes_the_upper_bound_for_the_truth():
    scoring_list, X, _ = learned()
    _, upper = scoring_list.interval(X, 2, confidence=0.5)
    np.testing.assert_array_equal(scoring_list.risk_averse(X, 2), 1 - upper < 10 * upper)
    plain = scoring_list.predict(X, 2, cost_fn=10)
    np.testing.assert_array_equal(plain, predicts_positive(scoring_list.predict_proba(X, 2), 10))
    assert (scoring_list.risk_averse(X, 2) >= plain).all()


# ---------------------------------------------------------------- round trips


@st.composite
def lists(draw):
    size = draw(st.integers(0, 4))

    def several(strategy):
        return draw(st.lists(strategy, min_size=size, max_size=size))

    missing = draw(st.sampled_from(["error", "zero", "score"]))
    thresholds = several(st.one_of(st.just(np.nan), st.floats(allow_nan=False)))
    questions = make_questions(
        several(st.integers(-9, 9)),
        features=several(st.integers(0, 10**6)),
        thresholds=thresholds,
        missing_scores=several(st.integers(-3, 3)) if missing == "score" else None,
        feature_names=several(st.text(max_size=6)),
        missing=missing,
    )
    by_hand = draw(st.booleans())
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    stages = []
    for totals in questions.reachable_totals():
        probability = np.sort(rng.random(totals.size))[::-1]
        counts = () if by_hand else (rng.random(totals.size), rng.random(totals.size))
        stages.append(ScoringStage(totals, probability, *counts))
    fields = {name: getattr(questions, name) for name in questions.__dataclass_fields__}
    return ScoringList(**fields, stages=tuple(stages))


@given(lists())
def test_json_and_pickle_keep_everything(scoring_list):
    written = json.dumps(scoring_list.to_dict(), allow_nan=False)
    for again in (
        ScoringList.from_dict(json.loads(written)),
        pickle.loads(pickle.dumps(scoring_list)),
    ):
        assert again.to_dict() == scoring_list.to_dict()


def test_words(example):
    assert repr(example) == "<ScoringList: f3: +1, f1: -2, f2: +1, f4: +2>"
    questions = make_questions([1] * 5, thresholds=[np.nan, 96.5, INF, -INF, -1234.56])
    expected = ("x0", "x1 > 96.5", "x2 (never)", "x3 (always)", "x4 > −1234.6")
    assert questions.questions() == expected


def test_names_may_be_an_array():
    scoring_list = ScoringList.from_table(
        [1], [{0: 0.3}, {0: 0.2, 1: 0.4}], feature_names=np.array(["age"])
    )
    assert scoring_list.questions() == ("age",)


def html_of(scoring_list):
    """Write a list as notebooks show it."""
    return HTMLFormatter()(scoring_list)


def cells(html):
    """Read the words in each row of a table."""
    return [re.findall(r"<t[hd][^>]*>([^<]*)</t", row) for row in html.split("<tr>")[1:]]


def test_html():
    scoring_list = ScoringList.from_table(
        [-2],
        [{0: 0.3}, {0: 0.4, -2: 0.1}],
        feature_names=["<script>alert(1)</script> & 'more'"],
        thresholds=[1.5],
    )
    assert cells(html_of(scoring_list)) == [
        ["after", "score", "−2", "0"],
        ["(prior)", "", "", "0.30"],
        [
            "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &#x27;more&#x27; &gt; 1.5",
            "−2",
            "0.10",
            "0.40",
        ],
    ]
    # ink is the page's own
    assert "color:" not in html_of(scoring_list).replace("background", "")
    X = [[0, 1], [1, 0], [np.nan, 1], [1, 1]]
    y = [0, 1, 0, 1]
    scoring_list = ScoringList.from_counts(
        [0, 1], [2, 1], X, y, missing="score", missing_scores=[-1, 0]
    )
    rows = cells(html_of(scoring_list))
    assert [row[:3] for row in rows] == [
        ["after", "score", "if not known"],
        ["(prior)", "", ""],
        ["x0", "+2", "−1"],
        ["x1", "+1", "0"],
    ]
    assert len({len(row) for row in rows}) == 1


# ---------------------------------------------------------------- bad input


def test_stages_must_belong_to_the_scores(example):
    fields = [getattr(example, name) for name in example.__dataclass_fields__]
    with pytest.raises(ValueError, match=r"^stages must have one entry more than scores; got 4"):
        ScoringList(*fields[:-1], example.stages[1:])
    with pytest.raises(ValueError, match=r"^stage 0 must have the totals .* 0; got 1, 0"):
        ScoringList(*fields[:-1], example.stages[1:] + example.stages[:1])


def test_a_message_lists_the_first_of_many_totals():
    message = r"^table row 0 .* 0; got 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, \.\.\.\.$"
    with pytest.raises(ValueError, match=message):
        ScoringList.from_table([1], [dict.fromkeys(range(14), 0.5), {0: 0.2, 1: 0.4}])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "card"}, "^source must be a result of ScoringList.to_dict"),
        ({"thresholds": [None]}, "^thresholds must have one entry per score"),
        ({"version": 2}, "^source must be of version 1; got version 2"),
    ],
)
def test_bad_dicts(example, change, message):
    source = example.to_dict()
    with pytest.raises(ValueError, match=message):
        ScoringList.from_dict(source | change)
    del source["scores"], source["stages"]
    with pytest.raises(ValueError, match=r"^source lacks scores, stages"):
        ScoringList.from_dict(source)


@pytest.mark.parametrize(
    ("counts", "options", "message"),
    [
        (None, {"use": "lower"}, "^use must be one of point, upper"),
        ("ab", {}, r"^counts must be \(pos, neg\) of each stage"),
        ([], {}, r"^counts must be \(pos, neg\) of each of the 5 stages; got"),
        ([([1], [1], [1])] * 5, {}, "^counts must be"),
        ([([1], [-1])] * 5, {}, "^neg must be finite and not negative"),
    ],
)
def test_bad_scores(counts, options, message):
    scoring_list, X, y = learned()
    with pytest.raises(ValueError, match=message):
        scoring_list.scores_of(scoring_list.count(X, y) if counts is None else counts, **options)


def test_a_class_without_weight_is_no_data_to_evaluate_on():
    scoring_list, X, y = learned()
    with pytest.raises(ValueError, match="sample_weight leaves one class without weight"):
        scoring_list.evaluate(X, y, sample_weight=y.astype(float))


def test_totals_are_those_of_the_list_s_own_scores(example):
    n_totals = [len(stage.totals) for stage in example.stages]
    assert (n_totals[1], n_totals[4]) == (2, 7)
    # a score from the whole range could have added up to many more
    scores = (-2, -1, 0, 1, 2)
    assert len({sum(chosen) for chosen in product(scores, repeat=4)}) == 17


def test_a_long_list_is_shown_in_part():
    names = ["a question of several words, and of so many that it does not fit into a line"] * 25
    names = [f"{name} {number}" for number, name in enumerate(names)]
    totals = np.arange(26)
    stages = [ScoringStage(totals[: k + 1][::-1], np.linspace(0.9, 0.1, k + 1)) for k in range(26)]
    ones = np.ones(25, dtype=int)
    scoring_list = ScoringList(
        np.arange(25), ones, np.full(25, np.nan), 0 * ones, names, "error", stages
    )
    lines = repr(scoring_list).splitlines()
    assert len(lines) == 8
    assert max(map(len, lines)) <= 88
    html = scoring_list._repr_html_()
    assert html.count("<tr>") == 21
    assert "first 20 of 26 stages" in html
    assert len(scoring_list.to_frame()) == 26
