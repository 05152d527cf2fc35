"""Seat clocks: how much time each seat has left. Pure; times are arguments, whole ms of a monotonic clock."""

from referee.clock.clocks import COMMON, NOBODY, Clocks, Fall, begin
from referee.clock.control import Control, Customs
from referee.clock.keeper import Keeper, Seen

__all__ = ["COMMON", "NOBODY", "Clocks", "Control", "Customs", "Fall", "Keeper", "Seen", "begin"]
