"""The table of metrics: every name works everywhere, and a row adds a metric."""

from itertools import product

import numpy as np
import pytest

from rocviz import (
    CurveSpaceDisplay,
    DecisionExplorer,
    ROCExplorer,
    expected_utility,
    optimal_decision,
)
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
from rocviz.core.roc.metrics import METRICS
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


def test_adding_a_row_adds_a_metric(monkeypatch):
    row = MetricRow(
        "cohens_kappa",
        lambda tp, fp, fn, tn: (
            2 * (tp * tn - fp * fn) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn))
        ),
        label="kappa",
        aliases={"kappa": {}},
        is_objective=True,
        undefined=0.0,
    )
    monkeypatch.setitem(METRICS, row.name, row)
    table = ConfusionTable(tp=40, fp=10, fn=10, tn=40)
    assert table.kappa == pytest.approx(0.6)
    assert metric_value("kappa", 0.2, 0.8) == pytest.approx(0.6)
    for fpr, tpr in (isometric("kappa", 0.6), isometric_through("cohens_kappa", 0.2, 0.8)):
        np.testing.assert_allclose(metric_value("kappa", fpr, tpr), 0.6)
    decision = optimal_decision(PROB, "kappa")
    assert decision.utility == decision.utilities.max()
    assert is_monotonic("kappa")
    assert metric_name(decision.metric) == "kappa"
    with pytest.raises(ValueError, match="cohens_kappa"):
        resolve_metric("none of them")
    display = CurveSpaceDisplay(RankedSegments.from_scores(Y, PROB)).plot(metric="kappa")
    assert any("best kappa" in text.get_text() for text in display.ax_.texts)

    roc = ROCExplorer(metric="kappa")
    assert roc.metric == "cohens_kappa"
    there = roc.result.table.at_prevalence(roc.deployment_prevalence)
    assert roc.result.metric_value == pytest.approx(there.kappa)
    assert "kappa" in str(roc._rail.values["metric"])
    roc.close()
    explorer = DecisionExplorer(y_prob=PROB, metric="kappa")
    assert explorer.k == decision.n_predicted_positive
    assert "the expected kappa is" in explorer.sentence
    explorer.metric = "f1"
    rows = explorer._rail.values["compared_metrics"]["rows"]
    assert "kappa" in [row["label"] for row in rows]
    explorer.compared_metrics = ("kappa",)
    assert explorer.compared_metrics == ("cohens_kappa",)
    explorer.close()


def test_explorers_take_names_that_imply_options():
    explorer = ROCExplorer(metric="f2")
    assert (explorer.metric, explorer.beta) == ("f", 2.0)
    table = explorer.result.table.at_prevalence(explorer.deployment_prevalence)
    assert explorer.result.metric_value == pytest.approx(table.f2)
    explorer.metric = "youden_j"
    assert explorer.metric == "informedness"
    explorer.close()
