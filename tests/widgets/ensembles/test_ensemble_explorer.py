"""The ensemble explorer's life, controls and pictures, without a browser."""

from __future__ import annotations

import asyncio
import gc
import threading
import time

import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances

import rocviz
from rocviz import EnsembleExplorer, simulate_classifiers
from rocviz.theme import _listeners

Y, S = simulate_classifiers(120, [0.6, 0.7, 0.8], correlation=0.2, random_state=5)
NAMED = {"naive <b>": S[:, 0], "tree": S[:, 1], "forest": S[:, 2]}


@pytest.fixture
def explorer():
    made = EnsembleExplorer(n_samples=60, n_resamples=3)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _theme():
    yield
    rocviz.set_theme(lecture=False)


def test_sixty_explorers_leave_nothing_behind():
    gc.collect()
    before, listeners = set(_instances), len(_listeners)
    for i in range(60):
        explorer = EnsembleExplorer(n_samples=40, seed=i)
        explorer.toggle(i % 7)
        explorer.close()
    assert set(_instances) == before
    assert len(_listeners) == listeners


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ((Y, None), "y_true and scores go together"),
        ((None, S), "y_true and scores go together"),
        ((Y, S[:-1]), "must have one entry per sample"),
    ],
)
def test_bad_data_makes_no_widget(arguments, match):
    before = set(_instances)
    with pytest.raises(ValueError, match=match):
        EnsembleExplorer(*arguments)
    with pytest.raises(TypeError, match="no input 'corelation'"):
        EnsembleExplorer(corelation=0.2)
    gc.collect()
    assert set(_instances) == before


def test_controls_and_traits_move_each_other(explorer):
    explorer._place.value = 7
    assert explorer.result.place == 7
    explorer.item = 11
    assert explorer._place.value == explorer.result.place
    explorer._spread.index = (35, 45)
    assert (explorer.auc_low, explorer.auc_high) == (0.65, 0.75)
    explorer.update(auc_low=0.5, auc_high=0.9)
    assert explorer._spread.value == (0.5, 0.9)
    explorer._size.value = 100
    assert explorer.n_samples == 100
    assert explorer._place.max == 100
    explorer.n_samples = 40
    assert explorer._size.value == 40


def test_boxes_and_clicks_take_classifiers_in_and_out(explorer):
    explorer._boxes[2].value = False
    assert "classifier 3" not in explorer.members
    felt = explorer._classifiers.felt
    felt._element_click_handlers(felt, {"data": {"index": 2}})
    assert "classifier 3" in explorer.members
    assert explorer._boxes[2].value
    explorer.members = (4,)
    assert [box.value for box in explorer._boxes[:7]] == [k == 4 for k in range(7)]
    explorer._boxes[4].value = False
    assert explorer.members == ("classifier 5",)
    assert explorer._boxes[4].value
    assert "at least one classifier" in explorer._drawer.value


def test_as_many_boxes_as_classifiers(explorer):
    explorer.n_classifiers = 3
    shown = [box.description for box in explorer._boxes if box.layout.display != "none"]
    assert shown == ["1", "2", "3"]


def test_own_data_hides_what_only_the_sandbox_has():
    explorer = EnsembleExplorer(Y, NAMED)
    assert {w.layout.display for w in explorer._only_simulated} == {"none"}
    shown = [box.description for box in explorer._boxes if box.layout.display != "none"]
    assert shown == ["1 naive <b>", "2 tree", "3 forest"]
    assert "naive &lt;b&gt;" in explorer._panels[3].table.value
    assert "naive <b>" not in explorer._panels[3].table.value
    explorer.preset = "correlated"
    assert {w.layout.display for w in explorer._only_simulated} == {""}
    explorer.close()


def test_from_estimators_in_one_line():
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    X = np.random.default_rng(0).normal(size=(120, 3))
    X[:, 0] += Y
    models = [("nb", GaussianNB()), ("lr", LogisticRegression())]
    explorer = EnsembleExplorer.from_estimators(models, X, Y)
    assert explorer.strategy == "disjoint"
    explorer._training.value = "shared"
    assert explorer.strategy == "shared"
    assert explorer.result.ensemble.names == ("nb", "lr")
    explorer.preset = "correlated"
    assert explorer._training.layout.display == "none"
    explorer.close()
    explorer = EnsembleExplorer.from_predictions(Y, S, members=[0, 2])
    assert explorer.members == ("classifier 1", "classifier 3")
    explorer.close()


def test_points_lie_at_auc_and_inverse_temperature(explorer):
    result, panel = explorer.result, explorer._classifiers
    assert np.array_equal(panel.dots.x, result.ensemble.auc)
    assert np.allclose(panel.dots.y, 1 / result.temperature)
    explorer.toggle(1)
    colours = panel.points.colors
    assert [c == "var(--rocviz-paper)" for c in colours] == [k == 1 for k in range(7)]
    explorer.preset = "one reversed"
    assert panel.figure.scale_y.min < panel.dots.y.min() < 0
    labels = panel.figure.axes[1].tick_labels
    assert labels["0"] == "∞"
    assert any(text.startswith("−") for text in labels.values())


def test_the_matrix_has_every_number(explorer):
    explorer.preset = "correlated"
    text = explorer._panels[1].table.value
    c = explorer.result.ensemble.correlation
    assert f">{c[0, 1]:.2f}<".replace("0.", ".") in text
    assert text.count("<td") == 49
    assert 'class="is-out"' not in text
    explorer.toggle(0)
    assert text.count('class="is-out"') == 0
    assert explorer._panels[1].table.value.count('class="is-out"') == 2 + 13


def test_bars_add_up(explorer):
    explorer.toggle(0)
    text = explorer._panels[3].table.value
    for value in (
        *explorer.result.item.contributions[0],
        *explorer.result.item.log_likelihood_ratio,
    ):
        assert f"{value:+.2f}".replace("-", "−") in text.replace(">0.00<", ">+0.00−0.00<")
    assert "not in" in text


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_saves_without_a_browser(explorer, tmp_path, suffix):
    for compare in (False, True):
        if compare:
            explorer.compare()
        assert explorer.save(tmp_path / f"figure{suffix}").stat().st_size > 5000


def test_the_page_stands_alone(explorer, tmp_path):
    explorer.compare()
    page = explorer.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert explorer.sentence in page
    assert "RankEnsemble" in page


def test_lecture_and_dark_reach_it(explorer):
    stroke = explorer._sizes.lines["fidel"].stroke_width
    rocviz.set_theme(lecture=True, dark=True)
    assert explorer._sizes.lines["fidel"].stroke_width > stroke
    assert explorer.static_figure().axes


def test_one_step_changes_few_models(explorer, monkeypatch):
    sent = []
    for widget in _instances.values():
        monkeypatch.setattr(
            widget, "_send", lambda msg, buffers=None, w=widget: sent.append(w), raising=False
        )
    explorer.item = 9
    assert 0 < len({w.model_id for w in sent}) <= 3
    sent.clear()
    explorer.correlation = 0.15
    assert 0 < len({w.model_id for w in sent}) <= 24


# ---------------------------------------------------------------------- comparison


def in_a_kernel(act):
    """Run a coroutine function as the kernel would, with a running loop."""
    return asyncio.run(act())


async def until(true):
    end = time.monotonic() + 120
    while not true():
        assert time.monotonic() < end
        await asyncio.sleep(0.005)


def test_the_button_compares_beside_the_kernel(explorer):
    async def act():
        explorer._comparison.button.click()
        assert explorer._comparison.is_running
        assert explorer.result.experiment is None
        explorer.item = 5  # the kernel answers meanwhile
        await until(lambda: explorer.result.experiment is not None)

    in_a_kernel(act)
    panel = explorer._sizes
    assert panel.lines["fidel"].visible
    assert not panel.now.visible
    found = explorer.result.experiment
    assert np.array_equal(panel.lines["fidel"].y, found.auc[:, found.methods.index("fidel")])
    span = np.ptp(panel.bars["woc"].y, axis=1)
    assert np.allclose(span, 4 * found.standard_error[:, found.methods.index("woc")])
    assert "3 resamples" in panel.note.value
    explorer.toggle(0)
    assert not panel.lines["fidel"].visible
    assert panel.now.visible


@pytest.mark.parametrize("how", ["button", "data", "close"])
def test_it_stops_at_once_and_shows_nothing_half_done(how):
    explorer = EnsembleExplorer(n_resamples=10_000)

    async def act():
        explorer._comparison.button.click()
        await until(lambda: explorer._comparison.bar.value > 0)
        thread = explorer._comparison._thread
        if how == "button":
            explorer._comparison.button.click()
        elif how == "data":
            explorer.correlation = 0.3
        else:
            explorer.close()
        assert not explorer._comparison.is_running
        await asyncio.to_thread(thread.join, 120)
        assert not thread.is_alive()

    in_a_kernel(act)
    assert explorer.result.experiment is None
    assert not [t for t in threading.enumerate() if t.name == "rocviz compare"]
    explorer.close()


def test_what_cannot_be_compared_says_why():
    explorer = EnsembleExplorer([0, 0, 0, 1], [[1, 2], [3, 1], [2, 2], [4, 3]])
    explorer._comparison.start()
    explorer._comparison.wait(120)
    assert "at least two samples of each class" in explorer._drawer.value
    explorer.close()
