"""Changes that cards make to a character, entered by the players at any question before the throw."""

from __future__ import annotations

from functools import partial

from referee.games.the_wizards.state import CHARACTER, POINTS, Character, WizardsGame
from referee.games.the_wizards.strikes import TAPPED, UNTAPPED
from referee.games.the_wizards.words import numbers, people
from referee.rulebook import Bar, Choose, Option, Options, Procedure, Ruling, phrase, section

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
    )
)
LAST_CHANGES = Options(
    each._replace(text="Leaves, and nobody is left") if each.id == "leaves" else each for each in CHANGES
)
VALUES = {
    "cp": ("corruption points", "CP", "ME-60", numbers(POINTS.low, POINTS.high)),
    "prowess": ("prowess", "prowess", "ME-22", numbers(CHARACTER["prowess"].low, CHARACTER["prowess"].high)),
    "body": ("body", "body", "ME-25", numbers(CHARACTER["body"].low, CHARACTER["body"].high)),
}
"""For each value that can be set: how the question names it, its tag, its rule, its numbers."""
NOBODY_TAPPED = Bar("ME-X10", "Nobody is tapped", firm=True)
NO_COMPANY = Bar("ME-X10", "A single ruling has no company", firm=True, aside=True)


@section("ME-10", title="Status")
def edit_status(game: WizardsGame) -> Procedure[None]:
    """A card taps, untaps, wounds or heals a character, changes a value for good, or takes the character away."""
    if len(game.members) == 1:
        yield from change_character(game, game.members[0].id)
        return
    who = yield Choose(
        "status.who",
        "Which character changes?",
        people(game, UNTAP_ALL, NO_ONE),
        partial(bar_who, game),
        passing="none",
        rule="ME-10",
        head="Status",
        tag="who?",
    )
    if who == "untap-all":
        untap_all(game.members)
    elif who != "none":
        yield from change_character(game, who)


def untap_all(characters: list[Character]) -> None:
    """Untap every tapped one of them; wounded ones stay wounded."""
    for member in characters:
        if member.status == TAPPED:
            member.status = UNTAPPED


@section("ME-10", "ME-60", title="Change")
def change_character(game: WizardsGame, who: str) -> Procedure[None]:
    """Set the status or a value of one character, or let him leave."""
    change = yield lambda: Choose(
        "status.change",
        f"{game.find(who).name} is {game.find(who).status}. Now?",
        CHANGES if len(game.members) > 1 else LAST_CHANGES,
        partial(bar_change, game),
        default=game.find(who).status,
        rule="ME-10",
        head=game.find(who).short,
        tag="status",
    )
    if change == "leaves":
        leave(game, who)
    elif change in VALUES:
        name, tag, rule, among = VALUES[change]
        value = yield lambda: Choose(
            f"status.{change}",
            f"{game.find(who).name}: {name} now?",
            among,
            default=str(getattr(game.find(who), change)),
            rule=rule,
            head=game.find(who).short,
            tag=tag,
        )
        setattr(game.find(who), change, int(value))
    else:
        game.find(who).status = change


def leave(game: WizardsGame, who: str) -> None:
    """Take a character out of the company because a card says so."""
    member = game.find(who)
    game.remove(who)
    game.rule(
        Ruling(
            "left",
            phrase("{} left", member.short),
            ("ME-50",),
            (("ME-50", phrase("{} left the company", member.name)),),
            {"who": who},
        )
    )


def bar_who(game: WizardsGame, who: str) -> Bar | None:
    """Return ME-X10 for untapping all where nobody is tapped."""
    if who == "untap-all" and all(c.status != TAPPED for c in game.members):
        return NOBODY_TAPPED
    return None


def bar_change(game: WizardsGame, change: str) -> Bar | None:
    """Return ME-X10 for what a single ruling has not: corruption points, and a company to leave."""
    return NO_COMPANY if game.alone and change in ("cp", "leaves") else None
