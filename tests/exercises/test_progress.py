import json
import os

import pytest
from IPython.core.formatters import HTMLFormatter

from rocviz.exercises import _progress, check, export_progress, import_progress, names, progress
from rocviz.exercises._course import EXAMPLES
from rocviz.exercises._progress import forget_session

SOLVED = {"tree_auc": 0.79, "lexicographic_auc": 0.62}


def html_of(result):
    """Write a result as notebooks show it."""
    return HTMLFormatter()(result)


@pytest.fixture
def path(tmp_path, monkeypatch):
    path = tmp_path / "progress.json"
    monkeypatch.setenv("ROCVIZ_PROGRESS", str(path))
    return path


def test_correct_answers_are_counted_once_and_saved(path):
    n_open = len(names(1)) - len(EXAMPLES)
    assert check("tree_auc", 0.5).tally == ""
    assert not path.exists()
    for _ in range(2):
        feedback = check("tree_auc", 0.79)
        assert feedback.tally == f"Chapter 1: 1 of {n_open} exercises solved."
        assert str(feedback).endswith(feedback.tally)
        assert feedback.tally in html_of(feedback)
    forget_session()
    assert progress().solved == ("tree_auc",)
    assert check("lexicographic_auc", 0.62).tally.startswith("Chapter 1: 2 of ")
    assert [p.name for p in path.parent.iterdir()] == ["progress.json"]


def test_the_worked_example_is_not_counted(path):
    assert check("operating_point", (0.2, 0.7)).tally == ""
    assert not path.exists()
    assert "operating_point" not in {*progress().solved, *progress().open}


def test_every_other_exercise_is_counted(path):
    current = progress()
    assert {*current.open, *EXAMPLES} == set(names())
    numbers = [chapter.chapter for chapter in current.chapters]
    assert numbers == sorted(numbers)


def test_progress_is_shown_as_text_and_as_html(path):
    check("tree_auc", 0.79)
    first, *others = repr(progress()).splitlines()
    assert first.startswith("Chapter 1: 1 of ")
    assert "Still open: lexicographic_auc, " in first
    assert all(line.endswith("exercises solved.") for line in others)
    html = html_of(progress())
    assert html.count("&#9632;") == 1
    assert html.count("&#9633;") == len(progress().open)
    assert first in html


def test_one_line_moves_progress_to_another_computer(path, tmp_path, monkeypatch):
    for name, answer in SOLVED.items():
        check(name, answer)
    line = export_progress()
    assert line.splitlines() == [line]
    forget_session()
    monkeypatch.setenv("ROCVIZ_PROGRESS", str(tmp_path / "elsewhere.json"))
    check("cubed_probabilities", "Brier score")
    assert set(import_progress(line).solved) == {*SOLVED, "cubed_probabilities"}
    forget_session()
    assert set(progress().solved) == {*SOLVED, "cubed_probabilities"}


@pytest.mark.parametrize("line", ["tree_auc tree_acu", None, 3, "{}"])
def test_an_invalid_line_adds_nothing(path, line):
    with pytest.raises(ValueError, match="line must be a result of export_progress"):
        import_progress(line)
    assert not progress().solved
    assert not path.exists()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"solved": 3}', '{"solved": [3]}', '{"other": 1}', "\0\ud800"]
)
def test_a_broken_file_is_kept_and_reported_once(path, text):
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    before = path.read_bytes()
    first = check("tree_auc", 0.79)
    assert first.correct
    assert "progress.json cannot be read and was left as it is" in first.tally
    second = check("lexicographic_auc", 0.62)
    assert second.tally.startswith("Chapter 1: 2 of ")
    assert "cannot be read" not in second.tally
    assert "cannot be read" in repr(progress())
    assert "cannot be read" in html_of(progress())
    assert path.read_bytes() == before
    path.unlink()
    check("cubed_probabilities", "Brier score")
    assert len(json.loads(path.read_text())["solved"]) == 3


def test_a_read_only_folder_is_reported_once(path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError("read-only")

    monkeypatch.setattr(os, "replace", refuse)
    assert "progress.json cannot be written" in check("tree_auc", 0.79).tally
    assert "written" not in check("lexicographic_auc", 0.62).tally
    assert "written" in import_progress("tree_auc").note
    assert progress().solved == tuple(SOLVED)
    assert not list(path.parent.iterdir())
    monkeypatch.setenv("ROCVIZ_PROGRESS", str(path.parent / "no such folder" / "a.json"))
    assert check("tree_auc", 0.79).correct


def test_exercises_of_another_version_stay_in_the_file(path):
    path.write_text('{"solved": ["from_another_version"]}')
    check("tree_auc", 0.79)
    assert json.loads(path.read_text())["solved"] == ["from_another_version", "tree_auc"]
    assert progress().solved == ("tree_auc",)


@pytest.mark.parametrize("value", [None, "", " "])
def test_progress_is_saved_in_notebooks_only_and_if_enabled(value, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if value is None:
        monkeypatch.setattr(_progress, "get_ipython", lambda: None)
        monkeypatch.delenv("ROCVIZ_PROGRESS", raising=False)
    else:
        monkeypatch.setattr(_progress, "get_ipython", object)
        monkeypatch.setenv("ROCVIZ_PROGRESS", value)
    assert check("tree_auc", 0.79).tally == ""
    assert import_progress("tree_auc").solved == ()
    assert not list(tmp_path.iterdir())


def test_in_a_notebook_progress_is_saved_beside_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ROCVIZ_PROGRESS", raising=False)
    monkeypatch.setattr(_progress, "get_ipython", object)
    check("tree_auc", 0.79)
    assert [p.name for p in tmp_path.iterdir()] == ["rocviz-progress.json"]


def test_on_binder_the_line_to_keep_is_shown(path, monkeypatch):
    assert "Binder" not in check("tree_auc", 0.79).tally
    monkeypatch.setenv("BINDER_LAUNCH_HOST", "https://example.org/")
    assert check("lexicographic_auc", 0.62).tally.endswith("export_progress() returns.")
    assert progress().note.endswith('import_progress("tree_auc lexicographic_auc")')
