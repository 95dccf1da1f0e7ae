"""In a terminal an explorer says once where its pictures are; elsewhere it says nothing of it."""

import os
import subprocess
import sys

import pytest

from rocviz import ROCExplorer, Story
from rocviz.widgets.base import terminal
from rocviz.widgets.base.stories.steps import Step

pytestmark = pytest.mark.slow

TYPED_LINES = """
from rocviz import ROCExplorer, Story, Step
explorer = ROCExplorer([0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8], panels=["roc"])
{first}
explorer
explorer
print("end")
"""


def typed(arguments, text, folder, root):
    """Type lines into a Python of its own, and return what it shows."""
    environment = {**os.environ, "PYTHONPATH": str(root), "IPYTHONDIR": str(folder)}
    environment["PYTHONWARNINGS"] = "ignore"
    done = subprocess.run(
        [sys.executable, *arguments],
        input=text,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


IPYTHON_OPTIONS = ["-m", "IPython", "--no-banner", "--no-confirm-exit", "--simple-prompt"]


@pytest.mark.parametrize("arguments", [["-i"], IPYTHON_OPTIONS], ids=["python", "ipython"])
@pytest.mark.parametrize("first", ["", "from IPython.display import display; display(explorer)"])
def test_a_terminal_says_once_how_to_see_the_pictures(arguments, first, tmp_path, root):
    shown = typed(arguments, TYPED_LINES.format(first=first), tmp_path, root)
    assert shown.count("ROCExplorer: At threshold") == 2 + bool(first)
    assert shown.count("A terminal shows no pictures.") == 1
    for way in ("rocviz lab", ".to_html(", ".save("):
        assert shown.count(way) == 1
    assert "run this cell" not in shown
    assert "as it last stood" not in shown
    assert "VBox" not in shown


def test_a_story_in_a_terminal_has_no_picture_to_save(tmp_path, root):
    first = "explorer = Story(explorer, [Step('A curve', 'It rises.')])"
    shown = typed(["-i"], TYPED_LINES.format(first=first), tmp_path, root)
    assert shown.count("Story of 1 steps") == 2
    assert shown.count(".to_html(") == 1
    assert ".save(" not in shown


def test_a_script_says_nothing_of_it(tmp_path, root):
    text = TYPED_LINES.format(first="print(explorer, repr(explorer))")
    shown = typed(["-"], text, tmp_path, root)
    assert shown.count("ROCExplorer: At threshold") == 2
    assert "terminal" not in shown


class Kernel:
    """What get_ipython returns in a notebook: no shell of a terminal."""


@pytest.mark.parametrize("prompt", [True, False])
def test_a_notebook_says_nothing_of_it(monkeypatch, prompt):
    import IPython.terminal.interactiveshell  # noqa: F401 - a notebook may load it

    monkeypatch.setattr(terminal, "get_ipython", Kernel)
    if prompt:
        monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    explorer = ROCExplorer([0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8], panels=["roc"])
    story = Story(explorer, [Step("A curve", "It rises.")])
    assert repr(explorer) == f"ROCExplorer: {explorer.sentence}"
    assert repr(story) == "Story of 1 steps, at 1: A curve"
    assert not terminal.in_ipython()
    story.close()
