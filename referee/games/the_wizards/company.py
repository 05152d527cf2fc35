"""The company: entering its characters with few presses, its hazard limit, and turning to another one."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from referee.games.the_wizards.state import CHARACTER, HAZARD_LIMIT, Character, Company, Input, WizardsGame
from referee.games.the_wizards.tables import ask_number, numbers, values
from referee.rulebook import Attempt, Bar, Bundle, Choose, Count, Option, Options, Procedure, Short, decide, section

MOST = 12
"""Characters a company can have here; the rules set no limit."""


KNOWN = {
    k.id: k
    for k in (
        Character("bilbo", "Bilbo", "Bilbo", 1, 9, hobbit=True, wizard=False),
        Character("balin", "Balin", "Balin", 4, 7, wizard=False),
        Character("bofur", "Bofur", "Bofur", 4, 7, wizard=False),
        Character("beretar", "Beretar", "Beretar", 5, 8, wizard=False),
        Character("beregond", "Beregond", Short("Bereg.", "Beregond"), 4, 8, wizard=False),
    )
}
"""The characters of the printed example."""
PRESETS = {str(printed): each for each in ((4, 7), (5, 8), (4, 8), (3, 7)) for printed in (values(*each),)}
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
    )
)
JOINING = Options(option for option in WAYS if option.id != "done")
NAMES = Options((k.id, k.name, "" if k.short == k.name else str(k.short)) for k in KNOWN.values())
NONE_YET = Bar("ME-X10", "A company needs a character", firm=True)
FULL = Bar("ME-X10", f"A company here has at most {MOST} characters", firm=True)
ALL_NAMED = Bar("ME-X10", "Every name is in a company already", firm=True)
PROWESS = numbers(CHARACTER["prowess"].low, CHARACTER["prowess"].high)
BODY = numbers(CHARACTER["body"].low, CHARACTER["body"].high, first=5)


@section("ME-50", title="Company")
def enter_company(game: WizardsGame) -> Procedure[None]:
    """Character after character, by prowess/body or by name; then the hazard limit."""
    while True:
        game.entry = Input()
        way = yield from decide(
            Choose(
                "company.add",
                Short(
                    f"Character {len(game.members) + 1}: prowess/body?",
                    f"Character {len(game.members) + 1}: which prowess and body?",
                ),
                WAYS,
                partial(bar_way, game),
                passing="done",
                rule="ME-50",
                head="Company",
                tag=Short(f"no. {len(game.members) + 1}", f"number {len(game.members) + 1}"),
                bundles=partial(example, game),
            ),
            cards=True,
        )
        if way == "done":
            break
        with Attempt(game):
            yield from enter_character(game, way)
    yield from set_limit(game)


def bar_way(game: WizardsGame, way: str) -> Bar | None:
    """Return ME-X10 where nobody can be added that way, or where the company is still empty."""
    if way == "done":
        return None if game.members else NONE_YET
    if len(game.members) >= MOST:
        return FULL
    return ALL_NAMED if way == "named" and not game.alone and all(bar_name(game, k) for k in KNOWN) else None


def example(game: WizardsGame) -> tuple[Bundle, ...]:
    """Offer the company of the printed example before anything else is entered."""
    if game.members or len(game.companies) > 1 or game.turn > 1 or game.last.strikes:
        return ()
    answers = tuple(answer for k in KNOWN for answer in ("named", k))
    return (Bundle("example", "The printed example", (*answers, "done"), "All five"),)


@section("ME-50", title="Character")
def enter_character(game: WizardsGame, way: str) -> Procedure[None]:
    """Add one character, asking for no more than is needed."""
    if way == "named":
        text, bar = "Which character is it?", partial(bar_name, game)
        who = yield Choose("company.name", text, NAMES, bar, rule="ME-50", head="Company", tag="name")
        game.members.append(replace(KNOWN[who]))
        return
    if way in PRESETS:
        game.entry.points, game.entry.modifier = PRESETS[way]
    else:
        yield from enter_values(game, way)
    add_numbered(game, way)


@section("ME-22", "ME-25", title="Values")
def enter_values(game: WizardsGame, way: str = "") -> Procedure[None]:
    """Prowess, then body; they stay in the state's `Input`. ``way``: hobbit or wizard propose their usual values."""
    usual = {"hobbit": ("1", "9"), "wizard": ("6", "9")}.get(way, ("4", "8"))
    key, text = "company.prowess", Short("Prowess?", "What prowess has the character?")
    game.entry.points = int((yield ask_number(key, text, PROWESS, usual[0], "ME-22", "Company", "prowess")))
    key, text = "company.body", Short("Body?", "What body has the character?")
    game.entry.modifier = int((yield ask_number(key, text, BODY, usual[1], "ME-25", "Company", "body")))


SHORT_WORDS = {"Character": "Char", "Hobbit": "Hob", "Wizard": "Wiz"}


def add_numbered(game: WizardsGame, way: str) -> None:
    """Add a character without a name; one declared neither Hobbit nor Wizard may still be a Wizard."""
    game.numbered += 1
    n = game.numbered
    word = way.capitalize() if way in ("hobbit", "wizard") else "Character"
    short = Short(f"{SHORT_WORDS[word]} {n}", f"{word} {n}")
    wizard = {"hobbit": False, "wizard": True}.get(way)
    member = Character(f"character-{n}", f"{word} {n}", short, game.entry.points, game.entry.modifier)
    member.hobbit, member.wizard = way == "hobbit", wizard
    game.members.append(member)


def bar_name(game: WizardsGame, who: str) -> Bar | None:
    """Return ME-X10 for a character who is in a company already."""
    for number, company in enumerate(game.companies, 1):
        if any(member.id == who for member in company.members):
            return Bar("ME-X10", f"{KNOWN[who].name} is in company {number} already", firm=True)
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
        unit="hazards",
        one="hazard",
        rule="ME-50",
        head="Hazard limit",
    )


COMPANY = Option("new", "New company", "New")


@section("ME-52", title="Another company")
def another_company(game: WizardsGame) -> Procedure[None]:
    """Turn to another company; each keeps its own hazards and attacks faced until the turn ends."""
    among = Options((*((str(i), f"Company {i + 1}", f"Comp. {i + 1}") for i in range(len(game.companies))), COMPANY))
    bar = partial(bar_company, game)
    ask = Choose("company.which", "Which company?", among, bar, head="Company", tag="which?", rule="ME-52")
    turn_to(game, (yield from decide(ask)))


def turn_to(game: WizardsGame, to: str) -> None:
    """Let another company move: its index as text, or "new" for one that is entered next."""
    if to != "new":
        game.at = int(to)
    elif game.company.members:
        game.companies.append(Company())
        game.at = len(game.companies) - 1
    else:
        game.companies[game.at] = Company()


def bar_company(game: WizardsGame, to: str) -> Bar | None:
    """Return ME-X10 for the company that is moving, or one with nobody left."""
    if to == "new":
        return None
    at = int(to)
    if at == game.at:
        return Bar("ME-X10", f"Company {at + 1} is moving already", firm=True)
    if game.companies[at].members:
        return None
    return Bar("ME-X10", f"Nobody of company {at + 1} is left", firm=True)
