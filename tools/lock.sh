#!/bin/sh
# Writes constraints.txt (newest of everything, all extras) and constraints-lowest.txt (the oldest
# runtime dependencies and pyarrow that pyproject.toml allows, with the newest tools that go with them).
# binder/requirements.txt repeats the runtime part of constraints.txt, without markers, and
# constraints-build.txt the part that builds a release, with the hashes of its files.
# Versions already locked stay unless UPGRADE=1. The two serve every platform. No file holds an address.
set -eu
cd "$(dirname "$0")/.."
UV=${UV:-uv}
header="# Locked versions; written by \`make lock\`, not by hand."
oldest=$(mktemp)
builder=$(mktemp)
trap 'rm -f "$oldest" "$builder"' EXIT
sed -n '/^requires = /{s/^requires = \[//; s/[]"]//g; s/, */\n/g; p}' pyproject.toml > "$builder"
# What hatchling asks for when it makes an editable installation.
echo editables >> "$builder"

compile() {
    "$UV" pip compile --quiet --universal --python-version 3.11 \
        --no-header --no-annotate --no-emit-index-url --no-emit-find-links "$@"
}
finish() {
    { echo "$header"; grep -v '^#' "$1"; } > "$1.new"
    mv "$1.new" "$1"
}

# One peer of the benchmarks is published as source only; setuptools and wheel build it.
printf '%s\n' setuptools wheel | compile ${UPGRADE:+--upgrade} --all-extras pyproject.toml "$builder" - \
    --output-file constraints.txt
finish constraints.txt
printf '%s\n' setuptools wheel | compile --generate-hashes -c constraints.txt "$builder" - \
    --output-file constraints-build.txt
finish constraints-build.txt
# Without --no-deps the oldest set would also pin what the dependencies depend on.
compile --resolution lowest-direct --no-deps --extra parquet pyproject.toml --output-file "$oldest"
# Companions that the oldest releases still agree with: scikit-learn reads names of columns by a
# protocol that polars 2 has no longer, and matplotlib its style files by methods of pyparsing that
# warn since 3.3.
printf '%s\n' 'polars<2' 'pyparsing<3.3' >> "$oldest"
compile ${UPGRADE:+--upgrade} --extra test -c "$oldest" pyproject.toml "$builder" \
    --output-file constraints-lowest.txt
finish constraints-lowest.txt

# Binder's image has its own JupyterLab; what rocviz adds to it is its runtime dependencies.
"$UV" pip compile --quiet --python-version 3.11 --python-platform linux --no-header --no-annotate \
    --no-emit-index-url --no-emit-find-links -c constraints.txt pyproject.toml \
    --output-file binder/requirements.txt
finish binder/requirements.txt
