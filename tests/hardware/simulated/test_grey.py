"""The simulated SSD1322 does what its datasheet says, and minds what it does not know."""

from types import SimpleNamespace

from luma.oled.device import ssd1322

from hardware.glass.buses import Transfer
from hardware.pins import DisplayWiring, SpiWiring
from hardware.simulated.bus import simulated_display
from hardware.simulated.pins import factory
from tests.hardware.simulated.picture import picture


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
