"""Step 1: Combat cards are declared, attacker first; what they do is entered, and put in order of initiative."""

from __future__ import annotations

from functools import partial

from referee.games.war_of_the_ring.state import HELD, Effect, WarGame
from referee.games.war_of_the_ring.tables import BESIEGED, MOST_DICE, SEATS, SIDES
from referee.rulebook import Attempt, Bar, Bundle, Choose, Count, Options, Procedure, Short, phrase, section

DECLARED = Options((("none", "No card", "No card"), ("card", "Combat card", "Card")))
NO_CARDS = (Bundle("no-cards", "Nobody plays one", ("none", "none"), "None"),)
DOES = Options(
    (
        ("modifier", "Add to dice", "Add"),
        ("forfeit", "Forfeit own Leadership", "Forfeit"),
        ("attack-before", "Attack before the Combat roll", "Attack"),
        ("attack-after", "Attack after the casualties", "Late att."),
        ("done", "That is all", "Done"),
        ("cancel", "Cancel enemy Leadership", "Cancel"),
        ("retreat", "Retreat before the Combat roll", "Retreat"),
        ("number", "Another number to hit", "Number"),
        ("hits", "Automatic hits", "Hits"),
        ("cancel-hits", "Cancel enemy hits", "Hits off"),
        ("dice", "A limit of Combat dice", "Max dice"),
        ("leader", "A Leader or Character is removed", "Leader"),
        ("losses", "An Army takes losses", "Losses"),
        ("more-hits", "More hits, entered after the dice", "More"),
        ("misses", "Misses become hits", "Misses"),
        ("fewer-dice", "Fewer Combat dice", "Fewer"),
        ("forfeit-dice", "Forfeit: the enemy rolls as many dice fewer", "Forf -1"),
        ("losses-add", "Take losses: each adds 1 to the Combat roll", "Loss +1"),
        ("cancel-card", "Cancel the enemy's card", "Card off"),
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
HIT_ON = Short("They hit on?", "On which number do they hit?")
OF_DICE = partial(Count, unit="dice", one="die", rule="WR-20")
COMBAT_DICE = DICE.only("own-combat", "enemy-combat")
WHOSE = Options(
    (
        ("own-before", "Own, before the Combat roll", "Own now"),
        ("own-after", "Own, after the casualties", "Own last"),
        ("enemy-before", "Enemy, before the Combat roll", "Foe now"),
        ("enemy-after", "Enemy, after the casualties", "Foe last"),
    )
)


@section("WR-2", "WR-3", "WR-4", title="Combat cards")
def combat_cards(game: WarGame) -> Procedure[None]:
    """Each player may play one card. Both declare, the attacker first; only then is told what the cards do.

    A card that is taken back while it is being entered leaves its player to declare again.
    """
    while True:
        undeclared = next((side for side in SIDES if not game.armies[side].card), "")
        picked = next((side for side in SIDES if game.armies[side].card == "picked"), "")
        if undeclared:
            declared = yield partial(declaration, game, undeclared)
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


def declaration(game: WarGame, side: str) -> Choose:
    """Return the question whether a player plays a card; the first offers that nobody does."""
    first = side == "attacker" and not game.armies["defender"].card
    return Choose(
        f"cards.{side}",
        Short(f"{SEATS[game.seat_of(side)]}: a Combat card?", "Do you play a Combat card?"),
        DECLARED,
        default="no-cards" if first else "none",
        seat=game.seat_of(side),
        rule="WR-3",
        head=phrase(Short("{}: card?", "{}"), game.short(side)),
        tag=f"round {game.round}",
        notes=("WR-4", "WR-5"),
        bundles=NO_CARDS if first else (),
    )


@section("WR-9", title="Combat card")
def card(game: WarGame, side: str) -> Procedure[None]:
    """Its effects one after the other; Back drops the card as long as it is being entered."""
    while True:
        asked, entered = game.of_card(side), "; ".join(DOES.words(each.kind) for each in game.draft)
        if entered:
            asked["head"] = phrase(Short("{0}", "{0}: {1}"), asked["head"], entered)
        text, bar = f"What {'else ' if entered else ''}does the card do?", partial(bar_effect, game, side)
        lit = "done" if entered and not may_end(game) else "modifier"
        does = yield Choose(
            "card.effect", text, DOES, bar, default=lit, rule="WR-9", tag="does?", notes=("WR-10",), **asked
        )
        if does == "done":
            break
        game.draft.append((yield from effect(game, side, does)))
    game.counted()
    game.effects += game.draft


def may_end(game: WarGame) -> bool:
    """Whether the effects entered may leave nothing to roll, and hits that end the battle."""
    kinds = {each.kind for each in (*game.effects, *game.draft)}
    return "hits" in kinds and not kinds.isdisjoint({"dice", "fewer-dice", "forfeit-dice"})


def bar_effect(game: WarGame, side: str, does: str) -> Bar | None:
    """Return X14 for a retreat of the attacker, X07 of the besieged."""
    if does != "retreat":
        return None
    if side == "attacker":
        return Bar("WR-X14", "Only the defender retreats; the attacker ceases", firm=True)
    return BESIEGED if game.besieged(side) else None


@section("WR-24", "WR-25", title="Effect")
def effect(game: WarGame, side: str, does: str) -> Procedure[Effect]:
    """Return one effect: whose and which, and how much where that is known at once."""
    on, value, card = "", 0, game.of_card(side)
    if does in WHICH:
        key, text, among, rule, tag = WHICH[does]
        on = yield Choose(key, text, among, rule=rule, tag=tag, **card)
    if does in HELD:
        proposed = {"default": 1 if on.startswith("own") else -1} if does == "modifier" else {}
        value = yield AMOUNTS[does](**proposed, **card)
    return Effect(side, does, on, value)


WHICH = {
    **dict.fromkeys(("leader", "losses"), ("card.whose", "Whose, and when?", WHOSE, "WR-8", "whose?")),
    **dict.fromkeys(("dice", "fewer-dice"), ("card.dice", "Which dice?", COMBAT_DICE, "WR-20", "whose?")),
    **dict.fromkeys(("modifier", "number"), ("card.dice", "Which dice?", DICE, "WR-25", "which?")),
}
"""The question whose and which, for each kind of effect that has it: key, text, options, rule, tag."""
AMOUNTS = {
    "hits": partial(
        Count, "card.hits", "How many automatic hits?", 1, 6, unit="hits", one="hit", rule="WR-31", tag="adds"
    ),
    "number": partial(Count, "card.number", HIT_ON, 4, 6, unit="or more", rule="WR-21", tag="hits on"),
    "dice": partial(
        OF_DICE, "card.dice-count", "At most how many dice?", 0, MOST_DICE, default=MOST_DICE, tag="at most"
    ),
    "fewer-dice": partial(OF_DICE, "card.fewer", "How many dice fewer?", 1, MOST_DICE, tag="fewer"),
    "modifier": partial(
        Count, "card.amount", "Add how much to each die?", -5, 5, unit="to each die", rule="WR-24", tag="add"
    ),
}
"""The question how much, for each kind of effect that holds for the whole round."""


# -- initiative, asked only where the order can matter

INITIATIVE = Short("init.", "initiative")

UNITS = {"retreat", "attack-before", "attack-after", "losses", "losses-add", "leader"}
LEADERSHIP = {"forfeit", "forfeit-dice", "cancel", "leader"}
CLASHES = (
    (UNITS, UNITS),
    (LEADERSHIP, LEADERSHIP),
    ({"cancel-card"}, UNITS | LEADERSHIP | {"cancel-card"}),
    ({"cancel-hits"}, {"more-hits", "misses"}),
)
"""Effects of two cards, at the same moment, whose order can matter: what may end the battle, what Leadership is left,
what is cancelled before it works, what hits there are to cancel."""


@section("WR-6", "WR-7", "WR-8", title="Initiative")
def order(game: WarGame) -> Procedure[None]:
    """Ask for initiative numbers where the order of two cards' effects matters, and put the effects in order."""
    for at in [at for at, each in enumerate(game.effects) if any(clash(each, other) for other in game.effects)]:
        each = game.effects[at]
        words = described(game, each)
        what = f"{words.whole[:1].lower()}{words.whole[1:]}"
        each.initiative = yield Count(
            "card.initiative",
            Short(f"Initiative of: {words.whole}?", f"What is the initiative number of this effect: {what}?"),
            0,
            9,
            default=1,
            unit=Short(words, ""),
            rule="WR-8",
            tag=INITIATIVE,
            **game.of_card(each.side),
        )
    game.effects.sort(key=in_turn)


def in_turn(effect: Effect) -> tuple[int, bool]:
    """Return what effects are sorted by: lower initiative first, on a tie the defender's (WR-6, WR-7)."""
    return effect.initiative, effect.side == "attacker"


def clash(one: Effect, other: Effect) -> bool:
    """Return whether the order of two effects can matter."""
    if one.side == other.side or one.when != other.when:
        return False
    kinds = ((one.kind, other.kind), (other.kind, one.kind))
    return any(a in some and b in others for a, b in kinds for some, others in CLASHES)


def described(game: WarGame, effect: Effect) -> Short:
    """Return which effect of a card is meant: whose and when where that varies, and which of several such."""
    kind = DOES.by_id[effect.kind]
    short, words = kind.short, kind.text
    if effect.kind in ("leader", "losses"):
        whose = WHOSE.words(effect.on)
        short, words = f"{short} {whose.partition(',')[0].lower()}", f"{words}: {whose[:1].lower()}{whose[1:]}"
    alike = [
        each for each in game.effects if (each.side, each.kind, each.on) == (effect.side, effect.kind, effect.on)
    ]
    if len(alike) > 1:
        which = next(n for n, each in enumerate(alike, 1) if each is effect)
        short, words = f"{short} {which}", f"{words}, no. {which} of them"
    return Short(short, words)
