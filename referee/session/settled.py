"""Which dice count: those once thrown for a roll, whoever asks for them again."""

from __future__ import annotations

from referee.errors import NotNow
from referee.rulebook import Roll


def settled(ask: Roll, earlier: tuple[int, ...] | None, value: object, *, reroll: bool) -> object:
    """Return the answer that counts for a roll: dice once thrown stand, whoever asks for them again.

    ``earlier``: what was thrown for it before (one number: the sum). ``reroll``: the judge has them thrown again.
    Raises NotNow (``thrown``, ``nothing-stands``).
    """
    if reroll:
        if earlier is None:
            raise NotNow("nothing-stands", "There is no earlier throw; answer without a re-roll")
        return value
    if earlier is None:
        return value
    total = sum(earlier)
    summed = ask.total and ask.dice > 1 and len(earlier) == 1
    faces = tuple(value) if isinstance(value, (list, tuple)) else value
    if faces == earlier or (ask.total and type(faces) is int and faces == total):
        return total if summed else earlier
    shown = f"a total of {total}" if summed else " ".join(str(face) for face in earlier)
    raise NotNow("thrown", f"{shown} was rolled here; only the judge can re-roll")
