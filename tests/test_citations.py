"""Every citation leads to the one bibliography, and every work in it is cited."""

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def _load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


works = _load(ROOT / "docs" / "works.py")
WORKS = works.references()


def plain(path):
    """Read a file's words in one line, without comment signs."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        text = re.sub(r"^# ?", "", text, flags=re.MULTILINE)
    return " ".join(text.split())


TEXTS = {
    path.relative_to(ROOT).as_posix(): plain(path)
    for path in (
        ROOT / "README.md",
        *sorted((ROOT / "docs").glob("*.md")),
        *sorted((ROOT / "notebooks").glob("*.py")),
        *sorted((ROOT / "rocviz").rglob("*.py")),
    )
}
CITATIONS = [
    (name, match["authors"], match["year"])
    for name, text in TEXTS.items()
    for match in works.CITATION.finditer(text)
]


def test_every_citation_is_in_the_bibliography():
    unknown = [
        f"{name}: {authors} ({year})"
        for name, authors, year in CITATIONS
        if works.work_cited(authors, year, WORKS) is None
    ]
    assert len(CITATIONS) > 150
    assert not unknown, f"not in CITATION.cff, or not with these authors and year: {unknown}"


def test_citations_have_one_form():
    surnames = "|".join(sorted({re.escape(key[0][0]) for key in WORKS}))
    beside = re.compile(rf"\b(?:{surnames})\b[^.;:()]{{0,60}}(?:et al\.,? )?\(?((?:19|20)\d\d)\b")
    for name, text in TEXTS.items():
        known = [match.span("year") for match in works.CITATION.finditer(text)]
        for match in beside.finditer(text):
            where = match.start(1)
            assert any(a <= where < b for a, b in known), f"{name}: {match[0]}"


def test_every_work_is_cited():
    cited = {works.work_cited(authors, year, WORKS) for _, authors, year in CITATIONS}
    assert not set(WORKS) - cited


def test_wrong_years_and_missing_authors_are_found():
    assert works.work_cited("Natarajan et al.", "2015", WORKS)
    assert works.work_cited("Natarajan et al.", "2014", WORKS) is None
    assert works.work_cited("Flach", "2008", WORKS) is None
    assert works.work_cited("Flach et al.", "2008", WORKS) is None


@pytest.mark.parametrize("key", WORKS, ids=lambda key: f"{key[0][0]}-{key[1]}")
def test_works_have_venues_and_full_titles(key):
    work = WORKS[key]
    assert {"journal", "conference", "publisher", "database", "identifiers"} & set(work)
    # the form that the Citation File Format allows; other signs stand in a link
    assert re.fullmatch(r"10\.\d{4,9}/[\w:/;.()\[\]-]+", work.get("doi", "10.1000/1"))
    assert f"*{work['title']}*" in works.described(key, work)


@pytest.mark.parametrize("name", [name for name in TEXTS if name.startswith("notebooks/")])
def test_the_sources_of_a_notebook_have_the_titles_of_the_bibliography(name):
    _, _, sources = TEXTS[name].partition("## Sources ")
    assert bool(sources) == (name != "notebooks/00_start_here.py")
    matches = re.findall(r"- ([^()*]+) \((\d{4}[a-z]?)\)\. \*([^*]+)\.\*", sources)
    assert len(matches) == sources.count(" - ")
    for authors, year, title in matches:
        work = WORKS[works.work_cited(authors, year, WORKS)]
        assert work["title"].lower().startswith(title.lower())
