#!/bin/sh
# lgpio and spidev, which have no wheels for arm64 with every Python, compiled from their sources: no ARM code is run.
#
#   sources.sh VERSION FOLDER HEADERS
#
# VERSION is Python's, 3.13; HEADERS where libpython's for arm64 are unpacked.
set -eu
version=$1 folder=$2 include=$3/usr/include
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --dest "$work" \
    --no-binary=:all: -r "$here/requirements.lock"
cd "$work"
for source in *.tar.gz; do
    tar -xzf "$source"
done
compile() {
    aarch64-linux-gnu-gcc -shared -fPIC -pthread -O2 -w -ffile-prefix-map="$work"=. -ffile-prefix-map="$include"=. \
        -Wl,--build-id=none -s -I"$include" -I"$include/python$version" "$@"
}
suffix=cpython-$(echo "$version" | tr -d .)-aarch64-linux-gnu.so
(cd lgpio-* && swig -python lgpio.i && compile -Isrc -o "$folder/_lgpio.$suffix" lgpio_wrap.c src/lg*.c src/rgpiod.c &&
    cp lgpio.py "$folder")
(cd spidev-* && compile -o "$folder/spidev.$suffix" spidev_module.c)
for name in lgpio spidev; do
    (cd "$name"-* && mkdir "$folder/${PWD##*/}.dist-info" && cp PKG-INFO "$folder/${PWD##*/}.dist-info/METADATA" &&
        cp LICENSE "$folder/${PWD##*/}.dist-info")
done
