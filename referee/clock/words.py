"""Times as clocks show them. What is left is rounded up, so that 0:00 is shown when the flag falls and not before."""

from __future__ import annotations


def clock_text(ms: int) -> str:
    """Return a time as hours, minutes and seconds.

    >>> clock_text(3_600_000), clock_text(59_001), clock_text(0), clock_text(-1), clock_text(-62_000)
    ('1:00:00', '1:00', '0:00', '-0:00', '-1:02')
    """
    seconds = _seconds(ms)
    hours, minutes = seconds // 3600, seconds // 60 % 60
    sign = "-" if ms < 0 else ""
    return f"{sign}{hours}:{minutes:02}:{seconds % 60:02}" if hours else f"{sign}{minutes}:{seconds % 60:02}"


def short_text(ms: int) -> str:
    """Return a time in few letters: from ten minutes on without the seconds.

    >>> short_text(5_400_000), short_text(600_000), short_text(599_000), short_text(-700_000)
    ("90'", "10'", '9:59', "-11'")
    """
    seconds = _seconds(ms)
    return f"{'-' if ms < 0 else ''}{seconds // 60}'" if seconds >= 600 else clock_text(ms)


def tiny_text(ms: int) -> str:
    """Return a time in as few letters as can be: minutes, and in the last one seconds.

    >>> tiny_text(5_400_000), tiny_text(599_000), tiny_text(41_500), tiny_text(-2_000)
    ("90'", "9'", '42"', '-2"')
    """
    seconds = _seconds(ms)
    return f"{'-' if ms < 0 else ''}" + (f"{seconds // 60}'" if seconds >= 60 else f'{seconds}"')


def until_text_changes(ms: int) -> int:
    """Return after how many ms `clock_text` changes, of a clock that runs.

    >>> until_text_changes(60_000), until_text_changes(59_999), until_text_changes(1), until_text_changes(0)
    (1000, 999, 1, 1)
    """
    return (ms - 1) % 1000 + 1 if ms > 0 else 1000 - -ms % 1000 if ms else 1


def _seconds(ms: int) -> int:
    return -(-ms // 1000) if ms > 0 else -ms // 1000
