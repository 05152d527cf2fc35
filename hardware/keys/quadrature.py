"""Two bouncing contacts of a rotary encoder in, whole detents out: pure.

The position within one cycle is the Gray code of the two contacts. A bounce of either contact goes one
quarter forth and one back, so it cancels by itself; only a completed way from rest to rest counts.
"""

_POSITION = {(False, False): 0, (True, False): 1, (True, True): 2, (False, True): 3}


class Quadrature:
    """Decodes contacts A and B; A closing first is clockwise.

    `detents_per_cycle` is 1 for encoders that rest with both contacts open, 2 for those that also rest
    with both closed.
    """

    def __init__(self, *, a: bool = False, b: bool = False, detents_per_cycle: int = 1) -> None:
        self._levels = [a, b]
        self._step = 4 // detents_per_cycle
        # Switched on between two detents: count from the nearer one.
        self._quarters = (_POSITION[a, b] + 1) % self._step - 1

    def feed(self, *, contact: int, level: bool) -> int:
        """Take one edge of contact 0 (A) or 1 (B); return the detents completed by it: -1, 0 or 1."""
        before = _POSITION[self._levels[0], self._levels[1]]
        self._levels[contact] = level
        after = _POSITION[self._levels[0], self._levels[1]]
        if after == before:
            return 0
        self._quarters += 1 if (after - before) % 4 == 1 else -1
        if after % self._step:
            return 0
        steps, self._quarters = int(self._quarters / self._step), 0
        return steps
