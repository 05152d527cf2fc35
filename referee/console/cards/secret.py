"""Questions that several seats answer in secret: whose is next, and who is in; never what."""

from __future__ import annotations

from referee.console.buttons import SELECT, Button
from referee.console.cards.throw import ask_card
from referee.console.context import Context, Playing
from referee.console.drawing.screens import fitting
from referee.console.views import Idle, View
from referee.session import Prompt


class SecretCard(Playing):
    """A seat's own button or Select opens its question; turning goes to another seat, one that is in, too."""

    select = "Answer"

    def __init__(self, context: Context, prompt: Prompt) -> None:
        super().__init__(context)
        self.prompts = prompt.sealed
        self.at = next(at for at, each in enumerate(self.prompts) if each.seat == prompt.seat)

    @property
    def wakes(self) -> str:
        return self.prompts[self.at].seat

    def view(self, bar: float | None) -> View:
        name = self.table.seat_name(self.wakes)
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
        self.at = (self.at + steps) % len(self.prompts)

    def click(self) -> None:
        self.stage.sound("key")
        self.stage.push(ask_card(self.context, self.prompts[self.at]))

    def seat(self) -> None:
        self.click()
