#!/usr/bin/env bash
# make test-pythons: the tests with each of these versions of Python that the machine has; with CI=true all must be there.
set -euo pipefail

find_python() {  # of a version such as 3.13: on the path, or as pyenv keeps it
    local each
    for each in "python$1" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$1".*/bin/python; do
        if "$each" -c "import sys, venv; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" 2>/dev/null; then
            echo "$each"
            return
        fi
    done
    return 1
}

for version in "$@"; do
    if python=$(find_python "$version"); then
        echo "== Python $version"
        make --no-print-directory pytest PYTHON="$python" VENV=".venv-$version"
    elif [ "${CI:-}" = true ]; then
        echo "Python $version is not installed"
        exit 1
    else
        echo "left out: Python $version is not installed"
    fi
done
