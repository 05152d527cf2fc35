#!/bin/sh
# Whether all tools are there; if not, which packages to install.
#
#   needs.sh TASK COMMAND:PACKAGE...
#
# Exit codes: 0 all are there; 1 some are missing.
task=$1 missing=
shift
PATH=$PATH:/usr/sbin:/sbin
for need in "$@"; do
    command -v "${need%%:*}" >/dev/null || [ -e "${need%%:*}" ] || missing="$missing ${need#*:}"
done
[ -z "$missing" ] || {
    echo "$task needs packages that are not installed: apt-get install$missing" >&2
    exit 1
}
