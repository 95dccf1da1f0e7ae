"""Fetch the framework's script of pages without a kernel from npm.

``python tools/fetch_scripts.py`` writes it, compressed, to rocviz/widgets/base/recording/scripts,
with a table of its version and checksum. Needs npm and the network; nothing else in rocviz does.
"""

import gzip
import hashlib
import subprocess
import tarfile
import tempfile
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "rocviz" / "widgets" / "base" / "recording" / "scripts"
#: Package and version, and the file in it, which holds the framework as modules.
MANAGER_SCRIPT = ("@jupyter-widgets/html-manager", "1.0.15", "dist/libembed-amd.js")
#: The one that is kept, as manager.js makes bqplot's models and views itself; and its file here.
MODULE = "@jupyter-widgets/base"
NAME = "base.js"


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
    """Write the script and the table of its version."""
    package, version, file = MANAGER_SCRIPT
    with tempfile.TemporaryDirectory() as folder:
        script = fetch(package, version, file, Path(folder))
    kept = module(script, MODULE)
    # no time of day in it, so that the same script gives the same file
    (FOLDER / f"{NAME}.gz").write_bytes(gzip.compress(kept, 9, mtime=0))
    row = (NAME, package, version, file, hashlib.sha256(script).hexdigest())
    table = "name\tpackage\tversion\tfile\tsha256 of the file\n" + "\t".join(row) + "\n"
    (FOLDER / "versions.tsv").write_text(table, encoding="utf-8")
    print(NAME, len(kept))


if __name__ == "__main__":
    main()
