"""A Sphinx extension: live pages of explorers and stories.

They are recorded when the site is built, need no Python and no network, and share their scripts.
``live`` shows one inside a page, ``live-cards`` links to all of an explorer, or to all stories or
reports (:mod:`reports`), and each explorer in a chapter of the course is one. A page is recorded
again only after rocviz, or its chapter, has changed.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.matching import Matcher

logger = logging.getLogger(__name__)

DOCS = Path(__file__).parent
FOLDER = DOCS / "_pictures" / "live"
NOTEBOOKS = DOCS.parent / "notebooks"
#: Explorers by the name of their pages: the class, the recorded controls, and the presets with a
#: page, of which the first has the plain name; by default the first three.
EXPLORERS = {
    "roc": (
        "ROCExplorer",
        {"threshold": 31},
        ("good", "a concavity", "over-confident", "imbalanced"),
    ),
    "temperature": (
        "FermiDiracExplorer",
        {"temperature": 31},
        ("warm", "cold: nearly perfect", "few positives"),
    ),
    "crowd": (
        "EnsembleExplorer",
        {"correlation": 15},
        ("slightly alike", "one expert", "many weak"),
    ),
    "list": (
        "ScoringListExplorer",
        {"answers": 63},
        ("heart score, synthetic data", "worked example", "breast cancer"),
    ),
    "decisions": (
        "DecisionExplorer",
        {"k": 31, "metric": ["f", "accuracy", "jaccard", "cost"]},
        ("twelve samples", "rare positives", "two peaks: F1 is not unimodal"),
    ),
    "dictionary": (
        "LexicographicExplorer",
        {"order": 16, "preferred": 4, "leaves": 9},
        (),
    ),
    "loss": (
        "RankingLossExplorer",
        {"a": 9, "wipe": 23},
        ("the paper's step", "the gap at the top", "few positives"),
    ),
    "groups": (
        "GroupsExplorer",
        {"criterion": ..., "predicted_positive_rates": 21},
        ("one curve, two prevalences", "a shifted score", "three groups"),
    ),
    "classes": (
        "MulticlassExplorer",
        {"point": 31},
        ("three classes", "a rare class", "wine", "digits"),
    ),
}
#: What a card says in place of the name of its preset, where that alone says little.
CARD_TITLES = {
    "good": "A good score, and mistakes of both kinds",
    "a concavity": "A curve with a dent",
    "over-confident": "Probabilities that claim too much",
    "imbalanced": "Few positives among many",
    "warm": "A ranking with mistakes",
    "cold: nearly perfect": "A ranking that is nearly perfect",
    "few positives": "Few positives",
    "slightly alike": "Seven that seldom err alike",
    "one expert": "One expert among weak ones",
    "many weak": "Many weak ones",
    "worked example": "Four questions and their points",
    "heart score, synthetic data": "Chest pain: five questions",
    "breast cancer": "Breast cancer",
    "twelve samples": "Twelve patients",
    "rare positives": "When positives are rare",
    "two peaks: F1 is not unimodal": "An expected F1 with two peaks",
    "flights": "Fifty flights, three attributes",
    "twenty instances": "Twenty people, two attributes",
    "same as naive Bayes": "The same ranking as naive Bayes",
    "the paper's step": "A truth with a step",
    "the gap at the top": "Too sure of the top scores",
    "one curve, two prevalences": "One curve, two prevalences",
    "a shifted score": "A score that is shifted for one group",
    "three groups": "Three groups",
    "three classes": "Three classes",
    "a rare class": "One class is rare",
    "wine": "Three grapes",
    "digits": "Ten digits",
}
N_VALUES = 15  # of a control around a story's step
FRONT_TITLE = "Above what score should the test raise an alarm?"
LECTURE = "lecture"  # the page of the lecture of ninety minutes


def slug(text):
    """Convert words to the form of an address."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def front():
    """Choose class, inputs and controls of the picture of the first page: people and a test."""
    import rocviz

    drawn = rocviz.binormal_scores(
        100, prevalence=0.4, separation=1.6, over_confidence=0.6, random_state=4
    )
    inputs = {
        "y_true": drawn.y_true.tolist(),
        "y_score": drawn.y_prob.tolist(),
        "labels": ("healthy", "ill"),
        "panels": ["people"],
        "unfolded": ["threshold"],
        "show_best": False,
    }
    return "ROCExplorer", inputs, {"threshold": 61}


def pages():
    """Collect class, inputs and controls of each page of an explorer, by name."""
    import rocviz

    found = {"front": front()}
    for name, (kind, controls, presets) in EXPLORERS.items():
        shown = presets or tuple(getattr(rocviz, kind).presets)[:3]
        for place, preset in enumerate(shown):
            page = f"{name}-{slug(preset)}" if place else name
            found[page] = kind, {"preset": preset}, controls
    return found


def names():
    """List the names of all pages but those of chapters."""
    from reports import REPORTS

    from rocviz.stories import NAMES

    return [*pages(), *(f"story-{name}" for name in NAMES), LECTURE, *REPORTS]


# ---------------------------------------------------------------------- recording


@cache
def package():
    """Compute a digest of rocviz, its scripts and stories included."""
    import rocviz

    digest = hashlib.sha256()
    for path in sorted(Path(rocviz.__file__).parent.rglob("*.*")):
        if path.suffix in (".py", ".js", ".css", ".toml"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def digest_of(*parts):
    """Compute a digest of the sources of recorded pages, rocviz included."""
    return hashlib.sha256("\n".join([package(), *parts]).encode()).hexdigest()


def is_current(name, digest):
    """Check whether the recording of a page, or of a whole chapter, is up to date."""
    mark = FOLDER / f"{name}.sha256"
    return mark.exists() and mark.read_text().partition("\n")[0] == digest


def record(name):
    """Write a page of the site and the picture of its link, unless they exist."""
    import reports
    from pages import SITE

    import rocviz
    from rocviz.widgets.base.still import preview

    is_report = name in reports.REPORTS
    digest = digest_of(reports.source() if is_report else repr(pages().get(name, N_VALUES)))
    if is_current(name, digest):
        return
    logger.info("recording %s", name)
    if is_report:
        reports.REPORTS[name].evaluate().to_html(FOLDER / f"{name}.html")
        (FOLDER / f"{name}.sha256").write_text(digest)
        return
    is_lecture = name == LECTURE
    rocviz.set_theme(lecture=is_lecture)
    if is_lecture or name.startswith("story-"):
        if is_lecture:
            shown = rocviz.stories.open_lecture()
        else:
            shown = rocviz.stories.open_story(name.removeprefix("story-"))
        recording = shown.record(most=N_VALUES, progress=iter)
        picture = shown.preview()
    else:
        kind, inputs, controls = pages()[name]
        shown = getattr(rocviz, kind)(**inputs)
        recording = shown.record(progress=iter, **controls)
        title = FRONT_TITLE if name == "front" else f"{kind}: {shown.preset}"
        recording = replace(recording, title=title)
        picture = preview(shown, shown.title(shown.focus), shown.sentence)
    url = f"{SITE}/live/{name}.html"
    recording.to_html(FOLDER / f"{name}.html", scripts="scripts", url=url, picture=picture)
    rocviz.set_theme(lecture=False)
    shown.close()
    (FOLDER / f"{name}.sha256").write_text(digest)


def record_chapter(path):
    """List the names of the pages of a chapter's explorers, which are written if needed."""
    digest = digest_of(sources(path), (DOCS / "chapters.py").read_text("utf-8"))
    mark = FOLDER / f"{path.stem}.sha256"
    if not is_current(path.stem, digest):
        logger.info("recording %s", path.stem)
        command = [sys.executable, str(DOCS / "chapters.py"), str(path), str(FOLDER)]
        quiet = {**os.environ, "MPLBACKEND": "agg"}
        process = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=quiet)
        mark.write_text(f"{digest}\n{process.stdout}")
    return mark.read_text().split()[1:]


def sources(path):
    """Find the code of a notebook."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")


# ---------------------------------------------------------------------- in pages


class Live(SphinxDirective):
    """A live page of the site in a frame."""

    required_arguments = 1
    option_spec = {"alt": directives.unchanged_required}  # noqa: RUF012

    def run(self):
        from pages import frame

        up = "../" * self.env.docname.count("/")
        return [nodes.raw("", frame(up, self.arguments[0], self.options["alt"]), format="html")]


def cards(what):
    """Yield name, title, words and the code of a picture of each page of an explorer.

    Or of each story or report.
    """
    import reports

    from rocviz.stories import NAMES, Gallery

    if what == "reports":
        changed = hashlib.sha256(reports.source().encode()).hexdigest()
        for name, report in reports.REPORTS.items():
            code = f"from reports import REPORTS  # {changed}\nreport = REPORTS[{name!r}]"
            code += "\nshown = report.evaluate().figures[report.figure]"
            yield name, report.title, report.words, code
        return
    if what != "stories":
        for name, (kind, inputs, _) in pages().items():
            if name == what or name.startswith(f"{what}-"):
                code = f"import rocviz\nshown = rocviz.{kind}(preset={inputs['preset']!r})"
                yield name, CARD_TITLES.get(inputs["preset"], inputs["preset"]), "", code
        return
    gallery = Gallery()
    for name, item in zip(NAMES, gallery._cards, strict=False):
        code = f"import rocviz\nstory = rocviz.stories.open_story({name!r})"
        code += "\nstory.show(len(story.steps) // 2)\nshown = story.explorer"
        yield f"story-{name}", item["title"], item["about"].rstrip("."), code
    gallery.close()


class LiveCards(SphinxDirective):
    """Pictures of all pages of an explorer, or of all stories or reports, each a link."""

    required_arguments = 1

    def run(self):
        from pictures import images, made

        up = "../" * self.env.docname.count("/")
        grid = nodes.container(classes=["thumbnails"])
        for name, title, words, code in cards(self.arguments[0]):
            link = nodes.reference("", "", refuri=f"{up}live/{name}.html")
            for image in images(made(f"live-{name}", code, panel=True, bare=True), ""):
                self.set_source_info(image)
                link += image
            link += nodes.inline("", title)
            paragraph = nodes.paragraph("", "", link)
            if words:
                paragraph += nodes.Text(f": {words}")
            grid += nodes.container("", paragraph, classes=["thumbnail"])
        return [grid]


def _record_all(app):
    """Record the live pages of this build."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    shown = Matcher(app.config.include_patterns)
    if shown("gallery/index.md"):
        for name in names():
            record(name)
    elif shown("index.md"):
        record("front")
    chapters = [p for p in sorted(NOTEBOOKS.glob("*.ipynb")) if shown(f"notebooks/{p.name}")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, made in zip(chapters, pool.map(record_chapter, chapters), strict=True):
            app.live_cells[path.stem] = made


MAIN_TAG = '<main id="explorer">'
REPORT_TAG = '<article class="rocviz-report">'


def with_way_back(page, name):
    """Add links to the site above a recorded page; in a frame they are hidden.

    They lead to the gallery, and from a story to its ideas, from an explorer of a chapter to it,
    from a report to how it is written.
    """
    from pages import idea_title, ideas_with, page_of
    from reports import REPORTS

    if name in REPORTS:
        found = [("← all reports", "gallery/index.html#reports")]
        found.append(("write your own", "howto/report.html"))
        made = " · ".join(f'<a href="../{place}">{text}</a>' for text, place in found)
        links = f'<p class="facts">{made}</p>'
        return page.replace(REPORT_TAG, f"{REPORT_TAG}{links}", 1)
    found = [("← all stories and explorers", "gallery/index")]
    chapter = name.rpartition("-")[0]
    if (NOTEBOOKS / f"{chapter}.ipynb").exists():
        found.append(("this chapter", f"notebooks/{chapter}"))
    elif name == LECTURE:
        found.append(("how to give it", "lecturers"))
    elif name.startswith("story-"):
        ideas = ideas_with("story", name.removeprefix("story-"))
        found += [(idea_title(idea), page_of(idea)) for idea in ideas]
    elif name in pages():
        found.append((pages()[name][0], "explorers"))
    made = " · ".join(f'<a href="../{place}.html">{text}</a>' for text, place in found)
    return page.replace(MAIN_TAG, f"<nav>{made}</nav>{MAIN_TAG}", 1)


def _copy(app, exception):
    if exception is None and app.builder.format == "html":
        out = Path(app.outdir) / "live"
        ignored = shutil.ignore_patterns("*.sha256")
        shutil.copytree(FOLDER, out, dirs_exist_ok=True, ignore=ignored)
        for path in out.glob("*.html"):
            path.write_text(with_way_back(path.read_text("utf-8"), path.stem), "utf-8")


def setup(app):
    """Register the directives, and when pages are recorded and copied."""
    app.live_cells = {}
    app.add_directive("live", Live)
    app.add_directive("live-cards", LiveCards)
    # before the chapters become pages
    app.connect("builder-inited", _record_all, priority=400)
    app.connect("build-finished", _copy)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
