"""A Sphinx extension: draw the pictures of the code on a page when the site is built.

``picture`` shows what the Python above it draws, ``thumbnails`` all pictures of another page,
small; ``explorer`` an explorer as it looks on a wide screen and, for telephones, its large picture.
Each is drawn in light and in dark, once: again only after its code or rocviz has changed.
"""

import ast
import contextlib
import hashlib
import importlib.util
import io
import json
import re
import tempfile
from functools import cache
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

DOCS = Path(__file__).parent
MADE = DOCS / "_pictures"
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"^```\{picture\}\n:alt: (.*)$", re.MULTILINE)
HEADING = re.compile(r"^## (.*)$", re.MULTILINE)

#: Size of a picture that is shown small, as a share of its own.
THUMBNAIL_SCALE = 0.62

logger = logging.getLogger(__name__)


@cache
def package():
    """Compute a digest of rocviz, so that pictures are drawn again after any change."""
    import rocviz

    digest = hashlib.sha256()
    for path in sorted(Path(rocviz.__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def explorers():
    """Find the code that makes each explorer for its picture, by the picture's name."""
    path = DOCS.parent / "tools" / "screenshots.py"
    spec = importlib.util.spec_from_file_location("screenshots", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.EXPLORERS


def figure_of(code, *, panel=False, bare=False):
    """Run code and return its last figure, or the static figure of an explorer.

    With ``panel`` only the large picture, with ``bare`` without the sentence above it.
    """
    import ipywidgets
    import matplotlib.pyplot as plt
    from matplotlib.figure import Figure

    plt.close("all")
    names, last = {}, None
    quiet = contextlib.redirect_stdout(io.StringIO())
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), quiet:
        for statement in ast.parse(code).body:
            text = ast.unparse(statement)
            if isinstance(statement, ast.Expr):
                last = eval(text, names)
            else:
                exec(text, names)
    shown = [one for one in (*names.values(), last) if hasattr(one, "static_figure")]
    if shown:
        explorer = shown[-1]
        if panel:
            explorer.panels = [explorer.focus]
        figure = explorer.static_figure()
        for words in [*figure.texts, *figure.artists] if bare else ():
            words.remove()
    else:
        drawn = [one for one in names.values() if isinstance(one, Figure)]
        figure = drawn[-1] if drawn else plt.figure(plt.get_fignums()[-1])
    for one in (*names.values(), last):
        if isinstance(one, ipywidgets.Widget):
            one.close()
    return figure


def made(name, code, **how):
    """Find the pictures of some code, in light and in dark, relative to docs."""
    import matplotlib
    import matplotlib.pyplot as plt

    from rocviz import get_theme, set_theme

    matplotlib.use("agg")
    MADE.mkdir(exist_ok=True)
    paths = [MADE / f"{name}-{look}.svg" for look in ("light", "dark")]
    digest = hashlib.sha256(json.dumps([code, how, package()]).encode()).hexdigest()
    mark = MADE / f"{name}.sha256"
    if not mark.exists() or mark.read_text() != digest or not all(p.exists() for p in paths):
        logger.info("drawing %s", name)
        before = get_theme()
        try:
            for path, dark in zip(paths, (False, True), strict=True):
                set_theme(dark=dark, lecture=False)
                with matplotlib.rc_context({"svg.hashsalt": name}):
                    room = "tight" if how.get("bare") else None
                    figure = figure_of(code, **how)
                    if how.get("bare"):  # it is shown small, and its type stays as large
                        figure.set_size_inches(figure.get_size_inches() * THUMBNAIL_SCALE)
                    figure.savefig(path, metadata={"Date": None}, bbox_inches=room)
        finally:
            set_theme(dark=before.dark, lecture=before.lecture)
            plt.close("all")
        mark.write_text(digest)
    return [f"/_pictures/{path.name}" for path in paths]


def images(paths, alt, *classes):
    """Make a picture in light and in dark, of which only one is visible and read out."""
    return [
        nodes.image(uri=path, alt=alt, loading="lazy", classes=[f"only-{look}", *classes])
        for path, look in zip(paths, ("light", "dark"), strict=True)
    ]


def pieces(docname, text):
    """Yield heading, name, code and alternative text of each picture of a page."""
    for number, match in enumerate(PICTURE.finditer(text), start=1):
        above = text[: match.start()]
        heading = HEADING.findall(above)
        code = PYTHON.findall(above)[-1]
        name = f"{docname.replace('/', '-')}-{number}"
        yield heading[-1] if heading else "", name, code, match[1]


class Picture(SphinxDirective):
    """The picture that the Python above draws."""

    option_spec = {"alt": directives.unchanged_required}  # noqa: RUF012

    def run(self):
        docname = self.env.docname
        text = Path(self.env.doc2path(docname)).read_text("utf-8")
        found = [one for one in pieces(docname, text) if one[3] == self.options["alt"]]
        if len(found) != 1:
            raise self.error("two pictures of one page must not have the same alternative text")
        _, name, code, alt = found[0]
        return _shown(self, made(name, code), alt, "picture")


class Explorer(SphinxDirective):
    """An explorer: its screenshot, or on a telephone only its large picture."""

    required_arguments = 1
    option_spec = {"alt": directives.unchanged_required}  # noqa: RUF012

    def run(self):
        name, alt = self.arguments[0], self.options["alt"]
        wide = [f"/_static/{name}-{look}.png" for look in ("light", "dark")]
        narrow = made(f"{name}-narrow", explorers()[name], panel=True)
        return _shown(self, wide, alt, "screenshot", "wide") + _shown(
            self, narrow, f"{alt}. Its large picture.", "narrow"
        )


class Thumbnails(SphinxDirective):
    """Thumbnails of all pictures of a page, each a link to its place."""

    required_arguments = 1

    def run(self):
        page = self.arguments[0]
        self.env.note_dependency(self.env.doc2path(page))
        text = Path(self.env.doc2path(page)).read_text("utf-8")
        up = "../" * self.env.docname.count("/")
        grid = nodes.container(classes=["thumbnails"])
        for heading, name, code, _ in pieces(page, text):
            anchor = re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")
            card = nodes.container(classes=["thumbnail"])
            link = nodes.reference("", "", refuri=f"{up}{page}.html#{anchor}", internal=True)
            for image in images(made(name, code), ""):
                link += image
                _collect(self, image)
            link += nodes.inline("", heading)
            card += nodes.paragraph("", "", link)
            grid += card
        return [grid]


def _shown(directive, paths, alt, *classes):
    shown = images(paths, alt, *classes)
    for image in shown:
        _collect(directive, image)
    return shown


def _collect(directive, image):
    """Register the file with Sphinx, like an image that it reads itself."""
    directive.set_source_info(image)


def setup(app):
    """Register the directives."""
    app.add_directive("picture", Picture)
    app.add_directive("explorer", Explorer)
    app.add_directive("thumbnails", Thumbnails)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
