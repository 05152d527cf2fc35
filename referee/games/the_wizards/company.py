"""The company: entering its characters with few presses, its hazard limit, another company, another turn."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from referee.games.the_wizards.state import CHARACTER, HAZARD_LIMIT, NAMES, Character, Company, WizardsGame
from referee.games.the_wizards.tables import TAPPED, UNTAPPED, ask_number, numbers, values
from referee.rulebook import (
    YES_NO,
    Attempt,
    Bar,
    Bundle,
    Choose,
    Count,
    Option,
    Options,
    Procedure,
    Short,
    decide,
    section,
)

MOST = 12
"""Characters a company can have here; the rules set no limit."""


PRINTED = {"Bilbo": (1, 9), "Balin": (4, 7), "Bofur": (4, 7), "Beretar": (5, 8), "Beregond": (4, 8)}
"""The characters of the printed example. The rules print no prowess and body (0) of others."""
WIZARDS = ("Gandalf", "Saruman", "Radagast", "Alatar", "Pallando")
HOBBITS = ("Bilbo", "Frodo", "Sam", "Merry", "Pippin")
WIDE = ("Beregond", "Saruman", "Radagast", "Pallando", "Galadriel")
"""Names for which a line of the glass has no room."""
KNOWN = {
    name.lower(): Character(
        name.lower(),
        name,
        Short(f"{name[:5]}.", name) if name in WIDE else name,
        *PRINTED.get(name, (0, 0)),
        hobbit=name in HOBBITS,
        wizard=name in WIZARDS,
    )
    for name in (*PRINTED, *WIZARDS, "Aragorn", *HOBBITS[1:], "Elrond", "Galadriel")
}
PRESETS = {str(values(*each)): each for each in ((4, 7), (5, 8), (4, 8), (3, 7))}
WAYS = Options(
    (
        ("4/7", values(4, 7)),
        ("5/8", values(5, 8)),
        ("other", "Other values", "Other"),
        ("named", "By name", "By name"),
        ("done", "Done"),
        ("hobbit", "Hobbit"),
        ("wizard", "Wizard"),
        ("4/8", values(4, 8)),
        ("3/7", values(3, 7)),
        ("follower", "The last one follows", "Follows"),
        ("new-turn", "No company: new turn", "New turn"),
    )
)
NAMED = Options((k.id, k.name, "" if k.short == k.name else str(k.short)) for k in KNOWN.values())
FULL = Bar("ME-X10", f"A company here has at most {MOST} characters", firm=True)
PROWESS = numbers(CHARACTER["prowess"].low, CHARACTER["prowess"].high)
BODY = numbers(CHARACTER["body"].low, CHARACTER["body"].high)


@section("ME-50", title="Company")
def enter_company(game: WizardsGame) -> Procedure[None]:
    """Character after character; then the hazard limit. Without a company the next turn begins."""
    while (way := (yield from add_character(game))) not in ("done", "new-turn"):
        pass
    if way == "done":
        yield from set_limit(game)


@section("ME-50", "ME-64", title="Company")
def add_character(game: WizardsGame) -> Procedure[str]:
    """Add one character, or say that the last one is a follower; return what was answered."""
    n, bar, bundles = len(game.members) + 1, partial(bar_way, game), partial(example, game)
    text = Short(f"Character {n}: prowess/body?", f"Character {n}: which prowess and body?")
    shared: Any = {"rule": "ME-50", "seat": game.mover, "head": "Company", "tag": Short(f"no. {n}", f"number {n}")}
    default = None if game.members else "4/7"
    ask = Choose("company.add", text, WAYS, bar, default=default, passing="done", bundles=bundles, **shared)
    way = yield from decide(ask, cards=True)
    if way == "new-turn":
        yield from new_turn(game)
    elif way == "follower":
        *_, controller, last = game.members
        last.follows = controller.follows or controller.id
    elif way != "done":
        with Attempt(game):
            yield from enter_character(game, way)
    return way


def bar_way(game: WizardsGame, way: str) -> Bar | None:
    """Return ME-X10 where nobody can be added that way, or where the company is still empty."""
    if way == "done":
        return None if game.members else Bar("ME-X10", "A company needs a character", firm=True)
    if way == "new-turn":
        return Bar("ME-X10", "The company has characters", firm=True, aside=True) if game.members else None
    if way == "follower":
        follows = len(game.members) > 1 and not game.members[-1].follows
        text = "A follower comes after the character that controls it"
        return None if follows else Bar("ME-X10", text, firm=True, aside=True)
    if len(game.members) >= MOST:
        return FULL
    all_named = way == "named" and not game.alone and all(bar_name(game, k) for k in KNOWN)
    return Bar("ME-X10", "Every name is in a company already", firm=True) if all_named else None


def example(game: WizardsGame) -> tuple[Bundle, ...]:
    """Offer the company of the printed example before anything else is entered."""
    if game.members or len(game.companies) > 1 or game.turn > 1 or game.last.strikes:
        return ()
    named = ("bilbo", "balin", "bofur", "follower", "beretar", "beregond")
    answers = (*(answer for who in named for answer in (["named"] if who in KNOWN else []) + [who]), "done")
    return (Bundle("example", "The printed example", answers, "All five"),)


USUAL = {"hobbit": (1, 9), "wizard": (6, 9)}
SHORT_WORDS = {"Character": "Char", "Hobbit": "Hob", "Wizard": "Wiz"}


@section("ME-22", "ME-25", "ME-50", title="Character")
def enter_character(game: WizardsGame, way: str) -> Procedure[None]:
    """Add one character, asking for no more than is needed; hobbit and wizard propose their usual values."""
    ask = partial(ask_number, seat=game.mover)
    known = None
    if way == "named":
        text, bar, seat = "Which character is it?", partial(bar_name, game), game.mover
        who = yield Choose("company.name", text, NAMED, bar, rule="ME-50", seat=seat, head="Company", tag="name")
        known = KNOWN[who]
        way = "hobbit" if known.hobbit else "wizard" if known.wizard else way
    prowess, body = (known.prowess, known.body) if known else PRESETS.get(way, (0, 0))
    if not body:
        (prowess, body), who = USUAL.get(way, (4, 8)), known.short if known else f"no. {len(game.members) + 1}"
        text = Short("Prowess?", "What prowess has the character?")
        prowess = int((yield ask("company.prowess", text, PROWESS, prowess, "ME-22", "Prowess", who)))
        text = Short("Body?", "What body has the character?")
        body = int((yield ask("company.body", text, BODY, body, "ME-25", "Body", who)))
    game.members.append(replace(known or numbered(game, way), prowess=prowess, body=body))


def numbered(game: WizardsGame, way: str) -> Character:
    """Return a character without a name; one declared neither Hobbit nor Wizard may still be a Wizard."""
    game.numbered += 1
    n, word = game.numbered, way.capitalize() if way in USUAL else "Character"
    short = Short(f"{SHORT_WORDS[word]} {n}", f"{word} {n}")
    wizard = way == "wizard" if way in USUAL else None
    return Character(f"character-{n}", f"{word} {n}", short, 0, 0, hobbit=way == "hobbit", wizard=wizard)


def bar_name(game: WizardsGame, who: str) -> Bar | None:
    """Return ME-X10 for a character who is in a company already."""
    for company in game.companies:
        if any(member.id == who for member in company.members):
            return Bar("ME-X10", f"{KNOWN[who].name} is in a company of {NAMES[company.owner]} already", firm=True)
    return None


@section("ME-50", title="Hazard limit")
def set_limit(game: WizardsGame) -> Procedure[None]:
    """The size of the company proposes the limit; the players may enter another."""
    game.company.limit = yield lambda: Count(
        "company.limit",
        "Hazard limit of this company?",
        HAZARD_LIMIT.low,
        HAZARD_LIMIT.high,
        default=game.company.limit or game.proposed_limit,
        seat=game.mover,
        unit="hazards",
        one="hazard",
        rule="ME-50",
        head="Hazard limit",
    )


COMPANY = Option("new", "New company", "New")


@section("ME-52", title="Another company")
def another_company(game: WizardsGame) -> Procedure[None]:
    """Turn to another company of the player; each keeps its own hazards and attacks faced until the turn ends."""
    others = [at for at in game.own(game.player) if at != game.at and game.companies[at].members]
    names = [(str(at), f"Company {game.number(at)}", f"Comp. {game.number(at)}") for at in others]
    among, seat = Options((*names, COMPANY)), game.mover
    ask = Choose("company.which", "Which company?", among, head="Company", tag="which?", rule="ME-52", seat=seat)
    to = yield from decide(ask)
    if to == "new" and game.company.members:
        game.companies.append(Company(game.player))
        game.at = len(game.companies) - 1
    elif to == "new":
        game.companies[game.at] = Company(game.player)
    else:
        game.at = int(to)


@section("ME-51", "ME-61", title="New turn")
def new_turn(game: WizardsGame) -> Procedure[None]:
    """Begin the turn of the next player, whose tapped characters may untap."""
    game.next_turn()
    own = [member for at in game.own(game.player) for member in game.companies[at].members]
    if any(member.status == TAPPED for member in own):
        text, seat = "New turn: untap all characters?", game.player
        answer = yield Choose(
            "turn.untap", text, YES_NO, default="yes", rule="ME-10", head="New turn", tag="untap all?", seat=seat
        )
        if answer == "yes":
            untap_all(own)


def untap_all(characters: list[Character]) -> None:
    """Untap every tapped one of them; wounded ones stay wounded."""
    for member in characters:
        if member.status == TAPPED:
            member.status = UNTAPPED
