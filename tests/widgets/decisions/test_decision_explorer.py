"""The decision explorer's controls, handles and pictures, without a browser."""

from __future__ import annotations

import numpy as np
import pytest
from page import Page
from sklearn.linear_model import LogisticRegression

from rocviz import DecisionExplorer
from rocviz.core.roc.metrics import METRICS

P = np.array([0.9, 0.2, 0.55, 0.4, 0.1, 0.7])
Y = np.array([1, 0, 1, 0, 0, 1])


@pytest.fixture(scope="module")
def opened():
    explorer = DecisionExplorer()
    yield explorer
    explorer.close()


@pytest.fixture
def explorer(opened):
    """As it opens; the tests take turns with one, since making it costs more than most of them."""
    yield opened
    opened.reset()


@pytest.fixture
def page(explorer):
    return Page(explorer)


# ---------------------------------------------------------------------- data


def test_opens_on_an_estimator_without_labels():
    X = np.column_stack((P, 1 - P))
    model = LogisticRegression().fit(X, Y)
    explorer = DecisionExplorer.from_estimator(model, X, pos_label=1)
    page = Page(explorer)
    assert explorer.result.realised is None
    assert page.control("n_samples") == page.control("new_sample") == {"hidden": True}
    explorer.close()


# ---------------------------------------------------------------------- the rail


def test_k_is_typed_dragged_and_optimised(explorer, page):
    page.move("k", position=4)
    assert explorer.k == 4
    assert page.control("k")["text"] == "4"
    assert not page.control("select_best")["disabled"]
    page.move("select_best")
    assert explorer.k == explorer.result.n_predicted_positive
    assert page.control("select_best")["disabled"]
    page.move("k", typed="99")
    assert "k must be from 0 to 12" in page.control("k")["problem"]
    explorer.n_samples = 100
    assert page.control("k")["steps"] == 100


def test_options_are_shown_where_they_matter(explorer, page):
    names = ("beta", "cost_fn", "formula")

    def visible():
        return [name for name in names if "hidden" not in page.control(name)]

    assert visible() == ["beta"]
    explorer.metric = "cost"
    assert visible() == ["cost_fn"]
    page.move("cost_fn", typed="5")
    assert explorer.cost_fn == 5
    explorer.update(metric="formula", compared_metrics=("f",))
    assert visible() == ["beta", "formula"]


def test_a_typed_formula_is_taken_and_judged(explorer, page):
    explorer.metric = "formula"
    page.move("formula", typed="u / (p + v - u)")
    assert explorer.formula == "u / (p + v - u)"
    assert page.control("formula")["note"] == "TP monotonic: the best labels are a prefix."
    page.move("formula", typed="v - 2*u")
    assert page.control("formula")["note"].startswith("Not TP monotonic")
    text = " ".join(sentence.text for sentence in explorer.sentences)
    assert "the best is not a prefix" in text
    assert "falls from" in text


@pytest.mark.parametrize(
    ("text", "why"), [("<b>u</b>", "<"), ("9**9**9", "power"), ("1/(u-u+v-v)", "finite")]
)
def test_a_refused_formula_is_explained_and_the_picture_stays(explorer, page, text, why):
    explorer.metric = "formula"
    inputs = explorer.inputs()
    result = explorer.result
    sentence = page.shown["sentence"]
    page.move("formula", typed=text)
    assert explorer.result is result
    assert explorer.inputs() == inputs
    assert page.shown["sentence"] == sentence
    assert why in page.control("formula")["problem"]
    page.move("k", position=2)
    assert page.control("formula")["problem"] == ""


def test_metrics_are_ticked_to_be_compared(explorer, page):
    for name in ("jaccard", "g_mean"):
        page.move("compared_metrics", key=name, value=True)
    assert explorer.compared_metrics == ("jaccard", "g_mean")
    curves = {"curve:1", "curve:2"}
    assert curves <= page.marks("utilities").keys()
    assert page.summaries["compare"] == "Jaccard, G-Mean"
    ticked = {row["key"]: row["value"] for row in page.control("compared_metrics")["rows"]}
    assert [name for name, on in ticked.items() if on] == ["jaccard", "g_mean"]
    assert "f" not in ticked
    explorer.metric = "jaccard"
    assert curves & page.marks("utilities").keys() == {"curve:1"}
    page.move("compared_metrics", key="g_mean", value=False)
    assert not curves & page.marks("utilities").keys()
    page.move("compared_metrics", key="cost", value=True)
    assert "cost" in explorer.result.decisions


def test_one_probability_is_changed_by_its_slider(explorer, page):
    page.move("sample", position=4)
    assert explorer.sample == 5
    assert page.control("sample_probability")["text"] == f"{explorer.y_prob[4]:.2f}"
    page.move("sample_probability", typed="0.8")
    assert explorer.y_prob[4] == 0.8
    assert page.summaries["probabilities"] == "by hand"
    explorer.update(over_confidence=1.03, shift=5.0)
    assert page.summaries["probabilities"] == "× 1.03, +5"
    page.move("sample_probability", typed="1.5")
    assert "from 0 to 1" in page.control("sample_probability")["problem"]
    explorer.n_samples = 100
    assert page.control("sample") == page.control("sample_probability") == {"hidden": True}


# ---------------------------------------------------------------------- handles


@pytest.mark.parametrize("picture", ["probabilities", "utilities"])
def test_k_is_dragged_in_both_pictures(explorer, page, picture):
    page.drag(picture, "k", 2.3, 0.4)
    assert explorer.k == 2
    page.drag(picture, "k", 99.0, 0.4)
    assert explorer.k == 12
    assert page.marks(picture)["k"].x[0] == 12


def test_a_probability_is_dragged_past_its_neighbours(explorer, page):
    picture = "probabilities"
    event = {"picture": picture, "mark": "items", "index": 11, "x": 11.5}
    assert page.marks(picture)["items"].hint is not None
    page.send(**event, event="drag_start")
    page.send(**event, event="drag", y=0.994)
    assert explorer.probabilities[11] == 0.99
    assert page.marks(picture)["items"].chosen == 0  # it has become the most probable one
    page.send(**event, event="drag", y=0.5)
    assert explorer.probabilities[11] == 0.5  # still the same sample
    page.send(**event, event="drag_end", y=-3.0)
    assert explorer.probabilities[11] == 0.0


def test_draggable_dots_look_so_in_large_pictures_only(explorer, page):
    assert page.marks("probabilities")["items"].role == "muted"
    explorer.focus = "utilities"
    assert "items" not in page.marks("probabilities")
    explorer.update(focus="probabilities", n_samples=31)
    assert "items" not in page.marks("probabilities")


# ---------------------------------------------------------------------- pictures


@pytest.mark.parametrize("preset", list(DecisionExplorer.presets))
def test_every_curve_lies_between_its_ticks(explorer, page, preset):
    explorer.preset = preset
    explorer.update(focus="utilities", compared_metrics=("am",))
    _, axis = page.axes("utilities")
    ticks = [value for value, _ in axis["ticks"]]
    result = explorer.result
    utilities = np.concatenate((result.true_utilities, result.decision.utilities))
    assert ticks[0] <= utilities.min()
    assert ticks[-1] >= utilities.max()
    assert axis["limits"][0] <= ticks[0] <= ticks[-1] <= axis["limits"][1]


def test_small_thresholds_have_only_names_that_fit():
    explorer = DecisionExplorer(Y, P, compared_metrics=("accuracy", "am", "jaccard", "g_mean"))
    page = Page(explorer)
    assert 5 <= len(page.marks("thresholds")["names"].text) <= 9
    objectives = [metric.name for metric in METRICS.values() if metric.is_objective]
    explorer.compared_metrics = (*objectives, "formula")
    names_of_small = list(page.marks("thresholds")["names"].text)
    assert 5 <= len(names_of_small) <= 9
    explorer.focus = "thresholds"
    names = list(page.marks("thresholds")["names"].text)
    assert len(names) == len(explorer.result.decisions) > 9
    assert names[::2] == names_of_small
    explorer.close()


# ---------------------------------------------------------------------- previews


def test_bent_formulas_and_very_many_samples_take_long(explorer, monkeypatch):
    monkeypatch.setattr("rocviz.widgets.decisions.explorer.MAX_SAMPLES_OF_BENT_FORMULAS", 10)
    explorer.formula = "u / (p + 2*v)"
    assert not explorer.finishes_late()
    explorer.formula = "max(u, 0.3*v) / (p + v)"
    assert explorer.finishes_late()
    explorer.metric = "f"
    assert not explorer.finishes_late()
    monkeypatch.setattr("rocviz.widgets.decisions.explorer.MAX_SAMPLES_WITHOUT_PREVIEW", 10)
    assert explorer.finishes_late()


def test_names_of_curves_and_labels_do_not_overlap():
    explorer = DecisionExplorer(
        preset="overconfident", focus="utilities", compared_metrics=("am", "jaccard")
    )
    page = Page(explorer)
    marks = page.marks("utilities")
    assert set(marks["names"].text) == {"balanced accuracy", "Jaccard", "believed", "really"}
    assert len(set(np.round(marks["names"].y, 2))) == 4
    assert marks["names"].x.min() > 100
    assert (marks["words"].x < 100).all()
    assert not {"believed", "really"} & set(marks["words"].text)
    explorer.over_confidence = 1.0
    names = page.marks("utilities")["names"]
    assert set(names.text) == {"balanced accuracy", "Jaccard", "F1"}
    explorer.close()
