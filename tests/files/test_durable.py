"""Files that must last: whole or not at all, theirs whose folder it is, and with the same mode whoever makes them."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.files import durable


@pytest.fixture(params=[0o000, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_disk_that_is_full_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    durable.replace(path, "first")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        durable.replace(path, "second")
    assert path.read_text() == "first"
    assert [*tmp_path.iterdir()] == [path]


def test_a_writer_that_fails_or_is_ended_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    durable.replace(path, "first")

    def fail(fault: type[BaseException]) -> None:
        with durable.replacing(path) as file:
            file.write(b"half")
            raise fault

    for fault in (OSError, KeyboardInterrupt):
        with pytest.raises(fault):
            fail(fault)
    assert path.read_text() == "first"
    assert [*tmp_path.iterdir()] == [path]


def test_the_rest_of_a_killed_writer_is_no_hindrance(tmp_path: Path) -> None:
    path, other = tmp_path / "file", tmp_path / "other"
    other.write_text("other")
    durable.draft(path).symlink_to(other)
    durable.replace(path, "first")
    assert (path.read_text(), other.read_text(), path.is_symlink()) == ("first", "other", False)
    (tmp_path / "lock").symlink_to(tmp_path / "absent")
    with pytest.raises(OSError, match="symbolic links"):
        durable.shared(tmp_path / "lock")
    assert not (tmp_path / "absent").exists()


def test_the_folder_is_synced_after_the_name_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a power cut brings the old file back although the new one was told as written."""
    steps: list[str] = []
    replace, fsync = Path.replace, os.fsync

    def synced(descriptor: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        fsync(descriptor)

    def renamed(self: Path, target: Path) -> Path:
        steps.append("name")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", renamed)
    durable.replace(tmp_path / "file", "text")
    assert steps == ["file", "name", "folder"]
    steps.clear()
    durable.remove(tmp_path / "file")
    durable.folder(tmp_path / "a" / "b")
    assert steps == ["folder"] * 3


def test_modes_are_those_that_were_asked_for(tmp_path: Path, umask: int) -> None:
    durable.replace(tmp_path / "secret", "text", 0o600)
    durable.replace(tmp_path / "public", "text", 0o644)
    durable.replace(tmp_path / "usual", "text")
    durable.shared(tmp_path / "lock").close()
    durable.folder(tmp_path / "folder" / "inner")
    assert (mode(tmp_path / "secret"), mode(tmp_path / "public")) == (0o600, 0o644)
    assert mode(tmp_path / "usual") == 0o666 & ~umask
    for path in ("lock", "folder", "folder/inner"):
        assert not mode(tmp_path / path) & 0o022, "others may write it"
    (tmp_path / "usual").chmod(0o640)
    durable.replace(tmp_path / "usual", "text")
    assert mode(tmp_path / "usual") == 0o640


SERVICE = 12345
"""A user id nobody has."""

PLAY = """
import os, sys
from referee.games import load
from referee.journal import Journal
from referee.journal.check import verify
from referee.session import Session

user, first, second = sys.argv[1:]

def play(path):
    with Journal(path) as journal:
        Session(load("riddle-of-the-ring"), journal=journal)
        verify(journal)

play(first), play(first)  # the interpreter may lie where only root may enter: now everything is imported
os.setgroups([]), os.setgid(int(user)), os.setuid(int(user))
play(second)
"""


class TestRoot:
    """What root makes in a folder of the service's user is that user's."""

    @pytest.fixture
    def state(self, root: None) -> Iterator[Path]:
        """Not below the folder of the tests, which others may not enter."""
        with tempfile.TemporaryDirectory() as name:
            Path(name).chmod(0o755)
            state = Path(name) / "state"
            state.mkdir()
            state.chmod(0o755)
            os.chown(state, SERVICE, SERVICE)
            yield state

    @pytest.mark.parametrize(
        "make",
        [
            lambda path: durable.replace(path, "text", 0o600),
            lambda path: durable.shared(path).close(),
            durable.begin,
            durable.folder,
        ],
    )
    def test_is_the_owner_s(self, state: Path, make: Callable[[Path], None], umask: int) -> None:
        make(state / "made")
        assert ((state / "made").stat().st_uid, (state / "made").stat().st_gid) == (SERVICE, SERVICE)

    def test_an_existing_file_is_never_given_away(self, state: Path) -> None:
        """Somebody who may write the folder could have linked it there."""
        secret = state.parent / "secret"
        secret.write_text("root's")
        (state / "file").hardlink_to(secret)
        durable.shared(state / "file").close()
        durable.begin(state / "file")
        durable.replace(state / "file", "text")
        assert (secret.stat().st_uid, secret.read_text()) == (0, "root's")

    def test_a_journal_made_with_sudo_is_the_service_s(self, state: Path, umask: int, tmp_path: Path) -> None:
        journal = state / "referee" / "journal.db"
        program = [sys.executable, "-c", PLAY]
        for arguments in (["0", journal, journal], [SERVICE, tmp_path / "journal.db", journal]):
            command = [*program, *map(str, arguments)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
        for path in journal.parent.iterdir():
            assert path.stat().st_uid == SERVICE, path
            assert not mode(path) & 0o022, path
