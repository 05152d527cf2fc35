"""One view of every kind and its awkward cases, as the golden images show them."""

from __future__ import annotations

from referee.console.views import (
    Band,
    Blank,
    Cell,
    Code,
    Confirm,
    Count,
    Dice,
    Grid,
    Idle,
    Notice,
    Odds,
    Question,
    Refusal,
    Rows,
    Ruling,
    View,
    Why,
)
from referee.files import qr

_FIGHT = "Man-Orc→Gondor"
_TARGETS = (
    Cell("Gondor"),
    Cell("Rohan"),
    Cell("Elf"),
    Cell("Dwarf"),
    Cell("Hobbit", barred=True),
    Cell("more", extra=True),
)
_NAMES = (
    Cell("Barad-dûr", "Bar-dûr"),
    Cell("Nazgûl"),
    Cell("Udûn"),
    Cell("Lothlórien", "Lórien"),
    Cell("Éomer"),
    Cell("Minas Tirith", "M.Tirith", barred=True),
)
_GROUND = (
    Cell("Open ground"),
    Cell("Fortress / river"),
    Cell("Fort + river"),
    Cell("Mountain side", barred=True),
    Cell("Same again", extra=True),
)

SPECIMENS: dict[str, View] = {
    "grid": Grid(Band("Saruman", "who?"), _TARGETS, lit=0),
    "grid-pages": Grid(Band("Éomer → ?", "pages"), _NAMES, lit=4, page=1, pages=3),
    "grid-bundles": Grid(
        Band("Loses 3", "R3 E3"),
        (Cell("R0 E3"), Cell("R2 E2", extra=True), Cell("R4 E1"), Cell("R6 E0", barred=True)),
        lit=3,
    ),
    "code": Code("Join", "192.168.178.201:8080", qr.rows("HTTP://192.168.178.201:8080")),
    "rows-below": Rows(Band(_FIGHT, "pos"), _GROUND, lit=3),
    "question": Question(
        Band("Alliance", "Elves"), "May the Nazgûl pass the Elven hex?", (Cell("Yes"), Cell("No")), lit=1
    ),
    "question-long": Question(
        Band("Sauron", "1st move"),
        "The Orc has left the Shire: whose is it from here on?",
        (Cell("Saruman's", "Saruman"), Cell("The Hobbits'", "Hobbits")),
        lit=0,
    ),
    "pick": Grid(
        Band("Beside you?", "2 of 5"),
        (
            Cell("Frodo", chosen=True),
            Cell("Sam"),
            Cell("Merry", chosen=True),
            Cell("Pippin", barred=True),
            Cell("Rider 1", "R1"),
        ),
        lit=2,
        ticks=True,
    ),
    "dice-2": Dice(Band(_FIGHT, "1/2"), (5, None), "9+", "kills", "fort/river", "2-3 lose"),
    "dice-2-standing": Dice(Band(_FIGHT, "2/2"), (5, 4), "9+", "kills", "thrown before", "stands", standing=True),
    "dice-2-hold": Dice(Band(_FIGHT, "1/2"), (None, None), "10+", "kills", "hold: box", "throws", bar=0.6),
    "dice-2-doubt": Dice(Band(_FIGHT, "2/2"), (5, 4), "9+", "kills", "A7 tilted", "Select", doubts=(1,)),
    "dice-2-cocked": Dice(Band(_FIGHT, "2/2"), (5, None), "9+", "kills", "B7 cocked", "key it", doubts=(1,)),
    "dice-5-cocked": Dice(
        Band("Mordor field", "5/5"), (6, None, 5, None, 3), "5+", "hits", "A7 moved", "", doubts=(1, 3, 4)
    ),
    "dice-5": Dice(Band("Mordor field", "5 dice"), (6, 2, 5, 1, 3), "5+", "hits", "round 1", "R7 E3"),
    "count": Count(Band("Corruption", "Frodo"), 13, 2, 20, "Select: this", "turn: ±1"),
    "count-barred": Count(Band("Strikes", "troll"), 1, 1, 6, "1 is not open", barred=True),
    "ruling-changed": Ruling("Gondor out", True, (5, 4), "9", "9+ kills", "Gondor 8→7", "why: turn"),
    "ruling-long": Ruling("Lothlórien is under siege", True, (6, 5, 5, 2, 1), "3 hits", "5+", "R5 E2", "why"),
    "ruling-to-do": Ruling(
        "BR1 to Halls",
        True,
        (),
        "",
        "",
        "2-1",
        "why: turn",
        ("Discard all cards laid", "Ring back to Frodo"),
    ),
    "ruling-ten": Ruling("Draw", False, (6, 5, 5, 2, 1, 3, 3, 6, 4, 2), "2 : 2", "hits", "round 3", ""),
    "why": Why(
        0,
        2,
        "BR-45 49",
        ("O v O, no helper", "fortress or river", "A 2-3    D 9-12", "5 + 4 = 9: in D"),
    ),
    "log": Why(2, 9, "", ("41 Gondor out 5+4", "40 Saruman: Gondor", "39 Rohan moved", "38 undo of 37"), "Log"),
    "refusal": Refusal("Not now", "All 6 Rohan have attacked already", "BR-X10", "pick another"),
    "refusal-longest": Refusal(
        "Not now", "Out of sequence: the defender answers before the attacker plays a second force", "RR-X21"
    ),
    "idle": Idle("Sauron", "Attack", "Round 4", "Orc 25"),
    "notice": Notice("Remember", "Draw a card for each Nazgûl at Barad-dûr", "turn: more"),
    "odds": Odds(
        Band("Gondor", "odds"),
        (("Gondor out", 10 / 36, "28%"), ("no effect", 23 / 36, "64%"), ("Orc out", 3 / 36, "8%")),
    ),
    "odds-4": Odds(
        Band("Field 5 v 4", "odds"),
        (("wins", 0.52, "52%"), ("retreats", 0.31, "31%"), ("loses", 0.168, "17%"), ("both", 0.002, "0.2%")),
    ),
    "confirm": Confirm("Concede?", "Sauron gives up; the Alliance wins"),
    "confirm-hold": Confirm("Judge", "Opens the judge's menu", bar=0.45),
    "clock-grid": Grid(Band("Saruman", "who?", ("Sar 1:02:03", "1:02:03", "62'")), _TARGETS, lit=0),
    "clock-pages": Grid(Band("Éomer → ?", "Done", ("É 1:02:03", "1:02:03", "62'")), _NAMES, lit=4, page=1, pages=3),
    "clock-seconds": Rows(Band("Fangorn→Man-Orc", "", ("A 9:59", "9:59", "9'")), _GROUND, lit=1),
    "clock-over": Dice(Band("Saruman", "1/2", ("-1:05", "-1'")), (4, None), "9+", "kills", "fort"),
    "clock-turn": Idle("Sauron", "Attack", "Round 4", "Orc 25", clock="1:02:03"),
    "blank": Blank(),
}
