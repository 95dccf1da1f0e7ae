"""Hostile values for every argument of every public callable."""

import numpy as np
import traitlets
from callables import public_callables
from judge import all_of, judge, nan_places
from matplotlib import pyplot as plt
from values import VALUES

#: Exceptions with which explorers refuse inputs, and stories files.
REFUSALS = (ValueError, TypeError, traitlets.TraitError, OSError)

_ALLOWED = {}

#: Where the reference says that a value does not exist: of scores that are no probabilities, of
#: an interval that nobody asked for, or of a single class.
DOCUMENTED = {
    "auc_interval": (".standard_error",),
    "ordered_volume": (".standard_error",),
    "hand_till_auc": (".standard_error",),
    "partial_auc": (".standard_error",),
    "cross_auc": (".standard_error",),
    **dict.fromkeys(("ScoringList.evaluate", "ProbabilisticScoringList.evaluate"), (".auc",)),
    # what is missing is NaN
    **dict.fromkeys(("ScoringListRanker.encode", "ProbabilisticScoringList.encode"), ("",)),
    **{
        name: (
            *(f".{part}.{end}" for part in parts for end in ("value", "lower", "upper")),
            *(f"{curve}.{end}" for end in ("observed", "lower", "upper")),
        )
        for name, curve, parts in (
            ("flexible_calibration", "", ("ici", "e50", "e90")),
            (
                "calibration_summary",
                ".curve",
                (
                    *("observed_expected", "intercept", "slope", "ici", "e50", "e90"),
                    *("curve.ici", "curve.e50", "curve.e90"),
                ),
            ),
        )
    },
    "compare_classifiers": (
        *(".brier", ".refinement", ".miscalibration", ".discrimination", ".log_loss"),
        *(".calibration_error", ".calibration_low", ".calibration_high", ".calibration_p"),
    ),
}


def cases():
    """List every case as (callable, argument, name of the hostile value)."""
    return [
        (one.name, argument, value)
        for one in public_callables().values()
        for argument in one.asked
        for value in VALUES
        if not (value in FUNCTIONS and argument in CALLBACKS)
    ]


#: Arguments that take a function, which may raise anything.
CALLBACKS = ("progress", "should_stop", "loss", "statistic")
FUNCTIONS = ("function", "function that fails", "class")


def nan_of(name):
    """List the places of NaN in the result of the well-meant call."""
    if name not in _ALLOWED:
        one = public_callables()[name]
        np.random.seed(0)  # noqa: NPY002 (scikit-learn's own, where no seed is given)
        places = nan_places(all_of(one.function(**one.arguments())))
        _ALLOWED[name] = frozenset((*places, *DOCUMENTED.get(name, ())))
        plt.close("all")
    return _ALLOWED[name]


def run(case):
    """Describe the fault of a case, or return ``None``."""
    name, argument, value = case
    one = public_callables()[name]
    allowed = nan_of(name)
    arguments = one.arguments(**{argument: VALUES[value]})
    try:
        return judge(one.function, arguments, one.words, allowed, REFUSALS)
    finally:
        plt.close("all")


def reproduction(case):
    """Write a line that reproduces a case."""
    name, argument, value = case
    right = [key for key in public_callables()[name].right if key != argument]
    rest = f", the right {', '.join(right)}" if right else ""
    return f"{name}({argument}=<{value}>{rest})"


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
    ("Story.show", "at", "minus one"),
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
