"""The end of a game: who won and why, and what comes next."""

from __future__ import annotations

from referee.console.buttons import Button
from referee.console.cards.base import Playing, Sheets, Text, note_pages
from referee.console.cards.cells import Item
from referee.console.cards.menu import Action, ListPage
from referee.console.host import Host
from referee.console.views import Band, Idle, View
from referee.rulebook import Short, joined


class OverCard(Sheets, Playing):
    """The end. Turning tells why, Back still undoes, Select leads to what comes next."""

    select = "Go on"

    def __init__(self, host: Host) -> None:
        super().__init__(host)
        over = host.table.over
        assert over is not None
        self.names = joined(Short(" ", " and "), map(host.table.seat_name, over.winners))
        self.sheets = note_pages("The end", over.text)

    @property
    def last(self) -> int:
        """That of the last page that tells why; who won is on the first."""
        return len(self.sheets)

    def view(self, bar: float | None) -> View:
        """Return who won, or why."""
        del bar
        if self.page:
            return self.sheets[self.page - 1]
        many = len(self.host.table.over.winners) > 1 if self.host.table.over else False
        wins = ("win" if many else "wins") if self.names else ""
        return Idle(self.names or "Game over", wins, "Back: undo", "why: turn")

    @property
    def buttons(self) -> tuple[Button, ...]:
        """What comes next, since a panel says why beside them; in an event its slip comes first."""
        if self.host.event.slip_due:
            return super().buttons
        page = next_page(self.host)
        return tuple(
            button._replace(key=f"Select {button.key}", lit=False)
            for item, button in zip(page.deal.items, page.buttons, strict=True)
            if item.id != "report"  # the panel has it at hand
        )

    def tap(self, button: str) -> None:
        """Do what comes next, or turn the page."""
        if button.isdigit():
            next_page(self.host).tap(button)
        else:
            super().tap(button)

    def click(self) -> None:
        """Ask what comes next; in an event its slip does."""
        if self.host.event.slip_due:
            self.host.event.open_slip()
        else:
            self.host.lay(next_page(self.host))


def next_page(host: Host) -> ListPage:
    """Return what a table can do after a game."""
    table = host.table
    ended = table.ended
    entries: list[tuple[Item, Action]] = [
        (Item("rematch", "Rematch"), lambda: table.begin_again(ended)),
        (Item("swap", "Swap sides", "Swap"), lambda: table.begin_again(ended, swap=True)),
        (Item("report", "Report"), lambda: host.lay(_report(host))),
        (Item("shelf", "Shelf"), table.leave),
    ]
    if not ended.players:
        del entries[1]
    return ListPage(host, Band("The end", Short("next?", "What comes next?")), entries)


def _report(host: Host) -> Text:
    """Return where the report of the game is to be had."""
    address = host.visitors.address if host.visitors is not None else ""
    game = host.table.current.game_id
    lines = [f"{address.removeprefix('http://')}/report.html"] if address else []
    return Text(host, "Report", (*lines, f"referee report {game}"))
