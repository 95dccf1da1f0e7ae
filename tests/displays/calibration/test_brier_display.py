from itertools import pairwise

import numpy as np
import pytest
from sklearn.metrics import brier_score_loss

from rocviz import BrierDisplay, RankedSegments, brier_decomposition


def test_bars_are_the_decomposition(data):
    parts = brier_decomposition(*data)
    bars = BrierDisplay.from_predictions(*data).bars_
    for term in ("calibration_loss", "refinement_loss", "miscalibration", "uncertainty"):
        assert bars[term].get_width() == pytest.approx(getattr(parts, term))
    assert bars["hull"].get_width() == pytest.approx(parts.uncertainty - parts.discrimination)
    for left, right in (("calibration_loss", "refinement_loss"), ("miscalibration", "hull")):
        assert bars[right].get_x() == pytest.approx(bars[left].get_width())
        end = bars[right].get_x() + bars[right].get_width()
        assert end == pytest.approx(brier_score_loss(*data))


def test_every_number_is_written(data, words):
    display = BrierDisplay.from_predictions(*data, name="model")
    parts = display.decomposition
    text = words(display.ax_)
    for value in (
        parts.calibration_loss,
        parts.refinement_loss,
        parts.miscalibration,
        parts.brier - parts.miscalibration,
        parts.uncertainty,
        parts.resolution,
        parts.discrimination,
    ):
        assert f"{value:.3f}" in text
    assert display.ax_.get_title(loc="left") == f"Brier score of model {parts.brier:.3f}"


def test_models_of_the_same_data_share_the_last_bar(data, models, words):
    display = BrierDisplay.from_predictions(data[0], models)
    assert ["uncertainty" in bars for bars in display.bars_] == [False, False, True]
    for name, parts in zip(models, display.decomposition, strict=True):
        assert f"{name}: {parts.brier:.3f}" in words(display.ax_)
    assert words(display.ax_).count("knowing only the prevalence") == 1


def test_models_of_different_data_have_their_own_last_bar(data, words):
    y, p = data
    segments = {
        "all": RankedSegments.from_scores(y, p),
        "some": RankedSegments.from_scores(y[20:100], p[20:100]),
    }
    display = BrierDisplay(segments).plot()
    assert ["uncertainty" in bars for bars in display.bars_] == [True, True]
    assert words(display.ax_).count("knowing only the prevalence") == 2


@pytest.mark.parametrize("weight", [None, np.linspace(0.2, 3, 300)])
def test_note_when_nearly_every_score_is_unique(data, words, weight):
    y, p = data
    unique = np.linspace(0, 1, 300)[np.argsort(np.argsort(p, kind="stable"))]
    noted = BrierDisplay.from_predictions(y, unique, sample_weight=weight)
    assert noted.decomposition.refinement_loss == 0
    assert "occurs once" in words(noted.ax_)
    assert "occurs once" not in words(BrierDisplay.from_predictions(y, p, sample_weight=weight).ax_)


def test_bars_lie_within_the_axes_and_do_not_overlap(models, data):
    display = BrierDisplay.from_predictions(data[0], models)
    low, high = sorted(display.ax_.get_ylim())
    spans = {}
    for bars in display.bars_:
        for bar in bars.values():
            assert low <= bar.get_y() <= bar.get_y() + bar.get_height() <= high
            assert bar.get_x() + bar.get_width() <= display.ax_.get_xlim()[1] + 1e-12
            spans.setdefault(bar.get_y(), bar.get_height())
    starts = sorted(spans)
    assert len(starts) == 7
    assert all(a + spans[a] < b for a, b in pairwise(starts))


def test_constructor_takes_results(data):
    segments = RankedSegments.from_scores(*data)
    display = BrierDisplay(segments).plot(name="other")
    assert "other" in display.ax_.get_title(loc="left")
    with pytest.raises(ValueError, match="n_samples"):
        BrierDisplay(segments, n_samples=0)
