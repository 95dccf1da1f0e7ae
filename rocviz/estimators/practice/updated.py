"""A classifier whose probabilities are updated for another place."""

from __future__ import annotations

from copy import copy
from dataclasses import KW_ONLY, dataclass
from numbers import Integral
from typing import Any, ClassVar, Literal, Self

from numpy.typing import ArrayLike
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import StratifiedGroupKFold

from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import (
    Floats,
    Seed,
    check_aligned,
    check_choice,
    check_clusters,
    check_fraction,
    check_integer,
    label_column,
)
from rocviz.core.practice.update import METHODS, MIN_FOLDS, update_model
from rocviz.core.roc.metrics import metric_options
from rocviz.estimators.base.classifier import ProbabilisticClassifier, as_random_state
from rocviz.estimators.base.wrapping import CrossFittedClassifier, Training

_N_FOLDS = 5  # of whole clusters, if ``cv`` is None


@dataclass(eq=False, repr=False)
class UpdatedClassifier(ProbabilisticClassifier, CrossFittedClassifier):
    """Keep a classifier's probabilities, shift their log odds, or change their slope too.

    A model that was fitted elsewhere is taken as it is (``cv="prefit"``, or a ``FrozenEstimator``
    around it), and ``fit`` is given data of the new place. A classifier that is not fitted is
    fitted to these data, and its cross-fitted probabilities are updated.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba``.
    method : {"closed_test", "none", "intercept", "slope"}, default="closed_test"
        See :func:`rocviz.core.practice.update_model`.
    significance_level : float, default=0.05
        Level of the closed test; strictly between 0 and 1.
    threshold_probability : float, default=0.5
        Of the net benefit before and after: from 1e-06 to 0.999999.
    n_folds : int, default=10
        Folds that the numbers after the update are computed in; at least 2.
    random_state : int, RandomState, Generator or None, default=0
        Source of the random numbers that divide samples into these folds.
    cv, response_method, pos_label
        As for :class:`EmpiricalUtilityClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        Labels in sorted order.
    pos_label_ : label
        The positive class.
    estimator_ : classifier
        The fitted classifier whose probabilities are updated.
    update_ : rocviz.core.practice.ModelUpdate
        What was chosen, and numbers before and after.
    n_features_in_ : int
        If the classifier has it.
    feature_names_in_ : ndarray of str
        If the classifier has it.

    See Also
    --------
    rocviz.core.practice.update_model : The same for given probabilities.
    HullCalibratedClassifier : Calibration from scratch, which needs more data.

    Notes
    -----
    The closed test of Vergouwe et al. ends with a model that is fitted to all predictors again.
    Here the last step is intercept and slope: the classifier's features are its own affair. A
    classifier that is fitted to the new place is another model; compare both, cross-validated,
    with :func:`rocviz.compare_classifiers`.

    References
    ----------
    Janssen et al. (2008). Vergouwe et al. (2017).

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.frozen import FrozenEstimator
    >>> from sklearn.linear_model import LogisticRegression
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(2000, 2))
    >>> y = X.sum(axis=1) + rng.logistic(size=2000) > np.repeat([0.0, 1.5], 1000)
    >>> elsewhere = LogisticRegression().fit(X[:1000], y[:1000])
    >>> model = UpdatedClassifier(FrozenEstimator(elsewhere)).fit(X[1000:], y[1000:])
    >>> model.update_.chosen, round(model.update_.intercept, 2)
    ('intercept', -1.66)
    """

    method: Literal["closed_test", "none", "intercept", "slope"] = "closed_test"
    _: KW_ONLY
    significance_level: float = 0.05
    threshold_probability: float = 0.5
    n_folds: int = 10
    random_state: Seed = 0

    _purpose: ClassVar[str] = "update"
    _responses: ClassVar[tuple[str, ...]] = ("predict_proba",)

    def _check_parameters(self) -> None:
        check_choice(self.method, "method", METHODS)
        check_fraction(self.significance_level, "significance_level")
        metric_options()["threshold_probability"].check(self.threshold_probability)
        check_integer(self.n_folds, "n_folds", minimum=MIN_FOLDS)
        as_random_state(self.random_state)

    def fit(
        self,
        X: Any,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        clusters: ArrayLike | None = None,
        **fit_params: Any,
    ) -> Self:
        """Fit the classifier (unless it is prefit), and the update of its probabilities.

        Parameters
        ----------
        X : array-like, shape (n_samples, n_features)
            Training data, whatever the classifier takes.
        y : array-like, shape (n_samples,)
            Labels of exactly two classes.
        sample_weight : array-like of float, shape (n_samples,), optional
            Not negative. Used for the update, and for the classifier if it takes weights.
        clusters : array-like, shape (n_samples,), optional
            Samples of one cluster (one patient's, say) vary together, and stay in one fold: of
            those that the numbers after the update are computed in and, if ``cv`` is a number or
            ``None``, of those that the classifier is cross-fitted in.
        **fit_params : dict
            Passed on to the classifier's ``fit``, or routed if metadata routing is enabled.

        Returns
        -------
        UpdatedClassifier
            The estimator itself.

        Raises
        ------
        ValueError
            If an argument or a parameter is invalid, or a class is in too few samples or clusters
            for folds.
        sklearn.exceptions.NotFittedError
            If the classifier should be prefit and is not fitted.
        """
        owner = self
        if clusters is not None:
            check_aligned(X=X, y=y, sample_weight=sample_weight, clusters=clusters)
            unit = check_clusters(clusters, len(label_column(y, "y")))
            is_fitted = isinstance(self._get_estimator(), FrozenEstimator)
            if not is_fitted and (self.cv is None or isinstance(self.cv, Integral)):
                owner = copy(self)
                owner.cv = self._splits_of_clusters(X, y, unit)
        training = owner._train(X, y, sample_weight, fit_params)
        self._fit_update(training, clusters)
        self._keep(training)
        return self

    def _splits_of_clusters(self, X: Any, y: Any, unit: Any) -> list[Any]:
        """Split samples so that each cluster is in one part."""
        n_folds = _N_FOLDS if self.cv is None else int(self.cv)
        with prefix_error_with("cv", "clusters"):
            return list(StratifiedGroupKFold(n_folds).split(X, y, unit))

    def _fit_update(self, training: Training, clusters: ArrayLike | None) -> None:
        self.update_ = update_model(
            training.positive,
            training.score,
            method=self.method,
            significance_level=self.significance_level,
            threshold_probability=self.threshold_probability,
            n_folds=self.n_folds,
            sample_weight=training.weight,
            clusters=clusters,
            random_state=self.random_state,
        )

    def _learned(self) -> Any:
        rows = []
        for name, row in self.update_.to_frame().iterrows():
            rows.append((name, f"{row['before']:.4g}", f"{row['after']:.4g}"))
        return f"Update: {self.update_.chosen}", ("measure", "before", "after"), rows

    def _probabilities(self, X: Any) -> Floats:
        score = self._scores(X)  # raises if there is no update yet
        prob = self.update_.apply(score)
        return self._columns_of(1 - prob, prob)
