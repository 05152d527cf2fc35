"""The kit in which rulebooks are written. Standard library only; no I/O, no clock, no randomness.

A printed sequence of play becomes a generator: ``yield`` asks a question, ``yield from`` enters a section. This is
a complete rulebook (``docs/rulebook.md`` is the guide, with a larger one)::

    from dataclasses import dataclass, field

    from referee.rulebook import (
        MILESTONE, Attempt, Bar, Book, Choose, Game, Options, Over, Range, Roll, Ruling, section, throw_odds,
    )

    ARCHERS = Options([("north", "North"), ("south", "South")])
    WORDS = {"hit": "Hit", "miss": "Miss"}

    @dataclass
    class Duel(Game):
        hits: dict[str, int] = field(default_factory=lambda: {"north": 0, "south": 0})
        shots: int = 1
        correctable = {"hits.north": Range(0, 3), "hits.south": Range(0, 3)}

        def place(self):
            return (f"Shot {self.shots}",)

    def outcome(faces):
        return "hit" if faces[0] >= 5 else "miss"

    @section("D-2", title="One shot")
    def shot(game):
        spent = Bar("D-X1", "Whoever has been hit three times shoots no more")
        able = lambda archer: spent if game.hits[archer] >= 3 else None
        archer = yield Choose("shot.who", "Who shoots?", ARCHERS, able, rule="D-2")
        odds = lambda: throw_odds(1, outcome, WORDS)
        faces = yield Roll("shot.die", "Throw one die", 1, need="5+", need_note="hits", odds=odds, rule="D-3")
        game.counted()
        result, target = outcome(faces), "south" if archer == "north" else "north"
        game.hits[target] = min(3, game.hits[target] + (result == "hit"))
        why = (f"{faces[0]} against 5",)
        game.rule(Ruling(result, WORDS[result], ("D-3",), why, {"faces": faces}, changed=result == "hit"))

    @section("D-1", title="The duel")
    def play(game):
        while max(game.hits.values()) < 3:
            yield MILESTONE
            with Attempt(game):
                yield from shot(game)
                game.shots += 1
        winner = min(game.hits, key=game.hits.get)
        game.over = Over("three-hits", f"{winner.capitalize()} wins", (winner,))

    BOOK = Book("duel", "Duel", "1", lambda settings: Duel(), play, {"shot": shot})
"""

from referee.rulebook.asks import (
    YES_NO,
    Ask,
    Bar,
    Barred,
    Bundle,
    Choose,
    Count,
    Notes,
    Option,
    Options,
    Pick,
    Roll,
)
from referee.rulebook.book import NO_ASSUMPTION, Assumed, Book, Label, Onward, Switch
from referee.rulebook.decide import decide
from referee.rulebook.game import ANYBODY, MILESTONE, Attempt, Conceded, Game, Limits, OneOf, Pool, Range
from referee.rulebook.odds import Cell, Chance, Odds, distribution, over_one, per_cent, throw_odds
from referee.rulebook.play import BACK, Answered, Checked, Corrected, Gone, Move, Play
from referee.rulebook.rulings import Event, Over, Reason, Reminder, Ruling
from referee.rulebook.sealed import Sealed
from referee.rulebook.sections import Procedure, Section, breadcrumb, cited, section
from referee.rulebook.wording import Short, after, joined, phrase, whole, written

__all__ = [
    "ANYBODY",
    "BACK",
    "MILESTONE",
    "NO_ASSUMPTION",
    "YES_NO",
    "Answered",
    "Ask",
    "Assumed",
    "Attempt",
    "Bar",
    "Barred",
    "Book",
    "Bundle",
    "Cell",
    "Chance",
    "Checked",
    "Choose",
    "Conceded",
    "Corrected",
    "Count",
    "Event",
    "Game",
    "Gone",
    "Label",
    "Limits",
    "Move",
    "Notes",
    "Odds",
    "OneOf",
    "Onward",
    "Option",
    "Options",
    "Over",
    "Pick",
    "Play",
    "Pool",
    "Procedure",
    "Range",
    "Reason",
    "Reminder",
    "Roll",
    "Ruling",
    "Sealed",
    "Section",
    "Short",
    "Switch",
    "after",
    "breadcrumb",
    "cited",
    "decide",
    "distribution",
    "joined",
    "over_one",
    "per_cent",
    "phrase",
    "section",
    "throw_odds",
    "whole",
    "written",
]
