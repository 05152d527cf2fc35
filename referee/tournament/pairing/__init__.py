"""Who meets whom in a round."""

from referee.tournament.pairing.bracket import BracketMatch, bracket

__all__ = ["BracketMatch", "bracket"]
