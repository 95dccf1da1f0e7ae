"""The shared state of explorers: validated inputs, one result, presets, words.

A state is plain traitlets: it runs, and is tested, without a browser. It is in one :class:`Phase`:

- ``OPENING``: the constructor sets inputs; there is no result yet.
- ``SETTLED``: inputs and result agree. ``settled_inputs`` are the inputs of the result.
- ``CHANGING``: a batch sets inputs, or they are adjusted to each other and the result is computed.
  Whatever sets an input meanwhile is a part of that change. At its end the state is settled.
- ``UNDOING``: the change failed, so inputs, view and result are put back. Nothing is computed.

Observers of an input are told of a change once the state is settled again, after the observers of
the result: what they read goes together. Only what a change has put back nobody is told of.

While the user drags (:meth:`ExplorerState.by_hand`) the result of a change may be a preview: it is
settled as any other, and :meth:`ExplorerState.finish` replaces it by the exact result at rest.
"""

from __future__ import annotations

import asyncio
import os
import threading
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from enum import Enum
from functools import cache, cached_property, partial
from math import isnan
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import traitlets

from rocviz.core.base.validation import describe, list_labels, reason
from rocviz.core.roc.metrics import MetricRow, find_metric, metric_options, ordered_metrics
from rocviz.widgets.base.background import opening
from rocviz.widgets.base.controls import (
    Action,
    Choice,
    Control,
    Grid,
    Number,
    Slider,
    Task,
    Text,
    Values,
    Whole,
    Word,
    check_repr_and_eq,
    tuple_from_json,
)
from rocviz.widgets.base.history import Gesture, History
from rocviz.words import UNNAMED, ClassNames, Sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    import pandas as pd


Part = TypeVar("Part")

# Held while an input changes and while a picture is drawn for a file. All explorers share it: two
# that set each other's inputs could otherwise deadlock.
ONE_AT_A_TIME = threading.RLock()


def _free_in_child() -> None:
    """Free the lock in a forked process, where the thread that had taken it does not exist."""
    if ONE_AT_A_TIME.acquire(blocking=False):  # free, or taken by the thread that forked
        ONE_AT_A_TIME.release()
    else:
        ONE_AT_A_TIME._at_fork_reinit()  # type: ignore[attr-defined]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_free_in_child)


def one_at_a_time(parts: Iterator[Part]) -> Iterator[Part]:
    """Make each part of something while nothing else of an explorer changes or is drawn."""
    while True:
        with ONE_AT_A_TIME:
            part = next(parts, None)
        if part is None:
            return
        yield part


#: The button for the exact result, visible where computing it takes long.
EXACT = Task(
    "the exact picture",
    "exact",
    hint="So many samples take a moment; until then a preview is shown",
    in_sight=True,
    shown=lambda state: state.is_preview and state.finishes_late(),
)

#: The last fold, with the settings of simulated data.
OTHER_DATA = {"other data": attrgetter("preset")}
#: Title of a picture that shows which samples are predicted positive; it names their class.
WHO_IS_PREDICTED = "Who is predicted positive"
MAX_TITLE_LETTERS = 9  # of the name of a class above a small picture

MAX_MAIN_VALUES = 31  # of the main control in an explorer's page
REST_SECONDS = 0.3  # without a change, after which a preview is made exact


class Phase(Enum):
    """What a state is doing; see the top of this module."""

    OPENING = "opening"
    SETTLED = "settled"
    CHANGING = "changing"
    UNDOING = "undoing"


class ExplorerState(traitlets.HasTraits):
    """Validated inputs and the result computed from them.

    A subclass declares its inputs and their controls, and computes. Whenever an input changes,
    :attr:`result` is computed again; several inputs set under :meth:`batch` give one result.
    An unknown input raises ``TypeError``, a bad value ``TraitError``. Before this or any
    other exception reaches the caller, all inputs and the result are as they were.

    ``data`` are the user's, in place of simulated ones or presets; ``**inputs`` are initial values.
    """

    #: The core's result for the inputs; a frozen object.
    result: Any = traitlets.Any(read_only=True, allow_none=True)

    preset = Choice("situation", lambda state: state.preset_names, group="other data").of(
        Text(help="Name of a teaching situation: it sets its own inputs and resets all others.")
    )

    panels = traitlets.Tuple(help="Names of the pictures that are shown, in their order.").tag(
        view=True, from_json=tuple_from_json
    )

    focus = Text(
        help="Name of the large picture. Unless it is set, or a title clicked, the first of the "
        "panels is large; ``None`` goes back to that."
    ).tag(view=True)

    unfolded = traitlets.Tuple(
        help="Names of the controls outside the folds; by default the explorer's own choice."
    ).tag(view=True, from_json=tuple_from_json)

    #: Name and title of every picture, in their initial order.
    pictures: ClassVar[Mapping[str, str]] = {}

    #: Folds of the rail in order, each with a function of the state that words its present
    #: settings; controls name their fold.
    groups: ClassVar[Mapping[str, Callable[[Any], str]]] = {}

    #: Controls without a single trait, by name.
    extra_controls: ClassVar[Mapping[str, Control]] = {}

    #: Named teaching situations: values for inputs.
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    #: Candidates for the control that moves in its page: the first visible one is taken.
    main_controls: ClassVar[tuple[str, ...]] = ()

    #: Controls that move in its page where the main one alone would leave the handle of the large
    #: picture in its place, and how many values of each; the visible ones are taken.
    page_controls: ClassVar[Mapping[str, int]] = {}

    #: Inputs that presets keep unless they set them; by default all except settings of the sandbox.
    kept: ClassVar[tuple[str, ...] | None] = None

    #: The module that puts the state into words: ``sentences(state)`` and ``code(state)``.
    words: Any

    #: Value of :attr:`preset` while the user's data are shown.
    own: ClassVar[str] = "own data"

    #: Whether the result is a preview from fewer samples, shown while the user drags.
    is_preview = False

    #: Inputs of the present result, ``{name: value}``; empty while there is none.
    settled_inputs: Mapping[str, Any] = MappingProxyType({})

    #: Whether the user chose the large picture; otherwise it is the first of the panels.
    _focus_is_chosen = False

    _phase = Phase.OPENING
    #: Names of the inputs and of the traits of the view.
    _guarded: frozenset[str] = frozenset()
    #: Whether changes come from the user's hand, so that they may show previews.
    _is_by_hand = False
    #: What the hand is doing, such as dragging one handle: all of it is one step to be undone.
    _gesture: Gesture | None = None
    #: Makes a preview exact, once nothing has changed for a while.
    _exact_timer: asyncio.TimerHandle | None = None

    def __init__(self, data: Any = None, **inputs: Any) -> None:
        self._own: Any = data
        self._history = History()
        #: Changes of inputs and view of which observers are to be told once the state is settled.
        self._unnotified: dict[str, Any] = {}
        self._check_names(inputs)
        view = {name: inputs.pop(name) for name in self.view_names() if name in inputs}
        self._guarded = frozenset((*self.input_names(), *self.view_names()))
        self._initial = dict(inputs)
        super().__init__()
        for name, value in (*inputs.items(), *view.items()):
            setattr(self, name, value)
        self.observe(self._input_changed, names=list(self.input_names()))
        self._settle()
        self._initial = self.inputs()
        self._initial_view = self.view()

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an input while no other thread sets one or draws the picture."""
        if name not in self._guarded:
            is_known = name.startswith("_") or hasattr(self, name)
            if self._phase is not Phase.OPENING and not is_known:
                self._refuse(name)
            super().__setattr__(name, value)
            return
        with ONE_AT_A_TIME:
            check_repr_and_eq(name, value)
            try:
                if name == "panels":
                    self._set_panels(value)
                elif name == "focus":
                    self._set_focus(value)
                else:
                    super().__setattr__(name, value)
            except traitlets.TraitError as error:
                raise traitlets.TraitError(reason(error, 1000)) from error.__cause__

    def _refuse(self, name: str) -> None:
        """Refuse unknown attributes, such as a misspelt input."""
        names = (*self.input_names(), *self.view_names())
        near = get_close_matches(name, names, 1)
        meant = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(sorted(names))}."
        raise AttributeError(f"{type(self).__name__} has no input {describe(name)}; {meant}")

    def _snapshot(self) -> Any:
        """Copy the state for another thread: its inputs stay as they are, its caches are shared."""
        state_class = _state_class(type(self))
        for name in dir(state_class):
            if isinstance(getattr(state_class, name, None), cached_property):
                getattr(self, name)  # so that there is something to share
        # no constructor: it would compute a result, which is what the thread is for
        snapshot: Any = object.__new__(state_class)
        snapshot.__dict__.update(self.__dict__)
        snapshot._trait_values = dict(self._trait_values)
        snapshot._unnotified = {}
        snapshot.is_preview = False
        return snapshot

    def _open(self, data: Any, view: Mapping[str, Any]) -> None:
        """Construct the state on data that were checked before."""
        type(self).__init__(self, data, **view)

    def __reduce__(self) -> tuple[Any, ...]:
        opened = self._initial, self._initial_view
        return _reopened, (type(self), self._own, self.inputs(), self.view(), *opened)

    @classmethod
    @cache  # cached: needed at every step of a drag, and traitlets searches the whole class
    def input_names(cls) -> tuple[str, ...]:
        """List the names of the inputs."""
        return tuple(cls.class_trait_names(input=True))

    @classmethod
    @cache
    def sandbox_names(cls) -> tuple[str, ...]:
        """List the names of the settings of simulated data."""
        return tuple(cls.class_trait_names(sandbox=True))

    def sandbox_settings(self) -> dict[str, Any]:
        """Read the settings of simulated data."""
        return {name: getattr(self, name) for name in self.sandbox_names()}

    @classmethod
    def _check_names(cls, inputs: Mapping[str, Any]) -> None:
        names = (*cls.input_names(), *cls.view_names())
        unknown = [name for name in inputs if name not in names]
        if unknown:
            raise TypeError(
                f"{cls.__name__} has no input {list_labels(unknown)}; "
                f"it has {', '.join(sorted(names))}."
            )

    def controls(self) -> dict[str, Control]:
        """Map names of traits, or the controls' own names, to controls in the order declared."""
        return {**self._declared_controls(), **self.extra_controls, "exact": EXACT}

    @classmethod
    @cache
    def _declared_controls(cls) -> dict[str, Control]:
        """Find the controls that traits of this class declare, in the order declared."""
        declared: dict[str, Control] = {}
        for base in reversed(cls.__mro__):
            for name, trait in vars(base).items():
                if isinstance(trait, traitlets.TraitType) and "control" in trait.metadata:
                    declared[name] = trait.metadata["control"]
        return declared

    @property
    def main_control(self) -> str:
        """The control that an explorer is moved by first."""
        return next(name for name in self.main_controls if self._can_move(name))

    def _can_move(self, name: str) -> bool:
        """Whether a control is in the rail, or has none there, and moves an input."""
        control = self.controls().get(name)
        return control is None or control.is_shown(self)

    def controls_of_page(self) -> dict[str, int]:
        """Map the controls that move in a page without Python to their numbers of values."""
        moving = {name: most for name, most in self.page_controls.items() if self._can_move(name)}
        return moving or {self.main_control: MAX_MAIN_VALUES}

    # ------------------------------------------------------------------ presets

    @property
    def preset_names(self) -> tuple[str, ...]:
        """Valid values of :attr:`preset`."""
        if self._own is None:
            return tuple(self.presets)
        return (self.own, *self.presets)

    @property
    def is_sandbox(self) -> bool:
        """Whether a preset's data are shown, not the user's."""
        return self._own is None or self.preset != self.own

    @traitlets.default("preset")
    def _first_preset(self) -> str:
        return self.preset_names[0]

    @traitlets.validate("preset", "focus")
    def _known_name(self, proposal: Any) -> str:
        name = proposal["trait"].name
        value = proposal["value"]
        known = self.preset_names if name == "preset" else self.panels
        if value not in known:
            raise traitlets.TraitError(
                f"{name} must be one of {', '.join(known)}; got {describe(value)}."
            )
        return str(value)

    # ------------------------------------------------------------------ the view

    @classmethod
    def view_names(cls) -> tuple[str, ...]:
        """List the traits that are not inputs but arrange the view."""
        return ("panels", "focus", "unfolded")

    def view(self) -> dict[str, Any]:
        """Collect what :meth:`update` needs to arrange the view like this, ``{name: value}``.

        The focus is ``None`` unless the user chose it.
        """
        view = {name: getattr(self, name) for name in self.view_names()}
        if not self._focus_is_chosen:
            view["focus"] = None
        return view

    @traitlets.default("panels")
    def _all_panels(self) -> tuple[str, ...]:
        return tuple(self.pictures)

    @traitlets.default("focus")
    def _first_panel(self) -> str:
        return str(self.panels[0])

    @traitlets.validate("panels", "unfolded")
    def _known_names(self, proposal: Any) -> tuple[str, ...]:
        return self._checked_names(proposal["trait"].name, proposal["value"])

    def _checked_names(self, name: str, value: Sequence[Any]) -> tuple[str, ...]:
        """Check the names of pictures or of controls."""
        is_panels = name == "panels"
        known = self.pictures if is_panels else self.controls()
        # NumPy's subclass of `str` becomes `str`
        names = tuple(str(entry) if isinstance(entry, str) else entry for entry in value)
        are_known = all(isinstance(entry, str) and entry in known for entry in names)
        if not are_known or len(set(names)) < len(names) or (is_panels and not names):
            listed = f"{'one or more' if is_panels else 'some'} of {', '.join(known)}, each once"
            raise traitlets.TraitError(f"{name} must name {listed}; got {describe(value)}.")
        return names

    def _set_panels(self, panels: Any) -> None:
        """Set the pictures, and make the first one large unless the user's choice is among them.

        Observers are told of both changes after both were made, those of the pictures first: an
        explorer whose panels and focus are linked to this one's knows a picture before its name
        arrives as the focus.
        """
        if self._phase is Phase.UNDOING:  # the focus is restored as well
            super().__setattr__("panels", panels)
            return
        with self.hold_trait_notifications():
            super().__setattr__("panels", panels)
            shown = self._checked_names("panels", self.panels)
            if not self._focus_is_chosen or self.focus not in shown:
                self._set_focus(None)

    def _set_focus(self, name: Any) -> None:
        """Make one picture large; ``None`` stands for the first, whichever that will be."""
        super().__setattr__("focus", self.panels[0] if name is None else name)
        self._focus_is_chosen = name is not None

    # ------------------------------------------------------------------ inputs

    def inputs(self) -> dict[str, Any]:
        """Collect all present inputs, ``{name: value}``."""
        return {name: getattr(self, name) for name in self.input_names()}

    def update(self, **inputs: Any) -> None:
        """Set several inputs at once: all of them, or none if one is invalid.

        Parameters
        ----------
        **inputs
            New values by name; ``panels``, ``focus`` and ``unfolded`` may be among them.

        Raises
        ------
        TypeError
            If a name is not an input.
        traitlets.TraitError
            If a value is not valid; everything is then as it was.
        """
        self._set_all(inputs, is_adjusted=True)

    def reset(self) -> None:
        """Restore the explorer's initial inputs and view."""
        self.go_back(**self._initial, **self._initial_view)

    def undo(self) -> bool:
        """Restore the inputs before the last change; a whole drag is one change.

        Returns
        -------
        bool
            Whether there was a change to undo.
        """
        return self._restore_step(-1) if self._history.can_undo else False

    def redo(self) -> bool:
        """Restore the inputs that were undone last, unless something was changed since.

        Returns
        -------
        bool
            Whether there was a change to redo.
        """
        return self._restore_step(1) if self._history.can_redo else False

    def _restore_step(self, count: int) -> bool:
        with ONE_AT_A_TIME, self._history.moving(count) as inputs:
            self.go_back(**inputs)
        return True

    def go_back(self, **values: Any) -> None:
        """Restore inputs that were valid together, without adjusting any."""
        self._set_all(values, is_adjusted=False)

    def _set_all(self, values: Mapping[str, Any], *, is_adjusted: bool) -> None:
        self._check_names(values)
        # the pictures first, since the focus has to be one of them
        names = sorted(values, key=lambda name: name != "panels")
        with self._change(is_adjusted=is_adjusted):
            for name in names:
                setattr(self, name, values[name])

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Compute the result once, at the end of the block.

        Should the block fail, or leave inputs that do not go together, all of them are as
        they were before it.
        """
        with self._change():
            yield

    @contextmanager
    def hold_trait_notifications(self) -> Iterator[None]:
        """Notify observers at the end of the block of all changes in it, or of none."""
        with self.batch(), super().hold_trait_notifications():
            yield

    def notify_change(self, change: Any) -> None:
        """Notify observers, of an input once it is settled; undo the change if one raises."""
        name = change["name"]
        if name not in getattr(self, "_guarded", ()):
            super().notify_change(change)
        elif self._phase in (Phase.CHANGING, Phase.UNDOING):
            if name in self._unnotified:  # several changes are one
                change["old"] = self._unnotified[name]["old"]
            self._unnotified[name] = change
        else:
            with self._undone_on_error(change):
                super().notify_change(change)

    def _notify_settled(self) -> None:
        """Notify observers of the changes of which they are to be told by now."""
        while self._unnotified:
            change = self._unnotified.pop(next(iter(self._unnotified)))
            if change["old"] != change["new"]:
                super().notify_change(change)

    def _input_changed(self, _change: Any) -> None:
        self._settle()

    @contextmanager
    def without_result(self) -> Iterator[None]:
        """Set inputs in the block that computes nothing; they must be as before at its end."""
        with self._in_phase(Phase.CHANGING):
            yield

    # ------------------------------------------------------------------ from phase to phase

    @contextmanager
    def _in_phase(self, phase: Phase) -> Iterator[None]:
        """Be in a phase within the block, and in the one before after it."""
        before = self._phase
        self._phase = phase
        try:
            yield
        finally:
            self._phase = before

    @contextmanager
    def _change(self, *, is_adjusted: bool = True) -> Iterator[None]:
        """Set inputs in the block, and settle once at its end, or undo all of it."""
        with ONE_AT_A_TIME, self._undone_on_error():
            with self._in_phase(Phase.CHANGING):
                yield
            self._settle(is_adjusted=is_adjusted)

    def _settle(self, *, is_adjusted: bool = True) -> None:
        """Compute the result of changed inputs, unless they belong to a change under way."""
        if self._phase in (Phase.CHANGING, Phase.UNDOING):
            return
        changed = self._changed_inputs()
        if not changed:
            self._notify_settled()
            return
        with self._in_phase(Phase.CHANGING):
            for name in changed:
                value = getattr(self, name)
                if isinstance(value, float) and isnan(value):
                    raise traitlets.TraitError(f"{name} must be a number; got NaN.")
            self.is_preview = self._may_preview(changed) and self.needs_preview(changed)
            if is_adjusted:
                self.adjust(changed)
            result = self._computed()
        self._has_settled(result)

    def _changed_inputs(self) -> set[str]:
        """List the inputs that differ from those of the result, or that were given at first."""
        settled = self.settled_inputs
        if not settled:
            return {"preset", *self._initial}
        return {name for name, value in self.inputs().items() if settled[name] != value}

    def _has_settled(self, result: Any) -> None:
        """Store a result with its inputs, and notify observers; they may change inputs again."""
        self.settled_inputs = self.inputs()
        self._history.note(self.settled_inputs, self._gesture)
        self._phase = Phase.SETTLED
        self._cancel_exact()
        if self.is_preview:
            self._rest_soon()
        self.set_trait("result", result)
        self._notify_settled()

    @contextmanager
    def _undone_on_error(self, change: Any = None) -> Iterator[None]:
        """Restore inputs, view and result before an exception propagates.

        ``change`` is that of a single trait, whose value has changed already.
        """
        if self._phase is not Phase.SETTLED:  # a part of a larger change, or nothing to go back to
            yield
            return
        view = self.view()
        settled = self.settled_inputs
        result = self.result
        was_preview = self.is_preview
        was_chosen = self._focus_is_chosen
        before = {change["name"]: change["old"]} if change else {}
        try:
            yield
        except BaseException:
            self._cancel_exact()
            self.is_preview = was_preview
            self._undo({**view, **before, **settled}, settled, result)
            self._focus_is_chosen = was_chosen
            if was_preview:
                with suppress(RuntimeError):  # the event loop may have closed
                    self._rest_soon()
            raise

    def _undo(self, values: Mapping[str, Any], settled: Mapping[str, Any], result: Any) -> None:
        """Restore everything, even if an observer raises meanwhile."""
        with self._in_phase(Phase.UNDOING):
            self._put_back(values)
            self.settled_inputs = settled
            self._history.forget_after(settled)
            # the caller gets the first exception, even if it is an interrupt
            if self.result is not result:
                with suppress(BaseException):
                    self.set_trait("result", result)
            with suppress(BaseException):
                self._notify_settled()
            self._put_back(values)  # what observers have set meanwhile
            self._unnotified.clear()
        self._was_restored()

    def _put_back(self, values: Mapping[str, Any]) -> None:
        """Set inputs and view as they were before."""
        # twice: a rule across inputs may refuse one before the other is restored
        for _attempt in range(2):
            for name, value in values.items():
                _set_quietly(self, name, value)

    def _was_restored(self) -> None:
        """Update the screen after a restore; a state has no screen."""

    # ------------------------------------------------------------------ adjusting and computing

    def adjust(self, changed: set[str]) -> None:
        """Adjust inputs that depend on the changed ones, and refuse contradictions.

        Parameters
        ----------
        changed : set of str
            Inputs that differ from the last result's.

        Raises
        ------
        traitlets.TraitError
            If the inputs contradict each other; all are then put back.
        """
        if "preset" in changed:
            values = {**self._preset_defaults(), **self.presets.get(self.preset, {})}
            if not self.is_sandbox:  # the user's data, as they were opened
                values |= {name: self._initial[name] for name in values.keys() & self._initial}
            for name, value in values.items():
                if name not in changed:
                    setattr(self, name, value)

    def _keep_known(
        self, name: str, known: Sequence[str], default: str, changed: set[str], *, follows: bool
    ) -> None:
        """Replace a name that no longer exists by a valid one, and refuse unknown names.

        With ``follows``, other data replace even a name that was just set.
        """
        value = getattr(self, name)
        if value in known:
            return
        if name in changed and value and not follows:
            raise traitlets.TraitError(
                f"{name} must be one of {list_labels(known)}; got {describe(value)}."
            )
        setattr(self, name, default)

    def _with(self, name: str, place: int, value: Any) -> tuple[Any, ...]:
        """Replace one entry of an input of several values."""
        values = getattr(self, name)
        return (*values[:place], value, *values[place + 1 :])

    def _keep_order(self, low: str, high: str, changed: set[str]) -> None:
        """Let one of two limits push the other; refuse two in the wrong order."""
        if getattr(self, low) <= getattr(self, high):
            return
        if {low, high} <= changed:
            values = f"{getattr(self, low)} and {getattr(self, high)}"
            raise traitlets.TraitError(f"{low} must not exceed {high}; got {values}.")
        pushed, moved = (high, low) if low in changed else (low, high)
        setattr(self, pushed, getattr(self, moved))

    def _preset_defaults(self) -> dict[str, Any]:
        """Collect the defaults that a preset, or the user's data, set unless they name the input.

        These are all inputs except the :attr:`kept`: the whole sandbox, and what any preset sets.
        """
        if self.kept is None:
            names = set(self.sandbox_names()).union(*self.presets.values())
        else:
            names = set(self.input_names()) - {"preset", *self.kept}
        traits = self.traits()
        return {name: traits[name].default(self) for name in self.input_names() if name in names}

    def compute(self) -> Any:
        """Compute the result for the present inputs."""
        raise NotImplementedError

    # ------------------------------------------------------------------ previews

    def needs_preview(self, changed: set[str]) -> bool:
        """Whether these changes need a preview while the user drags.

        Where this is true, the result is computed from fewer samples while :attr:`is_preview`.

        Parameters
        ----------
        changed : set of str
            Inputs that differ from the last result's.

        Returns
        -------
        bool
        """
        return False

    def takes_long(self, changed: set[str]) -> bool:
        """Whether a change from Python also shows a preview first; see :meth:`needs_preview`."""
        return False

    def finishes_late(self) -> bool:
        """Whether the exact result takes so long that it gets a button and a bar."""
        return self.takes_long(set())

    def _computed(self) -> Any:
        """Compute the result, with a progress bar if the user is not dragging."""
        if self._is_by_hand:
            return self.compute()
        with opening(None):
            return self.compute()

    @contextmanager
    def by_hand(self) -> Iterator[None]:
        """Allow previews within this block, while the user drags."""
        with ONE_AT_A_TIME:
            before = self._is_by_hand
            self._is_by_hand = True
            try:
                yield
            finally:
                self._is_by_hand = before

    def _may_preview(self, changed: set[str]) -> bool:
        if not (self._is_by_hand or self.takes_long(changed)):
            return False
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return False
        return True

    def _rest(self) -> None:
        """Compute the exact result after a drag; a subclass with slow results uses a thread."""
        self.finish()

    def finish(self) -> None:
        """Make the result exact, if it is a preview."""
        with ONE_AT_A_TIME:
            self._cancel_exact()
            if not self.is_preview:
                return
            self.is_preview = False
            try:
                with self._in_phase(Phase.CHANGING), opening(None):
                    self.adjust(set())  # inputs that depend on the result
                    result = self.compute()
            except BaseException:  # such as the user's interrupt
                self.is_preview = True
                self._undo(self.settled_inputs, self.settled_inputs, self.result)
                raise
            self._history.amend(self.inputs())
            self._has_settled(result)

    def _cancel_exact(self) -> None:
        if self._exact_timer is not None:
            self._exact_timer.cancel()
            self._exact_timer = None

    def _rest_soon(self) -> None:
        self._exact_timer = asyncio.get_running_loop().call_later(REST_SECONDS, self._rest)

    # ------------------------------------------------------------------ words

    def title(self, name: str) -> str:
        """Write the title of a picture; by default its name in :attr:`pictures`.

        "Who is predicted positive" names the class instead, where it has a name.

        Parameters
        ----------
        name : str
            One of :attr:`panels`.

        Returns
        -------
        str
        """
        title = self.pictures[name]
        if title == WHO_IS_PREDICTED and self.class_names.is_named:
            return f"Who is predicted {self.class_names.shortened(MAX_TITLE_LETTERS).positive}"
        return title

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """Sentences about the picture; the first stands above it, the rest are notes."""
        return tuple(map(Sentence, self.words.sentences(self)))

    @property
    def first_sentence(self) -> Sentence:
        """The first sentence alone, without computing the notes."""
        return Sentence(next(iter(self.words.sentences(self))))

    @property
    def sentence(self) -> str:
        """The first sentence, as plain text."""
        return self.first_sentence.text

    @property
    def about(self) -> str:
        """The data in a few words: their source, and the number of samples."""
        return self.preset

    @property
    def is_drawn_by_hand(self) -> bool:
        """Whether the data are drawn by the user's hand, in place of simulated ones."""
        return False

    @property
    def class_names(self) -> ClassNames:
        """Names of the two classes; "positive" and "negative" where the data do not name them."""
        names: ClassNames = UNNAMED if self.is_sandbox else self._own.class_names
        return names

    def code(self) -> str:
        """Write Python that reproduces the numbers on screen, below the names of the classes."""
        code = str(self.words.code(self))
        names = self.class_names
        if not names.is_named:
            return code
        return f"# positive: {names.positive!r}, negative: {names.negative!r}\n{code}"

    def to_frame(self) -> pd.DataFrame:
        """Make a table of the numbers on screen, once they are exact.

        Where the data name their classes, ``attrs`` of the table says which one is ``"positive"``
        and which ``"negative"``; likewise ``"score"`` and ``"model"`` where there is one name.
        """
        if not self._is_by_hand:
            self.finish()
        return self._named(self.result.to_frame())

    @property
    def table_names(self) -> dict[str, str]:
        """What the data call the classes, for ``attrs`` of tables; columns keep their names."""
        names = self.class_names
        return {"positive": names.positive, "negative": names.negative} if names.is_named else {}

    def _named(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Store the names of the data in ``attrs`` of a table."""
        frame.attrs.update(self.table_names)
        return frame


def _set_quietly(state: ExplorerState, name: str, value: Any) -> None:
    if getattr(state, name) != value:
        # the value is stored before observers are notified
        with suppress(BaseException):
            setattr(state, name, value)


def _state_class(explorer_class: type) -> type:
    """Find the state that an explorer is made of; a state is its own."""
    return next(base for base in explorer_class.__mro__ if not hasattr(base, "static_figure"))


def _reopened(
    state_class: Any,
    own: Any,
    inputs: dict[str, Any],
    view: dict[str, Any],
    first: dict[str, Any],
    first_view: dict[str, Any],
    **attributes: Any,
) -> Any:
    """Open a state, or an explorer, as another one stands; attributes are set before it opens."""
    state = state_class.__new__(state_class)
    for name, value in attributes.items():
        setattr(state, name, value)
    state._open(own, view)
    state._initial = first
    state._initial_view = first_view
    # all at once and unchanged: they were valid together, so none is adjusted to another; nothing
    # is drawn before there is a result
    state._undo({**inputs, **view}, inputs, None)
    state.set_trait("result", state.compute())
    return state


# ------------------------------------------------------------------ inputs of several explorers

NEW_SAMPLE = Action(
    "new sample", "new_sample", hint="Draw another sample from the same distribution", sandbox=True
)


class SandboxState(ExplorerState):
    """A state that simulates data from a seed, unless the user gives data."""

    seed = Whole(0, min=0, help="Seed of the sample drawn.").tag(input=True, sandbox=True)

    def controls(self) -> dict[str, Control]:
        """Map names of traits, or the controls' own names, to controls in the order declared."""
        return {**super().controls(), "new_sample": NEW_SAMPLE}

    def new_sample(self) -> None:
        """Draw another sample of the same kind."""
        self.seed += 1


class Recent:
    """Cache of the last few values by their keys, for several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._values: dict[Any, Any] = {}

    def __contains__(self, key: Any) -> bool:
        return key in self._values

    def __call__(self, key: Any, make: Callable[[], Any]) -> Any:
        """Look up the value of a key, or compute it."""
        value = self._values.get(key)
        if value is None:
            value = make()
            with self._lock:
                self._values[key] = value
                while len(self._values) > self._most:
                    del self._values[next(iter(self._values))]
        return value


class DrawnState(SandboxState):
    """A state whose data are one object: the user's, or simulated by the sandbox's settings."""

    #: Largest number of simulated samples in a preview.
    sketched: ClassVar[int] = 0

    @cached_property
    def _samples(self) -> Recent:
        return Recent(4)  # data with all samples, and previews, of the last settings

    @cached_property
    def _known(self) -> Recent:
        return Recent(16)  # slow results, by their settings

    @property
    def data(self) -> Any:
        """The present data."""
        if not self.is_sandbox:
            return self._own
        settings = self.sandbox_settings()
        rough = self.is_preview and not self._is_drawn()
        if rough:
            settings["n_samples"] = min(self.sketched, settings["n_samples"])
        return self._samples((rough, *settings.values()), lambda: self.drawn(settings, rough))

    def drawn(self, settings: dict[str, Any], rough: bool = False) -> Any:
        """Simulate data by the sandbox's settings; ``rough`` data are for a preview."""
        raise NotImplementedError

    @property
    def metric_options(self) -> dict[str, float]:
        """The options of metrics that are inputs."""
        names = [name for name in metric_options() if self.has_trait(name)]
        return {name: getattr(self, name) for name in names}

    def _is_drawn(self) -> bool:
        """Whether the full data of the present settings have been simulated."""
        return (False, *self.sandbox_settings().values()) in self._samples

    def _has_other_data(self, changed: set[str]) -> bool:
        return bool(changed & {"preset", *self.sandbox_names()})


def miss_cost(
    grid: Grid,
    help: str = "Cost of a missed positive, if a false alarm costs 1.",
    limits: tuple[float | None, float | None] = (None, None),
    **more: Any,
) -> Number:
    """Declare the cost of a miss as an input, by default within the ends of the grid."""
    control = Slider("cost of a miss (in false alarms)", grid, role="optimum", **more)
    return control.as_float(1.0, help, *limits)


def metric_option_inputs(
    metrics_shown: Callable[[Any], Collection[str]], group: str = ""
) -> dict[str, Number]:
    """Declare the options of metrics that have a slider as inputs, by name.

    ``metrics_shown`` names the metrics that a state shows; sliders of others' options are hidden.
    """
    inputs = {}
    for name, option in metric_options().items():
        if option.stops:
            slider = Slider(
                option.label,
                Values(option.stops),
                "g",
                role="optimum",
                group=group,
                shown=partial(_takes_option, name, metrics_shown),
            )
            limits = option.limits or (option.stops[0], option.stops[-1])
            inputs[name] = slider.as_float(option.default, option.text, *limits)
    return inputs


def _takes_option(
    name: str, metrics_shown: Callable[[Any], Collection[str]], state: ExplorerState
) -> bool:
    """Whether one of the metrics that a state shows has an option of that name."""
    option = metric_options()[name]
    shown = metrics_shown(state)
    return any(option in row.options for row in ordered_metrics() if row.name in shown)


class MetricName(Word):
    """A metric by any of its names; a name such as ``'f2'`` also sets the option that it implies.

    Parameters
    ----------
    own : mapping of str to str
        Another word that the explorer knows, and its label.
    keeps : callable
        Says of a row of the table of metrics whether the explorer takes it.
    default, help : str
    """

    def __init__(
        self, own: Mapping[str, str], keeps: Callable[[MetricRow], bool], default: str, help: str
    ):
        self._own = own
        self._keeps = keeps
        super().__init__((), default, help=help)

    @property
    def values(self) -> tuple[str, ...]:
        """Valid names, by the present table of metrics."""
        return (*(row.name for row in ordered_metrics() if self._keeps(row)), *self._own)

    @values.setter
    def values(self, _values: Any) -> None:
        """Ignore the values that traitlets sets: they come from the table of metrics."""

    def labels(self, _state: Any = None) -> dict[str, str]:
        """Map names to labels in the rail."""
        rows = {row.name: row.label for row in ordered_metrics() if self._keeps(row)}
        return {**rows, **self._own}

    def validate(self, obj: Any, value: Any) -> Any:
        """Resolve the name of a metric, or refuse it."""
        return super().validate(obj, canonical_name(value))

    def set(self, obj: Any, value: Any) -> None:
        """Set the metric, and the options that its name implies."""
        try:
            implied = find_metric(value)[1]
        except ValueError:
            implied = {}
        if not implied:
            super().set(obj, value)
            return
        with obj.batch():
            if not obj.settled_inputs:  # a preset does not override the constructor's arguments
                obj._initial.update(implied)
            super().set(obj, value)
            for name, option in implied.items():
                setattr(obj, name, option)


def canonical_name(metric: Any) -> Any:
    """Resolve the name of a metric; other values stay as they are."""
    try:
        return find_metric(metric)[0].name
    except ValueError:
        return metric
