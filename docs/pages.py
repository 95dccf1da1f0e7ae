"""A Sphinx extension: links between the pages of an idea, and chapters as pages.

Links between an idea's page, chapter, explorer, paper and names (from ideas.toml); notebooks as
pages (their links stay on the site, their pictures say in words what they show); a description of
each page for search engines; ``llms.txt`` for programs that read.
"""

import json
import re
import tomllib
import zlib
from collections.abc import Container, Iterable
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.util.docutils import SphinxDirective, SphinxRole

DOCS = Path(__file__).parent
NOTEBOOKS = DOCS.parent / "notebooks"
STORIES = DOCS.parent / "rocviz" / "stories"
IDEAS = tomllib.loads((DOCS / "ideas.toml").read_text("utf-8"))
PROJECT = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))["project"]
REPOSITORY = PROJECT["urls"]["Repository"]
SITE = PROJECT["urls"]["Documentation"]
#: Where a chapter opens to be run, without its file name.
BINDER = "https://mybinder.org/v2/gh/rocviz/rocviz/main?urlpath=lab/tree/notebooks/"
#: Sentences of chapters on cells that are run, and what is true of their pages, where none is.
SENTENCES_ON_SITE = {
    "Click into the cell, press <kbd>Shift</kbd>+<kbd>Enter</kbd>, wait a few seconds, then drag "
    "the pink handle.": "Drag the pink handle.",
    'A cell with "•••" below it has an answer. Predict first, then run it.': "Predict first, then "
    "open the fold.",
    "Run the cell, open *calibrate*": "In a notebook, open *calibrate*",
    "Run the cell and drag": "Drag",
    "Put your answer where the dots are and run the cell, as often as you like.": "In a notebook "
    "you put your answer where the dots are, as often as you like.",
    'Below a question you see "•••": the answer stays hidden there until you run the cell\n'
    "(<kbd>Shift</kbd>+<kbd>Enter</kbd>).": "Below a question its answer is folded away.",
}
_TITLE = re.compile(r"^# .*$", re.MULTILINE)
#: Number of names of an idea among its links; the reference page has all.
_N_SHOWN = 6
#: Patterns of the headings on pages with a section for each explorer or paper.
HEADINGS = {
    "explorers": ("explorer", r"^## (\w+Explorer)\n"),
    "coverage": ("paper", r"^## .*\n(?=\n\{cite:t\}`(\w+)`)"),
}


def chapter(name: str) -> str:
    """Find the file name, without its ending, of a chapter that is named without its number."""
    found = [path.stem for path in NOTEBOOKS.glob("*.ipynb") if path.stem.partition("_")[2] == name]
    if len(found) != 1:
        raise LookupError(f"ideas.toml: {len(found)} notebooks are named {name!r}")
    return found[0]


def chapter_title(stem: str) -> str:
    """Find the first heading of a notebook."""
    cells = json.loads((NOTEBOOKS / f"{stem}.ipynb").read_text("utf-8"))["cells"]
    text = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return _TITLE.search(text)[0].removeprefix("# ")


def page_title(name: str) -> str:
    """Find the heading of a page below docs."""
    return _TITLE.search((DOCS / f"{name}.md").read_text("utf-8"))[0].removeprefix("# ")


def idea_title(name: str) -> str:
    """Name an idea as its page does, or by its title in ideas.toml if it has no page."""
    idea = IDEAS[name]
    return page_title(idea["page"]) if "page" in idea else idea["title"]


def listed(name: str, key: str) -> list[str]:
    """List the entries of an idea under a key, of which there may be none, one or several."""
    value = IDEAS[name].get(key, [])
    return [value] if isinstance(value, str) else value


def ideas_with(key: str, value: str) -> list[str]:
    """Find the ideas with an entry, such as an explorer."""
    return [name for name in IDEAS if value in listed(name, key)]


def page_of(name: str) -> str:
    """Find the main page of an idea: its page, or the first chapter that teaches it."""
    return IDEAS[name].get("page") or f"notebooks/{chapter(listed(name, 'chapters')[0])}"


def stories_of(name: str) -> list[tuple[str, str]]:
    """Collect the subjects of an idea's stories, each with its page."""
    results = []
    for story in listed(name, "story"):
        first = (STORIES / f"{story}.toml").read_text("utf-8").partition("\n")[0]
        results.append((first.removeprefix("# ").partition(". ")[0], f"live/story-{story}"))
    return results


def parts(names: Iterable[str], here: str = "") -> dict[str, list[tuple[str, str]]]:
    """Collect the links of some ideas: by heading, (text, page or anchor)."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name in names:
        idea = IDEAS[name]
        chapters = map(chapter, listed(name, "chapters"))
        pages = [f"howto/{page}" for page in listed(name, "howto")]
        of = {
            "idea": [(idea_title(name), idea["page"])] if "page" in idea else [],
            "chapter": [(chapter_title(stem), f"notebooks/{stem}") for stem in chapters],
            "explorer": [(one, f"explorers#{one.lower()}") for one in listed(name, "explorer")],
            "story": stories_of(name),
            "how-to": [(page_title(page), page) for page in pages],
            "reference": [(f"`{one}`", f"api/rocviz.{one}") for one in idea["api"]],
        }
        if here.startswith("api/"):
            of["reference"] = [("all names", "api")]
        for word, targets in of.items():
            kept = found.setdefault(word, [])
            kept += [t for t in targets if t not in kept and t[1].partition("#")[0] != here]
    return {word: targets for word, targets in found.items() if targets}


def papers(names: Iterable[str]) -> list[str]:
    """Find the papers of some ideas, each once, by their keys in references.bib."""
    return list(dict.fromkeys(paper for name in names for paper in listed(name, "paper")))


def links(names: Iterable[str], here: str) -> str:
    """Write the links of some ideas as Markdown, from a page."""
    names, lines, fold = list(names), [], ""
    up = "../" * here.count("/")
    for word, targets in parts(names, here).items():
        made = [linked(up, text, place) for text, place in targets]
        if len(made) > _N_SHOWN:
            fold = (
                f"<details><summary>{len(made)} names</summary>\n\n{', '.join(made)}\n\n</details>"
            )
            made = [*made[:_N_SHOWN], "and those below"]
        lines.append(f"**{word}** {', '.join(made)}")
    if papers(names) and here != "coverage":
        cited = ", ".join(f"{{cite:t}}`{paper}`" for paper in papers(names))
        lines.append(f"**paper** {cited}, [item by item]({up}coverage.md)")
    return "\n\n".join(filter(None, ["  \n".join(lines), fold]))


def linked(up: str, text: str, place: str) -> str:
    """Write a link as Markdown, or as HTML to a live page, which Sphinx does not know."""
    if place.startswith("live/"):
        return f'<a href="{up}{place}.html">{escape(text)}</a>'
    return f"[{text}]({_target(up, place)})"


def _target(up: str, place: str) -> str:
    page, mark, anchor = place.partition("#")
    ending = {"notebooks": ".ipynb", "api": ".rst"}.get(page.partition("/")[0], ".md")
    ending = ".md" if page == "api" else ending
    return f"{up}{page}{ending}{mark}{anchor}"


def _box(names: Iterable[str], here: str) -> str:
    return f"\n:::{{container}} idea-links\n{links(names, here)}\n:::\n"


def with_links(docname: str, text: str) -> str:
    """Add the links of its ideas to the source of a page.

    They stand below the title of an idea's page, at the end of a how-to or of a name of the API,
    and below the heading of each explorer and of each paper.
    """
    if docname.startswith("api/rocviz."):
        names = ideas_with("api", docname.removeprefix("api/rocviz."))
        lines = ["", "", ".. container:: idea-links", ""]
        for word, targets in parts(names, docname).items():
            made = ", ".join(
                f"`{words} <../{page}.html{mark}{anchor}>`__"
                for words, place in targets
                for page, mark, anchor in [place.partition("#")]
            )
            lines.append(f"   | **{word}** {made}")
        lines += [f"   | **paper** :cite:t:`{paper}`" for paper in papers(names)]
        return text + "\n".join(lines) + "\n" if names else text
    if docname in HEADINGS:
        key, place = HEADINGS[docname]

        def boxed(found):
            return found[0] + _box(ideas_with(key, found[1]), docname)

        return re.sub(place, boxed, text, flags=re.MULTILINE)
    for name, idea in IDEAS.items():
        if idea.get("page") == docname:
            title, mark, rest = text.partition("\n")
            return f"{title}{mark}{_box([name], docname)}{rest}"
    names = ideas_with("howto", docname.removeprefix("howto/"))
    return text + "\n" + _box(names, docname) if names else text


def _write_links(_app, docname, source):
    source[0] = with_links(docname, source[0])


class StoryTable(SphinxDirective):
    """Table of the stories: subject, and links of the idea."""

    def run(self):
        from rocviz.stories import NAMES

        lines = ["| story | about | idea, chapters |", "|---|---|---|"]
        for story in NAMES:
            of = parts(ideas_with("story", story), self.env.docname)
            told = next(t for t in of["story"] if t[1] == f"live/story-{story}")
            places = [*of.get("idea", ()), *of["chapter"]]
            made = ", ".join(linked("", text, place) for text, place in places)
            lines.append(f"| `{story}` | {linked('', *told)} | {made} |")
        return self.parse_text_to_nodes("\n".join(lines))


def metric_table() -> str:
    """List every metric, by all its names, as a table in Markdown."""
    from rocviz.core.roc.metrics import METRICS

    lines = [
        "| name | what it is | other names | options | in pictures | lower is better | classes |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in METRICS.values():
        others = ", ".join(f'`"{name}"`' for name in row.aliases)
        lower = "" if row.higher_is_better else "yes"
        options = ", ".join(f"`{option.name}`" for option in row.options)
        classes = "two" if row.of_classes is None else "two or more"
        cells = [f'`"{row.name}"`', row.text, others, options, row.label, lower, classes]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


class MetricTable(SphinxDirective):
    """Table of the metrics and their names."""

    def run(self):
        return self.parse_text_to_nodes(metric_table())


# ---------------------------------------------------------------------- notebooks


def as_page(path: Path, live: Container[str] = ()) -> str:
    """Convert a notebook to its form on the site.

    Links to pages in the repository lead to the page on the site, an explorer moves there if its
    page is among those in ``live``, a picture has words for those who do not see it, and the idea's
    other places stand at the end.
    """
    # the line above hidden outputs in JupyterLab; here they are folded
    text = path.read_text("utf-8").replace(r"Predict first, then run this cell.\n", "")
    book = json.loads(text)
    heading = path.stem
    for number, cell in enumerate(book["cells"]):
        if cell["metadata"].get("jupyter", {}).get("outputs_hidden"):
            cell["metadata"]["tags"] = ["hide-output"]
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            cell["source"] = _on_site(text)
            if number == 0:
                title, mark, rest = cell["source"].partition("\n")
                cell["source"] = f"{title}{mark}{what_can_be_done(path.stem)}{rest}"
            matches = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
            heading = matches[-1] if matches else heading
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
        f"**{idea_title(key)}**  \n{links([key], f'notebooks/{path.stem}')}"
        for key, idea in IDEAS.items()
        if name in idea.get("chapters", ())
    ]
    if boxes:
        text = "## On this site\n\n" + "\n\n".join(boxes)
        book["cells"].append({"cell_type": "markdown", "metadata": {}, "source": text})
        if book.get("nbformat_minor", 0) >= 5:
            book["cells"][-1]["id"] = "on-this-site"
    return json.dumps(book, indent=1, ensure_ascii=False)


def what_can_be_done(stem: str) -> str:
    """Write a note on what readers can do on the page of a chapter, where no code runs."""
    return (
        "\n:::{note}\nDrag the explorers of this page: they move here. Its code does not run, and "
        "what it printed is folded: make your prediction, then open the fold. To change the code "
        f"and to have your answers checked, run `rocviz lab {int(stem[:2])}`, or open the chapter "
        f"[on Binder]({BINDER}{stem}.ipynb).\n:::\n"
    )


def frame(up: str, name: str, words: str) -> str:
    """Write a frame with a live page, which is loaded when it becomes visible."""
    address = f"{up}live/{name}.html"
    return f'<iframe class="live" loading="lazy" src="{address}" title="{escape(words)}"></iframe>'


def _on_site(text: str) -> str:
    """Replace links to pages of the repository by links to pages of the site."""
    file = rf"{re.escape(REPOSITORY)}/blob/[\w.-]+/"
    text = re.sub(rf"{file}docs/([\w/]+\.md)", r"../\1", text)
    for sentence, here in SENTENCES_ON_SITE.items():
        text = text.replace(sentence, here)
    return text.replace(f"{SITE}/bibliography.html", "../bibliography.md")


def _bring_the_course(app):
    """Copy changed notebooks below docs/, where Sphinx finds them."""
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
    """``{chapter}`fidel``` is a link to the chapter of that name, whatever its number."""

    def run(self):
        stem = chapter(self.text)
        up = "../" * self.env.docname.count("/")
        return [nodes.reference("", chapter_title(stem), refuri=f"{up}notebooks/{stem}.html")], []


# ---------------------------------------------------------------------- for readers of the head


def describe(doctree) -> str:
    """Take the first words of a page, at most 160 letters."""
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
    """Add a description, and a subtitle to the title of the first page."""
    if doctree is None:
        return
    words = describe(doctree) or PROJECT["description"]
    app.site_words[pagename] = words
    tag = f'<meta name="description" content="{escape(words)}">'
    context["metatags"] = context.get("metatags", "") + tag
    if pagename == app.config.root_doc:
        context["title"] = "Interactive pictures of rankings, ROC curves and probabilities"


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
    """Label the arrows in the side bar, which the theme leaves without a name."""
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
    """Register roles and the actions before, during and after a build."""
    app.site_words = {}
    # pages that were read before the links changed are read again
    table = (DOCS / "ideas.toml").read_text("utf-8") + Path(__file__).read_text("utf-8")
    app.add_config_value("idea_links", zlib.crc32(table.encode()), "env")
    app.add_role("chapter", Chapter())
    app.add_directive("metric-table", MetricTable)
    app.add_directive("story-table", StoryTable)
    app.connect("builder-inited", _bring_the_course)
    app.connect("source-read", _write_links)
    app.connect("html-page-context", _head)
    app.connect("build-finished", _write_llms)
    app.connect("build-finished", _name_toggles)
    return {"parallel_read_safe": False, "parallel_write_safe": False}
