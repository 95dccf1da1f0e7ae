"""``import rocviz`` is cheap, and every public name is there when asked for."""

import subprocess
import sys
from inspect import ismodule

import pytest

import rocviz

HEAVY = ("ipywidgets", "bqplot", "matplotlib", "sklearn", "pandas", "scipy", "numpy")


def test_import_loads_nothing_heavy():
    code = f"import rocviz, sys; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("heavy", ["ipywidgets", "bqplot", "matplotlib", "sklearn", "pandas"])
def test_the_core_loads_no_widget_plot_or_estimator(heavy):
    code = (
        "import rocviz, sys\n"
        "from rocviz import RankedSegments, brier_decomposition\n"
        "RankedSegments.from_scores([0, 1, 1], [.1, .2, .3]).hull()\n"
        f"print({heavy!r} in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("name", rocviz.__all__)
def test_every_public_name_resolves(name):
    value = getattr(rocviz, name)
    assert value is getattr(rocviz, name)
    assert name in dir(rocviz)
    if name != "__version__" and not ismodule(value):
        assert value.__name__ == name
        assert value.__doc__


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
    assert modules == {"core", "datasets", "displays", "estimators", "exercises", "widgets"}


def test_the_version_is_written_once_more_only_in_pyproject(root):
    import tomllib

    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == rocviz.__version__
