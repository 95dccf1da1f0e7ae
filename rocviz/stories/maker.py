"""Make a story by hand: move an explorer, and keep its state as a step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import traitlets

from rocviz.core.base.validation import check_integer, check_text, describe
from rocviz.files import output_path
from rocviz.stories.writing import write_steps
from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.stories.rehearsal import Scene, rehearse, same, set_up, state_copy, view_of
from rocviz.widgets.base.stories.steps import Question, Step, read_steps
from rocviz.widgets.base.stories.story import Story
from rocviz.widgets.base.widget import OneWidget, reference, script, shipped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class StoryMaker(OneWidget):
    """An explorer with a form beside it: move it, describe it, press *keep as a step*.

    A step holds the inputs that differ from the previous step, so it is short and easy to edit in
    the file.

    Parameters
    ----------
    explorer : Explorer
        The explorer of the story.
    steps : sequence of Step, or str or Path, default=()
        Steps to begin with, or the path of a file of steps.

    Attributes
    ----------
    steps : tuple of Step
        The kept steps.

    Raises
    ------
    ValueError
        If the explorer is not open, or a step is invalid.

    Examples
    --------
    >>> from rocviz import ROCExplorer
    >>> from rocviz.stories import StoryMaker
    >>> explorer = ROCExplorer(panels=["roc"])
    >>> maker = StoryMaker(explorer)
    >>> step = maker.keep("A curve", "Its area is {result.segments.auc:.2f}.")
    >>> explorer.threshold = 0.3
    >>> maker.keep("Lower", "Now {result.table.fp:n} false alarms.").inputs
    {'threshold': 0.3}
    >>> maker.close()
    """

    _esm = shipped(script("story_maker.js"))
    _css = shipped(Path(__file__).with_name("maker.css").read_text(encoding="utf-8"))
    _anywidget_id = shipped("rocviz.StoryMaker")

    _explorer = traitlets.Unicode().tag(sync=True)
    _titles: Any = traitlets.List().tag(sync=True)
    _message = traitlets.Unicode().tag(sync=True)

    def __init__(self, explorer: Any, steps: Sequence[Step] | str | Path = ()) -> None:
        if not isinstance(explorer, Explorer) or explorer.comm is None:
            raise ValueError(f"explorer must be an open explorer; got {describe(explorer)}.")
        if isinstance(steps, str | Path):
            steps = read_steps(steps)
        self.explorer: Any = explorer
        self._opening = view_of(explorer)
        self.steps: tuple[Step, ...] = tuple(steps)
        self._rehearse(self.steps)
        super().__init__()
        self._explorer = reference(explorer)
        self._show_message("")
        self._open_widget(self._received)

    def _rehearse(self, steps: Sequence[Step]) -> tuple[Scene, ...]:
        return rehearse({"": self.explorer}, steps, {"": self._opening})

    def keep(
        self, title: str, text: str, ask: Question | None = None, *, index: int | None = None
    ) -> Step:
        """Keep the explorer's present state as a step.

        Parameters
        ----------
        title, text : str
            See :class:`.Step`.
        ask : Question, optional
            A question to ask before the step is shown.
        index : int, optional
            Index of the step, from 0; by default it comes last.

        Returns
        -------
        Step

        Raises
        ------
        ValueError
            If the text names a number that the explorer does not have now, or no inputs lead to its
            state.
        """
        check_text(title, "title")
        place = (
            len(self.steps) if index is None else check_integer(index, "index", 0, len(self.steps))
        )
        scenes = self._rehearse(self.steps[:place])
        before = scenes[-1].values if scenes else self._opening
        sets = self._sets(before, view_of(self.explorer), is_first=not scenes)
        controls = self.explorer.controls()
        moved = tuple(name for name in sets["inputs"] if name in controls and name != "preset")
        step = Step(title, text, ask=ask, move=moved, **sets)
        steps = [*self.steps[:place], step, *self.steps[place:]]
        self._rehearse(steps)
        self.steps = tuple(steps)
        self._show_message(f"Kept as step {place + 1}.")
        return step

    def _sets(
        self, before: Mapping[str, Any], shown: Mapping[str, Any], *, is_first: bool
    ) -> dict[str, Any]:
        """Find the inputs that a step must set to lead from one state to another."""
        panels = shown["panels"] if is_first or shown["panels"] != before["panels"] else None
        usual = large_of(before) if panels is None else panels[0]
        focus = None if large_of(shown) == usual else large_of(shown)
        inputs = leading(state_copy(self.explorer), before, shown)
        return {"inputs": inputs, "panels": panels, "focus": focus}

    def drop(self, index: int) -> None:
        """Remove a step; the next step sets its inputs.

        Parameters
        ----------
        index : int
            Index of the step, from 0.

        Raises
        ------
        ValueError
            If there is no such step.
        """
        check_integer(index, "index", 0, len(self.steps) - 1)
        scenes = self._rehearse(self.steps)
        rest = list(self.steps[index + 1 :])
        if rest:
            before = scenes[index - 1].values if index else self._opening
            rest[0] = replace(
                rest[0],
                **self._sets(before, scenes[index + 1].values, is_first=not index),
                glide="",
            )
        steps = [*self.steps[:index], *rest]
        self._rehearse(steps)
        self.steps = tuple(steps)
        self._show_message(f"Step {index + 1} is gone.")

    def show(self, index: int) -> None:
        """Set the explorer to a step, to continue from there.

        Parameters
        ----------
        index : int
            Index of the step, from 0.

        Raises
        ------
        ValueError
            If there is no such step.
        """
        check_integer(index, "index", 0, len(self.steps) - 1)
        self.explorer.go_back(**self._rehearse(self.steps)[index].values)

    def save(self, path: str | Path) -> Path:
        """Write the steps to a TOML file, which :class:`.Story` opens.

        Parameters
        ----------
        path : str or Path
            A path that ends in ``.toml``.

        Returns
        -------
        Path

        Raises
        ------
        ValueError
            If there is no step, or the path has another ending.
        OSError
            If the file cannot be written; an existing one is then as it was.
        """
        path = output_path(path, (".toml",))
        if not self.steps:
            raise ValueError("steps must be one or more; keep a step first.")
        return write_steps(path, self.steps)

    def to_story(self) -> Story:
        """Make the story and close the maker; the explorer now belongs to the story.

        Raises
        ------
        ValueError
            If there is no step.
        """
        self.explorer.go_back(**self._opening)
        story = Story(self.explorer, self.steps)
        del self.explorer  # the story owns it now, and closes it
        super().close()
        return story

    def close(self) -> None:
        """Close the maker and its explorer, and release their widget models."""
        if self.comm is None:
            return
        self.explorer.close()
        super().close()

    # ------------------------------------------------------------------ actions of the user

    def _received(self, content: dict[str, Any]) -> None:
        try:
            if "keep" in content:
                self._keep(content["keep"])
            elif "drop" in content:
                self.drop(int(content["drop"]))
            elif "show" in content:
                self.show(int(content["show"]))
            elif "save" in content:
                self._show_message(f"Saved as {self.save(str(content['save'])).resolve()}.")
        except (ValueError, OSError) as error:
            self._show_message(str(error))

    def _keep(self, form: Mapping[str, str]) -> None:
        """Keep the step in the form: one choice per line, a star before the right one."""
        lines = [line.strip() for line in form.get("choices", "").splitlines() if line.strip()]
        ask = None
        if form.get("question", "").strip():
            right = [k for k, line in enumerate(lines) if line.startswith("*")]
            if len(right) != 1:
                raise ValueError(
                    "choices must stand on a line each, with a * before the right one."
                )
            choices = [line.removeprefix("*").strip() for line in lines]
            ask = Question(form["question"].strip(), choices, right[0])
        self.keep(form["title"].strip(), form["text"].strip(), ask)

    def _show_message(self, message: str) -> None:
        with self.hold_sync():
            self._titles = [step.title for step in self.steps]
            self._message = message


def large_of(view: Mapping[str, Any]) -> str:
    """Find the name of the large picture in what :func:`.view_of` collects."""
    return str(view["focus"] or view["panels"][0])


def leading(state: Any, before: Mapping[str, Any], target: Mapping[str, Any]) -> dict[str, Any]:
    """Find a small set of inputs that leads from one state to another.

    Where one input follows another, only one of them is needed.

    Parameters
    ----------
    state : ExplorerState
        The state on which the inputs are tried.
    before, target : mapping of str to object
        The inputs, the panels and the large picture of the two states.

    Returns
    -------
    dict of str to object

    Raises
    ------
    ValueError
        If no inputs lead there.
    """
    names = sorted(state.input_names(), key=lambda name: name != "preset")

    def missing(inputs: dict[str, Any]) -> list[str]:
        state.go_back(**before)
        set_up(state, Step("", " ", inputs))
        state.finish()
        return [name for name in names if not same(getattr(state, name), target[name])]

    inputs: dict[str, Any] = {}
    while unset := [name for name in missing(inputs) if name not in inputs]:
        inputs[unset[0]] = target[unset[0]]
    wrong = missing(inputs)
    for name in list(inputs):  # a dependent input may conflict with the one it follows
        fewer = {other: value for other, value in inputs.items() if other != name}
        wrong_with_fewer = missing(fewer)
        if len(wrong_with_fewer) <= len(wrong):
            inputs = fewer
            wrong = wrong_with_fewer
    if wrong:
        raise ValueError(f"{', '.join(wrong)} cannot be kept as it is shown.")
    return inputs
