"""Data of the groups explorer: a ranking for each group, and its curve."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.naming import name_texts, score_name
from rocviz.core.base.validation import labels_of_classes
from rocviz.core.groups.ranking import rank_groups
from rocviz.core.roc.segments import RankedSegments
from rocviz.datasets import make_groups
from rocviz.displays.groups.pictures import Group, group_letters, largest_groups, score_bounds
from rocviz.widgets.base.own_data import OwnData, check_span
from rocviz.words import ClassNames


def group_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the settings of a sandbox into arguments of :func:`rocviz.datasets.make_groups`."""
    n = settings["n_samples"]
    share = settings["share_b"]
    sizes = [max(round(n * (1 - share)), 10), max(round(n * share), 10)]
    prevalence = [settings["prevalence_a"], settings["prevalence_b"]]
    separation = [settings["separation_a"], settings["separation_b"]]
    shift = [0.0, settings["shift_b"]]
    if settings["third_group"]:
        sizes.append(max(round(0.3 * n), 10))
        prevalence.append(0.35)
        separation.append((separation[0] + separation[1]) / 2)
        shift.append(0.0)
    return {
        "n_samples": sizes,
        "prevalence": prevalence,
        "separation": separation,
        "shift": shift,
        "random_state": settings["seed"],
    }


class Grouped(OwnData):
    """Labels, scores and groups, ranked group by group."""

    def __init__(
        self,
        y_true: ArrayLike | Mapping[Any, RankedSegments],
        y_score: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        pos_label: Any = None,
        labels: Any = None,
    ) -> None:
        rankings = rank_groups(y_true, y_score, groups, sample_weight, pos_label)
        of_classes: tuple[Any, Any] = (0, 1)
        if not isinstance(y_true, Mapping):
            of_classes = labels_of_classes(y_true, pos_label)
        self.class_names = ClassNames.of(*of_classes, labels)
        self.axis_name = score_name(y_score) or "score"
        names = name_texts(rankings, "groups")
        if len(set(names)) < len(names):
            raise ValueError(
                "groups must not hold two labels that are written alike, as 1 and '1'."
            )
        self.rankings = dict(zip(names, rankings.values(), strict=True))
        check_span(np.concatenate([ranking.score for ranking in rankings.values()]), "y_score")
        self.labels = dict(zip(names, rankings, strict=True))
        super().__init__(
            pos_label, y_true=y_true, y_score=y_score, groups=groups, sample_weight=sample_weight
        )

    @classmethod
    def simulated(cls, settings: Mapping[str, Any]) -> Grouped:
        """Draw the groups of a sandbox."""
        data = make_groups(**group_settings(settings))
        return cls(data.y_true, data.y_score, data.groups)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the groups."""
        return tuple(self.rankings)

    @cached_property
    def shown(self) -> tuple[Group, ...]:
        """The groups that are drawn, in their order."""
        return largest_groups(self.rankings)

    @cached_property
    def letters(self) -> dict[str, str]:
        """One or two letters for each group that is drawn."""
        return group_letters(self.shown)

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """Range of the scores."""
        return score_bounds(self.rankings)

    @property
    def n_samples(self) -> float:
        """Weight of all samples."""
        return sum(segments.n_samples for segments in self.rankings.values())

    def code_lines(self, name: str = "") -> list[str]:
        """Write Python that loads the arguments."""
        if isinstance(self.given["y_true"], Mapping):
            return [f"rankings = data_of({self.number})['y_true']"]
        return super().code_lines(name)
