"""Given labels: their expected utility, and every value of the metric with its probability."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.core.decisions import label_utility
from rocviz.core.decisions.decision import prefix_utilities
from rocviz.core.decisions.label_utility import expected_utility, utility_distribution
from rocviz.core.decisions.utility import resolve_metric
from rocviz.core.roc.metrics import METRICS

OBJECTIVES = [name for name, row in METRICS.items() if row.is_objective]
PROBABILITIES = st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1, allow_subnormal=False))


def every_value(labels, prob, metric):
    """Compute the metric's law from all outcomes, values rounded to 12 digits."""
    phi = resolve_metric(metric)
    n = len(prob)
    law = {}
    for y in product((0, 1), repeat=n):
        chance = np.prod([p if outcome else 1 - p for p, outcome in zip(prob, y, strict=True)])
        value = phi.at_counts(np.dot(labels, y), sum(labels), sum(y), n)
        key = round(float(value), 12) + 0.0
        law[key] = law.get(key, 0.0) + chance
    return {value: chance for value, chance in sorted(law.items()) if chance > 0}


@given(
    st.sampled_from(OBJECTIVES),
    st.lists(st.tuples(st.booleans(), PROBABILITIES), min_size=1, max_size=7),
)
def test_the_law_of_a_metric(metric, samples):
    labels = [int(s) for s, _ in samples]
    prob = [p for _, p in samples]
    law = utility_distribution(labels, prob, metric)
    want = every_value(labels, prob, metric)
    np.testing.assert_allclose(law.values, list(want), rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(law.probabilities, list(want.values()), atol=1e-14)
    assert (np.diff(law.values) > 0).all()
    mean = expected_utility(labels, prob, metric)
    assert law.mean == pytest.approx(mean, abs=1e-13)
    variance = sum(chance * (value - mean) ** 2 for value, chance in want.items())
    assert law.std == pytest.approx(np.sqrt(variance), abs=1e-7)


def test_table_of_the_law():
    frame = utility_distribution([1, 0], [0.5, 0.5], "jaccard").to_frame()
    assert frame["value"].tolist() == [0, 0.5, 1]
    assert frame["probability"].tolist() == [0.5, 0.25, 0.25]


@pytest.mark.parametrize("metric", OBJECTIVES)
@pytest.mark.parametrize("zero_division", [1.0, 0.5])
def test_labels_that_are_prefixes(metric, zero_division):
    prob = np.linspace(0.97, 0.02, 70)
    utilities = prefix_utilities(prob, metric, zero_division=zero_division)
    for k in (0, 1, 33, 70):
        utility = expected_utility(np.arange(70) < k, prob, metric, zero_division=zero_division)
        assert utility == pytest.approx(utilities[k], abs=1e-14)


def test_options_reach_the_metric():
    labels = [1, 0, 1]
    prob = [0.7, 0.2, 0.4]
    for options in (
        {"metric": "f", "beta": 2.0},
        {"metric": "cost", "cost_fp": 3.0, "cost_fn": 0.5},
        {"metric": "f", "zero_division": 1.0},
    ):
        law = utility_distribution(labels, prob, **options)
        assert law.mean == pytest.approx(expected_utility(labels, prob, **options), abs=1e-15)
    assert expected_utility([0], [0.0], "f", zero_division=1.0) == 1
    assert expected_utility(labels, prob, "cost", cost_fp=3.0, cost_fn=0.5) == pytest.approx(
        (3 * 0.3 + 3 * 0.6 + 0.5 * 0.2) / 3
    )


def test_tails_that_never_happen_are_left_out(monkeypatch):
    rng = np.random.default_rng(0)
    prob = rng.random(900)
    labels = rng.integers(0, 2, 900)
    full = utility_distribution(labels, prob, "f1")
    mean = expected_utility(labels, prob, "g_mean")
    monkeypatch.setattr(label_utility, "_MAX_PAIRS", 1000)
    short = utility_distribution(labels, prob, "f1")
    assert short.values.size < full.values.size
    assert short.mean == pytest.approx(full.mean, abs=1e-15)
    assert short.probabilities.sum() == pytest.approx(1, abs=1e-13)
    assert expected_utility(labels, prob, "g_mean") == pytest.approx(mean, abs=1e-15)
