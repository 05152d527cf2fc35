"""The standings of a Swiss stage reckoned from the record alone, by a program that shares nothing with the package.

It reads the lines of the record as JSON, keeps one list of what happened to each player, and sorts by comparing two
players at a time. Slow, and as near to the words of the sources as could be.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from hashlib import sha256
from itertools import combinations
from typing import Any

POINTS = {
    "win": 3, "draw": 1, "loss": 0, "bye": 3, "intentional_draw": 1, "double_loss": 0, "forfeit": 0, "no_show": 0,
    "disqualified": 0, "split": 0,
}  # fmt: skip
GAMES = {"one game": 1, "each side once": 2, "best of three": 3}
TO_WIN = {"one game": 1, "each side once": 2, "best of three": 2}


class Oracle:
    """Everything that tie-breakers need, read from a record."""

    def __init__(self, record: Iterable[str]) -> None:
        self.points: dict[str, int] = dict(POINTS)
        self.wins: list[str] = []
        self.penalties: dict[int, int] = {}
        self.order: list[int] = []
        self.rounds: list[dict[Any, Any]] = []
        self.match, self.seed = "", 0
        for line in record:
            self._read(json.loads(line))

    def _read(self, act: dict[str, Any]) -> None:
        match act["act"]:
            case "settings":
                self.points |= {k: v for k, v in act["settings"]["points"].items() if k != "places"}
                self.wins = act["settings"]["wins"]
                self.tiebreakers = act["settings"]["tiebreakers"]
            case "stage opened":
                self.order, self.match, self.seed = list(act["players"]), act["match"], act["seed"]
            case "checked in" if self.match:
                self.order.append(act["player"])
            case "round paired":
                self.rounds.append({"seats": act["pairings"], "results": {}})
            case "result entered":
                self.rounds[act["round"] - 1]["results"][act["table"]] = act["result"]
            case "penalty":
                self.penalties[act["player"]] = self.penalties.get(act["player"], 0) + act["points"]

    def history(self, player: int) -> list[dict[str, Any]]:
        """Return one line a round: match points, game points, most, opponent, kinds, what."""
        lines = []
        for each in self.rounds:
            seats = next((seats for seats in each["seats"] if player in seats["players"]), None)
            if seats is None:
                lines.append({"what": "missed", "mp": 0, "gp": 0, "most": 0, "opponent": None, "kinds": []})
            elif len(seats["players"]) == 1:
                lines.append(self._bye())
            elif seats["table"] in each["results"]:
                lines.append(self._played(player, seats["players"], each["results"][seats["table"]]))
        return lines

    def _bye(self) -> dict[str, Any]:
        one = self.points["split"] or self.points["win"]
        most = self.points["split"] * GAMES[self.match] or max(self.points["win"], self.points["draw"])
        return {
            "what": "bye", "mp": self.points["bye"], "gp": one * TO_WIN[self.match],
            "most": max(most, self.points["bye"]), "opponent": None, "kinds": [],
        }  # fmt: skip

    def _played(self, player: int, seats: list[int], result: dict[str, Any]) -> dict[str, Any]:
        points, split = self.points, self.points["split"]
        other = seats[0] if seats[1] == player else seats[1]
        line: dict[str, Any] = {
            "what": result["outcome"], "opponent": None if result["outcome"] == "no-show" else other, "kinds": [],
            "most": split * GAMES[self.match] if split else max(points["win"], points["draw"]), "mp": 0, "gp": 0,
        }  # fmt: skip
        if result["outcome"] == "played":
            mine = theirs = 0
            for game in result["games"]:
                mine += game["winner"] == player
                theirs += game["winner"] == other
                if split:
                    line["gp"] += game["points"][seats.index(player)]
                elif game["winner"] == 0:
                    line["gp"] += points["draw"]
                else:
                    line["gp"] += points["win"] if game["winner"] == player else points["loss"]
                if game["winner"] == player:
                    line["kinds"].append(game["kind"])
            word = "win" if mine > theirs else "loss" if mine < theirs else "draw"
            line["mp"] = line["gp"] if split else points[word]
        elif result["outcome"] == "intentional draw":
            line["mp"] = points["intentional_draw"]
            line["gp"] = (split // 2 if split else points["draw"]) * GAMES[self.match]
        elif result["outcome"] == "double loss":
            line["mp"] = points["double_loss"]
        elif player in result["fault"]:
            line["mp"] = points[result["outcome"].replace("-", "_")]
        else:
            line["gp"] = (split or points["win"]) * TO_WIN[self.match]
            line["mp"] = line["gp"] if split else points["win"]
        return line

    def earned(self, player: int) -> int:
        return sum(line["mp"] for line in self.history(player))

    def value(self, criterion: str, player: int, tied: list[int]) -> Any:
        history = self.history(player)
        opponents = [line["opponent"] for line in history if line["opponent"] is not None]
        if criterion == "match points":
            return self.earned(player) - self.penalties.get(player, 0)
        if criterion == "game points":
            return sum(line["gp"] for line in history)
        if criterion == "strength of schedule":
            shares = []
            for opponent in opponents:
                possible = sum(line["most"] for line in self.history(opponent))
                shares.append(max(Fraction(1, 3), Fraction(self.earned(opponent), possible)))
            return sum(shares) / Fraction(len(shares)) if shares else Fraction(0)
        if criterion in ("buchholz", "median buchholz"):
            points = [
                self.earned(player) if line["opponent"] is None else self.as_opponent(line["opponent"])
                for line in history
            ]
            if criterion == "median buchholz":
                points = [] if len(points) < 3 else sorted(points)[1:-1]
            return sum(points, Fraction(0))
        if criterion == "head to head":
            for one, other in combinations(tied, 2):
                if not any(line["opponent"] == other for line in self.history(one)):
                    return 0
            return sum(line["mp"] for line in history if line["opponent"] in tied)
        if criterion == "kind of win":
            return [sum(line["kinds"].count(kind) for line in history) for kind in self.wins]
        hashes = {p: sha256(f"{self.seed}:{p}".encode()).hexdigest()[:8] for p in self.order}
        return -sorted(self.order, key=lambda p: hashes[p]).index(player)

    def as_opponent(self, player: int) -> Fraction:
        """Return the points of an opponent; after the last round paired, draws."""
        whats = [line["what"] for line in self.history(player)]
        left = 0
        while whats and whats[-1] == "missed":
            left += 1
            whats.pop()
        draw = Fraction(self.points["split"], 2) if self.points["split"] else self.points["draw"]
        return self.earned(player) + left * Fraction(draw)

    def standings(self) -> list[tuple[int, int]]:
        """Return place and player, best first; who shares a place by number."""
        place = {player: 1 + sum(self.better(other, player) for other in self.order) for player in self.order}
        return sorted((place[player], player) for player in self.order)

    def better(self, one: int, other: int) -> bool:
        """Return whether the first criterion that tells two apart puts this one first."""
        tied = list(self.order)
        for criterion in self.tiebreakers:
            values = {player: self.value(criterion, player, tied) for player in tied}
            if values[one] != values[other]:
                return bool(values[one] > values[other])
            tied = [player for player in tied if values[player] == values[one]]
        return False
