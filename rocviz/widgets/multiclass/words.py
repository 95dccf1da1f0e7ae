"""Sentences of the explorer of several classes, and the code that computes its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from rocviz.core.multiclass.metrics import LABELS
from rocviz.widgets.base.code import options, script
from rocviz.words import amount, ink, number, percent, short_names

MAX_NAMED_CLASSES = 4  # classes up to which the first sentence names each


def sentences(state: Any) -> tuple[str, ...]:
    """Describe accuracy, confusions, averages, ranking, and the best point by the costs."""
    return (
        _accuracy(state),
        _confusions(state),
        _averages(state),
        _ranking(state),
        _point_of_costs(state),
    )


def _short(state: Any) -> dict[str, str]:
    return short_names(state.names, 17)


def _inks(state: Any) -> list[str]:
    """List the colour of each class in words."""
    shown = state.result.shown
    return [shown.ink(k).removesuffix("-text") for k in range(len(shown.names))]


def _accuracy(state: Any) -> str:
    matrix = state.result.matrix
    result = state.result
    short = _short(state)
    recall = np.nan_to_num(np.diag(matrix.shares))
    inks = _inks(state)
    names = [short[name] for name in state.names]
    shares = [ink(inks[k], percent(share)) for k, share in enumerate(recall)]
    if len(names) <= MAX_NAMED_CLASSES:
        by_class = ", ".join(f"{name} {share}" for name, share in zip(names, shares, strict=True))
    else:
        low = int(recall.argmin())
        high = int(recall.argmax())
        by_class = (
            f"from {shares[low]} of class {names[low]} to {shares[high]} of class {names[high]}"
        )
    where = "" if state.has_prevalences_of_the_data else "with the chosen prevalences "
    value = number(result.value)
    best = ink("optimum", number(result.best.value))
    name = LABELS[state.metric]
    if state.metric == "cost" and result.value - result.best.value > 5e-4:
        point = f"{where}the best point found costs {best} per sample instead of {value}"
    elif state.metric == "cost":
        point = f"{where}no point was found that costs less than {best} per sample"
    elif result.best.value - result.value > 5e-4:
        point = f"{where}the best point found has {name} {best} instead of {value}"
    else:
        point = f"{where}no better {name} was found than {best}"
    return (
        f"{ink('selected', percent(matrix.accuracy))} of {amount(matrix.n_samples)} samples are "
        f"classified correctly: {by_class}. {point[0].upper()}{point[1:]}."
    )


def _ranking(state: Any) -> str:
    auc = state.result.auc
    short = _short(state)
    pairs = np.nan_to_num((auc.pairs + auc.pairs.T) / 2, nan=2.0)
    i, j = np.unravel_index(int(pairs.argmin()), pairs.shape)
    names = state.names
    if len(names) == 2:
        return (
            f"A sample of {short[names[1]]} has a higher probability of that class than one of "
            f"{short[names[0]]} with probability {_interval(auc)}."
        )
    return (
        "Draw a sample of one class and a sample of another: the first has the higher probability "
        f"of its own class with probability {_interval(auc)}: Hand and Till's M. "
        f"It is lowest for {short[names[i]]} and {short[names[j]]}, {number(float(pairs[i, j]))}."
    )


def _interval(auc: Any) -> str:
    ends = f"{number(auc.lower)} to {number(auc.upper)}"
    return f"{number(auc.auc)} (95 % interval {ends})"


def _averages(state: Any) -> str:
    matrix = state.result.matrix
    recall = np.nan_to_num(np.diag(matrix.shares))
    return (
        f"The same predictions by other averages: accuracy {number(matrix.accuracy)}, in which "
        f"frequent classes count more, balanced accuracy {number(float(recall.mean()))} and macro "
        f"F1 {number(matrix.metric('macro_f1'))}, in which all classes count the same."
    )


def _confusions(state: Any) -> str:
    matrix = state.result.matrix
    short = _short(state)
    wrong = matrix.counts - np.diag(np.diag(matrix.counts))
    if not wrong.any():
        return "No sample is misclassified."
    i, j = np.unravel_index(int(wrong.argmax()), wrong.shape)
    never = [short[state.names[k]] for k in np.flatnonzero(matrix.predicted == 0)]
    missing = f" Never predicted: {', '.join(never)}." if never else ""
    return (
        f"The most frequent error: {amount(wrong[i, j])} of {amount(matrix.true[i])} samples of "
        f"{short[state.names[i]]} are classified as {short[state.names[j]]}.{missing}"
    )


def _point_of_costs(state: Any) -> str:
    if not state.has_own_costs:
        return (
            "All misses cost the same and the classes are as frequent as in the data. So if "
            "probabilities are calibrated, the best point is the middle: predict the most probable "
            "class."
        )
    short = _short(state)
    entries = []
    for name, entry in zip(state.names, state.result.by_costs, strict=True):
        entries.append(f"{short[name]} {number(float(entry))}")
    point = ", ".join(entries)
    return (
        "If the probabilities are calibrated, the best point for these costs and prevalences is "
        f"{ink('optimum', point)}."
    )


def code(state: Any) -> str:
    """Write runnable Python for the numbers on screen."""
    lines = list(_source(state))
    classes = "classes"
    own = None if state.is_sandbox else state._own
    weighted = own is not None and own.samples.weight is not None
    weight = ", sample_weight=sample_weight" if weighted else ""
    clusters = ", clusters=clusters" if own is not None and own.has_clusters else ""
    if state.one_vs_rest:
        k = state.data.names.index(state.one_vs_rest)
        label = repr(state.data.samples.classes[k])
        lines += [
            f"p = y_prob[:, {k}]",
            f"y_true, y_prob = y_true == {label}, np.column_stack((1 - p, p))",
        ]
        lines += ["classes = [False, True]"]
    if state.calibration != "identity":
        lines += [
            f"fitted = simplex_map(y_true, y_prob, classes={classes}, "
            f"method={state.calibration!r}{weight})",
            "y_prob = fitted(y_prob)",
        ]
    point = [float(f"{entry:.17g}") for entry in state.point]
    lines += [
        f"y_pred = label_at_point(y_prob, {point!r}, classes={classes})",
        f"matrix = confusion_matrix(y_true, y_pred, classes={classes}{weight})",
        "print(matrix.to_frame())",
    ]
    weight_in_use = weight
    if state.has_own_costs:
        weights = "sample_weight" if weighted else "np.ones(len(y_true))"
        lines += [
            f"weight = {weights}.astype(float)",
            f"for label, prevalence in zip(classes, {list(state.prevalences)!r}):",
            "    weight[y_true == label] *= prevalence / weight[y_true == label].sum()",
            "weight *= len(y_true) / weight.sum()",
        ]
        weight_in_use = ", sample_weight=weight"
    metric = f"metric={state.metric!r}"
    if state.metric == "cost":
        metric = f"cost_matrix={state.cost_matrix.tolist()!r}"
    lines += [
        f"best = best_simplex_point(y_true, y_prob, classes={classes}, {metric}{weight_in_use})",
        "print(best.point, best.value)",
        f"ranked = hand_till_auc(y_true, y_prob, classes={classes}{weight}{clusters})",
        "print(ranked.auc, ranked.lower, ranked.upper)",
    ]
    return script(lines)


def _source(state: Any) -> list[str]:
    """Write lines that load or simulate labels, probabilities and classes."""
    if not state.is_sandbox:
        own = state._own
        return [*own.code_lines(), f"classes = {list(own.samples.classes)!r}"]
    if state.source != "drawn":
        call = f"load_class_scores({state.source!r})"
    else:
        from rocviz.widgets.multiclass.data import CLASS_SETTINGS

        settings = state.sandbox_settings()
        arguments = {name: settings[name] for name in CLASS_SETTINGS if name != "n_samples"}
        arguments["random_state"] = settings["seed"]
        call = f"make_classes({settings['n_samples']}{options(**arguments)})"
    return [f"data = {call}", "y_true, y_prob, classes = data.y_true, data.y_prob, data.classes"]
