"""A type checker finds a misspelt or wrong keyword in what a user writes."""

from mypy import api

# each line is right, or says at its end what is wrong with it
SNIPPET = """
from sklearn.linear_model import LogisticRegression
import numpy as np
import rocviz as rv

y, p = np.array([0, 1, 1]), np.array([0.1, 0.4, 0.9])
model, X = LogisticRegression(), np.array([[1.0], [2.0], [3.0]])
a: rv.ROCHullDisplay = rv.ROCHullDisplay.from_predictions(y, p, cost_fn=2, name="a", ax=None)
b: rv.BrierDisplay = rv.BrierDisplay.from_estimator(model, X, y, pos_label=1, theme="dark")
rv.ROCHullDisplay.from_predictions(y, p, thresold=True)  # thresold
rv.ROCHullDisplay.from_predictions(y, p, thresholds="x")  # thresholds
rv.ROCHullDisplay.from_estimator(model, X, y, bands="none")  # bands
a.plot(hul=True)  # hul
rv.ReliabilityDisplay.from_predictions(y, p, intervals=None)  # intervals
rv.ReliabilityDisplay.from_estimator(model, X, y, response_method="auto")  # response_method
rv.BrierDisplay.from_predictions(y, p, sample_weights=p)  # sample_weights
rv.AUCIntervalDisplay.from_predictions(y, p, method=["delong"])  # method
rv.AUCIntervalDisplay.from_estimator(model, X, y, n_resample=3)  # n_resample
rv.FermiDiracDisplay.from_predictions(y, p, slices=3)  # slices
rv.FermiDiracDisplay.from_estimator(model, X, y, responce_method="auto")  # responce_method
rv.EnsembleDisplay.from_predictions(y, p, items=3)  # items
rv.EnsembleDisplay.from_estimator(model, X, itm=3)  # itm
rv.DecisionDisplay.from_predictions(p, "f", plugin=False)  # plugin
rv.DecisionDisplay.from_estimator(model, X, "f", betta=2)  # betta
rv.LexicographicDisplay.from_attributes(X, y, levels=3)  # levels
rv.LexicographicDisplay.from_estimator(model, X, y, axes=None)  # axes
rv.RankingBoundDisplay.from_predictions(y, p, titel="x")  # titel
rv.ScoreCardDisplay.from_estimator(model, papers="a4")  # papers
rv.StageDisplay.from_estimator(model, lowwer=0.1)  # lowwer
"""


def test_misspelt_keywords_are_found(tmp_path, root):
    script = tmp_path / "script.py"
    script.write_text(SNIPPET)
    # `make lint` fills the same cache, so the package itself is seldom read anew
    found, failed, _ = api.run([str(script), "--cache-dir", str(root / ".mypy_cache")])
    assert failed == "" or "error" not in failed
    errors = {int(line.split(":")[1]): line for line in found.splitlines() if ": error: " in line}
    wrong = {
        number: line.split("  # ")[1]
        for number, line in enumerate(SNIPPET.splitlines(), start=1)
        if "  # " in line
    }
    assert errors.keys() == wrong.keys(), found
    for number, keyword in wrong.items():
        assert f'"{keyword}"' in errors[number]
