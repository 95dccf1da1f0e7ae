"""Every internal name of another package that rocviz uses exists.

A release that moves one fails here by its name; `pyproject.toml` bounds the versions.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path
from pkgutil import resolve_name

import pytest
import traitlets
from jupyter_core.paths import jupyter_path

from rocviz import ROCExplorer, Step, Story
from rocviz.widgets.base.recording import recording as page
from rocviz.widgets.base.recording.recorder import silent_copy

#: Internal names used in Python: attributes of modules, classes and widgets.
PYTHON = (
    "ipywidgets:Widget.hold_sync",
    "anywidget:AnyWidget",
    "bqplot:Figure._model_module_version",  # stage.py: which models the page loads
    "bqplot:LinearScale._model_module_version",
    "sklearn.ensemble._base:_BaseHeterogeneousEnsemble",  # fidel.py
    "sklearn.utils:_safe_indexing",
    "sklearn.utils.validation:_check_feature_names_in",  # binarizer.py
    "sklearn.utils.validation:_check_method_params",  # fidel.py
    "sklearn.utils.validation:_num_samples",  # cross_validation.py
)
#: Internal names used in js/src of bqplot's views and models and of the d3 in its bundle.
BQPLOT = [
    "mark_views",
    "axis_views",
    "scale_x",
    "scale_y",
    "mark_padding_updated",
    "update_names",
    "allow_padding",
    "data_updated",
    "redraw_legend",
    "axis_scale",
    "g_axisline",
    "d3el",
    "update_line_xy",
    "update_position",
    "dirty",
    "update_label_offset",
    "__transition",
    # picture.js, which makes the models and views that no kernel knows of
    "AxisModel",
    "FigureModel",
    "LinesModel",
    "ScatterModel",
    "BarsModel",
    "LabelModel",
    "relayout",
    "element_click",
    "drag_start",
    "drag_end",
]
#: Internal names of the framework's models and views that the page without a kernel uses.
FRAMEWORK = ["set_state", "create_view", "state_change", "_view_module"]


@pytest.mark.parametrize("name", PYTHON)
def test_python_has(name):
    resolve_name(name)


def test_each_private_name_that_is_imported_is_listed(root):
    imported = set()
    for file in (root / "rocviz").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and not node.module.startswith(("rocviz", "__")):
                names = (f"{node.module}:{alias.name}" for alias in node.names)
                imported |= {name for name in names if re.search(r"[.:]_", name)}
    assert imported
    assert imported <= set(PYTHON)


def test_a_state_can_be_copied_with_its_own_values():
    assert "_trait_values" in vars(traitlets.HasTraits())  # state.py


@pytest.mark.parametrize(
    "package", ["ipywidgets", "anywidget", "bqplot", "scikit-learn", "traitlets"]
)
def test_the_version_is_bounded(root, package):
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    (requirement,) = [
        dependency for dependency in project["dependencies"] if dependency.startswith(package)
    ]
    assert ",<" in requirement


def test_a_copy_for_a_recording_is_a_state_without_widgets(monkeypatch):
    explorer = ROCExplorer()
    monkeypatch.setattr("comm.create_comm", lambda **_message: pytest.fail("a comm was opened"))
    with silent_copy(explorer) as copied:
        story = Story(copied, [Step("One", "It says so.")])
        copied.panels = tuple(copied.pictures)
        assert (copied.comm, story.comm) == (None, None)
        assert copied.threshold == explorer.threshold
    monkeypatch.undo()
    explorer.close()


def scripts(extension):
    """Collect the scripts of an extension of JupyterLab."""
    places = (Path(place) / extension / "static" for place in jupyter_path("labextensions"))
    folder = next(place for place in places if place.is_dir())
    return "".join(file.read_text("utf-8") for file in folder.glob("*.js"))


@pytest.mark.parametrize("name", ["loadClass", "create_view", "get_model"])
def test_the_manager_of_jupyterlab_has(name):
    assert f"{name}(" in scripts("@jupyter-widgets/jupyterlab-manager")


def test_the_package_of_scales_has_the_model():
    assert "LinearScaleModel" in scripts("bqscales")


@pytest.fixture(scope="module")
def bundle():
    """The scripts of bqplot's extension of JupyterLab, d3 included."""
    return scripts("bqplot")


def insides(root):
    """List the methods that `js/src/bqplot.js` looks for before it uses them."""
    source = (root / "js" / "src" / "bqplot.js").read_text("utf-8")
    table = re.search(r"INSIDES = (\{.*?\n\});", source, re.DOTALL)[1]
    return json.loads(re.sub(r",(\s*\})", r"\1", re.sub(r"(\w+):", r'"\1":', table)))


def test_replaced_and_called_methods_are_checked_first(root):
    assert insides(root).keys() == {"selection", "mark", "axis"}


@pytest.mark.parametrize("kind", ["selection", "mark", "axis"])
def test_bqplot_has_the_methods(root, bundle, kind):
    missing = [
        n for n in insides(root)[kind] if not re.search(rf"\b{n}(\(\w*(,\w+)*\)\{{|:)", bundle)
    ]
    assert missing == []


@pytest.mark.parametrize("name", BQPLOT)
def test_bqplot_has(bundle, name):
    assert re.search(rf"\b{name}\b", bundle)


@pytest.mark.parametrize("name", FRAMEWORK)
def test_the_framework_of_pages_has(name):
    assert name in page.framework_script()


@pytest.mark.parametrize("package", page.INSTALLED_SCRIPTS)
def test_packages_bring_a_script_for_pages(package):
    assert "define(" in page.installed_script(package)
