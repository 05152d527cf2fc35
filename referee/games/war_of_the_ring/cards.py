"""Step 1: Combat cards are declared, attacker first, and what they do is entered."""

from __future__ import annotations

from functools import partial

from referee.games.war_of_the_ring.state import MOST_ADDED, MOST_TOLD, Effect, WarGame
from referee.games.war_of_the_ring.steps import leaving, other_step, with_steps
from referee.games.war_of_the_ring.tables import NOT_MET, OTHER, SEATS, SIDES
from referee.rulebook import YES_NO, Attempt, Bar, Bundle, Choose, Count, Options, Procedure, section

DECLARED = Options((("none", "No card", "No card"), ("card", "Combat card", "Card")))
DECLARE = with_steps(DECLARED)
DOES = Options(
    (
        ("modifier", "Add to dice", "Add"),
        ("forfeit", "Forfeit own Leadership", "Forfeit"),
        ("attack-before", "Attack before the Combat roll", "Att.bef."),
        ("attack-after", "Attack after the casualties", "Att.aft."),
        ("done", "That is all", "Done"),
        ("cancel", "Cancel enemy Leadership", "Cancel"),
        ("retreat", "Retreat before the Combat roll", "Retreat"),
        ("number", "Another number to hit", "Number"),
        ("hits", "Automatic hits", "Hits"),
    )
)
DICE = Options(
    (
        ("own-combat", "Own Combat roll", "Roll"),
        ("own-reroll", "Own Leader re-roll", "Re-roll"),
        ("own-both", "Own roll and re-roll", "Both"),
        ("enemy-combat", "Enemy Combat roll", "Foe roll"),
        ("enemy-reroll", "Enemy Leader re-roll", "Foe re-r"),
        ("enemy-both", "Enemy roll and re-roll", "Foe both"),
    )
)
TIMED = ("forfeit", "attack-before", "attack-after", "cancel", "retreat")
CARD_NOTES = (
    ("WR-4", "Cards are picked in secret and revealed together; the back may be seen"),
    ("WR-5", "A card's effect lasts this round only, unless it says otherwise"),
)
REQUIREMENT_NOTES = (("WR-9", "What stands in bold on the card must be met"),)
EFFECT_NOTES = (("WR-10", "A figure whose Leadership is forfeited does not count for it in this round"),)
CLASHES = (("retreat", "attack-before"), ("forfeit", "cancel"), ("attack-after",))
"""Effects of two cards whose order can matter."""


@section("WR-2", "WR-3", "WR-4", title="Combat cards")
def combat_cards(game: WarGame) -> Procedure[None]:
    """Each player may play one card. Both declare, the attacker first; only then is told what the cards do.

    A card that is taken back while it is being entered leaves its player to declare again.
    """
    while True:
        undeclared = next((side for side in SIDES if not game.armies[side].card), "")
        picked = next((side for side in SIDES if game.armies[side].card == "picked"), "")
        if undeclared:
            declared = yield declaration(game, undeclared)
            game.armies[undeclared].card = "picked" if declared == "card" else "none"
        elif picked:
            with Attempt(game):
                yield from card(game, picked)
                game.armies[picked].card = "played"
            game.draft = []
            if game.armies[picked].card != "played":
                game.armies[picked].card = ""
        else:
            break
    yield from order(game)


def declaration(game: WarGame, side: str) -> Choose:
    """Return the question whether a player plays a card; the first offers that nobody does."""
    first = side == "attacker" and not game.armies["defender"].card
    return Choose(
        f"cards.{side}",
        f"{SEATS[game.seat_of(side)]}: a Combat card?",
        DECLARE,
        partial(bar_declared, game),
        default="no-cards" if first else "none",
        seat=game.seat_of(side),
        rule="WR-3",
        head=f"{game.short(side)}: card?",
        tag=f"rd {game.round}",
        notes=CARD_NOTES,
        bundles=no_cards if first else None,
    )


def no_cards() -> tuple[Bundle, ...]:
    """Offer that nobody plays a card."""
    return (Bundle("no-cards", "Nobody plays one", ("none", "none"), "None"),)


def bar_declared(game: WarGame, entry: str) -> Bar | None:
    """Return why an entry does not belong to the declaration of cards: X09, X14."""
    if entry in DECLARED.by_id:
        return None
    return leaving(game) if entry == "siege" and not game.armies["attacker"].card else other_step(game, entry)


@section("WR-9", title="Combat card")
def card(game: WarGame, side: str) -> Procedure[None]:
    """Its requirement, then its effects one after the other; Back drops the card as long as it is being entered."""
    seat, head = game.seat_of(side), f"{game.short(side)} card"
    yield Choose(
        "card.requirement",
        "Is its bold requirement met?",
        YES_NO,
        bar_requirement,
        default="yes",
        seat=seat,
        rule="WR-9",
        head=head,
        tag="met?",
        notes=REQUIREMENT_NOTES,
    )
    while True:
        does = yield Choose(
            "card.effect",
            "What does the card do?",
            DOES,
            default="done" if game.draft else "modifier",
            passing="done",
            seat=seat,
            rule="WR-24",
            head=head,
            tag="does",
            notes=EFFECT_NOTES,
        )
        if does == "done":
            break
        if does in TIMED:
            game.draft.append(Effect(side, does))
        else:
            yield from change(game, side, does)
    game.counted()
    for effect in game.draft:
        if effect.kind in TIMED:
            game.effects.append(effect)
        else:
            apply(game, effect)


def bar_requirement(answer: str) -> Bar | None:
    """Return WR-X16 for a requirement that is not met."""
    return NOT_MET if answer == "no" else None


@section("WR-24", "WR-25", title="Modifier")
def change(game: WarGame, side: str, what: str) -> Procedure[None]:
    """Whose dice, which roll, and how much; or automatic hits."""
    seat, head = game.seat_of(side), f"{game.short(side)} card"
    dice = ""
    if what != "hits":
        dice = yield Choose("card.dice", "Which dice?", DICE, seat=seat, rule="WR-25", head=head, tag="which?")
    value = yield amount(what, dice, seat, head)
    game.draft.append(Effect(side, what, dice, value))


def amount(what: str, dice: str, seat: str, head: str) -> Count:
    """Return the question for automatic hits, another number to hit, or a modifier."""
    if what == "hits":
        return Count(
            "card.hits", "How many automatic hits?", 1, 6, unit="hits", seat=seat, rule="WR-31", head=head, tag="hits"
        )
    if what == "number":
        return Count(
            "card.number", "They hit on?", 4, 6, unit="or more", seat=seat, rule="WR-21", head=head, tag="hits on"
        )
    return Count(
        "card.amount",
        "Add how much to each die?",
        -5,
        5,
        default=1 if dice.startswith("own") else -1,
        unit="to each die",
        seat=seat,
        rule="WR-24",
        head=head,
        tag="add",
    )


def apply(game: WarGame, effect: Effect) -> None:
    """Note a modifier, a number or automatic hits for this round; several modifiers add up (WR-24).

    The number of the Combat roll is the re-roll's as well, until a card names another one for that (WR-23).
    """
    if effect.kind == "hits":
        army = game.armies[effect.side]
        army.extra_hits = min(MOST_TOLD, army.extra_hits + effect.value)
        return
    whose, _, roll = effect.dice.partition("-")
    side = effect.side if whose == "own" else OTHER[effect.side]
    army = game.armies[side]
    if effect.kind == "number":
        for part in ("combat", "reroll") if roll == "both" else (roll,):
            setattr(army, f"number_{part}", effect.value)
        return
    for part in ("combat", "reroll") if roll == "both" else (roll,):
        name = f"{whose}_{part}"
        setattr(army, name, max(-MOST_ADDED, min(MOST_ADDED, getattr(army, name) + effect.value)))


@section("WR-6", "WR-7", "WR-8", title="Initiative")
def order(game: WarGame) -> Procedure[None]:
    """Ask for initiative numbers where the order of two cards' effects matters, and put the effects in order."""
    for when in ("before", "after"):
        if not clash(game, when):
            continue
        for at, effect in enumerate(game.effects):
            if effect.when != when:
                continue
            initiative = yield Count(
                "card.initiative",
                f"Initiative of: {DOES.by_id[effect.kind].text}?",
                1,
                9,
                unit=DOES.by_id[effect.kind].short,
                seat=game.seat_of(effect.side),
                rule="WR-8",
                head=f"{game.short(effect.side)} card",
                tag="initiative",
            )
            game.effects[at].initiative = initiative
    game.effects.sort(key=_turn)


def _turn(effect: Effect) -> tuple[int, bool]:
    """Lower initiative first; on a tie the defender's (WR-6, WR-7)."""
    return effect.initiative, effect.side == "attacker"


def clash(game: WarGame, when: str) -> bool:
    """Return whether effects of both cards stand in each other's way at that moment."""
    there = {side: {e.kind for e in game.effects if e.side == side and e.when == when} for side in SIDES}
    return any(all(there[side].intersection(kinds) for side in SIDES) for kinds in CLASHES)
