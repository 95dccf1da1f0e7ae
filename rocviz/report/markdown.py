"""The user's words in Markdown: every renderer shows exactly the text, whatever stands in it.

Names of columns, models, groups and labels may come from a stranger's file. In CommonMark a
backslash or a character reference makes a plain letter of every sign of markup. Addresses and
dollar signs need more: some renderers look for them after they have read the text, when nothing is
left of such an escape. Only in a code span do they become neither a link nor a formula.
"""

from __future__ import annotations

import re

#: Control characters and halves of characters, which cannot be shown or written to a file.
INVISIBLE_CHARACTER = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
#: A word by which renderers know an address or mathematics; it ends before a backtick, which would
#: end the code span, and before a bar, which would end the cell of a table.
ADDRESS_PATTERN = re.compile(
    r"((?<![^\s`|])[^\s`|]*?(?://|@|www\.|\$|\\[()\[\]])[^\s`|]*)", re.IGNORECASE
)
#: Signs of markup, and a dot in the middle of a name such as "scores.py", which could be a host.
MARKUP_SIGN = re.compile(r"[\\\[\]{}*_~^!|#]|==|(?<=\w)\.(?=[^\W\d])")
#: Signs of HTML; "a & b" and "p < 0.001" begin neither a character reference nor a tag.
HTML_SIGN = re.compile(r"&(?=[#A-Za-z0-9])|[<>](?! )|`")
CHARACTER_REFERENCES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "`": "&#96;"}
#: The beginning of a list, a rule, a definition or a quotation; "-0.5" and "0.5" are none.
BLOCK_BEGINNING = re.compile(r"^(\d+(?=[.)]( |$))|(?=[-+:]([-: ]|$))|(?=[=>]))")


def escape_markdown(text: str) -> str:
    r"""Escape a text so that Markdown shows exactly that text, in one line.

    White space is collapsed, and control characters become U+FFFD. The result may stand in a
    paragraph, a heading, the cell of a table, an alternative text, and within emphasis.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> print(escape_markdown("score_a | <b>bold</b>, p < 0.001"))
    score\_a \| &lt;b&gt;bold&lt;/b&gt;, p < 0.001
    >>> print(escape_markdown("Mail me@example.org (or pay $5)."))
    Mail `me@example.org` (or pay `$5`).
    """
    line = INVISIBLE_CHARACTER.sub("\ufffd", " ".join(text.split()))
    parts = ADDRESS_PATTERN.split(line)  # words, address, words, address, ..., words
    parts[::2] = map(_escape_words, parts[::2])
    parts[1::2] = map(_escape_address, parts[1::2])
    return BLOCK_BEGINNING.sub(r"\1\\", "".join(parts))


def _escape_words(text: str) -> str:
    plain = MARKUP_SIGN.sub(lambda sign: "\\" + "\\".join(sign[0]), text)
    return HTML_SIGN.sub(lambda sign: CHARACTER_REFERENCES[sign[0]], plain)


def _escape_address(word: str) -> str:
    """Put a word into a code span, but not the punctuation of the sentence around it."""
    begun = word.lstrip("(\"'")
    address = begun.rstrip(".,;:!?)\"'")
    if not address:
        return _escape_words(word)
    before = word[: len(word) - len(begun)]
    after = begun[len(address) :]
    return f"{_escape_words(before)}`{address}`{_escape_words(after)}"
