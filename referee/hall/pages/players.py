"""Players: entering a list, checking in, dropping, returning, mending what was entered wrong."""

from __future__ import annotations

from typing import Any, Final

from referee.errors import Malformed
from referee.hall.pages.forms import Asked, Does, Forms, Sender, act
from referee.hall.pages.render import Look
from referee.hall.pages.roster import filed, folded, name_of, rating_of, read_roster
from referee.hall.pages.tables import whole
from referee.hall.staff import ORGANISERS
from referee.hall.wishes import published
from referee.tournament import Event
from referee.tournament.acts.people import CheckedIn, PlayerAdded, PlayerChanged, PlayerDropped, PlayerReturned
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
    first = max(event.players, default=0) + 1
    acts = [PlayerAdded(**sender.mark, player=n, rating=each.rating) for n, each in enumerate(entered, first)]
    players = {act.player: each.name for act, each in zip(acts, entered, strict=True)}
    return Asked(acts, {"player": players}, f"{_are(len(acts))} entered. Check in whoever is here")


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
    """A name or rating was entered wrong."""
    event, names, form = sender.event, sender.desk.names, sender.form
    player = event.player(form.number("player"))
    name = name_of(form.fields.get("name", ""))
    others = {folded(names.player(number)) for number in event.players if number != player.number}
    if folded(name) in others:
        raise Malformed(f"name: {name} is in the event already; type another name, or a nickname with it")
    rating = rating_of(form.fields.get("rating", ""))
    acts = [PlayerChanged(**sender.mark, player=player.number, rating=rating)] if rating != player.rating else []
    notice = f"What was changed of player {player.number} is saved"
    return Asked(acts, {"player": {player.number: name}}, notice)


FORMS: Final[Forms] = {
    "add": Does(ORGANISERS, add),
    "check-in": Does(ORGANISERS, check_in),
    "check-in-all": Does(ORGANISERS, check_in_all),
    "drop": Does(ORGANISERS, act(PlayerDropped, "Player {player} has dropped out, and is not paired any more")),
    "return": Does(ORGANISERS, act(PlayerReturned, "Player {player} is back, and is paired from the next draft on")),
    "change": Does(ORGANISERS, change),
}
