"""The package follows its plan: layers, ideas, no circular imports (docs/house.toml)."""

import ast
import sys
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "rocviz"
PATHS = sorted(PACKAGE.rglob("*.py"))
PLAN = tomllib.loads((ROOT / "docs" / "house.toml").read_text("utf-8"))
LAYERS = PLAN["layers"]
IDEAS = PLAN["ideas"]
#: Packages that may be missing, and the functions that need them: tables, data in pieces.
OPTIONAL = {
    "pandas": {"to_frame", "factorize", "TYPE_CHECKING"},
    "pyarrow": {
        "read_partitions",
        "_whole_numbers_as_text",
        "_numbers",
        "_parquet_pieces",
        "_zstd_file",
    },
    "zstandard": {"_zstd_file"},
    "dask": {"count_dask"},
}


@cache
def tree_of(module):
    """Parse a module of the package."""
    return ast.parse(NAMES[module].read_text("utf-8"))


def name_of(path):
    """Find the dotted name of a module of the package."""
    parts = ["rocviz", *path.relative_to(PACKAGE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = {name_of(path): path for path in PATHS}


def imports(tree, module, is_package=False, inside=""):
    """Yield (module imported, function or ``if TYPE_CHECKING`` that the import stands in).

    ``from package import name`` yields the submodule where ``name`` is one.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from imports(node, module, is_package, node.name)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from imports(node, module, is_package, "TYPE_CHECKING")
        elif isinstance(node, ast.Import):
            yield from ((alias.name, inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module.split(".")
                above = above[: len(above) - node.level + is_package]
                base = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                full = f"{base}.{alias.name}"
                yield (full if full in NAMES or base == "rocviz" else base), inside
        elif not isinstance(node, ast.expr):
            yield from imports(node, module, is_package, inside)


def layer_of(module):
    """Find core, widgets, theme, ... of a module of the package."""
    return module.split(".")[1] if "." in module else ""


def idea_of(module):
    """Find the idea of a module, or ``None`` outside of the packages of ideas."""
    parts = module.split(".")
    return parts[2] if len(parts) > 2 and parts[2] in IDEAS else None


def may_import(idea, other, *, below):
    """Whether an idea may import another one."""
    if below and other in PLAN["trunk"]:
        return True
    while idea is not None:
        if idea == other:
            return True
        idea = IDEAS[idea].get("stands_on")
    return False


def complaints(tree, module, is_package=False):
    """Describe every forbidden import."""
    layer = LAYERS[layer_of(module)]
    forbidden = []
    folder = module if is_package else module.rpartition(".")[0]
    for target, inside in imports(tree, module, is_package):
        top = target.split(".")[0]
        if top in sys.stdlib_module_names:
            continue
        if top == "lazy_loader" and is_package:
            continue
        if top != "rocviz":
            if top not in layer["others"] and inside not in OPTIONAL.get(top, ()):
                forbidden.append(f"{module} imports {target}: its layer may not")
            continue
        other = layer_of(target)
        if other not in {*layer["rocviz"], layer_of(module)} and module != "rocviz.cli":
            forbidden.append(f"{module} imports {target}: against the layers")
        mine = idea_of(module)
        theirs = idea_of(target)
        if mine and theirs and not may_import(mine, theirs, below=other != layer_of(module)):
            forbidden.append(f"{module} imports {target}: {mine} does not stand on {theirs}")
        home, _, last = target.rpartition(".")
        if last.startswith("_") and last != "__version__" and not folder.startswith(home):
            forbidden.append(f"{module} imports {target}: a module of another folder's own")
    return forbidden


def circles(graph):
    """List the modules that import themselves indirectly."""

    def reach(start):
        seen = set()
        waiting = list(graph[start])
        while waiting:
            module = waiting.pop()
            if module not in seen:
                seen.add(module)
                waiting += graph.get(module, ())
        return seen

    return sorted(module for module in graph if module in reach(module))


def test_imports_run_one_way():
    # The top level is left out: its table of names points everywhere; test_lazy_import covers it.
    wrong = []
    for module, path in NAMES.items():
        if module != "rocviz":
            wrong.extend(complaints(tree_of(module), module, path.name == "__init__.py"))
    assert wrong == []


def test_no_files_import_in_a_circle():
    graph = {}
    for module, path in NAMES.items():
        if module != "rocviz":
            targets = imports(tree_of(module), module, path.name == "__init__.py")
            graph[module] = {target for target, _ in targets} & NAMES.keys() - {module}
    assert circles(graph) == []


def test_modules_have_docstrings():
    assert [module for module in NAMES if not ast.get_docstring(tree_of(module))] == []


def test_every_idea_has_its_packages():
    for idea, what in IDEAS.items():
        assert (PACKAGE / "core" / idea / f"{what['opens']}.py").exists()
    for layer in ("core", "estimators", "displays", "widgets"):
        rooms = {
            path.name for path in (PACKAGE / layer).iterdir() if (path / "__init__.py").exists()
        }
        assert rooms <= set(IDEAS), layer
        assert [path.name for path in (PACKAGE / layer).glob("*.py")] == ["__init__.py"]
        tests = {path.name for path in (ROOT / "tests" / layer).iterdir() if path.is_dir()}
        assert tests - {"__pycache__"} <= rooms, layer


def test_the_architecture_page_shows_the_plan(monkeypatch):
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    for idea, what in IDEAS.items():
        below = what.get("stands_on", "–")
        assert f"| {idea} | {below} | {what['holds']} | `{what['opens']}` |" in page
    monkeypatch.syspath_prepend(ROOT / "docs")
    drawn = dict(import_module("draw_house").files())
    assert [path.read_text("utf-8") for path in drawn] == list(drawn.values()), (
        "the pictures are not those of the plan; run python docs/draw_house.py"
    )


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("core.roc.segments", "from sklearn.metrics import roc_curve"),
        ("core.roc.segments", "import pandas"),
        ("core.roc.segments", "def summary():\n    import pandas"),
        ("core.roc.segments", "def draw():\n    from ...widgets.roc import explorer"),
        ("core.roc.segments", "from rocviz import displays"),
        ("core.roc.segments", "if TYPE_CHECKING:\n    import bqplot"),
        ("core.roc.segments", "from rocviz.core.calibration.brier import brier_decomposition"),
        ("core.fermi_dirac.fermi_dirac", "from rocviz.core.roc._curve import thin"),
        ("core.base.validation", "if TYPE_CHECKING:\n    import rocviz.core.roc.segments"),
        ("estimators.calibration.hull", "from rocviz.widgets import ROCExplorer"),
        ("displays.roc.roc", "import bqplot.marks"),
        ("displays.roc.roc", "from rocviz.widgets.base.explorer import Explorer"),
        ("displays.base.data", "from rocviz.displays.roc.roc import ROCHullDisplay"),
        ("theme", "if True:\n    import matplotlib.pyplot as plt"),
    ],
)
def test_a_forbidden_import_is_found(module, source):
    assert len(complaints(ast.parse(source), f"rocviz.{module}")) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("core.roc.segments", "import numpy as np\nfrom scipy import stats\nimport math"),
        ("core.roc.segments", "def to_frame(self):\n    import pandas as pd"),
        ("core.roc.segments", "if TYPE_CHECKING:\n    import pandas as pd"),
        ("core.roc.segments", "from ._curve import thin"),
        ("core.lexicographic.tree", "from rocviz.core.roc.segments import RankedSegments"),
        ("displays.base.data", "from rocviz.core.roc.segments import RankedSegments"),
        ("widgets.roc.explorer", "import bqplot\nfrom rocviz.core.roc import segments"),
    ],
)
def test_an_allowed_import_passes(module, source):
    assert complaints(ast.parse(source), f"rocviz.{module}") == []


def test_a_circular_import_is_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == ["a", "b", "c"]
