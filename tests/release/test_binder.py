"""Binder gets the versions that are tested here, by the rules that repo2docker follows."""

import os
import re
import tomllib

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

pytestmark = pytest.mark.slow

IMAGE = {
    **{"python_version": "3.11", "python_full_version": "3.11.14", "sys_platform": "linux"},
    **{"os_name": "posix", "platform_system": "Linux", "platform_machine": "x86_64"},
    **{"implementation_name": "cpython", "platform_python_implementation": "CPython"},
}


def pins(path):
    """List {name: version} of the lines that apply to Binder's image."""
    results = {}
    for line in path.read_text("utf-8").splitlines():
        pinned, _, marker = line.partition("#")[0].partition(";")
        if pinned.strip() and (not marker or Marker(marker.strip()).evaluate(IMAGE)):
            name, version = pinned.strip().split("==")
            assert canonicalize_name(name) not in results
            results[canonicalize_name(name)] = version
    return results


@pytest.fixture
def pinned_for_binder(root):
    return pins(root / "binder" / "requirements.txt")


def test_pins_agree_with_the_lock(root, pinned_for_binder):
    locked = pins(root / "constraints.txt")
    assert pinned_for_binder.items() <= locked.items()


def test_binder_has_all_runtime_dependencies_and_no_tools(root, pinned_for_binder):
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    runtime = {
        canonicalize_name(Requirement(requirement).name) for requirement in project["dependencies"]
    }
    assert runtime <= pinned_for_binder.keys()
    tools = {"pytest", "hypothesis", "ruff", "mypy", "playwright", "sphinx", "nbval", "jupyterlab"}
    assert not tools & pinned_for_binder.keys()


def test_dependencies_can_be_installed_before_the_repository_is_copied(root):
    # repo2docker keeps that layer only if no line refers to a local file.
    text = (root / "binder" / "requirements.txt").read_text("utf-8")
    assert not re.search(r"^\s*(-|\.|.*/)", text.replace("`make lock`", ""), re.MULTILINE)


def test_the_image_has_a_supported_python(root):
    runtime = (root / "binder" / "runtime.txt").read_text("utf-8").strip()
    assert re.fullmatch(r"python-3\.\d+", runtime)
    assert runtime == f"python-{IMAGE['python_version']}"


def test_post_build_can_be_run(root):
    assert os.access(root / "binder" / "postBuild", os.X_OK)
    assert not (root / ".binder").exists()


def test_the_badge_opens_a_page_that_exists(root):
    readme = (root / "README.md").read_text("utf-8")
    (opened,) = set(re.findall(r"mybinder\.org/v2/[^)\s]*urlpath=lab/tree/([^)\s]+)", readme))
    assert (root / opened).is_file()


@pytest.mark.parametrize("name", ["constraints.txt", "constraints-lowest.txt"])
def test_locks_hold_pins_and_no_addresses(root, name):
    text = (root / name).read_text("utf-8")
    assert "://" not in text
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(re.match(r"[\w.-]+==[\w.+!]+( ; .+)?$", line) for line in lines)


def test_the_lowest_lock_is_the_lowest_that_pyproject_allows(root):
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    locked = pins(root / "constraints-lowest.txt")
    for dependency in map(Requirement, project["dependencies"]):
        (lowest,) = [
            specifier.version for specifier in dependency.specifier if specifier.operator == ">="
        ]
        assert Version(locked[canonicalize_name(dependency.name)]) == Version(lowest)
