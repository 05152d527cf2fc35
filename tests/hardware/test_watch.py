"""Scripts as gpiozero's and luma's guides have them run unchanged on a computer without pins, and can be pressed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tests.browsing import page_of_browser
from tests.web.judged import load_axe, violations

__all__ = ["page_of_browser"]

pytestmark = pytest.mark.long

SCRIPTS = {
    "lamp": """
from gpiozero import LED, Button
from signal import pause

led, button = LED(17), Button(2, bounce_time=0.02)
button.when_pressed = led.on
button.when_released = led.off
pause()
""",
    "knob": """
from gpiozero import RGBLED, RotaryEncoder
from signal import pause

knob, lamp = RotaryEncoder(20, 21, max_steps=2), RGBLED(5, 6, 13)
knob.when_rotated = lambda: setattr(lamp, "color", (0, max(0, knob.value), 0))
pause()
""",
    "motion": """
from gpiozero import Buzzer, MotionSensor
from signal import pause

sensor, buzzer = MotionSensor(4), Buzzer(3)
sensor.when_motion = buzzer.on
sensor.when_no_motion = buzzer.off
pause()
""",
    "hello": """
from luma.core.interface.serial import i2c, spi
from luma.core.render import canvas
from luma.oled.device import sh1106, ssd1306
from time import sleep

for device in (ssd1306(i2c(port=1, address=0x3C)), sh1106(spi(device=0, port=0))):
    with canvas(device) as draw:
        draw.rectangle(device.bounding_box, outline="white", fill="black")
        draw.text((30, 40), "Hello World", fill="white")
sleep(60)
""",
    "measure": """
from gpiozero import MCP3008, PWMLED, DistanceSensor
from signal import pause

near, bright = PWMLED(27), PWMLED(22)
sensor, knob = DistanceSensor(24, 23, queue_len=3), MCP3008(3)
near.source, bright.source = sensor, knob
pause()
""",
}


class Page:
    """The page's calls, without a browser."""

    def __init__(self, url: str) -> None:
        self.url = url

    def state(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.url}state", timeout=5) as answer:
            found: dict[str, Any] = json.loads(answer.read())
        return found

    def act(self, headers: dict[str, str] | None = None, **message: object) -> int:
        headers = {"Content-Type": "application/json"} if headers is None else headers
        request = urllib.request.Request(self.url, json.dumps(message).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code

    def duties(self) -> dict[str, float]:
        return {pin["name"]: pin["duty"] for device in self.state()["devices"] for pin in device["pins"]}

    def number(self, name: str) -> int:
        (number,) = (each["number"] for each in self.state()["devices"] if each["name"] == name)
        return int(number)


def pressed(page: Page, name: str, pin: str) -> bool:
    """Press anew, for the script may not have said yet what follows; whether the pin is high."""
    number = page.number(name)
    for down in (False, True):
        page.act(device=number, down=down)
        time.sleep(0.25)  # a sensor looks ten times a second
    return page.duties()[pin] == 1


def shows(page: Page, pin: str, value: float) -> bool:
    return abs(page.duties()[pin] - value) < 0.01


def until(holds: Callable[[], object], patience: float = 20.0) -> None:
    end = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


@contextmanager
def watched(name: str, folder: Path) -> Iterator[tuple[Page, subprocess.Popen[str]]]:
    script = folder / f"{name}.py"
    script.write_text(SCRIPTS[name], "utf-8")
    command = [sys.executable, "-m", "hardware.watch", "--port", "0", "--no-browser", str(script)]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, "GPIOZERO_PIN_FACTORY": ""}
    ) as run:
        assert run.stderr is not None
        line = run.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", line)
        assert found, line + run.stderr.read()
        try:
            page = Page(found[0])
            until(lambda: page.state()["devices"] or page.state()["displays"])
            yield page, run
        finally:
            run.send_signal(signal.SIGTERM)
            try:
                run.wait(20)
            finally:
                run.kill()


def test_a_button_lights_a_lamp_and_the_timeline_says_so(tmp_path: Path) -> None:
    with watched("lamp", tmp_path) as (page, run):
        until(lambda: len(page.duties()) == 2)
        until(lambda: pressed(page, "Button", "GPIO17"))
        page.act(device=page.number("Button"), down=False)
        until(lambda: page.duties()["GPIO17"] == 0)
        run.send_signal(signal.SIGINT)
        assert run.stderr is not None
        told = run.stderr.read()
    assert re.search(r"^GPIO2  .*\nGPIO17 .*[█╳]", told, re.MULTILINE), told


def test_a_knob_turns_both_ways(tmp_path: Path) -> None:
    with watched("knob", tmp_path) as (page, _):
        until(lambda: len(page.duties()) == 5)
        page.act(device=page.number("RotaryEncoder"), turn=1)
        until(lambda: page.duties()["GPIO6"] == 0.5)
        page.act(device=page.number("RotaryEncoder"), turn=-1)
        until(lambda: page.duties()["GPIO6"] == 0)


def test_measured_values_are_set_and_sigterm_leaves_the_timeline(tmp_path: Path) -> None:
    with watched("measure", tmp_path) as (page, run):
        until(lambda: page.duties().get("GPIO27") == 0.5)
        assert [each["name"] for each in page.state()["sliders"]] == [
            "DistanceSensor on GPIO24, GPIO23",
            "MCP3008, channel 3",
        ]
        assert {*page.duties()} == {"GPIO27", "GPIO22"}
        for slider, pin in enumerate(("GPIO27", "GPIO22")):
            for value in (0.2, 0.75):
                assert page.act(slider=slider, value=value) == 200
                until(partial(shows, page, pin, value))
        assert page.act(slider=2, value=1) == page.act(slider=0) == 400
        run.send_signal(signal.SIGTERM)
        assert run.stderr is not None
        told = run.stderr.read()
    assert re.search(r"^GPIO24 .*[█╳]", told, re.MULTILINE), told


def test_a_sensor_without_a_resistor_is_driven(tmp_path: Path) -> None:
    with watched("motion", tmp_path) as (page, _):
        until(lambda: len(page.duties()) == 2)
        until(lambda: pressed(page, "MotionSensor", "GPIO3"))
        page.act(device=page.number("MotionSensor"), down=False)
        until(lambda: page.duties()["GPIO3"] == 0)


def test_displays_are_seen(tmp_path: Path, browser: Chrome) -> None:
    with watched("hello", tmp_path) as (page, _):
        until(lambda: all(each["png"] for each in page.state()["displays"]) and len(page.state()["displays"]) == 2)
        assert [each["name"] for each in page.state()["displays"]] == ["ssd1306", "sh1106"]
        browser.get(page.url)
        until(lambda: len(browser.find_elements(By.TAG_NAME, "img")) == 2)
        wide = "return [...document.images].map((each) => [each.naturalWidth, each.naturalHeight])"
        until(lambda: browser.execute_script(wide) == [[128, 64], [128, 64]])


def test_a_finger_on_the_page_presses_a_button(tmp_path: Path, browser: Chrome) -> None:
    with watched("lamp", tmp_path) as (page, _):
        browser.get(page.url)
        until(lambda: browser.find_elements(By.TAG_NAME, "button"))
        (button,) = browser.find_elements(By.TAG_NAME, "button")
        for down in (True, False):
            browser.execute_script(
                "arguments[0].dispatchEvent(new KeyboardEvent(arguments[1], {key: ' ', bubbles: true}))",
                button,
                "keydown" if down else "keyup",
            )
            until(lambda down=down: page.duties()["GPIO17"] == down)  # type: ignore[misc]


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_page_can_be_used_by_all(name: str, tmp_path: Path, browser: Chrome, axe: object) -> None:
    with watched(name, tmp_path) as (page, _):
        browser.get(page.url)
        until(lambda: browser.find_elements(By.TAG_NAME, "section"))
        load_axe(browser)
        assert violations(browser) == []


def test_a_script_ends_while_the_page_asks(tmp_path: Path) -> None:
    with watched("knob", tmp_path) as (page, run):
        ends = threading.Event()

        def ask() -> None:
            with suppress(OSError, HTTPException):
                while not ends.is_set():
                    page.state()

        asking = [threading.Thread(target=ask) for _ in range(3)]
        for each in asking:
            each.start()
        run.send_signal(signal.SIGTERM)
        assert run.wait(20) == 0
        ends.set()
        for each in asking:
            each.join()


@pytest.mark.parametrize(
    ("message", "headers", "status"),
    [
        ({"device": 9, "down": True}, None, 400),
        ({"down": True}, None, 400),
        ({"device": 0, "down": True}, {"Content-Type": "text/plain"}, 400),
        ({"device": 0, "down": True}, {"Content-Type": "application/json", "Origin": "http://evil.example"}, 403),
        ({"device": 0, "down": True}, {"Content-Type": "application/json", "Host": "evil.example"}, 403),
    ],
)
def test_what_is_no_press_of_the_page_is_refused(
    message: dict[str, object], headers: dict[str, str] | None, status: int, tmp_path: Path
) -> None:
    with watched("motion", tmp_path) as (page, _):
        assert page.act(headers, **message) == status
        assert page.duties()["GPIO4"] == 0
