"""Import lines of the Python that explorers show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib import import_module


@cache
def public_home(name: str) -> str:
    """Find the package to import a public name from: ``rocviz`` itself, or an idea's package."""
    packages = ["rocviz"]
    for layer in ("rocviz.core", "rocviz.estimators"):
        packages += [f"{layer}.{idea}" for idea in import_module(layer).__all__]
    return next(package for package in packages if name in import_module(package).__all__)


def import_lines(names: Iterable[str]) -> list[str]:
    """Write one import for each package that the public names come from."""
    by_package: dict[str, list[str]] = defaultdict(list)
    for name in sorted(set(names)):
        by_package[public_home(name)].append(name)
    return [f"from {home} import {', '.join(by_package[home])}" for home in sorted(by_package)]
