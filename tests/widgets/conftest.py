"""Fixtures of the tests of all explorers."""

import gc
from contextlib import contextmanager

import pytest
from ipywidgets.widgets.widget import _instances


@pytest.fixture
def no_model_left():
    """Make a context at whose end no widget may be left that was opened inside.

    What was there before is frozen, so that a collection looks at what is new alone: the many
    thousand objects of everything imported would take it a second or two.
    """

    @contextmanager
    def watched():
        before = set(_instances)
        gc.freeze()
        yield
        gc.collect()
        assert set(_instances) <= before

    return watched


@pytest.fixture
def run_code(capsys):
    """Make a function that runs code and returns its variables and what it printed."""

    def run(code, **names):
        capsys.readouterr()
        exec(compile(code, "shown code", "exec"), names)
        return names, capsys.readouterr().out

    return run
