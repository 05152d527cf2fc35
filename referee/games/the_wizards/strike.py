"""One strike: the steps before the dice in their binding order, the throw, the body check."""

from __future__ import annotations

from functools import partial

from referee.games.the_wizards import strikes, verdict
from referee.games.the_wizards.edit import edit_status
from referee.games.the_wizards.state import ATTACKER, DEFENDER, Entry, Strike, WizardsGame
from referee.games.the_wizards.words import STATUS, numbers, people, signed, values
from referee.rulebook import YES_NO, Attempt, Bar, Choose, Count, Option, Options, Procedure, Roll, section

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
UPRIGHT_ONLY = Bar("ME-X07", "Only an untapped target can take -3", firm=True)
PAST_HAZARDS = Bar("ME-X10", "Hazards come first; a later step has begun")
LIMIT = Bar("ME-X01", "The hazard limit is reached")
PAST_EXCESS = Bar("ME-X10", "Spare strikes come before the -3")
NO_EXCESS = Bar("ME-X06", "No spare strike is left")
NEVER_EXCESS = Bar("ME-X06", "This attack has no strikes to spare", aside=True)
TOO_MANY = Bar("ME-X06", "So many spare strikes are not left")
NO_SUPPORT = Bar("ME-X08", "Nobody is untapped and without a strike")
ALL_TARGETS = Bar("ME-X08", "Everybody has a strike of this attack", aside=True)
HIMSELF = Bar("ME-X08", "He cannot support himself", firm=True, aside=True)
HAS_STRIKE = Bar("ME-X08", "Has a strike of this attack")
NOT_UNTAPPED = Bar("ME-X08", "Is not untapped")
NOT_HERE = Bar("ME-X08", "Only the same company supports", firm=True, aside=True)
SECOND_SKILL = Bar("ME-X09", "A card with a skill was played on this strike")
STRIKES_FIXED = Bar("ME-X05", "Strikes are fixed once the first is assigned", firm=True, aside=True)
CANCEL_STRIKE = Bar("ME-X13", "Targets are fixed: cancel the strike instead", firm=True, aside=True)
NO_CHECK = Bar("ME-X14", "No body check is due", firm=True, aside=True)
ALONE = Bar("ME-X10", "This ruling has no attack around it", firm=True, aside=True)

LATE_ENTRIES = {"strikes": STRIKES_FIXED, "cancel-attack": CANCEL_STRIKE, "body-check": NO_CHECK}


@section("ME-21", title="Strike")
def settle_strike(game: WizardsGame) -> Procedure[None]:
    """Everything that matters is settled in its order; then the dice."""
    while True:
        game.blow.leaning = ""
        game.entry = Entry()
        step = yield Choose(
            "strike.step",
            f"{game.find(game.blow.target).name}: what next?",
            STEPS,
            partial(bar_step, game),
            default="tap" if bar_step(game, "tap") is None else "throw",
            rule="ME-21",
            head=band(game),
            tag="strike",
        )
        if step in ("tap", "stay", "throw"):
            if step != "throw":
                game.blow.stance = step
            yield from throw_strike(game)
            return
        if step == "cancel":
            finish(game, "cancelled")
            return
        with Attempt(game):
            yield from STEP[step](game)


def bar_step(game: WizardsGame, step: str) -> Bar | None:
    """Return why a step is not open: X05, X13, X14 for what is too late, then X10, X01, X06, X07, X08."""
    found = LATE_ENTRIES.get(step)
    if found is not None or step in ("cancel", "status", "strike", "resource"):
        return found
    return BARS[step](game)


def _bar_tap(game: WizardsGame) -> Bar | None:
    upright = game.find(game.blow.target).status == strikes.UNTAPPED
    return None if upright and not game.blow.stance else NOT_TAPPING


def _bar_throw(game: WizardsGame) -> Bar | None:
    return CHOOSE_FIRST if _bar_tap(game) is None else None


def _bar_stay(game: WizardsGame) -> Bar | None:
    if game.blow.stance or game.blow.stage > 3:
        return CHOSEN
    return None if game.find(game.blow.target).status == strikes.UNTAPPED else UPRIGHT_ONLY


def _bar_hazard(game: WizardsGame) -> Bar | None:
    if game.blow.stage > 1:
        return PAST_HAZARDS
    return LIMIT if not game.alone and game.hazards >= game.company.limit else None


def _bar_excess(game: WizardsGame) -> Bar | None:
    if not game.foe.had_excess and not game.alone:
        return NEVER_EXCESS
    if game.blow.stage > 2:
        return PAST_EXCESS
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
    "tap": _bar_tap,
    "throw": _bar_throw,
    "stay": _bar_stay,
    "hazard": _bar_hazard,
    "excess": _bar_excess,
    "support": _bar_support,
}


@section("ME-21", "ME-51", title="Hazards on the strike")
def play_hazard(game: WizardsGame) -> Procedure[None]:
    """Step 1: the attacker plays one hazard on the strike; it counts against the limit."""
    change = yield Choose(
        "strike.hazard",
        "Hazard: what does it change?",
        HAZARDS,
        passing="none",
        seat=ATTACKER,
        rule="ME-51",
        head=band(game),
        tag="hazard",
    )
    if change == "none":
        return
    if not game.alone:
        game.counted()
        game.hazards += 1
    if change == "strike":
        yield from change_values(game)
    else:
        game.blow.hazards += int(change)


@section("ME-5", "ME-21", title="Spare strikes")
def spend_excess(game: WizardsGame) -> Procedure[None]:
    """Step 2: the attacker puts some of the remaining -1s on this target."""
    count = yield Count(
        "strike.excess",
        "How many spare strikes on this target?",
        1,
        max(6, 0 if game.alone else game.foe.excess),
        partial(bar_excess, game),
        default=1,
        unit="-1 each",
        seat=ATTACKER,
        rule="ME-5",
        head=band(game),
        tag="spare",
    )
    put_excess(game, count)


def put_excess(game: WizardsGame, count: int) -> None:
    """Put so many -1s on the target of the strike and take them out of the pool."""
    game.blow.stage = max(game.blow.stage, 2)
    game.blow.excess += count
    if not game.alone:
        game.foe.excess = max(0, game.foe.excess - count)


def bar_excess(game: WizardsGame, count: int) -> Bar | None:
    """Return ME-X06 beyond the pool."""
    return TOO_MANY if not game.alone and count > game.foe.excess else None


@section("ME-11", "ME-12", "ME-21", title="Tap or -3")
def choose_stance(game: WizardsGame) -> Procedure[None]:
    """Step 3: an untapped target taps, or takes -3; settled before step 4 begins."""
    if _bar_tap(game) is None:
        stance = yield Choose(
            "strike.stance",
            f"{game.find(game.blow.target).name} taps, or stays untapped at -3?",
            STANCES,
            default="tap",
            seat=DEFENDER,
            rule="ME-12",
            head=band(game),
            tag="tap or -3",
        )
        game.blow.leaning = stance


def play_last(game: WizardsGame) -> None:
    """Count a card or helper of step 4: what was said of tapping is settled, and the steps before are closed."""
    game.blow.stance = game.blow.stance or game.blow.leaning
    game.blow.stage = 4


@section("ME-14", title="Support")
def add_support(game: WizardsGame) -> Procedure[None]:
    """Step 4: an untapped companion without a strike taps for +1."""
    yield from choose_stance(game)
    if game.alone:
        count = yield Count(
            "strike.supporters",
            "How many tap to support?",
            1,
            6,
            seat=DEFENDER,
            rule="ME-14",
            unit="+1 each",
            head=band(game),
            tag="support",
        )
        play_last(game)
        game.blow.supporters += count
        return
    who = yield Choose(
        "strike.support",
        "Who taps to support?",
        people(game, OUTSIDER, NOBODY),
        partial(bar_supporter, game),
        passing="none",
        seat=DEFENDER,
        rule="ME-14",
        head=band(game),
        tag="support",
    )
    if who != "none":
        game.counted()
        play_last(game)
        game.blow.supporters += 1
        game.tap(who)


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


@section("ME-13", title="Resources on the strike")
def play_resource(game: WizardsGame) -> Procedure[None]:
    """Step 4: the defender plays one resource on the strike; only one that needs a skill."""
    yield from choose_stance(game)
    change = yield Choose(
        "strike.resource",
        "Resource: what does it change?",
        RESOURCES,
        passing="none",
        seat=DEFENDER,
        rule="ME-13",
        head=band(game),
        tag="resource",
    )
    if change == "none":
        return
    skill = yield Choose(
        "strike.skill",
        "Does the card need a skill?",
        YES_NO,
        partial(bar_skill, game),
        default="no",
        seat=DEFENDER,
        rule="ME-13",
        head=band(game),
        tag="skill?",
    )
    play_last(game)
    game.blow.skills += skill == "yes"
    if change == "strike":
        yield from change_values(game)
    else:
        game.blow.resources += int(change)


def bar_skill(game: WizardsGame, answer: str) -> Bar | None:
    """Return ME-X09 for a second card that needs a skill."""
    return SECOND_SKILL if answer == "yes" and game.blow.skills > 0 else None


@section("ME-22", title="Values of the strike")
def change_values(game: WizardsGame) -> Procedure[None]:
    """A card gives this one strike another prowess or body."""
    answer = yield Choose(
        "strike.prowess",
        "Prowess of this strike?",
        numbers(1, 25),
        default=str(max(1, game.blow.prowess)),
        rule="ME-22",
        head=band(game),
        tag="prowess",
    )
    game.entry.points = int(answer)
    answer = yield Choose(
        "strike.body",
        "Body of this strike?",
        BODIES,
        default=str(game.blow.body),
        rule="ME-24",
        head=band(game),
        tag="body",
    )
    game.blow.prowess, game.blow.body = game.entry.points, int(answer)


STEP = {
    "hazard": play_hazard,
    "excess": spend_excess,
    "support": add_support,
    "resource": play_resource,
    "status": edit_status,
    "strike": change_values,
}


@section("ME-20", "ME-22", "ME-23", title="Dice")
def throw_strike(game: WizardsGame) -> Procedure[None]:
    """The defender throws; what follows from it is settled at once."""
    faces = yield Roll(
        "strike.dice",
        "Throw for the strike",
        2,
        total=True,
        code="ME-X12",
        wanted=partial(verdict.wanted, game),
        odds=partial(verdict.strike_odds, game),
        seat=DEFENDER,
        rule="ME-22",
        head=band(game),
    )
    game.counted()
    strike, target = game.blow, game.find(game.blow.target)
    strike.faces, strike.modified, strike.before = faces, game.modified(), target.status
    strike.kind = strikes.outcome(sum(faces) + strike.modified, strike.prowess)
    target.status = strikes.status_after(target.status, strike.kind, stays=game.stays())
    if strikes.check_due(strike.kind, strike.body):
        yield from body_check(game)
    else:
        finish(game, strikes.result(strike.kind, 0, strike.body, 0, wounded=False))


@section("ME-24", "ME-25", title="Body check")
def body_check(game: WizardsGame) -> Procedure[None]:
    """A wounded character's (the attacker throws) or a failed strike's (the defender throws)."""
    of_character = game.blow.kind == strikes.SUCCESSFUL
    of = "character" if of_character else "strike"
    faces = yield Roll(
        f"{of}.body",
        f"Body check: {'character' if of_character else 'strike'}",
        2,
        total=True,
        code="ME-X12",
        wanted=lambda: verdict.check_wanted(*checked(game)),
        odds=lambda: strikes.check_odds(*checked(game)),
        seat=ATTACKER if of_character else DEFENDER,
        rule="ME-25" if of_character else "ME-24",
        head=f"{game.find(game.blow.target).short} body" if of_character else "Strike body",
    )
    _, body, wounded = checked(game)
    finish(game, strikes.result(game.blow.kind, sum(faces), body, body, wounded=wounded), faces)


def checked(game: WizardsGame) -> tuple[str, int, bool]:
    """Return what the body check under way is of: character or strike, its body, whether +1 is due."""
    strike = game.blow
    if strike.kind == strikes.SUCCESSFUL:
        return "character", game.find(strike.target).body, strike.before == strikes.WOUNDED
    return "strike", max(1, strike.body), False


def finish(game: WizardsGame, result: str, check: tuple[int, ...] = ()) -> None:
    """Rule on the strike and note how it ended."""
    target = game.blow.target
    if result == "cancelled":
        game.counted()
        game.rule(verdict.cancelled(game))
    else:
        game.rule(verdict.strike_ruling(game, result, check))
    if game.attack is not None:
        game.attack.results[target] = result
    if result == "eliminated":
        game.remove(target)
    game.strike = None


def begin(game: WizardsGame, target: str, prowess: int, body: int) -> None:
    """Take up a strike, with nothing settled yet."""
    game.strike = Strike(target, prowess, body)


def band(game: WizardsGame) -> str:
    """Return what the band says: "Bilbo v 7/-"."""
    strike = game.blow
    return f"{game.find(strike.target).short} v {values(strike.prowess, strike.body)}"
