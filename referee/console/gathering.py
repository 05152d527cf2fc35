"""The faces of a throw as they come in: from hands and from self-reading dice. Pure.

A face counts once it is certain. What is in doubt is proposed: Select takes it, a die key puts another face in its
place, and the die may be thrown again. What a die told and does not count is kept for the journal, with why.

`Gathering` has the faces of the roll that is asked for, `Waiting` what fell where none was, `Step` what seats may
throw together, and `Rolls` knows which roll it is that dice were thrown for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from hardware.events import DOUBTS, Reading
from referee.session import Origin, Prompt, Unused

EARLY = "thrown before"
"""In doubt, since it was thrown before it was asked for."""

AGAIN = "again"
"""In doubt, since the same die was thrown twice for one roll."""

MOVED = "moved"
"""In doubt, since the die was moved where it lay."""

UNSAVED = "not saved"
"""In doubt, since the answer could not be written."""


@dataclass(frozen=True, slots=True)
class Fallen:
    """What one die told.

    ``seat``   the seat that it was assigned to, "" if to none
    ``doubt``  why it is no certain face, "" if it is one
    ``step``   where in the sequence of play it was thrown, for a seat that was to roll there, too; None: it was not
    """

    face: int | None
    origin: Origin
    seat: str = ""
    doubt: str = ""
    step: tuple[str, ...] | None = None

    def is_die(self, origin: Origin) -> bool:
        """Whether it is that die; one without a name never is."""
        return self.origin.die != "" and self.origin[:2] == origin[:2]


def fallen(
    dice: Iterable[Reading], source: str, doubt: str = "", seat_of: Callable[[Reading], str] = lambda _: ""
) -> list[Fallen]:
    """Return what dice of one source told. ``seat_of``: the seat that a die counts for, "" for any."""
    return [
        Fallen(die.face, Origin(source, die.die, die.certainty, picture=die.picture), seat_of(die), doubt)
        for die in dice
    ]


def _disturb(dice: list[Fallen], origin: Origin) -> bool:
    """Put a die that was moved in doubt; return whether it is among these."""
    for place, die in enumerate(dice):
        if die.is_die(origin):
            dice[place] = replace(die, doubt=die.doubt or MOVED)
            return True
    return False


class Gathering:
    """The faces of one roll, in the order in which they came.

    ``dice``    how many are to be thrown
    ``places``  what came so far, at most so many
    ``unused``  what does not count
    ``sent``    whether it became the answer
    """

    def __init__(self, dice: int, places: Iterable[Fallen] = ()) -> None:
        self.dice = dice
        self.places = list(places)
        self.unused: list[Unused] = []
        self.sent = False

    def __len__(self) -> int:
        return len(self.places)

    @property
    def whole(self) -> bool:
        """Whether every die has a certain face."""
        return len(self.places) == self.dice and not self.doubts

    @property
    def doubts(self) -> tuple[int, ...]:
        """Places whose face is not certain."""
        return tuple(place for place, die in enumerate(self.places) if die.doubt)

    @property
    def faces(self) -> list[int]:
        """The faces, for a gathering without doubts."""
        return [die.face for die in self.places if die.face is not None]

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Where each face came from."""
        return tuple(die.origin for die in self.places)

    def key(self, face: int, source: str) -> None:
        """Enter a face by hand: in the place of the first one in doubt, else of the next die."""
        entered = Fallen(face, Origin(source))
        if self.doubts:
            self._replace(self.doubts[0], entered, keyed=face)
        else:
            self.places.append(entered)

    def take(self, dice: Sequence[Fallen]) -> bool:
        """Take what was thrown for this roll, certain or in doubt; return False if that is more than was asked for.

        A die that lies here already takes its own place. It counts if it was thrown again because nobody could tell
        its face, or too early; else somebody has to say which throw it is.
        """
        own = {place for each in dice for place in self._own(each)}
        free = self.dice - len(self.places) + len(set(self.doubts) - own)
        if len(dice) - len(own) > free:
            self.unused += [Unused(each.face, each.origin, each.doubt or "number") for each in dice]
            return False
        taken: set[int] = set()
        for each in dice:
            place = next((at for at in (*self._own(each), *self._loose(each)) if at not in taken), len(self.places))
            taken.add(place)
            if place == len(self.places):
                self.places.append(each)
                continue
            before = self.places[place]
            certain = before.doubt in (*DOUBTS, EARLY) or not before.is_die(each.origin)
            self._replace(place, each if certain else replace(each, doubt=each.doubt or AGAIN))
        return True

    def propose(self, dice: Sequence[Fallen]) -> None:
        """Take what was thrown when it was not asked for: as far as there is room, and in doubt."""
        for each in dice:
            proposed = replace(each, doubt=each.doubt or EARLY)
            if len(self.places) < self.dice or self._own(each):
                self.take([proposed])
            else:
                self.unused.append(Unused(each.face, each.origin, proposed.doubt))

    def disturb(self, origin: Origin) -> bool:
        """A die was moved; return whether it lies here."""
        return _disturb(self.places, origin)

    def confirm(self) -> bool:
        """Let what is in doubt count; return False, changing nothing, where a die shows no face."""
        if any(die.face is None for die in self.places):
            return False
        self.places = [
            replace(die, doubt="", origin=die.origin._replace(doubt=die.doubt)) if die.doubt else die
            for die in self.places
        ]
        return True

    def drop(self) -> None:
        """Take the last one away."""
        die = self.places.pop()
        if not die.origin.by_hand:
            self.unused.append(Unused(die.face, die.origin, die.doubt or "back"))

    def send(self) -> None:
        """Take it that it becomes the answer."""
        self.sent = True

    def unsent(self) -> None:
        """Open the last face again, since the throw was not taken: a key is keyed again, a die confirmed."""
        self.sent = False
        if not self.places:
            return
        if self.places[-1].origin.by_hand:
            self.places.pop()
        else:
            self.places[-1] = replace(self.places[-1], doubt=UNSAVED)

    def left(self) -> list[Fallen]:
        """Return what dice told, if nothing came of it."""
        return [] if self.sent else [die for die in self.places if not die.origin.by_hand]

    def _own(self, die: Fallen) -> list[int]:
        return [place for place, other in enumerate(self.places) if other.is_die(die.origin)]

    def _loose(self, die: Fallen) -> list[int]:
        """Return where it may take the place of another die that is in doubt."""
        if len(self.places) < self.dice and not (die.doubt == "" and self._early()):
            return []
        return self._early() or list(self.doubts)

    def _early(self) -> list[int]:
        return [place for place in self.doubts if self.places[place].doubt == EARLY]

    def _replace(self, place: int, die: Fallen, *, keyed: int | None = None) -> None:
        before = self.places[place]
        again = "" if before.doubt else AGAIN
        self.unused.append(Unused(before.face, before.origin, before.doubt or again, keyed))
        self.places[place] = die


class Step:
    """The rolls of one place in the sequence of play, for which seats may throw together.

    They are asked for one after another; what a seat throws with its own dice once the first of them is on the glass
    is for its first roll there.
    """

    def __init__(self) -> None:
        self._place: tuple[str, ...] = ()
        self._since: float | None = None
        self._first: dict[str, int] = {}

    def ask(self, prompt: Prompt) -> None:
        """A roll is asked for."""
        if prompt.place != self._place:
            self._place, self._since, self._first = prompt.place, None, {}
        self._first.setdefault(prompt.seat, prompt.n)

    def shown(self, prompt: Prompt, since: float) -> None:
        """A roll is on the glass; throws count for it that begin at ``since``."""
        if prompt.place == self._place and self._since is None:
            self._since = since

    def of(self, seat: str, started: float, prompt: Prompt | None) -> tuple[str, ...] | None:
        """Return the step for whose first roll of that seat it threw, while ``prompt`` is pending; None: for none."""
        if not seat or self._since is None or started < self._since or prompt is None:
            return None
        first = self._first.get(seat, prompt.n) >= prompt.n
        return self._place if prompt.kind == "roll" and prompt.place == self._place and first else None


class Waiting:
    """Dice that fell where no roll of theirs was asked for, the latest ones first to be shown at the next roll."""

    MOST, RECORDED = 10, 50
    """So many are kept to be shown, and so many that another throw displaced, to be recorded."""

    def __init__(self) -> None:
        self._dice: list[Fallen] = []
        self._displaced: list[Fallen] = []

    def add(self, dice: Iterable[Fallen]) -> None:
        """Keep them; a die that is here already is what it shows now. What it showed before is recorded only."""
        for die in dice:
            for other in [other for other in self._dice if other.is_die(die.origin)]:
                self._displace(other, AGAIN)
            if len(self._dice) == self.MOST:
                self._displace(self._dice[0], EARLY)
            self._dice.append(die)

    def _displace(self, die: Fallen, why: str) -> None:
        self._dice.remove(die)
        self._displaced = [*self._displaced, replace(die, doubt=die.doubt or why)][-self.RECORDED :]

    def disturb(self, origin: Origin) -> bool:
        """A die was moved; return whether it is here."""
        return _disturb(self._dice, origin)

    def thrown_at(self, step: tuple[str, ...]) -> tuple[Fallen, ...]:
        """Return the dice that seats threw for their own roll of this step."""
        return tuple(die for die in self._dice if die.step == step)

    def hand_over(self, to: Gathering, seat: str, step: tuple[str, ...]) -> None:
        """Give a roll of that seat, at that step, what is for it; dice of other seats stay."""
        mine = [die for die in self._dice if die.seat in ("", seat)]
        self._dice = [die for die in self._dice if die not in mine]
        on_time = [die for die in mine if die.seat == seat and die.step == step]
        early = [die for die in mine if die not in on_time]
        if len(on_time) > to.dice:
            early, on_time = [*early, *(replace(die, doubt=die.doubt or "number") for die in on_time)], []
        displaced = [die for die in self._displaced if die.seat in ("", seat)]
        self._displaced = [die for die in self._displaced if die not in displaced]
        to.unused += [Unused(die.face, die.origin, die.doubt) for die in displaced]
        to.take(on_time)
        to.propose(early[-to.dice :])
        to.unused += [Unused(die.face, die.origin, die.doubt or EARLY) for die in early[: -to.dice]]

    def clear(self) -> None:
        """Forget them all."""
        self._dice.clear()
        self._displaced.clear()


class Rolls:
    """The rolls of the game on the glass."""

    def __init__(self) -> None:
        self._waiting = Waiting()
        self._step = Step()
        self._gathering: Gathering | None = None
        self._prompt: Prompt | None = None

    def gather(self, prompt: Prompt) -> Gathering:
        """Return what has come in for a roll; what dice told for one that was never answered is shown here."""
        if self._gathering is None or self._prompt is not prompt:
            if self._gathering is not None:
                self._waiting.add(self._gathering.left())
            self._prompt, self._gathering = prompt, Gathering(prompt.dice)
            self._step.ask(prompt)
            self._hand_over(prompt)
        return self._gathering

    def shown(self, prompt: Prompt, since: float) -> None:
        """A roll is on the glass; throws count for it that begin at ``since``."""
        self._step.shown(prompt, since)

    def step(self, seat: str, started: float, prompt: Prompt | None) -> tuple[str, ...] | None:
        """Return the step for whose first roll of that seat it threw, while ``prompt`` is pending; None: for none."""
        return self._step.of(seat, started, prompt)

    def thrown_at(self, place: tuple[str, ...]) -> tuple[Fallen, ...]:
        """Return the dice that other seats threw for their own roll of this step."""
        return self._waiting.thrown_at(place)

    def keep(self, dice: Iterable[Fallen], step: tuple[str, ...] | None, prompt: Prompt | None) -> None:
        """Keep what fell where no roll of its own was asked for, thrown at ``step``; it is proposed to ``prompt``."""
        self._waiting.add(replace(die, step=step) for die in dice)
        if prompt is not None and self._prompt is prompt:
            self._hand_over(prompt)

    def _hand_over(self, prompt: Prompt) -> None:
        """Propose to a roll what fell before; self-reading dice have six sides."""
        if self._gathering is not None and prompt.sides == 6:
            self._waiting.hand_over(self._gathering, prompt.seat, prompt.place)

    def disturb(self, origin: Origin) -> str:
        """A die was moved; return the sound of what that means, "" if it lies nowhere."""
        if self._gathering is not None and not self._gathering.sent and self._gathering.disturb(origin):
            return "doubt"
        return "late" if self._waiting.disturb(origin) else ""

    def clear(self) -> None:
        """Another game is played."""
        self._gathering = self._prompt = None
        self._waiting.clear()
