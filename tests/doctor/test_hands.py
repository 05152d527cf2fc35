"""Every key, lamp, the knob, the buzzer and the glass of a simulated box, with one fault at a time."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

import pytest
from PIL import Image

from hardware.errors import DisplayLost
from hardware.events import InputEvent
from hardware.keys.quadrature import ENCODER_LINES
from hardware.pins import DisplayWiring, I2cWiring, load
from hardware.simulated.controllers import Sh1106
from referee.doctor.findings import Finding
from referee.doctor.hands import LONGEST_PUSH, PATIENCE, frame
from tests.doctor.conftest import Patient


def of(findings: list[Finding], part: str) -> list[Finding]:
    return [finding for finding in findings if finding.part == part]


def bad(findings: list[Finding]) -> list[str]:
    return [finding.part for finding in findings if finding.level != "ok"]


def test_a_healthy_box_is_pressed_lit_and_sounded_through(patient: Patient) -> None:
    findings = patient.examine()
    assert bad(findings) == []
    pins = patient.box.pins
    wanted = {f"key {key}" for key in pins.keys} | {f"lamp {lamp}" for lamp in pins.lamps}
    assert {finding.part for finding in findings} == wanted | {"keys", "encoder", "buzzer", "frame", "glass"}
    asked = [what for what, _ in patient.player.asked]
    assert asked == ["nothing", *pins.keys, "clockwise", "counterclockwise", *["yes"] * 7]


def test_for_acceptance_twenty_presses_of_each_key_are_counted(patient: Patient) -> None:
    def lose_three() -> None:
        for _ in range(17):
            patient.player.push("die-2", 0.08)
            patient.ear.now += 0.15

    patient.player.instead["20 die-2"] = lose_three
    findings = patient.examine(counting=True)
    assert bad(findings) == ["presses die-2"]
    counted = {finding.part: finding.text for finding in findings if finding.part.startswith("presses")}
    assert len(counted) == len(patient.box.pins.keys)
    assert counted["presses die-2"] == "17 of 20 presses of die key 2 counted"
    assert "20 of 20" in counted["presses select"]


def test_the_glass_is_filled_when_it_is_asked_about(patient: Patient) -> None:
    lit: list[bool] = []

    def look() -> None:
        lit.append(patient.box.glass().tobytes() == Image.new("1", (128, 64), 1).tobytes())
        patient.box.tap("select")

    patient.player.instead["yes"] = look
    patient.examine()
    assert [number for number, each in enumerate(lit) if each] == [len(lit) - 2]  # a frame is the last


@pytest.mark.parametrize(("configured", "real", "seen"), [(2, 2, True), (0, 0, True), (2, 0, False), (0, 2, False)])
def test_a_frame_shows_the_column_offset_of_an_sh1106(configured: int, real: int, seen: bool) -> None:
    """P5: modules differ in their first column."""
    wiring = DisplayWiring("sh1106", I2cWiring(1, 0x3C), column_offset=configured)
    patient = Patient(replace(load(), display=wiring))
    assert isinstance(patient.box.controller.chip, Sh1106)
    patient.box.controller.chip.left = real
    whole = frame((128, 64)).tobytes()

    def look() -> None:
        asked_of = patient.player.asked[-1][1]
        patient.box.tap("back" if "frame" in asked_of and patient.box.glass().tobytes() != whole else "select")

    patient.player.instead["yes"] = look
    (finding,) = of(patient.examine(), "frame")
    assert finding.level == ("ok" if seen else "fail")
    assert seen or f"column_offset = {real} under [display]" in finding.todo
    patient.box.close()


def test_a_seat_s_lamp_is_lit_while_its_button_is_asked_for(patient: Patient) -> None:
    seats = list(patient.box.pins.lamps)
    right: list[str] = []

    def press(seat: str) -> None:
        if patient.sees({other: other == seat for other in seats}):
            right.append(seat)
        patient.box.tap(seat)

    patient.player.instead.update({seat: partial(press, seat) for seat in seats})
    patient.examine()
    assert right == seats
    assert patient.sees(dict.fromkeys(seats, False))


def test_a_stuck_key_is_named_and_not_asked_for(patient: Patient) -> None:
    patient.box.press("die-3")
    findings = patient.examine()
    assert bad(findings) == ["key die-3"]
    (stuck,) = of(findings, "key die-3")
    assert stuck.level == "fail"
    assert "GPIO 12" in stuck.todo
    assert "die-3" not in [what for what, _ in patient.player.asked]


def test_a_key_that_sticks_once_it_is_pressed_is_named(patient: Patient) -> None:
    patient.player.instead["die-2"] = lambda: patient.box.press("die-2")
    (findings,) = of(patient.examine(), "key die-2")
    assert (findings.level, "did not open again" in findings.text) == ("fail", True)
    assert patient.ear.now < 2 * PATIENCE + 4 * LONGEST_PUSH, "the doctor does not wait for ever"


def test_a_chattering_key_is_named(patient: Patient) -> None:
    patient.player.instead["die-5"] = lambda: patient.player.push("die-5", *[0.004] * 99)
    (findings,) = of(patient.examine(), "key die-5")
    assert (findings.level, "chatters" in findings.text) == ("fail", True)
    assert "100 edges" in findings.text


def test_a_contact_that_moves_by_itself_is_named(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    still = patient.ear.watch

    def watch(seconds: float) -> list[InputEvent]:
        patient.player.push("back", 0.001, 0.3, 0.001)  # a loose wire moves whenever one looks
        return still(seconds)

    monkeypatch.setattr(patient.ear, "watch", watch)
    (findings,) = of(patient.examine(), "key back")
    assert (findings.level, "by itself" in findings.text) == ("fail", True)


def test_a_hand_that_leaves_the_box_late_is_no_fault(patient: Patient) -> None:
    patient.player.instead["nothing"] = lambda: patient.box.tap("back")
    assert bad(patient.examine()) == []


@pytest.mark.parametrize(
    ("pauses", "level", "presses", "closing", "opening"),
    [
        ((0.1,), "ok", 1, 0.0, 0.0),
        ((0.0004, 0.0005, 0.2, 0.001, 0.001), "ok", 1, 0.9, 2.0),
        ((0.003, 0.004, 0.2), "warn", 1, 7.0, 0.0),
        ((0.1, 0.012, 0.05), "fail", 2, 12.0, 0.0),
    ],
)
def test_bounce_is_measured_and_judged_by_what_it_does_in_play(
    patient: Patient, pauses: tuple[float, ...], level: str, presses: int, closing: float, opening: float
) -> None:
    patient.player.instead["die-4"] = lambda: patient.player.push("die-4", *pauses)
    (findings,) = of(patient.examine(), "key die-4")
    assert (findings.level, f"{len(pauses) + 1} edges" in findings.text) == (level, True)
    assert f"bounced {closing:.1f} ms closing and {opening:.1f} ms opening [+0.0 -" in findings.text
    assert (f"one press counts as {presses}" in findings.text) == (presses > 1)


def test_two_keys_whose_wires_are_swapped_are_named(patient: Patient) -> None:
    patient.player.instead["die-1"] = lambda: patient.box.tap("die-2")
    patient.player.instead["die-2"] = lambda: patient.box.tap("die-1")
    findings = patient.examine()
    assert bad(findings) == ["key die-1", "key die-2"]
    assert "die-1 was asked for, but die-2 answered" in of(findings, "key die-1")[0].text


def test_two_keys_that_touch_are_named(patient: Patient) -> None:
    def both() -> None:
        patient.box.press("die-1")
        patient.box.tap("die-6")
        patient.box.release("die-1")

    patient.player.instead["die-1"] = both
    assert [f.text for f in of(patient.examine(), "key die-1") if f.level == "fail"] == [
        "die-6 moved together with die-1"
    ]


def test_a_key_without_a_wire_is_named(patient: Patient) -> None:
    patient.player.instead["die-6"] = lambda: None
    (findings,) = of(patient.examine(), "key die-6")
    assert (findings.level, "nothing came" in findings.text, "GPIO 19" in findings.todo) == ("fail", True, True)
    assert patient.ear.now >= PATIENCE


@pytest.mark.parametrize(
    ("turned", "level", "todo"),
    [
        ((-4, 4), "fail", "swap a and b"),
        ((2, -2), "fail", "detents_per_cycle = 2"),
        ((1, -1), "fail", "detents_per_cycle = 4"),
        ((4, 4), "fail", "connect A and B"),
        ((4, -3), "warn", "slowly"),
        ((3, -3), "warn", "slowly"),
        ((0, 0), "fail", "GND"),
    ],
)
def test_a_knob_that_counts_wrong_is_told_how_to_mend(
    patient: Patient, turned: tuple[int, int], level: str, todo: str
) -> None:
    """P3: it is turned in both directions."""
    for way, steps in zip(("clockwise", "counterclockwise"), turned, strict=True):
        patient.player.instead[way] = partial(patient.box.turn, steps)
    (finding,) = of(patient.examine(), "encoder")
    assert (finding.level, todo in finding.todo) == (level, True)
    assert "counted as {} and {}".format(*turned) in finding.text


@pytest.mark.parametrize(("off", "wire"), [("encoder-a", "A"), ("encoder-b", "B")])
def test_a_wire_of_the_knob_that_is_off_is_named(patient: Patient, off: str, wire: str) -> None:
    """P4: the other contact moves alone."""
    patient.box.unplug(off)
    (finding,) = of(patient.examine(), "encoder")
    assert (finding.level, finding.text) == ("fail", f"{wire} of the encoder does not move")
    assert f"GPIO {patient.box.pins.encoder[wire == 'B']}" in finding.todo


@pytest.mark.parametrize("rate", [50, 200, 1000])
def test_noise_on_the_knob_is_named_before_anybody_turns_it(
    patient: Patient, rate: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P4."""
    still, chance = patient.ear.watch, random.Random(rate)

    def watch(seconds: float) -> list[InputEvent]:
        for _ in range(int(rate * seconds)):
            patient.ear.now += 1 / rate
            patient.box.flick(chance.choice(ENCODER_LINES))
        return still(seconds)

    monkeypatch.setattr(patient.ear, "watch", watch)
    findings = patient.examine()
    assert bad(findings) == ["encoder"]
    assert "move by themselves" in of(findings, "encoder")[0].text
    assert "clockwise" not in [what for what, _ in patient.player.asked]


def test_what_nobody_saw_or_heard_is_a_fault(patient: Patient) -> None:
    patient.player.instead["yes"] = lambda: patient.box.tap("back")
    findings = patient.examine()
    assert bad(findings) == ["lamp seat-1", "lamp seat-2", "lamp seat-3", "lamp seat-4", "buzzer", "glass"]
    assert "GPIO 26" in of(findings, "lamp seat-1")[0].todo
    assert patient.sees(dict.fromkeys(patient.box.pins.lamps, False))


def test_a_question_nobody_answers_is_no_yes(patient: Patient) -> None:
    patient.player.instead["yes"] = lambda: None
    assert [finding.level for finding in of(patient.examine(), "buzzer")] == ["warn"]


def test_without_select_nobody_is_asked_what_select_must_answer(patient: Patient) -> None:
    patient.player.instead["select"] = lambda: None
    findings = patient.examine()
    assert bad(findings) == ["key select"]
    assert ["nobody was asked" in finding.text for finding in of(findings, "buzzer")] == [True]


def test_a_display_that_is_gone_is_named_and_stops_nothing_else(patient: Patient) -> None:
    patient.box.controller.absent = True
    findings = patient.examine()
    assert bad(findings) == ["glass"]
    with pytest.raises(DisplayLost):
        patient.box.box.display.show(Image.new("1", (128, 64)))


def test_without_asking_every_lamp_is_lit_once(patient: Patient) -> None:
    findings = patient.examine(asking=False)
    assert bad(findings) == []
    assert [what for what, _ in patient.player.asked] == ["nothing"]
    assert {f.part for f in findings} == {
        "keys",
        "buzzer",
        "frame",
        "glass",
        *(f"lamp {lamp}" for lamp in patient.box.pins.lamps),
    }


def test_lines_that_cannot_be_opened_are_said(patient: Patient) -> None:
    patient.box.box.inputs.open(lambda event: None)  # somebody else has them
    findings = patient.examine()
    assert bad(findings) == ["keys"]
    assert of(findings, "glass")
