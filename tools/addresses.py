"""Copy the address ``Repository`` of ``[project.urls]`` to all files that repeat it.

Without ``--write`` the files that say something else are printed, and the exit code is 1. A fork
changes that one line of pyproject.toml and runs ``--write`` once; the site follows it on GitHub's
pages, and is what ``Documentation`` says if that is elsewhere. Files that are built (the pages of
the site) read pyproject.toml themselves.
"""

import argparse
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
URLS = PROJECT["urls"]
OWNER, NAME = URLS["Repository"].removeprefix("https://github.com/").split("/")
KINDS = (".cff", ".md", ".py", ".toml", ".yml", ".yaml", ".ipynb")

#: A repository of this project, whoever owns it, under its name here or the package's.
_OURS = rf"/[\w.-]+/(?:{NAME}|{PROJECT['name']})(?![\w-])"
_SITE = rf"https://[\w.-]+\.github\.io/(?:{NAME}|{PROJECT['name']})(?![\w-])"
SITE = re.sub(_SITE, f"https://{OWNER}.github.io/{NAME}", URLS["Documentation"])
PATTERNS = [
    (rf"(https://github\.com){_OURS}", rf"\g<1>/{OWNER}/{NAME}"),
    (rf"(https://raw\.githubusercontent\.com){_OURS}", rf"\g<1>/{OWNER}/{NAME}"),
    (rf"(https://mybinder\.org/v2/gh){_OURS}", rf"\g<1>/{OWNER}/{NAME}"),
    (_SITE, SITE),
]


def corrected(text: str) -> str:
    """Put the addresses of pyproject.toml into a text."""
    for pattern, address in PATTERNS:
        text = re.sub(pattern, address, text)
    return text


def tracked() -> list[Path]:
    """List the files of the repository that can hold an address."""
    # the files may belong to somebody else, as in a container
    command = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    paths = (ROOT / name for name in listed.stdout.split("\0") if name)
    return [path for path in paths if path.suffix in KINDS and path.is_file()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="correct the files")
    write = parser.parse_args().write
    wrong = 0
    for path in tracked():
        text = path.read_text("utf-8")
        if corrected(text) != text:
            wrong += 1
            print(path.relative_to(ROOT))
            if write:
                path.write_text(corrected(text), "utf-8")
    return 1 if wrong and not write else 0


if __name__ == "__main__":
    sys.exit(main())
