"""The cards of three questions: choose, pick and count. `referee.console.cards.throw` has that of the fourth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from referee.console.buttons import AGAIN, SELECT, Button
from referee.console.cards.beside import band_of
from referee.console.cards.lists import DIE_KEY_COUNT, Deal, DealtCard, Item
from referee.console.context import Context, Playing
from referee.console.drawing.screens import fitting, note_pages
from referee.console.views import Band, Count, View
from referee.session import Prompt


class AskCard(Playing):
    """What the cards of all questions share: whose it is, the ruling before, Back, and the same again on a hold."""

    def __init__(self, context: Context, prompt: Prompt) -> None:
        super().__init__(context)
        self.prompt = prompt
        self.secret = prompt.secret

    @property
    def news(self) -> tuple[str, ...]:
        recent = self.table.recent
        return () if recent is None else (recent.headline,)

    def band(self, *words: str, sends: Sequence[str] = (), beside: str = "", pages: int = 1) -> Band:
        return band_of(self.table, self.prompt, words, sends=sends, beside=beside, pages=pages)

    @property
    def asks(self) -> str:
        return self.prompt.seat

    def hold(self) -> None:
        """Send the first bundle, if the question offers one beside its options; of single rulings the same again."""
        if not self.secret:
            self.table.same_again()

    def menu(self) -> None:
        if self.secret:
            self.stage.pop(self)
        super().menu()

    def back(self) -> None:
        """Bring the ruling back that led here, whole and with nothing undone; else take the last answer back.

        A question in secret is closed.
        """
        if self.secret:
            self.stage.sound("key")
            self.stage.pop(self)
        elif self.table.recent is not None:
            self.table.recall()
        else:
            super().back()


def items(prompt: Prompt) -> list[Item]:
    """Return what can be pressed on a choose or pick prompt: its options as printed, then its bundles.

    Where bundles stand instead of an open option, they take its place; pinned ones keep their own.
    """
    bars = {barred.option.id: barred.bar for barred in prompt.barred}
    bundles = [(b, Item(b.id, b.text, b.short, extra=True)) for b in prompt.bundles]
    shown: list[Item] = []
    for option in prompt.among:
        bar = bars.get(option.id)
        instead = [] if bar else [each for each in bundles if each[0].instead == option.id]
        if bar is None or not bar.aside:
            here = [item for bundle, item in instead if not bundle.pinned]
            shown += here if instead else [Item(option.id, option.text, option.short, bar)]
    pinned = [item for bundle, item in bundles if bundle.pinned]
    loose = [item for bundle, item in bundles if not (bundle.pinned or bundle.instead)]
    if len(shown) + len(pinned) > DIE_KEY_COUNT:
        at = DIE_KEY_COUNT - 1 - len(pinned)  # a bundle that is always offered belongs on the first page
        return shown[:at] + pinned + shown[at:] + loose
    return shown + pinned + loose


def deal(prompt: Prompt, last: str | None = None, notes: Callable[[], int] = lambda: 0) -> Deal:
    """Return the cells of a choose prompt. ``last``: what was chosen last in its context, where it has no default."""
    default = prompt.default if isinstance(prompt.default, str) else last
    ending = next((b.id for b in prompt.bundles if b.pinned and b.answers[0] == prompt.passing), prompt.passing)
    return Deal(items(prompt), default, prompt.passing, notes, prompt.rare, ending)


class Sending(NamedTuple):
    """What Select sends: the id of an option or a bundle, or a number; and the answers that are given by it."""

    name: str
    answers: tuple[Any, ...]


def select_sends(prompt: Prompt, last: str | None = None) -> Sending | None:
    """Return what Select sends as a question appears, None if it sends nothing. ``last`` as for `deal`.

    A throw that was undone, and that Select would let stand, does not count: somebody has thrown it.
    """
    if prompt.kind == "choose":
        lit = deal(prompt, last).lit
        bundle = next((each.answers for each in prompt.bundles if lit and lit.extra and each.id == lit.id), None)
        return Sending(lit.id, bundle or (lit.id,)) if lit else None
    if prompt.kind == "pick":
        return Sending("", ([],)) if prompt.low == 0 else None
    if prompt.kind == "count" and _open_number(prompt, _first_number(prompt)):
        return Sending(str(_first_number(prompt)), (_first_number(prompt),))
    return None


def _first_number(prompt: Prompt) -> int:
    start = prompt.default if isinstance(prompt.default, int) else prompt.low
    return max(prompt.low, min(prompt.high, start))


def _open_number(prompt: Prompt, number: int) -> bool:
    return all(entry.option.id != str(number) for entry in prompt.barred)


class ChooseCard(DealtCard, AskCard):
    """One of several. Behind the last item lie the notes of the question, if it has any."""

    def __init__(self, context: Context, prompt: Prompt) -> None:
        super().__init__(context, prompt)
        self.deal = deal(prompt, context.table.last_choice(prompt), lambda: len(self.notes))

    @cached_property
    def notes(self) -> list[View]:
        table, seat = self.table, self.table.seat_name(self.prompt.seat)
        return [page for rule, line in table.notes(self.prompt) for page in note_pages(rule, line, seat)]

    def view(self, bar: float | None) -> View:
        note = self.deal.note
        if note is None:
            band = self.band(*self._words(), sends=self._sends(), pages=self.deal.pages)
            return self.deal.grid(band, self.prompt.text, self.prompt.text)
        return self.notes[note]

    def click(self) -> None:
        if self.deal.note is not None:
            self.deal.leave_note()
        else:
            super().click()

    def _words(self) -> tuple[str, ...]:
        if not self.prompt.options and self.prompt.back:
            return ("Back",)
        return *self.news, self.prompt.tag

    def _sends(self) -> tuple[str, ...]:
        named = self.deal.named
        if named is None:
            return ()
        name = named.short or named.text
        return f"Sel: {name}", name

    def take(self, item: Item) -> None:
        if item.extra:
            self.table.bundle(self.prompt, item.id)
        else:
            self.table.answer(self.prompt.given(item.id))


class PickCard(DealtCard, AskCard):
    """Several of several: a die key picks or unpicks, Select sends."""

    def __init__(self, context: Context, prompt: Prompt) -> None:
        super().__init__(context, prompt)
        self.deal = Deal(items(prompt))
        self.chosen: list[str] = []

    def view(self, bar: float | None) -> View:
        count = f"{len(self.chosen)} ✓"
        band = replace(self.band(beside=count, pages=self.deal.pages), right=count)
        return self.deal.pick(band, self.chosen, self.prompt.text)

    @property
    def buttons(self) -> tuple[Button, ...]:
        return *self.deal.buttons(self.chosen), Button(SELECT, f"Send {len(self.chosen)}", "Select")

    def take(self, item: Item) -> None:
        if item.extra:
            self.table.bundle(self.prompt, item.id)
        elif item.id in self.chosen:
            self.chosen.remove(item.id)
        elif item.bar is not None:
            self.table.answer(self.prompt.given([item.id]))
        else:
            self.chosen.append(item.id)

    def click(self) -> None:
        if self.chosen or self.prompt.low == 0:
            self.table.answer(self.prompt.given(list(self.chosen)))
        else:
            self.stage.explain("Which?", f"Pick {self.prompt.low} or more")


AT_ONCE = 10
"""Up to here a die key answers a count: no key is a zero, so none begins a longer number."""


class CountCard(AskCard):
    """A number. Up to ten a die key answers; past ten it only sets, or 1 and 3 for 13 would answer twice.

    A number that is barred is not proposed: there is none until a key or the encoder has set one.
    """

    value: int | None = None

    def __init__(self, context: Context, prompt: Prompt) -> None:
        super().__init__(context, prompt)
        if _open_number(prompt, _first_number(prompt)):
            self.value = _first_number(prompt)

    def view(self, bar: float | None) -> View:
        prompt = self.prompt
        barred = self.value is not None and not _open_number(prompt, self.value)
        unit = prompt.one if self.value == 1 else prompt.unit
        if not prompt.head:
            unit = prompt.text  # nothing else says what is counted
        count = Count(
            self.band(*self.news, prompt.tag),
            self.value,
            prompt.low,
            prompt.high,
            unit,
            barred=barred,
            question=self.prompt.text,
        )
        hints = ("Select sends", "Select") if prompt.high > AT_ONCE else ("key sends",)
        if prompt.shortcut is not None:
            hints = (f"hold: {prompt.shortcut.short or prompt.shortcut.text}", *hints)
        return fitting(*(replace(count, foot_right=right) for right in hints), count)

    @property
    def buttons(self) -> tuple[Button, ...]:
        bars = {barred.option.id: barred.bar for barred in self.prompt.barred}
        keys = DIE_KEY_COUNT if self.prompt.high <= AT_ONCE else 0
        numbers = range(self.prompt.low, self.prompt.high + 1)
        shortcut = self.prompt.shortcut
        return (
            *(
                Button(str(n), str(n), str(n) if 1 <= n <= keys else "", bars.get(str(n)), lit=n == self.value)
                for n in numbers
            ),
            *([Button(AGAIN, shortcut.text, "hold Select")] if shortcut is not None else []),
        )

    def choose(self, number: int) -> None:
        self.table.answer(self.prompt.given(number))

    def die(self, number: int) -> None:
        if self.prompt.high <= AT_ONCE:
            self.table.answer(self.prompt.given(number))
        elif self.prompt.low <= number:
            self.value = number

    def turn(self, steps: int) -> None:
        start = _first_number(self.prompt) if self.value is None else self.value
        self.value = max(self.prompt.low, min(self.prompt.high, start + steps))

    def click(self) -> None:
        if self.value is None:
            self.stage.explain("How many?", "Enter a number or turn to it")
        else:
            self.table.answer(self.prompt.given(self.value))
