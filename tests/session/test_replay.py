"""A recorded game judged again: the same rulebook gives the same game, another one names the first difference."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from referee.errors import Diverged, JournalDamaged
from referee.rulebook import Book, Switch
from referee.session import Entry, Session, Submission, judged_again
from tests.session import skirmish
from tests.session.skirmish import BOOK


@pytest.fixture
def played() -> Session:
    session = Session(BOOK, {"limit": 2}, source="keys", at=1.0, wall=lambda: 1_000_000.0)
    session.bundle(Submission("both-near", seat="north", source="keys", at=2.0))
    session.answer(Submission([6, 6], source="tray", at=3.0))
    session.undo(source="web", at=4.0)
    session.answer(Submission([1, 1], mode="reroll", source="judge", at=5.0))
    session.answer(Submission("rest", mode="override", at=6.0))
    session.answer([3])
    session.answer("back")
    session.pause()
    session.correct_all({"hits.north": 1, "hits.south": 1})
    session.unpause()
    session.answer("shoot")
    return session


def test_the_same_game_comes_out_with_times_and_sources(played: Session) -> None:
    again = judged_again(BOOK, played.entries)
    assert (again.entries, again.prompt, again.state()) == (played.entries, played.prompt, played.state())
    assert (again.dice(), again.n, again.undoable) == (played.dice(), played.n, played.undoable)
    assert again.log() == played.log()
    again.undo(2)
    played.undo(2)
    assert again.prompt == played.prompt


def test_another_edition_may_have_a_new_switch_and_new_names(played: Session) -> None:
    limit, fog = BOOK.switches
    newer = (replace(limit, name="hits", also=("limit",)), fog, Switch("rain", "Rain", (False, True)))
    book = replace(
        BOOK, edition="2", switches=newer, start=lambda settings: skirmish.Skirmish(limit=settings["hits"])
    )
    again = judged_again(book, played.entries)
    assert (again.prompt, again.settings) == (played.prompt, {"hits": 2, "fog": False, "rain": False})


def _renamed() -> Book:
    """Another edition in which a 12 has become a miss."""

    def play(game: Any) -> Any:
        asked = skirmish.play(game)
        answer = None
        while True:
            try:
                ask = asked.send(answer)
            except StopIteration:
                return
            answer = yield ask
            if getattr(ask, "key", "") == "shot.dice" and answer == (6, 6):
                answer = (1, 1)

    return replace(BOOK, edition="2", play=play)


def test_another_edition_that_agrees_takes_the_game_up(played: Session) -> None:
    later = judged_again(replace(BOOK, edition="2"), played.entries)
    assert later.prompt == played.prompt
    assert later.answer("near").entries[0].edition == "2"
    assert {entry.edition for entry in later.entries[:-1]} == {"1"}


def test_first_divergence_is_named_with_both_editions(played: Session) -> None:
    expected = (
        r'entry 4 \(shot\.dice\), judged by edition 1 and now by 2, had rulings \["hit"\] and now has \["miss"\]'
    )
    with pytest.raises(Diverged, match=expected):
        judged_again(_renamed(), played.entries)


def test_an_answer_that_is_no_longer_open_is_named(played: Session) -> None:
    book = replace(BOOK, edition="3", play=skirmish.shot)
    with pytest.raises(Diverged, match=r"entry 1 \(turn\.menu\), judged by edition 1 and now by 3, was accepted"):
        judged_again(book, played.entries)


def test_a_switch_that_is_gone_is_named(played: Session) -> None:
    with pytest.raises(Diverged, match=r"entry 0 \(start\).*no switch 'fog'"):
        judged_again(replace(BOOK, switches=BOOK.switches[:1]), played.entries)


def _start(entries: list[Entry], **members: object) -> Entry:
    return entries[0]._replace(answer=entries[0].answer | members)


def _pauses(entry: Entry) -> list[Entry]:
    return [entry._replace(group=entry.seq), entry._replace(seq=entry.seq + 1, group=entry.seq)]


def _end(seq: int, winner: str) -> Entry:
    over = {"reason": "conceded", "winners": [winner]}
    return Entry(seq, "concede", "1", seat="north", result={"over": over})


Change = Callable[[list[Entry]], list[Entry]]
CHANGES: list[tuple[str, Change, type[Exception], str]] = [
    ("nothing", lambda e: [], JournalDamaged, "begins with a start"),
    ("another first entry", lambda e: [e[0]._replace(kind="note"), *e[1:]], JournalDamaged, "begins with a start"),
    ("two starts", lambda e: [*e, e[0]._replace(seq=len(e))], JournalDamaged, "is a start, which cannot"),
    ("bundle of another length", lambda e: [*e[:4], e[4]._replace(group=1), *e[5:]], Diverged, "entry 5"),
    ("an answer of no kind", lambda e: [*e[:4], e[4]._replace(answer={"a": 1}), *e[5:]], Diverged, "entry 4"),
    ("a void of nothing", lambda e: [*e[:5], e[5]._replace(answer=[]), *e[6:]], JournalDamaged, "entry 5"),
    ("a void of too much", lambda e: [*e[:5], e[5]._replace(answer=[3, 4]), *e[6:]], Diverged, "entry 5"),
    ("settings of no kind", lambda e: [_start(e, settings=3)], JournalDamaged, "has no settings"),
    (
        "two pauses at once",
        lambda e: [*e[:10], *_pauses(e[10])],
        JournalDamaged,
        "entry 10 begins a stroke of 1, not of 2",
    ),
    ("another end", lambda e: [*e, _end(len(e), "north")], Diverged, r'had end .*"north".* and now has .*"south"'),
    ("another game", lambda e: [_start(e, book="chess")], JournalDamaged, "chess"),
    ("faces changed", lambda e: [*e[:6], e[6]._replace(answer=[6, 6]), *e[7:]], Diverged, "entry 6"),
]


@pytest.mark.parametrize(("change", "error", "words"), [c[1:] for c in CHANGES], ids=[c[0] for c in CHANGES])
def test_a_record_that_makes_no_sense_is_refused_in_words(
    played: Session, change: Change, error: type[Exception], words: str
) -> None:
    entries = change(list(played.entries))
    with pytest.raises(error, match=words):
        judged_again(BOOK, entries)
