"""Build wheel and sdist, look into both, and try each in an empty environment: ``make dist``.

What they are to hold is what git has, as pyproject.toml arranges it. Needs the build requirements
of pyproject.toml. Each is tried with the dependencies that pip finds; ``PIP_CONSTRAINT`` and the
other settings of pip hold there.
"""

from __future__ import annotations

import argparse
import email
import email.message
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from collections.abc import Iterable
from pathlib import Path

from pathspec import GitIgnoreSpec

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "dist"
USE = ROOT / "tools" / "use_installed.py"


def build(out: Path, *, source: Path = ROOT, kinds: Iterable[str] = ("sdist", "wheel")) -> None:
    """Build distributions of a source tree into a folder, with the installed build tools."""
    for kind in kinds:
        command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
        subprocess.run(command, check=True, cwd=source)


def built(out: Path) -> list[Path]:
    """Find the one wheel and the one sdist in a folder."""
    paths = [*sorted(out.glob("rocviz-*.whl")), *sorted(out.glob("rocviz-*.tar.gz"))]
    if [kind_of(path) for path in paths] != ["wheel", "sdist"]:
        names = [path.name for path in paths]
        raise SystemExit(f"{out} is to hold one wheel and one sdist of rocviz; it holds {names}")
    return paths


def kind_of(path: Path) -> str:
    """Name the kind of a distribution by its ending."""
    return "wheel" if path.suffix == ".whl" else "sdist"


def contents(path: Path) -> dict[str, bytes]:
    """Read the files inside, without the folder that an sdist puts around them."""
    if kind_of(path) == "wheel":
        with zipfile.ZipFile(path) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    inside = {}
    with tarfile.open(path) as archive:
        for member in archive:
            if member.isfile():
                name = member.name.partition("/")[2]
                inside[name] = archive.extractfile(member).read()
    return inside


def is_metadata(name: str) -> bool:
    """Whether a file inside is one that the build adds."""
    return name == "PKG-INFO" or name.partition("/")[0].endswith(".dist-info")


def metadata(inside: dict[str, bytes]) -> email.message.Message:
    """Read the metadata of a wheel or an sdist."""
    pattern = re.compile(r"PKG-INFO|[^/]+\.dist-info/METADATA")
    (name,) = filter(pattern.fullmatch, inside)
    return email.message_from_bytes(inside[name])


def tracked_files() -> set[str] | None:
    """List the files of the git repository, or ``None`` outside a clone and without git."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return None
    # the files may belong to somebody else, as in a container
    command = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in listed.stdout.split("\0") if name}


def expected(kind: str, tracked: Iterable[str]) -> dict[str, str]:
    """Map the place of each file in a wheel or an sdist to its place in the repository."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    target = settings["tool"]["hatch"]["build"]["targets"][kind]
    excluded = GitIgnoreSpec.from_lines(target.get("exclude", ()))
    folders = target.get("only-include", [""])
    places = {}
    for name in tracked:
        is_included = any(Path(name).is_relative_to(folder) for folder in folders)
        if is_included and not excluded.match_file(name):
            places[moved(name, target.get("sources", {}))] = name
    return places


def moved(name: str, sources: dict[str, str]) -> str:
    """Find the place in a distribution of a file of the repository."""
    for folder, place in sources.items():
        if Path(name).is_relative_to(folder):
            return Path(place, Path(name).relative_to(folder)).as_posix()
    return name


def faults(path: Path) -> list[str]:
    """List the faults of a wheel or an sdist."""
    complaints = []
    inside = contents(path)
    text = metadata(inside).get_payload()
    relative = re.findall(r"\]\((?!https?:)[^)]*\)", text)
    if not text.strip() or relative:
        complaints.append(f"its description has links that lead nowhere on an index: {relative}")
    tracked = tracked_files()
    if tracked is None:
        print(
            "  not compared with the repository: this is no clone of it, or there is no git",
            file=sys.stderr,
        )
        return complaints
    places = expected(kind_of(path), tracked)
    files = {name: content for name, content in inside.items() if not is_metadata(name)}
    complaints += [f"it lacks {name}" for name in sorted(places.keys() - files.keys())]
    for name, content in sorted(files.items()):
        if name not in places:
            complaints.append(f"it holds {name}, which git does not have (git add, or remove it)")
        elif (ROOT / places[name]).read_bytes() != content:
            complaints.append(f"{name} differs from {places[name]} in the repository")
    return complaints


def program(environment: Path, name: str) -> Path:
    """Find a program of a virtual environment."""
    return environment / ("Scripts" if os.name == "nt" else "bin") / name


def use(environment: Path, folder: Path) -> None:
    """Use the rocviz of an environment, and no other, in an empty folder."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    variables["TQDM_DISABLE"] = "1"  # logs keep every state of a bar
    command = [program(environment, "python"), "-I", USE]
    subprocess.run(command, check=True, cwd=folder, env=variables)


def try_in_an_empty_environment(path: Path) -> None:
    """Install a distribution with its dependencies in an empty environment, and use it there."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder, "environment")
        venv.create(environment, with_pip=True)
        pip = [program(environment, "python"), "-m", "pip"]
        subprocess.run([*pip, "install", "--quiet", path.resolve()], check=True, cwd=folder)
        subprocess.run([*pip, "check"], check=True, cwd=folder)
        use(environment, Path(folder))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--no-build", action="store_true", help="take what is in the folder dist")
    parser.add_argument("--no-try", action="store_true", help="do not try them")
    options = parser.parse_args()
    if not options.no_build:
        for old in [*OUT.glob("rocviz-*.whl"), *OUT.glob("rocviz-*.tar.gz")]:
            old.unlink()
        build(OUT)
    wrong = 0
    for path in built(OUT):
        print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e6:.1f} MB")
        for fault in faults(path):
            wrong += 1
            print(f"  {fault}", file=sys.stderr)
        if not options.no_try:
            try_in_an_empty_environment(path)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
