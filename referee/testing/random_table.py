"""A random table: it answers any book's questions, rightly and wrongly, from a seed."""

from __future__ import annotations

import copy
import random
from itertools import combinations, combinations_with_replacement
from typing import Any

from referee.errors import Refused
from referee.rulebook import BACK, Ask, Book, Choose, Count, Game, Pick, Play, Range, Roll

JUNK: tuple[Any, ...] = (
    None, True, 1.5, "no such thing", [], {}, -1, 99, ["x", "x"], [0, 7], "é" * 200, b"", (9,) * 9,
)  # fmt: skip


class RandomTable:
    """One run of a book, answered at random; every step can be checked against what it was."""

    def __init__(self, book: Book, settings: dict[str, Any], ruling: str | None, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - a table that can be repeated, not a secret
        self.play = Play(book, settings, ruling)
        self.answered = 0
        self.seen = [self.snapshot()]

    def snapshot(self) -> tuple[Game, tuple[Any, ...]]:
        """Return a copy of the state, and all that can be seen of the question."""
        return copy.deepcopy(self.play.game), self.question()

    def question(self) -> tuple[Any, ...]:
        """Return all that can be seen of the pending question."""
        play = self.play
        if play.ask is None:
            return ("over", play.over)
        ask = play.ask
        common = (ask.kind, ask.key, ask.text, play.seat, ask.rule, ask.head, ask.tag, ask.notes, ask.offered())
        where = (play.crumbs, play.game.place(), play.game.pools(), play.game.status(), play.may_drop, play.throw())
        return (*common, *where, *particulars(ask), tuple((seat, seat in play.held) for seat in play.sealed))

    def seat(self) -> str | None:
        """Return a seat that may answer now, one that has answered already, too; None where only one may."""
        return self.random.choice(list(self.play.sealed)) if self.play.sealed else None

    def legal(self, seat: str | None = None) -> Any:
        """Return some answer that is open now, to the question of that seat where several are asked in secret."""
        ask = self.play.sealed.get(seat or "", self.play.ask)
        if self.play.may_drop and self.random.random() < 0.05:
            return BACK
        if isinstance(ask, Choose):
            return self.choice(ask)
        if isinstance(ask, Pick):
            ids = [option.id for option in ask.options()]
            assert len(ids) >= ask.low, f"{ask.key}: fewer open options than must be picked"
            return self.random.sample(ids, self.random.randint(ask.low, min(ask.high, len(ids))))
        if isinstance(ask, Count):
            values = [v for v in range(ask.low, ask.high + 1) if ask.bar(v) is None]
            if not values and self.play.may_drop:
                return BACK
            assert values, f"{ask.key}: no number is open"
            return self.random.choice(values)
        assert isinstance(ask, Roll)
        if ask.tally and self.random.random() < 0.5:
            return {ask.tally: self.random.randint(0, ask.dice)}
        return [self.random.randint(1, ask.sides) for _ in range(self.random.randint(ask.low, ask.dice))]

    def choice(self, ask: Choose) -> str:
        """Return an open option, the passing one more often than not so that the game goes on."""
        ids = [option.id for option in ask.options()]
        if not ids and self.play.may_drop:
            return BACK  # every option says why not, and the menu is one key away
        assert ids, f"{ask.key} is a dead end: nothing is open"
        if ask.passing in ids and self.random.random() < 0.4:
            return ask.passing
        return self.random.choice(ids)

    def wrong(self) -> list[Any]:
        """Return some answers that must be refused: junk, and everything that is barred."""
        ask = self.play.ask
        assert ask is not None
        bad = [each for each in self.random.sample(JUNK, 3) if not accepts(ask, each)]
        if isinstance(ask, (Choose, Pick)):
            barred = [entry.option.id for entry in ask.barred()]
            bad += barred if isinstance(ask, Choose) else [[each] for each in barred]
        if isinstance(ask, Count):
            bad += [v for v in range(ask.low, ask.high + 1) if ask.bar(v) is not None]
            bad += [ask.low - 1, ask.high + 1]
        return bad

    def override(self) -> Any:
        """Return a barred answer the cards can say otherwise about, or None."""
        ask = self.play.ask
        if not isinstance(ask, (Choose, Pick)):
            return None
        soft = [entry.option.id for entry in ask.barred() if not entry.bar.firm]
        if not soft or (isinstance(ask, Pick) and not ask.low <= 1 <= ask.high):
            return None
        chosen = self.random.choice(soft)
        return chosen if isinstance(ask, Choose) else [chosen]

    def correction(self) -> tuple[str, Any] | None:
        """Return a counted field and a value the judge may give it now, None where that one is refused."""
        game = self.play.game
        if not game.correctable:
            return None
        path = self.random.choice(list(game.correctable))
        limits = game.correctable[path]
        if isinstance(limits, Range):
            value = self.random.randint(limits.low, limits.high)
        else:
            value = self.random.choice(limits.values)
        try:
            return path, game.checked(path, value)
        except Refused:
            return None

    def note(self) -> None:
        """Remember what is pending now."""
        self.seen.append(self.snapshot())


def particulars(ask: Ask) -> tuple[Any, ...]:
    """Return what only one kind of question has."""
    if isinstance(ask, Choose):
        return ask.options(), ask.barred(), ask.default, ask.passing
    if isinstance(ask, Pick):
        return ask.options(), ask.barred(), ask.low, ask.high
    if isinstance(ask, Count):
        return tuple(ask.bar(v) for v in range(ask.low, ask.high + 1)), ask.low, ask.high, ask.default
    assert isinstance(ask, Roll)
    return ask.dice, ask.sides, ask.low, ask.total, ask.tally, ask.need, ask.need_note, ask.foot, ask.odds()


def accepts(ask: Ask, answer: Any) -> bool:
    """Whether a question takes an answer."""
    try:
        ask.check(answer)
    except Refused:
        return False
    return True


def open_answers(ask: Ask) -> list[Any]:
    """Return every answer a question takes, each once: a throw is a combination of faces, whatever their order.

    Neither the way back nor the sum of two dice counts: they are no answers of their own.
    """
    if isinstance(ask, Choose):
        return [option.id for option in ask.options()]
    if isinstance(ask, Count):
        return [value for value in range(ask.low, ask.high + 1) if ask.bar(value) is None]
    if isinstance(ask, Pick):
        ids = [option.id for option in ask.options()]
        return [some for n in range(ask.low, ask.high + 1) for some in combinations(ids, n)]
    assert isinstance(ask, Roll)
    return [
        some
        for n in range(ask.low, ask.dice + 1)
        for some in combinations_with_replacement(range(1, ask.sides + 1), n)
    ]
