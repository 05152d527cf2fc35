"""Players: entering a list, checking in, dropping, returning, mending what was entered wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from referee.errors import Malformed
from referee.hall.desk import Names
from referee.hall.pages.forms import Asked, Does, Forms, Sender, act, line_of
from referee.hall.pages.render import Look
from referee.hall.pages.roster import MAX_NAME, filed, folded, name_of, rating_of, read_roster
from referee.hall.pages.tables import whole
from referee.hall.staff import ORGANISERS
from referee.hall.wishes import published
from referee.tournament import Event
from referee.tournament.acts import Act
from referee.tournament.acts.people import (
    CheckedIn,
    PlayerAdded,
    PlayerChanged,
    PlayerDropped,
    PlayerReturned,
    TableFixed,
)
from referee.tournament.words import listed


def view(look: Look) -> dict[str, Any]:
    """Everybody who was entered."""
    event, names = look.desk.event, look.desk.names
    everybody = sorted(event.players.values(), key=lambda each: filed(names.player(each.number)))
    chosen = event.players.get(whole(look.fields.get("player", "")))
    return {
        "listed": everybody,
        "chosen": chosen,
        "expected": sum(each.state == "expected" for each in everybody),
    }


def add(sender: Sender) -> Asked:
    """Enter a list of players."""
    names, event = sender.desk.names, sender.event
    entered = read_roster(sender.form.fields.get("list", ""), [names.player(number) for number in event.players])
    clubs, fresh = _clubs(names, (each.club for each in entered))
    first = max(event.players, default=0) + 1
    acts = [
        PlayerAdded(**sender.mark, player=number, club=clubs.get(folded(each.club), 0), rating=each.rating)
        for number, each in enumerate(entered, first)
    ]
    players = {act.player: each.name for act, each in zip(acts, entered, strict=True)}
    told = f" New clubs: {', '.join(fresh.values())}." if fresh else ""
    return Asked(
        acts, {"club": fresh, "player": players}, f"{_are(len(acts))} entered.{told} Check in whoever is here"
    )


def _clubs(names: Names, wanted: Iterable[str]) -> tuple[dict[str, int], dict[int, str]]:
    """Return the number of each club by its name, and the names of those that are new."""
    numbers = {folded(name): number for number, name in names.all["club"].items()}
    fresh: dict[int, str] = {}
    for club in filter(None, wanted):
        if folded(club) not in numbers:
            number = max(numbers.values(), default=0) + 1
            numbers[folded(club)] = number
            fresh[number] = club
    return numbers, fresh


def _are(count: int) -> str:
    return f"{count} players are" if count > 1 else "1 player is"


def check_in(sender: Sender) -> Asked:
    """A player has come."""
    player = sender.form.number("player")
    return Asked(
        [CheckedIn(**sender.mark, player=player)], notice=f"Player {player} is checked in{_late(sender.event)}"
    )


def _late(event: Event) -> str:
    """Return what somebody does who comes while a round is published or played."""
    round_ = published(event)
    if round_ is None or round_.state == "ended" or not event.stages:
        return ""
    byes = [f"player {each.players[0]}" for each in round_.pairings if each.bye]
    meets = f", or now against {listed(byes)}, who has the bye: see Rounds, By hand" if byes else ""
    return f". Plays from round {round_.number + 1} on{meets}"


def check_in_all(sender: Sender) -> Asked:
    """Everybody who was expected has come."""
    late = [each.number for each in sender.event.players.values() if each.state == "expected"]
    told = f"{_are(len(late))} checked in" if late else "Nobody else is expected"
    return Asked([CheckedIn(**sender.mark, player=number) for number in late], notice=told)


def change(sender: Sender) -> Asked:
    """Name, club, rating or table were entered wrong."""
    event, names, form = sender.event, sender.desk.names, sender.form
    player = event.player(form.number("player"))
    name = name_of(form.fields.get("name", ""))
    others = {folded(names.player(number)) for number in event.players if number != player.number}
    if folded(name) in others:
        raise Malformed(f"name: {name} is in the event already; type another name, or a nickname with it")
    club = line_of("club", form.fields.get("club", ""), MAX_NAME)
    clubs, fresh = _clubs(names, [club])
    number, rating, table = clubs.get(folded(club), 0), rating_of(form.fields.get("rating", "")), form.table()
    acts: list[Act] = []
    if (number, rating) != (player.club, player.rating):
        acts.append(PlayerChanged(**sender.mark, player=player.number, club=number, rating=rating))
    if table != player.table:
        acts.append(TableFixed(**sender.mark, player=player.number, table=table))
    notice = f"What was changed of player {player.number} is saved"
    return Asked(acts, {"club": fresh, "player": {player.number: name}}, notice)


FORMS: Final[Forms] = {
    "add": Does(ORGANISERS, add),
    "check-in": Does(ORGANISERS, check_in),
    "check-in-all": Does(ORGANISERS, check_in_all),
    "drop": Does(ORGANISERS, act(PlayerDropped, "Player {player} has dropped out, and is not paired any more")),
    "return": Does(ORGANISERS, act(PlayerReturned, "Player {player} is back, and is paired from the next draft on")),
    "change": Does(ORGANISERS, change),
}
