"""What many watchers cost the box: one call for what it publishes; the server's thread does the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from referee.web.browsers import MAX_OF_BOX, Browser, Browsers
from referee.web.guard import BOX

if TYPE_CHECKING:
    from tests.web.conftest import FakeHub


def mail(browser: Browser) -> list[str]:
    return [str(packet.message["type"]) for packet in browser.outbox.take()]


def test_the_box_calls_once_for_all_browsers_and_a_fresh_one_hears_no_sound_of_before(hub: FakeHub) -> None:
    calls: list[Callable[[], None]] = []
    browsers = Browsers(hub, calls.append)
    connected = [browsers.connect(lambda: None, BOX) for _ in range(MAX_OF_BOX - 1)]
    for each in connected:
        mail(each)
    hub.publish({"type": "sound", "name": "key", "pattern": [1]})
    hub.publish({"type": "log", "entries": []})
    assert len(calls) == 1
    assert all(mail(each) == [] for each in connected)
    fresh = browsers.connect(lambda: None, BOX)
    assert "sound" not in mail(fresh)
    assert all(mail(each) == ["sound", "log"] for each in connected), "all that was published is theirs before"
    calls[0]()
    assert mail(fresh) == []
    hub.publish({"type": "log", "entries": []})
    assert len(calls) == 2
    calls[1]()
    assert all(mail(each) == ["log"] for each in (*connected, fresh))
