"""How results look in a notebook: a few lines, whatever their size."""

import importlib
import pkgutil
import re
from dataclasses import fields
from pathlib import Path

import callables
import numpy as np
import pytest

import rocviz
from rocviz.core.base.frozen import Frozen
from rocviz.core.calibration import calibration_map, calibration_sample_size, calibration_summary
from rocviz.core.comparison import bootstrap_interval, calibration_error
from rocviz.core.curve_spaces import average_precision, partial_auc
from rocviz.core.decisions import exhaustive_decision, is_monotonic
from rocviz.core.multiclass import ordered_volume, simplex_map
from rocviz.core.ranking_loss import ranking_bound_examples, ranking_regret
from rocviz.core.roc import auc_test, predictive_values, rank_pairs, sensitivity_at_specificity
from rocviz.core.roc.segments import reliability_points, score_histogram
from rocviz.widgets import (
    decisions,
    ensembles,
    fermi_dirac,
    groups,
    lexicographic,
    multiclass,
    ranking_loss,
    roc,
    scoring_lists,
)

#: Results that have no methods to call, so that ``callables`` does not make them.
MORE = {
    "AUCInterval": lambda: rocviz.auc_interval(callables.segments()),
    "AUCTest": lambda: auc_test(callables.Y, callables.SCORE, callables.OTHER),
    "AveragePrecision": lambda: average_precision(callables.Y, callables.SCORE),
    "FixedRate": lambda: sensitivity_at_specificity(callables.Y, callables.SCORE, specificity=0.5),
    "PredictiveValues": lambda: predictive_values(
        rocviz.ConfusionTable(tp=4, fp=2, fn=2, tn=4), prevalence=0.2
    ),
    "BetaMap": lambda: calibration_map(callables.segments(), method="beta"),
    "BootstrapInterval": lambda: bootstrap_interval(
        callables.Y, callables.SCORE, n_resamples=50, random_state=0
    ),
    "CalibrationError": lambda: calibration_error(
        callables.Y, callables.SCORE, n_resamples=50, random_state=0
    ),
    "Decisions": lambda: callables.counted_list().decide(callables.BITS, lower=0.2, upper=0.8),
    "Estimate": lambda: calibration_summary(callables.Y, callables.SCORE, n_resamples=0).ici,
    "ExhaustiveDecision": lambda: exhaustive_decision(callables.SCORE[:6]),
    "HullSimplexMap": lambda: simplex_map(callables.KINDS, callables.SHARES, method="hull"),
    "Monotonicity": lambda: is_monotonic("f", n=5),
    "OrderedVolume": lambda: ordered_volume(callables.KINDS, callables.SCORE, classes=[0, 1, 2]),
    "RankedPairs": lambda: rank_pairs(callables.Y, callables.SCORE),
    "PartialAUC": lambda: partial_auc(callables.segments(), n_resamples=50),
    "RankingBoundExample": lambda: ranking_bound_examples()[0],
    "RankingRegret": lambda: ranking_regret(callables.SCORE, callables.OTHER),
    "ReferralDraw": lambda: callables.referral_policy(callables.segments(), max_referred=0.2).draw,
    "UpdateMeasures": lambda: (
        callables.update_model(callables.Y, callables.SCORE, method="none").before
    ),
    "ReliabilityPoints": lambda: reliability_points(callables.segments()),
    "SampleSize": lambda: calibration_sample_size(auc=0.8, prevalence=0.4, width=0.2),
    "ScoreHistogram": lambda: score_histogram(callables.segments()),
    "SigmoidMap": lambda: calibration_map(callables.segments(), method="sigmoid"),
    "StageBand": lambda: callables.counted_list().stages[2].band(),
    "StageScores": lambda: callables.counted_list().evaluate(callables.BITS, callables.Y),
    "Step": lambda: ranking_loss.RankingLossState().result.top,
    "DecisionResult": lambda: decisions.DecisionState().result,
    "EnsembleResult": lambda: ensembles.EnsembleState().result,
    "FermiDiracResult": lambda: fermi_dirac.FermiDiracState().result,
    "GroupsResult": lambda: groups.GroupsState().result,
    "LexicographicResult": lambda: lexicographic.LexicographicState().result,
    "MulticlassResult": lambda: multiclass.MulticlassState().result,
    "ROCResult": lambda: roc.ROCState().result,
    "RankingLossResult": lambda: ranking_loss.RankingLossState().result,
    "ScoringListResult": lambda: scoring_lists.ScoringListState().result,
}
MAKERS = {
    name: make
    for name, make in (callables.INSTANCES | MORE).items()
    if not name.endswith("Display") and name not in ("Story", "PairwiseLoss", "PairwiseLossAt")
}


def subclasses(kind):
    """Find all classes below one."""
    below = kind.__subclasses__()
    for subclass in kind.__subclasses__():
        below += subclasses(subclass)
    return below


def results_within(value, depth=0):
    """Find a result and those in its fields, tuples and dictionaries."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, Frozen):
        within = [value]
        entries = [getattr(value, field.name) for field in fields(value)]
    else:
        within = []
        entries = value if isinstance(value, tuple) else ()
    if depth < 4:
        for entry in entries:
            within += results_within(entry, depth + 1)
    return within


def take_samples(monkeypatch, size):
    """Let ``callables`` make its results from so many samples."""
    rng = np.random.default_rng(0)
    score = rng.random(size)
    other = rng.random(size)
    columns = np.column_stack((score, other))
    shares = np.column_stack((score, other * (1 - score), (1 - other) * (1 - score)))
    data = {
        "Y": np.arange(size) % 2,
        "SCORE": score,
        "OTHER": other,
        "X": columns,
        "BITS": (columns > 0.5).astype(int),
        "G": np.repeat(["a", "b"], (size // 2, size - size // 2)),
        "KINDS": np.arange(size) % 3,
        "SHARES": shares,
    }
    for name, values in data.items():
        monkeypatch.setattr(callables, name, values)


def check_short(result):
    text = repr(result)
    lines = text.splitlines()
    assert 1 <= len(lines) <= 8
    assert max(len(line) for line in lines) <= 88
    assert type(result).__name__ in lines[0]
    if type(result).__repr__ is Frozen.__repr__:
        for field in fields(result):
            value = getattr(result, field.name)
            assert f"{field.name}=" in text or not field.repr
            if isinstance(value, bool | int):
                assert f"{field.name}={value}" in text
            elif isinstance(value, float):
                assert float(re.search(rf"\b{field.name}=([^,)]+)", text)[1]) == pytest.approx(
                    value, rel=1e-5, nan_ok=True
                )
    html = result._repr_html_()
    assert html.count("<table") == 1
    assert html.count("<tr") <= 25
    assert len(html) < 10_000


def test_every_public_result_is_looked_at():
    for module in pkgutil.walk_packages(rocviz.__path__, "rocviz."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    root = Path(rocviz.__file__).parent
    stubs = " ".join(path.read_text() for path in root.rglob("__init__.pyi"))
    public = {
        kind.__name__
        for kind in subclasses(Frozen)
        if re.search(rf"import {kind.__name__}\b", stubs)
    }
    assert len(public) > 70
    assert public <= MAKERS.keys()


@pytest.mark.filterwarnings("ignore")  # of some methods, about such data
@pytest.mark.parametrize("name", MAKERS)
def test_results_are_short_for_many_samples(name, monkeypatch):
    take_samples(monkeypatch, 300)
    result = MAKERS[name]()
    within = results_within(result)
    assert within[0] is result
    for part in within:
        check_short(part)


@pytest.mark.filterwarnings("ignore")  # of so few samples
@pytest.mark.parametrize("name", MAKERS)
def test_results_are_short_for_few_samples(name, monkeypatch):
    for size in (3, 4, 6, 12):
        take_samples(monkeypatch, size)
        try:
            result = MAKERS[name]()
        except ValueError:
            assert size < 12  # too few for this result
        else:
            break
    for part in results_within(result):
        check_short(part)
