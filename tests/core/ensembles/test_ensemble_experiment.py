"""When the crowd beats the best: the table of the specification, at fewer repetitions."""

import numpy as np
import pytest
from scipy.special import ndtri

from rocviz.core.base.progress import SimulationStopped
from rocviz.core.ensembles.experiment import ensemble_experiment, ensemble_subsets
from rocviz.core.ensembles.simulate_classifiers import simulate_classifiers
from rocviz.core.roc.segments import RankedSegments

# correlation, number of classifiers: best single, wisdom of crowds, FiDEL of 200 repetitions
TABLE = {
    (0.0, 3): (0.750, 0.745, 0.779),
    (0.0, 5): (0.748, 0.803, 0.829),
    (0.0, 7): (0.744, 0.843, 0.866),
    (0.2, 3): (0.748, 0.713, 0.756),
    (0.2, 5): (0.746, 0.739, 0.776),
    (0.2, 7): (0.743, 0.754, 0.791),
    (0.4, 3): (0.749, 0.691, 0.738),
    (0.4, 5): (0.749, 0.705, 0.745),
    (0.4, 7): (0.746, 0.710, 0.747),
    (0.6, 3): (0.750, 0.674, 0.723),
    (0.6, 5): (0.748, 0.679, 0.718),
    (0.6, 7): (0.746, 0.684, 0.720),
}


@pytest.fixture(scope="module")
def table():
    return ensemble_experiment(n_repeats=15, random_state=0)


def test_the_table_is_reproduced(table):
    frame = table.to_frame()
    assert len(frame) == 60
    rows = frame.set_index(["correlation", "n_classifiers", "method"])
    deviations = []
    for (c, m), expected in TABLE.items():
        for method, value in zip(("best", "woc", "fidel"), expected, strict=True):
            actual = rows.loc[(c, m, method)]
            # the published mean of 200 repetitions has an error too, and is rounded
            error = np.sqrt(actual.standard_error**2 * (1 + 15 / 200) + 0.0005**2 / 3)
            deviations.append((actual.auc - value) / error)
    assert np.abs(deviations).max() < 3.5
    assert np.std(deviations) < 1.4
    aware = rows.loc[(0.4, 7, "correlation-aware")]
    assert aware.auc == pytest.approx(0.790, abs=3.5 * aware.standard_error)


def test_the_findings_of_the_table_hold(table):
    rows = table.to_frame().pivot(
        index=["correlation", "n_classifiers"], columns="method", values="auc"
    )
    assert (rows["fidel"] > rows["woc"]).all()
    gain = rows["fidel"] - rows["best"]
    assert (gain[0.0] > 0).all()
    assert (gain[0.6] < 0).all()
    assert gain[0.4, 3] < 0


def test_equal_classifiers_need_no_weights():
    equal = ensemble_experiment(
        [5], [0.0], auc_range=(0.65, 0.65), n_validation=60, n_repeats=60, random_state=1
    )
    auc = dict(zip(equal.methods, equal.auc[0], strict=True))
    assert auc["woc"] > auc["fidel"] + 0.005


def test_one_classifier_is_the_middle_one_and_all_methods_agree():
    experiment = ensemble_experiment([1], [0.3], n_repeats=30, rank_context="batch", random_state=0)
    assert experiment.auc[0] == pytest.approx(0.65, abs=0.02)
    np.testing.assert_allclose(experiment.auc[0], experiment.auc[0, 0])


@pytest.mark.parametrize("context", ["validation", "batch"])
def test_settings_repeat_and_report(context):
    options = {"n_repeats": 3, "random_state": 3, "n_validation": 60, "n_test": 40}
    seen = []

    def progress(sizes):
        for size in sizes:
            seen.append(size)
            yield size

    watched = ensemble_experiment([2, 3], [0.1], rank_context=context, progress=progress, **options)
    plain = ensemble_experiment([2, 3], [0.1], rank_context=context, **options)
    np.testing.assert_array_equal(watched.auc, plain.auc)
    assert seen == [1, 1, 1, 1, 1, 1]
    assert plain.n_repeats == 3


def test_an_experiment_can_be_stopped():
    stops = iter([False, False, True])
    options = {"n_validation": 30, "n_test": 30, "n_repeats": 150}
    with pytest.raises(SimulationStopped, match="there is no result"):
        ensemble_experiment([2], [0.0], should_stop=lambda: next(stops), **options)
    assert not list(stops)


# ---------------------------------------------------------------------- subsets of real scores


def test_subsets():
    y, scores = simulate_classifiers(600, [0.6, 0.65, 0.7, 0.75], correlation=0.3, random_state=2)
    names = dict(zip("abcd", scores.T, strict=True))
    experiment = ensemble_subsets(y, names, n_repeats=40, random_state=0)
    assert experiment.n_classifiers.tolist() == [1, 2, 3, 4]
    assert experiment.correlation == pytest.approx([6 / np.pi * np.arcsin(0.15)] * 4, abs=0.06)
    aucs = [RankedSegments.from_scores(y, column).auc for column in scores.T]
    assert experiment.auc[3, 1] == pytest.approx(np.mean(aucs), abs=0.004)
    # test samples between the same two validation samples are tied, hence not exactly
    np.testing.assert_allclose(experiment.auc[0], experiment.auc[0, 0], atol=2e-4)
    assert (np.diff(experiment.auc[:, 3]) > 0).all()
    again = ensemble_subsets(y, scores, sizes=[4], n_repeats=40, random_state=0)
    np.testing.assert_array_equal(again.auc[0], experiment.auc[3])


def test_subsets_of_few_samples():
    seen = []
    experiment = ensemble_subsets(
        ["n", "y", "n", "y"],
        [[1, 2], [2, 1], [0, 0], [3, 3]],
        n_repeats=5,
        pos_label="y",
        random_state=0,
        progress=lambda sizes: seen.extend(sizes) or sizes,
    )
    assert ((experiment.auc >= 0) & (experiment.auc <= 1)).all()
    assert seen == [1, 1, 1, 1, 1]


# ---------------------------------------------------------------------- simulated classifiers


@pytest.mark.parametrize("correlation", [0.0, 0.4, 1.0])
def test_simulated_classifiers_have_the_requested_aucs(correlation):
    areas = [0.3, 0.5, 0.65, 0.9]
    y, scores = simulate_classifiers(
        60_000, areas, correlation=correlation, prevalence=0.3, random_state=0
    )
    assert y.sum() == 18_000
    for column, area in zip(scores.T, areas, strict=True):
        assert RankedSegments.from_scores(y, column).auc == pytest.approx(area, abs=0.008)
    for label in (0, 1):
        inside = scores[y == label]
        np.testing.assert_allclose(inside.std(axis=0), 1, atol=0.02)
        correlations = np.corrcoef(inside.T)[np.triu_indices(4, 1)]
        np.testing.assert_allclose(correlations, correlation, atol=0.03)
    gap = scores[y == 1].mean(axis=0) - scores[y == 0].mean(axis=0)
    np.testing.assert_allclose(gap, np.sqrt(2) * ndtri(areas), atol=0.03)


def test_small_changes_of_settings_change_little():
    two = simulate_classifiers(300, [0.6, 0.7], correlation=0.3, random_state=8)
    three = simulate_classifiers(300, [0.6, 0.7, 0.8], correlation=0.3, random_state=8)
    np.testing.assert_array_equal(two.y_true, three.y_true)
    np.testing.assert_array_equal(two.scores, three.scores[:, :2])
    changed = simulate_classifiers(300, [0.6, 0.7], correlation=0.31, random_state=8)
    assert np.abs(changed.scores - two.scores).max() < 0.1
