"""A server of a test: a process that serves pages, with what it printed in a file."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

#: Seconds after which a condition is taken never to come true, however busy the machine is.
PATIENCE_SECONDS = 300


def free_port() -> int:
    """Find a port that no program listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A program run by the present Python that listens on a port of this machine.

    Parameters
    ----------
    folder : Path
        Where it runs, and writes its log.
    arguments : sequence of str
        Of Python.
    port : int
        Where it listens.
    environment : mapping of str to str
        All of its variables.
    ready_path : str
        What can be read from it once it is ready.
    """

    def __init__(
        self,
        folder: Path,
        arguments: Sequence[str],
        port: int,
        environment: Mapping[str, str],
        ready_path: str = "/",
    ) -> None:
        self.folder = folder
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.log = folder / f"server-{port}.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, *arguments],
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=folder,
                env=dict(environment),
            )
        self._wait(ready_path)

    def _wait(self, path: str) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"The server did not start:\n{self.log.read_text()}")
            try:
                urllib.request.urlopen(f"{self.url}{path}", timeout=2).read()
                return
            except OSError:
                self._pause()
        raise RuntimeError(f"The server was not ready in time:\n{self.log.read_text()}")

    def _pause(self) -> None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End the server and what it has started."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
