"""The state of the lexicographic explorer: an order of attributes, and their preferred values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import permutations, product
from typing import Any, ClassVar

import numpy as np
import traitlets

from rocviz.core.base.frozen import DataFrame
from rocviz.core.base.validation import describe, list_labels
from rocviz.core.calibration.calibration import fit_hull
from rocviz.core.lexicographic.tree import LexicographicTree, lexicographic_tree
from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.lexicographic.pictures import isometrics
from rocviz.widgets.base.background import step
from rocviz.widgets.base.controls import (
    Action,
    Choice,
    Control,
    Linear,
    Row,
    Rows,
    Slider,
    Switch,
    ValidatedTuple,
    bit,
    whole,
)
from rocviz.widgets.base.own_data import remembered
from rocviz.widgets.base.state import OTHER_DATA, ExplorerState
from rocviz.widgets.lexicographic import words as wording
from rocviz.widgets.lexicographic.data import (
    PRESET_DATA,
    BitData,
    OwnTable,
    preset_classes,
    preset_data,
)
from rocviz.widgets.lexicographic.result import Integers, LexicographicResult, Ranker, n_leaves
from rocviz.widgets.lexicographic.words import ranker_text, rankers_heading, rankers_summary
from rocviz.words import ClassNames, amount, number, ratio_text, shorten

MAX_NAME_LETTERS = 44  # of a name in the rail, where it has two lines or three
MAX_VALUE_LETTERS = 12  # of a value of an attribute, on its button
MAX_ROWS = 40  # rows; of hundreds of attributes the first so many can be rearranged by hand


def attribute_rows(state: Any) -> list[Row]:
    """Make a row for each attribute, the most important first."""
    ratios = state.result.order.odds_ratio.tolist()
    rows: list[Row] = []
    for k, column in enumerate(state.listing[:MAX_ROWS]):
        is_in = k < len(ratios)
        attribute = state.data.attributes[column]
        name = attribute.name
        text = "left out"
        if is_in:
            name = f"{k + 1}. {name}"
            text = ratio_text(ratios[k])
        choices = []
        for side, side_text in ((1, attribute.one_text), (0, attribute.zero_text)):
            spoken = f"prefer {state.condition(column, side)}"
            choices.append((side, shorten(side_text, MAX_VALUE_LETTERS), spoken))
        rows.append(
            Row(
                key=column,
                label=shorten(name, MAX_NAME_LETTERS),
                full=name,
                value=state.preferred[column],
                choices=tuple(choices),
                ticked=is_in,
                text=text,
                muted=not is_in,
                role="muted",
            )
        )
    return rows


def ranker_rows(state: Any) -> list[Row]:
    """Make a row for each of the eight rankers of two attributes, with its AUC if tried."""
    result = state.result
    selected = tuple(result.order.order.tolist()), tuple(result.order.preferred.tolist())
    rows = []
    for k, ranker in enumerate(result.rankers):
        key = (ranker.order, ranker.preferred)
        rows.append(
            Row(
                key=k,
                label=ranker_text(state, ranker),
                text=number(ranker.auc) if key in result.tried else "?",
                marked=key == selected,
                role="muted",
            )
        )
    return rows


def columns_beyond_rows(state: Any) -> dict[int | None, str]:
    """Name the attributes that have no row, to be moved to the front."""
    columns: dict[int | None, str] = {None: "…"}
    for column in state.listing[MAX_ROWS:]:
        columns[column] = state.condition(column)
    return columns


def move_to_front(state: Any, column: int | None) -> None:
    """Move an attribute to the front; None moves nothing."""
    if column is not None:
        state.move(column, 0)


def apply_row_action(state: Any, column: int, action: str | int) -> None:
    """Do what a card asks for: a place up or down, a value to prefer, or to be in the order."""
    if action is False:
        state.drop(column)
    elif action is not True and action in (0, 1):
        state.prefer(column, action)
    elif column not in state.order:
        if action != "down":
            state.move(column, len(state.order))
    elif action == "up":
        state.move(column, max(state.order.index(column) - 1, 0))
    elif action == "down":
        state.move(column, state.order.index(column) + 1)


CONTROLS: Mapping[str, Control] = {
    "attributes": Rows(
        "order of the attributes",
        attribute_rows,
        apply_row_action,
        note="The first difference decides. Behind each: its odds ratio.",
        tick="in the order",
        is_sorted="drag, or move with the arrow keys",
        as_cards=True,
    ),
    "front": Choice(
        "to the front",
        columns_beyond_rows,
        shown=lambda state: len(state.listing) > MAX_ROWS,
        get=lambda state: None,
        set=move_to_front,
    ),
    "restore": Action(
        "LexRank's order",
        "restore",
        hint="Use the order and preferred values that LexRank learns",
        enabled=lambda state: not state.result.is_own,
    ),
    "rankers": Rows(
        "rankers",
        ranker_rows,
        lambda state, k, _value: state.select_ranker(state.result.rankers[k]),
        group="rankers tried",
        note=rankers_heading,
        shown=lambda state: bool(state.result.rankers),
        buttons=(("try", "try", "look at this ranker"),),
    ),
}


MAX_TREE_LEVELS = 5  # of the tree; more leaves than 32 have no room for their counts
N_ATTRIBUTES_WITH_LISTED_RANKERS = 2  # attributes whose rankers can all be listed
MAX_KINDS_WITHOUT_PREVIEW = 10_000  # kinds of samples that are ranked while the user drags
MIN_KINDS_OF_LATE_RESULT = 2_000_000  # kinds of samples that take about a second to rank
SMOOTHING_GRID = Linear(0.0, 20.0, 0.5)


def leaves_grid(state: Any) -> Linear:
    """List the numbers of leaves that can be predicted positive."""
    return Linear(0, n_leaves(state.result.tree), 1)


def predict_leaves(state: Any, leaves: int) -> None:
    """Predict so many leaves positive, or all where the tree has fewer."""
    state.leaves = min(leaves, n_leaves(state._present_tree()))


def smoothing_words(state: Any) -> str:
    """Write what is added to counts."""
    return f"{state.smoothing:g} added to counts" if state.smoothing else "nothing added"


class LexicographicState(ExplorerState):
    """State of the lexicographic explorer, on given samples or the presets."""

    result: LexicographicResult
    _own: OwnTable

    pictures: ClassVar[Mapping[str, str]] = {
        "tree": "Tree: what the hull joins",
        "roc": "ROC curves",
        "attributes": "Attributes in ROC space",
    }
    groups: ClassVar[Mapping[str, Callable[[Any], str]]] = {
        "smoothing": smoothing_words,
        "rankers tried": rankers_summary,
        **OTHER_DATA,
    }

    order = ValidatedTuple(
        "whole numbers",
        whole,
        default_value=None,
        allow_none=True,
        help="Columns of the attributes in the order, the most important first; None is LexRank's "
        "own order.",
    ).tag(input=True)
    preferred = ValidatedTuple(
        "whole numbers from 0 to 1",
        bit,
        default_value=None,
        allow_none=True,
        help="Preferred value, 0 or 1, of each column; None is LexRank's choice.",
    ).tag(input=True)
    leaves = Slider(
        "leaves predicted positive",
        leaves_grid,
        role="selected",
        set=predict_leaves,
    ).as_int(
        3,
        "Number of leaves, from the top of the tree, that are predicted positive; at most all.",
        0,
    )
    join = Switch("join leaves as the hull does").as_bool(
        False, "Whether the leaves that the convex hull joins move together."
    )
    smoothing = Slider(
        "added to counts",
        SMOOTHING_GRID,
        "g",
        group="smoothing",
    ).as_float(
        1.0,
        "Number added to each count before ratios are computed; 1 is Laplace's correction.",
        high=1000.0,
    )
    m = Slider(
        "hull: m",
        SMOOTHING_GRID,
        "g",
        group="smoothing",
        hint="LexProb gives each segment of the hull (positives + m/2) / (samples + m)",
    ).as_float(
        2.0,
        "Parameter m of the m-estimate of LexProb's probabilities; 2 is Laplace's correction, 0 "
        "leaves them raw.",
        high=1000.0,
    )
    kept = ()

    extra_controls: ClassVar[Mapping[str, Control]] = CONTROLS

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        name: {"smoothing": 0.0} if name == "twenty instances" else {} for name in PRESET_DATA
    }

    words = wording
    main_controls = ("order",)
    page_controls: ClassVar[Mapping[str, int]] = {"order": 16, "leaves": 9}

    #: AUCs of the rankers that have been shown, by preset, order and preferred values.
    _tried: Mapping[str, Mapping[tuple[Integers, Integers], float]] = {}

    def controls(self) -> dict[str, Control]:
        """Map names to controls; the cards come first."""
        return {"attributes": CONTROLS["attributes"], **super().controls()}

    # ------------------------------------------------------------------ data

    @property
    def data(self) -> BitData:
        """The samples as attributes of 0 and 1."""
        return preset_data(self.preset) if self.is_sandbox else self._own.data

    def condition(self, column: int, value: int | None = None) -> str:
        """Name a value of a column, such as "age > 40"; by default the preferred one."""
        attribute = self.data.attributes[column]
        side = self.preferred[column] if value is None else value
        if (attribute.zero_text, attribute.one_text) == ("no", "yes"):
            return attribute.name if side else f"not {attribute.name}"
        return f"{attribute.name} {attribute.one_text if side else attribute.zero_text}"

    # ------------------------------------------------------------------ rules

    def adjust(self, changed: set[str]) -> None:
        """Adjust order and preferred values to the data; refuse impossible ones."""
        super().adjust(changed)
        sets_order = bool(changed & {"preset", "order", "preferred"})
        if "smoothing" in changed and not sets_order and self._follows():
            self.set_trait("order", None)
            self.set_trait("preferred", None)
        order, preferred = self.data.own_order(self.smoothing)
        if self.order is None:
            self.order = order
        if self.preferred is None:
            self.preferred = preferred
        size = self.data.n_attributes
        if any(not 0 <= column < size for column in self.order):
            raise traitlets.TraitError(
                f"order must be whole numbers from 0 to {size - 1}; got {describe(self.order)}."
            )
        if len(set(self.order)) < len(self.order):
            raise traitlets.TraitError(
                f"order must be different columns; got {describe(self.order)}."
            )
        if len(self.preferred) != size:
            raise traitlets.TraitError(
                f"preferred must have one value per column, {size}; got {len(self.preferred)}."
            )
        every = n_leaves(self._present_tree())
        if self.leaves > every:
            if "leaves" in changed and not changed & {"preset", "order"}:
                raise traitlets.TraitError(
                    f"leaves must be at most {every}, as many as the tree has; got {self.leaves}."
                )
            opens = "preset" in changed and "leaves" not in changed
            # new data open with leaves on both sides of the border
            self.leaves = max(every // 2, 1) if opens else every

    def _present_tree(self) -> LexicographicTree:
        columns = self.order[:MAX_TREE_LEVELS]
        return self._tree(self.data, columns, tuple(self.preferred[j] for j in columns))

    @property
    def class_names(self) -> ClassNames:
        """Names of the two classes; "positive" and "negative" where the data do not name them."""
        if self.is_sandbox:
            return preset_classes(self.preset)
        return super().class_names

    def _preset_defaults(self) -> dict[str, Any]:
        """Collect the defaults of inputs; of the user's data, as the model has them."""
        return super()._preset_defaults() | ({} if self.is_sandbox else self._own.opening)

    def _follows(self) -> bool:
        """Whether the order last settled was LexRank's own."""
        settled = self.settled_inputs
        own_order = self.data.own_order(settled["smoothing"])
        return bool((settled["order"], settled["preferred"]) == own_order)

    # ------------------------------------------------------------------ actions of the user

    def column(self, attribute: int | str) -> int:
        """Find the column of an attribute.

        Parameters
        ----------
        attribute : int or str
            Column, or a name: of an attribute as in ``data.labels``, such as ``"A1 = 1"``, or of
            a feature that became one attribute.

        Raises
        ------
        ValueError
            If there is no such attribute.
        """
        data = self.data
        if isinstance(attribute, str):
            names = [known.name for known in data.attributes]
            for known_names in (list(data.labels), names):
                if known_names.count(attribute) == 1:
                    return known_names.index(attribute)
        elif 0 <= attribute < data.n_attributes:
            return int(attribute)
        raise ValueError(
            f"attribute must be one of {list_labels(data.labels, 10)}, or a column from 0 to "
            f"{data.n_attributes - 1}; got {describe(attribute)}."
        )

    def move(self, attribute: int | str, place: int) -> None:
        """Move an attribute to a place of the order; one that was left out is added again.

        Parameters
        ----------
        attribute : int or str
            See :meth:`column`.
        place : int
            0 is the most important; places beyond an end are that end.
        """
        column = self.column(attribute)
        others = [other for other in self.order if other != column]
        others.insert(int(np.clip(place, 0, len(others))), column)
        self.order = tuple(others)

    def flip(self, attribute: int | str) -> None:
        """Prefer the other value of an attribute, named as for :meth:`column`."""
        column = self.column(attribute)
        self.prefer(column, 1 - self.preferred[column])

    def prefer(self, attribute: int | str, value: int) -> None:
        """Prefer a value, 0 or 1, of an attribute, named as for :meth:`column`."""
        self.preferred = self._with("preferred", self.column(attribute), value)

    def drop(self, attribute: int | str) -> None:
        """Leave an attribute, named as for :meth:`column`, out of the order."""
        column = self.column(attribute)
        self.order = tuple(other for other in self.order if other != column)

    def restore(self) -> None:
        """Restore LexRank's own order and preferred values."""
        self.update(order=None, preferred=None)

    @property
    def listing(self) -> list[int]:
        """Columns in the order of the list: first those in the order, then those left out."""
        return [*self.order, *self.result.order.dropped.tolist()]

    def select_ranker(self, ranker: Ranker) -> None:
        """Select a ranker."""
        preferred = list(self.preferred)
        for column, value in zip(ranker.order, ranker.preferred, strict=True):
            preferred[column] = value
        self.update(order=ranker.order, preferred=tuple(preferred))

    # ------------------------------------------------------------------ result

    @remembered(16)
    def _segments(self, data: BitData, order: Integers, values: Integers) -> RankedSegments:
        preferred = np.zeros(data.n_attributes, dtype=np.uint8)
        preferred[list(order)] = values
        return data.segments(data.order(order, preferred.tolist(), 0.0))

    @remembered(16)
    def _tree(self, data: BitData, order: Integers, values: Integers) -> LexicographicTree:
        preferred = np.zeros(data.n_attributes, dtype=np.uint8)
        preferred[list(order)] = values
        return lexicographic_tree(
            data.X,
            data.positive,
            data.order(order, preferred.tolist(), 0.0),
            max_levels=MAX_TREE_LEVELS,
            sample_weight=data.weight,
        )

    def needs_preview(self, changed: set[str]) -> bool:
        """Whether too many kinds of samples have to be ranked again for a drag."""
        is_large = len(self.data.X) > MAX_KINDS_WITHOUT_PREVIEW
        return is_large and (self.is_preview or bool(changed - {"m"}))

    def finishes_late(self) -> bool:
        """Whether computing the exact result takes long, because of very many samples."""
        return len(self.data.X) > MIN_KINDS_OF_LATE_RESULT

    def _ranker(self, data: BitData, order: Integers, values: Integers) -> Ranker:
        segments = self._segments(data, order, values)
        return Ranker(order, values, float(segments.auc), bool(segments.is_convex))

    def compute(self) -> LexicographicResult:
        """Compute everything the explorer shows, for the present inputs."""
        data = self.data
        order = data.order(self.order, self.preferred, self.smoothing)
        values = tuple(order.preferred.tolist())
        ranked = data.preview if self.is_preview else data
        step("ranking the samples")
        segments = self._segments(ranked, self.order, values)
        step("LexRank's own order")
        own_order, preferred = data.own_order(self.smoothing)
        own = self._ranker(ranked, own_order, tuple(preferred[j] for j in own_order))
        step("naive Bayes")
        naive_bayes = ranked.naive_bayes(self.smoothing, data)
        step("a decision tree")
        decision_tree = data.decision_tree
        rankers: tuple[Ranker, ...] = ()
        size = data.n_attributes
        if size == data.n_varying == N_ATTRIBUTES_WITH_LISTED_RANKERS:
            all_orders = product(permutations(range(size)), product((0, 1), repeat=size))
            rankers = tuple(self._ranker(data, columns, values) for columns, values in all_orders)
        tried = self._tried.get(self.preset, {})
        if not self.is_preview:
            tried = {**tried, (self.order, values): float(segments.auc)}
            self._tried = {**self._tried, self.preset: tried}
        tree = self._tree(data, self.order[:MAX_TREE_LEVELS], values[:MAX_TREE_LEVELS])
        top = np.flatnonzero(tree.pos + tree.neg > 0)[: self.leaves]
        return LexicographicResult(
            order=order,
            tree=tree,
            segments=segments,
            hull=segments.hull(),
            probability=self._hull_probability(segments),
            leaf_probability=tree.probability(self.m),
            isometrics=isometrics(order, tree.n_levels),
            naive_bayes=naive_bayes,
            decision_tree=decision_tree,
            own=own,
            is_own=(own.order, own.preferred) == (self.order, values),
            rankers=rankers,
            tried=tried,
            top=(float(tree.pos[top].sum()), float(tree.neg[top].sum())),
        )

    def _hull_probability(self, segments: RankedSegments) -> Any:
        """Compute the probability of each segment of the hull."""
        try:
            return fit_hull(segments, m=self.m).probability
        except ValueError as error:  # m is tiny beside the counts
            raise traitlets.TraitError(str(error)) from error

    # ------------------------------------------------------------------ words

    @property
    def about(self) -> str:
        """Source of the samples, and the numbers of samples and attributes."""
        data = self.data
        segments = self.result.segments
        classes = self.class_names.shortened()
        counts = f"{amount(segments.n_pos)} + {amount(segments.n_neg)} samples"
        if classes.is_named:
            counts = (
                f"{amount(segments.n_pos)} {classes.positives}, "
                f"{amount(segments.n_neg)} {classes.negatives}"
            )
        return f"{self.preset} · {counts} · {len(self.order)} of {data.n_attributes} attributes"

    def to_frame(self) -> DataFrame:
        """Make a table with a row per attribute: first the order, then the attributes left out."""
        import pandas as pd

        data = self.data
        order = self.result.order
        names = [attribute.name for attribute in data.attributes]
        frame = order.to_frame(names)
        if len(order.dropped):
            left_out = pd.DataFrame({"attribute": [names[column] for column in order.dropped]})
            frame = pd.concat([frame, left_out], ignore_index=True)
        columns = [*order.order.tolist(), *order.dropped.tolist()]
        preferred = []
        for column in columns:
            attribute = data.attributes[column]
            preferred.append(attribute.one_text if self.preferred[column] else attribute.zero_text)
        frame["preferred"] = preferred
        frame["in"] = np.arange(len(columns)) < len(order)
        return self._named(frame)
