"""An attack: changes before its strikes, strike after strike, and the result."""

from __future__ import annotations

from collections import Counter
from functools import partial

from referee.games.the_wizards import strike as one
from referee.games.the_wizards.assign import ALWAYS, NO_MORE, assign, change_attack
from referee.games.the_wizards.card import KINDS, declare
from referee.games.the_wizards.edit import edit_status
from referee.games.the_wizards.state import ATTACK_LIMITS, DEFENDER, MOST_TOLD, Attack, WizardsGame
from referee.games.the_wizards.steps import LATE_ENTRIES, LIMIT, NO_CHECK
from referee.games.the_wizards.words import STATUS, people, strikes, values
from referee.rulebook import Attempt, Bar, Choose, Options, Procedure, Ruling, section

CHANGES = Options(
    (
        ("assign", "Assign strikes", "Assign"),
        ("strikes", "Number of strikes", "Strikes"),
        ("prowess", "Prowess of strikes", "Prowess"),
        ("cancel-attack", "Cancel attack", "Cancel"),
        STATUS,
        ("hazard", "Another hazard", "Hazard"),
        ("by-attacker", "Attacker assigns all", "His pick"),
        ("body-check", "Body check"),
    )
)
RESOLVED = Bar("ME-X10", "That strike is resolved", firm=True)


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


@section("ME-30", "ME-31", "ME-32", "ME-33", title="Attack")
def one_attack(game: WizardsGame) -> Procedure[None]:
    """Changes, targets, strike after strike, result."""
    if not (yield from changes(game)) or not (yield from assign(game)):
        cancel(game)
        return
    if not (yield from resolve(game)):
        cancel(game)
        return
    result(game)


@section("ME-6", "ME-34", "ME-51", "ME-52", title="Before the strikes")
def changes(game: WizardsGame) -> Procedure[bool]:
    """Either side's cards on strikes and prowess; return False if the attack is cancelled."""
    faced = ", ".join(KINDS.by_id[kind].text for kind in game.faced)
    notes = (("ME-52", f"Faced before: {faced}"),) if faced else ()
    if game.foe.kind not in game.faced:
        game.faced.append(game.foe.kind)
    while True:
        change = yield Choose(
            "attack.changes",
            f"{strikes(game.foe.strikes)} at {values(game.foe.prowess, game.foe.body)}: any change?",
            CHANGES,
            partial(_bar_change, game),
            default="assign",
            rule="ME-6",
            head=f"{game.foe.strikes}x {values(game.foe.prowess, game.foe.body)}",
            tag="he picks" if game.foe.by_attacker else "changes?",
            notes=notes,
        )
        if change == "assign":
            return True
        if change == "cancel-attack":
            return False
        if change == "hazard":
            game.play_hazard()
        elif change == "by-attacker":
            game.foe.by_attacker = not game.foe.by_attacker
        else:
            with Attempt(game):
                yield from edit_status(game) if change == "status" else change_attack(game, change)


def _bar_change(game: WizardsGame, change: str) -> Bar | None:
    if change == "hazard" and game.hazards >= game.company.limit:
        return LIMIT
    return NO_CHECK if change == "body-check" else None


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
            game.foe.excess = min(ATTACK_LIMITS["excess"].high, game.foe.excess + game.blow.taken)
            game.strike = None
    return True


def open_strikes(game: WizardsGame) -> list[str]:
    """Return the targets whose strikes are not resolved."""
    return [who for who, ended in game.foe.results.items() if not ended]


def bar_next(game: WizardsGame, who: str) -> Bar | None:
    """Return why a strike cannot be resolved next: X05, X13, X14, then X10 for one that is over, X04 for none."""
    if who == "status":
        return None
    if who in LATE_ENTRIES:
        return LATE_ENTRIES[who]
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
    game.pile = min(MOST_TOLD, game.pile + points)
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
