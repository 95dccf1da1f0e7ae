"""Every citation leads to an entry of docs/references.bib, and every entry is cited."""

import importlib.util
import io
import re
from pathlib import Path

import pytest
from pybtex.database import parse_file
from pybtex.richtext import Text
from sphinx.application import Sphinx

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"

_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_NAME = rf"(?!(?:{_MONTH})\b)[A-ZÀ-Ž][\w'’]+(?:-[A-ZÀ-Ž][\w'’]+)*"
_SURNAME = rf"(?:Van\s+)?{_NAME}(?:\s+Filho)?"
_AUTHORS = rf"{_SURNAME}(?:(?:,\s+{_SURNAME})*,?\s+and\s+{_SURNAME}|\s+et\s+al\.)?"
#: What reads as a citation, of a known work or not: authors, then a year in brackets or behind a
#: comma within brackets.
CITATION = re.compile(rf"{_AUTHORS}(?:\s+\(|,\s+)(?P<year>(?:19|20)\d\d[a-z]?)(?=[),;:])")
ROLE = re.compile(r"\{cite:\w+\}`(\w+)`")


def _load(name):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


citations = _load("citations")
WORKS = parse_file(citations.REFERENCES).entries
KNOWN = citations.citations()
STYLE = citations.BibliographyStyle()


def title_of(key):
    """Find the title of a work, without the signs of BibTeX."""
    return Text.from_latex(WORKS[key].fields["title"]).render(citations.PLAIN_TEXT)


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
        *sorted(path for path in DOCS.rglob("*.md") if "_build" not in path.parts),
        *sorted((ROOT / "notebooks").glob("*.py")),
        *sorted((ROOT / "rocviz").rglob("*.py")),
    )
}


def key_of(words):
    """Find the key of the work that a citation in prose means, or None."""
    words = f"{words})" if "(" in words else words
    return KNOWN[words][1] if words in KNOWN else None


def cited(text):
    """List what a text cites, in prose or by a role: the words, and the key or None."""
    in_prose = [(match[0], key_of(match[0])) for match in CITATION.finditer(text)]
    return in_prose + [(match[0], match[1]) for match in ROLE.finditer(text)]


def test_every_citation_has_an_entry():
    unknown = []
    for name, text in TEXTS.items():
        for words, key in cited(text):
            if key not in WORKS:
                unknown.append(f"{name}: {words}")
    assert not unknown, f"not in references.bib, or not with these authors and year: {unknown}"


def test_every_entry_is_cited():
    assert {key for text in TEXTS.values() for _, key in cited(text)} >= set(WORKS)


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("Natarajan et al. (2015)", "natarajan2015"),
        ("(Natarajan et al., 2015)", "natarajan2015"),
        ("Kull, Silva Filho and Flach (2017)", "kull2017"),
        ("Kull et al. (2017)", "kull2017"),
        ("Bösner et al. (2010b)", "bosner2010b"),
        ("Natarajan et al. (2014)", None),
        ("Bösner et al. (2010)", None),
        ("Matsubara and Flach (2008)", None),
        ("Flach (2008)", None),
        ("Flach et al. (2008)", None),
    ],
)
def test_years_and_all_authors_have_to_be_right(words, key):
    assert [cited_key for _, cited_key in cited(words)] == [key]


def test_citations_have_one_form():
    surnames = {re.escape(citations.authors(work).split(" and ")[0]) for work in WORKS.values()}
    surnames = "|".join(sorted(name.removesuffix(r"\ et\ al\.") for name in surnames))
    beside = re.compile(rf"\b(?:{surnames})\b[^.;:()]{{0,60}}(?:et al\.,? )?\(?((?:19|20)\d\d)\b")
    for name, text in TEXTS.items():
        known = [match.span("year") for match in CITATION.finditer(text)]
        for match in beside.finditer(text):
            where = match.start(1)
            assert any(a <= where < b for a, b in known), f"{name}: {match[0]}"


@pytest.mark.parametrize("key", WORKS)
def test_entries_say_where_a_work_was_published(key):
    fields = WORKS[key].fields
    assert {"journal", "booktitle", "publisher", "howpublished", "eprint"} & set(fields)
    assert re.fullmatch(r"10\.\d{4,9}/[\w:/;.()<>\[\]-]+", fields.get("doi", "10.1000/1"))
    (shown,) = STYLE.format_entries([WORKS[key]])
    assert shown.label in KNOWN
    assert title_of(key) in shown.text.render(citations.PLAIN_TEXT)


def unaccented(label):
    return label.casefold().translate(str.maketrans("äéö", "aeo"))


def test_works_are_in_the_order_of_their_citations():
    shown = STYLE.format_entries(WORKS.values())
    labels = [unaccented(work.label) for work in shown]
    assert labels == sorted(labels)


@pytest.mark.parametrize("name", [name for name in TEXTS if name.startswith("notebooks/")])
def test_the_sources_of_a_notebook_have_the_titles_of_the_bibliography(name):
    _, _, sources = TEXTS[name].partition("## Sources ")
    assert bool(sources) == (name != "notebooks/00_start_here.py")
    matches = re.findall(r"- ([^()*]+ \(\d{4}[a-z]?\))\. \*([^*]+)\.\*", sources)
    assert len(matches) == sources.count(" - ")
    for words, title in matches:
        assert title_of(KNOWN[words][1]).lower().startswith(title.lower())


def test_citations_lead_to_their_entries(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    (tmp_path / "index.rst").write_text(
        "Site\n====\n\n"
        "Corrects Menon et\nal. (2012), Proposition 2 (Kull, Silva Filho and Flach, 2017).\n\n"
        "As :cite:t:`kim2021{figure 1}` do :cite:p:`bosner2010a,lewis1995`.\n"
        "Not ``Lewis (1995)``, and not Nobody (1995).\n\n"
        ".. toctree::\n\n   works\n"
    )
    (tmp_path / "works.rst").write_text("Works\n=====\n\n.. bibliography::\n   :all:\n")
    settings = {
        "extensions": ["sphinxcontrib.bibtex", "citations"],
        "bibtex_bibfiles": [str(citations.REFERENCES)],
        "bibtex_default_style": "authors_and_year",
        "bibtex_reference_style": "authors_and_year",
        "bibtex_cite_id": "{key}",
    }
    build = tmp_path / "_build"
    problems = io.StringIO()
    Sphinx(
        tmp_path,
        None,
        build / "html",
        build / "doctrees",
        "html",
        confoverrides=settings,
        status=None,
        warning=problems,
    ).build()
    assert problems.getvalue() == ""
    page = (build / "html" / "index.html").read_text("utf-8")
    page = page.replace("\N{NO-BREAK SPACE}", " ")
    links = re.findall(r'<a [^>]*href="works\.html#(\w+)"[^>]*>([^<]*)</a>', page)
    assert links == [
        ("menon2012", "Menon et al. (2012)"),
        ("kull2017", "Kull, Silva Filho and Flach, 2017"),
        ("kim2021", "Kim et al. (2021)"),
        ("bosner2010a", "Bösner et al., 2010a"),
        ("lewis1995", "Lewis, 1995"),
    ]
    works = (build / "html" / "works.html").read_text("utf-8")
    assert set(WORKS) <= set(re.findall(r'class="citation" id="(\w+)"', works))
    assert "Predicting accurate probabilities with a ranking loss" in works
