"""Taking a card with a card: Gollum, Bilbo, Shelob, and the character cards."""

from __future__ import annotations

from functools import partial

from referee.games.riddle_of_the_ring import plays
from referee.games.riddle_of_the_ring.characters import CHARACTER, NAME, SMALLEST, others_first
from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.rulebook import Bar, Bundle, Choose, Option, Options, Procedure, section

CARDS = plays.among(
    Option("gollum", "Gollum"),
    Option("bilbo", "Bilbo"),
    Option("shelob", "Shelob"),
    Option("character", "Character", "Person"),
)
CHARACTERS = plays.with_activities(Options(CHARACTER.values()))
GOT = plays.among(Option("yes", "Yes, taken", "Yes"), Option("no", "No"))
HIT = plays.among(
    Option("ordinary", "A card: discard it", "Card"),
    Option("stays", "Ring or Gollum: it stays", "Stays"),
    Option("no-cards", "No cards", "None"),
)
MODES = plays.among(
    Option("draw", "Draw at random from any hand", "Draw"), Option("give", "See, take, give the card", "Give")
)
TAKEN = plays.among(Option("taken", "1 card taken", "Taken"), Option("empty", "The hand is empty", "Empty"))

WANTED = {"gollum": "The Ring", "bilbo": "Gollum"}
RULE = {"gollum": "RR-30", "bilbo": "RR-31"}

ALL_IN_HALLS = Bar("RR-X20", "Everybody else is in the Halls of Mandos")
NAMED_SELF = Bar("RR-X18", "The card names you: it cannot be given", firm=True)
NAMED_ABSENT = Bar("RR-X18", "Nobody plays the player it names", firm=True)

TWO_PLAYERS = ("RR-36", "With 2 players: see O-13")
MODE_NOTES = (("A-RR15", "Never draw with your own card; it is discarded"),)
BILBO_NOTES = (("A-RR1", "No Gollum: see his hand. Discard Bilbo"),)
SHELOB_NOTES = (("RR-33", "Ring and Gollum stay; no second draw"),)


@section("RR-4", "RR-30", "RR-31", "RR-32", "RR-34", title="Take a card")
def take_card(game: RiddleGame) -> Procedure[None]:
    """Which card; each goes its own way."""
    game.entry.card = yield Choose(
        "take.card",
        "Take a card with which card?",
        CARDS,
        plays.only(partial(bar_card, game)),
        rule="RR-4",
        head=NAME[game.seat],
        tag="card",
    )
    if game.entry.card == "shelob":
        yield from shelob(game)
    elif game.entry.card == "character":
        yield from character(game)
    else:
        yield from hunt(game)


def bar_card(game: RiddleGame, card: str) -> Bar | None:
    """Return RR-X20 for Shelob where nobody is left for her to draw from."""
    return ALL_IN_HALLS if card == "shelob" and not victims(game) else None


@section("RR-30", "RR-31", title="Gollum and Bilbo")
def hunt(game: RiddleGame) -> Procedure[None]:
    """Gollum takes The Ring, Bilbo takes Gollum, from one player who may not have it."""
    entry = game.entry
    wanted = WANTED[entry.card]
    yield from target(game)
    game.spend("take-card")
    got = yield Choose(
        "take.got",
        f"Has {NAME[entry.target]} {wanted}?",
        GOT,
        plays.only(),
        default="no",
        rule=RULE[entry.card],
        head=f"{entry.card.capitalize()}>{NAME[entry.target]}",
        tag="got it?",
        notes=BILBO_NOTES if entry.card == "bilbo" else (),
    )
    who = NAME[entry.target]
    why = (
        f"{NAME[game.seat]} takes {wanted} from {who}"
        if got == "yes"
        else f"{who} has no {wanted.removeprefix('The ')}",
    )
    data = {"card": entry.card, "target": entry.target, "got": got == "yes"}
    headline = f"{wanted.removeprefix('The ')} taken" if got == "yes" else f"No {wanted.removeprefix('The ')}"
    plays.told(
        game, "taken" if got == "yes" else "nothing", headline, (RULE[entry.card],), why, data, changed=got == "yes"
    )


def target(game: RiddleGame) -> Procedure[None]:
    """Choose whom the card is aimed at."""
    entry = game.entry
    entry.target = yield Choose(
        "take.target",
        "From whom?",
        plays.with_activities(others_first(game.players, game.seat)),
        plays.only(partial(plays.bar_target, game)),
        rule=RULE.get(entry.card, "RR-34"),
        head=NAME.get(entry.card, entry.card.capitalize()),
        tag="whom?",
    )


@section("RR-32", "RR-33", "A-RR11", title="Shelob")
def shelob(game: RiddleGame) -> Procedure[None]:
    """One card of every other player, all discarded; one Power Play in all (A-RR11)."""
    game.spend("take-card")
    while victim := next_victim(game):
        game.entry.hit[victim] = yield Choose(
            "take.shelob",
            f"Shelob draws from {NAME[victim]}",
            HIT,
            plays.only(),
            default="ordinary",
            rule="RR-32",
            head=f"Shelob>{NAME[victim]}",
            tag=f"{len(game.entry.hit) + 1}/{len(game.entry.hit) + len(victims(game))}",
            notes=SHELOB_NOTES,
            bundles=partial(all_ordinary, game),
        )
    hit = game.entry.hit
    lost = [who for who in hit if hit[who] == "ordinary"]
    why = tuple(f"{NAME[who]}: {HIT_TEXT[hit[who]]}" for who in hit)
    many = f"{len(lost)} discarded"
    plays.told(
        game, "shelob", many, ("RR-32", "RR-33"), why, {"card": "shelob", "hit": dict(hit)}, changed=bool(lost)
    )


HIT_TEXT = {"ordinary": "card discarded", "stays": "card stays", "no-cards": "no cards"}


def victims(game: RiddleGame) -> list[str]:
    """Return whom Shelob has still to draw from."""
    return [p for p in game.others() if not game.in_halls[p] and p not in game.entry.hit]


def next_victim(game: RiddleGame) -> str:
    """Return whom Shelob draws from next, "" once she is through."""
    waiting = victims(game)
    return waiting[0] if waiting else ""


def all_ordinary(game: RiddleGame) -> tuple[Bundle, ...]:
    """Offer an ordinary card for everybody left."""
    left = len(victims(game))
    return (Bundle("all-ordinary", "All ordinary cards", ("ordinary",) * left, "All"),) if left > 1 else ()


@section("RR-34", "RR-35", title="Character card")
def character(game: RiddleGame) -> Procedure[None]:
    """A Hobbit's or Rider's card: draw from any hand, or give it to the player it names for a card of his."""
    entry = game.entry
    entry.card = yield Choose(
        "take.character",
        "Whose character card?",
        CHARACTERS,
        plays.only(),
        rule="RR-34",
        head=NAME[game.seat],
        tag="card",
    )
    entry.mode = yield Choose(
        "take.mode",
        f"How is the {NAME[entry.card]} card used?",
        MODES,
        plays.only(partial(bar_mode, game)),
        default="draw",
        rule="RR-34",
        head=f"{NAME[entry.card]} card",
        tag="how?",
        notes=(*MODE_NOTES, TWO_PLAYERS) if len(game.players) == SMALLEST else MODE_NOTES,
    )
    if entry.mode == "draw":
        yield from target(game)
    else:
        entry.target = entry.card
    game.spend("take-card")
    yield from taken(game)


def bar_mode(game: RiddleGame, mode: str) -> Bar | None:
    """Return why the card cannot be given: X18, then X20."""
    if mode == "draw":
        return None
    named = game.entry.card
    if named == game.seat:
        return NAMED_SELF
    if not game.in_play(named):
        return NAMED_ABSENT
    return plays.IN_HALLS if game.in_halls[named] else None


@section("RR-34", "RR-35", title="Character card")
def taken(game: RiddleGame) -> Procedure[None]:
    """A card is taken or there is none; the character card goes where the rules say (A-RR15, A-RR18)."""
    entry = game.entry
    give = entry.mode == "give"
    answer = yield Choose(
        "take.taken",
        f"See the hand of {NAME[entry.target]}, take 1" if give else f"Draw 1 card from {NAME[entry.target]}",
        TAKEN,
        plays.only(),
        default="taken",
        rule="A-RR18",
        head=f"{NAME[entry.card]} card",
        tag="taken?",
    )
    got = answer == "taken"
    who = NAME[entry.target]
    why = (
        f"{NAME[game.seat]} {'takes' if give else 'draws'} {'1 card' if got else 'nothing'} from {who}",
        f"{who} is given the {NAME[entry.card]} card" if give else f"The {NAME[entry.card]} card is discarded",
    )
    data = {"card": entry.card, "mode": entry.mode, "target": entry.target, "got": got}
    rules = ("RR-34", "RR-35", "A-RR18" if not got else "A-RR15")
    plays.told(game, "taken" if got else "nothing", "1 card taken" if got else "No card", rules, why, data)
