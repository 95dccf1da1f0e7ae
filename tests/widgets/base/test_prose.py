"""Texts of stories: only Markdown and formulas become HTML."""

import re
from contextlib import suppress
from html.parser import HTMLParser

import matplotlib as mpl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocviz.widgets.base.stories.prose import formula, inline, prose

KNOWN_TAGS = {"p", "ul", "ol", "li", "br", "strong", "em", "code", "a", "svg", "path"}
IN_ANOTHER = 'target="_blank" rel="noopener noreferrer"'  # window
ATTRIBUTES_OF_FORMULAS = {"role", "aria-label", "viewbox", "style", "fill", "d"}


class Tags(HTMLParser):
    """Collects the tags and attributes of HTML."""

    def __init__(self, html):
        super().__init__()
        self.tags = []
        self.attributes = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize(
    ("text", "html", "plain"),
    [
        ("Plain.", "<p>Plain.</p>", "Plain."),
        ("one\ntwo", "<p>one\ntwo</p>", "one two"),
        ("one\n\ntwo", "<p>one</p>\n<p>two</p>", "one\ntwo"),
        (
            "- one\n- **two**",
            "<ul>\n<li>one</li>\n<li><strong>two</strong></li>\n</ul>",
            "- one\n- two",
        ),
        ("two:\n- a\n- b", "<p>two:</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>", "two:\n- a\n- b"),
        ("1. a\n2. b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>", "1. a\n2. b"),
        ("a **b *c* d**", "<p>a <strong>b <em>c</em> d</strong></p>", "a b c d"),
        ("2 * 3 * 4", "<p>2 * 3 * 4</p>", "2 * 3 * 4"),
        (r"\*a\* \$5", "<p>*a* $5</p>", "*a* $5"),
        ("$5 and $6", "<p>$5 and $6</p>", "$5 and $6"),
        ("`a*b*`", "<p><code>a*b*</code></p>", "a*b*"),
        ("[x](javascript:y)", "<p>[x](javascript:y)</p>", "[x](javascript:y)"),
        ("<b>&", "<p>&lt;b&gt;&amp;</p>", "<b>&"),
        ("<p onclick=x>&lt;", "<p>&lt;p onclick=x&gt;&amp;lt;</p>", "<p onclick=x>&lt;"),
        ("![a](https://b.c)", f'<p>!<a href="https://b.c" {IN_ANOTHER}>a</a></p>', "!a"),
        ('[a](https://b.c "title")', f'<p><a href="https://b.c" {IN_ANOTHER}>a</a></p>', "a"),
        ("# a", "<p># a</p>", "# a"),
        ("a | b\n--|--", "<p>a | b\n--|--</p>", "a | b --|--"),
        ("50 %", "<p>50\u00a0%</p>", "50 %"),
    ],
)
def test_markdown(text, html, plain):
    written = prose(text)
    assert (written.html, written.plain) == (html, plain)


def test_a_link_leads_to_the_web_in_another_window():
    text = prose("see [the *book*](https://a.org/b?c=1&d=2)")
    assert text.plain == "see the book"
    assert text.html == (
        '<p>see <a href="https://a.org/b?c=1&amp;d=2" target="_blank" rel="noopener noreferrer">'
        "the <em>book</em></a></p>"
    )


def test_fields_are_filled_after_the_markdown_was_read():
    """A name with stars, brackets or a tag in it stays a name; fields may stand anywhere."""
    hostile = "*a* [b](https://c.d) $e$ `f` <script>"
    filled = {"{result.x[a b]:.1f}": hostile, "{state.k}": "7"}

    def fill(text):
        for field, value in filled.items():
            text = text.replace(field, value)
        return text

    assert prose("**{result.x[a b]:.1f}**", fill).plain == hostile
    assert prose("`{state.k}` [{state.k}](https://a.b)", fill).plain == "7 7"
    assert Tags(prose("{result.x[a b]:.1f}", fill).html).tags == ["p"]
    # an escaped brace is none
    assert prose(r"\{state.k\}", fill).plain == "{state.k}"
    # in a formula only what names a result or the state is a field
    assert inline(r"$\frac{1}{{state.k}}$", fill).plain == r"\frac{1}{7}"
    assert r'aria-label="\frac{1}{7}"' in inline(r"$\frac{1}{{state.k}}$", fill).html


PARTS = [
    r"\frac", r"\text", r"\left", r"\right", r"\sqrt", r"\genfrac", r"\overline", r"\hspace",
    r"\sum", r"\hat", r"\mathbf", r"\substack", r"\\", r"\,", r"\!", r"\quad", r"\middle",
    "{", "}", "{}", "{a}", "(", ")", ".", "|", "^", "_", "a", "1", "9999999", " ", "%", "&",
    r"\prime", "'", "~", "#", "\u4e00",
]  # fmt: skip


@given(st.lists(st.sampled_from(PARTS) | st.text(max_size=2), max_size=12).map("".join))
def test_any_formula_is_drawn_or_refused(tex):
    with suppress(ValueError):
        drawn = formula(tex)
        width, height = (float(size) for size in re.findall(r"(?:width|height):(.*?)em", drawn))
        assert 0 < width < 100
        assert 0 <= height < 100


# some of these cannot be read, others draw nothing; which they do depends on matplotlib's version
@pytest.mark.parametrize(
    "tex",
    [
        r"\text{}",
        r"\left.\right.",
        r"\genfrac{(}{)}{99999999}{0}{a}{b}",
        r"\c\!\rm",
        r"\hspace{99999999999}a",
    ],
)
def test_formulas_that_cannot_be_drawn_are_refused(tex):
    with pytest.raises(ValueError, match=r"cannot be read|draws nothing, or takes too much room"):
        formula(tex)


@pytest.mark.parametrize("error", [AttributeError, RuntimeError, IndexError])
def test_whatever_matplotlib_raises_is_a_refusal(error, monkeypatch):
    def fail(*_arguments, **_options):
        raise error

    monkeypatch.setattr("matplotlib.textpath.TextPath.__init__", fail)
    formula.cache_clear()
    with pytest.raises(ValueError, match=f"cannot be read: matplotlib fails with {error.__name__}"):
        formula("a")


def test_a_formula_needs_no_latex(monkeypatch):
    def no_latex(*_arguments):
        raise RuntimeError("Failed to process string with tex because latex could not be found")

    monkeypatch.setattr("matplotlib.texmanager.TexManager.make_dvi", no_latex)
    with mpl.rc_context({"text.usetex": True}):
        formula.cache_clear()
        assert formula(r"x^2").startswith("<svg")


def test_a_formula_is_drawn():
    assert formula(r"x^2") != formula(r"x_2")
    assert "display:block" in prose("$$x$$").html
    assert "vertical-align" in prose("$x$").html
    with pytest.raises(ValueError, match=r"the formula '\\\\fraz' cannot be read: .*fraz"):
        formula(r"\fraz")
    with pytest.raises(ValueError, match="at most"):
        formula("x" * 301)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("a" * 5001, "at most 5,000 letters"),
        ("$" + "x" * 301 + "$", "a formula must have at most 300 letters; got 'xxx"),
        ("$" + r"\sqrt{" * 40 + "}" * 40 + "$", "cannot be read"),
    ],
)
def test_unbounded_texts_are_refused(text, refused):
    for read in (prose, inline):
        with pytest.raises(ValueError, match=refused) as error:
            read(text)
        assert len(str(error.value)) < 400


PIECES = ["*", "**", "`", "[", "](https://a.b)", "](javascript:a)", "](", ")", "!", "<b>", "&lt;"]
PIECES += ['"', "'", "\\", "$", r"$\frac{1}{2}$", "${", "<img src=x onerror=alert(1)>", "\n\n- "]
PIECES += ["\n1. ", "\n# ", "\n> ", "<https://a.b>", "[a]: https://b.c"]


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=20).map("".join))
def test_texts_cannot_open_markup(text):
    tags = Tags("")
    with suppress(ValueError):  # a formula that is none
        tags = Tags(prose(text).html)
    assert set(tags.tags) <= KNOWN_TAGS
    of_markdown = {"href", "target", "rel", "start"}
    assert {name for name, _ in tags.attributes} <= of_markdown | ATTRIBUTES_OF_FORMULAS
    assert all(value.startswith("https://") for name, value in tags.attributes if name == "href")


@pytest.mark.parametrize(
    "text",
    [
        r"$\href{javascript:alert(1)}{x}$",
        r"$\includegraphics{https://a.b/c.png}$",
        r"$\html{<img src=x>}$",
        r"$\url{https://a.b}$",
    ],
)
def test_formulas_hold_no_links_and_no_pictures(text):
    with pytest.raises(ValueError, match=r"the formula .* cannot be read"):
        prose(text)
