#!/bin/sh
# The Python packages of the station for arm64, from the lock files, on a machine of any kind: no ARM code is run.
#
#   libraries.sh VERSION HEADERS FOLDER
#
# VERSION is Python's, 3.13; HEADERS where libpython's for arm64 are unpacked. lgpio and spidev have no wheels for all
# of them and are compiled here.
set -eu
version=$1 headers=$2 folder=$3
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$here/../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pip() {
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --dest "$work" "$@"
}
pip --only-binary=:all: --implementation cp --python-version "$version" \
    --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 -r "$root/requirements-dice.lock"
rm "$work"/setuptools-* # which only colorzero's own build takes for needed
for wheel in "$work"/*.whl; do
    python3 -m zipfile -e "$wheel" "$folder"
done
pip --no-binary=:all: -r "$here/requirements.lock"

cd "$work"
for source in *.tar.gz; do
    tar -xzf "$source"
done
include=$headers/usr/include
compile() {
    aarch64-linux-gnu-gcc -shared -fPIC -pthread -O2 -w -ffile-prefix-map="$work"=. -Wl,--build-id=none -s \
        -I"$include" -I"$include/python$version" "$@"
}
suffix=cpython-$(echo "$version" | tr -d .)-aarch64-linux-gnu.so
(cd lgpio-* && swig -python lgpio.i && compile -Isrc -o "$folder/_lgpio.$suffix" lgpio_wrap.c src/lg*.c src/rgpiod.c &&
    cp lgpio.py "$folder")
(cd spidev-* && compile -o "$folder/spidev.$suffix" spidev_module.c)
for name in lgpio spidev; do
    (cd "$name"-* && mkdir "$folder/${PWD##*/}.dist-info" && cp PKG-INFO "$folder/${PWD##*/}.dist-info/METADATA" &&
        cp LICENSE "$folder/${PWD##*/}.dist-info")
done
