"""`referee export`, `replay`, `verify` and `check`: what a game proves of itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.running import Run


def test_export_replays_to_the_same_game(run: Run, journal: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(run("export").out, encoding="utf-8")
    assert run("replay", str(file)) == (0, "skirmish: 8 entries judged again, with the same results\n", "")
    assert run("replay", "-", stdin=file.read_bytes()).code == 0


def test_an_export_goes_on_in_another_journal(run: Run, journal: Path, tmp_path: Path) -> None:
    exported = run("export").out.encode()
    other = tmp_path / "other.db"
    done = run("import", "-", "--journal", str(other), stdin=exported)
    assert (done.code, done.out, done.err) == (0, "added as game 1: Skirmish\n", "")
    assert run("export", "--journal", str(other)).out.encode() == exported


def test_what_is_damaged_is_not_imported(run: Run, journal: Path, tmp_path: Path) -> None:
    exported = run("export").out.replace('"hit"', '"miss"', 1).encode()
    assert run("import", "-", stdin=exported).code == 1
    assert run("log", "--list").out.count("\n") == 1


def _changed(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new)

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_changed('"answer":[6,6]', '"answer":[6,5]'), "game 1, entry 4: was changed"),
        (lambda text: "\n".join(text.splitlines()[:8]), "8 entries were written, 7 are here"),
        (lambda text: "\n".join(text.splitlines()[1:]), "line 1: expected an export"),
        (lambda text: "", "line 1: expected a JSON object"),
        (lambda text: text + "{}\n", "belongs to game None"),
        (lambda text: text + "x\n", "line 10: expected one JSON object"),
        (_changed('"format":1', '"format":3'), "line 1: expected an export of format 1"),
        (_changed('"format":1', '"format":true'), "line 1: expected an export of format 1"),
        (_changed('"game":1,"head"', '"game":"1","head"'), "line 1: expected the number of the game"),
        (_changed('"seq":3', '"seq":4'), "entry 3: is missing"),
    ],
)
def test_damaged_export_is_named(
    run: Run, journal: Path, tmp_path: Path, change: Callable[[str], str], message: str
) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(change(run("export").out), encoding="utf-8")
    done = run("replay", str(file))
    assert (done.code, done.out) == (1, "")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_replay_names_the_first_divergence(run: Run, journal: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exported = run("export").out.encode()
    monkeypatch.setattr("tests.session.skirmish.NEED", {"near": 13, "far": 13})
    done = run("replay", "-", stdin=exported)
    assert done.code == 1
    assert done.err == 'referee: entry 4 (shot.dice) had rulings ["hit"] and now has ["miss"]\n'


def test_verify_says_what_it_proves_and_what_it_cannot(run: Run, journal: Path) -> None:
    shown = run("verify")
    assert shown.code == 0
    assert "game 1: 8 entries verified, head " in shown.out
    assert "1 game verified: no entry was changed, inserted, or removed from the middle." in shown.out
    assert "does not show" in shown.out
    head = shown.out.split("head ")[1][:12]
    assert f"{head} is entry 7 of game 1" in run("verify", "--head", head).out
    wrong = run("verify", "--head", "00000000000")
    assert (wrong.code, "no entry has the hash" in wrong.err) == (1, True)
    journal.write_bytes(journal.read_bytes().replace(b"[6,6]", b"[5,6]"))
    damaged = run("verify")
    assert damaged.code == 1
    assert "game 1, entry 4: was changed" in damaged.err
