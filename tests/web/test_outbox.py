"""A browser that lags gets the newest state, and never more than a handful of messages waits for it."""

from __future__ import annotations

from typing import Any

from referee.web.limits import Pace
from referee.web.outbox import Outbox, Packet


def drain(outbox: Outbox) -> list[Any]:
    return [packet.message for packet in outbox.take()]


def test_the_newest_of_each_kind_waits_in_the_place_of_the_oldest() -> None:
    outbox = Outbox()
    for n in range(1000):
        outbox.put(Packet({"type": "glass", "n": n}))
        outbox.put(Packet({"type": "log", "n": n}))
    assert drain(outbox) == [{"type": "glass", "n": 999}, {"type": "log", "n": 999}]


def log(since: int, *lines: int) -> dict[str, Any]:
    return {"type": "log", "since": since, "entries": [{"seq": seq} for seq in lines]}


def test_news_of_a_log_takes_over_the_lines_that_still_wait() -> None:
    outbox = Outbox()
    outbox.put(Packet(log(0, 0, 1, 2)))
    outbox.put(Packet(log(3, 3)))
    outbox.put(Packet(log(2, 2, 3, 4)))  # an entry of before was taken back
    assert drain(outbox) == [log(0, 0, 1, 2, 3, 4)]
    outbox.put(Packet(log(5, 5)))
    outbox.put(Packet(log(2, 2, 3, 4, 5, 6)))
    assert drain(outbox) == [log(2, 2, 3, 4, 5, 6)]
    outbox.put(Packet(log(7, 7)))
    outbox.put(Packet(log(0)))  # no game is on the table any more
    assert drain(outbox) == [log(0)]


def test_a_pace_allows_a_burst_and_then_the_rate() -> None:
    pace = Pace(rate=10, burst=3)
    assert [pace.allows(0.0) for _ in range(5)] == [True, True, True, False, False]
    assert [pace.allows(0.1), pace.allows(0.1)] == [True, False]
    assert [pace.allows(100.0) for _ in range(4)] == [True, True, True, False]
