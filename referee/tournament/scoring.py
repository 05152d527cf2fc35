"""What each round brought each player: of a pairing, and of a whole stage."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from referee.tournament.event import Event, Pairing, Stage
from referee.tournament.results import Game, Result
from referee.tournament.settings import GAMES, WINS, Points


@dataclass(frozen=True, slots=True)
class Score:
    """What one round brought a player.

    ``outcome``: win, draw, loss, bye, no-show ...; ``points``: of the match; ``most``: that could be had
    ``opponents``: those it was played against; none for a bye, or where somebody did not come; ``kinds``: of wins
    """

    outcome: str
    points: int
    game_points: int
    most: int
    opponents: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()


MISSED = Score("missed", 0, 0, 0)  # a round for which a player was not paired: they came late, or had left


@dataclass(frozen=True, slots=True)
class History:
    """The rounds of one player that have begun, without what is still played.

    ``scores``: what each round brought; ``penalty``: match points taken off by penalties
    """

    scores: tuple[Score, ...]
    penalty: int = 0

    @property
    def earned(self) -> int:
        """Match points before penalties: what the player's opponents are judged by."""
        return sum(each.points for each in self.scores)

    @property
    def points(self) -> int:
        """Match points."""
        return self.earned - self.penalty

    @property
    def game_points(self) -> int:
        """Points of the single games."""
        return sum(each.game_points for each in self.scores)

    @property
    def opponents(self) -> tuple[int, ...]:
        """Everybody played against, as often as that was; no byes, and nobody who did not come."""
        return tuple(other for each in self.scores for other in each.opponents)

    @property
    def missed_last(self) -> int:
        """How many rounds were missed at the end, after the last one played."""
        scores = list(self.scores)
        while scores and scores[-1] == MISSED:
            scores.pop()
        return len(self.scores) - len(scores)


def histories(event: Event, stage: Stage) -> dict[int, History]:
    """Return the history of each player of a stage."""
    scores: dict[int, list[Score]] = {number: [] for number in stage.players}
    for each in event.rounds_of(stage):
        brought = dict.fromkeys(stage.players, MISSED)
        for pairing in each.pairings:
            for player in pairing.players:
                del brought[player]
            brought |= score(pairing, stage, event.settings.points)
        for player, one in brought.items():
            scores[player].append(one)
    penalties = Counter[int]()
    for penalty in event.penalties:
        if penalty.stage == stage.number:
            penalties[penalty.player] += penalty.points
    return {number: History(tuple(each), penalties[number]) for number, each in scores.items()}


def score(pairing: Pairing, stage: Stage, points: Points) -> dict[int, Score]:
    """Return the score of each player of a pairing; of nobody while its result is open."""
    result, players = pairing.result, pairing.players
    if pairing.bye:
        pods = stage.format == "pods"
        games = points.bye if pods else (points.split or points.win) * WINS[stage.match]
        most = max(points.bye, points.places[0] if pods else _most(stage, points))
        return {players[0]: Score("bye", points.bye, games, most)}
    if result is None:
        return {}
    if len(players) > 2:
        return _pod(result, players, points)
    return {player: _seat(result, players, seat, stage, points) for seat, player in enumerate(players)}


def _seat(result: Result, players: tuple[int, ...], seat: int, stage: Stage, points: Points) -> Score:
    player, other, most = players[seat], players[1 - seat], _most(stage, points)
    winner = result.winner(players)
    opponents = () if result.absent else (other,)
    if result.outcome == "played":
        word = "win" if winner == player else "loss" if winner else "draw"
        games = sum(_game(game, player, seat, points) for game in result.games)
        kinds = tuple(game.kind for game in result.games if game.winner == player and game.kind)
        return Score(word, games if points.split else getattr(points, word), games, most, opponents, kinds)
    if winner == player:
        games = (points.split or points.win) * WINS[stage.match]
        return Score("win", games if points.split else points.win, games, most, opponents)
    return Score(result.outcome, 0, 0, most, opponents)


def _game(game: Game, player: int, seat: int, points: Points) -> int:
    """Return what one game brings one seat: its share of a split, or as much as a match of the same result."""
    if points.split:
        return game.points[seat]
    return points.draw if not game.winner else points.win if game.winner == player else points.loss


def _most(stage: Stage, points: Points) -> int:
    return points.split * GAMES[stage.match] if points.split else max(points.win, points.draw)


def _pod(result: Result, players: tuple[int, ...], points: Points) -> dict[int, Score]:
    """Return the scores of a pod. Who shares a place shares the points of the places they fill, rounded down.

    Who did not come was not there: a pod of four without one is one of three. Who gave up or was disqualified has
    been beaten by all others.
    """
    there = [player for player in players if player not in result.absent]
    table, scores = place_points(points.places, len(there)), {}
    for player, place in zip(players, result.places, strict=True):
        others = tuple(other for other in there if other != player) if player in there else ()
        if not place:
            scores[player] = Score(result.outcome, 0, 0, points.places[0], others)
            continue
        sharing = result.places.count(place)
        worth = sum(table[place - 1 : place - 1 + sharing]) // sharing
        scores[player] = Score(f"place {place}", worth, worth, points.places[0], others)
    return scores


def place_points(places: tuple[int, ...], players: int) -> list[int]:
    """Return what each place of a pod is worth, in a pod of any size alike: the first and the last as they are set.

    The places between are as far between those that are set as they are in the pod, rounded to the nearest, a half
    down: with 12, 6, 3, 0 a pod of three has 12, 4, 0 and one of five 12, 7, 4, 2, 0.

    >>> place_points((12, 6, 3, 0), 3), place_points((12, 6, 3, 0), 5), place_points((12, 6, 3, 0), 1)
    ([12, 4, 0], [12, 7, 4, 2, 0], [12])
    """
    steps, worth = max(1, players - 1), []
    for place in range(players):
        at, rest = divmod(place * (len(places) - 1), steps)
        following = places[min(at + 1, len(places) - 1)]
        worth.append(places[at] - (2 * rest * (places[at] - following) + steps) // (2 * steps))
    return worth
