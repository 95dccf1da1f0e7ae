"""A wrong value of an argument is refused by its name, wherever the argument is taken."""

import re
from inspect import signature

import numpy as np
import pytest
from callables import SCORE, Y, public_callables
from matplotlib import pyplot as plt

NAN, INF = float("nan"), float("inf")
WITH_NAN = np.r_[SCORE[:-1], NAN]
#: Where an argument of this name means something else, or another check comes first.
OTHERS = {
    "band": ("stops",),
    "beta": ("FermiDirac.from_parameters", "ConfusionTable.metric"),
    "calibration": ("ScoringList.from_counts",),
    "classes": ("compare_classifiers", "ProbabilisticScoringList.from_table", "ModelComparison"),
    "correlation": ("EnsembleDisplay",),
    "cv": ("compare_decisions",),
    "names": ("parse_formula",),
    "other": ("Comparison.difference",),
    "item": ("from_experiment",),
    "name": ("^exercises", "^Confusion", "load_class_scores"),
    "pos_label": ("from_partitions", "from_scores", "from_rows", "Display$", "ScoreCard"),
    "sample_weight": (
        "ScoreCounts.from_scores",
        "RowCounts.from_rows",
        "StageDisplay",
        "ScoringListExplorer",
    ),
    "thresholds": ("RowCounts.from_partitions",),
    "y": ("compare_", "ScoringList", "RowCounts", "nearest_cut", "from_estimator"),
    "y_prob": ("calibration_sample_size", "best_empirical_threshold"),
    "y_score": ("GroupPolicy", "GroupRule"),
    "y_true": ("ordered_volume", "confusion_matrix", "ScoreCounts"),
}

#: Arguments that mean the same everywhere: wrong values, each with words of the refusal.
WRONG = {
    "allowed_scores": [([1], "must map features to scores")],
    "alpha": [(-1, "must be at least 0")],
    "auc": [(1.5, "must be (from 0 to 1|strictly between 0|above 0.5|one-dim)")],
    "average": [("micro", "must be (one of hand-till|a FoldAverage)")],
    "band": [("?", "must be (one of|True or False|a ROCBand or a mapping)")],
    "beam_width": [(0, "must be an integer of at least 1")],
    "beta": [(-1, "must be at least 0"), (INF, "must be a finite number")],
    "binarize": [("never", "must be one of in-search, preprocess")],
    "border": [(INF, "must be a finite number")],
    "budget": [(-1, "needs feature_costs")],
    "by": [("bin", "must be one of")],
    "calibration": [("platt", "must be one of")],
    "categorical_features": [("all", "must be 'from_dtype', or a mask")],
    "classes": [(["a"], "must hold at least two labels")],
    "confidence": [(1.0, "must be strictly between 0 and 1"), ("0.9", "must be a finite number")],
    "correction": [("holm", "must be ('bonferroni' or None|one of)")],
    "correlation": [(7, "must be (from 0 to 1|one or more numbers)")],
    "cost_fn": [(-1, "must be (at least|greater than) 0"), (INF, "must be a finite number")],
    "cost_fp": [
        (-1, "must be at least 0"),
        (1e13, r"and cost_fn must have positive values within a factor of 1e\+12"),
    ],
    "coverage": [(0.95, "must be a CoverageResult")],
    "criterion": [("fair", "must be one of")],
    "curve_kwargs": [({"colour": "C1"}, "(must hold properties of|are for curves)")],
    "cv": [("five", "must be a number of folds"), (40, "40 folds need 40 samples of each class")],
    "cv_results": [({"estimator": []}, "has no 'indices'"), ({}, "has no 'estimator' and no")],
    "data": [("both", "must be one of train, test")],
    "decimals": [(-1, "must be an integer of at least 0 and at most 15")],
    "decisions": [(3, "must be one or more Decision"), ({}, "is empty")],
    "estimator": [(3, "must be a (fitted )?(classifier|ProbabilisticScoringList|FiDEL|LexRank)")],
    "examples": [(3, "must be one or more"), ([], "must be one or more")],
    "experiment": [(3, "must be an? ")],
    "feature_costs": [([1, -2], "must (not be negative|be positive)")],
    "flexible": [("smooth", "must be True or False")],
    "fold": [([1], "must have one entry per sample"), ([[1]] * 12, "must be one-dimensional")],
    "folds": [(3, "must be")],
    "groups": [([1, 2], "must have one entry per sample")],
    "hull": [("yes", "must be True or False")],
    "interpolation": [("cubic", "must be one of step, linear")],
    "interval": [("wald", "must be one of auto, wilson")],
    "intervals": [(3, "must be AUCInterval"), ([], "must be AUCInterval"), ({}, "is an empty")],
    "item": [(300, "must be an integer of .* at most 11"), (-1, "must be an integer")],
    "kind": [("?", "must be one of")],
    "limits": [(3, "must be two numbers"), ([0.4, 0.4], "must increase"), ([0, 2], "must be from")],
    "link": [("probit", "must be one of step, sigmoid")],
    "lookahead": [(0, "must be an integer of at least 1")],
    "loss": [("hinge", "must be one of")],
    "loss_cutoff": [("low", "must be a finite number")],
    "lower": [(-0.1, "must be from 0 to 1")],
    "m": [(-1, "must be at least 0"), ("two", "must be a finite number")],
    "max_iter": [(0, "must be an integer of at least 1")],
    "max_levels": [(17, "must be an integer of at")],
    "max_stages": [(-1, "must be an integer of at least 0")],
    "max_vertices": [(1, "must be an integer of at least 2")],
    "method": [("wald", "must be one of")],
    "methods": [(["wald"], "must be (one of|among)"), ([], "(is empty|must be)")],
    "metric": [("gini", "must be one of"), (3, "must be (one of|text)")],
    "metrics": [([], "is empty")],
    "missing": [("drop", "must be one of error")],
    "mix": [(1.5, "must be from 0 to 1")],
    "n_points": [(2, "must be an integer of at least 3")],
    "n_repeats": [(1, "must be an integer of at least 2")],
    "n_resamples": [(1, "must be (0 or|an integer of) at least")],
    "n_samples": [(0, "must be|must have a value for each group")],
    "n_slices": [(99, "must be an integer of at least 1 and at most 12")],
    "n_test": [(0, "must be an integer of at least")],
    "name": [(3, "must be text"), ("\ud800", "must be text")],
    "names": [(["a"], "must be 2 ")],
    "objective": [("sum", "must be one of mean, last")],
    "order": [([0, 0], "must be (different columns from 0 to 1|a LexicographicOrder)")],
    "other": [(3, "must be (RankedSegments|RowCounts|ScoreCounts)")],
    "over_confidence": [(-1, "must be (greater than 0|at least 0.05)")],
    "paper": [("a5", "must be one of a4, letter")],
    "penalty": [(-1, "must be at least 0")],
    "plug_in": [("yes", "must be True or False")],
    "point": [([0.5, 0.5, 0.5], "must sum to 1; got 1.5")],
    "policy": [(3, "must be a GroupPolicy")],
    "pooled": [("yes", "must be True or False")],
    "pos_label": [(7, "=7 is not one of the labels")],
    "preferred": [([1], "must be 2 values, each 0 or 1")],
    "prefix": [(["?"], r"must be a list of \(feature, score, ...\)")],
    "prevalence": [
        (2, "must be"),
        (NAN, "must be"),
        (1e-10, r"must (be from 1e-09 to 1 - 1e-09|be a mapping|have a value for each group)"),
    ],
    "prior": [
        (1.5, "must be (from 0 to 1|one-dimensional)"),
        (1e-10, "must be (from 1e-09 to 1 - 1e-09|one-dimensional)"),
    ],
    "progress": [(3, "must be a function or None")],
    "random_part": [([0.5, 0.6], "must be a finite number")],
    "random_state": [("x", "(must be None, an integer, a|: 'x' cannot be used to seed)")],
    "rank_context": [("test", "must be one of validation, batch")],
    "rankings": [(3, "must map at least one group"), ({}, "must map at least one group")],
    "regression_loss": [("hinge", "must be one of logistic, squared")],
    "response_method": [("predict", "must be one of auto")],
    "results": [(3, "must be (EnsembleScores|a ClassifierComparison)")],
    "sample_weight": [
        ([-1, *[1] * 11], "must not be negative; the smallest is -1"),
        ([1, 1], "must have one entry per sample"),
        ([0] * 12, "is zero for every sample"),
        ([*[1] * 11, 1e13], r"must have positive values within a factor of 1e\+12"),
    ],
    "score_set": [((), "must be integers other than 0")],
    "scores": [({}, "(is empty; at least one|must be numbers)")],
    "scoring_list": [(3, "must be a ScoringList")],
    "search": [("random", "must be one of greedy, beam, exhaustive")],
    "segment": [(99, "must be an integer of at least 0 and at most")],
    "segments": [([1, 2], "must be RankedSegments"), ({}, "(must be Ranked|is an empty)")],
    "separation": [(NAN, "must be a finite number")],
    "should_stop": [(3, "must be a function or None")],
    "shown": [(["a"], "must be three of the classes"), ([0, 0, 1], "must be three of the classes")],
    "shrinkage": [(2, "must be from 0 to 1"), ("much", "must be one of auto")],
    "simultaneous": [("yes", "must be True or False")],
    "size": [(0, "must be at least 1")],
    "smoothing": [(-1, "must be at least 0")],
    "space": [("roe", "must be one of roc, precision_recall")],
    "spread_ratio": [(0, "must be greater than 0"), (1e308, "must have positive")],
    "stage": [(99, "must be (an integer of at least|a? ?ScoringStage)")],
    "strategy": [("own", "must be one of disjoint")],
    "surface": [(3, "must be a FermiDiracSurface")],
    "test": [(([[0, 1]],), r"must be \(X, y\)"), ([[0, 1]], r"must be \(X, y\)")],
    "test_size": [(1.0, "must be strictly between 0 and 1")],
    "theme": [("pink", "must be one of light, dark"), (3, "must be a Theme")],
    "threshold": [("x", "must be a (finite )?number")],
    "thresholds": [("some", "must be (one of brute, bisect|numbers|True or False)")],
    "title": [(3, "must be text")],
    "tol": [(-1, "must be (at least|greater than) 0")],
    "tolerance": [(-1, "must be from 0 to 1")],
    "totals": [([NAN], "must be finite")],
    "tree": [(3, "must be a LexicographicTree")],
    "upper": [(90, "must be from 0 to 1")],
    "use": [("lower", "must be one of point")],
    "validation_size": [(0, "must be strictly between 0 and 1")],
    "width": [(-1.0, "must be greater than 0")],
    "words": [([("a", "b", "c")], "must be 2 triples")],
    "y": [(np.ones(12), "(holds one class only|must hold exactly two)")],
    "y_prob": [
        (WITH_NAN, "must (be finite; 1 of 12 values|have shape)"),
        (2 * SCORE, r"must (be probabilities within \[0, 1\]; found .* 1.8|have shape)"),
    ],
    "y_score": [
        (WITH_NAN, "must be finite; 1 of 12 values are NaN or inf"),
        ([0.1], "must have one entry per sample"),
    ],
    "y_true": [
        (np.r_[Y[:-1], NAN], "must not hold NaN or inf; 1 values do"),
        (np.ones(12), "(must hold exactly two classes|holds the 1 labels)"),
    ],
    "zero_division": [(INF, "must be a finite number"), ("warn", "must be a finite number")],
}


#: Explorers check data as everything else does, though some want labels and scores together, and
#: their states check inputs.
EXPLORERS = {
    **dict.fromkeys(("groups", "pos_label", "sample_weight"), "Explorer$"),
    **dict.fromkeys(("y_prob", "y_score", "y_true"), "Explorer$"),
    "y": "ScoringListExplorer",
}


def takes(argument):
    """List the public callables that take an argument."""
    others = ["Story", EXPLORERS.get(argument, "Explorer"), *OTHERS.get(argument, ())]
    return [
        one
        for name, one in public_callables().items()
        if argument in one.asked and not any(re.search(part, name) for part in others)
    ]


@pytest.mark.parametrize("argument", ["sample_weight", "pos_label"])
def test_what_is_optional_for_every_sample_is_given_by_name(argument):
    for one in takes(argument):
        parameter = signature(one.function).parameters.get(argument)
        assert parameter is None or parameter.kind is not parameter.POSITIONAL_OR_KEYWORD, one.name


@pytest.mark.filterwarnings("ignore")  # of so few samples
def test_sums_of_legal_weights_are_legal():
    for one in takes("sample_weight"):
        for light in (4, 5):
            weight = np.full(12, 1e6)
            weight[light] = 1e-6
            one.function(**one.arguments(sample_weight=lambda weight=weight: weight))


@pytest.mark.filterwarnings("ignore")  # of so few samples
@pytest.mark.parametrize("argument", WRONG)
def test_a_wrong_value_is_refused_by_name(argument):
    assert takes(argument)
    for one in takes(argument):
        for value, words in WRONG[argument]:
            arguments = one.arguments(**{argument: lambda value=value: value})
            with pytest.raises(ValueError, match=rf"^{argument}\b(\[.*?\])?:?\s?{words}"):
                one.function(**arguments)
            assert plt.get_fignums() == [], one.name
