"""The command line: finds the course, copies it, never overwrites, starts the right program."""

import importlib.util
import runpy
import sys

import pytest

import rocviz
from rocviz import cli


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A package folder as an installed wheel lays it out, with a course of two notebooks."""
    package = tmp_path / "site-packages" / "rocviz"
    notebooks = package / "_notebooks"
    notebooks.mkdir(parents=True)
    for name in (cli.START, "01_first.ipynb", "01_first.md"):
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
    (installed / cli.START).unlink()
    assert cli.main(["notebooks", "mine"]) == 1
    assert "does not include the notebooks" in capsys.readouterr().err


def test_copy(installed, tmp_path, capsys):
    assert cli.main(["notebooks", "mine"]) == 0
    copied = {path.name for path in (tmp_path / "mine").iterdir()}
    assert copied == {cli.START, "01_first.ipynb", "01_first.md", cli.MARK}
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


def test_copy_refuses_to_overwrite(installed, tmp_path, capsys):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / cli.START).write_text("my answers")
    assert cli.main(["notebooks", "mine"]) == 1
    assert "exists already" in capsys.readouterr().err
    assert (tmp_path / "mine" / cli.START).read_text() == "my answers"
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
    assert {"lab": cli.START, "app": cli.GALLERY}[command] in printed
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


@pytest.mark.parametrize(("found", "name"), [(None, "01"), ("lab", "07")])
def test_nothing_is_copied_if_the_course_cannot_be_opened(
    installed, tmp_path, monkeypatch, found, name
):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: found)
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
    (mine / cli.START).write_text("my answers")
    assert "another version" not in capsys.readouterr().out
    assert cli.main(["lab"]) == 0
    assert "another version" not in capsys.readouterr().out
    (installed / "01_first.ipynb").write_text("{ }")
    assert cli.main(["lab"]) == 0
    assert "is the course of another version of rocviz. Rename" in capsys.readouterr().out
    (mine / "01_first.ipynb").unlink()
    assert cli.main(["lab"]) == 0
    assert "another version of rocviz and lacks 01_first.ipynb. Rename" in capsys.readouterr().out
    assert (mine / cli.START).read_text() == "my answers"
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
