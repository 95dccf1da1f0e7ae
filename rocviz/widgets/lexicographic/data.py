"""Data of the lexicographic explorer: rows of 0 and 1, counted once, and their attributes.

They are ranked by naive Bayes and a decision tree as well, each once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rocviz.core.base.frozen import Frozen
from rocviz.core.lexicographic.attribute_counts import (
    ValueCounts,
    count_values,
    smoothed_odds_ratios,
)
from rocviz.core.lexicographic.lexicographic import Attribute, LexicographicOrder, order_of_counts
from rocviz.core.lexicographic.patterns import PatternScale, pack
from rocviz.core.roc.segments import RankedSegments
from rocviz.widgets.base.background import step
from rocviz.widgets.base.code import options
from rocviz.widgets.base.own_data import MAX_VALUES_WRITTEN_OUT, OwnData, name_of, remembered
from rocviz.words import UNNAMED, ClassNames

#: Attributes whose patterns are numbers that fit into a double; these sort faster.
MAX_ATTRIBUTES_OF_DOUBLE = 52
N_PREVIEW_SAMPLES = 5000  # samples of a picture while the user drags
MAX_TREE_DEPTH = 5  # levels of the decision tree, as many as the lexicographic tree shows


@dataclass(frozen=True, eq=False)
class BitData(Frozen):
    """Attributes as 0 and 1; samples alike in all of them, and in their class, count together."""

    X: NDArray[np.uint8]  # (n_kinds, n_attributes): one of each kind
    positive: NDArray[np.bool_]  # (n_kinds,): its class
    weight: NDArray[np.float64]  # (n_kinds,): weight of all samples of the kind
    attributes: tuple[Attribute, ...]  # what each column stands for

    @classmethod
    def of(
        cls,
        bits: NDArray[np.uint8],
        positive: NDArray[np.bool_],
        weight: NDArray[np.float64] | None,
        attributes: Sequence[Attribute],
    ) -> BitData:
        """Count equal samples."""
        rows = np.packbits(np.column_stack((bits, positive)), axis=1)
        keys = np.ascontiguousarray(rows).view(f"V{rows.shape[1]}")[:, 0]
        _, first, kind = np.unique(keys, return_index=True, return_inverse=True)
        total = np.bincount(kind.ravel(), weights=weight, minlength=first.size)
        some = total > 0
        first = first[some]
        return cls(bits[first], positive[first], total[some].astype(np.float64), tuple(attributes))

    @property
    def n_attributes(self) -> int:
        """Columns."""
        return int(self.X.shape[1])

    @cached_property
    def n_varying(self) -> int:
        """Columns that are not constant."""
        return int((self.X[:1] != self.X).any(axis=0).sum())

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The meaning of a 1 in each column."""
        return tuple(f"{a.name} {a.one_text}" for a in self.attributes)

    @cached_property
    def _counts(self) -> ValueCounts:
        return count_values(self.X, self.positive, self.weight, None)

    def own_order(self, smoothing: float) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Compute LexRank's own order, and the value it prefers of each column."""
        ratios = smoothed_odds_ratios(self._counts, smoothing)
        own = order_of_counts(self._counts, ratios, smoothing)
        preferred = np.ones(ratios.size, dtype=np.intp)
        preferred[own.order] = own.preferred
        return tuple(own.order.tolist()), tuple(preferred.tolist())

    def order(
        self, order: Sequence[int], preferred: Sequence[int], smoothing: float
    ) -> LexicographicOrder:
        """Make the result of ``lex_order`` for an order, without counting again."""
        return order_of_counts(
            self._counts,
            smoothed_odds_ratios(self._counts, smoothing),
            smoothing,
            np.asarray(order, dtype=np.intp),
            np.asarray(preferred, dtype=np.uint8),
        )

    @cached_property
    def preview(self) -> BitData:
        """Fewer kinds of samples, chosen at equal steps of the cumulative weight."""
        total = np.cumsum(self.weight)
        steps = (np.arange(N_PREVIEW_SAMPLES) + 0.5) / N_PREVIEW_SAMPLES * total[-1]
        kind, times = np.unique(np.searchsorted(total, steps), return_counts=True)
        if self.positive[kind].all() or not self.positive[kind].any():
            return self  # a class must not be lost
        weight = times * (total[-1] / N_PREVIEW_SAMPLES)
        return BitData(self.X[kind], self.positive[kind], weight, self.attributes)

    def segments(self, order: LexicographicOrder) -> RankedSegments:
        """Rank the samples by an order."""
        if len(order) > MAX_ATTRIBUTES_OF_DOUBLE:
            return order.segments(self.X, self.positive, sample_weight=self.weight)
        patterns = pack(self.X, order.order, order.preferred)
        place = PatternScale.of(len(order), patterns).number(patterns)
        return RankedSegments.from_scores(self.positive, place, sample_weight=self.weight)

    def _rank(self, score: NDArray[np.float64]) -> RankedSegments:
        # scores that are equal except for rounding are ties
        return RankedSegments.from_scores(
            self.positive, np.round(score, 9), sample_weight=self.weight
        )

    def naive_bayes(self, smoothing: float, whole: BitData | None = None) -> RankedSegments:
        """Rank by naive Bayes, trained on all attributes of these samples.

        It is trained on the ``whole`` where these are a preview of it.
        """
        return self._bayes(smoothing, whole or self)

    @remembered(4)
    def _bayes(self, smoothing: float, whole: BitData) -> RankedSegments:
        counts = whole._counts
        alpha = bayes_alpha(smoothing)
        # as scikit-learn's BernoulliNB, without its checks at each step
        log_odds_pos = np.log(counts.pos + alpha) - np.log(counts.n_pos - counts.pos + alpha)
        log_odds_neg = np.log(counts.neg + alpha) - np.log(counts.n_neg - counts.neg + alpha)
        return self._rank(self.X @ (log_odds_pos - log_odds_neg))

    @cached_property
    def decision_tree(self) -> RankedSegments:
        """The ranking by a decision tree, trained on all attributes of these samples."""
        # a tree that can ask for every attribute has each cell as a leaf
        if self.n_attributes <= MAX_TREE_DEPTH:
            _, cell = np.unique(self.X, axis=0, return_inverse=True)
            cell = cell.ravel()
            pos = np.bincount(cell, weights=self.weight * self.positive)
            total = np.bincount(cell, weights=self.weight)
            return self._rank((pos / total)[cell])
        from sklearn.tree import DecisionTreeClassifier

        model = DecisionTreeClassifier(max_depth=MAX_TREE_DEPTH, random_state=0)
        model.fit(self.X, self.positive, sample_weight=self.weight)
        return self._rank(model.predict_proba(self.X)[:, 1])


def bayes_alpha(smoothing: float) -> float:
    """Convert our smoothing to scikit-learn's, which has a lower limit."""
    return max(smoothing, 1e-10)


# ---------------------------------------------------------------------- data to open on


@dataclass(frozen=True)
class Witnesses:
    """Independent attributes, each right equally often about both classes; counts are exact."""

    right: tuple[float, ...]  # how often each attribute is 1 among positives and 0 among negatives
    n: int = 500  # samples of each class, but for rounding

    def sample(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Make attributes and labels."""
        cells = np.array(list(product((1, 0), repeat=len(self.right))))
        share = np.where(cells, self.right, 1 - np.array(self.right)).prod(axis=1)
        count = np.rint(self.n * share).astype(int)
        X = np.repeat(np.vstack((cells, cells)), np.append(count, count[::-1]), axis=0)
        y = np.repeat([1, 0], count.sum())
        return X, y

    def code(self) -> list[str]:
        """Write Python that makes the same samples."""
        return [
            f"right = np.array({list(self.right)})  # how often each attribute is right",
            f"cells = np.array(list(product((1, 0), repeat={len(self.right)})))",
            "share = np.where(cells, right, 1 - right).prod(axis=1)",
            f"count = np.rint({self.n} * share).astype(int)",
            "X = np.repeat(np.vstack((cells, cells)), np.append(count, count[::-1]), axis=0)",
            "y = np.repeat([1, 0], count.sum())",
        ]


@dataclass(frozen=True)
class Cells:
    """Samples that are counted by hand, in each combination of named attributes."""

    attributes: tuple[str, ...]
    # of each combination, from the one that has all attributes to the one that has none
    pos: tuple[int, ...]
    neg: tuple[int, ...]
    class_names: ClassNames

    def sample(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Make attributes and labels."""
        cells = np.array(list(product((1, 0), repeat=len(self.attributes))))
        X = np.repeat(np.vstack((cells, cells)), [*self.pos, *self.neg], axis=0)
        y = np.repeat([1, 0], [sum(self.pos), sum(self.neg)])
        return X, y

    def code(self) -> list[str]:
        """Write Python that makes the same samples."""
        return [
            f"pos = {list(self.pos)}  # made up; from all of {', '.join(self.attributes)} to none",
            f"neg = {list(self.neg)}",
            f"cells = np.array(list(product((1, 0), repeat={len(self.attributes)})))",
            "X = np.repeat(np.vstack((cells, cells)), pos + neg, axis=0)",
            "y = np.repeat([1, 0], [sum(pos), sum(neg)])",
        ]


#: Fifty flights, made up: cheap ones are booked more often than any others, unless they arrive late
#: after a stop. An order cannot express that, so its curve has dents.
FLIGHTS = Cells(
    ("cheap", "direct", "arrives by six"),
    pos=(6, 3, 5, 2, 4, 2, 1, 1),
    neg=(1, 2, 2, 4, 2, 4, 7, 4),
    class_names=ClassNames("skipped", "booked"),
)

#: The data of each preset: attributes that are made, or the name of a data set.
PRESET_DATA: Mapping[str, Witnesses | Cells | str] = {
    "flights": FLIGHTS,
    "twenty instances": "flach-matsubara",
    "same as naive Bayes": Witnesses((0.9, 0.75, 0.64)),
    "naive Bayes is better": Witnesses((0.75, 0.72, 0.7)),
    "breast cancer": "breast-cancer",
}


@cache
def preset_data(name: str) -> BitData:
    """Get the data of a preset, which are counted when first used."""
    recipe = PRESET_DATA[name]
    if recipe == "breast-cancer":
        from sklearn.datasets import load_breast_cancer

        X, y = load_breast_cancer(return_X_y=True, as_frame=True)
        return learned_data(X, np.asarray(y) == 0)[0]
    if isinstance(recipe, Cells):
        X, y = recipe.sample()
        flags = [Attribute(j, name, "no", "yes") for j, name in enumerate(recipe.attributes)]
        return BitData.of(X.astype(np.uint8), y == 1, None, flags)
    if isinstance(recipe, Witnesses):
        X, y = recipe.sample()
    else:
        from rocviz.datasets import load_flach_matsubara

        X, y = load_flach_matsubara(return_X_y=True)
    plain = [Attribute(j, f"A{j + 1}", "= 0", "= 1") for j in range(X.shape[1])]
    return BitData.of(X.astype(np.uint8), y == 1, None, plain)


def preset_classes(name: str) -> ClassNames:
    """Name the classes of a preset."""
    recipe = PRESET_DATA[name]
    if isinstance(recipe, Cells):
        return recipe.class_names
    return ClassNames("benign", "malignant") if recipe == "breast-cancer" else UNNAMED


def learned_data(
    X: Any,
    positive: NDArray[np.bool_],
    sample_weight: Any = None,
    model: Any = None,
    **parameters: Any,
) -> tuple[BitData, Any]:
    """Binarize samples by a fitted LexRank, or by one that is fitted here."""
    from rocviz.core.base.validation import check_same_length, check_weights
    from rocviz.estimators.lexicographic.lexicographic import LexRank

    step("learning the order")
    if model is None:
        model = LexRank(**parameters).fit(X, positive, sample_weight)
    step("asking each sample")
    bits = model.binarize(X)
    check_same_length(positive.size, X=bits)
    weight = check_weights(sample_weight, positive.size)
    attributes = model.attributes_
    if hasattr(X, "columns") and not hasattr(model, "feature_names_in_"):
        # scikit-learn keeps only names that are strings
        names = [str(name) for name in X.columns]
        attributes = [replace(a, name=names[a.feature]) for a in attributes]
    return BitData.of(bits, positive, weight, attributes), model


# ---------------------------------------------------------------------- the user's data


class OwnTable(OwnData):
    """The user's samples, with columns of any kind, and a fitted LexRank if there is one.

    They are turned into the model's attributes, and open with its order. Without a model one is
    fitted to them with the ``parameters``; the positive class is the model's where it is not given.
    """

    def __init__(
        self,
        X: Any,
        y: ArrayLike | None,
        *,
        model: Any = None,
        sample_weight: Any = None,
        pos_label: Any = None,
        labels: Any = None,
        **parameters: Any,
    ) -> None:
        from rocviz.core.base.validation import check_aligned, check_labels_of_classes
        from rocviz.displays.base.data import own_positive_class
        from rocviz.estimators.lexicographic.lexicographic import LexRank

        if X is None or y is None:
            raise ValueError("X and y go together; give both or neither.")
        if model is not None:
            if not isinstance(model, LexRank) or not hasattr(model, "order_"):
                raise ValueError(
                    "model, or estimator, must be a fitted LexRank or LexProb; "
                    f"got {type(model).__name__}."
                )
            pos_label = own_positive_class(model, pos_label)
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        positive, neg_label, own_pos_label = check_labels_of_classes(y, pos_label, "y")
        self.class_names = ClassNames.of(neg_label, own_pos_label, labels)
        self.model = model
        self.parameters = parameters
        self.data, self.fitted = learned_data(X, positive, sample_weight, model, **parameters)
        super().__init__(pos_label, X=X, y=y, sample_weight=sample_weight)

    @property
    def opening(self) -> dict[str, Any]:
        """The settings with which an explorer opens."""
        smoothing = float(self.fitted.smoothing)
        opening: dict[str, Any] = {"smoothing": smoothing}
        if self.model is not None:
            order = self.model.order_
            preferred = np.array(self.data.own_order(smoothing)[1])
            preferred[order.order] = order.preferred
            opening |= {
                "order": tuple(order.order.tolist()),
                "preferred": tuple(preferred.tolist()),
                "m": float(getattr(self.model, "m", 2.0)),
            }
        return opening

    def arguments(self, name: str = "") -> dict[str, Any]:
        """Get the model or the samples."""
        return {"model": self.model} if name == "model" else self.given

    def code(self) -> list[str]:
        """Write Python that gets X, y, the weights and the model again."""
        lines = []
        for argument, value in self.given.items():
            if value is None:
                continue
            source = name_of(value)
            if source is None:
                source = f"data_of({self.number})[{argument!r}]"
                if not hasattr(value, "columns") and len(value) <= MAX_VALUES_WRITTEN_OUT:
                    source = f"np.asarray({np.asarray(value).tolist()!r})"
            if source != argument:
                lines.append(f"{argument} = {source}")
        if self.model is not None:
            model = name_of(self.model) or f"data_of({self.number}, 'model')['model']"
        else:
            parameters = options(**self.parameters, pos_label=self.pos_label).removeprefix(", ")
            weight = "" if self.given["sample_weight"] is None else ", sample_weight"
            model = f"LexRank({parameters}).fit(X, y{weight})"
        return [*lines, f"model = {model}", "bits = model.binarize(X)"]
