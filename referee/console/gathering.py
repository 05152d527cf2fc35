"""The faces of a throw as they come in: from hands and from self-reading dice. Pure.

A face counts once it is certain. What is in doubt is proposed: Select takes it, a die key puts another face in its
place, and the die may be thrown again. What a die told and does not count is kept for the journal, with why.

`Gathering` has the faces of the roll that is asked for; `Rolls` knows which roll it is that dice were thrown for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from hardware.events import DOUBTS
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
        return len(self.places) == self.dice and not self.doubts

    @property
    def doubts(self) -> tuple[int, ...]:
        """Places whose face is not certain."""
        return tuple(place for place, die in enumerate(self.places) if die.doubt)

    @property
    def faces(self) -> list[int]:
        return [die.face for die in self.places if die.face is not None]

    @property
    def origins(self) -> tuple[Origin, ...]:
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
        die = self.places.pop()
        if not die.origin.by_hand:
            self.unused.append(Unused(die.face, die.origin, die.doubt or "back"))

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


class Rolls:
    """The rolls of the game on the glass, and the dice that wait for one.

    Dice that fell where no roll of theirs was asked for wait until the next roll shows them. For the rolls of one
    place in the sequence of play seats may throw together: what a seat throws with its own dice once the first of
    them is on the glass is for its first roll there.
    """

    MOST, RECORDED = 10, 50
    """So many dice wait to be shown, and so many that another throw displaced, to be recorded."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self._gathering: Gathering | None = None
        self._prompt: Prompt | None = None
        self._waiting: list[Fallen] = []
        self._displaced: list[Fallen] = []
        self._place: tuple[str, ...] = ()
        self._since: float | None = None
        self._first: dict[str, int] = {}

    def gather(self, prompt: Prompt) -> Gathering:
        """Return what has come in for a roll; what dice told for one that was never answered is shown here."""
        if self._gathering is None or self._prompt is not prompt:
            if self._gathering is not None:
                self._wait(self._gathering.left())
            self._prompt, self._gathering = prompt, Gathering(prompt.dice)
            if prompt.place != self._place:
                self._place, self._since, self._first = prompt.place, None, {}
            self._first.setdefault(prompt.seat, prompt.n)
            self._hand_over(prompt, self._gathering)
        return self._gathering

    def shown(self, prompt: Prompt, since: float) -> None:
        """A roll is on the glass; throws count for it that begin at ``since``."""
        if prompt.place == self._place and self._since is None:
            self._since = since

    def step(self, seat: str, started: float, prompt: Prompt | None) -> tuple[str, ...] | None:
        """Return the place for whose first roll that seat threw, while ``prompt`` is pending; None: for none."""
        if not seat or self._since is None or started < self._since or prompt is None:
            return None
        first = self._first.get(seat, prompt.n) >= prompt.n
        return self._place if prompt.kind == "roll" and prompt.place == self._place and first else None

    def thrown_at(self, place: tuple[str, ...]) -> tuple[Fallen, ...]:
        """Return the dice that other seats threw for their own roll of this place."""
        return tuple(die for die in self._waiting if die.step == place)

    def keep(self, dice: Iterable[Fallen], step: tuple[str, ...] | None, prompt: Prompt | None) -> None:
        """Keep what fell where no roll of its own was asked for, thrown at ``step``; it is proposed to ``prompt``."""
        self._wait(replace(die, step=step) for die in dice)
        if prompt is not None and self._prompt is prompt and self._gathering is not None:
            self._hand_over(prompt, self._gathering)

    def disturb(self, origin: Origin) -> str:
        """A die was moved; return the sound of what that means, "" if it lies nowhere."""
        if self._gathering is not None and not self._gathering.sent and self._gathering.disturb(origin):
            return "doubt"
        return "late" if _disturb(self._waiting, origin) else ""

    def _wait(self, dice: Iterable[Fallen]) -> None:
        """Let them wait; a die that waits already is what it shows now. What it showed before is recorded only."""
        for die in dice:
            for other in [other for other in self._waiting if other.is_die(die.origin)]:
                self._displace(other, AGAIN)
            if len(self._waiting) == self.MOST:
                self._displace(self._waiting[0], EARLY)
            self._waiting.append(die)

    def _displace(self, die: Fallen, why: str) -> None:
        self._waiting.remove(die)
        self._displaced = [*self._displaced, replace(die, doubt=die.doubt or why)][-self.RECORDED :]

    def _hand_over(self, prompt: Prompt, to: Gathering) -> None:
        """Give a roll what waits for it; dice of other seats stay. Self-reading dice have six sides."""
        if prompt.sides != 6:
            return
        mine, self._waiting = _parted(self._waiting, prompt.seat)
        displaced, self._displaced = _parted(self._displaced, prompt.seat)
        on_time = [die for die in mine if die.seat == prompt.seat and die.step == prompt.place]
        early = [die for die in mine if die not in on_time]
        if len(on_time) > to.dice:
            early, on_time = [*early, *(replace(die, doubt=die.doubt or "number") for die in on_time)], []
        to.unused += [Unused(die.face, die.origin, die.doubt) for die in displaced]
        to.take(on_time)
        to.propose(early[-to.dice :])
        to.unused += [Unused(die.face, die.origin, die.doubt or EARLY) for die in early[: -to.dice]]


def _parted(dice: list[Fallen], seat: str) -> tuple[list[Fallen], list[Fallen]]:
    """Return those that a roll of this seat may take, and the others."""
    return [die for die in dice if die.seat in ("", seat)], [die for die in dice if die.seat not in ("", seat)]
