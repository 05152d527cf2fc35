#!/bin/sh
# Installs the referee on a Raspberry Pi, or takes it off again. May be run again at any time: it changes only what
# differs. Raspberry Pi OS Bookworm or Trixie, 64 bit.
#
#   install.sh [--prefix DIR] [--skip-packages] [--no-start]
#   install.sh --uninstall [--purge] [--prefix DIR]
#
#   --prefix DIR      where the program goes, an absolute path (default: /opt/referee)
#   --skip-packages   install no packages, neither the system's nor Python's
#   --no-start        do not start the service
#   --uninstall       take everything off again, but keep settings and games
#   --purge           with --uninstall: settings and games too
#
# DESTDIR in the environment: install below that directory and leave the running system alone (for images and tests).
# Exit codes: 0 done; 1 something failed; 2 wrong arguments.
set -eu

prefix=/opt/referee packages=yes start=yes action=install purge=no
DESTDIR=${DESTDIR:-}
PYTHON=${PYTHON:-python3}
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
source=$(CDPATH='' cd -- "$here/../.." && pwd)

usage() {
    echo "install.sh: $1 (see the head of $0)" >&2
    exit 2
}

die() {
    echo "install.sh: $1" >&2
    exit 1
}

while [ $# -gt 0 ]; do
    case $1 in
        --prefix)
            [ $# -ge 2 ] || usage "--prefix wants a directory"
            prefix=$2
            shift
            ;;
        --skip-packages) packages=no ;;
        --no-start) start=no ;;
        --uninstall) action=uninstall ;;
        --purge) purge=yes ;;
        *) usage "no such option: $1" ;;
    esac
    shift
done
case $prefix in
    / | /usr | /opt | /home | /etc | /var) usage "--prefix must be a directory of the referee's own, not $prefix" ;;
    *[!A-Za-z0-9/._-]*) usage "--prefix may hold letters, digits and /._- only" ;;
    /*) ;;
    *) usage "--prefix must be an absolute path, got $prefix" ;;
esac

live() { [ -z "$DESTDIR" ]; }

# A system that is only being made (a chroot, an image) has no systemd to be told: it finds everything when it starts.
booted() { [ -d /run/systemd/system ]; }

# Pairs of our file and its place.
files="referee.service /etc/systemd/system/referee.service
referee.rules /etc/udev/rules.d/70-referee.rules
sysusers.conf /etc/sysusers.d/referee.conf
tmpfiles.conf /etc/tmpfiles.d/referee.conf
modules.conf /etc/modules-load.d/referee.conf
journald.conf /etc/systemd/journald.conf.d/referee.conf"

changed=no
place() { # place FILE PLACE [MODE]: put a file there if it is not the same already
    if ! cmp -s "$1" "$DESTDIR$2"; then
        mkdir -p "$(dirname "$DESTDIR$2")"
        cp "$1" "$DESTDIR$2.new"
        chmod "${3:-644}" "$DESTDIR$2.new"
        mv "$DESTDIR$2.new" "$DESTDIR$2"
        echo "wrote $2"
        changed=yes
    fi
}

boot() { # where the firmware reads its configuration
    for folder in /boot/firmware /boot; do
        if [ -f "$DESTDIR$folder/config.txt" ]; then
            echo "$folder"
            return
        fi
    done
}

boot_add() {
    folder=$(boot)
    if [ -z "$folder" ]; then
        echo "no config.txt found: switch I2C on by hand (see $here/config.txt)"
        return
    fi
    changed=no
    place "$here/config.txt" "$folder/referee.txt"
    if ! grep -q '^include referee\.txt' "$DESTDIR$folder/config.txt"; then
        cp "$DESTDIR$folder/config.txt" "$DESTDIR$folder/config.txt.before-referee"
        printf '\n[all]\ninclude referee.txt\n' >>"$DESTDIR$folder/config.txt"
        echo "wrote $folder/config.txt"
        changed=yes
    fi
    [ $changed = no ] || echo "Restart the Pi, so that it reads its boot configuration again."
}

boot_remove() {
    folder=$(boot)
    [ -n "$folder" ] || return 0
    rm -f "$DESTDIR$folder/referee.txt"
    if grep -q '^include referee\.txt' "$DESTDIR$folder/config.txt"; then
        # The line, with the blank line and the [all] that were put before it.
        awk '{ line[NR] = $0 }
            END {
                for (i = 1; i <= NR; i++)
                    if (line[i] == "include referee.txt") {
                        drop[i] = 1
                        if (line[i - 1] == "[all]") { drop[i - 1] = 1; if (line[i - 2] == "") drop[i - 2] = 1 }
                    }
                for (i = 1; i <= NR; i++) if (!(i in drop)) print line[i]
            }' "$DESTDIR$folder/config.txt" >"$DESTDIR$folder/config.txt.new"
        mv "$DESTDIR$folder/config.txt.new" "$DESTDIR$folder/config.txt"
    fi
    rm -f "$DESTDIR$folder/config.txt.before-referee"
}

system_packages() {
    # lgpio has no wheel for every Python of a Pi; the distribution's own is built for its Python.
    wanted=""
    for package in python3-venv python3-lgpio python3-spidev; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || wanted="$wanted $package"
    done
    if [ -n "$wanted" ]; then
        # shellcheck disable=SC2086  # a list of names
        apt-get install -y --no-install-recommends $wanted || die "apt-get could not install$wanted"
    fi
}

environment() {
    venv=$DESTDIR$prefix/venv
    # After an upgrade of the system the environment would belong to a Python that is gone.
    if [ -d "$venv" ] && ! "$venv/bin/python" -c 'import sys' 2>/dev/null; then
        rm -rf "$venv"
    fi
    [ -d "$venv" ] || "$PYTHON" -m venv --system-site-packages "$venv" || die "no environment could be made in $venv"
    if [ $packages = yes ]; then
        "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes \
            -r "$source/requirements.lock" || die "the Python packages could not be installed"
    fi
}

program() {
    # The new program is complete before it takes the old one's place.
    app=$DESTDIR$prefix/app
    rm -rf "$app.new" "$app.old"
    mkdir -p "$app.new" "$DESTDIR$prefix/bin"
    cp -R "$source/referee" "$source/hardware" "$source/LICENSE" "$app.new/"
    find "$app.new" -name __pycache__ -type d -prune -exec rm -rf {} +
    "$DESTDIR$prefix/venv/bin/python" -m compileall -q "$app.new"
    [ ! -d "$app" ] || mv "$app" "$app.old"
    mv "$app.new" "$app"
    rm -rf "$app.old"
    launcher=$(mktemp)
    cat >"$launcher" <<END
#!/bin/sh
# On this machine the journal and the settings are the station's, unless somebody names others or plays on a simulated box.
if [ "\${1:-}" != play ]; then
    export REFEREE_JOURNAL="\${REFEREE_JOURNAL:-/var/lib/referee/journal.db}"
    [ ! -f /etc/referee/referee.toml ] || export REFEREE_CONFIG="\${REFEREE_CONFIG:-/etc/referee/referee.toml}"
fi
export PYTHONPATH="$prefix/app"
exec "$prefix/venv/bin/python" -m referee "\$@"
END
    place "$launcher" "$prefix/bin/referee" 755
    rm -f "$launcher"
    mkdir -p "$DESTDIR/usr/local/bin"
    ln -sfn "$prefix/bin/referee" "$DESTDIR/usr/local/bin/referee"
}

settings() {
    # Somebody's own settings are never touched.
    [ -f "$DESTDIR/etc/referee/referee.toml" ] || place "$here/referee.toml" /etc/referee/referee.toml
}

install() {
    "$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        die "Python 3.11 or newer is needed: Raspberry Pi OS Bookworm or Trixie"
    if live; then
        [ "$(id -u)" = 0 ] || die "run this as root: sudo $0"
        [ $packages = no ] || system_packages
    fi
    environment
    program
    settings
    unit=$(mktemp)
    echo "$files" | while read -r file to; do
        sed "s|/opt/referee|$prefix|g" "$here/$file" >"$unit"
        place "$unit" "$to"
    done
    rm -f "$unit"
    boot_add
    if live; then
        systemd-sysusers /etc/sysusers.d/referee.conf
        systemd-tmpfiles --create /etc/tmpfiles.d/referee.conf
        systemctl enable --quiet referee.service
        if booted; then
            systemctl restart systemd-modules-load.service systemd-journald.service || true
            udevadm control --reload && udevadm trigger --subsystem-match=usb --subsystem-match=tty
            systemctl daemon-reload
            [ $start = no ] || systemctl restart referee.service ||
                echo "The station did not start. Ask why: sudo -u referee referee doctor"
        fi
    fi
    echo "The referee is installed in $prefix."
}

uninstall() {
    if live; then
        [ "$(id -u)" = 0 ] || die "run this as root: sudo $0 --uninstall"
        ! booted || systemctl stop --quiet referee.service 2>/dev/null || true
        systemctl disable --quiet referee.service 2>/dev/null || true
    fi
    echo "$files" | while read -r _ to; do
        rm -f "$DESTDIR$to"
    done
    boot_remove
    if [ "$(readlink "$DESTDIR/usr/local/bin/referee" 2>/dev/null)" = "$prefix/bin/referee" ]; then
        rm -f "$DESTDIR/usr/local/bin/referee"
    fi
    rm -rf "$DESTDIR${prefix:?}/app" "$DESTDIR${prefix:?}/venv" "$DESTDIR${prefix:?}/bin"
    rmdir "$DESTDIR$prefix" 2>/dev/null || true
    if [ $purge = yes ]; then
        rm -rf "$DESTDIR/etc/referee" "$DESTDIR/var/lib/referee"
    fi
    if live && booted; then
        systemctl daemon-reload
        systemctl restart systemd-journald.service || true
        udevadm control --reload
    fi
    echo "The referee is gone from $prefix."
    [ $purge = yes ] || echo "Settings (/etc/referee) and games (/var/lib/referee) are kept."
}

$action
