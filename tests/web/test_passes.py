"""The passes on the disk: who holds a token, who no longer does, and what a damaged file lets in."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

import pytest

from referee.errors import StationError
from referee.web.passes import Passes


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "panel.json"


def test_a_token_opens_until_it_is_taken_back_by_another_process(path: Path) -> None:
    station, command = Passes(path), Passes(path)
    token = station.issue("seat-2", "192.168.1.20")
    other = station.issue("watch", "192.168.1.21")
    assert (station.role(token), station.role(other)) == ("seat-2", "watch")
    first = command.listed()[0]
    assert (first.role, first.who) == ("seat-2", "192.168.1.20")
    assert command.revoke(first.id) == [first]
    assert (station.role(token), station.role(other)) == ("", "watch")
    assert command.revoke("00000000") == []
    assert len(command.revoke()) == 1
    assert station.role(other) == ""


def test_the_file_holds_no_token_and_only_its_owner_may_read_it(path: Path) -> None:
    token = Passes(path).issue("judge", "192.168.1.20")
    assert token not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["panel.json"]


def test_whoever_writes_it_the_file_belongs_to_the_owner_of_the_folder(path: Path) -> None:
    with contextlib.suppress(PermissionError):  # only root can give a folder away
        os.chown(path.parent, 12345, 12345)
    Passes(path).issue("watch", "192.168.1.20")
    Passes(path).revoke()
    assert (path.stat().st_uid, path.stat().st_gid) == (path.parent.stat().st_uid, path.parent.stat().st_gid)


def test_at_an_event_every_pass_watches(path: Path) -> None:
    token = Passes(path).issue("judge", "192.168.1.20")
    assert Passes(path, watch_only=True).role(token) == "watch"
    assert Passes(path, watch_only=True).role("anything") == ""
    assert Passes(path).role(token) == "judge"


def good(token_hash: str = "0" * 64) -> dict[str, object]:
    return {"role": "judge", "who": "x", "since": 1.0, "hash": token_hash}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"\xff\xfe",
        b'{"format": 2, "passes": []}',
        json.dumps({"format": 1, "passes": [good() | {"role": "king"}]}).encode(),
        json.dumps({"format": 1, "passes": [good("abc")]}).encode(),
        json.dumps({"format": 1, "passes": [good() | {"more": 1}]}).encode(),
        json.dumps({"format": 1, "passes": [{"role": "judge"}]}).encode(),
        json.dumps({"format": 1, "passes": [good() | {"role": ["judge"]}]}).encode(),
        b"[" * 50_000,
    ],
)
def test_a_damaged_file_lets_nobody_in_and_is_not_written_over(path: Path, content: bytes) -> None:
    passes = Passes(path)
    token = passes.issue("judge", "192.168.1.20")
    path.write_bytes(content)
    assert passes.role(token) == ""
    with pytest.raises(StationError, match=r"panel\.json: the passes cannot be read"):
        passes.issue("watch", "192.168.1.21")
    with pytest.raises(StationError):
        passes.revoke()
    assert path.read_bytes() == content


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    passes = Passes(tmp_path / "gone" / "panel.json")
    with pytest.raises(StationError, match=r"passes cannot be saved: No such file"):
        passes.issue("watch", "192.168.1.20")
