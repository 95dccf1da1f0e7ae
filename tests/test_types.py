"""mypy finds nothing in the package, and what is misspelt or wrong in what a user writes.

One run has it all: a type checker takes seconds to begin.
"""

import subprocess
import sys

import numpy as np
from packaging.version import Version

import rocviz

# each line is right, or says at its end what is wrong with it
SNIPPET = """
from sklearn.linear_model import LogisticRegression
import numpy as np
import rocviz as rv
from rocviz.estimators.ranking_loss import synthetic_ranking_experiment
from rocviz.core.fermi_dirac import fermi_dirac_experiment
from rocviz.core.ensembles import ensemble_experiment
from rocviz.widgets.ensembles.result import EnsembleResult
from rocviz.widgets.roc.result import ROCResult

y, p = np.array([0, 1, 1]), np.array([0.1, 0.4, 0.9])
model, X = LogisticRegression(), np.array([[1.0], [2.0], [3.0]])
# explorers
a: rv.ROCExplorer = rv.ROCExplorer(y, p, threshold=0.4, panels=["roc"], focus="roc")
b: rv.ROCExplorer = rv.ROCExplorer.from_predictions(y, {"a": p}, cost_ratio=2, pos_label=1)
c: rv.ROCExplorer = rv.ROCExplorer.from_estimator({"a": model}, X, y, sample_weight=p)
d: rv.FermiDiracExplorer = rv.FermiDiracExplorer.from_estimator(model, X, y, confidence=0.9)
e: rv.EnsembleExplorer = rv.EnsembleExplorer.from_estimators({"a": model}, X, y, method="woc")
f: rv.DecisionExplorer = rv.DecisionExplorer.from_estimator(model, X, metric="f")
rv.ROCExplorer(y, p, thresold=0.4)  # thresold
rv.ROCExplorer(y, p, threshold="0.4")  # threshold
rv.ROCExplorer.from_predictions(y, p, treshold=0.4)  # treshold
rv.ROCExplorer.from_predictions(y, p, n_samples=0.5)  # n_samples
rv.ROCExplorer.from_estimator(model, X, y, modell="a")  # modell
rv.ROCExplorer.from_estimator(model, X, y, held_out="yes")  # held_out
rv.FermiDiracExplorer(temprature=0.1)  # temprature
rv.FermiDiracExplorer.from_predictions(y, p, sample_weight=p)  # sample_weight
rv.FermiDiracExplorer.from_estimator(model, X, y, aux=0.8)  # aux
rv.EnsembleExplorer(corelation=0.2)  # corelation
rv.EnsembleExplorer.from_predictions(y, X, mehtod="woc")  # mehtod
rv.EnsembleExplorer.from_estimators([("a", model)], X, y, strategie="shared")  # strategie
rv.DecisionExplorer(y_prob=p, metrics="f")  # metrics
rv.DecisionExplorer.from_predictions(y, p, cost=2)  # cost
rv.DecisionExplorer.from_estimator(model, X, betta=2)  # betta
rv.ScoringListExplorer(uper=0.9)  # uper
rv.ScoringListExplorer.from_estimator(model, lower="0.1")  # lower
rv.LexicographicExplorer(X, y, smoth=1.0)  # smoth
rv.LexicographicExplorer.from_estimator(model, X, y, M=2)  # M
rv.RankingLossExplorer(lossy="logistic")  # lossy
rv.GroupsExplorer(y, p, y, criterium="none")  # criterium
rv.GroupsExplorer.from_predictions(y, p, y, called=1.0)  # called
rv.GroupsExplorer.from_estimator(model, X, y, y, grup="a")  # grup
rv.MulticlassExplorer(y, p, pont=(0.5, 0.5))  # pont
rv.MulticlassExplorer.from_predictions(y, p, labl="b")  # labl
rv.MulticlassExplorer.from_estimator(model, X, y, metrik="mcc")  # metrik
r: ROCResult = rv.ROCExplorer(y, p).result
rv.ROCExplorer().result.tabel  # tabel
s: EnsembleResult = rv.EnsembleExplorer().result
rv.FermiDiracExplorer().result.table  # table
rv.EnsembleExplorer().result.table  # table
rv.ScoringListExplorer().result.table  # table
rv.DecisionExplorer().result.table  # table
rv.LexicographicExplorer().result.table  # table
rv.RankingLossExplorer().result.table  # table
rv.GroupsExplorer().result.table  # table
rv.MulticlassExplorer().result.table  # table
# displays
g: rv.ROCHullDisplay = rv.ROCHullDisplay.from_predictions(y, p, cost_fn=2, name="a", ax=None)
h: rv.BrierDisplay = rv.BrierDisplay.from_estimator(model, X, y, pos_label=1, theme="dark")
rv.ROCHullDisplay.from_predictions(y, p, thresold=True)  # thresold
rv.ROCHullDisplay.from_predictions(y, p, thresholds="x")  # thresholds
rv.ROCHullDisplay.from_estimator(model, X, y, bands="none")  # bands
g.plot(hul=True)  # hul
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
rv.GroupsDisplay.from_predictions(y, p, y, shows="x")  # shows
rv.GroupsDisplay.from_estimator(model, X, y, y, criterium="none")  # criterium
rv.MulticlassDisplay.from_predictions(y, X, points=p)  # points
rv.MulticlassDisplay.from_estimator(model, X, y, costs=X)  # costs
rv.RankingBoundDisplay.from_predictions(y, p, titel="x")  # titel
rv.RankingBoundDisplay.from_estimator(model, X, y, prevalance=0.5)  # prevalance
rv.BrierDisplay.from_estimator(model, X, y, pos_labels=1)  # pos_labels
rv.CalibrationMapDisplay.from_predictions(y, p, method="beta")  # method
rv.CalibrationMapDisplay.from_estimator(model, X, y, titles="a")  # titles
rv.CalibrationMapDisplay.from_stage(None, stage=2)  # stage
rv.CrossValidationDisplay.from_predictions(y, p, y, fold_names="a")  # fold_names
rv.CrossValidationDisplay.from_cv_results({}, X, y, pool=True)  # pool
rv.CurveSpaceDisplay.from_predictions(y, p, spaces="pr")  # spaces
rv.CurveSpaceDisplay.from_estimator(model, X, y, limit=(0, 1))  # limit
rv.ModelComparisonDisplay.from_predictions(y, {"a": p}, group=y)  # group
rv.ModelComparisonDisplay.from_estimator({"a": model}, X, y, kinds="auc")  # kinds
rv.DecisionDisplay.from_decision(rv.optimal_decision(p, "f"), plugin=False)  # plugin
rv.EnsembleDisplay.from_experiment(ensemble_experiment(), correlations=0.2)  # correlations
rv.FermiDiracExperimentDisplay.from_experiment(fermi_dirac_experiment(), axs=None)  # axs
rv.RankingExperimentDisplay.from_experiment(synthetic_ranking_experiment(), method="a")  # method
rv.FermiDiracSurfaceDisplay.from_grid(aucs=p)  # aucs
rv.ScoreCardDisplay.from_estimator(model, papers="a4")  # papers
rv.StageDisplay.from_estimator(model, lowwer=0.1)  # lowwer
"""


def test_each_way_to_make_an_explorer_or_a_display_is_misspelt_in_the_snippet():
    wrong = [line for line in SNIPPET.splitlines() if "  # " in line]
    for name in (n for n in rocviz.__all__ if n.endswith(("Explorer", "Display"))):
        ways = {f"{name}.{way}(" for way in dir(getattr(rocviz, name)) if way.startswith("from_")}
        if name.endswith("Explorer"):
            ways |= {f"rv.{name}(", f"{name}().result."}
        assert {way for way in ways if not any(way in line for line in wrong)} == set()


def test_the_package_is_clean_and_a_user_s_misspelt_inputs_and_results_are_found(tmp_path, root):
    script = tmp_path / "script.py"
    script.write_text(SNIPPET)
    # a process of its own gives its memory back; `make lint` fills the same cache
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "rocviz", str(script)],
        cwd=root,
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    found = [line for line in done.stdout.splitlines() if ": error: " in line]
    # where an earlier run kept what it found, its folder is named
    theirs = [line.split(f"{script.name}:", 1)[1] for line in found if f"{script.name}:" in line]
    errors = {int(line.split(":")[0]): line for line in theirs}
    # the stubs of an older NumPy know fewer types
    assert len(errors) == len(found) or Version(np.__version__) < Version("2.2"), done.stdout
    wrong = {
        number: line.split("  # ")[1]
        for number, line in enumerate(SNIPPET.splitlines(), start=1)
        if "  # " in line
    }
    assert errors.keys() == wrong.keys(), done.stdout
    for number, name in wrong.items():
        assert f'"{name}"' in errors[number]
