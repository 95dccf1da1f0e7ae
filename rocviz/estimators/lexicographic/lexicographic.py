"""LexRank: an order of the attributes as a ranker.

It has scikit-learn's estimator interface over the core's orders and patterns. Columns of every kind
become columns of 0 and 1: binary ones as they are, nominal ones one-hot, numbers by one threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.preprocessing import OrdinalEncoder
from sklearn.utils.validation import check_is_fitted

from rocviz.core.base.frozen import DataFrame
from rocviz.core.base.naming import threshold_text
from rocviz.core.base.validation import Bools, Floats, as_array, describe
from rocviz.core.calibration.binarize import entropy_thresholds
from rocviz.core.lexicographic.attribute_counts import check_smoothing
from rocviz.core.lexicographic.lexicographic import Attribute, lex_order
from rocviz.core.lexicographic.patterns import Bits, Bytes, PatternScale, dense_rank, pack
from rocviz.core.lexicographic.tree import lexicographic_tree
from rocviz.core.roc.segments import RankedSegments
from rocviz.estimators.base.classifier import BinaryClassifier, drop_zero_weights
from rocviz.estimators.base.table import Table, column_names, read_columns

# Codes of categories that are new, and of no value at all.
_UNKNOWN_CODE = -1
_MISSING_CODE = -2


@dataclass(eq=False, repr=False, kw_only=True)
class LexRank(BinaryClassifier):
    """Rank by the most informative attribute; where it ties, by the next one, and so on.

    Of each attribute the value that is more frequent among positives is preferred, and the
    attributes are ordered by their odds ratios, the largest first. Of two samples, the one with the
    preferred value of the first attribute in which they differ ranks higher. No weights and no
    scores are learned.

    Columns may be of any kind. Numbers that are all 0 or 1 are taken as they are; other numbers
    are divided at one threshold, which leaves the least entropy of the classes. A nominal column
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
        Meaning of each column of :meth:`binarize`: the ``feature`` (position of the
        column) it is made of, its ``name``, and the meanings of 0 and 1 in words, ``zero_text``
        and ``one_text``.
    order_ : LexicographicOrder
        Order of the attributes; :meth:`inspect` shows it with names.
    segments_ : RankedSegments
        The ranking of the training data.
    threshold_ : float
        ``predict`` predicts positive above this place in the order.
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
        """Find the order of the attributes, and the threshold with the best training accuracy.

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
        encoder = _AttributeEncoder(_nominal_mask(self.categorical_features, table.names))
        bits = encoder.fit(table, positive, weight).transform(table)
        order = lex_order(bits, positive, smoothing=self.smoothing, sample_weight=weight)
        patterns = pack(bits, order.order, order.preferred)
        scale = PatternScale.of(len(order), patterns)
        segments = RankedSegments.from_scores(
            positive, scale.number(patterns), sample_weight=weight
        )
        # a category that is new has not the preferred value
        unknown_bits = np.zeros(bits.shape[1], np.uint8)
        unknown_bits[order.order] = 1 - order.preferred
        self._encoder = encoder
        self._unknown_bits = unknown_bits
        self._scale = scale
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
        """Set the threshold: below the last segment that is better predicted positive."""
        self._set_threshold(self.segments_.optimal_point().threshold)

    def _set_threshold(self, lowest_positive: float) -> None:
        """Set the threshold below the lowest place in the order that is predicted positive."""
        half = self._scale.resolution / 2
        if lowest_positive == np.inf:
            lowest_positive = self._scale.ends[1] + 2 * half
        elif lowest_positive == self.segments_.score[-1]:
            lowest_positive = self._scale.ends[0]
        self.threshold_ = lowest_positive - half

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
        return self._encoder.transform(table, self._unknown_bits)

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
        """Place samples in the order, 0 being the threshold that is best in training.

        Takes what :meth:`binarize` takes.

        Returns
        -------
        ndarray of float, shape (n_samples,)
            Above 0 where ``predict`` returns ``classes_[1]``, never 0.
        """
        return self._signed(self._scores(X) - self.threshold_)

    def _scores(self, X: Any) -> Floats:
        patterns = self._patterns(X)
        return self._scale.number(patterns)

    # ------------------------------------------------------------------ what was learned

    def _learned(self) -> Any:
        table = self.inspect()
        names = [column.replace("_", " ") for column in table.columns]
        return "Attributes, most important first", names, table.itertuples(index=False)

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
        return [f"{attribute.name} {attribute.one_text}" for attribute in self.attributes_]

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
        names = []
        preferred = []
        for j, value in zip(self.order_.order, self.order_.preferred, strict=True):
            attribute = self.attributes_[j]
            names.append(attribute.name)
            preferred.append(attribute.one_text if value else attribute.zero_text)
        frame = self.order_.to_frame()
        frame["attribute"] = names
        frame["preferred"] = preferred
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
        values = [(attribute.zero_text, attribute.one_text) for attribute in self.attributes_]
        return self._training.to_text(names, values)


# ---------------------------------------------------------------------- columns as 0 and 1


class _AttributeEncoder:
    """Learn from a table how each column becomes columns of 0 and 1, and convert tables.

    Columns of words are nominal if ``is_nominal`` is ``None``.
    """

    def __init__(self, is_nominal: Bools | None = None) -> None:
        self.is_nominal = is_nominal

    def fit(self, table: Table, y: Bools, weight: Floats | None) -> _AttributeEncoder:
        """Choose thresholds and collect categories."""
        is_nominal: Any = self.is_nominal
        if is_nominal is None:
            is_nominal = [table.is_nominal(j) for j in range(len(table.names))]
        self.nominal_columns = [j for j, nominal in enumerate(is_nominal) if nominal]
        self.number_columns = [j for j, nominal in enumerate(is_nominal) if not nominal]
        self.attributes: list[Attribute] = []
        self._fit_numbers(table, y, weight)
        self._fit_categories(table)
        return self

    def _fit_numbers(self, table: Table, y: Bools, weight: Floats | None) -> None:
        """Choose the threshold of each column of numbers."""
        all_binary = (
            table.array is not None and not self.nominal_columns and _is_binary(table.array)
        )
        self.thresholds = np.full(len(self.number_columns), 0.5)
        for i, j in enumerate(self.number_columns):
            is_binary = all_binary
            if not all_binary:
                values = table.numbers(j)
                # a constant column is no binary attribute
                is_binary = bool(values.min() == 0 and values.max() == 1 and _is_binary(values))
                if not is_binary:
                    self.thresholds[i] = entropy_thresholds(values, y, sample_weight=weight)[0]
            if is_binary:
                zero_text = "= 0"
                one_text = "= 1"
            else:
                number = threshold_text(self.thresholds[i])
                zero_text = f"≤ {number}"
                one_text = f"> {number}"
            self.attributes.append(Attribute(j, table.names[j], zero_text, one_text))

    def _fit_categories(self, table: Table) -> None:
        """Collect the categories of each nominal column, and those that get an attribute."""
        self.codes: list[list[int]] = []
        if not self.nominal_columns:
            return
        self.encoder = OrdinalEncoder(
            handle_unknown="use_encoded_value",
            unknown_value=_UNKNOWN_CODE,
            encoded_missing_value=_MISSING_CODE,
        ).fit(table.words(self.nominal_columns))
        for j, categories in zip(self.nominal_columns, self.encoder.categories_, strict=True):
            # NaN, which stands for all that is missing, is not equal to itself
            known = [str(category) for category in categories if category == category]
            codes = list(range(len(known)))
            if len(known) < len(categories):
                known.append("missing")
                codes.append(_MISSING_CODE)
            name = table.names[j]
            if len(known) == 2:
                # one attribute is enough; a second would be its mirror image
                self.codes.append(codes[1:])
                self.attributes.append(Attribute(j, name, f"= {known[0]}", f"= {known[1]}"))
                continue
            self.codes.append(codes)
            for word in known:
                self.attributes.append(Attribute(j, name, f"≠ {word}", f"= {word}"))

    def transform(self, table: Table, unknown_bits: Bits | None = None) -> Bits:
        """Convert samples into 0 and 1, shape (n_samples, n_attributes).

        ``unknown_bits``, of shape (n_attributes,), is the value of a column with two categories for
        one that is neither, by default 0. More categories have an attribute each, and these then
        are all 0.
        """
        bits = np.empty((table.n_samples, len(self.attributes)), dtype=np.uint8)
        array = table.array
        if array is not None and array.dtype.kind in "biuf" and not self.nominal_columns:
            np.greater(array, self.thresholds, out=bits.view(np.bool_))
            return bits
        for i, j in enumerate(self.number_columns):
            bits[:, i] = table.numbers(j) > self.thresholds[i]
        if not self.nominal_columns:
            return bits
        table_codes = self.encoder.transform(table.words(self.nominal_columns))
        attribute = len(self.number_columns)
        for column, codes in zip(table_codes.T, self.codes, strict=True):
            for code in codes:
                bits[:, attribute] = column == code
                if len(codes) == 1 and unknown_bits is not None:
                    bits[column == _UNKNOWN_CODE, attribute] = unknown_bits[attribute]
                attribute += 1
        return bits


def _is_binary(values: Any) -> bool:
    """Check whether all values are 0 or 1."""
    if values.dtype.kind == "b":
        return True
    if values.dtype.kind not in "iuf":
        return False
    if values.dtype.kind == "f":
        return bool(((values == 0) | (values == 1)).all())
    return bool(values.min() >= 0 and values.max() <= 1)


def _nominal_mask(categorical_features: Any, names: list[str]) -> Bools | None:
    """Mark the nominal columns, which are given by a mask, by positions or by names.

    It is ``None`` for ``"from_dtype"``: to be decided by type.
    """
    if isinstance(categorical_features, str) and categorical_features == "from_dtype":
        return None
    expected = "'from_dtype', or a mask, positions or names"
    mask = np.zeros(len(names), dtype=np.bool_)
    if not isinstance(categorical_features, str):
        columns = as_array(categorical_features, "categorical_features", expected)
        if columns.dtype.kind == "b" and columns.shape == mask.shape:
            return columns
        if columns.ndim == 1 and not columns.size:
            return mask
        is_position = columns.ndim == 1 and columns.dtype.kind in "iu"
        if is_position and columns.min() >= 0 and columns.max() < len(names):
            mask[columns] = True
            return mask
        is_name = columns.ndim == 1 and columns.dtype.kind in "UO"
        if is_name and set(columns.tolist()) <= set(names):
            mask[[names.index(name) for name in columns.tolist()]] = True
            return mask
    raise ValueError(
        f"categorical_features must be {expected} of the {len(names)} columns; "
        f"got {describe(categorical_features)}."
    )
