"""Fixtures and settings that every kind of test shares."""

import asyncio
import gc
import importlib.util
import os
import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import matplotlib as mpl
import pytest
from hypothesis import HealthCheck, settings
from matplotlib import pyplot as plt

mpl.use("agg")

# Derandomised so that a run of the same code gives the same verdict everywhere. A longer look:
# EXAMPLES=1000 pytest --hypothesis-profile=thorough --hypothesis-seed=1
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile(
    "rocviz", derandomize=True, max_examples=20, stateful_step_count=5, **_COMMON
)
settings.register_profile(
    "thorough",
    max_examples=int(os.environ.get("EXAMPLES", "300")),
    stateful_step_count=25,
    print_blob=True,
    **_COMMON,
)
settings.load_profile("rocviz")

ROOT = Path(__file__).resolve().parents[1]
BROWSER = ROOT / "tests" / "browser"

sys.path.insert(0, str(ROOT / "tests"))  # for page.py


def pytest_configure(config):
    """Start the kernels of notebooks from one process that has imported what they need."""
    if config.getoption("nbval", default=False):
        sys.path.insert(0, str(ROOT / "tests" / "notebooks"))
        from forked import fork_kernels, share_kernels

        is_worker = hasattr(config, "workerinput")
        if config.getoption("numprocesses", default=None) and not is_worker:
            share_kernels()
        else:
            fork_kernels()


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder that holds pyproject.toml."""
    return ROOT


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium; without one, skip, or fail when ROCVIZ_REQUIRE_BROWSER is set."""
    place = BROWSER / "find_chromium.py"
    spec = importlib.util.spec_from_file_location("find_chromium", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path = module.find()
    if path is None:
        if os.environ.get("ROCVIZ_REQUIRE_BROWSER"):
            pytest.fail(module.ADVICE)
        pytest.skip(module.ADVICE)
    return path


@pytest.fixture
def two_threads():
    """A context in which two threads share the work that joblib is given, and it is given some."""
    from joblib import parallel_config
    from joblib._parallel_backends import ThreadingBackend

    class Counted(ThreadingBackend):
        calls = 0

        def start_call(self):
            Counted.calls += 1
            super().start_call()

    @contextmanager
    def shared():
        with parallel_config(backend=Counted(), n_jobs=2):
            yield
        assert Counted.calls

    return shared


#: Files of browser tests by what they share: a page in JupyterLab, or a server and a browser.
SHARED = {
    "JupyterLab": ("test_hands.py", "test_lab.py", "test_stage.py"),
    "browser": ("test_elsewhere.py", "test_gallery.py", "test_recorded.py", "test_site.py"),
}


def is_browser_test(item) -> bool:
    """Whether it drives a browser."""
    return BROWSER in item.path.parents


def shared_by(file: str) -> str:
    """Name the fixture that a file of browser tests shares with others."""
    return next((what for what, files in SHARED.items() if file in files), "browser")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """Count a worker for each core and one for the tests in a browser, which mostly wait for it."""
    paths = [Path(argument.split("::")[0]).resolve() for argument in config.args]
    drives = any(path == BROWSER or path in BROWSER.parents for path in paths)
    return (os.cpu_count() or 1) + drives


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give a worker whole files, and files that share a slow fixture together."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = super()._split_scope(nodeid)
            folder, _, name = file.rpartition("/")
            return shared_by(name) if folder == "tests/browser" else file

    return Scheduling(config, log)


def pytest_collection_modifyitems(items):
    """Put long files first, so that no worker is left with one when the others have finished.

    mypy may have to read everything, where it has not read it before. Of all others, those with the
    most tests are taken to be the longest.
    """
    count = Counter(item.path for item in items)

    def place(item):
        if is_browser_test(item):
            return 0, list(SHARED).index(shared_by(item.path.name))
        is_long = item.path.suffix == ".ipynb" or item.path.name == "test_types.py"
        return 1, not is_long, -count[item.path]

    items.sort(key=place)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Let the garbage collector leave out what is imported to collect the tests.

    It stays until the end, and looking through it again and again took a twentieth of all time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def _set_back():
    """Set back what rocviz keeps for a session: the theme, and which exercises were solved."""
    from rocviz.exercises._progress import forget_session
    from rocviz.theme import Theme, get_theme, set_theme

    if get_theme() != Theme():
        set_theme(lecture=False)
    forget_session()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Hide Playwright's event loop, which runs until the session ends, from other tests.

    Figures of a test are closed when it ends: a worker runs many doctests one after another, and
    pyplot warns of the twenty-first open figure. No other test sees its theme or its progress.
    """
    loop = None if is_browser_test(item) else asyncio._get_running_loop()
    if loop is not None:
        asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        plt.close("all")
        if not is_browser_test(item):
            _set_back()
        if loop is not None:
            asyncio._set_running_loop(loop)
