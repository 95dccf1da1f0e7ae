"""Long work beside an explorer that goes on answering.

The work runs in a thread, says how far it is, can be stopped at once, and hands its result over
whole or not at all. Knows nothing of what is worked out, or of what shows it.
"""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


class Background:
    """One kind of long work.

    Parameters
    ----------
    text : str
        What it is called.
    job : callable
        ``job(progress, should_stop)`` returns the result. It wraps its loop in ``progress``
        and raises, or ends early, once ``should_stop()`` is true.
    done : callable
        Given the result, in the kernel's own thread. Not called after a stop.
    fail : callable
        Given the text of an error, likewise.
    on_change : callable
        Called when it starts, gets on or ends.
    """

    def __init__(
        self,
        text: str,
        job: Callable[..., Any],
        done: Callable[[Any], None],
        fail: Callable[[str], None],
        on_change: Callable[[], None],
    ) -> None:
        self._text, self._job, self._done, self._fail = text, job, done, fail
        self._on_change = on_change
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._worker: threading.Thread | None = None
        self.share = 0.0

    @property
    def is_running(self) -> bool:
        """Whether work is under way and has not been told to stop."""
        return self._thread is not None and not self._stop.is_set()

    def start(self) -> None:
        """Begin; what was under way before is stopped."""
        self.stop()
        self._stop = stop = threading.Event()
        self.share = 0.0
        try:
            loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            loop = None

        def report(act: Callable[..., None], *arguments: Any) -> None:
            """Act in the kernel's thread, unless this work was stopped meanwhile."""

            def unless_stopped() -> None:
                if not stop.is_set():
                    act(*arguments)

            if loop is None:
                unless_stopped()
            else:
                loop.call_soon_threadsafe(unless_stopped)

        def progress(steps: Iterable[Any]) -> Iterator[Any]:
            steps = list(steps)
            for i, step in enumerate(steps):
                yield step
                report(self._advance, (i + 1) / len(steps))

        def work() -> None:
            try:
                result = self._job(progress, stop.is_set)
            except Exception as error:  # it must reach the person, whatever it is
                report(self._end, self._fail, str(error))
            else:
                report(self._end, self._done, result)

        self._thread = self._worker = threading.Thread(
            target=work, daemon=True, name=f"rocviz {self._text}"
        )
        self._thread.start()
        self._on_change()

    def _advance(self, share: float) -> None:
        if share == 1.0 or share - self.share >= 0.01:
            self.share = share
            self._on_change()

    def _end(self, act: Callable[[Any], None], outcome: Any) -> None:
        self.stop()
        act(outcome)

    def stop(self) -> None:
        """Stop at once; the thread ends at its next look, and what it brings is dropped."""
        was_running, self._thread = self._thread is not None, None
        self._stop.set()
        if was_running:
            self._on_change()

    def wait(self, timeout: float | None = None) -> None:
        """Wait for the thread to end, for tests and scripts."""
        if self._worker is not None:
            self._worker.join(timeout)

    def close(self) -> None:
        """Stop, for good."""
        self._on_change = lambda: None
        self.stop()
