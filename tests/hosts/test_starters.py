"""What the servers of marimo and Shiny see of an explorer, in the starters of the docs.

Each runs in a process of its own: these packages change what ipywidgets does with every new widget,
so that none is imported here, not even to see whether it is installed.
Pages of both are opened in tests/browser/test_hosts.py.
"""

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

import rocviz

#: Runs the notebook as a script, and sets an input of its explorer as marimo does for a page.
MARIMO_SCRIPT = """
import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location("two_models", sys.argv[1])
notebook = importlib.util.module_from_spec(spec)
spec.loader.exec_module(notebook)
_, variables = notebook.app.run()
element, decisions = variables["explorer"], variables["decisions"]
opening = element.value["threshold"]
element._update({"threshold": 0.25})
print(json.dumps({
    "kind": type(element).__name__,
    "widget": type(element.widget).__name__,
    "threshold": opening,
    "decisions": decisions.to_dict("records"),
    "moved": [element.threshold, element.value["threshold"], element.result.table.threshold],
}))
"""

#: Runs the app in memory with a file of its own, and presses its button.
SHINY_SCRIPT = """
import json
import sys
import warnings

import rocviz  # before anything changes what a widget is
from shiny.testserver import test_server

app, file = sys.argv[1:]
columns = {"label_column": "diagnosis", "score_column": "risk", "positive_label": "ill"}
with test_server(app, timeout_secs=300) as session:
    session.set_inputs(
        file=[{"name": "ours.csv", "datapath": file}], cost_fn=5, prevalence=10, **columns
    )
    first = session.get_output("advice").value
    session.set_inputs(use_best=1)
    best = session.get_output("advice").value
    session.set_inputs(cost_fn=1000)
    refused = session.get_output("advice").value
    shown = session.get_output("explorer").value
    assert session.is_ok, session.error
print(json.dumps({"first": first, "best": best, "refused": refused, "shown": shown}))
"""


def printed(script, *arguments):
    """Run a script in a new process, and read the JSON of its last line."""
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def skip_without(package):
    """Skip a test where a package is not installed, without importing it."""
    if find_spec(package) is None:
        pytest.skip(f"{package} is not installed")


def test_the_marimo_notebook_compares_two_models(root):
    skip_without("marimo")
    seen = printed(MARIMO_SCRIPT, root / "docs" / "starters" / "two_models.py")
    assert seen["kind"] == "anywidget"
    assert seen["widget"] == "ROCExplorer"
    chosen, *best = seen["decisions"]
    assert chosen["rule"] == "as chosen above"
    assert chosen["threshold"] == round(seen["threshold"], 3)
    assert [row["model"] for row in best] == ["logistic", "tree"]
    assert best[0]["expected cost"] <= chosen["expected cost"]
    assert seen["moved"] == [0.25, 0.25, 0.25]


def test_the_shiny_app_takes_a_file_and_costs(root, tmp_path):
    skip_without("shinywidgets")
    y_true = [case % 3 > 0 for case in range(60)]
    scores = [(case % 7 + 2 * (case % 3)) / 11 for case in range(60)]
    lines = ["diagnosis,risk"]
    for is_ill, score in zip(y_true, scores, strict=True):
        lines.append(f"{'ill' if is_ill else 'well'},{score}")
    file = tmp_path / "ours.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    seen = printed(SHINY_SCRIPT, root / "docs" / "starters" / "threshold_app.py", file)
    segments = rocviz.RankedSegments.from_scores(y_true, scores)
    best = segments.optimal_point(cost_fn=5, prevalence=0.1)
    cost = best.expected_cost(cost_fn=5, prevalence=0.1)
    assert f"least, {best.threshold:.3f}, it is {cost:.4f}" in seen["first"]
    assert f"from {best.threshold:.3f} up" in seen["best"]
    assert f"finds {best.tp:.0f} of 40 positives" in seen["best"]
    assert seen["refused"] == seen["best"]  # a cost out of range is said, and changes nothing
    assert seen["shown"]["widget_pkg"] == "rocviz"


def test_widgets_of_other_tests_stay_those_of_jupyter():
    for package in ("marimo", "shinywidgets"):
        assert package not in sys.modules  # its import changes every widget that is made later
