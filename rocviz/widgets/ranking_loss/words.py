"""Sentences of the ranking loss explorer, the words in its pictures, and its code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from rocviz.core.ranking_loss.methods import scorer_name
from rocviz.core.ranking_loss.results import RankingExperiment
from rocviz.displays.ranking_loss.pictures import fraction
from rocviz.pictures import Entry
from rocviz.widgets.base.code import script
from rocviz.widgets.ranking_loss.data import N_NEW_SAMPLES, new_seed
from rocviz.widgets.ranking_loss.result import COMBINED_MIX, RankingLossResult
from rocviz.words import amount, equal_to, ink, number, percent

#: Colours of the words about each method; its lines have the colours of the displays.
METHOD_ROLES = {
    "rank + isotonic": "hull-text",
    "logistic + isotonic": "group-2",
    "logistic": "negative-text",
    "combined": "optimum-text",
    "linear + isotonic": "text",
    "linear": "muted",
}
#: Words that lead to the errors at other floors.
EXPERIMENT_ADVICE = ("other floors: measured", "by the experiment")
LOSSES = {"logistic": "logistic loss", "squared_hinge": "squared hinge"}


def error_text(error: float) -> str:
    """Write a mean squared difference of probabilities."""
    return number(error, 4)


def penalty_text(alpha: float) -> str:
    """Write the strength of a penalty: 0.03, 1e-4."""
    return f"{alpha:.3g}" if alpha >= 0.01 else f"{alpha:.0e}".replace("e-0", "e-")


# ---------------------------------------------------------------------- in the pictures


def link_rows(result: RankingLossResult, a: float) -> list[Entry]:
    """Write the legend of the links; one fit, or two, are named above them."""
    rows = []
    if len(result.methods) > 2:
        if result.truth is not None:
            rows.append(Entry(truth_text(a), "text", "truth", bold=False))
        rows += [Entry(name, METHOD_ROLES[name], name, bold=False) for name in result.methods]
    if result.observed is not None:
        rows.append(Entry("observed shares", "text", "observed", bold=False))
    return rows


def truth_text(a: float) -> str:
    """Name the truth, with its floor."""
    return f"truth, a = {fraction(a)}"


def fit_rows(result: RankingLossResult, name: str) -> list[tuple[str, str]]:
    """Name a fit and write its error, each with its role."""
    rows = [(name, METHOD_ROLES[name])]
    error = result.methods[name].error
    if error is not None:
        rows.append((f"error {error_text(error)}", METHOD_ROLES[name]))
    return rows


def direction_rows(result: RankingLossResult) -> list[Entry]:
    """Write the legend of the arrows."""
    rows = []
    for name, label, role in (
        ("truth", "the truth", "text"),
        ("logistic", "logistic", "negative-text"),
        ("rank", "pairs", "hull-text"),
    ):
        if name in result.plane.directions:
            scorer = result.ranker if name == "rank" else result.logistic
            angle = None if name == "truth" else result.angle(scorer)  # none to an unknown truth
            off = "" if angle is None else f", {angle:.1f}° off"
            rows.append(Entry(f"{label}{off}", role, f"{name} arrow", bold=False))
    return rows


def error_rows(result: RankingLossResult, a: float) -> list[Entry]:
    """Write each method's error on this sample; then say what measures others."""
    rows = [Entry(f"these samples, a = {fraction(a)}", "selected-text", bold=False)]
    for name, error in result.errors.items():
        text = f"{name} {error_text(error)}"
        rows.append(Entry(text, METHOD_ROLES[name], f"{name} here", bold=False))
    if result.experiment is None:
        rows += [Entry(text, "muted", bold=False) for text in EXPERIMENT_ADVICE]
    return rows


# ---------------------------------------------------------------------- sentences


def sentences(state: Any) -> Iterator[str]:
    """Name the method closest to the truth; then explain it, and state the bound by the AUC."""
    result = state.result
    if result.samples.truth is None:
        yield _own(result)
        yield (
            "Their true probabilities are not known, so the error cannot be measured. "
            f"{_top(state, result)} {_bound(result, of_own=True)}"
        )
        return
    yield _repeated(state, result) or _here(state, result)
    yield from _numbers(state, result)
    yield f"{_direction(state, result)}{_top(state, result)} {_bound(result)}"


def _floor(state: Any) -> str:
    return ink("selected", f"a = {fraction(state.a)}")


def _here(state: Any, result: RankingLossResult) -> str:
    """Name the method closest to the truth on the samples on screen, a single draw."""
    errors = result.errors
    best, *rest = sorted(errors, key=lambda name: errors[name])
    text = {name: error_text(error) for name, error in errors.items()}
    n = amount(result.samples.positive.size)
    return (
        f"On these {n} samples ({_floor(state)}) {best} {_near(rest)} {ink('hull', text[best])}"
        f"{_behind(state, best, rest, text)}"
    )


def _repeated(state: Any, result: RankingLossResult) -> str:
    """Name the method closest to the truth over repetitions, if they were run at this floor."""
    done = result.experiment
    if done is None or state.a not in done.a:
        return ""
    means = _means(done, result, state.a)
    best, *rest = sorted(means, key=lambda name: means[name][0])
    text = {name: f"{error_text(m)} ± {_spread_text(se)}" for name, (m, se) in means.items()}
    start = f"Over {done.n_repeats} repetitions ({_floor(state)})"
    least = ink("hull", text[best])
    if rest:
        (mean, spread) = means[best]
        (second, other) = means[rest[0]]
        if second - mean < 2 * np.hypot(spread, other):
            return (
                f"{start} {best} and {rest[0]} are closest to the truth, without a clear "
                f"difference: {least} and {text[rest[0]]}."
            )
    return f"{start} {best} {_near(rest)} {least}{_behind(state, best, rest, text)}"


def _near(rest: list[str]) -> str:
    """Introduce the best method, before its error."""
    if len(rest) == 1:
        return "is closer to the truth: squared error"
    if rest:
        return "is closest to the truth: squared error"
    return "has a squared error from the truth of"


def _behind(state: Any, best: str, rest: list[str], text: dict[str, str]) -> str:
    """Compare another method with the best one, and explain the difference."""
    if not rest:
        return "."
    if state.a == 0.5:
        return f"; {rest[0]} has {text[rest[0]]}. At a = 1/2 there is nothing to learn."
    if state.link == "step" and "logistic" in rest:
        return f"; logistic has {text['logistic']}, as no sigmoid follows a step."
    free = [name for name in rest if name.endswith("isotonic")]
    if state.link == "sigmoid" and best == "logistic" and free:
        return f"; {free[0]} has {text[free[0]]}, as its free steps follow chance."
    return f"; {rest[0]} has {text[rest[0]]}."


def _means(
    done: RankingExperiment, result: RankingLossResult, a: float
) -> dict[str, tuple[float, float]]:
    """Get mean and standard error at a floor, by method."""
    row = int(np.abs(np.log2(done.a) - np.log2(max(a, 1e-9))).argmin())
    means = {}
    for name in result.methods:
        k = done.methods.index(name)
        means[name] = float(done.error[row, k]), float(done.standard_error[row, k])
    return means


def _spread_text(spread: float) -> str:
    return number(spread, 4 if spread >= 0.00005 else 5)


def _numbers(state: Any, result: RankingLossResult) -> Iterator[str]:
    """Describe every method's error: on these samples, and over repetitions."""
    listed = ", ".join(f"{name} {error_text(e)}" for name, e in result.errors.items())
    if state.link == "sigmoid":
        shape = "a sigmoid, which is logistic regression's own shape"
    elif state.a == 0.5:
        shape = "one half everywhere"
    else:
        shape = "a step, which no sigmoid can follow"
    new = result.samples.new
    assert new is not None
    yield (
        "Mean squared difference from the true probability at "
        f"{amount(len(new.X))} new points, after training on these samples: {listed}. "
        f"The truth is {shape}."
    )
    done = result.experiment
    if done is not None:
        floor = min(done.a, key=lambda a: abs(np.log2(a) - np.log2(max(state.a, 1e-9))))
        means = []
        for name, (mean, standard_error) in _means(done, result, float(floor)).items():
            means.append(f"{name} {error_text(mean)} ± {_spread_text(standard_error)}")
        yield (
            f"The experiment: means of {done.n_repeats} repetitions and their standard errors at "
            f"a = {fraction(float(floor))}: {', '.join(means)}."
        )


def _own(result: RankingLossResult) -> str:
    mine = result.examples[0]
    return (
        f"On your {amount(result.samples.positive.size)} samples the ranker has AUC "
        f"{number(mine.auc)}; isotonic regression on its scores leaves a squared loss of "
        f"{ink('hull', number(mine.loss))}."
    )


def _direction(state: Any, result: RankingLossResult) -> str:
    pairs = result.angle(result.ranker)
    single = result.angle(result.logistic)
    assert pairs is not None
    assert single is not None
    if state.a == 0.5:
        return ""
    return (
        f"The direction learned from pairs is {pairs:.1f}° off the true one, that of logistic "
        f"regression {single:.1f}°. "
    )


def _top(state: Any, result: RankingLossResult) -> str:
    top = result.top
    samples = "sample" if top.n == 1 else "samples"
    pulled = "; with Laplace's correction it" if state.calibration == "laplace-hull" else " and"
    truth = ""
    if not np.isnan(top.truth):
        truth = f"; the truth there is {percent(top.truth)}"
    return (
        f"The top step on the ranker's scores rests on {amount(top.n)} {samples}{pulled} predicts "
        f"{ink('hull', percent(top.probability))} for every larger score{truth}."
    )


def _bound(result: RankingLossResult, *, of_own: bool = False) -> str:
    mine = result.examples[0]
    whose = "This AUC" if of_own else f"The ranker's AUC {number(mine.auc)}"
    exceeded = "is exceeded" if mine.loss > mine.printed_bound else "is not exceeded here"
    # if the simple bound is the largest loss, its formula explains the number
    simple = mine.simple_bound <= mine.bound * (1 + 1e-9)
    formula = ", √(⅔π(1−π)(1−A))" if simple else ", the largest that any ranking with it has"
    own = "" if of_own else f"; its own loss is {ink('hull', number(mine.loss))}"
    return (
        f"{whose} allows a squared loss of at most {number(result.bound)}{formula}{own}; the "
        f"printed bound, ½√(π(1−π)(1−A)) {equal_to(mine.printed_bound)}, {exceeded}."
    )


# Arguments of calibration_map.
MAP_ARGUMENTS = {"isotonic": "", "laplace-hull": ", m=2"}


def code(state: Any) -> str:
    """Write Python that computes the numbers on screen."""
    own = state.data
    names = {scorer_name(name) for name in state.methods} | {"rank"}
    if own is None:
        names.add("logistic")
    lines = _samples(state) + _models(state, names)
    for name in state.methods:
        lines += _method(state, name)
    if own is None:
        lines += [
            'for name in ("rank", "logistic"):',
            "    w = models[name].coef_[0]",
            "    cosine = w @ known.direction / np.linalg.norm(w)",
            '    print(name, "degrees off", np.degrees(np.arccos(np.clip(cosine, -1, 1))))',
        ]
    segments = 'models["rank"].segments_'
    lines += [
        f"segments = {segments}",
        "top = segments.hull().n[0]  # samples on the top step, and its probability",
        'print("top step", top, models["rank"].calibration_map_(segments.score[:1])[0])',
        "print(segments.auc, isotonic_loss(segments), "
        "ranking_bound(segments.auc, segments.prevalence), "
        "ranking_bound(segments.auc, segments.prevalence, method='printed'))",
    ]
    experiment = state.result.experiment
    if experiment is not None:
        arguments = state.experiment_arguments()
        lines += [
            "done = synthetic_ranking_experiment(",
            f"    {experiment.a.tolist()!r},",
            *(f"    {name}={value!r}," for name, value in arguments.items()),
            ")",
            "print(done.to_frame())",
        ]
    return script(lines)


def _samples(state: Any) -> list[str]:
    own = state.data
    if own is not None:
        label = "np.unique(y)[-1]" if own.pos_label is None else repr(own.pos_label)
        return [*own.code_lines(), f"positive = y == {label}"]
    link = f"link={state.link!r}, border={state.border!r}"
    known = f"{state.n_samples}, {state.a!r}, {link}, random_state={state.seed}"
    new = f"{N_NEW_SAMPLES}, {state.a!r}, {link}, random_state={new_seed(state.seed)}"
    return [
        f"known = simulate_capped_link({known})",
        f"new = simulate_capped_link({new})",
        "X, positive = known.X, known.y_true == 1",
    ]


def _models(state: Any, names: set[str]) -> list[str]:
    alpha = f"alpha={state.alpha!r}"
    models = {
        "linear": f'CombinedRegressionRanking(1.0, {alpha}, regression_loss="squared")',
        "logistic": f"CombinedRegressionRanking(1.0, {alpha})",
        "combined": f"CombinedRegressionRanking({COMBINED_MIX}, {alpha}, loss={state.loss!r})",
        "rank": f"RankIsotonicClassifier({state.loss!r}, {alpha}, "
        f"calibration={state.calibration!r})",
    }
    rows = [
        f'    "{name}": {text}.fit(X, positive),' for name, text in models.items() if name in names
    ]
    return ["models = {", *rows, "}"]


def _method(state: Any, name: str) -> list[str]:
    model = f'models["{scorer_name(name)}"]'
    where = "X" if state.data is not None else "new.X"
    if name.endswith("isotonic") and scorer_name(name) != "rank":
        probability = (
            f"calibration_map(positive, {model}.decision_function(X), "
            f'method="isotonic"{MAP_ARGUMENTS[state.calibration]})({model}.decision_function({where}))'
        )
    else:
        probability = f"{model}.predict_proba({where})[:, 1]"
    if state.data is not None:
        return [f"print({name!r}, {probability})"]
    return [f"print({name!r}, np.mean(({probability} - new.true_prob) ** 2))"]
