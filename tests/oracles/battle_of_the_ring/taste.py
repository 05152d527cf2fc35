"""What random players like: which open answers they prefer, so that all corners are reached."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.oracles.battle_of_the_ring import rules
from tests.oracles.battle_of_the_ring.question import BACK, Question
from tests.oracles.battle_of_the_ring.rules import ALLIANCE, DEAD, RING, SARUMAN, SAURON


class Taste:
    """What the players of one game like: which open answers they prefer, so that all corners are reached."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        busy = chance.choice([0.1, 0.25, 0.5, 0.75])
        self.busy = {
            "move.menu": busy,
            "attack.attacker": busy * 0.6,
            "build.nation": chance.choice([0.3, 0.6, 0.95]),
        }
        self.victim = chance.choice(["elf", "elf", "orc", "gandalf", "", ""])
        self.liked = {
            "ring-captured": chance.random() * 3,
            "special-hex": 5,
            "fangorn": chance.choice([1, 10]),
            "left": chance.choice([0.5, 8]),
            "paths-of-the-dead": chance.choice([1, 5]),
            "aragorn-and-2-dead": 3,
            DEAD: chance.choice([1, 5]),
            "yes": chance.choice([1, 5]),
            "isengard": 2,
            "check": 2,
            "elven-hex": 2,
            "removed": 2 if self.victim else 0.3,
            RING: 5,
            "done": 0,
        }
        self.rare = {"moves": 0.1, "mount-doom": 0.1, "barad-dur": 0.15, "elsewhere": 0.2}
        self.crowd = ""
        self.corrects, self.concedes = chance.random() < 0.4, chance.random() < 0.2

    def choice(self, question: Question) -> Any:
        """Return an open answer; the way back if there is none."""
        open_, chance = question.open(), self.chance
        if not open_:
            return BACK
        if "done" in open_ and chance.random() > self.busy[question.key]:
            return "done"
        if question.key == "removed.piece" and self.victim in open_ and chance.random() < 0.7:
            return self.victim
        weights = [self.weight(each) for each in open_]
        answer = chance.choices(open_, weights)[0] if any(weights) else chance.choice(open_)
        if question.key == "special.hex":
            self.crowd = answer
        return answer

    def weight(self, answer: str) -> float:
        """Return how much an answer is liked; a special hex just entered draws another piece."""
        return self.liked.get(answer, 1) * self.rare.get(answer, 1) * (4 if answer == self.crowd else 1)

    def correction(self) -> tuple[str, Any]:
        """Return a field that the judge can set, and what it is set to."""
        chance = self.chance
        piece, number, yes_no = chance.choice(rules.PIECES), chance.choice("123456"), chance.choice((True, False))
        return chance.choice(
            [
                (f"on_board.{piece}", chance.randint(0, rules.CAPS[piece])),
                ("round", chance.randint(1, 6)),
                ("ring_hex", chance.choice(("ordinary", *rules.ELVEN_HEXES))),
                ("ring_hex", chance.choice(rules.RING_HEXES)),
                ("ring_owner", chance.choice((ALLIANCE, SAURON, SARUMAN))),
                ("ring_moved", yes_no),
                ("shire_owner", chance.choice(("hobbits", "saruman"))),
                ("shire_third", yes_no),
                ("isengard", chance.choice(("special", "ordinary"))),
                ("fangorn", chance.choice(("dormant", "active", "dead"))),
                ("fangorn_hex", chance.choice(("open", "closed"))),
                ("gandalf_in", chance.choice(("none", "moria", "fangorn"))),
                ("moria_used", yes_no),
                ("paths", chance.choice(("dormant", "aragorn-inside", "closed"))),
                (f"elven_closed.{number}", yes_no),
                (f"elven_stay.{number}", chance.randint(0, 2)),
                (f"attacks.{piece}", chance.randint(0, 3)),
                (f"moved.{chance.choice((piece, 'gandalf', RING))}", chance.randint(0, 6)),
            ]
        )
