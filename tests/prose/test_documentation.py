"""The documentation's links have targets, its tables are whole, and the API page is complete."""

import re
from inspect import ismodule
from pathlib import Path
from pkgutil import resolve_name

import pytest

import rocviz
from rocviz._names import public_places

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "howto").glob("*.md")),
    *sorted((ROOT / "docs" / "gallery").glob("*.md")),
]


def test_local_links_have_targets():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:\s]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_rows_of_tables_have_as_many_cells_as_the_head(page):
    head = None
    for line in page.read_text("utf-8").splitlines():
        # a line within a cell's code or formula divides nothing
        n_cells = re.sub(r"\\\||`[^`]*`|\$[^$]*\$", "", line).count("|")
        head = (head or n_cells) if line.startswith("|") else None
        assert not line.startswith("|") or n_cells == head, line


def test_terms_of_the_glossary_have_their_own_lines():
    page = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    (glossary,) = re.findall(r"```\{glossary\}\n(.*?)```", page, re.DOTALL)
    for entry in glossary.strip().split("\n\n"):
        lines = entry.splitlines()
        terms = [line for line in lines if not line.startswith("  ")]
        assert lines[: len(terms)] == terms != lines, entry
        assert not any("." in term for term in terms), entry


def test_the_api_page_lists_exactly_the_public_names():
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    named = re.findall(r"^   ([A-Za-z]\w*(?:\.\w+)*)$", page, re.MULTILINE)
    for name in named:
        resolve_name(f"rocviz.{name}")
    top = {n for n in rocviz.__all__ if not ismodule(getattr(rocviz, n))} - {"__version__"}
    ideas = {
        f"{layer}.{idea}.{name}"
        for layer in ("core", "estimators", "displays", "widgets")
        for idea in getattr(rocviz, layer).__all__
        if idea != "data_of"
        for name in getattr(getattr(rocviz, layer), idea).__dict__.get("__all__", ())
        if name not in top
    }
    data = {f"datasets.{name}" for name in rocviz.datasets.__all__}
    others = {f"stories.{name}" for name in rocviz.stories.__all__ if name != "NAMES"}
    others |= {"widgets.data_of", "theme.Theme", "report.EvaluationReport"}
    assert sorted(named) == sorted(top | ideas | data | others)


def test_every_story_has_a_board_plan():
    from rocviz.stories import NAMES

    plans = (ROOT / "docs" / "board_plans.md").read_text("utf-8")
    named = re.findall(r"^\| \[([^]]+)\]\(#\S+\) \| (?:`(\w+)`|none)", plans, re.MULTILINE)
    assert tuple(story for _, story in named if story) == NAMES
    for title, _ in named:
        _, _, plan = plans.partition(f"\n## {title}\n")
        plan = plan.split("\n## ")[0]
        assert "**Board.**" in plan, title
        assert plan.count("\n| ") >= 4, title  # a head and three questions at least


CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")
QUOTED = sorted(set(re.findall(r"`([^`]+)`", CHANGELOG)))


@pytest.mark.parametrize(
    "name", [quoted for quoted in QUOTED if re.fullmatch(r"rocviz(\.\w+)+", quoted)]
)
def test_names_in_the_change_log_can_be_looked_up(name):
    resolve_name(name)


def test_the_change_log_gives_names_in_full():
    short = {name: public_places()[name][0] for name in QUOTED if name in public_places()}
    assert short == {}
