"""The boxes: pairing one by compared digits."""

from __future__ import annotations

from referee.hall.boxes import Boxes
from referee.hall.pages.actions import Actions, Asked, Sender


def actions(boxes: Boxes) -> Actions:
    """Return what the forms of the page do."""

    def pair(sender: Sender) -> Asked:
        del sender
        boxes.pair()
        return Asked()

    def confirm(sender: Sender) -> Asked:
        boxes.confirm(sender.form.text("digits"))
        return Asked(told="Confirmed here. The box is paired once Select was held there.")

    def refuse(sender: Sender) -> Asked:
        del sender
        boxes.refuse()
        return Asked(told="No box is paired.")

    return {"pair": pair, "confirm": confirm, "refuse": refuse}
