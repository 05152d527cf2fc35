"""Tournaments of random results, drops, returns, late entries and penalties."""

from __future__ import annotations

import random
from collections.abc import Callable

from referee.tournament.acts import (
    PenaltyGiven,
    PlayerChanged,
    PlayerDropped,
    PlayerReturned,
    RoundEnded,
    RoundPaired,
    TableFixed,
)
from referee.tournament.event import Event
from referee.tournament.pairing import draw_round
from referee.tournament.results import Game, Outcome, Result
from referee.tournament.settings import GAMES, Match, Settings
from tests.tournament.desk import Desk

WAR = Settings(sides=("Free Peoples", "Shadow"), wins=("Ring", "military"))


def draw(desk: Desk, seed: int = 1, *, start: bool = True) -> Event:
    """Draw the next round and start it."""
    desk.do(RoundPaired, pairings=draw_round(desk.event, seed), seed=seed)
    if start:
        desk.start()
    return desk.event


def some_result(rng: random.Random, players: tuple[int, ...], settings: Settings, match: Match) -> Result:
    """Return any result that a match of two can have."""
    if rng.random() < 0.8:
        games = [some_game(rng, players, settings) for _ in range(GAMES[match])]
        if match == "best of three" and games[0].winner == games[1].winner != 0:
            games.pop()
        return Result(games=tuple(games))
    outcomes: tuple[Outcome, ...] = ("intentional draw", "double loss", "forfeit", "no-show", "disqualified")
    outcome = rng.choice(outcomes)
    fault = () if outcome in outcomes[:2] else tuple(rng.sample(players, rng.choice((1, 1, 2))))
    return Result(outcome, fault=fault)


def some_game(rng: random.Random, players: tuple[int, ...], settings: Settings) -> Game:
    split = settings.points.split
    if split:
        share = rng.randrange(split + 1)
        winner = 0 if 2 * share == split else players[2 * share < split]
        return Game(winner, points=(share, split - share))
    winner = rng.choice((0, *players, *players))
    return Game(winner, rng.choice(("", *settings.wins)) if winner else "")


def something_happens(desk: Desk, rng: random.Random) -> None:
    """Somebody drops, returns, comes late, or is punished."""
    if rng.random() < 0.3:
        desk.do(PlayerDropped, player=rng.choice(desk.event.here()))
    dropped = [player.number for player in desk.event.players.values() if player.state == "dropped"]
    if dropped and rng.random() < 0.2:
        desk.do(PlayerReturned, player=rng.choice(dropped), why="is back")
    if rng.random() < 0.3:
        desk.enter([max(desk.event.players) + 1])
    if rng.random() < 0.3:
        number = rng.choice(desk.event.stage.players)
        points = rng.choice((0, 1, 2))
        desk.do(PenaltyGiven, player=number, penalty="points" if points else "warning", points=points, why="late")


def tournament(
    count: int,
    rounds: int,
    seed: int,
    *,
    settings: Settings = WAR,
    sides: str = "none",
    match: Match = "one game",
    look: Callable[[Desk], None] = lambda _desk: None,
) -> Desk:
    """Play Swiss rounds by chance; ``look`` at each when it is paired."""
    rng = random.Random(seed)
    desk = Desk(settings, count, sides=sides, match=match, rounds=rounds, seed=seed)
    for number in desk.event.here():
        desk.do(PlayerChanged, player=number, club=rng.randrange(4), rating=0)
    desk.do(TableFixed, player=1, table=2)
    for _ in range(rounds):
        if not desk.event.here():
            break
        draw(desk, rng.randrange(1000))
        look(desk)
        for pairing in desk.last.pairings:
            if not pairing.bye and rng.random() < 0.95:
                desk.result(pairing.table, some_result(rng, pairing.players, settings, match))
        desk.do(RoundEnded, round=desk.last.number, why="a match plays on")
        something_happens(desk, rng)
    return desk
