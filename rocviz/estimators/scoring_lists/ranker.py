"""A scoring list as a ranker: learned from labels, or from pairs of which one belongs above."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata
from sklearn.utils import ClassifierTags

from rocviz.core.base.validation import (
    Floats,
    check_aligned,
    check_choice,
    check_labels,
    check_same_length,
    check_weights,
)
from rocviz.core.roc.segments import RankedSegments
from rocviz.core.scoring_lists.questions import ListQuestions
from rocviz.core.scoring_lists.search.search import check_pairs
from rocviz.estimators.base.classifier import drop_zero_weights, positive_column
from rocviz.estimators.scoring_lists._learner import ListLearner, is_zero_one_column

_LOSS_NAMES = ("rank", "raw_rank", "entropy", "brier")


@dataclass(eq=False, repr=False)
class ScoringListRanker(ListLearner):
    """Rank by the total score of yes/no questions, learned from labels or from pairs.

    Stage 0 ties all samples; every further question splits groups of ties. The (feature,
    score[, threshold]) that leaves the least loss comes next.

    Parameters
    ----------
    score_set : sequence of int, default=(-3, -2, -1, 1, 2, 3)
        Scores to choose from.
    loss : {"rank", "raw_rank", "entropy", "brier"}, default="rank"
        Loss of a stage. "rank": share of pairs in wrong order, ties counting one half, once the
        totals are calibrated: equation 14 of the paper, 1 - AUC of the stage's hull.
        "raw_rank": the same of the totals as they are, 1 - AUC. Pairs have no labels to
        calibrate by: from them both names mean the loss of the totals, and there is no other.
    binarize, thresholds, search, lookahead, beam_width, objective, prefix, allowed_scores, \
feature_costs, budget, max_stages, loss_cutoff, tol, missing, verbose, pos_label
        As for :class:`~rocviz.ProbabilisticScoringList`. Thresholds chosen before the search
        take the upper row of a pair for a positive and the lower one for a negative.

    Attributes
    ----------
    features_, scores_, thresholds_, missing_scores_ : ndarray, shape (n_stages,)
        As for :class:`~rocviz.ProbabilisticScoringList`.
    stage_losses_ : ndarray of float, shape (n_stages + 1,)
        Loss of every stage on the training data; 1/2 for stage 0 of the rank loss.
    stop_reason_ : str
        Why the list is not longer.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        If X came with names.

    References
    ----------
    Hanselle et al. (2024), section 4.5 and equation 14.

    Examples
    --------
    Row 0 above row 1 above row 2; row 3 was compared with nothing.

    >>> X = [[1, 1], [1, 0], [0, 0], [0, 1]]
    >>> ranker = ScoringListRanker().fit(X, pairs=[(0, 1), (1, 2)])
    >>> ranker.rank(X).tolist()
    [1, 2, 4, 2]
    """

    _: KW_ONLY
    loss: Literal["rank", "raw_rank", "entropy", "brier"] = "rank"

    def fit(
        self,
        X: Any,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        *,
        pairs: ArrayLike | None = None,
    ) -> Self:
        """Learn the list from labels, or from pairs of rows.

        Parameters
        ----------
        X : array-like or data frame, shape (n_samples, n_features)
            Numbers, in a data frame categories too; NaN if ``missing`` allows it.
        y : array-like, shape (n_samples,), optional
            Labels of two classes; the positive one belongs above. Not with ``pairs``.
        sample_weight : array-like of float, shape (n_samples,) or (n_pairs,), optional
            Of the samples, or of the pairs.
        pairs : array-like of int, shape (n_pairs, 2), optional
            Row ``pairs[i, 0]`` belongs above row ``pairs[i, 1]``. Not with ``y``.

        Returns
        -------
        ScoringListRanker
            Itself.

        Raises
        ------
        ValueError
            If neither or both of ``y`` and ``pairs`` are given, or an argument is invalid.
        """
        self._check_parameters()
        check_choice(self.loss, "loss", _LOSS_NAMES)
        target: dict[str, Any]
        if pairs is not None:
            if y is not None:
                raise ValueError("give y or pairs, not both.")
            X = self._read_training(X)
            pairs = check_pairs(pairs, len(X))
            self._pos_label = self.pos_label
            target = {"pairs": pairs, "weight": check_weights(sample_weight, len(pairs))}
        elif y is None:
            raise ValueError("requires y to be passed, but the target y is None; or give pairs.")
        else:
            check_aligned(X=X, y=y, sample_weight=sample_weight)
            X, y = self._read_training(X, y)
            positive, weight, classes = self._read_target(X, y, sample_weight)
            self._pos_label = classes[positive_column(classes, self.pos_label)]
            X, positive, weight = drop_zero_weights(X, positive, weight)
            target = {"positive": positive, "weight": weight}
        learned, thresholds = self._learn(X, is_zero_one_column(X), loss=self.loss, **target)
        questions = ListQuestions(
            features=learned.features,
            scores=learned.scores,
            thresholds=thresholds,
            missing_scores=learned.missing_scores,
            feature_names=self._columns().of(learned.features),
            missing=self.missing,
        )
        self._take_list(questions, learned.stage_losses, learned.stop_reason)
        return self

    def decision_function(self, X: Any, stage: int = -1) -> Floats:
        """Add up totals as floats, by which scikit-learn's scorers rank.

        Takes the parameters of :meth:`total_scores`.

        Returns
        -------
        ndarray of float, shape (n_samples,)
        """
        return self.total_scores(X, stage).astype(np.float64)

    def predict(self, X: Any, stage: int = -1) -> Floats:
        """Add up totals, which have a meaning only in comparison with each other.

        Takes the parameters of :meth:`total_scores`.

        Returns
        -------
        ndarray of float, shape (n_samples,)
        """
        return self.decision_function(X, stage)

    def rank(self, X: Any, stage: int = -1) -> NDArray[np.int64]:
        """Rank samples among each other.

        Takes the parameters of :meth:`total_scores`.

        Returns
        -------
        ndarray of int, shape (n_samples,)
            1 is the highest total; ties share the best rank of their group.
        """
        return rankdata(-self.total_scores(X, stage), method="min").astype(np.int64)

    def score(
        self,
        X: Any,
        y: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
        *,
        pairs: ArrayLike | None = None,
        stage: int = -1,
    ) -> float:
        """Compute the share of pairs in the right order, ties counting one half.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
        y : array-like, shape (n_samples,), optional
            Labels; the score is the AUC then. If the list was learned from labels, the larger
            one of those is the positive class.
        sample_weight : array-like of float, shape (n_samples,) or (n_pairs,), optional
        pairs : array-like of int, shape (n_pairs, 2), optional
            In place of labels.
        stage : int, default=-1
            As for :meth:`total_scores`.

        Returns
        -------
        float
            From 0 to 1, higher is better.

        Raises
        ------
        ValueError
            If both or neither of ``y`` and ``pairs`` are given.
        """
        if (y is None) == (pairs is None):
            raise ValueError("give either y or pairs.")
        if y is not None:
            check_aligned(X=X, y=y, sample_weight=sample_weight)
        total = self.decision_function(X, stage)
        if y is not None:
            positive = check_labels(y, self._pos_label, "y")
            check_same_length(positive.size, X=total)
            return RankedSegments.from_scores(positive, total, sample_weight=sample_weight).auc
        pairs = check_pairs(pairs, len(total))
        weight = check_weights(sample_weight, len(pairs))
        upper, lower = total[pairs].T
        share_in_order = (1 + np.sign(upper - lower)) / 2
        return float(np.average(share_in_order, weights=weight))

    def _learned(self) -> Any:
        columns = ("question", "points for yes", "loss after it")
        questions = self._questions.questions()
        rows = zip(questions, self.scores_, self.stage_losses_[1:], strict=True)
        return "Questions in the order in which they are asked", columns, rows

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.classifier_tags = ClassifierTags(multi_class=False)
        return tags
