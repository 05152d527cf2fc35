"""Players: entering a list, checking in, dropping, returning, mending what was entered wrong.

A list has one player a line, or ``name, rating``. All of it is read, or it is told line by line.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from referee.errors import Malformed
from referee.files import outside
from referee.hall.pages.forms import Asked, Does, Forms, Sender, act, whole
from referee.hall.pages.render import Look
from referee.hall.staff import ORGANISERS
from referee.hall.wishes import published
from referee.tournament import Event
from referee.tournament.acts.people import CheckedIn, PlayerAdded, PlayerChanged, PlayerDropped, PlayerReturned

MAX_LINES: Final = 1000
MAX_NAME: Final = 60
MAX_RATING: Final = 9999
TOLD: Final = 20  # lines of which it is said what is wrong; then how many more
HEADS: Final = ("name", "player", "players")  # what the first cell of a line with the names of the columns says
SIGNS: Final = "\t;,"
"""What parts the cells of a line. The first line that has one says which it is in the whole list."""

_NUMBER: Final = re.compile("[0-9]+")
_NUMBERED: Final = re.compile(r"^[0-9]{1,4}[.)] +(?=\S)")  # what a list that was numbered has before each name


class Entered(NamedTuple):
    """A player as somebody wrote him down. ``rating``: 0 for none."""

    name: str
    rating: int = 0


def folded(name: str) -> str:
    """Return a name as it is compared with others."""
    return unicodedata.normalize("NFKC", name).casefold()


def plain_letters(name: str) -> str:
    """Return a name as somebody on a phone types it.

    >>> plain_letters("Éowyn Zölä")
    'eowyn zola'
    """
    letters = unicodedata.normalize("NFKD", name)
    return "".join(each for each in letters if not unicodedata.combining(each)).casefold()


def filed(name: str) -> tuple[str, str]:
    """Return by what a name is put in order, as people look it up: É beside E, a as A, 2 before 10.

    >>> sorted(["Fox", "Éowyn", "anna", "Ek", "Player 10", "Player 2"], key=filed)
    ['anna', 'Ek', 'Éowyn', 'Fox', 'Player 2', 'Player 10']
    """
    return _NUMBER.sub(lambda number: number[0].zfill(MAX_NAME), plain_letters(name)), name


def read_roster(text: str, known: Iterable[str] = ()) -> list[Entered]:
    """Return the players of a list; ``known``: names that are taken. Raises Malformed naming each wrong line."""
    lines = outside.cleaned(text).split("\n")
    if len(lines) > MAX_LINES:
        raise Malformed(f"list: expected at most {MAX_LINES} lines, got {len(lines)}")
    sign = next((sign for line in lines for sign in SIGNS if sign in line), ",")
    taken = dict.fromkeys(map(folded, known), 0)
    players: list[Entered] = []
    wrong: list[str] = []
    for number, line in enumerate(lines, 1):
        head = line.partition(sign)[0].strip(' "').casefold() in HEADS or line.strip() == f"sep={sign}"
        if not line.strip(f' "{sign}') or (head and not players and not wrong):
            continue
        try:
            player = read_player(line, sign)
            first = taken.setdefault(folded(player.name), number)
            if first != number:
                where = f"on line {first}" if first else "in the event"
                raise Malformed(f"{player.name} is {where} already; expected another name, or a nickname with it")
            players.append(player)
        except Malformed as fault:
            wrong.append(f"line {number}: {fault.text}")
    if wrong:
        more = [f"and {len(wrong) - TOLD} lines more"] if len(wrong) > TOLD else []
        raise Malformed("list: " + "\n".join([*wrong[:TOLD], *more]))
    if not players:
        raise Malformed("list: type a name on each line")
    return players


def read_player(line: str, sign: str) -> Entered:
    """Return the player of one line, its cells parted by ``sign``. Raises Malformed."""
    row = _NUMBERED.sub("", line.rstrip().lstrip(" "))  # a tab in front stays: there the cell of the name is empty
    try:
        cells = next(csv.reader([row], delimiter=sign, skipinitialspace=True, strict=True))
    except (csv.Error, StopIteration) as fault:
        raise Malformed("expected name, rating; quotation marks in pairs") from fault
    while len(cells) > 2 and not cells[-1].strip():  # a spreadsheet ends each line with those of its widest one
        cells.pop()
    if len(cells) > 2:
        raise Malformed("expected name, rating; a name with a comma stands in quotation marks")
    name, rating = (*cells, "")[:2]
    return Entered(name_of(name), rating_of(rating))


def name_of(text: str) -> str:
    """Return a player's name. Raises Malformed if nobody could read it."""
    try:
        name = outside.name(text, MAX_NAME)
    except Malformed as fault:
        raise Malformed(f"name: {fault.text}") from fault
    if not name:
        raise Malformed("name: type a name")
    return name


def rating_of(text: str) -> int:
    """Return a rating, 0 for none; spaces may part its thousands. Raises Malformed."""
    digits = "".join(text.split())
    if not digits:
        return 0
    if not (digits.isascii() and digits.isdigit() and int(digits[:9]) <= MAX_RATING):
        raise Malformed(f"rating: expected a whole number up to {MAX_RATING}, got {text.strip()[:20]!r}")
    return int(digits)


def view(look: Look) -> dict[str, Any]:
    """Everybody who was entered."""
    event, names = look.desk.event, look.desk.names
    everybody = sorted(event.players.values(), key=lambda each: filed(names.player(each.number)))
    chosen = event.players.get(whole(look.fields.get("player", "")))
    return {"listed": everybody, "chosen": chosen, "expected": sum(each.state == "expected" for each in everybody)}


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
    now = ", or now against who has the bye: see Rounds, By hand" if any(each.bye for each in round_.pairings) else ""
    return f". Plays from round {round_.number + 1} on{now}"


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
