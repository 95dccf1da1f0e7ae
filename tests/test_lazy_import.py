"""``import rocviz`` is cheap, and every public name is there when asked for."""

import json
import re
import subprocess
import sys
import tomllib
from inspect import ismodule

import pytest
import yaml

import rocviz

HEAVY = ("ipywidgets", "bqplot", "matplotlib", "sklearn", "pandas", "scipy", "numpy")


def test_import_loads_nothing_heavy():
    code = f"import rocviz, sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_core_loads_no_widget_plot_or_estimator():
    heavy = ("ipywidgets", "bqplot", "matplotlib", "sklearn", "pandas")
    code = (
        "import rocviz, sys\n"
        "from rocviz import RankedSegments, brier_decomposition\n"
        "RankedSegments.from_scores([0, 1, 1], [.1, .2, .3]).hull()\n"
        f"print([m for m in {heavy!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_resolves():
    for name in rocviz.__all__:
        value = getattr(rocviz, name)
        assert value is getattr(rocviz, name)
        if name != "__version__" and not ismodule(value):
            assert value.__name__ == name
            assert value.__doc__, name
    assert set(rocviz.__all__) <= set(dir(rocviz))


# What an explorer must not load before a model comes in, or a figure is asked for. (pandas and
# IPython cannot be among them: bqplot and ipywidgets load these.)
FORBIDDEN = ("sklearn", "scipy.stats", "matplotlib.pyplot", "matplotlib.backends.backend_agg")
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
PROBE = """
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
    """Return what naming and opening each explorer loads that those before it did not."""
    code = f"EXPLORERS = {EXPLORERS!r}\n{PROBE}"
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("explorer", EXPLORERS)
def test_an_explorer_on_arrays_loads_no_scikit_learn(explorer, loaded):
    assert [module for module in FORBIDDEN if module in loaded[explorer]] == []


@pytest.mark.parametrize("explorer", EXPLORERS)
def test_an_explorer_loads_its_own_idea_only(explorer, loaded, root):
    plan = tomllib.loads((root / "docs" / "house.toml").read_text("utf-8"))
    idea = EXPLORERS[explorer][0]
    allowed = set(plan["trunk"])
    while idea:
        allowed.add(idea)
        idea = plan["ideas"][idea].get("stands_on")
    rooms = {m.split(".")[2]: m for m in loaded[explorer] if re.match(r"rocviz\.\w+\.\w", m)}
    assert {idea: m for idea, m in rooms.items() if idea in plan["ideas"]}.keys() <= allowed


def test_unknown_attribute():
    with pytest.raises(AttributeError, match="has no attribute 'roc_curves'"):
        rocviz.roc_curves  # noqa: B018 - the look-up is what is tested


def test_star_import_is_exactly_the_public_names():
    namespace = {}
    exec("from rocviz import *", namespace)
    assert set(namespace) - {"__builtins__"} == set(rocviz.__all__)


def test_the_names_of_the_top_are_those_below_and_none_is_a_module_by_accident():
    for layer in ("displays", "estimators"):
        assert set(getattr(rocviz, layer).__all__) <= set(rocviz.__all__)
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
