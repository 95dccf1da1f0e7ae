"""What every explorer's state shares: validated inputs, one result, presets, words.

A state is plain traitlets: it runs, and is tested, without a browser. It must not know how
anything is drawn.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar

import traitlets

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pandas as pd

__all__ = ["ExplorerState", "Sentence"]


@dataclass(frozen=True)
class Sentence:
    """Words whose numbers know what they count.

    Parameters
    ----------
    parts : tuple of (str or (str, str))
        Plain text, or a pair of a thing in :data:`rocviz.theme.COLOURS` and its text.

    Examples
    --------
    >>> Sentence(("finds ", ("positive", "163 of 212"), " positives.")).text
    'finds 163 of 212 positives.'
    """

    parts: tuple[str | tuple[str, str], ...]

    @property
    def text(self) -> str:
        """Without any markup."""
        return "".join(part if isinstance(part, str) else part[1] for part in self.parts)

    @property
    def html(self) -> str:
        """With every number in the colour of what it counts."""
        return "".join(
            escape(part)
            if isinstance(part, str)
            else f'<b class="rocviz-{part[0]}">{escape(part[1])}</b>'
            for part in self.parts
        )


class ExplorerState(traitlets.HasTraits):
    """Validated inputs and the result they give.

    A subclass tags its inputs with ``input=True``, and computes. Whenever an input changes,
    :attr:`result` is computed anew; several inputs set under :meth:`batch` give one result.
    """

    #: What the core made of the inputs; a frozen object.
    result = traitlets.Any(read_only=True, allow_none=True)

    #: The named teaching situation in force, or :attr:`own`.
    preset = traitlets.Unicode().tag(input=True)

    #: Named teaching situations: values for inputs.
    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    #: What :attr:`preset` is called when one looks at one's own data.
    own: ClassVar[str] = "own data"

    def __init__(self, **inputs: Any) -> None:
        self._check_names(inputs)
        self._batching = 1
        self._settled: dict[str, Any] = {}
        self._initial = dict(inputs)
        super().__init__()
        for name, value in inputs.items():
            setattr(self, name, value)
        self.observe(self._refresh, names=list(self.input_names()))
        self._batching = 0
        self._refresh()
        self._initial = self.inputs()

    @classmethod
    def input_names(cls) -> tuple[str, ...]:
        """Return the names of the inputs."""
        return tuple(cls.class_trait_names(input=True))

    @classmethod
    def _check_names(cls, inputs: Mapping[str, Any]) -> None:
        unknown = [name for name in inputs if name not in cls.input_names()]
        if unknown:
            valid = ", ".join(sorted(cls.input_names()))
            raise TypeError(
                f"{cls.__name__} has no input {', '.join(map(repr, unknown))}; it has {valid}."
            )

    @property
    def preset_names(self) -> tuple[str, ...]:
        """What :attr:`preset` may be."""
        return (*((self.own,) if self.has_own_data else ()), *self.presets)

    @property
    def has_own_data(self) -> bool:
        """Whether it was opened on data of one's own."""
        return False

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

    def inputs(self) -> dict[str, Any]:
        """Return every input as it stands, ``{name: value}``."""
        return {name: getattr(self, name) for name in self.input_names()}

    def update(self, **inputs: Any) -> None:
        """Set several inputs at once: all of them, or, where one is not valid, none.

        Parameters
        ----------
        **inputs
            New values by name.

        Raises
        ------
        TypeError
            If a name is not an input.
        traitlets.TraitError
            If a value is not valid; everything is then as it was.
        """
        self._check_names(inputs)
        with self.batch():
            self._assign(inputs)

    def _assign(self, inputs: Mapping[str, Any]) -> None:
        for name, value in inputs.items():
            setattr(self, name, value)

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Compute once at the end of the block, however many inputs it sets.

        Should the block fail, or leave inputs that do not go together, all of them are as
        they were before it.
        """
        self._batching += 1
        try:
            yield
        except Exception:
            self._assign(self._settled)
            raise
        finally:
            self._batching -= 1
        self._refresh()

    def _refresh(self, _change: Any = None) -> None:
        if self._batching:
            return
        if self._settled:
            now = self.inputs()
            changed = {name for name, value in now.items() if self._settled[name] != value}
        else:
            changed = {"preset", *self._initial}
        if not changed:
            return
        self._batching += 1
        try:
            for name in changed:
                value = getattr(self, name)
                if isinstance(value, float) and isnan(value):
                    raise traitlets.TraitError(f"{name} must be a number; got NaN.")
            self.adjust(changed)
            result = self.compute()
        except Exception:
            self._assign(self._settled)
            raise
        finally:
            self._batching -= 1
        self._settled = self.inputs()
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
        """Return what a preset that is silent about it sets: the sandbox as it ships."""
        return {name: trait.default() for name, trait in self.traits(sandbox=True).items()}

    def compute(self) -> Any:
        """Return the result for the inputs as they stand."""
        raise NotImplementedError

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """What the picture shows, in words; the most important first."""
        raise NotImplementedError

    @property
    def sentence(self) -> str:
        """The first sentence, as plain text."""
        return self.sentences[0].text

    def code(self) -> str:
        """Return Python that reproduces the numbers on screen."""
        raise NotImplementedError

    def to_frame(self) -> pd.DataFrame:
        """Return the numbers on screen as a table."""
        raise NotImplementedError

    def reset(self) -> None:
        """Go back to how the explorer opened."""
        self.update(**self._initial)
