"""Storms by the thousand: ``python -m tests.hall.uplink.chaos --seeds 1000``.

Each seed is a world of its own (world.py). After the storm the weather is calm, and then the hall must have every
entry of every box, once and in its order; what was acknowledged must never have been gone; and every journal that was
set back behind what the hall had, every fork and every copied key must have been told.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.components import MEMORY
from tests.hall.uplink.memory import MemoryJournal
from tests.hall.uplink.storms import pass_over, storms
from tests.hall.uplink.world import Box, World

STORM, AFTER = 240.0, 900.0
"""How long the storm lasts, and how long the boxes have afterwards at most, s of virtual time."""


def storm(seed: int, boxes: int) -> World:
    """Return a world after its storm, judged."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        world = World(seed, Path(folder), boxes)
        pass_over(world, STORM, AFTER, lambda each: all(map(_at_rest, each.all)))
        _judge(world)
        world.hall.intake.close()
    return world


def _at_rest(box: Box) -> bool:
    """Whether the hall said of the last entry that it has it, or that it will not have this box."""
    refused = box.side.refused
    if refused is not None:
        return refused.code == "twin"
    return box.side.durable == box.journal.end()


def _judge(world: World) -> None:
    incidents: dict[str, Counter[str]] = {}
    for key, kind, _ in world.hall.intake.incidents():
        incidents.setdefault(key, Counter())[kind] += 1
        world.tally[kind] += 1
    by_key: dict[str, list[Box]] = {}
    for box in world.all:
        by_key.setdefault(box.journal.signer.public, []).append(box)
    world.count_losses()
    for key, boxes in by_key.items():
        seen = incidents.get(key, Counter())
        if "refused" in seen:
            world.faults.append(f"box {boxes[0].name}: entries that hold were refused")
        if key in world.must_see and not seen:
            world.faults.append(f"box {boxes[0].name}: was set back, and nobody was told")
        if len(boxes) > 1 and _differ(boxes) and not seen["twin"] + seen["fork"]:
            world.faults.append(f"box {boxes[0].name}: two had its key, and nobody was told")
        for box in boxes:
            if box.side.refused is None:
                _judge_box(world, box)


def _differ(boxes: list[Box]) -> bool:
    """Whether boxes with the same key wrote different entries."""
    ends = [[each.place.hash for each in box.journal.log] for box in boxes]
    shortest = min(map(len, ends))
    return len({tuple(end[:shortest]) for end in ends}) > 1


def _judge_box(world: World, box: Box) -> None:
    """Compare a journal with what the hall has of it, entry by entry."""
    intake, journal = world.hall.intake, box.journal
    end = journal.end()
    if end is None:
        return
    node = intake.find(journal.signer.public, end.hash)
    if node is None:
        world.faults.append(f"box {box.name}: the hall lacks entry {end}")
        return
    if node.at != len(journal.log):
        world.faults.append(f"box {box.name}: {len(journal.log)} entries, the last is number {node.at} at the hall")
    for tail in intake.games(node):
        if intake.records(tail) != _game(journal, tail.game):
            world.faults.append(f"box {box.name}: game {tail.game} is another at the hall")
    world.tally["compared"] += len(journal.log)


def _game(journal: MemoryJournal, game: int) -> list[object]:
    return [each.record for each in journal.log if each.place.game == game]


if __name__ == "__main__":
    sys.exit(storms(storm, __doc__))
