"""A Sphinx extension: the directive ``bibliography``, and a link to it from every citation."""

from docutils import nodes
from pages import IDEAS, linked, listed, parts
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode
from works import CITATION, described, references, work_cited


def anchor(key):
    """Make the anchor of a work on the page."""
    return f"ref-{key[0][0]}-{key[1]}".lower().replace(" ", "-")


def entry(key, works):
    """Write a work in full, and the ideas of rocviz that follow it, as Markdown."""
    taught = []
    for name in IDEAS:
        for paper in listed(name, "paper"):
            cited = CITATION.search(paper)
            if work_cited(cited["authors"], cited["year"], works) == key:
                of = parts([name])
                taught += [linked("", *place) for place in of.get("idea", of["chapter"])]
    return described(key, works[key]) + (f" In rocviz: {', '.join(taught)}." if taught else "")


class Bibliography(SphinxDirective):
    """Write all works, each with an anchor."""

    def run(self):
        entries, works = [], references()
        for key in works:
            made = nodes.container(ids=[anchor(key)], classes=["reference-entry"])
            made += self.parse_text_to_nodes(entry(key, works))
            entries.append(made)
        return entries


class LinkCitations(SphinxPostTransform):
    """Link every citation in a text to the bibliography."""

    default_priority = 5

    def run(self, **kwargs):
        if self.env.docname == "bibliography":
            return
        works = references()
        unlinkable = (nodes.reference, nodes.literal, nodes.literal_block, nodes.title)
        for text in list(self.document.findall(nodes.Text)):
            node = text.parent
            while node is not None and not isinstance(node, unlinkable):
                node = node.parent
            if node is not None:
                continue
            parts, end = [], 0
            for match in CITATION.finditer(text):
                key = work_cited(match["authors"], match["year"], works)
                if key is None:
                    continue
                parts.append(nodes.Text(text[end : match.start()]))
                end = match.end() + (text[match.end()] == ")" and "(" in match[0])
                where = (self.app.builder, self.env.docname, "bibliography", anchor(key))
                parts.append(make_refnode(*where, nodes.Text(text[match.start() : end])))
            if parts:
                parts.append(nodes.Text(text[end:]))
                text.parent.replace(text, parts)


def setup(app):
    """Register the directive and the links."""
    app.add_directive("bibliography", Bibliography)
    app.add_post_transform(LinkCitations)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
