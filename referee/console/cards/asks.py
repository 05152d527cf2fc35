"""The cards of the four questions: choose, pick, count and roll."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from referee.console.buttons import BOX_ROLLS, SELECT, Button
from referee.console.cards.band import band_of
from referee.console.cards.base import Playing, fitting, note_pages
from referee.console.cards.cells import KEYS, Deal, Item
from referee.console.cards.odds import open_odds
from referee.console.host import Host
from referee.console.views import Band, Count, Dice, View
from referee.session import Origin, Prompt


class AskCard(Playing):
    """What the cards of all questions share: whose it is, the ruling before, Back, and the same again on a hold."""

    def __init__(self, host: Host, prompt: Prompt) -> None:
        super().__init__(host)
        self.prompt = prompt

    @property
    def news(self) -> tuple[str, ...]:
        """The headline of the ruling that led to this question, if one did."""
        recent = self.host.table.recent
        return () if recent is None else (recent.headline,)

    def band(self, *words: str, sends: Sequence[str] = (), beside: str = "", pages: int = 1) -> Band:
        """Return the band, with the first of these words for which there is room (see `band_of`)."""
        return band_of(self.host.table, self.prompt, words, sends=sends, beside=beside, pages=pages)

    @property
    def wakes(self) -> str:
        """The seat whose button passes the clock on, where the table plays so."""
        return self.host.table.clocks.passes(self.prompt.seat)

    def seat(self) -> None:
        """Pass the clock on."""
        self.host.table.pass_clock(self.wakes)

    @property
    def side(self) -> tuple[str, ...]:
        """What a wide glass shows beside the question."""
        prompt = self.prompt
        return (prompt.text, "", *(f"{rule} {line}" for rule, line in prompt.notes))

    def hold(self) -> None:
        """Send the first bundle, if the question offers one beside its options; at a desk, the same ruling again."""
        self.host.table.same_again()

    def back(self) -> None:
        """Bring the ruling back that led here, whole and with nothing undone; else take the last answer back."""
        if self.host.table.recent is not None:
            self.host.table.recall()
        else:
            super().back()


def items(prompt: Prompt) -> list[Item]:
    """Return what can be pressed on a choose or pick prompt: its options as printed, then its bundles.

    Where bundles stand instead of an open option, they take its place.
    """
    bars = {barred.option.id: barred.bar for barred in prompt.barred}
    bundles = [(b, Item(b.id, b.text, b.short, extra=True)) for b in prompt.bundles]
    shown: list[Item] = []
    for option in prompt.among:
        bar = bars.get(option.id)
        instead = [] if bar else [item for bundle, item in bundles if bundle.instead == option.id]
        if bar is None or not bar.aside:
            shown += instead or [Item(option.id, option.text, option.short, bar)]
    pinned = [item for bundle, item in bundles if bundle.pinned]
    loose = [item for bundle, item in bundles if not (bundle.pinned or bundle.instead)]
    if len(shown) + len(pinned) > KEYS:
        at = KEYS - 1 - len(pinned)  # a bundle that is always offered belongs on the first page
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
    """Return the number at which a count begins."""
    start = prompt.default if isinstance(prompt.default, int) else prompt.low
    return max(prompt.low, min(prompt.high, start))


def _open_number(prompt: Prompt, number: int) -> bool:
    return all(entry.option.id != str(number) for entry in prompt.barred)


class ChooseCard(AskCard):
    """One of several: a die key answers, the encoder moves, Select sends what is lit."""

    def __init__(self, host: Host, prompt: Prompt) -> None:
        super().__init__(host, prompt)
        self.deal = deal(prompt, host.table.last_choice(prompt), lambda: len(self.notes))

    @cached_property
    def notes(self) -> list[View]:
        """The pages to read about the question."""
        table, seat = self.host.table, self.host.table.seat_name(self.prompt.seat)
        return [page for rule, line in table.notes(self.prompt) for page in note_pages(rule, line, seat)]

    def view(self, bar: float | None) -> View:
        """Return the grid or list, or the note the encoder was turned to."""
        del bar
        note = self.deal.note
        if note is None:
            band = self.band(*self._words(), sends=self._sends(), pages=self.deal.pages)
            return self.deal.grid(band, self.side, self.prompt.text)
        return self.notes[note]

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The options and bundles of all pages."""
        return self.deal.buttons()

    def tap(self, button: str) -> None:
        """Answer with it."""
        self._send(self.deal.take(int(button)))

    def die(self, number: int) -> None:
        """Answer with the item under that key."""
        item = self.deal.press(number)
        if item is not None:
            self._send(item)

    def turn(self, steps: int) -> None:
        """Move; behind the last item lie the notes of the question, if it has any."""
        self.deal.turn(steps)

    def click(self) -> None:
        """Send what is lit; a note only goes away."""
        if self.deal.lit is None:
            self.deal.leave_note()
        else:
            self._send(self.deal.lit)

    def _words(self) -> tuple[str, ...]:
        if not self.prompt.options and self.prompt.back:
            return ("Back",)
        return *self.news, self.prompt.tag

    def _sends(self) -> tuple[str, ...]:
        """Return what names the item that Select sends and that has no cell."""
        named = self.deal.named
        if named is None:
            return ()
        name = named.short or named.text
        return f"Sel: {name}", name

    def _send(self, item: Item) -> None:
        if item.extra:
            self.host.table.bundle(self.prompt, item.id)
        else:
            self.host.table.answer(self.prompt, item.id)


class PickCard(AskCard):
    """Several of several: a die key picks or unpicks, Select sends."""

    def __init__(self, host: Host, prompt: Prompt) -> None:
        super().__init__(host, prompt)
        self.deal = Deal(items(prompt))
        self.chosen: list[str] = []

    def view(self, bar: float | None) -> View:
        """Return the grid with the picked cells marked."""
        del bar
        count = f"{len(self.chosen)} ✓"
        band = self.band(beside=count, pages=self.deal.pages)
        return self.deal.pick(band, self.chosen, count, self.side)

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The options of all pages, and what sends those that are picked."""
        return *self.deal.buttons(self.chosen), Button(SELECT, f"Send {len(self.chosen)}", "Select")

    def tap(self, button: str) -> None:
        """Pick, unpick or send."""
        if button == SELECT:
            self.click()
        else:
            self._press(self.deal.take(int(button)))

    def die(self, number: int) -> None:
        """Pick or unpick; a barred item says why."""
        item = self.deal.press(number)
        if item is not None:
            self._press(item)

    def _press(self, item: Item) -> None:
        if item.extra:
            self.host.table.bundle(self.prompt, item.id)
        elif item.id in self.chosen:
            self.chosen.remove(item.id)
        elif item.bar is not None:
            self.host.table.answer(self.prompt, [item.id])
        else:
            self.chosen.append(item.id)

    def turn(self, steps: int) -> None:
        """Move the cursor."""
        self.deal.turn(steps)

    def click(self) -> None:
        """Send what is picked; what nobody has begun to pick is no answer where some must be picked."""
        if self.chosen or self.prompt.low == 0:
            self.host.table.answer(self.prompt, list(self.chosen))
        else:
            self.host.explain("Which?", f"Pick {self.prompt.low} or more", "", "any key")


class CountCard(AskCard):
    """A number. Up to six a die key answers; past six it only sets, or 1 and 3 for 13 would answer twice.

    A number that is barred is not proposed: there is none until a key or the encoder has set one.
    """

    value: int | None = None

    def __init__(self, host: Host, prompt: Prompt) -> None:
        super().__init__(host, prompt)
        if _open_number(prompt, _first_number(prompt)):
            self.value = _first_number(prompt)

    def view(self, bar: float | None) -> View:
        """Return the number, crossed out where it is not open."""
        del bar
        prompt = self.prompt
        barred = self.value is not None and not _open_number(prompt, self.value)
        unit = prompt.one if self.value == 1 else prompt.unit
        count = Count(
            self.band(*self.news, prompt.tag),
            self.value,
            prompt.low,
            prompt.high,
            unit,
            barred=barred,
            side=self.side,
        )
        hints = ("Select sends", "Select") if prompt.high > KEYS else ("key sends",)
        return fitting(*(replace(count, foot_right=right) for right in hints), count)

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Every number there is."""
        bars = {barred.option.id: barred.bar for barred in self.prompt.barred}
        keys = KEYS if self.prompt.high <= KEYS else 0
        numbers = range(self.prompt.low, self.prompt.high + 1)
        return tuple(Button(str(n), str(n), str(n) if 1 <= n <= keys else "", bars.get(str(n))) for n in numbers)

    def tap(self, button: str) -> None:
        """Send it."""
        self.host.table.answer(self.prompt, int(button))

    def die(self, number: int) -> None:
        """Set the number, and send it where it cannot be the start of a longer one."""
        if self.prompt.high <= KEYS:
            self.host.table.answer(self.prompt, number)
        elif self.prompt.low <= number:
            self.value = number

    def turn(self, steps: int) -> None:
        """One up or down, never round the end."""
        start = _first_number(self.prompt) if self.value is None else self.value
        self.value = max(self.prompt.low, min(self.prompt.high, start + steps))

    def click(self) -> None:
        """Send the number."""
        if self.value is None:
            self.host.explain("How many?", "Key in the number, or turn to it", "", "any key")
        else:
            self.host.table.answer(self.prompt, self.value)


class DiceCard(AskCard):
    """A throw: faces appear as pips while they are keyed; Back takes the last one away."""

    def __init__(self, host: Host, prompt: Prompt, *, anew: bool = False) -> None:
        """``anew``: the judge lets a throw that stands be thrown once more."""
        super().__init__(host, prompt)
        self.anew = anew
        self.earlier = None if anew else prompt.stands
        self.none = False
        self.faces: list[int] = []
        self.origins: list[Origin] = []

    @property
    def fills(self) -> str:
        """Holding Select lets the box throw, where the table allows it."""
        return "select" if not self.faces and not self.earlier else ""

    def view(self, bar: float | None) -> View:
        """Return the dice keyed so far beside what is needed."""
        prompt = self.prompt
        earlier = self.earlier or ()
        if len(earlier) == 1 < prompt.dice:
            earlier = ()  # only the sum was entered: there are no pips to show
        faces: tuple[int | None, ...] = earlier or tuple(self.faces)
        faces += (None,) * (prompt.dice - len(faces))
        left, right = ("Select: no dice", "") if self.none else prompt.foot
        band = self.band(*(() if self.faces or earlier else self.news), self.counter())
        return Dice(band, faces, prompt.need, prompt.need_note, left, right, bool(self.earlier), bar, self.side)

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Six faces, and where the table allows it the box's own throw."""
        names = map(str, range(1, KEYS + 1) if self.may_key() else ())
        faces = tuple(Button(name, name, name) for name in names)
        if self.earlier:
            return Button(SELECT, "Let it stand", "Select"), *faces
        if self.prompt.low <= len(self.faces) < self.prompt.dice:
            faces += (Button(SELECT, f"Send {len(self.faces)}", "Select"),)
        return (*faces, self._box()) if self.fills and self.host.dice.rule != "physical" else faces

    def tap(self, button: str) -> None:
        """Key in a face, let the throw stand, or let the box throw."""
        if button.isdigit():
            self.die(int(button))
        elif button == BOX_ROLLS:
            self.long_hold()
        elif not self.faces and not self.earlier and self.prompt.low == 0:
            self.send_faces()
        else:
            super().tap(button)

    def _box(self) -> Button:
        return Button(BOX_ROLLS, "The box rolls", "hold Select", held=True)

    def die(self, number: int) -> None:
        """Key in one face; the last one sends the throw."""
        self._add(number, Origin(self.host.table.source))

    def face(self, number: int, die: str) -> bool:
        """Take the face of a die beside the box like one that is keyed in."""
        self._add(number, Origin(self.host.table.source, die))
        return True

    def _add(self, number: int, origin: Origin) -> None:
        if self.earlier:
            self.host.table.answer(self.prompt, [number] * self.prompt.dice)
            return
        if not self.may_key():
            self.host.explain("Box dice", "Here the box rolls: hold Select", "dice", "hold Select")
            return
        self.none = False
        self.faces.append(number)
        self.origins.append(origin)
        if not self.whole():
            self.host.sound("key")
            return
        self.send_faces()
        self.faces.pop()  # where it was not taken, as on a full disk, the last one is keyed again
        self.origins.pop()

    def may_key(self) -> bool:
        """Whether faces that are keyed in count at this table."""
        return self.host.dice.rule != "box"

    @property
    def _enough(self) -> bool:
        """Whether some faces are in, and those that are not need not be."""
        return bool(self.faces) and self.prompt.low <= len(self.faces) < self.prompt.dice

    def whole(self) -> bool:
        """Whether every die has its face."""
        return len(self.faces) == self.prompt.dice

    def drop_face(self) -> None:
        """Take the last face away."""
        self.faces.pop()
        self.origins.pop()
        self.host.sound("key")

    def turn(self, steps: int) -> None:
        """Turning shows the odds of this throw, or the notes."""
        del steps
        open_odds(self.host)

    def click(self) -> None:
        """Let a throw that stands stand; send fewer dice where fewer are allowed, none by a second Select."""
        if self.earlier:
            self._send(list(self.earlier) if len(self.earlier) > 1 or self.prompt.dice == 1 else self.earlier[0])
        elif self.none or self._enough:
            self.send_faces()
        elif not self.faces and self.prompt.low == 0:
            self.none = True
            self.host.sound("key")
        elif self.host.dice.rule != "physical":
            self.host.explain("Hold Select", "Key in the faces, or hold Select and the box rolls", "", "any key")

    def long_hold(self) -> None:
        """The box throws."""
        if self.host.dice.rule == "physical":
            self.host.explain("Real dice", "Roll real dice and key them in", "dice", "any key")
            return
        self._send(list(self.host.dice.throw(self.prompt.dice)), "box-dice")

    def hold(self) -> None:
        """The hold of a second throws; the shorter one does nothing here."""

    def back(self) -> None:
        """Take the last face away, or the answer before this question."""
        if self.faces:
            self.drop_face()
        else:
            super().back()

    def send_faces(self) -> None:
        """Send the faces keyed in, with where each came from."""
        self.host.table.answer(self.prompt, list(self.faces), anew=self.anew, origins=tuple(self.origins))

    def _send(self, answer: list[int] | int | dict[str, int], source: str = "") -> None:
        self.host.table.answer(self.prompt, answer, source, anew=self.anew)

    def counter(self) -> str:
        """Return which die is next: "1/2"."""
        if self.earlier:
            return "kept"
        return f"{min(len(self.faces) + 1, self.prompt.dice)}/{self.prompt.dice}"


class TallyCard(DiceCard):
    """A throw of which the keys tell how many dice did it; holding Select lets the box throw all the same.

    No number is proposed: it would be one that nobody threw. Where a key is left over, it is the last one that means
    none; the encoder begins at none, too.
    """

    value: int | None = None

    def view(self, bar: float | None) -> View:
        """Return the number and what a die needs; the dice while the box is about to throw them."""
        prompt = self.prompt
        if bar is not None or self.faces or self.none:
            return super().view(bar)
        foot = f"of {prompt.dice}, needs {prompt.need}"
        count = Count(self.band(self.asked()), self.value, 0, prompt.dice, foot, side=self.side)
        return fitting(*(replace(count, foot_right=f"{key} = 0") for key in self._key_of_none), count)

    @property
    def _key_of_none(self) -> tuple[int, ...]:
        """The die key that means none, if there is one left for it."""
        return (KEYS,) if self.prompt.dice < KEYS and self.may_key() else ()

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Every number there can be."""
        if self.faces or not self.may_key():
            return super().buttons
        keys = ("".join(map(str, self._key_of_none)), *map(str, range(1, KEYS + 1)))
        numbers = (Button(str(n), str(n), keys[n] if n <= KEYS else "") for n in range(self.prompt.dice + 1))
        box = (self._box(),) if self.fills and self.host.dice.rule != "physical" else ()
        return *numbers, *box

    def asked(self) -> str:
        """Return what is counted, for the right of the band."""
        return self.prompt.tally

    def die(self, number: int) -> None:
        """Send so many; once dice beside the box have told faces, this is one, too."""
        if self.faces or not self.may_key():
            super().die(number)
        else:
            self._send({self.prompt.tally: 0 if number in self._key_of_none else number})

    def turn(self, steps: int) -> None:
        """One up or down, never round the end, from none on; the odds once there are faces."""
        if self.faces:
            super().turn(steps)
        else:
            start = -1 if self.value is None else self.value
            self.value = max(0, min(self.prompt.dice, start + steps))

    def click(self) -> None:
        """Send the number, or fewer faces where fewer are allowed."""
        if self.faces or not self.may_key():
            super().click()
        elif self.value is None:
            self.host.explain("How many?", f"Key in the {self.prompt.tally}, or turn to a number", "", "any key")
        else:
            self._send({self.prompt.tally: self.value})


CARDS: dict[str, type[AskCard]] = {
    "choose": ChooseCard,
    "pick": PickCard,
    "count": CountCard,
    "roll": DiceCard,
}


def ask_card(host: Host, prompt: Prompt) -> AskCard:
    """Return the card for a prompt."""
    if prompt.by_tally and prompt.stands is None:
        return TallyCard(host, prompt)
    return CARDS[prompt.kind](host, prompt)
