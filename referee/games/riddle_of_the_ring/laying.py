"""Laying one force: what bars it, what it adds, and which pairs of forces can be laid with one press."""

from __future__ import annotations

from referee.games.riddle_of_the_ring import plays
from referee.games.riddle_of_the_ring.forces import (
    ATTACKER,
    CEILING,
    DEFENDER,
    FOR,
    FORCES,
    NEUTRAL,
    Kind,
    allowed,
)
from referee.games.riddle_of_the_ring.state import MOST, Force, RiddleGame
from referee.rulebook import Bar, Bundle, Option

LETTERS = ("a", "b", "c", "d", "e")
CITIES = plays.among(*(Option(c, f"City {c.upper()}") for c in LETTERS), Option("too-far", "None near", "Far"))

NO_POINTS = Bar("RR-X11", "A force has at least 1 Battle Point", firm=True, aside=True)
NOT_YOURS = Bar("RR-X11", "That character has no points for you", firm=True, aside=True)
NEUTRAL_CITY = Bar("RR-X14", "Neutral cities are never forces", aside=True)
USED_CITY = Bar("RR-X14", "That city is used in this battle")
FAR_CITY = Bar("RR-X14", "A city must be on or beside one of you")
CAP = Bar("RR-X12", f"Nobody passes {CEILING} Battle Points")
OVER = Bar("RR-X13", "That is more than the attacker has")
LAID = Bar("RR-X21", "That card lies on the table already", firm=True)
LAID_ASIDE = LAID._replace(aside=True)
AFTER_ANSWER = Bar("RR-X21", "The defender answers first", firm=True, aside=True)
NOT_ATTACKED = Bar("RR-X21", "The attacker lays a force first", firm=True, aside=True)

WRONG = {
    (ATTACKER, "evil"): "Attack a Hobbit with Evil and Neutral only",
    (ATTACKER, "good"): "Attack a Rider with Good and Neutral only",
    (DEFENDER, "good"): "A Hobbit defends with Good and Neutral only",
    (DEFENDER, "evil"): "A Rider defends with Evil and Neutral only",
}
WRONG_SHOWN = {key: Bar("RR-X10", text) for key, text in WRONG.items()}
WRONG_ASIDE = {key: Bar("RR-X10", text, aside=True) for key, text in WRONG.items()}


def kind_of(game: RiddleGame, name: str) -> str:
    """Return the kind of a force; a character card is of its owner's kind."""
    fight = game.battle
    own = fight.attacker_kind if fight.mover == ATTACKER else fight.defender_kind
    return FORCES[name].kind or FOR[own]


def bar_force(game: RiddleGame, name: str) -> Bar | None:
    """Return why a force cannot be laid: X21, X11, X10, X14, X12, X13 in that order."""
    attacks = game.battle.mover == ATTACKER
    if name in ("stop", "surrender"):
        if attacks:
            return NOT_ATTACKED if name == "surrender" else None
        return AFTER_ANSWER if name == "stop" else None
    force = FORCES[name]
    return _bar_card(game, name, force) or _bar_points(game, force)


def _bar_card(game: RiddleGame, name: str, force: Kind) -> Bar | None:
    fight = game.battle
    may = allowed(fight.mover, fight.defender_kind)
    kind = kind_of(game, name)
    if force.unique and on_table(game, name):
        return LAID if kind in (may, NEUTRAL) else LAID_ASIDE
    if force.points < 1:
        return NOT_YOURS if name == "other-character" else NO_POINTS
    if kind not in (may, NEUTRAL):
        return (WRONG_SHOWN if name == "own-character" else WRONG_ASIDE)[fight.mover, may]
    return NEUTRAL_CITY if force.city and kind == NEUTRAL else None


def _bar_points(game: RiddleGame, force: Kind) -> Bar | None:
    fight = game.battle
    total = fight.att_total if fight.mover == ATTACKER else fight.def_total
    if total + force.points > CEILING:
        return CAP
    if fight.mover == DEFENDER and total + force.points > fight.att_total and not game.overshoot:
        return OVER
    return None


def on_table(game: RiddleGame, name: str) -> bool:
    """Whether the one card of that name lies on the table; each side has a character card of its own."""
    mover = game.battle.mover
    return any(f.name == name and (name != "own-character" or f.owner == mover) for f in game.battle.forces)


def bar_city(game: RiddleGame, kind: str, letter: str) -> Bar | None:
    """Return why that city does not serve (X14)."""
    if letter == "too-far":
        return FAR_CITY
    return USED_CITY if any(f.city == letter and f.kind == kind for f in game.battle.forces) else None


def add(game: RiddleGame, name: str, city: str) -> None:
    """Lay the force on the table and count its points."""
    fight = game.battle
    force = FORCES[name]
    fight.forces.append(Force(fight.mover, name, kind_of(game, name), force.points, force.retain, city))
    if fight.mover == ATTACKER:
        fight.att_total = min(MOST, fight.att_total + force.points)
    else:
        fight.def_total = min(MOST, fight.def_total + force.points)


def gap(game: RiddleGame) -> int:
    """Return how many points the defender lacks."""
    return game.battle.att_total - game.battle.def_total


def free_letters(game: RiddleGame, kind: str) -> list[str]:
    """Return the letters of cities of that kind not used yet."""
    return [letter for letter in LETTERS if bar_city(game, kind, letter) is None]


def pairs(game: RiddleGame) -> tuple[Bundle, ...]:
    """Offer, to a defender two points behind, the pairs whose parts lie on the second page."""
    if game.battle.mover != DEFENDER or gap(game) != 2:
        return ()
    kind = allowed(DEFENDER, game.battle.defender_kind)
    ring, own = (bar_force(game, name) is None for name in ("the-ring", "own-character"))
    letters = free_letters(game, kind)
    made = []
    if ring and own:
        made.append(Bundle("ring-self", "Ring and own card", ("the-ring", "own-character"), "Rg+Self"))
    if letters:
        near = (f"{kind}-city", letters[0])
        at = letters[0].upper()
        if ring:
            made.append(Bundle("ring-city", f"Ring and city {at}", ("the-ring", *near), "Rg+City"))
        if own:
            made.append(Bundle("self-city", f"Own card and city {at}", ("own-character", *near), "Slf+City"))
    return tuple(made)


def two_cities(game: RiddleGame, name: str) -> tuple[Bundle, ...]:
    """Offer, to a defender two points behind, two cities at once."""
    letters = free_letters(game, FORCES[name].kind)
    if game.battle.mover != DEFENDER or gap(game) != 2 or len(letters) < 2:
        return ()
    first, second = letters[:2]
    text = f"{first.upper()} and {second.upper()}"
    return (Bundle("two-cities", f"Cities {text}", (first, name, second), text),)


def order_text(game: RiddleGame) -> str:
    """Return what happens with the cards on the table while the winner picks (A-RR7)."""
    if game.return_first:
        return "Ring and own cards go back before the pick"
    return "Cards on the table are no part of the hand"
