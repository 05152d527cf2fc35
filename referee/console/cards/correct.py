"""The last throw once more: a face that was keyed in wrong is keyed over, until the next answer."""

from __future__ import annotations

from dataclasses import replace

from referee.console.cards.throw import DiceCard
from referee.console.context import Context
from referee.console.gathering import Fallen, Gathering
from referee.session import LastThrow, Origin, Right, Submission


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
        self.table.correct_throw(replace(given, origins=self.gathering.origins, source=""), self.right)


def open_throw(context: Context, right: Right) -> None:
    """Lay the throw entered last, if nothing was accepted since; ``right``: who corrects."""
    throw = context.table.last_throw
    if throw is not None:
        context.stage.sound("key")
        context.stage.push(CorrectionCard(context, throw, right))
