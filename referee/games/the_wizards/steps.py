"""What happens at any time, the steps before the throw for a strike, and why one is not open now."""

from __future__ import annotations

from functools import lru_cache

from referee.games.the_wizards import tables
from referee.games.the_wizards.company import untap_all
from referee.games.the_wizards.corruption import corruption_card, corruption_check
from referee.games.the_wizards.state import CHARACTER, LASTING, LIMIT, POINTS, VALUES, Character, WizardsGame
from referee.games.the_wizards.tables import TAPPED, ask_number, numbers, signed
from referee.rulebook import Attempt, Bar, Choose, Option, Options, Procedure, Reason, Ruling, decide, phrase, section
from referee.rulebook.asks import Among

UNTAP_ALL = Option("untap-all", "Untap all", "Untap")
NO_ONE = Option("none", "Nobody")
CHANGES = Options(
    (
        ("untapped", "Untapped", "Untap"),
        ("tapped", "Tapped", "Tap"),
        ("wounded", "Wounded", "Wound"),
        ("cp", "Corruption points", "CP"),
        ("leaves", "Leaves the company", "Leaves"),
        ("prowess", "Prowess"),
        ("body", "Body"),
        ("modifier", "Modifier of every check", "Check"),
        ("follows", "Follower of another", "Follows"),
        ("card-gone", "A corruption card goes", "CP card"),
    )
)
ALONE_CHANGES = CHANGES.only("untapped", "tapped", "wounded", "prowess", "body")
LAST_CHANGES = Options(
    each._replace(text="Leaves, and nobody is left") if each.id == "leaves" else each for each in CHANGES
)
EDITED = {
    "cp": ("corruption points", "CP", "ME-60", numbers(POINTS.low, POINTS.high)),
    "prowess": ("prowess", "prowess", "ME-22", numbers(CHARACTER["prowess"].low, CHARACTER["prowess"].high)),
    "body": ("body", "body", "ME-25", numbers(CHARACTER["body"].low, CHARACTER["body"].high)),
    "modifier": ("modifier of every check", "modifier", "ME-67", signed(LASTING.low, LASTING.high)),
}
"""For each value that can be set: how the question names it, its tag, its rule, its numbers."""
NOBODY_TAPPED = Bar("ME-X10", "Nobody is tapped", firm=True)
FREE = Option("nobody", "Nobody's follower", "Nobody")


@section("ME-10", title="Status")
def edit_status(game: WizardsGame) -> Procedure[None]:
    """A card taps, untaps, wounds or heals a character, changes a value for good, or takes the character away."""
    who = game.members[0].id
    if len(game.members) > 1:
        untap = None if any(c.status == TAPPED for c in game.members) else NOBODY_TAPPED
        text, among, bar = "Which character changes?", game.people(UNTAP_ALL, NO_ONE), {"untap-all": untap}.get
        who = yield Choose("status.who", text, among, bar, passing="none", rule="ME-10", head="Status", tag="who?")
    if who == "untap-all":
        untap_all(game.members)
    elif who != "none":
        yield from change_character(game, game.find(who))


@section("ME-10", "ME-60", title="Change")
def change_character(game: WizardsGame, who: Character) -> Procedure[None]:
    """Set the status or a value of one character, or let him leave."""
    bars = {}
    if not who.cards:
        bars["card-gone"] = Bar("ME-X10", f"{who.name} has no corruption card", firm=True)
    if len(game.members) == 1:
        bars["follows"] = Bar("ME-X10", f"{who.name} is alone", firm=True)
    text, now, head = f"{who.name} is {who.status}. Now?", who.status, who.short
    among = ALONE_CHANGES if game.alone else CHANGES if len(game.members) > 1 else LAST_CHANGES
    change = yield Choose("status.change", text, among, bars.get, default=now, rule="ME-10", head=head, tag="status")
    if change == "leaves":
        why: tuple[Reason, ...] = (("ME-50", phrase("{} left the company", who.name)), *game.freed(who.id))
        game.remove(who.id)
        game.rule(Ruling("left", phrase("{} left", who.short), ("ME-50",), why, {"who": who.id}))
    elif change == "follows":
        yield from follow(game, who)
    elif change == "card-gone":
        yield from lose_card(who)
    elif change in EDITED:
        name, tag, rule, among = EDITED[change]
        text, now = f"{who.name}: {name} now?", getattr(who, change)
        value = yield ask_number(f"status.{change}", text, among, now, rule, who.short, tag)
        setattr(who, change, int(value))
    else:
        who.status = change


@section("ME-64", "ME-65", title="Follower")
def follow(game: WizardsGame, who: Character) -> Procedure[None]:
    """Say whose follower a character is: the controller's end spares it."""
    others = Options(each for each in game.people(FREE) if each.id != who.id)
    text, now = f"Whose follower is {who.name}?", who.follows or None
    controller = yield Choose(
        "status.follows", text, others, default=now, rule="ME-64", head=who.short, tag="follows"
    )
    who.follows = "" if controller == "nobody" else controller


@section("ME-60", "ME-67", title="Corruption card")
def lose_card(who: Character) -> Procedure[None]:
    """A corruption card under a character is discarded, and its points with it."""
    text, cards = "Which corruption card goes?", sorted(set(who.cards))
    among = Options((str(n), tables.points(n), f"{n} CP") for n in cards)
    points = int((yield from decide(Choose("status.card", text, among, rule="ME-67", head=who.short, tag="card"))))
    left = list(who.cards)
    left.remove(points)
    who.cards, who.cp = tuple(left), max(0, who.cp - points)


# -- what can happen between the steps of an attack as well as between attacks: status, corruption checks and cards

STATUS = Option("status", "A character changes", "Status")
CHECK = Option("check", "Corruption check", "Check")
CARD = Option("card", "Corruption card", "CP")
ANYTIME = {"status": edit_status, "check": corruption_check, "card": corruption_card}


@section("ME-10", "ME-61", "ME-62", title="Any time")
def happens(game: WizardsGame, what: str) -> Procedure[None]:
    """Do one of these things; the players can still drop it."""
    with Attempt(game):
        yield from ANYTIME[what](game)


# -- the steps before the throw for a strike, and why a step is not open now

STEPS = Options(
    (
        ("tap", "Tap and roll", "Tap"),
        ("throw", "Roll"),
        ("stay", "-3, stay untapped", "-3"),
        ("support", "Support"),
        ("resource", "Resource"),
        ("skill", "Resource with a skill", "Skill"),
        ("cancel", "Cancel strike", "Cancel"),
        STATUS,
        ("strike", "Values of the strike", "Values"),
        ("body", "Body of the target", "Body"),
        CHECK,
        CARD,
        ("hazard", "Hazard on the strike", "Hazard"),
        ("excess", "Spare strikes", "Spare -1"),
    )
)
LAST_STEPS = Options(step._replace(text="Cancel the last strike") if step.id == "cancel" else step for step in STEPS)
"""The steps for the last strike of an attack: to cancel it ends the attack."""
ATTACKER_STEPS = Options(
    (
        STEPS.by_id["hazard"],
        STEPS.by_id["excess"],
        ("none", "Nothing on this strike", "None"),
        ("waive", "Nothing more this attack", "No more"),
        STATUS,
        CHECK,
        CARD,
    )
)
OTHER = Option("strike", "Values of the strike", "Values")
HAZARDS = signed(-4, 2, OTHER, Option("none", "No hazard", "None"))
RESOURCES = signed(0, 6, OTHER, Option("none", "No resource", "None"))
PROWESS = numbers(VALUES["prowess"].low, VALUES["prowess"].high)
BODIES = Options((Option("0", "No body", "-"), *numbers(1, VALUES["body"].high)))
NOBODY = Option("none", "Nobody", "None")
PASSED = "The attacker plays nothing more on this strike"


def bar_step(game: WizardsGame, step: str) -> Bar | None:
    """Return why a step is not open: X10, X01, X06, X07, X08, X09."""
    return BARS[step](game) if step in BARS else game.bar_anytime(step)


def elsewhere(game: WizardsGame, ask: Among, entry: str) -> str:
    """Return the refusal code of an entry that is no option: it is too late, not due, or not of the company."""
    if entry in ("strikes", "cancel-attack") and (game.attack or game.strike):
        return "ME-X05" if entry == "strikes" else "ME-X13"
    if entry == "outsider" and ask.key == "strike.support":
        return "ME-X08"
    out_of_step = ask.key == "strike.step" and entry in STEPS.by_id
    alone = ask.key == "status.change" and entry in CHANGES.by_id
    return "ME-X14" if entry == "body-check" else "ME-X10" if out_of_step or alone else ""


def steps(game: WizardsGame) -> Options:
    """Return the defender's steps: the target taps, or throws where that is settled."""
    last = game.attack is not None and list(game.attack.results.values()).count("") == 1
    return _steps(last, may_tap(game), game.alone)


@lru_cache
def _steps(last: bool, tap: bool, alone: bool) -> Options:  # noqa: FBT001
    out = {"throw" if tap else "tap", *(("check", "card") if alone else ())}
    return Options(step for step in (LAST_STEPS if last else STEPS) if step.id not in out)


def asks_attacker(game: WizardsGame) -> bool:
    """Whether the attacker is asked: he can still play something on the strike and has not said that he will not."""
    if game.alone:
        return False
    return not game.current_attack.waived and (_bar_hazard(game) is None or _bar_excess(game) is None)


def may_tap(game: WizardsGame) -> bool:
    """Whether the target may tap for the strike: it is untapped, and nothing has been chosen."""
    return not game.current_strike.stance and game.target.status == tables.UNTAPPED


def _bar_stay(game: WizardsGame) -> Bar | None:
    if game.current_strike.stance:
        return Bar("ME-X10", "Tapping or -3 has been chosen")
    if game.current_strike.stage > 3:
        return Bar("ME-X10", "The -3 comes before support and resources")
    if game.target.status == tables.UNTAPPED:
        return None
    return Bar("ME-X07", f"{is_now(game.target)}: only the untapped can take -3", firm=True)


def _bar_hazard(game: WizardsGame) -> Bar | None:
    if game.current_strike.stage > 1:
        return Bar("ME-X10", "Hazards come first; a later step has begun")
    if game.current_strike.passed:
        return Bar("ME-X10", PASSED)
    return None if game.alone or game.hazards_left else LIMIT


def _bar_excess(game: WizardsGame) -> Bar | None:
    never = game.attack is not None and not game.attack.had_excess
    if game.current_strike.stage > 2:
        return Bar("ME-X10", "Spare strikes come before the -3", aside=never)
    if game.current_strike.passed:
        return Bar("ME-X10", PASSED, aside=never)
    if never:
        return Bar("ME-X06", "This attack has no spare strikes", aside=True)
    return Bar("ME-X06", "No spare strike is left") if game.attack and not game.attack.excess else None


def _bar_support(game: WizardsGame) -> Bar | None:
    if game.attack is None or any(bar_supporter(game, c.id) is None for c in game.members):
        return None
    if game.attack.had_excess:
        return Bar("ME-X08", "Everybody has a strike of this attack", aside=True)
    return Bar("ME-X08", "Nobody is untapped and without a strike")


def _bar_skill(game: WizardsGame) -> Bar | None:
    return Bar("ME-X09", "A resource with a skill was played on this strike") if game.current_strike.skills else None


BARS = {"stay": _bar_stay, "hazard": _bar_hazard, "excess": _bar_excess, "support": _bar_support, "skill": _bar_skill}


def bar_excess(game: WizardsGame, count: int) -> Bar | None:
    """Return ME-X06 beyond the spare strikes left."""
    if game.alone or count <= game.current_attack.excess:
        return None
    left = game.current_attack.excess
    return Bar("ME-X06", f"Only {tables.strikes(left)} {'is' if left == 1 else 'are'} left to spare")


def bar_supporter(game: WizardsGame, who: str) -> Bar | None:
    """Return ME-X08 for a character who cannot support the target (ME-14)."""
    if who == "none":
        return None
    member = game.find(who)
    if who == game.current_strike.target:
        return Bar("ME-X08", f"{member.name} is the target and cannot support himself", firm=True)
    if who in game.current_attack.results:
        return Bar("ME-X08", f"{member.name} has a strike of this attack")
    if member.status == tables.UNTAPPED:
        return None
    return Bar("ME-X08", f"{is_now(member)}: only the untapped can support")


def is_now(member: Character) -> str:
    """Return "Bilbo is tapped"."""
    return f"{member.name} is {member.status}"
