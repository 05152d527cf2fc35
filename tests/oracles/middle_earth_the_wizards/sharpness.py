"""How sharp the comparison is: the oracle's rules are broken one after another, and each must be noticed."""

from __future__ import annotations

from tests.oracles import sharpness
from tests.oracles.middle_earth_the_wizards import rules
from tests.oracles.middle_earth_the_wizards.rules import STAY, TAPPED, UNTAPPED, WOUNDED
from tests.oracles.middle_earth_the_wizards.table import compared

BROKEN: sharpness.Broken = {
    "a Hobbit counts whole": ("hazard_limit", lambda rule: lambda others, hobbits: rule(others + hobbits, 0)),
    "half a Hobbit is rounded down": (
        "hazard_limit",
        lambda rule: lambda others, hobbits: rule(others, hobbits // 2 * 2),
    ),
    "no least hazard limit": ("hazard_limit", lambda rule: lambda others, hobbits: others + (hobbits + 1) // 2),
    "an automatic-attack is a hazard": (
        "is_hazard",
        lambda rule: lambda source: source == "automatic-attack" or rule(source),
    ),
    "a creature is no hazard": ("is_hazard", lambda rule: lambda source: source != "creature" and rule(source)),
    "one hazard beyond the limit": ("hazard_code", lambda rule: lambda played, limit: rule(played - 1, limit)),
    "two corruption cards a turn": ("card_code", lambda rule: lambda had: None),
    "the wounded heal in a new turn": (
        "in_new_turn",
        lambda rule: lambda status, untap: UNTAPPED if untap else status,
    ),
    "hazards outlast the turn": ("after_new_turn", lambda rule: lambda hazards: hazards),
    "targets are chosen though everybody is one": (
        "all_are_targets",
        lambda rule: lambda strikes, characters: strikes > characters,
    ),
    "no spare strikes": ("spare", lambda rule: lambda strikes, targets: 0),
    "a strike too many to spare": (
        "spare",
        lambda rule: lambda strikes, targets: rule(strikes, targets - 1) if strikes > targets else 0,
    ),
    "the defender gives strikes to the tapped": (
        "target_code",
        lambda rule: lambda status, has_strike, by_defender: rule(status, has_strike, by_defender=False),
    ),
    "the attacker strikes the untapped only": (
        "target_code",
        lambda rule: lambda status, has_strike, by_defender: rule(status, has_strike, by_defender=True),
    ),
    "a tapped target before a second strike": (
        "target_code",
        lambda rule: (
            lambda status, has_strike, by_defender: (
                "ME-X02" if by_defender and status != UNTAPPED else rule(status, has_strike, by_defender=by_defender)
            )
        ),
    ),
    "the defender assigns whatever the card says": (
        "defender_assigns",
        lambda rule: lambda by_card, gave_up, untapped: rule(False, gave_up, untapped),
    ),
    "the defender assigns though nobody is untapped": (
        "defender_assigns",
        lambda rule: lambda by_card, gave_up, untapped: rule(by_card, gave_up, 1),
    ),
    "the attacker assigns first": ("defender_assigns", lambda rule: lambda by_card, gave_up, untapped: False),
    "hazards after the spare strikes": (
        "step_code",
        lambda rule: lambda step, stage: None if (step, stage) == (1, 2) else rule(step, stage),
    ),
    "spare strikes after the -3": (
        "step_code",
        lambda rule: lambda step, stage: None if (step, stage) == (2, 3) else rule(step, stage),
    ),
    "the -3 after resources": (
        "step_code",
        lambda rule: lambda step, stage: None if (step, stage) == (3, 4) else rule(step, stage),
    ),
    "one spare strike too many": ("spare_code", lambda rule: lambda number, left: rule(number - 1, left)),
    "spare strikes are forced whatever the switch": ("forced", lambda rule: lambda switch, left: left == 1),
    "spare strikes are never forced": ("forced", lambda rule: lambda switch, left: False),
    "spare strikes are forced on every strike": ("forced", lambda rule: lambda switch, left: switch),
    "the tapped stay": ("stay_code", lambda rule: lambda status: rule(UNTAPPED if status == TAPPED else status)),
    "the wounded stay": ("stay_code", lambda rule: lambda status: rule(UNTAPPED if status == WOUNDED else status)),
    "targets support": ("support_code", lambda rule: lambda status, is_target: rule(status, False)),
    "the tapped support": (
        "support_code",
        lambda rule: lambda status, is_target: rule(UNTAPPED if status == TAPPED else status, is_target),
    ),
    "two skills a strike": ("skill_code", lambda rule: lambda skills: rule(skills - 1)),
    "the tapped fight as well": ("of_status", lambda rule: lambda status: 0 if status == TAPPED else rule(status)),
    "the wounded fight at -1": ("of_status", lambda rule: lambda status: max(-1, rule(status))),
    "the wounded fight at -3": ("of_status", lambda rule: lambda status: -3 if status == WOUNDED else rule(status)),
    "staying costs 2": ("of_staying", lambda rule: lambda status, stance: max(-2, rule(status, stance))),
    "staying costs the tapped as well": ("of_staying", lambda rule: lambda status, stance: rule(UNTAPPED, stance)),
    "spare strikes weigh nothing": ("of_spare", lambda rule: lambda excess: 0),
    "spare strikes weigh once": ("of_spare", lambda rule: lambda excess: max(-1, rule(excess))),
    "supporters add nothing": ("of_support", lambda rule: lambda supporters: 0),
    "one supporter counts": ("of_support", lambda rule: lambda supporters: min(1, supporters)),
    "supporters do not tap": ("after_support", lambda rule: lambda status: status),
    "cards that lower prowess do not count": ("of_cards", lambda rule: lambda modifiers: max(0, modifiers)),
    "a tie defeats the strike": (
        "outcome",
        lambda rule: lambda total, against: rule(total + (total == against), against),
    ),
    "a tie wounds": ("outcome", lambda rule: lambda total, against: rule(total - (total == against), against)),
    "every strike has a body": ("has_body", lambda rule: lambda body: True),
    "a strike's body is never checked": ("has_body", lambda rule: lambda body: False),
    "its body defeats a strike": ("beats_strike", lambda rule: lambda total, body: total >= body),
    "his body eliminates a character": (
        "beats_character",
        lambda rule: lambda total, body, was_wounded: rule(total + 1, body, was_wounded),
    ),
    "no +1 for the wounded": (
        "beats_character",
        lambda rule: lambda total, body, was_wounded: rule(total, body, False),
    ),
    "the defender checks his own": ("checks", lambda rule: lambda of_strike: "defender"),
    "the attacker checks his strikes": ("checks", lambda rule: lambda of_strike: "attacker"),
    "nobody taps": (
        "after_strike",
        lambda rule: lambda result, status, stance: rule(result, status, STAY),
    ),
    "who stays taps": ("after_strike", lambda rule: lambda result, status, stance: rule(result, status, "tap")),
    "who stays is not wounded": (
        "after_strike",
        lambda rule: lambda result, status, stance: status if stance == STAY else rule(result, status, stance),
    ),
    "a tie does not tap": (
        "after_strike",
        lambda rule: (
            lambda result, status, stance: status if result == "ineffectual" else rule(result, status, stance)
        ),
    ),
    "a cancelled strike taps": (
        "after_cancelled",
        lambda rule: lambda status: TAPPED if status == UNTAPPED else status,
    ),
    "a tie defeats the attack": (
        "defeated",
        lambda rule: lambda results: rule([each for each in results if each != "ineffectual"]),
    ),
    "a cancelled strike defeats the attack": (
        "defeated",
        lambda rule: lambda results: rule([each for each in results if each != "cancelled"]),
    ),
    "no strikes are defeated": ("defeated", lambda rule: lambda results: rule(results) or not results),
    "whatever is defeated gives points": (
        "gives_points",
        lambda rule: lambda source, number, attacks, all_beaten: rule("creature", number, attacks, all_beaten),
    ),
    "every attack gives points": (
        "gives_points",
        lambda rule: lambda source, number, attacks, all_beaten: rule(source, attacks, attacks, all_beaten),
    ),
    "a cancelled attack was not faced": ("faced_when_cancelled", lambda rule: lambda: False),
    "safe at the points": ("corruption", lambda rule: lambda total, points: rule(total + 1, points)),
    "discarded at the points only": (
        "corruption",
        lambda rule: lambda total, points: "eliminated" if total == points - 1 else rule(total, points),
    ),
    "the last modifier counts alone": ("added", lambda rule: lambda modifier, another: another),
    "anybody's corruption loses the game": ("loses_game", lambda rule: lambda result, wizard: rule(result, True)),
    "a Wizard's corruption loses nothing": ("loses_game", lambda rule: lambda result, wizard: False),
    "the highest card counts alone": ("points_after", lambda rule: max),
}


def unnoticed(answers: int, seed: int) -> list[str]:
    """Return the broken rules that so many answers did not reveal."""
    return sharpness.unnoticed(rules, BROKEN, compared, answers, seed)
