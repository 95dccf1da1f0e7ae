"""The ensemble explorer's life, controls and pictures, without a browser."""

from __future__ import annotations

import asyncio
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz import EnsembleExplorer, simulate_classifiers
from rocviz.pictures import spread
from rocviz.widgets.ensembles.result import law
from rocviz.widgets.ensembles.view import temperature_ticks

Y, S = simulate_classifiers(120, [0.6, 0.7, 0.8], correlation=0.2, random_state=5)
LONG = "a classifier whose name is longer than any row"
NAMED = {"naive <b>": S[:, 0], "tree": S[:, 1], LONG: S[:, 2]}


def names(picture):
    """List the names of all marks."""
    return {mark.name for mark in picture.marks}


@pytest.fixture
def explorer():
    made = EnsembleExplorer(n_samples=60, n_resamples=3)
    yield made
    made.close()


@pytest.fixture
def own():
    made = EnsembleExplorer(Y, NAMED)
    yield made
    made.close()


# ---------------------------------------------------------------------- controls


def test_the_item_is_chosen_by_its_rank(explorer):
    rail = explorer._rail
    rail.move("item", position=6)
    assert explorer.result.place == 7
    assert rail.values["item"]["text"] == "7th"
    assert rail.summaries["the item"] == "7th of 60"
    explorer.item = 11
    assert rail.values["item"]["position"] == explorer.result.place - 1
    rail.move("item", typed="61")
    assert "whole number from 1 to 60" in rail.values["item"]["problem"]
    assert explorer.item == 11
    explorer.n_samples = 40
    assert rail.values["item"]["steps"] == 39


def test_rows_take_classifiers_in_and_out(explorer):
    rail = explorer._rail
    rail.move("members", key=2, value=False)
    assert "classifier 3" not in explorer.members
    rows = rail.values["members"]["rows"]
    assert [row["value"] for row in rows] == [k != 2 for k in range(7)]
    assert rows[2]["muted"]
    aucs = explorer.result.ensemble.auc
    best = explorer.result.best
    for k, row in enumerate(rows):
        assert row["text"] == ("best " if k == best else "") + f"{aucs[k]:.3f}"
    explorer.members = (4,)
    rail.move("members", key=4, value=False)
    assert explorer.members == ("classifier 5",)
    assert "at least one classifier" in rail.values["members"]["problem"]


def test_a_click_on_a_circle_toggles_the_classifier(explorer):
    for inside in (False, True):
        explorer._panels["classifiers"].on_event("points", "click", index=2)
        assert ("classifier 3" in explorer.members) == inside


def test_own_data_hides_what_only_the_sandbox_has(own):
    hidden = {name for name, value in own._rail.values.items() if value.get("hidden")}
    assert {"correlation", "auc_low", "n_samples", "new_sample", "strategy"} <= hidden
    labels = [row["label"] for row in own._rail.values["members"]["rows"]]
    assert labels == ["1 naive <b>", "2 tree", f"3 {LONG}"]
    own.preset = "correlated"
    shown = {name for name, value in own._rail.values.items() if not value.get("hidden")}
    assert {"correlation", "auc_low", "n_samples", "new_sample"} <= shown
    seed = own.seed
    own._rail.move("new_sample")
    assert own.seed == seed + 1


def test_from_estimators_in_one_line():
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    X = np.random.default_rng(0).normal(size=(120, 3))
    X[:, 0] += Y
    models = [("nb", GaussianNB()), ("lr", LogisticRegression())]
    explorer = EnsembleExplorer.from_estimators(models, X, Y)
    assert explorer.strategy == "disjoint"
    explorer._rail.move("strategy", index=1)
    assert explorer.strategy == "shared"
    assert explorer.result.ensemble.names == ("nb", "lr")
    explorer.preset = "correlated"
    assert explorer._rail.values["strategy"] == {"hidden": True}
    explorer.close()


# ---------------------------------------------------------------------- pictures


def test_every_method_has_a_row_at_once(explorer):
    panel, result = explorer._panels["crowd"], explorer.result
    order = ["mean base", "best", "woc", "fidel", "correlation-aware"]
    assert np.allclose(panel.picture["now"].x, [result.auc[m] for m in order])
    assert len(set(panel.picture["now"].y)) == 5
    assert panel.picture["now"].is_shown
    low, high = explorer._stage.values["figure crowd"]["axes"][0]["limits"]
    assert low < panel.picture["gains"].x.min() <= panel.picture["gains"].x.max() < high
    ends = [result.auc["best"] + result.test.lower, min(result.auc["best"] + result.test.upper, 1)]
    assert np.isclose(panel.picture["gains"].x, ends).all(axis=1).any()
    assert list(panel.picture["name True"].text) == ["FiDEL"]
    explorer._rail.move("method", index=1)
    assert list(panel.picture["name True"].text) == ["wisdom of crowds"]
    explorer.focus = "item"
    assert list(panel.picture["name True"].text) == ["WoC"]
    assert f"{result.auc['best']:.3f}" in list(panel.picture["value False"].text)


def test_points_lie_at_auc_and_inverse_temperature(explorer):
    result, panel = explorer.result, explorer._panels["classifiers"]
    assert np.array_equal(panel.picture["points"].x, result.ensemble.auc)
    assert np.allclose(panel.picture["points"].y, 1 / result.temperature)
    explorer.toggle(1)
    colours = panel.picture["points"].roles
    assert [c == "paper" for c in colours] == [k == 1 for k in range(7)]
    explorer.update(preset="one reversed", focus="classifiers")
    axis = explorer._stage.values["figure classifiers"]["axes"][1]
    assert axis["limits"][0] < panel.picture["points"].y.min() < 0
    labels = dict(axis["ticks"])
    assert labels[0] == "∞"
    assert any(text.startswith("−") for text in labels.values())
    assert "reversed" in panel.picture["hotter notes"].text[0]
    assert "colder" in panel.picture["colder notes"].text[0]
    assert sorted(panel.picture["numbers"].text) == list("1234567")


def test_omitted_classifiers_are_pale_in_the_matrix(explorer):
    explorer.update(preset="correlated", focus="correlation")
    panel = explorer._panels["correlation"]
    cells = panel.picture["cells"]
    explorer.toggle(0)
    paler = np.divide(panel.picture["cells"].opacities, cells.opacities)
    assert (paler < 0.5).sum() == 12
    explorer.update(n_classifiers=9, focus="crowd")
    assert len(panel.picture["cells"].x) == 72
    assert not panel.picture["numbers"].text


def test_names_are_shortened(own):
    own.focus = "item"
    names = own._panels["item"].picture["names"].text
    assert any("naive <b>" in name for name in names)
    assert LONG not in " ".join(names)
    assert LONG not in own.sentence


@given(st.lists(st.floats(0.5, 0.9), min_size=5, max_size=5))
def test_labels_stay_distinct_inside_and_in_order(at):
    places = spread(np.array(at), 0.05, 0.4, 1.0)
    assert (np.diff(places[np.argsort(at, kind="stable")]) >= 0.05 - 1e-9).all()
    assert 0.425 - 1e-9 <= places.min() <= places.max() <= 0.975 + 1e-9


def test_temperatures_are_named_on_both_sides_of_infinity():
    assert temperature_ticks(-4.5, 4.5) == {-4: "−1/4", -2: "−1/2", 0: "∞", 2: "1/2", 4: "1/4"}


@pytest.mark.parametrize(
    "aucs",
    [(0.55, 0.75), (0.9, 0.97), (0.02, 0.2), (0.0, 1.0), (0.8, 0.8), (0.97, 0.97), (1.0, 1.0)],
)
def test_axes_hold_every_classifier(aucs):
    auc, coldness = law(np.array(aucs), 0.3)
    assert auc[0] <= min(aucs) <= max(aucs) <= auc[-1]
    assert 0 <= auc[0] < auc[-1] <= 1
    assert (np.diff(coldness) >= 0).all()  # level where the law runs off to infinity
    at = temperature_ticks(coldness[0], coldness[-1])
    assert len(at) >= 2
    assert coldness[0] <= min(at) < max(at) <= coldness[-1]


# ---------------------------------------------------------------------- previews


async def until(true):
    end = time.monotonic() + 120
    while not true():
        assert time.monotonic() < end
        await asyncio.sleep(0.005)


def test_a_preview_has_intervals_as_wide_as_those_of_all_samples():
    y, s = simulate_classifiers(12_000, [0.6, 0.7, 0.8], random_state=0)
    explorer = EnsembleExplorer(y, s)
    n_items, item = explorer.result.n_items, explorer.item

    def widths():
        return [high - low for low, high in explorer.result.intervals.values()]

    async def act():
        explorer._rail.move("members", key=1, value=0)
        preview = explorer.result
        assert explorer.sentence.startswith(f"Preview from {preview.preview:,} samples")
        assert 900 < preview.preview == preview.evidence.size < 1100
        assert (preview.n_items, explorer.item) == (n_items, item)
        assert 1 <= preview.place <= n_items
        as_of_all = widths()
        explorer.finish()
        assert as_of_all == pytest.approx(widths(), rel=0.3)
        explorer._rail.move("members", key=1, value=1)
        explorer._rail.move("item", position=n_items - 1)  # a place among all of them
        assert explorer.result.preview is None
        assert explorer.result.place == n_items

    asyncio.run(act())
    explorer.close()


# ---------------------------------------------------------------------- comparison


def test_the_button_compares_in_the_background(explorer):
    async def act():
        explorer._rail.move("compare")
        assert explorer._comparison.is_running
        assert explorer._rail.values["compare"]["running"]
        assert explorer.result.experiment is None
        explorer.item = 5  # the kernel answers meanwhile
        await until(lambda: explorer.result.experiment is not None)

    asyncio.run(act())
    panel = explorer._panels["crowd"]
    assert explorer._rail.values["compare"]["disabled"]
    assert panel.picture["line fidel"].is_shown
    assert "now" not in names(panel.picture)
    experiment = explorer.result.experiment
    assert np.array_equal(
        panel.picture["line fidel"].y, experiment.auc[:, experiment.methods.index("fidel")]
    )
    span = np.ptp(panel.picture["bars woc"].y, axis=1)
    assert np.allclose(span, 4 * experiment.standard_error[:, experiment.methods.index("woc")])
    explorer.toggle(0)
    assert "line fidel" not in names(panel.picture)
    assert panel.picture["now"].is_shown
    assert not explorer._rail.values["compare"]["disabled"]


def test_other_data_stop_a_comparison():
    explorer = EnsembleExplorer(n_resamples=10_000, n_classifiers=2, n_samples=20)

    async def act():
        explorer._rail.move("compare")
        await until(lambda: explorer._comparison.share > 0)
        explorer.correlation = 0.3
        assert not explorer._comparison.is_running
        await asyncio.to_thread(explorer._comparison.wait, 120)

    asyncio.run(act())
    assert explorer.result.experiment is None
    explorer.close()
