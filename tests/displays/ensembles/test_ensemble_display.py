from functools import partial
from itertools import permutations

import numpy as np
import pytest
from matplotlib import colors as mcolors
from matplotlib import pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from rocviz import EnsembleDisplay, FiDELClassifier, fidel_combine, simulate_classifiers
from rocviz.core.ensembles import ensemble_experiment
from rocviz.displays.ensembles.pictures import METHODS
from rocviz.theme import Theme


@pytest.fixture(scope="module")
def scores():
    y, matrix = simulate_classifiers(300, [0.4, 0.6, 0.75], correlation=0.2, random_state=1)
    return fidel_combine(y, matrix, names=["first", "second", "a rather long name"])


@pytest.fixture(scope="module")
def experiment():
    return ensemble_experiment([1, 3, 5], [0.0, 0.4], n_repeats=4, random_state=0)


def many(n):
    y, matrix = simulate_classifiers(200, np.linspace(0.3, 0.9, n), correlation=0.4, random_state=0)
    return fidel_combine(y, matrix)


def drawings():
    """List arguments of pictures of every kind and size."""
    for kind in ("contributions", "correlation"):
        for n in (1, 2, 10, 25):
            yield pytest.param(partial(many, n), {"kind": kind}, id=f"{kind} {n}")
    for sizes in ([1], [3, 5, 7], range(1, 11)):
        small = {"n_validation": 60, "n_test": 60, "n_repeats": 2, "random_state": 0}
        experiment = partial(ensemble_experiment, sizes, [0.2], **small)
        yield pytest.param(experiment, {}, id=f"auc {len(sizes)}")


def test_bars_are_the_contributions_and_their_sum(scores):
    for item in (0, 5, 299):
        display = EnsembleDisplay(scores).plot(item=item)
        bars = display.picture_["bars"]
        widths = bars.x[:, 1]
        np.testing.assert_allclose(widths[:3], scores.contributions[item])
        assert widths[3] == pytest.approx(scores.log_likelihood_ratio[item])
        expected = ["positive" if value > 0 else "negative" for value in widths[:3]]
        assert bars.part_roles == [*expected, "ranking"]
        (artist,) = display.artists_["bars"]
        assert mcolors.same_color(artist.get_facecolor()[0][:3], Theme().colour(expected[0]))
        low, high = display.ax_.get_xlim()
        assert low < min(0, *widths)
        assert max(0, *widths) < high


def test_numbers_of_the_item_are_written(scores, words):
    display = EnsembleDisplay(scores).plot(item=5)
    text = words(display.ax_)
    for value in (*scores.contributions[5], scores.log_likelihood_ratio[5]):
        assert f"{value:+.2f}".replace("-", "−") in text
    names = [label.get_text() for label in display.ax_.get_yticklabels()][::-1]
    rank = f"{scores.ranks[5, 2]:.1f}".removesuffix(".0")
    assert names[2] == f"a rather long name, rank {rank} of 300"
    assert names[3] == f"sum, probability {scores.probability[5]:.3f}"
    assert display.ax_.get_title(loc="left") == "Item 5"


def test_cells_are_the_correlation(scores):
    display = EnsembleDisplay(scores).plot(kind="correlation")
    c = scores.ensemble.correlation
    picture = display.picture_
    rows = [label.get_text() for label in display.ax_.get_yticklabels()][::-1]
    assert rows == ["1 first", "2 second", "3 a rather long name"]
    for k, (i, j) in enumerate(permutations(range(3), 2)):
        assert int(picture["cells"].x[k].mean()) == j
        assert int(picture["cells"].y[k].mean()) == 2 - i
        written = f"{c[i, j]:.2f}".replace("0.", ".", 1).replace("-", "−")
        assert picture["numbers"].text[k] == written
    assert f"{c[np.triu_indices(3, 1)].mean():.2f}" in display.ax_.get_title(loc="left")


def test_stronger_correlations_are_darker_and_negative_ones_of_another_hue():
    y, matrix = simulate_classifiers(200, [0.7, 0.7, 0.7], correlation=0.8, random_state=0)
    matrix = matrix + np.array([0, 0, 3]) * np.random.default_rng(0).normal(size=(200, 1))
    display = EnsembleDisplay.from_predictions(y, matrix * [1, 1, -1], kind="correlation")
    cells = display.picture_["cells"]
    c = display.results.ensemble.correlation
    assert c[0, 1] > 0.7
    assert c[0, 2] < 0
    assert list(cells.part_roles[:2]) == ["text", "second"]
    assert cells.opacities[0] > cells.opacities[1]


@pytest.mark.parametrize("correlation", [None, 0.0, 0.4])
def test_lines_are_the_experiment(experiment, correlation):
    display = EnsembleDisplay.from_experiment(experiment, correlation=correlation)
    rows = experiment.correlation == (correlation or 0.0)
    for k, method in enumerate(METHODS):
        column = experiment.methods.index(method)
        line = display.picture_[f"line {method}"]
        bars = display.picture_[f"bars {method}"]
        np.testing.assert_allclose(line.x, np.array([1, 3, 5]) + 0.05 * (k - 2))
        np.testing.assert_array_equal(line.y, experiment.auc[rows, column])
        errors = experiment.standard_error[rows, column]
        np.testing.assert_allclose(np.ptp(bars.y, axis=1), 4 * errors)
    assert set(METHODS) == set(experiment.methods)
    assert f"{correlation or 0:.2f}" in display.ax_.get_title(loc="left")


def test_from_estimator():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = (X[:, 0] + rng.normal(size=200) > 0).astype(int)
    model = FiDELClassifier([("a", LogisticRegression()), ("b", GaussianNB())], random_state=0)
    display = EnsembleDisplay.from_estimator(model.fit(X, y), X, item=7)
    np.testing.assert_allclose(display.picture_["bars"].x[:2, 1], model.contributions(X)[7])
    with pytest.raises(ValueError, match="fitted FiDELClassifier; got GaussianNB"):
        EnsembleDisplay.from_estimator(GaussianNB().fit(X, y), X)


@pytest.mark.parametrize(("draw", "how"), list(drawings()))
def test_nothing_is_cut_off_and_no_texts_overlap(draw, how, legible):
    display = EnsembleDisplay(draw()).plot(**how)
    # so many names are longer than their rows are apart
    legible(display.figure_, display.ax_, apart=len(display.ax_.get_yticklabels()) < 26)


def test_lectures_have_room_for_larger_type(scores, experiment, legible):
    for results, kind in ((scores, "contributions"), (scores, "correlation"), (experiment, "auc")):
        display = EnsembleDisplay(results).plot(kind=kind, theme="lecture")
        legible(display.figure_, display.ax_)


def test_bad_input_makes_no_figure(scores, experiment):
    nothing = fidel_combine([0, 1], [[0.0], [1.0]], np.empty((0, 1)))
    for results, how, message in (
        (scores, {"kind": "auc"}, "kind must be one of contributions, correlation"),
        (experiment, {"kind": "correlation"}, "kind must be one of auc"),
        (experiment, {"correlation": 0.3}, "correlation must be one of .* 0.0, 0.4; got 0.3"),
        (nothing, {}, "no item"),
    ):
        with pytest.raises(ValueError, match=message):
            EnsembleDisplay(results).plot(**how)
    assert plt.get_fignums() == []
