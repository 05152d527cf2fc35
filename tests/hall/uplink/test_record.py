"""The record of the hall on the boxes: copied, given back to a hall that lost it, and never by two halls at once."""

from __future__ import annotations

import errno
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from referee.errors import JournalDamaged, JournalError, Malformed, NotNow
from referee.files import durable
from referee.hall.boxes import COPYING_MS, ENOUGH, Boxes
from referee.hall.desk import Desk
from referee.hall.event_key import FILE, EventKey, from_words, save
from referee.hall.rebuilding import finish, side_of, summary, unheard
from referee.hall.record import Record, exported, proved
from referee.hall.uplink import copies, messages
from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.copies import CHAIN
from referee.hall.uplink.copying import Copying
from referee.hall.uplink.hall import HallSide, News
from referee.hall.uplink.intake import Intake
from referee.hall.uplink.messages import Copy, Entries
from referee.hall.uplink.outbox import JournalOutbox
from referee.hall.uplink.rebuild import Chain, RebuildSide
from referee.hall.uplink.server import Side
from referee.hall.uplink.term import Term, certify, identity
from referee.journal import Journal, seal
from referee.journal.proof import verify
from referee.journal.sequence import Place
from referee.session import Entry
from referee.tournament.acts import CheckedIn, PlayerAdded, RoundPublished
from tests.hall.uplink.memory import MemoryCopies, MemoryJournal, signer
from tests.hall.uplink.pair import EVENT, EVENT_KEY
from tests.tools.test_verify_export import READER

CERTIFICATE = "c" * 64
WHO = "organiser"
NO_TERM = Term(0, "", "")


@dataclass
class Laptop:
    """A hall on a folder of its own."""

    folder: Path
    news: list[News] = field(default_factory=list)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True)
        if not (self.folder / FILE).exists():
            save(self.folder, EVENT_KEY)
        self.record = Record(self.folder / "hall.db")
        self.intake = Intake(self.folder / "intake.db")
        shows = identity(self.record.signer, self.record.event, self.record.term, CERTIFICATE)
        store = JournalOutbox(self.record.journal)
        self.side = HallSide(self.intake, shows, store, self.news.append, self.intake.admit)

    def pair(self, box: Box) -> None:
        self.record.admit(box.key.public)
        self.intake.admit(box.key.public)

    def add(self, *players: int) -> None:
        self.record.append([PlayerAdded(who=WHO, at=1, player=number) for number in players])

    def close(self) -> None:
        self.record.close()
        self.intake.close()


@dataclass
class Box:
    """A box with the copies of its disk; ``term``: what it noted durably."""

    number: int
    copies: MemoryCopies = field(default_factory=MemoryCopies)
    term: Term = NO_TERM

    def __post_init__(self) -> None:
        self.key = signer(self.number)
        self.journal = MemoryJournal(self.key)
        self.start()

    def start(self) -> None:
        """Start its program."""
        opened, start = self.copies.opened(), f"{self.number:064x}"
        self.side = BoxSide(self.journal, self.key, EVENT, opened, self.term, self.keep, start, -1e9)

    @property
    def refused(self) -> str:
        return self.side.refused.code if self.side.refused is not None else ""

    def keep(self, term: Term) -> None:
        self.term = term

    def meet(self, side: Side, *, most: int = 10_000, now: float = 0.0) -> None:
        """Connect to a hall and let both talk until nothing is said, or so many messages were carried."""
        self.side.opened(CERTIFICATE, "b" * 64, now)
        side.opened(self.number, "a" * 64, now)
        self.go_on(side, most=most, now=now)

    def go_on(self, side: Side, *, most: int = 10_000, now: float = 0.0) -> None:
        for answer in self.side.tick(now):
            side.received(self.number, answer, now)
        side.tick(now)
        while most and (out := side.take_out()):
            for number, text in out[:most]:
                most -= 1
                if number == self.number and text is not None:
                    for answer in self.side.received(text, now):
                        side.received(number, answer, now)
                elif number == self.number:
                    self.side.closed()
                side.commit()

    def entries(self) -> list[object]:
        """Return what its newest copy holds, by hash."""
        term = max(self.copies.stores, default=0)
        return [each.place.hash for each in self.copies.stores[term].log] if term else []


@pytest.fixture
def laptop(store: str, memory: Path) -> Iterator[Callable[[str], Laptop]]:
    with ExitStack() as open_ones:

        def start(name: str) -> Laptop:
            laptop = Laptop(memory / name)
            open_ones.callback(laptop.close)
            return laptop

        yield start


def hashes(record: Record) -> list[str]:
    return [each["hash"] for each in record.journal.records(CHAIN)]


def rebuilding(folder: Path, key: EventKey = EVENT_KEY) -> RebuildSide:
    folder.mkdir(exist_ok=True)
    return side_of(folder, key, CERTIFICATE)


# -- copying ---------------------------------------------------------------------------------------------------------


def test_every_act_is_on_every_connected_box_and_one_that_comes_back_goes_on_where_it_was(
    laptop: Callable[[str], Laptop],
) -> None:
    hall, box = laptop("one"), Box(1)
    hall.pair(box)
    hall.add(*range(1, 151))
    box.meet(hall.side)
    assert box.entries() == hashes(hall.record)
    hall.add(151)
    box.go_on(hall.side)
    assert box.entries() == hashes(hall.record)
    hall.side.closed(box.number)
    hall.add(152, 153)
    box.start()
    before = len(box.entries())
    hall.side.copying.ends.clear()  # as after a restart of the hall
    box.meet(hall.side)
    assert box.entries() == hashes(hall.record)
    assert len(box.entries()) == before + 2
    assert hall.intake.incidents() == []


def test_a_message_that_is_not_answered_is_sent_again_and_nothing_before_that(
    laptop: Callable[[str], Laptop],
) -> None:
    hall, box = laptop("one"), Box(1)
    hall.pair(box)
    hall.add(*range(1, 100))
    box.meet(hall.side, most=3)  # hello, heads, and where are you
    hall.side.out.clear()
    for now in (4.0, 8.0):
        box.go_on(hall.side, now=now)
    assert box.entries() == []
    box.go_on(hall.side, now=8.1)
    assert box.entries() == hashes(hall.record)


def test_a_copy_on_the_disk_is_a_journal_that_holds_and_outlives_the_program(
    laptop: Callable[[str], Laptop], tmp_path: Path
) -> None:
    hall, box = laptop("one"), Box(1)
    hall.pair(box)
    hall.add(1, 2, 3)
    for _ in range(2):
        with copies.on_disk(tmp_path, EVENT) as opened:
            box.side.copies = opened
            box.meet(hall.side)
            end = opened.state().end
            assert end is not None
            assert end.hash == hashes(hall.record)[-1]
        hall.side.closed(box.number)
        hall.add(4, 5)
    (path,) = (tmp_path / copies.FOLDER).glob("*.db")
    with Journal(path, write=False) as journal:
        verify(journal, [hall.record.signer.public])


def test_what_many_boxes_lack_of_the_record_is_read_once_and_nothing_old_is_sent(store: str, memory: Path) -> None:
    with Desk(memory / "event") as desk:
        outbox, read = JournalOutbox(desk.record.journal), []

        class Counted:
            def __getattr__(self, name: str) -> Any:
                return getattr(outbox, name)

            def after(self, place: Place | None) -> Entries | None:
                read.append(place)
                return outbox.after(place)

        copying = Copying(Counted(), 1, patience=5.0)
        for players in ((1, 2), (3,)):
            desk.record.append([PlayerAdded(who=WHO, at=1, player=number) for number in players])
            copying.look()
            for number in range(200):
                copying.take(number, str(number), Copy(1, 0, None))
                sent = copying.next(number, str(number), 0.0)
                assert isinstance(sent, messages.Record)
                assert sent.entries[-1]["hash"] == hashes(desk.record)[-1]
        assert read == [None, None]


def test_a_publication_counts_once_two_boxes_hold_it(store: str, memory: Path) -> None:
    with Desk(memory / "event") as desk:
        intake = Intake(desk.folder / "intake.db")
        shows = identity(desk.record.signer, desk.record.event, desk.record.term, CERTIFICATE)
        record = JournalOutbox(desk.record.journal)
        boxes = Boxes(
            desk,
            intake,
            lambda news, spares, clock: HallSide(intake, shows, record, news, intake.admit, spares, clock),
            "",
            None,  # type: ignore[arg-type]
        )
        side = boxes.side
        two = [signer(1).public, signer(2).public]
        for key in two:
            intake.admit(key)
        assert boxes.warning(desk) == ""  # nothing is published
        desk.record.published = 1
        side.copying.ends = {two[0]: JournalOutbox(desk.record.journal).end(), two[1]: None}
        assert f"latest publication: 1, not {ENOUGH}" in boxes.warning(desk)
        just_now = RoundPublished(who="organiser", at=desk.now() - 1000, round=1)
        desk.acts.append(just_now)
        assert boxes.warning(desk), "a box that is not connected copies nothing"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(HallSide, "connected", lambda _: two)
            assert boxes.warning(desk) == "", "it is on its way"
            desk.acts[-1] = replace(just_now, at=desk.now() - COPYING_MS - 1)
            assert boxes.warning(desk)
        side.copying.ends[two[1]] = side.copying.ends[two[0]]
        assert boxes.warning(desk) == ""
        intake.close()


# -- rebuilding ------------------------------------------------------------------------------------------------------


def test_a_hall_on_an_empty_folder_is_rebuilt_from_the_longest_copy_and_boxes_follow_without_pairing(
    laptop: Callable[[str], Laptop], memory: Path
) -> None:
    lost, boxes = laptop("lost"), [Box(1), Box(2), Box(3)]
    for box in boxes:
        lost.pair(box)
    lost.add(1)
    boxes[0].meet(lost.side)
    lost.side.closed(1)
    lost.add(*range(2, 90))
    boxes[1].meet(lost.side)
    boxes[2].meet(lost.side)
    acts = lost.record.acts()

    side = rebuilding(memory / "new")
    for box in boxes[:2]:
        box.meet(side)
    assert unheard(side) == [boxes[2].key.public]
    assert summary(side) == (
        f"2 boxes heard; the best record has 89 acts, 0 rounds published; boxes not heard: {boxes[2].key.public[:8]}"
    )
    assert boxes[0].journal.log == []
    finish(memory / "new", EVENT_KEY, side)

    new = laptop("new")
    assert new.record.acts() == acts
    assert new.record.term.number == 2
    assert new.record.boxes() == [box.key.public for box in boxes]
    verify(new.record.journal, seal.known(new.folder))
    for key in new.record.boxes():
        new.intake.admit(key)
    new.add(90)
    for box in boxes:
        box.meet(new.side)
        assert box.refused == ""
        assert box.term == new.record.term
        assert box.entries() == hashes(new.record)
    assert new.intake.incidents() == []


def test_a_hall_of_an_older_term_is_refused_told_so_and_does_nothing_any_more(
    laptop: Callable[[str], Laptop], memory: Path
) -> None:
    lost, box = laptop("lost"), Box(1)
    lost.pair(box)
    box.meet(lost.side)
    side = rebuilding(memory / "new")
    box.meet(side)
    finish(memory / "new", EVENT_KEY, side)
    new = laptop("new")
    new.intake.admit(box.key.public)
    box.meet(new.side)
    lost.side.closed(1)
    lost.news.clear()
    box.meet(lost.side)
    assert box.refused == "term"
    assert [news for news in lost.news if news.kind == "superseded"] == [News("superseded", "", "2")]
    assert lost.side.connected() == set()


def test_a_desk_that_was_superseded_refuses_acts_also_after_a_restart(store: str, memory: Path) -> None:
    with Desk(memory / "event") as desk:
        desk.perform(PlayerAdded(who=WHO, at=1, player=1))
        desk.supersede()
        with pytest.raises(NotNow, match="taken over by another hall"):
            desk.perform(CheckedIn(who=WHO, at=2, player=1))
    with Desk(memory / "event") as desk:
        with pytest.raises(NotNow, match="taken over by another hall"):
            desk.perform(CheckedIn(who=WHO, at=2, player=1))
        assert len(desk.acts) == 1


@pytest.mark.once
def test_a_desk_that_was_superseded_on_a_full_disk_refuses_acts_all_the_same(
    memory: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Desk(memory / "event") as desk:
        monkeypatch.setattr(durable, "replace", full)
        desk.supersede()
        assert "cannot be written: No space left on device" in caplog.text
        with pytest.raises(NotNow, match="taken over by another hall"):
            desk.perform(PlayerAdded(who=WHO, at=1, player=1))


def test_two_halls_of_one_term_are_never_both_followed(laptop: Callable[[str], Laptop], memory: Path) -> None:
    lost, box = laptop("lost"), Box(1)
    lost.pair(box)
    box.meet(lost.side)
    halls = []
    for name in ("new", "other"):
        side = rebuilding(memory / name)
        box.meet(side)
        finish(memory / name, EVENT_KEY, side)
        halls.append(laptop(name))
        halls[-1].intake.admit(box.key.public)
    assert [hall.record.term.number for hall in halls] == [2, 2]
    box.meet(halls[0].side)
    assert box.refused == ""
    box.meet(halls[1].side)
    assert box.refused == "term"
    side = rebuilding(memory / "third")  # and one that is rebuilt then knows of the term
    box.meet(side)
    finish(memory / "third", EVENT_KEY, side)
    assert laptop("third").record.term.number == 3


def test_what_only_an_unheard_box_had_stays_there_and_is_told(laptop: Callable[[str], Laptop], memory: Path) -> None:
    lost, heard, away = laptop("lost"), Box(1), Box(2)
    lost.pair(heard)
    lost.pair(away)
    heard.meet(lost.side)
    lost.add(1)
    away.meet(lost.side)
    side = rebuilding(memory / "new")
    heard.meet(side)
    finish(memory / "new", EVENT_KEY, side)
    new = laptop("new")
    new.intake.admit(away.key.public)
    new.add(7)
    away.meet(new.side)
    assert away.entries() == hashes(new.record)
    assert [each.place.hash for each in away.copies.stores[1].log] == hashes(lost.record)
    ((key, kind, text),) = new.intake.incidents()
    assert (key, kind) == (away.key.public, "record")
    assert "which the record does not contain" in text


@pytest.mark.once
def test_a_hall_whose_folder_was_set_back_is_told_and_overwrites_nothing(
    laptop: Callable[[str], Laptop], memory: Path
) -> None:
    hall, box = laptop("hall"), Box(1)
    hall.pair(box)
    hall.add(1, 2)
    box.meet(hall.side)
    before = box.entries()
    hall.side.closed(1)
    old = MemoryJournal(signer(0))
    entries = JournalOutbox(hall.record.journal).after(None)
    assert entries is not None
    old.refill(entries)
    hall.side.copying.record = old.copy(3)
    hall.side.copying.ends.clear()
    box.meet(hall.side)
    assert box.entries() == before
    ((_, kind, text),) = hall.intake.incidents()
    assert kind == "record"
    assert "which the record here lacks" in text
    assert hall.side.copying.holders(0, [box.key.public]) == 0


def chain_of(record: Record) -> Chain:
    return Chain(tuple(record.journal.records(CHAIN)), tuple(record.journal.seals(CHAIN)))


def test_a_record_that_was_cut_in_the_middle_of_a_commit_counts_up_to_its_last_seal(
    laptop: Callable[[str], Laptop],
) -> None:
    record = laptop("one").record
    record.append([PlayerAdded(who=WHO, at=1, player=number) for number in (1, 2, 3)])
    whole = chain_of(record)
    cut = Chain(whole.entries[:-1], tuple(each for each in whole.seals if each.seq < len(whole.entries) - 1))
    assert proved(EVENT, cut).entries == whole.entries[:2]
    assert proved(EVENT, whole) == whole


def forged(record: Record, change: str) -> Chain:
    """Return the chain of a record with one thing wrong."""
    whole = chain_of(record)
    entries, seals = list(whole.entries), list(whole.seals)
    if change == "entry":
        entries[2] = {**entries[2], "by": "somebody"}
    elif change == "seal":
        seals[-1] = signer(5).seal(CHAIN, seals[-1].seq, str(entries[-1]["hash"]))
    elif change == "no seals":
        seals = []
    elif change == "middle":
        del entries[2]
    return Chain(tuple(entries), tuple(seals))


@pytest.mark.parametrize("change", ["entry", "seal", "no seals", "middle"])
def test_a_record_that_does_not_hold_is_not_taken(laptop: Callable[[str], Laptop], change: str) -> None:
    hall = laptop("one")
    hall.add(1)
    hall.add(2)
    with pytest.raises(JournalDamaged):
        proved(EVENT, forged(hall.record, change))
    with pytest.raises(JournalDamaged, match="expected a sealed record of this event"):
        proved(EventKey(b"x" * 16).signer.public, chain_of(hall.record))


def test_a_box_with_a_forged_copy_is_named_and_another_one_is_taken(
    laptop: Callable[[str], Laptop], memory: Path
) -> None:
    hall, honest, liar = laptop("one"), Box(1), Box(2)
    for box in (honest, liar):
        hall.pair(box)
    hall.add(1)
    honest.meet(hall.side)
    liar.meet(hall.side)
    log = liar.copies.stores[1].log
    liar.copies.stores[1].write(CHAIN, "note", None, over=True)  # sealed with a key of its own
    assert len(log) == len(honest.entries()) + 1
    liar.start()
    side = rebuilding(memory / "new")
    liar.meet(side)
    honest.meet(side)
    assert list(side.wrong) == [liar.key.public]
    assert [each["hash"] for each in side.chain.entries] == honest.entries()
    assert unheard(side) == [liar.key.public]


def test_a_box_hands_its_record_only_to_who_has_the_event_key(laptop: Callable[[str], Laptop], memory: Path) -> None:
    hall, box = laptop("one"), Box(1)
    hall.pair(box)
    box.meet(hall.side)
    side = rebuilding(memory / "new")
    other = EventKey(b"y" * 16).signer
    side.identity = side.identity._replace(term=certify(other, 0, side.identity.term.hall))
    box.meet(side)
    assert box.refused == "certificate"
    assert side.heard == {}


def test_nothing_is_rebuilt_from_nothing_or_over_an_event(laptop: Callable[[str], Laptop], memory: Path) -> None:
    with pytest.raises(JournalError, match="at least one box"):
        finish(memory, EVENT_KEY, rebuilding(memory / "new"))
    assert not (memory / "hall.db").exists()
    hall, box = laptop("one"), Box(1)
    hall.pair(box)
    box.meet(hall.side)
    side = rebuilding(memory / "new")
    box.meet(side)
    hall.add(1)
    acts = hall.record.acts()
    hall.record.close()
    with pytest.raises(JournalError, match="expected a folder without an event"):
        finish(hall.folder, EVENT_KEY, side)
    record = Record(hall.folder / "hall.db")
    assert record.acts() == acts
    record.close()


def test_the_folder_of_another_computer_s_hall_needs_the_event_key(
    laptop: Callable[[str], Laptop], memory: Path
) -> None:
    hall = laptop("one")
    hall.close()
    (hall.folder / seal.PRIVATE).unlink()
    (hall.folder / FILE).rename(memory / FILE)
    with pytest.raises(JournalError, match="the event key cannot be read"):
        Record(hall.folder / "hall.db")
    save(hall.folder, EventKey(b"z" * 16))
    with pytest.raises(JournalError, match="expected the key of this event"):
        Record(hall.folder / "hall.db")
    (memory / FILE).rename(hall.folder / FILE)
    record = Record(hall.folder / "hall.db")
    assert [term.number for term in record.terms] == [1, 2]
    record.close()


@pytest.mark.once
def test_the_event_file_of_a_rebuilt_event_is_verified_without_the_referee(
    laptop: Callable[[str], Laptop], memory: Path
) -> None:
    lost, box = laptop("lost"), Box(1)
    lost.pair(box)
    lost.add(1)
    box.meet(lost.side)
    side = rebuilding(memory / "new")
    box.meet(side)
    finish(memory / "new", EVENT_KEY, side)
    new = laptop("new")
    new.add(2)
    lines = list(exported(new.folder / "hall.db"))
    report = READER["verify"](io.BytesIO("\n".join(lines).encode()))
    assert any(f'2 terms verified, certified by the event key "{EVENT}"' in line for line in report)
    (new.folder / seal.PRIVATE).write_text(bytes(range(32)).hex() + "\n")  # sealed by somebody else from here on
    new.record.journal.close()
    with Journal(new.folder / "hall.db") as journal:
        seq = journal.head(CHAIN)[0] + 1
        journal.append(CHAIN, [Entry(seq, "note", "1", extra={"box": {"key": "a" * 64, "allowed": True}})], seal=True)
    with pytest.raises(READER["Bad"], match=f"seal of entry {seq}: is not by the hall of term 2"):
        READER["verify"](io.BytesIO("\n".join(exported(new.folder / "hall.db")).encode()))


# -- the event key ---------------------------------------------------------------------------------------------------


def test_the_words_of_a_key_are_the_key_however_they_are_typed() -> None:
    key = EventKey(bytes(range(100, 116)))
    words = key.words.split()
    assert len(words) == 9
    assert all(len(word) == 5 for word in words)
    for text in (key.words, key.words.upper(), "-".join(words), "\n".join(words)):
        assert from_words(text) == key


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda words: words[:8], "expected 9 words, got 8"),
        (lambda words: [words[1], words[0], *words[2:]], "one of them is another"),
        (lambda words: ["babab", *words[1:]], "one of them is another"),
        (lambda words: ["hello", *words[1:]], "word 1: expected five letters as in"),
        (lambda words: [*words[:8], "bab"], "word 9: expected five letters as in"),
    ],
)
def test_words_that_are_wrong_are_named(change: Callable[[Sequence[str]], Sequence[str]], expected: str) -> None:
    with pytest.raises(Malformed, match=expected):
        from_words(" ".join(change(EventKey(bytes(range(100, 116))).words.split())))
