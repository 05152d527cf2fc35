"""What the command line offers, and its help."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import NoReturn, TypeAlias

from referee import __version__
from referee.cli.words import did_you_mean
from referee.files.bounded import names_a_file

CODES = """\
exit codes:
  0    done
  1    check failed: a replay diverged, a journal or an export is damaged, or the doctor found a fault
  2    usage error: wrong arguments; no such game, ruling, switch or file
  69   the station cannot start
  70   a rulebook failed
  74   journal error: it cannot be opened, read or written, or the game is not in it
  78   the configuration, the pin map or the text file of a card is wrong
  130  interrupted with Ctrl-C
  141  the reader of the output closed it
"""

EXAMPLES = """\
examples:
  referee play                                  start a simulated box in the browser
  referee doctor                                test this machine and its box
  referee games                                 list games, single rulings and switches
  referee odds battle                           show the result tables with exact odds
  referee drive battle-of-the-ring --set players=2
  referee log                                   print the latest game
  referee export | gzip > game.jsonl.gz         save the latest game to a file
  referee report -o evening.html                a page of the latest game, to read, print and send
  referee replay game.jsonl                     judge an exported game again
  referee hall                                  run an event of many tables

"""


class _Parser(argparse.ArgumentParser):
    """A parser that complains in one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, what may have been meant and where help is; exit with 2."""
        wrong = re.fullmatch(r"argument COMMAND: invalid choice: '(.*)' \(choose from (.*)\)", message)
        if wrong is not None:
            known = re.findall(r"[a-z]+", wrong[2])
            message = f"there is no command {wrong[1]!r}{did_you_mean(wrong[1], known)}"
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def parser() -> argparse.ArgumentParser:
    """Return the parser; every command leaves in ``run`` the module of `referee.cli` and the function that do it.

    A command's module is imported when it is run: ``referee drive`` needs no station, ``referee log`` no display.
    """
    top = _Parser(
        prog="referee",
        description="An electronic referee for Middle-earth games on a real table.",
        epilog=EXAMPLES + CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"referee {__version__}")
    top.set_defaults(run="")
    sub = top.add_subparsers(metavar="COMMAND", required=False)
    _station(sub)
    _drive(sub)
    _shelf(sub)
    _records(sub)
    _dice(sub)
    _tray(sub)
    _hall(sub)
    _card(sub)
    return top


_Sub: TypeAlias = "argparse._SubParsersAction[_Parser]"  # noqa: SLF001 - it has no public name


def _add(sub: _Sub, name: str, text: str, examples: str = "") -> _Parser:
    shown = f"examples:\n{examples}\n{CODES}" if examples else CODES
    return sub.add_parser(
        name, help=text, description=text, epilog=shown, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def _file(text: str) -> Path:
    """Return the path of a file; not nothing, which is an unset variable of the shell, and not the folder itself."""
    if not names_a_file(Path(text)):
        raise argparse.ArgumentTypeError(f"expected a file, got {text!r}")
    return Path(text)


def _journal(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--journal",
        metavar="FILE",
        type=_file,
        help="journal (default: $REFEREE_JOURNAL, else referee/journal.db in $XDG_STATE_HOME or ~/.local/state)",
    )


def _config(command: argparse.ArgumentParser) -> None:
    named = os.environ.get("REFEREE_CONFIG")
    command.add_argument(
        "--config",
        metavar="FILE",
        type=_file,
        default=Path(named) if named else None,
        help="configuration file, TOML (default: $REFEREE_CONFIG, else none)",
    )


def _game(command: argparse.ArgumentParser) -> None:
    command.add_argument("number", metavar="N", nargs="?", type=int, help="number of the game (default: the latest)")
    command.add_argument("--game", metavar="N", type=int, help="the same")


def _station(sub: _Sub) -> None:
    play = _add(
        sub,
        "play",
        "Start a simulated box in the browser.",
        "  referee play\n  referee play --no-browser --port 8080\n",
    )
    play.set_defaults(run="playing.play")
    run = _add(
        sub, "run", "Start the real box: the keys, lamps and display wired to this Raspberry Pi.", "  referee run\n"
    )
    run.set_defaults(run="playing.run")
    for command in (play, run):
        _config(command)
        _journal(command)
        command.add_argument("--port", metavar="N", type=_port, help="port of the panel; 0 takes any free one")
        command.add_argument("--no-panel", action="store_true", help="do not serve the panel")
        command.add_argument("--no-browser", action="store_true", help="do not open a browser")
    panel = _add(
        sub,
        "panel",
        "List the browsers that were let in to the panel, or revoke their passes.",
        "  referee panel\n  referee panel --revoke 3f9a07c2\n  referee panel --revoke all\n",
    )
    panel.add_argument("--revoke", metavar="ID", help="revoke this pass; all: every pass")
    _config(panel)
    _journal(panel)
    panel.add_argument("--json", action="store_true", help="print one JSON value")
    panel.set_defaults(run="playing.panel")
    doctor = _add(
        sub,
        "doctor",
        "Test this machine and its box: buses, pins, power, disk, clock, then every lamp and key.",
        "  referee doctor\n  referee doctor --no-ask --json       without anybody to press keys\n"
        "  referee doctor --simulated           try it without a box\n",
    )
    doctor.add_argument("--simulated", action="store_true", help="test a simulated box, with simulated fingers")
    doctor.add_argument(
        "--no-ask", action="store_true", help="ask for no keys; switch every lamp and the display on once"
    )
    doctor.add_argument("--json", action="store_true", help="print one JSON value at the end")
    _config(doctor)
    _journal(doctor)
    doctor.set_defaults(run="examining.doctor")


def _drive(sub: _Sub) -> None:
    drive = _add(
        sub,
        "drive",
        "Play a rulebook over JSON Lines on stdin and stdout (docs/drive.md).",
        "  referee drive battle-of-the-ring\n"
        "  referee drive battle-of-the-ring --ruling attack\n"
        "  referee drive battle-of-the-ring --set players=2 --journal game.db\n"
        "  referee drive battle-of-the-ring --journal game.db --resume\n",
    )
    drive.add_argument("book", metavar="GAME", help="a game, or a word of its id; `referee games` lists them")
    drive.add_argument("--ruling", metavar="NAME", help="a single ruling instead of the whole game")
    drive.add_argument("--set", metavar="SWITCH=VALUE", action="append", default=[], type=_setting, dest="settings")
    drive.add_argument(
        "--journal", metavar="FILE", type=_file, help="record the game in this journal (default: do not record)"
    )
    drive.add_argument(
        "--player",
        metavar="SEAT=NAME",
        action="append",
        default=[],
        type=_setting,
        dest="players",
        help="who plays a seat; kept beside the journal",
    )
    drive.add_argument("--resume", action="store_true", help="resume the latest unfinished game of the journal")
    drive.set_defaults(run="driving.drive")


def _shelf(sub: _Sub) -> None:
    games = _add(sub, "games", "List the games, with their single rulings and switches.")
    games.set_defaults(run="shelf.games")
    odds = _add(
        sub,
        "odds",
        "Show the result tables of a game with the exact odds of every cell.",
        "  referee odds\n  referee odds battle-of-the-ring --json\n",
    )
    odds.add_argument(
        "book", metavar="GAME", nargs="?", help="a game, or a word of its id (default: all with tables)"
    )
    odds.set_defaults(run="shelf.odds")
    for command in (games, odds):
        command.add_argument("--json", action="store_true", help="print one JSON value")


def _records(sub: _Sub) -> None:
    log = _add(
        sub,
        "log",
        "Print a recorded game.",
        "  referee log\n  referee log 7 --rulings\n  referee log --last\n  referee log --list\n",
    )
    log.add_argument("--list", action="store_true", help="list the games of the journal")
    log.add_argument("--rulings", action="store_true", help="only what was ruled, and why")
    log.add_argument("--last", action="store_true", help="only the latest ruling that was not undone, and why")
    log.add_argument("--json", action="store_true", help="print one JSON object per line")
    log.set_defaults(run="records.log")
    export = _add(sub, "export", "Write a recorded game as JSON Lines.", "  referee export 3 -o game.jsonl\n")
    export.add_argument("-o", "--output", metavar="FILE", type=Path, help="file to write (default: stdout)")
    export.set_defaults(run="records.export")
    report = _add(
        sub,
        "report",
        "Write a recorded game as a page to read, print and send to friends.",
        "  referee report -o evening.html\n  referee report 7 -o evening.html\n",
    )
    report.add_argument("-o", "--output", metavar="FILE", type=Path, help="file to write (default: stdout)")
    report.set_defaults(run="records.report")
    for command in (log, export, report):
        _game(command)
        _journal(command)
        command.add_argument("--anonymous", action="store_true", help="leave out the names of players")
    players = _add(
        sub,
        "players",
        "List the names that were given to players, the latest first, or erase them.",
        "  referee players --forget Anna\n  referee players --forget all\n",
    )
    players.add_argument("--forget", metavar="NAME", help="erase a name from all games; all: every name")
    players.add_argument("--json", action="store_true", help="print one JSON value")
    _journal(players)
    players.set_defaults(run="records.players")
    replay = _add(sub, "replay", "Judge an exported game again; report the first entry with a different result.")
    replay.add_argument("file", metavar="FILE", help="an exported game; - for stdin")
    replay.add_argument("--json", action="store_true", help="print one JSON value")
    replay.set_defaults(run="records.replay")
    verify = _add(
        sub,
        "verify",
        "Check a journal's file, hash chains and seals; report the first damaged entry (docs/journal.md).",
        "  referee verify\n  referee verify --head 9f3a07c2      a hash noted during the game\n",
    )
    verify.add_argument(
        "--head",
        metavar="HASH",
        action="append",
        default=[],
        help="hash that an entry must have, or its first digits; may be given several times",
    )
    verify.add_argument("--key", metavar="KEY", type=_key, help="public key that must have sealed every game")
    verify.set_defaults(run="records.verify")
    check = _add(
        sub, "check", "Judge every recorded game again; report those that the installed rulebooks judge differently."
    )
    check.set_defaults(run="records.check")
    key = _add(sub, "key", "Print the public keys this box seals its games with, the newest last.")
    key.add_argument("--json", action="store_true", help="print one JSON value")
    key.add_argument("--new", action="store_true", help="retire the key and create a new one")
    key.set_defaults(run="records.key")
    for command in (verify, check, key):
        _journal(command)
    for command in (verify, check):
        command.add_argument("--json", action="store_true", help="print one JSON value")
    completion = _add(
        sub,
        "completion",
        "Print what makes a shell complete commands, options and games.",
        '  eval "$(referee completion)"            in ~/.bashrc; for zsh after autoload bashcompinit; bashcompinit\n',
    )
    completion.set_defaults(run="completing.completion")


def _dice(sub: _Sub) -> None:
    dice = _add(
        sub,
        "dice",
        "Find, name, assign and test dice that tell themselves (docs/dice.md).",
        "  referee dice find\n  referee dice name C3:5A:11:20:7E:F0 W1\n  referee dice assign W1 1\n"
        "  referee dice test W1\n",
    )
    deeds = dice.add_subparsers(metavar="DEED", required=True)
    finds = _add(deeds, "find", "List the dice that advertise by Bluetooth.")
    finds.add_argument("--seconds", metavar="N", type=_seconds, default=8, help="how long to look (default: 8)")
    lists = _add(deeds, "list", "List the dice this box knows.")
    names = _add(
        deeds, "name", "Know a die by a name, which the log shows.", "  referee dice name C3:5A:11:20:7E:F0 W1\n"
    )
    names.add_argument("address", metavar="ADDRESS", help="address of the die; `referee dice find` lists them")
    assigns = _add(deeds, "assign", "Give a die to a seat: it counts for the rolls of that seat alone.")
    forgets = _add(deeds, "forget", "Forget a die.")
    blinks = _add(deeds, "blink", "Let a die blink.")
    tests = _add(deeds, "test", "Throw a die and see what it tells.")
    for deed in (names, assigns, forgets, blinks, tests):
        deed.add_argument("name", metavar="NAME", help="name of the die, up to 8 letters, digits, - or _")
    assigns.add_argument(
        "seat", metavar="SEAT", type=int, choices=range(5), help="button of the seat, 1 to 4; 0: none"
    )
    tests.add_argument("--throws", metavar="N", type=int, default=5, help="how many throws (default: 5)")
    commands = {"find": finds, "listed": lists, "name": names, "assign": assigns}
    fair = _add(deeds, "fairness", "Say of each die whether it was fair, and what could have been noticed.")
    _game(fair)
    _journal(fair)
    fair.set_defaults(run="dice.fairness")
    for run, deed in {**commands, "forget": forgets, "blink": blinks, "watch": tests}.items():
        _config(deed)
        _journal(deed)
        deed.set_defaults(run=f"dice.{run}")


def _tray(sub: _Sub) -> None:
    tray = _add(
        sub,
        "tray",
        "Read dice in a tray with a camera above it (docs/tray.md).",
        "  referee tray --sheet sheet.png --floor 210x148\n"
        "  referee tray --snap sheet.jpg --camera /dev/video0\n"
        "  referee tray --calibrate --floor 210x148 --height 400 --markers sheet.jpg --background empty.jpg \\\n"
        "    --throw one.jpg --throw two.jpg\n"
        "  referee tray --image throw.jpg --json\n",
    )
    tray.add_argument("--image", metavar="FILE", type=_file, help="read this picture: exit 0 read, 1 in doubt")
    tray.add_argument("--json", action="store_true", help="print one line of JSON")
    tray.add_argument("--calibrate", action="store_true", help="learn where the camera is and what the dice are")
    tray.add_argument("--sheet", metavar="FILE", type=_file, help="write the sheet with four markers, a PNG to print")
    tray.add_argument(
        "--floor", metavar="WxD", type=_floor, help="width and depth of the tray inside, in mm: 210x148"
    )
    tray.add_argument("--height", metavar="MM", type=float, help="height of the lens above the floor, in mm")
    tray.add_argument("--markers", metavar="FILE", type=_file, help="a picture of the sheet in the tray")
    tray.add_argument("--throw", metavar="FILE", type=_file, action="append", help="a picture of the table's dice")
    tray.add_argument("--background", metavar="FILE", type=_file, help="a picture of the empty tray")
    tray.add_argument(
        "--calibration", metavar="FILE", type=_file, help="(default: tray/calibration.json beside the journal)"
    )
    tray.add_argument("--camera", metavar="CAMERA", help='"rpicam", a device, or a folder of frames')
    tray.add_argument("--snap", metavar="FILE", type=_file, help="take a picture as the station does")
    tray.add_argument("--watch", action="store_true", help="print each throw the camera sees; for the station")
    tray.add_argument("--rpicam", metavar="ARGUMENT", action="append", default=[], help="an argument for rpicam-vid")
    tray.add_argument("--keep", metavar="FOLDER", type=Path, help="with --watch: keep a picture of each throw there")
    tray.set_defaults(run="tray.tray")


def _floor(text: str) -> tuple[float, float]:
    match = re.fullmatch(r"([0-9]{2,3})x([0-9]{2,3})", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"expected width and depth in mm, as 210x148; got {text!r}")
    return float(match[1]), float(match[2])


def _hall(sub: _Sub) -> None:
    hall = _add(
        sub,
        "hall",
        "Run an event of many tables: the organiser's desk, and pages for players and televisions (docs/hall.md).",
        "  referee hall\n  referee hall --folder autumn-cup\n  referee hall --export event.jsonl\n",
    )
    hall.add_argument(
        "--folder",
        metavar="FOLDER",
        type=_file,
        help="folder of the event (default: the last one in referee/events in $XDG_STATE_HOME or ~/.local/state)",
    )
    hall.add_argument("--new", action="store_true", help="begin another event in a folder of its own")
    hall.add_argument(
        "--store",
        metavar="ADDRESS",
        help="keep a new event in a database of PostgreSQL, postgresql://user@host/database, not in files",
    )
    hall.add_argument("--port", metavar="N", type=_port, default=8090, help="port of the desk; 0 takes any free one")
    hall.add_argument(
        "--public-port", metavar="N", type=_port, default=8091, help="port of the pages that everybody may read"
    )
    hall.add_argument(
        "--box-port",
        metavar="N",
        type=_port,
        help="port at which boxes connect, 8470 for example (default: none can)",
    )
    hall.add_argument(
        "--staff-port",
        metavar="N",
        type=_port,
        help="port of the staff's tablets, https, 8443 for example (default: none)",
    )
    hall.add_argument(
        "--link", action="store_true", help="show another one-time link to the desk of a hall that runs"
    )
    hall.add_argument(
        "--set-aside",
        action="store_true",
        help="rename names.db and intake.db of the event if they are damaged, and go on without them",
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
        "--rebuild",
        metavar="KEY",
        type=Path,
        help="rebuild a lost event from its boxes, in an empty folder; KEY: file of the event key, or - to type it",
    )
    hall.set_defaults(run="hall.hall")


def _card(sub: _Sub) -> None:
    card = _add(
        sub,
        "card",
        "Check or apply the text file of a flashed card (docs/card.md).",
        "  referee card check /media/REFEREE/referee.txt\n",
    )
    deeds = card.add_subparsers(metavar="DEED", required=True)
    checks = _add(deeds, "check", "Name every mistake in the text file.")
    checks.add_argument("file", metavar="FILE", type=_file, help="the text file")
    checks.set_defaults(run="card.check")
    applies = _add(deeds, "apply", "Apply the text file to this box; its service does that at each start, as root.")
    applies.add_argument("folder", metavar="FOLDER", type=Path, help="where referee.txt lies: /boot/firmware")
    applies.add_argument(
        "--root", metavar="FOLDER", type=Path, default=Path("/"), help="a system other than this one"
    )
    applies.set_defaults(run="card.apply")


def _key(text: str) -> str:
    if not re.fullmatch("[0-9a-f]{64}", text.lower()):
        raise argparse.ArgumentTypeError(f"expected a public key of 64 hex digits, got {text!r}")
    return text.lower()


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"expected SWITCH=VALUE, got {text!r}")
    return name, value


def _seconds(text: str) -> float:
    if not text.isascii() or not text.isdigit() or not 0 < int(text) <= 600:
        raise argparse.ArgumentTypeError(f"expected seconds from 1 to 600, got {text!r}")
    return float(text)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, got {text!r}")
    return int(text)
