"""Nothing follows the end: whatever ended a game, it is ruled, reminded of and asked nothing more."""

from __future__ import annotations

from collections import Counter

import pytest

from referee import games
from referee.errors import NotNow
from referee.rulebook import Game, Reminder, Ruling
from referee.testing.conformance import variants
from tests.kept import BOOKS

ANSWERS = 3000
"""Random answers and corrections of a whole game with its usual rules; the others get a tenth."""
LONE_WIZARD = ("wizard", "6", "9", "done", 3, "attack", "creature", "2", "7", "0")
"""The only character there is, attacked: corrupted, he leaves neither a target nor a company."""
ENDS = {"battle-of-the-ring": 3, "middle-earth-the-wizards": 2, "riddle-of-the-ring": 1, "war-of-the-ring": 1}
"""In how many ways at least the random answers end a whole game; nobody concedes here."""


@pytest.fixture
def sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let whatever is said of a game that is over fail."""

    def rule(game: Game, ruling: Ruling) -> None:
        assert game.over is None, f"{ruling} after {game.over}"
        game.outbox.append(ruling)

    def remind(game: Game, rule_id: str, text: str) -> None:
        assert game.over is None, f"{rule_id} after {game.over}"
        game.outbox.append(Reminder(rule_id, text))

    monkeypatch.setattr(Game, "rule", rule)
    monkeypatch.setattr(Game, "remind", remind)


@pytest.mark.usefixtures("sealed")
@pytest.mark.parametrize("book", BOOKS)
def test_nothing_follows_the_end(book: str) -> None:
    """E4: also where an answer ends the game in the middle of something else."""
    ends: Counter[str] = Counter()
    for variant in variants(games.load(book)):
        whole = variant.ruling is None
        for table in variant.tables(1, ANSWERS if whole and not variant.settings else ANSWERS // 10):
            play = table.play
            if book == "middle-earth-the-wizards" and whole and table.random.random() < 0.5:
                for answer in LONE_WIZARD:
                    play.answer(answer)
                play.correct("company.character-1-cp", 30)
            while play.ask is not None and table.answered < 400:
                change = table.correction() if table.random.random() < 0.1 else None
                if change is None:
                    play.answer(table.legal())
                else:
                    play.correct(*change)
                table.answered += 1
            if play.ask is None:
                assert play.over is not None
                ends[play.over.reason] += whole
                with pytest.raises(NotNow, match="The game is over"):
                    play.answer("done")
    assert len(+ends) >= ENDS[book], ends
