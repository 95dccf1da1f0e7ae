"""The three reports of the gallery: data that come with scikit-learn or are drawn here.

``REPORTS`` has their titles and what they show. ``docs/live.py`` writes their pages and thumbnails.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from rocviz import evaluation_report
from rocviz.datasets import load_class_scores
from rocviz.report import EvaluationReport


def clinical() -> EvaluationReport:
    """Evaluate two models of four measurements of a tumour, each in five folds."""
    X, y = load_breast_cancer(return_X_y=True)
    split = StratifiedKFold(5, shuffle=True, random_state=0)
    folds = np.zeros(len(y), dtype=int)
    for number, (_, test) in enumerate(split.split(X, y), start=1):
        folds[test] = number
    models = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "forest": RandomForestClassifier(200, min_samples_leaf=5, random_state=0),
    }
    scores = {
        name: cross_val_predict(model, X[:, :4], y, cv=split, method="predict_proba")[:, 0]
        for name, model in models.items()
    }
    return evaluation_report(
        np.where(y == 0, "malignant", "benign"),
        scores,
        folds=folds,
        cost_fn=5,
        prevalence=0.1,
        at={"specificity": 0.9},
        pos_label="malignant",
        title="Malignant tumours: two models of four measurements",
    )


def credit() -> EvaluationReport:
    """Evaluate two models of loans on loans that they were not fitted on. No loan is real."""
    generator = np.random.default_rng(0)
    n_loans = 4000
    age = generator.uniform(18, 80, n_loans)
    income = generator.lognormal(10.3 + 0.2 * (age > 30), 0.5)
    debt = generator.gamma(2.0, 0.18, n_loans)
    late_payments = generator.poisson(0.3 + 0.8 * debt)
    burden = 2.2 * debt + 0.7 * late_payments - 0.9 * np.log(income / 30_000) - 0.04 * (age - 45)
    is_default = generator.random(n_loans) < 1 / (1 + np.exp(3.4 - burden))
    loans = pd.DataFrame(
        {"age": age.round(), "income": income.round(-2), "debt": debt, "late": late_payments}
    )
    old, new, y_old, y_new = train_test_split(
        loans, is_default, test_size=0.5, random_state=0, stratify=is_default
    )
    models = {
        "scorecard": make_pipeline(StandardScaler(), LogisticRegression()),
        "boosting": HistGradientBoostingClassifier(
            learning_rate=0.05, max_iter=80, max_depth=3, min_samples_leaf=60, random_state=0
        ),
    }
    columns = {"scorecard": ["debt", "late"], "boosting": list(loans)}
    scores = {
        name: model.fit(old[columns[name]], y_old).predict_proba(new[columns[name]])[:, 1]
        for name, model in models.items()
    }
    groups = pd.cut(
        new["age"], [0, 30, 60, 100], right=False, labels=["young", "middle-aged", "old"]
    )
    return evaluation_report(
        np.where(y_new, "defaulted", "repaid"),
        scores,
        groups=groups.astype(str),
        cost_fn=8,
        describe=new[["age", "income", "late"]],
        pos_label="defaulted",
        title="Defaults of loans (simulated): two models, three age groups",
    )


def classes() -> EvaluationReport:
    """Evaluate two models of three kinds of wine; to buy a Barbera as a Barolo costs most."""
    wine = load_class_scores("wine")
    split = StratifiedKFold(5, shuffle=True, random_state=0)
    forest = cross_val_predict(
        RandomForestClassifier(200, min_samples_leaf=3, random_state=0),
        wine.X,
        wine.y_true,
        cv=split,
        method="predict_proba",
    )
    costs = pd.DataFrame(
        [[0, 1, 1], [1, 0, 1], [5, 1, 0]], index=wine.classes, columns=wine.classes, dtype=float
    )
    return evaluation_report(
        wine.y_true,
        {
            "logistic": pd.DataFrame(wine.y_prob, columns=wine.classes),
            "forest": pd.DataFrame(forest, columns=sorted(wine.classes)),
        },
        cost_matrix=costs,
        title="Three kinds of wine: two models of alcohol and malic acid",
    )


@dataclass(frozen=True)
class Example:
    """A report of the gallery.

    Parameters
    ----------
    title : str
        Its name in the gallery.
    words : str
        What it shows, in one sentence.
    evaluate : callable
        Computes the report.
    figure : str
        Name of the figure that stands for it.
    """

    title: str
    words: str
    evaluate: Callable[[], EvaluationReport]
    figure: str


#: By the names of their pages.
REPORTS = {
    "report-clinical": Example(
        "Clinical",
        "Two models of real tumours in five folds: which is better, which threshold to take where "
        "fewer are malignant, and the sensitivity at a specificity of 0.9",
        clinical,
        "roc",
    ),
    "report-credit": Example(
        "Credit",
        "Two models of simulated loans, where a default costs as much as eight loans refused in "
        "error: which is better, and what its threshold does to young and old borrowers",
        credit,
        "group_rates",
    ),
    "report-classes": Example(
        "Three classes",
        "Two models of real wines, where one mistake costs more than the others: which wine to "
        "name, what it costs, and whether the probabilities can be trusted",
        classes,
        "triangle",
    ),
}


def source() -> str:
    """Find the code of the reports, after whose changes their pages are written again."""
    return Path(__file__).read_text("utf-8")
