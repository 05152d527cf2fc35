#!/bin/sh
# A small Debian for arm64 with just what the package depends on, as a tar: prints where it is. Kept in .cache/deb until
# Debian has a newer version of a package. Unpacked by this machine itself; only what packages run when they are
# configured is emulated. Needs root.
#
#   root.sh SUITE PACKAGE...
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
suite=$1
shift
"$root/firmware/deb/needs.sh" "make test-deb" arch-test:arch-test /usr/bin/qemu-aarch64-static:qemu-user-static \
    /usr/sbin/update-binfmts:binfmt-support || exit 2
[ "$(id -u)" = 0 ] || { echo "make test-deb needs root" >&2 && exit 2; }
arch-test arm64 >/dev/null || {
    echo "programs for arm64 do not run on this machine yet: mount -t binfmt_misc binfmt_misc" \
        "/proc/sys/fs/binfmt_misc; update-binfmts --enable" >&2
    exit 2
}
versions=$("$root/firmware/deb/debian.sh" versions "$suite" arm64 '?essential' "$@")
cache=$root/.cache/deb-test
tar=$cache/$suite-$(echo "$versions" | cat - "$0" | sha256sum | cut -c1-12).tar
if [ ! -f "$tar" ]; then
    mkdir -p "$cache"
    rm -f "$cache/$suite"-*
    work=$(mktemp -d -p "$cache")
    trap 'rm -rf "$work"' EXIT
    system=$work/system
    "$root/firmware/deb/debian.sh" download "$suite" arm64 "$work/debs" '?essential' "$@"
    for folder in bin lib sbin; do
        mkdir -p "$system/usr/$folder"
        ln -s "usr/$folder" "$system/$folder"
    done
    mkdir -p "$system/var/lib/dpkg"
    : >"$system/var/lib/dpkg/status"
    cat >"$work/exclude" <<-END
	/usr/share/doc/*
	/usr/share/info/*
	/usr/share/locale/*
	/usr/share/man/*
	/usr/lib/udev/hwdb.d/*
	/usr/lib/systemd/catalog/*
	END
    # Once so that there is a shell for the packages' scripts, and once as packages.
    for deb in "$work"/debs/*.deb; do
        dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$system" --keep-directory-symlink --exclude-from="$work/exclude" \
            --anchored
    done
    # shellcheck disable=SC2046
    dpkg --root="$system" --force-all --log=/dev/null $(sed 's/^/--path-exclude=/' "$work/exclude") --unpack \
        "$work"/debs/*.deb >"$work/log" 2>&1 || { cat "$work/log" >&2 && exit 1; }
    chroot "$system" /usr/bin/env LC_ALL=C PATH=/usr/sbin:/usr/bin DEBIAN_FRONTEND=noninteractive \
        dpkg --force-unsafe-io --configure -a >"$work/log" 2>&1 || { cat "$work/log" >&2 && exit 1; }
    tar -cf "$tar.new" -C "$system" .
    mv "$tar.new" "$tar"
fi
echo "$tar"
