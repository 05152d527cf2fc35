"""The staff: codes that let tablets in, and taking passes back."""

from __future__ import annotations

from referee.errors import Malformed
from referee.hall.pages.actions import Actions, Asked, Sender
from referee.hall.staff.port import StaffPort
from referee.hall.staff.roles import ROLES


def actions(staff: StaffPort) -> Actions:
    """Return what the forms of the page do."""

    def invite(sender: Sender) -> Asked:
        role, number = sender.form.choice("role", ROLES), sender.form.number("number", 0)
        staff.invite(role, number, {act.who for act in sender.desk.acts})
        return Asked()

    def withdraw(sender: Sender) -> Asked:
        staff.access.withdraw(sender.form.text("who"))
        return Asked(notice="The code is void")

    def revoke(sender: Sender) -> Asked:
        revoked = staff.access.revoke(sender.form.text("pass"))
        if not revoked:
            raise Malformed("expected a pass that was not taken back yet")
        return Asked(notice=f"The pass of {revoked[0].who} is taken back")

    return {"invite": invite, "withdraw": withdraw, "revoke": revoke}
