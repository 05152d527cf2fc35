"""The boxes: a code that adds one, and which table each stands at."""

from __future__ import annotations

from typing import Final

from referee.errors import Malformed, NotNow
from referee.hall.boxes import SHOWN, Boxes
from referee.hall.pages.actions import Actions, Asked, Sender
from referee.hall.pages.forms import MOST_TABLE
from referee.hall.pages.tables import in_ranges
from referee.hall.wishes import published, stood_before
from referee.tournament import Event
from referee.tournament.acts.floor import BoxPlaced


def actions(boxes: Boxes) -> Actions:
    """Return what the forms of the page do."""

    def offer(sender: Sender) -> Asked:
        del sender
        boxes.offer()
        return Asked()

    def withdraw(sender: Sender) -> Asked:
        del sender
        boxes.withdraw()
        return Asked(notice="No code adds a box now.")

    def bar(sender: Sender) -> Asked:
        box = boxes.box(sender.form.text("box"))
        if box in sender.desk.event.boxes.values():
            raise NotNow("placed", "expected a box that stands at no table. Take it away from its table first")
        boxes.tokens.bar(box)
        return Asked(notice=f"Box {box[:SHOWN]} is not let in any more")

    def place(sender: Sender) -> Asked:
        box, table = boxes.box(sender.form.text("box")), sender.form.number("table")
        event = sender.desk.event
        known = _tables(event, len(boxes.tokens.boxes()))
        if table not in known and not 1 <= table <= MOST_TABLE:
            raise Malformed(f"table: expected a number from 1 to {MOST_TABLE}; got {table}")
        if known and table not in known and not sender.form.text("why"):
            raise Malformed(f"why: expected why at table {table}; those of the event are {in_ranges(known)}")
        left = next((at for at, each in event.boxes.items() if each == box), table)
        if left != table and _plays(event, left) and not sender.form.text("why"):
            raise Malformed(f"why: expected why table {left}, which plays, loses its box")
        return Asked(
            [BoxPlaced(**sender.mark, table=table, box=box)], notice=f"Table {table} has this box from now on"
        )

    def remove(sender: Sender) -> Asked:
        table, placed = sender.form.number("table"), sender.desk.event.boxes
        if table not in placed:
            raise NotNow("no-box", f"expected a table that has a box: {in_ranges(placed) or 'none has'}; got {table}")
        if not sender.form.text("why"):
            raise Malformed("why: expected why the table's box is taken away")
        return Asked(
            [BoxPlaced(**sender.mark, table=table, box="")],
            notice=f"Table {table} has no box any more, and plays on paper",
        )

    return {"place": place, "remove": remove, "offer": offer, "withdraw": withdraw, "bar": bar}


def own_game(sender: Sender) -> Asked:
    """What a box played that stood at a table before counts: it stands there again, and goes on with its own game."""
    box, table, event = sender.form.text("box"), sender.form.number("table"), sender.desk.event
    if box not in stood_before(sender.desk.acts, event, table):
        raise NotNow("no-such-box", f"expected a box that was replaced at table {table} and stands nowhere now")
    if not sender.form.text("why"):
        raise Malformed("why: expected why what this box played counts")
    placed = BoxPlaced(**sender.mark, table=table, box=box, own_game=True)
    return Asked([placed], notice=f"Table {table} goes on with the game of this box", then=f"/table?table={table}")


AT_TABLE: Final[Actions] = {"own-game": own_game}


def _tables(event: Event, boxes: int) -> set[int]:
    """Return the tables of all rounds, those that are somebody's own, and as many as players or boxes need.

    None as long as nobody is entered: then it is not known how many there will be.
    """
    of_rounds = {pairing.table for each in event.rounds for pairing in each.pairings if pairing.table}
    own = {player.table for player in event.players.values() if player.table}
    needed = range(1, max(1, len(event.players) // 2, boxes) + 1) if event.players else ()
    return of_rounds | own | set(needed)


def _plays(event: Event, table: int) -> bool:
    """Return whether a match at a table is played now."""
    round_ = published(event)
    if round_ is None or round_.state != "started":
        return False
    return any(pairing.table == table and pairing.open for pairing in round_.pairings)
