"""Sentences of the lexicographic explorer, and the code that computes its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial
from typing import Any

from rocviz.widgets.base.code import script
from rocviz.widgets.lexicographic.data import (
    N_PREVIEW_SAMPLES,
    PRESET_DATA,
    Cells,
    Witnesses,
    bayes_alpha,
)
from rocviz.widgets.lexicographic.result import LexicographicResult, Ranker, n_leaves
from rocviz.words import amount, equal_to, ink, number, shorten

MAX_CLASS_LETTERS = 14  # of the name of a class in the sentence
NUMBER_WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")
#: Attributes up to which all rankers are counted; of more, their number says nothing.
MAX_COUNTED_ATTRIBUTES = 8


def _conditions(state: Any, most: int) -> str:
    order = state.order
    room = 48 // min(most, len(order))  # the sentence has two lines
    written = ", then ".join(shorten(state.condition(j), room) for j in order[:most])
    more = len(order) - most
    return written if more <= 0 else f"{written}, then {more} more"


def sentences(state: Any) -> Iterator[str]:
    """Describe the order's ranking and its hull; then the other rankers."""
    result = state.result
    yield _ranking(state, result)
    yield f"{_hull(result)} {_others(result)}"


def _ranking(state: Any, result: LexicographicResult) -> str:
    auc = f"AUC {number(result.segments.auc)}"
    hull = ink("hull", number(result.hull.auc))
    if not state.order:
        return f"No attribute is in the order, so all samples tie: {auc}."
    first = f"First {ink('selected', _conditions(state, 2 if len(state.order) > 3 else 3))}:"
    if state.is_preview:
        preview = f"in a preview from {amount(N_PREVIEW_SAMPLES)} samples"
        return f"{first} {preview} this order has {auc}, its convex hull {hull}."
    if result.segments.is_convex:
        return f"{first} {auc}, and the curve is convex. {_top(state, result)}"
    return f"{first} {auc}, the convex hull {hull}. {_top(state, result)}"


def _top(state: Any, result: LexicographicResult) -> str:
    """Count the samples of both classes in the leaves that are predicted positive."""
    n_pos, n_neg = result.top
    tree = result.tree
    classes = state.class_names.shortened(MAX_CLASS_LETTERS)
    every = n_leaves(tree)
    if not state.leaves:
        return "No leaf is predicted positive."
    if state.leaves == 1:
        which = f"The top leaf of {amount(every)} holds"
    else:
        which = f"The top {amount(state.leaves)} of {amount(every)} leaves hold"
    pos = f"{amount(n_pos)} of {amount(float(tree.pos.sum()))} {classes.positives}"
    neg = f"{amount(n_neg)} of {amount(float(tree.neg.sum()))} {classes.negatives}"
    return f"{which} {ink('positive', pos)} and {ink('negative', neg)}."


def _hull(result: LexicographicResult) -> str:
    before = len(result.segments)
    after = len(result.hull)
    if before == after:
        return "No two neighbouring patterns are in the wrong order, so the hull joins nothing."
    patterns = "patterns that occur" if before != 1 else "pattern that occurs"
    segments = ink("hull", f"{amount(after)} segment{'s' if after > 1 else ''}")
    text = f"The hull joins the {amount(before)} {patterns} into {segments}"
    if after <= 4:
        probabilities = ", ".join(number(float(p)) for p in result.probability)
        text += f", with the probabilities {ink('hull', probabilities)}"
    return f"{text}."


def _others(result: LexicographicResult) -> str:
    own = f"LexRank's own order has {number(result.own.auc)}, "
    if result.is_own:
        own = "This is LexRank's own order; "
    bayes = f"has {number(result.naive_bayes.auc)}"
    if result.is_bayes:
        bayes = "ranks in the same way"
    tree = number(result.decision_tree.auc)
    tried = f" {_eight(result)}." if result.rankers else ""
    return (
        f"{own}naive Bayes {bayes} and a decision tree has {tree}, all judged on the samples they "
        f"were learned from.{tried}"
    )


def _tried(result: LexicographicResult) -> tuple[list[float], int]:
    """Collect the AUCs of the listed rankers tried, and count the convex ones."""
    tried = []
    for ranker in result.rankers:
        if (ranker.order, ranker.preferred) in result.tried:
            tried.append(ranker)
    return [ranker.auc for ranker in tried], sum(ranker.is_convex for ranker in tried)


def _eight(result: LexicographicResult) -> str:
    """Describe the rankers tried; all eight only after all were tried."""
    aucs, convex = _tried(result)
    if not aucs:
        return "None of the 8 rankers of both attributes has been tried"
    if len(aucs) < len(result.rankers):
        return f"{len(aucs)} of 8 rankers tried, {NUMBER_WORDS[convex]} convex so far"
    verb = "is" if convex <= 1 else "are"
    count = NUMBER_WORDS[convex].capitalize()
    return (
        f"{count} of the eight lexicographic rankers {verb} convex: their AUCs run from "
        f"{number(min(aucs))} to {number(max(aucs))}"
    )


def ranker_text(state: Any, ranker: Ranker) -> str:
    """Name a ranker in words."""
    return ", ".join(
        state.condition(j, value) for j, value in zip(ranker.order, ranker.preferred, strict=True)
    )


def rankers_heading(state: Any) -> str:
    """Count the rankers tried, and give the best AUC."""
    result = state.result
    if result.rankers:
        aucs, convex = _tried(result)
        if not aucs:
            return "0 of 8 tried."
        return f"{len(aucs)} of 8 tried, {NUMBER_WORDS[convex]} convex."
    tried = result.tried
    best = number(max(tried.values()))
    return (
        f"{rankers_summary(state)} tried; the best has AUC {best}, LexRank's own "
        f"{number(result.own.auc)}."
    )


def rankers_summary(state: Any) -> str:
    """Count the rankers tried; if there are few rankers, out of all."""
    result = state.result
    if result.rankers:
        return f"{len(_tried(result)[0])} of 8"
    count = len(result.tried)
    size = state.data.n_varying
    full = all(len(order) == size for order, _ in result.tried)
    if full and size <= MAX_COUNTED_ATTRIBUTES:
        return f"{count} of {factorial(size) * 2**size:,} rankers"
    return f"{count} ranker{'s' if count > 1 else ''}"


def ratio_kind(result: LexicographicResult) -> str:
    """Name the kind of odds ratios in the picture."""
    return "smoothed odds ratio" if result.order.smoothing else "raw odds ratio"


def tree_note(state: Any) -> str:
    """Explain the tree by its first probability."""
    result = state.result
    tree = result.tree
    top = tree.hull_segment == 0
    pos = float(tree.pos[top].sum())
    n = float((tree.pos + tree.neg)[top].sum())
    ratio = f"({amount(pos)} + {state.m / 2:g}) / ({amount(n)} + {state.m:g})"
    if not state.m:
        ratio = f"{amount(pos)} / {amount(n)}"
    ratio = f"{ratio} {equal_to(float(result.leaf_probability[0]))}".replace(" ", "\u00a0")
    positives = state.class_names.shortened().positives
    parts = [
        f"The hull's top segment has {amount(pos)} {positives} of {amount(n)}: LexProb predicts "
        f"{ratio}."
    ]
    levels = tree.n_levels
    every = len(result.order)
    empty = int(((tree.pos + tree.neg) == 0).sum())
    if every > levels:
        parts.append(f"First {levels} of {every} attributes.")
    if empty:
        parts.append(f"{empty} of {tree.pos.size} leaves are empty.")
    return " ".join(parts)


def branch_texts(state: Any, depth: int) -> tuple[str, str, str]:
    """Name an attribute of the tree, its preferred and its other value."""
    column = int(state.result.tree.order[depth])
    attribute = state.data.attributes[column]
    sides = (attribute.zero_text, attribute.one_text)
    first = int(state.result.tree.preferred[depth])
    name = attribute.name
    if sides == ("no", "yes"):
        name += ":"
    return name, sides[first], sides[1 - first]


# ---------------------------------------------------------------------- code


def code(state: Any) -> str:
    """Write Python that computes the numbers on screen."""
    lines, table, extra = _source(state)
    result = state.result
    lines += [
        "order = lex_order(",
        f"    {table}, y, smoothing={state.smoothing!r},",
        f"    order={list(state.order)}, preferred={list(state.preferred)}{extra},",
        ")",
        f"segments = order.segments({table}, y{extra})",
        "print(order.to_frame())",
        "print(segments.auc, segments.is_convex, segments.hull().auc)",
        f"print(calibration_map(segments, m={state.m!r}).probability)",
        f"tree = lexicographic_tree({table}, y, order{extra})",
        "print(tree.to_frame())",
        "",
    ]
    weight = ", sample_weight=sample_weight" if "sample_weight" in extra else ""
    lines += [
        f"model = BernoulliNB(alpha={bayes_alpha(state.smoothing)!r})",
        f"model.fit({table}, y{weight})",
        f"log_odds = model.predict_joint_log_proba({table}) @ [-1, 1]",
        f"print(RankedSegments.from_scores(y, log_odds.round(9){extra}).auc)",
        f"model = DecisionTreeClassifier(max_depth=5, random_state=0).fit({table}, y{weight})",
        f"p = model.predict_proba({table})[:, 1].round(9)",
        f"print(RankedSegments.from_scores(y, p{extra}).auc)",
    ]
    if result.rankers:
        lines += [
            "",
            "for columns, values in product(permutations(range(2)), product((0, 1), repeat=2)):",
            f"    ranker = lex_order({table}, y, order=columns, preferred=values{extra})",
            f"    ranked = ranker.segments({table}, y{extra})",
            "    print(columns, values, ranked.auc, ranked.is_convex)",
        ]
    return script(lines)


def _source(state: Any) -> tuple[list[str], str, str]:
    """Write lines that make bits and labels; name the bits and further arguments."""
    if not state.is_sandbox:
        lines = state._own.code()
        extra = ""
        if state._own.given["sample_weight"] is not None:
            extra = ", sample_weight=sample_weight"
        if state._own.pos_label is not None:
            # models beside it rank by their second class
            lines.append(f"y = np.asarray(y) == {state._own.pos_label!r}")
        return [*lines, ""], "bits", extra
    recipe = PRESET_DATA[state.preset]
    if isinstance(recipe, Witnesses | Cells):
        return [*recipe.code(), ""], "X", ""
    if recipe == "flach-matsubara":
        return ["X, y = load_flach_matsubara(return_X_y=True)", ""], "X", ""
    lines = [
        "X, y = load_breast_cancer(return_X_y=True, as_frame=True)",
        "y = y == 0  # malignant is positive",
        "bits = LexRank().fit(X, y).binarize(X)",
        "",
    ]
    return lines, "bits", ""
