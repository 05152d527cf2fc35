#!/bin/sh
# Packages of a Debian release for any architecture. Nothing is installed, and no root is needed. They come from the
# mirror that this machine uses, or from $DEBIAN_MIRROR.
#
#   debian.sh mirror                                        print the address of that mirror
#   debian.sh versions SUITE ARCHITECTURE PACKAGE...        print these packages and what they need, with versions
#   debian.sh download SUITE ARCHITECTURE FOLDER PACKAGE... put these packages and what they need into FOLDER
#   debian.sh unpack SUITE ARCHITECTURE FOLDER PACKAGE...   unpack them into FOLDER, without what they need
set -eu
task=$1
mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format "\$(REPO_URI)" 'Created-By: Packages' | grep -v security | head -n1)}
[ -n "$mirror" ] || { echo "debian.sh: no Debian mirror is configured on this machine: set DEBIAN_MIRROR" >&2 && exit 2; }
if [ "$task" = mirror ]; then
    echo "$mirror"
    exit
fi
suite=$2 arch=$3
shift 3
apt=$(mktemp -d)
trap 'rm -rf "$apt"' EXIT
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/deb"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main non-free-firmware" \
    >"$apt/sources.list"
ask() {
    command=$1
    shift
    "$command" -qq -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::State="$apt" -o Dir::State::lists="$apt/lists" -o Dir::State::status=/dev/null -o Dir::Cache="$apt" \
        -o APT::Architecture="$arch" -o APT::Architectures::="$arch" -o APT::Sandbox::User=root \
        -o APT::Install-Recommends=false "$@"
}
ask apt-get update
case $task in
versions)
    ask apt-get install --simulate "$@" | sed -n 's/^Inst \([^ ]*\) (\([^ ]*\) .*/\1 \2/p' | sort
    ;;
download)
    folder=$1
    shift
    ask apt-get install --download-only -y "$@" </dev/null
    mkdir -p "$folder"
    mv "$apt"/archives/*.deb "$folder"
    ;;
unpack)
    folder=$(mkdir -p "$1" && CDPATH='' cd -- "$1" && pwd)
    shift
    (cd "$apt/deb" && ask apt-get download "$@" >/dev/null)
    for deb in "$apt"/deb/*.deb; do
        dpkg-deb -x "$deb" "$folder"
    done
    ;;
*)
    echo "debian.sh: expected mirror, versions, download or unpack, got $task" >&2
    exit 2
    ;;
esac
