"""A part of the area: exact, additive, with intervals that hold."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from rocviz.core.curve_spaces.partial_auc import partial_auc
from rocviz.core.roc.auc_variance import delong_variance
from rocviz.core.roc.binormal import binormal_scores
from rocviz.core.roc.segments import RankedSegments


def ranking(n=300, decimals=1, seed=0):
    data = binormal_scores(n, separation=1.2, decimals=decimals, random_state=seed)
    return data.y_true, data.y_prob


@pytest.mark.parametrize("high", [0.05, 0.3, 0.77, 1.0])
def test_standardised_areas_are_those_of_scikit_learn(high):
    y, score = ranking()
    area = partial_auc(y, score, high=high)
    if high < 1:
        assert area.standardised == pytest.approx(roc_auc_score(y, score, max_fpr=high), abs=1e-12)
    else:
        assert area.area == pytest.approx(roc_auc_score(y, score), abs=1e-12)


def test_parts_add_up():
    segments = RankedSegments.from_scores(*ranking())
    edges = [0, 0.13, 0.4, 0.41, 1]
    parts = [partial_auc(segments, low=a, high=b).area for a, b in pairwise(edges)]
    assert sum(parts) == pytest.approx(segments.auc, abs=1e-12)


def test_over_the_whole_range_it_is_the_auc():
    segments = RankedSegments.from_scores(*ranking())
    whole = partial_auc(segments, low=0, high=1)
    assert whole.standard_error**2 == pytest.approx(
        delong_variance(segments.pos, segments.neg), rel=0.15
    )
    assert whole.lower < whole.area < whole.upper


def test_standard_error_is_that_of_new_samples():
    areas = []
    for seed in range(120):
        y, score = ranking(400, None, seed)
        areas.append(partial_auc(y, score, high=0.3, n_resamples=40))
    spread = np.std([part.area for part in areas], ddof=1)
    mean = np.mean([part.standard_error for part in areas])
    # the standard deviation of 120 areas has a relative standard error of about 6.5 %
    assert 0.7 < mean / spread < 1.25


@pytest.mark.parametrize("segments", [([2, 1], [5, 0], [0, 7]), ([1], [5], [7])])
def test_data_without_variation_give_no_certain_area(segments):
    segments = RankedSegments(*segments)
    area = partial_auc(segments, low=0, high=0.4, n_resamples=50)
    assert area.is_fallback
    assert np.isnan(area.standard_error)
    assert 0 <= area.lower < area.area <= area.upper <= 0.4 + 1e-12
    wider = partial_auc(segments, low=0, high=0.4, n_resamples=50, confidence=0.999)
    assert wider.lower <= area.lower
    assert not partial_auc(RankedSegments.from_scores(*ranking())).is_fallback
