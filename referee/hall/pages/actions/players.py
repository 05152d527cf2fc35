"""Players: entering a list, checking in, dropping, returning, mending what was entered wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from referee.errors import Malformed
from referee.hall.names import Names
from referee.hall.pages.actions import Actions, Asked, Sender
from referee.hall.pages.forms import MOST_TABLE, line_of
from referee.hall.pages.roster import MAX_NAME, folded, name_of, rating_of, read_roster
from referee.hall.pages.seen import stale
from referee.tournament.acts.people import (
    CheckedIn,
    CheckInTakenBack,
    PlayerAdded,
    PlayerChanged,
    PlayerDropped,
    PlayerReturned,
    TableFixed,
)


def _clubs(names: Names, wanted: Iterable[str]) -> tuple[dict[str, int], dict[int, str]]:
    """Return the number of each club by its name, and the names of those that are new."""
    numbers = {folded(name): number for number, name in names.of("club").items()}
    fresh: dict[int, str] = {}
    for club in filter(None, wanted):
        if folded(club) not in numbers:
            number = max(numbers.values(), default=0) + 1
            numbers[folded(club)] = number
            fresh[number] = club
    return numbers, fresh


def add(sender: Sender) -> Asked:
    """Enter a list of players."""
    desk = sender.desk
    taken = [desk.names.player(number) for number in desk.event.players]
    entered = read_roster(sender.form.fields.get("list", ""), taken)
    clubs, fresh = _clubs(desk.names, (each.club for each in entered))
    first = max(desk.event.players, default=0) + 1
    acts = [
        PlayerAdded(**sender.mark, player=number, club=clubs.get(folded(each.club), 0), rating=each.rating)
        for number, each in enumerate(entered, first)
    ]
    players = {act.player: each.name for act, each in zip(acts, entered, strict=True)}
    count = f"{len(acts)} players are" if len(acts) > 1 else "1 player is"
    return Asked(acts, {"club": fresh, "player": players}, f"{count} entered; check in whoever is here")


def name_again(sender: Sender) -> Asked:
    """Give the players of a rebuilt event their names: the list as it was pasted, in the order of the numbers."""
    desk = sender.desk
    entered = read_roster(sender.form.fields.get("list", ""))
    if len(entered) != len(desk.event.players):
        raise Malformed(f"list: expected {len(desk.event.players)} names, one for each number, got {len(entered)}")
    named = list(zip(sorted(desk.event.players), entered, strict=True))
    clubs = {desk.event.player(number).club: each.club for number, each in named if each.club}
    clubs.pop(0, None)
    return Asked((), {"club": clubs, "player": {number: each.name for number, each in named}}, "The names are back.")


def check_in(sender: Sender) -> Asked:
    """A player has come."""
    player = sender.form.number("player")
    return Asked([CheckedIn(**sender.mark, player=player)], notice=f"Player {player} is checked in")


def check_in_all(sender: Sender) -> Asked:
    """Everybody who was expected has come."""
    event, mark = sender.desk.event, sender.mark
    acts = [CheckedIn(**mark, player=each.number) for each in event.players.values() if each.state == "expected"]
    if not acts:
        return Asked(notice="Nobody else is expected")
    count = f"{len(acts)} players are" if len(acts) > 1 else "1 player is"
    return Asked(acts, notice=f"{count} checked in")


def take_check_in_back(sender: Sender) -> Asked:
    """A player was checked in by mistake."""
    player = sender.form.number("player")
    return Asked([CheckInTakenBack(**sender.mark, player=player)], notice=f"Player {player} is expected again")


def drop(sender: Sender) -> Asked:
    """A player leaves."""
    player = sender.form.number("player")
    notice = f"Player {player} has dropped out, and is not paired any more"
    return Asked([PlayerDropped(**sender.mark, player=player)], notice=notice)


def back(sender: Sender) -> Asked:
    """A player who dropped is back."""
    player = sender.form.number("player")
    notice = f"Player {player} is back, and is paired from the next draft on"
    return Asked([PlayerReturned(**sender.mark, player=player)], notice=notice)


def change(sender: Sender) -> Asked:
    """Name, club, rating or table were entered wrong."""
    desk, form = sender.desk, sender.form
    player = desk.event.player(form.number("player"))
    known = desk.names.player(player.number)
    if form.fields.get("was", known) != known:  # names are not in the record, with which forms are compared
        raise stale([f"Name: {form.fields['was']} before, {known} now"])
    name = name_of(form.fields.get("name", ""))
    others = {folded(desk.names.player(number)) for number in desk.event.players if number != player.number}
    if folded(name) in others:
        raise Malformed(f"name: {name} is in the event already; expected another name, or a nickname with it")
    club = line_of("club", form.fields.get("club", ""), MAX_NAME)
    clubs, fresh = _clubs(desk.names, [club])
    number, rating = clubs.get(folded(club), 0), rating_of(form.fields.get("rating", ""))
    table = form.number("table", 0)
    if table and not 1 <= table <= MOST_TABLE:
        raise Malformed(f"table: expected a number from 1 to {MOST_TABLE}, or nothing; got {table}")
    acts: list[PlayerChanged | TableFixed] = []
    if (number, rating) != (player.club, player.rating):
        acts.append(PlayerChanged(**sender.mark, player=player.number, club=number, rating=rating))
    if table != player.table:
        acts.append(TableFixed(**sender.mark, player=player.number, table=table))
    notice = f"What was changed of player {player.number} is saved"
    return Asked(acts, {"club": fresh, "player": {player.number: name}}, notice)


ACTIONS: Final[Actions] = {
    "add": add,
    "name-again": name_again,
    "check-in": check_in,
    "check-in-all": check_in_all,
    "take-back-check-in": take_check_in_back,
    "drop": drop,
    "return": back,
    "change": change,
}
