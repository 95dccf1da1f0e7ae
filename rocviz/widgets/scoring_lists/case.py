"""One case as rows of native controls: a question, its answer, and what one knows after it.

Shows a result and hands what is pressed to the callbacks it was given; computes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import ipywidgets

from rocviz.widgets.base.parts import colour, control
from rocviz.widgets.base.state import Sentence
from rocviz.widgets.scoring_lists.result import forced
from rocviz.widgets.scoring_lists.words import NO_SAMPLES, points_text, verdict
from rocviz.words import percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocviz.widgets.scoring_lists.result import ScoringListResult
    from rocviz.widgets.scoring_lists.state import ScoringListState

__all__ = ["CasePanel", "Row"]

ANSWERS = {"yes": 1, "no": 0, "?": None}
NAME_OF = {answer: name for name, answer in ANSWERS.items()}
FEW = 6  # questions that there is room to draw large
WORDS_OF = {"yes": "yes", "no": "no", "?": "unknown"}


class Row:
    """One question: its answer, its points, its cost, and what one knows after it.

    Parameters
    ----------
    k : int
        Its position.
    acts : mapping of str to callable
        ``answer``, ``points`` and ``cost``; each is called with the position and a value.
    """

    def __init__(self, k: int, acts: dict[str, Callable[[int, Any], None]]) -> None:
        self.answer = ipywidgets.ToggleButtons(options=list(ANSWERS), value="?")
        self.points = ipywidgets.BoundedIntText(min=-9999, max=9999, continuous_update=False)
        self.cost = ipywidgets.BoundedFloatText(min=0.0, max=1e9, continuous_update=False)
        self.track = ipywidgets.HTML()
        self.answer.observe(lambda c: acts["answer"](k, ANSWERS[c["new"]]), names=["value"])
        self.points.observe(lambda c: acts["points"](k, c["new"]), names=["value"])
        self.cost.observe(lambda c: acts["cost"](k, c["new"]), names=["value"])
        parts = [self.answer, self.points, self.cost, self.track]
        self.box = control(ipywidgets.Box(parts), "rocviz-row")

    def name(self, question: str, score: int) -> None:
        """Say what is asked."""
        put(self.answer, description=f"{points_text(score)}\u2002{question}")
        put(self.answer, tooltips=[f"{question}: {WORDS_OF[name]}" for name in ANSWERS])
        put(self.points, description=f"points of {question}")
        put(self.cost, description=f"cost of {question}")


def put(widget: ipywidgets.Widget, **values: Any) -> None:
    """Give a widget values, but only where they differ."""
    for name, value in values.items():
        if getattr(widget, name) != value:
            setattr(widget, name, value)


class CasePanel:
    """The case's answers, what each did to the probability, and what to do next."""

    def __init__(
        self, acts: dict[str, Callable[[int, Any], None]], tools: Sequence[ipywidgets.Widget]
    ) -> None:
        self._acts = acts
        self.before = control(ipywidgets.HTML(), "rocviz-before")
        self.rows: list[Row] = []
        self.list = control(ipywidgets.Box(), "rocviz-case")
        self.says = ipywidgets.HTML()
        self.tools = control(ipywidgets.Box(list(tools)), "rocviz-chips")
        heading = ipywidgets.HTML('<h3 class="flush">A case</h3>')
        self.box = control(
            ipywidgets.VBox([heading, self.list, self.says, self.tools]), "rocviz-panel"
        )

    def draw(self, state: ScoringListState, result: ScoringListResult) -> None:
        """Show a result; the controls are set by :meth:`follow`."""
        way, size = result.walk, len(result.scoring_list)
        if len(self.rows) < size:
            self.rows += [Row(k, self._acts) for k in range(len(self.rows), size)]
            self.list.children = (self.before, *(row.box for row in self.rows))
        self.before.value = (
            f'<div>before any question</div><div class="cell">{self._track(state, result, 0)}</div>'
            '<div class="head">points</div><div class="head">cost</div>'
        )
        for k in range(size):
            track = self._track(state, result, k + 1) if k < way.stage else self._waits(state, k)
            put(self.rows[k].track, value=f'<div class="cell">{track}</div>')
        words = Sentence(tuple(verdict(state)))
        note = ""
        if state.editing:
            note = '<div class="muted">Points of a yes, and what it costs to ask.'
            note += f" {NO_SAMPLES}</div>" if state.data.fit is None else "</div>"
        self.says.value = f'<div class="rocviz-verdict">{words.html}</div>{note}'

    @staticmethod
    def _waits(state: ScoringListState, k: int) -> str:
        """Return what stands in place of a track where the case has not been yet."""
        way = state.result.walk
        text = ""
        if way.is_sure:
            text = "not needed" if k == way.stage else ""
        elif k == way.next_question:
            text = "next"
        elif state.answers[k] is not None:
            text = "waits for those above"
        return f'<div class="waits muted">{text}</div>'

    @staticmethod
    def _track(state: ScoringListState, result: ScoringListResult, k: int) -> str:
        way = result.walk
        p = float(way.probability[k])
        interval = ""
        if result.bands is not None:
            left, right = 100 * float(way.lower[k]), 100 * float(way.upper[k])
            interval = f'<span style="left:{left:.2f}%;width:{right - left:.2f}%"></span>'
        limits = "".join(
            f'<u style="left:{100 * level:.2f}%;background:{colour(thing)}"></u>'
            for level, thing in ((state.lower, "negative"), (state.upper, "positive"))
        )
        last = " last" if k == way.stage else ""
        return (
            f'<div class="rocviz-track{last}">{interval}{limits}'
            f'<i style="left:{100 * p:.2f}%"></i></div><b class="number{last}">{percent(p)}</b>'
        )

    def follow(self, state: ScoringListState, result: ScoringListResult) -> None:
        """Let the controls show the answers, points and costs that are held."""
        made = result.scoring_list
        can_edit = state.data.fit is not None
        for k, row in enumerate(self.rows):
            there = k < len(made)
            put(row.box.layout, display="" if there else "none")
            if not there:
                continue
            row.name(state.questions[k], state.scores[k])
            fixed = forced(made, k)
            given = state.answers[k] if fixed is None else fixed
            put(row.answer, value=NAME_OF[given], disabled=fixed is not None)
            put(row.points, value=state.scores[k], disabled=not can_edit)
            put(row.cost, value=state.feature_costs[k])
        for name, on in (("is-editing", state.editing), ("is-few", len(made) <= FEW)):
            if (name in self.list._dom_classes) != on:
                (self.list.add_class if on else self.list.remove_class)(name)
