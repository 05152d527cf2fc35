#!/bin/sh
# Debian for the card, without the referee, as a tar: prints where it is. Kept in .cache/card as long as Debian has no
# newer version of a package. Needs root, because it runs the packages' own scripts.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
set -- '?essential' bluez bluez-firmware dbus e2fsprogs fdisk firmware-brcm80211 iproute2 kmod openssh-server python3 \
    systemd systemd-resolved systemd-sysv systemd-timesyncd udev wireless-regdb wpasupplicant

[ "$(id -u)" = 0 ] || { echo "emulating Debian needs root" >&2 && exit 2; }
arch-test arm64 >/dev/null || {
    echo "programs for arm64 do not run on this machine yet: apt-get install arch-test qemu-user-static" \
        "binfmt-support; mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc; update-binfmts --enable" >&2
    exit 2
}
versions=$("$root/firmware/deb/debian.sh" versions trixie arm64 "$@")
tar=$root/.cache/card/root-$(echo "$versions" | cat - "$0" "$here/bootstrap.sh" | sha256sum | cut -c1-12).tar
if [ ! -f "$tar" ]; then
    mkdir -p "${tar%/*}"
    rm -rf "${tar%/*}"/root-*
    "$here/bootstrap.sh" trixie arm64 "${tar%.tar}" "$@" >&2
    # Without the day on which it was made: an image of a tar that was kept is that of a new one.
    tar -C "${tar%.tar}" --sort=name --numeric-owner --xattrs --mtime=@1728000000 --clamp-mtime -cf "$tar.new" .
    rm -rf "${tar%.tar}"
    mv "$tar.new" "$tar"
fi
echo "$tar"
