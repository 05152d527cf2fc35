"""The pending question as one frozen value."""

from __future__ import annotations

from typing import Any, NamedTuple

from referee.rulebook import Ask, Barred, Bundle, Choose, Count, Option, Pick, Play, Roll
from referee.rulebook.asks import Among
from referee.session.extra import Mode, Submission, plain_answer

LISTED = 200
"""Values of a `Count` that are looked through for barred ones; a wider range is only judged when answered."""


class Prompt(NamedTuple):
    """One pending question.

    ``n``         its number: grows with everything accepted, and stays the same over refusals and a restart
    ``seat``      who must answer; ``table``: anybody
    ``kind``      choose, pick, count or roll
    ``ask``       stable key of the question; ``text`` one line for people; ``rule`` the rule it stands for
    ``among``     choose, pick: every option, open or not, in an order that does not move
    ``options``   choose, pick: those that are open now
    ``barred``    those that are not, with their reasons (for a count: single values, their number as id)
    ``bundles``   answer sequences that can be sent as one
    ``default``   where the encoder should stand (an id or a number), None: no opinion
    ``passing``   the option that ends or skips; ``rare``: the one that needs no key of its own
    ``low``, ``high``  count: smallest and largest value; pick: how many; roll: fewest and most dice
    ``unit``      count: what stands beside the number; ``one``: beside a 1
    ``dice``      roll: dice to be thrown, of ``sides``; ``total``: the sum may be entered instead
    ``tally``     roll: what may be counted and told instead of faces; ``by_tally``: that is what the keys mean
    ``stands``    roll: faces already thrown for this very roll (one number: their sum), None if there are none
    ``sealed``    the questions that are asked in secret at once, this one among them; ``secret``: it is one of them;
                  ``answered``: its answer is in
    ``back``      whether ``back`` drops the action under way
    ``place``     where the sequence of play stands, outermost first
    """

    n: int
    seat: str
    kind: str
    ask: str
    text: str
    rule: str
    head: str = ""
    tag: str = ""
    notes: tuple[tuple[str, str], ...] = ()
    place: tuple[str, ...] = ()
    back: bool = False
    among: tuple[Option, ...] = ()
    options: tuple[Option, ...] = ()
    barred: tuple[Barred, ...] = ()
    bundles: tuple[Bundle, ...] = ()
    default: str | int | None = None
    passing: str | None = None
    rare: str | None = None
    low: int = 0
    high: int = 0
    unit: str = ""
    one: str = ""
    dice: int = 0
    sides: int = 6
    total: bool = False
    tally: str = ""
    by_tally: bool = False
    need: str = ""
    need_note: str = ""
    foot: tuple[str, str] = ("", "")
    stands: tuple[int, ...] | None = None
    sealed: tuple[Prompt, ...] = ()
    secret: bool = False
    answered: bool = False

    @property
    def shortcut(self) -> Bundle | None:
        """The bundle a held Select sends: the first beside the options, and none that ends or skips what is asked."""
        meant = (each for each in self.bundles if not each.instead and each.answers[0] != self.passing)
        return next(meant, None)

    def given(self, value: object, mode: Mode = "", source: str = "") -> Submission:
        """Return an answer to this question."""
        return Submission(value, self.n, self.seat if self.secret else None, mode, source=source)

    def as_json(self) -> dict[str, Any]:
        """Return it in the shape of the drive protocol (docs/drive.md), members that say nothing left out."""
        message: dict[str, Any] = {"type": "prompt"}

        def tell(*names: str) -> None:
            message.update({name: plain_answer(getattr(self, name)) for name in names})

        def tell_unusual(*names: str) -> None:
            tell(*(name for name in names if getattr(self, name) != Prompt._field_defaults[name]))

        tell("n", "seat", "kind", "ask", "text", "rule")
        if self.kind in ("choose", "pick"):
            message["options"] = [_option_json(o) for o in self.options]
        if self.kind in ("pick", "count"):
            tell("low", "high")
        if self.kind == "roll":
            tell("dice", "low", "total", *(("tally", "by_tally") if self.tally else ()))
        else:
            message["barred"] = [_barred_json(b, number=self.kind == "count") for b in self.barred]
        tell_unusual("default", "passing", "unit", "need", "need_note", "sides")
        if self.one != self.unit:
            tell("one")
        tell_unusual("foot", "stands")
        if self.bundles:
            message["bundles"] = [
                {"id": each.id, "text": each.text, "answers": [*map(plain_answer, each.answers)]}
                for each in self.bundles
            ]
        tell_unusual("back")
        if self.notes:
            message["notes"] = [{"rule": rule, "text": text} for rule, text in self.notes]
        tell_unusual("place", "head", "tag")
        if self.sealed:
            message["sealed"] = [each.as_json() | {"in": each.answered} for each in self.sealed]
        return message


def read_prompt(play: Play, n: int, earlier: tuple[int, ...] | None) -> Prompt | None:
    """Return what ``play`` asks now as question ``n``, or None once it is over."""
    ask = play.ask
    if ask is None:
        return None
    if play.sealed:
        each = {
            seat: _prompt(play, n, ask, seat)._replace(secret=True, answered=seat in play.held)
            for seat, ask in play.sealed.items()
        }
        return each[play.seat]._replace(sealed=tuple(each.values()))
    return _prompt(play, n, ask, play.seat, earlier)


def _prompt(play: Play, n: int, ask: Ask, seat: str, earlier: tuple[int, ...] | None = None) -> Prompt:
    rules, place = play.book.rules, tuple(filter(None, play.game.place()))
    notes = tuple([(each, rules[each]) if isinstance(each, str) else each for each in ask.notes]) if ask.notes else ()
    first = (n, seat, ask.kind, ask.key, ask.text, ask.rule, ask.head, ask.tag, notes, place, play.may_drop)
    if isinstance(ask, Among):
        listed = (*first, ask.among, *ask.sorted(), ask.offered())
        if isinstance(ask, Choose):
            return Prompt(*listed, ask.default, ask.passing, ask.rare)
        assert isinstance(ask, Pick)
        return Prompt(*listed, low=ask.low, high=ask.high)
    if isinstance(ask, Count):
        values = range(ask.low, ask.high + 1) if ask.high - ask.low <= LISTED else ()
        barred = tuple([Barred(Option(str(v), str(v)), bar) for v in values if (bar := ask.bar(v)) is not None])
        return Prompt(
            *first,
            barred=barred,
            bundles=ask.offered(),
            default=ask.default,
            low=ask.low,
            high=ask.high,
            unit=ask.unit,
            one=ask.one,
        )
    assert isinstance(ask, Roll)
    return Prompt(
        *first,
        bundles=ask.offered(),
        low=ask.low,
        high=ask.dice,
        dice=ask.dice,
        sides=ask.sides,
        total=ask.total,
        tally=ask.tally,
        by_tally=ask.by_tally,
        need=ask.need,
        need_note=ask.need_note,
        foot=ask.foot,
        stands=earlier,
    )


def _option_json(option: Option) -> dict[str, Any]:
    members = {"id": option.id, "text": option.text}
    return members | {"short": option.short} if option.short else members


def _barred_json(barred: Barred, *, number: bool) -> dict[str, Any]:
    option, bar = barred
    members: dict[str, Any] = {"value": int(option.id)} if number else {"id": option.id}
    members |= {"code": bar.code, "text": bar.text, "label": option.text}
    return members | {name: True for name in ("firm", "aside") if getattr(bar, name)}
