"""Displays whose pictures have intervals take clusters, and draw what the core gives with them."""

import inspect

import numpy as np
import pytest

import rocviz.displays
from rocviz import auc_interval, hand_till_auc, roc_band
from rocviz.core.calibration import flexible_calibration
from rocviz.core.curve_spaces import net_benefit_band
from rocviz.core.groups import group_summary
from rocviz.displays.calibration import ReliabilityDisplay
from rocviz.displays.comparison import ModelComparisonDisplay
from rocviz.displays.curve_spaces import CurveSpaceDisplay
from rocviz.displays.groups import GroupsDisplay
from rocviz.displays.groups.pictures import RATES
from rocviz.displays.multiclass import MulticlassDisplay
from rocviz.displays.roc import AUCIntervalDisplay, ROCHullDisplay

#: Displays of samples without clusters, and why.
NO_CLUSTERS = {
    "BrierDisplay": "there is no interval",
    "CrossValidationDisplay": "folds are the unit, which hold whole clusters",
    "CalibrationMapDisplay": "there is no interval",
    "DecisionDisplay": "there is no interval",
    "EnsembleDisplay": "there is no interval",
    "PairsDisplay": "there is no interval",
    "PeopleDisplay": "there is no interval",
    "ReferralDisplay": "there is no interval",
    "RankingBoundDisplay": "there is no interval",
    "FermiDiracDisplay": "intervals are of slices of the ranking, whose law knows no samples",
}

RNG = np.random.default_rng(0)
PATIENT = np.repeat(np.arange(50), 5)
Y = (RNG.random(50) < 0.4)[PATIENT].astype(int)
PROB = 1 / (1 + np.exp(1 - 1.5 * Y - RNG.normal(size=50)[PATIENT]))
PROB = PROB.round(2)
GROUP = np.array(["a", "b"])[PATIENT % 2]
NAMES = np.array([f"patient {number:02}" for number in PATIENT])


def displays_of_samples():
    """Find the displays that are made from labels and predictions."""
    found = {}
    for idea in rocviz.displays.__all__:
        for name in getattr(getattr(rocviz.displays, idea), "__all__", ()):
            display = getattr(getattr(rocviz.displays, idea), name)
            if inspect.isclass(display) and hasattr(display, "from_predictions"):
                found[name] = display
    return found


def test_displays_take_clusters_or_have_no_interval_of_samples():
    without = set()
    for name, display in displays_of_samples().items():
        for maker in {"from_predictions", "from_estimator"} & set(dir(display)):
            if "clusters" not in inspect.signature(getattr(display, maker)).parameters:
                without.add(name)
    assert without == set(NO_CLUSTERS)


def test_the_band_of_a_curve_is_that_of_clusters():
    display = ROCHullDisplay.from_predictions(Y, PROB, clusters=NAMES)
    band = roc_band(Y, PROB, clusters=NAMES)
    np.testing.assert_allclose(display.band.upper, band.upper)
    two = ROCHullDisplay.from_predictions(
        Y, {"a": PROB, 2: 1 - PROB}, clusters=NAMES, band="bootstrap"
    )
    np.testing.assert_allclose(two.band["a"].lower, band.lower)
    assert set(two.band) == {"a", "2"}
    with pytest.raises(ValueError, match="clusters need method='bootstrap'"):
        ROCHullDisplay.from_predictions(Y, PROB, clusters=NAMES, band="kolmogorov-smirnov")


def test_intervals_of_an_auc_are_those_of_clusters():
    display = AUCIntervalDisplay.from_predictions(Y, PROB, clusters=NAMES, name="model")
    assert [interval.method for interval in display.intervals] == [
        "widened-delong",
        "logit-delong",
        "delong",
    ]
    expected = auc_interval(Y, PROB, clusters=NAMES)
    assert display.intervals[0].lower == pytest.approx(expected.lower)
    with pytest.raises(ValueError, match="knows no clusters"):
        AUCIntervalDisplay.from_predictions(Y, PROB, clusters=NAMES, methods=["bootstrap"])


@pytest.mark.parametrize("by", ["hull", "score"])
def test_intervals_of_a_reliability_diagram_are_those_of_clusters(by):
    once = np.arange(0, PATIENT.size, 5)
    rows = ReliabilityDisplay.from_predictions(Y[once], PROB[once], by=by)
    clustered = ReliabilityDisplay.from_predictions(Y, PROB, by=by, clusters=NAMES)
    for drawn, expected in zip(
        clustered.intervals_.get_segments(), rows.intervals_.get_segments(), strict=True
    ):
        # the design effect of single rows is n / (n - 1)
        np.testing.assert_allclose(drawn, expected, atol=0.06)
    of_rows = ReliabilityDisplay.from_predictions(Y, PROB, by=by)
    widths = []
    for display in (of_rows, clustered):
        segments = np.array(display.intervals_.get_segments())
        widths.append(np.ptp(segments[:, :, 1], axis=1).sum())
    assert widths[1] > 1.2 * widths[0]


def test_the_flexible_curve_has_the_band_of_clusters():
    display = ReliabilityDisplay.from_predictions(Y, PROB, clusters=NAMES, flexible=True)
    curve = flexible_calibration(Y, PROB, clusters=NAMES, n_resamples=0)
    heights = display.band_.get_paths()[0].vertices[:, 1]
    assert heights.max() == pytest.approx(curve.upper.max(), abs=1e-6)


def test_the_band_of_a_decision_curve_is_that_of_clusters():
    display = CurveSpaceDisplay.from_predictions(
        Y, PROB, space="decision", band="pointwise", clusters=NAMES
    )
    vertices = display.band_.get_paths()[0].vertices
    thresholds = np.unique(vertices[:, 0])
    band = net_benefit_band(
        Y, PROB, thresholds=thresholds, clusters=NAMES, simultaneous=False, confidence=0.95
    )
    assert vertices[:, 1].min() == pytest.approx(band.lower.min(), abs=1e-6)


def test_rates_of_groups_have_the_intervals_of_clusters():
    display = GroupsDisplay.from_predictions(
        Y, PROB, GROUP, clusters=NAMES, kind="rates", criterion="single_threshold"
    )
    expected = group_summary(Y, PROB, GROUP, threshold=display.policy, clusters=NAMES)
    rows = group_summary(Y, PROB, GROUP, threshold=display.policy)
    drawn = display._scene().intervals
    for group in ("a", "b"):
        tpr = drawn[group][RATES.index("tpr")]
        assert tpr == pytest.approx(expected.interval(group, "tpr"))
        assert np.ptp(tpr) > np.ptp(rows.interval(group, "tpr"))
    with pytest.raises(ValueError, match="rate must be one of"):
        rows.interval("a", "accuracy")
    with pytest.raises(ValueError, match="group must be one of"):
        rows.interval("c", "tpr")


def test_the_auc_of_several_classes_is_that_of_clusters():
    kinds = Y + (PATIENT % 3 == 0)
    prob = (RNG.dirichlet([1, 1, 1], kinds.size) + 0.3 * np.eye(3)[kinds]) / 1.3
    weight = np.where(PATIENT == 2, 0, 1)
    for weights in (None, weight):
        display = MulticlassDisplay.from_predictions(
            kinds, prob, clusters=NAMES, sample_weight=weights
        )
        expected = hand_till_auc(kinds, prob, clusters=NAMES, sample_weight=weights)
        assert display.auc_.lower == pytest.approx(expected.lower)


@pytest.mark.parametrize(
    "draw",
    [
        lambda **more: ROCHullDisplay.from_predictions(Y, PROB, **more),
        lambda **more: AUCIntervalDisplay.from_predictions(Y, PROB, **more),
        lambda **more: ReliabilityDisplay.from_predictions(Y, PROB, **more),
        lambda **more: CurveSpaceDisplay.from_predictions(Y, PROB, **more),
        lambda **more: GroupsDisplay.from_predictions(Y, PROB, GROUP, **more),
        lambda **more: ModelComparisonDisplay.from_predictions(
            Y, {"a": PROB, "b": 1 - PROB}, **more
        ),
        lambda **more: MulticlassDisplay.from_predictions(
            Y, np.column_stack((1 - PROB, PROB)), **more
        ),
    ],
)
def test_missing_clusters_are_refused(draw):
    with pytest.raises(ValueError, match="clusters must name the cluster of every sample; 1 of"):
        draw(clusters=["", *NAMES[1:]])
    with pytest.raises(ValueError, match="one entry per sample"):
        draw(clusters=NAMES[1:])
