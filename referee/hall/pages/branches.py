"""The page on which a judge compares the branches of a box's journal and chooses the one that counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee.errors import Malformed, Refused
from referee.hall.boxes import SHOWN, Boxes
from referee.hall.branches import Branch, Fork, GameOnBranch, games_on
from referee.hall.choosing import Change, Held, said_of, weigh
from referee.hall.desk import Desk
from referee.hall.judging.judge import Judged
from referee.hall.uplink.intake import Arrival
from referee.tournament import Pairing, Result
from referee.tournament.acts import BranchChosen
from referee.tournament.plain import from_json
from referee.tournament.words import in_words

MOST_FORKS: Final = 8
"""Forks of one box that are shown, the newest."""
MOST_GAMES: Final = 4
"""Games of one branch that are shown, the newest."""
MOST_LINES: Final = 40
"""Lines of a game's log that are shown."""


class BranchViews:
    """What the page shows. ``boxes``: None where none can connect."""

    def __init__(self, desk: Desk, boxes: Boxes | None) -> None:
        self._desk = desk
        self._boxes = boxes

    async def prepare(self, fields: Mapping[str, str]) -> None:
        """Have every game that is shown judged, with its log."""
        if self._boxes is not None:
            for fork in self._forks(fields):
                for branch in fork.branches:
                    for game in self._games(fork, branch):
                        await self._boxes.judge.judge(game, log=True)

    def page(self, desk: Desk, fields: Mapping[str, str]) -> dict[str, Any]:
        """Each fork of the journal of one box: the last entry that the branches share, and what each says since."""
        box, forks = fields.get("box", ""), self._forks(fields)
        notes = said_of(self._boxes.intake, box) if self._boxes is not None and forks else []
        return {
            "box": box,
            "name": box[:SHOWN],
            "table": next((table for table, key in desk.event.boxes.items() if key == box), 0),
            "forks": [self._fork(fork, notes) for fork in forks],
        }

    def _forks(self, fields: Mapping[str, str]) -> list[Fork]:
        boxes, box = self._boxes, fields.get("box", "")
        return boxes.branches.forks(box)[:MOST_FORKS] if boxes is not None else []

    def _games(self, fork: Fork, branch: Branch) -> list[GameOnBranch]:
        """Return the games of a branch, without the notes beside them."""
        assert self._boxes is not None
        games = games_on(self._boxes.intake, fork, branch)
        return [each for each in games if not self._boxes.follower.is_beside(fork.box, each.tail.first)][:MOST_GAMES]

    def _fork(self, fork: Fork, notes: Sequence[Arrival]) -> dict[str, Any]:
        assert self._boxes is not None
        after = fork.after
        beside = self._boxes.follower.is_beside(fork.box, after.first)
        record = self._boxes.intake.records(after, after.seq)[0]
        said = next(
            (
                line
                for branch in fork.branches
                for game in self._games(fork, branch)
                for line in self._judged(game).log
                if line["seq"] < game.since
            ),
            None,
        )
        return {
            "after": after.hash,
            "entry": "a note beside a game" if beside else f"entry {after.seq} of game {after.game}",
            "wall": record["wall"],
            "said": said,
            "chosen": fork.chosen,
            "branches": [self._branch(fork, branch, notes) for branch in fork.branches],
        }

    def _branch(self, fork: Fork, branch: Branch, notes: Sequence[Arrival]) -> dict[str, Any]:
        assert self._boxes is not None
        every = games_on(self._boxes.intake, fork, branch)
        return {
            "first": branch.first.hash,
            "counts": branch.counts,
            "choice": None if fork.chosen and branch.counts else self._weighed(fork, branch, notes),
            "entries": sum(each.entries - each.since for each in every),
            "end": self._boxes.intake.records(branch.end, branch.end.seq)[0]["wall"],
            "games": [self._game(each) for each in self._games(fork, branch)],
            "said": [text for each in every for record in each.records(each.since) for text in self._note(record)],
        }

    def _weighed(self, fork: Fork, branch: Branch, notes: Sequence[Arrival]) -> dict[str, Any] | None:
        """Return what it would come to if the branch were chosen, None where it cannot be."""
        assert self._boxes is not None
        after, first = fork.after.hash, branch.first.hash
        choice = BranchChosen(who="judge", at=self._desk.now(), why="tried", box=fork.box, after=after, first=first)
        try:
            weighed = weigh(self._desk, self._boxes.floor, choice, self._boxes.intake, notes)
        except Refused:
            return None
        return {"changes": [*map(self._change, weighed.changes)], "held": [*map(self._held, weighed.held)]}

    def _change(self, change: Change) -> dict[str, Any]:
        before, after = change.before, change.after
        return {
            "round": change.round,
            "table": before.table,
            "players": before.players,
            "was": self._words(before.result, before),
            "is": self._words(after.result, after),
            "same": before.result == after.result,
            "challenged": after.challenged,
            "slip": self._words(change.slip, before) if change.slip is not None else "",
            "later": change.later,
        }

    def _held(self, held: Held) -> dict[str, Any]:
        pairing = held.pairing
        return {
            "round": held.round,
            "table": pairing.table,
            "players": pairing.players,
            "result": self._words(pairing.result, pairing),
            "first": held.first,
        }

    def _words(self, result: Result | None, pairing: Pairing) -> str:
        return in_words(result, pairing, self._desk.names.player) if result is not None else "open"

    def _game(self, game: GameOnBranch) -> dict[str, Any]:
        judged = self._judged(game)
        return {
            "number": game.tail.game,
            "entries": game.entries - game.since,
            "judged": judged,
            "log": [line for line in judged.log if line["seq"] >= game.since][:MOST_LINES],
        }

    def _judged(self, game: GameOnBranch) -> Judged:
        assert self._boxes is not None
        return self._boxes.judge.judged.get(game.name, Judged())

    def _note(self, record: Mapping[str, Any]) -> list[str]:
        """Return what a note says to the desk, in words; nothing for other entries."""
        extra = record.get("extra", {})
        slip = extra.get("slip")
        if record["kind"] != "note" or not isinstance(slip, dict):
            return []
        try:
            result = from_json(Result, slip.get("result"), "result")
            players = tuple(int(each) for each in slip.get("players", ()))
            words = in_words(result, Pairing(int(slip.get("table", 0)), players), self._desk.names.player)
        except (Malformed, ValueError, TypeError, LookupError):
            return ["A slip that cannot be read"]
        return [f"Slip of round {slip.get('round')!s:.9}: {words}"]
