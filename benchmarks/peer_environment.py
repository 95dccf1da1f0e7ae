"""Environments of their own for peers that need other versions than rocviz."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


class CannotInstall(Exception):
    """The peer's environment could not be made."""


def peer_python(
    folder: Path,
    interpreter: str,
    packages: tuple[str, ...],
    module: str,
    without_pins: tuple[str, ...] = (),
) -> Path:
    """Find the interpreter of the peers' environment, which is created if needed.

    Packages in ``without_pins`` are installed without their requirements. ``module`` must be
    importable.
    """
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    modules = [requirement.partition("==")[0] for requirement in without_pins]
    check = f"import {', '.join(dict.fromkeys([module, *modules]))}"
    if "numpy<2" in packages:
        check += "; import numpy; assert numpy.__version__ < '2'"
    works = [python, "-c", check]
    if python.exists() and subprocess.run(works, capture_output=True).returncode == 0:
        return python
    print(f"installing {' and '.join(packages + without_pins)} into {folder} ...", file=sys.stderr)
    install = [python, "-m", "pip", "install", "--quiet"]
    commands = [[interpreter, "-m", "venv", "--clear", folder], [*install, *packages]]
    if without_pins:
        commands.append([*install, "--no-deps", *without_pins])
    commands.append(works)
    for command in commands:
        try:
            process = subprocess.run(command, capture_output=True, text=True)
        except OSError as error:
            raise CannotInstall(str(error)) from error
        if process.returncode:
            output = (process.stderr or process.stdout).strip().splitlines()
            raise CannotInstall(output[-1] if output else f"{command[0]} failed")
    return python
