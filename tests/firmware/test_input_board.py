"""The firmware in real MicroPython, as deployed, against the daemon's own code over a pty."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from hardware.events import Edge
from hardware.line.presence import Connected, Disconnected, Gap
from hardware.line.wire import GONE

DIE_1, DIE_3, DIE_6, SEAT_2_LAMP = 2, 4, 7, 19


def key(daemon: Any) -> tuple[str, bool]:
    """The next thing told, which is an edge."""
    edge = daemon.next()
    assert isinstance(edge, Edge), edge
    return edge.line, edge.level


def test_deploy_installs_four_files_and_starts_the_board(flash: Path) -> None:
    assert sorted(path.name for path in flash.iterdir()) == ["board.py", "main.py", "pins.py", "wire.py"]
    called = (flash.parent / "called").read_text().split()
    assert called[:2] == ["fs", "cp"]
    assert called[-5:] == ["board.py", "main.py", ":", "+", "reset"]


def test_keys_and_lamps(pico: Any, daemon: Any) -> None:
    assert daemon.meet(pico).firmware == "1.0.0"
    before = time.monotonic()
    pico.tell(f"pin {DIE_3} 0")
    edge = daemon.next()
    assert (edge.line, edge.level) == ("die-3", True)
    assert before <= edge.at <= time.monotonic()
    assert daemon.board.level("die-3")
    pico.tell(f"pin {DIE_3} 1")
    assert key(daemon) == ("die-3", False)
    daemon.board.set("seat-2", "blink")
    for level in (0, 1, 0, 1):
        pico.expect(f"pin {SEAT_2_LAMP} {level}")


def test_noise_loses_and_doubles_no_press(pico: Any, daemon: Any) -> None:
    daemon.meet(pico)
    pico.tell("noise 8")  # bytes of a thousand: about one frame in four
    reports = []
    for press in range(30):
        for level in (0, 1):
            pico.tell(f"pin {DIE_3 + press % 4} {level}")
            reports.append(key(daemon))
    assert reports == [(f"die-{3 + n // 2 % 4}", n % 2 == 0) for n in range(60)]


@pytest.mark.timed
def test_pulled_cable_is_told_healed_and_guesses_nothing(pico: Any, daemon: Any) -> None:
    daemon.meet(pico)
    pico.tell(f"pin {DIE_3} 0")
    assert key(daemon) == ("die-3", True)
    pulled = time.monotonic()
    pico.pull()
    assert key(daemon) == ("die-3", False)
    assert isinstance(daemon.next(), Disconnected)
    assert time.monotonic() - pulled < GONE / 1000
    assert not daemon.board.level("die-3")
    pico.plug()
    pico.expect(f"pin {SEAT_2_LAMP} 1")
    reports = {type(event): event for event in (daemon.next(), daemon.next())}
    assert reports[Gap].missed is None
    assert reports.keys() == {Gap, Connected}
    pico.tell(f"pin {DIE_6} 0")
    assert key(daemon) == ("die-6", True)


def test_restarted_daemon_hears_how_much_it_missed(pico: Any, daemon: Any) -> None:
    daemon.meet(pico)
    daemon.board.close()
    pico.expect(f"pin {SEAT_2_LAMP} 0")  # the board has noticed
    for level in (0, 1, 0):
        pico.tell(f"pin {DIE_3} {level}")
        pico.tell(f"pin {DIE_6} {level}")
    another = type(daemon)(pico)
    reports = [another.next(), another.next()]
    assert isinstance(reports[0], Connected)
    assert isinstance(reports[1], Gap)
    # A key that opens again within the board's settling time is one change the fewer.
    assert reports[1].missed in (2, 4, 6)
    pico.tell(f"pin {DIE_3} 1")
    pico.tell(f"pin {DIE_1} 0")
    assert key(another) == ("die-1", True)
    pico.tell(f"pin {DIE_3} 0")
    assert key(another) == ("die-3", True)
    another.board.close()
