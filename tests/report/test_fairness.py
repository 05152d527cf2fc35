"""Whether the dice were fair: an accusation has an error rate."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest

from referee.cli.main import main
from referee.games import load
from referee.journal import Journal
from referee.report.fairness import ERROR, Evidence, dice_of, sentences
from referee.session import Origin, Rolled, Session, Submission, Unused

A7, B7 = Origin("dice-reader", "A7", 990), Origin("dice-reader", "B7", 950)


def rolled(*faces: int, origin: Origin = A7, unused: tuple[Unused, ...] = (), undone: bool = False) -> Rolled:
    return Rolled("north", faces, (origin,) * len(faces), unused, undone)


def evidence(faces: list[int]) -> Evidence:
    seen = Evidence()
    for face in faces:
        seen.add(face)
    return seen


def test_fair_dice_expect_no_more_than_they_have() -> None:
    """What makes the error rate hold however often one looks: the mean over all throws stays one."""
    throws = product(range(1, 7), repeat=4)
    values = [evidence(list(faces)).value for faces in throws]
    assert sum(values) / len(values) == pytest.approx(1.0)


def test_few_fair_dice_are_accused() -> None:
    """K3: one test of each die, so the whole error is its own."""
    chance = random.Random(11)

    def accused(dice: int, throws: int, chances: Sequence[float]) -> int:
        return sum(evidence(chance.choices(range(1, 7), chances, k=throws)).highest >= ERROR for _ in range(dice))

    assert accused(300, 400, [1 / 6] * 6) * ERROR <= 300
    assert accused(40, 1200, [0.15] * 5 + [0.25]) >= 30


def test_an_unfair_die_is_named_with_its_error_rate() -> None:
    faces = random.Random(5)
    unfair = rolled(*faces.choices(range(1, 7), (0.1,) * 5 + (0.5,), k=300))
    fair = rolled(*faces.choices(range(1, 7), k=300), origin=B7)
    head, *lines = sentences([unfair, fair])
    assert head == (
        "Not fair: dice reader A7. 2 dice were judged. Fair dice are called unfair on at most 1 evening in 20, "
        "however often somebody looks."
    )
    text = "\n".join(lines)
    assert "face 6 falls too often" in text
    assert "where 50 are expected." in text
    assert text.count("At most one fair die in") == 1
    assert "dice reader B7: 300 throws" in text
    assert text.count("Nothing speaks against it: its evidence was") == 1


def test_what_did_not_count_stands_beside_it() -> None:
    unused = (Unused(1, A7, "tilted", 6), Unused(1, A7, "again"), Unused(None, A7, "cocked"))
    lines = sentences([rolled(6, 5, unused=unused), rolled(2, undone=True)])
    assert lines[1] == "dice reader A7: 2 throws; faces 1 to 6 fell 0, 0, 0, 0, 1, 1 times."
    assert lines[-1].startswith("  Did not count: 1 again, 1 cocked, 1 tilted.")


def test_dice_are_told_apart_and_hands_are_not() -> None:
    hands = [rolled(1, origin=Origin(source)) for source in ("keys", "panel judge 3", "judge")]
    dice = dice_of([*hands, rolled(2), rolled(3, origin=B7), rolled(4, origin=Origin("box-dice"))])
    assert [(die.name, die.faces) for die in dice] == [
        *(("keyed dice", [1, 1, 1]), ("box dice", [4]), ("dice reader A7", [2]), ("dice reader B7", [3]))
    ]
    assert sentences([]) == ["No throws with known faces."]
    assert sentences(hands)[0].startswith(
        "No die is suspicious. Dice that nobody can tell apart were judged together: keyed dice. Fair"
    )


def test_the_command_line_says_it_of_all_games_or_of_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "journal.db"
    with Journal(file) as journal:
        for faces in ([5, 4], [6, 6]):
            session = Session(load("battle-of-the-ring"), {}, "attack", journal=journal)
            for answer in ("o-v-o", "open"):
                session.answer(answer)
            session.answer(Submission(faces, origins=(A7, B7), source="dice-reader"))
    assert main(["dice", "--journal", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "dice reader A7: 2 throws; faces 1 to 6 fell 0, 0, 0, 0, 1, 1 times." in shown
    assert main(["dice", "2", "--journal", str(file)]) == 0
    shown = capsys.readouterr().out
    assert "dice reader A7: 1 throw; faces 1 to 6 fell 0, 0, 0, 0, 0, 1 times." in shown
    assert main(["dice", "7", "--journal", str(file)]) == 74
