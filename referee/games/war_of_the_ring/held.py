"""What Combat cards change for the whole round, whether one is cancelled, and in which order their effects come."""

from __future__ import annotations

from collections.abc import Iterator

from referee.games.war_of_the_ring.state import BY_UNITS, HELD, MOST_ADDED, MOST_HITS, Effect, WarGame
from referee.games.war_of_the_ring.tables import OTHER


def enter(game: WarGame, effects: list[Effect]) -> None:
    """Let a card work: what holds for the round at once, the rest at its moment."""
    for effect in effects:
        game.effects.append(effect)
        if effect.kind in HELD:
            apply(game, effect)


def apply(game: WarGame, effect: Effect) -> None:
    """Note what an effect changes for this round; modifiers add up (WR-24), the lowest limit of dice counts.

    The number of the Combat roll is the re-roll's as well, until a card names another one for that (WR-23).
    """
    for side, name in fields(effect):
        _set(game, effect, side, name)


def fields(effect: Effect) -> Iterator[tuple[str, str]]:
    """Yield the fields of Armies that an effect changes for this round, each with the side of its Army."""
    whose, _, roll = effect.on.partition("-")
    side = effect.side if whose == "own" else OTHER[effect.side]
    if effect.kind == "hits":
        yield effect.side, "extra_hits"
    elif effect.kind == "dice":
        yield side, "card_dice"
    elif effect.kind == "fewer-dice":
        yield side, "fewer_dice"
    elif effect.kind == "forfeit-dice":
        yield OTHER[effect.side], "fewer_dice"
    elif effect.kind == "losses-add":
        yield effect.side, "own_combat"
    elif effect.kind in ("modifier", "number"):
        for part in ("combat", "reroll") if roll == "both" else (roll,):
            yield side, f"{whose if effect.kind == 'modifier' else 'number'}_{part}"


def _set(game: WarGame, effect: Effect, side: str, name: str) -> None:
    army, value = game.armies[side], effect.value
    was = getattr(army, name)
    if name == "card_dice":
        value = value if was == BY_UNITS else min(was, value)
    elif name in ("extra_hits", "fewer_dice"):
        value = min(MOST_HITS, was + value)
    elif not name.startswith("number"):
        value = max(-MOST_ADDED, min(MOST_ADDED, was + value))
    setattr(army, name, value)


def cancel_card(game: WarGame, side: str) -> None:
    """Cancel the card of a side: what of it has not been applied yet is not applied (A-WR23).

    What it would change in rolls that are still to come counts as not applied.
    """
    army = game.armies[side]
    if army.card != "played":
        return
    army.card = "cancelled"
    cancelled = [effect for effect in game.effects if effect.side == side]
    for effect in cancelled:
        effect.done = True
    for owner, name in {each: None for effect in cancelled for each in fields(effect)}:
        setattr(game.armies[owner], name, BY_UNITS if name == "card_dice" else 0)
        for effect in game.effects:
            if effect.side != side and (owner, name) in fields(effect):
                _set(game, effect, owner, name)


def in_turn(effect: Effect) -> tuple[int, bool]:
    """Return what effects are sorted by: lower initiative first, on a tie the defender's (WR-6, WR-7)."""
    return effect.initiative, effect.side == "attacker"
