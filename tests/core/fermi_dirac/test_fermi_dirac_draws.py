"""Fermi-Dirac: symmetries, temperatures, draws, and bad input."""

from itertools import combinations
from math import exp, isfinite, log

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac

prevalences = st.floats(1e-6, 1 - 1e-6)
# AUC below one half: from hardly to very different from a random ranking
rests = st.one_of(
    st.floats(-8, -0.31).map(lambda e: 10**e), st.floats(-9, -1).map(lambda e: 0.5 - 10**e)
)
counts = st.integers(1, 60)


@given(rests, prevalences)
@example(0.49999999999, 1e-6)
@example(1e-9, 1 - 1e-9)
def test_rescaled_symmetries(rest, prevalence):
    auc = 1 - rest
    with np.errstate(all="raise", under="ignore"):
        law = FermiDirac.rescaled(auc, prevalence=prevalence)
        mirror = FermiDirac.rescaled(1 - auc, prevalence=prevalence)
        swapped = FermiDirac.rescaled(auc, prevalence=1 - prevalence)
    assert law.beta > 0
    assert isfinite(law.threshold_rank)
    assert mirror.beta == -law.beta
    assert mirror.threshold_rank == pytest.approx(1 - law.threshold_rank, abs=1e-12)
    assert mirror.chemical_potential == pytest.approx(1 - law.chemical_potential, rel=1e-9)
    assert swapped.beta == pytest.approx(law.beta, rel=1e-9)
    assert (law.tpr(1.0), law.fpr(1.0)) == (1, 1)
    assert 0 < law.auprc() <= 1


@given(rests, counts, counts)
@example(1e-9, 1, 1)
@example(1e-9, 1, 60)
@example(0.4999999999, 60, 1)
def test_finite_symmetries(rest, n_pos, n_neg):
    n = n_pos + n_neg
    auc = 1 - rest
    with np.errstate(all="raise", under="ignore"):
        law = FermiDirac.from_auc(auc, n_pos, n_neg)
        mirror = FermiDirac.from_auc(1 - auc, n_pos, n_neg)
        swapped = FermiDirac.from_auc(auc, n_neg, n_pos)
        variance = law.auc_variance()
    assert law.beta > 0
    assert mirror.beta == -law.beta
    assert mirror.threshold_rank == pytest.approx(n + 1 - law.threshold_rank, rel=1e-9)
    np.testing.assert_allclose(mirror.probability(), law.probability()[::-1], rtol=1e-9, atol=1e-12)
    # negatives from the bottom up stand as positives from the top down
    assert swapped.beta == pytest.approx(law.beta, rel=1e-9)
    assert swapped.threshold_rank == pytest.approx(n + 1 - law.threshold_rank, rel=1e-9)
    assert 0 <= variance == pytest.approx(mirror.auc_variance(), rel=1e-9)
    assert variance == pytest.approx(swapped.auc_variance(), rel=1e-7)


@given(counts, counts, st.floats(0.2, 1e6))
@example(1, 2, 0.01426)
@example(91, 2, 0.02)
def test_temperature_there_and_back(n_pos, n_neg, temperature):
    law = FermiDirac.from_temperature(temperature, n_pos, n_neg)
    assert law.temperature == pytest.approx(temperature, rel=1e-12)
    assert (law.n_pos, law.n_neg) == (n_pos, n_neg)
    assert law.probability().sum() == pytest.approx(n_pos, rel=1e-9)
    assert law.auc > 0.5
    if law.one_minus_auc > 1e-9:
        back = FermiDirac.from_auc(law.auc, n_pos, n_neg)
        assert back.beta == pytest.approx(law.beta, rel=1e-5, abs=1e-12)
    backwards = FermiDirac.from_temperature(-temperature, n_pos, n_neg)
    assert backwards.auc == law.one_minus_auc
    assert backwards.probability() == pytest.approx(law.probability()[::-1], rel=1e-9)


@pytest.mark.parametrize(
    ("temperature", "auc"), [(0.0, 1.0), (-0.0, 0.0), (np.inf, 0.5), (-np.inf, 0.5), (1e-5, 1.0)]
)
def test_limits_of_the_temperature(temperature, auc):
    law = FermiDirac.from_temperature(temperature, 7, 13)
    assert (law.auc, law.n_pos, law.n_neg) == (auc, 7, 13)


@pytest.mark.parametrize(("n_pos", "n_neg"), [(1, 1), (8, 7), (1, 300)])
@pytest.mark.parametrize("beta", [75.0, 200.0])
def test_a_cold_law_has_one_hole_and_one_particle_next_to_the_step(beta, n_pos, n_neg):
    # each with exp(-beta / 2), half a rank from the step; the next ones are exp(-beta) less
    law = FermiDirac.from_temperature(1 / beta, n_pos, n_neg)
    assert law.one_minus_auc == pytest.approx(exp(-beta / 2) / n_pos / n_neg, rel=1e-9, abs=0)
    assert law.threshold_rank == pytest.approx(n_pos + 0.5 - log(n_pos / n_neg) / beta, rel=1e-9)


@pytest.mark.parametrize("temperature", [1e3, 1e8, 1e12])
def test_a_hot_law(temperature):
    law = FermiDirac.from_temperature(temperature, 5, 20)
    # to the first order in 1 / T: the variance of the ranks over n T
    expected = 0.5 + (25**2 - 1) / 12 / 25 / temperature
    assert law.auc == pytest.approx(expected, abs=1e-14 + 3 / temperature**2)
    assert law.threshold_rank == pytest.approx(13, abs=1e-12 + 20 / temperature)
    # a potential may be far outside the ranking; with 50 digits
    law = FermiDirac.from_parameters(1e-3, 1e3, 4)
    assert law.threshold_rank == pytest.approx(2.50028820836998426, rel=1e-12)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=2, max_size=40))
def test_scores_give_the_constraints(data):
    y = np.array([d[0] for d in data])
    score = np.array([d[1] for d in data])
    if y.all() or not y.any():
        return
    law = FermiDirac.from_scores(y, score)
    pairs = np.sign(np.subtract.outer(score[y], score[~y])) / 2 + 0.5
    assert law.auc == pytest.approx(pairs.mean(), abs=1e-15)
    assert law.probability().sum() == pytest.approx(y.sum())
    assert (law.threshold_rank - law.ranks) * law.beta == pytest.approx(
        np.log(law.class_given_rank()[0] / law.class_given_rank()[1])
        if 0 < law.auc < 1
        else law.log_likelihood_ratio()
    )


# ---------------------------------------------------------------- draws


@pytest.mark.parametrize("auc", [0.15, 0.5, 0.7, 0.93])
def test_draws_have_the_conditional_law(auc):
    law = FermiDirac.from_auc(auc, 3, 4)
    sets = list(combinations(range(7), 3))
    odds = np.array([exp(-law.beta * sum(s)) for s in sets])
    expected = odds / odds.sum()
    rng = np.random.default_rng(0)
    n_draws = 8000
    seen = dict.fromkeys(sets, 0)
    for _ in range(n_draws):
        labels = law.sample(rng)
        seen[tuple(np.flatnonzero(labels).tolist())] += 1
    actual = np.array(list(seen.values()))
    assert actual.sum() == n_draws
    error = np.sqrt(n_draws * expected * (1 - expected))
    assert (np.abs(actual - n_draws * expected) < 4.5 * error + 1).all()
    common = expected * n_draws > 5
    chi2 = (((actual - n_draws * expected) ** 2) / (n_draws * expected))[common].sum()
    assert chi2 < common.sum() + 5 * np.sqrt(2 * common.sum())


@pytest.mark.parametrize("auc", [0, 0.3, 0.5, 0.8, 0.9999, 1])
def test_large_draws(auc):
    law = FermiDirac.from_auc(auc, 4000, 16_000)
    labels = law.sample(random_state=1)
    assert labels.shape == (20_000,)
    assert labels.sum() == 4000
    again = FermiDirac.from_scores(labels, -np.arange(20_000))
    assert again.auc == pytest.approx(auc, abs=5 * law.auc_variance() ** 0.5 + 1e-12)
    np.testing.assert_array_equal(labels, law.sample(random_state=1))
    tenths = labels.reshape(10, -1).mean(axis=1)
    np.testing.assert_allclose(tenths, law.probability().reshape(10, -1).mean(axis=1), atol=0.05)


def test_a_rescaled_law_has_no_counts():
    limit = FermiDirac.rescaled(0.9, prevalence=0.5)
    with pytest.raises(ValueError, match=r"^rank must be from 0 to 1; found 0\.5 to 1\.5"):
        limit.fpr([0.5, 1.5])
    with pytest.raises(ValueError, match=r"^auc_variance needs counts; a rescaled law has none"):
        limit.auc_variance()
    with pytest.raises(ValueError, match=r"^sample needs counts; a rescaled law has none"):
        limit.sample()
