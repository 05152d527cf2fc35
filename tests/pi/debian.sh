#!/bin/sh
# `make install-pi` and its undo on a Debian made for the purpose, as far as one without a kernel of its own goes:
# packages, environment, user, groups, folders, boot configuration and service are real; nothing is started by systemd.
#
#   sudo tests/pi/debian.sh SUITE [DIR]
#
#   SUITE   bookworm or trixie, which Raspberry Pi OS is made from
#   DIR     where to make it (default: a new directory, removed at the end); one that is there already is used again
#
# Needs root, debootstrap, 700 MB and the network. python3-lgpio comes from Raspberry Pi's own archive and Debian has none:
# an empty package of that name stands in. Exit codes: 0 all is as it should be; 1 something is not.
set -eu

suite=$1
root=${2:-$(mktemp -d)}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
source=$(CDPATH='' cd -- "$here/../.." && pwd)
inside() { chroot "$root" /usr/bin/env LC_ALL=C.UTF-8 PIP_CERT=/etc/ssl/certs/ca-certificates.crt "$@"; }
wrong() {
    echo "$suite: $1" >&2
    exit 1
}
done_with() {
    umount "$root/proc" "$root/dev" 2>/dev/null || true
    [ -n "${keep:-}" ] || rm -rf "$root"
}
keep=${2:-}
trap done_with EXIT

chmod 755 "$root" # a directory of mktemp lets nobody but root in, and the station is not root
if [ ! -e "$root/usr/bin/python3" ]; then
    debootstrap --variant=minbase --include=systemd,systemd-sysv,udev,sudo,make,python3,python3-venv,ca-certificates \
        "$suite" "$root"
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mkdir -p "$root/boot/firmware" "$root/try/lgpio/DEBIAN"
printf '# For more options see http://rptl.io/configtxt\ndtparam=audio=on\n' >"$root/boot/firmware/config.txt"
cp "$root/boot/firmware/config.txt" "$root/try/config.txt"
printf 'Package: python3-lgpio\nVersion: 0\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nDescription: none\n' \
    >"$root/try/lgpio/DEBIAN/control"
inside dpkg-deb --build --root-owner-group /try/lgpio /try/lgpio.deb >/dev/null
inside dpkg -i /try/lgpio.deb >/dev/null
rm -rf "$root/try/referee"
mkdir "$root/try/referee"
(cd "$source" && tar -c Makefile LICENSE requirements.lock firmware referee hardware) | tar -x -C "$root/try/referee"
inside apt-get update -qq

files() { # what is there, but for what packages and programs keep for themselves
    inside find /etc /opt /usr/local /boot /srv /var/lib/referee -path '*/__pycache__' -prune -o -print 2>/dev/null | sort
}
changes='^/etc/\(alternatives\|ld.so.cache\|mailcap\|python\|mime\|ssl\|\.pwd\|passwd\|group\|shadow\|gshadow\|sub[ug]id\)'

inside make -C /try/referee uninstall-pi ARGS=--purge >/dev/null # where an earlier try broke off
files | grep -v "$changes" >"$root/try/before"
(umask 077 && inside make -C /try/referee install-pi) || wrong "the installer failed"
inside make -C /try/referee install-pi >"$root/try/again" || wrong "the installer failed the second time"
! grep wrote "$root/try/again" || wrong "the second time it wrote something"

for group in gpio i2c spi dialout audio bluetooth; do
    inside id -nG referee | grep -qw "$group" || wrong "the user is not in $group"
done
[ "$(inside stat -c %U:%a /var/lib/referee)" = referee:755 ] || wrong "$(inside ls -ld /var/lib/referee)"
[ "$(inside systemctl is-enabled referee)" = enabled ] || wrong "the service is not enabled"
inside systemd-analyze verify /etc/systemd/system/referee.service || wrong "systemd does not take the unit"
inside systemd-analyze security --offline=true --threshold=20 --no-pager referee.service >/dev/null || wrong "security above 2.0"
grep -q '^include referee-config.txt' "$root/boot/firmware/config.txt" || wrong "the boot configuration is not included"
as_referee() { inside setpriv --reuid referee --regid referee --init-groups /usr/local/bin/referee "$@"; }
as_referee --version
mkdir -p "$root/try/hostile/referee"
for name in referee/__init__ json signal sitecustomize; do
    echo 'raise SystemExit("taken over")' >"$root/try/hostile/$name.py"
done
inside sh -c 'cd /try/hostile && referee games' >/dev/null || wrong "the command runs what lies in the current directory"
as_referee doctor --simulated --no-ask >/dev/null || wrong "the simulated box is not healthy"
(umask 077 && inside referee key --new) >/dev/null || wrong "root can make no key"
for file in journal.db journal.db.lock referee.key referee.pub; do
    [ "$(inside stat -c %U "/var/lib/referee/$file")" = referee ] || wrong "root's $file is not the station's"
done
code=0
as_referee run >"$root/try/run" 2>&1 || code=$?
[ $code = 4 ] || wrong "without a box it ended with $code, not 4: $(cat "$root/try/run")"

inside make -C /try/referee uninstall-pi || wrong "the undo failed"
for kept in etc/referee var/lib/referee; do
    [ -d "$root/$kept" ] || wrong "the undo took /$kept"
done
inside make -C /try/referee uninstall-pi ARGS='--purge --prefix /usr/local' && wrong "/usr/local was taken for the referee's"
inside make -C /try/referee uninstall-pi ARGS=--purge || wrong "the undo failed with --purge"
files | grep -v "$changes" >"$root/try/after"
diff "$root/try/before" "$root/try/after" || wrong "the undo left something behind, or took too much"
cmp "$root/try/config.txt" "$root/boot/firmware/config.txt" || wrong "the boot configuration is not as it was"
echo "$suite: installed, installed again, and gone without a trace"
