#!/bin/sh
# Build the card again, of a copy elsewhere that has nothing in its cache, at another time of day and in another language:
# not one byte may differ. Needs root.
#
#   image-again.sh STATION.deb IMAGE.xz
set -eu
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
deb=$1 image=$2
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
SOURCE_DATE_EPOCH=$(git -C "$source" log -1 --format=%ct)
export SOURCE_DATE_EPOCH
umask 077
mkdir "$work/copy"
(cd "$source" && git ls-files -z | xargs -0 cp --parents -t "$work/copy")
export COLUMNS=40 LANG=de_DE.UTF-8 TZ=Pacific/Auckland
(cd / && "$work/copy/firmware/card/image.sh" "$source/$deb" "$work/out")
cmp "$source/$image" "$work/out/${image##*/}"
echo "image-again: the same bytes"
