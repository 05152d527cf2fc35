"""What pins did, as a picture of text."""

from collections.abc import Sequence

BARS = "▁▂▃▄▅▆▇█"
SEVERAL = "╳"


def timeline(history: Sequence[tuple[float, str, float]], end: float, width: int) -> str:
    """Draw states from 0 to 1, each with its time and its pin: a line for each pin, a letter for each stretch.

    A letter is the state at the end of its stretch, its height the duty; ╳: it went up and down in it.

    >>> print(timeline([(0, "GPIO17", 0), (1, "GPIO17", 1), (2, "GPIO17", 0.5)], 4.0, 8))
            0 s  4 s
    GPIO17  ▁▁██▅▅▅▅
    """
    names = sorted({name for _, name, _ in history}, key=lambda name: (len(name), name))
    margin = max(map(len, names), default=0) + 2
    last = f"{end:.4g} s"
    scale = f"0 s{last:>{max(width - 3, len(last) + 1)}}"
    lines = [" " * margin + scale]
    for name in names:
        states = [(at, state) for at, other, state in history if other == name]
        lines.append(f"{name:<{margin}}" + "".join(_letter(states, end, width, place) for place in range(width)))
    return "\n".join(lines)


def _letter(states: Sequence[tuple[float, float]], end: float, width: int, place: int) -> str:
    first, last = (end * (place + i) / width for i in range(2))
    before = [state for at, state in states if at < first][-1:]
    within = before + [state for at, state in states if first <= at < last or at == last == end]
    if within not in (sorted(within), sorted(within, reverse=True)):
        return SEVERAL
    return BARS[round((within[-1] if within else 0.0) * (len(BARS) - 1))]
