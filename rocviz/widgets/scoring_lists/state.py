"""The state of the scoring list explorer: a list, a case, and two limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import traitlets

from rocviz.core.base.validation import check_spread, describe, list_labels
from rocviz.core.roc.metrics import INTERVAL_METHODS
from rocviz.core.scoring_lists.scoring_list import ScoringList
from rocviz.core.scoring_lists.stage import STAGE_CALIBRATIONS, ScoringStage
from rocviz.widgets.base.background import step
from rocviz.widgets.base.controls import (
    Action,
    Choice,
    Control,
    Linear,
    Log,
    Row,
    Rows,
    Slider,
    Switch,
    ValidatedTuple,
    bit,
    read_number,
    real,
)
from rocviz.widgets.base.state import OTHER_DATA, ExplorerState, miss_cost
from rocviz.widgets.scoring_lists import words as wording
from rocviz.widgets.scoring_lists.data import (
    AS_GIVEN_PRESET,
    PRESET_LISTS,
    ListData,
    OwnList,
    preset_data,
)
from rocviz.widgets.scoring_lists.result import (
    LOSSES,
    Rule,
    ScoringListResult,
    Walk,
    answers_to,
    count_samples,
    evaluate,
    list_shown,
    walk,
)
from rocviz.widgets.scoring_lists.stopping import (
    Bands,
    Limits,
    can_guarantee,
    efforts,
    ends_of_answers,
    ends_of_samples,
    guaranteed_limits,
    only_answer,
    stage_decisions,
    stops,
    total_indices,
)
from rocviz.widgets.scoring_lists.words import (
    AS_WRITTEN_NOTE,
    METHOD_NAMES,
    NO_COUNTS_NOTE,
    NO_SAMPLES_NOTE,
    NO_TEST_SAMPLES_NOTE,
    QUANTITY_NAMES,
    stage_text,
    verdict,
)
from rocviz.words import ClassNames, amount, percent, shorten

if TYPE_CHECKING:
    from rocviz.widgets.scoring_lists.inputs import ScoringListInputs

ANSWERS = {"yes": 1, "no": 0, "?": None}
POINTS_NOTE = "Points of a yes; the probabilities are estimated again."
ANSWER_NAMES = {answer: name for name, answer in ANSWERS.items()}


def case_rows(state: Any) -> list[Row]:
    """Make a row for each question: its answer, and the probability after it."""
    result = state.result
    way = result.walk
    scoring_list = result.scoring_list
    rows = []
    for k, question in enumerate(state.questions):
        fixed = only_answer(scoring_list, k)
        answer = state.answers[k] if fixed is None else fixed
        counts = k < way.stage
        is_last = k + 1 == max(way.stage, 1)
        bar = None
        text = ""
        note = ""
        role = "hull"
        if counts:
            p = float(way.probability[k + 1])
            ends = (float(way.lower[k + 1]), float(way.upper[k + 1]))
            bar = (p, p, p) if result.bands is None else (*ends, p)
            text = percent(p)
        elif answer is not None and not way.is_confident:
            note = "waits for the questions above"
        decided = way.next_question is None
        if is_last and (way.stage or decided):
            note = verdict(state)
        if is_last and decided:
            role = "positive" if way.positive else "negative"
        rows.append(
            Row(
                key=k,
                label=question,
                value=ANSWER_NAMES[answer],
                text=text,
                note=note,
                bar=bar,
                marked=k == way.next_question,
                muted=not counts and k != way.next_question,
                role="muted" if bar is None and not (is_last and decided) else role,
            )
        )
    return rows


def _question(state: Any, k: int) -> str:
    """Name a question in a message."""
    return shorten(state.questions[k], 60)


def _answer(state: Any, k: int, name: str) -> None:
    fixed = only_answer(state.result.scoring_list, k)
    if fixed is not None and ANSWERS[name] != fixed:
        raise ValueError(
            f"{_question(state, k)}: the answer is {ANSWER_NAMES[fixed]} for every sample, so it "
            "is never asked."
        )
    state.answer(k, ANSWERS[name])


def _number(state: Any, k: int, value: Any, what: str) -> float:
    return read_number(f"{what} of {_question(state, k)}", str(value))


def _can_count(state: Any) -> bool:
    return state.data.fit is not None


def _number_rows(name: str, step: float, spoken: str, state: Any) -> list[Row]:
    values = getattr(state, name)
    rows = []
    for k, question in enumerate(state.questions):
        rows.append(Row(key=k, label=question, number=(values[k], step, spoken)))
    return rows


def _set_points(state: Any, k: int, value: Any) -> None:
    points = _number(state, k, value, "points")
    if points != round(points):
        raise ValueError(f"points of {_question(state, k)} must be a whole number.")
    state.set_points(k, int(points))


#: Controls of no single trait.
CONTROLS: dict[str, Control] = {
    "case": Rows(
        "the case",
        case_rows,
        _answer,
        choices=(("yes", "yes", "yes"), ("no", "no", "no"), ("?", "?", "unknown")),
        as_cards=True,
        get=lambda state: state.answers,
    ),
    "clear_case": Action(
        "another case",
        "clear_case",
        hint="Clear all answers",
        enabled=lambda state: any(answer is not None for answer in state.answers),
    ),
    "costs": Rows(
        "what it costs to ask",
        partial(_number_rows, "feature_costs", 0.5, "cost of asking"),
        lambda state, k, value: state.set_cost(k, _number(state, k, value, "cost")),
        note="What it costs to ask:",
        group="limits, costs",
    ),
    "points": Rows(
        "points of a yes",
        partial(_number_rows, "scores", 1, "points"),
        _set_points,
        group="points",
        note=lambda state: POINTS_NOTE if _can_count(state) else NO_SAMPLES_NOTE,
        enabled=_can_count,
    ),
    "restore_points": Action(
        "original points",
        "restore_points",
        hint="Undo every change of the points",
        group="points",
        enabled=lambda state: state.result.is_edited,
    ),
}


#: Quantities of the curves over the stages; the first needs no samples.
QUANTITIES = ("probability", *LOSSES)


def has_bands(state: Any) -> bool:
    """Whether the list's probabilities have intervals."""
    return state.result.bands is not None


def has_test_samples(state: Any) -> bool:
    """Whether there are held-out samples that a guarantee can be made from."""
    return can_guarantee(state.data.test)


def guarantee_words(guarantee: float) -> str:
    """Write the probability of a guarantee, if there is one."""
    return percent(guarantee) if guarantee else "none"


def limit_words(state: Any) -> str:
    """Write both limits, and the probability of a guarantee if there is one."""
    limits = f"{percent(state.lower)}, {percent(state.upper)}"
    return f"{limits}, {percent(state.guarantee)} sure" if state.guarantee else limits


def points_of(value: Any) -> int:
    """Make an integer of points, which may be whole numbers of any type."""
    if real(value) != round(value):
        raise ValueError
    return int(value)


def answer_of(value: Any) -> int | None:
    """Convert an answer to 1, 0 or None."""
    return None if value is None else bit(value)


def calibration_words(state: Any) -> str:
    """Name the calibration, and the confidence of the intervals if there are any."""
    if has_bands(state):
        return f"{state.calibration}, {percent(state.confidence)}"
    return str(state.calibration)


FIRST_PRESET = next(iter(PRESET_LISTS))


def preset_inputs(name: str) -> dict[str, Any]:
    """Collect the inputs of a preset."""
    is_written = PRESET_LISTS[name] is None
    inputs: dict[str, Any] = {
        "calibration": AS_GIVEN_PRESET if is_written else "isotonic",
        "quantity": "probability" if is_written else "entropy",
    }
    if "synthetic" in name:
        # the threshold of the costs lies between the limits, so that they do not contradict it
        inputs |= {"lower": 0.02, "upper": 0.4, "cost_fn": 10.0}
    if name == FIRST_PRESET:
        inputs["answers"] = (1, 0)  # a case on its way
    if name == "breast cancer":
        inputs |= {"lower": 0.05, "upper": 0.95}
    return inputs


def _limit(label: str, answer: str, comparison: str, default: float) -> Any:
    """Declare one of the limits at which the questions stop."""
    return Slider(
        label,
        Linear(0.0, 1.0, 0.01),
        percent,
        group="limits, costs",
        role="selected",
    ).as_float(
        default,
        f"At this probability {comparison}, the questions stop and the case is {answer}.",
    )


MAX_KEPT_LISTS = 32  # lists, bands and losses kept for going back and forth
MAX_KEPT_STAGES = 512  # stages of which the bands are kept
N_PREVIEW_KINDS = 1000  # kinds of samples in a preview
#: Answers of all kinds of samples, up to which no preview is needed.
MAX_ANSWERS_WITHOUT_PREVIEW = 120_000
MIN_ANSWERS_OF_LATE_RESULT = 20_000_000  # answers that take about a second to count
# inputs that determine where the samples stop, and the counts of totals
COUNTED_INPUTS = (
    "preset",
    "scores",
    "calibration",
    "lower",
    "upper",
    "by_interval",
    "guarantee",
    "confidence",
)


class ScoringListState(ExplorerState):
    """State of the scoring list explorer, on a given list or the presets."""

    result: ScoringListResult
    _own: OwnList

    pictures: ClassVar[Mapping[str, str]] = {
        "list": "The list",
        "stage": "One stage",
        "curves": "Question by question",
        "stops": "Stopping when sure",
    }
    groups: ClassVar[Mapping[str, Callable[[Any], str]]] = {
        "limits, costs": limit_words,
        "calibration": calibration_words,
        "points": lambda state: "changed" if state.result.is_edited else "original",
        "show": lambda state: QUANTITY_NAMES[state.quantity],
        **OTHER_DATA,
    }
    extra_controls: ClassVar[Mapping[str, Control]] = CONTROLS

    kept = ("confidence", "interval_method", "simultaneous")

    answers = ValidatedTuple(
        "1 (yes), 0 (no) or None (unknown)",
        answer_of,
        help="The case: 1 (yes), 0 (no) or None (unknown) for each question in list order.",
    ).tag(input=True)
    scores = ValidatedTuple(
        "whole numbers",
        points_of,
        help="Points of each question in list order; empty means the list's own.",
    ).tag(input=True)
    feature_costs = ValidatedTuple(
        "numbers from 0 up",
        partial(real, low=0),
        help="Cost of asking each question, in list order; empty means the costs of the data.",
    ).tag(input=True)
    lower = _limit("rule out up to", "ruled out", "or less", 0.1)
    upper = _limit("rule in from", "ruled in", "or more", 0.9)
    by_interval = Switch(
        "stop by the whole interval",
        group="limits, costs",
        enabled=has_bands,
    ).as_bool(False, "Whether the whole interval must be beyond a limit, not only the probability.")
    guarantee = Slider(
        "guaranteed on new data",
        Linear(0.0, 0.99, 0.01),
        guarantee_words,
        group="limits, costs",
        role="reference",
        enabled=has_test_samples,
    ).as_float(
        0.0,
        "Probability with which the limits are promises about new cases: stricter limits are then "
        "used, so that of those ruled out at most ``lower`` are positive and of those ruled in at "
        "least ``upper``. 0 promises nothing.",
        0.0,
        0.999,
    )
    cost_fn = miss_cost(
        Log(0.01, 1000.0, per_decade=10),
        "Cost of a missed positive, if a false alarm costs 1; it decides where no limit is "
        "reached.",
        group="limits, costs",
    )
    risk_averse = Switch(
        "the upper end decides",
        group="limits, costs",
        enabled=has_bands,
    ).as_bool(False, "Whether the upper end of the interval decides where no limit is reached.")
    calibration = Choice(
        "probabilities",
        lambda state: state.data.calibrations,
        group="calibration",
        enabled=lambda state: len(state.data.calibrations) > 1,
    ).as_enum(
        AS_GIVEN_PRESET,
        "Method that estimates the probabilities of totals.",
        (AS_GIVEN_PRESET, *STAGE_CALIBRATIONS),
    )
    confidence = Slider(
        "confidence",
        Linear(0.5, 0.99, 0.01),
        percent,
        group="calibration",
        role="reference",
        enabled=has_bands,
    ).as_float(0.95, "Confidence of the intervals.", 0.01, 0.999)
    interval_method = Choice(
        "interval", METHOD_NAMES, group="calibration", enabled=has_bands
    ).as_enum("clopper-pearson", "Method of the interval of a single total.", INTERVAL_METHODS)
    simultaneous = Switch(
        "for all totals together",
        group="calibration",
        enabled=has_bands,
    ).as_bool(True, "Whether all intervals of a stage hold together, by Bonferroni's correction.")
    stage = Slider(
        "questions asked",
        lambda state: Linear(0, len(state.questions), 1),
        group="show",
        role="selected",
    ).as_int(
        0,
        "The stage that is shown, from 0 (before any question); it follows the case, and negative "
        "numbers count from the end.",
    )
    quantity = Choice(
        "curve", QUANTITY_NAMES, group="show", enabled=lambda state: state.data.has_scores
    ).as_enum("probability", "Quantity that is drawn question by question.", QUANTITIES)

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        name: preset_inputs(name) for name in PRESET_LISTS
    }

    @traitlets.validate("feature_costs")
    def _near_each_other(self, proposal: Any) -> tuple[float, ...]:
        costs: tuple[float, ...] = proposal["value"]
        try:
            check_spread("feature_costs", costs)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from error
        return costs

    words = wording
    main_controls = ("answers",)

    def __init__(self, data: OwnList | None = None, **inputs: Unpack[ScoringListInputs]) -> None:
        keep = lru_cache(maxsize=MAX_KEPT_LISTS)
        bands = lru_cache(maxsize=MAX_KEPT_STAGES)(ScoringStage.band)
        self._list_shown = keep(list_shown)
        self._bands = keep(partial(_bands, bands))
        self._evaluate = keep(evaluate)
        self._count_samples = keep(count_samples)
        self._decisions = keep(stage_decisions)
        self._total_indices = keep(total_indices)
        self._guaranteed_limits = keep(guaranteed_limits)
        self._ends_of_samples = keep(ends_of_samples)
        self._questions = keep(_questions)
        self._few = keep(ListData.few)
        super().__init__(data, **inputs)

    # ------------------------------------------------------------------ data

    @property
    def data(self) -> ListData:
        """The original list, and its samples."""
        return preset_data(self.preset) if self.is_sandbox else self._own.data

    @property
    def _computed_data(self) -> ListData:
        """The list and its samples; in a preview, few of them."""
        return self._few(self.data, N_PREVIEW_KINDS) if self.is_preview else self.data

    def needs_preview(self, changed: set[str]) -> bool:
        """Whether very many samples have to be counted again, or follow the list again."""
        if self.data.n_answers <= MAX_ANSWERS_WITHOUT_PREVIEW:
            return False
        # during a preview, the case must not wait for the exact result either
        counted_again = {*COUNTED_INPUTS, "interval_method", "simultaneous"} & changed
        return self.is_preview or bool(counted_again)

    @property
    def questions(self) -> tuple[str, ...]:
        """The questions, in list order."""
        return self._questions(self.data)

    @property
    def class_names(self) -> ClassNames:
        """Names of the two classes; "positive" and "negative" where the data do not name them."""
        recipe = PRESET_LISTS[self.preset] if self.is_sandbox else None
        return super().class_names if recipe is None else recipe.class_names

    @property
    def rule(self) -> Rule:
        """The rule for stopping and deciding."""
        return Rule(*self.limits, self.by_interval, self.cost_fn, self.risk_averse)

    @property
    def limits(self) -> Limits:
        """The probabilities at which the questions stop; with a guarantee, stricter ones."""
        if not self.guarantee:
            return self.lower, self.upper
        scoring_list = self._list_and_bands()[0]
        wanted = (self.lower, self.upper, self.guarantee)
        return self._guaranteed_limits(scoring_list, self.data.test, *wanted)

    @property
    def band_options(self) -> dict[str, Any]:
        """Options of the current intervals, as the core names them."""
        return {
            "confidence": self.confidence,
            "method": self.interval_method,
            "correction": "bonferroni" if self.simultaneous else None,
        }

    # ------------------------------------------------------------------ rules

    def adjust(self, changed: set[str]) -> None:
        """Adjust dependent inputs to the list; refuse contradictions."""
        super().adjust(changed)
        before = self.result
        at_case = isinstance(before, ScoringListResult) and self.stage == before.walk.stage
        follows = "stage" not in changed and (at_case or bool(changed & {"answers", "preset"}))
        self._keep_order("lower", "upper", changed)
        self._fit_to_list()
        self._fit_to_samples(changed)
        self._fit_guarantee(changed)
        if follows:
            self.stage = self._walk().stage
        try:
            self.stage = self.data.scoring_list.stage_number(self.stage)
        except ValueError as error:
            raise traitlets.TraitError(str(error)) from error

    def _preset_defaults(self) -> dict[str, Any]:
        """Collect the defaults of the inputs except the stage, which follows the case."""
        defaults = super()._preset_defaults()
        del defaults["stage"]
        if not self.is_sandbox and self.data.has_scores:
            defaults["quantity"] = "entropy"
        return defaults

    def _fit_to_list(self) -> None:
        """Give every question its answer, points and cost."""
        scoring_list = self.data.scoring_list
        costs = self.data.costs
        size = len(scoring_list)
        self.scores = self.scores or tuple(scoring_list.scores.tolist())
        self.feature_costs = self.feature_costs or costs
        for name in ("scores", "feature_costs", "answers"):
            n_entries = len(getattr(self, name))
            if n_entries > size or (name != "answers" and n_entries < size):
                raise traitlets.TraitError(
                    f"{name} must have one entry per question, {size}; got {n_entries}."
                )
        self.answers = (*self.answers, *(None,) * (size - len(self.answers)))

    def _fit_to_samples(self, changed: set[str]) -> None:
        """Refuse or reset inputs that need samples or counts which are missing."""
        data = self.data
        if self.scores != tuple(data.scoring_list.scores.tolist()):
            if data.fit is None:
                raise traitlets.TraitError(f"scores: {NO_SAMPLES_NOTE}")
            if self.calibration == AS_GIVEN_PRESET:
                self.calibration = "isotonic"
        if self.calibration not in data.calibrations:
            if "calibration" in changed:
                raise traitlets.TraitError(
                    f"calibration must be one of {', '.join(data.calibrations)} for this list; "
                    f"got {describe(self.calibration)}."
                )
            self.calibration = data.calibrations[0]
        if not data.has_scores and self.quantity != "probability":
            if "quantity" in changed:
                raise traitlets.TraitError(f"quantity {describe(self.quantity)}: {NO_COUNTS_NOTE}")
            self.quantity = "probability"
        if self._list_and_bands()[1] is None:
            for name in ("by_interval", "risk_averse"):
                if getattr(self, name) and name in changed:
                    why = AS_WRITTEN_NOTE if data.has_scores else NO_COUNTS_NOTE
                    raise traitlets.TraitError(f"{name}: {why}")
                setattr(self, name, False)

    def _fit_guarantee(self, changed: set[str]) -> None:
        """Refuse or reset a guarantee that needs samples which are missing, or other limits."""
        if not self.guarantee:
            return
        if not has_test_samples(self):
            if "guarantee" in changed:
                raise traitlets.TraitError(f"guarantee: {NO_TEST_SAMPLES_NOTE}")
            self.guarantee = 0.0
        elif self.by_interval:
            if changed >= {"guarantee", "by_interval"}:
                raise traitlets.TraitError(
                    "guarantee cannot be combined with by_interval: it is about limits of the "
                    "probability."
                )
            if "by_interval" in changed:
                self.guarantee = 0.0
            else:
                self.by_interval = False

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
        self.answers = self._with("answers", self._position(question), answer)

    def set_points(self, question: int | str, score: int) -> None:
        """Change the points of one question; probabilities are counted again.

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
        self.scores = self._with("scores", self._position(question), score)

    def set_cost(self, question: int | str, cost: float) -> None:
        """Change the cost of one question; parameters as for :meth:`answer`."""
        self.feature_costs = self._with("feature_costs", self._position(question), cost)

    def go_to(self, stage: int, total: int) -> None:
        """Give the answers that lead the case to a total after so many questions.

        As many of the present answers as possible are kept, and all later ones are unknown. Where
        every way to the total passes one at which the questions stop, the case stops there.

        Parameters
        ----------
        stage : int
            Number of questions asked.
        total : int
            One of the totals that the list has then.

        Raises
        ------
        ValueError
            If no answers lead there.
        """
        answers = answers_to(
            self.result.scoring_list, self.answers, self.result.decisions, stage, total
        )
        self.answers = (*answers, *(None,) * (len(self.questions) - stage))

    def clear_case(self) -> None:
        """Clear all answers."""
        self.answers = ()

    def restore_points(self) -> None:
        """Undo every change of the points."""
        self.scores = ()

    def _position(self, question: int | str) -> int:
        names = self.data.scoring_list.feature_names
        if isinstance(question, str) and question in names:
            return names.index(question)
        if not isinstance(question, str) and 0 <= question < len(names):
            return int(question)
        raise ValueError(
            f"question must be one of {list_labels(names)}, or its position from 0 to "
            f"{len(names) - 1}; got {describe(question)}."
        )

    # ------------------------------------------------------------------ result

    def _list_and_bands(self) -> tuple[ScoringList, Any]:
        scoring_list = self._list_shown(self._computed_data, self.scores, self.calibration)
        return scoring_list, self._bands(scoring_list, **self.band_options)

    def _walk(self) -> Walk:
        scoring_list, bands = self._list_and_bands()
        decisions = self._decisions(scoring_list, bands, **self.rule.limits)
        effort = efforts(scoring_list, self.feature_costs)
        return walk(scoring_list, self.answers, self.rule, bands, decisions, effort)

    def compute(self) -> ScoringListResult:
        """Compute everything the explorer shows, for its present inputs."""
        data = self._computed_data
        rule = self.rule
        step("counting the samples")
        scoring_list, bands = self._list_and_bands()
        original_scores = tuple(data.scoring_list.scores.tolist())
        original = self._list_shown(data, original_scores, self.calibration)
        decisions = self._decisions(scoring_list, bands, **rule.limits)
        effort = efforts(scoring_list, self.feature_costs)
        n_asked, cost = effort
        options = {"cost_fn": rule.cost_fn, "use": "upper" if rule.risk_averse else "point"}
        if rule.risk_averse:
            options |= self.band_options
        samples = data.test or data.fit
        sample_kind = "ways to answer"
        step("where they stop")
        if samples is None:
            ends = ends_of_answers(scoring_list, decisions)
        else:
            ends = self._ends_of_samples(
                scoring_list, samples, bands, self._total_indices, **rule.limits
            )
            sample_kind = "samples" if data.test is None else "held-out samples"
        step("judging the list")
        evaluated = self._evaluate(data, scoring_list, self._count_samples, **options)
        step("judging the original list")
        return ScoringListResult(
            scoring_list=scoring_list,
            original=original,
            bands=bands,
            walk=walk(scoring_list, self.answers, rule, bands, decisions, effort),
            evaluated=evaluated,
            evaluated_original=self._evaluate(data, original, self._count_samples, **options),
            stops=None if ends is None else stops(ends, effort, sample_kind),
            decisions=decisions,
            n_asked=n_asked,
            cost=cost,
            limits=(rule.lower, rule.upper),
        )

    def finishes_late(self) -> bool:
        """Whether computing the exact result takes long, because of very many samples."""
        return self.data.n_answers > MIN_ANSWERS_OF_LATE_RESULT

    # ------------------------------------------------------------------ words

    @property
    def about(self) -> str:
        """Source of the list, and the samples behind its probabilities."""
        scoring_list = self.result.scoring_list
        if self.data.fit is not None:
            n = self.data.fit.n_samples
            pos = self.data.fit.n_positive
        elif scoring_list.stages[0].has_counts:
            n = scoring_list.stages[0].n_samples
            pos = float(scoring_list.stages[0].counts[0].sum())
        else:
            return f"{self.preset} · written by hand"
        classes = self.class_names.shortened()
        count = f"{amount(pos)} of {amount(n)}"
        named = f"{classes.positive}: {count}" if classes.is_named else f"{count} are positive"
        text = f"{self.preset} · {named}"
        return f"preview from {N_PREVIEW_KINDS:,} samples · {text}" if self.is_preview else text

    def title(self, name: str) -> str:
        """Write the present title of a picture."""
        large = name == self.focus or len(self.panels) <= 2
        if name == "list" and large:
            return "The list, probability in %"
        if name == "stage":
            text = stage_text(self, self.stage)
            return f"{text[0].upper()}{text[1:]}"
        if name == "curves":
            subject = QUANTITY_NAMES[self.quantity]
            if self.quantity == "probability":
                subject = "the case"
            subject = f"{subject[0].upper()}{subject[1:]}"
            return f"{subject}, question by question" if large else subject
        return super().title(name)


def _questions(data: ListData) -> tuple[str, ...]:
    """Word the questions of a list, in its order."""
    scoring_list = data.scoring_list
    worded = []
    for name, question in zip(scoring_list.feature_names, scoring_list.questions(), strict=True):
        worded.append(data.question_texts.get(name, question))
    return tuple(worded)


def _bands(band: Callable[..., Any], scoring_list: ScoringList, **options: Any) -> Bands | None:
    if not scoring_list.stages[0].has_counts:
        return None
    return Bands(scoring_list.stages, partial(band, **options))
