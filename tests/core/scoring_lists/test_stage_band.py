"""Bands of a stage: the paper's three steps against direct formulas; order, coverage."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from scipy.stats import beta, norm

from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.stage import ScoringStage

METHODS = ("clopper-pearson", "wilson", "jeffreys")


def single(p, n, alpha, method):
    """Interval of one proportion from p positives and n negatives (weights allowed)."""
    if method == "clopper-pearson":
        lower = beta.ppf(alpha / 2, p, n + 1) if p else 0.0
        return lower, beta.ppf(1 - alpha / 2, p + 1, n) if n else 1.0
    if p + n == 0:
        return 0.0, 1.0
    if method == "jeffreys":
        lower = beta.ppf(alpha / 2, p + 0.5, n + 0.5) if p else 0.0
        return lower, beta.ppf(1 - alpha / 2, p + 0.5, n + 0.5) if n else 1.0
    z = norm.ppf(1 - alpha / 2)
    t = p + n
    centre = p / t + z * z / 2 / t
    half = z * np.sqrt(p * n / t**3 + (z / 2 / t) ** 2)
    scale = 1 + z * z / t
    lower = (centre - half) / scale if p else 0.0
    upper = (centre + half) / scale if n else 1.0
    return lower, upper


def by_hand(stage, confidence, method, corrected):
    """The three steps, total by total."""
    alpha = (1 - confidence) / (len(stage) if corrected else 1)
    ends = [single(p, n, alpha, method) for p, n in zip(stage.pos, stage.neg, strict=True)]
    every = range(len(stage))
    rows = []
    for i in every:
        lower = max(ends[j][0] for j in every if stage.totals[j] <= stage.totals[i])
        upper = min(ends[j][1] for j in every if stage.totals[j] >= stage.totals[i])
        q = stage.probability[i]
        rows.append((min(lower, q), max(upper, q), lower > upper))
    return (np.array(column) for column in zip(*rows, strict=True))


STAGES = st.lists(
    st.tuples(
        st.integers(-6, 9),
        st.sampled_from([0.0, 0.5, 1.0, 4.0, 30.0]),
        st.sampled_from([0.0, 0.25, 1.0, 9.0, 30.0]),
    ),
    min_size=1,
    max_size=8,
    unique_by=lambda row: row[0],
).filter(lambda rows: any(p + n for _, p, n in rows))


@given(STAGES, st.sampled_from(METHODS), st.sampled_from([0.5, 0.95]), st.booleans())
def test_band_is_the_papers_three_steps(rows, method, confidence, corrected):
    stage = ScoringStage.fit(*zip(*sorted(rows, reverse=True), strict=True))
    band = stage.band(confidence, method=method, correction="bonferroni" if corrected else None)
    lower, upper, is_empty = by_hand(stage, confidence, method, corrected)
    np.testing.assert_allclose(band.lower, lower, atol=1e-9)
    np.testing.assert_allclose(band.upper, upper, atol=1e-9)
    np.testing.assert_array_equal(band.is_empty, is_empty)
    assert (np.diff(band.lower) <= 0).all()
    assert (np.diff(band.upper) <= 0).all()
    assert (band.lower <= stage.probability).all()
    assert (stage.probability <= band.upper).all()


def test_an_unreachable_total_is_bounded_by_its_neighbours():
    band = ScoringStage.fit([4, 2, 0], [9, 5, 1], [1, 5, 9]).band()
    lower, upper = band.at([5, 4, 3, 2, 1, 0, -1])
    np.testing.assert_array_equal(lower, [*band.lower[[0, 0, 1, 1, 2, 2]], 0])
    np.testing.assert_array_equal(upper, [1, *band.upper[[0, 0, 1, 1, 2, 2]]])
    with pytest.raises(ValueError, match=r"^totals must be finite"):
        band.at([np.nan])


@pytest.mark.parametrize("method", METHODS)
def test_simultaneous_intervals_cover_the_truth(method):
    rng = np.random.default_rng(5)
    truth = np.array([0.85, 0.6, 0.4, 0.3, 0.05])
    n = np.array([25, 40, 60, 3, 80])
    n_covered = 0
    for pos in rng.binomial(n, truth, size=(400, 5)):
        band = ScoringStage.fit([3, 2, 1, 0, -1], pos, n - pos).band(0.9, method=method)
        n_covered += ((band.lower <= truth) & (truth <= band.upper)).all()
    # Clopper and Pearson promise at least 0.9; the others about that, and less in small groups
    assert n_covered / 400 >= (0.9 if method == "clopper-pearson" else 0.8)


def test_bands_widen_as_data_fragment():
    rng = np.random.default_rng(1)
    X = rng.random((150, 6)) < 0.5
    y = rng.random(150) < 0.15 + 0.5 * X[:, 0]
    scoring_list = ScoringList.from_counts(range(6), [3, 1, -2, 1, 2, -1], X, y)
    widths = [np.mean(np.subtract(*scoring_list.interval(X, k)[::-1])) for k in range(7)]
    assert widths[0] < widths[1] < widths[2] < widths[4] < widths[6]
    np.testing.assert_allclose(scoring_list.band_widths(), widths)


def test_table():
    band = ScoringStage.fit([1, 0], [8, 2], [2, 8]).band(0.8, method="wilson", correction=None)
    assert list(band.to_frame()) == ["total", "lower", "upper", "is_empty"]
    assert (band.confidence, band.method, band.correction) == (0.8, "wilson", None)
