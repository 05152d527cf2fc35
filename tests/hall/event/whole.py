"""The story of a whole event, and what must be true at its end."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from referee.clock import Control
from referee.journal import Journal
from referee.journal.export import export
from referee.journal.notes import Notes
from tests.components import ROOT
from tests.hall.event.places import Files, Place
from tests.hall.event.venue import Organiser, Room, room
from tests.hall.process import Hall, running
from tests.hall.tablet import Staff

NAMES: Final = [f"Player {letter}" for letter in "ABCDEFGHIJKLMNOP"]
LATE: Final = "Player Late"
TABLES: Final = [f"box-{number}" for number in range(1, 9)]
SPARE: Final = "spare"
CLOCKS: Final = {"mode": "fischer", "periods": "60 min", "extra": "30 s", "flag": "freeze"}
"""How the organiser lets the seats keep time, as the form of the settings has it; no box is configured so."""
CONTROL: Final = "1 h, +30 s"
"""The same as it is said."""
READER: Final = ROOT / "tools" / "verify_event.py"


@dataclass
class Story:
    """An event as it goes on.

    ``place``    in which the hall of a folder keeps what it keeps
    ``seats``    the name of the box at each table
    ``figures``  what was measured
    """

    folder: Path
    tell: Callable[[str], None]
    place: Callable[[Path], Place]
    room: Room
    stack: ExitStack
    seats: dict[int, str] = field(default_factory=lambda: dict(enumerate(TABLES, 1)))
    figures: dict[str, float] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    port: str = "0"

    def begin(self) -> None:
        """Start the hall, enter the players, pair all boxes and give each its table."""
        self.open_hall("event", "--staff-port", "0")
        self.desk.do("/setup", "preset", preset="war-of-the-ring")
        self.desk.change("/setup", "settings", use="start", **CLOCKS)
        self.desk.do("/players", "add", list="\n".join(NAMES))
        self.desk.do("/players", "check-in-all")
        self.desk.do("/setup", "open-stage", format="swiss", match="one game", sides="assigned", rounds=4)
        shutil.copy(self.folder / "event" / "event.key", self.folder / "event.key")
        address = f"127.0.0.1:{self.port}"
        self.mortal = self.room.open(address, self.folder, TABLES[0])
        self.room.open(address, self.folder, *TABLES[1:], SPARE)
        self.keys = self.room.hear("key", *TABLES, SPARE)
        for name, key in self.keys.items():
            self.pair(name, key)
        for table, name in self.seats.items():
            self.desk.do("/boxes", "place", table=table, box=self.keys[name])
        self.tell(f"{len(NAMES)} players are checked in; {len(self.keys)} boxes are paired by their digits")

    def open_hall(self, folder: str, *options: str, heard: str = "") -> None:
        """Start a hall on a folder, and sit down at its desk."""
        self.kept = self.place(self.folder / folder)
        where = "--folder", str(self.folder / folder), *self.kept.options
        self.hall: Hall = self.stack.enter_context(
            running(*where, *options, "--box-port", self.port, state=self.folder, heard=heard)
        )
        self.desk = Organiser(self.hall)
        self.port = next(line.rpartition(":")[2] for line in self.hall.lines if line.startswith("Boxes connect to"))
        self.here = self.folder / folder

    def pair(self, name: str, key: str) -> None:
        """Compare six digits, and hold Select at the box."""
        self.desk.do("/boxes", "pair")
        self.room.do(name, "pair")
        self.desk.do("/boxes", "confirm", digits=self.room.hear("digits", name)[name])
        self.desk.until(lambda: f"{key[:8]}: " in self.desk.page("/boxes"))

    # -- rounds ------------------------------------------------------------------------------------------------------

    def start(self, number: int) -> None:
        """Draft a round, publish and start it."""
        self.desk.do("/round", "draft")
        self.desk.do("/round", "publish", round=number)
        self.desk.do("/round", "start", round=number)
        tables = [each["table"] for each in self.desk.tables(number) if each["table"]]
        self.playing = {table: self.seats[table] for table in tables}

    def finish(self, number: int) -> None:
        """Wait for the slips of all tables, for their results at the desk, and for the receipts on the boxes."""
        self.room.hear("slip", *self.playing.values(), of=number)
        self.desk.until(lambda: all(each["result"] for each in self.desk.tables(number) if each["table"]))
        self.room.hear("signed", *self.playing.values(), of=number)
        won = [each["result"]["games"][0]["kind"] or "draw" for each in self.desk.tables(number) if each["table"]]
        self.tell(f"round {number}: {len(won)} results confirmed and countersigned ({', '.join(won)})")

    def end(self, number: int) -> None:
        """End the round."""
        self.desk.do("/round", "end", round=number)

    def dispute(self, table: int) -> None:
        """The result of round 1 is challenged at a table; a judge on a tablet decides otherwise."""
        self.room.do(self.seats[table], "challenge")
        self.desk.until(lambda: "challenged at the table" in self.desk.page("/round"))
        tablet = Staff(self.hall, self.stack)
        judge = tablet.let_in("judge")
        where = {"round": "1", "table": str(table)}
        (match,) = [each for each in self.desk.tables(1) if each["table"] == table]
        before = match["result"]["games"][0]["winner"]
        other = 1 + (before == match["players"][0])
        ruled = "the Ring was destroyed before the siege"
        assert tablet.ask("POST", "/round", judge, do="take-back", why=ruled, **where).status == 303
        assert tablet.ask("POST", "/round", judge, do="result", game1=f"{other}:1", **where).status == 303
        (match,) = [each for each in self.desk.tables(1) if each["table"] == table]
        after = match["result"]["games"][0]["winner"]
        assert after == match["players"][other - 1] != before
        self.tell(
            f"table {table} challenges: not player {before or '(draw)'} won but player {after}, a judge decides"
        )

    def die(self, table: int) -> None:
        """The box of a table dies in the middle of a battle; a spare goes on with the same question."""
        name = self.seats[table]
        asked = self.room.hear("battle", name)[name]
        head = [word["head"] for word in self.room.said if "battle" in word][-1]
        self.desk.until(lambda: self.kept.received(head))
        self.room.dead.add(name)
        self.mortal.close()
        began = time.monotonic()
        self.desk.do("/boxes", "place", table=table, box=self.keys[SPARE], why="its display is dark")
        took = self.room.hear("took", SPARE)[SPARE]
        self.figures["spare asks after s"] = round(time.monotonic() - began, 2)
        assert took == asked, (took, asked)
        self.seats[table] = self.playing[table] = SPARE
        self.tell(
            f"the box of table {table} dies in a battle; the spare asks the same question: {asked[0]}, {asked[1]}"
        )

    def lose_the_hall(self, number: int) -> None:
        """The hall dies with its folder; half of the tables play on to their slips, and it is rebuilt elsewhere."""
        names = list(self.playing.values())
        self.room.hear("battle", *names)
        alive = [key[:8] for name, key in self.keys.items() if name not in self.room.dead]
        self.desk.until(lambda: all(_whole(key, self.desk.page("/boxes")) for key in alive))
        self.hall.process.kill()
        self.hall.process.wait()
        shutil.rmtree(self.here)
        for name in names[::2]:
            self.room.do(name, "go")
        self.room.hear("slip", *names[::2], of=number)
        self.tell(
            f"round {number}: the hall and its folder are gone; {len(names[::2])} tables play on to their slips"
        )
        began = time.monotonic()
        key = str(self.folder / "event.key")
        self.open_hall("rebuilt", "--rebuild", key, heard=f"{len(alive)} boxes heard")
        assert any("boxes not heard: " + self.keys[TABLES[0]][:8] in line for line in self.hall.lines)
        self.figures["hall rebuilt after s"] = round(time.monotonic() - began, 2)
        self.desk.do("/players", "name-again", list="\n".join([*NAMES, LATE]))
        late = {table for table, name in self.playing.items() if name in names[::2]}
        self.desk.until(lambda: {each["table"] for each in self.desk.tables(number) if each["result"]} >= late)
        self.tell(
            f"it is rebuilt on another folder from {len(alive)} boxes; the slips of {len(late)} tables are there"
        )
        for name in names[1::2]:
            self.room.do(name, "go")

    # -- afterwards --------------------------------------------------------------------------------------------------

    def exported(self, name: str) -> Path:
        """Write the latest whole game of a box into a file."""
        path = self.folder / f"{name}.jsonl"
        with Journal(self.folder / name / "journal.db", write=False) as journal:
            game = [each.game for each in journal.games() if not each.notes][-1]
            path.write_text("".join(f"{line}\n" for line in export(journal, game)))
        return path

    def clocks(self) -> set[str]:
        """Return how the seats kept time, of each game that a box began."""
        found = set()
        for name in (*TABLES, SPARE):
            with Journal(self.folder / name / "journal.db", write=False) as journal:
                for game in (each.game for each in journal.games() if not each.notes):
                    said = [note.extra["clock"] for note in Notes(journal, game).read() if "clock" in note.extra]
                    control = next((each["control"] for each in said if each.get("what") == "set"), None)
                    found.add(Control.from_json(control).words if control is not None else f"{name}: none")
        return found

    def verified(self) -> dict[str, Any]:
        """End the event, write its file and have it verified offline; return what was found."""
        self.desk.do("/record", "end", confirm="erase")
        file = self.folder / "event.jsonl"
        hall = [sys.executable, "-m", "referee", "hall", "--folder", str(self.here), "--export", str(file)]
        subprocess.run(hall, check=True, capture_output=True)
        codes = [part for text in self.receipts() for part in ("--code", text)]
        games = [part for name in (TABLES[1], SPARE) for part in ("--game", str(self.exported(name)))]
        done = subprocess.run(
            [sys.executable, str(READER), str(file), *games, *codes], capture_output=True, text=True, check=False
        )
        for line in done.stdout.splitlines():
            if not line.startswith(("the code is", "round ")):
                self.tell(f"  {line}")
        acts = [
            each["extra"]["act"]
            for line in file.read_text().splitlines()
            if "act" in (each := json.loads(line)).get("extra", {})
        ]
        left = self.kept.names()
        return {
            "acts": acts,
            "faults": [
                *([f"verify_event: {done.stderr}"] if done.returncode else []),
                *([] if not any(name.encode() in left for name in (*NAMES, LATE)) else ["names outlive the event"]),
            ],
        }

    def receipts(self) -> list[str]:
        """Return what boxes have shown receipts of."""
        return [word["receipt"] for word in self.room.said if "receipt" in word]


def _whole(key: str, page: str) -> bool:
    """Whether a box is connected and has all of the record, as the page of the boxes says."""
    words = page.partition(f"{key}: connected, ")[2].partition(" acts")[0].split()
    return len(words) > 4 and words[-3] == words[-1]


def faults_of(acts: list[dict[str, Any]], receipts: int) -> list[str]:
    """Return what is wrong with an event of 4 Swiss rounds with the cut to 4, as its file says it was."""
    swiss = [act["pairings"] for act in acts if act["act"] == "round paired"][:4]
    matches = [tuple(each["players"]) for round_ in swiss for each in round_ if len(each["players"]) == 2]
    sides = {
        player: [pair.index(player) for pair in matches if player in pair] for pair in matches for player in pair
    }
    confirmed = [act for act in acts if act["act"] == "result entered" and act["by"] == "seats"]
    expected = 4 * 8 + 2 + 1
    return [
        *([] if len({frozenset(pair) for pair in matches}) == len(matches) else ["somebody met somebody again"]),
        *[f"player {player} played sides {own}" for player, own in sides.items() if abs(2 * sum(own) - len(own)) > 2],
        *([] if len(confirmed) == expected else [f"{len(confirmed)} results by both seats, not {expected}"]),
        *([] if receipts == expected else [f"{receipts} receipts on boxes, not {expected}"]),
    ]


def play(folder: Path, tell: Callable[[str], None], place: Callable[[Path], Place] = Files) -> dict[str, Any]:
    """Play the event; return its figures, and its faults among them. ``place``: where a hall keeps what it keeps."""
    began = time.monotonic()
    with room() as boxes, ExitStack() as stack:
        story = Story(folder, tell, place, boxes, stack)
        story.begin()
        story.start(1)
        story.finish(1)
        story.dispute(2)
        story.end(1)
        story.desk.do("/players", "add", list=LATE)
        story.desk.do("/players", "check-in", player=17)
        tell("a 17th player comes late; somebody has a bye from now on")
        boxes.do(TABLES[0], "stop")
        story.start(2)
        story.die(1)
        story.finish(2)
        story.end(2)
        story.desk.do("/players", "drop", player=5)
        tell("player 5 drops")
        for name in story.seats.values():
            boxes.do(name, "stop")
        story.start(3)
        story.lose_the_hall(3)
        story.finish(3)
        story.end(3)
        story.start(4)
        story.finish(4)
        story.end(4)
        story.desk.do("/standings", "cut", size=4)
        story.desk.do("/setup", "open-stage", format="single elimination", match="one game", sides="assigned")
        for number in (5, 6):
            story.start(number)
            story.finish(number)
            story.end(number)
        places = json.loads(story.desk.page("/results.json"))["standings"]
        tell(f"player {places[0]['player']} has won the event, before player {places[1]['player']}")
        found = story.verified()
        clocks = story.clocks()
        tell(f"every game was played with seat clocks: {', '.join(sorted(clocks))}")
    faults = [*([] if clocks == {CONTROL} else [f"seat clocks: {clocks}"]), *found["faults"]]
    faults += faults_of(found["acts"], len(story.receipts()))
    seconds = round(time.monotonic() - began, 1)
    return {"acts": len(found["acts"]), "seconds": seconds, **story.figures, "faults": faults}
