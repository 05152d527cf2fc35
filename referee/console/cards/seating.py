"""What a table does in an event: its seating, calling a judge, keying the slip, challenging a result."""

from __future__ import annotations

from collections.abc import Callable

from referee.console.cards.base import Text, legible
from referee.console.cards.cells import Item
from referee.console.cards.menu import ConfirmPage, ListPage, LongPage, people_page
from referee.console.host import Host
from referee.console.slip import Choice, bar, choices, question, result
from referee.console.views import Band
from referee.rulebook import Bar
from referee.session.wish import Order, Seating

TITLES = {
    "extension": "More time",
    "coming": "Judge",
    "ruling": "Ruling",
    "penalty": "Penalty",
    "result": "Result",
    "challenge": "Challenge",
}
"""What stands over an order, by its kind."""
AT_TIME = {
    "finish the action": "Finish the action, then key in the result",
    "finish the turn": "Finish the turn, then key in the result",
    "stop": "Stop now, and key in the result",
    "a judge decides": "Stop now. A judge decides the result",
}
"""What a table does when time is called."""


class SeatingCard(Text):
    """Shown before a game begins; Select or Back leads to the shelf."""

    def __init__(self, host: Host, seating: Seating) -> None:
        lines = [f"{each.side}: {each.name}" if each.side else each.name for each in seating.players]
        round_ = f", round {seating.round}" if seating.round else ""
        super().__init__(host, f"Table {seating.table}{round_}", tuple(lines) or ("No match here yet",))


class OrderCard(Text):
    """What was decided at the desk."""

    def __init__(self, host: Host, order: Order) -> None:
        time = f"{order.ms / 60_000:+g} min" if order.ms else ""
        lines = (" ".join(filter(None, (time, host.event.named(order.text)))), order.by)
        title = TITLES.get(order.what, "Desk")
        super().__init__(host, "Less time" if order.what == "extension" and order.ms < 0 else title, lines)


class RoundCard(Text):
    """What the whole round does: it starts, its time is over, it is paused for all, or goes on."""

    def __init__(self, host: Host, title: str, *lines: str) -> None:
        super().__init__(host, title, tuple(filter(None, lines)))


class EventPage(ListPage):
    """What a table can do in an event; nothing of it has begun."""


def event_page(host: Host, seating: Seating) -> EventPage:
    """Return what a table can do in an event."""
    bar = None if seating.players else Bar("event", "There is no match at this table")
    challenge = ConfirmPage(host, "Challenge", "Say that the result is wrong", lambda: host.event.challenge(seating))
    people = (Item("people", "People"), lambda: host.lay(people_page(host)))
    return EventPage(
        host,
        Band("Event", f"table {seating.table}", host.table.clocks.round.texts()),
        [
            (Item("judge", "Judge"), host.event.call_judge),
            (Item("result", "Result", bar=bar), lambda: host.event.ask(slip_page(host, seating, ()))),
            (Item("seats", "Seats"), lambda: host.event.ask(SeatingCard(host, seating))),
            (Item("challenge", "Challenge", "Contest", bar), lambda: host.event.ask(challenge)),
            *([people] if host.table.session is None and host.visitors is not None else []),
        ],
    )


class SlipPage(LongPage):
    """A question of the slip, which the players key in themselves."""

    for_judges = False


def slip_page(host: Host, seating: Seating, keyed: tuple[Choice, ...]) -> SlipPage:
    """Return the next question of the slip; after the last one each seat confirms it."""

    def entry(number: int, choice: Choice) -> tuple[Item, Callable[[], None]]:
        def take() -> None:
            now = (*keyed, choice)
            host.event.ask(slip_page(host, seating, now) if choices(seating, now) else SlipCard(host, seating, now))

        why_not = bar(seating, keyed, choice)
        return Item(str(number), legible(choice.text), legible(choice.short), why_not), take

    return SlipPage(
        host,
        Band("Result", question(seating, keyed)),
        [entry(*each) for each in enumerate(choices(seating, keyed))],
    )


class SlipCard(Text):
    """The slip as it was keyed: one seat after the other confirms it with its own button; Back takes it away."""

    select = ""

    def __init__(self, host: Host, seating: Seating, keyed: tuple[Choice, ...], seat: int = 0) -> None:
        player = seating.players[seat]
        who = f"{player.side}: {player.name}" if player.side else player.name
        super().__init__(
            host, "Is this right?", (*(each.text for each in keyed), f"{who}: press your button. Back: no")
        )
        self._seating = seating
        self._keyed = keyed
        self._seat = seat

    @property
    def wakes(self) -> str:
        """The button of the player who is asked."""
        return buttons(self.host, self._seating)[self._seat]

    def click(self) -> None:
        """Only a seat's button confirms."""
        self.host.sound("late")

    def seat(self) -> None:
        """Take the confirmation of one player: the next one is asked, or the slip is written."""
        self.host.sound("key")
        if self._seat + 1 < len(self._seating.players):
            self.host.lift(self)
            self.host.event.ask(SlipCard(self.host, self._seating, self._keyed, self._seat + 1))
        else:
            self.host.event.send_slip(self._seating, result(self._seating, self._keyed))


def buttons(host: Host, seating: Seating) -> tuple[str, ...]:
    """Return the button of each player: that of his side in the game, else the buttons in their order."""
    table = host.table
    sides = {table.seat_name(seat).casefold(): key for seat, key in table.seat_keys.items()}
    own = [sides.get(player.side.casefold(), "") for player in seating.players]
    return tuple(own) if all(own) else tuple(f"seat-{number}" for number in range(1, len(own) + 1))
