"""Games judged again at the hall: as they arrive, whatever arrives, and in a process that may be lost."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from referee import games
from referee.errors import JournalError
from referee.hall.judging import worker
from referee.hall.judging.docket import Docket, log_of
from referee.hall.judging.judge import MOST_FAULTS, MOST_LOST, Judge
from referee.hall.judging.process import Process
from referee.journal import Journal
from referee.session import Session
from referee.session.board import state_of
from tests.hall.table import Here


@dataclass
class Game:
    """A game that is to be judged, from a list."""

    every: list[dict[str, Any]]
    name: str = "f" * 64
    box: str = "b" * 64
    asked: list[int] = field(default_factory=list)

    @property
    def entries(self) -> int:
        return len(self.every)

    def records(self, since: int) -> list[dict[str, Any]]:
        self.asked.append(since)
        return self.every[since:]


@pytest.fixture
def records(memory: Path) -> list[dict[str, Any]]:
    """A game of The Wizards: thirty answers, some taken back, and a pause."""
    with Journal(memory / "journal.db") as journal:
        session = Session(games.load("middle-earth-the-wizards"), journal=journal, wall=lambda: 1_790_000_000.0)
        for number in range(30):
            prompt = session.prompt
            assert prompt is not None
            if prompt.kind == "roll":
                session.answer([2] * prompt.dice)
            elif prompt.kind == "count":
                session.answer(prompt.low)
            else:
                session.answer(next(each.id for each in prompt.options if each.id != prompt.passing))
            if number % 7 == 6:
                session.undo()
        session.pause()
        return list(journal.records(1))


def asked(records: list[dict[str, Any]], have: int = 0, *, log: bool = False) -> dict[str, Any]:
    return {"game": "f" * 64, "have": have, "records": records, "log": log}


def test_what_arrives_in_parts_comes_to_the_same_as_the_whole(records: list[dict[str, Any]]) -> None:
    whole = Docket().take(asked(records, log=True))
    assert whole["entries"] == len(records)
    assert whole["state"]["title"] == "Middle-earth: The Wizards"
    assert whole["state"]["paused"] is True
    assert any(line["undone"] for line in whole["log"])
    docket = Docket()
    for at in range(len(records)):
        reply = docket.take(asked(records[at : at + 1], at, log=True))
    assert reply == whole


def test_a_part_whose_beginning_is_not_there_is_asked_for_again(records: list[dict[str, Any]]) -> None:
    docket = Docket()
    assert docket.take(asked(records[5:], 5)) == {"again": True}
    docket.take(asked(records[:9]))
    assert docket.take(asked(records[5:], 5)) == {"again": True}


WAR = ("shadow", "field", 5, 0, 0, 4, 1, 0, "none", "none", [6, 5, 1, 2, 3], [5, 4, 3, 2, 1], "regular", "regular")
"""A battle round of War of the Ring, all losses taken."""


def played(book: str, ruling: str, *answers: Any) -> Session:
    session = Session(games.load(book), ruling=ruling)
    for answer in answers:
        session.answer(answer)
    return session


def test_a_battle_round_shows_the_dice_of_both_sides_each_under_its_name() -> None:
    state = state_of(played("war-of-the-ring", "battle", *WAR))
    assert [tuple(each.values()) for each in state["dice"]] == [
        ("Shadow", (6, 5, 1, 2, 3)),
        ("Free Peoples", (5, 4, 3, 2, 1)),
    ]


def test_dice_that_were_rolled_again_stand_after_the_others() -> None:
    again = (*WAR[:4], 1, *WAR[5:8], "none", "none", [6, 5, 1, 2, 3], [5, 4, 3, 2, 1], [6])
    session = played("war-of-the-ring", "battle", *again)
    while session.last_ruling is None:
        session.answer("regular")
    assert [tuple(each.faces) for each in session.last_ruling.throws] == [(6, 5, 1, 2, 3, 6), (5, 4, 3, 2, 1)]


def test_a_single_throw_shows_its_dice_without_a_name() -> None:
    check = state_of(played("middle-earth-the-wizards", "strike", "4/7", "6", "tap", [5, 4]))
    assert check["dice"] == [{"seat": "", "faces": (5, 4)}]
    attack = state_of(played("battle-of-the-ring", "attack", "o-v-o", "open", [5, 4]))
    assert attack["dice"] == [{"seat": "", "faces": (5, 4)}]


def test_at_the_end_of_a_battle_the_dice_that_ended_it_stand_with_their_ruling() -> None:
    lost = (*WAR[:5], 1, 0, 0, "none", "none", [6, 6, 1, 2, 3], [5])
    for answers, ended, dice in (
        (lost, "Free Peoples lost the whole Army", [("Shadow", (6, 6, 1, 2, 3)), ("Free Peoples", (5,))]),
        ((*WAR, "cease"), "Shadow ceased the attack", [("Shadow", WAR[10]), ("Free Peoples", WAR[11])]),
    ):
        state = state_of(played("war-of-the-ring", "battle", *answers))
        assert (state["ruling"], state["dice"]) == (ended, [])
        assert "Units left: 4 against" in state["thrown"]
        assert [(each["seat"], [*each["faces"]]) for each in state["thrown_dice"]] == [(a, [*b]) for a, b in dice]
    assert state_of(played("war-of-the-ring", "battle", *WAR))["thrown"] == "", "they stand with the last ruling"


def test_what_the_hall_shows_is_in_whole_words() -> None:
    session = played("war-of-the-ring", "battle", *WAR, "cease")
    state, log = state_of(session), log_of(session)
    assert state["ruling"] == "Shadow ceased the attack"
    ruled = next(line for line in log if line["text"] == "Units left: 4 against 3")
    assert (ruled["seat"], ruled["why"][0][:14]) == ("", "Shadow rolled ")
    shown = json.dumps([state, log], ensure_ascii=False)
    assert not [short for short in ("FP", " v ", "hits 2:2") if short in shown], shown


@pytest.mark.parametrize(
    ("entry", "member", "value", "why"),
    [
        (0, "edition", "1492", "edition 1492 of Middle-earth: The Wizards is not here"),
        (0, "answer", {"book": "chess", "settings": {}, "ruling": None, "repeat": False}, "no game 'chess'"),
        (0, "answer", 7, "no game ''"),
        (3, "answer", {"x": []}, "entry 3"),
        (3, "kind", "note", "cannot stand in the middle"),
        (3, "result", {"rulings": [{"result": "won"}]}, "entry 3"),
    ],
)
def test_what_cannot_be_judged_says_why(
    records: list[dict[str, Any]], entry: int, member: str, value: object, why: str
) -> None:
    records[entry][member] = value
    assert why in Docket().take(asked(records))["fault"]


def test_a_game_is_judged_in_a_process_and_only_what_is_new_is_sent(records: list[dict[str, Any]]) -> None:
    told = asyncio.Event()
    judge = Judge(told.set, Process())
    game = Game(records[:10])

    async def play() -> None:
        running = asyncio.create_task(judge.run())
        first = await judge.judge(game)
        assert first.entries == 10
        game.every = records
        last = await judge.judge(game, log=True)
        assert (last.entries, last.hash) == (len(records), records[-1]["hash"])
        assert last.log
        assert game.asked == [0, 9]
        game.every = [dict(each, hash="0" * 64) for each in records[:12]]  # another branch
        assert (await judge.judge(game)).entries == 12
        judge.want(game)
        await told.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)

    asyncio.run(play())


def test_a_process_that_is_lost_costs_one_game_and_not_the_hall(records: list[dict[str, Any]]) -> None:
    judge = Judge(lambda: None, Process((sys.executable, "-c", "")))
    game = Game(records)

    async def play() -> list[str]:
        return [(await judge.judge(game)).why for _ in range(MOST_LOST + 1)]

    *lost, given_up = asyncio.run(play())
    assert set(lost) == {"judging it takes more time or memory than any game needs"}
    assert given_up == f"{MOST_LOST} games of this box took more time or memory than any game needs"


def test_a_game_that_comes_out_otherwise_is_tried_again_a_few_times_and_then_when_it_has_doubled(
    records: list[dict[str, Any]],
) -> None:
    judge = Judge(lambda: None, Here())
    good = records[2]["kind"]
    records[2]["kind"] = "note"
    game = Game(records[:8])
    for length in (8, 9, 10, 11, 12):
        game.every = records[:length]
        assert "cannot stand" in asyncio.run(judge.judge(game)).why
    assert len(game.asked) == MOST_FAULTS
    records[2]["kind"] = good
    game.every = records[:20]
    assert asyncio.run(judge.judge(game)).entries == 20


def test_a_game_that_is_too_long_is_not_even_read(records: list[dict[str, Any]]) -> None:
    game = Game(records * 1000)
    assert "more than 20000 entries" in asyncio.run(Judge(lambda: None, Process()).judge(game)).why
    assert game.asked == []


def test_a_reply_nobody_expects_is_no_judgement(records: list[dict[str, Any]]) -> None:
    judge = Judge(lambda: None, Process((sys.executable, "-c", "print('[1]', flush=True); input()")))
    assert asyncio.run(judge.judge(Game(records))).state == {}


def test_a_game_that_cannot_be_read_keeps_no_other_from_being_judged(records: list[dict[str, Any]]) -> None:
    class Unreadable(Game):
        def records(self, since: int) -> list[dict[str, Any]]:
            raise JournalError("intake.db: disk I/O error")

    async def play() -> Judge:
        judged = asyncio.Event()
        judge = Judge(lambda: judged.set() if "good" in judge.judged else None, Here())
        running = asyncio.create_task(judge.run())
        judge.want(Unreadable(records, "bad"))
        judge.want(Game(records, "good"))
        await asyncio.wait([running, asyncio.ensure_future(judged.wait())], return_when=asyncio.FIRST_COMPLETED)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        return judge

    judge = asyncio.run(play())
    assert judge.judged["bad"].why == "intake.db: disk I/O error"
    assert judge.judged["good"].entries == len(records)


def test_a_judge_who_does_not_answer_is_lost(records: list[dict[str, Any]]) -> None:
    judge = Judge(lambda: None, Process((sys.executable, "-c", "while True: input()"), seconds=0.0))
    assert "more time or memory" in asyncio.run(judge.judge(Game(records))).why


def test_the_process_has_bounds() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "referee.hall.judging.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(asked([], 3)).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline()) == {"again": True}
        limits = Path(f"/proc/{process.pid}/limits").read_text(encoding="ascii")
        process.stdin.close()
    rows = {line[:26].strip(): line[26:].split()[:2] for line in limits.splitlines()}
    assert rows["Max address space"] == [str(worker.MEMORY)] * 2
    assert rows["Max file size"] == ["0", "0"]
