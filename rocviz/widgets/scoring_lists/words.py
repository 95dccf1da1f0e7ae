"""Sentences of the scoring list explorer, and the code that computes its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rocviz.widgets.base.code import options, script
from rocviz.widgets.scoring_lists.data import AS_GIVEN_PRESET, PRESET_LISTS, recipe_code
from rocviz.widgets.scoring_lists.result import ScoringListResult, effective_answers
from rocviz.widgets.scoring_lists.stopping import Stops, by_column
from rocviz.words import ClassNames, amount, ink, number, percent, plain, shorten

NO_COUNTS_NOTE = (
    "This list was written by hand. Its numbers do not come from samples, so it has no intervals, "
    "no losses and no other calibration."
)
AS_WRITTEN_NOTE = (
    "Its probabilities are as they were written. For intervals choose a calibration, which "
    "estimates the probabilities from the samples."
)
NO_SAMPLES_NOTE = (
    "To change the points, pass the samples from which the probabilities are estimated: "
    "ScoringListExplorer(scoring_list, X, y)."
)
NO_TEST_SAMPLES_NOTE = (
    "A guarantee needs held-out samples, each counted as one or as a whole number: pass X_test and "
    "y_test."
)

METHOD_NAMES = {"clopper-pearson": "Clopper-Pearson", "wilson": "Wilson", "jeffreys": "Jeffreys"}

QUANTITY_NAMES = {
    "probability": "probability of the case",
    "entropy": "entropy",
    "brier": "Brier score",
    "auc": "AUC",
    "expected_loss": "expected loss",
    "loss": "loss that happens",
}

MAX_QUESTION_LETTERS = 40  # letters of a question's name in a sentence


def total_text(total: int) -> str:
    """Write a total score."""
    return f"{total}".replace("-", "−")


def span(lower: float, upper: float) -> str:
    """Write an interval in per cent."""
    return f"{percent(lower).removesuffix(' %')} to {percent(upper)}"


def stage_text(state: Any, k: int) -> str:
    """Name a stage by the number of questions asked."""
    return f"after {k} of {len(state.questions)} questions" if k else "before any question"


def sentences(state: Any) -> Iterator[str]:
    """Describe the case; then, as notes, the quality of the list and the effect of limits."""
    result = state.result
    yield _case(state, result)
    yield _counted(state, result)
    yield _threshold(state, result)
    yield from _losses(state, result)
    if state.guarantee:
        yield _guarantee(state, result)
    if result.stops is not None:
        yield _stops(result, result.stops)
    if result.is_edited:
        yield _edits(result)


def verdict(state: Any) -> str:
    """Write the next step for the case in a few words."""
    way = state.result.walk
    if way.is_confident:
        sure = "sure enough" if way.stage else "sure before any question"
        return f"{sure}: {'rule in' if way.positive else 'rule out'}"
    if way.next_question is None:
        classes = state.class_names.shortened()
        return f"no limit reached: predict {_class_text(classes, way)}"
    return "between the limits: ask further"


def _kind(way: Any) -> str:
    return "positive" if way.positive else "negative"


def _class_text(classes: ClassNames, way: Any) -> str:
    """Name the class that is predicted at the end of a case's way."""
    return classes.positive if way.positive else classes.negative


def _is_free(result: ScoringListResult) -> bool:
    """Whether costs equal the numbers of features asked."""
    return bool(np.array_equal(result.cost, result.n_asked))


def _case(state: Any, result: ScoringListResult) -> str:
    way = result.walk
    p = ink("hull", percent(float(way.probability[-1])))
    ends = ""
    confidence = f"{percent(state.confidence)} interval"
    interval = ""
    if result.bands is not None:
        ends = span(float(way.lower[-1]), float(way.upper[-1]))
        interval = f" ({ends}, {confidence})"
    classes = state.class_names.shortened()
    kind = ink(_kind(way), _class_text(classes, way))
    side = ink(_kind(way), "in" if way.positive else "out")
    total = f"at total {total_text(int(way.totals[-1]))}"
    chance = f"the {classes.probability} is {p}"
    size = len(state.questions)
    if way.is_confident:
        features = f"{way.n_asked} of {int(result.n_asked[-1])} features asked"
        if not _is_free(result):
            features += f", cost {amount(way.cost)}"
        start = f"Stop here, {ink('selected', features)}: {chance}"
        if way.stage:
            start = f"Stop here, {ink('selected', features)}: {total} {chance}"
        reached = result.limits[int(way.positive)]
        assert reached is not None
        limit = percent(reached)
        if way.is_narrow:
            crosses = f"though the {confidence} crosses the limit, {limit}"
            return f"{start} ({ends}). Rule the case {side}, {crosses}."
        beyond = f"the limit is {limit}"
        if state.guarantee:
            beyond = f"with the guarantee the limit is {limit}"
        if state.by_interval:
            beyond = f"the whole interval is beyond {limit}"
        return f"{start}{interval}; {beyond}, so rule the case {side}."
    if way.next_question is not None:
        question = shorten(state.questions[way.next_question], MAX_QUESTION_LETTERS)
        if "?" in question:
            question = f"“{question}”"
        ask = f"Ask {ink('selected', question)}"
        if not way.stage:
            return f"Before any question {chance}{interval}. {ask} first."
        when = f"After {way.stage} of {size} questions, {total}"
        return f"{when}, {chance}{interval}: not yet sure. {ask} next."
    return (
        f"After all {size} questions no limit is reached: {total} the probability is "
        f"{p}{interval}. {_why(state)}: predict {kind}."
    )


def _why(state: Any) -> str:
    ratio = state.cost_fn
    same = "one false alarm" if ratio == 1 else f"{plain(ratio)} false alarms"
    basis = ", judged by the upper end" if state.risk_averse else ""
    return f"A miss costs {same}{basis}"


def _counted(state: Any, result: ScoringListResult) -> str:
    """Count the samples behind the probability of the case."""
    synthetic = ""
    if state.is_sandbox and "synthetic" in state.preset:
        synthetic = "Synthetic data. "
    if result.bands is None:
        return synthetic + (AS_WRITTEN_NOTE if state.data.has_scores else NO_COUNTS_NOTE)
    way = result.walk
    has = "has" if way.n == 1 else "have"
    where = f"{total_text(int(way.totals[-1]))} {stage_text(state, way.stage)}"
    return (
        f"{synthetic}Of the samples behind its probabilities, {amount(way.n)} {has} the total "
        f"that the case has now: {where}."
    )


def _threshold(state: Any, result: ScoringListResult) -> str:
    """Describe the threshold by costs if no limit is reached, and a conflict with a limit."""
    classes = state.class_names
    threshold = 1 / (1 + state.cost_fn)
    text = percent(threshold) if threshold > 0.005 else f"{100 * threshold:.1g} %"
    share = ink("optimum", text)
    basis = "the upper end of the interval" if state.risk_averse else "the probability"
    text = (
        f"{_why(state)}: a case that answers all questions without reaching a limit is predicted "
        f"{classes.positive} if {basis} is above {share}."
    )
    lower, upper = result.limits
    if upper is not None and threshold > upper:
        limit = upper
        early = "in"
        late = classes.negative
    elif lower is None or threshold >= lower:
        return text
    else:
        limit = lower
        early = "out"
        late = classes.positive
    return (
        f"{text} That lies beyond the limit of {percent(limit)}: a case that is ruled "
        f"{early} early might be predicted {late} at the end with the same probability. The limits "
        "and the costs contradict each other."
    )


def _losses(state: Any, result: ScoringListResult) -> Iterator[str]:
    sides = (result.evaluated.train, "its own samples"), (result.evaluated.test, "held-out samples")
    text = ""
    for scores, where in sides:
        if scores is None:
            continue
        entropy = number(scores.entropy[state.stage])
        brier = number(scores.brier[state.stage])
        auc = number(scores.auc[state.stage])
        if text:
            text += f"; {entropy}, {brier} and {auc} on held-out ones"
        else:
            text = (
                f"entropy is {entropy} bits, the Brier score {brier} and the AUC {auc} on {where}"
            )
    if text:
        stage = stage_text(state, state.stage)
        yield f"{stage[0].upper()}{stage[1:]} the {text}."


def _guarantee(state: Any, result: ScoringListResult) -> str:
    """Say what is promised about new cases, and the limits that keep it."""
    lower, upper = result.limits
    promise = (
        f"With a probability of {percent(state.guarantee)} at most {percent(state.lower)} of new "
        f"cases that are ruled out are {state.class_names.are_positive}, and at least "
        f"{percent(state.upper)} of those ruled in."
    )
    if lower is None and upper is None:
        n_samples = amount(state.data.test.n_samples)
        return (
            f"{promise} No limit keeps either promise on the {n_samples} held-out samples, so "
            "every case goes on to the end."
        )
    out = "nobody is ruled out before the end"
    if lower is not None:
        out = f"cases are ruled out up to {ink('selected', f'{100 * lower:.3g} %')}"
    into = "nobody is ruled in before the end"
    if upper is not None:
        into = f"cases are ruled in from {ink('selected', f'{100 * upper:.3g} %')}"
    return f"{promise} To keep this, {out}, and {into}."


def _stops(result: ScoringListResult, where: Stops) -> str:
    every = int(result.n_asked[-1])
    ruled_out, ruled_in = where.stopped_share_by(len(where.share) - 1)
    zones = (
        f"{percent(ruled_out)} are ruled out, {percent(ruled_in)} are ruled in, and "
        f"{percent(where.open_share)} reach no limit"
    )
    if where.sample_kind == "ways to answer":
        return (
            f"With these limits, of all ways to answer {zones}; were all of them equally likely, "
            f"{where.n_asked:.1f} of {every} features would be asked on average."
        )
    spent = ""
    if not _is_free(result):
        spent = f" (cost {amount(where.cost)} of {amount(float(result.cost[-1]))})"
    return (
        f"With these limits, of the {where.sample_kind} {zones}; on average {where.n_asked:.1f} of "
        f"{every} features are asked{spent}."
    )


def _edits(result: ScoringListResult) -> str:
    entropies = []
    for side, where in (("train", "its own samples"), ("test", "held-out ones")):
        edited = result.evaluated.curve(side, "entropy")
        original = result.evaluated_original.curve(side, "entropy")
        if edited is not None and original is not None:
            entropies.append(
                f"{number(float(edited[-1]))} bits on {where} ({number(float(original[-1]))} as "
                "learned)"
            )
    return (
        f"Points were {ink('selected', 'changed by hand')}: with all questions asked the entropy "
        f"is {', '.join(entropies)}."
    )


MAX_QUESTIONS_WRITTEN_OUT = 12  # questions whose ways to answer are written out


def code(state: Any) -> str:
    """Write runnable Python for the numbers on screen."""
    lines, samples = _source_lines(state)
    lines += [*_change_lines(state, samples["fit"]), "print(scoring_list.to_frame())"]
    lines += _loss_lines(state, samples)
    lines += ["", *_case_lines(state)]
    lines += _decision_lines(state, samples)
    return script(lines)


def _source_lines(state: Any) -> tuple[list[str], dict[str, str]]:
    """Write lines that make the list, and arguments that are samples, by their use."""
    data = state.data
    if not state.is_sandbox:
        own = state._own
        weight = ", sample_weight=sample_weight" if own.given["sample_weight"] is not None else ""
        label = options(pos_label=own.pos_label)
        arguments = f"X, y{weight}{label}"
        names = {
            "fit": arguments,
            "test": arguments if own.X_is_test else f"X_test, y_test{label}",
            "weighted": weight if own.X_is_test or data.test is None else "",
        }
        return own.code(), names
    recipe = PRESET_LISTS[state.preset]
    names = {"fit": "X, y", "test": "X_test, y_test", "weighted": ""}
    if recipe is None:
        return ["scoring_list = load_scoring_list_example()"], names
    return recipe_code(recipe), names


def _change_lines(state: Any, samples: str) -> list[str]:
    original = state.data.scoring_list
    calibration = f"calibration={state.calibration!r}"
    if state.result.is_edited or (
        state.calibration != AS_GIVEN_PRESET and not original.stages[0].has_counts
    ):
        return [
            f"scoring_list = scoring_list.with_scores({list(state.scores)}, {samples}, "
            f"{calibration})"
        ]
    as_learned = state.calibration == "isotonic" and state.is_sandbox
    if state.calibration == AS_GIVEN_PRESET or as_learned:
        return []
    return [f"scoring_list = scoring_list.with_calibration({state.calibration!r})"]


def _band(state: Any) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in state.band_options.items())


def _loss_lines(state: Any, samples: dict[str, str]) -> list[str]:
    data = state.data
    result = state.result
    how = f"cost_fn={state.cost_fn!r}"
    if state.risk_averse:
        how += f", use='upper', {_band(state)}"
    lines = []
    if result.bands is not None:
        lines.append(f"print(scoring_list.stage_scores({how}).to_frame())")
    elif data.fit is not None:
        lines.append(f"print(scoring_list.evaluate({samples['fit']}, {how}).to_frame())")
    if data.test is not None:
        lines.append(f"print(scoring_list.evaluate({samples['test']}, {how}).to_frame())")
    return lines


def _case_lines(state: Any) -> list[str]:
    """Write lines for the case, whose answers they name."""
    result = state.result
    way = result.walk
    names = {1: "yes", 0: "no", -1: "missing"}
    answers = effective_answers(result.scoring_list, state.answers)[: way.stage]
    listed = []
    for question, answer in zip(result.scoring_list.questions(), answers, strict=False):
        name = repr(question)[1:-1]  # a line break in a name must not end the comment
        listed.append(f"{name}: {names[answer]}")
    total = int(way.totals[-1])
    lines = [
        f"# the case: {', '.join(listed) or 'nothing asked'}",
        f"stage = scoring_list.stages[{way.stage}]",
        f"print(stage.probability_at([{total}]))",
    ]
    if result.bands is not None:
        lines.append(f"print(stage.band({_band(state)}).at([{total}]))")
    if state.stage != way.stage:
        lines += ["", f"stage = scoring_list.stages[{state.stage}]", "print(stage.to_frame())"]
    return lines


def _all_answers_lines(scoring_list: Any) -> list[str]:
    """Write lines that make one row of each way to answer a list."""
    shape = f"({2 ** len(scoring_list)}, {int(scoring_list.features.max()) + 1})"
    return [
        "",
        f"answers = np.array(list(product((0, 1), repeat={len(scoring_list)})))",
        "threshold = np.nan_to_num(scoring_list.thresholds, nan=0.5, posinf=0, neginf=0)",
        f"X = np.zeros({shape})",
        "X[:, scoring_list.features] = threshold + answers - 0.5",
    ]


def _decision_lines(state: Any, samples: dict[str, str]) -> list[str]:
    data = state.data
    result = state.result
    scoring_list = result.scoring_list
    kinds = data.test or data.fit
    if kinds is None and (result.stops is None or len(scoring_list) > MAX_QUESTIONS_WRITTEN_OUT):
        return []
    lines = _all_answers_lines(scoring_list) if kinds is None else []
    rows = "X"
    columns = int(scoring_list.features.max()) + 1
    weighted = ""
    if kinds is not None:
        rows = samples["test" if data.test is not None else "fit"].partition(",")[0]
        columns = kinds.X.shape[1]
        weighted = samples["weighted"]
    use = "interval" if state.by_interval else "point"
    how = options(lower=state.lower, upper=state.upper, use=use)
    guaranteed = []
    if state.guarantee:
        promises = {"npv": round(1 - state.lower, 12), "ppv": state.upper}
        about = options(
            **promises, guarantee=state.guarantee, max_lower=state.lower, min_upper=state.upper
        )
        guaranteed = [f"lower, upper = scoring_list.guaranteed_limits({samples['test']}{about})"]
        how = f", lower=lower, upper=upper{options(use=use)}"
    if state.by_interval:
        how += f", {_band(state)}"
    if set(state.feature_costs) != {1.0}:
        costs = by_column(scoring_list, state.feature_costs, columns)
        how += options(feature_costs=costs.tolist())
    lines += ["", *guaranteed, f"decisions = scoring_list.decide({rows}{how})"]
    if weighted:
        return [
            *lines,
            "print(np.average(decisions.n_asked, weights=sample_weight))",
            "print(np.average(decisions.cost, weights=sample_weight))",
        ]
    return [
        *lines,
        "print(decisions.stage_distribution(), decisions.n_asked.mean(), decisions.cost.mean())",
    ]
