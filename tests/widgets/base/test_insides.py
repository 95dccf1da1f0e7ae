"""Every inside of another package that explorers use is where they look for it.

A release that moves one fails here by its name; until then `pyproject.toml` bounds the package.
"""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from pkgutil import resolve_name

import comm
import ipywidgets
import pytest
from jupyter_core.paths import jupyter_path

from rocviz.widgets.base.recording import recording as page
from rocviz.widgets.base.recording.capture import NoFrontEnd, without_front_end

#: What Python uses, and where: attributes of modules, classes and widgets.
PYTHON = (
    "comm:create_comm",  # recording/capture.py
    "ipywidgets.widgets.widget:comm.create_comm",
    "ipywidgets.widgets.widget:_remove_buffers",  # rail.py
    "ipywidgets:Widget.open",
    "ipywidgets:Widget.hold_sync",
    "ipywidgets:Widget.get_state",
    "ipywidgets:DOMWidget._dom_classes",
    "ipywidgets:Widget._model_name",
    "ipywidgets:Widget._model_module",
    "anywidget:AnyWidget",
)
#: What js/src uses of bqplot's views and models and of the d3 in its bundle.
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
]
#: What the page without a kernel uses of the framework's models and views.
FRAMEWORK = [
    "_deserialize_state",
    "set_state",
    "JupyterLuminoWidget",
    "luminoWidget",
    "state_change",
]


@pytest.mark.parametrize("name", PYTHON)
def test_python_has(name):
    resolve_name(name)


def test_a_widget_that_holds_notes_what_to_send():
    button = ipywidgets.Button()
    assert button._holding_sync is False
    with button.hold_sync():
        button.description = "on"
        assert button._states_to_send == {"description"}
    button.close()


def test_widgets_open_their_comm_by_the_module_comm():
    with without_front_end():
        button = ipywidgets.Button()
    assert isinstance(button.comm, NoFrontEnd)
    assert "create_comm" in inspect.getsource(ipywidgets.Widget.open)
    assert callable(comm.create_comm)
    button.close()


@pytest.fixture(scope="module")
def bundle():
    """What bqplot's extension of JupyterLab runs, d3 included."""
    places = (Path(place) / "bqplot" / "static" for place in jupyter_path("labextensions"))
    folder = next(place for place in places if place.is_dir())
    return "".join(file.read_text("utf-8") for file in folder.glob("*.js"))


def insides(root):
    """Return the methods that `js/src/bqplot.js` looks for before it uses them."""
    source = (root / "js" / "src" / "bqplot.js").read_text("utf-8")
    table = re.search(r"INSIDES = (\{.*?\n\});", source, re.DOTALL)[1]
    return json.loads(re.sub(r",(\s*\})", r"\1", re.sub(r"(\w+):", r'"\1":', table)))


def test_methods_that_are_replaced_or_called_are_looked_for_first(root):
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
    assert any(name in page.framework_script(part) for part in page.FRAMEWORK)


@pytest.mark.parametrize("package", page.INSTALLED)
def test_packages_bring_a_script_for_pages(package):
    assert "define(" in page.installed_script(package)
