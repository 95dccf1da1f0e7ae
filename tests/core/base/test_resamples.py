"""Resamples of counted samples."""

import numpy as np
import pytest

from rocviz.core.base.resamples import cells_to_draw, draw_counts
from rocviz.core.decisions import threshold_interval


@pytest.fixture
def few_cells(monkeypatch):
    """Draw single samples however few cells there are."""
    monkeypatch.setattr("rocviz.core.base.resamples._MIN_CELLS_OF_SINGLE_DRAWS", 1)


@pytest.mark.usefixtures("few_cells")
def test_samples_and_counts_are_drawn_alike():
    counts = np.array([3.0, 0.0, 1.0, 6.0])
    cells = cells_to_draw(counts)
    assert cells.tolist() == [0, 0, 0, 2, 3, 3, 3, 3, 3, 3]
    rng = np.random.default_rng(0)
    for given in (cells, None):
        drawn = np.array([draw_counts(counts, given, rng) for _ in range(4000)])
        assert (drawn.sum(axis=1) == 10).all()
        assert not drawn[:, 1].any()
        error = np.sqrt(10 * counts / 10 * (1 - counts / 10) / 4000)
        assert (np.abs(drawn.mean(axis=0) - counts) <= 5 * error).all()
        assert drawn[:, 3].var() == pytest.approx(10 * 0.6 * 0.4, rel=0.1)


@pytest.mark.usefixtures("few_cells")
@pytest.mark.parametrize("counts", [[0.5, 1.0], [100.0, 1.0]])
def test_fractions_and_full_cells_are_drawn_as_counts(counts):
    assert cells_to_draw(np.array(counts)) is None


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
