"""mypy finds no error in the package, and the errors in code of users.

A single run checks everything, since a type checker takes seconds to start.
"""

import subprocess
import sys

import numpy as np
import pytest
from packaging.version import Version

import rocviz

pytestmark = pytest.mark.slow

# each line is right, or says at its end what is wrong with it
SNIPPET_SOURCE = """
from sklearn.linear_model import LogisticRegression
import numpy as np
import rocviz as rv
from rocviz.widgets.ensembles.result import EnsembleResult
from rocviz.widgets.roc.result import ROCResult

y, p = np.array([0, 1, 1]), np.array([0.1, 0.4, 0.9])
model, X = LogisticRegression(), np.array([[1.0], [2.0], [3.0]])
a: rv.ROCExplorer = rv.ROCExplorer(y, p, threshold=0.4, panels=["roc"], focus="roc")
b: rv.ROCExplorer = rv.ROCExplorer.from_predictions(y, {"a": p}, cost_fn=2, pos_label=1)
c: rv.ROCExplorer = rv.ROCExplorer.from_estimator({"a": model}, X, y, sample_weight=p)
d: rv.FermiDiracExplorer = rv.FermiDiracExplorer.from_estimator(model, X, y, confidence=0.9)
e: rv.EnsembleExplorer = rv.EnsembleExplorer.from_estimators({"a": model}, X, y, method="woc")
f: rv.DecisionExplorer = rv.DecisionExplorer.from_estimator(model, X, metric="f")
g: rv.ROCHullDisplay = rv.ROCHullDisplay.from_predictions(y, p, cost_fn=2, name="a", ax=None)
h: rv.BrierDisplay = rv.BrierDisplay.from_estimator(model, X, y, pos_label=1, theme="dark")
r: ROCResult = rv.ROCExplorer(y, p).result
s: EnsembleResult = rv.EnsembleExplorer().result
rv.ROCExplorer(y, p, threshold="0.4")  # threshold
rv.ROCExplorer.from_predictions(y, p, n_samples=0.5)  # n_samples
rv.ROCExplorer.from_estimator(model, X, y, held_out="yes")  # held_out
rv.ScoringListExplorer.from_estimator(model, lower="0.1")  # lower
rv.AUCIntervalDisplay.from_predictions(y, p, method=["delong"])  # method
g.plot(hul=True)  # hul
"""


def misspelt():
    """Write each way to make an explorer or a display, and its result, with a name too many."""
    for name in (name for name in rocviz.__all__ if name.endswith(("Explorer", "Display"))):
        for way in (way for way in dir(getattr(rocviz, name)) if way.startswith("from_")):
            yield f"rv.{name}.{way}(misspelt=1)  # misspelt"
        if name.endswith("Explorer"):
            yield f"rv.{name}(misspelt=1)  # misspelt"
            yield f"rv.{name}().result.misspelt  # misspelt"


def test_type_checkers_find_misspelt_inputs_and_results(tmp_path, root):
    script = tmp_path / "script.py"
    text = "\n".join((SNIPPET_SOURCE, *misspelt()))
    script.write_text(text)
    # a process of its own gives its memory back; `make lint` fills the same cache
    process = subprocess.run(
        [sys.executable, "-m", "mypy", "rocviz", str(script)],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert process.returncode in (0, 1), process.stderr
    errors_found = [line for line in process.stdout.splitlines() if ": error: " in line]
    # where an earlier run kept what it found, its folder is named
    theirs = [
        line.split(f"{script.name}:", 1)[1] for line in errors_found if f"{script.name}:" in line
    ]
    errors = {}
    for line in theirs:
        errors.setdefault(int(line.split(":")[0]), []).append(line)
    # the stubs of an older NumPy know fewer types
    assert len(theirs) == len(errors_found) or Version(np.__version__) < Version("2.2"), (
        process.stdout
    )
    wrong = {
        number: line.split("  # ")[1]
        for number, line in enumerate(text.splitlines(), start=1)
        if "  # " in line
    }
    assert errors.keys() == wrong.keys(), process.stdout
    for number, name in wrong.items():
        assert any(f'"{name}"' in line for line in errors[number]), errors[number]
