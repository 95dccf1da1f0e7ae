"""Long computations beside an explorer that still responds, and the bar of one that opens slowly.

A computation runs in a thread, reports its progress, can be stopped at once, and returns its result
as a whole or not at all.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


Item = TypeVar("Item")

# Seconds of waiting after which a progress bar appears.
BAR_DELAY_SECONDS = 1.0
BAR_TICKS = 100  # of the bar of work in a thread


class _Bar:
    """Progress bar that appears after a delay; until then nothing is sent to the page."""

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._done = 0
        self._began = time.monotonic()
        self._bar: Any = None

    def step(self, text: str) -> None:
        if self._bar is None and time.monotonic() - self._began > BAR_DELAY_SECONDS:
            from tqdm.auto import tqdm

            self._bar = tqdm(total=self._total, initial=self._done, leave=False)
        if self._bar is not None:
            self._bar.n = self._done
            self._bar.set_description(text)
        self._done += 1

    def expect(self, more: int) -> None:
        """Extend the bar by ``more`` steps."""
        if self._total is not None:
            self._total += more
        if self._bar is not None:
            self._bar.total = self._total

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class Stopped(Exception):
    """Work was told to stop while it ran."""


class _Walk:
    """Steps of work in a thread: each advances the bar and raises if a stop was requested."""

    def __init__(self, total: int, progress: Any, should_stop: Callable[[], bool]) -> None:
        self._ticks = progress(range(BAR_TICKS))
        self._should_stop = should_stop
        self._total = total
        self._done = 0
        self._shown = 0

    def step(self, _text: str) -> None:
        if self._should_stop():
            raise Stopped
        while self._shown <= BAR_TICKS * self._done / self._total:
            next(self._ticks, None)
            self._shown += 1
        self._done += 1

    def expect(self, more: int) -> None:
        """Extend the bar by ``more`` steps."""
        self._total += more


_opening: ContextVar[_Bar | _Walk | None] = ContextVar("opening", default=None)


@contextmanager
def opening(total: int | None) -> Iterator[None]:
    """Show a bar while the block runs, if it takes longer than a second.

    Interrupting the cell stops the work. A block within another one uses the bar of that one.

    Parameters
    ----------
    total : int or None
        How often :func:`step` will be called; None if that is unknown.
    """
    if _opening.get() is not None:
        yield
        return
    bar = _Bar(total)
    token = _opening.set(bar)
    try:
        yield
    finally:
        _opening.reset(token)
        bar.close()


@contextmanager
def stepping(total: int, progress: Any, should_stop: Callable[[], bool]) -> Iterator[None]:
    """Let each :func:`step` in this block advance the job's bar, or raise ``Stopped``.

    ``total`` is the largest number of calls; the other arguments are those of the job.
    """
    token = _opening.set(_Walk(total, progress, should_stop))
    try:
        yield
    finally:
        _opening.reset(token)


def step(text: str, *, extra: bool = False) -> None:
    """Name the next step in the progress bar; an ``extra`` one also lengthens the bar."""
    bar = _opening.get()
    if bar is not None:
        if extra:
            bar.expect(1)
        bar.step(text)


def each(items: Iterable[Item], text: str) -> Iterator[Item]:
    """Yield the items, each as a step that also lengthens the progress bar."""
    items = list(items)
    bar = _opening.get()
    if bar is not None:
        bar.expect(len(items))
    for item in items:
        step(text)
        yield item


def import_soon(name: str) -> None:
    """Import a module while the kernel is idle, before it is needed.

    Where there is no kernel's event loop, or there are no threads, it is imported when needed.
    """
    if name in sys.modules or sys.platform == "emscripten":
        return
    with suppress(RuntimeError):
        loop = asyncio.get_running_loop()
        loaded = threading.Thread(target=import_module, args=(name,), daemon=True)
        loop.call_later(BAR_DELAY_SECONDS, loaded.start)


class Background:
    """A long computation in a thread, which can be restarted and stopped.

    Parameters
    ----------
    text : str
        Its name.
    job : callable
        ``job(progress, should_stop)`` returns the result. It wraps its loop in ``progress``
        and raises, or ends early, once ``should_stop()`` is true.
    done : callable
        Called with the result, in the kernel's own thread; not after a stop.
    fail : callable
        Called likewise with the text of an error.
    on_change : callable
        Called when the work starts, advances or ends.
    """

    def __init__(
        self,
        text: str,
        job: Callable[..., Any],
        done: Callable[[Any], None],
        fail: Callable[[str], None],
        on_change: Callable[[], None],
    ) -> None:
        self._text = text
        self._job = job
        self._done = done
        self._fail = fail
        self._on_change = on_change
        self._stop = threading.Event()
        #: The thread at work, if there is one.
        self.thread: threading.Thread | None = None
        self._worker: threading.Thread | None = None
        self.share = 0.0

    @property
    def is_running(self) -> bool:
        """Whether work is under way and has not been told to stop."""
        return self.thread is not None and not self._stop.is_set()

    def start(self) -> None:
        """Start the work; work that is still running is stopped first."""
        self.stop()
        self._stop = stop = threading.Event()
        self.share = 0.0
        try:
            loop: asyncio.AbstractEventLoop | None = asyncio.get_running_loop()
        except RuntimeError:
            loop = None

        context = copy_context()  # hosts find in it whose session this is

        def report(act: Callable[..., None], *arguments: Any) -> None:
            """Call back in the kernel's thread, unless this work was stopped meanwhile."""

            def call_if_running() -> None:
                if not stop.is_set():
                    act(*arguments)

            if loop is None:
                call_if_running()
            else:
                with suppress(RuntimeError):  # a closed loop has no listeners
                    loop.call_soon_threadsafe(call_if_running, context=context)

        def progress(steps: Iterable[Any]) -> Iterator[Any]:
            steps = list(steps)
            for i, step in enumerate(steps):
                yield step
                report(self._advance, (i + 1) / len(steps))

        def work() -> None:
            try:
                result = self._job(progress, stop.is_set)
            except Exception as error:  # report any error to the user
                report(self._end, self._fail, str(error))
            else:
                report(self._end, self._done, result)

        self.thread = self._worker = threading.Thread(
            target=work, daemon=True, name=f"rocviz {self._text}"
        )
        try:
            self.thread.start()
        except RuntimeError:  # Pyodide has no threads: the page waits for the work
            self._worker = None
            self._on_change()
            loop.call_soon(work) if loop is not None else work()
            return
        self._on_change()

    def _advance(self, share: float) -> None:
        if share == 1.0 or share - self.share >= 0.01:
            self.share = share
            self._on_change()

    def _end(self, act: Callable[[Any], None], outcome: Any) -> None:
        self.stop()
        act(outcome)

    def stop(self) -> None:
        """Stop at once; the thread ends at its next step, and its result is dropped."""
        was_running = self.thread is not None
        self.thread = None
        self._stop.set()
        if was_running:
            self._on_change()

    def wait(self, timeout: float | None = None) -> None:
        """Wait for the thread to end, for tests and scripts."""
        if self._worker is not None:
            self._worker.join(timeout)

    def close(self) -> None:
        """Stop, and refuse further work."""
        self._on_change = lambda: None
        self.stop()
