"""Companies, what the players change of their characters, and corruption."""

from __future__ import annotations

from tests.oracles.middle_earth_the_wizards import rules
from tests.oracles.middle_earth_the_wizards.rules import NAMED, NAMES, TAPPED, UNTAPPED, WOUNDED
from tests.oracles.middle_earth_the_wizards.state import (
    ATTACKER,
    DEFENDER,
    OWNER,
    TABLE,
    Bar,
    Character,
    Company,
    Finished,
    Game,
    Lost,
    Question,
    Steps,
    bar,
    choose,
    decide,
    number,
    offer,
    roll,
)

PRINTED = ("4/7", "5/8", "4/8", "3/7")
MOST = 12
MOST_POINTS = 30
OUT_OF_STEP = "ME-X10"
MODIFIERS = ("+1", "+2", "+3", "+4", "+5", "-1", "-2", "-3", "-4", "-5")
LASTING = ("0", *MODIFIERS, "+6", "+7", "+8", "+9", "+10")
HAZARD_VALUES = ("-1", "-2", "-3", "-4", "+1", "+2", "0")
NO_CHECK = {"body-check": Bar("ME-X14", firm=True)}


# -- setting up ---------------------------------------------------------------------------------------------------


def names_taken(game: Game) -> set[str]:
    return {each.id for company in game.companies for each in company.members if each.id in NAMES}


def kinds(game: Game, *, wizards: bool = True) -> dict[str, Bar | None]:
    """Return what a character can be entered as."""
    full = bar(OUT_OF_STEP, firm=True) if len(game.members) >= MOST else None
    all_named = bar(OUT_OF_STEP, firm=True) if len(names_taken(game)) == len(NAMES) else None
    bars = {**offer(*PRINTED, "other"), "named": all_named, **(offer("hobbit", "wizard") if wizards else {})}
    return {id_: full or each for id_, each in bars.items()}


def enter(game: Game, kind: str) -> Steps[None]:
    """Ask what is missing of a character, and let it join the company."""
    if kind == "named":
        taken = names_taken(game)
        bars = {name: bar(OUT_OF_STEP, firm=True) if name in taken else None for name in NAMES}
        name = yield choose("company.name", OWNER, bars)
        prowess, body = NAMED[name] if name in NAMED else (yield from printed())
        game.members.append(
            Character(name, prowess, body, hobbit=name in rules.HOBBITS, wizard=name in rules.WIZARDS)
        )
        return
    if kind in PRINTED:
        prowess, body = map(int, kind.split("/"))
    else:
        prowess, body = yield from printed()
    game.numbered += 1
    wizard = {"wizard": True, "hobbit": False}.get(kind)
    game.members.append(
        Character(f"character-{game.numbered}", prowess, body, hobbit=kind == "hobbit", wizard=wizard)
    )


def printed() -> Steps[tuple[int, int]]:
    prowess = yield from number("company.prowess", 0, 20, OWNER)
    body = yield from number("company.body", 1, 15, OWNER)
    return prowess, body


def set_up(game: Game) -> Steps[None]:
    """Enter a company, and its hazard limit, or begin the next turn without one."""
    what = ""
    while what not in {"done", "new-turn"}:
        what = yield from one_more(game)
    if what == "done":
        yield from limit(game)


def one_more(game: Game) -> Steps[str]:
    """Enter a character, or whose follower the last one is; return what was answered."""
    some, last = bool(game.members), game.members[-1] if len(game.members) > 1 else None
    bars = {
        "done": None if some else Bar(OUT_OF_STEP, firm=True),
        "new-turn": Bar(OUT_OF_STEP, firm=True) if some else None,
        "follower": None if last and not last.follows else Bar(OUT_OF_STEP, firm=True),
    }
    what = yield from decide(choose("company.add", OWNER, {**kinds(game), **bars}))
    if what == "new-turn":
        yield from new_turn(game)
    elif what == "follower":
        before = game.members[-2]
        game.members[-1].follows = before.follows or before.id
    elif what != "done":
        with game.attempt():
            yield from enter(game, what)
    return what


def begin_company(game: Game) -> None:
    """Begin a company, in the place of one that nobody is left of."""
    if game.members:
        game.companies.append(Company(game.player))
        game.at = len(game.companies) - 1
    else:
        game.companies[game.at] = Company(game.player)


def limit(game: Game) -> Steps[None]:
    """ME-50: the limit is proposed, and the table sets it."""
    game.company.limit = yield lambda: Question(
        "company.limit", OWNER, "count", low=1, high=20, default=game.company.limit or game.company.size_limit()
    )


def join(game: Game) -> Steps[None]:
    with game.attempt():
        yield from one_more(game)


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
    others = [str(i) for i in game.own() if i != game.at and game.companies[i].members]
    return (yield from decide(choose("company.which", OWNER, offer(*others, "new"))))


def new_turn(game: Game) -> Steps[None]:
    """ME-T33: counts begin anew; whoever is tapped of the next player may untap."""
    game.turn = min(99, game.turn + 1)
    for company in game.companies:
        company.hazards = rules.after_new_turn(company.hazards)
        company.faced = []
        for each in company.members:
            each.corruption_card = False
    game.player = rules.next_player(game.players, game.out, game.player)
    game.attacking = rules.attacks(game.players, game.out, game.player)
    own = game.own()
    there = [at for at in own if game.companies[at].members]
    if there:
        game.at = there[0]
    elif own:
        game.at = own[0]
        game.companies[game.at] = Company(game.player)
    else:
        game.companies.append(Company(game.player))
        game.at = len(game.companies) - 1
    untap = [
        each for company in game.companies if rules.untaps(company.owner, game.player) for each in company.members
    ]
    if any(each.status == TAPPED for each in untap):
        answer = yield choose("turn.untap", OWNER, offer("yes", "no"))
        for each in untap:
            each.status = rules.in_new_turn(each.status, answer == "yes")


# -- what cards change --------------------------------------------------------------------------------------------


def leaves(game: Game, who: Character) -> None:
    """Take a character off; a strike against him has no target any more."""
    game.members.remove(who)
    for each in game.members:
        each.follows = rules.controller_of(each.follows, who.id)
    if game.strike is not None and game.strike.target == who.id:
        game.strike = None
    if game.attack is not None and game.attack.results.get(who.id) == "":
        game.attack.results[who.id] = "no-target"


def status(game: Game) -> Steps[None]:
    """Let the players change a character."""
    with game.attempt():
        who = game.members[0].id
        if len(game.members) > 1:
            nobody = None if any(each.status == TAPPED for each in game.members) else Bar(OUT_OF_STEP, firm=True)
            ids = offer(*(each.id for each in game.members))
            who = yield choose("status.who", TABLE, {**ids, "untap-all": nobody, "none": None})
        if who == "untap-all":
            for each in game.members:
                each.status = rules.in_new_turn(each.status, untap=True)
        elif who != "none":
            yield from change(game, game.member(who))


def change(game: Game, who: Character) -> Steps[None]:
    """Ask what becomes of him."""
    alone = Bar(OUT_OF_STEP, firm=True) if game.alone else None
    bars = {**offer(UNTAPPED, TAPPED, WOUNDED, "prowess", "body"), "cp": alone, "leaves": alone, "modifier": alone}
    bars["follows"] = alone or (None if len(game.members) > 1 else Bar(OUT_OF_STEP, firm=True))
    bars["card-gone"] = alone or (None if who.cards else Bar(OUT_OF_STEP, firm=True))
    what = yield choose("status.change", TABLE, bars)
    if what in {UNTAPPED, TAPPED, WOUNDED}:
        who.status = what
    elif what == "cp":
        who.cp = yield from number("status.cp", 0, MOST_POINTS)
    elif what == "prowess":
        who.prowess = yield from number("status.prowess", 0, 20)
    elif what == "body":
        who.body = yield from number("status.body", 1, 15)
    elif what == "modifier":
        who.modifier = int((yield choose("status.modifier", TABLE, offer(*LASTING))))
    elif what == "follows":
        others = [each.id for each in game.members if each is not who]
        controller = yield choose("status.follows", TABLE, offer(*others, "nobody"))
        who.follows = "" if controller == "nobody" else controller
    elif what == "card-gone":
        gone = int((yield from decide(lambda: choose("status.card", TABLE, offer(*map(str, {*who.cards}))))))
        who.cards.remove(gone)
        who.cp = rules.points_without(who.cp, gone)
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
            bars = {each.id: bar(rules.card_code(each.corruption_card)) for each in game.members}
            who = game.member((yield choose("corruption.who", TABLE, bars)))
        points = yield from number("corruption.points", 0, 6)
        game.counted()
        before = who.cp
        who.cp = min(30, rules.points_after(before, points))
        who.corruption_card = True
        who.cards.append(points)
        game.announce("corruption-card", {"who": who.id, "before": before, "after": who.cp}, True, "ME-60", "ME-61")


def hazard_bar(game: Game) -> Bar | None:
    return bar(rules.hazard_code(game.company.hazards, game.company.limit))


def check(game: Game) -> Steps[None]:
    """ME-62 to ME-66: a corruption check of a character, at any time but between its own throw and ruling."""
    game.modifier = game.by_hazards = 0
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
        if game.member(who).modifier:
            kept = yield choose("check.kept", DEFENDER, offer("kept", "plain"))
            if kept == "kept":
                game.modifier = rules.added(game.modifier, game.member(who).modifier)
            else:
                game.member(who).modifier = 0
        lost = yield from checked(game, game.member(who))
    game.modifier = 0
    if lost:
        wizard_lost(game)


def modifier(game: Game) -> Steps[None]:
    """ME-T35: modifiers of a check are entered one after the other."""
    by = yield choose("check.modifier", TABLE, offer(*MODIFIERS))
    game.modifier = rules.added(game.modifier, int(by))


def hazard(game: Game) -> Steps[None]:
    """ME-51: a hazard on the check counts like any other, and adds to its modifiers."""
    by = yield choose("check.hazard", ATTACKER, offer(*HAZARD_VALUES, "none"))
    if by != "none":
        game.counted()
        game.company.play()
        game.modifier = rules.added(game.modifier, int(by))
        game.by_hazards += int(by)


def checked(game: Game, who: Character | None, points: int = 0) -> Steps[bool]:
    """Throw and rule, for a character or for a number of points alone; return whether the game is lost."""
    cp = who.cp if who else points

    def outcome(throw: int) -> str:
        return rules.corruption(throw + game.modifier, cp)

    ways = rules.distribution([(outcome(throw), 1) for throw in rules.THROWS])
    faces = yield from roll("check.dice", DEFENDER, ways, lambda throw: outcome(throw) == "safe")
    game.counted()
    if who:
        who.modifier = max(-5, min(10, rules.lasting(who.modifier, game.modifier, game.by_hazards)))
    total, result = sum(faces), outcome(sum(faces))
    wizard = who.wizard if who else None
    if wizard is None and result != "safe":
        wizard = (yield choose("check.wizard", DEFENDER, offer("yes", "no"))) == "yes"
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


def wizard_lost(game: Game) -> None:
    """ME-66, A-ME16: that player is out; others may play on."""
    game.attack = game.strike = None
    for at in game.own():
        game.companies[at].members = []
    game.lost.append(game.player)
    game.goes("wizard-corrupted")
    if game.over:
        raise Finished(game.over[0], *game.over[1])
    raise Lost
