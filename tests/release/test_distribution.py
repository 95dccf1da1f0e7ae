"""Wheel and sdist hold what the repository has, and an installed wheel works by itself."""

import importlib
import json
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def dist(root):
    """The script behind ``make dist``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(root / "tools")
        yield importlib.import_module("dist")


@pytest.fixture(scope="module")
def built(dist, tmp_path_factory):
    """Wheel and sdist of the present sources, built once and without a network."""
    folder = tmp_path_factory.mktemp("dist")
    dist.build(folder)
    wheel, sdist = dist.built(folder)
    return {"wheel": wheel, "sdist": sdist}


@pytest.fixture(scope="module")
def tracked(dist):
    files = dist.tracked_files()
    if files is None:
        pytest.skip("this is no clone, or there is no git")
    return files


@pytest.mark.usefixtures("tracked")
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_what_is_built_is_what_the_repository_has(dist, built, kind):
    assert dist.faults(built[kind]) == []


def test_the_package_and_the_course_are_left_out_nowhere(dist, tracked, root):
    package = {name for name in tracked if name.startswith("rocviz/")}
    course = {name for name in tracked if name.startswith("notebooks/")}
    bundles = json.loads((root / "rocviz/widgets/base/bundles/sources.json").read_text("utf-8"))
    assert {f"rocviz/widgets/base/bundles/{name}" for name in bundles["bundles"]} <= package
    assert set(dist.expected("wheel", tracked).values()) == package | course
    assert package | course <= set(dist.expected("sdist", tracked).values())


def test_a_wheel_made_of_the_sdist_is_the_same(dist, built, tmp_path):
    with tarfile.open(built["sdist"]) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    dist.build(tmp_path, source=source, kinds=["wheel"])
    assert dist.contents(tmp_path / built["wheel"].name) == dist.contents(built["wheel"])


@pytest.mark.usefixtures("tracked")
def test_faults_of_a_wheel_are_found(dist, built, tmp_path):
    inside = dist.contents(built["wheel"])
    (about,) = [name for name in inside if name.endswith(".dist-info/METADATA")]
    inside[about] = b"Name: rocviz\n\n[see](docs/here.md)"
    del inside["rocviz/widgets/base/bundles/stage.js"], inside["rocviz/_notebooks/00_start_here.py"]
    inside["rocviz/__init__.py"] += b"\n"
    inside["tests/test_all.py"] = inside["rocviz/_notebooks/01_mine.ipynb"] = b""
    wheel = tmp_path / built["wheel"].name
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in inside.items():
            archive.writestr(name, content)
    assert [fault.partition(", which")[0] for fault in dist.faults(wheel)] == [
        "its description has links that lead nowhere on an index: ['](docs/here.md)']",
        "it lacks rocviz/_notebooks/00_start_here.py",
        "it lacks rocviz/widgets/base/bundles/stage.js",
        "rocviz/__init__.py differs from rocviz/__init__.py in the repository",
        "it holds rocviz/_notebooks/01_mine.ipynb",
        "it holds tests/test_all.py",
    ]


def test_a_folder_without_a_wheel_is_refused(dist, tmp_path):
    (tmp_path / "rocviz-1.tar.gz").touch()
    with pytest.raises(SystemExit, match=r"one wheel and one sdist .* \['rocviz-1\.tar\.gz'\]"):
        dist.built(tmp_path)


@pytest.fixture(scope="module")
def environment(dist, built, tmp_path_factory):
    """An environment with the wheel in it; its dependencies are those of the environment here.

    A line of a .pth file adds their folder behind the environment's own. The .pth file with which
    rocviz is installed for editing stands in that folder, where Python does not look for any.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    python = dist.program(folder, "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "--quiet", "install"]
    subprocess.run([*pip, "--no-index", "--no-deps", "--no-compile", built["wheel"]], check=True)
    own = {"base": str(folder), "platbase": str(folder)}
    places = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    added = Path(sysconfig.get_path("purelib", vars=own), "dependencies.pth")
    added.write_text("\n".join(sorted(places)), encoding="utf-8")
    return folder


def test_an_installed_wheel_works_by_itself(dist, environment, root, tmp_path):
    dist.use(environment, tmp_path)
    assert "<svg" in (tmp_path / "roc.svg").read_text("utf-8")
    player = (root / "rocviz/widgets/base/bundles/page.js").read_text("utf-8")
    assert player.strip() in (tmp_path / "page.html").read_text("utf-8")
    assert '<script id="explorer-page"' in (tmp_path / "report.html").read_text("utf-8")
    chapters = {path.name for path in (root / "notebooks").glob("*.ipynb")}
    assert chapters <= {path.name for path in (tmp_path / "course").iterdir()}


def test_a_rocviz_from_elsewhere_is_refused(dist, root, tmp_path):
    empty = tmp_path / "empty"
    venv.create(empty)
    own = {"base": str(empty), "platbase": str(empty)}
    places = [str(root), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    added = Path(sysconfig.get_path("purelib", vars=own), "elsewhere.pth")
    added.write_text("\n".join(places), encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError):
        dist.use(empty, tmp_path)
    assert not (tmp_path / "page.html").exists()
