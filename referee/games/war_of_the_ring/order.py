"""In which order the effects of two Combat cards come: initiative, asked only where the order can matter."""

from __future__ import annotations

from referee.games.war_of_the_ring.cards import DOES, WHOSE
from referee.games.war_of_the_ring.state import Effect, WarGame
from referee.games.war_of_the_ring.steps import of_card
from referee.rulebook import Count, Procedure, Short, section, whole

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
    for at in clashing(game):
        each = game.effects[at]
        each.initiative = yield Count(
            "card.initiative",
            initiative_of(whole(described(game, each))),
            0,
            9,
            default=1,
            unit=Short(described(game, each), ""),
            rule="WR-8",
            tag=INITIATIVE,
            **of_card(game, each.side),
        )
    game.effects.sort(key=in_turn)


def clashing(game: WarGame) -> list[int]:
    """Return the indices of effects that stand in the way of the other card's at the same moment."""
    return [at for at, each in enumerate(game.effects) if any(clash(each, other) for other in game.effects)]


def clash(one: Effect, other: Effect) -> bool:
    """Return whether the order of two effects can matter."""
    if one.side == other.side or one.when != other.when:
        return False
    kinds = ((one.kind, other.kind), (other.kind, one.kind))
    return any(a in some and b in others for a, b in kinds for some, others in CLASHES)


def in_turn(effect: Effect) -> tuple[int, bool]:
    """Return what effects are sorted by: lower initiative first, on a tie the defender's (WR-6, WR-7)."""
    return effect.initiative, effect.side == "attacker"


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


def initiative_of(effect: str) -> Short:
    """Return the question for the initiative number of an effect.

    >>> initiative_of("An Army takes losses").whole
    'What is the initiative number of this effect: an Army takes losses?'
    """
    words = effect[:1].lower() + effect[1:]
    return Short(f"Initiative of: {effect}?", f"What is the initiative number of this effect: {words}?")
