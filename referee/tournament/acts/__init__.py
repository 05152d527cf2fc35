"""Everything that is done to an event, by whom, why and when: plain data, checked and then applied."""

from referee.tournament.acts import matches, people, rounds, stages
from referee.tournament.acts.base import KINDS, Act, fold, read_act

__all__ = ["KINDS", "Act", "fold", "matches", "people", "read_act", "rounds", "stages"]
