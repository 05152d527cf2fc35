"""What can be said of a strike before the dice, and why it cannot be said now."""

from __future__ import annotations

from referee.games.the_wizards import strikes
from referee.games.the_wizards.state import WizardsGame
from referee.games.the_wizards.words import STATUS, numbers, signed
from referee.rulebook import Bar, Option, Options

STEPS = Options(
    (
        ("tap", "Tap and throw", "Tap"),
        ("throw", "Throw"),
        ("stay", "-3, stay untapped", "-3"),
        ("hazard", "Hazard on it", "Hazard"),
        ("excess", "Spare strikes", "Spare -1"),
        ("support", "Support"),
        ("resource", "Resource"),
        ("cancel", "Cancel strike", "Cancel"),
        STATUS,
        ("strike", "Values of the strike", "Values"),
        ("strikes", "Number of strikes"),
        ("cancel-attack", "Cancel attack"),
        ("body-check", "Body check"),
    )
)
STANCES = Options((("tap", "Tap"), ("stay", "-3, stay untapped", "-3")))
OTHER = Option("strike", "Values of the strike", "Values")
HAZARDS = signed(-1, -2, -3, -4, 1, 0, 2, -5, also=(OTHER, Option("none", "No hazard", "None")))
RESOURCES = signed(1, 2, 3, 4, 5, 6, -1, 0, also=(OTHER, Option("none", "No resource", "None")))
BODIES = Options((Option("0", "none: -", "-"), *numbers(3, 12)))
NOBODY = Option("none", "Nobody", "None")
OUTSIDER = Option("outsider", "Somebody else", "Other")
NOT_TAPPING = Bar("ME-X10", "He does not tap for this strike", firm=True, aside=True)
CHOOSE_FIRST = Bar("ME-X10", "First say whether he taps or takes -3", firm=True, aside=True)
CHOSEN = Bar("ME-X10", "Tapping or -3 has been chosen")
SETTLED = Bar(CHOSEN.code, CHOSEN.text, firm=True, aside=True)
UPRIGHT_ONLY = Bar("ME-X07", "Only an untapped target can take -3", firm=True)
PAST_HAZARDS = Bar("ME-X10", "Hazards come first; a later step has begun")
LIMIT = Bar("ME-X01", "The hazard limit is reached")
PAST_EXCESS = Bar("ME-X10", "Spare strikes come before the -3")
NO_EXCESS = Bar("ME-X06", "No spare strike is left")
NEVER_EXCESS = Bar("ME-X06", "This attack has no strikes to spare", aside=True)
TOO_MANY = Bar("ME-X06", "So many spare strikes are not left")
NO_SUPPORT = Bar("ME-X08", "Nobody is untapped and without a strike")
ALL_TARGETS = Bar("ME-X08", "Everybody has a strike of this attack", aside=True)
HIMSELF = Bar("ME-X08", "He cannot support himself", firm=True)
HAS_STRIKE = Bar("ME-X08", "Has a strike of this attack")
NOT_UNTAPPED = Bar("ME-X08", "Is not untapped")
NOT_HERE = Bar("ME-X08", "Only the same company supports", firm=True, aside=True)
SECOND_SKILL = Bar("ME-X09", "A card with a skill was played on this strike")
STRIKES_FIXED = Bar("ME-X05", "Strikes are fixed once the first is assigned", firm=True, aside=True)
CANCEL_STRIKE = Bar("ME-X13", "Targets are fixed: cancel the strike instead", firm=True, aside=True)
NO_CHECK = Bar("ME-X14", "No body check is due", firm=True, aside=True)
LATE_ENTRIES = {"strikes": STRIKES_FIXED, "cancel-attack": CANCEL_STRIKE, "body-check": NO_CHECK}


def bar_step(game: WizardsGame, step: str) -> Bar | None:
    """Return why a step is not open: X05, X13, X14 for what is too late, then X10, X01, X06, X07, X08."""
    found = LATE_ENTRIES.get(step)
    if found is not None or step in ("cancel", "status", "strike", "resource"):
        return found
    return BARS[step](game)


def bar_tap(game: WizardsGame) -> Bar | None:
    """Return why tapping is not to be chosen: the target is not untapped, or it has been settled."""
    if game.blow.stance:
        return SETTLED
    return None if game.find(game.blow.target).status == strikes.UNTAPPED else NOT_TAPPING


def _bar_throw(game: WizardsGame) -> Bar | None:
    return CHOOSE_FIRST if bar_tap(game) is None else None


def _bar_stay(game: WizardsGame) -> Bar | None:
    if game.blow.stance or game.blow.stage > 3:
        return CHOSEN
    return None if game.find(game.blow.target).status == strikes.UNTAPPED else UPRIGHT_ONLY


def _bar_hazard(game: WizardsGame) -> Bar | None:
    if game.blow.stage > 1:
        return PAST_HAZARDS
    return LIMIT if not game.alone and game.hazards >= game.company.limit else None


def _bar_excess(game: WizardsGame) -> Bar | None:
    never = not game.alone and not game.foe.had_excess
    if game.blow.stage > 2:
        return PAST_EXCESS._replace(aside=never)
    if never:
        return NEVER_EXCESS
    return None if game.alone or game.foe.excess > 0 else NO_EXCESS


def _bar_support(game: WizardsGame) -> Bar | None:
    if game.alone:
        return None
    if game.foe.had_excess:
        return ALL_TARGETS
    if any(bar_supporter(game, c.id) is None for c in game.members):
        return None
    return NO_SUPPORT


BARS = {
    "tap": bar_tap,
    "throw": _bar_throw,
    "stay": _bar_stay,
    "hazard": _bar_hazard,
    "excess": _bar_excess,
    "support": _bar_support,
}


def bar_excess(game: WizardsGame, count: int) -> Bar | None:
    """Return ME-X06 beyond the pool."""
    return TOO_MANY if not game.alone and count > game.foe.excess else None


def bar_supporter(game: WizardsGame, who: str) -> Bar | None:
    """Return ME-X08 for whoever cannot support the target."""
    if who == "none":
        return None
    if who == "outsider":
        return NOT_HERE
    if who == game.blow.target:
        return HIMSELF
    if who in game.foe.results:
        return HAS_STRIKE
    return None if game.find(who).status == strikes.UNTAPPED else NOT_UNTAPPED


def bar_skill(game: WizardsGame, answer: str) -> Bar | None:
    """Return ME-X09 for a second card that needs a skill."""
    return SECOND_SKILL if answer == "yes" and game.blow.skills > 0 else None
