"""FiDEL as a scikit-learn estimator: classifiers combined by the ranks they give."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit
from sklearn import get_config
from sklearn.base import clone
from sklearn.ensemble._base import _BaseHeterogeneousEnsemble
from sklearn.utils import Bunch, _safe_indexing
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing
from sklearn.utils.validation import _check_method_params, check_is_fitted, has_fit_parameter

from rocviz.core.base.naming import prefix_error_with
from rocviz.core.base.validation import (
    Floats,
    Seed,
    check_aligned,
    check_choice,
    check_fraction,
    check_weights,
    describe,
)
from rocviz.core.ensembles.fidel import warn_of_dependence
from rocviz.core.ensembles.rank_ensemble import (
    METHODS,
    RANK_CONTEXTS,
    EnsembleScores,
    RankEnsemble,
    check_calibration,
    check_shrinkage,
)
from rocviz.estimators.base.classifier import (
    ProbabilisticClassifier,
    as_random_state,
    check_same_rows,
    positive_column,
)
from rocviz.estimators.base.scores import (
    as_double,
    check_scores_gaps,
    positive_score,
    response_of,
    snap_to_context,
)
from rocviz.estimators.base.wrapping import copy_features

_STRATEGIES = ("disjoint", "shared")


@dataclass(eq=False, repr=False)
class FiDELClassifier(ProbabilisticClassifier, _BaseHeterogeneousEnsemble):
    """Combine classifiers by the ranks they give, each with a weight that follows from its AUC.

    Part of the data is set aside for validation, the classifiers are trained on the rest, each
    on its own share or all on the same. On the validation part the AUC of each classifier is
    measured, and the Fermi-Dirac distribution with that AUC says how much evidence one of its ranks
    is. The evidence of all adds up, which is right if they err independently given the class.

    Parameters
    ----------
    estimators : list of (str, classifier)
        Named classifiers with ``decision_function`` or ``predict_proba``; ``"drop"`` in place of
        one leaves it out. A ``FrozenEstimator`` is used as it is.
    strategy : {"disjoint", "shared"}, default="disjoint"
        ``"disjoint"``: the training samples are split, and every classifier learns from its own
        share, with the same mix of classes. Errors are less alike, but each has seen less.
        ``"shared"``: all learn from all training samples.
    rank_context : {"validation", "batch"}, default="validation"
        Whether new samples are ranked among the validation samples, each by itself, or among
        the samples that are predicted together, see :func:`rocviz.fidel_combine`.
    method : {"fidel", "woc", "correlation-aware"}, default="fidel"
        Way to combine ranks, see :func:`rocviz.fidel_combine`.
    shrinkage : float or "auto", default="auto"
        For "correlation-aware", see :func:`rocviz.fidel_combine`.
    calibration : {"sigmoid"} or None, default="sigmoid"
        Map from evidence to probabilities, see :func:`rocviz.fidel_combine`; ``None`` is the
        paper's way, whose probabilities are too near 0 and 1 where errors are alike.
    validation_size : float, default=0.25
        Share of either class set aside, rounded; at least one sample of each class.
    random_state : int, RandomState, Generator or None, default=0
        Source of the random splits of the samples. The classifiers keep their own random states.
    pos_label : label, optional
        The positive class; by default ``classes_[1]``.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        Labels.
    pos_label_ : label
        The positive class.
    estimators_ : list of classifier
        Fitted, without the dropped ones.
    named_estimators_ : Bunch
        The same under their names, and ``"drop"`` for the dropped ones.
    ensemble_ : RankEnsemble
        AUC, temperature and threshold rank of each classifier on the validation samples, and
        their correlation.
    validation_indices_ : ndarray of int
        Samples set aside.
    train_indices_ : list of ndarray of int
        Samples that each of ``estimators_`` was trained on.
    n_features_in_ : int
        If the classifiers have it.
    feature_names_in_ : ndarray of str
        If the classifiers have it.

    See Also
    --------
    rocviz.fidel_combine : The same for scores that are there already.
    sklearn.ensemble.VotingClassifier : Votes or averages probabilities instead.

    Notes
    -----
    Any increasing change of a classifier's scores leaves everything as it is, so classifiers
    need not be calibrated, nor agree on a scale. Validation samples only set weights and
    ranks; the classifiers are not trained on them afterwards.

    References
    ----------
    Kim et al. (2021), section on ensemble classification.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import RidgeClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = FiDELClassifier(
    ...     [
    ...         ("ridge", RidgeClassifier()),
    ...         ("bayes", GaussianNB()),
    ...         ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
    ...     ],
    ...     random_state=0,
    ... ).fit(X[::2], y[::2])
    >>> model.contributions(X[1::2]).shape
    (284, 3)
    >>> bool(model.score(X[1::2], y[1::2]) > 0.9)
    True
    """

    estimators: Sequence[tuple[str, Any]]
    _: KW_ONLY
    strategy: Literal["disjoint", "shared"] = "disjoint"
    rank_context: Literal["validation", "batch"] = "validation"
    method: Literal["fidel", "woc", "correlation-aware"] = "fidel"
    shrinkage: float | Literal["auto"] = "auto"
    calibration: Literal["sigmoid"] | None = "sigmoid"
    validation_size: float = 0.25
    random_state: Seed = 0

    # ------------------------------------------------------------------ fitting

    def fit(self, X: Any, y: ArrayLike, **fit_params: Any) -> Self:
        """Set samples aside, train the classifiers on the others, measure them.

        Parameters
        ----------
        X, y : array-like, shape (n_samples, n_features) and (n_samples,)
            Training data, whatever the classifiers take, and labels of exactly two classes.
        **fit_params : dict
            ``sample_weight`` goes to the classifiers that take it; samples of weight 0 are left
            out altogether. Validation samples count alike. With metadata routing enabled,
            whatever the classifiers have requested.

        Returns
        -------
        FiDELClassifier
            Itself.

        Raises
        ------
        ValueError
            If labels are not of two classes, too few of one class to go round, or a parameter
            is invalid.

        Warns
        -----
        DependentErrorsWarning
            If errors are alike and ``method`` is "fidel", which takes them for independent.
        """
        self._check_parameters()
        kept = self.kept_estimators()
        responses = [
            response_of(estimator, f"estimator {describe(name)}") for name, estimator in kept
        ]
        check_aligned(X=X, y=y, sample_weight=fit_params.get("sample_weight"))
        X, labels = check_same_rows(as_double(X), y)
        labels, classes = self._read_labels(labels)
        column = positive_column(classes, self.pos_label)
        routed = self._route(kept, fit_params)
        weight = check_weights(fit_params.get("sample_weight"), len(labels))
        known = np.arange(len(labels)) if weight is None else np.flatnonzero(weight)
        if np.unique(labels[known]).size < 2:
            raise ValueError("sample_weight leaves one class only; two are needed.")
        validation, parts = split_into_shares(
            X,
            labels,
            known,
            len(kept) if self.strategy == "disjoint" else 1,
            validation_size=self.validation_size,
            random_state=self.random_state,
        )
        if self.strategy == "shared":
            parts = parts * len(kept)
        fitted = []
        with prefix_error_with("X", "y"):
            for (_, estimator), params, part in zip(kept, routed, parts, strict=True):
                X_part = _safe_indexing(X, part)
                labels_part = _safe_indexing(labels, part)
                params_part = _check_method_params(X, params, part)
                fitted.append(clone(estimator).fit(X_part, labels_part, **params_part))
        if self.strategy == "disjoint":
            check_scores_gaps(X, fitted, responses)
        held_out = _safe_indexing(X, validation)
        scores = []
        for estimator, response in zip(fitted, responses, strict=True):
            scores.append(positive_score(estimator, held_out, response, column))
        kept_names = [name for name, _ in kept]
        self._responses = responses
        self._take_classes(classes)
        self.estimators_ = fitted
        self.named_estimators_ = Bunch(**dict(self.estimators))  # "drop" for the dropped ones
        self.named_estimators_.update(zip(kept_names, fitted, strict=True))
        self.ensemble_ = RankEnsemble.from_scores(
            labels[validation] == classes[column],
            np.column_stack(scores),
            names=kept_names,
        )
        if self.method == "fidel":
            warn_of_dependence(self.ensemble_, self.calibration)
        self.validation_indices_ = validation
        self.train_indices_ = parts
        copy_features(self, fitted[0])
        return self

    def kept_estimators(self) -> list[tuple[str, Any]]:
        """List the named classifiers without the dropped ones.

        Returns
        -------
        list of (str, classifier)

        Raises
        ------
        ValueError
            If there is none, one is no classifier, or two have the same name.
        """
        try:
            if any(hasattr(pair[-1], "__array__") for pair in self.estimators):
                raise TypeError  # what cannot be compared with "drop"
            names, estimators = self._validate_estimators()
        except (AttributeError, IndexError, TypeError):  # not all are pairs
            raise ValueError(
                f"estimators must be pairs of a name and a classifier; got "
                f"{describe(self.estimators)}."
            ) from None
        pairs = zip(names, estimators, strict=True)
        return [(name, estimator) for name, estimator in pairs if not _is_dropped(estimator)]

    def _learned(self) -> Any:
        ensemble = self.ensemble_
        n_samples = ensemble.n_pos + ensemble.n_neg
        caption = f"On {n_samples:g} validation samples, {ensemble.n_pos:g} of them positive"
        columns = ("classifier", "AUC", "evidence of one rank", "neutral rank")
        rows = zip(
            ensemble.names, ensemble.auc, ensemble.beta, ensemble.threshold_rank, strict=True
        )
        return caption, columns, rows

    def _check_parameters(self) -> None:
        check_choice(self.strategy, "strategy", _STRATEGIES)
        check_choice(self.rank_context, "rank_context", RANK_CONTEXTS)
        check_choice(self.method, "method", METHODS)
        check_shrinkage(self.shrinkage)
        check_calibration(self.calibration)
        check_fraction(self.validation_size, "validation_size")

    def _route(self, kept: list[Any], fit_params: dict[str, Any]) -> list[dict[str, Any]]:
        """Collect the parameters for each classifier's ``fit``."""
        if get_config()["enable_metadata_routing"]:
            routed = process_routing(self, "fit", **fit_params)
            return [dict(routed[name].fit) for name, _ in kept]
        others = sorted(set(fit_params) - {"sample_weight"})
        if others:
            raise ValueError(
                f"{', '.join(others)} can be given with metadata routing only: "
                "sklearn.set_config(enable_metadata_routing=True)."
            )
        weight = fit_params.get("sample_weight")
        if weight is None:
            return [{} for _ in kept]
        params: list[dict[str, Any]] = []
        without = []
        for name, estimator in kept:
            if has_fit_parameter(estimator, "sample_weight"):
                params.append({"sample_weight": weight})
            else:
                params.append({})
                without.append(name)
        if without:
            warnings.warn(
                f"{', '.join(without)}: sample_weight is not accepted; trained without weights.",
                stacklevel=3,
            )
        return params

    # ------------------------------------------------------------------ predicting

    def ensemble_scores(self, X: Any) -> EnsembleScores:
        """Compute ranks, evidence and probabilities of samples.

        Takes what :meth:`fit` takes as ``X``.

        Returns
        -------
        EnsembleScores
            Ranks, contributions, log-likelihood ratio and probability.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.
        """
        check_is_fitted(self)
        X = as_double(X)
        contexts = self.ensemble_.sorted_scores.T
        scores = []
        for estimator, response, context in zip(
            self.estimators_, self._responses, contexts, strict=True
        ):
            score = positive_score(estimator, X, response, self._column)
            scores.append(snap_to_context(score, context))
        return self.ensemble_.combine(
            np.column_stack(scores),
            method=self.method,
            rank_context=self.rank_context,
            shrinkage=self.shrinkage,
            calibration=self.calibration,
        )

    def contributions(self, X: Any) -> Floats:
        """Compute the evidence for the positive class that each classifier contributes.

        Takes what :meth:`ensemble_scores` takes.

        Returns
        -------
        ndarray of float, shape (n_samples, n_estimators)
            Their sum is the log-likelihood ratio.
        """
        return self.ensemble_scores(X).contributions

    def decision_function(self, X: Any) -> Floats:
        """Compute the log odds of ``classes_[1]``.

        Takes what :meth:`ensemble_scores` takes.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            Those of the positive class, turned if that is ``classes_[0]``: the sum of the
            contributions, calibrated.
        """
        return self._signed(self._odds(X))

    def _odds(self, X: Any) -> Floats:
        """Compute the log odds of the positive class."""
        scores = self.ensemble_scores(X)
        odds = scores.slope * scores.log_likelihood_ratio + scores.intercept
        # below this the probability is one half in floating point
        return np.where(np.abs(odds) < 2.0**-50, 0.0, odds)

    def _probabilities(self, X: Any) -> Floats:
        odds = self._odds(X)
        return self._columns_of(expit(-odds), expit(odds))

    # ------------------------------------------------------------------ for scikit-learn

    def get_metadata_routing(self) -> MetadataRouter:
        """Route metadata: to each classifier's ``fit``, and to its own ``score``."""
        # a pipeline asks whether weights go to ``score`` even where none are given
        router = MetadataRouter(owner=self).add_self_request(self)
        mapping = MethodMapping().add(caller="fit", callee="fit")
        for name, estimator in self.estimators:
            if not _is_dropped(estimator):
                router.add(**{name: estimator}, method_mapping=mapping)
        return router


def _is_dropped(estimator: Any) -> bool:
    return isinstance(estimator, str) and estimator == "drop"


def split_into_shares(
    X: Any, y: Any, known: Any, n_shares: int, *, validation_size: float, random_state: Any
) -> tuple[Any, list[Any]]:
    """Set samples aside and split the others into shares, classes mixed alike.

    At least one sample of each class is set aside, and goes to each share; ``known`` are the
    samples to split. All come back in the order of the data. It raises ``ValueError`` if a class
    has too few; the message names the shape of ``X``.
    """
    rng = as_random_state(random_state)
    validation = []
    shares: list[list[Any]] = [[] for _ in range(n_shares)]
    for label in np.unique(y):
        is_member = y[known] == label
        members = rng.permutation(known[is_member])
        if members.size < n_shares + 1:
            shape: tuple[int, ...] = getattr(X, "shape", ())
            columns = f", n_features={shape[1]}" if len(shape) == 2 else ""
            share_text = "share" if n_shares == 1 else "shares"
            raise ValueError(
                f"The data (n_samples={len(known)}{columns}) hold {members.size} of class "
                f"{describe(np.asarray(label).item())}; validation and training on {n_shares} "
                f"separate {share_text} take {n_shares + 1} of each class."
            )
        n_validation = min(max(round(validation_size * members.size), 1), members.size - n_shares)
        validation.append(members[:n_validation])
        training = members[n_validation:]
        for k, share in enumerate(shares):
            share.append(training[k::n_shares])
    # in the order of the data, so that the order of the draw leaves no trace in the fits
    sorted_shares = [np.sort(np.concatenate(share)) for share in shares]
    return np.sort(np.concatenate(validation)), sorted_shares
