"""The sizes on the page "Where it runs" are those of what is sent."""

import json
import re
from pathlib import Path

import ipywidgets
import pytest
from ipywidgets.widgets.widget import _remove_buffers

import rocviz
from rocviz.widgets.base.recording.recording import drawing_scripts
from rocviz.widgets.base.stage import stage_script
from rocviz.widgets.base.widget import script, style_sheet

pytestmark = pytest.mark.slow

PAGE = Path(__file__).resolve().parents[2] / "docs" / "hosts.md"
NAMES = [name for name in rocviz.__all__ if name.endswith("Explorer")]
TOLERANCE = 0.1


def sizes_on_page(row):
    """Read the kilobytes in the row of the table that begins with these words."""
    (line,) = [
        line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| {row} ")
    ]
    return [float(number) for number in re.findall(r"\d+", line.split("|")[2])]


def kilobytes(content, buffers=()):
    """Measure a message of JSON and buffers, or a text."""
    text = content if isinstance(content, str) else json.dumps(content, default=str)
    return (len(text.encode()) + sum(len(part) for part in buffers or ())) / 1000


@pytest.fixture(scope="module")
def measured():
    """What is sent of each explorer: when it opens, and at a step of each slider, both ways."""
    openings = {}
    steps = {}
    sent = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            ipywidgets.Widget,
            "_send",
            lambda _widget, message, buffers=None: sent.append(kilobytes(message, buffers)),
        )
        for name in NAMES:
            explorer = getattr(rocviz, name)()
            state, _paths, buffers = _remove_buffers(explorer.get_state())
            openings[name] = kilobytes(state, buffers)
            for control_name, control in explorer.controls().items():
                grid = control.grid_of(explorer)
                if grid is None:
                    continue
                position = grid.position(control.value_of(explorer, control_name))
                steps[name, control_name] = []
                for nearby in {max(position - 1, 0), min(position + 1, grid.steps)} - {position}:
                    sent.clear()
                    explorer._received({"control": control_name, "position": nearby})
                    steps[name, control_name].append(max(sent, default=0))
                    explorer.reset()
            explorer.close()
    return openings, steps


def test_an_explorer_that_opens(measured):
    openings, _steps = measured
    expected = [
        min(openings.values()),
        max(openings.values()),
        kilobytes(script("stage.js")),
        kilobytes(style_sheet()),
    ]
    assert sizes_on_page("an explorer") == pytest.approx(expected, rel=TOLERANCE)


def test_a_step(measured):
    _openings, steps = measured
    most, *of_threshold = sizes_on_page("a step")
    assert 0.8 * most < max(max(sizes) for sizes in steps.values()) < most
    assert sorted(steps["ROCExplorer", "threshold"]) == pytest.approx(of_threshold, abs=0.5)


def test_scripts_that_draw():
    packed = kilobytes("", drawing_scripts())
    assert sizes_on_page("scripts that draw") == pytest.approx([packed], rel=TOLERANCE)
    in_marimo = kilobytes(stage_script(with_drawing=True))
    assert sizes_on_page("in marimo:") == pytest.approx([in_marimo], rel=TOLERANCE)


def test_a_page_without_python(tmp_path):
    explorer = rocviz.ROCExplorer(panels=["roc", "scores"])
    whole = explorer.to_html(tmp_path / "page.html").stat().st_size / 1000
    beside = explorer.to_html(tmp_path / "beside.html", scripts="js").stat().st_size / 1000
    explorer.close()
    expected = [whole, whole - beside]
    assert sizes_on_page("a page of `to_html`") == pytest.approx(expected, rel=TOLERANCE)
