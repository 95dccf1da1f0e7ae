"""Build wheel and sdist, check them, and try each in an empty environment: ``make dist``.

Needs the build requirements of pyproject.toml. Each gets an environment with the dependencies that
pip finds; ``PIP_CONSTRAINT`` and the other settings of pip hold there.
"""

from __future__ import annotations

import argparse
import email
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

#: Code that must run where only the package is installed.
TRY = """
import rocviz
from rocviz import ROCExplorer, ROCHullDisplay, RankedSegments, cli
y, score = [0, 1, 0, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9]
assert RankedSegments.from_scores(y, score).auc == 1
explorer = ROCExplorer(y, score)
explorer.threshold = 0.4
assert explorer.result.table.tpr == 1
explorer.close()
ROCHullDisplay.from_predictions(y, score).figure_.savefig("roc.svg")
assert cli.main(["notebooks", "course"]) == 0
assert rocviz.__file__.startswith(__import__("sys").prefix)
print("tried rocviz", rocviz.__version__)
"""


def names(path: Path) -> set[str]:
    """List the files inside, without the folder that an sdist puts around them."""
    if path.suffix == ".whl":
        return set(zipfile.ZipFile(path).namelist())
    with tarfile.open(path) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def metadata(path: Path) -> email.message.Message:
    """Read the metadata of a wheel or an sdist."""
    if path.suffix == ".whl":
        archive = zipfile.ZipFile(path)
        name = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(archive.read(name))
    with tarfile.open(path) as archive:
        member = next(m for m in archive if re.fullmatch(r"[^/]+/PKG-INFO", m.name))
        return email.message_from_binary_file(archive.extractfile(member))


def tracked_files() -> set[str]:
    """List the files of the git repository, or none outside of one."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    return set(listed.stdout.splitlines())


def faults(path: Path) -> list[str]:
    """List the faults of a wheel or an sdist."""
    found, inside = [], names(path)
    text = metadata(path).get_payload()
    relative = re.findall(r"\]\((?!https?:)[^)]*\)", text)
    if not text.strip() or relative:
        found.append(f"its description has links that lead nowhere on an index: {relative}")
    folder = "rocviz/_notebooks" if path.suffix == ".whl" else "notebooks"
    wanted = {
        "rocviz/py.typed",
        "rocviz/__init__.py",
        "rocviz/__init__.pyi",
        "rocviz/widgets/base/bundles/rail.js",
    }
    wanted |= {f"{folder}/{book.name}" for book in (ROOT / "notebooks").glob("*.ipynb")}
    found += [f"it lacks {name}" for name in sorted(wanted - inside)]
    tracked = tracked_files()
    if tracked:
        source = {name.replace("rocviz/_notebooks/", "notebooks/") for name in inside}
        source = {name for name in source if not name.endswith("/") and ".dist-info/" not in name}
        found += [
            f"it holds {name}, which is not in the repository"
            for name in sorted(source - tracked - {"", "PKG-INFO"})
            if Path(name).suffix
        ]
    if path.suffix == ".whl":
        strange = {name.partition("/")[0] for name in inside}
        strange -= {"rocviz", next(n.partition("/")[0] for n in inside if ".dist-info/" in n)}
        found += [f"it holds {name}" for name in sorted(strange)]
    return found


def try_in_an_empty_environment(path: Path) -> None:
    """Install a distribution in an empty environment, and use it there."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(Path(folder, "env"), with_pip=True)
        python = Path(folder, "env", "Scripts" if os.name == "nt" else "bin", "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", path], check=True, cwd=folder)
        subprocess.run([python, "-m", "pip", "check"], check=True, cwd=folder)
        subprocess.run([python, "-c", TRY], check=True, cwd=folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-try", action="store_true", help="build and look only")
    options = parser.parse_args()
    out = ROOT / "dist"
    for old in [*out.glob("rocviz-*.whl"), *out.glob("rocviz-*.tar.gz")]:
        old.unlink()
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(out)]
    subprocess.run(command, check=True, cwd=ROOT)
    wrong = 0
    for path in sorted([*out.glob("rocviz-*.whl"), *out.glob("rocviz-*.tar.gz")]):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e6:.1f} MB")
        for fault in faults(path):
            wrong += 1
            print(f"  {fault}", file=sys.stderr)
        if not options.no_try:
            try_in_an_empty_environment(path)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
