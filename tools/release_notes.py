"""Print the section of CHANGELOG.md about a version, which are the notes of its release.

A version without a section, or whose section has no date yet, is an error.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).resolve().parents[1] / "CHANGELOG.md"


def notes(changelog: str, version: str) -> str:
    """Find the text below the heading of a version, as in ``## 0.1.0 (2026-01-31)``."""
    for section in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]:
        heading, _, text = section.partition("\n")
        name, _, date = heading.partition(" ")
        if name == version:
            if not re.fullmatch(r"\(\d{4}-\d\d-\d\d\)", date.strip()):
                raise ValueError(f"the section about {version} has no date; its heading: {heading}")
            if not text.strip():
                raise ValueError(f"the section about {version} is empty")
            return f"{text.strip()}\n"
    raise ValueError(f"no section about {version}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("version", help="such as 0.1.0")
    version = parser.parse_args().version
    try:
        print(notes(CHANGELOG.read_text("utf-8"), version), end="")
    except ValueError as error:
        print(f"{CHANGELOG.name}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
