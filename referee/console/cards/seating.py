"""What a table does in an event: calling a judge, challenging a result, and the slip: what each game can come to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from referee.console.cards.lists import ROOM, ConfirmPage, Item, ListPage, LongPage, item
from referee.console.cards.people import people_page
from referee.console.context import Context
from referee.console.drawing.screens import legible
from referee.console.texts import Text
from referee.console.views import Band
from referee.rulebook import Bar
from referee.session.wish import Player, Seating


class Choice(NamedTuple):
    """One thing a game, or a place of a pod, can come to. ``value``: as the hall has it; ``short``: without names."""

    text: str
    short: str
    value: Any


def choices(seating: Seating, before: Sequence[Choice]) -> tuple[Choice, ...]:
    """Return what can be keyed next after what was; nothing where the slip is complete."""
    if len(seating.players) > 2:
        return _places(seating, before)
    if len(before) >= seating.games or _decided(seating, before):
        return ()
    return _games(seating)


def bar(seating: Seating, before: Sequence[Choice], choice: Choice) -> Bar | None:
    """Return why a choice cannot be keyed after what was: it would end without a winner a match that needs one."""
    now = (*before, choice)
    if seating.drawn or len(seating.players) > 2 or choices(seating, now):
        return None
    winners = [each.value["winner"] for each in now]
    wins = [winners.count(player.number) for player in seating.players]
    return Bar("slip", "This match needs a winner: call a judge") if wins[0] == wins[1] else None


def question(seating: Seating, before: Sequence[Choice]) -> str:
    """Return what is asked next, in two words."""
    if len(seating.players) > 2:
        return f"place {len(before) + 1}"
    return f"game {len(before) + 1}" if seating.games > 1 else "who won?"


def result(seating: Seating, keyed: Sequence[Choice]) -> dict[str, Any]:
    """Return the slip as the hall has a result."""
    if len(seating.players) == 2:
        return {"games": [each.value for each in keyed]}
    order = [each.value for each in keyed]
    return {"places": [order.index(each.number) + 1 for each in seating.players]}


def _decided(seating: Seating, before: Sequence[Choice]) -> bool:
    """Whether a best of three has a winner after two games."""
    winners = [each.value["winner"] for each in before]
    return seating.games == 3 and len(winners) == 2 and winners[0] == winners[1] != 0


def _places(seating: Seating, before: Sequence[Choice]) -> tuple[Choice, ...]:
    placed = {each.value for each in before}
    return tuple(
        Choice(f"{len(before) + 1}. {each.name}", _seat(seating, each), each.number)
        for each in seating.players
        if each.number not in placed
    )


def _games(seating: Seating) -> tuple[Choice, ...]:
    first, second = seating.players
    drawn = seating.drawn or seating.games > 1
    if seating.split:
        shares = (_share(seating, own) for own in range(seating.split, -1, -1))
        return tuple(each for each in shares if drawn or each.value["winner"])
    won = tuple(
        Choice(f"{each.name}: {kind}" if kind else f"{each.name} won", _short(seating, each, kind), value)
        for each in (first, second)
        for kind in seating.wins or ("",)
        for value in ({"winner": each.number, "kind": kind},)
    )
    return (*won, *((Choice("Draw", "Draw", {"winner": 0}),) if drawn else ()))


def _share(seating: Seating, own: int) -> Choice:
    first, second = seating.players
    other = seating.split - own
    winner = 0 if own == other else first.number if own > other else second.number
    return Choice(
        f"{first.name} {own}, {second.name} {other}", f"{own} - {other}", {"winner": winner, "points": [own, other]}
    )


def _short(seating: Seating, player: Player, kind: str) -> str:
    text = f"{_seat(seating, player)}: {kind or 'won'}"
    return text if len(text) <= ROOM else f"{text[: ROOM - 1]}…"


def _seat(seating: Seating, player: Player) -> str:
    return player.side.partition(" ")[0] or f"Seat {seating.players.index(player) + 1}"


def open_event(context: Context) -> None:
    """Lay what a table can do in an event, if it is in one."""
    event, seating = context.event, context.event.seating
    if seating is None:
        return
    no_match = "" if seating.players else "This table has no match"
    challenge = ConfirmPage(context, "Challenge", "Dispute the result", lambda: event.challenge(seating))
    people = item("people", "People", lambda: people_page(context))
    items = (
        item("judge", "Judge", event.call_judge),
        item("result", "Result", lambda: _ask_slip(context, seating), no_match),
        item("seats", "Seats", lambda: event.ask(event.seats(seating))),
        item("challenge", "Challenge", lambda: event.ask(challenge, "challenge"), no_match, "Contest"),
        *([people] if context.table.session is None and context.visitors is not None else []),
    )
    page = ListPage(context, Band("Event", f"table {seating.table}", context.table.clocks.round.texts()), items)
    context.stage.sound("key")
    event.ask(page)


def open_slip(context: Context) -> None:
    """Lay the first question of the slip, if the table has a match."""
    seating = context.event.seating
    if seating is not None and seating.players:
        context.stage.sound("key")
        _ask_slip(context, seating)


class SlipPage(LongPage):
    """A question of the slip, which the players key in themselves."""

    for_judges = False


def _ask_slip(context: Context, seating: Seating, keyed: tuple[Choice, ...] = ()) -> None:
    """Lay the next question of the slip; after the last one each seat confirms it."""
    following = choices(seating, keyed)
    if not following:
        context.event.ask(SlipCard(context, seating, keyed), "result")
        return

    def each(number: int, choice: Choice) -> Item:
        take = partial(_ask_slip, context, seating, (*keyed, choice))
        return Item(str(number), legible(choice.text), legible(choice.short), bar(seating, keyed, choice), does=take)

    items = (each(*pair) for pair in enumerate(following))
    context.event.ask(SlipPage(context, Band("Result", question(seating, keyed)), items), "result")


class SlipCard(Text):
    """The slip as it was keyed: one seat after the other confirms it with its own button; Back takes it away."""

    select = ""

    def __init__(self, context: Context, seating: Seating, keyed: tuple[Choice, ...], seat: int = 0) -> None:
        player = seating.players[seat]
        who = f"{player.side}: {player.name}" if player.side else player.name
        super().__init__(
            context.stage, "Is this right?", (*(each.text for each in keyed), f"{who}: press your button. Back: no")
        )
        self._context = context
        self._seating = seating
        self._keyed = keyed
        self._seat = seat

    @property
    def wakes(self) -> str:
        return buttons(self._context, self._seating)[self._seat]

    def click(self) -> None:
        self.stage.sound("late")

    def seat(self) -> None:
        self.stage.sound("key")
        if self._seat + 1 < len(self._seating.players):
            self.stage.pop(self)
            following = SlipCard(self._context, self._seating, self._keyed, self._seat + 1)
            self._context.event.ask(following, "result")
        else:
            self._context.event.send_slip(self._seating, result(self._seating, self._keyed))


def buttons(context: Context, seating: Seating) -> tuple[str, ...]:
    """Return the button of each player: that of his side in the game, else the buttons in their order."""
    table = context.table
    sides = {table.seat_name(seat).casefold(): key for seat, key in table.seat_keys.items()}
    own = [sides.get(player.side.casefold(), "") for player in seating.players]
    return tuple(own) if all(own) else tuple(f"seat-{number}" for number in range(1, len(own) + 1))
