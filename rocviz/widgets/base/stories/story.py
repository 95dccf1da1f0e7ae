"""A story: steps that set an explorer, in a notebook, in Voila, or recorded in a page."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocviz.core.base.validation import (
    check_callback,
    check_flag,
    check_integer,
    check_sequence,
    describe,
)
from rocviz.theme import get_theme
from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.parts import Outermost, make_widget
from rocviz.widgets.base.picture import Picture
from rocviz.widgets.base.recording.axes import axis_of
from rocviz.widgets.base.recording.recorder import Recorder, bar, silent_copy
from rocviz.widgets.base.state import ONE_AT_A_TIME
from rocviz.widgets.base.stories.bar import StoryBar
from rocviz.widgets.base.stories.steps import Step, check_words, read_steps, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from matplotlib.figure import Figure

    from rocviz.widgets.base.recording.recording import Recording

BETWEEN = 0.04  # seconds between two states of a glide
MOST_BETWEEN = 40  # states that a glide goes through
SAID = ("at", "text", "ask", "asking")  # what the bar says


class Story(Outermost):
    """An explorer that is led through steps, for a hall or for one reader.

    Next and back by button, arrow keys, space, or a presenter's clicker. At any step one can drag
    and then return to the step.

    Parameters
    ----------
    explorer : Explorer
        What is led; it is moved.
    steps : sequence of Step, or str or Path
        The steps, or a file of them, see :func:`rocviz.read_steps`.

    Attributes
    ----------
    at : int
        The step that is shown, counted from 0.
    is_asking : bool
        Whether its question waits for an answer; the picture is that of the step before.

    Raises
    ------
    ValueError
        If there is no step, or a step names no input or picture of the explorer, or its text
        nothing that can be filled in.

    Examples
    --------
    >>> from rocviz import ROCExplorer, Step, Story
    >>> story = Story(
    ...     ROCExplorer(panels=["roc"]),
    ...     [
    ...         Step("A curve", "The area under it is {result.segments.auc:.2f}."),
    ...         Step("Far left", "Now {result.table.fp:n} alarms.", {"threshold": 0.9}),
    ...     ],
    ... )
    >>> story.next()
    >>> story.text
    'Now 3 alarms.'
    >>> story.close()
    """

    def __init__(self, explorer: Any, steps: Sequence[Step] | str | Path) -> None:
        if not isinstance(explorer, Explorer) or explorer.comm is None:
            raise ValueError(f"explorer must be an open explorer; got {describe(explorer)}.")
        if isinstance(steps, str | Path):
            steps = read_steps(steps)
        made = check_sequence(steps, "steps", "one Step or more, or the path of a file of them")
        if not made or not all(isinstance(step, Step) for step in made):
            raise ValueError(f"steps must be one Step or more; got {describe(steps)}.")
        for number, step in enumerate(made, 1):
            self._check(explorer, number, step)
        self.steps: tuple[Step, ...] = tuple(made)
        self.explorer: Any = explorer
        self._opening = {**explorer.inputs(), **explorer.view()}
        self._shown: dict[int, dict[str, Any]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._picture = Picture(self)
        explorer.observe(self._moved, names=["result"])
        # the bar takes room from the rail, and which controls matter is said by the steps
        explorer._rail.opened = ""
        titles = [step.title for step in self.steps]
        self.bar = make_widget(StoryBar, titles=titles, on_message=self._received)
        super().__init__([self.bar, explorer])
        self.add_class("rocviz-story")
        if get_theme().lecture:
            self.add_class("rocviz-lecture")
        self.show(0)

    @staticmethod
    def _check(explorer: Any, number: int, step: Step) -> None:
        controls = explorer.controls()
        known = {*explorer.input_names(), *controls}
        for name in (*step.inputs, *step.move):
            if name not in known:
                raise ValueError(f"Step {number}, {step.title!r}: no input {name!r}.")
        for name in (*(step.panels or ()), *([step.focus] if step.focus else [])):
            if name not in explorer.pictures:
                raise ValueError(f"Step {number}, {step.title!r}: no picture {name!r}.")
        try:
            check_words(step, explorer)
        except ValueError as error:
            raise ValueError(f"Step {number}, {step.title!r}: {error}") from error

    # ------------------------------------------------------------------ where it is

    @property
    def at(self) -> int:
        """The step that is shown, counted from 0."""
        return int(self.bar.at)

    @property
    def is_asking(self) -> bool:
        """Whether its question waits for an answer; the picture is that of the step before."""
        return bool(self.bar.asking)

    @property
    def text(self) -> str:
        """What the step says, or asks."""
        ask = self.steps[self.at].ask
        return ask.text if self.is_asking and ask else str(self.bar.text)

    @property
    def sentence(self) -> str:
        """What the step is called and says."""
        return f"{self.steps[self.at].title}. {self.text}"

    def _check_at(self, at: int) -> int:
        return check_integer(at, "at", 0, len(self.steps) - 1)

    def next(self) -> None:
        """Go to the next step; one with a question asks it first, and goes on when told again."""
        if self.is_asking:
            self.show(self.at)
        elif self.at + 1 < len(self.steps):
            self.go(self.at + 1)

    def back(self) -> None:
        """Go to the step before."""
        if self.at:
            self.show(self.at - 1)

    def go(self, at: int, *, still: bool = True) -> None:
        """Go to a step; if it asks something, ask, and leave the picture as it is.

        Parameters
        ----------
        at : int
            Counted from 0.
        still : bool, default=True
            Whether it jumps where the step would glide.

        Raises
        ------
        ValueError
            If there is no such step, or its text cannot be filled in.
        """
        step = self.steps[self._check_at(at)]
        if step.ask is None:
            self.show(at, still=still)
            return
        check_flag(still, "still")
        if at and self.at != at - 1:
            self.show(at - 1)
        self._say(at=at, ask=self._ask(step), asking=True)

    @staticmethod
    def _ask(step: Step) -> dict[str, Any]:
        ask = step.ask
        if ask is None:
            return {}
        return {"text": ask.text, "choices": list(ask.choices), "answer": ask.answer}

    def show(self, at: int, *, still: bool = True) -> None:
        """Show a step, without asking anything; otherwise as :meth:`go`.

        Raises
        ------
        ValueError
            If there is no such step, or its text cannot be filled in; the story stays where it was.
        """
        step, still = self.steps[self._check_at(at)], check_flag(still, "still")
        self._stop()
        glide = "" if still else step.glide
        stood = {**self.explorer.inputs(), **self.explorer.view()}
        said = {name: getattr(self.bar, name) for name in SAID}
        try:
            before = self._before(at)
            if at in self._shown:
                self.explorer.go_back(**self._shown[at])
            else:
                self.explorer.go_back(**before)
                self._apply(step.inputs, step.view())
                looked_at = {"panels": self.explorer.panels, "focus": self.explorer.focus}
                self._shown[at] = {**self.explorer.inputs(), **looked_at}
            words = words_of(step, self.explorer)
        except Exception:  # such as a value that cannot be: nothing has moved then
            self._shown.pop(at, None)
            self.explorer.go_back(**stood)
            self._say(**said)
            raise
        wanted = self._shown[at]
        self._say(at=at, text=words, ask=self._ask(step), asking=False)
        if glide and len(way := self.way(at)) > 1:
            others = {name: value for name, value in step.inputs.items() if name != glide}
            self.explorer.go_back(**before)
            self._apply(others, step.view())
            self._glide(glide, way, wanted)

    def _say(self, **said: Any) -> None:
        with self.bar.hold_sync():
            for name, value in said.items():
                setattr(self.bar, name, value)

    def _before(self, at: int) -> dict[str, Any]:
        """Compute the state in which the step before leaves the explorer."""
        if at == 0:
            return self._opening
        if at - 1 not in self._shown:
            self.show(at - 1)
        return self._shown[at - 1]

    def _apply(self, inputs: Mapping[str, Any], view: dict[str, Any]) -> None:
        """Set inputs; a situation comes first, and as it ships although it holds already."""
        explorer, rest = self.explorer, dict(inputs)
        preset = rest.pop("preset", None)
        if preset is not None and preset == explorer.preset:
            rest = {**explorer._preset_defaults(), **explorer.presets.get(preset, {}), **rest}
        elif preset is not None:
            explorer.preset = preset
        explorer.update(**rest, **view)

    # ------------------------------------------------------------------ gliding

    def way(self, at: int) -> list[Any]:
        """List the values that a step glides through, the last one the step's own.

        Parameters
        ----------
        at : int
            A step, counted from 0.

        Returns
        -------
        list
            Empty where it does not glide, or was not shown yet.

        Raises
        ------
        ValueError
            If there is no such step.
        """
        name = self.steps[self._check_at(at)].glide
        if at not in self._shown:
            return []
        control = self.explorer.controls().get(name)
        grid = control.grid_of(self.explorer) if control else None
        if grid is None:
            return []
        ends = [grid.position(one[name]) for one in (self._before(at), self._shown[at])]
        count = min(abs(ends[1] - ends[0]) + 1, MOST_BETWEEN)
        places = np.unique(np.linspace(ends[0], ends[1], count).round().astype(int))
        values = [grid.value(int(p)) for p in (places if ends[0] < ends[1] else places[::-1])]
        return [*values[:-1], self._shown[at][name]]

    def _glide(self, name: str, way: list[Any], wanted: dict[str, Any]) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.explorer.go_back(**wanted)
            return
        values = iter(way[:-1])

        def on() -> None:
            try:
                value = next(values)
            except StopIteration:
                self.explorer.go_back(**wanted)
                return
            with self.explorer.by_hand():
                setattr(self.explorer, name, value)
            self._timer = loop.call_later(BETWEEN, on)

        on()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _received(self, content: dict[str, Any]) -> None:
        still = bool(content.get("still"))
        if "focus" in content:
            self.explorer._focus_number(int(content["focus"]))
        elif "go" in content:
            self.go(int(content["go"]), still=still)
        else:
            self.show(int(content["show"]), still=still)

    # ------------------------------------------------------------------ a saved notebook

    def static_figure(self) -> Figure:
        """Draw the step's text above the pictures of the explorer, with matplotlib.

        Returns
        -------
        matplotlib.figure.Figure
            Of no window and no global state.
        """
        from rocviz.widgets.base.still import compose

        explorer = self.explorer
        with ONE_AT_A_TIME:
            explorer.finish()
            return compose(explorer, explorer._panels, explorer._stills(), None, self.sentence)

    def _ipython_display_(self, **_kwargs: Any) -> None:
        self._picture.show()

    def _moved(self, _change: Any) -> None:
        self._picture.is_stale()

    # ------------------------------------------------------------------ recording

    def record(
        self,
        *,
        most: int = 31,
        progress: Callable[[Iterable[Any]], Iterable[Any]] | None = None,
    ) -> Recording:
        """Record the whole story, and around each step the controls that it lets move.

        The story itself does not move.

        Parameters
        ----------
        most : int, default=31
            Values that are recorded of a control; of a list, such as answers, three times as many.
        progress : callable, optional
            Wraps the steps, as ``tqdm.tqdm`` does; by default a bar, if it takes long.

        Returns
        -------
        Recording

        Raises
        ------
        ValueError
            If ``most`` is no integer of at least 2, or ``progress`` no function.
        """
        check_integer(most, "most", 2)
        check_callback(progress, "progress")
        with silent_copy(self.explorer) as twin:
            twin.go_back(**self._opening)
            story = Story(twin, self.steps)
            try:
                recorder, prompts = Recorder(twin, story), []
                for at in (progress or bar)(list(range(len(story.steps)))):
                    prompts.append(story._prompt(at))
                    story.show(at)
                    story._record_step(recorder, most)
                told = {"bar": story.bar.model_id, "asked": prompts}
                return recorder.finish(title=str(story.steps[0].title), story=told)
            finally:
                story.close()

    def _prompt(self, at: int) -> dict[str, Any] | None:
        """Describe the bar while a step's question waits."""
        if self.steps[at].ask is None:
            return None
        self.go(at)
        return {name: getattr(self.bar, name) for name in ("at", "ask", "asking")}

    def _record_step(self, recorder: Recorder, most: int) -> None:
        """Record the controls that the step shown lets move, and the values it glides through."""
        step, explorer, way = self.steps[self.at], self.explorer, self.way(self.at)
        controls: dict[str, Any] = {
            # there are many more ways to answer questions than places of a slider
            name: 3 * most if isinstance(getattr(explorer, name, None), tuple) else most
            for name in step.move
        }
        glides = len(way) > 1
        if glides:
            values = {*way, *axis_of(explorer, step.glide, most).values}
            grid = explorer.controls()[step.glide].grid_of(explorer)
            controls[step.glide] = sorted(values, key=grid.position)
        axes = recorder.scene(controls)
        k = [axis.name for axis in axes].index(step.glide) if glides else 0
        recorder.describe(glide=[k, axes[k].values.index(way[0])] if glides else None)

    def to_html(self, path: str | Path, *, most: int = 31, scripts: str | None = None) -> Path:
        """Write a page that tells the story without Python and network.

        Parameters
        ----------
        path : str or Path
            Ending in ``.html``.
        most : int, default=31
            See :meth:`record`.
        scripts : str, optional
            See :meth:`.Recording.to_html`.

        Returns
        -------
        Path
            Of the page that was written.

        Raises
        ------
        ValueError
            If the path ends otherwise, or ``most`` is no integer of at least 2.
        """
        if Path(path).suffix.lower() not in (".html", ".htm"):
            raise ValueError(f"path must end in .html; got {Path(path).name!r}.")
        return self.record(most=most).to_html(path, scripts=scripts)

    def __repr__(self) -> str:
        return f"Story of {len(self.steps)} steps, at {self.at + 1}: {self.steps[self.at].title}"

    def close(self) -> None:
        """Take the story and its explorer off the screen and release every model they made."""
        if self.comm is None:
            return
        self._stop()
        self._picture.close()
        self.explorer.unobserve(self._moved, names=["result"])
        self.explorer.close()
        for widget in (self.bar, self.bar.layout, self.layout):
            widget.close()
        super().close()
