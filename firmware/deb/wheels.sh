#!/bin/sh
# Wheels for arm64 of what a lock file names, unpacked, on a machine of any kind: no ARM code is run.
#
#   wheels.sh VERSION FOLDER LOCK [THERE]
#
# VERSION is Python's, 3.13; what the lock file THERE names is left out.
set -eu
version=$1 folder=$2
shift 2
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$here/locked.py" "$version" "$@" >"$work/lock"
python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --dest "$work" \
    --only-binary=:all: --implementation cp --python-version "$version" \
    --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 -r "$work/lock"
rm -f "$work"/setuptools-* # which only colorzero's own build takes for needed
for wheel in "$work"/*.whl; do
    python3 -m zipfile -e "$wheel" "$folder"
done
