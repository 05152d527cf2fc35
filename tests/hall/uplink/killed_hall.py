"""A hall to be killed by `kills`: it acts all the time. ``python -m tests.hall.uplink.killed_hall FOLDER PORT``."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
from pathlib import Path

from referee.errors import StoreAway
from referee.files.plain import counted
from referee.hall import rebuilding
from referee.hall.record import Record
from referee.hall.uplink.certificate import certificate
from referee.hall.uplink.hall import HallSide
from referee.hall.uplink.intake import Intake
from referee.hall.uplink.outbox import JournalOutbox
from referee.hall.uplink.server import UplinkServer
from referee.hall.uplink.term import identity
from referee.tournament.acts import PlayerAdded
from tests.hall.uplink.pair import EVENT_KEY


async def serve(folder: Path, port: int) -> None:
    """Serve until killed; print the port."""
    shown = certificate(folder)
    intake = Intake(folder / "intake.db")
    record = Record(folder / "hall.db")
    shows = identity(record.signer, record.event, record.term, shown.hash)
    side = HallSide(intake, shows, JournalOutbox(record.journal), lambda _: None, intake.admit)
    for key in record.boxes():
        intake.admit(key)
    async with UplinkServer(shown.path, "127.0.0.1", port) as server, server.serve(side):
        print(server.port, flush=True)
        while True:
            with contextlib.suppress(StoreAway):  # and with it, whether the last one was written
                players = itertools.count(len(record.acts()) + 1)
                while True:
                    record.append([PlayerAdded(who="organiser", at=1, player=next(players))])
                    await asyncio.sleep(0.1)
            await asyncio.sleep(0.1)


async def rebuild(folder: Path, port: int, boxes: int) -> None:
    """Rebuild a hall on an empty folder once every box was heard, and serve until killed."""
    heard = asyncio.Event()

    def say(text: str) -> None:
        if text.startswith(f"{counted(boxes, 'box', 'boxes')} heard"):
            heard.set()

    async def confirmed() -> bool:
        return await heard.wait()

    await rebuilding.serve(folder, EVENT_KEY, ("127.0.0.1", port), lambda _: None, confirmed, say)
    await serve(folder, port)


def main() -> None:
    """Serve until killed. ``--rebuild``: an empty folder first, from so many boxes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("port", type=int)
    parser.add_argument("--rebuild", type=int)
    options = parser.parse_args()
    if options.rebuild:
        asyncio.run(rebuild(options.folder, options.port, options.rebuild))
    else:
        asyncio.run(serve(options.folder, options.port))


if __name__ == "__main__":
    main()
