"""A Sphinx extension: what makes the pages one site.

Links between an idea's page, chapter, explorer, paper and names (from ideas.toml); notebooks as
pages (their links stay on the site, their pictures say in words what they show); a description of
each page for search engines; ``llms.txt`` for programs that read.
"""

import json
import re
import tomllib
import zlib
from collections.abc import Container, Iterator
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxRole

DOCS = Path(__file__).parent
NOTEBOOKS = DOCS.parent / "notebooks"
IDEAS = tomllib.loads((DOCS / "ideas.toml").read_text("utf-8"))
PROJECT = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))["project"]
REPOSITORY = PROJECT["urls"]["Repository"]
_TITLE = re.compile(r"^# .*$", re.MULTILINE)
#: Names of an idea that its links show; the page of the reference has all.
_SHOWN = 6


def chapter(name: str) -> str:
    """Return the file name, without its ending, of a chapter that is named without its number."""
    found = [path.stem for path in NOTEBOOKS.glob("*.ipynb") if path.stem.partition("_")[2] == name]
    if len(found) != 1:
        raise LookupError(f"ideas.toml: {len(found)} notebooks are called {name!r}")
    return found[0]


def chapter_title(stem: str) -> str:
    """Return the first heading of a notebook."""
    cells = json.loads((NOTEBOOKS / f"{stem}.ipynb").read_text("utf-8"))["cells"]
    text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return _TITLE.search(text)[0].removeprefix("# ")


def page_title(name: str) -> str:
    """Return the heading of a page below docs."""
    return _TITLE.search((DOCS / f"{name}.md").read_text("utf-8"))[0].removeprefix("# ")


def parts(name: str, here: str = "") -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield what there is of an idea, as (word, [(text, page or place on a page)])."""
    idea = IDEAS[name]
    if idea.get("page") and idea["page"] != here:
        yield "idea", [(idea["title"], idea["page"])]
    chapters = [chapter(one) for one in idea.get("chapters", ())]
    chapters = [stem for stem in chapters if f"notebooks/{stem}" != here]
    if chapters:
        yield "chapter", [(chapter_title(stem), f"notebooks/{stem}") for stem in chapters]
    if idea.get("explorer"):
        yield "explorer", [(idea["explorer"], f"explorers#{idea['explorer'].lower()}")]
    if idea.get("story"):
        yield "story", [(idea["story"].replace("_", " "), "stories")]
    howto = [f"howto/{page}" for page in idea.get("howto", ())]
    howto = [page for page in howto if page != here]
    if howto:
        yield "how-to", [(page_title(page), page) for page in howto]
    names = [one for one in idea.get("api", ()) if f"api/rocviz.{one}" != here]
    if names and not here.startswith("api/"):
        shown = [(f"`{one}`", f"api/rocviz.{one}") for one in names[:_SHOWN]]
        yield "reference", [*shown, ("all", "api")] if len(names) > _SHOWN else shown
    elif names:
        yield "reference", [("all names", "api")]


def links(name: str, here: str) -> str:
    """Return one idea's links as Markdown, from a page."""
    up = "../" * here.count("/")
    lines = []
    for word, targets in parts(name, here):
        made = ", ".join(f"[{text}]({_target(up, place)})" for text, place in targets)
        lines.append(f"**{word}** {made}")
    if IDEAS[name].get("paper"):
        lines.append(f"**paper** {IDEAS[name]['paper']}, [item by item]({up}coverage.md)")
    return "  \n".join(lines)


def _target(up: str, place: str) -> str:
    page, mark, anchor = place.partition("#")
    ending = {"notebooks": ".ipynb", "api": ".rst"}.get(page.partition("/")[0], ".md")
    ending = ".md" if page == "api" else ending
    return f"{up}{page}{ending}{mark}{anchor}"


def _box(name: str, here: str) -> str:
    return f"\n:::{{container}} idea-links\n{links(name, here)}\n:::\n"


def _write_links(app, docname, source):
    """Put an idea's links below the title of its page, and its page's below a name of the API."""
    if docname.startswith("api/rocviz."):
        public = docname.removeprefix("api/rocviz.")
        for name, idea in IDEAS.items():
            if public in idea["api"]:
                lines = ["", "", ".. container:: idea-links", ""]
                for word, targets in parts(name, docname):
                    made = ", ".join(
                        f"`{text} <../{page}.html{mark}{anchor}>`__"
                        for text, place in targets
                        for page, mark, anchor in [place.partition("#")]
                    )
                    lines.append(f"   | **{word}** {made}")
                if idea.get("paper"):
                    lines.append(f"   | **paper** {idea['paper']}")
                source[0] += "\n".join(lines) + "\n"
                return
        return
    for name, idea in IDEAS.items():
        if idea.get("page") == docname:
            title, mark, rest = source[0].partition("\n")
            source[0] = f"{title}{mark}{_box(name, docname)}{rest}"
        elif docname in {f"howto/{page}" for page in idea.get("howto", ())}:
            source[0] += "\n" + _box(name, docname)


# ---------------------------------------------------------------------- notebooks


def as_page(path: Path, live: Container[str] = ()) -> str:
    """Return a notebook as the site shows it.

    Links to pages in the repository lead to the page on the site, an explorer moves there if its
    page is among those in ``live``, a picture has words for those who do not see it, and the idea's
    other places stand at the end.
    """
    # said above outputs that JupyterLab hides until their cell is run; here they are folded
    text = path.read_text("utf-8").replace(r"Predict first, then run this cell.\n", "")
    book = json.loads(text)
    heading = path.stem
    for number, cell in enumerate(book["cells"]):
        if cell["metadata"].get("jupyter", {}).get("outputs_hidden"):
            cell["metadata"]["tags"] = ["hide-output"]
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            cell["source"] = _on_site(text)
            found = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
            heading = found[-1] if found else heading
        words = next(
            (
                output["metadata"].get("image/png", {}).get("alt")
                or f"Figure drawn by the code above, in the section {heading}"
                for output in cell.get("outputs", ())
                if "image/png" in output.get("data", ())
            ),
            None,
        )
        if words:
            plain = re.sub(r"\s+", " ", re.sub(r"<[^>]*>|[$*`]", "", words)).strip()
            cell["metadata"]["mystnb"] = {"image": {"alt": plain}}
            if f"{path.stem}-{number}" in live:
                html = frame("../", f"{path.stem}-{number}", plain)
                shown = {"output_type": "display_data", "data": {"text/html": html}, "metadata": {}}
                cell["outputs"] = [
                    *(out for out in cell["outputs"] if out["output_type"] == "stream"),
                    shown,
                ]
    name = path.stem.partition("_")[2]
    boxes = [
        f"**{idea['title']}**  \n{links(key, f'notebooks/{path.stem}')}"
        for key, idea in IDEAS.items()
        if name in idea.get("chapters", ())
    ]
    if boxes:
        text = "## On this site\n\n" + "\n\n".join(boxes)
        book["cells"].append({"cell_type": "markdown", "metadata": {}, "source": text})
        if book.get("nbformat_minor", 0) >= 5:
            book["cells"][-1]["id"] = "on-this-site"
    return json.dumps(book, indent=1, ensure_ascii=False)


def frame(up: str, name: str, words: str) -> str:
    """Return a page that moves as a frame of another; it is loaded when it comes into sight."""
    address = f"{up}live/{name}.html"
    return f'<iframe class="live" loading="lazy" src="{address}" title="{escape(words)}"></iframe>'


def _on_site(text: str) -> str:
    """Return Markdown whose links to the repository's pages are links to the site's."""
    file = rf"{re.escape(REPOSITORY)}/blob/[\w.-]+/"
    text = re.sub(rf"{file}docs/([\w/]+\.md)", r"../\1", text)
    return re.sub(rf"{file}CITATION\.cff", "../bibliography.md", text)


def _bring_the_course(app):
    """Put the notebooks below docs/, where Sphinx can see them; only what changed is written."""
    target = DOCS / "notebooks"
    target.mkdir(exist_ok=True)
    wanted = {path.name: path for path in NOTEBOOKS.glob("*.ipynb")}
    for old in target.glob("*.ipynb"):
        if old.name not in wanted:
            old.unlink()
    for name, path in wanted.items():
        copy, text = target / name, as_page(path, app.live_cells.get(path.stem, ()))
        if not copy.exists() or copy.read_text("utf-8") != text:
            copy.write_text(text, "utf-8")


class Chapter(SphinxRole):
    """``{chapter}`fidel``` is a link to the chapter of that name, wherever in the course it is."""

    def run(self):
        stem = chapter(self.text)
        up = "../" * self.env.docname.count("/")
        return [nodes.reference("", chapter_title(stem), refuri=f"{up}notebooks/{stem}.html")], []


# ---------------------------------------------------------------------- for readers of the head


def describe(doctree) -> str:
    """Return the first words of a page, at most 160 letters."""
    for paragraph in doctree.findall(nodes.paragraph):
        node, aside = paragraph.parent, False
        while node is not None and not aside:
            aside = "idea-links" in getattr(node, "attributes", {}).get("classes", ())
            node = node.parent
        text = " ".join(re.sub(r"<[^>]*>", "", paragraph.astext()).split())
        if len(text) > 40 and not aside and not text.startswith("Bases:"):
            return text if len(text) <= 160 else text[:157].rsplit(" ", 1)[0] + " …"
    return ""


def _head(app, pagename, templatename, context, doctree):
    """Add a description, and say what rocviz is in the title of the first page."""
    if doctree is None:
        return
    words = describe(doctree) or PROJECT["description"]
    app.site_words[pagename] = words
    tag = f'<meta name="description" content="{escape(words)}">'
    context["metatags"] = context.get("metatags", "") + tag
    if pagename == app.config.root_doc:
        context["title"] = "Rankings, ROC curves and probabilities, to see and to touch"


def _write_llms(app, error):
    """Write ``llms.txt``: every page with its first words, in the order of the site."""
    if error or app.builder.format != "html":
        return
    lines = [f"# {PROJECT['name']}", "", f"> {PROJECT['description']}", ""]
    for section in app.env.toctree_includes.get(app.config.root_doc, ()):
        lines += [f"## {app.env.titles[section].astext()}", ""]
        for page in _below(app.env.toctree_includes, section, set()):
            title = app.env.titles[page].astext()
            words = app.site_words.get(page, "")
            lines.append(f"- [{title}]({page}.html){': ' + words if words else ''}")
        lines.append("")
    (Path(app.outdir) / "llms.txt").write_text("\n".join(lines), "utf-8")


def _name_toggles(app, error):
    """Say what the arrows in the side bar do; the theme leaves them without a word."""
    if error or app.builder.format != "html":
        return
    nameless = '<summary><span class="toctree-toggle"'
    named = nameless.replace("<summary>", '<summary aria-label="pages below">')
    for path in Path(app.outdir).rglob("*.html"):
        text = path.read_text("utf-8")
        if nameless in text:
            path.write_text(text.replace(nameless, named), "utf-8")


def _below(tree, page, seen):
    if page not in seen:
        seen.add(page)
        yield page
        for child in tree.get(page, ()):
            yield from _below(tree, child, seen)


def setup(app):
    """Register roles and what happens before, during and after a build."""
    app.site_words = {}
    # pages that were read before the links changed are read again
    table = (DOCS / "ideas.toml").read_text("utf-8") + Path(__file__).read_text("utf-8")
    app.add_config_value("idea_links", zlib.crc32(table.encode()), "env")
    app.add_role("chapter", Chapter())
    app.connect("builder-inited", _bring_the_course)
    app.connect("source-read", _write_links)
    app.connect("html-page-context", _head)
    app.connect("build-finished", _write_llms)
    app.connect("build-finished", _name_toggles)
    return {"parallel_read_safe": False, "parallel_write_safe": False}
