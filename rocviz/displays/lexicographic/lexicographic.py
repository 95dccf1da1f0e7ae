"""LexicographicDisplay: the tree of a lexicographic ranker, its ROC curve, its attributes.

Its pictures are those of :class:`rocviz.LexicographicExplorer`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple, Self

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from rocviz.core.base.validation import (
    check_aligned,
    check_integer,
    check_number,
    check_sequence,
    labels_of_classes,
)
from rocviz.core.lexicographic.lexicographic import LexicographicOrder
from rocviz.core.lexicographic.tree import LexicographicTree, lexicographic_tree
from rocviz.core.roc.segments import RankedSegments, check_segments
from rocviz.displays.base.data import check_fitted, check_kind, own_positive_class
from rocviz.displays.base.display import Display
from rocviz.displays.base.draw_picture import first_of, show_picture, type_shares
from rocviz.displays.base.figure import given_axes, panels
from rocviz.displays.base.style import Pen, named_styles, resolve_theme
from rocviz.displays.lexicographic.pictures import (
    attributes_picture,
    curves_picture,
    isometrics,
    tree_picture,
)
from rocviz.pictures import Entry, Picture
from rocviz.theme import Theme
from rocviz.words import ClassNames, area_text, number, sample_counts

_KINDS = ("tree", "roc", "attributes")
_MAX_LEVELS = 5  # more leaves than 32 have no room for their counts


class Condition(NamedTuple):
    """One attribute in words: its name, its preferred value and its other value."""

    name: str
    preferred: str
    other: str


class LexicographicDisplay(Display):
    """The ranking tree with its counts, the ROC curve with its hull, and the attributes.

    In the tree every level asks one attribute, preferred value above, so the leaves from top to
    bottom are the ranking. Brackets beside them join what the convex hull joins, with the
    probability that LexProb gives. In the last panel each attribute is the point of its
    preferred value in ROC space; the higher the odds-ratio isometric it is on, the earlier it
    is asked.

    Use :meth:`from_estimator` to make one; the constructor takes results.

    Parameters
    ----------
    order : LexicographicOrder
        Attributes of the ranker.
    tree : LexicographicTree
        Tree of the first ones, five at most.
    segments : RankedSegments
        Ranking by all of them.
    words : sequence of (str, str, str), optional
        Name, preferred value and other value of each attribute in ``order``, such as
        ``("age", "> 40", "≤ 40")``; by default ``("x0", "= 1", "= 0")`` and so on.
    name : str, optional
        Name of the model.
    pos_label : label, optional
        The positive class; a string is used in the label that counts the samples.
    m : float, default=2.0
        Parameter m of the m-estimate of the probabilities, see :class:`LexProb`.
    labels : pair of str, or mapping of label to str, optional
        Names of the negative and of the positive class, or of 0 and 1.

    Attributes
    ----------
    ax_ : matplotlib Axes
        The axes of the tree.
    roc_ax_, attributes_ax_ : matplotlib Axes or None
        The axes of the ROC curve and of the attributes.
    figure_ : matplotlib Figure
    axes_ : dict of str to matplotlib Axes
        By the kind of picture, ``"tree"``, ``"roc"`` and ``"attributes"``.
    pictures_ : dict of str to rocviz.pictures.Picture
        What was drawn, as values, by the kind of picture.
    artists_ : dict of str to dict of str to list of Artist
        Likewise, the artists of each mark: of the tree its "branches", the bars "positive" and
        "negative" and the "hull segments"; of the attributes "named", "points" and "isometrics".
    roc_line_, hull_line_ : Line2D or None
        ROC curve and hull of the ranking by all attributes.

    Raises
    ------
    ValueError
        If order, tree, segments and words are not of the same attributes.

    See Also
    --------
    LexRank, LexProb : The models.
    lexicographic_tree : The numbers of the tree.

    References
    ----------
    Flach and Matsubara (2008), Figures 3 and 4.

    Examples
    --------
    >>> from rocviz import LexicographicDisplay, LexProb
    >>> from rocviz.datasets import load_flach_matsubara
    >>> X, y = load_flach_matsubara(return_X_y=True, as_frame=True)
    >>> display = LexicographicDisplay.from_estimator(LexProb().fit(X, y), X, y)
    >>> display.tree.probability()
    array([0.625, 0.625, 0.625, 0.25 ])
    """

    def __init__(
        self,
        order: LexicographicOrder,
        tree: LexicographicTree,
        segments: RankedSegments,
        *,
        words: Sequence[tuple[str, str, str]] | None = None,
        name: str | None = None,
        pos_label: Any = None,
        m: float = 2.0,
        labels: Any = None,
    ) -> None:
        check_kind(order, "order", LexicographicOrder, "lex_order")
        check_kind(tree, "tree", LexicographicTree, "lexicographic_tree")
        if not np.array_equal(tree.order, order.order[: tree.n_levels]):
            raise ValueError("tree must have the first attributes of order as its levels.")
        check_integer(tree.n_levels, "levels of the tree", 0, _MAX_LEVELS)
        if words is None:
            preferred = order.preferred.tolist()
            words = []
            for j, value in zip(order.order.tolist(), preferred, strict=True):
                words.append((f"x{j}", f"= {value}", f"= {1 - value}"))
        triples = []
        for triple in check_sequence(words, "words", "triples of words"):
            triples.append(check_sequence(triple, "words", "triples of words"))
        if len(triples) != len(order) or any(len(triple) != 3 for triple in triples):
            raise ValueError(f"words must be {len(order)} triples, one per attribute of order.")
        self.order = order
        self.tree = tree
        self.segments = check_segments(segments)
        self.words = [Condition(*triple) for triple in triples]
        self.name = name
        self.pos_label = pos_label
        self.m = check_number(m, "m", minimum=0.0)
        self._name_classes(labels)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        max_levels: int = _MAX_LEVELS,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        labels: Any = None,
        ax: Axes | Sequence[Axes] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw a fitted LexRank or LexProb with training or other data.

        Parameters
        ----------
        estimator : fitted LexRank or LexProb
        X : array-like or data frame, shape (n_samples, n_features)
            What is counted and ranked; the order of the attributes is the estimator's.
        y : array-like, shape (n_samples,)
            True labels.
        sample_weight : array-like of float, shape (n_samples,), optional
            Not negative.
        name : str, optional
            By default the name of the estimator's class.
        max_levels : int, default=5
            Attributes in the tree; at most 5.
        labels : mapping of label to str, or pair of str, optional
            Names of the classes: by label, or of the negative and of the positive class. By default
            the labels themselves, unless they are 0 and 1, -1 and 1, or booleans.
        curve_kwargs, ax, theme
            As for :meth:`plot`.

        Returns
        -------
        LexicographicDisplay

        Raises
        ------
        ValueError
            If ``estimator`` or the data are invalid. Then no figure is made.
        """
        if not (hasattr(estimator, "binarize") and hasattr(estimator, "inspect")):
            raise ValueError(
                f"estimator must be a fitted LexRank or LexProb; got {type(estimator).__name__}."
            )
        check_fitted(estimator)
        check_aligned(X=X, y=y, sample_weight=sample_weight)
        levels = check_integer(max_levels, "max_levels", 0, _MAX_LEVELS)
        order = estimator.order_
        bits = estimator.binarize(X)
        data = {"sample_weight": sample_weight, "pos_label": own_positive_class(estimator)}
        words = []
        for j, value in zip(order.order.tolist(), order.preferred.tolist(), strict=True):
            attribute = estimator.attributes_[j]
            ordered = (
                (attribute.one_text, attribute.zero_text)
                if value
                else (attribute.zero_text, attribute.one_text)
            )
            words.append((attribute.name, *ordered))
        classes = labels_of_classes(y, data["pos_label"], "y")
        display = cls(
            order,
            lexicographic_tree(bits, y, order, max_levels=levels, **data),
            order.segments(bits, y, **data),
            words=words,
            name=type(estimator).__name__ if name is None else name,
            pos_label=data["pos_label"],
            m=getattr(estimator, "m", 2.0),
            labels=ClassNames.of(*classes, labels),
        )
        return display.plot(ax=ax, curve_kwargs=curve_kwargs, theme=theme)

    def plot(
        self,
        ax: Axes | Sequence[Axes] | None = None,
        *,
        name: str | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        theme: Theme | str | None = None,
    ) -> Self:
        """Draw the display.

        Parameters
        ----------
        ax : matplotlib Axes or sequence of up to three Axes, optional
            For the tree, the ROC curve and the attributes; one or two draw the first ones
            only. By default all three, of a new figure.
        name : str, optional
            Of the one model, instead of the display's own.
        curve_kwargs : dict, or list of dict, optional
            Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
            list gives those of each.
        theme : Theme or {"light", "dark", "lecture"}, optional
            By default the theme in force, see :func:`rocviz.set_theme`.

        Returns
        -------
        LexicographicDisplay
            Itself.

        Raises
        ------
        ValueError
            If an argument is invalid. Then no figure is made.
        """
        resolved_theme = resolve_theme(theme)
        own = named_styles(["curve"], curve_kwargs)
        between: dict[str, float] = {"wspace": 0.14, "hspace": 0.24}
        axes = given_axes(ax, 1, 2, 3) or panels(
            resolved_theme, "AB;AC", 11.2, 9.6, ratios=((1.25, 1), None), **between
        )
        model_name = (self.name if name is None else name) or "lexicographic"
        pen = Pen(axes[0], resolved_theme)
        draws: dict[str, Callable[[bool], Picture]]
        draws = {
            "tree": partial(self._tree, pen),
            "roc": partial(self._roc, model_name),
            "attributes": self._attributes,
        }
        self.axes_ = dict(zip(draws, axes, strict=False))
        self.pictures_ = {}
        self.artists_ = {}
        for kind, panel in self.axes_.items():
            drawn = show_picture(
                draws[kind], Pen(panel, resolved_theme), own=own if kind == "roc" else None
            )
            self.pictures_[kind], self.artists_[kind] = drawn
        self.ax_ = axes[0]
        self.figure_ = axes[0].figure
        self.roc_ax_ = self.axes_.get("roc")
        self.attributes_ax_ = self.axes_.get("attributes")
        self.roc_line_, self.hull_line_ = first_of(self.artists_.get("roc", {}), "curve", "hull")
        return self

    def _tree(self, pen: Pen, is_large: bool) -> Picture:
        tree = self.tree
        n_attributes = len(self.order)
        levels = []
        for condition in self.words[: tree.n_levels]:
            levels.append((condition.name, condition.preferred, condition.other))
        note = ""
        if n_attributes > tree.n_levels:
            note = f"First {tree.n_levels} of {n_attributes} attributes."
        room = type_shares(pen)
        return tree_picture(
            tree,
            levels,
            tree.probability(self.m),
            is_large,
            note=note,
            room=room,
            classes=self._classes,
        )

    def _roc(self, model_name: str, is_large: bool) -> Picture:
        hull = self.segments.hull()
        auc = area_text(self.segments, attrgetter("auc"))
        rows = [
            Entry(f"{model_name}, AUC {auc}", "text", "curve"),
            Entry(f"convex hull, AUC {number(hull.auc)}", "hull-text", "hull"),
            Entry(sample_counts(self.segments, self._classes), "muted", bold=False),
        ]
        return curves_picture({"curve": self.segments, "hull": hull}, rows, is_large)

    def _attributes(self, is_large: bool) -> Picture:
        count = self.tree.n_levels
        curves = isometrics(self.order, count)
        names = []
        for condition in self.words[:count]:
            names.append((f"{condition.name} {condition.preferred}", condition.name))
        return attributes_picture(self.order, curves, names, "odds ratios", is_large)
