"""The benchmarks run; ``make bench`` measures them on a quiet machine."""

import csv
import importlib
import json
import os
import shutil
import subprocess
import sys
from itertools import count, product
from types import SimpleNamespace

import numpy as np
import pytest

import rocviz
from rocviz.core.roc.metrics import METRICS

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _path(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "benchmarks")


@pytest.mark.filterwarnings("ignore")  # peers may warn of few samples
def test_both_sides_of_every_comparison_run():
    topics = set(importlib.import_module("conftest").TOPICS)
    assert {"auc", "calibration", "decisions", "imports", "roc"} <= topics
    topics.remove("imports")  # fourteen fresh interpreters; the next test starts one
    for topic in topics:
        comparisons = list(importlib.import_module(f"bench_{topic}").comparisons(200))
        names = {(comparison.what, comparison.peer) for comparison in comparisons}
        assert len(names) == len(comparisons) > 0
        for comparison in comparisons:
            comparison.ours()
            comparison.theirs()


def test_every_explorer_is_opened_from_a_fresh_interpreter():
    imports = importlib.import_module("bench_imports")
    explorers = {name for name in rocviz.__all__ if name.endswith("Explorer")}
    opened = [comparison.what.split()[-1] for comparison in imports.comparisons(0)]
    assert (set(opened), len(opened)) == (explorers, len(explorers))
    imports.run("import rocviz")
    with pytest.raises(subprocess.CalledProcessError):
        imports.run("rocviz")


@pytest.fixture
def promises(root, tmp_path):
    """Run ``pytest benchmarks`` on topics of a test; return what it prints and its exit code."""
    pytest.importorskip("pytest_benchmark", reason="the extra `bench` is not installed")
    for name in ("comparison.py", "conftest.py", "promises.py", "pytest.ini"):
        shutil.copy(root / "benchmarks" / name, tmp_path)

    def run(topic, source, *options):
        (tmp_path / f"bench_{topic}.py").write_text(
            f"import time\nfrom comparison import Comparison\n{source}", encoding="utf-8"
        )
        command = [sys.executable, "-m", "pytest", str(tmp_path), "--topic", topic, *options]
        # in a worker of pytest-xdist, pytest-benchmark would measure nothing
        environment = {key: os.environ[key] for key in os.environ if "XDIST" not in key}
        process = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        return process.stdout + process.stderr, process.returncode

    return run


# Each side "takes" as many seconds as it adds to what the children of a process are said to have.
_BY_A_CLOCK_OF_OUR_OWN = """
import os
from types import SimpleNamespace

elapsed = 0.0

def work(seconds):
    global elapsed
    elapsed += seconds

os.times = lambda: SimpleNamespace(children_user=elapsed, children_system=0.0)

def comparisons(n_samples):
    yield Comparison("sort", lambda: work(2 * n_samples), "peer", lambda: work(n_samples), {limit})
"""


def test_missed_promises_of_speed_are_errors(promises, tmp_path):
    saved = tmp_path / "run.json"
    options = ("--samples", "3", f"--benchmark-json={saved}")
    output, code = promises("kept", _BY_A_CLOCK_OF_OUR_OWN.replace("{limit}", "2.1"), *options)
    assert code == 0, output
    measured = json.loads(saved.read_text("utf-8"))["benchmarks"]
    assert {row["group"] for row in measured} == {"kept: sort, beside peer"}
    seconds = {row["name"]: row["stats"]["min"] for row in measured}
    assert seconds == pytest.approx({"peer": 3, "rocviz": 6}, rel=0.01)

    output, code = promises("missed", _BY_A_CLOCK_OF_OUR_OWN.replace("{limit}", "1.9"), *options)
    assert code == 1, output
    assert "MISSED: rocviz takes 2.00 times as long, promised are 1.9" in output


def test_runs_of_the_promises_are_saved(promises, tmp_path):
    source = _BY_A_CLOCK_OF_OUR_OWN.replace("{limit}", "None")
    assert promises("plain", source, "--samples", "3")[1] == 0
    assert list(tmp_path.glob("benchmarks/.kept/promises/*/*.json"))


def test_every_control_of_an_explorer_is_moved_by_hand(capsys):
    response = importlib.import_module("response")
    assert set(response.OPEN_WITH_OWN_DATA) == {
        name for name in rocviz.__all__ if name.endswith("Explorer")
    }

    done = response.main(["ROCExplorer", "--samples", "300", "--steps", "1"])
    output = capsys.readouterr().out
    rows = [line.split() for line in output.splitlines() if line.startswith("ROCExplorer")]
    explorer = rocviz.ROCExplorer()
    expected = {name for name, control in explorer.controls().items() if control.is_shown(explorer)}
    idle = {"join_next", "undo_joins"}  # there is nothing to join before one looks at scores
    moved = {row[3] for row in rows if row[1:3] == ["sandbox", "300"]}
    assert moved >= expected - idle
    assert {row[1] for row in rows} == {"sandbox", "own"}
    assert all(0 <= float(row[4]) <= float(row[5]) for row in rows)
    assert done == ("MISSED" in output)
    explorer.close()


def test_the_calls_of_a_step_are_those_of_its_pictures(capsys):
    response = importlib.import_module("response")
    explorer = rocviz.ROCExplorer()
    calls = response.calls_of_a_step(explorer, "threshold")
    explorer.close()
    assert calls["widgets/roc/view.py", "people_picture"] == 1
    assert calls["core/roc/segments.py", "RankedSegments.from_scores"] == 0
    assert response.main(["ROCExplorer", "--calls"]) == 0
    output = capsys.readouterr().out.splitlines()[-1]
    assert output.startswith(f"{calls.total()} calls of {len(calls)} functions")


def test_each_idea_is_one_row_beside_a_peer(root, tmp_path):
    speed = importlib.import_module("speed")
    compared = importlib.import_module("speed_rows")
    rows = list(compared.rows())
    assert {f"labels for {metric}" for metric, row in METRICS.items() if row.is_objective} < {
        row.idea for row in rows
    }
    measured = [speed.measure(row, (100, 300), repeat=1, max_seconds=60.0) for row in rows]
    for row, value in zip(rows, measured, strict=True):
        assert value.samples == 300, row.idea
        assert value.ours > 0 < value.theirs
        assert min(value.mebibytes) > 0
        if row.differ is not None:
            # betacal and statsmodels stop earlier, confidenceinterval rounds its quantile
            tolerances = {"betacal": 1e-2, "confidenceinterval": 1e-6, "statsmodels": 1e-5}
            tolerance = tolerances.get(row.peer, 1e-9)
            assert value.difference <= tolerance, row.idea

    speed.write(tmp_path, measured, 1, 60.0)
    header, *lines = csv.reader((tmp_path / "table.csv").read_text("utf-8").splitlines())
    assert [line[0] for line in lines] == [row.idea for row in rows]
    assert {len(line) for line in lines} == {len(header)}
    machine = (tmp_path / "machine.txt").read_text(encoding="utf-8")
    assert machine.startswith("The table goes up to 300 samples")
    assert "numpy" in machine
    text = (root / "docs" / "speed" / "table.csv").read_text("utf-8")
    shown = list(csv.reader(text.splitlines()))
    assert shown[0] == header, "make bench writes docs/speed/table.csv anew"
    # a metric that was added since is measured when the table is written again
    ideas = {row.idea for row in rows if not row.idea.startswith("labels for ")}
    assert ideas <= {line[0] for line in shown[1:]}


def test_no_policy_is_dearer_than_that_of_fairlearn(monkeypatch, tmp_path):
    peer = importlib.import_module("groups_peer")
    table = tmp_path / "table.csv"
    assert peer.main(["--samples", "1000", "--repeat", "1", "--output", str(table)]) == 0
    header, *rows = csv.reader(table.read_text("utf-8").splitlines())
    assert [row[0].replace(" ", "_") for row in rows] == list(peer.CONSTRAINTS)
    for row in rows:
        named = dict(zip(header, row, strict=True))
        assert 0.1 < float(named["cost"]) <= float(named["fairlearn's cost"]) < 0.3
    shown = list(csv.reader(peer.OUTPUT.read_text("utf-8").splitlines()))
    assert shown[0] == header
    assert {(row[0], row[1]) for row in shown[1:]} >= {(row[0], row[1]) for row in rows}

    monkeypatch.setattr(peer, "compare", lambda *_: (0.2, 0.1, 1.0, 1.0))
    assert peer.main(["--samples", "1000", "--output", str(table)]) == 1


def test_hand_till_is_as_quick_as_promised(monkeypatch, tmp_path):
    peer = importlib.import_module("multiclass_peer")
    table = tmp_path / "table.csv"
    plain = ["--samples", "1000", "--repeat", "1", "--output", str(table), "--without-dirichletcal"]
    peer.main(plain)  # no test depends on speed
    header, *rows = csv.reader(table.read_text("utf-8").splitlines())
    named = [dict(zip(header, row, strict=True)) for row in rows]
    alone = [row for row in named if "alone" in row["peer"]]
    assert [row["classes"] for row in alone] == ["3", "10", "3", "10"]
    assert max(float(row["differ by"]) for row in alone) < 1e-9
    shown = list(csv.reader(peer.OUTPUT.read_text("utf-8").splitlines()))
    assert shown[0] == header
    assert {"dirichletcal", "roc_auc_score, ovo, alone"} <= {row[1] for row in shown}

    monkeypatch.setattr(peer, "in_turns", lambda *_: [4.0, 1.0])
    assert peer.main(plain) == 1


def test_a_slow_peer_is_dropped_from_larger_sizes(monkeypatch):
    speed = importlib.import_module("speed")

    def make(n):
        return lambda: 1e-6, lambda: 2e-5 * n

    monkeypatch.setattr(speed, "processor_seconds", lambda side: side())  # no machine's own speed
    measured = speed.measure(
        speed.Row("idea", "peer", make), (10, 100, 1000), repeat=1, max_seconds=1e-3
    )
    assert measured.samples == 10
    assert measured.beyond.startswith("peer stopped; rocviz at 100: ")
    assert measured.cells()[-1] == measured.beyond


def test_more_memory_than_was_promised_is_reported(monkeypatch, tmp_path, capsys):
    speed = importlib.import_module("speed")
    compared = importlib.import_module("speed_rows")
    promised = {row.idea for row in compared.rows() if row.is_light}
    assert promised == {
        "ROC curve",
        "ROC with AUC, hull and Brier score",
        "precision and recall, with area",
        "from_partitions, 20 pieces",
        "AUC with DeLong interval",
    }

    def make(n):
        return lambda: bytes(1000 * n), lambda: bytes(n)

    for is_light in (True, False):
        row = speed.Row("idea", "peer", make, is_light=is_light)
        monkeypatch.setattr(compared, "rows", lambda row=row: [row])
        options = ["--samples", "1000", "--only", "idea", "--output", str(tmp_path)]
        assert speed.main(options) == is_light
        assert ("MISSED: idea holds more memory" in capsys.readouterr().err) == is_light


def test_growth_is_the_exponent_of_a_power():
    slope = importlib.import_module("speed").slope
    assert slope([10, 100, 1000], [0.2, 2.0, 20.0]) == pytest.approx(1)
    assert slope([10, 100, 1000], [0.1, 10.0, 1000.0]) == pytest.approx(2)


def test_missing_peers_are_reported(monkeypatch, tmp_path, capsys):
    peer = importlib.import_module("scoring_lists_peer")
    clock = SimpleNamespace(process_time=count().__next__)  # each run takes a second by it
    monkeypatch.setattr(peer, "time", clock)
    folder = str(tmp_path / "peer")
    interpreter = str(tmp_path / "no-python")
    assert peer.main(["1000x10", "--environment", folder, "--python", interpreter]) == 1
    output = capsys.readouterr().out
    assert "scikit-psl cannot be installed, so rocviz stands alone here" in output
    assert "entropies 0.9939 0.9423 0.8991" in output


def test_unknown_topics_are_refused(promises):
    output, code = promises("known", "", "--topic", "rocks")
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "invalid choice: 'rocks'" in output


def test_finished_splits_are_not_repeated(tmp_path):
    real_data = importlib.import_module("real_data")
    requests = []

    def measure_split(name, i, split):
        requests.append((name, i))
        X, y, X_test, y_test = split
        assert len(X) == len(y) > 2 * len(X_test) == 2 * len(y_test)
        yield {"method": "one", "loss": 1.0 + i}
        yield {"method": "other", "loss": 3.0 + i}

    kept = tmp_path / "kept.csv"
    names = ["breast_cancer", "digit 8"]
    for n_splits in (2, 3):
        measured = real_data.measure(kept, names, n_splits, measure_split)
        assert len(measured) == 4 * n_splits
    assert len(requests) == len(set(requests)) == 6
    gap = real_data.paired(measured, "loss", "method", "one", "other")
    assert gap["mean"].tolist() == [-2.0, -2.0, -2.0]
    assert gap["error"].tolist() == [0.0, 0.0, 0.0]
    assert real_data.error([1.0, 3.0]) == pytest.approx(1.0)
    assert real_data.with_error(0.5, 0.25, sign=True) == "+0.500 ± 0.250"


def test_quality_tables_have_the_compared_methods(root):

    def shown(name):
        text = (root / "docs" / "measured" / f"{name}.csv").read_text("utf-8")
        header, *lines = csv.reader(text.splitlines())
        assert lines
        assert {len(line) for line in lines} == {len(header)}, name
        return header, lines

    ranked = importlib.import_module("rank_calibration")
    cross_fitted = [f"{name}, cross-fitted" for name in ranked.MAPS]
    lines = shown("rank_calibration")[1]
    assert [line[0] for line in lines] == [*ranked.MAPS, *cross_fitted, "logistic regression"]
    assert {line[-1].split(" of ")[-1] for line in lines} == {"—", str(len(ranked.DATA_NAMES))}

    raw = importlib.import_module("ensemble_calibration").UNCALIBRATED_NAME
    assert [line[2] for line in shown("ensemble_calibration")[1] if line[0] == raw] == ["—"]

    rivals = importlib.import_module("ensemble_mean")
    header, lines = shown("ensemble_mean")
    assert header[2] == rivals.MEAN_NAME
    assert [line[0] for line in lines] == [name for name in rivals.DATA_NAMES for _ in range(2)]
    assert {line[1] for line in lines[::2]} == {str(rivals.N_FEW_VALIDATION)}

    first = importlib.import_module("calibrate_first")
    of_both = list(map(list, product(first.CLASSIFIERS, first.METRICS)))
    lines = shown("calibrate_first")[1]
    assert [line[:2] for line in lines] == of_both
    assert all(line[-1].endswith(f" of {len(first.DATA_NAMES)}") for line in lines)

    field = importlib.import_module("scoring_lists_field")
    learners = [*field.METHODS, *field.PEER_NAMES.values()]
    header, lines = shown("scoring_lists_field")
    brier = {line[0]: float(line[header.index("Brier")]) for line in lines}
    assert list(brier) == learners
    assert {line[1] for line in lines} == {str(len(field.DATA_NAMES))}
    header, lines = shown("scoring_lists_field_data")
    assert header[1:] == learners
    assert [line[0] for line in lines] == list(field.DATA_NAMES)
    for name, *column in zip(header[1:], *(line[1:] for line in lines), strict=True):
        means = [float(cell.split(" ± ")[0]) for cell in column]
        assert sum(means) / len(means) == pytest.approx(brier[name], abs=1.1e-3), name
    steps = [line[0] for line in shown("scoring_lists_why")[1]]
    assert steps[:2] == ["rocviz", "FasterRisk"]
    assert {f"rocviz, {name}" for name in field.STEPS} < set(steps)


def test_numbers_are_asked_about_at_deciles_of_training_samples():
    field = importlib.import_module("scoring_lists_field")
    X = [[0.0, 1], [1, 1], [2, 0], [3, 0], [4, 0], [5, 0], [6, 0], [7, 0], [8, 0], [9, 0], [10, 0]]
    yes, new = field.at_deciles(np.array(X), np.array([[4.5, 1.0], [-3.0, 7.0]]))
    assert yes[:, :9].sum(axis=1).tolist() == [0, 0, *range(1, 9), 9]
    assert new[:, :9].sum(axis=1).tolist() == [4, 0]
    assert yes[:, 9:].tolist() == [[float(row[1] > 0)] for row in X]
    assert new[:, 9:].tolist() == [[1.0], [1.0]]
