"""``import rocviz`` is cheap, and every public name is available."""

import compileall
import json
import re
import shutil
import subprocess
import sys
import tomllib
from inspect import isclass, ismodule

import pytest
import yaml

import rocviz
from rocviz._names import public_places

HEAVY_PACKAGES = ("ipywidgets", "bqplot", "matplotlib", "sklearn", "pandas", "scipy", "numpy")


def test_import_loads_nothing_heavy():
    code = f"import rocviz, sys; print([m for m in {HEAVY_PACKAGES!r} if m in sys.modules])"
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert process.stdout.strip() == "[]"


def test_the_core_loads_no_widget_plot_or_estimator():
    heavy = ("ipywidgets", "bqplot", "matplotlib", "sklearn", "pandas")
    code = (
        "import rocviz, sys\n"
        "from rocviz import RankedSegments, brier_decomposition\n"
        "RankedSegments.from_scores([0, 1, 1], [.1, .2, .3]).hull()\n"
        f"print([m for m in {heavy!r} if m in sys.modules])"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert process.stdout.strip() == "[]"


def test_a_report_in_which_nothing_moves_loads_no_widgets(tmp_path):
    code = (
        "import sys\n"
        "from rocviz import evaluation_report\n"
        "report = evaluation_report([0, 1, 0, 1], [.1, .2, .3, .4])\n"
        f"report.to_html({str(tmp_path / 'page.html')!r}, live=False)\n"
        "print([m for m in ('ipywidgets', 'bqplot', 'rocviz.widgets') if m in sys.modules])"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert process.stdout.strip() == "[]"


def packages():
    """Yield every package that lists public names."""
    yield rocviz
    for layer in (rocviz.core, rocviz.displays, rocviz.estimators, rocviz.widgets):
        rooms = [getattr(layer, idea) for idea in layer.__all__]
        yield from (room for room in rooms if hasattr(room, "__all__"))


@pytest.mark.parametrize("package", list(packages()), ids=lambda package: package.__name__)
def test_every_public_name_resolves_to_an_object_from_a_public_module(package):
    for name in package.__all__:
        value = getattr(package, name)
        if name == "__version__" or ismodule(value):
            continue
        assert value.__name__ == name
        assert value.__doc__, name
        if isclass(value):
            assert "._" not in value.__module__, name


def test_the_top_has_at_most_80_names():
    assert len(rocviz.__all__) <= 80


def test_an_install_without_sources_imports(tmp_path, root):
    shutil.copytree(root / "rocviz", tmp_path / "rocviz", ignore=shutil.ignore_patterns("*.pyc"))
    compileall.compile_dir(tmp_path / "rocviz", quiet=2, legacy=True)
    for source in (tmp_path / "rocviz").rglob("*.py"):
        source.unlink()
    code = (
        "import rocviz; from rocviz.core.roc import isometric\n"
        "print(rocviz.__file__, rocviz.RankedSegments([2, 1], [1, 0], [0, 1]).auc)"
    )
    command = [sys.executable, "-c", code]
    process = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert process.stdout.split() == [str(tmp_path / "rocviz" / "__init__.pyc"), "1.0"]


def test_explorers_open_where_warnings_are_errors():
    code = "import rocviz; rocviz.ROCExplorer().close(); rocviz.ROCHullDisplay"
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


# What an explorer must not load before a model comes in, or a figure is asked for. (pandas and
# IPython cannot be among them: bqplot and ipywidgets load these.)
FORBIDDEN_MODULES = (
    "sklearn",
    "scipy.stats",
    "matplotlib.pyplot",
    "matplotlib.backends.backend_agg",
)
#: Idea and arguments of each, empty where it opens on data of its own.
EXPLORERS = {
    "ROCExplorer": ("roc", "y, X[:, 0]"),
    "FermiDiracExplorer": ("fermi_dirac", "y, X[:, 0]"),
    "EnsembleExplorer": ("ensembles", "y, X"),
    "ScoringListExplorer": ("scoring_lists", ""),
    "DecisionExplorer": ("decisions", "y, X[:, 0]"),
    "LexicographicExplorer": ("lexicographic", ""),
    "RankingLossExplorer": ("ranking_loss", ""),
}
PROBE_SOURCE = """
import json, sys
import numpy as np
import rocviz
X = np.random.default_rng(0).random((60, 3))
y = X.sum(axis=1) > 1.5
loaded, seen = {}, set()
for name, (_, arguments) in EXPLORERS.items():
    explorer = getattr(rocviz, name)
    eval(f"explorer({arguments})").close()
    loaded[name] = sorted(set(sys.modules) - seen)
    seen |= set(sys.modules)
print(json.dumps(loaded))
"""


@pytest.fixture(scope="module")
def loaded():
    """Collect the modules that opening each explorer adds to those loaded before."""
    code = f"EXPLORERS = {EXPLORERS!r}\n{PROBE_SOURCE}"
    command = [sys.executable, "-W", "ignore", "-c", code]
    process = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(process.stdout)


# an ensemble of given scores is measured on held-out halves, which scikit-learn draws
@pytest.mark.parametrize("explorer", [name for name in EXPLORERS if name != "EnsembleExplorer"])
def test_an_explorer_on_arrays_loads_no_scikit_learn(explorer, loaded):
    assert [module for module in FORBIDDEN_MODULES if module in loaded[explorer]] == []


@pytest.mark.parametrize("explorer", EXPLORERS)
def test_an_explorer_loads_only_its_idea(explorer, loaded, root):
    plan = tomllib.loads((root / "docs" / "house.toml").read_text("utf-8"))
    idea = EXPLORERS[explorer][0]
    allowed = set(plan["trunk"])
    while idea:
        allowed.add(idea)
        idea = plan["ideas"][idea].get("stands_on")
    rooms = {m.split(".")[2]: m for m in loaded[explorer] if re.match(r"rocviz\.\w+\.\w", m)}
    assert {idea: m for idea, m in rooms.items() if idea in plan["ideas"]}.keys() <= allowed


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "cost_optimal_policy",
            "has no attribute 'cost_optimal_policy'; use rocviz.core.groups.cost_op",
        ),
        ("StoryMaker", "use rocviz.stories.StoryMaker"),
        ("Theme", "use rocviz.theme.Theme"),
        ("check", "use rocviz.exercises.check"),
        ("multiclass", "use rocviz.core.multiclass or rocviz.displays.multiclass or "),
        ("report", "rocviz.report is a module that has to be imported first: import rocviz.report"),
        ("ROCExplorr", "Did you mean rocviz.ROCExplorer?"),
        ("rocexplorer", "Did you mean rocviz.ROCExplorer?"),
        ("roc_curves", "dir(rocviz) lists its names"),
        ("cost_optimal_polcy", "Did you mean rocviz.core.groups.cost_optimal_policy?"),
        ("nothing_like_it_at_all", "dir(rocviz) lists its names"),
        ("_private", "No rocviz attribute _private"),
    ],
)
def test_a_name_that_is_elsewhere_or_misspelt(name, words):
    code = (
        f"import rocviz, sys\ntry:\n    rocviz.{name}\nexcept AttributeError as error:\n"
        f"    print(error, error.name, [m for m in {HEAVY_PACKAGES!r} if m in sys.modules])\n"
        f"print(hasattr(rocviz, {name!r}))"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    message, there = process.stdout.splitlines()
    assert words in message
    assert message.endswith(f"{name} []")
    assert there == "False"


def test_a_misspelt_name_is_answered_once():
    process = subprocess.run(
        [sys.executable, "-c", "import rocviz; rocviz.ROCExplorr"], capture_output=True, text=True
    )
    assert process.stderr.splitlines()[-1].lower().count("did you mean") == 1


def test_every_name_of_a_package_is_found_from_the_top():
    for package in packages():
        for name in package.__all__:
            if name == "__version__" or ismodule(getattr(package, name)):
                continue
            assert f"{package.__name__}.{name}" in public_places()[name]


def test_an_error_of_a_module_is_not_hidden(monkeypatch):
    monkeypatch.setitem(sys.modules, "rocviz.core.roc.segments", None)
    monkeypatch.delattr(rocviz, "RankedSegments", raising=False)
    with pytest.raises(ImportError):
        rocviz.RankedSegments  # noqa: B018 - the look-up is what is tested


def test_star_import_is_exactly_the_public_names():
    namespace = {}
    exec("from rocviz import *", namespace)
    assert set(namespace) - {"__builtins__"} == set(rocviz.__all__)


def test_no_top_name_is_a_module_by_accident():
    modules = {name for name in rocviz.__all__ if ismodule(getattr(rocviz, name))}
    assert modules == {
        "core",
        "datasets",
        "displays",
        "estimators",
        "exercises",
        "stories",
        "widgets",
    }


def test_the_version_is_written_once_more_only_in_the_citation(root):
    written = yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))["version"]
    assert written == rocviz.__version__
    settings = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    assert settings["tool"]["hatch"]["version"]["path"] == "rocviz/__init__.py"
    assert "version" in settings["project"]["dynamic"]
