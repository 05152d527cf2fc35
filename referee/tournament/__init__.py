"""A tournament as its rulebook has it: players, stages, rounds, pairings, results, standings. No I/O, no clock.

An event is a fold of its acts (`acts`), as a game is a function of its answers. `draw_round` proposes who meets whom,
`review` says what is not as it should be, `standings` says who stands where.
"""

from referee.tournament.bracket import BracketMatch, bracket
from referee.tournament.event import Event, Pairing, Player, Round, Seats, Stage, ends_at
from referee.tournament.pairing.draw import Blemish, draw_round, review, seeding
from referee.tournament.results import Game, Result
from referee.tournament.settings import Points, Settings
from referee.tournament.standings import Row, apart, cut_to, final_standings, standings
