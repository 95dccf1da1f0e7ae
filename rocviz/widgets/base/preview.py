"""Results from fewer samples while a hand moves, and the exact one when it rests.

Inputs change in one thread at a time: a kernel may handle messages in several. Knows an event loop
and that there is something to compute; not what.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import traitlets

from rocviz.widgets.base.background import opening
from rocviz.widgets.base.controls import check_can_be_looked_at
from rocviz.widgets.base.own_data import CopiedState

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Held while an input changes and while a picture is drawn for a file. One for all explorers: two
# that set each other's inputs could otherwise wait for each other for ever.
ONE_AT_A_TIME = threading.RLock()

REST = 0.3  # seconds without a change after which a preview is made exact


class Previewed(CopiedState, traitlets.HasTraits):
    """What may show a preview of its ``result`` while a hand moves an input."""

    _depth: int
    result: Any
    _settled: dict[str, Any]
    _guarded: frozenset[str] = frozenset()
    _by_hand = 0
    _exact_soon: asyncio.TimerHandle | None = None

    #: Whether the result is one from fewer samples, shown while a hand is moving.
    is_preview = False

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an input while no other thread does, nor draws what is on the screen."""
        if name not in self._guarded:
            super().__setattr__(name, value)
            return
        with ONE_AT_A_TIME:
            check_can_be_looked_at(name, value)
            super().__setattr__(name, value)

    def compute(self) -> Any:
        """Return the result for the inputs as they stand."""
        raise NotImplementedError

    def adjust(self, changed: set[str]) -> None:
        """Let inputs that depend on the changed ones follow."""

    def inputs(self) -> dict[str, Any]:
        """Return every input as it stands, ``{name: value}``."""
        raise NotImplementedError

    def _restore(self, values: Mapping[str, Any], settled: dict[str, Any], result: Any) -> None:
        """Set inputs and result back to these."""
        raise NotImplementedError

    def needs_preview(self, changed: set[str]) -> bool:
        """Whether the result of these changes takes too long to follow a hand.

        A state that says so computes from fewer samples while :attr:`is_preview` is true.

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
        """Whether Python too is shown a preview first; asked as :meth:`needs_preview` is."""
        return False

    def finishes_late(self) -> bool:
        """Whether one waits so long for the exact result that a button and a bar say so."""
        return self.takes_long(set())

    def _computed(self) -> Any:
        """Return the result; where no hand waits for it, a bar shows how far it is."""
        if self._by_hand:
            return self.compute()
        with opening(None):
            return self.compute()

    @contextmanager
    def by_hand(self) -> Iterator[None]:
        """Within this block, changes come from a hand that is moving: previews are allowed."""
        with ONE_AT_A_TIME:
            self._by_hand += 1
            try:
                yield
            finally:
                self._by_hand -= 1

    def _may_preview(self, changed: set[str]) -> bool:
        if not (self._by_hand or self.takes_long(changed)):
            return False
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return False
        return True

    def _rest(self) -> None:
        """Finish now that the hand rests; where that is long, a subclass does it in a thread."""
        self.finish()

    def finish(self) -> None:
        """Make the result exact, if it is a preview."""
        with ONE_AT_A_TIME:
            self._finish()

    def _finish(self) -> None:
        self._forget_preview()
        if self.is_preview:
            self.is_preview = False
            self._depth += 1
            try:
                with opening(None):
                    self.adjust(set())  # what follows the result follows the exact one
                    result = self.compute()
            except BaseException:  # who waited may have interrupted it
                self.is_preview = True
                self._restore(self._settled, self._settled, self.result)
                raise
            finally:
                self._depth -= 1
            self._settled = self.inputs()
            self.set_trait("result", result)

    def _forget_preview(self) -> None:
        if self._exact_soon is not None:
            self._exact_soon.cancel()
            self._exact_soon = None

    def _rest_soon(self) -> None:
        self._exact_soon = asyncio.get_running_loop().call_later(REST, self._rest)
