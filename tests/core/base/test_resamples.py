"""Resamples of counted samples."""

import numpy as np
import pytest

from rocviz.core.base.resamples import CountedSamples
from rocviz.core.decisions import threshold_interval


@pytest.fixture
def few_cells(monkeypatch):
    """Draw single samples however few cells there are."""
    monkeypatch.setattr("rocviz.core.base.resamples._MIN_CELLS_OF_SINGLE_DRAWS", 1)


@pytest.mark.parametrize("min_cells", [1, 100])  # samples of cells with few are drawn, or counts
def test_samples_are_drawn_with_replacement(monkeypatch, min_cells):
    monkeypatch.setattr("rocviz.core.base.resamples._MIN_CELLS_OF_SINGLE_DRAWS", min_cells)
    counts = np.array([3.0, 0.0, 1.0, 6.0, 10.0])
    rng = np.random.default_rng(0)
    samples = CountedSamples(counts)
    drawn = np.array([samples.draw(rng) for _ in range(6000)])
    assert (drawn.sum(axis=1) == 20).all()
    assert not drawn[:, 1].any()
    share = counts / 20
    expected = 20 * (np.diag(share) - np.outer(share, share))
    error = np.sqrt(np.diag(expected) / 6000)
    assert (np.abs(drawn.mean(axis=0) - counts) <= 4 * error).all()
    assert np.cov(drawn.T) == pytest.approx(expected, abs=0.25)


@pytest.mark.usefixtures("few_cells")
def test_fractions_are_drawn_as_shares_of_the_rounded_total():
    samples = CountedSamples(np.array([0.5, 1.0, 0.0, 2.7]))
    drawn = np.array([samples.draw(np.random.default_rng(seed)) for seed in range(50)])
    assert (drawn.sum(axis=1) == 4).all()
    assert not drawn[:, 2].any()


@pytest.mark.usefixtures("few_cells")
def test_cells_without_samples_are_not_drawn():
    assert CountedSamples(np.array([9.0, 0.0])).draw(np.random.default_rng(0)).tolist() == [9, 0]


def test_an_interval_of_a_threshold_hardly_depends_on_how_samples_are_drawn(monkeypatch):
    rng = np.random.default_rng(1)
    y = rng.random(2000) < 0.4
    score = rng.normal(1.5 * y)
    by_counts = threshold_interval(y, score, n_resamples=400)
    monkeypatch.setattr("rocviz.core.base.resamples._MIN_CELLS_OF_SINGLE_DRAWS", 1)
    by_samples = threshold_interval(y, score, n_resamples=400)
    assert not np.array_equal(by_counts.resampled, by_samples.resampled)
    assert by_samples.gap == by_counts.gap
    assert by_samples.regret == pytest.approx(by_counts.regret, rel=0.2)
    assert by_samples.lower == pytest.approx(by_counts.lower, abs=0.15)
    assert by_samples.upper == pytest.approx(by_counts.upper, abs=0.15)
