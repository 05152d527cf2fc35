"""An attack: changes before its strikes, strike after strike, and the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial

from referee.games.the_wizards import strike as one
from referee.games.the_wizards.declare import KINDS, assign, change_attack, declare, enter_kind
from referee.games.the_wizards.state import MARSHALLING, NAMES, SHORT_NAMES, Attack, Strike, WizardsGame, within
from referee.games.the_wizards.steps import ANYTIME, CARD, CHECK, STATUS, happens
from referee.games.the_wizards.tables import ask_number, numbers, strikes, values
from referee.rulebook import (
    Attempt,
    Bar,
    Bundle,
    Choose,
    Options,
    Procedure,
    Reason,
    Ruling,
    Short,
    joined,
    phrase,
    section,
)
from referee.rulebook.asks import Notes

BEFORE = Options(
    (
        ("assign", "Assign strikes", "Assign"),
        ("strikes", "Number of strikes", "Strikes"),
        ("prowess", "Prowess of strikes", "Prowess"),
        ("cancel-attack", "Cancel attack", "Cancel"),
        STATUS,
        ("hazard", "Another hazard", "Hazard"),
        ("by-attacker", "Attacker assigns all", "Attacker"),
        ("kind", "Kind of attack", "Kind"),
        ("body", "Body of strikes", "Body"),
        CHECK,
        CARD,
    )
)
NO_STRIKES = (Bundle("no-strikes", "No strikes: the attack ends", ("assign",), "Ends", instead="assign"),)


@section("ME-1", "ME-51", "ME-53", title="Attack", lasting=True)
def attack(game: WizardsGame) -> Procedure[None]:
    """One card: all its attacks, one after the other."""
    with Attempt(game):
        yield from declare(game)
    if game.attack is None:
        return
    while True:
        yield from one_attack(game)
        last = game.current_attack
        if last.number >= last.of or not game.members:
            break
        card = (last.source, last.kind, last.strikes, last.prowess, last.body)
        game.attack = Attack(*card, last.number + 1, last.of, last.by_attacker, beaten=last.beaten)
    game.attack = None


@section("ME-30", "ME-31", "ME-32", "ME-33", title="Attack")
def one_attack(game: WizardsGame) -> Procedure[None]:
    """Changes, targets, strike after strike, result."""
    going = yield from before_strikes(game)
    face(game)
    if going and (yield from assign(game)) and (yield from resolve(game)):
        yield from result(game)
    else:
        cancel(game)


def face(game: WizardsGame) -> None:
    """Record the kind of attack the company has faced, where it was entered; a cancelled one counts (ME-52)."""
    kind, faced = game.current_attack.kind, game.company.faced
    if kind and kind not in faced:
        faced.append(kind)


@section("ME-6", "ME-34", "ME-51", "ME-52", title="Before the strikes")
def before_strikes(game: WizardsGame) -> Procedure[bool]:
    """Either side's cards on the attack as a whole; return False if it is cancelled."""
    while game.members:
        game.go_on()
        change = yield lambda: Choose(
            "attack.changes",
            phrase("{} at {}: any change?", strikes(game.current_attack.strikes), described(game)),
            BEFORE,
            game.bar_anytime,
            default="assign" if game.current_attack.strikes else "strikes",
            rule="ME-6",
            head=phrase(Short("{}x {}", "Attack"), game.current_attack.strikes, described(game)),
            tag="attacker" if game.current_attack.by_attacker else "changes?",
            notes=faced_before(game),
            bundles=lambda: () if game.current_attack.strikes else NO_STRIKES,
        )
        if change in ("assign", "cancel-attack"):
            return bool(change == "assign")
        if change == "hazard":
            game.play_hazard()
        elif change == "by-attacker":
            game.current_attack.by_attacker = not game.current_attack.by_attacker
        elif change in ANYTIME:
            yield from happens(game, change)
        else:
            with Attempt(game):
                yield from enter_kind(game) if change == "kind" else change_attack(game, change)
    return True


def described(game: WizardsGame) -> str:
    """Return prowess and body of the strikes: "7/-"."""
    return values(game.current_attack.prowess, game.current_attack.body)


def faced_before(game: WizardsGame) -> Notes:
    """Return which kinds of attack the company has faced this turn, as far as they were entered (ME-52)."""
    faced = ", ".join(KINDS.by_id[kind].text for kind in game.company.faced)
    return (("ME-52", f"Faced before: {faced}"),) if faced else ()


@section("ME-20", title="Strikes")
def resolve(game: WizardsGame) -> Procedure[bool]:
    """Strike after strike in the order the defender likes; the last one needs no choice."""
    while still := open_strikes(game):
        target = still[0]
        if len(still) > 1:
            text, among = "Whose strike is resolved next?", game.people(STATUS, CHECK, CARD)
            head, tag = phrase(Short("Next v {}", "Against {}"), described(game)), f"{len(still)} left"
            bar, seat = partial(bar_next, game), game.defender
            target = yield Choose(
                "strike.next", text, among, bar, default=target, seat=seat, rule="ME-20", head=head, tag=tag
            )
            if target in ANYTIME:
                yield from happens(game, target)
                continue
        yield from one_strike(game, target, last=len(still) == 1)
    return True


@section("ME-21", title="Strike")
def one_strike(game: WizardsGame, target: str, *, last: bool) -> Procedure[None]:
    """Resolve one strike; one that is dropped gives back what it took of the spare strikes."""
    attack = game.current_attack
    game.strike = Strike(target, attack.prowess, attack.body)
    if game.force_excess and last and attack.excess:
        one.put_excess(game, attack.excess)
        game.current_strike.stage = 0
    with Attempt(game):
        yield from one.settle_strike(game)
    if game.strike is not None:
        attack = game.current_attack
        attack.excess += game.strike.taken
        game.strike = None


def open_strikes(game: WizardsGame) -> list[str]:
    """Return the ids of the targets whose strikes are not resolved, in the order in which they were named."""
    return [who for who, ended in game.current_attack.results.items() if not ended]


def bar_next(game: WizardsGame, answer: str) -> Bar | None:
    """Return why a strike cannot be resolved next: X10 for one that is over, X04 for none."""
    if answer in ANYTIME:
        return game.bar_anytime(answer)
    name = game.find(answer).name
    if answer not in game.current_attack.results:
        return Bar("ME-X04", f"{name} has no strike of this attack", firm=True)
    if game.current_attack.results[answer]:
        return Bar("ME-X10", f"The strike on {name} is resolved", firm=True)
    return None


NO_EFFECT = Short("No effect; faced, not defeated", "The attack has no effect: it was faced, but is not defeated")
HAZARDS = Short("Hazards {} of {}", "{} of {} hazards are played")


def cancel(game: WizardsGame) -> None:
    """A cancelled attack does nothing to the company and is not defeated, but it was faced (ME-33, ME-34)."""
    game.current_attack.beaten = False
    faced, headline = list(game.company.faced), Short("Cancelled", "The attack is cancelled")
    data = {"kind": game.current_attack.kind, "hazards": game.hazards, "faced": faced, "marshalling_points": 0}
    rules, hazards = ("ME-33", "ME-34", "ME-52"), phrase(HAZARDS, game.hazards, game.company.limit)
    why = (("ME-34", NO_EFFECT), hazards)
    game.rule(Ruling("attack-cancelled", headline, rules, why, data, changed=False, foot=game.status()))


WORDS = {
    "defeated": ("defeated", "was defeated", "were defeated"),
    "not-defeated": ("fended off", "was fended off", "were fended off"),
    "ineffectual": ("tied", "was tied", "were tied"),
    "wounded": ("wounded", "has wounded its target", "have wounded their targets"),
    "eliminated": ("eliminated", "has eliminated its target", "have eliminated their targets"),
    "cancelled": ("cancelled", "was cancelled", "were cancelled"),
    "no-target": ("without target", "had no target", "had no target"),
}
"""What became of a strike: in short, and told of one and of several."""
UNUSED = Short("{} to spare{}, not used", "{} to spare{} not used")
NO_STRIKE = Short("No strike", "There was no strike")
NO_POINTS = Short("No marshalling points", "There are no marshalling points for it")


def told(ended: Mapping[str, int]) -> Short:
    """Write what became of the strikes, by result.

    >>> some = told({"defeated": 2, "wounded": 1})
    >>> str(some), some.whole
    ('2 defeated, 1 wounded', '2 strikes were defeated, 1 has wounded its target')
    """
    there = [(many, *WORDS[key]) for key, many in ended.items() if many]
    parts = [Short(f"{many} {short}", f"{many} {one if many == 1 else more}") for many, short, one, more in there]
    if not parts:
        return NO_STRIKE
    line, many = joined(", ", parts), there[0][0]
    return Short(line, line.whole.replace(f"{many} ", f"{strikes(many)} ", 1))


@section("ME-30", "ME-31", "ME-32", title="Result")
def result(game: WizardsGame) -> Procedure[None]:
    """Say whether the attack is defeated; a creature all of whose attacks are gives the points of its card."""
    attack = game.current_attack
    defeated = set(attack.results.values()) == {"defeated"}
    attack.beaten = attack.beaten and defeated
    if not (attack.beaten and attack.source == "creature" and attack.number == attack.of):
        game.rule(_ruling(game, "attack-defeated" if defeated else "attack-not-defeated", 0, NO_POINTS))
        return
    text = f"{NAMES[game.player]} takes the creature. How many marshalling points does it give?"
    text, now, seat = Short("MPs of the creature?", text), game.last.points, game.defender
    points = int((yield ask_number("attack.points", text, CARD_POINTS, now, "ME-31", "Creature", "MPs", seat)))
    owner, before = SHORT_NAMES[game.player], game.marshalling[game.player]
    game.last.points = points
    game.marshalling[game.player] = within(MARSHALLING, before + points)
    game.rule(_ruling(game, "creature-defeated", points, phrase(GETS, owner, points, game.marshalling[game.player])))


CARD_POINTS = numbers(0, 9)
GETS = Short("{0} +{1} MP, now {2}", "{0} gets {1} and has {2} marshalling points now")
HEADLINES = {
    "creature-defeated": Short("Creature out", "The creature is defeated"),
    "attack-defeated": Short("All defeated", "The attack is defeated"),
    "attack-not-defeated": Short("Not defeated", "The attack is not defeated"),
}


def _ruling(game: WizardsGame, name: str, points: int, line: str) -> Ruling:
    attack = game.current_attack
    ended = Counter(attack.results.values())
    gives = name == "creature-defeated"
    rule = "ME-31" if gives else "ME-33"
    why: list[Reason] = [("ME-30", told({key: ended[key] for key in WORDS})), (rule, line)]
    if attack.excess:
        why.append(phrase(UNUSED, strikes(attack.excess), Short("", " was" if attack.excess == 1 else " were")))
    data = {
        "kind": attack.kind,
        "strikes": dict(attack.results),
        "defeated": name != "attack-not-defeated",
        "attack": attack.number,
        "of": attack.of,
        "unused_excess": attack.excess,
        "marshalling_points": points,
        "marshalling": dict(game.marshalling),
    }
    foot = line if gives else f"{ended['defeated']} of {len(attack.results)} defeated"
    return Ruling(name, HEADLINES[name], ("ME-30", rule), tuple(why), data, changed=gives, foot=foot)
