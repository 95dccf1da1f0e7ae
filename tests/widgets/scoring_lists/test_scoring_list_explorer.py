"""The scoring list explorer's life, controls and pictures, without a browser."""

from __future__ import annotations

import gc
import itertools
import re
from functools import partial

import numpy as np
import pytest
from ipywidgets.widgets.widget import _instances

import rocviz
from rocviz import ProbabilisticScoringList, ScoringList, ScoringListExplorer
from rocviz.displays.base.style import contrast
from rocviz.theme import Theme, _listeners
from rocviz.widgets.scoring_lists.still import shade

RNG = np.random.default_rng(2)
X = RNG.integers(0, 2, size=(90, 4))
Y = (X[:, 0] + X[:, 1] - X[:, 2] + RNG.normal(size=90) > 0.5).astype(int)
MODEL = ProbabilisticScoringList().fit(X[:60], Y[:60])


@pytest.fixture
def explorer():
    made = ScoringListExplorer()
    yield made
    made.close()


@pytest.fixture
def learned():
    made = ScoringListExplorer.from_estimator(MODEL, X[:60], Y[:60], X_test=X[60:], y_test=Y[60:])
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _theme():
    yield
    rocviz.set_theme(lecture=False)


def test_thirty_explorers_leave_nothing_behind():
    gc.collect()
    before, listeners = set(_instances), len(_listeners)
    for i in range(30):
        explorer = ScoringListExplorer(upper=0.5 + i / 100)
        explorer.answer(0, i % 2)
        if i % 10 == 0:
            explorer.preset = "Marburg Heart Score, synthetic data"
        explorer.close()
    assert set(_instances) == before
    assert len(_listeners) == listeners


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ((None, X, Y), "scoring_list is missing"),
        ((MODEL, X), "X and y go together"),
        (("list",), "scoring_list must be a ScoringList"),
    ],
)
def test_bad_data_makes_no_widget(arguments, match):
    gc.collect()
    before = set(_instances)
    with pytest.raises(ValueError, match=match):
        ScoringListExplorer(*arguments)
    with pytest.raises(TypeError, match="no input 'uper'"):
        ScoringListExplorer(uper=0.2)
    gc.collect()
    assert set(_instances) == before


# ---------------------------------------------------------------------- controls


def test_buttons_answer_and_the_walk_follows(explorer):
    rows = explorer._case.rows
    rows[0].answer.value = "yes"
    rows[1].answer.value = "no"
    assert explorer.answers == (1, 0, None, None)
    assert explorer.stage == explorer._stages[4].value == 2
    assert "next" in rows[2].track.value
    rows[2].answer.value = "yes"
    assert explorer.result.walk.is_sure
    assert "Stop here" in explorer._case.says.value
    assert "not needed" in rows[3].track.value
    explorer.answers = (0,)
    assert [row.answer.value for row in rows[:4]] == ["no", "?", "?", "?"]
    explorer._clear()
    assert explorer.stage == 0


def test_as_many_rows_as_questions(explorer):
    def shown():
        return sum(row.box.layout.display != "none" for row in explorer._case.rows)

    assert shown() == 4
    explorer.preset = "Marburg Heart Score, synthetic data"
    assert shown() == 5
    assert explorer._case.rows[0].answer.description.endswith("age and sex")
    sliders = {n: s.layout.display for n, s in explorer._stages.items()}
    assert sliders == {4: "none", 5: ""}
    explorer._stages[5].value = 2
    assert explorer.stage == 2


def test_what_a_list_by_hand_has_not_is_switched_off(explorer):
    off = [*explorer._of_counts, explorer._ways, explorer._quantity, explorer._case.rows[0].points]
    assert all(widget.disabled for widget in off)
    assert not explorer._case.rows[0].cost.disabled
    explorer.editing = True
    assert "Points can be changed where the samples" in explorer._case.says.value
    explorer.preset = "Marburg Heart Score, synthetic data"
    assert not any(widget.disabled for widget in off)
    assert explorer._ways.options == ("isotonic", "beta", "sigmoid", "m-estimate")
    explorer._ways.value = "beta"
    assert explorer.calibration == "beta"
    explorer.preset = "worked example"
    assert all(widget.disabled for widget in off)
    assert explorer._ways.value == "as given"


def test_points_and_costs_are_changed_in_their_rows(learned):
    assert learned._back.layout.display == "none"
    learned._case.rows[1].points.value = 2
    assert learned.scores[1] == 2
    assert learned._back.layout.display == ""
    learned._case.rows[0].cost.value = 4.5
    assert learned.feature_costs == (4.5, 1, 1, 1)
    assert learned.result.walk.cost == 0
    learned._restore()
    assert not learned.result.is_edited
    assert learned._case.rows[1].points.value == learned.scores[1]


def test_limits_are_dragged_along_whole_per_cents(explorer):
    handle = explorer._stage_panel.handles["upper"]
    handle._start(handle.felt, {})
    handle._drag(handle.felt, {"point": {"x": 3.0, "y": 0.6543}})
    assert explorer.upper == 0.65
    assert handle.seen.y[0] == 0.65
    assert handle.felt.y[0] == 0.9
    handle._end(handle.felt, {"point": {"x": 3.0, "y": -0.2}})
    assert explorer.upper == explorer.lower == 0.1
    assert handle.felt.y[0] == 0.1
    low = explorer._stage_panel.handles["lower"]
    low._drag(low.felt, {"point": {"x": 0.0, "y": 0.7}})
    assert explorer.lower == 0.1


def test_the_stage_is_dragged_along_the_questions(explorer):
    handle = explorer._curves.handle
    handle._start(handle.felt, {})
    handle._end(handle.felt, {"point": {"x": 1.4, "y": 0.0}})
    assert explorer.stage == 1
    assert "After 1 of 4 questions" in explorer._stage_panel.heading.value
    handle._end(handle.felt, {"point": {"x": 9.0, "y": 0.0}})
    assert explorer.stage == 4


# ---------------------------------------------------------------------- pictures


def test_the_table_shows_every_probability_and_the_way(explorer):
    explorer.answers = (1, 0, 1)
    text = explorer._panels[0].table.value
    cells = re.findall(r'<td class="p[ "][^>]*>([^<]*)', text)
    want = [p for stage in explorer.result.scoring_list.stages for p in stage.probability[::-1]]
    assert cells == [f"{100 * p:.0f}" for p in want]
    assert text.count(' path"') == 3
    assert text.count(' now"') == 1
    # in every stage but the first two and at either end
    assert text.count('class="p yes') == 1 + 2
    assert text.count('class="p no') == 1 + 1 + 2


def test_names_are_written_out_never_run():
    made = ScoringList.from_counts([0, 1], [1, 1], X, Y, feature_names=["<b>a</b>", "b"])
    explorer = ScoringListExplorer(made, X, Y, answers=(1,))
    for widget in (explorer._panels[0].table, explorer._says, explorer._case.says):
        assert "<b>a</b>" not in widget.value
    explorer.answers = ()
    assert "&lt;b&gt;a" in explorer._says.value
    explorer.close()


@pytest.mark.parametrize("dark", [False, True])
def test_text_is_legible_on_every_shade(dark):
    theme = Theme(dark=dark)
    for p in np.linspace(0, 1, 21):
        assert contrast(shade(p, theme), theme.colour("text")) >= 4.5


def test_the_stage_picture_shows_list_counts_and_case(learned):
    learned.answers = (1, 0)
    panel, k = learned._stage_panel, learned.stage
    stage, band = learned.result.scoring_list.stages[k], learned.result.bands[k]
    assert np.array_equal(panel.curve.y, stage.probability)
    assert np.array_equal(panel.intervals.y, np.column_stack((band.lower, band.upper)))
    some = stage.n > 0
    assert np.allclose(panel.happened.y[:, 0], stage.pos[some] / stage.n[some])
    assert (panel.case.x[0], panel.case.y[0]) == (
        learned.result.walk.totals[k],
        learned.result.walk.probability[k],
    )
    learned.stage = 4
    assert not panel.case.visible
    learned.cost_fn = 4.0
    assert panel.cost.y.tolist() == [0.2, 0.2]


def test_the_curves_show_own_samples_held_out_ones_and_what_was_learned(learned):
    panel = learned._curves
    for quantity in ("entropy", "brier", "auc", "expected_loss", "loss"):
        learned.quantity = quantity
        assert np.array_equal(panel.train.y, learned.result.judged.curve("train", quantity))
        assert np.array_equal(panel.test.y, learned.result.judged.curve("test", quantity))
        low, high = panel.figure.scale_y.min, panel.figure.scale_y.max
        assert low < panel.train.y.min() <= panel.train.y.max() < high
    assert not panel.came.visible
    learned.give_points(0, -1)
    assert panel.came.visible
    assert np.array_equal(panel.came.y, learned.result.judged_learned.curve("train", "loss"))
    learned.update(quantity="probability", answers=(1, 1))
    assert not panel.came.visible
    assert not panel.test.visible
    assert np.array_equal(panel.train.y, learned.result.walk.probability)
    assert panel.reached.visible


def test_thirty_questions_keep_calm():
    many = RNG.integers(0, 2, size=(200, 30))
    y = (many[:, :6].sum(axis=1) + RNG.normal(size=200) > 3).astype(int)
    model = ProbabilisticScoringList(score_set=(-3, 2, 3)).fit(many, y)
    explorer = ScoringListExplorer(model, many, y, answers=(1,) * 3)
    assert len(explorer._case.rows) == 30
    assert 'class="rocviz-list many"' in explorer._panels[0].table.value
    assert explorer.static_figure().axes
    explorer.close()
    wild = ScoringList.from_counts(range(8), [2**k for k in range(8)], many, y)
    explorer = ScoringListExplorer(wild, many, y)
    assert "256 totals are too many for a table" in explorer._panels[0].table.value
    assert len(explorer._panels[0].table.value) < 1000
    assert explorer.static_figure().axes
    explorer.close()


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".png"])
def test_saves_without_a_browser(explorer, learned, tmp_path, suffix):
    explorer.answers = (1, 0)
    learned.update(answers=(1,), quantity="auc")
    learned.give_points(1, 3)
    for each in (explorer, learned):
        assert each.save(tmp_path / f"figure{suffix}").stat().st_size > 5000


def test_the_page_stands_alone(learned, tmp_path):
    page = learned.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
    assert learned.sentence in page
    assert "scoring_list" in page


def test_lecture_and_dark_reach_it(explorer):
    stroke = explorer._curves.train.stroke_width
    rocviz.set_theme(lecture=True, dark=True)
    assert explorer._curves.train.stroke_width > stroke
    assert explorer.static_figure().axes


def test_one_step_changes_few_models(learned, monkeypatch):
    sent = []
    for widget in _instances.values():
        monkeypatch.setattr(
            widget, "_send", lambda msg, buffers=None, w=widget: sent.append(w), raising=False
        )
    learned.upper = 0.8
    assert 0 < len({w.model_id for w in sent}) <= 16
    sent.clear()
    learned.answer(0, 1)
    assert 0 < len({w.model_id for w in sent}) <= 30


def test_steps_are_quick_with_very_many_samples(cost):
    many = RNG.integers(0, 2, size=(100_000, 8))
    y = (many[:, :3].sum(axis=1) + RNG.normal(size=len(many)) > 2).astype(int)
    model = ProbabilisticScoringList().fit(many[:2000], y[:2000])
    explorer = ScoringListExplorer(
        model.scoring_list_.with_scores(model.scores_, many, y), many, y, X_test=many, y_test=y
    )

    def step(score, upper):
        explorer.give_points(2, score)
        explorer.upper = upper

    steps = itertools.product((1, 2, 3), (0.6, 0.7, 0.8))
    assert cost([partial(step, *each) for each in steps]) < 5
    explorer.close()
