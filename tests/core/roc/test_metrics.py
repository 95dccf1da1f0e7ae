"""The table of metrics: every name works everywhere, and a row adds a metric."""

import importlib
from itertools import product

import numpy as np
import pytest
from page import Page
from sklearn.metrics import cohen_kappa_score

from rocviz import (
    CurveSpaceDisplay,
    DecisionDisplay,
    DecisionExplorer,
    ROCExplorer,
    expected_utility,
    optimal_decision,
)
from rocviz.core.curve_spaces import net_benefit_band
from rocviz.core.decisions import (
    algorithm_1,
    best_empirical_threshold,
    is_monotonic,
    prefix_utilities,
    resolve_metric,
)
from rocviz.core.roc import (
    ConfusionTable,
    MetricRow,
    RankedSegments,
    isometric,
    isometric_through,
    metric_value,
)
from rocviz.core.roc.metrics import METRICS, MetricOption, metric_options
from rocviz.widgets.base.state import metric_option_inputs
from rocviz.words import metric_name

PROB = np.linspace(0.95, 0.05, 12)
Y = (np.arange(12) % 3 < 1).astype(int)
NAMES = []
for row in METRICS.values():
    NAMES += [row.name, *row.aliases]


@pytest.mark.parametrize("name", NAMES)
def test_every_name_works_everywhere(name):
    table = ConfusionTable(tp=3, fp=2, fn=1, tn=6)
    value = table.metric(name)
    if name != "expected_cost":  # a method, with a prevalence of its own
        assert getattr(table, name) == value
    at_point = metric_value(name, table.fpr, table.tpr, prevalence=table.prevalence)
    assert at_point == pytest.approx(value, abs=1e-12)
    row = METRICS[resolve_metric(name).name]
    if row.has_isometrics:
        assert isometric_through(name, 0.2, 0.6)[0].size >= 2
        if not row.isometrics_of:
            fpr, tpr = isometric(name, metric_value(name, 0.2, 0.6))
            np.testing.assert_allclose(
                metric_value(name, fpr[1:-1], tpr[1:-1]), metric_value(name, 0.2, 0.6)
            )
    if row.is_bounded:
        assert float(resolve_metric(name).at_counts(3, 5, 4, 12)) == pytest.approx(value)
        decision = optimal_decision(PROB, name)
        best = decision.utilities.max() if row.higher_is_better else decision.utilities.min()
        assert decision.utility == pytest.approx(best, abs=1e-12)
        assert best_empirical_threshold(Y, PROB, name).utility is not None
        few = PROB[3:9]
        labels = np.array([1, 1, 1, 0, 0, 0])
        tables = np.array(list(product((0, 1), repeat=6)))
        chance = np.where(tables, few, 1 - few).prod(axis=1)
        of_tables = resolve_metric(name).at_counts(tables @ labels, 3, tables.sum(axis=1), 6)
        assert expected_utility(labels, few, name) == pytest.approx(chance @ of_tables)
        assert prefix_utilities(few, name)[3] == pytest.approx(chance @ of_tables)
        assert algorithm_1(few, name) == pytest.approx(prefix_utilities(few, name))
    else:
        with pytest.raises(ValueError, match=f"{row.name} is infinite for some confusion tables"):
            optimal_decision(PROB, name)


def test_costs_and_errors_are_minimised_everywhere():
    table = ConfusionTable(tp=3, fp=2, fn=1, tn=6)
    costs = {"cost_fp": 1.0, "cost_fn": 5.0}
    want = (2 + 5) / 12
    assert table.metric("cost", **costs) == table.expected_cost(**costs) == pytest.approx(want)
    assert metric_value("cost", 0.25, 0.75, prevalence=1 / 3, **costs) == pytest.approx(want)
    assert resolve_metric("cost", **costs).at_counts(3, 5, 4, 12) == pytest.approx(want)
    decision = optimal_decision(PROB, "cost", **costs)
    assert decision.utility == decision.utilities.min() > 0
    assert optimal_decision(PROB, "error_rate").threshold == PROB[PROB > 0.5].min()


#: Definitions from the literature, of rates ``tpr`` and ``tnr`` or of cells; 0/0 is NaN.
DEFINITIONS = {
    "sec": lambda tp, fp, fn, tn: -(((fn - fp) / (tp + fp + fn + tn)) ** 2),
    "f2": lambda tp, fp, fn, tn: 5 * tp / (5 * tp + 4 * fn + fp),
    "g_tp_pr": lambda tp, fp, fn, tn: (tp / (tp + fp) * tp / (tp + fn)) ** 0.5,
    "q_mean": lambda tp, fp, fn, tn: 1 - ((fn / (tp + fn)) ** 2 + (fp / (tn + fp)) ** 2) / 2,
    "g_mean": lambda tp, fp, fn, tn: (tp / (tp + fn) * tn / (tn + fp)) ** 0.5,
    "h_mean": lambda tp, fp, fn, tn: 2 / ((tp + fn) / tp + (tn + fp) / tn),
    "macro_f1": lambda tp, fp, fn, tn: tp / (2 * tp + fp + fn) + tn / (2 * tn + fp + fn),
    "kappa": lambda tp, fp, fn, tn: cohen_kappa_score(*labels_of(tp, fp, fn, tn)),
    "net_benefit": lambda tp, fp, fn, tn: (tp - fp) / (tp + fp + fn + tn),
}


def labels_of(tp, fp, fn, tn):
    """Repeat true and predicted labels as often as each cell says."""
    counts = [tp, fp, fn, tn]
    return np.repeat([1, 0, 1, 0], counts), np.repeat([1, 1, 0, 0], counts)


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_row_is_what_its_definition_says(name):
    for cells in product((1, 3, 8), repeat=4):
        want = DEFINITIONS[name](*cells)
        assert ConfusionTable(*cells).metric(name) == pytest.approx(want, abs=1e-12)


def tversky():
    """Make the row that a reader of CONTRIBUTING would write, with options of its own."""
    weights = [
        MetricOption(
            f"{of}_weight", 1.0, f"Weight of a {of}.", high=10.0, label=of, stops=(0.5, 1.0, 2.0)
        )
        for of in ("fp", "fn")
    ]
    return MetricRow(
        "tversky",
        lambda tp, fp, fn, tn, fp_weight, fn_weight: (tp, tp + fp_weight * fp + fn_weight * fn),
        label="Tversky",
        label_with_options="Tversky of {fp_weight:g} and {fn_weight:g}",
        options=tuple(weights),
        aliases={"tversky_index": {}, "dice": {"fp_weight": 0.5, "fn_weight": 0.5}},
        is_objective=True,
    )


def test_adding_a_row_adds_a_metric(monkeypatch):
    row = tversky()
    monkeypatch.setitem(METRICS, row.name, row)
    weights = {"fp_weight": 2.0, "fn_weight": 0.5}
    table = ConfusionTable(tp=40, fp=10, fn=10, tn=40)
    assert table.tversky_index == table.jaccard
    assert table.dice == pytest.approx(table.f1)
    assert table.metric("tversky", **weights) == pytest.approx(40 / 65)
    assert metric_value("tversky", 0.2, 0.8, **weights) == pytest.approx(40 / 65)
    for fpr, tpr in (
        isometric("tversky", 0.6, **weights),
        isometric_through("tversky_index", 0.2, 0.8, **weights),
    ):
        values = metric_value("tversky", fpr, tpr, **weights)
        np.testing.assert_allclose(values, values[0])
    decision = optimal_decision(PROB, "tversky", **weights)
    assert decision.utility == decision.utilities.max()
    assert decision.metric.options == weights
    assert is_monotonic("tversky", **weights)
    assert metric_name(decision.metric) == "Tversky of 2 and 0.5"
    with pytest.raises(ValueError, match="tversky"):
        resolve_metric("none of them")
    with pytest.raises(ValueError, match=r"^fp_weight must be from 0 to 10; got 11"):
        resolve_metric("tversky", fp_weight=11)
    display = CurveSpaceDisplay(RankedSegments.from_scores(Y, PROB)).plot(metric="dice")
    assert any("best Tversky of 0.5 and 0.5" in text.get_text() for text in display.ax_.texts)
    drawn = DecisionDisplay.from_predictions(PROB, [decision.metric])
    assert list(drawn.decisions) == ["Tversky of 2 and 0.5"]

    roc = ROCExplorer(metric="tversky_index")
    assert roc.metric == "tversky"
    there = roc.result.table.at_prevalence(roc.deployment_prevalence)
    assert roc.result.metric_value == pytest.approx(there.tversky)
    assert "Tversky" in str(Page(roc).control("metric"))
    roc.close()
    explorer = DecisionExplorer(y_prob=PROB, metric="tversky")
    assert explorer.k == optimal_decision(PROB, "tversky").n_predicted_positive
    assert "an expected Tversky of 1 and 1 of" in explorer.sentence
    explorer.metric = "f1"
    rows = Page(explorer).control("compared_metrics")["rows"]
    assert "Tversky" in [row["label"] for row in rows]
    explorer.compared_metrics = ("tversky_index",)
    assert explorer.compared_metrics == ("tversky",)
    explorer.close()


def test_the_tool_writes_what_a_new_row_needs(monkeypatch, root):
    monkeypatch.syspath_prepend(str(root / "tools"))
    tool = importlib.import_module("metrics")
    row = tversky()
    monkeypatch.setitem(METRICS, row.name, row)
    for path in dict.fromkeys([*tool.CODE, *tool.DESCRIBED, *tool.NAMED]):
        source = (root / path).read_text("utf-8")
        written = tool.written(path, source)
        assert "fp_weight" not in source
        assert "fp_weight" in written
        assert tool.written(path, written) == written
    assert '``"tversky"``' in tool.written(
        "rocviz/core/decisions/utility.py",
        (root / "rocviz/core/decisions/utility.py").read_text("utf-8"),
    )
    inputs = metric_option_inputs(lambda state: ())
    assert (inputs["fp_weight"].min, inputs["fp_weight"].max) == (0.5, 2.0)


def test_code_repeats_the_table_of_metrics(monkeypatch, root):
    monkeypatch.syspath_prepend(str(root / "tools"))
    assert importlib.import_module("metrics").main(["--check"]) == 0, "run make format"


@pytest.mark.parametrize("option", metric_options().values(), ids=metric_options())
def test_every_option_is_checked_and_explained(option):
    assert option.check(option.default) == option.default
    assert option.text.endswith(".")
    ends = option.limits or (option.low, option.default)
    for value in (*option.stops, *ends):
        assert option.check(value) == value
    for value in (-1, float("nan"), "1", True):
        with pytest.raises(ValueError, match=rf"^{option.name} must be"):
            option.check(value)


def test_options_that_no_metric_has_are_refused():
    table = ConfusionTable(tp=3, fp=2, fn=1, tn=6)
    with pytest.raises(TypeError, match=r"^unexpected keyword 'gamma'; options are cost_fp, "):
        table.metric("accuracy", gamma=2)
    with pytest.raises(TypeError, match=r"zero_division\.$"):
        resolve_metric("f", gamma=2)
    with pytest.raises(TypeError, match=r"prevalence\.$"):
        metric_value("f", 0.1, 0.8, gamma=2)


def test_metrics_of_one_class_do_not_depend_on_the_prevalence():
    unchanged = {"tpr", "fpr", "tnr", "fnr", "balanced_accuracy", "odds_ratio"}
    for name in unchanged:
        assert not METRICS[name].depends_on_prevalence
    for name in ("precision", "accuracy", "f", "kappa", "prevalence"):
        assert METRICS[name].depends_on_prevalence


def test_net_benefit_is_that_of_the_decision_curve():
    segments = RankedSegments.from_scores(Y, PROB)
    for threshold in (0.1, 0.35, 0.8):
        band = net_benefit_band(segments, thresholds=threshold)
        table = segments.at_threshold(threshold)
        value = table.metric("net_benefit", threshold_probability=threshold)
        assert value == pytest.approx(band.net_benefit[0])
        decision = optimal_decision(PROB, "net_benefit", threshold_probability=threshold)
        np.testing.assert_array_equal(decision.labels, threshold < PROB)


def test_explorers_take_names_that_imply_options():
    explorer = ROCExplorer(metric="f2")
    assert (explorer.metric, explorer.beta) == ("f", 2.0)
    table = explorer.result.table.at_prevalence(explorer.deployment_prevalence)
    assert explorer.result.metric_value == pytest.approx(table.f2)
    explorer.metric = "youden_j"
    assert explorer.metric == "informedness"
    explorer.close()
