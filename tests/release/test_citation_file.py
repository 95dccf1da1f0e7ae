"""CITATION.cff cites rocviz: it is valid, dated, and agrees with the bibliography."""

import datetime
import importlib.util
import re
from pathlib import Path

import jsonschema
import pytest
import yaml
from pybtex.richtext import Text

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
SPEC = importlib.util.spec_from_file_location("citations", ROOT / "docs" / "citations.py")
citations = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(citations)

FILE = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
WORDS = {"type": "string", "minLength": 1}
LINK = {"type": "string", "pattern": "^https://"}
DOI = {"type": "string", "pattern": r"^10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-\.\(\)\[\]\\]+$"}
AUTHOR = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"name": WORDS, "family-names": WORDS, "given-names": WORDS},
    "anyOf": [{"required": ["name"]}, {"required": ["family-names"]}],
}
AUTHORS = {"type": "array", "items": AUTHOR, "minItems": 1}
WORK = {
    "type": "object",
    "additionalProperties": False,
    "required": ["authors", "title", "type"],
    "properties": {
        "authors": AUTHORS,
        "doi": DOI,
        "title": WORDS,
        "type": {"enum": ["article", "book", "conference-paper"]},
        "url": LINK,
        "year": {"type": "integer"},
    },
}
#: The part of the schema 1.2.0 of the Citation File Format that the file needs.
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["authors", "cff-version", "message", "title"],
    "properties": {
        "abstract": WORDS,
        "authors": AUTHORS,
        "cff-version": {"const": "1.2.0"},
        "date-released": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"},
        "keywords": {"type": "array", "items": WORDS, "minItems": 1, "uniqueItems": True},
        "license": {"const": "BSD-3-Clause"},
        "message": WORDS,
        "references": {"type": "array", "items": WORK, "minItems": 1, "uniqueItems": True},
        "repository-code": LINK,
        "title": WORDS,
        "type": {"const": "software"},
        "url": LINK,
        "version": WORDS,
    },
}


def test_the_file_is_valid():
    jsonschema.validate(FILE | {"date-released": str(FILE["date-released"])}, SCHEMA)
    assert {"abstract", "date-released", "keywords", "version"} <= set(FILE)


def test_the_date_is_that_of_the_release():
    assert type(FILE["date-released"]) is datetime.date
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    version = re.escape(FILE["version"])
    released = re.search(rf"^## {version} \((.*)\)$", changelog, re.MULTILINE)[1]
    assert released in ("unreleased", str(FILE["date-released"]))


@pytest.mark.parametrize("work", FILE["references"], ids=lambda work: work["title"])
def test_papers_are_those_of_the_bibliography(work):
    surnames = [author["family-names"] for author in work["authors"]]
    given_names = [author["given-names"] for author in work["authors"]]
    names = [
        entry
        for entry in citations.parse_file(citations.REFERENCES).entries.values()
        if Text.from_latex(entry.fields["title"]).render(citations.PLAIN_TEXT) == work["title"]
    ]
    assert len(names) == 1
    fields = names[0].fields
    people = names[0].persons["author"]
    assert [" ".join(person.last_names) for person in people] == surnames
    assert [
        " ".join([*person.first_names, *person.middle_names]) for person in people
    ] == given_names
    assert fields["year"] == str(work["year"])
    online = fields.get("url") or f"https://arxiv.org/abs/{fields.get('eprint')}"
    assert work.get("doi") == fields.get("doi")
    assert "doi" in work or work["url"] == online
