"""The command `hall`."""

from __future__ import annotations

import contextlib
import sys
import tempfile
import time
import webbrowser
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from referee.cli.output import say, show
from referee.cli.places import journal_path, lacking
from referee.errors import BadSetting

if TYPE_CHECKING:
    from referee.hall.serving import Addresses


PORT: Final = "desk.port"
"""File in the event's folder with the port of its desk."""


def hall(options: Namespace) -> None:
    """Serve the hall, or open the desk of one that runs."""
    try:
        from referee.hall import example, serving  # noqa: F401 - what is missing is named at once
    except ModuleNotFoundError as fault:
        raise lacking("the hall needs", fault, "hall") from fault
    if options.example and (options.store or options.backup or options.restore):
        raise BadSetting("--example keeps nothing: leave out --store, --backup and --restore")
    if options.link:
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
    ports = serving.Ports(options.port, options.public_port, options.box_port, options.staff_port)
    serving.check(ports)
    notes: list[str] = []
    if options.restore is not None:
        last = restore(options.restore, folder, lambda: round(time.time() * 1000))
        _note(options, notes, (f"The event is in {folder}, up to act {last}",))
    desk = stack.enter_context(Desk(folder, store=options.store or ""))
    if options.example:
        example.fill(desk)
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
