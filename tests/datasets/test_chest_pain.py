import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from rocviz.core.scoring_lists.stage import ScoringStage
from rocviz.datasets import make_chest_pain

MARBURG = [
    "age and sex",
    "vascular disease",
    "worse with exercise",
    "assumes cardiac origin",
    "not reproducible by palpation",
]
PUBLISHED = {
    "vascular disease": 5.13,
    "worse with exercise": 4.27,
    "assumes cardiac origin": 3.20,
    "not reproducible by palpation": 1 / 0.27,
    "cough": 0.08,
}


def points(prob):
    """Compute the distribution of the number of independent features that are present."""
    result = np.ones(1)
    for p in prob:
        result = np.convolve(result, [1 - p, p])
    return result


def test_shape_and_share_of_the_published_cohort():
    cohort = make_chest_pain()
    assert cohort.data.shape == (1199, 10)
    assert cohort.target.sum() == 135
    assert set(np.unique(cohort.data)) == {0, 1}
    assert make_chest_pain(12_000).target.sum() == 1351
    assert make_chest_pain(10).target.sum() == 1


def test_the_other_published_prevalence():
    more = make_chest_pain(prevalence=0.15)
    assert more.target.sum() == 180
    assert more.marginals == make_chest_pain().marginals
    assert make_chest_pain(prevalence=135 / 1199).target.sum() == 135


def test_a_prevalence_without_positives_is_refused():
    with pytest.raises(ValueError, match="prevalence"):
        make_chest_pain(20, prevalence=0.01)


def test_the_data_set_is_described_as_synthetic():
    cohort = make_chest_pain(as_frame=True)
    assert cohort.synthetic
    assert cohort.frame.attrs["synthetic"]
    assert "SYNTHETIC" in cohort.DESCR
    assert "SYNTHETIC" in cohort.frame.attrs["description"]
    assert "SYNTHETIC" in make_chest_pain.__doc__
    X, y = make_chest_pain(return_X_y=True, as_frame=True)
    assert X.attrs["synthetic"]
    assert list(X.columns) == cohort.feature_names == list(cohort.feature_costs)
    assert y.name == "CHD"


def test_the_figures_imply_the_published_odds_ratios():
    marginals = make_chest_pain().marginals
    assert {name for name, m in marginals.items() if m["published"]} == set(PUBLISHED)
    for name, m in marginals.items():
        ratio = (m["chd"] / (1 - m["chd"])) / (m["no_chd"] / (1 - m["no_chd"]))
        assert ratio == pytest.approx(m["odds_ratio"])
        if name in PUBLISHED:
            assert ratio == pytest.approx(PUBLISHED[name])


def test_the_score_is_as_accurate_in_the_population_as_published():
    marginals = make_chest_pain().marginals
    pos = points([marginals[name]["chd"] for name in MARBURG])
    neg = points([marginals[name]["no_chd"] for name in MARBURG])
    assert pos[3:].sum() == pytest.approx(0.864, abs=0.005)
    assert neg[:3].sum() == pytest.approx(0.752, abs=0.005)
    below = np.cumsum(neg) - neg / 2
    auc = pos @ below
    assert auc == pytest.approx(0.87, abs=0.005)


def test_the_draw_follows_the_figures_and_is_independent_within_a_class():
    cohort = make_chest_pain(200_000, random_state=3)
    for label, key in enumerate(("no_chd", "chd")):
        of_class = cohort.target == label
        rows = cohort.data[of_class]
        published = [marginal[key] for marginal in cohort.marginals.values()]
        np.testing.assert_allclose(rows.mean(axis=0), published, atol=0.015)
        correlation = np.corrcoef(rows.T) - np.eye(10)
        assert np.abs(correlation).max() < 0.035


def test_the_default_cohort_is_near_the_figures_too():
    X, y = make_chest_pain(return_X_y=True, as_frame=True)
    total = X[MARBURG].sum(axis=1)
    assert roc_auc_score(y, total) == pytest.approx(0.88, abs=0.005)
    is_ill = y == 1
    assert (total[is_ill] >= 3).mean() == pytest.approx(0.87, abs=0.005)
    assert (total[~is_ill] < 3).mean() == pytest.approx(0.75, abs=0.005)


def test_the_seed_decides():
    assert (make_chest_pain().data == make_chest_pain(random_state=3).data).all()
    assert (make_chest_pain().data != make_chest_pain(random_state=1).data).any()


def test_the_published_experiments_used_other_labels():
    model = ScoringStage.fit([0], [135], [1199 - 135])
    assert model.entropy == pytest.approx(0.508, abs=5e-4)
    assert model.brier == pytest.approx(0.100, abs=5e-4)
    run = ScoringStage.fit([0], [180], [1199 - 180])
    assert run.entropy == pytest.approx(0.605, abs=0.01)
    assert run.brier == pytest.approx(0.130, abs=0.005)
