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
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import numpy as np

from rocviz.core.roc.segments import RankedSegments
from rocviz.files import write_file
from rocviz.report.data import Evaluation, Samples
from rocviz.report.markdown import escape_markdown
from rocviz.report.section import Card, Estimate, Picture, Section, Table, join, result_and_appendix
from rocviz.theme import Theme

if TYPE_CHECKING:
    from rocviz.report.class_data import ClassEvaluation

STYLE_FILE = Path(__file__).with_name("page.css")
VERSIONED_PACKAGES = ("rocviz", "numpy", "scipy", "scikit-learn", "matplotlib")
#: How many thresholds are recorded, and with which multiples of the stated cost of a miss.
RECORDED_THRESHOLDS = 25
RECORDED_COST_FACTORS = (0.3, 1.0, 3.0)
#: How many points of several classes are recorded.
RECORDED_POINTS = 31
APPENDIX_TITLE = "Appendix: all numbers, folds, methods and versions"
MARK_WIDTH = 110  # of a small interval, in pixels
IMAGE_DPI = 150  # of what an image has in pixels
PAGE_STYLE = (
    "body { margin: 0; background: #fff; } "
    "@media screen and (prefers-color-scheme: dark) { body { background: #111418; } }"
)
# Browsers that do not know "::details-content" print a closed part closed.
PRINT_SCRIPT = """<script>{
const appendix = document.querySelector(".rocviz-report > .appendix");
let isOpen = appendix.open;
addEventListener("beforeprint", () => { isOpen = appendix.open; appendix.open = true; });
addEventListener("afterprint", () => { appendix.open = isOpen; });
}</script>"""
# A script writes the explorer's page into a frame, because the widgets' scripts need an address: in
# this way the frame has that of the report, as "srcdoc" it would have none. On a narrow screen the
# frame is as high as what is in it, so that nothing is cut.
START_SCRIPT = """<script>{
const iframe = document.querySelector("iframe");
const frame = iframe.contentDocument;
const page = JSON.parse(document.getElementById("explorer-page").textContent);
frame.open(); frame.write(page); frame.close();
const inside = frame.getElementById("explorer");
new ResizeObserver(() => {
  const fits = getComputedStyle(frame.body).overflow === "hidden";
  iframe.style.height = fits ? "" : `${inside.scrollHeight + 2}px`;
}).observe(inside);
}</script>"""


def body(title: str, sections: Sequence[Section], live: str = "") -> str:
    """Write the body of the page; ``live`` is the page of a recorded explorer."""
    results, appendix = result_and_appendix(sections)
    parts = [_section(section, live) for section in results]
    closing = "".join(_section(section, "") for section in appendix)
    closing += f'<p class="note">{escape(_versions_and_date())}</p>'
    return (
        f"<style>{STYLE_FILE.read_text(encoding='utf-8')}</style>"
        f'<article class="rocviz-report"><h1>{escape(title)}</h1>'
        f'<div class="results">{"".join(parts)}</div>'
        f'<details class="appendix"><summary><h2>{APPENDIX_TITLE}</h2></summary>'
        f'<div class="results">{closing}</div></details></article>'
    )


def page(title: str, sections: Sequence[Section], live: str = "") -> str:
    """Write the complete page."""
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{PAGE_STYLE}</style></head>"
        f"<body>{body(title, sections, live)}{PRINT_SCRIPT if live else ''}</body></html>\n"
    )


def explorer_page(data: Evaluation | ClassEvaluation) -> str:
    """Write the page of an explorer with a movable threshold and costs, or a movable point."""
    # explorers are slow to import, and a page in which nothing moves needs none
    if not isinstance(data, Evaluation):
        from rocviz.widgets.multiclass.explorer import MulticlassExplorer

        arguments = data.arguments(data.primary_model)
        class_explorer = MulticlassExplorer(
            **arguments, clusters=data.columns.cluster_labels, panels=["triangle", "matrix"]
        )
        class_explorer.label = str(data.first.classes[-1])
        return _recorded(class_explorer, {"point": RECORDED_POINTS})
    from rocviz.widgets.roc.explorer import ROCExplorer

    samples = data.samples
    if samples is None:
        positive, score, weight = _coarse(data.rankings[data.primary_model]).to_samples()
        samples = Samples(positive, {data.primary_model: score}, weight)
    several = len(samples.scores) > 1
    explorer = ROCExplorer(
        samples.positive,
        samples.scores if several else samples.scores[data.primary_model],
        sample_weight=samples.weight,
        clusters=samples.cluster_labels,
        panels=["roc"],
        labels=(data.classes.negative, data.classes.positive),
        deployment_prevalence=data.target_prevalence,
    )
    if several:
        explorer.model = data.primary_model
    if data.cost_fp and data.cost_fn:
        explorer.cost_fn = float(np.clip(data.cost_fn / data.cost_fp, 0.01, 100))
    best = data.operating_points[data.primary_model].threshold
    explorer.threshold = float(np.clip(best, *explorer.bounds))
    costs = np.unique(np.clip(explorer.cost_fn * np.array(RECORDED_COST_FACTORS), 0.01, 100))
    # the last control moves fastest, and a threshold changes less of the picture than a cost
    return _recorded(explorer, {"cost_fn": costs.tolist(), "threshold": RECORDED_THRESHOLDS})


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


def _text(words: str) -> str:
    """Escape words, and keep signs with their numbers."""
    kept = escape(words)
    for sign in ("%", "=", "&lt;", "&gt;"):
        kept = kept.replace(f" {sign}", f"\u00a0{sign}")
    return kept.replace("p\u00a0= ", "p\u00a0=\u00a0").replace("p\u00a0&lt; ", "p\u00a0&lt;\u00a0")


def _section(section: Section, live: str) -> str:
    """Write a section: what it says beside what it shows, and tables of measures below both."""
    is_live = bool(live and section.is_live)
    figures = [_figure(picture, is_live) for picture in section.pictures]
    if is_live:
        figures.insert(0, _explorer(live))
    tables = "".join(map(_table, section.tables))
    narrow = "".join(_table(table) for table in section.tables if not table.measures)
    wide = "".join(_table(table) for table in section.tables if table.measures)
    kinds = ["half"] if section.is_half else []
    if section.facts:
        kinds.append("summary")
    if section.is_live:
        kinds.append("live-part")
    if section.is_appendix:
        exhibits = _box("exhibits", f"{''.join(figures)}{tables}")
        parts = [_words(section), exhibits, _notes(section)]
    elif figures and section.is_half:
        parts = [_words(section), _box("tables", tables), _notes(section)]
        parts.append(_box("figures", "".join(figures)))
    elif figures:
        kinds.append("illustrated")
        parts = [_box("words", f"{_words(section)}{_box('tables', narrow)}{_notes(section)}")]
        parts += [_box("figures", "".join(figures)), _box("tables", wide)]
    else:
        parts = [_words(section), _box("tables", tables), _notes(section)]
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    return f"<section{kind}>{''.join(parts)}</section>"


def _box(kind: str, inside: str) -> str:
    return f'<div class="{kind}">{inside}</div>' if inside else ""


def _words(section: Section) -> str:
    """Write the heading, the paragraphs and the cards of a section."""
    parts = [f"<h2>{_text(section.title)}</h2>"]
    if section.facts:
        parts.append(f'<p class="facts">{" · ".join(map(_text, section.facts))}</p>')
    if section.verdict:
        parts.append(f'<p class="verdict">{_text(section.verdict)}</p>')
    parts += [f'<p class="warning">{_text(words)}</p>' for words in section.warnings]
    if section.cards:
        parts.append(f"<h3>{_text(section.cards_heading)}</h3>")
        parts.append(_box("cards", "".join(map(_card, section.cards))))
    parts += [f"<p>{_text(words)}</p>" for words in section.text]
    return "".join(parts)


def _notes(section: Section) -> str:
    return "".join(f'<p class="note">{_text(words)}</p>' for words in section.notes)


def _explorer(live: str) -> str:
    """Write the frame of the explorer, with its page."""
    quoted = json.dumps(live).replace("<", "\\u003c")  # keep tags inside from ending this one
    return (
        '<div class="live"><iframe title="Explorer"></iframe>'
        '<p class="note">The explorer shows values that were computed in advance, and needs '
        "neither Python nor a network.</p></div>"
        f'<script id="explorer-page" type="application/json">{quoted}</script>{START_SCRIPT}'
    )


def _card(card: Card) -> str:
    lines = "".join(f"<span>{_text(line)}</span>" for line in card.lines)
    return f'<div class="card {card.role}"><b>{_text(card.count)}</b>{lines}</div>'


def _table(table: Table) -> str:
    first = "".join(f'<th scope="col">{_text(heading)}</th>' for heading in table.head)
    rest = ""
    for cells in table.cells():
        name, *others = cells
        remark = table.remarks.get(str(name))
        row = "".join(map(_cell, others))
        if remark is None:
            row = f"{_cell(name)}{row}"
        else:
            row = f"<td>{_text(str(name))}<small>{_text(remark)}</small></td>{row}"
        rest += f"<tr>{row}</tr>"
    kinds = ["words-table"] if table.is_words else []
    if table.measures:
        kinds.append("measures")
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    words = _text(table.words)
    return (
        f'<div class="table"><p class="caption" aria-hidden="true">{words}</p>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{words}">'
        f'<table{kind} aria-label="{words}"><thead><tr>{first}</tr></thead>'
        f"<tbody>{rest}</tbody></table></div></div>"
    )


def _cell(cell: str | Estimate) -> str:
    if not isinstance(cell, Estimate):
        return f"<td>{_text(cell)}</td>"
    parts = [f"<b>{_text(cell.words)}</b>"]
    if cell.ends:
        parts += [f" <small>{_text(_short(cell.ends))}</small>", _mark(cell)]
    return f'<td class="estimate">{"".join(parts)}</td>'


def _short(ends: str) -> str:
    """Write an interval with a dash, unless an end is negative."""
    return ends if "−" in ends else ends.replace(" to ", "–")


def _mark(estimate: Estimate) -> str:
    """Draw an interval with its value, and a line at the value of a perfect model."""
    least, greatest = estimate.limits
    width = greatest - least
    if not (width > 0 and np.isfinite(estimate.value)):
        return ""
    value, lower, upper = (
        round(3 + (MARK_WIDTH - 6) * (one - least) / width, 1)
        for one in (estimate.value, estimate.lower, estimate.upper)
    )
    ideal = ""
    if estimate.ideal is not None:
        x = round(3 + (MARK_WIDTH - 6) * (estimate.ideal - least) / width, 1)
        ideal = f'<path class="ideal" d="M{x} 0V10"/>'
    return (
        f'<svg class="mark" viewBox="0 0 {MARK_WIDTH} 10" aria-hidden="true">{ideal}'
        f'<path d="M{lower} 5H{upper}"/><circle cx="{value}" cy="5" r="2.6"/></svg>'
    )


def _figure(picture: Picture, is_replaced: bool = False) -> str:
    """Write a figure; on a screen the explorer may replace it."""
    kind = ' class="on-paper"' if is_replaced and picture.beside_explorer else ""
    packed = base64.b64encode(_image(picture, "svg")).decode("ascii")
    words = _text(picture.words)
    return (
        f'<figure{kind}><img alt="{words}" src="data:image/svg+xml;base64,{packed}">'
        f"<figcaption>{words}</figcaption></figure>"
    )


def _image(picture: Picture, kind: str) -> bytes:
    """Draw a figure as an image, and close it."""
    import matplotlib.pyplot as plt
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    figure = picture.draw(Theme(dark=False))
    file = BytesIO()
    if kind == "svg":
        figure.dpi = IMAGE_DPI
        # savefig would draw twice where there is a layout
        FigureCanvasSVG(figure).print_svg(file, metadata={"Date": None})
    else:
        figure.savefig(file, format=kind, dpi=IMAGE_DPI)
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
    results, appendix = result_and_appendix(sections)
    for is_appendix, some in ((False, results), (True, appendix)):
        if is_appendix and some:
            parts.append(f"## {APPENDIX_TITLE}")
        for section in some:
            marks = "###" if is_appendix else "##"
            parts.append(f"{marks} {escape_markdown(section.title)}")
            parts += _markdown_words(section)
            for picture in section.pictures if folder else ():
                assert folder is not None
                images[f"{folder.name}/{picture.name}.png"] = _image(picture, "png")
                address = f"{quote(os.fsencode(folder.name))}/{picture.name}.png"
                parts.append(f"![{escape_markdown(picture.words)}]({address})")
    text = "\n\n".join([*parts, f"*{_versions_and_date()}*"]) + "\n"
    if path is not None:
        write_file(path, text, beside=images)
    return text


def _markdown_words(section: Section) -> list[str]:
    """Write the paragraphs and tables of a section."""
    parts = []
    if section.facts:
        parts.append(escape_markdown(" · ".join(section.facts)))
    if section.verdict:
        parts.append(f"**{escape_markdown(section.verdict)}**")
    parts += [f"**Note.** {escape_markdown(words)}" for words in section.warnings]
    if section.cards:
        parts.append(f"**{escape_markdown(section.cards_heading)}**")
        items = [
            escape_markdown(f"{card.count}: {'; '.join(card.lines)}") for card in section.cards
        ]
        parts.append("\n".join(f"- {item}" for item in items))
    parts += map(escape_markdown, section.text)
    for table in section.tables:
        parts += [f"**{escape_markdown(table.words)}**", _pipes(table.rows())]
    parts += [f"*{escape_markdown(words)}*" for words in section.notes]
    return parts


def figures_folder(path: Path) -> Path:
    """Name the folder of the figures of a report in Markdown."""
    return path.with_name(f"{path.stem}_figures")


def _pipes(rows: Sequence[Sequence[str]]) -> str:
    """Write the rows of a table, the first of which is its head."""
    lines = [f"| {' | '.join(map(escape_markdown, row))} |" for row in rows]
    rule = f"| {' | '.join(['---'] * len(rows[0]))} |"
    return "\n".join([lines[0], rule, *lines[1:]])
