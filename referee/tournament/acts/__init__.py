"""Everything that is done to an event, by whom, why and when: plain data, checked and then applied."""

from referee.tournament.acts import floor, matches, people, rounds, stages
from referee.tournament.acts.base import KINDS, Act, fold, read_act

__all__ = ["KINDS", "Act", "floor", "fold", "matches", "people", "read_act", "rounds", "stages"]
