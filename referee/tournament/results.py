"""What a match came to: its games, or why it was not played out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from referee.errors import Malformed
from referee.tournament.settings import GAMES, Match, Settings

Outcome: TypeAlias = Literal["played", "double loss", "forfeit", "no-show", "disqualified"]
"""How a match came to its end.

A match that was forfeited after it began was played against somebody, and counts so in the tie-breakers; one
where somebody did not come was not.
"""

SMALLEST_POD = 3  # players of a pod


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a match.

    ``winner``  number of the player who won it, 0 for a draw
    ``kind``    kind of the win, one of `Settings.wins`; "" where nobody asks
    ``points``  tournament points of each seat, where the game is split
    """

    winner: int = 0
    kind: str = ""
    points: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """What a match came to.

    ``outcome``  how it ended
    ``games``    its games in order, if it was played
    ``fault``    numbers of the players who forfeited, did not come, or were disqualified
    ``places``   of a pod: each seat's place, 1 the best; equal places are shared; 0: at fault, by ``outcome``
    """

    outcome: Outcome = "played"
    games: tuple[Game, ...] = ()
    fault: tuple[int, ...] = ()
    places: tuple[int, ...] = ()

    @property
    def absent(self) -> tuple[int, ...]:
        """Who did not come: nobody has met them."""
        return self.fault if self.outcome == "no-show" else ()

    def winner(self, players: tuple[int, ...]) -> int:
        """Return who won the match of these two players, 0 if nobody did."""
        if self.outcome == "played":
            wins = [sum(game.winner == player for game in self.games) for player in players]
            return 0 if wins[0] == wins[1] else players[wins.index(max(wins))]
        innocent = [player for player in players if player not in self.fault]
        return innocent[0] if self.fault and len(innocent) == 1 else 0


def check_result(result: Result, players: tuple[int, ...], match: Match, settings: Settings) -> None:
    """Raise Malformed unless this can be the result of a match of these players."""
    if len(players) > 2:
        _check_pod(result, players)
        return
    if result.places:
        raise Malformed("places: only a pod has them")
    if result.outcome == "played":
        _check_played(result.games, players, match, settings)
    elif result.games:
        raise Malformed(f"games: a match that ended by {result.outcome} lists none")
    _check_fault(result, players)


def _check_played(games: tuple[Game, ...], players: tuple[int, ...], match: Match, settings: Settings) -> None:
    most = GAMES[match]
    fewest = most if match == "each side once" else 1
    if not fewest <= len(games) <= most:
        expected = most if fewest == most else f"{fewest} to {most}"
        raise Malformed(f"games: enter {expected} for {match}, not {len(games)}")
    for i, game in enumerate(games):
        _check_game(game, players, settings, f"games[{i}]")
    if match == "best of three" and len(games) == most and games[0].winner == games[1].winner != 0:
        raise Malformed("games: enter two; whoever wins the first two has won the match")


def _check_game(game: Game, players: tuple[int, ...], settings: Settings, where: str) -> None:
    if game.winner not in (0, *players):
        raise Malformed(f"{where}.winner: expected {players[0]}, {players[1]}, or 0 for a draw; got {game.winner}")
    if game.kind and (game.kind not in settings.wins or not game.winner):
        raise Malformed(f"{where}.kind: expected a kind of win: {', '.join(settings.wins) or 'none is set'}")
    split = settings.points.split
    if not split:
        if game.points:
            raise Malformed(f"{where}.points: this event does not split points")
        return
    if len(game.points) != 2 or min(game.points) < 0 or sum(game.points) != split:
        raise Malformed(f"{where}.points: expected two numbers that add up to {split}, got {list(game.points)}")
    better = 0 if game.points[0] == game.points[1] else players[game.points[1] > game.points[0]]
    if game.winner != better:
        raise Malformed(f"{where}.winner: expected {better}, who has more points of {list(game.points)}")


def _check_fault(result: Result, players: tuple[int, ...]) -> None:
    needs = result.outcome in ("forfeit", "no-show", "disqualified")
    if needs != bool(result.fault):
        expected = f"who is at fault for a {result.outcome}" if needs else f"nobody for {result.outcome}"
        raise Malformed(f"fault: expected {expected}")
    if len(set(result.fault)) != len(result.fault) or not set(result.fault) <= set(players):
        raise Malformed(f"fault: expected players of this match: {', '.join(map(str, players))}")


def _check_pod(result: Result, players: tuple[int, ...]) -> None:
    if result.games or result.outcome == "double loss":
        raise Malformed("a pod's result is the places of its seats, and who is at fault")
    _check_fault(result, players)
    out = {seat for seat, player in enumerate(players) if player in result.fault}
    places = sorted(place for seat, place in enumerate(result.places) if seat not in out)
    counted = [1 + sum(other < place for other in places) for place in places]
    none = all(result.places[seat] == 0 for seat in out if seat < len(result.places))
    if len(result.places) != len(players) or places != counted or not none:
        raise Malformed("places: give each place from 1 on; after a shared place leave the next out: 1, 1, 3")
