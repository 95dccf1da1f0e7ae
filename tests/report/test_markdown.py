"""Markdown of reports: names of strangers are text, whichever program shows them."""

import re
from html.parser import HTMLParser
from importlib.util import find_spec

import mistune
import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from mdit_py_plugins.attrs import attrs_block_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from rocviz import evaluation_report
from rocviz.report.markdown import escape_markdown
from rocviz.report.page import APPENDIX_TITLE
from rocviz.report.section import result_and_appendix

PLUGINS = [
    "strikethrough",
    "footnotes",
    "table",
    "url",
    "task_lists",
    "def_list",
    "abbr",
    "mark",
    "insert",
    "superscript",
    "subscript",
    "math",
    "ruby",
    "spoiler",
]
RENDERERS = {
    "CommonMark": MarkdownIt("commonmark").render,
    "tables": MarkdownIt("commonmark").enable(["table", "strikethrough"]).render,
    "no HTML": MarkdownIt("js-default").render,
    "mathematics": MarkdownIt("js-default").use(dollarmath_plugin).use(footnote_plugin).render,
    "attributes": MarkdownIt("js-default").use(attrs_block_plugin).render,
    "mistune": mistune.create_markdown(escape=False, plugins=PLUGINS),
}
if find_spec("linkify_it"):
    RENDERERS["addresses"] = MarkdownIt("gfm-like").render
# markdown-it-py before 4.3 leaves escaped signs out of the description of an image
KEEPS_DESCRIPTIONS = 'alt="!"' in MarkdownIt().render(r"![\!](a)")
OF_IMAGES = [name for name in RENDERERS if KEEPS_DESCRIPTIONS or name == "mistune"]
OF_TABLES = [name for name in RENDERERS if name != "CommonMark"]

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "<b>a & b</b>",
    "<!-- a",
    "[click](http://evil.example)",
    "[click][1]",
    "![x](http://evil.example/x.png)",
    "a [^1] b",
    "[x]: http://evil.example",
    "<http://evil.example>",
    "http://evil.example/?q=1, and more",
    "(see www.evil.example)",
    "me@evil.example",
    "<me@evil.example>",
    "scores.py",
    "//evil.example",
    "a | b",
    "a \\| b",
    "a\\",
    "\\(x\\)",
    "`code`",
    "`` a ` b ``",
    "a`b@c`d",
    "*a* **b** _c_ __d__ ~e~ ~~f~~ ^g^ ==h==",
    "# a #",
    "1. a",
    "1) a",
    "- a",
    "+ a",
    "* a",
    "> a",
    "---",
    "===",
    "~~~",
    ":::",
    ": a",
    "    a",
    "a\n\n# b\n\n| c |\n| --- |",
    "a  \nb",
    "&lt;b&gt; &#60; &amp &nbsp;",
    "$x^2$ and $$y$$",
    "costs 5$ or $6",
    "{a}(b) {.c} {{ d }}",
    "{.c}",
    "a!",
    ">!a!<",
    "\u2028a\u2029",
    "a\0b\x1b[31m",
]
MARKUP = sorted({*"\\[]()!|<>`*_#-+=~^$&{}:.,@/ \n1a", "http://e.org", "www.e.org", "a@e.org"})
TEXTS = st.lists(st.sampled_from(MARKUP) | st.text(max_size=3), max_size=9).map("".join)


class Shown(HTMLParser):
    """What a reader sees: the text of each block, each image's text, and the tags that made it."""

    BLOCKS = ("p", "h1", "h2", "h3", "li", "th", "td")

    def __init__(self, page):
        super().__init__()
        self.blocks = []
        self.images = []
        self.tags = []
        self.outside = ""
        self.in_code = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.in_code = tag == "code"
        if tag in self.BLOCKS:
            self.blocks.append((tag, ""))
        if tag == "img":
            self.images.append(dict(attrs))

    def handle_endtag(self, tag):
        self.in_code = False

    def handle_data(self, data):
        if not self.in_code:
            self.outside += data
        if self.blocks:
            tag, text = self.blocks.pop()
            self.blocks.append((tag, text + data))

    def texts(self, *kinds):
        return [text.strip() for tag, text in self.blocks if tag in kinds]


def one_line(text):
    """Collapse white space, and replace what cannot be shown."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", "\ufffd", " ".join(text.split()))


def hostile(test):
    for text in HOSTILE:
        test = example(text)(test)
    return given(TEXTS)(test)


@hostile
def test_a_text_is_shown_as_it_is(text):
    escaped = escape_markdown(text)
    seen = one_line(text)
    assert "\n" not in escaped
    for name, render in RENDERERS.items() if escaped else ():
        for form, tags in (
            ("{}", ["p"]),
            ("# {}", ["h1"]),
            ("*so {}*", ["p", "em"]),
            ("**so {}**", ["p", "strong"]),
        ):
            shown = Shown(render(form.format(escaped)))
            expected = f"so {seen}" if "so" in form else seen
            assert shown.texts("p", "h1") == [expected], (name, form)
            assert [tag for tag in shown.tags if tag != "code"] == tags, (name, form)
            # some renderers look for addresses and formulas when escapes are gone, but not in code
            assert not re.search(r"//|@\S|(?i:www\.)|\$|\\[(\[]", shown.outside), (name, form)


@hostile
def test_a_text_leaves_a_link_after_it_as_it_is(text):
    for name, render in RENDERERS.items():
        shown = Shown(render(f"so {escape_markdown(text)}[more](a.png)"))
        assert [tag for tag in shown.tags if tag != "code"] == ["p", "a"], name
        assert shown.texts("p") == [f"so {one_line(text)}more"], name


@hostile
def test_a_text_leaves_tables_as_they_are(text):
    escaped = escape_markdown(text)
    seen = one_line(text)
    table = f"| a | {escaped} |\n| --- | --- |\n| {escaped} | b |\n| {escaped} | {escaped} |"
    for name in OF_TABLES:
        shown = Shown(RENDERERS[name](table))
        assert shown.texts("th", "td") == ["a", seen, seen, "b", seen, seen], name
        assert set(shown.tags) <= {"table", "thead", "tbody", "tr", "th", "td", "code"}, name


@hostile
def test_a_text_describes_an_image(text):
    for name in OF_IMAGES:
        shown = Shown(RENDERERS[name](f"![so {escape_markdown(text)}](a.png)"))
        assert shown.tags == ["p", "img"], name
        (image,) = shown.images
        assert image["src"] == "a.png", name
        assert image["alt"].strip() == f"so {one_line(text)}".strip(), name


# ---------------------------------------------------------------------- whole reports


def report_of_two_classes(names):
    """A report in which every word of the user's is one of the names."""
    rng = np.random.default_rng(0)
    y = rng.random(240) < 0.3
    some = iter(names)
    return evaluation_report(
        np.where(y, next(some), next(some)),
        {next(some): 1 / (1 + np.exp(-rng.normal(2 * y - 1.5, 1.2))) for _ in range(3)},
        groups=np.array([next(some), next(some)], dtype=object)[np.arange(240) % 2],
        folds=np.array([next(some), next(some)], dtype=object)[np.arange(240) // 120],
        pos_label=names[0],
        title=next(some),
    )


def report_of_three_classes(names):
    rng = np.random.default_rng(0)
    code = np.arange(120) % 3
    classes = sorted(names[:3])
    tables = {}
    for name in names[3:5]:
        prob = rng.dirichlet([1, 1, 1], 120) + np.eye(3)[code]
        tables[name] = pd.DataFrame(prob / 2, columns=classes)
    return evaluation_report(np.array(classes, dtype=object)[code], tables, title=names[5])


@pytest.mark.parametrize("make", [report_of_two_classes, report_of_three_classes])
@pytest.mark.parametrize("first", [0, 11, 22, 33])
@pytest.mark.usefixtures("few_resamples", "undrawn")  # names in figures: displays
def test_reports_show_names_as_they_are(make, first, tmp_path):
    report = make([*HOSTILE[first:], *HOSTILE][:10])
    path = tmp_path / "a (b) [c] #1 <d> 5% é.md"
    report.to_markdown(path)
    results, appendix = result_and_appendix(report.sections)
    sections = [*results, *appendix]
    tables = [table for section in sections for table in section.tables]
    pictures = [picture for section in sections for picture in section.pictures]
    folder = path.with_name(f"{path.stem}_figures")
    for name in OF_TABLES:
        shown = Shown(RENDERERS[name](path.read_text("utf-8")))
        assert shown.texts("h1") == [one_line(report.title)]
        titles = [section.title for section in results]
        assert shown.texts("h2") == [*map(one_line, titles), APPENDIX_TITLE]
        assert shown.texts("h3") == [one_line(section.title) for section in appendix]
        cells = [one_line(cell) for table in tables for row in table.rows() for cell in row]
        assert shown.texts("th", "td") == cells, name
        paragraphs = shown.texts("p")
        assert " · ".join(map(one_line, report.sections[0].facts)) in paragraphs
        assert one_line(report.sections[0].verdict) in paragraphs
        cards = [card for section in sections for card in section.cards]
        items = [f"{card.count}: {'; '.join(card.lines)}" for card in cards]
        assert shown.texts("li") == [one_line(item) for item in items]
        for section in sections:
            texts = [*section.text, *section.notes]
            texts += [f"Note. {warning}" for warning in section.warnings]
            texts += [table.words for table in section.tables]
            for words in texts:
                assert one_line(words) in paragraphs, name
        if name in OF_IMAGES:
            descriptions = [image["alt"] for image in shown.images]
            assert descriptions == [one_line(picture.words) for picture in pictures]
        for image, picture in zip(shown.images, pictures, strict=True):
            assert "(" not in image["src"]
            assert (folder / f"{picture.name}.png").exists()
            assert image["src"].endswith(f"/{picture.name}.png")
        assert set(shown.tags) <= {
            "h1",
            "h2",
            "h3",
            "ul",
            "li",
            "p",
            "em",
            "strong",
            "code",
            "img",
            "table",
            "thead",
            "tbody",
            "tr",
            "th",
            "td",
        }, name
