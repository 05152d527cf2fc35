"""Cards that tell something: a ruling with its reasons, a reminder, a refusal, whose turn it is, the end."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Final

from referee.console.aloud import called
from referee.console.buttons import AGAIN, SELECT, Button
from referee.console.cards.base import Lines, Page, Playing, Sheets, fitting, legible, note_pages
from referee.console.drawing.screens import paginate, problems
from referee.console.host import Card, Host
from referee.console.views import Idle, Log, Refusal, View, Why
from referee.console.views import Ruling as RulingView
from referee.rulebook import Bar, Reminder, Ruling, Short, joined, whole

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


class RulingCard(Playing):
    """A ruling: the big line, then by turning the reasons. Any die key or Select goes on, holding Select repeats.

    It gives way by itself to what comes next, unless it orders something or ends the game, or its reasons were read.
    """

    select = "Go on"

    def __init__(self, host: Host, ruling: Ruling) -> None:
        super().__init__(host)
        self.ruling = ruling
        self.page = 0
        self.turned = False
        self.why = ruling.why

    @property
    def gives_way_after(self) -> float | None:
        """The time it takes to read it."""
        table, seconds = self.host.table, self.host.config.ruling_seconds
        if not seconds or self.turned or self.ruling.to_do or table.recalled or table.prompt is None:
            return None
        letters = sum(map(len, (self.ruling.headline, self.ruling.need, self.ruling.foot)))
        return seconds * max(1.0, letters / SHORT_RULING)

    def give_way(self) -> None:
        """Go on."""
        self.host.table.read()

    @cached_property
    def sheets(self) -> tuple[tuple[str, ...], ...]:
        """The reasons in pages."""
        return paginate(self.why) if self.why else ()

    def view(self, bar: float | None) -> View:
        """Return the headline, or a page of the reasons."""
        del bar
        ruling = self.ruling
        if self.page == 0:
            total = ruling.data.get("total")
            shown = ruling.faces if len(ruling.faces) > 1 else ()
            text = "" if total is None or ruling.foot.startswith(str(total)) else str(total)
            foot = joined(Short(" ", ". "), ruling.to_do) if shown and ruling.to_do else ruling.foot
            screen = RulingView(
                ruling.headline,
                ruling.changed,
                shown,
                text,
                ruling.need,
                foot,
                "why: turn",
                () if shown else ruling.to_do,
                sides=ruling.sides,
            )
            short, bare = replace(screen, foot_right="why"), replace(screen, foot_right="")
            views = [screen, short, bare] if self.why else [bare]
            lines = self.host.table.clocks.all_in_a_line() if not foot else ()
            return fitting(*(replace(view, clock=line) for line in lines for view in views), *views)
        return Why(self.page - 1, len(self.sheets), rule_list(ruling.rules[:2]), self.sheets[self.page - 1])

    def turn(self, steps: int) -> None:
        """Turn to the reasons and back."""
        self.turned = True
        self.page = max(0, min(len(self.sheets), self.page + steps))

    def die(self, number: int) -> None:
        """Go on, and do nothing else."""
        del number
        self.click()

    def click(self) -> None:
        """Go on."""
        self.host.table.read()

    @property
    def buttons(self) -> tuple[Button, ...]:
        """On, and the same again where the next question offers it."""
        again = Button(AGAIN, "Same again", "hold Select", held=True)
        return (*super().buttons, again) if self.repeats else super().buttons

    @property
    def repeats(self) -> bool:
        """Whether holding Select does the same again."""
        return self.host.table.repeats

    def tap(self, button: str) -> None:
        """Go on, or the same again."""
        if button == AGAIN:
            self.hold()
        else:
            super().tap(button)

    def hold(self) -> None:
        """Same again, where the next question offers it."""
        if not self.host.table.same_again():
            self.host.sound("late")


class ReminderCard(Sheets, Playing):
    """A rule the box cannot check, at its moment."""

    select = "Go on"

    def __init__(self, host: Host, reminder: Reminder) -> None:
        super().__init__(host)
        self.sheets = note_pages(reminder.rule, reminder.text)

    @property
    def last(self) -> int:
        """That of the last page of the rule."""
        return len(self.sheets) - 1

    def view(self, bar: float | None) -> View:
        """Return the reminder, or a page of it."""
        del bar
        return self.sheets[self.page]

    def click(self) -> None:
        """Go on."""
        self.host.table.read()


class RefusalCard(Page):
    """Something was refused: every key takes it away and does nothing else."""

    select = "Close"

    def __init__(self, host: Host, title: str, text: str, code: str = "", hint: str = "") -> None:
        super().__init__(host)
        shown = Refusal(title, text, code, hint)
        self.shown = fitting(shown, replace(shown, hint=""))

    def view(self, bar: float | None) -> View:
        """Return what was expected."""
        del bar
        return self.shown

    def die(self, number: int) -> None:
        """Dismiss."""
        del number
        self.back()

    def turn(self, steps: int) -> None:
        """Dismiss."""
        del steps
        self.back()

    def click(self) -> None:
        """Dismiss."""
        self.back()

    def hold(self) -> None:
        """Dismiss."""
        self.back()

    @property
    def wakes(self) -> str:
        """No seat is asked while a refusal stands."""
        return ""


class FaultCard(RefusalCard):
    """Something is wrong with the box. ``about``: the part; newer news of it takes this card's place.

    What is too long for one screen is read on pages by turning, since a part of it may mislead.
    """

    def __init__(self, host: Host, title: str, text: str, about: str, hint: str = "any key") -> None:
        text = legible(text)
        super().__init__(host, title, text, "", hint)
        self.about = about
        self.title = title
        self.says = (title, text)
        self.sheets = paginate((text,)) if problems(self.shown) else ()
        self.page = 0

    def view(self, bar: float | None) -> View:
        """Return what is wrong, or a page of it."""
        if not self.sheets:
            return super().view(bar)
        turn = "turn" if len(self.sheets) > 1 else ""
        return Why(self.page, len(self.sheets), turn, self.sheets[self.page], self.title)

    def turn(self, steps: int) -> None:
        """Turn pages, where there are some."""
        if self.sheets:
            self.page = max(0, min(len(self.sheets) - 1, self.page + steps))
        else:
            super().turn(steps)


class TurnCard(Card):
    """Whose turn it is and where the sequence of play stands. Select or the seat's own button begins."""

    select = "Begin"

    def view(self, bar: float | None) -> View:
        """Return the seat's name over the phase."""
        del bar
        session, turn = self.host.table.current, self.host.table.turn
        place = session.place
        name = self.host.table.seat_name(turn)
        phase = place[-1] if place else ""
        typed = self.host.table.players.get(turn, "")
        says = f"{called(name, typed)}: press your button", phase
        screen = Idle(name, phase, place[0] if place else "", session.game.status(), says=says)
        times = self.host.table.clocks.beside(turn, name)
        screens = [replace(screen, clock=time) for time in times] or [screen]
        player = legible(typed)
        if player:
            named = Short(
                f"{player}: {phase}" if phase else player, whole(phase)
            )  # pages name who plays by the button
            screens[:0] = [replace(each, subtitle=named) for each in screens]
        return fitting(*screens)

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Begin. The seat's own button is named first; a box may have none for it, and Select does the same."""
        return (Button(SELECT, self.select, "your button or Select"),)

    @property
    def wakes(self) -> str:
        """The seat whose turn it is."""
        return self.host.table.turn

    def click(self) -> None:
        """Begin."""
        self.host.table.begin_turn()

    def back(self) -> None:
        """Show the ruling again that ended the turn before."""
        if self.host.table.recent is not None:
            self.host.table.recall()

    def seat(self) -> None:
        """The seat itself begins."""
        self.host.table.begin_turn()

    def turn(self, steps: int) -> None:
        """Show the last ruling again."""
        del steps
        ruling = self.host.table.last_ruling
        if ruling is not None:
            self.host.lay(AgainCard(self.host, ruling))


class PauseCard(Card):
    """The game is paused; Select resumes, unless the desk has paused the whole round."""

    select = "Resume"

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Going on, or why not now."""
        held = self.host.event.held
        return (Button(SELECT, self.select, "Select", Bar("round", held) if held else None),)

    def view(self, bar: float | None) -> View:
        """Return that nothing is asked."""
        del bar
        place = self.host.table.current.place
        foot = "Round paused" if self.host.event.held else "Select: resume"
        screen = Idle("Pause", joined(Short(" ", ", "), place[1:]), place[0] if place else "", foot)
        short = replace(screen, subtitle=place[-1] if place else "")
        return fitting(screen, short, replace(short, foot_left=""))

    def click(self) -> None:
        """Go on."""
        held = self.host.event.held
        if held:
            self.host.explain("Not now", held, "", "any key")
        else:
            self.host.table.resume()

    def menu(self) -> None:
        """There is no menu while the game is paused."""


class LogCard(Lines):
    """The log, newest line first."""

    def view(self, bar: float | None) -> View:
        """Return one page."""
        del bar
        return Log(self.page, len(self.sheets), self.sheets[self.page])


class AgainCard(Page, RulingCard):
    """The last ruling looked at once more: nothing goes on, nothing is undone."""

    select = "Close"

    @property
    def repeats(self) -> bool:
        """It is only read."""
        return False

    @property
    def gives_way_after(self) -> float | None:
        """It waits for a press."""
        return None

    def click(self) -> None:
        """Close."""
        self.back()

    def hold(self) -> None:
        """Nothing to repeat from here."""
