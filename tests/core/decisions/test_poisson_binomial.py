"""The law of a sum of independent outcomes: against all outcomes, binomials and moments."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from rocviz.core.decisions.poisson_binomial import poisson_binomial_pmf, prefix_laws

PROBABILITIES = st.one_of(
    st.sampled_from([0.0, 1.0, 0.5, 1e-12, 1 - 1e-12]), st.floats(0, 1, allow_subnormal=False)
)


def every_outcome(prob):
    """Sum the probabilities of all 0/1 vectors by their number of ones."""
    n = len(prob)
    law = np.zeros(n + 1)
    for number in range(2**n):
        y = [number >> i & 1 for i in range(n)]
        chances = [p if outcome else 1 - p for p, outcome in zip(prob, y, strict=True)]
        law[sum(y)] += np.prod(chances)
    return law


@given(st.lists(PROBABILITIES, max_size=8))
def test_equals_the_sum_over_all_outcomes(prob):
    np.testing.assert_allclose(poisson_binomial_pmf(prob), every_outcome(prob), atol=1e-14)


@pytest.mark.parametrize("n", [31, 32, 33, 64, 65, 500])
@pytest.mark.parametrize("p", [0.0, 1.0, 0.5, 0.3, 0.01])
def test_equal_probabilities_give_the_binomial_law_to_its_tails(n, p):
    law = poisson_binomial_pmf(np.full(n, p))
    want = binom.pmf(np.arange(n + 1), n, p)
    tiny = want < 1e-90
    np.testing.assert_allclose(law[~tiny], want[~tiny], rtol=1e-10)
    assert (law[tiny] < 1e-89).all()


@pytest.mark.parametrize("kind", ["spread", "rare", "equal"])
def test_moments_of_many(kind):
    rng = np.random.default_rng(0)
    prob = {
        "spread": rng.random(20_000),
        "rare": rng.beta(1, 2000, 20_000),
        "equal": np.full(20_000, 0.3),
    }[kind]
    law = poisson_binomial_pmf(prob)
    count = np.arange(20_001)
    assert law.sum() == pytest.approx(1, abs=1e-14)
    mean = law @ count
    assert mean == pytest.approx(prob.sum(), rel=1e-13)
    assert law @ (count - mean) ** 2 == pytest.approx((prob * (1 - prob)).sum(), rel=1e-11)


def test_laws_of_prefixes():
    prob = np.array([0.9, 0.5, 0.2])
    laws = prefix_laws(prob)
    for i in range(4):
        np.testing.assert_allclose(laws[i, : i + 1], every_outcome(prob[:i]), atol=1e-15)
        assert not laws[i, i + 1 :].any()
    both = prefix_laws(np.stack((prob, prob[::-1])))
    np.testing.assert_array_equal(both[0], laws)


def test_the_law_is_read_only_and_the_input_untouched():
    prob = np.array([0.2, 0.8])
    law = poisson_binomial_pmf(prob)
    assert not law.flags.writeable
    np.testing.assert_array_equal(prob, [0.2, 0.8])
