"""Fixtures and settings that every kind of test shares."""

import importlib.util
import os
from pathlib import Path

import matplotlib as mpl
import pytest
from hypothesis import HealthCheck, settings

mpl.use("agg")

# Derandomised so that a run of the same code gives the same verdict everywhere. A longer look:
# pytest --hypothesis-profile=thorough
_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("rocviz", derandomize=True, max_examples=20, **_COMMON)
settings.register_profile("thorough", max_examples=300, **_COMMON)
settings.load_profile("rocviz")

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder that holds pyproject.toml."""
    return ROOT


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium; without one, skip, or fail when ROCVIZ_REQUIRE_BROWSER is set."""
    place = ROOT / "tests" / "browser" / "find_chromium.py"
    spec = importlib.util.spec_from_file_location("find_chromium", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path = module.find()
    if path is None:
        if os.environ.get("ROCVIZ_REQUIRE_BROWSER"):
            pytest.fail(module.ADVICE)
        pytest.skip(module.ADVICE)
    return path


def pytest_collection_modifyitems(items):
    """Run the browser tests last: Playwright keeps an event loop running until the session ends."""
    browser = ROOT / "tests" / "browser"
    items.sort(key=lambda item: browser in item.path.parents)
