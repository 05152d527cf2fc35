"""docs/drive.md says what is so: its transcript runs as printed, and it names every code, command and member."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee import drive
from referee.session import Session
from tests.session.skirmish import BOOK

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "drive.md").read_text(encoding="utf-8")
TRANSCRIPTS = re.findall(r"^```transcript\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("transcript", TRANSCRIPTS)
def test_transcript_runs_as_printed(transcript: str) -> None:
    command, *rest = transcript.splitlines()
    program, *arguments = command.removeprefix("$ ").split()
    assert program == "referee"
    sent = "".join(line[2:] + "\n" for line in rest if line.startswith("< "))
    expected = [line[2:] for line in rest if line.startswith("> ")]
    assert len(rest) == sent.count("\n") + len(expected), "every line is sent or comes back"
    done = subprocess.run(
        [sys.executable, "-m", "referee", *arguments],
        input=sent,
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == expected


def test_every_refusal_code_of_the_kit_is_described() -> None:
    where = ("rulebook/*.py", "session/*.py", "drive/*.py", "files/jsonl.py", "errors.py")
    sources = [path for each in where for path in (ROOT / "referee").glob(each)]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    codes = set(re.findall(r'NotNow\(\s*"([a-z-]+)"', text))
    codes |= set(re.findall(r'Malformed\((?:[^()]|\([^()]*\))*?,\s*"([a-z-]+)"\s*\)', text))
    codes |= set(re.findall(r'_refused\("([a-z-]+)"', text))
    codes |= set(re.findall(r'(?:code|foreign|closed): str = "([a-z-]+)"', text))
    codes |= set(re.findall(r'super\(\).__init__\("([a-z-]+)"', text))
    assert {"malformed", "late", "thrown", "correction", "not-asked", "bad-dice", "too-long"} <= codes
    assert [code for code in sorted(codes) if f"`{code}`" not in TEXT] == []


def test_every_command_and_member_is_described() -> None:
    for command, beside in drive.BESIDE.items():
        row = re.search(rf"^\| `{command}` \|.*$", TEXT, re.MULTILINE)
        assert row is not None, command
        named = row[0].rsplit("|", 2)[1]
        assert set(re.findall(r"`(\w+)`", named)) == beside
    session = Session(BOOK)
    driver = drive.Driver(session)
    lines = [{"pause": True}, {"pause": False}, {"odds": True}, {"state": True}, {"about": True}, {"answer": "shoot"}]
    lines += [{"answer": "near"}, {"answer": 0}, {"answer": [1, 1]}, {"undo": 1}, {"odds": True}, {"answer": [2]}]
    lines += [{"answer": [1, 1]}, {"answer": "rest", "override": True}, {"answer": [1]}, {"answer": ["arm"]}]
    lines += [{"concede": "north"}]
    members: set[str] = set()
    for line in lines:
        for message in driver.take(json.dumps(line).encode()):
            assert re.search(rf"\*\*`{message['type']}`\*\*", TEXT), message["type"]
            members |= message.keys() - {"type"}
    assert [name for name in sorted(members) if f"`{name}`" not in TEXT] == []
