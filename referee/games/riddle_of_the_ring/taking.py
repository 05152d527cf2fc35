"""Taking a card with a card: Gollum, Bilbo, Shelob, and the character cards."""

from __future__ import annotations

from functools import partial

from referee.games.riddle_of_the_ring import plays
from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.games.riddle_of_the_ring.tables import CHARACTER, NAME, SMALLEST
from referee.rulebook import Bar, Bundle, Options, Procedure, Short, decide, phrase, section

CARDS = Options(
    (("gollum", "Gollum"), ("bilbo", "Bilbo"), ("shelob", "Shelob"), ("character", "Hobbit or Rider", "Person"))
)
CHARACTERS = Options(CHARACTER.values())
GOT = Options((("yes", "Yes, taken", "Yes"), ("no", "No")))
DRAWN = Options(
    (
        ("ordinary", "A card: discard it", "Card"),
        ("stays", "Ring or Gollum: it stays", "Stays"),
        ("no-cards", "No cards", "None"),
    )
)
MODES = Options((("draw", "Draw at random from any hand", "Draw"), ("give", "See, take, give the card", "Give")))
TAKEN = Options((("taken", "1 card taken", "Taken"), ("empty", "The hand is empty", "Empty")))

WANTED = {"gollum": "The Ring", "bilbo": "Gollum"}
RULE = {"gollum": "RR-30", "bilbo": "RR-31"}

NAMED_SELF = Bar("RR-X18", "The card names you: it cannot be given", firm=True)
NAMED_ABSENT = {c: Bar("RR-X18", bar.text, firm=True) for c, bar in plays.ABSENT.items()}


@section("RR-4", "RR-30", "RR-31", "RR-32", "RR-34", title="Take a card")
def take_card(game: RiddleGame) -> Procedure[None]:
    """Ask with which card a card is taken, and go on with its own rules."""
    game.entry.card = yield plays.ask(
        game, "take.card", "Which card do you play to take one?", CARDS, rule="RR-4", tag="card"
    )
    if game.entry.card == "shelob":
        yield from shelob(game)
    elif game.entry.card == "character":
        yield from character(game)
    else:
        yield from hunt(game)


@section("RR-30", "RR-31", title="Gollum and Bilbo")
def hunt(game: RiddleGame) -> Procedure[None]:
    """Gollum takes The Ring, Bilbo takes Gollum, from one player who may not have it."""
    entry = game.entry
    wanted = WANTED[entry.card]
    yield from target(game)
    game.spend("take-card")
    answer = yield plays.ask(
        game,
        "take.got",
        phrase("Does {} have {}?", NAME[entry.target], wanted),
        GOT,
        default="no",
        rule=RULE[entry.card],
        head=phrase(Short("{}→{}", "{} on {}"), entry.card.capitalize(), NAME[entry.target]),
        tag="got it?",
    )
    hunted(game, there=answer == "yes")


def hunted(game: RiddleGame, *, there: bool) -> None:
    """Rule on Gollum or Bilbo, and say what is done with the cards (A-RR1). ``there``: the target has the card."""
    entry = game.entry
    card, user, who = WANTED[entry.card].removeprefix("The "), NAME[game.seat], NAME[entry.target]
    took = phrase("{} takes {} from {}", user, WANTED[entry.card], who)
    why = ((RULE[entry.card], took if there else phrase("{} does not have {}", who, WANTED[entry.card])),)
    to_do: tuple[str, ...] = (f"Take {WANTED[entry.card]}",) if there else ()
    if entry.card == "bilbo":
        to_do = (*(to_do or (phrase("See {}'s hand", who),)), "Discard Bilbo")
    result, headline = ("taken", f"{card} taken") if there else ("nothing", f"No {card}")
    data = {"card": entry.card, "target": entry.target, "got": there}
    rules = (RULE[entry.card], "A-RR1") if entry.card == "bilbo" else (RULE[entry.card],)
    plays.announce(game, result, headline, rules, why, data, to_do=to_do, changed=bool(to_do))


def target(game: RiddleGame) -> Procedure[None]:
    """Choose the player the card is aimed at."""
    entry = game.entry
    head, rule = phrase("{} card", NAME.get(entry.card, entry.card.capitalize())), RULE.get(entry.card, "RR-34")
    entry.target = yield from decide(
        plays.ask(
            game, "take.target", "From whom?", plays.others(game), plays.bar_target, rule=rule, head=head, tag="from?"
        )
    )


@section("RR-32", "RR-33", "A-RR11", title="Shelob")
def shelob(game: RiddleGame) -> Procedure[None]:
    """One card of every other player, all discarded; one Power Play in all (A-RR11)."""
    game.spend("take-card")
    while waiting := victims(game):
        victim = waiting[0]
        game.entry.drawn[victim] = yield plays.ask(
            game,
            "take.shelob",
            phrase(Short("Shelob draws from {}", "What does Shelob draw from {}?"), NAME[victim]),
            DRAWN,
            default="ordinary",
            rule="RR-32",
            head=phrase(Short("Shelob→{}", "Shelob on {}"), NAME[victim]),
            tag=f"{len(game.entry.drawn) + 1}/{len(game.entry.drawn) + len(victims(game))}",
            notes=("RR-33",),
            bundles=partial(all_ordinary, game),
        )
    drawn = game.entry.drawn
    discarded = sum(what == "ordinary" for what in drawn.values())
    why = tuple(
        ("RR-33" if what == "stays" else "RR-32", phrase(DRAWN_TEXT[what], NAME[who])) for who, what in drawn.items()
    )
    data, to_do = {"card": "shelob", "hit": dict(drawn)}, ("Discard cards drawn",) if discarded else ()
    headline, rules = f"{discarded} discarded", ("RR-32", "RR-33")
    plays.announce(game, "shelob", headline, rules, why, data, to_do=to_do, changed=bool(discarded))


DRAWN_TEXT = {
    "ordinary": Short("{}: card discarded", "The card drawn from {} is discarded"),
    "stays": Short("{}: card stays", "The card drawn from {} stays there"),
    "no-cards": Short("{}: no cards", "{} has no cards"),
}


def victims(game: RiddleGame) -> list[str]:
    """Return the players Shelob has still to draw from."""
    return [who for who in plays.targets(game) if who not in game.entry.drawn]


def all_ordinary(game: RiddleGame) -> tuple[Bundle, ...]:
    """Offer an ordinary card from everybody left."""
    left = len(victims(game))
    return (Bundle("all-ordinary", "All ordinary cards", ("ordinary",) * left, "All"),) if left > 1 else ()


@section("RR-34", "RR-35", title="Character card")
def character(game: RiddleGame) -> Procedure[None]:
    """A Hobbit's or Rider's card: draw from any hand, or give it to the player it names for a card of his."""
    entry = game.entry
    notes = ("A-RR15", "RR-36") if len(game.players) == SMALLEST else ("A-RR15",)
    text = "Whose character card?"
    entry.card = yield plays.ask(game, "take.character", text, CHARACTERS, rule="RR-34", tag="whose?", notes=notes)
    text, head = phrase("How is the {} card used?", NAME[entry.card]), phrase("{} card", NAME[entry.card])
    entry.mode = yield from decide(
        plays.ask(game, "take.mode", text, MODES, bar_mode, default="draw", rule="RR-34", head=head, tag="how?")
    )
    if entry.mode == "draw":
        yield from target(game)
    else:
        entry.target = entry.card
    game.spend("take-card")
    yield from take_or_draw(game)


def bar_mode(game: RiddleGame, mode: str) -> Bar | None:
    """Return why the card cannot be given: X18, then X20."""
    if mode == "draw":
        return None
    named = game.entry.card
    if named == game.seat:
        return NAMED_SELF
    if not game.in_play(named):
        return NAMED_ABSENT[named]
    return plays.IN_HALLS[named] if game.in_halls[named] else None


@section("RR-34", "RR-35", title="Character card")
def take_or_draw(game: RiddleGame) -> Procedure[None]:
    """A card is taken or there is none; then the character card is given or discarded (A-RR15, A-RR18)."""
    entry = game.entry
    give = entry.mode == "give"
    see = Short("See the hand of {}, take 1", "See the hand of {}. Was a card taken?")
    draw = Short("Draw 1 card from {}", "Draw 1 card from {}. Was there one?")
    text, head = phrase(see if give else draw, NAME[entry.target]), phrase("{} card", NAME[entry.card])
    answer = yield plays.ask(game, "take.taken", text, TAKEN, default="taken", rule="A-RR18", head=head, tag="taken?")
    any_card = answer == "taken"
    who, card = NAME[entry.target], NAME[entry.card]
    verb, what = "takes" if give else "draws", "1 card" if any_card else "nothing"
    why = (("RR-34", phrase("{} {} {} from {}", NAME[game.seat], verb, what, who)),)
    data = {"card": entry.card, "mode": entry.mode, "target": entry.target, "got": any_card}
    rests_on = () if any_card and give else ("A-RR15",) if any_card else ("A-RR18",)
    rules = ("RR-34", "RR-35", *rests_on)
    result, headline = ("taken", "1 card taken") if any_card else ("nothing", "No card")
    to_do = (phrase("Give {} the card", who),) if give else (phrase("Discard {}'s card", card),)
    plays.announce(game, result, headline, rules, why, data, to_do=to_do)
