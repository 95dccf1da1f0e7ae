"""Write the repeated descriptions of parameters into docstrings of displays and explorers.

A method of a display that hands keywords on (``**options: Unpack[AxesKeywords]``) documents them
with the words of the method that lists them, and all displays describe data, axes and themes alike.
An explorer documents its inputs with the help of their traits; ``inputs.pyi`` beside it has their
types, for type checkers. Run without arguments to write, with ``--check`` to list what differs.
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
#: Descriptions of parameters in every display, unless its base or its method has its own.
SHARED = {
    "estimator": "fitted classifier, or mapping of str to fitted classifier\n    Of two classes.",
    "X": "array-like, shape (n_samples, n_features)",
    "y": "array-like, shape (n_samples,)\n    True labels.",
    "y_true": "array-like, shape (n_samples,)\n    Labels of exactly two classes.",
    "y_score": """array-like of float, shape (n_samples,), or mapping of str to array-like
    Scores, higher means more positive; a mapping gives those of several models.""",
    "y_prob": """array-like of float, shape (n_samples,), or mapping of str to array-like
    Probabilities of the positive class; a mapping gives those of several models.""",
    "sample_weight": "array-like of float, shape (n_samples,), optional",
    "response_method": """{"auto", "predict_proba", "decision_function"}, default="auto"
    ``"auto"`` takes probabilities where the classifier has them.""",
    "pos_label": """label, optional
    The positive class; needed unless labels are 0 and 1, -1 and 1, or booleans.""",
    "name": "str, optional\n    Name of the model.",
    "ax": "matplotlib Axes, optional\n    Where to draw; by default on those of a new figure.",
    "curve_kwargs": """dict, or list of dict, optional
    Properties of matplotlib's ``Line2D``, such as ``{"color": "C1"}``, for the curves; a
    list gives those of each.""",
    "theme": """Theme or {"light", "dark", "lecture"}, optional
    By default the theme in force, see :func:`rocviz.set_theme`.""",
}
OF_ONE_MODEL = {
    "estimator": "fitted classifier\n    Of two classes.",
    "y_score": "array-like of float, shape (n_samples,)\n    Higher means more positive.",
}
OF_DISPLAY = {
    "AUCIntervalDisplay": {
        "sample_weight": """array-like of float, shape (n_samples,), optional
    How often each sample is repeated."""
    }
}
OF_METHOD = {
    "from_estimator": {
        "pos_label": """label, optional
    By default the estimator's own ``pos_label_``; needed where it has none and its classes
    are not 0 and 1, -1 and 1, or booleans.""",
        "name": "str, optional\n    By default the name of the estimator's class.",
    },
    "plot": {"name": "str, optional\n    Name of the model; by default the one of the display."},
}
RAISES = {
    "from_estimator": "``estimator`` or the data are invalid",
    "plot": "an argument is invalid",
}
#: Inputs of explorers.
KINDS = {
    traitlets.Bool: "bool",
    traitlets.Int: "int",
    traitlets.Float: "float",
    traitlets.Tuple: "tuple",
    (traitlets.Unicode, traitlets.Enum): "str",
}
#: Methods that others hand their keywords on to; the last one stands for them where both say it.
TARGETS = ("plot", "from_predictions")


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


def methods_of(cls):
    """Yield name, plain function and complete signature of each method that draws a display."""
    names = [name for name in vars(cls) if name.startswith(("plot", "from_"))]
    for name in dict.fromkeys([*(n for n in TARGETS if n in names), *names]):
        function = inspect.unwrap(getattr(cls, name))
        function = getattr(function, "__func__", function)
        if function.__doc__:
            yield name, function, inspect.signature(getattr(cls, name))


def completed(cls):
    """Complete the docstring of each method of a display."""
    shared = SHARED | (OF_ONE_MODEL if cls.__base__.__name__ == "ModelDisplay" else {})
    shared |= OF_DISPLAY.get(cls.__name__, {})
    target = getattr(cls, "_handed_to", None)
    described = {}
    docstrings = {}
    for name, function, signature in methods_of(cls):
        before, sections = sections_of(function.__doc__)
        code = function.__code__
        listed = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        stated = entries_of(sections.get("Parameters", ""))
        # keywords that another function takes are described where they are handed on first
        own = {}
        for key, text in stated.items():
            is_first = key not in described and (target or key not in shared)
            if key in listed or is_first:
                own[key] = text
        of_method = OF_METHOD.get(name, {})
        entries = []
        for key in [key for key in signature.parameters if key not in ("self", "cls")]:
            if key in own:
                entries.append(own[key])
            elif key in of_method or key not in described:
                entries.append(f"{key} : {of_method.get(key) or shared[key]}")
            else:
                entries.append(described[key])
        described = {**{k: v for k, v in own.items() if k not in of_method}, **described}
        bad = RAISES.get(name, "data are bad")
        sections = {
            "Parameters": "\n".join(dict.fromkeys(entries)),
            "Returns": f"{cls.__name__}\n    Itself." if name.startswith("plot") else cls.__name__,
            "Raises": f"ValueError\n    If {bad}. Then no figure is made.",
            **{key: text for key, text in sections.items() if key != "Parameters"},
        }
        docstrings[name] = "\n\n".join(
            [before, *(f"{key}\n{'-' * len(key)}\n{text}" for key, text in sections.items())]
        )
    return docstrings


def number(end):
    """Write an end of a range."""
    return f"{end:,}" if isinstance(end, int) else f"{end:g}"


def described(trait):
    """Find the entry of an explorer's input in its list of parameters."""
    kind = next((kind for base, kind in KINDS.items() if isinstance(trait, base)), "object")
    text = trait.help
    values = ", ".join(map(repr, getattr(trait, "values", None) or ()))
    if len(trait.name + values) < 70 and values:
        kind = f"{{{values}}}"
    elif values:
        text += f" One of {values}."
    ends = [getattr(trait, end, None) for end in ("min", "max")]
    if all(end is not None and abs(end) != float("inf") for end in ends):
        low, high = map(number, ends)
        text += f" From {low} to {high}."
    return f"{trait.name} : {kind}, optional\n{indent(fill(text, 92), ' ' * 4)}"


def of_explorer(cls):
    """Complete the docstring of an explorer with a description of every input."""
    before, sections = sections_of(cls.__doc__)
    own = entries_of(sections["Parameters"])
    named = {p: cls.class_traits().get(p) for p in inspect.signature(cls).parameters}
    entries = [own[name] if trait is None else described(trait) for name, trait in named.items()]
    sections["Parameters"] = "\n".join(dict.fromkeys(entries))
    parts = (f"{key}\n{'-' * len(key)}\n{text}" for key, text in sections.items())
    return "\n\n".join([before, *parts])


def type_of(trait):
    """Find the type of an explorer's input, as type checkers are to know it."""
    kind = next(kind for base, kind in KINDS.items() if isinstance(trait, base))
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
    fields = [f"    {trait.name}: {type_of(trait)}" for trait in declared_traits(cls)]
    name = cls.__name__.removesuffix("Explorer")
    return "\n".join(
        [
            f'"""Inputs of {cls.__name__}; written by ``make format`` from its traits."""',
            "",
            "from collections.abc import Sequence",
            "from typing import TypedDict",
            "",
            f"class {name}Inputs(TypedDict, total=False):",
            *fields,
            "",
        ]
    )


def files_of(cls):
    """Map the files that describe a display or an explorer to their complete text."""
    path = Path(inspect.getfile(cls))
    files = {path: written(cls, path.read_text("utf-8"))}
    if cls.__name__.endswith("Explorer"):
        files[path.with_name("inputs.pyi")] = stub_of(cls)
    return files


def written(cls, source):
    """Write a module's source with the complete docstrings of a display or an explorer."""
    lines = source.splitlines()
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    (node,) = [node for node in classes if node.name == cls.__name__]
    if cls.__name__.endswith("Explorer"):
        quoted = node.body[0]
        text = f'"""{of_explorer(cls)}\n"""'
        lines[quoted.lineno - 1 : quoted.end_lineno] = indent(text, " " * 4).splitlines()
        return "\n".join(lines) + "\n"
    docstrings = completed(cls)
    for function in reversed([n for n in node.body if isinstance(n, ast.FunctionDef)]):
        if function.name in docstrings:
            quoted = function.body[0]
            text = f'"""{docstrings[function.name]}\n"""'
            lines[quoted.lineno - 1 : quoted.end_lineno] = indent(text, " " * 8).splitlines()
    return "\n".join(lines) + "\n"


def main(arguments):
    """Write the docstrings, or list those that differ."""
    differing = []
    for name in rocviz.__all__:
        if name.endswith(("Display", "Explorer")):
            cls = getattr(rocviz, name)
            for path, text in files_of(cls).items():
                if not path.exists() or path.read_text("utf-8") != text:
                    differing.append(str(path.relative_to(ROOT)))
                    if "--check" not in arguments:
                        path.write_text(text, "utf-8")
    if differing:
        print(f"files that were not complete: {', '.join(differing)}")
    return int("--check" in arguments and bool(differing))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
