"""The report of a game: one page to send to friends. Pure; what it tells is worked out from the record."""

from referee.report.fairness import dice_of, luck_of, sentences
from referee.report.page import page
from referee.report.story import Story, tell

__all__ = ["Story", "dice_of", "luck_of", "page", "sentences", "tell"]
