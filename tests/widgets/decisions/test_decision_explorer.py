"""The decision explorer's life, controls and pictures, without a browser."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances

import rocviz
from rocviz import DecisionExplorer
from rocviz.theme import Theme, _listeners

P = np.array([0.9, 0.2, 0.55, 0.4, 0.1, 0.7])
Y = np.array([1, 0, 1, 0, 0, 1])


@pytest.fixture
def explorer():
    made = DecisionExplorer()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _theme():
    yield
    rocviz.set_theme(lecture=False)


def test_twelve_explorers_leave_nothing_behind():
    gc.collect()
    before, listeners = set(_instances), len(_listeners)
    for i in range(12):
        explorer = DecisionExplorer(Y, P, k=i % 7)
        explorer.preset = "two peaks: F1 is not unimodal"
        explorer.close()
    assert set(_instances) == before
    assert len(_listeners) == listeners


def test_bad_data_makes_no_widget():
    gc.collect()
    before = set(_instances)
    with pytest.raises(ValueError, match="y_prob is missing"):
        DecisionExplorer(Y)
    with pytest.raises(ValueError, match="one entry per sample"):
        DecisionExplorer(Y, P[:-1])
    with pytest.raises(TypeError, match="no input 'metrik'"):
        DecisionExplorer(metrik="f")
    gc.collect()
    assert set(_instances) == before


def test_opens_on_predictions_and_on_an_estimator():
    from sklearn.linear_model import LogisticRegression

    X = np.column_stack((P, 1 - P))
    model = LogisticRegression().fit(X, np.where(Y == 1, "yes", "no"))
    one = DecisionExplorer.from_estimator(model, X)
    two = DecisionExplorer.from_estimator(model, X, np.where(Y == 1, "yes", "no"), pos_label="no")
    three = DecisionExplorer.from_predictions(None, P)
    np.testing.assert_allclose(one.y_prob, 1 - two.y_prob)
    assert one.result.realised is None
    assert two.result.realised is not None
    assert three._size_slider.layout.display == "none"
    for explorer in (one, two, three):
        explorer.close()


def test_the_cut_is_dragged_in_both_pictures_and_by_its_slider(explorer):
    for panel in (explorer._probabilities, explorer._utilities):
        handle = panel.handle
        handle._start(handle.felt, {})
        handle._drag(handle.felt, {"point": {"x": 2.3, "y": 0.4}})
        assert explorer.k == 2
        handle._end(handle.felt, {"point": {"x": 99.0, "y": 0.4}})
        assert explorer.k == 12
        assert handle.felt.x[0] == 12
    explorer._cuts[12].value = 4
    assert explorer.k == 4
    explorer._to_best()
    assert explorer.k == explorer._cuts[12].value == explorer.result.k_star


def test_each_size_has_its_own_slider_of_cuts(explorer):
    explorer.n_samples = 100
    assert {n: s.layout.display for n, s in explorer._cuts.items()} == {12: "none", 100: ""}
    k = explorer.k
    explorer._cuts[12].value = 12  # what a hidden slider says late
    assert explorer.k == k != 12
    explorer._cuts[100].value = 50
    assert explorer.k == 50


def test_a_dot_is_dragged_past_its_neighbours(explorer):
    items = explorer._probabilities.items
    x = items.felt.x.copy()
    items._start(items.felt, {})
    items._drag(items.felt, {"index": 11, "point": {"x": 11.5, "y": 0.994}})
    assert explorer.probabilities[11] == 0.99
    assert items.chosen.x[0] == 0.5  # it has become the most probable one
    np.testing.assert_array_equal(items.felt.x, x)
    items._drag(items.felt, {"index": 11, "point": {"x": 11.5, "y": 0.5}})
    assert explorer.probabilities[11] == 0.5  # still the same sample
    items._end(items.felt, {"index": 11, "point": {"x": 11.5, "y": -3.0}})
    assert explorer.probabilities[11] == 0.0
    np.testing.assert_array_equal(items.felt.y, items.seen.y)


def test_a_probability_is_changed_with_the_slider(explorer):
    explorer._item.value = 5
    assert explorer.item == 5
    assert explorer._value.value == explorer.y_prob[4]
    explorer._value.value = 0.8
    assert explorer.y_prob[4] == 0.8
    explorer.n_samples = 100
    assert explorer._item.layout.display == explorer._value.layout.display == "none"


def test_what_a_slider_rounds_changes_nothing(explorer):
    before = explorer.inputs()
    explorer._item.value = 1
    explorer._value.value = float(explorer.y_prob[0]) + 1e-12
    explorer.sharpen = 1.03
    assert explorer._sharpen.value == 1.0
    explorer.sharpen = 1.0
    assert explorer.inputs() == before


def test_metrics_are_ticked_to_be_compared(explorer):
    explorer._beside["jaccard"].value = True
    explorer._beside["g_mean"].value = True
    assert explorer.compared == ("jaccard", "g_mean")
    assert explorer._utilities.others.y.shape == (2, 13)
    explorer.metric = "jaccard"
    assert explorer._utilities.others.y.shape in ((13,), (1, 13))
    explorer._beside["g_mean"].value = False
    assert not explorer._utilities.others.visible
    explorer._beside["cost"].value = True
    assert "minus cost" in explorer.result.decisions


def test_options_are_shown_where_they_matter(explorer):
    assert (explorer._beta.layout.display, explorer._cost.layout.display) == ("", "none")
    explorer._metric.value = "cost"
    assert (explorer._beta.layout.display, explorer._cost.layout.display) == ("none", "")
    explorer._cost.value = 5.0
    assert explorer.cost_fn == 5


def test_a_typed_formula_is_taken_and_judged(explorer):
    explorer._formula.value = "u / (p + v - u)"
    assert explorer.metric == explorer._metric.value == "formula"
    assert "TP monotonic: more true positives never lower it" in explorer._says_formula.value
    explorer._formula.value = "v - 2*u"
    assert "Not TP monotonic" in explorer._says_formula.value
    assert "the best is not a prefix" in explorer.sentences[1].text
    explorer.metric = "am"
    assert explorer._says_formula.value == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("__import__('os')", "is not allowed"),
        ("u.real", "is an attribute"),
        ("<b>u</b>", "&lt;"),
        ("9**9**9", "power"),
        ("1/(u-u+v-v)", "finite"),
    ],
)
def test_a_refused_formula_is_explained_and_the_picture_stays(explorer, text, why):
    result = explorer.result
    explorer._formula.value = text
    assert explorer.result is result
    assert explorer.metric == "f"
    assert "Refused" in explorer._says_formula.value
    assert why in explorer._says_formula.value
    assert "<b>u" not in explorer._says_formula.value
    explorer.k = 2
    assert explorer._formula.value == text  # there to be mended
    explorer.reset()
    assert explorer._formula.value == explorer.formula
    assert explorer._says_formula.value == ""


def test_a_long_formula_has_a_short_name_in_tables(explorer):
    explorer.formula = "min(u, v) - 0.1*p + 0*v"
    assert "formula" in explorer._panels[2].html.value
    assert explorer.result.name == explorer.formula


@pytest.mark.parametrize("preset", list(DecisionExplorer.presets))
def test_every_preset_is_drawn_in_every_theme(preset, tmp_path):
    explorer = DecisionExplorer(preset=preset)
    for theme in (Theme(), Theme(dark=True, lecture=True)):
        figure = explorer.static_figure(theme)
        assert len(figure.axes) == 4
    explorer.close()


def test_files_hold_the_picture_and_the_numbers(tmp_path):
    explorer = DecisionExplorer(Y, P, sharpen=2.0, compared=("am",), k=2)
    assert explorer.save(tmp_path / "a.svg").read_bytes().startswith(b"<?xml")
    page = explorer.to_html(tmp_path / "a.html").read_text(encoding="utf-8")
    assert "optimal_decision" in page
    assert "realised" in page
    explorer.close()


def test_one_step_changes_few_models(explorer, monkeypatch):
    explorer.k = 3
    sent = []
    for widget in list(_instances.values()):
        monkeypatch.setattr(
            widget, "_send", lambda msg, buffers=None, w=widget: sent.append(w), raising=False
        )
    explorer.k = 4
    assert 0 < len({w.model_id for w in sent}) <= 26


def test_a_dashed_curve_that_cannot_be_seen_is_not_spoken_of(explorer):
    def said():
        return [text for text, _ in explorer._utilities._rows(explorer.result)]

    assert "dashed: on expected counts" in said()
    explorer.preset = "large"
    assert "dashed: on expected counts" not in said()
    assert "on expected counts the same" in said()
