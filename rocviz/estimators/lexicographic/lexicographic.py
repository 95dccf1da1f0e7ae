"""LexRank: an order of the attributes as a ranker.

It has scikit-learn's estimator interface over the core's orders and patterns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.frozen import DataFrame
from rocviz.core.base.validation import Floats
from rocviz.core.lexicographic.attribute_counts import check_smoothing
from rocviz.core.lexicographic.lexicographic import lex_order
from rocviz.core.lexicographic.patterns import Bytes, PatternScale, dense_rank, pack
from rocviz.core.lexicographic.tree import lexicographic_tree
from rocviz.core.roc.segments import RankedSegments
from rocviz.estimators.base.classifier import BinaryClassifier, drop_zero_weights
from rocviz.estimators.base.table import Table, column_names, read_columns
from rocviz.estimators.lexicographic.attributes import AttributeEncoder, nominal_columns


@dataclass(eq=False, repr=False, kw_only=True)
class LexRank(BinaryClassifier):
    """Rank by the most informative attribute; where it ties, by the next one, and so on.

    Of each attribute the value that is more frequent among positives is preferred, and the
    attributes are ordered by their odds ratios, the largest first. Of two samples, the one with the
    preferred value of the first attribute in which they differ ranks higher. No weights and no
    scores are learned.

    Columns may be of any kind. Numbers that are all 0 or 1 are taken as they are; other numbers
    are cut at one threshold, which leaves the least entropy of the classes. A nominal column
    with two categories is one attribute, one with more is an attribute per category. In a
    nominal column a missing value is a category of its own; numbers must not be missing.

    Parameters
    ----------
    smoothing : float, default=1.0
        Added to each count of a value in a class; 1 is Laplace's correction. With 0, infinite
        odds ratios come first, in the order of the columns.
    categorical_features : "from_dtype" or array-like of bool, int or str, default="from_dtype"
        Nominal columns, by mask, position or name. ``"from_dtype"`` takes strings, categories
        and objects that are not all numbers.
    pos_label : label, optional
        The class that the best rows are to have; by default the larger label.

    Attributes
    ----------
    classes_ : ndarray, shape (2,)
        Labels, sorted as everywhere in scikit-learn.
    pos_label_ : label
        The positive class.
    attributes_ : list of Attribute
        Meaning of each column of :meth:`binarize`: its ``feature`` (position of the
        column), ``name``, and what is said of ``zero`` and ``one``.
    order_ : LexicographicOrder
        Order of the attributes; :meth:`inspect` shows it with names.
    segments_ : RankedSegments
        The ranking of the training data.
    threshold_ : float
        ``predict`` calls positive what is above this place in the order.
    n_features_in_, feature_names_in_ : int, ndarray of str
        Columns seen in fit, and their names if they had any.

    See Also
    --------
    LexProb : The same ranking with probabilities.
    rocviz.lex_order : The order alone, for columns of 0 and 1.

    Notes
    -----
    For two attributes the ranking is that of naive Bayes with the same smoothing, except that
    naive Bayes ties two cells if the odds ratios are equal. For more attributes every LexRank
    ranking is one that some naive Bayes model gives, but not the other way round.

    A category that was not seen in fit has none of the known values, and of two values it has
    the one that is not preferred.

    ``decision_function`` is the place of a sample in the order, the same for a sample alone and
    within others. Up to 52 attributes it is the pattern of preferred values read as a binary
    number, less the threshold, and so exact for every pattern. Beyond that, training patterns
    are numbered; others lie between them, distinguished by as many of their next bits as a double
    holds (31 with a million training patterns). Two samples never have the wrong order, and a
    training pattern never ties with another pattern. :meth:`rank` is always exact.

    Columns with one value only are dropped: smoothing would give them odds ratios that depend on
    the class sizes only.

    References
    ----------
    Flach and Matsubara (2008), section 4 and Definition 2.

    Examples
    --------
    >>> from rocviz.datasets import load_flach_matsubara
    >>> X, y = load_flach_matsubara(return_X_y=True, as_frame=True)
    >>> model = LexRank().fit(X, y)
    >>> model.rank(X.drop_duplicates())
    array([2, 4, 1, 3])
    >>> print(model.tree_text())
    A2 = 0
    |   A1 = 1: 2 positive, 3 negative
    |   A1 = 0: 4 positive, 1 negative
    A2 = 1
    |   A1 = 1: 3 positive, 1 negative
    |   A1 = 0: 1 positive, 5 negative
    """

    smoothing: float = 1.0
    categorical_features: Literal["from_dtype"] | ArrayLike = "from_dtype"

    # ------------------------------------------------------------------ fitting

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Find the order of the attributes, and the cut with the best training accuracy.

        Parameters
        ----------
        X : array-like or data frame, shape (n_samples, n_features)
            Numbers or categories.
        y : array-like, shape (n_samples,)
            Labels of exactly two classes.
        sample_weight : array-like of float, shape (n_samples,), optional
            Not negative; counts as repetition.

        Returns
        -------
        LexRank
            Itself.

        Raises
        ------
        ValueError
            If numbers are missing or infinite, labels are not of two classes, or a parameter
            is invalid.
        """
        self._check_parameters()
        X = read_columns(self, X, reset=True)
        positive, weight, classes = self._read_target(X, y, sample_weight)
        X, positive, weight = drop_zero_weights(X, positive, weight)
        table = Table(X, column_names(self))
        encoder = AttributeEncoder(nominal_columns(self.categorical_features, table.names))
        bits = encoder.fit(table, positive, weight).transform(table)
        order = lex_order(bits, positive, smoothing=self.smoothing, sample_weight=weight)
        patterns = pack(bits, order.order, order.preferred)
        scale = PatternScale.of(len(order), patterns)
        segments = RankedSegments.from_scores(
            positive, scale.number(patterns), sample_weight=weight
        )
        # a category that is new has not the preferred value
        unknown = np.zeros(bits.shape[1], np.uint8)
        unknown[order.order] = 1 - order.preferred
        self._encoder, self._unknown, self._scale = encoder, unknown, scale
        self.attributes_ = encoder.attributes
        self._take_classes(classes)
        self.order_ = order
        self.segments_ = segments
        self._training = lexicographic_tree(bits, positive, order, sample_weight=weight)
        self._finish()
        return self

    def _check_parameters(self) -> None:
        check_smoothing(self.smoothing)

    def _finish(self) -> None:
        """Set the threshold: below the last segment that is better called positive."""
        self._set_threshold(self.segments_.optimal_point().threshold)

    def _set_threshold(self, lowest: float) -> None:
        half = self._scale.resolution / 2
        if lowest == np.inf:
            lowest = self._scale.ends[1] + 2 * half
        elif lowest == self.segments_.score[-1]:
            lowest = self._scale.ends[0]
        self.threshold_ = lowest - half

    # ------------------------------------------------------------------ predicting

    def binarize(self, X: Any) -> Any:
        """Convert the attributes into 0 and 1.

        Takes what :meth:`fit` takes as ``X``.

        Returns
        -------
        ndarray of uint8, shape (n_samples, n_attributes)
            Columns as in ``order_`` and :meth:`get_attribute_names`.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.
        """
        check_is_fitted(self)
        table = Table(read_columns(self, X, reset=False), column_names(self))
        return self._encoder.transform(table, self._unknown)

    def _patterns(self, X: Any) -> Bytes:
        bits = self.binarize(X)
        return pack(bits, self.order_.order, self.order_.preferred)

    def rank(self, X: Any) -> Any:
        """Rank the given samples densely and exactly.

        Takes what :meth:`binarize` takes.

        Returns
        -------
        ndarray of int, shape (n_samples,)
            1 is the most positive; equal where no attribute differs.
        """
        return dense_rank(self._patterns(X))

    def decision_function(self, X: Any) -> Floats:
        """Place samples in the order, 0 being at the best training cut.

        Takes what :meth:`binarize` takes.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            Above 0 where ``predict`` says ``classes_[1]``, never 0.
        """
        return self._signed(self._scores(X) - self.threshold_)

    def _scores(self, X: Any) -> Floats:
        patterns = self._patterns(X)
        return self._scale.number(patterns)

    # ------------------------------------------------------------------ looking

    def _learned(self) -> Any:
        table = self.inspect()
        heads = [column.replace("_", " ") for column in table.columns]
        return "Attributes, most important first", heads, table.itertuples(index=False)

    def get_attribute_names(self) -> list[str]:
        """Name what a 1 in each column of :meth:`binarize` means.

        Returns
        -------
        list of str
            Such as ``"colour = red"`` or ``"age > 41.5"``.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.
        """
        check_is_fitted(self)
        return [f"{a.name} {a.one}" for a in self.attributes_]

    def inspect(self) -> DataFrame:
        """Write the order in words, the most important attribute first.

        Returns
        -------
        pandas.DataFrame
            Columns ``attribute`` (name of the column it is made of), ``preferred`` (what it
            should be), ``likelihood_ratio``, ``odds_ratio``, and ``tpr`` and ``fpr``, the
            (smoothed) shares of positives and negatives that have it.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.

        Examples
        --------
        >>> from rocviz.datasets import load_flach_matsubara
        >>> X, y = load_flach_matsubara(return_X_y=True, as_frame=True)
        >>> LexRank(smoothing=0).fit(X, y).inspect()
          attribute preferred  likelihood_ratio  odds_ratio  tpr  fpr
        0        A2       = 0              1.50        2.25  0.6  0.4
        1        A1       = 1              1.25        1.50  0.5  0.4
        """
        check_is_fitted(self)
        ordered = [self.attributes_[j] for j in self.order_.order]
        frame = self.order_.to_frame()
        frame["attribute"] = [attribute.name for attribute in ordered]
        frame["preferred"] = [
            attribute.one if value else attribute.zero
            for attribute, value in zip(ordered, self.order_.preferred, strict=True)
        ]
        return frame

    def tree_text(self) -> str:
        """Build the ranking tree of the first five attributes, with the training counts.

        Returns
        -------
        str
            One line per node, preferred values first; leaves from top to bottom are the
            ranking.

        Raises
        ------
        sklearn.exceptions.NotFittedError
            If it has not been fitted.
        """
        check_is_fitted(self)
        names = [attribute.name for attribute in self.attributes_]
        values = [(attribute.zero, attribute.one) for attribute in self.attributes_]
        return self._training.to_text(names, values)
