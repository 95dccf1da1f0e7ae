"""Write what explorers say of their inputs, which their traits declare.

The parameters in an explorer's docstring have the help of the traits; ``inputs.pyi`` beside it has
their types, for type checkers. Run without arguments to write, with ``--check`` to list the files
that differ.
"""

import ast
import inspect
import re
import sys
from pathlib import Path
from textwrap import fill, indent

import traitlets

import rocviz
from rocviz.widgets.base.controls import ValidatedTuple
from rocviz.widgets.base.signature import declared_traits

ROOT = Path(rocviz.__file__).parents[1]
#: Names of types in docstrings and stubs.
KINDS = {
    traitlets.Bool: "bool",
    traitlets.Int: "int",
    traitlets.Float: "float",
    traitlets.Tuple: "tuple",
    (traitlets.Unicode, traitlets.Enum): "str",
}


def kind_of(trait):
    """Find the name of the type of an input."""
    return next(kind for base, kind in KINDS.items() if isinstance(trait, base))


# ------------------------------------------------------------------ docstrings


def sections_of(docstring):
    """Split a docstring into the text before its first section, and its sections by heading."""
    before, *parts = re.split(r"\n\n(\w[\w ]*)\n-{3,}\n", inspect.cleandoc(docstring))
    return before, dict(zip(parts[::2], parts[1::2], strict=True))


def entries_of(parameters):
    """Split a section of parameters into one entry for each name."""
    entries = {}
    for entry in re.split(r"\n(?=\S)", parameters):
        names = entry.split("\n")[0].split(" : ")[0]
        entries.update(dict.fromkeys(names.split(", "), entry))
    return entries


def number_text(number):
    """Write a limit of an input."""
    return f"{number:,}" if isinstance(number, int) else f"{number:g}"


def described(trait):
    """Find the entry of an explorer's input in its list of parameters."""
    kind = kind_of(trait)
    text = trait.help
    values = ", ".join(map(repr, getattr(trait, "values", None) or ()))
    if len(trait.name + values) < 70 and values:
        kind = f"{{{values}}}"
    elif values:
        text += f" One of {values}."
    limits = [getattr(trait, limit, None) for limit in ("min", "max")]
    if all(limit is not None and abs(limit) != float("inf") for limit in limits):
        low = number_text(limits[0])
        high = number_text(limits[1])
        text += f" From {low} to {high}."
    return f"{trait.name} : {kind}, optional\n{indent(fill(text, 92), ' ' * 4)}"


def docstring_of(cls):
    """Complete the docstring of an explorer with a description of every input."""
    before, sections = sections_of(cls.__doc__)
    own = entries_of(sections["Parameters"])
    traits = cls.class_traits()
    entries = [
        described(traits[name]) if name in traits else own[name]
        for name in inspect.signature(cls).parameters
    ]
    sections["Parameters"] = "\n".join(dict.fromkeys(entries))
    parts = (f"{key}\n{'-' * len(key)}\n{text}" for key, text in sections.items())
    return "\n\n".join([before, *parts])


def module_of(cls):
    """Write the module of an explorer, with its complete docstring."""
    source = Path(inspect.getfile(cls)).read_text("utf-8")
    lines = source.splitlines()
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    quoted = next(node.body[0] for node in classes if node.name == cls.__name__)
    text = indent(f'"""{docstring_of(cls)}\n"""', " " * 4)
    lines[quoted.lineno - 1 : quoted.end_lineno] = text.splitlines()
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------ types


def type_of(trait):
    """Find the type of an explorer's input, as type checkers are to know it."""
    kind = kind_of(trait)
    if kind == "tuple":
        entry = "str"  # those without a function that converts entries are of names
        if isinstance(trait, ValidatedTuple):
            convert = getattr(trait.convert, "func", trait.convert)
            entry = inspect.signature(convert).return_annotation
        kind = f"Sequence[{entry}]"
    # as focus, None goes back to the first of the panels
    may_be_none = trait.allow_none or trait.name == "focus"
    return f"{kind} | None" if may_be_none else kind


def stub_of(cls):
    """Write the inputs of an explorer as a type, for ``**inputs`` of its constructor."""
    name = cls.__name__.removesuffix("Explorer")
    lines = [
        f'"""Inputs of {cls.__name__}; written by ``make format`` from its traits."""',
        "",
        "from collections.abc import Sequence",
        "from typing import TypedDict",
        "",
        f"class {name}Inputs(TypedDict, total=False):",
    ]
    lines += [f"    {trait.name}: {type_of(trait)}" for trait in declared_traits(cls)]
    return "\n".join(lines) + "\n"


def main(arguments):
    """Write the files, or list those that differ."""
    texts = {}
    for name in rocviz.__all__:
        if name.endswith("Explorer"):
            cls = getattr(rocviz, name)
            path = Path(inspect.getfile(cls))
            texts[path] = module_of(cls)
            texts[path.with_name("inputs.pyi")] = stub_of(cls)
    differing = [
        path for path, text in texts.items() if not path.exists() or path.read_text("utf-8") != text
    ]
    for path in differing:
        print(f"{path.relative_to(ROOT)} was not up to date")
        if "--check" not in arguments:
            path.write_text(texts[path], "utf-8")
    return int("--check" in arguments and bool(differing))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
