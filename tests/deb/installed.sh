#!/bin/sh
# The packages in a Debian for arm64 that is emulated: installed, used, upgraded in the middle of a game and over changed
# settings, removed, and purged without a trace; the tray's first. Needs root.
#
#   installed.sh SUITE STATION.deb TRAY.deb
#
# Exit codes: 0 all is as it should be; 1 something is not; 2 a tool is missing, and which.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
source=$(CDPATH='' cd -- "$here/../.." && pwd)
suite=$1 station=$2 tray=$3
begun=$(date +%s)
# shellcheck disable=SC2046
tar=$("$here/root.sh" "$suite" $(dpkg-deb -f "$station" Depends | tr -d ,))
work=$(mktemp -d -p "${tar%/*}")
root=$work/root
end() {
    umount "$root/proc" "$root/dev/null" 2>/dev/null || true
    rm -rf "$work"
}
trap end EXIT
wrong() {
    echo "installed: $suite: $1" >&2
    exit 1
}
step() { echo "installed: $suite: $(($(date +%s) - begun)) s: $1"; }
inside() { chroot "$root" /usr/bin/env LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin "$@"; }
play() { inside setpriv --reuid referee --regid referee --init-groups referee "$@"; }
package() { inside dpkg "$@" >"$work/log" 2>&1 || { cat "$work/log" && wrong "dpkg $* failed"; }; }
files() { # what is there, but for what programs of Debian's keep for themselves
    find "$root" -xdev -path '*/__pycache__*' -o -printf '/%P\n' | sort |
        grep -v -x -e '/\(proc\|run\|var/lib/dpkg\|var/log\|var/cache\|tmp\)/.*' -e '/etc/[a-z]*-' -e '/etc/.pwd.lock'
    cat "$root/boot/firmware/config.txt"
    # The groups of devices stay: other programs may use them by then.
    (cd "$root/etc" && grep -v '^\(gpio\|i2c\|spi\|bluetooth\):' passwd group shadow gshadow)
}
releases() { # PACKAGE.deb NAME: it, and an earlier one with a file that it has no more; unpacked, as emulation is slow
    dpkg-deb -R "$1" "$work/release"
    dpkg-deb --root-owner-group -Znone -b "$work/release" "$root/tmp/newer-$2.deb" >/dev/null
    sed -i -e 's/^Version: .*/Version: 0.0.1/' -e 's/(= [^)]*)/(= 0.0.1)/' "$work/release/DEBIAN/control"
    echo gone >"$work/release/opt/referee/app/gone-$2"
    dpkg-deb --root-owner-group -Znone -b "$work/release" "$root/tmp/older-$2.deb" >/dev/null
    rm -r "$work/release"
}
question() { # read what the referee says until it asks
    while read -r asked; do
        case $asked in *'"type":"prompt"'*) return ;; esac
    done
    wrong "the referee asks nothing"
}

mkdir "$root"
tar -xpf "$tar" -C "$root" --numeric-owner
mount -t proc proc "$root/proc"
[ -e "$root/dev/null" ] || : >"$root/dev/null"
mount --bind /dev/null "$root/dev/null"
releases "$station" station
releases "$tray" tray
mkdir -p "$root/boot/firmware" "$root/etc/kernel/postinst.d"
cat >"$root/etc/kernel/postinst.d/z50-raspi-firmware" <<'END'
#!/bin/sh
printf '# For more options see http://rptl.io/configtxt\ndtparam=audio=on\n' >/boot/firmware/config.txt
[ ! -f /etc/default/raspi-firmware-custom ] || cat /etc/default/raspi-firmware-custom >>/boot/firmware/config.txt
END
kernel() { inside sh /etc/kernel/postinst.d/z50-raspi-firmware; } # what Debian for the Pi does with each new one
kernel
files >"$work/before"
step "Debian is unpacked"

package -i /tmp/older-station.deb
files >"$work/before-tray"
for group in gpio i2c spi dialout audio bluetooth; do
    inside id -nG referee | grep -qw "$group" || wrong "the user is not in $group"
done
[ "$(inside stat -c %U:%a /var/lib/referee)" = referee:755 ] || wrong "$(ls -ld "$root/var/lib/referee")"
[ "$(inside systemctl is-enabled referee)" = enabled ] || wrong "the service is not enabled"
kernel
grep -q '^include referee-config.txt' "$root/boot/firmware/config.txt" || wrong "the boot configuration is not included"
step "the station is installed"

# The command: all its libraries, nothing of the folder it is called in, and root's files are the station's.
inside LG_WD=/tmp /opt/referee/bin/python -IBc 'import sys; sys.path.insert(0, "/opt/referee/app")
import PIL.Image, bleak, dbus_fast, gpiozero, lgpio, luma.oled.device, serial, smbus2, spidev, sqlite3, uvicorn' ||
    wrong "a library cannot be imported"
mkdir -p "$root/tmp/hostile/referee"
for name in referee/__init__ json signal sitecustomize; do
    echo 'raise SystemExit("taken over")' >"$root/tmp/hostile/$name.py"
done
inside env -C /tmp/hostile PYTHONPATH=/tmp/hostile referee games >/dev/null || wrong "it runs what lies in the current folder"
(umask 077 && inside referee drive riddle-of-the-ring --journal /var/lib/referee/made.db </dev/null >/dev/null) ||
    wrong "no journal can be made"
[ "$(inside stat -c %U /var/lib/referee/made.db)" = referee ] || wrong "root's journal is not the station's"
rm "$root"/var/lib/referee/made.*
code=0
play run >"$work/run" 2>&1 || code=$?
[ $code = 69 ] || wrong "without a box it ended with $code, not 69: $(cat "$work/run")"
# shellcheck disable=SC2016
gzip -dc "$root/usr/share/man/man1/referee.1.gz" | grep -q '^.SH REFEREE DOCTOR$' || wrong "the manual page is not there"
code=0
play tray --image none.jpg >"$work/run" 2>&1 || code=$?
[ $code = 69 ] || wrong "without the tray's package it ended with $code, not 69: $(cat "$work/run")"
grep -q electronic-referee-tray "$work/run" || wrong "what the tray needs is not said: $(cat "$work/run")"
step "its commands work"

# The tray: read what docs/dice.md shows.
package -i /tmp/older-tray.deb
inside id -nG referee | grep -qw video || wrong "the user is not in video"
mkdir "$root/tmp/tray"
cp "$source"/docs/images/tray/calibration.json "$source"/docs/images/tray/empty.jpg "$source"/docs/images/tray/throw-1.jpg \
    "$root/tmp/tray"
chmod -R a+rX "$root/tmp/tray"
throw() {
    play tray --image /tmp/tray/throw-1.jpg --calibration /tmp/tray/calibration.json --background /tmp/tray/empty.jpg \
        >"$work/throw" 2>&1 || wrong "the picture cannot be read: $(cat "$work/throw")"
    [ "$(tail -n1 "$work/throw")" = "read: 5 2 5 4" ] || wrong "expected 5 2 5 4, got $(cat "$work/throw")"
}
throw
inside systemd-analyze verify --man=no referee.service >"$work/unit" 2>&1 || wrong "$(cat "$work/unit")"
! grep -e referee.service -e tray.conf "$work/unit" || wrong "systemd does not take the unit"
step "the tray is installed, and reads a picture"

# A game goes on while both are upgraded: what was begun answers, and the new one asks what was asked.
mkfifo "$work/answers" "$work/said"
play drive battle-of-the-ring --set players=2 --journal /var/lib/referee/journal.db <"$work/answers" >"$work/said" &
exec 3>"$work/answers" 4<"$work/said"
question <&4
echo '{"answer": "placed"}' >&3
question <&4
first=$asked
sha256sum >"$work/state"
echo '# mine' >>"$root/etc/referee/referee.toml"
package --force-confold -i /tmp/newer-station.deb /tmp/newer-tray.deb
! ls "$root"/opt/referee/app/gone-* 2>/dev/null || wrong "the upgrade left a file of the older one"
sha256sum --quiet -c "$work/state" || wrong "the upgrade changed the key"
grep -q '# mine' "$root/etc/referee/referee.toml" || wrong "the upgrade took the settings"
inside dpkg --audit | grep . && wrong "the upgrade is not complete"
echo '{"answer": "placed"}' >&3
question <&4
[ "$asked" != "$first" ] || wrong "the game did not go on while it was upgraded"
exec 3>&- 4<&-
wait
play verify >/dev/null || wrong "the journal is not what it was"
play check >/dev/null || wrong "the game is judged otherwise after the upgrade"
throw
step "both are upgraded, and the game of before is judged the same"

sha256sum "$root"/var/lib/referee/journal.db >"$work/state"
package -P electronic-referee-tray
files | grep -v -x '/var/lib/referee/.*' >"$work/after-tray"
grep -v /gone- "$work/before-tray" | diff - "$work/after-tray" || wrong "the tray left something behind, or took too much"
package -r electronic-referee
sha256sum --quiet -c "$work/state" || wrong "the removal took the journal"
[ -e "$root/etc/referee/referee.toml" ] || wrong "the removal took the settings"
package -P electronic-referee
kernel
files >"$work/after"
diff "$work/before" "$work/after" || wrong "something was left behind, or too much was taken"
step "gone without a trace"
