#!/bin/sh
# The card: an image for the Raspberry Pi Zero 2 W, 3 and 4, of Debian and the referee's package; see docs/image.md.
#
#   image.sh PACKAGE.deb [FOLDER]
#
#   FOLDER   where image and manifest go (default: dist)
#   URL      in the environment: the folder that the image will be downloaded from, for the manifest (default: FOLDER)
#
# Needs root.
# Exit codes: 0 built; 1 something failed, or the image is too large; 2 a tool is missing, and which.
set -eu
umask 022
begun=$(date +%s)
largest=160000000 # bytes of the compressed image
slowest='120 with all of it in .cache, 900 without' # seconds
export LC_ALL=C TZ=UTC
PATH=$PATH:/usr/sbin:/sbin
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
deb=$1
out=$(mkdir -p "${2:-$root/dist}" && CDPATH='' cd -- "${2:-$root/dist}" && pwd)
"$root/firmware/deb/needs.sh" "make image" aarch64-linux-gnu-gcc:gcc-aarch64-linux-gnu apt-get:apt arch-test:arch-test \
    /usr/aarch64-linux-gnu/lib/libc.a:libc6-dev-arm64-cross cpio:cpio dtc:device-tree-compiler git:git \
    mkfs.vfat:dosfstools mcopy:mtools modprobe:kmod sfdisk:fdisk systemctl:systemd unshare:util-linux xz:xz-utils ||
    exit 2
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
tar=$("$here/root.sh")
parts=$("$here/parts.sh")
release=$(ls "$parts/usr/lib/modules")
work=$(mktemp -d -p "$root/.cache/card")
trap 'rm -rf "$work"' EXIT
system=$work/root initial=$work/initial boot=$work/boot
mkdir "$system" "$initial" "$boot"

dated() { # FOLDER: nothing in it is newer than the commit
    find "$1" -newermt "@$SOURCE_DATE_EPOCH" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}
drivers() { # EXPRESSION: files of those that sed selects from the list, each after those it depends on
    # shellcheck disable=SC2013
    for name in $(sed -n "$1" "$here/modules"); do
        modprobe -d "$parts/usr" -S "$release" --show-depends "$name"
    done | sed -n "s|^insmod $parts/usr/\([^ ]*\).*|\1|p" | awk '!seen[$0]++'
}
partition() { # LABEL FOLDER FILE MIB: an ext4 file system
    loader=$(find "$parts/tools" -name 'ld-linux-*.so.*' -type f)
    uuid=$(echo "$1" | sha256sum | sed 's/\(.\{8\}\)\(....\).\(...\).\(...\)\(.\{12\}\).*/\1-\2-4\3-8\4-\5/')
    "$loader" --library-path "${loader%/*}" "$parts/tools/usr/sbin/mke2fs" -q -t ext4 -b 4096 -m 1 -L "$1" -U "$uuid" \
        -E hash_seed="$uuid" -d "$2" "$3" "${4}M"
}

# The system: Debian, its drivers, the package and the card's own settings.
tar -xpf "$tar" -C "$system" --numeric-owner --xattrs
drivers 's/^+ //p; /^[+#]/!p' | (cd "$parts/usr" && xargs tar -c) | tar -x -C "$system/usr"
cp "$parts/usr/lib/modules/$release"/modules.builtin* "$parts/usr/lib/modules/$release/modules.order" \
    "$system/usr/lib/modules/$release"
depmod -b "$system/usr" "$release"
cp "$deb" "$system/package.deb"
chroot "$system" dpkg --force-unsafe-io -i /package.deb >"$work/log" 2>&1 || { cat "$work/log" >&2 && exit 1; }
cp -R --no-preserve=mode "$here/files/." "$system" # the same whoever may read the sources
ln -sf /run/systemd/resolve/stub-resolv.conf "$system/etc/resolv.conf"
unit() {
    systemctl --root="$system" --quiet "$@"
}
unit enable referee-card.service ssh.service systemd-networkd.service systemd-resolved.service \
    systemd-timesyncd.service wpa_supplicant@wlan0.service
unit mask systemd-firstboot.service systemd-networkd-wait-online.service wpa_supplicant.service \
    apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer \
    proc-sys-fs-binfmt_misc.automount proc-sys-fs-binfmt_misc.mount systemd-binfmt.service
# What the machine that built it left, and what each box makes for itself.
rm -rf "$system/package.deb" "$system"/etc/*- "$system/etc/machine-id" "$system/var/lib/dbus/machine-id" \
    "$system/var/lib/systemd/random-seed" "$system"/var/cache/* "$system"/var/lib/apt/lists/* \
    "$system"/var/lib/dpkg/*-old "$system"/var/log/*
mkdir -p "$system/boot/firmware" "$system/var/lib/card/etc" "$system/var/lib/card/work"
touch "$system/etc/.updated" "$system/var/.updated" # saves eleven seconds of the first start
dated "$system"
mv "$system/var" "$work/var"
mkdir "$system/var"
dated "$system"

# The first process with its drivers and the splash, and what the Pi's firmware loads.
mkdir "$initial/bin" "$initial/dev" "$initial/lib" "$initial/proc" "$initial/system" "$initial/sys"
install "$parts/usr/bin/busybox" "$initial/bin"
install "$here/init" "$initial/init"
aarch64-linux-gnu-gcc -static -O2 -s -Wl,--build-id=none -o "$initial/bin/splash" "$here/splash.c"
for driver in $(drivers 's/^+ //p'); do
    name=$(basename "$driver" .xz)
    xz -dc "$parts/usr/$driver" >"$initial/lib/$name"
    echo "$name" >>"$initial/lib/order"
done
dated "$initial"
(cd "$initial" && find . | sort | cpio --quiet --reproducible -o -H newc -R 0:0 | gzip -9n) >"$boot/initrd"
cp "$parts/boot/vmlinuz-$release" "$boot/vmlinuz"
(cd "$parts/usr/lib/raspi-firmware" && cp bootcode.bin fixup.dat fixup4.dat start.elf start4.elf "$boot")
dtc -q -@ -I dts -O dtb -o "$work/referee.dtbo" "$here/boot/referee.dts"
trees=$parts/usr/lib/linux-image-$release/broadcom
for tree in "$trees"/bcm2837-rpi-*.dtb "$trees"/bcm2711-*.dtb; do
    fdtoverlay -i "$tree" -o "$boot/${tree##*/}" "$work/referee.dtbo"
done
cp "$here"/boot/*.txt "$boot"
cp "$root/firmware/pi/config.txt" "$boot/referee-config.txt"
dated "$boot"

# Three partitions: 96 MiB, the system with some room, and 64 MiB that grow at the first start.
size=$(($(du -sm "$system" | cut -f1) * 6 / 5 + 32))
truncate -s 96M "$work/p1"
mkfs.vfat --invariant -n REFEREE "$work/p1" >/dev/null
(cd "$boot" && MTOOLS_SKIP_CHECK=1 mcopy -mi "$work/p1" -- * ::)
partition referee-root "$system" "$work/p2" "$size"
partition referee-data "$work/var" "$work/p3" 64
version=$(dpkg-deb -f "$deb" Version)
image=$out/electronic-referee_$version.img
rm -f "$out"/electronic-referee_*.img "$out"/electronic-referee_*.img.xz "$out"/electronic-referee.rpi-imager-manifest
truncate -s $((4 + 96 + size + 64))M "$image"
sfdisk --quiet "$image" <<END
label: dos
label-id: 0x5ef37ee0
start=4MiB, size=96MiB, type=c, bootable
start=100MiB, size=${size}MiB, type=83
start=$((100 + size))MiB, size=64MiB, type=83
END
at=4
for part in p1 p2 p3; do
    dd if="$work/$part" of="$image" bs=1M seek=$at conv=notrunc,sparse status=none
    at=$((at + $(stat -c %s "$work/$part") / 1048576))
done
# More than this costs minutes and saves little: most of it is compressed already.
xz -T2 -1 --block-size=16MiB -k "$image"

sums=$(sha256sum "$image" "$image.xz" | cut -d' ' -f1)
cat >"$work/manifest" <<END
{"os_list": [{
  "name": "Electronic referee $version",
  "description": "Debian and the electronic referee, for the Raspberry Pi Zero 2 W, 3 and 4",
  "icon": "icons/use_custom.png",
  "url": "${URL:-file://$out}/${image##*/}.xz",
  "release_date": "$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%d)",
  "extract_size": $(stat -c %s "$image"),
  "extract_sha256": "$(echo "$sums" | head -n1)",
  "image_download_size": $(stat -c %s "$image.xz"),
  "image_download_sha256": "$(echo "$sums" | tail -n1)",
  "devices": ["pi3-64bit", "pi4-64bit"],
  "architecture": "armv8",
  "init_format": "none"
}]}
END
mv "$work/manifest" "$out/electronic-referee.rpi-imager-manifest"
size=$(stat -c %s "$image.xz")
echo "$image.xz: $size bytes, unpacked $(stat -c %s "$image"), sha256 $(echo "$sums" | tail -n1)"
echo "make image: $size bytes (at most $largest), $(($(date +%s) - begun)) s (of $slowest)"
[ "$size" -le "$largest" ] || { echo "make image: the image is larger than $largest bytes" >&2 && exit 1; }
