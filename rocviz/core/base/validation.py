"""One check for each kind of input.

Each function returns a clean value, or raises a ``ValueError`` that names the argument, what came
and what is wanted. Text is never taken for a number, nor an array for a word. Nothing is changed
in place.

The contract for numbers stands here, and the rest of the core relies on it:

- positive weights, counts and costs lie within a factor of ``MAX_WEIGHT_RATIO`` (1e12) of each
  other, and between 1e-50 and 1e50 (:func:`check_spread`);
- a prevalence or another share that divides something lies in [1e-9, 1 - 1e-9]
  (:func:`check_share`; exact ends only where the argument says so);
- scores are finite, and whole numbers above 2**53, which doubles cannot distinguish, are refused.

Inside these bounds results are right to a relative 1e-9, and code is written as the formula reads.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from numbers import Integral, Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Weights: TypeAlias = ArrayLike | None
Seed: TypeAlias = int | np.random.RandomState | np.random.Generator | None

#: Positive weights, counts and costs lie within this factor of each other.
MAX_WEIGHT_RATIO = 1e12
#: A share that is not exactly 0 or 1 is at least this far from both.
MIN_SHARE = 1e-9
#: Positive weights, counts and costs are at most this, and at least one over this.
MAX_WEIGHT = 1e50
#: Up to here doubles hold every whole number.
MAX_EXACT_INTEGER = 2**53
_MIN_WEIGHT = 1e-50
# Numbers of clusters that span at most this many times the samples are counted, not sorted.
_MAX_CLUSTER_SPAN = 4
# Numbers of more bytes than pandas has hash tables for are sorted.
_MAX_FACTORIZED_BYTES = 8
_MAX_INTEGER = 2**63 - 1


def check_numbers(values: ArrayLike, name: str, what: str = "numbers") -> Floats:
    """Convert numbers of any shape to a float array, which may hold NaN and infinity.

    A float array is returned as it is, not copied. Text, complex numbers, masked values, ragged
    lists and whole numbers above 2**53 are refused.
    """
    if type(values) is np.ndarray and values.dtype == np.float64:
        return values  # fast path of the usual case
    array = as_array(values, name, what)
    if _has_large_integers(array, values):
        raise ValueError(
            f"{name} holds whole numbers above 2**53, which floats cannot distinguish; subtract a "
            "constant from all of them first, while they are integers."
        )
    try:
        if array.dtype.kind == "O":
            array = _from_objects(array)
        if array.dtype.kind not in "biuf":
            raise TypeError
    except (OverflowError, TypeError, ValueError) as error:
        raise ValueError(f"{name} must be {what}; got {describe(values)}.") from error
    with np.errstate(over="ignore"):
        return array.astype(np.float64, copy=False)


def as_array(values: ArrayLike, name: str, what: str) -> NDArray[Any]:
    """Convert to an array of any type, without masked values and with rows of one length."""
    values = collected(values)
    if np.ma.is_masked(values) or _has_masked_values(values):
        raise ValueError(f"{name} has masked values; leave those samples out, or fill them in.")
    try:
        array = np.asarray(values)
        if array.dtype.kind in "US" and isinstance(values, list | tuple):
            as_objects = np.array(values, dtype=object)
            if not all(isinstance(value, str | bytes) for value in as_objects.flat):
                return as_objects  # NumPy would make "nan" and "1" of a missing value and a number
    except ValueError as error:
        raise ValueError(
            f"{name} must be {what}, with rows of equal length; got {describe(values)}."
        ) from error
    return array


def collected(values: Any) -> Any:
    """Compute a lazy frame of polars; other values are returned unchanged."""
    if hasattr(values, "collect") and hasattr(values, "collect_schema"):
        return values.collect()
    return values


def _has_masked_values(values: Any, depth: int = 2) -> bool:
    """Whether a list, or a list of lists, contains ``numpy.ma.masked``."""
    if depth == 0 or not isinstance(values, list | tuple):
        return False
    return any(value is np.ma.masked or _has_masked_values(value, depth - 1) for value in values)


def _has_large_integers(array: NDArray[Any], values: ArrayLike) -> bool:
    """Whether there are whole numbers above 2**53, also among floats in a list."""
    if array.dtype.kind in "iu" and array.size:
        return max(int(array.max()), -int(array.min())) > MAX_EXACT_INTEGER
    if array.dtype.kind == "f" and isinstance(values, list | tuple):
        if not (np.abs(array.astype(np.float64)) >= MAX_EXACT_INTEGER).any():
            return False
        array = np.array(values, dtype=object)
    return array.dtype.kind == "O" and any(map(_is_large_integer, array.flat))


def _is_large_integer(value: object) -> bool:
    return isinstance(value, Integral) and abs(int(value)) > MAX_EXACT_INTEGER


def _from_objects(array: NDArray[Any]) -> Floats:
    """Convert an array of Python objects that are numbers."""
    if any(isinstance(value, str | bytes | complex) for value in array.flat):
        raise TypeError
    return array.astype(np.float64)


def check_vector(values: ArrayLike, name: str) -> Floats:
    """Check for finite numbers in one dimension; a float array is returned as it is."""
    array = _column(check_numbers(values, name), name, "number")
    if not np.isfinite(array).all():
        bad = int((~np.isfinite(array)).sum())
        raise ValueError(f"{name} must be finite; {bad} of {array.size} values are NaN or inf.")
    return array


def label_column(y_true: ArrayLike, name: str) -> NDArray[Any]:
    """Check for labels of any type in one dimension; a matrix of one column passes too."""
    return _column(as_array(y_true, name, "one-dimensional, one label per sample"), name, "label")


def _column(array: NDArray[Any], name: str, what: str) -> NDArray[Any]:
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        hint = ""
        if what == "number" and array.ndim == 2 and array.shape[1] == 2:
            hint = f"; of the probabilities of two classes take the second column, {name}[:, 1]"
        raise ValueError(
            f"{name} must be one-dimensional, one {what} per sample; got shape {array.shape}{hint}."
        )
    return array


def check_labels(y_true: ArrayLike, pos_label: Any = None, name: str = "y_true") -> Bools:
    """Mark the positive samples.

    Without ``pos_label`` labels must be 0 and 1, -1 and 1, or booleans, as for scikit-learn's
    ``roc_curve``: nothing in other labels says which of them is positive.
    """
    return check_labels_of_classes(y_true, pos_label, name)[0]


def check_labels_of_classes(
    y_true: ArrayLike, pos_label: Any = None, name: str = "y_true"
) -> tuple[Bools, Any, Any]:
    """Mark the positive samples, and get the labels of the negative and of the positive class.

    ``pos_label`` is as for :func:`check_labels`.
    """
    labels = label_column(y_true, name)
    if labels.size == 0:
        raise ValueError(f"{name} is empty; samples of two classes are needed.")
    classes = distinct_labels(labels, name)
    if len(classes) != 2:
        raise ValueError(
            f"{name} must hold exactly two classes; found {len(classes)}: {list_labels(classes)}."
        )
    low, high = classes
    positive = positive_label(low, high, pos_label, name)
    negative = low if positive is high else high
    return np.asarray(labels == positive, dtype=np.bool_), negative, positive


def labels_of_classes(
    y_true: ArrayLike, pos_label: Any = None, name: str = "y_true"
) -> tuple[Any, Any]:
    """Get the labels of the negative and of the positive class.

    ``pos_label`` is as for :func:`check_labels`.
    """
    return check_labels_of_classes(y_true, pos_label, name)[1:]


def positive_label(low: Any, high: Any, pos_label: Any, name: str) -> Any:
    """Choose the positive label of two sorted ones.

    ``None`` is enough where labels are 0 and 1, -1 and 1, or booleans.
    """
    if pos_label is None:
        if (low, high) in ((0, 1), (-1, 1)):
            return high
        raise ValueError(
            f"{name} holds the labels {describe(low)} and {describe(high)}, and nothing says "
            f"which is positive; write pos_label={describe(high)} or pos_label={describe(low)}."
        )
    for label in (low, high):
        if isinstance(label, str):
            check_text(label, f"a label in {name}")
    for label in (low, high):
        if is_same(pos_label, label):
            return label
    raise ValueError(
        f"pos_label={describe(pos_label)} is not one of the labels {describe(low)} and "
        f"{describe(high)} of {name}."
    )


def is_same(label: Any, other: Any) -> bool:
    """Whether two labels are equal; labels that cannot be compared count as different."""
    try:
        return np.size(label) == 1 and bool(np.all(other == label))
    except (TypeError, ValueError):
        return False


def distinct_labels(labels: NDArray[Any], name: str) -> list[Any]:
    """List the distinct labels in sorted order; none may be missing."""
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        bad = int((~np.isfinite(labels)).sum())
        raise ValueError(f"{name} must not hold NaN or inf; {bad} values do.")
    if labels.dtype.kind in "biuf" and labels.size:  # fast path for at most two labels
        low = labels.min()
        high = labels.max()
        if ((labels == low) | (labels == high)).all():
            return sorted({low.item(), high.item()})
    distinct = set(labels.tolist())
    refuse_missing(distinct, name)
    for label in distinct:
        if isinstance(label, str):
            check_text(label, f"a label in {name}")
    try:
        return sorted(distinct)
    except TypeError as error:
        raise ValueError(f"{name} mixes labels of types that cannot be compared.") from error


def in_category_order(labels: list[Any], values: Any) -> list[Any]:
    """Put distinct labels in the order of their categories, where these have one.

    Ordered are categorical columns of pandas that say so, and those of polars' ``Enum``; labels of
    others stay as they are.
    """
    kind = getattr(values, "dtype", None)
    is_ordered = bool(getattr(kind, "ordered", False)) or type(kind).__name__ == "Enum"
    categories = list(getattr(kind, "categories", ())) if is_ordered else []
    if not all(label in categories for label in labels):
        return labels
    return [category for category in categories if category in labels]


def refuse_missing(labels: Iterable[Any], name: str) -> None:
    """Raise if a label is missing."""
    if any(map(_is_missing, labels)):
        raise ValueError(f"{name} must not hold missing labels (None or NaN).")


def _is_missing(label: Any) -> bool:
    """Whether a label is None, NaN, or pandas' NA, whose comparisons have no truth value."""
    try:
        return label is None or bool(label != label)
    except TypeError:
        return True


def list_labels(labels: Iterable[Any], max_labels: int = 5) -> str:
    """Write the first ``max_labels`` labels in a message."""
    texts = []
    for label in islice(labels, max_labels + 1):
        texts.append(describe(label.item() if isinstance(label, np.generic) else label))
    if len(texts) > max_labels:
        texts[-1] = "..."
    return ", ".join(texts)


def check_weights(sample_weight: Weights, n_samples: int) -> Floats | None:
    """Check weights: not negative, not all zero, not too far apart; ``None`` passes."""
    if sample_weight is None:
        return None
    weight = check_piece_weights(sample_weight, n_samples)
    if not weight.any():
        raise ValueError("sample_weight is zero for every sample; some must be positive.")
    return weight


def check_piece_weights(sample_weight: ArrayLike, n_samples: int) -> Floats:
    """Check the weights of a piece of the data, all of which may be zero."""
    weight = check_vector(sample_weight, "sample_weight")
    check_same_length(n_samples, sample_weight=weight)
    if (weight < 0).any():
        raise ValueError(f"sample_weight must not be negative; the smallest is {weight.min():.6g}.")
    check_spread("sample_weight", weight)
    return weight


def check_samples(
    y_true: ArrayLike,
    sample_weight: Weights = None,
    pos_label: Any = None,
    name: str = "y_true",
    **arrays: NDArray[Any],
) -> tuple[Bools, Floats | None]:
    """Mark the positive samples and check their weights.

    Labels, weights and ``pos_label`` are as for :func:`check_labels` and :func:`check_weights`;
    ``name`` is the caller's argument of the labels. ``arrays``, which are checked already, must
    have one entry per sample.
    """
    positive = check_labels(y_true, pos_label, name)
    check_same_length(positive.size, **arrays)
    return positive, check_weights(sample_weight, positive.size)


def check_clusters(
    clusters: ArrayLike | None, n_samples: int, name: str = "clusters"
) -> NDArray[np.intp] | None:
    """Check which samples belong together and number their clusters; ``None`` stays ``None``.

    A missing name is refused: samples without one would be one cluster, and their number hidden.
    """
    if clusters is None:
        return None
    if _is_extension_column(clusters):
        return _number_column(clusters, n_samples, name)
    column = _column(
        as_array(clusters, name, "one-dimensional, one cluster per sample"), name, "cluster"
    )
    numbers = _number_integers(column)
    if numbers is None and column.dtype.kind in "OUS":
        return _number_names(column, n_samples, name)
    check_same_length(n_samples, **{name: column})
    if numbers is not None:
        return numbers
    _refuse_missing_clusters(column != column, name)
    if column.dtype.kind in "iuf" and column.dtype.itemsize <= _MAX_FACTORIZED_BYTES:
        code, distinct = factorize(column)
        return _renumbered(code, np.argsort(distinct))
    return np.unique(column, return_inverse=True)[1]


def _is_extension_column(values: Any) -> bool:
    """Whether these are a column or an index of pandas of a type that NumPy does not have."""
    return hasattr(values, "factorize") and not isinstance(values.dtype, np.dtype)


def _refuse_missing_clusters(is_missing: Bools, name: str) -> None:
    """Raise if samples have no cluster."""
    n_missing = int(np.count_nonzero(is_missing))
    if n_missing:
        raise ValueError(
            f"{name} must name the cluster of every sample; {n_missing} of {is_missing.size} are "
            "missing. Give each of these samples a cluster of its own, or leave them out."
        )


def _number_column(column: Any, n_samples: int, argument: str) -> NDArray[np.intp]:
    """Map names, or the categories that occur, to the numbers of their order."""
    if not hasattr(column.dtype, "categories"):
        return _number_names(column, n_samples, argument)
    code = np.asarray(getattr(column, "cat", column).codes, dtype=np.intp)
    check_same_length(n_samples, **{argument: code})
    is_blank = np.append([_is_blank(name) for name in column.dtype.categories.tolist()], True)
    _refuse_missing_clusters(is_blank[code], argument)
    is_used = np.zeros(is_blank.size, dtype=np.bool_)
    is_used[code] = True
    return np.asarray((np.cumsum(is_used) - 1)[code])


def _is_blank(name: object) -> bool:
    """Whether a name is text without letters."""
    return isinstance(name, str | bytes) and not name.strip()


def _number_names(names: Any, n_samples: int, argument: str) -> NDArray[np.intp]:
    """Map names to the numbers of their order; only distinct ones are sorted.

    Blank names count as missing.
    """
    try:
        code, distinct = _factorize_names(names)
    except TypeError:
        raise ValueError(f"{argument} must hold names; got {describe(names)}.") from None
    check_same_length(n_samples, **{argument: code})
    is_blank = np.append([_is_blank(name) for name in distinct], True)
    _refuse_missing_clusters(is_blank[code], argument)
    try:
        return _in_order(code, distinct)
    except TypeError:
        raise ValueError(f"{argument} must be of one type.") from None


def _in_order(code: NDArray[np.intp], distinct: list[Any]) -> NDArray[np.intp]:
    """Replace numbers by occurrence by those in the order of the distinct values."""
    return _renumbered(code, sorted(range(len(distinct)), key=distinct.__getitem__))


def _renumbered(code: NDArray[np.intp], order: NDArray[np.intp] | list[int]) -> NDArray[np.intp]:
    """Replace numbers by the places that they have in an order of them."""
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(place.size)
    return np.asarray(place[code])


def factorize(values: Any) -> tuple[NDArray[np.intp], Any]:
    """Find the distinct values as they occur, with the number of each; missing ones get -1.

    The hash table of pandas is five times as fast as a dict, and twice as fast as sorting numbers.
    """
    import pandas as pd

    code, distinct = pd.factorize(values)
    return code, distinct


def _factorize_names(names: Any) -> tuple[NDArray[np.intp], list[Any]]:
    """List the distinct names as they occur, with the number of each; missing ones get -1."""
    code, distinct = factorize(names)
    # iterating over a column of pandas makes its objects one by one, ten times as slowly
    return code, np.asarray(distinct, dtype=object).tolist()


def _number_integers(column: NDArray[Any]) -> NDArray[np.intp] | None:
    """Count through whole numbers in their order, unsorted; ``None`` if they are too far apart."""
    if column.dtype.kind not in "iu" or not column.size:
        return None
    low = int(column.min())
    span = int(column.max()) - low + 1
    if span > _MAX_CLUSTER_SPAN * column.size:
        return None
    if column.dtype.kind == "i":
        column = column.astype(np.int64)
    offset = (column - column.dtype.type(low)).astype(np.intp)
    is_used = np.zeros(span, dtype=np.bool_)
    is_used[offset] = True
    return np.asarray((np.cumsum(is_used) - 1)[offset])


def number_labels(labels: ArrayLike, n_samples: int, name: str) -> NDArray[np.intp]:
    """Check a label per sample, such as its cluster or fold, and number them in their order."""
    column = label_column(labels, name)
    check_same_length(n_samples, **{name: column})
    if column.dtype.kind in "fcmM" and (column != column).any():  # NaN and NaT
        raise ValueError(f"{name} must not hold missing labels; {(column != column).sum()} do.")
    if column.dtype.kind not in "OUS":
        return np.unique(column, return_inverse=True)[1]
    try:
        code, distinct = _factorize_names(column)
        is_blank = np.append([_is_blank(label) for label in distinct], True)
        if is_blank[code].any():
            n_missing = np.count_nonzero(is_blank[code])
            raise ValueError(f"{name} must not hold missing labels; {n_missing} do.")
        return _in_order(code, distinct)
    except TypeError:
        raise ValueError(f"{name} mixes labels of types that cannot be compared.") from None


def number_categories(
    labels: ArrayLike, n_samples: int, name: str
) -> tuple[list[Any], NDArray[np.intp]]:
    """Check a label per sample, such as its group or site; list them in order and number them.

    Ordered categories stay in their order, other labels are sorted.

    Examples
    --------
    >>> number_categories(["b", "a", "b"], 3, "groups")
    (['a', 'b'], array([1, 0, 1]))
    """
    column = label_column(labels, name)
    check_same_length(n_samples, **{name: column})
    names = in_category_order(distinct_labels(column, name), labels)
    refuse_blank_labels(column, names, name)
    number = {label: i for i, label in enumerate(names)}
    return names, np.fromiter(map(number.__getitem__, column.tolist()), np.intp, column.size)


def refuse_blank_labels(column: NDArray[Any], distinct: Iterable[Any], name: str) -> None:
    """Raise if labels are text without letters, as a missing value is written in some files."""
    blank = [label for label in distinct if _is_blank(label)]
    if blank:
        n_missing = sum(int(np.count_nonzero(column == label)) for label in blank)
        raise ValueError(f"{name} must not hold missing labels; {n_missing} do.")


def check_spread(name: str, *values: ArrayLike, sums: bool = False) -> None:
    """Raise unless all positive values are within a factor of 1e12 of each other.

    ``values`` are not negative; zeros do not count. ``name`` names the argument, or several.
    ``sums`` are totals of weights of up to 1e12 samples, which may be 1e12 times farther apart
    than the weights themselves.
    """
    flat = np.concatenate([np.ravel(array) for array in values])
    is_positive = flat > 0
    positive = flat[is_positive]
    low = float(positive.min()) if positive.size else 1.0
    high = float(positive.max()) if positive.size else 1.0
    samples = 1e12 if sums else 1.0
    if high / low > MAX_WEIGHT_RATIO * samples * (1 + 1e-9):
        raise ValueError(
            f"{name} must have positive values within a factor of "
            f"{MAX_WEIGHT_RATIO * samples:g} of each other; got {low:.6g} and {high:.6g}."
        )
    if low < _MIN_WEIGHT or high > MAX_WEIGHT * samples:
        raise ValueError(
            f"{name} must have positive values between {_MIN_WEIGHT:g} and "
            f"{MAX_WEIGHT * samples:g}; got {low if low < _MIN_WEIGHT else high:.6g}."
        )


#: How far rounding may move a probability out of [0, 1], as in single precision.
ROUNDING_TOLERANCE = 1e-6
# The same in units of the precision of the numbers, as for half precision.
_ROUNDING_STEPS = 4


def check_probabilities(values: ArrayLike, name: str = "y_prob") -> Floats:
    """Check for probabilities in [0, 1]; values that differ from 0 or 1 by rounding are clipped.

    Rounding is 1e-6, or four steps of the type of the numbers where that is more.
    """
    array = check_vector(values, name)
    if not array.size:
        return array
    low = array.min()
    high = array.max()
    if low >= 0 and high <= 1:
        return array
    tolerance = rounding_tolerance(values)
    if low < -tolerance or high > 1 + tolerance:
        digits = 6 if high > 1.00001 else 12
        raise ValueError(
            f"{name} must be probabilities within [0, 1]; found values from {low:.6g} to "
            f"{high:.{digits}g}."
        )
    return np.clip(array, 0.0, 1.0)


def rounding_tolerance(values: Any) -> float:
    """Compute how far rounding may move probabilities of this type out of [0, 1]."""
    kind = getattr(values, "dtype", None)
    if isinstance(kind, np.dtype) and kind.kind == "f":
        return max(ROUNDING_TOLERANCE, _ROUNDING_STEPS * float(np.finfo(kind).eps))
    return ROUNDING_TOLERANCE


def clipped_probabilities(score: Floats) -> Floats | None:
    """Clip scores that are probabilities, but for rounding; ``None`` stands for other scores.

    ``score`` is finite and not empty.
    """
    low = float(score.min())
    high = float(score.max())
    if low >= 0 and high <= 1:
        return score
    # scores as small as rounding are no probabilities with an error
    if low < -ROUNDING_TOLERANCE or not 1e3 * ROUNDING_TOLERANCE < high <= 1 + ROUNDING_TOLERANCE:
        return None
    return np.clip(score, 0.0, 1.0)


def check_aligned(**inputs: Any) -> None:
    """Raise if two pandas inputs have the same index in different orders.

    Samples are matched by their places, so an index whose labels are those of another in a
    different order would be ignored in silence. Other differences between indexes do not count.
    """
    frames = {name: value for name, value in inputs.items() if hasattr(_index(value), "equals")}
    if len(frames) < 2:
        return
    (first, reference), *others = frames.items()
    index = _index(reference)
    for name, value in others:
        other = _index(value)
        if len(other) != len(index) or other.equals(index):
            continue
        if other.isin(index).all() and index.isin(other).all():
            raise ValueError(
                f"{name} has the index labels of {first} in another order. Align it, as with "
                f"{name}.loc[{first}.index], or give {name}.to_numpy() if the rows are in the "
                "right order."
            )


def _index(value: Any) -> Any:
    return getattr(value, "index", None)


def check_same_length(n_samples: int, **arrays: NDArray[Any]) -> None:
    """Raise unless every named array has ``n_samples`` entries."""
    for name, array in arrays.items():
        if array.shape[0] != n_samples:
            raise ValueError(
                f"{name} must have one entry per sample; got {array.shape[0]} for "
                f"{n_samples} labels."
            )


def check_fraction(value: float, name: str, *, ends: bool = False) -> float:
    """Check for a number strictly between 0 and 1 (``ends=True``: 0 and 1 too)."""
    number = check_number(value, name)
    if not (0 <= number <= 1 if ends else 0 < number < 1):
        where = "from 0 to 1" if ends else "strictly between 0 and 1"
        raise ValueError(f"{name} must be {where}; got {describe(value)}.")
    return number


def check_share(value: float, name: str, *, ends: bool = False) -> float:
    """Check a share in [1e-9, 1 - 1e-9] (``ends=True``: exactly 0 and 1 too)."""
    number = check_fraction(value, name, ends=ends)
    tolerated = MIN_SHARE * (1 - 1e-6)  # but for rounding
    if 0 < number < tolerated or 0 < 1 - number < tolerated:
        raise ValueError(
            f"{name} must be from {MIN_SHARE:g} to 1 - {MIN_SHARE:g}"
            f"{', or exactly 0 or 1' if ends else ''}; got {describe(value)}."
        )
    return number


def check_prevalence(prevalence: float, *, ends: bool = False) -> float:
    """Check a prevalence in [1e-9, 1 - 1e-9] (``ends=True``: exactly 0 and 1 too)."""
    return check_share(prevalence, "prevalence", ends=ends)


def check_number(
    value: float,
    name: str,
    *,
    minimum: float | None = None,
    above: float | None = None,
    finite: bool = True,
) -> float:
    """Check for a number of at least ``minimum``, and greater than ``above``."""
    number = np.nan
    if isinstance(value, Real) and not isinstance(value, bool):
        # an int or a Fraction may be too large for a float
        with suppress(OverflowError):
            number = float(value)
    if not (np.isfinite(number) if finite else number == number):
        what = "a finite number" if finite else "a number"
        raise ValueError(f"{name} must be {what}; got {describe(value)}.")
    if minimum is not None and number < minimum:
        raise ValueError(f"{name} must be at least {minimum:g}; got {describe(value)}.")
    if above is not None and number <= above:
        raise ValueError(f"{name} must be greater than {above:g}; got {describe(value)}.")
    return number


def check_costs(cost_fp: float, cost_fn: float) -> tuple[float, float]:
    """Check the costs of a false alarm and of a miss; one of them may be zero."""
    alarm = check_number(cost_fp, "cost_fp", minimum=0.0)
    miss = check_number(cost_fn, "cost_fn", minimum=0.0)
    if alarm == miss == 0:
        raise ValueError("cost_fp and cost_fn are both zero; one must be positive.")
    check_spread("cost_fp and cost_fn", alarm, miss)
    return alarm, miss


def check_prices(prices: ArrayLike, name: str, n_columns: int) -> Floats:
    """Check the cost of asking each column: one per column, not negative, not too far apart."""
    price = check_vector(prices, name)
    if price.size != n_columns:
        raise ValueError(
            f"{name} must have one entry per column of X; got {price.size} for {n_columns} columns."
        )
    if price.size and price.min() < 0:
        raise ValueError(f"{name} must not be negative; the smallest is {price.min():.6g}.")
    check_spread(name, price)
    return price


def check_iterable(values: Any, name: str, what: str) -> None:
    """Raise unless values can be iterated over; text is one word, not a row of letters."""
    try:
        if isinstance(values, str | bytes):
            raise TypeError
        iter(values)
    except TypeError:
        raise ValueError(f"{name} must be {what}; got {describe(values)}.") from None


def check_sequence(values: Any, name: str, what: str) -> list[Any]:
    """List values that can be iterated over; text is one word, not a row of letters."""
    check_iterable(values, name, what)
    return list(values)


def check_text(value: Any, name: str) -> str:
    """Check for text without lone surrogates, which cannot be drawn."""
    if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
        raise ValueError(
            f"{name} must be text that can be encoded in UTF-8; got {describe(value)}."
        )
    return value


def check_callback(value: Any, name: str) -> None:
    """Raise unless the value is ``None`` or callable."""
    if value is not None and not callable(value):
        raise ValueError(f"{name} must be a function or None; got {describe(value)}.")


def check_flag(value: Any, name: str) -> bool:
    """Check for a boolean, or the 0 or 1 that it equals."""
    if isinstance(value, bool | np.bool_) or (isinstance(value, Integral) and value in (0, 1)):
        return bool(value)
    raise ValueError(f"{name} must be True or False; got {describe(value)}.")


def check_choice(value: Any, name: str, choices: tuple[str, ...]) -> str:
    """Check for one of ``choices``."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(choices)}; got {describe(value)}.")
    return value


def check_integer(
    value: int, name: str, minimum: int | None = None, maximum: int | None = None
) -> int:
    """Check for an integer from ``minimum`` to ``maximum``."""
    is_integer = isinstance(value, Integral) and not isinstance(value, bool)
    low = -np.inf if minimum is None else minimum
    high = np.inf if maximum is None else maximum
    if not (is_integer and low <= value <= high):
        bounds = []
        if minimum is not None:
            bounds.append(f"at least {minimum}")
        if maximum is not None:
            bounds.append(f"at most {maximum}")
        kind = f"an integer of {' and '.join(bounds)}" if bounds else "an integer"
        raise ValueError(f"{name} must be {kind}; got {describe(value)}.")
    if abs(value) > _MAX_INTEGER:
        raise ValueError(f"{name} must be an integer below 2**63; got {describe(value)}.")
    return int(value)


def check_random_state(random_state: Seed) -> np.random.Generator:
    """Make a generator from a seed, or return a given one.

    From a ``RandomState`` a seed is drawn, so that using it again gives other numbers; ``None``
    takes a seed from the system.
    """
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**32, size=4, dtype=np.uint32))
    if random_state is None:
        return np.random.default_rng()
    if isinstance(random_state, Integral) and not isinstance(random_state, bool):
        return np.random.default_rng(check_integer(random_state, "random_state", minimum=0))
    raise ValueError(
        "random_state must be None, an integer, a numpy.random.RandomState or a "
        f"numpy.random.Generator; got {describe(random_state)}."
    )


def check_bootstrap(
    confidence: float, n_resamples: int, random_state: Seed, *, optional: bool = False
) -> tuple[float, int, np.random.Generator]:
    """Check confidence, seed and number of resamples: at least 50 (``optional=True``: or 0)."""
    level = check_fraction(confidence, "confidence")
    draws = check_integer(n_resamples, "n_resamples", minimum=0 if optional else 50)
    if 0 < draws < 50:
        raise ValueError(f"n_resamples must be 0 or at least 50; got {draws}.")
    return level, draws, check_random_state(random_state)


def describe(value: object, max_letters: int = 60) -> str:
    """Write a value for a message, in at max_letters so many letters."""
    try:
        text = repr(_without_numpy_types(value)).replace("\n", " ")
    except Exception:  # such as a number of thousands of digits, or a faulty class of the caller's
        return f"something of type {type(value).__name__}"
    return shortened(text, max_letters)


def _without_numpy_types(value: object) -> object:
    """Convert numbers and texts of NumPy, alone or in a list, to Python's, which read plainly."""
    if isinstance(value, np.number | np.bool_ | np.str_):
        return value.item()
    if type(value) is list:
        return [_without_numpy_types(entry) for entry in value]
    if type(value) is tuple:
        return tuple(_without_numpy_types(entry) for entry in value)
    return value


def shortened(text: str, max_letters: int = 60) -> str:
    """Shorten a text for a message."""
    return text if len(text) <= max_letters else f"{text[: max_letters - 3]}..."


def reason(error: BaseException, max_letters: int = 300) -> str:
    """Write the message of an exception for another message, in at max_letters so many letters.

    It may repeat a value of any length; its beginning and its end, which often advises, are kept.
    """
    text = str(error).strip()
    if len(text) <= max_letters:
        return text
    text = " ".join(text.split())
    if len(text) <= max_letters:
        return text
    half = max_letters // 2
    return f"{text[:half]} ... {text[5 - half :]}"


def path_text(path: object) -> str:
    """Write a path for a message, with its end if it is very long."""
    text = str(path)
    return repr(text if len(text) <= 300 else f"...{text[-297:]}")
