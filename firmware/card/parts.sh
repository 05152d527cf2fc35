#!/bin/sh
# What of the card is not installed: the kernel, the Pi's firmware, busybox, and Debian 13's mke2fs for this machine, the
# first that writes no times of its own into a file system. Prints the folder with them, unpacked. Kept in .cache/card as
# long as Debian has no newer version of one.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
debian=$root/firmware/deb/debian.sh

versions=$("$debian" versions trixie arm64 linux-image-arm64 raspi-firmware busybox-static)
parts=$root/.cache/card/parts-$(echo "$versions" | cat - "$0" | sha256sum | cut -c1-12)
if [ ! -d "$parts" ]; then
    rm -rf "$root"/.cache/card/parts-*
    linux=$(echo "$versions" | sed -n 's/^\(linux-image-[0-9][^ ]*\) .*/\1/p')
    "$debian" unpack trixie arm64 "$parts.new" "$linux" raspi-firmware busybox-static
    "$debian" unpack trixie "$(dpkg --print-architecture)" "$parts.new/tools" \
        e2fsprogs libext2fs2t64 libcom-err2 libblkid1 libuuid1 libc6
    /sbin/depmod -b "$parts.new/usr" "${linux#linux-image-}"
    mv "$parts.new" "$parts"
fi
echo "$parts"
