"""The commands, their options and their help."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from referee import __version__
from referee.cli import parsing
from referee.cli.parsing import CODES, Parser

EXAMPLES = """\
examples:
  referee play                                  start a simulated box in the browser
  referee doctor                                test this machine and its box
  referee games                                 list games, single rulings and switches
  referee odds battle-of-the-ring               show the result tables with exact odds
  referee drive battle-of-the-ring --set players=2
  referee log                                   print the latest game
  referee export | gzip > game.jsonl.gz         write the latest game to a file
  referee report > evening.html                 write the latest game as a page to read, print and send
  referee replay game.jsonl                     judge an exported game again
  referee import game.jsonl                     add an exported game to the journal, to continue it
  referee hall                                  run an event of many tables

`referee COMMAND --help` says what a command does. With --json a command prints JSON.

"""


SERVES = "print the panel's address, and errors, as JSON"
ALWAYS = "print errors as JSON; its output is always JSON Lines"


def parser() -> Parser:
    """Return the parser; every command leaves in ``run`` the module of `referee.cli` and the function that do it.

    A command's module is imported when it is run: ``referee drive`` needs no station, ``referee log`` no display.
    """
    top = Parser(
        prog="referee",
        description="An electronic referee for Middle-earth games on a real table.",
        epilog=EXAMPLES + CODES,
    )
    top.add_argument("--version", action="version", version=f"referee {__version__}", help="print the version")
    top.set_defaults(run="main.helped", json=False)
    _station(top)
    _drive(top)
    _shelf(top)
    _records(top)
    _dice(top)
    _tray(top)
    _hall(top)
    _card(top)
    return top


def _station(top: Parser) -> None:
    play = top.command(
        "play",
        "machine.play",
        "Start a simulated box in the browser.",
        "  referee play\n  referee play --no-browser --port 8080\n",
        as_json=SERVES,
    )
    run = top.command(
        "run",
        "machine.run",
        "Start the real box: the keys, lamps and display wired to this Raspberry Pi.",
        "  referee run\n",
        as_json=SERVES,
    )
    for command in (play, run):
        parsing.config(command)
        parsing.journal(command)
        command.add_argument("--port", metavar="N", type=parsing.port, help="port of the panel; 0 takes any free one")
        command.add_argument("--no-panel", action="store_true", help="do not serve the panel")
        command.add_argument("--no-browser", action="store_true", help="do not open a browser")
    doctor = top.command(
        "doctor",
        "machine.doctor",
        "Test this machine and its box: buses, pins, power, disk, clock, then every lamp and key.",
        "  referee doctor\n  referee doctor --no-ask --json       when nobody can press keys\n",
    )
    doctor.add_argument("--no-ask", action="store_true", help="ask for no key presses; light every lamp once")
    doctor.add_argument(
        "--acceptance",
        metavar="FILE",
        type=parsing.file,
        help="count 20 presses of every key too, and write what was found as a form to send in (docs/build.md)",
    )
    parsing.config(doctor)
    parsing.journal(doctor)


def _drive(top: Parser) -> None:
    drive = top.command(
        "drive",
        "shelf.drive",
        "Play a rulebook over JSON Lines on stdin and stdout (docs/drive.md).",
        "  referee drive battle-of-the-ring\n"
        "  referee drive battle-of-the-ring --ruling attack\n"
        "  referee drive battle-of-the-ring --set players=2 --journal game.db\n",
        as_json=ALWAYS,
    )
    drive.add_argument("book", metavar="GAME", help="a game, or a word of its id; `referee games` lists them")
    drive.add_argument("--ruling", metavar="NAME", help="a single ruling instead of the whole game")
    drive.add_argument(
        "--set",
        metavar="SWITCH=VALUE",
        action="append",
        default=[],
        type=parsing.setting,
        dest="settings",
        help="the value of a switch; `referee games` lists them",
    )
    drive.add_argument("--journal", metavar="FILE", type=parsing.file, help="record the game here (default: nowhere)")


def _shelf(top: Parser) -> None:
    games = top.command("games", "shelf.games", "List the games, or one, with single rulings and switches.")
    games.add_argument("book", metavar="GAME", nargs="?", help="a game, or a word of its id (default: all)")
    rules = top.command(
        "rules",
        "shelf.rules",
        "Look up a rule by its id or its words; without either, list all rules of all games.",
        "  referee rules BR-45\n  referee rules Elven hex\n",
    )
    rules.add_argument("words", metavar="ID|WORDS", nargs="*", help="the id of a rule, or words in it")
    odds = top.command(
        "odds",
        "shelf.odds",
        "Show the result tables of a game with the exact odds of every cell.",
        "  referee odds\n  referee odds battle-of-the-ring --json\n",
    )
    odds.add_argument("book", metavar="GAME", nargs="?", help="a game, or a word of its id (default: all)")


def _records(top: Parser) -> None:
    log = top.command(
        "log",
        "records.log",
        "Print a recorded game: every answer and ruling in order, with its source; x marks what was undone.",
        "  referee log                      the latest game\n"
        "  referee log 7                    game 7\n"
        "  referee log --list               the games of the journal\n",
        as_json="print one JSON object per line, and errors as JSON",
    )
    log.add_argument("--list", action="store_true", help="list the games of the journal: number, date, state")
    example = "  referee export 3 > game.jsonl\n"
    export = top.command("export", "records.export", "Write a recorded game as JSON Lines.", example, as_json=ALWAYS)
    report = top.command(
        "report",
        "records.report",
        "Write a recorded game as a page to read, print and send.",
        "  referee report\n  referee report 7 > evening.html\n",
    )
    for command in (log, export, report):
        parsing.game(command)
        parsing.journal(command)
        command.add_argument("--anonymous", action="store_true", help="leave out the names of players")
    played = top.command(
        "evenings",
        "records.evenings",
        "List the games of this box, and its players with their wins and their luck.",
        "  referee evenings\n  referee evenings --json > evenings.json\n",
    )
    parsing.journal(played)
    players = top.command(
        "players",
        "records.players",
        "List player names, newest first, or erase them.",
        "  referee players --forget Anna\n  referee players --forget all\n",
    )
    players.add_argument("--forget", metavar="NAME", help="erase a name from all games; all: every name")
    parsing.journal(players)
    replay = top.command("replay", "records.replay", "Judge an exported game again; report the first difference.")
    replay.add_argument("file", metavar="FILE", help="an exported game; - for stdin")
    take = top.command(
        "import",
        "records.take",
        "Add an exported game to the journal, once it is judged again; the box resumes it from the shelf.",
        "  referee import game.jsonl\n",
    )
    take.add_argument("file", metavar="FILE", help="an exported game; - for stdin")
    parsing.journal(take)
    verify = top.command(
        "verify",
        "records.verify",
        "Check a journal's file and hash chains; report the first damaged entry (docs/journal.md).",
        "  referee verify\n  referee verify --head 9f3a07c2      a hash noted during the game\n",
    )
    head = "hash that an entry must have, or its first digits; can be repeated"
    verify.add_argument("--head", metavar="HASH", action="append", default=[], help=head)
    check = top.command(
        "check", "records.check", "Judge every recorded game again; report those whose result differs."
    )
    for command in (verify, check):
        parsing.journal(command)


def _dice(top: Parser) -> None:
    dice = top.command(
        "dice",
        "records.dice",
        "Test each die for fairness (docs/dice.md).",
        "  referee dice\n  referee dice 7\n",
    )
    parsing.game(dice)
    parsing.journal(dice)
    reader = top.command(
        "reader",
        "machine.reader",
        "Run one dice reader, and print what it writes (docs/dice.md).",
        "  referee reader own\n",
        as_json=ALWAYS,
    )
    reader.add_argument("name", metavar="NAME", choices=("own", "tray", "bluetooth"), help="own, tray or bluetooth")
    parsing.config(reader)
    parsing.journal(reader)


def _tray(top: Parser) -> None:
    tray = top.command(
        "tray",
        "tray.tray",
        "Read dice in a tray with a camera above it (docs/dice.md).",
        "  referee tray --sheet sheet.png --floor 210x148\n"
        "  referee tray --snap sheet.jpg --camera /dev/video0\n"
        "  referee tray --calibrate --floor 210x148 --height 400 --markers sheet.jpg --background empty.jpg \\\n"
        "    --throw one.jpg --throw two.jpg\n"
        "  referee tray --image throw.jpg --json\n",
    )
    tray.add_argument("--image", metavar="FILE", type=parsing.file, help="read this picture: exit 0 read, 1 in doubt")
    tray.add_argument("--calibrate", action="store_true", help="learn where the camera is and what dice look like")
    tray.add_argument("--sheet", metavar="FILE", type=parsing.file, help="write the sheet of four markers, a PNG")
    tray.add_argument("--floor", metavar="WxD", type=_floor, help="inside width and depth of the tray in mm: 210x148")
    tray.add_argument("--height", metavar="MM", type=float, help="height of the lens above the floor, in mm")
    tray.add_argument("--markers", metavar="FILE", type=parsing.file, help="a picture of the sheet in the tray")
    tray.add_argument("--throw", metavar="FILE", type=parsing.file, action="append", help="a picture of the dice")
    tray.add_argument("--background", metavar="FILE", type=parsing.file, help="a picture of the empty tray")
    beside = "calibration file (default: tray/calibration.json beside the journal)"
    tray.add_argument("--calibration", metavar="FILE", type=parsing.file, help=beside)
    tray.add_argument("--camera", metavar="CAMERA", help='"rpicam", a device, or a folder of frames')
    tray.add_argument("--snap", metavar="FILE", type=parsing.file, help="take a picture as the station does")
    tray.add_argument("--watch", action="store_true", help="print each throw the camera sees; for the station")
    tray.add_argument("--sure", action="store_true", help="with --watch: certain throws need no press")
    tray.add_argument("--rpicam", metavar="ARGUMENT", action="append", default=[], help="an argument for rpicam-vid")
    tray.add_argument("--keep", metavar="FOLDER", type=Path, help="with --watch: keep a picture of each throw here")


def _floor(text: str) -> tuple[float, float]:
    match = re.fullmatch(r"([0-9]{2,3})x([0-9]{2,3})", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"expected width and depth in mm, as 210x148; got {text!r}")
    return float(match[1]), float(match[2])


def _hall(top: Parser) -> None:
    hall = top.command(
        "hall",
        "hall.hall",
        "Run an event of many tables: the organiser's desk, and pages for players and televisions (docs/hall.md).",
        "  referee hall\n  referee hall --folder autumn-cup\n",
        as_json="print one JSON value when it is ready, and errors as JSON",
    )
    folder = "folder of the event (default: the latest in referee/events in $XDG_STATE_HOME or ~/.local/state)"
    hall.add_argument("--folder", metavar="FOLDER", type=parsing.file, help=folder)
    hall.add_argument("--new", action="store_true", help="start another event in a folder of its own")
    for name, default, what in (
        ("--port", 8090, "port of the desk (default: 8090); 0 takes any free one"),
        ("--public-port", 8091, "port of the public pages (default: 8091)"),
        ("--box-port", None, "port for boxes, 8470 for example (default: none)"),
        ("--staff-port", None, "port for the staff's tablets, https, 8443 for example (default: none)"),
    ):
        hall.add_argument(name, metavar="N", type=parsing.port, default=default, help=what)
    hall.add_argument("--link", action="store_true", help="show another one-time link to the desk of a running hall")
    hall.add_argument(
        "--store", metavar="ADDRESS", help="keep the event in PostgreSQL, postgresql://user@host/database"
    )
    hall.add_argument("--no-browser", action="store_true", help="do not open a browser")
    hall.add_argument("--example", action="store_true", help="show an example: 16 players, round 1 published")
    hall.add_argument(
        "--backup", metavar="FOLDER", type=Path, help="also write each act here, on a stick for example"
    )
    restore = "continue an event from its backup or its event file, in a folder of its own"
    hall.add_argument("--restore", metavar="BACKUP", type=Path, help=restore)


def _card(top: Parser) -> None:
    card = top.command(
        "card",
        "",
        "Check or apply the text file of a flashed card (docs/image.md).",
        "  referee card check /media/REFEREE/referee.txt\n",
    )
    checks = card.command("check", "machine.check_card", "Name every mistake in the text file.")
    checks.add_argument("file", metavar="FILE", type=parsing.file, help="the text file")
    applies = card.command(
        "apply", "machine.apply_card", "Apply the text file to this box, as the service does at each start."
    )
    applies.add_argument("folder", metavar="FOLDER", type=Path, help="folder of referee.txt: /boot/firmware")
    applies.add_argument("--root", metavar="FOLDER", type=Path, default=Path("/"), help="root of another system")
