"""Every public callable refuses hostile values of its arguments, or takes them well."""

from functools import cache

import numpy as np
import pytest
from callables import public_callables
from hypothesis import given, settings
from hypothesis import strategies as st
from judge import all_of, ignore_warnings_of_others, judge, nan_places
from matplotlib import pyplot as plt
from values import VALUES

pytestmark = ignore_warnings_of_others

#: Parts of the names of callables that take long, which are left to ``make test-slow``.
SLOW_NAMES = (
    "Display",
    "Explorer",
    "Classifier",
    "compare_",
    "_experiment",
    "simulate_coverage",
    "_report",
)
#: Arguments that take a function, which may raise anything.
CALLBACKS = {"progress", "should_stop", "loss", "statistic"}
FUNCTIONS = {"function", "function that fails", "class"}


def estimates(*names):
    """List the numbers of estimates in a result."""
    return {f"result.{name}.{end}" for name in names for end in ("value", "lower", "upper")}


#: Where the reference says that a value does not exist: of scores that are no probabilities, of
#: an interval that nobody asked for, or of a single class.
DOCUMENTED = {
    "auc_interval": {"result.standard_error", "result.lower", "result.upper"},
    "average_precision": {"result.standard_error"},
    "ordered_volume": {"result.standard_error"},
    "hand_till_auc": {"result.standard_error"},
    "partial_auc": {"result.standard_error"},
    "cross_auc": {"result.standard_error"},
    "bootstrap_interval": {"result.standard_error", "result.lower", "result.upper"},
    "ScoringList.evaluate": {"result.auc"},
    "ProbabilisticScoringList.evaluate": {"result.auc"},
    # what is missing is NaN
    "ScoringListRanker.encode": {"result"},
    "ProbabilisticScoringList.encode": {"result"},
    "flexible_calibration": {
        *("result.observed", "result.lower", "result.upper"),
        *estimates("ici", "e50", "e90"),
    },
    "calibration_summary": {
        *("result.curve.observed", "result.curve.lower", "result.curve.upper"),
        *estimates("observed_expected", "intercept", "slope", "ici", "e50", "e90"),
        *estimates("curve.ici", "curve.e50", "curve.e90"),
    },
    "compare_classifiers": {
        *("result.brier", "result.refinement", "result.miscalibration", "result.discrimination"),
        *("result.log_loss", "result.calibration_error", "result.calibration_low"),
        *("result.calibration_high", "result.calibration_p"),
    },
}

#: Cases that failed once, one of those that failed alike.
FOUND = [
    ("ScoringListRanker.fit", "sample_weight", "twelve denormal"),
    ("EnsembleExplorer.from_estimators", "estimators", "list in a list"),
    ("lexicographic_rank", "preferred", "ragged"),
    ("FermiDirac.from_parameters", "beta", "minus huge"),
    ("LexicographicExplorer", "categorical_features", "10**5000"),
    ("BrierDisplay.from_predictions", "y_prob", "empty list"),
    ("ProbabilisticScoringList.from_table", "feature_names", "array of no dimension"),
    ("ProbabilisticScoringList", "score_set", "array of no dimension"),
    ("ProbabilisticScoringList", "verbose", "table without columns"),
    ("RankedSegments.from_scores", "pos_label", "ragged"),
    ("RankedSegments.from_partitions", "partitions", "decimal NaN"),
    ("simulate_coverage", "methods", "NA"),
    ("fidel_combine", "names", "object"),
    ("RankEnsemble.select", "members", "three dimensions"),
    ("ensemble_subsets", "sizes", "class"),
    ("holm", "p_values", "zero"),
    ("utility_distribution", "labels", "ragged twelve"),
    ("FermiDirac.log_likelihood_ratio", "rank", "ragged twelve"),
    ("fermi_dirac_surface", "auc", "ragged"),
    ("ProbabilisticScoringList.from_table", "thresholds", "ragged"),
    ("ProbabilisticScoringList.from_table", "table", "minus infinity"),
    ("EntropyBinarizer.fit", "y", "table with NaN"),
    ("LexProb.predict", "X", "ragged"),
    ("CombinedRegressionRanking.predict", "X", "10**5000"),
    ("RankingExperimentDisplay.from_experiment", "methods", "smallest denormal"),
    ("ensemble_experiment", "n_classifiers", "NA"),
    ("ensemble_experiment", "auc_range", "twelve"),
    ("compare_classifiers", "clusters", "twelve words, one missing"),
    ("compare_decisions", "metrics", "minus huge"),
    ("isometric_through", "beta", "huge"),
    ("ScoringStage.with_counts", "neg", "ragged twelve"),
    ("LexicographicDisplay", "words", "mapping by numbers"),
    ("LexProb.fit", "y", "twelve huge"),
    ("HullCalibratedClassifier.fit", "y", "pandas series with NA"),
    ("ProbabilisticScoringList.from_dict", "source", "table of twelve bits"),
    ("datasets.load_breast_cancer_scores", "as_frame", "twelve records"),
    ("predicts_positive", "probability", "minus huge"),
    ("exercises.names", "chapter", "twelve"),
    ("exercises.import_progress", "line", "twelve"),
    ("exercises.check", "name", "10**5000"),
    ("simulate_coverage", "confidence", "a half, exact"),
    ("CrossValidationDisplay.from_cv_results", "X", "number as text"),
    ("CalibrationMapDisplay.probability", "score", "mapping"),
    ("ProbabilisticScoringList.evaluate", "y", "10**5000"),
    ("parse_formula", "text", "empty text"),
    ("EmpiricalUtilityClassifier", "cv", "bytes"),
    ("map_from_roc", "tpr", "twelve denormal"),
    ("LexicographicTree.to_text", "values", "list of nothing"),
    ("LexicographicExplorer", "smoothing", "smallest denormal"),
    ("SpaceCurve.nearest_threshold_index", "y", "huge"),
    ("compare_classifiers", "scores", "mapping of arrays"),
    ("auc_sample_size", "width", "huge"),
    ("auc_sample_size", "confidence", "tiny"),
    ("compare_ranking_methods", "X", "10**400"),
    ("ROCExplorer.from_predictions", "y_score", "twelve huge"),
    ("ScoreCardDisplay.plot", "cost_fn", "a half, exact"),
    ("ProbabilisticScoringList.from_table", "classes", "ragged"),
    ("CombinedRegressionRanking", "mix", "a half, exact"),
    ("EnsembleDisplay.from_predictions", "names", "polars frame"),
    ("HullCalibratedClassifier.fit", "X", "twelve beyond floats"),
    ("learn_scoring_list", "pairs", "ragged"),
    ("CrossValidationDisplay.from_predictions", "fold", "twelve objects"),
    ("EnsembleExplorer.from_estimators", "y", "ragged"),
    ("ConfusionTable.at_prevalence", "total", "huge"),
    ("LexicographicOrder.segments", "X", "empty table"),
    ("calibration_map", "m", "huge"),
    ("ScoringStage", "totals", "twelve huge"),
    ("FermiDirac.from_parameters", "n_samples", "2**53 + 1"),
    ("ProbabilisticScoringList", "calibration_data", "fraction beyond floats"),
    ("set_theme", "dark", "10**5000"),
    ("EntropyBinarizer.get_feature_names_out", "input_features", "array of no dimension"),
    ("Question", "answer", "array of no dimension"),
    ("Step", "move", "None"),
    ("Story", "explorer", "zero"),
    ("Story", "steps", "words"),
    ("Story.show", "index", "minus one"),
    ("Story.go", "still", "twelve"),
    ("ConfusionTable.metric", "name", "twelve bools"),
    ("ConfusionTable.proportion", "name", "empty set"),
    ("ConfusionTable.interval", "name", "set"),
    ("evaluation_report", "y_true", "twelve texts"),
    ("GroupRule", "upper_threshold", "twelve, one NaN"),
    ("GroupRule", "share_between", "NaN"),
    ("ROCHullDisplay", "band", "NA"),
    ("ROCHullDisplay", "band", "table of twelve"),
    ("MulticlassExplorer.from_estimator", "y", "empty list"),
    ("GroupsExplorer", "y_score", "twelve huge"),
    ("datasets.make_groups", "n_samples", "10**5000"),
    ("datasets.make_groups", "separation", "array of no dimension"),
    ("ScoreCardDisplay.from_estimator", "title", "empty text"),
    ("map_operating_point", "tpr", "float16"),
    ("fpr_of_precision", "tpr", "ragged twelve"),
    ("group_summary", "groups", "twelve bools"),
    ("RankingLossExplorer", "X", "10**400"),
    ("datasets.make_classes", "separation", "huge"),
    ("LexProb", "smoothing", "smallest denormal"),
    ("cross_auc", "sample_weight", "twelve bools"),
    ("partial_auc", "y_score", "twelve, all the same"),
    ("flexible_calibration", "clusters", "twelve long words"),
    ("calibration_summary", "clusters", "twelve words"),
    ("fpr_of_precision", "precision", "twelve denormal"),
    ("SpaceCurve.nearest_threshold_index", "limits", "twelve zeros"),
    ("fold_average", "fold", "twelve, all the same"),
    ("bootstrap_interval", "y_score", "twelve, all the same"),
    ("auc_interval", "clusters", "twelve, all the same"),
    # messages that repeated the whole value
    ("Story", "steps", "long text"),
    ("compare_net_benefit", "scores", "mapping by long words"),
    ("hand_till_covariance", "y_probs", "mapping by long words"),
    ("CurveSpaceDisplay", "segments", "mapping by long words"),
    ("BrierDisplay.from_predictions", "y_prob", "mapping by long words"),
    ("DecisionExplorer", "formula", "very many"),
    ("ROCExplorer", "show_hull", "frame of long names"),
    ("ROCExplorer", "joined", "very many"),
    ("compare_decisions", "random_state", "frame of long names"),
    ("CombinedRegressionRanking.fit", "X", "long text"),
    ("HullCalibrator.fit", "y", "long text"),
]


def is_slow(name):
    """Whether a callable takes long."""
    return any(part in name for part in SLOW_NAMES)


@cache
def nan_of(name):
    """List the places of NaN in the result of the well-meant call."""
    public = public_callables()[name]
    np.random.seed(0)  # noqa: NPY002 (scikit-learn's own, where no seed is given)
    places = nan_places(all_of(public.function(**public.arguments())))
    plt.close("all")
    return frozenset(places) | DOCUMENTED.get(name, set())


def call_with(name, hostile):
    """Judge a call with the names of hostile values by argument; the others are valid."""
    public = public_callables()[name]
    values = {argument: VALUES[value] for argument, value in hostile.items()}
    try:
        judge(public.function, public.arguments(**values), public.words, nan_of(name))
    finally:
        plt.close("all")


def takes_own_function(hostile):
    """Whether an argument that takes a function is given one."""
    return any(name in CALLBACKS and value in FUNCTIONS for name, value in hostile.items())


def test_every_callable_is_known():
    """Every public name can be called; the arguments of a new one go into callables.py."""
    missing = {
        name: set(public.required) - set(public.right)
        for name, public in public_callables().items()
        if set(public.required) - set(public.right)
    }
    assert missing == {}
    for name in public_callables():
        if not is_slow(name):
            nan_of(name)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if is_slow(name) else ())
        for name, public in public_callables().items()
        if public.asked
    ],
)
@settings(max_examples=settings().max_examples // 10)
@given(data=st.data())
def test_hostile_arguments(name, data):
    arguments = st.sampled_from(public_callables()[name].asked)
    values = st.sampled_from(list(VALUES))
    hostile = st.dictionaries(arguments, values, min_size=1, max_size=2)
    call_with(name, data.draw(hostile.filter(lambda drawn: not takes_own_function(drawn))))


@pytest.mark.parametrize(("name", "argument", "value"), FOUND)
def test_arguments_that_failed(name, argument, value):
    call_with(name, {argument: value})


# ---------------------------------------------------------------------- the judge judges


def fail(error):
    def failing(**_):
        raise error

    return failing


@pytest.mark.parametrize(
    "call",
    [lambda **_: 1.0, fail(ValueError("x must be a number"))],
)
def test_the_judge_accepts_results_and_refusals(call):
    judge(call, {"x": [0.0]}, {"x"})


def endless(x):
    while True:
        x.append(x.pop())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda **_: {"a": [np.array([np.nan])]}, r"NaN in result\[\]\[\]"),
        (fail(ValueError("unhashable")), "no argument named: ValueError: unhashable"),
        (fail(ValueError(f"x must be {'long' * 1000}")), "a message of 4,010 letters"),
        (fail(KeyError("x")), "x"),
        (lambda x: np.float64(1) / np.float64(x[0]), "divide by zero"),
        (lambda x: x.append(1), "x was changed"),
        (endless, "more than 0.05 seconds"),
    ],
)
def test_the_judge_finds_faults(call, fault):
    with pytest.raises(
        (AssertionError, KeyError, RuntimeWarning, pytest.fail.Exception), match=fault
    ):
        judge(call, {"x": [0.0]}, {"x"}, seconds=0.05)
