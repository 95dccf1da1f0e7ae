"""The state of the scoring list explorer: one list, one case that walks down it, and two limits.

Works without a browser. It asks the core for every number and draws nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import traitlets

from rocviz.core.roc.binomial_interval import METHODS
from rocviz.core.scoring_lists.stage_probability import STAGE_CALIBRATIONS
from rocviz.widgets.base.state import ExplorerState, Sentence
from rocviz.widgets.scoring_lists.code import code
from rocviz.widgets.scoring_lists.data import AS_GIVEN, PRESET_LISTS, preset_data
from rocviz.widgets.scoring_lists.result import (
    Rule,
    ScoringListResult,
    Walk,
    calls,
    efforts,
    judge,
    shown,
    stops,
    walk,
)
from rocviz.widgets.scoring_lists.words import AS_WRITTEN, NO_COUNTS, NO_SAMPLES, sentences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from rocviz.core.scoring_lists.scoring_list import ScoringList
    from rocviz.widgets.scoring_lists.data import ListData, OwnList

__all__ = ["QUANTITIES", "ScoringListState"]

#: What the curves over the stages may show; the first needs no samples.
QUANTITIES = ("probability", "entropy", "brier", "auc", "expected_loss", "loss")
KEPT = 32  # lists, bands and losses kept for going back and forth


class ScoringListState(ExplorerState):
    """State of the scoring list explorer.

    Parameters
    ----------
    data : OwnList, optional
        One's own list; without it, the presets.
    **inputs
        Initial values of the traits below.
    """

    #: The stage looked at, from 0 (before any question); negative numbers count from the end.
    stage = traitlets.Int(-1).tag(input=True, sandbox=True)
    #: The case: 1 (yes), 0 (no) or None (unknown) for each question in list order.
    answers = traitlets.Tuple().tag(input=True, sandbox=True)
    #: Points of each question in list order; empty means those the list came with.
    scores = traitlets.Tuple().tag(input=True, sandbox=True)
    #: What it costs to ask each question, in list order; empty means as the data say.
    feature_costs = traitlets.Tuple().tag(input=True, sandbox=True)
    #: A case is called negative, and asked no more, at this probability or less ...
    lower = traitlets.Float(0.1, min=0.0, max=1.0).tag(input=True, sandbox=True)
    #: ... and positive at this one or more.
    upper = traitlets.Float(0.9, min=0.0, max=1.0).tag(input=True, sandbox=True)
    #: Whether the whole interval must be beyond a limit, not only the probability.
    by_interval = traitlets.Bool(False).tag(input=True, sandbox=True)
    #: Cost of a miss, in false alarms.
    cost_fn = traitlets.Float(1.0, min=0.01, max=1000.0).tag(input=True, sandbox=True)
    #: Whether the upper end of the interval decides between the classes.
    risk_averse = traitlets.Bool(False).tag(input=True, sandbox=True)
    #: Of the intervals.
    confidence = traitlets.Float(0.95, min=0.01, max=0.999).tag(input=True)
    #: How the interval of a single total is made.
    interval_method = traitlets.Enum(METHODS, "clopper-pearson").tag(input=True)
    #: Whether the intervals of a stage hold all together, or each by itself.
    simultaneous = traitlets.Bool(True).tag(input=True)
    #: How totals become probabilities.
    calibration = traitlets.Enum((AS_GIVEN, *STAGE_CALIBRATIONS), AS_GIVEN).tag(
        input=True, sandbox=True
    )
    #: What is drawn over the stages.
    quantity = traitlets.Enum(QUANTITIES, "probability").tag(input=True, sandbox=True)
    #: Whether points and costs are open to be changed.
    editing = traitlets.Bool(False).tag(input=True)

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        name: {
            "calibration": AS_GIVEN if recipe is None else "isotonic",
            "quantity": "probability" if recipe is None else "entropy",
            **({"lower": 0.02, "upper": 0.4} if "synthetic" in name else {}),
            **({"lower": 0.05, "upper": 0.95} if name == "breast cancer" else {}),
        }
        for name, recipe in PRESET_LISTS.items()
    }

    def __init__(self, data: OwnList | None = None, **inputs: Any) -> None:
        self._own = data
        keep = lru_cache(maxsize=KEPT)
        self._shown, self._bands = keep(shown), keep(_bands)
        self._judge, self._stops = keep(judge), keep(stops)
        self._check_names(inputs)
        super().__init__(**inputs)

    # ------------------------------------------------------------------ data

    @property
    def has_own_data(self) -> bool:
        """Whether it was opened on a list of one's own."""
        return self._own is not None

    @property
    def is_own(self) -> bool:
        """Whether one's own list is looked at."""
        return self._own is not None and self.preset == self.own

    @property
    def data(self) -> ListData:
        """The list as it came, and its samples."""
        if self._own is not None and self.is_own:
            return self._own.data
        return preset_data(self.preset)

    @property
    def questions(self) -> tuple[str, ...]:
        """What is asked, in list order."""
        return self.data.scoring_list.questions()

    @property
    def rule(self) -> Rule:
        """When one stops, and what one decides."""
        return Rule(self.lower, self.upper, self.by_interval, self.cost_fn, self.risk_averse)

    @property
    def band_options(self) -> dict[str, Any]:
        """What the core calls the intervals held."""
        return {
            "confidence": self.confidence,
            "method": self.interval_method,
            "correction": "bonferroni" if self.simultaneous else None,
        }

    # ------------------------------------------------------------------ rules

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

    def adjust(self, changed: set[str]) -> None:
        """Let what hangs on the list follow it; refuse what cannot go together."""
        if "preset" in changed:
            for name, value in self._opening().items():
                if name not in changed:
                    setattr(self, name, value)
        if self.lower > self.upper:
            if {"lower", "upper"} <= changed:
                raise traitlets.TraitError(
                    f"lower must not exceed upper; got {self.lower} and {self.upper}."
                )
            follows = "upper" if "lower" in changed else "lower"
            setattr(self, follows, self.lower if "lower" in changed else self.upper)
        self._fit_to_list()
        self._fit_to_samples(changed)
        if "answers" in changed and "stage" not in changed:
            self.stage = self._way().stage
        try:
            self.stage = self.data.scoring_list.stage_number(self.stage)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from error

    def _opening(self) -> dict[str, Any]:
        """Return what a list opens with."""
        defaults = self._preset_defaults()
        first = {}
        if self._initial.get("preset", self.preset) == self.preset:
            first = {k: v for k, v in self._initial.items() if k != "preset"}
        if not self.is_own:
            return {**defaults, **self.presets[self.preset], **first}
        quantity = "entropy" if self.data.has_scores else "probability"
        return {**defaults, "quantity": quantity, **first}

    def _fit_to_list(self) -> None:
        """Give every question its answer, points and cost."""
        made, costs = self.data.scoring_list, self.data.costs
        size = len(made)
        self.scores = self.scores or tuple(made.scores.tolist())
        self.feature_costs = self.feature_costs or costs
        for name in ("scores", "feature_costs", "answers"):
            given = getattr(self, name)
            if len(given) > size or (name != "answers" and len(given) < size):
                raise traitlets.TraitError(
                    f"{name} must have one entry per question, {size}; got {len(given)}."
                )
        self.answers = (*self.answers, *(None,) * (size - len(self.answers)))

    def _fit_to_samples(self, changed: set[str]) -> None:
        """Refuse, or give up, what needs samples or counts that there are not."""
        data = self.data
        if self.scores != tuple(data.scoring_list.scores.tolist()):
            if data.fit is None:
                raise traitlets.TraitError(f"scores: {NO_SAMPLES}")
            if self.calibration == AS_GIVEN:
                self.calibration = "isotonic"
        if self.calibration not in data.calibrations:
            if "calibration" in changed:
                raise traitlets.TraitError(
                    f"calibration must be one of {', '.join(data.calibrations)} for this list; "
                    f"got {self.calibration!r}."
                )
            self.calibration = data.calibrations[0]
        if not data.has_scores and self.quantity != "probability":
            if "quantity" in changed:
                raise traitlets.TraitError(f"quantity {self.quantity!r}: {NO_COUNTS}")
            self.quantity = "probability"
        if self._list_and_bands()[1] is None:
            for name in ("by_interval", "risk_averse"):
                if getattr(self, name) and name in changed:
                    why = AS_WRITTEN if data.has_scores else NO_COUNTS
                    raise traitlets.TraitError(f"{name}: {why}")
                setattr(self, name, False)

    # ------------------------------------------------------------------ acts

    def answer(self, question: int | str, answer: int | None) -> None:
        """Answer one question of the case.

        Parameters
        ----------
        question : int or str
            Its position in the list, counted from 0, or its feature's name.
        answer : {1, 0, None}
            Yes, no, or unknown.

        Raises
        ------
        ValueError
            If there is no such question.
        """
        k = self._position(question)
        self.answers = (*self.answers[:k], answer, *self.answers[k + 1 :])

    def give_points(self, question: int | str, score: int) -> None:
        """Change the points of one question; probabilities are counted anew.

        Parameters
        ----------
        question : int or str
            As for :meth:`answer`.
        score : int
            Points of a yes.

        Raises
        ------
        ValueError
            If there is no such question.
        traitlets.TraitError
            If there are no samples to count on.
        """
        k = self._position(question)
        self.scores = (*self.scores[:k], score, *self.scores[k + 1 :])

    def _position(self, question: int | str) -> int:
        names = self.data.scoring_list.feature_names
        if isinstance(question, str) and question in names:
            return names.index(question)
        if not isinstance(question, str) and 0 <= question < len(names):
            return int(question)
        raise ValueError(
            f"question must be one of {', '.join(names)}, or its position from 0 to "
            f"{len(names) - 1}; got {question!r}."
        )

    # ------------------------------------------------------------------ result

    def reset(self) -> None:
        """Go back to how the explorer opened."""
        super().reset()
        self.stage = self._initial["stage"]  # where the answers' return has moved it from

    def _list_and_bands(self) -> tuple[ScoringList, Any]:
        made = self._shown(self.data, self.scores, self.calibration)
        return made, self._bands(made, **self.band_options)

    def _way(self) -> Walk:
        made, bands = self._list_and_bands()
        called = calls(made, bands, self.rule)
        spent = efforts(made, self.feature_costs)
        return walk(made, self.answers, self.rule, bands, called, spent)

    def compute(self) -> ScoringListResult:
        """Return everything the explorer shows, for the inputs as they stand."""
        data = self.data
        made, bands = self._list_and_bands()
        came = tuple(data.scoring_list.scores.tolist())
        learned = made if came == self.scores else self._shown(data, came, self.calibration)
        options = {
            "cost_fn": self.cost_fn,
            "use": "upper" if self.risk_averse else "point",
            **self.band_options,
        }
        n_asked, cost = efforts(made, self.feature_costs)
        samples = data.judge or data.fit
        where = None
        if samples is not None:
            where = self._stops(
                made,
                samples,
                self.feature_costs,
                **self.rule.limits,
                **self.band_options,
            )
        return ScoringListResult(
            scoring_list=made,
            learned=learned,
            bands=bands,
            walk=self._way(),
            judged=self._judge(data, made, **options),
            judged_learned=self._judge(data, learned, **options),
            stops=where,
            calls=calls(made, bands, self.rule),
            n_asked=n_asked,
            cost=cost,
        )

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What the picture shows at this setting, in words."""
        return sentences(self)

    def code(self) -> str:
        """Return the lines of Python that reproduce the numbers on screen."""
        return code(self)

    def to_frame(self) -> pd.DataFrame:
        """Return one row per stage: its question, the case's way, and the losses."""
        import pandas as pd

        result = self.result
        way, size = result.walk, len(result.scoring_list) + 1

        def padded(values: Sequence[Any]) -> list[Any]:
            return [*values, *[np.nan] * (size - len(values))]

        columns: dict[str, Any] = {
            "after": ["", *self.questions],
            "points": pd.array([None, *self.scores], dtype="Int64"),
            "cost": result.cost,
            "total": pd.array(
                [*way.totals.tolist(), *[None] * (size - way.totals.size)], dtype="Int64"
            ),
            **{name: padded(getattr(way, name)) for name in ("probability", "lower", "upper")},
        }
        for side in ("train", "test"):
            for name in QUANTITIES[1:]:
                curve = result.judged.curve(side, name)
                if curve is not None:
                    columns[f"{name}, {side}"] = curve
        if result.stops is not None:
            columns["stop here"] = result.stops.share
        return pd.DataFrame(columns).rename_axis("stage")


def _bands(made: ScoringList, **options: Any) -> Any:
    if not made.stages[0].has_counts:
        return None
    return tuple(stage.band(**options) for stage in made.stages)


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, int | float | np.number)
        and not isinstance(value, bool)
        and bool(np.isfinite(value))
    )
