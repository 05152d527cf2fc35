"""Who stands where, and why."""

from referee.tournament.standings.explain import why
from referee.tournament.standings.knockout import apart
from referee.tournament.standings.ranking import Row, cut_to, final_standings, picked_now, standings

__all__ = ["Row", "apart", "cut_to", "final_standings", "picked_now", "standings", "why"]
