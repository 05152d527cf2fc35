"""An attack: how it is announced, changed, assigned, and what becomes of it."""

from __future__ import annotations

from tests.oracles.middle_earth_the_wizards import rules
from tests.oracles.middle_earth_the_wizards.company import (
    NO_CHECK,
    card,
    check,
    everybody_had_card,
    hazard_bar,
    status,
)
from tests.oracles.middle_earth_the_wizards.rules import UNTAPPED
from tests.oracles.middle_earth_the_wizards.state import (
    ATTACKER,
    DEFENDER,
    TABLE,
    Attack,
    Bar,
    Character,
    Game,
    Question,
    Steps,
    bar,
    choose,
    decide,
    number,
    offer,
)
from tests.oracles.middle_earth_the_wizards.strike import strike

KINDS = ("orc", "troll", "wolf", "undead", "other", "man", "giant", "spider", "dragon", "animal")
FIXED = {"strikes": Bar("ME-X05", firm=True), "cancel-attack": Bar("ME-X13", firm=True)}
SIDE = {"status": status, "check": check, "card": card}
"""What can be done beside an attack."""


def declare(game: Game) -> Steps[None]:
    """ME-1: say what attacks."""

    def ask() -> Question:
        ids = ("creature", "automatic-attack", "creature-again", "hazard", "other")
        bars = {id_: hazard_bar(game) if rules.is_hazard(id_) else None for id_ in ids}
        return choose("attack.source", TABLE, bars)

    with game.attempt():
        if game.players > 2:
            game.attacking = yield from decide(lambda: whose_attack(game))
        source = yield ask
        attacks = 1
        if source == "creature-again":
            attacks = yield from number("attack.attacks", 2, 7)
        strikes = yield from number("attack.strikes", 1, 20, ATTACKER)
        prowess = yield from number("attack.prowess", 0, 30, ATTACKER)
        body = yield from number("attack.body", 0, 15, ATTACKER)
        same = game.last[:3] == (strikes, prowess, body)
        game.last = (strikes, prowess, body, game.last[3] if same else 1)
        game.company.play(rules.is_hazard(source))
        source = "creature" if source == "creature-again" else source
        game.attack = Attack(source, strikes, prowess, body, of=attacks)
    if game.attack is not None:
        yield from attacks_of(game, game.attack)


def whose_attack(game: Game) -> Question:
    others = [player for player in game.marshalling if player not in {game.player, *game.out}]
    return choose("attack.by", TABLE, offer(*others))


def attacks_of(game: Game, attack: Attack) -> Steps[None]:
    """Fight all attacks of the card, or until nobody is left."""
    while True:
        cancelled = yield from changes(game, attack)
        if cancelled:
            cancel(game, attack)
        else:
            yield from strikes(game, attack)
            yield from close(game, attack)
        if not game.members or attack.number == attack.of:
            break
        attack.number += 1
        attack.begin()
    game.attack = None


def changes(game: Game, attack: Attack) -> Steps[bool]:
    """ME-6: cards that change the attack, and then its targets; return whether it was cancelled."""
    what = ""
    while what != "assign" and game.members:
        game.go_on()

        def ask() -> Question:
            ids = ("assign", "strikes", "prowess", "cancel-attack", "status", "by-attacker", "kind", "body", "check")
            side = {"hazard": hazard_bar(game), "card": everybody_had_card(game), **NO_CHECK}
            return choose("attack.changes", TABLE, {**offer(*ids), **side})

        what = yield ask
        if what == "cancel-attack":
            return True
        yield from a_change(game, attack, what)
    faced(game, attack.kind)
    return (yield from assign(game, attack))


def a_change(game: Game, attack: Attack, what: str) -> Steps[None]:
    if what in SIDE:
        yield from SIDE[what](game)
    elif what == "hazard":
        game.company.play()
    elif what == "by-attacker":
        attack.by_attacker = not attack.by_attacker
    elif what == "kind":
        with game.attempt():
            attack.kind = yield choose("attack.kind", TABLE, offer(*KINDS))
    elif what in {"strikes", "prowess", "body"}:
        with game.attempt():
            high = {"strikes": 20, "prowess": 30, "body": 15}[what]
            setattr(attack, what, (yield from number(f"change.{what}", 0, high)))


# -- targets ------------------------------------------------------------------------------------------------------


def without_strike(game: Game, attack: Attack) -> list[Character]:
    return [each for each in game.members if each.id not in attack.results]


def assign(game: Game, attack: Attack) -> Steps[bool]:
    """ME-3, ME-4: the defender's targets, then the attacker's; return whether the attack was cancelled meanwhile.

    A defender whose cards tap and untap his characters stays asked, though nobody is untapped meanwhile.
    """
    asked = False
    while True:
        free, left = without_strike(game, attack), attack.strikes - len(attack.results)
        if not free or left <= 0 or rules.all_are_targets(left, len(free)):
            break
        untapped = sum(each.status == UNTAPPED for each in free)
        defends = asked or rules.defender_assigns(attack.by_attacker, attack.rest_left, untapped)
        answer = yield from decide(lambda defends=defends: whose_target(game, attack, defends))  # type: ignore[misc]
        if answer == "cancel-attack":
            return True
        asked = defends and answer == "status"
        if answer in SIDE or answer == "strikes":
            yield from a_change(game, attack, answer)
        elif answer == "done":
            attack.rest_left = True
        else:
            attack.locked = True
            attack.results[answer] = ""
            attack.rest_left |= rules.ends_defenders_right(not defends)
    if left > 0:
        attack.results.update({each.id: "" for each in free})
    attack.locked = True
    attack.excess = rules.spare(left, len(free))
    attack.had_excess = attack.excess > 0
    return False


def whose_target(game: Game, attack: Attack, defends: bool) -> Question:
    bars: dict[str, Bar | None] = {}
    no_more = bar("ME-X04" if attack.strikes <= len(attack.results) else None, firm=True)
    for each in game.members:
        has = each.id in attack.results
        bars[each.id] = no_more or bar(rules.target_code(each.status, has, by_defender=defends), firm=has)
    fixed = FIXED if attack.locked else offer("strikes", "cancel-attack")
    bars = {**bars, **fixed, **offer("status", "check"), "card": everybody_had_card(game), **NO_CHECK}
    if defends:
        return choose("assign.defender", DEFENDER, {**bars, "done": None})
    return choose("assign.attacker", ATTACKER, bars)


# -- strikes and the end of it ------------------------------------------------------------------------------------


def strikes(game: Game, attack: Attack) -> Steps[None]:
    """ME-20: resolve the strikes, the defender choosing which is next."""
    while attack.unresolved:
        waiting = attack.unresolved
        target = waiting[0] if len(waiting) == 1 else (yield lambda: next_strike(game, attack))
        if target in SIDE:
            yield from SIDE[target](game)
        else:
            yield from strike(game, attack, target)
        if not game.members:
            break


def next_strike(game: Game, attack: Attack) -> Question:
    bars: dict[str, Bar | None] = {}
    for each in game.members:
        result = attack.results.get(each.id)
        bars[each.id] = None if result == "" else Bar("ME-X04" if result is None else "ME-X10", firm=True)
    side = {**offer("status", "check"), "card": everybody_had_card(game)}
    return choose("strike.next", DEFENDER, {**bars, **side, **FIXED, **NO_CHECK})


def faced(game: Game, kind: str) -> None:
    """ME-52: note the kind of an attack the company has faced, once."""
    if kind and kind not in game.company.faced:
        game.company.faced.append(kind)


def cancel(game: Game, attack: Attack) -> None:
    """ME-34, ME-52: nothing happens to the company, but it has faced the attack."""
    attack.beaten = False
    if rules.faced_when_cancelled():
        faced(game, attack.kind)
    numbers = {"kind": attack.kind, "hazards": game.company.hazards, "marshalling_points": 0}
    game.announce("attack-cancelled", numbers, False, "ME-33", "ME-34", "ME-52")


def close(game: Game, attack: Attack) -> Steps[None]:
    """ME-30 to ME-33: what became of the attack."""
    beaten = rules.defeated(attack.results.values())
    attack.beaten = attack.beaten and beaten
    gives = rules.gives_points(attack.source, attack.number, attack.of, attack.beaten)
    points = 0
    if gives:
        points = yield from number("attack.points", 0, 9, DEFENDER)
        game.last = (*game.last[:3], points)
        mine = rules.marshalling(game.marshalling[game.player], points)
        game.marshalling[game.player] = min(99, mine)
    result = "creature-defeated" if gives else "attack-defeated" if beaten else "attack-not-defeated"
    numbers = {
        "kind": attack.kind, "strikes": dict(attack.results), "defeated": beaten, "attack": attack.number,
        "of": attack.of, "unused_excess": attack.excess, "marshalling_points": points,
        "marshalling": dict(game.marshalling),
    }  # fmt: skip
    game.announce(result, numbers, gives, "ME-30", "ME-31" if gives else "ME-33")
