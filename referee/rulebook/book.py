"""A `Book`: one game as the referee knows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from referee.errors import BadSetting, BrokenRulebook, UnknownRuling
from referee.rulebook.asks import Among
from referee.rulebook.game import Game
from referee.rulebook.odds import Cell, Odds, checked
from referee.rulebook.sections import Procedure


@dataclass(frozen=True)
class Switch:
    """A reading of the rules the table chooses before the game starts.

    ``name``    as settings have it ("saruman-attacks")
    ``text``    one line for people
    ``values``  what it can be: true and false, whole numbers or words; the first is the default
    ``short``   its label on the small glass
    ``also``    other names it answers to
    """

    name: str
    text: str
    values: tuple[Any, ...]
    rule: str = ""
    short: str = ""
    also: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """Its name as people read it: "Crowns Harad" for "crowns[harad]", since what stands in brackets is a name."""
        what, _, of = (re.sub(r"[-_\]]+", " ", part).strip() for part in self.name.partition("["))
        return f"{what.capitalize()} {of.title()}".rstrip()

    def says(self, value: object) -> str:
        """Return a value as people read it."""
        return ("on" if value else "off") if isinstance(value, bool) else str(value)

    def parse(self, value: object) -> Any:
        """Return the value meant by a JSON value or a word from the command line. Raises BadSetting."""
        for each in self.values:
            same = value == each and isinstance(value, bool) == isinstance(each, bool)
            if same or (isinstance(value, str) and value.lower() in _words(each)):
                return each
        expected = ", ".join(_words(v)[0] for v in self.values)
        raise BadSetting(f"{self.name}: expected one of {expected}; got {value!r}")


class Assumed(NamedTuple):
    """What an outlook takes for granted: ``short`` for the band of the glass, ``text`` all of it, in a sentence."""

    short: str = ""
    text: str = ""


NO_ASSUMPTION = Assumed()


def _words(value: Any) -> tuple[str, ...]:
    if value is True:
        return ("on", "true", "yes", "1")
    if value is False:
        return ("off", "false", "no", "0")
    return (str(value).lower(),)


class Onward(NamedTuple):
    """Why what Select sends as a question appears may lead to another place, or end a section that lasts.

    ``answers``: ids of the options and bundles that may; none: whatever it sends
    """

    why: str
    answers: tuple[str, ...] = ()


class Label(NamedTuple):
    """What a shelf shows of a book; ``short`` where ``title`` does not fit, ``offers`` where there is room."""

    id: str
    title: str
    short: str = ""
    offers: str = ""


@dataclass(frozen=True)
class Book:
    """One game: how it starts, its whole procedure, its single rulings, and what it is called.

    ``start``    settings -> a fresh state
    ``play``     the whole game; None if the rules at hand cover only parts of it
    ``covers``   what ``play`` referees, in words, where that is not all of the printed game
    ``rulings``  single decisions built from the same sections, each a procedure on a fresh state
    ``foreign``  refusal code for an entry by a seat that is not asked
    ``foreign_at`` the same for single questions, by their key, where it differs: a code, or a function (state, seat
                 that answered) -> code
    ``elsewhere`` (state, question, answer) -> refusal code of an answer that is no option of that question, but has
                 its place in the game; "" for what has none
    ``closed``   refusal code for an entry after the end
    ``onward``   questions, by their key, at which a stray Select goes on, and why that costs nobody anything
    ``rules``    every rule id of the game with one line in our own words
    ``tables``   the printed tables by name, each a function that works out its cells
    ``outlook``  a state -> the exact chances of how it will all come out, or None while nothing can be said
    ``assumes``  what these chances take for granted; shown with them
    """

    id: str
    title: str
    edition: str
    start: Callable[[Mapping[str, Any]], Game]
    play: Callable[[Any], Procedure[None]] | None = None
    rulings: Mapping[str, Callable[[Any], Procedure[None]]] = field(default_factory=dict)
    switches: tuple[Switch, ...] = ()
    foreign: str = "not-asked"
    foreign_at: Mapping[str, str | Callable[[Any, str], str]] = field(default_factory=dict)
    elsewhere: Callable[[Any, Among, str], str] | None = None
    closed: str = "over"
    onward: Mapping[str, Onward] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, Callable[[], Sequence[Cell]]] = field(default_factory=dict)
    short: str = ""
    outlook: Callable[[Any], Odds | None] | None = None
    assumes: Assumed = NO_ASSUMPTION
    covers: str = "the whole game"

    @property
    def label(self) -> Label:
        """What the shelf shows of it."""
        return Label(self.id, self.title, self.short, self.offers)

    @property
    def offers(self) -> str:
        """What it referees, in a line for people."""
        whole = f"{self.covers[:1].upper()}{self.covers[1:]}." if self.play else ""
        names = ", ".join(name.replace("-", " ") for name in self.rulings)
        return " ".join(filter(None, (whole, f"Single rulings: {names}" if names else "")))

    def printed(self) -> dict[str, tuple[Cell, ...]]:
        """Return the cells of every printed table, by its name. Raises BrokenRulebook where one cannot be shown."""
        try:
            return {name: tuple(map(checked, cells())) for name, cells in self.tables.items()}
        except Exception as fault:
            raise BrokenRulebook.of(self.id, fault) from fault

    def settings(self, chosen: Mapping[str, object]) -> dict[str, Any]:
        """Return the value of every switch by its name, the default of those that are not ``chosen``.

        ``chosen``: values as JSON has them, or as words. Raises BadSetting for an unknown switch or value, and for a
        switch that is set by two of its names.
        """
        known = {name: switch for switch in self.switches for name in (switch.name, *switch.also)}
        values = {switch.name: switch.values[0] for switch in self.switches}
        by: dict[str, str] = {}
        for name, value in chosen.items():
            if name not in known:
                raise BadSetting(f"{self.id} has no switch {name!r}; known: {', '.join(values) or 'none'}")
            switch = known[name]
            if (other := by.setdefault(switch.name, name)) != name:
                raise BadSetting(f"{switch.name} is set twice, as {other!r} and {name!r}")
            values[switch.name] = switch.parse(value)
        return values

    def procedure(self, ruling: str | None) -> Callable[[Any], Procedure[None]]:
        """Return the whole game (None) or the single ruling of that name. Raises UnknownRuling."""
        if ruling is None:
            if self.play is None:
                raise UnknownRuling(f"{self.id} has only single rulings: {', '.join(self.rulings)}")
            return self.play
        try:
            return self.rulings[ruling]
        except KeyError:
            names = ", ".join(self.rulings) or "none"
            raise UnknownRuling(f"{self.id} has no ruling {ruling!r}; it offers: {names}") from None
