#!/bin/sh
# The referee as Debian packages for the 64-bit Raspberry Pi, built on any machine with Debian's cross compiler.
#
#   build.sh station|tray [SUITE [FOLDER]]
#
#   station  electronic-referee; tray: electronic-referee-tray, which adds what a tray with a camera needs
#   SUITE    trixie (default) or bookworm: a package fits one Python
#   FOLDER   where the package goes (default: dist)
#
# Downloads are kept in .cache/deb.
# Exit codes: 0 built; 1 something failed, or the package is too large; 2 a tool is missing, and which.
set -eu
umask 022
begun=$(date +%s)
largest=13000000 # bytes of the station's package
slowest='60 with all of it in .cache' # seconds
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
package=$1
suite=${2:-trixie}
out=$(mkdir -p "${3:-$root/dist}" && CDPATH='' cd -- "${3:-$root/dist}" && pwd)
case $suite in
trixie) python=3.13 revision=deb13 ;;
bookworm) python=3.11 revision=deb12 ;;
*) echo "make deb: expected trixie or bookworm, got $suite" >&2 && exit 2 ;;
esac
"$here/needs.sh" "make deb" apt-get:apt dpkg-deb:dpkg swig:swig aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu \
    /usr/aarch64-linux-gnu/include/stdio.h:libc6-dev-arm64-cross git:git || exit 2

# What changes with the lock files and these scripts only.
cache=$root/.cache/deb/$suite-$(cat "$root/requirements-dice.lock" "$root/requirements-tray.lock" "$here/requirements.lock" \
    "$here/locked.py" "$here"/*.sh | sha256sum | cut -c1-12)
if [ ! -d "$cache" ]; then
    rm -rf "$root/.cache/deb/$suite-"*
    new=$root/.cache/deb/$suite-new
    "$here/debian.sh" unpack "$suite" arm64 "$new/headers" "libpython$python-dev"
    "$here/debian.sh" unpack "$suite" "$(dpkg --print-architecture)" "$new/python" \
        "python$python-minimal" "libpython$python-minimal" "libpython$python-stdlib" libc6 libexpat1 zlib1g
    mkdir "$new/station"
    "$here/wheels.sh" "$python" "$new/station" "$root/requirements-dice.lock"
    "$here/sources.sh" "$python" "$new/station" "$new/headers"
    mv "$new" "$cache"
fi
if [ ! -d "$cache/$package" ]; then
    rm -rf "$cache/new"
    mkdir "$cache/new"
    "$here/wheels.sh" "$python" "$cache/new" "$root/requirements-tray.lock" "$root/requirements-dice.lock"
    mv "$cache/new" "$cache/$package"
fi

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
chmod 755 "$stage"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
release=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' "$root/referee/__init__.py")
version=$release+$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M%S)+$revision

# Byte code is compiled by the very Python that will read it, of this machine's kind.
loader=$(find "$cache/python" -name 'ld-linux-*.so.*' -type f | head -n1)
interpret() {
    PYTHONHOME=$cache/python/usr PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1 "$loader" \
        --library-path "${loader%/*}:$cache/python/usr/lib/${loader#"$cache"/python/*lib/}" \
        "$cache/python/usr/bin/python$python" -S "$@"
}
put() {
    install -D -m "${3:-644}" "$1" "$stage/$2"
}
app=$stage/opt/referee/app
mkdir -p "$app"
cp -r --no-preserve=mode "$cache/$package/." "$app"
case $package in
station)
    name=electronic-referee files=$here
    (cd "$root" && git ls-files -z LICENSE referee hardware firmware/deb/boot.py |
        xargs -0 cp --parents --no-preserve=mode -t "$app")
    printf 'from referee.__main__ import main\n\nmain()\n' >"$app/__main__.py"
    put "$here/referee" opt/referee/bin/referee 755
    ln -s "/usr/bin/python$python" "$stage/opt/referee/bin/python"
    mkdir -p "$stage/usr/share/man/man1"
    interpret "$here/manual.py" | gzip -9n >"$stage/usr/share/man/man1/referee.1.gz"
    pi=$root/firmware/pi
    put "$pi/referee.service" usr/lib/systemd/system/referee.service
    put "$pi/referee.rules" usr/lib/udev/rules.d/70-referee.rules
    put "$pi/sysusers.conf" usr/lib/sysusers.d/referee.conf
    put "$pi/tmpfiles.conf" usr/lib/tmpfiles.d/referee.conf
    put "$pi/modules.conf" usr/lib/modules-load.d/referee.conf
    put "$pi/journald.conf" usr/lib/systemd/journald.conf.d/referee.conf
    put "$pi/referee.toml" etc/referee/referee.toml
    put "$pi/config.txt" opt/referee/config.txt
    mkdir -p "$stage/usr/bin" "$stage/DEBIAN"
    ln -s /opt/referee/bin/referee "$stage/usr/bin/referee"
    echo /etc/referee/referee.toml >"$stage/DEBIAN/conffiles"
    ;;
tray)
    name=electronic-referee-tray files=$here/tray
    put "$files/service.conf" usr/lib/systemd/system/referee.service.d/tray.conf
    put "$files/camera.rules" usr/lib/udev/rules.d/70-referee-tray.rules
    put "$files/sysusers.conf" usr/lib/sysusers.d/referee-tray.conf
    put "$files/modules.conf" usr/lib/modules-load.d/referee-tray.conf
    ;;
esac
interpret -m compileall -q --invalidation-mode unchecked-hash -s "$stage" -p / "$app"
cat "$root/LICENSE" "$root/NOTICE" >"$stage/copyright"
put "$stage/copyright" "usr/share/doc/$name/copyright"
rm "$stage/copyright"
for script in postinst prerm postrm; do
    [ ! -e "$files/$script" ] || put "$files/$script" "DEBIAN/$script" 755
done
size=$(find "$stage" -type f -printf '%s\n' | awk '{ kib += int(($1 + 1023) / 1024) } END { print kib }')
sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$size/" -e "s/@PYTHON@/$python/" "$files/control" >"$stage/DEBIAN/control"
rm -f "$out/${name}_"*"+${revision}_arm64.deb"
deb=$out/${name}_${version}_arm64.deb
dpkg-deb --root-owner-group --threads-max=1 -Zxz -z6 --build "$stage" "$deb" >/dev/null
size=$(stat -c %s "$deb")
echo "$deb: $size bytes, sha256 $(sha256sum "$deb" | cut -d' ' -f1)"
[ "$package" = tray ] || echo "make deb: $size bytes (at most $largest), $(($(date +%s) - begun)) s (of $slowest)"
[ "$package" = tray ] || [ "$size" -le "$largest" ] || {
    echo "make deb: the package is larger than $largest bytes" >&2
    exit 1
}
