"""Releases agree with their declarations: dependencies, versions, addresses, workflows, tools."""

import ast
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import rocviz

pytestmark = pytest.mark.slow

#: Packages whose module has another name.
MODULE_OF = {
    "ipython": "IPython",
    "lazy-loader": "lazy_loader",
    "markdown-it-py": "markdown_it",
    "scikit-learn": "sklearn",
    "tomli-w": "tomli_w",
}


@pytest.fixture(scope="module")
def settings(request):
    root = request.config.rootpath
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))


def names_of(requirements):
    return {canonicalize_name(Requirement(requirement).name) for requirement in requirements}


def modules_of(requirements):
    return {MODULE_OF.get(name, name) for name in names_of(requirements)}


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
    where_installed = {"zstandard"}  # else pyarrow reads them, or an error says what to do
    inherited = {"ipywidgets"}  # through anywidget; its bound is that of insides in use
    assert always - inherited <= others <= always | sometimes | where_installed


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


@pytest.fixture(scope="module")
def flows(request):
    """Every workflow by the name of its file."""
    folder = request.config.rootpath / ".github" / "workflows"
    return {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in folder.glob("*.yml")}


needs_make = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


def steps_of(flow):
    """List every step of a workflow."""
    steps = []
    for job in flow["jobs"].values():
        steps.extend(job.get("steps", ()))
    return steps


def targets_of(flow):
    """Collect the targets of make that a workflow calls."""
    lines = []
    for step in steps_of(flow):
        lines.extend(step.get("run", "").splitlines())
    return {line.split()[1] for line in lines if line.startswith("make ")}


def plan_of(root, target):
    """List what make would run for a target."""
    plan = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", target],
        cwd=root,
        env={"PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=True,
    )
    return plan.stdout


@needs_make
def test_every_test_is_run_by_make_test_or_by_make_test_slow(root):
    quick, slow = [plan_of(root, target).splitlines()[-1] for target in ("test", "test-slow")]
    assert quick.endswith(' -m "not slow"')
    assert slow == quick.replace('"not slow"', "slow")


@needs_make
def test_before_a_merge_runs_what_make_check_all_runs(root, flows):
    checks = re.findall(r"^make ([a-z-]+)$", plan_of(root, "check-all"), re.MULTILINE)
    assert len(checks) == len(set(checks))
    before_a_merge = [flow for flow in flows.values() if "pull_request" in events_of(flow)]
    assert set(checks) == set().union(*map(targets_of, before_a_merge))
    targets = set(re.findall(r"^([a-z-]+):.*##", (root / "Makefile").read_text("utf-8"), re.M))
    assert set().union(*map(targets_of, flows.values())) <= targets


def events_of(flow):
    """Collect the events that start a workflow; YAML takes its key "on" for a truth value."""
    return set(flow[True])


def test_every_supported_python_is_tested(flows, settings):
    minors = flows["tests"]["jobs"]["linux"]["strategy"]["matrix"]["python"]
    declared = [c.rpartition(" ")[2] for c in settings["project"]["classifiers"] if ":: 3." in c]
    assert minors == declared


@pytest.mark.skipif(sys.platform == "win32", reason="workflows run it in a POSIX shell")
@pytest.mark.parametrize(
    ("results", "passes"),
    [
        ("success success", True),
        ("success failure success", False),
        ("cancelled success", False),
        ("success skipped", False),
    ],
)
def test_one_check_stands_for_all_others(flows, results, passes):
    jobs = flows["tests"]["jobs"]
    gate = jobs["gate"]
    assert gate["if"] == "always()"
    assert set(gate["needs"]) == set(jobs) - {"gate"}
    (step,) = gate["steps"]
    assert step["env"] == {"RESULTS": "${{ join(needs.*.result, ' ') }}"}
    status = subprocess.run(["bash", "-e", "-c", step["run"]], env={"RESULTS": results}).returncode
    assert (status == 0) == passes


def test_workflows_have_pinned_actions_and_few_rights(flows):
    for name, flow in flows.items():
        assert flow["permissions"] == {"contents": "read"}
        # a workflow that another calls must not wait for the group that the caller is in
        assert flow["concurrency"]["group"] == f"{name}-${{{{ github.ref }}}}"
        assert all("timeout-minutes" in job or "uses" in job for job in flow["jobs"].values())
        for step in steps_of(flow):
            action, _, commit = step.get("uses", f"@{'0' * 40}").partition("@")
            assert re.fullmatch("[0-9a-f]{40}", commit)
            if action == "actions/checkout":
                assert step["with"]["persist-credentials"] is False


def test_only_runs_that_write_nothing_elsewhere_are_broken_off(flows):
    broken_off = {name: flow["concurrency"]["cancel-in-progress"] for name, flow in flows.items()}
    assert broken_off["release"] is False
    assert broken_off["docs"] == "${{ github.event_name == 'pull_request' }}"
    for name in broken_off.keys() - {"release", "docs"}:
        jobs = flows[name]["jobs"].values()
        assert not any("permissions" in job or "environment" in job for job in jobs)


def test_what_is_published_is_what_was_tried(flows):
    jobs = flows["release"]["jobs"]
    assert jobs["tests"]["uses"] == "./.github/workflows/tests.yml"
    assert "workflow_call" in events_of(flows["tests"])
    assert set(jobs["publish"]["needs"]) == {"tests", "build", "try"}
    assert jobs["try"]["needs"] == "build"

    def places(job, action):
        """List the steps of a job with this action, by what they are to do."""
        steps = [step for step in jobs[job]["steps"] if action in step.get("uses", "")]
        return [step["with"] for step in steps]

    (kept,) = places("build", "actions/upload-artifact")
    for job in ("try", "publish", "announce"):
        assert places(job, "actions/download-artifact") == [{"name": kept["name"], "path": "dist"}]
    run = {}
    for name, job in jobs.items():
        run[name] = [step.get("run") for step in job.get("steps", ())]
    # only what is locked by hashes is installed where it is built, and nothing is built elsewhere
    assert "make dist TRY=no PYTHON=python" in run["build"]
    assert run["try"][-1] == "make dist BUILD=no PYTHON=python"
    builds = [name for name, lines in run.items() if "TRY=no" in str(lines)]
    assert builds == ["build"]


def test_only_make_lock_raises_what_is_locked(root, flows):
    watched = yaml.safe_load((root / ".github" / "dependabot.yml").read_text("utf-8"))["updates"]
    # of Python's packages it would raise the lowest versions, and one lock without the others
    assert {update["package-ecosystem"] for update in watched} == {"github-actions", "npm"}
    assert "lock" in targets_of(flows["newest"])
    assert "schedule" in events_of(flows["newest"])


@pytest.fixture
def release_notes(root, monkeypatch):
    monkeypatch.syspath_prepend(root / "tools")
    return importlib.import_module("release_notes")


CHANGELOG_TEXT = """# Changelog

## 1.1.0 (unreleased)

- Not yet.

## 1.0.1 (2026-03-01)

### Numbers

- One.

## 1.0.0 (2026-02-01)
"""


def test_the_notes_of_a_release_are_its_section(release_notes):
    assert release_notes.notes(CHANGELOG_TEXT, "1.0.1") == "### Numbers\n\n- One.\n"


@pytest.mark.parametrize(
    ("version", "message"),
    [
        ("1.1.0", r"has no date; its heading: 1\.1\.0 \(unreleased\)"),
        ("1.0", "no section about 1.0"),
        ("1.0.0", "is empty"),
    ],
)
def test_a_version_without_notes_is_not_released(release_notes, version, message):
    with pytest.raises(ValueError, match=message):
        release_notes.notes(CHANGELOG_TEXT, version)


def test_the_present_version_has_a_section(root, release_notes):
    changelog = (root / "CHANGELOG.md").read_text("utf-8").replace("(unreleased)", "(2026-01-01)")
    assert "\n## " not in release_notes.notes(changelog, rocviz.__version__)


def test_notes_are_asked_for_before_anything_is_published(flows):
    jobs = flows["release"]["jobs"]
    tool = 'tools/release_notes.py "${GITHUB_REF_NAME#v}"'
    assert any(tool in step.get("run", "") for step in jobs["build"]["steps"])
    written = [step["run"] for step in jobs["announce"]["steps"] if tool in step.get("run", "")]
    place = written[0].rpartition("> ")[2]
    assert f"--notes-file {place}" in jobs["announce"]["steps"][-1]["run"]


def test_one_sentence_says_everywhere_what_rocviz_is(root, settings):
    summary = settings["project"]["description"]
    assert f"\n**{summary}.**\n" in (root / "README.md").read_text("utf-8")
    recipe = yaml.safe_load((root / "conda" / "recipe.yaml").read_text("utf-8"))
    assert recipe["about"]["summary"] == summary


def test_build_tools_are_locked_by_hashes(root, settings):
    text = (root / "constraints-build.txt").read_text("utf-8").replace("\\\n", "")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert all("--hash=sha256:" in line for line in lines)
    pins = {line.partition(" ")[0] for line in lines}
    needed = {Requirement(requirement).name for requirement in settings["build-system"]["requires"]}
    assert needed <= {pin.partition("==")[0] for pin in pins}
    assert pins <= set((root / "constraints.txt").read_text("utf-8").split())
    rule = (root / "Makefile").read_text("utf-8").partition("$(VENV)/.stamp-build:")[2]
    assert "--require-hashes -r constraints-build.txt" in rule.partition("\n\n")[0]
    # tests build wheels without a network
    assert set(settings["build-system"]["requires"]) <= {
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
    assert lite.INSTALL_LINE in install["source"]
    assert book["metadata"]["kernelspec"]["name"] == "python"
    assert book["cells"] == json.loads(chapter.read_text("utf-8"))["cells"]
    expected = names_of(settings["project"]["dependencies"])
    # Pyodide brings these; the rest is installed by the first cell or comes with it
    brought = {
        "numpy",
        "scipy",
        "scikit-learn",
        "pandas",
        "matplotlib",
        "joblib",
        "ipython",
        "traitlets",
    }
    assert expected - brought <= set(lite.INSTALL_LINE.split())
    assert any(fault.startswith("no files/01") for fault in lite.faults(tmp_path, "x.whl"))


WITHOUT_PICTURES_SOURCE = """
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
core.groups.cost_optimal_policy(y, score, np.repeat([0, 1], 20))
HullCalibratedClassifier(GaussianNB()).fit(score[:, None], y)
ProbabilisticScoringList().fit(np.c_[score > 0.5, score > 0.7].astype(int), y)
"""


def test_numbers_and_estimators_need_no_pictures_and_no_tables():
    pictures = {"pandas", "matplotlib", "ipywidgets", "bqplot", "IPython", "anywidget", "traitlets"}
    code = WITHOUT_PICTURES_SOURCE.format(missing=pictures)
    subprocess.run([sys.executable, "-c", code], check=True)
