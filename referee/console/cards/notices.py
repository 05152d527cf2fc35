"""Cards that tell something: a ruling with its reasons, a reminder, whose turn it is, who answers in secret."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Final

from referee.console.buttons import AGAIN, SELECT, Button
from referee.console.cards.throw import ask_card
from referee.console.context import Context, Playing, TableCard
from referee.console.drawing.screens import fitting, legible, note_pages, paginate
from referee.console.speech import called
from referee.console.table import Table
from referee.console.texts import Pages
from referee.console.views import Idle, View, Why
from referee.console.views import Ruling as RulingView
from referee.rulebook import Bar, Reminder, Ruling, Short, joined, whole
from referee.session import Prompt

OWN: Final = "your button or Select"
"""The seat's own button is named first; a box may have none for it, and Select does the same."""
SHORT_RULING: Final = 32
"""Letters of a ruling that is read in the time the table has set; one with more stays longer, in proportion."""


def rule_list(rules: tuple[str, ...]) -> str:
    """Return rule ids with the chapter named once: "BR-45 49".

    >>> rule_list(("BR-45", "BR-49"))
    'BR-45 49'
    """
    out: list[str] = []
    chapter = ""
    for rule in rules:
        head, dash, number = rule.partition("-")
        out.append(number if dash and head == chapter else rule)
        chapter = head
    return " ".join(out)


def ruling_views(ruling: Ruling) -> list[RulingView]:
    """Return the screens of a ruling, the one that says most first."""
    total = ruling.data.get("total")
    shown = ruling.faces if len(ruling.faces) > 1 else ()
    text = "" if total is None or ruling.foot.startswith(str(total)) else str(total)
    screen = RulingView(
        ruling.headline,
        ruling.changed,
        shown,
        text,
        ruling.need,
        joined(Short(" ", ". "), ruling.to_do) if shown and ruling.to_do else ruling.foot,
        "why: turn",
        () if shown else ruling.to_do,
        sides=ruling.sides,
    )
    short, bare = replace(screen, foot_right="why"), replace(screen, foot_right="")
    return [screen, short, bare] if ruling.why else [bare]


class RulingCard(Playing):
    """A ruling: the big line, then by turning the reasons. Any die key or Select goes on, holding Select repeats.

    It gives way by itself to what comes next, unless it orders something or ends the game, or its reasons were read.
    """

    select = "Continue"

    def __init__(self, context: Context, ruling: Ruling) -> None:
        super().__init__(context)
        self.ruling = ruling
        self.page = 0
        self.turned = False
        self.why = ruling.why

    @property
    def gives_way_after(self) -> float | None:
        if self.turned or self.ruling.to_do or self.table.recalled or self.table.prompt is None:
            return None
        return reading_time(self.table, f"{self.ruling.headline}{self.ruling.need}{self.ruling.foot}")

    def give_way(self) -> None:
        self.table.read()

    @cached_property
    def sheets(self) -> tuple[tuple[str, ...], ...]:
        return paginate(self.why) if self.why else ()

    def view(self, bar: float | None) -> View:
        if self.page == 0:
            return fitting(*ruling_views(self.ruling))
        return Why(self.page - 1, len(self.sheets), rule_list(self.ruling.rules[:2]), self.sheets[self.page - 1])

    def turn(self, steps: int) -> None:
        self.turned = True
        self.page = max(0, min(len(self.sheets), self.page + steps))

    def die(self, number: int) -> None:
        self.click()

    def click(self) -> None:
        self.table.read()

    @property
    def buttons(self) -> tuple[Button, ...]:
        again = Button(AGAIN, "Same again", "hold Select", held=True)
        return (*super().buttons, again) if self.table.repeats else super().buttons

    def hold(self) -> None:
        if not self.table.same_again():
            self.stage.sound("late")


def reading_time(table: Table, text: str) -> float | None:
    """Return the seconds in which a text is read, None where this table waits for a press."""
    return table.customs.ruling_seconds * max(1.0, len(text) / SHORT_RULING) or None


class ReminderCard(Pages, Playing):
    """A rule the box cannot check, at its moment. One that was read in this game before leaves by itself."""

    select = "Continue"

    def __init__(self, context: Context, reminder: Reminder) -> None:
        super().__init__(context)
        self.reminder = reminder
        self.pages = note_pages(f"Note {reminder.rule}", reminder.text)

    @property
    def gives_way_after(self) -> float | None:
        known = self.reminder.text in self.table.known and len(self.pages) == 1
        return reading_time(self.table, self.reminder.text) if known else None

    def give_way(self) -> None:
        self.table.read()

    def click(self) -> None:
        self.table.read()


class TurnCard(TableCard):
    """Whose turn it is and where the sequence of play stands. Select or the seat's own button begins."""

    select = "Begin"
    key = OWN

    def view(self, bar: float | None) -> View:
        session, turn = self.table.current, self.table.turn
        place = session.place
        name = self.table.seat_name(turn)
        phase = place[-1] if place else ""
        typed = self.table.players.get(turn, "")
        says = f"{called(name, typed)}: press your button", phase
        screen = Idle(name, phase, place[0] if place else "", session.game.status(), says=says)
        times = self.table.clocks.beside(turn, name)
        screens = [replace(screen, clock=time) for time in times] or [screen]
        player = legible(typed)
        if player:
            named = Short(
                f"{player}: {phase}" if phase else player, whole(phase)
            )  # pages name who plays by the button
            screens[:0] = [replace(each, subtitle=named) for each in screens]
        return fitting(*screens)

    @property
    def wakes(self) -> str:
        return self.table.turn

    def click(self) -> None:
        self.table.begin_turn()

    def back(self) -> None:
        if self.table.recent is not None:
            self.table.recall()

    def seat(self) -> None:
        self.table.begin_turn()

    def turn(self, steps: int) -> None:
        self.back()


class PauseCard(TableCard):
    """The game is paused; Select resumes, unless the desk has paused the whole round."""

    select = "Resume"

    @property
    def buttons(self) -> tuple[Button, ...]:
        held = self.context.event.held
        return (Button(SELECT, self.select, "Select", Bar("round", held) if held else None),)

    def view(self, bar: float | None) -> View:
        place = self.table.current.place
        foot = "Round paused" if self.context.event.held else "Select: resume"
        screen = Idle("Pause", joined(Short(" ", ", "), place[1:]), place[0] if place else "", foot)
        short = replace(screen, subtitle=place[-1] if place else "")
        return fitting(screen, short, replace(short, foot_left=""))

    def click(self) -> None:
        held = self.context.event.held
        if held:
            self.stage.explain("Not now", held)
        else:
            self.table.resume()

    def menu(self) -> None:
        """There is no menu while the game is paused."""


class SecretCard(Playing):
    """A seat's own button or Select opens its question; turning goes to another seat, one that is in, too."""

    select = "Answer"
    key = OWN

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
        says = f"{name}: press your button and answer in secret. Everybody else, look away", count
        does = "in: answer again?" if again else "answers in secret"
        screens = [Idle(name, each, "look away", count, says=says) for each in (does, "in secret")]
        return fitting(*screens)

    def turn(self, steps: int) -> None:
        self.at = (self.at + steps) % len(self.prompts)

    def click(self) -> None:
        self.stage.sound("key")
        self.stage.push(ask_card(self.context, self.prompts[self.at]))

    def seat(self) -> None:
        self.click()
