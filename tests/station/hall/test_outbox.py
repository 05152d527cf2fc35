"""What a box sends of its journal: from where the hall stands, whatever was lost on either side."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.journal import Journal
from referee.journal.notes import Notes
from referee.session import Entry
from referee.session.wish import Have
from referee.station.hall.outbox import NONE, Outbox, Part


class Kept:
    """What a hall keeps of a box: the entries of each game, as long as one follows the other."""

    def __init__(self) -> None:
        self.games: dict[str, list[dict[str, Any]]] = {}

    def put(self, part: Part) -> Have:
        """Take entries; return what is here."""
        game = self.games.setdefault(part.game, [])
        new = [json.loads(line) for line in part.entries]
        if new and part.after + 1 == len(game) and new[0]["prev"] == (game[-1]["hash"] if game else ""):
            game.extend(new)
        return Have(part.game, len(game) - 1, game[-1]["hash"] if game else "")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal(tmp_path / "journal.db") as journal:
        yield journal


def begin(journal: Journal) -> int:
    answer: dict[str, Any] = {"book": "skirmish", "ruling": None, "settings": {}}
    return journal.begin("skirmish", Entry(0, "start", "1", answer=answer, wall=random.random()))


def play(journal: Journal, game: int, entries: int) -> None:
    last, _ = journal.head(game)
    journal.append(game, [Entry(last + 1 + n, "answer", "1", answer=[random.random()]) for n in range(entries)])


def sent(outbox: Outbox, hall: Kept) -> int:
    """Send all there is; return in how many calls."""
    outbox.look()
    calls = 0
    while (part := outbox.next()) is not None:
        calls += 1
        outbox.take(hall.put(part))
    return calls


def has_all(hall: Kept, journal: Journal, since: int = 1) -> bool:
    games = {str(game[0]["hash"]): game for each in journal.games() if (game := list(journal.records(each.game)))}
    mine = {name: game for name, game in games.items() if game[0]["game"] >= since}
    return mine == {name: game for name, game in hall.games.items() if game}


def test_games_and_notes_arrive_and_nothing_is_sent_twice(journal: Journal) -> None:
    hall, outbox = Kept(), Outbox(journal, 1)
    for entries in (200, 3, 0):
        play(journal, begin(journal), entries) if entries else begin(journal)
    Notes(journal, 2).add({"clock": {}})
    Notes(journal, 2).add({"call": {"table": 7}})
    sent(outbox, hall)
    assert [(act.kind, act.members) for act in outbox.acts] == [("call", {"table": 7})]
    assert has_all(hall, journal)
    assert sent(outbox, hall) == 0
    play(journal, 2, 1)
    assert sent(outbox, hall) == 1
    assert has_all(hall, journal)


def test_games_of_before_the_event_stay_at_home(journal: Journal) -> None:
    begin(journal)
    hall, outbox = Kept(), Outbox(journal, begin(journal))
    sent(outbox, hall)
    assert len(hall.games) == 1
    assert has_all(hall, journal, since=2)


def test_a_journal_that_was_set_back_sends_no_more_of_that_game(tmp_path: Path, journal: Journal) -> None:
    hall = Kept()
    play(journal, begin(journal), 10)
    journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(tmp_path / "journal.db", tmp_path / "old.db")
    play(journal, 1, 10)
    sent(Outbox(journal, 1), hall)
    with Journal(tmp_path / "old.db") as old:
        outbox = Outbox(old, 1)
        for entries in (0, 20):  # behind, and then further than the hall, by other entries
            play(old, 1, entries) if entries else None
            outbox.ask()
            outbox.look()
            part = outbox.next()
            assert part is not None
            assert not outbox.take(hall.put(part))
            assert outbox.next() is None
            assert outbox.others == [part.game]
        begin(old)
        sent(outbox, hall)
        assert len(hall.games) == 2  # the next game counts again


def test_a_line_that_is_slow_gets_less_at_once(journal: Journal) -> None:
    play(journal, begin(journal), 200)
    outbox = Outbox(journal, 1)
    outbox.look()
    part = outbox.next()
    assert part is not None
    outbox.take(Have(part.game, NONE, ""))
    sizes = []
    for _ in range(4):
        part = outbox.next()
        assert part is not None
        sizes.append(len(part.entries))
        outbox.slower()
    outbox.faster()
    part = outbox.next()
    assert part is not None
    assert (sizes, len(part.entries)) == ([64, 16, 4, 1], 2)
