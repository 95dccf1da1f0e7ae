"""Values in messages: short, and still recognised."""

import ast
from pathlib import Path

import numpy as np
import pytest

import rocviz
from rocviz.core.base.naming import entry_names, prefix_error_with
from rocviz.core.base.validation import describe, list_labels, path_text, reason, shortened

PACKAGE = Path(rocviz.__file__).parent
LONG_TEXT = "x" * 700_000


def test_values_are_shortened():
    assert describe("a") == "'a'"
    assert describe(LONG_TEXT) == f"'{'x' * 56}..."
    assert describe([1] * 10_000).startswith("[1, 1, ")
    assert len(describe([1] * 10_000)) == 60
    assert describe("a\nb", 4) == "'..."
    assert describe(np.int64(7)) == "7"
    assert describe([np.float64(0.5), (np.str_("a"), np.True_)]) == "[0.5, ('a', True)]"
    assert shortened("a b") == "a b"
    assert len(shortened(LONG_TEXT)) == 60


def test_the_first_labels_are_listed():
    assert list_labels(["a", 1]) == "'a', 1"
    assert list_labels(np.array([0.5, 1.0])) == "0.5, 1.0"
    assert list_labels(iter("abcdef")) == "'a', 'b', 'c', 'd', 'e', ..."
    assert list_labels("abcdef", 6) == "'a', 'b', 'c', 'd', 'e', 'f'"
    assert len(list_labels([LONG_TEXT] * 9)) < 400


def test_a_reason_keeps_its_beginning_and_its_end():
    assert reason(ValueError(" one\ntwo ")) == "one\ntwo"
    long = reason(ValueError(f"could not read\n{LONG_TEXT}\nReshape your data"))
    assert long.startswith("could not read xxx")
    assert long.endswith("xxx Reshape your data")
    assert len(long) == 300
    spaces = reason(ValueError("a" + 1000 * " " + "b"))
    assert spaces == "a b"


def test_a_long_path_keeps_its_end():
    assert path_text(Path("a") / "b.toml") == repr(str(Path("a") / "b.toml"))
    assert path_text(f"{LONG_TEXT}/b.toml").endswith("xxx/b.toml'")
    assert len(path_text(LONG_TEXT)) == 302


def test_entries_with_long_keys_have_different_names():
    assert entry_names("scores", ["a", 1]) == ["scores['a']", "scores[1]"]
    first, other, third = entry_names("scores", [f"{LONG_TEXT}1", "b", f"{LONG_TEXT}2"])
    assert (first, other, third) == ("scores, entry 1", "scores['b']", "scores, entry 3")


@pytest.mark.parametrize("kind", [ValueError, OverflowError])
def test_a_library_s_message_is_shortened_where_the_argument_is_named(kind):
    with pytest.raises(ValueError, match=r"^X: .*Reshape$") as error, prefix_error_with("X"):
        raise kind(f"got {LONG_TEXT}. Reshape")
    assert len(str(error.value)) < 1010


def raised_texts(tree):
    """Yield the parts of texts in braces of every ``raise``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            for part in ast.walk(node.exc):
                if isinstance(part, ast.FormattedValue):
                    yield part


def test_errors_describe_values():
    """``describe`` shortens what ``!r`` would write in full."""
    wrong = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for part in raised_texts(ast.parse(path.read_text("utf-8"))):
            if part.conversion == ord("r"):
                wrong.append(
                    f"{path.relative_to(PACKAGE)}, line {part.lineno}: {ast.unparse(part.value)}"
                )
    assert wrong == []
