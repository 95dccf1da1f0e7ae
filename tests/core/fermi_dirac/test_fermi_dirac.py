"""The Fermi-Dirac law: against reference values, its identities, its limits, its parameters."""

from math import inf, pi, sqrt

import numpy as np
import pytest
from scipy.integrate import trapezoid
from sklearn.linear_model import LogisticRegression

from rocviz.core.fermi_dirac.fermi_dirac import FermiDirac

# AUC, n_pos, n_neg, then with 40 to 60 digits: beta, mu and r* of the law, the variance of the AUC
FINITE_TABLE = """
0.9 50 50 0.0756127095504492 50.5 50.5 9.4705204123697e-4
0.7 30 70 0.0260736666116589 13.7939125566436 46.290219002793 0.00319587249871072
0.95 90 10 0.15191075622737 92.1249649185381 77.6610478668215 6.12565641087258e-4
0.5001 300 700 1.20000122275323e-6 -705580.350853822 500.47999999976 3.97221805609533e-4
0.9 1 99 0.0985696831860793 -22.4977127722452 24.1202705833465 0.0109898499865765
0.99999 500 500 0.818001052307365 500.5 500.5 1.81518327135989e-10
0.3 20 80 -0.0262240092621567 109.680075810891 56.8165206137682 0.00410501348851177
0.95 5 5 1.15216087333009 5.5 5.5 0.00496228836405269
0.9999 200 1800 0.213882115234304 200.5 210.773063621655 4.00661487344029e-9
0.65 990 10 0.00190515055019391 2988.05508067137 576.109290000442 0.00710864195146603
"""
# the same, then beta, mu and r* of the rescaled law
RESCALED_TABLE = """
0.9 50 50 7.56036238318105 0.5 0.5
0.7 30 70 2.60709606988877 0.132906025796619 0.457902818271303
0.95 90 10 15.1796902445492 0.916296736644839 0.771549080932615
0.5001 300 700 0.001200000022752 -705.581556935364 0.49997999999976
0.9 1 99 9.84951679872913 -0.230268938610033 0.236263577048755
0.99999 500 500 811.155735194722 0.5 0.5
0.3 20 80 -2.62210974694908 1.09185847200424 0.563164216268797
0.95 5 5 11.307997676944 0.5 0.5
0.9999 200 1800 427.516610053955 0.1 0.105139506923623
0.65 990 10 1.90514830279011 2.98755791896287 0.575609283045665
"""

# 1 - AUC, prevalence, then beta, mu and r* of the rescaled law
EXTREME_CASES = [
    (1e-6, 0.5, 2565.09966032373, 0.5, 0.5),
    (1e-6, 0.01, 12890.1107926695, 0.01, 0.0103564841236856),
    (1e-4, 1e-6, 9975.09986502572, -4.61416093185308e-4, 9.23583530367649e-4),
    (0.499999, 0.3, 1.20000000000228e-5, -70607.6550323331, 0.4999998),
]

# beta, prevalence, then AUC - 1/2 and 1 - AUC with 60 digits, from dilogarithms
RESCALED_AUC = [
    (1e-4, 0.999999, 8.3333333319444462e-6, 0.49999166666666806),
    (0.03, 0.2, 0.002499968500566989, 0.49750003149943301),
    (3.9, 1e-6, 0.2642499002242383, 0.2357500997757617),
    (4.0, 0.7, 0.27909472549891579, 0.22090527450108421),
    (25.0, 0.01, 0.4620511100282337, 0.037948889971766299),
    (1e3, 0.999999, 0.4990002489724712, 0.00099975102752879787),
    (1e4, 1e-6, 0.49990024962247212, 9.9750377527877528e-5),
]

# beta and prevalence, then by quadrature with 40 digits: AUC, P_xxy, P_xyy, mean precision
REVERSED_CASES = [
    (
        -50,
        0.01,
        (0.017816710238194051, 0.0085224362964369049, 6.7838092173433273e-4),
        0.0050602139985774970,
    ),
    (
        -50,
        0.9,
        (0.0071305821711143595, 2.3527593377551081e-4, 0.0019147684376682383),
        0.74488038599554109,
    ),
    (
        -1e4,
        0.3,
        (7.8330193659439356e-8, 3.8160536608241091e-11, 1.6354515689246181e-11),
        0.16775846415113135,
    ),
]

AUCS = (0, 1e-9, 0.2, 0.4999, 0.5, 0.5001, 0.7, 0.75, 0.76, 0.9, 0.999, 1 - 1e-9, 1)
CLASS_SIZES = ((1, 1), (1, 40), (40, 1), (7, 3), (30, 70))


def pair_probabilities(law):
    """Compute the probabilities of two above one, and of one above two."""
    negative_variance, positive_variance = law.placement_variances()
    return law.auc**2 + negative_variance, law.auc**2 + positive_variance


@pytest.fixture(autouse=True)
def no_floating_point_trouble():
    with np.errstate(all="raise", under="ignore"):
        yield


@pytest.mark.parametrize("row", FINITE_TABLE.strip().splitlines())
def test_reference_values(row):
    auc, n_pos, n_neg, *numbers = map(float, row.split())
    law = FermiDirac.from_auc(auc, int(n_pos), int(n_neg))
    values = (law.beta, law.chemical_potential, law.threshold_rank, law.auc_variance())
    assert values == pytest.approx(numbers, rel=1e-9)


@pytest.mark.parametrize("row", RESCALED_TABLE.strip().splitlines())
def test_rescaled_reference_values(row):
    auc, n_pos, n_neg, *numbers = map(float, row.split())
    law = FermiDirac.rescaled(auc, prevalence=n_pos / (n_pos + n_neg))
    values = (law.beta, law.chemical_potential, law.threshold_rank)
    assert values == pytest.approx(numbers, rel=1e-9)


@pytest.mark.parametrize(("one_minus_auc", "prevalence", "beta", "mu", "threshold"), EXTREME_CASES)
def test_rare_perfect_and_random(one_minus_auc, prevalence, beta, mu, threshold):
    law = FermiDirac.rescaled(1 - one_minus_auc, prevalence=prevalence)
    values = (law.beta, law.chemical_potential, law.threshold_rank)
    assert values == pytest.approx([beta, mu, threshold], rel=1e-9)


@pytest.mark.parametrize(("beta", "prevalence", "above", "below"), RESCALED_AUC)
def test_the_auc_of_a_temperature(beta, prevalence, above, below):
    law = FermiDirac.rescaled(0.5 + above, prevalence=prevalence)
    assert law.beta == pytest.approx(beta, rel=1e-9)
    assert law.one_minus_auc == pytest.approx(below, rel=1e-6)


@pytest.mark.parametrize(("beta", "prevalence", "pairs", "precision"), REVERSED_CASES)
def test_a_law_with_an_auc_near_0(beta, prevalence, pairs, precision):
    law = FermiDirac.rescaled(pairs[0], prevalence=prevalence)
    assert law.beta == pytest.approx(beta, rel=1e-9)
    assert pair_probabilities(law) == pytest.approx(pairs[1:], rel=1e-9, abs=0)
    assert law.auprc() == pytest.approx(precision, rel=1e-9)


def test_the_paper_example():
    law = FermiDirac.from_auc(0.9, 50, 50)
    assert round(law.beta, 7) == 0.0756127  # printed as 0.0759, from a simulated AUC
    assert round(FermiDirac.rescaled(0.9, prevalence=0.5).beta / 100, 6) == 0.075604
    assert law.temperature == 1 / law.beta
    assert law.chemical_potential == law.threshold_rank == 50.5


# ---------------------------------------------------------------- what defines it


@pytest.mark.parametrize(("n_pos", "n_neg"), CLASS_SIZES)
@pytest.mark.parametrize("auc", AUCS)
def test_constraints_and_identities(auc, n_pos, n_neg):
    law = FermiDirac.from_auc(auc, n_pos, n_neg)
    n = n_pos + n_neg
    r = law.ranks
    p = law.probability()
    assert p.sum() == pytest.approx(n_pos, rel=1e-12)
    assert r @ p == pytest.approx(n_pos * (n_neg * float(1 - auc) + (n_pos + 1) / 2), rel=1e-12)
    pos, neg = law.class_given_rank()
    assert (r @ neg - r @ pos) / n + 0.5 == pytest.approx(float(auc), abs=1e-12)
    assert 2 * law.balanced_accuracy().mean() - 0.5 == pytest.approx(float(auc), abs=1e-12)
    fpr, tpr = law.roc_curve()
    assert trapezoid(tpr, fpr) == pytest.approx(float(auc), abs=1e-12)
    assert fpr[0] == tpr[0] == 0
    assert fpr[-1] == tpr[-1] == 1
    assert np.diff(tpr) == pytest.approx(pos, abs=1e-12)
    assert law.tpr() == pytest.approx(tpr[1:])
    assert law.precision() * r == pytest.approx(tpr[1:] * n_pos, rel=1e-12)


@pytest.mark.parametrize("auc", [0.51, 0.7, 0.95, 0.9999])
@pytest.mark.parametrize("n_pos", [10, 100, 700])
def test_the_threshold_has_the_best_balanced_accuracy(auc, n_pos):
    law = FermiDirac.from_auc(auc, n_pos, 1000 - n_pos)
    best = np.argmax(law.balanced_accuracy()) + 1
    assert abs(best + 0.5 - law.threshold_rank) <= 0.5 + 1e-6 * law.n_samples
    assert law.log_likelihood_ratio(law.threshold_rank) == 0
    reverse = FermiDirac.from_auc(1 - auc, n_pos, 1000 - n_pos)
    worst = np.argmin(reverse.balanced_accuracy()) + 1
    assert abs(worst + 0.5 - reverse.threshold_rank) <= 0.5 + 1e-6 * law.n_samples


@pytest.mark.parametrize(("n_pos", "n_neg"), CLASS_SIZES)
@pytest.mark.parametrize("auc", AUCS)
def test_variance_is_that_of_all_triples(auc, n_pos, n_neg):
    law = FermiDirac.from_auc(auc, n_pos, n_neg)
    pos, neg = law.class_given_rank()
    order = np.sign(law.ranks - law.ranks[:, None]) / 2 + 0.5
    with np.errstate(under="ignore"):
        area = float(pos @ order @ neg)
        p_xxy = float(np.einsum("i,k,j,ij,kj", pos, pos, neg, order, order))
        p_xyy = float(np.einsum("i,j,k,ij,ik", pos, neg, neg, order, order))
    assert area == pytest.approx(float(auc), abs=1e-12)
    assert pair_probabilities(law) == pytest.approx((p_xxy, p_xyy), abs=1e-12)
    variance = area * (1 - area)
    variance += (n_pos - 1) * (p_xxy - area**2) + (n_neg - 1) * (p_xyy - area**2)
    assert law.auc_variance() >= 0
    assert law.auc_variance() == pytest.approx(variance / n_pos / n_neg, abs=1e-12)


@pytest.mark.parametrize(("seed", "n"), [(0, 30), (1, 200), (2, 31)])
def test_logistic_regression_on_the_rank(seed, n):
    rng = np.random.default_rng(seed)
    y = (np.arange(n) + rng.normal(0, n / 4, n) < n / 3).astype(int)
    r = np.arange(1.0, n + 1)
    law = FermiDirac.from_scores(y, -r)
    with np.errstate(all="ignore"):
        model = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000, solver="newton-cholesky")
        model.fit(r[:, None] / n, y)
    assert law.beta * n == pytest.approx(-model.coef_[0, 0], rel=1e-6)
    assert law.beta * law.chemical_potential == pytest.approx(model.intercept_[0], rel=1e-6)
    np.testing.assert_allclose(
        law.probability(), model.predict_proba(r[:, None] / n)[:, 1], atol=1e-7
    )


# ---------------------------------------------------------------- limits


def test_large_counts_tend_to_the_rescaled_law():
    limit = FermiDirac.rescaled(0.85, prevalence=0.2)
    for n, close in ((50, 1e-2), (5000, 1e-6), (500_000, 1e-10)):
        law = FermiDirac.from_auc(0.85, n // 5, n - n // 5)
        assert law.beta * n == pytest.approx(limit.beta, rel=close)
        assert law.chemical_potential == pytest.approx(
            n * limit.chemical_potential + 0.5, abs=n * close
        )
        assert law.auprc() == pytest.approx(limit.auprc(), rel=4 * sqrt(close))
        assert pair_probabilities(law) == pytest.approx(pair_probabilities(limit), rel=close)


def test_weak_strong_and_dilute():
    weak = FermiDirac.rescaled(0.5 + 1e-6, prevalence=0.3)
    assert weak.beta == pytest.approx(12e-6, rel=1e-9)
    strong = FermiDirac.rescaled(1 - 2**-26, prevalence=0.3)
    assert strong.beta == pytest.approx(pi / sqrt(6 * 0.3 * 0.7 * 2**-26), rel=1e-9)
    dilute = FermiDirac.rescaled(0.99, prevalence=1e-8)
    assert dilute.beta == pytest.approx(100, rel=1e-5)


@pytest.mark.parametrize("is_rescaled", [False, True])
def test_perfect_reversed_and_random(is_rescaled):
    def law(auc):
        if is_rescaled:
            return FermiDirac.rescaled(auc, prevalence=0.375)
        return FermiDirac.from_auc(auc, 3, 5)

    perfect = law(1)
    worst = law(0)
    chance = law(0.5)
    if is_rescaled:
        first = 0.375
        middle = 0.5
        last = 0.625
        ranks = np.array([1, 2, 3, 4, 5, 6, 7, 8 - 8e-9]) / 8
    else:
        first = 3.5
        middle = 4.5
        last = 5.5
        ranks = np.arange(1, 9)
    assert (perfect.beta, perfect.temperature) == (inf, 0)
    assert perfect.chemical_potential == perfect.threshold_rank == first
    assert (worst.beta, worst.chemical_potential, worst.threshold_rank) == (-inf, last, last)
    assert (chance.beta, chance.temperature, chance.chemical_potential) == (0, inf, -inf)
    assert chance.threshold_rank == middle
    np.testing.assert_array_equal(perfect.probability(ranks[[0, 1, 4, 7]]), [1, 1, 0, 0])
    np.testing.assert_array_equal(worst.probability(ranks[[0, 1, 5, 7]]), [0, 0, 1, 1])
    np.testing.assert_allclose(chance.probability(ranks), 0.375, rtol=1e-15)
    assert perfect.probability(first) == 0.5
    np.testing.assert_array_equal(perfect.log_likelihood_ratio([0, first, 9]), [inf, 0, -inf])
    np.testing.assert_array_equal(chance.log_likelihood_ratio(), 0)
    np.testing.assert_allclose(perfect.tpr(ranks[:4]), [1 / 3, 2 / 3, 1, 1])
    np.testing.assert_allclose(worst.fpr(ranks[:4]), [1 / 5, 2 / 5, 3 / 5, 4 / 5])
    np.testing.assert_allclose(worst.tpr(ranks[4:]), [0, 1 / 3, 2 / 3, 1], atol=1e-8)
    np.testing.assert_allclose(chance.tpr(ranks), chance.fpr(ranks))
    assert perfect.auprc() == pytest.approx(1)
    assert chance.auprc() == pytest.approx(0.375)
    assert pair_probabilities(perfect) == (1, 1)
    assert pair_probabilities(worst) == pytest.approx((0, 0), abs=1e-15)


def test_perfect_and_reversed_counts_do_not_vary():
    perfect = FermiDirac.from_auc(1, 3, 5)
    worst = FermiDirac.from_auc(0, 3, 5)
    assert perfect.auc_variance() == worst.auc_variance() == 0
    assert perfect.sample(0).tolist() == [1, 1, 1, 0, 0, 0, 0, 0]
    assert worst.sample(0).tolist() == [0, 0, 0, 0, 0, 1, 1, 1]


def test_balanced_classes_at_chance_have_a_middle():
    assert FermiDirac.from_auc(0.5, 4, 4).chemical_potential == 4.5
    assert FermiDirac.from_auc(0.5, 5, 3).chemical_potential == inf
    assert FermiDirac.rescaled(0.5, prevalence=0.5).chemical_potential == 0.5


def test_one_misordered_pair_among_many_samples():
    # the AUC of data may be nearer to 1 than one that may be given
    labels = np.repeat([1, 0], 50_000)
    labels[49_999:50_001] = 0, 1
    law = FermiDirac.from_scores(labels, -np.arange(100_000))
    assert law.one_minus_auc == 1 / 2.5e9
    assert 0 < law.auc_variance() < law.one_minus_auc


def test_a_million():
    law = FermiDirac.from_auc(0.8, 10_000, 990_000)
    assert law.probability().sum() == pytest.approx(10_000, rel=1e-11)
    assert law.ranks @ law.probability() == pytest.approx(
        10_000 * (990_000 * 0.2 + 10_001 / 2), rel=1e-11
    )


# ---------------------------------------------------------------- the result as an object


def test_rescaled_rates_are_integrals():
    for auc, prevalence in ((0.9, 0.3), (0.2, 0.7), (0.50001, 0.1), (0.97, 0.05)):
        law = FermiDirac.rescaled(auc, prevalence=prevalence)
        x = np.linspace(0, 1, 200_001)
        f = law.probability(x)
        total = np.append(0, np.cumsum((f[1:] + f[:-1]) / 2)) / 200_000
        np.testing.assert_allclose(law.tpr(x), total / prevalence, atol=1e-4 * max(total))
        np.testing.assert_allclose(law.precision(x[1:]), total[1:] / x[1:], atol=1e-5)
        assert law.precision(0) == law.probability(0)
        assert (law.tpr(1), law.fpr(1)) == pytest.approx((1, 1), abs=1e-15)
        fpr, tpr = law.roc_curve()
        assert trapezoid(tpr, fpr) == pytest.approx(auc, abs=2e-5)
        pos, neg = law.class_given_rank(x)
        assert trapezoid(pos, x) == pytest.approx(1, abs=1e-6)
        assert trapezoid(law.precision(x) * pos, x) == pytest.approx(law.auprc(), abs=1e-5)
        p_xxy = trapezoid(neg * law.tpr(x) ** 2, x)
        assert pair_probabilities(law)[0] == pytest.approx(p_xxy, abs=1e-5)


def test_area_under_precision_for_many_samples():
    law = FermiDirac.from_auc(0.8, 2000, 8000)
    large = (0.2 + np.mean(law.precision() ** 2) / 0.2) / 2
    assert law.auprc() == pytest.approx(large, rel=1e-4)


def test_between_ranks():
    law = FermiDirac.from_auc(0.8, 4, 6)
    assert law.tpr(2.5) == pytest.approx((law.tpr(2) + law.tpr(3)) / 2)
    assert (law.tpr(0), law.fpr(0)) == (0, 0)
    assert law.precision(0) == law.probability(1)
    assert law.probability(-3.5) > law.probability(1)


def test_shapes():
    law = FermiDirac.from_auc(0.8, 4, 6)
    for method in (law.probability, law.tpr, law.precision, law.log_likelihood_ratio):
        assert method([[1, 2, 3], [4, 5, 6]]).shape == (2, 3)
        assert np.ndim(method(3)) == 0
        assert method([]).shape == (0,)
    assert law.ranks.tolist() == list(range(1, 11))
    assert repr(law).startswith("FermiDirac(beta=0.445452, threshold_rank=5.15896")
    assert "prevalence=0.4" in repr(FermiDirac.rescaled(0.8, prevalence=0.4))
    assert (law.n_samples, law.is_rescaled) == (10, False)
    assert FermiDirac.rescaled(0.8, prevalence=0.4).n_samples is None


@pytest.mark.parametrize("auc", [0, 0.2, 0.4999999, 0.500001, 0.75, 0.9, 0.99999, 1])
@pytest.mark.parametrize(("n_pos", "n_neg"), [(1, 40), (7, 3), (500, 1500)])
def test_parameters_there_and_back(auc, n_pos, n_neg):
    law = FermiDirac.from_auc(auc, n_pos, n_neg)
    back = FermiDirac.from_parameters(law.beta, law.chemical_potential, n_pos + n_neg)
    assert (back.n_pos, back.n_neg) == (n_pos, n_neg)
    assert back.auc == pytest.approx(law.auc, rel=1e-9, abs=1e-15)
    assert back.one_minus_auc == pytest.approx(law.one_minus_auc, rel=1e-9, abs=1e-15)
    assert back.threshold_rank == pytest.approx(law.threshold_rank, rel=1e-7)


def test_expected_counts_need_not_be_whole():
    law = FermiDirac.from_parameters(0.2, 3.3, n_samples=12)
    assert law.n_pos == pytest.approx(law.probability().sum())
    assert law.n_samples == 12
    assert law.auc_variance() > 0
    with pytest.raises(ValueError, match="whole number of positives; this law"):
        law.sample(0)


def test_laws_of_too_many_samples_are_refused_before_memory_is_taken():
    for make in (
        lambda: FermiDirac.from_auc(0.8, 10**9, 10**9),
        lambda: FermiDirac.from_temperature(3.0, 10**9, 10**9),
        lambda: FermiDirac.from_parameters(1e-9, 1e9, 2 * 10**9),
    ):
        with pytest.raises(ValueError, match=r"^n_samples, .*must be at most .* GiB of memory"):
            make()
