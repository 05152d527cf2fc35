#!/bin/sh
# Build packages again, from elsewhere, at another time of day and in another language: not one byte may differ.
#
#   again.sh SUITE STATION.deb TRAY.deb
set -eu
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
suite=$1 station=$2 tray=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd /
umask 077
export COLUMNS=40 LANG=de_DE.UTF-8 TMPDIR="$work" TZ=Pacific/Auckland
for package in station tray; do
    "$source/firmware/deb/build.sh" "$package" "$suite" "$work/out"
done
for deb in "$station" "$tray"; do
    cmp "$source/$deb" "$work/out/${deb##*/}"
done
echo "again: $suite: the same bytes"
