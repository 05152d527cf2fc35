"""How sharp the comparison is: the oracle's rules are broken one after another, and each must be noticed."""

from __future__ import annotations

from tests.oracles import side_by_side
from tests.oracles.middle_earth_the_wizards import rules
from tests.oracles.middle_earth_the_wizards.rules import STAY, TAPPED, UNTAPPED
from tests.oracles.middle_earth_the_wizards.table import compared

BROKEN: side_by_side.Broken = {
    "a Hobbit counts whole": ("hazard_limit", lambda rule: lambda others, hobbits: rule(others + hobbits, 0)),
    "an automatic-attack is a hazard": (
        "is_hazard",
        lambda rule: lambda source: source == "automatic-attack" or rule(source),
    ),
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
    "the defender gives strikes to the tapped": (
        "target_code",
        lambda rule: lambda status, has_strike, by_defender: rule(status, has_strike, by_defender=False),
    ),
    "the defender assigns whatever the card says": (
        "defender_assigns",
        lambda rule: lambda by_card, gave_up, untapped: rule(False, gave_up, untapped),
    ),
    "hazards after the spare strikes": (
        "step_code",
        lambda rule: lambda step, stage: None if (step, stage) == (1, 2) else rule(step, stage),
    ),
    "one spare strike too many": ("spare_code", lambda rule: lambda number, left: rule(number - 1, left)),
    "spare strikes are forced whatever the switch": ("forced", lambda rule: lambda switch, left: left == 1),
    "the tapped stay": ("stay_code", lambda rule: lambda status: rule(UNTAPPED if status == TAPPED else status)),
    "targets support": ("support_code", lambda rule: lambda status, is_target: rule(status, False)),
    "two skills a strike": ("skill_code", lambda rule: lambda skills: rule(skills - 1)),
    "the tapped fight as well": ("of_status", lambda rule: lambda status: 0 if status == TAPPED else rule(status)),
    "staying costs 2": ("of_staying", lambda rule: lambda status, stance: max(-2, rule(status, stance))),
    "spare strikes weigh nothing": ("of_spare", lambda rule: lambda excess: 0),
    "supporters add nothing": ("of_support", lambda rule: lambda supporters: 0),
    "supporters do not tap": ("after_support", lambda rule: lambda status: status),
    "cards that lower prowess do not count": ("of_cards", lambda rule: lambda modifiers: max(0, modifiers)),
    "a tie defeats the strike": (
        "outcome",
        lambda rule: lambda total, against: rule(total + (total == against), against),
    ),
    "every strike has a body": ("has_body", lambda rule: lambda body: True),
    "its body defeats a strike": ("beats_strike", lambda rule: lambda total, body: total >= body),
    "his body eliminates a character": (
        "beats_character",
        lambda rule: lambda total, body, was_wounded: rule(total + 1, body, was_wounded),
    ),
    "the defender checks his own": ("checks", lambda rule: lambda of_strike: "defender"),
    "nobody taps": (
        "after_strike",
        lambda rule: lambda result, status, stance: rule(result, status, STAY),
    ),
    "a cancelled strike taps": (
        "after_cancelled",
        lambda rule: lambda status: TAPPED if status == UNTAPPED else status,
    ),
    "a tie defeats the attack": (
        "defeated",
        lambda rule: lambda results: rule([each for each in results if each != "ineffectual"]),
    ),
    "whatever is defeated gives points": (
        "gives_points",
        lambda rule: lambda source, number, attacks, all_beaten: rule("creature", number, attacks, all_beaten),
    ),
    "a cancelled attack was not faced": ("faced_when_cancelled", lambda rule: lambda: False),
    "safe at the points": ("corruption", lambda rule: lambda total, points: rule(total + 1, points)),
    "the last modifier counts alone": ("added", lambda rule: lambda modifier, another: another),
    "anybody's corruption loses the game": ("loses_game", lambda rule: lambda result, wizard: rule(result, True)),
    "the highest card counts alone": ("points_after", lambda rule: max),
}


def unnoticed(answers: int, seed: int) -> list[str]:
    """Return the broken rules that so many answers did not reveal."""
    return side_by_side.unnoticed(rules, BROKEN, compared, answers, seed)
