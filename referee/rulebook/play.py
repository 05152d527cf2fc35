"""`Play`: one run of a procedure, or of single rulings one after another. It takes answers, and can go back.

A run keeps every accepted move, and now and then at a milestone (a turn's start) a pickled copy of the state, so
going back costs a turn or two, however long the game is.
"""

from __future__ import annotations

import pickle
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from referee.errors import BrokenRulebook, Malformed, NotNow, Refused
from referee.rulebook.asks import Among, Ask, Roll, Sealed, shown
from referee.rulebook.book import Book
from referee.rulebook.game import MILESTONE, Conceded, Dropped, Game
from referee.rulebook.odds import Odds
from referee.rulebook.rulings import Event, Over
from referee.rulebook.sections import Procedure, Section, breadcrumb, lasting, whereabouts
from referee.rulebook.watchdog import bounded, runs_on
from referee.rulebook.wording import phrase

BACK = "back"
"""The answer that drops the action under way where a question allows it."""


SPACING = 25
"""Moves between two copies of the state, at least: one costs as much as some answers, and so does going back."""

STOPS = 1000
"""Milestones that a procedure may pass without asking anything; one that passes more never asks again."""


class Answered(NamedTuple):
    """A move: the pending question was answered, ``answer`` as it can be checked again.

    ``seat``: whose question it was, where several are asked in secret; "" elsewhere. ``value``: what the procedure
    receives for the answer.
    """

    answer: Any
    override: bool = False
    seat: str = ""
    value: Any = None


class Corrected(NamedTuple):
    """A move: the judge set correctable fields together; ``values``: path -> value."""

    values: Mapping[str, object]


class Concession(NamedTuple):
    """A move: a seat gave up."""

    seat: str


_NONE: Mapping[str, Ask] = {}
"""No questions in secret."""

Move = Answered | Corrected | Concession


class _Mark(NamedTuple):
    """Where a run can begin again: after so many moves, with this state, in which of its rulings."""

    moves: int
    state: bytes
    rulings: int


class Play:
    """One whole game or single ruling, from its first question to its end; or rulings until nobody wants another.

    ``ask``     the pending question, None once it is over; of several in secret the first one without an answer
    ``sealed``  where questions are asked in secret: seat -> its question; else empty
    ``over``    why it ended, None until then
    ``moves``   everything accepted so far, in order
    ``events``  rulings and reminders given before the first question
    ``milestone``  how many moves had been made when the latest turn, or the latest of the rulings, began
    """

    def __init__(
        self,
        book: Book,
        settings: Mapping[str, object] | None = None,
        ruling: str | None = None,
        *,
        repeat: bool = False,
    ) -> None:
        """Start it; ``repeat``: when a ruling ends, it begins anew. Raises BadSetting or UnknownRuling."""
        self.book = book
        self.settings = book.settings(settings or {})
        self.ruling = ruling
        self._repeat = repeat
        self._procedure = book.procedure(ruling)
        self.game: Game = bounded(book.start, self.settings)
        self.moves: list[Move] = []
        self.ask: Ask | None = None
        self._make: Callable[[], Any] | None = None
        self._step: tuple[Any, ...] | None = None
        self.sealed: Mapping[str, Ask] = _NONE
        self._held: dict[str, Answered] = {}
        self.over: Over | None = None
        self.milestone = 0
        self._marks = [_Mark(0, pickle.dumps(self.game, -1), 1)]
        self._began = [0]
        self._throws: list[tuple[int, tuple[Any, ...]]] = []
        self._thrown: Counter[tuple[Any, ...]] = Counter()
        self._running: Procedure[None] = self._procedure(self.game)
        bounded(self._resume, self._running.send, None)
        self.events, self.game.outbox = self.game.outbox, []

    @property
    def seat(self) -> str:
        """The seat that must answer the pending question."""
        return (self.ask.seat if self.ask else None) or self.game.seat

    @property
    def may_drop(self) -> bool:
        """Whether the answer ``back`` drops the action under way."""
        return bool(self.game.attempts) and self.game.attempts[-1] and not self.sealed

    @property
    def held(self) -> Mapping[str, Answered]:
        """Answers in secret that are in, by seat: for the record, and for no eyes until all are."""
        return self._held

    @property
    def crumbs(self) -> tuple[Section, ...]:
        """The sections of the rules the pending question belongs to, outermost first."""
        return breadcrumb(self._running) if self.ask else ()

    @property
    def lasting(self) -> tuple[tuple[Section, Procedure[Any]], ...]:
        """The sections under way that last, outermost first, each with its procedure."""
        return lasting(self._running) if self.ask else ()

    def again(self) -> tuple[Any, ...]:
        """Return the answers of the ruling before up to its first throw; empty once this one has begun.

        Empty, too, where some were given in secret.
        """
        if len(self._began) < 2 or len(self.moves) > self._began[-1]:
            return ()
        first, last = self._began[-2:]
        thrown = bisect_right(self._throws, first, key=lambda throw: throw[0])
        dice = self._throws[thrown][0] if thrown < len(self._throws) else last + 1
        moves = [move for move in self.moves[first : dice - 1] if isinstance(move, Answered)] if dice <= last else []
        return () if any(move.seat for move in moves) else tuple(move.answer for move in moves)

    def throw(self) -> tuple[Any, ...] | None:
        """Return a name for the pending roll, None if no roll is pending.

        The same step of the sequence of play gives the same name, so a throw that was undone is known again when its
        roll is asked again.
        """
        step = self._step
        return None if step is None else (*step, self._thrown[step])

    def odds(self) -> Odds | None:
        """Return the exact chances of what is asked, where there are any."""
        return bounded(self.ask.odds) if self.ask else None

    def outlook(self) -> Odds | None:
        """Return the exact chances of how it will all come out, where the book can tell."""
        return bounded(self.book.outlook, self.game) if self.book.outlook and self.ask else None

    def check(self, answer: object, *, override: bool = False, seat: str | None = None) -> Answered:
        """Return the answer, checked for the pending question. Changes nothing.

        ``override``: see `Ask.check`. ``seat``: whose question is meant, where several are asked in secret; it may
        have an answer already. Raises what that raises, and NotNow (`Book.closed`) after the end.
        """
        return bounded(self._check, answer, override, seat)

    def _check(self, answer: object, override: bool, seat: str | None) -> Answered:  # noqa: FBT001 - at every answer
        ask, whose = self.ask, ""
        if ask is None:
            raise NotNow(self.book.closed, "The game is over")
        if self.sealed:
            whose = seat if seat is not None and seat in self.sealed else self.seat
            ask = self.sealed[whose]
        elif answer == BACK and not override and self.may_drop:
            return Answered(BACK, value=BACK)
        try:
            value = ask.check(answer, override=override)
        except Malformed as fault:
            code = self._elsewhere(ask, answer) if fault.code == "no-such-option" else ""
            if code:
                raise NotNow(code, f"{shown(answer)} is not asked now") from None
            raise
        # A total stays a number in the moves: as the tuple the procedure receives it could not be checked again.
        return Answered(answer if type(answer) is int else value, override, whose, value)

    def _elsewhere(self, ask: Ask, answer: object) -> str:
        """Return the book's refusal code of an answer that is no option of its question, "" if it has none."""
        if not isinstance(ask, Among) or self.book.elsewhere is None:
            return ""
        ids = answer if isinstance(answer, (list, tuple)) else (answer,)
        strange = next(each for each in ids if each not in ask.among.by_id)
        return self.book.elsewhere(self.game, ask, strange)

    def answer(self, answer: object, *, override: bool = False, seat: str | None = None) -> list[Event]:
        """Answer the pending question; return the rulings and reminders that follow.

        Raises what `check` and `accept` raise.
        """
        return self._attempt(self._answer, answer, override, seat)

    def _answer(self, answer: object, override: bool, seat: str | None) -> None:  # noqa: FBT001 - at every answer
        self._accept(self._check(answer, override, seat))

    def accept(self, move: Answered) -> list[Event]:
        """Go on with an answer that `check` returned for this very question; return the events that follow.

        Raises BrokenRulebook if the rulebook fails on it; the game is then as it was before.
        """
        return self._attempt(self._accept, move)

    def _accept(self, move: Answered) -> None:
        value = move.value
        drop = value == BACK and self.may_drop
        self.moves.append(move)
        if self._step is not None and not drop:
            self._throws.append((len(self.moves), self._step))
            self._thrown[self._step] += 1
        if drop:
            self._resume(self._running.throw, Dropped())
        elif self.sealed:
            self._held[move.seat] = move
            self._await()
        else:
            self._resume(self._running.send, value)

    def _attempt(self, deed: Callable[..., None], *given: Any) -> list[Event]:
        """Make a move, which is taken back where the rulebook fails on it; return the events that follow."""
        before = len(self.moves)
        try:
            bounded(deed, *given)
        except Exception as fault:
            if len(self.moves) == before:
                raise
            self.rewind(before)  # a fault kills the generator
            raise BrokenRulebook.of(self.book.id, fault) from fault
        events, self.game.outbox = self.game.outbox, []
        return events

    def correct(self, path: str, value: object) -> list[Event]:
        """Set one correctable field; see `correct_all`."""
        return self.correct_all({path: value})

    def correct_all(self, values: Mapping[str, object]) -> list[Event]:
        """Set correctable fields, all or none, and then see whether that ends the game; return the events.

        Raises Malformed (``correction``), or BrokenRulebook as `accept`, with nothing changed.
        """
        return self._attempt(self._correct, values)

    def _correct(self, values: Mapping[str, object]) -> None:
        for path, value in values.items():
            self.game.checked(path, value)
        self.moves.append(Corrected(dict(values)))
        for path, value in values.items():
            self.game.correct(path, value)
        self.game.corrected()
        self._ask_again()

    def concede(self, seat: str) -> list[Event]:
        """A seat gives up; return the events that follow.

        Raises Malformed (``no-such-seat``) for a seat that is not in the game or has given up, NotNow (`Book.closed`)
        after the end, and BrokenRulebook as `accept`.
        """
        return self._attempt(self._concede, seat)

    def _concede(self, seat: str) -> None:
        if self.ask is None:
            raise NotNow(self.book.closed, "The game is over")
        if seat not in self.game.seats() or seat in self.game.conceded:
            names = ", ".join(s for s in self.game.seats() if s not in self.game.conceded)
            raise Malformed(f"expected a seat of the game: {names or 'none'}", "no-such-seat")
        asked, name = self.seat, self.game.seats()[seat]
        self.moves.append(Concession(seat))
        self.game.concede(seat)
        if seat not in (asked, *self.sealed) or self.game.over is not None:
            self._ask_again()
            return
        try:
            self._resume(self._running.throw, Conceded())
        except Conceded:  # no section plays on without that seat
            self._end(Over("conceded", phrase("{} gave up", name)))

    def rewind(self, moves: int) -> None:
        """Go back to the state after the first ``moves`` moves. Raises ValueError for more than there are."""
        if not 0 <= moves <= len(self.moves):
            raise ValueError(f"expected 0 to {len(self.moves)} moves, got {moves}")
        again = self.moves
        while self._marks[-1].moves > moves:
            self._marks.pop()
        mark = self._marks[-1]
        while self._throws and self._throws[-1][0] > mark.moves:
            self._thrown[self._throws.pop()[1]] -= 1
        bounded(self._running.close)
        del self._began[mark.rulings :]
        self.moves, self.milestone = again[: mark.moves], mark.moves
        self.game = pickle.loads(mark.state)  # noqa: S301 - our own copy, never left this process
        self.over = None
        self._running = self._procedure(self.game)
        bounded(self._resume, self._running.send, None)
        for move in again[mark.moves : moves]:
            self.repeat(move)
        self.game.outbox.clear()

    def repeat(self, move: Move) -> list[Event]:
        """Make a recorded move again; return the events. Raises Malformed or NotNow where it no longer fits."""
        if isinstance(move, Answered):
            return self.answer(move.answer, override=move.override, seat=move.seat)
        if isinstance(move, Corrected):
            return self.correct_all(move.values)
        return self.concede(move.seat)

    def _stop(self) -> None:
        """Ask nothing more: the game has ended, however deep the section stands that ended it."""
        self._running.close()
        self._end(self.game.over)

    def _end(self, over: Over | None) -> None:
        self.ask, self._step, self.over = None, None, over
        self.sealed, self._held = _NONE, {}
        if self._repeat and len(self.moves) > self._began[-1]:
            self._begin_anew()

    def _begin_anew(self) -> None:
        told, self.over = self.game.outbox, None
        self.game = self.book.start(self.settings)
        self._began.append(len(self.moves))
        self._pass()
        self.game.outbox = told
        self._running = self._procedure(self.game)
        self._resume(self._running.send, None)

    def _pass(self) -> None:
        """Take note that a turn or a ruling begins here, and whether a run shall begin again here."""
        self.milestone, game = len(self.moves), self.game
        if self.milestone - self._marks[-1].moves >= SPACING:
            outbox, game.outbox = game.outbox, []  # rulings already given are no part of the state
            self._marks.append(_Mark(self.milestone, pickle.dumps(game, -1), len(self._began)))
            game.outbox = outbox

    def _resume(self, go: Callable[[Any], Any], value: Any) -> None:
        """Let the procedure run to its next question, or its end."""
        game = self.game
        try:
            asked = go(value)
            stops = 0
            while asked is MILESTONE and game.over is None:
                if stops == STOPS:
                    raise runs_on(whereabouts(self._running))
                stops += 1
                self._pass()
                asked = self._running.send(None)
        except StopIteration:
            self._end(game.over or Over("finished", "The ruling is given" if self.ruling else "The game is over"))
            return
        if self._held:
            self._held = {}
        if game.over is None:
            self._make = make = asked if callable(asked) else None
            self._put(asked if make is None else make())
        else:
            self._stop()

    def _ask_again(self) -> None:
        """Make the pending question anew of a state that has changed under it, or end with the game."""
        if self.game.over is not None:
            self._stop()
        elif (make := self._make) is not None:
            self._put(make())
        elif self.ask is not None and not self.sealed:
            self._put(self.ask)

    def _put(self, question: Any) -> None:
        if isinstance(question, Ask):
            self.ask, self.sealed, self._step = question, _NONE, None
            if isinstance(question, Roll):
                step = question.key, self.seat, question.dice, question.sides, self.game.place()
                self._step = len(self._began), *step
        elif isinstance(question, Sealed):
            self.sealed, self._step = question.asks, None
            self._await()
        else:
            raise BrokenRulebook(f"{self.book.id}: a procedure yielded {question!r}, which is not a question")

    def _await(self) -> None:
        """Ask the next seat in secret, or go on once every answer is in."""
        for seat in self.sealed:
            if seat not in self.game.seats():
                raise BrokenRulebook(f"{self.book.id}: {seat!r} is asked in secret, and no seat of the game")
        self._held = {seat: held for seat, held in self._held.items() if self._stands(seat, held)}
        self.ask = next((ask for seat, ask in self.sealed.items() if seat not in self._held), None)
        if self.ask is None:
            answers = {seat: self._held[seat].value for seat in self.sealed}
            self.sealed, self._held = _NONE, {}
            self._resume(self._running.send, answers)

    def _stands(self, seat: str, held: Answered) -> bool:
        """Whether an answer still fits its question, which may have been made again since."""
        try:
            again = self.sealed[seat].check(held.answer, override=held.override)
        except (KeyError, Refused):
            return False
        return bool(again == held.value)
