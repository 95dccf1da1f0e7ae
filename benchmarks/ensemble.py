"""When does a crowd help? The tables of docs/fidel.md: ``python benchmarks/ensemble.py``.

The first takes a minute on the default of 1000 repetitions; ``--repeats 200`` is the number of
repetitions behind the published one.
"""

from __future__ import annotations

import argparse

from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from tqdm import tqdm

from rocviz.core.ensembles import ensemble_experiment
from rocviz.datasets import load_breast_cancer_scores
from rocviz.estimators.ensembles import compare_strategies


def five():
    """Make five classifiers of different kinds."""
    return [
        ("linear", make_pipeline(StandardScaler(), LogisticRegression())),
        ("bayes", GaussianNB()),
        ("near", make_pipeline(StandardScaler(), KNeighborsClassifier(9))),
        ("tree", DecisionTreeClassifier(max_depth=4, random_state=0)),
        ("kernel", make_pipeline(StandardScaler(), SVC())),
    ]


def show(result, what, rows):
    """Print a row per setting: the setting, the AUC of each method, the largest error."""
    print(f"\n{what} | {' | '.join(result.methods)} | standard error up to")
    for row, auc, error in zip(rows, result.auc, result.standard_error, strict=True):
        print(f"{row} | {' | '.join(f'{a:.3f}' for a in auc)} | {error.max():.4f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=1000, help="default: 1000")
    repeats = parser.parse_args().repeats

    simulated = ensemble_experiment(n_repeats=repeats, random_state=0, progress=tqdm)
    settings = zip(simulated.correlation, simulated.n_classifiers, strict=True)
    show(simulated, "correlation, M", [f"{c:.1f}, {m}" for c, m in settings])

    data = load_breast_cancer_scores()
    trained = compare_strategies(
        five(), data.data, data.y_true, n_repeats=repeats // 5, random_state=0, progress=tqdm
    )
    settings = zip(trained.strategies, trained.n_train, trained.correlation, strict=True)
    show(trained, "strategy, n, correlation", [f"{s}, {n:.0f}, {c:.2f}" for s, n, c in settings])
    for strategy in ("disjoint", "shared"):
        for method in ("mean base", "woc", "fidel"):
            gain, error = trained.difference(strategy, method=method)
            print(f"{strategy} minus same share, {method}: {gain:+.3f} ± {error:.3f}")


if __name__ == "__main__":
    main()
