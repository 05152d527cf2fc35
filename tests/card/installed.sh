#!/bin/sh
# The package in a Debian for arm64 that is emulated: installed, upgraded over a journal and changed settings that are in
# use, removed, and purged without a trace. Needs root.
#
#   installed.sh PACKAGE.deb
#
# Exit codes: 0 all is as it should be; 1 something is not.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
source=$(CDPATH='' cd -- "$here/../.." && pwd)
deb=$1
tar=$("$source/firmware/card/root.sh")
work=$(mktemp -d -p "$source/.cache/card")
root=$work/root
end() {
    umount "$root/proc" "$root/dev/null" 2>/dev/null || true
    rm -rf "$work"
}
trap end EXIT
wrong() {
    echo "installed: $1" >&2
    exit 1
}
inside() { chroot "$root" /usr/bin/env LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin "$@"; }
files() { # what is there, but for what programs of Debian's keep for themselves
    inside find / -xdev \( -path /proc -o -path /var/lib/dpkg -o -path /var/log -o -path /var/cache \) -prune -o \
        -path '*/__pycache__*' -o -print | grep -v -x -e '/etc/[a-z]*-' -e '/etc/.pwd.lock' -e '/tmp/.*' | sort
}

mkdir "$root"
tar -xpf "$tar" -C "$root" --numeric-owner
mount -t proc proc "$root/proc"
[ -e "$root/dev/null" ] || : >"$root/dev/null"
mount --bind /dev/null "$root/dev/null"
# An earlier release: with a file that the present one has no more, and other settings.
dpkg-deb -R "$deb" "$work/older"
sed -i 's/^Version: .*/Version: 0.0.1/' "$work/older/DEBIAN/control"
echo gone >"$work/older/opt/referee/app/gone.py"
dpkg-deb --root-owner-group -Znone -b "$work/older" "$root/tmp/older.deb" >/dev/null
cp "$deb" "$root/tmp/newer.deb"
mkdir -p "$root/boot/firmware"
printf '# For more options see http://rptl.io/configtxt\ndtparam=audio=on\n' >"$root/boot/firmware/config.txt"
files >"$work/before"
cp "$root/boot/firmware/config.txt" "$work/config.txt"

inside dpkg -i /tmp/older.deb >"$work/log" 2>&1 || { cat "$work/log" && wrong "it cannot be installed"; }
for group in gpio i2c spi dialout audio; do
    inside id -nG referee | grep -qw "$group" || wrong "the user is not in $group"
done
[ "$(inside stat -c %U:%a /var/lib/referee)" = referee:755 ] || wrong "$(ls -ld "$root/var/lib/referee")"
[ "$(inside systemctl is-enabled referee)" = enabled ] || wrong "the service is not enabled"
grep -q '^include referee-config.txt' "$root/boot/firmware/config.txt" || wrong "the boot configuration is not included"
inside LG_WD=/tmp /opt/referee/bin/python -IBc 'import sys; sys.path.insert(0, "/opt/referee/app")
import PIL.Image, bleak, dbus_fast, gpiozero, lgpio, luma.oled.device, nacl.signing, serial, smbus2, spidev, sqlite3, uvicorn' ||
    wrong "a library cannot be imported"

# A game is begun and left where it is, a setting is changed.
play() { inside setpriv --reuid referee --regid referee --init-groups referee "$@"; }
printf '%s\n' '{"about": true}' | play drive battle-of-the-ring --set players=2 --journal /var/lib/referee/journal.db \
    >"$work/game" || wrong "no game can be begun: $(tail -n3 "$work/game")"
play key --new >/dev/null || wrong "no key can be made"
sha256sum "$root"/var/lib/referee/journal.db "$root"/var/lib/referee/referee.* >"$work/state"
echo '# mine' >>"$root/etc/referee/referee.toml"
inside dpkg --force-confold -i /tmp/newer.deb >"$work/log" 2>&1 || { cat "$work/log" && wrong "it cannot be upgraded"; }
[ ! -e "$root/opt/referee/app/gone.py" ] || wrong "the upgrade left a file of the older one"
sha256sum --quiet -c "$work/state" || wrong "the upgrade changed the journal or the key"
play verify >/dev/null || wrong "the journal is not what it was"
grep -q '# mine' "$root/etc/referee/referee.toml" || wrong "the upgrade took the settings"

inside dpkg -r electronic-referee >"$work/log" 2>&1 || { cat "$work/log" && wrong "it cannot be removed"; }
sha256sum --quiet -c "$work/state" || wrong "the removal took the journal or the key"
inside dpkg -P electronic-referee >"$work/log" 2>&1 || { cat "$work/log" && wrong "it cannot be purged"; }
files >"$work/after"
diff "$work/before" "$work/after" || wrong "something was left behind, or too much was taken"
cmp "$work/config.txt" "$root/boot/firmware/config.txt" || wrong "the boot configuration is not as it was"
! inside getent passwd referee >/dev/null || wrong "the user is still there"
echo "installed: installed, upgraded over a journal, and gone without a trace"
