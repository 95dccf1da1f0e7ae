"""The lexicographic explorer: its state, its pictures and its controls put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import ipywidgets
import numpy as np

from rocviz.widgets.base.explorer import Explorer, Panel
from rocviz.widgets.base.parts import control
from rocviz.widgets.lexicographic.data import OwnTable
from rocviz.widgets.lexicographic.list import OrderPanel
from rocviz.widgets.lexicographic.state import LexicographicState
from rocviz.widgets.lexicographic.tree_view import TreePanel
from rocviz.widgets.lexicographic.view import AttributesPanel, CurvesPanel

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from rocviz.theme import Theme
    from rocviz.widgets.lexicographic.state import LexicographicResult

__all__ = ["LexicographicExplorer"]

STRONGEST = 20.0  # smoothing that the slider reaches


class LexicographicExplorer(LexicographicState, Explorer):
    """Rearrange the attributes of a lexicographic ranker and see what that does to its ranking.

    Parameters
    ----------
    X : array-like or data frame, shape (n_samples, n_features), optional
        Columns of any kind, turned into attributes as :class:`rocviz.LexRank` does. Without
        data: the paper's twenty instances, and more presets.
    y : array-like, shape (n_samples,), optional
        Labels of two classes.
    model : fitted LexRank or LexProb, optional
        Its attributes, order and smoothing are taken over; the samples judge it.
    sample_weight : array-like of float, shape (n_samples,), optional
        Not negative; counts as repetition.
    pos_label : label, optional
        The positive class; by default the larger label.
    categorical_features : "from_dtype" or array-like, optional
        Of :class:`rocviz.LexRank`.
    **inputs
        Initial values of any input, such as ``order=(1, 0)`` or ``smoothing=0.0``; every input
        is a trait that can be read, set and observed afterwards.

    Attributes
    ----------
    result : LexicographicResult
        What is on screen: ``result.order`` is the :class:`rocviz.LexicographicOrder` held,
        ``result.segments`` its ranking, ``result.tree`` the tree of its first five attributes.

    Raises
    ------
    ValueError
        If the data is not as said above; nothing is drawn then.
    TypeError
        If an input is unknown; the message lists the ones there are.

    See Also
    --------
    rocviz.LexRank, rocviz.LexProb : The models.
    rocviz.LexicographicDisplay : The same as a picture.

    Notes
    -----
    There is no ``from_predictions``: an order needs attributes, and predictions have none.

    References
    ----------
    Flach and Matsubara (2007), "On classification, ranking, and probability estimation".

    Examples
    --------
    >>> explorer = LexicographicExplorer()
    >>> explorer.sentence
    'First A2 = 0, then A1 = 1: this order ranks with AUC 0.620; its convex hull has 0.700.'
    >>> explorer.flip("A1")
    >>> explorer.order, explorer.preferred
    ((1, 0), (0, 0))
    >>> explorer.close()
    """

    def __init__(
        self,
        X: Any = None,
        y: ArrayLike | None = None,
        *,
        model: Any = None,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        categorical_features: Any = None,
        **inputs: Any,
    ) -> None:
        data = None
        if X is not None or y is not None or model is not None:
            self._check_names(inputs)
            learned: dict[str, Any] = {}
            if categorical_features is not None:
                learned["categorical_features"] = categorical_features
            data = OwnTable(
                X, y, model=model, sample_weight=sample_weight, pos_label=pos_label, **learned
            )
        super().__init__(data, **inputs)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, **kwargs: Any
    ) -> LexicographicExplorer:
        """Open on a fitted model and samples; the same as the argument ``model``.

        Parameters
        ----------
        estimator : fitted LexRank or LexProb
            The explorer opens with its order. "LexRank's order" is then the one that these
            samples ask for.
        X, y, **kwargs
            See :class:`LexicographicExplorer`.

        Returns
        -------
        LexicographicExplorer

        Raises
        ------
        ValueError
            If it is another model, not fitted, or for other data.
        """
        return cls(X, y, model=estimator, **kwargs)

    # ------------------------------------------------------------------ pictures

    def _make_panels(self) -> list[Panel]:
        self._list = OrderPanel(
            {
                "up": lambda k: self._press("up", k),
                "down": lambda k: self._press("down", k),
                "flip": lambda k: self._try(lambda: self.flip(self._list.listing[k])),
                "drop": self._drop_or_take,
            },
            self._bring,
            lambda k: self._try(lambda: self.choose(self.result.rankers[k])),
        )
        return [self._list, TreePanel(), CurvesPanel(), AttributesPanel()]

    def static_figure(self, theme_: Theme | None = None) -> Any:
        """Return the picture as a matplotlib figure.

        Parameters
        ----------
        theme_ : Theme, optional
            By default the one in force.

        Returns
        -------
        matplotlib.figure.Figure
        """
        from rocviz.widgets.lexicographic.still import draw

        return draw(self, theme_)

    # ------------------------------------------------------------------ controls

    def _controls(self) -> list[ipywidgets.Widget]:
        slider = ipywidgets.FloatSlider(
            min=0, max=STRONGEST, step=0.5, description="smoothing of the counts"
        )
        slider.readout_format = ".1f"
        self._link(slider, "smoothing", clip=lambda value: float(np.clip(value, 0, STRONGEST)))
        self._back = self._button(
            "LexRank's order", "Order and preferred values as LexRank has them", self.restore
        )
        chips = [self._back, self._menu("data", "preset", list(self.preset_names))]
        return [
            control(slider, "knob-reference"),
            control(ipywidgets.Box(chips), "rocviz-chips"),
        ]

    def _follow(self, result: LexicographicResult) -> None:
        """Let controls that hang on the order follow it."""
        self._list.follow(self)
        if self._back.disabled != result.is_own:
            self._back.disabled = result.is_own

    # ------------------------------------------------------------------ acts

    def _press(self, act: str, k: int) -> None:
        """Move the attribute at a place by one; the focus goes with it."""
        place = k - 1 if act == "up" else k + 1
        if 0 <= place < len(self.order):
            self._try(lambda: self.move(self._list.listing[k], place))
            self._list.focus(place, act)

    def _drop_or_take(self, k: int) -> None:
        column = self._list.listing[k]
        if column in self.order:
            self._try(lambda: self.drop(column))
        else:
            self._try(lambda: self.move(column, len(self.order)))

    def _bring(self, column: int | None) -> None:
        if column is not None and not self._shows:
            self._try(lambda: self.move(column, 0))
