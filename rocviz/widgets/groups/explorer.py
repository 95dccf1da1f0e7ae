"""The groups explorer: its constructor, its pictures and the actions on them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from numpy.typing import ArrayLike

from rocviz.core.roc.segments import RankedSegments
from rocviz.displays.groups.pictures import (
    MAX_GROUPS,
    curves_picture,
    people_picture,
    price_picture,
    rates_picture,
    scores_picture,
)
from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.own_data import FromEstimator
from rocviz.widgets.base.stage import Panel
from rocviz.widgets.groups.data import Grouped
from rocviz.widgets.groups.state import GroupsState
from rocviz.widgets.groups.view import of_state

if TYPE_CHECKING:
    from rocviz.widgets.groups.inputs import GroupsInputs


class GroupsExplorer(GroupsState, FromEstimator, Explorer):
    """Make every group the same promise, move their points, and see what it costs.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), or mapping of label to RankedSegments, optional
        Labels of exactly two classes, both in every group; or, alone, segments by group. Without
        data: simulated groups.
    y_score : array-like of float, shape (n_samples,), optional
        Scores, higher means more positive.
    groups : array-like, shape (n_samples,), optional
        Group of each sample; none may be missing. The six largest are drawn.
    sample_weight : array-like of float, shape (n_samples,), optional
        Weights.
    pos_label : label, optional
        The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.
    labels : mapping of label to str, or pair of str, optional
        Names of the classes in sentences and pictures: by label, or of the negative and of the
        positive class. By default the labels themselves, unless they are 0 and 1, -1 and 1, or
        booleans, which name nothing.
    criterion : str, optional
        Promise to the groups: the rate that is to be the same in all of them. One of 'none',
        'single_threshold', 'demographic_parity', 'equal_opportunity', 'predictive_equality',
        'equalized_odds', 'predictive_parity'.
    group : str, optional
        Name of the group whose point is moved by the slider.
    predicted_positive_rates : tuple, optional
        Share of each group that is predicted positive, in the order of the groups; with a promise
        all follow the selected group.
    cost_fn : float, optional
        Cost of a missed positive, if a false alarm costs 1. From 0.01 to 100.
    tolerance : float, optional
        By how much the promised rate may differ between groups. From 0 to 0.3.
    prevalences : tuple, optional
        Prevalence of each group where the score is to be used, in the order of the groups; by
        default that of the data.
    show_hulls : bool, optional
        Draw the convex hull of every curve.
    separation_a : float, optional
        Distance of the means of the classes in A, in standard deviations. From 0 to 8.
    separation_b : float, optional
        Distance of the means of the classes in B, in standard deviations. From 0 to 8.
    prevalence_a : float, optional
        Share of positives drawn in A. From 0.02 to 0.98.
    prevalence_b : float, optional
        Share of positives drawn in B. From 0.02 to 0.98.
    shift_b : float, optional
        Shift of the log odds of the scores in B. From -4 to 4.
    share_b : float, optional
        Share of B among the samples of A and B. From 0.05 to 0.95.
    third_group : bool, optional
        Draw a third group, C.
    n_samples : int, optional
        Number of samples drawn of A and B. From 20 to 1,000,000.
    seed : int, optional
        Seed of the sample drawn.
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
    result : GroupsResult
        What is on screen: ``result.policy``, ``result.best`` and ``result.free`` are
        :class:`rocviz.core.groups.GroupPolicy`.

    Raises
    ------
    ValueError
        If the data are invalid; nothing is drawn in that case.
    TypeError
        If an input is unknown; the message lists the ones there are.

    See Also
    --------
    rocviz.core.groups.cost_optimal_policy : The cost-optimal policy that keeps a promise.

    References
    ----------
    Hardt, Price and Srebro (2016). Wattenberg, Viégas and Hardt (2016).

    Examples
    --------
    >>> explorer = GroupsExplorer(criterion="equal_opportunity")
    >>> a, b = explorer.result.policy.points.values()
    >>> abs(a[1] - b[1]) < 1e-9
    True
    >>> explorer.close()
    """

    def __init__(
        self,
        y_true: ArrayLike | Mapping[Any, RankedSegments] | None = None,
        y_score: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        labels: Any = None,
        **inputs: Unpack[GroupsInputs],
    ) -> None:
        data = None
        arguments = (y_true, y_score, groups, sample_weight, pos_label, labels)
        if any(argument is not None for argument in arguments):
            if y_true is None:
                raise ValueError("y_true, y_score and groups go together; give all or none.")
            data = Grouped(
                y_true,
                y_score,
                groups,
                sample_weight=sample_weight,
                pos_label=pos_label,
                labels=labels,
            )
        super().__init__(data, **inputs)

    # ------------------------------------------------------------------ pictures

    def _make_panels(self) -> dict[str, Panel]:
        points = {}
        thresholds = {}
        for i in range(MAX_GROUPS):
            points[f"point:{i}"] = ("predicted_positive_rates", partial(self._drag_point, i))
            thresholds[f"threshold:{i}"] = (
                "predicted_positive_rates",
                partial(self._drag_threshold, i),
            )
        return {
            "people": Panel(of_state(people_picture), drags=thresholds),
            "roc": Panel(
                of_state(curves_picture),
                drags=points,
                on_click={"group": partial(setattr, self, "group")},
            ),
            "scores": Panel(of_state(scores_picture), drags=thresholds),
            "rates": Panel(of_state(rates_picture)),
            "price": Panel(
                of_state(price_picture),
                drags={"price": ("predicted_positive_rates", lambda x, _y: self.set_rate(x))},
            ),
        }

    # ------------------------------------------------------------------ actions of the user

    def _drag_point(self, i: int, x: float, y: float) -> None:
        self.move_to(self.data.shown[i].name, x, y)

    def _drag_threshold(self, i: int, x: float, _y: float) -> None:
        low, high = self.data.bounds
        self.set_threshold(self.data.shown[i].name, min(max(x, low), high))
