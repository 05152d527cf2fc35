"""The voice of a box as somebody sets it up: a line in the configuration, and a program that speaks."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.e2e.conftest import Station

SPEAKS = """#!/bin/sh
{ echo "$@"; cat; echo; } >> "$SAID"
echo "$PATH" > "$DONE"
"""


@pytest.mark.long
def test_the_box_speaks_through_espeak_as_configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, said, done = tmp_path / "espeak-ng", tmp_path / "said", tmp_path / "done"
    program.write_text(SPEAKS)
    program.chmod(0o755)
    os.mkfifo(done)
    for name, value in (("PATH", f"{tmp_path}:{os.environ['PATH']}"), ("SAID", said), ("DONE", done)):
        monkeypatch.setenv(name, str(value))
    station = Station(
        tmp_path / "journal.db",
        "--no-browser",
        more='[voice]\nspeak = true\nlanguage = "en-us"\nwords_per_minute = 200\n',
    )
    assert done.read_text(), "it has spoken, and has written that to the end"
    assert station.stop() == 0
    assert said.read_text() == "-v en-us -s 200 --stdin\nReferee. Which game?\n"
