"""The works of CITATION.cff: written in full, and found by their citations.

Docstrings, pages and notebooks cite by "Surname (year)", "Surname and Surname (year)" or
"Surname et al. (year)".
"""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import yaml

SOURCE = Path(__file__).resolve().parents[1] / "CITATION.cff"
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_NAME = rf"(?!(?:{_MONTH})\b)[A-ZÀ-Ž][\w'’]+(?:-[A-ZÀ-Ž][\w'’]+)*"
_SURNAME = rf"(?:Van\s+)?{_NAME}(?:\s+Filho)?"
_AUTHORS = rf"{_SURNAME}(?:(?:,\s+{_SURNAME})*,?\s+and\s+{_SURNAME}|\s+et\s+al\.)?"
#: Authors, then the year in brackets, or behind a comma or nothing at the end of a bracket.
CITATION = re.compile(
    rf"(?P<authors>{_AUTHORS})(?:\s+\(|,?\s+)(?P<year>(?:19|20)\d\d[a-z]?)(?=[),;:])"
)


@cache
def references():
    """List the works of CITATION.cff by the year and the authors' surnames, in order."""
    works = yaml.safe_load(SOURCE.read_text("utf-8"))["references"]
    keys = [(tuple(a["family-names"] for a in w["authors"]), str(w["year"])) for w in works]
    # Works that would be cited alike get a letter behind the year.
    alike = [(names if len(names) < 3 else names[0], year) for names, year in keys]
    often, seen, found = Counter(alike), Counter(), {}
    for key, same, work in zip(keys, alike, works, strict=True):
        letter = chr(ord("a") + seen[same]) if often[same] > 1 else ""
        seen[same] += 1
        found[key[0], key[1] + letter] = work
    return found


def work_cited(authors, year, works):
    """Find the key of the work that a citation means, or None if there is not exactly one."""
    authors = " ".join(authors.split())
    names = tuple(re.split(r",? and |, ", authors.removesuffix(" et al.")))
    many = authors.endswith(" et al.")
    found = [
        key
        for key in works
        if key[1] == year and (key[0][:1] == names and len(key[0]) > 2 if many else key[0] == names)
    ]
    return found[0] if len(found) == 1 else None


def described(key, work):
    """Write a work in full, as Markdown."""
    people = [f"{a['given-names']} {a['family-names']}" for a in work["authors"]]
    named = " and ".join([", ".join(people[:-1]), people[-1]]) if people[1:] else people[0]
    places = [
        work.get("journal") or work.get("conference", {}).get("name") or work.get("database"),
        work.get("collection-title"),
        work.get("publisher", {}).get("name"),
    ]
    place = ", ".join(filter(None, places))
    if "volume" in work:
        place += f" {work['volume']}" + (f"({work['issue']})" if "issue" in work else "")
    if "start" in work:
        place += f", {work['start']}" + (f"–{work['end']}" if "end" in work else "")
    same = [identifier["value"] for identifier in work.get("identifiers", [])]
    if "doi" in work:
        link = f"[doi:{work['doi']}](<https://doi.org/{work['doi']}>)"
    else:
        link = f"[{same[0] if same else 'online'}](<{work['url']}>)" if "url" in work else ""
    ends = [f"*{work['title']}*", place, link, work.get("notes", "").removesuffix(".")]
    return f"{named} ({key[1]}). " + ". ".join(filter(None, ends)) + "."
