"""The card of an attack, and who takes which strike: first the defender names targets, then the attacker."""

from __future__ import annotations

from functools import partial

from referee.games.the_wizards import steps
from referee.games.the_wizards.state import LIMIT, NAMES, STRIKES, Attack, Card, WizardsGame
from referee.games.the_wizards.tables import UNTAPPED, ask_number, numbers, strikes, values
from referee.rulebook import Attempt, Bar, Bundle, Choose, Option, Options, Procedure, Short, decide, phrase, section

SOURCES = Options(
    (
        ("creature", "Creature"),
        ("automatic-attack", "Automatic-attack", "Site"),
        ("creature-again", "Creature, more attacks", "Several"),
        ("hazard", "Other hazard", "Hazard"),
        ("other", "Other card", "Card"),
    )
)
HAZARD_CARDS = ("creature", "creature-again", "hazard")
KINDS = Options(
    (
        ("orc", "Orcs"),
        ("troll", "Trolls"),
        ("wolf", "Wolves"),
        ("undead", "Undead"),
        ("other", "Other"),
        ("man", "Men"),
        ("giant", "Giant"),
        ("spider", "Spiders"),
        ("dragon", "Dragon"),
        ("animal", "Animals"),
    )
)
PRINTED = {
    "orc-warband": ("Orc-warband", "5x 4/-", ("creature", "5", "4", "0", "kind", "orc")),
    "giant": ("Giant", "1x 13/-", ("creature", "1", "13", "0", "kind", "giant")),
}
"""Creatures of the printed example, as answers: strikes, prowess, body (0 for "-"), kind."""
COUNT = numbers(1, STRIKES.high)


@section("ME-1", "ME-2", "ME-50", title="Card")
def declare(game: WizardsGame) -> Procedure[None]:
    """Source, strikes, prowess, body, each beginning at that of the last card; counted once all of it is known."""
    game.attack = None
    if len(game.marshalling) > 2:
        yield from who_attacks(game)
    source = yield lambda: Choose(
        "attack.source",
        "What attacks?",
        SOURCES,
        partial(bar_source, game),
        rule="ME-1",
        head="Attack",
        tag=f"hazards {game.hazards}/{game.company.limit}",
        notes=("ME-53",),
        bundles=partial(cards, game),
    )
    of = 1
    if source == "creature-again":
        text = "How many attacks does the card have?"
        of = int((yield Choose("attack.attacks", text, numbers(2, 7), rule="ME-32", head="Attack", tag="attacks")))
    last, ask = game.last, partial(ask_number, head="Attack", seat=game.attacker)
    strikes = yield ask("attack.strikes", "How many strikes?", COUNT, last.strikes or 1, "ME-2", tag="strikes")
    prowess = yield ask(
        "attack.prowess", "Prowess of a strike?", steps.PROWESS, last.prowess or 8, "ME-22", tag="prowess"
    )
    body = yield ask("attack.body", "Body of a strike?", steps.BODIES, last.body, "ME-24", tag="body")
    game.counted()
    card = Card(source, "", int(strikes), int(prowess), int(body))
    if (card.strikes, card.prowess, card.body) == (last.strikes, last.prowess, last.body):
        card.points = last.points
    game.last = card
    source = "creature" if source == "creature-again" else source
    game.attack = Attack(source, strikes=card.strikes, prowess=card.prowess, body=card.body, of=of)
    if card.source in HAZARD_CARDS:
        game.play_hazard()


@section("ME-1", title="Attacker")
def who_attacks(game: WizardsGame) -> Procedure[None]:
    """One of several opponents plays the hazards; the encoder begins at the one who did last."""
    game.attacking = yield from decide(
        lambda: Choose(
            "attack.by",
            "Which player attacks?",
            Options((p, NAMES[p]) for p in game.marshalling if p not in (game.player, *game.gone)),
            default=game.attacking,
            rule="ME-1",
            head="Attack",
            tag="who?",
        )
    )


@section("ME-52", title="Kind")
def enter_kind(game: WizardsGame) -> Procedure[None]:
    """Say of what kind the attack is, for cards that ask what the company has faced."""
    kind = yield Choose("attack.kind", "Of what kind?", KINDS, rule="ME-52", head="Attack", tag="kind")
    game.current_attack.kind = game.last.kind = kind


def bar_source(game: WizardsGame, source: str) -> Bar | None:
    """Return ME-X01 for a hazard beyond the limit (ME-50, ME-51)."""
    return LIMIT if source in HAZARD_CARDS and game.hazards >= game.company.limit else None


def cards(game: WizardsGame) -> tuple[Bundle, ...]:
    """Offer the last card again, then the creatures the rules print."""
    bundles = []
    last = game.last
    if last.strikes and last.source != "creature-again" and bar_source(game, last.source) is None:
        answers = (last.source, str(last.strikes), str(last.prowess), str(last.body))
        kind = ("kind", last.kind) if last.kind else ()
        name, count = (
            KINDS.by_id[last.kind].text if kind else "Again",
            Short(str(last.strikes), strikes(last.strikes)),
        )
        text = phrase(Short("{} {}x {}", "{}: {} at {}"), name, count, values(last.prowess, last.body))
        bundles.append(Bundle("same-again", text, (*answers, *kind), "Again"))
    if bar_source(game, "creature") is None:
        bundles += [Bundle(name, text, answers, short) for name, (text, short, answers) in PRINTED.items()]
    return tuple(bundles)


# -- who takes which strike: first the defender names targets, then the attacker

ALWAYS = (
    steps.STATUS,
    Option("strikes", "Number of strikes", "Strikes"),
    Option("cancel-attack", "Cancel attack", "Cancel"),
    steps.CHECK,
    steps.CARD,
)
"""What is offered besides the targets while none is named yet."""
LEAVE_REST = Option("done", "Leave the rest", "Leave")
NO_TARGETS = {option.id for option in (*ALWAYS, LEAVE_REST)}


@section("ME-2", "ME-3", "ME-4", "ME-5", title="Assigning strikes")
def assign(game: WizardsGame) -> Procedure[bool]:
    """Name targets while there is a choice; return False if the attack is cancelled after all."""
    while 0 < game.unassigned < len(game.free):
        if (yield from name_target(game, defends=defender_first(game))) == "cancel-attack":
            return False
    attack = game.current_attack
    if game.unassigned:
        attack.results |= dict.fromkeys(game.free, "")
    attack.excess = game.unassigned
    attack.had_excess = attack.excess > 0
    return True


def defender_first(game: WizardsGame) -> bool:
    """Whether the next target is the defender's to name: until he leaves the rest, or the attacker has named one.

    While nobody is untapped he has nobody to name. But a defender who has just changed a status is asked again, as
    the next card may untap somebody.
    """
    attack = game.current_attack
    if attack.by_attacker or attack.rest_left:
        return False
    return attack.tapping or any(bar_defender(game, c.id) is None for c in game.members)


@section("ME-3", "ME-4", title="Target")
def name_target(game: WizardsGame, *, defends: bool) -> Procedure[str]:
    """Ask the defender, who may leave the rest, or else the attacker for the next target; return the answer.

    Once a target is named, the attack stands as it is.
    """
    side = "defender" if defends else "attacker"

    bar = partial(bar_defender if defends else bar_attacker, game)
    left, text = game.unassigned, "Who takes a strike?" if defends else "Who is attacked?"
    besides = (steps.STATUS, steps.CHECK, steps.CARD) if game.current_attack.results else ALWAYS
    answer: str = yield Choose(
        f"assign.{side}",
        f"{text} {strikes(left)} left",
        game.people(*([LEAVE_REST] if defends else []), *besides),
        bar,
        default=next((c for c in game.free if bar(c) is None), "status"),
        passing="done" if defends else None,
        seat=game.defender if defends else game.attacker,
        rule="ME-3" if defends else "ME-4",
        head=side.capitalize(),
        tag=f"{left} left",
    )
    game.current_attack.tapping = defends and answer == "status"
    game.current_attack.rest_left |= answer == "done" or (not defends and answer in game.free)
    if answer in steps.ANYTIME:
        yield from steps.happens(game, answer)
    elif answer == "strikes":
        with Attempt(game):
            yield from change_attack(game, answer)
    elif answer not in ("cancel-attack", "done"):
        game.current_attack.results[answer] = ""
    return answer


CHANGES = {
    "strikes": ("How many strikes now?", "ME-6", numbers(STRIKES.low, STRIKES.high)),
    "prowess": ("Prowess of each strike now?", "ME-22", steps.PROWESS),
    "body": ("Body of each strike now?", "ME-24", steps.BODIES),
}
"""The values of the attack that cards change: text of the question, rule, numbers."""


@section("ME-6", title="Values of the attack")
def change_attack(game: WizardsGame, what: str) -> Procedure[None]:
    """A card changes the number of strikes, or the prowess or body of all of them. ``what``: a key of `CHANGES`."""
    text, rule, among = CHANGES[what]
    now = getattr(game.current_attack, what)
    answer = yield ask_number(f"change.{what}", text, among, now, rule, "Attack", what)
    setattr(game.current_attack, what, int(answer))


def bar_attacker(game: WizardsGame, answer: str) -> Bar | None:
    """Return why a strike cannot go there: X04, X03."""
    if answer in NO_TARGETS:
        return game.bar_anytime(answer)
    if not game.unassigned:
        return Bar("ME-X04", "The attack has no more strikes", firm=True)
    if answer in game.current_attack.results:
        return Bar("ME-X03", f"{game.find(answer).name} has a strike of this attack already", firm=True)
    return None


def bar_defender(game: WizardsGame, answer: str) -> Bar | None:
    """Return what `bar_attacker` does, and X02 for a character who is not untapped (ME-3)."""
    bar = bar_attacker(game, answer)
    if bar is not None or answer in NO_TARGETS:
        return bar
    member = game.find(answer)
    if member.status == UNTAPPED:
        return None
    return Bar("ME-X02", f"{steps.is_now(member)}: the defender picks the untapped")
