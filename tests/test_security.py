"""SECURITY.md names existing tests for its statements."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)


def test_every_entry_point_is_described():
    titles = re.findall("^## (.*)$", TEXT, flags=re.MULTILINE)
    for way in ("notebook", "formula", "JSON", "data file", "story", "recording", "rocviz app"):
        assert any(way in title for title in titles), way
    assert len(NAMED) >= 10


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_named_tests_exist(path, name):
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
