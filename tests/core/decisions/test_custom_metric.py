import numpy as np
import pytest

from rocviz.core.decisions import is_monotonic, parse_formula, resolve_metric

TYPED = {
    "am": "(u + p*(1-v-p)) / (2*p*(1-p))",
    "f": "2*u / (p+v)",
    "jaccard": "u / (p+v-u)",
    "g_tp_pr": "u / sqrt(p*v)",
    "g_mean": "sqrt(u*(1-v-p+u) / (p*(1-p)))",
    "h_mean": "2*u*(1-v-p+u) / (u + p*(1-v-p))",
    "q_mean": "1 - 0.5*(((p-u)/p)**2 + ((v-u)/(1-p))**2)",
}


def tables(n):
    tp, fp, fn = np.indices((n + 1, n + 1, n + 1)).reshape(3, -1)
    possible = tp + fp + fn <= n
    predicted = tp + fp
    positives = tp + fn
    return tp[possible], predicted[possible], positives[possible]


@pytest.mark.parametrize("n", [1, 2, 3, 7, 12, 29, 49])
@pytest.mark.parametrize("name", TYPED)
def test_the_papers_formulas_typed(name, n):
    values = resolve_metric(parse_formula(TYPED[name])).at_counts(*tables(n), n)
    np.testing.assert_allclose(
        values, resolve_metric(name).at_counts(*tables(n), n), rtol=0, atol=1e-13
    )


def test_rates_of_negatives_alone():
    phi = resolve_metric(parse_formula("(1-v-p+u) / (1-p)"), zero_division=0.25)
    tp, predicted, positives = tables(12)
    negatives = 12 - positives
    expected = np.full(tp.shape, 0.25)
    np.divide(negatives - predicted + tp, negatives, out=expected, where=negatives > 0)
    np.testing.assert_allclose(phi.at_counts(*tables(12), 12), expected, rtol=0, atol=1e-15)
    assert is_monotonic(phi)


@pytest.mark.parametrize(
    "text", ["v / (1-p)", "1 / (1-v-p+u)", "u / (u*u)", "log(1-v-p+u)", "u / 0"]
)
def test_true_poles_are_refused(text):
    with pytest.raises(ValueError, match=r"^metric must be a finite number everywhere; it is"):
        resolve_metric(parse_formula(text)).at_counts(*tables(12), 12)


def test_only_limits_inside_the_domain_are_filled_in():
    phi = resolve_metric(parse_formula("u*(1+p) / u"), zero_division=7.0)
    assert phi(0.0, 0.5, 0.25) == pytest.approx(1.25, abs=1e-15)
    assert phi(0.0, 0.0, 0.25) == 7.0
    with pytest.raises(ValueError, match=r"it is nan at u=0, v=0\.5, p=0\.25"):
        resolve_metric(parse_formula("u / u / sqrt(u)"))(0.0, 0.5, 0.25)
    with pytest.raises(ValueError, match=r"it is nan at u=0, v=0\.5, p=0\.25"):
        resolve_metric(parse_formula("sqrt(u*u) / sqrt(u)"))(0.0, 0.5, 0.25)


def test_jumps_stay_where_the_function_has_them():
    phi = resolve_metric(lambda u, v, p: np.where(p >= 0.1, 1.0, 0.0) + np.where(v > 0.9, 2.0, 0.0))
    for n in (10, 30, 70):
        tp, predicted, positives = tables(n)
        expected = np.where(10 * positives >= n, 1.0, 0.0)
        expected += np.where(10 * predicted > 9 * n, 2.0, 0.0)
        np.testing.assert_array_equal(phi.at_counts(tp, predicted, positives, n), expected)
