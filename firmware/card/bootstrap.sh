#!/bin/sh
# A Debian for another processor, installed into a new folder. Only what differs by processor is emulated: packages are
# unpacked by this machine's dpkg, and the programs that their scripts call are those of the same Debian for this machine,
# laid over the others while the scripts run. Needs root, and binfmt_misc with qemu-user.
#
#   bootstrap.sh SUITE ARCHITECTURE FOLDER PACKAGE...
#
#   FOLDER     where it goes; it must not be there yet
#   PACKAGE    or a pattern of apt's, as '?essential'
#
# The same versions of packages give the same files, but for the times of those that scripts write.
set -eu
umask 022
export LC_ALL=C DEBIAN_FRONTEND=noninteractive DEBCONF_NONINTERACTIVE_SEEN=true PATH=/usr/sbin:/usr/bin:/sbin:/bin
export SOURCE_DATE_EPOCH=1728000000 # the day on which passwords were set: number 20,000
suite=$1 arch=$2 root=$3
shift 3
debian=$(CDPATH='' cd -- "$(dirname -- "$0")/../deb" && pwd)/debian.sh
if [ -z "${work:-}" ]; then # nothing is mounted where files are removed in the end
    work=$(mktemp -d -p "$(dirname -- "$root")")
    trap 'rm -rf --one-file-system "$work"' EXIT
    work=$work unshare --mount "$0" "$suite" "$arch" "$root" "$@"
    mv "$work/root" "$root"
    exit
fi
native=$work/native new=$work/root
"$debian" download "$suite" "$arch" "$work/foreign" "$@"
"$debian" download "$suite" "$(dpkg --print-architecture)" "$work/same" \
    '?essential' openssh-client passwd python3-minimal systemd udev

# In the beginning all programs are native. Their packages are unpacked last, so that most scripts find them yet.
mkdir "$native"
for deb in "$work"/same/*.deb; do
    name=${deb##*/}
    : >"$work/native-${name%%_*}"
    dpkg-deb --fsys-tarfile "$deb" | tar -xp -C "$native" \
        --exclude=./usr/share/doc --exclude=./usr/share/info --exclude=./usr/share/locale --exclude=./usr/share/man
done
cp -a "$native" "$new"
mkdir -p "$new/var/lib/dpkg/info" "$new/var/lib/dpkg/updates"
: >"$new/var/lib/dpkg/status"
cp "$native/usr/share/base-passwd/passwd.master" "$new/etc/passwd"
cp "$native/usr/share/base-passwd/group.master" "$new/etc/group"
printf '#!/bin/sh\nexit 101\n' >"$new/usr/sbin/policy-rc.d" # nothing is started
chmod 755 "$new/usr/sbin/policy-rc.d"
mount -t proc proc "$new/proc"
mount -t tmpfs -o mode=755 dev "$new/dev"
for device in 'null 1 3' 'zero 1 5' 'random 1 8' 'urandom 1 9' 'tty 5 0'; do
    # shellcheck disable=SC2086
    mknod -m 666 "$new/dev/${device%% *}" c ${device#* }
done
ln -s /proc/self/fd "$new/dev/fd"

package() {
    dpkg --root="$new" --force-unsafe-io --force-architecture --force-depends --force-confnew --log=/dev/null \
        --path-exclude='/usr/share/doc/*' --path-include='/usr/share/doc/*/copyright' \
        --path-exclude='/usr/share/locale/*' --path-exclude='/usr/share/man/*' --path-exclude='/usr/share/info/*' \
        "$@" >>"$work/log" 2>&1 || { grep -A9 error "$work/log" >&2 && exit 1; }
}
first='' last=''
for deb in "$work"/foreign/*.deb; do
    name=${deb##*/}
    case ${name%%_*} in
    lib* | gcc-*-base) first="$deb $first" ;;
    *) if [ -f "$work/native-${name%%_*}" ]; then last="$last $deb"; else first="$first $deb"; fi ;;
    esac
done
# shellcheck disable=SC2086
package --unpack $first $last

# dpkg knows by its own kind which packages are foreign, and ldconfig reads no others.
(cd "$native" && find usr/bin usr/sbin usr/lib/systemd -type f -perm /111 ! -name 'dpkg*' ! -name ldconfig \
    ! -name ssh-agent) | while read -r program; do
    [ ! -f "$new/$program" ] || mount --bind "$native/$program" "$new/$program"
done
package --configure --pending
sed -n "s|^[^ ]* \($new/[^ ]*\) .*|\1|p" /proc/mounts | xargs umount

# Away with the native programs and libraries that were not replaced.
(cd "$native" && find . -mindepth 1 | cut -c2- | sort) >"$work/there"
sort -u "$new"/var/lib/dpkg/info/*.list >"$work/owned"
comm -23 "$work/there" "$work/owned" | sort -r | while read -r path; do
    if [ -d "$new$path" ] && [ ! -L "$new$path" ]; then rmdir --ignore-fail-on-non-empty "$new$path"; else rm -f "$new$path"; fi
done
rm -rf "$new/usr/sbin/policy-rc.d" "$new"/etc/ssh/ssh_host_* "$new/etc/machine-id" "$new"/run/*
chroot "$new" ldconfig
