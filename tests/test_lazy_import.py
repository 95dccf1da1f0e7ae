"""``import rocviz`` is cheap, and every public name is there when asked for."""

import ast
import subprocess
import sys

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
    if name in rocviz._PUBLIC:
        assert value.__name__ == name
        assert value.__doc__


def test_unknown_attribute():
    with pytest.raises(AttributeError, match="has no attribute 'roc_curves'"):
        rocviz.roc_curves  # noqa: B018 - the look-up is what is tested


def test_star_import_is_exactly_the_public_names():
    namespace = {}
    exec("from rocviz import *", namespace)
    assert set(namespace) - {"__builtins__"} == set(rocviz.__all__)


def test_the_table_the_list_and_the_type_checker_s_imports_agree(root):
    tree = ast.parse((root / "rocviz" / "__init__.py").read_text("utf-8"))
    imported = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("rocviz"):
            imported.update({alias.name: node.module for alias in node.names})
    subpackages = {name for name, module in imported.items() if module == "rocviz"}
    assert subpackages == set(rocviz._SUBPACKAGES)
    assert {n: m for n, m in imported.items() if n not in subpackages} == rocviz._PUBLIC
    assert set(rocviz.__all__) == {*imported, "__version__"}


def test_the_version_is_written_once_more_only_in_pyproject(root):
    import tomllib

    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == rocviz.__version__
