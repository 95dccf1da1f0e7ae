"""The command line: finds the course, copies it, never overwrites, starts the right program."""

import importlib.util
import os
import runpy
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import rocviz
from rocviz import cli


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package folder as an installed wheel lays it out, with a course of two notebooks."""
    package = tmp_path / "site-packages" / "rocviz"
    notebooks = package / "_notebooks"
    notebooks.mkdir(parents=True)
    for name in (cli.START_CHAPTER, "01_first.ipynb", "01_first.md"):
        (notebooks / name).write_text("{}")
    (notebooks / ".ipynb_checkpoints").mkdir()
    monkeypatch.setattr(rocviz, "__file__", str(package / "__init__.py"))
    monkeypatch.chdir(tmp_path)
    return notebooks


def test_the_course_of_a_checkout_is_found(root):
    assert cli.course() == root / "notebooks"


def test_an_installed_course_is_found(installed):
    assert cli.course() == installed


def test_a_missing_course_is_reported(installed, capsys):
    (installed / cli.START_CHAPTER).unlink()
    assert cli.main(["notebooks", "mine"]) == 1
    assert "does not include the notebooks" in capsys.readouterr().err


def test_copy(installed, tmp_path, capsys):
    assert cli.main(["notebooks", "mine"]) == 0
    copied = {path.name for path in (tmp_path / "mine").iterdir()}
    assert copied == {cli.START_CHAPTER, "01_first.ipynb", "01_first.md", cli.COURSE_MARK_FILE}
    assert str(tmp_path / "mine") in capsys.readouterr().out


def test_a_copy_is_writable_and_has_no_progress(installed, tmp_path):
    (installed / "rocviz-progress.json").write_text("{}")
    for path in (*installed.glob("*.ipynb"), installed):
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        assert cli.main(["notebooks", "mine"]) == 0
    finally:
        installed.chmod(0o755)
    mine = tmp_path / "mine"
    assert all(path.stat().st_mode & 0o200 for path in (mine, *mine.iterdir()))
    assert not (mine / "rocviz-progress.json").exists()


def test_without_a_command_the_help_is_printed(capsys):
    assert cli.main([]) == 0
    assert "open the course in JupyterLab" in capsys.readouterr().out


def test_jupyterlab_s_news_are_switched_off(installed, monkeypatch, root):
    from jupyterlab.labapp import LabApp
    from jupyterlab_server.settings_utils import _get_overrides

    ran = []
    monkeypatch.setattr(rocviz, "__file__", str(root / "rocviz" / "__init__.py"))
    monkeypatch.setattr(runpy, "run_module", lambda *_, **__: ran.append(sys.argv[1:]))
    monkeypatch.setattr(sys, "argv", ["rocviz"])
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "elsewhere")
    assert cli.main(["lab", "--no-browser"]) == 0
    settings, error = _get_overrides("")
    assert error == ""
    assert settings["@jupyterlab/apputils-extension:notification"] == {"fetchNews": "false"}
    app = LabApp()
    app.parse_command_line(ran[0])
    hidden = app.config["ContentsManager"]["hide_globs"]
    assert "[0-9][0-9]_*.py" in hidden


def test_a_lecture_of_another_kind_or_without_a_folder_is_refused(tmp_path, capsys):
    assert cli.main(["lecture", "-o", str(tmp_path / "lecture.pdf")]) == 1
    assert "--output must end in .html; got 'lecture.pdf'." in capsys.readouterr().err
    assert cli.main(["lecture", "-o", str(tmp_path / "none" / "lecture.html")]) == 1
    assert "there is no folder" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_lecture_is_written_in_large_type(tmp_path, capsys):
    path = tmp_path / "lecture.html"
    assert cli.main(["lecture", "-o", str(path)]) == 0
    assert f"The lecture is in {path}" in capsys.readouterr().out
    assert path.stat().st_size > 500_000
    assert not rocviz.get_theme().lecture


def test_copy_refuses_to_overwrite(installed, tmp_path, capsys):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / cli.START_CHAPTER).write_text("my answers")
    assert cli.main(["notebooks", "mine"]) == 1
    assert "exists already" in capsys.readouterr().err
    assert (tmp_path / "mine" / cli.START_CHAPTER).read_text() == "my answers"
    assert len(list((tmp_path / "mine").iterdir())) == 1


def test_lab_works_on_a_copy_of_an_installed_course(installed, tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(sys, "argv", ["rocviz"])
    monkeypatch.setattr(runpy, "run_module", lambda module, **_: ran.append([module, *sys.argv]))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    assert cli.main(["lab", "01", "--port", "9999", "--no-browser"]) == 0
    (tmp_path / "rocviz-notebooks" / "01_first.ipynb").write_text("my answers")
    assert cli.main(["lab", "01"]) == 0
    assert (tmp_path / "rocviz-notebooks" / "01_first.ipynb").read_text() == "my answers"
    module, program, notebook, *rest = ran[0]
    assert module == program == "jupyterlab"
    assert notebook.endswith("01_first.ipynb")
    assert {"--port=9999", "--no-browser"} <= set(rest)
    # so that the address it prints opens the notebook
    assert "--LabApp.default_url=/lab/tree/01_first.ipynb" in rest


@pytest.mark.parametrize(("command", "module"), [("lab", "jupyterlab"), ("app", "voila")])
def test_dry_run_names_the_start_page_and_writes_nothing(
    installed, tmp_path, monkeypatch, capsys, command, module
):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    before = sorted(tmp_path.rglob("*"))
    assert cli.main([command, "--dry-run"]) == 0
    printed = capsys.readouterr().out
    assert f"-m {module}" in printed
    assert {"lab": cli.START_CHAPTER, "app": cli.GALLERY_NOTEBOOK}[command] in printed
    assert sorted(tmp_path.rglob("*")) == before


def test_the_app_is_served_on_local_names_only(installed, tmp_path, monkeypatch):
    from voila.app import Voila

    ran = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(runpy, "run_module", lambda *_, **__: ran.append(sys.argv[1:]))
    assert cli.main(["app", "--no-browser"]) == 0
    server = Voila()
    server.parse_command_line(ran[0])
    # the server of Jupyter requires it before it checks the name of the host
    assert not server.tornado_settings["allow_remote_access"]


@pytest.mark.parametrize("command", ["lab", "app"])
def test_no_address_and_no_token_are_set(installed, monkeypatch, capsys, command):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    assert cli.main([command, "--dry-run", "--no-browser", "--port=9999"]) == 0
    printed = capsys.readouterr().out.lower()
    for word in ("--ip", ".token", ".password", ".allow_origin"):
        assert word not in printed


@pytest.mark.parametrize("port", ["99999999", "-1", "x"])
def test_an_invalid_port_is_refused(installed, capsys, port):
    with pytest.raises(SystemExit):
        cli.main(["app", f"--port={port}", "--dry-run"])
    assert "--port" in capsys.readouterr().err


def test_a_missing_program_names_the_extra(installed, monkeypatch, capsys):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert cli.main(["app", "--dry-run"]) == 1
    assert 'pip install "rocviz[app]"' in capsys.readouterr().err


@pytest.mark.parametrize("command", ["lab", "app"])
def test_the_hint_without_installing_is_a_whole_command(monkeypatch, capsys, tmp_path, command):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert cli.main([command]) == 1
    assert f'uvx --from "rocviz[{command}]" rocviz {command}\n' in capsys.readouterr().err


@pytest.mark.parametrize(("spec", "name"), [(None, "01"), ("lab", "07")])
def test_nothing_is_copied_if_the_course_cannot_be_opened(
    installed, tmp_path, monkeypatch, spec, name
):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: spec)
    assert cli.main(["lab", name]) == 1
    assert not (tmp_path / "rocviz-notebooks").exists()


def test_a_folder_that_cannot_be_written_to(installed, monkeypatch, capsys):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(cli.shutil, "copyfile", refuse)
    assert cli.main(["lab"]) == 1
    message = capsys.readouterr().err
    assert "cannot be copied to" in message
    assert "(Permission denied)" in message
    assert "rocviz notebooks FOLDER" in message


def test_a_course_of_another_version_is_reported(installed, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(runpy, "run_module", lambda *_, **__: None)
    monkeypatch.setattr(sys, "argv", ["rocviz"])
    assert cli.main(["lab"]) == 0
    mine = tmp_path / "rocviz-notebooks"
    (mine / cli.START_CHAPTER).write_text("my answers")
    assert "another version" not in capsys.readouterr().out
    assert cli.main(["lab"]) == 0
    assert "another version" not in capsys.readouterr().out
    (installed / "01_first.ipynb").write_text("{ }")
    assert cli.main(["lab"]) == 0
    assert "is the course of another version of rocviz. Rename" in capsys.readouterr().out
    (mine / "01_first.ipynb").unlink()
    assert cli.main(["lab"]) == 0
    assert "another version of rocviz and lacks 01_first.ipynb. Rename" in capsys.readouterr().out
    assert (mine / cli.START_CHAPTER).read_text() == "my answers"
    assert not (mine / "01_first.ipynb").exists()


def test_a_user_s_notebook_is_opened_in_its_place(installed, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    (tmp_path / "my notes.ipynb").write_text("{}")
    assert cli.main(["lab", "my notes.ipynb", "--dry-run"]) == 0
    assert "default_url=/lab/tree/my%20notes.ipynb" in capsys.readouterr().out


def test_an_unknown_notebook_lists_the_known_ones(installed, capsys):
    assert cli.main(["lab", "07", "--dry-run"]) == 1
    message = capsys.readouterr().err
    assert "'07' matches 0 notebooks" in message
    assert "01_first.ipynb" in message


@pytest.mark.parametrize("name", ["1", "01", "001", "01_first", "01_first.ipynb", "01_first.py"])
def test_a_chapter_is_found_by_its_number_and_its_name(installed, name):
    for other in ("10_tenth.ipynb", "11_eleventh.ipynb"):
        (installed / other).write_text("{}")
    assert cli.find_notebook(installed, name).name == "01_first.ipynb"
    assert cli.find_notebook(installed, "11").name == "11_eleventh.ipynb"
    assert cli.find_notebook(installed, "0").name == cli.START_CHAPTER
    with pytest.raises(ValueError, match="'2' matches 0 notebooks"):
        cli.find_notebook(installed, "2")
    with pytest.raises(ValueError, match="'1_' matches 0 notebooks"):
        cli.find_notebook(installed, "1_")


def test_every_chapter_is_found_by_its_number(root):
    chapters = sorted((root / "notebooks").glob("[0-9]*.ipynb"))
    assert len(chapters) > 11
    for path in chapters:
        number = int(path.name.split("_")[0])
        for name in (str(number), f"{number:02}", path.name):
            assert cli.find_notebook(path.parent, name) == path


def test_an_exact_name_wins_over_a_beginning(tmp_path):
    for name in ("01.ipynb", "01.ipynb.old.ipynb"):
        (tmp_path / name).write_text("{}")
    assert cli.find_notebook(tmp_path, "01.ipynb").name == "01.ipynb"


@pytest.mark.parametrize("arguments", [["--help"], ["lab", "--help"], ["--version"]])
def test_help_and_version(arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 0
    assert "rocviz" in capsys.readouterr().out


# ------------------------------------------------------------------ a clone


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """A clone as Git lays it out, with a course of two notebooks; the user is in it."""
    root = tmp_path / "clone"
    for name in ("rocviz", "notebooks", "elsewhere"):
        (root / name).mkdir(parents=True)
    for name in (cli.START_CHAPTER, "01_first.ipynb", "01_first.py", cli.PROGRESS_FILE):
        (root / "notebooks" / name).write_text("{}")
    monkeypatch.setattr(rocviz, "__file__", str(root / "rocviz" / "__init__.py"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def opened(monkeypatch):
    """The notebooks that were opened, as whole paths; each is changed, as a user does."""
    paths = []

    def run(*_, **__):
        paths.append(Path(sys.argv[1]).resolve())
        paths[-1].write_text("my answers")

    monkeypatch.setattr(runpy, "run_module", run)
    monkeypatch.setattr(sys, "argv", ["rocviz"])
    return paths


@pytest.mark.parametrize("command", ["lab", "app"])
@pytest.mark.parametrize("name", ["01", "notebooks/01_first.ipynb"])
def test_tracked_notebooks_are_never_changed(clone, opened, capsys, command, name):
    copy = clone / "rocviz-notebooks"
    assert cli.main([command, name]) == 0
    assert opened == [copy / "01_first.ipynb"]
    assert f"copied to {copy}" in capsys.readouterr().out
    assert cli.main([command, name]) == 0
    assert f"Your copy of the course is in {copy}." in capsys.readouterr().out
    assert opened == [copy / "01_first.ipynb"] * 2
    assert (copy / "01_first.ipynb").read_text() == "my answers"
    assert not (copy / cli.PROGRESS_FILE).exists()
    assert {path.read_text() for path in (clone / "notebooks").iterdir()} == {"{}"}


def test_among_the_tracked_notebooks_the_copy_stands_beside_them(clone, opened, monkeypatch):
    monkeypatch.chdir(clone / "notebooks")
    assert cli.main(["lab", "01_first.ipynb"]) == 0
    assert opened == [clone / "rocviz-notebooks" / "01_first.ipynb"]
    # and in the copy this is used
    monkeypatch.chdir(clone / "rocviz-notebooks")
    assert cli.main(["lab", "0"]) == 0
    assert opened[1] == clone / "rocviz-notebooks" / cli.START_CHAPTER
    monkeypatch.chdir(clone / "elsewhere")
    assert cli.main(["lab", "0"]) == 0
    assert opened[2] == clone / "elsewhere" / "rocviz-notebooks" / cli.START_CHAPTER


def test_a_dry_run_in_a_clone_names_the_copy(clone, capsys):
    assert cli.main(["lab", "1", "--dry-run"]) == 0
    assert f"{Path('rocviz-notebooks', '01_first.ipynb')} " in capsys.readouterr().out
    assert not (clone / "rocviz-notebooks").exists()


def test_git_ignores_the_copy(root):
    git = shutil.which("git")
    if git is None or not (root / ".git").exists():
        pytest.skip("this is no clone, or there is no Git")
    for name in ("rocviz-notebooks/01_first.ipynb", "docs/rocviz-notebooks/.rocviz-course"):
        assert subprocess.run([git, "check-ignore", "-q", name], cwd=root).returncode == 0, name


def test_a_file_in_the_place_of_the_copy_is_left_alone(clone, opened, capsys):
    (clone / "rocviz-notebooks").write_text("mine")
    assert cli.main(["lab"]) == 1
    assert "rocviz-notebooks is not a folder" in capsys.readouterr().err
    assert (clone / "rocviz-notebooks").read_text() == "mine"
    assert opened == []


def test_a_course_that_cannot_be_copied_whole_is_not_copied(clone, opened, monkeypatch, capsys):
    copyfile = shutil.copyfile
    copied = []

    def fills_the_disk(source, target):
        if copied:
            raise OSError(28, "No space left on device", str(source))
        copied.append(copyfile(source, target))

    before = sorted(clone.rglob("*"))
    monkeypatch.setattr(cli.shutil, "copyfile", fills_the_disk)
    assert cli.main(["lab"]) == 1
    assert "(No space left on device)" in capsys.readouterr().err
    assert sorted(clone.rglob("*")) == before
    assert opened == []


# ------------------------------------------------------------------ standard streams, interrupts


PREDICTIONS_CSV = "y,s\n" + "1,.9\n0,.1\n1,.4\n0,.6\n" * 5
#: Commands of every kind that end at once.
COMMANDS = {
    "help": [],
    "version": ["--version"],
    "lab": ["lab", "--dry-run"],
    "app": ["app", "--dry-run"],
    "notebooks": ["notebooks", "mine"],
    "refusal": ["report", "no such file.csv", "--label", "y"],
    "usage": ["report"],
}
#: Their exit status where all streams work.
STATUS = dict.fromkeys(COMMANDS, 0) | {"refusal": 1, "usage": 2}
SHELL = shutil.which("sh")
needs_shell = pytest.mark.skipif(SHELL is None or os.name != "posix", reason="needs a shell")


def in_shell(line, folder, root):
    """Run a line of the shell in which ``$rocviz`` is the command; return status and messages."""
    environment = {**os.environ, "PYTHONPATH": str(root), "rocviz": f"{sys.executable} -m rocviz"}
    done = subprocess.run(
        [SHELL, "-c", line], cwd=folder, env=environment, capture_output=True, timeout=120
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.mark.slow
@needs_shell
@pytest.mark.parametrize("streams", [">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("name", COMMANDS)
def test_closed_streams_are_no_failure(tmp_path, root, name, streams):
    words = " ".join(f"'{word}'" for word in COMMANDS[name])
    status, out, err = in_shell(f"$rocviz {words} {streams}", tmp_path, root)
    assert status == STATUS[name]
    assert "Traceback" not in out + err
    assert "rror" not in err.replace("rocviz report: error: the following", "")
    assert (tmp_path / "mine").exists() == (name == "notebooks")


@needs_shell
@pytest.mark.parametrize("name", ["help", "version", "lab", "notebooks"])
def test_a_reader_who_leaves_is_no_failure(tmp_path, root, name):
    words = " ".join(COMMANDS[name])
    # the reader has left before anything is written
    line = f"( sleep 0.01; $rocviz {words}; echo $? > status ) | true"
    _, out, err = in_shell(line, tmp_path, root)
    assert (out, err) == ("", "")
    assert (tmp_path / "status").read_text() == "0\n"
    assert (tmp_path / "mine").exists() == (name == "notebooks")


@needs_shell
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
@pytest.mark.parametrize("name", ["help", "version", "lab", "notebooks"])
def test_an_output_that_is_full_is_reported(tmp_path, root, name):
    status, _, err = in_shell(f"$rocviz {' '.join(COMMANDS[name])} > /dev/full", tmp_path, root)
    assert status == 1
    assert err == "rocviz: the standard output cannot be written: No space left on device\n"


@pytest.mark.slow
@needs_shell
@pytest.mark.parametrize("streams", [">&- 2>&-", "2>&1 | true"])
def test_a_report_is_written_whatever_becomes_of_the_messages(tmp_path, root, streams):
    (tmp_path / "a.csv").write_text(PREDICTIONS_CSV)
    line = f"( $rocviz report a.csv --label y -o page.md; echo $? > status ) {streams}"
    _, out, err = in_shell(line, tmp_path, root)
    assert "Traceback" not in out + err
    assert (tmp_path / "status").read_text() == "0\n"
    written = (tmp_path / "page.md").read_text("utf-8")
    assert written.startswith(r"# Evaluation of a\.csv")
    assert "Scores:" not in written  # a message that went into a file with the number of a stream
    assert (tmp_path / "a.csv").read_text() == PREDICTIONS_CSV


@needs_shell
def test_a_closed_input_is_empty(tmp_path, root):
    status, out, err = in_shell("$rocviz report - --label y <&-", tmp_path, root)
    assert (status, out) == (1, "")
    assert err.replace("\r", "\n").split("\n")[-2].strip() == "rocviz: the standard input is empty."


def test_missing_streams_in_a_program_without_a_terminal(installed, monkeypatch):
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert cli.main(["notebooks", "mine"]) == 0
    assert cli.main(["notebooks", "mine"]) == 1
    assert cli.main(["report", "-", "--label", "y"]) == 1
    assert (sys.stdin, sys.stdout, sys.stderr) == (None, None, None)


def test_letters_that_a_terminal_does_not_know_are_escaped(tmp_path, root):
    (tmp_path / "Übung").mkdir()
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "rocviz", "notebooks", "mine"]
    done = subprocess.run(
        command, cwd=tmp_path / "Übung", env=environment, capture_output=True, check=True
    )
    assert b"\\xdcbung" in done.stdout
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("command", "stops"),
    [
        (["notebooks", "mine"], "rocviz.cli.shutil.copyfile"),
        (["lab"], "rocviz.cli.shutil.copyfile"),
        (["lab"], "runpy.run_module"),
        (["app"], "runpy.run_module"),
        (["report", "a.csv", "--label", "y"], "pandas.read_csv"),
        (["report", "a.csv", "--label", "y"], "rocviz.report.command.evaluation_report"),
        ([], "argparse.ArgumentParser.print_help"),
    ],
)
def test_an_interrupt_is_one_line(installed, tmp_path, monkeypatch, capsys, command, stops):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    monkeypatch.setattr(sys, "argv", ["rocviz"])
    (tmp_path / "a.csv").write_text(PREDICTIONS_CSV)
    if "report" in command:
        import rocviz.report.command  # noqa: F401 - so that it can be replaced
    with monkeypatch.context() as patched:
        patched.setattr(stops, interrupt)
        assert cli.main(command) == 130
    lines = capsys.readouterr().err.replace("\r", "\n").splitlines()
    assert lines[-1] == "rocviz: interrupted"
    assert not (tmp_path / "mine").exists()
    assert not (tmp_path / "report.html").exists()


@pytest.mark.skipif(os.name != "posix", reason="sends the signal of the terminal")
def test_an_interrupted_process_ends_with_130(tmp_path, root):
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    environment = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-m", "rocviz", "report", "pipe.csv", "--label", "y"]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE)
    with open(pipe, "w"):  # returns when the command waits for its input
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=120)[1].decode()
    assert process.returncode == 130
    assert "Traceback" not in err
    assert err.replace("\r", "\n").splitlines()[-1] == "rocviz: interrupted"
