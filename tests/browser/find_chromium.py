"""Find a Chromium for the browser tests, and install Debian's on request.

As a script it prints the path, or the remedy on stderr if there is no browser.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
ADVICE = (
    "The browser tests need Chromium or Chrome, and none was found. Install one "
    "(Debian, Ubuntu: sudo apt-get install chromium) or set ROCVIZ_BROWSER to its path."
)


def find() -> str | None:
    """Find the path of a browser: ROCVIZ_BROWSER first, then the PATH."""
    chosen = os.environ.get("ROCVIZ_BROWSER")
    if chosen:
        path = shutil.which(chosen)
        if path is None:
            raise FileNotFoundError(f"ROCVIZ_BROWSER={chosen} is not a program that can be run.")
        return path
    on_path = (path for name in NAMES if (path := shutil.which(name)))
    installed = (place for place in PLACES if Path(place).exists())
    return next(on_path, None) or next(installed, None)


def install() -> None:
    """Install Debian's Chromium if no password is needed; otherwise do nothing."""
    if shutil.which("apt-get") is None:
        return
    prefix = []
    if os.geteuid() != 0:
        may = shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True)
        if not may or may.returncode != 0:
            return
        prefix = ["sudo", "-n"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update", "-q"], ["install", "-qy", "--no-install-recommends", "chromium"]):
        process = subprocess.run(
            [*prefix, "apt-get", *arguments], env=environment, stdout=sys.stderr, check=False
        )
        if process.returncode != 0:
            return


def main() -> int:
    """Print the browser's path; with ``--install``, install a missing browser first."""
    try:
        path = find()
        if path is None and "--install" in sys.argv[1:]:
            install()
            path = find()
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 1
    if path is None:
        print(ADVICE, file=sys.stderr)
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
