"""The boxes: pairing one by compared digits, and which table each stands at."""

from __future__ import annotations

from referee.hall.boxes import Boxes
from referee.hall.pages.actions import Actions, Asked, Sender
from referee.tournament.acts import BoxPlaced


def actions(boxes: Boxes) -> Actions:
    """Return what the forms of the page do."""

    def pair(sender: Sender) -> Asked:
        del sender
        boxes.pair()
        return Asked()

    def confirm(sender: Sender) -> Asked:
        boxes.confirm(sender.form.text("digits"))
        return Asked(notice="Confirmed here. The box is paired as soon as Select is held there.")

    def refuse(sender: Sender) -> Asked:
        del sender
        boxes.refuse()
        return Asked(notice="No box was paired.")

    def place(sender: Sender) -> Asked:
        box, table = boxes.key(sender.form.text("box")), sender.form.number("table")
        return Asked(
            [BoxPlaced(**sender.mark, table=table, box=box)], notice=f"Table {table} has this box from now on"
        )

    def remove(sender: Sender) -> Asked:
        table = sender.form.number("table")
        return Asked([BoxPlaced(**sender.mark, table=table, box="")], notice=f"Table {table} plays on paper")

    return {"place": place, "remove": remove, "pair": pair, "confirm": confirm, "refuse": refuse}
