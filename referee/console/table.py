"""The table: the game in progress as players meet it. What they do is done here; what follows is told back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from referee.clock import Fall
from referee.config import Config
from referee.console.clock import SeatClocks
from referee.console.gathering import Rolls
from referee.console.grammar import KEYS
from referee.console.shelf import BoxDice, Ended, Shelf
from referee.console.stage import Stage
from referee.errors import NotNow, RefereeError
from referee.rulebook import Book, Event, Reminder, Ruling
from referee.session import LastThrow, Outcome, Prompt, Right, Session, Submission, ms, waits_for

CHECKLIST: Final = "setup."
"""How questions begin that are a list of what is placed before a game: who plays again is not asked, nor reminded."""


class Table:
    """What is done with the session, and where the players stand in it.

    ``stage``        where it is shown what follows
    ``shelf``        the games of this box
    ``dice``         whose dice count here
    ``customs``      how this table plays
    ``rolls``        which roll it is that dice were thrown for
    ``session``      the game in progress, None: there is none
    ``pending``      rulings and reminders still to be read, the next one first
    ``known``        the reminders that were read in this game
    ``begun``        the seat that began its turn last
    ``recent``       the ruling that led to the pending question, None if none did or a turn has begun since
    ``recalled``     whether it was asked for once more, and lies on the glass again
    ``clocks``       the seat clocks of the game in progress
    ``source``       who acts: what the journal names for it

    What is done here raises `RefereeError` where it is refused or fails: whoever is told shows it.
    """

    def __init__(
        self,
        stage: Stage,
        shelf: Shelf,
        dice: BoxDice,
        config: Config,
    ) -> None:
        self.stage = stage
        self.shelf = shelf
        self.dice = dice
        self.customs = config.table
        self.clocks = SeatClocks(config.clock)
        self.rolls = Rolls()
        self.session: Session | None = None
        self.pending: list[Ruling | Reminder] = []
        self.known: set[str] = set()
        self.recent: Ruling | None = None
        self.recalled = False
        self.begun = ""
        self._steps = 0
        self._asked = ""  # the seat whose question was answered last in this turn
        self.source = ""
        self._at = 0.0

    @property
    def current(self) -> Session:
        """The game in progress, for what is shown only while there is one."""
        assert self.session is not None
        return self.session

    @property
    def prompt(self) -> Prompt | None:
        """The pending question, None without a game or after its end."""
        return self.session.prompt if self.session is not None else None

    @property
    def turn(self) -> str:
        """The seat whose turn it is; "" for single rulings, where nobody takes turns."""
        session = self.session
        return session.game.seat if session is not None and session.game.seat in session.seats() else ""

    @property
    def handover(self) -> bool:
        """Whether the seat whose turn it is has yet to begin."""
        return self.turn != self.begun

    @property
    def asking(self) -> bool:
        """Whether the pending question is on the glass, or under what lies on it."""
        session = self.session
        if session is None or session.paused or session.prompt is None:
            return False
        return not self.pending and not self.handover

    @property
    def last_throw(self) -> LastThrow | None:
        """The faces entered last, as long as nothing accepted since counts. A number of hits is undone instead."""
        throw = self.session.last_throw if self.session is not None else None
        return None if throw is None or isinstance(throw.answer, dict) else throw

    @property
    def seat_keys(self) -> Mapping[str, str]:
        seats = self.session.seats() if self.session is not None else {}
        return {seat: f"seat-{number}" for number, seat in enumerate(seats, 1)}

    def seat_name(self, seat: str) -> str:
        return self.session.seats().get(seat, "") if self.session is not None else ""

    @property
    def nameable(self) -> bool:
        """Whether there are seats whose players can be named: those of a game that is recorded."""
        session = self.session
        return session is not None and session.game_id is not None and self.shelf.players is not None

    @property
    def players(self) -> Mapping[str, str]:
        players, game = self.shelf.players, self.session.game_id if self.session is not None else None
        return players.names(game) if players is not None and game is not None else {}

    @property
    def players_before(self) -> Sequence[str]:
        """The names of all players that were ever given, the latest first. Raises StationError."""
        return self.shelf.players.used() if self.shelf.players is not None else ()

    @property
    def call(self) -> tuple[str, ...]:
        """The seat that is asked and who plays it, where that is news: it was not asked just before in this turn."""
        seat = self.prompt.seat if self.prompt is not None else ""
        player = self.players.get(seat, "") if seat != self._asked else ""
        return (self.seat_name(seat), player) if player else ()

    def seat_player(self, seat: str, name: str) -> None:
        """Say who plays a seat, "": nobody. Raises Malformed, NotNow or StationError, with nothing changed."""
        players, game = self.shelf.players, self.session.game_id if self.session is not None else None
        if players is None or game is None or seat not in self.current.seats():
            raise NotNow("names", "No seats to name")
        players.name(game, seat, name)

    @property
    def names(self) -> Mapping[str, tuple[str, ...]]:
        """What people call each seat: its name, and the short one where it has one."""
        if self.session is None:
            return {}
        shorts = self.session.short_names()
        return {seat: tuple(filter(None, (name, shorts.get(seat)))) for seat, name in self.session.seats().items()}

    def noted(self, kind: str) -> Any:
        """Return what was noted last of that kind beside the game in progress; None for nothing."""
        try:
            notebook = self.shelf.notebook(self.session) if self.session is not None else None
            notes = notebook.read() if notebook is not None else ()
        except RefereeError:  # said where the game was opened
            notes = ()
        return next((each.extra[kind] for each in reversed(notes) if kind in each.extra), None)

    def last_choice(self, prompt: Prompt) -> str | None:
        """Return what was chosen last in the same context: where the encoder should stand.

        Never the option that ends or skips: a stray Select must not end a phase.
        """
        last = self.current.last_answer(prompt.ask, prompt.seat)
        return last if isinstance(last, str) and last != prompt.passing else None

    def notes(self, prompt: Prompt) -> tuple[tuple[str, str], ...]:
        """Return what can be read about a question: its reminders, then the rule it stands for."""
        line = self.current.book.rules.get(prompt.rule, "")
        return (*prompt.notes, *(((prompt.rule, line),) if line else ()))

    def acting(self, source: str, at: float) -> None:
        """Say who acts from here on, and when: what the journal keeps of the deeds that follow."""
        self.source, self._at = source, at

    def use(self, session: Session | None, *, new: bool = False) -> None:
        """Play this game from here on, or none; ``new``: it has only just begun."""
        if session is not self.session:
            self.session = session
            self.rolls.clear()
            self.known.clear()
        if session is not None:
            session.beside = True
        fault = self.clocks.open(session, self.shelf, new=new)
        self._take(session.latest if session is not None else ())
        self.begun, self._steps, self._asked = "", 0, ""
        if session is not None and session.mid_turn:
            self.begun = self.turn  # whoever was in the middle of it goes on
        self.stage.renew()
        if fault is not None:
            self.stage.fail(fault)

    def begin(self, book: Book, settings: Mapping[str, Any], ruling: str | None) -> None:
        self.use(self.shelf.begin(book, settings, ruling, self.source), new=True)
        self.clocks.start(self.turn, ms(self._at), self.source)

    def begin_again(self, ended: Ended, *, swap: bool = False) -> None:
        """Begin a game like that one, with the same players; ``swap``: each a seat further on."""
        self.begin(ended.book, ended.settings, None)
        seats = [*self.current.seats()]
        names = [ended.players.get(seat, "") for seat in seats]
        for seat, name in zip(seats, [*names[-1:], *names[:-1]] if swap else names, strict=True):
            if name and self.nameable:
                self.seat_player(seat, name)
        if self.prompt is not None and self.prompt.shortcut and self.prompt.ask.startswith(CHECKLIST):
            self.bundle(self.prompt, self.prompt.shortcut.id)
            self.pending.clear()
            self.stage.renew()

    @property
    def ended(self) -> Ended:
        return Ended(self.current.book, self.current.settings, self.players)

    def take_up(self, game: str) -> None:
        self.use(self.shelf.resume(game))

    def leave(self) -> None:
        """Back to the shelf; an unfinished game stays in the journal and can be resumed from there."""
        if self.current.over is None:
            self.current.leave(source=self.source, at=self._at)
        self.use(None)

    def answer(self, given: Submission) -> None:
        self.do(lambda: self.current.answer(self._stamped(given)))

    def correct_throw(self, given: Submission, right: Right) -> None:
        steps = self._steps
        each = self._stamped(given._replace(n=self.current.n))
        self.do(lambda: self.current.correct_throw(each, right))
        self._steps = steps  # one stroke has taken the place of another

    def bundle(self, prompt: Prompt, bundle: str) -> None:
        self.do(lambda: self.current.bundle(self._stamped(prompt.given(bundle))))

    def _stamped(self, given: Submission) -> Submission:
        """Return it with who sends it, where that is not known otherwise, and when."""
        return given._replace(source=given.source or self.source, at=self._at)

    def same_again(self) -> bool:
        """Repeat the last action with new dice; return whether the pending question offers it.

        Not while more is to be read than what is on the glass.
        """
        prompt = self.prompt
        if prompt is None or not self.repeats:
            return False
        if prompt.shortcut is not None:
            self.bundle(prompt, prompt.shortcut.id)
        elif again := self.current.again():  # single rulings, which have no clocks
            given = self._stamped(prompt.given(again))
            self.do(lambda: self.current.sequence(given))
        return True

    @property
    def repeats(self) -> bool:
        """Whether the pending question offers the last action once more, and nothing else is to be read before it."""
        prompt = self.prompt
        if prompt is None or self.handover or len(self.pending) > 1:
            return False
        return prompt.shortcut is not None or bool(self.current.again())

    def correct(self, path: str, value: object) -> None:
        """Set a counter as the judge says; what was still to be read stays."""
        source = "judge" if self.source == KEYS else self.source
        self.do(lambda: self.current.correct(path, value, source=source, at=self._at), self._unread)

    def concede(self, seat: str) -> None:
        """A seat gives up; what was still to be read stays."""
        self.do(lambda: self.current.concede(seat, source=self.source, at=self._at), self._unread)

    def pause(self) -> None:
        """Stop asking until somebody resumes; what is still to be read stays."""
        self.current.pause(source=self.source, at=self._at)
        self.stage.renew("key")
        self.clocks.pause(ms(self._at), self.source)

    def resume(self) -> None:
        self.current.unpause(source=self.source, at=self._at)
        self.stage.renew("key")
        self.clocks.resume(ms(self._at), self.source)

    def keep(self, deed: Callable[[int, str], None]) -> None:
        """Do something to the clocks; ``deed`` is given the time of it, ms, and who does it."""
        deed(ms(self._at), "judge" if self.source == KEYS else self.source)
        self.stage.renew("key")

    def note(self, extra: Mapping[str, Any], *, of_game: bool = True) -> None:
        """Write beside the game in progress, or the latest one. Raises JournalError, or NotNow.

        ``of_game``: whether there must be a game that it is about.
        """
        notebook = self.shelf.notebook(self.session)
        if notebook is None or (of_game and not notebook.game):
            raise NotNow("no-game", "Start a game first, or raise your hand")
        notebook.add(extra, seat="", source=self.source, at=self._at)

    def keep_time(self, now: float) -> list[Fall]:
        """Let the clocks follow what is asked; return the flags that fell since the last time."""
        if self.session is not None:
            self.stage.attempt(lambda: self.clocks.start(self.turn, ms(now), self.source))
        if self.session is None or self.clocks.keeper.clocks is None:
            return []
        seen = waits_for(self.session, reads=bool(self.pending) and not self.recalled)
        falls = self.clocks.keeper.see(seen, ms(now))
        self.stage.attempt(lambda: self.clocks.keeper.record(ms(now)))
        return falls

    def lose(self, seat: str) -> None:
        """A seat whose flag fell gives up, where the game allows it."""
        with suppress(RefereeError):
            outcome = self.current.concede(seat, source="clock", at=self._at)
            self._steps += 1
            self._take((*self._unread, *outcome.events))
            self.stage.renew()

    def undo(self) -> None:
        self.current.undo(source=self.source, at=self._at)
        self._steps = max(0, self._steps - 1)
        self._take(())
        self.stage.renew("key")

    @property
    def may_step_back(self) -> bool:
        """Whether the last accepted thing is of this turn; what lies before it takes the menu."""
        return self._steps > 0

    def read(self) -> None:
        """The ruling or reminder on the glass was read."""
        self.known |= {each.text for each in self.pending[:1] if isinstance(each, Reminder)}
        del self.pending[:1]
        self.recalled = False
        self.stage.renew()

    def recall(self) -> None:
        """Read the ruling once more that led to the pending question; nothing is undone."""
        assert self.recent is not None
        self.pending, self.recalled = [self.recent], True
        self.stage.renew("key")

    def begin_turn(self) -> None:
        self.begun, self._steps, self._asked = self.turn, 0, ""
        self.recent = None
        self.stage.renew("key")

    def do(self, deed: Callable[[], Outcome], unread: Sequence[Event] = ()) -> None:
        """Do something to the session and take up what follows; ``unread``: what has to be read before that."""
        asked = self.prompt.seat if self.prompt is not None else ""
        outcome = deed()
        turn, self._asked = self.begun, asked
        self._steps += 1
        self._take((*unread, *outcome.events))
        rulings = [event for event in outcome.events if isinstance(event, Ruling)]
        if rulings:
            self.stage.renew("change" if any(ruling.changed for ruling in rulings) else "none")
        else:
            self.stage.renew("seat" if turn and self.turn != turn else "key")

    @property
    def _unread(self) -> tuple[Event, ...]:
        """What is still to be read; a ruling that was asked for once more has been."""
        return () if self.recalled else tuple(self.pending)

    def _take(self, events: Sequence[Event]) -> None:
        """Have this read next in place of what was."""
        self.pending, self.recalled = list(events), False
        self.recent = next((event for event in reversed(events) if isinstance(event, Ruling)), None)
