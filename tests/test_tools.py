"""The scripts behind ``make``: each finds its requirements, or names the missing ones."""

import importlib
import os
import re
import shutil
import subprocess
import sys

import pytest
import traitlets

import rocviz

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="make and what it calls are for a POSIX shell"
)

BARE_PATH = "/usr/bin:/bin"


def program(folder, name, text="#!/bin/sh\nexit 0\n"):
    """Write a program and return its path."""
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def find_chromium(root):
    def run(*arguments, **environment):
        script = root / "tests" / "browser" / "find_chromium.py"
        return subprocess.run(
            [sys.executable, script, *arguments], env=environment, capture_output=True, text=True
        )

    return run


def test_a_named_browser_is_preferred(find_chromium, tmp_path):
    mine = program(tmp_path, "mine")
    _ = program(tmp_path, "chromium")
    assert find_chromium(PATH=str(tmp_path), ROCVIZ_BROWSER=mine).stdout.strip() == mine


def test_a_missing_named_browser_is_an_error(find_chromium, tmp_path):
    program(tmp_path, "chromium")
    process = find_chromium(PATH=str(tmp_path), ROCVIZ_BROWSER="/no/such/browser")
    assert process.returncode == 1
    assert "/no/such/browser is not a program" in process.stderr


@pytest.mark.parametrize("name", ["chromium", "google-chrome"])
def test_a_browser_on_the_path_is_found(find_chromium, tmp_path, name):
    path = program(tmp_path, name)
    assert find_chromium(PATH=str(tmp_path)).stdout.strip() == path


@pytest.mark.skipif(sys.platform == "darwin", reason="a Mac keeps browsers outside the PATH")
@pytest.mark.parametrize("arguments", [[], ["--install"]])
def test_a_missing_browser_without_an_installer_is_an_error(find_chromium, tmp_path, arguments):
    process = find_chromium(*arguments, PATH=str(tmp_path))
    assert process.returncode == 1
    assert process.stdout == ""
    assert "set ROCVIZ_BROWSER to its path" in process.stderr


@pytest.mark.skipif(sys.platform == "darwin", reason="a Mac keeps browsers outside the PATH")
def test_install_updates_the_package_lists_first(find_chromium, tmp_path):
    # A stand-in for apt-get that notes what it is asked and puts a browser where apt would.
    program(
        tmp_path,
        "apt-get",
        f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n'
        f'[ "$1" = update ] || {{ printf "#!/bin/sh\\n" > {tmp_path}/chromium; '
        f"/bin/chmod +x {tmp_path}/chromium; }}\n",
    )
    program(tmp_path, "sudo", '#!/bin/sh\nshift\n[ "$1" = true ] || exec "$@"\n')
    process = find_chromium("--install", PATH=str(tmp_path))
    assert process.stdout.strip() == str(tmp_path / "chromium")
    first, second = (tmp_path / "asked").read_text().splitlines()
    assert first.startswith("update")
    assert second.endswith("chromium")


@pytest.fixture
def find_python(root):
    def run(*arguments, path=BARE_PATH):
        return subprocess.run(
            ["/bin/sh", root / "tools" / "find_python.sh", *arguments],
            env={"PATH": path},
            capture_output=True,
            text=True,
        )

    return run


def test_the_present_python_is_accepted(find_python):
    assert find_python(sys.executable).stdout.strip() == sys.executable


def test_an_old_python_is_refused_by_name(find_python, tmp_path):
    old = program(tmp_path, "old", "#!/bin/sh\nexit 1\n")
    process = find_python(old)
    assert process.returncode == 1
    assert f"PYTHON={old} is not one" in process.stderr


def test_an_old_python3_does_not_hide_a_newer_one(find_python, tmp_path):
    program(tmp_path, "python3", "#!/bin/sh\nexit 1\n")
    newer = program(tmp_path, "python3.12", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    assert find_python(path=f"{tmp_path}").stdout.strip() == newer


def test_a_python_that_is_tested_is_preferred(find_python, tmp_path):
    ahead = '#!/bin/sh\ncase "$2" in *99*) exit 0;; *) exit 1;; esac\n'
    untested = program(tmp_path, "python3", ahead)
    assert find_python(path=f"{tmp_path}").stdout.strip() == untested
    tested = program(tmp_path, "python3.12", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    assert find_python(path=f"{tmp_path}").stdout.strip() == tested


def test_a_missing_python_is_an_error(find_python, tmp_path):
    process = find_python(path=str(tmp_path))
    assert process.returncode == 1
    assert "none was found" in process.stderr


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_make_alone_lists_the_targets(root):
    process = subprocess.run(
        ["make", "--no-print-directory"],
        cwd=root,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    listed = {line.split()[1] for line in process.stdout.splitlines()}
    assert {"lab", "test", "test-lowest", "docs", "pictures", "bench", "lint", "lock"} <= listed


def test_one_command_makes_every_picture_of_the_docs(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "tools")
    module = importlib.import_module("screenshots")
    pages = [*root.glob("docs/*.md"), root / "README.md"]
    text = "".join(p.read_text("utf-8") for p in pages)
    shown = set(re.findall(r"_static/([\w-]+)-light\.png", text))
    shown |= set(re.findall(r"^```\{explorer\} ([\w-]+)$", text, re.MULTILINE))
    # 100 random splits take minutes: benchmarks/scoring_list_figures.py draws that one
    assert shown == {*module.EXPLORERS, *module.DISPLAYS, "scoring-lists-coimbra"}
    kinds = {cell.split("ex = ")[1].split("(")[0] for cell in module.EXPLORERS.values()}
    assert kinds == {name for name in rocviz.__all__ if name.endswith("Explorer")}
    assert {path.name for path in (root / "docs" / "_static").glob("*.png")} == {
        f"{name}-{side}.png" for name in shown for side in ("light", "dark")
    }


def test_a_display_is_drawn_by_the_code_beside_its_picture(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "tools")
    module = importlib.import_module("screenshots")
    for page, kind in (module.DISPLAYS["lexicographic"], module.DISPLAYS["scoring-list-card"]):
        assert type(module.drawn_in(page, kind)).__name__ == kind
    assert not (root / "card.pdf").exists()


def test_what_explorers_say_of_their_inputs_is_up_to_date(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "tools")
    inputs = importlib.import_module("inputs")
    assert inputs.main(["--check"]) == 0, "run python tools/inputs.py"


def test_types_of_inputs_follow_their_traits(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "tools")
    inputs = importlib.import_module("inputs")

    class OtherExplorer(rocviz.ScoringListExplorer):
        lower = traitlets.Int(0, allow_none=True).tag(input=True)

    stub = inputs.stub_of(OtherExplorer)
    assert "class OtherInputs(TypedDict, total=False):" in stub
    assert "    lower: int | None\n" in stub
    assert "    answers: Sequence[int | None]\n" in stub
    assert "    focus: str | None\n" in stub
