"""Kernels under test, forked from one process that has imported what all of them need.

A kernel that starts afresh spends two seconds of processor time on imports, which are the same in
every notebook. The imports of a fresh interpreter are tested in test_lazy_import.
"""

from __future__ import annotations

import multiprocessing
import os
from importlib.metadata import EntryPoint
from multiprocessing import forkserver, resource_tracker
from unittest.mock import patch

from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

IDEAS = (
    "roc",
    "fermi_dirac",
    "ensembles",
    "scoring_lists",
    "decisions",
    "lexicographic",
    "ranking_loss",
)
#: ipykernel comes first: it says how widgets reach the page, which ipywidgets asks when imported.
IMPORTED_MODULES = [
    "ipykernel.kernelapp",
    "matplotlib.pyplot",
    *(f"sklearn.{part}" for part in ("calibration", "ensemble", "metrics", "naive_bayes", "tree")),
    "rocviz.exercises._course",
    *(f"rocviz.widgets.{idea}.{part}" for idea in IDEAS for part in ("explorer", "still")),
]
#: Settings of a kernel before any other import; saved notebooks have no progress bars.
INLINE = {"MPLBACKEND": "module://matplotlib_inline.backend_inline", "TQDM_DELAY": "1000000000"}
#: Actions that libraries take when they are imported in a kernel instead of a terminal.
IN_KERNEL = [
    "__import__('ipywidgets').register_comm_target()",
    "__import__('pandas').set_option('display.max_columns', 20)",
]

#: Where the process to fork from listens, if one has been started for a whole session.
SERVER_VARIABLE = "ROCVIZ_FORK_SERVER"

_context = multiprocessing.get_context("forkserver")
_server = forkserver._forkserver


def become_kernel(arguments: list[str], folder: str, environment: dict[str, str]) -> None:
    """Run a kernel in this process, as ``python -m ipykernel_launcher`` does in its own."""
    from ipykernel import kernelapp

    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment | INLINE)
    kernelapp.launch_new_instance(arguments, parent_handle=os.getppid(), exec_lines=IN_KERNEL)


class Forked(_context.Process):
    """A process that answers as a ``subprocess.Popen`` does."""

    stdin = stdout = stderr = None

    def poll(self) -> int | None:
        return self.exitcode

    def wait(self) -> int | None:
        self.join()
        return self.exitcode

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)


class Forking(LocalProvisioner):
    """Starts kernels by forking."""

    async def launch_kernel(self, cmd, *, cwd, env, **_others):
        _start()
        after = cmd.index("ipykernel_launcher") + 1
        self.process = Forked(target=become_kernel, args=(cmd[after:], cwd, env))
        self.process.start()
        self.pid = self.process.pid
        self.cwd = cwd
        return self.connection_info


def _start() -> None:
    """Start the process to fork from, if there is none."""
    with patch.dict(os.environ, INLINE):
        _server.ensure_running()


def share_kernels() -> None:
    """Start one process to fork from for all workers and their servers.

    Nothing promises that a process may use what another has started, and from Python 3.14 on it
    needs a key: there each has its own.
    """
    _context.set_forkserver_preload(IMPORTED_MODULES)
    if hasattr(_server, "_forkserver_authkey"):
        return
    # what kernels say of themselves is no part of the report
    ours = os.dup(2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            _start()
        finally:
            os.dup2(ours, 2)
            os.close(ours)
    os.environ[SERVER_VARIABLE] = _server._forkserver_address


def fork_kernels() -> None:
    """Fork all kernels that servers in this process start from now on."""
    _context.set_forkserver_preload(IMPORTED_MODULES)
    if address := os.environ.get(SERVER_VARIABLE):
        _server._forkserver_address = address
        # what it waits for to end is the process that started it, and no other
        _server._forkserver_alive_fd = os.open(os.devnull, os.O_WRONLY)
        _server.ensure_running = resource_tracker.ensure_running
    factory = KernelProvisionerFactory.instance()
    factory.provisioners["forking"] = EntryPoint("forking", "forked:Forking", factory.GROUP_NAME)
    factory.default_provisioner_name = "forking"
