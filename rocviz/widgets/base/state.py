"""What every explorer's state shares: validated inputs, one result, presets, words.

A state is plain traitlets: it runs, and is tested, without a browser. It must not know how
anything is drawn.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from functools import cache
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

from rocviz.widgets.base.controls import Choice, Text
from rocviz.widgets.base.preview import ONE_AT_A_TIME, Previewed
from rocviz.widgets.base.view import Sentence, Viewed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pandas as pd

    from rocviz.widgets.base.controls import Control

__all__ = ["ExplorerState", "Sentence"]


class ExplorerState(Viewed, Previewed):
    """Validated inputs and the result they give.

    A subclass declares its inputs and their controls, and computes. Whenever an input changes,
    :attr:`result` is computed anew; several inputs set under :meth:`batch` give one result.
    The name of no input raises a ``TypeError``, a bad value a ``TraitError``. Before this or any
    other exception reaches the caller, all inputs and the result are as they were.

    ``data`` are one's own, in place of a sandbox or presets; ``**inputs`` are initial values.
    """

    #: What the core made of the inputs; a frozen object.
    result: Any = traitlets.Any(read_only=True, allow_none=True)

    preset = Choice("situation", lambda state: state.preset_names, group="other data").of(
        Text(help="Name of a teaching situation; its inputs are set, all others are as they ship.")
    )

    #: Folds of the rail, in order; controls name the one they are in.
    groups: ClassVar[tuple[str, ...]] = ()

    #: Controls of no single trait, by name.
    extra_controls: ClassVar[Mapping[str, Control]] = {}

    #: Named teaching situations: values for inputs.
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    #: What a page of it lets move: of these controls the first one in sight.
    main_controls: ClassVar[tuple[str, ...]] = ()

    #: Inputs that a preset silent about them keeps; by default all that do not set the sandbox.
    kept: ClassVar[tuple[str, ...] | None] = None

    #: The module that puts the state into words: ``sentences(state)`` and ``code(state)``.
    words: Any

    #: What :attr:`preset` is called when one looks at one's own data.
    own: ClassVar[str] = "own data"

    def __init__(self, data: Any = None, **inputs: Any) -> None:
        self._own: Any = data
        self._check_names(inputs)
        view = {name: inputs.pop(name) for name in self.view_names() if name in inputs}
        self._guarded = frozenset((*self.input_names(), *self.view_names()))
        self._depth = 1
        self._restoring = False
        self._settled: dict[str, Any] = {}
        self._initial = dict(inputs)
        super().__init__()
        for name, value in (*inputs.items(), *view.items()):
            setattr(self, name, value)
        self.observe(self._input_changed, names=list(self.input_names()))
        self._depth = 0
        self._refresh()
        self._initial = self.inputs()
        self._initial_view = self.view()

    @classmethod
    @cache  # asked for at every step of a hand; traitlets looks through the whole class
    def input_names(cls) -> tuple[str, ...]:
        """Return the names of the inputs."""
        return tuple(cls.class_trait_names(input=True))

    @classmethod
    @cache
    def sandbox_names(cls) -> tuple[str, ...]:
        """Return the names of the inputs that data are drawn from."""
        return tuple(cls.class_trait_names(sandbox=True))

    @classmethod
    def _check_names(cls, inputs: Mapping[str, Any]) -> None:
        names = (*cls.input_names(), *cls.view_names())
        unknown = [name for name in inputs if name not in names]
        if unknown:
            raise TypeError(
                f"{cls.__name__} has no input {', '.join(map(repr, unknown))}; "
                f"it has {', '.join(sorted(names))}."
            )

    def controls(self) -> dict[str, Control]:
        """Return every control by the name of its trait, or its own, as they were declared."""
        declared: dict[str, Control] = {}
        for base in reversed(type(self).__mro__):
            for name, trait in vars(base).items():
                if isinstance(trait, traitlets.TraitType) and "control" in trait.metadata:
                    declared[name] = trait.metadata["control"]
        return declared | dict(self.extra_controls)

    @property
    def main_control(self) -> str:
        """The control that moves in a page without Python, unless others are asked for."""
        controls = self.controls()
        in_sight = (c for c in self.main_controls if c not in controls or controls[c].shown(self))
        return next(in_sight)

    # ------------------------------------------------------------------ presets

    @property
    def preset_names(self) -> tuple[str, ...]:
        """What :attr:`preset` may be."""
        return (*((self.own,) if self.has_own_data else ()), *self.presets)

    @property
    def has_own_data(self) -> bool:
        """Whether it was opened on data of one's own."""
        return self._own is not None

    @property
    def is_sandbox(self) -> bool:
        """Whether the data of a preset are looked at, not one's own."""
        return self._own is None or self.preset != self.own

    @traitlets.default("preset")
    def _first_preset(self) -> str:
        return self.preset_names[0]

    @traitlets.validate("preset")
    def _known_preset(self, proposal: Any) -> str:
        if proposal["value"] not in self.preset_names:
            raise traitlets.TraitError(
                f"preset must be one of {', '.join(self.preset_names)}; got {proposal['value']!r}."
            )
        return str(proposal["value"])

    # ------------------------------------------------------------------ inputs

    def inputs(self) -> dict[str, Any]:
        """Return every input as it stands, ``{name: value}``."""
        return {name: getattr(self, name) for name in self.input_names()}

    def update(self, **inputs: Any) -> None:
        """Set several inputs at once: all of them, or, where one is not valid, none.

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
        self._check_names(inputs)
        with self.batch():
            for name, value in inputs.items():
                setattr(self, name, value)

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Compute once at the end of the block, however many inputs it sets.

        Should the block fail, or leave inputs that do not go together, all of them are as
        they were before it.
        """
        with ONE_AT_A_TIME, self._undone_on_error():
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
            self._refresh()

    @contextmanager
    def hold_trait_notifications(self) -> Iterator[None]:
        """Tell observers at the end of the block: of all that changed in it, or of nothing."""
        with self.batch(), super().hold_trait_notifications():
            yield

    @contextmanager
    def _undone_on_error(self, change: Any = None) -> Iterator[None]:
        """Put inputs, view and result back before an exception goes on, whoever raised it."""
        if self._depth or self._restoring or not self._settled:
            yield
            return
        view, settled, result = self.view(), self._settled, self.result
        was_preview = self.is_preview
        before = {change["name"]: change["old"]} if change else {}  # what is told has changed
        try:
            yield
        except BaseException:
            self._forget_preview()
            self.is_preview = was_preview
            self._restore({**view, **before, **settled}, settled, result)
            if was_preview:
                with suppress(RuntimeError):  # the loop may have ended
                    self._rest_soon()
            raise

    def _restore(self, values: Mapping[str, Any], settled: dict[str, Any], result: Any) -> None:
        """Set everything back; an observer that raises meanwhile does not stop it."""
        self._restoring = True
        try:
            # twice: a rule across inputs may refuse one before the other is back
            for name, value in (*values.items(), *values.items()):
                _set_quietly(self, name, value)
            self._settled = settled
            if self.result is not result:
                # the first exception is on its way to the caller, an interruption or not
                with suppress(BaseException):
                    self.set_trait("result", result)
        finally:
            self._restoring = False
        self._was_restored()

    def _was_restored(self) -> None:
        """Show again what holds; a state has nothing to show."""

    def notify_change(self, change: Any) -> None:
        """Tell observers; if one of them raises, everything is as it was before the change."""
        if change["name"] in getattr(self, "_guarded", ()):
            with self._undone_on_error(change):
                super().notify_change(change)
        else:
            super().notify_change(change)

    def _input_changed(self, _change: Any) -> None:
        if not self._restoring:
            self._refresh()

    def _refresh(self) -> None:
        if self._depth:
            return
        changed = {"preset", *self._initial}
        if self._settled:
            changed = {name for name, v in self.inputs().items() if self._settled[name] != v}
        if not changed:
            return
        self._depth += 1
        try:
            for name in changed:
                value = getattr(self, name)
                if isinstance(value, float) and isnan(value):
                    raise traitlets.TraitError(f"{name} must be a number; got NaN.")
            self.is_preview = self._may_preview(changed) and self.needs_preview(changed)
            if not self._goes_back:
                self.adjust(changed)
            self._goes_back = False  # what an observer sets next is a change like any other
            result = self._computed()
        finally:
            self._depth -= 1
        self._settled = self.inputs()
        self._forget_preview()
        if self.is_preview:
            self._rest_soon()
        self.set_trait("result", result)

    def adjust(self, changed: set[str]) -> None:
        """Let inputs that depend on the changed ones follow, and refuse what cannot go together.

        Parameters
        ----------
        changed : set of str
            Inputs that differ from the last result's.

        Raises
        ------
        traitlets.TraitError
            If the inputs contradict each other; all are then put back.
        """
        if "preset" in changed and self.preset in self.presets:
            values = {**self._preset_defaults(), **self.presets[self.preset]}
            for name, value in values.items():
                if name not in changed:
                    setattr(self, name, value)

    def _preset_defaults(self) -> dict[str, Any]:
        """Return what a preset that is silent about it sets: as it ships.

        That is all that is not :attr:`kept`: the whole sandbox, and what any preset sets.
        """
        if self.kept is None:
            names = {*self.sandbox_names()}.union(*self.presets.values())
        else:
            names = {*self.input_names()} - {"preset", *self.kept}
        traits = self.traits()
        return {name: traits[name].default(self) for name in self.input_names() if name in names}

    # ------------------------------------------------------------------ words

    def title(self, name: str) -> str:
        """Return what stands over a picture now; by default its name in :attr:`pictures`.

        Parameters
        ----------
        name : str
            One of :attr:`panels`.

        Returns
        -------
        str
        """
        return self.pictures[name]

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What the picture shows, in words; the first stands above it, the rest are notes."""
        return tuple(self.words.sentences(self))

    @property
    def sentence(self) -> str:
        """The first sentence, as plain text."""
        return self.sentences[0].text

    @property
    def about(self) -> str:
        """What is looked at, in a few words: whose data, how many samples."""
        return self.preset

    def summary(self, group: str) -> str:
        """Return the present setting of a fold of the rail, in a word or two.

        Parameters
        ----------
        group : str
            One of :attr:`groups`.

        Returns
        -------
        str
        """
        return self.preset if group == "other data" else ""

    def code(self) -> str:
        """Return Python that reproduces the numbers on screen."""
        return str(self.words.code(self))

    def to_frame(self) -> pd.DataFrame:
        """Return the numbers on screen as a table."""
        raise NotImplementedError


def _set_quietly(state: ExplorerState, name: str, value: Any) -> None:
    if getattr(state, name) != value:
        # the value is stored before observers are told
        with suppress(BaseException):
            setattr(state, name, value)
