"""What happens to dice at a table. Each takes the dice to be thrown for a roll, the first of which it happens to,

and returns those that are still to be thrown.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from hardware.events import Disturbed, Doubt
from hardware.line.presence import Connected, Disconnected
from tests.hardware.dice.table import SPARE, DiceTable, Fell

Mishap = Callable[[DiceTable, list[str]], list[str]]


def tilted(table: DiceTable, dice: list[str]) -> list[str]:
    """It lies at an angle, and is taken as it lies."""
    _tilt(table, dice[0], counts=True)
    return dice[1:]


def tilted_and_thrown_again(table: DiceTable, dice: list[str]) -> list[str]:
    """It lies at an angle, and is thrown again."""
    _tilt(table, dice[0], counts=False)
    return dice


def keyed_over(table: DiceTable, dice: list[str]) -> list[str]:
    """It lies at an angle, and somebody keys in what it shows."""
    if table.early is not None:
        return dice  # the key would be for that one
    _tilt(table, dice[0], counts=False)
    table.key(5)
    return dice[1:]


def _tilt(table: DiceTable, die: str, *, counts: bool) -> None:
    fake = table.dice[die]
    table.counts["tilted"] += 1
    fake.certainty = 800
    table.throw(die, "tilted", counts=counts)
    fake.certainty = 998


def cocked(table: DiceTable, dice: list[str]) -> list[str]:
    """It leans on something, says so, and is thrown again."""
    fake = table.dice[dice[0]]
    table.counts["cocked"] += 1
    table.counts["throws"] += 1
    table.air.tell(fake.roll)
    table.air.tell(fake.lean)
    table.listen(dice[:1], Doubt)
    table.note(dice[0], Fell(None, None, "cocked", counts=False))
    return dice


def pulled(table: DiceTable, dice: list[str]) -> list[str]:
    """Its connection is lost while it rolls; it is thrown again."""
    fake = table.dice[dice[0]]
    table.counts["lost while rolling"] += 1
    table.counts["throws"] += 1
    table.air.tell(fake.roll)
    table.air.pull(fake)
    for kind in (Doubt, Disconnected, Connected):
        table.listen(dice[:1], kind)
    table.note(dice[0], Fell(None, None, "unread", counts=False))
    table.dismiss()
    return dice


def nudged(table: DiceTable, dice: list[str]) -> list[str]:
    """It is turned over where it lies: the firmware says "rolled"."""
    if len(dice) < 2:
        return dice
    fake = table.dice[dice[0]]
    table.counts["nudged"] += 1
    table.throw(dice[0], "moved")
    table.air.tell(lambda: fake.land(fake.face % 6 + 1))
    table.listen(dice[:1], Disturbed)
    return dice[1:]


def thrown_twice(table: DiceTable, dice: list[str]) -> list[str]:
    """It is thrown twice for one roll."""
    if len(dice) < 2:
        return dice
    table.counts["thrown twice"] += 1
    table.throw(dice[0], "again", counts=False)
    table.throw(dice[0], "again")
    return dice[1:]


def taken_back(table: DiceTable, dice: list[str]) -> list[str]:
    """Back takes it away, and it is thrown again."""
    if len(dice) < 2 or table.early is not None:
        return dice  # Back would take the other one away
    table.counts["taken back"] += 1
    table.throw(dice[0], "back", counts=False)
    table.bench.key("back")
    return dice


def held_by_a_phone(table: DiceTable, dice: list[str]) -> list[str]:
    """A phone has it: its face is keyed in, and it comes back afterwards."""
    return _away(table, dice, "held")


def asleep(table: DiceTable, dice: list[str]) -> list[str]:
    """It sleeps: its face is keyed in, and it wakes up afterwards."""
    return _away(table, dice, "asleep")


def _away(table: DiceTable, dice: list[str], why: Literal["held", "asleep"]) -> list[str]:
    if len(dice) < 2:
        return dice
    fake = table.dice[dice[0]]
    table.counts[why] += 1
    setattr(fake, why, True)
    table.air.pull(fake)
    table.listen(dice[:1], Disconnected)
    table.dismiss()
    for die in dice[1:]:
        table.throw(die)
    table.key(2)
    table.air.wake(fake)
    table.listen(dice[:1], Connected)
    return []


def under_a_message(table: DiceTable, dice: list[str]) -> list[str]:
    """It is thrown while a message lies on the glass: nobody saw the question; it is taken as it is."""
    if table.early is not None or dice[0] not in SPARE:
        return dice
    other = table.dice["W1"]
    table.counts["under a message"] += 1
    table.air.pull(other)
    for kind in (Disconnected, Connected):
        table.listen(("W1",), kind)
    table.throw(dice[0], "thrown before")
    table.dismiss()
    table.bench.key("select")
    return dice[1:]


PIXELS: Final[tuple[Mishap, ...]] = (tilted, tilted_and_thrown_again, keyed_over)
GODICE: Final[tuple[Mishap, ...]] = (cocked,)
ANY: Final[tuple[Mishap, ...]] = (
    pulled, nudged, thrown_twice, taken_back, held_by_a_phone, asleep, under_a_message
)  # fmt: skip
