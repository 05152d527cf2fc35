#!/bin/sh
# The referee as a Debian package for the 64-bit Raspberry Pi, made on any machine with Debian's cross compiler.
#
#   build.sh [SUITE [FOLDER]]
#
#   SUITE    trixie (default) or bookworm: a package fits one Python
#   FOLDER   where the package goes (default: dist)
#
# The same commit gives the same bytes. Downloads are kept in .cache/deb.
# Exit codes: 0 built; 1 something failed; 2 a tool is missing, and which.
set -eu
umask 022
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
suite=${1:-trixie}
out=$(mkdir -p "${2:-$root/dist}" && CDPATH='' cd -- "${2:-$root/dist}" && pwd)
case $suite in
trixie) python=3.13 revision=deb13 ;;
bookworm) python=3.11 revision=deb12 ;;
*) echo "make deb: expected trixie or bookworm, got $suite" >&2 && exit 2 ;;
esac
"$here/needs.sh" "make deb" apt-get:apt dpkg-deb:dpkg swig:swig aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu \
    /usr/aarch64-linux-gnu/include/stdio.h:libc6-dev-arm64-cross git:git || exit 2

# What changes with the lock files and these scripts only.
mark=$(cat "$root/requirements-dice.lock" "$here"/*.lock "$here/debian.sh" "$here/libraries.sh" "$0" | sha256sum | cut -c1-12)
cache=$root/.cache/deb/$suite-$mark
if [ ! -d "$cache" ]; then
    rm -rf "$root/.cache/deb/$suite-"*
    new=$root/.cache/deb/$suite-new
    "$here/debian.sh" unpack "$suite" arm64 "$new/headers" "libpython$python-dev"
    "$here/debian.sh" unpack "$suite" "$(dpkg --print-architecture)" "$new/python" \
        "python$python-minimal" "libpython$python-minimal" "libpython$python-stdlib" libc6 libexpat1 zlib1g
    mkdir "$new/libraries"
    "$here/libraries.sh" "$python" "$new/headers" "$new/libraries"
    mv "$new" "$cache"
fi

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
chmod 755 "$stage"
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
release=$(sed -n 's/^version = "\(.*\)"/\1/p' "$root/pyproject.toml")
version=$release+$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d.%H%M%S)+$revision

# Byte code is compiled by the very Python that will read it, of this machine's kind.
loader=$(find "$cache/python" -name 'ld-linux-*.so.*' -type f | head -n1)
PYTHONHOME=$cache/python/usr PYTHONHASHSEED=0 PYTHONDONTWRITEBYTECODE=1 COLUMNS=100 "$loader" \
    --library-path "${loader%/*}:$cache/python/usr/lib/${loader#"$cache"/python/*lib/}" \
    "$cache/python/usr/bin/python$python" -S "$here/program.py" "$cache/libraries" "$stage"

put() {
    install -D -m "${3:-644}" "$1" "$stage/$2"
}
pi=$root/firmware/pi
put "$pi/referee.service" usr/lib/systemd/system/referee.service
put "$pi/referee.rules" usr/lib/udev/rules.d/70-referee.rules
put "$pi/sysusers.conf" usr/lib/sysusers.d/referee.conf
put "$pi/tmpfiles.conf" usr/lib/tmpfiles.d/referee.conf
put "$pi/modules.conf" usr/lib/modules-load.d/referee.conf
put "$pi/journald.conf" usr/lib/systemd/journald.conf.d/referee.conf
put "$pi/referee.toml" etc/referee/referee.toml
put "$pi/config.txt" opt/referee/config.txt
cat "$root/LICENSE" "$root/NOTICE" >"$stage/copyright"
put "$stage/copyright" usr/share/doc/electronic-referee/copyright
rm "$stage/copyright"
mkdir -p "$stage/usr/bin"
ln -s /opt/referee/bin/referee "$stage/usr/bin/referee"
for script in preinst postinst prerm postrm; do
    put "$here/$script" "DEBIAN/$script" 755
done
echo /etc/referee/referee.toml >"$stage/DEBIAN/conffiles"
size=$(find "$stage" -type f -printf '%s\n' | awk '{ kib += int(($1 + 1023) / 1024) } END { print kib }')
sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$size/" -e "s/@PYTHON@/$python/" "$here/control" >"$stage/DEBIAN/control"
rm -f "$out/electronic-referee_"*"+${revision}_arm64.deb"
deb=$out/electronic-referee_${version}_arm64.deb
dpkg-deb --root-owner-group --threads-max=1 -Zxz --build "$stage" "$deb" >/dev/null
echo "$deb: $(stat -c %s "$deb") bytes, sha256 $(sha256sum "$deb" | cut -d' ' -f1)"
