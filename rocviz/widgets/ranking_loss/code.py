"""Python that gives the numbers of a ranking loss explorer.

Turns a state into text. It computes nothing.
"""

from __future__ import annotations

from typing import Any

from rocviz.core.ranking_loss.methods import scorer_name
from rocviz.widgets.base.code import script
from rocviz.widgets.ranking_loss.data import N_NEW, new_seed
from rocviz.widgets.ranking_loss.result import MIX

# Arguments of calibration_map.
MAPS = {"isotonic": "", "laplace-hull": ", m=2"}


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
        "top = segments.hull().n[0]  # samples on the top step, and what it says",
        'print("top step", top, models["rank"].calibration_map_(segments.score[:1])[0])',
        "print(segments.auc, isotonic_loss(segments), "
        "ranking_bound(segments.auc, segments.prevalence), "
        "ranking_bound(segments.auc, segments.prevalence, method='printed'))",
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
    return script(lines)


def _samples(state: Any) -> list[str]:
    own = state.data
    if own is not None:
        label = "np.unique(y)[-1]" if own.pos_label is None else repr(own.pos_label)
        return [*own.code_lines(), f"positive = y == {label}"]
    link = f"link={state.link!r}, border={state.border!r}"
    known = f"{state.n_samples}, {state.a!r}, {link}, random_state={state.seed}"
    new = f"{N_NEW}, {state.a!r}, {link}, random_state={new_seed(state.seed)}"
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
        "combined": f"CombinedRegressionRanking({MIX}, {alpha}, loss={state.loss!r})",
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
            f'method="isotonic"{MAPS[state.calibration]})({model}.decision_function({where}))'
        )
    else:
        probability = f"{model}.predict_proba({where})[:, 1]"
    if state.data is not None:
        return [f"print({name!r}, {probability})"]
    return [f"print({name!r}, np.mean(({probability} - new.true_prob) ** 2))"]
