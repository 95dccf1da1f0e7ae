"""A connection between a page and its server with a chosen delay or interruption.

It passes all bytes on in order.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading


class SlowLine:
    """A local port that forwards to a server with a delay.

    Parameters
    ----------
    port : int
        Port of the server.

    Attributes
    ----------
    delay : float
        Delay in each direction, in seconds; 0 at first.
    """

    def __init__(self, port: int) -> None:
        self.delay = 0.0
        self._server_port = port
        self._loop = asyncio.new_event_loop()
        self._open = asyncio.Event()
        self._open.set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        opened = asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._listening = asyncio.run_coroutine_threadsafe(opened, self._loop).result()
        self.port = self._listening.sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection("127.0.0.1", self._server_port)
        out = self._pass_on(reader, there[1])
        back = self._pass_on(there[0], writer, self._open)
        with contextlib.suppress(asyncio.CancelledError):  # the line is closed
            await asyncio.gather(out, back)

    async def _pass_on(self, reader, writer, gate: asyncio.Event | None = None) -> None:
        """Read at once and write after the delay, which adds latency only."""
        waiting: asyncio.Queue = asyncio.Queue()

        async def write() -> None:
            while True:
                due, data = await waiting.get()
                await asyncio.sleep(due - self._loop.time())
                if gate is not None:
                    await gate.wait()
                if not data:
                    break
                writer.write(data)
                await writer.drain()

        writing = asyncio.ensure_future(write())
        try:
            data = b"-"
            while data:
                data = await reader.read(2**16)
                waiting.put_nowait((self._loop.time() + self.delay, data))
            await writing
        except OSError:
            return  # one end is gone
        finally:
            writing.cancel()
            writer.close()

    def hold(self) -> None:
        """Hold back all bytes from the server until :meth:`release`."""
        self._loop.call_soon_threadsafe(self._open.clear)

    def release(self) -> None:
        """Pass on the bytes that were held back."""
        self._loop.call_soon_threadsafe(self._open.set)

    def close(self) -> None:
        """Close the port and all connections through it."""

        async def end() -> None:
            self._listening.close()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
