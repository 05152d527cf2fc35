"""Questions that several seats answer in secret: whose is next, and who is in; never what."""

from __future__ import annotations

from referee.console.buttons import SELECT, Button
from referee.console.cards.base import Playing, fitting
from referee.console.cards.throw import ask_card
from referee.console.host import Host
from referee.console.views import Idle, View
from referee.session import Prompt


class SecretCard(Playing):
    """A seat's own button or Select opens its question; turning goes to another seat, one that is in, too."""

    select = "Answer"

    def __init__(self, host: Host, prompt: Prompt) -> None:
        super().__init__(host)
        self.prompts = prompt.sealed
        self.at = next(at for at, each in enumerate(self.prompts) if each.seat == prompt.seat)

    @property
    def wakes(self) -> str:
        """The seat on the glass."""
        return self.prompts[self.at].seat

    def view(self, bar: float | None) -> View:
        """Return the seat, and how many are in."""
        del bar
        name = self.host.table.seat_name(self.wakes)
        again = self.prompts[self.at].answered
        count = f"{sum(each.answered for each in self.prompts)}/{len(self.prompts)} in"
        says = f"{name}: press your button and answer in secret. The others look away", count
        does = "in: answer anew?" if again else "answers in secret"
        screens = [Idle(name, each, "look away", count, says=says) for each in (does, "in secret")]
        return fitting(*screens)

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Open the question. The seat's own button is named first; a box may have none for it."""
        return (Button(SELECT, self.select, "your button or Select"),)

    def turn(self, steps: int) -> None:
        """Go to another seat."""
        self.at = (self.at + steps) % len(self.prompts)

    def click(self) -> None:
        """Open the question of the seat on the glass."""
        self.host.sound("key")
        self.host.lay(ask_card(self.host, self.prompts[self.at]))

    def seat(self) -> None:
        """The seat itself opens it."""
        self.click()
