"""Who takes which strike: first the defender says, then the attacker."""

from __future__ import annotations

from functools import partial

from referee.games.the_wizards.edit import edit_status
from referee.games.the_wizards.state import ATTACKER, DEFENDER, WizardsGame
from referee.games.the_wizards.steps import LATE_ENTRIES
from referee.games.the_wizards.strikes import UNTAPPED
from referee.games.the_wizards.words import STATUS, numbers, people, strikes
from referee.rulebook import Attempt, Bar, Choose, Option, Procedure, section

ALWAYS = (
    STATUS,
    Option("strikes", "Number of strikes", "Strikes"),
    Option("cancel-attack", "Cancel attack", "Cancel"),
    Option("body-check", "Body check"),
)
LEAVE_REST = Option("done", "Leave the rest", "Leave")
TAKEN = Bar("ME-X03", "Has a strike of this attack already", firm=True)
NO_MORE = Bar("ME-X04", "The attack has no more strikes", firm=True)
NOT_UNTAPPED = Bar("ME-X02", "The defender gives strikes to the untapped only")


@section("ME-2", "ME-3", "ME-4", "ME-5", title="Assigning strikes")
def assign(game: WizardsGame) -> Procedure[bool]:
    """First the defender, then the attacker; return False if the attack is cancelled after all."""
    while game.unassigned and not forced(game):
        target = yield from (defender_names(game) if defender_first(game) else attacker_names(game))
        if target == "cancel-attack":
            return False
    lock(game)
    if forced(game):
        for member in game.members:
            game.foe.results.setdefault(member.id, "")
    return True


def defender_first(game: WizardsGame) -> bool:
    """Whether the next target is the defender's to name: until he leaves the rest, or the attacker has named one.

    While nobody is untapped there is nothing he could say, unless he is just tapping people for their cards: the
    next card may untap somebody.
    """
    foe = game.foe
    if foe.by_attacker or foe.rest_left:
        return False
    return foe.tapping or any(bar_defender(game, c.id) is None for c in game.members)


@section("ME-3", title="Defender assigns")
def defender_names(game: WizardsGame) -> Procedure[str]:
    """The defender gives a strike to somebody untapped, or leaves the rest to the attacker; return what he said."""
    who: str = yield Choose(
        "assign.defender",
        f"Who takes a strike? {game.unassigned} left",
        people(game, LEAVE_REST, *ALWAYS),
        partial(bar_defender, game),
        passing="done",
        seat=DEFENDER,
        rule="ME-3",
        head=f"{game.unassigned} of {game.foe.strikes}",
        tag="who takes it?",
    )
    game.foe.tapping = who == "status"
    if who == "done":
        game.foe.rest_left = True
    else:
        yield from assigned(game, who)
    return who


@section("ME-4", title="Attacker assigns")
def attacker_names(game: WizardsGame) -> Procedure[str]:
    """The attacker gives a strike to anybody without one; return what he said."""
    who: str = yield Choose(
        "assign.attacker",
        f"Who is attacked? {strikes(game.unassigned)} left",
        people(game, *ALWAYS),
        partial(bar_attacker, game),
        seat=ATTACKER,
        rule="ME-4",
        head=f"{game.unassigned} of {game.foe.strikes}",
        tag="on whom?",
    )
    yield from assigned(game, who)
    game.foe.rest_left = game.foe.rest_left or who in game.foe.results
    return who


def forced(game: WizardsGame) -> bool:
    """Whether there is nothing to decide: enough strikes for everybody who has none."""
    free = sum(c.id not in game.foe.results for c in game.members)
    return 0 < free <= game.foe.strikes - len(game.foe.results)


def lock(game: WizardsGame) -> None:
    """Fix the number of strikes; what goes beyond the number of characters can be spared (ME-5)."""
    if not game.foe.locked:
        game.foe.locked = True
        game.foe.excess = max(0, game.foe.strikes - len(game.members))
        game.foe.had_excess = game.foe.excess > 0


@section("ME-2", "ME-6", title="Target")
def assigned(game: WizardsGame, who: str) -> Procedure[None]:
    """Give a strike to a target, or change what was said to be changed."""
    if who in ("status", "strikes"):
        with Attempt(game):
            yield from edit_status(game) if who == "status" else change_attack(game, who)
    elif who != "cancel-attack":
        lock(game)
        game.foe.results[who] = ""


@section("ME-6", title="Strikes or prowess")
def change_attack(game: WizardsGame, what: str) -> Procedure[None]:
    """A card changes the number of strikes, or the prowess of all of them."""
    low, now = (0, game.foe.strikes) if what == "strikes" else (1, game.foe.prowess)
    answer = yield Choose(
        f"change.{what}",
        "How many strikes now?" if what == "strikes" else "Prowess of each strike now?",
        numbers(low, 15 if what == "strikes" else 25),
        default=str(now),
        rule="ME-6",
        head="Attack",
        tag=what,
    )
    setattr(game.foe, what, int(answer))


def bar_attacker(game: WizardsGame, who: str) -> Bar | None:
    """Return why a strike cannot go there: X05, X13 and X14 for what is too late, then X04, X03."""
    if who in ("done", "status"):
        return None
    if who in LATE_ENTRIES:
        return LATE_ENTRIES[who] if game.foe.locked or who == "body-check" else None
    if not game.unassigned:
        return NO_MORE
    return TAKEN if who in game.foe.results else None


def bar_defender(game: WizardsGame, who: str) -> Bar | None:
    """Return the same, and X02 for whoever is not untapped."""
    found = bar_attacker(game, who)
    if found is not None or who == "done" or who == "status" or who in LATE_ENTRIES:
        return found
    return None if game.find(who).status == UNTAPPED else NOT_UNTAPPED
