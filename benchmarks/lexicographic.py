"""How well an order of the attributes does: the table of ``docs/lexicographic.md``.

``python benchmarks/lexicographic.py`` cross-validates four classifiers on the tumours of
scikit-learn and prints AUC and Brier score with standard errors over the folds.
"""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import BernoulliNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from rocviz.estimators import HullCalibratedClassifier, LexProb, LexRank


class Binarize(TransformerMixin, BaseEstimator):
    """The attributes that LexRank makes, for naive Bayes to have the same."""

    def fit(self, X, y):
        self.ranker_ = LexRank().fit(X, y)
        return self

    def transform(self, X):
        return self.ranker_.binarize(X)


def main() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=20, random_state=0)
    models = {
        "LexProb": LexProb(),
        "LexRank, cross-fitted hull": HullCalibratedClassifier(LexRank()),
        "naive Bayes, same attributes": make_pipeline(Binarize(), BernoulliNB()),
        "tree of depth 5": DecisionTreeClassifier(max_depth=5, random_state=0),
    }
    scoring = {"AUC": "roc_auc", "Brier": "neg_brier_score"}
    for name, model in models.items():
        found = cross_validate(model, X, y, cv=folds, scoring=scoring, n_jobs=2)
        cells = [
            f"{score} {abs(values.mean()):.4f} +- {values.std() / np.sqrt(values.size):.4f}"
            for score in scoring
            for values in [found[f"test_{score}"]]
        ]
        print(f"{name:32s} {'   '.join(cells)}")


if __name__ == "__main__":
    main()
