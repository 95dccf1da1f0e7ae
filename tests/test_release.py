"""Releases agree with their declarations: dependencies, versions, addresses, workflows, tools."""

import ast
import importlib
import json
import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import rocviz

#: Packages whose module has another name.
MODULE_OF = {"lazy-loader": "lazy_loader", "scikit-learn": "sklearn", "ipython": "IPython"}


@pytest.fixture(scope="module")
def settings(request):
    root = request.config.rootpath
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))


def modules_of(requirements):
    return {
        MODULE_OF.get(name, name)
        for name in (canonicalize_name(Requirement(each).name) for each in requirements)
    }


def test_imports_and_declared_dependencies_agree(root, settings):
    imported = set()
    for path in (root / "rocviz").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                imported.add(node.module.partition(".")[0])
    # mpl_toolkits is a part of matplotlib
    others = imported - set(sys.stdlib_module_names) - {"rocviz", "mpl_toolkits"}
    project = settings["project"]
    always = modules_of(project["dependencies"])
    sometimes = modules_of(
        [*project["optional-dependencies"]["parquet"], *project["optional-dependencies"]["dask"]]
    )
    assert always <= others <= always | sometimes


def test_the_conda_recipe_agrees_with_pyproject(root, settings):
    recipe = yaml.safe_load((root / "conda" / "recipe.yaml").read_text("utf-8"))
    assert recipe["context"]["version"] == rocviz.__version__
    needed = recipe["requirements"]
    spelt = {
        line.replace(" ", "").replace("matplotlib-base", "matplotlib") for line in needed["run"]
    }
    project = settings["project"]
    assert spelt == {f"python{project['requires-python']}", *project["dependencies"]}
    host = {line.replace(" ", "") for line in needed["host"]}
    assert set(settings["build-system"]["requires"]) <= host
    assert recipe["about"]["repository"] == project["urls"]["Repository"]
    assert recipe["about"]["license"] == project["license"]
    assert recipe["about"]["license_file"] == project["license-files"]


def test_addresses_are_those_of_pyproject_everywhere(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "tools")
    addresses = importlib.import_module("addresses")
    strange = [
        str(path.relative_to(root))
        for path in addresses.tracked()
        if addresses.corrected(path.read_text("utf-8")) != path.read_text("utf-8")
    ]
    assert strange == [], "run python tools/addresses.py --write"
    other = "https://github.com/pola-rs/polars and https://github.com/rocviz/rocviz-data"
    assert addresses.corrected(other) == other


def test_a_fork_changes_one_line(root, tmp_path):
    names = ["pyproject.toml", "README.md", "conda/recipe.yaml", "tools/addresses.py"]
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        text = (root / name).read_text("utf-8")
        if name == "pyproject.toml":
            text = re.sub("(?m)^Repository = .*", 'Repository = "https://github.com/a/b"', text)
        (tmp_path / name).write_text(text, "utf-8")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)
    script = [sys.executable, "tools/addresses.py"]
    assert subprocess.run(script, cwd=tmp_path).returncode == 1
    subprocess.run([*script, "--write"], cwd=tmp_path, check=True)
    subprocess.run(script, cwd=tmp_path, check=True)
    settings, readme, recipe, _ = ((tmp_path / name).read_text("utf-8") for name in names)
    urls = tomllib.loads(settings)["project"]["urls"]
    assert urls["Documentation"] == "https://a.github.io/b"
    assert urls["Issues"] == "https://github.com/a/b/issues"
    assert "https://mybinder.org/v2/gh/a/b/main?urlpath=" in readme
    assert "homepage: https://a.github.io/b" in recipe
    address = re.compile(
        r"(?:github\.com|gh|raw\.githubusercontent\.com)/rocviz/rocviz|rocviz\.github"
    )
    assert not any(address.search(text) for text in (settings, readme, recipe))


def test_workflows_call_existing_targets(root, settings):
    targets = set(re.findall(r"^([a-z-]+):.*##", (root / "Makefile").read_text("utf-8"), re.M))
    called = set()
    for path in (root / ".github" / "workflows").glob("*.yml"):
        flow = yaml.safe_load(path.read_text("utf-8"))
        assert flow["permissions"] == {"contents": "read"}
        for job in flow["jobs"].values():
            for step in job.get("steps", ()):
                called |= set(re.findall(r"^make ([a-z-]+)", step.get("run", "")))
    assert called == {"lint", "test", "test-lowest", "docs", "dist", "lite"} & targets
    versions = yaml.safe_load((root / ".github/workflows/tests.yml").read_text("utf-8"))
    minors = versions["jobs"]["linux"]["strategy"]["matrix"]["python"]
    declared = [c.rpartition(" ")[2] for c in settings["project"]["classifiers"] if ":: 3." in c]
    assert minors == declared


def test_releases_are_tested_and_use_pinned_actions(root):
    flows = {
        path.stem: yaml.safe_load(path.read_text("utf-8"))
        for path in (root / ".github" / "workflows").glob("*.yml")
    }
    for flow in flows.values():
        for job in flow["jobs"].values():
            for step in job.get("steps", ()):
                assert re.fullmatch(
                    r"[\w-]+/[\w-]+@[0-9a-f]{40}", step.get("uses", "a/b@" + 40 * "0")
                )
    jobs = flows["release"]["jobs"]
    assert jobs["tests"]["uses"] == "./.github/workflows/tests.yml"
    assert "workflow_call" in flows["tests"][True]  # YAML takes "on" for a truth value
    assert set(jobs["publish"]["needs"]) == {"tests", "build", "try"}
    # what is tried meets packages of others, what is published is made without them
    made, tried = ([step.get("run") for step in jobs[name]["steps"]] for name in ("build", "try"))
    assert "make dist TRY=no PYTHON=python" in made
    assert "make dist PYTHON=python" in tried
    watched = yaml.safe_load((root / ".github" / "dependabot.yml").read_text("utf-8"))
    kinds = {one["package-ecosystem"] for one in watched["updates"]}
    assert kinds == {"github-actions", "npm", "pip"}


def test_build_tools_are_locked_by_hashes(root, settings):
    text = (root / "constraints-build.txt").read_text("utf-8").replace("\\\n", "")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert all("--hash=sha256:" in line for line in lines)
    pins = {line.partition(" ")[0] for line in lines}
    needed = {Requirement(each).name for each in settings["build-system"]["requires"]}
    assert needed <= {pin.partition("==")[0] for pin in pins}
    assert pins <= set((root / "constraints.txt").read_text("utf-8").split())
    rule = (root / "Makefile").read_text("utf-8").partition("$(VENV)/.stamp-build:")[2]
    assert "--require-hashes -r constraints-build.txt" in rule.partition("\n\n")[0]
    # tests build wheels without a network
    assert {*settings["build-system"]["requires"]} <= {
        *settings["project"]["optional-dependencies"]["test"]
    }


def test_issue_forms_and_hooks_can_be_read(root):
    for path in (root / ".github" / "ISSUE_TEMPLATE").glob("*.yml"):
        form = yaml.safe_load(path.read_text("utf-8"))
        if path.stem != "config":
            assert {"name", "description", "body"} <= set(form)
    hooks = yaml.safe_load((root / ".pre-commit-config.yaml").read_text("utf-8"))
    ruff = hooks["repos"][0]
    locked = re.search(r"^ruff==(.*)$", (root / "constraints.txt").read_text("utf-8"), re.M)[1]
    assert ruff["rev"] == f"v{locked}"


def test_the_description_on_an_index_has_no_relative_link(root, settings):
    text = (root / "README.md").read_text("utf-8")
    for rule in settings["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"][
        "substitutions"
    ]:
        text = re.sub(rule["pattern"], rule["replacement"], text)
    targets = re.findall(r"\]\(([^)]*)\)", text)
    assert targets
    assert all(target.startswith("https://") for target in targets)
    for target in targets:
        place = re.fullmatch(r"https://[^/]+/[^/]+/[^/]+/(?:blob/)?main/(.+)", target)
        assert place is None or (root / place[1].partition("?")[0]).exists()


def test_a_chapter_in_the_browser_installs_rocviz_first(root, settings, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(root / "tools")
    lite = importlib.import_module("lite")
    chapter = next((root / "notebooks").glob("01*.ipynb"))
    book = json.loads(lite.prepared(chapter.read_text("utf-8")))
    install = book["cells"].pop(1)  # below the title, above all other code
    assert lite.INSTALL in install["source"]
    assert book["metadata"]["kernelspec"]["name"] == "python"
    assert book["cells"] == json.loads(chapter.read_text("utf-8"))["cells"]
    expected = modules_of(settings["project"]["dependencies"])
    # Pyodide brings these; the rest is installed by the first cell or comes with it
    brought = {
        "numpy",
        "scipy",
        "sklearn",
        "pandas",
        "matplotlib",
        "joblib",
        "IPython",
        "traitlets",
    }
    assert expected - brought <= set(lite.INSTALL.split())
    assert any(fault.startswith("no files/01") for fault in lite.faults(tmp_path, "x.whl"))


WITHOUT_PICTURES = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Missing())
import numpy as np
from sklearn.naive_bayes import GaussianNB
from rocviz import HullCalibratedClassifier, ProbabilisticScoringList, RankedSegments
from rocviz import auc_interval, brier_decomposition, compare_classifiers, core
from rocviz import optimal_decision
y, score = np.tile([0, 1], 20), np.linspace(0, 1, 40) ** np.tile([2, 1], 20)
assert RankedSegments.from_scores(y, score).auc > 0.5
auc_interval(y, score), brier_decomposition(y, score), optimal_decision(score, "f1")
compare_classifiers(y, {{"one": score, "other": 1 - score}}, n_resamples=0)
core.groups.cheapest_policy(y, score, np.repeat([0, 1], 20))
HullCalibratedClassifier(GaussianNB()).fit(score[:, None], y)
ProbabilisticScoringList().fit(np.c_[score > 0.5, score > 0.7].astype(int), y)
"""


def test_numbers_and_estimators_need_no_pictures_and_no_tables():
    pictures = {"pandas", "matplotlib", "ipywidgets", "bqplot", "IPython", "anywidget", "traitlets"}
    code = WITHOUT_PICTURES.format(missing=pictures)
    subprocess.run([sys.executable, "-c", code], check=True)
