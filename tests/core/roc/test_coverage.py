"""Simulated coverage: the block arithmetic, the known table, and being stopped."""

import re
from itertools import count

import numpy as np
import pytest

from rocviz.core.base.progress import SimulationStopped
from rocviz.core.roc.auc_intervals import METHODS, auc_interval
from rocviz.core.roc.coverage import _block_ends, simulate_coverage

# coverage of 95 % intervals over 1500 repetitions, computed independently of the project
TABLE = {
    (100, 0.5, 0.80): {
        "delong": 0.924, "widened-delong": 0.954, "fermi-dirac": 0.927,
        "hanley-mcneil": 0.932, "logit-delong": 0.941,
    },
    (200, 0.1, 0.95): {
        "delong": 0.838, "widened-delong": 0.979, "fermi-dirac": 0.799,
        "hanley-mcneil": 0.972, "logit-delong": 0.901,
    },
    (1000, 0.05, 0.90): {
        "delong": 0.925, "widened-delong": 0.973, "fermi-dirac": 0.850,
        "hanley-mcneil": 0.992, "logit-delong": 0.940,
    },
    (1000, 0.02, 0.99): {
        "delong": 0.728, "widened-delong": 0.983, "fermi-dirac": 0.599,
        "hanley-mcneil": 0.989, "logit-delong": 0.823,
    },
}  # fmt: skip


@pytest.mark.parametrize("setting", TABLE)
def test_the_table(setting):
    n_repeats = 400
    result = simulate_coverage(*setting, n_repeats=n_repeats, random_state=0)
    for method, coverage in zip(result.methods, result.coverage, strict=True):
        known = TABLE[setting][method]
        error = np.sqrt(known * (1 - known) * (1 / n_repeats + 1 / 1500))
        assert coverage == pytest.approx(known, abs=3 * error), method


@pytest.mark.parametrize(("n_pos", "n_neg"), [(12, 20), (3, 40), (1, 6), (6, 1)])
def test_blocks_give_the_intervals_of_each_data_set(n_pos, n_neg):
    rng = np.random.default_rng(0)
    n = n_pos + n_neg
    score = rng.normal(size=(30, n))
    score[:, :n_pos] += 1.5
    is_pos = np.argsort(-score, axis=1) < n_pos
    lower, upper, missing = _block_ends(is_pos, METHODS, 0.9, 50, np.random.default_rng(1))
    resampling = np.random.default_rng(1)
    for row in range(30):
        for i, method in enumerate(METHODS):
            interval = auc_interval(
                is_pos[row],
                -np.arange(n),
                method=method,
                confidence=0.9,
                n_resamples=50,
                random_state=resampling,
            )
            assert lower[i, row] == pytest.approx(interval.lower, abs=1e-12)
            assert upper[i, row] == pytest.approx(interval.upper, abs=1e-12)
            assert missing[i, row] == interval.is_fallback


def test_result():
    coverage = simulate_coverage(50, 0.3, 0.85, n_repeats=200, confidence=0.8, random_state=0)
    assert (coverage.n_pos, coverage.n_neg, coverage.n_repeats) == (15, 35, 200)
    assert (coverage.auc, coverage.confidence) == (0.85, 0.8)
    np.testing.assert_allclose(coverage.coverage + coverage.too_high + coverage.too_low, 1)
    np.testing.assert_allclose(
        coverage.standard_error**2, coverage.coverage * (1 - coverage.coverage) / 200
    )
    assert ((coverage.mean_width > 0.05) & (coverage.mean_width < 0.4)).all()
    frame = coverage.to_frame()
    methods = ["widened-delong", "logit-delong", "delong", "hanley-mcneil", "fermi-dirac"]
    assert frame["method"].tolist() == methods
    assert frame["coverage"].tolist() == coverage.coverage.tolist()
    wide = simulate_coverage(50, 0.3, 0.85, n_repeats=200, random_state=0)
    assert (wide.mean_width > coverage.mean_width).all()
    assert (wide.coverage > coverage.coverage).all()


def test_one_positive_gives_delong_no_variance():
    coverage = simulate_coverage(
        20, 0.001, 0.8, methods=["delong", "hanley-mcneil"], n_repeats=50, random_state=0
    )
    assert coverage.n_pos == 1
    assert coverage.fallbacks[0] == 1
    assert coverage.fallbacks[1] < 1
    assert coverage.coverage[0] > 0.9
    assert simulate_coverage(20, 0.999, 0.8, n_repeats=2, random_state=0).n_neg == 1


def test_blocks_change_nothing(monkeypatch):
    whole = simulate_coverage(50, 0.3, 0.85, n_repeats=100, random_state=0)
    monkeypatch.setattr("rocviz.core.roc.coverage._CELLS_PER_BLOCK", 350)
    parts = simulate_coverage(50, 0.3, 0.85, n_repeats=100, random_state=0)
    np.testing.assert_array_equal(whole.coverage, parts.coverage)
    np.testing.assert_allclose(whole.mean_width, parts.mean_width)
    # the bootstrap sees the same data
    methods = ["bootstrap", "delong"]
    few = {"n_resamples": 50, "random_state": 0}
    both = simulate_coverage(50, 0.3, 0.85, methods=methods, n_repeats=100, **few)
    i = whole.methods.index("delong")
    assert both.mean_width[1] == pytest.approx(whole.mean_width[i])


def test_a_stopped_simulation_has_no_result(monkeypatch):
    monkeypatch.setattr("rocviz.core.roc.coverage._CELLS_PER_BLOCK", 350)
    stops = count()
    with pytest.raises(SimulationStopped, match="there is no result"):
        simulate_coverage(50, 0.3, 0.85, n_repeats=100, should_stop=lambda: next(stops) == 3)
    assert next(stops) == 4


@pytest.mark.slow
def test_the_table_of_the_documentation(root):
    rows = re.findall(
        r"^\| (\d+), ([\d.]+), ([\d.]+) \| (.+) \|$",
        (root / "docs" / "auc_intervals.md").read_text("utf-8"),
        re.MULTILINE,
    )
    assert len(rows) == len(TABLE)
    for n, prevalence, auc, cells in rows:
        result = simulate_coverage(
            int(n), float(prevalence), float(auc), n_repeats=200, random_state=0
        )
        for printed, coverage in zip(cells.split(" | "), result.coverage, strict=True):
            known = float(printed)
            error = np.sqrt(known * (1 - known) * (1 / result.n_repeats + 1 / 20000))
            assert coverage == pytest.approx(known, abs=3 * error + 0.0005)
