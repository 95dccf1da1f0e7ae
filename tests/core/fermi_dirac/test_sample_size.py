from math import inf, pi, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri

from rocviz import FermiDirac
from rocviz.core.fermi_dirac import auc_sample_size
from rocviz.core.fermi_dirac.limits import rare_limit, strong_limit, weak_limit
from rocviz.core.roc.auc_variance import fermi_dirac_variance, hanley_mcneil_variance

METHODS = ("binormal", "hanley-mcneil", "fermi-dirac")


@pytest.mark.parametrize(("auc", "prevalence"), [(0.8, 0.5), (0.9, 0.1), (0.6, 0.3)])
def test_simulated_aucs_have_the_requested_error(auc, prevalence):
    size = auc_sample_size(auc, prevalence, standard_error=0.04)
    rng = np.random.default_rng(0)
    repeats = 3000
    pos = rng.normal(size=(repeats, size.n_pos)) + sqrt(2) * ndtri(auc)
    neg = rng.normal(size=(repeats, size.n_neg))
    aucs = (pos[:, :, None] > neg[:, None, :]).mean(axis=(1, 2))
    # a standard deviation of 3000 draws is known to about 1.3 percent
    assert aucs.std(ddof=1) == pytest.approx(0.04, rel=0.05)


@given(
    st.floats(0.51, 0.999), st.floats(0.01, 0.99), st.floats(0.005, 0.2), st.sampled_from(METHODS)
)
def test_the_sample_size_is_the_smallest_with_whole_classes(auc, prevalence, error, method):
    size = auc_sample_size(auc, prevalence, standard_error=error, method=method)
    assert size.n_pos + size.n_neg == size.n_samples
    assert min(size.n_pos, size.n_neg) >= 1
    assert abs(size.n_pos - prevalence * size.n_samples) <= 1
    assert size.standard_error <= error * (1 + 1e-12)
    finer = auc_sample_size(auc, prevalence, standard_error=error / 2, method=method)
    assert finer.n_samples >= size.n_samples
    if size.n_samples > 2:
        # with a tenth fewer, and some for rounding, it would be too coarse
        fewer = auc_sample_size(auc, prevalence, standard_error=error * 1.1, method=method)
        assert fewer.n_samples <= size.n_samples


def test_the_variances_are_those_of_the_intervals():
    for auc, share in ((0.8, 0.5), (0.9, 0.1)):
        size = auc_sample_size(auc, share, standard_error=0.02, method="hanley-mcneil")
        variance = hanley_mcneil_variance(auc, 1 - auc, size.n_pos, size.n_neg)
        assert size.standard_error == pytest.approx(np.sqrt(variance), rel=1e-12)
        size = auc_sample_size(auc, share, standard_error=0.02, method="fermi-dirac")
        variance = fermi_dirac_variance(auc, 1 - auc, size.n_pos, size.n_neg)
        # the variance is of a law with so many ranks, the sample size of a rescaled one
        assert size.standard_error == pytest.approx(float(np.sqrt(variance)), rel=0.02)


def test_a_width_is_two_standard_errors_of_the_normal_law():
    width = auc_sample_size(0.8, 0.4, width=0.1, confidence=0.9)
    error = auc_sample_size(0.8, 0.4, standard_error=0.05 / ndtri(0.95))
    assert width == error


def test_two_samples_suffice_for_a_wide_interval():
    assert auc_sample_size(0.7, 0.5, standard_error=10.0).n_samples == 2


def test_the_least_and_the_most_samples():
    # a single positive does, among as many negatives as are asked for
    rare = auc_sample_size(0.9, 1e-9, standard_error=0.24, method="hanley-mcneil")
    assert (rare.n_pos, rare.n_neg) == (1, 4)
    with pytest.raises(ValueError, match=r"prevalence and precision require 1e\+15 samples or"):
        auc_sample_size(0.5, 0.5, standard_error=1e-9)


# ---------------------------------------------------------------------- limits


@given(st.floats(0.05, 0.95))
def test_inverse_temperatures_tend_to_the_formulas(prevalence):
    assert weak_limit(0.5 + 1e-6) == pytest.approx(
        FermiDirac.rescaled(0.5 + 1e-6, prevalence=prevalence).beta, rel=1e-8
    )
    cold = FermiDirac.rescaled(1 - 1e-7, prevalence=prevalence)
    assert strong_limit(1 - 1e-7, prevalence) == pytest.approx(cold.beta, rel=1e-9)


def test_limits_by_hand():
    assert weak_limit(0.6) == pytest.approx(1.2)
    assert weak_limit(0.4) == pytest.approx(-1.2)
    assert strong_limit(0.99, 0.5) == pytest.approx(pi / sqrt(0.015))
    assert strong_limit(1, 0.5) == rare_limit(1) == inf
    few = FermiDirac.rescaled(0.99, prevalence=1e-8)
    assert rare_limit(0.99) == pytest.approx(few.beta, rel=1e-5)
