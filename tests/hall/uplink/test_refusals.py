"""Entries that do not hold, that come twice or too early, or that the hall's disk does not take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from referee.errors import JournalError
from referee.hall.uplink.hall import News
from referee.hall.uplink.intake import Intake
from referee.hall.uplink.messages import Entries, Superseded, write
from referee.hall.uplink.term import certify
from referee.journal.chain import canonical, digest, first_link
from referee.session import Entry
from tests.hall.uplink.memory import MemoryJournal, signer
from tests.hall.uplink.pair import EVENT_KEY, KEY, Hall, box, talk


def altered(batch: Entries, place: int, **members: Any) -> Entries:
    """Return a batch in which an entry has other members, and nothing else is right."""
    entries = list(batch.entries)
    entries[place] = {**entries[place], **members}
    return replace(batch, entries=tuple(entries))


def written_anew(batch: Entries, **members: Any) -> Entries:
    """Return the first entry of a batch with other members, hashed and sealed by the box itself."""
    record = {**batch.entries[0], **members}
    record["hash"] = digest(batch.game, Entry.from_json(record), record["prev"], record.get("link"))
    return Entries(batch.game, (record,), (KEY.seal(batch.game, record["seq"], record["hash"]),))


def link(batch: Entries, **members: Any) -> dict[str, Any]:
    """Return the link of a batch with other members."""
    return {**batch.entries[0]["link"], **members}


OTHER = signer(2)
WRONG: list[tuple[str, int, Callable[[Entries], Entries]]] = [
    ("was changed", 0, lambda batch: altered(batch, 1, answer=[1, 1])),
    ("another key", 0, lambda batch: replace(batch, seals=(OTHER.seal(1, 0, batch.entries[0]["hash"]),))),
    ("seal of entry 0: is missing", 0, lambda batch: replace(batch, seals=())),
    ("sealed once", 0, lambda batch: replace(batch, seals=batch.seals * 2)),
    ("does not match", 0, lambda batch: replace(batch, seals=(replace(batch.seals[0], signature="0" * 128),))),
    ("no such entry", 0, lambda batch: replace(batch, seals=(*batch.seals, replace(batch.seals[0], seq=7)))),
    ("unknown fields", 0, lambda batch: altered(batch, 0, more=1)),
    ("belongs to game 1", 0, lambda batch: replace(batch, game=2)),
    ("is missing; entry 0", 0, lambda batch: replace(batch, entries=batch.entries[:1] * 2)),
    ("hash before it", 0, lambda batch: altered(batch, 0, prev="ab")),
    ("hash before it", 0, lambda batch: altered(batch, 0, seq="0")),
    ("linked games", 0, lambda batch: written_anew(batch, link=first_link([(1, 1, "", 0)]))),
    ("does not follow entry 1 of game 1", 1, lambda batch: written_anew(batch, link=link(batch, link=7))),
    ("does not follow entry 1 of game 1", 1, lambda batch: written_anew(batch, link=link(batch, game=7))),
    ("does not follow the last entry", 2, lambda batch: written_anew(batch, prev="0" * 64)),
    ("does not follow the last entry", 2, lambda batch: written_anew(batch, seq=7)),
]


@pytest.mark.parametrize(("expected", "place", "wrong"), WRONG)
def test_entries_that_do_not_hold_are_refused_and_told_and_change_nothing(
    hall: Hall, journal: MemoryJournal, expected: str, place: int, wrong: Callable[[Entries], Entries]
) -> None:
    hall.log_in(1, KEY)
    batches = journal.batches()
    for batch in batches[:place]:
        assert hall.hear(1, batch)[0]["type"] == "ack"
    rows = hall.rows()
    (answer,) = hall.hear(1, wrong(batches[place]))
    assert (answer["type"], answer["code"]) == ("goodbye", "damaged")
    assert expected in answer["expected"]
    assert hall.rows() == rows
    assert hall.news[-2].kind == "refused"
    assert [kind for _, kind, _ in hall.side.intake.incidents()] == ["refused"]
    hall.log_in(2, KEY)
    assert hall.hear(2, batches[place])[0]["type"] == "ack"


def test_two_runs_are_not_one(hall: Hall, journal: MemoryJournal) -> None:
    first, _, third = journal.batches()
    hall.log_in(1, KEY)
    both = replace(first, entries=(*first.entries, *third.entries), seals=(*first.seals, *third.seals))
    assert "entries of one run" in hall.hear(1, both)[0]["expected"]
    assert hall.rows() == []


def test_entries_whose_predecessor_is_not_there_are_answered_with_where_the_hall_stands(
    hall: Hall, journal: MemoryJournal
) -> None:
    hall.log_in(1, KEY)
    (answer,) = hall.hear(1, journal.batches()[1])
    assert answer == {"type": "heads", "behind": 0, "ends": []}
    assert hall.rows() == []


def test_entries_that_come_twice_are_acknowledged_and_stand_there_once(hall: Hall, journal: MemoryJournal) -> None:
    hall.log_in(1, KEY)
    for _ in range(2):
        for batch in journal.batches():
            assert hall.hear(1, batch) == [{"type": "ack", "hash": batch.entries[-1]["hash"]}]
    assert len(hall.side.intake.records(hall.side.intake.games(hall.side.intake.ends(KEY.public)[0])[0])) == 3


@pytest.mark.once
def test_a_full_disk_of_the_hall_acknowledges_nothing_and_the_box_sends_it_again(
    hall: Hall, journal: MemoryJournal
) -> None:
    db = hall.file()
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {pages}")
    for number in range(200):
        journal.write(1, "answer", [number, "x" * 50])
    side = box(journal, KEY)
    talk(hall, 1, side)
    assert side.durable is None
    assert side.over
    assert side.refused is None
    assert [news.kind for news in hall.news] == ["on", "failed", "off"]
    assert hall.rows() == []
    db.execute("PRAGMA max_page_count = 100000")
    talk(hall, 2, side)
    assert side.durable == journal.end()


def test_a_full_disk_does_not_hide_that_another_hall_took_the_event_over(
    hall: Hall, journal: MemoryJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.log_in(1, KEY)
    hall.news.clear()
    hall.open(2)
    later = certify(EVENT_KEY.signer, 2, signer(98).public)
    hall.side.received(2, write(Superseded(later)), 0.0)
    hall.side.received(1, write(journal.batches()[0]), 0.0)

    def full(_: Intake) -> None:
        raise JournalError("the disk is full")

    monkeypatch.setattr(Intake, "commit", full)
    hall.side.commit()
    monkeypatch.undo()
    hall.side.commit()
    assert hall.news == [
        News("superseded", "", "2"),
        News("failed", "", "the disk is full"),
        News("off", KEY.public),
    ]


def test_news_that_cannot_be_taken_keeps_none_of_the_others_back(
    hall: Hall, journal: MemoryJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.log_in(1, KEY)
    taken: list[str] = []

    def take(news: News) -> None:
        taken.append(news.text)
        if len(taken) == 1:
            raise JournalError("the disk is full")

    monkeypatch.setattr(hall.side, "news", take)
    for batch in journal.batches():
        hall.side.received(1, write(batch), 0.0)
    with pytest.raises(JournalError):
        hall.side.commit()
    hall.side.commit()
    assert taken == ["2", "1", "1"]


def test_seconds_without_their_fraction_are_kept_as_they_are_hashed(hall: Hall, journal: MemoryJournal) -> None:
    hall.log_in(1, KEY)
    batch = journal.batches()[0]
    assert hall.hear(1, altered(batch, 1, at=0, wall=0))[0]["type"] == "ack"
    (end,) = hall.side.intake.ends(KEY.public)
    assert [canonical(record) for record in hall.side.intake.records(end)] == [*map(canonical, batch.entries)]


def test_what_is_not_committed_is_neither_acknowledged_nor_news(hall: Hall, journal: MemoryJournal) -> None:
    hall.log_in(1, KEY)
    hall.news.clear()
    for batch in journal.batches():
        hall.side.received(1, write(batch), 0.0)
    assert (hall.side.out, hall.news) == ([], [])
    hall.side.commit()
    assert len(hall.side.out) == 1  # one acknowledgement for all of it
    assert hall.news == [News("entries", KEY.public, "2"), *[News("entries", KEY.public, "1")] * 2]
