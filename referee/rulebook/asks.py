"""The four questions of a rulebook: `Choose`, `Pick`, `Count` and `Roll`.

A question has plain values. If they depend on the state, the procedure yields a function that makes the question; it
is called again after a correction. Bars and odds are functions, called when somebody looks or answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Final, NamedTuple, Self, overload

from referee.errors import Malformed, NotNow
from referee.rulebook.odds import Odds
from referee.rulebook.sections import Procedure


class Option(NamedTuple):
    """One thing that can be chosen.

    ``id``     stable, for programs; once in a question
    ``text``   words for people
    ``short``  the label for a cell of the small glass where ``text`` does not fit
    """

    id: str
    text: str
    short: str = ""


class Bar(NamedTuple):
    """Why an option is not open now.

    ``code``   the refusal code of the rules (``BR-X14``)
    ``text``   one line for people
    ``firm``   no card overrides it: there is nothing the procedure could do with the answer
    ``aside``  kept off the glass, because no player would look for the option here
    """

    code: str
    text: str
    firm: bool = False
    aside: bool = False


class Barred(NamedTuple):
    """An option together with the reason why it is not open."""

    option: Option
    bar: Bar


class Bundle(NamedTuple):
    """A sequence of answers that one press sends; each is checked at its own question, and all count or none.

    ``answers``  one for each question, in the form `Ask.check` takes
    ``pinned``   always offered here, so it may have a place among the first options
    ``instead``  id of the option whose key it takes, as it begins with that answer and goes further; the option can
                 still be answered by its id
    """

    id: str
    text: str
    answers: tuple[Any, ...]
    short: str = ""
    pinned: bool = False
    instead: str = ""


class Options(tuple[Option, ...]):  # noqa: SLOT001 - it carries its index
    """An ordered, immutable set of options that can be looked up by id."""

    by_id: dict[str, Option]

    def __new__(cls, items: Iterable[Option | tuple[str, ...]]) -> Self:
        """Take options, or tuples of their fields; a set of them is taken as it is.

        Raises ValueError if an id comes twice.
        """
        if isinstance(items, cls):
            return items
        self = tuple.__new__(cls, (Option(*item) for item in items))
        self.by_id = {option.id: option for option in self}
        if len(self.by_id) != len(self):
            raise ValueError("two options have the same id")
        return self

    def only(self, *ids: str) -> Options:
        """Return the options with these ids, in the order named here. Raises KeyError."""
        return Options(self.by_id[i] for i in ids)

    def words(self, option: str) -> str:
        """Return the text of the option with this id. Raises KeyError."""
        return self.by_id[option].text


YES_NO = Options([("yes", "Yes"), ("no", "No")])

BarFunction = Callable[[str], "Bar | None"]
CountBarFunction = Callable[[int], "Bar | None"]
Notes = tuple[str | tuple[str, str], ...]
"""Reminders that matter at a question: ids of rules (`Book.rules`), or pairs of one and a line of its own."""


def unbarred(_: object) -> Bar | None:
    """Return None: nothing is barred."""
    return None


def _no_odds() -> Odds | None:
    return None


def shown(value: object) -> str:
    """Describe a wrong answer in a refusal, shortened so that no entry can flood a log."""
    return brief(repr(value))


def brief(text: str) -> str:
    """Return a text for a line, its end left out where it is long."""
    return text if len(text) <= 40 else text[:37] + "..."


@dataclass(slots=True, eq=False)
class Ask:
    """What all four questions share.

    ``key``     stable name of the question, ``attack.target``
    ``text``    one line for people
    ``seat``    who must answer; None: whoever's turn it is
    ``rule``    id of the rule that asks for it
    ``head``    what the top line of the glass names on the left; "": the seat
    ``tag``     a word for the right of the top line
    ``notes``   reminders that matter here
    ``bundles`` what is offered as one press, or a function that works it out
    ``odds``    works out the chances of what is asked, or of the throw that this question leads to; None: not stated
    """

    kind: ClassVar[str] = ""

    key: str
    text: str
    _: KW_ONLY
    seat: str | None = None
    rule: str = ""
    head: str = ""
    tag: str = ""
    notes: Notes = ()
    bundles: Sequence[Bundle] | Callable[[], Sequence[Bundle]] = ()
    odds: Callable[[], Odds | None] = _no_odds

    def offered(self) -> tuple[Bundle, ...]:
        """Return what is offered as one press; a bundle may still be refused when it is sent."""
        return tuple(self.bundles() if callable(self.bundles) else self.bundles)

    def check(self, answer: object, *, override: bool = False) -> Any:
        """Return the answer as the procedure receives it. Changes nothing.

        ``override``: a card says otherwise, so what is barred is accepted, unless it is barred firmly.
        Raises Malformed for what is no answer to this question, NotNow with the code of its bar for what is barred,
        and NotNow (``not-barred``) for an override of what is open.
        """
        raise NotImplementedError  # an abstract class would make each look at a question's type slow


@dataclass(slots=True, eq=False)
class Among(Ask):
    """What the questions with options share. ``bar``: id -> why it is not open now, or None."""

    among: Options
    bar: BarFunction = unbarred

    def sorted(self) -> tuple[tuple[Option, ...], tuple[Barred, ...]]:
        """Return what is open now, and what exists but is not, each in the order of the rulebook."""
        why, among = self.bar, self.among
        if why is unbarred:
            return among, ()
        options, barred = list[Option](), list[Barred]()
        for option in among:
            bar = why(option.id)
            if bar is None:
                options.append(option)
            else:
                barred.append(Barred(option, bar))
        return (tuple(options), tuple(barred)) if barred else (among, ())

    def options(self) -> tuple[Option, ...]:
        """Return what is open now, in the order of the rulebook."""
        return self.sorted()[0]

    def barred(self) -> tuple[Barred, ...]:
        """Return what exists but is not open now, each with its reason."""
        return self.sorted()[1]

    def _strange(self, answer: str, many: str) -> Malformed:
        ids = ", ".join(o.id for o in self.options())
        return Malformed(f"expected {many} of: {ids}; got {shown(answer)}", "no-such-option")


def _pass(bars: Sequence[Bar | None], *, override: bool) -> None:
    """Raise NotNow if something bars an answer and is not overridden, or if nothing does and it is."""
    for bar in bars:
        if bar is not None and (bar.firm or not override):
            raise NotNow(bar.code, bar.text)
    if override and not any(bars):
        raise NotNow("not-barred", "That option is open; answer without an override")


@dataclass(slots=True, eq=False)
class Choose(Among):
    """Exactly one of several options; answered by its id, and the procedure receives that id (``str``).

    ``default``  id of the option that is lit at first
    ``passing``  id of the option that ends or skips (done, none)
    ``rare``     id of an option so seldom wanted that it may do without a key where there is one too few
    """

    kind = "choose"

    _: KW_ONLY
    default: str | None = None
    passing: str | None = None
    rare: str | None = None

    def check(self, answer: object, *, override: bool = False) -> str:
        """Return the id. Raises Malformed (``no-such-option`` for an id of no option) or NotNow."""
        if type(answer) is not str:
            raise Malformed(f"expected the id of one option, got {shown(answer)}")
        if answer not in self.among.by_id:
            raise self._strange(answer, "one")
        bar = self.bar(answer)
        if bar is not None or override:
            _pass([bar], override=override)
        return answer


@dataclass(slots=True, eq=False)
class Pick(Among):
    """Several of several options, between ``low`` and ``high`` (-1: all) of them; answered by a tuple of ids."""

    kind = "pick"

    _: KW_ONLY
    low: int = 0
    high: int = -1

    def __post_init__(self) -> None:
        self.high = len(self.among) if self.high < 0 else self.high

    def check(self, answer: object, *, override: bool = False) -> tuple[str, ...]:
        """Return the ids in the order they were sent. Raises Malformed (``out-of-range`` for too many) or NotNow."""
        if not isinstance(answer, (list, tuple)) or not all(type(a) is str for a in answer):
            raise Malformed(f"expected a list of ids, got {shown(answer)}")
        if len(set(answer)) != len(answer):
            raise Malformed(f"expected each id once, got {shown(answer)}")
        for each in answer:
            if each not in self.among.by_id:
                raise self._strange(each, "some")
        _pass([self.bar(each) for each in answer], override=override)
        if not self.low <= len(answer) <= self.high:
            raise Malformed(f"expected {self.low} to {self.high} of them, got {len(answer)}", "out-of-range")
        return tuple(answer)


@dataclass(slots=True, eq=False)
class Count(Ask):
    """A whole number from ``low`` to ``high``; the procedure receives it as ``int``.

    ``bar``   why a value is not open now, or None (more hexes than the allowance, say)
    ``unit``  stands beside the number ("hexes", "of 3"), ``one`` beside a 1 where that reads otherwise ("hex")
    """

    kind = "count"

    low: int
    high: int
    bar: CountBarFunction = unbarred
    _: KW_ONLY
    default: int | None = None
    unit: str = ""
    one: str = ""

    def __post_init__(self) -> None:
        self.one = self.one or self.unit

    def check(self, answer: object, *, override: bool = False) -> int:
        """Return the number. Raises Malformed (``out-of-range`` beyond ``low`` and ``high``) or NotNow."""
        if type(answer) is not int:
            raise Malformed(f"expected a whole number from {self.low} to {self.high}, got {shown(answer)}")
        if not self.low <= answer <= self.high:
            raise Malformed(f"expected {self.low} to {self.high}, got {shown(answer)}", "out-of-range")
        _pass([self.bar(answer)], override=override)
        return answer


MIN_SIDES: Final = 4
MAX_SIDES: Final = 20


@dataclass(slots=True, eq=False)
class Roll(Ask):
    """A throw of ``dice`` dice of ``sides`` sides, 4 to 20; the procedure receives a tuple of faces.

    ``low``    fewest dice that may be thrown; -1: all of them
    ``total``  only the sum matters, so it may be entered instead: the procedure then receives a tuple with that one
               number, and ``sum(faces)`` is right in both cases
    ``tally``  only how many dice did something matters ("hits"), so that number may be told instead: the answer
               ``{"hits": 2}``, or 2, and the procedure receives ``{"hits": 2}``
    ``by_tally``  the die keys of a box mean that number, not faces
    ``code``   refusal code for dice that cannot be; ``face_code``: for a face that is none, where it differs
    ``need``, ``need_note``  what is wanted, before the throw ("9+", "kills"); ``foot``: what else matters, left and
               right under the dice

    Raises ValueError for other ``sides``.
    """

    kind = "roll"

    dice: int
    _: KW_ONLY
    sides: int = 6
    low: int = -1
    total: bool = False
    tally: str = ""
    by_tally: bool = False
    code: str = "bad-dice"
    face_code: str = ""
    need: str = ""
    need_note: str = ""
    foot: tuple[str, str] = ("", "")

    def __post_init__(self) -> None:
        if not MIN_SIDES <= self.sides <= MAX_SIDES:
            raise ValueError(f"{self.key}: expected dice of {MIN_SIDES} to {MAX_SIDES} sides, got {self.sides!r}")
        self.low = self.dice if self.low < 0 else self.low

    def check(self, answer: object, *, override: bool = False) -> tuple[int, ...] | dict[str, int]:
        """Return the faces, one number (a total), or the tally by its name.

        Raises Malformed for what is no list of whole numbers, NotNow (``code``, ``face_code``) for impossible dice.
        """
        del override  # no card can make a die show seven
        number = answer.get(self.tally) if isinstance(answer, Mapping) and len(answer) == 1 else answer
        if type(number) is int:
            if self.tally and 0 <= number <= self.dice:
                return {self.tally: number}
            if self.total and number is answer and self.dice <= number <= self.sides * self.dice:
                return (number,)
            raise NotNow(self.code, self._expected(number))
        if not isinstance(answer, (list, tuple)) or not all(type(a) is int for a in answer):
            raise Malformed(f"{self._expected(answer)}")
        if not all(1 <= face <= self.sides for face in answer):
            raise NotNow(self.face_code or self.code, self._expected(answer))
        if not self.low <= len(answer) <= self.dice:
            raise NotNow(self.code, self._expected(answer))
        return tuple(answer)

    def _expected(self, answer: object) -> str:
        least = f"{self.low} to" if self.low else "up to"
        many = f"{self.dice}" if self.low == self.dice else f"{least} {self.dice}"
        ways = [f"{many} face{'' if self.dice == 1 else 's'} from 1 to {self.sides}"]
        if self.total:
            ways.append(f"a total from {self.dice} to {self.sides * self.dice}")
        if self.tally:  # the keys give it, so it comes first where they do
            number = f"0 to {self.dice} {self.tally}" if self.dice > 1 else f"0 or 1 {self.tally.removesuffix('s')}"
            ways.insert(0 if self.by_tally else 1, number)
        got = shown(answer)
        if isinstance(answer, (list, tuple)) and answer and all(type(face) is int for face in answer):
            got = brief(", ".join(str(face) for face in answer))
        return f"Enter {', or '.join(ways)}; not {got}"


class Sealed:
    """Questions that several seats answer in secret, in whatever order: nobody is told an answer until all are in.

    The procedure receives a dictionary: seat -> answer.

    ``asks``  seat -> its question, in the order in which the table is asked
    """

    __slots__ = ("asks",)

    def __init__(self, *asks: Ask) -> None:
        """Take one question of each seat. Raises ValueError for a roll, bundles, no seat, or a seat twice."""
        self.asks: Mapping[str, Ask] = {ask.seat: ask for ask in asks if ask.seat}
        if not asks or len(self.asks) != len(asks):
            raise ValueError("expected questions in secret, one of each seat, that `seat=` names")
        for ask in asks:
            if isinstance(ask, Roll) or ask.offered():
                raise ValueError(f"{ask.key}: neither dice nor bundles can be a secret")


@overload
def decide(ask: Choose | Callable[[], Choose], *, cards: bool = False) -> Procedure[str]: ...
@overload
def decide(ask: Count | Callable[[], Count], *, cards: bool = False) -> Procedure[int]: ...
def decide(ask: Choose | Count | Callable[[], Choose | Count], *, cards: bool = False) -> Procedure[Any]:
    """Ask, unless exactly one answer is open: then return it, as nobody has to press for it.

    For facts, where the barred answers are not open to this table at all. ``cards``: a card may say otherwise, so it
    is asked as long as one of them is not barred firmly. What costs a player something is asked all the same: yield
    the question itself.
    """
    made = ask() if callable(ask) else ask
    answers: Iterable[Any] = range(made.low, made.high + 1) if isinstance(made, Count) else made.among.by_id
    found: list[Any] = []
    for answer in answers:
        bar = made.bar(answer)
        if bar is None:
            found.append(answer)
        if len(found) > 1 or (cards and bar is not None and not bar.firm):
            return (yield ask)
    return found[0] if found else (yield ask)
