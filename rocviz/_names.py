"""Where public names are, for those who look for one at the top of rocviz; nothing is imported."""

import ast
from difflib import get_close_matches
from functools import cache
from pathlib import Path

PACKAGE_FOLDER = Path(__file__).parent
#: Modules whose public names stand in no stub.
FILES_WITHOUT_STUB = ("exercises/__init__.py", "theme.py")


def where_to_look(name: str) -> str:
    """Say under which full name an object is to be had, or which similar name there is.

    Parameters
    ----------
    name : str
        A name that ``rocviz`` itself does not have.

    Returns
    -------
    str
    """
    missing = f"rocviz has no attribute {name!r}"
    places = public_places()
    if name in places:
        return f"{missing}; use {' or '.join(places[name])}"
    if (PACKAGE_FOLDER / name).is_dir() or (PACKAGE_FOLDER / f"{name}.py").exists():
        return f"rocviz.{name} is a module that has to be imported first: import rocviz.{name}"
    in_small_letters = {place.lower(): place for place in reversed(places)}
    near = get_close_matches(name.lower(), in_small_letters, n=1, cutoff=0.7)
    if near:
        return f"{missing}. Did you mean {places[in_small_letters[near[0]]][0]}?"
    return f"{missing}; dir(rocviz) lists its names"


@cache
def public_places() -> dict[str, list[str]]:
    """Map each public name to the full names by which it can be imported, the shortest first."""
    sources = list(PACKAGE_FOLDER.rglob("__init__.pyi"))
    for file in FILES_WITHOUT_STUB:
        sources.append(PACKAGE_FOLDER / file)
    places: dict[str, list[str]] = {}
    for path in sorted(sources, key=lambda path: (len(path.parts), path)):
        if not path.exists():  # an installation without sources
            continue
        module = path.parent if path.stem == "__init__" else path.with_suffix("")
        dotted = ".".join(("rocviz", *module.relative_to(PACKAGE_FOLDER).parts))
        for name in _names_in(path.read_text("utf-8")):
            places.setdefault(name, []).append(f"{dotted}.{name}")
    return places


def _names_in(source: str) -> list[str]:
    """List the public names that a module makes, or takes from elsewhere in rocviz."""
    names = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            names.append(node.name)
        elif isinstance(node, ast.ImportFrom) and (
            node.level or str(node.module).startswith("rocviz")
        ):
            names += [alias.name for alias in node.names]
    return [name for name in names if not name.startswith("_")]
