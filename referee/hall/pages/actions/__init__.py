"""What the organiser's forms do: each reads a form and says which acts it asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from referee.hall.desk import Desk
from referee.hall.names import NewNames
from referee.hall.pages.forms import Form
from referee.tournament.acts import Act


@dataclass(frozen=True, slots=True)
class Asked:
    """What a form asks for. ``notice``: what the page says once it is done; ``then``: where it leads."""

    acts: Sequence[Act] = ()
    names: NewNames = field(default_factory=dict)
    notice: str = ""
    then: str = ""


@dataclass(frozen=True, slots=True)
class Sender:
    """A form, and what its acts need.

    ``seed``  draws the number that lots come from
    ``who``   who sends it, as acts name it; ``role``: one of `referee.hall.staff.roles`
    """

    desk: Desk
    form: Form
    seed: Callable[[], int]
    who: str
    role: str

    @property
    def mark(self) -> dict[str, Any]:
        """Who does it, when and why, for every act."""
        return {"who": self.who, "at": self.desk.now(), "why": self.form.text("why")}

    def round(self) -> int:
        """Return the number of the round that is meant. Raises Malformed."""
        return self.form.number("round")


Action: TypeAlias = Callable[[Sender], Asked]
Actions: TypeAlias = Mapping[str, Action]
