"""Who takes which strike: first the defender names targets, then the attacker."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from referee.games.the_wizards.anytime import ANYTIME, CARD, CHECK, STATUS, bar_card, happens
from referee.games.the_wizards.state import ATTACKER, DEFENDER, STRIKES, WizardsGame
from referee.games.the_wizards.steps import BODIES, LATE_ENTRIES, PROWESS, is_now
from referee.games.the_wizards.strikes import UNTAPPED
from referee.games.the_wizards.words import numbers, people, strikes
from referee.rulebook import Attempt, Bar, Choose, Option, Options, Procedure, section

ALWAYS = (
    STATUS,
    Option("strikes", "Number of strikes", "Strikes"),
    Option("cancel-attack", "Cancel attack", "Cancel"),
    CHECK,
    CARD,
    Option("body-check", "Body check"),
)
"""What is offered besides the targets, while they are named and between the strikes."""
LEAVE_REST = Option("done", "Leave the rest", "Leave")
NO_MORE = Bar("ME-X04", "The attack has no more strikes", firm=True)


@section("ME-2", "ME-3", "ME-4", "ME-5", title="Assigning strikes")
def assign(game: WizardsGame) -> Procedure[bool]:
    """Name targets while there is a choice; return False if the attack is cancelled after all."""
    while 0 < game.unassigned < len(game.free):
        answer = yield from (defender_names(game) if defender_first(game) else attacker_names(game))
        if answer == "cancel-attack":
            return False
    attack = game.current_attack
    attack.locked = attack.assigned = True
    if game.unassigned:
        attack.results |= dict.fromkeys(game.free, "")
    attack.excess = game.unassigned
    attack.had_excess = attack.excess > 0
    return True


def defender_first(game: WizardsGame) -> bool:
    """Whether the next target is the defender's to name: until he leaves the rest, or the attacker has named one.

    While nobody is untapped he has nobody to name. But a defender who has just changed a status is asked again, as
    the next card may untap somebody.
    """
    attack = game.current_attack
    if attack.by_attacker or attack.rest_left:
        return False
    return attack.tapping or any(bar_defender(game, c.id) is None for c in game.members)


@section("ME-3", title="Defender assigns")
def defender_names(game: WizardsGame) -> Procedure[str]:
    """The defender gives a strike to somebody untapped, or leaves the rest to the attacker; return the answer."""
    answer: str = yield lambda: Choose(
        "assign.defender",
        f"Who takes a strike? {game.unassigned} left",
        people(game, LEAVE_REST, *ALWAYS),
        partial(bar_defender, game),
        default=next((c for c in game.free if bar_defender(game, c) is None), "status"),
        passing="done",
        seat=DEFENDER,
        rule="ME-3",
        head="Defender",
        tag=f"{game.unassigned} left",
    )
    game.current_attack.tapping = answer == "status"
    if answer == "done":
        game.current_attack.rest_left = True
    else:
        yield from follow(game, answer)
    return answer


@section("ME-4", title="Attacker assigns")
def attacker_names(game: WizardsGame) -> Procedure[str]:
    """The attacker gives a strike to anybody without one; return the answer."""
    answer: str = yield lambda: Choose(
        "assign.attacker",
        f"Who is attacked? {strikes(game.unassigned)} left",
        people(game, *ALWAYS),
        partial(bar_attacker, game),
        default=game.free[0],
        seat=ATTACKER,
        rule="ME-4",
        head="Attacker",
        tag=f"{game.unassigned} left",
    )
    if answer in game.free:
        game.current_attack.rest_left = True
    yield from follow(game, answer)
    return answer


@section("ME-2", "ME-6", title="Target")
def follow(game: WizardsGame, answer: str) -> Procedure[None]:
    """Give a strike to the target named, or do what was chosen instead."""
    if answer in ANYTIME:
        yield from happens(game, answer)
    elif answer == "strikes":
        with Attempt(game):
            yield from change_attack(game, answer)
    elif answer != "cancel-attack":
        game.current_attack.locked = True
        game.current_attack.results[answer] = ""


class Value(NamedTuple):
    """A value of the attack that cards change: the text of its question, the rule it comes from, its numbers."""

    text: str
    rule: str
    among: Options


CHANGES = {
    "strikes": Value("How many strikes now?", "ME-6", numbers(STRIKES.low, STRIKES.high)),
    "prowess": Value("Prowess of each strike now?", "ME-22", PROWESS),
    "body": Value("Body of each strike now?", "ME-24", BODIES),
}


@section("ME-6", title="Values of the attack")
def change_attack(game: WizardsGame, what: str) -> Procedure[None]:
    """A card changes the number of strikes, or the prowess or body of all of them. ``what``: a key of `CHANGES`."""
    value = CHANGES[what]
    answer = yield lambda: Choose(
        f"change.{what}",
        value.text,
        value.among,
        default=str(getattr(game.current_attack, what)),
        rule=value.rule,
        head="Attack",
        tag=what,
    )
    setattr(game.current_attack, what, int(answer))


def bar_attacker(game: WizardsGame, answer: str) -> Bar | None:
    """Return why a strike cannot go there: X05, X13 and X14 for what is too late, then X04, X03."""
    if answer == "card":
        return bar_card(game)
    if answer == "done" or answer in ANYTIME:
        return None
    if answer in LATE_ENTRIES:
        return LATE_ENTRIES[answer] if game.current_attack.locked or answer == "body-check" else None
    if not game.unassigned:
        return NO_MORE
    if answer in game.current_attack.results:
        return Bar("ME-X03", f"{game.find(answer).name} has a strike of this attack already", firm=True)
    return None


def bar_defender(game: WizardsGame, answer: str) -> Bar | None:
    """Return what `bar_attacker` does, and X02 for a character who is not untapped (ME-3)."""
    bar = bar_attacker(game, answer)
    if bar is not None or answer == "done" or answer in ANYTIME or answer in LATE_ENTRIES:
        return bar
    member = game.find(answer)
    if member.status == UNTAPPED:
        return None
    return Bar("ME-X02", f"{is_now(member)}: the defender picks the untapped")
