"""A wrong value of an argument is refused by its name, wherever the argument is taken."""

import re
from inspect import signature

import numpy as np
import pytest
from callables import SCORE, X, Y, public_callables
from matplotlib import pyplot as plt

from rocviz import RankedSegments
from rocviz.core.decisions import resolve_metric

NAN, INF = float("nan"), float("inf")
WITH_NAN = np.r_[SCORE[:-1], NAN]
A = RankedSegments.from_scores(Y, SCORE)
#: Where an argument of this name means something else, or another check comes first.
OTHERS = {
    "band": ("stops",),
    "beta": ("FermiDirac.from_parameters", "ConfusionTable.metric"),
    "calibration": ("ScoringList.from_counts",),
    "classes": ("compare_classifiers", "ProbabilisticScoringList.from_table", "ModelComparison"),
    "correlation": ("EnsembleDisplay",),
    "cv": ("compare_decisions",),
    "limits": ("nearest_threshold_index",),
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
    "y": ("compare_", "ScoringList", "RowCounts", "nearest_threshold_index", "from_estimator"),
    "y_prob": ("calibration_sample_size", "best_empirical_threshold"),
    "y_score": ("GroupPolicy", "GroupRule", "ReferralPolicy"),
    "y_true": ("ordered_volume", "confusion_matrix", "ScoreCounts"),
}

#: Arguments that mean the same everywhere: wrong values, each with words of the refusal.
WRONG = {
    "allowed_scores": [([1], "must map features to scores")],
    "alpha": [(-1, "must be at least 0")],
    "auc": [(1.5, "must be (from 0 to 1|strictly between 0|above 0.5|one-dim)")],
    "average": [("micro", "must be (one of hand-till|FoldAverage)")],
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
    "cost_referral": [(-1, "must be at least 0"), (INF, "must be a finite number")],
    "npv": [(1, "must be strictly between 0 and 1")],
    "ppv": [("high", "must be a finite number")],
    "max_referred": [(1.5, "must be from 0 to 1")],
    "guarantee": [(1, "must be strictly between 0 and 1")],
    "sites": [([1, 2], "must have one entry per")],
    "significance_level": [(0, "must be strictly between 0 and 1")],
    "n_folds": [(1, "must be an integer of at least 2")],
    "scale": [("odds", "must be one of identity, log, logit")],
    "curve_kwargs": [
        (value, "(must (hold|be)|are for curves|has|: )")
        for value in ({"colour": "C1"}, {"color": "no colour"}, [{}] * 9, [3], "red")
    ],
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
    "fold": [([1], "must have one entry per sample"), ([[1, 2]] * 12, "must be one-dimensional")],
    "folds": [(3, "must be")],
    "clusters": [
        ([1, 2], "must have one entry per sample"),
        ([1, 1, 2, NAN] * 3, "must name the cluster of every sample; 3 of 12 are missing"),
        (["a", "b", None] * 4, "must name the cluster of every sample; 4 of 12"),
    ],
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
    "policy": [(3, "must be a (Group|Referral)Policy")],
    "pooled": [("yes", "must be True or False")],
    "pos_label": [(7, "=7 is not one of the labels")],
    "preferred": [([1], "must be 2 values, each 0 or 1")],
    "prefix": [(["?"], r"must be a list of \(feature, score, ...\)")],
    "prevalence": [
        (2, "must be"),
        (NAN, "must be"),
        (1e-10, r"must (be from 1e-09 to 1 - 1e-09|be a mapping|have a value for each group)"),
    ],
    "primary": [("model 9", "must be one of")],
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


#: Arguments that are wrong in one place, put among right ones, and words of the refusal.
OWN = {
    "ConfusionMatrix": [
        ({"counts": np.eye(3)}, "counts must have a row and a column"),
        ({"counts": -np.eye(2)}, "counts must be finite, not negative"),
        ({"counts": np.zeros((2, 2))}, "not all zero"),
    ],
    "ConfusionMatrix.metric": [
        ({"name": "f2"}, "name must be one of accuracy"),
        ({"name": "cost", "cost_matrix": np.eye(2)[:1]}, "cost_matrix must have a row"),
    ],
    "ConfusionMatrix.table": [
        ({"label": "z"}, "label must be one of the classes 0, 1, 2; got 'z'")
    ],
    "ConfusionTable": [({"tp": -1}, "tp must be at least 0")],
    "ConfusionTable.at_prevalence": [({"prevalence": 1e-12}, "prevalence must be from 1e-09")],
    "ConfusionTable.metric": [({"name": "auc"}, "name must be one of accuracy, cost")],
    "ConfusionTable.proportion": [({"name": "f1"}, "name must be one of tpr")],
    "FermiDirac.from_auc": [
        ({"n_pos": 0}, "^n_pos must be an integer of at least 1; got 0"),
        ({"n_neg": 2.5}, r"^n_neg must be an integer of at least 1; got 2\.5"),
        ({"auc": 1 - 1e-10}, "^auc must be from 1e-09 to 1 - 1e-09, or exactly 0 or 1"),
    ],
    "FermiDirac.from_parameters": [
        ({"beta": 0.0}, "^beta must not be 0"),
        ({"beta": 1e-13}, r"^beta must be 0, infinite, or from 1e-12 to 1e\+12 in size; got 1e-13"),
        ({"beta": NAN}, "^beta must be a number; got nan"),
        ({"beta": True}, "^beta must be a number; got True"),
        ({"chemical_potential": INF}, "^chemical_potential must be a finite number; got inf"),
        ({"chemical_potential": 900.0}, "^chemical_potential leaves practically one class only"),
        ({"chemical_potential": -900.0}, "^chemical_potential leaves practically one class only"),
        ({"beta": INF, "chemical_potential": 0.5}, "^chemical_potential leaves practically one"),
    ],
    "FermiDirac.from_temperature": [
        ({"temperature": NAN}, "^temperature must be a number"),
        ({"temperature": 1e300}, "^temperature must be 0, infinite, or from 1e-12"),
    ],
    "FermiDirac.probability": [({"rank": [1, NAN]}, "^rank must be finite")],
    "FermiDirac.tpr": [({"rank": [-1, 3]}, "^rank must be from 0 to 25; found -1 to 3")],
    "LexicographicOrder.rank": [({"X": [[1]]}, "X must have the 2 columns of this order; got 1")],
    "LexicographicTree.counts": [({"depth": 3}, "depth must be an integer")],
    "LexicographicTree.to_text": [
        ({"values": values}, "^values must be 2 pairs of words; got")
        for values in ("0.5", ["a", "b", "c"], 5, [("a", "b")])
    ],
    "LinearFractional": [
        ({"c": (1, 2)}, "^c must be three or four numbers; got"),
        ({"d": "abc"}, "^d must be three or four numbers; got 'abc'"),
        ({"d": (1, NAN, 0)}, r"^d\[1\] must be a finite number"),
        ({"c": (1, True, 3)}, r"^c\[1\] must be a finite number"),
        ({"d": (0, 0, 0)}, "^d is zero throughout"),
    ],
    "ProbabilisticScoringList": [
        *(
            ({"calibration_data": data}, "calibration_data")
            for data in ("test", 1, 1.5, 1e-300, True)
        ),
        ({"calibration_data": 100}, "100 folds need 100 samples of each class"),
        ({"prefix": [("fever", 1)]}, "'fever' is not a column number"),
        ({"prefix": [(9, 1)]}, "no column 9; X has 2"),
        ({"feature_costs": [1]}, "feature_costs must have one entry per column of X"),
        ({"feature_costs": {0: 0}}, "feature_costs must be positive"),
        ({"feature_costs": {0: "x"}}, "feature_costs of 0 must be a finite number"),
    ],
    "ROCExplorer": [
        ({"labels": ("a", "b")}, "labels must come with y_true and y_score"),
        *(
            ({"y_true": Y, "y_score": SCORE, "labels": labels}, f"^labels {words}")
            for labels, words in (
                ("ab", "must be the names of the negative and of the positive class"),
                (["a"], "must name two classes"),
                (["a", "a"], "gives two classes the same name, 'a'"),
                ({0: "a", 2: "b"}, "names 2, which is not one of the labels 0, 1"),
                (["a", ""], "must not hold a blank name"),
            )
        ),
        ({"y_true": Y, "y_score": SCORE, "labels": [1, 2]}, "a name in labels must be text"),
    ],
    "RankEnsemble.select": [
        ({"members": []}, "members.*one or more"),
        ({"members": [0, 0]}, "members.*different"),
        ({"members": [5]}, "members.*at most 1"),
    ],
    "ScoringList.decide": [
        ({"lower": 0.6, "upper": 0.4}, "^lower must not be above upper; got 0.6 and 0.4"),
        ({"feature_costs": [1]}, "^feature_costs must have one entry per column of X; got 1"),
        ({"feature_costs": [1, 1e13]}, "^feature_costs must have positive values within"),
    ],
    "ScoringList.from_counts": [
        ({"scores": [1.5, 1]}, "^scores must be whole numbers; got 1.5"),
        ({"features": [0]}, r"^features must have one entry per score; got shape \(1,\)"),
        ({"features": [0, -1]}, "^features must be columns, counted from 0; got -1"),
        ({"features": [0.5, 1]}, "^features must be whole numbers"),
        ({"features": [0, 2]}, "^X must have at least 3 columns, .* asks for column 2; got 2"),
        ({"thresholds": [1]}, "^thresholds must have one entry per score"),
        ({"missing_scores": [1, 0]}, "^missing_scores must be zero unless"),
        ({"feature_names": "a"}, "^feature_names must have one name"),
        ({"feature_names": ["a"]}, "^feature_names must have one name"),
        ({"y": [0, 1, 1]}, "^X and y must have the same length; got 12 rows and 3"),
        ({"y": [2] * 12}, "^y must hold exactly two classes; found 1"),
        ({"y": []}, "^y is empty"),
        ({"X": [0, 1]}, r"^X must be two-dimensional.*shape \(2,\).*reshape"),
        ({"X": [["a", "b"]] * 12}, "^X must be numbers"),
        ({"X": [[0.5, 0]] * 12}, "^x0 has no threshold, so X must hold 0 or 1.*0.5"),
        ({"X": [[INF, 0]] * 12, "thresholds": [0, 0]}, "^X must be finite or NaN; x0 holds"),
        ({"X": [[NAN, 0]] * 12}, "^X has 12 missing values of x0; only a list learned with"),
    ],
    "ScoringList.from_table": [
        ({"table": [{0: 0.3}]}, "^table must have one row more than scores, .* got 1 for 2"),
        ({"table": [{0: 0.3}] * 3}, "^table row 1 must hold the totals .* reached, 1, 0; got 0"),
        ({"table": [{0: 0.3}, {0: 0.3, 1: 0.2}, {}]}, "^table row 1: probability must not fall"),
        ({"table": [{0: 1.3}, {}, {}]}, "^table row 0: probability must be probabilities"),
    ],
    "ScoringStage": [
        ({"totals": []}, "^totals is empty"),
        ({"totals": [1.5, 0]}, "^totals must be whole numbers"),
        ({"totals": [1, 1]}, "^totals must strictly decrease"),
        ({"probability": [1]}, "^probability must have one entry per total; got 1 for 2"),
        ({"probability": [1.5, 0]}, "^probability must be probabilities within"),
        ({"probability": [0.2, 0.3]}, "^probability must not fall when the total rises"),
        ({"pos": [1, 2]}, "^pos and neg belong together"),
        ({"pos": [1], "neg": [1, 2]}, "^pos and neg must have the same shape"),
        ({"pos": [1], "neg": [2]}, "^pos and neg must have one entry per total; got shape"),
        ({"pos": [1, 2], "neg": [1, -2]}, "^neg must be finite and not negative"),
        ({"pos": [0, 0], "neg": [0, 0]}, "^pos and neg are zero everywhere"),
        ({"pos": [1e-20, 0], "neg": [0, 1e20]}, "^pos and neg must have positive values within"),
    ],
    "ScoringListRanker.fit": [
        ({"y": None}, "or give pairs"),
        ({"pairs": [(0, 1)]}, "not both"),
        ({"y": None, "pairs": [(0, 12)]}, "from 0 to 11; found 0 to 12"),
        ({"y": np.arange(12) % 3}, "two classes are needed"),
        ({"sample_weight": Y}, "one class only"),
        ({"y": None, "pairs": [(0, 1)], "sample_weight": [1, 2]}, "sample_weight"),
    ],
    "SpaceCurve.nearest_threshold_index": [
        ({"limits": 3}, "^limits must be two pairs of finite numbers"),
        ({"limits": np.zeros(12)}, "^limits must be two pairs of finite numbers"),
        ({"limits": [[0, 1], [1, 0]]}, "^limits must be two pairs of finite numbers"),
        ({"limits": [[0, 1], [0, INF]]}, "^limits must be two pairs of finite numbers"),
    ],
    "auc_sample_size": [
        ({"width": None}, "give either standard_error or width"),
        ({"standard_error": 0.1}, "give either standard_error or width"),
        ({"width": None, "standard_error": 0.0}, "standard_error"),
        ({"prevalence": 1e-10}, "prevalence must be from 1e-09 to"),
    ],
    "batch_labels": [
        ({"n_steps": -1}, "n_steps must be an integer of at least 0"),
        ({"y_prob": np.empty((0, 3))}, "y_prob is empty"),
        ({"y_prob": np.full((60_000, 2), 0.5)}, "y_prob of 60000 rows of 2 classes would"),
    ],
    "best_simplex_point": [
        ({"cost_matrix": 1 - np.eye(3)}, "give either metric or cost_matrix"),
        ({"start": [1, 1, 1]}, "start must sum to 1"),
    ],
    "binomial_interval": [
        ({"successes": 3, "trials": 2}, "0 <= successes <= trials"),
        ({"trials": INF}, "must be finite"),
        ({"trials": [3, 4, 5]}, "successes and trials must have shapes that broadcast"),
    ],
    "calibration_map": [
        ({"m": 1e306}, "m, prior and the weights of segments must have positive values within"),
    ],
    "bootstrap_interval": [
        ({"statistic": 3}, "statistic must be callable; got int"),
        ({"statistic": lambda s: "much"}, "statistic must return a number"),
        ({"statistic": lambda s: NAN}, "statistic must return a finite number"),
        ({"clusters": np.array([1, 2, "a"] * 4, dtype=object)}, "clusters must be of one type"),
        ({"clusters": np.zeros(12)}, "clusters must have at least two"),
    ],
    "calibration_sample_size": [
        ({"measure": "ici"}, "measure"),
        ({"auc": None}, "auc is needed"),
        ({"prevalence": None}, "prevalence is needed"),
        ({"y_prob": [0.2, 0.4]}, "either y_prob, or prevalence and auc"),
        ({"width": None}, "either standard_error or width"),
        ({"standard_error": 0.1}, "either standard_error or width"),
        ({"width": 1e-9}, "samples or more"),
        ({"prevalence": None, "auc": None, "y_prob": [0.0, 0.5]}, "strictly between 0 and 1"),
        ({"prevalence": None, "auc": None, "y_prob": [0.5, 0.5]}, "two different values"),
    ],
    "calibration_summary": [
        ({"clusters": np.zeros(12)}, "clusters must have at least two"),
        ({"y_true": A, "y_prob": None, "clusters": Y}, "clusters can only be given with labels"),
    ],
    "label_at_point": [
        ({"point": [0.5, 0.5]}, "point must have one entry per class; got 2 for 3"),
        ({"point": [0.5, 0.5, 0.0]}, "point must be positive"),
        ({"classes": ["a", "b"]}, "classes must have one label"),
    ],
    "label_regions": [
        ({"point": None}, "either point or cost_matrix"),
        ({"point": [0.5, 0.5]}, "point must have one entry per class; got 2 for 3"),
    ],
    "cost_optimal_labels": [
        ({"cost_matrix": np.eye(2)}, "cost_matrix must have a row for each true class"),
        ({"cost_matrix": -np.eye(3)}, "cost_matrix must hold finite numbers"),
        ({"cost_matrix": np.eye(3)}, "cost_matrix must have a wrong prediction that costs more"),
        ({"cost_matrix": 1e13 - (1e13 - 1) * np.eye(3)}, "cost_matrix must have po"),
    ],
    "compare_classifiers": [
        ({"scores": {"1": SCORE, 1: SCORE}}, "two models of the same name"),
        ({"scores": np.zeros((2, 2, 2))}, "got shape"),
        ({"scores": {"a": [0.1, 0.2]}}, r"scores\['a'\] must have one entry per sample"),
        ({"scores": {"a": ["x"] * 12}}, r"scores\['a'\] must be numbers"),
        ({"clusters": np.stack((Y, Y), axis=1)}, "clusters must be one-dimensional"),
        ({"clusters": [1] * 11 + [2]}, "at least two clusters with samples of each class"),
        ({"y_true": [0] * 11 + [1]}, "each class a weight of more than 1"),
    ],
    "compare_decisions": [
        ({"metrics": []}, "metrics is empty"),
        ({"metrics": [resolve_metric("f")]}, "need names"),
        ({"batch_size": 25}, "at most 24"),
        ({"cv": 1}, "cv must be an integer of at least 2"),
        ({"cv": 40}, "40 folds need 40 training samples"),
    ],
    "compare_net_benefit": [
        ({"scores": {"a": 2 * SCORE}}, r"scores\['a'\] must be probabilities"),
        ({"scores": {"treat all": SCORE}}, "scores must not name a model 'treat all'"),
        ({"clusters": np.zeros(12)}, "clusters must hold at least two clusters"),
        ({"thresholds": [0.4, 0.4]}, "thresholds"),
    ],
    "compare_ranking_methods": [
        ({"setting": "hard"}, "setting must be one of"),
        ({"labelled": 0}, "labelled"),
        ({"setting": "imbalanced", "prevalence": 0.001}, "prevalence asks for 0 of the 54"),
        ({"setting": "imbalanced", "prevalence": 0.9}, "prevalence asks for 486 of the 54"),
        ({"setting": "positive-unlabelled", "labelled": 0.001}, "labelled asks for 0 of"),
        ({"X": np.eye(5), "y": [0, 0, 0, 0, 1]}, "test_size splits a class of 1 samples"),
    ],
    "confusion_matrix": [
        ({"y_pred": ["a"]}, "y_pred must have one entry per sample"),
        ({"y_true": ["a"], "y_pred": ["a"]}, "hold one label; write classes="),
        ({"y_true": [], "y_pred": []}, "y_true is empty"),
        ({"y_true": ["a"], "y_pred": ["c"], "classes": ["a", "b"]}, "y_pred holds the label"),
    ],
    "consistency_experiment": [
        ({"n_train": []}, "n_train must be whole numbers of at least 2"),
        ({"n_train": [1, 20]}, "n_train must be whole numbers of at least 2"),
        ({"n_train": [20.5]}, "n_train must be whole numbers of at least 2"),
        ({"n_train": [20, 20]}, "n_train must increase"),
    ],
    "datasets.make_groups": [
        ({"n_samples": (1, 5)}, r"n_samples\[0\]"),
        ({"n_samples": ()}, "1 to 26 entries"),
        ({"prevalence": (0.5,)}, "each of 2 groups"),
        ({"prevalence": (0.5, 2)}, r"prevalence\[1\]"),
        ({"shift": (0, NAN)}, r"shift\[1\]"),
        ({"separation": "ab"}, "separation"),
    ],
    "ensemble_experiment": [
        ({"n_classifiers": [0]}, "n_classifiers must be an integer of at least 1"),
        ({"n_classifiers": []}, "n_classifiers and correlation must each"),
        ({"auc_range": (0.5,)}, "auc_range must be two numbers; got 1"),
        ({"auc_range": (0.5, 1)}, "auc_range must be strictly between"),
    ],
    "ensemble_subsets": [
        ({"y_true": [0] * 11 + [1]}, "at least two samples of each class"),
        ({"sizes": [3]}, "sizes must be an integer of at least 1 and at most 2"),
        ({"sizes": []}, "sizes is empty"),
    ],
    "entropy_thresholds": [
        ({"X": np.zeros((12, 1, 1))}, "a row per sample"),
        ({"X": np.empty((12, 0))}, "a row per sample"),
        ({"X": [[1], [2], [3]]}, "X must have one entry per sample"),
    ],
    "fidel_combine": [
        ({"scores": SCORE}, r"scores must have a row per sample .*\(12,\)"),
        ({"scores": np.empty((12, 0))}, "scores must have a row per sample"),
        ({"scores": np.ones((3, 2))}, "scores must have one entry per sample; got 3 for 12"),
        ({"scores": [[1, "x"]] * 12}, "scores must be a table of numbers"),
        ({"scores": [[1, NAN]] * 12}, "scores holds 12 NaN or infinite values out of 24"),
        ({"scores": {"a": SCORE, "b": [1, 2]}}, r"scores\['b'\] must have one entry"),
        ({"scores": {"a": [*SCORE[1:], INF]}}, r"scores\['a'\] must be finite"),
        ({"new_scores": [[1.0]]}, "new_scores must have one column per classifier, 2; got 1"),
        ({"new_scores": [1.0, 2.0]}, "new_scores must have a row per sample"),
        (
            {"scores": {"a": Y, "b": Y}, "new_scores": {"a": [1], "c": [2]}},
            "new_scores must have .* 'a', 'b'; got 'a', 'c'",
        ),
    ],
    "fold_average": [
        ({"fold": [1] * 12}, "^fold must hold at least two folds; got 1"),
        ({"fold": None}, "y_score and fold are both needed when y_true holds labels"),
        ({"fold": [0, *[1] * 11]}, "fold 0: y_true must"),
        ({"y_true": [A], "y_score": None, "fold": None}, "^y_true must hold at least two folds"),
        (
            {"y_true": [A, 3], "y_score": None, "fold": None},
            r"y_true\[1\] must be RankedSegments.*; got int",
        ),
        (
            {"y_true": [A, A], "y_score": None, "fold": None, "pos_label": 1},
            "sample_weight and pos_label can only be given with labels",
        ),
        ({"test_train_ratio": 0}, "test_train_ratio must be greater than 0"),
    ],
    "hull_over_models": [
        ({"y_true": {}, "scores": None}, "at least one"),
        ({"y_true": {"a": 1}, "scores": None}, r"y_true\['a'\] must be RankedSegments; got int"),
        ({"scores": None}, "scores must be given when y_true holds labels"),
    ],
    "ModelHull.optimal_point": [({"cost_fp": 0, "cost_fn": 0}, "both zero")],
    "isometric": [
        ({"metric": "sec", "value": -0.1}, "sec may have two isometrics of the same value"),
        ({"metric": "prevalence"}, "prevalence is the same at every point"),
        ({"metric": "accuracy", "value": 1.2}, "value of accuracy must be from 0 to 1; got 1.2"),
        ({"value": INF}, "value must be a finite number"),
    ],
    "isometric_through": [({"tpr": 1.1}, "tpr must be from 0 to 1")],
    "learn_scoring_list": [
        ({"score_set": 3}, "score_set must be integers"),
        ({"score_set": (1.5,)}, "score_set must be an integer"),
        ({"score_set": (2000,)}, "at most 1000"),
        ({"allowed_scores": {2: (1,)}}, "allowed_scores: feature must be an integer"),
        ({"allowed_scores": {1: ()}}, r"allowed_scores\[1\] must be integers"),
        ({"lookahead": 2, "search": "beam"}, "lookahead=2 is for search='greedy'"),
        ({"max_states": 0}, "max_states must be an integer"),
        ({"feature_costs": [1, 0]}, "feature_costs must be positive"),
        ({"feature_costs": [1e-7, 1e7]}, "feature_costs must have positive values within"),
        ({"sample_weight": [1e-7, *[1] * 10, 1e7]}, "sample_weight must have positive values"),
        ({"feature_costs": [1, 1], "budget": -1}, "budget must be at least 0"),
        ({"feature_costs": [1, 2], "lookahead": 2}, "feature_costs without a budget"),
        ({"feature_costs": [1, 2], "search": "beam"}, "feature_costs without a budget"),
        ({"prefix": [()]}, "prefix must be a list of"),
        ({"prefix": [(2, 1)]}, "prefix: feature must be an integer"),
        ({"prefix": [(0, 1), (0, 2)]}, "must not name a feature twice; 0 is repeated"),
        ({"prefix": [(0, 0)]}, "prefix: score must be integers other than 0"),
        ({"prefix": [(0, 1, 0.5)]}, "must not have thresholds"),
        ({"prefix": [(0, 1, "x")], "thresholds": "brute"}, "prefix: threshold must be a number"),
        ({"prefix": [(0, 1, None, 0.5)]}, "prefix: missing score must be an integer"),
        ({"prefix": [(0, 1)], "max_stages": 0}, "max_stages must allow for the prefix"),
        ({"sample_weight": Y}, "leaves one class without weight"),
        ({"X": 1 + X.round()}, r"X must be 0 or 1.*column \d holds \d other values, for example 2"),
        ({"X": [[INF]] * 12, "thresholds": "brute"}, "column 0 holds infinite values"),
        ({"X": [[1], [0]]}, "X must have one entry per sample"),
        ({"X": [["a"]] * 12}, "table of numbers"),
        *(
            ({"y": None, "loss": "rank", "pairs": pairs, **more}, words)
            for pairs, more, words in (
                ([[0, 1, 2]], {}, "pairs must be row numbers"),
                (np.empty((0, 2), dtype=int), {}, "at least one pair"),
                ([[0.0, 1.0]], {}, "row numbers of X"),
                ([[0, 12]], {}, "from 0 to 11; found 0 to 12"),
                ([[1, 1]], {}, "two different samples"),
                ([[0, 1]], {"sample_weight": [1, 1]}, "sample_weight must have one entry"),
                ([[0, 1]], {"sample_weight": [0]}, "zero for every sample"),
                ([[0, 1]], {"loss": "entropy"}, "loss must be 'rank' or 'raw_rank' to learn"),
                ([[0, 1]], {"y": Y}, "give either y or pairs"),
                (None, {}, "give either y or pairs"),
            )
        ),
    ],
    "lex_order": [
        ({"X": [0, 1]}, r"X must have shape \(n_samples, n_attributes\)"),
        ({"X": [[0.0, 2.0], *[[1, 1]] * 11]}, "X must hold 0 and 1 only; .* from 0.0 to 2.0"),
        ({"X": [[0.0, NAN], *[[1, 1]] * 11]}, "X must hold 0 and 1 only"),
        ({"X": [[0.5, 0.0], *[[1, 1]] * 11]}, "found values between them"),
        ({"X": [["a", "b"]] * 12}, "got values of type"),
        ({"X": [[0, 1]] * 3}, "X must have one entry per sample"),
        ({"order": [2]}, "order must be different columns"),
        ({"order": [[0]]}, "order must be different columns"),
        ({"order": [0.5]}, "order must be different columns"),
        ({"sample_weight": Y}, "sample_weight leaves one class without weight"),
    ],
    "metric_value": [
        ({"fpr": 1.2}, r"fpr must be within \[0, 1\]"),
        ({"beta": 1e7}, "beta must be 0 or from 1e-06 to 1e.06"),
    ],
    "net_benefit_band": [
        ({"thresholds": [0.3, 0.2]}, "thresholds must strictly increase"),
        ({"thresholds": [0.0, 0.2]}, "thresholds must strictly increase"),
        ({"thresholds": []}, "got 0 of them"),
        (
            {"y_true": RankedSegments([3, 2], [1, 1], [1, 1]), "y_prob": None},
            r"segments\.score must be prob",
        ),
    ],
    "net_benefit_sample_size": [
        ({"threshold": 0}, "threshold"),
        ({"auc": None}, "both sensitivity and specificity"),
        ({"sensitivity": 0.5}, "both sensitivity and specificity"),
        ({"auc": None, "sensitivity": 0.5, "specificity": 2}, "specificity"),
    ],
    "ordered_volume": [
        ({"classes": [0, 1, 2, 3]}, "y_true has no sample of the class 3"),
        ({"classes": [0, 1]}, "y_true holds the label 2"),
        ({"sample_weight": np.full(12, 0.01)}, "sample_weight mu"),
    ],
    "partial_auc": [
        ({"low": 0, "high": 1e-300}, "by at least 1e-09"),
        ({"low": 0.2, "high": 0.2}, "low must be less than high"),
        (
            {"y_true": RankedSegments([2, 1], [1.5, 1], [1, 2]), "y_score": None},
            "sample_weight must be whole numbers",
        ),
    ],
    "point_of_costs": [
        ({"costs": [1, 0]}, "costs must hold a positive number"),
        ({"costs": [1]}, "costs must hold a positive number"),
    ],
    "ranking_bound": [({"prevalence": 1e-10}, "prevalence must be from 1e-09")],
    "ranking_regret": [
        ({"true_prob": 2 * SCORE}, r"true_prob must be probabilities within \[0, 1\]"),
        ({"true_prob": 0 * SCORE}, "true_prob must have a mean from 1e-09 to 1 - 1e-09"),
        ({"true_prob": [], "y_score": []}, "true_prob must have a mean"),
    ],
    "resolve_metric": [
        ({"metric": "f", "beta": 1e7}, "^beta must be 0 or from 1e-06"),
        ({"metric": "cost", "cost_fn": 1e13}, "^cost_fp and cost_fn must have positive values"),
        ({"metric": "cost", "cost_fp": 0.0, "cost_fn": 0.0}, "^cost_fp and cost_fn are both zero"),
    ],
    "shift_point": [({"point": [0.5, 0.5]}, "point must have one entry")],
    "shift_priors": [
        ({"prior": [0.5, 0.5]}, "prior must have one entry per class"),
        ({"new_prior": [0.5, 0.5, 0]}, "new_prior must be positive"),
    ],
    "simplex_map": [({"penalty": 1e9}, r"penalty must be at most 1e\+06")],
    "simulate_capped_link": [
        ({"a": 0.6}, r"a must be at most 1/2; got 0\.6"),
        ({"a": -0.1}, "a must be from 0 to 1"),
        ({"a": 0, "link": "sigmoid"}, "a must be above 0 for a sigmoid"),
    ],
    "simulate_classifiers": [
        ({"auc": []}, "auc must be one or more numbers"),
        ({"auc": [0.6, 1.0]}, r"auc must be .* strictly between 0 and 1; got \[0.6, 1.0\]"),
        ({"correlation": -0.1}, "correlation must be from 0 to 1"),
    ],
    "synthetic_ranking_experiment": [
        ({"a_values": []}, "a_values must be numbers from 0 to 1/2"),
        ({"a_values": [0.6]}, r"a_values must be numbers from 0 to 1/2; got \[0.6\]"),
        ({"methods": "logistic"}, "methods must be a sequence"),
    ],
    "threshold_interval": [({"sample_weight": [0.01] * 12}, "resamples hold one class only")],
    "utility_distribution": [
        ({"labels": [1, 0]}, "^labels must have one entry per sample; got 2 for 12"),
        *(
            ({"labels": labels, "y_prob": [0.5]}, "^labels must be one-dimensional, each 0 or 1")
            for labels in ([2], [0.5], [[1]], ["1"], [None])
        ),
        ({"labels": [], "y_prob": []}, "^y_prob is empty"),
    ],
    "referral_policy": [({"specificity": 0}, "^specificity must be strictly between 0 and 1")],
    "random_effects": [
        (
            {"standard_error": [0.1, 0.0, 0.1]},
            "^standard_error must be positive; the smallest is 0",
        ),
        ({"estimate": [], "standard_error": []}, "^estimate is empty"),
    ],
    "worst_ranking": [
        ({"prevalence": 1e-10}, "prevalence must be from 1e-09"),
        ({"n_segments": 0}, "n_segments"),
    ],
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
def test_optional_columns_are_keyword_only(argument):
    for one in takes(argument):
        parameter = signature(one.function).parameters.get(argument)
        assert parameter is None or parameter.kind is not parameter.POSITIONAL_OR_KEYWORD, one.name


#: Functions whose resamples or bounds take weights as counts of samples.
NEED_WHOLE_WEIGHTS = (
    "partial_auc",
    "ScoringList.guaranteed_limit",
    "ScoringList.guaranteed_limits",
    "ProbabilisticScoringList.guaranteed_limit",
    "ProbabilisticScoringList.guaranteed_limits",
)


@pytest.mark.filterwarnings("ignore")  # of so few samples
def test_sums_of_legal_weights_are_legal():
    for one in takes("sample_weight"):
        if one.name in NEED_WHOLE_WEIGHTS:
            continue
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


@pytest.mark.parametrize(
    ("name", "wrong", "words"),
    [(name, wrong, words) for name, cases in OWN.items() for wrong, words in cases],
)
def test_what_is_wrong_in_one_place_is_refused(name, wrong, words):
    one = public_callables()[name]
    arguments = one.arguments(**{key: lambda value=value: value for key, value in wrong.items()})
    with pytest.raises(ValueError, match=words):
        one.function(**arguments)
