"""A story: steps that set an explorer, in a notebook, in Voila, or recorded in a page."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rocviz import theme
from rocviz.core.base.validation import (
    check_callback,
    check_flag,
    check_integer,
    check_sequence,
    describe,
)
from rocviz.widgets.base.explorer import Explorer
from rocviz.widgets.base.parts import Outermost
from rocviz.widgets.base.picture import Picture, ThemeListener
from rocviz.widgets.base.recording.axes import axis_of
from rocviz.widgets.base.recording.recorder import Recorder, assembled, bar, silent_copy
from rocviz.widgets.base.state import ONE_AT_A_TIME
from rocviz.widgets.base.stories.bar import StoryBar
from rocviz.widgets.base.stories.prose import Prose
from rocviz.widgets.base.stories.rehearsal import rehearse, same, set_up, view_of
from rocviz.widgets.base.stories.room import too_long
from rocviz.widgets.base.stories.steps import Step, prose_of, read_steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.figure import Figure

    from rocviz.widgets.base.recording.recording import Recording

BETWEEN = 0.04  # seconds between two states of a glide
MOST_BETWEEN = 40  # states that a glide goes through
WORDS_A_MINUTE = 130  # read aloud


class Story(Outermost):
    """An explorer, or several, led through steps, for a hall or for one reader.

    Next and back by button, arrow keys, space, or a presenter's clicker. At any step one can drag
    and then return to the step. All steps are tried when the story is made.

    Parameters
    ----------
    explorer : Explorer, or mapping of str to Explorer
        What is led; it is moved. Of several, steps name the one that they show.
    steps : sequence of Step, or str or Path
        The steps, or a file of them, see :func:`rocviz.read_steps`.

    Attributes
    ----------
    at : int
        The step that is shown, counted from 0.
    is_asking : bool
        Whether its question waits for an answer; the picture is that of the step before.
    explorer : Explorer
        The one that is shown.
    minutes : int
        How long it lasts, read aloud and with half a minute for each question.

    Raises
    ------
    ValueError
        If there is no step, or something of a step cannot be; the message names the step and its
        entry.

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

    def __init__(
        self, explorer: Any | Mapping[str, Any], steps: Sequence[Step] | str | Path
    ) -> None:
        named = dict(explorer) if isinstance(explorer, Mapping) else {"": explorer}
        for one in named.values():
            if not isinstance(one, Explorer) or not (one.comm or one._is_copy):
                raise ValueError(f"explorer must be an open explorer; got {describe(one)}.")
        if not named:
            raise ValueError("explorer must be one open explorer or more; got none.")
        if isinstance(steps, str | Path):
            steps = read_steps(steps)
        made = check_sequence(steps, "steps", "one Step or more, or the path of a file of them")
        if not made or not all(isinstance(step, Step) for step in made):
            raise ValueError(f"steps must be one Step or more; got {describe(steps)}.")
        self.explorers: dict[str, Any] = named
        self.steps: tuple[Step, ...] = tuple(made)
        self._scenes = rehearse(self.explorers, self.steps)
        self._at, self.is_asking = 0, False
        self._opening = {name: view_of(one) for name, one in self.explorers.items()}
        self._timer: asyncio.TimerHandle | None = None
        self._picture = Picture(self)
        self.bar: StoryBar | None = None
        shown: list[Any] = []
        if not any(one._is_copy for one in named.values()):
            self.bar = StoryBar(self._received, steps=self._told())
            shown = [self.bar, *named.values()]
        super().__init__(shown)
        self.add_class("rocviz")
        self.add_class("rocviz-story")
        self._use_theme(theme.get_theme())
        self._theme_listener = ThemeListener(self)
        theme.on_change(self._theme_listener)
        for name, one in self.explorers.items():
            one.observe(self._moved, names=["result"])
            one._be_led(partial(self._narrate, name))
        self.go(0)
        if self.bar is not None and (wrong := self._too_long()):
            warnings.warn("\n".join(wrong), stacklevel=2)

    def check(self) -> None:
        """Try every step again: what it sets, what it says, and whether its words have room.

        Raises
        ------
        ValueError
            If something cannot be, or words are too long for a projector of 1280 x 720, 1366 x 768
            or 1920 x 1080 pixels with large type; the message names the step and its entry.
        """
        rehearse(self.explorers, self.steps, self._opening)
        if wrong := self._too_long():
            raise ValueError("\n".join(wrong))

    def _too_long(self) -> list[str]:
        """List the words that have no room in a hall."""
        found = []
        for number, (step, scene) in enumerate(zip(self.steps, self._scenes, strict=True), 1):
            pictures = len(scene.values["panels"])
            for entry, why in too_long(step, scene.prose.plain, scene.moved.plain, pictures):
                found.append(f"Step {number}, {step.title!r}, {entry}: {why}.")
        return found

    def _told(self) -> list[dict[str, Any]]:
        """Describe the steps to the bar."""
        return [dict(scene.told) for scene in self._scenes]

    def _use_theme(self, chosen: theme.Theme) -> None:
        self._dress(chosen)

    # ------------------------------------------------------------------ where it is

    @property
    def at(self) -> int:
        """The step that is shown, counted from 0."""
        return self._at

    @property
    def explorer(self) -> Any:
        """The explorer that is shown."""
        return self.explorers[self._scenes[self._at].explorer]

    @property
    def text(self) -> str:
        """What the step says of what is shown, or asks; without Markdown."""
        return self._scenes[self._at].asks if self.is_asking else self._prose().plain

    @property
    def sentence(self) -> str:
        """What the step is called and says; while it asks, the question alone."""
        return self.text if self.is_asking else f"{self.steps[self._at].title}. {self.text}"

    def _prose(self) -> Prose:
        """Say what the step says of what is shown; where it cannot be said of that, of the step."""
        step, explorer = self.steps[self._at], self.explorer
        if not self._moved_names():
            return prose_of(step.text, explorer)
        try:
            return prose_of(step.text if step.moved is None else step.moved, explorer)
        except Exception:  # such as a third answer that was taken back; or of a function
            return self._scenes[self._at].prose

    def _narrate(self, name: str) -> str:
        """Write what the step says, if it is about this explorer."""
        if name != self._scenes[self._at].explorer:
            return ""
        moved = ", ".join(self._moved_names())
        note = f"Moved: {moved}. Escape leads back to this step." if moved else ""
        return self._prose().html + f'<p class="moved">{escape(note)}</p>' * bool(note)

    def _moved_names(self) -> list[str]:
        """List what is not as the step shows it, as the rail calls it."""
        if self._timer is not None:  # it glides there
            return []
        scene, explorer = self._scenes[self._at], self.explorer
        controls = explorer.controls()
        held = explorer.inputs().items()
        moved = [name for name, value in held if not same(value, scene.values[name])]
        named = [controls[name].label for name in moved if name in controls]
        return list(dict.fromkeys(named or moved))[:3]

    def _check_at(self, at: int) -> int:
        return check_integer(at, "at", 0, len(self.steps) - 1)

    @property
    def title(self) -> str:
        """What its page is called: as the first step whose title answers no question."""
        return next((one.title for one in self.steps if one.ask is None), self.steps[0].title)

    @property
    def minutes(self) -> int:
        """How long it lasts: read aloud at 130 words a minute, with half a minute a question."""
        words, asked = 0, 0
        for step, scene in zip(self.steps, self._scenes, strict=True):
            said = [step.title, scene.prose.plain]
            if step.ask is not None:
                asked += 1
                said += [step.ask.text, *step.ask.choices, max(step.ask.why, key=len, default="")]
            words += sum(len(one.split()) for one in said)
        return max(round(words / WORDS_A_MINUTE + asked / 2), 1)

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
        """Go to a step; if it asks something, ask, and show the picture of the step before.

        Parameters
        ----------
        at : int
            Counted from 0.
        still : bool, default=True
            Whether it jumps where the step would glide.

        Raises
        ------
        ValueError
            If there is no such step.
        """
        if self.steps[self._check_at(at)].ask is None:
            self.show(at, still=still)
            return
        check_flag(still, "still")
        self.show(max(at - 1, 0))
        self._at, self.is_asking = at, True
        self._tell()

    def show(self, at: int, *, still: bool = True) -> None:
        """Show a step, without asking anything; otherwise as :meth:`go`.

        Raises
        ------
        ValueError
            If there is no such step. Whatever else a function of the user's raises, the story
            stays where it was.
        """
        step, still = self.steps[self._check_at(at)], check_flag(still, "still")
        self._stop()
        scene, stood = self._scenes[at], (self._at, self.is_asking)
        explorer = self.explorers[scene.explorer]
        before = view_of(explorer)
        self._at, self.is_asking = at, False
        try:
            explorer.go_back(**scene.values)
            explorer._say()
        except BaseException:
            self._at, self.is_asking = stood
            explorer.go_back(**before)
            raise
        self._tell()
        if step.glide and not still and len(way := self.way(at)) > 1:
            explorer.go_back(**scene.before)
            set_up(explorer, step, without=step.glide)
            self._glide(step.glide, way, scene.values)

    def _tell(self) -> None:
        """Let the page show where it is."""
        shown = self.explorer
        for one in self.explorers.values():
            (one.remove_class if one is shown else one.add_class)("is-away")
        if self.bar is not None:
            with self.bar.hold_sync():
                self.bar.at, self.bar.asking = self._at, self.is_asking

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
            Empty where it does not glide.

        Raises
        ------
        ValueError
            If there is no such step.
        """
        name, scene = self.steps[self._check_at(at)].glide, self._scenes[at]
        explorer = self.explorers[scene.explorer]
        control = explorer.controls().get(name)
        grid = control.grid_of(explorer) if control else None
        if grid is None:
            return []
        ends = [grid.position(one[name]) for one in (scene.before, scene.values)]
        count = min(abs(ends[1] - ends[0]) + 1, MOST_BETWEEN)
        places = np.unique(np.linspace(ends[0], ends[1], count).round().astype(int))
        values = [grid.value(int(p)) for p in (places if ends[0] < ends[1] else places[::-1])]
        return [*values[:-1], scene.values[name]]

    def _glide(self, name: str, way: list[Any], wanted: Mapping[str, Any]) -> None:
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
                self._timer = None
                self.explorer.go_back(**wanted)
                return
            self._timer = loop.call_later(BETWEEN, on)
            with self.explorer.by_hand():
                setattr(self.explorer, name, value)

        on()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _received(self, content: dict[str, Any]) -> None:
        still = bool(content.get("still"))
        if "focus" in content:
            self.explorer._received({"focus": int(content["focus"])})
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
        with ExitStack() as stack:
            copies = {
                name: stack.enter_context(silent_copy(one)) for name, one in self.explorers.items()
            }
            for name, copied in copies.items():
                copied.go_back(**self._opening[name])
            story = Story(copies, self.steps)
            recorders = {name: Recorder(copied) for name, copied in copies.items()}
            scenes: list[tuple[str, int]] = []
            for at in (progress or bar)(list(range(len(story.steps)))):
                name = story._scenes[at].explorer
                scenes.append((name, recorders[name].n_scenes))
                story.show(at)
                story._record_step(recorders[name], most)
            story.go(0)
            asks = [step.ask is not None for step in story.steps]
            told = {"steps": story._told(), "asks": asks, "scenes": scenes}
            used = {name: recorders[name] for name, _ in scenes}
            style = StoryBar._css
            return assembled(used, story.title, story.sentence, style=style, story=told)

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

    def to_html(
        self,
        path: str | Path,
        *,
        most: int = 31,
        scripts: str | None = None,
        url: str | None = None,
    ) -> Path:
        """Write a page that tells the story without Python and network.

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
            Of the page that was written.

        Raises
        ------
        ValueError
            If the path ends otherwise, or ``most`` is no integer of at least 2.
        """
        if Path(path).suffix.lower() not in (".html", ".htm"):
            raise ValueError(f"path must end in .html; got {Path(path).name!r}.")
        picture = None if url is None else self.preview()
        return self.record(most=most).to_html(path, scripts=scripts, url=url, picture=picture)

    def preview(self) -> bytes:
        """Draw what other sites show of a link to its page: how it begins, and its first picture.

        Returns
        -------
        bytes
            A PNG of 1200 x 630 pixels.
        """
        from rocviz.widgets.base.recording.preview import preview

        seen = [k for k, step in enumerate(self.steps) if step.kind != "words"] or [0]
        scene, first = self._scenes[seen[0]], self._scenes[0]
        words = first.asks or first.prose.plain
        return preview(self.explorers[scene.explorer], self.title, words, scene.values)

    def __repr__(self) -> str:
        return f"Story of {len(self.steps)} steps, at {self.at + 1}: {self.steps[self.at].title}"

    def close(self) -> None:
        """Take the story and its explorer off the screen and release every model they made."""
        if self.comm is None:
            return
        self._stop()
        self._picture.close()
        theme.off_change(self._theme_listener)
        for one in self.explorers.values():
            one.unobserve(self._moved, names=["result"])
            one._narrator = None
        super().close()
