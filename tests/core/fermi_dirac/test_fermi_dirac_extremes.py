"""The Fermi-Dirac law where it is very cold, very hot, rare or reversed: no digits are lost."""

from fractions import Fraction
from math import exp, log, pi, sqrt

import numpy as np
import pytest

from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac
from rocviz.core.fermi_dirac.limits import strong_limit


@pytest.fixture(autouse=True)
def no_floating_point_trouble():
    with np.errstate(all="raise"):
        yield


@pytest.mark.parametrize(("n_pos", "n_neg"), [(1, 1), (8, 1), (8, 7), (1, 300)])
@pytest.mark.parametrize("beta", [75.0, 200.0, 1300.0])
def test_a_cold_law_has_one_hole_and_one_particle_next_to_the_step(beta, n_pos, n_neg):
    # each with exp(-beta / 2), half a rank from the step; the next ones are exp(-beta) less
    law = FermiDirac.from_temperature(1 / beta, n_pos, n_neg)
    assert law.one_minus_auc == pytest.approx(exp(-beta / 2) / n_pos / n_neg, rel=1e-12, abs=0)
    assert law.threshold_rank == pytest.approx(n_pos + 0.5 - log(n_pos / n_neg) / beta, rel=1e-14)
    assert FermiDirac.from_temperature(-1 / beta, n_pos, n_neg).auc == law.one_minus_auc


def test_a_hot_law_knows_its_threshold_however_far_its_potential_is():
    for beta in (1e-20, -1e-20, 1e-280):
        assert FermiDirac.from_parameters(beta, 1 / beta, 3).threshold_rank == 2
        assert FermiDirac.from_parameters(beta, 1 / beta).threshold_rank == 0.5
    # with 50 digits
    law = FermiDirac.from_parameters(1e-3, 1e3, 4)
    assert law.threshold_rank == pytest.approx(2.50028820836998426, rel=1e-15)


def test_long_sums_leave_nothing_on_the_area_of_a_hot_law():
    law = FermiDirac.from_temperature(1e25, 300_000, 700_000)
    assert law.auc == law.one_minus_auc == 0.5


def test_so_hot_that_temperatures_are_beyond_floats_is_refused_by_name():
    for beta in (1e-320, -5e-324):
        with pytest.raises(ValueError, match=r"^beta must not be 0 \(nor less than 1e-290"):
            FermiDirac.from_parameters(beta, 0.0)


def test_a_reversed_law_is_the_other_class_from_the_other_end():
    tiny = 2.0**-40
    rare = FermiDirac.rescaled(one_minus_auc=1e-22, prevalence=tiny)
    common = FermiDirac.rescaled(1e-22, prevalence=1 - tiny)
    assert common.beta == pytest.approx(-rare.beta, rel=1e-14)
    assert common.threshold_rank == pytest.approx(rare.threshold_rank, rel=1e-12, abs=0)


def test_rates_of_a_hot_law_are_the_rank():
    law = FermiDirac.rescaled(Fraction(1, 2) + Fraction(1, 10**228), prevalence=1e-105)
    x = [1e-280, 0.25, 1.0]
    np.testing.assert_allclose([law.tpr(x), law.fpr(x)], [x, x], rtol=1e-14)
    np.testing.assert_allclose(law.precision([0.0, 5e-324, *x]), 1e-105, rtol=1e-13)


def test_rates_of_a_cold_law_have_their_digits():
    law = FermiDirac.rescaled(one_minus_auc=Fraction(1, 10**36), prevalence=0.5)
    assert law.beta > 1e18
    np.testing.assert_allclose(law.tpr([1e-18, 1e-17, 0.25]), [2e-18, 2e-17, 0.5], rtol=1e-14)
    assert law.precision(5e-324) == law.precision(0.25) == 1
    law = FermiDirac.rescaled(one_minus_auc=1e-6, prevalence=0.5)  # beta 2565
    # of the negatives, exponentially few are far above the step
    at = np.array([0.3, 0.4, 0.49])
    few = 2 * np.log1p(np.exp(law.beta * (at - 0.5))) / law.beta
    np.testing.assert_allclose(law.fpr(at), few, rtol=1e-12)


def test_what_is_less_than_any_float_may_be_more_than_that_of_a_rare_class():
    law = FermiDirac.rescaled(one_minus_auc=1e-3, prevalence=1e-263)
    # so few positives are spread exponentially, with the mean 1 - AUC
    positive, _ = law.class_given_rank([0.6])
    assert positive == pytest.approx(1e3 * exp(-600), rel=1e-10, abs=0)


def test_a_law_whose_step_floats_do_not_tell_from_the_end_has_all_positives_there():
    law = FermiDirac.rescaled(Fraction(1, 10**280), prevalence=1e-200)
    np.testing.assert_array_equal(law.tpr([0.0, 0.5, 1.0]), [0, 0, 1])


# beta and prevalence, then by quadrature with 40 digits: AUC, P_xxy, P_xyy, mean precision
REVERSED = [
    (
        -50,
        0.01,
        0.017816710238194051,
        0.0085224362964369049,
        6.7838092173433273e-4,
        0.0050602139985774970,
    ),
    (
        -50,
        0.9,
        0.0071305821711143595,
        2.3527593377551081e-4,
        0.0019147684376682383,
        0.74488038599554109,
    ),
    (
        -1e4,
        0.3,
        7.8330193659439356e-8,
        3.8160536608241091e-11,
        1.6354515689246181e-11,
        0.16775846415113135,
    ),
]


@pytest.mark.parametrize(("beta", "prevalence", "auc", "p_xxy", "p_xyy", "precision"), REVERSED)
def test_a_law_that_is_all_but_wrong(beta, prevalence, auc, p_xxy, p_xyy, precision):
    # at -50 an edge of a panel of the quadrature lies all but on the last rank
    law = FermiDirac.rescaled(auc, prevalence=prevalence)
    assert law.beta == pytest.approx(beta, rel=1e-14)
    assert law.pair_probabilities() == pytest.approx((p_xxy, p_xyy), rel=1e-12, abs=0)
    assert law.auprc() == pytest.approx(precision, rel=1e-14)


def test_the_formula_for_the_nearly_perfect_and_rare():
    assert strong_limit(1e-200, 1e-200) == pytest.approx(1e200 * pi / sqrt(6), rel=1e-14)
