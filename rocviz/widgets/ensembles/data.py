"""Data of the ensemble explorer: scores to measure classifiers on, and scores to judge them by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.classes import positive_columns
from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import (
    as_array,
    check_aligned,
    check_labels,
    check_same_length,
    check_sequence,
    labels_of_classes,
)
from rocviz.core.ensembles.rank_ensemble import RankEnsemble
from rocviz.core.ensembles.score_matrix import (
    check_names,
    decreasing_ranks,
    misordered,
    score_matrix,
)
from rocviz.core.ensembles.simulate_classifiers import simulate_classifiers
from rocviz.widgets.base.background import step
from rocviz.widgets.base.own_data import OwnData, remembered
from rocviz.widgets.roc.data import Scored
from rocviz.words import ClassNames

STRATEGIES = ("disjoint", "shared")


@dataclass(frozen=True, eq=False)
class Measured(Frozen):
    """Classifiers measured on validation samples, and their ranks of the samples to judge by."""

    ensemble: RankEnsemble  # all classifiers, as the validation samples show them
    positive: NDArray[np.bool_]  # (n_items,): which of the samples to judge by are positive
    # (n_items, M): their scores, and the ranks of these among the validation samples
    scores: NDArray[np.float64]
    ranks: NDArray[np.float64]
    auc: NDArray[np.float64]  # (M,): AUC of each classifier on the samples to judge by
    rows: NDArray[np.intp]  # (n_items,): rows of the samples to judge by, increasing
    held_out: bool  # whether these samples are others than the validation samples
    # labels and scores of all samples, to be split many times
    pooled: tuple[NDArray[np.bool_], NDArray[np.float64]]
    unit: NDArray[np.intp] | None = None  # (n_items,): cluster of each, if there are clusters

    def few(self, most: int, keep: int) -> Measured:
        """Keep about ``most`` evaluation samples, for a preview.

        Either class has the same share of them; the one at the place ``keep`` stays.
        """
        step = ceil(self.rows.size / most)
        positives = np.flatnonzero(self.positive)[::step]
        negatives = np.flatnonzero(~self.positive)[::step]
        kept = np.union1d(np.concatenate((positives, negatives)), [keep])
        return replace(
            self,
            positive=self.positive[kept],
            scores=self.scores[kept],
            ranks=self.ranks[kept],
            rows=self.rows[kept],
            unit=None if self.unit is None else renumbered(self.unit[kept]),
        )


def renumbered(unit: NDArray[np.intp]) -> NDArray[np.intp]:
    """Make the numbers of clusters that are left run from 0."""
    return np.unique(unit, return_inverse=True)[1]


def _measure(
    ensemble: RankEnsemble, positive: NDArray[np.bool_], scores: NDArray[np.float64], **rest: Any
) -> Measured:
    wrong = misordered(positive, decreasing_ranks(scores))
    return Measured(
        ensemble=ensemble,
        positive=positive,
        scores=scores,
        ranks=ensemble.ranks(scores),
        auc=1 - wrong / (positive.sum() * (~positive).sum()),
        **rest,
    )


# ---------------------------------------------------------------------- the sandbox


def sandbox_aucs(n_classifiers: int, low: float, high: float, last_classifier: str) -> list[float]:
    """Spread the true AUCs of the sandbox's classifiers evenly, but for an odd last one."""
    aucs = np.linspace(low, high, n_classifiers) if n_classifiers > 1 else np.array([high])
    if last_classifier == "expert":
        aucs[-1] = (1 + high) / 2
    elif last_classifier == "reversed":
        aucs[-1] = 1 - high
    return [round(float(auc), 4) for auc in aucs]


def simulate_measured(
    n_samples: int, aucs: Sequence[float], correlation: float, prevalence: float, seed: int
) -> Measured:
    """Simulate classifiers: ``n_samples`` to measure them on, as many to judge by."""
    options: dict[str, Any] = {"correlation": correlation, "prevalence": prevalence}
    first = simulate_classifiers(n_samples, aucs, **options, random_state=2 * seed)
    second = simulate_classifiers(n_samples, aucs, **options, random_state=2 * seed + 1)
    all_positive = np.concatenate((first.y_true, second.y_true)) == 1
    return _measure(
        RankEnsemble.from_scores(*first),
        second.y_true == 1,
        second.scores,
        rows=np.arange(n_samples),
        held_out=True,
        pooled=(all_positive, np.concatenate((first.scores, second.scores))),
    )


# ---------------------------------------------------------------------- the user's data


def _matrix(data: Scored) -> NDArray[np.float64]:
    return np.column_stack(list(data.scores.values()))


class OwnScores(OwnData):
    """The user's labels and scores, of samples that no classifier was trained on.

    Scores are an array of shape (n_samples, M), a table, or a mapping by name.
    """

    #: Training strategies to choose from; none if the scores were given.
    strategies: tuple[str, ...] = ()

    #: Of the bar while an explorer opens: measuring, ranking, judging by three tests, picture.
    steps_to_open = 7

    def __init__(
        self,
        y_true: Any,
        scores: Any,
        *,
        clusters: Any = None,
        pos_label: Any = None,
        labels: Any = None,
    ) -> None:
        scores = positive_columns(scores, y_true, pos_label, "scores")
        names, matrix = score_matrix(scores, "scores")
        check_aligned(y_true=y_true, scores=scores)
        check_same_length(check_labels(y_true, pos_label).size, scores=matrix)
        named = check_names(names, matrix.shape[1])
        columns = dict(zip(named, matrix.T, strict=True))
        self._plain = Scored(y_true, columns, clusters=clusters, pos_label=pos_label, labels=labels)
        self.class_names = self._plain.class_names
        super().__init__(pos_label, y_true=y_true, scores=scores, clusters=clusters)

    def samples(self, _strategy: str) -> tuple[Scored, NDArray[np.intp]]:
        """Select the samples that no classifier was trained on, and their rows in the data."""
        return self._plain, np.arange(self._plain.positive.size)

    def code(self, strategy: str) -> list[str]:
        """Write Python that gets the scores again and splits them."""
        lines = self.code_lines(strategy if self.strategies else "")
        data = self.samples(strategy)[0]
        if not data.can_hold_out():
            return [*lines, "y_first, first = y_second, second = y_true, scores"]
        return [
            *lines,
            *data.split_lines(),
            "judge.sort()",
            "y_first, first = y_true[fit], scores[fit]",
            "y_second, second = y_true[judge], scores[judge]",
        ]

    @remembered(4)
    def measured(self, strategy: str) -> Measured:
        """Measure the classifiers that a strategy trains."""
        data, rows = self.samples(strategy)
        positive = data.positive
        scores = _matrix(data)
        held_out = data.can_hold_out()
        step("measuring the classifiers")
        if held_out:
            fit, judge = data.halves
            judge = np.sort(judge)
        else:
            fit = judge = np.arange(positive.size)
        ensemble = RankEnsemble.from_scores(positive[fit], scores[fit], names=list(data.scores))
        step("ranking by each")
        return _measure(
            ensemble,
            positive[judge],
            scores[judge],
            rows=rows[judge],
            held_out=held_out,
            pooled=(positive, scores),
            unit=None if data.unit is None else renumbered(data.unit[judge]),
        )


class OwnEstimators(OwnScores):
    """Classifiers trained on one half of the user's samples, which score the other half.

    They are given by name, in a mapping or in pairs, and are fitted again.
    """

    strategies = STRATEGIES
    steps_to_open = 8

    def __init__(
        self,
        estimators: Mapping[str, Any] | Sequence[tuple[str, Any]],
        X: Any,
        y: ArrayLike,
        *,
        pos_label: Any = None,
        labels: Any = None,
    ) -> None:
        pairs: Any = estimators.items() if hasattr(estimators, "items") else estimators
        named = check_sequence(pairs, "estimators", "pairs of a name and a classifier")
        check_aligned(X=X, y=y)
        self.estimators = named
        self.X = X
        self.y = as_array(y, "y", "one label per sample")
        self.class_names = ClassNames.of(*labels_of_classes(y, pos_label, "y"), labels)
        OwnData.__init__(self, pos_label)

    def samples(self, strategy: str) -> tuple[Scored, NDArray[np.intp]]:
        """Select the samples that no classifier was trained on, and their rows in the data."""
        return self._trained(strategy)

    def arguments(self, name: str = "") -> dict[str, Any]:
        """Score these samples by the classifiers of a strategy; return labels and scores."""
        data, _ = self.samples(name)
        return {"y_true": data.given["y_true"], "scores": _matrix(data)}

    def code(self, strategy: str) -> list[str]:
        """Write Python that gets the scores again and splits them."""
        return [
            f"# scores of the samples that FiDELClassifier(strategy={strategy!r}, "
            "validation_size=0.5,",
            "# random_state=0) sets aside, by the classifiers it trains on the others",
            *super().code(strategy),
        ]

    @remembered(2)
    def _trained(self, strategy: Literal["disjoint", "shared"]) -> tuple[Scored, NDArray[np.intp]]:
        from sklearn.utils import _safe_indexing

        from rocviz.estimators.base.classifier import positive_column
        from rocviz.estimators.base.scores import positive_score, response_of
        from rocviz.estimators.ensembles.fidel import FiDELClassifier

        step("training the classifiers")
        model = FiDELClassifier(
            self.estimators,
            strategy=strategy,
            method="woc",  # which does not warn: pictures show how far errors are alike
            validation_size=0.5,
            random_state=0,
            pos_label=self.pos_label,
        ).fit(self.X, self.y)
        rows = model.validation_indices_
        samples = _safe_indexing(self.X, rows)
        column = positive_column(model.classes_, model.pos_label_)
        scores = {}
        for name, fitted in zip(model.ensemble_.names, model.estimators_, strict=True):
            scores[name] = positive_score(fitted, samples, response_of(fitted), column)
        return Scored(self.y[rows], scores, pos_label=model.pos_label_), rows
