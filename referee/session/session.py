"""A session: one game in progress. It asks, judges, takes back and remembers; it reads and writes nothing itself.

Everything that changes a game goes the same way: it is checked, applied, written by the recorder that was passed
in, and only then returned. What is refused, and what could not be written, leaves the game, the number of the
standing question and the record as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from referee.errors import Late, Malformed, NotNow, Refused
from referee.rulebook import (
    ANYBODY,
    BACK,
    Book,
    Event,
    Over,
    Roll,
)
from referee.session.entries import Archive, Entry, Recorder
from referee.session.judge import overruled, settled
from referee.session.ledger import Draft
from referee.session.log import summary, words
from referee.session.prompt import Prompt
from referee.session.run import Position
from referee.session.standing import Standing


@dataclass(frozen=True, slots=True)
class Outcome:
    """What followed from something that was accepted.

    ``events``   rulings and reminders, in order
    ``prompt``   the question that stands now; None once the game is over
    ``over``     why the game ended, None while it goes on
    ``entries``  what was written
    """

    events: tuple[Event, ...]
    prompt: Prompt | None
    over: Over | None
    entries: tuple[Entry, ...]


def _no_wall_clock() -> float:
    return 0.0


class Session(Standing):
    """One game, or one desk of single rulings, in progress. What can be read of it is in `Standing`."""

    def __init__(
        self,
        book: Book,
        settings: Mapping[str, object] | None = None,
        ruling: str | None = None,
        *,
        journal: Recorder | None = None,
        repeat: bool = False,
        wall: Callable[[], float] = _no_wall_clock,
        source: str = "",
        at: float = 0.0,
    ) -> None:
        """Start it and write its first entry.

        ``repeat``: when a single ruling ends, a new one begins in the same session. ``wall`` tells the time of day
        in seconds since 1970 for the record. Raises BadSetting, UnknownRuling or JournalError.
        """
        super().__init__(book, settings, ruling, repeat=repeat)
        self._journal = journal
        self._wall = wall
        self._milestone = self._run.milestone
        self._begin(source, at)

    # -- what people do ------------------------------------------------------------------------------------------

    def answer(
        self,
        value: object,
        *,
        n: int | None = None,
        seat: str | None = None,
        override: bool = False,
        reroll: bool = False,
        source: str = "",
        at: float = 0.0,
    ) -> Outcome:
        """Answer the standing question.

        ``n``: the question that was on the glass when the answer was given. ``seat``: whose button it was.
        ``override``: the card says otherwise, so a barred option is taken. ``reroll``: the judge lets dice be thrown
        again that stand from before an undo. Raises Refused (Late, NotNow, Malformed), BrokenRulebook or
        JournalError, with nothing changed.
        """
        self._open_to_answers(n, seat)
        before = self._run.position
        draft = self._apply(value, seat or "", override=override, reroll=reroll)
        return self._commit(before, [draft], source, at)

    def bundle(
        self, bundle: str, *, n: int | None = None, seat: str | None = None, source: str = "", at: float = 0.0
    ) -> Outcome:
        """Send a bundle of the standing question: all its answers or none. Raises as `answer`, naming which."""
        self._open_to_answers(n, seat)
        assert self.prompt is not None
        offered = {each.id: each for each in self.prompt.bundles}
        if bundle not in offered:
            known = ", ".join(offered) or "none"
            raise Malformed(f"expected the id of a bundle: {known}", "no-such-bundle")
        return self.sequence(offered[bundle].answers, n=n, seat=seat, source=source, at=at)

    def sequence(
        self,
        answers: Sequence[Any],
        *,
        n: int | None = None,
        seat: str | None = None,
        source: str = "",
        at: float = 0.0,
    ) -> Outcome:
        """Give several answers in one stroke, all or none; one undo takes them all back."""
        self._open_to_answers(n, seat)
        if not answers:
            raise Malformed("expected at least one answer")
        before = self._run.position
        drafts: list[Draft] = []
        try:
            for value in answers:
                self._open_to_answers(None, None)
                drafts.append(self._apply(value, seat or "", override=False, reroll=False))
        except BaseException as stop:
            key = self._run.play.ask.key if self._run.play.ask else "after the end"
            self._run.rewind(before)
            if isinstance(stop, Refused):
                stop.text = f"answer {len(drafts) + 1} of {len(answers)} ({key}): {stop.text}"
                stop.args = (f"{stop.code}: {stop.text}",)
            raise
        return self._commit(before, drafts, source, at)

    def correct(
        self, path: str, value: object, *, n: int | None = None, source: str = "judge", at: float = 0.0
    ) -> Outcome:
        """Set a counted field as the judge says; the same question is read again. Raises Malformed or NotNow."""
        return self.correct_all({path: value}, n=n, source=source, at=at)

    def correct_all(
        self, values: Mapping[str, object], *, n: int | None = None, source: str = "judge", at: float = 0.0
    ) -> Outcome:
        """Set several fields in one stroke, all or none."""
        self._on_time(n)
        if not values:
            raise Malformed("expected at least one field to set", "correction")
        before = self._run.position
        drafts: list[Draft] = []
        try:
            for path, value in values.items():
                with self._guard():
                    was = self._run.play.correct(path, value)
                text = f"The judge sets {path} to {_plainly(value)} (was {_plainly(was)})"
                drafts.append(Draft("correct", text, answer={"path": path, "value": value, "was": was}))
        except BaseException:
            self._run.rewind(before)
            raise
        return self._commit(before, drafts, source, at)

    def concede(self, seat: str, *, n: int | None = None, source: str = "", at: float = 0.0) -> Outcome:
        """A seat gives up. Raises Malformed for a seat that is not in the game, NotNow once it is over."""
        self._on_time(n)
        self._not_paused()
        before = self._run.position
        name = self.seats().get(seat, seat)
        with self._guard():
            events = self._run.concede(seat)
        draft = Draft("concede", f"{name} concedes", seat=seat, events=events, over=self.over)
        return self._commit(before, [draft], source, at)

    def undo(self, steps: int = 1, *, n: int | None = None, source: str = "", at: float = 0.0) -> Outcome:
        """Take back the last accepted things: an answer, a whole bundle, a correction or a concession each.

        Raises Malformed, Late, or NotNow (``nothing-to-undo``) if there are not so many.
        """
        self.current(n)
        if type(steps) is not int or steps < 1:
            raise Malformed("expected how many steps to take back, 1 or more")
        strokes = self._ledger.strokes[-steps:]
        if steps > len(strokes):
            there = f"only {len(strokes)} can be taken back" if strokes else "nothing can be taken back"
            raise NotNow("nothing-to-undo", there)
        voided = [seq for stroke in strokes for seq in stroke.entries]
        texts = "; ".join(self._ledger.text(seq) for seq in voided)
        back = strokes[0].before
        again = self._run.since(back)
        try:
            self._run.rewind(back)
            outcome = self._write([Draft("void", f"Taken back: {texts}", answer=voided)], source, at)
        except BaseException:
            self._run.rewind(back)
            for move in again:
                self._run.repeat(move)
            raise
        self._ledger.void(strokes)
        return outcome

    def pause(self, *, source: str = "", at: float = 0.0) -> Outcome:
        """Refuse answers until `unpause`. Raises NotNow if it is paused already or over."""
        self._on_time(None)
        self._not_paused()
        outcome = self._write([Draft("pause", "Paused")], source, at)
        self.paused = True
        return outcome

    def unpause(self, *, source: str = "", at: float = 0.0) -> Outcome:
        """Take answers again. Raises NotNow if it is not paused."""
        self._on_time(None)
        if not self.paused:
            raise NotNow("not-paused", "The game is not paused")
        outcome = self._write([Draft("unpause", "Play goes on")], source, at)
        self.paused = False
        return outcome

    def leave(self, *, source: str = "", at: float = 0.0) -> Outcome:
        """Put the game away unfinished: it is no longer the one a station takes up by itself."""
        self._on_time(None)
        return self._write([Draft("leave", "The game is put away")], source, at)

    # -- taking up again -----------------------------------------------------------------------------------------

    @classmethod
    def resume(
        cls, book: Book, journal: Archive, game: int, *, wall: Callable[[], float] = _no_wall_clock
    ) -> Session:
        """Take a recorded game up again, at the same question with the same number.

        Every entry is judged again and compared. Raises JournalDamaged if the record does not hold, Diverged naming
        the first entry that comes out otherwise, OtherEdition if none does but what follows might, JournalError.
        """
        from referee.session.replay import judged_again, same_edition

        session = judged_again(book, list(journal.entries(game)))
        same_edition(book, session)
        session._journal, session.game_id, session._wall = journal, game, wall
        return session

    def take_over(self, recorded: Sequence[Entry]) -> None:
        """Hold the entries as they were recorded, with their times and editions, and write nowhere for now."""
        self._journal = None
        self._ledger.take_over(recorded)

    def steps_back_to(self, seq: int) -> int:
        """Return how many undo steps take back everything from entry ``seq`` on."""
        return sum(1 for stroke in self._ledger.strokes if stroke.entries[0] >= seq)

    # -- how it is done ------------------------------------------------------------------------------------------

    def _begin(self, source: str, at: float) -> None:
        start = {"book": self.book.id, "settings": self.settings, "ruling": self.ruling, "repeat": self.repeat}
        switches = ", ".join(f"{each.label} {each.says(self.settings[each.name])}" for each in self.book.switches)
        what = f"{self.book.title}, edition {self.book.edition}"
        text = ": ".join(filter(None, (what + (f", {self.ruling}" if self.ruling else ""), switches)))
        draft = Draft("start", text, answer=start, events=self.opening, over=self.over)
        entry = self._entry(0, draft, None, source, at)
        if self._journal is not None:
            self.game_id = self._journal.begin(self.book.id, entry)
        self._ledger.add([entry], [draft])

    def _apply(self, value: object, by: str, *, override: bool, reroll: bool) -> Draft:
        play = self._run.play
        ask, seat = play.ask, play.seat
        assert ask is not None
        mode = "override" if override else "reroll" if reroll else ""
        with self._guard():
            if override:
                overruled(ask, value)
            play.check(value, override=override)
            throw = None if play.may_drop and value == BACK else self._run.throw
            if isinstance(ask, Roll) and throw is not None:
                value = settled(ask, self._ledger.stands(throw), value, reroll=reroll)
            elif reroll:
                raise NotNow("nothing-stands", "No roll stands that could be thrown again")
            text = words(ask, value)
            events = self._run.answer(value, override=override)
        draft = Draft("answer", text, ask.key, ask.rule, seat, by, _json(value), mode, events, self.over)
        if mode:
            draft.text += " (the card says otherwise)" if override else " (thrown again)"
        if throw is not None:
            faces: tuple[int, ...] = (value,) if isinstance(value, int) else tuple(value)  # type: ignore[arg-type]
            draft.throw, draft.rolled = (throw, faces), () if isinstance(value, int) else faces
        return draft

    def _commit(self, before: Position, drafts: list[Draft], source: str, at: float) -> Outcome:
        try:
            outcome = self._write(drafts, source, at)
        except BaseException:
            self._run.rewind(before)
            raise
        self._ledger.add_stroke(before, outcome.entries)
        return outcome

    def _write(self, drafts: list[Draft], source: str, at: float) -> Outcome:
        """Read the next question, make the entries durable, and only then take note of both."""
        first = len(self._ledger)
        prompt = self._read(first + len(drafts))
        group = first if len(drafts) > 1 else None
        entries = tuple(self._entry(first + i, draft, group, source, at) for i, draft in enumerate(drafts))
        milestone = self._run.milestone
        if self._journal is not None:
            seal = milestone != self._milestone or self.over is not None or entries[-1].kind == "leave"
            self._journal.append(self.game_id or 0, entries, seal=seal)
        self._milestone = milestone
        self._ledger.add(entries, drafts)
        self.prompt = prompt
        events = tuple(event for draft in drafts for event in draft.events)
        return Outcome(events, prompt, self.over, entries)

    def _entry(self, seq: int, draft: Draft, group: int | None, source: str, at: float) -> Entry:
        return Entry(
            seq,
            draft.kind,
            self.book.edition,
            draft.ask,
            draft.rule,
            draft.seat,
            draft.by,
            draft.answer,
            draft.mode,
            group,
            source,
            float(at),
            float(self._wall()),
            summary(draft.events, draft.over),
        )

    def _open_to_answers(self, n: int | None, seat: str | None) -> None:
        self._on_time(n)
        self._not_paused()
        asked = self._run.play.seat
        if seat is None or seat == asked:
            return
        ask = self._run.play.ask
        code = self.book.foreign_at.get(ask.key if ask else "", self.book.foreign)
        if asked != ANYBODY:
            raise NotNow(code, f"{self.seats().get(asked, asked)} is asked")
        if seat not in self.seats():
            raise NotNow(code, f"expected a seat of the game: {', '.join(self.seats()) or ANYBODY}")

    def _on_time(self, n: int | None) -> None:
        if self._run.play.ask is None:
            raise NotNow(self.book.closed, "The game is over")
        self.current(n)

    def current(self, n: int | None) -> None:
        """Raise Late unless ``n`` is None or the number of the standing question."""
        if n is not None and n != self.n:
            raise Late(f"Question {n} does not stand; question {self.n} does")

    def _not_paused(self) -> None:
        if self.paused:
            raise NotNow("paused", "The game is paused")


def _json(value: Any) -> Any:
    return list(value) if isinstance(value, (list, tuple)) else value


def _plainly(value: object) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)
