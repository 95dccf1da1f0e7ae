"""Long work beside a live explorer: a bar that fills, a button that stops it at once.

The work runs in a thread and hands its result over whole or not at all; the kernel goes on
answering. Knows ipywidgets, not what is worked out.
"""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import ipywidgets

from rocviz.widgets.base.parts import control

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["Background"]


class Background:
    """One kind of long work, with its button and its bar.

    Parameters
    ----------
    text : str
        On the button; while it runs the button says "stop".
    job : callable
        ``job(progress, should_stop)`` returns the result. It wraps its loop in ``progress``
        and raises, or ends early, once ``should_stop()`` is true.
    done : callable
        Given the result, in the kernel's own thread. Not called after a stop.
    fail : callable
        Given the text of an error, likewise.
    """

    def __init__(
        self,
        text: str,
        job: Callable[..., Any],
        done: Callable[[Any], None],
        fail: Callable[[str], None],
    ) -> None:
        self._text, self._job, self._done, self._fail = text, job, done, fail
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.button = control(ipywidgets.Button(description=text), "rocviz-chip")
        self.bar = ipywidgets.FloatProgress(min=0, max=1, layout={"display": "none"})
        self.bar.add_class("rocviz-progress")
        self.button.on_click(lambda _button: self.stop() if self.is_running else self.start())
        self.box = control(ipywidgets.Box([self.button, self.bar]), "rocviz-chips")

    @property
    def is_running(self) -> bool:
        """Whether work is under way and has not been told to stop."""
        return self._thread is not None and not self._stop.is_set()

    def start(self) -> None:
        """Begin; what was under way before is stopped."""
        self.stop()
        self._stop = stop = threading.Event()
        self.bar.value, self.bar.layout.display = 0.0, ""
        self.button.description = "stop"
        try:
            loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            loop = None

        def tell(act: Callable[..., None], *arguments: Any) -> None:
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
                tell(self._show, (i + 1) / len(steps))

        def work() -> None:
            try:
                result = self._job(progress, stop.is_set)
            except Exception as error:  # it must reach the person, whatever it is
                tell(self._end, self._fail, str(error))
            else:
                tell(self._end, self._done, result)

        self._thread = threading.Thread(target=work, daemon=True, name=f"rocviz {self._text}")
        self._thread.start()

    def _show(self, share: float) -> None:
        self.bar.value = share

    def _end(self, act: Callable[[Any], None], outcome: Any) -> None:
        self.stop()
        act(outcome)

    def stop(self) -> None:
        """Stop at once; the thread ends at its next look, and what it brings is dropped."""
        self._stop.set()
        self._thread = None
        self.button.description = self._text
        self.bar.layout.display = "none"

    def wait(self, timeout: float | None = None) -> None:
        """Wait for the thread to end, for tests and scripts."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout)

    def close(self) -> None:
        """Stop, for good."""
        self.stop()
