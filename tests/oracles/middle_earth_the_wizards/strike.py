"""One strike, from what the attacker does to it to what becomes of its target."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tests.oracles.middle_earth_the_wizards import rules
from tests.oracles.middle_earth_the_wizards.company import NO_CHECK, card, check, everybody_had_card, leaves, status
from tests.oracles.middle_earth_the_wizards.rules import EXCESS, HAZARDS, RESOURCES, STANCE, STAY, TAP, UNTAPPED
from tests.oracles.middle_earth_the_wizards.state import (
    ATTACKER,
    DEFENDER,
    TABLE,
    Attack,
    Bar,
    Game,
    Question,
    Steps,
    Strike,
    bar,
    choose,
    decide_number,
    number,
    offer,
    roll,
)

OUT_OF_STEP = "ME-X10"
HAZARD_VALUES = ("-1", "-2", "-3", "-4", "+1", "+2", "0", "strike", "none")
RESOURCE_VALUES = ("+1", "+2", "+3", "+4", "+5", "+6", "0", "strike", "none")
OUTCOMES = ("defeated", "not-defeated", "ineffectual", "wounded", "eliminated")


def strike(game: Game, attack: Attack, target: str) -> Steps[None]:
    """ME-21 to ME-25: one strike of an attack; taken back, its spare strikes are the attacker's again."""
    now = game.strike = Strike(target, attack.prowess, attack.body)
    with game.attempt():
        if rules.forced(game.force_excess, len(attack.unresolved)):
            now.excess = now.taken = attack.excess
            attack.excess = 0
        yield from resolve(game, now)
        now.taken = 0
    attack.excess += now.taken
    game.strike = None


# -- the attacker's part ------------------------------------------------------------------------------------------


def spare_left(game: Game) -> int:
    return game.attack.excess if game.attack else 0


def hazards_left(game: Game) -> int:
    return max(0, game.company.limit - game.company.hazards)


def hazard_bar(game: Game, now: Strike) -> Bar | None:
    late = OUT_OF_STEP if now.passed else rules.step_code(HAZARDS, now.stage)
    if game.alone:
        return bar(late)
    return bar(late or rules.hazard_code(game.company.hazards, game.company.limit))


def excess_bar(game: Game, now: Strike) -> Bar | None:
    late = OUT_OF_STEP if now.passed else rules.step_code(EXCESS, now.stage)
    if game.alone:
        return bar(late)
    return bar(late or rules.spare_code(1, spare_left(game)))


def attackers_part(game: Game, attack: Attack, now: Strike) -> Steps[None]:
    """Ask the attacker what he does to the strike."""

    def ask() -> Question:
        bars = {"hazard": hazard_bar(game, now), "excess": excess_bar(game, now), "card": everybody_had_card(game)}
        return choose("strike.attacker", ATTACKER, {**bars, **offer("none", "waive", "status", "check")})

    answer = yield ask
    if answer == "none":
        now.passed = True
    elif answer == "waive":
        attack.waived = True
    else:
        yield from attackers_step(game, now, answer)


def may_act(game: Game, attack: Attack, now: Strike) -> bool:
    """Whether there is something the attacker can still do and has not waived."""
    hazards = now.stage == HAZARDS and hazards_left(game) > 0
    return not (now.passed or attack.waived) and (hazards or (now.stage <= EXCESS and attack.excess > 0))


def attackers_step(game: Game, now: Strike, answer: str) -> Steps[None]:
    if answer == "status":
        yield from status(game)
    elif answer in {"check", "card"}:
        yield from (check if answer == "check" else card)(game)
    elif answer == "hazard":
        yield from hazard(game, now)
    elif answer == "excess":
        yield from put_excess(game, now)


def hazard(game: Game, now: Strike) -> Steps[None]:
    """ME-51: a hazard on the strike counts against the limit."""
    with game.attempt():
        value = yield choose("strike.hazard", ATTACKER, offer(*HAZARD_VALUES))
        if value == "none":
            return
        if value == "strike":
            yield from change_strike(now)
        else:
            now.hazards += int(value)
        if not game.alone:
            game.company.play()
        game.counted()


def put_excess(game: Game, now: Strike) -> Steps[None]:
    """ME-5: spare strikes on this target."""
    most = max(6, spare_left(game))
    codes = {} if game.alone else {n: rules.spare_code(n, spare_left(game)) for n in range(1, most + 1)}
    bars = {str(n): bar(code) for n, code in codes.items()}
    with game.attempt():
        put = yield from decide_number(Question("strike.excess", ATTACKER, "count", bars, low=1, high=most))
        now.stage = max(now.stage, EXCESS)
        now.excess += put
        if game.attack:
            taken = min(put, game.attack.excess)
            now.taken += taken
            game.attack.excess -= taken


def change_strike(now: Strike) -> Steps[None]:
    prowess = yield from number("strike.prowess", 0, 30)
    now.body = yield from number("strike.body", 0, 15)
    now.prowess = prowess


# -- the defender's part ------------------------------------------------------------------------------------------


def resolve(game: Game, now: Strike) -> Steps[None]:
    """Ask the defender until he throws or the strike is cancelled."""
    seat = TABLE if game.alone else DEFENDER
    while game.strike is now:
        game.go_on()
        if game.attack and may_act(game, game.attack, now):
            yield from attackers_part(game, game.attack, now)
            continue
        answer = yield lambda: choose("strike.step", seat, step_bars(game, now))
        if answer == "cancel":
            cancel(game, now)
            return
        if answer == TAP:
            now.stance = TAP
        if answer in {TAP, "throw"}:
            yield from throw(game, now)
            return
        yield from step(game, now, answer)


def step_bars(game: Game, now: Strike) -> dict[str, Bar | None]:
    untapped = game.target().status == UNTAPPED
    chosen = bool(now.stance)
    stay = bar(OUT_OF_STEP if chosen else rules.step_code(STANCE, now.stage))
    alone = Bar(OUT_OF_STEP, firm=True) if game.alone else None
    support = None if game.alone or supporters(game, now) else Bar("ME-X08")
    return {
        TAP: None if untapped and not chosen else Bar(OUT_OF_STEP, firm=True),
        STAY: stay or bar(rules.stay_code(game.target().status), firm=True),
        "throw": Bar(OUT_OF_STEP, firm=True) if untapped and not chosen else None,
        "support": support, "resource": None, "skill": bar(rules.skill_code(now.skills)),
        **offer("cancel", "status", "strike", "body"),
        "check": alone, "card": alone or everybody_had_card(game),
        "hazard": hazard_bar(game, now), "excess": excess_bar(game, now),
        "strikes": Bar("ME-X05", firm=True), "cancel-attack": Bar("ME-X13", firm=True), **NO_CHECK,
    }  # fmt: skip


def supporters(game: Game, now: Strike) -> list[str]:
    return [each.id for each in game.members if not support_code(game, now, each.id)]


def support_code(game: Game, now: Strike, id_: str) -> str | None:
    is_target = id_ == now.target or bool(game.attack and id_ in game.attack.results)
    return rules.support_code(game.member(id_).status, is_target)


def step(game: Game, now: Strike, answer: str) -> Steps[None]:
    if answer == STAY:
        now.stance, now.stage = STAY, max(now.stage, STANCE)
    elif answer == "support":
        yield from support(game, now)
    elif answer in {"resource", "skill"}:
        yield from resource(game, now, answer == "skill")
    elif answer == "strike":
        with game.attempt():
            yield from change_strike(now)
    elif answer == "body":
        with game.attempt():
            now.target_body = yield from number("strike.target-body", 1, 15)
    else:
        yield from attackers_step(game, now, answer)


def at_last_step(game: Game, now: Strike) -> None:
    """ME-21: who has not chosen by the last step taps."""
    if not now.stance and game.target().status == UNTAPPED:
        now.stance = TAP
    now.stage = RESOURCES


def support(game: Game, now: Strike) -> Steps[None]:
    """ME-14, A-ME4: a supporter taps at once."""
    with game.attempt():
        if game.alone:
            by = yield lambda: Question("strike.supporters", DEFENDER, "count", low=1, high=6)
        else:
            who = yield choose("strike.support", DEFENDER, support_bars(game, now))
            if who == "none":
                return
            game.member(who).status = rules.after_support(game.member(who).status)
            by = 1
        now.supporters += by
        at_last_step(game, now)
        game.counted()


def support_bars(game: Game, now: Strike) -> dict[str, Bar | None]:
    bars = {each.id: bar(support_code(game, now, each.id), firm=each.id == now.target) for each in game.members}
    return {**bars, "none": None, "outsider": Bar("ME-X08", firm=True)}


def resource(game: Game, now: Strike, skill: bool) -> Steps[None]:
    """ME-13: a resource on the strike."""
    with game.attempt():
        value = yield choose("strike.resource", DEFENDER, offer(*RESOURCE_VALUES))
        if value == "none":
            return
        if value == "strike":
            yield from change_strike(now)
        else:
            now.resources += int(value)
        now.skills += skill
        at_last_step(game, now)


# -- the throw ----------------------------------------------------------------------------------------------------


def prowess(game: Game, now: Strike) -> dict[str, int]:
    """Return what makes up the target's prowess."""
    target = game.target()
    parts = {
        "printed": target.prowess, "status": rules.of_status(target.status),
        "stays": rules.of_staying(target.status, now.stance), "hazards": rules.of_cards(now.hazards),
        "excess": rules.of_spare(now.excess), "supporters": rules.of_support(now.supporters),
        "resources": rules.of_cards(now.resources),
    }  # fmt: skip
    return {**parts, "modified": sum(parts.values())}


def body_of_target(game: Game, now: Strike) -> int:
    return now.target_body or game.target().body


def check_ways(game: Game, now: Strike, result: str, wounded: bool) -> dict[str, int]:
    """Return in how many throws of 36 a check after this outcome ends how; ``wounded``: the target was before."""
    if result == "successful":
        body = body_of_target(game, now)
        ends = ["eliminated" if rules.beats_character(throw, body, wounded) else "wounded" for throw in rules.THROWS]
    elif result == "fails" and rules.has_body(now.body):
        ends = ["defeated" if rules.beats_strike(throw, now.body) else "not-defeated" for throw in rules.THROWS]
    else:
        return {"defeated" if result == "fails" else "ineffectual": 36}
    return dict(rules.distribution([(end, 1) for end in ends]))


def odds(game: Game, now: Strike, modified: int, against: int, wounded: bool) -> dict[str, Fraction]:
    """Return the ways out of 36 to each end of a throw, its body check included."""
    ways = {end: Fraction() for end in OUTCOMES}
    for throw_ in rules.THROWS:
        for end, share in check_ways(game, now, rules.outcome(throw_ + modified, against), wounded).items():
            ways[end] += Fraction(share, 36)
    return ways


def cancel(game: Game, now: Strike) -> None:
    """ME-33: the strike is neither resolved nor defeated."""
    target = game.target()
    before = target.status
    target.status = rules.after_cancelled(before)
    note(game, now, "cancelled")
    numbers = {"target": now.target, "status": {"before": before, "after": target.status}}
    game.announce("cancelled", numbers, False, "ME-33")


def note(game: Game, now: Strike, result: str) -> None:
    if game.attack:
        game.attack.results[now.target] = result


def throw(game: Game, now: Strike) -> Steps[None]:
    """ME-22, ME-23: the defender's throw and what follows from it."""
    target, parts = game.target(), prowess(game, now)
    before, modified, against = target.status, parts["modified"], now.prowess
    wounded = before == rules.WOUNDED
    ways = odds(game, now, modified, against, wounded)
    faces = yield from roll(
        "strike.dice", DEFENDER, ways, lambda total: rules.outcome(total + modified, against) == "fails"
    )
    game.counted()
    total = sum(faces)
    result = rules.outcome(total + modified, against)
    end, check_numbers = yield from body_check(game, now, result, wounded)
    target.status = rules.after_strike(result, before, now.stance)
    note(game, now, end)
    changed = end in {"defeated", "eliminated"} or before != target.status
    numbers = {
        "target": now.target, "against": {"prowess": against, "body": now.body or None}, "prowess": parts,
        "strike": {"faces": list(faces), "total": total, "result": total + modified, "outcome": result},
        "status": {"before": before, "after": "out" if end == "eliminated" else target.status},
        "faces": check_numbers.get("faces") or list(faces), "total": check_numbers.get("total") or total,
        "odds": shares(ways, now),
        **({"check": check_numbers} if check_numbers else {}),
    }  # fmt: skip
    game.announce(end, numbers, changed, *basis(end))
    if end == "eliminated":
        leaves(game, target)


def body_check(game: Game, now: Strike, result: str, wounded: bool) -> Steps[tuple[str, dict[str, Any]]]:
    """ME-24, ME-25: throw the body check that is due after this outcome; return the end, and the check's numbers."""
    of_strike = result == "fails"
    if result == "ineffectual" or (of_strike and not rules.has_body(now.body)):
        return ("defeated" if of_strike else "ineffectual"), {}

    body = now.body if of_strike else body_of_target(game, now)

    def beats(total: int) -> bool:
        return rules.beats_strike(total, body) if of_strike else rules.beats_character(total, body, wounded)

    beaten, withstands = ("defeated", "not-defeated") if of_strike else ("eliminated", "wounded")
    key, of = ("strike.body", "strike") if of_strike else ("character.body", "character")
    faces: tuple[int, ...] = ()
    if beats(12):  # else no throw is enough, and none is asked for
        ways = rules.distribution([(beaten if beats(throw) else "survives", 1) for throw in rules.THROWS])
        faces = yield from roll(key, rules.checks(of_strike), ways, beats)
    was = wounded and not of_strike
    numbers = {"of": of, "faces": list(faces), "total": sum(faces), "wounded": was, "body": body}
    return (beaten if beats(sum(faces)) else withstands), numbers


def shares(ways: dict[str, Fraction], now: Strike) -> dict[str, str]:
    """Return the odds as they are written: in 36ths where that is exact."""
    written = {}
    for end, share in ways.items():
        if end != "not-defeated" or rules.has_body(now.body):
            written[end] = f"{share}/36" if share.denominator == 1 else str(share / 36)
    return written


def basis(end: str) -> tuple[str, ...]:
    """Return the rules an end rests on."""
    if end in {"wounded", "eliminated"}:
        return ("ME-23", "ME-25")
    return ("ME-22", "ME-23") if end == "ineffectual" else ("ME-22", "ME-23", "ME-24")
