"""The kit in which rulebooks are written. Standard library only; no I/O, no clock, no randomness.

A printed sequence of play becomes a generator: ``yield`` asks a question, ``yield from`` enters a section.
``docs/rulebook.md`` is the guide, with a complete small game.
"""

from referee.rulebook.asks import (
    YES_NO,
    Ask,
    Bar,
    Barred,
    Bundle,
    Choose,
    Count,
    Option,
    Options,
    Pick,
    Roll,
)
from referee.rulebook.book import Book, Switch
from referee.rulebook.game import ANYBODY, MILESTONE, Attempt, Conceded, Game, OneOf, Pool, Range
from referee.rulebook.odds import Cell, Chance, Odds, distribution, throw_odds
from referee.rulebook.play import BACK, Answered, Corrected, Gone, Move, Play
from referee.rulebook.rulings import Event, Over, Reminder, Ruling
from referee.rulebook.sections import Procedure, Section, breadcrumb, cited, section

__all__ = [
    "ANYBODY",
    "BACK",
    "MILESTONE",
    "YES_NO",
    "Answered",
    "Ask",
    "Attempt",
    "Bar",
    "Barred",
    "Book",
    "Bundle",
    "Cell",
    "Chance",
    "Choose",
    "Conceded",
    "Corrected",
    "Count",
    "Event",
    "Game",
    "Gone",
    "Move",
    "Odds",
    "OneOf",
    "Option",
    "Options",
    "Over",
    "Pick",
    "Play",
    "Pool",
    "Procedure",
    "Range",
    "Reminder",
    "Roll",
    "Ruling",
    "Section",
    "Switch",
    "breadcrumb",
    "cited",
    "distribution",
    "section",
    "throw_odds",
]
