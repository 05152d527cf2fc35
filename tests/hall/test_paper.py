"""What the hall prints, as Chromium prints it: whole on sheets of A4."""

from __future__ import annotations

from tests.hall.room import Room


def test_a_sheet_of_slips_holds_four(room: Room) -> None:
    room.open(room.own + "print/slips")
    room.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    height = room.run("return document.querySelector('.paper-slip').getBoundingClientRect().height")
    hidden = room.run("return getComputedStyle(document.querySelector('nav')).display")
    room.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert hidden == "none"
    assert 4 * height <= (297 - 2 * 14) / 25.4 * 96  # A4 less its margins, in CSS pixels
    fits = "return [...document.querySelectorAll('.paper-slip')].every((s) => s.scrollHeight <= s.clientHeight + 1)"
    assert room.run(fits)
