"""The games keep in a browser's Python what they keep here: another version, and another machine (WebAssembly)."""

from __future__ import annotations

import json
import subprocess
from typing import Final

import pytest

from referee import games
from tests.components import NODE, PYODIDE, ROOT

pytestmark = pytest.mark.long

MANY: Final = 40
"""Random answers of each check."""

CONFORM: Final = """
import json, sys
sys.path.insert(0, "/repo")
from referee import games
from referee.testing.conformance import BOOK_CHECKS, CHECKS, Report, variants

kept = {}
for name in games.SHELF:
    book = games.load(name)
    for variant in variants(book, switches=False):
        for check in CHECKS:
            check(variant, MANY, Report())
            kept[name] = kept.get(name, 0) + 1
    for check in BOOK_CHECKS:
        if check.__name__ != "a_fresh_process_rules_the_same":  # there is one process
            check(book, Report())
            kept[name] += 1
json.dumps([sys.platform, kept])
"""

SCRIPT: Final = """
const [pyodide, root, code] = JSON.parse(process.argv[1]);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: pyodide });
python.FS.mkdir("/repo");
python.mountNodeFS("/repo", root);
console.log(python.runPython(code));
"""


def test_the_games_conform_in_the_python_of_a_browser(node: object, pyodide: object) -> None:
    arguments = json.dumps([str(PYODIDE.parent), str(ROOT), CONFORM.replace("MANY", str(MANY))])
    command = [str(NODE), "--input-type=module", "-e", SCRIPT, arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500)
    assert done.returncode == 0, done.stderr[-3000:]
    platform, kept = json.loads(done.stdout)
    assert platform == "emscripten"
    assert set(kept) == set(games.SHELF)
    assert min(kept.values()) > 15
