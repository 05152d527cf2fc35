"""The boxes, with the code that adds one and the table of each; the staff's tablets, with their codes."""

from __future__ import annotations

from typing import Any, Final

from referee.errors import Malformed, NotNow
from referee.hall.boxes import SHOWN, Boxes
from referee.hall.pages.forms import MOST_TABLE, Asked, Does, Forms, Sender
from referee.hall.pages.render import Look
from referee.hall.staff import NOBODY, ROLES, StaffPort
from referee.hall.wishes import at_table, published
from referee.tournament import Event
from referee.tournament.acts.people import BoxPlaced


def boxes_view(look: Look) -> dict[str, Any]:
    """What is known of the boxes."""
    return look.served.boxes.view() if look.served.boxes is not None else {}


def staff_view(look: Look) -> dict[str, Any]:
    """Who of the staff was let in."""
    return look.served.staff.view() if look.served.staff is not None else {}


def boxes_forms(boxes: Boxes) -> Forms:
    """Return what the forms of the page of the boxes do."""

    def offer(_sender: Sender) -> Asked:
        boxes.offer()
        return Asked()

    def bar(sender: Sender) -> Asked:
        box = boxes.box(sender.form.text("box"))
        if box in sender.event.boxes.values():
            raise NotNow("placed", "Take the box away from its table first")
        boxes.tokens.bar(box)
        return Asked(notice=f"Box {box[:SHOWN]} is not let in any more")

    def place(sender: Sender) -> Asked:
        event, form = sender.event, sender.form
        box, table = boxes.box(form.text("box")), form.number("table")
        if not 1 <= table <= MOST_TABLE:
            raise Malformed(f"table: type a number from 1 to {MOST_TABLE}, not {table}")
        left = next((at for at, each in event.boxes.items() if each == box), table)
        if left != table and _plays(event, left) and not form.text("why"):
            raise Malformed(f"why: tell why table {left}, which plays, loses its box")
        placed = BoxPlaced(**sender.mark, table=table, box=box)
        return Asked([placed], notice=f"Table {table} has this box from now on")

    def remove(sender: Sender) -> Asked:
        table, placed = sender.form.number("table"), sender.event.boxes
        if table not in placed:
            raise NotNow("no-box", "Choose a table that has a box")
        removed = BoxPlaced(**sender.mark, table=table, box="")
        return Asked([removed], notice=f"Table {table} now plays on paper, without a box")

    return {
        "place": Does(NOBODY, place, PLACED, ()),
        "remove": Does(NOBODY, remove, PLACED, ()),
        "offer": Does(NOBODY, offer),
        "bar": Does(NOBODY, bar),
    }


PLACED: Final = (BoxPlaced,)


def _plays(event: Event, table: int) -> bool:
    round_, pairing = published(event), at_table(event, table)
    return round_ is not None and round_.state == "started" and pairing is not None and pairing.open


def staff_forms(staff: StaffPort) -> Forms:
    """Return what the forms of the page of the staff do."""

    def invite(sender: Sender) -> Asked:
        staff.access.invite(sender.form.choice("role", ROLES), {each.who for each in sender.desk.acts})
        return Asked()

    def revoke(sender: Sender) -> Asked:
        revoked = staff.access.revoke(sender.form.text("pass"))
        if not revoked:
            raise Malformed("This pass was taken back already")
        return Asked(notice=f"The pass of {revoked[0].who} is taken back")

    return {"invite": Does(NOBODY, invite), "revoke": Does(NOBODY, revoke)}
