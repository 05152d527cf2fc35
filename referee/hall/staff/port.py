"""What the desk knows of the staff's port: its address and certificate, who is let in, codes that wait."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from referee.errors import Malformed
from referee.hall.staff.access import Access
from referee.hall.staff.certificates import StaffCertificate
from referee.hall.staff.codes import LIFE
from referee.hall.staff.roles import ROLES

MOST_NUMBER = 999


@dataclass(slots=True)
class StaffPort:
    """See the module. ``address``: as tablets write it; ``install``: where they read how to trust the certificate."""

    access: Access
    certificate: StaffCertificate
    address: str
    install: str
    shown: tuple[str, str] = ("", "")
    """For whom the newest code is, and the code: the desk shows it until it was used."""

    def view(self) -> dict[str, Any]:
        """Return what the page of the staff shows. Raises StationError if the passes cannot be read."""
        waiting = [each.who for each in self.access.invitations()]
        return {
            "code": self.shown if self.shown[0] in waiting else ("", ""),
            "waiting": waiting,
            "minutes": round(LIFE / 60),
            "staff": self.access.staff(),
            "roles": ROLES,
            "address": self.address,
            "install": self.install,
            "fingerprint": self.certificate.fingerprint,
            "until": self.certificate.until,
        }

    def invite(self, role: str, number: int, taken: Iterable[str]) -> str:
        """Make a code; return for whom. ``number`` 0: the first that nobody of ``taken`` or of the staff has had.

        Raises Malformed, StationError.
        """
        if not 0 <= number <= MOST_NUMBER:
            raise Malformed(f"number: expected 1 to {MOST_NUMBER}, or none for the next")
        names = {*taken, *(each.who for each in self.access.staff()), *(e.who for e in self.access.invitations())}
        number = number or next(n for n in range(1, MOST_NUMBER + 2) if f"{role} {n}" not in names)
        self.shown = self.access.invite(role, number)
        return self.shown[0]
