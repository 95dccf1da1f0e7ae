"""The lexicographic explorer's pictures: its tree, rankings and attributes."""

from __future__ import annotations

from rocviz.displays.lexicographic import pictures
from rocviz.pictures import Entry, Picture
from rocviz.widgets.lexicographic.result import LexicographicResult
from rocviz.widgets.lexicographic.state import LexicographicState
from rocviz.widgets.lexicographic.words import branch_texts, ratio_kind, tree_note
from rocviz.words import number


def tree_picture(state: LexicographicState, result: LexicographicResult, is_large: bool) -> Picture:
    """Draw the tree of the first attributes."""
    levels = [branch_texts(state, depth) for depth in range(result.tree.n_levels)]
    note = tree_note(state) if is_large else ""
    data = state.data
    return pictures.tree_picture(
        result.tree,
        levels,
        result.leaf_probability,
        is_large,
        note=note,
        classes=state.class_names,
        samples=pictures.dots_of_tree(result.tree, data.X, data.positive, data.weight),
        n_top=state.leaves,
        is_joined=state.join,
    )


def curves_picture(
    state: LexicographicState, result: LexicographicResult, is_large: bool
) -> Picture:
    """Draw the order's ROC curve and hull, naive Bayes' and a decision tree's."""
    shown = (
        ("curve", result.segments, "this order", "ranking"),
        ("hull", result.hull, "its hull", "hull-text"),
        ("bayes", result.naive_bayes, "naive Bayes", "negative-text"),
        ("tree", result.decision_tree, "decision tree", "text"),
    )
    rows = []
    curves = {}
    for mark, ranking, name, role in shown:
        curves[mark] = ranking
        text = name
        if is_large:
            text += f", {number(ranking.auc)}"
        if is_large and mark == "tree":  # once, where there is most room
            text = f"{name}, AUC {number(ranking.auc)}"
        rows.append(Entry(text, role, mark))
    x, y = pictures.leaf_points(result.tree)
    grown = x[: state.leaves + 1], y[: state.leaves + 1]
    return pictures.curves_picture(curves, rows, is_large, grown)


def attributes_picture(
    state: LexicographicState, result: LexicographicResult, is_large: bool
) -> Picture:
    """Draw attributes as points in ROC space, on the isometrics of their odds ratios."""
    columns = result.order.order[: len(result.isometrics)].tolist()
    names = [(state.condition(j), state.data.attributes[j].name) for j in columns]
    kind = ratio_kind(result)
    return pictures.attributes_picture(result.order, result.isometrics, names, kind, is_large)
