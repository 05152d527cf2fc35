"""What the command line offers, and its help: games and their records."""

from __future__ import annotations

from referee import __version__
from referee.cli import options_beside, parsing
from referee.cli.parsing import CODES, Parser

EXAMPLES = """\
examples:
  referee play                                  start a simulated box in the browser
  referee doctor                                test this machine and its box
  referee games                                 list games, single rulings and switches
  referee odds battle-of-the-ring               show the result tables with exact odds
  referee drive battle-of-the-ring --set players=2
  referee log                                   print the latest game
  referee export | gzip > game.jsonl.gz         save the latest game to a file
  referee report -o evening.html                a page of the latest game, to read, print and send
  referee replay game.jsonl                     judge an exported game again
  referee hall                                  run an event of many tables

`referee COMMAND --help` says what a command does. With --json a command prints JSON.

"""


SERVES = "print the panel's address as one JSON value, errors as JSON, too"
ALWAYS = "print errors as JSON, too; what it prints is JSON Lines anyway"


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
    top.set_defaults(run="main.greet", json=False)
    _station(top)
    _drive(top)
    _shelf(top)
    _records(top)
    options_beside.add(top)
    return top


def _station(top: Parser) -> None:
    play = top.command(
        "play",
        "Start a simulated box in the browser.",
        "  referee play\n  referee play --no-browser --port 8080\n",
        as_json=SERVES,
    )
    play.set_defaults(run="playing.play")
    run = top.command(
        "run",
        "Start the real box: the keys, lamps and display wired to this Raspberry Pi.",
        "  referee run\n",
        as_json=SERVES,
    )
    run.set_defaults(run="playing.run")
    for command in (play, run):
        parsing.config(command)
        parsing.journal(command)
        command.add_argument("--port", metavar="N", type=parsing.port, help="port of the panel; 0 takes any free one")
        command.add_argument("--no-panel", action="store_true", help="do not serve the panel")
        command.add_argument("--no-browser", action="store_true", help="do not open a browser")
    panel = top.command(
        "panel",
        "List the browsers that were let in to the panel, or revoke their passes.",
        "  referee panel\n  referee panel --revoke 3f9a07c2\n  referee panel --revoke all\n",
    )
    panel.add_argument("--revoke", metavar="ID", help="revoke this pass; all: every pass")
    parsing.config(panel)
    parsing.journal(panel)
    panel.set_defaults(run="playing.panel")
    doctor = top.command(
        "doctor",
        "Test this machine and its box: buses, pins, power, disk, clock, then every lamp and key.",
        "  referee doctor\n  referee doctor --no-ask --json       without anybody to press keys\n",
    )
    doctor.add_argument(
        "--no-ask", action="store_true", help="ask for no keys; switch every lamp and the display on once"
    )
    parsing.config(doctor)
    parsing.journal(doctor)
    doctor.set_defaults(run="machine.doctor")


def _drive(top: Parser) -> None:
    drive = top.command(
        "drive",
        "Play a rulebook over JSON Lines on stdin and stdout (docs/drive.md).",
        "  referee drive battle-of-the-ring\n"
        "  referee drive battle-of-the-ring --ruling attack\n"
        "  referee drive battle-of-the-ring --set players=2 --journal game.db\n"
        "  referee drive battle-of-the-ring --journal game.db --resume\n",
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
    drive.add_argument(
        "--journal",
        metavar="FILE",
        type=parsing.file,
        help="record the game in this journal (default: do not record)",
    )
    drive.add_argument("--resume", action="store_true", help="resume the latest unfinished game of the journal")
    drive.set_defaults(run="driving.drive")


def _shelf(top: Parser) -> None:
    games = top.command("games", "List the games, or one of them, with their single rulings and switches.")
    games.add_argument("book", metavar="GAME", nargs="?", help="a game, or a word of its id (default: all)")
    games.set_defaults(run="shelf.games")
    rules = top.command(
        "rules",
        "Look a rule up: by its id, or by words of it; without either, all rules of all games.",
        "  referee rules BR-45\n  referee rules Elven hex\n",
    )
    rules.add_argument("words", metavar="ID|WORDS", nargs="*", help="the id of a rule, or words that stand in it")
    rules.set_defaults(run="shelf.rules")
    odds = top.command(
        "odds",
        "Show the result tables of a game with the exact odds of every cell.",
        "  referee odds\n  referee odds battle-of-the-ring --json\n",
    )
    odds.add_argument(
        "book", metavar="GAME", nargs="?", help="a game, or a word of its id (default: all with tables)"
    )
    odds.set_defaults(run="shelf.odds")


def _records(top: Parser) -> None:
    log = top.command(
        "log",
        "Print a recorded game: every answer and ruling in order, who gave it, and what was undone (marked x).",
        "  referee log                      the latest game\n"
        "  referee log 7                    game 7\n"
        "  referee log --list               which games there are\n",
        as_json="print one JSON object per line, errors as JSON, too",
    )
    log.add_argument(
        "--list", action="store_true", help="list the games of the journal instead: number, begin, state"
    )
    log.set_defaults(run="records.log")
    export = top.command(
        "export", "Write a recorded game as JSON Lines.", "  referee export 3 -o game.jsonl\n", as_json=ALWAYS
    )
    export.add_argument("-o", "--output", metavar="FILE", type=parsing.file, help="file to write (default: stdout)")
    export.set_defaults(run="records.export")
    report = top.command(
        "report",
        "Write a recorded game as a page to read, print and send to friends.",
        "  referee report -o evening.html\n  referee report 7 -o evening.html\n",
    )
    report.add_argument("-o", "--output", metavar="FILE", type=parsing.file, help="file to write (default: stdout)")
    report.set_defaults(run="records.report")
    for command in (log, export, report):
        parsing.game(command)
        parsing.journal(command)
        command.add_argument("--anonymous", action="store_true", help="leave out the names of players")
    players = top.command(
        "players",
        "List the names that were given to players, the latest first, or erase them.",
        "  referee players --forget Anna\n  referee players --forget all\n",
    )
    players.add_argument("--forget", metavar="NAME", help="erase a name from all games; all: every name")
    parsing.journal(players)
    players.set_defaults(run="records.players")
    replay = top.command("replay", "Judge an exported game again; report the first entry with a different result.")
    replay.add_argument("file", metavar="FILE", help="an exported game; - for stdin")
    replay.set_defaults(run="records.replay")
    verify = top.command(
        "verify",
        "Check a journal's file and hash chains; report the first damaged entry (docs/journal.md).",
        "  referee verify\n  referee verify --head 9f3a07c2      a hash noted during the game\n",
    )
    verify.add_argument(
        "--head",
        metavar="HASH",
        action="append",
        default=[],
        help="hash that an entry must have, or its first digits; may be given several times",
    )
    verify.set_defaults(run="records.verify")
    check = top.command(
        "check", "Judge every recorded game again; report those that the installed rulebooks judge differently."
    )
    check.set_defaults(run="records.check")
    for command in (verify, check):
        parsing.journal(command)
