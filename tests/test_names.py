"""One word for one idea: words that the glossary replaces occur in no name and on no screen."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "rocviz"

#: Words that are out, and what is written in their place; docs/glossary.md has the reasons.
REPLACEMENTS = {
    **dict.fromkeys(("cut", "cuts"), "threshold, or the operating point at it"),
    **dict.fromkeys(("called", "calling", "calls"), "predicted, predictions"),
    **dict.fromkeys(("held",), "selected"),
    **dict.fromkeys(("cheapest",), "cost_optimal"),
    **dict.fromkeys(("hit", "hits"), "true positives, true positive rate"),
    **dict.fromkeys(("look", "looks", "worn"), "style, sizes"),
    **dict.fromkeys(("said", "say", "says"), "text, message"),
    **dict.fromkeys(("told", "untold", "tell", "tells"), "description, describe, send"),
    **dict.fromkeys(("hear", "heard", "felt"), "received, listener"),
    **dict.fromkeys(("wish", "wishes"), "label, point_labels"),
    **dict.fromkeys(("spare",), "zero_division"),
}
#: Names that are right, or of others.
ALLOWED_NAMES = {
    **dict.fromkeys(("held_out",), "data that were held out"),
    **dict.fromkeys(("more_wishes",), "what the traveller of an exercise wishes"),
    **dict.fromkeys(("tell",), "position in a file of Python"),
    **dict.fromkeys(("_look_ahead",), "a search looks ahead"),
    **dict.fromkeys(("where_to_look",), "where something may be found"),
}
#: Phrases that are out where users read: in pictures, rails, tables, stories, exercises, messages.
PHRASES = re.compile(
    r"""
      \bcuts?\b (?!\ (off|short))
    | \b(best|each|every|one|all)\ cuts?\b
    | \bcalled\b
    | \bcall(s|ing)?\ (\w+\ ){0,3}(positive|negative)\b
    | \bheld\b (?![-_\ ]out)
    | \bcheapest\b
    | \bhit\ rates?\b
    """,
    re.VERBOSE | re.IGNORECASE,
)
#: Sentences in which such a word has its everyday meaning.
ALLOWED_TEXTS: dict[str, str] = {}


def words_of(name):
    """Split an identifier: "best_cut", "bestCut" and "BEST_CUT" have the same words."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def out_of_use(names):
    """Collect the names that have a word that is out."""
    return {name for name in set(names) if REPLACEMENTS.keys() & set(words_of(name))}


def names_in_python(tree):
    """List the identifiers of a module."""
    fields = ("id", "attr", "arg", "name", "asname", "rest")
    for node in ast.walk(tree):
        for field in fields:
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield from name.split(".")


def names_in_javascript(source):
    """List the identifiers of a script, without those in comments and texts."""
    plain = re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", " ", source, flags=re.DOTALL)
    return set(re.findall(r"[A-Za-z_$][\w$]*", plain))


def texts_in_python(tree):
    """List the texts of a module, without its docstrings."""
    docstrings = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                docstrings.add(first.value)
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and node not in docstrings:
            yield node.value


def texts_in(value):
    """List the texts of what a TOML file says."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from texts_in(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts_in(part)


@pytest.fixture(scope="module")
def modules():
    """Parse all modules and stubs of the package."""
    paths = sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyi")])
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


def test_no_name_of_the_package_has_a_word_that_is_out(modules):
    words = {
        path: out_of_use(names_in_python(tree)) - ALLOWED_NAMES.keys()
        for path, tree in modules.items()
    }
    assert {path: names for path, names in words.items() if names} == {}


def test_no_name_in_the_browser_has_a_word_that_is_out():
    words = {
        path.name: out_of_use(names_in_javascript(path.read_text("utf-8")))
        for path in sorted((ROOT / "js" / "src").glob("*.js"))
    }
    assert len(words) > 10
    assert {path: names for path, names in words.items() if names} == {}


def test_no_file_is_named_by_a_word_that_is_out():
    folders = ("rocviz", "tests", "benchmarks", "tools", "docs", "notebooks", "js/src", "js/tests")
    paths = []
    for folder in folders:
        for path in (ROOT / folder).rglob("*.*"):
            paths.append(path)
    assert (
        out_of_use(path.stem for path in paths if path.suffix in {".py", ".js", ".md", ".toml"})
        == set()
    )


def test_no_text_of_the_package_has_a_phrase_that_is_out(modules):
    texts = {(path, text) for path, tree in modules.items() for text in texts_in_python(tree)}
    for path in sorted(PACKAGE.rglob("*.toml")):
        texts |= {(path.name, text) for text in texts_in(tomllib.loads(path.read_text("utf-8")))}
    phrases = {(path, text) for path, text in texts if PHRASES.search(text)}
    assert {text for text in phrases if text[1] not in ALLOWED_TEXTS} == set()


@pytest.mark.parametrize("allowed", [pytest.param(name, id=name) for name in ALLOWED_NAMES])
def test_allowed_names_are_still_there(modules, allowed):
    assert any(allowed in names_in_python(tree) for tree in modules.values())
