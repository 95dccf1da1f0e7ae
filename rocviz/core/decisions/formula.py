"""Typed formulas in the rates u, v and p of a metric, read without running code."""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, NoReturn, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from rocviz.core.base.frozen import Frozen
from rocviz.core.base.validation import check_numbers, describe

_Tree: TypeAlias = "np.float64 | str | tuple[Callable[..., Any], tuple[_Tree, ...]]"

#: True positives, predicted positives and positives, each divided by the number of samples.
_VARIABLE_NAMES = ("u", "v", "p")
_MAX_CHARACTERS = 200  # also bounds nesting depth and digits of numbers
_MAX_POWER = 100.0
_INVALID_CHARACTER = re.compile(r"[^A-Za-z0-9_.+\-*/(), ]")

_OPERATORS: Mapping[type[ast.AST], Callable[..., Any]] = MappingProxyType(
    {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.truediv,
        ast.Pow: operator.pow,
        ast.UAdd: operator.pos,
        ast.USub: operator.neg,
    }
)
_ONE_ARGUMENT_FUNCTIONS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"abs": np.abs, "exp": np.exp, "log": np.log, "sqrt": np.sqrt}
)
_VARIADIC_FUNCTIONS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"max": np.maximum, "min": np.minimum}
)
_FUNCTIONS = tuple(sorted((*_ONE_ARGUMENT_FUNCTIONS, *_VARIADIC_FUNCTIONS)))
_ALLOWED_TEXT = (
    f"Allowed are {', '.join(_VARIABLE_NAMES)}, numbers, + - * / **, parentheses, and "
    f"{', '.join(_FUNCTIONS)}."
)


@dataclass(frozen=True)
class Formula(Frozen):
    """A typed formula as a function of arrays.

    Made by :func:`parse_formula`. Two formulas are equal if their texts are.

    Parameters
    ----------
    text : str
        As typed, without spaces around it.
    """

    text: str

    def __post_init__(self) -> None:
        super().__post_init__()
        self._tree  # noqa: B018  # reads the text, so that a bad one is refused now

    @cached_property
    def _tree(self) -> _Tree:
        return _Reader(self.text).tree()

    @property
    def has_bends(self) -> bool:
        """Whether it contains ``abs``, ``max`` or ``min``, which may bend."""
        return not {"abs", "max", "min"}.isdisjoint(re.findall("[a-z]+", self.text))

    def __call__(self, u: ArrayLike, v: ArrayLike, p: ArrayLike) -> Any:
        """Evaluate the formula element by element.

        Parameters
        ----------
        u, v, p : array-like of float
            Broadcast against each other.

        Returns
        -------
        ndarray of float, or float if all values are
            NaN or infinite where the formula is not defined (0/0, 1/0, the root of a negative
            number).
        """
        rates = {
            name: check_numbers(rate, name)
            for name, rate in zip(_VARIABLE_NAMES, (u, v, p), strict=True)
        }
        result = np.empty(np.broadcast_shapes(*(rate.shape for rate in rates.values())))
        with np.errstate(all="ignore"):
            result[...] = _evaluate(self._tree, rates)
        return result[()]


def parse_formula(text: str) -> Formula:
    """Parse a user's formula into a function of arrays.

    Allowed are numbers, the rates ``u``, ``v`` and ``p`` of true positives, predicted positives and
    positives among all samples, ``+ - * / **``, parentheses, and the functions ``abs``,
    ``exp``, ``log``, ``max``, ``min`` and ``sqrt``. Everything else is refused. The text is
    never run as code: Python's parser splits it up, and each part is looked up in a short
    list. Numbers are floating-point numbers throughout, so no power takes long.

    Parameters
    ----------
    text : str
        Up to 200 characters. A number raised to a fixed power of more than 100 is refused, as is
        a part without variables whose value is not finite.

    Returns
    -------
    Formula
        A picklable function of three arrays.

    Raises
    ------
    ValueError
        If something is not allowed; the message says what, and at which character.

    Examples
    --------
    >>> f1 = parse_formula("2*u / (p + v)")
    >>> f1([0.1, 0.2], 0.3, 0.2).round(3).tolist()
    [0.4, 0.8]
    >>> parse_formula("u.real")
    Traceback (most recent call last):
        ...
    ValueError: formula: 'u.real' at character 1 is an attribute, which is not allowed. ...
    """
    if not isinstance(text, str):
        raise ValueError(f"formula must be a string; got {type(text).__name__}.")
    return Formula(text.strip(" "))


class _Reader:
    """Parser from text to a tree of allowed operations."""

    def __init__(self, text: str) -> None:
        self.text = text

    def tree(self) -> _Tree:
        text = self.text
        if not text:
            raise ValueError("formula is empty.")
        if len(text) > _MAX_CHARACTERS:
            raise ValueError(
                f"formula must have at most {_MAX_CHARACTERS} characters; got {len(text):,}."
            )
        invalid = _INVALID_CHARACTER.search(text)
        if invalid:
            hint = " Powers are written **." if invalid[0] == "^" else ""
            raise ValueError(
                f"formula: {describe(invalid[0])} at character {invalid.start() + 1} "
                f"is not allowed.{hint} {_ALLOWED_TEXT}"
            )
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of the tokenizer, about '1if'
                parsed = ast.parse(text, mode="eval")
        except SyntaxError as error:
            position = error.offset or 0
            where = f"at character {position}" if 0 < position <= len(text) else "at its end"
            raise ValueError(
                f"formula cannot be read {where}: {error.msg}. {_ALLOWED_TEXT}"
            ) from None
        return self._node(parsed.body)

    def _node(self, node: ast.expr) -> _Tree:
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return self._folded(node, np.float64(number))
            case ast.Name(id=name) if name in _VARIABLE_NAMES:
                return name
            case ast.Name(id=name) if name in _FUNCTIONS:
                self._refuse(node, "is a function and needs an argument in parentheses")
            case ast.Name():
                self._refuse(node, "is an unknown name")
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
                first = self._node(left)
                second = self._node(right)
                if (
                    isinstance(sign, ast.Pow)
                    and isinstance(second, np.float64)
                    and abs(second) > _MAX_POWER
                ):
                    self._refuse(node, f"is a power of more than {_MAX_POWER:g}")
                return self._folded(node, (_OPERATORS[type(sign)], (first, second)))
            case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _OPERATORS:
                return self._folded(node, (_OPERATORS[type(sign)], (self._node(operand),)))
            case ast.Call():
                return self._call(node)
            case ast.Attribute():
                self._refuse(node, "is an attribute, which is not allowed")
        self._refuse(node, "is not allowed")

    def _call(self, node: ast.Call) -> _Tree:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name not in _FUNCTIONS:
            if name in _VARIABLE_NAMES or isinstance(
                node.func, ast.Constant | ast.BinOp | ast.Call
            ):
                self._refuse(node, "is a product without *")
            self._refuse(node, "is an unknown function")
        if node.keywords:
            self._refuse(node, "has an argument with ** before it")
        parts = [self._node(part) for part in node.args]
        if name in _ONE_ARGUMENT_FUNCTIONS:
            if len(parts) != 1:
                self._refuse(node, f"has {len(parts)} arguments; {name} takes one")
            return self._folded(node, (_ONE_ARGUMENT_FUNCTIONS[name], tuple(parts)))
        if len(parts) < 2:
            self._refuse(node, f"has too few arguments; {name} takes two or more")
        tree = parts[0]
        for part in parts[1:]:
            tree = (_VARIADIC_FUNCTIONS[name], (tree, part))
        return self._folded(node, tree)

    def _folded(self, node: ast.expr, tree: _Tree) -> _Tree:
        """Replace constant subexpressions by their values."""
        if not _is_constant(tree):
            return tree
        with np.errstate(all="ignore"):
            value = np.float64(_evaluate(tree, {}))
        if not np.isfinite(value):
            self._refuse(node, "is not a finite number")
        return value

    def _refuse(self, node: ast.expr, why: str) -> NoReturn:
        part = self.text[node.col_offset : node.end_col_offset]
        raise ValueError(
            f"formula: {describe(part)} at character {node.col_offset + 1} {why}. {_ALLOWED_TEXT}"
        )


def _is_constant(tree: _Tree) -> bool:
    # operands are folded first, so that one level suffices, except for a max of several
    if isinstance(tree, tuple):
        return all(_is_constant(part) for part in tree[1])
    return not isinstance(tree, str)


def _evaluate(tree: _Tree, rates: Mapping[str, Any]) -> Any:
    if isinstance(tree, tuple):
        function, parts = tree
        return function(*(_evaluate(part, rates) for part in parts))
    return rates[tree] if isinstance(tree, str) else tree
