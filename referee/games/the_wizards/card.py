"""The card of an attack: its source, strikes, prowess and body; its kind where somebody enters it."""

from __future__ import annotations

from functools import partial

from referee.games.the_wizards.state import LIMIT, STRIKES, Attack, Card, WizardsGame
from referee.games.the_wizards.steps import BODIES, PROWESS
from referee.games.the_wizards.words import numbers, strikes, values
from referee.rulebook import Bar, Bundle, Choose, Options, Procedure, Short, phrase, section

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
NOTES = (("ME-53", "What it is keyed to decides what cancels it"),)


@section("ME-1", "ME-2", "ME-50", title="Card")
def declare(game: WizardsGame) -> Procedure[None]:
    """Source, strikes, prowess, body; nothing is counted before all of it is known."""
    game.attack = None
    source = yield lambda: Choose(
        "attack.source",
        "What attacks?",
        SOURCES,
        partial(bar_source, game),
        rule="ME-1",
        head="Attack",
        tag=f"hazards {game.hazards}/{game.company.limit}",
        notes=NOTES,
        bundles=partial(cards, game),
    )
    game.card = Card(source)
    if source == "creature-again":
        attacks = yield Choose(
            "attack.attacks",
            "How many attacks does the card have?",
            numbers(2, 7),
            rule="ME-32",
            head="Attack",
            tag="attacks",
        )
        game.entry.points = int(attacks)
    yield from printed_values(game)
    game.counted()
    card = game.last = game.card
    several = card.source == "creature-again"
    source, of = ("creature", game.entry.points) if several else (card.source, 1)
    game.attack = Attack(source, strikes=card.strikes, prowess=card.prowess, body=card.body, of=of)
    if card.source in HAZARD_CARDS:
        game.play_hazard()


@section("ME-2", title="Strikes of the card")
def printed_values(game: WizardsGame) -> Procedure[None]:
    """Number of strikes, prowess and body; the encoder begins at those of the last card."""
    last = game.last
    answer = yield Choose(
        "attack.strikes", "How many strikes?", COUNT, default=str(last.strikes or 1), rule="ME-2",
        head="Attack", tag="strikes",
    )  # fmt: skip
    game.card.strikes = int(answer)
    answer = yield Choose(
        "attack.prowess", "Prowess of a strike?", PROWESS, default=str(last.prowess or 8), rule="ME-22",
        head="Attack", tag="prowess",
    )  # fmt: skip
    game.card.prowess = int(answer)
    answer = yield Choose(
        "attack.body", "Body of a strike?", BODIES, default=str(last.body), rule="ME-24", head="Attack", tag="body"
    )
    game.card.body = int(answer)


@section("ME-52", title="Kind")
def enter_kind(game: WizardsGame) -> Procedure[None]:
    """Say of what kind the attack is, for cards that ask what the company has faced."""
    kind = yield Choose("attack.kind", "Of what kind?", KINDS, rule="ME-52", head="Attack", tag="kind")
    game.current_attack.kind = game.last.kind = kind


def bar_source(game: WizardsGame, source: str) -> Bar | None:
    """Return ME-X01 for a hazard beyond the limit (ME-50, ME-51)."""
    return LIMIT if source in HAZARD_CARDS and game.hazards >= game.company.limit else None


def strikes_of(name: str, count: int, prowess: int, body: int) -> Short:
    """Write an attack: "Orcs 5x 4/-"."""
    return phrase(Short("{} {}x {}", "{}: {} at {}"), name, Short(str(count), strikes(count)), values(prowess, body))


def cards(game: WizardsGame) -> tuple[Bundle, ...]:
    """Offer the last card again, then the creatures the rules print."""
    bundles = []
    last = game.last
    if last.strikes and last.source != "creature-again" and bar_source(game, last.source) is None:
        answers = (last.source, str(last.strikes), str(last.prowess), str(last.body))
        kind = ("kind", last.kind) if last.kind else ()
        text = strikes_of(KINDS.by_id[last.kind].text if kind else "Again", last.strikes, last.prowess, last.body)
        bundles.append(Bundle("same-again", text, (*answers, *kind), "Again"))
    if bar_source(game, "creature") is None:
        bundles += [Bundle(name, text, answers, short) for name, (text, short, answers) in PRINTED.items()]
    return tuple(bundles)
