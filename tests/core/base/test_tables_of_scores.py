"""Scores in tables of pandas, polars and pyarrow, and the probabilities of two classes."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rocviz
from rocviz.core.base.classes import check_class_samples
from rocviz.core.comparison import compare_folds, compare_net_benefit, fold_average
from rocviz.core.ensembles.score_matrix import score_matrix
from rocviz.core.groups import group_summary

rng = np.random.default_rng(0)
Y = np.arange(40) % 2
FOREST = np.clip(rng.random(40) * 0.5 + 0.3 * Y, 0, 1)
TREE = rng.random(40)
COLUMNS = {"forest": FOREST, "tree": TREE}
TABLES = {
    "mapping": dict,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "batch": pa.record_batch,
}


def explorer_models(*args, **options):
    explorer = rocviz.ROCExplorer(*args, **options)
    try:
        return list(explorer.data.scores)
    finally:
        explorer.close()


def explorer_aucs(maker, *args, **options):
    explorer = maker(*args, **options)
    try:
        return explorer.result.to_frame()["auc"].tolist()
    finally:
        explorer.close()


def opened(maker, *args, **options):
    explorer = maker(*args, **options)
    explorer.close()
    return explorer


#: Functions that take the scores of several models, and what of their results is compared.
SEVERAL = {
    "compare_classifiers": lambda s: rocviz.compare_classifiers(Y, s, n_resamples=50).to_frame()[
        "auc"
    ],
    "evaluation_report": lambda s: rocviz.evaluation_report(Y, s).to_frame("ranking")["auc"],
    "explorer": lambda s: explorer_models(Y, s),
    "display": lambda s: sorted(rocviz.ROCHullDisplay.from_predictions(Y, s)._models),
    "fidel": lambda s: rocviz.fidel_combine(Y, s, calibration=None).score,
}
#: Functions that take the scores of one model.
ONE = {
    "segments": lambda y, s, label: rocviz.RankedSegments.from_scores(y, s, pos_label=label).auc,
    "auc_interval": lambda y, s, label: rocviz.auc_interval(y, s, pos_label=label).auc,
    "brier": lambda y, s, label: rocviz.brier_decomposition(y, s, pos_label=label).brier,
    "space": lambda y, s, label: rocviz.space_curve(y, s, space="gain", pos_label=label).area,
    "compare": lambda y, s, label: (
        rocviz.compare_classifiers(y, s, pos_label=label, n_resamples=50).to_frame()["auc"].tolist()
    ),
    "named": lambda y, s, label: (
        rocviz.evaluation_report(y, {"a": s, "b": TREE}, pos_label=label)
        .to_frame("ranking")["auc"]
        .tolist()
    ),
    "compare named": lambda y, s, label: (
        rocviz.compare_classifiers(
            y, {"a": s, "b": TREE}, pos_label=label, n_resamples=50, cost_fn=3, prevalence=0.2
        )
        .to_frame()[["auc", "cost", "brier"]]
        .to_numpy()
    ),
    "net benefit named": lambda y, s, label: (
        compare_net_benefit(y, {"a": s, "b": TREE}, pos_label=label).net_benefit
    ),
    "folds named": lambda y, s, label: (
        compare_folds(y, {"a": s, "b": TREE}, np.arange(40) // 10, pos_label=label).value
    ),
    "average of folds": lambda y, s, label: (
        fold_average(y, s, np.arange(40) // 10, pos_label=label).auc.tolist()
    ),
    "reliability named": lambda y, s, label: [
        segments.auc
        for segments in rocviz.ReliabilityDisplay.from_predictions(
            y, {"a": s, "b": TREE}, pos_label=label
        )._models.values()
    ],
    "ensemble named": lambda y, s, label: rocviz.fidel_combine(
        y, {"a": s, "b": TREE}, pos_label=label, calibration=None
    ).score,
    "groups": lambda y, s, label: (
        group_summary(y, s, np.arange(40) // 20, pos_label=label).to_frame()["auc"].tolist()
    ),
    "explorer named": lambda y, s, label: explorer_aucs(
        rocviz.ROCExplorer, y, {"a": s, "b": TREE}, pos_label=label
    ),
    "report": lambda y, s, label: (
        rocviz.evaluation_report(y, s, pos_label=label).to_frame("ranking")["auc"].tolist()
    ),
    "explorer": lambda y, s, label: explorer_models(y, s, pos_label=label),
    "display": lambda y, s, label: (
        rocviz.ROCHullDisplay.from_predictions(y, s, pos_label=label).figure_ is not None
    ),
    "folds": lambda y, s, label: (
        rocviz.CrossValidationDisplay.from_predictions(y, s, np.arange(40) // 20, pos_label=label)
        .average.auc.tolist()
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("function", SEVERAL)
def test_tables_of_several_models(function, kind):
    expected = SEVERAL[function](COLUMNS)
    result = SEVERAL[function](TABLES[kind](COLUMNS))
    if isinstance(result, pd.DataFrame):
        pd.testing.assert_frame_equal(result, expected)
    else:
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("kind", ["polars", "lazy", "pyarrow", "batch"])
def test_labels_and_single_scores_in_tables(kind):
    labels = TABLES[kind]({"y": Y})
    score = TABLES[kind]({"s": FOREST})
    expected = rocviz.auc_interval(Y, FOREST)
    result = rocviz.auc_interval(labels, score)
    assert (result.lower, result.auc) == (expected.lower, expected.auc)


@pytest.mark.parametrize("kind", ["pandas", "polars", "lazy", "pyarrow", "batch"])
def test_tables_of_classes_and_of_ensembles(kind):
    y = np.array(["a", "b", "c"])[np.arange(40) % 3]
    prob = np.random.default_rng(1).dirichlet([1, 1, 1], 40)
    samples = check_class_samples(y, TABLES[kind](dict(zip("cab", prob.T, strict=True))))
    assert samples.classes == ("c", "a", "b")
    names, matrix = score_matrix(TABLES[kind](COLUMNS), "scores")
    assert names == ["forest", "tree"]
    np.testing.assert_array_equal(matrix, np.column_stack([FOREST, TREE]))


def test_names_of_columns_of_pyarrow_differ():
    table = pa.table([pa.array(FOREST), pa.array(TREE)], names=["a", "a"])
    with pytest.raises(ValueError, match="two columns of the scores have the same name, 'a'"):
        rocviz.compare_classifiers(Y, table)


MATRIX = np.column_stack([1 - FOREST, FOREST])
WORDS = np.array(["well", "ill"])[Y]


@pytest.mark.parametrize(
    ("y", "matrix", "pos_label"),
    [
        (Y, MATRIX, None),
        pytest.param(Y == 1, MATRIX, None, marks=pytest.mark.slow),
        pytest.param(2 * Y - 1, MATRIX, None, marks=pytest.mark.slow),
        pytest.param(Y, pd.DataFrame(MATRIX), None, marks=pytest.mark.slow),
        pytest.param(Y, pl.DataFrame({"1": FOREST, "0": 1 - FOREST}), None, marks=pytest.mark.slow),
        (WORDS, pd.DataFrame({"ill": FOREST, "well": 1 - FOREST}), "ill"),
        (WORDS, pl.LazyFrame({"well": 1 - FOREST, "ill": FOREST}), "ill"),
        (WORDS, pa.table({"well": 1 - FOREST, "ill": FOREST}), "ill"),
    ],
)
@pytest.mark.parametrize("function", ONE)
def test_the_probabilities_of_two_classes_are_one_model(function, y, matrix, pos_label):
    expected = ONE[function](y, FOREST, pos_label)
    assert ONE[function](y, matrix, pos_label) == pytest.approx(expected)


def test_explorers_take_the_probabilities_of_two_classes():
    decisions = opened(rocviz.DecisionExplorer, Y, MATRIX)
    np.testing.assert_array_equal(decisions.data.prob, FOREST)
    crowd = opened(rocviz.EnsembleExplorer, Y, {"a": MATRIX, "b": TREE})
    plain = opened(rocviz.EnsembleExplorer, Y, {"a": FOREST, "b": TREE})
    np.testing.assert_array_equal(crowd.data.scores, plain.data.scores)
    both = {"a": MATRIX, "b": np.column_stack([1 - TREE, TREE])}
    assert rocviz.compare_classifiers(Y, both, n_resamples=0).prevalence == 0.5
    kept = rocviz.compare_classifiers(WORDS, both, classes=["well", "ill"], n_resamples=0)
    assert kept.classes == ("well", "ill")


def test_the_negative_class_may_be_the_one_that_is_asked_for():
    result = rocviz.auc_interval(Y, MATRIX, pos_label=0)
    assert result.auc == pytest.approx(rocviz.auc_interval(Y, FOREST).auc)


@pytest.mark.parametrize(
    ("y", "matrix", "pos_label"),
    [(WORDS, MATRIX, "ill"), (Y, pd.DataFrame({"no": 1 - FOREST, "yes": FOREST}), None)],
)
def test_nothing_is_guessed_about_columns_of_classes(y, matrix, pos_label):
    for function in ("segments", "compare", "report"):
        with pytest.raises(ValueError, match="two columns that add up to 1, and nothing says"):
            ONE[function](y, matrix, pos_label)


@pytest.mark.parametrize("matrix", [2 * MATRIX - 1, MATRIX[:, ::-1] * 0.9, MATRIX * [[3, 0.1]]])
def test_other_columns_are_as_before(matrix):
    with pytest.raises(ValueError, match=r"take the second column, y_score\[:, 1\]"):
        rocviz.auc_interval(Y, matrix)
    names = rocviz.compare_classifiers(Y, matrix, n_resamples=50).to_frame().index.tolist()
    assert sorted(names) == ["model 1", "model 2"]


def test_three_labels_beside_two_columns():
    with pytest.raises(ValueError, match=r"exactly two classes; found 3|shape"):
        rocviz.auc_interval(np.arange(40) % 3, MATRIX)


def test_rows_of_probabilities_in_another_order_are_refused():
    table = pd.DataFrame(MATRIX).sample(frac=1, random_state=0)
    with pytest.raises(ValueError, match="has the index labels of y_true in another order"):
        rocviz.auc_interval(pd.Series(Y), table)


def test_a_picture_of_lazy_frames():
    figure = rocviz.ModelComparisonDisplay.from_predictions(
        pl.LazyFrame({"y": Y}), pl.LazyFrame(COLUMNS), kind="hull", n_resamples=50
    ).figure_
    assert figure is not None
