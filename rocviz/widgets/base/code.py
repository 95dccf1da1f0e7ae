"""The Python code that explorers show: imports, and calls in the usual notation."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

#: Origin of names that no package of rocviz lists.
IMPORTED_FROM = {
    "data_of": "rocviz.widgets",
    "permutations": "itertools",
    "product": "itertools",
    "expit": "scipy.special",
    "logit": "scipy.special",
    "load_breast_cancer": "sklearn.datasets",
    "StratifiedGroupKFold": "sklearn.model_selection",
    "train_test_split": "sklearn.model_selection",
    "BernoulliNB": "sklearn.naive_bayes",
    "DecisionTreeClassifier": "sklearn.tree",
}
#: A number in code, without its sign.
NUMBER_PATTERN = re.compile(r"(?<![\w.])\d+(?:\.\d*)?(?:e[-+]?\d+)?(?![\w.])")


@cache
def home_of(name: str) -> str | None:
    """Find the package to import a name from; None for one that needs no import."""
    if name in IMPORTED_FROM:
        return IMPORTED_FROM[name]
    packages = [import_module("rocviz"), import_module("rocviz.datasets")]
    for layer in (import_module("rocviz.core"), import_module("rocviz.estimators")):
        packages += [getattr(layer, idea) for idea in layer.__all__]
    return next((room.__name__ for room in packages if name in getattr(room, "__all__", ())), None)


def script(lines: Iterable[str]) -> str:
    """Write the lines below the imports of the names that they call or take an attribute of."""
    body = "\n".join(lines).strip("\n") + "\n"
    used = _used_names(NUMBER_PATTERN.sub("0", body))
    homes = defaultdict[str, list[str]](list)
    for name in sorted(used):
        if home := home_of(name):
            homes[home].append(name)
    imports = []
    if "np" in used:
        imports.append("import numpy as np")
    imports += [f"from {home} import {', '.join(names)}" for home, names in sorted(homes.items())]
    theirs = [line for line in imports if "rocviz" not in line]
    ours = [line for line in imports if "rocviz" in line]
    blocks = theirs, ours, [body]
    return "\n\n".join("\n".join(block) for block in blocks if block)


@lru_cache(maxsize=64)
def _used_names(body: str) -> set[str]:
    """Find the names that code calls or takes an attribute of, except its own.

    Code of a moving control differs in numbers only, so these are left out before, and the rest is
    parsed once.
    """
    used = set[str]()
    own = set[str]()
    for node in ast.walk(ast.parse(body)):
        origin = getattr(node, "func", None) or getattr(node, "value", None)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.Call | ast.Attribute) and isinstance(origin, ast.Name):
            used.add(origin.id)
    return used - own


def options(**keywords: Any) -> str:
    """Write keywords that follow other arguments, except those that are None."""
    return "".join(f", {name}={value!r}" for name, value in keywords.items() if value is not None)
