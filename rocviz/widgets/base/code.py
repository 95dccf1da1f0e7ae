"""Import lines of the Python that explorers show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib import import_module


@cache
def public_home(name: str) -> str:
    """Find the package to import a public name from: ``rocviz`` itself, or an idea's package."""
    packages = [import_module("rocviz")]
    for layer in (import_module("rocviz.core"), import_module("rocviz.estimators")):
        packages += [getattr(layer, idea) for idea in layer.__all__]
    return next(room.__name__ for room in packages if name in getattr(room, "__all__", ()))


def import_lines(names: Iterable[str]) -> list[str]:
    """Write one import for each package of the public names."""
    by_package: dict[str, list[str]] = defaultdict(list)
    for name in sorted(set(names)):
        by_package[public_home(name)].append(name)
    return [f"from {home} import {', '.join(by_package[home])}" for home in sorted(by_package)]
