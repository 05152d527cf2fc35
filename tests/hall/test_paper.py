"""What the hall prints, as Chromium prints it: whole on sheets of A4."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.hall.printed import SCALE, Sheets
from tests.hall.process import running
from tests.hall.room import Room

BOX = rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]"
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


SIXTY_FOUR = ("Maximilian Ferdinand Brandybuck-Gamwich of Buckland East", *(f"Player{n}." for n in range(2, 65)))


def test_sheets_of_a4_have_all_that_is_to_be_printed_and_no_slip_is_split(browser: Chrome, tmp_path: Path) -> None:
    with running("--folder", str(tmp_path / "event"), state=tmp_path) as hall:
        room = Room(browser, hall)
        room.publish(SIXTY_FOUR)
        room.do("/round", "start", round="1")

        def printed(page: str) -> list[str]:
            room.open(f"{room.own}print/{page}")
            answer = room.driver.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
            pdf = b64decode(answer["data"])
            sizes = {(round(float(wide)), round(float(high))) for wide, high in re.findall(BOX, pdf)}
            assert sizes == {(595, 842)}, "points of A4"
            sheets = Sheets(pdf)
            assert sheets.scales == pytest.approx([SCALE] * len(sheets.texts)), "as large as it was meant"
            return sheets.texts

        names = ["".join(name.split()) for name in SIXTY_FOUR]
        by_name, more, by_table = printed("pairings")
        assert [sum(name in text for text in (by_name, more)) for name in names] == [1] * 64
        assert [name for name in names if name not in by_table] == []
        assert all(text.startswith("NameTable") for text in (by_name.partition("Byname")[2], more))
        slips = printed("slips")
        assert len(slips) == 8
        for sheet, text in enumerate(slips):
            tables = [f"Table{number}Event,round1" for number in range(4 * sheet + 1, 4 * sheet + 5)]
            assert text.startswith(tables[0])
            parts = re.split("|".join(tables), text)[1:]
            assert len(parts) == 4
            for part in parts:
                assert sum(name in part for name in names) == 2
                assert part.endswith("rulings,penalties(ajudge):")
        assert [sum(name in text for text in printed("standings")) for name in names] == [1] * 64
        assert len(printed("standings")) == 2
        *_, first, last = printed("paper")
        assert [sum(name in text for text in (first, last)) for name in names] == [1] * 64


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
