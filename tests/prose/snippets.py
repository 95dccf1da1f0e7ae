"""The Python of README and docs: run statement by statement, with its comments checked.

A comment in a snippet is one of these:

- ``# -> 0.833`` is the value of its expression, or what its statement prints. It is compared as in
  a doctest, and numbers in as many digits as are written; more lines of it may follow on their own.
- A claim, such as ``# now the first is large``, has a check in ``tests/prose/test_snippets.py``,
  by its page and its words, which runs with the statement.
- What ``assert`` says needs no other check.
- ``# needs scikit-learn 1.8: why`` leaves the snippet out with an earlier one.

Comments that only ask something of the reader (``# take your labels``) are listed there, too, so
that none is taken for such by mistake.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import re
import tokenize
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CODE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
NEEDS = re.compile(r"needs scikit-learn ([\d.]+\d)")
NUMBER = re.compile(r"[-−]?\d+(?:\.(\d+))?(?:e([-+]?\d+))?")

#: A check: called with the variables, it runs until its ``yield`` before the statement, and goes on
#: after it.
Check = Callable[[dict[str, Any]], AbstractContextManager[None]]


def pages() -> list[Path]:
    """List the pages whose Python is run."""
    docs = sorted((ROOT / "docs").rglob("*.md"))
    built = ROOT / "docs" / "_build"
    return [ROOT / "README.md", *(page for page in docs if built not in page.parents)]


def name_of(page: Path) -> str:
    """Name a page by its path from the root."""
    return page.relative_to(ROOT).as_posix()


@dataclass
class Statement:
    """One statement of a snippet, its comments, and the value that they state, if any."""

    node: ast.stmt
    claims: list[str] = field(default_factory=list)
    value: str | None = None

    def execute(self, names: dict[str, Any]) -> str:
        """Run the statement, and return what a prompt would show of it."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            if not isinstance(self.node, ast.Expr):
                exec(compile(ast.Module([self.node], []), "snippet", "exec"), names)
                return printed.getvalue()
            value = eval(compile(ast.Expression(self.node.value), "snippet", "eval"), names)
        return printed.getvalue() + ("" if value is None else repr(value))


def comments_of(code: str) -> list[tuple[int, bool, str]]:
    """List the comments of some code: line, whether it has a line of its own, and words."""
    tokens = tokenize.generate_tokens(io.StringIO(code).readline)
    return [
        (
            token.start[0],
            not token.line[: token.start[1]].strip(),
            token.string.lstrip("# ").strip(),
        )
        for token in tokens
        if token.type == tokenize.COMMENT
    ]


def statements_of(code: str) -> list[Statement]:
    """Divide a snippet into statements, each with its comments.

    A comment between two statements belongs to the one below, unless it is a value.
    """
    statements = [Statement(node) for node in ast.parse(code).body]
    of_value: Statement | None = None
    last = 0
    for line, is_alone, words in comments_of(code):
        above = [statement for statement in statements if statement.node.lineno <= line]
        below = [statement for statement in statements if statement.node.lineno > line]
        is_inside = bool(above) and line <= (above[-1].node.end_lineno or 0)
        is_more = of_value is not None and is_alone and line == last + 1 and not is_inside
        if words.startswith("->"):
            of_value = above[-1]
            of_value.value = words.removeprefix("->").strip()
        elif of_value is not None and is_more:
            of_value.value = f"{of_value.value} {words}"
        else:
            of_value = None
            owner = above[-1] if is_inside or not below else below[0]
            if not isinstance(owner.node, ast.Assert):
                owner.claims.append(words)
        last = line
    return statements


def agrees(want: str, got: str) -> bool:
    """Compare a value with the one that a comment states, in as many digits as it states."""
    got = re.sub(r"\bnp\.[a-z]+\d*_?\(([^()]*)\)", r"\1", got)  # a scalar is written as its value
    got = re.sub(r"\s+(?=[,)\]])|(?<=[(\[])\s+", "", got)  # and arrays without filling
    expected = list(NUMBER.finditer(want))
    actual = list(NUMBER.finditer(got))
    if len(expected) == len(actual):
        for first, other in zip(reversed(expected), reversed(actual), strict=True):
            decimals = len(first[1] or "") - int(first[2] or 0)
            values = [float(number[0].replace("−", "-")) for number in (first, other)]
            if abs(values[0] - values[1]) <= 0.5000001 * 10.0**-decimals and first[0] != other[0]:
                got = got[: other.start()] + first[0] + got[other.end() :]
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(want + "\n", got.strip() + "\n", flags)


def run_snippet(code: str, checks: Mapping[str, Check], names: dict[str, Any]) -> Iterator[str]:
    """Run a snippet and the checks of its comments, and yield what is wrong with values."""
    for statement in statements_of(code):
        with ExitStack() as stack:
            for claim in statement.claims:
                if claim in checks:
                    stack.enter_context(checks[claim](names))
            got = statement.execute(names)
        if statement.value is not None and not agrees(statement.value, got):
            yield f"{ast.unparse(statement.node)}: {statement.value!r} is {got.strip()!r}"
