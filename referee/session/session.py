"""A session: one game in progress. It asks, judges, undoes and remembers; it does no I/O itself.

Every change is checked once, applied, written by the recorder, and only then returned. A refusal, or a failed write,
changes neither the game nor the number of the pending question nor the record.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from referee.errors import Late, Malformed, NotNow, Refused
from referee.rulebook import (
    ANYBODY,
    BACK,
    Answered,
    Book,
    Event,
    Move,
    Over,
    Play,
    Roll,
    joined,
    phrase,
    whole,
)
from referee.rulebook.watchdog import bounded
from referee.session.entries import NOTHING, Entry, Recorder, withheld_after
from referee.session.extra import (
    RIGHTS,
    Origin,
    Right,
    Submission,
    check_origins,
    faces_member,
    origins_of,
    plain_answer,
    unused_member,
)
from referee.session.log import (
    Record,
    RevealedAnswer,
    Stroke,
    answer_words,
    asked,
    plain,
    settled,
    summary,
)
from referee.session.prompt import Prompt, read_prompt
from referee.session.reading import Guard, Reading


class Outcome(NamedTuple):
    """What followed from something that was accepted.

    ``events``   rulings and reminders, in order
    ``over``     why the game ended, None while it goes on
    ``entries``  what was written
    ``told``     answers in secret, all of which are in now: (seat, key of its question, answer)
    """

    events: tuple[Event, ...]
    over: Over | None
    entries: tuple[Entry, ...]
    told: tuple[tuple[str, str, Any], ...] = ()


def no_wall_clock() -> float:
    """Return 0: what is recorded where nobody tells the time of day."""
    return 0.0


class Session(Reading):
    """One game in progress, or single rulings one after another.

    ``book``, ``settings``, ``ruling``, ``repeat``  what is being refereed
    ``opening``  rulings and reminders given before the first question
    ``paused``   whether answers are refused for the moment
    ``beside``   whether seats, pools and status are shown beside a question: an answer after which the rulebook fails
                 on one of them, or runs on, does not count
    """

    def __init__(
        self,
        book: Book,
        settings: Mapping[str, object] | None = None,
        ruling: str | None = None,
        *,
        journal: Recorder | None = None,
        repeat: bool = False,
        wall: Callable[[], float] = no_wall_clock,
        source: str = "",
        at: float = 0.0,
    ) -> None:
        """Start it and write its first entry.

        ``repeat``: when a single ruling ends, a new one begins in the same session. ``wall`` tells the time of day
        in seconds since 1970 for the record. Raises BadSetting, UnknownRuling or JournalError.
        """
        with Guard(book.id):
            super().__init__(Play(book, settings, ruling, repeat=repeat))
        self.book = book
        self.settings = self._play.settings
        self.ruling = ruling
        self.repeat = repeat
        self.paused = self.beside = False
        self._beside: Callable[[float], Mapping[str, Any]] = lambda _: NOTHING
        self._wall = wall
        self.opening = tuple(self._play.events)
        self._reads_ahead = True
        self._prompt: Prompt | None = None
        self._place: tuple[str, ...] = ()
        """Where the sequence of play stands, outermost first; nothing once it is over."""
        self._begin(journal, source, at)

    def accompany(self, beside: Callable[[float], Mapping[str, Any]]) -> None:
        """Let the last entry of each stroke have in its ``extra`` what this returns by the stroke's time, s."""
        self._beside = beside

    def defer_questions(self) -> None:
        """Read questions only where somebody looks, until `take_over`: a record is judged again unseen."""
        self._reads_ahead = False

    @property
    def prompt(self) -> Prompt | None:
        """The pending question, None once the game is over."""
        if self._prompt is None and self._play.ask is not None:
            self._prompt = self._read(self.n)
        return self._prompt

    # -- what people do ------------------------------------------------------------------------------------------

    def answer(self, given: object) -> Outcome:
        """Answer the pending question with a `Submission`, or a plain value.

        Raises Refused (Late, NotNow, Malformed), BrokenRulebook or JournalError, with nothing changed.
        """
        given = Submission.of(given)
        self._open_to_answers(given)
        before, prompt = len(self._play.moves), self.prompt if isinstance(self._play.ask, Roll) else None
        return self._commit(before, [self._apply(given, given.mode, prompt)], given.at)

    def correct_throw(self, given: object, right: Right) -> Outcome:
        """Replace the answer to the `last_throw`, because somebody keyed what the dice did not show.

        ``given``: an answer to that roll, not "back"; its ``n`` is the number of the question pending now. A face
        that stays keeps its origin. ``right``: "table", or "judge" where the judge does it.

        One stroke takes the throw back and answers it anew, marked ``corrected``; one undo then takes the throw back,
        and the corrected faces stand. Faces that stand already are accepted: nothing is written, and the outcome has
        the events of the throw. Raises NotNow: ``no-throw`` where `last_throw` is None, ``judges-only`` where a face
        changes that nobody keyed in, and ``right`` is not the judge's. Else as `answer`, changing nothing.
        """
        given = Submission.of(given)
        self.current(given.n)
        last = self.last_throw
        if last is None:
            raise NotNow("no-throw", "No throw to correct: the last thing that counts is no throw")
        if right not in RIGHTS:
            raise Malformed(f"right: expected {' or '.join(RIGHTS)}")
        if given.value == BACK:
            raise Malformed("expected what the dice showed; undo takes the throw back")
        if right != "judge" and last.needs_judge(given.value):
            raise NotNow("judges-only", "Only the judge corrects dice that were not entered by hand")
        (stroke,) = strokes = self.strokes[-1:]
        again = self._play.moves[stroke.before :]
        self._play.rewind(stroke.before)
        try:
            if given.seat is not None:
                self._asked(given.seat)
            first = self.n
            record = self._apply(given, "corrected", last.prompt, seq=first + 1, group=first)
            record.place = last.prompt.place
            answer = record.entry.answer
            if answer == last.answer:
                self._restore(stroke.before, again)
                return Outcome(tuple(self._records[last.seq].events), self.over, ())
            origins = last.mixed(answer, given.origins or (Origin(given.source),) * len(record.rolled))
            faces, corrected = faces_member(given.source, origins), {"was": last.answer, "by": right}
            record.entry = record.entry._replace(extra={**record.entry.extra, **faces, "corrected": corrected})
            text = f"The {right} corrects the throw: {last.changes(answer)}"
            void = self._record("void", text, given.source, given.at, answer=[last.seq], group=first)
            outcome = self._write([void, record], given.at)
        except BaseException:
            self._restore(stroke.before, again)
            raise
        self._void(strokes)
        self._stroke(stroke.before, [record])
        return outcome

    def bundle(self, given: object) -> Outcome:
        """Send a bundle of the pending question, a `Submission` or its id: all its answers or none.

        Raises as `answer`, naming which.
        """
        given = Submission.of(given)
        self._open_to_answers(given)
        assert self.prompt is not None
        offered = {each.id: each for each in self.prompt.bundles}
        bundle = offered.get(given.value) if isinstance(given.value, str) else None
        if bundle is None:
            known = ", ".join(offered) or "none"
            raise Malformed(f"expected the id of a bundle: {known}", "no-such-bundle")
        return self.sequence(given._replace(value=bundle.answers))

    def sequence(self, given: object) -> Outcome:
        """Give several answers in one stroke, a `Submission` or a list, all or none; one undo takes them all back."""
        given = Submission.of(given)
        self._open_to_answers(given)
        if not isinstance(given.value, (list, tuple)) or not given.value:
            raise Malformed("expected at least one answer")
        before, first, records = len(self._play.moves), self.n, list[Record]()
        group = first if len(given.value) > 1 else None
        try:
            for value in given.value:
                each = Submission(value, seat=given.seat, source=given.source, at=given.at)
                self._open_to_answers(each)
                if self._play.sealed:
                    raise NotNow("secret", "An answer in secret is given by itself")
                records.append(self._apply(each, "", seq=first + len(records), group=group))
        except BaseException as stop:
            key = self._play.ask.key if self._play.ask else "after the end"
            self._play.rewind(before)
            if isinstance(stop, Refused):
                stop.text = f"answer {len(records) + 1} of {len(given.value)} ({key}): {stop.text}"
                stop.args = (f"{stop.code}: {stop.text}",)
            raise
        return self._commit(before, records, given.at)

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
        before = len(self._play.moves)
        with self._guard:
            was = {path: self.game.read(path) for path in values if path in self.game.correctable}
            events = self._play.correct_all(values)
        first = self.n
        records = [
            self._record(
                "correct",
                phrase("The judge sets {} to {} (was {})", self.game.called(path), plain(value), plain(was[path])),
                source,
                at,
                answer={"path": path, "value": value, "was": was[path]},
                events=events if at_last else (),
                over=self.over if at_last else None,
                seq=first + index,
                group=first if len(values) > 1 else None,
            )
            for index, (path, value) in enumerate(values.items())
            for at_last in [index + 1 == len(values)]
        ]
        return self._commit(before, records, at)

    def concede(self, seat: str, *, n: int | None = None, source: str = "", at: float = 0.0) -> Outcome:
        """A seat gives up. Raises Malformed for a seat that is not in the game, NotNow once it is over."""
        self._on_time(n)
        self._not_paused()
        before = len(self._play.moves)
        name = self.seats().get(seat, seat)
        with self._guard:
            events = self._play.concede(seat)
        text = phrase("{} concedes", name)
        record = self._record("concede", text, source, at, seat=seat, events=events, over=self.over)
        return self._commit(before, [record], at)

    def undo(self, steps: int = 1, *, n: int | None = None, source: str = "", at: float = 0.0) -> Outcome:
        """Take back the last accepted things: an answer, a whole bundle, a correction or a concession each.

        Raises Malformed, Late, or NotNow (``nothing-to-undo``) if there are not so many.
        """
        self.current(n)
        if type(steps) is not int or steps < 1:
            raise Malformed("expected the number of steps to undo, 1 or more")
        strokes = self.strokes[-steps:]
        if steps > len(strokes):
            there = f"only {len(strokes)} can be undone" if strokes else "nothing to undo"
            raise NotNow("nothing-to-undo", there)
        voided = [seq for stroke in strokes for seq in stroke.entries]
        texts = joined("; ", (self._records[seq].text for seq in voided))
        back = strokes[0].before
        again = self._play.moves[back:]
        try:
            self._play.rewind(back)
            void = self._record("void", phrase("Undone: {}", texts), source, at, answer=voided)
            outcome = self._write([void], at)
        except BaseException:
            self._restore(back, again)
            raise
        self._void(strokes)
        return outcome

    def pause(self, *, source: str = "", at: float = 0.0) -> Outcome:
        """Refuse answers until `unpause`. Raises NotNow if it is paused already or over."""
        self._on_time(None)
        self._not_paused()
        outcome = self._write([self._record("pause", "Paused", source, at)], at)
        self.paused = True
        return outcome

    def unpause(self, *, source: str = "", at: float = 0.0) -> Outcome:
        """Take answers again. Raises NotNow if it is not paused."""
        self._on_time(None)
        if not self.paused:
            raise NotNow("not-paused", "The game is not paused")
        outcome = self._write([self._record("unpause", "The game resumes", source, at)], at)
        self.paused = False
        return outcome

    def leave(self, *, source: str = "", at: float = 0.0) -> Outcome:
        """Put the game away unfinished: it is no longer the one a station resumes by itself."""
        self._on_time(None)
        extra = {"place": [whole(each) for each in self.place]}
        return self._write([self._record("leave", "The game was left", source, at, extra=extra)], at)

    def take_over(self, recorded: Sequence[Entry], record: tuple[Recorder, int] | None) -> None:
        """Hold the entries as they were recorded, with their times and editions, and read the pending question.

        ``record``: the journal to write to from here on, and the number of the game in it; None: nothing is written.
        """
        for held, entry in zip(self._records, recorded, strict=True):
            held.entry = entry
        self._journal = record
        self._reads_ahead = True
        if self._prompt is None:
            self._prompt = self._read(self.n)

    # -- how it is done ------------------------------------------------------------------------------------------

    def _begin(self, journal: Recorder | None, source: str, at: float) -> None:
        start = {"book": self.book.id, "settings": self.settings, "ruling": self.ruling, "repeat": self.repeat}
        switches = ", ".join(f"{each.label} {each.says(self.settings[each.name])}" for each in self.book.switches)
        what = f"{self.book.title}, edition {self.book.edition}"
        text = ": ".join(filter(None, (what + (f", {self.ruling}" if self.ruling else ""), switches)))
        with self._guard:
            bounded(self._look_beside)
        prompt = self._read(1)
        record = self._record("start", text, source, at, answer=start, events=self.opening, over=self.over)
        if journal is not None:
            self._journal = journal, journal.begin(self.book.id, record.entry)
        self._add([record], prompt)

    def _record(
        self, kind: str, text: str, source: str, at: float, events: Sequence[Event] = (), **fields: Any
    ) -> Record:
        """Return the record of something that is no answer; ``fields``: of its entry, where they are not usual."""
        over, seq = fields.pop("over", None), fields.pop("seq", self.n)
        wall, result = float(self._wall()), summary(events, over)
        edition, at = self.book.edition, float(at)
        entry = Entry(seq, kind, edition, source=source, at=at, wall=wall, result=result, **fields)
        return Record(entry, text, self._place, events, over)

    def _apply(
        self,
        given: Submission,
        mode: str,
        prompt: Prompt | None = None,
        *,
        seq: int | None = None,
        group: int | None = None,
    ) -> Record:
        """Go on with an answer; return its record. ``prompt``: a roll that is answered by itself."""
        play, value = self._play, given.value
        ask, seat = play.ask, play.seat
        assert ask is not None
        with self._guard:
            checked = play.check(value, override=mode == "override", seat=given.seat)
            if play.sealed:
                return self._apply_secret(checked, given)
            throw = play.throw() if isinstance(ask, Roll) and checked.value != BACK else None
            before = self._throws.get(throw) if throw is not None else None
            if isinstance(ask, Roll) and throw is not None:
                if mode != "corrected":
                    counts = settled(ask, before[0] if before is not None else None, value, reroll=mode == "reroll")
                    if counts is not value:
                        value, checked = counts, play.check(counts)
            elif mode == "reroll":
                raise NotNow("nothing-stands", "No roll is pending that could be re-rolled")
            if given.origins:
                check_origins(given.origins, value)
            said = answer_words(ask, value)
            events = tuple(play.accept(checked))
        # A tally is recorded by its name, however it was told.
        answer = dict(checked.value) if isinstance(checked.value, dict) else plain_answer(value)
        origins: tuple[Origin, ...] = ()
        if not isinstance(checked.value, tuple):
            throw = None  # a tally names no faces that could stand
        if throw is not None:
            stands = before is not None and mode == "" and not isinstance(value, int)
            origins = before[1] if before is not None and stands else given.origins
        over = self.over
        entry = Entry(
            len(self._records) if seq is None else seq,
            "answer",
            self.book.edition,
            ask.key,
            ask.rule,
            seat,
            given.seat or "",
            answer,
            mode,
            group,
            given.source,
            float(given.at),
            float(self._wall()),
            summary(events, over),
            {**faces_member(given.source, origins), **unused_member(given.unused)}
            if origins or given.unused
            else NOTHING,
        )
        sides = ask.sides if isinstance(ask, Roll) else 6
        return Record(entry, said, self._place, events, over, throw, sides, prompt, question=ask.text)

    def _apply_secret(self, checked: Answered, given: Submission) -> Record:
        play, seat = self._play, checked.seat
        ask, answers = play.sealed[seat], {**play.held, seat: checked}
        told: list[RevealedAnswer] = []
        if answers.keys() >= play.sealed.keys():
            for each, question in play.sealed.items():
                answer = plain_answer(answers[each].answer)
                told.append(
                    RevealedAnswer(each, question.key, answer, asked(question.text, answer_words(question, answer)))
                )
        did = "has changed the answer in secret" if seat in play.held else "has answered in secret"
        text = phrase("{} {}", self.seats().get(seat, seat), did)
        record = self._record(
            "answer",
            text,
            given.source,
            given.at,
            self._play.accept(checked),
            over=self.over,
            ask=ask.key,
            rule=ask.rule,
            seat=seat,
            by=given.seat or "",
            answer=plain_answer(checked.answer),
            mode=given.mode,
            extra={"sealed": True, **unused_member(given.unused)},
        )
        record.told = tuple(told)
        return record

    def _restore(self, back: int, moves: Sequence[Move]) -> None:
        """Make the moves again that were made after that position."""
        self._play.rewind(back)
        for move in moves:
            self._play.repeat(move)

    def _commit(self, before: int, records: list[Record], at: float) -> Outcome:
        try:
            outcome = self._write(records, at)
        except BaseException:
            self._play.rewind(before)
            raise
        self._stroke(before, records)
        return outcome

    def _write(self, records: list[Record], at: float) -> Outcome:
        """Read the next question, make the entries durable, and only then take note of both."""
        prompt = self._read(len(self._records) + len(records)) if self._reads_ahead else None
        last = records[-1]
        beside = self._beside(at)
        if self._withheld is not None or last.secret:
            beside = {**beside, **self._opening(last)}
        if beside:
            last.entry = last.entry._replace(extra={**last.entry.extra, **beside})
        entries = tuple([record.entry for record in records])
        if self._journal is not None:
            journal, game = self._journal
            journal.append(game, entries)
        self._add(records, prompt)
        events = last.events if len(records) == 1 else [event for record in records for event in record.events]
        told = tuple([(each.seat, each.ask, each.answer) for each in last.told]) if last.told else ()
        return Outcome(tuple(events), self.over, entries, told)

    def _add(self, records: Sequence[Record], prompt: Prompt | None) -> None:
        """Take note of entries that are durable, and of the question that is read next."""
        self._records += records
        self._prompt = prompt
        self._place = self._standing() if prompt is None else prompt.place
        for record in records:
            if record.entry.extra or record.over is not None:
                self._withheld = withheld_after(record.entry, self._withheld)

    def _standing(self) -> tuple[str, ...]:
        with self._guard:
            return tuple(filter(None, self.game.place())) if self._play.ask is not None else ()

    def _stroke(self, before: int, records: Sequence[Record]) -> None:
        """Say that the entries added last are taken back together, and remember what was answered and thrown."""
        first = records[0].entry.seq
        self.strokes.append(Stroke(before, range(first, first + len(records))))
        for record in records:
            entry = record.entry
            if record.throw is not None:
                faces = record.rolled if isinstance(entry.answer, list) else (entry.answer,)
                self._throws[record.throw] = faces, origins_of(entry.source, len(faces), entry.extra)
            if record.remembered:
                self._answers.setdefault((entry.ask, entry.seat), []).append(entry.answer)

    def _void(self, strokes: Sequence[Stroke]) -> None:
        """Mark the latest strokes as taken back. What was thrown stays thrown."""
        del self.strokes[-len(strokes) :]
        for seq in (seq for stroke in strokes for seq in stroke.entries):
            record = self._records[seq]
            record.undone = True
            if record.remembered:
                self._answers[record.entry.ask, record.entry.seat].pop()

    def _opening(self, last: Record) -> Mapping[str, Any]:
        """Return the member that ends the secrecy of answers up to here, nothing where this entry does not."""
        if last.entry.kind not in ("answer", "correct", "concede") or (self._play.sealed and not last.told):
            return NOTHING
        return {"opened": True}

    def _open_to_answers(self, given: Submission) -> None:
        self._on_time(given.n)
        if self.paused:
            raise NotNow("paused", "The game is paused")
        if given.seat is not None:
            self._asked(given.seat)

    def _asked(self, seat: str) -> None:
        """Raise NotNow if another seat is asked than this one."""
        play = self._play
        asked, ask = play.seat, play.ask
        if seat == asked or seat in play.sealed:
            return
        foreign = self.book.foreign_at.get(ask.key if ask else "", self.book.foreign)
        code = foreign if isinstance(foreign, str) else foreign(self.game, seat)
        if asked != ANYBODY:
            names = [self.seats().get(each, each) for each in play.sealed or (asked,)]
            raise NotNow(code, phrase("{} is asked" if len(names) == 1 else "{} are asked", joined(" and ", names)))
        if seat not in self.seats():
            raise NotNow(code, f"expected a seat of the game: {', '.join(self.seats()) or ANYBODY}")

    def _on_time(self, n: int | None) -> None:
        if self._play.ask is None:
            raise NotNow(self.book.closed, "The game is over")
        if n is not None:
            self.current(n)

    def current(self, n: int | None) -> None:
        """Raise Late unless ``n`` is None or the number of the pending question."""
        if n is not None and n != self.n:
            raise Late(f"Question {n} is not pending; question {self.n} is")

    def _not_paused(self) -> None:
        if self.paused:
            raise NotNow("paused", "The game is paused")

    def _look_beside(self) -> None:
        _ = self.game.seats(), self.game.short_names(), self.game.pools(), self.game.status()

    def _read(self, n: int) -> Prompt | None:
        play = self._play
        throw = play.throw() if isinstance(play.ask, Roll) else None
        before = self._throws.get(throw) if throw is not None else None
        with self._guard:
            if self.beside:
                bounded(self._look_beside)
            return bounded(read_prompt, play, n, None if before is None else before[0])
