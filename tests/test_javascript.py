"""The bundles in the package are built from js/src, and its unit tests pass."""

import hashlib
import json
import subprocess

import pytest


def sha256(path):
    return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()


def test_bundles_are_built_from_the_sources(root):
    folder = root / "rocviz" / "widgets" / "base" / "bundles"
    built = json.loads((folder / "sources.json").read_text("utf-8"))
    sources = {path.relative_to(root).as_posix() for path in (root / "js" / "src").glob("*.js")}
    assert built["sources"].keys() == sources, "run `make js`"
    stale = [name for name, digest in built["sources"].items() if sha256(root / name) != digest]
    assert stale == [], "run `make js`"
    assert built["bundles"].keys() == {path.name for path in folder.glob("*.js")}
    assert [n for n, digest in built["bundles"].items() if sha256(folder / n) != digest] == []


def test_esbuild_is_the_locked_one(root):
    built = json.loads((root / "rocviz/widgets/base/bundles/sources.json").read_text("utf-8"))
    lock = json.loads((root / "js" / "package-lock.json").read_text("utf-8"))
    assert built["esbuild"] == lock["packages"]["node_modules/esbuild"]["version"]


def test_the_unit_tests_pass(root):
    driver = pytest.importorskip("playwright._impl._driver")
    node, _launcher = driver.compute_driver_executable()
    tests = sorted(str(path) for path in (root / "js" / "tests").glob("*.test.js"))
    process = subprocess.run([node, "--test", *tests], capture_output=True, text=True, cwd=root)
    assert process.returncode == 0, process.stdout + process.stderr
