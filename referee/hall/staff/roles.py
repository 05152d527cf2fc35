"""Who may do what: each page and each of its acts, and the roles it is for. What is not named here is for nobody.

The desk itself, on the loopback, may do everything; the roles are those of passes to the staff's port.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

DESK: Final = "desk"
LINK: Final = "link"
"""The one-time link that lets a browser on the organiser's computer in; it opens nothing else."""
SCOREKEEPER: Final = "scorekeeper"
ROLES: Final = ("organiser", "judge", SCOREKEEPER)
"""Of the staff's tablets."""

_ORGANISER: Final = frozenset({"organiser"})
_JUDGES: Final = frozenset({"organiser", "judge"})
_ALL: Final = frozenset(ROLES)
_NOBODY: Final = frozenset[str]()

PAGES: Final[Mapping[str, frozenset[str]]] = {
    "/": _ORGANISER,
    "/setup": _ORGANISER,
    "/players": _ORGANISER,
    "/round": _ALL,
    "/board": _JUDGES,
    "/table": _JUDGES,
    "/board/news": _JUDGES,
    "/standings": _ALL,
    "/floor": _JUDGES,
    "/record": _ORGANISER,
    "/boxes": _NOBODY,
    "/staff": _NOBODY,
    "/print/paper": _ORGANISER,
    "/print/pairings": _ORGANISER,
    "/print/slips": _ORGANISER,
    "/print/standings": _ORGANISER,
    "/event.jsonl": _ORGANISER,
    "/results.csv": _ORGANISER,
    "/results.json": _ORGANISER,
    "/standings.csv": _ORGANISER,
    "/report": _ALL,
    "/reports.zip": _ORGANISER,
    "/news": _ALL,
    "/logout": _ALL,
}
"""Who may look at a page, besides the desk."""

ACTS: Final[Mapping[str, Mapping[str, frozenset[str]]]] = {
    "/setup": dict.fromkeys(("preset", "settings", "title", "open-stage", "take-back-stage"), _ORGANISER),
    "/players": dict.fromkeys(
        ("add", "name-again", "check-in", "check-in-all", "take-back-check-in", "drop", "return", "change"),
        _ORGANISER,
    ),
    "/round": {
        **dict.fromkeys(
            ("draft", "exchange", "by-hand", "discard", "publish", "unpublish", "start", "end"), _ORGANISER
        ),
        "extend": _JUDGES,
        "pause": _JUDGES,
        "resume": _JUDGES,
        "take-back": _JUDGES,
        "reject": _JUDGES,
        "challenge": _ALL,
        "result": _ALL,
        "bid": _ALL,
    },
    "/standings": {"cut": _ORGANISER},
    "/floor": dict.fromkeys(("call", "claim", "resolve", "extend", "penalty", "lift"), _JUDGES),
    "/record": dict.fromkeys(("end", "erase", "go-on"), _NOBODY),
    "/table": {"own-game": _JUDGES},
    "/boxes": dict.fromkeys(("offer", "withdraw", "bar", "place", "remove"), _NOBODY),
    "/staff": dict.fromkeys(("invite", "revoke", "withdraw"), _NOBODY),
}
"""Who may do an act of a page, besides the desk."""


def may_open(role: str, path: str) -> bool:
    """Whether a role may look at a page."""
    return role == DESK or role in PAGES.get(path, _NOBODY)


def may_do(role: str, path: str, do: str) -> bool:
    """Whether a role may do an act of a page."""
    return role == DESK or role in ACTS.get(path, {}).get(do, _NOBODY)
