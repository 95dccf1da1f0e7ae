"""A Sphinx extension: the form of citations, and links from citations in prose.

sphinxcontrib-bibtex reads ``references.bib``, shows it, and links ``{cite:t}`` to its entries. What
is read outside of Sphinx too, docstrings and notebooks, cites in prose: "Menon et al. (2012)", or
"Menon et al., 2012" within brackets. The words have to be those that the roles write.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

import pybtex.plugin
import sphinxcontrib.bibtex.plugin
from docutils import nodes
from pybtex.database import Entry, parse_file
from pybtex.style.formatting.plain import Style as PlainStyle
from pybtex.style.labels import BaseLabelStyle
from pybtex.style.sorting import BaseSortingStyle
from sphinx.addnodes import pending_xref
from sphinx.transforms import SphinxTransform
from sphinxcontrib.bibtex.style.referencing import BracketStyle, PersonStyle
from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle
from sphinxcontrib.bibtex.style.template import join, join2, post_text, pre_text, reference, year

REFERENCES = Path(__file__).parent / "references.bib"
_round_brackets = partial(BracketStyle, left="(", right=")", sep="; ")
_names = partial(PersonStyle, last_sep=" and ", other=" et al.")


@dataclass
class AuthorsAndYear(AuthorYearReferenceStyle):
    """Citations as in prose, with round brackets; all of one is a link, not the year alone."""

    bracket_parenthetical: BracketStyle = field(default_factory=_round_brackets)
    person: PersonStyle = field(default_factory=_names)

    def inner(self, role_name):
        """Write a citation, with what comes before and after it."""
        if role_name not in ("t", "ts"):
            return super().inner(role_name)
        names = self.person.author_or_editor_or_title(full=role_name == "ts")
        cited = reference[join[names, " (", year, ")"]]
        return join2(sep1=self.pre_text_sep, sep2=self.post_text_sep)[pre_text, cited, post_text]


STYLE = AuthorsAndYear()
PLAIN_TEXT = pybtex.plugin.find_plugin("pybtex.backends", "plaintext")()


def authors(entry: Entry, full: bool = False) -> str:
    """Write the authors of a work as a citation does; in full, all of them."""
    template = STYLE.person.names("author", full)
    names = template.format_data({"entry": entry, "style": STYLE})
    return " ".join(names.render(PLAIN_TEXT).split())


def citation(entry: Entry) -> str:
    """Write the citation of a work: authors and year."""
    return f"{authors(entry)} ({entry.fields['year']})"


class CitationLabels(BaseLabelStyle):
    """Works in the bibliography are called what they are called where they are cited."""

    def format_labels(self, sorted_entries):
        """Name the entries."""
        return [citation(entry) for entry in sorted_entries]


class CitationOrder(BaseSortingStyle):
    """Works are in the alphabetical order of their citations; é is an e there."""

    def sorting_key(self, entry):
        """Spell a citation without accents."""
        letters = unicodedata.normalize("NFKD", citation(entry).casefold())
        return "".join(letter for letter in letters if not unicodedata.combining(letter))


class BibliographyStyle(PlainStyle):
    """The style of the bibliography."""

    default_label_style = CitationLabels
    default_sorting_style = CitationOrder


@cache
def citations() -> dict[str, tuple[str, str]]:
    """Collect the words that cite works, each with the role that writes them and the work's key.

    Three authors or more may all be named, or the first of them "et al.".
    """
    found = {}
    for key, entry in parse_file(REFERENCES).entries.items():
        year = entry.fields["year"]
        for names, plural in ((authors(entry, full=True), "s"), (authors(entry), "")):
            found[f"{names} ({year})"] = f"t{plural}", key
            found[f"{names}, {year}"] = f"alp{plural}", key
    return found


@cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(citations(), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)))


class LinkCitations(SphinxTransform):
    """Replace each citation in prose by the role that would write it."""

    default_priority = 800
    unlinkable = (nodes.reference, nodes.literal, nodes.literal_block, nodes.raw, nodes.title)

    def apply(self):
        """Replace the citations of a page."""
        self.env.note_dependency(str(REFERENCES))
        for text in list(self.document.findall(nodes.Text)):
            if not self._inside(text, self.unlinkable):
                replaced = self._replaced(re.sub(r"\s", " ", text))
                if len(replaced) > 1:
                    text.parent.replace(text, replaced)

    def _inside(self, node, kinds):
        while node.parent is not None and not isinstance(node.parent, kinds):
            node = node.parent
        return node.parent is not None

    def _replaced(self, words):
        made, end = [], 0
        for found in _pattern().finditer(words):
            role, key = citations()[found[0]]
            target = {"refdomain": "cite", "reftype": role, "reftarget": key}
            shown = nodes.inline("", found[0])
            made.append(nodes.Text(words[end : found.start()]))
            made.append(pending_xref("", shown, refdoc=self.env.docname, refwarn=True, **target))
            end = found.end()
        return [*made, nodes.Text(words[end:])]


def setup(app):
    """Register the styles, by the names that the settings have for them, and the links."""
    sphinxcontrib.bibtex.plugin.register_plugin(
        "sphinxcontrib.bibtex.style.referencing", "authors_and_year", AuthorsAndYear, force=True
    )
    pybtex.plugin.register_plugin(
        "pybtex.style.formatting", "authors_and_year", BibliographyStyle, force=True
    )
    app.add_transform(LinkCitations)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
