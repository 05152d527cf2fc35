"""Seat clocks: how much time each seat has left. Pure; times are arguments, whole ms of a monotonic clock."""

from referee.clock.clocks import COMMON, NOBODY, Clocks, Fall, begin
from referee.clock.control import Control, Period
from referee.clock.customs import Customs
from referee.clock.keeper import Keeper
from referee.clock.seat import SeatTime
from referee.clock.seen import Seen

__all__ = [
    "COMMON",
    "NOBODY",
    "Clocks",
    "Control",
    "Customs",
    "Fall",
    "Keeper",
    "Period",
    "SeatTime",
    "Seen",
    "begin",
]
