"""A hall as boxes see it, in a process of its own: ``python -m tests.hall.served FOLDER PORT [--store STORE]``.

It acts all the time, lets boxes in by tokens that are known, and prints its certificate once it can be reached.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import uvicorn

from referee.errors import RefereeError
from referee.hall import calls as calls_of
from referee.hall.boxes import Boxes, hashed
from referee.hall.calls import Calls
from referee.hall.desk import FILE, Desk
from referee.hall.tls import CALLS, for_boxes
from referee.tournament import Event
from referee.tournament.acts import Act
from referee.tournament.acts.stages import SettingsChosen

MOST: Final = 800  # boxes that are let in
ACT: Final = 0.1  # how often somebody acts at the desk, s


def taken(event: Event, box: str, _note: str, now: int, _body: object) -> tuple[Act, ...]:
    """Take whatever a table says, in the place of `said.said`, so that nothing is refused for its sense."""
    return (SettingsChosen(who=f"box {box[:8]}", at=now, settings=event.settings),)


def token(number: int) -> str:
    """Return the token of a box."""
    return f"box-{number}-".ljust(43, "t")


class Server(uvicorn.Server):
    """uvicorn, which answers long polls before it ends."""

    def __init__(self, config: uvicorn.Config, calls: Calls) -> None:
        super().__init__(config)
        self._calls = calls

    async def shutdown(self, sockets: Any = None) -> None:
        self._calls.close()
        await super().shutdown(sockets)


def config(calls: Calls, pem: Path, port: int) -> uvicorn.Config:
    """Return how it serves on the loopback."""
    return uvicorn.Config(
        calls.app,
        "127.0.0.1",
        port,
        log_config=None,
        access_log=False,
        lifespan="off",
        timeout_keep_alive=75,
        timeout_graceful_shutdown=3,
        ssl_certfile=pem,
    )


class Opened:
    """A hall that does not run, to look into."""

    def __init__(self, folder: Path) -> None:
        self._desk = Desk(folder, read=True)
        self._names = {hashed(token(number)): token(number) for number in range(MOST)}

    def close(self) -> None:
        self._desk.close()

    def acts(self) -> list[dict[str, Any]]:
        """What boxes asked for, by the id of each."""
        lines = map(json.loads, self._desk.ledger.lines())
        return [{"id": each["request"]} for each in lines if len(each["request"]) == 64]

    def games(self, of: str) -> dict[str, list[dict[str, Any]]]:
        """The entries of a box by game."""
        games = Boxes(self._desk, "", "0" * 64).games
        box, found = hashed(of), {}
        for game in self._rows("SELECT DISTINCT game FROM entries WHERE box = :box", box):
            found[game] = list(self._desk.store.read(lambda db, game=game: games.page(db, box, game, -1, None)))  # type: ignore[misc]
        return found

    def totals(self) -> dict[str, int]:
        """How many entries there are of each box, by token."""
        games = Boxes(self._desk, "", "0" * 64).games
        return {self._names[box]: count for box, count in self._desk.store.read(games.totals).items()}

    def newest(self) -> int:
        """The revision of the record."""
        self._desk.follow()
        return self._desk.ledger.state.revision

    @property
    def doubt(self) -> bool:
        self._desk.follow()
        return bool(self._desk.ledger.doubts)

    def go_on(self) -> None:
        """Somebody says that this copy is to count."""
        self._desk.ledger.go_on("organiser", self._desk.now()).result()

    def _rows(self, query: str, box: str) -> list[str]:
        from sqlalchemy import text

        return list(self._desk.store.read(lambda db: db.execute(text(query), {"box": box}).scalars().all()))


def copy(folder: Path, to: Path, *, lose: bool = False) -> None:
    """Copy the hall's file, as a backup does. ``lose``: entries, too, of some boxes all, of others the latest."""
    with closing(sqlite3.connect(folder / FILE)) as live, closing(sqlite3.connect(to)) as made:
        live.backup(made)
        if lose:
            few = "SELECT DISTINCT box FROM entries LIMIT 5"
            made.execute(f"DELETE FROM entries WHERE number > 100 OR box IN ({few})")
        made.commit()
    if to.parent != folder:
        shutil.copy(folder / CALLS, to.parent)


def restore(folder: Path) -> None:
    """Put the copy in the place of the file of a hall that does not run."""
    for end in ("-wal", "-shm"):
        (folder / f"{FILE}{end}").unlink(missing_ok=True)
    shutil.move(folder / "copy.db", folder / FILE)


async def _serve(desk: Desk, boxes: Boxes, pem: Path, port: int, shown: str, *, acts: bool) -> None:
    calls = Calls(desk, boxes)
    server = Server(config(calls, pem, port), calls)
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has nothing to wait for
        await asyncio.sleep(0.01)
    sys.stdout.write(f"{shown}\n")
    sys.stdout.flush()
    while not serving.done():
        await asyncio.sleep(ACT)
        if not acts:
            continue
        try:
            if not desk.alone:
                desk.follow()
            await asyncio.wrap_future(desk.submit(taken(desk.event, "desk", "", desk.now(), None)))
        except RefereeError:  # in doubt, or another hall was quicker
            continue
    await serving


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("port", type=int)
    parser.add_argument("--store", default="")
    parser.add_argument("--quiet", action="store_true", help="nobody acts at the desk")
    options = parser.parse_args()
    setattr(calls_of, "said", taken)  # noqa: B010 - in the place of what judges it
    options.folder.mkdir(parents=True, exist_ok=True)
    made = for_boxes(options.folder)
    with Desk(options.folder, store=options.store) as desk:
        boxes = Boxes(desk, "", made.digest)
        boxes.tokens.admit([hashed(token(number)) for number in range(MOST)])
        asyncio.run(_serve(desk, boxes, made.path, options.port, made.digest, acts=not options.quiet))


if __name__ == "__main__":
    main()
