"""The lexicographic explorer: its constructor and its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rocviz.displays.lexicographic.pictures import leaf_points, leaves_above
from rocviz.widgets.base.background import opening
from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.stage import Panel
from rocviz.widgets.lexicographic.data import OwnTable
from rocviz.widgets.lexicographic.result import LexicographicResult
from rocviz.widgets.lexicographic.state import LexicographicState
from rocviz.widgets.lexicographic.view import attributes_picture, curves_picture, tree_picture
from rocviz.widgets.lexicographic.words import tree_note

if TYPE_CHECKING:
    from rocviz.widgets.lexicographic.inputs import LexicographicInputs

STEPS_TO_OPEN = 5  # of the bar: four rankings and the drawing; the user's samples take two more


class LexicographicExplorer(LexicographicState, Explorer):
    """Rearrange the attributes of a lexicographic ranker and see what that does to its ranking.

    Parameters
    ----------
    X : array-like or data frame, shape (n_samples, n_features), optional
        Columns of any kind, turned into attributes as :class:`rocviz.LexRank` does. Without
        data: fifty flights that are made up, the paper's twenty instances, and more presets.
    y : array-like, shape (n_samples,), optional
        Labels of two classes.
    model : fitted LexRank or LexProb, optional
        Its attributes, order and smoothing are taken over; the samples judge it.
    sample_weight : array-like of float, shape (n_samples,), optional
        Not negative; counts as repetition.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    labels : mapping of label to str, or pair of str, optional
        Names of the classes in sentences and pictures: by label, or of the negative and of the
        positive class. By default the labels themselves, unless they are 0 and 1, -1 and 1, or
        booleans, which name nothing.
    categorical_features : "from_dtype" or array-like, optional
        Of :class:`rocviz.LexRank`.
    order : tuple, optional
        Columns of the attributes in the order, the most important first; None is LexRank's own
        order.
    preferred : tuple, optional
        Preferred value, 0 or 1, of each column; None is LexRank's choice.
    leaves : int, optional
        Number of leaves, from the top of the tree, that are predicted positive; at most all.
    join : bool, optional
        Whether the leaves that the convex hull joins move together.
    smoothing : float, optional
        Number added to each count before ratios are computed; 1 is Laplace's correction. From 0 to
        1000.
    m : float, optional
        Parameter m of the m-estimate of LexProb's probabilities; 2 is Laplace's correction, 0
        leaves them raw. From 0 to 1000.
    preset : str, optional
        Name of a teaching situation: it sets its own inputs and resets all others.
    panels : tuple, optional
        Names of the pictures that are shown, in their order.
    focus : str, optional
        Name of the large picture. Unless it is set, or a title clicked, the first of the panels is
        large; ``None`` goes back to that.
    unfolded : tuple, optional
        Names of the controls outside the folds; by default the explorer's own choice.

    Attributes
    ----------
    result : LexicographicResult
        What is on screen: ``result.order`` is the
        selected :class:`rocviz.core.lexicographic.LexicographicOrder`, ``result.segments`` its
        ranking, ``result.tree`` the tree of its first five attributes.

    Raises
    ------
    ValueError
        If the data are invalid; nothing is drawn in that case.
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
    Flach and Matsubara (2008), sections 4 and 6.

    Examples
    --------
    >>> explorer = LexicographicExplorer(preset="twenty instances")
    >>> explorer.sentence
    'First A2 = 0, then A1 = 1: AUC 0.620, the convex hull 0.700. The top 3 of 4 leaves hold ...'
    >>> explorer.flip("A1")
    >>> explorer.order, explorer.preferred
    ((1, 0), (0, 0))
    >>> explorer.close()
    """

    cleared_attributes = ("_tried",)

    def __init__(
        self,
        X: Any = None,
        y: ArrayLike | None = None,
        *,
        model: Any = None,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        labels: Any = None,
        categorical_features: Any = None,
        **inputs: Unpack[LexicographicInputs],
    ) -> None:
        arguments = (X, y, model, sample_weight, pos_label, labels, categorical_features)
        is_own = any(argument is not None for argument in arguments)
        n_steps = STEPS_TO_OPEN + 2 if is_own else STEPS_TO_OPEN
        with opening(n_steps):
            data = None
            if is_own:
                self._check_names(inputs)
                learned: dict[str, Any] = {}
                if categorical_features is not None:
                    learned["categorical_features"] = categorical_features
                data = OwnTable(
                    X,
                    y,
                    model=model,
                    sample_weight=sample_weight,
                    pos_label=pos_label,
                    labels=labels,
                    **learned,
                )
            super().__init__(data, **inputs)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        labels: Any = None,
        **inputs: Unpack[LexicographicInputs],
    ) -> LexicographicExplorer:
        """Open on a fitted model and samples; the same as the argument ``model``.

        Parameters
        ----------
        estimator : fitted LexRank or LexProb
            The explorer opens with its order. "LexRank's order" is then the one that these
            samples ask for.
        X, y, sample_weight, pos_label, labels, **inputs
            See :class:`LexicographicExplorer`.

        Returns
        -------
        LexicographicExplorer

        Raises
        ------
        ValueError
            If it is another model, not fitted, or for other data.
        """
        return cls(
            X,
            y,
            model=estimator,
            sample_weight=sample_weight,
            pos_label=pos_label,
            labels=labels,
            **inputs,
        )

    def _make_panels(self) -> dict[str, Panel]:
        return {
            "tree": Panel(tree_picture, drags={"leaves": ("leaves", self._drag_border)}),
            "roc": Panel(curves_picture, drags={"leaves": ("leaves", self._drag_point)}),
            "attributes": Panel(attributes_picture),
        }

    def _drag_border(self, _x: float, y: float) -> None:
        """Predict the leaves above a height of the tree positive."""
        self.leaves = leaves_above(self.result.tree, y, self.join, tree_note(self))

    def _drag_point(self, x: float, y: float) -> None:
        """Predict the leaves positive that lead to the point of the curve nearest to another."""
        fpr, tpr = leaf_points(self.result.tree)
        self.leaves = int(np.argmin((fpr - x) ** 2 + (tpr - y) ** 2))

    def _complete(self, result: LexicographicResult) -> None:
        result.naive_bayes.hull()
