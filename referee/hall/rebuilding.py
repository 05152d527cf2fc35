"""An event whose computer is lost is rebuilt on another: from the event key, and what the boxes copied."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from referee.errors import JournalError
from referee.files.plain import counted
from referee.hall import record
from referee.hall.boxes import SHOWN
from referee.hall.event_key import EventKey
from referee.hall.store import has_event
from referee.hall.uplink.certificate import certificate
from referee.hall.uplink.rebuild import RebuildSide
from referee.hall.uplink.server import UplinkServer
from referee.hall.uplink.term import REBUILDING, certify, identity
from referee.journal import seal

LOOK: Final = 0.2
"""How often what was heard is looked at, s."""


def side_of(folder: Path, key: EventKey, shown: str) -> RebuildSide:
    """Return the side that asks boxes for their copies. ``shown``: SHA-256 of the TLS certificate in the folder."""
    hall, event = seal.signer(folder), key.signer.public
    term = certify(key.signer, REBUILDING, hall.public)
    return RebuildSide(identity(hall, event, term, shown), lambda chain: record.proved(event, chain))


def unheard(side: RebuildSide) -> list[str]:
    """Return the keys of the boxes that are paired, and have not been heard."""
    boxes = record.admitted(entry.get("extra", {}) for entry in side.chain.entries)
    return [key for key in boxes if key not in side.heard]


def finish(folder: Path, key: EventKey, side: RebuildSide) -> None:
    """Write the best record into the folder, as the next term. Raises JournalError."""
    if not side.chain.entries:
        raise JournalError("expected at least one box with a copy of the record")
    known = [max(copy.known, copy.latest) for copy in side.heard.values()]
    record.rebuild(folder, key, side.chain, max(known, default=0) + 1, unheard(side))


def summary(side: RebuildSide) -> str:
    """Return what was heard so far, in a line."""
    acts = [entry["extra"]["act"]["act"] for entry in side.chain.entries if "act" in entry.get("extra", {})]
    published = acts.count("round published") - acts.count("round unpublished")
    missing = ", ".join(key[:SHOWN] for key in unheard(side)) or "none"
    wrong = "".join(f"; box {key[:SHOWN]}: {why}" for key, why in side.wrong.items())
    return (
        f"{counted(len(side.heard), 'box', 'boxes')} heard; the best record has {counted(len(acts), 'act')}, "
        f"{counted(published, 'round')} published; "
        f"boxes not heard: {missing}{wrong}"
    )


def _prepare(folder: Path, key: EventKey) -> tuple[RebuildSide, Path]:
    folder.mkdir(parents=True, exist_ok=True)
    if has_event(folder):
        raise JournalError(f"{folder}: expected a folder without an event")
    shown = certificate(folder)
    return side_of(folder, key, shown.hash), shown.path


async def serve(
    folder: Path,
    key: EventKey,
    where: tuple[str, int],
    listening: Callable[[int], None],
    confirmed: Callable[[], Awaitable[bool]],
    say: Callable[[str], None],
) -> bool:
    """Ask boxes for their copies until somebody confirms; return whether the record is in the folder then.

    ``where``: host and port; ``listening``: called with the port; ``confirmed``: waits for the organiser; ``say``:
    called with what was heard, each time there is more. Raises StationError, JournalError.
    """
    side, pem = _prepare(folder, key)
    async with UplinkServer(pem, *where) as server, server.serve(side):
        listening(server.port)
        answer, heard = asyncio.ensure_future(confirmed()), ""
        while not answer.done():
            if heard != summary(side):
                heard = summary(side)
                say(heard)
            await asyncio.wait([answer], timeout=LOOK)
    if answer.result():
        finish(folder, key, side)
    return answer.result()
