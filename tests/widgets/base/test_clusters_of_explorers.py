"""Explorers that show intervals or tests take clusters, and show what the core gives with them."""

import inspect

import numpy as np
import pytest
import traitlets

import rocviz.widgets
from rocviz import auc_interval, hand_till_auc, roc_band
from rocviz.core.roc import auc_test
from rocviz.widgets.ensembles import EnsembleExplorer
from rocviz.widgets.multiclass import MulticlassExplorer
from rocviz.widgets.roc import ROCExplorer

#: Explorers of the user's samples without clusters, and why.
NO_CLUSTERS = {
    "DecisionExplorer": "there is no interval",
    "FermiDiracExplorer": "it compares methods for independent samples",
    "GroupsExplorer": "there is no interval",
    "LexicographicExplorer": "there is no interval",
    "RankingLossExplorer": "there is no interval",
    "ScoringListExplorer": "intervals are of the counts that a list keeps",
}

RNG = np.random.default_rng(0)
PATIENT = np.repeat(np.arange(50), 5)
Y = (RNG.random(50) < 0.4)[PATIENT].astype(int)
SHIFT = RNG.normal(size=50)[PATIENT]
SCORE = 1 / (1 + np.exp(1 - 1.5 * Y - SHIFT - 0.3 * RNG.normal(size=PATIENT.size)))
OTHER = 1 / (1 + np.exp(1 - 0.9 * Y - SHIFT - 0.3 * RNG.normal(size=PATIENT.size)))
NAMES = [f"patient {number:02}" for number in PATIENT]
KINDS = Y + (PATIENT % 3 == 0)
PROB = (RNG.dirichlet([1, 1, 1], KINDS.size) + 0.3 * np.eye(3)[KINDS]) / 1.3


def explorers():
    """Find the explorers, each of which is a class."""
    for idea in set(rocviz.widgets.__all__) - {"base", "data_of"}:
        room = getattr(rocviz.widgets, idea)
        for name in room.__all__:
            if name.endswith("Explorer"):
                yield name, getattr(room, name)


def test_explorers_take_clusters_or_show_no_interval_of_samples():
    without = set()
    for name, explorer in explorers():
        if "clusters" not in inspect.signature(explorer).parameters:
            without.add(name)
    assert without == set(NO_CLUSTERS)


def run(code):
    """Run the code of an explorer, and give what it defines."""
    names = {}
    exec(code, names)
    return names


@pytest.fixture
def explorer():
    explorer = ROCExplorer(Y, {"a": SCORE, "b": OTHER}, clusters=NAMES, show_band=True, model="a")
    yield explorer
    explorer.close()


def test_the_auc_is_that_of_clusters(explorer):
    table = explorer.result.to_frame()
    for name, score in (("a", SCORE), ("b", OTHER)):
        expected = auc_interval(Y, score, clusters=NAMES)
        assert table.loc[name, "auc_low"] == pytest.approx(expected.lower)
        assert table.loc[name, "auc_high"] == pytest.approx(expected.upper)
    test = auc_test(Y, SCORE, OTHER, clusters=NAMES)
    assert table.loc["b", "p_value"] == pytest.approx(test.p_value)


def test_the_band_is_that_of_clusters(explorer):
    band = roc_band(Y, SCORE, clusters=NAMES)
    np.testing.assert_allclose(explorer.result.band.lower, band.lower)


def test_rates_have_the_intervals_of_clusters(explorer):
    rows = ROCExplorer(Y, SCORE, threshold=0.5)
    explorer.threshold = 0.5
    wide = explorer.to_frame()
    narrow = rows.to_frame()
    for rate in ("tpr", "fpr", "precision"):
        assert wide.loc[rate, "value"] == pytest.approx(narrow.loc[rate, "value"])
        widths = [frame.loc[rate, "upper"] - frame.loc[rate, "lower"] for frame in (wide, narrow)]
        assert widths[0] > 1.3 * widths[1]
    ends = explorer.result.curve.rate_interval(explorer.result.table, "tpr", 0.95, 1.0)
    assert tuple(wide.loc["tpr", ["lower", "upper"]]) == pytest.approx(ends)
    rows.close()


def test_the_number_of_clusters_is_said(explorer):
    assert "in 50 clusters" in explorer.about


def test_code_computes_the_same_interval(explorer):
    names = run(explorer.code())
    assert names["interval"].lower == pytest.approx(explorer.result.to_frame().loc["a", "auc_low"])
    np.testing.assert_allclose(names["band"].lower, explorer.result.band.lower)


def test_joined_segments_keep_their_clusters():
    score = SCORE.round(1)
    explorer = ROCExplorer(Y, score, clusters=NAMES)
    explorer.coarsen(2)
    joined = explorer.result.curve
    merged = joined.segments
    assert np.unique(joined.samples.scores[0]).size == len(merged)
    assert 0 < explorer.result.to_frame()["auc_low"].iloc[0] < merged.auc
    explorer.close()


def test_a_band_that_knows_no_clusters_is_refused(explorer):
    with pytest.raises(traitlets.TraitError, match="knows no clusters: choose bootstrap"):
        explorer.band_method = "kolmogorov-smirnov"
    assert explorer.band_method == "bootstrap"


@pytest.mark.parametrize("weight", [None, np.where(PATIENT == 1, 0, 1)])
def test_the_auc_of_several_classes_is_that_of_clusters(weight):
    explorer = MulticlassExplorer(KINDS, PROB, clusters=NAMES, sample_weight=weight)
    expected = hand_till_auc(KINDS, PROB, clusters=NAMES, sample_weight=weight)
    assert explorer.result.auc.lower == pytest.approx(expected.lower)
    assert run(explorer.code())["ranked"].lower == pytest.approx(expected.lower)
    explorer.close()


def test_the_gain_of_a_crowd_is_tested_by_clusters():
    scores = {"a": SCORE, "b": OTHER, "c": (SCORE + RNG.random(SCORE.size)) / 2}
    explorer = EnsembleExplorer(Y, scores, clusters=NAMES)
    rows = explorer.data.rows
    unit = explorer.data.unit
    assert np.unique(PATIENT[rows]).size == unit.max() + 1 < 50
    split = run(explorer.code())
    np.testing.assert_array_equal(split["judge"], rows)
    assert not set(PATIENT[split["fit"]]) & set(PATIENT[rows])
    best = list(scores.values())[explorer.result.best]
    crowd = run(explorer.code())["crowd"].score
    expected = auc_test(Y[rows], crowd, best[rows], clusters=PATIENT[rows])
    assert explorer.result.test.p_value == pytest.approx(expected.p_value)
    explorer.close()


def test_a_calibration_is_judged_on_other_clusters():
    explorer = ROCExplorer(Y, SCORE, clusters=NAMES, held_out=True)
    names = run(explorer.code())
    assert not set(PATIENT[names["fit"]]) & set(PATIENT[names["judge"]])
    judged = explorer.result.calibrated.segments
    assert names["judged"].n_samples == judged.n_samples
    explorer.close()


@pytest.mark.parametrize(
    "opened",
    [
        lambda **more: ROCExplorer(Y, SCORE, **more),
        lambda **more: MulticlassExplorer(KINDS, PROB, **more),
        lambda **more: EnsembleExplorer(Y, {"a": SCORE, "b": OTHER}, **more),
    ],
)
def test_missing_clusters_are_refused(opened):
    with pytest.raises(ValueError, match="clusters must name the cluster of every sample; 1 of"):
        opened(clusters=[None, *NAMES[1:]])
    with pytest.raises(ValueError, match="one entry per sample"):
        opened(clusters=NAMES[1:])


def test_clusters_need_samples():
    from rocviz import RankedSegments

    with pytest.raises(ValueError, match="clusters must come with y_true and y_score"):
        ROCExplorer(clusters=NAMES)
    with pytest.raises(ValueError, match="give nothing else with them"):
        ROCExplorer(RankedSegments.from_scores(Y, SCORE), clusters=NAMES)
    with pytest.raises(ValueError, match="at least two clusters with samples of each class"):
        ROCExplorer(Y, SCORE, clusters=Y)
