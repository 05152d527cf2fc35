"""What a hall serves besides its pages, as far as it was started with it."""

from __future__ import annotations

from typing import Final, NamedTuple

from referee.hall.backup import Backup
from referee.hall.boxes import Boxes
from referee.hall.reports import Reports
from referee.hall.staff.port import StaffPort


class Served(NamedTuple):
    """``boxes``, ``reports``: None where no box can connect; ``staff``: the port for tablets, None without one."""

    boxes: Boxes | None = None
    reports: Reports | None = None
    backup: Backup | None = None
    staff: StaffPort | None = None


NOTHING: Final = Served()
