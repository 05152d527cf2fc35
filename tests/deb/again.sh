#!/bin/sh
# Build packages again, of a copy elsewhere that has nothing in its cache, at another time of day and in another language:
# not one byte may differ.
#
#   again.sh SUITE STATION.deb TRAY.deb
set -eu
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
suite=$1 station=$2 tray=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=$(git -C "$source" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
umask 077
mkdir "$work/copy"
(cd "$source" && git ls-files -z | xargs -0 cp --parents -t "$work/copy")
cd /
export COLUMNS=40 LANG=de_DE.UTF-8 TMPDIR="$work" TZ=Pacific/Auckland
for package in station tray; do
    "$work/copy/firmware/deb/build.sh" "$package" "$suite" "$work/out"
done
for deb in "$station" "$tray"; do
    cmp "$source/$deb" "$work/out/${deb##*/}"
done
echo "again: $suite: the same bytes"
