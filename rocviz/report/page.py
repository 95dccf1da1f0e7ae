"""A report as a page of HTML, in one file, and as Markdown."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Sequence
from datetime import date
from html import escape
from importlib import metadata
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import numpy as np

from rocviz.core.roc.segments import RankedSegments
from rocviz.files import write_file
from rocviz.report.classes import ClassEvaluation
from rocviz.report.data import Evaluation, Samples
from rocviz.report.markdown import escape_markdown
from rocviz.report.section import Picture, Section, Table, join
from rocviz.theme import Theme
from rocviz.widgets.multiclass.explorer import MulticlassExplorer
from rocviz.widgets.roc.explorer import ROCExplorer

STYLE_FILE = Path(__file__).with_name("page.css")
VERSIONED_PACKAGES = ("rocviz", "numpy", "scipy", "scikit-learn", "matplotlib")
#: Recorded values of each control, for two classes and for more.
RECORDED_STATES: dict[str, Any] = {"threshold": 31, "cost_fn": 7}
RECORDED_CLASS_STATES: dict[str, Any] = {"point": 31}
# A script writes the explorer's page into a frame, because the widgets' scripts need an address: in
# this way the frame has that of the report, as "srcdoc" it would have none.
START_SCRIPT = """<script>{
const frame = document.querySelector("iframe").contentDocument;
const page = JSON.parse(document.getElementById("explorer-page").textContent);
frame.open(); frame.write(page); frame.close();
}</script>"""


def body(title: str, sections: Sequence[Section], live: str = "") -> str:
    """Write the body of the page; ``live`` is the page of a recorded explorer."""
    parts = [_section(section, live) for section in sections]
    links = "".join(
        f'<a href="#part-{i}">{escape(section.title)}</a>' for i, section in enumerate(sections)
    )
    parts = [f'<section id="part-{i}">{part}</section>' for i, part in enumerate(parts)]
    return (
        f"<style>{STYLE_FILE.read_text(encoding='utf-8')}</style>"
        f'<article class="rocviz-report"><h1>{escape(title)}</h1><nav>{links}</nav>'
        f'{"".join(parts)}<p class="note">{escape(_versions_and_date())}</p></article>'
    )


def page(title: str, sections: Sequence[Section], live: str = "") -> str:
    """Write the complete page."""
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>body {{ margin: 0 }}</style></head>"
        f"<body>{body(title, sections, live)}</body></html>\n"
    )


def explorer_page(data: Evaluation | ClassEvaluation) -> str:
    """Write the page of an explorer with a movable threshold and costs, or a movable point."""
    if isinstance(data, ClassEvaluation):
        arguments = data.arguments(data.primary_model)
        class_explorer = MulticlassExplorer(**arguments, panels=["triangle", "matrix"])
        class_explorer.label = str(data.first.classes[-1])
        return _recorded(class_explorer, RECORDED_CLASS_STATES)
    samples = data.samples
    if samples is None:
        positive, score, weight = _coarse(data.rankings[data.primary_model]).to_samples()
        samples = Samples(positive, {data.primary_model: score}, weight)
    several = len(samples.scores) > 1
    explorer = ROCExplorer(
        samples.positive,
        samples.scores if several else samples.scores[data.primary_model],
        sample_weight=samples.weight,
        panels=["roc", "scores"],
        deployment_prevalence=data.target_prevalence,
    )
    if several:
        explorer.model = data.primary_model
    if data.cost_fp and data.cost_fn:
        explorer.cost_fn = float(np.clip(data.cost_fn / data.cost_fp, 0.01, 100))
    best = data.operating_points[data.primary_model].threshold
    explorer.threshold = float(np.clip(best, *explorer.bounds))
    return _recorded(explorer, RECORDED_STATES)


def _recorded(explorer: Any, states: dict[str, Any]) -> str:
    """Write the page of an explorer, and close the explorer."""
    try:
        with TemporaryDirectory() as folder:
            page = explorer.record(**states).to_html(Path(folder) / "explorer.html")
            return str(page.read_text(encoding="utf-8"))
    finally:
        explorer.close()


def _coarse(segments: RankedSegments) -> RankedSegments:
    """Join neighbouring segments of a ranking into a thousand, each at its middle score."""
    start = np.unique(np.linspace(0, len(segments), 1001).astype(int)[:-1])
    middle = np.append(start[1:], len(segments)) - 1
    return RankedSegments(
        score=segments.score[(start + middle) // 2],
        pos=np.add.reduceat(segments.pos, start),
        neg=np.add.reduceat(segments.neg, start),
    )


def _section(section: Section, live: str) -> str:
    parts = [f"<h2>{escape(section.title)}</h2>"]
    parts += [f"<p>{escape(words)}</p>" for words in section.text]
    parts += [_table(table) for table in section.tables]
    if section.is_live and live:
        quoted = json.dumps(live).replace("<", "\\u003c")  # keep tags inside from ending this one
        parts.append(
            '<div class="live wide"><p class="note">The explorer shows values that were computed '
            "in advance, and needs neither Python nor a network.</p>"
            '<iframe title="Explorer"></iframe></div>'
            f'<script id="explorer-page" type="application/json">{quoted}</script>{START_SCRIPT}'
        )
    if section.pictures:
        parts.append(f'<div class="figures">{"".join(map(_figure, section.pictures))}</div>')
    parts += [f'<p class="note">{escape(words)}</p>' for words in section.notes]
    return "".join(parts)


def _table(table: Table) -> str:
    head, *rows = table.rows()
    first = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    rest = ""
    for row in rows:
        cells = "".join(f"<td>{escape(cell)}</td>" for cell in row)
        rest += f"<tr>{cells}</tr>"
    kind = ' class="words"' if table.is_words else ""
    return (
        f'<div class="scroll"><table{kind}><caption>{escape(table.words)}</caption>'
        f"<thead><tr>{first}</tr></thead><tbody>{rest}</tbody></table></div>"
    )


def _figure(picture: Picture) -> str:
    packed = base64.b64encode(_image(picture, "svg")).decode("ascii")
    words = escape(picture.words)
    return (
        f'<figure><img alt="{words}" src="data:image/svg+xml;base64,{packed}">'
        f"<figcaption>{words}</figcaption></figure>"
    )


def _image(picture: Picture, kind: str) -> bytes:
    """Draw a figure as an image, and close it."""
    import matplotlib.pyplot as plt

    figure = picture.draw(Theme(dark=False))
    file = BytesIO()
    figure.savefig(file, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
    plt.close(figure)
    return file.getvalue()


def _versions_and_date() -> str:
    """Write the version of rocviz and the date."""
    versions = [f"{name} {metadata.version(name)}" for name in VERSIONED_PACKAGES]
    return f"Made on {date.today().isoformat()} with {join(versions)}."


def markdown(title: str, sections: Sequence[Section], path: Path | None) -> str:
    """Write the report as Markdown; with a path, its figures go to a folder beside the file."""
    parts = [f"# {escape_markdown(title)}"]
    folder = None if path is None else figures_folder(path)
    images: dict[str, str | bytes] = {}
    for section in sections:
        parts.append(f"## {escape_markdown(section.title)}")
        parts += map(escape_markdown, section.text)
        for table in section.tables:
            parts += [f"**{escape_markdown(table.words)}**", _pipes(table.rows())]
        for picture in section.pictures if folder else ():
            assert folder is not None
            images[f"{folder.name}/{picture.name}.png"] = _image(picture, "png")
            address = f"{quote(os.fsencode(folder.name))}/{picture.name}.png"
            parts.append(f"![{escape_markdown(picture.words)}]({address})")
        parts += [f"*{escape_markdown(words)}*" for words in section.notes]
    text = "\n\n".join([*parts, f"*{_versions_and_date()}*"]) + "\n"
    if path is not None:
        write_file(path, text, beside=images)
    return text


def figures_folder(path: Path) -> Path:
    """Name the folder of the figures of a report in Markdown."""
    return path.with_name(f"{path.stem}_figures")


def _pipes(rows: Sequence[Sequence[str]]) -> str:
    """Write the rows of a table, the first of which is its head."""
    lines = [f"| {' | '.join(map(escape_markdown, row))} |" for row in rows]
    rule = f"| {' | '.join(['---'] * len(rows[0]))} |"
    return "\n".join([lines[0], rule, *lines[1:]])
