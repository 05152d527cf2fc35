#!/bin/sh
# Debian for the card, without the referee, as a tar: prints where it is. Kept in .cache/card as long as Debian has no
# newer version of a package. Needs root, because it runs the packages' own scripts, emulated: half an hour.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
packages="bluez bluez-firmware dbus e2fsprogs fdisk firmware-brcm80211 iproute2 kmod openssh-server python3 systemd
    systemd-resolved systemd-sysv systemd-timesyncd udev wireless-regdb wpasupplicant"

[ "$(id -u)" = 0 ] || { echo "emulating Debian needs root" >&2 && exit 2; }
arch-test arm64 >/dev/null || {
    echo "programs for arm64 do not run on this machine yet: apt-get install mmdebstrap arch-test qemu-user-static" \
        "binfmt-support; mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc; update-binfmts --enable" >&2
    exit 2
}
# shellcheck disable=SC2086
versions=$("$root/firmware/deb/debian.sh" versions trixie arm64 $packages)
tar=$root/.cache/card/root-$(echo "$versions" | cat - "$0" | sha256sum | cut -c1-12).tar
if [ ! -f "$tar" ]; then
    mkdir -p "${tar%/*}"
    rm -f "${tar%/*}"/root-*
    apt-config dump Acquire | grep -e Check -e Proxy >"$tar.conf" || true # how this machine reaches the packages
    mmdebstrap --quiet --mode=root --variant=apt --architectures=arm64 --format=tar \
        --components=main,non-free-firmware --include="$(echo "$packages" | tr -s ' \n' ,)" \
        --aptopt="$tar.conf" --aptopt='APT::Install-Recommends "false"' --dpkgopt=force-unsafe-io \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
        --dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/man/*' \
        --dpkgopt='path-exclude=/usr/share/info/*' \
        trixie "$tar.new" "$("$root/firmware/deb/debian.sh" mirror)" >&2
    mv "$tar.new" "$tar"
fi
echo "$tar"
