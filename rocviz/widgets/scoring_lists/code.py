"""The Python that gives a scoring list explorer's numbers."""

from __future__ import annotations

from typing import Any

from rocviz.widgets.base.code import options, script
from rocviz.widgets.scoring_lists.data import AS_GIVEN, PRESET_LISTS, recipe_code
from rocviz.widgets.scoring_lists.result import effective
from rocviz.widgets.scoring_lists.stopping import by_column

LONGEST = 12  # questions whose ways to answer are written out


def code(state: Any) -> str:
    """Write runnable Python for the numbers on screen."""
    lines, samples = _source(state)
    lines += [*_changes(state, samples["fit"]), "print(scoring_list.to_frame())"]
    lines += _losses(state, samples)
    lines += ["", *_case(state)]
    lines += _decisions(state, samples)
    return script(lines)


def _source(state: Any) -> tuple[list[str], dict[str, str]]:
    """Write lines that make the list, and arguments that are samples, by their use."""
    data = state.data
    if not state.is_sandbox:
        own = state._own
        weight = ", sample_weight=sample_weight" if own.given["sample_weight"] is not None else ""
        label = options(pos_label=own.pos_label)
        arguments = f"X, y{weight}{label}"
        names = {
            "fit": arguments,
            "judge": arguments if own.X_is_judge else f"X_test, y_test{label}",
            "weighted": weight if own.X_is_judge or data.judge is None else "",
        }
        return own.code(), names
    recipe = PRESET_LISTS[state.preset]
    names = {"fit": "X, y", "judge": "X_test, y_test", "weighted": ""}
    if recipe is None:
        return ["scoring_list = load_scoring_list_example()"], names
    return recipe_code(recipe), names


def _changes(state: Any, samples: str) -> list[str]:
    came = state.data.scoring_list
    calibration = f"calibration={state.calibration!r}"
    if state.result.is_edited or (state.calibration != AS_GIVEN and not came.stages[0].has_counts):
        return [
            f"scoring_list = scoring_list.with_scores({list(state.scores)}, {samples}, "
            f"{calibration})"
        ]
    as_learned = state.calibration == "isotonic" and state.is_sandbox
    if state.calibration == AS_GIVEN or as_learned:
        return []
    return [f"scoring_list = scoring_list.with_calibration({state.calibration!r})"]


def _band(state: Any) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in state.band_options.items())


def _losses(state: Any, samples: dict[str, str]) -> list[str]:
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
    if data.judge is not None:
        lines.append(f"print(scoring_list.evaluate({samples['judge']}, {how}).to_frame())")
    return lines


def _case(state: Any) -> list[str]:
    """Write lines for the case, whose answers they name."""
    result = state.result
    way = result.walk
    names = {1: "yes", 0: "no", -1: "missing"}
    answers = effective(result.scoring_list, state.answers)[: way.stage]
    listed = [  # a line break in a name must not end the comment
        f"{repr(question)[1:-1]}: {names[answer]}"
        for question, answer in zip(state.questions, answers, strict=False)
    ]
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


def _every_answer(scoring_list: Any) -> list[str]:
    """Write lines that make one row of each way to answer a list."""
    shape = f"({2 ** len(scoring_list)}, {int(scoring_list.features.max()) + 1})"
    return [
        "",
        f"answers = np.array(list(product((0, 1), repeat={len(scoring_list)})))",
        "cut = np.nan_to_num(scoring_list.thresholds, nan=0.5, posinf=0, neginf=0)",
        f"X = np.zeros({shape})",
        "X[:, scoring_list.features] = cut + answers - 0.5",
    ]


def _decisions(state: Any, samples: dict[str, str]) -> list[str]:
    data = state.data
    result = state.result
    scoring_list = result.scoring_list
    kinds = data.judge or data.fit
    if kinds is None and (result.stops is None or len(scoring_list) > LONGEST):
        return []
    lines = _every_answer(scoring_list) if kinds is None else []
    rows = "X"
    columns = int(scoring_list.features.max()) + 1
    weighted = ""
    if kinds is not None:
        rows = samples["judge" if data.judge is not None else "fit"].partition(",")[0]
        columns = kinds.X.shape[1]
        weighted = samples["weighted"]
    use = "interval" if state.by_interval else "point"
    how = options(lower=state.lower, upper=state.upper, use=use)
    if state.by_interval:
        how += f", {_band(state)}"
    if set(state.feature_costs) != {1.0}:
        costs = by_column(scoring_list, state.feature_costs, columns)
        how += options(feature_costs=costs.tolist())
    lines += ["", f"decisions = scoring_list.decide({rows}{how})"]
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
