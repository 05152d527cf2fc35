"""The games of a journal are one sequence: what was taken out of it shows, and what cannot show is said."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest

from referee import games
from referee.cli import main
from referee.errors import JournalDamaged, Malformed, Refused
from referee.journal import Journal, schema, seal
from referee.journal.chain import canonical, digest, walk
from referee.journal.export import export, read, replay
from referee.journal.file import NOTES
from referee.journal.notes import Notes
from referee.journal.proof import verify
from referee.session import Entry, Session, resume
from tests.journal import old
from tests.journal.disk import Disk
from tests.journal.power import TAILS, Medium, write
from tests.journal.tampering import tampered
from tests.session.skirmish import BOOK
from tests.tools.test_verify_export import READER

TABLES = ("extras", "links", "seals", "entries", "games")


@pytest.fixture
def path(memory: Path) -> Path:
    """A journal of four games; the first was taken up again after the second, and has two stretches."""
    path = memory / "box" / "journal.db"
    with Journal(path) as journal:
        first = Session(BOOK, journal=journal)
        first.bundle("both-near")
        first.answer([1, 2])
        Session(BOOK, journal=journal).leave()
        first.answer("pass")
        first.leave()
        for _ in range(2):
            Session(BOOK, journal=journal).leave()
    return path


def without(path: Path, where: str) -> None:
    """Take rows out of every table."""
    tampered(
        path, *(f"DELETE FROM {table} WHERE {where}" for table in TABLES if "seq" not in where or table != "games")
    )


def proved(path: Path, *options: str) -> int:
    return main(["verify", "--journal", str(path), *options])


def heads(path: Path) -> list[str]:
    with Journal(path, write=False) as journal:
        return [game.head for game in journal.games()]


def test_each_game_follows_what_was_written_before_it(path: Path) -> None:
    with Journal(path, write=False) as journal:
        one, two, three, four = verify(journal)
    assert {seq: (link["link"], link.get("game"), link.get("seq")) for seq, link in one.links.items()} == {
        0: (1, None, None),
        5: (3, 2, 1),
    }
    assert (two.links[0]["game"], two.links[0]["seq"], two.links[0]["hash"]) == (1, 4, one.hashes[4])
    assert (three.links[0]["game"], three.links[0]["hash"]) == (1, one.hashes[-1])
    assert (four.links[0]["link"], four.links[0]["hash"]) == (5, three.hashes[-1])
    assert [each.seq for each in one.seals][:2] == [0, 4]
    assert 5 in {each.seq for each in one.seals}, "what carries a link is sealed"


@pytest.mark.parametrize("stroke", ["bundle", "corrected throw", "two counters"])
def test_a_stroke_of_several_entries_can_be_the_first_after_another_game(memory: Path, stroke: str) -> None:
    """Its first entry carries the link and has its seal: the journal holds, and the game can be exported."""
    with Journal(memory / "journal.db") as journal:
        session = Session(BOOK, journal=journal)
        if stroke == "corrected throw":
            session.bundle("both-near")
            session.answer([5, 1])
        Session(BOOK, journal=journal)
        if stroke == "bundle":
            session.bundle("both-near")
        elif stroke == "corrected throw":
            session.correct_throw([5, 2], right="table")
        else:
            session.correct_all({"hits.north": 1, "hits.south": 1})
        one, two = verify(journal)
        (linked,) = set(one.links) - {0}
        assert linked in {each.seq for each in one.seals}
        assert session.n - 1 > linked
        session.undo()
        Session(BOOK, journal=journal).leave()
        assert len(verify(journal)) == 3
        lines = [line.encode("ascii") for line in export(journal, 1)]
        assert read(iter_lines(lines)).entries == session.entries
        assert READER["verify"](iter_lines(lines))
        assert two.game.game == 2


def stroke_of(session: Session, chance: random.Random) -> None:
    """Let something happen to a game: an answer, several, counters, a throw that is corrected, or an undo."""
    prompt = session.prompt
    if chance.random() < 0.2 and session.undoable:
        session.undo(chance.randint(1, min(3, session.undoable)))
    elif chance.random() < 0.3 and session.last_throw is not None:
        session.correct_throw([chance.randint(1, 6) for _ in range(2)], right="judge")
    elif prompt is None:
        session.undo()
    elif chance.random() < 0.1:
        session.correct_all({f"hits.{seat}": chance.randint(0, 1) for seat in session.seats()})
    elif prompt.bundles and chance.random() < 0.5:
        session.bundle(chance.choice(prompt.bundles).id)
    elif prompt.kind == "roll":
        session.answer(list(prompt.stands or [chance.randint(1, 6) for _ in range(prompt.dice)]))
    elif prompt.kind == "count":
        session.answer(prompt.low)
    else:
        session.answer(chance.choice(prompt.options).id)


def test_games_played_side_by_side_are_one_sequence_whatever_happens_in_them(memory: Path) -> None:
    chance = random.Random(11)
    with Journal(memory / "journal.db") as journal:
        sessions = [Session(BOOK, journal=journal) for _ in range(3)]
        for _ in range(300):
            with suppress(Refused):
                stroke_of(chance.choice(sessions), chance)
        strokes = {(each.kind, each.mode, each.group is None) for session in sessions for each in session.entries}
        assert {("answer", "corrected", False), ("answer", "", False), ("correct", "", False)} <= strokes
        assert sum(len(proof.links) for proof in verify(journal)) > 100
        for session in sessions:
            lines = [line.encode("ascii") for line in export(journal, session.game_id or 0)]
            assert replay(read(iter_lines(lines)), lambda _: BOOK).state() == session.state()
            assert READER["verify"](iter_lines(lines))


def test_a_game_taken_up_at_once_needs_no_link(path: Path) -> None:
    with Journal(path) as journal:
        session = Session(BOOK, journal=journal)
    with Journal(path) as journal:
        resume(BOOK, journal, session.game_id or 0).answer("pass")
        assert set(verify(journal)[-1].links) == {0}


ATTACKS: dict[str, tuple[Callable[[Path], None], str]] = {
    "a game out of the middle": (lambda path: without(path, "game = 3"), "game 3: is missing; there is a game 4"),
    "the first game": (lambda path: without(path, "game = 1"), "game 1: is missing"),
    "the end of a game": (
        lambda path: without(path, "game = 3 AND seq = 1"),
        "game 4, entry 0: follows entry 1 of game 3, which was taken out",
    ),
    "the end of a stretch and all after it": (
        lambda path: without(path, "game = 1 AND seq > 3"),
        "link 3, game 3, entry 0: is missing; link 4 is in its place",
    ),
    "the second stretch of a game": (lambda path: without(path, "game = 1 AND seq > 4"), "link 4 is in its place"),
    "the links": (lambda path: tampered(path, "DELETE FROM links"), "game 1, entry 0: was changed"),
    "a seal of today's version": (
        lambda path: tampered(path, "DELETE FROM seals WHERE game = 3"),
        "game 3, seal of entry 0: is missing",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_was_taken_out_of_the_sequence_is_named(
    path: Path, attack: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil, complaint = ATTACKS[attack]
    assert proved(path) == 0
    spoil(path)
    with Journal(path, write=False) as journal, pytest.raises(JournalDamaged, match=complaint):
        verify(journal)
    capsys.readouterr()
    assert proved(path) == 1
    assert capsys.readouterr().out == "", "nothing is claimed of a journal that does not hold"


def anew(
    path: Path, game: int, *, linked: bool, signer: seal.Signer | None, follows: dict[str, object] | None = None
) -> None:
    """Write a game anew at another time, with or without its link and seals, or with its link changed."""
    with Journal(path, write=False) as journal:
        walked = verify(journal)[game - 1].links
        entries = journal.entries(game)
    links, prev = (dict(walked) if linked else {}), ""
    statements = [f"DELETE FROM seals WHERE game = {game}"]
    if follows:
        links[0] = {**links[0], **follows}
        statements.append(f"UPDATE links SET follows = '{canonical(links[0])}' WHERE game = {game} AND seq = 0")
    if not linked:
        statements.append(f"DELETE FROM links WHERE game = {game}")
    for entry in entries:
        new = replace(entry, wall=7.0)
        head = digest(game, new, prev, links.get(entry.seq))
        where = f"WHERE game = {game} AND seq = {entry.seq}"
        statements.append(f"UPDATE entries SET wall = 7.0, prev = '{prev}', hash = '{head}' {where}")
        if signer is not None and entry.seq in (0, len(entries) - 1):
            mark = signer.seal(game, entry.seq, head)
            statements.append(f"INSERT INTO seals VALUES ({game}, {mark.seq}, '{mark.key}', '{mark.signature}')")
        prev = head
    tampered(path, *statements, f"UPDATE games SET began = 7.0 WHERE game = {game}")


def test_a_game_written_anew_shows(path: Path, memory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = memory / "whole.db"
    shutil.copy(path, whole)
    anew(path, 3, linked=True, signer=None)
    assert proved(path) == 1
    assert "game 3, seal of entry 0: is missing" in capsys.readouterr().err
    shutil.copy(whole, path)
    anew(path, 4, linked=False, signer=None)
    assert proved(path) == 1
    assert "game 4: has no link, though games are linked since before it" in capsys.readouterr().err
    shutil.copy(whole, path)
    anew(path, 3, linked=True, signer=seal.signer(path.parent))
    assert proved(path) == 1, "even with the key"
    assert "game 4, entry 0: follows another entry 1 of game 3 than the one here" in capsys.readouterr().err
    shutil.copy(whole, path)
    with Journal(path, write=False) as journal:
        earlier = verify(journal)[2].hashes[0]
    anew(path, 4, linked=True, signer=seal.signer(path.parent), follows={"seq": 0, "hash": earlier})
    assert proved(path) == 1, "as if game 3 had ended earlier"
    assert "game 4, entry 0: follows entry 0 of game 3, not entry 1 of game 3" in capsys.readouterr().err
    shutil.copy(whole, path)
    anew(path, 4, linked=True, signer=seal.signer(path.parent), follows={"game": 9})
    assert proved(path) == 1, "as if it were of another journal"
    assert "game 4, entry 0: follows entry 1 of game 9, which was taken out" in capsys.readouterr().err


def test_a_game_cut_from_the_end_shows_by_a_noted_head_and_else_is_said(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    *_, third, fourth = heads(path)
    without(path, "game = 4")
    assert proved(path) == 0
    out = capsys.readouterr().out
    assert f"one sequence of 4 links, none missing, up to entry 1 of game\n3, the head of the journal: {third}" in out
    assert "This does not show whether more was written after that end and cut off" in out
    assert proved(path, "--head", third) == 0
    assert f"{third} is entry 1 of game 3: it, and all that was written before it, is as it was" in (
        capsys.readouterr().out
    )
    assert proved(path, "--head", third, "--head", fourth[:12]) == 1
    assert "no entry has the hash" in capsys.readouterr().err


def test_a_journal_that_was_set_back_and_played_on_shows_by_a_noted_head_or_an_export(
    path: Path, memory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both are sealed by the box itself; nothing inside either can show it."""
    back = memory / "back"
    shutil.copytree(path.parent, back)
    exports = []
    for journal_path, moves in ((path, ("pass",)), (back / "journal.db", ("shoot",))):
        with Journal(journal_path) as journal:
            session = Session(BOOK, journal=journal)
            for move in moves:
                session.answer(move)
            session.leave()
            file = memory / f"{moves[0]}.jsonl"
            file.write_text("".join(f"{line}\n" for line in export(journal, 5)), encoding="ascii")
            exports.append(str(file))
    noted, other = heads(path)[-1], heads(back / "journal.db")[-1]
    assert proved(back / "journal.db") == 0
    assert "the journal was set back to\nan earlier state and played on" in capsys.readouterr().out
    assert proved(back / "journal.db", "--head", noted) == 1
    assert proved(back / "journal.db", "--head", other) == 0
    capsys.readouterr()
    assert [READER["main"]([file]) for file in exports] == [0, 0]
    assert READER["main"](exports) == 1
    assert "there are two; the journal was set back, or written anew" in capsys.readouterr().err


def test_exports_of_one_box_are_compared(path: Path, memory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for number in (1, 2, 3, 4):
        with Journal(path, write=False) as journal:
            files.append(memory / f"{number}.jsonl")
            files[-1].write_text("".join(f"{line}\n" for line in export(journal, number)), encoding="ascii")
    assert READER["main"](list(map(str, files))) == 0
    assert "entry 5 is link 3 of the journal, after entry 1 of game 2" in capsys.readouterr().out
    anew(path, 3, linked=True, signer=seal.signer(path.parent))
    with Journal(path, write=False) as journal:
        files[2].write_text("".join(f"{line}\n" for line in export(journal, 3)), encoding="ascii")
    assert READER["main"](list(map(str, files))) == 1
    assert "game 4, entry 0: follows entry 1 of game 3, not this one" in capsys.readouterr().err


def test_a_journal_without_the_public_keys_of_its_box_is_not_taken_on_trust(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (key,) = seal.known(path.parent)
    (path.parent / seal.PUBLIC).unlink()
    assert proved(path) == 1
    assert "its games are sealed, but referee.pub is missing" in capsys.readouterr().err
    assert proved(path, "--key", key) == 0
    assert proved(path, "--key", "0" * 64) == 1


def written_as_before(path: Path, version: int) -> list[str]:
    """Write the whole journal anew as an unsealed one of an earlier version; return the games' heads."""
    with Journal(path, write=False) as journal:
        chains = {game.game: journal.entries(game.game) for game in journal.games()}
    path.unlink()
    files, last = [], []
    for game, entries in chains.items():
        prev, lines = "", [canonical({"game": game, "book": BOOK.id, "edition": BOOK.edition, "ruling": None})]
        for entry in entries:
            forged = replace(entry, wall=7.0)
            head = digest(game, forged, prev)
            named = {"type": "entry", "game": game, "prev": prev, "hash": head}
            lines.append(canonical(forged.as_json() | named))
            prev = head
        last.append(prev)
        files.append(path.with_name(f"{game}.jsonl"))
        files[-1].write_text("\n".join(lines), encoding="ascii")
    old.write(path, files, version)
    return last


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_journal_written_anew_as_an_earlier_unsealed_one_is_told_as_unsealed_and_refused_with_the_key(
    path: Path, version: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing in such a journal contradicts it; whoever asks is told, and the key or a noted head shows it."""
    (key,) = seal.known(path.parent)
    noted = heads(path)[-1]
    new = written_as_before(path, version)
    assert proved(path) == 0
    listing = ""
    for game, (entries, head) in enumerate(zip((7, 2, 2, 2), new, strict=True), 1):
        listing += f"game {game}: {entries} entries verified, head {head}\n"
        listing += (
            "    not sealed: begun before there was a key, or written anew without; nothing shows who wrote it\n"
        )
    assert capsys.readouterr().out == listing + (
        "4 games verified: in each, no entry was changed, inserted or removed from the middle.\n"
        "The games are not linked to each other: they were written before there were links.\n"
        "Up to its last seal, each sealed game was written by the holder of that key.\n"
        "This does not show whether more was written after that end and cut off, nor whether the journal was set back"
        " to\nan earlier state and played on: compare its head with one noted elsewhere (--head). Nor does it show"
        " who has\nthe key: compare that with one noted elsewhere, too (--key).\n"
        "No game is sealed, though this box has a key: a journal written anew as one of an earlier version"
        " looks like\nthis. --key refuses it.\n"
    )
    assert proved(path, "--key", key) == 1
    assert capsys.readouterr().err == f"referee: {path}: game 1: is not sealed\n"
    assert proved(path, "--head", noted) == 1
    assert "no entry has the hash" in capsys.readouterr().err


# -- journals of earlier versions


@pytest.mark.parametrize("version", [1, 2])
def test_a_journal_of_an_earlier_version_is_read_verified_and_exported_as_before(
    memory: Path, version: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = memory / "journal.db"
    old.write(path, version=version)
    before = path.read_bytes()
    with Journal(path, write=False) as journal:
        (proof,) = verify(journal)
        assert (proof.links, bool(proof.seals)) == ({}, version == 2)
        lines = [line.encode("ascii") for line in export(journal, 1)]
    assert path.read_bytes() == before
    lines_of_old = old.GAME.read_bytes().splitlines()
    assert lines[1 : len(proof.hashes) + 1] == lines_of_old[1 : len(proof.hashes) + 1]
    again = replay(read(iter_lines(lines)), games.load)
    assert again.n == len(proof.hashes)
    assert proved(path, *(["--key", proof.keys[0]] if version == 2 else [])) == 0
    out = capsys.readouterr().out
    assert "The games are not linked to each other" in out
    assert ("not sealed: begun before there was a key" in out) == (version == 1)


def iter_lines(lines: list[bytes]) -> BytesIO:
    return BytesIO(b"\n".join(lines))


@pytest.mark.parametrize("version", [1, 2])
def test_it_is_upgraded_in_place_goes_on_and_its_games_cannot_be_changed_from_then_on(
    memory: Path, version: int
) -> None:
    path = memory / "journal.db"
    old.write(path, version=version)
    book = games.load("riddle-of-the-ring")
    with Journal(path) as journal:
        assert journal.version == schema.VERSION
        entries = journal.entries(1)
        Session(BOOK, journal=journal)
        session = resume(book, journal, 1)
        session.pause()
        one, two = verify(journal)
        assert journal.entries(1)[: len(entries)] == entries
    assert (one.before_links, two.before_links) == (True, False)
    assert (two.links[0]["games"], set(one.links)) == (1, {len(entries)})
    whole = path.read_bytes()
    anew(path, 1, linked=True, signer=None)
    with Journal(path, write=False) as journal, pytest.raises(JournalDamaged):
        verify(journal)
    if version == 2:
        path.write_bytes(whole)
        tampered(path, f"DELETE FROM seals WHERE game = 1 AND seq < {len(entries)}")
        with Journal(path, write=False) as journal, pytest.raises(JournalDamaged, match="link 1: the 1 games begun"):
            verify(journal)


def test_a_power_cut_during_the_upgrade_leaves_the_old_journal_or_the_new_one(memory: Path) -> None:
    folder, chance, versions = memory / "box", random.Random(3), set()
    path = folder / "journal.db"
    old.write(path)
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    with Disk(folder) as disk:
        Journal(path).close()
        ops = list(disk.ops)
    medium = Medium.holding(files, chance)
    for op in ops:
        for tail in TAILS:
            write(folder, medium.after_cut(tail))
            with Journal(path, write=False) as journal:
                versions.add(journal.version)
                assert len(verify(journal)) == 1
            with Journal(path) as journal:
                assert journal.version == schema.VERSION
                assert len(verify(journal)) == 1
        medium.do(op)
    assert versions == {2, 3}


# -- what later versions may add

LATER = {
    "faces": [{"source": "keys"}, {"source": "tray", "die": "A7", "certainty": 940, "glow": True}],
    "picture": "9f" * 32,
    "clock": {"north": 61000},
    "player": 7,
    "event": "spring",
    "weather": ["rain", None, {"wind": -3}],
}


def written_later(path: Path) -> Entry:
    """Play a throw with all that a later version may write, and return its entry."""
    with Journal(path) as journal:
        session = Session(BOOK, journal=journal)
        session.bundle("both-near")
        session.answer([5, 4])
        *before, throw = session.entries
        later = replace(throw, extra=LATER)
        path.with_name("with.db").unlink(missing_ok=True)
        with Journal(path.with_name("with.db")) as other:
            game = other.begin(BOOK.id, before[0])
            other.append(game, [*before[1:], later])
    return later


def test_what_nobody_here_knows_is_kept_chained_exported_and_verified(memory: Path) -> None:
    later = written_later(memory / "journal.db")
    with Journal(memory / "with.db") as journal:
        assert journal.entries(1)[-1] == later
        session = resume(BOOK, journal, 1)
        assert session.entries[-1] == later
        assert session.log()[4].dice == "5 keyed, 4 tray A7"
        assert len(verify(journal)) == 1
        lines = [line.encode("ascii") for line in export(journal, 1)]
    exported = read(iter_lines(lines))
    assert exported.entries[-1] == later
    assert READER["verify"](iter_lines(lines))
    assert replay(exported, lambda _: BOOK).entries[-1] == later
    spoilt = [line.replace(b'"glow":true', b'"glow":false') for line in lines]
    with pytest.raises(JournalDamaged, match="entry 4: was changed"):
        read(iter_lines(spoilt))
    with pytest.raises(READER["Bad"], match="entry 4: was changed"):
        READER["verify"](iter_lines(spoilt))


@pytest.mark.parametrize("extra", ["{}", "3", '{"certainty":0.94}', '{"player":9007199254740992}', '{"faces":[{}]}'])
def test_an_extra_that_readers_could_write_differently_is_refused(memory: Path, extra: str) -> None:
    written_later(memory / "journal.db")
    tampered(memory / "with.db", f"UPDATE extras SET extra = '{extra}'")
    with (
        Journal(memory / "with.db", write=False) as journal,
        pytest.raises(JournalDamaged, match=r"entry 4: .*extra"),
    ):
        verify(journal)


def test_a_chain_beside_the_games_is_kept_exported_and_verified(path: Path) -> None:
    with Journal(path) as journal:
        chain = journal.begin("clock", Entry(0, "start", "1", answer={"book": "clock", "ruling": None}))
        journal.append(chain, [Entry(1, "note", "1", extra={"clock": {"north": 61000}, "of": [4, 1]})], seal=True)
        Session(BOOK, journal=journal)
        assert len(verify(journal)) == 6
        lines = [line.encode("ascii") for line in export(journal, chain)]
        exported = read(iter_lines(lines))
        assert exported.entries[1].extra["clock"] == {"north": 61000}
        assert READER["verify"](iter_lines(lines))


def test_notes_begin_as_a_game_does_and_are_none_that_could_go_on(path: Path) -> None:
    with Journal(path) as journal:
        game = Session(BOOK, journal=journal)
        Notes(journal, 5).add({"clock": {"north": 61000}}, seat="", source="keys", at=61.25)
        notes = journal.games()[-1]
        start, note = journal.entries(notes.game)
        assert start.answer == {"book": NOTES, "settings": {}, "ruling": None, "repeat": False, "beside": 5}
        assert note.at == 61.25
        assert [each.open for each in journal.games()] == [False, False, False, False, True, False]
        assert game.n == 1


def test_the_last_seal_says_how_far_a_game_is_sealed(path: Path) -> None:
    with Journal(path, write=False) as journal:
        for proof in verify(journal):
            assert proof.sealed == max(each.seq for each in proof.seals) > 0


def test_a_game_from_before_the_links_is_taken_up_twice(memory: Path) -> None:
    path = memory / "journal.db"
    old.write(path)
    book = games.load("riddle-of-the-ring")
    with Journal(path) as journal:
        for switch in ("pause", "unpause"):
            getattr(resume(book, journal, 1), switch)()
            Session(BOOK, journal=journal).leave()
        proof = verify(journal)[0]
        assert len(proof.links) == 2


def test_a_seal_taken_from_the_start_of_a_game_is_missed(path: Path) -> None:
    tampered(path, "DELETE FROM seals WHERE game = 1 AND seq = 0")
    with Journal(path, write=False) as journal, pytest.raises(JournalDamaged, match="seal of entry 0: is missing"):
        verify(journal)


@pytest.mark.parametrize(
    "link",
    [
        [],
        {},
        {"link": True, "games": 1, "heads": ""},
        {"link": 0, "games": 1, "heads": ""},
        {"link": "1", "games": 1, "heads": ""},
        {"link": 1, "games": "1", "heads": ""},
        {"link": 1, "games": 1},
        {"link": 1, "games": 1, "heads": "", "note": 1},
        {"link": 2, "games": 1, "heads": ""},
        {"link": 2, "game": 1, "seq": 3, "hash": None},
        {"link": 3, "game": 1, "seq": 3.0, "hash": ""},
    ],
)
def test_a_link_that_is_none_is_refused(path: Path, link: object) -> None:
    with Journal(path, write=False) as journal:
        records = list(journal.records(1))
    records[0]["link"] = link
    with pytest.raises((JournalDamaged, Malformed), match="link: expected the number of the link"):
        list(walk(1, records))


def test_names_of_people_are_erased_without_a_trace_in_any_chain(memory: Path) -> None:
    path = memory / "journal.db"
    with Journal(path) as journal:
        Session(BOOK, journal=journal).leave()
        journal._db.execute("PRAGMA secure_delete = ON")
        journal._db.execute("INSERT INTO players VALUES (7, 'Beren Erchamion')")
        before = verify(journal), list(export(journal, 1))
        assert not any("Beren" in line for line in before[1])
        journal._db.execute("DELETE FROM players")
        journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert (verify(journal), list(export(journal, 1))) == before
    assert not any(b"Beren" in file.read_bytes() for file in memory.iterdir())


VECTOR = (
    '{"answer":[5,4],"ask":"shot.dice","at":2.5,"by":"","edition":"1","extra":{"corrected":{"by":"table","was":[5,1]},'
    '"faces":[{"source":"keys"},{"die":"A7","source":"serial-dice"}]},"game":6,"group":8,"kind":"answer",'
    '"link":{"game":5,"hash":"' + "ab" * 32 + '","link":9,"seq":40},"mode":"corrected","prev":"' + "cd" * 32 + '",'
    '"result":null,"rule":"SK-2","seat":"north","seq":9,"source":"keys","wall":1700000000.0}'
)


def test_the_vector_of_the_description() -> None:
    value = json.loads(VECTOR)
    entry = Entry.from_json(value)
    expected = "2c4f432b453a87b66ed9ae3648e2b7a393b79df139504e8a98f7a2979bfe7de9"
    assert sha256(VECTOR.encode("ascii")).hexdigest() == expected
    assert digest(6, entry, value["prev"], value["link"]) == expected
    assert canonical(value) == VECTOR
    description = (Path(__file__).parents[2] / "docs" / "journal.md").read_text(encoding="utf-8")
    assert VECTOR in description
    assert expected in description
