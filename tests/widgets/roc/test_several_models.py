"""Several models in the ROC explorer: one in front, a hull over all, and the costs of each."""

import numpy as np
import pandas as pd
import pytest
from page import Page

from rocviz import ROCExplorer, ROCHullDisplay, compare_classifiers
from rocviz.core.comparison import hull_over_models
from rocviz.core.curve_spaces.spaces import SPACES
from rocviz.widgets.roc.data import Scored
from rocviz.widgets.roc.state import ROCState


def three_models(n=300):
    rng = np.random.default_rng(1)
    y = rng.random(n) < 0.35

    def score(shift, noise, spread):
        level = shift * (y - 0.4) + noise * rng.normal(size=n) + spread * y * rng.normal(size=n)
        return 1 / (1 + np.exp(-level))

    return y, {"a": score(1.6, 1, 0), "b": score(1.5, 0.7, 1.4), "c": score(1.4, 1.5, -0.9)}


@pytest.fixture(scope="module")
def data():
    return three_models()


@pytest.fixture
def state(data):
    return ROCState(Scored(*data))


def test_the_best_model_for_the_costs_is_named(state):
    seen = set()
    for ratio in (0.2, 1.0, 3.0, 20.0):
        state.update(cost_fn=ratio, deployment_prevalence=0.3)
        result = state.result
        costs = {"cost_fp": 1.0, "cost_fn": ratio, "prevalence": 0.3}
        cost_of = {}
        for name in state.data.scores:
            table = state.data.curve(name, ()).segments.optimal_point(**costs)
            cost_of[name] = table.expected_cost(**costs)
        assert result.best_cost == pytest.approx(min(cost_of.values()))
        assert cost_of[result.best_model] == pytest.approx(result.best_cost)
        assert result.best_model in state.sentence
        assert f"{result.best_cost:.3f} a sample, not {result.cost:.3f}" in state.sentence
        seen.add(result.best_model)
    assert len(seen) > 1
    state.update(model=result.best_model, threshold=result.best_table.threshold)
    assert "no other model or threshold is better" in state.sentence
    state.update(hull_over="model", cost_fn=3.0)
    assert state.result.model_hull is None
    assert state.result.best_table == state.result.optimum


def test_the_sentence_gives_the_costs_at_which_models_change(state):
    pi = state.deployment_prevalence
    table = state.result.model_hull.to_frame()
    text = next(s.text for s in state.sentences if "Which model to use" in s.text)
    assert list(table["model"][:2]) == ["b", "a"]
    turn = (1 - pi) / (pi * table["slope_to"][0])
    assert f"b up to {turn:.3g}, a " in text
    for ratio, name in ((0.9 * turn, "b"), (1.1 * turn, "a")):
        state.cost_fn = ratio
        assert state.result.best_model == name


@pytest.mark.parametrize("space", SPACES)
def test_stretches_lie_on_the_best_of_all_curves(state, space):
    state.space = space
    view = state.result.views[space]
    names = list(state.data.scores)
    assert {number for number, _ in view.stretches} <= {0, 1, 2}
    assert len(view.stretches) >= 2
    union_x, union_y = SPACES[space].within(view.union.x, view.union.y, view.limits)
    for number, points in view.stretches:
        x, y = SPACES[space].within(*points, view.limits)
        assert (
            np.interp(x, union_x, union_y) == pytest.approx(y, abs=1e-9)
            or (np.diff(union_x) <= 0).any()
        )
        if space == "cost":
            # between two turns the line is one of that model's own, and the least of all
            own = state.data.curve(names[number], ()).spaces.curve("cost")
            assert np.interp(x, own.x, own.y) == pytest.approx(y, abs=1e-9)
    area = view.union.area
    best = min if space in ("cost", "brier") else max
    if not SPACES[space].needs_probabilities and not np.isnan(area):
        assert best(area, view.hull.area, *(other.area for other in view.others)) == area


def test_the_code_gives_the_hull(state):
    names = {}
    exec(state.code(), names)
    assert names["hull"].auc == pytest.approx(state.result.model_hull.auc)


def test_every_model_is_in_the_table(data, tmp_path):
    y, scores = data
    weight = np.where(np.arange(y.size) % 3, 1.0, 2.0)
    again = np.repeat(np.arange(y.size), weight.astype(int))
    explorer = ROCExplorer(y, scores, sample_weight=weight, model="b", cost_fn=3.0)
    table = explorer.result.to_frame()
    assert list(table.index) == ["b", "a", "c"]
    repeated = {name: score[again] for name, score in scores.items()}
    compared = compare_classifiers(
        y[again],
        repeated,
        cost_fn=3,
        prevalence=explorer.deployment_prevalence,
        n_resamples=0,
    )
    expected = compared.to_frame().loc[table.index]
    for name in ("auc", "auc_low", "auc_high", "cost"):
        np.testing.assert_allclose(table[name], expected[name], rtol=1e-9, err_msg=name)
    pairs = compared.pairs().set_index(["model_a", "model_b"])
    assert table.loc["a", "p_value"] == pytest.approx(pairs.loc[("a", "b"), "p_value"])
    assert table.loc["a", "above_front"] == pytest.approx(pairs.loc[("a", "b"), "difference"])
    for name, row in table.iterrows():
        operating_point = explorer.data.curve(name, ()).segments.at_threshold(row["best_threshold"])
        assert (operating_point.tpr, operating_point.fpr) == (row["tpr"], row["fpr"])

    page = Page(explorer)
    page.press("table")
    saved = explorer.to_html(tmp_path / "page.html", live=False).read_text("utf-8")
    for text in (page.drawer, saved):
        assert text.index("every model at its best threshold") < text.index("<th>c</th>")
        assert (
            text.index("<th>c</th>")
            < text.index("b at the threshold")
            < text.index("<th>tpr</th>\n      <td>")
        )
    explorer.close()

    shares = ROCState(Scored(y, scores, sample_weight=weight / weight.sum()))
    table = shares.result.to_frame()
    assert table[["auc_low", "p_value"]].isna().all(axis=None)
    assert table["auc"].to_dict() == pytest.approx(expected["auc"].to_dict())


def models(marks):
    """Find the marks of the models behind."""
    return [mark for name, mark in marks.items() if name.startswith("model:")]


def test_a_click_on_a_curve_or_its_key_puts_the_model_in_front(data):
    y, scores = data
    explorer = ROCExplorer(y, pd.DataFrame(scores), space="cost", panels=["roc"])
    page = Page(explorer)
    assert explorer.model == "a"
    marks = page.marks("roc")
    assert marks["keys"].keys[0] == "a"
    own = marks["curve"].roles
    page.click("roc", "model:1")
    assert explorer.model == "b"
    marks = page.marks("roc")
    assert marks["curve"].roles != own
    assert "model:1" not in marks
    assert "model:0" in marks
    assert page.control("model")["options"] == ["a", "b", "c"]
    second = marks["keys"].keys[1]
    page.click("roc", "keys", index=1)
    assert explorer.model == second
    for space in SPACES:
        explorer.update(space=space)
        legend = page.marks("roc")["words"]
        assert len(legend.text) == len(legend.y)
        assert sum("hull over all" in str(text) for text in legend.text) == 1
    explorer.show_hull = False
    assert "stretches" not in page.marks("roc")
    explorer.update(show_hull=True, hull_over="model", space="roc")
    marks = page.marks("roc")
    assert "stretches" not in marks
    assert any("convex hull" in str(text) for text in marks["words"].text)
    explorer.close()


def test_more_models_than_colours_are_all_drawn_and_the_best_are_named(data):
    y, scores = data
    many = {f"model {i}": np.clip(scores["a"] + 0.01 * i * scores["b"], 0, 1) for i in range(8)}
    explorer = ROCExplorer(y, many, model="model 7")
    page = Page(explorer)
    marks = page.marks("roc")
    styles = {(mark.role, mark.dash, *mark.opacities) for mark in models(marks)}
    assert len(styles) == len(models(marks)) == 7
    assert len(marks["keys"].keys) == 5
    assert "3 more: see the table" in marks["words"].text
    explorer.update(space="lift", metric="f")
    assert len(page.marks("roc")["words"].text) == 9  # over the curves
    for space in ("lift", "decision", "brier"):
        explorer.update(space=space)
        marks = page.marks("roc")
        lowest = marks["words"].y.min()
        lines = [marks["curve"], marks["hull"], *models(marks)]
        assert len(lines) == 9
        for mark in lines:
            is_right = mark.x >= 0.45 * mark.x.max()
            assert mark.y[is_right].max() < lowest
    line = marks["cost line"]
    among = (line.y >= lowest) & (line.y <= marks["words"].y.max())
    assert not among.any()  # it gives way
    assert (
        explorer.result.model_hull.auc
        == hull_over_models({name: explorer.data.curve(name, ()).segments for name in many}).auc
    )
    explorer.close()


def test_displays_take_a_data_frame(data):
    y, scores = data
    drawn = ROCHullDisplay.from_predictions(y, pd.DataFrame(scores), band="none")
    assert [line.get_label()[0] for line in drawn.line_] == ["a", "b", "c"]
    twice = pd.DataFrame(np.column_stack([scores["a"]] * 2), columns=["m", "m"])
    with pytest.raises(ValueError, match="two columns of the scores have the same name"):
        ROCHullDisplay.from_predictions(y, twice)
