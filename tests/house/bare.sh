#!/usr/bin/env bash
# `make test` of the last commit on a bare Debian, with python3, its venv module, make and git alone. Needs root and
# debootstrap, and leaves nothing mounted.
#
#   bare.sh SUITE USER [COMMAND]
#
# SUITE: bookworm or trixie; USER: root or plain; COMMAND: in place of `make test`. DEVICES=yes: with /dev/pts and
# /dev/shm, which a container need not have. BARE: the folder where the systems are kept, .cache/bare.
set -euo pipefail
[ -n "${BARE_APART:-}" ] || BARE_APART=yes exec unshare --mount "$0" "$@"

source=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
suite=$1 user=$2 command=${3:-make test}
root=${BARE:-$source/.cache/bare}/$suite
[ -e "$root/usr/bin/git" ] ||
    debootstrap --variant=minbase --include=python3,python3-venv,make,git,ca-certificates "$suite" "$root"

mount -t proc proc "$root/proc"
for each in /etc/resolv.conf /etc/hosts /etc/ssl/certs ${DEVICES:+/dev/pts /dev/shm}; do
    [ -e "$root$each" ] || touch "$root$each"
    mount --bind "$each" "$root$each"
done
chroot "$root" id plain >/dev/null 2>&1 || chroot "$root" useradd --create-home plain
home=$(chroot "$root" sh -c "echo ~$user")
rm -rf "$root$home/referee"
git clone --quiet "$source" "$root$home/referee"
chroot "$root" chown -R "$user:" "$home/referee"
exec chroot "$root" su - "$user" -w CI,PIP_CERT,PIP_DEFAULT_TIMEOUT -c "cd referee && $command"
