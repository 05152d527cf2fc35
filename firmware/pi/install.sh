#!/bin/sh
# Installs the referee on a Raspberry Pi, or uninstalls it. Can be run again at any time: it changes only what
# differs. Raspberry Pi OS Bookworm or Trixie, 64 bit.
#
#   install.sh [--prefix DIR] [--skip-packages] [--no-start]
#   install.sh --uninstall [--purge] [--prefix DIR]
#
#   --prefix DIR      where to install (default: /opt/referee): a separate directory below /opt, /srv or /usr/local
#                     that does not exist, is empty, or contains an installation of the referee
#   --skip-packages   install no packages, neither the system's nor Python's
#   --no-start        do not start the service
#   --uninstall       remove what was installed, which PREFIX/installed lists, and nothing else
#   --purge           with --uninstall: settings and games too
#
# DESTDIR in the environment: install below that directory and leave the running system alone (for images and tests).
# Exit codes: 0 done; 1 something failed; 2 wrong arguments.
set -eu
PYTHON=${PYTHON:-python3}
if ! "$PYTHON" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "install.sh: Python 3.11 or newer is needed: Raspberry Pi OS Bookworm or Trixie" >&2
    exit 1
fi
source=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
exec "$PYTHON" -IB -c 'import sys; sys.path.insert(0, sys.argv.pop(1))
from firmware.pi.installer.main import main; sys.exit(main(sys.argv[1:]))' "$source" "$@"
