"""The result of a groups explorer: points, their cost, and the cost of a promise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rocviz.core.base.frozen import DataFrame, Frozen
from rocviz.core.base.validation import Floats
from rocviz.core.groups.policy import CriterionCurve, GroupPolicy


@dataclass(frozen=True, eq=False)
class GroupsResult(Frozen):
    """Everything the groups explorer shows at one setting.

    Parameters
    ----------
    policy : GroupPolicy
        The policy shown: the selected group at its chosen point, all others as the promise asks.
    best : GroupPolicy
        The cost-optimal policy that keeps the promise.
    free : GroupPolicy
        The cost-optimal policy without a promise.
    curve : CriterionCurve
        The cost of keeping the promise; without a promise, the cost by the point of the selected
        group, while the other groups stay where they are.
    value : float
        The policy's place on the curve: the value that is equal in all groups.
    common : tuple of ndarray, or None
        (fpr, tpr) of the border of the points that all groups can reach; with equalized odds only.
    """

    policy: GroupPolicy
    best: GroupPolicy
    free: GroupPolicy
    curve: CriterionCurve
    value: float
    common: tuple[Floats, Floats] | None

    @property
    def extra_cost(self) -> float:
        """Cost per sample beyond that of the cost-optimal policy without a promise."""
        return self.policy.cost - self.free.cost

    @property
    def extra_cost_per_1000(self) -> float:
        """The same for a thousand samples, at least 0 in spite of rounding."""
        return max(1000 * self.extra_cost, 0.0)

    def to_frame(self) -> DataFrame:
        """Tabulate the policy, one row per group."""
        return self.policy.to_frame()


def nearest_on(x: Floats, y: Floats, point: tuple[float, float]) -> tuple[float, float]:
    """Find the point of a line that is nearest to a point."""
    start = np.column_stack((x, y))[:-1]
    step = np.column_stack((np.diff(x), np.diff(y)))
    size = (step**2).sum(axis=1)
    along = ((np.asarray(point) - start) * step).sum(axis=1)
    part = np.clip(np.divide(along, size, out=np.zeros_like(along), where=size > 0), 0, 1)
    feet = start + part[:, None] * step
    nearest = feet[((feet - point) ** 2).sum(axis=1).argmin()]
    return float(nearest[0]), float(nearest[1])


def point_of_share(
    fpr: Floats, tpr: Floats, prevalence: float, share: float
) -> tuple[float, float]:
    """Find the point of a rising line at which a share of the group is predicted positive."""
    shares = prevalence * tpr + (1 - prevalence) * fpr
    return float(np.interp(share, shares, fpr)), float(np.interp(share, shares, tpr))
