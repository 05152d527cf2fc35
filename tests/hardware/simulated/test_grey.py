"""The simulated SSD1322 does what its datasheet says, and minds what it does not know."""

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from luma.oled.device import ssd1322

from hardware.errors import ControllerFault
from hardware.glass.buses import Transfer
from hardware.glass.packing import pack_grey
from hardware.pins import DisplayWiring, SpiWiring
from hardware.simulated.display import simulated_display
from hardware.simulated.grey import Ssd1322
from hardware.simulated.pins import factory
from tests.hardware.simulated.picture import picture


def say(chip: Ssd1322, command: int, *values: int) -> None:
    """One command with its parameters, as the D/C line tells them apart."""
    chip.take(command)
    if values:
        chip.write(values)


@pytest.fixture
def chip() -> Ssd1322:
    """A controller that shows a picture."""
    chip = Ssd1322()
    say(chip, 0xA0, 0x14, 0x11)
    say(chip, 0x15, 28, 91)
    say(chip, 0x75, 0, 63)
    say(chip, 0x5C)
    chip.write(pack_grey(picture(256)))
    say(chip, 0xAF)
    return chip


def test_luma_by_itself_shows_its_picture() -> None:
    """The model agrees with another driver than the one it was made for."""
    bus, wire = simulated_display(DisplayWiring("ssd1322", SpiWiring(0, 0, 3, 2)), factory(), seed=1)
    luma = SimpleNamespace(
        command=lambda *command: wire.send([Transfer(False, bytes(command))]),
        data=lambda data: wire.send([Transfer(True, bytes(data))]),
        cleanup=wire.cleanup,
    )
    device = ssd1322(luma, mode="1")
    device.persist = True
    image = picture(256)
    device.display(image)
    assert bus.glass().tobytes() == image.tobytes()


def test_the_pointer_runs_through_the_window_and_wraps(chip: Ssd1322) -> None:
    say(chip, 0x15, 10, 11)
    say(chip, 0x75, 2, 3)
    say(chip, 0x5C)
    order = [(x, y, half) for y in (2, 3) for x in (10, 11) for half in (0, 1)]
    for value, (column, row, half) in enumerate([*order, *order[:3]], start=1):
        chip.write([value])
        assert chip.memory[(row * 120 + column) * 2 + half] == value
    say(chip, 0x15, 10, 11)
    say(chip, 0x5C)
    chip.write([99])
    assert chip.memory[(2 * 120 + 10) * 2] == 99, "a column range begins with the first half"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda c: say(c, 0x21), "unknown command 0x21"),
        (lambda c: say(c, 0x15, 120), "0x15 does not take 0x78 as parameter 1"),
        (lambda c: say(c, 0x15, 0, 120), "0x15 does not take 0x78 as parameter 2"),
        (lambda c: say(c, 0x75, 9, 8), "0x75 sets the range 9 to 8: it ends before it begins"),
        (lambda c: say(c, 0xA0, 0x15, 0x11), "0xA0 does not take 0x15"),
        (lambda c: say(c, 0xA0, 0x14, 0x01), "0xA0 does not take 0x01 as parameter 2"),
        (lambda c: say(c, 0xB6, 16), "0xB6 does not take 0x10"),
        (lambda c: say(c, 0xC1, 1, 2), "0x02 sent as data without a command"),
        (lambda c: [c.take(byte) for byte in (0x15, 0x5C)], "command 0x5C in the middle of command 0x15"),
        (lambda c: [c.take(byte) for byte in (0x5C, 0xA9)] + [c.write([1])], "0x01 sent as data without a command"),
        (lambda c: c.write([1]), "0x01 sent as data without a command"),
    ],
)
def test_what_the_controller_does_not_know_is_an_error(call: Callable[[Ssd1322], object], message: str) -> None:
    with pytest.raises(ControllerFault, match=message):
        call(Ssd1322())
