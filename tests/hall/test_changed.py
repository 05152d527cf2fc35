"""What was begun at a box for one match, when its table has another one."""

from __future__ import annotations

import pytest

from referee.tournament import Seats
from referee.tournament.acts.rounds import PairingChanged
from tests.hall.table import MARK, TABLE, Floor
from tests.hall.visitor import at_desk_of


def exchange(floor: Floor) -> tuple[int, int]:
    """Exchange who sits second at the table with who sits second at the next one; return who sits there now."""
    here, there = floor.pairing.players, floor.desk.event.rounds[0].at(TABLE + 1).players
    seats = (Seats(TABLE, (here[0], there[1])), Seats(TABLE + 1, (there[0], here[1])))
    floor.desk.perform(PairingChanged(**MARK, round=1, pairings=seats))
    return seats[0].players[0], seats[0].players[1]


@pytest.mark.parametrize("confirmed", [(), ("seat-1",)])
def test_a_slip_of_a_pairing_that_is_changed_leaves_the_glass_and_is_not_sent(
    floor: Floor, confirmed: tuple[str, ...]
) -> None:
    floor.slip("1", *confirmed)
    players = exchange(floor)
    floor.carry()
    assert "The pairing has changed: enter the result again" in floor.bench.text
    floor.bench.wait(1.0)
    floor.bench.key("seat-1", "seat-1", "seat-2", "seat-2")
    floor.carry()
    assert floor.notes("slip") == []
    assert floor.pairing.result is None
    floor.bench.key("back")  # the menu
    floor.slip("1", "seat-1", "seat-2")
    floor.carry()
    assert floor.notes("slip")[0]["players"] == list(players)
    assert floor.pairing.result is not None


def test_a_slip_that_was_confirmed_before_the_box_heard_of_the_change_is_refused_and_named(floor: Floor) -> None:
    before = floor.pairing.players
    exchange(floor)  # the box has not heard of it
    floor.slip("1", "seat-1", "seat-2")
    assert "It will be sent once the hall can be reached" in floor.bench.text
    floor.carry()
    assert floor.notes("slip")[0]["players"] == list(before)
    assert floor.pairing.result is None
    names = " and ".join(floor.desk.names.player(each) for each in before)
    said = f"It is of {names}, who do not meet in round 1"
    assert said in at_desk_of(floor.desk, served=floor.served).get("/boxes").words.replace(" ,", ",")
    ((kind, why),) = floor.box.refused
    assert (kind, floor.bench.console.event.named(why)) == ("slip", said)
    floor.restarted()
    for _ in range(8):
        if floor.bench.console.table.prompt is None or "Free Peoples" not in floor.bench.text:
            floor.bench.key("select")
    floor.slip("1", "seat-1", "seat-2")
    floor.carry()
    assert floor.pairing.result is not None
