"""Does ranking first help? Compute the tables of docs/ranking_loss.md again.

Takes a minute or two on the default of 100 repetitions, the number behind the published tables.
"""

from __future__ import annotations

import argparse

from sklearn.datasets import load_breast_cancer, load_digits
from tqdm import tqdm

from rocviz.estimators.ranking_loss import compare_ranking_methods, synthetic_ranking_experiment

SETTINGS = (
    ("plain", {}),
    ("imbalanced", {"setting": "imbalanced"}),
    ("positive-unlabelled, all", {"setting": "positive-unlabelled"}),
    (
        "positive-unlabelled, unlabelled",
        {"setting": "positive-unlabelled", "correction": "unlabelled"},
    ),
)


def experiment(repeats, **how):
    """Print errors times 1000, one row per floor."""
    done = synthetic_ranking_experiment(n_repeats=repeats, random_state=0, progress=tqdm, **how)
    print(f"\n{how}\na | {' | '.join(done.methods)} | standard error up to")
    for a, error, spread in zip(done.a, 1e3 * done.error, 1e3 * done.standard_error, strict=True):
        print(f"1/{1 / a:.0f} | {' | '.join(f'{e:.1f}' for e in error)} | {spread.max():.1f}")


def real(name, X, y, repeats):
    """Print squared errors times 1000 and AUCs with their standard errors."""
    for setting, how in SETTINGS:
        comparison = compare_ranking_methods(
            X, y, n_repeats=repeats, alpha=1e-3, random_state=0, progress=tqdm, **how
        )
        print(f"\n{name}, {setting}: test prevalence {comparison.test_prevalence:.3f}")
        for row in comparison.to_frame().itertuples():
            more, error = comparison.difference(row.method)
            print(
                f"{row.method} | {1e3 * row.mse:.1f} ± {1e3 * row.mse_error:.1f} | "
                f"minus logistic {1e3 * more:+.1f} ± {1e3 * error:.1f} | "
                f"{row.auc:.4f} ± {row.auc_error:.4f} | {row.label_frequency:.3f}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=100, help="default: 100")
    repeats = parser.parse_args().repeats
    experiment(repeats, alpha=1e-4)
    experiment(repeats, alpha=0.1)
    experiment(repeats, alpha=0.1, loss="squared_hinge")
    X, y = load_breast_cancer(return_X_y=True)
    real("breast cancer, malignant", X, 1 - y, repeats)
    X, y = load_digits(return_X_y=True)
    real("digits, odd", X, y % 2, repeats)


if __name__ == "__main__":
    main()
