"""A browser that lags gets the newest state, and never more than a handful of messages waits for it."""

from __future__ import annotations

from typing import Any

from referee.web.outbox import MAX_SOUNDS, Outbox, Packet
from referee.web.pace import Pace


def drain(outbox: Outbox) -> list[Any]:
    messages = []
    while (packet := outbox.take()) is not None:
        messages.append(packet.message)
    return messages


def test_the_newest_of_each_kind_waits_in_the_place_of_the_oldest() -> None:
    outbox = Outbox()
    for n in range(1000):
        outbox.put(Packet({"type": "glass", "n": n}))
        outbox.put(Packet({"type": "log", "n": n}))
    assert drain(outbox) == [{"type": "glass", "n": 999}, {"type": "log", "n": 999}]


def test_late_sounds_are_dropped_oldest_first() -> None:
    outbox = Outbox()
    for n in range(100):
        outbox.put(Packet({"type": "sound", "n": n}))
    assert [message["n"] for message in drain(outbox)] == list(range(100 - MAX_SOUNDS, 100))


def test_only_the_first_packet_wakes_the_reader() -> None:
    outbox = Outbox()
    assert outbox.put(Packet({"type": "glass"}))
    assert not outbox.put(Packet({"type": "glass"}))
    assert not outbox.put(Packet({"type": "table"}))
    drain(outbox)
    assert outbox.put(Packet({"type": "glass"}))


def test_a_snapshot_never_replaces_later_news() -> None:
    outbox = Outbox()
    outbox.put(Packet({"type": "glass", "n": 2}))
    outbox.fill(Packet({"type": "glass", "n": 1}))
    outbox.fill(Packet({"type": "lamps", "n": 1}))
    assert drain(outbox) == [{"type": "glass", "n": 2}, {"type": "lamps", "n": 1}]


def test_a_pace_allows_a_burst_and_then_the_rate() -> None:
    pace = Pace(rate=10, burst=3)
    assert [pace.allows(0.0) for _ in range(5)] == [True, True, True, False, False]
    assert [pace.allows(0.1), pace.allows(0.1)] == [True, False]
    assert [pace.allows(100.0) for _ in range(4)] == [True, True, True, False]
