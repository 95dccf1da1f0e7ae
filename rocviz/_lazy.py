"""Packages whose names load their modules when they are first used, and not before.

Such a package writes its table of names once, as imports below ``if TYPE_CHECKING``. Type checkers
and editors read them there, and so does :func:`attach`. Must import nothing of rocviz.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, cast


def attach(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` of the package that calls.

    Of its source the imports directly below ``if TYPE_CHECKING`` are read: ``from module import
    name as name`` (the form that type checkers take for public), ``from package import subpackage
    as subpackage`` and ``from other_lazy_package import *``.
    """
    module = sys.modules[package]
    loader: Any = module.__loader__
    home: dict[str, str] = {}
    for block in ast.parse(loader.get_source(package)).body:
        if isinstance(block, ast.If) and getattr(block.test, "id", "") == "TYPE_CHECKING":
            for line in cast(list[ast.ImportFrom], block.body):
                names = [alias.name for alias in line.names]
                place = str(line.module)
                if names == ["*"]:
                    names = import_module(place).__all__
                home.update(dict.fromkeys(names, place))

    def __getattr__(name: str) -> Any:
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if home[name] == package:
            return import_module(f"{package}.{name}")
        value = getattr(import_module(home[name]), name)
        setattr(module, name, value)
        return value

    def __dir__() -> list[str]:
        return sorted({*vars(module), *home})

    return __getattr__, __dir__, sorted(home)
