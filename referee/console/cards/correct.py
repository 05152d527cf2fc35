"""The last throw once more: a face that was keyed in wrong is keyed over, until the next answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from referee.console.cards.throw import DiceCard, TallyCard
from referee.console.context import Context
from referee.console.gathering import Fallen, Gathering
from referee.session import LastThrow, Origin, Right, Submission


class CorrectionCard(DiceCard):
    """The throw with its last face open: a die key fills it, Back opens the face before, Select leaves all as it is.

    Back once more, with every face open, undoes the throw.
    """

    def __init__(self, context: Context, throw: LastThrow, right: Right) -> None:
        """``right``: who corrects."""
        self.was = list(throw.answer) if isinstance(throw.answer, (list, tuple)) else []
        others = (Fallen(face, Origin(context.table.source)) for face in self.was[:-1])
        super().__init__(context, throw.prompt, Gathering(len(self.was) or throw.prompt.dice, others), anew=True)
        self.throw = throw
        self.right = right
        self.for_judges = right == "judge"

    @property
    def fills(self) -> str:
        """The box does not throw here."""
        return ""

    @property
    def news(self) -> tuple[str, ...]:
        """The face that is open has the right of the band."""
        return ()

    def turn(self, steps: int) -> None:
        """There are no odds of what has been thrown."""

    def click(self) -> None:
        self.stage.pop(self)

    def menu(self) -> None:
        self.stage.pop(self)

    def back(self) -> None:
        """Open the face before, or undo the throw."""
        if self.gathering:
            self.drop_face()
        else:
            self.stage.pop(self)
            self.step_back()

    def may_key(self) -> bool:
        """Whatever dice count: what was thrown by others the session protects."""
        return True

    def counter(self) -> str:
        """Return the face that is open: "4→?"."""
        return f"{self.was[min(len(self.gathering), len(self.was) - 1)]}→?" if self.was else super().counter()

    def send_faces(self) -> None:
        """Put these faces in the place of those before."""
        self._send(self.gathering.faces)

    def give(self, given: Submission) -> None:
        """Put an answer in the place of the throw's."""
        self.stage.pop(self)
        self.table.correct_throw(replace(given, origins=self.gathering.origins, source=""), self.right)


class TallyCorrectionCard(TallyCard, CorrectionCard):
    """A throw of which it was told how many dice did something; the keys tell it anew."""

    def __init__(self, context: Context, throw: LastThrow, right: Right) -> None:
        super().__init__(context, throw, right)
        self.value = throw.answer[throw.prompt.tally]

    def asked(self) -> str:
        """Return the number as it was: "2→?"."""
        return f"{self.throw.answer[self.prompt.tally]}→?"

    def thrown(self, dice: Sequence[Fallen]) -> bool:
        """A number is told here, and no die tells it."""
        return False


def open_throw(context: Context, right: Right) -> None:
    """Lay the throw entered last, if nothing was accepted since; ``right``: who corrects."""
    throw = context.table.last_throw
    if throw is not None:
        card = TallyCorrectionCard if isinstance(throw.answer, dict) else CorrectionCard
        context.stage.sound("key")
        context.stage.push(card(context, throw, right))
