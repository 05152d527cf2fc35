"""The I2C bus is one referee's at a time."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.glass.buses import i2c_wire


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Let files stand for the buses of this machine; return how many are open."""

    class SMBus:
        def __init__(self, bus: int) -> None:
            self.fd = os.open(tmp_path / f"i2c-{bus}", os.O_RDWR | os.O_CREAT)

        def close(self) -> None:
            os.close(self.fd)

    monkeypatch.setattr("smbus2.SMBus", SMBus)
    return lambda: sum(str(tmp_path) in os.path.realpath(each) for each in Path("/proc/self/fd").iterdir())


def test_two_referees_do_not_draw_over_each_other(files: Callable[[], int]) -> None:
    wire = i2c_wire(1, 0x3C)
    other = i2c_wire(2, 0x3C)
    with pytest.raises(OSError, match="another referee uses the display: '/dev/i2c-1'") as refused:
        i2c_wire(1, 0x3C)
    assert refused.value.errno == errno.EBUSY
    assert files() == 2
    wire.cleanup()
    i2c_wire(1, 0x3C).cleanup()
    other.cleanup()
    assert files() == 0
