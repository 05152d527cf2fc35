"""What only browsers show is not worked out where there are none, and what they have is not told again."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

import pytest

from referee.station import panel
from referee.station.virtual.bench import Bench

MESSAGES = ("table_message", "log_message", "glass_message")


def test_table_log_and_glass_are_told_to_browsers_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = [Mock(wraps=getattr(panel, name)) for name in MESSAGES]
    for name, message in zip(MESSAGES, messages, strict=True):
        monkeypatch.setattr(panel, name, message)
    with Bench(tmp_path / "journal.db") as bench:
        bench.play("war-of-the-ring")
        bench.key("1", "1")
        assert not any(message.called for message in messages)
        leave = bench.hub.subscribe(lambda message: None)
        bench.key("select")
        assert all(message.called for message in messages)
        leave()
        for message in messages:
            message.reset_mock()
        bench.key("select")
        assert not any(message.called for message in messages)


def test_a_press_tells_browsers_what_is_new_and_nothing_twice(tmp_path: Path) -> None:
    with Bench(tmp_path / "journal.db") as bench:
        bench.play("battle-of-the-ring", "attack")
        bench.key("1", "1")
        told: list[str] = []
        bench.hub.subscribe(lambda news: told.extend(str(each["type"]) for each in news))
        bench.settle()
        assert sorted(told) == ["glass", "lamps", "log", "table"]
        told.clear()
        bench.key("5")  # the first of two faces: no answer yet
        assert sorted(told) == ["glass", "sound", "table"]
        told.clear()
        bench.key("4")
        assert sorted(told) == ["glass", "log", "sound", "table"]
