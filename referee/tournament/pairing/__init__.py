"""Who meets whom in a round."""

from referee.tournament.pairing.draw import draw_round, seeding
from referee.tournament.pairing.review import Blemish, review

__all__ = ["Blemish", "draw_round", "review", "seeding"]
