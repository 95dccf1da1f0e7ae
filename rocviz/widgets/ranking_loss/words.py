"""What the ranking loss explorer says: its sentences, and the code that gives its numbers.

Turns a state into text. It computes nothing and draws nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rocviz.displays.ranking_loss.draw_experiment import fraction
from rocviz.widgets.base.state import Sentence
from rocviz.widgets.ranking_loss.data import N_NEW, new_seed
from rocviz.widgets.ranking_loss.result import MIX, base_of
from rocviz.words import amount, number, percent

if TYPE_CHECKING:
    from rocviz.widgets.ranking_loss.result import RankingLossResult
    from rocviz.widgets.ranking_loss.state import RankingLossState

__all__ = ["THINGS", "code", "error_text", "floor_text", "sentences"]

Words = list[str | tuple[str, str]]

#: Colour that the words about a method are written in; its lines have those of the displays.
THINGS = {
    "rank + isotonic": "text",
    "logistic + isotonic": "hull-text",
    "logistic": "negative-text",
    "combined": "optimum-text",
    "linear + isotonic": "text",
    "linear": "muted",
}
MAPS = {"isotonic": "isotonic_map", "laplace-hull": "shrunken_hull_map"}


def error_text(error: float) -> str:
    """Write a mean squared difference of probabilities."""
    return f"{error:.4f}" if error >= 0.00005 else "< 0.0001"


def floor_text(a: float) -> str:
    """Write a floor: as a fraction where it is one of the figure's."""
    return fraction(a)


def sentences(state: RankingLossState) -> tuple[Sentence, ...]:
    """Return which method is nearest to the truth; then why, and what the AUC allows."""
    result = state.result
    if result.samples.truth is None:
        return (_own(result), Sentence((*_top(state, result), *_bound(result, of_own=True))))
    more = (*_direction(state, result), *_top(state, result), *_bound(result))
    return (_errors(state, result), Sentence(more))


def _errors(state: RankingLossState, result: RankingLossResult) -> Sentence:
    errors = result.errors
    best = min(errors, key=lambda name: errors[name])
    held = ("held", f"a = {floor_text(state.a)}")
    rest = [f"{name} {error_text(error)}" for name, error in errors.items() if name != best]
    others = f"; {', '.join(rest)}" if rest else ""
    nearest = "comes nearest to the truth" if rest else "misses the truth"
    parts: Words = [
        f"{amount(state.n_samples)} samples, ",
        held,
        f": {best} {nearest}, by a mean squared error of {error_text(errors[best])}{others}. ",
        _shape(state, errors),
    ]
    return Sentence(tuple(parts))


def _shape(state: RankingLossState, errors: dict[str, float]) -> str:
    if state.a == 0.5:
        return "There is nothing to learn, and isotonic regression pays for its freedom."
    if state.link == "sigmoid":
        free = [error for name, error in errors.items() if name.endswith("isotonic")]
        costs = ""
        if free and 0 < errors.get("logistic", 0) < min(free):
            costs = f", and freedom costs {min(free) / errors['logistic']:.1f} times its error"
        return f"The truth is a sigmoid, which is logistic regression's own shape{costs}."
    return "The truth is a step, which no sigmoid can follow."


def _own(result: RankingLossResult) -> Sentence:
    mine = result.examples[0]
    return Sentence(
        (
            f"On your {amount(result.samples.positive.size)} samples the ranker has AUC "
            f"{number(mine.auc)}; isotonic regression on its scores leaves a squared loss of ",
            ("hull", number(mine.loss)),
            ". The truth behind them is not known, so no error to it is measured.",
        )
    )


def _direction(state: RankingLossState, result: RankingLossResult) -> Words:
    pairs, single = result.angle(result.ranker), result.angle(result.logistic)
    assert pairs is not None
    assert single is not None
    if state.a == 0.5:
        return []
    return [
        f"The pairs miss the true direction by {pairs:.1f}°, logistic regression by {single:.1f}°. "
    ]


def _top(state: RankingLossState, result: RankingLossResult) -> Words:
    top = result.top
    rests = f"The top step on the ranker's scores rests on {amount(top.n)} "
    rests += "sample" if top.n == 1 else "samples"
    pulled = ", and pulled to one half it" if state.calibration == "laplace-hull" else " and"
    parts: Words = [f"{rests}{pulled} says ", ("hull", percent(top.says))]
    parts.append(" for every larger score")
    if not np.isnan(top.truth):
        parts += ["; the truth there is ", ("held", percent(top.truth))]
    return [*parts, ". "]


def _bound(result: RankingLossResult, *, of_own: bool = False) -> Words:
    mine = result.examples[0]
    start = "This" if of_own else "The ranker's"
    exceeded = mine.loss > mine.printed_bound
    said: Words = [] if of_own else ["; it is ", ("hull", number(mine.loss))]
    parts: Words = [
        f"{start} AUC {'' if of_own else number(mine.auc) + ' '}allows a squared loss of at most "
        f"{number(result.bound)}",
        *said,
        f"; the printed bound {number(mine.printed_bound)} "
        f"{'is exceeded' if exceeded else 'happens to hold'}.",
    ]
    return parts


# ---------------------------------------------------------------------- code


def code(state: RankingLossState) -> str:
    """Return runnable Python for the numbers on screen."""
    own = state.data
    names = {base_of(name) for name in state.methods} | {"rank"}
    plain = [n for n in state.methods if n.endswith("isotonic") and base_of(n) != "rank"]
    imports = ["RankIsotonicClassifier", "isotonic_loss", "ranking_bound"]
    if names != {"rank"}:
        imports.append("CombinedRegressionRanking")
    if plain:
        imports += ["RankedSegments", MAPS[state.calibration]]
    if own is None:
        imports.append("simulate_capped_link")
    if state.result.experiment is not None:
        imports.append("synthetic_ranking_experiment")
    lines = ["import numpy as np", "", f"from rocviz import {', '.join(sorted(imports))}", ""]
    lines += _samples(state) + _models(state, names)
    for name in state.methods:
        lines += _method(state, name)
    segments = 'models["rank"].segments_'
    lines += [
        f"segments = {segments}",
        "print(segments.auc, isotonic_loss(segments), "
        "ranking_bound(segments.auc, segments.prevalence))",
    ]
    experiment = state.result.experiment
    if experiment is not None:
        given = "".join(f"    {k}={v!r},\n" for k, v in state._experiment_arguments().items())
        lines += [
            "done = synthetic_ranking_experiment(",
            f"    {experiment.a.tolist()!r},",
            f"{given})",
            "print(done.to_frame())",
        ]
    return "\n".join(lines) + "\n"


def _samples(state: RankingLossState) -> list[str]:
    own = state.data
    if own is not None:
        label = "1" if own.pos_label is None else repr(own.pos_label)
        positive = "y == np.unique(y)[-1]" if own.pos_label is None else f"y == {label}"
        return [*own.code_lines(), f"positive = {positive}"]
    looks = f"link={state.link!r}, border={state.border!r}"
    known = f"{state.n_samples}, {state.a!r}, {looks}, random_state={state.seed}"
    new = f"{N_NEW}, {state.a!r}, {looks}, random_state={new_seed(state.seed)}"
    return [
        f"known = simulate_capped_link({known})",
        f"new = simulate_capped_link({new})",
        "X, positive = known.X, known.y_true == 1",
    ]


def _models(state: RankingLossState, names: set[str]) -> list[str]:
    alpha = f"alpha={state.alpha!r}"
    made = {
        "linear": f'CombinedRegressionRanking(1.0, {alpha}, regression_loss="squared")',
        "logistic": f"CombinedRegressionRanking(1.0, {alpha})",
        "combined": f"CombinedRegressionRanking({MIX}, {alpha}, loss={state.loss!r})",
        "rank": f"RankIsotonicClassifier({state.loss!r}, {alpha}, "
        f"calibration={state.calibration!r})",
    }
    rows = [
        f'    "{name}": {text}.fit(X, positive),' for name, text in made.items() if name in names
    ]
    return ["models = {", *rows, "}"]


def _method(state: RankingLossState, name: str) -> list[str]:
    model, where = f'models["{base_of(name)}"]', "X" if state.data is not None else "new.X"
    if name.endswith("isotonic") and base_of(name) != "rank":
        probability = (
            f"{MAPS[state.calibration]}(RankedSegments.from_scores(positive, "
            f"{model}.decision_function(X)))({model}.decision_function({where}))"
        )
    else:
        probability = f"{model}.predict_proba({where})[:, 1]"
    if state.data is not None:
        return [f"print({name!r}, {probability})"]
    return [f"print({name!r}, np.mean(({probability} - new.eta) ** 2))"]
