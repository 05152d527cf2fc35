"""The standings of a stage of any format, from the record alone, by a program that shares nothing with the package.

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

POINTS = {"win": 3, "draw": 1, "loss": 0, "bye": 3, "split": 0}
GAMES = {"one game": 1, "each side once": 2, "best of three": 3}
TO_WIN = {"one game": 1, "each side once": 2, "best of three": 2}


class Oracle:
    """Everything that tie-breakers need, read from a record."""

    def __init__(self, record: Iterable[str]) -> None:
        self.points: dict[str, int] = dict(POINTS)
        self.places = [4, 2, 1, 0]
        self.gone: dict[int, str] = {}
        self.stage: dict[str, Any] = {}
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
                self.places = act["settings"]["points"]["places"]
                self.wins = act["settings"]["wins"]
                self.tiebreakers = act["settings"]["tiebreakers"]
            case "stage opened":
                self.stage = act
                self.order, self.match, self.seed = list(act["players"]), act["match"], act["seed"]
            case "checked in" if self.match and self.stage["format"] in ("swiss", "pods"):
                self.order.append(act["player"])
            case "round paired":
                self.rounds.append({"seats": act["pairings"], "results": {}})
            case "result entered":
                self.rounds[act["round"] - 1]["results"][act["table"]] = act["result"]
            case "player dropped":
                self.gone[act["player"]] = "dropped"
            case "player returned":
                del self.gone[act["player"]]
            case "penalty":
                if act["penalty"] == "disqualification":
                    self.gone[act["player"]] = "disqualified"
                self.penalties[act["player"]] = self.penalties.get(act["player"], 0) + act["points"]

    def history(self, player: int) -> list[dict[str, Any]]:
        """Return one line a round: match points, game points, most, opponents, kinds, what."""
        lines = []
        for each in self.rounds:
            seats = next((seats for seats in each["seats"] if player in seats["players"]), None)
            if seats is None:
                lines.append({"what": "missed", "mp": 0, "gp": 0, "most": 0, "opponents": [], "kinds": []})
            elif len(seats["players"]) == 1:
                lines.append(self._bye())
            elif seats["table"] in each["results"] and self.stage["format"] == "pods":
                lines.append(self._in_pod(player, seats["players"], each["results"][seats["table"]]))
            elif seats["table"] in each["results"]:
                lines.append(self._played(player, seats["players"], each["results"][seats["table"]]))
        return lines

    def _in_pod(self, player: int, seats: list[int], result: dict[str, Any]) -> dict[str, Any]:
        mine = dict(zip(seats, result["places"], strict=True))
        came = [each for each in seats if not (result["outcome"] == "no-show" and each in result["fault"])]
        if player in result["fault"]:
            worth = 0
        else:  # the line through the places that are set, read at the pod's own, a half down; shared ones shared
            marks = []
            for i in range(len(came)):
                at = Fraction(i, max(1, len(came) - 1)) * (len(self.places) - 1)
                below = int(at)
                above = min(below + 1, len(self.places) - 1)
                exact = self.places[below] + (at - below) * (self.places[above] - self.places[below])
                marks.append(int(exact) + (exact - int(exact) > Fraction(1, 2)))
            sharing = list(mine.values()).count(mine[player])
            worth = sum(marks[mine[player] - 1 :][:sharing]) // sharing
        return {
            "what": f"place {mine[player]}", "mp": worth, "gp": worth, "most": self.places[0], "kinds": [],
            "opponents": [each for each in came if each != player] if player in came else [],
        }  # fmt: skip

    def _bye(self) -> dict[str, Any]:
        if self.stage["format"] == "pods":
            bye = self.points["bye"]
            return {
                "what": "bye", "mp": bye, "gp": bye, "most": max(bye, self.places[0]), "opponents": [], "kinds": [],
            }  # fmt: skip
        one = self.points["split"] or self.points["win"]
        most = self.points["split"] * GAMES[self.match] or max(self.points["win"], self.points["draw"])
        return {
            "what": "bye", "mp": self.points["bye"], "gp": one * TO_WIN[self.match],
            "most": max(most, self.points["bye"]), "opponents": [], "kinds": [],
        }  # fmt: skip

    def _played(self, player: int, seats: list[int], result: dict[str, Any]) -> dict[str, Any]:
        points, split = self.points, self.points["split"]
        other = seats[0] if seats[1] == player else seats[1]
        line: dict[str, Any] = {
            "what": result["outcome"], "opponents": [] if result["outcome"] == "no-show" else [other], "kinds": [],
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
            line["word"] = word
        elif result["outcome"] == "double loss" or player in result["fault"]:
            line["mp"] = 0
        else:
            line["word"] = "win"
            line["gp"] = (split or points["win"]) * TO_WIN[self.match]
            line["mp"] = line["gp"] if split else points["win"]
        return line

    def earned(self, player: int) -> int:
        return sum(line["mp"] for line in self.history(player))

    def value(self, criterion: str, player: int, tied: list[int]) -> Any:  # noqa: C901, PLR0911, PLR0912
        history = self.history(player)
        opponents = [opponent for line in history for opponent in line["opponents"]]
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
            points = []
            for line in history:
                points += list(map(self.as_opponent, line["opponents"])) or [Fraction(self.earned(player))]
            if criterion == "median buchholz":
                points = [] if len(points) < 3 else sorted(points)[1:-1]
            return sum(points, Fraction(0))
        if criterion == "head to head":
            for one, other in combinations(tied, 2):
                if not any(other in line["opponents"] for line in self.history(one)):
                    return 0
            return sum(line["mp"] for line in history if set(line["opponents"]) & set(tied))
        if criterion == "sonneborn-berger":
            value = Fraction(0)
            for line in history:
                if line.get("word") in ("win", "draw") and line["opponents"]:
                    value += self.as_opponent(line["opponents"][0]) / (1 if line["word"] == "win" else 2)
            return value
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
        """Return place and player, best first; who shares a place by number. Nobody has a place before a result."""
        listed = [player for player in self.order if self.gone.get(player) != "disqualified"]
        better = self.better
        if "elimination" in self.stage["format"]:
            far = Knockout(self).far
            better = lambda one, other: far[one] < far[other]  # noqa: E731
        places = sorted((1 + sum(better(other, player) for other in listed), player) for player in listed)
        return places if any(each["results"] for each in self.rounds) else [(0, player) for _, player in places]

    def better(self, one: int, other: int) -> bool:
        """Return whether the first criterion that tells two apart puts this one first."""
        tied = [player for player in self.order if self.gone.get(player) != "disqualified"]
        for criterion in self.tiebreakers:
            values = {player: self.value(criterion, player, tied) for player in tied}
            if values[one] != values[other]:
                return bool(values[one] > values[other])
            tied = [player for player in tied if values[player] == values[one]]
        return False


class Knockout:
    """An elimination played through round by round. ``far``: for each player what he is sorted by, the best first."""

    def __init__(self, oracle: Oracle) -> None:
        self.oracle, stage = oracle, oracle.stage
        self.seeds: list[int] = stage["players"]
        self.far = {player: (len(self.seeds), False, seed) for seed, player in enumerate(self.seeds)}
        self.met: dict[frozenset[int], list[Any]] = {}
        for each in oracle.rounds:
            for seats in each["seats"]:
                self.met.setdefault(frozenset(seats["players"]), []).append(each["results"].get(seats["table"]))
        self.bracket(list(self.seeds), stage["format"] == "double elimination", stage["third"])

    def winner(self, players: Any, result: dict[str, Any]) -> int:
        if result["outcome"] == "played":
            wins = [sum(game["winner"] == player for game in result["games"]) for player in players]
            return 0 if wins[0] == wins[1] else players[wins[1] > wins[0]]
        good = [player for player in players if player not in result["fault"]]
        return good[0] if result["fault"] and len(good) == 1 else 0

    def play(self, pair: Any, left: int) -> tuple[int | None, int | None]:
        """Return winner and loser of a match, 0 for nobody, None where that is open; note how far both have come."""
        won, lost = self.decide(pair)
        for player in pair:
            if player:
                self.far[player] = (left, won is not None and won != player, self.seeds.index(player))
        return won, lost

    def decide(self, pair: Any) -> tuple[int | None, int | None]:
        if None in pair:
            return None, None
        one, other = pair
        if not one or not other:
            return one or other, 0
        drawn = self.met.get(frozenset(pair), [])
        if drawn:
            result = drawn.pop(0)
            won = None if result is None else self.winner(pair, result)
            return (won, None) if won is None else (won, one + other - won if won else 0)
        here = [player for player in pair if player not in self.oracle.gone]
        return (None, None) if len(here) == 2 else (here[0] if here else 0, 0)

    def bracket(self, entries: list[int | None], double: bool, third: bool) -> None:
        depth = (len(entries) - 1).bit_length()
        slots = [1]
        for k in range(depth):
            slots = [s for slot in slots for s in (slot, 2 ** (k + 1) + 1 - slot)]
        field: list[int | None] = [entries[slot - 1] if slot <= len(entries) else 0 for slot in slots]
        beaten: list[list[int | None]] = []
        for level in range(depth, 0, -1):
            if third and level == 1 and depth > 1:
                won = self.play(beaten[-1], 2)[0]
                if won:
                    self.far[won] = (2, False, self.seeds.index(won))
            played = [self.play(pair, level + 2 * double) for pair in zip(field[::2], field[1::2], strict=True)]
            field = [won for won, _ in played]
            beaten.append([lost for _, lost in played])
        champion = field[0]
        if double:
            alive = beaten[0]
            left = 2 * depth + 1
            for step, losers in enumerate(beaten):
                if step:
                    left -= 1
                    alive = [self.play(pair, left)[0] for pair in zip(alive, losers[:: (-1) ** step], strict=True)]
                if len(alive) > 1:
                    left -= 1
                    alive = [self.play(pair, left)[0] for pair in zip(alive[::2], alive[1::2], strict=True)]
            champion, loser = self.play((field[0], alive[0]), 2)
            if champion and champion != field[0]:
                champion, _ = self.play((champion, loser), 1)
        if champion:
            self.far[champion] = (0, False, self.seeds.index(champion))
