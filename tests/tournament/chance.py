"""Tournaments of random results, drops, returns, late entries and penalties."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

from referee.errors import Malformed, NotNow
from referee.tournament import draw_round
from referee.tournament.event import Event, Pairing
from referee.tournament.results import Game, Outcome, Result
from referee.tournament.settings import GAMES, Format, Match, Points, Settings, TieBreaker
from tests.tournament.desk import Desk

WAR = Settings(sides=("Free Peoples", "Shadow"), wins=("Ring", "military"))


def draw(desk: Desk, seed: int = 1, *, start: bool = True) -> Event:
    """Draw the next round and start it."""
    desk.do("round paired", pairings=draw_round(desk.event, seed), seed=seed)
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
    outcomes: tuple[Outcome, ...] = ("double loss", "forfeit", "no-show", "disqualified")
    outcome = rng.choice(outcomes)
    fault = () if outcome == "double loss" else tuple(rng.sample(players, rng.choice((1, 1, 2))))
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
    """Somebody drops, returns, comes late, is punished or disqualified."""
    if rng.random() < 0.25:
        desk.do("player dropped", player=rng.choice(desk.event.here()))
    dropped = [player.number for player in desk.event.players.values() if player.state == "dropped"]
    if dropped and rng.random() < 0.2 and "elimination" not in desk.event.stage.format:
        desk.do("player returned", player=rng.choice(dropped), why="is back")
    if rng.random() < 0.25:
        desk.enter([max(desk.event.players) + 1])
    if rng.random() < 0.3:
        number, points = rng.choice(desk.event.stage.players), rng.choice((0, 1, 2))
        desk.do("penalty", player=number, penalty="points" if points else "warning", points=points, why="late")
    if rng.random() < 0.1 and desk.event.here():
        desk.do("penalty", player=rng.choice(desk.event.here()), penalty="disqualification", why="loaded die")


def some_settings(rng: random.Random) -> Settings:
    """Return any points, and tie-breakers in any order."""
    odd = Points(9, 4, 1, bye=8)
    places = rng.choice(((4, 2, 1, 0), (12, 6, 3, 0), (5, 2)))
    points = replace(rng.choice((Points(), odd)), split=rng.choice((0, 0, 0, 0, 6)), places=places)
    first: TieBreaker = rng.choice(("match points", "game points"))
    others: list[TieBreaker] = [name for name in get_args(TieBreaker) if name != first]
    return replace(WAR, points=points, tiebreakers=(first, *rng.sample(others, rng.randrange(len(others) + 1))))


def some_event(seed: int, count: int = 0, look: Callable[[Desk], None] = lambda _desk: None, **stage: Any) -> Desk:
    """Play an event by chance, as far as chance will, and look at each round when it is paired.

    What is not said of its stage, format too, is by chance.
    """
    rng = random.Random(seed)
    desk = Desk(some_settings(rng), count or rng.randrange(3, 14))
    here = desk.event.here()
    form = stage.setdefault("format", rng.choice(get_args(Format)))
    if form != "pods":
        stage = {"match": rng.choice(tuple(GAMES)), "sides": rng.choice(("none", "assigned", "bid")), **stage}
    if form == "single elimination":
        stage["third"] = rng.random() < 0.5
    stage = {"pod": rng.choice((3, 4, 5)), "byes": rng.random() < 0.5, **stage}
    desk.do("stage opened", players=tuple(rng.sample(here, len(here))), seed=seed, **stage)
    for _ in range(stage.get("rounds") or rng.randrange(1, 12)):
        try:
            draw(desk, rng.randrange(1000))
        except NotNow:
            break
        look(desk)
        for pairing in desk.last.pairings:
            if not pairing.bye and rng.random() < 0.96:
                _enter_some_result(desk, rng, pairing)
        desk.do("round ended", round=desk.last.number, why="a match plays on")
        if len(desk.event.here()) > 1:
            something_happens(desk, rng)
    return desk


def _enter_some_result(desk: Desk, rng: random.Random, pairing: Pairing) -> None:
    """Enter a result that is possible there: in an elimination somebody wins, or nobody does."""
    stage = desk.event.stage
    if stage.format == "pods":
        return desk.result(pairing.table, some_places(rng, pairing.players))
    while True:
        result = some_result(rng, pairing.players, desk.event.settings, stage.match)
        try:
            return desk.result(pairing.table, result)
        except Malformed:
            assert "elimination" in stage.format


def some_places(rng: random.Random, players: tuple[int, ...]) -> Result:
    """Return any result of a pod."""
    out = rng.sample(players, rng.choice((0, 0, 0, 1, 1, 2, len(players))))
    levels = [rng.randrange(len(players)) for _ in players]
    there = [level for player, level in zip(players, levels, strict=True) if player not in out]
    places = tuple(
        0 if player in out else 1 + sum(other < level for other in there)
        for player, level in zip(players, levels, strict=True)
    )
    faults: tuple[Outcome, ...] = ("no-show", "forfeit", "disqualified")
    return Result(rng.choice(faults) if out else "played", fault=tuple(out), places=places)
