"""Clairvoyance and Riddles: whose hand is seen, and what is drawn from it."""

from __future__ import annotations

from referee.games.riddle_of_the_ring import plays
from referee.games.riddle_of_the_ring.state import HAND, RiddleGame
from referee.games.riddle_of_the_ring.tables import CHARACTER, NAME, guesses
from referee.rulebook import Bar, Choose, Count, Option, Options, Procedure, Short, decide, phrase, section

CARDS = Options((("wizard", "Wizard"), ("spy", "Spy"), ("palantir", "Palantír"), ("elf-ring", "Elf Ring")))
RESISTIBLE = ("palantir", "elf-ring")

TWO_HANDS = Option("two-hands", "Two hands with it", "2 hands")
NO_MORE = Option("no-more", "No second hand", "No more")
ANSWERS = Options((("hand", "Show the hand", "Show"), ("resists", "Resist", "Resist")))
"""What the target of a Clairvoyance does. Which card resists is secret: it has no id and is never entered (RR-12)."""

NO_SECOND = Bar("RR-X02", "Two hands take two Power Plays")
ONE_OTHER = Bar("RR-X09", "There is no second player", firm=True, aside=True)
ONE_OUTSIDE = Bar("RR-X20", "Only one other is outside the Halls", aside=True)
SEEN = {c: Bar("RR-X21", phrase("The hand of {} was the first of the two", NAME[c])) for c in NAME}


@section("RR-4", "RR-10", "RR-14", "RR-15", title="Clairvoyance")
def clairvoyance(game: RiddleGame) -> Procedure[None]:
    """One card, one hand or two; each attempt is a Power Play."""
    entry = game.entry
    text = "Clairvoyance with which card?"
    entry.card = yield plays.ask(game, "clairvoyance.card", text, CARDS, rule="RR-10", tag="card")
    # Who gives up while the first target is asked sees no second.
    while entry.hands > 0 and game.seat not in game.conceded:
        yield from aim(game)
        if not entry.target:
            return
        game.spend("clairvoyance")
        entry.hands -= 1
        entry.seen.append(entry.target)
        yield from resist(game)


@section("RR-7", "RR-15", "A-RR12", title="Whose hand")
def aim(game: RiddleGame) -> Procedure[None]:
    """Choose the target, or say that two hands are meant, or that the second is not seen after all."""
    entry = game.entry
    answer = "two-hands"
    while answer == "two-hands":
        question = whose_hand(game)
        if entry.card == "elf-ring":
            answer = yield question  # asked even for one player: naming him says that he is near
        else:
            answer = yield from decide(question)
        if answer == "two-hands":
            entry.hands = 2
    entry.target = answer if answer in CHARACTER else ""


def whose_hand(game: RiddleGame) -> Choose:
    """Return the question whose hand is seen, with the number of hands (RR-15) and the distance (RR-7)."""
    entry = game.entry
    elf_ring = entry.card == "elf-ring"
    return plays.ask(
        game,
        "clairvoyance.target",
        "Whose hand? Near players only" if elf_ring else "Whose hand?",
        plays.others(game, *number_of_hands(game)),
        bar_hand,
        passing="no-more" if entry.seen else None,
        rule="RR-7" if elf_ring else "RR-15",
        head=CARDS.by_id[entry.card].text,
        tag="2nd hand" if entry.seen else "1st of 2" if entry.hands > 1 else "near?" if elf_ring else "whose?",
    )


def bar_hand(game: RiddleGame, who: str) -> Bar | None:
    """Return why a hand cannot be seen: X20, X21; for a second hand X02 comes first."""
    entry = game.entry
    if who in ("two-hands", "no-more"):
        return _bar_second(game) if who == "two-hands" else None
    bar = plays.bar_target(game, who)
    if entry.seen and game.left < 1:
        return NO_SECOND._replace(firm=True) if bar and bar.firm else NO_SECOND
    return bar or (SEEN[who] if who in entry.seen else None)


def number_of_hands(game: RiddleGame) -> tuple[Option, ...]:
    """Return what can be said of a second hand: that it is wanted, or not after all."""
    if game.entry.seen:
        return (NO_MORE,)
    return (TWO_HANDS,) if game.entry.hands == 1 else ()


def _bar_second(game: RiddleGame) -> Bar | None:
    alone = len(game.others()) < 2
    if game.left < 2:  # before the target of the second hand
        return NO_SECOND._replace(firm=True, aside=True) if alone else NO_SECOND
    if alone:
        return ONE_OTHER
    return ONE_OUTSIDE if len(plays.targets(game)) < 2 else None


@section("RR-11", "RR-12", "RR-13", title="Resist")
def resist(game: RiddleGame) -> Procedure[None]:
    """The target shows the hand, or one card instead that nobody else sees; the Power Play is spent either way.

    Against a Wizard or a Spy there is nothing to decide.
    """
    entry = game.entry
    resistible = entry.card in RESISTIBLE
    answer = (yield whether(game)) if resistible else "hand"
    user, name = NAME[game.seat], NAME[entry.target]
    data = {"card": entry.card, "target": entry.target, "resisted": answer == "resists"}
    rules = ("RR-11", "RR-12", "RR-14") if resistible else ("RR-13", "RR-14")
    if answer == "resists":
        result, headline, what = "resisted", "Resisted", "one card, in secret"
        why = ("RR-14", phrase("The Power Play is spent"))
    else:
        result, headline, what = (
            "hand-seen",
            phrase(Short("{} seen", "The hand of {} is seen"), name),
            "the whole hand",
        )
        seen = Short("{}: {} sees every card of the hand", "By the {} card {} sees every card of the hand")
        why = (rules[0], phrase(seen, CARDS.by_id[entry.card].text, user))
    line = phrase("{} shows {}", name, user)  # two lines of the glass, and one sentence
    to_do = (Short(line, f"{line.whole} {what}"), Short(what, ""))
    plays.announce(game, result, headline, rules, (why,), data, to_do=to_do, changed=False)


def whether(game: RiddleGame) -> Choose:
    """Return the question whether the target resists (RR-11)."""
    entry = game.entry
    return plays.ask(
        game,
        "clairvoyance.resist",
        phrase("{} sees your hand. Resist?", NAME[game.seat]),
        ANSWERS,
        default="hand",
        seat=entry.target,
        rule="RR-11",
        head=NAME[entry.target],
        tag=CARDS.by_id[entry.card].text,
        notes=("RR-12",),
    )


# -- riddles: how many titles may be stated, card after card, until one is wrong

RESULTS = Options((("right", "Right"), ("wrong", "Wrong: the Riddle ends", "Wrong"), ("stop", "Stop")))
FIRST_RESULT = RESULTS.only("right", "wrong")
"""Nobody stops before titles were stated for the first card."""

NO_CARDS = Bar("RR-X16", "A hand without cards cannot be riddled", firm=True)


@section("RR-4", "RR-20", "RR-26", title="Riddle", lasting=True)
def riddle(game: RiddleGame) -> Procedure[None]:
    """One Riddle card against one hand: one Power Play, however many cards it wins."""
    text, whose = "Whose hand is riddled?", plays.others(game)
    game.entry.target = yield from decide(
        plays.ask(game, "riddle.target", text, whose, plays.bar_target, rule="RR-20", tag="Riddle", notes=("RR-25",))
    )
    yield from hand(game)
    game.spend("riddle")
    yield from guess(game)


@section("RR-20", "RR-21", title="Riddle", lasting=True)
def single_riddle(game: RiddleGame) -> Procedure[None]:
    """One Riddle by itself; nothing is counted."""
    game.single = True
    yield from hand(game)
    yield from guess(game)


@section("RR-21", "RR-25", title="Hand")
def hand(game: RiddleGame) -> Procedure[None]:
    """How many cards the target holds: there must be one to draw."""
    game.entry.cards = yield Count(
        "riddle.hand",
        phrase("How many cards does {} have?", opponent(game)),
        0,
        HAND,
        lambda cards: NO_CARDS if cards < 1 else None,
        default=game.held.get(game.entry.target) or 4,
        unit="cards",
        one="card",
        rule="RR-21",
        head=phrase("Hand of {}", opponent(game)),
        tag="size",
    )


GUESS = Short("{0} for {1}", "{0} at {1}. Was {2} right?")


@section("RR-21", "RR-22", "RR-23", "RR-24", "A-RR5", title="Guess")
def guess(game: RiddleGame) -> Procedure[None]:
    """Card after card; the guesses are counted anew for each (A-RR5)."""
    entry = game.entry
    while entry.cards > 0:
        result = yield lambda: plays.ask(
            game,
            "riddle.guess",
            phrase(
                GUESS, guesses_text(game), drawn_from(game.entry.cards), "it" if guesses(entry.cards) == 1 else "one"
            ),
            RESULTS if game.entry.won else FIRST_RESULT,
            default="right",
            passing="stop" if game.entry.won else None,
            rule="RR-21",
            head=guesses_text(game),
            tag=plural(game.entry.cards, "card", "cards"),
            notes=("RR-20", "RR-22"),
        )
        if result == "wrong":
            wrong(game)
            return
        if result == "stop":
            break
        entry.won += 1
        entry.cards = max(0, entry.cards - 1)
    right(game)


def remember(game: RiddleGame, cards: int) -> None:
    """Keep what is left in the hand: it is proposed at another Riddle of this turn."""
    if not game.single:
        game.held[game.entry.target] = min(cards, HAND)


GOES = "1 random card goes"


def wrong(game: RiddleGame) -> None:
    """The target draws a card of the riddler's hand, and the Riddle is over."""
    remember(game, game.entry.cards + 1)
    riddler = "you" if game.single else NAME[game.seat]
    line = phrase("from {} to {}", riddler, opponent(game))
    to_do = (Short(GOES, f"{GOES} {line.whole}"), Short(line, ""))
    won = game.entry.won
    cards = plural(won, "card", "cards") if won else "No card"
    why = Short(won_text(game), f"{cards} {'was' if won < 2 else 'were'} won before the wrong guess")
    plays.announce(game, "wrong", "Wrong", ("RR-24", "RR-26"), (why,), _data(game), to_do=to_do)


def right(game: RiddleGame) -> None:
    """The riddler keeps what was guessed."""
    remember(game, game.entry.cards)
    cards, many = plural(game.entry.cards, "card", "cards"), game.entry.cards != 1
    why = (("RR-23", Short(f"{cards} left in that hand", f"{cards} {'are' if many else 'is'} left in that hand")),)
    plays.announce(game, "right", won_text(game), ("RR-23", "RR-26"), why, _data(game))


def won_text(game: RiddleGame) -> str:
    """Return "2 cards won"."""
    return f"{plural(game.entry.won, 'card', 'cards')} won"


def drawn_from(cards: int) -> str:
    """Return what card is drawn from a hand of so many: "one of 2 cards"."""
    return f"one of {cards} cards" if cards > 1 else "the only card"


def guesses_text(game: RiddleGame) -> str:
    """Return "3 guesses": what the hand is worth as it is now (RR-21)."""
    return plural(guesses(game.entry.cards), "guess", "guesses")


def plural(number: int, one: str, more: str) -> str:
    """Return "1 card", "2 cards"."""
    return f"{number} {one if number == 1 else more}"


def opponent(game: RiddleGame) -> str:
    """Return who is riddled."""
    return NAME.get(game.entry.target, "Target")


def _data(game: RiddleGame) -> dict[str, object]:
    return {"target": game.entry.target, "won": game.entry.won, "left": game.entry.cards}
