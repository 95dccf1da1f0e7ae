"""The state of the groups explorer: a promise, a point of each group, and their cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
import traitlets

from rocviz.core.base.validation import describe
from rocviz.core.groups.policy import (
    CRITERIA,
    CriterionCurve,
    GroupPolicy,
    common_region,
    cost_optimal_policy,
    criterion_curve,
    policy_at,
    policy_through,
)
from rocviz.displays.groups.pictures import equal_value
from rocviz.widgets.base.controls import (
    Action,
    Choice,
    Control,
    Linear,
    Log,
    Slider,
    Switch,
    Text,
    ValidatedTuple,
    Values,
    real,
)
from rocviz.widgets.base.state import OTHER_DATA, WHO_IS_PREDICTED, DrawnState, miss_cost
from rocviz.widgets.groups import words as wording
from rocviz.widgets.groups.data import Grouped
from rocviz.widgets.groups.result import GroupsResult, nearest_on, point_of_share
from rocviz.widgets.groups.words import PROMISES
from rocviz.words import MAX_CLASS_LETTERS, amount, percent, short_names

SAMPLE_SIZES = (100, 200, 500, 1000, 2000, 5000, 10_000, 100_000)


def tolerance_words(state: Any) -> str:
    """Write by how much the promised rate may differ; nothing where no rate is promised."""
    if state.effective_tolerance:
        return f"within {percent(state.effective_tolerance)}"
    return "exactly" if state.criterion in PROMISES_OF_RATES else ""


def promises_a_rate(state: Any) -> bool:
    """Whether the promise is that a rate is the same in all groups."""
    return state.criterion in PROMISES_OF_RATES


#: Promises that a rate is the same in all groups; the others have no tolerance.
PROMISES_OF_RATES = CRITERIA[2:]
#: What shares of the groups may be, for error messages, and a function that converts one.
SHARE_VALUES: Any = ("shares from 0 to 1", partial(real, low=0, high=1))


class GroupsState(DrawnState):
    """State of the groups explorer, on given data or simulated groups."""

    result: GroupsResult
    data: Grouped
    _own: Grouped
    sketched = 2000

    pictures: ClassVar[Mapping[str, str]] = {
        "people": WHO_IS_PREDICTED,
        "roc": "ROC curves of the groups",
        "scores": "Scores by group",
        "rates": "What each group gets",
        "price": "What the promise costs",
    }

    @traitlets.default("panels")
    def _four_panels(self) -> tuple[str, ...]:
        """Open a sandbox on people, and the user's own groups on their curves."""
        first = ("people", "roc") if self.is_sandbox else ("roc", "scores")
        return (*first, "rates", "price")

    groups: ClassVar[Mapping[str, Callable[[Any], str]]] = {
        "costs": lambda state: f"{state.cost_fn:.3g} : 1",
        "almost": tolerance_words,
        "prevalence": lambda state: percent(state.prevalences[state.place]),
        "show": lambda state: "hulls" if state.show_hulls else "",
        **OTHER_DATA,
    }

    criterion = Choice("promise", PROMISES, in_sight=True).as_enum(
        "equal_opportunity",
        "Promise to the groups: the rate that is to be the same in all of them.",
    )
    group = Choice("selected group", lambda state: short_names(state.data.names, 17)).of(
        Text(help="Name of the group whose point is moved by the slider.")
    )
    predicted_positive_rates = Slider(
        "predicted positive",
        Linear(0.0, 1.0, 0.001),
        lambda share: percent(share, 1),
        hint="The share of the selected group that is predicted positive; the others follow",
        role="selected",
        is_indexed=True,
        set=lambda state, share: state.set_share(share),
    ).of(
        ValidatedTuple(
            *SHARE_VALUES,
            help="Share of each group that is predicted positive, in the order of the groups; with "
            "a promise all follow the selected group.",
        )
    )
    cost_fn = miss_cost(Log(0.01, 100.0, per_decade=10), group="costs")
    tolerance = Slider(
        "may differ by",
        Linear(0.0, 0.3, 0.01),
        percent,
        group="almost",
        enabled=promises_a_rate,
    ).as_float(0.0, "By how much the promised rate may differ between groups.")
    prevalences = Slider(
        "group's prevalence",
        Linear(0.01, 0.99, 0.01),
        percent,
        hint="The share of positives in the selected group, where the score is to be used",
        group="prevalence",
        role="reference",
        is_indexed=True,
    ).of(
        ValidatedTuple(
            *SHARE_VALUES,
            help="Prevalence of each group where the score is to be used, in the order of the "
            "groups; by default that of the data.",
        )
    )
    show_hulls = Switch("convex hulls", group="show").as_bool(
        True, "Draw the convex hull of every curve."
    )
    separation_a = Slider("separation in A", Linear(0.0, 8.0, 0.05), ".2f", sandbox=True).as_float(
        2.0, "Distance of the means of the classes in A, in standard deviations."
    )
    separation_b = Slider("separation in B", Linear(0.0, 8.0, 0.05), ".2f", sandbox=True).as_float(
        1.2, "Distance of the means of the classes in B, in standard deviations."
    )
    prevalence_a = Slider(
        "prevalence in A", Linear(0.02, 0.98, 0.01), ".0%", sandbox=True
    ).as_float(0.5, "Share of positives drawn in A.")
    prevalence_b = Slider(
        "prevalence in B", Linear(0.02, 0.98, 0.01), ".0%", sandbox=True
    ).as_float(0.3, "Share of positives drawn in B.")
    shift_b = Slider("shift of B", Linear(-4.0, 4.0, 0.1), ".1f", sandbox=True).as_float(
        0.0, "Shift of the log odds of the scores in B."
    )
    share_b = Slider("share of B", Linear(0.05, 0.95, 0.05), ".0%", sandbox=True).as_float(
        0.3, "Share of B among the samples of A and B."
    )
    third_group = Switch("a third group", sandbox=True).as_bool(False, "Draw a third group, C.")
    n_samples = Slider("samples", Values(SAMPLE_SIZES), sandbox=True).as_int(
        1000, "Number of samples drawn of A and B.", low=20, high=1_000_000
    )

    extra_controls: ClassVar[Mapping[str, Control]] = {
        "cost_optimal": Action(
            "go to the lowest cost",
            "select_cost_optimal",
            hint="Move all groups to the points with the lowest cost that keep the promise",
            enabled=lambda state: state.result.policy.cost > state.result.best.cost + 1e-9,
        )
    }

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "a score that is worse for the smaller group": {},
        "one curve, two prevalences": {"separation_b": 2.0, "prevalence_b": 0.2, "share_b": 0.5},
        "a shifted score": {"separation_b": 2.0, "shift_b": -1.5, "prevalence_b": 0.5},
        "a perfect score": {"separation_a": 8.0, "separation_b": 8.0},
        "three groups": {"third_group": True},
    }
    kept = ("criterion", "cost_fn", "tolerance", "show_hulls")

    words = wording
    main_controls = ("predicted_positive_rates",)

    # ------------------------------------------------------------------ data

    def drawn(self, settings: dict[str, Any], rough: bool = False) -> Grouped:
        """Simulate groups by the settings of the sandbox."""
        return Grouped.simulated(settings)

    def needs_preview(self, changed: set[str]) -> bool:
        """Whether more samples must be drawn than is possible while the user drags."""
        return self.is_sandbox and self.n_samples > self.sketched and not self._is_drawn()

    @property
    def place(self) -> int:
        """Place of the current group among all groups."""
        return self.data.names.index(self.group)

    @property
    def effective_tolerance(self) -> float:
        """Tolerance of the promise; 0 for promises that equalise no rate."""
        return self.tolerance if promises_a_rate(self) else 0.0

    @property
    def policy_options(self) -> dict[str, Any]:
        """Costs and prevalences, as the core takes them."""
        return {
            "cost_fp": 1.0,
            "cost_fn": self.cost_fn,
            "prevalence": dict(zip(self.data.names, self.prevalences, strict=True)),
        }

    # ------------------------------------------------------------------ rules

    def adjust(self, changed: set[str]) -> None:
        """Adjust dependent inputs to the data, and all groups to the current one."""
        super().adjust(changed)
        names = self.data.names
        new_data = self._has_other_data(changed)
        for name in ("predicted_positive_rates", "prevalences"):
            values = getattr(self, name)
            fits = len(values) == len(names)
            if not fits and name in changed and values and not new_data:
                raise traitlets.TraitError(
                    f"{name} must have a share for each of {len(names)} groups; got "
                    f"{describe(values)}."
                )
            if name == "prevalences" and (not fits or (new_data and name not in changed)):
                rankings = self.data.rankings.values()
                self.prevalences = tuple(segments.prevalence for segments in rankings)
        if not all(0 < pi < 1 for pi in self.prevalences):
            raise traitlets.TraitError("prevalences must be above 0 and below 1.")
        self._keep_known("group", names, names[0], changed, follows=new_data)
        fits = len(self.predicted_positive_rates) == len(names)
        goes_to_best = new_data or bool(changed & {"criterion", "tolerance"})
        if not fits or (goes_to_best and "predicted_positive_rates" not in changed):
            self.predicted_positive_rates = self._rates_of(self._best_policy())
        else:
            rates = self._rates_of(self._selected_policy())
            # rounding must not move the shares
            if not np.allclose(rates, self.predicted_positive_rates, rtol=0, atol=1e-12):
                self.predicted_positive_rates = rates

    def _rates_of(self, policy: GroupPolicy) -> tuple[float, ...]:
        return tuple(min(max(share, 0.0), 1.0) for share in policy.predicted_positive_rate.values())

    # ------------------------------------------------------------------ policies

    def _policy_settings(self) -> tuple[Any, ...]:
        """List the settings of the cost-optimal policies, except the promise."""
        return self.data.number, self.cost_fn, self.prevalences

    def _cost_optimal_policy(self, criterion: str, tolerance: float) -> GroupPolicy:
        def compute() -> GroupPolicy:
            try:
                return cost_optimal_policy(
                    self.data.rankings,
                    criterion=criterion,
                    tolerance=tolerance,
                    **self.policy_options,
                )
            except ValueError as error:  # no points of these groups keep the promise
                raise traitlets.TraitError(str(error)) from error

        key = ("cost-optimal", criterion, tolerance, *self._policy_settings())
        policy: GroupPolicy = self._known(key, compute)
        return policy

    def _best_policy(self) -> GroupPolicy:
        return self._cost_optimal_policy(self.criterion, self.effective_tolerance)

    def _common_region(self) -> tuple[Any, Any]:
        """Compute the border of the region below all hulls."""
        key = ("common", self.data.number)
        return self._known(key, lambda: common_region(self.data.rankings))

    def _possible_points(self, name: str) -> tuple[Any, Any]:
        """Get the line of a group's possible points: its hull, its curve, or the common border."""
        if self.criterion == "equalized_odds" and not self.effective_tolerance:
            return self._common_region()
        segments = self.data.rankings[name]
        if self.criterion == "single_threshold":
            return segments.fpr, segments.tpr
        vertices = segments.hull_vertices
        return segments.fpr[vertices], segments.tpr[vertices]

    def _selected_policy(self) -> GroupPolicy:
        """Compute the policy of the current shares; all groups follow the current one."""
        rankings = self.data.rankings
        names = self.data.names
        rates = self.predicted_positive_rates
        # through the same point of one group others may cost as little, and where nobody is
        # predicted positive there is no precision to follow
        if rates == self._rates_of(self._best_policy()):
            return self._best_policy()
        if self.criterion == "single_threshold":
            return policy_at(rankings, points=self._threshold(), **self.policy_options)
        points = {}
        for name, pi, share in zip(
            names, self.prevalences, self.predicted_positive_rates, strict=True
        ):
            points[name] = point_of_share(*self._possible_points(name), pi, share)
        if self.criterion == "none":
            return policy_at(rankings, points=points, **self.policy_options)
        fpr, tpr = points[self.group]
        return policy_through(
            rankings,
            group=self.group,
            fpr=fpr,
            tpr=tpr,
            criterion=self.criterion,
            tolerance=self.effective_tolerance,
            **self.policy_options,
        )

    def _threshold(self) -> float:
        """Find the threshold whose shares are closest to the present ones, first in this group."""
        thresholds, rates = self._known(
            ("rates at thresholds", self.data.number, self.prevalences), self._rates_at_thresholds
        )
        distance = np.abs(rates - np.array(self.predicted_positive_rates)[:, None])
        of_group = distance[self.place]
        nearest = np.flatnonzero(of_group <= of_group.min() + 1e-12)
        of_all = distance[:, nearest].sum(axis=0)
        return float(thresholds[nearest[of_all.argmin()]])

    def _rates_at_thresholds(self) -> tuple[Any, Any]:
        """List all thresholds, and the share of each group that scores at least that much."""
        rankings = self.data.rankings.values()
        scores = np.unique(np.concatenate([segments.score for segments in rankings]))
        thresholds = np.append(scores, np.inf)
        rates = []
        for segments, pi in zip(rankings, self.prevalences, strict=True):
            index = segments.score.size - np.searchsorted(segments.score[::-1], thresholds)
            rates.append(pi * segments.tpr[index] + (1 - pi) * segments.fpr[index])
        return thresholds, np.array(rates)

    def _criterion_curve(self) -> CriterionCurve:
        """Compute the costs of all values that can be equal in all groups."""
        try:
            return criterion_curve(
                self.data.rankings, criterion=self.criterion, **self.policy_options
            )
        except ValueError as error:  # only within a tolerance can the promise be kept
            raise traitlets.TraitError(
                f"The costs of equal values cannot be drawn, for there are none: {error}"
            ) from error

    def _cost_curve(self, policy: GroupPolicy) -> CriterionCurve:
        """Compute the curve of the promise's cost over the equal rate."""
        if self.criterion != "none":
            return self._known(
                ("price", self.criterion, *self._policy_settings()), self._criterion_curve
            )
        fpr, tpr = self._possible_points(self.group)
        pi = policy.prevalence[self.group]
        share = pi * tpr + (1 - pi) * fpr
        group_cost = self.cost_fn * pi * (1 - tpr) + (1 - pi) * fpr
        current_fpr, current_tpr = policy.points[self.group]
        current_cost = self.cost_fn * pi * (1 - current_tpr) + (1 - pi) * current_fpr
        cost = policy.cost + policy.population[self.group] * (group_cost - current_cost)
        lowest = int(cost.argmin())
        return CriterionCurve("none", share, cost, float(share[lowest]), float(cost[lowest]))

    def compute(self) -> GroupsResult:
        """Compute everything the explorer shows, for its present inputs."""
        policy = self._selected_policy()
        return GroupsResult(
            policy=policy,
            best=self._best_policy(),
            free=self._cost_optimal_policy("none", 0.0),
            curve=self._cost_curve(policy),
            value=equal_value(policy, self.criterion, self.group),
            common=self._common_region() if self.criterion == "equalized_odds" else None,
        )

    # ------------------------------------------------------------------ actions of the user

    def set_share(self, share: float, group: str | None = None) -> None:
        """Predict a share of a group positive; with a promise, all others follow.

        Parameters
        ----------
        share : float
            From 0 to 1.
        group : str, optional
            By default the selected one.
        """
        group = self.group if group is None else group
        rates = self._with("predicted_positive_rates", self.data.names.index(group), share)
        self.update(group=group, predicted_positive_rates=rates)

    def move_to(self, group: str, fpr: float, tpr: float) -> None:
        """Move the point of a group as near to a place as the promise allows.

        Parameters
        ----------
        group : str
        fpr, tpr : float
        """
        nearest_fpr, nearest_tpr = nearest_on(*self._possible_points(group), (fpr, tpr))
        pi = self.prevalences[self.data.names.index(group)]
        share = pi * nearest_tpr + (1 - pi) * nearest_fpr
        self.set_share(min(max(share, 0.0), 1.0), group)

    def set_threshold(self, group: str, threshold: float) -> None:
        """Predict positive from a threshold on in a group, as far as the promise allows.

        Parameters
        ----------
        group : str
        threshold : float
        """
        if self.criterion == "single_threshold":
            policy = policy_at(self.data.rankings, points=threshold, **self.policy_options)
            self.update(group=group, predicted_positive_rates=self._rates_of(policy))
            return
        table = self.data.rankings[group].at_threshold(threshold)
        pi = self.prevalences[self.data.names.index(group)]
        self.set_share(pi * table.tpr + (1 - pi) * table.fpr, group)

    def set_rate(self, value: float) -> None:
        """Bring the rate that is equal in all groups as close to a value as possible.

        Parameters
        ----------
        value : float
            In the units of the horizontal axis of the picture of the promise's cost.
        """
        group = self.group
        fpr, tpr = self._possible_points(group)
        pi = self.prevalences[self.place]
        share = pi * tpr + (1 - pi) * fpr
        if self.criterion == "single_threshold":
            self.set_threshold(group, value)
            return
        if self.criterion == "equal_opportunity":
            rate = tpr
        elif self.criterion in ("predictive_equality", "equalized_odds"):
            rate = fpr
        elif self.criterion == "predictive_parity":
            # precision falls along the hull; at its first point, nobody is predicted positive
            share = share[1:]
            rate = -pi * tpr[1:] / share
            value = -value
        else:
            rate = share
        self.set_share(float(np.clip(np.interp(value, rate, share), 0, 1)))

    def select_cost_optimal(self) -> None:
        """Move all groups to the points with the lowest cost that keep the promise."""
        self.predicted_positive_rates = self._rates_of(self._best_policy())

    # ------------------------------------------------------------------ words

    @property
    def table_names(self) -> dict[str, str]:
        """What the data call the classes and the score, for ``attrs`` of tables."""
        names = super().table_names
        if self.data.axis_name != "score":
            names["score"] = self.data.axis_name
        return names

    @property
    def about(self) -> str:
        """Source of the data, and the sizes of the groups."""
        data = self.data
        names = short_names(data.names, MAX_CLASS_LETTERS)
        sizes = ", ".join(
            f"{names[group.name]} {amount(group.segments.n_samples)}" for group in data.shown[:3]
        )
        text = f"{self.preset} · {sizes}"
        if len(data.names) > 3:
            text += f" and {len(data.names) - 3} more"
        if self.is_preview:
            n_samples = amount(data.n_samples)
            text = f"preview from {n_samples} samples, exact when the slider rests · {text}"
        return text

    def title(self, name: str) -> str:
        """Write the title of a picture."""
        if name == "price" and self.criterion == "none":
            return "What the point costs"
        return super().title(name)
