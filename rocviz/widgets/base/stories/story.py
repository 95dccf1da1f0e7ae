"""A story: steps that set an explorer, in a notebook, in Voila, or recorded in a page."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import traitlets

from rocviz.core.base.validation import (
    check_callback,
    check_flag,
    check_integer,
    check_sequence,
    describe,
)
from rocviz.files import output_path
from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.recording.recorder import Recorder, assembled, axis_of, bar, silent_copy
from rocviz.widgets.base.state import ONE_AT_A_TIME, one_at_a_time
from rocviz.widgets.base.stories.prose import Prose
from rocviz.widgets.base.stories.rehearsal import rehearse, same, set_up, view_of
from rocviz.widgets.base.stories.steps import MAX_STEPS, Step, prose_of, read_steps
from rocviz.widgets.base.terminal import advice, in_ipython
from rocviz.widgets.base.widget import OneWidget, reference, script, shipped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from matplotlib.figure import Figure

    from rocviz.widgets.base.recording.recording import Recording


OWN_TRAITS = ("index", "is_asking")  # what a page may not set by itself
GLIDE_SECONDS = 1.6  # duration of a glide
MAX_GLIDE_STATES = 40  # largest number of states of a glide, which are shown at equal times
WORDS_PER_MINUTE = 130  # read aloud


@dataclass
class _Glide:
    """A glide that is under way in an explorer."""

    name: str  # of the input that glides
    frames: list[Any]  # its values, shown at equal times
    end: Mapping[str, Any]  # inputs and view where it ends
    begun: float  # by the clock of the loop
    inputs: Mapping[str, Any]  # that were set last
    timer: asyncio.TimerHandle | None = None


STORY_STYLE = Path(__file__).with_name("story.css").read_text(encoding="utf-8")


class Story(OneWidget):
    """One or several explorers led through steps, for a lecture or for one reader.

    Next and back by button, arrow keys, space, or a presenter's clicker. At any step the
    user can drag, and then return to the step. All steps are tried when the story is made.

    Parameters
    ----------
    explorer : Explorer, or mapping of str to Explorer
        The explorer, which the story moves. If there are several, each step names its own.
    steps : sequence of Step, or str or Path
        The steps, or a file of them, see :func:`rocviz.read_steps`.

    Attributes
    ----------
    index : int
        The step that is shown, counted from 0; it can be observed, and is set by :meth:`go`.
    is_asking : bool
        Whether its question waits for an answer; the picture is that of the step before.
    explorer : Explorer
        The explorer that is shown.
    minutes : int
        Its length in minutes, read aloud, with half a minute for each question.

    Raises
    ------
    ValueError
        If there are no steps or more than 300, or one is invalid; the message names the step and
        its entry.

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

    _esm = shipped(script("story.js"))
    _css = shipped(STORY_STYLE)
    _anywidget_id = shipped("rocviz.Story")

    index = traitlets.Int(read_only=True).tag(sync=True)
    is_asking = traitlets.Bool(read_only=True).tag(sync=True)

    #: Title, question and required controls of each step; all texts are HTML.
    _steps: Any = traitlets.List().tag(sync=True)
    #: The explorers, and which of them is shown, as :func:`.reference` names them.
    _explorers: Any = traitlets.List().tag(sync=True)
    _explorer = traitlets.Unicode().tag(sync=True)
    #: Raised by pages whose host runs code again only when they set a trait.
    _moves = traitlets.Int().tag(sync=True)

    def __init__(
        self, explorer: Any | Mapping[str, Any], steps: Sequence[Step] | str | Path
    ) -> None:
        named = dict(explorer) if isinstance(explorer, Mapping) else {"": explorer}
        for opened in named.values():
            if not isinstance(opened, Explorer) or not (opened.comm or opened._is_copy):
                raise ValueError(f"explorer must be an open explorer; got {describe(opened)}.")
        if not named:
            raise ValueError("explorer must be one open explorer or more; got none.")
        if isinstance(steps, str | Path):
            steps = read_steps(steps)
        listed = check_sequence(steps, "steps", "one Step or more, or the path of a file of them")
        if not listed or not all(isinstance(step, Step) for step in listed):
            raise ValueError(f"steps must be one Step or more; got {describe(steps)}.")
        if len(listed) > MAX_STEPS:
            raise ValueError(f"steps must be at most {MAX_STEPS}; got {len(listed):,}.")
        self.explorers: dict[str, Any] = named
        self.steps: tuple[Step, ...] = tuple(listed)
        self._scenes = rehearse(self.explorers, self.steps)
        self._opening = {name: view_of(opened) for name, opened in self.explorers.items()}
        self._glide: _Glide | None = None
        #: Whether the page waits until what it has asked for is shown.
        self._is_awaited = False
        super().__init__()
        for name, opened in self.explorers.items():
            opened.observe(self._moved, names=["result"])
            opened._set_narrator(partial(self._narrate, name))
        self.go(0)
        if not self._is_copy:
            self._steps = self._descriptions()
            self._explorers = [reference(opened) for opened in named.values()]
            self._open_widget(self._received)

    def check(self) -> None:
        """Check every step again: its inputs, its texts and their formulas.

        Raises
        ------
        ValueError
            If a step is invalid; the message names the step and its entry.
        """
        rehearse(self.explorers, self.steps, self._opening)

    @property
    def _is_copy(self) -> bool:
        """Whether it moves copies of explorers for a recording, which no page displays."""
        return any(opened._is_copy for opened in self.explorers.values())

    def _descriptions(self) -> list[dict[str, Any]]:
        """Describe the steps to the bar."""
        return [dict(scene.description) for scene in self._scenes]

    # ------------------------------------------------------------------ position

    @contextmanager
    def _changing(self) -> Iterator[None]:
        """Tell observers and the page of another step at the end of the block, all at once."""
        with self.hold_sync(), self.hold_trait_notifications():
            yield
            if not self._is_copy:
                self._explorer = reference(self.explorer)

    def _set_step(self, index: int, is_asking: bool) -> None:
        self.set_trait("index", index)
        self.set_trait("is_asking", is_asking)

    @property
    def explorer(self) -> Any:
        """The explorer of the present step."""
        return self.explorers[self._scenes[self.index].explorer]

    @property
    def text(self) -> str:
        """The step's text, or its question while it asks; without Markdown."""
        return self._scenes[self.index].asks if self.is_asking else self._prose().plain

    @property
    def sentence(self) -> str:
        """The step's title and text, or the question alone while it asks."""
        return self.text if self.is_asking else f"{self.steps[self.index].title}. {self.text}"

    def _prose(self) -> Prose:
        """Fill the step's text with the present numbers, or with the step's own if that fails."""
        step = self.steps[self.index]
        explorer = self.explorer
        if self._glide is not None:  # the numbers of the states in between are not the step's
            return self._scenes[self.index].prose
        if not self._moved_names():
            return prose_of(step.text, explorer)
        try:
            return prose_of(step.text if step.moved is None else step.moved, explorer)
        except Exception:  # such as an answer that was removed, or an error in the user's function
            return self._scenes[self.index].prose

    def _narrate(self, name: str) -> str:
        """Write the step's text, if the step shows this explorer."""
        if name != self._scenes[self.index].explorer:
            return ""
        if self._glide is not None:
            return self._waiting_words(self.index)
        html = self._prose().html
        moved = ", ".join(self._moved_names())
        if moved:
            note = f"Moved: {moved}. Escape leads back to this step."
            html += f'<p class="moved">{escape(note)}</p>'
        return html

    def _waiting_words(self, index: int) -> str:
        """Write a step's text as a page keeps it, out of sight, until the glide has arrived."""
        return f'<div class="waits">{self._scenes[index].prose.html}</div>'

    def _moved_names(self) -> list[str]:
        """List up to three inputs that differ from the step, by their labels in the rail."""
        scene = self._scenes[self.index]
        explorer = self.explorer
        controls = explorer.controls()
        inputs = explorer.inputs().items()
        moved = [name for name, value in inputs if not same(value, scene.values[name])]
        named = [controls[name].label for name in moved if name in controls]
        return list(dict.fromkeys(named or moved))[:3]

    def _check_index(self, index: int) -> int:
        return check_integer(index, "index", 0, len(self.steps) - 1)

    @property
    def title(self) -> str:
        """Title of its page: that of the first step without a question."""
        titles = [step.title for step in self.steps if step.ask is None]
        return titles[0] if titles else self.steps[0].title

    @property
    def minutes(self) -> int:
        """Duration in minutes: 130 words a minute read aloud, and half a minute per question."""
        words = 0
        n_questions = 0
        for step, scene in zip(self.steps, self._scenes, strict=True):
            texts = [step.title, scene.prose.plain]
            if step.ask is not None:
                n_questions += 1
                texts += [step.ask.text, *step.ask.choices, max(step.ask.why, key=len, default="")]
            words += sum(len(text.split()) for text in texts)
        return max(round(words / WORDS_PER_MINUTE + n_questions / 2), 1)

    def next(self) -> None:
        """Go to the next step; if it has a question, ask first, and show it on the next call."""
        if self.is_asking:
            self.show(self.index)
        elif self.index + 1 < len(self.steps):
            self.go(self.index + 1)

    def back(self) -> None:
        """Go to the previous step."""
        if self.index:
            self.show(self.index - 1)

    def go(self, index: int, *, still: bool = True) -> None:
        """Go to a step; if it has a question, ask it over the picture of the previous step.

        Parameters
        ----------
        index : int
            Counted from 0.
        still : bool, default=True
            Whether to jump where the step would glide.

        Raises
        ------
        ValueError
            If there is no such step.
        """
        if self.steps[self._check_index(index)].ask is None:
            self.show(index, still=still)
            return
        check_flag(still, "still")
        with self._changing():
            self.show(max(index - 1, 0))
            self._set_step(index, True)

    def show(self, index: int, *, still: bool = True) -> None:
        """Show a step without asking its question; otherwise as :meth:`go`.

        Raises
        ------
        ValueError
            If there is no such step. If a function of the user's raises another exception, the
            story stays at its present step.
        """
        self._check_index(index)
        still = check_flag(still, "still")
        self._stop()
        scene = self._scenes[index]
        stood = (self.index, self.is_asking)
        explorer = self.explorers[scene.explorer]
        before = view_of(explorer)
        with self._changing():
            self._set_step(index, False)
            try:
                if still or not self._begin_glide(index):
                    explorer.go_back(**scene.values)
                    explorer._show_sentence()
            except BaseException:
                self._stop()
                self._set_step(*stood)
                explorer.go_back(**before)
                raise

    def set_state(self, sync_data: Mapping[str, Any]) -> None:
        """Set what a page has set, where a step is one to go to."""
        others = {name: sync_data[name] for name in sync_data if name not in OWN_TRAITS}
        super().set_state(others)
        if "index" in sync_data:
            try:
                self.go(sync_data["index"])
            except ValueError:  # there is no such step
                self.send_state("index")

    # ------------------------------------------------------------------ gliding

    def _way(self, index: int) -> list[Any]:
        """List the values through which a step glides, ending with the step's own."""
        name = self.steps[self._check_index(index)].glide
        scene = self._scenes[index]
        explorer = self.explorers[scene.explorer]
        control = explorer.controls().get(name)
        grid = control.grid_of(explorer) if control else None
        if grid is None:
            return []
        start = grid.position(scene.before[name])
        end = grid.position(scene.values[name])
        count = min(abs(end - start) + 1, MAX_GLIDE_STATES)
        places = np.unique(np.linspace(start, end, count).round().astype(int))
        if start > end:
            places = places[::-1]
        values = [grid.value(int(place)) for place in places]
        return [*values[:-1], scene.values[name]]

    def frames(self, index: int) -> list[Any]:
        """List the values that a glide shows, at equal times: slowly at first and at the end.

        The kernel and a recorded page show the same ones.

        Parameters
        ----------
        index : int
            A step, counted from 0.

        Returns
        -------
        list
            Empty where it does not glide.

        Raises
        ------
        ValueError
            If there is no such step.
        """
        way = self._way(index)
        if len(way) < 2:
            return []
        shares = np.linspace(0, 1, MAX_GLIDE_STATES)
        eased = shares * shares * (3 - 2 * shares)
        places = (eased * (len(way) - 1)).round().astype(int)
        return [way[place] for place in places]

    def _begin_glide(self, index: int) -> bool:
        """Show where a step's glide begins, and start it; False where nothing glides."""
        step = self.steps[index]
        frames = self.frames(index) if step.glide else []
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # nothing would move it on
            return False
        if not frames:
            return False
        scene = self._scenes[index]
        explorer = self.explorers[scene.explorer]
        glide = _Glide(step.glide, frames, scene.values, loop.time(), {})
        self._glide = glide  # from here on its words wait
        explorer.go_back(**scene.before)
        set_up(explorer, step, without=step.glide)
        explorer._show_sentence()
        glide.inputs = explorer.inputs()
        self._go_on(glide, loop)
        return True

    def _go_on(self, glide: _Glide, loop: asyncio.AbstractEventLoop) -> None:
        """Show the value that is due; stop where it ends, or where the user has moved something."""
        explorer = self.explorer
        if explorer.inputs() != glide.inputs:
            self._stop()
            explorer._show_sentence()
            self._rest()
            return
        seconds = GLIDE_SECONDS / len(glide.frames)
        place = int((loop.time() - glide.begun) / seconds)
        if place >= len(glide.frames) - 1:
            self._stop()
            explorer.go_back(**glide.end)
            explorer._show_sentence()
            self._rest()
            return
        glide.timer = loop.call_later(seconds, self._go_on, glide, loop)
        with explorer.by_hand():
            setattr(explorer, glide.name, glide.frames[place])
        glide.inputs = explorer.inputs()

    def _stop(self) -> None:
        if self._glide is not None and self._glide.timer is not None:
            self._glide.timer.cancel()
        self._glide = None

    def _received(self, content: dict[str, Any]) -> None:
        still = bool(content.get("still"))
        if "focus" in content:
            self.explorer._received({"focus": int(content["focus"])})
        elif "go" in content:
            self.go(int(content["go"]), still=still)
        else:
            self.show(int(content["show"]), still=still)
        self._is_awaited = True
        if self._glide is None:
            self._rest()

    def _rest(self) -> None:
        """Tell a page that what it has asked for is shown, and nothing glides."""
        if self._is_awaited:
            self._is_awaited = False
            self.send({"rests": True})

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
            return compose(explorer, None, self.sentence)

    def _still_parts(self) -> Iterator[bytes]:
        """Draw the still picture part by part; the last one is the whole, and the others empty."""
        from rocviz.widgets.base.still import still_picture

        self.explorer.finish()
        return one_at_a_time(still_picture(self.explorer, self.sentence))

    def _ipython_display_(self, **_kwargs: Any) -> None:
        if in_ipython():
            print(self)
        elif self._picture is not None:
            self._picture.show()

    def _moved(self, _change: Any) -> None:
        if self._picture is not None:
            self._picture.is_stale()

    # ------------------------------------------------------------------ recording

    def record(
        self,
        *,
        most: int = 31,
        progress: Callable[[Iterable[Any]], Iterable[Any]] | None = None,
    ) -> Recording:
        """Record the whole story, with the controls that each step allows to move.

        The story itself does not move.

        Parameters
        ----------
        most : int, default=31
            Number of values recorded of a control; three times as many of a list, such as answers.
        progress : callable, optional
            Wraps the steps, as ``tqdm.tqdm`` does; by default a bar, if it takes long.

        Returns
        -------
        Recording

        Raises
        ------
        ValueError
            If ``most`` is not an integer of at least 2, or ``progress`` is not a function.
        """
        check_integer(most, "most", 2)
        check_callback(progress, "progress")
        with ExitStack() as stack:
            copies = {}
            for name, explorer in self.explorers.items():
                copies[name] = stack.enter_context(silent_copy(explorer))
            for name, copied in copies.items():
                copied.go_back(**self._opening[name])
            story = Story(copies, self.steps)
            recorders = {name: Recorder(copied) for name, copied in copies.items()}
            scenes: list[tuple[str, int]] = []
            wrap = progress or bar
            for index in wrap(list(range(len(story.steps)))):
                name = story._scenes[index].explorer
                scenes.append((name, len(recorders[name].scenes)))
                story.show(index)
                story._record_step(recorders[name], most)
            story.go(0)
            asks = [step.ask is not None for step in story.steps]
            described = {"steps": story._descriptions(), "asks": asks, "scenes": scenes}
            used = {name: recorders[name] for name, _ in scenes}
            words = story.title, story.sentence
            return assembled(used, *words, style=STORY_STYLE, story=described)

    def _record_step(self, recorder: Recorder, most: int) -> None:
        """Record the controls that the present step allows to move, and the values of its glide."""
        step = self.steps[self.index]
        explorer = self.explorer
        frames = self.frames(self.index)
        controls: dict[str, Any] = {}
        for name in step.move:
            # questions have many more combinations of answers than a slider has places
            has_answers = isinstance(getattr(explorer, name, None), tuple)
            controls[name] = 3 * most if has_answers else most
        if frames:
            values = {*frames, *axis_of(explorer, step.glide, most).values}
            grid = explorer.controls()[step.glide].grid_of(explorer)
            controls[step.glide] = sorted(values, key=grid.position)
        scene = recorder.scene(controls)
        if frames:
            scene["glide"] = {
                "axis": list(controls).index(step.glide),
                "frames": [controls[step.glide].index(value) for value in frames],
                "seconds": GLIDE_SECONDS,
                "words": self._waiting_words(self.index),
            }

    def to_html(
        self,
        path: str | Path,
        *,
        most: int = 31,
        scripts: str | None = None,
        url: str | None = None,
    ) -> Path:
        """Write a page with the story that needs neither Python nor a network.

        Parameters
        ----------
        path : str or Path
            Ending in ``.html``.
        most : int, default=31
            See :meth:`record`.
        scripts : str, optional
            See :meth:`.Recording.to_html`.
        url : str, optional
            The address that the page is to have on the web. Links to it then show its title and a
            picture, which is written beside the page.

        Returns
        -------
        Path
            Of the page.

        Raises
        ------
        ValueError
            If the path has another ending, or ``most`` is not an integer of at least 2.
        OSError
            If a file cannot be written; existing ones are then as they were.
        """
        path = output_path(path, (".html", ".htm"))
        picture = None if url is None else self.preview()
        return self.record(most=most).to_html(path, scripts=scripts, url=url, picture=picture)

    def preview(self) -> bytes:
        """Draw the link preview of its page: the opening text beside the first picture.

        Returns
        -------
        bytes
            A PNG of 1200 x 630 pixels.
        """
        from rocviz.widgets.base.still import preview

        seen = [k for k, step in enumerate(self.steps) if step.kind != "words"] or [0]
        scene = self._scenes[seen[0]]
        first = self._scenes[0]
        words = first.asks or first.prose.plain
        return preview(self.explorers[scene.explorer], self.title, words, scene.values)

    def __repr__(self) -> str:
        title = self.steps[self.index].title
        return f"Story of {len(self.steps)} steps, at {self.index + 1}: {title}{advice(self)}"

    def close(self) -> None:
        """Close the story and its explorers, and release all their widget models."""
        if self.comm is None:
            return
        self._stop()
        for explorer in self.explorers.values():
            explorer.unobserve(self._moved, names=["result"])
            explorer._narrator = None
            explorer.close()
        super().close()
