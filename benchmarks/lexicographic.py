"""The quality of an order of the attributes: the table of ``docs/lexicographic.md``.

``python benchmarks/lexicographic.py`` cross-validates classifiers on the tumours of
scikit-learn, malignant being positive, and prints AUC and Brier score, means over the folds, with
their differences from LexProb on the same folds. Standard errors allow for the samples that folds
share (Nadeau and Bengio, 2003).
"""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from rocviz import HullCalibratedClassifier, LexProb, LexRank


class Binarize(TransformerMixin, BaseEstimator):
    """Binary attributes as LexRank makes them, for naive Bayes."""

    def fit(self, X, y):
        self.ranker_ = LexRank().fit(X, y)
        return self

    def transform(self, X):
        return self.ranker_.binarize(X)


def main() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    y = y == 0
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=20, random_state=0)
    bayes = make_pipeline(Binarize(), BernoulliNB())
    models = {
        "LexProb": LexProb(),
        "LexRank, hull cross-fitted": HullCalibratedClassifier(LexRank()),
        "naive Bayes, same attributes": bayes,
        "naive Bayes, hull cross-fitted": HullCalibratedClassifier(bayes),
        "tree, leaves of 20 at least": DecisionTreeClassifier(min_samples_leaf=20, random_state=0),
        "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
        "forest": RandomForestClassifier(random_state=0),
    }
    scoring = {"AUC": "roc_auc", "Brier": "neg_brier_score"}
    first = None
    for name, model in models.items():
        done = cross_validate(model, X, y, cv=folds, scoring=scoring, n_jobs=2)
        scores = {score: np.abs(done[f"test_{score}"]) for score in scoring}
        first = first or scores
        cells = []
        for score, values in scores.items():
            difference = values - first[score]
            error = difference.std(ddof=1) * np.sqrt(
                1 / len(difference) + 1 / 4
            )  # tests are 1/4 of the rest
            cells.append(f"{score} {values.mean():.3f} ({difference.mean():+.3f} ± {error:.3f})")
        print(f"{name:32s} {'   '.join(cells)}")


if __name__ == "__main__":
    main()
