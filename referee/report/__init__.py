"""The report of a game, a page to send to friends; computed from the record alone."""

from referee.report.fairness import dice_of, sentences
from referee.report.page import page
from referee.report.story import Story, tell

__all__ = ["Story", "dice_of", "page", "sentences", "tell"]
