"""A classifier whose thresholds keep a promise to groups of people."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import (
    Floats,
    Seed,
    check_aligned,
    check_choice,
    check_costs,
    check_fraction,
    list_labels,
    number_categories,
)
from rocviz.core.groups.policy import CRITERIA, cost_optimal_policy
from rocviz.estimators.base.classifier import as_random_state
from rocviz.estimators.base.wrapping import CrossFittedClassifier, Training

# The group of all samples where none are given.
ONLY_GROUP = "everybody"


@dataclass(eq=False, repr=False)
class GroupThresholdClassifier(CrossFittedClassifier):
    """Predict positive by thresholds, and draws between them, that keep a promise to groups.

    Every training sample is scored by a copy of the classifier that did not see it. Of the policies
    that keep the promise, the one with the lowest cost on these scores is used for new samples,
    which are scored by the classifier fitted to all training data.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba`` or ``decision_function``. Only the order of its scores matters.
    criterion : str, default="equal_opportunity"
        Equal quantity: ``"none"``, ``"single_threshold"``, ``"demographic_parity"``,
        ``"equal_opportunity"``, ``"predictive_equality"``, ``"equalized_odds"`` or
        ``"predictive_parity"``; see :func:`rocviz.core.groups.cost_optimal_policy`.
    cost_fp, cost_fn : float, default=1.0
        Costs of a false alarm and of a miss; not negative and not both zero.
    tolerance : float, default=0.0
        By how much rates that are promised to be equal may differ, from 0 to 1.
    random_state : int, RandomState, Generator or None, default=None
        Source of the draws of ``predict``.
    cv, response_method, pos_label
        As for :class:`EmpiricalUtilityClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        Labels in sorted order.
    pos_label_ : label
        The positive class.
    estimator_ : classifier
        The fitted classifier that scores new samples.
    policy_ : rocviz.core.groups.GroupPolicy
        Points, thresholds and draws by group, and what they cost on the training samples.
    n_features_in_ : int
        If the classifier has it.
    feature_names_in_ : ndarray of str
        If the classifier has it.

    See Also
    --------
    rocviz.core.groups.cost_optimal_policy : The same for given scores.
    rocviz.core.groups.group_summary : What each group gets.

    Notes
    -----
    The promise is kept on the training samples; new samples keep it up to chance. Without
    ``groups`` all samples are one group, and the promise is empty. With metadata routing enabled,
    ask for the groups by ``set_fit_request(groups=True)`` and ``set_predict_request(groups=True)``.

    References
    ----------
    Hardt, Price and Srebro (2016).

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> from rocviz.datasets import make_groups
    >>> data = make_groups((300, 100), random_state=0)
    >>> X = data.y_score[:, None]
    >>> model = GroupThresholdClassifier(LogisticRegression(), random_state=0)
    >>> model = model.fit(X, data.y_true, groups=data.groups)
    >>> {name: round(tpr, 3) for name, (_, tpr) in model.policy_.points.items()}
    {'A': 0.65, 'B': 0.65}
    >>> model.predict(X[:3], groups=["A", "A", "B"]).shape
    (3,)
    """

    criterion: str = "equal_opportunity"
    _: KW_ONLY
    cost_fp: float = 1.0
    cost_fn: float = 1.0
    tolerance: float = 0.0
    random_state: Seed = None

    _purpose: ClassVar[str] = "policy"
    _responses: ClassVar[tuple[str, ...]] = ("predict_proba", "decision_function")

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        groups: ArrayLike | None = None,
        **fit_params: Any,
    ) -> Self:
        """Fit the classifier (unless it is prefit), and find the cost-optimal policy.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Training data, whatever the classifier takes.
        y : array-like, shape (n_samples,)
            Labels of exactly two classes, both in every group.
        sample_weight : array-like of float, shape (n_samples,), optional
            Not negative. Used for the policy, and for the classifier if it takes weights.
        groups : array-like, shape (n_samples,), optional
            Group of each sample; none may be missing.
        **fit_params : dict
            Passed on to the classifier's ``fit``, or routed if metadata routing is enabled.

        Returns
        -------
        Self
            The estimator itself.

        Raises
        ------
        ValueError
            If labels are not of two classes, a group lacks one of them, groups are missing, no
            policy can keep the promise, or a parameter is invalid.
        sklearn.exceptions.NotFittedError
            If the classifier should be prefit and is not fitted.
        """
        if groups is not None:
            with prefix_error_with("groups"):
                number_categories(groups, np.size(groups), "groups")
        check_aligned(X=X, y=y, groups=groups)
        training = self._train(X, y, sample_weight, fit_params)
        self._fit_scores(training, groups)
        self._keep(training)
        return self

    def _learned(self) -> Any:
        rows = [(name, *point) for name, point in self.policy_.points.items()]
        return (
            f"Policy of {self.criterion.replace('_', ' ')}",
            ("group", "false positive rate", "true positive rate"),
            rows,
        )

    def _check_parameters(self) -> None:
        check_choice(self.criterion, "criterion", CRITERIA)
        check_costs(self.cost_fp, self.cost_fn)
        check_fraction(self.tolerance, "tolerance", ends=True)
        as_random_state(self.random_state)

    def _fit_scores(self, training: Training, groups: ArrayLike | None = None) -> None:
        if groups is None:
            groups = np.repeat(ONLY_GROUP, training.score.size)
        self.policy_ = cost_optimal_policy(
            training.positive,
            training.score,
            groups,
            criterion=self.criterion,
            cost_fp=self.cost_fp,
            cost_fn=self.cost_fn,
            tolerance=self.tolerance,
            sample_weight=training.weight,
        )

    def predicted_positive_probability(self, X: Any, groups: ArrayLike | None = None) -> Floats:
        """Compute the probability that each sample is predicted positive.

        Parameters
        ----------
        X : array-like or data frame, shape (n_samples, n_features)
        groups : array-like, shape (n_samples,), optional
            Group of each sample; needed if there were any in ``fit``.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            From 0 to 1; 0 or 1 where nothing is drawn.

        Raises
        ------
        ValueError
            If groups are missing, or one was not there in ``fit``.
        """
        check_aligned(X=X, groups=groups)
        score = self._scores(X)
        if groups is None:
            known = list(self.policy_.rules)
            if known != [ONLY_GROUP]:
                raise ValueError(
                    f"groups must give the group of each sample, one of {list_labels(known)}."
                )
            groups = np.repeat(ONLY_GROUP, score.size)
        return self.policy_.probability(score, groups)

    def predict(self, X: Any, groups: ArrayLike | None = None) -> Any:
        """Predict by the policy's thresholds, and by draws between them.

        Parameters
        ----------
        X : array-like or data frame, shape (n_samples, n_features)
        groups : array-like, shape (n_samples,), optional
            Group of each sample; needed if there were any in ``fit``.

        Returns
        -------
        ndarray, shape (n_samples,)
            Labels.

        Raises
        ------
        ValueError
            If groups are missing, or one was not there in ``fit``.
        """
        probability = self.predicted_positive_probability(X, groups)
        draw = as_random_state(self.random_state).random_sample(probability.size)
        return self._labels(draw < probability)
