"""The inputs of the scoring list explorer: what they may be, and how they are controlled.

Traits with the controls that stand beside them. Computes nothing and draws nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets

from rocviz.core.roc.binomial_interval import METHODS
from rocviz.core.scoring_lists.stage_probability import STAGE_CALIBRATIONS
from rocviz.widgets.base.controls import Choice, Linear, Log, Slider, Switch
from rocviz.widgets.base.state import ExplorerState
from rocviz.widgets.scoring_lists.case import CONTROLS
from rocviz.widgets.scoring_lists.data import AS_GIVEN, PRESET_LISTS
from rocviz.widgets.scoring_lists.result import LOSSES
from rocviz.widgets.scoring_lists.words import METHOD_NAMES, QUANTITY_NAMES
from rocviz.words import percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocviz.widgets.base.controls import Control

__all__ = ["ScoringListControls", "has_bands"]

#: What the curves over the stages may show; the first needs no samples.
QUANTITIES = ("probability", *LOSSES)


def has_bands(state: Any) -> bool:
    """Whether the list's probabilities have intervals."""
    return state.result.bands is not None


class ScoringListControls(ExplorerState):
    """The inputs of the scoring list explorer and their controls."""

    pictures: ClassVar[Mapping[str, str]] = {
        "list": "The list",
        "stage": "One stage",
        "curves": "Question by question",
        "stops": "If one stops when sure",
    }
    groups: ClassVar[tuple[str, ...]] = (
        "limits, costs",
        "calibration",
        "points",
        "show",
        "other data",
    )
    extra_controls: ClassVar[Mapping[str, Control]] = CONTROLS

    answers = traitlets.Tuple(
        help="The case: 1 (yes), 0 (no) or None (unknown) for each question in list order."
    ).tag(input=True, sandbox=True)
    scores = traitlets.Tuple(
        help="Points of each question in list order; empty means those the list came with."
    ).tag(input=True, sandbox=True)
    feature_costs = traitlets.Tuple(
        help="What it costs to ask each question, in list order; empty means as the data say."
    ).tag(input=True, sandbox=True)
    lower = traitlets.Float(
        0.1,
        min=0.0,
        max=1.0,
        help="At this probability or less a case is called negative and asked no more.",
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="negative up to",
            hint="At this probability or less one stops and calls the case negative",
            group="limits, costs",
            grid=Linear(0.0, 1.0, 0.01),
            text=percent,
            thing="held",
        ),
    )
    upper = traitlets.Float(
        0.9,
        min=0.0,
        max=1.0,
        help="At this probability or more a case is called positive and asked no more.",
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="positive from",
            hint="At this probability or more one stops and calls the case positive",
            group="limits, costs",
            grid=Linear(0.0, 1.0, 0.01),
            text=percent,
            thing="held",
        ),
    )
    by_interval = traitlets.Bool(
        False, help="Whether the whole interval must be beyond a limit, not only the probability."
    ).tag(
        input=True,
        sandbox=True,
        control=Switch(
            label="stop by the whole interval",
            hint="Stop only where the whole interval is beyond a limit, not only the probability",
            group="limits, costs",
            enabled=has_bands,
        ),
    )
    cost_fn = traitlets.Float(
        1.0, min=0.01, max=1000.0, help="Cost of a miss, in units of a false alarm."
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="a miss, in false alarms",
            hint="What one missed positive costs, when a false alarm costs 1; it decides where no "
            "limit is reached",
            group="limits, costs",
            grid=Log(0.01, 1000.0, per_decade=10),
            thing="optimum",
        ),
    )
    risk_averse = traitlets.Bool(
        False, help="Whether the upper end of the interval decides where no limit is reached."
    ).tag(
        input=True,
        sandbox=True,
        control=Switch(
            label="the upper end decides",
            hint="Risk-averse: where no limit is reached, the upper end of the interval decides",
            group="limits, costs",
            enabled=has_bands,
        ),
    )
    calibration = traitlets.Enum(
        (AS_GIVEN, *STAGE_CALIBRATIONS), AS_GIVEN, help="How totals become probabilities."
    ).tag(
        input=True,
        sandbox=True,
        control=Choice(
            label="probabilities",
            group="calibration",
            options=lambda state: state.data.calibrations,
            enabled=lambda state: len(state.data.calibrations) > 1,
        ),
    )
    confidence = traitlets.Float(
        0.95, min=0.01, max=0.999, help="Confidence of the intervals."
    ).tag(
        input=True,
        control=Slider(
            label="confidence",
            group="calibration",
            grid=Linear(0.5, 0.99, 0.01),
            text=percent,
            thing="reference",
            enabled=has_bands,
        ),
    )
    interval_method = traitlets.Enum(
        METHODS, "clopper-pearson", help="How the interval of a single total is made."
    ).tag(
        input=True,
        control=Choice(
            label="interval",
            group="calibration",
            options=METHOD_NAMES,
            enabled=has_bands,
        ),
    )
    simultaneous = traitlets.Bool(
        True, help="Whether the intervals of a stage hold all together, or each by itself."
    ).tag(
        input=True,
        control=Switch(
            label="for all totals together",
            hint="Bonferroni's correction: the intervals of a stage hold all together",
            group="calibration",
            enabled=has_bands,
        ),
    )
    stage = traitlets.Int(
        0,
        help="The stage looked at, from 0 (before any question); it follows the case, and negative "
        "numbers count from the end.",
    ).tag(
        input=True,
        sandbox=True,
        control=Slider(
            label="questions asked",
            hint="Look at another stage than the case's",
            group="show",
            grid=lambda state: Linear(0, len(state.questions), 1),
            thing="held",
        ),
    )
    quantity = traitlets.Enum(
        QUANTITIES, "probability", help="What is drawn question by question."
    ).tag(
        input=True,
        sandbox=True,
        control=Choice(
            label="curve",
            group="show",
            options=QUANTITY_NAMES,
            enabled=lambda state: state.data.has_scores,
        ),
    )
    editing = traitlets.Bool(False, help="Whether the fold with the points opens in the rail.").tag(
        input=True
    )

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        name: {
            "calibration": AS_GIVEN if recipe is None else "isotonic",
            "quantity": "probability" if recipe is None else "entropy",
            # a cut that lies between the limits, so that they do not contradict each other
            **({"lower": 0.02, "upper": 0.4, "cost_fn": 10.0} if "synthetic" in name else {}),
            **({"lower": 0.05, "upper": 0.95} if name == "breast cancer" else {}),
        }
        for name, recipe in PRESET_LISTS.items()
    }

    @traitlets.validate("answers")
    def _as_answers(self, proposal: Any) -> tuple[int | None, ...]:
        for answer in proposal["value"]:
            if answer is not None and answer not in (0, 1):
                raise traitlets.TraitError(
                    f"answers must be 1 (yes), 0 (no) or None (unknown); got {answer!r}."
                )
        return tuple(None if a is None else int(a) for a in proposal["value"])

    @traitlets.validate("scores")
    def _as_scores(self, proposal: Any) -> tuple[int, ...]:
        for score in proposal["value"]:
            if not _is_number(score) or score != round(score):
                raise traitlets.TraitError(f"scores must be whole numbers; got {score!r}.")
        return tuple(int(score) for score in proposal["value"])

    @traitlets.validate("feature_costs")
    def _as_costs(self, proposal: Any) -> tuple[float, ...]:
        for cost in proposal["value"]:
            if not _is_number(cost) or cost < 0:
                raise traitlets.TraitError(
                    f"feature_costs must be numbers from 0 up; got {cost!r}."
                )
        return tuple(float(cost) for cost in proposal["value"])


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, int | float | np.number)
        and not isinstance(value, bool)
        and bool(np.isfinite(value))
    )
