"""What a table meets on the panel, by name: recorded at the simulated box, not invented."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from tests.web.recorded import Batch, recorded

GAMES: Final = ("battle-of-the-ring", "war-of-the-ring", "riddle-of-the-ring", "middle-earth-the-wizards")
GESTURES: Final = 150
Card = Mapping[str, Any]


def offers(card: Card, text: str) -> bool:
    """Return whether a card has this button."""
    return any(button["text"] == text for button in card["buttons"])


SOUGHT: Final[dict[str, Callable[[Card], object]]] = {
    "question": lambda card: card["kind"] == "grid" and 3 <= len(card["buttons"]) <= 6,
    "roll": lambda card: card["kind"] == "dice",
    "many options": lambda card: len(card["buttons"]) > 30,
    "barred option": lambda card: any(button["why_not"] for button in card["buttons"]),
    "ruling": lambda card: card["kind"] == "ruling",
    "refusal": lambda card: card["kind"] == "refusal",
    "hand-over": lambda card: offers(card, "Begin"),
    "menu": lambda card: card["title"].startswith("Menu"),
    "end": lambda card: offers(card, "Rematch"),
    "confirmation": lambda card: card["kind"] == "confirm",
    "log": lambda card: card["kind"] == "log",
    "odds": lambda card: card["kind"] == "odds",
}
"""State of the panel -> whether a card shows it."""


def states(*games: str, gestures: int = GESTURES) -> dict[str, Batch]:
    """Return for each state what browsers have been told when it is there; "shelf" is how they begin."""
    seen: dict[str, Batch] = {}
    for game in games:
        told: dict[str, Mapping[str, Any]] = {}
        for batch in recorded(game, gestures):
            told |= {message["type"]: message for message in batch if message["type"] != "sound"}
            seen.setdefault("shelf", list(told.values()))
            for state, shows in SOUGHT.items():
                if shows(told["table"]["card"]):
                    seen.setdefault(state, list(told.values()))
    return seen


def state(name: str) -> Batch:
    """Return one state, of whatever game comes to it first. Raises LookupError where none does."""
    for gestures in (GESTURES, 4 * GESTURES):
        for game in GAMES:
            told = states(game, gestures=gestures)
            if name in told:
                return told[name]
    raise LookupError(name)
