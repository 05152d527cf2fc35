"""An attack: what its card says, changes before the strikes are assigned, who takes which, and the result."""

from __future__ import annotations

from collections import Counter
from functools import partial

from referee.games.the_wizards import strike as one
from referee.games.the_wizards.edit import edit_status
from referee.games.the_wizards.state import ATTACKER, DEFENDER, Attack, Card, WizardsGame
from referee.games.the_wizards.strike import BODIES, CANCEL_STRIKE, LIMIT, NO_CHECK, STRIKES_FIXED
from referee.games.the_wizards.strikes import UNTAPPED
from referee.games.the_wizards.words import STATUS, numbers, people, values
from referee.rulebook import Attempt, Bar, Bundle, Choose, Option, Options, Procedure, Ruling, section

SOURCES = Options(
    (
        ("creature", "Creature"),
        ("automatic-attack", "Automatic-attack", "Automatic"),
        ("creature-again", "Creature, more attacks", "Creature 2+"),
        ("hazard", "Other hazard", "Hazard"),
        ("other", "Other card", "Other card"),
    )
)
HAZARD_CARDS = ("creature", "creature-again", "hazard")
KINDS = Options(
    (
        ("orc", "Orcs"),
        ("troll", "Trolls"),
        ("wolf", "Wolves"),
        ("undead", "Undead"),
        ("other", "Other"),
        ("man", "Men"),
        ("giant", "Giant"),
        ("spider", "Spiders"),
        ("dragon", "Dragon"),
        ("animal", "Animals"),
    )
)
PRINTED = {
    "orc-warband": ("Orc-warband", "Warband", ("creature", "orc", "5", "4", "0")),
    "giant": ("Giant", "Giant", ("creature", "giant", "1", "13", "0")),
}
"""Creatures the rules print with their values: strikes, prowess, body 0 for "-"."""

CHANGES = Options(
    (
        ("assign", "Assign strikes", "Assign"),
        ("strikes", "Number of strikes", "Strikes"),
        ("prowess", "Prowess of strikes", "Prowess"),
        ("cancel-attack", "Cancel attack", "Cancel"),
        STATUS,
        ("by-attacker", "Attacker assigns all", "He assigns"),
        ("body-check", "Body check"),
    )
)
ALWAYS = (
    STATUS,
    Option("strikes", "Number of strikes", "Strikes"),
    Option("cancel-attack", "Cancel attack", "Cancel"),
    Option("body-check", "Body check"),
)
LEAVE_REST = Option("done", "Leave the rest", "Leave")

TAKEN = Bar("ME-X03", "Has a strike of this attack already", firm=True)
NO_MORE = Bar("ME-X04", "The attack has no more strikes", firm=True, aside=True)
NOT_UNTAPPED = Bar("ME-X02", "The defender gives strikes to the untapped only")
RESOLVED = Bar("ME-X10", "That strike is resolved", firm=True, aside=True)
NOTES = (("ME-53", "What it is keyed to decides what cancels it"),)


@section("ME-1", "ME-51", "ME-53", title="Attack")
def attack(game: WizardsGame) -> Procedure[None]:
    """One card: all its attacks, one after the other."""
    with Attempt(game):
        yield from declare(game)
    if game.attack is None:
        return
    while True:
        yield from one_attack(game)
        if game.foe.number >= game.foe.of or not game.members:
            break
        last = game.foe
        game.attack = Attack(
            last.source, last.kind, last.strikes, last.prowess, last.body,
            last.number + 1, last.of, last.by_attacker, beaten=last.beaten,
        )  # fmt: skip
    game.attack = None


@section("ME-1", "ME-2", "ME-50", title="Card")
def declare(game: WizardsGame) -> Procedure[None]:
    """What the card says: strikes, prowess, body. Nothing is counted before all of it is known."""
    game.attack = None
    source = yield Choose(
        "attack.source",
        "What attacks?",
        SOURCES,
        partial(bar_source, game),
        rule="ME-1",
        head="Attack",
        tag=f"{game.hazards}/{game.company.limit}",
        notes=NOTES,
        bundles=partial(cards, game),
    )
    game.card = Card(source)
    if source == "creature-again":
        attacks = yield Choose(
            "attack.attacks",
            "How many attacks has the card?",
            numbers(2, 7),
            rule="ME-32",
            head="Attack",
            tag="attacks",
        )
        game.entry.points = int(attacks)
    game.card.kind = yield Choose("attack.kind", "Of what kind?", KINDS, rule="ME-52", head="Attack", tag="kind")
    yield from printed_values(game)
    game.counted()
    card = game.last = game.card
    counts = card.source in HAZARD_CARDS
    game.attack = Attack(
        "creature" if card.source == "creature-again" else card.source,
        card.kind,
        card.strikes,
        card.prowess,
        card.body,
        of=game.entry.points if card.source == "creature-again" else 1,
    )
    game.hazards += counts


@section("ME-2", title="Strikes of the card")
def printed_values(game: WizardsGame) -> Procedure[None]:
    """Number of strikes, prowess and body; the last card's stand under the encoder."""
    last = game.last
    answer = yield Choose(
        "attack.strikes", "How many strikes?", numbers(1, 15), default=str(last.strikes or 1), rule="ME-2",
        head="Attack", tag="strikes",
    )  # fmt: skip
    game.card.strikes = int(answer)
    answer = yield Choose(
        "attack.prowess", "Prowess of a strike?", numbers(1, 25), default=str(last.prowess or 8), rule="ME-22",
        head="Attack", tag="prowess",
    )  # fmt: skip
    game.card.prowess = int(answer)
    answer = yield Choose(
        "attack.body", "Body of a strike?", BODIES, default=str(last.body), rule="ME-24", head="Attack", tag="body"
    )
    game.card.body = int(answer)


def bar_source(game: WizardsGame, source: str) -> Bar | None:
    """Return ME-X01 for a hazard beyond the limit."""
    return LIMIT if source in HAZARD_CARDS and game.hazards >= game.company.limit else None


def cards(game: WizardsGame) -> tuple[Bundle, ...]:
    """Offer the last card again, then the creatures the rules print."""
    found = []
    last = game.last
    if last.strikes and last.source != "creature-again" and bar_source(game, last.source) is None:
        answers = (last.source, last.kind, str(last.strikes), str(last.prowess), str(last.body))
        text = f"{KINDS.by_id[last.kind].text} {last.strikes}x {values(last.prowess, last.body)}"
        found.append(Bundle("same-again", text, answers, "Again"))
    if bar_source(game, "creature") is None:
        found += [Bundle(name, text, answers, short) for name, (text, short, answers) in PRINTED.items()]
    return tuple(found)


@section("ME-6", "ME-33", "ME-52", title="Attack")
def one_attack(game: WizardsGame) -> Procedure[None]:
    """Changes, targets, strike after strike, result."""
    if not (yield from changes(game)) or not (yield from assign(game)):
        cancel(game)
        return
    if not (yield from resolve(game)):
        cancel(game)
        return
    result(game)


@section("ME-6", "ME-34", "ME-52", title="Before the strikes")
def changes(game: WizardsGame) -> Procedure[bool]:
    """Either side's cards on strikes and prowess; return False if the attack is cancelled."""
    faced = ", ".join(KINDS.by_id[kind].text for kind in game.faced)
    notes = (("ME-52", f"Faced before: {faced}"),) if faced else ()
    if game.foe.kind not in game.faced:
        game.faced.append(game.foe.kind)
    while True:
        change = yield Choose(
            "attack.changes",
            f"{game.foe.strikes} strikes at {values(game.foe.prowess, game.foe.body)}: any change?",
            CHANGES,
            _bar_change,
            default="assign",
            rule="ME-6",
            head=f"{game.foe.strikes}x {values(game.foe.prowess, game.foe.body)}",
            tag="changes?",
            notes=notes,
        )
        if change == "assign":
            return True
        if change == "cancel-attack":
            return False
        with Attempt(game):
            if change == "status":
                yield from edit_status(game)
            elif change == "by-attacker":
                game.foe.by_attacker = not game.foe.by_attacker
            else:
                yield from change_attack(game, change)


def _bar_change(change: str) -> Bar | None:
    return NO_CHECK if change == "body-check" else None


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


@section("ME-2", "ME-3", "ME-4", "ME-5", title="Assigning strikes")
def assign(game: WizardsGame) -> Procedure[bool]:
    """First the defender, then the attacker; return False if the attack is cancelled after all."""
    while game.unassigned and not forced(game) and not game.foe.by_attacker:
        if not any(bar_defender(game, c.id) is None for c in game.members):
            break
        who = yield Choose(
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
        if who == "done":
            break
        if not (yield from assigned(game, who)):
            return False
    while game.unassigned and not forced(game):
        who = yield Choose(
            "assign.attacker",
            f"Who is attacked? {game.unassigned} strikes left",
            people(game, *ALWAYS),
            partial(bar_attacker, game),
            seat=ATTACKER,
            rule="ME-4",
            head=f"{game.unassigned} of {game.foe.strikes}",
            tag="on whom?",
        )
        if not (yield from assigned(game, who)):
            return False
    lock(game)
    if forced(game):
        for member in game.members:
            game.foe.results.setdefault(member.id, "")
    return True


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


@section("ME-3", "ME-4", "ME-6", title="Target")
def assigned(game: WizardsGame, who: str) -> Procedure[bool]:
    """Give a strike to a target, or do what else was said; return False for a cancelled attack."""
    if who == "cancel-attack":
        return False
    if who in ("status", "strikes"):
        with Attempt(game):
            yield from edit_status(game) if who == "status" else change_attack(game, who)
        return True
    lock(game)
    game.foe.results[who] = ""
    return True


def bar_attacker(game: WizardsGame, who: str) -> Bar | None:
    """Return why a strike cannot go there: X05, X13 and X14 for what is too late, then X04, X03."""
    if who in ("done", "status"):
        return None
    if who in LATE:
        return LATE[who] if game.foe.locked or who == "body-check" else None
    if not game.unassigned:
        return NO_MORE
    return TAKEN if who in game.foe.results else None


LATE = {"strikes": STRIKES_FIXED, "cancel-attack": CANCEL_STRIKE, "body-check": NO_CHECK}


def bar_defender(game: WizardsGame, who: str) -> Bar | None:
    """Return the same, and X02 for whoever is not untapped."""
    found = bar_attacker(game, who)
    if found is not None or who == "done" or who == "status" or who in LATE:
        return found
    return None if game.find(who).status == UNTAPPED else NOT_UNTAPPED


@section("ME-20", title="Strikes")
def resolve(game: WizardsGame) -> Procedure[bool]:
    """Strike after strike, as the defender likes; the last one needs no choice."""
    while still := open_strikes(game):
        if len(still) > 1:
            target = yield Choose(
                "strike.next",
                "Whose strike is resolved next?",
                people(game, *ALWAYS),
                partial(bar_next, game),
                seat=DEFENDER,
                rule="ME-20",
                head=f"{values(game.foe.prowess, game.foe.body)}",
                tag=f"{len(still)} strikes",
            )
            if target == "status":
                with Attempt(game):
                    yield from edit_status(game)
                continue
            if target == "cancel-attack":
                return False
        else:
            target = still[0]
        one.begin(game, target, game.foe.prowess, game.foe.body)
        if game.force_excess and len(still) == 1 and game.foe.excess:
            one.put_excess(game, game.foe.excess)
            game.blow.stage = 1
        with Attempt(game):
            yield from one.settle_strike(game)
        if game.strike is not None:
            game.foe.excess += game.blow.excess
            game.strike = None
    return True


def open_strikes(game: WizardsGame) -> list[str]:
    """Return the targets whose strikes are not resolved."""
    return [who for who, ended in game.foe.results.items() if not ended]


def bar_next(game: WizardsGame, who: str) -> Bar | None:
    """Return why a strike cannot be resolved next: X05, X13, X14, then X10 for one that is over, X04 for none."""
    if who == "status":
        return None
    if who in LATE:
        return LATE[who]
    if who not in game.foe.results:
        return NO_MORE
    return RESOLVED if game.foe.results[who] else None


def cancel(game: WizardsGame) -> None:
    """A cancelled attack does nothing to the company and is not defeated, but it was faced (ME-33, ME-34)."""
    game.foe.beaten = False
    game.rule(
        Ruling(
            "attack-cancelled",
            "Cancelled",
            ("ME-33", "ME-34", "ME-52"),
            ("No effect; faced, not defeated", f"Hazards {game.hazards} of {game.company.limit}"),
            {"kind": game.foe.kind, "hazards": game.hazards, "faced": list(game.faced), "marshalling_points": False},
            changed=False,
            foot=f"Haz {game.hazards}/{game.company.limit}",
        )
    )


WORDS = {
    "defeated": "defeated",
    "not-defeated": "fended off",
    "ineffectual": "tied",
    "wounded": "wounded",
    "eliminated": "eliminated",
    "cancelled": "cancelled",
}


def result(game: WizardsGame) -> None:
    """Say whether the attack is defeated, and whether the creature goes to the pile (ME-30 to ME-33)."""
    foe = game.foe
    ended = Counter(foe.results.values())
    defeated = bool(foe.results) and set(foe.results.values()) == {"defeated"}
    foe.beaten = foe.beaten and defeated
    points = foe.beaten and foe.source == "creature" and foe.number == foe.of
    game.pile += points
    name = "creature-defeated" if points else "attack-defeated" if defeated else "attack-not-defeated"
    counts = tuple(f"{ended[key]} {word}" for key, word in WORDS.items() if ended[key])
    game.rule(
        Ruling(
            name,
            "Take MPs" if points else "Defeated" if defeated else "Not beaten",
            ("ME-30", "ME-31" if points else "ME-33"),
            (", ".join(counts) or "No strike", "Creature to the defender's pile" if points else "No points"),
            {
                "kind": foe.kind,
                "strikes": dict(foe.results),
                "defeated": defeated,
                "attack": foe.number,
                "of": foe.of,
                "marshalling_points": points,
                "pile": game.pile,
            },
            changed=points,
            foot=f"{ended['defeated']} of {len(foe.results)} out",
        )
    )
