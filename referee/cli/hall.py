"""The command `hall`, and the simulated boxes of its example."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
import time
import webbrowser
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from referee.cli.output import save, say, show
from referee.cli.places import journal_path, lacking
from referee.errors import BadSetting
from referee.files import durable
from referee.station.hall.kept import Membership, write_membership

if TYPE_CHECKING:
    from referee.hall.desk import Desk
    from referee.hall.serving import Addresses


PORT: Final = "desk.port"
"""File in the event's folder with the port of its desk."""


def hall(options: Namespace) -> None:
    """Serve the hall, or write the event file of one."""
    try:
        from referee.hall import example, serving  # noqa: F401 - what is missing is named at once
    except ModuleNotFoundError as fault:
        raise lacking("the hall needs", fault, "hall") from fault
    if options.example and (options.store or options.backup or options.restore):
        raise BadSetting("--example keeps nothing: leave out --store, --backup and --restore")
    if options.tables and not options.example:
        raise BadSetting("--tables: expected with --example; the boxes of an event are real")
    if options.export is not None:
        _export(options)
    elif options.link:
        _link(options)
    else:
        with ExitStack() as stack:
            _serve(options, stack)


def _serve(options: Namespace, stack: ExitStack) -> None:
    from referee.hall import example, serving
    from referee.hall.backup import Backup, restore
    from referee.hall.desk import Desk

    if options.example:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-example-")))
    else:
        folder = _folder(options)
    box_port = 0 if options.tables and options.box_port is None else options.box_port
    ports = serving.Ports(options.port, options.public_port, box_port, options.staff_port)
    serving.check(ports)
    notes: list[str] = []
    if options.restore is not None:
        last = restore(options.restore, folder, lambda: round(time.time() * 1000))
        _note(options, notes, (f"The event is in {folder}, up to act {last}",))
    desk = stack.enter_context(Desk(folder, store=options.store or ""))
    playing = SimulatedTables(folder, options.tables) if options.tables else None
    if options.example:
        example.fill(desk, playing.boxes(desk) if playing is not None else ())
    elif not desk.acts:
        _note(options, notes, (f"Started a new event in {folder}",))
    backup = Backup(desk, options.backup) if options.backup is not None else None
    if backup is not None:
        stack.callback(backup.close)

    def ready(at: serving.Addresses) -> None:
        with contextlib.suppress(OSError):
            (folder / PORT).write_text(at["desk"].partition("/login")[0].rpartition(":")[2])
        show(options, {"folder": str(folder), "notes": notes, **at}, _lines(at))
        sys.stdout.flush()
        if playing is not None:
            playing.play(stack, at["boxes"], at["certificate"])
        if not options.no_browser:
            webbrowser.open(at["desk"])

    serving.run(desk, ports, ready, example=options.example, backup=backup)


def _note(options: Namespace, notes: list[str], lines: Iterable[str]) -> None:
    """Say it at once; to a program, with the addresses."""
    for line in lines:
        notes.append(line)
        if not options.json:
            say([line])


def _lines(at: Addresses) -> Iterator[str]:
    if at["boxes"]:
        yield f"Boxes connect to {at['boxes']}"
    if at["staff"]:
        yield f"The staff's tablets connect to {at['staff']}"
    yield f"The desk is at {at['desk']} (one browser can use this link)"
    yield f"The public pages are at {at['public']}"


def _export(options: Namespace) -> None:
    from referee.hall.desk import Desk

    folder = _folder(options)
    if Path(os.path.realpath(options.export)).parent == Path(os.path.realpath(folder)):
        raise BadSetting("--export: expected a file outside the event's folder")
    with Desk(folder, read=True) as desk:
        save(options.export, desk.ledger.lines())
    show(options, {"file": str(options.export)}, ())


def _link(options: Namespace) -> None:
    """Open the desk of a hall that runs in another browser, or once more in this one."""
    from referee.hall.desk import has_event
    from referee.hall.staff import Access, passes_of

    folder = _folder(options)
    if not has_event(folder):
        raise BadSetting(f"{folder} has no event; name its folder")
    port = options.port
    with contextlib.suppress(OSError, ValueError):
        port = int((folder / PORT).read_text())
    link = f"http://127.0.0.1:{port}/login?link={Access(passes_of(folder)).link()}"
    show(options, {"desk": link}, [f"The desk is at {link} (one browser can use this link)"])
    sys.stdout.flush()
    if not options.no_browser:
        webbrowser.open(link)


def _folder(options: Namespace) -> Path:
    """Return the folder of the event that is meant. Raises BadSetting."""
    from referee.hall.desk import has_event

    if options.folder is not None:
        if options.new and has_event(options.folder):
            raise BadSetting(f"{options.folder} has an event; name another folder, or leave --new out")
        return Path(options.folder)
    events = journal_path().parent / "events"
    there = sorted(each for each in events.glob("*") if has_event(each))
    if there and not options.new and options.restore is None:
        return there[-1]
    return events / time.strftime("%Y-%m-%d-%H%M%S")


class SimulatedTables:
    """So many boxes, each in a folder of its own. They are let in by their tokens, so nobody types codes."""

    def __init__(self, folder: Path, tables: int) -> None:
        self._folders = [folder / f"box-{table}" for table in range(1, tables + 1)]
        self._tokens: list[str] = []

    def boxes(self, desk: Desk) -> list[str]:
        """Let them in; return how the desk names them."""
        from referee.hall.boxes import Tokens, fresh, hashed

        self._tokens = [fresh() for _ in self._folders]
        boxes = list(map(hashed, self._tokens))
        Tokens(desk.store, desk.now).admit(boxes)
        return boxes

    def play(self, stack: ExitStack, boxes: str, certificate: str) -> None:
        """Have them play until ``stack`` is left. ``boxes``: where the hall listens for them, on this computer."""
        for folder, token in zip(self._folders, self._tokens, strict=True):
            durable.folder(folder)
            write_membership(folder, Membership(certificate, token, 1))
        address = f"127.0.0.1:{boxes.rpartition(':')[2]}"
        command = (sys.executable, "-m", "referee.station.virtual.tables", address, *map(str, self._folders))
        stack.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE))  # noqa: S603 - our own words
