"""What can be keyed of a slip: each possible result of a game or a match as one choice, and back."""

from __future__ import annotations

from collections.abc import Callable

from referee.errors import Malformed
from referee.hall.pages.forms import Form
from referee.tournament import Event, Game, Pairing, Result, Settings, Stage
from referee.tournament.settings import GAMES
from referee.tournament.words import FAULTS


def game_choices(
    settings: Settings, pairing: Pairing, name: Callable[[int], str], *, drawn: bool = True
) -> dict[str, str]:
    """Return what a game of two can come to: value of the form -> words. ``drawn``: whether it may be a draw."""
    first, second = map(name, pairing.players)
    split = settings.points.split
    if split:
        shares = [(own, split - own) for own in range(split, -1, -1) if drawn or own != split - own]
        return {f"{own}-{other}": f"{first} {own} – {other} {second}" for own, other in shares}
    choices = {}
    for seat, who in enumerate((first, second), 1):
        for at, kind in enumerate(settings.wins, 1):
            choices[f"{seat}:{at}"] = f"{who} won: {kind}"
        if not settings.wins:
            choices[f"{seat}:0"] = f"{who} won"
    return choices | ({"draw": "Draw"} if drawn else {})


def other_choices(pairing: Pairing, name: Callable[[int], str], *, drawn: bool = True) -> dict[str, str]:
    """Return how a match of two can end without having been played out. ``drawn``: whether by a draw."""
    choices = {"intentional draw": "Intentional draw"} if drawn else {}
    choices["double loss"] = "Both lose"
    for outcome, words in FAULTS:
        for seat, who in enumerate(map(name, pairing.players), 1):
            choices[f"{outcome}:{seat}"] = f"{who} {words}"
    return choices | {"no-show:12": "Nobody came"}


def pod_choices(players: int) -> dict[str, str]:
    """Return what a seat at a table of three and more can come to: its place, or why it has none."""
    return {str(place): str(place) for place in range(1, players + 1)} | dict(FAULTS)


def read_slip(form: Form, event: Event, stage: Stage, pairing: Pairing) -> Result:
    """Return the result that was keyed. Raises Malformed naming the field."""
    players = pairing.players
    if len(players) > 2:
        return _pod(form, players)
    games = [value for number in range(1, GAMES[stage.match] + 1) if (value := form.text(f"game{number}"))]
    other = form.text("otherwise")
    if games and other:
        raise Malformed("otherwise: choose only one of them: what the game came to, or how the match ended otherwise")
    if other:
        if other not in other_choices(pairing, str):
            raise Malformed("otherwise: choose one of the list")
        outcome, _, seats = other.partition(":")
        return Result(outcome, fault=tuple(players[int(seat) - 1] for seat in seats))  # type: ignore[arg-type]
    result = Result(games=tuple(_game(value, event.settings, pairing) for value in games))
    if "elimination" in stage.format and not result.winner(players):
        raise Malformed("game1: choose who won: in an elimination somebody goes on")
    return result


def _pod(form: Form, players: tuple[int, ...]) -> Result:
    choices, seats = pod_choices(len(players)), []
    for seat in range(1, len(players) + 1):
        if form.text(f"place{seat}") not in choices:
            raise Malformed(f"place{seat}: choose a place, or why there is none")
        seats.append(form.text(f"place{seat}"))
    outcomes = {value for value in seats if not value.isdigit()}
    if len(outcomes) > 1:
        raise Malformed("place1: choose the same reason for all who have no place; a penalty says what each did")
    fault = tuple(player for player, value in zip(players, seats, strict=True) if value in outcomes)
    places = tuple(int(value) if value.isdigit() else 0 for value in seats)
    there = sorted(place for place in places if place)
    if there != [1 + sum(other < place for other in there) for place in there]:
        raise Malformed("place1: give each place from 1 on; after a shared place leave the next out: 1, 1, 3")
    return Result(outcomes.pop() if outcomes else "played", fault=fault, places=places)  # type: ignore[arg-type]


def _game(value: str, settings: Settings, pairing: Pairing) -> Game:
    if value not in game_choices(settings, pairing, str):
        raise Malformed("game1: choose one of the list")
    if value == "draw":
        return Game()
    if settings.points.split:
        own, _, others = value.partition("-")
        points = (int(own), int(others))
        winner = 0 if points[0] == points[1] else pairing.players[points[1] > points[0]]
        return Game(winner, points=points)
    seat, _, kind = value.partition(":")
    return Game(pairing.players[int(seat) - 1], settings.wins[int(kind) - 1] if int(kind) else "")
