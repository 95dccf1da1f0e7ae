"""A Sphinx extension: pages of the site in which explorers move and stories are told.

They are recorded when the site is built, need no Python and no network, and share their scripts.
``live`` shows one inside a page, ``live-list`` links to all of them. Each is recorded once: again
only after rocviz has changed.
"""

import hashlib
import shutil
from functools import cache
from html import escape
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)

FOLDER = Path(__file__).parent / "_pictures" / "live"
#: Explorers by the name of their page: title, what opens it, and which controls are recorded.
EXPLORERS = {
    "front": (
        "ROC curve",
        ("ROCExplorer", {"panels": ["roc", "scores"], "show_hull": False, "show_band": False}),
        {"threshold": 61},
    ),
    "roc": ("ROC curve", ("ROCExplorer", {}), {"threshold": 41}),
    "temperature": ("Temperature of a ranking", ("FermiDiracExplorer", {}), {"temperature": 41}),
    "crowd": ("Crowds of classifiers", ("EnsembleExplorer", {}), {"correlation": 21}),
    "list": ("Scoring list", ("ScoringListExplorer", {}), {"lower": 11, "upper": 11}),
    "cut": ("Decisions", ("DecisionExplorer", {}), {"k": ..., "metric": ...}),
    "dictionary": ("Lexicographic ranker", ("LexicographicExplorer", {}), {"preset": ...}),
    "loss": ("Ranking loss", ("RankingLossExplorer", {}), {"a": ...}),
}
VALUES = 15  # of a control around a story's step


@cache
def package():
    """Return a digest of rocviz, its scripts and stories included."""
    import rocviz

    digest = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted(Path(rocviz.__file__).parent.rglob("*.*")):
        if path.suffix in (".py", ".js", ".css", ".toml"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def record(name):
    """Write a page of the site, unless it is there."""
    import rocviz

    mark = FOLDER / f"{name}.sha256"
    path = FOLDER / f"{name}.html"
    if path.exists() and mark.exists() and mark.read_text() == package():
        return
    logger.info("recording %s", name)
    if name in EXPLORERS:
        _, (kind, inputs), controls = EXPLORERS[name]
        shown = getattr(rocviz, kind)(**inputs)
        recording = shown.record(progress=iter, **controls)
    else:
        shown = rocviz.stories.open_story(name.removeprefix("story-"))
        recording = shown.record(most=VALUES, progress=iter)
    recording.to_html(path, scripts="scripts")
    shown.close()
    mark.write_text(package())


def names():
    """Return the names of all pages."""
    from rocviz.stories import NAMES

    return [*EXPLORERS, *(f"story-{name}" for name in NAMES)]


class Live(SphinxDirective):
    """A page of the site in a frame: what is in it can be dragged at once."""

    required_arguments = 1
    option_spec = {"alt": directives.unchanged_required}  # noqa: RUF012

    def run(self):
        address = "../" * self.env.docname.count("/") + f"live/{self.arguments[0]}.html"
        title = escape(self.options["alt"])
        frame = f'<iframe class="live" src="{address}" title="{title}"></iframe>'
        return [nodes.raw("", frame, format="html")]


class LiveList(SphinxDirective):
    """Links to all stories, or to all explorers."""

    required_arguments = 1

    def run(self):
        from rocviz.stories import Gallery

        gallery = Gallery()
        items = gallery.menu.items
        gallery.close()
        up = "../" * self.env.docname.count("/")
        found = nodes.bullet_list()
        pages = [name for name in names() if name != "front"]
        stories = [name for name in pages if name.startswith("story-")]
        order = [*stories, *(name for name in pages if name not in stories)]
        for name, item in zip(order, items, strict=True):
            if (name in stories) == (self.arguments[0] == "stories"):
                words = nodes.paragraph()
                words += nodes.reference("", item["title"], refuri=f"{up}live/{name}.html")
                words += nodes.Text(f": {item['about'].rstrip('.')}")
                found += nodes.list_item("", words)
        return [found]


def _record_all(app):
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names():
        record(name)


def _copy(app, exception):
    if exception is None and app.builder.format == "html":
        ignored = shutil.ignore_patterns("*.sha256")
        shutil.copytree(FOLDER, Path(app.outdir) / "live", dirs_exist_ok=True, ignore=ignored)


def setup(app):
    """Register the directives, and when pages are recorded and copied."""
    app.add_directive("live", Live)
    app.add_directive("live-list", LiveList)
    app.connect("builder-inited", _record_all)
    app.connect("build-finished", _copy)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
