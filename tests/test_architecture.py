"""Imports run one way: core <- estimators, displays, widgets <- notebooks."""

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "rocviz"
MODULES = sorted(PACKAGE.rglob("*.py"))
LINES = 450

# What a part of rocviz may import of rocviz, and of others besides the standard library.
OWN = {
    "core": {"core"},
    "theme": {"theme"},
    "words": {"core"},
    "datasets": {"core", "datasets"},
    "exercises": {"core", "theme", "datasets", "exercises"},
    "estimators": {"core", "estimators"},
    "displays": {"core", "theme", "words", "displays"},
    "widgets": {"core", "theme", "words", "datasets", "estimators", "displays", "widgets"},
    "cli": {""},  # the top level only: where the package is, and its version
}
OTHERS = {
    "core": {"numpy", "scipy"},
    "theme": set(),
    "words": {"numpy"},
    "datasets": {"numpy", "sklearn"},
    "exercises": {"numpy", "scipy", "IPython"},
    "estimators": {"numpy", "scipy", "sklearn", "tqdm"},
    "displays": {"numpy", "matplotlib", "mpl_toolkits", "sklearn"},
    "widgets": {
        *("numpy", "matplotlib", "sklearn", "traitlets"),
        *("ipywidgets", "bqplot", "IPython", "tqdm"),
    },
    "cli": set(),
}


def part_of(path):
    """Return core, widgets, theme, ... for a module of the package."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(tree, package, inside=""):
    """Yield (module imported, function or ``if TYPE_CHECKING`` that the import stands in)."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield from imports(node, package, node.name)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield from imports(node, package, "TYPE_CHECKING")
        elif isinstance(node, ast.Import):
            yield from ((alias.name, inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                above = package[: len(package) - node.level + 1]
                module = ".".join([*above, *([node.module] if node.module else [])])
            else:
                module = node.module
            if module == "rocviz":
                yield from ((f"rocviz.{alias.name}", inside) for alias in node.names)
            else:
                yield module, inside
        else:
            yield from imports(node, package, inside)


def complaints(source, path):
    """Return a sentence for every import that runs the wrong way."""
    part = part_of(path)
    package = ["rocviz", *path.relative_to(PACKAGE).parts[:-1]]
    found = []
    for module, inside in imports(ast.parse(source), package):
        top, _, rest = module.partition(".")
        if top in sys.stdlib_module_names:
            continue
        if top == "rocviz":
            allowed = rest.partition(".")[0] in OWN[part]
        elif top == "pandas":
            # pandas comes with bqplot only, so it may be needed nowhere but in making a table.
            allowed = inside in {"to_frame", "TYPE_CHECKING"}
        else:
            allowed = top in OTHERS[part]
        if not allowed:
            found.append(f"{path.name} imports {module}")
    return found


# The top level is left out: its table of names points everywhere, and test_lazy_import covers it.
@pytest.mark.parametrize(
    "path",
    [path for path in MODULES if path != PACKAGE / "__init__.py"],
    ids=lambda path: str(path.relative_to(PACKAGE)),
)
def test_imports_run_one_way(path):
    assert complaints(path.read_text("utf-8"), path) == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_are_short_and_say_what_they_are_for(path):
    source = path.read_text("utf-8")
    assert len(source.splitlines()) <= LINES
    assert ast.get_docstring(ast.parse(source))


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("core/segments.py", "from sklearn.metrics import roc_curve"),
        ("core/segments.py", "import pandas"),
        ("core/segments.py", "def summary():\n    import pandas"),
        ("core/segments.py", "def draw():\n    from ..widgets import roc"),
        ("core/segments.py", "from rocviz import displays"),
        ("core/segments.py", "if TYPE_CHECKING:\n    import bqplot"),
        ("estimators/hull.py", "from rocviz.widgets import ROCExplorer"),
        ("displays/roc.py", "import bqplot.marks"),
        ("displays/roc.py", "from rocviz.widgets.base.explorer import Explorer"),
        ("theme.py", "if True:\n    import matplotlib.pyplot as plt"),
    ],
)
def test_a_wrong_import_is_noticed(module, source):
    assert len(complaints(source, PACKAGE / module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("core/segments.py", "import numpy as np\nfrom scipy import stats\nimport math"),
        ("core/segments.py", "def to_frame(self):\n    import pandas as pd"),
        ("core/segments.py", "if TYPE_CHECKING:\n    import pandas as pd"),
        ("core/segments.py", "from ._validation import check_binary"),
        ("widgets/roc.py", "import bqplot\nfrom rocviz.core.roc.segments import RankedSegments"),
    ],
)
def test_a_right_import_passes(module, source):
    assert complaints(source, PACKAGE / module) == []
