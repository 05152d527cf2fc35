"""Step 4: losses, hit by hit, with replacements; one press for the whole outcome through bundles."""

from __future__ import annotations

from functools import partial

from referee.games.war_of_the_ring.state import MOST_COUNTED, Army, WarGame
from referee.games.war_of_the_ring.tables import OTHER, REDUCED, RETURNED, SIDES, count, figures
from referee.rulebook import Attempt, Bar, Bundle, Choose, Options, Procedure, Short, phrase, section

CHOICES = Options(
    (
        ("regular", "Remove a Regular", "Regular"),
        ("reduce", "Reduce an Elite", "Reduce"),
        ("remove", "Remove an Elite", "Elite"),
        ("stop", "Stop taking losses", "Stop"),
    )
)
LAST_ELITE = Options(
    (
        CHOICES[0],
        ("reduce", "Reduce an Elite, which ends the assault", "Red.end"),
        ("remove", "Remove an Elite, which ends the assault", "Eli.end"),
        CHOICES[3],
    )
)
SOURCES = Options(
    (("yes", "Yes, casualties first", "Yes"), ("reinforcements", "Reinforcements", "Reinf."), ("no", "No", "No"))
)
"""Where the Regular comes from that replaces an Elite: the casualties if one is there, else the reinforcements."""
LAST_SOURCES = Options((*SOURCES[:2], ("no", "No, which ends the battle", "No")))
"""The same where the hits that are left take every other unit."""

NOTES = {"free-peoples": ("WR-36",), "shadow": ("WR-37",)}


@section("WR-30", "WR-31", title="Casualties")
def casualties(game: WarGame) -> Procedure[None]:
    """The attacker takes his losses first; hits already rolled stand even if nobody is left (A-WR4)."""
    game.step = "losses"
    for side in SIDES:
        game.armies[side].due = game.hits(OTHER[side])
    for side in SIDES:
        yield from losses(game, side)


@section("WR-32", "WR-33", title="Losses")
def losses(game: WarGame, side: str) -> Procedure[None]:
    """One choice a hit, until the hits or the units are used up; what is forced is taken without a question."""
    army = game.armies[side]
    army.taken = ()
    while army.due > 0 and army.units > 0:
        choice = forced(army.regulars, army.elites, army.due)
        if choice == "reduce":
            yield from reduce(game, side)
        elif choice:
            take(army, choice)
        else:
            answer = yield partial(question, game, side)
            if answer == "reduce":
                with Attempt(game):
                    yield from reduce(game, side)
            else:
                take(army, answer)
    army.due = 0


def question(game: WarGame, side: str) -> Choose:
    """Return the question what goes for the next hit, with every way all of them can come out."""
    army, seat = game.armies[side], game.seat_of(side)
    spared = game.spares_elites(side)
    bundles = outcomes(army, spared=spared)
    # An assault ends with the Elite that is left, and another loss would spare it.
    last = spared and army.elites == 1 and ends(army.regulars, 1, army.due)[-1][1] > 0
    return Choose(
        "casualty",
        phrase("{}: what goes?", takes(game, side)),
        LAST_ELITE if last else CHOICES,
        partial(bar_choice, game, side),
        default=bundles[0].id if bundles else None,
        seat=seat,
        rule="WR-33" if army.due > 1 else "WR-32",
        head=phrase(Short("{} {}", "{}"), game.short(side), count(army.due, "hit")),
        tag=figures(army.regulars, army.elites),
        notes=NOTES[seat],
        bundles=bundles,
    )


def takes(game: WarGame, side: str) -> str:
    """Return who takes how many hits: "FP takes 2 hits"."""
    return phrase(Short("{} takes {}", "{}, {} to take"), game.short(side), count(game.armies[side].due, "hit"))


def forced(regulars: int, elites: int, due: int) -> str:
    """Return the only choice there is, or "": the last Regulars, the last Elite with one hit, or everything."""
    if due >= regulars + 2 * elites:
        return "all"
    if not elites:
        return "regular"
    return "reduce" if not regulars and due == 1 else ""


def take(army: Army, choice: str) -> None:
    """Take figures off for one choice; never below zero, whatever the judge set meanwhile."""
    regulars = elites = cost = 0
    if choice == "all":
        regulars, elites, cost = army.regulars, army.elites, army.due
    elif choice == "regular":
        regulars, cost = min(1, army.regulars), 1
    elif choice == "remove":
        elites, cost = min(1, army.elites), 2
    else:
        cost = army.due
    army.lose(regulars, elites)
    army.due = max(0, army.due - cost)
    army.taken += ("regular",) * regulars + ("elite",) * elites


@section("WR-34", "WR-35", title="Replacement")
def reduce(game: WarGame, side: str) -> Procedure[None]:
    """An Elite becomes a Regular of its Nation if there is one; else it is lost for the same hit."""
    army = game.armies[side]
    source = yield lambda: Choose(
        "casualty.replacement",
        phrase("{}: is a Regular of the Nation there?", takes(game, side)),
        LAST_SOURCES if forced(army.regulars, army.elites - 1, army.due - 1) == "all" else SOURCES,
        partial(bar_source, game, side),
        default="yes",
        seat=game.seat_of(side),
        rule="WR-34",
        head=phrase(Short("{} {}", "{}"), game.short(side), count(army.due, "hit")),
        tag="Regular?",
        notes=("WR-35",),
    )
    game.counted()
    army.due -= 1
    replace(army, source)


def replace(army: Army, source: str) -> None:
    """Turn one Elite into a Regular, or lose it; a Regular of this battle that comes back is no loss any more."""
    if not army.elites:
        return
    army.lose(0, 1)
    if source == "no":
        army.taken += ("elite",)
        return
    army.regulars = min(MOST_COUNTED, army.regulars + 1)
    if source == "yes" and army.lost_regulars:
        army.lost_regulars -= 1
        army.taken += (RETURNED,)
    else:
        army.taken += (REDUCED,)


def bar_source(game: WarGame, side: str, source: str) -> Bar | None:
    """Return why the reinforcements need not be named: no Regular is among the casualties of this battle."""
    if source != "reinforcements" or game.armies[side].lost_regulars:
        return None
    return Bar("WR-X04", "No Regular was lost in this battle", firm=True, aside=True)


def bar_choice(game: WarGame, side: str, choice: str) -> Bar | None:
    """Return why a choice is not open: X04, X05, X06."""
    army = game.armies[side]
    if choice == "stop":
        return Bar("WR-X06", "Hits are left, and units to take them", aside=True) if army.due else None
    if choice == "regular":
        return None if army.regulars else Bar("WR-X04", "No Regular is left", firm=True)
    if not army.elites:
        return Bar("WR-X04", "No Elite is left", firm=True)
    one_hit = choice == "remove" and army.due < 2
    return Bar("WR-X05", "Removing an Elite takes two hits; one is left") if one_hit else None


Units = tuple[int, int]
"""Regulars and Elites."""


def ends(regulars: int, elites: int, due: int) -> tuple[Units, ...]:
    """Return what can be left after so many hits if every Elite can be replaced, most units first.

    >>> ends(3, 3, 3)
    ((6, 0), (4, 1), (2, 2), (0, 3))
    """
    left = regulars + 2 * elites - due
    if left <= 0:
        return ((0, 0),)
    return tuple((left - 2 * e, e) for e in range(max(0, elites - due), min(elites, left // 2) + 1))


def outcomes(army: Army, *, spared: bool = False) -> tuple[Bundle, ...]:
    """Offer every way the losses can come out, one press each; the first is what the Army does best (`plan`)."""
    left = plan(army.regulars, army.elites, army.due, spared=spared)
    goes_on = spared and any(elites for _, elites in left)
    bundles = []
    for index, (regulars, elites) in enumerate(left):
        answers = way(army.regulars, army.elites, army.due, elites)
        if answers:
            label: str = figures(regulars, elites)
            text = phrase("{} left", label)
            instead = answers[0] if len(answers) == 1 else ""  # a single loss is an option itself
            if instead or answers == ("reduce", "yes"):
                text = phrase(Short("{1}", "{0}: {1}"), CHOICES.by_id[answers[0]].text, text)
            if goes_on and not elites:
                text = phrase(Short("{} left, ends", "{} left, and the assault ends"), label)
                label = f"R{regulars} end"
            bundles.append(Bundle(f"r{regulars}-e{elites}", text, answers, label, index < 5, instead))
    return tuple(bundles)


def plan(regulars: int, elites: int, due: int, *, spared: bool) -> tuple[Units, ...]:
    """Return what can be left after so many hits, the best first: most units, or most Elites where they are spared.

    An Army whose Elites need not pay for anything keeps most dice by reducing them first.
    """
    return ends(regulars, elites, due)[:: -1 if spared else 1]


def way(regulars: int, elites: int, due: int, keep: int) -> tuple[str, ...]:
    """Return the answers that lead to an end with ``keep`` Elites: Elites off, Elites reduced, then Regulars."""
    answers: list[str] = []
    while due > 0:
        choice = forced(regulars, elites, due)
        asked = not choice
        over = elites - keep
        if not choice:
            choice = "regular" if over <= 0 else "remove" if due - 2 >= over - 1 else "reduce"
        if choice == "regular":
            regulars, due = regulars - 1, due - 1
            answers += ["regular"] if asked else []
        elif choice == "reduce":
            regulars, elites, due = regulars + 1, elites - 1, due - 1
            answers += ["reduce", "yes"] if asked else ["yes"]
        elif choice == "remove":
            elites, due = elites - 1, due - 2
            answers.append("remove")
        else:
            break
    return tuple(answers)
