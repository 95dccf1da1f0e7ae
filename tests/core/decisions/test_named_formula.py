"""A typed formula that is a metric with a name is computed as that metric."""

import numpy as np
import pytest

from rocviz import optimal_decision
from rocviz.core.decisions import parse_formula
from rocviz.core.decisions._prefix_utility import with_a_name
from rocviz.core.decisions.utility import resolve_metric

G_MEAN = "sqrt(u*(1-v-p+u)/(p*(1-p)))"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (G_MEAN, "g_mean"),
        ("(u/p * (1-v-p+u)/(1-p))**0.5", "g_mean"),
        ("2*u/(p+v)", "f"),
        ("u/(p+v-u)", "jaccard"),
        ("1-v-p+2*u", "accuracy"),
        ("(u/p + (1-v-p+u)/(1-p))/2", "balanced_accuracy"),
        ("u/sqrt(p*v)", "g_tp_pr"),
        ("2*u/(p+v) + 0.001", "custom"),
        ("max(2*u/(p+v), 0)", "custom"),
        ("u**3", "custom"),
        ("u**100", "custom"),
        ("1/(u-v+0.5)", "custom"),
    ],
)
def test_which_name(text, name):
    assert with_a_name(resolve_metric(parse_formula(text))).name == name


def test_what_is_no_formula_of_rates_is_left_alone():
    for metric in ("g_mean", lambda u, v, p: u, parse_formula("a+b+c", "abc")):
        measure = resolve_metric(metric)
        assert with_a_name(measure) is measure
    spared = resolve_metric(parse_formula("2*u/(p+v)"), zero_division=0.5)
    assert with_a_name(spared).zero_division == 0.5


def test_the_same_decision_as_by_name():
    prob = 1 / (1 + np.exp(-(np.random.default_rng(0).normal(size=300) + 3)))
    typed, named = (optimal_decision(prob, metric) for metric in (parse_formula(G_MEAN), "g_mean"))
    assert typed.n_predicted_positive == named.n_predicted_positive
    np.testing.assert_array_equal(typed.utilities, named.utilities)
    assert typed.metric.function == parse_formula(G_MEAN)
