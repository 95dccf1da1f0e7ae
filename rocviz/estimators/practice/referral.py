"""A classifier with a third answer: it refers the samples that it is not sure of."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.frozen import DataFrame
from rocviz.core.base.naming import threshold_text
from rocviz.core.base.validation import Floats, Seed, describe, is_same, list_labels
from rocviz.core.practice.referral import ZONES, check_wanted, referral_policy
from rocviz.estimators.base.classifier import as_random_state
from rocviz.estimators.base.wrapping import ThresholdedClassifier, Training


@dataclass(eq=False, repr=False)
class ReferralClassifier(ThresholdedClassifier):
    """Predict by two thresholds: rule out below, rule in above, refer the samples between.

    Every training sample is scored by a copy of the classifier that did not see it. The two
    thresholds are those of :func:`rocviz.core.practice.referral_policy` for these scores, and are
    used for new samples, which are scored by the classifier fitted to all training data.

    Parameters
    ----------
    estimator : classifier
        With ``predict_proba`` or ``decision_function``. Only the order of its scores matters.
    cost_fp, cost_fn : float, default=1.0
        Costs of a false alarm and of a miss; not negative and not both zero.
    cost_referral : float or None, default=0.1
        Cost of a referral, at least 0. With promises it only counts in costs; ``None`` stands for
        no cost.
    npv, sensitivity, ppv, specificity : float, optional
        Promises of the zones, strictly between 0 and 1.
    max_referred : float, optional
        At most this share of samples is referred, from 0 to 1; not with promises.
    guarantee : float, optional
        Probability with which each promise is kept on new data too; strictly between 0 and 1.
    refer_label : label, optional
        What ``predict`` returns for samples that are referred; not one of the classes. By default
        it returns the class that the best single threshold gives.
    random_state : int, RandomState, Generator or None, default=None
        Source of the draws of :meth:`zone`, if some are referred by a draw.
    cv, response_method, pos_label
        As for :class:`EmpiricalUtilityClassifier`.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        Labels in sorted order, without ``refer_label``.
    pos_label_ : label
        The positive class.
    estimator_ : classifier
        The fitted classifier that scores new samples.
    policy_ : rocviz.core.practice.ReferralPolicy
        Both thresholds, the zones, and what they cost on the training samples.
    threshold_ : float
        Score from which on ``predict`` returns the positive class where nothing is referred: the
        best single threshold, or the end of the zone between that is nearest to it.
    n_features_in_ : int
        If the classifier has it.
    feature_names_in_ : ndarray of str
        If the classifier has it.

    See Also
    --------
    rocviz.core.practice.referral_policy : The same for given scores.

    Notes
    -----
    *What predict returns.* Everything that scikit-learn does with a classifier of two classes
    (scorers, searches, stacking) supposes that each prediction is one of the two. So by default
    ``predict`` gives such an answer for everybody, and :meth:`zone` tells who is referred. Where a
    third answer is wanted in the predictions themselves, ``refer_label`` names it: then metrics
    of two classes do not apply, and ``score`` counts a referral as a mistake.

    A guarantee is one for the scores of cross-fitting; where ``cv="prefit"`` it is exact.

    References
    ----------
    Chow (1970). Tortorella (2000). Pietraszek (2005).

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = ReferralClassifier(GaussianNB(), npv=0.95, ppv=0.95, refer_label=-1)
    >>> model = model.fit(X[::2, :4], y[::2])
    >>> np.unique(model.predict(X[1::2, :4]))
    array([-1,  0,  1])
    >>> model.to_frame()["n"].tolist()
    [85.0, 31.0, 169.0]
    """

    _: KW_ONLY
    cost_fp: float = 1.0
    cost_fn: float = 1.0
    cost_referral: float | None = 0.1
    npv: float | None = None
    sensitivity: float | None = None
    ppv: float | None = None
    specificity: float | None = None
    max_referred: float | None = None
    guarantee: float | None = None
    refer_label: Any = None
    random_state: Seed = None

    _purpose: ClassVar[str] = "policy"
    _responses: ClassVar[tuple[str, ...]] = ("predict_proba", "decision_function")

    def _wanted(self) -> dict[str, Any]:
        """Give the arguments of the policy."""
        names = ("cost_fp", "cost_fn", "cost_referral", "npv", "sensitivity", "ppv", "specificity")
        return {name: getattr(self, name) for name in (*names, "max_referred", "guarantee")}

    def _check_parameters(self) -> None:
        check_wanted(**self._wanted())
        as_random_state(self.random_state)

    def _fit_scores(self, training: Training) -> None:
        if self.refer_label is not None:
            classes = training.classes.tolist()
            if any(is_same(self.refer_label, label) for label in classes):
                raise ValueError(
                    f"refer_label must not be one of the classes {list_labels(classes)}; got "
                    f"{describe(self.refer_label)}."
                )
        policy = referral_policy(
            training.positive, training.score, sample_weight=training.weight, **self._wanted()
        )
        threshold = max(policy.threshold_without, policy.lower_threshold)
        threshold = min(threshold, policy.upper_threshold)
        # finite where all samples get one answer, so that scores keep their order
        top = 1.0 if training.response == "predict_proba" else float(training.score.max())
        threshold = max(threshold, float(training.score.min()))
        self.threshold_ = min(threshold, float(np.nextafter(top, np.inf)))
        self.policy_ = policy

    def _learned(self) -> Any:
        rows = []
        for row in self.to_frame().itertuples():
            ends = (threshold_text(row.from_score), threshold_text(row.below_score))
            rows.append((row.zone, *ends, f"{row.share:.3g}", f"{row.error_rate:.3g}"))
        return "Zones", ("zone", "from score", "below score", "share", "error rate"), rows

    def to_frame(self) -> DataFrame:
        """Tabulate the zones on the training samples.

        Returns
        -------
        pandas.DataFrame
            As from :meth:`rocviz.core.practice.ReferralPolicy.to_frame`.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If the classifier is not fitted.
        """
        check_is_fitted(self)
        return self.policy_.to_frame()

    def zone(self, X: Any) -> Any:
        """Answer for each sample: ``"rule_out"``, ``"refer"`` or ``"rule_in"``.

        Parameters
        ----------
        X : array-like or data frame, shape (n_samples, n_features)

        Returns
        -------
        ndarray of str, shape (n_samples,)
        """
        return self._zone(self._scores(X))

    def _zone(self, score: Floats) -> Any:
        seed = as_random_state(self.random_state).randint(2**31 - 1)
        return self.policy_.zone(score, random_state=int(seed))

    def predict(self, X: Any) -> Any:
        """Predict a class, or ``refer_label`` for samples that are referred, if there is one.

        Parameters
        ----------
        X : array-like or data frame, shape (n_samples, n_features)

        Returns
        -------
        ndarray, shape (n_samples,)
            Labels.
        """
        score = self._scores(X)
        if self.refer_label is None:
            return self._labels(score >= self.threshold_)
        zone = self._zone(score)
        labels = self._labels(zone == ZONES[2])
        third = np.array([self.refer_label])
        if (third.dtype.kind in "US") != (labels.dtype.kind in "US"):
            labels = labels.astype(object)
        return np.where(zone == ZONES[1], third, labels)
