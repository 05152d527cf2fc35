"""The kit in which rulebooks are written. Standard library only; no I/O, no clock, no randomness.

A printed sequence of play becomes a generator: ``yield`` asks a question, ``yield from`` enters a section.
``docs/rulebook.md`` is the guide, with a complete game.
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
    Sealed,
    decide,
    unbarred,
)
from referee.rulebook.book import NO_ASSUMPTION, Assumed, Book, Label, Onward, Switch
from referee.rulebook.game import ANYBODY, MILESTONE, Attempt, Conceded, Game, Limits, OneOf, Pool, Range
from referee.rulebook.odds import Cell, Chance, Odds, distribution, over_one, per_cent, throw_odds
from referee.rulebook.play import BACK, Answered, Concession, Corrected, Move, Play
from referee.rulebook.rulings import Event, Over, Reason, Reminder, Ruling
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
    "Choose",
    "Conceded",
    "Concession",
    "Corrected",
    "Count",
    "Event",
    "Game",
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
    "unbarred",
    "whole",
    "written",
]
