"""Numbers that pages and chapters claim, and the outputs that back them.

A number in words is backed if something shows it, with as many digits or more: a cell of the same
section prints it, the code beside it has it, or a table of the page. What is said by other words
than numbers, or follows from two numbers, is a :class:`Claim`: a pattern that finds the sentence,
and a function that computes what the sentence has to say. Nothing else in the prose is pinned.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

# A number in words: −.5, 1.5, 12 %, 15 000. Not a part of a name.
_NUMBER = re.compile(
    r"(?<![\w.,/^_{\\-])[−-]?(?:\d[\d,]*(?: 000)*(?:\.\d+)?|\.\d+)(?:\s?%)?(?![\w}])"
)
_SHOWN = re.compile(r"[−-]?(?:\d[\d,_]*\.?\d*|\.\d+)(?:e[-+]?\d+)?\s?%?")
# Formulas, code, links, headings, years, quotations, what is asked rather than said, and numbers of
# chapters and the like say nothing that could be false here.
_ASIDE = re.compile(
    r"```.*?```|\$\$.*?\$\$|\$[^$\n]*\$|`[^`\n]*`|\]\([^)]*\)|<[^>\n]*>|^#+ [^\n]*$"
    r"|\((?:\w+ )?(?:19|20)\d\d\w?\)|, (?:19|20)\d\d\w?(?=[);])"
    r"|(?:[Cc]hapter|[Ss]ection|Figure|Table|Equation|Theorem|Proposition|Definition|Example"
    r"|Corollary|Algorithm)s?\s\d+(?:\.\d+)*(?:(?:, | and | to )\d+)*|Python 3\.\d+"
    r'|"[^"\n]{0,400}"|[^.]*Allow about[^.]*\.[^.]*\.|(?<=[.!?:*]\s)(?:[^.!?:<]|[.:](?=\S))*\?',
    re.DOTALL | re.MULTILINE,
)
#: Whole numbers up to here are counted in the head, and not followed.
MAX_SMALL_NUMBER = 20


@dataclass(frozen=True)
class Number:
    """A number: its text, its value, its precision, and the words around it."""

    written: str
    value: float
    decimals: int
    context: str

    def agrees(self, shown: float) -> bool:
        """Whether a shown value could be written like this; the words may give the sign."""
        return abs(round(abs(shown), self.decimals) - abs(self.value)) < 1e-9


def _value(written: str) -> tuple[float, int]:
    digits = re.sub(r"[,_ ]|\.$", "", written.rstrip("% ").replace("−", "-"))
    decimals = len(digits.partition(".")[2])
    return (
        (float(digits) / 100, decimals + 2) if written.endswith("%") else (float(digits), decimals)
    )


def numbers(text: str) -> list[Number]:
    """Find the numbers that a text claims."""
    plain = _ASIDE.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    results = []
    for match in _NUMBER.finditer(plain):
        value, decimals = _value(match[0].rstrip(", "))
        if decimals or abs(value) > MAX_SMALL_NUMBER:
            context = " ".join(text[max(0, match.start() - 60) : match.end() + 40].split())
            results.append(Number(match[0], value, decimals, context))
    return results


def shown_values(*texts: str) -> set[float]:
    """Collect all numbers of outputs, code or tables; percentages also as shares."""
    values: set[float] = set()
    for text in texts:
        for match in _SHOWN.finditer(text):
            value, _ = _value(match[0].strip())
            values |= {value, value * 100} if match[0].endswith("%") else {value}
    return values


def unbacked(text: str, shown: set[float]) -> list[Number]:
    """Find the numbers of a text that no output shows."""
    return [number for number in numbers(text) if not any(map(number.agrees, shown))]


@dataclass(frozen=True)
class Claim:
    """A sentence on a page with the computation of its numbers.

    ``sentence`` is a pattern, tried on the page in one line; its groups are what is claimed.
    ``truth`` computes the same groups, as they should be written, or whether it is true at all.
    """

    page: str
    sentence: str
    truth: Callable[[], tuple[str, ...] | str | bool]

    def matches(self, text: str) -> list[re.Match[str]]:
        return list(re.finditer(self.sentence, " ".join(text.split())))

    def problems(self, text: str) -> list[str]:
        """List the errors of the text."""
        matches = self.matches(text)
        truth = self.truth() if matches else True
        if not isinstance(truth, str | tuple):
            return [] if truth else [f"{self.page}: not true: {match[0]}" for match in matches]
        truths = (truth,) if isinstance(truth, str) else truth
        return [
            f"{self.page}: {match[0]}: should be {', '.join(truths)}"
            for match in matches
            if match.groups() != truths
        ]

    def numbers(self, text: str) -> set[str]:
        """Collect the numbers that the claim itself answers for."""
        numbers = set()
        for match in self.matches(text):
            for group in match.groups():
                if group:
                    numbers |= {group, *group.split(", ")}
        return numbers
