"""Every public name documents its parameters, returns and errors."""

import ast
import inspect
import re
import textwrap
from pathlib import Path
from pkgutil import resolve_name

API = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text("utf-8")
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
ENTRY = re.compile(r"^(\*{0,2}\w[\w*, ]*?)(?: ?:.*)?$", re.MULTILINE)
#: References to another description, as in "Takes and returns arrays as :meth:`tpr` does."
REFERENCE = re.compile(r"Takes[^.]*:(meth|func):")
#: Keywords that a method hands on to another of its class.
HANDED_ON = re.compile(r"^\*\*\w+\n    As for :meth:`(\w+)`\.$", re.MULTILINE)
#: Of these an annotation says neither shape nor range.
OPEN_TYPES = re.compile(r"Floats|Ints|Bools|Bits|Indices|NDArray|Any|tuple|dict|list")


def public():
    """Yield every function, class, method and property of the API page, and its name."""
    for name in re.findall(r"^   ([A-Za-z]\w*(?:\.\w+)*)$", API, re.MULTILINE):
        value = resolve_name(f"rocviz.{name}")
        yield name, value, ()
        parts = dir(value) if inspect.isclass(value) else ()
        for part in (part for part in parts if not part.startswith("_")):
            member = inspect.getattr_static(value, part)
            home = getattr(function_of(member), "__module__", None) or ""
            if home.startswith("rocviz."):
                # what a method leaves out, those it replaces may say
                replaced = [getattr(b, part) for b in value.__mro__[1:] if hasattr(b, part)]
                yield f"{name}.{part}", getattr(value, part), tuple(replaced)


def function_of(member):
    """Find the function behind a method, a class method or a property."""
    return getattr(member, "__func__", getattr(member, "fget", member))


# a method that several classes inherit is looked at once
PUBLIC = {
    (function_of(value), inspect.getdoc(value)): (name, value, replaced)
    for name, value, replaced in reversed(list(public()))
}
CALLABLE = [
    (name, value, replaced)
    for name, value, replaced in PUBLIC.values()
    if inspect.isroutine(function_of(value)) or inspect.isclass(value)
]


def sections(*values):
    """Find the text of each section of docstrings by its heading; "" is what comes first."""
    named = {}
    for value in values:
        first, *parts = SECTION.split(inspect.getdoc(value) or "")
        named = {"": first, **dict(zip(parts[::2], parts[1::2], strict=True)), **named}
    return named


def parameters(value):
    """List the parameters of a call, except those of exceptions."""
    if isinstance(value, property) or (inspect.isclass(value) and issubclass(value, Exception)):
        return []
    return [
        parameter.name
        for parameter in inspect.signature(value).parameters.values()
        # a typed dictionary has its keys described
        if parameter.name != "self" and "Unpack" not in str(parameter.annotation)
    ]


def can_raise(function):
    """Check whether a function raises by itself, or has an argument checked."""
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(function)))):
        if isinstance(node, ast.Raise) and node.exc is not None:
            if "NotImplementedError" not in ast.dump(node):  # a subclass is to do it
                return True
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name.startswith(("check_", "_check_")):
                return True
    return False


def runs(value):
    """List the functions that run when a class is called, or the function itself."""
    if isinstance(value, property):  # it has no argument to be checked
        return []
    if not inspect.isclass(value):
        return [function_of(value)]
    constructors = (value.__dict__.get(name) for name in ("__init__", "__post_init__"))
    return [
        f for f in constructors if inspect.isfunction(f) and f.__code__.co_filename != "<string>"
    ]


def test_every_public_name_is_checked():
    assert len(CALLABLE) > 400


def is_of_a_widget(value):
    """Check whether the framework of explorers calls it; docs/architecture.md describes that."""
    return function_of(value).__module__.startswith("rocviz.widgets.")


def entries_of(name, documented):
    """List the parameters and attributes that a docstring describes, or another one for it."""
    text = f"{documented.get('Parameters', '')}\n{documented.get('Attributes', '')}"
    entries = re.findall(r"\w+", " ".join(ENTRY.findall(text)))
    for other in HANDED_ON.findall(text):
        other_name = f"{name.rpartition('.')[0]}.{other}"
        entries += entries_of(other_name, sections(resolve_name(f"rocviz.{other_name}")))
    return entries


def test_every_parameter_is_described():
    unsaid = {}
    for name, value, replaced in CALLABLE:
        documented = sections(value, *replaced)
        assert documented[""], name
        if not is_of_a_widget(value) and not REFERENCE.search(documented[""]):
            entries = entries_of(name, documented)
            unsaid[name] = [name for name in parameters(value) if name not in entries]
    assert {name: missing for name, missing in unsaid.items() if missing} == {}


def test_returned_arrays_have_a_shape():
    unsaid = []
    for name, value, replaced in CALLABLE:
        documented = sections(value, *replaced)
        if inspect.isroutine(function_of(value)) and not isinstance(value, property):
            annotation = str(inspect.signature(value).return_annotation)
            if OPEN_TYPES.search(annotation) and not is_of_a_widget(value):
                names_result = {"Returns", "Yields"} & documented.keys() or "shape (" in documented[
                    ""
                ]
                if not (names_result or REFERENCE.search(documented[""])):
                    unsaid.append(name)
    assert unsaid == []


def test_errors_are_documented():
    unsaid = []
    for name, value, replaced in CALLABLE:
        documented = sections(value, *replaced)
        if any(can_raise(function) for function in runs(value)):
            names_errors = documented.get("Raises") or "raises" in documented[""].lower()
            if not names_errors:
                unsaid.append(name)
    assert unsaid == []
