"""Unit tests need pytest, hypothesis and what the referee itself needs: no browser, no plugin."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNITS = ("clock", "files", "journal", "rulebook", "session")
ELSEWHERE = ("selenium", "xdist", "zxingcpp", "psycopg", "bumble")
COLLECT = """
import sys
sys.modules |= dict.fromkeys({elsewhere})
import pytest
sys.exit(pytest.main(["--collect-only", "-qq", *{folders}]))
"""


def test_unit_tests_need_no_browser_and_no_plugin() -> None:
    code = COLLECT.format(elsewhere=ELSEWHERE, folders=[f"tests/{name}" for name in UNITS])
    environment = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PATH": "", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
