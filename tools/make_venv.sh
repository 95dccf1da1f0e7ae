#!/bin/sh
# make_venv.sh DIR [PYTHON]: a virtual environment with pip, or a sentence on what is missing.
python=$("$(dirname "$0")/find_python.sh" "$2") || exit 1
"$python" -m venv "$1" && exit 0
rm -rf "$1"
echo "$python cannot make virtual environments." >&2
echo "On Debian and Ubuntu that is one package: sudo apt-get install python3-venv" >&2
exit 1
