"""gpiozero's own tests of its devices, with our mock pins and virtual time in place of its own (F5)."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.components import GPIOZERO, ROOT

TESTS = (
    *("boards", "devices", "inputs", "internal_devices", "mixins", "mock_pin", "outputs", "spi_devices", "tones"),
    "tools",
)

EVERY_PIN_HAS_PWM = "on the header every pin has PWM; gpiozero's MockPin has none"
EXCEPTIONS = {
    "test_mock_pin_frequency_unsupported": EVERY_PIN_HAS_PWM,
    "test_output_pwm_not_supported": EVERY_PIN_HAS_PWM,
    "test_servo_pins_nonpwm": EVERY_PIN_HAS_PWM,
}


RUN = """
import resource, sys, pytest
pytest.main(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_SELF)
print("used", used.ru_utime + used.ru_stime)
"""
OPTIONS = ("-q", "--tb=short", "-p", "no:cacheprovider", "-o", "addopts=", "--rootdir=.", "--junitxml=result.xml")


@pytest.fixture
def gpiozero_tests(tmp_path: Path) -> Path:
    """gpiozero's source distribution, unpacked: its tests, and its fonts where they look for them."""
    assert GPIOZERO, "gpiozero's source distribution could not be fetched"
    with tarfile.open(GPIOZERO[-1]) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    shutil.copy(Path(__file__).with_name("harness.py"), folder / "tests" / "conftest.py")
    return folder


@pytest.mark.long
def test_gpiozeros_own_tests_pass_with_few_exceptions(gpiozero_tests: Path) -> None:
    """On its own mock 30 s of them are waits; here all together use 2 s of a processor."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", RUN, *OPTIONS, *(f"tests/test_{name}.py" for name in TESTS)],
        cwd=gpiozero_tests,
        env={"PYTHONPATH": str(ROOT), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    cases = ET.parse(gpiozero_tests / "result.xml").findall(".//testcase")
    failed = {
        case.get("name") for case in cases if case.find("failure") is not None or case.find("error") is not None
    }
    assert failed == set(EXCEPTIONS), done.stdout
    assert len(cases) > 340
    assert float(done.stdout.rpartition("used ")[2]) < 5
