"""The explorer of several classes: its constructor, its pictures and the actions on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Unpack

from numpy.typing import ArrayLike

from rocviz.displays.base.data import class_probabilities
from rocviz.displays.multiclass.pictures import curves_picture, matrix_picture, reliability_picture
from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.own_data import FromEstimator, both_given
from rocviz.widgets.base.stage import Panel
from rocviz.widgets.multiclass.data import ClassData
from rocviz.widgets.multiclass.state import MulticlassState
from rocviz.widgets.multiclass.view import (
    of_state,
    people_picture,
    plane_picture,
    point_picture,
)

if TYPE_CHECKING:
    from rocviz.widgets.multiclass.inputs import MulticlassInputs


class MulticlassExplorer(MulticlassState, FromEstimator, Explorer):
    """Three classes, one triangle: drag the point that decides which class is predicted.

    Parameters
    ----------
    y_true : array-like, shape (n_samples,), optional
        Labels of two classes or more. Without data: three classes drawn in the plane.
    y_prob : array-like of float, shape (n_samples, n_classes), optional
        Probabilities of the classes; each row sums to 1.
    classes : sequence of label, optional
        The labels in the order of the columns; needed unless columns of a data frame are named
        after them or labels are 0, 1, 2, ...
    labels : mapping of label to str, or sequence of str, optional
        Names of the classes in sentences and pictures: by label, or in the order of the classes.
        By default the labels themselves.
    sample_weight : array-like of float, shape (n_samples,), optional
        Weights.
    clusters : array-like, shape (n_samples,), optional
        Samples of one cluster (one patient's, say) vary together: the interval is of clusters.
    label : str, optional
        Name of the class whose entry of the point is moved by the slider.
    point : tuple, optional
        Point of the simplex, in the order of the classes: class k is predicted where its
        probability divided by entry k is the largest.
    metric : str, optional
        Metric whose best point has a ring. One of 'accuracy', 'cost', 'balanced_accuracy', 'mcc',
        'macro_f1', 'kappa'.
    miss_costs : tuple, optional
        Cost of a sample of each class for which another one is predicted; with any but equal costs
        the metric is the cost.
    prevalences : tuple, optional
        Prevalence of each class where the model is to be used; by default that of the data.
    calibration : {'identity', 'temperature', 'vector', 'dirichlet', 'hull'}, optional
        Calibration map of the probabilities, fitted on these samples.
    corners : tuple, optional
        Names of the three classes in the corners of the triangle.
    one_vs_rest : str, optional
        Name of a class that is compared with all others together; empty for all classes.
    source : {'drawn', 'iris', 'wine', 'digits'}, optional
        Source of the data: simulated, or a data set.
    separation : float, optional
        Distance of the means of the classes, in standard deviations. From 0 to 6.
    nearness : float, optional
        How far the mean of C is moved towards that of B. From 0 to 1.
    share_c : float, optional
        Share of C among the samples. From 0.02 to 0.9.
    over_confidence : float, optional
        Power to which the true probabilities are raised. From 0.19 to 20.
    n_samples : int, optional
        Number of samples drawn. From 30 to 1,000,000.
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
    result : MulticlassResult
        What is on screen: ``result.matrix`` is a :class:`rocviz.core.multiclass.ConfusionMatrix`,
        ``result.best`` a :class:`rocviz.core.multiclass.SimplexPoint`.

    Raises
    ------
    ValueError
        If the data are invalid; nothing is drawn in that case.
    TypeError
        If an input is unknown; the message lists the ones there are.

    See Also
    --------
    rocviz.best_simplex_point : The best point for a metric or for costs.

    References
    ----------
    Lachiche and Flach (2003). Hand and Till (2001).

    Examples
    --------
    >>> explorer = MulticlassExplorer(preset="iris")
    >>> explorer.point = (0.3, 0.4, 0.3)
    >>> explorer.result.matrix.counts.sum()
    np.float64(150.0)
    >>> explorer.close()
    """

    def __init__(
        self,
        y_true: ArrayLike | None = None,
        y_prob: ArrayLike | None = None,
        *,
        classes: Sequence[Any] | None = None,
        labels: Any = None,
        sample_weight: ArrayLike | None = None,
        clusters: ArrayLike | None = None,
        **inputs: Unpack[MulticlassInputs],
    ) -> None:
        data = None
        beside = {
            "classes": classes,
            "labels": labels,
            "sample_weight": sample_weight,
            "clusters": clusters,
        }
        if both_given(beside, y_true=y_true, y_prob=y_prob):
            assert y_true is not None and y_prob is not None  # noqa: PT018
            data = ClassData(
                y_true,
                y_prob,
                classes=classes,
                labels=labels,
                sample_weight=sample_weight,
                clusters=clusters,
            )
        super().__init__(data, **inputs)

    @classmethod
    def scores_of(cls, estimator: Any, X: Any, options: dict[str, Any]) -> Any:
        """Compute the probabilities of all classes, and name the classes in their order."""
        prob, classes = class_probabilities(estimator, X)
        options.setdefault("classes", classes)
        return prob

    # ------------------------------------------------------------------ pictures

    def _make_panels(self) -> dict[str, Panel]:
        return {
            "triangle": Panel(
                of_state(point_picture), drags={"point": ("point", self._drag_point)}
            ),
            "people": Panel(of_state(people_picture)),
            "matrix": Panel(of_state(matrix_picture)),
            "curves": Panel(of_state(curves_picture)),
            "reliability": Panel(of_state(reliability_picture)),
            "plane": Panel(plane_picture),
        }

    # ------------------------------------------------------------------ actions of the user

    def _drag_point(self, x: float, y: float) -> None:
        if len(self.names) == 2:
            self.set_entry(x, self.names[1])
        else:
            self.move_to(x, y)
