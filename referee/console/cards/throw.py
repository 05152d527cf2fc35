"""The card of a roll: faces are keyed in, told by self-reading dice, or thrown by the box; and keyed over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.console.buttons import BOX_ROLLS, SELECT, Button
from referee.console.cards.asks import AskCard, ChooseCard, CountCard, PickCard
from referee.console.cards.beside import open_odds
from referee.console.cards.lists import DIE_KEY_COUNT
from referee.console.context import Context
from referee.console.drawing.screens import fitting
from referee.console.gathering import Fallen, Gathering
from referee.console.views import Cell, Count, Dice, Grid, View
from referee.errors import RefereeError
from referee.session import LastThrow, Origin, Prompt, Right, Submission


class DiceCard(AskCard):
    """A throw: faces appear as pips as they come in; Back takes the last one away.

    A face in doubt is drawn in outline, or as a question mark: Select takes it, a die key puts another in its place.
    A face of a die of more sides than there are keys takes two presses: its row of six, then its place in that.
    """

    def __init__(
        self, context: Context, prompt: Prompt, gathering: Gathering | None = None, *, anew: bool = False
    ) -> None:
        """``gathering``: the faces so far; ``anew``: the judge lets a throw that stands be thrown once more."""
        super().__init__(context, prompt)
        self.anew = anew
        self.earlier = None if anew else prompt.stands
        self.none = False
        self.row = 0
        self.gathering = Gathering(prompt.dice) if gathering is None else gathering

    @property
    def fills(self) -> str:
        return "select" if not self.gathering and not self.earlier else ""

    def view(self, bar: float | None) -> View:
        prompt, gathering = self.prompt, self.gathering
        if self.row:
            cells = (Cell(str(face)) for face in self._in_row)
            return Grid(self.band(self.counter()), tuple(cells), question=prompt.text)
        earlier = self.earlier or ()
        if len(earlier) == 1 < prompt.dice:
            earlier = ()  # only the sum was entered: there are no pips to show
        faces: tuple[int | None, ...] = earlier or tuple(die.face for die in gathering.places)
        faces += (None,) * (prompt.dice - len(faces))
        band = self.band(*(() if gathering or earlier else self.news), self.counter())
        doubts = () if earlier else gathering.doubts
        shown = Dice(
            *(band, faces, prompt.need, prompt.need_note, *prompt.foot, bool(self.earlier), bar, prompt.text, doubts),
            sides=prompt.sides,
        )
        return fitting(*(replace(shown, foot_left=left, foot_right=right) for left, right in self._feet()), shown)

    def _feet(self) -> list[tuple[str, str]]:
        """Return what is to be said below the dice, the whole of it first; nothing beside the rules' own foot."""
        if self.none:
            return [("Select: no dice", "")]
        if self.earlier:
            return []
        if self._rows:
            rows = [f"{row[0]}-{row[-1]}" if len(row) > 1 else str(row[0]) for row in self._rows]
            named = ", ".join(f"key {key}: {row}" for key, row in enumerate(rows, 1))
            return [(named, ""), (named.replace("key ", ""), ""), ("  ".join(rows), ""), (" ".join(rows), "")]
        if self.gathering.doubts:
            die = self.gathering.places[self.gathering.doubts[0]]
            does = "Select" if die.face else "key it"
            return [(f"{die.origin.die} {die.doubt}".lstrip(), does), (die.doubt, does)]
        others = self.table.rolls.thrown_at(self.prompt.place)
        if not others:
            return []
        seat = others[0].seat
        faces = " ".join(str(die.face or "?") for die in others if die.seat == seat)
        names = reversed(self.table.names[seat])
        return [(left, f"{name} {faces}") for name in names for left in (*filter(None, self.prompt.foot), "")]

    @property
    def _rows(self) -> list[range]:
        """The faces in rows of as many as there are keys; none where each face has a key of its own."""
        sides = self.prompt.sides
        if sides <= DIE_KEY_COUNT:
            return []
        return [range(low, min(low + DIE_KEY_COUNT, sides + 1)) for low in range(1, sides + 1, DIE_KEY_COUNT)]

    @property
    def _in_row(self) -> range:
        return self._rows[self.row - 1]

    def _faces(self) -> range:
        return range(1, self.prompt.sides + 1) if self.may_key() else range(0)

    def _key(self, face: int) -> str:
        if not self._rows:
            return str(face)
        row, place = divmod(face - 1, DIE_KEY_COUNT)
        if self.row:
            return str(place + 1) if face in self._in_row else ""
        return f"{row + 1} {place + 1}"

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The faces, and where the table allows it the box's own throw; nothing but that where a throw stands."""
        if self.earlier:
            return (Button(SELECT, "Keep the roll", "Select"),)
        faces = tuple(Button(str(face), str(face), self._key(face)) for face in self._faces())
        if self.gathering.doubts:
            take = " ".join(str(die.face or "?") for die in self.gathering.places)
            return Button(SELECT, f"Accept {take}", "Select"), *faces
        if self.prompt.low <= len(self.gathering) < self.prompt.dice:
            faces += (Button(SELECT, f"Send {len(self.gathering)}", "Select"),)
        return (*faces, self._box()) if self.fills and self.table.dice.rule != "physical" else faces

    def choose(self, number: int) -> None:
        self.row = 0
        self._face(number)

    def tap(self, button: str) -> None:
        if button == SELECT and not self.gathering and not self.earlier and self.prompt.low == 0:
            self.send_faces()
        else:
            super().tap(button)

    def _box(self) -> Button:
        return Button(BOX_ROLLS, "The box rolls", "hold Select", held=True)

    def die(self, number: int) -> None:
        """Key in one face, or its row; the last face sends the throw."""
        if self.row:
            row, self.row = self._in_row, 0
            self._face(row[0] + number - 1)
        elif not self._rows:
            self._face(number)
        elif number > len(self._rows):
            self.stage.explain("Which row?", f"Press 1 to {len(self._rows)}, then the face")
        elif self._takes([self._rows[number - 1][0]]):
            self.row = number
            self.stage.sound("key")

    def _face(self, face: int) -> None:
        if face > self.prompt.sides:
            self.table.answer(self.prompt.given([face] * self.prompt.dice))  # the session says what is expected
        elif self._takes([face]):
            self.gathering.key(face, self.table.source)
            self._entered()

    def thrown(self, dice: Sequence[Fallen]) -> bool:
        """Take what dice tell that were thrown for this roll; those of another seat are not for it."""
        strangers = any(die.seat not in ("", self.prompt.seat) for die in dice)
        if strangers and self.prompt.seat in self.table.seat_keys:
            return False
        if self.prompt.sides != 6:
            text = f"These dice have 6 sides. Enter the d{self.prompt.sides}"
            self.stage.explain("Other dice", text)
            return True
        if self.earlier and any(die.face is None for die in dice):
            return False
        if self._takes([die.face for die in dice if die.face is not None]):
            missing = self.prompt.dice - len(self.gathering)
            if self.gathering.take(dice):
                self._entered()
            else:
                text = f"Saw {len(dice)} {'die' if len(dice) == 1 else 'dice'}, expected {missing}. Roll again"
                self.stage.explain("Too many", text)
        return True

    def on_glass(self) -> None:
        if self.gathering.whole and not self.earlier and self.may_key():
            self.send_faces()

    def _takes(self, faces: list[int]) -> bool:
        if self.earlier:
            self.table.answer(self.prompt.given((faces * self.prompt.dice)[: self.prompt.dice]))
        elif not self.may_key():
            self.stage.explain("Box dice", "This table uses box dice: hold Select", hint="hold Select")
        return not self.earlier and self.may_key()

    def _entered(self) -> None:
        self.none = False
        if self.gathering.whole:
            self.send_faces()
        else:
            self.stage.sound("doubt" if self.gathering.doubts else "key")

    def may_key(self) -> bool:
        """Whether faces that are keyed in count at this table."""
        return self.table.dice.rule != "box"

    @property
    def _enough(self) -> bool:
        return bool(self.gathering) and self.prompt.low <= len(self.gathering) < self.prompt.dice

    def drop_face(self) -> None:
        self.gathering.drop()
        self.stage.sound("key")

    def turn(self, steps: int) -> None:
        open_odds(self.context)

    def click(self) -> None:
        """Let a throw that stands stand; take what is in doubt; send fewer dice where fewer are allowed."""
        if self.earlier:
            self._send(list(self.earlier) if len(self.earlier) > 1 or self.prompt.dice == 1 else self.earlier[0])
        elif self.gathering.doubts:
            self._confirm()
        elif self.none or self._enough:
            self.send_faces()
        elif not self.gathering and self.prompt.low == 0:
            self.none = True
            self.stage.sound("key")
        elif self.table.dice.rule != "physical":
            self.stage.explain("Hold Select", "Enter the faces, or hold Select to let the box roll")

    def _confirm(self) -> None:
        if self.gathering.confirm():
            self._entered()
        else:
            self.stage.explain("Which face?", "Enter it or roll that die again")

    def long_hold(self) -> None:
        if self.table.dice.rule == "physical":
            self.stage.explain("Real dice", "Roll real dice and enter them")
            return
        self._send(list(self.table.dice.throw(self.prompt.dice, self.prompt.sides)), "box-dice")

    def hold(self) -> None:
        """The hold of a second throws; the shorter one does nothing here."""

    def back(self) -> None:
        if self.row:
            self.row = 0
            self.stage.sound("key")
        elif self.gathering:
            self.drop_face()
        else:
            super().back()

    def send_faces(self) -> None:
        gathering = self.gathering
        origins = gathering.origins
        source = "" if any(die.origin.by_hand for die in gathering.places) or not origins else origins[0].source
        gathering.sent = True
        try:
            self._send(gathering.faces, source, origins)
        except RefereeError:  # as on a full disk
            gathering.unsent()
            raise

    def _send(
        self, answer: list[int] | int | dict[str, int], source: str = "", origins: tuple[Origin, ...] = ()
    ) -> None:
        given = self.prompt.given(answer, "reroll" if self.anew else "", source)
        self.give(given._replace(origins=origins, unused=tuple(self.gathering.unused)))

    def give(self, given: Submission) -> None:
        self.table.answer(given)

    def counter(self) -> str:
        if self.earlier:
            return "kept"
        return f"{min(len(self.gathering) + 1, self.prompt.dice)}/{self.prompt.dice}"


class TallyCard(DiceCard):
    """A throw of which the keys tell how many dice did it; holding Select lets the box throw all the same.

    No number is proposed: it would be one that nobody threw. Where a key is left over, it is the last one that means
    none; the encoder begins at none, too.
    """

    value: int | None = None

    def view(self, bar: float | None) -> View:
        """Return the number and what a die needs; the dice while the box is about to throw them."""
        prompt = self.prompt
        if bar is not None or self.gathering or self.none:
            return super().view(bar)
        foot = f"of {prompt.dice}, needs {prompt.need}"
        count = Count(self.band(prompt.tally), self.value, 0, prompt.dice, foot, question=prompt.text)
        return fitting(*(replace(count, foot_right=f"{key} = 0") for key in self._key_of_none), count)

    @property
    def _key_of_none(self) -> tuple[int, ...]:
        return (DIE_KEY_COUNT,) if self.prompt.dice < DIE_KEY_COUNT and self.may_key() else ()

    @property
    def buttons(self) -> tuple[Button, ...]:
        if self.gathering or not self.may_key():
            return super().buttons
        keys = ("".join(map(str, self._key_of_none)), *map(str, range(1, DIE_KEY_COUNT + 1)))
        numbers = (Button(str(n), str(n), keys[n] if n <= DIE_KEY_COUNT else "") for n in range(self.prompt.dice + 1))
        box = (self._box(),) if self.fills and self.table.dice.rule != "physical" else ()
        return *numbers, *box

    def choose(self, number: int) -> None:
        """Send the number that a browser chose; once dice beside the box have told faces, this is one, too."""
        if self.gathering or not self.may_key():
            super().choose(number)
        else:
            self._send({self.prompt.tally: number})

    def die(self, number: int) -> None:
        """Send so many; once dice beside the box have told faces, this is one, too."""
        if self.gathering or not self.may_key():
            super().die(number)
        else:
            self._send({self.prompt.tally: 0 if number in self._key_of_none else number})

    def turn(self, steps: int) -> None:
        if self.gathering:
            super().turn(steps)
        else:
            start = -1 if self.value is None else self.value
            self.value = max(0, min(self.prompt.dice, start + steps))

    def click(self) -> None:
        """Send the number, or fewer faces where fewer are allowed."""
        if self.gathering or not self.may_key():
            super().click()
        elif self.value is None:
            self.stage.explain("How many?", f"Enter the {self.prompt.tally}, or turn to a number")
        else:
            self._send({self.prompt.tally: self.value})


class CorrectionCard(DiceCard):
    """The throw with its last face open: a die key fills it, Back opens the face before, Select leaves all as it is.

    Back once more, with every face open, undoes the throw.
    """

    def __init__(self, context: Context, throw: LastThrow, right: Right) -> None:
        self.was = list(throw.answer) if isinstance(throw.answer, (list, tuple)) else []
        others = (Fallen(face, Origin(context.table.source)) for face in self.was[:-1])
        super().__init__(context, throw.prompt, Gathering(len(self.was) or throw.prompt.dice, others), anew=True)
        self.throw = throw
        self.right = right
        self.for_judges = right == "judge"

    @property
    def fills(self) -> str:
        return ""

    @property
    def news(self) -> tuple[str, ...]:
        return ()

    def turn(self, steps: int) -> None:
        """There are no odds of what has been thrown."""

    def click(self) -> None:
        self.stage.pop(self)

    def menu(self) -> None:
        self.stage.pop(self)

    def back(self) -> None:
        if self.gathering:
            self.drop_face()
        else:
            self.stage.pop(self)
            self.step_back()

    def may_key(self) -> bool:
        """Whatever dice count: what was thrown by others the session protects."""
        return True

    def counter(self) -> str:
        return f"{self.was[min(len(self.gathering), len(self.was) - 1)]}→?" if self.was else super().counter()

    def send_faces(self) -> None:
        self._send(self.gathering.faces)

    def give(self, given: Submission) -> None:
        self.stage.pop(self)
        self.table.correct_throw(given._replace(origins=self.gathering.origins, source=""), self.right)


def open_throw(context: Context, right: Right) -> None:
    """Lay the throw entered last, if nothing was accepted since; ``right``: who corrects."""
    throw = context.table.last_throw
    if throw is not None:
        context.stage.sound("key")
        context.stage.push(CorrectionCard(context, throw, right))


CARDS: dict[str, type[AskCard]] = {
    "choose": ChooseCard,
    "pick": PickCard,
    "count": CountCard,
}


def ask_card(context: Context, prompt: Prompt) -> AskCard:
    """Return the card for a prompt."""
    if prompt.kind == "roll":
        tally = prompt.by_tally and prompt.stands is None
        return (TallyCard if tally else DiceCard)(context, prompt, context.table.rolls.gather(prompt))
    return CARDS[prompt.kind](context, prompt)
