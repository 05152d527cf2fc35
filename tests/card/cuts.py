"""The power is cut in the middle of a game, again and again, on the partitions of the card itself.

What a power-on does before the third partition is mounted is always the same, so it is done once: the kernel has
started, the system is mounted read-only, and the station waits with everything imported. From that state each
power-on goes on with the card as the last cut left it: the first process of the card checks and mounts the third
partition, and the station opens its journal there. systemd is not started; after the last cut it is.
"""

from __future__ import annotations

import contextlib
import hashlib
import socket
import struct
import time
from pathlib import Path
from typing import Any

from referee.errors import RefereeError
from referee.journal import Journal
from tests.bench.spread import spread
from tests.card.board import ARGUMENTS, Board
from tests.card.box import LONG, RIGHT, SETTINGS, Box, Twin
from tests.card.prepare import CARD, put
from tests.kernel.disk import Disk
from tests.kernel.journals import accepted, read
from tests.kernel.machine import Guest, MachineFault
from tests.kernel.power import Cuts
from tests.kernel.prepare import run
from tests.kernel.sitting import Differs, PowerOn

JOURNALS = "/lib/referee"
"""On the third partition."""
SYSTEM = (1, 2)
"""The partitions that nothing writes to."""

WAITING = (
    "/bin/chroot /system /usr/bin/setpriv --reuid referee --regid referee --init-groups /usr/bin/env -i"
    " LG_WD=/run/referee REFEREE_JOURNAL=/var/lib/referee/journal.db PYTHONPATH=/opt/referee/app"
    " /opt/referee/bin/python -BS /run/test/warm.py"
)

REQUESTS = 400
"""Sectors that an answer takes at most, with what the file system's journal takes."""

SECTOR = 512
TABLE = 430
"""Where the entry before the first would begin."""

ENTRY = struct.Struct("<8x2L")
"""First sector and number of sectors in an entry of the partition table."""


class Served(Board):
    """A power-on with the card served from memory, whose first process waits before the third partition."""

    arguments = f"{ARGUMENTS} iomem=relaxed test.waits"

    def _card(self, folder: Path, disk: socket.socket) -> str:
        return f"file.driver=nbd,file.server.type=fd,file.server.str={disk.fileno()}"


class Sitting(PowerOn):
    """One power-on from the saved state, up to the picture that the journal on the card calls for."""

    patience = LONG

    def __init__(self, guest: Guest, disk: Disk, journal: Path) -> None:
        """`journal`: a copy of that on the card."""
        with contextlib.ExitStack() as undo:
            twin = undo.enter_context(contextlib.closing(Twin(journal)))
            machine = Served(guest, disk, guest.world / "console", mount=False, boot=LONG)
            undo.callback(machine.cut)
            super().__init__(twin, machine)
            machine.write("/system/run/test/go", "on")
            machine.hear("test: (mounted)", LONG)
            machine.referee("run", "--no-panel", "--config", SETTINGS)
            self.look()
            self.resumed = time.monotonic() - machine.began
            self._undo = undo.pop_all()


class CardCuts(Cuts):
    """A game on the third partition; a power cut keeps each sector that the card has taken."""

    requests = REQUESTS

    def __init__(self, guest: Guest, folder: Path, seed: int, disk: Disk) -> None:
        super().__init__(guest, folder, seed, disk)
        self._twin = self._recovered(folder / "before")

    def _power_on(self, guest: Guest) -> PowerOn:
        return Sitting(guest, self._disk, self._twin)

    def _recovered(self, folder: Path) -> Path:
        self._disk.cut()
        folder.mkdir()
        self._disk.save(folder / "partition", *_partition(self._disk.part(0, SECTOR), 3))
        return read(folder / "partition", folder, JOURNALS)

    def last_prompt(self, guest: Guest) -> None:
        """Start the whole card once more, with systemd: the last prompt, too, must stand again."""
        self._disk.save(guest.world / CARD)
        began = time.monotonic()
        box = Box(guest, self._twin, RIGHT)
        try:
            box.look()
            self.figures["boot_to_prompt_s"] = round(time.monotonic() - began, 1)
            self._compare(box)
        finally:
            box.close()


def measure(guest: Guest, cuts: int, seed: int) -> dict[str, Any]:
    """Start the card once, then play and cut its power so often; return the figures, with a "fault" if one was found.

    Raises Differs, MachineFault if it did not get as far as the first cut.
    """
    put(guest.world / CARD, "referee.txt", RIGHT.encode())  # as each power-on does where it is another one
    system = _digests(Disk(image=guest.world / CARD), SYSTEM)
    box = Box(guest, guest.world / "first.db", RIGHT)
    try:
        box.look()
        box.started()
    finally:
        box.close()
    disk = Disk(image=guest.world / CARD)
    before = _digests(disk, (3,))
    waiting = _saved(guest, disk)
    if _digests(disk, (3,)) != before:
        raise Differs("the machine was saved after it had written to the third partition")
    game = CardCuts(waiting, guest.world, seed, disk)
    try:
        game.play(cuts)
        game.last_prompt(guest)
        if _digests(Disk(image=guest.world / CARD), SYSTEM) != system:
            raise Differs("the system was written to")
    except (Differs, MachineFault, RefereeError) as error:
        game.figures["fault"] = f"cut {game.figures['cuts']}: {error}"
    figures = game.figures | {"seed": seed}
    return {
        name: spread(value, 1) if isinstance(value, list) else value for name, value in figures.items() if value != []
    }


def _saved(guest: Guest, disk: Disk) -> Guest:
    """Save the machine once it waits; return the guest that goes on from there. Raises MachineFault."""
    with Served(guest, disk, guest.world / "console", mount=False, boot=LONG) as machine:
        machine.tell(f"start 0 {WAITING}")
        machine.hear("(warm: waiting)", LONG)
        machine.save(guest.world / "state")
    disk.cut()
    return guest._replace(saved=guest.world / "state")


def recorded(guest: Guest, twin: Path) -> int:
    """Return how many entries the journal on a card has whose power was cut.

    Raises Differs unless they are those of the twin, RefereeError if their chain is broken.
    """
    folder = guest.world / "recorded"
    folder.mkdir()
    card = guest.world / CARD
    with card.open("rb") as file:
        start, size = _partition(file.read(SECTOR), 3)
    bounds = ("bs=1M", "iflag=skip_bytes,count_bytes", f"skip={start}", f"count={size}", "conv=sparse")
    run("dd", f"if={card}", f"of={folder / 'partition'}", *bounds)
    found = accepted(read(folder / "partition", folder, JOURNALS))
    with Journal(twin, write=False) as journal:
        wanted = accepted(journal)
    if found != wanted:
        raise Differs(f"the journal on the card ends with {found[-3:]}; acknowledged was {wanted[-3:]}")
    return len(found)


def _digests(disk: Disk, numbers: tuple[int, ...]) -> list[str]:
    table = disk.part(0, SECTOR)
    return [hashlib.sha256(disk.part(*_partition(table, number))).hexdigest() for number in numbers]


def _partition(table: bytes, number: int) -> tuple[int, int]:
    """Return where a partition begins and its size, in bytes; `table`: the first sector."""
    start, size = ENTRY.unpack_from(table, TABLE + 16 * number)
    return start * SECTOR, size * SECTOR
