"""By batch, by threshold or at one half? The tables of docs/decisions.md.

``python benchmarks/decision_comparison.py``; the published tables are of the default 100 splits.
"""

from __future__ import annotations

import argparse

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tqdm import tqdm

from rocviz import expected_utility, optimal_decision
from rocviz.core.decisions import plug_in_utilities
from rocviz.estimators.decisions import compare_decisions

METRICS = ("f", "jaccard", "am", "g_tp_pr", "g_mean")


def by_batch_size(n_batches=400):
    """Print how much deciding by batch gains where probabilities are right.

    The rival is the best of all fixed thresholds for endless data. What either is expected to
    give is computed, so that the only chance is in which probabilities a batch has.
    """
    print("metric | positives | batch | fixed threshold | by batch | gain | standard error")
    for metric in ("f", "am"):
        for prevalence in (0.3, 0.05):
            rng = np.random.default_rng(0)
            shape = (2 * prevalence, 2 * (1 - prevalence))
            endless = np.sort(rng.beta(*shape, 200_000))[::-1]
            threshold = endless[plug_in_utilities(endless, metric).argmax() - 1]
            for size in (10, 20, 50, 100, 1000):
                batches = rng.beta(*shape, (n_batches, size))
                fixed = [expected_utility(prob >= threshold, prob, metric) for prob in batches]
                by_batch = [optimal_decision(prob, metric).utility for prob in batches]
                gains = np.subtract(by_batch, fixed)
                error = gains.std(ddof=1) / np.sqrt(n_batches)
                print(
                    f"{metric} | {prevalence:.0%} | {size} | {np.mean(fixed):.3f} | "
                    f"{np.mean(by_batch):.3f} | {gains.mean():.4f} | {error:.4f}"
                )


def settings():
    """Yield name, classifier, data, labels and size of the batches."""
    linear = make_pipeline(StandardScaler(), LogisticRegression())
    cancer = load_breast_cancer()
    X = cancer.data[:, :4]
    y = (cancer.target == 0).astype(int)
    yield "tumours", linear, X, y, None
    yield "tumours in batches of 20", linear, X, y, 20
    rng = np.random.default_rng(0)
    rare = np.concatenate((np.flatnonzero(y == 0), rng.permutation(np.flatnonzero(y == 1))[:24]))
    yield "24 of 212 malignant kept", linear, X[rare], y[rare], None
    yield "24 of 212 malignant kept, batches of 20", linear, X[rare], y[rare], 20
    digits = load_digits()
    eight = (digits.target == 8).astype(int)
    yield "digit 8, naive Bayes", GaussianNB(), digits.data, eight, None
    yield "digit 8, naive Bayes, batches of 20", GaussianNB(), digits.data, eight, 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--splits", type=int, default=100, help="default: 100")
    n_splits = parser.parse_args().splits
    by_batch_size()
    for name, estimator, X, y, size in settings():
        comparison = compare_decisions(
            estimator,
            X,
            y,
            metrics=METRICS,
            n_repeats=n_splits,
            batch_size=size,
            random_state=0,
            progress=tqdm,
        )
        print(f"\n{name}: {y.sum()} of {y.size} positive, {comparison.n_train} to train on")
        print("metric | probabilities | dta | eum | half | dta - eum | dta - half")
        differences = (
            comparison.difference("dta", "eum"),
            comparison.difference("dta", "half"),
        )
        for i, metric in enumerate(comparison.metrics):
            for j, kind in enumerate(comparison.probabilities):
                means = " | ".join(f"{value:.3f}" for value in comparison.mean[i, j])
                gains = []
                for gain, error in differences:
                    gains.append(f"{gain[i, j]:+.3f} ± {error[i, j]:.3f}")
                print(f"{metric} | {kind} | {means} | {' | '.join(gains)}")


if __name__ == "__main__":
    main()
