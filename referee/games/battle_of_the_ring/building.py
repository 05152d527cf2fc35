"""The Building Phase: nation, place, "is it empty?"."""

from __future__ import annotations

from functools import lru_cache, partial

from referee.games.battle_of_the_ring.pieces import (
    COUNTED,
    CROWNS,
    NAME,
    OPTION,
    PIECES,
    PLACES,
    SHORT,
    allowance,
    own,
)
from referee.games.battle_of_the_ring.state import Input, RingGame
from referee.rulebook import (
    Attempt,
    Bar,
    Bundle,
    Choose,
    Option,
    Options,
    Procedure,
    Ruling,
    Short,
    joined,
    phrase,
    section,
)

DONE = Option("done", "No more builds", "Done")
IS_EMPTY = Options((("yes", "Yes"), ("no", "No"), ("elsewhere", "Another place", "Other")))
EMPTY = {p: o.text for p, o in PLACES.items()} | {
    "lonely-mountain": "the Lonely Mountain",
    "iron-mountains": "the Iron Mountains",
    "shire": "hex R of the Shire",
}

BUILT = Short("{0} built on {1}", "The army is built on {1}")
LEFT = Short("Left: {}", "These may still be built: {}")
NOTHING_LEFT = Short("Left: nothing", "Nothing is left to build")

USED_UP = {n: Bar("BR-X03", f"No more {NAME[n]} builds this round") for n in CROWNS}
CAPPED = {n: Bar("BR-X06", f"All {PIECES[n].cap} {NAME[n]} pieces are on the board", firm=True) for n in CROWNS}
NOT_THEIRS = {p: Bar("BR-X04", f"Only another nation builds on {hex_}", aside=True) for p, hex_ in EMPTY.items()}
SHIRE = {
    "saruman": Bar("BR-X08", "The Shire is Saruman's now"),
    "hobbits": Bar("BR-X08", "The Shire is the Hobbits'"),
}
BUILT_ON = {p: Bar("BR-X05", f"An army was built on {hex_} in this phase") for p, hex_ in EMPTY.items()}
OCCUPIED = Bar("BR-X05", "Only an empty hex can be built on")
RING_THERE = {p: Bar("BR-X05", f"The Ring Bearer stands on {hex_}") for p, hex_ in EMPTY.items()}
THIRD_THERE = Bar("BR-X05", f"A piece of Sauron's is on {EMPTY['shire']}")
RESTS_ON = {"BR-X05": "BR-25", "BR-X06": "BR-27", "BR-X08": "BR-30"}
"""The rule behind a reason why a nation builds no more, though its allowance is not used up."""


@section("BR-3", "BR-20", "BR-26", title="Building Phase")
def building_phase(game: RingGame) -> Procedure[None]:
    """Build after build, until the player is done or nothing is left to build; nobody builds in round 1.

    A phase that ends by itself says why, except where the last ruling has said it.
    """
    if game.round_one:
        return
    while game.seat not in game.conceded and any(bar_nation(game, nation) is None for nation in builds(game.seat)):
        game.entry = Input()
        nation = yield lambda: Choose(
            "build.nation",
            phrase("Build what? {}", budget(game)),
            nations(game.seat),
            partial(bar_nation, game),
            passing="done",
            rule="BR-24",
            head=band(game),
            tag="build",
            notes=("BR-25", "BR-26", "BR-29"),
            bundles=partial(as_before, game),
        )
        if nation == "done":
            return
        game.entry.piece = nation
        with Attempt(game):
            yield from build(game)
    for bar in stopped(game) if game.seat not in game.conceded else ():
        if bar in CAPPED.values() or not game.built:
            game.remind(RESTS_ON[bar.code], f"No {'more ' if game.built else ''}builds. {bar.text}")


@section("BR-21", "BR-22", "BR-23", "BR-24", "BR-25", "BR-27", "BR-28", "BR-29", "BR-30", title="Build")
def build(game: RingGame) -> Procedure[None]:
    """One army on one empty place of its nation."""
    nation = game.entry.piece
    empty = "elsewhere"
    while empty == "elsewhere":
        game.entry.place = place = yield Choose(
            "build.place",
            f"{NAME[nation]}: where?",
            places(nation),
            partial(bar_place, game, nation),
            rule="BR-24",
            head=SHORT[nation],
            tag="where?",
        )
        empty = yield Choose(
            "build.empty",
            f"{'Are' if place == 'iron-mountains' else 'Is'} {EMPTY[place]} empty of every piece?",
            IS_EMPTY,
            lambda answer: OCCUPIED if answer == "no" else None,
            default="elsewhere",
            passing="elsewhere",
            rule="BR-25",
            head=SHORT[nation],
        )
    game.counted()
    group = shared(nation)
    game.built[group] = game.built.get(group, 0) + 1
    game.built_on[place] = game.built_on.get(place, 0) + 1
    game.builds[game.seat].append((nation, place))
    before = game.on_board[nation]
    game.on_board[nation] = after = min(before + 1, PIECES[nation].cap)
    game.rule(
        Ruling(
            "built",
            phrase(Short("{} {}", "{} built: now {}"), SHORT[nation], after),
            ("BR-24", "BR-25"),
            (
                ("BR-24", phrase(BUILT, NAME[nation], Short(PLACES[place].text, EMPTY[place]))),
                phrase(LEFT, words) if (words := budget(game)) else NOTHING_LEFT,
                *(phrase(bar.text) for bar in stopped(game)),
            ),
            {"nation": nation, "place": place, "pools": {"before": {nation: before}, "after": {nation: after}}},
            foot=phrase(COUNTED, SHORT[nation], before, after),
        )
    )


def shared(nation: str) -> str:
    """Return the name of the allowance a nation builds from; Dwarf and Hobbit share one (BR-21)."""
    return "dwarf-or-hobbit" if nation in ("dwarf", "hobbit") else nation


def left(game: RingGame, nation: str) -> int:
    """Return how many armies a nation may still build in this phase (BR-20 to BR-23)."""
    return max(0, allowance(nation, game.round) - game.built.get(shared(nation), 0))


def room(game: RingGame, nation: str) -> int:
    """Return how many armies a nation can still build by its allowance and its cap; 0 with no place open to it."""
    if all(bar_place(game, nation, place) for place in CROWNS[nation]):
        return 0
    return min(left(game, nation), PIECES[nation].cap - game.on_board[nation])


def builders(game: RingGame) -> dict[str, list[str]]:
    """Return the nations of the player whose phase it is by the allowance they build from, of what is not built."""
    groups: dict[str, list[str]] = {}
    for nation in builds(game.seat):
        if left(game, nation):
            groups.setdefault(shared(nation), []).append(nation)
    return groups


def budget(game: RingGame) -> str:
    """Return what can still be built, in a few words ("Orc 3", "Gondor 1, Rohan 1, Dwarf/Hobbit 1")."""
    words: list[str] = []
    for nations in builders(game).values():
        if able := [nation for nation in nations if room(game, nation)]:
            name = joined(Short("/", " or "), (SHORT[nation] for nation in able))
            most = min(left(game, able[0]), sum(room(game, nation) for nation in able))
            words.append(phrase(Short("{0} {1}", "{1} {0}s" if most > 1 else "{1} {0}"), name, most))
    return joined(", ", words)


def stopped(game: RingGame) -> tuple[Bar, ...]:
    """Return why nations build no more though their allowance is not used up."""
    bars: list[Bar | None] = []
    for nations in builders(game).values():
        for nation in nations if not any(room(game, nation) for nation in nations) else ():
            capped = game.on_board[nation] >= PIECES[nation].cap
            bars += [CAPPED[nation]] if capped else [bar_place(game, nation, place) for place in CROWNS[nation]]
    return tuple(dict.fromkeys(filter(None, bars)))


def band(game: RingGame) -> str:
    """Return `budget` for the band of the glass; "", so that the player is named, where it is too long for that."""
    words = budget(game)
    return words if len(words) <= 16 else ""


def bar_nation(game: RingGame, nation: str) -> Bar | None:
    """Return why a nation cannot build now: X03, X06 in that order, or why none of its places is open."""
    if nation == "done":
        return None
    if left(game, nation) < 1:
        return USED_UP[nation]
    if game.on_board[nation] >= PIECES[nation].cap:
        return CAPPED[nation]
    bars = [bar_place(game, nation, place) for place in CROWNS[nation]]
    return None if None in bars else bars[0]


def bar_place(game: RingGame, nation: str, place: str) -> Bar | None:
    """Return why a nation cannot build on a place, as far as is known: X04, X08, X05 in that order."""
    if place not in CROWNS[nation]:
        return NOT_THEIRS[place]
    if place == "shire" and (nation == "hobbit") != (game.shire_owner == "hobbits"):
        return SHIRE[game.shire_owner]
    if place == game.ring_hex:
        return RING_THERE[place]
    if place == "shire" and game.shire_third:
        return THIRD_THERE
    return BUILT_ON[place] if game.built_on.get(place, 0) >= game.crowns.get(place, 1) else None


def as_before(game: RingGame) -> tuple[Bundle, ...]:
    """Offer the builds of the round before, if nothing has been built yet and every one of them is open now."""
    before = game.built_before
    if not before or game.built:
        return ()
    for nation, place in before:
        wanted = sum(1 for each, _ in before if shared(each) == shared(nation))
        room = PIECES[nation].cap - game.on_board[nation]
        if wanted > left(game, nation) or wanted > room or bar_place(game, nation, place) is not None:
            return ()
        if before.count((nation, place)) > game.crowns.get(place, 1):
            return ()
    answers = tuple(answer for nation, place in before for answer in (nation, place, "yes"))
    return (Bundle("as-before", f"The same {len(before)} places, all empty", answers, "Repeat"),)


@lru_cache(maxsize=256)
def nations(force: str) -> Options:
    """Return what a force may be asked to build."""
    return Options((*(OPTION[nation] for nation in builds(force)), DONE))


def builds(force: str) -> tuple[str, ...]:
    """Return the nations of a force that build."""
    return tuple(nation for nation in own(force) if nation in CROWNS)


@lru_cache(maxsize=256)
def places(nation: str) -> Options:
    """Return every place, those of the nation first."""
    return Options(PLACES[p] for p in (*CROWNS[nation], *(p for p in PLACES if p not in CROWNS[nation])))
