"""A process that is forked while another thread uses an explorer can use explorers itself."""

import os
import subprocess
import sys

import pytest

PROGRAM_SOURCE = """
import os, signal, sys, threading
from rocviz import ROCExplorer
from rocviz.widgets.base.state import ONE_AT_A_TIME

explorer = ROCExplorer([0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8], panels=["roc"])

def in_child():
    signal.alarm(60)  # ends a child that waits for ever
    explorer.threshold = 0.4
    explorer.static_figure()
    with explorer.by_hand():
        explorer.threshold = 0.8
    # it is still a lock: no other thread takes it meanwhile
    with ONE_AT_A_TIME:
        taken = []
        take = lambda: taken.append(ONE_AT_A_TIME.acquire(blocking=False))
        thread = threading.Thread(target=take)
        thread.start()
        thread.join()
    os._exit(0 if explorer.threshold == 0.8 and taken == [False] else 3)

def forked():
    child = os.fork()
    if child == 0:
        in_child()
    return os.waitpid(child, 0)[1]

{how}
"""
OTHER_THREAD_SOURCE = """
taken, done = threading.Event(), threading.Event()

def hold():
    with ONE_AT_A_TIME:
        taken.set()
        done.wait()

thread = threading.Thread(target=hold)
thread.start()
taken.wait()
print(forked())
done.set()
thread.join()
"""
SAME_THREAD_SOURCE = """
with explorer.by_hand():
    print(forked())
explorer.threshold = 0.1
"""
NO_THREAD_SOURCE = "print(forked())"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize(
    "how",
    [
        pytest.param(OTHER_THREAD_SOURCE, id="another thread"),
        pytest.param(SAME_THREAD_SOURCE, id="the same thread", marks=pytest.mark.slow),
        pytest.param(NO_THREAD_SOURCE, id="no thread", marks=pytest.mark.slow),
    ],
)
def test_a_forked_process_can_use_explorers(how, root):
    done = subprocess.run(
        # newer versions of Python warn of any fork beside threads
        [sys.executable, "-W", "ignore", "-c", PROGRAM_SOURCE.format(how=how)],
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.stdout, done.returncode) == ("0\n", 0), done.stderr
