"""What the command line offers, and its help: what stands beside a game: dice, tray, hall, card."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from referee.cli import parsing
from referee.cli.parsing import Parser


def add(top: Parser) -> None:
    """Add these commands."""
    _dice(top)
    _reader(top)
    _tray(top)
    _hall(top)
    _card(top)


def _dice(top: Parser) -> None:
    dice = top.command(
        "dice",
        "Test each die for fairness; of one game, tell the luck of each player, too (docs/dice.md).",
        "  referee dice\n  referee dice 7\n",
    )
    parsing.game(dice)
    parsing.journal(dice)
    dice.set_defaults(run="records.dice")


def _reader(top: Parser) -> None:
    reader = top.command(
        "reader",
        "Run a reader of dice alone, and print what it writes (docs/dice.md).",
        "  referee reader own\n",
        as_json="print errors as JSON, too; what it prints is JSON Lines anyway",
    )
    reader.add_argument("name", metavar="NAME", choices=("own", "tray", "bluetooth"), help="own, tray or bluetooth")
    parsing.config(reader)
    parsing.journal(reader)
    reader.set_defaults(run="machine.reader")


def _tray(top: Parser) -> None:
    tray = top.command(
        "tray",
        "Read dice in a tray with a camera above it (docs/dice.md).",
        "  referee tray --sheet sheet.png --floor 210x148\n"
        "  referee tray --snap sheet.jpg --camera /dev/video0\n"
        "  referee tray --calibrate --floor 210x148 --height 400 --markers sheet.jpg --background empty.jpg \\\n"
        "    --throw one.jpg --throw two.jpg\n"
        "  referee tray --image throw.jpg --json\n",
    )
    tray.add_argument("--image", metavar="FILE", type=parsing.file, help="read this picture: exit 0 read, 1 in doubt")
    tray.add_argument("--calibrate", action="store_true", help="learn where the camera is and what the dice are")
    tray.add_argument(
        "--sheet", metavar="FILE", type=parsing.file, help="write the sheet with four markers, a PNG to print"
    )
    tray.add_argument(
        "--floor", metavar="WxD", type=_floor, help="width and depth of the tray inside, in mm: 210x148"
    )
    tray.add_argument("--height", metavar="MM", type=float, help="height of the lens above the floor, in mm")
    tray.add_argument("--markers", metavar="FILE", type=parsing.file, help="a picture of the sheet in the tray")
    tray.add_argument(
        "--throw", metavar="FILE", type=parsing.file, action="append", help="a picture of the table's dice"
    )
    tray.add_argument("--background", metavar="FILE", type=parsing.file, help="a picture of the empty tray")
    tray.add_argument(
        "--calibration",
        metavar="FILE",
        type=parsing.file,
        help="(default: tray/calibration.json beside the journal, if there is one)",
    )
    tray.add_argument("--camera", metavar="CAMERA", help='"rpicam", a device, or a folder of frames')
    tray.add_argument("--snap", metavar="FILE", type=parsing.file, help="take a picture as the station does")
    tray.add_argument("--watch", action="store_true", help="print each throw the camera sees; for the station")
    tray.add_argument("--sure", action="store_true", help="with --watch: certain throws need no press")
    tray.add_argument("--rpicam", metavar="ARGUMENT", action="append", default=[], help="an argument for rpicam-vid")
    tray.add_argument("--keep", metavar="FOLDER", type=Path, help="with --watch: keep a picture of each throw there")
    tray.set_defaults(run="tray.tray")


def _floor(text: str) -> tuple[float, float]:
    match = re.fullmatch(r"([0-9]{2,3})x([0-9]{2,3})", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"expected width and depth in mm, as 210x148; got {text!r}")
    return float(match[1]), float(match[2])


def _hall(top: Parser) -> None:
    hall = top.command(
        "hall",
        "Run an event of many tables: the organiser's desk, and pages for players and televisions (docs/hall.md).",
        "  referee hall\n  referee hall --folder autumn-cup\n  referee hall --export event.jsonl\n",
        as_json="print one JSON value once it serves, errors as JSON, too",
    )
    hall.add_argument(
        "--folder",
        metavar="FOLDER",
        type=parsing.file,
        help="folder of the event (default: the last one in referee/events in $XDG_STATE_HOME or ~/.local/state)",
    )
    hall.add_argument("--new", action="store_true", help="begin another event in a folder of its own")
    hall.add_argument(
        "--port", metavar="N", type=parsing.port, default=8090, help="port of the desk; 0 takes any free one"
    )
    hall.add_argument(
        "--public-port",
        metavar="N",
        type=parsing.port,
        default=8091,
        help="port of the pages that everybody may read",
    )
    hall.add_argument(
        "--box-port",
        metavar="N",
        type=parsing.port,
        help="port at which boxes connect, 8470 for example (default: none can)",
    )
    hall.add_argument(
        "--staff-port",
        metavar="N",
        type=parsing.port,
        help="port of the staff's tablets, https, 8443 for example (default: none)",
    )
    hall.add_argument(
        "--link", action="store_true", help="show another one-time link to the desk of a hall that runs"
    )
    hall.add_argument(
        "--store",
        metavar="ADDRESS",
        help="keep the event in a database of PostgreSQL, postgresql://user@host/database",
    )
    hall.add_argument("--no-browser", action="store_true", help="do not open a browser")
    hall.add_argument("--example", action="store_true", help="show an example: 16 players, round 1 published")
    hall.add_argument(
        "--tables",
        metavar="N",
        type=int,
        choices=range(9),
        default=0,
        help="with --example: so many simulated boxes play by themselves, 8 at most",
    )
    hall.add_argument("--export", metavar="FILE", type=Path, help="write the event file, and serve nothing")
    hall.add_argument(
        "--backup",
        metavar="FOLDER",
        type=Path,
        help="write each act there, too: on a stick, for example",
    )
    hall.add_argument(
        "--restore",
        metavar="BACKUP",
        type=Path,
        help="go on with an event from its backup, or from an event file, in a folder of its own",
    )
    hall.set_defaults(run="hall.hall")


def _card(top: Parser) -> None:
    card = top.command(
        "card",
        "Check or apply the text file of a flashed card (docs/image.md).",
        "  referee card check /media/REFEREE/referee.txt\n",
        as_json="",
    )
    checks = card.command("check", "Name every mistake in the text file.")
    checks.add_argument("file", metavar="FILE", type=parsing.file, help="the text file")
    checks.set_defaults(run="machine.check_card")
    applies = card.command("apply", "Apply the text file to this box; its service does that at each start, as root.")
    applies.add_argument("folder", metavar="FOLDER", type=Path, help="where referee.txt lies: /boot/firmware")
    applies.add_argument(
        "--root", metavar="FOLDER", type=Path, default=Path("/"), help="a system other than this one"
    )
    applies.set_defaults(run="machine.apply_card")
