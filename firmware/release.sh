#!/bin/sh
# What people download, with checksums. The same commit gives the same bytes.
#
#   release.sh PYTHON FOLDER [PART...]
#
#   PYTHON  with the packages of requirements-dev.lock
#   PART    python, pocket, case, deb, image, site; all by default, in this order
#
# Everything is made of a clone of the commit, so nothing else of the working tree gets in; downloads are kept in .cache.
# Exit codes: 0 all was made; 1 a part could not be made, which is said.
umask 022
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
python=$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)/${1##*/}
rm -rf "$2"
out=$(mkdir -p "$2" && CDPATH='' cd -- "$2" && pwd)
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
clone=$scratch/electronic-referee
git clone -q "$root" "$clone" || exit 1
mkdir -p "$root/.cache"
ln -s "$root/.cache" "$clone/.cache"
cd "$clone" || exit 1
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH PYTHONPATH="$clone" TZ=UTC LC_ALL=C
version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' referee/__init__.py)

pack() { # name, folder: each file with the time of the commit
    find "$2" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    (cd "$2" && "$python" -m zipfile -c "$out/$1-$version.zip" ./*)
}
sums() {
    rm -f "$out/SHA256SUMS"
    (cd "$out" && find . -type f -printf '%P\n' | sort | xargs -r sha256sum) >"$scratch/sums"
    mv "$scratch/sums" "$out/SHA256SUMS"
}
one() { # a part
    case $1 in
    python)
        "$python" -c "from setuptools import build_meta as to; to.build_sdist('$scratch'); to.build_wheel('$out')" >/dev/null
        sources=$(basename "$scratch"/*.tar.gz .tar.gz)
        tar -xzf "$scratch/$sources.tar.gz" -C "$scratch"
        tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$SOURCE_DATE_EPOCH" \
            --format=gnu -C "$scratch" -c "$sources" | gzip -n >"$out/$sources.tar.gz"
        ;;
    pocket)
        make firmware/pocket/node_modules/.package-lock.json
        "$python" -m firmware.pocket.build dist/pocket
        pack pocket dist/pocket
        ;;
    case)
        mkdir -p dist/case
        for solid in box lid; do
            openscad -q -D "part=\"$solid\"" -o "$scratch/$solid.stl" firmware/case/case.scad
            # OpenSCAD writes the facets in another order each time.
            {
                echo "solid $solid"
                sed '/solid/d' "$scratch/$solid.stl" | awk '{ all = all $0 "\t" } /endfacet/ { print all; all = "" }' |
                    sort | tr '\t' '\n' | sed '/^$/d'
                echo "endsolid $solid"
            } >"dist/case/$solid.stl"
        done
        pack case dist/case
        ;;
    deb)
        for suite in bookworm trixie; do
            firmware/deb/build.sh station "$suite" "$out"
            firmware/deb/build.sh tray "$suite" "$out"
        done
        ;;
    image) # needs root; people flash the compressed one
        firmware/card/image.sh "$out"/electronic-referee_*deb13_arm64.deb "$out"
        rm -f "$out"/*.img
        ;;
    site) # it tells the sums of all others
        sums
        "$python" -m firmware.site.build dist/site dist/pocket "$out"
        pack site dist/site
        ;;
    *)
        echo "expected python, pocket, case, deb, image or site; got $1" >&2
        return 1
        ;;
    esac
}

failed=0
[ $# -gt 0 ] || set -- python pocket case deb image site
for part in "$@"; do
    (set -e && one "$part")
    made=$? # in a condition, `set -e` would have no effect
    [ "$made" = 0 ] || echo "make release: $part was not made" >&2
    [ "$made" = 0 ] || failed=1
done
sums
cat "$out/SHA256SUMS"
exit "$failed"
