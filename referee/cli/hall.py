"""The command that runs an event of many tables."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import tempfile
import time
import webbrowser
from argparse import Namespace
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from referee.cli.output import save, say, show
from referee.cli.places import journal_path, lacking
from referee.cli.progress import watching
from referee.cli.simulated_tables import SimulatedTables
from referee.errors import BadSetting, JournalDamaged

if TYPE_CHECKING:
    from referee.hall.serving import Addresses


def hall(options: Namespace) -> None:
    """Serve the hall, or write the event file of one."""
    try:
        from referee.hall import example, serving  # noqa: F401 - what is missing is named at once
    except ModuleNotFoundError as fault:
        raise lacking("the hall needs", fault, "hall") from fault
    if options.store is not None and options.example:
        raise BadSetting("--store: expected without --example, which leaves nothing behind")
    if options.tables and not options.example:
        raise BadSetting("--tables: expected with --example; the boxes of an event are real")
    if options.json and options.rebuild is not None:
        raise BadSetting("--rebuild asks and waits for answers: leave out --json")
    if options.export is not None:
        _export(options)
    elif options.link:
        _link(options)
    else:
        with contextlib.ExitStack() as stack:
            _serve(options, stack)


def _serve(options: Namespace, stack: contextlib.ExitStack) -> None:
    from referee.hall import example, serving
    from referee.hall.desk import Desk
    from referee.hall.store import choose

    if options.example:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="referee-example-")))
    else:
        folder = _folder(options)
    if options.store is not None:
        choose(folder, options.store)
    if options.rebuild is not None and not _rebuild(options, folder):
        return
    notes: list[str] = []
    if options.set_aside:
        _note(options, notes, set_aside(folder))
    desk = stack.enter_context(Desk(folder))
    playing = SimulatedTables(folder, options.tables) if options.tables else None
    if options.example:
        example.fill(desk, playing.keys() if playing is not None else ())
    elif not desk.acts:
        key = folder / "event.key"
        written = f"Its event key is in {key}; copy it elsewhere, or write its words down."
        _note(options, notes, (f"A new event is in {folder}", written))

    def ready(at: serving.Addresses) -> None:
        show(options, {"folder": str(folder), "notes": notes, **asdict(at)}, _lines(at))
        sys.stdout.flush()
        if playing is not None:
            playing.play(stack, at.boxes, desk.record.event, desk.record.term)
        if not options.no_browser:
            webbrowser.open(at.desk)

    box_port = 0 if playing is not None and options.box_port is None else options.box_port
    ports = serving.Ports(options.port, options.public_port, box_port, options.staff_port)
    serving.run(desk, ports, ready, example=options.example)


def _note(options: Namespace, notes: list[str], lines: Iterable[str]) -> None:
    """Say it at once; to a program, with the addresses."""
    for line in lines:
        notes.append(line)
        if not options.json:
            say([line])


def _lines(at: Addresses) -> Iterator[str]:
    if at.boxes:
        yield f"Boxes connect to {at.boxes}"
    if at.staff:
        yield f"The staff's tablets open {at.staff}"
    yield f"The desk, for one browser, is at {at.desk}"
    yield f"Everybody reads {at.public}"


def _rebuild(options: Namespace, folder: Path) -> bool:
    """Have the record of a lost computer given back by the boxes; return whether the organiser confirmed it."""
    from referee.hall import event_key, rebuilding, serving

    if str(options.rebuild) == "-":
        say(["The nine words of the event key:"])
        key = event_key.from_words(sys.stdin.readline())
    else:
        key = event_key.read(options.rebuild)
    if options.box_port is None:
        raise BadSetting("--rebuild: expected --box-port, the port at which boxes connect, too")
    ports = serving.Ports(boxes=options.box_port)

    def listening(port: int) -> None:
        say([f"Boxes connect to {serving.own_address(ports)}:{port}", "Type yes to go on with the best record."])

    async def confirmed() -> bool:
        answer: str = await asyncio.to_thread(sys.stdin.readline)
        return answer.strip().lower() == "yes"

    def heard(text: str) -> None:
        say([text])
        sys.stdout.flush()

    where = ports.address, options.box_port
    return bool(asyncio.run(rebuilding.serve(folder, key, where, listening, confirmed, heard)))


def set_aside(folder: Path) -> Iterator[str]:
    """Rename what is damaged and can be spared; yield what is said of it."""
    from referee.hall import damage
    from referee.hall.names import Names
    from referee.hall.uplink.intake import Intake

    for name, store in (("names.db", Names), ("intake.db", Intake)):
        path = folder / name
        try:
            if path.exists():
                store(path).close()
        except JournalDamaged:
            yield f"{path} was damaged; it is {damage.set_aside(path).name} now."


def _export(options: Namespace) -> None:
    from referee.hall.record import exported
    from referee.hall.store import RECORD

    folder = _folder(options)
    if Path(os.path.realpath(options.export)).parent == Path(os.path.realpath(folder)):
        raise BadSetting("--export: expected a file outside the event's folder")
    save(options.export, exported(folder / RECORD, watching("acts")))
    show(options, {"file": str(options.export)}, ())


def _link(options: Namespace) -> None:
    """Open the desk of a hall that runs in another browser, or once more in this one."""
    from referee.hall.staff.access import Access, passes_of
    from referee.hall.store import has_event

    folder = _folder(options)
    if not has_event(folder):
        raise BadSetting(f"{folder} has no event; name its folder")
    link = f"http://127.0.0.1:{options.port}/login?link={Access(passes_of(folder)).link()}"
    show(options, {"desk": link}, [f"The desk, for one browser, is at {link}"])
    sys.stdout.flush()
    if not options.no_browser:
        webbrowser.open(link)


def _folder(options: Namespace) -> Path:
    """Return the folder of the event that is meant. Raises BadSetting."""
    from referee.hall.store import has_event

    if options.folder is not None:
        if options.new and has_event(options.folder):
            raise BadSetting(f"{options.folder} has an event; name another folder, or leave --new out")
        return Path(options.folder)
    events = journal_path().parent / "events"
    there = sorted(each for each in events.glob("*") if has_event(each))
    if there and not options.new and options.rebuild is None:
        return there[-1]
    return events / time.strftime("%Y-%m-%d-%H%M%S")
