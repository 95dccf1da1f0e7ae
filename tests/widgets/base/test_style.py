"""The style sheets have no unused rule."""

from __future__ import annotations

import re

import pytest

import rocviz
from rocviz.theme import COLOURS
from rocviz.widgets.base.widget import variables

#: Names that JupyterLab, Lumino, ipywidgets, bqplot, Voila, Sphinx and its theme give.
FOREIGN = re.compile(
    r"(jp|jupyter|lm|widget|bqplot|plotarea|bd|pst|cell|text|rendered|only)[-_]"
    r"|(axis|axislabel|tick|dot|bqplot|container|output_container|fn-bracket)$"
)

#: Composed names, and the source of their last part.
COMPOSED = {
    # of sentences
    r"rocviz-(positive|negative|hull|selected|optimum|group-[2-4])": r'\("{}", |"{}"\)',
    r"place-[0-6]": r"place-\$\{",  # of a picture; no explorer has more than seven
    r"knob-(\w+)": r'role="{}"',  # of a slider
    r"role-(\w+)": r'role ?=[^=]*"{}"',  # of a row
}


@pytest.fixture(scope="module")
def base(root):
    return root / "rocviz" / "widgets" / "base"


def without_comments(sheet):
    return re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL)


def selectors(sheet):
    """Collect the selectors."""
    return re.findall(r"([^{};]+)\{", sheet)


def classes(sheet):
    """List the classes of a style sheet that are ours."""
    names = set(re.findall(r"\.([a-zA-Z][\w-]*)", " ".join(selectors(sheet))))
    return sorted(name for name in names if not FOREIGN.match(name))


def text_of(files):
    return "\n".join(file.read_text("utf-8") for file in files)


@pytest.fixture(scope="module")
def sheet(base):
    return without_comments(base / "explorer.css")


@pytest.fixture(scope="module")
def source(root, base):
    scripts = (root / "js" / "src").glob("*.js")
    files = []
    for layer in ("displays", "widgets"):
        files.extend((root / "rocviz" / layer).rglob("*.py"))
    return text_of((*sorted(files), *sorted(scripts)))


def is_used(name, source):
    """Whether a class is named in some text between quotation marks, whole or in its parts."""
    for pattern, expected in COMPOSED.items():
        if match := re.fullmatch(pattern, name):
            return (
                re.search(expected.replace("{}", match[match.lastindex or 0]), source) is not None
            )
    if count := re.fullmatch(r"n(\d+)", name):
        # of pictures, or the most columns that a list of some width has room for
        explorers = [getattr(rocviz, n) for n in rocviz.__all__ if n.endswith("Explorer")]
        rooms = re.findall(r"\d+", "".join(re.findall(r"^ROOMS = (.*)", source, re.MULTILINE)))
        most = max(len(explorer.pictures) for explorer in explorers)
        return int(count[1]) <= most or count[1] in rooms
    return re.search(rf"""["'`][^"'`\n]*(?<![\w-]){name}(?![\w-])""", source) is not None


def test_every_css_class_is_used(sheet, source):
    ours = classes(sheet)
    assert {"rocviz-stage", "is-large", "knob-selected", "fold"} <= set(ours)
    assert [name for name in ours if not is_used(name, source)] == []


def test_pages_stories_and_the_site_have_no_unused_rule(root, base):
    files = []
    for folder, kinds in (("rocviz", "py"), ("js/src", "js"), ("docs", "py md js html")):
        for kind in kinds.split():
            files.extend((root / folder).rglob(f"*.{kind}"))
    built = root / "docs" / "_build"
    used = text_of(file for file in files if built not in file.parents)
    sheets = [base / "recording" / "page.css", base / "stories" / "story.css"]
    sheets += [
        *sorted((root / "rocviz" / "stories").glob("*.css")),
        root / "docs" / "_static" / "rocviz.css",
    ]
    for path in sheets:
        sheet = without_comments(path)
        assert sheet.count("{") == sheet.count("}")
        # a rule within the selector of another is what a slip of an editor leaves
        assert not [s for s in selectors(sheet) if "@" in s.strip()[1:]], path
        unused = [c for c in classes(sheet) if not re.search(rf"(?<![\w-]){c}(?![\w-])", used)]
        assert unused == [], path


def test_an_unused_class_is_found(source):
    for name in ("rocviz-nothing", "is-nothing", "knob-nothing", "role-nothing", "n99"):
        assert not is_used(name, source)


def test_every_variable_is_used_where_it_is_set(sheet, source):
    for name in set(re.findall(r"(--[\w-]+)\s*:", sheet)):
        assert f"var({name}" in sheet, name
    for name in set(re.findall(r"var\((--[\w-]+)", sheet)):
        is_set = any(f"{name}:" in text for text in (sheet, source, variables(dark=False)))
        assert is_set or f'"{name}"' in source, name


def test_every_role_that_words_use_has_its_colour(root, sheet):
    roles = set()
    for path in (root / "rocviz").rglob("*.py"):
        roles |= set(re.findall(r'\bink\(\s*"([a-z0-9-]+)"', path.read_text("utf-8")))
    assert {"selected", "hull"} < roles
    # words without a colour of their own are written like all others
    assert {role for role in roles - {"text"} if f".rocviz b.rocviz-{role} " not in sheet} == set()


@pytest.mark.parametrize("name", [name for name in rocviz.__all__ if name.endswith("Explorer")])
def test_every_role_of_a_control_has_its_colour(name, sheet):
    state_class = getattr(rocviz, name).__bases__[0]
    for control in state_class().controls().values():
        role = getattr(control, "role", "muted")
        assert role == "muted" or f".knob-{role} " in sheet


def test_every_role_of_a_sentence_has_its_colour(sheet):
    roles = [role.removesuffix("-text") for role in COLOURS if role.endswith("-text")]
    roles += [role for role in COLOURS if role.startswith("group-")]
    assert {role for role in roles if f".rocviz-{role}" not in sheet} == set()
