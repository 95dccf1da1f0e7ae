"""Every estimator in scikit-learn's surroundings: tables, columns, searches, routing, saving."""

import re

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from IPython.core.formatters import DisplayFormatter
from packaging.version import Version
from scipy import sparse
from sklearn import clone, config_context
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from rocviz import (
    CombinedRegressionRanking,
    DecisionTheoreticClassifier,
    EmpiricalUtilityClassifier,
    EntropyBinarizer,
    FiDELClassifier,
    GroupThresholdClassifier,
    HullCalibratedClassifier,
    HullCalibrator,
    LexProb,
    LexRank,
    ProbabilisticScoringList,
    RankIsotonicClassifier,
    ScoringListRanker,
    SimplexCalibratedClassifier,
    SimplexThresholdClassifier,
)
from rocviz.estimators.practice import ReferralClassifier, UpdatedClassifier

LOGISTIC = LogisticRegression(solver="newton-cholesky")
MODELS = {
    "hull": HullCalibratedClassifier(LOGISTIC, cv=3),
    "decision": DecisionTheoreticClassifier(LOGISTIC),
    "empirical": EmpiricalUtilityClassifier(LOGISTIC, cv=3),
    "groups": GroupThresholdClassifier(LOGISTIC, cv=3),
    "referral": ReferralClassifier(LOGISTIC, cv=3),
    "updated": UpdatedClassifier(LOGISTIC, cv=3),
    "simplex map": SimplexCalibratedClassifier(LOGISTIC, cv=3),
    "simplex point": SimplexThresholdClassifier(LOGISTIC, cv=3),
    "fidel": FiDELClassifier([("a", LOGISTIC), ("b", GaussianNB())], random_state=0),
    "lexrank": LexRank(),
    "lexprob": LexProb(),
    "rank isotonic": RankIsotonicClassifier(alpha=0.01),
    "combined": CombinedRegressionRanking(alpha=0.01),
    "list": ProbabilisticScoringList(max_stages=2),
    "ranker": ScoringListRanker(max_stages=2),
}
TRANSFORMERS = {"binarizer": EntropyBinarizer(), "calibrator": HullCalibrator()}
EVERY = {**MODELS, **TRANSFORMERS}
OF_CATEGORIES = {name: MODELS[name] for name in ("lexrank", "lexprob", "list", "ranker")}
SPARSE_MODELS = (
    "hull",
    "decision",
    "empirical",
    "groups",
    "referral",
    "updated",
    "rank isotonic",
    "combined",
    "simplex map",
    "simplex point",
)
#: A parameter of each of ``MODELS``, and two values to search.
SEARCHED = {
    "penalty": [1e-3, 0.1],
    "cost_matrix": [None, [[0, 1], [2, 0]]],
    "smoothing": [0.5, 1],
    "max_stages": [1, 2],
    "alpha": [0.01, 0.1],
    "m": [0, 2],
    "metric": ["f", "am"],
    "cost_referral": [0.1, 0.2],
    "significance_level": [0.05, 0.2],
    "method": ["fidel", "woc"],
    "tolerance": [0.0, 0.1],
}

RNG = np.random.default_rng(0)
IS_OLD_SKLEARN = Version(sklearn.__version__) < Version("1.8")
N = 120
FRAME = pd.DataFrame(
    {
        "age": RNG.normal(50, 12, N),
        "dose": RNG.integers(0, 4, N).astype(float),
        "colour": RNG.choice(["red", "green", "blue"], N),
        "sex": pd.Categorical(RNG.choice(["f", "m"], N)),
    }
)
NUMBERS = FRAME[["age", "dose"]]
Y = (RNG.random(N) < 0.2 + 0.4 * (FRAME["colour"] == "red") + 0.01 * (FRAME["age"] - 50)).to_numpy(
    dtype=int
)
# so that age speaks for the other class
WEIGHT = np.where((Y == 1) == (FRAME["age"] < 50), 20.0, 1.0)


def scores(model, X):
    for method in ("predict_proba", "decision_function", "transform"):
        if hasattr(model, method):
            return np.asarray(getattr(model, method)(X))
    return np.asarray(model.predict(X))


def each(models):
    return pytest.mark.parametrize(
        "model", [pytest.param(m, id=name) for name, m in models.items()]
    )


@each(EVERY)
def test_tables_of_pandas_and_polars_give_what_arrays_give(model):
    plain = scores(clone(model).fit(NUMBERS.to_numpy(), Y), NUMBERS.to_numpy())
    for table in (NUMBERS, pl.from_pandas(NUMBERS)):
        fitted = clone(model).fit(table, Y)
        np.testing.assert_array_equal(scores(fitted, table), plain)
        assert fitted.feature_names_in_.tolist() == ["age", "dose"]
        with pytest.raises(ValueError, match="feature names"):
            scores(
                fitted,
                table.rename(columns={"age": "years"})
                if table is NUMBERS
                else table.rename({"age": "years"}),
            )


@each(OF_CATEGORIES)
def test_columns_of_categories_are_accepted(model):
    fitted = clone(model).fit(FRAME, Y)
    assert fitted.feature_names_in_.tolist() == list(FRAME)
    other = pl.from_pandas(FRAME)
    np.testing.assert_array_equal(scores(clone(model).fit(other, Y), other), scores(fitted, FRAME))
    new = FRAME.assign(colour="violet")
    assert np.isfinite(scores(fitted, new)).all()


@each(MODELS)
def test_behind_a_column_transformer_and_in_a_search(model):
    columns = make_column_transformer(
        (StandardScaler(), ["age", "dose"]), (OneHotEncoder(sparse_output=False), ["colour", "sex"])
    )
    pipeline = make_pipeline(columns, model)
    parameters = model.get_params(deep=False)
    name = next(name for name in SEARCHED if name in parameters)
    grid = {f"{type(model).__name__.lower()}__{name}": SEARCHED[name]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(FRAME, Y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert len(scores(search.best_estimator_, FRAME)) == N


@each(MODELS)
def test_weights_are_routed_to_it(model):
    with config_context(enable_metadata_routing=True):
        inside = clone(model)
        if hasattr(inside, "estimator"):
            inside.estimator.set_fit_request(sample_weight=True)
        elif hasattr(inside, "estimators"):
            for _, estimator in inside.estimators:
                estimator.set_fit_request(sample_weight=True)
        if hasattr(inside, "set_fit_request"):
            inside.set_fit_request(sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        pipeline = make_pipeline(scaler, inside)
        routed = pipeline.fit(NUMBERS, Y, sample_weight=WEIGHT)
        alone = clone(inside).fit(StandardScaler().fit_transform(NUMBERS), Y, sample_weight=WEIGHT)
        np.testing.assert_array_equal(
            scores(routed, NUMBERS), scores(alone, StandardScaler().fit_transform(NUMBERS))
        )
        without = clone(pipeline).fit(NUMBERS, Y)
        assert (scores(without, NUMBERS) != scores(routed, NUMBERS)).any()
        # before scikit-learn 1.8 a search did not hand weights to the score of a pipeline
        if not hasattr(inside, "set_score_request") or IS_OLD_SKLEARN:
            return
        inside.set_score_request(sample_weight=True)
        halves = [(np.arange(0, N, 2), np.arange(1, N, 2))]
        search = GridSearchCV(pipeline, {}, cv=halves, refit=False, error_score="raise")
        search.fit(NUMBERS, Y, sample_weight=WEIGHT)
        learn, test = halves[0]
        by_hand = clone(pipeline).fit(NUMBERS.iloc[learn], Y[learn], sample_weight=WEIGHT[learn])
        score = by_hand.score(NUMBERS.iloc[test], Y[test], sample_weight=WEIGHT[test])
        assert search.cv_results_["split0_test_score"][0] == score
        # where no weights are given, none are asked for
        GridSearchCV(pipeline, {}, cv=halves, refit=False, error_score="raise").fit(NUMBERS, Y)


@each(TRANSFORMERS)
@pytest.mark.parametrize(("library", "kind"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_output_is_the_requested_table(model, library, kind):
    transformed = clone(model).set_output(transform=library).fit_transform(NUMBERS, Y)
    assert isinstance(transformed, kind)
    assert len(transformed.columns) == 2


@pytest.mark.parametrize("name", EVERY)
def test_sparse_columns_are_accepted_or_refused_by_name(name):
    model = EVERY[name]
    X = sparse.csr_matrix((NUMBERS > [50, 2]).to_numpy(dtype=float))
    if name in SPARSE_MODELS:
        dense = scores(clone(model).fit(X.toarray(), Y), X.toarray())
        np.testing.assert_allclose(scores(clone(model).fit(X, Y), X), dense, atol=1e-6)
    else:
        with pytest.raises(TypeError, match="parse data was passed"):
            clone(model).fit(X, Y)


@each(EVERY)
def test_estimators_can_be_saved_and_loaded(model, tmp_path):
    fitted = clone(model).fit(NUMBERS, Y)
    joblib.dump(fitted, tmp_path / "model")
    import skops.io  # reads all names of scikit-learn, which takes half a second

    kept = skops.io.dumps(fitted)
    trusted = skops.io.get_untrusted_types(data=kept)
    assert all(name.startswith(("rocviz.", "sklearn.utils._bunch.")) for name in trusted)
    for read in (joblib.load(tmp_path / "model"), skops.io.loads(kept, trusted=trusted)):
        np.testing.assert_array_equal(scores(read, NUMBERS), scores(fitted, NUMBERS))


def test_a_list_of_categories_is_saved_with_them():
    fitted = clone(MODELS["list"]).fit(FRAME, Y)
    import skops.io

    kept = skops.io.dumps(fitted)
    read = skops.io.loads(kept, trusted=skops.io.get_untrusted_types(data=kept))
    np.testing.assert_array_equal(scores(read, FRAME), scores(fitted, FRAME))


def html_of(model):
    """Write an estimator as notebooks show it."""
    formats, _ = DisplayFormatter().format(model)
    return formats["text/html"]


@each(EVERY)
def test_the_learned_model_is_shown_below_the_diagram(model):
    new = clone(model)
    assert "<table><caption" not in html_of(new)
    shown = html_of(new.fit(NUMBERS, Y))
    assert "sk-top-container" in shown
    learned = shown.rpartition("</body>")[2] if "</body>" in shown else shown
    table = re.search(r"<table>.*</table>", learned[learned.rindex("overflow-x:auto") :], re.DOTALL)
    assert table
    assert len(re.findall("<tr", table[0])) > 1


def test_names_from_data_do_not_become_html():
    frame = NUMBERS.rename(columns={"age": "<b>age"})
    learned = html_of(EntropyBinarizer().fit(frame, Y))
    assert "<td style='text-align:left'>&lt;b&gt;age</td>" in learned
    assert "left'><b>age" not in learned


def test_a_long_table_shows_its_ends():
    from rocviz.estimators.base.learned import MAX_TABLE_ROWS, learned_table

    rows = [(f"row {i}", i) for i in range(MAX_TABLE_ROWS + 8)]
    shown = learned_table("all", ("name", "value"), rows)
    assert f"{MAX_TABLE_ROWS} of {MAX_TABLE_ROWS + 8} rows" in shown
    assert "row 0<" in shown
    assert f"row {MAX_TABLE_ROWS + 7}<" in shown
    assert "row 9<" not in shown
