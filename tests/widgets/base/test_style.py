"""The style sheet holds nothing that no explorer uses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jupyter_core.paths import jupyter_path

import rocviz

#: Names that JupyterLab, ipywidgets and bqplot give.
FOREIGN = re.compile(r"(jp|jupyter|widget|bqplot|plotarea)[-_]|(axis|axislabel|tick|dot|bqplot)$")

#: Names that are put together, and what says their last part.
COMPOSED = {
    r"rocviz-(positive|negative|hull|held|optimum)": r'\("{}", |"{}"\)',  # of a sentence
    r"knob-(\w+)": r'thing="{}"',  # of a slider
    r"thing-(\w+)": r'thing ?=[^=]*"{}"',  # of a row
}


@pytest.fixture(scope="module")
def base(root):
    return root / "rocviz" / "widgets" / "base"


@pytest.fixture(scope="module")
def sheet(base):
    return re.sub(r"/\*.*?\*/", "", (base / "explorer.css").read_text("utf-8"), flags=re.DOTALL)


@pytest.fixture(scope="module")
def source(root, base):
    files = sorted((root / "rocviz" / "widgets").rglob("*.py"))
    return "\n".join(file.read_text("utf-8") for file in (*files, base / "rail.js"))


def is_used(name, source):
    """Whether a class is named in some text between quotation marks, whole or in its parts."""
    for pattern, said in COMPOSED.items():
        if made := re.fullmatch(pattern, name):
            return re.search(said.replace("{}", made[1]), source) is not None
    if count := re.fullmatch(r"n(\d+)", name):
        # of pictures, or the most columns that a list of some width has room for
        explorers = [getattr(rocviz, n) for n in rocviz.__all__ if n.endswith("Explorer")]
        rooms = re.findall(r"\d+", "".join(re.findall(r"^ROOMS = (.*)", source, re.MULTILINE)))
        most = max(len(each.pictures) for each in explorers)
        return int(count[1]) <= most or count[1] in rooms
    return re.search(rf"""["'`][^"'`\n]*(?<![\w-]){name}(?![\w-])""", source) is not None


def test_every_class_is_given_to_something(sheet, source):
    names = set(re.findall(r"\.([a-zA-Z][\w-]*)", " ".join(re.findall(r"([^{}]+)\{", sheet))))
    ours = {name for name in names if not FOREIGN.match(name)}
    assert {"rocviz-stage", "is-large", "knob-held", "fold"} <= ours
    assert [name for name in sorted(ours) if not is_used(name, source)] == []


def test_a_class_that_nothing_has_is_found(source):
    for name in ("rocviz-nothing", "is-nothing", "knob-nothing", "thing-nothing", "n99"):
        assert not is_used(name, source)


def test_every_variable_is_used_where_it_is_set(sheet, source):
    for name in set(re.findall(r"(--[\w-]+)\s*:", sheet)):
        assert f"var({name}" in sheet, name
    for name in set(re.findall(r"var\((--[\w-]+)", sheet)):
        known = name.startswith("--rocviz-") or f"{name}:" in sheet or f"{name}:" in source
        assert known or f'"{name}"' in source, name


def test_bqplot_still_has_what_the_rail_uses_of_it():
    # where it has not, pictures are right still, but each step draws every mark several times
    places = (Path(place) / "bqplot" / "static" for place in jupyter_path("labextensions"))
    folder = next(place for place in places if place.is_dir())
    program = "".join(file.read_text("utf-8") for file in folder.glob("*.js"))
    for name in ("this.dirty=!1", '"data_updated"', "relayout(){", ".svg", "__transition"):
        assert name in program
