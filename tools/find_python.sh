#!/bin/sh
# Prints a Python of at least 3.11 (the first argument if one is given), or says plainly that there is none.
# One of the versions that are tested is preferred.
for newest in 14 99; do
    new_enough="import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, $newest))"
    for candidate in ${1:-python3 python3.14 python3.13 python3.12 python3.11 python}; do
        if "$candidate" -c "$new_enough" >/dev/null 2>&1; then
            command -v "$candidate"
            exit 0
        fi
    done
done
if [ -n "$1" ]; then
    echo "rocviz needs Python 3.11 or newer, and PYTHON=$1 is not one." >&2
else
    echo "rocviz needs Python 3.11 or newer, and none was found on the PATH." >&2
    echo "Install one, or name it: make PYTHON=/path/to/python3.12 lab" >&2
fi
exit 1
