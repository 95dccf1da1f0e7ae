"""The benchmarks run; how fast is for ``make bench`` on a quiet machine to say."""

import importlib
import subprocess
import sys

import pytest

import rocviz


@pytest.fixture(scope="module")
def run(root):
    def run(*arguments):
        return subprocess.run(
            [sys.executable, str(root / "benchmarks" / "run.py"), *arguments],
            capture_output=True,
            text=True,
            timeout=600,
        )

    return run


def test_every_topic_gives_lines_of_one_table_and_missed_promises_are_reported(run, root):
    topics = {path.stem.removeprefix("bench_") for path in root.glob("benchmarks/bench_*.py")}
    topics.remove("imports")  # fourteen fresh interpreters; the next test starts one
    done = run(*sorted(topics), "--samples", "3000", "--repeat", "1")
    lines = done.stdout.splitlines()
    assert done.returncode in (0, 1), done.stderr
    # with few samples fixed costs dominate, so the ratio to a fast peer may be anything
    assert ("MISSED" in done.stdout) == (done.returncode == 1)
    assert lines[0].startswith("3,000 samples, best of 1")
    header = next(i for i, line in enumerate(lines) if line.startswith("what"))
    rows = lines[header + 2 :]
    assert all(line.count(" ms ") >= 2 for line in rows)
    for topic in topics:
        assert done.stderr.count(f"  {topic}: ") >= 1
    assert done.stderr.count(" ...") == len(rows)


def test_every_explorer_is_opened_from_a_fresh_interpreter(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "benchmarks")
    imports = importlib.import_module("bench_imports")
    explorers = {name for name in rocviz.__all__ if name.endswith("Explorer")}
    opened = [comparison.what.split()[-1] for comparison in imports.comparisons(0)]
    assert (set(opened), len(opened)) == (explorers, len(explorers))
    assert imports.processor_seconds("import rocviz; sum(range(10**6))") > 0.01


def test_every_control_of_an_explorer_is_moved_by_hand(root, monkeypatch, capsys):
    monkeypatch.syspath_prepend(root / "benchmarks")
    response = importlib.import_module("response")
    assert set(response.OWN) == {name for name in rocviz.__all__ if name.endswith("Explorer")}

    done = response.main(["ROCExplorer", "--samples", "300", "--steps", "3"])
    said = capsys.readouterr().out
    rows = [line.split() for line in said.splitlines() if line.startswith("ROCExplorer")]
    explorer = rocviz.ROCExplorer()
    wanted = {name for name, control in explorer.controls().items() if control.shown(explorer)}
    idle = {"join_next", "undo_joins"}  # there is nothing to join before one looks at scores
    moved = {row[3] for row in rows if row[1:3] == ["sandbox", "300"]}
    assert moved >= wanted - idle
    assert {row[1] for row in rows} == {"sandbox", "own"}
    assert all(0 <= float(row[4]) <= float(row[5]) for row in rows)
    assert done == ("MISSED" in said)
    explorer.close()


def test_a_peer_that_cannot_be_installed_is_said_to_be_missing(root, tmp_path):
    command = [
        *(sys.executable, str(root / "benchmarks" / "scoring_lists_peer.py"), "1000x10"),
        *("--environment", str(tmp_path / "peer"), "--python", str(tmp_path / "no-python")),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 1
    assert "scikit-psl cannot be installed, so rocviz stands alone here" in done.stdout
    assert "entropies 0.9939 0.9423 0.8991" in done.stdout


def test_unknown_topics_are_refused(run):
    done = run("rocks")
    assert done.returncode == 2
    assert "unknown topic rocks; there are auc, calibration, " in done.stderr
