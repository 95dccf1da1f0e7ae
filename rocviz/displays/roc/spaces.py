"""The spaces that curves of rankings are drawn in: words, axes and lines without skill of each.

A new space is one row of :data:`SPACES`. The curve itself is that of
:func:`rocviz.core.curve_spaces.space_curve.space_curve`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass

import numpy as np

from rocviz.core.base.validation import Floats
from rocviz.core.curve_spaces.space_curve import SpaceCurve
from rocviz.pictures import Axis

Limits = tuple[float, float]
Ticks = Sequence[float] | Mapping[float, str]

# corners of a picture, as shares of width and height
LOWER_LEFT = (0.0, 0.0)
LOWER_MIDDLE = (0.5, 0.0)
LOWER_RIGHT = (1.0, 0.0)
UPPER_RIGHT = (1.0, 1.0)


def _unit_limits(highest: float, prevalence: float) -> Limits:
    """Choose the whole range of a rate, whatever the curves are."""
    return 0.0, 1.0


def _all_of_x(prevalence: float) -> Limits:
    """Choose the whole range of a rate or a cost proportion."""
    return 0.0, 1.0


@dataclass(frozen=True)
class Space:
    """A space: its words, its axes, and how they depend on curves and prevalence.

    Parameters
    ----------
    name : str
        One of :data:`rocviz.core.curve_spaces.space_curve.SPACES`.
    title, x_label, y_label : str
    baselines : callable
        Maps x, of shape (n,), and a prevalence to the heights of each line without skill.
    area : str
        What the area below a curve is called; empty where it is not finite, or says nothing.
    no_skill : str
        What the lines without skill are called; empty if they need no words.
    legend_corner : tuple of float
        Where the legend covers least, as shares of width and height.
    hull : str
        What the hull is called.
    x_limits : callable
        Maps a prevalence to the ends of the x axis that are shown by default.
    y_limits : callable
        Maps the greatest finite height of the curves that is shown, and a prevalence, to the ends
        of the y axis.
    x_ticks, y_ticks : sequence of float, or mapping of float to str, optional
        As those of :class:`rocviz.pictures.Axis`; a mapping writes other texts than the numbers.
    has_bent_baselines : bool
        Whether a line without skill is not straight.
    lower_is_better : bool
        Whether a smaller area is better, as in spaces of costs.
    is_lower_envelope : bool
        Whether each threshold is a line of its own, and the curve always that of the hull.
    """

    name: str
    _: KW_ONLY
    title: str
    x_label: str
    y_label: str
    baselines: Callable[[Floats, float], Sequence[Floats]]
    area: str = ""
    no_skill: str = ""
    legend_corner: tuple[float, float] = LOWER_RIGHT
    hull: str = "convex hull"
    x_limits: Callable[[float], Limits] = _all_of_x
    y_limits: Callable[[float, float], Limits] = _unit_limits
    x_ticks: Ticks | None = None
    y_ticks: Ticks | None = None
    has_bent_baselines: bool = False
    lower_is_better: bool = False
    is_lower_envelope: bool = False

    def limits_of_y(
        self, curves: Iterable[SpaceCurve], prevalence: float, x_limits: Limits
    ) -> Limits:
        """Choose limits of the y axis that show all curves and the lines without skill.

        Parameters
        ----------
        curves : iterable of SpaceCurve
            At least one of them has a point in between the ``x_limits``.
        prevalence : float
        x_limits : tuple of float
            Ends of the x axis.
        """
        left, right = x_limits
        highest = -np.inf
        for curve in curves:
            is_shown = (curve.x >= left) & (curve.x <= right) & np.isfinite(curve.y)
            highest = float(curve.y[is_shown].max(initial=highest))
        return self.y_limits(highest, prevalence)

    def axes(self, x_limits: Limits, y_limits: Limits) -> tuple[Axis, Axis]:
        """Make the axes of a picture."""
        x = Axis(self.x_label, *x_limits, self.x_ticks)
        y = Axis(self.y_label, *y_limits, self.y_ticks)
        return x, y

    def without_skill(self, prevalence: float, x_limits: Limits) -> list[tuple[Floats, Floats]]:
        """Compute the lines without skill between two ends of the x axis."""
        x = np.linspace(*x_limits, 201 if self.has_bent_baselines else 2)
        return [(x, y) for y in self.baselines(x, prevalence)]


# ---------------------------------------------------------------------- lines without skill


def _diagonal(x: Floats, prevalence: float) -> list[Floats]:
    return [x]


def _constant_precision(x: Floats, prevalence: float) -> list[Floats]:
    return [np.full_like(x, prevalence)]


def _falling_diagonal(x: Floats, prevalence: float) -> list[Floats]:
    return [1 - x]


def _lift_of_one(x: Floats, prevalence: float) -> list[Floats]:
    return [np.ones_like(x)]


def _trivial_costs(x: Floats, prevalence: float) -> list[Floats]:
    return [x, 1 - x]


def _trivial_losses(x: Floats, prevalence: float) -> list[Floats]:
    return [2 * np.minimum(x * (1 - prevalence), (1 - x) * prevalence)]


def _trivial_net_benefits(x: Floats, prevalence: float) -> list[Floats]:
    all_positive = prevalence - (1 - prevalence) * x / np.maximum(1 - x, 1e-9)
    return [np.zeros_like(x), all_positive]


# ---------------------------------------------------------------------- limits


def _lift_limits(highest: float, prevalence: float) -> Limits:
    return 0.0, 1.08 * max(highest, 1.0)


def _cost_limits(highest: float, prevalence: float) -> Limits:
    return 0.0, 0.56


def _brier_limits(highest: float, prevalence: float) -> Limits:
    return 0.0, 1.25 * max(highest, prevalence * (1 - prevalence) * 2)


def _net_benefit_limits(highest: float, prevalence: float) -> Limits:
    return -0.15 * prevalence, 1.08 * max(highest, prevalence)


def _useful_thresholds(prevalence: float) -> Limits:
    """Choose threshold probabilities up to twice the prevalence, at least up to a half."""
    return 0.0, min(max(2 * prevalence, 0.5), 0.99)


_ALL_SPACES = (
    Space(
        "roc",
        title="ROC curve",
        x_label="false positive rate",
        y_label="true positive rate",
        area="AUC",
        baselines=_diagonal,
    ),
    Space(
        "precision_recall",
        title="Precision and recall",
        x_label="recall",
        y_label="precision",
        area="mean precision",
        no_skill="at random: the prevalence",
        baselines=_constant_precision,
        legend_corner=LOWER_LEFT,
    ),
    Space(
        "pr_gain",
        title="Gains of precision and recall",
        x_label="recall gain",
        y_label="precision gain",
        area="mean gain",
        no_skill="F1 of predicting all positive",
        baselines=_falling_diagonal,
        legend_corner=LOWER_LEFT,
    ),
    Space(
        "gain",
        title="Cumulative gain",
        x_label="share predicted positive",
        y_label="true positive rate",
        area="area",
        no_skill="at random",
        baselines=_diagonal,
    ),
    Space(
        "lift",
        title="Lift",
        x_label="share predicted positive",
        y_label="times more than at random",
        area="mean lift",
        no_skill="at random",
        baselines=_lift_of_one,
        legend_corner=UPPER_RIGHT,
        y_limits=_lift_limits,
    ),
    Space(
        "cost",
        title="Cost curve",
        x_label="probability cost",
        y_label="expected cost, best threshold",
        area="mean cost",
        no_skill="none or all positive",
        baselines=_trivial_costs,
        legend_corner=LOWER_MIDDLE,
        y_limits=_cost_limits,
        lower_is_better=True,
        is_lower_envelope=True,
    ),
    Space(
        "brier",
        title="Brier curve",
        x_label="cost proportion = threshold",
        y_label="expected loss",
        area="Brier score",
        no_skill="saying the prevalence",
        hull="hull's probabilities",
        baselines=_trivial_losses,
        has_bent_baselines=True,
        legend_corner=UPPER_RIGHT,
        y_limits=_brier_limits,
        lower_is_better=True,
    ),
    Space(
        "decision",
        title="Decision curve",
        x_label="threshold probability",
        y_label="net benefit in found positives",
        no_skill="none or all positive",
        hull="hull's probabilities",
        baselines=_trivial_net_benefits,
        has_bent_baselines=True,
        legend_corner=UPPER_RIGHT,
        x_limits=_useful_thresholds,
        y_limits=_net_benefit_limits,
    ),
)

#: All spaces by their names, in the order of the core's.
SPACES = {space.name: space for space in _ALL_SPACES}
