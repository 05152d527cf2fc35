"""The conversations in docs/hall-protocol.md: ``python -m tests.hall.uplink.transcript`` writes them again."""

from __future__ import annotations

import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from referee.clock.settings import Settings as Clock
from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.hall import HallSide, News
from referee.hall.uplink.intake import Intake
from referee.hall.uplink.messages import Seating
from referee.hall.uplink.pairing import BoxPairing
from tests.components import MEMORY, ROOT
from tests.hall.uplink.memory import MemoryJournal, signer
from tests.hall.uplink.pair import CERTIFICATE, HALL, shown
from tests.hall.uplink.pair import box as table_side

DOCUMENT = ROOT / "docs/hall-protocol.md"
BLOCK = re.compile(r"(^```transcript\n).*?(^```$)", re.MULTILINE | re.DOTALL)


@dataclass
class Table:
    """A hall and the boxes that talk with it; ``lines`` is what passed between them."""

    intake: Intake
    hall: HallSide = field(init=False)
    record: MemoryJournal = field(default_factory=lambda: MemoryJournal(HALL))
    lines: list[str] = field(default_factory=list)
    news: list[News] = field(default_factory=list)
    now: float = 0.0

    def __post_init__(self) -> None:
        self.hall = HallSide(self.intake, shown(), self.record, self.news.append, self.intake.admit)
        self.hall.pairing.secret = lambda: "d" * 64
        self._boxes: dict[int, BoxSide | BoxPairing] = {}
        self._names: dict[int, str] = {}

    def connect(self, number: int, journal: MemoryJournal, start: str, name: str = "box") -> BoxSide:
        """Open a connection and let both talk until neither has anything to say."""
        box = table_side(journal, journal.signer, start, self.now)
        self.meet(number, box, name)
        return box

    def meet(self, number: int, box: BoxSide | BoxPairing, name: str = "box") -> None:
        """Open a connection, whatever for, and let both talk."""
        self._boxes[number], self._names[number] = box, name
        self.hall.opened(number, f"{number:x}" * 64, self.now)
        box.opened(CERTIFICATE, f"{(number + 10) % 16:x}" * 64, self.now)
        self.talk()

    def say(self, number: int, texts: list[str]) -> None:
        """Carry what a box says to the hall."""
        for text in texts:
            self.lines.append(f"{self._names[number]}: {text}")
            self.hall.received(number, text, self.now)

    def talk(self) -> None:
        """Carry messages until there are none."""
        self.hall.commit()
        while self.hall.out:
            number, text = self.hall.out.pop(0)
            to = "" if self._names[number] == "box" else f" to {self._names[number]}"
            self.lines.append(f"hall{to}: {text or '(closes the connection)'}")
            if text is None:
                self._boxes[number].closed()
            else:
                self.say(number, self._boxes[number].received(text, self.now))
            self.hall.commit()


def conversations(folder: Path) -> list[str]:
    """Return the conversations of the document, in their order."""
    table = Table(Intake(folder / "intake.db"))
    journal = MemoryJournal(signer(1))
    scenes = []
    for scene in (_pair, _first, _set_back, _twin, _copy, _seat):
        table.lines.clear()
        scene(table, journal)
        scenes.append("\n".join([*table.lines, ""]))
    table.intake.close()
    return scenes


def _pair(table: Table, journal: MemoryJournal) -> None:
    """The organiser waits for a box; the digits are compared and confirmed on both sides."""
    box = BoxPairing(journal.signer)
    table.hall.pairing.open(120.0)
    table.meet(5, box)
    table.lines.append(f"people compare {box.digits}, and confirm on both sides")
    table.hall.pairing.confirm(box.digits)
    box.confirm(box.digits)
    table.say(5, box.tick(table.now))
    table.talk()


def _first(table: Table, journal: MemoryJournal) -> None:
    """A box connects, and plays on."""
    journal.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {}})
    box = table.connect(1, journal, "1")
    journal.write(1, "answer", [5, 4])
    table.say(1, box.tick(table.now))
    table.talk()
    table.now += 2.0
    table.say(1, box.tick(table.now))
    table.talk()
    table.hall.closed(1)


def _set_back(table: Table, journal: MemoryJournal) -> None:
    """A box comes back with an older copy of its card."""
    table.connect(2, journal.copy(1), "2")
    table.hall.closed(2)


def _twin(table: Table, journal: MemoryJournal) -> None:
    """Two boxes have the same key."""
    table.connect(3, journal, "3", "box A")
    table.connect(4, journal.copy(2), "4", "box B")


def _copy(table: Table, journal: MemoryJournal) -> None:
    """The hall does something, and it is copied to the box."""
    table.hall.closed(3)
    table.record.write(0, "start", {"book": "tournament", "repeat": False, "ruling": None, "settings": {}})
    table.connect(6, journal, "3")


def _seat(table: Table, journal: MemoryJournal) -> None:
    """The organiser has given the box a table, and chosen how seats keep time."""
    table.hall.closed(6)
    clock = Clock("start", "fischer", ("90 min/40", "30 min"), "30 s", flag="freeze")
    players = (3, "Anna Schmidt", "Free Peoples"), (9, "Bo Li", "Shadow")
    table.hall.seat({journal.signer.public: Seating(2, 7, players, wins=("Ring", "military"), clock=clock)})
    table.connect(7, journal, "3")


def written(text: str, scenes: list[str]) -> str:
    """Return the document with these conversations in their places."""
    rest = iter(scenes)
    text = BLOCK.sub(lambda block: f"{block[1]}{next(rest)}{block[2]}", text)
    assert next(rest, None) is None, "the document has fewer conversations than there are"
    return text


def main() -> int:
    """Write the document again."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        text = DOCUMENT.read_text(encoding="utf-8")
        DOCUMENT.write_text(written(text, conversations(Path(folder))), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
