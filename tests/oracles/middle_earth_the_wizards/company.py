"""Companies, what the players change of their characters, and corruption."""

from __future__ import annotations

from tests.oracles.middle_earth_the_wizards import rules
from tests.oracles.middle_earth_the_wizards.rules import NAMED, TAPPED, UNTAPPED, WOUNDED
from tests.oracles.middle_earth_the_wizards.state import (
    ATTACKER,
    DEFENDER,
    TABLE,
    Bar,
    Character,
    Company,
    Finished,
    Game,
    Question,
    Steps,
    bar,
    choose,
    count,
    decide,
    number,
    offer,
    roll,
)

PRINTED = ("4/7", "5/8", "4/8", "3/7")
MOST = 12
MOST_POINTS = 30
OUT_OF_STEP = "ME-X10"
MODIFIERS = ("+1", "+2", "+3", "+4", "+5", "0", "-1", "-2", "-3", "-4")
HAZARD_VALUES = ("-1", "-2", "-3", "-4", "-5", "+1", "+2", "0")
NO_CHECK = {"body-check": Bar("ME-X14", firm=True)}


# -- setting up ---------------------------------------------------------------------------------------------------


def names_taken(game: Game) -> set[str]:
    return {each.id for company in game.companies for each in company.members if each.id in NAMED}


def kinds(game: Game, *, wizards: bool = True) -> dict[str, Bar | None]:
    """Return what a character can be entered as."""
    full = bar(OUT_OF_STEP, firm=True) if len(game.members) >= MOST else None
    all_named = bar(OUT_OF_STEP, firm=True) if len(names_taken(game)) == len(NAMED) else None
    bars = {**offer(*PRINTED, "other"), "named": all_named, **(offer("hobbit", "wizard") if wizards else {})}
    return {id_: full or each for id_, each in bars.items()}


def enter(game: Game, kind: str) -> Steps[None]:
    """Ask what is missing of a character, and let it join the company."""
    if kind == "named":
        taken = names_taken(game)
        bars = {name: bar(OUT_OF_STEP, firm=True) if name in taken else None for name in NAMED}
        name = yield lambda: choose("company.name", TABLE, bars)
        prowess, body = NAMED[name]
        game.members.append(Character(name, prowess, body, hobbit=name in rules.HOBBITS, wizard=False))
        return
    if kind in PRINTED:
        prowess, body = map(int, kind.split("/"))
    else:
        prowess = yield from number("company.prowess", 0, 20)
        body = yield from number("company.body", 1, 15)
    game.numbered += 1
    wizard = {"wizard": True, "hobbit": False}.get(kind)
    game.members.append(
        Character(f"character-{game.numbered}", prowess, body, hobbit=kind == "hobbit", wizard=wizard)
    )


def set_up(game: Game) -> Steps[None]:
    """Enter a company, and its hazard limit."""
    done = ""
    while done != "done" and len(game.members) < MOST:

        def ask() -> Question:
            nobody = None if game.members else Bar(OUT_OF_STEP, firm=True)
            return choose("company.add", TABLE, {**kinds(game), "done": nobody})

        done = yield ask
        if done != "done":
            with game.attempt():
                yield from enter(game, done)
    yield from limit(game)


def begin_company(game: Game) -> None:
    """Begin a company, in the place of one that nobody is left of."""
    if game.members:
        game.companies.append(Company())
        game.at = len(game.companies) - 1
    else:
        game.companies[game.at] = Company()


def limit(game: Game) -> Steps[None]:
    """ME-50: the limit is proposed, and the table sets it."""
    game.company.limit = yield lambda: Question(
        "company.limit", TABLE, "count", low=1, high=20, default=game.company.limit or game.company.size_limit()
    )


def join(game: Game) -> Steps[None]:
    with game.attempt():
        kind = yield lambda: choose("company.join", TABLE, kinds(game))
        yield from enter(game, kind)


def another(game: Game) -> Steps[None]:
    """Turn to another company, or a new one."""
    which = ""
    if game.members:
        with game.attempt():
            which = yield from which_company(game)
    else:
        which = yield from which_company(game)
    if which == "new":
        begin_company(game)
        yield from set_up(game)
    elif which:
        game.at = int(which)


def which_company(game: Game) -> Steps[str]:

    def ask() -> Question:
        bars = {
            str(i): Bar(OUT_OF_STEP, firm=True) if i == game.at or not company.members else None
            for i, company in enumerate(game.companies)
        }
        return choose("company.which", TABLE, {**bars, "new": None})

    return (yield from decide(ask))


def new_turn(game: Game) -> Steps[None]:
    """ME-T33: counts begin anew; whoever is tapped may untap."""
    count(game, "turn", game.turn + 1)
    for company in game.companies:
        company.hazards = rules.after_new_turn(company.hazards)
        company.faced = []
    everybody = [each for company in game.companies for each in company.members]
    for each in everybody:
        each.corruption_card = False
    if any(each.status == TAPPED for each in everybody):
        untap = yield lambda: choose("turn.untap", TABLE, offer("yes", "no"))
        for each in everybody:
            each.status = rules.in_new_turn(each.status, untap == "yes")


# -- what cards change --------------------------------------------------------------------------------------------


def leaves(game: Game, who: Character) -> None:
    """Take a character off; a strike against him has no target any more."""
    game.members.remove(who)
    if game.strike is not None and game.strike.target == who.id:
        game.strike = None
    if game.attack is not None and game.attack.results.get(who.id) == "":
        game.attack.results[who.id] = "no-target"


def status(game: Game) -> Steps[None]:
    """Let the players change a character."""
    with game.attempt():
        who = yield from whose_status(game)
        if who == "untap-all":
            for each in game.members:
                each.status = rules.in_new_turn(each.status, untap=True)
        elif who != "none":
            yield from change(game, game.member(who))


def whose_status(game: Game) -> Steps[str]:
    if len(game.members) == 1:
        return game.members[0].id

    def ask() -> Question:
        nobody = None if any(each.status == TAPPED for each in game.members) else Bar(OUT_OF_STEP, firm=True)
        ids = offer(*(each.id for each in game.members))
        return choose("status.who", TABLE, {**ids, "untap-all": nobody, "none": None})

    return str((yield ask))


def change(game: Game, who: Character) -> Steps[None]:
    """Ask what becomes of him."""

    def ask() -> Question:
        alone = Bar(OUT_OF_STEP, firm=True) if game.alone else None
        bars = {**offer(UNTAPPED, TAPPED, WOUNDED, "prowess", "body"), "cp": alone, "leaves": alone}
        return choose("status.change", TABLE, bars)

    what = yield ask
    if what in {UNTAPPED, TAPPED, WOUNDED}:
        who.status = what
    elif what == "cp":
        who.cp = yield from number("status.cp", 0, MOST_POINTS)
    elif what == "prowess":
        who.prowess = yield from number("status.prowess", 0, 20)
    elif what == "body":
        who.body = yield from number("status.body", 1, 15)
    else:
        leaves(game, who)
        game.announce("left", {"who": who.id}, True, "ME-50")


# -- corruption ---------------------------------------------------------------------------------------------------


def everybody_had_card(game: Game) -> Bar | None:
    return None if any(not rules.card_code(each.corruption_card) for each in game.members) else Bar("ME-X11")


def card(game: Game) -> Steps[None]:
    """ME-60, ME-61: play a corruption card on a character."""
    with game.attempt():
        who = game.members[0]
        if len(game.members) > 1:

            def ask() -> Question:
                bars = {each.id: bar(rules.card_code(each.corruption_card)) for each in game.members}
                return choose("corruption.who", TABLE, bars)

            who = game.member((yield ask))
        points = yield from number("corruption.points", 0, 6)
        game.counted()
        before = who.cp
        count(who, "cp", rules.points_after(before, points))
        who.corruption_card = True
        game.announce("corruption-card", {"who": who.id, "before": before, "after": who.cp}, True, "ME-60", "ME-61")


def hazard_bar(game: Game) -> Bar | None:
    return bar(rules.hazard_code(game.company.hazards, game.company.limit))


def check(game: Game) -> Steps[None]:
    """ME-62 to ME-66: a corruption check of a character, at any time but between its own throw and ruling."""
    game.modifier = 0
    lost = False
    with game.attempt():
        who = ""
        while not who:

            def ask() -> Question:
                ids = offer(*(each.id for each in game.members), "modifier")
                return choose("check.who", TABLE, {**ids, "hazard": hazard_bar(game)})

            answer = yield ask
            if answer == "modifier":
                yield from modifier(game)
            elif answer == "hazard":
                yield from hazard(game)
            else:
                who = answer
        lost = yield from checked(game, game.member(who))
    game.modifier = 0
    if lost:
        yield from wizard_lost(game)


def modifier(game: Game) -> Steps[None]:
    """ME-T35: modifiers of a check are entered one after the other."""
    by = yield lambda: choose("check.modifier", TABLE, offer(*MODIFIERS))
    count(game, "modifier", rules.added(game.modifier, int(by)))


def hazard(game: Game) -> Steps[None]:
    """ME-51: a hazard on the check counts like any other, and adds to its modifiers."""
    by = yield lambda: choose("check.hazard", ATTACKER, offer(*HAZARD_VALUES, "none"))
    if by != "none":
        game.counted()
        count(game.company, "hazards", game.company.hazards + 1)
        count(game, "modifier", rules.added(game.modifier, int(by)))


def checked(game: Game, who: Character | None, points: int = 0) -> Steps[bool]:
    """Throw and rule, for a character or for a number of points alone; return whether the game is lost."""

    def odds() -> dict[str, int]:
        cp = who.cp if who else points
        return dict(rules.distribution([(rules.corruption(throw + game.modifier, cp), 1) for throw in rules.THROWS]))

    def safe(throw: int) -> bool:
        return rules.corruption(throw + game.modifier, who.cp if who else points) == "safe"

    faces = yield from roll("check.dice", DEFENDER, odds, safe)
    game.counted()
    cp, total = who.cp if who else points, sum(faces)
    ways = odds()
    result = rules.corruption(total + game.modifier, cp)
    wizard = who.wizard if who else None
    if wizard is None and result != "safe":
        wizard = (yield lambda: choose("check.wizard", DEFENDER, offer("yes", "no"))) == "yes"
    lost = rules.loses_game(result, bool(wizard))
    numbers = {
        "who": who.id if who else None, "cp": cp, "modifier": game.modifier, "faces": list(faces), "total": total,
        "result": total + game.modifier, "outcome": result, "game_lost": lost,
        "odds": {each: f"{ways.get(each, 0)}/36" for each in ("safe", "discarded", "eliminated")},
    }  # fmt: skip
    row = {"safe": "ME-63", "discarded": "ME-64", "eliminated": "ME-65"}[result]
    by = (row, "ME-66") if lost else ("ME-62", row)
    game.announce("game-lost" if lost else result, numbers, result != "safe", *by)
    if who and result != "safe":
        leaves(game, who)
    return lost


def wizard_lost(game: Game) -> Steps[None]:
    """ME-66, A-ME16: that player is out; others may play on."""
    after = yield lambda: choose("wizard.after", TABLE, offer("on", "over"))
    if after == "over":
        raise Finished("wizard-corrupted", ATTACKER)
    else:
        for each in [*game.members]:
            leaves(game, each)
