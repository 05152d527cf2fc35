"""What the hall prints, as Chromium prints it: whole on sheets of A4."""

from __future__ import annotations

from tests.hall.room import Room

A4 = round((210 - 2 * 14) / 25.4 * 96)
"""Width of a sheet less its margins, in CSS pixels."""


def test_paper_is_as_wide_as_its_sheet_also_with_the_most_rounds(room: Room) -> None:
    try:
        for page in ("paper", "pairings", "standings"):
            room.open(f"{room.own}print/{page}")
            metrics = {"width": A4, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
            room.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            room.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
            room.run(
                "for (const row of document.querySelectorAll('.grid tr'))"
                "for (let more = 5; more <= 9; more += 1) row.lastElementChild.before(row.children[3].cloneNode())"
            )
            assert room.run("return document.documentElement.scrollWidth") <= A4, page
            room.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
            room.open(f"{room.own}print/{page}", "phone")
            assert room.run("return document.documentElement.scrollWidth <= innerWidth"), page
    finally:
        room.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


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
