"""Fetch the scripts of pages without a kernel from npm.

``python tools/fetch_scripts.py`` writes them, compressed, to rocviz/widgets/base/recording/scripts,
with a table of versions and checksums. Needs npm and the network; nothing else in rocviz does.
"""

import gzip
import hashlib
import subprocess
import tarfile
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "rocviz" / "widgets" / "base" / "recording" / "scripts"
#: Package and version, the file in it, what it is called here, and the module of it that is kept.
#: The manager's file holds the framework as modules of require.js; of these one is enough, as
#: page.js makes bqplot's models and views itself.
MANAGER_SCRIPT = ("@jupyter-widgets/html-manager", "1.0.15", "dist/libembed-amd.js")
WANTED_SCRIPTS = (
    (("requirejs", "2.3.7", "require.js"), "require.js", ""),
    (MANAGER_SCRIPT, "base.js", "@jupyter-widgets/base"),
)


def fetch(package: str, version: str, file: str, folder: Path) -> bytes:
    """Fetch a file of a package of npm."""
    process = subprocess.run(
        ["npm", "pack", "--silent", f"{package}@{version}"],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    with tarfile.open(folder / process.stdout.strip().splitlines()[-1]) as archive:
        script = archive.extractfile(f"package/{file}")
        assert script is not None
        return script.read()


def module(script: bytes, name: str) -> bytes:
    """Find the source of one module of a file that defines several, one after another."""
    begun = script.index(f'define("{name}"'.encode())
    end = script.find(b"\ndefine(", begun)
    return script[begun : None if end < 0 else end]


def main() -> None:
    """Write the scripts and the table of their versions."""
    rows = []
    for (package, version, file), name, kept in WANTED_SCRIPTS:
        with tempfile.TemporaryDirectory() as folder:
            script = fetch(package, version, file, Path(folder))
        checksum = hashlib.sha256(script).hexdigest()
        script = module(script, kept) if kept else script
        # no time of day in it, so that the same script gives the same file
        (FOLDER / f"{name}.gz").write_bytes(gzip.compress(script, 9, mtime=0))
        rows.append("\t".join((name, package, version, file, checksum)))
        print(name, len(script))
    table = "\n".join(["name\tpackage\tversion\tfile\tsha256 of the file", *rows]) + "\n"
    (FOLDER / "versions.tsv").write_text(table, encoding="utf-8")


if __name__ == "__main__":
    main()
