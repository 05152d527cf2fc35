"""Countersignatures: the hall signs a result that both seats have confirmed, with what their game came to.

Its members are those of `referee.tournament.results.Countersignature`, as JSON has them. A box checks them too, so
nothing of the extra `hall` is imported here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from referee.errors import Malformed
from referee.files import jsonl
from referee.journal.chain import canonical
from referee.journal.seal import Signer, Statement

LABEL: Final = "countersignature"


def statement(members: Mapping[str, Any]) -> Statement:
    """Return what the hall signs: one line for each member but the last two."""
    numbers = (str(members["round"]), str(members["table"]), " ".join(map(str, members["players"])))
    lines = (members["event"], *numbers, members["game"], members["head"], canonical(members["result"]))
    return Statement(LABEL, lines)


def signed(signer: Signer, members: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members with the key of the hall and its signature."""
    return {**members, "hall": signer.public, "signature": signer.sign(statement(members))}


def text_of(members: Mapping[str, Any]) -> str:
    """Return a countersignature as it stands in QR codes: canonical JSON. `referee.files.receipt` is of this text."""
    return canonical(members)


def check(text: str, event: str) -> None:
    """Raise Malformed unless a text is a countersignature of this event that its hall signed."""
    try:
        members = jsonl.parse(text.encode())
        holds = members["event"] == event and statement(members).signed(members["hall"], members["signature"])
    except (KeyError, TypeError, ValueError) as fault:
        raise Malformed(f"countersignature: expected other members: {fault!r:.100}") from fault
    if not holds or text_of(members) != text:
        raise Malformed("countersignature: expected one of this event, with the signature of its hall")
