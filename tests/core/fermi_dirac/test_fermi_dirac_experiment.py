"""The law compared with simulated data, and over a grid of AUCs and prevalences."""

import numpy as np
import pytest

from rocviz import FermiDirac, RankedSegments
from rocviz.core.base.progress import SimulationStopped
from rocviz.core.fermi_dirac import fermi_dirac_experiment, fermi_dirac_surface


def test_the_papers_figure_3():
    experiment = fermi_dirac_experiment(random_state=0)
    assert experiment.auc.size == 45
    assert experiment.rank_correlation > 0.96
    assert experiment.deviation_correlation > 0.98
    # where the prevalence is near 0 or 1 and the AUC high the law is too sure
    extreme = (experiment.auc == 0.95) & np.isin(experiment.prevalence, (0.1, 0.9))
    assert (experiment.law_deviation[extreme] < 0.9 * experiment.delong_deviation[extreme]).all()
    middle = np.abs(experiment.prevalence - 0.5) < 0.05
    np.testing.assert_allclose(
        experiment.law_deviation[middle], experiment.delong_deviation[middle], rtol=0.06
    )


def test_one_data_set_by_hand():
    experiment = fermi_dirac_experiment(12, prevalence=0.25, auc=0.8, n_repeats=2, random_state=3)
    rng = np.random.default_rng(3)
    measured = []
    y = np.arange(12) < 3
    for _ in range(2):
        score = rng.normal(size=12)
        score[y] += np.sqrt(2) * 0.8416212335729143
        order = np.argsort(-score)
        accuracy = [y[order[:k]].sum() / 3 + (~y[order[k:]]).sum() / 9 for k in range(13)]
        law = FermiDirac.from_segments(RankedSegments.from_scores(y, score))
        measured.append((law.threshold_rank / 12, (np.argmax(accuracy) + 0.5) / 12))
    threshold_rank, best_rank = np.array(measured).T
    assert experiment.threshold_rank == pytest.approx(threshold_rank.mean())
    assert experiment.best_rank == pytest.approx(best_rank.mean())
    assert experiment.best_rank_error == pytest.approx(best_rank.std(ddof=1) / np.sqrt(2))
    assert list(experiment.to_frame().columns[:3]) == ["prevalence", "auc", "threshold_rank"]


def test_constant_results_have_no_correlation():
    for auc in (0.8, [1 - 2e-9, 1 - 1e-9]):
        experiment = fermi_dirac_experiment(
            20, prevalence=0.5, auc=auc, n_repeats=2, random_state=0
        )
        assert np.isnan(experiment.rank_correlation)
        assert np.isnan(experiment.deviation_correlation)


def test_an_experiment_reports_progress_and_can_be_stopped():
    seen = []

    def progress(items):
        for item in items:
            seen.append(item)
            yield item

    options = {"prevalence": [0.3, 0.5], "auc": 0.8, "n_repeats": 2}
    fermi_dirac_experiment(20, **options, progress=progress)
    assert seen == [0, 1]
    with pytest.raises(SimulationStopped, match="simulation was stopped"):
        fermi_dirac_experiment(20, **options, should_stop=lambda: True)


def test_the_surface_is_the_law_at_every_point():
    surface = fermi_dirac_surface([0.3, 0.5, 0.8], [0.2, 0.8])
    for i, share in enumerate(surface.prevalence):
        for j, area in enumerate(surface.auc):
            law = FermiDirac.rescaled(area, prevalence=share)
            assert surface.temperature[i, j] == law.temperature
            assert surface.chemical_potential[i, j] == law.chemical_potential
    # exchanging the classes turns ranks around and leaves the temperature
    np.testing.assert_allclose(surface.temperature[0], surface.temperature[1])
    np.testing.assert_allclose(
        surface.chemical_potential[0, [0, 2]], 1 - surface.chemical_potential[1, [0, 2]]
    )
    default = fermi_dirac_surface()
    assert default.temperature.shape == (41, 41)
    assert (np.diff(default.temperature, axis=1) < 0).all()
    for areas, message in (([0.8, 0.7], "auc must increase"), ([], "auc is empty")):
        with pytest.raises(ValueError, match=message):
            fermi_dirac_surface(areas)
