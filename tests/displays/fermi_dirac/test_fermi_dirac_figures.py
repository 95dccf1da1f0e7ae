"""The law over all settings, and against simulated data."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from rocviz import FermiDiracExperimentDisplay, FermiDiracSurfaceDisplay
from rocviz.core.fermi_dirac import fermi_dirac_experiment, fermi_dirac_surface


@pytest.fixture(scope="module")
def done():
    return fermi_dirac_experiment(
        60, prevalence=[0.1, 0.4, 0.6], auc=[0.7, 0.9], n_repeats=3, random_state=0
    )


def test_a_dot_is_the_mean_of_a_setting(done, legible, words):
    display = FermiDiracExperimentDisplay.from_experiment(done, theme="lecture")
    middle, far = display.points_[0]
    some = done.prevalence > 0.2
    np.testing.assert_array_equal(middle.get_offsets()[:, 0], done.best_rank[some])
    np.testing.assert_array_equal(far.get_offsets()[:, 1], done.threshold_rank[~some])
    bars = display.pictures_[1]["x errors"].x
    np.testing.assert_allclose(np.ptp(bars, axis=1) / 2, 2 * done.delong_deviation_error)
    texts = words(display.axes_[1]).split("\n")
    assert f"correlation {done.deviation_correlation:.3f}" in texts
    legible(display.figure_, *display.axes_)


def test_without_variation_no_correlation_is_written(legible, words):
    experiment = fermi_dirac_experiment(
        20, prevalence=0.5, auc=1 - 1e-9, n_repeats=2, random_state=0
    )
    display = FermiDiracExperimentDisplay.from_experiment(experiment)
    texts = []
    for ax in display.axes_:
        texts.extend(words(ax).split("\n"))
    assert texts.count("dotted: equal") == 2
    assert not any("correlation" in text for text in texts)
    legible(display.figure_, *display.axes_)


def test_contours_are_labelled(legible, words):
    display = FermiDiracSurfaceDisplay.from_grid(theme="dark")
    heat, potential = display.contours_
    assert 0.2 in heat.levels
    assert 0.5 in potential.levels
    assert "0.5" in words(display.axes_[1]).split("\n")
    legible(display.figure_, *display.axes_, apart=False)
    # worse than random rankings are below zero, and a random one has no temperature
    wide = FermiDiracSurfaceDisplay(fermi_dirac_surface([0.2, 0.5, 0.8], [0.3, 0.6])).plot()
    assert wide.axes_[0].get_xlim() == (0.2, 0.8)


def test_a_single_axes_or_value_is_refused(done):
    with pytest.raises(ValueError, match="two values of auc"):
        FermiDiracSurfaceDisplay(fermi_dirac_surface([0.6], [0.5]))
    _, ax = plt.subplots()
    with pytest.raises(ValueError, match="ax must be 2 Axes; got 1"):
        FermiDiracExperimentDisplay(done).plot(ax)
    with pytest.raises(ValueError, match="ax must be 2 Axes; got 1"):
        FermiDiracSurfaceDisplay.from_grid([0.6, 0.8], [0.2, 0.5], ax=ax)
